"""Everything that can be checked about a log with the keys at hand; a problem is a value.

Nothing is taken on trust: each entry must be allowed where it stands, and each ply is judged,
drawn and written again and compared with what is there.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping
from itertools import islice, pairwise
from typing import Any, Final, NamedTuple

from pbem.core import CHANCE, HIDDEN, HOUSE, Event, Move, Refused, Seat, mask, owners, slots
from pbem.files import cache, yamlio
from pbem.files.data import schema_text
from pbem.files.timestamp import now as clock_now
from pbem.log import chance, clock, deadlines, doubts, private_press, seal, sealing, turns
from pbem.log.entries import Entry, Header, Ply
from pbem.log.entropy import gathering
from pbem.log.entropy.contributions import PassOver
from pbem.log.format import Log
from pbem.log.match import Replay, changed
from pbem.log.ruling import ENDED, SILENCE, is_time
from pbem.log.rulings import Default, Option, Press, Restore, Reveal, Ruled, Takeback, Vacate
from pbem.log.seal import MODERATOR, Keyring, canonical
from pbem.log.stages import SoFar
from pbem.log.timetable import LAPSED, OWED
from pbem.log.timing import Clock, Late
from pbem.play import codec, games, positions
from pbem.play import judge as play
from pbem.problem import BadFile, Denied, Problem
from pbem.sentence import NO_NAMES, Names, Sentence

MOST: Final = 20
"""How many problems are told: these are enough to distrust a log."""


_SOURCE: Final = r"(?:hmac|word):(-|[0-9a-f]{24})\.[0-9a-f]{24}"
"""The fingerprint of a message: of its id (earlier versions: - for none), and of its words."""


class Findings(NamedTuple):
    """What an audit found.

    `judged` and `drawn` count the plies that could be judged again and the draws that could be
    recomputed; `plies` counts all plies. `notices` say what a log without problems proves, and
    what it does not, after what there is to `doubt`; `names` is who sits where; `draws` says
    whether the game has any draws.
    """

    problems: tuple[Problem, ...]
    plies: int = 0
    judged: int = 0
    drawn: int = 0
    notices: tuple[Sentence, ...] = ()
    names: Names = NO_NAMES
    draws: bool = True
    doubts: tuple[doubts.LogDoubt, ...] = ()


def audit(path: str, keyring: Keyring | None = None, now: str = "") -> Findings:
    """Check schema, chain, order, replay, legality, seals and draws, and what is dated after `now`,
    by default this moment. No cache is read.

    Raises Problem only if the file cannot be read at all, the keys are for another match, or
    nobody knows what time it is.
    """
    now = now or clock_now()
    text = yamlio.read_text(path)
    with cache.unused():
        try:
            return _audit(Log.parse(text, path), keyring or Keyring.none(), now)
        except Denied:
            raise
        except Problem as problem:
            return Findings((problem,))
        except Exception as error:  # a log is data from outside: it must not stop its own audit
            return Findings((_unforeseen(error).at(path, 1),))


def _audit(log: Log, keyring: Keyring, now: str) -> Findings:
    keys = sealing.accept_keys(log, keyring)
    data = yamlio.parse(log.text, log.path)
    problems = yamlio.validate(data, schema_text("log"), log.text, log.path, most=MOST)
    again = _Again(Replay.of(log.first(0), keys), log)
    problems += islice(again.problems(), MOST)
    draws = games.draws(again.game)
    open_to = () if problems else tuple(doubts.of(log, again.hasty, now, draws=draws))
    told = () if problems else tuple(doubts.notices(log, keys, draws=draws))
    said = (*(doubt.sentence for doubt in open_to), *told)
    counts = (again.plies, again.judged, again.drawn)
    return Findings(tuple(problems), *counts, said, log.names, draws, open_to)


def _unforeseen(error: Exception) -> Problem:
    return BadFile("this cannot be checked: {kind} {error}", kind=type(error).__name__, error=error)


# -------------------------------------------------------------------------- once more


class _Again:
    """Plays a log again, entry by entry, struck plies included."""

    def __init__(self, begun: Replay, log: Log) -> None:
        self.log, self.game, self.seats = log, begun.game, begun.setup.seats
        self.setup, self.changed = begun.setup, False
        self.keys = begun.keyring
        self.plies = self.judged = self.drawn = 0
        self.so_far = SoFar(log.header)
        self.states: list[Any] = [begun.state]
        """The states before the first ply and after each ply that stands."""
        self.in_time = log.in_time()
        self.hasty: list[str] = []
        """The rulings that time is over which came before it was, by the times that count now."""
        self.taken: list[list[Any]] = []
        """Those states as they were before each takeback that was not restored."""

    def problems(self) -> Iterator[Problem]:
        """What is wrong, in order; after an entry that cannot be replayed, nothing more."""
        yield from self.header(self.log.header)
        for entry in self.log.entries:
            try:
                yield from self.order(entry)
                yield from self.ply(entry) if isinstance(entry, Ply) else self.ruling(entry)
            except Problem as problem:
                yield problem if problem.path else self.at(entry, "{problem}", problem=problem)
                return
            except Exception as error:  # whatever a forged entry makes the rules stumble over
                yield self.at(entry, "{unforeseen}", unforeseen=_unforeseen(error))
                return
            self.so_far.add(entry)
        if self.so_far.stage == SILENCE:
            yield self.at(
                self.log.entries[-1],
                "a default without the move played for {seat:seat}",
                seat=self.so_far.silent,
            )

    def header(self, header: Header) -> Iterator[Problem]:
        """Can a match begin like this?"""
        if header.clock:
            yield from self.clock(header.clock, "clock")
        if header.position:
            yield from self.position(header, header.position)
        gathered = header.entropy or {}
        times = {"created": header.created}
        awaited = (gathering.PROMISES, gathering.WORDS)
        times |= {key: gathered[key] for key in awaited if key in gathered}
        for key, at in times.items():
            if not is_time(at):
                where = ("entropy", key) if key in gathered else (key,)
                yield self.log.problem("there is no such time as {at}", *where, at=at)
        for (_, before), (key, at) in pairwise(times.items()):
            if at <= before:
                yield self.log.problem(
                    "nobody can send {key} until {at}: that is not after {before}",
                    *("entropy", key),
                    key=key,
                    at=at,
                    before=before,
                )

    def position(self, header: Header, position: Mapping[str, Any]) -> Iterator[Problem]:
        """Is the position that the match begins from whole and written as it should be, and are
        its drawn cards those that the secret gives?"""
        stands, drawn = position["view"], position.get("drawn", {})
        view = sealing.position_opened(header, self.game, self.keys, stands)
        private = positions.private(self.game, view)
        open_now = {key: each for key, each in view.items() if key not in private}
        again = {
            key: each for key, each in self.game.view(self.states[0]).items() if key not in private
        }
        if canonical(open_now) != canonical(again):
            yield self.log.problem("the position is not written as it should be", "position")
        for key, seat, sealed in sealing.sealed_in(self.game, stands):
            if seal.epoch_of(sealed) or seal.length_of(sealed) % sealing.WHOLE_SIZE:
                yield self.log.problem(
                    "{key} of {seat:seat} in the position is sealed for another epoch, or padded "
                    "otherwise",
                    *("position", "view", key),
                    key=key,
                    seat=seat,
                )
        if self.keys.secret is None:
            return
        due = sealing.position_written(header, self.game, self.keys, view)
        shut = {*self.game.PRIVATE, *(key for key, *_ in sealing.sealed_in(self.game, stands))}
        if any(due[key] != each for key, each in stands.items() if key in shut):
            yield self.log.problem("the position is not sealed as it should be", "position", "view")
        if header.dealer != gathering.SEALED:
            return
        dealer = chance.Sealed(self.keys.secret, header.match)
        given = positions.unknown_again(view, drawn)
        self.drawn += sum(sum(by_seat.values()) for by_seat in drawn.values())
        whole, _ = positions.complete(
            self.game, self.setup, given, lambda words, weights: dealer(0, words, weights)
        )
        for key in drawn:
            if whole[key] != view[key]:
                yield self.log.problem(
                    "{key} of the position were not drawn as the secret says",
                    *("position", "view", key),
                    key=key,
                )

    def at(self, entry: Entry, pattern: str, /, *where: str | int, **values: Any) -> Problem:
        """A problem with an entry; if that is a ply, its number fills {ply}."""
        if isinstance(entry, Ply):
            values["ply"] = entry.number
        return self.log.problem(pattern, "log", entry.nth, *where, **values)

    def order(self, entry: Entry) -> Iterator[Problem]:
        """May this entry stand here, from whoever gave it and at its time?"""
        if objection := self.so_far.objection_if_new(entry, earlier=True):
            said, key = objection
            pattern = "ply {ply}: {said}" if isinstance(entry, Ply) else "{said}"
            yield self.at(entry, pattern, key, said=said)
        if not is_time(entry.at):
            yield self.at(entry, "there is no such time as {at}", "at", at=entry.at)

    def ruling(self, entry: Ruled) -> Iterator[Problem]:
        """Does the position allow this ruling?"""
        if isinstance(entry.ruling, Takeback):
            self.taken.append(self.states[:])
            del self.states[-len(entry.ruling.strikes) :]
        if isinstance(entry.ruling, Restore):
            self.states = self.under(self.taken.pop())
        over = self.so_far.stage == ENDED or self.game.outcome(self.states[-1])
        if isinstance(entry.ruling, Reveal) and not over:
            yield self.at(entry, "the secret is revealed although the match is not over")
        if isinstance(entry.ruling, Option):
            self.setup = changed(self.game, self.setup, entry.ruling.option, entry.ruling.value)
            self.changed = True
            self.states = self.under(self.states)
        if isinstance(entry.ruling, Vacate) and len(self.seats) < 3:
            yield self.at(entry, "where two play a seat is not vacated: nobody is left to go on")
        if isinstance(entry.ruling, Press):
            yield from self.press(entry)
        if isinstance(entry.ruling, Late):
            yield from self.notice(entry, entry.ruling.seat)
        if isinstance(entry.ruling, Default):
            before, seat = self.log.first(entry.nth), entry.ruling.seat
            if early := deadlines.too_early(before, self.turns(before), seat, entry.at):
                yield self.at(entry, "this default is too early: {early}", "at", early=early)
        if self.before_time(entry):
            self.hasty.append(entry.kind)
        if isinstance(entry.ruling, Clock):
            yield from self.clock(entry.ruling.settings, "log", entry.nth, "settings")

    def press(self, entry: Ruled) -> Iterator[Problem]:
        """Did whoever gave a letter write it, as far as the keys tell?"""
        try:
            words = private_press.opened(self.log, self.keys, entry)
            if words and entry.by not in (words.by, MODERATOR):
                yield self.at(entry, "somebody else wrote this letter", "by")
        except Problem as problem:
            yield self.at(entry, "this letter: {problem}", "parts", problem=problem.sentence)

    def before_time(self, entry: Ruled) -> bool:
        """Does this say that somebody's time is over before it was, by the times that count now?"""
        at = self.in_time.entries[entry.nth].at
        if isinstance(entry.ruling, PassOver):
            return at <= self.so_far.gathered.due
        if not isinstance(entry.ruling, Default):
            return False
        before = self.in_time.first(entry.nth)
        running, seat = self.turns(before), entry.ruling.seat
        return deadlines.too_early(before, running, seat, at) is not None

    def under(self, states: list[Any]) -> list[Any]:
        """These states under the options that hold now."""
        if not self.changed:
            return states
        return [self.game.agreed(state, self.setup) for state in states]

    def notice(self, entry: Ruled, seat: Seat) -> Iterator[Problem]:
        """Had the seat let its deadline pass when this was written?"""
        if seat in self.so_far.vacant:  # earlier versions wrote notices to seats nobody held
            return
        before = self.log.first(entry.nth)
        times = deadlines.timetable(before, self.turns(before))
        theirs = [each for each in times.deadlines if each.seat == seat]
        if times.trouble:
            yield self.at(entry, "this notice cannot be checked: {trouble}", trouble=times.trouble)
        elif not theirs:
            yield self.at(entry, "{seat:seat} is not asked for a move here", "seat", seat=seat)
        elif times.state(theirs[0], entry.at) not in (OWED, LAPSED):  # LAPSED: it is renewed
            until = theirs[0].late_from and clock.spoken(theirs[0].late_from, times.zone)
            pattern = "this notice is too early: no day counts for {seat:seat}"
            if theirs[0].noticed:
                pattern = "{seat:seat} has a notice already"
            elif until:
                pattern = "this notice is too early: {seat:seat} has time until {until}"
            yield self.at(entry, pattern, "at", seat=seat, until=until)

    def turns(self, log: Log) -> turns.Turns:
        """Whose turn it is at the end of a log that goes as far as the states do."""
        return turns.after(log, (turns.who(self.game.pending(state)) for state in self.states))

    def clock(self, settings: Mapping[str, Any], *where: str | int) -> Iterator[Problem]:
        """Is its time zone known here, and is what silence brings a move of the game?"""
        for key, unknown in clock.unknown_in(settings, self.game):
            yield self.log.problem("{unknown}", *where, key, unknown=unknown)

    def ply(self, entry: Ply) -> Iterator[Problem]:
        """Is this the ply that would be written today?"""
        self.plies += 1
        yield from self.source(entry)
        events = sealing.events_of(self.log, self.game, self.keys, entry)
        state = self.states[-1]
        yield from self.seals(entry, events)
        try:
            whole = self.whole(entry)
        except Problem as problem:
            yield problem
        else:
            if whole is not None:
                move = yield from self.judge(entry, whole, events, state)
                yield from self.written(entry, move, events)
                yield from self.draw(entry, whole, state)
        try:
            self.states.append(play.advance(self.game, state, events))
        except (LookupError, ValueError, TypeError) as error:
            raise self.at(
                entry, "ply {ply} does not fit the position it follows ({error})", error=error
            ) from error

    def source(self, entry: Ply) -> Iterator[Problem]:
        """Is its source, if any, a message's fingerprint, and can it have come from a message?"""
        drawn = entry.seat == CHANCE and self.log.header.dealer != "asked"
        drawn = drawn or entry.seat == HOUSE
        if entry.source and not re.fullmatch(_SOURCE, entry.source):
            yield self.at(entry, "ply {ply} has a source of no known shape", "source")
        elif entry.source and (drawn or self.so_far.stage == SILENCE):
            yield self.at(
                entry, "ply {ply} came of no message, and has the source of one", "source"
            )

    def whole(self, entry: Ply) -> str | None:
        """The text of the move, if these keys open all of it. Raises Problem."""
        whole = sealing.whole_move(entry, self.keys, self.log)
        if whole is None or HIDDEN not in whole.split():
            return whole
        raise self.at(
            entry, "ply {ply} hides its move from everybody: {move!r}", "move", move=entry.move
        )

    def judge(
        self, entry: Ply, whole: str, events: tuple[Event, ...], state: Any
    ) -> Generator[Problem, None, Move | None]:
        """Would the move be taken today, with the same consequences?"""
        self.judged += 1
        try:
            move = play.resolve(self.game, state, entry.seat, self.game.parse(whole))
            step = play.judge(self.game, state, entry.seat, move)
        except Refused as refusal:
            yield self.at(
                entry,
                "ply {ply} ({whole}) would be refused: {refusal}",
                whole=whole,
                refusal=refusal,
            )
            return None
        opens = () if self.keys.secret else getattr(self.game, "OPENS", ())
        if not agree(step.events, events, opens):
            yield self.at(
                entry,
                "ply {ply} would have other consequences: {now}, not {then}",
                now="; ".join(_in_words(event) for event in step.events),
                then="; ".join(_in_words(event) for event in events),
            )
        return move

    def seals(self, entry: Ply, events: tuple[Event, ...]) -> Iterator[Problem]:
        """Is what only one seat may know sealed, for its owner at the time, and nothing else?

        That it opens was checked when it was opened.
        """
        for index, event in enumerate(events):
            owner = owners(event, entry.seat, self.seats)
            [(word, fields)] = entry.events[index].items()
            for slot in slots(type(event)):
                about = {"event": word, "field": slot.name}
                value, sealed = fields[slot.name], seal.is_sealed(fields[slot.name])
                if slot.name in owner and not sealed:
                    yield self.at(
                        entry,
                        "ply {ply} shows {event}.{field} openly; it should be sealed",
                        **about,
                    )
                elif slot.name not in owner and sealed:
                    yield self.at(
                        entry, "ply {ply} seals {event}.{field}; it should stand openly", **about
                    )
                elif sealed and not self.fits(value, [owner[slot.name]], slot.of.size):
                    yield self.at(
                        entry,
                        "ply {ply} seals {event}.{field} for another epoch, or pads it otherwise",
                        **about,
                    )
        if entry.whole and not self.fits(entry.whole, self.seats, sealing.WHOLE_SIZE):
            yield self.at(
                entry, "ply {ply} seals its move for another epoch, or pads it otherwise", "whole"
            )

    def fits(self, text: str, seats: tuple[Seat, ...] | list[Seat], size: int) -> bool:
        """Is this sealed for somebody who holds one of these seats at the time, and of the right
        length?"""
        epochs = {self.so_far.epochs[seat] for seat in seats}
        return seal.epoch_of(text) in epochs and seal.length_of(text) % size == 0

    def written(
        self, entry: Ply, move: Move | None, events: tuple[Event, ...]
    ) -> Iterator[Problem]:
        """Written again from what was opened, is it the same to the letter?"""
        if move is None:
            return
        shown = self.game.notate(mask(move, None, entry.seat, self.seats))
        if entry.move != shown:
            yield self.at(
                entry,
                "ply {ply} is written {written!r}, but the move is {shown!r}",
                "move",
                written=entry.move,
                shown=shown,
            )
        if self.keys.secret is None:
            return  # without it nothing can be sealed
        again = sealing.written(
            *(self.log.header, self.game, self.keys, self.so_far.epochs),
            *(entry.number, entry.seat, move, events),
        )
        if entry.whole != again.get("whole", ""):
            yield self.at(
                entry,
                "the move of ply {ply} is not sealed as it should be: for its owner, at the "
                "owner's epoch, padded to a multiple of {size}",
                "whole",
                size=sealing.WHOLE_SIZE,
            )
        for index, (stands, due) in enumerate(zip(entry.events, again["events"], strict=True)):
            if canonical(stands) != canonical(due):
                yield self.at(
                    entry,
                    "event {number} of ply {ply} is not sealed or written as it should be",
                    *("events", index),
                    number=index + 1,
                )

    def draw(self, entry: Ply, whole: str, state: Any) -> Iterator[Problem]:
        """Did chance draw what the secret says?"""
        if (
            entry.seat != CHANCE
            or not self.keys.secret
            or self.log.header.dealer != gathering.SEALED
        ):
            return
        moves = play.legal_moves(self.game, state, CHANCE)
        weights = [(self.game.notate(move), self.game.chances(state, move)) for move in moves]
        if not weights:
            return  # already told by `judge`
        self.drawn += 1
        dealer = chance.Sealed(self.keys.secret, self.log.header.match)
        due = dealer(entry.number, self.so_far.entropy, weights)
        if whole != due:
            yield self.at(
                entry, "ply {ply} drew {whole!r}; the secret draws {due!r}", whole=whole, due=due
            )


def agree(again: Iterable[Event], logged: Iterable[Event], opens: Collection[type[Event]]) -> bool:
    """Are the facts the same, as far as they could be worked out again?

    Events of the classes in `opens`, which open what was hidden, are taken as logged where they
    cannot be worked out. The reason for a fact is not compared: a log stays true when the same
    consequence cites a better rule.
    """
    mine, theirs = list(again), list(logged)
    if len(mine) != len(theirs):
        mine, theirs = ([e for e in events if type(e) not in opens] for events in (mine, theirs))
    return len(mine) == len(theirs) and all(
        type(one) is type(other) and _same(_values(one), _values(other))
        for one, other in zip(mine, theirs, strict=True)
    )


def _same(one: Any, other: Any) -> bool:
    """Are these the same, as far as they are known?"""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return one == other or HIDDEN in (one, other)


def _values(event: Event) -> list[Any]:
    [fields] = codec.to_plain(event).values()
    return [value for name, value in fields.items() if name != "why"]


def _in_words(event: Event) -> str:
    [(word, fields)] = codec.to_plain(event).items()
    return f"{word} {' '.join(map(str, fields.values()))}"
