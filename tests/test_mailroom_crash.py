"""Killed at any instant, or two at once: the same logs, each answer once, and everybody has been
told everything once."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from commands import BEN, apart, beside, dealt, finished, mail, pbem
from kills import bytes_of, kills, remains
from long import many
from mailbag import START, fill, maildir
from postroom import noted
from test_crash import again

from pbem.intake import mail as intake_mail
from pbem.intake.rawmail import RawMail
from pbem.mailroom import daybook, tray
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


def came(place: Path) -> int:
    """How many mails have been dealt with so far."""
    daybook = place / "matches" / ".mailroom" / "daybook.jsonl"
    return daybook.read_bytes().count(b'"came"') if daybook.exists() else 0


UNREAD = "two runs of the desk ended while they worked on this mail"
READERS = {"hangs": "import time; time.sleep(600)", "leaves": "os._exit(3)"}
"""What becomes of a run that opens a bomb."""
RUN = """
import os, sys
from pbem.intake import mail
parse = mail.parse
def bombed(raw, path):
    if raw.first("Subject") == "bomb":
        print("opened", file=sys.stderr, flush=True)
        {reader}
    return parse(raw, path)
mail.parse = bombed
sys.argv[0] = "pbem"
from pbem.cli import main
main()
"""


def run_with(reader: str, place: Path, source: Path) -> tuple[bool, list[str]]:
    """A run that is killed once it has opened the bomb; did it end of itself, with which
    verdicts?"""
    words = [str(source) if each == place / "Maildir" else str(each) for each in arguments(place)]
    command = [sys.executable, "-c", RUN.format(reader=READERS[reader]), *words]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stderr
        assert process.stdout
        opened = "opened" in process.stderr.readline()
        if opened and reader == "hangs":
            process.kill()
        told = [json.loads(line)["verdict"] for line in process.stdout]
    return not opened and process.returncode == 0, told


@pytest.mark.parametrize(("reader", "box"), [("hangs", "Maildir"), ("leaves", "mbox")])
def test_a_mail_that_no_run_survives_is_tried_twice_and_then_put_aside(
    tmp_path: Path, reader: str, box: str
) -> None:
    """The bomb is a stranger's; the two orders behind it are of one match, in their order."""
    (tmp_path / "matches").mkdir()
    dealt(tmp_path / "matches")
    bomb = mail("draw", sender="eve@elsewhere.example", identity="<b@e>", subject="bomb")
    mails = [bomb, mail("DUDA-BARI\ndraw"), mail("nonsense", identity="<2@e>")]
    source = tmp_path / box
    for number, raw in enumerate(mails):
        if box == "Maildir":
            folder = source if source.exists() else maildir(source)
            (folder / "new" / f"{START + number}.M1P1.host").write_bytes(raw)
        else:
            with source.open("ab") as file:
                file.write(b"From ana Sat Nov 21 05:00:00 2026\n" + raw + b"\n")
    assert run_with(reader, tmp_path, source)[0] is False
    assert run_with(reader, tmp_path, source)[0] is False
    assert [each["verdict"] for each in journal(tmp_path)] == []
    assert run_with(reader, tmp_path, source) == (True, ["failed", "accepted", "sender"])
    assert UNREAD in journal(tmp_path)[0]["why"]
    listed = pbem("aside", tmp_path / "matches")
    assert (listed.code, "failed" in listed.out) == (0, True)
    number = re.search(r"^ *([0-9]+) .* failed", listed.out, re.M)
    assert number is not None
    shown = ("aside", tmp_path / "matches", number[1])
    for how in ((), ("--json",)):
        with patch.object(intake_mail, "parse", side_effect=AssertionError("it is opened again")):
            one = pbem(*shown, *how)
        assert one.code == 0
        assert UNREAD in one.out
        assert "--all` opens it" in one.out
        assert how or "Subject: bomb" in one.out
    assert "draw" not in one.out
    assert "draw" in pbem(*shown, "--all").out


def test_of_a_mail_that_no_run_survived_only_the_first_headers_are_shown() -> None:
    head = b"From: a@b.example\r\nX-Long: " + b"x" * 100_000 + b"\r\n\r\ntext"
    assert sum(map(len, tray.unopened(head))) <= 4_000
    assert list(tray.unopened(b"Subject: a\r\n\tb\r\n\r\ntext")) == ["Subject: a", "\tb"]


def test_a_mail_that_takes_more_memory_than_there_is_costs_itself_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "matches").mkdir()
    dealt(tmp_path / "matches")
    box = maildir(tmp_path / "Maildir") / "new"
    for number, subject in enumerate(("bomb", "my move")):
        raw = mail("draw", identity=f"<{number}@e>", subject=subject)
        (box / f"{START + number}.M1P1.host").write_bytes(raw)
    parse = intake_mail.parse

    def bombed(raw: RawMail, path: str) -> intake_mail.ParsedMail:
        if raw.first("Subject") == "bomb":
            raise MemoryError
        return parse(raw, path)

    monkeypatch.setattr(intake_mail, "parse", bombed)
    assert pbem(*arguments(tmp_path)).code == 0
    assert [each["verdict"] for each in journal(tmp_path)] == ["unreadable", "accepted"]


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
    assert sum(name.endswith(".eml") for name in wanted) == 5

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
    for number in remains(run, restore, place):
        left_behind[number] = bytes_of(place)
        again_in_the_end(number)
    for number in kills(run, restore, place, each=many(6, 1)):
        assert bytes_of(place) == left_behind.get(number, bytes_of(place)), number
        again_in_the_end(number)
    assert len(left_behind) > many(15, 60)


def test_a_bag_of_mails_killed_three_times_ends_as_if_undisturbed(tmp_path: Path) -> None:
    once, killed = tmp_path / "once", tmp_path / "killed"
    once.mkdir()
    fill(once, 3, 36)
    shutil.copytree(once, killed)
    assert finished(apart(*arguments(once))).code == 0
    unsurvived = set[str]()  # never twice in the same mail: that would be put aside
    for mails in (6, 13, 20):
        process = apart(*arguments(killed))
        while process.poll() is None and (came(killed) < mails or _again(killed, unsurvived)):
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        finished(process)
        unsurvived |= opened(killed)
    assert finished(apart(*arguments(killed))).code == 0
    assert contents(killed) == contents(once)
    assert left(killed) == []
    assert sum(name.endswith("answer.eml") for name in contents(once)) > 20
    assert sum(name.endswith("news.eml") for name in contents(once)) == 3  # who moved last knows


def test_two_desks_on_one_mailbox_and_a_moderator_beside_them_lose_nothing(tmp_path: Path) -> None:
    once, both = tmp_path / "once", tmp_path / "both"
    once.mkdir()
    fill(once, 2, 16)
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


def _again(place: Path, unsurvived: set[str]) -> bool:
    """Is a mail being read that a run has not survived before, or may it be the next?"""
    return bool(unsurvived) and not opened(place) - unsurvived


def opened(place: Path) -> set[str]:
    """The mails that are being read, or that no run has survived so far."""
    daybook = place / "matches" / ".mailroom" / "daybook.jsonl"
    lines = daybook.read_bytes().split(b"\n")[:-1] if daybook.exists() else []
    facts = [json.loads(line) for line in lines if line.strip()]
    ended = {
        each.get(key) for each in facts if each["fact"] == "came" for key in ("mail", "digest")
    }
    return {each["mail"] for each in facts if each["fact"] == "opened"} - ended


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
