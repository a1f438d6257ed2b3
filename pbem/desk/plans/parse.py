"""Reading a plan in a match: when it is sent, and again whenever its time may have come."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from pbem.core import Ambiguous, Pattern, Refused, Seat, Unreadable
from pbem.desk.plans import triggers
from pbem.desk.plans.model import Plan
from pbem.intake import plan as syntax
from pbem.intake.plan import Draft
from pbem.log.match import Replay
from pbem.meaning.patterns import patterns, seated
from pbem.play.judge import Choice
from pbem.sentence import say

_LITTLE: Final = frozenset("at to of on for with about after the von bei zu nach mit".split())


class Understood(NamedTuple):
    """What waits, as a match understands it: what brings it up, and what is played then."""

    trigger: triggers.Trigger
    order: tuple[Pattern | Choice, ...]


# ------------------------------------------------------------------------------ on arrival


def played(match: Replay, line: str) -> Sequence[Pattern | Choice]:
    """What a line of an order plays: moves, or alternatives. Raises Unreadable."""
    orders = syntax.alternatives(line)
    if len(orders) < 2:
        return _order(match, line)
    if len(line) > syntax.LONGEST:
        raise Unreadable(
            line[:80],
            "A line with alternatives has at most {most} characters; this one has {size}",
            most=syntax.LONGEST,
            size=len(line),
        )
    found = tuple(tuple(_order(match, order)) for order in orders)
    if any(len(moves) > order.count(";") + 1 for moves, order in zip(found, orders, strict=True)):
        # "BARI-ELAI or HUNA-ELAI, and take KAHU": what follows may belong to each.
        raise Unreadable(
            line,
            "It isn't clear what goes with which alternative",
            advice=say("Write one move on each line, or `or` between two to choose from"),
        )
    return [Choice(line, found)]


def filed(match: Replay, seat: Seat, line: str, today: str) -> Plan:
    """The plan in a line of a seat's message, not yet numbered. Raises Refused."""
    found, refused = dict[str, Draft](), list[Refused]()
    for draft in syntax.read(line):
        try:
            draft, trigger, choice = _read(match, seat, draft)
            triggers.require_to_come(match, draft.until, today)
            trigger.require_possible(match, choice)
            found[draft.text] = draft
        except Refused as refusal:
            refused.append(refusal)
    if len(found) > 1:
        raise Ambiguous(line, tuple(found))
    if not found:
        raise refused[0] if refused else Unreadable(line, "This plan lacks its order")
    [text] = found
    if len(text) > syntax.LONGEST:
        raise Unreadable(
            line[:80],
            "Written in full a plan has at most {most} characters; this one has {size}",
            advice=say("Write several plans, each on a line of its own"),
            most=syntax.LONGEST,
            size=len(text),
        )
    return Plan(
        seat, ((text,),), given=match.log.chain, ends=triggers.part_at(match, found[text].until)
    )


def understood(match: Replay, plan: Plan) -> Understood | None:
    """What waits, read again; None if it cannot be read now, say because a rule was mended."""
    if not plan.number:
        try:
            rest = (move for text in plan.moves for move in played(match, text))
            return Understood(triggers.SameTurn(), tuple(rest))
        except Refused:
            return None
    for draft in syntax.read(plan.text):
        try:
            _, trigger, choice = _read(match, plan.seat, draft)
        except Refused:
            continue
        return Understood(trigger, (choice,))
    return None


# ---------------------------------------------------------------------------------- its parts


def _read(match: Replay, seat: Seat, draft: Draft) -> tuple[Draft, triggers.Trigger, Choice]:
    """A draft as pbem writes it, with what brings it up and what it plays. Raises Refused."""
    orders = tuple(tuple(_order(match, order)) for order in draft.orders)
    texts = tuple("; ".join(triggers.written(match, move) for move in order) for order in orders)
    draft = draft._replace(orders=texts)
    trigger: triggers.Trigger
    if draft.kind == "always":
        kind, *about = _about(match, draft)
        trigger = triggers.Whenever(kind, tuple(about))
        until = draft.until or ("round" if "round" in triggers.parts_of(match) else "end")
        draft = draft._replace(about=" ".join((kind, *about)), until=until)
    elif draft.kind == "if":
        pattern, awaits = _awaited(match, draft.pattern)
        trigger = triggers.After(_who(match, seat, draft.who), pattern, awaits)
        draft = draft._replace(who=trigger.who, pattern=pattern)
    else:
        trigger = triggers.NextTurn(frozenset(type(order[0].move) for order in orders))
    return draft, trigger, Choice(draft.text, orders)


def _awaited(match: Replay, said: str) -> tuple[str, Pattern | None]:
    """The move a condition waits for, as it is written, and as the game reads it if it holds no
    `*`. Raises Refused."""
    if len(syntax.alternatives(said)) > 1:
        raise Unreadable(
            said,
            "A condition waits for one move, not for several",
            advice=say("Write a plan for each, on a line of its own, or `*` for any move"),
        )
    pattern = " ".join(seated(match, said).split())
    if triggers.ANY in pattern:
        return pattern, None
    awaits, *more = patterns(match, pattern)
    if more:
        raise Unreadable(said, "A condition waits for one move, not for several")
    return triggers.written(match, awaits), awaits


def _order(match: Replay, text: str) -> list[Pattern]:
    """The moves of an order in one line. Raises Unreadable."""
    found: list[Pattern] = []
    for move in filter(None, (piece.strip() for piece in text.split(";"))):
        found += patterns(match, move)
    if not found:
        raise Unreadable(text, "There is no move here")
    return found


def _who(match: Replay, seat: Seat, said: str) -> Seat:
    """The seat that is meant; "" for anyone. Raises Refused."""
    if not said:
        return ""
    called = {name: each for each, name in match.players.items()}
    known = {**called, **{each: each for each in match.setup.seats}}
    meant = {known[name] for name in _called(said, known)}
    if len(meant) > 1:
        raise Ambiguous(said, tuple(sorted(meant)))
    if not meant:
        raise Unreadable(
            said,
            "{said!r} plays no seat of this match",
            advice=say("Write {seats:any}, or anyone", seats=match.setup.seats),
            said=said[:60],
        )
    [who] = meant
    if who == seat:
        raise Unreadable(said, "A condition waits for somebody else's move, not for your own")
    return who


def _about(match: Replay, draft: Draft) -> list[str]:
    """The kind of question that a standing answer is for, and what about. Raises Refused."""
    word, *about = seated(match, draft.about).split()
    kinds = triggers.kinds_of(match)
    meant = _called(word, kinds)
    if len(meant) > 1:
        raise Ambiguous(word, tuple(meant))
    if not meant and kinds:
        raise Unreadable(
            draft.about,
            "Nobody is asked for {word!r} in {game}",
            advice=triggers.nearest(word, kinds) or say("Write one of {kinds:any}", kinds=[*kinds]),
            word=word[:60],
            game=match.game.TITLE,
        )
    about = [each for each in about if each.casefold() not in _LITTLE]
    return [*(meant or [word.casefold()]), *about]


def _called(said: str, known: Iterable[str]) -> list[str]:
    """The known names that are this one or, if none is, that begin with it."""
    plain = {each: each.casefold() for each in known}
    exact = [each for each, name in plain.items() if name == said.casefold()]
    return exact or [each for each, name in plain.items() if name.startswith(said.casefold())]
