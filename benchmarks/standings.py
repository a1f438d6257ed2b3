"""How a club and its events stand, worked out a second time from nothing but the logs and the
rules: what is here shares no line with pbem, so that one finds the mistakes of the other. Of a
match it understands turns, seats, and how a ruling ends it; of a game, how its end and its scores
stand in a log.

python benchmarks/standings.py FOLDER [MOMENT]
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta
from fractions import Fraction
from itertools import combinations
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
    house: dict[str, str] = {}

    def agreed(plain: Entry | None) -> str:
        """Terms, with what the club had set when they were named (C-17)."""
        if plain and plain["game"] not in ("any", "substitute"):
            plain = {**house, **plain}
        return json.dumps(plain, sort_keys=True)

    def served(handle: str, terms: str) -> None:
        for each in ((handle, terms), (handle, '{"game": "any"}')):
            if each in waits:
                waits.remove(each)
                return

    for entry in club:
        kind, handle = entry["entry"], entry.get("handle", "")
        terms = agreed(entry.get("terms"))
        if kind == "settings":
            house = {key: entry[key] for key in ("press", "zone")}
        elif kind == "waits":
            waits.append((handle, terms))
        elif kind in ("left", "excluded") and "table" not in entry:
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


# -------------------------------------------------------------------------------- events

Figures = dict[str, tuple[Fraction, ...]]


class Season:
    """A season of an event, or an event that has one: its people in their order, its tables."""

    def __init__(self, about: Entry, people: list[str], drawn: Entry) -> None:
        self.format, self.people = about["format"], people
        self.size, self.adjudicates = int(about["terms"]["players"]), "days" in about
        self.has_divisions = self.format in ("league", "ladder")
        flat = [(n, each) for n, outer in enumerate(drawn["schedule"]) for each in outer]
        self.tables = [each for _, each in flat]
        self.division = {who: n * self.has_divisions for n, each in flat for who in each}
        self.matches: dict[int, str] = {}
        self.withdrew: dict[str, str] = {}
        self.until, self.order = "", list[list[str]]()
        self.seeded = "seeded" in drawn

    def is_as_listed(self) -> bool:
        """Are the divisions of a league those of its list (E-40), if no rating orders that?"""
        if self.format != "league" or self.seeded:
            return True
        number = -(-len(self.people) // 11)
        ends = [-(-len(self.people) * n // number) for n in range(number + 1)]
        listed = {who: n for n in range(number) for who in self.people[ends[n] : ends[n + 1]]}
        return listed == self.division


def seasons(folder: Path) -> dict[str, list[Season]]:
    """The seasons of each event, as the club's log has them."""
    found: dict[str, list[Season]] = {}
    events: dict[str, Entry] = {}
    people: dict[str, list[str]] = {}
    for entry in log_of(folder / "club.pbem.yaml")["log"]:
        kind, name, who = entry["entry"], entry.get("event", ""), entry.get("handle", "")
        if kind == "announced":
            events[name], found[name], people[name] = entry, [], []
        elif kind == "entered":
            people[name].append(who)
        elif kind in ("withdrew", "excluded"):
            for each in [name] if name else [*events]:
                if who in people[each]:
                    people[each].remove(who)
                for season in found[each][-1:]:
                    if not season.until and who in season.division:
                        season.withdrew.setdefault(who, entry["at"])
        elif kind == "drawn":
            if found[name]:
                people[name] = following(found[name][-1], people[name])
            found[name].append(Season(events[name], [*people[name]], entry))
        elif kind == "undrawn":
            found[name].pop()
        elif kind == "began" and name:
            found[name][-1].matches[int(entry["table"])] = entry["match"]
        elif kind == "ended" and found[name] and not found[name][-1].until:
            found[name][-1].until, found[name][-1].order = entry["until"], entry["order"]
    return found


def following(season: Season, people: list[str]) -> list[str]:
    """The list that the next season is drawn from: E-41, E-42."""
    ranked = [who for each in season.order for who in sorted(each, key=season.people.index)]
    divisions: list[list[str]] = [[] for _ in range(max(season.division.values()) + 1)]
    for who in ranked:
        divisions[season.division[who]].append(who)
    for n in range(len(divisions) - 1):
        upper, lower = divisions[n], divisions[n + 1]
        moves = min(2, len(upper) // 2, len(lower) // 2)
        down = [upper.pop() for _ in range(moves)][::-1]
        divisions[n] = upper + lower[:moves]
        divisions[n + 1] = down + lower[moves:]
    stay = [who for each in divisions for who in each if who in people]
    return stay + [who for who in people if who not in stay]


def told(log: Entry) -> Iterator[tuple[str, Entry]]:
    """What happened by the plies that stand, one fact after the other."""
    plies = {each["ply"]: each for each in log["log"] if "ply" in each}
    stand: list[str] = []
    for entry in log["log"]:
        if "ply" in entry:
            stand.append(entry["ply"])
        stand = sorted({*stand, *entry.get("restores", ())} - {*entry.get("strikes", ())}, key=int)
    for number in stand:
        for each in plies[number].get("events", ()):
            yield from each.items()


def ending(log: Entry) -> tuple[set[str] | None, dict[str, Fraction]]:
    """Who has won by the rules, None if nobody yet, and how many points each seat has or, in a
    race, fields: the boats begin on the start field and keep theirs when a card is removed."""
    winners, scores, route = None, dict.fromkeys(log["seats"], Fraction()), list[str]()
    for kind, fact in told(log):
        if kind == "ended":
            winner = fact.get("winner")
            winners = {*fact.get("winners", [winner] if winner else [])}
        elif kind == "scored" and "score" in fact:
            scores[fact["seat"]] = Fraction(fact["score"])
        elif kind == "laid":
            route.append(fact["card"])
            if fact["card"] == "M01":
                start = 2 * len(route) - (1 if fact["turned"] == "true" else 2)
                scores = dict.fromkeys(scores, Fraction(start))
        elif kind == "moved":
            scores[fact["seat"]] = Fraction(fact["to"])
        elif kind == "removed" and fact.get("card") in route:
            field, length = 2 * route.index(fact["card"]), 2 * len(route)
            route.remove(fact["card"])
            for seat, boat in scores.items():
                laps, at = divmod(boat, length)
                scores[seat] = boat - 2 * laps - 2 * (at > field)
    return winners, scores


Places = dict[str, tuple[Fraction, Fraction]]


def places(log: Entry, until: str, adjudicates: bool, without: set[str]) -> Places:
    """Who came in at which place of a match, by what was over before a moment, and how many points
    above the mean: E-20 to E-23, E-31. {} if nothing counts."""
    cut = {**log, "log": [each for each in log["log"] if not until or each["at"] < until]}
    holders, gone = dict(log["seats"]), set[str]()
    winners, scores = ending(cut)
    if winners is None:
        scores = dict.fromkeys(scores, Fraction())
    for entry in cut["log"]:
        ruling, seat = entry.get("ruling"), entry.get("seat", "")
        if ruling == "end":
            winners = {*entry.get("winners", ())}
        elif ruling == "resign":
            winners = {*holders} - {seat}
        elif ruling == "vacate":
            gone.add(seat)
        elif ruling == "substitute":
            holders[seat] = entry["name"]
    left = {seat for seat, who in log["seats"].items() if holders[seat] != who or seat in gone}
    if winners is None and not (adjudicates and until):
        return {}
    here = {seat: who for seat, who in log["seats"].items() if who not in without}
    missed = [who for who, _, in_time in turns(cut) if not in_time]
    worse = {
        seat: (seat not in winners, -scores[seat]) if winners else (False, missed.count(who))
        for seat, who in here.items()
    }
    if winners is not None and not winners:
        worse = dict.fromkeys(here, (False, 0))  # a draw
    points = [scores[seat] for seat in here]
    mean, found = sum(points, Fraction()) / max(len(points), 1), Places()
    for seat, who in here.items():
        before = sum(each < worse[seat] for each in worse.values())
        level = sum(each == worse[seat] for each in worse.values())
        place = before + Fraction(level + 1, 2)
        if seat in left:
            found[who] = Fraction(len(here)), min(points) - mean
        else:
            found[who] = place, scores[seat] - mean
    return found if len(found) > 1 else {}


def figures(folder: Path, season: Season) -> Figures:
    """What counts, for each whose results are not struck."""
    logs = {n: log_of(folder / f"{m}.pbem.yaml") for n, m in season.matches.items()}

    def over(n: int, moment: str) -> bool:
        return n in logs and bool(places(logs[n], moment, False, set()))

    struck = set()
    for who, at in season.withdrew.items():
        theirs = [n for n, table in enumerate(season.tables, 1) if who in table]
        if 2 * sum(over(n, at) for n in theirs) < len(theirs):
            struck.add(who)
    counted = [who for who in season.people if who not in struck]
    got = list[Places]()
    for n in range(1, len(season.tables) + 1):
        then = season.until, season.adjudicates, struck
        got.append(places(logs[n], *then) if n in logs else {})
    if season.format == "tables":
        return _by_places(season, counted, got)
    points: dict[str, dict[str, Fraction]] = {who: {} for who in counted}
    for one, other, place in (
        (one, other, each[one][0]) for each in got for one in each for other in each if one != other
    ):
        points[one][other] = points[one].get(other, Fraction()) + 2 * (2 - place)
    won = {who: sum(p[who][0] == 1 for p in got if who in p) for who in counted}
    if season.format == "ladder":
        at = {who: n for n, who in enumerate(counted, 1)}
        for one, other in combinations(counted, 2):
            if points[one].get(other) == 0:  # the lower has beaten the upper
                at[one], at[other] = at[one] + 1, at[other] - 1
        return {who: (Fraction(at[who]), -Fraction(won[who])) for who in counted}
    total = {who: sum(points[who].values(), Fraction()) for who in counted}
    berger = {w: sum((p * total[o] / 2 for o, p in points[w].items()), Fraction()) for w in counted}
    found = {}
    for who in counted:
        same = [o for o in counted if (total[o], berger[o]) == (total[who], berger[who])]
        direct = sum((points[who].get(o, Fraction()) for o in same), Fraction())
        found[who] = (-total[who], -berger[who], -direct, -Fraction(won[who]))
    return found


def _by_places(season: Season, counted: list[str], got: list[Places]) -> Figures:
    middle, size = Fraction(season.size + 1, 2), season.size
    total, firsts, above = (dict.fromkeys(counted, Fraction()) for _ in range(3))
    for table, each in zip(season.tables, got, strict=True):
        for who in table:
            if who in total and who not in each:
                total[who] += middle
        for who, (place, relative) in each.items():
            wide = 1 + (place - 1) * Fraction(size - 1, len(each) - 1)
            total[who] += wide
            firsts[who] -= wide == 1
            above[who] -= relative
    return {who: (total[who], firsts[who], above[who]) for who in counted}


def order(season: Season, counted: Figures) -> list[list[str]]:
    """Who stands where, division by division, those who share a rank in the order of their names;
    without those who withdrew."""
    found: list[list[str]] = []
    for division in sorted({*season.division.values()}):
        here = [w for w in counted if season.division[w] == division and w not in season.withdrew]
        for value in sorted({counted[who] for who in here}):
            found.append(sorted(who for who in here if counted[who] == value))
    return found


def wrong(folder: Path) -> Iterator[str]:
    """The seasons whose order in the log is another than what follows from the logs."""
    for name, each in seasons(folder).items():
        for n, season in enumerate(each, 1):
            if season.until and season.order != order(season, figures(folder, season)):
                yield f"{name}, season {n}"
            if not season.is_as_listed():
                yield f"{name}, season {n}: its divisions"


if __name__ == "__main__":
    at = sys.argv[2] if len(sys.argv) > 2 else "9999-01-01T00:00:00Z"
    print(json.dumps(standing(Path(sys.argv[1]), at), indent=1))
    sys.exit(", ".join(wrong(Path(sys.argv[1]))) or 0)
