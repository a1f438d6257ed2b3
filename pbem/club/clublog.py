"""The log of a club: public, chained, only ever added to, as that of a match is."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial
from typing import Any, Final, NamedTuple

from pbem.club.acts import CLUB_ACTS, ClubAct, made, objection, plain
from pbem.club.event_acts import EVENT_ACTS
from pbem.club.fold import Club
from pbem.core import Domain, slots
from pbem.files import cache, yamlio
from pbem.log import seal
from pbem.log.chained import ChainReader, lengthened
from pbem.log.entries import Plain, hashed
from pbem.log.ruling import HASH, TEXT, TIME, matching
from pbem.matches.index import CLUB
from pbem.problem import NotNow, Problem

FORMAT: Final = "pbem-club/1"
_HEADER: Final = {
    "format": TEXT,
    "club": matching("a name without blanks", r"\w[\w.-]{0,39}"),
    "created": TIME,
    "commit": HASH,
    "log": Domain("a list of entries", lambda v: v is None or isinstance(v, list)),
}
ACTS: Final[Mapping[str, type[ClubAct]]] = {kind.word: kind for kind in (*CLUB_ACTS, *EVENT_ACTS)}
"""Every kind of entry."""
_SCHEMA_LINE: Final = "# yaml-language-server: $schema=./club.schema.json\n"


class ClubHeader(NamedTuple):
    """What stands above the entries."""

    club: str
    created: str
    commit: str

    def plain(self) -> Plain:
        """The header as it is written, without `log`."""
        return {"format": FORMAT, **self._asdict()}

    @property
    def chain(self) -> str:
        """What the first entry is chained to."""
        return hashed(seal.canonical(self.plain()))

    def text(self) -> str:
        """The text of a log without entries."""
        return f"{_SCHEMA_LINE}{yamlio.emit(self.plain())}log:\n"


class Entered(NamedTuple):
    """An entry as it stands in a log."""

    act: ClubAct
    at: str
    chain: str


class ClubLog(NamedTuple):
    """A log, the text it was read from, and what it adds up to."""

    path: str
    text: str
    header: ClubHeader
    entries: tuple[Entered, ...]
    club: Club

    @staticmethod
    def read(folder: str) -> ClubLog:
        """The log of the club whose matches lie in a folder. Raises Problem."""
        path = log_path(folder)
        text, known = yamlio.read_text(path), _LATEST.get(path)
        if known is None or known.text != text:
            known = ClubLog.parse(text, path)
        return known.remembered()

    @staticmethod
    def parse(text: str, path: str) -> ClubLog:
        """The log a text holds. Raises Problem; a text found whole before is not checked again."""

        def read(kept: tuple[list[str], list[list[Any]]]) -> ClubLog:
            header = ClubHeader(*kept[0])
            entries = tuple(
                Entered(made(ACTS[word], data), at, chain) for word, data, at, chain in kept[1]
            )
            return ClubLog(path, text, header, entries, folded(header, entries))

        return cache.cached("club", text, partial(_checked, text, path), read)

    def remembered(self) -> ClubLog:
        """The log, which is not read anew in this process as long as its file holds just this."""
        _LATEST.clear()
        _LATEST[self.path] = self
        return self

    @property
    def chain(self) -> str:
        """What the next entry is chained to."""
        return self.entries[-1].chain if self.entries else self.header.chain

    def extend(self, act: ClubAct, at: str) -> ClubLog:
        """The log with one more entry, of this moment or, if that is earlier, of the last entry's.
        Raises NotNow if it cannot stand there, Problem if it cannot be read back."""
        at = max(at, self.club.at)
        if wrong := objection(act, self.club, at):
            raise NotNow("{objection}", objection=wrong[0])
        entry = {"entry": act.word, **plain(act), "at": at}
        text, item = lengthened(self.text, self.path, self.chain, entry)
        read = _Reader(text, self.path).entry(item, len(self.entries), self.club, self.chain)
        club = after(self.club, read)
        return ClubLog(self.path, text, self.header, (*self.entries, read), club)


_LATEST: Final[dict[str, ClubLog]] = {}


class _Reader(ChainReader):
    """A club's log on its way in. All raise Problem."""

    def log(self) -> tuple[ClubHeader, tuple[Entered, ...]]:
        data = yamlio.parse(self.text, self.path)
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            self.refuse("not the log of a club; expected 'format: {format}'", format=FORMAT)
        self.fields(data, _HEADER)
        self.require_log_last(data)
        self.require_margin(data)
        header = ClubHeader(data["club"], data["created"], data["commit"])
        club, chain, found = begun(header), header.chain, list[Entered]()
        for index, item in enumerate(data["log"] or ()):
            entry = self.entry(item, index, club, chain)
            club, chain = after(club, entry), entry.chain
            found.append(entry)
        return header, tuple(found)

    def entry(self, item: Any, index: int, club: Club, previous: str) -> Entered:
        where = ("log", index)
        kind = ACTS.get(str(item.get("entry"))) if isinstance(item, dict) else None
        if kind is None:
            kinds = ", ".join(ACTS)
            self.refuse("not an entry; expected 'entry:' and one of {kinds}", *where, kinds=kinds)
        fields = {slot.name: slot.of for slot in slots(kind)}
        known = {"entry": TEXT, **fields, "at": TIME, "chain": HASH}
        self.fields(item, known, *where, optional=kind.optional)
        entry = Entered(made(kind, item), item["at"], item["chain"])
        if wrong := objection(entry.act, club, entry.at):
            self.refuse("{objection}", *where, wrong[1], objection=wrong[0])
        self.require_chain(item, index, previous, f"entry {index + 1}")
        return entry


def begun(header: ClubHeader) -> Club:
    """The club before its first entry."""
    return Club(header.club, header.commit, header.created)


def after(club: Club, entry: Entered) -> Club:
    """The club after one more entry, which was checked before."""
    changed = entry.act.step(club, entry.at)
    return changed._replace(at=entry.at, entries=club.entries + 1)


def folded(header: ClubHeader, entries: tuple[Entered, ...]) -> Club:
    """What entries add up to that were checked before."""
    club = begun(header)
    for entry in entries:
        club = after(club, entry)
    return club


def _checked(text: str, path: str) -> tuple[list[str], list[list[Any]]]:
    """The header and the entries, if the log is whole. Raises Problem."""
    reader = _Reader(text, path)
    try:
        header, entries = reader.log()
    except Problem as problem:
        cut = reader.cut_short(problem)
        if cut is problem:
            raise
        raise cut from problem
    return [*header], [[e.act.word, plain(e.act), e.at, e.chain] for e in entries]


def log_path(folder: str) -> str:
    """Where the club's log lies among its matches."""
    return os.path.join(folder, CLUB)
