"""What takes an order back, or makes it depend on something: words of negation, correction,
condition, doubt, of another time or another match. Knows no game.

Only what is known to be harmless is passed over: a line that holds such a word is asked about.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from itertools import chain
from typing import Final

from pbem.intake.words import (
    Lexicon,
    begun,
    by_language,
    deeds,
    expression,
    lexicon,
    phrases,
    pieces,
    tokens,
)

_KINDS: Final = ("not", "back", "if", "perhaps", "later", "other")
_MARKS: Final = ("counts", "yours", "thing", "that", "this", "elsewhere")
"""The kinds of words that show what a sentence is about."""

_SIGN: Final = "(<sign>)"  # one that says no
_EMOJI: Final = re.compile(
    r"[\u21a9\u21aa\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]"
)
# Other signs may cross out, turn back or make fun. Skin, sex and kind of a sign change nothing.
_FRIENDLY: Final = frozenset(
    "👍👋👏🙌🤝💪🙏✌🤞🙂😊😀😃😄😁😆😉😎😅😇🥳🤗😈❤♥💙💚💛🎉🎊✨⭐🌟🔥🍀🍻🍺🍷☕🌴🌺🌸🌊🏝🏖☀🌋🌉🐙🐬🎲🃏🎯🏆✅✔✓☑➡"
    "🔴🔵🟢🟡🟣🟠⚪⚫🏻🏼🏽🏾🏿♀♂"
)
_ELISION: Final = re.compile(r"(?:[cdjlmnst]|qu)'(?=\w)")  # j'annule
_BEGINS: Final = re.compile(r"(?<=[.!?:])\s")
_WRITTEN: Final = re.compile(r"[\w']+")
# "A-U" holds no "or", and "où" is none: its accent is lost when it is folded.
_NO_OR: Final = re.compile(
    r"(?<=\w-)[A-Z](?!\w)|(?<!\w)(?:[A-Z](?=-\w)|où(?!\w))|(?<=\s)O(?![\w'\u2019]|\s+[A-Z])"
)
_CLAUSE: Final = re.compile(r"[,;()]|\s[^\w\s]\s")
_NEITHER: Final = frozenset[str](), frozenset[str]()
_FEW: Final = 5  # words
_LONGEST: Final = 10_000  # characters; no order is that long
_LONGEST_REMARK: Final = 3  # words of one that needs no subject: "not final"


def caveat(text: str, sentence: str = "") -> str:
    """The first words of a text that may take an order back or restrict it; "" for none. What is
    left of a `sentence` is in that one's language."""
    return next((said for _, said, _ in _found(_words(text), _words(sentence))), "")


def points(text: str) -> str:
    """The words with which a text points at what stands beside it, "this one"; "" for none."""
    return _marks(_words(text)).get("this", "")


def of_the_order(text: str) -> str:
    """The first words of a text that may speak of an order or its mail, be it as "it"; "" for
    none."""
    marks = _marks(_words(text))
    return next((marks[kind] for kind in ("this", "thing", "counts", "that") if kind in marks), "")


def of_a_move(text: str) -> bool:
    """Does a text speak of its writer's move or mail?"""
    marks = _marks(_words(text))
    return "thing" in marks and "yours" not in marks


def of_others(text: str) -> bool:
    """Does a text say that something is the reader's or another's: "that bridge of yours"?"""
    return "yours" in _marks(_words(text))


def long_caveats(text: str) -> list[str]:
    """The caveats of more than one word, which may hold words for what is done in a game."""
    return [said for _, said, _ in _found(_words(text)) if " " in said]


def caveats_but(text: str, kinds: str, sentence: str = "") -> bool:
    """Does the text, what is left of a `sentence`, hold a caveat of another kind than these?"""
    return any(each not in kinds.split() for each, _, _ in _found(_words(text), _words(sentence)))


def puts_off(text: str) -> bool:
    """Does a text make something depend on something, or leave it for later? "I have never played
    before" does not."""
    kinds = {kind for kind, _, _ in _found(_words(text))}
    return kinds == {"later"} or not kinds.isdisjoint(("if", "perhaps"))


def defers(text: str) -> bool:
    """Does a text leave its writer's move or mail for later: "I'll send my move when I'm home"?"""
    words = _words(text)
    kinds = {kind for kind, _, _ in _found(words)}
    return "later" in kinds <= {"later", "perhaps", "if"} and of_a_move(text)


def doubts(text: str) -> frozenset[tuple[str, ...]]:
    """The words of a text that leave a choice or deny something, such as "of" in Dutch, "no" in
    Spanish."""
    kinds = ("perhaps", "not")
    return frozenset(tuple(said.split()) for kind, said, _ in _found(_words(text)) if kind in kinds)


def retracts(text: str) -> bool:
    """Does the text take something back: "ignore my last mail"?"""
    return any(kind == "back" for kind, _, _ in _found(tokens(text[:_LONGEST])))


def is_caveat(text: str) -> bool:
    """Is the text a caveat and no more?"""
    return _known().kinds.get(_words(text), "harmless") != "harmless"


def takes_back(text: str) -> bool:
    """Does a text take something back, make it depend on something, or name another match? A "not",
    "perhaps" or "later" does in a few words, or in what may speak of the order. A question only
    gives the order to another match: "Is this for our other game?"."""
    words = _words(text)
    kinds = {kind for kind, _, _ in _found(words)}
    if text.rstrip().endswith("?"):
        return "other" in kinds and of_the_order(text) != ""
    plainly = len(words) <= _FEW or of_the_order(text) != ""
    return not kinds.isdisjoint(("back", "if", "other")) or (kinds != set() and plainly)


def disowns(text: str, *, signed: bool = False) -> str:
    """The words of a text to other players that take back the order or the mail it speaks of, or
    say that this does not count, or not yet: "this is not my final move"; or that plainly point at
    it: "the above", "this move". "" for none. What is `signed` may speak of its mail: "excuse typos
    in this message"."""
    for sentence in _BEGINS.split(text[:_LONGEST]):
        words = _words(sentence)
        marks = _marks(words)
        this, counts = marks.get("this", ""), "counts" in marks
        plainly = " " in this or (this and "thing" in marks and not signed)
        if plainly and not sentence.rstrip().endswith("?"):
            return this
        kinds = _KINDS if counts else ("back", "other")
        if this:
            kinds = _KINDS if _acts(words) else (*kinds, "if", "perhaps", "later")
        found = (said for kind, said, _ in _found(words) if kind in kinds)
        of_it = this or "that" in marks or ("thing" in marks and "yours" not in marks)
        short = counts and len(words) <= _LONGEST_REMARK
        if (of_it or short) and (said := next(found, "")):
            return said
    return ""


def revokes(line: str) -> str:
    """The same of a line below a signature, which is for everybody: there a few words also count
    that take something back or make it depend on something, but for a title: "Test Manager"."""
    words = _words(line)
    few = len(words) <= _FEW and not (len(words) > 1 and line.istitle())
    if not few or line.rstrip().endswith("?"):
        return disowns(line, signed=True)
    said = (said for kind, said, _ in _found(words) if kind != "not" or len(words) == 1)
    return next(said, "") or disowns(line, signed=True)


def untitled(subject: str) -> str:
    """A subject without what mails are often called: "my next move"."""
    return expression(r"(?<!\w)<title>(?!\w)", "caveats").sub(" ", subject[:_LONGEST]).strip()


def unsaid(text: str) -> str:
    """A text without the words in it that are caveats by themselves: "KAHU-COCO instead"."""
    return _WRITTEN.sub(lambda word: "" if caveat(word[0]) else word[0], text[:_LONGEST])


def asks_of_rules(sentence: str) -> bool:
    """Does a sentence ask what the rules say, maybe if something happens, without speaking of the
    order or to anybody: "How many cards may I hold?"?"""
    words = _words(sentence) if sentence.rstrip(" )\"'").endswith("?") else ()
    kinds = {kind for kind, _, _ in _found(words)}
    marks = _marks(words)
    if len(words) < _FEW or not kinds <= {"if", "not"} or {"this", "that", "thing"} & marks.keys():
        return False
    first, *others = (_words(clause) for clause in _CLAUSE.split(sentence))
    # "What happens if I pass", "If I pass, do I draw"
    clauses = [first, *(others if _found(first[:1]) else ())]
    asked = next(filter(None, map(_asking, clauses)), ())
    return asked != () and not _speaks_to(words).difference(asked)


def speaks_to_others(text: str) -> bool:
    """Does a text say "you" in its own language: "nimm du JOJO"? In French, "du" is no "you"."""
    return bool(_speaks_to(tokens(text[:_LONGEST])))


def tells_others(clause: str) -> bool:
    """Does a clause begin with what the reader does: "you take DUDA", "dann nimm du DUDA"? "Quito
    tu puente" does not."""
    words, then = tokens(clause[:_LONGEST]), phrases("courtesies", "then")
    first = [word for word in words if (word,) not in then][:2]
    yours, others = phrases("caveats", "yours"), _speaks_to(words).intersection(first)
    others = others.difference(word for word in first[1:] if (word,) in yours)
    return any((word,) in phrases("verbs", "you") for word in others)


def joining(text: str) -> frozenset[tuple[str, ...]]:
    """The words with which a text goes on, in its own language: "a" does in Czech, not in
    Spanish."""
    known, words = by_language("courtesies", "then"), tokens(text[:_LONGEST])
    return frozenset(chain.from_iterable(known.get(each, ()) for each in spoken_in(words)))


def _speaks_to(words: tuple[str, ...]) -> frozenset[str]:
    """The words of a text that say "you" in its language."""
    known, spoken = by_language("verbs", "you", "yours"), spoken_in(words)
    return frozenset(word for word in words if any((word,) in known.get(s, ()) for s in spoken))


def _asking(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words with which a clause begins to ask what the rules say; () if it does not."""
    words = words[words[:1] in phrases("courtesies", "then") :]
    return words[: begun(words, phrases("caveats", "asks"))]


def _acts(words: tuple[str, ...]) -> bool:
    """Does a text hold a word for what is done in a game?"""
    return any((word,) in phrases("verbs", *deeds()) for word in words)


def crossed(text: str) -> bool:
    """Does a sign in a text cross it out or doubt it? Games do not see signs."""
    return bool(expression(_SIGN, "caveats").search(text[:_LONGEST]))


def odd_signs(text: str) -> str:
    """The signs in a text that are not known to be friendly, such as ✋; games do not see signs."""
    return "".join(sign for sign in _EMOJI.findall(text) if sign not in _FRIENDLY)


def without_signs(text: str) -> str:
    """A text without the signs that are pictures."""
    return _EMOJI.sub("", text)


@lru_cache(maxsize=256)  # each question about a line asks it
def _words(text: str) -> tuple[str, ...]:
    """The words of a text, and the signs among them that say no."""
    said = expression(_SIGN, "caveats").split(_NO_OR.sub("", text[:_LONGEST]))
    return tuple(
        word for n, each in enumerate(said) for word in ((each,) if n % 2 else tokens(each))
    )


@lru_cache(maxsize=256)
def _found(
    words: tuple[str, ...], sentence: tuple[str, ...] = ()
) -> tuple[tuple[str, str, int], ...]:
    """Each caveat: its kind, its words, and how many words follow it."""
    return tuple(_each(words, sentence or words))


def _each(words: tuple[str, ...], sentence: tuple[str, ...]) -> Iterator[tuple[str, str, int]]:
    for at, end, known in _known().spans(words):
        phrase = words[at:end]
        goes_on = end < len(words) or phrase != sentence[-1:]
        foreign = known and goes_on and _foreign(phrase, sentence)
        kind = ("" if foreign else known) or _begun(words[at])
        if kind not in ("", "harmless"):
            yield kind, " ".join(phrase), len(words) - end


@lru_cache(maxsize=256)
def _marks(words: tuple[str, ...]) -> Mapping[str, str]:
    """The kinds of words that show what a sentence is about, in the language that has most of its
    words; each with the first phrase found."""
    found: dict[str, str] = {}
    for language in spoken_in(words):
        for at, end, kind in _telling()[language].spans(words):
            if kind:
                found.setdefault(kind, " ".join(words[at:end]))
    return found


def _foreign(phrase: tuple[str, ...], sentence: tuple[str, ...]) -> bool:
    """Is a word a caveat only in other languages than those of its sentence, and says little there,
    as "se" does in Czech?"""
    meant, little = _in_two().get(phrase[0], _NEITHER) if len(phrase) == 1 else _NEITHER
    spoken = spoken_in(sentence) if little else little
    return bool(spoken & little - meant and not spoken & meant)


@lru_cache(maxsize=256)
def spoken_in(words: tuple[str, ...]) -> frozenset[str]:
    """The language that has most of the words; all of them if several tie."""
    said = Counter(chain.from_iterable(_languages().get(word, ()) for word in words))
    most = max(said.values(), default=0)
    return frozenset(language for language, count in said.items() if count == most)


@cache
def _known() -> Lexicon:
    """The kind of each phrase; one that is harmless in one language may be a caveat in another."""
    words = lexicon("caveats", "harmless", *_KINDS).kinds
    return Lexicon.of(words | {(sign,): "not" for sign in pieces("sign", "caveats").split("|")})


@cache
def _telling() -> dict[str, Lexicon]:
    """The phrases of each language that show what a sentence is about."""
    said = {kind: by_language("caveats", kind) for kind in _MARKS}
    return {
        language: Lexicon.of({phrase: kind for kind in _MARKS for phrase in said[kind][language]})
        for language in by_language("caveats")
    }


@cache
def _languages() -> dict[str, frozenset[str]]:
    """The languages that have a word."""
    found: dict[str, set[str]] = {}
    for file in ("little", "caveats", "choices", "courtesies", "verbs"):
        for language, known in by_language(file).items():
            for word in chain.from_iterable(known):
                found.setdefault(word, set()).add(language)
    return {word: frozenset(languages) for word, languages in found.items()}


@cache
def _in_two() -> dict[str, tuple[frozenset[str], frozenset[str]]]:
    """The words that are caveats in some languages and say little in others, with both."""
    both = by_language("caveats", *_KINDS), by_language("little")
    words = {word for known in both[1].values() for (word,) in known}
    found = {
        word: [frozenset(each for each in some if (word,) in some[each]) for some in both]
        for word in words
    }
    return {word: (meant, little) for word, (meant, little) in found.items() if meant}


@lru_cache(maxsize=4096)
def _begun(word: str) -> str:
    """What a word means if it begins like a caveat, whatever its ending, or is one after "j'"."""
    bare = _ELISION.sub("", word, count=1)
    kind = _known().kinds.get((bare,), "") if bare != word else ""
    return kind or next((kind for kind, stems in _stems() if stems.match(word)), "")


@cache
def _stems() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Beginnings of words that count whatever their ending, by what they mean."""
    said = ((kind, phrases("caveats", f"{kind} begins")) for kind in _KINDS)
    found = ((kind, "|".join(word for phrase in some for word in phrase)) for kind, some in said)
    return tuple((kind, re.compile(stems)) for kind, stems in found if stems)
