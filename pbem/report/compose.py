"""From a match to what is posted about it: which facts go into a report, a letter, a refusal."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any, Final

from pbem.core import Ambiguous, Game, Seat, Unreadable, Violation
from pbem.desk.submit import Answer
from pbem.files.data import game_file
from pbem.intake import Ignored
from pbem.log.match import Match, OpenPly
from pbem.play import judge as play
from pbem.report import render
from pbem.report.render import Awaited, Letter, News, Receipt, Refusal, Report

SeenBy = Callable[[Match, Seat | None], Match]
"""How the match as another reader knows it is come by: `match.seen_by`, or one that remembers."""

MOST_MOVES: Final = 200
"""How many legal moves a letter lists: a hand of many tiles allows for a hundred thousand."""


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
    opening: bool = False,
) -> Report:
    """Where the match stands, as far as its reader knows, and what is new to tell."""
    ply, fingerprint = now.position
    view = now.game.view(now.state)
    end = now.outcome
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
        outcome=None
        if end is None
        else {"winners": list(end.winners), "why": end.why, "scores": dict(end.scores)},
        letter=letter,
        refusal=refusal,
        receipt=receipt,
        notes=tuple(notes),
        commit=now.log.header.commit if opening else None,
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


def legal(now: Match, seat: Seat) -> tuple[str, ...]:
    """The canonical texts of what a seat may do, as far as this reader knows."""
    if now.ending:
        return ()
    moves = play.legal_moves(now.game, now.state, seat)
    return tuple(dict.fromkeys(sorted(map(now.game.notate, moves))))


def letter(
    now: Match,
    seat: Seat,
    told: Sequence[int],
    *,
    key: bool = False,
    notes: Sequence[str] = (),
    seen_by: SeenBy = Match.seen_by,
) -> Report:
    """The private letter to a seat: the plies of these numbers, its own knowledge, its moves."""
    theirs = seen_by(now, seat)
    plies = [t for t in theirs.plies if t[0].number in told]
    own = theirs.keyring.write() if key else None
    moves = legal(theirs, seat)
    listed = Letter(seat, moves[:MOST_MOVES], own, len(moves[MOST_MOVES:]))
    return report(theirs, plies, letter=listed, notes=notes)


def public(
    now: Match,
    told: Sequence[int],
    notes: Sequence[str] = (),
    *,
    opening: bool = False,
    seen_by: SeenBy = Match.seen_by,
) -> Report:
    """The post for everybody about the plies of these numbers."""
    open_to_all = seen_by(now, None)
    plies = [t for t in open_to_all.plies if t[0].number in told]
    return report(open_to_all, plies, notes=notes, opening=opening)


def receipt(answer: Answer, *, seen_by: SeenBy = Match.seen_by) -> Report:
    """The answer to a message whose order was taken: only its sender is to see it."""
    said, seat = answer.said, answer.seat
    told = Receipt(
        said="\n".join(line.text for line in said.orders) if said else "",
        understood=tuple(answer.before.game.notate(step.move) for step in answer.steps),
        ignored=tuple(_ignored(said.ignored)) if said else (),
        held=tuple(move for held in answer.held if held.seat == seat for move in held.moves),
        returned=tuple((text, why) for whose, text, why in answer.returned if whose == seat),
    )
    writer = answer.writer
    doubt = (f"You are known {writer.words}; that is not verified.",) if writer else ()
    notes = doubt if writer and not writer.proven else ()
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
    instead = reason.choices if isinstance(reason, Ambiguous) else ()
    if not instead and answer.seat is not None and answer.verdict == "refused":
        theirs = now
        if now.keyring.secret is not None and answer.seat in now.setup.seats:
            theirs = seen_by(now, answer.seat)
        instead = legal(theirs, answer.seat)
    refusal = Refusal(
        said="\n".join(line.text for line in said.orders) if said else "",
        understood=tuple(now.game.notate(step.move) for step in answer.steps),
        reason=reason.message if isinstance(reason, Violation) else answer.message or str(reason),
        rule=rule,
        rule_says=known.get("says"),
        source=_sources(now, known),
        unreadable=tuple(
            (t.line, t.text, t.error.message, t.error.hint)
            for t in answer.troubles
            if isinstance(t.error, Unreadable)
        ),
        instead=instead,
        ignored=tuple(_ignored(said.ignored)) if said else (),
    )
    told = now.since(_answered(answer)) if answer.verdict == "stale" else ()
    shown = seen_by(now, None)
    numbers = [ply.number for ply, _ in told]
    return report(shown, [t for t in shown.plies if t[0].number in numbers], refusal=refusal)


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
        outcome=None,
        refusal=refusal,
    )


def _ignored(lines: Sequence[Ignored]) -> Iterator[tuple[str, int, str]]:
    """What was left out, a run of lines told by its first: a quoted post has a hundred."""
    for why, run in groupby(lines, lambda ignored: ignored.why):
        first, *more = run
        below = f", with {len(more)} more below it" if more else ""
        yield first.text, first.line, why + below


def _answered(answer: Answer) -> int:
    """The oldest ply that a stale message answers."""
    named = [ply for ply, _ in answer.said.positions if ply is not None] if answer.said else []
    return min(named, default=answer.before.position[0])


def _rule(now: Match, rule: str | None) -> dict[str, Any]:
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
