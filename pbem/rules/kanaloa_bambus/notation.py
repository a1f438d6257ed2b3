"""The written moves of Kanaloa (Bambus). Read generously, written in one way."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import chain, product, zip_longest
from typing import Any, Final

from pbem.core import HIDDEN, Move, Pattern, Unreadable
from pbem.rules.kanaloa_bambus import moves
from pbem.rules.kanaloa_bambus.board import DOLPHIN, NAMES
from pbem.rules.kanaloa_bambus.tiles import GODS, LETTERS, TEMPLES, TILES, VOLCANO, God, Tile
from pbem.rules.reading import complete, fold, nearest
from pbem.sentence import Sentence, say

_VERBS: Final = {
    "fish": "fish lay fisch lege legen",
    "neutral": "neutral neutraler",
    "pawn": "pawn figur spielfigur",
    "swap": "swap exchange tausche tauschen",
    "move": "move sail go ziehe zieh ziehen fahre fahren",
    "rob": "rob steal raube rauben beraube",
    "take": "take nimm nehme nehmen",
    "sacrifice": "sacrifice offer opfere opfern opfer",
    "free": "free whiten befreie befreien",
    "dolphin": "dolphin call delfin delphin rufe rufen",
    "land": "land lande landen",
    "give": "give gib gebe geben",
    "flip": "flip wende wenden",
    "reverse": "reverse drehe drehen",
    "forbid": "forbid veto verbiete verbieten",
    "allow": "allow erlaube erlauben",
    "volcano": "volcano vulkan",
    "second": "second zweite zweiter zweites",
    "withdraw": "withdraw remove entferne entfernen",
    "pass": "pass decline passe passen verzichte done fertig",
    "deal": "deal",
}
_VERB: Final = {word: verb for verb, listed in _VERBS.items() for word in listed.split()}
_SIDES: Final = {
    "white": "white w weiss",
    "colour": "colour color coloured colored c farbe farbig bunt",
}
_SIDE: Final = {word: side for side, listed in _SIDES.items() for word in listed.split()}
WORDS: Final = frozenset(map(fold, (*_VERB, *_SIDE, *TEMPLES, *NAMES)))
"""What moves are written with, for `pbem.core.Game`."""
_LONGEST: Final = 2000
_LIKE_THIS: Final = say(
    "Moves look like this: move A-E, take kane5, sacrifice pele: kane2 pele4, reverse A-E, pass"
)
_LETTER: Final = say("An island is written as its letter, like A")
_TAIL_TO_HEAD: Final = say("A current is written from tail to head, like A-E")
_TILE: Final = re.compile(r"([a-z]+|[*★])\s*(?:[/+&]\s*([a-z]+)\s*)?([0-9])(?![a-z0-9])")
_CODES: Final = {letter.lower(): god for god, letter in LETTERS.items()} | {"★": "kane"}
_KU: Final = re.compile(r"(?<![A-Za-z/+&])KU(?=\s*[0-9])")
_MOST_KU: Final = 8
_KU_OR_UK: Final = say("Write ku4 or kanaloa/ku4, or U4 or UK4 as on the map")
_BETWEEN: Final = re.compile(r"(?:[\s,+&]|\band\b|\bund\b)*")
_WAY: Final = re.compile(r"([a-z]+)\s*(?:-+>?|>|\bto\b|\bnach\b|\s)\s*([a-z]+)")
_LITTLE: Final = re.compile(r"\b(?:the|to|on|from|with|von|nach|auf|mit|an|den|die|das)\b")


def notate(move: Move) -> str:
    """The canonical text of a move."""
    return _WRITE[type(move)](move)


def parse(text: str) -> Pattern:
    """Read one move. Raises Unreadable.

    `KU4` in capitals may be an offering to Ku, or to Kanaloa and Ku by their letters.
    """
    between = _KU.split(text[: _LONGEST + 1])
    if len(between) > _MOST_KU:
        raise Unreadable(text, "KU stands for two things here", advice=_KU_OR_UK)
    choices = product(("UK", "ku"), repeat=len(between) - 1)
    first, *others = [
        "".join(chain(*zip_longest(between, codes, fillvalue=""))) for codes in choices
    ]
    return _read(first if others else text)._replace(
        said=text, others=tuple(_read(each).move for each in others)
    )


def _read(text: str) -> Pattern:
    if len(text) > _LONGEST:
        raise Unreadable(
            text[:_LONGEST],
            "A move has at most {longest} characters; this text has {length}",
            longest=_LONGEST,
            length=len(text),
        )
    said = " ".join(
        fold(text).replace("\N{EN DASH}", "-").replace("\N{RIGHTWARDS ARROW}", "-").split()
    )
    first = re.match(r"[a-z]+", said)
    verb = _VERB.get(first.group()) if first else None
    if verb is None or first is None:
        if _WAY.fullmatch(said) or re.fullmatch(r"[a-z]{2}", said):
            return _Reader(text, said).move()
        if not said:
            raise Unreadable(text, "There is no move here")
        word = first.group() if first else said
        span = _span(text, word)
        hint = nearest(word, _VERB) or _LIKE_THIS
        raise Unreadable(text, "{word!r} is no move of Kanaloa", span, hint, word=word)
    rest = said[first.end() :].strip(" :")
    return _READ[verb](_Reader(text, rest))


def _span(text: str, part: str) -> tuple[int, int] | None:
    """Where a folded part stands in the text, if folding has not moved it."""
    folded = fold(text)
    at = folded.find(part) if part and len(folded) == len(text) else -1
    return (at, at + len(part)) if at >= 0 else None


class _Reader:
    """What follows the first word of a move, on its way to a pattern."""

    def __init__(self, text: str, said: str) -> None:
        self.text, self.said = text, said

    # ----------------------------------------------------------------------- the moves

    def deal(self) -> Pattern:
        found = re.fullmatch(r"(.+?)(?:\s+(?:to\s+)?([a-z][a-z0-9_-]*))?", self.said)
        what, to = found.groups() if found else ("", None)
        if to and self._drawn(self.said):
            what, to = self.said, None
        drawn = self._drawn(what)
        if drawn is None:
            raise self._unreadable("{said!r} is neither a tile nor a gods card", said=self.said)
        if to is None:
            return Pattern(self.text, moves.Deal(drawn, HIDDEN), frozenset({"to"}))
        return Pattern(self.text, moves.Deal(drawn, to.upper() if len(to) == 1 else to))

    def _drawn(self, said: str) -> str | None:
        if said in GODS or said == VOLCANO:
            return said
        return self._tile(said) if _TILE.fullmatch(said) else None

    def fish(self) -> Pattern:
        way, _, side = self.said.rpartition(" ")
        if side in _SIDE and way:
            return Pattern(self.text, moves.LayFish(self._way(way), _SIDE[side]))
        return Pattern(self.text, moves.LayFish(self._way(self.said), "white"), frozenset({"up"}))

    def neutral(self) -> Pattern:
        return Pattern(self.text, moves.LayNeutral(self._way(self.said.removeprefix("fish "))))

    def pawn(self) -> Pattern:
        return Pattern(self.text, moves.PlacePawn(self._island(self.said)))

    def withdraw(self) -> Pattern:
        said = _LITTLE.sub(" ", self.said).strip()
        place = DOLPHIN if _VERB.get(said) == "dolphin" else self._island(said)
        return Pattern(self.text, moves.Withdraw(place))

    def swap(self) -> Pattern:
        found = re.fullmatch(
            r"(\w+)\s*:\s*(.+?)[\s,]+(?:(?:with|mit|and|und)\s+)?(\w+)\s*:\s*(.+)", self.said
        )
        if not found:
            raise self._unreadable(
                "A swap names two islands and an offering of each",
                advice=say("Write it like this: swap A:kane5 E:pele4"),
            )
        first, tile, second, other = found.groups()
        pair = sorted(
            ((self._island(first), self._tile(tile)), (self._island(second), self._tile(other)))
        )
        return Pattern(self.text, moves.Swap(*pair[0], *pair[1]))

    def move(self) -> Pattern:
        said = re.sub(r"^(?:pawn|figur|from|von)\s+", "", self.said)
        if re.fullmatch(r"(?:(?:to|nach)\s+)?[a-z]+", said) and not re.fullmatch("[a-z]{2}", said):
            head = self._island(re.sub(r"^(?:to|nach)\s+", "", said))
            return Pattern(self.text, moves.Sail(HIDDEN, head), frozenset({"tail"}))
        tail, head = self._way(said).split("-")
        return Pattern(self.text, moves.Sail(tail, head))

    def sacrifice(self) -> Pattern:
        said, god = self.said, None
        if found := re.fullmatch(r"([a-z]+)(?:\s*[:=]\s*|\s+)(?![0-9/+&])(.+)", said):
            god, said = self._god(found[1]), found[2]
        elif found := re.fullmatch(r"(.+[0-9])\s+(?:to|for|an|fur)\s+([a-z]+)", said):
            said, god = found[1], self._god(found[2])
        elif re.fullmatch(r"[a-z]+", said):
            pattern = moves.Sacrifice(self._god(said), ())
            return Pattern(self.text, pattern, frozenset({"tiles"}))
        tiles = tuple(sorted(self._tiles(said)))
        if god is None:
            return Pattern(self.text, moves.Sacrifice(TEMPLES[-1], tiles), frozenset({"god"}))
        return Pattern(self.text, moves.Sacrifice(god, tiles))

    def free(self) -> Pattern:
        return Pattern(self.text, moves.Free(self._way(self.said)))

    def dolphin(self) -> Pattern:
        said = _LITTLE.sub(" ", self.said.replace(DOLPHIN, " ")).strip()
        if not said:
            return Pattern(self.text, moves.Call(HIDDEN), frozenset({"island"}))
        return Pattern(self.text, moves.Call(self._island(said)))

    def land(self) -> Pattern:
        return Pattern(self.text, moves.Land(self._island(self.said)))

    def rob(self) -> Pattern:
        said = self.said
        if found := re.fullmatch(r"(\S+?[0-9])\s+(?:from|von)\s+(\S+)", said):
            said = f"{found[2]} {found[1]}"
        said = re.sub(r"^(?:from|von)\s+", "", said)
        if _TILE.fullmatch(said):
            return Pattern(self.text, moves.Rob(HIDDEN, self._tile(said)), frozenset({"victim"}))
        seat, _, tile = said.partition(" ")
        if not tile:
            raise self._unreadable(
                "A robbery names an offering", advice=say("Write it like this: rob red kane5")
            )
        return Pattern(self.text, moves.Rob(seat, self._tile(tile)))

    def take(self) -> Pattern:
        return self._one_tile(moves.Take)

    def give(self) -> Pattern:
        return self._one_tile(moves.Give)

    def _one_tile(self, kind: type[moves.Take] | type[moves.Give]) -> Pattern:
        if not self.said:
            return Pattern(self.text, kind(next(iter(TILES))), frozenset({"tile"}))
        return Pattern(self.text, kind(self._tile(self.said)))

    def flip(self) -> Pattern:
        return Pattern(self.text, moves.Flip(self._way(self.said)))

    def reverse(self) -> Pattern:
        return Pattern(self.text, moves.Reverse(self._way(self.said)))

    def forbid(self) -> Pattern:
        self._nothing_more()
        return Pattern(self.text, moves.Forbid())

    def allow(self) -> Pattern:
        self._nothing_more()
        return Pattern(self.text, moves.Allow())

    def second(self) -> Pattern:
        return Pattern(
            self.text, moves.Second(self._island(re.sub(r"^(?:pawn|figur)\s+", "", self.said)))
        )

    def volcano(self) -> Pattern:
        """In capitals `AHI` is a sea space and not the island of that name."""
        said = _LITTLE.sub(" ", self.said).strip()
        name = complete(said, NAMES) if len(said) > 1 else None
        raw = self.text.split()[-1]
        if re.fullmatch(r"[a-z]{2,12}", said) and (name is None or raw.isupper()):
            return Pattern(self.text, moves.PlaceVolcano("".join(sorted(said.upper()))))
        return Pattern(self.text, moves.PlaceVolcano(self._island(said)))

    def decline(self) -> Pattern:
        self._nothing_more()
        return Pattern(self.text, moves.Decline())

    # ----------------------------------------------------------------------- their parts

    def _nothing_more(self) -> None:
        if self.said:
            raise self._unreadable("{said!r} has no meaning here", self.said, said=self.said)

    def _island(self, said: str) -> str:
        word = _LITTLE.sub(" ", said).strip() if len(said) > 1 else said
        if re.fullmatch("[a-z]", word):
            return word.upper()
        if not word:
            raise self._unreadable("An island is missing here", advice=_LETTER)
        name = complete(word, NAMES)
        if name is None:
            hint = nearest(word, NAMES) or _LETTER
            raise self._unreadable("{word!r} is no island", word, hint, word=word)
        return NAMES[name]

    def _way(self, said: str) -> str:
        if re.fullmatch(r"[a-z]{2}", said):
            tail, head = said[0].upper(), said[1].upper()
        else:
            found = _WAY.fullmatch(re.sub(r"^(?:from|von)\s+", "", said))
            if not found:
                if not said:
                    raise self._unreadable("A current is missing here", advice=_TAIL_TO_HEAD)
                raise self._unreadable("{said!r} is no current", said, _TAIL_TO_HEAD, said=said)
            tail, head = self._island(found[1]), self._island(found[2])
        if tail == head:
            raise self._unreadable("A current joins two different islands", said)
        return f"{tail}-{head}"

    def _god(self, said: str) -> God:
        god = "ku" if said == "u" else complete(said, TEMPLES)
        if god is None:
            raise self._unreadable("{said!r} is no god", said, nearest(said, TEMPLES), said=said)
        return god

    def _gods(self, said: str) -> list[God]:
        """The gods an offering shows: by name, or by their letters as on the map, like `lp`."""
        if said != "ku" and len(said) == len(_CODES.keys() & set(said)) <= 2:
            return [_CODES[letter] for letter in said]
        return [self._god(said)]

    def _tile(self, said: str) -> Tile:
        tiles = self._tiles(said)
        if len(tiles) != 1:
            raise self._unreadable("Name one offering here, not {n}", said, n=len(tiles))
        return tiles[0]

    def _tiles(self, said: str) -> list[Tile]:
        tiles, at = [], 0
        while at < len(said):
            found = _TILE.match(said, at)
            if not found:
                raise self._unreadable(
                    "{said!r} is no offering",
                    said[at:],
                    say("Offerings look like this: kane5, ku/pele2"),
                    said=said[at:],
                )
            one, other, value = found.groups()
            gods = sorted({*self._gods(one), *(self._gods(other) if other else ())})
            tile = f"{'/'.join(gods)}{value}"
            if tile not in TILES:
                raise self._unreadable("{tile} is no offering", found.group(), tile=tile)
            tiles.append(tile)
            between = _BETWEEN.match(said, found.end())
            at = between.end() if between else found.end()
        if not tiles:
            raise self._unreadable("An offering is missing here")
        return tiles

    def _unreadable(
        self, pattern: str, /, part: str = "", advice: Sentence | None = None, **values: Any
    ) -> Unreadable:
        span = _span(self.text, part)
        return Unreadable(self.text, pattern, span, advice or _LIKE_THIS, **values)


_READ: Final[dict[str, Callable[[_Reader], Pattern]]] = {
    verb: getattr(_Reader, "decline" if verb == "pass" else verb) for verb in _VERBS
}

_WRITE: Final[dict[type[Move], Callable[..., str]]] = {
    moves.Deal: lambda m: f"deal {m.what}",
    moves.LayNeutral: lambda m: f"neutral {m.fish}",
    moves.LayFish: lambda m: f"fish {m.fish} {m.up}",
    moves.PlacePawn: lambda m: f"pawn {m.island}",
    moves.Withdraw: lambda m: f"withdraw {m.place}",
    moves.Swap: lambda m: f"swap {m.first}:{m.tile} {m.second}:{m.other}",
    moves.Sail: lambda m: f"move {m.tail}-{m.head}",
    moves.Sacrifice: lambda m: f"sacrifice {m.god}: {' '.join(m.tiles)}",
    moves.Free: lambda m: f"free {m.fish}",
    moves.Call: lambda m: f"dolphin {m.island}",
    moves.Land: lambda m: f"land {m.island}",
    moves.Rob: lambda m: f"rob {m.victim} {m.tile}",
    moves.Take: lambda m: f"take {m.tile}",
    moves.Give: lambda m: f"give {m.tile}",
    moves.Flip: lambda m: f"flip {m.fish}",
    moves.Reverse: lambda m: f"reverse {m.fish}",
    moves.Forbid: lambda m: "forbid",
    moves.Allow: lambda m: "allow",
    moves.Second: lambda m: f"second {m.island}",
    moves.PlaceVolcano: lambda m: f"volcano {m.site}",
    moves.Decline: lambda m: "pass",
}
