"""The written moves of Kahuna. Read generously, written in one way."""

from __future__ import annotations

from typing import Any, Final

from pbem.core import HIDDEN, Move, Pattern, Unreadable
from pbem.rules.kahuna import moves
from pbem.rules.kahuna.board import DISPLAY, ISLANDS, SEATS, Card, Line
from pbem.rules.reading import Word, complete, nearest, words
from pbem.sentence import Sentence, say

_VERBS: Final = {
    "place": "place build bridge play put baue bauen lege setze spiele brucke",
    "remove": "x remove cut destroy entferne entfernen kappe sprenge losche",
    "free": "free frei gratis",
    "discard": "discard tuck abwerfen ablegen wirf",
    "take": "take nimm nehme nehmen",
    "draw": "draw ziehe zieh ziehen nachziehen",
    "pass": "pass passe passen abstain decline end done ende fertig",
    "handicap": "handicap vorgabe",
    "deal": "deal gib",
}
_VERB: Final = {word: verb for verb, listed in _VERBS.items() for word in listed.split()}
_FILLERS: Final = frozenset("a the from to and und von nach with mit using card karte eine".split())
_EXAMPLES: Final = "BARI-DUDA, ELAI+HUNA x ELAI-HUNA, discard COCO, take KAHU, draw, pass"


def notate(move: Move) -> str:
    """The canonical text of a move."""
    match move:
        case moves.Place(line, card):
            first, second = line.split("-")
            return f"{card}-{first if card == second else second}"
        case moves.Remove(line, cards):
            return f"{'+'.join(cards)} x {line}"
        case moves.Free(line):
            return f"free {line}"
        case moves.Discard(card):
            return f"discard {card}"
        case moves.Take(card):
            return f"take {card}"
        case moves.Draw():
            return "draw"
        case moves.Pass():
            return "pass"
        case moves.Handicap(line):
            return f"handicap {line}"
        case moves.Enough():
            return "handicap done"
        case moves.Deal(card):
            return f"deal {card}"
    raise TypeError(f"not a move of Kahuna: {move!r}")


def parse(text: str) -> Pattern:
    """Read one move. Raises Unreadable."""
    return _Reader(text).pattern()


class _Reader:
    """One order on its way from words to a pattern."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words = words(text)

    def pattern(self) -> Pattern:
        first, *rest = self.words
        verb = _VERB.get(first.text)
        if verb is not None and not self._is_code([first]):
            return getattr(self, f"_{verb}")(rest)  # type: ignore[no-any-return]
        cut = next((n for n, w in enumerate(self.words) if _VERB.get(w.text) == "remove"), None)
        if cut is not None:
            return self._remove(self.words[cut + 1 :], self._islands(self.words[:cut]))
        return self._place(self.words)

    def _place(self, said: list[Word]) -> Pattern:
        card = None
        spent = next((n for n, w in enumerate(said) if w.text in ("with", "mit", "using")), None)
        if spent is not None:
            named = self._islands(said[spent + 1 :])
            if len(named) != 1:
                raise self._unreadable("one card places one bridge", said[spent])
            card, said = named[0], said[:spent]
        ends = self._ends(said)
        return Pattern(self.text, moves.Place(_line(ends), card or ends[0]))

    def _remove(self, said: list[Word], cards: list[Card] | None = None) -> Pattern:
        spent = next((n for n, w in enumerate(said) if w.text in ("with", "mit", "using")), None)
        if spent is not None and not cards:
            cards, said = self._islands(said[spent + 1 :]), said[:spent]
        ends = self._ends(said)
        if not cards:
            pair = (min(ends), max(ends))
            return Pattern(self.text, moves.Remove(_line(ends), pair), frozenset({"cards"}))
        if len(cards) != 2:
            raise self._unreadable("two cards remove a bridge, not {cards}", cards=len(cards))
        return Pattern(self.text, moves.Remove(_line(ends), (min(cards), max(cards))))

    def _free(self, said: list[Word]) -> Pattern:
        return Pattern(self.text, moves.Free(_line(self._ends(said))))

    def _discard(self, said: list[Word]) -> Pattern:
        if any(w.text == HIDDEN for w in said):
            return Pattern(self.text, moves.Discard(HIDDEN))
        return Pattern(self.text, moves.Discard(self._card(said, "discard")))

    def _take(self, said: list[Word]) -> Pattern:
        return Pattern(self.text, moves.Take(self._card(said, "take")))

    def _draw(self, said: list[Word]) -> Pattern:
        self._nothing_more([w for w in said if w.text not in ("blind", "verdeckt", "pile")])
        return Pattern(self.text, moves.Draw())

    def _pass(self, said: list[Word]) -> Pattern:
        self._nothing_more([w for w in said if w.text not in ("turn", "zug")])
        return Pattern(self.text, moves.Pass())

    def _handicap(self, said: list[Word]) -> Pattern:
        if len(said) == 1 and _VERB.get(said[0].text) == "pass":
            return Pattern(self.text, moves.Enough())
        return Pattern(self.text, moves.Handicap(_line(self._ends(said))))

    def _deal(self, said: list[Word]) -> Pattern:
        places = (*SEATS, DISPLAY)
        to = next((place for w in said if (place := w.text) in places), None)
        named = [w for w in said if w.text not in places]
        hidden = any(w.text == HIDDEN for w in named)
        card = HIDDEN if hidden else self._card(named, "deal")
        return Pattern(self.text, moves.Deal(card, to or SEATS[0]), frozenset() if to else _TO)

    def _ends(self, said: list[Word]) -> tuple[Card, Card]:
        """The two islands of a line, as `BARI-DUDA`, `bari to duda`, `b-d` or `bd`."""
        if self._is_code(said):
            return _initial(said[0].text[0]), _initial(said[0].text[1])
        ends = self._islands(said)
        if len(ends) != 2:
            count = "one island" if len(ends) == 1 else f"{len(ends)} islands"
            raise self._unreadable("a line joins two islands; this names {count}", count=count)
        return ends[0], ends[1]

    def _card(self, said: list[Word], verb: str) -> Card:
        named = self._islands(said)
        if len(named) != 1:
            example = "; ".join(f"{verb} {card}" for card in named[:2] or ["KAHU"])
            raise self._unreadable("one card a move: {example}", example=example)
        return named[0]

    def _islands(self, said: list[Word]) -> list[Card]:
        found = []
        for word in said:
            if word.text in _FILLERS or not word.text.isalnum():
                continue
            island = complete(word.text, ISLANDS)
            if word.text in _VERB:
                raise self._unreadable(
                    "{text!r} begins another move",
                    word,
                    say("Write one move a line, or put a ; between them"),
                    text=word.text,
                )
            if island is None:
                hint = nearest(word.text, (*ISLANDS, *_VERB))
                raise self._unreadable(
                    "{text!r} is no island of Kahuna", word, hint, text=word.text
                )
            found.append(island)
        return found

    def _nothing_more(self, said: list[Word]) -> None:
        for word in said:
            if word.text not in _FILLERS and word.text.isalnum():
                raise self._unreadable("{text!r} says nothing here", word, text=word.text)

    def _is_code(self, said: list[Word]) -> bool:
        return len(said) == 1 and len(said[0].text) == 2 and all(map(_initial, said[0].text))

    def _unreadable(
        self,
        pattern: str,
        /,
        word: Word | None = None,
        advice: Sentence | None = None,
        **values: Any,
    ) -> Unreadable:
        span = word.span if word else None
        advice = advice or say("Moves look like this: {examples}", examples=_EXAMPLES)
        return Unreadable(self.text, pattern, span, advice, **values)


_TO: Final = frozenset({"to"})


def _initial(letter: str) -> Card:
    return next((island for island in ISLANDS if island[0].casefold() == letter), "")


def _line(ends: tuple[Card, Card]) -> Line:
    return "-".join(sorted(ends))
