"""The board of Kahuna as shapes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from pbem.core import HIDDEN
from pbem.files import data
from pbem.rules import row
from pbem.rules.kahuna.board import BRIDGES, DATA, ENDS, ISLANDS, LINES, SEATS
from pbem.sentence import Counted, Sentence, say
from pbem.shapes import Scene, Shape

_WIDTH, _HEIGHT, _PANEL, _CARD = 720, 912, 588, 80


def scene(view: Mapping[str, Any]) -> Scene:
    """The board, the cards on the table and each player's hand, as far as the view shows them."""
    return Scene(_WIDTH, _HEIGHT, tuple(_shapes(view)))


def _shapes(view: Mapping[str, Any]) -> Iterator[Shape]:
    yield Shape("sea", "box", (0, 0, _WIDTH, _PANEL), "sea")
    yield from _islands(view, "shallow", 20)
    yield from _lines(view)
    yield from _islands(view, "island", 0)
    yield from _stones(view)
    yield Shape("panel", "box", (0, _PANEL, _WIDTH, _HEIGHT - _PANEL), "panel")
    yield from _table(view)
    for n, seat in enumerate(SEATS):
        yield from _player(view, seat, _PANEL + 128 + 98 * n)


@cache
def _at() -> Mapping[str, tuple[int, int]]:
    board = data.game_file(DATA, "board")
    return {
        each["name"]: ((each["svg"][0] - 240) * 37 // 20 + 74, (each["svg"][1] - 160) * 2 + 66)
        for each in board["islands"]
    }


def _islands(view: Mapping[str, Any], look: str, more: int) -> Iterator[Shape]:
    for island in ISLANDS:
        x, y = _at()[island]
        owner = view["control"].get(island)
        says = None
        label = ""
        if look == "island":
            label = island
            says = (
                say("{owner:seat} controls {island}.", owner=owner, island=island)
                if owner
                else say("Nobody controls {island}.", island=island)
            )
        place = (x, y, 52 + more, 36 + more)
        yield Shape(f"{look}-{island}", "blob", place, look, label, says=says)


def _lines(view: Mapping[str, Any]) -> Iterator[Shape]:
    for line in sorted(LINES, key=view["bridges"].__contains__):
        one, other = ENDS[line]
        owner = view["bridges"].get(line)
        yield Shape(
            f"line-{line}",
            "line",
            (*_at()[one], *_at()[other]),
            f"bridge {owner}" if owner else "way",
            says=say("{line} carries a bridge of {owner:seat}.", line=line, owner=owner)
            if owner
            else None,
        )


def _stones(view: Mapping[str, Any]) -> Iterator[Shape]:
    for island, owner in view["control"].items():
        x, y = _at()[island]
        look, letter = f"stone {owner}", owner[0].upper()
        yield Shape(f"stone-{island}", "disc", (x + 44, y - 28, 18), look, letter)


def _table(view: Mapping[str, Any]) -> Iterator[Shape]:
    top = _PANEL + 20
    for place, card in enumerate(view["display"]):
        yield Shape(
            f"display-{place + 1}",
            "box",
            (20 + 112 * place, top, 100, 72),
            "card",
            card,
            says=say("{card} is face up.", card=card),
        )
    yield Shape(
        "pile-draw",
        "box",
        (372, top, 104, 72),
        "card back",
        str(view["deck"]),
        "pile",
        says=Sentence(
            Counted("One card is in the pile.", "{n} cards are in the pile."), {"n": view["deck"]}
        ),
    )
    discards = sum(view["discard"].values()) + sum(view["tucked"].values())
    yield Shape(
        "discards",
        "box",
        (488, top, 112, 72),
        "card",
        str(discards),
        "discards",
        says=Sentence(
            Counted("One card is discarded.", "{n} cards are discarded."), {"n": discards}
        ),
    )
    yield Shape("round", "text", (622, top + 32), "strong", say("Round"), says=None)
    yield Shape(
        "round-number",
        "text",
        (622, top + 62),
        "faint",
        say("{round} of 3", round=view["round"]),
        says=say("It is round {round} of 3.", round=view["round"]),
    )


def _player(view: Mapping[str, Any], seat: str, top: int) -> Iterator[Shape]:
    placed = sum(owner == seat for owner in view["bridges"].values())
    points, hand = view["score"][seat], view["hands"][seat]
    left = Sentence(Counted("{n} bridge left", "{n} bridges left"), {"n": BRIDGES - placed})
    room = _WIDTH - 102 - _CARD * len(hand)
    disc = Shape(f"seat-{seat}", "disc", (42, top + 34, 22), f"stone {seat}", seat[0].upper())
    yield Shape(f"rule-{seat}", "line", (20, top - 14, _WIDTH - 20, top - 14), "rule")
    yield from row.player(view, seat, disc, (78, top + 15, room))
    yield Shape(
        f"score-{seat}",
        "text",
        (78, top + 44),
        "faint",
        row.standing(view, seat, Sentence(Counted("{n} point", "{n} points"), {"n": points})),
        says=Sentence(
            Counted("{seat:seat} has {n} point.", "{seat:seat} has {n} points."),
            {"n": points, "seat": seat},
        ),
    )
    yield Shape(
        f"left-{seat}", "text", (78, top + 73), "faint", left, says=_holds(seat, hand, left)
    )
    for card, name, x in row.from_the_right(hand, _WIDTH - 14, _CARD):
        look, label = ("card back", "") if card == HIDDEN else ("card", card)
        place = (x, top, _CARD - 6, 66)
        says = None if card == HIDDEN else row.holds(seat, card)
        yield Shape(f"hand-{seat}-{name}", "box", place, look, label, says=says, told=True)


def _holds(seat: str, hand: Sequence[str], left: Sentence) -> Sentence:
    if not hand:
        return say("{seat:seat} holds no card; {left}.", seat=seat, left=left)
    return say("{seat:seat} holds {cards:all}; {left}.", seat=seat, cards=row.held(hand), left=left)
