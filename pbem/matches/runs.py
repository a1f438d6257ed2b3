"""When the desk last went through a folder of matches, and what it has said about time since.

Lines of JSON beside the matches, private and only added to. A reminder that goes out is noted
before its mail is written, so that after a crash it is written once; whether it was written is
asked of those who keep the mails. Of letters that tell a notice it is noted when they went out.
Nothing here hastens anything: without it the desk only waits longer.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from pbem.core import BadFile
from pbem.files.ledger import Ledger
from pbem.log.timetable import Deadline, Timetable
from pbem.matches.folder import FOLDER
from pbem.sentence import Sentence, say

_NAME: Final = "runs.jsonl"
_SLACK: Final = 2_000
"""The account is written anew when it has so many lines more than are needed."""
_YEARS: Final = 2
"""So long it is kept what has been said: no turn lasts longer."""


_HALF_A_DAY: Final = 12
_A_DAY: Final = 24
_A_WEEK: Final = 7 * 24


def may_play(at: str, last_run: str, *, yes: bool = False) -> bool:
    """May a run play what silence brings? Not if the last complete one is more than a day ago, or
    unknown: somebody may have answered meanwhile."""
    return yes or (bool(last_run) and _hours(last_run, at) <= _A_DAY)


def believed(at: str, last_run: str, *, yes: bool = False) -> bool:
    """Is it believed that it is so late? Not a week after the last complete run, until a person
    says `yes`: perhaps a clock is wrong."""
    return yes or not last_run or _hours(last_run, at) <= _A_WEEK


def waits_for_yes(at: str, last_run: str) -> Sentence:
    """What the moderator is told of a time that is not believed."""
    return say(
        "the desk waits for you: it last kept the clock at {last}, and by its own it is {at} now. "
        "Nothing is judged until you say `pbem desk run --yes`, if that is right",
        last=last_run,
        at=at,
    )


def in_time(noticed: str, out: str) -> bool:
    """Does grace that is counted from a notice fit one that went out at a moment?"""
    return _hours(noticed, out) <= _HALF_A_DAY


def _hours(before: str, after: str) -> float:
    from datetime import datetime

    passed = datetime.fromisoformat(after) - datetime.fromisoformat(before)
    return passed.total_seconds() / 3600


ASK: Final = "ask"
UNHEARD: Final = "unheard"
ASKED: Final = (ASK, UNHEARD)
"""What the moderator is asked about a seat whose grace is over: what to do, as silence brings
nothing; the same, as nobody knows whether it has had its notice."""


def question(match: str, times: Timetable, each: Deadline, kind: str = ASK) -> str:
    """What makes it this question to the moderator about a seat whose grace is over: another entry
    may have answered it."""
    return "-".join((match, each.seat, kind, times.at, (each.lapse or each.due)[:10]))


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
        self._out: dict[str, str] = {}

    def said(self, key: str) -> bool:
        """Has this been said, or is it in a mail that was written?"""
        return key in self._said or (key in self._planned and self._written(self._planned[key]))

    def out(self, to: str, notice: str) -> str:
        """When the letter with this notice went out to an address, "" if that is not known."""
        return self._out.get(f"{notice} {to}", "")

    def take(self, values: Mapping[str, Any]) -> None:
        """Take in what a line says."""
        self._lines += 1
        if "run" in values:
            self.last, self.mailbox = values["run"], values["mailbox"]
        elif "mail" in values:
            self._planned.update(dict.fromkeys(values["keys"], values["mail"]))
        elif "out" in values:
            self._out[values["out"]] = values["at"]
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

    def went_out(self, to: str, notice: str, at: str) -> None:
        """Note that the letter with this notice has gone out to an address."""
        self._add({"out": f"{notice} {to}", "at": at})

    def complete(self, at: str, *, mailbox: bool) -> None:
        """Note a complete run."""
        self._add({"run": at, "mailbox": mailbox or self.mailbox})
        if self._lines > len(self._said) + len(self._out) + _SLACK:
            oldest = f"{int(at[:4]) - _YEARS}{at[4:10]}"
            kept = sorted(key for key in self._said if key[-10:] >= oldest)
            out = [{"out": key, "at": then} for key, then in self._out.items() if then >= oldest]
            lines: list[dict[str, Any]] = [{"run": at, "mailbox": self.mailbox}, {"said": kept}]
            lines += out
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
        texts += [values[name] for name in ("run", "mail", "out", "at") if name in values]
        fits = values.keys() in ({"run", "mailbox"}, {"mail", "keys"}, {"said"}, {"out", "at"})
        if fits and all(isinstance(text, str) for text in texts):
            return values
    except (ValueError, TypeError, AttributeError):
        pass  # told below
    raise BadFile(
        "{shown!r} is no line of an account of the desk's runs; remove it",
        path,
        shown=line[:60].decode(errors="replace"),
    )
