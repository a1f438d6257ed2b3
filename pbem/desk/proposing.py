"""The best reading of a message that was refused for its text: one that a player can say yes to.

One grammar for all games, which give only their things and verbs: a move is what names all its
things and no others, with a verb that fits or none, in any order of words. What is legal now, as
far as the seat can know, settles what was meant. Every thing and every verb in the text must belong
to a move, in their order; and nothing that may take an order back may be left over.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Any, Final, NamedTuple

from pbem.core import Move, Seat
from pbem.desk.reading import seated
from pbem.intake import Line
from pbem.intake.caveats import caveat
from pbem.intake.words import fields, phrases, tokens
from pbem.log.match import Match
from pbem.play import judge
from pbem.rules.reading import fold, near

Reading = tuple[str, ...]
"""An order, move by move, in canonical texts."""

MOST_READINGS: Final = 2
"""How many readings are offered; of more, none."""

_TOKEN: Final = re.compile(r"[^\W\d_]+|\d+|\n|[^\w\s]|_")
_LONGEST: Final = 1_500  # characters of all lines that are looked through
_MOST_MENTIONS: Final = 24
_MOST_MOVES: Final = 2_000  # legal ones at a position
_MOST_STEPS: Final = 400  # positions that are tried
_LONGEST_BLOCK: Final = 10  # mentions of one move
_LONGEST_PHRASE: Final = 6  # words
_LETTERS: Final = 4  # of a name that may stand with a slip or an ending
_FEW: Final = 2  # words of a line that may be half an order in a language nobody here knows
_GLUE: Final = frozenset("-+/>=&")
_STOPS: Final = frozenset(".,;:!?\n")
_LITTLE: Final = frozenset("aieouy")
_NOTHING: Final = "?"  # a thing that no move has
_MODIFIERS: Final = frozenset({"no", "turned", "hidden"})
_TIMES: Final = {"two": 2, "three": 3}
_UNSAID: Final = frozenset({"build", "play"})  # verbs of a move that is written without one


class _Mention(NamedTuple):
    """A thing or a verb in the text: the words it may be, where it stands, whether it clings to the
    one before, whether something ends before it, and whether it may be no mention at all."""

    verbs: frozenset[str]
    thing: str
    start: int
    end: int
    glued: bool = False
    parted: bool = False
    little: bool = False


class _Shape(NamedTuple):
    """A legal move as it can be said: its verbs, and its things in their order."""

    text: str
    move: Move
    verbs: frozenset[str]
    things: tuple[str, ...]


def proposals(
    now: Match, seat: Seat, lines: Sequence[tuple[Line, Sequence[Any]]]
) -> tuple[Reading, ...]:
    """The one or two readings of these lines, each with the moves it says by itself, [] for a line
    that cannot be read; () where nothing is near enough."""
    known = now.seen_by(seat) if now.keyring.secret is not None else now
    return _Search(known, seat).readings(lines)


class _Search:
    """The search for readings of a text at a position."""

    def __init__(self, now: Match, seat: Seat) -> None:
        self.now, self.seat, self.left = now, seat, _MOST_STEPS
        self.shapes: dict[int, tuple[Any, list[_Shape]]] = {}
        words: frozenset[str] = getattr(now.game, "WORDS", frozenset())
        self.verbs = frozenset(fields("verbs")) & words | _MODIFIERS | _TIMES.keys()
        seats = {fold(each) for each in now.setup.seats}
        named = (words | seats) - _verb_words()
        self.things = {word for word in named if len(word) > 1}
        first = self._shapes(now.state)
        self.things |= {atom for shape in first for atom in shape.things if not atom.isdigit()}
        self.counts = any(atom.isdigit() for shape in first for atom in shape.things)
        self.letters = any(len(atom) == 1 and atom.isalpha() for s in first for atom in s.things)

    def readings(self, lines: Sequence[tuple[Line, Sequence[Any]]]) -> tuple[Reading, ...]:
        """See `proposals`."""
        parts: list[Sequence[Any] | str] = []
        for line, patterns in lines:
            if patterns:
                parts.append(patterns)
            elif parts and isinstance(parts[-1], str):
                parts[-1] += f"\n{line.text}"
            else:
                parts.append(line.text)
        if sum(len(part) for part in parts if isinstance(part, str)) > _LONGEST:
            return ()
        found: dict[Reading, int] = {}
        taken = [part if not isinstance(part, str) else self._taken_apart(part) for part in parts]
        if any(part is None for part in taken):
            return ()
        for cost, reading in self._orders(self.now.state, taken, 0):
            if reading and cost < found.get(reading, cost + 1):
                found[reading] = cost
        best = [reading for reading, cost in found.items() if cost == min(found.values())]
        return tuple(best) if self.left > 0 and len(best) <= MOST_READINGS else ()

    # ------------------------------------------------------------------------------- the text

    def _taken_apart(self, text: str) -> tuple[_Mention, ...] | None:
        """The mentions in a text; None where it says something else that must not be left out."""
        text = seated(self.now, text)
        found = list(self._mentions(text))
        if len(found) > _MOST_MENTIONS:
            return None
        rest, at = "", 0
        spans = [(each.start, each.end) for each in found if not each.little]
        if spans:
            spans = [*spans, *_little_words(text, spans[0][0], spans[-1][1])]
        for start, end in sorted(spans):
            rest, at = f"{rest}{text[at:start]}|", max(at, end)
        rest += text[at:]
        if caveat(rest.replace("|", " . ")):
            return None
        for line in text.split("\n"):
            named = any(True for _ in self._mentions(line))
            if "?" in line if named else len(tokens(line)) <= _FEW:
                return None
        return tuple(found)

    def _mentions(self, text: str) -> Iterator[_Mention]:
        folded = _folded(text)
        said = [(m.group(), m.start(), m.end()) for m in _TOKEN.finditer(folded)]
        at, times = 0, 1
        glued = parted = False
        while at < len(said):
            word, start, end = said[at]
            if word in _GLUE:
                tight = folded[start - 1 : start].isalnum() and folded[end : end + 1].isalnum()
                glued, parted = (True, parted) if tight or word in "->" else (glued, True)
                at += 1
                continue
            if word in _STOPS or (word,) in phrases("courtesies", "then"):
                parted, glued = True, False
            verbs, size = self._verb(said, at)
            exact = word in self.things or not verbs
            thing = self._thing(word, text[start:end]) if size == 1 and exact else ""
            for quantity, count in _TIMES.items():
                if quantity in verbs:
                    times = count
            verbs -= _TIMES.keys()
            if thing:
                verbs = frozenset()
            if not verbs and not thing and self._names_nothing(text, start, end):
                thing = _NOTHING
            if verbs or thing:
                little = bool(thing) and len(thing) == 1 and thing in _LITTLE
                stop = said[at + size - 1][2]
                for _ in range(times if thing else 1):
                    yield _Mention(verbs, thing, start, stop, glued, parted, little)
                times = 1 if thing else times
                parted = False
            if word.isalnum():
                glued = False
            at += size

    def _names_nothing(self, text: str, start: int, end: int) -> bool:
        """Is this an unknown word that stands where a thing does: in capitals, or clinging to
        another word?"""
        word = text[start:end]
        if len(word) < _LETTERS or (fold(word),) in phrases("verbs", "between"):
            return False
        clings = {text[start - 1 : start], text[end : end + 1]} & _GLUE
        return word.isalpha() and (bool(clings) or word.isupper())

    def _verb(self, said: Sequence[tuple[str, int, int]], at: int) -> tuple[frozenset[str], int]:
        """The verbs that the words from here on may be, the longest phrase first."""
        for size in range(min(_LONGEST_PHRASE, len(said) - at), 0, -1):
            phrase = tuple(word for word, _, _ in said[at : at + size])
            if found := _verb_phrases().get(phrase, frozenset()) & self.verbs:
                return found, size
        return frozenset(), 1

    def _thing(self, word: str, written: str) -> str:
        """The thing a word names, also in other languages, with an ending or with a slip."""
        if word.isdigit():
            return word.lstrip("0") or "0" if self.counts else ""
        if len(word) == 1:
            return word if self.letters and written.isupper() else ""
        if found := [each for each in _thing_words().get(word, ()) if each in self.things]:
            return found[0]
        if word in self.things:
            return word
        if len(word) < _LETTERS:
            return ""
        longer = [each for each in self.things if len(each) >= _LETTERS]
        ends = [each for each in longer if word.startswith(each) and len(word) <= len(each) + 2]
        close = ends or [each for each in longer if near(word, each) and written[:1].isupper()]
        return close[0] if len(close) == 1 else ""

    # ------------------------------------------------------------------------------- the moves

    def _shapes(self, state: Any) -> list[_Shape]:
        """What the seat may do in a state, as it can be said."""
        kept = self.shapes.get(id(state))
        if kept is None:
            game = self.now.game
            legal = list(islice(judge.each_legal(game, state, self.seat), _MOST_MOVES + 1))
            shapes = [_shape(game.notate(move), move) for move in legal]
            kept = self.shapes[id(state)] = (state, [] if len(legal) > _MOST_MOVES else shapes)
        return kept[1]

    def _orders(
        self, state: Any, parts: Sequence[Sequence[Any] | None], at: int
    ) -> Iterator[tuple[int, Reading]]:
        """The orders that parts of a text can be from a state on, `at` mentions into the first, and
        how forced each is."""
        self.left -= 1
        if self.left < 0:
            return
        if not parts:
            yield 0, ()
            return
        first = parts[0] or ()
        rest = [mention for mention in first[at:] if isinstance(mention, _Mention)]
        if first and not isinstance(first[0], _Mention):
            yield from self._written(state, first, parts[1:])
            return
        if all(each.little for each in rest):
            yield from self._orders(state, parts[1:], 0)
            return
        for size in range(1, min(len(rest), _LONGEST_BLOCK) + 1):
            if size < len(rest) and rest[size].glued:
                continue
            forced = sum(each.parted for each in rest[1:size])
            forced += size < len(rest) and not rest[size].parted
            for shape, strain in self._fitting(state, rest[:size]):
                after = self._after(state, shape.move)
                for cost, reading in self._orders(after, parts, at + size):
                    yield cost + forced + strain, (shape.text, *reading)

    def _written(
        self, state: Any, patterns: Sequence[Any], parts: Sequence[Sequence[Any] | None]
    ) -> Iterator[tuple[int, Reading]]:
        """The same, where the first part can be read as it stands."""
        game = self.now.game
        verdict = judge.adjudicate(game, state, self.seat, patterns)
        if isinstance(verdict, judge.Rejected):
            return
        played = tuple(game.notate(step.move) for step in verdict.steps)
        if verdict.unplayed:  # what lies beyond the horizon must be written in full
            if all(part and not isinstance(part[0], _Mention) for part in parts):
                later = [*verdict.unplayed, *(each for part in parts for each in part or ())]
                yield 0, (*played, *(each.said for each in later))
            return
        for cost, reading in self._orders(verdict.state, parts, 0):
            yield cost, (*played, *reading)

    def _after(self, state: Any, move: Move) -> Any:
        game = self.now.game
        return judge.advance(game, state, judge.judge(game, state, self.seat, move).events)

    def _fitting(self, state: Any, said: Sequence[_Mention]) -> list[tuple[_Shape, int]]:
        """The legal moves that mentions can be, and how much each strains them: of those that
        strain them least."""
        found: list[tuple[_Shape, int]] = []
        for shape in self._shapes(state):
            for skipped in (False, True) if any(each.little for each in said) else (False,):
                block = [each for each in said if not (skipped and each.little)]
                strain = _strain(block, shape)
                if strain is not None:
                    found.append((shape, strain))
                    break
        least = min((strain for _, strain in found), default=0)
        return [(shape, strain) for shape, strain in found if strain == least]


def _strain(said: Sequence[_Mention], shape: _Shape) -> int | None:
    """How far mentions are from naming a move as it is written; None where they name another."""
    things = [each.thing for each in said if each.thing]
    if set(things) != set(shape.things):
        return None
    verbs = [each.verbs for each in said if each.verbs]
    accepted = (shape.verbs - _MODIFIERS or _UNSAID) | shape.verbs
    if any(not each & accepted for each in verbs):
        return None
    needed = shape.verbs & _MODIFIERS if shape.things else shape.verbs
    if any(not any(verb in each for each in verbs) for verb in needed):
        return None
    counted, meant = Counter(things), Counter(shape.things)
    more = sum((counted - meant).values()) + sum((meant - counted).values())
    turned = things[: len(shape.things)] != list(shape.things)
    return 2 * more + turned


def _shape(text: str, move: Move) -> _Shape:
    atoms = [m.group() for m in _TOKEN.finditer(fold(text)) if m.group().isalnum()]
    verbs = frozenset(atoms) & fields("verbs") - _thing_names()
    things = (atom.lstrip("0") if atom.isdigit() else atom for atom in atoms if atom not in verbs)
    return _Shape(text, move, verbs, tuple(things))


def _folded(text: str) -> str:
    """The text folded letter by letter, so that all keep their places."""
    return "".join(fold(char)[:1] or char for char in text)


def _little_words(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where words stand, between the first and the last mention, that only join them."""
    known = phrases("verbs", "between") | phrases("courtesies", "then")
    for found in _TOKEN.finditer(_folded(text), start, end):
        if (found.group(),) in known:
            yield found.span()


@cache
def _thing_names() -> frozenset[str]:
    """The fields that hold words for things."""
    return frozenset("red blue green turquoise yellow white black octopus".split())


@cache
def _verb_phrases() -> dict[tuple[str, ...], frozenset[str]]:
    """What each phrase may do, by the field names it stands under."""
    found: dict[tuple[str, ...], set[str]] = {}
    for field in fields("verbs"):
        if field not in _thing_names() and field != "between":
            for phrase in phrases("verbs", field):
                key = tuple(part for word in phrase for part in _TOKEN.findall(word))
                found.setdefault(key, set()).add(field)
    return {phrase: frozenset(verbs) for phrase, verbs in found.items()}


@cache
def _verb_words() -> frozenset[str]:
    return frozenset(phrase[0] for phrase in _verb_phrases() if len(phrase) == 1)


@cache
def _thing_words() -> dict[str, tuple[str, ...]]:
    """The things a word names in any language."""
    found: dict[str, tuple[str, ...]] = {}
    for field in _thing_names():
        for phrase in phrases("verbs", field):
            if len(phrase) == 1:
                found[phrase[0]] = (*found.get(phrase[0], ()), field)
    return found
