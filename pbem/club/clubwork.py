"""A club at work: locked while anything is entered, saved when it is done; and what people can ask
for, each a method, whoever asks: a command or a mail."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any, Final

from pbem.club import acts, errands, event_acts, reliability, terms
from pbem.club.clublog import ClubHeader, ClubLog, log_path
from pbem.club.errands import Enter, Errand, GiveSeat, MakeMatch, Silent, View
from pbem.club.event import ClubEvent, Handle
from pbem.club.fold import Begun, Club, Offer
from pbem.club.formats import FORMATS
from pbem.club.private import ClubDesk
from pbem.club.reliability import Members
from pbem.club.results import Records, Standings
from pbem.club.standing import counted
from pbem.club.tenures import MatchRecord
from pbem.club.terms import ANY, POOL
from pbem.core import CHANCE, HOUSE, Seat
from pbem.desk import address, begin, give
from pbem.desk.bench import Circumstances
from pbem.desk.file import LOG_SUFFIX, Desk, desk_path
from pbem.desk.seats import Player
from pbem.files import store
from pbem.files.timestamp import now
from pbem.intake.asking import agreement
from pbem.intake.submission import Line
from pbem.intake.words import fields, phrases, tokens
from pbem.log import bots, seal
from pbem.log.clock import SUBSTITUTE
from pbem.log.match import Replay
from pbem.log.rulings import End, Substitute
from pbem.matches.matches import Matches
from pbem.play import games
from pbem.problem import CannotMake, NotNow, Problem, Usage
from pbem.sentence import say

OnOpening = Callable[[Replay, Desk], Desk]
"""What else is done for a match before its files are written; gives its desk file."""


@dataclass
class ClubAtWork:
    """A club whose files nobody else writes meanwhile. What its `log` and `desk` hold is saved at
    the end."""

    folder: str
    here: Circumstances
    log: ClubLog
    desk: ClubDesk
    saved: tuple[ClubLog, ClubDesk]
    matches: Matches
    silent: Silent = lambda view, match, seat: True

    @property
    def club(self) -> Club:
        """The club as it stands now."""
        return self.log.club

    def enter(self, act: acts.ClubAct) -> None:
        """Add an entry. Raises NotNow if it cannot stand there."""
        self.log = self.log.extend(act, self.here.clock())

    def view(self, *, anew: bool = True) -> View:
        """All that what is to be done follows from, at this moment; without a look `anew` at the
        folder, where only the club's log has changed since the last. Raises Problem."""
        taken = self.matches.index.look(anew=anew).states[LOG_SUFFIX]
        at = max(self.here.clock(), self.club.at)
        known = records(self.matches, self.club)
        return View(self.club, known, at, self.desk, taken, self.silent)

    def save(self) -> None:
        """Write what has changed: first the private file, without which the log could not go on."""
        (log, desk), self.saved = self.saved, (self.log, self.desk)
        if self.here.imagined:
            return
        if self.desk != desk:
            text = self.desk.text()
            ClubDesk.parse(text, self.desk.path)  # or nobody could read it again
            store.replace(self.desk.path, text.encode(), 0o600)
        if self.log.chain != log.chain:
            store.append(log.path, log.text, self.log.text[len(log.text) :])
            self.log.remembered()

    def who(self, name: str) -> Handle:
        """The handle somebody means. Raises Usage if nobody is called so."""
        if handle := self.club.called(name):
            return handle
        raise Usage(_NOT_HERE, name=name)

    def open_secret(self) -> None:
        """Publish the secret of the lots so far, and take a new one for those to come."""
        secret = seal.new_secret()
        self.enter(acts.SecretOpened(self.desk.secret.hex(), seal.commit(secret)))
        self.desk = replace(self.desk, secret=secret, confirmations={})

    def set_limit(self, handle: Handle, most: int | None) -> None:
        """Let somebody have at most so many seats and waits; None: as usual. Raises Usage."""
        if most is not None and not 0 <= most <= 50:
            raise Usage("a limit is 0 to 50 seats and places in lines, not {most}", most=most)
        self.desk = self.desk.with_member(handle, limit=most)

    def avoid(self, handle: Handle, other: Handle, *, wanted: bool = True) -> None:
        """Never seat these two at one table; or as usual again, if that is not `wanted`. What would
        seat them both is not offered any more, and a table where they both wait is left. Raises
        Usage if they are one."""
        if handle == other:
            raise Usage("{name} is you", name=other)
        others = [each for each in self.desk.member(handle).avoids if each != other]
        avoids = (*others, *([other] if wanted else []))
        self.desk = self.desk.with_member(handle, avoids=avoids)
        for offer in [*self.club.offers.values()] if wanted else ():
            if offer.match:
                there = {offer.to, *self.club.begun[offer.match].others(offer.seat)}
            else:
                table = self.club.tables.get(offer.table)
                there = {*self.club.asked_to(table), *table.seated} if table else set()
            if offer.to in (handle, other) and {handle, other} <= there:
                self.enter(acts.OfferWithdrawn(offer.number))
        for table in [*self.club.tables.values()] if wanted else ():
            if {handle, other} <= {*table.seated}:
                self.enter(acts.Unlisted(handle, table.terms.game, table.number))

    def join(self, name: str, given: str = "", *, new: bool = False) -> Handle:
        """Take somebody in or, unless they have to be `new`, the address of somebody who has
        joined, at which they get mails from then on; gives their handle. Raises Problem, also for
        an address that is another's."""
        handle = None if new else self.club.called(name)
        if handle is None:
            if not acts.HANDLE.accepts(name) or _means_something(name, self.club.settings["games"]):
                raise Usage(_NO_HANDLE, name=name)
            self.enter(acts.Joined(name))
            handle = name
            self.desk = self.desk.with_member(handle, addresses=())  # what a kill has left
        if given:
            known, theirs = address.read(given), self.desk.member(handle).addresses
            if (other := self.desk.who(known)) not in (None, handle):
                raise Usage("{given} is the address of {other}", given=known, other=other)
            addresses = tuple(dict.fromkeys((known, *theirs)))  # mails go to the first
            self.desk = self.desk.with_member(handle, addresses=addresses)
        return handle

    def wait(self, handle: Handle, text: str) -> int:
        """Give somebody a place in the line that a text names, unless they have one; gives the
        place, from 1. Raises NotNow if they cannot take on more."""
        wanted = terms.read(text, self.club.settings)
        if not any((each.handle, each.terms) == (handle, wanted) for each in self.club.waits):
            self._take_on(handle, acts.Enlisted(handle, wanted))
        return self.club.line(wanted).index(handle) + 1

    def _take_on(self, handle: Handle, act: acts.ClubAct) -> None:
        """Enter what may give somebody a seat or a place more. Raises NotNow if it cannot stand
        there, or if that is more than they can have (C-30)."""
        view, before = self.view(), self.log
        self.enter(act)
        had, most = view.burden(handle), view.most(handle)
        if replace(view, club=self.club).burden(handle) > max(had, most):
            self.log = before
            raise NotNow(
                "{handle} can have {most} seats and places in lines at once, and has {n}",
                handle=handle,
                most=most,
                n=had,
            )

    def leave(self, handle: Handle, line: str = "") -> None:
        """Take somebody off the lines and tables of a game, or off all, if they are there."""
        game, _ = terms.beginning(line, self.club.settings["games"])
        act = acts.Unlisted(handle, game or "all", 0)
        if act.without(self.club) != self.club:
            self.enter(act)

    def require_free(self, handle: Handle) -> None:
        """Raises NotNow if somebody sits in a match that goes on."""
        if playing := self.view().playing(handle):
            raise NotNow("{handle} still plays {matches:all}", handle=handle, matches=playing)

    def retire(self, handle: Handle) -> None:
        """Take somebody off everything that is to begin. Raises NotNow as `require_free` does."""
        self.require_free(handle)
        self.leave(handle)
        for event in self.club.events.values():
            if handle in event.people and not event.ended:
                self.enter(event_acts.EventLeft(event.name, handle))

    def host(self, handle: Handle, text: str) -> int:
        """Set up somebody's table: `kahuna variant1, 5 days: Ben, open`, or `kahuna, in time 9/10,
        kept 2/3`, for which its host must have as much; gives its number. Raises Problem."""
        wanted, _, people = text.partition(":")
        asked_for = {found[1].casefold(): found[2] for found in _ASKS.finditer(wanted)}
        asks = asked_for.get("in time", ""), asked_for.get("kept", "")
        wanted, view = _ASKS.sub("", wanted), self.view()
        has = view.reliability(handle)
        if not has.reaches(asks, newcomers=False):
            raise NotNow(
                "a host can ask for no more than they have: {has} [C-18]", has=counted(view, handle)
            )
        asked = [each.strip() for each in people.split(",") if each.strip()]
        invited = tuple(self.who(each) for each in asked if each.casefold() != "open")
        agreed = terms.read(wanted, self.club.settings)
        n, players = 1 + max(len(invited), len(asked) - len(invited)), agreed.players
        if n > players > 0:
            raise Usage("{n} people, where only {players} can play", n=n, players=players)
        return self._hosted(handle, agreed, invited, asks=asks)

    def rematch(self, handle: Handle, match: str) -> int:
        """Set up the table of a finished match again; gives its number. Raises NotNow if the match
        goes on, or was another's."""
        begun, record = self.club.begun.get(match), self.view().records.get(match)
        if begun is None or record is None or not record.over:
            raise NotNow("{match} is no match of this club that has ended", match=match)
        players = [begun.holder(seat) for seat in begun.tenures]
        if handle not in players:
            raise NotNow("{handle} did not play {match}", handle=handle, match=match)
        invited = tuple(each for each in players if each != handle)
        return self._hosted(handle, begun.terms, invited, match)

    def _hosted(
        self,
        handle: Handle,
        wanted: terms.TableTerms,
        invited: tuple[Handle, ...],
        after: str = "",
        asks: tuple[str, str] = ("", ""),
    ) -> int:
        same = (handle, wanted, invited, after)
        for each in self.club.tables.values():
            if (each.host, each.terms, each.invited, each.after) == same:
                return each.number
        number = self.club.hosted + 1
        self._take_on(handle, acts.Hosted(number, handle, wanted, invited, after, *asks))
        return number

    def seat(self, handle: Handle, match: str, seat: Seat) -> None:
        """Give somebody a seat in a match. Raises NotNow if they cannot have it."""
        if handle in self.club.rivals(match):
            event = self.club.begun[match].event
            raise NotNow(
                "{handle} plays in {event}, and {match} is a match of it [C-48]",
                handle=handle,
                event=event,
                match=match,
            )
        self.enter(acts.SeatFilled(match, seat, handle))

    def sit_down(self, handle: Handle, table: int) -> None:
        """Give somebody a free place at a table. Raises NotNow."""
        asked = [each.number for each in self.club.offers_to(handle) if each.table == table]
        if not asked:
            self.enter(acts.ask(self.club, handle, table=table))
        self.answer(handle, yes=True, number=asked[0] if asked else self.club.offered)

    def answer(self, handle: Handle, *, yes: bool, number: int = 0) -> Offer:
        """Enter what somebody says to an offer, which needs a number only if there are several; a
        late yes counts as long as the seat is sought. Raises NotNow if there is none."""
        open_to = [e for e in self.club.offers_to(handle) if number in (0, e.number)]
        late = self.log.still_sought(handle, number) if yes and not open_to else None
        if late and errands.can_take(self.view(), late):
            self.enter(acts.SeatFilled(late.match, late.seat, handle))
            return late
        if not open_to:
            raise NotNow("nothing is offered to {handle} now", handle=handle)
        offer, *others = open_to
        if others:
            numbers = [each.number for each in open_to]
            raise NotNow(_SEVERAL, handle=handle, numbers=numbers)
        self._take_on(handle, (acts.SaidYes if yes else acts.SaidNo)(offer.number))
        return offer

    def announce(
        self, name: str, line: str, format: str, rounds: int | None, days: int | None, seeding: str
    ) -> ClubEvent:
        """Announce an event of the game that a line names; what is left out is as usual in this
        format. Raises Problem."""
        if format not in FORMATS:
            raise Usage(
                "a format is one of {formats:all}, not {format!r}",
                formats=[*FORMATS],
                format=format,
            )
        if name.casefold() in (ANY.game, POOL.game, *games.names()):
            raise Usage("{event} is what people wait for; call the event otherwise", event=name)
        form, (game, more) = FORMATS[format], terms.beginning(line, self.club.settings["games"])
        wanted = terms.read(f"{game} {form.size}, {more}", self.club.settings)
        often = form.rounds if rounds is None else rounds
        lasts = form.season if days is None else days
        announced = event_acts.EventAnnounced(name, wanted, format, often, lasts, seeding)
        return self._entered(name, announced)

    def draw(self, name: str) -> ClubEvent:
        """Draw the schedule of an event. Raises NotNow if there are too few people."""
        event, view = the_event(self.club, name), self.view()
        for who in () if event.runs else view.out_of_season(event):
            event = self.leave_event(event.name, who)
        return self._entered(event.name, errands.drawn(self.view(), event))

    def undraw(self, name: str, reason: str) -> ClubEvent:
        """Undo the draw of an event, whose matches end. Raises NotNow once one has gone on, or
        where one is not here (E-4)."""
        event, known = the_event(self.club, name), self.view().records
        act = event_acts.EventUndrawn(event.name, reason)
        self.log.extend(act, self.here.clock())  # or it cannot be undone
        for match in event.matches.values():
            if match not in known or known[match].acted or known[match].winners:
                raise NotNow("{match} has gone on, or is not here", match=match)
        for match in event.matches.values():
            if not known[match].over:
                give.give(self.matches.log(match), End, self.here, {"winners": ()}, reason=reason)
        return self._entered(event.name, act)

    def enter_event(self, name: str, handle: Handle) -> ClubEvent:
        """Enter somebody for an event. Raises NotNow if they are barred (E-5)."""
        event = the_event(self.club, name)
        if self.view().barred(handle):
            raise NotNow(_BARRED, handle=handle, days=reliability.BARRED_DAYS)
        return self._entered(event.name, event_acts.EventEntered(event.name, handle))

    def leave_event(self, name: str, handle: Handle) -> ClubEvent:
        """Take somebody out of an event."""
        event = the_event(self.club, name)
        return self._entered(event.name, event_acts.EventLeft(event.name, handle))

    def end_event(self, name: str) -> ClubEvent:
        """End an event as it stands (E-30)."""
        event, view = the_event(self.club, name), self.view()
        return self._entered(event.name, Standings(event, view.records, view.at).end())

    def _entered(self, name: str, act: acts.ClubAct) -> ClubEvent:
        self.enter(act)
        return self.club.events[name]


_BARRED: Final = (
    "{handle} has lost by silence in an event, and can enter another once more matches are "
    "finished than were lost, and {days} days after the last [E-5]"
)
_SEVERAL: Final = "{handle} is asked several things: say which, {numbers:any}"
_NO_HANDLE: Final = (
    "{name!r:.40} cannot be a handle: write letters, digits and single blanks, at most 30, and "
    "nothing that means something else in a club"
)
_ASKS: Final = re.compile(r",? *\b(in time|kept) ((?:0|[1-9]\d{0,2})/[1-9]\d{0,2})\b", re.I)
_NOT_HERE: Final = (
    "{name!r:.60} has not joined this club; whoever sends it the line `join` and a game has"
)


_ROLES: Final = (
    *(CHANCE, HOUSE, seal.MODERATOR, ANY.game, POOL.game),
    *("all", "club", "nobody", "none", "null", "open"),
)


def _means_something(name: str, played: Iterable[str]) -> bool:
    """Would people take a handle for something else: a bot, whoever decides or draws, a seat, a
    game, an answer, or a line to a club where these games are `played`, in any language (C-1)?
    Asked of those who come; a log of old may hold it."""
    said = tokens(name)
    here = [games.game(each) for each in played]
    seats = (seat for game in here for seat in game.SEATS)
    titles = (game.TITLE for game in here)
    roles = *terms.COLOURS, *seats, *games.names(), *titles, *_ROLES
    return (
        bool(agreement([Line(0, name)]) or bots.named(name))
        or said in map(tokens, roles)
        or said in phrases("club", *fields("club"))
    )


@contextmanager
def at_work(
    folder: str, here: Circumstances, matches: Matches | None = None
) -> Iterator[ClubAtWork]:
    """The club of a folder, locked; its changes are saved at the end. Raises Problem."""
    path = log_path(folder)
    with here.locked(path):
        both = ClubLog.read(folder), ClubDesk.read(path)
        work = ClubAtWork(folder, here, *both, both, matches or Matches(folder))
        yield work
        work.save()


def records(matches: Matches, club: Club) -> dict[str, MatchRecord]:
    """The records of the matches that a club has begun, as far as they can be read; each log is
    gone through once, until it changes."""

    def find_out(paths: Sequence[str]) -> Iterator[Any]:
        for path in paths:
            try:
                yield MatchRecord.of(matches.public(path))
            except Problem as problem:
                yield problem

    found = matches.index.facts(LOG_SUFFIX, find_out, ".club2", MatchRecord.kept)
    known = ((match, found.get(match)) for match in club.begun)
    return {match: each for match, each in known if isinstance(each, MatchRecord)}


def read(folder: str) -> Members:
    """What is known now of the club of a folder, to look at. Raises Problem."""
    club, matches = ClubLog.read(folder).club, Matches(folder, indexed=os.access(folder, os.W_OK))
    return Members(club, records(matches, club), now())


def as_of(folder: str, known: Records, event: ClubEvent) -> Standings:
    """How an event stands or, if it has ended, stood then. Raises Problem."""
    until = event.ended
    then = as_at(folder, known, event.matches.values(), until) if until else known
    return Standings(event, then, until)


def in_season(event: ClubEvent, number: int) -> ClubEvent:
    """An event as it stands or, in an earlier season, stood at the end of that. Raises Usage."""
    if not 1 <= number <= event.season:
        raise Usage("{event} has no season {n} yet", event=event.name, n=number)
    return (*event.past, event)[number - 1]


def as_at(folder: str, known: Records, matches: Iterable[str], until: str) -> Records:
    """The records of matches as these stood at a moment, however they went on. Raises Problem."""
    then = dict(known)
    for match in matches:
        if match in known and not (known[match].over and known[match].ended < until):
            whole = Replay.read(os.path.join(folder, match + LOG_SUFFIX))
            count = sum(each.at < until for each in whole.log.entries)
            then[match] = MatchRecord.of(Replay.of(whole.log.first(count), whole.keyring))
    return then


# ------------------------------------------------------------------------------ the founder


def found(
    folder: str, name: str, settings: acts.HouseSettings, here: Circumstances, **desk: Any
) -> str:
    """Begin a club in a folder; `desk` has values for its private file. Gives the path of its log.
    Raises Problem, also if there is one already."""
    path, secret = log_path(folder), seal.new_secret()
    header = ClubHeader(name, here.clock(), seal.commit(secret))
    log = ClubLog.parse(header.text(), path).extend(settings, header.created)
    private = ClubDesk(desk_path(path), name, secret, **desk)
    with store.lock(path, new=True):
        for each in (path, private.path):
            if os.path.exists(each):
                raise CannotMake("is there already; a folder has one club", each)
        store.replace(private.path, private.text().encode(), 0o600)
        store.replace(path, log.text.encode())
    return path


def the_event(club: Club, name: str) -> ClubEvent:
    """The event somebody means. Raises Usage if there is none of this name."""
    if event := club.event(name):
        return event
    raise Usage("{event} is no event of this club", event=name)


# ------------------------------------------------------------------------------ what is due


def tend(work: ClubAtWork, opening: OnOpening) -> tuple[list[Errand], list[Problem], str]:
    """Do all that is to be done; gives what was done, what went wrong, and until when nothing is to
    be done if nothing changes. Each entry is saved before
    anything is done outside the log because of it, so a kill leaves nothing that a later run does
    not find and do."""
    done, problems, failed = list[Errand](), list[Problem](), list[Errand]()
    first: Errand | None = None
    while True:
        view = work.view(anew=not isinstance(first, Enter))
        first = next((each for each in errands.errands(view) if each not in failed), None)
        if first is None:
            return done, problems, view.until
        try:
            _do(work, first, opening)
            done.append(first)
        except Problem as problem:
            problems.append(problem)
            failed.append(first)
        if work.here.imagined and isinstance(first, GiveSeat):
            failed.append(first)


def _do(work: ClubAtWork, errand: Errand, opening: OnOpening) -> None:
    match errand:
        case Enter(act):
            if isinstance(act, acts.MatchBegun):
                work.desk = replace(work.desk, unmade=(*work.desk.unmade, act.match))
            work.enter(act)
        case MakeMatch(begun):
            work.save()
            if not (work.here.imagined or os.path.exists(work.matches.log(begun.match))):
                _make(work, begun, opening)
            left = tuple(each for each in work.desk.unmade if each != begun.match)
            work.desk = replace(work.desk, unmade=left)
        case GiveSeat(match, seat, handle):
            work.save()
            if not work.here.imagined:
                comes = Player(handle, work.desk.member(handle).addresses)
                asked = {"seat": seat, "player": comes}
                path, why = work.matches.log(match), say("as the club has it").text()
                give.give(path, Substitute, work.here, asked, reason=why)


def _make(work: ClubAtWork, begun: Begun, opening: OnOpening) -> None:
    desk, house = work.desk, begun.terms.under_these(work.club.settings)
    with suppress(FileNotFoundError):  # a kill left it, and nobody was told anything of the match
        os.unlink(desk_path(work.matches.log(begun.match)))
    players = {
        seat: Player(first, desk.member(first).addresses)
        for seat, (first, *_) in begun.tenures.items()
    }
    terms = begin.Terms(
        begun.terms.game,
        players,
        name=begun.match,
        folder=work.folder,
        ruleset=begun.terms.ruleset,
        options=dict(begun.terms.options),
        policy=desk.policy,
        server=desk.server,
        contact=desk.contact,
        clock={"turn": begun.terms.turn, "zone": house["zone"], "silence": SUBSTITUTE},
        press=house["press"],
        event=begun.event or None,
    )
    dealt, private = begin.begin(terms, secret=seal.new_secret(), clock=work.here.clock)
    begin.write(dealt, opening(dealt, private), work.here.rehearse)
