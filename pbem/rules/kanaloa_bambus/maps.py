"""Does a map that a moderator brings make sense? Everything that is wrong is told at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

from pbem.rules.kanaloa_bambus.chart import COUNTS, NEUTRAL_FISH, Chart, chart, connected, in_play
from pbem.rules.kanaloa_bambus.tiles import TILES

CURRENTS: Final = {2: 16, 3: 21, 4: 28}
"""Seven fish a player, and with two players two neutral ones [B-1, B-3, B-100]."""
KINDS: Final = {"plain": 8, "wreck": 2, "canoe": 2}
OFFERINGS: Final = 31
_KEYS: Final = {
    "game",
    "name",
    "note",
    "columns",
    "rows",
    "islands",
    "currents",
    "sea_spaces",
    "tiles",
    "setups",
}


def troubles(board: Any, tiles: Mapping[str, Any]) -> list[str]:
    """What is wrong with a board file, in sentences; [] if it can be played on.

    First its shape; only if that is right its sense.
    """
    found = list(_shape(board))
    if found:
        return found
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


# ----------------------------------------------------------------------------------- shape


def _shape(board: Any) -> Iterator[str]:
    if not isinstance(board, dict):
        yield "it is not a mapping with islands, currents and sea_spaces"
        return
    if unknown := sorted(set(map(str, board)) - _KEYS):
        yield f"unknown: {', '.join(unknown)}"
    if board.get("game") != "kanaloa-bambus":
        yield "it does not say `game: kanaloa-bambus`"
    for key in ("columns", "rows"):
        if type(board.get(key)) is not int or not 20 <= board[key] <= 78:
            yield f"{key} is a number from 20 to 78"
    for key in ("islands", "currents", "sea_spaces"):
        if not isinstance(board.get(key), list):
            yield f"{key} is missing, or is no list"
    for island in board["islands"] if isinstance(board.get("islands"), list) else ():
        yield from _island_shape(island)
    for key, says in (("currents", "two letters, like A-E"), ("sea_spaces", "letters, like AEH")):
        for entry in board[key] if isinstance(board.get(key), list) else ():
            letters = entry.split("-") if key == "currents" and isinstance(entry, str) else entry
            if not isinstance(entry, str) or not 2 <= len(letters) <= 6:
                yield f"{entry!r} under {key} is not {says}"
    tiles, setups = board.get("tiles", {}), board.get("setups", {})
    if not isinstance(tiles, dict) or ("tiles" in board and not _tiles_shaped(tiles)):
        yield "tiles is written as in tiles.yaml"
    if not isinstance(setups, dict) or ("setups" in board and not _setups_shaped(setups)):
        yield "setups is written as in setups.yaml"


def _island_shape(island: Any) -> Iterator[str]:
    shown = island.get("id") if isinstance(island, dict) else island
    if not isinstance(island, dict) or set(island) != {"id", "name", "kind", "ascii"}:
        yield f"island {shown!r} has an id, a name, a kind and a place `ascii`, and nothing else"
        return
    letter, place = island["id"], island["ascii"]
    if not (isinstance(letter, str) and len(letter) == 1 and "A" <= letter <= "Z"):
        yield f"island {shown!r}: the id is one capital letter"
    if not isinstance(island["name"], str) or not island["name"].isalpha():
        yield f"island {shown!r}: the name is one word"
    if not isinstance(island["kind"], str) or island["kind"] not in KINDS:
        yield f"island {shown!r}: the kind is one of {', '.join(KINDS)}"
    if not isinstance(place, list) or [type(n) for n in place] != [int, int]:
        yield f"island {shown!r}: ascii is [column, row]"


def _tiles_shaped(tiles: Mapping[str, Any]) -> bool:
    offerings, volcanoes = tiles.get("offerings"), tiles.get("volcanoes")
    return (
        set(tiles) == {"offerings", "volcanoes"}
        and isinstance(offerings, list)
        and all(
            isinstance(entry, dict)
            and set(entry) == {"tile", "kinds"}
            and isinstance(entry["tile"], str)
            and type(entry["kinds"]) is int
            and entry["kinds"] > 0
            for entry in offerings
        )
        and isinstance(volcanoes, dict)
        and set(volcanoes) == set(COUNTS.values())
        and all(type(n) is int for n in volcanoes.values())
    )


def _setups_shaped(setups: Mapping[str, Any]) -> bool:
    colours = setups.get("colours")
    return (
        isinstance(colours, list)
        and all(isinstance(colour, str) for colour in colours)
        and all(isinstance(laid, list) for name, laid in setups.items() if name != "colours")
        and set(setups) <= {"colours", *COUNTS.values()}
        and all(
            isinstance(fish, dict)
            and set(fish) == {"fish", "of", "up"}
            and all(isinstance(value, str) for value in fish.values())
            for name in COUNTS.values()
            for fish in setups.get(name, ())
        )
    )


# ----------------------------------------------------------------------------------- sense


def _islands(board: Mapping[str, Any]) -> Iterator[str]:
    islands = board["islands"]
    for letter, times in sorted(Counter(island["id"] for island in islands).items()):
        if times > 1:
            yield f"island {letter} stands {times} times"
    counted = Counter(island["kind"] for island in islands)
    for kind, wanted in KINDS.items():
        if counted[kind] != wanted:
            yield f"there are {counted[kind]} {kind} islands, not {wanted}"
    for island in islands:
        column, row = island["ascii"]
        if not (6 <= column <= board["columns"] - 6 and 0 <= row < board["rows"] - 1):
            yield f"island {island['id']} at {column},{row} is too near the edge of the picture"


def _currents(board: Mapping[str, Any]) -> Iterator[str]:
    known = {island["id"] for island in board["islands"]}
    joined = Counter()  # type: Counter[tuple[str, ...]]
    for way in board["currents"]:
        ends = tuple(sorted(way.split("-")))
        if len(set(ends)) != 2 or not set(ends) <= known:
            yield f"current {way} does not join two islands of the map"
        joined[ends] += 1
    for ends, times in sorted(joined.items()):
        if times > 1:
            yield f"current {'-'.join(ends)} stands {times} times"
    for count, wanted in sorted(CURRENTS.items(), reverse=True):
        islands = set(in_play(board, count))
        there = sum(set(ends) <= islands for ends in joined)
        if there != wanted:
            yield f"with {count} players there are {there} currents, not {wanted}"


def _connections(chart: Chart, count: int) -> Iterator[str]:
    for island, at in zip(chart.islands, chart.at, strict=True):
        if at.bit_count() < 2:
            yield f"with {count} players island {island} has fewer than two currents"
    if not connected(chart, 0, 0):
        yield f"with {count} players not all islands hang together"
        return
    for n, (back, forward) in enumerate(chart.ways):
        if not (connected(chart, 1 << n, 1 << n) and connected(chart, 1 << n, 0)):
            yield (
                f"with {count} players current {max(back, forward)} is the only link between two "
                "parts of the map, so that no fish on it leaves all islands reachable"
            )


def _sea_spaces(board: Mapping[str, Any], two: Chart) -> Iterator[str]:
    joined = {frozenset(way.split("-")) for way in board["currents"]}
    seen = Counter("".join(sorted(space)) for space in board["sea_spaces"])
    for space, times in sorted(seen.items()):
        if times > 1:
            yield f"sea space {space} stands {times} times"
    for space in board["sea_spaces"]:
        around = [frozenset((space[n - 1], space[n])) for n in range(len(space))]
        if len(space) < 3 or any(pair not in joined for pair in around):
            yield f"sea space {space} is not a ring of currents, read letter by letter"
    if not two.seas:
        yield "with two players there is no sea space for the volcano"


def _tiles(tiles: Mapping[str, Any]) -> Iterator[str]:
    kinds = 0
    for entry in tiles["offerings"]:
        kinds += entry["kinds"]
        if entry["tile"] not in TILES:
            yield f"{entry['tile']} is no offering; write kane3, pele4 or ku/pele2"
    if len({entry["tile"] for entry in tiles["offerings"]}) != len(tiles["offerings"]):
        yield "an offering stands twice"
    if kinds != OFFERINGS:
        yield f"there are {kinds} kinds of offerings, not {OFFERINGS}"
    for count, number in tiles["volcanoes"].items():
        if number < 3 or number % 2 == 0:
            yield f"{number} volcanoes for {count}: the last one has an odd number from 3"


def _set_up(setups: Mapping[str, Any], name: str, chart: Chart, count: int) -> Iterator[str]:
    if name not in setups:
        return
    colours = setups["colours"][:count]
    laid, forward = Counter(), 0  # type: tuple[Counter[int], int]
    owned: Counter[str] = Counter()
    for entry in setups[name]:
        if entry["fish"] not in chart.current:
            yield f"{name}: {entry['fish']} is no current in play"
            continue
        if entry["up"] not in ("white", "colour"):
            yield f"{name}: {entry['fish']} has white or colour up"
        current, ahead = chart.current[entry["fish"]]
        laid[current] += 1
        forward |= ahead << current
        owned[entry["of"]] += 1
    if sorted(laid.elements()) != list(range(len(chart.ends))):
        yield f"{name}: there is not exactly one fish on every current"
    elif not connected(chart, chart.every, forward):
        yield f"{name}: not every island can be reached from every other"
    wanted = dict.fromkeys(colours, 7) | ({"neutral": NEUTRAL_FISH} if count == 2 else {})
    if owned != wanted:
        yield f"{name}: seven fish each for {', '.join(colours)}, and with two players two neutral"
