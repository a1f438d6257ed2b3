"""What a club has to do at a moment: it follows from its log, its private file, its matches' logs.

The first errand of `errands` comes first: what it enters may change all the others.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from pbem.club import acts, ratings, terms
from pbem.club.acts import later
from pbem.club.event import ClubEvent, Handle
from pbem.club.event_acts import REST, EventDrawn, EventLeft, drawing, seed, too_few
from pbem.club.fold import Begun, Club, HostedTable, Offer, Vacancy
from pbem.club.private import ClubDesk
from pbem.club.reliability import Members
from pbem.club.results import Standings
from pbem.club.tenures import MatchRecord
from pbem.club.terms import ANY, POOL, TableTerms
from pbem.core import Seat
from pbem.log.chance import Dealer
from pbem.play import games
from pbem.sentence import Sentence, say

HEARD_DAYS: Final = 3
"""Whoever was heard from within so many days is there."""
REMINDED_AFTER: Final = 14
"""After so many days the host of a table is reminded of it."""
FORGOTTEN_AFTER: Final = 24
"""So many hours after their word is said again, somebody is forgotten: their last mail is out."""
SOUGHT_DAYS: Final = 7
"""If nobody was found for a seat in so many days, the founder is asked."""


class Enter(NamedTuple):
    """An entry is due in the club's log."""

    act: acts.ClubAct


class MakeMatch(NamedTuple):
    """A match has been begun whose files are not there yet."""

    begun: Begun


class GiveSeat(NamedTuple):
    """Somebody has a seat whose match does not know it yet."""

    match: str
    seat: Seat
    handle: Handle


Errand = Enter | MakeMatch | GiveSeat


Silent = Callable[["View", str, Seat], bool]
"""Is a seat of a match really silent, once its days of grace are over? A mail may lie aside."""


@dataclass(frozen=True)
class View(Members):
    """What errands follow from: what is known, the club's private file, the names that matches have
    already, and which seats are really `silent`. All moments that were asked about are noted in
    `ahead`."""

    desk: ClubDesk
    taken: Collection[str]
    silent: Silent
    ahead: list[str] = field(default_factory=list)

    def past(self, moment: str) -> bool:
        """Has a moment come?"""
        self.ahead.append(moment)
        return self.at >= moment

    @property
    def until(self) -> str:
        """The first moment, from this one on, that may bring something by what was asked; an hour
        from now, if that is earlier."""
        return min([later(self.at, hours=1), *(each for each in self.ahead if each >= self.at)])

    def is_silent(self, match: str, seat: Seat) -> bool:
        """Is a seat really silent? What is not, may be at any moment."""
        silent = self.silent(self, match, seat)
        self.ahead.extend(() if silent else (self.at,))
        return silent

    def reaches(self, handle: Handle, asks: tuple[str, str]) -> bool:
        """Can somebody be counted on as far as a host asks?"""
        return not any(asks) or self.reliability(handle).reaches(asks)

    def most(self, handle: Handle) -> int:
        """How many seats and waits somebody can have at once."""
        return self.limit(handle, self.desk.member(handle).limit)

    def has_room(self, handle: Handle) -> bool:
        """Can somebody have one seat or wait more (C-30)?"""
        return self.burden(handle) < self.most(handle)

    def get_on(self, handle: Handle, others: Iterable[Handle]) -> bool:
        """Can somebody sit at a table with these others?"""
        return not any(self.desk.avoid(handle, each) for each in others)


def errands(view: View) -> Iterator[Errand]:
    """What is to be done now, the first first."""
    yield from _over(view)
    yield from _unmade(view)
    for event in view.club.events.values():
        yield from _of_event(view, event)
    yield from _of_ratings(view)
    for table in view.club.tables.values():
        yield from _of_table(view, table)
    yield from _of_lines(view)
    for vacancy in view.club.vacancies.values():
        yield from _of_vacancy(view, vacancy)


def to_be_forgotten(view: View) -> list[Handle]:
    """Who wishes to be forgotten, and sits in no match that goes on."""
    return [
        handle
        for handle, since in view.desk.leaving.items()
        if view.at >= later(since, hours=FORGOTTEN_AFTER)
        if not view.playing(handle)
    ]


def not_full(club: Club, at: str) -> list[HostedTable]:
    """The tables whose hosts are to hear that they are still not full (C-15)."""
    return [each for each in club.tables.values() if at >= later(each.at, days=REMINDED_AFTER)]


def _over(view: View) -> Iterator[Errand]:
    """What time has ended, and searches that need nobody any more."""
    for offer in view.club.offers.values():
        if view.past(later(offer.at, hours=acts.HOURS)):
            yield Enter(acts.OfferLapsed(offer.number))
    for table in view.club.tables.values():
        if view.past(later(table.at, days=acts.DAYS_OPEN)):
            yield Enter(acts.TableExpired(table.number))
    for each in view.club.vacancies.values():
        record = view.records.get(each.match)
        if record and (record.over or each.seat not in _empty(view, record)):
            yield Enter(acts.SearchEnded(each.match, each.seat))


def _empty(view: View, record: MatchRecord) -> dict[Seat, str]:
    """The seats of a match that somebody should be sought for, and why."""
    over = (seat for seat, lapse in record.silent.items() if view.past(later(lapse, seconds=1)))
    silent = {seat: acts.SILENCE for seat in over if view.is_silent(record.match, seat)}
    return {} if record.over else {**silent, **dict.fromkeys(record.left, acts.LEFT)}


def _unmade(view: View) -> Iterator[Errand]:
    """What was decided here and has not reached a match; then seats that are empty."""
    for match, begun in view.club.begun.items():
        record = view.records.get(match)
        if match in view.desk.unmade:
            yield MakeMatch(begun)
        if record is None:
            continue
        empty = _empty(view, record)
        for seat, ours in begun.tenures.items():
            theirs = tuple(each.handle for each in record.tenures if each.seat == seat)
            if theirs == ours:
                if seat in empty and (match, seat) not in view.club.vacancies:
                    yield Enter(acts.SeatSought(match, seat, empty[seat]))
            elif ours[: len(theirs)] == theirs and not record.over:
                yield GiveSeat(match, seat, ours[-1])
            elif theirs[:-1] == ours and theirs[-1] in view.club.joined:
                yield Enter(acts.SeatFilled(match, seat, theirs[-1]))  # by a ruling


def _of_event(view: View, event: ClubEvent) -> Iterator[Errand]:
    """The matches of an event that can begin, seats as they were drawn; its end (E-30); and the
    next season, without those who can enter none (E-42)."""
    if not event.runs:
        if event.ended and not event.closed and view.past(later(event.ended, days=REST)):
            out = view.out_of_season(event)
            for who in out:
                yield Enter(EventLeft(event.name, who))
            if not out and not too_few(event):
                yield Enter(drawn(view, event))
        return
    stand = Standings(event, view.records, view.at)
    until = event.days and later(event.drawn, days=event.days)
    if not stand.to_come or (until and view.past(until)):
        yield Enter(stand.end())
        return
    for table in stand.due():
        people = event.left(table)
        wanted = event.terms._replace(players=len(people))
        seats = terms.seats(games.game(wanted.game), wanted.players)
        seated = dict(zip(seats, people, strict=True))
        match = _unused(view, event.name)
        yield Enter(acts.MatchBegun(match, wanted, seated, table.number, event.name))


def drawn(view: View, event: ClubEvent) -> EventDrawn:
    """The draw of an event, as the next entry: by lot and, if it is seeded, by ratings."""
    lot = seed(view.desk.lots, view.club, event.name)
    if not event.seeded:
        return drawing(event, lot, None, "")
    return drawing(event, lot, ratings.seeded(view, event), view.at)


def _of_ratings(view: View) -> Iterator[Errand]:
    """How ratings are worked out, of each game of which an event has ended since (E-51)."""
    ends = {each.terms.game: each.ended for each in view.club.events.values() if each.ended}
    for game, until in ends.items():
        known = view.club.rated.get(game)
        old = known is None or known.until < until
        if old and (rated := ratings.fitted(view.records.values(), game, until)):
            yield Enter(rated)


# ------------------------------------------------------------------------- tables and lines


def _of_table(view: View, table: HostedTable) -> Iterator[Errand]:
    """What a hosted table needs: answers of those invited, people for its open places, a start."""
    club = view.club
    asked = {*club.asked_to(table)}
    gone = asked | table.declined | {*table.seated}
    if len(table.seated) == table.terms.players:
        yield from _begin(view, table.terms, table.seated, table)
        return
    line = () if table.after else club.line(table.terms)
    others = (each for each in line if view.reaches(each, table.asks))
    fit = (
        each
        for each in dict.fromkeys((*table.invited, *others))
        if each not in gone and view.get_on(each, (*table.seated, *asked))
    )
    for each, _ in zip(fit, range(club.free(table)), strict=False):
        yield Enter(acts.ask(club, each, table=table.number))


def _of_lines(view: View) -> Iterator[Errand]:
    """The tables that those in the lines can fill, the first in each first."""
    club = view.club
    lines = [each for each in club.lines() if each not in (ANY, POOL)]
    known = club.settings.get("games", ()) if any(w.terms == ANY for w in club.waits) else ()
    usual = [terms.read(each, club.settings) for each in known]
    for each in dict.fromkeys((*lines, *usual)):
        if group := _first(view, each):
            yield from _begin(view, each, group)


def _first(view: View, wanted: TableTerms) -> tuple[Handle, ...]:
    """The first in a line who can sit at a table together; () if they are too few."""
    found = list[Handle]()
    for each in view.club.line(wanted):
        if view.get_on(each, found):
            found.append(each)
        if len(found) == wanted.players:
            return tuple(found)
    return ()


def _begin(
    view: View, wanted: TableTerms, group: tuple[Handle, ...], table: HostedTable | None = None
) -> Iterator[Errand]:
    """A match, if all of them are there; else the questions to those who may not be (C-11)."""
    number, club = table.number if table else 0, view.club
    line = {o.to for o in club.offers.values() if o.terms == wanted}
    asked = club.asked_to(table) if table else line
    heard_since = later(view.at, days=-HEARD_DAYS)  # a yes to an offer counts as well
    away = [each for each in group if view.heard(each) < heard_since]
    for each in away:
        if each not in asked:
            about = {"table": number} if table else {"terms": wanted}
            yield Enter(acts.ask(club, each, **about))
    if not away:
        match = _unused(view, wanted.game)
        seats = terms.seats(games.game(wanted.game), wanted.players)
        turned = one_seat_on(club, table, seats, group)
        seated = turned or by_lot(view.desk.lots, club, match, seats, group)
        yield Enter(acts.MatchBegun(match, wanted, seated, number, ""))


def _unused(view: View, game: str) -> str:
    """The first name of its kind that no match has."""
    number = 1
    while (name := f"{game}-{number}") in view.club.begun or name in view.taken:
        number += 1
    return name


def one_seat_on(
    club: Club, table: HostedTable | None, seats: Iterable[Seat], group: Iterable[Handle]
) -> dict[Seat, Handle] | None:
    """Who sits where if a match is played again by those who began it; None if they are others, or
    there was no such match (C-13)."""
    before = club.begun.get(table.after) if table else None
    if before is None or {each[0] for each in before.tenures.values()} != {*group}:
        return None
    *others, last = (before.tenures[seat][0] for seat in seats)
    return dict(zip(seats, (last, *others), strict=True))


def by_lot(
    dealer: Dealer, club: Club, match: str, seats: Iterable[Seat], group: Iterable[Handle]
) -> dict[Seat, Handle]:
    """Who sits where in a match that the next entry begins: a draw for each seat (C-12)."""
    left, found = sorted(group), dict[Seat, Handle]()
    for seat in seats:
        lots = [(handle, 1) for handle in left]
        found[seat] = dealer(club.entries + 1, ("seat", match, seat), lots)
        left.remove(found[seat])
    return found


# ------------------------------------------------------------------------- empty seats


def _of_vacancy(view: View, vacancy: Vacancy) -> Iterator[Errand]:
    """Whom to ask next for an empty seat."""
    club, match, seat = view.club, vacancy.match, vacancy.seat
    first = acts.before_the_next(club, match, seat, view.at)
    if first and not view.past(later(first.at, hours=acts.NEXT_AFTER)):
        return
    if chosen := _next_substitute(view, vacancy):
        yield Enter(acts.ask(club, chosen, match=match, seat=seat))


def in_vain(club: Club, vacancy: Vacancy, at: str) -> bool:
    """Was nobody found for a seat in time, and is nobody asked? Then the founder is, as without a
    club (C-46)."""
    asked = club.asked_about(vacancy.match, vacancy.seat)
    return not asked and at >= later(vacancy.at, days=SOUGHT_DAYS)


def _next_substitute(view: View, vacancy: Vacancy) -> Handle | None:
    """Whoever of the pool has not been asked for the longest time; of equals, one by lot (C-42)."""
    club = view.club
    unasked = {
        each.handle: club.asked.get(each.handle, each.since)
        for each in club.waits
        if each.terms == POOL and not why_not_asked(view, vacancy, each.handle)
    }
    if not unasked:
        return None
    longest = min(unasked.values())
    equals = sorted(handle for handle, since in unasked.items() if since == longest)
    purpose = ("substitute", vacancy.match, vacancy.seat)
    return view.desk.lots(club.entries + 1, purpose, [(each, 1) for each in equals])


def can_take(view: View, offer: Offer) -> bool:
    """Could somebody be asked about a seat that is sought still, had they not been asked before?"""
    vacancy = view.club.vacancies.get((offer.match, offer.seat))
    again = vacancy and vacancy._replace(asked=())
    return bool(again and not why_not_asked(view, again, offer.to))


def why_not_asked(view: View, vacancy: Vacancy, handle: Handle) -> Sentence | None:
    """Why somebody of the pool is not asked for an empty seat; None if they can be."""
    club, begun = view.club, view.club.begun[vacancy.match]
    if handle in begun.everybody:
        return say("{who} has a seat there, or had one [C-43]", who=handle)
    if handle in club.rivals(vacancy.match):
        return say("{who} plays in the same event [C-48]", who=handle)
    if handle in vacancy.asked:
        return say("{who} was asked", who=handle)
    if any(each.match and each.to == handle for each in club.offers.values()):
        return say("{who} is asked about another seat [C-41]", who=handle)
    if not view.has_room(handle):
        return say("{who} has as many seats and places in lines as they can [C-30]", who=handle)
    if not view.get_on(handle, begun.others(vacancy.seat)):
        return say("{who} and somebody there are kept apart [C-32]", who=handle)
    return None
