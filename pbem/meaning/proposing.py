"""The best reading of a message that cannot be read as it stands: one a player can say yes to.

Every thing and every verb in the text must belong to a move, in the text's order; and nothing may
be left over that could take an order back.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache, cached_property
from typing import Any, Final

from pbem.core import Seat
from pbem.intake.caveats import caveat, caveats_but, crossed, joining, of_others, speaks_to_others
from pbem.intake.courtesy import courtesy, is_name, opens
from pbem.intake.verbs import NO
from pbem.intake.words import phrases, tokens
from pbem.log.match import Replay
from pbem.meaning import hints
from pbem.meaning.chatter import is_everyday, little_words
from pbem.meaning.fitting import LONGEST_BLOCK, MOST_STEPS, UNSAID, Fitting, Wording
from pbem.meaning.hints import SENTENCE, Lines, MoveTexts
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
from pbem.play import judge

MOST_READINGS: Final = 2
"""How many readings are offered at most; if there are more, none are."""

_LONGEST: Final = 1_500  # characters of all lines that are looked through
_MOST_MENTIONS: Final = 24
_ONE_MOVE: Final = 2  # mentions: a verb and a thing
_PROSE: Final = 6  # words of a line that may be left out, verbs and all
_LEFT_OUT: Final = 5  # how forced a reading is that leaves it out
_FEW: Final = 2  # words of a line that may be half an order in a language nobody here knows
_SHORT: Final = 3  # letters of a word that may be a code
_STOP: Final = re.compile(r"[.,;:!?\n]")
_CLAUSE: Final = re.compile(r"((?<=\w)[.,;:!?](?=\s|$)|\n)")

Piece = Mention | judge.Order
"""What lines are made of: a mention, or the order of a line that can be read."""


class Search:
    """The search for what lines mean at a position, as far as a seat knows it. `apart` are the
    numbers of the lines whose paragraph holds no move.

    legal   what the seat may do
    pieces  what the lines are made of; none if one says something else that must not be left out
    naming  the texts that the pieces stand in
    denied  the verbs for what the lines say is not done
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
        unread = sum(len(line.text) for line, patterns in lines if not patterns)
        self.lines: Lines = lines if unread <= _LONGEST else ()
        self.naming, self.denied = list[str](), set[str]()
        sentences = sum(len(SENTENCE.split(line.text)) for line, _ in self.lines)
        self.may_decline = NO in hints.answers_to_question(match, seat)
        self.several = sentences > 1 and not fenced  # a fence holds no prose
        self.pieces = self._taken_apart(apart)
        self.legal.among = len(self.pieces) > _ONE_MOVE

    def proposals(self) -> tuple[MoveTexts, ...]:
        """The one or two readings of the lines; () if nothing is near enough."""
        if any("|" in line.text for line, _ in self.lines):
            return ()  # it may part moves, or leave a choice
        best = self._readings(min(self._costs.values(), default=0))
        if 0 < len(best) <= MOST_READINGS and not self.unplaced(best):
            return best
        return ()

    def unplaced(self, readings: Sequence[MoveTexts]) -> tuple[str, ...]:
        """The names of things, and the codes of moves, in lines that cannot be read which stand in
        none of these readings. What somebody else does is not looked at."""
        match = self.legal.now
        known = {thing for texts in readings for text in texts for thing in Wording.of(text).things}
        left = list[str]()
        for line, patterns in self.lines:
            text = "" if patterns else seated(match, line.text)
            for clause in _CLAUSE.split(text):
                if courtesy(clause) or self.legal.is_others(clause):
                    continue
                said = list(self.legal.vocabulary.mentions(clause))
                left += [
                    clause[each.start : each.end]
                    for each in said
                    if each.thing not in ("", *known, *self.legal.vocabulary.absent)
                    and not each.little
                ]
                alone = [] if said else [word for word in tokens(clause) if len(word) <= _SHORT]
                left += alone if len(alone) == 1 and little_words().isdisjoint(alone) else []
        return tuple(left)

    def certain(self) -> MoveTexts:
        """The one reading of the lines if it explains every word and every move has its verb, so
        that nobody need be asked; () if anything is left open."""
        readings = self._readings(0)
        if len(readings) != 1 or self.denied:
            return ()
        moves = [Wording.of(text) for text in readings[0]]
        return readings[0] if is_certain(self.legal, self.lines, moves) else ()

    def declined(self, text: str) -> str:
        """A text without what it says of others, and with a mark for what it says is not done."""
        return "".join(map(self._clause, _CLAUSE.split(seated(self.legal.now, text))))

    # ------------------------------------------------------------------------- the readings

    @cached_property
    def _costs(self) -> dict[MoveTexts, int]:
        """Each reading of the lines, and how forced it is; {} if the search takes too long."""
        self.legal.left, found = MOST_STEPS, dict[MoveTexts, int]()
        for cost, reading in self._orders(self.legal.now.state, 0) if self.pieces else ():
            done = {verb for text in reading for verb in Wording.of(text).accepted}
            if reading and not done & self.denied and cost < found.get(reading, cost + 1):
                found[reading] = cost
        return found if self.legal.left > 0 else {}

    def _readings(self, cost: int) -> tuple[MoveTexts, ...]:
        return tuple(reading for reading, each in self._costs.items() if each == cost)

    def _orders(self, state: Any, at: int) -> Iterator[tuple[int, MoveTexts]]:
        """The orders that the pieces from here on can mean in a state, and how forced each is."""
        self.legal.left -= 1
        said = self.mentions_at(at)
        if self.legal.left < 0:
            return
        if at == len(self.pieces):
            yield 0, ()
        elif not isinstance(first := self.pieces[at], Mention):
            yield from self._written(state, first, at + 1)
        elif all(each.little for each in said):
            yield from self._orders(state, at + len(said))
        else:
            if said[0].prose:
                for cost, reading in self._orders(state, at + said[0].prose):
                    # "Nothing to build" is more easily left out than "I'll just draw a card".
                    yield cost + _LEFT_OUT + (said[0].verbs != {"pass"}), reading
            for size in range(1, min(len(said), LONGEST_BLOCK) + 1):
                if size < len(said) and said[size].glued:
                    continue
                ends = [each for each in said[1:size] if each.parted and not each.softly]
                if self._has_ended(state, said[:size], ends):
                    break
                forced = len(ends)
                forced += size < len(said) and not said[size].parted
                for wording, strain in self.legal.fitting(state, said[:size]):
                    after = self.legal.after(state, wording)
                    for cost, reading in self._orders(after, at + size):
                        yield cost + forced + strain, (wording.text, *reading)

    def _has_ended(self, state: Any, said: Sequence[Mention], ends: Sequence[Mention]) -> bool:
        """Is a move whole before the last of these mentions, "KG with Kahu, and take a card"?"""
        whole = is_told(said) and self.legal.fitting(state, said[:-1])
        return bool(whole) or any(each.verbs - UNSAID for each in ends)

    def _written(self, state: Any, order: judge.Order, at: int) -> Iterator[tuple[int, MoveTexts]]:
        """The same if an order that can be read as it is stands before them."""
        game, later = self.legal.now.game, self.pieces[at:]
        verdict = judge.adjudicate(game, state, self.legal.seat, order)
        if isinstance(verdict, judge.Rejected):
            return
        played = judge.texts(game, verdict.steps)
        if not verdict.unplayed:
            for cost, reading in self._orders(verdict.state, at):
                yield cost, (*played, *reading)
        # What lies beyond the horizon must be written in full.
        elif len(orders := [each for each in later if not isinstance(each, Mention)]) == len(later):
            unplayed = (each.said for some in (verdict.unplayed, *orders) for each in some)
            yield 0, (*played, *unplayed)

    def mentions_at(self, at: int) -> list[Mention]:
        """The mentions from a piece on, up to the next line that can be read."""
        found = list[Mention]()
        for each in self.pieces[at:]:
            if not isinstance(each, Mention):
                break
            found.append(each)
        return found

    # -------------------------------------------------------------------------- the pieces

    def _taken_apart(self, apart: Collection[int]) -> list[Piece]:
        """The moves of each line that can be read, and the mentions of the others."""
        pieces = list[Piece]()
        for line, patterns in self.lines:
            for text in [line.text] if patterns else self._sentences(line.text):
                found = [patterns] if patterns else self._mentioned(text, line.number in apart)
                if found is None:
                    return []
                self.naming += [text] if found else []
                pieces += found
        mentions = [each for each in pieces if isinstance(each, Mention)]
        names = len(mentions) < len(pieces) or any(e.thing and not e.little for e in mentions)
        declined = self.may_decline and self.denied
        told = not (names or declined) and self._tells()
        return [] if told or len(mentions) > _MOST_MENTIONS else pieces

    def _tells(self) -> bool:
        """Do sentences with a single verb of the game, such as "pass", tell something else?"""
        texts = [seated(self.legal.now, text) for text in self.naming]
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
        return not (courtesy(sentence) or is_everyday(self.legal.now, sentence))

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
        idle = self.several and all(not each.thing or each.little for each in found)
        others = speaks_to_others(text)
        prose = idle and len(words) > _FEW and DENIAL not in text
        # A "no" in what may be left out denies nothing that is named there.
        if restricted(written, text, [m for m in found if not (prose and m.verbs == {"no"})]):
            return None
        if prose and others:
            return []  # what others do
        if found:
            joined = words[:1] in phrases("courtesies", "then")  # "und dann ziehe ich" goes on
            left_out = len(found) if prose and not joined else found[0].prose
            found[0] = found[0]._replace(parted=True, prose=left_out)
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
        if self.may_decline and tokens(clause) in phrases("requests", NO):
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


def marked(text: str, said: Iterable[Mention]) -> Iterator[Mention]:
    """The mentions of a text, each marked if it begins a clause with words of its own that nobody
    knows, or that say no: where a move is whole without it, it is none of its cards."""
    known, before = [*said], 0
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


def is_told(said: Sequence[Mention]) -> bool:
    """Is the last of these mentions told something else of, and not one of those before it again:
    "I pay with Kahu"?"""
    return said[-1].told and all(each.thing != said[-1].thing for each in said[:-1])


@cache
def _civil() -> frozenset[str]:
    """Words around a move that say nothing."""
    kinds = ("greeting", "closing", "filler", "polite", "then", "order")
    said = phrases("courtesies", *kinds) | phrases("verbs", "between")
    return frozenset(word for phrase in said for word in phrase)


@cache
def idle_words() -> frozenset[str]:
    """The same, with the words that any sentence is made of."""
    return _civil() | {word for phrase in phrases("little", "word") for word in phrase}


_CLAUSES: Final = re.compile(r"(?<=[.,!?:])\s+")
_MOST_CLAUSES: Final = 4  # of one courtesy: "Cheers, and good luck, Ana"
_LONGEST_PHRASE: Final = 6  # words
_OPEN: Final = re.compile(r"[^\w\s.,;:!'/+&-]|\.\.|(?<!\w)/|/(?!\w)|_")  # "A / B" may be a choice


def is_certain(legal: Fitting, lines: Lines, moves: Sequence[Wording]) -> bool:
    """Do these moves explain every word of the lines that cannot be read, and is each said with a
    verb that fits, if it is written with one?"""
    things = {thing for each in moves for thing in each.things}
    unread = [line.text for line, patterns in lines if not patterns]
    texts = (seated(legal.now, line.text) for line, _ in lines)
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
    text = seated(legal.now, written)
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
    own = legal.now.players.get(legal.seat, "")
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
