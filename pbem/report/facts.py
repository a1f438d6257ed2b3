"""What a post, a letter, a receipt or a rejection tells: the facts, before any words.

Named tuples, because every command pays for creating its classes: they cost a fifth of what frozen
dataclasses do.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from pbem.core import Event, Seat

WIDTH: Final = 72
NARROW: Final = 40
"""Columns of a text on a phone."""


class News(NamedTuple):
    """One ply: who moved, the canonical move, what it brought about, and whether it was struck.

    `seats` says who sat where then, if others do now. `on_word`: the moderator's word stood in for
    the proof that the players were promised.
    """

    ply: int
    seat: Seat
    move: str
    events: tuple[Event, ...]
    struck: bool = False
    seats: Mapping[Seat, str] | None = None
    on_word: bool = False


class Awaited(NamedTuple):
    """A decision someone has to make; `default` is the canonical move that silence means, `example`
    another that everybody can see to be legal, "" where there is none."""

    seat: Seat
    kind: str
    about: Mapping[str, Any]
    default: str | None
    during: Seat | None
    example: str = ""


class SeatPart(NamedTuple):
    """What only one seat is told: its legal moves and, in its first letter, its key.

    `more` counts the legal moves that are not listed, as far as they were counted: if `uncounted`,
    there may be others. `plans` (number, line) wait; `offers` are standing answers that would spare
    the seat its next mails. Its key `unlocks` hidden "cards", sealed "moves", or "" for nothing. A
    seat that `amends` may change what it has answered, and nobody waits for it.
    """

    seat: Seat
    legal: tuple[str, ...]
    key: str | None = None
    more: int = 0
    uncounted: bool = False
    plans: tuple[tuple[int, str], ...] = ()
    offers: tuple[str, ...] = ()
    unlocks: str = "cards"
    amends: bool = False


class Refusal(NamedTuple):
    """Why an order was refused.

    `unreadable` holds (line number, its text, what is wrong, hint), the last two empty where an
    order is proposed, `ignored` (text, line number, why, how many more lines for the same reason),
    `instead` legal moves; `more` counts those not listed, as far as they were counted: if
    `uncounted`, there may be others. `again`: it was read before; `complete`: `understood` leaves
    its seat nothing to add now; `no_move`: it holds no move that could be refused. `choices` are
    what it may mean, `numbered` where a number answers; `early` is an order that came out of turn,
    as a plan.
    """

    said: str = ""
    understood: tuple[str, ...] = ()
    reason: str = ""
    rule: str | None = None
    rule_says: str | None = None
    source: str | None = None
    unreadable: tuple[tuple[int, str, str, str], ...] = ()
    instead: tuple[str, ...] = ()
    ignored: tuple[tuple[str, int, str, int], ...] = ()
    more: int = 0
    uncounted: bool = False
    again: bool = False
    complete: bool = False
    no_move: bool = False
    choices: tuple[str, ...] = ()
    numbered: bool = False
    early: str = ""


class Receipt(NamedTuple):
    """What came of an accepted order: for its sender alone.

    `not_played` (text, why) are moves that are not played; `plans` (number, line) wait, and
    `at_once` (number, moves) were played already. If the message was `kept`, none of its moves is
    in the log; `told` is what is said about it first, `passed` a first choice that was not
    possible, so that another was played.
    """

    said: str
    understood: tuple[str, ...]
    ignored: tuple[tuple[str, int, str, int], ...]
    not_played: tuple[tuple[str, str], ...]
    plans: tuple[tuple[int, str], ...] = ()
    at_once: tuple[tuple[int, str], ...] = ()
    kept: bool = False
    told: str = ""
    passed: str = ""


class Chosen(NamedTuple):
    """An option somebody has chosen: its value, what it is about, and the id of its rule."""

    option: str
    value: str
    says: str
    rule: str


class Opening(NamedTuple):
    """What the first post of a match says of how it is played; `note` is about its board, `clock`
    about its time and its press. Without draws there is no `commit`."""

    edition: str
    options: tuple[Chosen, ...]
    commit: str
    contact: str = ""
    note: str = ""
    clock: tuple[str, ...] = ()


class Standing(NamedTuple):
    """A row of the final table; without `score` where the rules count none."""

    place: int
    seat: Seat
    score: float | None = None


class Result(NamedTuple):
    """How the match ended: by a rule and what that rule says, or by a ruling."""

    winners: tuple[Seat, ...]
    why: str
    rule_says: str | None
    standings: tuple[Standing, ...]


class Brief(NamedTuple):
    """A post that is to be short: its board can be seen at the address `page`, or in a `picture`
    that goes with it."""

    page: str = ""
    picture: str = ""


class Report(NamedTuple):
    """Everything a post, a letter, a receipt or a rejection tells; to somebody who has no part in a
    match, nothing about one.

    `seats` maps each seat to its player's name, `news` are plies and, in words, the rulings among
    them, `view` and `picture` are the position as the reader may know it, `past` says that the
    match has moved on since, `until` says how long everybody has who is next, `also` are letters to
    other seats of the same person, `folder` is the DATA of a game that brings its own templates,
    `width` how many columns a text has, `earlier` the view before the news, for a picture that
    marks what has changed, `asked` what came of the reader's requests besides moves, in paragraphs,
    `answers` the seats the reader can answer for, any if None, `brief` says that it tells as little
    as will do, `bare` why it comes without the board, "" where it has one, `above` where its board
    is drawn if not here, `pages` what there is to see on the web: (words, address), `since` from
    when on a letter tells.
    """

    game: str = ""
    title: str = ""
    match: str = ""
    ply: int = 0
    fingerprint: str = ""
    seats: Mapping[Seat, str] = MappingProxyType({})
    news: tuple[News | str, ...] = ()
    view: Mapping[str, Any] = MappingProxyType({})
    picture: tuple[str, ...] = ()
    awaited: tuple[Awaited, ...] = ()
    result: Result | None = None
    past: bool = False
    until: tuple[str, ...] = ()
    letter: SeatPart | None = None
    also: tuple[SeatPart, ...] = ()
    refusal: Refusal | None = None
    receipt: Receipt | None = None
    notes: tuple[str, ...] = ()
    opening: Opening | None = None
    folder: str = ""
    width: int = WIDTH
    earlier: Mapping[str, Any] | None = None
    asked: tuple[str, ...] = ()
    answers: tuple[Seat, ...] | None = None
    brief: Brief | None = None
    bare: str = ""
    above: str = ""
    pages: tuple[tuple[str, str], ...] = ()
    since: str = ""
