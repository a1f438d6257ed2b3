"""`pbem demo`: the sample mails fit the match, and what is shown is what a newcomer should see.

`PBEM_GOLDEN=write` puts the positions of today into the sample mails and writes the golden
output anew; read both before committing them.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import commands
import pytest
from commands import pbem

from pbem import intake
from pbem.cli import demonstration
from pbem.cli.demonstration import MAILS
from pbem.desk import begin
from pbem.desk.submit import submit
from pbem.log.match import Replay

GOLDEN = Path(__file__).parent / "golden" / "demo.txt"
SAMPLES = Path(__file__).parent.parent / "games" / "kahuna" / "demo"
VERDICTS = ["accepted", "duplicate", "refused", "refused", "sender", "refused", "accepted", "stale"]
ANSWERS = {  # which post each mail answers: the opening one, or the one after Ana's order
    "1-gmail.eml": 0,
    "2-outlook.eml": 1,
    "3-iphone.eml": 1,
    "4-yahoo.eml": 1,
    "5-thunderbird.eml": 1,
    "6-apple.eml": 1,
    "7-android.eml": 0,
}


def positions(folder: Path) -> list[tuple[int, str]]:
    """The positions of the posts, from the moves themselves and not from the mails."""
    clock = demonstration._clock()
    opened, table = begin.begin(
        begin.Terms("kahuna", demonstration.PLAYERS, name=demonstration.NAME, folder=str(folder)),
        secret=demonstration.SECRET,
        clock=clock,
    )
    begin.write(opened, table)
    order = intake.read(b"LALE-KAHU; LALE-IFFI; draw", "-")
    answer = submit(opened.log.path, order, commands.at(clock), seat="white")
    return [opened.position, answer.after.position]


def test_the_sample_mails_answer_positions_the_match_really_has(tmp_path: Path) -> None:
    posted = positions(tmp_path)
    for name, post in ANSWERS.items():
        if os.environ.get("PBEM_GOLDEN") == "write":
            today = "#{} {}".format(*posted[post])
            file = SAMPLES / name
            file.write_bytes(re.sub(rb"#\d+ [0-9a-f]{4}\b", today.encode(), file.read_bytes()))
        named = intake.read(demonstration.mail(name), name).positions
        assert set(named) == {posted[post]}, f"{name} answers another position: PBEM_GOLDEN=write"


def test_every_sample_mail_is_used_and_quotes_what_it_answers() -> None:
    assert {path.name for path in SAMPLES.iterdir()} == set(ANSWERS) == {name for name, _ in MAILS}
    for name in ANSWERS:
        said = intake.read(demonstration.mail(name), name)
        assert len(said.ignored) > 40, f"{name} quotes no post"
        assert said.sender in {"ana@example.org", "ben@example.org", "zoe@example.net"}


def test_the_demonstration_reads_as_it_was_read_with_every_verdict_and_leaves_a_match_that_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = pbem("demo")
    shown = done.out
    assert (done.code, done.err) == (0, "")
    assert max(map(len, shown.splitlines())) <= 72
    if os.environ.get("PBEM_GOLDEN") == "write":
        GOLDEN.write_text(shown)
    assert shown == GOLDEN.read_text()
    verdicts = re.findall(r"verdict +([A-Z]+), exit code (\d+)", shown)
    assert [verdict.lower() for verdict, _ in verdicts] == VERDICTS
    assert [int(code) for _, code in verdicts] == [0, 0, 1, 1, 77, 1, 0, 1]
    first = {path: path.read_bytes() for path in (tmp_path / "demo" / "1").iterdir()}
    assert pbem("demo").code == 0  # which leaves the first alone
    assert {path: path.read_bytes() for path in first} == first
    assert (tmp_path / "demo" / "2" / "kahuna-demo.pbem.yaml").exists()
    log = "demo/1/kahuna-demo.pbem.yaml"
    verified = pbem("verify", log, "--key", "demo/1/kahuna-demo.desk.yaml")
    [ok, proven] = verified.out.splitlines()
    assert ok == f"{log}: ok, 18 plies, 18 judged again, 11 draws recomputed"
    assert "is not proven" in proven
    commands = re.findall(r"^  (?:echo (.*) \| )?pbem (.*)$", shown, re.M)
    assert len(commands) == 6
    for said, command in commands:
        done = pbem(*command.split(), stdin=said)
        assert done.code == 0, (command, done.printed)
    assert Replay.read(log).plies[18][0].move == "BARI-ELAI"


def test_where_nothing_can_be_written_it_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    done = pbem("demo", "--dir", tmp_path / "file")
    assert done.code == 73
    assert "cannot be made" in done.err
