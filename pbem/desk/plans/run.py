"""Playing what waits, after whatever is entered in a log: one plan at a time, in one fixed order.

Seats come in the order of the table, never in the order in which plans arrived. For each seat, the
rest of its order comes first, then what waits for a turn or for a move, then standing answers; of
each kind, the newest first.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from pbem.core import NOBODY, Move, Refused, Seat
from pbem.desk.answer import NotPlayed, PlanPlayed
from pbem.desk.append import Now, append_ply, play_chance
from pbem.desk.current import quiet_before, same_question
from pbem.desk.duplicates import is_from_plan, plan_source
from pbem.desk.file import Desk
from pbem.desk.plans import parse
from pbem.desk.plans.model import GIVE_UP, Plan, Waiting
from pbem.desk.plans.sense import ReadPlan, is_past, kinds_of
from pbem.intake import Submission, asking
from pbem.log import questions, turns
from pbem.log.entries import Ply
from pbem.log.match import Match
from pbem.play import judge as play
from pbem.play.judge import Accepted, Step
from pbem.sentence import Sentence, say, to_keep

MOST_IN_A_RUN: Final = 50
"""How many plans are played in one run, at most."""


def may_play(now: Match, seat: Seat) -> bool:
    """Does the game allow what waits for this seat to be played now?"""
    return not now.gathering and seat in now.awaited


def put_off(now: Match, at: str) -> bool:
    """Does the clock hold back plans at this moment?

    With `plans: at_tick` they are played at the first tick after the last ply and not before, so
    that the time of a ply does not show that it was planned. The rest of an order is not held back.
    """
    if now.log.clock is None:
        return False
    from pbem.log import deadlines
    from pbem.log.clock import AT_TICK

    settings = now.log.so_far().timing.settings
    if settings is None or settings.plans != AT_TICK:
        return False
    times = deadlines.of(now)
    return times is None or not times.fires or at <= times.fires


def waiting_now(now: Match, desk: Desk) -> Waiting:
    """What waits in a match as it stands.

    If the log has outgrown the desk file, say because an old copy was restored, the numbered plans
    of the latest state go on, except those that the log shows were played. Proposals are dropped.
    """
    for each in desk.waits:
        if each.after == now.log.chain:
            return each
    ends = ((now.log.ended_with(each.after), each) for each in desk.waits)
    known = [(count, each) for count, each in ends if count is not None]
    if not known:
        return Waiting(now.log.chain)
    count, last = max(known, key=lambda each: each[0])
    since = [e for e in now.log.entries[count:] if isinstance(e, Ply)]
    kept = (
        plan
        for plan in last.plans
        if plan.number and not any(is_from_plan(now.log, desk, ply, plan) for ply in since)
    )
    return last._replace(after=now.log.chain, plans=tuple(kept), proposals=())


def answering(
    now: Match, waiting: Waiting, said: Submission, seats: Collection[Seat]
) -> Submission:
    """What a message means, given what its writer, who sits on these seats, has been asked."""
    asked = next(filter(None, map(waiting.asked, seats)), None)
    if asked is None or asked.readings == GIVE_UP or asking.agreement(said.orders):
        return said
    if not same_question(now, asked.given, asked.seat):
        return said
    return asking.consenting(
        asking.declining(said), (*now.players.values(), said.sender_name or "")
    )


def not_played(seat: Seat, texts: Iterable[str], why: Refused | Sentence) -> tuple[NotPlayed, ...]:
    """Moves that are not played: the first for this reason, the others because they follow it."""
    first = why if isinstance(why, Sentence) else say("{refusal}", refusal=why)
    rest = say("It comes after that")
    return tuple(NotPlayed(seat, text, rest if n else first) for n, text in enumerate(texts))


def _in_place_of(now: Match, new: Plan, old: Plan) -> bool:
    """Are these two orders for the same next turn?"""
    if not (old.number and new.text.startswith("next:") and old.text.startswith("next:")):
        return False
    one, other = parse.understood(now, new), parse.understood(now, old)
    if one is None or other is None:
        return True
    newer, older = _phases(now, new, one), _phases(now, old, other)
    apart = newer and older and newer.isdisjoint(older)
    return bool(one.begins & other.begins) and not apart


def _phases(now: Match, plan: Plan, read: ReadPlan) -> frozenset[str]:
    """The kinds of question that an order for the next turn is for; none if the game does not say.
    If its first move answers several, then it is for those that its seat was asked when it was
    sent or, if it was asked nothing, the last time before."""
    kinds = frozenset(
        kind for kind, answers in kinds_of(now).items() if read.begins.intersection(answers)
    )
    if len(kinds) < 2:
        return kinds
    then = Match.of(now.log.first(_sent(now, plan)), now.keyring)
    asked = frozenset[str]()
    for pending in turns.decisions(then):
        own = (each.kind for each in pending if each.seat == plan.seat and each.awaited)
        asked = frozenset(own) or asked
    return kinds & asked or kinds


def _sent(now: Match, plan: Plan) -> int:
    """How many entries there were when a plan was sent."""
    return now.log.ended_with(plan.given) or 0


@dataclass
class AtWork:
    """A match and its desk while something is entered: what waits, which moves are not played, and
    which plans were."""

    now: Match
    waits: Waiting
    desk: Desk
    clock: Now
    not_played: tuple[NotPlayed, ...] = ()
    played: tuple[PlanPlayed, ...] = ()
    _read: dict[tuple[Seat, str], ReadPlan | None] = field(default_factory=dict)
    _answers: dict[int, set[type[Move]]] = field(default_factory=dict)

    @property
    def more(self) -> bool:
        """Has it stopped at `MOST_IN_A_RUN`?"""
        return len(self.played) >= MOST_IN_A_RUN

    def append(self, step: Step, source: str = "") -> None:
        """Append a ply."""
        self.now = append_ply(self.now, self.desk, step, self.clock, source)

    def draw(self) -> None:
        """Draw what is owed."""
        self.now = play_chance(self.now, self.desk, self.clock)

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
        return plan._replace(why=why.text(self.now.players), said=to_keep(why))

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
            own = [each for each in self.waits.of(seat) if each.number]
            self.waits = self.waits.without(*(each for each in own if each.text == plan.text))
            self.put_aside(
                [each for each in self.waits.of(seat) if _in_place_of(self.now, plan, each)],
                say("Your newer order for your next turn takes its place"),
            )
            number = self.waits.numbers.get(seat, 0) + 1
            new = plan._replace(number=number, at=at)
            self.waits = self.waits._replace(
                plans=(*self.waits.plans, new), numbers={**self.waits.numbers, seat: number}
            )

    def keep_rest(self, seat: Seat, moves: tuple[str, ...], on_word: bool) -> None:
        """Let these moves wait as the rest of a seat's order, in place of an earlier one."""
        kept = self.waits.without(*self.waits.rest(seat))
        rest = (Plan(seat, moves, on_word=on_word),) if moves else ()
        self.waits = kept._replace(plans=(*rest, *kept.plans))

    def play_waiting(self) -> None:
        """Play whatever can be played now, until nothing can."""
        self.played = ()
        public = self.now.log.header.forced == "public"
        while not self.more:
            for plan in self.waits.plans:
                if plan.number and not plan.over and (why := self._past(plan)):
                    self.put_aside([plan], why)
            if not (self._play_one() or (public and self._play_forced())):
                break
        self._keep_rests()

    def _past(self, plan: Plan) -> Sentence | None:
        """Why a plan is over: the match is, or the time it was to last; None if it is not."""
        if not self.now.pending:
            return say("The match is over")
        until = plan.text.rpartition(" until ")[2]
        past = is_past(self.now, until, plan.ends, self.clock())
        return say("It was to last until {until}", until=until) if past else None

    def _play_one(self) -> bool:
        """Play the first plan that can be played; was there one?"""
        now = self.now
        start = quiet_before(now.log)
        for seat in (each for each in now.setup.seats if may_play(now, each)):
            if any(map(self._try_rest, self.waits.rest(seat))):
                return True
            own = [p for p in self.waits.of(seat) if p.number and _sent(now, p) >= start]
            if not own or put_off(now, self.clock()):
                continue
            known = [(plan, self._understood(plan)) for plan in own]
            known.sort(key=lambda each: each[1] is not None and each[1].draft.kind == "always")
            if any(self._try(plan, read) for plan, read in known):
                return True
        return False

    def _understood(self, plan: Plan) -> ReadPlan | None:
        """A plan, read once in a run; None if it can no longer be read."""
        key = plan.seat, plan.text
        if key not in self._read:
            self._read[key] = parse.understood(self.now, plan)
        return self._read[key]

    def _play_forced(self) -> bool:
        """Play the only legal move if every spectator can see that it is; was there one?"""
        now = self.now
        if len(now.awaited) != 1 or now.gathering or quiet_before(now.log):
            return False
        [seat] = now.awaited
        if put_off(now, self.clock()):
            return False
        if not play.forced_in_public(now.game, now.seen_by(None).state, seat):
            return False
        moves = play.legal_moves(now.game, now.state, seat)
        if len(moves) != 1:
            return False
        step = play.judge(now.game, now.state, seat, moves[0])
        self._enter(Plan(seat, ("forced",)), Accepted((step,), None, ()))
        return True

    def _try_rest(self, rest: Plan) -> bool:
        """Read the rest of an order again, and play it if it can be played; was it?"""
        order = [move for text in rest.moves for move in parse.played(self.now, text)]
        verdict = play.adjudicate(self.now.game, self.now.state, rest.seat, order)
        if isinstance(verdict, Accepted):
            self._enter(rest, verdict)
            return True
        self.put_aside([rest], say("{refusal}", refusal=verdict.reason))
        return False

    def _try(self, plan: Plan, read: ReadPlan | None) -> bool:
        """Play a plan if its time has come and it can be played; was it?"""
        now = self.now
        if read is None:
            self.put_aside([plan], say("It can no longer be read"))
            return False
        if not self._comes_up(plan, read):
            return False
        verdict = play.adjudicate(now.game, now.state, plan.seat, [read.choice])
        if isinstance(verdict, Accepted):
            self._enter(plan, verdict)
            return True
        why = say("{refusal}", refusal=verdict.reason)
        if read.draft.kind != "always":
            self.put_aside([plan], why)
        elif (skipped := self._because(plan, why)).why != plan.why:
            # A standing answer stays, and its owner is told once why it was not played.
            self.waits = self.waits.changed(plan, skipped)
            self.not_played += not_played(plan.seat, plan.moves, why)
        return False

    def _comes_up(self, plan: Plan, read: ReadPlan) -> bool:
        """Has the time of a plan come, now that its seat is asked?"""
        now = self.now
        asked = [decision for decision in now.pending if decision.seat == plan.seat]
        if read.draft.kind == "always":
            return any(map(read.answers, asked))
        if read.draft.kind == "next":
            fitting = {d.kind for d in asked if read.begins.intersection(d.accepts)}
            return bool(fitting & (_phases(now, plan, read) or fitting))
        if read.draft.opened:
            return self._was_opened(plan, read)
        sealed = questions.sealed_texts(now)
        others = [
            ply
            for ply, _ in now.plies
            if ply.seat not in (*NOBODY, plan.seat) and ply.move not in sealed
        ]
        if others and read.waits_for(now, others[-1].seat, others[-1].move):
            return True
        start = _sent(now, plan)
        since = [ply for ply in others if ply.nth >= start and read.draft.who in ("", ply.seat)]
        if since and self._could_have_been(since[-1], read):
            why = say("{seat:seat} played {move} instead", seat=since[-1].seat, move=since[-1].move)
            self.put_aside([plan], why)
        return False

    def _was_opened(self, plan: Plan, read: ReadPlan) -> bool:
        """Was what a plan waits for opened since it was sent? If something else was, it is over."""
        now = self.now
        found = questions.last_opening(now)
        if found is None or found.nth < _sent(now, plan):
            return False
        if any(seat != plan.seat and read.waits_for(now, seat, m) for seat, m in found.moves):
            return True
        self.put_aside([plan], say("Something else was opened"))
        return False

    def _could_have_been(self, ply: Ply, read: ReadPlan) -> bool:
        """Could the move that a plan waits for have been played in place of this ply?"""
        now = self.now
        if ply.nth not in self._answers:  # kept for all plans: finding it goes through the match
            then = Match.of(now.log.first(ply.nth), now.keyring)
            asked = (each for each in then.pending if each.seat == ply.seat)
            self._answers[ply.nth] = {kind for each in asked for kind in each.accepts}
        return read.may_wait_for(now, self._answers[ply.nth])

    def _enter(self, plan: Plan, verdict: Accepted[Any]) -> None:
        """Append the plies of a plan; what lies beyond the horizon becomes the rest of an order."""
        for step in verdict.steps:
            self.append(step, plan_source(self.desk, self.now.log, plan))
        self.draw()
        if plan.number == 0 or not plan.text.startswith("always "):
            self.waits = self.waits.without(plan)
        elif plan.why:
            self.waits = self.waits.changed(plan, plan._replace(why="", said=None))
        self.keep_rest(plan.seat, tuple(each.said for each in verdict.unplayed), plan.on_word)
        self.played += (PlanPlayed(plan, verdict.steps),)

    def _keep_rests(self) -> None:
        """Keep the rest of an order only as long as its seat's turn goes on, or is interrupted."""
        now = self.now
        interrupted = {decision.during for decision in now.pending}
        for plan in self.waits.plans:
            if not (plan.number or plan.seat in now.awaited or interrupted == {plan.seat}):
                why = _turn_over(now, plan.seat)
                self.waits = self.waits.without(plan)
                self.not_played += tuple(NotPlayed(plan.seat, text, why) for text in plan.moves)
        self.waits = self.waits._replace(after=now.log.chain)


def _turn_over(now: Match, seat: Seat) -> Sentence:
    if not now.awaited:
        return say("The turn of {seat:seat} is over", seat=seat)
    return say(
        "The turn of {seat:seat} is over; next to move: {awaited:seats}",
        seat=seat,
        awaited=now.awaited,
    )
