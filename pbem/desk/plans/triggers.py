"""What brings up something that waits. Each trigger knows when its time has come and when that is
gone for good, and `require_possible` raises Unreadable if it can never come: that is said when it
is sent, for nobody can be asked about it later. And what the words of a plan mean in a match."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pbem.core import HIDDEN, MOVER, NOBODY, Move, Pattern, Seat, Unreadable, slots
from pbem.desk.plans.model import Plan
from pbem.log import questions, turns
from pbem.log.entries import Ply
from pbem.log.match import Replay
from pbem.meaning.patterns import seated
from pbem.play.judge import Choice
from pbem.problem import Usage
from pbem.sentence import Sentence, say

ANY: Final = "*"
"""What stands for anything."""
PARTS: Final = ("round", "trick")
"""The parts of a match with which a plan may end."""

_MOST_VALUES: Final = 200


def kinds_of(match: Replay) -> Mapping[str, tuple[type[Move], ...]]:
    """The kinds of question in a game, and the moves that answer each; {} if it does not say."""
    return getattr(match.game, "KINDS", {})


def written(match: Replay, pattern: Pattern) -> str:
    """A move in the notation of its game; one that leaves something open stays as it was said."""
    if pattern.is_open:
        return " ".join(seated(match, pattern.said).split())
    return match.game.notate(pattern.move)


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


def may_fit(match: Replay, kind: type[Move], said: str) -> bool:
    """Can a move of this class be written like this? Each word must be one that it can hold."""
    written = [_plain(text).split() for text in samples(match, kind)]
    wanted = [word for word in _plain(said).split() if ANY not in word]
    if not all(slot.of.values or slot.of.accepts(match.setup.seats[0]) for slot in slots(kind)):
        wanted = wanted[:1]  # its values cannot be listed
    return bool(written) and all(any(word in text for text in written) for word in wanted)


def samples(match: Replay, kind: type[Move]) -> Iterator[str]:
    """Moves of a class as everybody reads them, one for each value of each field up to a limit."""
    probes: tuple[Any, ...] = (*match.setup.seats, 1, True, ())
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
                yield match.game.notate(kind(*fields))
            except (LookupError, ValueError, TypeError):  # these values do not go together
                continue


def _plain(text: str) -> str:
    return " ".join(text.casefold().replace(":", " ").split())


# --------------------------------------------------------------------- until when it lasts


def parts_of(match: Replay) -> Mapping[str, int]:
    """The numbers of the present round and trick, if the game has them."""
    parts = getattr(match.game, "parts", None)
    return parts(match.state) if parts else {}


def part_at(match: Replay, until: str) -> str:
    """The present round or trick, if a plan lasts until its end; "" if it does not."""
    parts = parts_of(match)
    if until == "trick" and until in parts:
        return f"{parts.get('round', 0)}.{parts[until]}"
    return str(parts[until]) if until in parts else ""


def is_past(match: Replay, until: str, begun: str, at: str) -> bool:
    """Is the end of a plan past at this moment? `begun` is the part in which the plan was sent."""
    if until in PARTS:
        return part_at(match, until) != begun
    if until.startswith("#"):
        return match.position.ply >= int(until[1:])
    return until[:1].isdigit() and until < date_of(match, at)


def date_of(match: Replay, at: str) -> str:
    """The date at a moment in the zone of the match; in UTC if it has none, or an unknown one."""
    settings = match.log.so_far().timing.settings
    if not (settings and at):
        return at[:10]
    from pbem.log.clock import day_of

    try:
        return day_of(at, settings.zone).isoformat()
    except Usage:
        return at[:10]


def require_to_come(match: Replay, until: str, today: str) -> None:
    """Raises Unreadable if a plan that lasts until then is over today, or lasts for a part of the
    match that the game does not have."""
    if until in PARTS and until not in parts_of(match):
        raise Unreadable(
            until, "{game} has no such part: {part}", game=match.game.TITLE, part=until
        )
    if is_past(match, until, part_at(match, until), today):
        raise Unreadable(
            until, "{until} is past; the match is at {now}", until=until, now=match.position
        )


# ---------------------------------------------------------------------------- the triggers

Answers = Callable[[Ply], Collection[type[Move]]]
"""The classes of move that could have been played in place of a ply."""


def sent(match: Replay, plan: Plan) -> int:
    """How many entries there were when a plan was sent."""
    return match.log.ended_with(plan.given) or 0


def _players(match: Replay) -> set[type[Move]]:
    """The moves that players make, not chance; none if the game does not say."""
    return {answer for answers in kinds_of(match).values() for answer in answers}


class Trigger:
    """What brings up something that waits: the lower its `rank`, the sooner it is tried. Only a
    standing answer `stays` when it has been played, or cannot be."""

    rank = 1
    stays = False

    def due(self, match: Replay, plan: Plan, answers: Answers) -> bool | Sentence:
        """Has its time come, now that its seat is asked? A Sentence says why it never will."""
        return True

    def require_possible(self, match: Replay, choice: Choice) -> None:
        """Its orders must begin with a move of a player, not of chance."""
        players = _players(match)
        for order in choice.orders:
            if players and type(order[0].move) not in players:
                said = written(match, order[0])
                raise Unreadable(said, "Chance plays {said!r}, not you", said=said)


class SameTurn(Trigger):
    """The rest of an order comes up as soon as its seat is asked again."""

    rank = 0


@dataclass(frozen=True)
class NextTurn(Trigger):
    """`next: …` comes up with the next question that the moves with which it `begins` answer."""

    begins: frozenset[type[Move]]

    def due(self, match: Replay, plan: Plan, answers: Answers) -> bool | Sentence:
        """Is that what its seat is asked now?"""
        asked = [each for each in match.pending if each.seat == plan.seat]
        fitting = {each.kind for each in asked if self.begins.intersection(each.accepts)}
        return bool(fitting & (self.kinds(match, plan) or fitting))

    def kinds(self, match: Replay, plan: Plan) -> frozenset[str]:
        """The kinds of question it is for; none if the game does not say. If its first move answers
        several, then it is for those that its seat was asked when it was sent or, if it was asked
        nothing, the last time before."""
        kinds = frozenset(
            kind for kind, answers in kinds_of(match).items() if self.begins.intersection(answers)
        )
        if len(kinds) < 2:
            return kinds
        asked = frozenset[str]()
        for pending in turns.decisions(
            Replay.of(match.log.first(sent(match, plan)), match.keyring)
        ):
            own = (each.kind for each in pending if each.seat == plan.seat and each.awaited)
            asked = frozenset(own) or asked
        return kinds & asked or kinds


@dataclass(frozen=True)
class After(Trigger):
    """`if WHO plays MOVE: …` comes up if that is the latest move of others. `who` is "" for anyone;
    `awaits` is the move, if it can be read whole."""

    who: Seat
    pattern: str
    awaits: Pattern | None

    def due(self, match: Replay, plan: Plan, answers: Answers) -> bool | Sentence:
        """Was it played; or something else in its place?"""
        start = sent(match, plan)
        shut = questions.sealed_kinds(match)
        sealed = {match.game.notate(kind(*(HIDDEN for _ in slots(kind)))) for kind in shut}
        others = [
            ply
            for ply, _ in match.plies
            if ply.seat not in (*NOBODY, plan.seat) and ply.move not in sealed
        ]
        if others and self.is_for(match, others[-1].seat, others[-1].move):
            return True
        since = [ply for ply in others if ply.nth >= start and self.who in ("", ply.seat)]
        if not since or not self._may_be(match, answers(since[-1])):
            return False
        return say("{seat:seat} played {move} instead", seat=since[-1].seat, move=since[-1].move)

    def is_for(self, match: Replay, seat: Seat, move: str) -> bool:
        """Is this move of a seat, as everybody reads it, the one that is waited for?"""
        if self.who not in ("", seat):
            return False
        if self.awaits is None:
            return is_like(move, self.pattern)
        try:
            return self.awaits.fits(match.game.parse(move).move)
        except Unreadable:
            return False

    def _may_be(self, match: Replay, kinds: Iterable[type[Move]]) -> bool:
        """Can the move that is waited for be of one of these classes?"""
        if self.awaits is not None:
            return type(self.awaits.move) in kinds
        return any(may_fit(match, kind, self.pattern) for kind in kinds)

    def require_possible(self, match: Replay, choice: Choice) -> None:
        """Somebody must one day be seen to play the move."""
        super().require_possible(match, choice)
        players = _players(match)
        said, awaits, shut = self.pattern, self.awaits, questions.sealed_kinds(match)
        if HIDDEN in said:
            raise Unreadable(said, "What you see as {hidden} never counts as a move", hidden=HIDDEN)
        never = bool(players) and not self._may_be(match, players - shut)
        if (awaits and type(awaits.move) in shut) or (never and shut and awaits is None):
            raise Unreadable(
                said,
                "No plan can wait for {said!r}: orders stay sealed until all are opened",
                said=said,
            )
        if never and awaits:
            raise Unreadable(said, "Chance plays {said!r}, not a player", said=said)
        if never:
            texts = (text for kind in players for text in samples(match, kind))
            heads = {word for text in texts for word in text.split()[:1]}
            words = sorted(word for word in heads if len(word) > 1 and word.isalpha())
            advice = nearest(said.split()[0], words)
            if words and not advice:
                advice = say("Moves have words like {words:any}", words=words[:12])
            raise Unreadable(
                said, "No move is ever written like {said!r}", advice=advice, said=said
            )
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


@dataclass(frozen=True)
class Whenever(Trigger):
    """`always KIND: …` comes up with each question of this kind, about these things; it stays."""

    kind: str
    about: tuple[str, ...]
    rank = 2
    stays = True

    def due(self, match: Replay, plan: Plan, answers: Answers) -> bool | Sentence:
        """Is its seat asked such a question now?"""
        asked = {word.casefold() for word in self.about}
        return any(
            asked <= {each.during or "", *(str(v).casefold() for v in each.about.values())}
            for each in match.pending
            if (each.seat, each.kind) == (plan.seat, self.kind)
        )

    def require_possible(self, match: Replay, choice: Choice) -> None:
        """There must be such questions, and each order must be one move that answers them."""
        self._require_subjects(match)
        kinds = kinds_of(match)
        for order in choice.orders:
            said = "; ".join(written(match, move) for move in order)
            if len(order) > 1:
                raise Unreadable(said, "A standing answer is one move; this is {n}", n=len(order))
            if kinds and type(order[0].move) not in kinds[self.kind]:
                raise Unreadable(said, "{said!r} never answers {kind}", said=said, kind=self.kind)

    def _require_subjects(self, match: Replay) -> None:
        """No question can be about a word that is no seat, no number and no value of the game."""
        classes = (*match.game.MOVES, *match.game.EVENTS)
        known = {str(value) for each in classes for slot in slots(each) for value in slot.of.values}
        known |= {str(value) for each in match.pending for value in each.about.values()}
        known |= set(match.setup.seats)
        plain = {word.casefold() for word in known}
        for word in self.about:
            if not (word.isdecimal() or word.casefold() in plain):
                raise Unreadable(
                    word,
                    "No {kind} is ever about {word!r}",
                    advice=nearest(word, known)
                    or say("Leave it out, or write {seats:any}", seats=match.setup.seats),
                    kind=self.kind,
                    word=word[:60],
                )
