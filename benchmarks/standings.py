"""How a club stands, worked out a second time from nothing but its logs and its rules: what is here
shares no line with pbem, so that one finds the mistakes of the other.

python benchmarks/standings.py FOLDER [MOMENT]
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import yaml

Entry = dict[str, Any]
Standing = dict[str, Any]


def log_of(path: Path) -> Entry:
    """A log as plain values."""
    return dict(yaml.load(path.read_text(), yaml.CBaseLoader))  # every value is a text


def standing(folder: Path, moment: str) -> Standing:
    """Lines, and for each member the two fractions of the year before a moment."""
    club = log_of(folder / "club.pbem.yaml")["log"]
    people: dict[str, Entry] = {
        each["handle"]: {"in_time": [0, 0], "kept": [0, 0]}
        for each in club
        if each["entry"] == "joined"
    }
    first = _later(moment, -365 * 24)
    missed: dict[str, list[str]] = {handle: [] for handle in people}
    for each in club:
        if each["entry"] != "began":
            continue
        log = log_of(folder / f"{each['match']}.pbem.yaml")
        for handle, at, in_time in turns(log):
            if at >= first and in_time:
                people[handle]["in_time"][0] += 1
            elif at >= first:
                missed[handle].append(at)
        for handle, until, kept in tenures(log):
            if (until or moment) >= first:
                people[handle]["kept"][0] += kept
                people[handle]["kept"][1] += 1
    for handle, theirs in people.items():  # C-23
        n, since = theirs["in_time"][0], ""
        theirs["in_time"][1] = n
        for at in sorted(missed[handle]):
            if at >= since:
                theirs["in_time"][1] += 1
                since = _later(at, 72)
    return {"lines": lines(club), "people": people}


def _later(at: str, hours: int) -> str:
    moment = datetime.fromisoformat(at) + timedelta(hours=hours)
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"


# ------------------------------------------------------------------------------- matches


def turns(log: Entry) -> Iterator[tuple[str, str, bool]]:
    """Whose turn, when it began to count, and was it in time: C-20 to C-22, C-24."""
    holders, notices = dict(log["seats"]), dict[str, str]()
    open_turn: list[Any] = []  # seat, handle, at, in time
    forced = ""
    for entry in log["log"] if "clock" in log else ():
        ruling, seat = entry.get("ruling"), entry.get("seat", "")
        if ruling == "late":
            notices.setdefault(seat, entry["at"])
        elif ruling == "extend":
            for each in entry.get("seats") or holders:
                notices.pop(each, None)
        elif ruling == "default":
            forced = seat
        elif ruling == "substitute" and entry["name"] != holders[seat]:
            if seat in notices and open_turn[:1] != [seat]:
                yield holders[seat], notices.pop(seat), False
            elif seat in notices:
                open_turn[2:] = [notices.pop(seat), False]
            if open_turn[:1] == [seat]:
                yield _turn(open_turn)
                open_turn = []
            holders[seat] = entry["name"]
        elif "ply" in entry and seat in holders:
            if open_turn[:1] != [seat]:
                if open_turn:
                    yield _turn(open_turn)
                open_turn = [seat, holders[seat], entry["at"], True]
            if seat in notices or forced == seat:
                open_turn[2:] = [notices.pop(seat, entry["at"]), False]
            forced = ""
    if open_turn:
        if open_turn[0] in notices:
            open_turn[2:] = [notices.pop(open_turn[0]), False]
        yield _turn(open_turn)
    for seat, at in notices.items():
        yield holders[seat], at, False


def _turn(each: list[Any]) -> tuple[str, str, bool]:
    _, handle, at, in_time = each
    return handle, at, in_time


def tenures(log: Entry) -> Iterator[tuple[str, str, bool]]:
    """Who held a seat, until when ("" if they still do), and was it kept: C-24."""
    holders, gone = dict(log["seats"]), dict[str, str]()
    for entry in log["log"]:
        if entry.get("ruling") == "vacate":
            gone[entry["seat"]] = entry["at"]
        elif entry.get("ruling") == "substitute" and entry["name"] != holders[entry["seat"]]:
            seat = entry["seat"]
            yield holders[seat], gone.pop(seat, entry["at"]), False
            holders[seat] = entry["name"]
    for seat, handle in holders.items():
        yield handle, gone.get(seat, ""), seat not in gone


# --------------------------------------------------------------------------------- lines


def lines(club: list[Entry]) -> dict[str, list[str]]:
    """Who waits for what, the first first: C-2 to C-4, C-14, C-31."""
    waits: list[tuple[str, str]] = []
    offers: dict[str, tuple[str, str]] = {}
    tables: dict[str, str] = {}
    holder: dict[tuple[str, str], str] = {}

    def served(handle: str, terms: str) -> None:
        for each in ((handle, terms), (handle, '{"game": "any"}')):
            if each in waits:
                waits.remove(each)
                return

    for entry in club:
        kind, handle = entry["entry"], entry.get("handle", "")
        terms = json.dumps(entry.get("terms"), sort_keys=True)
        if kind == "waits":
            waits.append((handle, terms))
        elif kind in ("left", "excluded"):
            game = entry.get("game", "all")
            waits = [w for w in waits if w[0] != handle or game not in ("all", _game(w[1]))]
        elif kind == "hosted":
            tables[entry["table"]] = terms
        elif kind == "offered":
            about = terms if "terms" in entry else tables.get(entry.get("table", ""), "")
            offers[entry["offer"]] = entry["to"], about
            if "match" in entry:
                offers[entry["offer"]] = entry["to"], f"seat {entry['match']} {entry['seat']}"
        elif kind in ("declined", "lapsed"):
            to, about = offers[entry["offer"]]
            served(to, about)
        elif kind == "accepted":
            to, about = offers[entry["offer"]]
            if about.startswith("seat "):
                _, match, seat = about.split()
                holder[match, seat] = to
            elif entry["offer"] in _table_offers(club):
                served(to, about)
        elif kind == "began":
            holder |= {(entry["match"], seat): who for seat, who in entry["seats"].items()}
            if "table" not in entry:
                for each in entry["seats"].values():
                    served(each, terms)
        elif kind == "seated":
            holder[entry["match"], entry["seat"]] = handle
        elif kind == "sought" and entry["cause"] == "silence":
            waits = [w for w in waits if w[0] != holder[entry["match"], entry["seat"]]]
    return {terms: _waiting(waits, terms) for _, terms in waits if _game(terms) != "substitute"}


def _game(terms: str) -> str:
    return str(json.loads(terms)["game"])


def _table_offers(club: list[Entry]) -> set[str]:
    return {each["offer"] for each in club if each["entry"] == "offered" and "table" in each}


def _waiting(waits: list[tuple[str, str]], terms: str) -> list[str]:
    both = (terms, '{"game": "any"}')
    return list(dict.fromkeys(handle for handle, wanted in waits if wanted in both))


if __name__ == "__main__":
    at = sys.argv[2] if len(sys.argv) > 2 else "9999-01-01T00:00:00Z"
    print(json.dumps(standing(Path(sys.argv[1]), at), indent=1))
