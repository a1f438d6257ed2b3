"""The written moves of Kahuna. Read generously, written in one way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar, Final

from pbem.core import HIDDEN, Move, Pattern
from pbem.rules.kahuna import moves
from pbem.rules.kahuna.board import DISPLAY, ISLANDS, SEATS, Card, Island, Line
from pbem.rules.reading import DENIALS, Reader, Word, complete, fold, nearest, spelt
from pbem.sentence import say

_VERBS: Final = {
    "place": "place build bridge play put baue bauen lege setze spiele brucke",
    "remove": "x remove cut destroy entferne entfernen kappe sprenge losche "
    "enlève retire eltávolítom usuwam",
    "free": "free frei gratis",
    "discard": "discard tuck abwerfen ablegen wegwerfen wirf werfe défausse eldobom odrzucam",
    "take": "take nimm nehme nehmen prends prendre elveszem felveszem biorę",
    "draw": "draw ziehe zieh ziehen nachziehen pioche piocher húzok dobieram",
    "pass": "pass passe passen abstain decline end done ende fertig passz passzolok pasuję",
    "handicap": "handicap vorgabe",
    "deal": "deal gib",
}
_VERB: Final = spelt(_VERBS)
WORDS: Final = frozenset(map(fold, (*ISLANDS, *_VERB)))
"""What moves are written with, for `pbem.core.Game`."""
NEEDLESS: Final = frozenset("build discard free take x".split())
"""Those of WORDS for what nobody has to do."""
_CONCEALED: Final = frozenset("hidden verdeckt verdeckte".split())
_PILE: Final = frozenset("blind verdeckt pile deck stapel".split())
_WITH: Final = frozenset("with mit using".split())


def notate(move: Move) -> str:
    """The canonical text of a move."""
    return _WRITE[type(move)](move)


def _placing(m: moves.Place) -> str:
    """The island of the card stands first."""
    first, second = m.line.split("-")
    return f"{_named(m.card, m.hidden)}-{first if m.card == second else second}"


def _named(card: Card, hidden: bool) -> str:
    return f"hidden {card}" if hidden else card


_WRITE: Final[Mapping[type[Move], Callable[..., str]]] = {
    moves.Place: _placing,
    moves.Remove: lambda m: f"{'+'.join(map(_named, m.cards, m.hidden))} x {m.line}",
    moves.Free: lambda m: f"free {m.line}",
    moves.Discard: lambda m: f"discard {_named(m.card, m.hidden is True)}",
    moves.Take: lambda m: f"take {m.card}",
    moves.Draw: lambda m: "draw",
    moves.Pass: lambda m: "pass",
    moves.Handicap: lambda m: f"handicap {m.line}",
    moves.Enough: lambda m: "handicap done",
    moves.Deal: lambda m: f"deal {m.card}",
}


def parse(text: str) -> Pattern:
    """Read one move. Raises Unreadable."""
    return _Reader(text).pattern()


class _Reader(Reader):
    """A reader of Kahuna's moves, with a method for each verb."""

    examples: ClassVar = "BARI-DUDA, ELAI+HUNA x ELAI-HUNA, discard COCO, take KAHU, draw, pass"
    verbs: ClassVar = _VERB
    fillers: ClassVar = frozenset(
        "a the from to and my und von nach with mit using card karte eine ich die ab weg".split()
    )

    def pattern(self) -> Pattern:
        cut = next((n for n, w in enumerate(self.words) if n and _VERB.get(w.text) == "remove"), 0)
        if cut and any(map(self.says_something, self.words[cut + 1 :])):
            return self._remove(self.words[cut + 1 :], self._cards(self.words[:cut]))
        verb, words = self.split()
        return getattr(self, f"_{verb or 'place'}")(words)  # type: ignore[no-any-return]

    def _place(self, words: list[Word]) -> Pattern:
        """The island named first is the card, unless `with` names it."""
        line, spent = self._spending(words)
        if spent is None:
            concealed = any(word.text in _CONCEALED for word in line[:1])
            ends = self._ends(line[1:] if concealed else line)
            return Pattern(self.text, moves.Place(_line(ends), ends[0], concealed))
        if len(spent) != 1:
            raise self.unreadable("One card places a bridge; this names {n}", n=len(spent))
        [(card, concealed)] = spent
        return Pattern(self.text, moves.Place(_line(self._ends(line)), card, concealed))

    def _remove(self, words: list[Word], cards: list[tuple[Card, bool]] | None = None) -> Pattern:
        line, spent = self._spending(words) if not cards else (words, cards)
        ends = self._ends(line)
        if not spent:
            pair = (min(ends), max(ends))
            plain = moves.Remove(_line(ends), pair, (False, False))
            return Pattern(self.text, plain, frozenset({"cards"}))
        if len(spent) != 2:
            raise self.unreadable("Two cards remove a bridge; this names {n}", n=len(spent))
        (one, hides_one), (other, hides_other) = sorted(spent)
        move = moves.Remove(_line(ends), (one, other), (hides_one, hides_other))
        return Pattern(self.text, move)

    def _free(self, words: list[Word]) -> Pattern:
        return Pattern(self.text, moves.Free(_line(self._ends(words))))

    def _discard(self, words: list[Word]) -> Pattern:
        if any(w.text == HIDDEN for w in words):
            return Pattern(self.text, moves.Discard(HIDDEN, HIDDEN))  # type: ignore[arg-type]
        return Pattern(self.text, moves.Discard(*self._card(words, "discard")))

    def _take(self, words: list[Word]) -> Pattern:
        card, concealed = self._card(words, "take")
        if concealed:
            raise self.unreadable("You take a card that is face up, not a hidden one")
        return Pattern(self.text, moves.Take(card))

    def _draw(self, words: list[Word]) -> Pattern:
        self.require_nothing_more(w for w in words if w.text not in _PILE)
        return Pattern(self.text, moves.Draw())

    def _pass(self, words: list[Word]) -> Pattern:
        self.require_nothing_more(w for w in words if w.text not in ("turn", "zug"))
        return Pattern(self.text, moves.Pass())

    def _handicap(self, words: list[Word]) -> Pattern:
        if len(words) == 1 and _VERB.get(words[0].text) == "pass":
            return Pattern(self.text, moves.Enough())
        return Pattern(self.text, moves.Handicap(_line(self._ends(words))))

    def _deal(self, words: list[Word]) -> Pattern:
        places = (*SEATS, DISPLAY)
        to = next((place for w in words if (place := w.text) in places), None)
        named = [w for w in words if w.text not in places]
        unknown = any(w.text == HIDDEN for w in named)
        card = HIDDEN if unknown else self._card(named, "deal")[0]
        return Pattern(self.text, moves.Deal(card, to or SEATS[0]), frozenset() if to else _TO)

    def _spending(self, words: list[Word]) -> tuple[list[Word], list[tuple[Card, bool]] | None]:
        """What stands before `with`, and the cards after it; None without a `with`."""
        at = next((n for n, word in enumerate(words) if word.text in _WITH), None)
        return (words, None) if at is None else (words[:at], self._cards(words[at + 1 :]))

    def _ends(self, words: list[Word]) -> tuple[Island, Island]:
        """The two islands of a line, as `BARI-DUDA`, `bari to duda`, `b-d` or `bd`."""
        if _is_code(words) and (words[0].text not in DENIALS or self.text.strip().isupper()):
            return _initial(words[0].text[0]), _initial(words[0].text[1])
        ends = self._islands(words)
        if not ends:
            raise self.unreadable("Name the two islands of a line")
        if len(ends) != 2:
            raise self.unreadable(
                "A line joins two islands; this names [only one|{n}]", n=len(ends)
            )
        return ends[0], ends[1]

    def _card(self, words: list[Word], verb: str) -> tuple[Card, bool]:
        """The one card, and whether it is called hidden."""
        named = self._cards(words)
        if len(named) != 1:
            example = "; ".join(f"{verb} {card}" for card, _ in named[:2] or [("KAHU", False)])
            raise self.unreadable("Name one card for each move: {example}", example=example)
        return named[0]

    def _cards(self, words: list[Word]) -> list[tuple[Card, bool]]:
        """Cards, and for each whether it is called hidden."""
        found, concealed = [], False
        for word in words:
            if word.text in _CONCEALED:
                concealed = True
                continue
            for card in self._islands([word]):
                found.append((card, concealed))
                concealed = False
        return found

    def _islands(self, words: list[Word]) -> list[Island]:
        found = []
        for word in filter(self.says_something, words):
            if word.text in _VERB:
                raise self.unreadable(
                    "{word!r} begins another move",
                    word,
                    say("Write one move on each line, or put a ; between them"),
                    word=word.text,
                )
            island = complete(word.text, ISLANDS)
            if island is None:
                raise self.unreadable(
                    "{word!r} is neither an island nor a move of Kahuna",
                    word,
                    nearest(word.text, (*ISLANDS, *_VERB)),
                    word=word.text,
                )
            found.append(island)
        return found


_TO: Final = frozenset({"to"})


def _is_code(words: list[Word]) -> bool:
    return len(words) == 1 and len(words[0].text) == 2 and all(map(_initial, words[0].text))


def _initial(letter: str) -> Island:
    return next((island for island in ISLANDS if island[0].casefold() == letter), "")


def _line(ends: tuple[Island, Island]) -> Line:
    return "-".join(sorted(ends))
