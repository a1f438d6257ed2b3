"""Playing what waits, after whatever is entered in a log: one plan at a time, in one fixed order.

Seats come in the order of the table, never in the order in which plans arrived. For each seat, the
rest of its order comes first, then what waits for a turn or for a move, then standing answers; of
each kind, the newest first.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from pbem.core import Move, Refused, Seat
from pbem.desk.answer import NotPlayed, PlanPlayed
from pbem.desk.append import Now, append_ply, play_chance
from pbem.desk.current import quiet_before, same_question
from pbem.desk.duplicates import is_from_plan, plan_source
from pbem.desk.file import Desk
from pbem.desk.plans import parse
from pbem.desk.plans.model import Plan, Waiting
from pbem.desk.plans.parse import Understood
from pbem.desk.plans.triggers import NextTurn, is_past, sent
from pbem.intake import Submission, asking
from pbem.intake.verbs import NO, YES
from pbem.log import bots
from pbem.log.entries import Ply
from pbem.log.match import Replay
from pbem.meaning import hints
from pbem.play import judge as play
from pbem.play.judge import Accepted, Step
from pbem.sentence import Sentence, say, to_keep

MOST_IN_A_RUN: Final = 50
"""How many plans are played in one run, at most."""


def may_play(match: Replay, seat: Seat) -> bool:
    """Does the game allow what waits for this seat to be played now?"""
    return not match.gathering and seat in match.awaited


def put_off(match: Replay, at: str) -> bool:
    """Does the clock hold back plans at this moment?

    With `plans: at_tick` they are played at the first tick after the last ply and not before, so
    that the time of a ply does not show that it was planned. The rest of an order is not held back.
    """
    if match.log.clock is None:
        return False
    from pbem.log import deadlines
    from pbem.log.clock import AT_TICK

    if match.log.so_far().timing.clock.plans != AT_TICK:
        return False
    times = deadlines.of(match)
    return times is None or not times.fires or at <= times.fires


def waiting_now(match: Replay, desk: Desk) -> Waiting:
    """What waits in a match as it stands.

    If the log has outgrown the desk file, say because an old copy was restored, the numbered plans
    of the latest state go on, except those that the log shows were played.
    """
    for each in desk.waits:
        if each.after == match.log.chain:
            return each
    ends = ((match.log.ended_with(each.after), each) for each in desk.waits)
    known = [(count, each) for count, each in ends if count is not None]
    if not known:
        return Waiting(match.log.chain)
    count, last = max(known, key=lambda each: each[0])
    since = [e for e in match.log.entries[count:] if isinstance(e, Ply)]
    kept = (
        plan
        for plan in last.kept
        if plan.number and not any(is_from_plan(match.log, desk, ply, plan) for ply in since)
    )
    return last._replace(after=match.log.chain, kept=tuple(kept))


def answering(
    match: Replay, waiting: Waiting, said: Submission, seats: Collection[Seat]
) -> Submission:
    """What a message means, given what its writer, who sits on these seats, has been asked."""
    asked = waiting.asked(*seats)
    if asking.agreement(said.orders):
        return said
    if asked is None:
        yes = asking.answered(said, YES) if len(said.orders) > 1 else said  # one line: see picking
        needless = yes is not said and any(hints.answers_to_question(match, s) for s in seats)
        return yes if needless else said
    if not same_question(match, asked.given, asked.seat):
        return said
    return asking.consenting(
        asking.answered(said, NO), (*match.players.values(), said.sender_name or "")
    )


def not_played(seat: Seat, texts: Iterable[str], why: Refused | Sentence) -> tuple[NotPlayed, ...]:
    """Moves that are not played: the first for this reason, the others because they follow it."""
    first = why if isinstance(why, Sentence) else say("{refusal}", refusal=why)
    rest = say("It comes after that")
    return tuple(NotPlayed(seat, text, rest if n else first) for n, text in enumerate(texts))


def _in_place_of(match: Replay, new: Plan, old: Plan) -> bool:
    """Are these two orders for the same next turn?"""
    if not (old.number and new.text.startswith("next:") and old.text.startswith("next:")):
        return False
    one, other = (getattr(parse.understood(match, plan), "trigger", None) for plan in (new, old))
    if not (isinstance(one, NextTurn) and isinstance(other, NextTurn)):
        return True
    newer, older = one.kinds(match, new), other.kinds(match, old)
    apart = newer and older and newer.isdisjoint(older)
    return bool(one.begins & other.begins) and not apart


@dataclass
class AtWork:
    """A match and its desk while something is entered: what waits, which moves are not played, and
    which plans were."""

    match: Replay
    waits: Waiting
    desk: Desk
    clock: Now
    not_played: tuple[NotPlayed, ...] = ()
    played: tuple[PlanPlayed, ...] = ()
    _read: dict[tuple[Seat, str], Understood | None] = field(default_factory=dict)
    _answers: dict[int, set[type[Move]]] = field(default_factory=dict)

    @property
    def more(self) -> bool:
        """Has it stopped at `MOST_IN_A_RUN`?"""
        return len(self.played) >= MOST_IN_A_RUN

    def append(self, step: Step, source: str = "") -> None:
        self.match = append_ply(self.match, self.desk, step, self.clock, source)

    def draw(self) -> None:
        self.match = play_chance(self.match, self.desk, self.clock)

    def put_aside(self, plans: Iterable[Plan], why: Sentence) -> None:
        """End these plans, and keep them until their owners know why; a rest is not kept."""
        for plan in plans:
            if plan.number:
                self.waits = self.waits.changed(plan, self._because(plan, why)._replace(over=True))
            else:
                self.waits = self.waits.without(plan)
            self.not_played += not_played(plan.seat, plan.moves, why)

    def _because(self, plan: Plan, why: Sentence) -> Plan:
        """The plan, with why it is not played."""
        return plan._replace(why=why.text(self.match.players), said=to_keep(why))

    def take_back(self, plans: Collection[Plan]) -> None:
        """Remove these plans, as their owners have said."""
        self.waits, why = self.waits.without(*plans), say("It was taken back")
        for plan in plans:
            if not plan.over:
                self.not_played += tuple(NotPlayed(plan.seat, move, why) for move in plan.moves)

    def file(self, seat: Seat, plans: Iterable[Plan]) -> None:
        """Number a seat's new plans and let them wait. One takes the place of an older one with the
        same text, or of an older order for the next turn that answers the same question."""
        at = self.clock()
        for plan in plans:
            number = self.waits.numbers.get(seat, 0) + 1
            new, own = plan._replace(number=number, at=at), self.waits.of(seat)
            same = [each for each in own if each.number and each.text == new.text]
            self.waits = self.waits.without(*same)
            self.put_aside(
                [each for each in own if each not in same and _in_place_of(self.match, new, each)],
                say("Your newer order for your next turn takes its place"),
            )
            self.waits = self.waits._replace(
                kept=(*self.waits.kept, new), numbers={**self.waits.numbers, seat: number}
            )

    def keep_rest(self, seat: Seat, moves: tuple[str, ...], on_word: bool) -> None:
        """Let these moves wait as the rest of a seat's order, in place of an earlier one."""
        kept = self.waits.without(*self.waits.rest(seat))
        rest = (Plan(seat, (moves,), on_word=on_word),) if moves else ()
        self.waits = kept._replace(kept=(*rest, *kept.kept))

    def play_waiting(self) -> None:
        """Play whatever can be played now, until nothing can."""
        self.played = ()
        public = self.match.log.header.forced == "public"
        while True:
            for plan in self.waits.plans:
                if not plan.over and (why := self._past(plan)):
                    self.put_aside([plan], why)
            if self.more or not (
                self._play_one() or self._play_bot() or (public and self._play_forced())
            ):
                break

    def _past(self, plan: Plan) -> Sentence | None:
        """Why the time of a plan is over, if it is: the match is, or that until which it was to
        last. The rest of an order lasts as long as its seat's turn goes on, or is interrupted."""
        match = self.match
        if not plan.number:
            goes_on = plan.seat in match.awaited or {d.during for d in match.pending} == {plan.seat}
            return None if goes_on else say("The turn of {seat:seat} is over", seat=plan.seat)
        if not match.pending:
            return say("The match is over")
        until = plan.text.rpartition(" until ")[2]
        past = is_past(match, until, plan.ends, self.clock())
        return say("It was to last until {until}", until=until) if past else None

    def _play_one(self) -> bool:
        """Play the first plan that can be played; was there one?"""
        match = self.match
        start = quiet_before(match.log)
        for seat in (each for each in match.setup.seats if may_play(match, each)):
            own = [p for p in self.waits.of(seat) if not p.number or sent(match, p) >= start]
            if any(p.number for p in own) and put_off(match, self.clock()):
                own = [p for p in own if not p.number]
            known = [(plan, self._understood(plan)) for plan in own]
            known.sort(key=lambda each: each[1].trigger.rank if each[1] else 1)
            if any(self._try(plan, read) for plan, read in known):
                return True
        return False

    def _understood(self, plan: Plan) -> Understood | None:
        """What waits, read once in a run; None if it can no longer be read."""
        key = plan.seat, plan.text
        if key not in self._read:
            self._read[key] = parse.understood(self.match, plan)
        return self._read[key]

    def _play_bot(self) -> bool:
        """Play for the first seat that is a bot's; was there one?"""
        match = self.match
        seats = (each for each in match.setup.seats if may_play(match, each))
        seat = next((each for each in seats if self.desk.has_bot(match, each)), None)
        if seat is None:
            return False
        step = bots.step(match, self.desk.secret, seat)
        self.append(step, plan_source(self.desk, match.log, Plan(seat, (("bot",),))))
        self.draw()
        return True

    def _play_forced(self) -> bool:
        """Play the only legal move if every spectator can see that it is; was there one?"""
        match = self.match
        if len(match.awaited) != 1 or match.gathering or quiet_before(match.log):
            return False
        [seat] = match.awaited
        if put_off(match, self.clock()):
            return False
        if not play.forced_in_public(match.game, match.seen_by(None).state, seat):
            return False
        moves = play.legal_moves(match.game, match.state, seat)
        if len(moves) != 1:
            return False
        step = play.judge(match.game, match.state, seat, moves[0])
        self._enter(Plan(seat, (("forced",),)), Accepted((step,), None, ()))
        return True

    def _try(self, plan: Plan, read: Understood | None) -> bool:
        """Play a plan if its time has come and it can be played; was it?"""
        match = self.match
        if read is None:
            self.put_aside([plan], say("It can no longer be read"))
            return False
        due = read.trigger.due(match, plan, self._answers_in_place_of)
        if isinstance(due, Sentence):
            self.put_aside([plan], due)
        if due is not True:
            return False
        verdict = play.adjudicate(match.game, match.state, plan.seat, read.order)
        if isinstance(verdict, Accepted):
            self._enter(plan, verdict, stays=read.trigger.stays)
            return True
        why = say("{refusal}", refusal=verdict.reason)
        if not read.trigger.stays:
            self.put_aside([plan], why)
        elif (skipped := self._because(plan, why)).why != plan.why:
            # A standing answer stays, and its owner is told once why it was not played.
            self.waits = self.waits.changed(plan, skipped)
            self.not_played += not_played(plan.seat, plan.moves, why)
        return False

    def _answers_in_place_of(self, ply: Ply) -> set[type[Move]]:
        """The classes of move that could have been played in place of a ply; kept for all plans,
        as finding them goes through the match."""
        if ply.nth not in self._answers:
            then = Replay.of(self.match.log.first(ply.nth), self.match.keyring)
            asked = (each for each in then.pending if each.seat == ply.seat)
            self._answers[ply.nth] = {kind for each in asked for kind in each.accepts}
        return self._answers[ply.nth]

    def _enter(self, plan: Plan, verdict: Accepted[Any], *, stays: bool = False) -> None:
        """Append the plies of a plan; what lies beyond the horizon becomes the rest of an order."""
        for step in verdict.steps:
            self.append(step, plan_source(self.desk, self.match.log, plan))
        self.draw()
        if not stays:
            self.waits = self.waits.without(plan)
        elif plan.why:
            self.waits = self.waits.changed(plan, plan._replace(why="", said=None))
        self.keep_rest(plan.seat, tuple(each.said for each in verdict.unplayed), plan.on_word)
        self.played += (PlanPlayed(plan, verdict.steps),)
