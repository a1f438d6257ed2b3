"""Faults put into a copy of the example game: the check finds each before a match begins."""

from __future__ import annotations

import json
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from commands import Room, dealt, mail, pbem
from long import many
from outside import brought
from test_mailroom import Post

from pbem import Table
from pbem.desk import append
from pbem.play import guest, patience
from pbem.problem import Problem
from pbem.testing import check, simulate

EXAMPLE = Path(__file__).parent / "example_game"
CODE, NEWS, ASKS = "__init__.py", "templates/nerve/news.j2", "templates/nerve/questions.j2"
FOR_EVER = "    while True:\n        pass\n"
RULES, SETS = "rules.yaml", "rulesets.yaml"
DECLARED = "view, position, SCHEMA = declared(start, KEYS, _each_once)\n"


def viewed(shown: str) -> str:
    """The declaration, and a view of its own."""
    return f"{DECLARED}_view = view\n\n\ndef view(s):\n    return {shown}\n"


class Fault(NamedTuple):
    """What is changed in which file, a part of what is told about it, and after how many matches
    at the latest: a long run plays one for each number of players."""

    file: str
    right: str
    wrong: str
    told: str
    matches: int = 1


FAULTS = {
    "another name than the entry point's": Fault(
        CODE,
        'NAME, TITLE, SEATS, PLAYERS, OUT_OF_TURN = "nerve"',
        'NAME, TITLE, SEATS, PLAYERS, OUT_OF_TURN = "nervous"',
        "its NAME is 'nervous'",
    ),
    "a module that cannot be imported": Fault(
        CODE, "import os\n", "import os, oss\n", "No module named 'oss'"
    ),
    "a module that is not Python": Fault(
        CODE, "def start(setup):", "def start(setup:", "cannot be loaded"
    ),
    "words that are numbers": Fault(
        CODE, '"123456789")', "range(1, 10))", "cannot be loaded: one_of takes words, and 1 is none"
    ),
    "no name for people": Fault(CODE, '"Nerve", ()', '"", ()', "is no name for people"),
    "fewer players than the fewest": Fault(
        CODE, "(2, 5)", "(5, 2)", "the fewest and the most players"
    ),
    "seats that are not as many as the players": Fault(
        CODE, '"Nerve", ()', '"Nerve", ("ana",)', "are not 5 seats"
    ),
    "moves out of turn break no rule there is": Fault(CODE, '"N-2"', '"N-9"', "N-9 is no rule"),
    "a private key that no view has": Fault(
        CODE, 'PRIVATE = ("hands",)', 'PRIVATE = ("hands", "hand")', "no view has hand"
    ),
    "no folder of data": Fault(
        CODE,
        "os.path.dirname(os.path.abspath(__file__))",
        '"/nowhere"',
        "there is no folder /nowhere",
    ),
    "a function that is missing": Fault(CODE, "def chances(", "def chance(", "it has no chances"),
    "a constant that is missing": Fault(
        CODE, "MOVES, EVENTS = (Deal, Choose), ", "EVENTS = ", "it has no MOVES"
    ),
    "a function that takes something else": Fault(
        CODE,
        "def effects(s, seat, move):",
        "def effects(s, move):",
        "expected effects(state, seat, move)",
    ),
    "a function that is none": Fault(
        CODE, "def _owed", "draw = 3\n\n\ndef _owed", "draw is no function"
    ),
    "an event left out of EVENTS": Fault(
        CODE, "(Dealt, Chose, Shown)", "(Dealt, Chose)", "expected events that stand in EVENTS"
    ),
    "a rule that nothing cites": Fault(
        RULES,
        "- id: N-4\n",
        "- id: N-5\n  says: Nobody peeps.\n  from:\n  - {edition: table, section: The deal}\n"
        "- id: N-4\n",
        "nothing cites N-5: no code, template or option, and a case would do; "
        "where that is on purpose, say `enforced: information`",
    ),
    "a move left out of MOVES": Fault(CODE, "(Deal, Choose),", "(Deal,),", "which is not in MOVES"),
    "an event that is no record": Fault(
        CODE, "@record\nclass Shown", "class Shown", "Shown lacks @record"
    ),
    "two events of one word": Fault(
        CODE,
        "MOVES, EVENTS",
        'Chose.__name__ = "Shown"\nMOVES, EVENTS',
        "two classes are called shown",
    ),
    "a secret for nobody": Fault(
        CODE,
        'card: str = fact(CARD, secret="to")\n\n\n@record\nclass Chose',
        'card: str = fact(CARD, secret="too")\n\n\n@record\nclass Chose',
        "secret for 'too', which is no field",
    ),
    "no secrets at all": Fault(CODE, ', secret="to"', "", "say OPEN_INFORMATION = True"),
    "a secret in the move, open in the event": Fault(
        CODE,
        'card: str = fact(CARD, secret="to")\n\n\n@record\nclass Chose',
        "card: str = fact(CARD)\n\n\n@record\nclass Chose",
        "everybody sees hands, which PRIVATE names",
    ),
    "a secret in the event, open in the move of chance": Fault(
        CODE,
        'card: str = fact(CARD, secret="to")\n    to:',
        "card: str = fact(CARD)\n    to:",
        "Dealt.card is secret, but the same value always stands open",
    ),
    "a secret whose size shows": Fault(
        CODE,
        'CARD = core.one_of("a card from 1 to 9", "123456789")',
        'CARD = core.one_of("a card from 1 to 9", "123456789")._replace(size=0)',
        "its domain has no size",
    ),
    "check says nothing": Fault(
        CODE, "    return True\n", "    return None\n", "check returns None; expected True or False"
    ),
    "check falls over a move of another kind": Fault(
        CODE,
        "    match move:\n        case Deal(card, to):\n            if",
        "    move.stay if seat != CHANCE else move.card\n"
        "    match move:\n        case Deal(card, to):\n            if",
        "has no attribute",
    ),
    "check refuses by a rule that is none": Fault(
        CODE, 'Violation("N-3"', 'Violation("N-33"', "N-33 is no rule"
    ),
    "a refusal without one of its values": Fault(
        CODE, 'stays", seat=seat)', 'stays")', "no value for seat"
    ),
    "a refusal that is an f-string": Fault(
        CODE, '"{text!r} is no move of Nerve"', 'f"{text!r} is no move of Nerve"', "an f-string"
    ),
    "check is sure of what it cannot know": Fault(
        CODE, "return HIDDEN not in s.hands.values()", "return True", "is certain to"
    ),
    "check refuses what is legal to who knows less": Fault(
        CODE,
        "if card in s.hands.values() or",
        "if HIDDEN in s.hands.values() or card in s.hands.values() or",
        "who knows less, is told",
    ),
    "evolve forgets to return": Fault(
        CODE,
        "return s._replace(stays={**s.stays, seat: stay})",
        "s._replace(stays={**s.stays, seat: stay})",
        "evolve returns None",
    ),
    "evolve changes a state in place": Fault(
        CODE,
        "return s._replace(stays={**s.stays, seat: stay})",
        "s.stays[seat] = stay\n            return s",
        "changes the state it is played in",
    ),
    "evolve cannot meet what is hidden": Fault(
        CODE,
        "return s._replace(hands={**s.hands, seat: card})",
        "return s._replace(hands={**s.hands, seat: str(int(card))})",
        "evolve raises ValueError",
    ),
    "effects brings about what is no event": Fault(
        CODE,
        "            yield Chose(seat, stay)\n",
        '            yield "chose"\n',
        "effects returns",
    ),
    "effects throws a die": Fault(
        CODE,
        "            yield Chose(seat, stay)\n",
        "            __import__('random').random() < 0.5 and (yield Chose(seat, stay))\n"
        "            yield Chose(seat, stay)\n",
        ", effects: ",  # which of two laws meets it first, the die says
        matches=2,
    ),
    "pending says None": Fault(
        CODE,
        "    return ()\n\n\ndef candidates",
        "    return None\n\n\ndef candidates",
        "pending returns None",
    ),
    "the match never ends": Fault(
        CODE,
        "return s._replace(stays={**s.stays, seat: stay})",
        "return s._replace(stays={})",
        "the match does not end",
    ),
    "a decision without a question": Fault(ASKS, "macro turn", "macro tern", "no macro turn"),
    "a question without the player": Fault(
        ASKS, "{seat}: do you stay or fold?", "Stay or fold?", "a sentence that names ana"
    ),
    "a default that is not legal": Fault(
        CODE, "default=Choose(True)", "default=Choose(False)", "the default of turn is not legal"
    ),
    "candidates leave one out": Fault(
        CODE,
        "return [Choose(True), Choose(False)]",
        "return [Choose(True)]",
        "not among the candidates",
    ),
    "candidates fall over": Fault(
        CODE,
        "    return [Choose(True), Choose(False)]",
        "    return [Choose(1 / 0)]",
        "candidates raises ZeroDivisionError",
    ),
    "nobody can move": Fault(
        CODE,
        "    return [Choose(True), Choose(False)]",
        "    return []",
        "and no candidate is legal",
    ),
    "no outcome at the end": Fault(
        CODE, "    best = max", "    return None\n    best = max", "it has no outcome"
    ),
    "an outcome by a rule that is none": Fault(
        CODE,
        'core.Outcome(winners, "N-4"',
        'core.Outcome(winners, "the highest card"',
        "the highest card is no rule",
    ),
    "a seat without a score": Fault(
        CODE,
        "for seat in s.hands})\n\n\ndef chances",
        "for seat in winners})\n\n\ndef chances",
        "expected seats of",
    ),
    "a winner who is none": Fault(
        CODE, "core.Outcome(winners,", 'core.Outcome(("nobody",),', "expected seats of"
    ),
    "chance that cannot be": Fault(
        CODE, "return 1  # each", "return 0  # each", "chances returns 0"
    ),
    "a view that is not JSON": Fault(
        CODE, DECLARED, viewed('{**_view(s), "all": {1}}'), "not plain JSON"
    ),
    "a view its schema does not know": Fault(
        CODE, DECLARED, viewed('{**_view(s), "round": 1}'), "'round' was unexpected"
    ),
    "no schema of the view": Fault(
        CODE, DECLARED, f'{DECLARED}SCHEMA["properties"] = {{}}\n', "'stays' were unexpected"
    ),
    "a field that the view forgets": Fault(
        CODE, ', "stays": by_seat(core.FLAG)', "", "set up from its view allows other moves"
    ),
    "a key without its field": Fault(
        CODE, '"stays": by_seat', '"stayz": by_seat', "'State' object has no attribute 'stayz'"
    ),
    "a position that forgets": Fault(
        CODE,
        DECLARED,
        f"{DECLARED}_position = position\n\n\n"
        "def position(setup, view):\n    return _position(setup, view)._replace(stays={})\n",
        "is set up as",
    ),
    "a position that takes any cards": Fault(
        CODE, "many(hidden(CARD), 1)", "many(hidden(CARD), 999)", "a hand of two hundred cards"
    ),
    "parse falls over what is no move": Fault(
        CODE,
        "    match text.lower().split():",
        "    text.split()[0]\n    match text.lower().split():",
        "parse raises IndexError",
    ),
    "parse does not know the notation": Fault(
        CODE, 'else "stay" if move.stay', 'else "remain" if move.stay', "no move of Nerve"
    ),
    "two moves are written alike": Fault(
        CODE, 'else "stay" if move.stay else "fold"', 'else "stay"', "is notated for"
    ),
    "a board too wide": Fault(CODE, 'f"{seat:10}', 'f"{seat:90}', "is wider than 72"),
    "a board that is no list": Fault(
        CODE,
        '    return [\n        f"{seat:10}',
        '    return str(view) or [\n        f"{seat:10}',
        "draw returns",
    ),
    "an event without a phrase": Fault(NEWS, "macro shown", "macro showed", "no macro shown"),
    "a phrase book that is no template": Fault(
        NEWS, "{% endmacro %}\n{% macro shown", "{% macro shown", "news.j2"
    ),
    "a phrase that falls over": Fault(
        NEWS, "held {{ e.card }}", "held {{ e.crad.upper() }}", "has no attribute 'crad'"
    ),
    "a rule without a sentence": Fault(
        RULES,
        "  says: The last player may not fold if all others have.\n",
        "",
        "'says' is a required property",
    ),
    "a rule without a source": Fault(
        RULES,
        "  from:\n  - {edition: table, section: The end}\n",
        "",
        "'from' is a required property",
    ),
    "two rules that say the same": Fault(
        RULES,
        "The last player may not fold if all others have.",
        "In the order of the table, each player stays or folds, once.",
        "N-3 says the same as N-2",
    ),
    "a refusal that ends in a full stop": Fault(
        CODE, 'stays", seat=seat)', 'stays.", seat=seat)', "expected a capital at its beginning"
    ),
    "a rule that stands there twice": Fault(RULES, "id: N-4", "id: N-3", "N-3 stands there twice"),
    "rules that are not YAML": Fault(RULES, "- id: N-1", "- id: [N-1", "not YAML"),
    "an option of an unknown kind": Fault(
        SETS,
        "options: {}",
        "options:\n  fast: {says: quick, kind: switch, default: false, rule: N-1}",
        "options.fast.kind: 'switch' is not one of",
    ),
    "an option that rests on no rule": Fault(
        SETS,
        "options: {}",
        "options:\n  fast: {says: quick, kind: flag, default: false, rule: N-7}",
        "N-7 is no rule",
    ),
    "an option without a default": Fault(
        SETS,
        "options: {}",
        "options:\n  fast: {says: quick, kind: flag, rule: N-1}",
        "options.fast: 'default' is a required property",
    ),
    "a default ruleset that is none": Fault(
        SETS, "default: table", "default: chair", "default: expected one of table"
    ),
    "candidates without end": Fault(
        CODE,
        "    return [Choose(True), Choose(False)]",
        "    return iter(lambda: Choose(True), None)",
        "candidates gives more than 1000; expected fewer moves",
    ),
    "effects without end": Fault(
        CODE,
        "            yield Chose(seat, stay)\n",
        "            while True:\n                yield Chose(seat, stay)\n",
        "effects gives more than 1000",
    ),
    "chance that is never satisfied": Fault(
        CODE,
        "return s._replace(hands={**s.hands, seat: card})",
        "return s",
        "the match does not end",
    ),
    "check that does not return": Fault(
        CODE, "    return True\n", FOR_EVER, "check does not end within 0.25 seconds"
    ),
    "evolve that catches whatever comes": Fault(
        CODE,
        "            return s._replace(stays={**s.stays, seat: stay})",
        "            while True:\n                try:\n                    pass\n"
        "                except Exception:\n                    pass",
        "evolve does not end within 0.25 seconds",
    ),
    "a module that is imported for ever": Fault(
        CODE,
        "import os\n",
        "import os\nwhile True:\n    pass\n",
        "cannot be loaded within 0.25 seconds",
    ),
    "check ends the program": Fault(
        CODE,
        "            return HIDDEN not in s.hands.values()\n",
        "            raise SystemExit(0)\n",
        "check raises SystemExit: 0",
    ),
    "a module that ends the program": Fault(
        CODE, "import os\n", "import os\n\nraise SystemExit(0)\n", "cannot be loaded: 0"
    ),
    "kinds of question that are none": Fault(
        CODE, "MOVES, EVENTS =", "KINDS = 7\nMOVES, EVENTS =", "KINDS is 7"
    ),
    "a kind of question without a tuple": Fault(
        CODE, "MOVES, EVENTS =", 'KINDS = {"turn": Choose}\nMOVES, EVENTS =', "KINDS is {'turn'"
    ),
    "a kind of question of two words": Fault(
        CODE,
        "MOVES, EVENTS =",
        'KINDS = {"turn": (Choose,), "my turn": (Choose,)}\nMOVES, EVENTS =',
        "KINDS is {'turn'",
    ),
    "rounds that run back": Fault(
        CODE,
        "def chances",
        'def parts(s):\n    return {"round": 9 - len(s.stays)}\n\n\ndef chances',
        "comes after",
    ),
    "forced by what is hidden": Fault(
        CODE,
        "def chances",
        'def forced(s):\n    return "9" in s.hands.values()\n\n\ndef chances',
        "is said to have no choice",
        2,
    ),
    "a seat that is not at the table": Fault(
        CODE, 'return (Decision(seat, "turn"', 'return (Decision("zed", "turn"', "'zed' is asked"
    ),
    "winners in a list": Fault(CODE, "winners = tuple(", "winners = list(", "a tuple of winners"),
    "a board with colours of a terminal": Fault(
        CODE, "{seat:10}", "{seat:10}\\x1b[31m", "without control characters"
    ),
    "a game that prints": Fault(
        CODE, "def evolve(s, event):\n", "def evolve(s, event):\n    print(1)\n", "it prints '1"
    ),
    "a game that goes on by itself": Fault(
        CODE,
        "def effects(s, seat, move):\n",
        "def effects(s, seat, move):\n    __import__('threading').Timer(3, str).start()\n",
        "it starts threads",
    ),
    "a phrase that does not end": Fault(
        NEWS,
        "{% macro chose(e) %}",
        "{% macro chose(e) %}{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}"
        "{% endfor %}",
        "is not written within 0.25 seconds",
    ),
    "events in the order of a set": Fault(
        CODE,
        "Shown(seat, card) for seat, card in s.hands.items())",
        "Shown(seat, s.hands[seat]) for seat in {*s.hands})",
        "') and, under another PYTHONHASHSEED, Shown(seat='",
    ),
    "moves in the order of a set": Fault(
        CODE,
        "for card in CARD.values]",
        "for card in {*CARD.values}]",
        "under another PYTHONHASHSEED",
    ),
    "a view in the order of a set": Fault(
        CODE,
        DECLARED,
        viewed("{key: _view(s)[key] for key in {*_view(s)}}"),
        "under another PYTHONHASHSEED",
    ),
}


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few are enough here to see that it does not end."""
    monkeypatch.setattr(guest, "MOST", 1000)
    monkeypatch.setattr(append, "MOST_DRAWS", 50)


def _needs_an_alarm_clock() -> None:
    if not hasattr(signal, "setitimer"):
        pytest.skip("only POSIX has an alarm clock")


@contextmanager
def faulty(folder: Path, fault: Fault) -> Iterator[None]:
    """A copy of the example game with a fault, installed."""
    if endless := "within 0.25" in fault.told:
        _needs_an_alarm_clock()
    copy = folder / "copy"
    shutil.copytree(EXAMPLE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    path = copy / "nerve" / fault.file
    text = path.read_text()
    assert fault.right in text, fault.right
    path.write_text(text.replace(fault.right, fault.wrong))
    with brought(copy), pytest.MonkeyPatch.context() as patch:
        if endless:
            patch.setattr(patience, "LONGEST", 0.25)
        yield


def test_the_example_itself_has_no_fault(hash_seeds: None) -> None:
    with brought(EXAMPLE):
        assert check("nerve", many(4, 100)) == []


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_fault_is_found_and_said(
    fault: Fault, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if "PYTHONHASHSEED" in fault.told:
        request.getfixturevalue("hash_seeds")
    with faulty(tmp_path, fault):
        found = [str(each) for each in check("nerve", many(fault.matches, 4))]
        assert any(fault.told in each for each in found), found
        for each in found:
            place = each.partition(": ")[0]
            assert any(name in place for name in ("nerve", ".j2", ".yaml", "/nowhere")), each


def test_where_no_match_can_be_played_nothing_is_told_of_matches(tmp_path: Path) -> None:
    with faulty(tmp_path, FAULTS["evolve changes a state in place"]):
        lines = pbem("games", "--check", "nerve").out.splitlines()
    assert "changes the state it is played in" in lines[0]
    assert lines[1:] == ['    look: play_out("nerve", 0)', "nerve: 1 finding"]


def test_an_option_cites_its_rule(tmp_path: Path) -> None:
    with faulty(tmp_path, FAULTS["a rule that nothing cites"]):
        path = tmp_path / "copy" / "nerve" / SETS
        option = "{says: peeping, kind: flag, default: false, rule: N-5}"
        path.write_text(path.read_text().replace("options: {}", f"options: {{peep: {option}}}"))
        assert check("nerve", 0) == []


def test_a_house_game_cannot_be_replaced(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(EXAMPLE, copy)
    project = copy / "pyproject.toml"
    project.write_text(project.read_text().replace('nerve = "nerve"', 'kahuna = "nerve"'))
    with brought(copy):
        [found] = check("kahuna")
        assert str(found).startswith("pbem-nerve 1.0: kahuna is one of the house's own games")
        assert "Thames" not in pbem("games").err
        assert "kahuna: Kahuna\n" in pbem("games").out


# ------------------------------------------------------------- what a fault does to the house

SEATS = [part for seat in ("ana", "ben") for part in ("--seat", f"{seat}={seat.title()}")]


def begun(folder: Path) -> Path:
    """A match of the example game while it had no fault."""
    with brought(EXAMPLE):
        done = pbem("new", "nerve", *SEATS, "--match", "n", "--dir", folder)
        assert done.code == 0, done.err
    return folder / "n.pbem.yaml"


LATE = {
    "an event left out of EVENTS": "expected events that stand in EVENTS",
    "evolve forgets to return": "evolve returns None",
    "effects brings about what is no event": "effects returns",
    "an event without a phrase": "shown",
    "a phrase that falls over": "news.j2:10: pbem-nerve 1.0 is at fault",
    "check says nothing": "check returns None",
    "a module that cannot be imported": "cannot be loaded: No module named 'oss'",
    "effects without end": "effects gives more than 1000",
    "check that does not return": "check does not end within 0.25 seconds",
    "a module that ends the program": "cannot be loaded: 0",
    "evolve that catches whatever comes": "evolve does not end within 0.25 seconds",
    "a module that is imported for ever": "nerve: cannot be loaded within 0.25 seconds",
    "a phrase that does not end": "news.j2:6: pbem-nerve 1.0 is at fault: what it says is not",
}


@pytest.mark.parametrize("name", LATE)
def test_a_fault_leaves_the_files_of_a_match_as_they_were(name: str, tmp_path: Path) -> None:
    log = begun(tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.glob("n.*")}
    with faulty(tmp_path, FAULTS[name]):
        told = pbem("submit", log, "--from", "ana", stdin="stay")
        if not told.code:  # it shows when everybody has chosen
            before = {path: path.read_bytes() for path in tmp_path.glob("n.*")}
            told = pbem("submit", log, "--from", "ben", stdin="stay")
    assert told.code == 70
    assert "pbem-nerve 1.0" in told.err
    assert LATE[name] in told.err
    assert told.err.count("\n") == 1
    assert {path: path.read_bytes() for path in tmp_path.glob("n.*")} == before
    with brought(EXAMPLE):
        assert pbem("verify", log).code == 0


UNSPEAKABLE = Fault(NEWS, "{{ name(e.to) }} is dealt", "{{ name(e.whom.seat) }} is dealt", "whom")
"""Shows when a card is dealt."""


def taken_back(log: Path) -> list[object]:
    """A match that a takeback deals anew."""
    return ["rule", log, "takeback", "--to", 0, "--revealed", "--reason", "misdealt"]


def defaulted(log: Path) -> list[object]:
    """A match that a default ends: everybody's card is shown."""
    assert pbem("submit", log, "--from", "ana", stdin="stay").code == 0
    return ["rule", log, "default", "--seat", "ben", "--reason", "silent"]


def given_entropy(log: Path) -> list[object]:
    """A match whose first cards are dealt when a public value is entered."""
    for path in log.parent.glob("n.*"):
        path.unlink()
    gathers = ("--entropy", "public:Lotto of Sat 28 Nov 2026")
    done = pbem("new", "nerve", *SEATS, "--match", "n", "--dir", log.parent, *gathers)
    assert done.code == 0, done.err
    return ["rule", log, "entropy", "--text", "44, 3, 15, 08, 31, 22"]


@pytest.mark.parametrize(
    ("prepared", "fault"),
    [
        (taken_back, UNSPEAKABLE),
        (given_entropy, UNSPEAKABLE),
        (defaulted, FAULTS["a phrase that falls over"]),
        (defaulted, FAULTS["a phrase that does not end"]),
        (taken_back, FAULTS["chance that is never satisfied"]._replace(told="chance has drawn")),
    ],
)
def test_what_a_ruling_brings_about_is_told_before_it_is_written(
    prepared: Callable[[Path], list[object]], fault: Fault, tmp_path: Path
) -> None:
    log = begun(tmp_path)
    with brought(EXAMPLE):
        command = prepared(log)
    before = {path: path.read_bytes() for path in tmp_path.glob("n.*")}
    with faulty(tmp_path, fault):
        told = pbem(*command)
    assert told.code == 70
    assert fault.told in told.err
    assert told.err.count("\n") == 1
    assert {path: path.read_bytes() for path in tmp_path.glob("n.*")} == before
    with brought(EXAMPLE):
        assert pbem(*command).code == 0


@pytest.mark.parametrize(
    "command", [("new", *SEATS, "--match", "n", "--dir"), ("simulate", "--out")]
)
@pytest.mark.parametrize(
    "fault", [UNSPEAKABLE, FAULTS["chance that is never satisfied"]._replace(told="chance has")]
)
def test_a_match_that_cannot_be_told_does_not_begin(
    command: tuple[str, ...], fault: Fault, tmp_path: Path
) -> None:
    verb, *options = command
    folder = tmp_path / "matches"
    folder.mkdir()
    with faulty(tmp_path, fault):
        place = folder if verb == "new" else folder / "n.pbem.yaml"
        told = pbem(verb, "nerve", *options, place)
    assert told.code == 70
    assert fault.told in told.err
    assert not list(folder.iterdir())


def test_a_simulated_match_that_never_ends_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simulate, "MOST_PLIES", 100)
    never = FAULTS["the match never ends"]
    with faulty(tmp_path, never):
        told = pbem("simulate", "nerve", "--out", tmp_path / "n.pbem.yaml")
    assert told.code == 70
    assert "the match does not end within 100 plies" in told.err
    assert not list(tmp_path.glob("n.*"))


def test_all_calls_of_one_judgement_share_the_time_of_one(tmp_path: Path) -> None:
    log = begun(tmp_path)
    slow = Fault(
        CODE,
        "    return True\n",
        "    __import__('time').sleep(0.15)\n    return True\n",
        "check does not end within 0.25 seconds",
    )
    before = log.read_bytes()
    with faulty(tmp_path, slow):
        told = pbem("submit", log, "--from", "ana", stdin="stay")
    assert told.code == 70
    assert slow.told in told.err
    assert log.read_bytes() == before


def test_no_alarm_clock_is_set_for_a_game_of_the_house(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patience.hurried, "_set", None)
    assert pbem("submit", room.log, "--from", "white", stdin="draw").code == 0
    assert pbem("rule", room.log, "note", "--text", "well played").code == 0


def test_somebody_elses_alarm_still_rings(tmp_path: Path) -> None:
    _needs_an_alarm_clock()
    rung = []
    before = signal.signal(signal.SIGALRM, lambda *_: rung.append(1))
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    try:
        with patience.hurried:
            time.sleep(0.05)
        assert not rung
        time.sleep(0.2)
        assert rung
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize(
    "name",
    ["a module that cannot be imported", "an option of an unknown kind", "pending says None"],
)
def test_a_broken_package_hurts_no_other_match(name: str, tmp_path: Path) -> None:
    begun(tmp_path)
    done = pbem(
        "new",
        "kahuna",
        "--seat",
        "white=Ana",
        "--seat",
        "black=Ben",
        "--match",
        "k",
        "--dir",
        tmp_path,
    )
    assert done.code == 0
    with faulty(tmp_path, FAULTS[name]):
        listed = pbem("games")
        assert listed.code == 0
        assert "kahuna: Kahuna" in listed.out
        shown = pbem("status", tmp_path)
        assert shown.code == 0, shown.err
        assert "white" in shown.out
        assert pbem("submit", tmp_path / "k.pbem.yaml", "--from", "white", stdin="draw").code in (
            0,
            1,
        )


@pytest.mark.parametrize(
    "name",
    [
        "a module that cannot be imported",
        "check says nothing",
        "a decision without a question",
        "check that does not return",
    ],
)
def test_the_mail_desk_goes_on_past_a_match_of_a_broken_package(name: str, tmp_path: Path) -> None:
    post = Post(tmp_path)
    seats = ("--seat", "nia=Nia <nia@example.org>", "--seat", "pat=Pat <pat@example.org>")
    with brought(EXAMPLE):
        assert pbem("new", "nerve", *seats, "--match", "n", "--dir", post.matches).code == 0
    other = dealt(post.matches)
    before = (post.matches / "n.pbem.yaml").read_bytes()
    post.comes(mail("fold", sender="nia@example.org", identity="<1@example.org>"))
    post.comes(mail("stay", sender="pat@example.org", identity="<2@example.org>"))
    post.comes(mail("draw", identity="<3@example.org>"))
    with faulty(tmp_path, FAULTS[name]):
        done = post.desk()
    told = [json.loads(line) for line in done.out.splitlines()]
    assert [each["verdict"] for each in told] == ["waits", "waits", "accepted"]
    assert "pbem-nerve 1.0" in told[0]["why"]
    assert (post.matches / "n.pbem.yaml").read_bytes() == before
    assert other.read().position.ply > 9
    with brought(EXAMPLE):
        assert post.run() == ["accepted", "accepted"]


def test_a_package_that_cannot_be_loaded_is_listed_with_the_reason(tmp_path: Path) -> None:
    with faulty(tmp_path, FAULTS["a module that cannot be imported"]):
        assert pbem("games").out.endswith(
            "nerve/__init__.py:3: cannot be loaded: No module named 'oss' (pbem-nerve 1.0)\n"
        )
        told = pbem("games", "--check", "nerve")
        assert told.code == 70
        assert "No module named 'oss'" in told.out


def test_a_game_nobody_knows_makes_no_folder(tmp_path: Path) -> None:
    letters = tmp_path / "letters"
    assert pbem("new", "nerves", *SEATS, "--letters", letters).code == 2
    assert not letters.exists()


def test_the_schema_of_a_view_from_outside_is_printed() -> None:
    with brought(EXAMPLE):
        assert "A position of Nerve" in pbem("schema", "view-nerve").out
        assert "view-nerve" in pbem("schema").out.split()


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (({"hands": {}}, "nerve"), "the first argument is the name of a game"),
        (("nerve", ["ana"]), "a view is a mapping"),
        (("nerve", {"hand": {}}), "'hand' was unexpected"),
        (("nerve", {"hands": {"ana": ["10"]}}), "hands.ana"),
        (("nerve", {"stays": {"zed": True}}), "'zed' is not one of"),
        (("nerve", {"hands": {"ana": ["4"], "ben": ["4"]}}), "each card is there once"),
        (("kahuna", {"hands": {"white": ["ALOA"] * 3}}), "there are only 2"),
        (("kahuna", {"hands": {"white": ["OAHU"]}}), "'OAHU' is not one of"),
    ],
)
def test_what_is_no_position_is_refused_in_a_sentence(given: Any, told: str) -> None:
    seats = ("ana", "ben") if "kahuna" not in given else None
    with brought(EXAMPLE), pytest.raises(Problem) as caught:
        Table.at(*given, seats=seats)
    assert told in str(caught.value)
