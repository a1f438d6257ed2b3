"""The best reading of a message that was refused for its text: one that a player can say yes to.

One grammar for all games, which give only their things and verbs: a move is what names all its
things and no others, with a verb that fits or none, in any order of words. What is legal now, as
far as the seat can know, settles what was meant. Every thing and every verb in the text must belong
to a move, in their order; and nothing that may take an order back may be left over.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import cache, cached_property
from itertools import chain, combinations, islice
from typing import Any, Final, NamedTuple

from pbem.core import Move, Refused, Seat, Unreadable, Violation
from pbem.desk.meaning import seated
from pbem.intake import Line
from pbem.intake.caveats import caveat, caveats_but, crossed, doubts, long_caveats, points
from pbem.intake.courtesy import courtesy, is_name
from pbem.intake.plan import alternatives
from pbem.intake.words import deeds, fields, phrases, tokens
from pbem.log.match import Match
from pbem.play import judge
from pbem.rules.reading import fold, near

Reading = tuple[str, ...]
"""An order, move by move, in canonical texts."""

MOST_READINGS: Final = 2
"""How many readings are offered; of more, none."""

_TOKEN: Final = re.compile(r"[^\W\d_]+|\d+|\n|[^\w\s]|_")
_WHOLE: Final = re.compile(r"[^\W_]+(?:'[^\W_]+)+|" + _TOKEN.pattern)  # "won't" is no t
_LONGEST: Final = 1_500  # characters of all lines that are looked through
_MOST_MENTIONS: Final = 24
_MOST_MOVES: Final = 2_000  # legal ones at a position
_MOST_AHEAD: Final = 100  # legal ones after those that are offered
_MOST_STATES: Final = 40  # positions that are looked at
_MOST_STEPS: Final = 2_000
_MOST_LITTLE: Final = 3
_LONGEST_BLOCK: Final = 10  # mentions of one move
_LONGEST_PHRASE: Final = 6  # words
_LETTERS: Final = 4  # of a name that may stand with a slip or an ending
_PROSE: Final = 6  # words of a line that may be left out, verbs and all
_LEFT_OUT: Final = 5  # how forced a reading is that leaves it out
_FEW: Final = 2  # words of a line that may be half an order in a language nobody here knows
_GLUE: Final = frozenset("-+/>=&")
_STOPS: Final = frozenset(".,;:!?\n")
_LITTLE: Final = frozenset("aieouy")
_CLAUSE: Final = re.compile(r"((?<=\w)[.,;:!?](?=\s|$)|\n)")
_BROKEN: Final = re.compile(r"^-\w+")  # an ending, of a number say
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s")
_CLAUSES: Final = re.compile(r"(?<=[.,!?:])\s+")
_MOST_CLAUSES: Final = 4  # of one courtesy: "Cheers, and good luck, Ana"
_OPEN: Final = re.compile(r"[^\w\s.,;:!'/+&-]|\.\.|(?<!\w)/|/(?!\w)|_")  # "A / B" may be a choice
_CARD: Final = frozenset({"take", "draw"})
_FARTHEST: Final = 24  # words and signs from a verb to the rest of it
_NO: Final = frozenset[str]()
_DENIAL: Final = "\0"
_NOTHING: Final = "?"  # a thing that no move has
_MODIFIERS: Final = frozenset({"no", "turned", "hidden"})
_FEW_MOVES: Final = 6  # that a line may leave something out of
_LONGEST_LINE: Final = 200
_TIMES: Final = {"two": 2, "three": 3}
_THINGS: Final = frozenset("red blue green turquoise yellow white black octopus".split())
"""The fields of words that are things'."""
_UNSAID: Final = frozenset({"build", "play"})  # verbs of a move that is written without one


class _Mention(NamedTuple):
    """A thing or a verb in the text: the words it may be, where it stands, whether it clings to the
    one before, whether something ends before it (`softly`: or goes on, "Coco and Gola"), whether it
    may be no mention at all, and how many of the next stand with it in a line of prose that may be
    left out; `counted`: as many are meant as there are mentions, "both"."""

    verbs: frozenset[str]
    thing: str
    start: int
    end: int
    glued: bool = False
    parted: bool = False
    softly: bool = False
    little: bool = False
    prose: int = 0
    counted: bool = False


class _Shape(NamedTuple):
    """A legal move as it can be said: its verbs, and its things in their order."""

    text: str
    verbs: frozenset[str]
    things: tuple[str, ...]
    move: Move | None = None

    @property
    def accepted(self) -> frozenset[str]:
        """The verbs it may be said with."""
        return (self.verbs - _MODIFIERS or _UNSAID) | self.verbs


class Completions(NamedTuple):
    """The few moves that a text leaves something out of; `named`: it begins with what to do. The
    text is all of a line, or what stands in front of more that is to be done: "sail to M" of "sail
    to M and take lono"."""

    moves: tuple[str, ...]
    named: bool
    text: str
    all: bool = True


class Offence(NamedTuple):
    """An order that a text says and the rules forbid: the moves before the first that breaks one,
    that move as it can be written, and what it breaks."""

    played: Reading
    said: str
    reason: Violation


class Beginning(NamedTuple):
    """The moves that a text begins with, whether they are all it names, whether the rest may take
    them back, and the first of that rest as it is written."""

    moves: Reading
    whole: bool
    undone: bool
    rest: str


def named(now: Match, seat: Seat, text: str) -> tuple[str, ...]:
    """The legal moves of several words that stand in a text as they are written, in its order."""
    now = now.seen_by(seat) if now.keyring.secret is not None else now
    legal = judge.legal_texts(now.game, now.state, seat, most=_MOST_MOVES).texts
    some = (re.search(rf"\b{re.escape(each)}\b", text[:_LONGEST_LINE], re.I) for each in legal)
    found = {each.start(): each[0] for each in some if each and len(tokens(each[0])) > 1}
    return tuple(found[at] for at in sorted(found))


def endings(now: Match, seat: Seat, moves: Reading) -> tuple[str, ...]:
    """The few moves one of which would end a seat's turn after these; () where there is nothing to
    end, or there are many ways to, or some that take more than one move."""
    now = now.seen_by(seat) if now.keyring.secret is not None else now
    game = now.game

    def asked(state: Any) -> set[str]:
        return {each.kind for each in game.pending(state) if each.seat == seat}

    played = judge.adjudicate(game, now.state, seat, [game.parse(text) for text in moves])
    if isinstance(played, judge.Rejected) or not (kinds := asked(played.state)):
        return ()
    possible = judge.legal_texts(game, played.state, seat, most=_MOST_AHEAD)
    found: list[str] = []
    for text in possible.texts:
        after = judge.adjudicate(game, played.state, seat, [game.parse(text)])
        then = asked(after.state) if isinstance(after, judge.Accepted) else kinds
        if then - kinds:
            return ()
        found += [] if then else [text]
    return tuple(found) if possible.complete and len(found) <= _FEW_MOVES else ()


class Search:
    """The search for what lines say at a position as far as a seat knows it: each line with the
    moves it says by itself, () for one that cannot be read. `apart` are the numbers of lines in
    whose paragraph no move stands."""

    def __init__(
        self,
        now: Match,
        seat: Seat,
        lines: Sequence[tuple[Line, Sequence[Any]]],
        apart: Collection[int] = (),
    ) -> None:
        now = now.seen_by(seat) if now.keyring.secret is not None else now
        self.now, self.seat, self.left = now, seat, _MOST_STEPS
        unread = sum(len(line.text) for line, patterns in lines if not patterns)
        self.lines, self.apart = lines if unread <= _LONGEST else (), apart
        self.shapes: dict[int, tuple[Any, dict[frozenset[str], list[_Shape]]]] = {}
        words: frozenset[str] = getattr(now.game, "WORDS", frozenset())
        shapes = self._shapes(now.state)
        said = {atom for things in shapes for atom in things}
        twice = any(_repeats(shape.things) for some in shapes.values() for shape in some)
        self.verbs = frozenset(fields("verbs")) & words | _MODIFIERS
        self.needless: frozenset[str] = getattr(now.game, "NEEDLESS", frozenset())
        others = {fold(each) for each in now.setup.seats if each != seat}
        self.absent = others - said if others & said else set()
        """The players whom no move names, where moves name players: to rob one of them is wrong."""
        others &= said
        named = {word for word in words if (word,) not in _verb_phrases()}
        named -= {fold(each) for each in now.setup.seats}
        self.things = {word for word in named | others | self.absent if len(word) > 1}
        self.things |= {atom for atom in said if not atom.isdigit()}
        self.counts = any(atom.isdigit() for atom in said)
        # Where cards have numbers and none is named twice, "two" is a number.
        self.verbs |= frozenset() if self.counts and not twice else _TIMES.keys()
        self.letters = any(len(atom) == 1 and atom.isalpha() for atom in said)

    def proposals(self) -> tuple[Reading, ...]:
        """The one or two readings of the lines; () where nothing is near enough."""
        best = self._readings(min(self._costs.values(), default=0))
        return best if len(best) <= MOST_READINGS else ()

    def certain(self) -> Reading:
        """The one reading of lines of which every word is explained and every move has its verb, so
        that nobody need be asked; () where anything is left open."""
        readings = self._readings(0)
        if len(readings) != 1 or self.denied:
            return ()
        [reading] = readings
        things = {thing for text in reading for thing in _shape(text).things}
        unread = [line.text for line, patterns in self.lines if not patterns]
        explained = all(self._explained(text, things) for text in unread)
        return reading if explained and self._is_said(reading) else ()

    def offence(self) -> Offence | None:
        """What the lines say against the rules, read as for a proposal; None where they say no such
        thing."""
        if not self._parts:
            return None
        said = [tokens(seated(self.now, text)) for text in self.naming]
        others = {fold(each) for each in self.now.setup.seats if each != self.seat}
        words = {(word,) for each in said for word in each}
        if words & phrases("verbs", "you") or any({*each[:1]} & others for each in said):
            return None  # what others do
        self.left = _MOST_STEPS
        return self._forbidden(self.now.state, self._parts, 0, ())

    def either(self) -> tuple[Reading, ...]:
        """The two orders that the one line leaves open with "or" between them; () where it says
        more, or may take them back."""
        text = self.lines[0][0].text if len(self.lines) == 1 else ""
        said = alternatives(text)
        if len(said) != 2 or len(text) > _LONGEST_LINE or caveats_but(text, "perhaps"):
            return ()
        one, other = (self._beginning([(Line(0, each), ())]) for each in said)
        alike = len(one.moves) == len(other.moves) and one.moves != other.moves
        return (one.moves, other.moves) if alike and one.whole and other.whole else ()

    def beginning(self) -> Beginning:
        """The moves that the lines begin with, whatever else they say: only for their writer to
        see, who may have meant more, or nothing of it."""
        return self._beginning(self.lines)

    def _beginning(self, lines: Sequence[tuple[Line, Sequence[Any]]]) -> Beginning:
        self.left = _MOST_STEPS
        state, played, rests = self.now.state, list[str](), list[str]()
        whole, undone = True, False
        for line, patterns in lines:
            if patterns:
                verdict = judge.adjudicate(self.now.game, state, self.seat, patterns)
                played += judge.texts(self.now.game, verdict.steps)
                if isinstance(verdict, judge.Rejected) or verdict.unplayed:
                    break
                state = verdict.state
                continue
            if len(alternatives(line.text)) > 1:
                break
            text = seated(self.now, line.text[:_LONGEST_LINE])
            said, stop, above = list(self._mentions(text)), 0, len(played)
            undone |= _restricted(line.text, text, said)
            while shape := self._first(state, said, alone=not played):
                size, move = shape
                stop, said = said[size - 1].end, said[size:]
                state = self._after(state, move.move)
                played.append(move.text)
                between = text[stop : said[0].start] if said else ""
                if caveat(between):
                    if len(tokens(between)) == 1 and not caveats_but(between, "perhaps"):
                        del played[above:]  # "rood 7 of groen 5" is neither
                    break
            behind = text[stop:]
            rests.append(_BROKEN.sub("", behind if line.text.endswith(behind) else line.text))
            whole &= all(each.little or each.verbs == {"no"} for each in said)
        parts = [each.strip(" ,.;:-") for rest in rests for each in _SENTENCE.split(rest)]
        left = [each for each in parts if each and not courtesy(each)]
        left = sorted(left, key=lambda each: not caveat(each)) or [line.text for line, _ in lines]
        return Beginning(tuple(played), whole, undone, "".join(left[:1]))

    def _first(
        self, state: Any, said: Sequence[_Mention], *, alone: bool
    ) -> tuple[int, _Shape] | None:
        """The one move that mentions begin with, and how many of them it takes; of one that stands
        `alone` a single word is not enough."""
        self.left -= 1
        stop = next((n for n in range(1, len(said)) if said[n].parted), len(said))
        for size in range(min(stop, _LONGEST_BLOCK), 0, -1) if self.left > 0 else ():
            named = size > 1 and any(each.thing for each in said[:size])
            found = self._fitting(state, said[:size]) if named or not alone else []
            if len(found) == 1:
                return size, found[0][0]
        return None

    def completions(self, state: Any, text: str) -> Completions | None:
        """The moves, few, that hold all that a line names, which cannot be read, and more: "sail to
        E" is `move A-E`. None where there are none, where they are many, and for a line that names
        nothing or may say no."""
        text = seated(self.now, text)
        said = list(self._mentions(text))
        if len(text) > _LONGEST_LINE or _restricted(text, text, said):
            return None
        verbs = [each.verbs for each in said if each.verbs]
        first = next(_TOKEN.finditer(_folded(text)), None)
        begins = bool(first and verbs and said[0].verbs and said[0].start == first.start())
        for some in said, [each for each in said if not each.little]:
            named = {each.thing for each in some if each.thing}
            if _NOTHING in named or not (named or begins):
                return None
            found = [
                shape.text
                for things, shapes in self._shapes(state).items()
                if things > named
                for shape in shapes
                if all(each & shape.accepted for each in verbs)
            ]
            if found:
                few = len(found) <= _FEW_MOVES
                return Completions(tuple(found), begins, text) if few else None
        stop = next((each.start for each in said[1:] if each.parted), 0)
        *words, last = text[:stop].split() or [""]
        joins = tokens(last) in phrases("courtesies", "then")
        begun = self.completions(state, " ".join(words if joins else [*words, last]))
        return begun._replace(all=False) if begun else None

    def half(self, text: str) -> tuple[str, str]:
        """The verb that a line names without a thing to do it with, as it is written, and a move
        with that verb; "" twice where it names none, or more."""
        text = seated(self.now, text[:_LONGEST_LINE])
        said = [each for each in self._mentions(text) if not each.little]
        if len(said) != 1 or not said[0].verbs or caveat(text):
            return "", ""
        [verb] = said
        for shapes in self._shapes(self.now.state).values():
            for shape in shapes:
                if shape.things and verb.verbs & shape.accepted:
                    return text[verb.start : verb.end], shape.text
        return "", ""

    # ------------------------------------------------------------------------------- the text

    @cached_property
    def _costs(self) -> dict[Reading, int]:
        """Each reading of the lines, and how forced it is; {} where there are too many."""
        parts, self.left = self._parts, _MOST_STEPS
        found: dict[Reading, int] = {}
        for cost, reading in self._orders(self.now.state, parts, 0) if parts else ():
            done = {verb for text in reading for verb in _shape(text).accepted}
            if reading and not done & self.denied and cost < found.get(reading, cost + 1):
                found[reading] = cost
        return found if self.left > 0 else {}

    def _readings(self, cost: int) -> tuple[Reading, ...]:
        return tuple(reading for reading, each in self._costs.items() if each == cost)

    def _is_said(self, reading: Reading) -> bool:
        """Is each move of a reading said with a verb that fits, where it is written with one?"""
        texts = (seated(self.now, line.text) for line, _ in self.lines)
        verbs = (each.verbs for text in texts for each in self._mentions(text) if each.verbs)
        shapes = (_shape(text) for text in reading)
        return all(
            any(each & shape.accepted for each in verbs)  # goes on behind the last that fitted
            for shape in shapes
            if shape.verbs - _MODIFIERS
        )

    def _explained(self, written: str, things: Collection[str]) -> bool:
        """Is every word of a line one of these things as it is called, a verb that says what is to
        be done, or one that is known to say nothing?"""
        written = self._without_courtesies(written)
        text = seated(self.now, written)
        said = list(self._mentions(text))
        if not said or _OPEN.search(text) or crossed(text) or _restricted(written, text, said):
            return False
        rest, at = "", 0
        for each in said:
            word = text[each.start : each.end]
            if each.little and each.thing not in ("", *things):
                continue
            if _may_tell(word) or "no" in each.verbs or not _is_called(word, each.thing):
                return False
            rest, at = f"{rest}{text[at : each.start]}.", max(at, each.end)
        return all(map(_says_nothing, map(tokens, (rest + text[at:]).split("."))))

    def _without_courtesies(self, text: str) -> str:
        """A line without the greeting in front and the courtesies behind, which name no thing."""
        own = self.now.players.get(self.seat, "")
        clauses = _CLAUSES.split(text)

        def is_civil(some: Sequence[str]) -> bool:
            said = " ".join(some)
            doubts = phrases("caveats", "if", "perhaps")  # "si tu veux, je construis"
            if any((word,) in doubts for word in tokens(said)):
                return False
            if any(each.thing and not each.little for each in self._mentions(said)):
                return False
            kind = courtesy(said, tokens(own)) or ("closing" if is_name(said, own) else "")
            return kind == "greeting" or (kind != "" and not said.endswith(":"))  # "Your move:"

        sizes = range(min(_MOST_CLAUSES, len(clauses) - 1), 0, -1)
        clauses = clauses[next((n for n in sizes if is_civil(clauses[:n])), 0) :]
        while len(clauses) > 1:
            sizes = range(1, min(_MOST_CLAUSES, len(clauses) - 1) + 1)
            if not (n := next((n for n in sizes if is_civil(clauses[-n:])), 0)):
                break
            clauses = clauses[:-n]
        return " ".join(clauses)

    @cached_property
    def _parts(self) -> list[Sequence[Any]] | None:
        """What the lines are made of: the moves of each that can be read, and the mentions of the
        others together; None where a line says something else that must not be left out."""
        parts: list[Sequence[Any]] = []
        self.alone, self.denied, self.naming = len(self.lines) < 2, set[str](), list[str]()
        said = [
            (text, line.number in self.apart, patterns)
            for line, patterns in self.lines
            for text in ([line.text] if patterns else self._sentences(line.text))
        ]
        for text, apart, patterns in said:
            part = patterns or self._taken_apart(text, apart)
            if part is None:
                return None
            self.naming += [text] if part else []
            if part and not patterns and parts and isinstance(parts[-1][0], _Mention):
                parts[-1] = [*parts[-1], *part]
            elif part:
                parts.append(part)
        mentions = sum(isinstance(each, _Mention) for part in parts for each in part)
        return parts if mentions <= _MOST_MENTIONS else None

    def _taken_apart(self, text: str, apart: bool) -> list[_Mention] | None:
        """The mentions in a sentence, which may stand in a paragraph apart from all moves; None
        where it says something else that must not be left out."""
        written = text
        text = "".join(map(self._clause, _CLAUSE.split(seated(self.now, text))))
        found = list(self._mentions(text))
        if all(each.thing == _NOTHING or each.little for each in found):
            found = []
        if not self._may_be_left(text, found, apart):
            return None
        idle = not self.alone and all(not each.thing or each.little for each in found)
        words = tokens(text)
        heading = text.rstrip().endswith(":") and len(words) > _FEW
        others = not phrases("verbs", "you").isdisjoint((word,) for word in words)
        prose = idle and (len(words) >= _PROSE or heading or (apart and others))
        # A "no" in what may be left out denies nothing that is named there.
        if _restricted(written, text, [m for m in found if not (prose and m.verbs == {"no"})]):
            return None
        if prose and others:
            return []  # what others do
        if found:
            joined = words[:1] in phrases("courtesies", "then")  # "und dann ziehe ich" goes on
            left_out = len(found) if prose and not joined else found[0].prose
            found[0] = found[0]._replace(parted=True, prose=left_out)
        return found

    def _sentences(self, text: str) -> list[str]:
        """What a line says before it names a thing, sentence by sentence, and the rest of it; those
        of a few words go with the next, and courtesies are left out."""
        found: list[str] = []
        names = False
        for each in (each for each in _SENTENCE.split(text) if not courtesy(each)):
            if found and (names or len(tokens(found[-1])) <= _FEW):
                found[-1] = f"{found[-1]} {each}"
            else:
                found.append(each)
            names = names or any(m.thing and not m.little for m in self._mentions(found[-1]))
        return found

    def _may_be_left(self, line: str, said: Sequence[_Mention], apart: bool) -> bool:
        """May the rest of a line be left out, once what it names has been understood?"""
        if not said:
            return apart or len(tokens(line)) > _FEW or not line.strip()
        spans = [(each.start, each.end) for each in said]
        unknown = sum(
            not any(start <= word.start() < end for start, end in spans)
            for word in _TOKEN.finditer(_folded(line))
            if word.group().isalnum() and word.group() not in _civil()
        )
        if not any(each.thing and not each.little for each in said):
            return True
        return "?" not in line and unknown <= max(_FEW, len(said))

    def _clause(self, clause: str) -> str:
        """A mark that may be a pass, for a clause that only says what is not done, of what need not
        be: "nothing to build", "I pass on robbing"; nothing of one that only speaks to a player."""
        said = [each for each in self._mentions(clause) if not each.little]
        if said and all(each.thing in self.absent for each in said) and not caveat(clause):
            return ""  # "Sorry Cleo,"
        verbs = [each.verbs for each in said if each.verbs and each.verbs != {"no"}]
        done = [each for each in verbs if each & self.needless]
        passed = done and any("pass" in each for each in verbs if each not in done)
        denied = caveat(clause) and not caveats_but(clause, "not") and done == verbs
        if said and not (verbs or caveat(clause) or any(each.thing for each in said)):
            return ""  # "not much I can do"
        if verbs and (passed or denied) and not any(each.thing for each in said):
            self.denied.update(*done)
            return _DENIAL
        return clause

    def _mentions(self, text: str) -> Iterator[_Mention]:
        folded = _folded(text)
        spans = [m.span() for m in _TOKEN.finditer(folded)]
        said = [(fold(text[start:end]), start, end) for start, end in spans]  # "reiße": reisse
        at, times, apart = 0, 1, dict[int, frozenset[str]]()
        glued = parted = softly = False
        while at < len(said):
            word, start, end = said[at]
            if word in _GLUE:
                tight = folded[start - 1 : start].isalnum() and folded[end : end + 1].isalnum()
                glued, parted = (True, parted) if tight or word in "->" else (glued, True)
                at += 1
                continue
            if word == _DENIAL and "pass" in self.verbs:
                yield _Mention(frozenset({"pass"}), "", start, end, parted=True, prose=1)
            island = self.letters and len(word) == 1 and text[start:end].isupper()
            then = (word,) in phrases("courtesies", "then") and not island
            if word in _STOPS or then:
                softly = (word,) in phrases("verbs", "between") and not (parted and not softly)
                parted, glued = True, False
                times = 1 if word in _STOPS else times
            verbs, size = (apart[at], 1) if at in apart else self._verb(said, at)
            if size == 1 and (far := self._apart(said, at)):
                verbs = apart[far] = _verb_phrases()[word, said[far][0]] & self.verbs
            number = self.counts and word in _numbers() and not verbs & _TIMES.keys()
            exact = not verbs or word in self.things or number
            named = size == 1 and exact and not _is_word(said, at, begins=parted or not at)
            thing = self._thing(word, text[start:end]) if named else ""
            for quantity, count in _TIMES.items():
                if quantity in verbs:
                    times = count
            verbs -= _TIMES.keys()
            times = 1 if verbs else times  # "two bridges: …"
            if thing:
                verbs = frozenset()
            if size == 1 and not (verbs or thing) and self._names_nothing(text, start, end):
                thing = _NOTHING
            if verbs or thing:
                little = self._is_little(thing) or (thing.isdigit() and word.isalpha())
                little |= at in apart
                size += 2 * (thing not in ("", _NOTHING) and _has_ending(text, said[at : at + 3]))
                stop = said[at + size - 1][2]
                for _ in range(times if thing else 1):
                    mention = _Mention(verbs, thing, start, stop, glued, parted, little=little)
                    yield mention._replace(softly=softly and thing != "", counted=times > 1)
                times = 1 if thing else times
                parted = softly = False
            if word.isalnum():
                glued = False
            at += size

    def _apart(self, said: Sequence[tuple[str, int, int]], at: int) -> int:
        """Where the rest of a verb stands that begins here: at the end of what is done, behind what
        it is done with, "nehme … weg"; 0 for one in a single word."""
        verb, known, joins = said[at][0], phrases("verbs", "apart"), phrases("courtesies", "then")
        if verb not in _separable():
            return 0
        ended = False
        for n in range(at + 1, min(at + _FARTHEST, len(said))):
            word = said[n][0]
            after = said[n + 1][0] if n + 1 < len(said) else "."
            ends = after in _STOPS or (after,) in joins
            if ends and (word,) in known and _verb_phrases().get((verb, word), _NO) & self.verbs:
                return n
            if word in _STOPS - {","} or (ended and _verb_phrases().get((word,), _NO) & self.verbs):
                return 0
            ended = word in _STOPS or (word,) in joins
        return 0

    def _is_little(self, thing: str) -> bool:
        """May this be no thing at all: an article, a number where nothing is counted now?"""
        if thing.isdigit():
            return not self.counts
        return len(thing) == 1 and thing.isalpha() and (thing in _LITTLE or not self.letters)

    def _names_nothing(self, text: str, start: int, end: int) -> bool:
        """Is this an unknown word that stands where a thing does: in capitals, or clinging to
        another word?"""
        word = text[start:end]
        if len(word) < _LETTERS or (fold(word),) in phrases("verbs", "between"):
            return False
        clings = {text[start - 1 : start], text[end : end + 1]} & _GLUE
        return word.isalpha() and (bool(clings) or word.isupper())

    def _verb(self, said: Sequence[tuple[str, int, int]], at: int) -> tuple[frozenset[str], int]:
        """The verbs that the words from here on may be, the longest phrase first. What says
        nothing may stand within: "nehme danach eine Karte"."""
        between, idle = phrases("verbs", "between"), phrases("courtesies", "then", "polite")
        words = [word for word, *_ in said[at : at + 2]]
        if words[1:] == [":"] and (words[0],) in phrases("verbs", "card"):  # "Card: Iffi"
            return _CARD & self.verbs, 2
        for size in range(min(_LONGEST_PHRASE, len(said) - at), 0, -1):
            first, *rest = (word for word, _, _ in said[at : at + size])
            joined = first, *(word for word in rest if word != "-")
            if rest and rest[-1] != "-" and joined in between:  # "L-" is no article
                return frozenset(), size
            less = [word for word in rest if (word,) not in idle]
            for phrase in (rest, less) if rest[-1:] == less[-1:] else (rest,):
                if found := _verb_phrases().get((first, *phrase), frozenset()) & self.verbs:
                    return found, size
        return frozenset(), 1

    def _thing(self, word: str, written: str) -> str:
        """The thing a word names, also in other languages, with an ending or with a slip."""
        if word.isdigit():
            return word.lstrip("0") or "0"
        if self.counts and word in _numbers():
            return _numbers()[word]
        if len(word) == 1:
            return word if written.isupper() else ""
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

    def _shapes(self, state: Any) -> dict[frozenset[str], list[_Shape]]:
        """What the seat may do in a state, by the things it is done with."""
        kept = self.shapes.get(id(state))
        if kept is None:
            game, found = self.now.game, dict[frozenset[str], list[_Shape]]()
            if len(self.shapes) == _MOST_STATES:
                self.left = 0
                return found
            legal = list(islice(judge.each_legal(game, state, self.seat), _MOST_MOVES + 1))
            for move in legal if len(legal) <= _MOST_MOVES else ():
                shape = _shape(game.notate(move), move)
                found.setdefault(frozenset(shape.things), []).append(shape)
            kept = self.shapes[id(state)] = (state, found)
        return kept[1]

    def _orders(
        self, state: Any, parts: Sequence[Sequence[Any]], at: int
    ) -> Iterator[tuple[int, Reading]]:
        """The orders that parts of a text can be from a state on, `at` mentions into the first, and
        how forced each is."""
        self.left -= 1
        if self.left < 0:
            return
        if not parts:
            yield 0, ()
            return
        first, *rest = parts
        if not isinstance(first[0], _Mention):
            yield from self._written(state, first, rest)
            return
        said = first[at:]
        if all(each.little for each in said):
            yield from self._orders(state, rest, 0)
            return
        if said[0].prose:
            for cost, reading in self._orders(state, parts, at + said[0].prose):
                yield cost + _LEFT_OUT, reading
        for size in range(1, min(len(said), _LONGEST_BLOCK) + 1):
            if size < len(said) and said[size].glued:
                continue
            forced = sum(each.parted and not each.softly for each in said[1:size])
            forced += size < len(said) and not said[size].parted
            for shape, strain in self._fitting(state, said[:size]):
                after = self._after(state, shape.move)
                for cost, reading in self._orders(after, parts, at + size):
                    yield cost + forced + strain, (shape.text, *reading)

    def _written(
        self, state: Any, patterns: Sequence[Any], parts: Sequence[Sequence[Any]]
    ) -> Iterator[tuple[int, Reading]]:
        """The same, where the first part can be read as it stands."""
        game = self.now.game
        verdict = judge.adjudicate(game, state, self.seat, patterns)
        if isinstance(verdict, judge.Rejected):
            return
        played = judge.texts(game, verdict.steps)
        if verdict.unplayed:  # what lies beyond the horizon must be written in full
            if all(not isinstance(part[0], _Mention) for part in parts):
                later = [*verdict.unplayed, *(each for part in parts for each in part)]
                yield 0, (*played, *(each.said for each in later))
            return
        for cost, reading in self._orders(verdict.state, parts, 0):
            yield cost, (*played, *reading)

    def _forbidden(
        self,
        state: Any,
        parts: Sequence[Sequence[Any]],
        at: int,
        played: Reading,
        *,
        guessed: bool = False,
    ) -> Offence | None:
        """The first move against the rules that parts of a text say from a state on, behind the
        most moves that could be played. What was `guessed` makes no plain move forbidden."""
        self.left -= 1
        if self.left < 0 or not parts:
            return None
        first, *rest = parts
        if not isinstance(first[0], _Mention):
            verdict = judge.adjudicate(self.now.game, state, self.seat, first)
            texts = (*played, *judge.texts(self.now.game, verdict.steps))
            if isinstance(verdict, judge.Rejected):
                refused = first[verdict.at].said, verdict.reason
                return None if guessed else _offence(texts, *refused)
            return (
                None
                if verdict.unplayed
                else self._forbidden(verdict.state, rest, 0, texts, guessed=guessed)
            )
        said = first[at:]
        if all(each.little for each in said):
            return self._forbidden(state, rest, 0, played, guessed=guessed)
        for size in range(min(len(said), _LONGEST_BLOCK), 0, -1):
            for shape, _ in self._fitting(state, said[:size]):
                after = self._after(state, shape.move)
                texts = *played, shape.text
                return self._forbidden(after, parts, at + size, texts, guessed=True)
            ends = size == len(said) or said[size].parted
            parted = sum(each.parted for each in said[1:size])
            named = frozenset(each.thing for each in said[:size] if each.thing)
            if not ends or parted > _FEW or named in self._shapes(state):
                continue  # what could be played with other words is no offence
            absent = list(self._to_absent(state, said[:size]))
            for text in dict.fromkeys((*_written_out(said[:size]), *absent)):
                try:
                    pattern = self.now.game.parse(text)
                except Unreadable:
                    continue
                verdict = judge.adjudicate(self.now.game, state, self.seat, [pattern])
                text = text if pattern.is_open else self.now.game.notate(pattern.move)
                text = " ".join(self.naming) if absent else text
                if isinstance(verdict, judge.Rejected) and (
                    found := _offence(played, text, verdict.reason)
                ):
                    return found
        return None

    def _to_absent(self, state: Any, said: Sequence[_Mention]) -> Iterator[str]:
        """The legal moves with the verb of mentions, done to the player they name, whom none of
        these names."""
        verbs = frozenset[str]().union(*(each.verbs for each in said))
        seats = "|".join(fold(each) for each in self.now.setup.seats)
        for absent in (each.thing for each in said if each.thing in self.absent):
            for shape in chain(*self._shapes(state).values()):
                if shape.verbs & verbs:
                    yield re.sub(rf"\b(?:{seats})\b", absent, shape.text)

    def _after(self, state: Any, move: Move | None) -> Any:
        game = self.now.game
        assert move is not None
        return judge.advance(game, state, judge.judge(game, state, self.seat, move).events)

    def _fitting(self, state: Any, said: Sequence[_Mention]) -> list[tuple[_Shape, int]]:
        """The legal moves that mentions can be, and how much each strains them: of those that
        strain them least."""
        found: list[tuple[_Shape, int]] = []
        named = {each.thing for each in said if each.thing and not each.little}
        little = sorted({each.thing for each in said if each.little} - named)[:_MOST_LITTLE]
        for size in range(len(little) + 1):
            for some in combinations(little, size):
                meant = named.union(some)
                block = [each for each in said if not each.thing or each.thing in meant]
                for shape in self._named(state, meant, any(each.counted for each in block)):
                    strain = _strain(block, shape)
                    if strain is not None:
                        found.append((shape, strain))
        least = min((strain for _, strain in found), default=0)
        return [(shape, strain) for shape, strain in found if strain == least]

    def _named(self, state: Any, meant: frozenset[str] | set[str], counted: bool) -> list[_Shape]:
        """The moves with just these things; where it is said how many, their values may be left
        out, and where more is said, where a voyage starts."""
        shapes = self._shapes(state)
        exact = [] if counted else shapes.get(frozenset(meant), [])
        goes = len(meant) == 1 and self.letters and sum(map(len, self._parts or ())) > _FEW
        if exact or not (counted or goes):
            return exact
        return [
            shape
            for things, some in shapes.items()
            if things >= meant
            for shape in some
            if (counted and all(each.isdigit() for each in things - meant))
            or (goes and _goes_to(shape, meant))
        ]


def _has_ending(text: str, said: Sequence[tuple[str, int, int]]) -> bool:
    """Does an ending cling to the first of these words: "12-est", "Jojo:n"? Of a letter one of two:
    "A-e" names two islands."""
    (word, _, end), *rest = said
    if [sign for sign, *_ in rest[:1]] not in (["-"], [":"]) or len(rest) < 2:
        return False
    (_, start, stop), (ending, begins, ends) = rest
    written = text[begins:ends]
    return (
        (start, begins) == (end, stop)
        and written.islower()
        and (len(word) > 1 or len(ending) > 1)
        and (ending,) in phrases("verbs", "ending")
    )


def _may_tell(said: str) -> bool:
    """May these words tell what was done, or is so, rather than what is to be done: "drew"? Or take
    something back?"""
    words = tokens(said)
    if any((word,) in phrases("verbs", "told") for word in words):
        return True
    polite = phrases("courtesies", "polite")
    phrase = tuple(word for word in words if (word,) not in polite)  # "ziehe ich nach"
    return caveat(said) != "" and (len(phrase) == 1 or phrase not in _verb_phrases())


def _is_called(word: str, thing: str) -> bool:
    """Is this the name of a thing, with an ending or none and no slip? Of no thing it is."""
    said = fold(re.split("[-:]", word, maxsplit=1)[0])
    if said.startswith(thing) and (said[len(thing) :],) in phrases("verbs", "ending"):
        return True
    named = said in (thing, "") or said.isdigit() or _numbers().get(said) == thing
    return not thing or named or thing in _thing_words().get(said, ())


def _says_nothing(words: Sequence[str]) -> bool:
    """Are these words known to say nothing beside a move? "My move" may begin them; "your move" is
    somebody else's."""
    heads = phrases("courtesies", "order")
    known = phrases("verbs", "between") | phrases("courtesies", "polite", "then")
    at = next((n for n in range(_LONGEST_PHRASE, 0, -1) if tuple(words[:n]) in heads), 0)
    while at < len(words):
        ends = range(min(len(words), at + _LONGEST_PHRASE), at, -1)
        if not (end := next((end for end in ends if tuple(words[at:end]) in known), 0)):
            return False
        at = end
    return True


def _offence(played: Reading, said: str, reason: Refused) -> Offence | None:
    return Offence(played, said, reason) if isinstance(reason, Violation) else None


def _written_out(said: Sequence[_Mention]) -> Iterator[str]:
    """The ways to write mentions down as games read a move."""
    named = [each.verbs for each in said if each.verbs]
    verbs = frozenset[str]().union(*named).intersection(*named)
    if len(said) > _LONGEST_PHRASE or not (verbs or any(each.glued for each in said)):
        return
    unsaid = [""] if not named or verbs & _UNSAID else []
    for some in said, [each for each in said if not each.little]:
        things = [each.thing for each in some if each.thing]
        ways = [" ".join(things), re.sub(r" (?=\d)", "", " ".join(things)), "-".join(things)]
        ways.append(f"{'-'.join(things[:2])} with {' and '.join(things[2:])}")
        for verb in (*sorted(verbs), *unsaid) if things else ():
            yield from (f"{verb} {text}".strip() for text in ways)


def _repeats(things: Sequence[str]) -> bool:
    """Is one thing named more than once?"""
    names = [each for each in things if not each.isdigit()]
    return len(set(names)) < len(names)


def _goes_to(shape: _Shape, said: Collection[str]) -> bool:
    """Is it a voyage of which no more is said than where it ends?"""
    return "move" in shape.verbs and [*said] == [*shape.things[-1:]]


def _strain(said: Sequence[_Mention], shape: _Shape) -> int | None:
    """How far mentions are from naming a move as it is written; None where they name another."""
    things = [each.thing for each in said if each.thing]
    verbs = [each.verbs for each in said if each.verbs and not each.little]
    fitting = [each for each in verbs if each & shape.accepted]
    joined = fitting and not (things or shape.things or any(each.parted for each in said[1:]))
    if len(fitting) < len(verbs) and ({"no"} in verbs or not joined):
        return None  # joined: "take the top card"
    if "no" in shape.verbs and sum("no" not in each for each in verbs) > 1:
        return None  # "I announce no trick" is no "no announcement"
    needed = shape.verbs & _MODIFIERS if shape.things else shape.verbs
    if any(not any(verb in each for each in verbs) for verb in needed):
        return None
    if _goes_to(shape, things):
        return len(verbs) - len(fitting) if fitting else None
    counted, meant = Counter(things), Counter(shape.things)
    if any(each.counted and counted[each.thing] > meant[each.thing] for each in said):
        return None
    again, left_out = counted - meant, meant - counted
    if again.keys() == {*shape.things[:1]}:  # the card, named once more: "with my KAHU"
        return again.total() + 2 * left_out.total()
    turned = "x" not in shape.verbs and things[: len(shape.things)] != list(shape.things)
    return 2 * (again + left_out).total() + turned + len(verbs) - len(fitting)


def _shape(text: str, move: Move | None = None) -> _Shape:
    atoms = [m.group() for m in _TOKEN.finditer(fold(text)) if m.group().isalnum()]
    verbs = frozenset(atoms) & fields("verbs") - _THINGS - frozenset(_numbers().values())
    things = (atom.lstrip("0") if atom.isdigit() else atom for atom in atoms if atom not in verbs)
    return _Shape(text, verbs, tuple(things), move)


def _is_word(said: Sequence[tuple[str, int, int]], at: int, *, begins: bool) -> bool:
    """Is this letter a word in front of another, and no thing: "I land", "J'ai", "A move"?"""
    letter, _, end = said[at]
    if at + 1 == len(said):
        return False
    behind, start, _ = said[at + 1]
    if start == end and behind == "'" and len(letter) == 1:
        return True
    if letter not in _LITTLE or start == end:
        return False
    then, joins = phrases("courtesies", "then"), phrases("verbs", "between")
    before = (said[at - 1][0],) if at else ()
    if letter == "i":
        begins = begins or not before or before not in joins | _verb_phrases().keys()
    begins = begins and before not in joins - then
    return begins and len(behind) > 1 and behind.isalpha() and (behind,) not in joins | then


def _folded(text: str) -> str:
    """The text folded letter by letter, so that all keep their places."""
    return "".join(fold(char)[:1] or char for char in text)


def _restricted(written: str, text: str, said: Sequence[_Mention]) -> bool:
    """Is there a caveat in what a line says besides its mentions and the little words between them,
    or one that goes beyond those: "this is for", "next move"? `written` has no seats for players'
    names. What is harmless elsewhere is not so in front of a verb: "I couldn't build"; and what is
    said of "this" is said of the order: "don't take this for good"."""
    if points(written) and caveat(written):
        return True
    spans = [(each.start, each.end) for each in said if each.verbs or not each.little]
    verbs = {each.start for each in said if each.verbs}
    rest, named, at = "", set[str](), 0
    for start, end in sorted([*spans, *_little_words(text, said)] if spans else []):
        between = text[at:start]
        if start in verbs and between[-2:-1].isalnum() and caveat("".join(tokens(between)[-1:])):
            return True
        named.update(tokens(text[start:end]))
        rest, at = f"{rest}{between} . ", max(at, end)
    return bool(caveat(rest + text[at:])) or any(
        not named.issuperset(phrase.split()) for phrase in long_caveats(written)
    )


def _little_words(text: str, said: Sequence[_Mention]) -> Iterator[tuple[int, int]]:
    """Where words stand that only join one mention to the next."""
    known = (phrases("verbs", "between") | phrases("courtesies", "then")) - doubts(text)
    starts, run = {each.start for each in said}, list[tuple[int, int]]()
    for found in _WHOLE.finditer(_folded(text), said[0].end, said[-1].end):
        if found.start() in starts:
            yield from run
            run = []
        elif (found.group(),) in known:
            run.append(found.span())
        elif found.group().isalnum():
            run = []


@cache
def _civil() -> frozenset[str]:
    """Words around a move that say nothing."""
    kinds = ("greeting", "closing", "filler", "polite", "then", "order")
    said = phrases("courtesies", *kinds) | phrases("verbs", "between")
    return frozenset(word for phrase in said for word in phrase)


@cache
def _verb_phrases() -> dict[tuple[str, ...], frozenset[str]]:
    """What each phrase may do, by the field names it stands under."""
    found: dict[tuple[str, ...], set[str]] = {}
    for field in deeds() - _THINGS:
        if not field.isdigit():
            for phrase in phrases("verbs", field):
                key = tuple(part for word in phrase for part in _TOKEN.findall(word))
                found.setdefault(key, set()).add(field)
    return {phrase: frozenset(verbs) for phrase, verbs in found.items()}


@cache
def _separable() -> frozenset[str]:
    """The verbs of which a part may stand apart."""
    apart = phrases("verbs", "apart")
    return frozenset(p[0] for p in _verb_phrases() if len(p) == 2 and p[1:] in apart)


@cache
def _numbers() -> dict[str, str]:
    """The numbers that words stand for, by the word."""
    return {
        phrase[0]: field
        for field in fields("verbs")
        if field.isdigit()
        for phrase in phrases("verbs", field)
        if len(phrase) == 1
    }


@cache
def _thing_words() -> dict[str, tuple[str, ...]]:
    """The things a word names in any language."""
    found: dict[str, tuple[str, ...]] = {}
    for field in _THINGS:
        for phrase in phrases("verbs", field):
            if len(phrase) == 1:
                found[phrase[0]] = (*found.get(phrase[0], ()), field)
    return found
