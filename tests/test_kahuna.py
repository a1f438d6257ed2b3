"""What Kahuna says when it refuses: a sentence each, with the players' names."""

from __future__ import annotations

import re
from typing import Any

import pytest

import pbem
from pbem.play import games, options, positions
from pbem.problem import Problem
from pbem.report import render
from pbem.report.facts import Awaited

NAMES = {"white": "Ana", "black": "Ben", "chance": "Chance"}
FULL = ["ALOA", "BARI", "COCO", "DUDA", "ELAI"]
LALE = {"HUNA-LALE": "black", "KAHU-LALE": "black"}
OPEN = {"hands": {"white": ["ALOA", "COCO"]}, "open": {"white": ["COCO", "GOLA"]}}

REFUSALS: list[tuple[str, dict[str, Any], dict[str, Any], str]] = [
    # what White writes, the position, the options, what White is told
    ("ALOA-COCO", {}, {}, "No line joins ALOA and COCO [K-2]"),
    ("BARI-ALOA", {"turn": "black"}, {}, "It's Ben's turn, not Ana's [K-5]"),
    ("draw", {"owed": ["display"]}, {}, "It isn't Ana's turn; something must be drawn first [K-5]"),
    (
        "ALOA-BARI",
        {"bridges": {"ALOA-BARI": "black"}},
        {},
        "ALOA-BARI already carries a bridge of Ben [K-9]",
    ),
    ("ALOA-BARI with COCO", {}, {}, "COCO is at neither end of ALOA-BARI [K-8]"),
    ("ALOA-BARI", {}, {}, "You hold no ALOA [K-10]"),
    (
        "ALOA-BARI",
        {"hands": {"white": ["BARI"]}},
        {},
        "You hold no ALOA; with your BARI the same bridge is BARI-ALOA [K-10]",
    ),
    (
        "HUNA+HUNA x HUNA-LALE",
        {"bridges": LALE, "hands": {"white": ["HUNA"]}},
        {},
        "You hold only one HUNA [K-10]",
    ),
    (
        "ALOA-BARI",
        {"hands": {"white": ["?"], "black": ["ALOA"]}, "discard": {"ALOA": 1}},
        {},
        "Ana can't hold ALOA: both cards are elsewhere [K-10]",
    ),
    ("COCO+HUNA x HUNA-LALE", {"bridges": LALE}, {}, "COCO is at neither end of HUNA-LALE [K-21]"),
    (
        "x HUNA-LALE",
        {"bridges": {"HUNA-LALE": "white"}},
        {},
        "The bridge HUNA-LALE is your own; you can remove only bridges of Ben [K-22]",
    ),
    ("x HUNA-LALE", {}, {}, "There is no bridge on HUNA-LALE [K-22]"),
    ("free HUNA-LALE", {}, {}, "Only variant 1 has a bridge without a card [K-23]"),
    (
        "free HUNA-LALE",
        {},
        {"variant1": True},
        "You have not just removed a bridge, so there is no free one [K-44]",
    ),
    (
        "free HUNA-LALE",
        {"free": "ALOA-BARI"},
        {"variant1": True},
        "The free bridge goes on ALOA-BARI, which you have just cleared, not on HUNA-LALE [K-44]",
    ),
    (
        "IFFI-LALE",
        {"bridges": LALE, "hands": {"white": ["IFFI"]}},
        {"variant1": True},
        "Ben controls LALE, so you can't place a bridge there [K-43]",
    ),
    (
        "hidden ALOA-BARI",
        OPEN,
        {"variant2": True},
        "No ALOA is face up in front of you: leave out 'hidden' [K-A24]",
    ),
    (
        "hidden HUNA+HUNA x HUNA-LALE",
        {"bridges": LALE, "hands": {"white": ["HUNA"]}, "open": {"white": ["HUNA"]}},
        {"variant2": True},
        "You spend both HUNA cards, so you can't choose one: leave out 'hidden' [K-A24]",
    ),
    (
        "discard hidden GOLA",
        OPEN,
        {"variant2": True, "discard": "free"},
        "You hold no hidden GOLA [K-10]",
    ),
    (
        "discard ALOA",
        {"hands": {"white": FULL[:4]}},
        {},
        "You may discard only with 5 cards in hand, and you hold 4 [K-15]",
    ),
    (
        "discard ALOA",
        {"hands": {"white": FULL[:4]}, "this_turn": "played"},
        {},
        "You have played a card this turn, so you may not discard [K-15]",
    ),
    (
        "discard ALOA",
        {"hands": {"white": FULL[:4]}, "this_turn": "played"},
        {"discard": "instead"},
        "You have played a card this turn, so you may not discard [K-14]",
    ),
    (
        "ALOA-BARI",
        {"hands": {"white": FULL[:4]}, "this_turn": "discarded"},
        {"discard": "instead"},
        "You have discarded instead of playing cards [K-14]",
    ),
    (
        "ALOA-BARI",
        {"hands": {"white": FULL[:4]}, "this_turn": "discarded"},
        {},
        "You have discarded in order to draw, so you play no more cards [K-A2]",
    ),
    (
        "pass",
        {"hands": {"white": FULL[:4]}, "this_turn": "discarded"},
        {},
        "You have discarded in order to draw, so you must draw [K-A2]",
    ),
    (
        "discard ALOA",
        {"hands": {"white": FULL}, "final_turns": 2},
        {},
        "In the last two turns no card is discarded [K-A18]",
    ),
    (
        "draw",
        {"final_turns": 2},
        {},
        "No cards are left to draw: end your last turn with 'pass' [K-36]",
    ),
    (
        "draw",
        {"hands": {"white": FULL}},
        {},
        "You hold 5 cards: play or discard one before you draw [K-26]",
    ),
    (
        "draw",
        {"deck": 0, "display": ["COCO", "ALOA"]},
        {},
        "The draw pile is empty: take ALOA or COCO [K-51]",
    ),
    (
        "take BARI",
        {"display": ["COCO", "DUDA", "JOJO"]},
        {},
        "BARI isn't face up; COCO, DUDA and JOJO are [K-51]",
    ),
    ("take BARI", {"display": ["COCO", "COCO"]}, {}, "BARI isn't face up; only COCO is [K-51]"),
    ("take BARI", {}, {}, "BARI isn't face up; no card is [K-51]"),
    ("pass", {"passed": True}, {}, "Ben didn't draw, so you must [K-27]"),
    (
        "pass",
        {"passed": True, "hands": {"white": FULL}},
        {},
        "Ben didn't draw, so you must: play or discard a card first [K-28]",
    ),
    ("pass", {}, {"must_draw": True}, "In this match every turn ends with a card drawn [K-50]"),
    (
        "ALOA-BARI",
        {"handicap": {"white": 1}},
        {},
        "The handicap bridges come first: place one, or 'handicap done' [K-47]",
    ),
    (
        "handicap ALOA-BARI",
        {},
        {},
        "Handicap bridges are placed before the first turn, as agreed [K-47]",
    ),
]


@pytest.mark.parametrize(
    ("text", "position", "chosen", "told"), REFUSALS, ids=lambda v: str(v)[:50]
)
def test_a_refusal_is_a_sentence_that_names_the_players(
    text: str, position: dict[str, Any], chosen: dict[str, Any], told: str
) -> None:
    table = pbem.Table.at("kahuna", position, options=chosen)
    with pytest.raises(pbem.Violation) as refused:
        table.play("white", text)
    assert refused.value.text(NAMES) == told


@pytest.mark.parametrize(
    ("position", "chosen"),
    [
        ({}, {}),
        ({"passed": True}, {}),
        ({}, {"must_draw": True}),
        ({"deck": 0}, {}),
        ({"deck": 0, "passed": True}, {}),
        ({"final_turns": 2}, {}),
        ({"this_turn": "discarded"}, {}),
    ],
    ids=str,
)
def test_the_question_names_what_can_end_the_turn_and_nothing_else(
    position: dict[str, Any], chosen: dict[str, Any]
) -> None:
    table = pbem.Table.at("kahuna", {"display": ["COCO", "KAHU"], **position}, options=chosen)
    [asked] = table.pending
    waits = [Awaited(asked.seat, asked.kind, asked.about, None, None)]
    [(question, _)] = render.asked(games.game("kahuna"), waits, NAMES)
    ends = {"draw", "take", "pass"}
    legal = {move.split()[0] for move in table.legal("white")} & ends
    assert {*re.findall(r"\w+", question.partition(", then ")[2])} & ends == legal


UNREADABLE = [
    ("GOLLA-JOJO", "'golla' is neither an island nor a move of Kahuna", "Did you mean GOLA?"),
    ("GOLA", "A line joins two islands; this names only one", "Moves look like this: BARI-DUDA,"),
    (
        "ALOA BARI COCO",
        "A line joins two islands; this names 3",
        "Moves look like this: BARI-DUDA,",
    ),
    ("ALOA-BARI with", "One card places a bridge; this names 0", "Moves look"),
    ("ALOA-BARI with ALOA and BARI", "One card places a bridge; this names 2", "Moves look"),
    ("ALOA x ALOA-BARI", "Two cards remove a bridge; this names 1", "Moves look"),
    ("discard ALOA, BARI", "Name one card for each move: discard ALOA; discard BARI", "Moves look"),
    ("take", "Name one card for each move: take KAHU", "Moves look"),
    ("take hidden ALOA", "You take a card that is face up, not a hidden one", "Moves look"),
    ("discard ALOA draw", "'draw' begins another move", "Write one move on each line, or put a ;"),
    ("draw ALOA", "'aloa' means nothing here", "Moves look like this: BARI-DUDA"),
    ("bari-hidden duda", "'hidden' is neither an island nor a move of Kahuna", ""),
]


@pytest.mark.parametrize(("text", "told", "advice"), UNREADABLE)
def test_what_cannot_be_read_is_said_with_a_way_out(text: str, told: str, advice: str) -> None:
    with pytest.raises(pbem.Unreadable) as refused:
        games.game("kahuna").parse(text)
    assert refused.value.message == told
    assert refused.value.hint.startswith(advice)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("hidden b-d", "hidden BARI-DUDA"),
        ("bari duda with hidden duda", "hidden DUDA-BARI"),
        ("lege verdeckt Bari nach Duda", "hidden BARI-DUDA"),
        ("discard the hidden coco", "discard hidden COCO"),
        ("huna + hidden elai x elai-huna", "hidden ELAI+HUNA x ELAI-HUNA"),
        ("x eh with hidden huna and hidden elai", "hidden ELAI+hidden HUNA x ELAI-HUNA"),
    ],
)
def test_a_hidden_card_may_be_named(text: str, canonical: str) -> None:
    game = games.game("kahuna")
    assert game.notate(game.parse(text).move) == canonical


POSITIONS = [
    ({"bridge": {}}, "'bridge' was unexpected"),
    ({"round": 4}, "round: 4 is greater than the maximum of 3"),
    ({"turn": "red"}, "turn: 'red' is not one of"),
    ({"hands": {"red": ["ALOA"]}}, "'red' was unexpected"),
    ({"score": {"red": 1}}, "'red' was unexpected"),
    ({"display": ["ALOA"] * 3}, "this position has 3 ALOA cards; there are only 2"),
    ({"hands": {"white": FULL}, "open": {"white": ["FAAA"]}}, "white holds 6 cards"),
    ({"hands": {"white": [*FULL, "FAAA"]}}, "hands.white: "),
    ({"deck": 24, "display": ["ALOA"]}, "cannot have 24 cards: 1 of the 24 are elsewhere"),
    ({"bridges": LALE, "control": {}}, "in this position control is {'LALE': 'black'}, not {}"),
]


@pytest.mark.parametrize(("view", "told"), POSITIONS, ids=lambda v: str(v)[:40])
def test_a_position_that_cannot_be_is_refused(view: dict[str, Any], told: str) -> None:
    game = games.game("kahuna")
    with pytest.raises(Problem) as refused:
        positions.placed(game, options.setup(game, game.SEATS), view)
    assert told in refused.value.message


def test_a_hidden_discard_does_not_tell_that_a_copy_lies_open() -> None:
    """The log shows the same words whichever card was discarded."""
    game = games.game("kahuna")
    shown = {
        game.notate(pbem.core.mask(game.parse(text).move, None, "white", game.SEATS))
        for text in ("discard hidden COCO", "discard ALOA")
    }
    assert shown == {"discard ?"}
