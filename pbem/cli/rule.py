"""Checking logs, and the moderator's rulings."""

import os
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from pbem.cli import asked, common
from pbem.cli.common import LETTER
from pbem.cli.output import Output, after_commit, shown
from pbem.core import CHANCE, NOBODY, Refused
from pbem.desk.file import Desk
from pbem.files import timestamp
from pbem.log import deadlines
from pbem.log.entries import Ply
from pbem.log.ruling import called
from pbem.log.rulings import Default, Reveal, Substitute
from pbem.matches.index import CLUB, is_club, logs_in
from pbem.problem import NotNow, Problem, Usage
from pbem.sentence import NO_NAMES, say

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pbem.cli.answered import Ways
    from pbem.club.recount import Recount
    from pbem.desk.bench import Bench
    from pbem.desk.give import OptionValues
    from pbem.log.audit import Findings
    from pbem.log.entries import Entry
    from pbem.log.match import Replay
    from pbem.log.ruling import Ruling
    from pbem.log.seal import Keyring
    from pbem.report.facts import Report
    from pbem.sentence import Sentence

_MANY: Final = 10
"""Fewer logs are not worth a second process."""
_WHOLE: Final = "{path}: ok, {plies}, {judged} judged again, {draws}"
_NO_DRAWS: Final = "{path}: ok, {plies}, {judged} judged again"
_CLUB: Final = "{path}: ok, {n} [entry|entries], the lots of {lots} matches drawn again"
_PLIES: Final = "{n} [ply|plies]"
_DRAWS: Final = "{n} [draw|draws] recomputed"


@common.app.command(epilog="Example: pbem verify *.pbem.yaml --key kahuna-7.desk.yaml")
def verify(
    log: common.LogFiles,
    key: common.KeyFile = None,
    bot: Annotated[
        bool,
        common.flag("--bot", "Compute a bot's moves again, too; that takes as long as it thought."),
    ] = False,
) -> Output:
    """Check logs from top to bottom, as far as the keys allow."""
    from pbem.files.processors import spread

    reports: list[dict[str, Any]] = []
    checked = spread(partial(_verified, common.keys(key), timestamp.now(), bot), _logs(log), _MANY)

    def told() -> "Iterator[str]":
        for report, lines in checked:
            reports.append(report)
            yield from lines

    def plain() -> dict[str, Any]:
        reports.extend(report for report, _ in checked)
        return {"ok": not any(report["problems"] for report in reports), "logs": reports}

    def code() -> int:
        """By the worst that was found in any of them."""
        from pbem.log.doubts import GRAVE

        if any(report["problems"] for report in reports):
            return 65
        return 0 if all(GRAVE.isdisjoint(report["doubts"]) for report in reports) else 3

    return Output(plain, told(), code=code)


def _verified(
    keyring: "Keyring", now: str, bot: bool, path: str
) -> tuple[dict[str, Any], list[str]]:
    """What was found in a log, for programs and for people."""
    from pbem.log import audit, bots
    from pbem.log.format import Log

    if os.path.basename(path) == "club.pbem.yaml" and is_club(path):
        return _recounted(path)
    try:
        found = audit.audit(path, keyring, now)
        if bot and not found.problems:
            otherwise = bots.played_otherwise(Log.read(path), keyring)
            found = found._replace(problems=tuple(otherwise))
    except Problem as unreadable:
        found = audit.Findings((unreadable,))
    counts = {"plies": found.plies, "judged": found.judged, "drawn": found.drawn}
    plies, drawn = say(_PLIES, n=found.plies), say(_DRAWS, n=found.drawn)
    pattern = _WHOLE if found.draws else _NO_DRAWS
    whole = say(pattern, path=path, plies=plies, judged=found.judged, draws=drawn)
    return _reported(path, found, whole, [doubt.word for doubt in found.doubts], **counts)


def _reported(
    path: str,
    found: "Findings | Recount",
    whole: "Sentence",
    doubts: "Iterable[str]",
    **counts: int,
) -> tuple[dict[str, Any], list[str]]:
    """What was found in a log, and what is said of it if it is `whole`."""
    names = getattr(found, "names", NO_NAMES)
    notices = [notice.text(names) for notice in found.notices]
    problems = [shown(problem) for problem in found.problems]
    lines = [str(problem) for problem in found.problems] or [str(whole)]
    report = {"log": path, **counts, "problems": problems, "doubts": [*dict.fromkeys(doubts)]}
    return {**report, "notices": notices}, lines + [f"  {notice}" for notice in notices]


def _logs(given: list[str]) -> list[str]:
    """The logs that are meant; of a folder, all that lie there."""
    found = list[str]()
    for each in given:
        own = os.path.join(each, CLUB)
        found += [own] if os.path.isdir(each) and is_club(own) else []
        found += logs_in(each) if os.path.isdir(each) else [each]
    return found


def _recounted(path: str) -> tuple[dict[str, Any], list[str]]:
    """What was found in the log of a club, for programs and for people."""
    from pbem.club.recount import recount

    found = recount(path)
    counts = {"plies": 0, "judged": 0, "drawn": found.lots, "entries": found.entries}
    whole = say(_CLUB, path=path, n=found.entries, lots=found.lots)
    return _reported(path, found, whole, found.doubts, **counts)


@common.app.command(cls=common.OfMatch, epilog="Example: pbem reveal kahuna-7.pbem.yaml")
def reveal(
    log: common.LogFile,
    format: common.Format = "text",
    short: common.Short = None,
    told: common.Told = False,
) -> Output:
    """Publish the secret of a finished match, for all to check."""
    from pbem.cli.answered import Ways

    return _give(Reveal, {}, "", Ways(log, format, short=short, told=told))


@common.app.command(
    cls=asked.OfRulings,
    epilog="Examples: pbem rule LOG takeback --to 12 --reason 'misread, agreed' · "
    "pbem rule LOG default --seat white --move pass --reason 'deadline passed' · "
    "pbem rule LOG extend --seat white --by 2 · "
    "pbem rule LOG away --seat white --from 2026-12-20 --to 2027-01-05 · "
    "pbem rule LOG clock --turn 5 --closed sat,sun",
)
def rule(
    ctx: typer.Context,
    log: common.LogFile,
    kind: Annotated[str, typer.Argument(metavar="KIND", help="Which ruling.")],
    reason: Annotated[str, common.takes("TEXT", "Why; it stands in the log.")] = "",
    letters: common.Letters = None,
    all_letters: common.AllLetters = False,
    format: common.Format = "text",
    short: common.Short = None,
    told: common.Told = False,
    dry: Annotated[bool, common.flag("--dry", "Say what it would do, and do nothing.")] = False,
) -> Output:
    """Append a ruling of the moderator; nothing is deleted."""
    from pbem.cli.answered import Ways

    ruling, given = asked.ruling(ctx), asked.given(ctx)
    assert ruling is not None
    for option in ruling.options or ():
        if option.needed and given[option.name] is None:
            raise Usage("the ruling {kind} needs --{name}", kind=kind, name=option.name)
    ways = Ways(log, format, None, letters, all_letters, short=short, told=told)
    if dry:
        return _imagine(ruling, given, reason, ways)
    if ruling.owes_reason and not reason:
        raise Usage("the ruling {kind} needs a --reason: it stands in the log for good", kind=kind)
    return _give(ruling, given, reason, ways)


def _entered(
    kind: "type[Ruling]", given: "OptionValues", reason: str, ways: "Ways", *, imagined: bool
) -> "Bench":
    """A match in which a ruling has been entered, or is imagined to be. Raises Problem and Refused.

    Where letters go into files the moderator may play, too: why a move for a silent seat is refused
    may give away the seat's hand, so it is put among the letters; nor is told what it can play."""
    from pbem.desk.give import give

    try:
        return give(ways.log, kind, common.here(imagined=imagined), given, reason=reason)
    except (Refused, Usage) as trouble:
        if ways.letters is None and kind is Default:
            raise _with_moves(trouble, ways.log, given["seat"]) from None
        if ways.letters is None or isinstance(trouble, Usage):
            raise
        refused, why = (
            trouble,
            NotNow("this move can't be played; the reason may tell of the seat's hand"),
        )
        if not imagined:
            path = ways.put(f"{os.path.basename(ways.log)}-refused.txt", f"{refused}\n")
            why = NotNow(
                "this move can't be played; the reason, which may tell of the seat's hand, is in "
                "{file}",
                file=path,
            )
        raise why from None


def _with_moves(trouble: "Refused | Usage", log: str, seat: str) -> "Refused | Usage":
    """The same, with what could be played for the seat. Raises Problem."""
    from pbem.desk.file import read_both
    from pbem.play.judge import legal_texts

    match, _ = read_both(log)
    found = legal_texts(match.game, match.state, seat).texts if seat in match.awaited else ()
    if not found:
        return trouble
    told = say(_CAN, why=trouble.sentence, seat=seat, moves=found[:_MOST_TOLD], n=len(found))
    return Refused(told) if isinstance(trouble, Refused) else Usage("{told}", told=told)


_MOST_TOLD: Final = 40
_CAN: Final = "{why}. {n} [move|moves] can be played for {seat:seat}: {moves:any}"


def _imagine(kind: "type[Ruling]", given: "OptionValues", reason: str, ways: "Ways") -> Output:
    """What a ruling would do: the plies it strikes, what was drawn since, who will be told. What
    chance would draw next is not told: nobody may know that in advance."""
    from pbem.report import compose

    known = {**given, "revealed": True} if "revealed" in given else given
    why = reason or ("..." if kind.owes_reason else "")
    done = _entered(kind, known, why, ways, imagined=True)
    before, after = done.before.log, done.match.log
    stands, stood = ({ply.number for ply in log.live} for log in (after, before))
    struck = [ply for ply in before.live if ply.number not in stands]
    again = [ply for ply in before.plies if ply.number in stands - stood]
    drawn = [ply for ply in struck if ply.seat == CHANCE]
    was, times = deadlines.of(done.before), deadlines.of(done.match)
    told = [seat for seat in done.match.setup.seats if seat not in done.match.vacant]
    lines = [say("A dry run: nothing is written, and nobody is told.")]
    lines += _new(after.entries[len(before.entries) :])
    lines += [say("Struck: #{ply} {seat:seat}: {move}", **_of(ply)) for ply in struck]
    lines += [say("Stands again: #{ply} {seat:seat}: {move}", **_of(ply)) for ply in again]
    lines += [say("Drawn, and known to somebody: #{ply} {move}", **_of(ply)) for ply in drawn]
    if drawn and given.get("revealed") is False:
        lines.append(say("It takes --revealed, because cards were drawn since."))
    if times and times != was and done.match.outcome is None:
        lines += times.sentences()
    lines.append(say("{told:seats} will be told.", told=told))
    if watching := len(done.desk.observers):
        watch = "So will {n} [observer|observers]."
        lines.append(say(watch, n=watching))
    plain = {"ok": True, "dry": True, "match": done.before.name, "ruling": called(kind)}
    plain["strikes"] = [ply.number for ply in struck]
    plain["restores"] = [ply.number for ply in again]
    plain["drawn"] = [{"ply": ply.number, "move": ply.move} for ply in drawn]
    names = compose.names(done.match)
    lines_told = [line.text(names) for line in lines]
    return Output({**plain, "told": told}, lines_told, _warned(kind, given, done))


def _new(entries: "Iterable[Entry]") -> "Iterator[Sentence]":
    """What was entered, but for what chance has drawn."""
    for entry in entries:
        if not isinstance(entry, Ply):
            yield entry.sentence
        elif entry.seat not in NOBODY:
            yield say("Played for {seat:seat}: {move}", **_of(entry))


def _of(ply: "Ply") -> dict[str, Any]:
    return {"ply": ply.number, "seat": ply.seat, "move": ply.move}


def _give(kind: "type[Ruling]", given: "OptionValues", reason: str, ways: "Ways") -> Output:
    """Enter a ruling, and say what there is to post and to send. Raises Problem and Refused."""
    ways.make_ready()
    desk = Desk.read(ways.log) if ways.letters else None
    done = _entered(kind, given, reason, ways, imagined=False)
    with after_commit(ways.log):
        told = _told(kind, done, desk, given["seat"] if kind is Substitute else None, ways)
        return told._replace(troubles=_warned(kind, given, done))


def _warned(kind: "type[Ruling]", given: "OptionValues", done: "Bench") -> list[str]:
    """What the moderator is warned of who plays for somebody that has written, gives days to
    somebody that has been given some, or changes how long somebody has that is late. Raises
    Problem."""
    from pbem.log import turns
    from pbem.log.timing import Extend

    match = done.before
    if kind is Extend and given["by"] > 0:
        running = turns.of(match).running
        had = [(each, running[each].extra) for each in running if given["seat"] in (None, each)]
        return [say(_HAD, seat=match.players[e], n=n).text() for e, n in had if n]
    from pbem.mailroom import agenda

    if issubclass(kind, agenda.ACTS):
        seats = [given["seat"]] if "seat" in given else match.setup.seats
        return [*agenda.told_anew(done.match, seats, timestamp.now())]
    if kind is not Default:
        return []
    from pbem.mailroom.daybook import book_of
    from pbem.matches.index import match_name

    path, seat = match.log.path, given["seat"]
    folder, senders = os.path.dirname(path) or ".", Desk.read(path).names_of(seat)
    wrote = agenda.has_written(book_of(folder), folder)
    if not wrote(match_name(path), senders, turns.of(match).running[seat].since):
        return []
    warned = say(_NOT_SILENT, seat=match.players[seat], folder=folder)
    return [warned.text()]


_HAD: Final = (
    "{seat} had been given {n} [day|days] more for this turn before; --by -{n} takes [that|these] "
    "back"
)
_NOT_SILENT: Final = (
    "{seat} is not silent: a mail of theirs came to nothing since their turn began, or waits for "
    "your answer (`pbem aside {folder:typed}`)"
)


def _told(
    kind: "type[Ruling]", done: "Bench", desk: "Desk | None", comes: str | None, ways: "Ways"
) -> Output:
    """What there is to say of a ruling: the post, the letters that are owed if they go into files,
    else that of a player who `comes` new. `desk` is the desk file before it."""
    before, after = done.before, done.match
    post, made = ways.news(before, after, done.desk), partial(_letter, after, comes)
    written, sent, send = ways.passed_on((before, after), (desk, done.desk), made, [comes])
    plain = {"ok": True, **common.standing(after), "ruling": called(kind), "post": post, **sent}
    lines: list[object] = [*send]
    if not ways.letters:
        plain |= {"letter": written[comes]} if comes else {}
        lines = [say(LETTER, seat=seat, text=text) for seat, text in written.items()]
    return Output(plain, [post, *lines], entered=ways.log)


def _letter(
    match: "Replay", comes: str | None, seat: str, known: int, desk: "Desk | None"
) -> "Report":
    """The letter to a seat; a player who `comes` new is told all so far, and how it is played."""
    from pbem.report import compose

    if seat != comes or desk is None:
        return compose.letter(match, seat, known, desk=desk)
    opening, notes = compose.opening(match, desk.contact), compose.proof(match)
    letter = compose.letter(match, seat, 0, key=True, notes=notes, desk=desk)
    return letter._replace(opening=opening)
