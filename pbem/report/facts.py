"""What a post, a letter, a receipt or a rejection tells: the facts, before any words.

Named tuples, for every command pays for the making of its classes: five times less than for frozen
dataclasses.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from pbem.core import Event, Seat

WIDTH: Final = 72
NARROW: Final = 40
"""Columns of a text on a phone."""


class News(NamedTuple):
    """One ply: who moved, the canonical move, what it brought about, and whether it was struck.

    `seats` names who sat where then, if others do now. `on_word`: the moderator's word stood in
    for the proof that the players were promised.
    """

    ply: int
    seat: Seat
    move: str
    events: tuple[Event, ...]
    struck: bool = False
    seats: Mapping[Seat, str] | None = None
    on_word: bool = False


class Awaited(NamedTuple):
    """A decision someone has to make; `default` is the canonical move that silence means."""

    seat: Seat
    kind: str
    about: Mapping[str, Any]
    default: str | None
    during: Seat | None


class SeatPart(NamedTuple):
    """What only one seat is told: its legal moves and, in its first letter, its key.

    `more` counts the legal moves that are not listed, as far as anybody counted: there may be
    others if it is `uncounted`. `plans` (number, line) wait; `offers` are standing answers that
    would spare the seat its next mails. What its key `unlocks`: hidden "cards", sealed "moves", or
    nothing. It `amends` what it has answered, and nobody waits for it.
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
    `instead` moves that are legal, and `more` counts those not listed, unless they are
    `uncounted`. `again`: it was read before; `complete`: `understood` leaves its seat nothing to
    add now; `block` is the same with dots for lines that could not be read, if there are such;
    `no_move`: it holds no move that could be refused. `choices` are what it may mean,
    `numbered` where a number answers.
    """

    said: str
    understood: tuple[str, ...]
    reason: str
    rule: str | None
    rule_says: str | None
    source: str | None
    unreadable: tuple[tuple[int, str, str, str], ...]
    instead: tuple[str, ...]
    ignored: tuple[tuple[str, int, str, int], ...]
    more: int = 0
    uncounted: bool = False
    again: bool = False
    complete: bool = False
    block: tuple[str, ...] = ()
    no_move: bool = False
    choices: tuple[str, ...] = ()
    numbered: bool = False


class Receipt(NamedTuple):
    """What came of an accepted order: for its sender alone.

    `not_played` (text, why) are moves that are not played; `plans` (number, line) wait, and
    `at_once` (number, moves) were played already. Of a message that was `kept` no move stands in
    the log; `told` is what else is said of it first, `passed` the first choice, where another was
    played for it.
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
    about its time. Without draws there is no `commit`."""

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
    """A post is to be short. Its board is to be seen at an address, or in a `picture` that goes
    with it."""

    page: str = ""
    picture: str = ""


class Report(NamedTuple):
    """Everything a post, a letter, a receipt or a rejection tells.

    `seats` maps each seat to its player's name, `news` are plies and, in words, the rulings among
    them, `view` and `picture` are the position as the reader may know it, `past` says that the
    match has moved on since, `until` says for each who is next how long they have, `also` are
    letters to further seats of the same person, `folder` is the DATA of a game that brings its own
    templates, `width` how many columns a text has, `earlier` the view before the news, for a
    picture that marks what has changed, `asked` what came of what its reader asked for besides
    moves, in paragraphs, `answers` the seats its reader can answer for, any if None, `brief` says
    that as little is told as will do, `bare` why it comes without the board, "" where it brings
    it, `pages` what there is to see on the web: (words, address).
    """

    game: str
    title: str
    match: str
    ply: int
    fingerprint: str
    seats: Mapping[Seat, str]
    news: tuple[News | str, ...]
    view: Mapping[str, Any]
    picture: tuple[str, ...]
    awaited: tuple[Awaited, ...]
    result: Result | None
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
    pages: tuple[tuple[str, str], ...] = ()
