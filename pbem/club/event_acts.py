"""The entries of a club's log about events: announced, entered, withdrew, drawn, undrawn,
ended; and about ratings."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any, Final

from pbem.club.acts import HANDLE, TERMS, ClubAct, ClubNews, Unfit
from pbem.club.event import ClubEvent, Handle
from pbem.club.fold import Club
from pbem.club.formats import FORMATS
from pbem.club.formats.seating import divided
from pbem.club.terms import ANY, POOL, TableTerms
from pbem.core import NAME, NUMBER, Domain, defined, fact, many, one_of, record
from pbem.log.chance import Dealer
from pbem.log.ruling import DAYS, LINE, TIME, matching
from pbem.play import games
from pbem.sentence import Sentence, say

EVENT: Final = matching("a name of letters, digits and -, at most 30", r"[^\W_][\w-]{0,29}")
REST: Final = 7
"""So many days after a season of an event ended the next is drawn."""
MOST_PEOPLE: Final = 100
"""So many can enter an event."""
_GROUPS: Final = many(many(HANDLE, MOST_PEOPLE), 5000)
_LUCK: Final = Domain("a whole number from 1 to 100", lambda v: NUMBER.accepts(v) and 0 < v <= 100)
_SEED: Final = matching("a seed: 16 hexadecimal digits", r"[0-9a-f]{16}")


@record
class _OfEvent(ClubAct):
    """Something that happened in an event, which has not ended."""

    event: str = fact(EVENT)

    def step(self, club: Club, at: str) -> Club:
        event, until = club.events.get(self.event), getattr(self, "until", "")
        if until and until > at:
            raise Unfit(
                say("{at} is before {before}; time runs back", at=at, before=until), "until"
            )
        if event is None:
            raise Unfit(say("{event} is no event of this club", event=self.event), "event")
        if event.closed:
            raise Unfit(say("{event} has ended", event=self.event), "event")
        return club._replace(events={**club.events, event.name: self.changed(event, at)})

    @abstractmethod
    def changed(self, event: ClubEvent, at: str) -> ClubEvent:
        """The event after this. Raises Unfit if it cannot be the next entry about it."""


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

    def step(self, club: Club, at: str) -> Club:
        if any(each.casefold() == self.event.casefold() for each in club.events):
            raise Unfit(say("there is an event {event} already", event=self.event), "event")
        form = FORMATS[self.format]
        if self.terms in (ANY, POOL) or self.terms.players not in form.sizes:
            least, most = form.sizes[0], form.sizes[-1]
            at_table = {"format": self.format, "least": least, "most": most}
            told = say("at a table of the format {format} are {least} to {most}", **at_table)
            raise Unfit(told, "terms")
        if not 1 <= self.rounds <= form.most_rounds:
            rounds = {"format": self.format, "most": form.most_rounds}
            raise Unfit(say("the format {format} has 1 to {most} rounds", **rounds), "rounds")
        if self.seeding and not form.season:
            raise Unfit(say(_NO_LIST, format=self.format), "seeding")
        asked = self.terms, self.format, self.rounds, self.days, bool(self.seeding)
        event = ClubEvent(self.event, *asked)
        return club._replace(events={**club.events, self.event: event})


@record
class EventEntered(_OfEvent):
    """Somebody will play in an event that is not drawn yet, or in the next season of one."""

    handle: Handle = fact(HANDLE)

    word = "entered"
    bars = True

    def step(self, club: Club, at: str) -> Club:
        return _OfEvent.step(self, club, at).with_act(self.handle, at)

    def changed(self, event: ClubEvent, at: str) -> ClubEvent:
        if not event.is_open:
            raise Unfit(say("{event} is drawn already", event=event.name), "event")
        if self.handle in event.people:
            raise Unfit(say("{handle} has entered already", handle=self.handle), "handle")
        if len(event.people) >= MOST_PEOPLE:
            raise Unfit(say(_FULL, event=event.name, n=MOST_PEOPLE), "event")
        return event._replace(people=(*event.people, self.handle))


@record
class EventLeft(_OfEvent):
    """Somebody does not play in an event any more."""

    handle: Handle = fact(HANDLE)

    word = "withdrew"

    def changed(self, event: ClubEvent, at: str) -> ClubEvent:
        if self.handle not in event.people:
            raise Unfit(
                say("{handle} is not in {event}", handle=self.handle, event=event.name), "handle"
            )
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

    def changed(self, event: ClubEvent, at: str) -> ClubEvent:
        if event.runs:
            raise Unfit(say("{event} is drawn already", event=event.name), "event")
        if told := too_few(event):
            raise Unfit(told, "event")
        if event.seeded and self.seeded is None:
            raise Unfit(say(_UNRATED, event=event.name), "event")
        due = sorted(event.people) if event.seeded else []
        if sorted(self.seeded or ()) != due or bool(self.until) != event.seeded:
            raise Unfit(say("it is not those who have entered who are seeded"), "seeded")
        drawn, size = (
            event.drawn_as(self.schedule, self.seeded or event.listed(), at),
            event.terms.players,
        )
        tables = [each.people for each in drawn.tables]
        sat = {who for each in tables for who in each}
        whole = all(size - 1 <= len(each) == len({*each}) <= size for each in tables)
        if sat != {*event.people} or not whole:
            raise Unfit(say("the schedule is not one for those who have entered"), "schedule")
        return drawn


@record
class EventUndrawn(_OfEvent):
    """The founder undoes the first draw of an event, for a reason: whoever was in it is, and its
    matches, in which nobody had moved, are no longer of it (E-4)."""

    reason: str = fact(LINE)

    word = "undrawn"

    def changed(self, event: ClubEvent, at: str) -> ClubEvent:
        why = None
        if not event.runs:
            why = say("it is not drawn, or has ended")
        elif event.season > 1:
            why = say("only that of the first season can be")
        elif event.withdrew:
            why = say("{people:all} left it since", people=[*event.withdrew])
        if why:
            raise Unfit(say(_NO_DRAW, event=event.name, why=why), "event")
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


def too_few(event: ClubEvent) -> Sentence | None:
    """Why those who have entered cannot be divided into tables, if they cannot."""
    size, people = event.terms.players, len(event.people)
    least, _ = games.game(event.terms.game).PLAYERS
    sizes = {size} if size == 2 else {*divided(people, size)}
    if people < 2 or not sizes or min(sizes) < least:
        return say(_TOO_FEW, event=event.name, n=people, size=size)
    return None


_NO_DRAW: Final = "{event} has no draw that can be undone: {why}"
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

    def changed(self, event: ClubEvent, at: str) -> ClubEvent:
        ranked = [who for each in self.order for who in each]
        stayed = [who for who in event.field if event.runs and who not in event.withdrew]
        if sorted(ranked) != sorted(stayed):
            raise Unfit(say("the order is not one of those who have played"), "order")
        place = event.field.index
        order = tuple(who for each in self.order for who in sorted(each, key=place))
        over = not (event.runs and event.form.season)
        return event._replace(
            ended=event.ended or self.until, order=event.order or order, closed=over
        )

    def told(self, club: Club) -> Iterator[ClubNews]:
        event = club.events[self.event]
        again = [say(_AGAIN, event=event.name, days=REST)] if event.form.season else []
        ranks = {who: n for n, each in enumerate(self.order) for who in each}
        for division in event.divisions(ranks):
            for who in division:
                place = 1 + sum(ranks[each] < ranks[who] for each in division)
                about = {"event": event.name, "place": place, "n": len(division)}
                yield who, [say(_PLACE, **about), *again]


_PLACE: Final = "{event} has ended: you are in place {place} of {n}."
_AGAIN: Final = (
    "The next season begins in {days} days. You are in it, unless you write `leave {event}`. [E-42]"
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
