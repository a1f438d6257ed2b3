"""When the desk last went through a folder of matches, and what it has said about time since.

Lines of JSON beside the matches, private and only added to. A reminder that goes out is noted
before its mail is written, so that after a crash it is written once; whether it was written is
asked of those who keep the mails. Nothing here hastens anything: without it the desk only waits
longer.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from pbem.core import BadFile
from pbem.files.ledger import Ledger
from pbem.matches.folder import FOLDER

_NAME: Final = "runs.jsonl"
_SLACK: Final = 2_000
"""The account is written anew when it has so many lines more than are needed."""
_YEARS: Final = 2
"""So long it is kept what has been said: no turn lasts longer."""


class Account:
    """What the lines say: `last` is when the last complete run was, "" if there was none;
    `mailbox` whether any of them read one. `written` says whether there is a mail of a name."""

    def __init__(self, written: Callable[[str], bool]) -> None:
        self._written = written
        self._forget()

    def _forget(self) -> None:
        self.last, self.mailbox = "", False
        self._lines = 0
        self._said = set[str]()
        self._planned: dict[str, str] = {}

    def said(self, key: str) -> bool:
        """Has this been said, or is it in a mail that was written?"""
        return key in self._said or (key in self._planned and self._written(self._planned[key]))

    def take(self, values: Mapping[str, Any]) -> None:
        """Take in what a line says."""
        self._lines += 1
        if "run" in values:
            self.last, self.mailbox = values["run"], values["mailbox"]
        elif "mail" in values:
            self._planned.update(dict.fromkeys(values["keys"], values["mail"]))
        else:
            self._said.update(values["said"])


class Runs(Account):
    """The account of a folder, to be read and added to while nobody else works there; all methods
    raise Problem where that cannot be done."""

    def __init__(self, matches: str, written: Callable[[str], bool]) -> None:
        super().__init__(written)
        self._ledger = Ledger(os.path.join(matches, FOLDER, _NAME))

    def refresh(self) -> None:
        """Read what was added since the last time, by this process or another."""
        anew, lines = self._ledger.read()
        if anew:
            self._forget()
        for line in lines:
            self.take(_read(line, self._ledger.path))

    def plan(self, mail: str, keys: Iterable[str]) -> None:
        """Note what a mail of this name is about to say."""
        self._add({"mail": mail, "keys": list(keys)})

    def note(self, *keys: str) -> None:
        """Note that this has been said, or need not be."""
        self._add({"said": list(keys)})

    def complete(self, at: str, *, mailbox: bool) -> None:
        """Note a complete run."""
        self._add({"run": at, "mailbox": mailbox or self.mailbox})
        if self._lines > len(self._said) + _SLACK:
            oldest = f"{int(at[:4]) - _YEARS}{at[4:10]}"
            kept = sorted(key for key in self._said if key[-10:] >= oldest)
            lines = ({"run": at, "mailbox": self.mailbox}, {"said": kept})
            self._ledger.write_anew(lines)
            self._forget()
            for line in lines:
                self.take(line)

    def _add(self, values: Mapping[str, Any]) -> None:
        self._ledger.add(values)
        self.take(values)


def account(matches: str, written: Callable[[str], bool]) -> Account:
    """The account of a folder as it is now; nothing is made or written. Raises BadFile."""
    found, path = Account(written), os.path.join(matches, FOLDER, _NAME)
    for line in _lines(path):
        found.take(_read(line, path))
    return found


def last_run(matches: str) -> str:
    """When the last complete run was, "" if that is not known. Raises BadFile."""
    path = os.path.join(matches, FOLDER, _NAME)
    runs = (values for line in reversed(_lines(path)) if "run" in (values := _read(line, path)))
    return str(next(runs, {"run": ""})["run"])


def _lines(path: str) -> list[bytes]:
    try:
        with open(path, "rb") as file:
            return file.read().split(b"\n")[:-1]
    except OSError:
        return []


def _read(line: bytes, path: str) -> dict[str, Any]:
    """What a line of the account holds. Raises BadFile."""
    try:
        values: dict[str, Any] = json.loads(line)
        texts = [*values.get("keys", ()), *values.get("said", ())]
        texts += [values[name] for name in ("run", "mail") if name in values]
        fits = values.keys() in ({"run", "mailbox"}, {"mail", "keys"}, {"said"})
        if fits and all(isinstance(text, str) for text in texts):
            return values
    except (ValueError, TypeError, AttributeError):
        pass  # told below
    raise BadFile(
        "{shown!r} is no line of an account of the desk's runs; remove it",
        path,
        shown=line[:60].decode(errors="replace"),
    )
