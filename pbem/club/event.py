"""An event, as the entries of a club's log add it up: a frozen value, and what is asked of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from pbem.club.formats import FORMATS
from pbem.club.formats.kind import Format, Rounds
from pbem.club.terms import TableTerms
from pbem.sentence import Sentence, say

Handle = str
"""What a person is called in public: never an address."""


def spelt(text: str) -> str:
    """The words of a text, as names are compared."""
    return " ".join(re.findall(r"[^\W_]+", text.casefold()))


_ROUNDS: Final = "{n} [round|rounds]"
_SEASON: Final = "{n} [day|days] a season"
_LASTS: Final = "{n} [day|days] at most"


class EventTable(NamedTuple):
    """A table of the schedule: its number in the event, its round, its people in seat order, and
    which division they are in."""

    number: int
    round: int
    people: tuple[Handle, ...]
    division: int = 1


class ClubEvent(NamedTuple):
    """An event: by what `terms` it is played, in which `format`, over how many `rounds`, and how
    many `days` after the draw it ends; is it `seeded` by rating? `people` are in it, of whom the
    `field` plays, as it was drawn; `drawn` and `ended` are "" before that. `matches` are those of
    its tables that have begun; `withdrew` says when somebody did; `order` is that of a season that
    has ended; `past` are the seasons before; nothing follows once it is `closed`."""

    name: str
    terms: TableTerms
    format: str
    rounds: int
    days: int | None
    seeded: bool = False
    people: tuple[Handle, ...] = ()
    drawn: str = ""
    tables: tuple[EventTable, ...] = ()
    matches: Mapping[int, str] = {}
    withdrew: Mapping[Handle, str] = {}
    ended: str = ""
    field: tuple[Handle, ...] = ()
    order: tuple[Handle, ...] = ()
    season: int = 0
    closed: bool = False
    past: tuple[ClubEvent, ...] = ()

    @property
    def words(self) -> Sentence:
        """What it is, for people: League · 90 days a season · Kahuna · 2 players · 3 days a
        turn."""
        lasts = _SEASON if self.form.season else _LASTS
        parts = [
            self.form.title,
            *([say(_ROUNDS, n=self.rounds)] if self.rounds > 1 else []),
            *([say(lasts, n=self.days)] if self.days else []),
            *([say("seeded by rating")] if self.seeded else []),
            self.terms.words,
        ]
        return say("{terms:dots}", terms=parts)

    def is_named(self, text: str, *, fully: bool = False) -> bool:
        """Does a text name it or, `fully`, its format as well: spring league?"""
        name = f"{self.name} {self.format}" if fully else self.name
        return f" {spelt(name)} " in f" {spelt(text)} "

    @property
    def form(self) -> Format:
        """What its format is like."""
        return FORMATS[self.format]

    @property
    def runs(self) -> bool:
        """Has it been drawn and not ended?"""
        return bool(self.drawn) and not self.ended

    @property
    def is_open(self) -> bool:
        """Can people enter?"""
        return not (self.closed or (self.drawn and not self.form.season))

    @property
    def players(self) -> tuple[Handle, ...]:
        """Who plays or, before it is drawn, will."""
        return self.field if self.drawn else self.people

    def divisions(self, people: Iterable[Handle]) -> list[list[Handle]]:
        """Those of them who play, division by division."""
        of = {who: each.division for each in self.tables for who in each.people}
        found = [list[str]() for _ in range(max(of.values(), default=1))]
        for who in people:
            found[of.get(who, 1) - 1].append(who)
        return found

    def listed(self, rated: Mapping[Handle, float] = {}) -> tuple[Handle, ...]:
        """Those who will play, in the order that the last season gives; whoever has come since
        stands at the end (E-41, E-42), those who are `rated` more before those with less (E-53)."""
        last = self.form.follows(self.divisions(self.order))
        came = sorted(self.people, key=lambda who: -rated.get(who, 0))
        return tuple(each for each in dict.fromkeys((*last, *came)) if each in self.people)

    def table(self, number: int) -> EventTable | None:
        """The table of this number."""
        return next((each for each in self.tables if each.number == number), None)

    def left(self, table: EventTable) -> tuple[Handle, ...]:
        """Who of a table that has not begun has not withdrawn, in seat order."""
        return tuple(each for each in table.people if each not in self.withdrew)

    def without(self, handle: Handle, at: str) -> ClubEvent:
        """The event once somebody has left it; if they are playing, they have withdrawn."""
        if self.closed:
            return self
        left = self._replace(people=tuple(each for each in self.people if each != handle))
        return left._replace(withdrew={**self.withdrew, handle: at}) if self.plays(handle) else left

    def plays(self, handle: Handle) -> bool:
        """Is somebody in the draw of an event that has not ended, and has not withdrawn?"""
        return self.runs and handle in self.field and handle not in self.withdrew

    def drawn_as(self, schedule: Rounds, people: tuple[Handle, ...], at: str) -> ClubEvent:
        """The event with a schedule of these people, as they are listed; its outer lists are
        divisions where there are seasons."""
        flat = [(nth, table) for nth, each in enumerate(schedule, 1) for table in each]
        tables = (
            EventTable(n, *((1, (*who,), nth) if self.form.season else (nth, (*who,))))
            for n, (nth, who) in enumerate(flat, 1)
        )
        return ClubEvent(
            *self[:6],
            people=people,
            field=people,
            drawn=at,
            tables=tuple(tables),
            season=self.season + 1,
            past=(*self.past, self._replace(people=self.field, past=())) if self.season else (),
        )
