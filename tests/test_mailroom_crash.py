"""Killed at any instant, or two at once: the same logs, each answer once, and everybody has been
told everything once."""

from __future__ import annotations

import random
import re
import shutil
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from commands import BEN, apart, beside, dealt, finished, mail, pbem
from kills import bytes_of, kills, remains
from long import many
from mailbag import START, fill, maildir
from postroom import noted
from test_crash import again

from pbem.mailroom import daybook
from pbem.mailroom.daybook import Planned, Settled

pytestmark = pytest.mark.posix


def arguments(place: Path) -> list[object]:
    return [
        "desk",
        "run",
        "--mail",
        place / "Maildir",
        "--matches",
        place / "matches",
        "--outbox",
        place / "outbox",
        "--once",
        "--json",
    ]


def contents(place: Path) -> dict[str, bytes]:
    """Logs, desk files, answers and what is set aside."""
    return {
        str(file.relative_to(place)): file.read_bytes()
        for file in place.rglob("*")
        if file.suffix in (".yaml", ".eml", ".txt") and ".pbem-done" not in file.parts
    }


def journal(place: Path) -> list[dict[str, Any]]:
    return noted(place / "matches")


def left(place: Path) -> list[str]:
    """Mails still in the mailbox, and temporary files."""
    box = [*(place / "Maildir" / "new").iterdir(), *(place / "Maildir" / "cur").iterdir()]
    return [file.name for file in (*box, *place.glob("outbox/*/.*.tmp"))]


def test_killed_at_any_instant_and_run_again_every_answer_is_there_once(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    (kept / "matches").mkdir(parents=True)
    dealt(kept / "matches")
    box = maildir(kept / "Maildir") / "new"
    mails = [
        mail("DUDA-BARI\ndraw"),
        mail("nonsense", identity="<2@e>"),
        mail("say: so", identity="<3@e>"),
    ]
    for number, raw in enumerate(mails):
        (box / f"{START + number}.M1P1.host").write_bytes(raw)
    place = tmp_path / "place"
    shutil.copytree(kept, place)
    assert pbem(*arguments(place)).code == 0
    wanted, entries = contents(place), journal(place)
    assert sum(name.endswith(".eml") for name in wanted) == 4

    def run() -> object:
        return pbem(*arguments(place))

    def restore() -> None:
        again(kept, place)

    def again_in_the_end(number: int) -> None:
        assert pbem(*arguments(place)).code == 0, number
        assert contents(place) == wanted, number
        assert journal(place) == entries, number
        assert left(place) == [], number

    left_behind = {}
    for number in remains(run, restore, place, each=1):
        left_behind[number] = bytes_of(place)
        again_in_the_end(number)
    for number in kills(run, restore, place, each=many(6, 1)):
        assert bytes_of(place) == left_behind[number], number
        again_in_the_end(number)
    assert len(left_behind) > 30


def test_a_bag_of_mails_killed_three_times_ends_as_if_undisturbed(tmp_path: Path) -> None:
    once, killed = tmp_path / "once", tmp_path / "killed"
    once.mkdir()
    fill(once, 3, 60)
    shutil.copytree(once, killed)
    start = time.monotonic()
    assert finished(apart(*arguments(once))).code == 0
    took = time.monotonic() - start
    rng = random.Random(5)
    for _ in range(3):
        process = apart(*arguments(killed))
        time.sleep(rng.uniform(0.3, 0.7) * took)
        process.send_signal(signal.SIGKILL)
        finished(process)
    assert finished(apart(*arguments(killed))).code == 0
    assert contents(killed) == contents(once)
    assert left(killed) == []
    assert sum(name.endswith("answer.eml") for name in contents(once)) > 30
    assert sum(name.endswith("news.eml") for name in contents(once)) == 3  # who moved last knows


def test_two_desks_on_one_mailbox_and_a_moderator_beside_them_lose_nothing(tmp_path: Path) -> None:
    once, both = tmp_path / "once", tmp_path / "both"
    once.mkdir()
    fill(once, 2, 30)
    dealt(once / "matches")
    shutil.copytree(once, both)
    order = tmp_path / "order.eml"
    order.write_bytes(mail("draw"))
    reply = tmp_path / "reply.eml"
    reply.write_bytes(mail("draw", sender=BEN, identity="<2@e>"))
    for place in (once, both):
        log = place / "matches" / "m.pbem.yaml"
        with beside(*[arguments(place)] * (2 if place == both else 1)) as done:
            assert pbem("submit", log, order).code == 0
            assert pbem("submit", log, reply).code == 0
        assert {each.code for each in done} == {0}, [each.err for each in done]
    for place in (once, both):
        assert pbem(*arguments(place)).code == 0  # what was entered by hand meanwhile
    logs = [
        {name: data for name, data in contents(place).items() if name.endswith(".yaml")}
        for place in (both, once)
    ]
    assert logs[0] == logs[1]
    assert verdicts(both) == verdicts(once)
    assert left(both) == []
    for place in (once, both):
        require_told_once(place)


def verdicts(place: Path) -> list[tuple[str, str]]:
    return sorted((came["mail"], came["verdict"]) for came in journal(place))


def require_told_once(place: Path) -> None:
    """What each person was told of each match joins on without a gap, and nothing is told twice."""
    told: dict[tuple[str, str], int] = {}
    ends: dict[str, int] = {}
    for fact in daybook.facts(str(place / "matches")):
        if isinstance(fact, Settled):
            ends[fact.match] = fact.entries
        elif isinstance(fact, Planned):
            assert (place / "outbox" / "private" / f"{fact.letter}.eml").exists()
            assert told.setdefault((fact.match, fact.to), fact.since) == fact.since
            told[fact.match, fact.to] = fact.end
    assert told
    for (match, _), end in told.items():
        assert end == ends[match]
        log = (place / "matches" / f"{match}.pbem.yaml").read_text()
        assert len(re.findall("^- ", log, re.MULTILINE)) == end
