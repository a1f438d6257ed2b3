"""The written moves of Kanaloa (Piatnik). Read generously, written in one way."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final

from pbem.core import HIDDEN, Move, Pattern
from pbem.rules.kanaloa_piatnik import moves
from pbem.rules.kanaloa_piatnik.board import ALL_SEATS, HIGHEST, KANALOA, OCTOPUS, Card, Colour
from pbem.rules.reading import Reader, Word, complete, fold, nearest, parted, spelt

_VERBS: Final = {
    "play": "play lead spiele spiel spielt spielen ausspielen "
    "joue jouer játszom kijátszom zagrywam gram",
    "remove": "remove entferne entfernen entfernt weg enlève retire elveszem kiveszem usuwam",
    "dolphin": "dolphin delfin delphin dauphin",
    "sail": "sail sails move segle segeln ziehe ziehen navigue avance hajózom lépek płynę",
    "stay": "stay stays decline bleibe bleiben bleibt verzichte reste maradok zostaję",
    "announce": "announce announces announcement ansagen ansage sage annonce bejelentem zapowiadam",
    "none": "no kein keine keinen nicht",
    "drop": "drop leave",
    "lay": "lay lege",
    "deal": "deal gib",
}
_VERB: Final = spelt(_VERBS)
_SPECIALS: Final = {
    KANALOA: "kanaloa kanaloas k",
    OCTOPUS: "octopus octopuses kraken krake squid o pieuvre poulpe polip ośmiornica krakena",
}
_SPECIAL: Final = spelt(_SPECIALS)
_COLOURS: Final = spelt(
    {
        "blue": "blue blau navy",
        "red": "red rot",
        "green": "green grun gruen",
        "turquoise": "turquoise turkis tuerkis",
    }
)
_ELSEWHERE: Final = {
    "blue": "bleu kék granatowy granatowa niebieski niebieska",
    "red": "rouge piros czerwony czerwona",
    "green": "vert zöld zielony zielona",
    "turquoise": "türkiz turkusowy turkusowa",
}
"""Colours in the leaflet's other languages: never cut short, as `g` is green, not `granatowy`."""
_WHOLE: Final = spelt(_ELSEWHERE)
WORDS: Final = frozenset(map(fold, (*_VERB, *_SPECIAL, *_COLOURS, *_WHOLE)))
"""What moves are written with, for `pbem.core.Game`."""
NEEDLESS: Final = frozenset({"dolphin"})
"""Those of WORDS for what nobody has to do."""
_ANNOUNCED: Final[dict[Any, str]] = {True: "announce", False: "no announce", HIDDEN: "announce ?"}
_TURNED: Final = frozenset("turned gedreht umgedreht reversed".split())
_JOINED: Final = re.compile(r"([a-z]+)([0-9]+)")


def notate(move: Move) -> str:
    """The canonical text of a move."""
    return _WRITE[type(move)](move)


_WRITE: Final[Mapping[type[Move], Callable[..., str]]] = {
    moves.Play: lambda m: m.card,
    moves.Remove: lambda m: f"remove {m.card}",
    moves.Dolphin: lambda m: "dolphin",
    moves.Sail: lambda m: "sail",
    moves.Stay: lambda m: "stay",
    moves.Announce: lambda m: _ANNOUNCED[m.tilts],
    moves.Drop: lambda m: f"drop {m.card}",
    moves.Lay: lambda m: f"lay {m.card}{' turned' if m.turned else ''}",
    moves.Deal: lambda m: f"deal {m.card}",
}


def parse(text: str) -> Pattern:
    """Read one move. Raises Unreadable."""
    return _Reader(text).pattern()


class _Reader(Reader):
    """A reader of Kanaloa's moves, with a method for each verb."""

    examples: ClassVar = "red 7, kanaloa, octopus, remove M05, dolphin, sail, stay"
    verbs: ClassVar = _VERB
    fillers: ClassVar = frozenset(
        "a an the to with my i card ocean ich die der das den eine einen karte meereskarte mit "
        "tiki".split()
    )

    def pattern(self) -> Pattern:
        verb, words = self.split()
        words = [w for w in words if w.text.isalnum() or w.text == HIDDEN]
        return getattr(self, f"_{verb or 'play'}")(words)  # type: ignore[no-any-return]

    def _play(self, words: list[Word]) -> Pattern:
        return Pattern(self.text, moves.Play(self._card(words)))

    def _remove(self, words: list[Word]) -> Pattern:
        return Pattern(self.text, moves.Remove(self._ocean(words)))

    def _dolphin(self, words: list[Word]) -> Pattern:
        if words and _VERB.get(words[0].text) == "none":
            self.require_nothing_more(words[1:])
            return Pattern(self.text, moves.Stay())
        self.require_nothing_more(words)
        return Pattern(self.text, moves.Dolphin())

    def _sail(self, words: list[Word]) -> Pattern:
        self.require_nothing_more([w for w in words if w.text != "3"])
        return Pattern(self.text, moves.Sail())

    def _stay(self, words: list[Word]) -> Pattern:
        self.require_nothing_more(words)
        return Pattern(self.text, moves.Stay())

    def _announce(self, words: list[Word]) -> Pattern:
        if any(w.text == HIDDEN for w in words):
            return self._announcement(HIDDEN)  # type: ignore[arg-type]
        if _no_trick(words):  # `announce no trick`, `sage keinen Stich an`
            words = words[2:]
        words = [w for w in words if w.text != "an"]
        if words and words[0].text in ("openly", "offen"):
            self.require_nothing_more(words[1:])
            return Pattern(self.text, moves.Announce(True, ALL_SEATS))
        self.require_nothing_more(words)
        return self._announcement(True)

    def _none(self, words: list[Word]) -> Pattern:
        """`no announce`, `no dolphin`, and `no trick`, which announces."""
        what = _VERB.get(words[0].text) if words else None
        rest = words[1:]
        if words and words[0].text in _TRICK:
            self.require_nothing_more(w for w in rest if _VERB.get(w.text) != "announce")
            return self._announcement(True)
        self.require_nothing_more(rest)
        if what == "announce":
            return self._announcement(False)
        if what in ("dolphin", "sail"):
            return Pattern(self.text, moves.Stay())
        raise self.unreadable("It isn't clear what you decline; write `no announce` or `stay`")

    def _announcement(self, tilts: bool) -> Pattern:
        return Pattern(self.text, moves.Announce(tilts, ALL_SEATS), frozenset({"known_to"}))

    def _drop(self, words: list[Word]) -> Pattern:
        return Pattern(self.text, moves.Drop(self._ocean([w for w in words if w.text != "out"])))

    def _lay(self, words: list[Word]) -> Pattern:
        card = self._ocean([w for w in words if w.text not in _TURNED])
        return Pattern(self.text, moves.Lay(card, any(w.text in _TURNED for w in words)))

    def _deal(self, words: list[Word]) -> Pattern:
        to = next((n for n, w in enumerate(words) if w.text == "to"), len(words))
        hidden = any(w.text == HIDDEN for w in words[:to])
        card = HIDDEN if hidden else self._card(words[:to])
        if to < len(words):
            return Pattern(
                self.text, moves.Deal(card, self.text[words[to].end :].strip().casefold())
            )
        return Pattern(self.text, moves.Deal(card, ALL_SEATS), frozenset({"to"}))

    def _card(self, words: list[Word]) -> Card:
        """One card, as `red 7`, `R7`, `rot 7`, `7 red`, `K` or `Krake`."""
        parts = [part for w in words if self.says_something(w) for part in parted(w, _JOINED)]
        if not parts:
            raise self.unreadable("No card is named")
        if len(parts) == 1 and (special := _special(parts[0].text)):
            return special
        named = [w for w in parts if not w.text.isdecimal()]
        values = [w for w in parts if w.text.isdecimal()]
        for word in named:
            if not _colour(word.text):
                hint = nearest(word.text, (*_COLOURS, *_WHOLE, *_SPECIALS, *_VERB))
                raise self.unreadable(
                    "{word!r} is neither a colour nor a card", word, hint, word=word.text
                )
        if len(named) != 1 or len(values) != 1:
            raise self.unreadable("A card is one colour and one value")
        value = int(values[0].text)
        if not 1 <= value <= HIGHEST:
            raise self.unreadable(
                "A Tiki has a value from 1 to {highest}, not {value}",
                values[0],
                highest=HIGHEST,
                value=value,
            )
        return f"{_colour(named[0].text)} {value}"

    def _ocean(self, words: list[Word]) -> str:
        """One ocean card, as `M05`, `m5` or `M 05`."""
        code = " ".join(w.text for w in words if self.says_something(w))
        code = re.sub(r"^m ([0-9]+)$", r"m\1", code)
        if not re.fullmatch(r"[a-z]{1,3}[0-9]{1,3}", code):
            raise self.unreadable("Name one ocean card, like M05")
        short = re.fullmatch(r"m([1-9])", code)
        return f"M0{short[1]}" if short else code.upper()


_TRICK: Final = ("trick", "tricks", "stich", "stiche")


def _no_trick(words: list[Word]) -> bool:
    return len(words) > 1 and _VERB.get(words[0].text) == "none" and words[1].text in _TRICK


def _colour(word: str) -> Colour | None:
    """The one colour whose English or German name begins like this, or whose name this is in
    another language of the leaflet."""
    if word in _WHOLE:
        return _WHOLE[word]
    meant = {colour for name, colour in _COLOURS.items() if name.startswith(word)}
    return meant.pop() if len(meant) == 1 else None


def _special(word: str) -> Card | None:
    return _SPECIAL.get(word) or complete(word, (KANALOA, OCTOPUS))
