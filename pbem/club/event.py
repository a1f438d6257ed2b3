"""An event, as the entries of a club's log add it up: a frozen value, and what is asked of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from pbem.club.terms import TableTerms

if TYPE_CHECKING:
    from pbem.club.fold import Handle


class EventTable(NamedTuple):
    """A table of the schedule: its number in the event, its round, its people in seat order."""

    number: int
    round: int
    people: tuple[Handle, ...]


class ClubEvent(NamedTuple):
    """An event: by what `terms` it is played, in which `format`, over how many `rounds`, and how
    many `days` after the draw it ends; `people` have entered; `drawn` and `ended` are "" before
    that. `matches` are those of its tables that have begun; `withdrew` says when somebody did."""

    name: str
    terms: TableTerms
    format: str
    rounds: int
    days: int | None
    people: tuple[Handle, ...] = ()
    drawn: str = ""
    tables: tuple[EventTable, ...] = ()
    matches: Mapping[int, str] = {}
    withdrew: Mapping[Handle, str] = {}
    ended: str = ""

    @property
    def runs(self) -> bool:
        """Has it been drawn and not ended?"""
        return bool(self.drawn) and not self.ended

    def table(self, number: int) -> EventTable | None:
        """The table of this number."""
        return next((each for each in self.tables if each.number == number), None)

    def left(self, table: EventTable) -> tuple[Handle, ...]:
        """Who of a table that has not begun has not withdrawn, in seat order."""
        return tuple(each for each in table.people if each not in self.withdrew)

    def without(self, handle: Handle, at: str) -> ClubEvent:
        """The event once somebody has left it or, if it is drawn, withdrawn."""
        if self.ended or handle not in self.people or handle in self.withdrew:
            return self
        if self.drawn:
            return self._replace(withdrew={**self.withdrew, handle: at})
        return self._replace(people=tuple(each for each in self.people if each != handle))


def numbered(schedule: Sequence[Sequence[Sequence[Handle]]]) -> tuple[EventTable, ...]:
    """The tables of a schedule, numbered through its rounds."""
    flat = [(n, table) for n, each in enumerate(schedule, 1) for table in each]
    return tuple(EventTable(n, nth, tuple(table)) for n, (nth, table) in enumerate(flat, 1))
