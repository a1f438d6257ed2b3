"""Each bound that docs/intake.md and docs/plans.md promise, at its last value and at the next."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from commands import Room, dealt, mail

from pbem import intake
from pbem.intake import Submission, forum
from pbem.problem import Problem

KIB = 1024
MIB = KIB * KIB


def read(text: str) -> Submission:
    return intake.read(mail(text), "m.eml")


def orders_in(n: int) -> Submission:
    return read("draw\n" * n)


def new_lines(n: int) -> Submission:
    return read("[move]\ndraw\n[/move]\n" + "x\n" * (n - 3))


def lines(n: int) -> Submission:
    return read("draw\n\n" + "> old\n" * (n - 2))


def text_of(size: int) -> Submission:
    line = b"> " + b"x" * 1021 + b"\n"
    text = b"draw\n\n" + line * (size // len(line) - 1)
    return intake.read(text + b"> " + b"x" * (size - len(text) - 3) + b"\n", "-")


def mail_of(size: int) -> Submission:
    head = (
        b"From: ana@example.org\r\nMIME-Version: 1.0\r\n"
        b'Content-Type: multipart/mixed; boundary="b"\r\n\r\n'
        b"--b\r\nContent-Type: text/plain\r\n\r\ndraw\r\n--b\r\n"
        b"Content-Type: application/octet-stream\r\nContent-Disposition: attachment\r\n\r\n"
    )
    foot = b"\r\n--b--\r\n"
    room = size - len(head) - len(foot)
    body = (b"x" * 1022 + b"\r\n") * (room // KIB) + b"y" * (room % KIB)
    return intake.read(head + body + foot, "m.eml")


def header_of(size: int) -> Submission:
    header = "Subject: " + "x" * (size - 9)
    return intake.read(f"From: ana@example.org\n{header}\n\ndraw\n".encode(), "m.eml")


def inside(part: bytes) -> Submission:
    """A mail with an order in its first part, and another."""
    head = (
        b"From: ana@example.org\nContent-Type: multipart/mixed; boundary=b\n\n"
        b"--b\nContent-Type: text/plain\n\ndraw\n--b"
    )
    return intake.read(head + part + b"\n--b--\n", "m.eml")


def lines_of_a_mail(n: int) -> Submission:
    return inside(b"\nContent-Type: image/png\n" + b"\n" * (n - 11))


def parts_of_a_mail(n: int) -> Submission:
    return inside(b"\n--b".join([b"\nContent-Type: image/png\n\nx"] * (n - 1)))


def parts_in_parts(n: int) -> Submission:
    nested = (
        b"Content-Type: multipart/mixed; boundary=c%d\n\n--c%d\n" % (m, m) for m in range(n - 1)
    )
    return inside(b"\n" + b"".join(nested) + b"Content-Type: image/png\n\nx\n")


def forum_tags(n: int) -> Submission:
    text = "draw\n\n" + "[quote]x[/quote] " * (n // 2) + "[quote]" * (n % 2) + "\n"
    return forum.read(text.encode(), "p.txt", author="ana", post="1")


def html_tags(n: int) -> Submission:
    html = "<p>draw</p>" + "<blockquote>" + "<img>" * (n - 4) + "</blockquote>"
    raw = f"From: ana@example.org\nContent-Type: text/html\n\n{html}\n"
    return intake.read(raw.encode(), "m.eml")


@pytest.mark.parametrize(
    ("given", "most"),
    [
        (orders_in, 200),
        (new_lines, 2_000),
        (lines, 20_000),
        (text_of, 2 * MIB),
        (mail_of, 25 * MIB),
        (header_of, 8 * KIB),
        (lines_of_a_mail, 500_000),
        (parts_of_a_mail, 100),
        (parts_in_parts, 10),
        (forum_tags, 20_000),
        (html_tags, 50_000),
    ],
)
def test_so_much_of_a_message_is_read_and_no_more(
    given: Callable[[int], Submission], most: int
) -> None:
    assert {line.text for line in given(most).orders} == {"draw"}
    with pytest.raises(Problem, match=r"at most|more than|longer than|too long"):
        given(most + 1)


@pytest.mark.parametrize("marks", [1, 29, 30, 31, 1000])
def test_of_the_marks_on_a_letter_the_first_thirty_are_read(marks: int) -> None:
    [line] = read("BA" + "\u0301" * marks + "RI-DUDA").orders
    [most] = read("BA" + "\u0301" * 30 + "RI-DUDA").orders
    assert (line.text == most.text) == (marks >= 30)


@pytest.mark.parametrize(("columns", "asked"), [(64, False), (65, True)])
def test_a_quoted_line_was_broken_if_the_next_word_ends_beyond_64_columns(
    columns: int, asked: bool
) -> None:
    text = f"draw\n\n> {'x' * 50}\n{'y' * (columns - 53)}"
    if asked:
        with pytest.raises(Problem, match="stands right below a quoted line"):
            read(text)
    else:
        assert [line.number for line in read(text).orders] == [1, 4]


@pytest.fixture
def room(tmp_path: Path) -> Room:
    """A match of Kahuna with white (Ana) to move."""
    return dealt(tmp_path)


def block_and(words: str) -> str:
    return f"[move]\ndraw\n[/move]\n\n{words}\n"


def test_a_hundred_thousand_characters_beside_a_fence_are_looked_through(room: Room) -> None:
    line = "The ferry to the mainland was late again because of the fog.\n"  # sixty and one
    answer = room.mails(mail(block_and(line * 1600)))
    assert answer.taken or answer.proposal
    with pytest.raises(Problem, match="100,000"):
        room.mails(mail(block_and(line * 1700)))


@pytest.mark.parametrize(
    ("words", "played"),
    [
        ("I do not mean it", False),  # a clause of five words
        ("Our dog is not so well", True),  # and of six
    ],
)
def test_a_not_beside_a_fence_counts_in_five_words_or_fewer(
    words: str, played: bool, room: Room
) -> None:
    answer = room.mails(mail(block_and(words)))
    assert (answer.taken or bool(answer.proposal)) if played else not answer.taken


@pytest.mark.parametrize(
    ("words", "verdict"),
    [("May I place COCO-GOLA?", "refused"), ("May I place COCO-GOLA after Ben does?", "passed-on")],
)
def test_a_question_of_more_than_six_words_is_passed_on(
    words: str, verdict: str, room: Room
) -> None:
    assert room.mails(mail(words)).verdict == verdict


@pytest.mark.parametrize(("alternatives", "taken"), [(50, True), (51, False)])
def test_a_plan_has_fifty_alternatives_at_most(alternatives: int, taken: bool, room: Room) -> None:
    line = "next: " + " or ".join(["draw"] * alternatives)
    assert room.mails(mail(f"[move]\n{line}\n[/move]")).taken == taken


def test_two_hundred_plans_wait_at_most(room: Room) -> None:
    plans = [f"if Ben plays draw: draw until #{n + 50}" for n in range(201)]
    first, last = "\n".join(plans[:200]), plans[200]
    assert room.mails(mail(f"[move]\n{first}\n[/move]")).taken
    assert not room.mails(mail(f"[move]\n{last}\n[/move]", identity="<2@example.org>")).taken
