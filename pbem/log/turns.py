"""Whose turn it is, since when, and which of its days count: a fold over the entries of a log.

What stands after an entry follows from what stood before it. Nothing is counted on the way: each
turn knows what held from when on, and which ticks count follows from that and the calendar.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from pbem.core import NOBODY, Decision, Seat
from pbem.log.entries import Ply
from pbem.log.entropy.contributions import PassOver, Promise, Value, Words
from pbem.log.format import Log
from pbem.log.ruling import ENDED, NEVER, PLAY, SILENCE, Ruling
from pbem.log.rulings import Restore, Substitute
from pbem.log.stages import SoFar
from pbem.log.timing import Clock, Extend, Late, Pause, Resume, Timing
from pbem.play import judge

if TYPE_CHECKING:
    from datetime import date

    from pbem.log.clock import Settings
    from pbem.log.match import Replay

Asked = tuple[tuple[Seat, Seat | None], ...] | None
"""The seats that are asked, each with the seat whose turn it interrupts, if it does. None: only
chance or the house is asked."""


def decisions(match: Replay) -> Iterator[tuple[Decision, ...]]:
    """Who must choose before the first ply that stands, and after each of these."""
    state = match.first
    yield match.game.pending(state)
    for _, events in match.plies:
        state = judge.advance(match.game, state, events)
        yield match.game.pending(state)


def who(pending: Iterable[Decision]) -> Asked:
    """The seats that these decisions wait for."""
    decisions = tuple(pending)
    seats = tuple(
        (each.seat, each.during) for each in decisions if each.awaited and each.seat not in NOBODY
    )
    return seats if seats or not decisions else None


class Tick(NamedTuple):
    """A tick that counts for a turn, its date, and the settings then. On the date on which the seat
    was asked, or asked again, it is not `ripe`: nobody's time is over then."""

    at: str
    day: date
    settings: Settings
    ripe: bool


class Spell(NamedTuple):
    """What holds for a turn from a moment on: for all seats, whether this one is `awaited`, and
    when it was `asked` or, after an interruption, a pause, a new clock, a default, asked again."""

    begins: str
    timing: Timing
    awaited: bool
    asked: str


class Turn(NamedTuple):
    """The turn of a seat, from the entry that asks it until it is asked no longer.

    It began after ply `ply`, during the turn of another seat if it interrupts that. `extra` are the
    days given, `noticed` is when its latest notice was written, `acted` when it last moved by
    itself; `silent` says that its last move was played for it.
    """

    seat: Seat
    ply: int
    during: Seat | None
    spells: tuple[Spell, ...]
    extra: int = 0
    noticed: str = ""
    acted: str = ""
    silent: bool = False

    @property
    def since(self) -> str:
        return self.spells[0].begins

    @property
    def awaited(self) -> bool:
        """Is the seat asked now, and not interrupted?"""
        return self.spells[-1].awaited

    @property
    def timing(self) -> Timing:
        """What holds now for all seats."""
        return self.spells[-1].timing

    def goes_on(self, at: str, timing: Timing, awaited: bool, again: str) -> Turn:
        """The turn under what holds from a moment on; `again` if the seat is asked again then."""
        last = self.spells[-1]
        if last.timing is timing and last.awaited == awaited and not again:
            return self
        spell = Spell(at, timing, awaited, again or last.asked)
        return self._replace(spells=(*self.spells, spell))

    def counted(self) -> Iterator[Tick]:
        """The ticks that count, by the log as it was at each; endless, unless nothing counts any
        more. Raises Usage for a zone that nobody knows, OverflowError beyond the calendar."""
        from datetime import date

        from pbem.log.clock import day_of, ticks

        passed = date.min
        ends = (*(spell.begins for spell in self.spells[1:]), NEVER)
        for (begins, timing, awaited, asked), end in zip(self.spells, ends, strict=True):
            settings, counts = timing.clock, awaited and not timing.paused
            if end == NEVER and not counts:
                return
            away, zone = timing.days(self.seat), settings.zone
            for at, day in ticks(settings, max(passed, day_of(self.since, zone)), begins, end):
                passed = day
                if counts and day.toordinal() not in away:
                    yield Tick(at, day, settings, day > day_of(asked, zone))

    def run(self, spare: int, until: str = NEVER) -> tuple[list[Tick], int]:
        """The ticks that count before a moment, as far as they matter with so many days to spare,
        and the index of the deadline among them; -1 if there is none."""
        ticks, due = list[Tick](), -1
        for tick in self.counted():
            if tick.at >= until:
                break
            ticks.append(tick)
            days = tick.settings.interrupt if self.during else tick.settings.turn
            if due < 0 and tick.ripe and len(ticks) >= days + self.extra:
                due = len(ticks) - 1
            if 0 <= due < len(ticks) - spare:
                break
        return ticks, due

    def spent(self, left: int) -> int:
        """How many of the days that were left to spare were over before the seat's last move."""
        ticks, due = self.run(left - 1, self.acted)
        return min(left, len(ticks) - due) if due >= 0 else 0

    def lapse(self) -> str:
        """When the days of grace are over; "" for never."""
        from pbem.log.clock import day_of

        count = 0
        for at, day, settings, ripe in self.counted():
            if at > self.noticed and day > day_of(self.noticed, settings.zone):
                count += 1
                if count >= settings.grace and ripe:
                    return at
        return ""


class Turns(NamedTuple):
    """Whose turn it is after an entry, and all that bears on it.

    `last` is the time of that entry, `changed` that of the last ply or of a later ruling by which
    all turns began anew. `windows` are the interrupted turns, each with the time that all share who
    interrupt it; `over` are the turns that are over in which a seat with days to spare has acted.
    """

    last: str
    changed: str
    timing: Timing
    asked: Asked = ()
    ply: int = 0
    mover: Seat = ""
    running: Mapping[Seat, Turn] = {}
    windows: Mapping[Seat, Turn] = {}
    over: Mapping[Seat, tuple[Turn, ...]] = {}

    @property
    def awaited(self) -> Iterator[Turn]:
        """The turns of those who are asked now."""
        return (turn for turn in self.running.values() if turn.awaited)

    @property
    def since(self) -> str:
        """When the seat that has been asked the longest was asked; if none is, the last entry's
        time. This needs no clock."""
        return min((turn.since for turn in self.awaited), default=self.last)

    @property
    def fires(self) -> str:
        """The first tick after the last change, where what waits is played at ticks only; "" where
        it is played at once, or the clock stands still."""
        from datetime import date

        from pbem.log.clock import AT_TICK, ticks

        if self.timing.clock.plans != AT_TICK or self.timing.paused:
            return ""
        found = ticks(self.timing.clock, date.min, self.changed)
        return next(at for at, _ in found if at > self.changed)

    def spare(self, seat: Seat) -> int:
        """How many days a seat has left to spare."""
        spent = 0
        for turn in self.over.get(seat, ()):
            spent += turn.spent(max(0, turn.timing.clock.bank - spent))
        return max(0, self.timing.clock.bank - spent)

    # ------------------------------------------------------------------------------ a step

    def played(self, ply: Ply, asked: Asked, *, silent: bool, typed: bool) -> Turns:
        """After a ply by which these are asked; was it played for a `silent` seat? Where cards are
        `typed`, whoever goes on after one is asked again."""
        at, seat, house = ply.at, ply.seat, ply.seat in NOBODY
        mover, running = self.mover if house else seat, dict(self.running)
        if turn := running.get(seat):
            running[seat] = turn._replace(silent=silent, acted=turn.acted if silent else at)
        turns = Turns(
            at, at, self.timing, asked, ply.number, mover, running, self.windows, self.over
        )
        if asked == self.asked and not silent and all(s in running for s, _ in asked or ()):
            return turns
        resumed = {s for s, _ in asked or () if s in running and not running[s].awaited}
        # To draw a card is part of one's own turn; to be interrupted is not.
        anew = resumed if typed or not house else resumed - {mover}
        turns = turns._settled()
        if silent and (turn := turns.running.get(seat)):
            # What was played for it is as good as a notice, and it is asked again.
            running = {**turns.running, seat: turn._replace(noticed=turn.noticed and at)}
            turns, anew = turns._replace(running=running), {*anew, seat}
        return turns._going_on(anew)

    def ruled(self, ruling: Ruling, so_far: SoFar) -> Turns:
        """After a ruling, with what the entries add up to then."""
        at, running, over = self.last, dict(self.running), dict(self.over)
        match ruling:
            case Substitute(seat=seat):
                over.pop(seat, None)
                if (turn := running.pop(seat, None)) and turn.awaited:
                    running[seat] = self._begun(seat, turn.during)
            case Late(seat=seat) if seat in running:
                running[seat] = running[seat]._replace(noticed=at)
            case Extend(seats=seats, days=days):
                for seat in running.keys() & set(seats):
                    extra = max(0, running[seat].extra + days)
                    running[seat] = running[seat]._replace(extra=extra)
        first = self.timing.settings is None and isinstance(ruling, Clock)
        turns = self._replace(timing=so_far.timing, running=running, over=over)
        anew = first or ruling.leads_to == PLAY or isinstance(ruling, _ANEW)
        if anew or so_far.led_to == ENDED:
            turns = turns._replace(running={}, windows={}, over=turns._past(running))
        if so_far.led_to == ENDED:
            return turns
        if anew:
            turns = turns._replace(changed=at)._settled()
        return turns._going_on(running if isinstance(ruling, Pause | Resume | Clock) else ())

    def _settled(self) -> Turns:
        """With those turns ended and begun that the question of the hour ends and begins. While
        cards are dealt, none is."""
        if self.asked is None:
            return self
        seats = dict(self.asked)
        interrupted = {during for during in seats.values() if during} - seats.keys()
        gone = self.running.keys() - seats.keys() - interrupted
        if any(seat not in self.running and not during for seat, during in self.asked):
            gone |= {self.mover} & seats.keys()  # others are asked anew: its ply was its answer
        windows = {seat: self.windows.get(seat) or self._begun("", None) for seat in interrupted}
        running = {seat: turn for seat, turn in self.running.items() if seat not in gone}
        for seat, during in self.asked:
            if seat not in running:
                running[seat] = self._begun(seat, during, windows.get(during or ""))
        return self._replace(running=running, windows=windows, over=self._past(gone))

    def _begun(self, seat: Seat, during: Seat | None, window: Turn | None = None) -> Turn:
        """A turn of a seat that is asked now; all who interrupt another's share one window."""
        spells = tuple(each._replace(asked=self.last) for each in window.spells) if window else ()
        fresh = Spell(self.last, self.timing, True, self.last)
        return Turn(seat, self.ply, during, spells or (fresh,))

    def _past(self, seats: Collection[Seat]) -> Mapping[Seat, tuple[Turn, ...]]:
        """The turns that are over, once those of these seats are."""
        past = {}
        for seat in self.running.keys() & seats:
            turn = self.running[seat]
            if turn.acted and turn.timing.settings and turn.timing.settings.bank:
                past[seat] = (*self.over.get(seat, ()), turn)
        return {**self.over, **past} if past else self.over

    def _going_on(self, anew: Collection[Seat] = ()) -> Turns:
        """With all turns under what holds from now on; these seats are asked anew, if at all."""
        at, timing, asked = self.last, self.timing, dict(self.asked or ())
        running = {
            seat: turn.goes_on(at, timing, seat in asked, at if seat in anew else "")
            for seat, turn in self.running.items()
        }
        windows = {s: window.goes_on(at, timing, True, "") for s, window in self.windows.items()}
        if running == self.running and windows == self.windows:
            return self
        return self._replace(running=running, windows=windows)


_ANEW: Final = (Restore, Promise, Words, PassOver, Value)
"""The rulings after which all who are asked have a new turn, although they do not lead to play."""


def after(log: Log, asked: Iterable[Asked]) -> Turns:
    """Whose turn it is at the end of a log; `asked` tells who is asked before the first ply that
    stands and after each of them."""
    log, answers = log.in_time(), iter(asked)
    so_far, standing = SoFar(log.header), {ply.nth for ply in log.live}
    created, typed = log.header.created, log.header.dealer == "asked"
    turns = Turns(created, created, so_far.timing, next(answers))._settled()
    for entry in log.entries:
        silent = so_far.silent if so_far.led_to == SILENCE else ""
        so_far.add(entry)
        if not isinstance(entry, Ply):
            turns = turns._replace(last=entry.at).ruled(entry.ruling, so_far)
        elif entry.nth not in standing:
            turns = turns._replace(last=entry.at)
        else:
            for_silent = entry.seat == silent
            turns = turns.played(entry, next(answers), silent=for_silent, typed=typed)
    return turns


def of(match: Replay) -> Turns:
    """Whose turn it is in a match as it stands."""
    return after(match.log, map(who, decisions(match)))
