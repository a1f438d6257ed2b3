"""Events of a club: how good schedules are, standings worked out from nothing but YAML, and what
goes wrong with the entries. The casebook of the club has the rules."""

from __future__ import annotations

import json
import random
import re
import runpy
from collections import Counter
from fractions import Fraction
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from commands import Room, pbem
from eventplay import seen
from test_refusals import rechained as forged
from test_the_club import Play

from pbem.club import formats, ratings
from pbem.club.acts import later
from pbem.club.fold import Club, Vacancy
from pbem.club.formats import FORMATS
from pbem.club.formats.counting import Season, TableResult, places, ranked
from pbem.club.formats.league import promoted
from pbem.club.reliability import Members
from pbem.club.tenures import MatchRecord, Tenure

BENCHMARKS: Final = Path(__file__).parent.parent / "benchmarks"
PEOPLE: Final = [f"P{n:02}" for n in range(1, 31)]
Rounds = Any


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Play:
    return Play(tmp_path, monkeypatch)


def repeated(rounds: Rounds) -> int:
    pairs = [frozenset(p) for each in rounds for table in each for p in combinations(table, 2)]
    return len(pairs) - len({*pairs})


def spread(rounds: Rounds, size: int) -> int:
    """The largest difference between how often one person sat in two seats."""
    sat = Counter((who, n) for each in rounds for table in each for n, who in enumerate(table))
    counts = [[sat[who, seat] for seat in range(size)] for who in {who for who, _ in sat}]
    return max(max(each) - min(each) for each in counts)


@pytest.mark.parametrize(
    ("people", "rounds", "size", "again", "uneven"),
    [
        *((16, 5, 4, 0, 1), (13, 4, 4, 0, 2), (15, 5, 3, 0, 1), (18, 4, 4, 0, 2)),
        *((20, 5, 4, 0, 1), (25, 6, 5, 0, 1), (9, 4, 3, 0, 1), (8, 1, 4, 0, 1)),
        *((24, 5, 4, 0, 1), (30, 4, 5, 0, 1), (7, 5, 3, 4, 3), (12, 3, 4, 6, 1), (15, 7, 3, 6, 1)),
    ],
)
@pytest.mark.parametrize("seed", ["0123456789abcdef", "0000000000000000"])
def test_nobody_meets_twice_at_tables_and_seats_are_even_whatever_the_seed(
    people: int, rounds: int, size: int, again: int, uneven: int, seed: str
) -> None:
    made = FORMATS["tables"].schedule(PEOPLE[:people], size, rounds, seed)
    for each in made:
        assert sorted(who for table in each for who in table) == PEOPLE[:people]
        assert {len(table) for table in each} <= {size, size - 1}
    assert (len(made), repeated(made)) == (rounds, again)
    assert spread(made, size) <= uneven


@pytest.mark.parametrize(
    ("people", "sizes"), [(4, [4]), (11, [11]), (12, [6, 6]), (55, [11] * 5), (60, [10] * 6)]
)
def test_divisions_are_as_few_and_as_even_as_can_be(people: int, sizes: list[int]) -> None:
    names = [f"P{n:02}" for n in range(people)]
    made = FORMATS["league"].schedule(names, 2, 1, "0123456789abcdef")
    sat = [{who for table in each for who in table} for each in made]
    assert [len(each) for each in sat] == sizes
    assert [who for each in sat for who in sorted(each)] == names
    assert [len(each) for each in made] == [n * (n - 1) // 2 for n in sizes]
    assert all(spread(each, 2) <= 1 for each in ([tables] for tables in made))


@pytest.mark.parametrize(
    ("divisions", "following"),
    [
        (["ABCDE", "FGHIJ", "KLMNO"], "ABCFGDEHKLIJMNO"),
        (["ABCDE", "FG"], "ABCDFEG"),
        (["ABC"], "ABC"),
        (["AB", "C"], "ABC"),
    ],
)
def test_the_last_two_change_places_with_the_first_two_below(
    divisions: list[str], following: str
) -> None:
    assert "".join(promoted(divisions)) == following


def test_what_happens_to_a_match_after_a_season_changes_nothing_of_its_order(play: Play) -> None:
    play.all_of("Kate, Ben play the league spring", "4 days later", "the desk keeps the clock")
    play.happens("the founder ends spring")
    first = seen(play)["standings"]
    assert [each["points"] for each in first] == ["2", "0"]
    assert play.rule("extend", "--seat", "white", "--by", 3, match="spring-1").code == 0
    assert play.rule("resign", "--seat", "black", match="spring-1").code == 0
    assert seen(play)["standings"] == first
    assert pbem("verify", play.folder / "club.pbem.yaml").code == 0


@pytest.mark.parametrize(
    ("finished", "days", "barred"), [(1, 15, True), (2, 13, True), (2, 15, False)]
)
def test_who_lost_by_silence_enters_again_after_more_matches_and_14_days(
    finished: int, days: int, barred: bool
) -> None:
    lost = "2026-01-01T00:00:00Z"
    club = Club("c", "", lost, silences=(Vacancy("m", "white", "Kate", lost),))
    tenure = Tenure("white", "Kate", lost, "", kept=True)
    over = MatchRecord("", "kahuna", True, (), (tenure,), (), {}, {}, {}, later(lost, days=1))
    silent = over._replace(over=False, acted={})
    records = {"m": silent, **{str(n): over for n in range(finished)}}
    at = later(lost, days=days)
    assert Members(club, records, at).barred("Kate") == barred
    back = {**records, "m": silent._replace(acted={"Kate": later(lost, days=1)})}
    assert not Members(club, back, at).barred("Kate")


@pytest.mark.parametrize("people", [2, 5, 8])
@pytest.mark.parametrize("rounds", [1, 2])
def test_in_a_pool_everybody_meets_everybody_in_each_seat_equally_often(
    people: int, rounds: int
) -> None:
    made = FORMATS["pool"].schedule(PEOPLE[:people], 2, rounds, "0123456789abcdef")
    pairs = Counter(frozenset(table) for each in made for table in each)
    assert set(pairs.values()) == {rounds}
    assert len(pairs) == people * (people - 1) // 2
    assert spread(made, 2) <= (rounds * (people - 1)) % 2


def test_another_seed_draws_another_schedule_and_the_order_of_entering_does_not() -> None:
    for form, size in (("pool", 2), ("tables", 4)):
        draw = FORMATS[form].schedule
        first = draw(PEOPLE[:16], size, 2, "0" * 16)
        assert draw(PEOPLE[15::-1], size, 2, "0" * 16) == first
        assert draw(PEOPLE[:16], size, 2, "1" * 16) != first


def test_what_was_drawn_by_this_version_of_an_algorithm_is_drawn_by_it_for_good() -> None:
    draw = {name: form.schedule for name, form in FORMATS.items()}
    assert [*draw] == ["ladder", "league", "pool", "tables"]
    known = ["ladder/1", "league/1", "pool/1", "tables/2"]
    assert [form.algorithm for form in FORMATS.values()] == known
    [league] = draw["league"](PEOPLE[:3], 2, 1, "0123456789abcdef")
    [ladder] = draw["ladder"](PEOPLE[:3], 2, 1, "0123456789abcdef")
    assert " ".join(one + other for one, other in (*league, *ladder)) == (
        "P02P01 P03P02 P01P03 P01P02 P02P03"
    )
    [pool] = draw["pool"](PEOPLE[:4], 2, 1, "0123456789abcdef")
    assert " ".join(one + other for one, other in pool) == (
        "P03P04 P02P03 P01P03 P04P02 P04P01 P02P01"
    )
    two = draw["tables"](PEOPLE[:7], 4, 2, "0123456789abcdef")
    assert [" ".join(table) for each in two for table in each] == [
        *("P02 P05 P07 P01", "P06 P03 P04"),
        *("P05 P06 P02 P03", "P07 P04 P01"),
    ]
    for people, rounds, start in ((16, 5, "73aec37e65e8"), (12, 3, "b333790cb19e")):
        made = draw["tables"](PEOPLE[:people], 4, rounds, "0123456789abcdef")
        assert sha256(json.dumps(made).encode()).hexdigest().startswith(start)
    assert repeated(made) == 6


RING: Final = '''
from pbem.club.formats.counting import won
from pbem.club.formats.kind import Format
from pbem.club.formats.seating import lots, shuffled
from pbem.sentence import say


def schedule(people, size, rounds, seed):
    """Everybody meets the next on a ring, and has each seat once."""
    ring = shuffled(sorted(people), lots(seed, "ring/1"))
    return [[[who, ring[n - 1]] for n, who in enumerate(ring)]]


FORMAT = Format(
    say("Ring"), "ring/1", schedule, lambda season: season.figures(crowns=season.total(won))
)
'''


def test_a_format_is_one_file_and_a_short_one(play: Play) -> None:
    texts = {path.stem: path.read_text() for path in Path(formats.__path__[0]).glob("*.py")}
    assert {name for name, text in texts.items() if "\nFORMAT: Final = " in text} == {*FORMATS}
    assert max(text.count("\n") for text in texts.values()) <= 120
    (play.folder / "ring.py").write_text(RING)
    ring = runpy.run_path(str(play.folder / "ring.py"))["FORMAT"]
    play.monkeypatch.setitem(FORMATS, "ring", ring)
    play.all_of("Kate joins", "Ben joins", "Cleo joins", "spring is announced as a ring of kahuna")
    play.all_of("Kate, Ben, Cleo enter spring", "spring is drawn", "the club acts")
    play.all_of("the first of each table wins", "the club acts")
    shown = seen(play)
    assert [len(each["people"]) for each in shown["tables"]] == [2, 2, 2]
    assert [(each["rank"], each["crowns"]) for each in shown["standings"]] == [(1, "1")] * 3
    assert "  played  crowns\n" in pbem("event", "standings", play.folder, "spring").out
    assert shown["ended"]
    assert pbem("verify", play.folder / "club.pbem.yaml").code == 0


def test_no_more_can_enter_than_an_event_holds(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.club.event_acts.MOST_PEOPLE", 2)
    play.all_of("Kate joins", "Ben joins", "Cleo joins", "spring is announced as a pool of kahuna")
    assert play.happens("Kate, Ben enter spring").code == 0
    done = play.happens("Cleo enters spring")
    assert (done.code, "no more can enter" in done.err) == (1, True), done


def test_points_above_the_mean_of_a_table_tell_equals_apart() -> None:
    def result(scores: dict[str, int], **at: str) -> TableResult:
        mean = Fraction(sum(scores.values()), len(scores))
        return TableResult(
            {who: Fraction(place) for who, place in at.items()},
            {who: score - mean for who, score in scores.items()},
        )

    season = Season(
        dict.fromkeys("ABC", 2),
        [
            result({"A": 9, "B": 3, "C": 0}, A="1", B="2", C="3"),
            result({"A": 2, "B": 4, "C": 0}, A="2", B="1", C="3"),
        ],
        3,
    )
    figures = places(season)
    assert figures["A"] == {"places": 3, "firsts": 1, "relative": 5}
    assert figures["B"] == {"places": 3, "firsts": 1, "relative": 1}
    assert ranked(figures) == [(1, ["A"]), (2, ["B"]), (3, ["C"])]
    assert ranked(places(season._replace(results=[]))) == [(1, ["A", "B", "C"])]


# ------------------------------------------------------------- worked out from YAML alone


def test_somebody_who_reads_only_yaml_comes_to_the_same_standings_of_tables(play: Play) -> None:
    """`benchmarks/standings.py` shares no line with the program."""
    standings = runpy.run_path(str(BENCHMARKS / "standings.py"))
    dice, ended = random.Random(2), set[str]()
    options = "--game kanaloa-bambus --format tables --table 3 --rounds 2 --dir".split()
    assert pbem("event", "new", "cup", *options, play.folder).code == 0
    for who in PEOPLE[:5]:
        play.club("join", who)
        assert pbem("event", "enter", play.folder, "cup", who).code == 0
    assert pbem("event", "draw", play.folder, "cup").code == 0
    for _ in range(2):
        play.happens("the club acts")
        for each in play.state["matches"]:
            if each["match"] not in ended:
                winners = dice.sample([*each["seats"]], dice.choice([0, 1, 1, 2]))
                told = [word for seat in winners for word in ("--winner", seat)]
                assert play.rule("end", *told, match=each["match"]).code == 0
                ended.add(each["match"])
    play.happens("the club acts")
    [cup] = standings["seasons"](play.folder)["cup"]
    theirs = standings["figures"](play.folder, cup)
    shown = seen(play, "cup")
    names = ("places", "firsts", "relative")
    for each in shown["standings"]:
        places, firsts, relative = theirs[each["handle"]]
        assert tuple(each[n] for n in names) == (str(places), str(-firsts), str(relative))
    assert shown["ended"]
    assert [*standings["wrong"](play.folder)] == []
    assert pbem("verify", play.folder / "club.pbem.yaml").code == 0


def test_a_season_with_people_who_leave_or_fall_silent_is_the_same_for_two_programs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`benchmarks/season.py` says what may not happen, and plays two seasons of sixty."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    monkeypatch.syspath_prepend(BENCHMARKS)
    season = runpy.run_path(str(BENCHMARKS / "season.py"))
    wrong, happened = season["lived"](tmp_path / "m", 4, 1, 1)
    assert wrong == []
    assert happened["played"] + happened["adjudicated"] == 6
    assert happened["adjudicated"] > 1


def test_who_goes_up_and_who_goes_down_is_the_same_for_two_programs(play: Play) -> None:
    standings = runpy.run_path(str(BENCHMARKS / "standings.py"))
    there = ("--dir", play.folder, "--game", "kahuna", "--format", "league")
    assert pbem("event", "new", "spring", *there).code == 0
    steps = (
        *(("join", each) for each in PEOPLE[:13]),
        *(("enter", each) for each in PEOPLE[:12]),
        *(("draw",), ("leave", "P03"), ("end",), ("enter", "P13"), ("draw",)),
    )
    for verb, *who in steps:
        event = () if verb == "join" else ("spring",)
        room = "event" if event else "club"
        assert pbem(room, verb, play.folder, *event, *who).code == 0, (verb, who)
    divisions = [(each["division"], each["handle"]) for each in seen(play)["standings"]]
    first = {who for n, who in divisions if n == 1}
    assert first == {"P01", "P02", "P04", "P07", "P08", "P05"}, "P03 has left, two have gone up"
    assert [*standings["wrong"](play.folder)] == []


# --------------------------------------------------------------------------- what goes wrong


def rechained(path: Path, change: Any) -> None:
    """A club's log in which the last entry was changed, with a chain that fits."""
    from pbem.club.clublog import ClubLog
    from pbem.log.chained import lengthened

    log = ClubLog.read(str(path.parent))
    start = log.text.rindex("- entry:")
    entry = yaml.safe_load(log.text[start:])[0]
    previous = log.entries[-2].chain
    del entry["chain"]
    change(entry)
    path.write_text(lengthened(log.text[:start], str(path), previous, entry)[0])


def swapped(entry: dict[str, Any]) -> None:
    entry["schedule"][0][0].reverse()


@pytest.mark.parametrize(
    ("change", "key"),
    [
        (swapped, "schedule"),
        (lambda entry: entry.update(seed="0" * 16), "seed"),
        (lambda entry: entry.update(algorithm="pool/9"), "algorithm"),
    ],
)
def test_a_schedule_that_was_not_drawn_is_found(play: Play, change: Any, key: str) -> None:
    play.all_of("Kate, Ben and Cleo are drawn for the pool spring")
    log = play.folder / "club.pbem.yaml"
    assert pbem("verify", log).code == 0
    rechained(log, change)
    done = pbem("verify", log)
    assert (done.code, f"the {key} of spring: another" in done.out) == (65, True), done
    assert re.search(r"club\.pbem\.yaml:\d+", done.out)


def test_an_order_that_does_not_follow_is_found(play: Play) -> None:
    play.all_of("Kate, Ben and Cleo play the pool spring", "Ben resigns against Kate")
    play.happens("the founder ends spring")
    log = play.folder / "club.pbem.yaml"
    assert pbem("verify", log).code == 0
    rechained(log, lambda entry: entry["order"].reverse())
    done = pbem("verify", log)
    assert (done.code, "the order of spring: another" in done.out) == (65, True), done
    play.log("spring-1").unlink()
    done = pbem("verify", log)
    told = "A LOG IS MISSING: spring-1 of spring has begun"
    assert (done.code, told in done.out) == (3, True), done
    assert pbem("verify", log, "--json").json["logs"][0]["doubts"] == ["missing"]


def archive(count: int, favoured: str, dice: random.Random) -> list[MatchRecord]:
    """Finished matches of people of whom one beats all, or whose first seat does."""
    found = []
    for n in range(count):
        people = dice.sample(PEOPLE[:6], 2)
        best = people[0] if favoured == "seat" else min(people)
        at = later("2026-01-01T00:00:00Z", hours=n)
        winner = best if dice.random() < 0.8 else max(people)
        tenures = tuple(
            Tenure(seat, who, at, "", kept=True)
            for seat, who in zip(("white", "black"), people, strict=True)
        )
        found.append(MatchRecord(str(n), "kahuna", True, (winner,), tenures, (), {}, {}, {}, at))
    return found


def test_what_is_fitted_forecasts_better_than_guessing_and_knows_what_a_seat_is_worth() -> None:
    end = "2027-01-01T00:00:00Z"
    strong = ratings.fitted(archive(60, "people", random.Random(1)), "kahuna", end)
    seat = ratings.fitted(archive(60, "seat", random.Random(1)), "kahuna", end)
    assert strong
    assert seat
    assert Fraction(strong.loss) < Fraction(strong.guessing) == Fraction("0.693")
    assert Fraction(seat.seats[0]) > abs(Fraction(strong.seats[0])) > 0
    known = ratings.of_game(archive(60, "people", random.Random(1)), "kahuna", strong.beta)
    ranked = known.ranked()
    assert ranked[0][:2] == (1, "P01")
    assert all(len(curve) >= ratings.RANKED for rank, _, curve in ranked if rank)
    assert ratings.fitted(archive(23, "people", random.Random(1)), "kahuna", end) is None


def test_what_was_not_fitted_is_found(play: Play) -> None:
    play.all_of("2 matches are enough to be rated by", "Kate, Ben and Cleo play the pool spring")
    play.all_of("Ben resigns against Kate", "Cleo resigns against Ben", "Kate resigns against Cleo")
    missing = "kahuna: no ratings yet. They are worked out once 2 matches are over (so far: 3)"
    assert missing in pbem("event", "ratings", play.folder).out
    play.happens("the club acts")
    log = play.folder / "club.pbem.yaml"
    assert pbem("verify", log).code == 0
    shown = pbem("event", "ratings", play.folder).out
    assert "guesses 0.693" in shown
    assert "kahuna: no" not in shown
    assert re.search(r"- +Ben +2 +\d+ to \d+", shown)
    rechained(log, lambda entry: entry.update(loss="0.001"))
    done = pbem("verify", log)
    assert (done.code, "the loss of kahuna: another" in done.out) == (65, True), done
    text = log.read_text()
    rechained(log, lambda entry: entry.update(beta=0))
    done = pbem("event", "ratings", play.folder)
    assert (done.code, "beta is 0; expected" in done.err) == (65, True), done
    log.write_text(text)
    play.monkeypatch.setattr("pbem.club.ratings.can_rate", lambda: False)
    assert "pip install" in pbem("event", "ratings", play.folder).err
    assert pbem("verify", log).code == 0


def test_a_list_that_is_not_by_the_ratings_of_its_moment_is_found(play: Play) -> None:
    play.all_of("2 matches are enough to be rated by", "Kate, Ben and Cleo play the pool spring")
    play.all_of("Kate resigns against Ben", "Kate resigns against Cleo", "Ben resigns against Cleo")
    play.all_of("the club acts", "autumn is announced as a league of kahuna seeded by rating")
    play.all_of("Kate, Ben, Cleo enter autumn", "Dora joins", "Dora waits for kahuna")
    play.all_of("Kate waits for kahuna", "the club acts")
    log, path = play.folder / "club.pbem.yaml", "pbem.club.ratings.can_rate"
    with play.monkeypatch.context() as patch:
        patch.setattr(path, lambda: False)
        assert "takes openskill" in play.happens("autumn is drawn").err
    play.all_of("autumn is drawn", "Dora resigns against Kate")
    [drawn] = yaml.safe_load(log.read_text()[log.read_text().rindex("- entry:") :])
    assert drawn["seeded"] == ["Cleo", "Ben", "Kate"]
    assert drawn["schedule"] == FORMATS["league"].schedule(drawn["seeded"], 2, 1, drawn["seed"])
    assert pbem("verify", log).code == 0
    rechained(log, lambda entry: entry["seeded"].reverse())
    assert "the seeded of autumn: another" in pbem("verify", log).out
    play.monkeypatch.setattr(path, lambda: False)
    told = pbem("verify", log).out
    assert "The ratings of autumn can be checked where openskill is installed" in told
    assert "the seeded of autumn" not in told


def test_without_the_secret_a_stranger_checks_the_schedule_and_is_told_of_the_seed(
    play: Play,
) -> None:
    play.all_of("Kate, Ben and Cleo are drawn for the pool spring")
    (play.folder / "club.desk.yaml").unlink()
    done = pbem("verify", play.folder / "club.pbem.yaml")
    assert (done.code, "The seed of spring can be checked once" in done.out) == (0, True), done
    rechained(play.folder / "club.pbem.yaml", swapped)
    assert pbem("verify", play.folder / "club.pbem.yaml").code == 65


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("new", "a b", "--game", "kahuna", "--format", "pool"), "letters"),
        (("new", "../x", "--game", "kahuna", "--format", "pool"), "letters"),
        (("new", "\x1b[0m", "--game", "kahuna", "--format", "pool"), "letters"),
        (("new", "x", "--game", "chess", "--format", "pool"), "chess"),
        (("new", "x", "--game", "kahuna", "--format", "swiss"), "ladder, league, pool"),
        (("new", "x", "--game", "kahuna", "--format", "pool", "--rounds", "3"), "1 to 2 rounds"),
        (("new", "x", "--game", "kahuna", "--format", "pool", "--rounds", 0), "1 to 2 rounds"),
        (("new", "x", "--game", "kahuna 3", "--format", "tables"), "for 2 players, not 3"),
        (("new", "x", "--game", "kahuna", "--format", "tables"), "for 2 players"),
        (("new", "x", "--game", "kahuna", "--format", "tables", "--table", "2"), "3 to 5"),
        (("new", "x", "--game", "kahuna", "--format", "pool", "--days", 0), "pbem: days is 0;"),
        (("enter", "nowhere", "Kate"), "no event"),
        (("enter", "spring", "Nobody"), "has not joined"),
        (("leave", "spring", "Kate"), "is not in spring"),
        (("draw", "spring"), "spring has 0 people"),
        (("standings", "nowhere"), "no event"),
        (("end", "nowhere"), "no event"),
    ],
)
def test_what_cannot_be_is_refused_and_the_log_stays_as_it_was(
    play: Play, words: tuple[str, ...], why: str
) -> None:
    play.all_of("Kate joins", "spring is announced as a pool of kahuna")
    before = (play.folder / "club.pbem.yaml").read_bytes()
    command, *rest = words
    where = ("--dir", play.folder) if command == "new" else ()
    done = pbem("event", command, *(() if where else (play.folder,)), *rest, *where)
    assert (done.code != 0, why in done.err, "\x1b" in done.printed) == (True, True, False), done
    assert (play.folder / "club.pbem.yaml").read_bytes() == before


def test_whoever_withdrew_stands_last_in_their_division(play: Play) -> None:
    play.all_of(f"{', '.join(PEOPLE[:12])} are drawn for the league spring")
    play.happens("P01 leaves the event spring")
    lines = pbem("event", "standings", play.folder, "spring").out.splitlines()
    assert [line for line in lines if line.startswith("Div")] == ["Division 1", "Division 2"]
    assert [line.split()[:2] for line in lines[7:9]] == [["1.", "P06"], ["-", "P01"]]


def test_standings_are_read_by_people_too(play: Play) -> None:
    play.all_of("Kate, Ben and Cleo play the pool spring", "Ben resigns against Kate")
    lines = pbem("event", "standings", play.folder, "spring").out.splitlines()
    assert lines[0] == ("spring: Pool · Kahuna · 2 players · 3 days a turn; 1 of 3 played")
    assert re.fullmatch(r" +played  points  Sonneborn-Berger  direct  won", lines[1])
    assert re.fullmatch(r"1\.  Kate +1 +2 +0 +0 +1", lines[2])
    assert len([line for line in lines if re.match(r"spring-\d is played: ", line)]) == 2
    assert json.loads(pbem("club", "status", play.folder, "--json").out)["people"]


def test_a_match_names_its_event_in_its_header(play: Play) -> None:
    play.happens("Kate, Ben and Cleo play the pool spring")
    header, format_1 = play.log("spring-1").read_text().split("\nlog:")[0], "format: pbem-log/1"
    assert "\nevent: spring\n" in header
    assert pbem("verify", play.folder).code == 0
    for old, new in (("event: spring", "event: [spring]"), ("format: pbem-log/2", format_1)):
        edited = play.folder.parent / "edited.pbem.yaml"
        edited.write_text(play.log("spring-1").read_text().replace(old, new))
        assert pbem("verify", edited).code == 65
    forged(Room(play.log("spring-1")), lambda log: log.replace("event: spring", "event: autumn"))
    done = pbem("verify", play.folder / "club.pbem.yaml")
    told = r"spring-1\.pbem\.yaml:\d+:\d+: the event is autumn here, and spring as the club has it"
    assert (done.code, bool(re.search(told, done.out))) == (65, True), done


@pytest.mark.parametrize("game", ["kanaloa-bambus", "kanaloa-piatnik"])
def test_how_a_match_has_ended_can_be_read_from_its_log_alone(game: str, tmp_path: Path) -> None:
    log = tmp_path / "m.pbem.yaml"
    pbem("simulate", game, "--seed", 5, "--out", log)
    second: dict[str, Any] = runpy.run_path(str(BENCHMARKS / "standings.py"))
    winners, scores = second["ending"](second["log_of"](log))
    outcome = pbem("show", log, "--format", "json").json["outcome"]
    assert winners == {*outcome["winners"]}
    assert {seat: int(points) for seat, points in scores.items()} == outcome["scores"]
