"""The ring of Kanaloa (Piatnik) as shapes, with the trick inside and the hands below."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import chain
from typing import Any, Final

from pbem.core import HIDDEN
from pbem.rules import row
from pbem.rules.coast import ROUND, outline
from pbem.rules.kanaloa_piatnik.board import COLOUR, COLOUR_SAYS, KANALOA, OCTOPUS, TRICKS, VALUE
from pbem.rules.kanaloa_piatnik.trick import winner
from pbem.sentence import Sentence, say
from pbem.shapes import Scene, Shape, around

_WIDTH: Final = 720
_CENTRE: Final = 360, 360
_INNER, _BAND, _OUTER = 192, 230, 348
_NAMES, _COLOURS, _DOLPHINS, _BOATS, _BERTHS = 166, 211, 254, 302, 326
"""Distances from the centre: of the ends of coloured bands and of the water of fields, and of what
is in them and, within, of the cards' names."""
_OWN, _OPEN, _LINE = 172, 72, 62
"""The height of one's own row, of another's whose cards are known, and of any other: two of these
are abreast."""
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

_WORD: Final = {KANALOA: say("Kanaloa"), OCTOPUS: say("octopus")}
Point = tuple[int, int]
Place = tuple[int, int, int, int]


def scene(view: Mapping[str, Any]) -> Scene:
    """The route as a ring, sailed clockwise, the trick in its middle, each player's hand below."""
    sea = 2 * _CENTRE[1]
    rows = [*_rows(view, sea)]
    height = max(top + high for *_, top, high in rows) + 8
    shapes = (
        Shape("sea", "box", (0, 0, _WIDTH, sea), "sea"),
        *_corners(view, sea),
        *_middle(),
        *_ring(view),
        Shape("track", "disc", (*_CENTRE, _BOATS), "track"),
        _clockwise(),
        *_race(view),
        *_boats(view),
        *_trick(view),
        Shape("panel", "box", (0, sea, _WIDTH, height - sea), "panel"),
        *(
            shape
            for seat, *at in rows
            for shape in _player({**view, "mark": row.mark(view, seat)}, seat, *at)
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
        yield Shape("trump-says", "text", (662, 36), "onsea strong middle", say("Trump"))
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
        Shape("shallow-middle", "polygon", outline(x, y, ROUND, (134, 128)), "shallow coast"),
        Shape("middle", "polygon", outline(x, y, ROUND, (124, 118)), "island coast"),
    )


def _ring(view: Mapping[str, Any]) -> Iterator[Shape]:
    fields = 2 * len(view["route"])
    for n, card in enumerate(view["route"]):
        for nth, colour in enumerate(card["fields"], 2 * n):
            water, band = (
                _sector(nth, 1, fields, *ends) for ends in ((_OUTER, _BAND), (_BAND, _INNER))
            )
            yield Shape(f"field-{card['card']}-{colour}", "arc", water, "water")
            yield Shape(f"band-{nth}", "arc", band, f"full {colour}")
    for n, card in enumerate(view["route"]):
        removed = (f"remove {card['card']}",)
        both = _sector(2 * n, 2, fields, _OUTER, _INNER)
        yield Shape(f"card-{card['card']}", "arc", both, "ocean", moves=removed)
    for n, card in enumerate(view["route"]):
        for side in (0, 1):
            yield from _field(card, side, 2 * n + side, fields)
        x, y = _at(2 * n + 0.5, fields, _NAMES)
        x -= (x - _CENTRE[0]) // 20  # a name is wider than high
        yield Shape(f"name-{card['card']}", "text", (x, y + 8), "middle onsea", card["card"])


def _field(card: Mapping[str, Any], side: int, n: int, fields: int) -> Iterator[Shape]:
    """What is on the water of a field: at its inner edge its colour."""
    colour, name = card["fields"][side], card["card"]
    aside = 13 * fields / math.tau / _COLOURS
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


def _sector(n: int, many: int, fields: int, far: int, near: int) -> tuple[int, ...]:
    """So many fields of the ring from the n-th on, between these distances from its centre."""
    begin, end = (round(360 * (n + part - 0.5) / fields) for part in (0, many))
    return *_CENTRE, far, begin, end - begin, near


def _at(n: float, parts: int, far: int) -> Point:
    """The point `far` from the centre, clockwise from the top by n of `parts` parts of a turn."""
    return around(*_CENTRE, far, 360 * n / parts)


def _race(view: Mapping[str, Any]) -> Iterator[Shape]:
    """The way from the last boat to the first: whoever makes it a whole ring wins."""
    fields = 2 * len(view["route"])
    boats = view["boats"].values()
    last, first = min(boats, default=0), max(boats, default=0)
    if first == last:
        return
    far = min(first - last, fields)
    begin, turn = (round(360 * n / fields) for n in (last, far))
    yield Shape("race", "arc", (*_CENTRE, _OUTER - 8, begin, turn), "wake")
    if view["leader"] and not view.get("ended"):
        short = max(0, fields + 1 - (first - last))
        leads = "{seat:seat} leads, {n} [field|fields] short of lapping the last boat."
        says = say(leads, n=short, seat=view["leader"])
        at = 510, 2 * _CENTRE[1] - 18, _WIDTH - 514
        yield Shape("legend-short", "figure", (490, at[1] - 8, 0), "crown art-crown")
        to_win = say("{n} [field|fields] to win", n=short)
        yield Shape("short", "text", at, "onsea", to_win, says=says)


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
    far = _BERTHS - 38 * rank
    alone = n == boats - 1 and not side
    aside = 0 if alone else (side - 0.5) * 44 * fields / math.tau / far
    return _at(field + aside, fields, far), 105


def _sails(seat: str, where: Sentence, tilted: bool) -> Sentence:
    if tilted:
        return say("The boat of {seat:seat} is on {where}, tilted.", seat=seat, where=where)
    return say("The boat of {seat:seat} is on {where}.", seat=seat, where=where)


def _hue(view: Mapping[str, Any], seat: str) -> str:
    return row.hues(tuple(view["seats"]), _HUES)[seat]


# ---------------------------------------------------------------------------------- the cards


def _trick(view: Mapping[str, Any]) -> Iterator[Shape]:
    """The places of the players in the order of the trick, those of five in two rows, with the card
    of each who has played below their disc; that of who takes the trick as it stands has a crown.
    The cards of the last trick are still to be seen until one is played to the next."""
    x, y = _CENTRE
    seats, lies = view["seats"], dict(view["table"] or view.get("taken", ()))
    if not view["route"]:
        return
    takes, past = (_takes(view), "") if view["table"] else (view["lead"], " past")
    lead = seats.index(view["lead"])
    across = len(seats) if len(seats) < 5 else 3
    step, high, rows = {4: 60, 5: 68}.get(len(seats), 74), 88, -(-len(seats) // across)
    for n, seat in enumerate((*seats[lead:], *seats[:lead])):
        down, nth = divmod(n, across)
        beside = min(across, len(seats) - down * across)
        left = x + step * (2 * nth - beside) // 2 + 3
        top = y + 6 + (high + 16) * (2 * down - rows) // 2
        place = left, top, step - 6, high
        if seat in lies:
            card = _card(f"{'past' if past else 'table'}-{seat}", lies[seat], place)
            says = say("{seat:seat} has played {card}.", seat=seat, card=lies[seat])
            kin = f"table-{seat}-{lies[seat]}"
            told = {"look": f"{card.look} past"} if past else {"says": says, "kin": kin}
            yield card._replace(**told)
        else:
            to_play = view["asked"] == "card" and view["turn"] == seat
            yield Shape(f"place-{seat}", "box", place, "turn" if to_play else "site onsea")
        disc, number = (left + step // 2 - 3, top, 14), row.number(view, seat)
        yield Shape(f"player-{seat}", "disc", disc, f"full {_hue(view, seat)}", number)
        if seat in lies and seat == takes:
            yield Shape("takes", "figure", (disc[0], top - 18, 0, 85), "crown art-crown")
    foot = y + 15 + (high + 16) * rows // 2
    if not view["led"]:
        if not view.get("ended"):
            yield Shape("order", "text", (x, foot), "middle island", say("order of play"))
        return
    colour = COLOUR_SAYS[view["led"]]
    label = say("{colour} is led", colour=colour)
    says = say("The colour led is {colour}.", colour=colour)
    yield Shape("led", "text", (x, foot), "middle island", label, says=says)


def _takes(view: Mapping[str, Any]) -> str | None:
    """Who takes the trick as it stands; nobody as long as octopuses alone lie there."""
    seats, cards = zip(*view["table"], strict=True)
    return None if {*cards} == {OCTOPUS} else seats[winner(cards, view["trump"])]


def _card(name: str, card: str, place: Place, *, large: bool = False) -> Shape:
    if card == HIDDEN:
        return Shape(name, "box", place, "card back wave")
    if card in (KANALOA, OCTOPUS):
        label = _WORD[card] if large else card[0].upper()
        return Shape(name, "box", place, f"card {_EMBLEM[card]}", label)
    colour = COLOUR[card]
    return Shape(name, "box", place, f"full {colour} {_EMBLEM[colour]}", str(VALUE[card]))


def _rows(view: Mapping[str, Any], top: int) -> Iterator[tuple[str, int, int, int]]:
    """Where each player's row begins, from the left and from the top, and how high it is."""
    left = 0
    for seat in row.nearest(view, view["seats"]):
        high = _high(view, seat)
        if left and high != _LINE:
            left, top = 0, top + _LINE
        yield seat, left, top, high
        if high == _LINE and not left:
            left = _WIDTH // 2
        else:
            left, top = 0, top + high


def _high(view: Mapping[str, Any], seat: str) -> int:
    """How high a row is: where everybody's cards are known all are alike, whoever has none left."""
    if seat == view.get("own"):
        return _OWN
    hands = (view["hands"][other] for other in view["hands"] if other != view.get("own"))
    return _LINE if {*chain(*hands)} <= {HIDDEN} else _OPEN


def _player(view: Mapping[str, Any], seat: str, left: int, top: int, high: int) -> Iterator[Shape]:
    hand, announced = view["hands"][seat], view["announced"][seat] is True
    wide, line, middle = _WIDTH, top + 31, top + 23
    name, stands = (66, line, 224), (300, line, 402)
    if high == _OPEN:
        name, stands = (66, line, 280), (66, line + 29, 290)
    elif high == _LINE:
        wide, line, middle = wide // 2, top + 28, top + 34
        name, stands = (left + 62, line, 224), (left + 62, line + 27, 290)
    look = f"full {_hue(view, seat)}"
    disc = Shape(f"seat-{seat}", "disc", (left + 34, middle, 17), look, row.number(view, seat))
    back = (left + 6, top + 2, wide - 12, high)
    shown = _count(seat, len(hand), left, line) if high == _LINE else _hand(view, seat, top, high)
    yield from row.player(view, seat, back, disc, name, shown)
    if view["leader"] == seat and not view.get("ended"):
        yield Shape(f"crown-{seat}", "figure", (left + 34, middle - 20, 0, 75), "crown art-crown")
    standing = row.standing(view, seat, _standing(view, seat))
    yield Shape(f"tricks-{seat}", "text", stands, "faint", standing)
    taken = "{seat:seat} has taken {n} [trick|tricks] in this round."
    says = say(taken, n=view["tricks"][seat], seat=seat)
    yield Shape(f"taken-{seat}", "text", (66, 724), "faint", says=says)
    # What is said of a hand changes with every card: as a shape of its own it keeps pages small.
    cards = row.held(hand) or [say("no card")]
    holds = say("{seat:seat} holds {cards:all}.", seat=seat, cards=cards)
    yield Shape(f"holds-{seat}", "text", (66, 724), "faint", says=holds)
    if announced:
        says = say("{seat:seat} has announced to take no trick.", seat=seat)
        yield Shape(f"announced-{seat}", "text", (66, 724), "faint", says=says)


def _count(seat: str, cards: int, left: int, line: int) -> Iterator[Shape]:
    """How many hidden cards somebody holds."""
    if cards:
        yield Shape(f"back-{seat}", "box", (left + 292, line - 21, 20, 26), "card back")
        yield Shape(f"count-{seat}", "text", (left + 318, line), "", f"\u00d7{cards}")


def _hand(view: Mapping[str, Any], seat: str, top: int, high: int) -> Iterator[Shape]:
    """The cards of a hand: one's own large, as large as a thumb."""
    hand = view["hands"][seat]
    step, size, down = _CARD, (46, 66), 5
    if high == _OWN:
        step, size, down = min(100, 704 // max(1, len(hand))), (88, 120), 46
    right = 8 + (step - 88) // 2 + step * len(hand) if high == _OWN else _WIDTH - 8
    follow = high == _OWN and _to_follow(view, seat)
    for card, name, x in row.from_the_right(hand, right, step):
        place = x, top + down, *size
        large = high == _OWN
        shown = _card(f"hand-{seat}-{name}", card, place, large=large)
        look = f"{shown.look} grand" if large else f"slip {shown.look}"
        shown = shown._replace(look=look, says=row.holds(seat, card), told=True)
        yield shown if card == HIDDEN else shown._replace(moves=(f"{seat}: {card}",), name=card)
        if follow and COLOUR.get(card, follow) != follow:
            yield Shape(f"veil-{seat}-{name}", "box", place, "veil")


def _to_follow(view: Mapping[str, Any], seat: str) -> str | None:
    """The colour that bars the other cards of the seat whose card is asked for, where that is the
    same with every option."""
    asked = view["asked"] == "card" and view["turn"] == seat and view["table"]
    led = view["led"] if asked and view["table"][0][1] != OCTOPUS else None
    return led if led in map(COLOUR.get, view["hands"][seat]) else None


def _standing(view: Mapping[str, Any], seat: str) -> Sentence:
    """How a player stands, briefly: how far behind the first boat, or what they have taken where
    that matters more."""
    n, announced, boats = view["tricks"][seat], view["announced"][seat], view["boats"]
    if announced == HIDDEN:
        return say("{n} [trick|tricks], ready", n=n)
    if announced and not n and not view["mark"]:
        return say("announced: no trick")
    if view["leader"] and (view["mark"] or view.get("ended") or not announced):
        far = max(boats.values()) - boats[seat]
        return say("{n} behind", n=far) if far else say("ahead")
    return say("{n} [trick|tricks]", n=n)
