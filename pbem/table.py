"""The front door for programs: a table at which a match is played, all in text and plain values.

t = pbem.Table.start("kahuna", seats=("white", "black"))
while seat := t.asked:
    t = t.draw() if seat == "chance" else t.play(seat, random.choice(t.legal(seat)))
print(t)
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple
from zlib import crc32

from pbem.core import CHANCE, HIDDEN, NOBODY, Decision, Event, Game, Move, Seat, Setup, mask
from pbem.play import codec, games, options, positions
from pbem.play import judge as play
from pbem.play.unknown import PLAYOUTS, Knowledge
from pbem.problem import Usage
from pbem.sentence import Sentence, say

if TYPE_CHECKING:
    from random import Random


class _Played(NamedTuple):
    """The last move, who made it and what it brought about, linked to those before: tables that
    part ways share them."""

    before: _Played | None
    seat: Seat
    events: tuple[Event, ...]


_LONGEST: Final = 200
"""How long a `repr` may be, in characters."""


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Table:
    """A match at one moment. Immutable: `play` gives a new table.

    Made by `start` or `at`, or `pbem.Match.table`; the fields are private. `str(table)` is the
    board, with all that is known of it: print `table.seen_by(None)` where anybody may look on.

    It is a value: tables of one game are equal, with one hash, where they are set up alike and
    look alike, whatever led there. Pickles, copies and `to_json` keep what led there, too.
    """

    ACTIONS: ClassVar[int] = 1 << 16
    """The numbers of moves in `indexed` are below this."""

    _game: Game[Any]
    _setup: Setup
    _first: Any
    _state: Any
    _was: Any = None
    _played: _Played | None = None
    _reader: Seat | None = None
    _sampled: bool = False

    @staticmethod
    def start(
        game: str,
        seats: tuple[Seat, ...] | None = None,
        ruleset: str | None = None,
        options: Mapping[str, Any] | None = None,
        board: Mapping[str, Any] | None = None,
    ) -> Table:
        """A fresh match; chance moves first where cards are to be dealt.

        `seats` in order of play (default: the seats the game names); `ruleset` and `options` as
        in docs/notation.md. Raises pbem.Problem for an unknown game, ruleset, seat or option.
        """
        rules, setup = _set_up(game, seats, ruleset, options, board)
        first = rules.start(setup)
        return Table(rules, setup, first, first)

    @staticmethod
    def at(
        game: str,
        view: Mapping[str, Any],
        seats: tuple[Seat, ...] | None = None,
        ruleset: str | None = None,
        options: Mapping[str, Any] | None = None,
        board: Mapping[str, Any] | None = None,
    ) -> Table:
        """A table at any position, given as a view or the keys of one that matter.

        Raises pbem.Problem for what is not a position of this game.
        """
        rules, setup = _set_up(game, seats, ruleset, options, board)
        first = positions.placed(rules, setup, view)
        return Table(rules, setup, first, first)

    @staticmethod
    def from_json(text: str) -> Table:
        """The table that `to_json` wrote. Raises pbem.Problem for a text of another form, and for
        plies that lead to no position of the game; else they are believed, as what is hidden in
        them cannot be judged again."""
        try:
            plain = json.loads(text)
            seats, reader, position = plain["seats"], plain["reader"], plain["position"]
            rules, setup = _set_up(
                plain["game"], seats, plain["ruleset"], plain["options"], plain["board"]
            )
            if reader not in (None, *seats):
                raise LookupError(reader)
            fresh = position is None
            first = rules.start(setup) if fresh else positions.placed(rules, setup, position)
            plies = (
                (seat, tuple(codec.from_plain(rules.EVENTS, event) for event in events))
                for seat, events in plain["plies"]
            )
            table = replace(replayed(rules, setup, first, plies), _reader=reader)
            if HIDDEN not in positions.leaves(view := table.view()):
                positions.placed(rules, setup, view)
            if "sampled" in plain:
                state = positions.placed(rules, setup, plain["sampled"])
                table = replace(table, _state=state, _sampled=True)
            return table
        except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
            raise Usage("this is no table as JSON: {error!r:.200}", error=error) from error

    def to_json(self) -> str:
        """The table as JSON: how it was set up, where it began and what was played since, as far as
        it is known at this table."""
        fresh = self._first == self._game.start(self._setup)
        moves = reversed([*self._moves()])
        plain = {
            **self._set_up_as,
            "position": None if fresh else self._game.view(self._first),
            "plies": [[each.seat, [*map(codec.to_plain, each.events)]] for each in moves],
            "reader": self._reader,
            **({"sampled": self.view()} if self._sampled else {}),
        }
        return json.dumps(plain, ensure_ascii=False)

    @property
    def pending(self) -> tuple[Decision, ...]:
        """Who must choose now (`.seat`, `.kind`, `.about`), or may while others must (`.awaited` is
        False); () when the match is over."""
        return self._game.pending(self._state)

    @property
    def asked(self) -> Seat:
        """The seat that must choose next, `chance` or `house` where nobody sits; "" at the end."""
        return next((each.seat for each in self.pending if each.awaited), "")

    def legal(self, seat: Seat, *, starting: str = "", most: int | None = None) -> tuple[str, ...]:
        """The canonical texts of all moves this seat may make now, sorted; () if it is not asked.
        Raises pbem.Problem for a seat there is not, as all do that look with the eyes of a seat.

        Or only those `starting` with some letters, such as "sacrifice ", and no more than `most`:
        a hand of many tiles allows a hundred thousand moves.
        """
        self._require(seat)
        return play.legal_texts(self._game, self._state, seat, starting=starting, most=most).texts

    def count(self, seat: Seat) -> int:
        """How many moves this seat may make now, counted without writing them."""
        self._require(seat)
        return sum(1 for _ in play.each_legal(self._game, self._state, seat))

    def moves(self, seat: Seat) -> tuple[Move, ...]:
        """The same moves as values, in the order of the game: for programs that play many, as
        nothing is written or read. `str` is not their text; `legal` has it."""
        self._require(seat)
        return tuple(play.each_legal(self._game, self._state, seat))

    def indexed(self, seat: Seat) -> dict[int, Move]:
        """The same moves by number, below `Table.ACTIONS`: for programs that learn. A move has one
        number wherever it is legal; but of two that are legal and would have the same, one has the
        next that is free."""
        found = dict[int, Move]()
        texts = {self._game.notate(move): move for move in self.moves(seat)}
        for text in sorted(texts):
            number = crc32(text.encode()) % Table.ACTIONS
            while number in found:
                number = (number + 1) % Table.ACTIONS
            found[number] = texts[text]
        return found

    def text(self, move: Move) -> str:
        """The canonical text of one of `moves`."""
        return self._game.notate(move)

    @property
    def chances(self) -> dict[str, int]:
        """What chance may do now, and in how many equally likely ways each may come about."""
        moves = play.each_legal(self._game, self._state, CHANCE)
        return {self._game.notate(m): self._game.chances(self._state, m) for m in moves}

    def play(self, seat: Seat, move: str | Move) -> Table:
        """The table after one move, as text or as one of `moves`. Raises pbem.Unreadable, Ambiguous
        or Violation."""
        if isinstance(move, str):
            move = play.resolve(self._game, self._state, seat, self._game.parse(move))
        return self._after(seat, play.judge(self._game, self._state, seat, move).events)

    def draw(self, rng: Random | None = None) -> Table:
        """The table after a random move of chance, each as likely as the rules make it; with `rng`,
        or `random.seed`, it can be repeated. A step of the house has nothing random, and is played
        like it. Raises pbem.Problem if neither is to move, or nothing can come."""
        import random

        seat = next((each.seat for each in self.pending if each.seat in NOBODY), "")
        moves = self.moves(seat) if seat else ()
        if not moves:
            raise Usage("nothing is to be drawn: {standing}", standing=self._standing)
        ways = [self._game.chances(self._state, m) if seat == CHANCE else 1 for m in moves]
        return self.play(seat, (rng or random).choices(moves, ways)[0])

    def key(self, seat: Seat | None) -> str:
        """All that this seat knows (None: a spectator) as one text, the same for all tables between
        which it cannot tell: the information set. `from_json` makes a table of it."""
        return self.seen_by(seat).to_json()

    def resample(self, seat: Seat, rng: Random) -> Table:
        """A table at which nothing is hidden and which fits all that this seat knows: the cards it
        has not seen are dealt anew, and what was chosen in secret is chosen anew. It has the same
        `key(seat)`, and the same moves for that seat; what led there is what the seat knows of it.
        Raises pbem.Problem where a game does not say what may be hidden."""
        state = self._known_to(seat).sampler()(rng.randrange)
        return replace(self.seen_by(seat), _state=state, _sampled=True)

    def bot(self, seat: Seat, rng: Random, playouts: int = PLAYOUTS) -> Move:
        """What the bot would play for this seat, which is asked: it looks at what the seat knows,
        and thinks for so many playouts. Raises pbem.Problem if it is not asked."""
        from pbem.play.bot import Bot

        if seat not in [each.seat for each in self.pending]:
            raise Usage(
                "{seat:seat} isn't asked here: {standing}", seat=seat, standing=self._standing
            )
        return Bot(playouts).move(self._known_to(seat), rng.randrange)

    def _known_to(self, seat: Seat) -> Knowledge:
        seen = self.seen_by(seat)
        plies = [(each.seat, each.events) for each in reversed([*seen._moves()])]
        return Knowledge(self._game, self._setup, seat, seen._first, plies, seen._state)

    def perft(self, depth: int) -> int:
        """How many sequences of so many moves there are from here, those of chance included. Raises
        pbem.Problem for less than none."""
        if depth < 0:
            raise Usage("a depth is 0 or more, not {depth}", depth=depth)
        return play.perft(self._game, self._state, depth)

    def _after(self, seat: Seat, events: tuple[Event, ...]) -> Table:
        state = play.advance(self._game, self._state, events)
        played = _Played(self._played, seat, events)
        here = self._game, self._setup, self._first, state, self._state
        return Table(
            *here, played, self._reader, self._sampled
        )  # `replace` takes three times as long

    def _moves(self) -> Iterator[_Played]:
        """Everything that was played here, the last move first."""
        played = self._played
        while played:
            yield played
            played = played.before

    @property
    def events(self) -> tuple[dict[str, Any], ...]:
        """What the last move brought about, like {"built": {"seat": …, "line": …}}."""
        last = self._played.events if self._played else ()
        return tuple(codec.to_plain(event) for event in last)

    def view(self) -> dict[str, Any]:
        """What lies on the table, as JSON-ready values (`pbem schema view-<game>`)."""
        return self._game.view(self._state)

    def picture(
        self,
        *,
        names: Mapping[Seat, str] | None = None,
        theme: str = "light",
        size: int | None = None,
        marks: Collection[str] = (),
        arrows: Collection[tuple[str, str]] = (),
    ) -> str:
        """The board as SVG, with what the last move changed marked.

        `names` are the players' by seat, `theme` is light, dark, contrast or ink, `size` is the
        width in pixels; without it the picture takes the room it is given. `marks` are the ids of
        shapes to point at, `arrows` lead from one place to another. Raises pbem.Problem for other
        values.
        """
        from pbem.pictures import board, palette

        if theme not in tuple(palette.THEMES):
            raise Usage(
                "theme is {themes:any}, not {theme!r:.60}", themes=palette.THEMES, theme=theme
            )
        if size is not None and (type(size) is not int or size < 1):
            raise Usage("size is a number of pixels from 1, not {size!r:.60}", size=size)
        before = self._game.view(self._was) if self._played else None
        asked = [each for each in self.pending if each.awaited]
        view = board.ended(self.view(), self._game.outcome(self._state), asked)
        return board.paint(
            self._game,
            view,
            reader=self._reader,
            names=names or {},
            theme=theme,
            size=size,
            before=before,
            marks=marks,
            arrows=arrows,
        )

    @property
    def outcome(self) -> dict[str, Any] | None:
        """None, or {"winners": […], "why": rule id, "scores": {seat: points}}."""
        end = self._game.outcome(self._state)
        return end.plain if end else None

    @property
    def shares(self) -> dict[Seat, float]:
        """What part of the first place each seat has, {} before the end; where nobody wins, all
        have the same."""
        end = self._game.outcome(self._state)
        return end.shares if end else {}

    def seen_by(self, seat: Seat | None) -> Table:
        """The same table as this seat knows it (None: a spectator)."""
        if seat is not None:
            self._require(seat)
        seats = self._setup.seats
        first = self._concealed(seat)
        table = Table(self._game, self._setup, first, first, _reader=seat)
        for move in reversed([*self._moves()]):
            seen = tuple(mask(event, seat, move.seat, seats) for event in move.events)
            table = table._after(move.seat, seen)
        return table

    def _require(self, seat: Seat) -> None:
        """Raises Usage for a seat that is not at this table."""
        title, seats = self._game.TITLE, self._setup.seats
        if seat not in seats and seat not in NOBODY:
            says = "{title} has no seat {seat!r}, only {seats:all}"
            raise Usage(says, title=title, seat=seat, seats=seats)

    @property
    def _set_up_as(self) -> dict[str, Any]:
        """Which game it is and how it was set up, in plain values."""
        return {"game": self._game.NAME, **self._setup._asdict()}

    @property
    def _looks(self) -> str:
        """What tables are compared by."""
        return json.dumps([self._set_up_as, self.view()], sort_keys=True)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and (self is other or self._looks == other._looks)

    def __hash__(self) -> int:
        return hash(self._looks)

    def __reduce__(self) -> tuple[Any, ...]:
        return Table.from_json, (self.to_json(),)

    def __copy__(self) -> Table:
        return self

    def __deepcopy__(self, memo: object) -> Table:
        return self

    def __str__(self) -> str:
        """The board as text, a line on what each seat has, and who is to move."""
        view, seats = self.view(), self._setup.seats
        theirs = [key for key, value in view.items() if _by_seat(value, seats)]
        rows = (
            "; ".join((seat, *(f"{key}: {_in_short(view[key][seat])}" for key in theirs)))
            for seat in seats
        )
        lines = (self._game.TITLE, *self._game.draw(view), "", *rows, "", self._standing.text())
        return "\n".join(lines)

    def __repr__(self) -> str:
        """Which table it is: `<pbem.Table kahuna after 17 moves: white is to move>`."""
        told = say(
            "pbem.Table {game} after {n} [move|moves]: {standing}",
            game=self._game.NAME,
            n=sum(1 for _ in self._moves()),
            standing=self._standing,
        ).text()
        return f"<{told}>" if len(told) <= _LONGEST - 2 else f"<{told[: _LONGEST - 3]}…>"

    @property
    def _standing(self) -> Sentence:
        """Who is to move, or who has won."""
        end = self._game.outcome(self._state)
        if end is not None:
            won = "{winners:all} won [{why}]" if end.winners else "nobody won [{why}]"
            return say(won, winners=end.winners, why=end.why)
        asked = dict.fromkeys(each.seat for each in self.pending if each.awaited)
        to_move = "{seats:all} [is|are] to move"
        return say(to_move, seats=[*asked], n=len(asked))

    def _concealed(self, viewer: Seat | None) -> Any:
        """The first position without what only other seats may know of it."""
        view = self._game.view(self._first)
        if not positions.private(self._game, view):
            return self._first
        seen = positions.concealed(
            self._game, view, lambda _, owner, value: value if owner == viewer else HIDDEN
        )
        return self._game.position(self._setup, seen)


def _by_seat(value: Any, seats: Collection[Seat]) -> bool:
    """Does this value of a view tell something for each seat?"""
    return isinstance(value, dict) and set(value) == set(seats)


def _in_short(value: Any) -> str:
    """A value of a view, for a line it shares with others."""
    if isinstance(value, dict):
        return ", ".join(f"{key} {_in_short(each)}" for key, each in value.items()) or "-"
    if isinstance(value, list):
        return ", ".join(map(_in_short, value)) or "-"
    return "-" if value is None else str(value)


def replayed(
    game: Game[Any], setup: Setup, first: Any, plies: Iterable[tuple[Seat, tuple[Event, ...]]]
) -> Table:
    """The table that these plies, each a seat and its events, lead to from the first state."""
    table = Table(game, setup, first, first)
    for seat, events in plies:
        table = table._after(seat, events)
    return table


def _set_up(
    name: str,
    seats: tuple[Seat, ...] | None,
    ruleset: str | None,
    chosen: Mapping[str, Any] | None,
    board: Mapping[str, Any] | None,
) -> tuple[Game[Any], Setup]:
    if not isinstance(name, str):
        raise Usage(
            "the first argument is the name of a game, like 'kahuna'; the view comes after it"
        )
    rules = games.game(name)
    return rules, options.setup(rules, seats or rules.SEATS, ruleset, chosen, board)
