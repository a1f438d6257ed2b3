"""The command line, run in this process: an exception that is no exit fails the test."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from email.message import EmailMessage
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from unittest.mock import patch

import typer

from pbem import cli, intake
from pbem.cli import load
from pbem.cli.common import app
from pbem.desk import begin
from pbem.desk.answer import Answer
from pbem.desk.append import Now
from pbem.desk.bench import Circumstances, bench
from pbem.desk.file import LOG_SUFFIX, Desk, desk_path, read_keys
from pbem.desk.plans.run import waiting_now
from pbem.desk.seats import Player
from pbem.desk.submit import submit
from pbem.files import store
from pbem.files.timestamp import now as clock
from pbem.log.chance import Dealer
from pbem.log.match import Replay
from pbem.log.seal import Keyring
from pbem.log.timing import Away
from pbem.play import games
from pbem.report import compose
from pbem.sentence import spoken

SECRET = bytes(range(32))
ANA, BEN = "ana@example.org", "ben@example.org"
DOCUMENTED = {0, 1, 2, 3, 65, 66, 73, 74, 75, 76, 77}
"""Every exit code there is."""


@dataclass(frozen=True)
class Done:
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def printed(self) -> str:
        return self.out + self.err


def at(time: Now) -> Circumstances:
    """What goes with an entry that is made when this clock says so."""
    return Circumstances(time, compose.rehearse)


def announce(path: str, here: Circumstances, seat: str, first: str, last: str) -> None:
    """Enter that a seat is away, as its own word."""
    with bench(path, here) as at_work:
        at_work.enter(Away(seat, first, last), by=seat)


def pbem(*arguments: object, stdin: str | bytes = b"") -> Done:
    """Run a command."""
    given = stdin.encode() if isinstance(stdin, str) else stdin
    out, err = _stream(), _stream()
    with (
        patch.object(cli, "application", lambda _: pbem_application()),
        patch.object(sys, "argv", ["pbem", *map(str, arguments)]),
        patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(given), "utf-8")),
        patch.object(sys, "stdout", out),
        patch.object(sys, "stderr", err),
    ):
        try:
            cli.main()
            code = 0
        except SystemExit as end:
            code = int(end.code or 0)
    return Done(code, _text(out), _text(err))


@cache
def pbem_application() -> Any:
    """The command line's tree of commands: to build it takes longer than most commands do."""
    load()
    return typer.main.get_command(app)


def _stream() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)


def _text(stream: io.TextIOWrapper) -> str:
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode()


def apart(*arguments: object, before: str = "", stdin: bytes = b"") -> subprocess.Popen[bytes]:
    """Start a command in a process of its own; `before` is Python to run first."""
    code = f"import sys\nsys.argv[0] = 'pbem'\n{before}\nfrom pbem.cli import main\nmain()"
    process = subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert process.stdin is not None
    with process.stdin as pipe:
        pipe.write(stdin)
    return process


@contextmanager
def beside(*commands: Iterable[object]) -> Iterator[list[Done]]:
    """Run commands at the same time, each in a copy of this process, and beside whatever is done
    meanwhile; what each came to is in the list afterwards."""
    done = list[Done]()
    with ProcessPoolExecutor(len(commands), get_context("fork")) as pool:
        running = [pool.submit(pbem, *command) for command in commands]
        yield done
        done += [each.result() for each in running]


def finished(process: subprocess.Popen[bytes], patience: float = 60) -> Done:
    """What a process of its own came to, within so many seconds."""
    assert process.stdout is not None
    assert process.stderr is not None
    with process.stdout as out, process.stderr as err:
        printed, told = out.read().decode(), err.read().decode()
    return Done(process.wait(patience), printed, told)


# -------------------------------------------------------------------------------- a match


@dataclass(frozen=True)
class Room:
    """A match on the disk: its two files, and what is done with them again and again."""

    log: Path

    @property
    def desk(self) -> Path:
        return Path(desk_path(str(self.log)))

    def read(self, seat: str | None = "moderator") -> Replay:
        """The match as a seat knows it, or a spectator (None), or its moderator."""
        known = Replay.read(str(self.log), read_keys(str(self.desk)))
        return known if seat == "moderator" else known.seen_by(seat)

    def waiting(self) -> dict[str, tuple[str, ...]]:
        """What counts of the moves that the desk file holds, by seat."""
        found = waiting_now(self.read(), Desk.read(str(self.log))).plans
        return {held.seat: held.moves for held in found if not held.over}

    def key(self, seat: str) -> Keyring:
        return self.read(seat).keyring

    def key_file(self, seat: str) -> Path:
        file = self.log.parent / f"{seat}.key"
        file.write_text(self.key(seat).write())
        return file

    def write(self, name: str, content: str | bytes) -> Path:
        """A file beside the log."""
        file = self.log.parent / name
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        return file

    def says(self, seat: str | None, text: str) -> Answer:
        """The seat's order, typed in by the moderator."""
        return submit(str(self.log), intake.read(text.encode(), "-"), at(clock), seat=seat)

    def mails(self, mail: bytes, seat: str | None = None) -> Answer:
        return submit(str(self.log), intake.read(mail, "m.eml"), at(clock), seat=seat)

    def files(self) -> dict[str, bytes]:
        """Everything in the folder."""
        return {p.name: p.read_bytes() for p in self.log.parent.iterdir() if p.is_file()}

    @contextmanager
    def unchanged(self) -> Iterator[None]:
        """Whatever happens inside leaves log and desk file byte for byte as they were, but for the
        note that a desk now looks after the match."""
        before = self.log.read_bytes(), self.desk.read_bytes()
        yield
        desk = self.desk.read_bytes()
        if b"daybook: true" not in before[1]:
            desk = desk.replace(b"daybook: true\n", b"")
        assert (self.log.read_bytes(), desk) == before


def dealt(
    folder: Path,
    game: str = "kahuna",
    seats: tuple[str, ...] = ("white", "black"),
    *,
    name: str = "m",
    dealer: Dealer | None = None,
    dealer_name: str = "sealed",
    **chosen: Any,
) -> Room:
    """A match that has just begun: the same each time, and so worked out once at each moment."""
    begun = repr((game, seats, name, dealer_name, chosen, SECRET, clock(), spoken()))
    again = dealer is None and game in games.OWN
    if not again or begun not in BEGUN:
        names = dict(zip(seats, ("Ana", "Ben", "Cleo"), strict=False))
        players = {
            seat: Player(who, (f"{who.lower()}@example.org",)) for seat, who in names.items()
        }
        opened, table = begin.begin(
            begin.Terms(
                game, players, name=name, folder=str(folder), options=chosen, dealer=dealer_name
            ),
            secret=SECRET,
            clock=clock,
            dealer=dealer,
        )
        if not again:
            begin.write(opened, table)
            return Room(Path(opened.log.path))
        BEGUN[begun] = table.text(), opened.log.text
    room = Room(folder / f"{name}{LOG_SUFFIX}")
    desk, log = BEGUN[begun]
    store.replace(str(room.desk), desk.encode(), 0o600)
    store.replace(str(room.log), log.encode())
    return room


BEGUN: dict[str, tuple[str, str]] = {}


def scripted(cards: Iterable[str]) -> Dealer:
    """A dealer that deals these cards, in this order."""
    left = iter(cards)
    return lambda ply, entropy, weights: f"deal {next(left)}"


"""The desk files and the logs of matches that have been begun, by all they were begun with."""


def mail(
    text: str,
    *,
    sender: str | None = f"Ana <{ANA}>",
    identity: str | None = "<1@example.org>",
    subject: str = "My move",
) -> bytes:
    """A raw mail."""
    message = EmailMessage()
    if sender:
        message["From"] = sender
    message["To"] = "desk@example.org"
    message["Subject"] = subject
    if identity:
        message["Message-ID"] = identity
    message.set_content(text)
    return message.as_bytes()


def overridden(usual: Sequence[object], *more: object) -> list[object]:
    """Options with their values, and more of them: one that is given again takes the place of the
    usual one; of `--seat white=…`, the one for the same seat."""
    again = {key for key in map(_option, more, (*more[1:], "")) if key}
    found: list[object] = []
    for at in range(0, len(usual), 2):
        option, value = usual[at : at + 2]
        if _option(option, value) not in again:
            found += [option, value]
    return [*found, *more]


def _option(option: object, value: object) -> str:
    """What an option sets; "" for what is none."""
    name = str(option)
    if not name.startswith("--"):
        return ""
    return f"{name} {str(value).partition('=')[0]}" if name == "--seat" else name
