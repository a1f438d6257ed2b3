"""Lines of JSON in a private file that is only ever added to, by one process at a time."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from typing import Any

from pbem.files import modes, store
from pbem.problem import CannotMake, CannotWrite


class Ledger:
    """Such a file, to be read and added to under a lock. Raises CannotMake if there is none and
    none can be made."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._read_to, self._file = 0, 0
        with store.may_fail(CannotMake, "cannot be made: {strerror}", path):
            modes.make_folders(os.path.dirname(path), modes.PRIVATE)
            os.close(store.opened(path, os.O_WRONLY | os.O_CREAT))

    def read(self) -> tuple[bool, list[bytes]]:
        """Whether the file is read from its start, as it is new here or was replaced; and its
        lines: all if so, else those added since, by any process. Raises NoFile."""
        with store.readable(self.path), open(self.path, "rb") as file:
            status = os.fstat(file.fileno())
            anew = status.st_ino != self._file or status.st_size < self._read_to
            if anew:
                self._read_to, self._file = 0, status.st_ino
            file.seek(self._read_to)
            added = file.read()
        whole, newline, _ = added.rpartition(b"\n")
        self._read_to += len(whole) + len(newline)
        return anew, whole.split(b"\n") if newline else []

    def add(self, values: Mapping[str, Any]) -> None:
        """Add a line. Raises CannotWrite."""
        line = _line(values)
        with store.may_fail(CannotWrite, "cannot be written: {strerror}", self.path):
            handle = store.opened(self.path, os.O_RDWR | os.O_CREAT)
            try:
                # What a full disk or a power cut left of a line is written over.
                os.ftruncate(handle, self._read_to)
                os.lseek(handle, self._read_to, os.SEEK_SET)
                written = os.write(handle, line)
            finally:
                os.close(handle)
        if written < len(line):
            raise CannotWrite("could not be written to its end; is the disk full?", self.path)
        self._read_to += len(line)

    def write_anew(self, lines: Iterable[Mapping[str, Any]]) -> None:
        """Replace all lines with these. Raises Problem."""
        data = b"".join(map(_line, lines))
        store.replace(self.path, data, 0o600)
        self._read_to, self._file = len(data), os.stat(self.path).st_ino


def _line(values: Mapping[str, Any]) -> bytes:
    return json.dumps(values, ensure_ascii=True).encode() + b"\n"
