"""A folder of matches with a Maildir and an outbox beside it, and what is asked of them."""

from __future__ import annotations

import json
import re
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import cache
from pathlib import Path
from typing import Any

from commands import Done, Room, overridden, pbem
from mailbag import START, maildir

from pbem.play import judge as play

EVE = "eve@elsewhere.example"


def noted(matches: Path, kind: str = "came") -> list[dict[str, Any]]:
    """The facts of a kind in a folder's daybook, the oldest first."""
    lines = (matches / ".mailroom" / "daybook.jsonl").read_text().splitlines()
    return [fact for fact in map(json.loads, lines) if fact["fact"] == kind]


def forget(matches: Path, kind: str) -> None:
    """Take the facts of a kind out of a folder's daybook, as if they had not been noted."""
    file = matches / ".mailroom" / "daybook.jsonl"
    kept = [line for line in file.read_text().splitlines() if json.loads(line)["fact"] != kind]
    file.write_text("".join(f"{line}\n" for line in kept))


def forget_mails(matches: Path) -> None:
    """As after a crash between a letter and the note that its mail came."""
    forget(matches, "came")


@cache
def _read(raw: bytes) -> EmailMessage:
    """A mail of ours: after a kill much the same ones lie there as after the kill before."""
    return message_from_bytes(raw, policy=policy.default)


class Post:
    """A folder of matches with a Maildir and an outbox beside it."""

    def __init__(self, folder: Path) -> None:
        self.matches = folder / "matches"
        self.matches.mkdir(parents=True)
        self.box = maildir(folder / "Maildir")
        self.outbox = folder / "outbox"
        self.count = 0

    def comes(self, raw: bytes, after: float = 0, *, at: float | None = None) -> None:
        """A mail arrives, ten seconds after the one before or at a time, in seconds."""
        self.count += 1
        second = int(START + self.count * 10 + after if at is None else at)
        name = f"{second}.M{self.count}P1.host"
        (self.box / "new" / name).write_bytes(raw)

    def run(self, *more: str, source: object = None, stdin: bytes = b"") -> list[str]:
        """Work through the mailbox; gives the verdicts."""
        return [told["verdict"] for told in self.told(*more, source=source, stdin=stdin)]

    def told(self, *more: str, source: object = None, stdin: bytes = b"") -> list[dict[str, str]]:
        done = self.desk(*more, source=source, stdin=stdin)
        assert done.code == 0, done.printed
        return [json.loads(line) for line in done.out.splitlines()]

    def desk(self, *more: str, source: object = None, stdin: bytes = b"") -> Done:
        return pbem(
            "desk",
            "run",
            *overridden(
                (
                    *("--mail", source or self.box, "--matches", self.matches),
                    *("--outbox", self.outbox, "--address", "desk@games.example"),
                ),
                *more,
            ),
            "--once",
            "--json",
            stdin=stdin,
        )

    def answers(self) -> dict[str, EmailMessage]:
        """What lies in the outbox, by the path there."""
        return {
            str(file.relative_to(self.outbox)): _read(file.read_bytes())
            for file in sorted(self.outbox.rglob("*.eml"))
        }

    def to(self, address: str, kind: str = "") -> list[EmailMessage]:
        """The answers to one address, of one kind."""
        return [
            message
            for name, message in self.answers().items()
            if message["To"] == address and unmarked(name).endswith(f"{kind}.eml")
        ]

    def only(self, address: str, kind: str = "") -> str:
        """The text of the one answer of a kind to an address."""
        [message] = self.to(address, kind)
        return text(message)

    def aside(self) -> list[str]:
        """Why mails were set aside."""
        folder = self.matches / ".mailroom" / "aside"
        return [file.read_text() for file in sorted(folder.glob("*.txt"))]


def unmarked(name: str) -> str:
    """The name of a mail without the digits that say which log it is about."""
    return re.sub(r"\.[0-9a-f]{8}(?=\.)", "", name)


def text(message: EmailMessage, kind: str = "plain") -> str:
    body = message.get_body((kind,))
    assert body is not None
    return str(body.get_content()).replace("\r\n", "\n")


def bridge(room: Room) -> str:
    """A bridge that whoever is awaited can build."""
    now = room.read()
    moves = play.legal_moves(now.game, now.state, now.awaited[0])
    return next(text for text in map(now.game.notate, moves) if "-" in text)


def plies(room: Room) -> list[str]:
    return [ply.move for ply, _ in room.read().plies if ply.seat != "chance"]


def strict(room: Room) -> None:
    """The match wants the mail server mx.example.org to vouch for each mail."""
    text_ = room.desk.read_text()
    room.desk.write_text(
        text_.replace("addresses:", "policy: authenticated\nserver: mx.example.org\naddresses:")
    )


VOUCHED = b"Authentication-Results: mx.example.org; dkim=pass header.d=example.org\n"
