"""Every game reads a move in the words people put it in, and reads none that is denied."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, Final

import pytest
from long import many

import pbem
from pbem.core import CHANCE, Refused
from pbem.meaning.patterns import patterns
from pbem.play import games
from pbem.play import judge as play
from pbem.testing import play_out, variants

SEATED: Final[Mapping[str, Mapping[str, str]]] = {
    "kahuna": {"white": "Ana", "black": "Ben"},
    "kanaloa-bambus": {"red": "Ana", "yellow": "Ben", "green": "Cara", "blue": "Dan"},
    "kanaloa-piatnik": {"red": "Ana", "yellow": "Ben", "green": "Cara"},
}


def at_desk(name: str) -> Any:
    """As much of a match as reading a line takes."""
    players = SEATED[name]
    return SimpleNamespace(
        game=games.game(name),
        players=players,
        setup=SimpleNamespace(seats=tuple(players)),
        keyring=SimpleNamespace(secret=None),
    )


def read(name: str, text: str) -> str:
    """The moves a line says, as pbem writes them; "" where it says none."""
    game = games.game(name)
    try:
        found = patterns(at_desk(name), text)
    except Refused:
        return ""
    return "; ".join(game.notate(pattern.move) for pattern in found)


KAHUNA, BAMBUS, PIATNIK = SEATED
SAID = [
    (BAMBUS, "fish W-O white :)", "fish W-O white"),
    (BAMBUS, "fish W-O, white", "fish W-O white"),
    (BAMBUS, "W-O white", "fish W-O white"),
    (BAMBUS, "lay a white fish on W-O", "fish W-O white"),
    (BAMBUS, "Ich lege einen weißen Fisch auf W-O", "fish W-O white"),
    (BAMBUS, "Einen bunten Fisch von W nach O legen", "fish W-O colour"),
    (BAMBUS, "take the kane 2", "take kane2"),
    (BAMBUS, "Kane 2 please", "take kane2"),
    (BAMBUS, "ich nehme die Kane 2 bitte", "take kane2"),
    (BAMBUS, "Kane 2 nehmen", "take kane2"),
    (BAMBUS, "I'd like to move from H to I", "move H-I"),
    (BAMBUS, "move from H to I, please", "move H-I"),
    (BAMBUS, "ich ziehe von H nach I", "move H-I"),
    (BAMBUS, "von H nach I ziehen", "move H-I"),
    (BAMBUS, "move A I", "move A-I"),
    (BAMBUS, "A-E, kane4", "move A-E; take kane4"),
    (BAMBUS, "E-A, then kane4", "move E-A; take kane4"),
    (BAMBUS, "A-E ziehen, dann kane5 nehmen", "move A-E; take kane5"),
    (BAMBUS, "place my pawn on I", "pawn I"),
    (BAMBUS, "a pawn on A please", "pawn A"),
    (BAMBUS, "Figur auf A setzen", "pawn A"),
    (BAMBUS, "put the volcano on E", "volcano E"),
    (BAMBUS, "an Ku: ku4 opfern", "sacrifice ku: ku4"),
    (BAMBUS, "the kane 2 and the pele 4 to Pele", ""),
    (BAMBUS, "sacrifice the kane 2 and the pele 4 to Pele", "sacrifice pele: kane2 pele4"),
    (BAMBUS, "raube Ben die kane5", "rob yellow kane5"),
    (BAMBUS, "rob the kane 5 from Ben", "rob yellow kane5"),
    (BAMBUS, "fish A E w", "fish A-E white"),
    (BAMBUS, "take kane2, ei", ""),
    (KAHUNA, "take KAHU, ei", ""),
    (KAHUNA, "EI", "ELAI-IFFI"),
    (BAMBUS, "pawn A E", ""),
    (BAMBUS, "take kane2?", ""),
    (BAMBUS, "rob kane5 from Ben please", "rob yellow kane5"),
    (BAMBUS, "I give up", ""),
    (BAMBUS, "drehe den Fisch A-E um", ""),  # over, or round?
    (BAMBUS, "wende den Fisch A-E", "flip A-E"),
    (KAHUNA, "take KAHU?", ""),
    (BAMBUS, "** A-E", ""),
    (KAHUNA, "** draw", ""),
    (BAMBUS, "not A-E", ""),
    (BAMBUS, "flip no", ""),
    (BAMBUS, "no", ""),
    (BAMBUS, "forbid - no", ""),
    (KAHUNA, "ich baue COCO nach BARI und ziehe dann", "COCO-BARI; draw"),
    (KAHUNA, "COCO nach BARI bauen", "COCO-BARI"),
    (KAHUNA, "KAHU nehmen", "take KAHU"),
    (KAHUNA, "BARI wegwerfen", "discard BARI"),
    (KAHUNA, "ELAI-HUNA mit ELAI und HUNA entfernen", "ELAI+HUNA x ELAI-HUNA"),
    (KAHUNA, "BARI-COCO :)", "BARI-COCO"),
    (KAHUNA, "duda to bari please, and then i'll draw from the deck", "DUDA-BARI; draw"),
    (PIATNIK, "the red 7 please :)", "red 7"),
    (PIATNIK, "rot 7 spielen", "red 7"),
    (PIATNIK, "sage keinen Stich an", "announce"),
    (PIATNIK, "keinen Stich ansagen", "announce"),
    (PIATNIK, "announce no trick, please", "announce"),
    (PIATNIK, "announce no", ""),
    (PIATNIK, "announce: no", ""),
    (PIATNIK, "announce - no", ""),
    (PIATNIK, "announce = no", ""),
    (PIATNIK, "announce openly no", ""),
    (PIATNIK, "ich sage nicht an", ""),
    (PIATNIK, "nicht ansagen", "no announce"),
    (PIATNIK, "dolphin - no", "stay"),
]


@pytest.mark.parametrize(("name", "said", "meant"), SAID)
def test_a_line_is_read_as_people_put_it(name: str, said: str, meant: str) -> None:
    assert read(name, said) == meant


NO = "no|not|never|maybe|later|nein|nicht|kein|non|pas|nem|nie|niet|nej|ei|não|tomorrow|unless Ben"
BEHIND = [
    f"{sign}{word}"
    for word in (*NO.split("|"), "if you agree", "or not")
    for sign in (" ", ": ", " - ", " = ", ", ", " ... ")
]


@pytest.mark.parametrize("name", games.OWN)
def test_what_stands_behind_a_move_and_is_not_understood_makes_it_unclear(name: str) -> None:
    """`dolphin - no` may be read as its denial, but no move is read that the line takes back."""
    game, tried = games.game(name), dict[str, None]()
    for variant in variants(name)[::3]:
        for ply in play_out(name, 1, variant).some(30):
            if ply.seat != CHANCE:
                moves = play.legal_moves(game, ply.state, ply.seat)
                first_of_each = {type(move): game.notate(move) for move in reversed(moves)}
                tried |= dict.fromkeys(first_of_each.values())
    kinds = {text.split()[0] for text in tried}
    assert len(kinds) > 6
    some = [text for kind in sorted(kinds) for text in [t for t in tried if t.startswith(kind)][:2]]
    every = many(3, 1)  # of what may stand behind; the next moves take the next ones
    played = {
        text + behind
        for n, text in enumerate(some)
        for behind in BEHIND[n % every :: every]
        if read(name, text + behind)
    }
    assert {text for text in played if not text.startswith("dolphin")} == set()


def test_a_bare_current_or_offering_is_whatever_is_asked_for() -> None:
    game = games.game(BAMBUS)
    assert {game.notate(each).split()[0] for each in game.parse("A-E").readings} == {
        "move",
        "fish",
        "neutral",
    }
    table = pbem.Table.start(BAMBUS, ("red", "yellow", "green"))
    while table.pending[0].kind != "fish":
        table = table.play(table.pending[0].seat, table.legal(table.pending[0].seat)[0])
    seat = table.pending[0].seat
    with pytest.raises(pbem.Ambiguous, match="could mean fish A-E colour or fish A-E white"):
        table.play(seat, "A-E")
    assert table.play(seat, "A-E white").view()["fish"]["A-E"] == {"of": seat, "up": "white"}
