"""The entries of a club's log: a class for each kind, with its fields, what it needs, what follows.

None says why a person waits no longer, or was not asked: what only one person may know is private.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, ClassVar, Final

from pbem.club.event import ClubEvent, Handle
from pbem.club.fold import Begun, Club, HostedTable, Offer, Vacancy, Wait, less
from pbem.club.terms import ANY, POOL, TableTerms, is_terms
from pbem.core import (
    NAME,
    NUMBER,
    SEAT,
    Domain,
    Record,
    Seat,
    defined,
    fact,
    many,
    one_of,
    record,
    slots,
)
from pbem.log import seal
from pbem.log.private_press import KINDS
from pbem.log.ruling import DAYS, HASH, LINE, SECRET, matching
from pbem.sentence import Sentence, say

HANDLE: Final = matching(
    "a handle: letters, digits, - _ . ' and single blanks, at most 30, and no address",
    r"[^\W_](?:[\w.'-]| (?=\S)){0,29}",
)
TERMS: Final = Domain("terms, like {game: kahuna, players: 2, …}", is_terms)
GAME: Final = Domain("a game, or `all`", NAME.accepts)
SHARE: Final = matching("a fraction, like 9/10", r"(?:0|[1-9]\d{0,2})/[1-9]\d{0,2}")
HOURS: Final = 48
"""How long an offer stands."""
NEXT_AFTER: Final = HOURS // 4
"""After so many hours without an answer the next is asked for an empty seat as well."""
DAYS_OPEN: Final = 30
"""How long a table can wait to be full."""
SILENCE, LEFT = "silence", "left"
"""Why somebody is sought for a seat."""


def later(at: str, **more: int) -> str:
    """A moment so many hours or days later, as logs write it."""
    moment = datetime.fromisoformat(at) + timedelta(**more)
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"


BLANK: Final[Mapping[str, Any]] = {"table": 0} | dict.fromkeys(
    ("after", "in_time", "kept", "match", "seat", "event", "seeding", "until"), ""
)
"""What fields are that are left out; all others are None."""


class Unfit(Exception):
    """Why an entry cannot stand where it is to, and at which of its keys."""

    def __init__(self, sentence: Sentence, key: str) -> None:
        self.sentence, self.key = sentence, key


ClubNews = tuple[Handle, Sequence[Sentence]]
"""Whom something is news for, and what they are told: paragraphs."""


class ClubAct(Record):
    """Something that happened in a club. `word`: what it is called in logs; `optional`: the fields
    that can be left out, and are BLANK then; `bars`: is it not for those who are excluded?"""

    __slots__ = ()
    word: ClassVar[str]
    optional: ClassVar[tuple[str, ...]] = ()
    bars: ClassVar[bool] = False

    @abstractmethod
    def step(self, club: Club, at: str) -> Club:
        """The club after this. Raises Unfit if it cannot be the next entry, whoever is named in
        it."""

    def told(self, club: Club) -> Iterator[ClubNews]:
        """Whom it is news for in the club before it, and no match tells them."""
        yield from ()

    @property
    def people(self) -> Iterator[tuple[str, Handle]]:
        """Who is named in it, and at which key."""
        for slot in slots(type(self)):
            key, value = slot.name, getattr(self, slot.name)
            if key in ("handle", "to", "host"):
                yield key, value
            elif key == "invited":
                yield from ((key, each) for each in value)


_NO_SEAT: Final = "{match} is no match of this club that has a seat {seat}"


def after(act: ClubAct, club: Club, at: str) -> Club:
    """The club after its next entry. Raises Unfit if this cannot be that."""
    if at < club.at:
        raise Unfit(say("{at} is before {before}; time runs back", at=at, before=club.at), "at")
    for key, handle in act.people if not isinstance(act, Joined) else ():
        if handle not in club.joined:
            raise Unfit(say("{handle} has not joined", handle=handle), key)
        if act.bars and (reason := club.excluded.get(handle)):
            raise Unfit(say("{handle} is excluded: {reason}", handle=handle, reason=reason), key)
    if isinstance(act, _OfOffer) and act.offer not in club.offers:
        raise Unfit(say("offer {n} does not stand any more", n=act.offer), "offer")
    match, seat = getattr(act, "match", ""), getattr(act, "seat", "")
    begun = club.begun.get(match)
    if seat and (begun is None or seat not in begun.tenures):
        raise Unfit(say(_NO_SEAT, match=match, seat=seat), "seat")
    return act.step(club, at)._replace(at=at, entries=club.entries + 1)


# ------------------------------------------------------------------------ coming and going


@record
class Joined(ClubAct):
    """Somebody is a member from now on."""

    handle: Handle = fact(HANDLE)

    word = "joined"

    def step(self, club: Club, at: str) -> Club:
        if taken := club.called(self.handle):
            raise Unfit(say("somebody is called {handle} here already", handle=taken), "handle")
        return club._replace(joined={**club.joined, self.handle: at}).with_act(self.handle, at)


@record
class Enlisted(ClubAct):
    """Somebody takes the last place in a line."""

    handle: Handle = fact(HANDLE)
    terms: TableTerms = fact(TERMS)

    word = "waits"
    bars = True

    def step(self, club: Club, at: str) -> Club:
        wait = Wait(self.handle, self.terms, at)
        return club._replace(waits=(*club.waits, wait)).with_act(self.handle, at)


@record
class Unlisted(ClubAct):
    """Somebody leaves the lines of a game and its tables, or `all`; or only one table of it."""

    handle: Handle = fact(HANDLE)
    game: str = fact(GAME)
    table: int = fact(NUMBER)

    word = "left"
    optional = ("table",)

    def without(self, club: Club) -> Club:
        """The club without them there."""
        if self.table:
            table = club.tables.get(self.table)
            return club.changed(table.without(self.handle)).tidied() if table else club
        return club.off(self.handle, "" if self.game == "all" else self.game)

    def step(self, club: Club, at: str) -> Club:
        return self.without(club).with_act(self.handle, at)


@record
class Hosted(ClubAct):
    """Somebody sets up a table; places that nobody is invited to are open to those who have played
    so many of their turns `in_time`, and `kept` so many of their seats, if that is asked for."""

    table: int = fact(NUMBER)
    host: Handle = fact(HANDLE)
    terms: TableTerms = fact(TERMS)
    invited: tuple[Handle, ...] = fact(many(HANDLE, 20))
    after: str = fact(LINE)
    in_time: str = fact(SHARE)
    kept: str = fact(SHARE)

    word = "hosted"
    bars = True
    optional = ("after", "in_time", "kept")

    def step(self, club: Club, at: str) -> Club:
        everybody = self.host, *self.invited
        if self.terms in (ANY, POOL) or len({*everybody}) < len(everybody):
            raise Unfit(say("a table has a game, and everybody sits there once"), "invited")
        if self.after and self.after not in club.begun:
            raise Unfit(say("{match} is no match of this club", match=self.after), "after")
        about = self.table, self.host, self.terms, self.invited, self.after
        asks = self.in_time, self.kept
        table = HostedTable(*about, at, seated=(self.host,), asks=asks)
        tables = {**club.tables, self.table: table}
        return club._replace(tables=tables, hosted=self.table).with_act(self.host, at)


@record
class TableExpired(ClubAct):
    """A table was not full in time."""

    table: int = fact(NUMBER)

    word = "expired"

    def step(self, club: Club, at: str) -> Club:
        table = club.tables.get(self.table)
        if table is None:
            raise Unfit(say("there is no table {n} that is still to begin", n=self.table), "table")
        if at < later(table.at, days=DAYS_OPEN):
            raise Unfit(say("table {n} has time left", n=self.table), "at")
        return club._replace(tables=less(club.tables, self.table)).tidied()

    def told(self, club: Club) -> Iterator[ClubNews]:
        told = "Your table {number} was not full in {days} days, and has ended. [C-15]"
        yield club.tables[self.table].host, [say(told, number=self.table, days=DAYS_OPEN)]


# ------------------------------------------------------------------------------ offers


@record
class OfferMade(ClubAct):
    """Somebody is asked: to begin with those first in a line, to sit at a table, or to take over a
    seat."""

    offer: int = fact(NUMBER)
    to: Handle = fact(HANDLE)
    terms: TableTerms | None = fact(TERMS)
    table: int = fact(NUMBER)
    match: str = fact(LINE)
    seat: str = fact(SEAT)

    word = "offered"
    bars = True
    optional = ("terms", "table", "match", "seat")

    def made(self, at: str) -> Offer:
        """The offer, as of a moment."""
        return Offer(self.offer, self.to, at, self.terms, self.table, self.match, self.seat)

    def step(self, club: Club, at: str) -> Club:
        given = [bool(self.terms), bool(self.table), bool(self.match)]
        if sum(given) != 1 or given[2] != bool(self.seat):
            raise Unfit(say("an offer is about terms, a table, or a match and a seat"), "offer")
        if self.terms:
            if self.to not in club.line(self.terms):
                raise Unfit(say("{handle} does not stand in this line", handle=self.to), "to")
        elif self.table:
            table = club.tables.get(self.table)
            if table is None or not (self.to in table.seated or club.free(table)):
                raise Unfit(say("there is no free place at table {n}", n=self.table), "table")
        elif (self.match, self.seat) not in club.vacancies:
            raise Unfit(say("nobody is sought for this seat"), "seat")
        elif self.to in club.begun[self.match].everybody:
            raise Unfit(
                say("{handle} has had a seat in {match}", handle=self.to, match=self.match), "to"
            )
        elif first := before_the_next(club, self.match, self.seat, at):
            raise Unfit(say("offer {n} has time left", n=first.number), "at")
        offers = {**club.offers, self.offer: self.made(at)}
        club = club._replace(offers=offers, offered=self.offer)
        if not self.match:
            return club
        sought = club.vacancies[self.match, self.seat]
        asked = sought._replace(asked=(*sought.asked, self.to))
        vacancies = {**club.vacancies, (self.match, self.seat): asked}
        return club._replace(vacancies=vacancies, asked={**club.asked, self.to: at})


_NOTHING: Final = {"terms": None, "table": 0, "match": "", "seat": ""}


def ask(club: Club, to: Handle, **about: Any) -> OfferMade:
    """The next offer, about `terms`, a `table`, or a `match` and a `seat`."""
    return OfferMade(club.offered + 1, to, **{**_NOTHING, **about})


def before_the_next(club: Club, match: str, seat: str, at: str) -> Offer | None:
    """The offer of an empty seat that is to be answered before the next is asked (C-47), if one
    is."""
    until = later(at, hours=-NEXT_AFTER)
    return next((each for each in club.asked_about(match, seat) if each.at > until), None)


@record
class _OfOffer(ClubAct):
    """What ends an offer."""

    offer: int = fact(NUMBER)

    def step(self, club: Club, at: str) -> Club:
        left = less(club.offers, self.offer)
        return self.without(club._replace(offers=left), club.offers[self.offer], at)

    def without(self, club: Club, offer: Offer, at: str) -> Club:
        """What becomes of a club in which the offer does not stand any more."""
        return club


@record
class SaidYes(_OfOffer):
    """Whoever was asked accepts; a seat that was offered is theirs."""

    word = "accepted"

    def without(self, club: Club, offer: Offer, at: str) -> Club:
        club = club.with_act(offer.to, at)
        if table := club.tables.get(offer.table):
            seated = tuple(dict.fromkeys((*table.seated, offer.to)))
            return _served(club.changed(table._replace(seated=seated)), offer.to, table.terms)
        if offer.match:
            return _seated(club, offer.match, offer.seat, offer.to)
        return club


@record
class SaidNo(_OfOffer):
    """Whoever was asked declines: a place at a table or a seat goes to others, a place in a line
    is given up."""

    word = "declined"

    def without(self, club: Club, offer: Offer, at: str) -> Club:
        return _refused(club, offer).with_act(offer.to, at)

    def told(self, club: Club) -> Iterator[ClubNews]:
        yield from _not_coming(club, club.offers[self.offer])


@record
class OfferLapsed(_OfOffer):
    """Whoever was asked has not answered in time: as if they had declined, and they are asked to
    take over no seat any more."""

    word = "lapsed"

    def without(self, club: Club, offer: Offer, at: str) -> Club:
        if at < later(offer.at, hours=HOURS):
            raise Unfit(say("offer {n} has time left", n=self.offer), "at")
        club = _refused(club, offer)
        return club.off(offer.to, POOL.game) if offer.match else club

    def told(self, club: Club) -> Iterator[ClubNews]:
        offer = club.offers[self.offer]
        line = offer.terms or POOL
        waits = say(_WAITS_NO_LONGER, terms=line.words, line=line.text())
        yield (
            offer.to,
            [say("No answer came, which counts as no. [C-14]") if offer.table else waits],
        )
        yield from _not_coming(club, offer)


@record
class OfferWithdrawn(_OfOffer):
    """The club takes an offer back."""

    word = "withdrawn"


_COUNTS_AS_NO: Final = "No answer came, which counts as no. [C-14]"
_WAITS_NO_LONGER: Final = (
    "No answer came, so you wait no longer for {terms}. The line `join {line}` puts you at the end "
    "of that line. [C-14]"
)
_DOES_NOT_COME: Final = "{who} does not come to your table {number}: {people:all}. [C-16]"


def _not_coming(club: Club, offer: Offer) -> Iterator[ClubNews]:
    """What the host of a table is told once an offer of a place there was declined."""
    table = club.tables.get(offer.table)
    if table and offer.to != table.host:
        about = {"who": offer.to, "number": table.number, "people": table.seated}
        yield table.host, [say(_DOES_NOT_COME, **about)]


def _refused(club: Club, offer: Offer) -> Club:
    """A club in which somebody does not take what was offered."""
    if offer.terms:
        return _served(club, offer.to, offer.terms)
    if table := club.tables.get(offer.table):
        return _served(club.changed(table.without(offer.to)), offer.to, table.terms)
    return club


def _served(club: Club, handle: Handle, terms: TableTerms) -> Club:
    """A club in which somebody no longer waits for these terms or, if they did not, for any."""
    one = club.wait(handle, terms)
    return club._replace(waits=tuple(each for each in club.waits if each != one)).tidied()


# ------------------------------------------------------------------------- matches, seats


@record
class MatchBegun(ClubAct):
    """A match begins: a table, or those who were first in a line; who sits where, by lot. With
    `event`, the table is one of its schedule."""

    match: str = fact(LINE)
    terms: TableTerms = fact(TERMS)
    seats: dict[str, Handle] = fact(
        Domain(
            "seats and who sits there",
            lambda v: isinstance(v, dict) and all(map(HANDLE.accepts, v.values())),
        )
    )
    table: int = fact(NUMBER)
    event: str = fact(LINE)

    word = "began"
    optional = ("table", "event")

    def _require_table(self, event: ClubEvent | None) -> None:
        table = event.table(self.table) if event and event.runs else None
        if event is None or table is None or table.number in event.matches:
            raise Unfit(say("no such table of {event} is to begin", event=self.event), "table")
        people = event.left(table)
        terms = event.terms._replace(players=len(people))
        if (*self.seats.values(),) != people or self.terms != terms:
            raise Unfit(say("this is not table {n} as it was drawn", n=table.number), "seats")

    def step(self, club: Club, at: str) -> Club:
        terms, players = self.terms, [*self.seats.values()]
        if self.match in club.begun:
            raise Unfit(say("{match} has begun already", match=self.match), "match")
        if len({*players}) != terms.players or len(players) != terms.players:
            raise Unfit(say("this match has {n} players", n=terms.players), "seats")
        if self.event:
            self._require_table(club.events.get(self.event))
        elif self.table:
            table = club.tables.get(self.table)
            if table is None or {*table.seated} != {*players} or table.terms != terms:
                raise Unfit(say("they do not sit at table {n}", n=self.table), "table")
        elif missing := [each for each in players if each not in club.line(terms)]:
            raise Unfit(say("{handle} does not stand in this line", handle=missing[0]), "seats")
        seats = {seat: (who,) for seat, who in self.seats.items()}
        places = () if self.table else [club.wait(who, terms) for who in players]
        waited = tuple(each.since for each in places if each)
        begun = Begun(self.match, terms, at, seats, self.event, waited)
        club = club._replace(begun={**club.begun, self.match: begun})
        if self.event:
            event = club.events[self.event]
            event = event._replace(matches={**event.matches, self.table: self.match})
            return club._replace(events={**club.events, event.name: event})
        tables = less(club.tables, self.table)
        waits = tuple(each for each in club.waits if each not in places)
        return club._replace(tables=tables, waits=waits).tidied()


@record
class SeatSought(ClubAct):
    """A seat is empty, and a substitute is sought."""

    match: str = fact(LINE)
    seat: str = fact(SEAT)
    cause: str = fact(one_of("silence or left", (SILENCE, LEFT)))

    word = "sought"

    def step(self, club: Club, at: str) -> Club:
        left = club.begun[self.match].holder(self.seat)
        vacancy = Vacancy(self.match, self.seat, left, at)
        vacancies = {**club.vacancies, (self.match, self.seat): vacancy}
        club = club._replace(vacancies=vacancies)
        event = club.events.get(club.begun[self.match].event)
        if self.cause == SILENCE and event and event.runs and self.match in event.matches.values():
            club = club._replace(silences=(*club.silences, vacancy))
        return club.off(left) if self.cause == SILENCE else club

    def told(self, club: Club) -> Iterator[ClubNews]:
        if self.cause == SILENCE:
            yield club.begun[self.match].holder(self.seat), [say(_OFFERED, match=self.match)]


_OFFERED: Final = (
    "{match}: your days of grace are over, and your seat is offered to others. It is yours again "
    "if you move before somebody accepts. You wait for nothing now. [C-31, C-44]"
)


@record
class SearchEnded(ClubAct):
    """Nobody is sought for a seat any more: its player is back, or the match is over."""

    match: str = fact(LINE)
    seat: str = fact(SEAT)

    word = "closed"

    def step(self, club: Club, at: str) -> Club:
        return club._replace(vacancies=less(club.vacancies, (self.match, self.seat))).tidied()


@record
class SeatFilled(ClubAct):
    """The founder seats somebody, whoever has been asked."""

    match: str = fact(LINE)
    seat: str = fact(SEAT)
    handle: Handle = fact(HANDLE)

    word = "seated"
    bars = True

    def step(self, club: Club, at: str) -> Club:
        begun = club.begun[self.match]
        others = (tenures for seat, tenures in begun.tenures.items() if seat != self.seat)
        if any(self.handle in each for each in others) or begun.holder(self.seat) == self.handle:
            told = say("{handle} has had a seat in {match}", handle=self.handle, match=self.match)
            raise Unfit(told, "handle")
        return _seated(club, self.match, self.seat, self.handle)


def _seated(club: Club, match: str, seat: Seat, handle: Handle) -> Club:
    """A club in which a seat of a match is somebody's, and nobody is sought for it."""
    begun = club.begun[match]
    tenures = {**begun.tenures, seat: (*begun.tenures[seat], handle)}
    changed = {**club.begun, match: begun._replace(tenures=tenures)}
    return club._replace(begun=changed, vacancies=less(club.vacancies, (match, seat))).tidied()


# ------------------------------------------------------------------------------ the founder


@record
class Excluded(ClubAct):
    """The founder excludes somebody, for a reason."""

    handle: Handle = fact(HANDLE)
    reason: str = fact(LINE)

    word = "excluded"

    def step(self, club: Club, at: str) -> Club:
        if self.handle in club.excluded:
            raise Unfit(say("{handle} is excluded already", handle=self.handle), "handle")
        excluded = {**club.excluded, self.handle: self.reason}
        events = {name: each.without(self.handle, at) for name, each in club.events.items()}
        return club._replace(excluded=excluded, events=events).off(self.handle)

    def told(self, club: Club) -> Iterator[ClubNews]:
        told = "You are excluded from the club: {reason}. [C-50]"
        yield self.handle, [say(told, reason=self.reason)]


@record
class Readmitted(ClubAct):
    """The founder takes an exclusion back, for a reason."""

    handle: Handle = fact(HANDLE)
    reason: str = fact(LINE)

    word = "readmitted"

    def step(self, club: Club, at: str) -> Club:
        if self.handle not in club.excluded:
            raise Unfit(say("{handle} is not excluded", handle=self.handle), "handle")
        return club._replace(excluded=less(club.excluded, self.handle))

    def told(self, club: Club) -> Iterator[ClubNews]:
        told = "You are readmitted to the club: {reason}. [C-50]"
        yield self.handle, [say(told, reason=self.reason)]


@record
class HouseSettings(ClubAct):
    """How matches are begun from now on: which games, how many days for a turn, counted in which
    zone, and what players may say to each other."""

    games: tuple[str, ...] = fact(many(NAME))
    turn: int = fact(DAYS)
    zone: str = fact(LINE)
    press: str = fact(one_of("none, public, private or grey", KINDS))

    word = "settings"

    def step(self, club: Club, at: str) -> Club:
        values = {slot.name: getattr(self, slot.name) for slot in slots(type(self))}
        return club.under(values)


@record
class SecretOpened(ClubAct):
    """The secret of the draws so far is opened, and those to come are promised another."""

    secret: str = fact(SECRET)
    commit: str = fact(HASH)

    word = "opened"

    def step(self, club: Club, at: str) -> Club:
        if seal.commit(bytes.fromhex(self.secret)) != club.commit:
            raise Unfit(say("this is not the secret that was committed to"), "secret")
        opened = (*club.opened, (club.entries + 1, self.secret))
        return club._replace(commit=self.commit, opened=opened)


CLUB_ACTS: Final = tuple(each for each in defined(ClubAct, globals()) if each is not ClubAct)
"""Every kind of entry, but those about events."""


def made(kind: type[ClubAct], data: Mapping[str, Any]) -> ClubAct:
    """The entry of this kind whose fields are in these data, which were checked before."""
    given = ((slot.of, data.get(slot.name, BLANK.get(slot.name))) for slot in slots(kind))
    return kind(*(_held(of, value) for of, value in given))


def _held(of: Domain, value: Any) -> Any:
    if of is TERMS and value is not None:
        return TableTerms.of(value)
    return tuple(value) if isinstance(value, list) else value


def plain(act: ClubAct) -> dict[str, Any]:
    """An entry's fields as they are written."""
    values = ((slot.name, getattr(act, slot.name)) for slot in slots(type(act)))
    return {
        name: value.plain() if isinstance(value, TableTerms) else value
        for name, value in values
        if name not in act.optional or value != BLANK.get(name)
    }
