"""Who has been told what: for each match, up to which entry of its log each person knows it.

An account beside the matches, private, lines of JSON that are only added to. It says how much
everybody has been told and, for those to whom a mail was planned since, how far that one goes. A
plan is noted before its mail is written, so that after a crash the same mail is made for the same
entries; whether it was written is asked of those who keep the mails.

With each count goes a mark, a few digits of the chain of the last of these entries. Where the log
has another chain there, or fewer entries, somebody has put another copy in its place: everybody is
told that, and what follows the last mark that both have.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from pbem.core import BadFile
from pbem.desk.address import Address
from pbem.desk.file import LOG_SUFFIX, Desk
from pbem.files import store
from pbem.files.ledger import Ledger
from pbem.log.format import Log
from pbem.log.match import Match
from pbem.matches.folder import FOLDER, match_name

NOTHING: Final = -1
"""How much somebody knows who has not even seen the opening post."""

_NAME: Final = "told.jsonl"
_SLACK: Final = 2_000
"""The account is written anew when it has so many lines more than twice what is needed."""
_KEPT: Final = 16
"""How many marks of a match are kept then, the newest."""
_DIGITS: Final = 8


def mark(log: Log, entries: int) -> str:
    """What a log of so many entries is known by; "" for one that has fewer."""
    if not 0 <= entries <= len(log.entries):
        return ""
    chain = log.entries[entries - 1].chain if entries else log.header.chain
    return chain.removeprefix("sha256:")[:_DIGITS]


class Span(NamedTuple):
    """The entries of a log that a mail tells, those after the first `since` up to the `end`th, the
    mail's name, and the mark of the last of them."""

    since: int
    end: int
    name: str
    mark: str = ""


@dataclass(slots=True)
class _Page:
    """What is known of a match: all know so many entries, when its log had this stamp; the newest
    mail that was planned for a person since; the names of mails that were written, whoever has
    taken them away; the marks it had, by counts of entries; how often another copy was put in its
    place, and whether everybody has still to be told of the last."""

    all: int
    size: int
    planned: dict[Address, Span] = field(default_factory=dict)
    written: set[str] = field(default_factory=set)
    marks: dict[int, str] = field(default_factory=dict)
    copy: int = 0
    replaced: bool = False


class Told:
    """The account of a folder. Read and add to it under a lock on `path`; all methods raise
    Problem where it cannot be read or written.

    A person is their address. `written` says whether there is a mail of a name.
    """

    def __init__(self, matches: str, written: Callable[[str], bool]) -> None:
        self._ledger, self._kept = Ledger(os.path.join(matches, FOLDER, _NAME)), written
        self._matches = matches
        self._forget()

    @property
    def path(self) -> str:
        """Where it is."""
        return self._ledger.path

    def _forget(self) -> None:
        self._lines = 0
        self._pages: dict[str, _Page] = {}
        self._marked: dict[str, str] = {}
        """The matches, by the marks they had."""

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

    def meet(self, match: str, log: Log, stamp: int = 0) -> bool:
        """Take up a match that the account does not know. One whose files were renamed goes on
        where it was, and may have news; any other is older than the account, and everybody counts
        as told of it as it stands."""
        for count in range(len(log.entries), -1, -1):
            name = self._marked.get(mark(log, count), match)
            gone = not os.path.exists(os.path.join(self._matches, name + LOG_SUFFIX))
            if gone and (page := self._pages.get(name)):
                self._add(_line(match, page))
                if page.planned:
                    self._add({"match": match, "mails": page.planned})
                return True
        self.settle(match, len(log.entries), stamp, mark(log, len(log.entries)))
        return False

    def compare(self, match: str, log: Log) -> None:
        """Look whether this log is the one the account is about. If another copy has been put in
        its place, everybody counts as told of what both have, as far as that is known."""
        page = self._pages[match]
        told = [page.all, *(self.since(match, person) for person in page.planned)]
        newest = max(page.marks, default=NOTHING)
        if len(log.entries) >= max(told) and mark(log, newest) == page.marks.get(newest, ""):
            return
        common = [count for count, each in page.marks.items() if mark(log, count) == each]
        # With no mark, in an account that is older than they are, nobody can say where they part.
        both = min(*told, max(common, default=0) if page.marks else len(log.entries))
        marks = {both: mark(log, both)} if both in common else {}
        line = _line(match, _Page(both, 0, marks=marks, copy=page.copy + 1, replaced=True))
        self._add(line)

    def copy(self, match: str) -> int:
        """How often another copy was put in the place of its log."""
        return self._pages[match].copy

    def replaced(self, match: str) -> bool:
        """Was it since everybody was told?"""
        return self._pages[match].replaced

    def unaware(self, match: str, person: Address) -> bool:
        """Has this person still to be told so?"""
        page = self._pages[match]
        return page.replaced and person not in page.planned

    def has_news(self, match: str, stamp: int) -> bool:
        """May there be something that somebody has not been told, in a log with this stamp?"""
        page = self._pages.get(match)
        return page is None or page.size != stamp

    def since(self, match: str, person: Address) -> int:
        """How many entries a person has been told."""
        page = self._pages[match]
        plan = page.planned.get(person)
        if plan is None:
            return page.all
        return plan.end if self._written(page, plan.name) else plan.since

    def owed(self, match: str, person: Address) -> Span | None:
        """The mail that was planned for a person and never written."""
        page = self._pages[match]
        plan = page.planned.get(person)
        return None if plan is None or self._written(page, plan.name) else plan

    def plan(self, match: str, mails: Mapping[Address, Span]) -> None:
        """Note that each of these persons is to get this mail now. One that is there tells what it
        told when it was written, whatever has happened since."""
        page = self._pages.get(match, _Page(NOTHING, 0))
        new = {who: span for who, span in mails.items() if not self._written(page, span.name)}
        if new:
            self._add({"match": match, "mails": new})

    def wrote(self, match: str, names: Iterable[str]) -> None:
        """Note that these mails were written: whoever sends them may take them away before all
        that is to be told of the match can be."""
        self._add({"match": match, "wrote": [*names]})

    def _written(self, page: _Page, name: str) -> bool:
        return name in page.written or self._kept(name)

    def settle(self, match: str, entries: int, size: int, mark: str = "") -> None:
        """Note that everybody has been told so many entries: all there were in a log of this stamp,
        with this mark. What has to be told from its beginning is another match of the same name."""
        page = self._pages.get(match, _Page(NOTHING, 0))
        anew = entries == NOTHING < page.all
        marks = {entries: mark} if mark else {}
        then = _Page(entries, size, marks=marks, copy=page.copy + anew)
        if match not in self._pages or replace(then, marks={**page.marks, **marks}) != page:
            self._add(_line(match, then))

    def _add(self, values: dict[str, Any]) -> None:
        self._ledger.add(values)
        self._note(values)

    def _note(self, values: dict[str, Any]) -> None:
        match = values["match"]
        before = self._pages.get(match)
        if "all" in values:
            page = _Page(values["all"], values["size"])
            if before:
                page.copy = before.copy
                page.marks = {n: mark for n, mark in before.marks.items() if n <= page.all}
            page.copy = values.get("copy", page.copy)
            page.replaced = values.get("replaced", False)
            page.marks.update((int(n), mark) for n, mark in values.get("marks", {}).items())
            self._pages[match] = page
            self._marked.update((mark, match) for mark in page.marks.values())
        elif before and "wrote" in values:
            before.written.update(values["wrote"])
        elif before:
            planned = {person: Span(*span) for person, span in values["mails"].items()}
            before.planned.update(planned)
            before.marks.update((plan.end, plan.mark) for plan in planned.values() if plan.mark)
            self._marked.update((plan.mark, match) for plan in planned.values() if plan.mark)
        self._lines += 1

    def _write_anew(self) -> None:
        """Leave out what has been overtaken."""
        lines = list[dict[str, Any]]()
        for match, page in self._pages.items():
            kept = dict(sorted(page.marks.items())[-_KEPT:])
            lines.append(_line(match, replace(page, marks=kept)))
            if page.planned:
                lines.append({"match": match, "mails": page.planned})
            if page.written:
                lines.append({"match": match, "wrote": sorted(page.written)})
        self._ledger.write_anew(lines)
        self._lines = len(lines)


def _line(match: str, page: _Page) -> dict[str, Any]:
    """What all know of a match, as a line of the account."""
    line = {"match": match, "all": page.all, "size": page.size, "marks": page.marks}
    rarely = {"copy": page.copy, "replaced": page.replaced}
    return {**line, **{key: value for key, value in rarely.items() if value}}


def _read(line: bytes, path: str) -> dict[str, Any]:
    """What a line of the account holds. Raises BadFile."""
    try:
        values: dict[str, Any] = json.loads(line)
        counts = [values["all"], values["size"]] if "all" in values else []
        texts = [values["match"], *values.get("wrote", ())]
        for since, end, *names in values["mails"].values() if not (counts or texts[1:]) else ():
            counts += [since, end]
            texts += names
        for count, digits in values.get("marks", {}).items():
            counts.append(int(count))
            texts.append(digits)
        counts.append(values.get("copy", 0))
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
        account.settle(match_name(now.log.path), entries, 0, mark(now.log, entries))
