"""What a line to a club does, by its verb, and what its writer is told: whether it comes by mail or
is typed. What that changes is in `club.clubwork`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from pbem.club import clubwork, reliability, showing, standing
from pbem.club.clubwork import ClubAtWork
from pbem.club.event import ClubEvent, Handle
from pbem.club.fold import Club
from pbem.club.reliability import Members
from pbem.club.terms import ANY, POOL, TableTerms, apart, beginning
from pbem.club.terms import read as read_terms
from pbem.files.languages import speaking
from pbem.intake import Line, Submission, clubbing
from pbem.intake.clubbing import CALLED, ClubWish
from pbem.intake.verbs import NO, YES
from pbem.mailroom import daybook, tray
from pbem.mailroom.daybook import Queued
from pbem.mailroom.letterhead import keyed_name, paragraphs
from pbem.mailroom.preferences import Preferences
from pbem.play import games
from pbem.problem import Usage
from pbem.sentence import Sentence, say


def says(work: ClubAtWork, handle: Handle, line: str, offer: int, match: str) -> Iterator[Sentence]:
    """Do what a member asks for in a line, as if it answered a mail about an offer or a match;
    gives what they would be told. Raises Problem."""
    asked = clubbing.wishes(Submission(orders=(Line(1, line),)), offered=True)
    if not asked or asked[0].verb not in GRANTS:
        raise Usage("{text!r:.60} is no line that a club can read", text=line)
    for each in one_by_one(work.club, asked):
        yield done(work, handle, each, offer, match)


def one_by_one(club: Club, wishes: Iterable[ClubWish]) -> Iterator[ClubWish]:
    """Wishes, each for one game."""
    for each in wishes:
        several = each.verb in ("join", "leave") and not club.event(each.about)
        lines = apart(each.about, club.settings["games"]) if several else [each.about]
        yield from (each._replace(about=line) for line in lines)


def done(work: ClubAtWork, handle: Handle, wish: ClubWish, offer: int, match: str) -> Sentence:
    """Do what a line asks for, in answer to a mail about an offer or a match, 0 and "" for none;
    gives what its writer is told. Raises Problem."""
    answers = {YES: str(offer), NO: str(offer), "rematch": match}
    return GRANTS[wish.verb](work, handle, answers.get(wish.verb, wish.about))


def told_by_hand(work: ClubAtWork, handle: Handle, sentence: Sentence) -> Iterator[Queued]:
    """The letter, in their language, to a member for whom the founder has done something, with what
    they would be told had they written; none where nobody knows their address."""
    for address in work.desk.member(handle).addresses[:1]:
        chosen = Preferences.of(daybook.book_of(work.folder), address).language
        with speaking(chosen or ""):
            text, subject = str(sentence), str(say("[{club}] News for you", club=work.club.name))
        at = work.here.clock()
        name = keyed_name((text, address, at), "club")
        yield Queued(name, at, address, subject, text)


def _rematch(work: ClubAtWork, handle: Handle, match: str) -> Sentence:
    if not match:
        raise Usage("answer a mail of the match that you want again with `rematch`")
    work.rematch(handle, match)
    return say("{match} is offered to the others once more.", match=match)


def _welcome(work: ClubAtWork, handle: Handle, about: str) -> Sentence:
    now = say("You are {handle} in the club {club} now.", handle=handle, club=work.club.name)
    return paragraphs(now, FOLLOWS)


def _lines(work: ClubAtWork, handle: Handle, about: str) -> Sentence:
    lines = [f"`join {each}`" for each in work.club.settings["games"]]
    return say(_HEARD_FIRST, lines=lines) if about else say(_FOR_NOTHING, lines=lines)


def _together(work: ClubAtWork, handle: Handle, other: str) -> Sentence:
    """How two play with each other who know each other."""
    hosts = [f"`host {each}: {other}`" for each in work.club.settings["games"]]
    told = say(_WITH, other=other, lines=hosts)
    return paragraphs(told, None if work.club.called(other) else say(_FIRST, other=other))


FOLLOWS: Final = say(
    "As soon as enough people wait for the same, a match begins by itself: a mail brings the "
    "board, and says how to write a move."
)
_FOR_NOTHING: Final = "You wait for nothing yet. To wait for a match, write {lines:any}."
_HEARD_FIRST: Final = (
    "You wait for nothing yet, as a person reads first what else you wrote. To wait for a match "
    "all the same, write {lines:any}."
)
_WITH: Final = (
    "You wait for nothing yet, as you wish to play with {other}: {lines:any} sets up a table, and "
    "{other} is asked. [C-16]"
)
_FIRST: Final = (
    "{other} has not joined the club so far: the line `join` and a game, in a mail of theirs to "
    "this address, comes first."
)


def _join(work: ClubAtWork, handle: Handle, about: str) -> Sentence:
    wanted = meant(work.club, about)
    if isinstance(wanted, ClubEvent):
        people = work.enter_event(wanted.name, handle).people
        put_wishes_away(work, handle, wanted.name)
        return say("You are in {event}, one of {n}.", event=wanted.name, n=len(people))
    work.wait(handle, about)
    return _place(work, handle, wanted)


def put_wishes_away(work: ClubAtWork, handle: Handle, event: str) -> None:
    for mail in tray.wishing(work.folder, event, handle):
        tray.put_away(mail)


def meant(club: Club, about: str) -> ClubEvent | TableTerms:
    """The event or the terms that somebody wants to join. Raises Usage if it is neither."""
    if event := club.event(about):
        return event
    name, _ = beginning(about, club.settings["games"])
    events = [each.name for each in club.events.values() if each.is_open]
    if events and name not in (ANY.game, POOL.game, *games.names()):
        raise Usage(_NEITHER, name=name, events=events, games=club.settings["games"])
    return read_terms(about, club.settings)


_NEITHER: Final = "{name!r:.60} is none of the events {events:all}, and no game of {games:all}"


def _leave(work: ClubAtWork, handle: Handle, about: str) -> Sentence:
    line, _ = beginning(about, work.club.settings["games"])
    if line not in ("", "all", ANY.game, POOL.game, *games.names()):
        event = work.leave_event(about, handle)
        put_wishes_away(work, handle, event.name)
        told = say("You have left {event}.", event=event.name)
        return paragraphs(told, goes_on(work.view(), handle, event))
    work.leave(handle, about)
    left = [each.terms.words for each in work.club.waits if each.handle == handle]
    if left:
        return say("You still wait for {lines:items}.", lines=left)
    return say("You wait for nothing now.")


def goes_on(known: Members, handle: Handle, event: ClubEvent) -> Sentence | None:
    """What is told of the matches of an event that somebody plays on in when they leave it."""
    playing = known.playing(handle)
    matches = [each for each in event.matches.values() if each in playing]
    return say(_GO_ON, n=len(matches), matches=matches) if matches else None


_GO_ON: Final = (
    "After the draw nobody comes back in, and your [match goes|matches go] on with [its|their] "
    "deadlines: {matches:all}. To give one up as well, answer a mail of it with `resign`."
)


def _host(work: ClubAtWork, handle: Handle, about: str) -> Sentence:
    number = work.host(handle, about)
    table = work.club.tables[number]
    return paragraphs(
        say("Table {number} is yours: {terms}.", number=number, terms=table.terms.words),
        say(_NAMED_FIRST, people=table.invited) if table.invited else None,
    )


_NAMED_FIRST: Final = (
    "The club first asks {people:all}; a place that is left goes to whoever waits for the same. "
    "[C-16]"
)


def _limit(work: ClubAtWork, handle: Handle, about: str) -> Sentence:
    if about and not about.isdecimal():
        raise Usage("{text!r:.20} is no number", text=about)
    work.set_limit(handle, int(about[:4]) if about else None)
    return _at_most(work, handle)


def _at_most(work: ClubAtWork, handle: Handle) -> Sentence:
    view, own = work.view(), work.desk.member(handle).limit
    most, turns = view.most(handle), view.turns_in_time(handle)
    told = say(
        "You can have {n} [seat or place in a line|seats and places in lines] at once. [C-30]",
        n=most,
    )
    newcomer = say(
        "Newcomers can have {most} at most until they have played {proven} turns in time; you have "
        "played {n}.",
        most=reliability.NEWCOMER,
        proven=reliability.PROVEN,
        n=turns,
    )
    later = say("Your limit of {limit} is kept, and counts from then on.", limit=own)
    new = turns < reliability.PROVEN
    return paragraphs(told, newcomer if new else None, later if own and own > most else None)


def _sit(work: ClubAtWork, handle: Handle, about: str) -> Sentence:
    work.leave(handle, POOL.game)
    return say("You are not asked any more when a seat is empty.")


def _avoid(work: ClubAtWork, handle: Handle, about: str) -> Sentence:
    before = [each.number for each in work.club.tables.values() if handle in each.seated]
    work.avoid(handle, other := work.who(about))
    sits = [each.number for each in work.club.tables.values() if handle in each.seated]
    return paragraphs(
        say("You are never seated with {other}; nobody is told. [C-32]", other=other),
        *(say("You have left table {number}.", number=each) for each in before if each not in sits),
    )


def _heed(work: ClubAtWork, handle: Handle, about: str) -> Sentence:
    work.avoid(handle, other := work.who(about), wanted=False)
    return say("You can be seated with {other} again.", other=other)


def _tables(work: ClubAtWork, handle: Handle, about: str) -> Sentence:
    return paragraphs(*standing.sentences(work.view()))


def _standings(work: ClubAtWork, handle: Handle, about: str) -> Sentence:
    """The event that is named, or all that somebody is in and that are not over."""
    events = work.club.events.values()
    theirs = [each for each in events if handle in each.people and not each.closed]
    named = [clubwork.the_event(work.club, about)] if about else theirs
    if not named:
        raise Usage("you are in no event; write `standings` and the name of one")
    known = work.view().records
    stand = (clubwork.as_of(work.folder, known, each) for each in named)
    return paragraphs(*(say("{lines:lines}", lines=[*showing.sentences(each)]) for each in stand))


def standing_of(work: ClubAtWork, handle: Handle) -> Iterator[Sentence]:
    """Where somebody stands: their places in lines, and their matches."""
    matches = [name for name, each in work.club.begun.items() if handle in each.everybody]
    lines = [each.terms for each in work.club.waits if each.handle == handle]
    for terms in lines:
        yield _place(work, handle, terms)
    if not lines:
        yield say("You wait for nothing now.")
    if matches:
        yield say("Your matches: {matches:all}.", matches=matches)


def _place(work: ClubAtWork, handle: Handle, terms: TableTerms) -> Sentence:
    """Where somebody stands in a line, or whether they are asked when a seat is empty."""
    if terms == POOL:
        return _POOLED if work.view().has_room(handle) else _NO_ROOM
    people, lately = work.club.line(terms), standing.lately(work.club, terms)
    place = say(
        "You wait for {terms}: place {place}. In this line are {people:all}.",
        terms=terms.words,
        place=people.index(handle) + 1,
        people=people,
    )
    took = say(
        "Those who began last from this line had waited so many days: {days:all}.", days=lately
    )
    return paragraphs(place, took if lately else None)


def _me(work: ClubAtWork, handle: Handle, about: str) -> Sentence:
    view, member = work.view(), work.desk.member(handle)
    return paragraphs(
        say("Public: {told}.", told=standing.counted(view, handle)),
        *standing_of(work, handle),
        _at_most(work, handle),
        say(
            "Known to the founder alone: your addresses, {addresses:all}.",
            addresses=member.addresses,
        ),
        say("You avoid {others:all}.", others=member.avoids) if member.avoids else None,
    )


def _accept(work: ClubAtWork, handle: Handle, number: str) -> Sentence:
    offer = work.answer(handle, yes=True, number=int(number))
    if offer.match:
        return say(
            "{seat} in {match} is yours. A mail brings everything.",
            seat=offer.seat,
            match=offer.match,
        )
    return say("Your yes is noted. A mail tells you when it begins.")


def _decline(work: ClubAtWork, handle: Handle, number: str) -> Sentence:
    if work.club.offers_to(handle):  # else a no is a no
        work.answer(handle, yes=False, number=int(number))
    return NOTED


NOTED: Final = say("Your no is noted; it costs you nothing else. [C-14]")
_NO_ROOM: Final = say(
    "You are asked when a seat is empty once you can have one more: now you have as many seats and "
    "places in lines as you can. [C-30, C-41]"
)
_POOLED: Final = say("You are asked when a seat is empty. [C-41]")
GRANTS: Final[Mapping[str, Callable[[ClubAtWork, Handle, str], Sentence]]] = {
    "welcome": _welcome,
    "lines": _lines,
    "with": _together,
    "join": _join,
    "leave": _leave,
    "host": _host,
    "limit": _limit,
    "stand": lambda work, handle, _: _join(work, handle, POOL.game),
    "sit": _sit,
    "avoid": _avoid,
    "heed": _heed,
    "tables": _tables,
    "standings": _standings,
    "me": _me,
    "rematch": _rematch,
    CALLED: _welcome,
    YES: _accept,
    NO: _decline,
}
"""What a line does, by its verb, and what its writer is told."""
