"""Does a map that a moderator brings make sense? Everything wrong with it is told at once."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any, Final

from pbem.files import data, yamlio
from pbem.rules.kanaloa_bambus.chart import (
    COUNTS,
    ISLAND,
    NEUTRAL_FISH,
    WIDTH,
    Chart,
    chart,
    connected,
    in_play,
)
from pbem.rules.kanaloa_bambus.tiles import TILES
from pbem.sentence import Sentence, say

CURRENTS: Final = {2: 16, 3: 21, 4: 28}
"""Seven fish a player, and with two players two neutral ones [B-1, B-3, B-100]."""
KINDS: Final = {"plain": 8, "wreck": 2, "canoe": 2}
OFFERINGS: Final = 31
_DRAWN: Final = {"svg": (4, 3), "two": (2,)}
"""Where an island may say it is on the drawn board, and for how many players."""


def troubles(board: Any, tiles: Mapping[str, Any]) -> list[Sentence]:
    """What is wrong with a board file, a sentence each; [] if it can be played on.

    Its sense is checked only once it obeys its schema.
    """
    misfits = yamlio.misfits(board, data.schema_text("board-kanaloa-bambus"))
    if misfits:
        return [say("{key}: {said}", key=key or "board", said=said) for key, said in misfits]
    found = list(_islands(board)) + list(_currents(board))
    if found:
        return found
    charts = {count: chart(board, count) for count in COUNTS}
    found = [trouble for count in COUNTS for trouble in _connections(charts[count], count)]
    found += _sea_spaces(board, charts[2])
    found += _tiles(board.get("tiles", tiles))
    if not found:
        for count, name in COUNTS.items():
            found += _set_up(board.get("setups", {}), name, charts[count], count)
    return found


def _islands(board: Mapping[str, Any]) -> Iterator[Sentence]:
    islands = board["islands"]
    for letter, times in sorted(Counter(island["id"] for island in islands).items()):
        if times > 1:
            yield say("island {letter} is listed {times} times", letter=letter, times=times)
    counted = Counter(island["kind"] for island in islands)
    for kind, wanted in KINDS.items():
        if counted[kind] != wanted:
            yield say(
                "{there} islands are of the kind {kind}, not {wanted}",
                there=counted[kind],
                kind=kind,
                wanted=wanted,
            )
    for island in islands:
        column, row = island["ascii"]
        if not (6 <= column <= board["columns"] - 6 and 0 <= row < board["rows"] - 1):
            yield say(
                "island {letter} at {column},{row} is too near the edge of the picture",
                letter=island["id"],
                column=column,
                row=row,
            )
    for key, counts in _DRAWN.items():
        yield from _drawn(board, key, max(counts))


def _drawn(board: Mapping[str, Any], key: str, players: int) -> Iterator[Sentence]:
    """Do the places for the drawn board leave each island its room, for pawns, too?"""
    places = {island["id"]: island[key] for island in board["islands"] if key in island}
    if len(places) not in (0, len(board["islands"])):
        yield say("{key} must be given for all islands, or for none", key=key)
        return
    (wide, high), shown = ISLAND, {each: places[each] for each in in_play(board, players) if places}
    for island, (x, y) in shown.items():
        if not (wide <= x <= WIDTH - wide and high <= y <= 2 * WIDTH):
            yield say("{key}: island {letter} is not whole on the board", key=key, letter=island)
    for (one, (x, y)), (other, (to_x, to_y)) in combinations(shown.items(), 2):
        if math.hypot((x - to_x) / wide, (y - to_y) / high) < 2:
            yield say("{key}: {one} and {other} touch", key=key, one=one, other=other)


def _currents(board: Mapping[str, Any]) -> Iterator[Sentence]:
    known = {island["id"] for island in board["islands"]}
    joined = Counter()  # type: Counter[tuple[str, ...]]
    for way in board["currents"]:
        ends = tuple(sorted(way.split("-")))
        if len(set(ends)) != 2 or not set(ends) <= known:
            yield say("current {way} does not join two islands of the map", way=way)
        joined[ends] += 1
    for ends, times in sorted(joined.items()):
        if times > 1:
            yield say("current {way} is listed {times} times", way="-".join(ends), times=times)
    for count, wanted in sorted(CURRENTS.items(), reverse=True):
        islands = set(in_play(board, count))
        there = sum(set(ends) <= islands for ends in joined)
        if there != wanted:
            yield say(
                "with {count} players there are {there} currents, not {wanted}",
                count=count,
                there=there,
                wanted=wanted,
            )


def _connections(chart: Chart, count: int) -> Iterator[Sentence]:
    for island, at in zip(chart.islands, chart.at, strict=True):
        if at.bit_count() < 2:
            yield say(
                "with {count} players island {island} has fewer than two currents",
                count=count,
                island=island,
            )
    if not connected(chart, 0, 0):
        yield say("with {count} players the map falls into separate parts", count=count)
        return
    for n, (back, forward) in enumerate(chart.ways):
        if not (connected(chart, 1 << n, 1 << n) and connected(chart, 1 << n, 0)):
            yield say(
                "with {count} players current {way} is the only link between two parts of the map, "
                "so that no fish on it leaves all islands reachable",
                count=count,
                way=max(back, forward),
            )


def _sea_spaces(board: Mapping[str, Any], two: Chart) -> Iterator[Sentence]:
    joined = {frozenset(way.split("-")) for way in board["currents"]}
    seen = Counter("".join(sorted(space)) for space in board["sea_spaces"])
    for space, times in sorted(seen.items()):
        if times > 1:
            yield say("sea space {space} is listed {times} times", space=space, times=times)
    for space in board["sea_spaces"]:
        around = [frozenset((space[n - 1], space[n])) for n in range(len(space))]
        if len(space) < 3 or any(pair not in joined for pair in around):
            yield say("sea space {space} is not a ring of currents, letter by letter", space=space)
    if not two.seas:
        yield say("with two players there is no sea space for the volcano")


def _tiles(tiles: Mapping[str, Any]) -> Iterator[Sentence]:
    kinds = 0
    for entry in tiles["offerings"]:
        kinds += entry["kinds"]
        if entry["tile"] not in TILES:
            yield say("{tile} is no offering; write it like kane3 or ku/pele2", tile=entry["tile"])
    if len({entry["tile"] for entry in tiles["offerings"]}) != len(tiles["offerings"]):
        yield say("an offering is listed twice")
    if kinds != OFFERINGS:
        yield say("there are {n} kinds of offerings, not {wanted}", n=kinds, wanted=OFFERINGS)
    for count, number in tiles["volcanoes"].items():
        if number < 3 or number % 2 == 0:
            yield say(
                "volcanoes: {count} must have an odd number from 3, not {number}",
                count=count,
                number=number,
            )


def _set_up(setups: Mapping[str, Any], name: str, chart: Chart, count: int) -> Iterator[Sentence]:
    if name not in setups:
        return
    colours = setups["colours"][:count]
    laid, forward = Counter(), 0  # type: tuple[Counter[int], int]
    owned: Counter[str] = Counter()
    for entry in setups[name]:
        if entry["fish"] not in chart.current:
            yield say("{name}: {way} is no current in play", name=name, way=entry["fish"])
            continue
        current, ahead = chart.current[entry["fish"]]
        laid[current] += 1
        forward |= ahead << current
        owned[entry["of"]] += 1
    if sorted(laid.elements()) != list(range(len(chart.ends))):
        yield say("{name}: every current needs exactly one fish", name=name)
    elif not connected(chart, chart.every, forward):
        yield say("{name}: not every island can be reached from every other", name=name)
    wanted = dict.fromkeys(colours, 7) | ({"neutral": NEUTRAL_FISH} if count == 2 else {})
    if owned != wanted:
        yield say(
            "{name}: there must be {fish:all}",
            name=name,
            fish=[f"{n} {colour}" for colour, n in wanted.items()],
        )
