"""Whatever a board prints is read as what it stands for there, or asked back: never as another."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import pytest
from long import many

import pbem
from pbem.core import Move, Refused
from pbem.play import games
from pbem.play import judge as play
from pbem.rules.kahuna.board import ISLANDS
from pbem.shapes import Scene
from pbem.testing import play_out, variants
from pbem.testing.random_matches import PlayedPly

MATCHES: Final = 2
POSITIONS: Final = many(6, 16)

STANDS_FOR: Final[Mapping[str, Mapping[str, str]]] = {
    "kahuna": {r"(?:island|hand-(?:white|black))-([A-Z]+)(?:-\d)?": "{}"},
    "kanaloa-bambus": {
        r"letter-([A-Z])": "{}",
        r"tile-[A-Z]-([a-z/]+\d)(?:-\d)?": "{}",
        r"offering-[a-z]+-([a-z/]+\d)(?:-\d)?": "{}",
        r"sign-([a-z]+)": "{}:",
        r"seat-([a-z]+)": "{}",
    },
    "kanaloa-piatnik": {
        r"(?:name|card)-(M\d\d)": "{}",
        r"(?:hand-)?[a-z]+-(octopus|kanaloa)(?:-\d)?": "{}",
    },
}
"""Of each game, which shapes' labels stand for a thing that orders name: how the end of their id
(a colour's card with a space) is written in an order."""


def labels(game: str, scene: Scene) -> Iterator[tuple[str, str]]:
    """What is printed, and how the thing it stands for is written in an order."""
    for shape in scene.shapes:
        for pattern, written in STANDS_FOR[game].items():
            if shape.label and (found := re.fullmatch(pattern, shape.id)):
                yield written.format(shape.label), written.format(found[1])


def in_ascii(game: str, view: Mapping[str, Any], lines: list[str]) -> Iterator[tuple[str, str]]:
    """The same of the board in ASCII: what stands beside each island, what the legend says."""
    text = "\n".join(lines)
    if game == "kanaloa-bambus":
        for island, tiles in view["islands"].items():
            codes, *_ = re.findall(rf"[\[{{]{island}((?: [^\s\]}}]+)*)[\]}}]", text)
            yield from zip(codes.split(), tiles, strict=True)
        [legend] = re.findall(r"^Offerings ((?:.|\n  )+)", text, re.M)
        for letter, god in re.findall(r"(\S) (\w+)", legend):
            yield f"{letter}:", f"{god.lower()}:"
    elif game == "kahuna":
        for code in re.findall(r"(?<![A-Za-z\[])([A-L]{2})(?![A-Za-z])", text):
            one, other = (next(i for i in ISLANDS if i[0] == letter) for letter in code)
            yield code, f"{one}-{other}"
    else:
        yield from re.findall(r"(?<!\w)([BRGT]) ([a-z]+)", text)


def said_so(text: str, printed: str, thing: str) -> str | None:
    """An order with what is printed in place of a thing; None where it does not name it."""
    other = re.sub(rf"(?<![\w/]){re.escape(thing)}(?![\w/])", lambda _: printed, text)
    return None if other == text else other


def positions(name: str) -> Iterator[PlayedPly]:
    for variant in variants(name)[::3]:
        for seed in range(MATCHES):
            yield from play_out(name, seed, variant).some(POSITIONS)


def misread(game: Any, ply: PlayedPly, said: str, meant: Move) -> str | None:
    """What is played in place of what was meant; None where it is that, or asked back."""
    try:
        played = play.resolve(game, ply.state, ply.seat, game.parse(said))
    except Refused:
        return None
    return None if played == meant else game.notate(played)


@pytest.mark.parametrize("name", games.OWN)
def test_what_a_board_prints_is_never_read_as_something_else(name: str) -> None:
    game, read = games.game(name), 0
    for ply in positions(name):
        view = game.view(ply.state)
        printed = {*labels(name, game.scene(view))}
        for draw in (game.draw, game.draw_narrow):
            printed |= {*in_ascii(name, view, draw(view))}
        moves = play.legal_moves(game, ply.state, ply.seat)[:200]
        for label, thing in printed:
            for move in moves:
                for form in (label, label.lower(), label.upper()):
                    if said := said_so(game.notate(move), form, thing):
                        assert misread(game, ply, said, move) is None, (said, game.notate(move))
                        read += 1
    assert read > 1000


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("take {}", "take {}"),
        ("give {}", "give {}"),
        ("rob red {}", "rob red {}"),
        ("sacrifice ku: {}", "sacrifice ku: {}"),
        ("sacrifice U: {}", "sacrifice ku: {}"),
        ("swap A:{} E:pele4", "swap A:{} E:pele4"),
        ("deal {}", "deal {}"),
    ],
)
@pytest.mark.parametrize(
    ("code", "tile"),
    [
        ("UK4", "kanaloa/ku4"),
        ("U4", "ku4"),
        ("K4", "kanaloa4"),
        ("*4", "kane4"),
        ("\N{BLACK STAR}4", "kane4"),
        ("LP4", "lono/pele4"),
        ("pl 4", "lono/pele4"),
        ("ku4", "ku4"),
        ("Ku 4", "ku4"),
    ],
)
def test_an_offering_can_be_written_as_the_map_shows_it(
    said: str, meant: str, code: str, tile: str
) -> None:
    game = games.game("kanaloa-bambus")
    pattern = game.parse(said.format(code))
    assert game.notate(pattern.move) == meant.format(tile)
    assert pattern.others == ()


KU4: Final = {"turn": "red", "stage": "arrived", "arrived": "O", "pawns": {"red": ["O"]}}


@pytest.mark.parametrize("there", [["kanaloa/ku4", "ku4"], ["kanaloa/ku4", "pele4"], ["ku4"]])
def test_ku_in_capitals_is_asked_about_where_both_its_readings_are_there(there: list[str]) -> None:
    view = {**KU4, "islands": {"O": there}}
    table = pbem.Table.at(
        "kanaloa-bambus", view, ("red", "yellow", "green", "blue"), options={"setup": "basic"}
    )
    fitting = [tile for tile in there if "ku" in tile]
    if len(fitting) == 1:
        assert fitting[0] in table.play("red", "take KU4").view()["offerings"]["red"]
        return
    with pytest.raises(pbem.Ambiguous) as asked:
        table.play("red", "take KU4")
    assert asked.value.choices == ("take kanaloa/ku4", "take ku4")
    assert "ku4" in table.play("red", "take ku4").view()["offerings"]["red"]
    assert "kanaloa/ku4" in table.play("red", "take uk4").view()["offerings"]["red"]


def test_too_many_doubtful_codes_are_asked_about() -> None:
    with pytest.raises(pbem.Unreadable, match="KU stands for two things") as asked:
        games.game("kanaloa-bambus").parse("sacrifice ku: KU4 KU4 KU4 KU4 KU4 KU4 KU4 KU4")
    assert "UK4" in asked.value.hint


@pytest.mark.parametrize("said", ["take KK4", "take KLP4", "sacrifice K: K4", "take K*4"])
def test_letters_that_are_no_offering_are_not_guessed(said: str) -> None:
    with pytest.raises(pbem.Unreadable):
        games.game("kanaloa-bambus").parse(said)
