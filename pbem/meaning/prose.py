"""What a text in its writer's own words says beside moves: whether any of it must not be left out,
what it says is not done, and whether it explains every word of the moves that it names.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from itertools import chain
from typing import Final

from pbem.core import Seat
from pbem.intake.caveats import (
    caveat,
    caveats_but,
    crossed,
    defers,
    joining,
    of_others,
    of_the_order,
    speaks_to_others,
    takes_back,
)
from pbem.intake.courtesy import courtesy, is_name, opens
from pbem.intake.verbs import NO
from pbem.intake.words import fields, phrases, tokens
from pbem.log.match import Replay
from pbem.meaning import hints
from pbem.meaning.chatter import is_everyday
from pbem.meaning.fitting import UNSAID, Fitting, Wording
from pbem.meaning.hints import SENTENCE, Lines
from pbem.meaning.mentions import (
    DENIAL,
    MODIFIERS,
    NOTHING,
    Mention,
    besides,
    is_called,
    restricted,
    verb_phrases,
)
from pbem.meaning.patterns import seated

_MOST_MENTIONS: Final = 24
_FEW: Final = 2  # words of a line that may be half an order in a language nobody here knows
_FEW_WORDS: Final = 5  # of a clause that says no
_LATER: Final = "later not if perhaps"
_MOVING: Final = UNSAID | {"move"}  # the verbs for a move of any kind
_STOP: Final = re.compile(r"[.,;:!?\n]")
_CLAUSE: Final = re.compile(r"((?<=\w)[.,;:!?](?=\s|$)|\n)")


class Prose:
    """Lines in their writer's own words, as far as a seat knows what they name. `apart` are the
    numbers of the lines whose paragraph holds no move.

    legal   what the seat may do
    plain   whether they hold moves, and nothing else that must not be left out
    denied  the verbs for what the lines say is not done
    is_put_off  whether they say that their writer plays later, and hold no move as it is written
    defers  whether a sentence of them says so of a move
    may_decline  whether the seat is asked what it may answer with "no"
    """

    def __init__(
        self,
        match: Replay,
        seat: Seat,
        lines: Lines,
        apart: Collection[int],
        *,
        fenced: bool = False,
    ) -> None:
        self.legal = Fitting(match, seat)
        self.denied = set[str]()
        sentences = sum(len(SENTENCE.split(line.text)) for line, _ in lines)
        self.may_decline = NO in hints.answers_to_question(match, seat)
        self.several = sentences > 1 and not fenced  # a fence holds no prose
        self.plain = self._is_plain(lines, apart)
        told = [*chain(*(SENTENCE.split(line.text) for line, _ in lines))]
        self.is_put_off = not any(moves for _, moves in lines) and any(map(self._puts_off, told))
        self.defers = any(map(defers, told))

    def declined(self, text: str) -> str:
        """A text without what it says of others, and with a mark for what it says is not done:
        "Thanks, dolphin, but no lift"."""
        parts = [*_CLAUSE.split(seated(self.legal.match, text)), ""]
        told = zip(parts[::2], parts[1::2], strict=True)
        alone = [e for e, stop in told if stop != "?" and self.may_decline and self._is_needless(e)]
        noes = [each for each in parts if alone and self._only_denies(each)]
        if noes:
            self.denied.update(self.legal.vocabulary.needless)
            parts = [DENIAL if e in noes else "" if e in alone else e for e in parts]
        return "".join(map(self._clause, parts))

    def _is_needless(self, clause: str) -> bool:
        """Does a clause name what need not be done, and no more: "dolphin"?"""
        said, needless = self.legal.vocabulary.mentions(clause), self.legal.vocabulary.needless
        all_needless = said and all(each.verbs and each.verbs <= needless for each in said)
        return bool(all_needless) and not [*besides(clause, said)]

    def _only_denies(self, clause: str) -> bool:
        """Does a clause say no in a few words, and name nothing: "but no lift today"?"""
        said = [m for m in self.legal.vocabulary.mentions(clause) if m.verbs != {"no"}]
        few = len(tokens(clause)) <= _FEW_WORDS and not said
        return few and caveat(clause) != "" and not caveats_but(clause, "not")

    def without_reasons(self, text: str) -> str:
        """A text without the clauses that give a reason or make fun, and name nothing of the game:
        "which should make the island mine". Behind its last sentence that names something, all
        stays: "My cat walked over the keyboard"."""
        sentences = SENTENCE.split(text)
        names = (bool([*self.legal.vocabulary.mentions(each)]) for each in sentences)
        last = max((n for n, named in enumerate(names) if named), default=0)
        less = map(self._without_reasons, sentences[: last + 1])
        return " ".join([*less, *sentences[last + 1 :]])

    def _without_reasons(self, sentence: str) -> str:
        parts = [*_CLAUSE.split(sentence), ""]
        pairs = zip(parts[::2], parts[1::2], strict=True)
        return "".join(stop if self._is_reason(each, stop) else each + stop for each, stop in pairs)

    def _is_reason(self, clause: str, stop: str) -> bool:
        said, words = seated(self.legal.match, clause), tokens(clause)
        names = {*tokens(" ".join(self.legal.match.players.values()))}
        if len(words) <= _FEW or stop == "?" or courtesy(clause) or not names.isdisjoint(words):
            return False
        if any(each.verbs or not each.little for each in self.legal.vocabulary.mentions(said)):
            return False
        restricts = takes_back(clause) or caveats_but(clause, "not perhaps") or crossed(clause)
        restricts = restricts or of_the_order(clause) != ""
        others = speaks_to_others(clause) or of_others(clause) or self.legal.is_others(said)
        return not (restricts or others)

    def _is_plain(self, lines: Lines, apart: Collection[int]) -> bool:
        mentions, naming = list[Mention](), list[str]()
        unread = [line for line, patterns in lines if not patterns]
        if any("|" in line.text for line, _ in lines):  # it may part moves, or leave a choice
            return False
        for line in unread:
            for text in self._sentences(line.text):
                found = self._mentioned(text, line.number in apart)
                if found is None:
                    return False
                naming += [text] if found else []
                mentions += found
        read = len(unread) < len(lines)
        names = read or any(each.thing and not each.little for each in mentions)
        told = not (names or (self.may_decline and self.denied)) and self._tells(naming)
        return (read or mentions != []) and not told and len(mentions) <= _MOST_MENTIONS

    def _puts_off(self, sentence: str) -> bool:
        """Does a sentence say that its writer plays later, "I'll move tonight", and no more?"""
        later = caveats_but(sentence, "not if perhaps") and not caveats_but(sentence, _LATER)
        said = [each for each in self.legal.vocabulary.mentions(sentence) if not each.little]
        known = phrases("verbs", *_MOVING)
        moves = any((word,) in known for word in tokens(sentence))
        return later and moves and all(each.verbs & (_MOVING | {"no"}) for each in said)

    def _tells(self, naming: Sequence[str]) -> bool:
        """Do sentences with a single verb of the game, such as "pass", tell something else?"""
        texts = [seated(self.legal.match, text) for text in naming]
        said = (e for text in texts for e in self.legal.vocabulary.mentions(text))
        verbs = {frozenset(each.verbs - {"no"}) for each in said} - {frozenset()}
        return len(verbs) == 1 and any(map(self._says_more, texts))

    def _sentences(self, text: str) -> list[str]:
        """The sentences of a line before it names a thing, and the rest of it as one; a sentence of
        a few words goes with the next, and courtesies are left out."""
        found: list[str] = []
        names = False
        for each in filter(self._says_something, SENTENCE.split(text)):
            if found and (names or len(tokens(found[-1])) <= _FEW):
                found[-1] = f"{found[-1]} {each}"
            else:
                found.append(each)
            said = self.legal.vocabulary.mentions(found[-1])
            names = names or any(each.thing and not each.little for each in said)
        return found

    def _says_something(self, sentence: str) -> bool:
        if any(each.thing and not each.little for each in self.legal.vocabulary.mentions(sentence)):
            return True
        return not (courtesy(sentence) or is_everyday(self.legal.match, sentence))

    def _mentioned(self, written: str, apart: bool) -> list[Mention] | None:
        """The mentions in a sentence, whose paragraph may stand `apart` from all moves; None if it
        says something else that must not be left out."""
        text = self.declined(written)
        found, words = [*marked(text, self.legal.vocabulary.mentions(text))], tokens(text)
        if all(each.thing == NOTHING or each.little for each in found):
            found = []
        if found:
            # May the rest of it be left out, once what it names has been understood?
            unknown = sum(word not in _civil() for word in besides(text, found))
            names = any(each.thing and not each.little for each in found)
            acts = any(each.verbs and not each.verbs & UNSAID for each in found)
            told = names and not acts and (of_others(written) or opens(written, 2))
            if "?" in text or told or (names and unknown > max(_FEW, len(found))):
                return None
        elif not apart and len(words) <= _FEW and text.strip():
            return None
        if found and all(each.verbs == {"no"} for each in found):
            return None  # nothing is denied but what another sentence says
        idle = self.several and all(not each.thing or each.little for each in found)
        others = speaks_to_others(text)
        prose = idle and len(words) > _FEW and DENIAL not in text
        # A "no" in what may be left out denies nothing that is named there.
        if restricted(written, text, [m for m in found if not (prose and m.verbs == {"no"})]):
            return None
        if prose and others:
            return []  # what others do
        return found

    def _says_more(self, sentence: str) -> bool:
        """Does a sentence whose verbs name nothing they are done with, "pass" or "draw", say what
        they may be done with all the same ("pass me the rules"), what others do ("Ben drew"), or
        more than a word beside them: "grandma died"?"""
        for clause in _CLAUSE.split(sentence):
            said = list(self.legal.vocabulary.mentions(clause))
            behind = clause[said[-1].end :] if said else ""
            unknown = {word for word in besides(clause, said) if word not in idle_words()}
            if self.legal.is_others(clause) or not unknown.isdisjoint(tokens(behind)):
                return True
            if not said and len(unknown) >= _FEW:
                return True
        return False

    def _clause(self, clause: str) -> str:
        """A mark for a possible pass, if a clause only says that something optional is not done:
        "nothing to build", "I pass on robbing", or just "no" when that is what it is asked; "" if
        it says nothing to play; else the clause."""
        vocabulary = self.legal.vocabulary
        thanks = phrases("requests", "grateful")
        words = tuple(word for word in tokens(clause) if (word,) not in thanks)
        if self.may_decline and words in phrases("requests", NO):
            self.denied.update(vocabulary.needless)
            return DENIAL
        said = [each for each in vocabulary.mentions(clause) if not each.little]
        verbs = [each.verbs for each in said if each.verbs and each.verbs != {"no"}]
        doubted, names = caveat(clause), any(each.thing for each in said)
        if names and not doubted and self.legal.is_others(clause):
            return ""  # "you take DUDA,"
        if said and not doubted and all(each.thing in vocabulary.absent for each in said):
            return ""  # "Sorry Cleo,"
        if said and not (verbs or doubted or names):
            return ""  # "not much I can do"
        done = [each for each in verbs if each <= vocabulary.needless]
        passed = done and any("pass" in each for each in verbs if each not in done)
        denied = doubted and not caveats_but(clause, "not") and done == verbs
        if verbs and (passed or denied) and not names:
            self.denied.update(*done)
            return DENIAL
        return clause


def marked(text: str, mentions: Iterable[Mention]) -> Iterator[Mention]:
    """The mentions of a text, each marked if it begins a clause with words of its own that nobody
    knows, or that say no: where a move is whole without it, it is none of its cards."""
    known, before = [*mentions], 0
    joins = joining(text)
    for nth, each in enumerate(known):
        words = tokens(_STOP.split(text[before : each.start])[-1])
        last = max((n for n, word in enumerate(words, 1) if (word,) in joins), default=0)
        behind = next((m.start for m in known[nth + 1 :] if m.parted), len(text))
        rest = [
            m._replace(start=m.start - each.end, end=m.end - each.end) for m in known[nth + 1 :]
        ]
        clause = _STOP.split(text[each.end : behind])[0]
        own = [*words[last:], *besides(clause, rest)]
        denied = caveat(" ".join(own), text) and not caveats_but(" ".join(own), "not")
        strange = {word for word in own if not caveat(word)} - idle_words()
        yield each._replace(told=bool(each.parted and each.thing and (denied or strange)))
        before = each.end


def is_told(mentions: Sequence[Mention]) -> bool:
    """Is the last of these mentions told something else of, and not one of those before it again:
    "I pay with Kahu"?"""
    return mentions[-1].told and all(each.thing != mentions[-1].thing for each in mentions[:-1])


@cache
def _civil() -> frozenset[str]:
    """Words around a move that say nothing."""
    kinds = ("greeting", "closing", "filler", "polite", "then", "order")
    said = phrases("courtesies", *kinds) | phrases("verbs", "between")
    return frozenset(word for phrase in said for word in phrase)


@cache
def idle_words() -> frozenset[str]:
    """The same, with the words that any sentence is made of."""
    said = phrases("little", "word") | phrases("choices", *fields("choices"))
    return _civil() | {word for phrase in said for word in phrase}


_CLAUSES: Final = re.compile(r"(?<=[.,!?:])\s+")
_MOST_CLAUSES: Final = 4  # of one courtesy: "Cheers, and good luck, Ana"
_LONGEST_PHRASE: Final = 6  # words
_OPEN: Final = re.compile(r"[^\w\s.,;:!'/+&-]|\.\.|(?<!\w)/|/(?!\w)|_")  # "A / B" may be a choice


def is_certain(legal: Fitting, lines: Lines, moves: Sequence[Wording]) -> bool:
    """Do these moves explain every word of the lines that cannot be read, and is each said with a
    verb that fits, if it is written with one?"""
    things = {thing for each in moves for thing in each.things}
    unread = [line.text for line, patterns in lines if not patterns]
    texts = (seated(legal.match, line.text) for line, _ in lines)
    verbs = (m.verbs for text in texts for m in legal.vocabulary.mentions(text) if m.verbs)
    return all(_explained(legal, text, things) for text in unread) and all(
        any(each & move.accepted for each in verbs)  # goes on after the last verb that fitted
        for move in moves
        if move.verbs - MODIFIERS
    )


def _explained(legal: Fitting, written: str, things: Collection[str]) -> bool:
    """Is every word of a line one of these things by its own name, a verb for what is to be done,
    or known to say nothing?"""
    written = _without_courtesies(legal, written)
    text = seated(legal.match, written)
    said = list(legal.vocabulary.mentions(text))
    if not said or _OPEN.search(text) or crossed(text) or speaks_to_others(written):
        return False
    if restricted(written, text, said):
        return False
    rest, at = "", 0
    for each in said:
        word = text[each.start : each.end]
        if each.little and each.thing not in ("", *things):
            continue
        if _may_tell(word) or "no" in each.verbs or not is_called(word, each.thing):
            return False
        rest, at = f"{rest}{text[at : each.start]}.", max(at, each.end)
    return all(map(_says_nothing, map(tokens, (rest + text[at:]).split("."))))


def _without_courtesies(legal: Fitting, text: str) -> str:
    """A line without the greeting before and the courtesies after it, if they name no thing."""
    own = legal.match.players.get(legal.seat, "")
    clauses = _CLAUSES.split(text)

    def is_civil(some: Sequence[str]) -> bool:
        said = " ".join(some)
        doubts = phrases("caveats", "if", "perhaps")  # "si tu veux, je construis"
        if any((word,) in doubts for word in tokens(said)):
            return False
        if any(each.thing and not each.little for each in legal.vocabulary.mentions(said)):
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


def _may_tell(said: str) -> bool:
    """Could these words tell what was done or is the case, and not what to do: "drew"? Or could
    they take something back?"""
    words = tokens(said)
    if any((word,) in phrases("verbs", "told") for word in words):
        return True
    polite = phrases("courtesies", "polite")
    phrase = tuple(word for word in words if (word,) not in polite)  # "ziehe ich nach"
    return caveat(said) != "" and (len(phrase) == 1 or phrase not in verb_phrases())


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
