"""Whatever a mail is made of, it costs itself alone: the next one is read, what is written reads
as it was meant, and nobody gets what is not theirs."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest
from commands import ANA, BEN, Room, dealt, mail, pbem
from long import many, within
from mailbag import START, maildir
from strange import IN_UTF_8, RUNS, STRANGE, ana, endless, from_, require_sound

from pbem import intake
from pbem.core import MOST_MARKS, normal
from pbem.intake import forum
from pbem.problem import Problem

EVE = "eve@elsewhere.example"


class Desk:
    """A match, a Maildir and an outbox."""

    def __init__(self, folder: Path) -> None:
        (folder / "matches").mkdir()
        self.room: Room = dealt(folder / "matches")
        self.box, self.outbox = maildir(folder / "Maildir"), folder / "outbox"
        self.count = 0

    def place(self) -> Path:
        """Where the next mail is delivered."""
        self.count += 1
        return self.box / "new" / f"{START + self.count}.M1P1.host"

    def run(self, source: object = None) -> list[dict[str, str]]:
        """Work through the mailbox."""
        done = pbem(
            *("desk", "run", "--mail", source or self.box, "--matches", self.room.log.parent),
            *("--outbox", self.outbox, "--address", "desk@games.example", "--once", "--json"),
        )
        assert done.code == 0, done.printed
        assert "Traceback" not in done.printed
        return [json.loads(line) for line in done.out.splitlines()]

    def written(self) -> list[str]:
        """Who was written to, once every mail has been found to be sound."""
        found = []
        for file in sorted(self.outbox.glob("*/*.eml")):
            to = json.loads(file.with_suffix(".json").read_text())["to"]
            require_sound(file.read_bytes(), to)
            found.append(to)
        return found

    def aside(self) -> list[str]:
        """Why mails were put aside."""
        folder = self.room.log.parent / ".mailroom" / "aside"
        return [file.read_text() for file in sorted(folder.glob("*.txt"))]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@pytest.mark.parametrize("name", STRANGE)
def test_a_strange_mail_costs_itself_alone(desk: Desk, name: str) -> None:
    raw, verdict = STRANGE[name]
    desk.place().write_bytes(raw)
    desk.place().write_bytes(mail("draw", identity="<next@e>"))
    strange, after = desk.run()
    assert (strange["verdict"], after["verdict"]) == (verdict, "accepted")
    assert set(desk.written()) <= {ANA, BEN, EVE}
    answered = bool(strange["answers"])
    assert answered == (strange["sender"] != "" or verdict == "waiting")  # whose plans: no word
    assert len(desk.aside()) == (not answered or verdict in ("stranger", "passed-on", "refused"))
    assert desk.run() == []


def test_all_of_them_at_once_leave_the_match_as_two_good_mails_would(desk: Desk) -> None:
    for raw, _ in STRANGE.values():
        desk.place().write_bytes(raw)
    desk.place().write_bytes(mail("draw", identity="<next@e>"))
    verdicts = [told["verdict"] for told in desk.run()]
    assert verdicts == [*(verdict for _, verdict in STRANGE.values()), "accepted"]
    assert desk.written().count(BEN) == 1


def test_a_mail_too_large_a_folder_a_pipe_and_a_dead_link_are_put_aside(desk: Desk) -> None:
    large = desk.place()
    with large.open("wb") as file:
        file.write(mail("draw"))
        file.truncate(65 * 1024 * 1024)
    desk.place().mkdir()
    os.mkfifo(desk.place())
    desk.place().symlink_to("nowhere")
    desk.place().symlink_to(desk.place().name)
    desk.place().write_bytes(mail("draw"))
    told = desk.run()
    assert [each["verdict"] for each in told] == ["unreadable"] * 5 + ["accepted"]
    reasons = [each["why"].rpartition(": ")[2] for each in told[:5]]
    assert reasons[0].endswith("is larger than 25 MiB, so it is not read")
    assert reasons[1:4] == ["it is no file", "it is no file", "No such file or directory"]
    assert len(desk.aside()) == 5
    assert [file.stat().st_size for file in aside_mails(desk)][:1] <= [
        65_536 + 64
    ]  # with what the desk notes of it
    assert not list((desk.box / "new").iterdir())
    assert desk.run() == []


def aside_mails(desk: Desk) -> list[Path]:
    folder = desk.room.log.parent / ".mailroom" / "aside"
    return sorted(folder.glob("*.eml"), key=lambda file: -file.stat().st_size)


def test_a_mail_too_large_in_an_mbox_hides_no_other(desk: Desk, tmp_path: Path) -> None:
    mbox = tmp_path / "box"
    line = b"From ana Sat Nov 21 05:00:00 2026\n"
    with mbox.open("wb") as file:
        file.write(line + mail("draw", sender=EVE) + b"\n" + line + mail("x") + b"\n")
        file.write((b"y" * 1023 + b"\n") * 26 * 1024)
        file.write(b"\n" + line + mail("draw", identity="<3@e>"))
    assert [each["verdict"] for each in desk.run(mbox)] == ["stranger", "unreadable", "accepted"]
    assert [each["verdict"] for each in desk.run(mbox)] == ["seen"] * 3


def test_a_mail_that_cannot_be_moved_away_is_handled_once_and_hides_no_other(desk: Desk) -> None:
    first = desk.place()
    first.write_bytes(mail("draw", sender=EVE))
    blocked = desk.box / ".pbem-done" / "cur" / f"{first.name}:2,S"
    blocked.mkdir(parents=True)
    desk.place().write_bytes(mail("draw"))
    arguments = ("desk", "run", "--mail", desk.box, "--matches", desk.room.log.parent)
    for verdicts in (["stranger", "accepted"], ["seen"]):
        done = pbem(*arguments, "--outbox", desk.outbox, "--once")
        assert done.code == 75
        assert "1 mail has been dealt with but stays in the mailbox" in done.err
        assert [line.split()[0] for line in done.out.splitlines()] == verdicts
    blocked.rmdir()
    assert [each["verdict"] for each in desk.run()] == ["seen"]
    assert desk.run() == []


def test_from_is_read_to_the_letter(desk: Desk) -> None:
    good = (
        b"ana@example.org",
        b"Ana@Example.ORG",
        b"<ana@example.org>",
        b"Ana <ana@example.org>",
        b'"Doe, Ana" <ana@example.org>',
        b"Ana (at home) <ana@example.org>",
        b"ana@example.org (Ana)",
        b"=?utf-8?q?An=C3=A4?= <ana@example.org>",
        b"A. N. A. <ana@example.org>",
        "Anä <ana@example.org>".encode(),
        b"Ana\n <ana@example.org>",
    )
    for number, sender in enumerate(good):
        desk.place().write_bytes(from_(sender, b"nonsense %d" % number))
    assert {(told["verdict"], told["sender"]) for told in desk.run()} == {("refused", ANA)}
    assert set(desk.written()) == {ANA}


@pytest.mark.parametrize("name", [name for name, (raw, _) in STRANGE.items() if len(raw) > 20_000])
def test_the_largest_cost_no_more_than_a_second_each(desk: Desk, name: str) -> None:
    """Ten times that here: benchmarks/strange.py measures it."""
    desk.place().write_bytes(STRANGE[name][0])
    with within(10):
        desk.run()


# -------------------------------------------------------------------------- runs of characters


PEER = "ünd ünd ünd ünd\n"
"""What people write."""
LONGEST = many(50_000, 400_000)


def spent(read: Callable[[str], object], text: str) -> float:
    """The processor's time of reading a text, whatever comes of it."""
    start = time.process_time()
    with suppress(Problem):
        read(text)
    return time.process_time() - start


WAYS: dict[str, Callable[[str], object]] = {
    "a mail": lambda text: intake.read(ana(IN_UTF_8, text.encode()), "m.eml"),
    "a page": lambda text: intake.read(
        ana(b"Content-Type: text/html; charset=utf-8\n", text.encode()), "m.eml"
    ),
    "a header": lambda text: intake.read(ana(b"Message-ID: <" + text.encode() + b"@e>\n"), "m.eml"),
    "a text": lambda text: intake.read(text.encode(), "-"),
    "a post": lambda text: forum.read(text.encode(), "-", author="ana", post="1"),
    "a quoted post": lambda text: forum.read(
        f"[quote=ana]{text}[/quote]".encode(), "-", post="1", quoted=True
    ),
    "a normal form": lambda text: normal("NFKD", text),
}


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("way", WAYS)
def test_no_run_of_characters_costs_much_more_than_words_do(way: str, run: str) -> None:
    """Marks in turn took many minutes, and words take a few hundredths of a second."""
    assert spent(WAYS[way], endless(RUNS[run], LONGEST)) < 0.5 + 20 * spent_on_words(way)


@cache
def spent_on_words(way: str) -> float:
    return spent(WAYS[way], endless(PEER, LONGEST))


@pytest.mark.parametrize(
    ("headers", "text", "told"),
    [
        (IN_UTF_8, "a " * 50_001, "100,002 characters long without what it quotes"),
        (IN_UTF_8, "\ufdfa" * 100_001, "at most 100,000 are read"),
        (IN_UTF_8, "[move]\ndraw\n[/move]\n" + "a " * 50_001, "at most 100,000 are read"),
        (b"Content-Type: text/html\n", "<pre>" + "\n" * 20_001, "at most 20,000 lines"),
    ],
)
def test_more_new_text_than_anybody_writes_is_not_looked_at(
    headers: bytes, text: str, told: str
) -> None:
    with pytest.raises(Problem, match=told):
        intake.read(ana(headers, text.encode()), "m.eml")


def test_what_is_quoted_may_be_longer() -> None:
    found = intake.read(
        ana(IN_UTF_8, b"draw\n\n" + b"> so it was, and on it went\n" * 9_000), "m.eml"
    )
    assert [line.text for line in found.orders] == ["draw"]


def test_a_bomb_of_marks_delays_no_other_mail(desk: Desk) -> None:
    for raw in (ana(IN_UTF_8, endless(RUNS["marks in turn"]).encode()), mail("draw")):
        desk.place().write_bytes(raw)
    with within(10):
        assert [told["verdict"] for told in desk.run()] == ["passed-on", "accepted"]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("e" + "\u0301" * 29, "é" + "\u0301" * 28),
        ("e" + "\u0301" * 31, "é" + "\u0301" * 29),
        ("e" + "\u0301" * 31 + "x" + "\u0301" * 2, "é" + "\u0301" * 29 + "x\u0301\u0301"),
        ("e\u0301\u0323", "ẹ\u0301"),
        ("plain", "plain"),
    ],
)
def test_no_letter_keeps_more_than_thirty_marks(text: str, read: str) -> None:
    assert (MOST_MARKS, normal("NFC", text)) == (30, read)


def test_nobody_else_normalises() -> None:
    """What is not bounded first takes the square of its length."""
    package = Path(intake.__file__).parent.parent
    found = [p.name for p in package.rglob("*.py") if "normalize" in p.read_text("utf-8")]
    assert found == ["core.py"]
