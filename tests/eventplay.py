"""What can happen in an event of a club, and what can be seen of it, for the casebook."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from commands import Done, pbem

SEVEN: Final = ", ".join(f"P{n}" for n in range(1, 8))


def event(play: Any, command: str, *words: object) -> Done:
    return pbem("event", command, play.folder, *words)


def seen(play: Any, name: str = "spring") -> Any:
    return event(play, "standings", name, "--json").json


def announced(play: Any, name: str, format: str, days: str, seeded: str) -> Done:
    ends = (*(("--days", days) if days else ()), *(("--seeding", "rating") if seeded else ()))
    where = ("--dir", play.folder, "--game", "kahuna", "--format", format)
    return pbem("event", "new", name, *where, *ends)


def enter(play: Any, names: str, name: str) -> Done:
    done = [event(play, "enter", name, play.handle(w)) for w in re.split(", | and ", names)]
    return next((each for each in done if each.code), done[-1])


def begins(play: Any, names: str, format: str, does: str) -> Done:
    joins = [f"{name} joins" for name in re.split(", | and ", names)]
    announce = f"spring is announced as a {format} of kahuna"
    acts = ("the club acts",) if does == "play" else ()
    return play.all_of(*joins, announce, f"{names} enter spring", "spring is drawn", *acts)


def seven(play: Any, does: str) -> Done:
    play.all_of(*(f"{name} joins" for name in SEVEN.split(", ")))
    options = "--format tables --table 4 --rounds 2 --game kanaloa-piatnik --dir".split()
    assert pbem("event", "new", "spring", *options, play.folder).code == 0
    done = play.all_of(f"{SEVEN} enter spring", "spring is drawn")
    return play.happens("the club acts") if does == "play" else done


def between(play: Any, one: str, other: str) -> tuple[str, str]:
    """The match in which two sit, and the seat of the first."""
    for match in play.state["matches"]:
        seats = {handle: seat for seat, handle in match["seats"].items()}
        if {one, other} <= {*seats}:
            return match["match"], seats[one]
    raise AssertionError(f"{one} and {other} do not meet")


def resigns(play: Any, one: str, other: str) -> Done:
    match, seat = between(play, one, other)
    return play.rule("resign", "--seat", seat, match=match)


def takes_over(play: Any, comes: str, goes: str, other: str) -> Done:
    match, seat = between(play, goes, other)
    return play.club("seat", comes, "--match", match, "--seat", seat)


def first_wins(play: Any) -> Done:
    done = Done(1, "", "")
    for match in play.state["matches"]:
        done = play.rule("end", "--winner", next(iter(match["seats"])), match=match["match"])
        assert done.code == 0, done
    return done


def one_excluded(play: Any) -> Done:
    [table] = (t for t in seen(play)["tables"] if t["round"] == 1 and len(t["people"]) == 4)
    return play.happens(f"{table['people'][0]} is excluded")


def enough(play: Any, least: str) -> Done:
    play.monkeypatch.setattr("pbem.club.ratings.LEAST", int(least))
    return Done(0, "", "")


EVENT_STEPS: Final[dict[str, Callable[..., Done]]] = {
    r"(\S+) is announced as a (\S+) of kahuna(?: for (\d+) days)?( seeded by rating)?": announced,
    r"(\S+) leaves the event spring": lambda p, name: event(p, "leave", "spring", name),
    r"(.+) enters? (spring|autumn)": enter,
    r"(spring|autumn) is undrawn": lambda p, name: event(p, "undraw", name, "--reason", "Cleo"),
    r"(spring|autumn) is drawn": lambda p, name: event(p, "draw", name),
    r"the founder ends spring": lambda p: event(p, "end", "spring"),
    r"(.+) play the (pool|league|ladder) spring": lambda p, who, form: begins(p, who, form, "play"),
    r"(.+) are drawn for the (pool|league|ladder) spring": lambda p, who, form: begins(
        p, who, form, "draw"
    ),
    r"(\S+) resigns against (\S+)": resigns,
    r"(\S+) takes the seat of (\S+) against (\S+)": takes_over,
    r"seven (enter|play) two rounds of kanaloa-piatnik in tables of 4": seven,
    r"the first of each table wins": first_wins,
    r"one of the table of 4 is excluded": one_excluded,
    r"(\d+) matches are enough to be rated by": enough,
}


def figures(play: Any) -> dict[str, str]:
    names = ("points", "places", "sonneborn_berger", "direct", "wins")
    return {
        each["handle"]: ", ".join(f"{name} {each[name]}" for name in names if name in each)
        for each in seen(play)["standings"]
    }


EVENT_SEEN: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "meetings": lambda p, s: sorted(sorted(each["people"]) for each in seen(p)["tables"]),
    "divisions": lambda p, s: [
        sorted({who for t in seen(p)["tables"] if t["division"] == n for who in t["people"]})
        for n in range(1, 1 + max(each["division"] for each in seen(p)["tables"]))
    ],
    "rated": lambda p, s: {
        each["handle"]: [each["rank"], each["matches"]]
        for game in pbem("event", "ratings", p.folder, "--json").json["ratings"]
        for each in game["people"]
    },
    "ladder": lambda p, s: {e["handle"]: e["rank"] for e in seen(p, "autumn")["standings"]},
    "season": lambda p, s: seen(p)["season"],
    "firsts": lambda p, s: dict(Counter(each["people"][0] for each in seen(p)["tables"])),
    "ranks": lambda p, s: {each["handle"]: each["rank"] for each in seen(p)["standings"]},
    "struck": lambda p, s: [each["handle"] for each in seen(p)["standings"] if each["struck"]],
    "ended": lambda p, s: seen(p)["ended"] is not None,
    "sizes": lambda p, s: [len(t["people"]) for t in seen(p)["tables"] if t["round"] == 1],
    "begun": lambda p, s: sum(each["match"] is not None for each in seen(p)["tables"]),
    "placed": lambda p, s: [each.get("places") for each in seen(p)["standings"]],
    "players": lambda p, s: [each["players"] for each in s["matches"]],
}
