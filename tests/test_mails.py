"""docs/mails.md shows each mail a player gets as it looks. With PBEM_GOLDEN=write it is written."""

from __future__ import annotations

import os
from email.message import EmailMessage
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from commands import ANA, BEN, Room, dealt, mail, pbem
from postroom import EVE, Post, text
from test_time import Hour, new

from pbem.desk.file import Desk
from pbem.mailroom.daybook import NOTHING, all_know_by_hand

PAGE: Final = Path(__file__).parents[1] / "docs" / "mails.md"
HEAD: Final = """\
# The mails a player gets

One mail a person and event, to one address. These are the mails of a short match of Ana and Ben,
which Eve follows, and of one that has a clock; `PBEM_GOLDEN=write pytest tests/test_mails.py`
writes this page. [The mailroom](mailroom.md) says when each is sent.
"""


ASKED: Final = {
    "It was passed on": (
        "A mail without a move, a request or press is for a person.",
        "When is the deadline, by the way?",
    ),
    "Help": ("One word, and the desk says how to write a move, and one that is legal now.", "help"),
    "Where all your matches stand": ("What waits for you comes first.", "status"),
    "Do you really resign?": (
        "Only the same word in answer to this resigns, as long as nothing else has happened.",
        "I resign",
    ),
    "You said something to all": (
        "It stands in the log and goes to everybody; the one who said it is told so, in the same "
        "mail as the news.",
        "say: Good luck, Ana!",
    ),
    "What waits": (
        "A plan is private. It is shown as it was understood, with its number, until it is played.",
        "[move]\nif Ana plays pass: take JOJO or draw\n[/move]",
    ),
}
"""What a mail can say besides moves: by heading, what the page says of it, and the mail."""


class Shown(NamedTuple):
    """A mail of the page, and what is said above it."""

    heading: str
    says: str
    mail: EmailMessage

    def __str__(self) -> str:
        heads = "".join(f"{name}: {self.mail[name]}\n" for name in ("To", "Subject"))
        return f"\n## {self.heading}\n\n{self.says}\n\n```text\n{heads}\n{text(self.mail)}```\n"


def shown(post: Post, room: Room) -> list[Shown]:
    """The mails of the page, in the order in which they are sent."""
    seen: set[str] = set()

    def newest(to: str) -> EmailMessage:
        [found] = [
            name for name, each in post.answers().items() if each["To"] == to and name not in seen
        ]
        return post.answers()[found]

    def done() -> None:
        seen.update(post.answers())

    now = room.read()
    all_know_by_hand(now, Desk.read(str(room.log)), NOTHING)
    post.run()
    found = [
        Shown(
            "The match begins",
            "The opening with the player's hand, moves and key, to the first address of the seat.",
            newest(ANA),
        )
    ]
    done()
    assert pbem("seat", room.log, "--observer", EVE).code == 0
    post.comes(mail("Hi Ben,\n\nCOCO-FAAA\ndraw\ndraw"))
    post.run()
    found += [
        Shown(
            "Your order was accepted",
            "To whoever moved, at once: what was understood, ignored and not played, then the "
            "news, the board, their hand and moves.",
            newest(ANA),
        ),
        Shown(
            "The others have moved",
            "To everybody else, when all mails have been read: the news, the board, their own hand "
            "and moves.",
            newest(BEN),
        ),
        Shown("For an observer", "The public report, as `pbem post` prints it.", newest(EVE)),
    ]
    done()
    post.comes(mail("BARI-ELAI", sender=BEN, identity="<2@e>"))
    post.run()
    found.append(Shown("Your order was not accepted", "Only its sender hears of it.", newest(BEN)))
    done()
    for number, (heading, (says, said)) in enumerate(ASKED.items()):
        post.comes(mail(said, sender=BEN, identity=f"<asked{number}@e>"))
        post.run()
        found.append(Shown(heading, says, newest(BEN)))
        done()
    rule = ("rule", room.log)
    reason = ("--reason", "no answer by Sunday, as announced")
    assert pbem(*rule, "default", "--seat", "black", "--move", "draw", *reason).code == 0
    assert pbem(*rule, "note", "--text", "Ben is on holiday until Friday").code == 0
    post.run()
    found.append(
        Shown(
            "Something was entered by hand",
            "The next run of the desk tells moves and rulings entered with `pbem submit` or `pbem "
            "rule`. Several events are one mail.",
            newest(ANA),
        )
    )
    done()
    assert pbem(*rule, "resign", "--seat", "black", "--reason", "by phone").code == 0
    assert pbem("reveal", room.log).code == 0
    post.run()
    found.append(
        Shown("The match is over", "And everything can be checked: `pbem reveal`.", newest(BEN))
    )
    return found


def shown_in_time(post: Post, hour: Hour) -> list[Shown]:
    """What Ana gets who is silent in a match with a clock, and what Ben does."""
    clock = ("--turn", 3, "--grace", 2, "--zone", "Europe/Berlin", "--silence", "draw or pass")
    assert new(post.matches, *clock, "--told", name="autumn-2").code == 0
    told = []
    for day in range(24, 29):  # a desk that slept for days would play nothing for anybody
        hour.set(f"2026-09-{day}T07:00:00Z")
        seen = set(post.answers())
        post.run()
        told.append({m["To"]: m for name, m in post.answers().items() if name not in seen})
    soon, late, *_, silence = told
    return [
        Shown(
            "Your turn ends soon",
            "To whoever is next to move, a day before the deadline or as the match says; all "
            "matches of a person are in one mail.",
            soon[ANA],
        ),
        Shown(
            "You are late",
            "The notice stands in the log, so everybody is told. Nothing is played for anybody "
            "without one.",
            late[ANA],
        ),
        Shown(
            "Somebody was silent",
            "When the days of grace are over, what the match says is played, and everybody told.",
            silence[BEN],
        ),
    ]


def test_the_page_of_mails_shows_them_as_they_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    post, timed = (Post(tmp_path / name) for name in ("untimed", "timed"))
    mails = shown(post, dealt(post.matches, name="spring-3"))
    mails += shown_in_time(timed, Hour(monkeypatch))
    page = HEAD + "".join(map(str, mails))
    if os.environ.get("PBEM_GOLDEN") == "write":
        PAGE.write_text(page, encoding="utf-8")
    assert page == PAGE.read_text(encoding="utf-8")
