"""The seam: what a game tells the house, and what the house asks of a game.

A game is a module of pure functions over frozen values that satisfies `Game`. It knows no
files, no mail, no wording and no reader: those live outside and meet it only through the
types below.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from operator import attrgetter
from types import MappingProxyType
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Final,
    Literal,
    NamedTuple,
    Protocol,
    TypeVar,
    dataclass_transform,
)

# Whoever writes a game imports all they need from here.
from pbem.problem import BadFile as BadFile
from pbem.problem import Problem as Problem
from pbem.problem import Usage as Usage
from pbem.sentence import NO_NAMES, Names, Sentence, say

if TYPE_CHECKING:
    from fractions import Fraction

    from pbem.shapes import Scene

Seat = str
CHANCE: Final[Seat] = "chance"
"""The seat that draws cards and tiles."""

HOUSE: Final[Seat] = "house"
"""The seat that does what takes neither choice nor luck, such as carrying out opened orders."""

NOBODY: Final = (CHANCE, HOUSE)
"""The seats at which nobody sits."""

HIDDEN: Final = "?"
"""What a reader may not know. An ordinary value, legal wherever a secret one is."""

MOVER: Final = "mover"
"""Stands for the owner of a secret: whoever makes the move."""


MOST_MARKS: Final = 30
"""How many combining marks in a row are read: no language puts that many on a letter."""


def normal(form: Literal["NFC", "NFKD"], text: str) -> str:
    """Text from outside in a normal form of Unicode, with overlong runs of marks cut short.

    Putting a run in order takes the square of its length, so no other code may normalise.
    """
    if text.isascii():
        return text
    from unicodedata import combining, normalize

    # Some characters only become marks: half-width Japanese signs, some Tibetan vowels.
    found = (c for c in set(text) if c > "\u02ff" and combining(normalize("NFKD", c)[0]))
    if marks := re.escape("".join(sorted(found))):
        text = re.sub(f"([{marks}]{{{MOST_MARKS}}})[{marks}]+", r"\1", text)
    return normalize(form, text)


# ---------------------------------------------------------------- what may stand in a field


def as_it_is(value: Any, *_: Any) -> Any:
    return value


class Domain(NamedTuple):
    """The values a field may take: of a move or an event, in a log; of a state, in a view.

    `says` completes the sentence "expected …"; `size` is the length of the longest value as
    compact JSON, so that sealed values of one field are all equally long; `values` lists them all,
    in order, where that is possible. For views (`pbem.views`) there are `schema`, the JSON schema
    of a plain value, `shown(value, state)`, the plain value, and `read(plain, state, fresh)`, the
    value again, where a state without it holds `fresh`.
    """

    says: str | Sentence
    accepts: Callable[[Any], bool]
    size: int = 0
    values: tuple[Any, ...] = ()
    schema: Mapping[str, Any] = MappingProxyType({})
    shown: Callable[[Any, Any], Any] = as_it_is
    read: Callable[[Any, Any, Any], Any] = as_it_is


def one_of(says: str, values: Iterable[str]) -> Domain:
    """A word from a fixed list. Raises TypeError for what is no word."""
    listed = tuple(values)
    if strange := [each for each in listed if not isinstance(each, str)]:
        raise TypeError(f"one_of takes words, and {strange[0]!r} is none")
    known = frozenset(listed)
    size = max(map(len, listed)) + 2
    schema = {"enum": [*listed]}
    return Domain(says, lambda v: isinstance(v, str) and v in known, size, listed, schema)


def many(of: Domain, most: int = 64) -> Domain:
    """A list of at most `most` values of another domain."""
    return Domain(
        say("a list of {of}", of=of.says),
        lambda v: isinstance(v, tuple | list) and len(v) <= most and all(map(of.accepts, v)),
        (of.size + 1) * most + 2,
        schema={"type": "array", "items": of.schema, "maxItems": most},
        shown=(lambda values, s: list(values))
        if of.shown is as_it_is
        else (lambda values, s: [of.shown(each, s) for each in values]),
        read=lambda plain, s, fresh: tuple(of.read(each, s, None) for each in plain),
    )


def maybe(of: Domain) -> Domain:
    """A value of another domain, or none."""
    values = (None, *of.values) if of.values else ()
    return Domain(
        say("{of} or null", of=of.says),
        lambda v: v is None or of.accepts(v),
        max(of.size, 4),
        values,
        _or_null(of.schema),
        lambda value, s: None if value is None else of.shown(value, s),
        lambda plain, s, fresh: None if plain is None else of.read(plain, s, fresh),
    )


def _or_null(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    wider = {"enum": [*schema["enum"], None]} if "enum" in schema else {}
    return {**schema, **wider, **({"type": [schema["type"], "null"]} if "type" in schema else {})}


def _is_name(value: Any) -> bool:
    return (
        isinstance(value, str)
        and 0 < len(value) <= 40
        and value[0].isalnum()
        and all(char.isalnum() or char in " /+-_" for char in value)
    )


NAME: Final = Domain("a short name", _is_name, 42, schema={"type": "string"})
NUMBER: Final = Domain(
    "a whole number",
    lambda v: isinstance(v, int) and not isinstance(v, bool),
    schema={"type": "integer"},
)
FLAG: Final = Domain(
    "true or false", lambda v: isinstance(v, bool), 5, (False, True), {"type": "boolean"}
)
SEAT: Final = Domain("a seat", _is_name, 42, schema={"type": "string", "format": "seat"})


def fact(of: Domain, *, secret: str | None = None) -> Any:
    """A field of a move or an event.

    `secret` names the sibling field that holds the owner, or is `MOVER`. Where the owner is a
    seat of the match, only that seat may read the value; where it is not (a public display, say)
    everybody may. This mark is the one definition of secrecy.
    """
    return of, secret


class Slot(NamedTuple):
    """A field of a move or event class, as declared by `fact`."""

    name: str
    of: Domain
    secret: str | None


class Record:
    """A frozen value with declared fields; see `record`."""

    __slots__: tuple[str, ...] = ()
    __match_args__: tuple[str, ...] = ()
    FIELDS: ClassVar[tuple[Slot, ...]] = ()
    _PUT: ClassVar[tuple[Callable[[Any, Any], None], ...]] = ()
    _GET: ClassVar[attrgetter[Any]]

    def __init__(self, *values: Any, **named: Any) -> None:
        if named:
            values += tuple(named.pop(name) for name in self.__match_args__[len(values) :])
        if named or len(values) != len(self._PUT):
            takes = ", ".join(self.__match_args__) or "nothing"
            raise TypeError(f"{type(self).__name__} takes {takes}")
        for put, value in zip(self._PUT, values, strict=True):
            put(self, value)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._GET(other) == self._GET(self)

    def __hash__(self) -> int:
        return hash((type(self), self._GET(self)))

    def __repr__(self) -> str:
        values = (f"{name}={getattr(self, name)!r}" for name in self.__match_args__)
        return f"{type(self).__name__}({', '.join(values)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(getattr(self, name) for name in self.__match_args__)


class Move(Record):
    """A choice, not yet judged: the smallest one a rule can judge."""

    __slots__ = ()


class Event(Record):
    """A fact: the only thing that changes a state, the only thing replay reads."""

    __slots__ = ()


K = TypeVar("K", bound=type)


@dataclass_transform(frozen_default=True, field_specifiers=(fact,))
def record(kind: K) -> K:
    """Turn a class of moves or events, with fields declared by `fact`, into one of frozen values;
    the fields of the record that it extends come first.

    Does what `dataclass(frozen=True, slots=True)` would, in a tenth of the time: a game has
    dozens of these classes, and every command pays for them.
    """
    declared = {name: vars(kind)[name] for name in kind.__annotations__}
    rest = {
        name: value
        for name, value in vars(kind).items()
        if name not in declared and name not in ("__dict__", "__weakref__")
    }
    own = (Slot(name, of, secret) for name, (of, secret) in declared.items())
    facts = (*kind.FIELDS, *own)  # type: ignore[attr-defined]
    names = tuple(each.name for each in facts)
    made: Any = type(kind)(
        kind.__name__,
        kind.__bases__,
        {**rest, "__slots__": tuple(declared), "__match_args__": names, "FIELDS": facts},
    )
    # Takes a fraction of the time of setattr and getattr: replays make and compare thousands.
    made._PUT = tuple(getattr(made, name).__set__ for name in names)
    made._GET = attrgetter(*names or ("__class__",))
    return made  # type: ignore[no-any-return]


def defined(base: Any, module: Mapping[str, Any]) -> tuple[Any, ...]:
    """The classes of moves, of events, or of another `base`, that a module defines, in its order,
    but for those that only others extend: `_OfSeat`. `module` is what it calls `globals()`."""
    public = (each for name, each in module.items() if name[0] != "_" and isinstance(each, type))
    kinds = (each for each in public if issubclass(each, base))
    return tuple(each for each in kinds if each.__module__ == module["__name__"])


def slots(kind: type[Any]) -> tuple[Slot, ...]:
    """The declared fields of a move or event class, in order."""
    return kind.FIELDS  # type: ignore[no-any-return]


@cache
def word(kind: type[Any]) -> str:
    """What a move or event class is called in logs and templates: `TurnPassed` -> turn-passed."""
    return "".join(f"-{c.lower()}" if c.isupper() else c for c in kind.__name__).lstrip("-")


R = TypeVar("R", bound=Record)


def owners(record: Record, mover: Seat, seats: Iterable[Seat]) -> dict[str, Seat]:
    """Which fields of a record are secret, and which seat may read each: {field: seat}."""
    found = {}
    for slot in slots(type(record)):
        if slot.secret is not None:
            owner = mover if slot.secret == MOVER else getattr(record, slot.secret)
            if owner in seats:
                found[slot.name] = owner
    return found


def mask(record: R, viewer: Seat | None, mover: Seat, seats: Iterable[Seat]) -> R:
    """The record as `viewer` may know it (None: a spectator)."""
    shut = {name for name, owner in owners(record, mover, seats).items() if owner != viewer}
    if not shut:
        return record
    values = (
        HIDDEN if slot.name in shut else getattr(record, slot.name) for slot in slots(type(record))
    )
    return type(record)(*values)


class Position(NamedTuple):
    """Where a match stands: after which ply, and the fingerprint of all that led there."""

    ply: int
    fingerprint: str

    def __str__(self) -> str:
        return f"#{self.ply} {self.fingerprint}"

    def fits(self, ply: int | None, fingerprint: str | None) -> bool:
        """Is this the position somebody named, as far as they named it?"""
        return ply in (None, self.ply) and fingerprint in (None, self.fingerprint)


# ------------------------------------------------------------------------- asking, refusing


class Decision(NamedTuple):
    """Someone must choose now.

    `kind` is a word for people and programs; `accepts` the classes of move that answer it;
    `about` what it concerns, in plain values; `default` what silence means once a deadline has
    passed; `during` the seat whose turn it interrupts. Unless `awaited`, the seat may choose but
    nobody waits for it: it has answered, and can still amend its answer.
    """

    seat: Seat
    kind: str
    accepts: tuple[type[Move], ...]
    about: Mapping[str, Any] = MappingProxyType({})
    default: Move | None = None
    during: Seat | None = None
    awaited: bool = True


class Outcome(NamedTuple):
    """How a match ended: who won (nobody: drawn), by which rule, with what score.

    A score is an int, a float or a `Fraction`.
    """

    winners: tuple[Seat, ...]
    why: str
    scores: Mapping[Seat, float | Fraction]

    @property
    def points(self) -> dict[Seat, float]:
        """The scores as plain numbers: an int where it is whole, else a float."""
        return {
            seat: int(score) if score == int(score) else float(score)
            for seat, score in self.scores.items()
        }

    @property
    def shares(self) -> dict[Seat, float]:
        """What part of the first place each seat has; where nobody wins, all have the same."""
        winners = self.winners or tuple(self.scores)
        return {seat: (seat in winners) / len(winners) for seat in self.scores}

    @property
    def plain(self) -> dict[str, Any]:
        """The outcome as JSON values."""
        return {"winners": list(self.winners), "why": self.why, "scores": self.points}


_PARTS: Final = MappingProxyType({3: "¼", 4: "⅓", 6: "½", 8: "⅔", 9: "¾"})
"""The signs for parts of a point, by twelfths."""


def told_points(points: float) -> str:
    """A score for people: 3, 2½ or 0.4."""
    whole, part = divmod(abs(points), 1)
    sign = "-" if points < 0 else ""
    if not part:
        return f"{sign}{int(whole)}"
    twelfths = round(part * 12)
    if abs(part - twelfths / 12) < 1e-9 and twelfths in _PARTS:
        return f"{sign}{int(whole) or ''}{_PARTS[twelfths]}"
    return f"{points:g}"


class Refused(Exception):
    """A move was not taken: it is `Unreadable`, `Ambiguous` or a `Violation`, or there is none
    (`NoMove`). A bare `Refused` means that the message does not count: it came too late, say."""

    rule: str | None = None
    """The id of the rule that the move breaks, if it breaks one."""

    def __init__(self, sentence: Sentence, /) -> None:
        self.sentence = sentence

    @property
    def message(self) -> str:
        """Why, in a sentence with the actual values; seats go by their own names, not players'."""
        return self.sentence.text()

    def text(self, names: Names = NO_NAMES) -> str:
        """Why, with these names for seats."""
        return self.sentence.text(names)

    def __str__(self) -> str:
        return self.text()


class NoMove(Refused):
    """A message in which there is no move."""


class Unreadable(Refused):
    """The text is not a move of this game.

    `said` is the text, `span` the offending part of it as (start, end), `advice` a way out.
    """

    def __init__(
        self,
        said: str,
        pattern: str,
        /,
        span: tuple[int, int] | None = None,
        advice: Sentence | None = None,
        **values: Any,
    ) -> None:
        super().__init__(say(pattern, **values))
        self.said, self.advice = said, advice
        self.span = span or (0, len(said))

    @property
    def hint(self) -> str:
        """The way out in words, "" where there is none."""
        return self.advice.text() if self.advice else ""


class Ambiguous(Refused):
    """The text fits several legal moves.

    `choices` are the canonical texts of some of them; `more` is how many others fit, or a lower
    bound if they are `uncounted`.
    """

    def __init__(
        self, said: str, choices: tuple[str, ...], more: int = 0, uncounted: bool = False
    ) -> None:
        pattern = "{said!r} could mean {choices:any}"
        if uncounted:
            pattern = "{said!r} could mean {choices:any}; more than {n} other moves fit, too"
        elif more:
            pattern = "{said!r} could mean {choices:any}; {n} other [move fits|moves fit], too"
        super().__init__(say(pattern, said=said, choices=choices, n=more))
        self.said, self.choices, self.more = said, choices, more


class Violation(Refused):
    """A move breaks a rule: its id, and a sentence with the actual values."""

    rule: str

    def __init__(self, rule: str, pattern: str, /, **values: Any) -> None:
        super().__init__(say(pattern, **values))
        self.rule = rule

    def text(self, names: Names = NO_NAMES) -> str:
        """Why, with the rule."""
        return f"{self.sentence.text(names)} [{self.rule}]"


class Pattern(NamedTuple):
    """A move with blanks, as read from text before any position is looked at.

    `move` is one full move that fits the text; `blanks` are the fields the text left open.
    `others` are further readings of the same text, each with the same blanks.
    """

    said: str
    move: Move
    blanks: frozenset[str] = frozenset()
    others: tuple[Move, ...] = ()

    @property
    def readings(self) -> tuple[Move, ...]:
        """One full move for each reading."""
        return (self.move, *self.others)

    @property
    def is_open(self) -> bool:
        """Could it be more than one move?"""
        return bool(self.blanks or self.others)

    def fits(self, other: Move) -> bool:
        """Does `other` differ from a reading of the text in blanks only?"""
        return any(
            type(other) is type(move)
            and all(
                getattr(other, slot.name) == getattr(move, slot.name)
                for slot in slots(type(other))
                if slot.name not in self.blanks
            )
            for move in self.readings
        )


# ------------------------------------------------------------------------------- the game


class Setup(NamedTuple):
    """How a match is set up. `options` holds a value for every option of the game;
    `board` is a replacement for the game's own board data, or None."""

    seats: tuple[Seat, ...]
    ruleset: str
    options: Mapping[str, Any]
    board: Mapping[str, Any] | None = None


S = TypeVar("S")


class Game(Protocol[S]):
    """What a game is. A module with these names is one.

    A game without secrets says so with one more name: `OPEN_INFORMATION = True`. Optional are
    KINDS, the functions from `draw_narrow` on, and these:

    * `WORDS`, a frozenset: the words its moves are written with, folded as
      `pbem.rules.reading.fold` does; a line that comes near one of them is never taken for chatter
    * `NEEDLESS`, those of them for what need not be done: "nothing to build" can mean a pass
    * `NAMES`, a mapping from names of things to how moves write them: an island's to its letter
    * `OPENS`, a tuple of events: those that open what was hidden. Readers without the key take
      them as logged
    * `WAITS`, a tuple of kinds of decision: those without a default, on purpose
    * `SILENT`, a tuple of events: those that the phrase book tells in no words
    * `RIDERS`, a tuple of moves: each may stand before or after another in an order, and is played
      before it: an offer, a claim
    * `LINE_BY_LINE = True`: the legal lines of a message count, whatever the others say
    * `CHECK_DECIDES = True`: the candidates are incomplete on purpose, or too many to be looked
      through for each order, and `check` decides
    * `MOST_PLIES`: how many plies a match may last, where that is more than 10,000
    * `IN_PLAY`, a tuple of options that may change during a match if all agree, as only `check`
      and `effects` look at them; it needs the function `agreed`
    * `READS_FROM`, a version: logs begun with an older version of the package are not read
    * `SCHEMA`, the JSON schema of its views, as `pbem.views.declared` gives it; a game without it
      brings schemas/view-<game>.schema.json in its DATA
    """

    @property
    def NAME(self) -> str:
        """`kahuna`: also its folder under templates/, and under games/ with _ for -."""

    @property
    def TITLE(self) -> str:
        """`Kahuna`: for people."""

    @property
    def SEATS(self) -> tuple[Seat, ...]:
        """The seats the game knows by name; () where any names will do."""

    @property
    def PLAYERS(self) -> tuple[int, int]:
        """Fewest and most players."""

    @property
    def MOVES(self) -> tuple[type[Move], ...]:
        """Every class of move."""

    @property
    def KINDS(self) -> Mapping[str, tuple[type[Move], ...]]:
        """Every kind of decision that a seat other than chance can face, and what answers it."""

    @property
    def EVENTS(self) -> tuple[type[Event], ...]:
        """Every class of event; each is worded in templates/<game>/news.j2."""

    @property
    def PRIVATE(self) -> tuple[str, ...]:
        """The keys of a view that hold, for each seat, what only that seat may know."""

    @property
    def OUT_OF_TURN(self) -> str:
        """The rule that a move out of turn breaks."""

    @property
    def DATA(self) -> str:
        """The folder with rules.yaml, rulesets.yaml and, for a game from outside, templates/."""

    def start(self, setup: Setup) -> S:
        """The state before anything has happened."""

    def pending(self, state: S) -> tuple[Decision, ...]:
        """Who must choose now; () when the match is over."""

    def candidates(self, state: S, decision: Decision) -> Iterable[Move]:
        """Every move that could be a legal answer, and not many others."""

    def check(self, state: S, seat: Seat, move: Move) -> bool:
        """The one definition of legality, for a seat that must choose now.

        It also sees moves of a kind that does not answer the decision: if a rule matters more than
        OUT_OF_TURN, say so here.
        True: legal. False: legal as far as this state can tell, because it rests on something
        hidden. Raises Violation.
        """

    def effects(self, state: S, seat: Seat, move: Move) -> Iterable[Event]:
        """What a legal move brings about, in the order a person would tell it."""

    def evolve(self, state: S, event: Event) -> S:
        """The state after a fact. Judges nothing; meets HIDDEN."""

    def outcome(self, state: S) -> Outcome | None:
        """How the match ended, or None."""

    def chances(self, state: S, move: Move) -> int:
        """How many equally likely ways there are for this move of chance to come about."""

    def view(self, state: S) -> dict[str, Any]:
        """What the state looks like, as JSON-ready values (`pbem schema view-<game>`)."""

    def position(self, setup: Setup, view: Mapping[str, Any]) -> S:
        """The inverse of `view`; keys left out get the value of a fresh match. Raises Problem."""

    def parse(self, text: str) -> Pattern:
        """Read one move; syntax only. Raises Unreadable."""

    def notate(self, move: Move) -> str:
        """The canonical text of a move."""

    def same(self, state: S, move: Move, other: Move) -> bool:
        """Does it make no difference which of these two legal moves is played? A text that fits
        only such moves is one of them."""

    def private(self, view: Mapping[str, Any]) -> tuple[str, ...]:
        """Which keys of this view hold what only one seat may know, where that is not always those
        of PRIVATE: a choice is private until all have chosen."""

    def draw(self, view: Mapping[str, Any]) -> list[str]:
        """The board as lines of ASCII, at most 72 columns wide."""

    def draw_narrow(self, view: Mapping[str, Any]) -> list[str]:
        """The same for phones, in at most 40 columns: a list where a map does not fit. Without
        this, the map is shown as it is."""

    def scene(self, view: Mapping[str, Any]) -> Scene:
        """The board as plain shapes. Without this, pictures show `draw`.

        Once the match is over, by the rules or by a ruling, the view has one more key, `ended`:
        `{"winners": [seat, …], "why": …}`.
        """

    def svg(self, view: Mapping[str, Any]) -> str:
        """The whole picture as SVG, in place of a `scene`: shapes, paths and text with a `viewBox`,
        without styles or references. Anything else is left out."""

    def agreed(self, state: S, setup: Setup) -> S:
        """The same position under this set-up, in which an option of `IN_PLAY` has changed."""

    def unseen(self, state: S) -> Mapping[str, int]:
        """How many cards of each name may lie where this state has HIDDEN ones. Without this, a
        match can begin only from positions in which every card is named."""

    def named(self, state: S, seat: Seat, choose: Callable[[], str]) -> S | None:
        """The same position with the card that `choose` gives for a HIDDEN one that lies with a
        seat; None, and it is not asked, if there is none. Without this, a view is set up with the
        card in it, which takes longer, and may know less than the state."""

    def standing(self, state: S) -> Mapping[Seat, float]:
        """How well each seat stands before the end, in points that can be compared. Without this,
        a bot plays each of its trial matches to the end."""

    def parts(self, state: S) -> Mapping[str, int]:
        """Which `round` and `trick` the match is in, as far as the game has these; they tell when
        a plan "until round" ends."""

    def forced(self, state: S) -> bool:
        """Given what a spectator knows: can everybody see that the seat that is asked has no
        choice, even if they cannot see its move?"""
