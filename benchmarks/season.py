"""Seasons of a league of sixty people, of whom some fall silent, some leave and some are slow: on
its last day matches still run. Prints what came of it, and fails unless each table was played or
adjudicated, nobody who fell silent or left is in the next season, and two programs that share no
line come to the same figures, the same order, and the same divisions of the next season, once some
have gone up and some down: `standings.py` reads only YAML. Sixty people are six divisions, as none
has more than eleven.

Run with the python of the checkout's venv; takes some minutes:
    .venv/bin/python benchmarks/season.py [--people 60] [--seasons 2] [--seed 1]
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
sys.path.insert(0, str(Path(__file__).resolve().parent))
import standings
from commands import Done, pbem

START: Final = 1_790_000_000
DAY: Final = 86400
LAST: Final = 60
"""So many days has a season."""
FIGURES: Final = ("points", "sonneborn_berger", "direct", "wins")


class League:
    """A club with one league, and people who play well, badly, slowly or no more."""

    def __init__(self, folder: Path, people: int, seed: int) -> None:
        self.folder, self.dice, self.now = folder, random.Random(seed), START
        self.strength = {f"P{n:02}": self.dice.gauss(0, 1) for n in range(people)}
        self.gone = set[str]()
        self.happened = Counter[str]()
        self.does("club", "new", "league", "--dir", folder, "--turn", 7)
        self.does("club", "join", folder, "Sub", "--line", "substitute")
        where = ("--dir", folder, "--game", "kahuna", "--format", "league", "--days", LAST)
        self.does("event", "new", "spring", *where)
        for who in self.strength:
            self.does("club", "join", folder, who)
            self.does("event", "enter", folder, "spring", who)
        self.does("event", "draw", folder, "spring")
        self.does("club", "due", folder, "--enter")

    def does(self, *words: object, stdin: str = "") -> Done:
        self.now += 1
        os.environ["SOURCE_DATE_EPOCH"] = str(self.now)
        done = pbem(*words, stdin=stdin)
        assert done.code == 0, (words, done.printed)
        return done

    @property
    def event(self) -> Any:
        return self.does("event", "standings", self.folder, "spring", "--json").json

    def lived(self) -> Iterator[str]:
        """One season, to the draw of the next; gives what is wrong."""
        began, tables = self.now, self.event["tables"]
        people = sorted({who for each in tables for who in each["people"]})
        divisions = max(each["division"] for each in tables)
        self.happened[f"divisions of {len(people)} people"] = divisions
        left, *silent = self.dice.sample(people, 1 + max(len(people) // 12, 1))
        slow = []
        for each in tables:
            silence = [who in silent for who in each["people"]]
            if silence == [False, True]:
                self.moves(each)  # now it is the silent one's turn
            elif not any(silence) and self.dice.random() < 0.05:
                slow.append(each)
            elif not any(silence):
                self.finish(each)
        self.does("event", "leave", self.folder, "spring", left)
        for day in (8, 12, 16):
            self.due(began + day * DAY)
            self.substitute(silent)
        self.due(began + (LAST - 5) * DAY)
        for each in slow:
            self.moves(each)  # late, but back
        self.due(began + LAST * DAY)
        yield from self.wrong()
        self.due(self.now + 7 * DAY)
        self.gone |= {left, *silent}
        again = {who for each in self.event["tables"] for who in each["people"]}
        if again != {*people} - self.gone:
            yield f"the next season has {sorted(again)}"
        yield from standings.wrong(self.folder)

    def wrong(self) -> Iterator[str]:
        """What is not as it should be after a season."""
        ended = self.event
        if not ended["ended"]:
            yield "the season has not ended on its day"
        for each in ended["tables"]:
            self.happened["played" if each["over"] else "adjudicated"] += 1
            if each["match"] is None:
                yield f"table {each['table']} has no match"
        own = standings.figures(self.folder, standings.seasons(self.folder)["spring"][-1])
        for each in ended["standings"]:
            theirs = [each.get(name) for name in FIGURES]
            if not each["struck"] and theirs != [str(-n) for n in own[each["handle"]]]:
                yield f"{each['handle']}: {theirs}, and {own[each['handle']]} from YAML"

    def due(self, moment: int) -> None:
        self.now = moment
        self.does("due", self.folder, "--enter")
        self.does("club", "due", self.folder, "--enter")

    def substitute(self, silent: list[str]) -> None:
        """The substitute takes over from one who will not come back, and not from the slow."""
        took = False
        while not took:
            status = self.does("club", "status", self.folder, "--json").json
            if not status["offers"]:
                return
            [offer], seats = status["offers"], {m["match"]: m["seats"] for m in status["matches"]}
            took = seats[offer["match"]][offer["seat"]] in silent
            self.does("club", "says", self.folder, "Sub", "yes" if took else "no")
            self.does("club", "due", self.folder, "--enter")
        self.happened["substitutes"] += 1

    def moves(self, table: Any) -> None:
        log = self.folder / f"{table['match']}.pbem.yaml"
        self.does("submit", log, "-", "--from", "white", stdin="draw")

    def finish(self, table: Any) -> None:
        log = self.folder / f"{table['match']}.pbem.yaml"
        white, black = (self.strength[w] + self.dice.gauss(0, 2) for w in table["people"])
        won = () if abs(white - black) < 0.2 else ("white" if white > black else "black",)
        told = [word for seat in won for word in ("--winner", seat)]
        self.does("rule", log, "end", *told, "--reason", "as played")


def lived(folder: Path, people: int, seasons: int, seed: int) -> tuple[list[str], Counter[str]]:
    """What was wrong in so many seasons, and what happened."""
    league = League(folder, people, seed)
    wrong = [each for _ in range(seasons) for each in league.lived()]
    return wrong, league.happened


def main() -> None:
    known = argparse.ArgumentParser()
    for name, usual in (("people", 60), ("seasons", 2), ("seed", 1)):
        known.add_argument(f"--{name}", type=int, default=usual)
    asked = known.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        wrong, happened = lived(Path(folder) / "m", asked.people, asked.seasons, asked.seed)
        if not wrong and pbem("verify", f"{folder}/m/club.pbem.yaml").code:
            wrong.append("verify finds something else")
    print("".join(f"{n:6} {what}\n" for what, n in happened.items()), end="")
    sys.exit("\n".join(wrong) or 0)


if __name__ == "__main__":
    main()
