"""The entries of a club's log about events: announced, entered, withdrew, drawn, undrawn,
ended; and about ratings."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any, Final

from pbem.club.acts import HANDLE, TERMS, ClubAct
from pbem.club.event import ClubEvent, Handle
from pbem.club.fold import Club
from pbem.club.formats import FORMATS
from pbem.club.formats.seating import divided
from pbem.club.terms import ANY, POOL, TableTerms
from pbem.core import NAME, NUMBER, Domain, defined, fact, many, one_of, record
from pbem.log.chance import Dealer
from pbem.log.ruling import DAYS, LINE, TIME, Objection, matching
from pbem.play import games
from pbem.sentence import say

EVENT: Final = matching("a name of letters, digits and -, at most 30", r"[^\W_][\w-]{0,29}")
MOST_PEOPLE: Final = 100
"""So many can enter an event."""
_GROUPS: Final = many(many(HANDLE, MOST_PEOPLE), 5000)
_LUCK: Final = Domain("a whole number from 1 to 100", lambda v: NUMBER.accepts(v) and 0 < v <= 100)
_SEED: Final = matching("a seed: 16 hexadecimal digits", r"[0-9a-f]{16}")


@record
class _OfEvent(ClubAct):
    """Something that happened in an event, which has not ended."""

    event: str = fact(EVENT)

    def objections(self, club: Club, at: str) -> Iterator[Objection]:
        event, until = club.events.get(self.event), getattr(self, "until", "")
        if until and until > at:
            yield say("{at} is before {before}; time runs back", at=at, before=until), "until"
        if event is None:
            yield say("{event} is no event of this club", event=self.event), "event"
        elif event.closed:
            yield say("{event} has ended", event=self.event), "event"
        else:
            yield from self.misplaced(event)

    def misplaced(self, event: ClubEvent) -> Iterator[Objection]:
        """What is wrong with this as the next entry about an event."""
        yield from ()

    def step(self, club: Club, at: str) -> Club:
        event = self.changed(club.events[self.event], at)
        return club._replace(events={**club.events, event.name: event})

    @abstractmethod
    def changed(self, event: ClubEvent, at: str) -> ClubEvent:
        """The event after this."""


@record
class EventAnnounced(ClubAct):
    """An event is announced: by what it is played, who will meet whom, and when it ends."""

    event: str = fact(EVENT)
    terms: TableTerms = fact(TERMS)
    format: str = fact(Domain(", ".join(FORMATS), lambda v: isinstance(v, str) and v in FORMATS))
    rounds: int = fact(NUMBER)
    days: int | None = fact(DAYS)
    seeding: str = fact(one_of("rating", ("rating",)))

    word = "announced"
    optional = ("days", "seeding")

    def objections(self, club: Club, at: str) -> Iterator[Objection]:
        if any(each.casefold() == self.event.casefold() for each in club.events):
            yield say("there is an event {event} already", event=self.event), "event"
        form = FORMATS[self.format]
        if self.terms in (ANY, POOL) or self.terms.players not in form.sizes:
            least, most = form.sizes[0], form.sizes[-1]
            at_table = {"format": self.format, "least": least, "most": most}
            told = say("at a table of the format {format} are {least} to {most}", **at_table)
            yield told, "terms"
        if not 1 <= self.rounds <= form.most_rounds:
            rounds = {"format": self.format, "most": form.most_rounds}
            yield say("the format {format} has 1 to {most} rounds", **rounds), "rounds"
        if self.seeding and not form.season:
            yield say(_NO_LIST, format=self.format), "seeding"

    def step(self, club: Club, at: str) -> Club:
        asked = self.terms, self.format, self.rounds, self.days, bool(self.seeding)
        event = ClubEvent(self.event, *asked)
        return club._replace(events={**club.events, self.event: event})


@record
class EventEntered(_OfEvent):
    """Somebody will play in an event that is not drawn yet, or in the next season of one."""

    handle: Handle = fact(HANDLE)

    word = "entered"
    bars = True

    def misplaced(self, event: ClubEvent) -> Iterator[Objection]:
        if not event.is_open:
            yield say("{event} is drawn already", event=event.name), "event"
        if self.handle in event.people:
            yield say("{handle} has entered already", handle=self.handle), "handle"
        if len(event.people) >= MOST_PEOPLE:
            yield say(_FULL, event=event.name, n=MOST_PEOPLE), "event"

    def step(self, club: Club, at: str) -> Club:
        return _OfEvent.step(self, club, at).with_act(self.handle, at)

    def changed(self, event: ClubEvent, at: str) -> ClubEvent:
        return event._replace(people=(*event.people, self.handle))


@record
class EventLeft(_OfEvent):
    """Somebody does not play in an event any more."""

    handle: Handle = fact(HANDLE)

    word = "withdrew"

    def misplaced(self, event: ClubEvent) -> Iterator[Objection]:
        if self.handle not in event.people:
            yield say("{handle} is not in {event}", handle=self.handle, event=event.name), "handle"

    def changed(self, event: ClubEvent, at: str) -> ClubEvent:
        return event.without(self.handle, at)


@record
class EventDrawn(_OfEvent):
    """Who meets whom: rounds, of tables, of people in seat order; from which seed, and how; where
    an event is seeded, from which list, by the ratings of which moment."""

    seed: str = fact(_SEED)
    algorithm: str = fact(LINE)
    schedule: tuple[Any, ...] = fact(many(_GROUPS))

    seeded: tuple[Handle, ...] | None = fact(many(HANDLE, MOST_PEOPLE))
    until: str = fact(TIME)

    word = "drawn"
    optional = ("seeded", "until")

    def misplaced(self, event: ClubEvent) -> Iterator[Objection]:
        if event.runs:
            yield say("{event} is drawn already", event=event.name), "event"
        yield from too_few(event)
        if event.seeded and self.seeded is None:
            yield say(_UNRATED, event=event.name), "event"
        due = sorted(event.people) if event.seeded else []
        if sorted(self.seeded or ()) != due or bool(self.until) != event.seeded:
            yield say("it is not those who have entered who are seeded"), "seeded"
        tables, size = self.changed(event, "").tables, event.terms.players
        sat = {who for each in tables for who in each.people}
        whole = all(size - 1 <= len(each.people) == len({*each.people}) <= size for each in tables)
        if sat != {*event.people} or not whole:
            yield say("the schedule is not one for those who have entered"), "schedule"

    def changed(self, event: ClubEvent, at: str) -> ClubEvent:
        return event.drawn_as(self.schedule, self.seeded or event.listed(), at)


@record
class EventUndrawn(_OfEvent):
    """The founder undoes the first draw of an event, for a reason: whoever was in it is, and its
    matches, in which nobody had moved, are no longer of it (E-4)."""

    reason: str = fact(LINE)

    word = "undrawn"

    def misplaced(self, event: ClubEvent) -> Iterator[Objection]:
        if not event.runs or event.season > 1 or event.withdrew:
            yield say("{event} has no draw that can be undone", event=event.name), "event"

    def changed(self, event: ClubEvent, at: str) -> ClubEvent:
        return ClubEvent(*event[:6], people=event.people)


def drawing(
    event: ClubEvent, seed: str, seeded: tuple[Handle, ...] | None, until: str
) -> EventDrawn:
    """The schedule that follows from a seed and those who have entered (E-3) or, if it is seeded,
    the list by the ratings of a moment (E-53)."""
    form, people = event.form, seeded or event.listed()
    rounds = form.schedule(people, event.terms.players, event.rounds, seed)
    schedule = tuple([*map(list, each)] for each in rounds)
    return EventDrawn(event.name, seed, form.algorithm, schedule, seeded, until)


def seed(dealer: Dealer, club: Club, event: str) -> str:
    """The seed that the next entry draws an event's schedule from: a draw for each digit (E-3)."""
    digits = [(each, 1) for each in "0123456789abcdef"]
    drawn = (dealer(club.entries + 1, ("schedule", event, str(n)), digits) for n in range(16))
    return "".join(drawn)


def too_few(event: ClubEvent) -> Iterator[Objection]:
    """Why those who have entered cannot be divided into tables, if they cannot."""
    size, people = event.terms.players, len(event.people)
    least, _ = games.game(event.terms.game).PLAYERS
    sizes = {size} if size == 2 else {*divided(people, size)}
    if people < 2 or not sizes or min(sizes) < least:
        yield say(_TOO_FEW, event=event.name, n=people, size=size), "event"


_FULL: Final = "{event} has {n} people, and no more can enter"
_NO_LIST: Final = "who meets whom in the format {format} follows from no list that could be seeded"
_UNRATED: Final = "{event} is seeded by rating, which takes openskill: pip install 'pbem[ratings]'"
_TOO_FEW: Final = "{event} has {n} people so far, which do not fill tables of {size}"


@record
class EventEnded(_OfEvent):
    """An event or a season is over: what had ended before `until` counts, and gives this order of
    people, those who share a rank together, division by division; whoever withdrew is not in it.
    After a season, or before the first, the event itself is over, in no order."""

    until: str = fact(TIME)
    order: tuple[Any, ...] = fact(_GROUPS)

    word = "ended"

    def misplaced(self, event: ClubEvent) -> Iterator[Objection]:
        ranked = [who for each in self.order for who in each]
        stayed = [who for who in event.field if event.runs and who not in event.withdrew]
        if sorted(ranked) != sorted(stayed):
            yield say("the order is not one of those who have played"), "order"

    def changed(self, event: ClubEvent, at: str) -> ClubEvent:
        place = event.field.index
        order = tuple(who for each in self.order for who in sorted(each, key=place))
        over = not (event.runs and event.form.season)
        return event._replace(
            ended=event.ended or self.until, order=event.order or order, closed=over
        )


@record
class RatingsPublished(ClubAct):
    """How ratings of a game are worked out from now on: how much luck there is (`beta`), fitted on
    `matches` that were over before `until`; the log loss of its forecasts, that of guessing; what
    each seat is worth, in points of a rating."""

    game: str = fact(NAME)
    until: str = fact(TIME)
    matches: int = fact(NUMBER)
    beta: int = fact(_LUCK)
    loss: str = fact(LINE)
    guessing: str = fact(LINE)
    seats: tuple[str, ...] = fact(many(LINE, 20))

    word = "rated"

    def step(self, club: Club, at: str) -> Club:
        return club._replace(rated={**club.rated, self.game: self})


EVENT_ACTS: Final = defined(ClubAct, globals())
"""Every kind of entry about events."""
