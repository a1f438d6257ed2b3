"""The map of Kanaloa (Bambus) in ASCII."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from pbem.files import data
from pbem.rules.canvas import Mark, Point, middle, paint, straight
from pbem.rules.kanaloa_bambus.board import DATA, DOLPHIN
from pbem.rules.kanaloa_bambus.chart import plan

GOD: Final = {"kanaloa": "K", "ku": "U", "pele": "P", "lono": "L", "kane": "*"}
"""How an offering shows its gods: `LP4` is for Lono or Pele, `*5` for Kane."""
NOBODY: Final = "X"
WIDTH: Final = 72


def draw(view: Mapping[str, Any]) -> list[str]:
    """The map with its fish, islands, offerings, pawns and volcano, and how to read it.

    An island is `[A *5 LP4]`, its pawns stand below. A fish is the letter of its seat, in capitals
    if its coloured side is up, small if the white one is, and an arrow to where it heads.
    """
    chart = view.get("map") or plan(data.game_file(DATA, "board"))
    places = {i: Point(*chart["islands"][i]) for i in view["islands"]}
    letters = _letters(view["seats"])
    marks = [*_currents(chart, places), *_fish(view, places, letters)]
    marks += [*_islands(view, places, letters), *_sea_space(view, places)]
    picture = paint(marks, chart["columns"], chart["rows"])
    return [*picture, "", *_legend(view, letters)]


def _letters(seats: list[str]) -> dict[str | None, str]:
    """A capital for each seat: of its name if possible, else the first one that is free."""
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
        letter = letters[about["of"]]
        letter = letter if about["up"] == "colour" else letter.lower()
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
    site = view["volcano"]["site"] if view["volcano"] else None
    for island, at in places.items():
        tiles = " ".join(_tile(tile) for tile in view["islands"][island])
        box = f"[{island} {tiles}]" if tiles else f"[{island}]"
        yield Mark(Point(at.x - len(box) // 2, at.y), box)
        below = " ".join(_pawns(view, island, letters))
        if island == site:
            below = "VOLCANO"
        if below:
            yield Mark(Point(at.x - len(below) // 2, at.y + 1), below)


def _tile(tile: str) -> str:
    return "".join(GOD.get(part, part) for part in re.findall(r"[a-z]+|\d", tile))


def _pawns(view: Mapping[str, Any], place: str, letters: Mapping[str | None, str]) -> Iterator[str]:
    """The pawns in a place; an exclamation mark for those that lose their turn."""
    for seat in view["seats"]:
        stunned = view["stunned"][seat].count(place)
        for n in range(view["pawns"][seat].count(place)):
            yield letters[seat] + "!" * (n < stunned)


def _sea_space(view: Mapping[str, Any], places: Mapping[str, Point]) -> Iterator[Mark]:
    """With two players the volcano stands between islands."""
    if view["volcano"] and len(view["volcano"]["site"]) > 1:
        around = [places[island] for island in view["volcano"]["site"] if island in places]
        x = sum(at.x for at in around) // len(around)
        y = sum(at.y for at in around) // len(around)
        yield Mark(Point(x - len("VOLCANO") // 2, y), "VOLCANO")


def _legend(view: Mapping[str, Any], letters: Mapping[str | None, str]) -> Iterator[str]:
    from textwrap import wrap

    seats = [f"{letters[seat]} {seat}" for seat in view["seats"]]
    if any(fish["of"] is None for fish in view["fish"].values()):
        seats.append(f"{NOBODY} nobody")
    yield from wrap(", ".join(seats), WIDTH)
    yield "Fish: a capital has its coloured side up, a small letter the white one"
    yield "Offerings: K Kanaloa, U Ku, P Pele, L Lono, * Kane"
    riders = " ".join(_pawns(view, DOLPHIN, letters))
    if riders:
        yield f"On the Dolphin: {riders}"
    if any(view["stunned"].values()):
        yield "! loses its turn to the volcano"
