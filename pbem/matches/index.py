"""The files of a folder of matches, and what was found out about them, kept until they change.

The files stay the truth. What is kept says which of them to open, and fills lists that people look
at; whoever writes or answers reads the file itself. The index can be deleted at any time; one that
is damaged or of another version is made again, and in a folder that cannot be written to, there is
none. It holds addresses, so only its owner may read it, but never a secret.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from pbem.desk.file import LOG_SUFFIX, SUFFIX
from pbem.files import cache, modes, store
from pbem.log import clock
from pbem.problem import Problem
from pbem.sentence import Sentence, say
from pbem.version import __version__

FOLDER: Final = ".mailroom"
"""Where the mailroom keeps its papers, beside the matches."""
FILE: Final = "index"
"""How the names of its files begin: one for each kind of facts."""
CLUB: Final = f"club{LOG_SUFFIX}"
"""What the log of the club is called whose matches lie in a folder, if they have one."""
FORMAT: Final = 11
"""The format of what is kept: the number grows whenever it changes."""

FindOut = Callable[[Sequence[str]], Iterable[Any]]
"""Finds out a plain value for each path, or the Problem that keeps it from being known."""

_VERSION: Final = f"{__version__} {FORMAT} {clock.edition()}"
"""Deadlines also depend on the data of time zones."""

_RACY: Final = 2_000_000_000
"""Nanoseconds within which a file may change twice without a new time: FAT has steps that long."""


def is_club(log: str) -> bool:
    """Is this the log of a club? A match may have that name instead."""
    if not os.path.exists(log):
        return False
    try:
        with open(log, "rb") as file:
            return b"\nformat: pbem-club/" in b"\n" + file.read(500)
    except OSError:
        return False


def club_of(folder: str) -> str:
    """The log of the club whose matches lie in a folder; "" if they have none."""
    path = os.path.join(folder, CLUB)
    return path if is_club(path) else ""


def files_in(folder: str) -> list[str]:
    """The names of the files of a folder, sorted, but for hidden ones and those of its club. Raises
    Problem."""
    with store.readable(folder):
        names = sorted(name for name in os.listdir(folder) if name[0] != ".")
    if CLUB in names and club_of(folder):
        own = CLUB, CLUB.removesuffix(LOG_SUFFIX) + SUFFIX
        return [name for name in names if name not in own]
    return names


def logs_in(folder: str) -> list[str]:
    """The logs of the matches of a folder, sorted. Raises Problem."""
    return [os.path.join(folder, name) for name in files_in(folder) if name.endswith(LOG_SUFFIX)]


def state(path: str) -> list[int]:
    """What differs once a file has changed, even if its time was set back, as `touch -r`, rsync and
    copies do; [] if there is no file: whoever opens it will say so."""
    try:
        status = os.stat(path)
    except OSError:
        return []
    return [status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino]


def stamp_of(state: Sequence[int]) -> int:
    """A number that differs once a file has changed: its time and its size; 0 for no file."""
    return state[1] << 32 | state[0] if state else 0


def match_name(path: str) -> str:
    """The name of the match of a log or desk file, from the file's name."""
    return os.path.basename(path).removesuffix(LOG_SUFFIX).removesuffix(SUFFIX)


class Look(NamedTuple):
    """A look at the folder: when it was, in nanoseconds, and the state of each log and desk file,
    by suffix and match, sorted."""

    seen: int
    states: Mapping[str, dict[str, list[int]]]

    def lasting(self, suffix: str, match: str) -> list[int]:
        """The state of a file; [] if it had only just changed, and might again unnoticed."""
        found = self.states[suffix][match]
        return found if max(found[1:3], default=self.seen) < self.seen - _RACY else []


_Row = Sequence[Any]
"""What is known of a file: its state, or [] if it might change again and keep it; and facts."""


class Index:
    """What is known of the logs and the desk files of a folder; kept in another folder, or in
    memory only.

    `trouble` says why nothing is kept; None if all is well.
    """

    def __init__(self, folder: str, kept_in: str | None) -> None:
        self.folder, self._kept_in = folder, kept_in
        self._folder = os.path.join(folder, "")
        self.trouble: Sentence | None = None
        self._last: Look | None = None
        self._known: dict[str, dict[str, _Row]] = {}

    def look(self, *, anew: bool = False) -> Look:
        """The last look at the folder, or one `anew`. Raises Problem if there is no such folder."""
        if anew or self._last is None:
            look = Look(time.time_ns(), {LOG_SUFFIX: {}, SUFFIX: {}})
            for name in files_in(self.folder):
                for suffix, states in look.states.items():
                    if name.endswith(suffix):
                        states[name.removesuffix(suffix)] = state(self._folder + name)
            self._last = look
        return self._last

    def look_at(self, match: str, suffix: str) -> None:
        """Look again at one file, which has just been written."""
        if self._last:
            self._last.states[suffix][match] = state(self.path(match, suffix))

    def path(self, match: str, suffix: str) -> str:
        return f"{self._folder}{match}{suffix}"

    def facts(
        self,
        suffix: str,
        find_out: FindOut,
        about: str = "",
        revived: Callable[[Any], Any] = lambda plain: plain,
    ) -> dict[str, Any]:
        """What is known of each file with this suffix, or its Problem, by match; `about` tells
        different kinds of facts about the same files apart.

        `find_out` is asked about those that changed; what it gives is kept as JSON, and `revived`
        makes of that what it was. Raises Problem if there is no such folder.
        """
        look, kind = self.look(), about + suffix
        kept = self._known.get(kind)
        if kept is None:
            kept = self._read(kind, revived)
        rows, paths, facts = dict[str, _Row](), dict[str, str](), dict[str, Any]()
        for match, now in look.states[suffix].items():
            row = kept.get(match)
            if row and row[0] == now != []:
                rows[match], facts[match] = row, row[1]
            else:
                paths[match], facts[match] = self.path(match, suffix), None
        found = dict(zip(paths, find_out([*paths.values()]) if paths else (), strict=True))
        changed = {
            match: (look.lasting(suffix, match), each)
            for match, each in found.items()
            if not isinstance(each, Problem)
        }
        self._known[kind] = {**rows, **changed}
        if changed or kept.keys() - look.states[suffix].keys():
            self._write(kind)
        return facts | found

    def _read(self, kind: str, revived: Callable[[Any], Any]) -> dict[str, _Row]:
        """What was kept; nothing if anything is wrong with it."""
        kept = cache.load(os.path.join(self._kept_in, _file(kind))) if self._kept_in else None
        version, rows = kept or ("", {})
        if version != _VERSION:
            return {}
        return {match: (state, revived(fact)) for match, (state, fact) in rows.items()}

    def _write(self, kind: str) -> None:
        """Keep what is known. If that fails, nothing is kept from now on."""
        if self._kept_in is None:
            return
        try:
            modes.make_folders(self._kept_in, modes.PRIVATE)
            path = os.path.join(self._kept_in, _file(kind))
            cache.save(path, [_VERSION, self._known[kind]])
        except OSError as error:
            why = error.strerror or error
            self.trouble, self._kept_in = say(_NOT_KEPT, path=self._kept_in, why=why), None


def _file(kind: str) -> str:
    return f"{FILE}{kind}.json"


_NOT_KEPT: Final = "{path}: the index cannot be kept ({why}); many matches take longer"
