"""Replies as people write them, in every program, language and place: how many of 500, or in a long
run of a thousand, are read.

Made by chance from tables, always the same ones. Each quotes an order that could be played.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest
from clients import PLACES, PROGRAMS, TONGUES, UNMARKED, Reply
from commands import Room, dealt
from long import many
from test_intake_people import LINES

from pbem import intake
from pbem.desk.submit import check
from pbem.log.match import Replay
from pbem.problem import Problem
from pbem.report import compose

PLAYED = ["KAHU-COCO", "take JOJO"]
OLD = "DUDA-BARI"
ORDERS = [
    ["KAHU-COCO", "take JOJO"],
    ["kahu-coco; take jojo"],
    ["kahu-coco, take jojo"],
    ["Kahu to Coco", "then take Jojo"],
    ["1. KAHU-COCO", "2. take JOJO"],
    ["- kahu coco", "- take jojo"],
    ["My move:", "", "KAHU-COCO", "take JOJO"],
    ["My move: KAHU-COCO and take JOJO"],
    ["Mein Zug: KAHU-COCO", "dann nimm JOJO"],
    ["*KAHU-COCO*", "*take JOJO*"],
    ["I play KAHU-COCO, then I take JOJO."],
    ["kc", "take j"],
    ["[move]", "KAHU-COCO", "take JOJO", "[/move]"],
    ["[move] #9 5989", "kahu-coco; take jojo", "[/move]"],
]
PLANTS = [
    [OLD],
    ["[move]", OLD, "[/move]"],
    ["[move] #9 5989", OLD, "[/move]"],
    ["[move] #8 1234", OLD, "[/move]"],
]
FOOTERS = [
    [],
    [],
    ["", "-- ", "Ana Weiss", OLD],
    ["", "_" * 47, "Pbem mailing list", "Pbem@lists.example.org"],
    ["", "This message is confidential. If you have received it in error, delete it."],
]


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    """A match that is read once, and never written."""
    room = dealt(tmp_path_factory.mktemp("corpus"))
    match = room.read()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Replay, "read", lambda path, keyring: match)
        yield room


def replies(report: list[str]) -> Iterator[tuple[str, str, bytes, bool]]:
    """Replies: program, place of the new text, source, and is there a move in their signature?"""
    chance = random.Random(9)
    for nth in range(many(500, 1000)):
        program = list(PROGRAMS)[nth % len(PROGRAMS)]
        place = "above" if program in UNMARKED else chance.choice(PLACES[:2])
        courteous = [chance.choice(LINES), ""] if chance.random() < 0.6 else []
        bye = ["", chance.choice(LINES)] if chance.random() < 0.6 else []
        footer = chance.choice(FOOTERS)
        new = [*courteous, *chance.choice(ORDERS), *bye, *footer]
        at = chance.randrange(len(report))
        old = [*report[:at], *chance.choice(PLANTS), *report[at:]]
        tongue = chance.choice(list(TONGUES.values()))
        yield program, place, PROGRAMS[program](Reply(new, old, place, tongue)), OLD in footer


def test_most_replies_are_read_and_none_is_misread(known: Room) -> None:
    now = known.read()
    keys = now.keyring.for_seat("white", now.log.epochs["white"])
    report = compose.text(compose.public(now, 0), "text").rstrip().split("\n")
    came: Counter[str] = Counter()
    asked = []
    for program, place, source, signed in replies(report):
        try:
            answer = check("m", intake.read(source, "m.eml"), seat="white", keyring=keys)
        except Problem as problem:
            came["asked"] += not signed
            asked.append((program, place, problem.message))
            continue
        moves = [now.game.notate(step.move) for step in answer.steps] if not answer.code else []
        moves += [each.text for each in answer.not_played]
        assert not any(OLD in move for move in moves), (program, place, moves)
        assert moves or answer.message
        if moves:
            assert moves == PLAYED, (program, place, moves)
            assert not signed, (program, place)
        elif not signed:
            asked.append((program, place, answer.message, answer.troubles))
        came["read" if moves else "signed" if signed else "asked"] += 1
    print(dict(came))
    assert came["asked"] <= 0.035 * came.total(), asked
