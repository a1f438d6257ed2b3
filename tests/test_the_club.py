"""A club: its casebook, played through the command line; its files; what may go wrong with them."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from commands import Done, Room, pbem
from eventplay import EVENT_SEEN, EVENT_STEPS, figures
from postroom import bridge
from test_docs import told_of

from pbem.club.acts import Joined, later
from pbem.club.clublog import ACTS, ClubLog
from pbem.club.errands import by_lot
from pbem.club.fold import Club
from pbem.club.reliability import Members
from pbem.club.tenures import MatchRecord, TurnTaken
from pbem.files import yamlio
from pbem.files.data import schema_text
from pbem.log.chained import ChainReader
from pbem.log.format import Log
from pbem.play import games
from pbem.problem import Problem

ROOT: Final = Path(__file__).parent.parent
CASES: Final = yamlio.read(str(ROOT / "clubs" / "cases.yaml"))
RULES: Final = yamlio.read(str(ROOT / "clubs" / "rules.yaml"))
START: Final = 1_790_000_000


class Killed(BaseException):
    """The process is no more."""


class Play:
    """A club in which sentences happen, a minute after each other."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.monkeypatch, self.now = folder, monkeypatch, START
        self.told = ""
        self.people = dict[str, str]()
        secrets = (bytes([n]) * 32 for n in range(1, 200))
        monkeypatch.setattr("pbem.log.seal.new_secret", lambda: next(secrets))
        self.later(minutes=0)
        assert pbem("club", "new", "rivendell", "--dir", folder).code == 0

    def later(self, **more: int) -> None:
        for unit, seconds in {"days": 86400, "hours": 3600, "minutes": 60}.items():
            self.now += more.get(unit, 0) * seconds
        self.monkeypatch.setenv("SOURCE_DATE_EPOCH", str(self.now))

    def club(self, *words: object) -> Done:
        name, *rest = words
        return pbem("club", name, self.folder, *rest)

    def log(self, match: str) -> Path:
        return self.folder / f"{match}.pbem.yaml"

    def handle(self, name: str) -> str:
        """Who a step names: somebody, or a seat of the first match."""
        if name in ("white", "black"):
            first = self.state["matches"][0]
            return str(first["seats"][name])
        return str(self.people.get(name, name))

    @property
    def state(self) -> Any:
        return self.club("status", "--json").json

    def happens(self, sentence: str) -> Done:
        self.later(minutes=1)
        for pattern, does in STEPS.items():
            if found := re.fullmatch(pattern, sentence):
                done = does(self, *found.groups(default=""))
                assert done, sentence
                return done
        raise AssertionError(f"nothing happens when {sentence!r}")

    def killed_in(self, function: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """The club acts, and is killed where it calls this."""

        def killed(*_: object, **__: object) -> None:
            raise Killed

        with monkeypatch.context() as patch:
            patch.setattr(function, killed)
            with pytest.raises(Killed):
                self.club("due", "--enter")

    # ------------------------------------------------------------------ longer steps

    def all_of(self, *sentences: str) -> Done:
        done = Done(0, "", "")
        for each in sentences:
            done = self.happens(each)
            assert done.code == 0, (each, done)
        return done

    def plays(self, one: str, other: str, again: str) -> Done:
        joins = () if again else (f"{one} joins", f"{other} joins")
        waits = (f"{one} waits for kahuna", f"{other} waits for kahuna", "the club acts")
        done = self.all_of(*joins, *waits)
        self.people |= {f"old {seat}": self.handle(seat) for seat in ("white", "black")}
        return done

    def falls_silent(self) -> Done:
        self.all_of(
            *("Kate and Ben play kahuna", "white waits for kanaloa-piatnik", "Cleo joins"),
            *("Cleo waits for substitute", "Dora joins", "Dora waits for substitute"),
            *("4 days later", "the desk keeps the clock", "4 days later"),
        )
        return self.happens("the desk keeps the clock")

    def rule(self, kind: str, *options: object, match: str = "kahuna-1") -> Done:
        return pbem("rule", self.log(match), kind, *options, "--reason", "as agreed")

    def draws(self, seat: str) -> Done:
        return pbem("submit", self.log("kahuna-1"), "-", "--from", seat, stdin="draw")

    def builds(self, seat: str) -> Done:
        log = self.log("kahuna-1")
        return pbem("submit", log, "-", "--from", seat, stdin=bridge(Room(log)))

    def passes(self, number: str, unit: str) -> Done:
        self.later(**{f"{unit}s": int(number)})
        return Done(0, "", "")

    def acts(self) -> Done:
        done = self.club("due", "--enter")
        self.told = done.printed
        return done


STEPS: Final[dict[str, Callable[..., Done]]] = {
    **EVENT_STEPS,
    r"(\S+) joins(?: from (\S+))?": lambda p, name, address: p.club(
        *("join", name), *(("--address", address) if address else ())
    ),
    r"(\S+) waits for (.+)": lambda p, name, line: p.club("join", p.handle(name), "--line", line),
    r"(\S+) leaves ?(.*)": lambda p, name, line: p.club(
        *("leave", p.handle(name)), *(("--line", line) if line else ())
    ),
    r"(\S+) hosts (.+)": lambda p, name, table: p.club("says", p.handle(name), f"host {table}"),
    r"(\S+)(?: of kahuna-1)? says yes": lambda p, name: p.club("says", p.handle(name), "yes"),
    r"(\S+) says no": lambda p, name: p.club("says", p.handle(name), "no"),
    r"(\S+) limits (\d+)": lambda p, name, most: p.club("says", name, f"limit {most}"),
    r"(\S+) avoids (\S+)": lambda p, name, other: p.club("says", p.handle(name), f"avoid {other}"),
    r"(\S+@\S+) is forgotten": lambda p, address: pbem("forget", address, p.folder),
    r"(\S+) is excluded": lambda p, name: p.club("exclude", name, "--reason", "two names"),
    r"(\S+) is readmitted": lambda p, name: p.club("readmit", name, "--reason", "cleared up"),
    r"the club acts": Play.acts,
    r"the founder changes the (\S+) to (.+)": lambda p, what, value: p.club(
        "settings", f"--{what}", value
    ),
    r"the desk keeps the clock": lambda p: pbem("due", p.folder, "--enter"),
    r"the founder opens the secret": lambda p: p.club("reveal"),
    r"(\d+) (day|hour)s? later": Play.passes,
    r"(\S+) and (\S+) play kahuna( again)?": Play.plays,
    r"(white|black) draws": Play.draws,
    r"(white|black) builds": Play.builds,
    r"(white|black) gets (\d+) days": lambda p, seat, days: p.rule(
        "extend", "--seat", seat, "--by", days
    ),
    r"(white|black) resigns": lambda p, seat: p.rule("resign", "--seat", seat),
    r"white of kahuna-1 falls silent while Cleo and Dora are substitutes": Play.falls_silent,
    r"(white|black) of kahuna-1 asks for the match again": lambda p, seat: p.club(
        "says", p.handle(seat), "rematch", "--match", "kahuna-1"
    ),
}


def text(terms: dict[str, Any]) -> str:
    options = [f"{name}={str(value).lower()}" for name, value in terms.get("options", {}).items()]
    first = f"{terms['game']} {terms['players']}"
    return ", ".join([first, terms["ruleset"], *options, f"{terms['turn']} days"])


SEEN: Final[dict[str, Callable[[Play, Any], Any]]] = {
    **EVENT_SEEN,
    "lines": lambda p, s: {text(each): each["waiting"] for each in s["lines"]},
    "tables": lambda p, s: {f"table {each['table']}": each["seated"] for each in s["tables"]},
    "asks": lambda p, s: [
        [*each] for each in re.findall(r"have (?:played (\S+)|kept (\S+)) of", p.club("status").out)
    ],
    "offers": lambda p, s: [each["to"] for each in s["offers"]],
    "seeking": lambda p, s: [f"{each['match']} {each['seat']}" for each in s["seeking"]],
    "substitutes": lambda p, s: s["substitutes"],
    "matches": lambda p, s: {e["match"]: sorted(e["seats"].values()) for e in s["matches"]},
    "holder": lambda p, s: yamlio.read(str(p.log("kahuna-1")))["log"][-1]["name"],
    "played by": lambda p, s: "{press}, {clock[zone]}".format(
        **{"press": "public", **yamlio.read(str(p.log("kahuna-1")))}
    ),
    "missed": lambda p, s: sum(e["in_time"][1] - e["in_time"][0] for e in s["people"]),
    "lots": lambda p, s: pbem("verify", p.folder / "club.pbem.yaml", "--json").json["logs"][0][
        "drawn"
    ],
    "turned": lambda p, s: (
        list(s["matches"][0]["seats"].values()) == list(s["matches"][1]["seats"].values())[::-1]
    ),
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['id']} {case['title']}")
def test_the_casebook_of_a_club(case: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play = Play(tmp_path, monkeypatch)
    for step in case["steps"]:
        [(sentence, refused)] = step.items() if isinstance(step, dict) else [(step, "")]
        done = play.happens(sentence)
        assert (done.code != 0, refused in done.err) == (bool(refused), True), (step, done)
    then, state = dict(case.get("then", {})), play.state
    assert then.pop("told", "") in play.told
    counts = {each["handle"]: each for each in state["people"]}
    for name, wanted in then.pop("counts", {}).items():
        found = counts[play.handle(name)]
        assert "{}/{} {}/{}".format(*found["in_time"], *found["kept"]) == wanted, name
    for name, wanted in then.pop("figures", {}).items():
        assert figures(play)[play.handle(name)] == wanted
    assert {key: SEEN[key](play, state) for key in then} == then
    verified = pbem("verify", tmp_path)
    assert verified.code in (0, 3), verified.printed


def test_every_rule_has_a_case_and_a_place_in_the_prose() -> None:
    ids = [rule["id"] for rule in RULES]
    assert len(set(ids)) == len(ids)
    assert {each for case in CASES for each in case["rules"]} == {*ids}
    prose = (ROOT / "clubs" / "RULES.md").read_text(encoding="utf-8")
    assert {*re.findall(r"[CE]-\d+", prose)} == {*ids}
    assert all(rule["from"] and rule["says"].endswith(".") for rule in RULES)


def test_each_kind_of_entry_is_described_and_in_the_schema() -> None:
    page = (ROOT / "docs" / "log-format.md").read_text(encoding="utf-8")
    table = page.partition("## The log of a club")[2].partition("## For programmers")[0]
    rows = re.findall(r"^\| (`[a-z`, ]+`) \| .* \| .* \|$", table, re.M)
    told = re.findall(r"`([a-z]+)`", " ".join(rows[rows.index("`settings`") :]))
    assert sorted(told) == sorted(ACTS)
    schema = json.loads(schema_text("club"))["definitions"]
    assert schema["entry"]["properties"]["entry"]["enum"] == [*schema][-len(ACTS) :]
    for word, kind in ACTS.items():
        fields = {slot.name for slot in kind.FIELDS}
        assert {*schema[word]["properties"]} == {*fields, "entry", "at", "chain"}, word
        assert {*schema[word]["required"]} & fields == fields - {*kind.optional}, word


@pytest.mark.parametrize("page", ["club.md", "events.md"])
def test_a_club_is_founded_as_its_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    monkeypatch.chdir(tmp_path)
    told = told_of(ROOT / "docs" / page)
    assert len(told) > 4
    for command, expected in told:
        done = pbem(*shlex.split(command)[1:])
        pattern = re.escape(expected).replace(r"\.\.\.", "(?s:.*)")
        assert re.fullmatch(pattern, done.out), f"{command}\n{done.printed}"


# ------------------------------------------------------------------------------- its files


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Play:
    return Play(tmp_path, monkeypatch)


def published(play: Play) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(play.folder.glob("*.pbem.yaml"))}


def test_nobody_can_tell_who_avoids_whom_or_how_anybody_is_reached(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clubs = list[dict[str, bytes]]()
    for private in (False, True):
        play = Play(tmp_path / str(private), monkeypatch)
        play.all_of("Kate joins", "Ben joins", "Cleo joins")
        if private:
            play.club("join", "Kate", "--address", "kate@example.org")
            play.club("says", "Kate", "limit 2")
            play.club("says", "Kate", "avoid Cleo")
        play.all_of("Kate waits for kahuna", "Ben waits for kahuna", "the club acts")
        desk = play.folder / "club.desk.yaml"
        assert desk.stat().st_mode & 0o777 == 0o600
        assert ("kate@example.org" in desk.read_text()) == private
        clubs.append(published(play))
    one, other = clubs
    assert len(one) == 2
    assert one == other


def test_a_dry_run_names_what_the_real_one_does_and_changes_nothing(play: Play) -> None:
    play.all_of("Kate joins", "Ben joins", "Kate waits for kahuna", "Ben waits for kahuna")
    before = published(play)
    imagined = play.club("due").out
    assert published(play) == before
    assert "is due: kahuna-1 is to be dealt" in imagined
    done = imagined.replace("is due: ", "").replace("is to be dealt", "is dealt")
    assert play.club("due", "--enter").out == done
    assert play.club("due", "--enter").out == "Nothing is due.\n"


def test_an_edited_log_is_refused_with_its_line(play: Play) -> None:
    play.happens("Kate joins")
    log = play.folder / "club.pbem.yaml"
    text = log.read_text()
    for old, new, why in (
        ("handle: Kate", "handle: Cate", "the chain breaks at entry 2"),
        ("entry: joined", "entry: enters", "not an entry"),
        ("  handle: Kate\n", "", "missing: handle"),
        (text[text.rindex("  chain:") :], "", "the last entry is not complete"),
        ("format: pbem-club/1", "format: pbem-club/2", "pbem-club/1"),
    ):
        log.write_text(text.replace(old, new))
        for words in (["join", "Ben"], ["status"], ["due", "--enter"]):
            done = play.club(*words)
            assert (done.code, why in done.err) == (65, True), (old, done)
            assert re.search(r"club\.pbem\.yaml:\d+:", done.err)
        assert pbem("verify", log).code == 65
        assert log.read_text() == text.replace(old, new)


def test_what_was_decided_before_a_kill_is_done_by_the_next_run(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    play.all_of("Kate joins", "Ben joins", "Kate waits for kahuna", "Ben waits for kahuna")

    play.killed_in("pbem.desk.begin.write", monkeypatch)
    assert play.state["matches"][0]["match"] == "kahuna-1"
    assert not play.log("kahuna-1").exists()
    assert play.club("due", "--enter").out == "kahuna-1 is dealt\n"
    assert pbem("verify", play.folder).code in (0, 3)


def test_a_seat_that_was_given_before_a_kill_is_given_by_the_next_run(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    play.all_of("white of kahuna-1 falls silent while Cleo and Dora are substitutes")
    play.all_of("the club acts", "Cleo says yes")

    play.killed_in("pbem.desk.give.give", monkeypatch)
    assert "takes the seat white" in play.club("due", "--enter").out
    assert yamlio.read(str(play.log("kahuna-1")))["log"][-1]["name"] == "Cleo"
    assert play.club("due", "--enter").out == "Nothing is due.\n"


def test_whoever_the_moderator_seats_has_the_seat_in_the_club_too(play: Play) -> None:
    play.all_of("white of kahuna-1 falls silent while Cleo and Dora are substitutes")
    play.happens("the club acts")
    done = play.rule("substitute", "--seat", "white", "--player", "Dora")
    assert done.code == 0, done
    play.happens("the club acts")
    assert play.state["seeking"] == play.state["offers"] == []
    assert play.state["matches"][0]["seats"]["white"] == "Dora"
    assert play.club("due").out == "Nothing is due.\n"


def test_lots_that_were_not_drawn_are_found(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    play.all_of("Kate joins", "Ben joins", "Kate waits for kahuna", "Ben waits for kahuna")
    with monkeypatch.context() as patch:
        patch.setattr("pbem.club.errands.by_lot", other_way_round)
        assert play.club("due", "--enter").code == 0
    done = pbem("verify", play.folder / "club.pbem.yaml")
    assert (done.code, "the seats of kahuna-1: another" in done.out) == (65, True), done


def other_way_round(*about: Any) -> dict[str, str]:
    drawn = by_lot(*about)
    return dict(zip(drawn, list(drawn.values())[::-1], strict=True))


def test_who_was_a_substitute_until_their_own_silence_is_not_said_to_have_never_been_one(
    play: Play,
) -> None:
    play.all_of("Kate and Ben play kahuna", "white waits for substitute", "4 days later")
    play.all_of("the desk keeps the clock", "4 days later", "the desk keeps the clock")
    play.all_of("the club acts")
    [told] = [each for each in pbem("status", play.folder).out.splitlines() if "sought" in each]
    assert told.endswith("nobody can be asked: nobody waits now for a seat that becomes empty")


def test_a_search_says_who_is_asked_until_when_or_why_nobody_can_be(play: Play) -> None:
    play.all_of("white of kahuna-1 falls silent while Cleo and Dora are substitutes")
    assert "for you to decide" not in (seen := pbem("due", play.folder).out)
    assert "the club seeks somebody for the seat" in seen
    assert f"pbem club status {play.folder}" in seen
    assert "is due: sought:" in play.club("due").out
    play.all_of("the club acts", "Cleo says no")
    play.club("says", "Dora", "limit 0")
    sought = "kahuna-1: somebody is sought for white, the seat of"
    for out in (play.club("status").out, play.club("due").out, pbem("status", play.folder).out):
        [line] = [each for each in out.splitlines() if each.startswith(sought)]
        assert "nobody can be asked: Cleo was asked; Dora has as many seats and places" in line
    assert "Dora has as many" not in play.club("status", "--json").printed
    play.club("says", "Dora", "limit 2")
    play.all_of("the club acts")
    assert "Asked: Dora, until " in pbem("status", play.folder).out
    for name in ("Cleo", "Dora"):
        play.club("leave", name)
    assert "asked: Cleo was asked; Dora was asked" in play.club("status").out


def test_a_match_of_a_club_is_begun_again_by_the_club_or_with_players_who_are_named(
    play: Play, tmp_path: Path
) -> None:
    play.all_of("Kate and Ben play kahuna")
    like = ("new", "--like", play.log("kahuna-1").with_name("kahuna-1"))
    done = pbem(*like)
    assert (done.code, "pbem club says" in done.err) == (2, True), done
    assert "HANDLE rematch --match kahuna-1`" in done.err
    where = ("--dir", tmp_path / "apart")
    assert pbem(*like, "--seat", "white=Kate", "--seat", "black=Ben", *where).code == 0
    assert Log.read(f"{tmp_path}/apart/kahuna-1.pbem.yaml").names.keys() == {"white", "black"}


def test_a_match_called_club_is_still_a_match(tmp_path: Path) -> None:
    begun = ("new", "kahuna", "--seat", "white=Ana", "--seat", "black=Ben", "--match", "club")
    assert pbem(*begun, "--dir", tmp_path).code == 0
    found = pbem("status", tmp_path, "--json").json
    assert [each["match"] for each in found["matches"]] == ["club"]
    assert pbem("club", "new", "rivendell", "--dir", tmp_path).code == 73
    assert pbem("club", "status", tmp_path).code == 65
    assert pbem("verify", tmp_path).code in (0, 3)


def test_the_matches_of_a_club_are_listed_without_its_log(play: Play) -> None:
    play.happens("Kate and Ben play kahuna")
    found = pbem("status", play.folder, "--json").json
    assert [each["match"] for each in found["matches"]] == ["kahuna-1"]
    assert pbem("due", play.folder).code == 0


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ("--policy authenticated --server mx.example.org", 0),
        ("--policy authenticated --server mx;a", 2),
        ("--server mx.example.org", 2),
        ("--policy sure", 2),
    ],
)
def test_a_club_is_founded_with_a_proof_that_its_matches_can_need(
    tmp_path: Path, options: str, code: int
) -> None:
    done = pbem("club", "new", "rivendell", "--dir", tmp_path / "new", *options.split())
    assert done.code == code, done
    assert (tmp_path / "new" / "club.desk.yaml").exists() == (code == 0)
    if code == 0:
        assert pbem("club", "join", tmp_path / "new", "Kate").code == 0


def test_a_club_is_backed_up_and_restored(play: Play, tmp_path: Path) -> None:
    play.happens("Kate and Ben play kahuna")
    archive, other = tmp_path.parent / f"{tmp_path.name}.zip", tmp_path.parent / "restored"
    packed = pbem("backup", play.folder, archive)
    assert packed.code == 0, packed
    restored = pbem("restore", archive, other)
    assert restored.code == 0, restored
    assert pbem("club", "status", other, "--json").json == play.state
    desk = yamlio.read(str(play.folder / "club.desk.yaml"))
    assert yamlio.read(str(other / "club.desk.yaml")) == desk


def test_forgetting_an_address_leaves_the_public_log_whole(play: Play) -> None:
    play.happens("Kate joins from kate@example.org")
    before = published(play)
    done = pbem("forget", "kate@example.org", play.folder)
    assert done.code == 0, done
    assert b"kate@example.org" not in (play.folder / "club.desk.yaml").read_bytes()
    assert published(play) == before
    assert "Kate" in play.club("status").out


@pytest.mark.parametrize(
    "line",
    [
        *("", "chess", "kahuna 3", "kahuna 0 days", "kahuna 400 days", "kahuna nonsense"),
        *("kahuna variant1=maybe", "any 3 days", "substitute now", "kahuna: Ben", "\x1b[31m"),
    ],
)
def test_a_line_that_nobody_can_stand_in_is_refused(play: Play, line: str) -> None:
    play.happens("Kate joins")
    before = published(play)
    done = play.club("join", "Kate", "--line", line)
    assert (done.code, "\x1b" in done.printed) == (2, False), done
    assert published(play) == before


def test_a_line_is_read_in_any_order_with_its_units_as_people_write_them(play: Play) -> None:
    play.happens("Kate joins")
    for line, terms in (
        ("kahuna 2 players", "kahuna 2, thames-kosmos, 3 days"),
        ("kahuna 5 days variant1", "kahuna 2, thames-kosmos, variant1=true, 5 days"),
        ("kanaloa-piatnik, 4d, 4 players", "kanaloa-piatnik 4, piatnik-2020, 4 days"),
    ):
        play.club("leave", "Kate")
        assert play.club("join", "Kate", "--line", line).code == 0, line
        assert [*map(text, play.state["lines"])] == [terms]


def test_the_founder_types_any_line_of_a_mail_and_reads_what_its_writer_would_be_told(
    play: Play,
) -> None:
    play.all_of("Kate joins", "Ben joins")
    for line, told in {
        "join kahuna and kanaloa-bambus": ("You wait for Kahuna", "You wait for Kanaloa (Bambus)"),
        "höchstens 1": ("Newcomers can have 2 at most",),
        "avoid Ben": ("You are never seated with Ben; nobody is told. [C-32]",),
        "no": ("Your no is noted",),
    }.items():
        done = play.club("says", "Kate", line)
        assert done.code == 0, done
        assert all(each in done.out for each in told), done
    for line, refused in {
        "yes": "nothing is offered to Kate now",
        "rematch": "answer a mail of the match that you want again",
        "forget me": "'forget me' is no line that a club can read",
        "I like islands": "'I like islands' is no line that a club can read",
    }.items():
        done = play.club("says", "Kate", line)
        assert (done.code > 0, refused in done.err) == (True, True), done
    assert "avoid" not in play.log("club").read_text()


def test_a_club_in_which_nothing_happens_says_so(play: Play) -> None:
    assert "Nobody is in the club yet" in play.club("status").out
    assert play.club("due").out == "Nothing is due.\n"
    assert play.club("due", "--json").json["due"] == []


def test_a_handle_that_could_be_taken_for_something_else_is_refused(play: Play) -> None:
    before = published(play)
    signs = ["", " ", "a@b.org", "x" * 31, "Ann, Ben", "a: b", "\x1b[0m", "two  blanks", "_x"]
    roles = ["bot", "Bot 1000", "Moderator", "chance", "house", "null", "open", "any"]
    words = ["white", "red", "Yes", "nein", "me", "moi", "Kahuna", "Kanaloa Bambus", "join"]
    for handle in (*signs, *roles, *words, "forget me"):
        done = play.club("join", handle)
        assert (done.code != 0, "\x1b" in done.printed) == (True, False), (handle, done)
    assert published(play) == before
    assert play.club("join", "Max White").code == play.club("join", "Bo").code == 0
    known = games.names()
    play.monkeypatch.setattr(games, "names", lambda: [*known, "one-that-cannot-be-loaded"])
    assert play.club("join", "One that cannot be loaded").code != 0
    assert play.club("join", "Cy").code == 0


def test_a_match_that_was_put_away_elsewhere_is_not_begun_again(play: Play) -> None:
    play.happens("Kate and Ben play kahuna")
    for path in play.folder.glob("kahuna-1.*"):
        path.unlink()
    assert play.club("due", "--enter").out == "Nothing is due.\n"
    assert not play.log("kahuna-1").exists()
    play.all_of("Kate waits for kahuna", "Ben waits for kahuna", "the club acts")
    assert play.log("kahuna-2").exists()


# ------------------------------------------------------------------------------- figures


def turns(*days: tuple[float, bool]) -> MatchRecord:
    """A match in which Ana's turns ended, or were missed, so many days ago."""
    taken = tuple(TurnTaken("Ana", later(NOW, hours=-round(24 * d)), missed) for d, missed in days)
    return MatchRecord("m", "kahuna", False, (), (), taken, {}, {}, {})


NOW: Final = "2026-11-28T12:00:00Z"
IN_TIME, MISSED = False, True


@pytest.mark.parametrize(
    ("matches", "figure"),
    [
        ([], (0, 0)),
        ([turns((1, IN_TIME), (2, IN_TIME))], (2, 2)),
        ([turns((364, IN_TIME), (366, IN_TIME))], (1, 1)),
        ([turns((364, MISSED), (366, MISSED))], (0, 1)),
        ([turns((10, MISSED), (9, MISSED), (7.1, MISSED))], (0, 1)),
        ([turns((10, MISSED), (7, MISSED))], (0, 2)),
        ([turns((10, MISSED)), turns((9, MISSED)), turns((8, IN_TIME))], (1, 2)),
        ([turns((10, MISSED), (8, MISSED), (6, MISSED), (4, MISSED))], (0, 2)),
    ],
)
def test_misses_within_72_hours_are_one_and_a_year_is_forgotten(
    matches: list[MatchRecord], figure: tuple[int, int]
) -> None:
    known = Members(Club("c", "", NOW), {str(n): each for n, each in enumerate(matches)}, NOW)
    assert known.reliability("Ana").in_time == figure
    assert known.reliability("Ben").in_time == (0, 0)


@pytest.mark.parametrize(
    ("played", "own", "most"),
    [
        *((0, None, 2), (19, None, 2), (20, None, 4)),
        *((19, 1, 1), (19, 9, 2), (20, 1, 1), (20, 9, 9)),
    ],
)
def test_a_newcomer_may_take_on_less_than_others(played: int, own: int | None, most: int) -> None:
    record = turns(*[(n + 400, IN_TIME) for n in range(played)], (1, MISSED))
    assert Members(Club("c", "", NOW), {"m": record}, NOW).limit("Ana", own) == most


def test_a_substitute_writes_from_every_address_they_have(play: Play) -> None:
    play.happens("white of kahuna-1 falls silent while Cleo and Dora are substitutes")
    for address in ("cleo@example.org", "cleo@work.example"):
        assert play.club("join", "Cleo", "--address", address).code == 0
    assert play.club("seat", "Cleo", "--match", "kahuna-1", "--seat", "white").code == 0
    desk = yamlio.read(str(play.folder / "kahuna-1.desk.yaml"))
    assert desk["addresses"]["white"] == ["cleo@work.example", "cleo@example.org"]


def test_of_a_long_log_only_the_last_part_is_checked_anew(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = ClubLog.read(str(play.folder))
    for number in range(450):
        log = log.extend(Joined(f"P{number}"), log.club.at)
    checked, check = list[int](), ChainReader.require_chain

    def counted(reader: ChainReader, item: Any, index: int, *about: Any) -> None:
        checked.append(index)
        check(reader, item, index, *about)

    monkeypatch.setattr(ChainReader, "require_chain", counted)
    assert ClubLog.parse(log.text, log.path).club == log.club
    assert checked == [*range(451)]
    longer = log.extend(Joined("Kate"), log.club.at)
    del checked[:]
    assert ClubLog.parse(longer.text, log.path).club == longer.club
    assert 0 < len(checked) <= 200
    edited = longer.text.replace("handle: P7\n", "handle: Q7\n")
    line = edited.splitlines().index("  handle: Q7")
    with pytest.raises(Problem, match=rf"^{re.escape(log.path)}:{line}:"):
        ClubLog.parse(edited, log.path)
