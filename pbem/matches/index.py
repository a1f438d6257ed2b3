"""What was found out about the files of a folder, kept until they change.

The files stay the truth. What is kept says which of them to open, and fills lists that people look
at; whoever writes or answers reads the file itself. The index can be deleted at any time, and one
that is damaged, of another version, locked or in a folder nobody may write to is made again or done
without. It holds addresses, so that only its owner may read it, and never a secret.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from zlib import crc32

from pbem.core import Problem
from pbem.files import store
from pbem.log import clock
from pbem.matches.folder import files_in, state
from pbem.sentence import Sentence, say
from pbem.version import __version__

if TYPE_CHECKING:
    import sqlite3

FILE: Final = "index.sqlite"
FORMAT: Final = 5
"""Of what is kept: it grows whenever that changes."""

FindOut = Callable[[Sequence[str]], Iterable[Any]]
"""From paths to a plain value each, or the Problem that keeps it from being known."""

_VERSION: Final = f"{__version__} {FORMAT} {clock.edition()}"
"""Deadlines follow from the data of time zones, too."""
_PATIENCE: Final = 2.0
"""How many seconds to wait for somebody else who writes the index."""

_RACY: Final = 2_000_000_000
"""Nanoseconds within which a file may change twice and bear the same time: FAT counts in these."""


class _Row(NamedTuple):
    """A file as it was when it was read: its stamp, when that was (in nanoseconds), its facts."""

    stamp: str
    seen: int
    facts: Any


class Index:
    """What is known of the files of a folder, kept in another, or in mind only.

    `trouble` says why nothing is kept, or had to be made again; None if all is well.
    """

    def __init__(self, folder: str, kept_in: str | None) -> None:
        self.folder = folder
        self.trouble: Sentence | None = None
        self._path = None if kept_in is None else os.path.join(kept_in, FILE)
        self._opened: sqlite3.Connection | None = None
        self._known: dict[str, dict[str, _Row]] = {}

    def facts(
        self, suffix: str, find_out: FindOut, *, concerns: Callable[[str], bool] | None = None
    ) -> dict[str, Any]:
        """What is known of each file whose name ends like this, or its Problem, by its path.

        `find_out` is asked about those that changed; one of these that does not concern the caller
        is left out. Raises Problem if there is no such folder.
        """
        seen = time.time_ns()
        stamps = {entry.name: _stamp(entry) for entry in files_in(self.folder, suffix)}
        kept = self._known.get(suffix)
        if kept is None:
            kept = self._read(suffix)
        rows = {
            name: row
            for name, (stamp, touched) in stamps.items()
            if (row := kept.get(name)) and row.stamp == stamp and touched < row.seen - _RACY
        }
        new = [name for name in stamps if name not in rows]
        troubled: dict[str, Problem] = {}
        changed: dict[str, _Row] = {}
        if concerns:
            new = [name for name in new if concerns(os.path.join(self.folder, name))]
        paths = [os.path.join(self.folder, name) for name in new]
        for name, found in zip(new, find_out(paths) if new else (), strict=True):
            if isinstance(found, Problem):
                troubled[name] = found
            else:
                changed[name] = _Row(stamps[name][0], seen, found)
        self._known[suffix] = rows | changed
        gone = kept.keys() - stamps.keys()
        if changed or gone:
            self._write(suffix, changed, gone)
        found = {name: row.facts for name, row in self._known[suffix].items()} | troubled
        return {os.path.join(self.folder, name): found[name] for name in sorted(found)}

    def _read(self, suffix: str) -> dict[str, _Row]:
        """What was kept of files with this ending. Whatever is wrong with it, there is an answer:
        nothing, at worst."""
        query = "SELECT name, stamp, seen, facts, sum FROM file WHERE suffix = ?"
        rows = self._do(lambda at: at.execute(query, (suffix,)).fetchall()) or []
        # A row whose sum is wrong is garbled: as good as none.
        whole = [row for row in rows if row[4] == _sum(*row[:4])]
        facts = json.loads(f"[{','.join(row[3] for row in whole)}]")
        return {
            os.fsdecode(name): _Row(stamp, seen, about)
            for (name, stamp, seen, _, _), about in zip(whole, facts, strict=True)
        }

    def _write(self, suffix: str, changed: dict[str, _Row], gone: Iterable[str]) -> None:
        """Keep rows and forget others."""
        rows = []
        for name, row in changed.items():
            values = (os.fsencode(name), row.stamp, row.seen, json.dumps(row.facts))
            rows.append((suffix, *values, _sum(*values)))

        def put(at: sqlite3.Connection) -> None:
            with at:
                at.executemany("DELETE FROM file WHERE name = ?", [(os.fsencode(n),) for n in gone])
                at.executemany("INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?, ?)", rows)

        self._do(put)

    def _do(self, work: Callable[[sqlite3.Connection], Any]) -> Any:
        """What this gives on the disk, where an index that is damaged is made again; None where
        nothing is kept, or can be. A write that is cut off may damage it."""
        for _ in range(2):
            if self._path is None:
                break
            try:
                import sqlite3
            except ImportError:
                self._give_up(_MISSING)
                break
            try:
                if self._opened is None:
                    self._opened = _open(self._path)
                return work(self._opened)
            except _OtherVersion:
                self._remove(say(_OTHER, path=self._path))
            except OSError as error:
                self._give_up(say(_NOT_OPENED, path=self._path, why=error.strerror or error))
            except (sqlite3.DatabaseError, UnicodeError) as error:
                # Python cannot even read the message if that quotes a damaged file.
                code = getattr(error, "sqlite_errorcode", 0) & 0xFF
                if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                    self._give_up(say(_LOCKED, path=self._path))
                elif code in (
                    sqlite3.SQLITE_READONLY,
                    sqlite3.SQLITE_CANTOPEN,
                    sqlite3.SQLITE_IOERR,
                    sqlite3.SQLITE_FULL,
                    sqlite3.SQLITE_PERM,
                ):
                    self._give_up(say(_NOT_OPENED, path=self._path, why=error))
                else:
                    self._remove(say(_DAMAGED, path=self._path))
        return None

    def _give_up(self, why: Sentence) -> None:
        """From now on nothing is kept."""
        self.trouble, self._path = why, None

    def _remove(self, why: Sentence) -> None:
        """Begin again with an empty index or, where this one cannot be removed, with none."""
        assert self._path is not None
        if self._opened is not None:
            self._opened.close()
            self._opened = None
        self.trouble = why
        try:
            os.unlink(self._path)
        except OSError:
            self._path = None


def _stamp(entry: os.DirEntry[str]) -> tuple[str, int]:
    """What changes when a file does, and when it was touched last."""
    try:
        status = entry.stat()
    except OSError:  # a link to nowhere, or removed meanwhile: whoever opens it will say so
        return "", time.time_ns()
    return " ".join(map(str, state(status))), max(status.st_mtime_ns, status.st_ctime_ns)


class _OtherVersion(Exception):
    """The index was made by another version."""


def _open(path: str) -> sqlite3.Connection:
    """The index, made if need be. Raises OSError, sqlite3.DatabaseError, _OtherVersion."""
    import sqlite3

    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    os.close(store.opened(path, os.O_RDWR | os.O_CREAT))
    os.chmod(path, 0o600)
    opened = sqlite3.connect(path, timeout=_PATIENCE)
    # No file besides, and no waiting for the disk: what is lost is found out again.
    opened.execute("PRAGMA journal_mode = MEMORY")
    opened.execute("PRAGMA synchronous = OFF")
    found = opened.execute("SELECT name FROM sqlite_master WHERE name = 'version'").fetchone()
    if found is None:
        with opened:
            opened.execute("BEGIN IMMEDIATE")
            for statement in _SCHEMA:
                opened.execute(statement)
            opened.execute("INSERT INTO version VALUES (?)", (_VERSION,))
    if opened.execute("SELECT * FROM version").fetchall() != [(_VERSION,)]:
        opened.close()
        raise _OtherVersion
    return opened


_SCHEMA: Final = (
    "CREATE TABLE IF NOT EXISTS version (version TEXT PRIMARY KEY)",
    "CREATE TABLE IF NOT EXISTS file (suffix TEXT, name BLOB PRIMARY KEY, stamp TEXT, seen INTEGER,"
    " facts TEXT, sum INTEGER)",
    "CREATE INDEX IF NOT EXISTS suffixes ON file (suffix)",
)


def _sum(name: Any, stamp: Any, seen: Any, facts: Any) -> int:
    return crc32(f"{name} {stamp} {seen} {facts}".encode(errors="replace"))


_MISSING: Final = say(
    "this Python has no sqlite3, so that nothing is kept between runs; many matches take longer"
)
_NOT_OPENED: Final = "{path}: the index cannot be kept ({why}); many matches take longer"
_LOCKED: Final = "{path}: another process keeps the index locked; this run does without it"
_DAMAGED: Final = "{path}: the index was damaged and has been made again"
_OTHER: Final = "{path}: the index was of another version and has been made again"
