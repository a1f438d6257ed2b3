"""Plain values kept in files that can be deleted at any time, and a cache made of such files, in a
folder that only this user can write to.

Nothing private goes into the cache: logs are public, and game data are the program's own.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any, Final, TypeVar
from zlib import crc32

from pbem.files import modes
from pbem.version import __version__

MOST_FILES: Final = 200
_SPARE: Final = 20
LARGEST: Final = 1024 * 1024
_OTHERS_WRITE: Final = 0o022

T = TypeVar("T")


_unused = ContextVar("unused", default=False)


@contextmanager
def unused() -> Iterator[None]:
    """Make everything anew within: nothing is taken from the cache or put there."""
    token = _unused.set(True)
    try:
        yield
    finally:
        _unused.reset(token)


def folder(name: str) -> str | None:
    """The cache folder of that name, or None where there can be no safe one."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):
        base = os.path.join(os.path.expanduser("~"), ".cache")
    path = os.path.join(base, "pbem", f"{name}-{__version__}")
    try:
        modes.make_folders(path, modes.PRIVATE)
        safe = os.access(path, os.W_OK) and all(map(_only_mine, {path, os.path.realpath(path)}))
    except OSError:
        return None
    return path if safe else None


def _only_mine(path: str) -> bool:
    """Is nobody else able to replace this, or a folder on the way to it?"""
    if not hasattr(os, "getuid"):
        return True  # on Windows a home is its owner's, and modes say nothing
    status = os.stat(path)
    if status.st_uid != os.getuid() or status.st_mode & _OTHERS_WRITE:
        return False
    while path != (path := os.path.dirname(path)):
        status = os.stat(path)
        sticky = status.st_mode & stat.S_ISVTX  # others may add to it, but change nothing
        if status.st_uid not in (0, os.getuid()) or (status.st_mode & _OTHERS_WRITE and not sticky):
            return False
    return True


def cached(
    kind: str, text: str, make: Callable[[], Any], read: Callable[[Any], T] = lambda found: found
) -> T:
    """What `read` makes of a plain value: the one the cache keeps for this text, else the one that
    `make` gives, which is then kept.

    The file is named by a checksum of the text, and its folder by the kind of value and the version
    of pbem. The text itself stands in the file, so a changed one is never taken for the old.
    Nothing is kept if `make` raises.
    """
    where = None if _unused.get() else folder(kind)
    if where is None or len(text) > LARGEST:
        return read(make())
    path = os.path.join(where, f"{_sum(text)}.json")
    found = load(path)
    if found is not None:
        with suppress(TypeError, ValueError, LookupError, AttributeError):
            of, value = found
            if of == text:
                return read(value)  # of another shape it raises: a miss like any other
    value = make()
    with suppress(OSError):  # a cache that cannot be written is no reason to stop
        save(path, [text, value])
    _forget_the_oldest(where)
    return read(value)


def load(path: str) -> Any:
    """The value that `save` put there; None if there is none, or it is damaged."""
    import json

    try:
        with open(path, encoding="utf-8") as file:
            checked, _, written = file.read().partition("\n")
        return json.loads(written) if checked == _sum(written) else None
    except (OSError, ValueError):
        return None


def save(path: str, value: Any) -> None:
    """Keep a plain value in a file that only its owner may read. Raises OSError."""
    import json

    written = json.dumps(value)  # json.dump does it in Python, five times slower
    temporary = f"{path}.{os.getpid()}"
    with open(temporary, "wb", opener=_private) as file:
        file.write(f"{_sum(written)}\n{written}".encode())
    os.replace(temporary, path)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_BINARY", 0), 0o600)


def _sum(text: str) -> str:
    # A cryptographic one would load OpenSSL, which takes longer than all else done here.
    return f"{crc32(text.encode(errors='surrogatepass')):08x}"


def _forget_the_oldest(where: str) -> None:
    with suppress(OSError):  # another process may be at it
        if len(os.listdir(where)) <= MOST_FILES + _SPARE:
            return  # asking how old each is takes longer than making most values
        with os.scandir(where) as entries:
            files = sorted(entries, key=lambda entry: entry.stat().st_mtime)
        for entry in files[: max(0, len(files) - MOST_FILES)]:
            os.unlink(entry.path)
