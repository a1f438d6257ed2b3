"""What has been done with which mail: a line of JSON each, private, only ever added to.

The log of a match says what was played. The journal says what else must not happen twice: an
answer to a mail that changed nothing, and a second answer to the same mail.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Final, NamedTuple

from pbem.core import BadFile, NoFile, Seat
from pbem.files.ledger import Ledger

_NAME: Final = "journal.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """What came of a mail.

    `mail` is its id, `digest` all of its bytes where nobody knows who wrote it, `verdict` the
    desk's or one of the mailroom's own, `sent` when it was sent (in seconds), `answers` the names
    of what was written, `refusal` whether it was answered although it changed nothing, `settled`
    whether it is known who wrote it, as far as the match asks, `why` a sentence for the moderator.
    """

    mail: str
    at: str
    verdict: str
    digest: str = ""
    sender: str = ""
    match: str = ""
    seat: Seat = ""
    ply: int = 0
    sent: float = 0.0
    answers: tuple[str, ...] = ()
    refusal: bool = False
    settled: bool = False
    why: str = ""

    @property
    def quota(self) -> Quota:
        """Out of whose quota it was answered."""
        return Quota(self.match, self.sender) if self.settled else STRANGERS


class Quota(NamedTuple):
    """Who shares the answers to mails that change nothing: a known writer in a match."""

    match: str
    sender: str


STRANGERS: Final = Quota("", "")
"""The one quota of all whom nobody knows: else every forged name would have its own."""


class Journal:
    """The journal of a folder of matches. Read and add to it while nobody else works there.

    Raises Problem where there is none and none can be made.
    """

    def __init__(self, folder: str) -> None:
        self._ledger = Ledger(os.path.join(folder, _NAME))
        self._forget()

    @property
    def path(self) -> str:
        """Where it is."""
        return self._ledger.path

    def _forget(self) -> None:
        self._seen: set[str] = set()
        self._newest: dict[tuple[str, Seat], float] = {}
        self._answers: set[str] = set()
        self._refusals: Counter[tuple[Quota, str]] = Counter()

    def refresh(self) -> None:
        """Read what was added since the last time, by this process or another. Raises Problem."""
        anew, lines = self._ledger.read()
        if anew:
            self._forget()
        for line in lines:
            self._note(_record(line, self.path))

    def knows(self, mail: str) -> bool:
        """Has this mail been dealt with?"""
        return mail in self._seen

    def newest(self, match: str, seat: Seat) -> float:
        """When the newest mail was sent that was judged as this seat's; 0.0 if none was."""
        return self._newest.get((match, seat), 0.0)

    def wrote(self, answer: str) -> bool:
        """Was an answer of this name written before?"""
        return answer in self._answers

    def refusals(self, quota: Quota, at: str) -> int:
        """How many mails that changed nothing were answered out of a quota on that day."""
        return self._refusals[quota, at[:10]]

    def add(self, record: Record) -> None:
        """Add a line. Raises Problem."""
        self._ledger.add(asdict(record))
        self._note(record)

    def _note(self, record: Record) -> None:
        self._seen.update(filter(None, (record.mail, record.digest)))
        self._answers.update(record.answers)
        if record.seat:
            key = record.match, record.seat
            self._newest[key] = max(self._newest.get(key, 0.0), record.sent)
        if record.refusal:
            self._refusals[record.quota, record.at[:10]] += 1


def records(folder: str) -> Iterator[Record]:
    """The lines of the journal in a mailroom's folder, the oldest first; a line that is still being
    written is left out. Raises Problem."""
    path = os.path.join(folder, _NAME)
    try:
        with open(path, "rb") as file:
            whole = file.read().rpartition(b"\n")[0]
    except FileNotFoundError:
        return
    except OSError as error:
        raise NoFile("cannot be read: {strerror}", path, strerror=error.strerror) from error
    for line in whole.split(b"\n") if whole else ():
        yield _record(line, path)


def _record(line: bytes, path: str) -> Record:
    try:
        data: dict[str, Any] = json.loads(line)
        return Record(**{**data, "answers": tuple(data["answers"])})
    except (ValueError, TypeError, KeyError) as error:
        shown = line[:60].decode(errors="replace")
        raise BadFile(
            "{shown!r} is no line of a journal ({error}); remove it",
            path,
            shown=shown,
            error=type(error).__name__,
        ) from error
