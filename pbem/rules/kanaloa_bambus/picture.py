"""The map of Kanaloa (Bambus) in ASCII."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from textwrap import wrap
from typing import Any, Final

from pbem.files import data
from pbem.rules.canvas import Mark, Point, middle, paint, straight
from pbem.rules.kanaloa_bambus.board import DATA, DOLPHIN
from pbem.rules.kanaloa_bambus.chart import plan
from pbem.rules.kanaloa_bambus.tiles import code
from pbem.sentence import Sentence, say

NOBODY: Final = "X"
WIDTH: Final = 72
NARROW: Final = 40


def draw(view: Mapping[str, Any]) -> list[str]:
    """The map with its fish, islands, offerings, pawns and volcano, and how to read it.

    An island is `[A *5 LP4]`, or `{A *5 LP4}` if the volcano lets nobody enter, and its pawns
    stand below: `(RrB)`. A fish is the letter of its seat, a capital if its coloured side is up, a
    small one if the white side is, and an arrow to where it heads.
    """
    chart = view.get("map") or plan(data.game_file(DATA, "board"))
    places = {i: Point(*chart["islands"][i]) for i in view["islands"]}
    letters = letters_of(view["seats"])
    marks = [*_currents(chart, places), *_fish(view, places, letters)]
    marks += _islands(view, places, letters)
    picture = paint(marks, chart["columns"], chart["rows"])
    return [*picture, "", *_legend(view, letters)]


def draw_narrow(view: Mapping[str, Any]) -> list[str]:
    """One island per line, with its offerings and pawns, and below it where its currents lead:
    `-S>A` as on the map, `...A` for one without a fish, listed only at its first end."""
    letters = letters_of(view["seats"])
    ways: dict[str, list[str]] = {island: [] for island in view["islands"]}
    chart = view.get("map") or plan(data.game_file(DATA, "board"))
    for way, fish in view["fish"].items():
        tail, head = way.split("-")
        ways[tail].append(f"-{_letter(fish, letters)}>{head}")
    for current in chart["currents"]:
        one, other = current.split("-")
        if one in ways and other in ways and not {current, f"{other}-{one}"} & view["fish"].keys():
            ways[one].append(f"...{other}")
    lines: list[str] = []
    for island in view["islands"]:
        lines.append(" ".join((_island(view, island), _beside(view, island, letters))).rstrip())
        there = sorted(ways[island], key=lambda way: way[3:])
        lines += wrap(" ".join(there), NARROW, initial_indent="   ", subsequent_indent="   ")
    return [*lines, "", *_legend(view, letters, NARROW)]


def _letter(fish: Mapping[str, Any], letters: Mapping[str | None, str]) -> str:
    """The letter of a fish: small if its white side is up."""
    letter = letters[fish["of"]]
    return letter if fish["up"] == "colour" else letter.lower()


def letters_of(seats: Iterable[str]) -> Mapping[str | None, str]:
    """A capital for each seat: one of its name if possible, else the first that is free."""
    return _letters_of(tuple(seats))


@cache
def _letters_of(seats: tuple[str, ...]) -> Mapping[str | None, str]:
    taken: dict[str | None, str] = {None: NOBODY}
    for seat in seats:
        own = [char for char in seat.upper() if "A" <= char <= "Z"]
        free = (char for char in (*own, *"ABCDEFGH") if char not in taken.values())
        taken[seat] = next(free)
    return taken


def _currents(chart: Mapping[str, Any], places: Mapping[str, Point]) -> Iterator[Mark]:
    for current in chart["currents"]:
        one, other = current.split("-")
        if one in places and other in places:
            yield from straight(places[one], places[other], ".", dense=False)


def _fish(
    view: Mapping[str, Any], places: Mapping[str, Point], letters: Mapping[str | None, str]
) -> Iterator[Mark]:
    for way, about in view["fish"].items():
        tail, head = (places[island] for island in way.split("-"))
        letter = _letter(about, letters)
        across, down = head.x - tail.x, head.y - tail.y
        if abs(across) > 2 * abs(down):
            shape = f"-{letter}>" if across > 0 else f"<{letter}-"
        else:
            shape = f"{letter}v" if down > 0 else f"{letter}^"
        at = middle(tail, head)
        yield Mark(Point(at.x - len(shape) // 2, at.y), shape)


def _islands(
    view: Mapping[str, Any], places: Mapping[str, Point], letters: Mapping[str | None, str]
) -> Iterator[Mark]:
    for island, at in places.items():
        yield _centred(at, _island(view, island))
        if below := _beside(view, island, letters):
            yield _centred(Point(at.x, at.y + 1), below)


def _site(view: Mapping[str, Any]) -> str:
    return view["volcano"]["site"] if view["volcano"] else ""


def _island(view: Mapping[str, Any], island: str) -> str:
    """An island with its offerings: `[A *5 LP4]`."""
    tiles = "".join(f" {code(tile)}" for tile in view["islands"][island])
    left, right = "{}" if island in _site(view) else "[]"
    return f"{left}{island}{tiles}{right}"


def _beside(view: Mapping[str, Any], island: str, letters: Mapping[str | None, str]) -> str:
    """The volcano on an island, or the pawns there."""
    if island == _site(view):
        return say("VOLCANO").text()
    return _pawns(view, island, letters)


def _centred(at: Point, text: str) -> Mark:
    return Mark(Point(max(0, at.x - len(text) // 2), at.y), text)


def _pawns(view: Mapping[str, Any], place: str, letters: Mapping[str | None, str]) -> str:
    """The pawns in a place; small letters are those that lose their turn."""
    found = ""
    for seat in view["seats"]:
        pawns, stunned = (view[key][seat].count(place) for key in ("pawns", "stunned"))
        letter = letters[seat]
        found += letter * (pawns - stunned) + letter.lower() * stunned
    return f"({found})" if found else ""


def _legend(
    view: Mapping[str, Any], letters: Mapping[str | None, str], width: int = WIDTH
) -> Iterator[str]:
    """What each kind of mark means, as far as there are any."""
    told = list(_meanings(view, letters, narrow=width < WIDTH))
    column = max(10, *(len(label) + 1 for label, _ in told))
    for label, meaning in told:
        rest = " " * (column if width == WIDTH else 2)
        # A sign stays on one line with what it means.
        whole = re.sub(r"(?<!\S)(\S) ", "\\1\N{NO-BREAK SPACE}", meaning)
        lines = wrap(whole, width, initial_indent=f"{label:{column}}", subsequent_indent=rest)
        yield from (line.replace("\N{NO-BREAK SPACE}", " ") for line in lines)


def _meanings(
    view: Mapping[str, Any], letters: Mapping[str | None, str], *, narrow: bool
) -> Iterator[tuple[str, str]]:
    one = letters[view["seats"][0]]
    other = one.lower()
    yield say("Seats").text(), ", ".join(f"{letters[seat]} {seat}" for seat in view["seats"])
    example = say("[A *5 LP4]: island A, offerings Kane 5 and Lono or Pele 4")
    yield say("Islands").text(), example.text()
    yield say("Offerings").text(), say("K Kanaloa, U Ku, P Pele, L Lono, * Kane").text()
    if view["fish"]:
        way = say(
            "-{one}> coloured side up, -{other}> white side up; arrows show the way",
            one=one,
            other=other,
        )
        yield say("Fish").text(), way.text()
    if any(fish["of"] is None for fish in view["fish"].values()):
        yield "", say("{up} and {down}: neutral fish", up=NOBODY, down=NOBODY.lower()).text()
    if any(view["pawns"].values()):
        yield say("Pawns").text(), _below(one, other, narrow=narrow).text()
    if riders := _pawns(view, DOLPHIN, letters):
        yield say("Dolphin").text(), riders
    if view["volcano"]:
        yield say("Volcano").text(), say("{{A *5 LP4}}: nobody may enter this island").text()


def _below(one: str, other: str, *, narrow: bool) -> Sentence:
    if narrow:
        return say(
            "({one}) beside the island; ({other}) loses its turn to the volcano",
            one=one,
            other=other,
        )
    return say(
        "({one}) below the island; ({other}) loses its turn to the volcano", one=one, other=other
    )
