"""The front door to a match in its files: what the command line does with a log, for programs.

m = pbem.Match.open("kahuna-1.pbem.yaml")
print(m.table)
m.judge("BARI-DUDA; draw", seat="white")
print(m.append("BARI-DUDA; draw", seat="white").render("bgg"))
"""

from __future__ import annotations

import os

from pbem import intake
from pbem.core import NoMove, Refused, Seat
from pbem.desk.answer import Answer, Verdict
from pbem.desk.bench import Circumstances
from pbem.desk.file import Desk, desk_path, read_keys
from pbem.desk.submit import check, submit
from pbem.files import store
from pbem.files.timestamp import now
from pbem.log import match as log
from pbem.log.seal import Keyring
from pbem.problem import Usage
from pbem.report import compose
from pbem.report.escape import DIALECTS
from pbem.table import Table, replayed


class Match:
    """A match in its log, as far as the keys at hand open it: as it stood when it was opened, or
    when `append` last wrote to it.

    With the desk file beside the log a program is the moderator's and knows everything; with a
    seat's key it knows what that seat knows; with neither, what everybody may.
    """

    __slots__ = ("_keyring", "_now", "_table", "path")
    _table: Table | None

    def __init__(self, path: str, keyring: Keyring) -> None:
        self.path = path
        self._keyring = keyring
        self._read()

    @staticmethod
    def open(path: str | os.PathLike[str], key: str | os.PathLike[str] | None = None) -> Match:
        """The match of a log file, which may be named without its `.pbem.yaml`. `key` is a file
        with a key: a letter, or a desk file; else the desk file beside the log, if there is one.
        Raises pbem.Problem."""
        log_file = store.log_of(os.fspath(path))
        keys = desk_path(log_file) if key is None else os.fspath(key)
        known = key is not None or os.access(keys, os.R_OK)
        return Match(log_file, read_keys(keys) if known else Keyring.none())

    @property
    def name(self) -> str:
        """What the match is called."""
        return self._now.name

    @property
    def ply(self) -> int:
        """The number of the last ply."""
        return self._now.position.ply

    @property
    def fingerprint(self) -> str:
        """The four digits that stand for all that everybody can read: a3f9 in `#17 a3f9`."""
        return self._now.position.fingerprint

    @property
    def awaited(self) -> tuple[Seat, ...]:
        """The seats whose move the match waits for; () when it is over, even by a ruling."""
        return self._now.awaited

    @property
    def table(self) -> Table:
        """The table as the keys at hand show it; `table.seen_by(None)` is what anybody may see.
        A match that a ruling has ended still goes on there."""
        if self._table is None:
            match = self._now
            plies = ((ply.seat, events) for ply, events in match.plies)
            self._table = replayed(match.game, match.setup, match.first, plies)
        return self._table

    def judge(self, text: str | bytes, *, seat: Seat | None = None) -> tuple[str, ...]:
        """The moves of a message that would be played, in canonical writing, as `pbem check`
        judges it; nothing is written. () if all of it would only wait.

        `text` is whatever players send: moves, a raw mail, a forum post. `seat` says whose it is,
        on the word of whoever runs the program. Raises pbem.Refused, and pbem.Problem where
        something other than the order is wrong.
        """
        return _moves(check(self.path, _said(text), seat=seat, keyring=self._keyring))

    def append(self, text: str | bytes, *, seat: Seat | None = None, wait: float = 10.0) -> Match:
        """Judge a message and enter what comes of it, as `pbem submit` does; gives this match, as
        it then stands.

        Waits up to `wait` seconds for another writer. Raises pbem.Refused if the message is not
        taken, and pbem.Problem; the log is then as it was, unless it is a pbem.core.NotTold.
        """
        here = Circumstances(now, compose.rehearse, wait)
        _moves(submit(self.path, _said(text), here, seat=seat))
        self._read()
        return self

    def render(self, format: str = "text") -> str:
        """The public post about the last turn as `pbem post` prints it: text, markdown, phpbb, bgg
        or html. Raises pbem.Problem."""
        if format not in DIALECTS:
            known = tuple(DIALECTS)
            raise Usage("format is one of {known:all}, not {format!r}", known=known, format=format)
        desk = Desk.read(self.path) if os.access(desk_path(self.path), os.R_OK) else None
        return compose.post(self._now, desk, format)

    def __str__(self) -> str:
        return self.render()

    def __repr__(self) -> str:
        return f"<pbem.Match {self.name} {self._now.position}>"

    def _read(self) -> None:
        self._now = log.Replay.read(self.path, self._keyring)
        self._table = None


def _said(text: str | bytes) -> intake.Submission:
    return intake.read(text.encode() if isinstance(text, str) else text, "<text>")


def _moves(answer: Answer) -> tuple[str, ...]:
    """The moves of an order that is taken. Raises Refused."""
    if answer.taken:
        return tuple(answer.before.game.notate(step.move) for step in answer.steps)
    if answer.reason is not None:
        raise answer.reason
    assert answer.why is not None, "a message is turned away for a reason"
    raise (NoMove if answer.verdict is Verdict.PASSED_ON else Refused)(answer.why)
