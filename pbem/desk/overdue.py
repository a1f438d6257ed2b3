"""What time asks the desk to do: notices, what silence brings, and reminders.

`owed` and `reminders` only look; `enter` writes one thing that is owed. All judge by a moment that
the caller names: not later than now, and not later than the moment up to which every mail has been
read, so that nobody is late whose answer lies in the mailbox.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

from pbem.core import Seat
from pbem.desk.bench import Change, Circumstances, bench
from pbem.log import deadlines
from pbem.log.match import Match
from pbem.log.silence import brings
from pbem.log.timetable import LATE, OVERDRAWN, SOON, Deadline, Timetable
from pbem.log.timing import Late
from pbem.sentence import Counted, Sentence, say

NOTICE: Final = "notice"
SILENCE: Final = "silence"
ASK: Final = "ask"


class Owed(NamedTuple):
    """What is to be done about a seat: a NOTICE that it is late; the `move` that its SILENCE
    brings; or to ASK the moderator, as nothing says what silence brings or, where there is a
    `move`, as nobody knows whether the seat has had its notice."""

    seat: Seat
    kind: str
    move: str = ""


Heard = Callable[[Match, Deadline], bool | None]
"""Has a seat had the notice from which its grace is counted? False: only later; None: nobody knows
that it has."""


def always(now: Match, each: Deadline) -> bool:
    """For those who post the notices themselves."""
    return True


def owed(
    now: Match, at: str, *, hour: str = "", defaults: bool = True, heard: Heard = always
) -> tuple[Owed, ...]:
    """What is owed in a match, judged by a moment, when it is this `hour`, if not that moment.
    With `defaults` false nothing is played.

    Of a notice that went out late another is owed: the days of grace begin again.
    """
    times = deadlines.of(now)
    if times is None or (hour or at) < times.at:  # the clock has gone back: nothing is judged
        return ()
    found = []
    for each in times.deadlines:
        match times.state(each, at):
            case "owed":
                found.append(Owed(each.seat, NOTICE))
            case "lapsed":
                step = None if each.words else brings(now, each.seat, times.silence)
                move = now.game.notate(step.move) if step else ""
                had = heard(now, each) if step else None
                if had is None:
                    found.append(Owed(each.seat, ASK, move))
                elif not had:
                    found.append(Owed(each.seat, NOTICE))
                elif defaults:
                    found.append(Owed(each.seat, SILENCE, move))
    return tuple(found)


def enter(
    path: str,
    each: Owed,
    here: Circumstances,
    at: str,
    *,
    defaults: bool = True,
    heard: Heard = always,
) -> Change | None:
    """Write what is owed, a notice or the move that silence brings.

    None if it is owed no longer: under the lock the match is read and judged anew. Raises Problem.
    """
    with bench(path, here) as at_work:
        hour = max(at, here.clock())
        still = owed(at_work.now, at, hour=hour, defaults=defaults, heard=heard)
        if each.kind == ASK or each not in still:
            return None
        if each.kind == NOTICE:
            at_work.enter(Late(each.seat))
        else:
            times = deadlines.of(at_work.now)
            step = brings(at_work.now, each.seat, times.silence) if times else None
            assert step is not None
            at_work.play_for(each.seat, step)
    return at_work.change


def play_plans(path: str, here: Circumstances) -> Change:
    """Play what was put off until a tick, if that has passed. Raises Problem."""
    with bench(path, here) as at_work:
        at_work.play_waiting()
    return at_work.change


# ------------------------------------------------------------------------------- reminders


@dataclass(frozen=True, slots=True)
class Reminder:
    """A line to a player: what for (`kind`: SOON, OVERDRAWN or LATE), and since which moment."""

    match: str
    seat: Seat
    kind: str
    ply: int
    tick: str
    deadline: Deadline
    zone: str
    silence: str

    @property
    def key(self) -> str:
        """What makes it this reminder: a reminder with this key goes out once."""
        return "-".join((self.match, str(self.ply), self.seat, self.kind, self.tick[:10]))

    def sentence(self, zone: str = "") -> Sentence:
        """What to tell the player, with times in this zone or the match's."""
        until = self.deadline.sentence(zone or self.zone, self.silence)
        if self.deadline.words:
            return say(
                "{match}: something of yours is still to come. {until}",
                match=self.match,
                until=until,
            )
        match self.kind:
            case "soon":
                return say("{match}: your turn ends soon. {until}", match=self.match, until=until)
            case "late":
                return say("{match}: you are late. {until}", match=self.match, until=until)
        return say(
            Counted(
                "{match}: your turn is over; you live on the {n} day you have to spare. {until}",
                "{match}: your turn is over; you live on the {n} days you have to spare. {until}",
            ),
            n=self.deadline.spare,
            match=self.match,
            until=until,
        )


def reminders(now: Match, at: str) -> tuple[Reminder, ...]:
    """The reminders that are owed by a moment: for each seat the newest only."""
    times = deadlines.of(now)
    return () if times is None else reminders_of(times, now.name, at)


def reminders_of(times: Timetable, match: str, at: str, *, hour: str = "") -> tuple[Reminder, ...]:
    """The same, from a timetable that was kept, when it is this `hour`, if not that moment."""
    if (hour or at) < times.at:
        return ()
    found = []
    for each in times.deadlines:
        state = times.state(each, at)
        if tick := {SOON: each.remind, OVERDRAWN: each.due, LATE: each.noticed}.get(state):
            about = (each.seat, state, each.ply, tick, each)
            found.append(Reminder(match, *about, times.zone, times.silence))
    return tuple(found)
