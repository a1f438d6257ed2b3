"""What a text mentions: the verbs and the things of a game, one after another, in any language.

One grammar serves all games: each only gives the words it has. A thing may have an ending or a slip
or be a number; a verb may be several words, or stand in two places.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain
from typing import Final, NamedTuple

from pbem.core import Seat
from pbem.intake.caveats import caveat, doubts, joining, long_caveats, points, spoken_in
from pbem.intake.words import by_language, deeds, fields, phrases, tokens
from pbem.log.match import Replay
from pbem.meaning.chatter import as_code, little_words
from pbem.meaning.patterns import called
from pbem.rules.reading import fold, near

NOTHING: Final = "?"
"""A thing that no move has."""
DENIAL: Final = "\0"
"""Stands for a clause that may be a pass, "nothing to build"."""
CARD: Final = frozenset({"take", "draw"})
"""The verbs for what is done with a card that is named and no more."""
MODIFIERS: Final = frozenset({"no", "turned", "hidden"})
"""Words beside a verb that make it another move."""

_TOKEN: Final = re.compile(r"[^\W\d_]+|\d+|\n|[^\w\s]|_")
_RUN: Final = re.compile(r"[^\W_]+(?:[-+>'][^\W_]+)*|\n|[^\w\s]|_")
_WHOLE: Final = re.compile(r"[^\W_]+(?:'[^\W_]+)+|" + _TOKEN.pattern)  # "won't" is no t
_WORD: Final = re.compile(r"[^\W\d_]+")
_NUMBERED: Final = re.compile(r"[ -]?\d")
_CODE: Final = re.compile(r"(?<![^\W_])([^\W_]+)[-+]([^\W_]+)(?![^\W_])")
_LONGEST_PHRASE: Final = 6  # words
_PAIR: Final = 2
_LETTERS: Final = 4  # that a name must have if it may stand with a slip or an ending
_ENDING: Final = 2  # letters
_BEGINS: Final = 3  # letters that show which long name is meant
_FARTHEST: Final = 24  # words and signs from a verb to the rest of it
_GLUE: Final = frozenset("-+/>=&")
_STOPS: Final = frozenset(".,;:!?\n")
_LITTLE: Final = frozenset("aieouy")
_LATIN: Final = str.maketrans("абвгдезийклмнопрстуфхыэ", "abvgdezijklmnoprstufhye")
_TIMES: Final = {"two": 2, "three": 3}
_THINGS: Final = frozenset("red blue green turquoise yellow white black octopus".split())
_DECLINING: Final = frozenset({"pass", "stay"})
_NONE: Final = frozenset[str]()


class Mention(NamedTuple):
    """A thing or a verb in a text, and where it stands.

    verbs    the verbs that the words may be
    thing    the thing they name, or "" for a verb
    glued    whether it clings to the mention before
    parted   whether something ends before it
    softly   whether what ends there goes on all the same: "Coco and Gola"
    little   whether it may be no mention at all
    counted  whether as many are meant as there are mentions: "both"
    told     whether something else is told of it: "and the Kane I keep"
    """

    verbs: frozenset[str]
    thing: str
    start: int
    end: int
    glued: bool = False
    parted: bool = False
    softly: bool = False
    little: bool = False
    counted: bool = False
    told: bool = False


class _Token(NamedTuple):
    """A word, a number or a sign, folded, and where it stands in the text."""

    said: str
    start: int
    end: int


class Vocabulary:
    """The words for what a seat may do in a match: `verbs`, and `things`, which are words of the
    game and whatever the legal moves name (`named`, move by move); a `loose` one knows their names
    by most of their letters, too: nothing is played for that. `needless` are the verbs for
    what need not be done; `absent` the players whom no move names, if moves name players.
    """

    def __init__(
        self, match: Replay, seat: Seat, named: Collection[Sequence[str]], *, loose: bool = False
    ) -> None:
        self.match = match
        said = {thing for things in named for thing in things}
        words: frozenset[str] = getattr(match.game, "WORDS", _NONE)
        others = {called(match, each) for each in match.setup.seats if each != seat}
        players = others if others & said else set[str]()
        self.absent = players - said
        known, self.own_verbs = _sorted_out(words)
        self.things = {word for word in known | players if len(word) > 1}
        self.things |= {thing for thing in said if not thing.isdigit()}
        self.letters = any(len(thing) == 1 and thing.isalpha() for thing in said)
        self.counts = any(thing.isdigit() for thing in said)
        self.named = said if loose else _NONE
        self.needless: frozenset[str] = getattr(match.game, "NEEDLESS", _NONE)
        self.verbs = (fields("verbs") & words) | MODIFIERS
        # Where cards have numbers and none is named twice, "two" is a number.
        if not self.counts or any(map(repeats, named)):
            self.verbs |= _TIMES.keys()
        self.mentions = cache(lambda text: (*self._mentions(text),))  # asked again and again

    def _mentions(self, text: str) -> Iterator[Mention]:
        """What a text mentions, in the text's order."""
        folded, said = _folded(text), [*self._tokens(text)]
        at, times, apart = 0, 1, dict[int, frozenset[str]]()
        glued = parted = softly = False
        joins = joining(text)
        # Who writes "KAHU-LALE" knows the names: "for Gala" behind it is hardly one with a slip.
        coded = any({fold(one), fold(two)} <= self.things for one, two in _CODE.findall(text))
        while at < len(said):
            word, start, end = said[at]
            # What joins one mention to the next, or parts them.
            if word in _GLUE:
                tight = folded[start - 1 : start].isalnum() and folded[end : end + 1].isalnum()
                glued, parted = (True, parted) if tight or word in "->" else (glued, True)
                at += 1
                continue
            if word == DENIAL and (declines := _DECLINING & self.verbs):
                yield Mention(declines, "", start, end, parted=True)
            island = self.letters and len(word) == 1 and text[start:end].isupper()
            then = (word,) in joins and not island
            if word in _STOPS or then:
                softly = (word,) in phrases("verbs", "between") and not (parted and not softly)
                parted, glued = True, False
                times = 1 if word in _STOPS else times
            # A verb of some words, or a part of one, or how often the next thing is meant.
            verbs, size = (apart[at], 1) if at in apart else self._verb(said, at)
            if size == 1 and (far := self._apart(said, at)):
                verbs = apart[far] = verb_phrases()[word, said[far].said] & self.verbs
            quantity = next((count for name, count in _TIMES.items() if name in verbs), 0)
            clings = self.counts and _clings(text, start, end)  # "Kane-Zwei"
            quantity = 0 if clings else quantity
            # Else a thing.
            number = self.counts and _number(word, text, clings=clings) and not quantity
            exact = not verbs or word in self.things or number
            named = size == 1 and exact and not _is_word(said, at, begins=parted or not at)
            thing = self._thing(word, text, start, end) if named else ""
            verbs -= _TIMES.keys()
            times = 1 if verbs else quantity or times  # "two bridges: …"
            if thing:
                verbs = _NONE
            elif size == 1 and not verbs and self._names_nothing(text, start, end):
                thing = NOTHING
            if verbs or thing:
                little = self._is_little(thing) or (thing.isdigit() and word.isalpha())
                slip = coded and thing.isalpha() and not is_called(text[start:end], thing)
                little |= at in apart or (slip and not _clings(text, start, end))
                size += 2 * (thing not in ("", NOTHING) and _has_ending(text, said[at : at + 3]))
                stop = said[at + size - 1].end
                for _ in range(times if thing else 1):
                    mention = Mention(verbs, thing, start, stop, glued, parted, little=little)
                    yield mention._replace(softly=softly and thing != "", counted=times > 1)
                times = 1 if thing else times
                parted = softly = False
            if word.isalnum():
                glued = False
            at += size

    def _tokens(self, text: str) -> Iterator[_Token]:
        """The words, numbers and signs of a text; what names several things at once, as a code or
        run together, word by word."""
        runs = [*_RUN.finditer(_folded(text))]
        signs = ["", *(run[0] for run in runs), ""]
        code: tuple[str, ...] = ()
        for at, run in enumerate(runs, 1):
            start, end = run.span()
            # "db, gj, il": what would be a little word elsewhere goes on a list of codes.
            listed = bool(code) and signs[at - 1] == "," and not signs[at + 1][:1].isalnum()
            named = self._named_at_once(text[start:end], listed=listed)
            code = named if run[0] != "," else code
            for nth, thing in enumerate(named):
                yield from [_Token("-", start, start)] if nth else []
                yield _Token(thing, start, end)
            for part in _TOKEN.finditer(run[0]) if not named else ():
                begins, ends = start + part.start(), start + part.end()
                yield _Token(fold(text[begins:ends]), begins, ends)

    def _named_at_once(self, written: str, *, listed: bool) -> tuple[str, ...]:
        """The things that a word names which is a move by itself, "bd", "K-G", or things run
        together, "KAHUGOLA"; () for any other."""
        word = fold(written)
        if len(word) >= 2 * _LETTERS and word.isalpha():
            halves = ((word[:at], word[at:]) for at in range(_LETTERS, len(word) - _LETTERS + 1))
            return next((both for both in halves if self.things.issuperset(both)), ())
        if self.letters and written.isupper() and self.named.issuperset(word):
            return tuple(word) if len(word) == _PAIR else ()
        letters = re.split("[-+>]", written)
        if len(letters) > 1 and (self.letters or max(map(len, letters)) > 1):
            return ()  # islands that are letters are mentioned one by one
        verbs, things = in_canonical(
            as_code(self.match, "".join(letters), listed=listed or ">" in written)
        )
        return things if (word,) not in verb_phrases() and not verbs else ()

    def _verb(self, said: Sequence[_Token], at: int) -> tuple[frozenset[str], int]:
        """The verbs that the longest phrase from here on may be, and its size in words. What says
        nothing may stand within it: "nehme danach eine Karte"."""
        between, idle = phrases("verbs", "between"), phrases("courtesies", "then", "polite")
        words = [each.said for each in said[at : at + _LONGEST_PHRASE]]
        if words[1:2] == [":"] and (words[0],) in phrases("verbs", "card"):  # "Card: Iffi"
            return CARD & self.verbs, 2
        if self.verbs >= CARD and (size := _of_no_card(words)):
            return frozenset({"pass"}) & self.verbs, size
        for size in range(len(words), 0, -1):
            first, *rest = words[:size]
            joined = first, *(word for word in rest if word != "-")
            if rest and rest[-1] != "-" and joined in between:  # "L-" is no article
                return _NONE, size
            less = [word for word in rest if (word,) not in idle]
            for phrase in (rest, less) if rest[-1:] == less[-1:] else (rest,):
                if found := verb_phrases().get((first, *phrase), _NONE) & self.verbs:
                    return found, size
        return self._with_slip(words[0]), 1

    def _with_slip(self, word: str) -> frozenset[str]:
        """The verbs that a word is with a letter too many or missing, or two swapped, if it says
        nothing else and is near to those of one move alone."""
        if len(word) < _LETTERS or word in self.things or word in little_words():
            return _NONE
        letters = Counter(word)
        close = (
            each
            for each in self.own_verbs
            if each[0] == word[0] and near(word, each) and _unlike(letters, Counter(each)) <= 1
        )
        found = {verb_phrases()[each,] & self.verbs for each in close}
        return found.pop() if len(found) == 1 else _NONE

    def _apart(self, said: Sequence[_Token], at: int) -> int:
        """Where the second part of the verb that begins here stands, behind what it is done with:
        "nehme … weg"; 0 if it has none."""
        verb, known, joins = said[at].said, phrases("verbs", "apart"), phrases("courtesies", "then")
        if verb not in _separable():
            return 0
        ended = False
        for n in range(at + 1, min(at + _FARTHEST, len(said))):
            word = said[n].said
            after = said[n + 1].said if n + 1 < len(said) else "."
            ends = after in _STOPS or (after,) in joins
            if ends and (word,) in known and verb_phrases().get((verb, word), _NONE) & self.verbs:
                return n
            if word in _STOPS - {","} or (
                ended and verb_phrases().get((word,), _NONE) & self.verbs
            ):
                return 0
            ended = word in _STOPS or (word,) in joins
        return 0

    def _thing(self, word: str, text: str, start: int, end: int) -> str:
        """The thing a word names in any language, maybe with an ending or a slip; "" for none."""
        if word.isdigit():
            return word.lstrip("0") or "0"
        clings = _clings(text, start, end)
        if self.counts and (number := _number(word, text, clings=clings)):
            return number
        if len(word) == 1:
            return word if text[start:end].isupper() else ""
        if found := [each for each in _thing_words().get(word, ()) if each in self.things]:
            return found[0]
        if (thing := _inflected(word, text)) in self.things or (self.counts and thing.isdigit()):
            return thing
        if (word := word.translate(_LATIN)) in self.things:
            return word
        if len(word) < _LETTERS - bool(self.named):
            return ""
        longer = [each for each in self.things if len(each) >= _LETTERS]
        ends = [each for each in longer if word.startswith(each) and _may_end(word[len(each) :])]
        slips = text[start].isupper() and word not in little_words()  # "Dudo" is no Duda
        slips |= clings
        close = ends or [each for each in self.named or longer if slips and near(word, each)]
        if self.named and slips and not close and (word,) not in verb_phrases():
            close = _closest(word, [each for each in self.named if len(each) >= _LETTERS])
        if not close and _NUMBERED.match(text, end) and word not in little_words():  # "turqesa 12"
            known = (k for w, k in _thing_words().items() if len(w) >= _LETTERS and near(word, w))
            close = sorted({*chain.from_iterable(known)} & {*self.named})
        return close[0] if len(close) == 1 else ""

    def _is_little(self, thing: str) -> bool:
        """Could this be no thing at all: an article, or a number while no legal move has any?"""
        if thing.isdigit():
            return not self.counts
        return len(thing) == 1 and thing.isalpha() and (thing in _LITTLE or not self.letters)

    def _names_nothing(self, text: str, start: int, end: int) -> bool:
        """Is this an unknown word that stands where a thing does: in capitals, or clinging to
        a thing or to a word in capitals? "Ce tour-ci" does not."""
        word = text[start:end]
        if len(word) < _LETTERS or (fold(word),) in phrases("verbs", "between"):
            return False
        before, behind = text[: start - 1].split()[-1:], text[end + 1 :].split()[:1]
        beside = _WORD.findall(" ".join((*before, *behind))) if _clings(text, start, end) else ()
        named = any(fold(each) in self.things or each[0].isupper() for each in (word, *beside))
        return word.isalpha() and (word.isupper() or (beside != () and named))


# --------------------------------------------------------------------- the words of all games


@lru_cache(maxsize=512)
def in_canonical(text: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """The verbs and the things of a move as a game writes it."""
    atoms = [found for found in _TOKEN.findall(fold(text)) if found.isalnum()]
    verbs = _verb_fields().intersection(atoms)
    things = (atom.lstrip("0") if atom.isdigit() else atom for atom in atoms if atom not in verbs)
    return verbs, tuple(things)


def repeats(things: Sequence[str]) -> bool:
    """Is one of these things, numbers aside, named more than once?"""
    names = [each for each in things if not each.isdigit()]
    return len(set(names)) < len(names)


def is_called(word: str, thing: str) -> bool:
    """Is this word a thing's name, maybe with an ending, or if thing is "" a verb, but without a
    slip?"""
    if not thing:
        known = verb_phrases().keys() | phrases("verbs", "apart", "card") | {()}
        return len(tokens(word)) > 1 or tokens(word) in known
    said = fold(re.split("[-:]", word, maxsplit=1)[0])
    if said.startswith(thing) and (said[len(thing) :],) in phrases("verbs", "ending"):
        return True
    return said in (thing, "") or said.isdigit() or thing in _thing_words().get(said, ())


def besides(text: str, mentions: Sequence[Mention]) -> Iterator[str]:
    """The words of a text that stand in no mention."""
    folded = _folded(text)
    for word in _TOKEN.finditer(folded):
        if word[0].isalnum() and not any(m.start <= word.start() < m.end for m in mentions):
            yield word[0]


def restricted(written: str, text: str, mentions: Sequence[Mention]) -> bool:
    """Is there a caveat in what a line says besides its mentions and the little words between them,
    or a longer one that takes in some of these: "this is for", "next move"? `written` is the line
    with players' names still in it. Some words are a caveat only just before a verb: "I couldn't
    build"; and a caveat about "this" is about the order: "don't take this for good"."""
    if points(written) and caveat(written):
        return True
    spans = [(each.start, each.end) for each in mentions if each.verbs or not each.little]
    verbs = {each.start for each in mentions if each.verbs}
    rest, named, at = "", set[str](), 0
    for start, end in sorted([*spans, *_little_words(text, mentions)] if spans else []):
        between = text[at:start]
        if (
            start in verbs
            and between[-2:-1].isalnum()
            and caveat("".join(tokens(between)[-1:]), written)
        ):
            return True
        named.update(tokens(text[start:end]))
        rest, at = f"{rest}{between} . ", max(at, end)
    return bool(caveat(rest + text[at:], written)) or any(
        not named.issuperset(phrase.split()) for phrase in long_caveats(written)
    )


def _little_words(text: str, mentions: Sequence[Mention]) -> Iterator[tuple[int, int]]:
    """Where the words stand that only join one mention to the next."""
    known = (phrases("verbs", "between") | phrases("courtesies", "then")) - doubts(text)
    starts, run = {each.start for each in mentions}, list[tuple[int, int]]()
    for found in _WHOLE.finditer(_folded(text), mentions[0].end, mentions[-1].end):
        if found.start() in starts:
            yield from run
            run = []
        elif (found.group(),) in known:
            run.append(found.span())
        elif found.group().isalnum():
            run = []


def _of_no_card(words: Sequence[str]) -> int:
    """How many of these words say that no card is taken, "no card", "pas de carte"; 0 if none."""
    if (words[0],) not in phrases("verbs", "no"):
        return 0
    joins, cards = phrases("verbs", "between"), phrases("verbs", "card")
    for size, word in enumerate(words[1:], 2):
        if (word,) in cards:
            return size
        if (word,) not in joins:
            return 0
    return 0


def _may_end(rest: str) -> bool:
    """May a name end like this: "Barira", "Baritól"?"""
    return len(rest) <= _ENDING or (rest,) in phrases("verbs", "ending")


def _is_word(said: Sequence[_Token], at: int, *, begins: bool) -> bool:
    """Is this letter a word before another one, and no thing: "I land", "J'ai", "A move"?"""
    letter, _, end = said[at]
    if at + 1 == len(said):
        return False
    behind, start, _ = said[at + 1]
    if start == end and behind == "'" and len(letter) == 1:
        return True
    if letter not in _LITTLE or start == end:
        return False
    then, joins = phrases("courtesies", "then"), phrases("verbs", "between")
    before = (said[at - 1].said,) if at else ()
    if letter == "i":
        begins = begins or not before or before not in joins | verb_phrases().keys()
    begins = begins and before not in joins - then
    return begins and len(behind) > 1 and behind.isalpha() and (behind,) not in joins | then


def _has_ending(text: str, said: Sequence[_Token]) -> bool:
    """Does an ending cling to the first of these words: "12-est", "Jojo:n"? If that is one letter,
    the ending must be longer: "A-e" names two islands."""
    if len(said) < 3 or said[1].said not in "-:":
        return False
    word, sign, ending = said
    return (
        (sign.start, ending.start) == (word.end, sign.end)
        and text[ending.start : ending.end].islower()
        and (len(word.said) > 1 or len(ending.said) > 1)
        and (ending.said,) in phrases("verbs", "ending")
    )


def _closest(word: str, names: Collection[str]) -> list[str]:
    """The one name with the letters of a word but one, or that begins like it."""
    same = [each for each in names if each[0] == word[0]]
    unlike = {each: _unlike(Counter(word), Counter(each)) for each in same}
    least = min(unlike.values(), default=_PAIR + 1)
    close = [each for each in same if unlike[each] == least <= _PAIR]
    begins = len(word) > _LETTERS
    return close or [each for each in same if begins and each[:_BEGINS] == word[:_BEGINS]]


@cache
def _sorted_out(words: frozenset[str]) -> tuple[frozenset[str], tuple[str, ...]]:
    """The words of a game that are no verbs, and those that are and are not short."""
    verbs = {word for word in words if (word,) in verb_phrases()}
    return words - verbs, tuple(word for word in verbs if len(word) >= _LETTERS)


def _clings(text: str, start: int, end: int) -> bool:
    """Does a word cling to another: "KAHU-Bary"?"""
    return not _GLUE.isdisjoint((text[start - 1 : start], text[end : end + 1]))


def _unlike(some: Counter[str], others: Counter[str]) -> int:
    """How many letters two words do not share."""
    return ((some - others) + (others - some)).total()


def _folded(text: str) -> str:
    """The text folded letter by letter, so that all keep their places."""
    return "".join(fold(char)[:1] or char for char in text)


@cache
def _verb_fields() -> frozenset[str]:
    """The fields of words that say what is done."""
    return frozenset(field for field in deeds() - _THINGS if not field.isdigit())


@cache
def verb_phrases() -> dict[tuple[str, ...], frozenset[str]]:
    """The verbs that each phrase may be: the fields it stands under."""
    found: dict[tuple[str, ...], set[str]] = {}
    for field in _verb_fields():
        for phrase in phrases("verbs", field):
            key = tuple(part for word in phrase for part in _TOKEN.findall(word))
            found.setdefault(key, set()).add(field)
    return {phrase: frozenset(verbs) for phrase, verbs in found.items()}


@cache
def _separable() -> frozenset[str]:
    """The verbs that have a second part, which may stand apart from them."""
    apart = phrases("verbs", "apart")
    return frozenset(p[0] for p in verb_phrases() if len(p) == 2 and p[1:] in apart)


@cache
def _thing_words() -> dict[str, tuple[str, ...]]:
    """The things and numbers that each word names, in any language."""
    found: dict[str, tuple[str, ...]] = {}
    for field in fields("verbs"):
        for phrase in phrases("verbs", field) if field in _THINGS or field.isdigit() else ():
            if len(phrase) == 1:
                found[phrase[0]] = (*found.get(phrase[0], ()), field)
    return found


def names_thing(word: str) -> bool:
    """Does a word name a thing or a number in some game?"""
    return fold(word) in _thing_words()


def _number(word: str, text: str, *, clings: bool) -> str:
    """The number that a word of a text stands for, one that says little elsewhere ("het") only in
    its own language, or where it clings to a name; "" for none."""
    known = [each for each in _thing_words().get(word, ()) if each.isdigit()]
    if clings or word not in little_words():
        return next(iter(known), "")
    spoken = spoken_in(tokens(text))
    own = (n for n in known for s in spoken if (word,) in by_language("verbs", n).get(s, ()))
    return next(own, "")


def _inflected(word: str, text: str) -> str:
    """The colour or number whose name in the language of a text this is with another ending,
    "niebieskiej", "négyessel"; "" for none."""
    if word in little_words() or (word,) in verb_phrases():
        return ""
    spoken = spoken_in(tokens(text))
    endings = frozenset[tuple[str, ...]]().union(
        *(by_language("verbs", "ending").get(each, ()) for each in spoken)
    )
    found = set[str]()
    for size in range(1, _ENDING + 2):
        stem, rest = word[:-size], word[-size:]
        doubled = stem[-1:] == rest[:1] and len(rest) > _ENDING
        if size == 1 or (rest,) in endings or doubled:
            found.update(thing for language, thing in _stems().get(stem, ()) if language in spoken)
    return found.pop() if len(found) == 1 else ""


@cache
def _stems() -> dict[str, set[tuple[str, str]]]:
    """The colours and numbers that words begin like, with and without their last letter, each with
    its language."""
    found: dict[str, set[tuple[str, str]]] = {}
    for field in (each for each in fields("verbs") if each in _THINGS or each.isdigit()):
        least = _LETTERS + field.isdigit()
        for language, known in by_language("verbs", field).items():
            for word in (phrase[0] for phrase in known if len(phrase) == 1):
                for stem in (each for each in (word, word[:-1]) if len(each) >= least):
                    found.setdefault(stem, set()).add((language, field))
    return found
