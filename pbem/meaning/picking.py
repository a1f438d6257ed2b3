"""An answer to a question of ours, fitted to what the question offered before it is read anew:
"the one with Kahu", "2, thank you", "I'll rob Ben, but take his Ku 5, not the Kane".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from pbem.core import Seat
from pbem.intake.caveats import caveat, caveats_but, crossed, speaks_to_others
from pbem.intake.courtesy import courtesy
from pbem.intake.phrasing import plainer
from pbem.intake.verbs import NO, YES
from pbem.intake.words import begun, phrases, tokens
from pbem.log.match import Replay
from pbem.meaning import hints
from pbem.meaning.choosing import by_place, by_size
from pbem.meaning.fitting import Fitting, Wording, as_known
from pbem.meaning.hints import LONGEST_LINE, MoveTexts
from pbem.meaning.mentions import NOTHING, Mention, besides
from pbem.meaning.patterns import seated
from pbem.meaning.prose import idle_words
from pbem.play import judge

Orders = tuple[MoveTexts, ...]

_STOP: Final = re.compile(r"([,.;:!?]+(?:\s+|\Z)|\s+[-\u2013]+\s+)")
_MOST: Final = 20  # words of an answer


class Picked(NamedTuple):
    """The `orders` that an answer leaves of those offered, the part of it that goes on with `more`
    than they hold, and whether the other part is `whole`, so that none of its words may mean
    anything else."""

    orders: Orders
    whole: bool
    more: str = ""


def asked_by_game(match: Replay, seat: Seat) -> Orders:
    """What a seat may answer if its game asks whether it does something that need not be done; ()
    if it asks anything else."""
    if not hints.answers_to_question(match, seat):
        return ()
    match = as_known(match, seat)
    legal = judge.legal_texts(match.game, match.state, seat, most=hints.MOST_CHOICES)
    return tuple((text,) for text in legal.texts)


def picked(legal: Fitting, text: str, offered: Orders) -> Picked | None:
    """What an answer picks of what was offered, clause by clause; None if it picks nothing, asks
    something back, or may depend on something."""
    text = seated(legal.match, text[:LONGEST_LINE])
    if len(tokens(text)) > _MOST or crossed(text) or speaks_to_others(text):
        return None
    clauses = [_Clause(legal, each, offered) for each in _stated(text)]
    if len({number for each in clauses for number in each.numbers}) > 1:
        return Picked(offered, False)
    left, whole, answers = offered, True, False
    known = _idle() | idle_words() if any(each.chooses for each in clauses) else _idle()
    for at, clause in enumerate(clauses):
        if clause.goes_on(left):
            rest = ", ".join(each.text for each in clauses[at:])
            return Picked(left, whole, rest) if answers else None
        if not (kept := clause.kept(left)):
            return None
        answers |= clause.agrees or clause.numbers != set() or kept != left
        left, whole = kept, whole and clause.is_whole(known)
    return Picked(left, whole) if answers else None


def _stated(text: str) -> list[str]:
    """The clauses of a text. A question that its writer answers is one with the yes behind it,
    "Dolphin? Of course", and says nothing before a no; [] if another is asked."""
    parts = [*_STOP.split(text.strip(" .!")), ""]
    found, asked = list[str](), ""
    for written, stop in zip(parts[::2], parts[1::2], strict=True):
        if not (words := tokens(written)):
            continue
        no = begun(words[:-1], phrases("requests", NO))
        thanks = begun(words[no:-1], phrases("requests", "grateful"))
        if no and thanks and not asked:  # "no thanks" denies nothing behind it
            found.append(words[0])
            written = " ".join(written.split()[no + thanks :])
        if asked and words not in phrases("requests", NO):
            fine = any(words[at:] in phrases("requests", "fine") for at in range(len(words)))
            if not (fine or _yes(words)):
                return []
            written = f"{asked} {YES if fine else written}"
        asked = written if "?" in stop else ""
        found += [] if asked else [written]
    return [] if asked else found


def _yes(words: tuple[str, ...]) -> set[str]:
    """The first and the last of some words, so far as they are a yes."""
    return {each for each in (*words[:1], *words[-1:]) if (each,) in phrases("requests", YES)}


class _Clause:
    """A clause of an answer: the `numbers` of what was offered, or else the `things` and `verbs` of
    moves it names; whether it `agrees`, `declines`, `denies` what it names, or may restrict it in
    any other way (`doubts`); and whether it `chooses` anything, a bare yes does not."""

    def __init__(self, legal: Fitting, text: str, offered: Orders) -> None:
        said = [each for each in legal.vocabulary.mentions(text) if each.thing != NOTHING]
        words, known = tokens(text), {str(nth): order for nth, order in enumerate(offered, 1)}
        self.text, self.offered, self.needless = text, offered, legal.vocabulary.needless
        things = {each.thing for each in said if each.thing and not each.little}
        self.numbers = known.keys() & words if things <= known.keys() else set[str]()
        self.things = things - self.numbers
        self.numbered = tuple(known[each] for each in sorted(self.numbers))
        self.verbs = [e.verbs for e in said if e.verbs and e.verbs != {"no"} and not e.little]
        yes = _yes(words)
        self.agrees, self.declines = yes != set(), words in phrases("requests", NO)
        written = plainer(_placed(text, said)).split()
        besides_yes = " ".join(word for word in written if not yes.issuperset(tokens(word)))  # "sì"
        self.denies = not self.declines and caveat(besides_yes) != ""
        self.doubts = self.denies and caveats_but(besides_yes, "not")
        self._rest = {*besides(text, said)} - self.numbers
        named = self.numbers or self.things or self.verbs
        self.chooses = bool(named) or len(by_place(text, by_size(text, offered))) < len(offered)

    def is_whole(self, known: frozenset[str]) -> bool:
        """Is no word of it left over but those that are known to say nothing?"""
        letters = {each for each in self.text.split() if len(each) == 1 and each.isupper()}
        return courtesy(self.text) != "" or (
            self._rest <= known
            and all(_undone(self.offered, verbs) != self.offered for verbs in self.verbs)
            and not (self.denies or letters - {"I"})  # "to A" may name an island
        )

    def goes_on(self, orders: Orders) -> bool:
        """Does it name, and not deny, what none of these orders holds?"""
        others = all(_undone(orders, verbs) == orders for verbs in self.verbs)
        acts = self.verbs != [] and self.things == set() and others
        named = self.things != set() and not self.holding(orders)
        return (named or acts) and (self.doubts or not self.denies)

    def holding(self, orders: Orders) -> Orders:
        """Those of these orders that hold all the things it names."""
        named = ({thing for text in each for thing in Wording.of(text).things} for each in orders)
        return tuple(each for each, held in zip(orders, named, strict=True) if self.things <= held)

    def kept(self, orders: Orders) -> Orders:
        """What it leaves of these orders; () if it rejects all, or may mean something else."""
        if self.doubts or (self.denies and self.numbers):
            return ()
        if self.declines:
            left = _undone(orders, self.needless)
            return left if left != self.offered else ()
        if self.denies and self.things:
            return tuple(each for each in orders if each not in self.holding(orders))
        if self.denies:
            return _undone(orders, frozenset().union(*self.verbs)) if self.verbs else ()
        left = self.holding(orders)
        if self.numbers:
            left = tuple(each for each in left if each in self.numbered)
        for verbs in [*self.verbs, *([self.needless] if self.agrees else [])]:
            undone = _undone(left, verbs)
            left = tuple(each for each in left if each not in undone) or left
        return tuple(by_place(self.text, by_size(self.text, left)))


def _placed(text: str, mentions: Sequence[Mention]) -> str:
    """A text without its verbs, of which one may hold a "no" of its own, "no dolphin"; and without
    the words just before its things that say where to, and elsewhere "later": "nach Lale"."""
    for each in reversed(mentions):
        before, _, last = text[: each.start].rstrip().rpartition(" ")
        joins = tokens(last) in phrases("verbs", "between") and not caveats_but(last, "later")
        if each.verbs and each.verbs != {"no"}:
            text = f"{text[: each.start]} {text[each.end :]}"
        elif each.thing and joins:
            text = f"{before} {text[each.start :]}"
    return text


def _undone(orders: Orders, verbs: frozenset[str]) -> Orders:
    """Those of these orders in which none of these verbs is done."""
    done = ({verb for text in each for verb in Wording.of(text).accepted} for each in orders)
    return tuple(each for each, some in zip(orders, done, strict=True) if some.isdisjoint(verbs))


@cache
def _idle() -> frozenset[str]:
    """The words that say nothing in an answer."""
    said = phrases("requests", YES, "fine", "grateful") | phrases("verbs", "between")
    said |= phrases("courtesies", "polite", "then", "order")
    return frozenset(word for phrase in said for word in phrase)
