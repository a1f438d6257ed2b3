"""Hundreds of whole mails through the desk, an old order planted in everything they quote.

None of them may be played (a leak), and no new order may vanish: it is played, or the message is
refused and says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import commands
import pytest
from clients import (
    PLACES,
    PROGRAMS,
    TONGUES,
    UNMARKED,
    Reply,
    envelope,
    headers,
    mails,
    part,
    plain,
)
from commands import Room, dealt
from long import many

from pbem import intake
from pbem.core import CHANCE
from pbem.desk.submit import submit
from pbem.files.timestamp import now as clock
from pbem.problem import Problem
from pbem.report import compose

NEW = ["KAHU-COCO", "take JOJO"]
OLD = "DUDA-BARI"
"""White could play it too: a leak would be accepted, not stumble over the rules."""

PLANTS = {
    "bare": [OLD],
    "fenced": ["[move] #9 5989", OLD, "[/move]"],
    "ticked": ["```move", OLD, "```"],
    "one line": [f"[move]{OLD}[/move]"],
    "bullet": [f"- {OLD}; draw"],
    "signed": ["[move]", OLD, "sign: 0000-0000-0000", "[/move]"],
}
FENCED = ["[move] #9 5989", *NEW, "[/move]"]


@pytest.fixture(scope="module")
def desk_room(tmp_path_factory: pytest.TempPathFactory) -> Room:
    return dealt(tmp_path_factory.mktemp("many"))


def read_or_refused(mail: bytes) -> list[str]:
    """The orders of a mail; none where it is refused with a reason."""
    try:
        return [line.text for line in intake.read(mail, "m.eml").orders]
    except Problem as problem:
        if not problem.message:
            raise
        return []


class Played:
    """The same match before each mail."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.before = room.log.read_bytes(), room.desk.read_bytes()
        self.known = {ply.number for ply, _ in room.read().plies}

    def by(self, mail: bytes) -> tuple[str, list[str]]:
        """What came of a mail, and what was played."""
        try:
            said = intake.read(mail, "m.eml")
            answer = submit(str(self.room.log), said, commands.at(clock))
        except Problem as problem:
            return f"unreadable: {problem}", []
        assert answer.verdict == "accepted" or answer.message
        moves = [
            ply.move
            for ply, _ in answer.after.plies
            if ply.number not in self.known and ply.seat != CHANCE
        ]
        self.room.log.write_bytes(self.before[0])
        self.room.desk.write_bytes(self.before[1])
        return answer.verdict, moves


@pytest.fixture(scope="module")
def played(desk_room: Room) -> Played:
    return Played(desk_room)


@pytest.fixture(scope="module")
def report(desk_room: Room) -> list[str]:
    """What players reply to: a post of the desk, board, fence and all."""
    now = desk_room.read()
    return compose.text(compose.public(now, 0), "text").rstrip().split("\n")


def planted(report: Sequence[str], plant: Sequence[str]) -> list[str]:
    """The report with an old order before, in and behind it."""
    middle = len(report) // 2
    return [*plant, "", *report[:middle], "", *plant, "", *report[middle:], "", *plant]


# -------------------------------------------------------------- every program, language, place


def test_no_old_order_is_played_and_no_new_one_lost(played: Played, report: list[str]) -> None:
    counted: Counter[str] = Counter()
    for plant, new, nth in [("fenced", NEW, 0), ("bare", FENCED, 1)]:
        written = [*mails(new, planted(report, PLANTS[plant]))]
        for program, language, place, mail in written[nth * many(1, 0) :: many(2, 1)]:
            verdict, moves = played.by(mail)
            case = (program, language, place, plant, new)
            counted[verdict] += 1
            if program in UNMARKED and place != "above":
                assert (verdict != "accepted", moves) == (True, []), case
            else:
                assert (verdict, moves) == ("accepted", NEW), case
    assert (counted.total(), counted["accepted"]) == (many(231, 462), many(161, 322))


@pytest.mark.parametrize("program", PROGRAMS)
def test_an_old_order_anywhere_in_the_quoted_part_is_not_read(
    program: str, report: list[str]
) -> None:
    """One plant in every sixth line of the original, in a long run in every third, the languages
    taking turns."""
    lines = [line for line in report if line.strip()][:24]
    read = 0
    for nth, (tongue, at) in enumerate(
        (tongue, at) for tongue in TONGUES.values() for at in range(0, len(lines) + 1, many(6, 3))
    ):
        plant = list(PLANTS.values())[nth % len(PLANTS)]
        old = [*lines[:at], *plant, *lines[at:]]
        for place in PLACES:
            mail = PROGRAMS[program](Reply(NEW, old, place, tongue))
            orders = read_or_refused(mail)
            assert orders in (NEW, []), (program, place, at, plant)
            assert orders == NEW or program in UNMARKED, (program, place, at)
            read += orders == NEW
    assert read >= 7 * many(5, 9)


# ------------------------------------------------------------------------- forwards and digests


def forwards(old: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """What a forwarded mail looks like, in each language and way."""
    for language, t in TONGUES.items():
        yield (
            f"{language} gmail",
            [f"---------- {t.forwarded} ---------", *headers(t), "", "", *old],
        )
        yield (
            f"{language} thunderbird",
            ["", f"-------- {t.forwarded} --------", *headers(t), "", *old],
        )
        yield f"{language} outlook", [*headers(t), "", *old]
        yield f"{language} marked", [t.apple, "", *(f"> {line}".rstrip() for line in old)]


def test_a_forwarded_order_is_not_the_forwarders(played: Played, report: list[str]) -> None:
    for how, lines in forwards(planted(report, [OLD])):
        assert played.by(plain(lines)) == ("refused", []), how
        assert played.by(plain([*NEW, "", *lines])) == ("accepted", NEW), how
        assert played.by(plain([*FENCED, *lines])) == ("accepted", NEW), how


DIGESTS = {
    "marked": [
        "> Message: 1",
        "> Date: Fri, 3 Apr 2026",
        "> From: Ben",
        ">",
        f"> {OLD}",
        "> " + "-" * 30,
        "> Message: 2",
        ">",
        f"> {OLD}",
    ],
    "nested": [
        "On Fri, Apr 3, 2026 at 9:14 AM Ben <ben@example.org> wrote:",
        "> On Thu, Apr 2, 2026 at 9:14 AM Ana <ana@example.org> wrote:",
        f">> {OLD}",
        ">",
        f">>> {OLD}",
        f"> {OLD}",
    ],
    "of a list": [
        "-----Original Message-----",
        "From: list@example.org",
        "Date: 3 Apr 2026",
        "Subject: Digest, Vol 3",
        "",
        "Today's Topics:",
        "   1. Kahuna",
        "-" * 70,
        "",
        "Message: 1",
        "From: Ben",
        "",
        OLD,
        "",
        "-" * 30,
        "",
        "Message: 2",
        "",
        OLD,
    ],
}


@pytest.mark.parametrize("digest", DIGESTS)
def test_no_order_of_a_digest_is_played(played: Played, digest: str) -> None:
    lines = DIGESTS[digest]
    assert played.by(plain(lines)) == ("refused", [])
    assert played.by(plain([*NEW, "", *lines])) == ("accepted", NEW)
    if digest != "of a list":
        assert played.by(plain([*lines, "", *NEW])) == ("accepted", NEW)


# ------------------------------------------------------------------- subjects, signatures, looks

SUBJECTS = [
    "Re: AW: SV: Antwort: [m #9 5989]",
    "RE: FW: WG: [m #9 5989] Ana to move",
    "Vá: [m #9 5989]",
    "Odp: Re[2]: [m #9 5989]",
    "Antw: RES: RV: [m #9\u00b75989]",
    "TR: Fwd: [m #9]",
    "[list] Re: [m #9 5989]",
    "回复: [m #9 5989]",
    "Re: Re: Re: Re: kahuna (m) #9 5989",
]


@pytest.mark.parametrize("subject", SUBJECTS)
def test_replies_to_replies_name_match_and_position(played: Played, subject: str) -> None:
    body = part("plain", "\n".join(NEW), "8bit")
    assert played.by(envelope(subject) + body) == ("accepted", NEW)
    assert played.by(envelope(subject.replace("#9", "#8")) + body) == ("stale", [])
    if "[m" in subject:
        other = envelope(subject.replace("[m", "[other-1")) + body
        assert played.by(other) == ("refused", [])


@pytest.mark.parametrize(
    ("sign", "verdict"),
    [
        (["-- ", "Ana", "Duda Gardens"], "accepted"),
        (["--", "Ana", "drawing, painting"], "accepted"),
        (["-- ", "-----", "| DUDA |", "-----"], "accepted"),
        (["\u2014\u200b- ", "DUDA"], "accepted"),
        (["-- ", "Ana", OLD], "refused"),
        (["-----", "Ana", "-----"], "accepted"),
        (["_____", OLD], "refused"),
        (["- -", OLD], "refused"),
        (["* * *", OLD], "refused"),
    ],
)
def test_only_two_dashes_open_a_signature_and_other_rows_are_asked_about(
    played: Played, sign: list[str], verdict: str
) -> None:
    moves = NEW if verdict == "accepted" else []
    assert played.by(plain([*NEW, "", *sign])) == (verdict, moves)
    beside = verdict == "refused" and OLD in sign  # a move outside the fence
    expected = ("refused", []) if beside else ("accepted", NEW)
    assert played.by(plain([*FENCED, "", *sign])) == expected


@pytest.mark.parametrize("bullet", ["- ", "* ", "+ ", "• ", "1. ", "1) ", "(1) ", "\u2013 ", "** "])
@pytest.mark.parametrize("language", TONGUES)
def test_orders_that_look_like_bullets_are_orders(
    played: Played, bullet: str, language: str
) -> None:
    lines = [f"{bullet}{move}" for move in NEW]
    reply = Reply(lines, [OLD, OLD, OLD], "above", TONGUES[language])
    verdict, moves = played.by(PROGRAMS["gmail"](reply))
    assert (verdict, moves) == (("refused", []) if bullet == "** " else ("accepted", NEW))


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("language", TONGUES)
def test_orders_that_look_likeheaders_are_not_cut(program: str, language: str) -> None:
    tongue = TONGUES[language]
    new = [f"{tongue.labels[0]}: b2", f"{tongue.labels[2]}: c3"]
    reply = Reply(new, [OLD, OLD, OLD], "above", tongue)
    found = intake.read(PROGRAMS[program](reply), "m.eml")
    assert [line.text for line in found.orders] == new


def test_the_programs_write_different_mails(tmp_path: Path) -> None:
    """The tables are what they say: each mail is its own, and holds both orders."""
    every = [mail for *_, mail in mails(NEW, [OLD] * 6)]
    assert len(set(every)) == len(every) == 231
    for mail in every:
        body = intake.read(mail, "m.eml").body
        assert OLD in body
        assert NEW[0] in body
