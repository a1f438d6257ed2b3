"""Checking logs, and the moderator's rulings."""

import os
import sys
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from pbem.cli import asked
from pbem.cli.common import (
    LETTER,
    AllLetters,
    Format,
    Json,
    KeyFile,
    Letters,
    LogFile,
    LogFiles,
    OfMatch,
    Short,
    Told,
    app,
    check_format,
    flag,
    keys,
    print_json,
    shown,
    standing,
    takes,
    which_to_send,
    write_letters,
)
from pbem.cli.output import Private, after_commit, complain, make_ready
from pbem.cli.readers import Readers
from pbem.core import Refused
from pbem.problem import NotNow, Problem, Usage
from pbem.sentence import Counted, say

if TYPE_CHECKING:
    from pbem.desk.file import Desk
    from pbem.log.entries import Ply
    from pbem.log.match import Match
    from pbem.log.ruling import Ruling
    from pbem.log.seal import Keyring
    from pbem.report.facts import Report

_MANY: Final = 10
"""Fewer logs are not worth a second process."""
_WHOLE: Final = "{path}: ok, {plies}, {judged} judged again, {draws}"
_NO_DRAWS: Final = "{path}: ok, {plies}, {judged} judged again"
_CLUB: Final = Counted(
    "{path}: ok, {n} entry, the lots of {lots} matches drawn again",
    "{path}: ok, {n} entries, the lots of {lots} matches drawn again",
)
_PLIES: Final = Counted("{n} ply", "{n} plies")
_DRAWS: Final = Counted("{n} draw recomputed", "{n} draws recomputed")


@app.command(epilog="Example: pbem verify *.pbem.yaml --key kahuna-7.desk.yaml")
def verify(log: LogFiles, key: KeyFile = None, json: Json = False) -> None:
    """Check logs from top to bottom, as far as the keys allow."""
    from pbem.files.processors import spread
    from pbem.files.timestamp import now
    from pbem.log.doubts import DRAWN_OTHERWISE, GRAVE

    reports = []
    for report, lines in spread(partial(_verified, keys(key), now()), _logs(log), _MANY):
        reports.append(report)
        for line in () if json else lines:
            print(line)
    bad = any(report["problems"] for report in reports)
    if json:
        print_json({"ok": not bad, "logs": reports})
    if bad:
        sys.exit(65)
    doubts = {word for report in reports for word in report["doubts"]}
    if not GRAVE.isdisjoint(doubts):
        sys.exit(3)
    if DRAWN_OTHERWISE in doubts:
        sys.exit(4)


def _verified(keyring: "Keyring", now: str, path: str) -> tuple[dict[str, Any], list[str]]:
    """What was found in a log, for programs and for people."""
    from pbem.log import audit
    from pbem.matches.index import is_club

    if os.path.basename(path) == "club.pbem.yaml" and is_club(path):
        return _recounted(path)
    try:
        found = audit.audit(path, keyring, now)
    except Problem as unreadable:
        found = audit.Findings((unreadable,))
    counts = {"plies": found.plies, "judged": found.judged, "drawn": found.drawn}
    notices = [notice.text(found.names) for notice in found.notices]
    problems = [shown(problem) for problem in found.problems]
    lines = [str(problem) for problem in found.problems]
    if not found.problems:
        plies, drawn = say(_PLIES, n=found.plies), say(_DRAWS, n=found.drawn)
        whole = _WHOLE if found.draws else _NO_DRAWS
        lines = [str(say(whole, path=path, plies=plies, judged=found.judged, draws=drawn))]
    doubts = list(dict.fromkeys(doubt.word for doubt in found.doubts))
    report = {"log": path, **counts, "problems": problems, "doubts": doubts, "notices": notices}
    return report, lines + [f"  {notice}" for notice in notices]


def _logs(given: list[str]) -> list[str]:
    """The logs that are meant; of a folder, all that lie there."""
    from pbem.matches.index import CLUB, is_club, logs_in

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
    problems = [shown(problem) for problem in found.problems]
    notices = [notice.text() for notice in found.notices]
    counts = {"plies": 0, "judged": 0, "drawn": found.lots, "entries": found.entries}
    lines = [str(problem) for problem in found.problems]
    if not lines:
        lines = [str(say(_CLUB, path=path, n=found.entries, lots=found.lots))]
    report = {"log": path, **counts, "problems": problems, "doubts": [], "notices": notices}
    return report, lines + [f"  {notice}" for notice in notices]


@app.command(cls=OfMatch, epilog="Example: pbem reveal kahuna-7.pbem.yaml")
def reveal(
    log: LogFile,
    format: Format = "text",
    short: Short = None,
    told: Told = False,
    json: Json = False,
) -> None:
    """Publish the secret of a finished match, for all to check."""
    from pbem.log.rulings import Reveal

    check_format(format)
    _rule(log, Reveal, {}, "", json, format, told=told, short=short)


@app.command(
    cls=asked.OfRulings,
    epilog="Examples: pbem rule LOG takeback --to 12 --reason 'misread, agreed' · "
    "pbem rule LOG default --seat white --move pass --reason 'deadline passed' · "
    "pbem rule LOG extend --seat white --by 2 · "
    "pbem rule LOG away --seat white --from 2026-12-20 --to 2027-01-05 · "
    "pbem rule LOG clock --turn 5 --closed sat,sun",
)
def rule(
    ctx: typer.Context,
    log: LogFile,
    kind: Annotated[str, typer.Argument(metavar="KIND", help="Which ruling.")],
    reason: Annotated[str, takes("TEXT", "Why; it stands in the log.")] = "",
    letters: Letters = None,
    all_letters: AllLetters = False,
    format: Format = "text",
    short: Short = None,
    told: Told = False,
    dry: Annotated[bool, flag("--dry", "Say what it would do, and do nothing.")] = False,
    json: Json = False,
) -> None:
    """Append a ruling of the moderator; nothing is deleted."""
    check_format(format)
    ruling, given = asked.ruling(ctx), asked.given(ctx)
    assert ruling is not None
    for option in ruling.options or ():
        if option.needed and given[option.name] is None:
            raise Usage("the ruling {kind} needs --{name}", kind=kind, name=option.name)
    if dry:
        _dry(log, ruling, given, reason, json, letters)
        return
    if ruling.owes_reason and not reason:
        raise Usage("the ruling {kind} needs a --reason: it stands in the log for good", kind=kind)
    _rule(log, ruling, given, reason, json, format, letters, all_letters, told=told, short=short)


def _dry(
    log: str,
    kind: "type[Ruling]",
    given: dict[str, Any],
    reason: str,
    json: bool,
    letters: str | None,
) -> None:
    """Say what a ruling would do: the plies it strikes, what was drawn since, who will be told.
    What chance would draw next is not told: nobody may know that in advance."""
    from pbem.core import CHANCE, NOBODY
    from pbem.desk.bench import Circumstances
    from pbem.desk.give import give
    from pbem.files.timestamp import now as clock
    from pbem.log.entries import Ply
    from pbem.log.ruling import called
    from pbem.report import compose

    here = Circumstances(clock, compose.rehearse, imagined=True)
    known = {**given, "revealed": True} if "revealed" in given else given
    why = reason or ("..." if kind.owes_reason else "")
    try:
        done = give(log, kind, here, known, reason=why)
    except Refused:
        if letters is None:
            raise
        raise NotNow("this move can't be played; the reason may tell of the seat's hand") from None
    before, after, desk = done.before, done.now, done.desk
    stands = {ply.number for ply in after.log.live}
    stood = {ply.number for ply in before.log.live}
    struck = [ply for ply in before.log.live if ply.number not in stands]
    again = [ply for ply in before.log.plies if ply.number in stands - stood]
    new = after.log.entries[len(before.log.entries) :]
    drawn = [ply for ply in struck if ply.seat == CHANCE]
    told = [seat for seat in after.setup.seats if seat not in after.vacant]
    if json:
        data = {"ruling": called(kind), "strikes": [ply.number for ply in struck]}
        data["restores"] = [ply.number for ply in again]
        data["drawn"] = [{"ply": ply.number, "move": ply.move} for ply in drawn]
        print_json({"ok": True, "dry": True, "match": before.name, **data, "told": told})
        return
    names = compose.names(after)
    print(say("A dry run: nothing is written, and nobody is told."))
    for entry in new:
        if not isinstance(entry, Ply):
            print(entry.sentence.text(names))
        elif entry.seat not in NOBODY:
            print(say("Played for {seat:seat}: {move}", **_of(entry)).text(names))
    for ply in struck:
        print(say("Struck: #{ply} {seat:seat}: {move}", **_of(ply)).text(names))
    for ply in again:
        print(say("Stands again: #{ply} {seat:seat}: {move}", **_of(ply)).text(names))
    for ply in drawn:
        print(say("Drawn, and known to somebody: #{ply} {move}", **_of(ply)))
    if drawn and given.get("revealed") is False:
        print(say("It takes --revealed, because cards were drawn since."))
    print(say("{told:seats} will be told.", told=told).text(names))
    if desk.observers:
        watch = Counted("So will {n} observer.", "So will {n} observers.")
        print(say(watch, n=len(desk.observers)))


def _of(ply: "Ply") -> dict[str, Any]:
    return {"ply": ply.number, "seat": ply.seat, "move": ply.move}


def _without_reason(log: str, letters: str, refused: Refused) -> Problem:
    """The refusal of a move for a silent seat, for a moderator who plays: the reason may give away
    the seat's hand, so it is put among the letters."""
    path = Private(letters=letters).put(f"{os.path.basename(log)}-refused.txt", f"{refused}\n")
    return NotNow(
        "this move can't be played; the reason, which may tell of the seat's hand, is in {file}",
        file=path,
    )


def _rule(
    log: str,
    kind: "type[Ruling]",
    given: dict[str, Any],
    reason: str,
    json: bool,
    format: str = "text",
    letters: str | None = None,
    all_letters: bool = False,
    *,
    told: bool = False,
    short: bool | None = None,
) -> None:
    from pbem.desk.bench import Circumstances
    from pbem.desk.file import Desk
    from pbem.desk.give import give
    from pbem.files.timestamp import now
    from pbem.log.ruling import called
    from pbem.log.rulings import Substitute
    from pbem.report import compose
    from pbem.report.owed import alone

    if all_letters and not letters:
        raise Usage("--all-letters says which letters: where they go, --letters DIR says")
    make_ready(letters=letters)
    desk_then = Desk.read(log) if letters else None
    try:
        here = Circumstances(now, compose.rehearse)
        done = give(log, kind, here, given, reason=reason)
    except Refused as refused:
        if letters is None:
            raise
        raise _without_reason(log, letters, refused) from None
    before, after, desk = done.before, done.now, done.desk
    known = len(before.log.entries)
    with after_commit(log):
        if told:
            from pbem.mailroom.daybook import all_know_by_hand

            all_know_by_hand(after, desk, len(after.log.entries))
        asked = compose.brief(short, desk)
        post = compose.news_post(after, known, format, brief=asked)
        comes = given["seat"] if kind is Substitute else None
        owed = alone(before, after, (desk_then, desk)) if desk_then else {}
        readers = Readers(desk)
        written = {
            seat: readers.news(
                after,
                seat,
                partial(_letter, after, seat, known, readers.desk or desk, comes=seat == comes),
                format,
            )
            for seat in after.setup.seats
            if seat in owed or all_letters or seat == comes
        }
        files = write_letters(letters, after, written) if letters else {}
        if json:
            data = {"ok": True, **standing(after), "ruling": called(kind), "post": post}
            if letters:
                data["letters"] = files
                data["owed"] = {seat: str(why) for seat, why in owed.items()}
            elif comes:
                data["letter"] = written[comes]
            print_json(data)
            return
        print(post, end="")
        if letters:
            for told_to in which_to_send(files, owed, len(after.setup.seats)):
                complain(say("pbem: {told}", told=told_to))
        else:
            for seat, text in written.items():
                print(say(LETTER, seat=seat, text=text), end="")


def _letter(now: "Match", seat: str, known: int, desk: "Desk", *, comes: bool) -> "Report":
    """The letter to a seat; a player who `comes` new is told all so far, and how it is played."""
    from pbem.report import compose

    if not comes:
        return compose.bare_of_remarks(compose.letter(now, seat, known, desk=desk), now, known)
    opening, notes = compose.opening(now, desk.contact), compose.proof(now)
    return compose.letter(now, seat, 0, key=True, opening=opening, notes=notes, desk=desk)
