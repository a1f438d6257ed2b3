"""Kanaloa (Bambus): moves as people write them, turns in one mail, and news in words."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from bambus import SEATS, game, is_legal, setup_of, some_states

import pbem
from pbem.core import CHANCE
from pbem.log.match import Replay
from pbem.play import judge as play
from pbem.play.judge import Accepted
from pbem.report.facts import Awaited, News
from pbem.report.render import asked, wording
from pbem.rules.kanaloa_bambus import events

# ---------------------------------------------------------------------------------- notation


def test_a_current_that_cannot_be_sailed_is_refused_by_its_rule() -> None:
    archived = Path(__file__).parent / "archive" / "bambus-two.pbem.yaml"
    now = Replay.read(str(archived), at=200)
    with pytest.raises(pbem.Violation, match="You have no pawn on A") as refused:
        play.resolve(now.game, now.state, "seat2", now.game.parse("A-I"))
    assert refused.value.rule == "B-25"


SPELLINGS = [
    ("move A-E", "move A-E"),
    ("Ahi-Ehu", "move A-E"),
    ("ae", "move A-E"),
    ("ziehe von Ahi nach Ehu", "move A-E"),
    ("sail a to e", "move A-E"),
    ("A → E", "move A-E"),
    ("fish A-E coloured", "fish A-E colour"),
    ("Fisch A-E weiß", "fish A-E white"),
    ("neutral fish E-M", "neutral E-M"),
    ("pawn Limu", "pawn L"),
    ("take Kane 5", "take kane5"),
    ("nimm ku/kanaloa 2", "take kanaloa/ku2"),
    ("take pele + lono 3", "take lono/pele3"),
    ("sacrifice pele: pele4 kane2", "sacrifice pele: kane2 pele4"),
    ("opfere pele4, kane2 und kane2 an Pele", "sacrifice pele: kane2 kane2 pele4"),
    ("sacrifice kane kane3 kane4", "sacrifice kane: kane3 kane4"),
    ("swap E:pele4 A:kane5", "swap A:kane5 E:pele4"),
    ("tausche A: kane 5 mit E: pele 4", "swap A:kane5 E:pele4"),
    ("rob yellow-2 kane5", "rob yellow-2 kane5"),
    ("rob kane5 from yellow", "rob yellow kane5"),
    ("rob pele pele4", "rob pele pele4"),
    ("free the fish", None),
    ("free a-e", "free A-E"),
    ("call dolphin K", "dolphin K"),
    ("dolphin from Kai", "dolphin K"),
    ("land on Ono", "land O"),
    ("give kane2", "give kane2"),
    ("drehe A-E", "reverse A-E"),
    ("wende A-E", "flip A-E"),
    ("veto", "forbid"),
    ("erlaube", "allow"),
    ("second pawn A", "second A"),
    ("zweite figur auf Ahi", "second A"),
    ("volcano E", "volcano E"),
    ("volcano heah", "volcano AEHH"),
    ("volcano AHI", "volcano AHI"),
    ("volcano Ahi", "volcano A"),
    ("Vulkan HEA", "volcano AEH"),
    ("withdraw dolphin", "withdraw dolphin"),
    ("remove Kai", "withdraw K"),
    ("decline", "pass"),
    ("deal volcano", "deal volcano"),
    ("deal pele", "deal pele"),
    ("deal pele4 to A", "deal pele4"),
    ("deal ku/pele4", "deal ku/pele4"),
    ("", None),
    ("move", None),
    ("move A-A", None),
    ("take", "take kanaloa1"),
    ("take kane", None),
    ("take kane2 kane3", None),
    ("sacrifice", None),
    ("sacrifice k: kane3", None),
    ("swap A kane5 E pele4", None),
    ("pass now", None),
    ("dance", None),
    ("x" * 5000, None),
]


@pytest.mark.parametrize(("said", "meant"), SPELLINGS, ids=lambda value: str(value)[:30])
def test_moves_are_read_generously_and_written_in_one_way(said: str, meant: str | None) -> None:
    if meant is None:
        with pytest.raises(pbem.Unreadable):
            game.parse(said)
    else:
        assert game.notate(game.parse(said).move) == meant


def test_random_text_is_read_or_unreadable_and_nothing_else() -> None:
    rng = random.Random(1)
    words = " ".join(said for said, _ in SPELLINGS if len(said) < 60).split()
    for _ in range(4000):
        text = " ".join(rng.choice(words) for _ in range(rng.randint(0, 5)))
        at = rng.randint(0, len(text))
        text = text[:at] + rng.choice("-:/+x5 é\u2192ß") + text[at:]
        try:
            move = game.parse(text).move
        except pbem.Unreadable as trouble:
            start, end = trouble.span
            assert 0 <= start <= end <= max(len(text), 1)
        else:
            assert isinstance(game.notate(move), str)


def test_what_a_text_leaves_open_the_position_settles() -> None:
    t = pbem.Table.at(
        "kanaloa-bambus",
        {
            "turn": "red",
            "gods": {"ku": "red"},
            "pawns": {"red": ["K"], "yellow": ["O"]},
            "offerings": {"red": ["ku4", "kane2", "lono/pele2"], "yellow": ["kane3"]},
            "islands": {"O": ["ku5", "ku5"]},
        },
        SEATS,
        options={"setup": "basic"},
    )
    assert t.play("red", "sacrifice ku4 kane2").view()["temples"]["red"]["ku"] == 6
    with pytest.raises(pbem.Ambiguous, match="sacrifice lono: lono/pele2 or sacrifice pele"):
        t.play("red", "sacrifice lono/pele2")
    with pytest.raises(pbem.Violation, match="None of your pawns is blocked"):
        t.play("red", "dolphin")
    with pytest.raises(pbem.Violation, match="None of your pawns can move to I"):
        t.play("red", "move I")
    t = t.play("red", "move O")
    with pytest.raises(pbem.Violation, match="Nobody you meet here has pele4"):
        t.play("red", "rob pele4")
    t = t.play("red", "rob kane3").play("red", "take")
    assert t.view()["offerings"]["red"] == ["kane2", "kane3", "ku4", "ku5", "lono/pele2"]


# ------------------------------------------------------------ interrupts, a turn in one mail


def test_a_turn_sent_in_one_mail_waits_for_the_others_word() -> None:
    """Up to the horizon it is played; the rest comes back for the desk to hold."""
    position = {
        "turn": "yellow",
        "gods": {"ku": "red", "kanaloa": "yellow"},
        "pawns": {"red": ["P"], "yellow": ["N"], "green": ["H"], "blue": ["I"]},
        "offerings": {"yellow": ["kane2"]},
        "islands": {"P": ["kane2", "ku4"]},
    }
    s = game.position(setup_of(4, setup="basic"), position)
    order = [game.parse(text) for text in ("move N-P", "take ku4", "reverse A-E")]
    first = play.adjudicate(game, s, "yellow", order)
    assert isinstance(first, Accepted)
    (decision,) = game.pending(first.state)
    assert (decision.seat, decision.kind, decision.during) == ("red", "rob", "yellow")
    assert game.notate(decision.default) == "pass"
    assert [pattern.said for pattern in first.unplayed] == ["take ku4", "reverse A-E"]
    robbed = play.adjudicate(game, first.state, "red", [game.parse("rob kane2")])
    assert isinstance(robbed, Accepted)
    second = play.adjudicate(game, robbed.state, "yellow", first.unplayed)
    assert isinstance(second, Accepted)
    assert [pattern.said for pattern in second.unplayed] == ["reverse A-E"]
    drawn = play.adjudicate(game, second.state, CHANCE, [game.parse("deal kane3")])
    assert isinstance(drawn, Accepted)
    last = play.adjudicate(game, drawn.state, "yellow", second.unplayed)
    assert isinstance(last, Accepted)
    assert game.pending(last.state)[0].seat == "green"


ASKED = [
    ({"seat": CHANCE, "kind": "deal", "about": {"to": "K"}}, "A tile must be drawn for K."),
    ({"seat": CHANCE, "kind": "deal", "about": {"to": "red"}}, "A gods card must be dealt to Ana."),
    ({"seat": "red", "kind": "rob", "about": {"at": "O"}}, "Ana may rob somebody on O."),
    (
        {"seat": "red", "kind": "rob", "about": {"at": "O"}, "during": "blue"},
        "Ben comes to O. Ana, do you rob Ben?",
    ),
    ({"seat": "red", "kind": "take", "about": {"at": "O"}}, "Ana must take an offering from O."),
    (
        {"seat": "red", "kind": "veto", "about": {"flip": "M-I"}, "during": "blue"},
        "Ben wants to flip M-I. Ana, do you forbid it?",
    ),
    (
        {"seat": "red", "kind": "veto", "about": {"reverse": "M-I"}, "during": "blue"},
        "Ben wants to reverse M-I. Ana, do you forbid it?",
    ),
    (
        {"seat": "red", "kind": "turn"},
        "It's Ana's turn. Move a pawn, sacrifice, free a fish or call the Dolphin.",
    ),
    ({"seat": "red", "kind": "fish"}, "Ana must lay a fish now."),
]


@pytest.mark.parametrize(("decision", "sentence"), ASKED, ids=lambda value: str(value)[-24:])
def test_a_question_says_what_is_asked_of_whom(decision: dict[str, Any], sentence: str) -> None:
    question = Awaited(**{"about": {}, "default": None, "during": None, **decision})
    names = {"red": "Ana", "blue": "Ben"}
    assert [told for told, _ in asked(game, [question], names)] == [sentence]
    if decision["seat"] == "red":
        [(yours, _)] = asked(game, [question], names, "red")
        assert "Ana" not in yours


def test_silence_means_rob_nothing_allow_and_do_nothing_more() -> None:
    found = {}
    for s in (*some_states(4), *some_states(2)):
        for decision in game.pending(s):
            if decision.default is not None:
                found[decision.kind] = game.notate(decision.default)
                assert is_legal(s, decision.seat, decision.default)
    assert found == {"rob": "pass", "veto": "allow", "turn-end": "pass"}


# ---------------------------------------------------------------------------------- in words

PASSED = [
    (("ku", "gods", "red", "blue", 7, 5, "B-45"), "Ku's gods card goes to Red: 7 beats 5 [B-45]."),
    (
        ("ku", "protection", "blue", None, 5, 7, "B-46"),
        "Ku's protection card goes to Blue, who held the gods card [B-46].",
    ),
    (
        ("pele", "protection", "red", None, 4, 4, "B-51"),
        "Pele's protection card goes to Red, the first to draw level at 4 [B-51].",
    ),
    (
        ("pele", "gods", "red", "blue", 4, 4, "B-A62"),
        "Pele's gods card goes to Red, who is protected and draws level at 4 [B-A62].",
    ),
    (
        ("lono", "gods", "red", "blue", 6, 5, "B-49"),
        "Blue loses Lono's gods card to Red: 6 for Kane, only 5 for Lono [B-49].",
    ),
    (
        ("lono", "gods", None, "blue", 6, 5, "B-A21"),
        "Blue loses Lono's gods card, and nobody gets it: 6 for Kane, only 5 for Lono [B-A21].",
    ),
    (
        ("lono", "protection", "green", "red", 3, 0, "B-49"),
        "Lono's protection card goes from Red to Green, who has sacrificed third most [B-49].",
    ),
    (  # as an earlier version logged it
        ("lono", "protection", "green", "red", 3, 0, "B-A22"),
        "Lono's protection card goes from Red to Green, who has sacrificed third most [B-A22].",
    ),
    (
        ("lono", "protection", None, "red", 0, 0, "B-50"),
        "Red no longer holds Lono's protection card, and nobody gets it [B-50].",
    ),
    (
        ("ku", "gods", "red", None, 3, 0, "B-A25"),
        "Ku's gods card finds an owner: Red, with 3 [B-A25].",
    ),
]


@pytest.mark.parametrize(("fields", "phrase"), PASSED, ids=lambda value: str(value)[-12:])
def test_why_a_card_changes_hands_is_said(fields: tuple[Any, ...], phrase: str) -> None:
    news = [News(7, "red", "", (events.CardPassed(*fields),))]
    assert wording(game, news, {seat: seat.capitalize() for seat in SEATS}) == [f"7: {phrase}"]
