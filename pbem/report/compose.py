"""From a match to what is posted about it: which facts go into a report, a letter, a refusal."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from pbem.core import CHANCE, Ambiguous, Game, Refused, Seat, Unreadable, Violation
from pbem.files.data import game_file
from pbem.intake import Ignored
from pbem.log.gathering import HOW, invitation
from pbem.log.match import Match, OpenPly
from pbem.play import judge as play
from pbem.report import render, waiting
from pbem.report.render import (
    Awaited,
    Letter,
    News,
    Opening,
    Receipt,
    Refusal,
    Report,
    Result,
    Standing,
)
from pbem.sentence import Names, Sentence, say

if TYPE_CHECKING:  # a command that only shows a match reads no message
    from pbem.desk.answer import Answer
    from pbem.desk.plans import Plan
    from pbem.intake import Ignored

SeenBy = Callable[[Match, Seat | None], Match]
"""How to get the match as another reader knows it: `match.seen_by`, or one that remembers."""

MOST_MOVES: Final = 200
"""How many legal moves a letter lists."""

MOST_INSTEAD: Final = 12
"""How many legal moves a refusal lists."""


def news(plies: Sequence[OpenPly], struck: frozenset[int] = frozenset()) -> tuple[News, ...]:
    """Plies as a report tells them."""
    return tuple(
        News(ply.number, ply.seat, ply.move, events, ply.number in struck) for ply, events in plies
    )


def report(
    now: Match,
    told: Sequence[OpenPly] = (),
    *,
    letter: Letter | None = None,
    refusal: Refusal | None = None,
    receipt: Receipt | None = None,
    notes: Sequence[str] = (),
    rulings: Sequence[str] = (),
    opening: Opening | None = None,
) -> Report:
    """Where the match stands, as far as its reader knows, and what is new to tell."""
    ply, fingerprint = now.position
    view = now.game.view(now.state)
    still = invitation(now.gathering) if now.gathering else None
    return Report(
        game=now.game.NAME,
        title=now.game.TITLE,
        match=now.name,
        ply=ply,
        fingerprint=fingerprint,
        seats=now.players,
        news=news(told),
        view=view,
        picture=tuple(now.game.draw(view)),
        awaited=awaited(now),
        result=result(now),
        past=now.past,
        rulings=tuple(rulings),
        letter=letter,
        refusal=refusal,
        receipt=receipt,
        notes=(*notes, still.text(now.players)) if still else tuple(notes),
        opening=opening,
        folder=templates_of(now),
    )


def templates_of(now: Match) -> str:
    """The folder of a game that brings its own templates; "" for the house's own games."""
    return own_templates(now.game)


def own_templates(game: Game[Any]) -> str:
    """The same, of a game of which no match is played."""
    folder = game.DATA
    return folder if os.path.isdir(os.path.join(folder, "templates")) else ""


def awaited(now: Match) -> tuple[Awaited, ...]:
    """Everybody who is asked, and for what."""
    return tuple(
        Awaited(
            decision.seat,
            decision.kind,
            decision.about,
            None if decision.default is None else now.game.notate(decision.default),
            decision.during,
        )
        for decision in now.pending
    )


def result(now: Match) -> Result | None:
    """How the match ended and the final table; None while it goes on."""
    end = now.outcome
    if end is None:
        return None
    scores = end.scores
    best_first = sorted(
        now.setup.seats, key=lambda seat: (seat not in end.winners, -scores.get(seat, 0))
    )
    standings: list[Standing] = []
    rank: tuple[bool, int] | None = None
    for nth, seat in enumerate(best_first, 1):
        before, rank = rank, (seat in end.winners, scores.get(seat, 0))
        # Who shares a victory shares the first place, whatever the score.
        shared = rank == before or (rank[0] and nth > 1)
        place = standings[-1].place if shared else nth
        standings.append(Standing(place, seat, scores.get(seat)))
    return Result(end.winners, end.why, _rule(now, end.why).get("says"), tuple(standings))


def names(now: Match) -> Names:
    """What the players are called in sentences about this match."""
    return {**render.called(now.players), CHANCE: CHANCE}


def opening(now: Match, contact: str = "") -> Opening:
    """How this match is played: its edition, and the options somebody has chosen."""
    rulesets = game_file(now.game.DATA, "rulesets")["rulesets"]
    edition = rulesets[now.setup.ruleset].get("title", now.setup.ruleset)
    chosen = tuple((name, _shown(value)) for name, value in now.log.header.options.items())
    header = now.log.header
    return Opening(str(edition), chosen, header.commit, contact, _board_note(now))


def _board_note(now: Match) -> str:
    """What a board file, a game's own or one brought along, tells the players about itself."""
    board = now.setup.board
    if board is None and os.path.exists(os.path.join(now.game.DATA, "board.yaml")):
        board = game_file(now.game.DATA, "board")
    note = (board or {}).get("note", "")
    return " ".join(str(note).split())


def _shown(value: Any) -> str:
    """The value of an option as somebody would type it."""
    match value:
        case bool():
            return str(value).lower()
        case dict():
            return ", ".join(f"{key}:{each}" for key, each in value.items())
        case list():
            return ", ".join(map(str, value))
    return str(value)


def legal(now: Match, seat: Seat) -> play.Moves:
    """The canonical texts of what a seat may do, as far as this reader knows and we count."""
    if now.ending:
        return play.Moves((), True)
    return play.legal_texts(now.game, now.state, seat, most=play.MOST_COUNTED)


def letter(
    now: Match,
    seat: Seat,
    told: Sequence[int],
    *,
    key: bool = False,
    notes: Sequence[str] = (),
    waits: Sequence[Plan] = (),
    seen_by: SeenBy = Match.seen_by,
) -> Report:
    """The private letter to a seat: the plies of these numbers, its own knowledge, its moves, and
    what of `waits` is its own."""
    theirs = seen_by(now, seat)
    plies = [t for t in theirs.plies if t[0].number in told]
    own = theirs.keyring.write() if key else None
    texts, complete = legal(theirs, seat)
    listed = Letter(
        seat,
        texts[:MOST_MOVES],
        own,
        len(texts[MOST_MOVES:]),
        not complete,
        plans_of(now, waits, seat),
        waiting.offers(theirs, seat, waits),
    )
    if now.gathering and seat in now.gathering.missing:
        notes = (*notes, HOW.text())
    return report(theirs, plies, letter=listed, notes=notes)


def not_played(answer: Answer, seat: Seat) -> Iterator[Sentence]:
    """What a seat is told of what it had sent early, and what is not played."""
    for each in answer.not_played:
        if each.seat == seat:
            yield say(
                '"{text}", which you sent early, is not played: {why}', text=each.text, why=each.why
            )


def plans_of(now: Match, waits: Sequence[Plan], seat: Seat | None) -> tuple[tuple[int, str], ...]:
    """The plans of a seat as its letters list them: numbers and lines."""
    return tuple(
        (each.number, each.sentence.text(now.players)) for each in waiting.shown(waits, seat)
    )


def public(
    now: Match,
    told: Sequence[int],
    notes: Sequence[str] = (),
    *,
    rulings: Sequence[str] = (),
    opening: Opening | None = None,
    seen_by: SeenBy = Match.seen_by,
) -> Report:
    """The post for everybody about the plies of these numbers."""
    open_to_all = seen_by(now, None)
    plies = [t for t in open_to_all.plies if t[0].number in told]
    return report(open_to_all, plies, notes=notes, rulings=rulings, opening=opening)


def receipt(answer: Answer, *, seen_by: SeenBy = Match.seen_by) -> Report:
    """The answer to a message whose order was accepted: only its sender is to see it."""
    said, seat, names = answer.said, answer.seat, answer.after.players
    told = Receipt(
        said="\n".join(line.text for line in said.orders),
        understood=tuple(answer.before.game.notate(step.move) for step in answer.steps),
        ignored=tuple(_ignored(said.ignored)),
        held=tuple(move for held in answer.held if held.seat == seat for move in held.moves),
        returned=tuple(
            (each.text, each.why.text(names)) for each in answer.not_played if each.seat == seat
        ),
        plans=plans_of(answer.after, answer.waits, seat),
        at_once=tuple(
            (each.plan.number, "; ".join(answer.before.game.notate(s.move) for s in each.steps))
            for each in answer.played
            if each.plan.seat == seat and each.plan.number
        ),
    )
    doubt = answer.writer.doubt if answer.writer else None
    notes = [f"{doubt}."] if doubt else []
    return report(seen_by(answer.after, None), receipt=told, notes=notes)


def rejection(answer: Answer, *, seen_by: SeenBy = Match.seen_by) -> Report:
    """The answer to a message that changed nothing: only its sender is to see it. Where nobody
    knows who that is, it says nothing about the match."""
    if answer.stranger:
        return _turned_away(answer.message)
    now, said = answer.before, answer.said
    reason = answer.reason
    rule = reason.rule if isinstance(reason, Violation) else None
    known = _rule(now, rule)
    instead = play.Moves((), True)
    # What an ambiguous text could mean stands in the reason.
    ambiguous = isinstance(reason, Ambiguous)
    if answer.seat is not None and answer.verdict == "refused" and not ambiguous:
        theirs = now
        if now.keyring.secret is not None and answer.seat in now.setup.seats:
            theirs = seen_by(now, answer.seat)
        instead = legal(theirs, answer.seat)
    called = names(now)
    refusal = Refusal(
        said="\n".join(line.text for line in said.orders),
        understood=tuple(now.game.notate(step.move) for step in answer.steps),
        reason=_why(answer, called),
        rule=rule,
        rule_says=known.get("says"),
        source=_sources(now, known),
        unreadable=tuple(
            (
                t.line,
                t.text,
                t.error.text(called),
                t.error.advice.text(called) if t.error.advice else "",
            )
            for t in answer.troubles
            if isinstance(t.error, Unreadable)
        ),
        instead=instead.texts[:MOST_INSTEAD],
        ignored=tuple(_ignored(said.ignored)),
        more=len(instead.texts[MOST_INSTEAD:]),
        uncounted=not instead.complete,
    )
    told = now.since(_answered(answer)) if answer.verdict == "stale" else ()
    shown = seen_by(now, None)
    numbers = [ply.number for ply, _ in told]
    return report(shown, [t for t in shown.plies if t[0].number in numbers], refusal=refusal)


def _why(answer: Answer, called: Names) -> str:
    """Why nothing was played, with these names for seats; the rule is told apart from it."""
    reason: Refused | None = answer.reason
    if answer.why is not None:
        return answer.why.text(called)
    return reason.sentence.text(called) if reason else ""


def _turned_away(why: str) -> Report:
    refusal = Refusal("", (), why, None, None, None, (), (), ())
    return Report(
        game="",
        title="",
        match="",
        ply=0,
        fingerprint="",
        seats={},
        news=(),
        view={},
        picture=(),
        awaited=(),
        result=None,
        refusal=refusal,
    )


def _ignored(lines: Sequence[Ignored]) -> Iterator[tuple[str, int, str, int]]:
    """What was left out, a run of lines told by its first: a quoted post has a hundred."""
    for why, run in groupby(lines, lambda ignored: ignored.why):
        first, *more = run
        yield first.text, first.line, why, len(more)


def _answered(answer: Answer) -> int:
    """The oldest ply that a stale message answers."""
    named = [ply for ply, _ in answer.said.positions if ply is not None]
    return min(named, default=answer.before.position[0])


def _rule(now: Match, rule: str | None) -> dict[str, Any]:
    """What the rulebook says of a rule; {} if it has none of that name."""
    if rule is None:
        return {}
    for known in game_file(now.game.DATA, "rules"):
        if known["id"] == rule:
            return dict(known)
    return {}


def _sources(now: Match, rule: dict[str, Any]) -> str | None:
    """Where a rule is printed: `Thames & Kosmos 2014, 2 Controlling Islands; …`."""
    titles = {
        name: about.get("title", name)
        for name, about in game_file(now.game.DATA, "rulesets")["rulesets"].items()
    }
    places = []
    for source in rule.get("from", ()):
        edition = titles.get(source["edition"], source["edition"])
        place = source.get("section") or source.get("page")
        places.append(f"{edition}, {place}" if place else str(edition))
    return "; ".join(places) or None


def text(report: Report, dialect: str) -> str:
    """The report as it is posted."""
    if dialect == "html":
        from pbem.report import html

        return html.page(report)
    return render.report(report, dialect)


def rehearse(before: Match, after: Match) -> None:
    """Write what is to be posted about the new plies, for nobody yet. Raises Faulty.

    The words of the house's own games are known to be right; those of a package may not be.
    """
    if not templates_of(after):
        return
    told = [ply.number for ply, _ in after.since(before.position.ply)]
    render.report(public(after, told), "text")
    for seat in after.setup.seats:
        render.report(letter(after, seat, told), "text")
