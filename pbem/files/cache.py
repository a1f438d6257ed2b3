"""What need not be made twice, in a folder only this user can write to.

Nothing private goes here: logs are public, and game data are the program's own.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any, Final

from pbem.version import __version__

MOST_FILES: Final = 200
LARGEST: Final = 1024 * 1024


_unused = ContextVar("unused", default=False)


@contextmanager
def unused() -> Iterator[None]:
    """Make everything anew meanwhile: nothing is taken from the cache, and nothing put there."""
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
        os.makedirs(path, mode=0o700, exist_ok=True)
        status = os.stat(path)
    except OSError:
        return None
    owner = getattr(os, "getuid", lambda: status.st_uid)()
    if status.st_uid != owner or status.st_mode & 0o022 or not os.access(path, os.W_OK):
        return None
    return path


def cached(kind: str, text: str, make: Callable[[], Any]) -> Any:
    """The plain value that `make` makes of a text: from the cache if it was made before.

    The file is named by the SHA-256 of the text, so a changed text is never taken for the old,
    and its folder by the kind of value and the version of pbem. Nothing is kept if `make` raises.
    """
    import hashlib
    import json

    where = None if _unused.get() else folder(kind)
    if where is None or len(text) > LARGEST:
        return make()
    path = os.path.join(
        where, f"{hashlib.sha256(text.encode(errors='surrogatepass')).hexdigest()}.json"
    )
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):
        value = make()
    # A cache that cannot be written is no cache, and no reason to stop.
    with suppress(OSError):
        temporary = f"{path}.{os.getpid()}"
        with open(temporary, "w", encoding="utf-8") as file:
            file.write(json.dumps(value))  # json.dump does it in Python, five times slower
        os.replace(temporary, path)
        _forget_the_oldest(where)
    return value


def _forget_the_oldest(where: str) -> None:
    with os.scandir(where) as entries:
        files = sorted(entries, key=lambda entry: entry.stat().st_mtime)
    for entry in files[: max(0, len(files) - MOST_FILES)]:
        os.unlink(entry.path)
