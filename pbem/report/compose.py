"""From a match to what is posted about it: which facts go into a report, a letter, a refusal."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any, Final

from pbem.core import HOUSE, NOBODY, Decision, Event, Game, Move, Seat, Violation
from pbem.files.data import game_file
from pbem.files.languages import speaking
from pbem.log import private_press, questions, sealing
from pbem.log.entries import Entry, Ply
from pbem.log.entropy.gathering import HOW, begun_from, invitation, proven
from pbem.log.match import OpenPly, Replay
from pbem.log.rulings import Note, Option, Ruled, Substitute
from pbem.play import games, options
from pbem.play import judge as play
from pbem.report import facts, render, waiting
from pbem.report.escape import DIALECTS
from pbem.report.templates import folder_of
from pbem.sentence import Names, Sentence, of_data, say, timed

if TYPE_CHECKING:  # a command that only shows a match reads no message
    from pbem.desk.answer import Answer
    from pbem.desk.file import Desk
    from pbem.desk.plans.model import Plan
    from pbem.intake import Ignored, Submission
    from pbem.log.timetable import Timetable

MOST_MOVES: Final = 200
"""How many legal moves a letter lists."""

_LONG: Final = 240
"""How many characters of a ruling a short post tells."""

_MOST_WROTE: Final = 10_000
"""How many characters of a message are shown to its writer."""

MAILED: Final = ("text", "html")
"""The dialects of a mail's two parts."""


def news(plies: Sequence[OpenPly], struck: frozenset[int] = frozenset()) -> tuple[facts.News, ...]:
    """Plies as a report tells them."""
    return tuple(_news(ply, events, struck=ply.number in struck) for ply, events in plies)


def since(match: Replay, knows: int, *, whole: bool = False) -> tuple[facts.News | str, ...]:
    """What a reader who knows this many entries of the log has not been told: plies and rulings, in
    order, by the names of those who sat there at the time. Unless the `whole` match is told, plies
    that have been taken back are told without what followed, and what others have answered under
    seal is not told at all."""
    return tuple(news for _, news in told_of(match, knows, whole=whole))


def told_of(
    match: Replay, knows: int, *, whole: bool = False
) -> Iterator[tuple[Entry, facts.News | str]]:
    """The same, each with its entry."""
    quiet = {} if whole or match.keyring.secret else questions.news_for_one(match, knows)
    live = {ply.nth: (ply, events) for ply, events in match.plies if ply.nth >= knows}
    called = match.log.as_called()
    names = called.first(knows).names
    last = called.names
    for nth, entry in enumerate(called.entries[knows:], knows):
        if quiet.get(nth, "") not in ("", *match.keyring.seats) and isinstance(entry, Ply):
            continue
        if not isinstance(entry, Ply):
            if said := private_press.told(match.log, match.keyring, entry, whole=whole):
                yield entry, said.text(names)
            if isinstance(entry.ruling, Substitute):
                names = {**names, entry.ruling.seat: entry.ruling.name}
            continue
        seats = None if names == last else names
        if entry.nth in live:
            _, events = live[entry.nth]
        elif whole:
            events = sealing.events_of(match.log, match.game, match.keyring, entry)
        else:
            events = ()
        struck = entry.nth not in live
        yield entry, _news(entry, events, struck=struck, seats=seats)


def _news(ply: Ply, events: tuple[Event, ...], **more: Any) -> facts.News:
    return facts.News(ply.number, ply.seat, ply.move, events, on_word=ply.on_word, **more)


def known(match: Replay, ply: int) -> int:
    """How many entries of the log are known to somebody who was told of a ply when it was the
    newest entry (0: of none): what was said or ruled after it is news. Raises Usage."""
    match.log.until(ply)
    return next((each.nth + 1 for each in match.log.plies if each.number == ply), 0)


def known_before_last_turn(match: Replay) -> int:
    """How many entries are known to somebody who was told of every ply before the last turn, each
    when it was the newest entry."""
    turn = match.last_turn()
    before = (each.nth + 1 for each in match.log.plies if turn and each.nth < turn[0][0].nth)
    return max(before, default=0)


def report(
    match: Replay,
    news: Sequence[facts.News | str] = (),
    *,
    letters: Sequence[facts.SeatPart] = (),
    asked: str = "",
    notes: Sequence[str] = (),
    zone: str = "",
    answers: Sequence[Seat] | None = None,
    brief: facts.Brief | None = None,
) -> facts.Report:
    """Where the match stands, as far as its reader knows, and what is new to tell; times in this
    zone, or the match's. `asked` is what came of the reader's requests, `answers` are the seats
    they can answer for, any if None."""
    ply, fingerprint = match.position
    view = match.game.view(match.state)
    still = invitation(match.gathering) if match.gathering else None
    return facts.Report(
        game=match.game.NAME,
        title=match.game.TITLE,
        match=match.name,
        ply=ply,
        fingerprint=fingerprint,
        seats=match.players,
        news=tuple(news),
        view=view,
        picture=tuple(match.game.draw(view)),
        awaited=awaited(match) if letters or match.past else with_examples(match),
        result=result(match),
        past=match.past,
        until=until(match, zone, brief=brief is not None),
        letter=letters[0] if letters else None,
        also=tuple(letters[1:]),
        asked=tuple(asked.split("\n\n")) if asked else (),
        answers=tuple(
            seat
            for seat in (match.players if answers is None else answers)
            if seat not in match.vacant
        ),
        notes=(*notes, still.text(match.players)) if still else tuple(notes),
        folder=folder_of(match.game),
        brief=brief,
    )


def until(
    match: Replay, zone: str = "", *, brief: bool = False, times: Timetable | None = None
) -> tuple[str, ...]:
    """How long everybody who is next has, by these `times` or the match's own, if there is a clock,
    in this zone or the match's; and who has given up their seat. In `brief`, a seat that is asked
    alone is not named."""
    if match.past or match.outcome is not None:
        return ()
    gone = [seat for seat in match.awaited if seat in match.vacant]
    told = list[Sentence]()
    if gone and match.log.so_far().timing.seeks:
        told.append(say("A substitute is sought for {seats:seats}.", seats=gone))
    elif gone:
        told.append(say("The moderator decides for {seats:seats}.", seats=gone))
    if times := times or _times(match):
        told += times.sentences(zone, brief=brief)
    return tuple(sentence.text(names(match)) for sentence in told)


def until_briefly(match: Replay, zone: str = "") -> dict[Seat, tuple[str, str]]:
    """The same of each seat that is asked, in a few words, after its deadline in UTC ("" once that
    has passed): `until Thu 24 Sep, 20:00 CEST`."""
    times = _times(match)
    if times is None:
        return {}
    due = {each.seat: "" if each.noticed else each.due for each in times.deadlines}
    return {seat: (due[seat], brief.text()) for seat, brief in times.brief(zone).items()}


def _times(match: Replay) -> Timetable | None:
    """The timetable of a match that goes on; None if it has no clock."""
    if match.past or match.outcome is not None or match.log.clock is None:
        return None
    from pbem.log import deadlines

    return deadlines.of(match)


def marked(report: facts.Report, match: Replay) -> facts.Report:
    """The report with the view before its news, for a picture that marks what they changed; without
    it for somebody new to the board. `match` is as its reader knows it."""
    if report.opening:
        return report
    plies = (each.ply for each in report.news if isinstance(each, facts.News))
    first = min(plies, default=match.position.ply + 1)
    state = match.first
    for ply, events in match.plies:
        if ply.number < first:
            state = play.advance(match.game, state, events)
    return report._replace(earlier=match.game.view(state))


def awaited(match: Replay, pending: Sequence[Decision] | None = None) -> tuple[facts.Awaited, ...]:
    """Everybody whose move the match waits for, and what they are asked; or whoever these decisions
    are for, which may be `pending` after an order."""
    return tuple(
        facts.Awaited(
            decision.seat,
            decision.kind,
            decision.about,
            None if decision.default is None else match.game.notate(decision.default),
            decision.during,
        )
        for decision in (match.pending if pending is None else pending)
        if decision.awaited and decision.seat != HOUSE
    )


def with_examples(match: Replay) -> tuple[facts.Awaited, ...]:
    """The same, each with a move that answers it, if everybody can see one to be legal."""
    known = match.seen_by(None).state
    found = {decision.kind: example(match.game, known, decision) for decision in match.pending}
    return tuple(each._replace(example=found[each.kind]) for each in awaited(match))


def example(game: Game[Any], state: Any, decision: Decision) -> str:
    """A move that is legal for all that a state, as a spectator knows it, leaves open; not what
    silence means, and "" if there is none among the first few."""
    for move in islice(game.candidates(state, decision), _MOST_TRIED):
        with suppress(Violation):
            if move != decision.default and game.check(state, decision.seat, move):
                return game.notate(move)
    return ""


_MOST_TRIED: Final = 100
"""How many moves are tried for an example: in a whole turn there are thousands."""


def result(match: Replay) -> facts.Result | None:
    """How the match ended and the final table; None while it goes on."""
    end = match.outcome
    if end is None:
        return None
    scores = end.points
    best_first = sorted(
        match.setup.seats, key=lambda seat: (seat not in end.winners, -scores.get(seat, 0))
    )
    standings: list[facts.Standing] = []
    rank: tuple[bool, float] | None = None
    for nth, seat in enumerate(best_first, 1):
        before, rank = rank, (seat in end.winners, scores.get(seat, 0))
        # Who shares a victory shares the first place, whatever the score.
        shared = rank == before or (rank[0] and nth > 1)
        place = standings[-1].place if shared else nth
        standings.append(facts.Standing(place, seat, scores.get(seat)))
    return facts.Result(end.winners, end.why, rule(match, end.why).get("says"), tuple(standings))


def names(match: Replay) -> Names:
    """What the players are called in sentences about this match."""
    return {**render.called(match.players), **{seat: seat for seat in NOBODY}}


def opening(match: Replay, contact: str = "") -> facts.Opening:
    """How this match is played: its edition, and the options somebody has chosen."""
    header = match.log.header
    declared = game_file(match.game.DATA, "rulesets")
    about = declared.get("options", {})
    agreed = {each.option: match.setup.options[each.option] for each in match.log.rulings(Option)}
    chosen = tuple(
        facts.Chosen(
            name, options.typed(value), of_data(about[name]["says"]).text(), about[name]["rule"]
        )
        for name, value in {**header.options, **agreed}.items()
    )
    settings, press = match.log.so_far().timing.settings, private_press.kind(header)
    terms = [*settings.sentences()] if settings else []
    terms += [private_press.TERMS[press]] if press in private_press.TERMS else []
    commit = header.commit if games.draws(match.game) else ""
    edition = declared["rulesets"][match.setup.ruleset]
    title = of_data(edition.get("title", match.setup.ruleset)).text()
    return facts.Opening(title, chosen, commit, contact, _board_note(match), tuple(map(str, terms)))


def proof(match: Replay) -> tuple[str, ...]:
    """What the opening post says of how the cards are drawn, and what that proves."""
    header = match.log.header
    said = [*begun_from(header.position)] if header.position else []
    if games.draws(match.game):
        said += proven(header.dealer, match.log.so_far().gathered)
    return tuple(sentence.text(match.players) for sentence in said)


def _board_note(match: Replay) -> str:
    """What a board file, a game's own or one brought along, tells the players about itself."""
    board = match.setup.board
    if board is None and os.path.exists(os.path.join(match.game.DATA, "board.yaml")):
        board = game_file(match.game.DATA, "board")
    return of_data(str((board or {}).get("note", ""))).text()


def legal(match: Replay, seat: Seat) -> play.Moves:
    """The canonical texts of a seat's legal moves, as far as this reader knows and we count; none
    for a vacant seat, for which only the moderator plays."""
    if match.ending or seat in match.vacant:
        return play.Moves((), True)
    return play.legal_texts(match.game, match.state, seat, most=play.MOST_COUNTED)


def looks(match: Replay, seat: Seat | None, advice: Sentence) -> Sentence:
    """A game's advice on what its moves look like; if this seat may only play one or two kinds of
    move, with examples of these."""
    if "examples" not in advice.values or seat is None or seat not in match.awaited:
        return advice
    possible = islice(play.each_legal(match.game, match.state, seat), play.MOST_COUNTED)
    kinds: dict[type[Move], list[Move]] = {}
    for move in possible:
        kinds.setdefault(type(move), []).append(move)
    if not 1 <= len(kinds) <= FEW_KINDS:
        return advice
    some = [match.game.notate(move) for moves in kinds.values() for move in moves[:2]]
    return advice._replace(values={**advice.values, "examples": ", ".join(some)})


FEW_KINDS: Final = 2
"""At most this many kinds of legal move are shown in place of the game's own examples."""


def letter(
    match: Replay,
    seat: Seat,
    knows: int,
    *,
    also: Sequence[Seat] = (),
    key: bool = False,
    asked: str = "",
    notes: Sequence[str] = (),
    desk: Desk | None = None,
) -> facts.Report:
    """The private letter to a seat whose player knows this many entries of the log: what is new,
    its own knowledge, its moves. `also` are other seats of the same player, `asked` is what came of
    their requests; `desk` says what waits for the seat, and its time zone."""
    waits, zone = _from_desk(match, desk, seat)
    seats = (seat, *also)
    theirs = match.seen_by(*seats)
    letters = [_letter(theirs, each, key, waits) for each in seats]
    if match.gathering and any(each in match.gathering.missing for each in seats):
        notes = (*notes, HOW.text())
    made = report(
        theirs,
        since(theirs, knows),
        letters=letters,
        asked=asked,
        notes=notes,
        zone=zone,
        answers=seats,
    )
    return made._replace(since=_since_when(match, knows, zone))


def answered(letter: facts.Report, answer: Answer | None) -> facts.Report:
    """A letter that also says what came of the reader's order, if there is one."""
    if answer is None:
        return letter
    doubt = answer.writer.doubt
    notes = (*letter.notes, f"{doubt}.") if doubt else letter.notes
    return letter._replace(receipt=_receipt(answer), notes=notes, since="")


def _since_when(match: Replay, knows: int, zone: str) -> str:
    """From when on a letter to somebody who knows this many entries tells, "" for the beginning."""
    if not knows:
        return ""
    known_to_them, zone = match.log.first(knows), zone or (match.log.clock or {}).get("zone", "")
    at = known_to_them.entries[-1].at
    ply = max((entry.number for entry in known_to_them.live), default=0)
    when = timed(at)
    if zone:
        from pbem.log.clock import briefly

        when = briefly(at, zone)
    return say("Since no. {ply}, {when}:", ply=ply, when=when).text()


def _from_desk(match: Replay, desk: Desk | None, seat: Seat) -> tuple[Sequence[Plan], str]:
    """What the desk file adds to a letter to a seat: what waits for it, and its time zone."""
    if desk is None:
        return (), ""
    zone = desk.zones.get(seat, "")
    if not desk.waits:  # as usual: then the code for plans need not be loaded
        return (), zone
    from pbem.desk.plans.run import waiting_now

    return waiting_now(match, desk).plans, zone


def _letter(theirs: Replay, seat: Seat, key: bool, waits: Sequence[Plan]) -> facts.SeatPart:
    """What only a seat is told, out of what its player knows."""
    own = theirs.keyring.only(seat).write() if key else ""
    unlocks = "cards" if games.draws(theirs.game) else "moves"
    unlocks = unlocks if games.hides(theirs.game) else ""
    texts, complete = legal(theirs, seat)
    texts = tuple(sorted(texts, key=str.isalpha))  # what names nothing, such as to pass, is last
    return facts.SeatPart(
        seat,
        texts[:MOST_MOVES],
        own or None,
        len(texts[MOST_MOVES:]),
        not complete,
        plans_of(theirs, waits, seat),
        waiting.offers(theirs, seat, waits),
        unlocks,
        seat in theirs.asked and seat not in theirs.awaited,
    )


def not_played(answer: Answer, seat: Seat) -> Iterator[Sentence]:
    """What a seat is told about moves that it sent early and that are not played."""
    for each in answer.not_played:
        if each.seat == seat:
            yield say(
                '"{text}", which you sent early, is not played: {why}', text=each.text, why=each.why
            )


def plans_of(
    match: Replay, waits: Sequence[Plan], seat: Seat | None
) -> tuple[tuple[int, str], ...]:
    """The plans of a seat as its letters list them: numbers and lines."""
    return tuple((n, told.text(match.players)) for n, told in waiting.shown(waits, seat))


def public(
    match: Replay,
    knows: int,
    notes: Sequence[str] = (),
    *,
    opening: facts.Opening | None = None,
    answers: Sequence[Seat] | None = None,
    brief: facts.Brief | None = None,
) -> facts.Report:
    """The post for everybody who knows this many entries of the log; `answers` as in `report`,
    `brief` if it is to be short."""
    open_to_all = match.seen_by(None)
    told_since = since(open_to_all, knows)
    if brief:
        told_since = tuple(
            f"{each[:_LONG]}..." if isinstance(each, str) and len(each) > _LONG else each
            for each in told_since
        )
    made = report(open_to_all, told_since, notes=notes, answers=answers, brief=brief)
    return made._replace(opening=opening)


def bare(match: Replay, knows: int, seats: Collection[Seat] = (), *, short: bool = False) -> str:
    """Why news comes without the board for somebody who knows this many entries, "" if it comes
    with it: remarks, which change nothing, are the only news; or its reader wants it `short`, but
    on the turn of these seats."""
    new = match.log.entries[knows:]
    if new and all(isinstance(e, Ruled) and isinstance(e.ruling, Note) for e in new):
        return _AS_IT_WAS.text()
    asked = match.outcome is not None or not set(seats).isdisjoint(match.awaited)
    return _ON_REQUEST.text() if short and not asked else ""


_AS_IT_WAS: Final = say("The board is as it was.")
_ON_REQUEST: Final = say("A mail with the one word board brings the board.")


def brief(short: bool | None, desk: Desk | None, picture: str | None = None) -> facts.Brief | None:
    """How short a post is: a Brief, or None if it is whole. If `short` is None, it is as the match
    has it; the board may be in a `picture` that goes with it."""
    if short is None:
        short = desk is not None and desk.short
    if not short:
        return None
    return facts.Brief(desk.page if desk else "", os.path.basename(picture or ""))


def post(
    match: Replay,
    desk: Desk | None,
    dialect: str,
    *,
    since: int | None = None,
    width: int | None = None,
    short: bool | None = None,
    pages: Callable[[], Iterable[tuple[str, str]]] = tuple,
    languages: Sequence[str] = (),
) -> str:
    """The public post as `pbem post` prints it: what is new since a ply or, by default, the last
    turn; with links to `pages`; in these languages, or those of the match. Raises Usage."""
    knows = known_before_last_turn(match) if since is None else known(match, since)
    return posted(
        lambda: public(match, knows, brief=brief(short, desk))._replace(pages=tuple(pages())),
        dialect,
        languages or match.log.languages,
        width,
    )


def told(
    match: Replay, news: Sequence[Sentence], times: Timetable, dialect: str, desk: Desk
) -> str:
    """A short post of what no log entry tells, such as that a turn ends soon, in the languages of
    the match; `times` are its deadlines at this moment."""

    def made() -> facts.Report:
        lines = tuple(each.text(names(match)) for each in news)
        made = report(match.seen_by(None), lines, brief=brief(True, desk))
        return made._replace(until=until(match, brief=True, times=times))

    return posted(made, dialect, match.log.languages)


def _receipt(answer: Answer) -> facts.Receipt:
    """What came of the order in a message that was accepted."""
    said, seat, names = answer.submission, answer.seat, answer.after.players
    return facts.Receipt(
        said=wrote(said),
        understood=tuple(answer.before.game.notate(step.move) for step in answer.steps),
        ignored=tuple(ignored(said.ignored)),
        not_played=tuple(
            (each.text, each.why.text(names)) for each in answer.not_played if each.seat == seat
        ),
        plans=plans_of(answer.after, answer.waits, seat),
        at_once=tuple(
            (each.plan.number, "; ".join(answer.before.game.notate(s.move) for s in each.steps))
            for each in answer.played
            if each.plan.seat == seat and each.plan.number
        ),
        kept=answer.after.log.live == answer.before.log.live,
        told=answer.message,
        passed=next((e.text for e in answer.not_played if e.passed and e.seat == seat), ""),
    )


def wrote(said: Submission) -> str:
    """What somebody wrote, as it is shown back to them: "yes", and not the order it stands for."""
    body = ["", *said.body.split("\n")]
    lines = ((n, text, body[n].strip() if 0 < n < len(body) else text) for n, text in said.orders)
    shown = dict.fromkeys((n, text if text in line else line) for n, text, line in lines)
    return shortened("\n".join(text for _, text in shown))


def shortened(text: str) -> str:
    """A text from outside, cut off if it is very long."""
    return text if len(text) <= _MOST_WROTE else f"{text[:_MOST_WROTE]}…"


def ignored(lines: Sequence[Ignored]) -> Iterator[tuple[str, int, str, int]]:
    """What was ignored; a run of lines is told by its first, for a quoted post has a hundred."""
    for _, run in groupby(lines, lambda ignored: ignored.why):
        first, *more = run
        yield shortened(first.text), first.line, first.told.text(), len(more)


def rule(match: Replay, rule: str | None) -> dict[str, Any]:
    """What the rulebook says of a rule; {} if it has none of that name."""
    if rule is None:
        return {}
    for known in game_file(match.game.DATA, "rules"):
        if known["id"] == rule:
            return {**known, "says": of_data(known["says"]).text()}
    return {}


def rules(game: Game[Any]) -> dict[str, str]:
    """What the rulebook of a game says, by the ids of its rules."""
    return {rule["id"]: of_data(rule["says"]).text() for rule in game_file(game.DATA, "rules")}


def text(report: facts.Report, dialect: str, width: int | None = None, to: str = "") -> str:
    """The report as it is posted; plain text in this many columns, or in those of a mail. In HTML,
    the moves of a letter are links that open a mail to the address `to`."""
    columns = facts.WIDTH if width is None else width
    if dialect != "html" and columns >= facts.WIDTH:
        return render.report(report, dialect)
    from pbem.report import html

    if dialect == "html":
        return html.page(report, to=to)
    return render.report(html.narrow(report, columns), dialect)


def posted(
    made: Callable[[], facts.Report],
    dialect: str,
    languages: Sequence[str],
    width: int | None = None,
    to: str = "",
) -> str:
    """A report in each of these languages, made anew in each, one below the other; only the first
    draws the board. HTML is a whole page, in the first language alone."""
    texts: list[str] = []
    for language in languages[:1] if dialect == "html" else languages:
        with speaking(language):
            report = made()
            if texts:
                report = report._replace(above=_ABOVE.text(), picture=())
            texts.append(text(report, dialect, width, to))
    return "\n".join(texts)


_ABOVE: Final = say("The board is above.")


def language(match: Replay, seat: Seat | None, desk: Desk | None) -> str:
    """The language a seat is written to in: its own, or the first of the posts."""
    own = desk.languages.get(seat, "") if desk and seat else ""
    return own or match.log.languages[0]


def rehearse(match: Replay, knows: int) -> None:
    """Compose what will be told to those who know this many entries of the log, without sending it.
    Raises Faulty.

    The words of the house's own games are known to be right; those of a package may not be.
    """
    if not folder_of(match.game):
        return
    posted = public(match, knows)
    for dialect in DIALECTS:
        text(posted, dialect)
    for seat in match.setup.seats:
        private = letter(match, seat, knows)
        for dialect in MAILED:
            text(private, dialect)
