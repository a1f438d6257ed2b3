"""Faults put into a copy of Skerries, or of Pearls: each law of the check finds its own."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from commands import pbem
from long import many, within
from outside import brought

from pbem.testing import check, checking, laws_of_trust, random_matches, stopwatch
from pbem.testing.findings import Finding
from pbem.testing.law import Law
from pbem.testing.random_matches import Played

HERE = Path(__file__).parent
FOLDERS = {
    "skerries": HERE / "orders_game",
    "pearls": HERE / "card_game",
    "nerve": HERE / "example_game",
}


class Fault(NamedTuple):
    """Changes to the code of a game, what is told, the function or class it is told of, and after
    how many matches at the latest: a long run plays nine at least."""

    told: str
    at: str
    changes: dict[str, str]
    game: str = "skerries"
    matches: int = 1


SECRET_TO = '    to: str = fact(ISLE, secret="seat")\n'
ISLE = 'ISLE = core.one_of("an isle from a1 to d4", ISLES)\n'
UNLISTED = {ISLE: ISLE.replace("ISLES)", "ISLES)._replace(values=())")}
CARD = 'CARD = core.one_of("a pearl from 1 to 10", PEARLS)\n'
CARRY = "        case CarryOut():\n            yield from carried_out(s)\n"
CALLS = "\n\nCALLS = []\n"
START = "def start(setup):\n"
EFFECTS = "def effects(s, seat, move):\n    match move:\n"
ORDERED = "            yield Ordered(seat, at, does, to)\n"
FINISHED = "            yield Finished(seat)\n"

DECLARED = "view, position, SCHEMA = declared(start, KEYS, settled)\n"


def viewed(body: str) -> str:
    """The declaration, and a view of its own."""
    return f"{DECLARED}_view = view\n\n\ndef view(s):\n{body}"


FAULTS = {
    # ------------------------------------------------------------------- what is sealed
    "an order's isle stands open": Fault(
        "sees it by Ordered.to", "effects", {SECRET_TO: "    to: str = fact(ISLE)\n"}
    ),
    "what a boat does stands open": Fault(
        "sees it by Ordered.does",
        "effects",
        {'    does: str = fact(DOES, secret="seat")\n': "    does: str = fact(DOES)\n"},
    ),
    "a second event repeats the hidden isle": Fault(
        "sees it by Stayed",
        "effects",
        {ORDERED: f"{ORDERED}            yield Stayed(seat, at, to)\n"},
    ),
    "an event only where a boat sails": Fault(
        "sees it by Stayed",
        "effects",
        {
            ORDERED: f'{ORDERED}            if does == "sail":\n'
            '                yield Stayed(seat, "a1", "b1")\n'
        },
    ),
    "a number tells whether somebody amended": Fault(
        "sees it by Stayed.at",
        "effects",
        {
            ORDERED: f"{ORDERED}            boats = {{at, *(each[0] for each in s.orders[seat])}}\n"
            '            yield Stayed(seat, ISLES[len(boats)], "a1")\n'
        },
    ),
    "the order is sealed in the event alone": Fault(
        "Ordered.at is secret, but the same value always stands open, as in Order.at",
        "EVENTS",
        {"    at: str = fact(ISLE, secret=MOVER)\n": "    at: str = fact(ISLE)\n"},
    ),
    "each order is opened at once": Fault(
        "is secret, but the same value always stands open, as in Opened",
        "EVENTS",
        {ORDERED: f"{ORDERED}            yield Opened(seat, at, does, to)\n"},
    ),
    # ------------------------------------------------------ what rests on what is hidden
    "what opens is not declared": Fault(
        "a spectator works out that 'done'", "effects", {"OPENS = (Opened,)\n": ""}
    ),
    "what is carried out is no step of its own": Fault(
        "a spectator works out that 'done'",
        "effects",
        {
            "                yield from (\n                    Opened": "                now = "
            "s._replace(opened={o[0]: o[1:] for e in s.seats for o in last_ones(s.orders[e])})\n"
            "                yield from carried_out(now)\n                yield from (\n"
            "                    Opened"
        },
    ),
    "a fact that counts hidden orders": Fault(
        "a spectator works out that 'done'",
        "effects",
        {
            FINISHED: f"{FINISHED}            sent = len([*last_ones(s.orders[seat])])\n"
            '            yield Stayed(seat, ISLES[sent], "a1")\n'
        },
    ),
    "a flag that rests on hidden orders": Fault(
        "a spectator works out that 'done'",
        "effects",
        {
            FINISHED: f'{FINISHED}            if any("sail" in o for o in s.orders[seat]):\n'
            '                yield Stayed(seat, "a1", "b1")\n'
        },
    ),
    "effects fall over what is hidden": Fault(
        "effects raises",
        "skerries",
        {
            "for order in orders if order != HIDDEN}.values()": "for order in orders}.values()",
            "order[0]: order for": "order[0] + order[2]: order for",
        },
    ),
    "who is asked rests on what is hidden": Fault(
        "works out ",
        "pending",
        {
            "if seat not in s.done or len(s.orders[seat]) < MOST_ORDERS": "if seat not in s.done "
            "or len(last_ones(s.orders[seat])) < 2"
        },
        matches=2,
    ),
    "check is sure of what it cannot know": Fault(
        "is certain to",
        "check",
        {
            "    return True\n\n\ndef effects": "    if isinstance(move, Order) and "
            "(move.at, move.does, move.to) in s.orders.get(seat, ()):\n"
            '        raise Violation("SK-4", "That is ordered")\n    return True\n\n\ndef effects'
        },
    ),
    # -------------------------------------------------------- candidates and check agree
    "candidates leave out what holds": Fault(
        "not among the candidates",
        "candidates",
        {'                    yield Order(at, "hold", at)\n': ""},
    ),
    "candidates leave out a step later on": Fault(
        "not among the candidates",
        "candidates",
        {
            "for to in beside(at)\n": "for to in beside(at)\n"
            "                        if s.round < 3 or to[0] != 'b'\n"
        },
    ),
    "anybody's boat is ordered": Fault(
        "not among the candidates", "candidates", {"s.boats.get(at) != seat:": "at not in s.boats:"}
    ),
    "a boat sails anywhere": Fault(
        "not among the candidates",
        "candidates",
        {'case Order(at, "sail" | "back", to) if': 'case Order(at, "back", to) if'},
    ),
    "a boat sails anywhere, with fields that cannot be listed": Fault(
        "not among the candidates",
        "candidates",
        {**UNLISTED, 'case Order(at, "sail" | "back", to) if': 'case Order(at, "back", to) if'},
    ),
    "anybody's boat is ordered, with fields that cannot be listed": Fault(
        "not among the candidates",
        "candidates",
        {**UNLISTED, "s.boats.get(at) != seat:": "at not in s.boats:"},
    ),
    "a legal step is missing, with fields that cannot be listed": Fault(
        "not among the candidates",
        "candidates",
        {
            **UNLISTED,
            "for to in beside(at)\n": "for to in beside(at)\n"
            "                        if s.round != 2 or to[0] != 'b'\n",
        },
    ),
    "what was possible once is always taken": Fault(
        "not among the candidates",
        "candidates",
        {
            CARD: CARD.replace("PEARLS)", "PEARLS)._replace(values=())"),
            "case Take(card) if card not in s.display:": "case Take(card) if not s.display:",
        },
        "pearls",
    ),
    "a retreat where nobody is": Fault(
        "not among the candidates",
        "candidates",
        {'yield from map(Retreat, beside(decision.about["at"]))': "yield from ()"},
        matches=66,
    ),
    # --------------------------------------------------------------------- what is read
    "capitals are not read": Fault(
        "is no move of Skerries",
        "parse",
        {'" ".join(text.lower().split())': '" ".join(text.split())'},
    ),
    "capitals are read as something else": Fault(
        "is notated for",
        "parse",
        {
            'r"([a-d][1-4]) backs ([a-d][1-4])", said)': 'r"([a-d][1-4]) backs ([a-d][1-4])", '
            "said) if text.islower() else re.fullmatch('()()nothing', said)",
            'r"([a-d][1-4]) ?(?:-|to|sails to) ?([a-d][1-4])", said)': 'r"([a-d][1-4]) '
            '?(?:-|to|BACKS|sails to) ?([a-d][1-4])", text.upper() != text and said or '
            "said.replace('backs', 'to'))",
        },
    ),
    "words that nobody knows are passed over": Fault(
        "expected Unreadable for what it does not know",
        "parse",
        {'" ".join(text.lower().split())': '" ".join(text.lower().split()[:3])'},
        matches=3,
    ),
    "isles that do not exist are read": Fault(
        "expected an isle from a1 to d4", "parse", {"[a-d][1-4])": "[a-z][0-9])"}, matches=2
    ),
    "parse falls over half a text": Fault(
        "parse raises IndexError",
        "skerries",
        {
            "    if said in (": '    said.split("-")[1] if "-" in said else said[0]\n'
            "    if said in ("
        },
    ),
    "two orders are written alike": Fault(
        "is notated for", "parse", {'return f"{at} backs {to}"': 'return f"{at}-{to}"'}
    ),
    "what is read cannot be written again": Fault(
        "and that is read as",
        "parse",
        {
            'r"([a-d][1-4]) holds", said)': 'r"([a-d][1-4]) ?holds?", said)',
            'return core.Pattern(text, Order(found[1], "hold", found[1]))': "return core.Pattern("
            'text, Order(found[1], "hold", found[1] if said.endswith(" holds") else "a1"))',
        },
    ),
    # ------------------------------------------------------------------ the same each time
    "effects change at the 97th call": Fault(
        "effects answers otherwise",
        "effects",
        {
            START: f"CALLS = []\n\n\n{START}",
            EFFECTS: "def effects(s, seat, move):\n    CALLS.append(1)\n"
            "    if len(CALLS) % 97 == 0:\n        return\n    match move:\n",
        },
    ),
    "view changes at the 97th call": Fault(
        "answers otherwise",
        "",
        {
            START: f"CALLS = []\n\n\n{START}",
            DECLARED: viewed(
                "    CALLS.append(1)\n"
                "    return _view(s if len(CALLS) % 97 else s._replace(round=1))\n"
            ),
        },
    ),
    "a view that is remembered by round": Fault(
        "",
        "",
        {
            START: f"KEPT = {{}}\n\n\n{START}",
            DECLARED: viewed(
                "    return {**_view(s), 'done': KEPT.setdefault(s.round, list(s.done))}\n"
            ),
        },
        matches=3,
    ),
    "candidates come in any order": Fault(
        "answers otherwise",
        "",
        {
            "for at, seat in s.boats.items():\n                if": "for at, seat in "
            "__import__('random').sample([*s.boats.items()], len(s.boats)):\n                if"
        },
    ),
    "check remembers whom it has seen": Fault(
        "",
        "",
        {
            START: f"CALLS = []\n\n\n{START}",
            "    return True\n\n\ndef effects": "    CALLS.append(move)\n"
            "    return len(CALLS) % 50 > 0\n\n\ndef effects",
        },
    ),
    "a board of the moment": Fault(
        "draw answers otherwise",
        "draw",
        {
            "    lines = [f\"    {'   '.join(COLUMNS)}\"]\n": "    import time\n"
            "    lines = [str(time.perf_counter())]\n"
        },
    ),
    "who wins is drawn when it is asked": Fault(
        "outcome answers otherwise",
        "outcome",
        {
            "    best = max(scores.values())\n": "    best = __import__('random').random()\n"
            "    scores = {seat: each + best for seat, each in scores.items()}\n"
        },
    ),
    "evolve sails in place": Fault(
        "",
        "",
        {
            "return s._replace(boats={**boats, to: seat}, lit": "s.boats.pop(at, None)\n"
            "            s.boats[to] = seat\n            return s._replace(lit"
        },
    ),
    "position changes what it is given": Fault(
        "",
        "",
        {
            DECLARED: f"{DECLARED}_position = position\n\n\ndef position(setup, view):\n"
            "    boats = view.get('boats', ())\n"
            "    len(boats) > 4 and boats.pop(min(boats))\n"
            "    return _position(setup, view)\n"
        },
    ),
    # ----------------------------------------------------------------------- how long it takes
    "candidates take long": Fault(
        "half the calls of candidates take 0.",
        "candidates",
        {
            "    match decision.kind:\n": "    __import__('time').sleep(0.03)\n"
            "    match decision.kind:\n"
        },
    ),
    "a view takes long": Fault(
        "half the calls of view take 0.",
        "view",
        {DECLARED: viewed("    __import__('time').sleep(0.03)\n    return _view(s)\n")},
    ),
    # ------------------------------------------------------------------------ nobody's moves
    "the house may choose": Fault(
        "gives the house 2 moves",
        "candidates",
        {
            "yield CarryOut()\n": "yield from (CarryOut(), Done())\n",
            '"carry-out", (CarryOut,))': '"carry-out", (CarryOut, Done))',
        },
    ),
    "nobody is awaited": Fault(
        "nobody is awaited",
        "pending",
        {'"orders", (Order, Done), default=Done())': '"orders", (Order, Done), awaited=False)'},
    ),
    "the house carries out for ever": Fault(
        "the match does not end", "evolve", {"round=number + 1)": "round=number)"}
    ),
    "a kind of decision that is not listed": Fault(
        "KINDS says []", "KINDS", {'"amend": (Order,), ': ""}
    ),
    # ------------------------------------------------------------------------- constants
    "opens what is no event": Fault(
        "expected events that stand in EVENTS", "OPENS", {"OPENS = (Opened,)": "OPENS = (Order,)"}
    ),
    "a number of plies in words": Fault(
        "expected a number of plies", "MOST_PLIES", {START: f'MOST_PLIES = "many"\n\n\n{START}'}
    ),
    "scores in words": Fault(
        "scores that are numbers",
        "skerries",
        {'"SK-11", scores)': '"SK-11", {seat: str(score) for seat, score in scores.items()})'},
    ),
}


@contextmanager
def faulty(folder: Path, fault: Fault) -> Iterator[None]:
    """A copy of a game with a fault, installed."""
    copy = folder / "copy"
    shutil.copytree(FOLDERS[fault.game], copy, ignore=shutil.ignore_patterns("__pycache__"))
    path = copy / fault.game / "__init__.py"
    text = path.read_text().replace("(), (2, 7)", "(), (2, 4)")  # fewer variants, more matches each
    for right, wrong in fault.changes.items():
        assert right in text, right
        text = text.replace(right, wrong)
    path.write_text(text)
    with brought(copy):
        yield


class Found(Exception):
    """It is, and the check need not go on."""


def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A function is slow that takes a fiftieth of a second, and that is said after three calls."""
    monkeypatch.setattr(stopwatch, "SLOW", 0.02)
    monkeypatch.setattr(stopwatch, "PATIENCE", 0.1)


DEAR = "a_match_is_logged_sealed_opened_and_told_to_every_reader"
"""A law that takes as long as all others together."""


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_fault_is_found_and_said_of_the_function_it_is_in(
    fault: Fault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def until_found(*given: Any) -> list[Finding]:
        if any(map(told, found := first(*given))):
            raise Found
        return found

    def told(finding: Finding) -> bool:
        place, _, says = str(finding).partition(": ")
        return fault.at in place and fault.told in says

    first = checking._first
    monkeypatch.setattr(checking, "_first", until_found)
    likely_first = sorted(checking.PLAYED, key=lambda law: (law.subject != fault.at, DEAR in law))
    monkeypatch.setattr(checking, "PLAYED", tuple(likely_first))
    monkeypatch.setattr(stopwatch, "PATIENCE", 0.6)
    if "take 0." in fault.told:
        at_once(monkeypatch)
    monkeypatch.setattr(laws_of_trust, "AGAIN", 100)
    monkeypatch.setattr(random_matches, "MOST_PLIES", 2000)  # the longest have a few hundred
    with within(60), faulty(tmp_path, fault), suppress(Found):
        found = check(fault.game, max(fault.matches, many(1, 9)))
        assert any(map(told, found)), found


def test_there_are_forty_of_them() -> None:
    assert len(FAULTS) >= 40


# ------------------------------------------------------------------------ what else it says


@pytest.fixture
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """No laws and few matches: who needs them says so."""
    monkeypatch.setattr(checking, "PLAYED", ())
    monkeypatch.setattr(checking, "MATCHES", 6)


def test_a_slow_function_is_said_within_a_minute_with_the_others_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_once(monkeypatch)
    with within(60), faulty(tmp_path, FAULTS["candidates take long"]):
        done = pbem("games", "--check", "skerries")
    assert done.code == 70
    assert re.search(r"^  candidates … \d+\.\d s$", done.out, re.MULTILINE)
    assert "0 of 100 matches played …" in done.err


def test_check_need_not_know_chance_as_a_player(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = tuple(law for law in checking.PLAYED if law.subject in ("candidates", "check"))
    monkeypatch.setattr(checking, "PLAYED", tried)
    lay = {"if missing(s.hands.get(seat, ()), [card]):": "if missing(s.hands[seat], [card]):"}
    with faulty(tmp_path, Fault("", "", lay, "pearls")):
        assert check("pearls", 3) == []


def test_of_a_game_with_few_variants_more_matches_are_looked_at(
    brief: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: dict[str, list[int]] = {"cairn": [], "skerries": []}

    def holds(played: Sequence[Played], plies: int) -> Iterator[Finding]:
        seen[played[0].game.NAME].append(len([*played]))
        yield from ()

    monkeypatch.setattr(checking, "PLAYED", (Law("a_law", holds, "check", 4, 0),))
    with brought(HERE / "sound_games", FOLDERS["skerries"]):
        assert check("cairn", 12) == check("skerries", 12) == []
    assert seen == {"cairn": [8], "skerries": [2] * 6}


def test_kinds_of_decision_that_no_match_came_to_are_named_and_no_finding(
    brief: None, tmp_path: Path
) -> None:
    kinds = 'KINDS = {"turn": (Choose,), "bid": (Choose,)}'
    with faulty(tmp_path, Fault("", "", {START: f"{kinds}\n\n\n{START}"}, "nerve")):
        told = pbem("games", "--check", "nerve", "--json").json
        assert told["findings"] == []
        assert told["unmet"] == ["bid"]


def test_rules_without_a_case_are_counted(brief: None) -> None:
    with brought(FOLDERS["nerve"]):
        done = pbem("games", "--check", "nerve")
    assert done.code == 0
    assert "4 rules without a case: N-1, N-2, N-3 and N-4" in done.out


def test_a_game_that_says_so_may_have_fewer_candidates(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_candidates = tuple(law for law in checking.PLAYED if law.subject == "candidates")
    monkeypatch.setattr(checking, "PLAYED", of_candidates)
    fewer = FAULTS["candidates leave out what holds"].changes
    fault = Fault("", "", {**fewer, START: f"CHECK_DECIDES = True\n\n\n{START}"})
    with faulty(tmp_path, fault):
        assert [str(each) for each in check("skerries", 3) if "candidates" in str(each)] == []


def test_a_game_says_how_long_it_may_last(tmp_path: Path) -> None:
    with faulty(tmp_path, Fault("", "", {START: f"MOST_PLIES = 20\n\n\n{START}"})):
        [found] = check("skerries", 3)
    assert "the match does not end within 20 plies" in str(found)
