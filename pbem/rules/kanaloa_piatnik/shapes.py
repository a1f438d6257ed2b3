"""The ring of Kanaloa (Piatnik) as shapes, with the trick inside and the hands below."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import chain, pairwise
from typing import Any, Final

from pbem.core import HIDDEN
from pbem.rules import row
from pbem.rules.coast import outline
from pbem.rules.kanaloa_piatnik.board import COLOUR, COLOUR_SAYS, KANALOA, OCTOPUS, TRICKS, VALUE
from pbem.rules.kanaloa_piatnik.trick import winner
from pbem.sentence import Counted, Sentence, say
from pbem.shapes import Scene, Shape

_WIDTH: Final = 720
_CENTRE: Final = 360, 362
_INNER, _BAND, _OUTER = 192, 230, 348
_NAMES, _COLOURS, _DOLPHINS, _BOATS, _BERTHS = 166, 211, 254, 302, 326
"""Distances from the centre: of the ends of fields and coloured bands, and of what is in them."""
_PLAYER, _CLOSE = 79, 72
"""The height of a player's row, and its height with five players."""
_CARD: Final = 50
_EMBLEM: Final = {
    "red": "star",
    "green": "leaf",
    "blue": "drop",
    "turquoise": "shell",
    KANALOA: "trident",
    OCTOPUS: "octopus",
}
_HUES: Final = (
    *("orange", "yellow", "purple", "black", "white"),
    *("red", "green", "blue", "turquoise", "grey"),
)
"""The colours of boats; those of fields go only to seats that are named after them."""

Point = tuple[int, int]


def scene(view: Mapping[str, Any]) -> Scene:
    """The route as a ring, sailed clockwise, the trick in its middle, each player's hand below."""
    sea = 2 * _CENTRE[1]
    row_high = _PLAYER if len(view["seats"]) < 5 else _CLOSE
    height = sea + row_high * len(view["seats"]) + 8
    shapes = (
        Shape("sea", "box", (0, 0, _WIDTH, sea), "sea"),
        *_corners(view, sea),
        *_middle(),
        *([] if view["table"] else _RELIEF),
        *_ring(view),
        Shape("track", "disc", (*_CENTRE, _BOATS), "track"),
        _clockwise(),
        *_race(view),
        *_boats(view),
        *_trick(view),
        Shape("panel", "box", (0, sea, _WIDTH, height - sea), "panel"),
        *(
            shape
            for n, seat in enumerate(row.nearest(view, view["seats"]))
            for shape in _player(
                {**view, "mark": row.mark(view, seat)},
                seat,
                sea + row_high * n - (_PLAYER - row_high) // 2,
            )
        ),
    )
    return Scene(_WIDTH, height, shapes, _CENTRE)


def _corners(view: Mapping[str, Any], sea: int) -> Iterator[Shape]:
    yield Shape("round", "text", (20, 36), "onsea strong", say("Round {n}", n=view["round"]))
    trick = view["trick"] if view["asked"] else sum(view["tricks"].values())
    so_far = {"n": trick, "all": TRICKS}
    says = say("It is round {round}, trick {n} of {all}.", round=view["round"], **so_far)
    number = say("trick {n} of {all}", **so_far)
    yield Shape("trick", "text", (20, 66), "onsea", number, says=says)
    if view["trump"]:
        yield Shape("legend-trump", "text", (662, 36), "onsea strong middle", say("Trump"))
        look = f"full {view['trump']} {_EMBLEM[view['trump']]}"
        says = say("Trump is {colour}.", colour=COLOUR_SAYS[view["trump"]])
        yield Shape("trump", "disc", (662, 76, 27), look, says=says)
    yield Shape("legend-kanaloa", "text", (20, sea - 76), "onsea", say("K Kanaloa"))
    yield Shape("legend-octopus", "text", (20, sea - 47), "onsea", say("O octopus"))
    if any(any(card["dolphin"]) for card in view["route"]):
        yield Shape("legend-dolphin", "figure", (38, sea - 24, 0, 85), "dolphin onsea")
        yield Shape("legend-dolphin-says", "text", (64, sea - 18), "onsea", say("dolphin"))
    if any(any(card["start"]) for card in view["route"]):
        yield Shape("legend-start", "figure", (38, 92, 0), "wave onsea")
        yield Shape("legend-start-says", "text", (64, 98), "onsea", say("start"))
    if view["removed"]:
        says = say("The route is without {cards:all}.", cards=view["removed"])
        yield Shape("removed", "text", (20, sea - 18), "", says=says)


# ---------------------------------------------------------------------------------- the ring


@cache
def _middle() -> tuple[Shape, ...]:
    """The island that the boats sail around; on it lies the trick."""
    x, y = _CENTRE
    return (
        Shape("shallow-middle", "polygon", outline(x, y, _COAST, (134, 128)), "shallow coast"),
        Shape("middle", "polygon", outline(x, y, _COAST, (124, 118)), "island coast"),
    )


_RELIEF: Final = (
    Shape("relief-0", "figure", (_CENTRE[0] - 34, _CENTRE[1] - 42, 0, 330), "peaks"),
    Shape("relief-1", "figure", (_CENTRE[0] + 52, _CENTRE[1] + 2, 0, 240), "palms"),
)
_COAST: Final = (104, 96, 101, 107, 97, 105, 96, 102)


def _ring(view: Mapping[str, Any]) -> Iterator[Shape]:
    fields = 2 * len(view["route"])
    for n, card in enumerate(view["route"]):
        for side in (0, 1):
            yield from _field(card, side, 2 * n + side, fields)
        around = _sector(2 * n, 2 * n + 1, fields, 0)
        removed = (f"remove {card['card']}",)
        yield Shape(f"card-{card['card']}", "polygon", around, "ocean", moves=removed)
        x, y = _at(2 * n + 0.5, fields, _NAMES)
        yield Shape(f"name-{card['card']}", "text", (x, y + 8), "middle onsea", card["card"])


def _field(card: Mapping[str, Any], side: int, n: int, fields: int) -> Iterator[Shape]:
    """A field: water, and at its inner edge its colour."""
    colour, name = card["fields"][side], card["card"]
    yield Shape(f"field-{name}-{colour}", "polygon", _sector(n, n, fields, 2), "water")
    band = _sector(n, n, fields, 2, _BAND)
    yield Shape(f"band-{n}", "polygon", band, f"full {colour}")
    aside = 15 * fields / math.tau / _COLOURS
    at = _at(n - aside, fields, _COLOURS)
    yield Shape(f"suit-{n}", "figure", (*at, 0), f"{_EMBLEM[colour]} sign {colour}")
    letter = colour[0].upper()
    x, y = _at(n + aside, fields, _COLOURS)
    yield Shape(f"colour-{name}-{colour}", "text", (x, y + 8), f"middle on {colour}", letter)
    if card["start"][side]:
        aside = 0.25 if card["dolphin"][side] else 0
        yield Shape(f"start-{name}", "figure", (*_at(n + aside, fields, 250), 0), "wave inked")
    if card["dolphin"][side]:
        at = _at(n, fields, _DOLPHINS)
        yield Shape(f"dolphin-{name}-{colour}", "figure", (*at, 0, 85), "dolphin dark")


@cache
def _clockwise() -> Shape:
    """Which way boats sail."""
    chevrons = (
        (*_at(n - 0.12, 16, _BOATS + 10), *tip, *tip, *_at(n - 0.12, 16, _BOATS - 10))
        for n in (1, 5, 9, 13)
        for tip in [_at(n, 16, _BOATS)]
    )
    return Shape("heading", "lines", tuple(chain(*chevrons)), "heading")


def _sector(first: float, last: float, fields: int, gap: int, far: int = _OUTER) -> tuple[int, ...]:
    """The outline of the ring from one field to another, with a gap at either end."""
    edge = gap / 2 / _INNER * fields / math.tau
    start, end = first - 0.5 + edge, last + 0.5 - edge
    steps = math.ceil((end - start) * far / 8 / fields)
    turns = [start + (end - start) * k / steps for k in range(steps + 1)]
    outer = [_at(turn, fields, far) for turn in turns]
    inner = [_at(turn, fields, _INNER) for turn in reversed(turns)]
    return tuple(number for point in (*outer, *inner) for number in point)


def _at(n: float, parts: int, far: int) -> Point:
    """The point `far` from the centre, clockwise from the top by n of `parts` parts of a turn."""
    angle = math.tau * n / parts
    x, y = _CENTRE
    return x + round(far * math.sin(angle)), y - round(far * math.cos(angle))


def _race(view: Mapping[str, Any]) -> Iterator[Shape]:
    """The way from the last boat to the first: whoever makes it a whole ring wins."""
    fields = 2 * len(view["route"])
    boats = view["boats"].values()
    last, first = min(boats, default=0), max(boats, default=0)
    if first == last:
        return
    far = min(first - last, fields)
    steps = math.ceil(26 * far / fields)
    points = [_at(last + far * n / steps, fields, _BOATS) for n in range(steps + 1)]
    ends = (number for pair in pairwise(points) for point in pair for number in point)
    yield Shape("race", "lines", tuple(ends), "wake")
    if view["leader"] and not view.get("ended"):
        short = max(0, fields + 1 - (first - last))
        leads = Counted(
            "{seat:seat} leads, {n} field short of lapping the last boat.",
            "{seat:seat} leads, {n} fields short of lapping the last boat.",
        )
        says = say(leads, n=short, seat=view["leader"])
        at = 510, 2 * _CENTRE[1] - 18, _WIDTH - 514
        yield Shape("legend-short", "figure", (490, at[1] - 8, 0), "crown art-crown")
        yield Shape("short", "text", at, "onsea", say("{n} to win", n=short), says=says)


def _boats(view: Mapping[str, Any]) -> Iterator[Shape]:
    fields = 2 * len(view["route"])
    there: dict[int, list[str]] = {}
    for seat, boat in view["boats"].items():
        there.setdefault(boat % fields, []).append(seat)
    for field, seats in there.items():
        card = view["route"][field // 2]
        where = say(
            "{card} {colour}", card=card["card"], colour=COLOUR_SAYS[card["fields"][field % 2]]
        )
        for n, seat in enumerate(seats):
            tilted = view["announced"][seat] is True
            (x, y), size = _berth(field, fields, n, len(seats))
            place, look = (x, y, 30 if tilted else 0, size), f"boat full {_hue(view, seat)}"
            says, letter = _sails(seat, where, tilted), row.number(view, seat)
            yield Shape(f"boat-{seat}", "figure", place, look, letter, says=says)
            if view["leader"] == seat:
                at = x - size // 8, y - size // 5, 0, size * 3 // 5
                yield Shape("first", "figure", at, "crown art-crown")


def _berth(field: int, fields: int, n: int, boats: int) -> tuple[Point, int]:
    """The place of the n-th boat on a field, and the size of its boats in percent: if there are
    several, they are small and two abreast."""
    if boats == 1:
        return _at(field, fields, _BOATS), 130
    rank, side = divmod(n, 2)
    far = _BERTHS - 32 * rank
    alone = n == boats - 1 and not side
    aside = 0 if alone else (side - 0.5) * 32 * fields / math.tau / far
    return _at(field + aside, fields, far), 70


def _sails(seat: str, where: Sentence, tilted: bool) -> Sentence:
    if tilted:
        return say("The boat of {seat:seat} is on {where}, tilted.", seat=seat, where=where)
    return say("The boat of {seat:seat} is on {where}.", seat=seat, where=where)


def _hue(view: Mapping[str, Any], seat: str) -> str:
    return row.hues(tuple(view["seats"]), _HUES)[seat]


# ---------------------------------------------------------------------------------- the cards


def _trick(view: Mapping[str, Any]) -> Iterator[Shape]:
    """The players in the order of the trick, with the card or the empty place of each; that which
    takes the trick as it stands is raised. Between tricks only who leads, and who follows."""
    x, y = _CENTRE
    seats, table = view["seats"], dict(view["table"])
    if not view["route"] or view.get("ended"):
        return
    lead = seats.index(view["lead"])
    step = min(84, 248 // len(seats)) if table else 41  # clear of the names of cards
    for n, seat in enumerate((*seats[lead:], *seats[:lead])):
        middle = x + step * (2 * n + 1 - len(seats)) // 2
        disc = middle, y + (46 if table else 62), 18
        place = middle - step // 2 + 3, y - 60, step - 6, 88
        to_play = view["asked"] == "card" and view["turn"] == seat
        if seat in table:
            takes = seat == _takes(view)
            if takes:
                place = (place[0], y - 74, *place[2:])
                at = min(max(middle, x - 64), x + 64), y - 82
                yield Shape("takes", "text", at, "middle island", say("wins"))
            says = say("{seat:seat} has played {card}.", seat=seat, card=table[seat])
            played = _card(f"table-{seat}", table[seat], place)
            yield played._replace(says=says, kin=f"table-{seat}-{table[seat]}")
        elif table:
            yield Shape(f"place-{seat}", "box", place, "turn" if to_play else "site")
        elif to_play:
            yield Shape(f"place-{seat}", "disc", (*disc[:2], 25), "turn")
        number = row.number(view, seat)
        yield Shape(f"player-{seat}", "disc", disc, f"full {_hue(view, seat)}", number)
    if not table:
        yield Shape("order", "text", (x, y + 106), "middle island", say("order of play"))
    if view["led"]:
        yield Shape(
            "led",
            "text",
            (x, y + 98),
            "middle island",
            say("{colour} is led", colour=COLOUR_SAYS[view["led"]]),
            says=say("The colour led is {colour}.", colour=COLOUR_SAYS[view["led"]]),
        )


def _takes(view: Mapping[str, Any]) -> str | None:
    """Who takes the trick as it stands; nobody as long as octopuses alone lie there."""
    seats, cards = zip(*view["table"], strict=True)
    return None if {*cards} == {OCTOPUS} else seats[winner(cards, view["trump"])]


def _card(name: str, card: str, place: tuple[int, int, int, int]) -> Shape:
    if card == HIDDEN:
        return Shape(name, "box", place, "card back wave")
    if card in (KANALOA, OCTOPUS):
        return Shape(name, "box", place, f"card {_EMBLEM[card]}", card[0].upper())
    colour = COLOUR[card]
    look = f"full {colour} {_EMBLEM[colour]}"
    return Shape(name, "box", place, look, str(VALUE[card]))


def _player(view: Mapping[str, Any], seat: str, top: int) -> Iterator[Shape]:
    hand, announced = view["hands"][seat], view["announced"][seat] is True
    line = top + 36
    room = _WIDTH - 98 - _CARD * len(hand)
    look = f"full {_hue(view, seat)}"
    disc = Shape(f"seat-{seat}", "disc", (44, top + 43, 21), look, row.number(view, seat))
    back = (6, top + 3, _WIDTH - 12, _CLOSE)
    lies = _hand(seat, hand, top + 6)
    yield from row.player(view, seat, back, disc, (80, line, room), lies)
    if view["leader"] == seat and not view.get("ended"):
        yield Shape(f"crown-{seat}", "figure", (44, top + 16, 0), "crown art-crown")
    stands = row.standing(view, seat, _standing(view, seat))
    yield Shape(f"tricks-{seat}", "text", (80, line + 29, room), "faint", stands)
    taken = Counted(
        "{seat:seat} has taken {n} trick in this round.",
        "{seat:seat} has taken {n} tricks in this round.",
    )
    says = say(taken, n=view["tricks"][seat], seat=seat)
    yield Shape(f"taken-{seat}", "text", (80, line), "faint", says=says)
    # What is said of a hand changes with every card: as a shape of its own it keeps pages small.
    cards = row.held(hand) or [say("no card")]
    holds = say("{seat:seat} holds {cards:all}.", seat=seat, cards=cards)
    yield Shape(f"holds-{seat}", "text", (80, line), "faint", says=holds)
    if announced:
        says = say("{seat:seat} has announced to take no trick.", seat=seat)
        yield Shape(f"announced-{seat}", "text", (80, line), "faint", says=says)


def _hand(seat: str, hand: Iterable[str], top: int) -> Iterator[Shape]:
    for card, name, x in row.from_the_right(hand, _WIDTH - 8, _CARD):
        shown = _card(f"hand-{seat}-{name}", card, (x, top, 46, 68))
        says = row.holds(seat, card)
        shown = shown._replace(look=f"slip {shown.look}", says=says, told=True)
        yield shown if card == HIDDEN else shown._replace(moves=(f"{seat}: {card}",), name=card)


def _standing(view: Mapping[str, Any], seat: str) -> Sentence:
    """How a player stands, briefly: how far behind the first boat, or what they have taken where
    that matters more."""
    n, announced, boats = view["tricks"][seat], view["announced"][seat], view["boats"]
    if announced == HIDDEN:
        return say(Counted("{n} trick, ready", "{n} tricks, ready"), n=n)
    if announced and not n and not view["mark"]:
        return say("announced: no trick")
    if view["leader"] and (view["mark"] or not announced) and not view.get("ended"):
        far = max(boats.values()) - boats[seat]
        return say("{n} behind", n=far) if far else say("ahead")
    return say(Counted("{n} trick", "{n} tricks"), n=n)
