"""A club: its casebook, played through the command line; its files; what may go wrong with them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from commands import Done, pbem
from test_docs import told_of

from pbem.files import yamlio

ROOT: Final = Path(__file__).parent.parent
CASES: Final = yamlio.read(str(ROOT / "clubs" / "cases.yaml"))
RULES: Final = yamlio.read(str(ROOT / "clubs" / "rules.yaml"))
START: Final = 1_790_000_000


class Play:
    """A club in which sentences happen, a minute after each other."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.monkeypatch, self.now = folder, monkeypatch, START
        self.told, self.people = "", {}
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
            [first] = (each for each in self.state["matches"] if each["match"] == "kahuna-1")
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

    def passes(self, number: str, unit: str) -> Done:
        self.later(**{f"{unit}s": int(number)})
        return Done(0, "", "")

    def acts(self) -> Done:
        done = self.club("due", "--enter")
        self.told = done.printed
        return done


STEPS: Final[dict[str, Callable[..., Done]]] = {
    r"(\S+) joins(?: from (\S+))?": lambda p, name, address: p.club(
        *("join", name), *(("--address", address) if address else ())
    ),
    r"(\S+) waits for (.+)": lambda p, name, line: p.club("join", p.handle(name), "--line", line),
    r"(\S+) leaves ?(.*)": lambda p, name, line: p.club(
        *("leave", p.handle(name)), *(("--line", line) if line else ())
    ),
    r"(\S+) hosts (.+)": lambda p, name, table: p.club("host", name, table),
    r"(\S+)(?: of kahuna-1)? says yes": lambda p, name: p.club("accept", p.handle(name)),
    r"(\S+) says no": lambda p, name: p.club("decline", p.handle(name)),
    r"(\S+) limits (\d+)": lambda p, name, most: p.club("limit", name, most),
    r"(\S+) avoids (\S+)": lambda p, name, other: p.club("avoid", name, other),
    r"(\S+) is excluded": lambda p, name: p.club("exclude", name, "--reason", "two names"),
    r"(\S+) is readmitted": lambda p, name: p.club("readmit", name, "--reason", "cleared up"),
    r"the club acts": Play.acts,
    r"the desk keeps the clock": lambda p: pbem("due", p.folder, "--enter"),
    r"the founder opens the secret": lambda p: p.club("reveal"),
    r"(\d+) (day|hour)s? later": Play.passes,
    r"(\S+) and (\S+) play kahuna( again)?": Play.plays,
    r"(white|black) draws": Play.draws,
    r"(white|black) gets (\d+) days": lambda p, seat, days: p.rule(
        "extend", "--seat", seat, "--by", days
    ),
    r"(white|black) resigns": lambda p, seat: p.rule("resign", "--seat", seat),
    r"white of kahuna-1 falls silent while Cleo and Dora are substitutes": Play.falls_silent,
    r"(white|black) of kahuna-1 asks for the match again": lambda p, seat: p.club(
        "rematch", p.handle(seat), "--match", "kahuna-1"
    ),
}


def text(terms: dict[str, Any]) -> str:
    options = [f"{name}={str(value).lower()}" for name, value in terms.get("options", {}).items()]
    first = f"{terms['game']} {terms['players']}"
    return ", ".join([first, terms["ruleset"], *options, f"{terms['turn']} days"])


SEEN: Final[dict[str, Callable[[Play, Any], Any]]] = {
    "lines": lambda p, s: {text(each): each["waiting"] for each in s["lines"]},
    "tables": lambda p, s: {f"table {each['table']}": each["seated"] for each in s["tables"]},
    "offers": lambda p, s: [each["to"] for each in s["offers"]],
    "seeking": lambda p, s: [f"{each['match']} {each['seat']}" for each in s["seeking"]],
    "substitutes": lambda p, s: s["substitutes"],
    "matches": lambda p, s: {e["match"]: sorted(e["seats"].values()) for e in s["matches"]},
    "holder": lambda p, s: yamlio.read(str(p.log("kahuna-1")))["log"][-1]["name"],
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
    assert {key: SEEN[key](play, state) for key in then} == then
    verified = pbem("verify", tmp_path)
    assert verified.code in (0, 3), verified.printed


def test_every_rule_has_a_case_and_a_place_in_the_prose() -> None:
    ids = [rule["id"] for rule in RULES]
    assert len(set(ids)) == len(ids)
    assert {each for case in CASES for each in case["rules"]} == {*ids}
    prose = (ROOT / "clubs" / "RULES.md").read_text(encoding="utf-8")
    assert {*re.findall(r"C-\d+", prose)} == {*ids}
    assert all(rule["from"] and rule["says"].endswith(".") for rule in RULES)


def test_a_club_is_founded_as_its_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    told = told_of(ROOT / "docs" / "club.md")
    assert len(told) > 4
    for command, expected in told:
        done = pbem(*shlex.split(command)[1:])
        pattern = re.escape(expected).replace(r"\.\.\.", "(?s:.*)")
        assert re.fullmatch(pattern, done.out), f"{command}\n{done.printed}"
