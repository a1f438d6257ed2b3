"""Whether a reading in own words is beyond doubt: then it is played, and nobody is asked."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final

from pbem.desk.meaning import seated
from pbem.desk.own_words.fitting import Fitting, Wording
from pbem.desk.own_words.hints import Lines
from pbem.desk.own_words.mentions import MODIFIERS, is_called, restricted, verb_phrases
from pbem.intake.caveats import caveat, crossed
from pbem.intake.courtesy import courtesy, is_name
from pbem.intake.words import phrases, tokens

_CLAUSES: Final = re.compile(r"(?<=[.,!?:])\s+")
_MOST_CLAUSES: Final = 4  # of one courtesy: "Cheers, and good luck, Ana"
_LONGEST_PHRASE: Final = 6  # words
_OPEN: Final = re.compile(r"[^\w\s.,;:!'/+&-]|\.\.|(?<!\w)/|/(?!\w)|_")  # "A / B" may be a choice


def is_certain(legal: Fitting, lines: Lines, moves: Sequence[Wording]) -> bool:
    """Is every word of the lines that cannot be read explained by these moves, and each move said
    with a verb that fits, where it is written with one?"""
    things = {thing for each in moves for thing in each.things}
    unread = [line.text for line, patterns in lines if not patterns]
    texts = (seated(legal.now, line.text) for line, _ in lines)
    verbs = (m.verbs for text in texts for m in legal.vocabulary.mentions(text) if m.verbs)
    return all(_explained(legal, text, things) for text in unread) and all(
        any(each & move.accepted for each in verbs)  # goes on behind the last that fitted
        for move in moves
        if move.verbs - MODIFIERS
    )


def _explained(legal: Fitting, written: str, things: Collection[str]) -> bool:
    """Is every word of a line one of these things as it is called, a verb that says what is to be
    done, or one that is known to say nothing?"""
    written = _without_courtesies(legal, written)
    text = seated(legal.now, written)
    said = list(legal.vocabulary.mentions(text))
    if not said or _OPEN.search(text) or crossed(text) or restricted(written, text, said):
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
    """A line without the greeting in front and the courtesies behind, which name no thing."""
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
    """May these words tell what was done, or is so, rather than what is to be done: "drew"? Or take
    something back?"""
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
