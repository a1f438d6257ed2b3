"""Records as plain data: sealed on the way out, checked on the way in."""

from __future__ import annotations

import pytest

from pbem.core import FLAG, HIDDEN, MOVER, NUMBER, SEAT, Event, fact, many, maybe, one_of, record
from pbem.play.codec import from_plain, to_plain
from pbem.problem import Problem

CARD = one_of("a card", ["ALOA", "BARI"])
SEATS = ("white", "black")


@record
class Dealt(Event):
    to: str = fact(SEAT)
    card: str = fact(CARD, secret="to")


@record
class TurnPassed(Event):
    pass


@record
class Kept(Event):
    cards: tuple[str, ...] = fact(many(CARD, 3), secret=MOVER)
    trick: int = fact(NUMBER)
    last: bool = fact(FLAG)
    led: str | None = fact(maybe(CARD))


EVENTS = (Dealt, TurnPassed, Kept)


def mark(field, value, owner, size):
    return f"sealed:0:{field}/{value}/{owner}/{size}"


@pytest.mark.parametrize(
    ("event", "plain", "sealed"),
    [
        (
            Dealt("white", "ALOA"),
            {"dealt": {"to": "white", "card": "ALOA"}},
            {"dealt": {"to": "white", "card": "sealed:0:dealt.card/ALOA/white/6"}},
        ),
        (
            Dealt("display", "ALOA"),
            {"dealt": {"to": "display", "card": "ALOA"}},
            {"dealt": {"to": "display", "card": "ALOA"}},
        ),
        (
            Dealt("white", HIDDEN),
            {"dealt": {"to": "white", "card": "?"}},
            {"dealt": {"to": "white", "card": "?"}},
        ),
        (TurnPassed(), {"turn-passed": {}}, {"turn-passed": {}}),
        (
            Kept(("ALOA", "BARI"), 3, True, None),
            {"kept": {"cards": ["ALOA", "BARI"], "trick": 3, "last": True, "led": None}},
            {
                "kept": {
                    "cards": "sealed:0:kept.cards/['ALOA', 'BARI']/black/23",
                    "trick": 3,
                    "last": True,
                    "led": None,
                }
            },
        ),
    ],
)
def test_an_event_is_written_and_read_back(event, plain, sealed):
    assert to_plain(event) == plain
    assert from_plain(EVENTS, plain) == event
    assert to_plain(event, "black", SEATS, mark) == sealed


def test_a_sealed_field_is_opened_for_its_owner():
    asked = []

    def open_(field, text, owner):
        asked.append((field, text, owner))
        return ["BARI"] if owner == MOVER else "BARI"

    assert from_plain(EVENTS, {"dealt": {"card": "sealed:0:x", "to": "white"}}, open_) == Dealt(
        "white", "BARI"
    )
    kept = {"kept": {"cards": "sealed:1:y", "trick": 1, "last": False, "led": "ALOA"}}
    assert from_plain(EVENTS, kept, open_) == Kept(("BARI",), 1, False, "ALOA")
    assert asked == [("dealt.card", "sealed:0:x", "white"), ("kept.cards", "sealed:1:y", MOVER)]


def test_what_stays_shut_is_hidden():
    data = {"dealt": {"to": "white", "card": "sealed:0:x"}}
    assert from_plain(EVENTS, data) == Dealt("white", HIDDEN)
    assert from_plain(EVENTS, data, lambda *_: HIDDEN) == Dealt("white", HIDDEN)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"dealed": {}}, "unknown: 'dealed'; did you mean 'dealt'?"),
        ({"zzz": {}}, "unknown: 'zzz'; known are dealt, kept and turn-passed"),
        ({"dealt": {"to": "white"}}, "dealt: missing field: card"),
        (
            {"dealt": {"to": "white", "crad": "ALOA"}},
            "dealt: unknown field 'crad'; did you mean 'card'?",
        ),
        ({"turn-passed": {"seat": "white"}}, "turn-passed: unknown field 'seat'; it has none"),
        ({"dealt": {"to": "white", "card": "ALOE"}}, "dealt.card is 'ALOE'; expected a card"),
        ({"dealt": {"to": "?", "card": "ALOA"}}, "dealt.to is '?'; expected a seat"),
        (
            {"dealt": {"to": ["white"], "card": "sealed:0:x"}},
            "dealt.to is ['white']; expected a seat",
        ),
        (
            {"kept": {"cards": ["ALOA"], "trick": True, "last": True, "led": None}},
            "kept.trick is True; expected a whole number",
        ),
        (
            {"kept": {"cards": "ALOA", "trick": 1, "last": True, "led": None}},
            "kept.cards is 'ALOA'; expected a list of a card",
        ),
        ({"dealt": "white"}, "dealt: expected its fields"),
        ({"dealt": {}, "kept": {}}, "expected one word and its fields"),
        ("turn-passed", "expected one word and its fields"),
        (None, "expected one word and its fields"),
        ({7: {}}, "unknown: 7"),
        ({"kept": {"cards": [["x"] * 99], "trick": 1, "last": True, "led": None}}, "…; expected"),
    ],
)
def test_anything_else_is_a_problem_that_names_the_field_and_the_value(data, message):
    with pytest.raises(Problem) as caught:
        from_plain(EVENTS, data, lambda *_: "ALOA")
    assert message in str(caught.value)


def test_an_opened_value_is_checked_like_any_other():
    data = {"dealt": {"to": "white", "card": "sealed:0:x"}}
    with pytest.raises(Problem, match=r"dealt\.card is 'KAHU'; expected a card"):
        from_plain(EVENTS, data, lambda *_: "KAHU")
