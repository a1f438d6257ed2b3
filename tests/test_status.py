"""`pbem status`: which matches are listed, in which order, in how many columns."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from commands import dealt, pbem

from pbem.desk import begin
from pbem.desk.seats import Player
from pbem.matches import listing
from pbem.matches.listing import Wanted
from pbem.matches.status import Overview, Status, Summary

NOW = datetime.fromisoformat("2026-09-21T12:00:00Z")


def match(name: str, *, problems: tuple[str, ...] = (), **facts: Any) -> Status:
    """A match that has waited since that morning, with other facts where they are given."""
    told = {
        "match": name,
        "game": "kahuna",
        "players": {"white": "Ana", "black": "Ben"},
        "ply": 17,
        "fingerprint": "a3f9",
        "chain": "",
        "commit": "",
        "awaited": ("white",),
        "since": "2026-09-21T08:00:00Z",
        "last": "black draw",
        "at": "2026-09-21T08:00:00Z",
        "ended": "",
    }
    summary = Summary(**told | facts) if facts.get("game", "") is not None else None
    return Status(f"{name}.pbem.yaml", summary, {}, 0, 0, problems, lambda *_: False)


def listed(*matches: Status, width: int = 80, **wanted: Any) -> list[str]:
    shown = listing.chosen(Overview(matches, 0, 0), Wanted(**wanted), NOW)
    return list(listing.lines(shown, NOW, width=width))


def names(*matches: Status, **wanted: Any) -> list[str]:
    return [line.split()[0] for line in listed(*matches, **wanted)[1:] if line[0] != " "]


def days_ago(days: int) -> str:
    return f"2026-09-{21 - days:02}T08:00:00Z"


def test_names_sort_as_people_count_and_who_waits_longest_comes_first() -> None:
    matches = [match(name) for name in ("sim10", "Sim2", "sim1", "b-2-10", "b-2-9", "7")]
    assert names(*matches) == ["7", "b-2-9", "b-2-10", "sim1", "Sim2", "sim10"]
    assert names(*matches, match("z", since=days_ago(3)))[0] == "z"


def test_damaged_logs_come_first_and_finished_ones_last_if_at_all() -> None:
    matches = [
        match("going", since=days_ago(9)),
        match("over", ended="white won [K-31]"),
        match("broken", game=None, problems=("broken.pbem.yaml:3:1: no log",)),
        match("lost", problems=("the desk file is not here",)),
    ]
    assert names(*matches, over=True) == ["broken", "lost", "going", "over"]
    assert names(*matches) == ["broken", "lost", "going"]
    assert "    problem: broken.pbem.yaml:3:1: no log" in listed(*matches)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({"game": "kanaloa-bambus"}, "kane"),
        ({"seat": "white"}, "ana old"),
        ({"player": "BEN"}, "ana ben old"),
        ({"player": "Cem", "over": True}, "kane done"),
        ({"waiting": 7}, "old"),
        ({"waiting": 0, "over": True}, "ana ben kane old"),
        ({"seat": "white", "over": True}, "ana old"),
        ({"waiting": 7, "player": "Cem"}, ""),
    ],
)
def test_matches_can_be_chosen(wanted: dict[str, Any], found: str) -> None:
    matches = [
        match("ana"),
        match("ben", awaited=("black",)),
        match("kane", game="kanaloa-bambus", players={"red": "Cem"}, awaited=("red",)),
        match("old", since=days_ago(7)),
        match("done", players={"red": "Cem"}, awaited=("white",), ended="red won [K-31]"),
    ]
    assert sorted(names(*matches, **wanted)) == sorted(found.split())
    broken = match("broken", game=None, problems=("no log",))
    assert "broken" in names(*matches, broken, **wanted), "whatever is asked for"


@pytest.mark.parametrize("width", [20, 80, 81, 100, 140, 200])
def test_columns_hold_at_eighty_and_use_what_there_is(width: int) -> None:
    long = match(
        "a-match-with-a-very-long-name-indeed-it-is",
        game="kanaloa-piatnik",
        players={"white": "Ana-Maria of the Many Islands", "black": "Ben"},
        awaited=("white", "black"),
        last="black BARI-DUDA-COCO",
        problems=("matches/a-match.desk.yaml: " + "it cannot be read, and this is why " * 3,),
    )
    lines = listed(long, match("short"), width=width)
    assert max(map(len, lines)) <= max(width, 80)
    [whole] = [line for line in listed(long, width=200) if line.startswith("a-")]
    for told in (long.name, "kanaloa-piatnik", "#17", "Ana-Maria of the Many Islands (white)"):
        assert told in whole
    assert "2026-09-21 08:00" in whole
    assert "a3f9" in whole
    heads = {line.index("kanaloa") for line in lines if line.startswith("a-")}
    assert heads == {lines[0].index("game")}


def test_what_needs_the_moderator_stands_above_the_matches() -> None:
    overview = Overview((match("one"),), astray=2, undelivered=1)
    first, second, *_ = listing.lines(overview, NOW, width=80, unlisted=3)
    assert first == "1 answer about no match could not be delivered; see .mailroom/outbox"
    assert second.startswith("match ")
    *_, last = listing.lines(overview, NOW, width=80, unlisted=3)
    assert last == "3 finished matches are not listed: --all lists them"


def test_nothing_in_a_name_moves_the_cursor() -> None:
    lines = listed(match("one", players={"white": "A\x1b[31m\u202en"}, game="ka\nhuna"))
    assert all(line.isprintable() for line in lines)


def test_the_command_lists_chooses_and_counts(tmp_path: Path) -> None:
    dealt(tmp_path, name="sim10")
    over = dealt(tmp_path, name="sim2")
    pbem("rule", over.log, "resign", "--seat", "white", "--reason", "asked")
    shown = pbem("status", tmp_path).out
    assert "sim10" in shown
    assert "sim2" not in shown
    assert shown.endswith("1 finished match is not listed: --all lists it\n")
    everything = pbem("status", tmp_path, "--all").out
    assert "over: black won [resignation]" in everything
    assert "not listed" not in everything
    chosen = pbem("status", tmp_path, "--player", "ana", "--game", "kahuna", "--json").json
    assert [match["match"] for match in chosen["matches"]] == ["sim10", "sim2"]
    assert pbem("status", tmp_path, "--waiting", "10000").out.splitlines()[1:] == []


def test_a_log_with_a_time_that_is_none_is_told(tmp_path: Path) -> None:
    players = {seat: Player(seat) for seat in ("white", "black")}
    new = begin.Terms("kahuna", players, name="m", folder=str(tmp_path))
    never = "2026-13-41T00:00:00Z"
    begin.write(*begin.begin(new, secret=bytes(32), clock=lambda: never))
    shown = pbem("status", tmp_path)
    assert shown.code == 0
    assert "holds a time that is none" in " ".join(shown.out.split())
