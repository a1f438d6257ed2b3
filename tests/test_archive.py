"""What earlier versions wrote is read for good, and the same is said of it.

The logs and desk files in `archive/` are never written again. `facts/` holds what programs were
told of them: it only ever grows. `texts/` holds what people were told: where a sentence changes
by design, `PBEM_GOLDEN=write` writes it anew; read the difference before committing it.
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from commands import Room, pbem

ARCHIVE = Path(__file__).parent / "archive"
FACTS, TEXTS = ARCHIVE / "facts", ARCHIVE / "texts"
MATCHES = sorted(path.name.removesuffix(".pbem.yaml") for path in ARCHIVE.glob("*.pbem.yaml"))
DIALECTS = ("text", "markdown", "phpbb", "bgg")
WRITE = os.environ.get("PBEM_GOLDEN") == "write"


@pytest.fixture
def archived(request: pytest.FixtureRequest, tmp_path: Path) -> Room:
    """A copy of one archived match."""
    for file in ARCHIVE.glob(f"{request.param}.*.yaml"):
        shutil.copy(file, tmp_path)
    return Room(tmp_path / f"{request.param}.pbem.yaml")


def facts(room: Room) -> dict[str, Any]:
    """What programs are told, but for sentences."""
    middle = room.read().position[0] // 2
    seat = room.read().setup.seats[0]
    told = {
        "spectator": pbem("show", room.log, "--json").json,
        "seat": pbem("show", room.log, "--json", "--as", seat).json,
        "moderator": pbem("show", room.log, "--json", "--key", room.desk).json,
        "middle": pbem("show", room.log, "--json", "--key", room.desk, "--at", middle).json["view"],
        "moves": pbem("moves", room.log, "--json", "--key", room.desk).json,
        "verify": pbem("verify", room.log, "--json", "--key", room.desk).json["logs"][0],
        "checks": [
            checked(room, awaited, text)
            for awaited in room.read().awaited
            for text in (first_legal(room, awaited), "draw", "gibberish")
        ],
        "held": {seat: list(moves) for seat, moves in room.waiting().items()},
    }
    del told["verify"]["log"]
    return told


def first_legal(room: Room, seat: str) -> str:
    return min(pbem("moves", room.log, "--json", "--key", room.desk).json["moves"][seat])


def checked(room: Room, seat: str, text: str) -> dict[str, Any]:
    """The verdict on an order, and on what it rests."""
    said = pbem("check", room.log, "--json", "--key", room.desk, "--from", seat, stdin=text).json
    return {key: said.get(key) for key in ("seat", "said", "verdict", "code", "understood", "rule")}


def missing(recorded: Any, told: Any, where: str = "") -> list[str]:
    """Where what is told now differs from what was recorded; more keys may be told."""
    if isinstance(recorded, dict) and isinstance(told, dict):
        return [
            each
            for key, value in recorded.items()
            for each in missing(value, told.get(key, "(left out)"), f"{where}.{key}")
        ]
    if isinstance(recorded, list) and isinstance(told, list) and len(recorded) == len(told):
        pairs = enumerate(zip(recorded, told, strict=True))
        return [each for n, (one, other) in pairs for each in missing(one, other, f"{where}.{n}")]
    return [] if recorded == told else [f"{where}: {recorded!r} was told, now {told!r}"]


def test_the_archive_holds_every_game_ruleset_and_ruling() -> None:
    logs = "".join(path.read_text() for path in ARCHIVE.glob("*.pbem.yaml"))
    for game, about in pbem("games", "--json").json.items():
        for ruleset in about["rulesets"]:
            assert f"\ngame: {game}\nruleset: {ruleset}\n" in logs
    for ruling in (
        "takeback",
        "default",
        "substitute",
        "resign",
        "note",
        "end",
        "entropy",
        "reveal",
    ):
        assert f"- ruling: {ruling}\n" in logs


@pytest.mark.parametrize("archived", MATCHES, indirect=True)
def test_the_facts_are_those_that_were_told_then(archived: Room) -> None:
    file = FACTS / (archived.log.name.removesuffix(".pbem.yaml") + ".json")
    told = facts(archived)
    if WRITE and not file.exists():
        file.parent.mkdir(exist_ok=True)
        file.write_text(json.dumps(told, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    assert missing(json.loads(file.read_text(encoding="utf-8")), told) == []


@pytest.mark.parametrize("archived", MATCHES, indirect=True)
def test_the_texts_are_those_a_person_has_accepted(archived: Room) -> None:
    name = archived.log.name.removesuffix(".pbem.yaml")
    seat = archived.read().setup.seats[0]
    said = {
        **{f"show.{d}": pbem("show", archived.log, "--format", d).out for d in DIALECTS},
        "show-as.text": pbem("show", archived.log, "--as", seat).out,
        "log.text": pbem("log", archived.log, "--key", archived.desk).out,
    }
    for kind, text in said.items():
        file = TEXTS / name / kind
        if WRITE:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        assert text == file.read_text(encoding="utf-8"), file


@pytest.mark.parametrize("archived", MATCHES, indirect=True)
def test_the_match_goes_on_from_where_it_was_left(archived: Room) -> None:
    """An old log and an old desk file take a move of today, and verify."""
    for seat in archived.read().awaited[:1]:
        answer = archived.says(seat, first_legal(archived, seat))
        assert answer.verdict == "accepted"
    texts = "ruling: entropy" in archived.log.read_text("utf-8")
    assert pbem("verify", archived.log, "--key", archived.desk).code == (3 if texts else 0)
