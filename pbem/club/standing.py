"""How a club stands, as its logs have it: for programs, and for people on a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, Final

from pbem.club import errands
from pbem.club.acts import HOURS, later
from pbem.club.acts import plain as plain_act
from pbem.club.errands import Enter, Errand, GiveSeat, MakeMatch, View
from pbem.club.event import ClubEvent
from pbem.club.fold import Begun, Club, HostedTable, Offer, Vacancy
from pbem.club.reliability import Members
from pbem.club.tenures import MatchRecord
from pbem.club.terms import POOL, TableTerms
from pbem.files import yamlio
from pbem.sentence import Sentence, say, timed

LAST: Final = 10
"""How many of the matches that are over are told of."""
LATELY: Final = 3
"""How many matches tell how long it took lately."""


def plain(known: Members) -> dict[str, Any]:
    """How the club stands at a moment, for programs: nothing that its logs do not tell."""
    club, records = known.club, known.records
    return {
        "club": club.name,
        "settings": {**club.settings, "games": list(club.settings.get("games", ()))},
        "lines": [
            {**each.plain(), "waiting": list(line)}
            for each, line in club.lines().items()
            if each != POOL
        ],
        "tables": [
            {
                **each.terms.plain(),
                "table": each.number,
                "host": each.host,
                "seated": list(each.seated),
                "invited": list(each.invited),
                "asks": dict(zip(("in_time", "kept"), each.asks, strict=True)),
                "since": each.at,
            }
            for each in club.tables.values()
        ],
        "offers": [_offer(each) for each in club.offers.values()],
        "seeking": [
            {"match": each.match, "seat": each.seat, "since": each.at, "asked": list(each.asked)}
            for each in club.vacancies.values()
        ],
        "substitutes": list(club.line(POOL)),
        "matches": [
            {
                "match": match,
                **begun.terms.plain(),
                "seats": {seat: begun.holder(seat) for seat in begun.tenures},
                "over": match in records and records[match].over,
                "winners": list(records[match].winners) if match in records else [],
            }
            for match, begun in club.begun.items()
        ],
        "people": [
            {
                "handle": handle,
                **known.reliability(handle)._asdict(),
                "excluded": club.excluded.get(handle),
            }
            for handle in club.joined
        ],
    }


def _offer(offer: Offer) -> dict[str, Any]:
    about = {"terms": offer.terms and offer.terms.plain(), "table": offer.table or None}
    seat = {"match": offer.match or None, "seat": offer.seat or None}
    until = later(offer.at, hours=HOURS)
    return {"offer": offer.number, "to": offer.to, **about, **seat, "until": until}


def sentences(known: Members, searches: Iterable[Sentence] | None = None) -> Iterator[Sentence]:
    """The same for people, a line each; for the founder with all there is to say of `searches`."""
    club = known.club
    if not club.joined:
        yield say("Nobody is in the club yet: people join by mail, or with `pbem club join`.")
    for wanted, line in club.lines().items():
        if wanted == POOL:
            yield say("Substitutes: {people:all}", people=line)
        else:
            yield say("Waiting for {terms}: {people:all}", terms=wanted.words, people=line)
    for table in club.tables.values():
        yield say(
            "Table {number}, {terms}: {people:all}; {places}",
            number=table.number,
            terms=table.terms.words,
            people=table.seated,
            places=places(club, table),
        )
        yield from asks(table)
    for offer in club.offers.values():
        about = {"to": offer.to, "until": until(offer), "question": question(club, offer)}
        yield say("{to} is asked, until {until}: {question}", **about)
    public = (say(_SOUGHT, **_about(vacancy)) for vacancy in club.vacancies.values())
    yield from public if searches is None else searches
    for event in club.events.values():
        if event.is_open:
            yield to_enter(event)
    for match in shown(known):
        yield played(club.begun[match], known.records.get(match))
    for handle in club.joined:
        yield counted(known, handle)


def places(club: Club, table: HostedTable) -> Sentence:
    """How many places of a table are free or, if none is, who is asked."""
    asked = club.asked_to(table)
    if asked and not club.free(table):
        return say("asked: {people:all}", people=asked)
    return say("{n} [place|places] [is|are] free", n=club.free(table))


def searches(view: View) -> Iterator[Sentence]:
    """For the founder: each seat that somebody is sought for, who is asked until when, and why
    nobody is, if so: limits and who avoids whom are for nobody else."""
    for vacancy in view.club.vacancies.values():
        asked, about = view.club.asked_about(vacancy.match, vacancy.seat), _about(vacancy)
        people = dict.fromkeys((*view.club.line(POOL), *vacancy.asked))
        why = [errands.why_not_asked(view, vacancy, each) for each in people]
        why = why or [say("nobody waits now for a seat that becomes empty")]
        if asked:
            told = [say("{who}, until {until}", who=each.to, until=until(each)) for each in asked]
            yield say(_ASKED, asked=told, **about)
        elif all(why):
            yield say(_NOBODY, why=why, **about)
        else:
            yield say(_SOUGHT, **about)
        if errands.in_vain(view.club, vacancy, view.at):
            yield say("{match}: nobody was found for {seat}; it is for you to decide", **about)


def _about(vacancy: Vacancy) -> dict[str, str]:
    return {"match": vacancy.match, "seat": vacancy.seat, "left": vacancy.left}


_WON: Final = "{match} was played: {people:all}; {winners:all} won"
_OVER: Final = "{match} was played: {people:all}; nobody won"
_SOUGHT: Final = "{match}: somebody is sought for {seat}, the seat of {left}"
_ASKED: Final = "{match}: somebody is sought for {seat}, the seat of {left}. Asked: {asked:items}"
_NOBODY: Final = (
    "{match}: somebody is sought for {seat}, the seat of {left}, and nobody can be asked: "
    "{why:items}"
)


def to_enter(event: ClubEvent) -> Sentence:
    """How people enter an event."""
    about = {"event": event.name, "terms": event.words}
    return say("{event}, {terms}: the line `enter {event}`", **about)


def shown(known: Members) -> list[str]:
    """The matches that are told of: all that go on, then the last of those that are over."""
    begun, records = known.club.begun, known.records
    over = [match for match in begun if match in records and records[match].over]
    return [*(match for match in begun if match not in over), *over[-LAST:]]


def played(begun: Begun, record: MatchRecord | None = None) -> Sentence:
    """That a match goes on or, by its record, how it has ended."""
    about: dict[str, Any] = {"match": begun.match, "people": begun.named()}
    if record is None or not record.over:
        return say("{match} is played: {people:all}", **about)
    if record.winners:
        return say(_WON, **about, winners=record.winners)
    return say(_OVER, **about)


def counted(known: Members, handle: str) -> Sentence:
    """Somebody's two fractions."""
    (n, due), (kept, taken) = known.reliability(handle)
    told = "{handle}: {n} of {due} turns in time, {kept} of {taken} seats kept"
    return say(told, handle=handle, n=n, due=due, kept=kept, taken=taken)


def lately(club: Club, terms: TableTerms) -> list[int]:
    """How many days whoever waited longest had waited when each of the last matches of a line
    began."""
    found = [
        (datetime.fromisoformat(each.at) - datetime.fromisoformat(min(each.waited))).days
        for each in club.begun.values()
        if each.terms == terms and each.waited
    ]
    return found[-LATELY:]


def asks(table: HostedTable) -> Iterator[Sentence]:
    """What the host of a table asks of those who get its open places."""
    in_time, kept = table.asks
    if in_time:
        yield say(_IN_TIME, share=in_time)
    if kept:
        yield say(_KEPT, share=kept)


_IN_TIME: Final = "Open places are for those who have played {share} of their turns in time. [C-18]"
_KEPT: Final = "Open places are for those who have kept {share} of their seats. [C-18]"


def until(offer: Offer) -> Sentence:
    """When an offer lapses."""
    return timed(later(offer.at, hours=HOURS))


def question(club: Club, offer: Offer) -> Sentence:
    """What somebody is asked."""
    table, terms = club.tables.get(offer.table), club.terms_of(offer).words
    if offer.match:
        return say(
            "Somebody is sought for {seat} in {match}: {terms}. Will you take over?",
            seat=offer.seat,
            match=offer.match,
            terms=terms,
        )
    if table and table.host != offer.to:
        return say("{host} sets up a table: {terms}. Do you play?", host=table.host, terms=terms)
    return say("A match can begin: {terms}. Are you there?", terms=terms)


def for_people(view: View) -> Iterator[Sentence]:
    """What is for people to do or, with a desk, for that."""
    for table in errands.not_full(view.club, view.at):
        about = {"n": table.number, "host": table.host}
        yield say("table {n} of {host} is still not full; remind them", **about)
    for handle in errands.to_be_forgotten(view):
        yield say("{handle} wishes to be forgotten; the desk does it", handle=handle)


def done(errand: Errand, *, still_due: bool = False) -> Sentence:
    """What was done, or is `still_due`, in a line for the founder."""
    match errand:
        case Enter(act):
            fields = yamlio.emit([plain_act(act)]).removeprefix("- ")
            told = ", ".join(" ".join(line.split()) for line in fields.splitlines())
            entered = "is due: {entry}: {told}" if still_due else "{entry}: {told}"
            return say(entered, entry=act.word, told=told)
        case MakeMatch(begun):
            dealt = "is due: {match} is to be dealt" if still_due else "{match} is dealt"
            return say(dealt, match=begun.match)
        case GiveSeat(match, seat, handle) if still_due:
            taken = {"match": match, "name": handle, "seat": seat}
            return say("is due: {match}: {name} is to take the seat {seat}", **taken)
        case GiveSeat(match, seat, handle):
            taken = {"match": match, "name": handle, "seat": seat}
            return say("{match}: {name} takes the seat {seat}.", **taken)
