"""What was found out about the files of a folder, kept until they change.

The files stay the truth. What is kept says which of them to open, and fills lists that people look
at; whoever writes or answers reads the file itself. The index can be deleted at any time; one that
is damaged or of another version is made again, and in a folder nobody may write to it is done
without. It holds addresses, so that only its owner may read it, and never a secret.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

from pbem.core import Problem
from pbem.files import cache
from pbem.log import clock
from pbem.matches.disk import files_in, state
from pbem.sentence import Sentence, say
from pbem.version import __version__

FILE: Final = "index"
"""How the names of its files begin: one for each kind of file that it is about."""
FORMAT: Final = 7
"""Of what is kept: it grows whenever that changes."""

FindOut = Callable[[Sequence[str]], Iterable[Any]]
"""From paths to a plain value each, or the Problem that keeps it from being known."""

_VERSION: Final = f"{__version__} {FORMAT} {clock.edition()}"
"""Deadlines follow from the data of time zones, too."""

_RACY: Final = 2_000_000_000
"""Nanoseconds within which a file may change twice and bear the same time: FAT counts in these."""


class _Row(NamedTuple):
    """A file as it was when it was read: its stamp, when that was (in nanoseconds), its facts."""

    stamp: list[int]
    seen: int
    facts: Any


class Index:
    """What is known of the files of a folder, kept in another, or in mind only.

    `trouble` says why nothing is kept; None if all is well.
    """

    def __init__(self, folder: str, kept_in: str | None) -> None:
        self.folder, self._kept_in = folder, kept_in
        self.trouble: Sentence | None = None
        self.looked: dict[str, tuple[float, dict[str, list[int]]]] = {}
        """When the folder was looked at for files whose names end like this, and their stamps."""
        self._known: dict[str, dict[str, _Row]] = {}

    def look(self, suffix: str) -> dict[str, list[int]]:
        """The files whose names end like this, each with its stamp; [] for a link to nowhere.
        Raises Problem if there is no such folder."""
        stamps = {entry.name: _stamp(entry) for entry in files_in(self.folder, suffix)}
        self.looked[suffix] = time.monotonic(), stamps
        return stamps

    def facts(
        self, suffix: str, find_out: FindOut, *, concerns: Callable[[str], bool] | None = None
    ) -> dict[str, Any]:
        """What is known of each file whose name ends like this, or its Problem, by its path.

        `find_out` is asked about those that changed; one of these that does not concern the caller
        is left out. Raises Problem if there is no such folder.
        """
        seen = time.time_ns()
        stamps, folder = self.look(suffix), os.path.join(self.folder, "")
        kept = self._known.get(suffix)
        if kept is None:
            kept = self._read(suffix)
        rows = {
            name: row
            for name, stamp in stamps.items()
            if (row := kept.get(name))
            and row.stamp == stamp != []
            and stamp[1] < row.seen - _RACY > stamp[2]
        }
        new = [name for name in stamps if name not in rows]
        troubled: dict[str, Problem] = {}
        changed: dict[str, _Row] = {}
        if concerns:
            new = [name for name in new if concerns(folder + name)]
        paths = [folder + name for name in new]
        for name, found in zip(new, find_out(paths) if new else (), strict=True):
            if isinstance(found, Problem):
                troubled[name] = found
            else:
                changed[name] = _Row(stamps[name], seen, found)
        self._known[suffix] = rows | changed
        if changed or kept.keys() - stamps.keys():
            self._write(suffix)
        found = {name: row.facts for name, row in self._known[suffix].items()} | troubled
        return {folder + name: found[name] for name in sorted(found)}

    def _read(self, suffix: str) -> dict[str, _Row]:
        """What was kept of files with this ending. Whatever is wrong with it, there is an answer:
        nothing, at worst."""
        kept = cache.load(os.path.join(self._kept_in, _file(suffix))) if self._kept_in else None
        version, rows = kept or ("", {})
        return {name: _Row(*row) for name, row in rows.items()} if version == _VERSION else {}

    def _write(self, suffix: str) -> None:
        """Keep what is known of these files. Where that fails, nothing is kept from now on."""
        if self._kept_in is None:
            return
        try:
            os.makedirs(self._kept_in, mode=0o700, exist_ok=True)
            path = os.path.join(self._kept_in, _file(suffix))
            cache.save(path, [_VERSION, self._known[suffix]])
        except OSError as error:
            why = error.strerror or error
            self.trouble, self._kept_in = say(_NOT_KEPT, path=self._kept_in, why=why), None


def _file(suffix: str) -> str:
    return f"{FILE}{suffix}.json"


def _stamp(entry: os.DirEntry[str]) -> list[int]:
    """What changes when a file does."""
    try:
        return [*state(entry.stat())]
    except OSError:  # a link to nowhere, or removed meanwhile: whoever opens it will say so
        return []


_NOT_KEPT: Final = "{path}: the index cannot be kept ({why}); many matches take longer"
