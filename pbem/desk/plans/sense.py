"""A plan as a match understands it: which question it answers, whose move it waits for, what it
plays, until when it lasts; and whether it could ever be played. One that could not is refused when
it is sent, for nobody can be asked about it when its time has come.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from pbem.core import HIDDEN, MOVER, Decision, Move, Pattern, Seat, Unreadable, slots
from pbem.intake.plan import Draft
from pbem.log.match import Match
from pbem.log.questions import opening_events, sealed_kinds
from pbem.meaning.patterns import seated
from pbem.play.judge import Choice
from pbem.problem import Usage
from pbem.sentence import Sentence, say

ANY: Final = "*"
"""What stands for anything."""
PARTS: Final = ("round", "trick")
"""The parts of a match with which a plan may end."""

_MOST_VALUES: Final = 200


class ReadPlan(NamedTuple):
    """A plan as a match understands it: how it is written, and what it plays."""

    draft: Draft
    choice: Choice
    awaits: Pattern | None = None

    @property
    def begins(self) -> set[type[Move]]:
        """The classes of move with which its orders begin."""
        return {type(order[0].move) for order in self.choice.orders}

    def answers(self, decision: Decision) -> bool:
        """Is this the question that a standing answer is for?"""
        kind, *about = self.draft.about.split()
        known = {str(value).casefold() for value in decision.about.values()}
        known.add(decision.during or "")
        return kind == decision.kind and all(word.casefold() in known for word in about)

    def waits_for(self, now: Match, seat: Seat, move: str) -> bool:
        """Is this move of a seat, as everybody reads it, the one that is waited for?"""
        if self.draft.who not in ("", seat):
            return False
        if self.awaits is None:
            return is_like(move, self.draft.pattern)
        try:
            return self.awaits.fits(now.game.parse(move).move)
        except Unreadable:
            return False

    def may_wait_for(self, now: Match, kinds: Iterable[type[Move]]) -> bool:
        """Can the move that is waited for be of one of these classes?"""
        if self.awaits is not None:
            return type(self.awaits.move) in kinds
        return any(may_fit(now, kind, self.draft.pattern) for kind in kinds)


def kinds_of(now: Match) -> Mapping[str, tuple[type[Move], ...]]:
    """The kinds of question in a game, and the moves that answer each; {} if it does not say."""
    return getattr(now.game, "KINDS", {})


def written(now: Match, pattern: Pattern) -> str:
    """A move in the notation of its game; one that leaves something open stays as it was said."""
    if pattern.is_open:
        return " ".join(seated(now, pattern.said).split())
    return now.game.notate(pattern.move)


def nearest(word: str, known: Iterable[str]) -> Sentence | None:
    from difflib import get_close_matches

    close = get_close_matches(word.casefold(), [*known], n=3, cutoff=0.6)
    return say("Did you mean {words:any}?", words=close) if close else None


# ----------------------------------------------------------------------- moves with blanks


def is_like(move: str, pattern: str) -> bool:
    """Does a move, as everybody reads it, fit a pattern in which each `*`, or row of them, stands
    for at least one character? Case makes no difference.

    Each part is looked for once, from the left, so that no pattern takes long.
    """
    said, *others = map(re.escape, re.split(r"\*+", _plain(pattern)))
    if others:
        *others, last = others
        said += "".join(f"(?>.+?{part})" for part in others) + f".+{last}"
    return re.fullmatch(said, _plain(move), re.DOTALL) is not None


def may_fit(now: Match, kind: type[Move], said: str) -> bool:
    """Can a move of this class be written like this? Each word must be one that it can hold."""
    written = [_plain(text).split() for text in samples(now, kind)]
    wanted = [word for word in _plain(said).split() if ANY not in word]
    if not all(slot.of.values or slot.of.accepts(now.setup.seats[0]) for slot in slots(kind)):
        wanted = wanted[:1]  # its values cannot be listed
    return bool(written) and all(any(word in text for text in written) for word in wanted)


def samples(now: Match, kind: type[Move]) -> Iterator[str]:
    """Moves of a class as everybody reads them, one for each value of each field up to a limit."""
    probes: tuple[Any, ...] = (*now.setup.seats, 1, True, ())
    values = [
        slot.of.values[:_MOST_VALUES] or tuple(filter(slot.of.accepts, probes))
        for slot in slots(kind)
    ]
    if not all(values):
        return
    first = [each[0] for each in values]
    for at, each in enumerate(values or [(None,)]):
        for value in each:
            fields = [*first[:at], value, *first[at + 1 :]] if first else []
            try:
                yield now.game.notate(kind(*fields))
            except (LookupError, ValueError, TypeError):  # these values do not go together
                continue


def _plain(text: str) -> str:
    return " ".join(text.casefold().replace(":", " ").split())


# --------------------------------------------------------------------- until when it lasts


def parts_of(now: Match) -> Mapping[str, int]:
    """The numbers of the present round and trick, if the game has them."""
    parts = getattr(now.game, "parts", None)
    return parts(now.state) if parts else {}


def part_at(now: Match, until: str) -> str:
    """The present round or trick, if a plan lasts until its end; "" if it does not."""
    parts = parts_of(now)
    if until == "trick" and until in parts:
        return f"{parts.get('round', 0)}.{parts[until]}"
    return str(parts[until]) if until in parts else ""


def is_past(now: Match, until: str, begun: str, at: str) -> bool:
    """Is the end of a plan past at this moment? `begun` is the part in which the plan was sent."""
    if until in PARTS:
        return part_at(now, until) != begun
    if until.startswith("#"):
        return now.position.ply >= int(until[1:])
    return until[:1].isdigit() and until < date_of(now, at)


def date_of(now: Match, at: str) -> str:
    """The date at a moment in the zone of the match; in UTC if it has none, or an unknown one."""
    settings = now.log.so_far().timing.settings
    if not (settings and at):
        return at[:10]
    from pbem.log.clock import day_of

    try:
        return day_of(at, settings.zone).isoformat()
    except Usage:
        return at[:10]


# ---------------------------------------------------------------- could it ever be played?


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
    """Raises Unreadable for a word that no question can be about, as it is no seat, no number and
    no value of the game."""
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
    """Raises Unreadable for a condition on a move that nobody will ever be seen to play."""
    said, awaits, shut = plan.draft.pattern, plan.awaits, sealed_kinds(now)
    if HIDDEN in said:
        raise Unreadable(said, "What you see as {hidden} never counts as a move", hidden=HIDDEN)
    if plan.draft.opened:
        if not plan.may_wait_for(now, shut) or not opening_events(now):
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
        texts = (text for kind in players for text in samples(now, kind))
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
