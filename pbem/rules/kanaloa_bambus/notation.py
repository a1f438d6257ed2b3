"""The written moves of Kanaloa (Bambus). Read generously, written in one way."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import chain, pairwise, product, zip_longest
from typing import ClassVar, Final

from pbem.core import HIDDEN, Move, Pattern, Unreadable
from pbem.rules.kanaloa_bambus import moves
from pbem.rules.kanaloa_bambus.board import DOLPHIN, NAMES
from pbem.rules.kanaloa_bambus.tiles import GODS, LETTERS, TEMPLES, TILES, VOLCANO, God, Tile
from pbem.rules.reading import DENIALS, Reader, Word, complete, fold, nearest, parted, spelt
from pbem.sentence import say

_VERBS: Final = {
    "fish": "fish lay fisch lege legen poisson hal ryba",
    "neutral": "neutral neutraler",
    "pawn": "pawn figur spielfigur pion bábu pionek",
    "swap": "swap exchange tausche tauschen",
    "move": "move sail go ziehe zieh ziehen fahre fahren navigue hajózom płynę",
    "rob": "rob steal raube rauben beraube vole rabolok okradam",
    "take": "take nimm nehme nehmen prends elveszem biorę",
    "sacrifice": "sacrifice offer opfere opfern opfer sacrifie áldozok poświęcam",
    "free": "free whiten befreie befreien",
    "dolphin": "dolphin call delfin delphin rufe rufen dauphin",
    "land": "land lande landen",
    "give": "give gib gebe geben donne adok daję",
    "flip": "flip wende wenden umwenden",
    "reverse": "reverse drehe drehen",
    "forbid": "forbid veto verbiete verbieten",
    "allow": "allow erlaube erlauben",
    "volcano": "volcano vulkan volcan vulkán wulkan",
    "second": "second zweite zweiter zweites",
    "withdraw": "withdraw remove entferne entfernen",
    "pass": "pass decline passe passen verzichte done fertig passe passz pasuję",
    "deal": "deal",
}
_VERB: Final = spelt(_VERBS)
_SIDES: Final = {
    "white": "white w weiss weisse weissen weisser",
    "colour": "colour color coloured colored c farbe farbig farbige farbigen bunt bunte bunten",
}
_SIDE: Final = spelt(_SIDES)
_SIMPLE: Final[Mapping[str, type[Move]]] = {
    "neutral": moves.LayNeutral,
    "free": moves.Free,
    "flip": moves.Flip,
    "reverse": moves.Reverse,
    "pawn": moves.PlacePawn,
    "land": moves.Land,
    "second": moves.Second,
    "forbid": moves.Forbid,
    "allow": moves.Allow,
    "pass": moves.Decline,
}
"""The moves that name nothing but a current, an island, or nothing: read and written alike."""
_VERB_OF: Final = {kind: verb for verb, kind in _SIMPLE.items()}
WORDS: Final = frozenset(map(fold, (*_VERB, *_SIDE, *TEMPLES, *NAMES)))
"""What moves are written with, for `pbem.core.Game`."""
NEEDLESS: Final = frozenset("forbid free rob swap take".split())
"""Those of WORDS for what nobody has to do."""
_FILLERS: Final = frozenset(
    "the a an of on onto to for from at along with and my i place put set current sea space side "
    "up offering ich die der das den dem einen eine ein und von nach auf mit an fur lege legen "
    "setze setzen stelle stellen opfergabe seite oben fish fisch pawn figur spielfigur".split()
)
_LETTER: Final = say("An island is written as its letter, like A")
_TAIL_TO_HEAD: Final = say("A current is written from tail to head, like A-E")
_OFFERING: Final = say("Offerings look like this: kane5, ku/pele2")
_CODES: Final = {letter.lower(): god for god, letter in LETTERS.items()} | {"★": "kane"}
_KU: Final = re.compile(r"(?<![A-Za-z/+&])KU(?=\s*[0-9])")
_MOST_KU: Final = 8
_SHORTEST_WORD: Final = 3
_MOST_SHOWN: Final = 40
_KU_OR_UK: Final = say("Write ku4 or kanaloa/ku4, or U4 or UK4 as on the map")
_JOINED: Final = re.compile(r"([a-z]+)([0-9])")
_NAME: Final = re.compile(r"[a-z][a-z0-9_-]*")
"""The name of a seat, or the letter of an island."""
_AND: Final = frozenset("/+&")
_ARROW: Final = frozenset("->\N{EN DASH}\N{RIGHTWARDS ARROW}")
_TO: Final = frozenset("to nach auf".split())
_FROM: Final = frozenset("from von".split())


def notate(move: Move) -> str:
    """The canonical text of a move."""
    if verb := _VERB_OF.get(type(move)):
        return " ".join((verb, *(getattr(move, each.name) for each in move.FIELDS)))
    return _WRITE[type(move)](move)


def parse(text: str) -> Pattern:
    """Read one move. Raises Unreadable.

    `KU4` in capitals may be an offering to Ku, or to Kanaloa and Ku by their letters.
    """
    between = _KU.split(text[: _Reader.longest + 1])
    if len(between) > _MOST_KU:
        raise Unreadable(text, "KU stands for two things here", advice=_KU_OR_UK)
    if len(between) == 1:
        return _Reader(text).pattern()
    choices = product(("UK", "ku"), repeat=len(between) - 1)
    readings = [
        _Reader("".join(chain(*zip_longest(between, codes, fillvalue="")))).pattern()
        for codes in choices
    ]
    others = dict.fromkeys(move for reading in readings for move in reading.readings)
    return readings[0]._replace(said=text, others=tuple(others)[1:])


class _Reader(Reader):
    """A reader of Kanaloa's moves, with a method for each verb that takes more than one name."""

    examples: ClassVar = "move A-E, take kane5, sacrifice pele: kane2 pele4, reverse A-E, pass"
    verbs: ClassVar = _VERB
    fillers: ClassVar = _FILLERS
    longest: ClassVar = 2000

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.words = [part for word in self.words for part in parted(word, _JOINED)]

    def says_something(self, word: Word) -> bool:
        return super().says_something(word) or word.text in _CODES

    def pattern(self) -> Pattern:
        verb, words = self.split()
        if kind := _SIMPLE.get(verb):
            named = {"fish": self._way, "island": self._island}
            if not kind.FIELDS:
                self.require_nothing_more(words)
            return Pattern(self.text, kind(*(named[each.name](words) for each in kind.FIELDS)))
        return getattr(self, f"_{verb or 'bare'}")(words)  # type: ignore[no-any-return]

    def _bare(self, words: list[Word]) -> Pattern:
        """Just a current or an offering: the position tells what is done with it."""
        tiles, rest = self._tiles(words)
        if len(tiles) == 1:
            self.require_nothing_more(rest)
            robs = moves.Rob(HIDDEN, tiles[0])
            others = (moves.Give(tiles[0]), robs)
            return Pattern(self.text, moves.Take(tiles[0]), frozenset({"victim"}), others)
        side, rest = self._side(words)
        way, rest = self._find_way(rest)
        signed = not (words[0].text.isalnum() or words[0].text in _CODES)
        if signed or not way or not self._means_nothing(rest):
            word = next(filter(self.says_something, words), words[0])
            whole = len(word.text) < _SHORTEST_WORD  # "W-Q, white": its W alone tells nothing
            raise self.unreadable(
                "{said!r} is no move of Kanaloa",
                None if whole else word,
                nearest(word.text, _VERB),
                said=self.text.strip()[:_MOST_SHOWN] if whole else word.text,
            )
        if side:
            return Pattern(self.text, moves.LayFish(way, side))
        fish = (moves.LayFish(way, "white"), moves.LayNeutral(way))
        return Pattern(self.text, moves.Sail(*way.split("-")), frozenset({"up"}), fish)

    # ----------------------------------------------------------------------- the moves

    def _deal(self, words: list[Word]) -> Pattern:
        if words and words[0].text in (*GODS, VOLCANO) and not _tile_at(words, 0):
            drawn, rest = words[0].text, words[1:]
        elif words and (tile := _tile_at(words, 0)):
            drawn, rest = tile[0], words[tile[1] :]
        else:
            raise self.unreadable("Chance deals an offering, the volcano or a gods card")
        to = self._name([w for w in rest if w.text not in _TO])
        if not to:
            return Pattern(self.text, moves.Deal(drawn, HIDDEN), frozenset({"to"}))
        return Pattern(self.text, moves.Deal(drawn, to.upper() if len(to) == 1 else to))

    def _fish(self, words: list[Word]) -> Pattern:
        side, rest = self._side(words)
        way = self._way(rest)
        if side:
            return Pattern(self.text, moves.LayFish(way, side))
        return Pattern(self.text, moves.LayFish(way, "white"), frozenset({"up"}))

    def _withdraw(self, words: list[Word]) -> Pattern:
        if any(_VERB.get(w.text) == "dolphin" for w in words):
            self.require_nothing_more(w for w in words if _VERB.get(w.text) != "dolphin")
            return Pattern(self.text, moves.Withdraw(DOLPHIN))
        return Pattern(self.text, moves.Withdraw(self._island(words)))

    def _swap(self, words: list[Word]) -> Pattern:
        tiles, rest = self._tiles(words)
        islands = [(w, i) for w, colon in pairwise(rest) if colon.text == ":" and (i := _isle(w))]
        if len(tiles) != 2 or len(islands) != 2:
            raise self.unreadable(
                "A swap names two islands and an offering of each",
                advice=say("Write it like this: swap A:kane5 E:pele4"),
            )
        self.require_nothing_more(w for w in rest if w not in [word for word, _ in islands])
        (first, tile), (second, other) = sorted(zip([i for _, i in islands], tiles, strict=True))
        return Pattern(self.text, moves.Swap(first, tile, second, other))

    def _move(self, words: list[Word]) -> Pattern:
        if not self._find_way(words)[0] and sum(bool(_isle(word)) for word in words) == 1:
            return Pattern(self.text, moves.Sail(HIDDEN, self._island(words)), frozenset({"tail"}))
        return Pattern(self.text, moves.Sail(*self._way(words).split("-")))

    def _sacrifice(self, words: list[Word]) -> Pattern:
        tiles, rest = self._tiles(words)
        gods = list(filter(self.says_something, rest))
        if len(gods) > 1 or not (tiles or gods):
            raise self.unreadable(
                "A sacrifice names one god, and offerings", gods[1] if gods else None
            )
        god = self._god(gods[0]) if gods else ""
        given = tuple(sorted(tiles))
        if not given:
            return Pattern(self.text, moves.Sacrifice(god, ()), frozenset({"tiles"}))
        if not god:
            return Pattern(self.text, moves.Sacrifice(TEMPLES[-1], given), frozenset({"god"}))
        return Pattern(self.text, moves.Sacrifice(god, given))

    def _dolphin(self, words: list[Word]) -> Pattern:
        # "I call a dolphin" names no island, "dolphin I" and "dolphin A" do.
        named = bool(words) and _isle(words[-1]) and not self.text[words[-1].end :].strip(" .!")
        if not named and self._means_nothing(words):
            return Pattern(self.text, moves.Call(HIDDEN), frozenset({"island"}))
        return Pattern(self.text, moves.Call(self._island(words)))

    def _rob(self, words: list[Word]) -> Pattern:
        """`rob red kane5`, `rob kane5 from red`: a seat may have the name of a god."""
        at = next((n for n, word in enumerate(words) if n and word.text in _FROM), None)
        before, after = (words, []) if at is None else (words[:at], words[at + 1 :])
        named = [(n, *found) for n in range(len(before)) if (found := _tile_at(before, n))]
        if not named:
            raise self.unreadable(
                "A robbery names an offering", advice=say("Write it like this: rob red kane5")
            )
        start, tile, end = next(each for each in named if each[2] == named[-1][2])
        self.require_nothing_more(before[end:])
        seat = self._name(after or before[:start])
        if after:
            self.require_nothing_more(before[:start])
        if not seat:
            return Pattern(self.text, moves.Rob(HIDDEN, tile), frozenset({"victim"}))
        return Pattern(self.text, moves.Rob(seat, tile))

    def _take(self, words: list[Word]) -> Pattern:
        return self._one_tile(moves.Take, words)

    def _give(self, words: list[Word]) -> Pattern:
        return self._one_tile(moves.Give, words)

    def _one_tile(self, kind: type[moves.Take] | type[moves.Give], words: list[Word]) -> Pattern:
        tiles, rest = self._tiles(words)
        self.require_nothing_more(rest)
        # "I give up" gives nothing.
        if len(tiles) > 1 or (not tiles and any(word.text.isalnum() for word in rest)):
            raise self.unreadable("Name one offering here", advice=_OFFERING)
        if not tiles:
            return Pattern(self.text, kind(next(iter(TILES))), frozenset({"tile"}))
        return Pattern(self.text, kind(tiles[0]))

    def _volcano(self, words: list[Word]) -> Pattern:
        """In capitals `AHI` is a sea space rather than the island of that name."""
        named = [word for word in words if self.says_something(word) or _isle(word)]
        site = named[0].text.upper() if len(named) == 1 else ""
        if not re.fullmatch("[A-Z]{2,12}", site) or named[0].text in DENIALS:
            return Pattern(self.text, moves.PlaceVolcano(self._island(words)))
        sea = moves.PlaceVolcano("".join(sorted(site)))
        if not (name := _isle(named[0])):
            return Pattern(self.text, sea)
        island = moves.PlaceVolcano(name)
        shouted = self.text[named[0].start : named[0].end].isupper()
        one, other = (sea, island) if shouted else (island, sea)
        return Pattern(self.text, one, others=(other,))

    # ----------------------------------------------------------------------- their parts

    def _means_nothing(self, words: list[Word]) -> bool:
        return not any(map(self.says_something, words))

    def _name(self, words: list[Word]) -> str:
        """A seat or an island as it is written, without anything meaningless around it."""
        while words and words[0].text in _FILLERS and len(words[0].text) > 1:
            words = words[1:]
        while words and not self.says_something(words[-1]) and len(words) > 1:
            words = words[:-1]
        name = fold(self.text[words[0].start : words[-1].end]) if words else ""
        if name and not _NAME.fullmatch(name):
            raise self.unreadable("It isn't clear who is meant: {said!r}", words[0], said=name)
        return name

    def _side(self, words: list[Word]) -> tuple[str, list[Word]]:
        """Which side is up, by the last word for a side, and the rest; "" if there is none."""
        for n, word in reversed([*enumerate(words)]):
            side = _SIDE.get(word.text)
            if side and (len(word.text) > 1 or self._means_nothing(words[n + 1 :])):
                return side, words[:n] + words[n + 1 :]
        return "", words

    def _island(self, words: list[Word]) -> str:
        """The one island that is named."""
        found = [island for word in words if (island := _isle(word))]
        rest = [word for word in words if not _isle(word)]
        unknown = next(filter(self.says_something, rest), None)
        if unknown:
            hint = nearest(unknown.text, NAMES) or _LETTER
            raise self.unreadable("{word!r} is no island", unknown, hint, word=unknown.text)
        if len(found) != 1:
            raise self.unreadable("Name one island here", advice=_LETTER)
        return found[0]

    def _way(self, words: list[Word]) -> str:
        """The one current that is named."""
        way, rest = self._find_way(words)
        if not way:
            raise self.unreadable("A current is missing here", advice=_TAIL_TO_HEAD)
        self.require_nothing_more(rest)
        return way

    def _find_way(self, words: list[Word]) -> tuple[str, list[Word]]:
        """A current and the rest: two islands with an arrow or `to` between them, two letters that
        make one word, or just two islands."""
        ends = self._joined(words)
        if ends is None:
            alone = [n for n, w in enumerate(words) if _isle(w)]
            codes = [n for n, word in enumerate(words) if self._is_code(word)]
            if len(codes) == 1:
                [at] = codes
                return self._from_to(*words[at].text.upper()), words[:at] + words[at + 1 :]
            if len(alone) != 2:
                return "", words
            ends = alone[0], alone[1]
        tail, head = _isle(words[ends[0]]), _isle(words[ends[1]])
        return self._from_to(tail, head), [w for n, w in enumerate(words) if n not in ends]

    def _is_code(self, word: Word) -> bool:
        """Is it two letters for two islands, like `ae`?"""
        two = len(word.text) == 2 and word.text.isascii() and word.text.isalpha()
        return two and word.text not in DENIALS and self.says_something(word)

    def _from_to(self, tail: str, head: str) -> str:
        if tail == head:
            raise self.unreadable("A current joins two different islands")
        return f"{tail}-{head}"

    def _joined(self, words: list[Word]) -> tuple[int, int] | None:
        """Where in the order two islands stand that an arrow or `to` joins."""
        for n, word in enumerate(words):
            joint = n + 1
            while joint < len(words) and (words[joint].text in _ARROW or words[joint].text in _TO):
                joint += 1
            if joint > n + 1 and joint < len(words) and _isle(word) and _isle(words[joint]):
                return n, joint
        return None

    def _god(self, word: Word) -> God:
        god = "ku" if word.text == "u" else complete(word.text, TEMPLES)
        if god is None:
            raise self.unreadable(
                "{said!r} is no god", word, nearest(word.text, TEMPLES), said=word.text
            )
        return god

    def _tiles(self, words: list[Word]) -> tuple[list[Tile], list[Word]]:
        """The offerings that are named, and the rest. Raises Unreadable for any other number."""
        tiles: list[Tile] = []
        rest: list[Word] = []
        at = 0
        while at < len(words):
            if found := _tile_at(words, at):
                tile, at = found
                tiles.append(tile)
                continue
            if words[at].text.isdecimal():
                raise self.unreadable(
                    "{said!r} is no offering", words[at], _OFFERING, said=self.text.strip()
                )
            rest.append(words[at])
            at += 1
        return tiles, rest


def _isle(word: Word) -> str:
    """The island that a word names, by its letter or its name; "" if it names none."""
    if len(word.text) == 1:
        return word.text.upper() if "a" <= word.text <= "z" else ""
    if word.text in _FILLERS:
        return ""
    return NAMES.get(complete(word.text, NAMES) or "", "")


def _tile_at(words: list[Word], at: int) -> tuple[Tile, int] | None:
    """The offering that is written here, and the index of the word after it."""
    gods = _shown(words[at].text)
    end = at + 1
    if gods and words[end : end + 1] and words[end].text in _AND and words[end + 1 :]:
        gods, end = gods | _shown(words[end + 1].text), end + 2
    if not gods or end >= len(words):
        return None
    tile = f"{'/'.join(sorted(gods))}{words[end].text}"
    return (tile, end + 1) if tile in TILES else None


def _shown(word: str) -> frozenset[God]:
    """The gods an offering shows: by name, or by their letters as on the map, like `lp`."""
    if word != "ku" and len(word) == len(_CODES.keys() & set(word)) <= 2:
        return frozenset(_CODES[letter] for letter in word)
    god = complete(word, TEMPLES)
    return frozenset({god} if god else ())


_WRITE: Final[dict[type[Move], Callable[..., str]]] = {
    moves.Deal: lambda m: f"deal {m.what}",
    moves.LayFish: lambda m: f"fish {m.fish} {m.up}",
    moves.Withdraw: lambda m: f"withdraw {m.place}",
    moves.Swap: lambda m: f"swap {m.first}:{m.tile} {m.second}:{m.other}",
    moves.Sail: lambda m: f"move {m.tail}-{m.head}",
    moves.Sacrifice: lambda m: f"sacrifice {m.god}: {' '.join(m.tiles)}",
    moves.Call: lambda m: f"dolphin {m.island}",
    moves.Rob: lambda m: f"rob {m.victim} {m.tile}",
    moves.Take: lambda m: f"take {m.tile}",
    moves.Give: lambda m: f"give {m.tile}",
    moves.PlaceVolcano: lambda m: f"volcano {m.site}",
}
