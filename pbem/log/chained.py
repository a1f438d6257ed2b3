"""What every chained file is, a match's log and a club's: a header, and below it entries that are
only ever added, each chained to the one before."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple, NoReturn

from pbem.core import Domain
from pbem.files import yamlio
from pbem.log.entries import Plain, entry_text, hashed, unchained
from pbem.log.ruling import misfit
from pbem.problem import BadFile, Problem


class ChainReader(NamedTuple):
    """The checks on the way in that know no kind of entry. All raise BadFile, with the place."""

    text: str
    path: str

    def refuse(self, pattern: str, /, *where: str | int, **values: Any) -> NoReturn:
        """Raises BadFile at a value of the file."""
        raise BadFile(pattern, self.path, *yamlio.place(self.text, where), **values)

    def fields(
        self,
        data: Plain,
        domains: Mapping[str, Domain],
        *where: str | int,
        optional: Collection[str] = (),
    ) -> None:
        """Refuse unknown and missing keys, and values that do not fit."""
        if wrong := misfit(data, domains, optional):
            self.refuse("{wrong}", *where, *filter(None, wrong[1:]), wrong=wrong[0])

    def require_log_last(self, data: Plain) -> None:
        """Refuse a header in which anything follows the entries."""
        if next(reversed(data)) != "log":
            self.refuse("'log' must be the last key: entries are added at the end", "log")

    def require_margin(self, data: Plain) -> None:
        """Refuse entries to which none could be added as text."""
        start = self.text.find("\nlog:")
        if data["log"] == [] or self.text.count("\n- ", start) != len(data["log"] or ()):
            self.refuse(
                "entries must stand at the left margin, each after '- '; write 'log:' and "
                "nothing behind it where there are none",
                "log",
            )

    def require_chain(self, item: Plain, index: int, previous: str, called: str) -> None:
        """Refuse an entry whose chain does not follow from the one before."""
        if item["chain"] != hashed(previous + unchained(item)):
            edited = "the header or this entry" if index == 0 else "this entry"
            self.refuse(
                "the chain breaks at {called}: {edited} was edited after it was written, or "
                "one before it is missing; restore it from a copy (a change of mind is a new "
                "ruling, not an edit)",
                "log",
                index,
                called=called,
                edited=edited,
            )

    def cut_short(self, problem: Problem) -> Problem:
        """The same problem, or that the file ends within its last entry, if it does."""
        start = _cut_entry(self.text)
        if not (start and problem.line >= start):
            return problem
        return BadFile(
            "the last entry is not complete: the file was cut short here, or the entry was "
            "written by hand; remove it or restore a copy ({message})",
            self.path,
            start,
            message=problem.sentence,
        )


def lengthened(text: str, path: str, chain: str, entry: Plain) -> tuple[str, Any]:
    """The text of a file that ends with this chain, with one more entry; and that entry as it will
    be read. Raises Problem for text that cannot be written."""
    added, _ = entry_text(chain, entry)
    [item] = yamlio.parse(added, path)
    return text + ("" if text.endswith("\n") else "\n") + added, item


def _cut_entry(text: str) -> int:
    """The line where the last entry starts, if it lacks its chain; else 0."""
    start = text.rfind("\n- ")
    if start < text.find("\nlog:") or re.search(r"\bchain: \"?sha256:[0-9a-f]{64}\b", text[start:]):
        return 0
    return text.count("\n", 0, start) + 2
