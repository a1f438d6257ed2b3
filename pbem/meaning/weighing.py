"""The orders that a text may mean, whatever else it says: whichever legal moves its names, numbers
and verbs fit best, and where it weighs rivals, each way to keep one of them. Nobody is asked for a
bare yes to one of several: their writer picks a number.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import chain, combinations, islice, pairwise, permutations, product, takewhile
from typing import Any, Final, NamedTuple

from pbem.core import Seat, Unreadable, Violation
from pbem.intake import Line
from pbem.intake.caveats import caveat, caveats_but, doubts, of_others, speaks_to_others
from pbem.intake.courtesy import courtesy
from pbem.intake.words import phrases, tokens
from pbem.log.match import Replay
from pbem.meaning.chatter import little_words
from pbem.meaning.choosing import by_size, wants_all
from pbem.meaning.fitting import LONGEST_BLOCK, UNSAID, Fitting, Wording
from pbem.meaning.hints import LONGEST_LINE, Lines, MoveTexts, clause_around
from pbem.meaning.mentions import (
    CARD,
    DENIAL,
    MODIFIERS,
    NOTHING,
    Mention,
    Vocabulary,
    besides,
    names_thing,
    restricted,
)
from pbem.meaning.offences import Offence, broken
from pbem.meaning.patterns import called, seated
from pbem.meaning.prose import Prose, idle_words, is_certain, is_told, marked
from pbem.rules.reading import fold

MOST_READINGS: Final = 2
"""How many orders are told in one sentence."""
MOST_ORDERS: Final = 6
"""How many orders a writer is shown to choose from."""

_MOST_LEGAL: Final = 8  # moves that a writer is shown to choose from
_LONGEST: Final = 1_000  # characters of all lines that are weighed
_MOST_MENTIONS: Final = 24
_MOST_PARTS: Final = 7
_MOST_STATES: Final = 24  # positions behind the first whose moves are looked at
_DEEPEST: Final = 3  # moves before these
_MOST_TURNED: Final = 4  # moves that are put into another order
_MOST_CHOICES: Final = 24  # orders of the same parts that are tried
_GIVING: Final = frozenset({"discard", "sacrifice"})
_VOWELS: Final = frozenset("aeiouy")  # letters that may be words
_FEW: Final = 2  # words beside the names that need not be known
_STRANGE: Final = 3  # how much one counts that may be several: "はいい手でしたね"
_STOP: Final = re.compile(r"[.,;:!?\n]")
_SENTENCE: Final = re.compile(r"[.!?](?=\s|\Z)|\n")
_SHORT: Final = 3  # letters of a word that may be a code
_FAR: Final = 3  # mentions from a verb to what it is done with
_WORD: Final = re.compile(r"[^\W_]+")
_CODE: Final = re.compile(r"[A-Z]{2,}\Z|\w*\d\Z")

# What it costs:
_UNPLACED: Final = 6.0  # to leave a name out
_COUNTED: Final = 20.0  # one of two that are said in a word: "my two Golas"
_IDLE: Final = 2.5  # a verb
_LITTLE: Final = 1.25  # what may be no name
_SLIGHT: Final = 0.5  # a move more; what it is done with turned around; a stop that goes on
_PARTED: Final = 0.75  # a stop within a move
_BEGUN: Final = 1.5  # the same with a verb behind it; a verb that goes unsaid
_AGAIN: Final = 0.25  # a name once more
_SENTENCES: Final = 2.0  # a move of two sentences
_WRONG: Final = 2.0  # a verb that does not fit
_MISSING: Final = 1.9  # a thing of a move that goes unsaid


class Part(NamedTuple):
    """What stands for one move in a text: the moves that fit it equally well, what they do, where
    it begins and ends among the mentions, whether it may be rejected, or depend on something, and
    whether it names such a move in full."""

    moves: tuple[str, ...]
    kind: frozenset[str]
    begins: int
    ends: int
    whole: bool
    doubted: bool = False
    fits: bool = True

    @property
    def is_one(self) -> bool:
        """Does it name a move in full, or all that sets it apart from the others?"""
        return self.whole or len(self.moves) == 1


class Weighed(NamedTuple):
    """The orders that a text may mean, best first; what it names that stands in none of them, in
    its writer's words, and what it names at all; whether it may mean none of these orders,
    as it says more, or words in it may take something back; all that is legal, or else what
    shares most of what it names, if that is little; whether the orders are of rivals; what it says
    against the rules, if not all that it names makes up moves; and of a single order, the moves
    from the first on that are named in full, with the text behind the last of them; and
    the words for what is done in clauses that are no part of these."""

    orders: tuple[MoveTexts, ...] = ()
    unplaced: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    doubted: bool = False
    few: tuple[MoveTexts, ...] = ()
    rivals: bool = False
    offence: Offence | None = None
    begun: MoveTexts = ()
    rest: str = ""
    plain: bool = False
    sure: bool = False
    put_off: bool = False
    clear: bool = False
    undone: tuple[str, ...] = ()

    @property
    def is_offered(self) -> bool:
        """Is it one order and nothing else, or either of two?"""
        two = len(self.orders) == MOST_READINGS and not self.unplaced
        return self.plain or (two and self.clear)


def weighed(
    match: Replay, seat: Seat, lines: Lines, apart: Collection[int] = (), *, fenced: bool = False
) -> Weighed:
    """What lines may mean for a seat whose turn it is."""
    text = "\n".join(line.text for line, _ in lines)
    if len(text) > _LONGEST:
        return Weighed()
    prose = Prose(match, seat, lines, apart, fenced=fenced)
    said = prose.declined(text)
    left_out = Counter(tokens(seated(prose.legal.match, text))) - Counter(tokens(said))
    found = _Weighing(prose, said).result(lines)
    if found.offence and not found.offence.said:
        found = found._replace(offence=found.offence._replace(said=text))
    if prose.is_put_off or (prose.defers and (found.doubted or not found.orders)):
        return Weighed(named=found.named, offence=found.offence, put_off=not found.offence)
    civil = {*chain(*phrases("courtesies", "greeting", "polite", "then", "filler"))}
    more = bool(left_out.keys() - civil - {*match.setup.seats})
    rest = [
        (e if moves else e._replace(text=prose.without_reasons(e.text)), moves)
        for e, moves in lines
    ]
    if len(found.orders) == 1 and not found.plain and rest != [*lines]:
        again = weighed(match, seat, rest, apart, fenced=fenced)
        if again.plain and again.orders == found.orders:
            return again._replace(sure=False, plain=False)
    return found._replace(doubted=not found.plain and (found.doubted or more))


def in_question(
    match: Replay, seat: Seat, text: str
) -> tuple[tuple[MoveTexts, ...], Offence | None]:
    """The one or two orders that a question is about, "Is Elai-Duda still possible?", if they can
    be played; else what in it the rules forbid. Neither if it asks somebody, or about others."""
    legal = Fitting(match, seat)
    text = seated(legal.match, text[:LONGEST_LINE].rpartition("?")[0])
    said = [each for each in legal.vocabulary.mentions(text) if each.verbs or not each.little]
    if not any(each.thing for each in said):
        return (), None
    if tells_of_others(legal, text) or legal.is_others(text):
        return (), None
    found = weighed(match, seat, [(Line(1, text[said[0].start : said[-1].end]), ())])
    if found.is_offered:
        return found.orders, None
    return (), found.offence


def tells_of_others(legal: Fitting, text: str) -> bool:
    """Does a text say what others do, or speak to them? "I remove your bridge" does not."""
    match = legal.match
    others = {called(match, each) for each in match.setup.seats if each != legal.seat}
    acts = any(each.verbs - UNSAID for each in legal.vocabulary.mentions(text))
    return not others.isdisjoint(tokens(text)[:1]) or (speaks_to_others(text) and not acts)


class _Weighing:
    """A text under way, mention by mention: what it `mentions`, in which of its `clauses`, in which
    `gaps` between it a doubt stands, the `moves` that may be done now or behind others that it
    names, and those among them that it has `written` out, which nobody can judge yet; the mentions
    that it has `rejected`; and whether `rivals` were found. `seats` are the words for players."""

    def __init__(self, prose: Prose, text: str) -> None:
        self.legal, self.text = prose.legal, text
        self.plain, self.denied = prose.plain, prose.denied
        match = prose.legal.match
        self.seats = {each for each in match.setup.seats if called(match, each) == fold(each)}
        self.moves = self.legal.texts(self.legal.match.state)
        self.first = dict.fromkeys(self.moves)
        self.written, self.gaps, self.clauses = set[str](), list[bool](), list[int]()
        self.mentions: list[Mention] = []
        self.noes, self.rejected = list[int](), set[int]()
        self.rivals = False

    def result(self, lines: Lines) -> Weighed:
        """What the text of these lines may mean."""
        parts = self._parts()
        corrected = self._corrected(parts)
        if corrected:
            self.text, self.plain = corrected, False
            parts = self._parts()
        short = len(parts) <= _MOST_PARTS and len(self.mentions) <= _MOST_MENTIONS
        ways = self._ways(parts) if parts and short else {}
        self.rivals |= corrected != ""
        bare = not any(self._names(parts[n]) for way in ways for n in way)
        idle = all(each.little or not each.thing for each in self.mentions)
        if bare and not (self.plain and idle and all(each.whole for each in parts)):
            ways = {}
        orders = tuple(dict.fromkeys(chain(*ways.values())))
        placed = {n for way in ways for at in way for n in range(parts[at].begins, parts[at].ends)}
        spared = (range(each.begins, each.ends) for each in parts if self._is_spared(each))
        placed |= self.rejected.union(*spared)
        names = [n for n, each in enumerate(self.mentions) if each.thing and not self._is_little(n)]
        codes = (each for each in self._codes() if names or ways)
        unplaced = dict.fromkeys((*(self._word(n) for n in names if n not in placed), *codes))
        deeds = [
            n for n, each in enumerate(self.mentions) if each.verbs - UNSAID and not each.little
        ]
        read = {self.clauses[n] for n in placed}
        undone = dict.fromkeys(self._word(n) for n in deeds if self.clauses[n] not in read)
        if unplaced and not any(parts[n].whole for way in ways for n in way):
            orders = ()
        turned = any(
            move not in parts[n].moves
            for way, some in ways.items()
            for order in some
            for n, move in zip(way, order, strict=True)
        )
        plain = self.plain and len(orders) == 1 and not (turned or unplaced)
        plain = plain and all(self._is_plainly(way, parts) for way in ways)
        doubtful = not plain and (bare or turned or self._is_doubtful(parts))
        few = tuple((each,) for each in self._few(parts))
        named = dict.fromkeys(map(self._word, names))
        shown = orders if len(orders) <= MOST_ORDERS else ()
        chosen = [parts[n] for n in next(iter(ways))] if len(ways) == 1 else parts
        offence = None if orders and not (unplaced or doubtful) else self._offence(chosen)
        told = tuple(unplaced), tuple(named), doubtful, few, self.rivals, offence
        way = next(iter(ways)) if len(orders) == 1 else ()
        begun = [parts[n] for n in takewhile(lambda n: parts[n].whole, way)]
        first = orders[0][: len(begun)] if begun else ()
        sure = plain and len(begun) == len(way) and self._is_sure(begun, lines)
        return Weighed(
            shown,
            *told,
            first,
            self._behind(begun),
            plain,
            sure,
            clear=self.plain,
            undone=tuple(undone),
        )

    def _is_sure(self, chosen: Sequence[Part], lines: Lines) -> bool:
        """Does each mention stand in one of these moves, just as that is written, and do they
        explain every word?"""
        moves = [self.moves[each.moves[0]] for each in chosen]
        blocks = [self.mentions[each.begins : each.ends] for each in chosen]
        read = sum(each.ends - each.begins for each in chosen)
        return (
            not self.denied
            and read == len(self.mentions)
            and all(block[0].parted for block in blocks[1:])
            and all(map(_is_exact, blocks, moves))
            and is_certain(self.legal, lines, moves)
        )

    def _is_plainly(self, way: Sequence[int], parts: Sequence[Part]) -> bool:
        """Is each move of a way named in full, and nothing left over that is to be done or denied,
        but in a sentence that names nothing?"""
        chosen = [parts[at] for at in way]
        read = {n for each in chosen for n in range(each.begins, each.ends)}
        done = frozenset(chain(*(self.moves[each.moves[0]].accepted for each in chosen)))
        begins = [0, *(each.end() for each in _SENTENCE.finditer(self.text)), len(self.text) + 1]
        for start, end in pairwise(begins):
            some = [n for n, each in enumerate(self.mentions) if start <= each.start < end]
            acts = any(n in read and not self._is_denial(n) for n in some)
            names = any(self.mentions[n].thing and not self.mentions[n].little for n in some)
            if (acts or names) and any(start <= at < end for at in self.noes):
                return False
            left = [n for n in some if n not in read and not self._is_little(n)]
            left = [n for n in left if not (self.mentions[n].verbs & done or self._is_denial(n))]
            words = tokens(self.text[start:end])
            goes_on = words[:1] in phrases("courtesies", "then")  # "und dann ziehe ich"
            if left and (acts or names or goes_on or len(words) <= _FEW):
                return False
        return all(each.whole and each.fits for each in chosen) and done.isdisjoint(self.denied)

    def _is_little(self, nth: int) -> bool:
        """May a mention be no name, but a word: "I", "A"?"""
        each, joins = self.mentions[nth], phrases("verbs", "between")
        joined = any(e.glued for e in self.mentions[nth : nth + 2])  # "E-O", "nach O"
        joined |= tokens(self.text[: each.start])[-1:] in joins
        return each.little or (each.thing in _VOWELS and not joined)

    def _is_denial(self, nth: int) -> bool:
        """Does a mention only say that something is not done: "nothing to build"?"""
        return self.text[self.mentions[nth].start : self.mentions[nth].end] == DENIAL

    def _behind(self, parts: Sequence[Part]) -> str:
        """The text behind the last of these parts; all of it if there are none."""
        return self.text[self.mentions[parts[-1].ends - 1].end if parts else 0 :]

    def _offence(self, parts: Sequence[Part]) -> Offence | None:
        """What the names that stand in no move say against the rules, after the moves before them:
        nothing behind a doubt, in a question beside moves, or of what others do."""
        state, played, at = self.legal.match.state, tuple[str, ...](), 0
        last = Part((), frozenset(), len(self.mentions), len(self.mentions), whole=False)
        for part in (*(each for each in parts if each.whole), last):
            ends = next(
                (n for n in range(at, len(self.mentions)) if self.gaps[n]), len(self.mentions)
            )
            named = [n for n in range(at, min(part.begins, ends)) if self.mentions[n].thing]
            if named:
                if parts and self._asks(Part((), frozenset(), at, ends, whole=False)):
                    return None
                if played and not self.legal.texts(
                    state
                ):  # chance comes first: nobody can tell yet
                    return None
                stop = _SENTENCE.search(self.text, self.mentions[named[-1]].end)
                close = [
                    n for n in range(at, ends) if not stop or self.mentions[n].end <= stop.start()
                ]
                found = self._broken(state, at, named[0], close[-1] + 1)
                return Offence(played, *found) if found else None
            known = self.legal.texts(state)
            if ends < part.begins or not part.moves or part.moves[0] not in known:
                return None
            state = self.legal.after(state, known[part.moves[0]])
            played, at = (*played, part.moves[0]), part.ends
        return None

    def _broken(self, state: Any, at: int, first: int, ends: int) -> tuple[str, Violation] | None:
        """The move against the rules that the mentions from one on, up to another, begin with; the
        `first` thing is in no legal move."""
        while at < first and not self.mentions[first].parted:
            first -= 1
        if any(each.verbs - UNSAID for each in self.mentions[at:first]):
            return None  # to be done before the rest, but nobody knows with what
        left = self.mentions[first:ends]
        clause = clause_around(self.text, left[0].start, left[0].end)
        words = (self.text[each.start : each.end] for each in left)
        bare = {*tokens(clause)} <= {*chain(*map(tokens, words))}
        stop = _STOP.search(self.text, left[0].end)
        whole = sum(not stop or each.start < stop.start() for each in left)
        told = tells_of_others(self.legal, clause)
        return (
            None if told or _is_aside(left) else broken(self.legal, state, left, whole, bare=bare)
        )

    def _few(self, parts: Sequence[Part]) -> list[str]:
        """All that is legal and not denied, or what shares most of what is named, if that is
        little; else nothing."""
        denied = [
            each
            for each in parts
            if self._is_spared(each) or self._says_no(self._told(self._before(each)))
        ]
        things = {
            each.thing for each in self.mentions if each.thing and not each.little
        } - self.seats
        never = {*chain(*(each.moves for each in denied if each.whole))}
        some = [each for each in self.first if each not in never]
        if len(some) > _MOST_LEGAL and (any(self.gaps) or "?" in self.text):
            return []
        shared = {each: len(things.intersection(self.moves[each].things)) for each in some}
        most = max(shared.values(), default=0)
        close = [each for each in some if most and shared[each] == most]
        spared, left = ({*chain(*(self.moves[e].things for e in es))} for es in (never, some))
        if len(some) > _MOST_LEGAL or close[1:] or most == len(things - (spared - left)) > 0:
            some = close
        acts = [
            e.verbs - UNSAID for e in self.mentions if len(e.verbs - UNSAID) == 1 and not e.little
        ]
        done = frozenset[str]().union(*acts)
        some = [each for each in some if done & self.moves[each].accepted] or some
        known = frozenset[str]().union(*(each.accepted for each in self.moves.values()))
        undone = any(each.verbs.isdisjoint(known) for each in self.mentions if each.verbs - UNSAID)
        some = [text for [text] in by_size(self.text, [(each,) for each in some])]
        many = len(some) > _MOST_LEGAL or (undone and len(self.first) > _MOST_LEGAL)
        return [] if many else some

    def _is_doubtful(self, parts: Sequence[Part]) -> bool:
        """Does the text say more than what it names: to others, or what may take that back?"""
        unknown = [word for word in besides(self.text, self.mentions) if word not in idle_words()]
        strange = sum(1 if word.isascii() else _STRANGE for word in unknown)
        few = (_FEW if self.plain else 1) if all(each.whole for each in parts) else 0
        more = strange > few
        read = {n for part in parts for n in range(part.begins, part.ends)}
        blocks = (self.mentions[part.begins : part.ends] for part in parts)
        numbers = any(all(each.thing.isdigit() for each in some) for some in blocks)  # "Round 7"
        more |= numbers or self._clause_besides(parts) or not all(each.fits for each in parts)
        more |= any(e.verbs - UNSAID and n not in read for n, e in enumerate(self.mentions))
        undone = any(self.gaps) or restricted(self.text, self.text, self.mentions)
        others = speaks_to_others(self.text) or of_others(self.text)
        return more or undone or others or "?" in self.text

    def _word(self, nth: int) -> str:
        word, match = self.text[self.mentions[nth].start : self.mentions[nth].end], self.legal.match
        seat = word in match.setup.seats and called(match, word) == fold(word)
        return (match.players.get(word) if seat else "") or word

    def _codes(self) -> Iterator[str]:
        """The words that name nothing here, but look like a code, or stand beside a number and name
        something in another game: "Giallo 9"."""
        spans = [(each.start, each.end) for each in self.mentions]
        words = [(each[0], *each.span()) for each in _WORD.finditer(self.text)]
        for n, (word, start, end) in enumerate(words):
            beside = [each[0] for each in (*words[max(n - 1, 0) : n], *words[n + 1 : n + 2])]
            numbered = any(map(str.isdigit, beside)) and word not in self.legal.match.setup.seats
            known = fold(word) in little_words()
            around = _STOP.split(self.text[:start])[-1], _STOP.split(self.text[end:])[0]
            alone = len(word) <= _SHORT and not any(map(tokens, around))
            if (
                not known
                and not any(begins < end and start < ends for begins, ends in spans)
                and (_CODE.match(word) or alone or (numbered and names_thing(word)))
            ):
                yield word

    # --------------------------------------------------------------- the moves that it names

    def _parts(self) -> list[Part]:
        """The text as moves, once what they lead to has been looked at."""
        states: list[Any] = [self.legal.match.state]
        looked_at, parts = 0, self._read()
        for _ in range(_DEEPEST):
            later = list[Any]()
            said = {each.thing for each in self.mentions}
            named = (text for text, e in self.moves.items() if e.things and said >= {*e.things})
            tried = dict.fromkeys((*chain(*(part.moves for part in parts)), *named))
            for state, move in product(states, tried):
                known = self.legal.texts(state)
                if move in known and looked_at < _MOST_STATES:
                    looked_at += 1
                    later.append(self.legal.after(state, known[move]))
            before = {*self.moves}
            for state in later:
                if not (some := list(chain(*self.legal.worded(state).values()))):
                    some = list(self._written_out())
                    self.written |= {each.text for each in some} - before
                self.moves = {each.text: each for each in some} | self.moves
            states = later
            if self.moves.keys() != before:
                parts = self._read()
        return parts

    def _read(self) -> list[Part]:
        """The mentions as far as what may be done is known, cut into moves at the least cost."""
        named = [each.things for each in self.moves.values()]
        names = (*filter(None, self.legal.match.players.values()),)  # "Bentől"
        vocabulary = Vocabulary(self.legal.match, self.legal.seat, named, loose=True)
        every = islice(marked(self.text, vocabulary.mentions(self.text)), _MOST_MENTIONS + 1)
        self.mentions = [
            each
            for each in every
            if not (each.thing == NOTHING and self.text[each.start : each.end].startswith(names))
            and (
                not each.thing.isalpha()
                or len(each.thing) > 1
                or vocabulary.letters
                or not named
                or self.text[each.end : each.end + 1].isdigit()
            )
            and not self.legal.is_others(clause := clause_around(self.text, each.start, each.end))
            and not (each.verbs and courtesy(clause))
        ]
        if not any("no" in each.verbs for each in self.moves.values()):
            noes = [*map(self._is_no, range(len(self.mentions)))]
            self.noes = [each.start for each, no in zip(self.mentions, noes, strict=True) if no]
            self.mentions = [each for each, no in zip(self.mentions, noes, strict=True) if not no]
        self.mentions = [
            each._replace(little=each.little and not (vocabulary.letters and each.thing.isalpha()))
            for each in self.mentions
        ]
        self.clauses = [len(_STOP.findall(self.text, 0, each.start)) for each in self.mentions]
        self.gaps = [self._doubt(nth) for nth in range(len(self.mentions) + 1)]
        best: list[tuple[float, list[Part]]] = [(0.0, [])]
        for at in reversed(range(len(self.mentions))):
            cost, parts = best[0]
            ways = [(cost + self._left_out(at), parts)]
            for end in range(at + 1, min(len(self.mentions), at + LONGEST_BLOCK) + 1):
                if end > at + 1 and (self.gaps[end - 1] or "\n" in self._between(end - 1)):
                    break
                before = self._fitting(at, end - 1) if is_told(self.mentions[at:end]) else None
                if before and before[1].whole:
                    break  # "I sacrifice Pele 4 to Pele, and the Kane I keep"
                if found := self._fitting(at, end):
                    rest, later = best[end - at - 1]
                    span = self.mentions[at].start, self.mentions[end - 1].end
                    rest += _SENTENCES * bool(_SENTENCE.search(self.text[slice(*span)]))
                    ways.append((found[0] + rest + _SLIGHT, [found[1], *later]))
            best.insert(0, min(ways, key=lambda way: way[0]))
        return self._alike(best[0][1])

    def _is_no(self, nth: int) -> bool:
        """Is a mention a "no", or a word that may be one, as "pas" in French, beside another?"""
        each, behind = self.mentions[nth], self.mentions[nth + 1 : nth + 2]
        joined = not each.parted or any(not other.parted for other in behind)
        return each.verbs == {"no"} or (
            each.verbs == {"no", "pass"} and joined and len(self.mentions) > 1
        )

    def _left_out(self, nth: int) -> float:
        """What it costs to make nothing of a mention."""
        each = self.mentions[nth]
        if self._is_little(nth):
            return _LITTLE
        if each.thing:
            return _COUNTED if each.counted else _UNPLACED
        return _SLIGHT if each.verbs & UNSAID else _IDLE

    def _between(self, nth: int) -> str:
        """The text before a mention, up to the one before it; behind the last if there is none."""
        begins = self.mentions[nth - 1].end if nth else 0
        return self.text[begins : self.mentions[nth].start if nth < len(self.mentions) else None]

    def _doubt(self, nth: int) -> bool:
        """May something be taken back, or depend on something, just before this mention?"""
        return "|" in self._between(nth) or self._is_caveat(self._between(nth))

    def _is_caveat(self, text: str) -> bool:
        return caveat(self._told(text), self.text) != ""

    def _told(self, text: str) -> str:
        """The words of a text that do not only join one thing to another."""
        idle = phrases("verbs", "between") | phrases("courtesies", "then")
        idle -= doubts(self.text)
        return " ".join(word for word in tokens(text) if (word,) not in idle)

    def _turns(self, nth: int) -> bool:
        """May what stands behind this mention replace what stands before it? What is done later
        does not."""
        between = self._between(nth)
        return "|" in between or caveats_but(self._told(between), "later", self.text)

    def _denies(self, nth: int) -> bool:
        """Is this mention denied, and no more?"""
        words = self._told(_STOP.split(self._between(nth))[-1])
        return caveat(words, self.text) != "" and not caveats_but(words, "not", self.text)

    def _torn(self, nth: int) -> bool:
        """Does a mention belong to the one before it, or to a word around it?"""
        if nth == len(self.mentions):
            return False
        each = self.mentions[nth]
        return each.glued or (each.start > 0 and self.text[each.start - 1].isalnum())

    def _splits(self, nth: int) -> bool:
        """Are this mention and the one before it one word for several things?"""
        some = self.mentions[max(nth - 1, 0) : nth + 1]
        return len(some) > 1 and some[1].counted and some[0].start == some[1].start

    def _fitting(self, at: int, end: int) -> tuple[float, Part] | None:
        """The moves that these mentions fit best, and what that costs."""
        said, costs = self.mentions[at:end], dict[str, tuple[float, float]]()
        if self._torn(at) or self._torn(end) or all(each.thing in self.seats for each in said):
            return None
        bare = not any(each.thing for each in said)
        apart = self._stands_apart(at, end) and not (bare and self._goes_on(end))
        for text, wording in self.moves.items():
            cost = _cost(said, wording)
            if cost is not None and text not in self.first:
                cost = cost[0] + _AGAIN, cost[1]
            if cost is not None and (apart or not cost[1]):
                costs[text] = cost
        if self._splits(at) or self._splits(end):  # "two Golas" are two moves, or stand in one
            costs = {text: cost for text, cost in costs.items() if not cost[1]}
        if not costs:
            return None
        least = min(sum(cost) for cost in costs.values())
        best = {text for text, cost in costs.items() if sum(cost) == least}
        if all(costs[text][1] for text in best):  # "all to Ku" may be more than one card
            strain = min(costs[text][0] for text in best)
            things = {each.thing for each in said}
            shared = max(len(things.intersection(self.moves[text].things)) for text in best)
            more = {
                text
                for text, (far, _) in costs.items()
                if far == strain and len(things.intersection(self.moves[text].things)) == shared
            }
            best |= more if len(more) <= MOST_ORDERS else set()
        clause = clause_around(self.text, said[0].start, said[-1].end)
        pool = costs if wants_all(clause) else best
        moves = tuple(text for [text] in by_size(clause, [(each,) for each in sorted(pool)]))
        chosen = len(moves) == 1 < len(pool)  # its number goes unsaid
        least = costs[moves[0]][0] if chosen else least
        whole = chosen or not costs[moves[0]][1]
        kind = _kind(self.moves[moves[0]])
        accepted = self.moves[moves[0]].accepted
        joins = phrases("verbs", "between")  # "do" gives in Italian, and goes to in Polish
        verbs = [
            e.verbs for e in said if tokens(self.text[e.start : e.end]) not in joins and e.verbs
        ]
        fitting = [each & accepted != frozenset() for each in verbs]
        joined = bare and not any(each.parted for each in said[1:])
        wrong = not (all(fitting) or (joined and any(fitting)))
        return least, Part(moves, kind, at, end, whole, fits=not wrong)

    def _goes_on(self, end: int) -> bool:
        """Does an unknown word stand behind a bare verb: "take hunna"?"""
        behind = tokens(_STOP.split(self._between(end))[0])
        known = idle_words() | {*chain(*phrases("verbs", "card"))}
        return not known.issuperset(behind)

    def _stands_apart(self, at: int, end: int) -> bool:
        """Does something part these mentions from those around them? Else what they leave open may
        stand there: "take Bari" is not any card."""
        behind = end + 1 if self.mentions[end : end + 1] and self.mentions[end].verbs else end
        letter = len(self.mentions[at].thing) == 1 and self.mentions[at].thing.isalpha()
        return (letter or self._parted(at)) and (
            self._parted(end) or (behind > end and self._parted(behind))
        )

    def _parted(self, nth: int) -> bool:
        ends = nth in (0, len(self.mentions)) or self.mentions[nth - 1].verbs & UNSAID
        if ends or self.gaps[nth]:
            return True
        each = self.mentions[nth]  # "between Bari and Faaa" goes on, "A-E and 5" need not
        return each.parted and (not each.softly or each.thing.isdigit())

    def _written_out(self) -> Iterator[Wording]:
        """What the text writes out that cannot be judged yet, as a card must be drawn first: two
        things that cling together, with a verb beside them."""
        game = self.legal.match.game
        turned = {each.things[::-1] for each in self.moves.values() if each.verbs}
        for n in (n for n, each in enumerate(self.mentions) if n and each.glued):
            two = "-".join(each.thing for each in self.mentions[n - 1 : n + 1])
            for verb in chain(*(each.verbs for each in self.mentions[max(n - _FAR, 0) : n + _FAR])):
                try:
                    pattern = game.parse(f"{verb} {two}")
                except Unreadable:
                    continue
                if pattern.is_open:
                    continue
                wording = Wording.of(game.notate(pattern.move))
                if wording.things not in turned:  # "reverse H-M"
                    yield wording

    def _alike(self, parts: Sequence[Part]) -> list[Part]:
        """The parts, each marked if a doubt stands before it; one that may replace another is like
        that in all that it leaves open: "from Gola to Faaa, or to Coco"."""
        found, whole = list[Part](), any(each.whole for each in parts)
        self.rejected.clear()
        for part in parts:
            begins = found[-1].ends if found else 0
            doubted = any(self.gaps[begins : part.begins + 1])
            said = self.mentions[part.begins : part.ends]
            acts = any(each.verbs for each in said)
            single = not (acts or any(each.glued for each in said[1:]))
            if said[0].softly and not acts and part.begins > begins and said[0].thing:
                continue  # "remove your bridge between Coco and Kahu"
            if found and found[-1].is_one and single and self._denies(part.begins):
                self.rejected.update(range(part.begins, part.ends))  # "but not the Kane"
                continue
            if whole and not (part.whole or acts or doubted) and self._is_strange(part):
                continue  # "Kai is tempting"
            if found and not (part.whole or acts):
                things = Counter(self.moves[found[-1].moves[0]].things)
                shared = {
                    each: (things & Counter(self.moves[each].things)).total()
                    for each in part.moves
                    if _kind(self.moves[each]) == found[-1].kind
                }
                most = max(shared.values(), default=0)
                if said[0].told and found[-1].whole and not self._turns(part.begins):
                    continue
                if not most and found[-1].whole and doubted:
                    continue  # "COCO-FAAA, but only if JOJO is there"
                alike = tuple(each for each in shared if shared[each] == most)
                part = part._replace(moves=alike or part.moves)
            found.append(part._replace(doubted=doubted))
        return found

    # ------------------------------------------------------------------ the orders they make

    def _ways(self, parts: Sequence[Part]) -> dict[tuple[int, ...], list[MoveTexts]]:
        """Each way to play as many of these parts as can be, of rivals one, and the orders of it;
        with what was named last first."""
        ways = self._playable_ways(parts, _SENTENCE) or self._playable_ways(parts, _STOP)
        backwards = range(len(parts) - 1, -1, -1)
        best = [
            way
            for way in ways
            if not any(self._outweighs(parts, {*o} - {*way}, {*way} - {*o}) for o in ways)
        ]
        self.rivals = len(best) > 1
        best = [way for way in best if not any(self._outdoes(parts, o, way) for o in best)]
        chosen = [parts[n] for way in best for n in way]
        chosen = [each for each in chosen if self._names(each)] or chosen
        if len(best) == 1 and all(map(self._is_denied, chosen)):
            return {}
        shorter = self._without_condition(parts, best[0]) if len(best) == 1 else ()
        if shorter and (orders := self._played([parts[n] for n in shorter])):
            best, ways, self.rivals = [*best, shorter], ways | {shorter: orders}, True
        last_first = sorted(best, key=lambda way: [n not in way for n in backwards])
        return {way: ways[way] for way in last_first}

    def _playable_ways(
        self, parts: Sequence[Part], stops: re.Pattern[str]
    ) -> dict[tuple[int, ...], list[MoveTexts]]:
        """The same, but all of them, without what stands in a question up to one of these stops;
        with it if nothing else is named, and it ends the text."""
        ways = dict[tuple[int, ...], list[MoveTexts]]()
        sure = [n for n, part in enumerate(parts) if not self._asks(part, stops)]
        asks = stops is _STOP and self.text.rstrip().endswith("?")
        if asks and not any(self._names(parts[n]) for n in sure):
            sure = [*range(len(parts))]
        for some in chain(*(combinations(sure, n) for n in range(len(sure), 0, -1))):
            covered = any({*some} < {*way} for way in ways)
            if covered or self._rivals([parts[n] for n in some]):
                continue
            if orders := self._played([parts[n] for n in some]):
                ways[some] = orders
        return ways if stops is _STOP or any(self._names(parts[n]) for n in sure) else {}

    def _without_condition(self, parts: Sequence[Part], way: Sequence[int]) -> tuple[int, ...]:
        """The parts of a way in the sentences behind one in which all is doubted: "If you build
        Elai-Duda, I answer Huna-Duda. For now Bari-Coco"; () if there are no such two."""
        sure = tuple(n for n in way if not parts[n].doubted)
        if not sure or sure == (*way,) or not self._names(parts[sure[0]]):
            return ()
        first = parts[sure[0]]
        behind = self.text[self.mentions[first.begins - 1].end : self.mentions[first.begins].start]
        return sure if sure == (*way[-len(sure) :],) and _SENTENCE.search(behind) else ()

    def _outweighs(self, parts: Sequence[Part], some: set[int], others: set[int]) -> bool:
        """Do some parts tell more than others, with which they cannot be played: do they name
        something, beside which "both fine" is no pass, and what leaves something open no move, if
        neither may replace the other? And is what says that something is not done, or neither
        names anything nor leaves nothing open, no move beside any other?"""
        pairs = [sorted(pair) for pair in product(some, others)]
        apart = any(self._doubted_between(parts[one], parts[other]) for one, other in pairs)
        cards = {n for n, part in enumerate(parts) if part.kind == CARD}
        spoken = {n for n in cards if self._acts(parts[n])}
        if not apart and others <= cards - spoken and some & spoken:
            return True  # a card that is only named is not taken in place of one
        if not apart and some & (cards - spoken) and others & spoken:
            return False
        denials = {n for n, part in enumerate(parts) if self._is_denial(part.begins)}
        names = {n for n, part in enumerate(parts) if self._names(part)}
        vague = {n for n, part in enumerate(parts) if not part.whole}
        if any(others and others <= less and some - less for less in (denials, vague - names)):
            return True
        vague |= {
            n for n, part in enumerate(parts) if _is_aside(self.mentions[part.begins : part.ends])
        }
        bare = {n for n, part in enumerate(parts) if not part.doubted} - names
        return not names.isdisjoint(some) and (others <= bare or others <= vague) and not apart

    def _corrected(self, parts: Sequence[Part]) -> str:
        """The text with a move in place of the one that it takes back: "I stay. No, the dolphin",
        "take ALOA. Stop, not ALOA, KAHU"; "" if it takes none back, or leaves a choice."""
        if not self.gaps.count(True) or self.gaps[-1]:
            return ""
        for one, other in pairwise(parts):
            last, first = self.mentions[one.ends - 1], self.mentions[other.begins]
            between = self.text[last.end : first.start]
            again = {each.thing for each in self.mentions[one.ends : other.begins]}
            known = {each.thing for each in self.mentions[one.begins : one.ends]}
            undone = self._is_caveat(between) and not caveats_but(between, "not back", self.text)
            settled = undone and one.is_one and again <= known and not {*"?\n"} & {*between}
            if not settled or self._is_denied(other):
                continue
            if one.kind != other.kind and self._played([one, other]):
                continue
            things = [each for each in self.mentions[one.begins : one.ends] if each.thing]
            start = self.mentions[one.begins].start
            if other.ends - other.begins == len(things) == 1 and first.thing:
                [thing] = things
                new = self.text[first.start : first.end]
                kept = f"{self.text[start : thing.start]}{new}{self.text[thing.end : last.end]}"
                return f"{self.text[:start]}{kept}{self.text[first.end :]}"
            return f"{self.text[:start]}{self.text[first.start :]}"
        return ""

    def _is_denied(self, part: Part) -> bool:
        """Does a doubt stand just before a part, "anything but KAHU-LALE", or is it spared?"""
        return self._is_spared(part) or self._is_caveat(self._before(part))

    def _is_spared(self, part: Part) -> bool:
        """Does a "not" stand behind a part in a clause that names no more, "die Kane 5 lasse ich
        liegen", or around its last thing once more?"""
        behind, *more = _STOP.split(self._between(part.ends))
        if (more or part.ends == len(self.mentions)) and self._says_no(behind):
            return True
        last = self.mentions[part.ends - 1].thing
        behind_it = zip(self.mentions[part.ends :], self.clauses[part.ends :], strict=True)
        again = (e for e, n in behind_it if e.thing == last != "" and self.clauses.count(n) == 1)
        return any(self._says_no(clause_around(self.text, e.start, e.end)) for e in again)

    def _before(self, part: Part) -> str:
        """What a clause says before the first thing of a part, but for what it mentions."""
        some = self.mentions[part.begins : part.ends]
        first = next((each.start for each in some if each.thing), some[0].start)
        begins = first - len(_STOP.split(self.text[:first])[-1])
        rest, at = "", begins
        for each in self.mentions:
            if begins <= each.start < first:
                rest, at = f"{rest}{self.text[at : each.start]} ", each.end
        return rest + self.text[at:first]

    def _says_no(self, text: str) -> bool:
        """Does a text say no, and restrict nothing in another way?"""
        return caveat(text, self.text) != "" and not caveats_but(text, "not", self.text)

    def _outdoes(self, parts: Sequence[Part], way: Sequence[int], other: Sequence[int]) -> bool:
        """Does a way say in plain sentences, behind all others, what stands in place of the other's
        moves: "Kahu-Iffi would be a blunder. Bari-Duda"?"""
        own, lost = ([parts[n] for n in {*a} - {*b}] for a, b in ((way, other), (other, way)))
        return (
            bool(own and lost)
            and max(each.ends for each in lost) <= min(each.begins for each in own)
            and all(map(self._is_plain, own))
            and not any(map(self._is_plain, lost))
        )

    def _is_plain(self, part: Part) -> bool:
        """Does the sentence around a part say nothing else?"""
        text, said = self._sentence(part)
        return not self._is_caveat(text) and idle_words().issuperset(besides(text, said))

    def _is_strange(self, part: Part) -> bool:
        """Are there words that nobody knows in a sentence that names this part alone?"""
        text, said = self._sentence(part)
        alone = len(said) == part.ends - part.begins
        return alone and any(
            word not in idle_words() and not caveat(word) for word in besides(text, said)
        )

    def _sentence(self, part: Part) -> tuple[str, list[Mention]]:
        """The sentence around a part, and what it mentions."""
        start, end = self.mentions[part.begins].start, self.mentions[part.ends - 1].end
        begins = max((each.end() for each in _SENTENCE.finditer(self.text, 0, start)), default=0)
        stop = _SENTENCE.search(self.text, end)
        ends = stop.start() if stop else len(self.text)
        said = [each for each in self.mentions if begins <= each.start < ends]
        known = [each._replace(start=each.start - begins, end=each.end - begins) for each in said]
        return self.text[begins:ends], known

    def _clause_besides(self, parts: Sequence[Part]) -> bool:
        """Is a whole clause no part of any move: "Om Ana tycker det är okej"? Or does one run on
        into the next?"""
        spans = [(self.mentions[p.begins].start, self.mentions[p.ends - 1].end) for p in parts]
        at = 0
        for clause in _STOP.split(self.text):
            stop = at + len(clause)
            told = len(tokens(clause)) > _FEW and not courtesy(clause)
            if told and not any(begins < stop and at < end for begins, end in spans):
                return True
            if any(at <= begins < stop < end for begins, end in spans):
                return True
            at = stop + 1
        return False

    def _acts(self, part: Part) -> bool:
        return any(each.verbs for each in self.mentions[part.begins : part.ends])

    def _names(self, part: Part) -> bool:
        return any(each.thing for each in self.mentions[part.begins : part.ends])

    def _asks(self, part: Part, stops: re.Pattern[str] = _STOP) -> bool:
        """Does a part stand in a question: "KAHU-LALE? Never"?"""
        stop = stops.search(self.text, self.mentions[part.ends - 1].end)
        return stop is not None and stop[0] == "?"

    def _rivals(self, some: Sequence[Part]) -> bool:
        """Do two of these parts stand for one move: the same, or of a kind with a doubt between?"""
        return any(
            (one.moves == other.moves and not self.mentions[other.begins].counted)
            or (one.kind == other.kind and self._doubted_between(one, other))
            for one, other in combinations(some, 2)
        )

    def _doubted_between(self, one: Part, other: Part) -> bool:
        """Does a doubt stand between two parts, or just before the first: "not A but B"?"""
        between = range(one.begins + 1, other.begins + 1)
        return self._is_denied(one) or any(map(self._turns, between))

    def _played(self, parts: Sequence[Part]) -> list[MoveTexts]:
        """The orders that parts make which can be played: as they stand, else in another order."""
        choices = list(islice(product(*(part.moves for part in parts)), _MOST_CHOICES + 1))
        if len(choices) > _MOST_CHOICES:
            return []
        sizes = range(len(parts)) if len(parts) <= _MOST_TURNED else ()
        for way in permutations(sizes) if sizes else [range(len(parts))]:
            some = (tuple(order[n] for n in way) for order in choices)
            if found := [order for order in some if self._playable(order)]:
                return found
        return []

    def _playable(self, order: MoveTexts) -> bool:
        """Can an order be played, move by move, or will it be judged when a card is drawn? Nothing
        in it may be what the text says is not done."""
        state = self.legal.match.state
        for nth, text in enumerate(order):
            legal = self.legal.texts(state)
            if not legal:
                return self.written.issuperset(order[nth:])
            if text not in legal:
                return False
            state = self.legal.after(state, legal[text])
        return True


def _is_aside(mentions: Sequence[Mention]) -> bool:
    """Is something else told of the one thing these mentions name, without a verb that is known?"""
    names = [each for each in mentions if not each.thing.isdigit()]
    return mentions[0].told and len(names) == 1 and not mentions[0].verbs


def _kind(wording: Wording) -> frozenset[str]:
    """What a move does; a card is drawn or taken."""
    return CARD if wording.verbs & CARD and not wording.things[1:] else wording.verbs


def _is_exact(mentions: Sequence[Mention], wording: Wording) -> bool:
    """Do these mentions say a move just as it is written, each thing once and in its order?"""
    things = [each.thing for each in mentions if each.thing]
    written = things == [*wording.things] or wording.goes_to(things)
    return written and not any(each.parted and not each.softly for each in mentions[1:])


def _cost(mentions: Sequence[Mention], wording: Wording) -> tuple[float, float] | None:
    """How far mentions are from a move, and how many things of it they leave out; None if they
    cannot mean it."""
    things = [each.thing for each in mentions if each.thing and not each.little]
    little = [each.thing for each in mentions if each.little and each.thing]
    things += [each for each in little if each in wording.things]
    idle = sum(each.isdigit() and each not in wording.things for each in little)
    verbs = [each.verbs for each in mentions if each.verbs and not each.little]
    wrong = sum(not each & wording.accepted for each in verbs)
    if not (things or wording.things or any(each.parted for each in mentions[1:])):
        wrong = 0 if wrong < len(verbs) else wrong  # "take the top card"
    needed = wording.verbs & MODIFIERS if wording.things else wording.verbs
    if (verbs and wrong == len(verbs)) or not (things or verbs) or NOTHING in things:
        return None
    if any(not any(verb in each for each in verbs) for verb in needed):
        return None
    if {"no"} in verbs and "no" not in wording.verbs:
        return None
    counted, meant = Counter(things), Counter(wording.things)
    if not counted.keys() <= meant.keys():
        return None
    if any(each.counted and counted[each.thing] > meant[each.thing] for each in mentions):
        return None  # "my two Golas"
    left = meant.keys() - counted.keys()
    if any(each.counted for each in mentions):
        left = {each for each in left if not each.isdigit()}  # "both Kane tiles"
    missing = 0 if verbs and wording.goes_to(things) else len(left)
    again, unsaid_again = counted - meant, 0 if missing else (meant - counted).total()
    acts = wording.verbs - MODIFIERS
    if acts & _GIVING and not verbs:
        return None  # nothing is given away without a word
    card = again.keys() == {*wording.things[:1]} and not acts - {"x"}  # "with my KAHU"
    in_order = [each for each in dict.fromkeys(wording.things) if each in counted]
    turned = [*dict.fromkeys(things)] != in_order and not (card or "x" in acts)
    unsaid = _BEGUN if not verbs and acts else 0
    stops, named = 0.0, bool(mentions[0].thing)
    for each in mentions[1:]:
        if each.parted:
            stops += _SLIGHT if each.softly else _BEGUN if each.verbs and named else _PARTED
        named |= bool(each.thing)
    more = (_AGAIN if card else _PARTED) * again.total() + _AGAIN / 2 * unsaid_again
    more += _LITTLE * idle
    return more + _WRONG * wrong + _SLIGHT * turned + unsaid + stops, missing * _MISSING
