"""What a reader's keys open in a log, and how what only one seat may know is sealed there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from pbem.core import HIDDEN, MOVER, Event, Game, Move, Seat, mask, owners, word
from pbem.log import seal
from pbem.log.entries import Header, Plain, Ply
from pbem.log.format import Log
from pbem.log.rulings import Reveal
from pbem.log.seal import Keyring
from pbem.play import codec, positions
from pbem.problem import BadFile, Denied, Problem

WHOLE_SIZE: Final = 48
"""Whole moves are padded to a multiple of this many bytes."""

# --------------------------------------------------------------------------------- opening


def accept_keys(log: Log, keyring: Keyring) -> Keyring:
    """The keyring, once it is known to belong to this match; after a reveal it opens everything.

    Raises Problem (code 77) for the keys of another match.
    """
    for reveal in log.rulings(Reveal):
        return replace(keyring, match=log.header.match, secret=bytes.fromhex(reveal.secret))
    if keyring.match not in ("", log.header.match):
        raise Denied(
            "these keys are for match {match!r}, the log is of {match2!r}",
            log.path,
            match=keyring.match,
            match2=log.header.match,
        )
    if keyring.secret is not None and seal.commit(keyring.secret) != log.header.commit:
        raise Denied("this is not the secret the header commits to", log.path)
    return keyring


def keys_of(log: Log, keyring: Keyring, seat: Seat, *also: Seat) -> Keyring:
    """The keys of whoever plays a seat, and perhaps `also` others, from an accepted keyring; a
    player's own stays as it is. Raises Denied if it has no key of the seat, Usage if the match
    has no such seat."""
    log.require_seat(seat)
    if keyring.secret is None:
        if seat in keyring.seats:
            return keyring
        raise Denied(
            "only the moderator's key or the key of {seat:seat} shows what {seat:seat} knows",
            seat=seat,
        )
    epochs = log.epochs
    own = keyring.for_seat(seat, epochs[seat])
    for each in also:
        own = own.joined(keyring.for_seat(log.require_seat(each), epochs[each]))
    return own


def open_events(
    log: Log, game: Game[Any], keyring: Keyring, plies: Sequence[Ply] | None = None
) -> tuple[tuple[Ply, tuple[Event, ...]], ...]:
    """The plies that stand (or those given) with their events; HIDDEN where no key opens.

    Raises Problem for an event that is none of the game's or does not open as it should.
    """
    keyring = accept_keys(log, keyring)
    chosen = log.live if plies is None else plies
    return tuple((ply, events_of(log, game, keyring, ply)) for ply in chosen)


def events_of(log: Log, game: Game[Any], keyring: Keyring, ply: Ply) -> tuple[Event, ...]:
    """The events of one ply, with keys that were accepted. Raises Problem like `open_events`."""
    events = []
    for index, data in enumerate(ply.events):
        try:
            event = codec.from_plain(game.EVENTS, data, _opener(log, keyring, ply, index))
            _require_hider(log, ply, event)
            events.append(event)
        except Problem as problem:
            where = ("log", ply.nth, "events", index)
            raise log.problem(
                "ply {number}: {problem}", *where, number=ply.number, problem=problem.sentence
            ) from problem
    return tuple(events)


def _require_hider(log: Log, ply: Ply, event: Event) -> None:
    """Only what belongs to a seat may be hidden. Raises Problem."""
    kind: Any = type(event)
    for slot in event.FIELDS:
        if slot.secret is None or getattr(event, slot.name) != HIDDEN:
            continue
        if slot.name not in owners(event, ply.seat, log.header.seats):
            raise BadFile(
                "{word}.{name} is hidden, but it is for all to see", word=word(kind), name=slot.name
            )


def _opener(log: Log, keyring: Keyring, ply: Ply, index: int) -> codec.Opener:
    def opened(field: str, text: str, owner: Seat) -> Any:
        seat, place = ply.seat if owner == MOVER else owner, f"{index}.{field}"
        return keyring.unseal(seat, text, match=log.header.match, ply=ply.number, field=place)

    return opened


def whole_move(ply: Ply, keyring: Keyring, log: Log) -> str | None:
    """The canonical text of a ply's move with its secret parts, or None if they stay shut.

    Raises Problem for what is no seal, and if the moderator's key does not open it.
    """
    if not ply.whole:
        return ply.move
    keyring = accept_keys(log, keyring)
    seal.epoch_of(ply.whole)  # what is no seal at all nobody's key opens
    # A draw of chance is sealed for whoever gets it: only trying shows whose key opens it.
    place: Any = {"match": log.header.match, "ply": ply.number, "field": "whole"}
    for seat in log.header.seats:
        with suppress(Problem):
            if (opened := keyring.unseal(seat, ply.whole, **place)) != HIDDEN:
                return str(opened)
    if keyring.secret is not None:
        raise log.problem(
            "ply {number}: the whole move was sealed with another key, or altered",
            "log",
            ply.nth,
            "whole",
            number=ply.number,
        )
    return None


# --------------------------------------------------------------------------------- sealing


def ply_entry(
    log: Log,
    game: Game[Any],
    keyring: Keyring,
    seat: Seat,
    move: Move,
    events: Iterable[Event],
    *,
    at: str,
    source: str = "",
) -> Plain:
    """The next ply as `extend` takes it: what only one seat may know is sealed for that seat.

    Raises Problem (code 77) if the keyring, which should be the moderator's, lacks a key.
    """
    keyring, number = accept_keys(log, keyring), log.last + 1
    entry = written(log.header, game, keyring, log.epochs, number, seat, move, events)
    return {**entry, "at": at, **({"source": source} if source else {})}


def written(
    header: Header,
    game: Game[Any],
    keyring: Keyring,
    epochs: Mapping[Seat, int],
    number: int,
    seat: Seat,
    move: Move,
    events: Iterable[Event],
) -> Plain:
    """A ply as it is written, without its time and source; always the same for the same values.

    Raises Problem (code 77) if the keyring lacks a key.
    """
    seats = header.seats

    def sealed(field: str, value: Any, owner: Seat, size: int) -> str:
        place: Any = {"match": header.match, "ply": number, "field": field}
        return keyring.seal(owner, epochs[owner], value, size=size, **place)

    def at_event(index: int) -> codec.Seal:
        # The index keeps two equal cards of one ply from looking equal.
        return lambda field, *rest: sealed(f"{index}.{field}", *rest)

    told, whole = game.notate(mask(move, None, seat, seats)), game.notate(move)
    entry: Plain = {"ply": number, "seat": seat, "move": told}
    if told != whole:
        [owner] = set(owners(move, seat, seats).values())
        entry["whole"] = sealed("whole", whole, owner, WHOLE_SIZE)
    entry["events"] = [
        codec.to_plain(event, seat, seats, at_event(index)) for index, event in enumerate(events)
    ]
    return entry


# ----------------------------------------------------- the position that a match begins from


def position_written(
    header: Header, game: Game[Any], keyring: Keyring, view: Mapping[str, Any]
) -> Plain:
    """The view of a position as it stands in a header: what a seat holds is sealed for that seat,
    card by card. Raises Problem (code 77) if the keyring lacks a key."""

    def shut(field: str, seat: Seat, value: Any) -> str:
        place: Any = {"match": header.match, "ply": 0, "field": field}
        return keyring.seal(seat, 0, value, size=WHOLE_SIZE, **place)

    return positions.concealed(game, view, shut)


def sealed_in(game: Game[Any], view: Mapping[str, Any]) -> Iterator[tuple[str, Seat, str]]:
    """What is sealed in the view of a position, each as its key, its seat and the sealed text."""
    for key in positions.private(game, view):
        for seat, value in view.get(key, {}).items():
            for each in value if isinstance(value, list) else [value]:
                if seal.is_sealed(each):
                    yield key, seat, each


def position_opened(
    header: Header, game: Game[Any], keyring: Keyring, view: Mapping[str, Any]
) -> Plain:
    """The view of a position in a header, as far as these keys open it; HIDDEN for the rest.

    Raises Problem for what does not open as it should.
    """

    def opened(field: str, seat: Seat, value: Any) -> Any:
        if not seal.is_sealed(value):
            if field.partition(".")[0] not in game.PRIVATE:  # earlier versions sealed only those
                return value
            raise BadFile("{field} of the position stands openly; it should be sealed", field=field)
        return keyring.unseal(seat, value, match=header.match, ply=0, field=field)

    return positions.concealed(game, view, opened)
