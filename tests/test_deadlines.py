"""Until when each seat has time: every case of docs/time.md, its laws, and a second opinion."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from clockwork import (
    BEGUN,
    BLACK,
    BOTH,
    DEALING,
    NOBODY,
    RED,
    WHITE,
    Entry,
    SecondOpinion,
    during,
    log,
    moments,
    moved,
    ruled,
    timetable,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from long import many

from pbem.log import clock
from pbem.log.format import Log
from pbem.log.timetable import Deadline, Timetable
from pbem.log.turns import Asked
from pbem.problem import Problem, Usage

PAGE = " ".join((Path(__file__).parents[1] / "docs" / "time.md").read_text("utf-8").split())


def at(day: str, hour: str = "18:00:00") -> str:
    """A moment in 2026, in UTC; 20:00 in Berlin in summer."""
    return f"2026-{day}T{hour}Z"


def away(when: str, first: str, last: str, seat: str = "white", **more: Any) -> Entry:
    return ruled(when, "away", seat=seat, first=f"2026-{first}", last=f"2026-{last}", **more)


LATE = ruled(at("09-25", "07:00:00"), "late", seat="white")
CASES: list[tuple[str, dict[str, Any], list[Entry], list[Asked], dict[str, dict[str, Any]]]] = [
    # what it is about, settings, entries, who is asked before and after each live ply, and
    # what follows for whom. The match begins on Monday 21 September 2026, noon in Berlin.
    ("A turn", {}, [], [WHITE], {"white": {"remind": at("09-23"), "due": at("09-24")}}),
    (
        "A turn that begins in the evening",
        {},
        [moved(at("09-21", "21:30:00"))],  # 23:30 in Berlin
        [WHITE, BLACK],
        {"black": {"due": at("09-24")}},
    ),
    (
        "A turn that begins after midnight",
        {},
        [moved(at("09-21", "22:30:00"))],
        [WHITE, BLACK],
        {"black": {"due": at("09-25")}},
    ),
    (
        "Weekends and holidays",
        {"closed": ["sat", "sun", "2026-09-24"]},
        [],
        [WHITE],
        {"white": {"due": at("09-25")}},
    ),
    (
        "A weekend that is closed",
        {"closed": ["sat", "sun"], "turn": 5},
        [],
        [WHITE],
        {"white": {"due": at("09-28")}},
    ),
    (
        "An absence",
        {},
        [away(at("09-22"), "09-23", "09-30")],
        [WHITE],
        {"white": {"due": at("10-02")}},
    ),
    (
        "An absence announced too late",
        {},
        [away(at("09-23", "18:00:01"), "09-22", "09-23")],
        [WHITE],
        {"white": {"due": at("09-24")}},
    ),
    (
        "Absences that overlap",
        {},
        [
            away(at("09-22"), "09-23", "09-26"),
            away(at("09-22"), "09-25", "09-30"),
            away(at("09-22"), "09-25", "09-30"),
        ],
        [WHITE],
        {"white": {"due": at("10-02")}},
    ),
    (
        "Somebody else's absence",
        {},
        [away(at("09-22"), "09-22", "09-30", "black")],
        [WHITE],
        {"white": {"due": at("09-24")}},
    ),
    (
        "Back early",
        {},
        [
            away(at("09-22", "09:00:00"), "09-22", "09-30"),
            ruled(at("09-24", "17:00:00"), "back", seat="white", first="2026-09-24"),
        ],
        [WHITE],
        {"white": {"due": at("09-26")}},
    ),
    (
        "A move while away",
        {},
        [
            away(at("09-21", "11:00:00"), "09-22", "09-24"),
            moved(at("09-22")),
            moved(at("09-22"), "black"),
        ],
        [WHITE, BLACK, WHITE],
        {"white": {"due": at("09-27")}},
    ),
    (
        "Two seats asked at once",
        {},
        [moved(at("09-23"))],
        [BOTH, BLACK],
        {"black": {"since": BEGUN, "due": at("09-24")}},
    ),
    (
        "An interruption",
        {},
        [moved(at("09-22", "09:00:00")), moved(at("09-23", "09:00:00"), "black")],
        [WHITE, during("black"), WHITE],
        {"white": {"since": BEGUN, "due": at("09-25")}},
    ),
    (
        "The window of an interruption",
        {"interrupt": 2},
        [moved(at("09-22", "09:00:00"))],
        [WHITE, during("black", "red")],
        {"black": {"due": at("09-24")}, "red": {"due": at("09-24")}},
    ),
    (
        "One window for all who may interrupt",
        {"interrupt": 3},
        [moved(at("09-22", "09:00:00")), moved(at("09-24", "09:00:00"), "black")],
        [WHITE, during("black"), during("red")],
        {"red": {"since": at("09-22", "09:00:00"), "due": at("09-25")}},
    ),
    (
        "Asked on the last day",
        {},
        [
            moved(at("09-22", "09:00:00")),
            moved(at("09-22", "17:00:00"), "black"),
            moved(at("09-24", "09:00:00")),
            moved(at("09-24", "17:00:00"), "black"),
        ],
        [WHITE, during("black"), WHITE, during("black"), WHITE],
        {"white": {"since": BEGUN, "due": at("09-25")}},
    ),
    (
        "An interruption that ends with a drawn card",
        {},
        [
            moved(at("09-24", "09:00:00")),
            moved(at("09-24", "17:00:00"), "black"),
            moved(at("09-24", "17:00:00"), "chance"),
        ],
        [WHITE, during("black"), DEALING, WHITE],
        {"white": {"since": BEGUN, "due": at("09-25")}},
    ),
    (
        "Several plies in one turn",
        {},
        [moved(at("09-22")), moved(at("09-23"))],
        [WHITE, WHITE, WHITE],
        {"white": {"since": BEGUN, "due": at("09-24")}},
    ),
    (
        "A card drawn during a turn",
        {},
        [moved(at("09-23")), moved(at("09-23"), "chance")],
        [WHITE, DEALING, WHITE],
        {"white": {"since": BEGUN, "due": at("09-24")}},
    ),
    (
        "A card drawn between two turns",
        {},
        [moved(at("09-23")), moved(at("09-23"), "chance")],
        [WHITE, DEALING, BLACK],
        {"black": {"since": at("09-23"), "due": at("09-26")}},
    ),
    (
        "A takeback",
        {},
        [moved(at("09-22")), ruled(at("09-24"), "takeback", strikes=[1])],
        [WHITE],
        {"white": {"since": at("09-24"), "due": at("09-27")}},
    ),
    (
        "Another player sits down",
        {"bank": 2},
        [
            away(at("09-22"), "09-22", "09-30"),
            ruled(at("09-24"), "substitute", seat="white", name="Zoe", epoch=1),
        ],
        [WHITE],
        {"white": {"since": at("09-24"), "due": at("09-27"), "late_from": at("09-29")}},
    ),
    (
        "Another player sits down",  # after one who has spent a day
        {"bank": 2},
        [
            moved(at("09-25", "09:00:00")),
            moved(at("09-26", "09:00:00"), "black"),
            ruled(at("09-27"), "substitute", seat="white", name="Zoe", epoch=1),
        ],
        [WHITE, BLACK, WHITE],
        {"white": {"due": at("09-30"), "late_from": at("10-02")}},
    ),
    (
        "Days to spare",
        {"bank": 2},
        [],
        [WHITE],
        {"white": {"due": at("09-24"), "late_from": at("09-26")}},
    ),
    (
        "Days to spare that are spent",
        {"bank": 2},
        [moved(at("09-25", "09:00:00")), moved(at("09-26", "09:00:00"), "black")],
        [WHITE, BLACK, WHITE],
        {"white": {"due": at("09-29"), "late_from": at("09-30")}},
    ),
    (
        "Days to spare that are spent",  # in two turns
        {"bank": 3},
        [
            moved(at("09-25", "09:00:00")),
            moved(at("09-26", "09:00:00"), "black"),
            moved(at("09-30", "09:00:00")),
            moved(at("10-01", "09:00:00"), "black"),
        ],
        [WHITE, BLACK, WHITE, BLACK, WHITE],
        {"white": {"due": at("10-04"), "late_from": at("10-05")}},
    ),
    (
        "Days to spare that come back",
        {"bank": 2},
        [moved(at("09-25", "09:00:00")), ruled(at("09-26"), "takeback", strikes=[1])],
        [WHITE],
        {"white": {"due": at("09-29"), "late_from": at("10-01")}},
    ),
    (
        "A notice",
        {},
        [LATE],
        [WHITE],
        {"white": {"noticed": at("09-25", "07:00:00"), "lapse": at("09-27")}},
    ),
    ("No notice", {}, [], [WHITE], {"white": {"late_from": at("09-24"), "lapse": ""}}),
    (
        "A pause during the days of grace",
        {},
        [LATE, ruled(at("09-26"), "pause"), ruled(at("09-30", "19:00:00"), "resume")],
        [WHITE],
        {"white": {"noticed": at("09-25", "07:00:00"), "lapse": at("10-02")}},
    ),
    (
        "The day on which the clock goes on",  # that would have been the last of grace
        {},
        [LATE, ruled(at("09-27", "09:00:00"), "pause"), ruled(at("09-28", "17:59:00"), "resume")],
        [WHITE],
        {"white": {"noticed": at("09-25", "07:00:00"), "lapse": at("09-29")}},
    ),
    (
        "A pause and its end on one day",
        {},
        [ruled(at("09-22", "09:00:00"), "pause"), ruled(at("09-22", "17:00:00"), "resume")],
        [WHITE],
        {"white": {"due": at("09-24")}},
    ),
    (
        "The day on which the clock goes on",
        {"turn": 1},
        [ruled(at("09-22", "09:00:00"), "pause"), ruled(at("09-24", "17:59:00"), "resume")],
        [WHITE],
        {"white": {"due": at("09-25")}},
    ),
    (
        "A paused clock",
        {},
        [ruled(at("09-22", "09:00:00"), "pause")],
        [WHITE],
        {"white": {"due": "", "late_from": "", "lapse": ""}},
    ),
    (
        "Days that are given",
        {},
        [ruled(at("09-22"), "extend", seats=["white"], days=2)],
        [WHITE],
        {"white": {"due": at("09-26")}},
    ),
    (
        "Days that are given",  # twice
        {},
        [
            ruled(at("09-22"), "extend", seats=["white"], days=2),
            ruled(at("09-23"), "extend", seats=["white"], days=1),
        ],
        [WHITE],
        {"white": {"due": at("09-27")}},
    ),
    (
        "Days that are given after a notice",
        {},
        [LATE, ruled(at("09-25", "08:00:00"), "extend", seats=["white"], days=3)],
        [WHITE],
        {"white": {"due": at("09-27"), "noticed": "", "lapse": ""}},
    ),
    (
        "What is played for a silent seat",
        {},
        [
            LATE,
            ruled(at("09-27", "19:00:00"), "default", seat="white"),
            moved(at("09-27", "19:00:00")),
        ],
        [WHITE, WHITE],
        {"white": {"noticed": at("09-27", "19:00:00"), "lapse": at("09-29")}},
    ),
    (
        "What is played for a silent seat",  # asks it again, on the last day
        {},
        [ruled(at("09-24", "09:00:00"), "default", seat="white"), moved(at("09-24", "09:00:00"))],
        [WHITE, WHITE],
        {"white": {"since": BEGUN, "due": at("09-25")}},
    ),
    (
        "What is played for a silent seat",  # spends none of its days to spare
        {"bank": 5},
        [
            moved(at("09-22")),
            ruled(at("09-26"), "default", seat="white"),
            moved(at("09-26")),
            moved(at("09-27"), "black"),
        ],
        [WHITE, WHITE, BLACK, WHITE],
        {"white": {"due": at("09-30"), "spare": 5}},
    ),
    (
        "Moves after what was played for a silent seat",
        {"bank": 5},
        [
            ruled(at("09-22"), "default", seat="white"),
            moved(at("09-22")),
            moved(at("09-26")),
            moved(at("09-27"), "black"),
        ],
        [WHITE, WHITE, BLACK, WHITE],
        {"white": {"due": at("09-30"), "spare": 3}},
    ),
    (
        "A move that comes late",
        {},
        [LATE, moved(at("09-27", "17:00:00")), moved(at("09-28"), "black")],
        [WHITE, BLACK, WHITE],
        {"white": {"due": at("10-01"), "noticed": "", "lapse": ""}},
    ),
    (
        "Another clock",
        {"turn": 7},
        [
            ruled(
                at("09-26"),
                "clock",
                settings={**log([]).header.clock, "turn": 2},  # type: ignore[dict-item]
            )
        ],
        [WHITE],
        {"white": {"due": at("09-27")}},
    ),
    (
        "Another clock",  # of a later hour, on a date that has counted
        {"turn": 4, "at": "09:00"},
        [
            ruled(
                at("09-23", "10:00:00"),
                "clock",
                settings={**log([]).header.clock, "turn": 4},  # type: ignore[dict-item]
            )
        ],
        [WHITE],
        {"white": {"due": at("09-25")}},
    ),
    (
        "Another clock after the deadline",
        {"turn": 2},
        [
            ruled(
                at("09-25"),
                "clock",
                settings={**log([]).header.clock, "turn": 9},  # type: ignore[dict-item]
            )
        ],
        [WHITE],
        {"white": {"due": at("09-23")}},
    ),
    ("The match is over", {}, [LATE, ruled(at("09-26"), "resign", seat="white")], [WHITE], {}),
    (
        "A match that goes on after its end",
        {},
        [ruled(at("09-23"), "resign", seat="white"), ruled(at("09-28"), "reopen")],
        [WHITE],
        {"white": {"since": at("09-28"), "due": at("10-01")}},
    ),
    ("Only a card is to be drawn", {}, [moved(at("09-22"))], [WHITE, DEALING], {}),
]


@pytest.mark.parametrize(
    ("case", "chosen", "entries", "asked", "expected"), CASES, ids=[case[0] for case in CASES]
)
def test_each_case(
    case: str,
    chosen: dict[str, Any],
    entries: list[Entry],
    asked: list[Asked],
    expected: dict[str, dict[str, Any]],
) -> None:
    made = log(entries, **chosen)
    times = timetable(made, asked)
    found = {each.seat: each for each in times.deadlines}
    assert found.keys() == expected.keys()
    for seat, values in expected.items():
        assert {name: getattr(found[seat], name) for name in values} == values
    assert f"**{case}**" in PAGE, "each case stands in docs/time.md"
    agrees(made, asked)


def agrees(made: Log, asked: Sequence[Asked], times: Timetable | None = None) -> None:
    """The second opinion says the same, at many moments after the last entry."""
    times = times or timetable(made, asked)
    for moment in moments(made):
        expected = SecondOpinion(made, asked, moment).states()
        found = {
            each.seat: {"soon": "waiting"}.get(state := times.state(each, moment), state)
            for each in times.deadlines
        }
        assert found == expected, moment


# ---------------------------------------------------------------------------- clocks change


@pytest.mark.parametrize(
    ("zone", "day", "hour", "moment", "spoken"),
    [
        ("Europe/Berlin", "2026-03-29", "02:30", "2026-03-29T01:30:00Z", "03:30 CEST (UTC+2)"),
        ("Europe/Berlin", "2026-10-25", "02:30", "2026-10-25T01:30:00Z", "02:30 CET (UTC+1)"),
        ("Europe/Berlin", "2026-06-01", "20:00", "2026-06-01T18:00:00Z", "20:00 CEST (UTC+2)"),
        ("America/New_York", "2026-03-08", "02:15", "2026-03-08T07:15:00Z", "03:15 EDT (UTC-4)"),
        ("Australia/Lord_Howe", "2026-10-04", "02:15", "2026-10-03T15:45:00Z", "02:45 (UTC+11)"),
        ("Australia/Lord_Howe", "2026-04-05", "01:45", "2026-04-04T15:15:00Z", "01:45 (UTC+10:30)"),
        ("Asia/Kathmandu", "2026-06-01", "20:00", "2026-06-01T14:15:00Z", "20:00 (UTC+5:45)"),
        ("Pacific/Apia", "2011-12-30", "20:00", "2011-12-31T06:00:00Z", "20:00 (UTC+14)"),
        ("Pacific/Apia", "2011-12-31", "20:00", "2011-12-31T06:00:00Z", "20:00 (UTC+14)"),
        ("UTC", "2026-06-01", "20:00", "2026-06-01T20:00:00Z", "20:00 (UTC)"),
    ],
)
def test_an_hour_that_is_left_out_or_comes_twice_is_the_later(
    zone: str, day: str, hour: str, moment: str, spoken: str
) -> None:
    assert clock.tick(date.fromisoformat(day), hour, zone) == moment
    assert str(clock.spoken(moment, zone)).endswith(spoken)


def test_a_date_that_never_was_counts_once_with_the_next() -> None:
    times = timetable(log([], "2011-12-28T20:00:00Z", zone="Pacific/Apia"), [WHITE])
    # Wednesday the 28th there; the 29th, the 31st (there was no 30th) and the 1st count.
    assert times.deadlines[0].due == "2012-01-01T06:00:00Z"


def test_a_deadline_is_told_with_date_hour_zone_and_offset() -> None:
    times = timetable(log([]), [WHITE])
    [told] = times.sentences()
    assert told.text({"white": "Ana"}) == (
        "Ana, by Thu 24 Sep 2026, 20:00 CEST (UTC+2); then 2 days of grace."
    )
    [abroad] = times.sentences("Europe/London")
    assert "Thu 24 Sep 2026, 19:00 BST (UTC+1)" in abroad.text()


@pytest.mark.parametrize("zone", ["Europe/Berlin", "Australia/Lord_Howe", "Asia/Kathmandu"])
def test_one_day_is_more_than_twenty_hours_and_less_than_two_days(zone: str) -> None:
    start, before = datetime.fromisoformat("2026-01-01T00:00:00Z"), ""
    for hours in range(0, 24 * 366, many(7, 1)):
        begun = clock.written(start + timedelta(hours=hours))
        [deadline] = timetable(log([], begun, zone=zone, turn=1), [WHITE]).deadlines
        given = datetime.fromisoformat(deadline.due) - datetime.fromisoformat(begun)
        assert timedelta(hours=19) <= given <= timedelta(hours=45)
        assert deadline.due >= before
        before = deadline.due


def test_a_date_that_never_was_is_no_open_day_before_a_closed_one() -> None:
    # There was no Friday in Apia: after Thursday 29 December 2011 came Saturday.
    begun, apia = "2011-12-28T20:00:00Z", {"zone": "Pacific/Apia", "turn": 1}
    dues = [
        timetable(log([], begun, closed=closed, **apia), [WHITE]).due
        for closed in ([], ["sat"], ["sat", "sun"])
    ]
    assert dues == ["2011-12-30T06:00:00Z", "2011-12-30T06:00:00Z", "2011-12-30T06:00:00Z"]
    begun = "2011-12-29T20:00:00Z"
    dues = [
        timetable(log([], begun, closed=closed, **apia), [WHITE]).due
        for closed in ([], ["sat"], ["sat", "sun"])
    ]
    assert dues == ["2011-12-31T06:00:00Z", "2012-01-01T06:00:00Z", "2012-01-02T06:00:00Z"]


# ------------------------------------------------------------------------------------- laws


DAYS = st.integers(0, 25)
HOURS = st.integers(0, 23)


ZONES = (
    *("Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Africa/Casablanca"),
    *("Australia/Lord_Howe", "Pacific/Apia", "Pacific/Kiritimati"),
)


@st.composite
def histories(draw: Any) -> tuple[dict[str, Any], list[Entry], list[Asked]]:
    """A match of three seats as random entries would have it."""
    chosen = {
        "zone": draw(st.sampled_from(ZONES)),
        "at": draw(st.sampled_from(["20:00", "00:30", "09:15"])),
        "turn": draw(st.integers(1, 4)),
        "interrupt": draw(st.integers(1, 2)),
        "grace": draw(st.integers(1, 3)),
        "bank": draw(st.integers(0, 3)),
        "closed": draw(st.sampled_from([[], ["sun"], ["sat", "sun", "2026-10-01"]])),
    }
    return chosen, *history(random.Random(draw(st.integers(0, 10**6))), chosen)


def history(dice: random.Random, chosen: dict[str, Any]) -> tuple[list[Entry], list[Asked]]:
    """Random entries, and who is asked before the first ply and after each that stands."""
    situations = [WHITE, BLACK, RED, BOTH, during("black"), during("black", "red"), during("red")]
    now = datetime.fromisoformat("2026-09-21T10:00:00Z")
    asked: list[Asked] = [dice.choice(situations)]
    live: list[int] = []
    entries: list[Entry] = []
    paused, ply, absent, epoch = False, 0, False, 0
    for _ in range(dice.randint(0, 9)):
        now += timedelta(minutes=15 * dice.randint(0, 4 * 60))
        moment = clock.written(now)
        first = (now + timedelta(days=dice.randint(-2, 3))).date()
        last = first + timedelta(days=dice.randint(0, 6))
        seat = dice.choice(["white", "black", "red"])
        seats = [each for each, _ in asked[-1] or ()]
        match dice.randint(0, 15):
            case 0:
                entries.append(ruled(moment, "resume" if paused else "pause"))
                paused = not paused
            case 1 if seat == "white" or absent:
                entries.append(away_on(moment, "white", first, last))
                absent = True
            case 2 if absent:
                entries.append(ruled(moment, "back", seat="white", first=first.isoformat()))
            case 3:
                entries.append(ruled(moment, "extend", seats=[seat], days=dice.randint(1, 3)))
            case 4 | 5 | 6 if seats:
                entries.append(ruled(moment, "late", seat=dice.choice(seats)))
            case 7 if live:
                entries.append(ruled(moment, "takeback", strikes=[live.pop()]))
                asked.pop()
            case 8:
                epoch += 1
                fields = {"seat": "white", "name": f"Zoe {epoch}", "epoch": epoch}
                entries.append(ruled(moment, "substitute", **fields))
                absent = False
            case 9:
                settings = {**log([], **chosen).header.clock, "turn": dice.randint(1, 5)}  # type: ignore[dict-item]
                settings["zone"] = dice.choice([chosen["zone"], *ZONES])
                settings["at"] = dice.choice([chosen["at"], "20:00", "00:30"])
                settings["closed"] = dice.choice([chosen["closed"], [], ["mon", "tue"]])
                entries.append(ruled(moment, "clock", settings=settings))
            case _ if seats:
                mover = dice.choice(seats)
                if dice.random() < 0.2:
                    entries.append(ruled(moment, "default", seat=mover))
                ply += 1
                live.append(ply)
                entries.append(moved(moment, mover))
                asked.append(dice.choice([*situations, asked[-1]]))
    return entries, asked


def away_on(moment: str, seat: str, first: date, last: date) -> Entry:
    dates = {"first": first.isoformat(), "last": last.isoformat()}
    return ruled(moment, "away", seat=seat, **dates)


@settings(max_examples=many(30, 150))
@given(histories())
def test_a_second_opinion_agrees_at_every_moment(
    made: tuple[dict[str, Any], list[Entry], list[Asked]],
) -> None:
    chosen, entries, asked = made
    agrees(log(entries, **chosen), asked)


@settings(max_examples=many(40, 60))
@given(histories())
def test_who_is_asked_has_a_deadline_and_kept_is_what_was_found(
    made: tuple[dict[str, Any], list[Entry], list[Asked]],
) -> None:
    chosen, entries, asked = made
    one = log(entries, **chosen)
    times = timetable(one, asked)
    assert [each.seat for each in times.deadlines] == [seat for seat, _ in asked[-1] or ()] or (
        {each.seat for each in times.deadlines} == {seat for seat, _ in asked[-1] or ()}
    )
    assert Timetable.kept(times.plain()) == times
    assert timetable(Log.parse(one.text, "x", remember=False), asked) == times
    for each in times.deadlines:
        assert times.paused or each.due, "a running match has a next moment"
        assert not each.lapse or each.noticed < each.lapse
        assert not each.noticed or each.late_from < each.noticed
    if not times.paused and any(not each.noticed for each in times.deadlines):
        assert times.next(one.header.created)


def dues(made: Log, asked: Sequence[Asked]) -> dict[str, tuple[str, str]]:
    return {
        each.seat: (each.due or "~", each.late_from or "~")
        for each in timetable(made, asked).deadlines
    }


@settings(max_examples=many(40, 120))
@given(histories(), st.sampled_from(["away", "extend", "pause", "note", "pause and resume"]), DAYS)
def test_nothing_but_a_shortening_ruling_makes_a_deadline_earlier(
    made: tuple[dict[str, Any], list[Entry], list[Asked]], kind: str, days: int
) -> None:
    chosen, entries, asked = made
    before = log(entries, **chosen)
    last = entries[-1]["at"] if entries else BEGUN
    seat = asked[-1][0][0] if asked[-1] else "white"
    day = datetime.fromisoformat(last).date()
    paused = before.so_far().timing.paused
    later = clock.written(datetime.fromisoformat(last) + timedelta(days=days))
    more: list[Entry] = {
        "away": [away_on(last, seat, day, day + timedelta(days=days))],
        "extend": [ruled(last, "extend", seats=[seat], days=days + 1)],
        "pause": [] if paused else [ruled(last, "pause")],
        "pause and resume": [] if paused else [ruled(last, "pause"), ruled(later, "resume")],
        "note": [ruled(last, "note", text="x")],
    }[kind]
    then, now = dues(before, asked), dues(log([*entries, *more], **chosen), asked)
    assert all(now[each] >= then[each] for each in then)
    if kind == "away":  # announced twice it counts once
        assert dues(log([*entries, *more, *more], **chosen), asked) == now


# ------------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"turn": 0}, "turn is 0; expected a number of days, 1 to 365"),
        ({"turn": True}, "turn is True"),
        ({"grace": 0}, "grace is 0"),
        ({"bank": -1}, "bank is -1"),
        ({"zone": "../../etc/passwd"}, "expected a time zone, called like Europe/Berlin"),
        ({"at": "24:00"}, "expected an hour like 20:00"),
        ({"closed": ["tomorrow"]}, r"closed is \['tomorrow'\]; expected weekdays"),
        ({"closed": ["sat", "sat"]}, "each once"),
        ({"closed": ["2026-02-30"]}, r"closed is \['2026-02-30'\]; expected weekdays"),
        ({"closed": list(clock.WEEKDAYS)}, "all seven days are closed"),
        ({"silence": ""}, "silence is ''"),
        ({"colour": "red"}, "unknown key 'colour'"),
    ],
)
def test_settings_that_cannot_be_are_refused_where_they_stand(
    change: dict[str, Any], said: str
) -> None:
    with pytest.raises(Problem, match=said) as caught:
        log([], **change)
    assert caught.value.line > 1


def test_settings_must_all_be_there() -> None:
    text = log([]).text.replace("  bank: 0\n", "")
    with pytest.raises(Problem, match="missing: bank"):
        Log.parse(text, "x")


def test_an_unknown_zone_is_told_with_what_may_be_meant_or_how_to_get_data(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(Usage, match="did you mean Europe/Berlin"):
        clock.zone("Europe/Berln")
    times = timetable(log([], zone="Europe/Berln"), [WHITE])
    assert "Europe/Berln" in str(times.sentences()[0])
    monkeypatch.setattr("zoneinfo.available_timezones", set)
    with pytest.raises(Usage, match="pip install tzdata"):
        clock.zone("Europe/Nowhere")


def test_an_absence_that_ends_before_it_begins_or_never_is_refused() -> None:
    with pytest.raises(Problem, match="cannot end on 2026-09-22, before it begins"):
        log([away(BEGUN, "09-23", "09-22")])
    with pytest.raises(Problem, match="are no absence"):
        log([ruled(BEGUN, "away", seat="white", first="2026-09-23", last="9999-12-31")])


def test_the_end_of_the_calendar_is_told_and_nothing_is_judged() -> None:
    for created in ("9999-12-30T10:00:00Z", "9999-12-31T23:59:59Z"):
        times = timetable(log([], created), [WHITE])
        assert times.deadlines == ()
        assert "time is at its end" in str(times.trouble)


@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin", "America/New_York", "Pacific/Apia"])
@pytest.mark.parametrize("first", ["9999-12-01", "9999-12-31"])
def test_who_is_away_at_the_end_of_the_calendar_stops_nobodys_clock(zone: str, first: str) -> None:
    without = timetable(log([], zone=zone), [WHITE])
    far = ruled(BEGUN, "away", seat="white", first=first, last="9999-12-31")
    times = timetable(log([far], zone=zone), [WHITE])
    assert times.trouble is None
    assert times.deadlines == without.deadlines
    assert times.away[0][:3] == ("white", first, "9999-12-31")
    assert times.away_at("9999-12-31T23:00:00Z") == ("white",)
    assert times.away_at(BEGUN) == ()


def test_times_that_run_back_are_told_once_and_nothing_is_judged() -> None:
    made = log([moved(at("09-22")), moved(at("09-24"), "black")])
    first, second = made.entries
    muddled = made._replace(entries=(first._replace(at=at("09-25")), second))
    times = timetable(muddled, [WHITE, BLACK, WHITE])
    assert times.deadlines == ()
    [told] = times.sentences()
    assert "time runs back" in told.text()


def test_without_a_clock_a_ruling_about_time_is_refused_with_a_way_out() -> None:
    made = log([])
    plain = Log.parse(made.header._replace(clock=None).text(), "x")
    with pytest.raises(Problem, match=r"has no clock.*pbem rule LOG clock --turn"):
        plain.extend({"ruling": "pause", "by": "moderator", "at": BEGUN})


def test_nobody_is_asked_once_the_match_is_over() -> None:
    assert timetable(log([moved(at("09-22"))]), [WHITE, NOBODY]).deadlines == ()


def test_a_seat_announces_no_more_days_than_it_has() -> None:
    made = log([away(BEGUN, "10-01", "10-07", by="white")], absences=10)
    again = made.extend(
        {**away(BEGUN, "10-01", "10-10", by="white")}  # three days more: ten in all
    )
    with pytest.raises(Problem, match="can announce 10 days of absence, and 0 are left"):
        again.extend({**away(BEGUN, "10-11", "10-11", by="white")})
    assert again.extend({"by": "moderator", **away(BEGUN, "10-11", "10-20")})
    back = again.extend(ruled(BEGUN, "back", seat="white", first="2026-10-06", by="white"))
    assert back.extend({**away(BEGUN, "11-01", "11-05", by="white")})
    with pytest.raises(Problem, match="cannot speak for"):
        made.extend({**away(BEGUN, "10-01", "10-02", "black"), "by": "white"})


def test_a_deadline_knows_its_next_moment() -> None:
    [each] = timetable(log([], bank=1), [WHITE]).deadlines
    seen, now = [], BEGUN
    while now := each.next(now):
        seen.append(now)
        assert each.next(now) == now, "its state is another after it, and not yet at it"
        now = clock.written(datetime.fromisoformat(now) + timedelta(seconds=1))
    assert seen == [at("09-23"), at("09-24"), at("09-25")]
    assert isinstance(each, Deadline)
