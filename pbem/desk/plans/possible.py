"""Could a plan ever be played? One that could not is refused when it is sent: nobody is there to be
asked when its time has come.
"""

from __future__ import annotations

from collections.abc import Iterable

from pbem.core import HIDDEN, MOVER, Move, Unreadable, slots
from pbem.desk.plans import patterns
from pbem.desk.plans.patterns import ANY
from pbem.desk.plans.sense import ReadPlan, kinds_of, nearest, written
from pbem.desk.plans.unsealing import opens, stay_sealed
from pbem.desk.plans.until import PARTS, is_past, part_at, parts_of
from pbem.log.match import Match
from pbem.sentence import say


def require_possible(now: Match, plan: ReadPlan, today: str) -> None:
    """Raises Refused for a plan that can never be played."""
    until, kinds = plan.draft.until, kinds_of(now)
    if until in PARTS and until not in parts_of(now):
        raise Unreadable(until, "{game} has no such part: {part}", game=now.game.TITLE, part=until)
    if is_past(now, until, part_at(now, until), today):
        if not until.startswith("#"):
            raise Unreadable(until, "{until} is past", until=until)
        raise Unreadable(
            until, "{until} is past; the match is at {now}", until=until, now=now.position
        )
    if plan.draft.kind == "always":
        kind, *about = plan.draft.about.split()
        _require_subjects(now, kind, about)
        for order in plan.choice.orders:
            said = "; ".join(written(now, move) for move in order)
            if len(order) > 1:
                raise Unreadable(said, "A standing answer is one move; this is {n}", n=len(order))
            if kinds and type(order[0].move) not in kinds[kind]:
                raise Unreadable(said, "{said!r} never answers {kind}", said=said, kind=kind)
        return
    players = {answer for answers in kinds.values() for answer in answers}
    for order in plan.choice.orders:
        if players and type(order[0].move) not in players:
            said = written(now, order[0])
            raise Unreadable(said, "Chance plays {said!r}, not you", said=said)
    if plan.draft.kind == "if":
        _require_a_pattern(now, plan, players)


def _require_subjects(now: Match, kind: str, about: Iterable[str]) -> None:
    """Raises Unreadable for a word that no question can be about: no seat, number or value of the
    game."""
    classes = (*now.game.MOVES, *now.game.EVENTS)
    known = {str(value) for each in classes for slot in slots(each) for value in slot.of.values}
    known |= {str(value) for each in now.pending for value in each.about.values()}
    known |= set(now.setup.seats)
    plain = {word.casefold() for word in known}
    for word in about:
        if not (word.isdecimal() or word.casefold() in plain):
            raise Unreadable(
                word,
                "No {kind} is ever about {word!r}",
                advice=nearest(word, known)
                or say("Leave it out, or write {seats:any}", seats=now.setup.seats),
                kind=kind,
                word=word[:60],
            )


def _require_a_pattern(now: Match, plan: ReadPlan, players: set[type[Move]]) -> None:
    """Raises Unreadable for a move nobody will ever be seen to play."""
    said, awaits, shut = plan.draft.pattern, plan.awaits, stay_sealed(now)
    if HIDDEN in said:
        raise Unreadable(said, "What you see as {hidden} never counts as a move", hidden=HIDDEN)
    if plan.draft.opened:
        if not plan.may_wait_for(now, shut) or not opens(now):
            raise Unreadable(
                said,
                "{said!r} is never sealed and opened later",
                advice=say("Write `plays` in place of `opens`"),
                said=said,
            )
        return
    never = bool(players) and not plan.may_wait_for(now, players - shut)
    if (awaits and type(awaits.move) in shut) or (never and shut and awaits is None):
        raise Unreadable(
            said,
            "No plan can wait for {said!r}: orders stay sealed until all are opened",
            said=said,
        )
    if never and awaits:
        raise Unreadable(said, "Chance plays {said!r}, not a player", said=said)
    if never:
        texts = (text for kind in players for text in patterns.samples(now, kind))
        heads = {word for text in texts for word in text.split()[:1]}
        words = sorted(word for word in heads if len(word) > 1 and word.isalpha())
        advice = nearest(said.split()[0], words)
        if words and not advice:
            advice = say("Moves have words like {words:any}", words=words[:12])
        raise Unreadable(said, "No move is ever written like {said!r}", advice=advice, said=said)
    for slot in slots(type(awaits.move)) if awaits else ():
        if awaits and slot.secret == MOVER and slot.name not in awaits.blanks:
            verb, _, rest = said.partition(" ")
            raise Unreadable(
                said,
                "You never see {rest!r} of {said!r}",
                advice=say("Write `{verb} {any}`", verb=verb, any=ANY),
                rest=rest,
                said=said,
            )
