"""Who has been told what: for each match, up to which entry of its log each person knows it.

An account beside the matches, private, lines of JSON that are only added to. It says how much
everybody has been told and, for those to whom a mail was planned since, how far that one goes. A
plan is noted before its mail is written, so that after a crash the same mail is made for the same
entries; whether it was written is asked of those who keep the mails.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from pbem.core import BadFile
from pbem.desk.address import Address
from pbem.desk.file import Desk
from pbem.files import store
from pbem.files.ledger import Ledger
from pbem.log.match import Match
from pbem.matches.folder import FOLDER, match_name

NOTHING: Final = -1
"""How much somebody knows who has not even seen the opening post."""

_NAME: Final = "told.jsonl"
_SLACK: Final = 2_000
"""The account is written anew when it has so many lines more than twice what is needed."""


class Span(NamedTuple):
    """The entries of a log that a mail tells, those after the first `since` up to the `end`th,
    and the mail's name."""

    since: int
    end: int
    name: str


@dataclass(slots=True)
class _Page:
    """What is known of a match: all know so many entries, when its log was of this size; and the
    newest mail that was planned for a person since."""

    all: int
    size: int
    planned: dict[Address, Span] = field(default_factory=dict)


class Told:
    """The account of a folder. Read and add to it under a lock on `path`; all methods raise
    Problem where it cannot be read or written.

    A person is their address. `written` says whether there is a mail of a name.
    """

    def __init__(self, matches: str, written: Callable[[str], bool]) -> None:
        self._ledger, self._written = Ledger(os.path.join(matches, FOLDER, _NAME)), written
        self._forget()

    @property
    def path(self) -> str:
        """Where it is."""
        return self._ledger.path

    def _forget(self) -> None:
        self._lines = 0
        self._pages: dict[str, _Page] = {}

    def refresh(self) -> None:
        """Read what was added since the last time, by this process or another."""
        anew, lines = self._ledger.read()
        if anew:
            self._forget()
        for line in lines:
            self._note(_read(line, self.path))
        if self._lines > 2 * len(self._pages) + _SLACK:
            self._write_anew()

    def knows(self, match: str) -> bool:
        """Is there anything about this match? If not, it is older than the account."""
        return match in self._pages

    def fits(self, match: str, entries: int) -> bool:
        """Can a log of so many entries be the one this is about? If not, an older copy has been put
        in its place."""
        page = self._pages[match]
        ends = [plan.end for plan in page.planned.values() if self._written(plan.name)]
        return entries >= max(page.all, *ends, 0)

    def has_news(self, match: str, size: int) -> bool:
        """May there be something that somebody has not been told, in a log of this size?"""
        page = self._pages.get(match)
        return page is None or page.size != size

    def since(self, match: str, person: Address) -> int:
        """How many entries a person has been told."""
        page = self._pages[match]
        plan = page.planned.get(person)
        if plan is None:
            return page.all
        return plan.end if self._written(plan.name) else plan.since

    def owed(self, match: str, person: Address) -> Span | None:
        """The mail that was planned for a person and never written."""
        plan = self._pages[match].planned.get(person)
        return None if plan is None or self._written(plan.name) else plan

    def plan(self, match: str, mails: Mapping[Address, Span]) -> None:
        """Note that each of these persons is to get this mail now. One that is there tells what it
        told when it was written, whatever has happened since."""
        new = {person: span for person, span in mails.items() if not self._written(span.name)}
        if new:
            self._add({"match": match, "mails": new})

    def settle(self, match: str, entries: int, size: int) -> None:
        """Note that everybody has been told so many entries: all there were in a log of this
        size."""
        if self._pages.get(match) != _Page(entries, size):
            self._add({"match": match, "all": entries, "size": size})

    def _add(self, values: dict[str, Any]) -> None:
        self._ledger.add(values)
        self._note(values)

    def _note(self, values: dict[str, Any]) -> None:
        match = values["match"]
        if "all" in values:
            self._pages[match] = _Page(values["all"], values["size"])
        elif match in self._pages:
            planned = {person: Span(*span) for person, span in values["mails"].items()}
            self._pages[match].planned.update(planned)
        self._lines += 1

    def _write_anew(self) -> None:
        """Leave out what has been overtaken."""
        lines = list[dict[str, Any]]()
        for match, page in self._pages.items():
            lines.append({"match": match, "all": page.all, "size": page.size})
            if page.planned:
                lines.append({"match": match, "mails": page.planned})
        self._ledger.write_anew(lines)
        self._lines = len(lines)


def _read(line: bytes, path: str) -> dict[str, Any]:
    """What a line of the account holds. Raises BadFile."""
    try:
        values: dict[str, Any] = json.loads(line)
        counts = [values["all"], values["size"]] if "all" in values else []
        texts = [values["match"]]
        for since, end, name in values["mails"].values() if not counts else ():
            counts += [since, end]
            texts.append(name)
        if all(isinstance(n, int) for n in counts) and all(isinstance(t, str) for t in texts):
            return values
    except (ValueError, TypeError, KeyError, AttributeError):
        pass  # told below
    raise BadFile(
        "{shown!r} is no line of an account of who was told what; remove it",
        path,
        shown=line[:60].decode(errors="replace"),
    )


def by_hand(now: Match, desk: Desk, entries: int, wait: float = 10.0) -> None:
    """Note on the moderator's word that everybody in a match has been told so many entries, or
    `NOTHING`. Where nobody is written to, nobody has to be told. Raises Problem."""
    if not (desk.observers or any(desk.addresses.values())):
        return
    account = Told(os.path.dirname(now.log.path) or ".", lambda _: True)
    with store.lock(account.path, wait):
        account.refresh()
        size = len(now.log.text.encode()) if entries == len(now.log.entries) else 0
        account.settle(match_name(now.log.path), entries, size)
