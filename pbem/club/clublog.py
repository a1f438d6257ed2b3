"""The log of a club: public, chained, only ever added to, as that of a match is."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from pbem.club.acts import CLUB_ACTS, ClubAct, OfferMade, Unfit, after, made, plain
from pbem.club.event import Handle
from pbem.club.event_acts import EVENT_ACTS
from pbem.club.fold import Club, Offer
from pbem.core import Domain, slots
from pbem.files import cache, yamlio
from pbem.log import seal
from pbem.log.chained import ChainReader, lengthened
from pbem.log.entries import Plain, hashed
from pbem.log.ruling import HASH, TEXT, TIME, matching, misfit
from pbem.matches.index import CLUB
from pbem.problem import NotNow, Problem, Usage

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
_PART: Final = 200
"""So many entries are checked, and kept in the cache, together."""
_ANOTHER: Final = re.compile(r"^(?:---|\.\.\.)", re.M)
"""What ends a document, so that a part might pass for a whole one."""
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
    """A log, the text it was read from, and what it adds up to; what the first so many entries of
    it added up to once is not worked out again."""

    path: str
    text: str
    header: ClubHeader
    entries: tuple[Entered, ...]
    club: Club
    once: tuple[int, Club] = 0, Club("", "", "")

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
        """The log a text holds. Raises Problem; parts found whole before are not checked again."""
        head, found, rest = text.partition("\nlog:\n")
        try:
            if found and rest[:2] in ("", "- ") and not _ANOTHER.search(rest):
                header, _ = _Reader(f"{head}{found}", path).log()
                return ClubLog(path, text, header, *_in_parts(rest, _Reader(text, path), header))
        except (Problem, Unfit):
            pass  # what is wrong, and where, is found out in the whole
        return _whole(_Reader(text, path))

    def remembered(self) -> ClubLog:
        """The log, which is not read anew in this process as long as its file holds just this."""
        _LATEST.clear()
        _LATEST[self.path] = self
        return self

    def still_sought(self, handle: Handle, number: int = 0) -> Offer | None:
        """The question about an empty seat that somebody was asked last, or under this number, if
        they may have left it unanswered and somebody is still sought for that seat."""
        asked = (each.act for each in reversed(self.entries) if isinstance(each.act, OfferMade))
        theirs = (each for each in asked if each.to == handle and number in (0, each.offer))
        last = next(theirs, None)
        if last is None or (last.match, last.seat) not in self.club.vacancies:
            return None
        return last.made(self.club.at)

    def gone_through(self) -> ClubLog:
        """The log in this process, where nobody asks for the steps up to here once more."""
        return self._replace(once=(len(self.entries), self.club)).remembered()

    def steps(self, first: int = 0) -> Iterator[tuple[Club, Entered, Club]]:
        """The entries from one on, each between the club before it and the club after it."""
        start, club = self.once if 0 < self.once[0] <= first else (0, _begun(self.header))
        for nth, entry in enumerate(self.entries[start:], start):
            before, club = club, after(entry.act, club, entry.at)
            if nth >= first:
                yield before, entry, club

    @property
    def chain(self) -> str:
        """What the next entry is chained to."""
        return self.entries[-1].chain if self.entries else self.header.chain

    def extend(self, act: ClubAct, at: str) -> ClubLog:
        """The log with one more entry, of this moment or, if that is earlier, of the last entry's.
        Raises Usage if a value of it does not fit, NotNow if it cannot stand there, Problem if it
        cannot be read back."""
        at = max(at, self.club.at)
        if misfits := misfit(plain(act), _fields(type(act)), act.optional):
            raise Usage("{objection}", objection=misfits[0])
        try:
            after(act, self.club, at)
        except Unfit as wrong:
            raise NotNow("{objection}", objection=wrong.sentence) from None
        entry = {"entry": act.word, **plain(act), "at": at}
        text, item = lengthened(self.text, self.path, self.chain, entry)
        read, club = _Reader(text, self.path).entry(item, len(self.entries), self.club, self.chain)
        return self._replace(text=text, entries=(*self.entries, read), club=club)


_LATEST: Final[dict[str, ClubLog]] = {}


class _Reader(ChainReader):
    """A club's log on its way in. All raise Problem."""

    def log(self) -> tuple[ClubHeader, list[Any]]:
        """The header, and what is to be the entries."""
        data = yamlio.parse(self.text, self.path)
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            self.refuse("not the log of a club; expected 'format: {format}'", format=FORMAT)
        self.fields(data, _HEADER)
        self.require_log_last(data)
        self.require_margin(data)
        return ClubHeader(data["club"], data["created"], data["commit"]), data["log"] or []

    def entries(
        self, items: Iterable[Any], index: int, club: Club, previous: str
    ) -> Iterator[tuple[Entered, Club]]:
        """The entries from this index on, which follow on these, each with the club after it."""
        for nth, item in enumerate(items, index):
            entry, club = self.entry(item, nth, club, previous)
            previous = entry.chain
            yield entry, club

    def entry(self, item: Any, index: int, club: Club, previous: str) -> tuple[Entered, Club]:
        """An entry that follows on others, and the club after it."""
        where = ("log", index)
        kind = ACTS.get(str(item.get("entry"))) if isinstance(item, dict) else None
        if kind is None:
            kinds = ", ".join(ACTS)
            self.refuse("not an entry; expected 'entry:' and one of {kinds}", *where, kinds=kinds)
        known = {"entry": TEXT, **_fields(kind), "at": TIME, "chain": HASH}
        self.fields(item, known, *where, optional=kind.optional)
        entry = Entered(made(kind, item), item["at"], item["chain"])
        try:
            club = after(entry.act, club, entry.at)
        except Unfit as wrong:
            self.refuse("{objection}", *where, wrong.key, objection=wrong.sentence)
        self.require_chain(item, index, previous, f"entry {index + 1}")
        return entry, club


def _fields(kind: type[ClubAct]) -> dict[str, Domain]:
    return {slot.name: slot.of for slot in slots(kind)}


def _begun(header: ClubHeader) -> Club:
    """The club before its first entry."""
    return Club(header.club, header.commit, header.created)


def _in_parts(rest: str, reader: _Reader, header: ClubHeader) -> tuple[tuple[Entered, ...], Club]:
    """The entries of a log, and what they add up to; only parts that the cache does not have are
    checked. Raises Problem."""
    club, previous, found = _begun(header), header.chain, list[Entered]()
    items = [f"- {each}" for each in f"\n{rest}".split("\n- ")[1:]]
    for first in range(0, len(items), _PART):
        part = "\n".join(items[first : first + _PART])

        def checked(part: str = part, club: Club = club, previous: str = previous) -> list[Any]:
            plain_items = yamlio.parse(part, reader.path)
            entries = reader.entries(plain_items, len(found), club, previous)
            return [[e.act.word, plain(e.act), e.at, e.chain] for e, _ in entries]

        known: list[list[Any]] = cache.cached("club", f"{previous}\n{part}", checked)
        for word, data, at, chain in known:
            found.append(Entered(made(ACTS[word], data), at, chain))
            club, previous = after(found[-1].act, club, at), chain
    return tuple(found), club


def _whole(reader: _Reader) -> ClubLog:
    """A log, checked from its beginning. Raises Problem."""
    try:
        header, items = reader.log()
        found = [*reader.entries(items, 0, _begun(header), header.chain)]
    except Problem as problem:
        cut = reader.cut_short(problem)
        if cut is problem:
            raise
        raise cut from problem
    club = found[-1][1] if found else _begun(header)
    return ClubLog(reader.path, reader.text, header, tuple(entry for entry, _ in found), club)


def log_path(folder: str) -> str:
    """Where the club's log lies among its matches."""
    return os.path.join(folder, CLUB)
