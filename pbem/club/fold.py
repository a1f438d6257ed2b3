"""What the entries of a club's log add up to: frozen values, and what is asked of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeVar

from pbem.club.event import ClubEvent, Handle, spelt
from pbem.club.terms import ANY, POOL, TableTerms
from pbem.core import Seat
from pbem.sentence import Sentence, say

K = TypeVar("K")
V = TypeVar("V")


def less(known: Mapping[K, V], *keys: K) -> dict[K, V]:
    """What is known, but for these keys."""
    return {key: value for key, value in known.items() if key not in keys}


class Wait(NamedTuple):
    """Somebody's place in a line."""

    handle: Handle
    terms: TableTerms
    since: str


class Offer(NamedTuple):
    """A question with a deadline: to begin with the others of a line (`terms`), to sit at a hosted
    `table`, or to take over the `seat` of a `match`."""

    number: int
    to: Handle
    at: str
    terms: TableTerms | None = None
    table: int = 0
    match: str = ""
    seat: Seat = ""


class HostedTable(NamedTuple):
    """A table that has not begun: who sits there, in the order in which they came. With `after`,
    it is that match again, seats turned. `asks` are the least fractions of turns in time and of
    seats kept with which somebody gets an open place, "" for any."""

    number: int
    host: Handle
    terms: TableTerms
    invited: tuple[Handle, ...]
    after: str
    at: str
    seated: tuple[Handle, ...]
    declined: frozenset[Handle] = frozenset()
    asks: tuple[str, str] = ("", "")

    def without(self, handle: Handle) -> HostedTable:
        """The table once somebody has left it, or said no."""
        seated = tuple(each for each in self.seated if each != handle)
        return self._replace(seated=seated, declined=self.declined | {handle})


class Begun(NamedTuple):
    """A match that the club has begun: its terms, and who has sat where, the latest last; the event
    that it belongs to, if it does; and since when those who came from a line had `waited`."""

    match: str
    terms: TableTerms
    at: str
    tenures: Mapping[Seat, tuple[Handle, ...]]
    event: str = ""
    waited: tuple[str, ...] = ()

    def holder(self, seat: Seat) -> Handle:
        """Who sits there now."""
        return self.tenures[seat][-1]

    @property
    def people(self) -> list[Handle]:
        """Who sits there now, seat by seat."""
        return self.others("")

    def others(self, seat: Seat) -> list[Handle]:
        """Who sits at the other seats now."""
        return [self.holder(each) for each in self.tenures if each != seat]

    def named(self, but: Handle = "") -> list[Handle | Sentence]:
        """Who sits there, seat by seat, and for whom they do: a result belongs to whoever began the
        match (E-22). The seats that somebody has had, if it is not about them, are left out."""
        return [
            say("{who} for {other}", who=had[-1], other=had[0]) if had[1:] else had[0]
            for had in self.tenures.values()
            if but not in had
        ]

    @property
    def everybody(self) -> frozenset[Handle]:
        """All who have ever sat there, and so may have seen hidden cards."""
        return frozenset(each for tenures in self.tenures.values() for each in tenures)


class Vacancy(NamedTuple):
    """A seat that somebody is sought for: whose it was, since when, and who has been asked."""

    match: str
    seat: Seat
    left: Handle
    at: str
    asked: tuple[Handle, ...] = ()


class Club(NamedTuple):
    """A club at one moment. `offers` are those that nobody has answered, `tables` those that are
    still to begin, by number; `vacancies` the searches, by match and seat; `acted` says when
    somebody last did something here; `asked`, when they were last asked to take over a seat;
    `silences` are all searches that somebody's silence began in a match of an event that ran."""

    name: str
    commit: str
    at: str
    settings: Mapping[str, Any] = {}
    joined: Mapping[Handle, str] = {}
    waits: tuple[Wait, ...] = ()
    offers: Mapping[int, Offer] = {}
    tables: Mapping[int, HostedTable] = {}
    begun: Mapping[str, Begun] = {}
    vacancies: Mapping[tuple[str, Seat], Vacancy] = {}
    silences: tuple[Vacancy, ...] = ()
    excluded: Mapping[Handle, str] = {}
    acted: Mapping[Handle, str] = {}
    asked: Mapping[Handle, str] = {}
    offered: int = 0
    hosted: int = 0
    entries: int = 0
    events: Mapping[str, ClubEvent] = {}
    rated: Mapping[str, Any] = {}
    """The latest entry about the ratings of each game."""
    opened: tuple[tuple[int, str], ...] = ()
    """The secrets that have been opened, each after the number of the entry that opened it."""

    def called(self, name: str) -> Handle | None:
        """The handle somebody means, however they write it; None if nobody is called so."""
        return next((each for each in self.joined if each.casefold() == name.casefold()), None)

    def event(self, name: str) -> ClubEvent | None:
        """The event somebody means: by its name or, after that, its format as well (spring
        league)."""
        told, events = spelt(name), self.events.values()
        called = ((each, spelt(each.name), spelt(f"{each.name} {each.format}")) for each in events)
        return next((each for each, *names in called if told in names), None)

    def line(self, terms: TableTerms) -> tuple[Handle, ...]:
        """Who waits for these terms, the first first; those who wait for any table among them."""
        also = () if terms == POOL else (ANY,)
        return tuple(
            dict.fromkeys(each.handle for each in self.waits if each.terms in (terms, *also))
        )

    def wait(self, handle: Handle, terms: TableTerms) -> Wait | None:
        """Somebody's place in the line for these terms or, if they have none, for any."""
        theirs = {each.terms: each for each in self.waits if each.handle == handle}
        return theirs.get(terms) or theirs.get(ANY)

    def lines(self) -> dict[TableTerms, tuple[Handle, ...]]:
        """The lines, the oldest first, with all who wait there."""
        return {each.terms: self.line(each.terms) for each in self.waits}

    def offers_to(self, handle: Handle) -> tuple[Offer, ...]:
        """What somebody is asked now."""
        return tuple(each for each in self.offers.values() if each.to == handle)

    def terms_of(self, offer: Offer) -> TableTerms:
        """By what the match is played that an offer is about."""
        if offer.match:
            return self.begun[offer.match].terms
        table = self.tables.get(offer.table)
        found = table.terms if table else offer.terms
        assert found is not None
        return found

    def asked_to(self, table: HostedTable) -> list[Handle]:
        """Who is asked to sit at a table."""
        return [each.to for each in self.offers.values() if each.table == table.number]

    def asked_about(self, match: str, seat: Seat) -> list[Offer]:
        """The questions about a seat that nobody has answered."""
        return [each for each in self.offers.values() if (each.match, each.seat) == (match, seat)]

    def free(self, table: HostedTable) -> int:
        """How many places of a table are neither taken nor offered to anybody."""
        return table.terms.players - len({*table.seated, *self.asked_to(table)})

    def rivals(self, match: str) -> frozenset[Handle]:
        """Who plays in the event of a match, as long as it runs."""
        begun = self.begun.get(match)
        event = self.events.get(begun.event) if begun else None
        if event is None or not event.runs or match not in event.matches.values():
            return frozenset()
        return frozenset(event.players) - event.withdrew.keys()

    # ------------------------------------------------------------------- how it changes

    def under(self, settings: Mapping[str, Any]) -> Club:
        """With other settings: what was agreed before stays as it is (C-17)."""

        def kept(each: Any) -> Any:
            return each._replace(terms=each.terms and each.terms.under(settings, self.settings))

        named = ("offers", "tables", "begun", "events")
        changed: dict[str, Any] = {
            field: {key: kept(each) for key, each in getattr(self, field).items()}
            for field in named
        }
        return self._replace(settings=settings, waits=tuple(map(kept, self.waits)), **changed)

    def with_act(self, handle: Handle, at: str) -> Club:
        """Somebody has been heard from."""
        return self._replace(acted={**self.acted, handle: at})

    def off(self, handle: Handle, game: str = "") -> Club:
        """Somebody stands in no line of a game any more, sits at no table of it that is still to
        begin, and is asked nothing about it; without a game, in none at all."""

        def theirs(one: Handle, named: str) -> bool:
            return one == handle and game in ("", named)

        def about(offer: Offer) -> str:
            return POOL.game if offer.match else self.terms_of(offer).game

        waits = tuple(each for each in self.waits if not theirs(each.handle, each.terms.game))
        offers = (n for n, each in self.offers.items() if theirs(each.to, about(each)))
        tables = (
            each.without(handle)
            for each in self.tables.values()
            if game in ("", each.terms.game) and handle in (*each.invited, *each.seated)
        )
        left = self._replace(waits=waits, offers=less(self.offers, *offers))
        return left.changed(*tables).tidied()

    def tidied(self) -> Club:
        """Without offers of what there is no more."""

        def stands(offer: Offer) -> bool:
            if offer.terms:
                return offer.to in self.line(offer.terms)
            return offer.table in self.tables or (offer.match, offer.seat) in self.vacancies

        gone = (number for number, each in self.offers.items() if not stands(each))
        return self._replace(offers=less(self.offers, *gone))

    def changed(self, *tables: HostedTable) -> Club:
        """With tables as they are now; one whose host has left is no more."""
        now = {**self.tables, **{each.number: each for each in tables}}
        gone = (number for number, each in now.items() if each.host not in each.seated)
        return self._replace(tables=less(now, *gone))
