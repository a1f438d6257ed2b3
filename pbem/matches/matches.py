"""The matches of a folder: which there are, whose they are, and each as it stands.

Each file is read and parsed once, and kept in memory until it changes. The index says which desk
files may hold an address; each of these is read before anything rests on it.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any, Final, NamedTuple

from pbem.core import Seat
from pbem.desk.address import Address
from pbem.desk.file import LOG_SUFFIX, SUFFIX, Desk, desk_path
from pbem.files import yamlio
from pbem.files.languages import ENGLISH
from pbem.log.format import Log
from pbem.log.match import Replay
from pbem.log.timetable import Timetable
from pbem.matches import status
from pbem.matches.index import FOLDER, Index, Look, match_name, stamp_of, state
from pbem.matches.status import HasWritten, IsStuck, Known, Overview, Summary
from pbem.problem import NoFile, Problem

MOST: Final = 64
"""How many matches are kept in memory; the least recently used goes first."""
FRESH: Final = 1_000_000_000
"""For how many nanoseconds a look at the folder stays good."""


class _File(NamedTuple):
    """A file as it was read: its state, its text, and what was parsed from that."""

    state: Sequence[int]
    text: str
    holds: Any


class Matches:
    """The matches of a folder, each by the path of its log. All methods raise Problem if a file
    they need cannot be read. Only if it is `indexed` is anything written."""

    def __init__(self, folder: str, *, indexed: bool = True) -> None:
        self.folder = folder
        self.index = Index(folder, os.path.join(folder, FOLDER) if indexed else None)
        self._logs: dict[str, _File] = {}
        self._desks: dict[str, _File] = {}
        self._imagined: dict[str, tuple[Replay, Desk]] = {}
        self._looked: Look | None = None
        self._names: dict[str, str] = {}
        self._players: dict[Address, list[str]] = {}
        self._problems: list[Problem] = []
        self._hooked: list[str] = []

    # -------------------------------------------------------------------------- one of them

    def read(self, path: str) -> tuple[Replay, Desk]:
        """A match as its moderator knows it, and its desk file, as they stand at this instant: for
        whoever holds its lock and is going to write."""
        return self._match(path, sure=True)

    def open(self, path: str) -> tuple[Replay, Desk]:
        """The same, from memory if the files have not changed since they were read."""
        return self._match(path, sure=False)

    def look(self, path: str) -> Replay:
        """The match alone, only to look at."""
        return self.open(path)[0]

    def keep(self, match: Replay) -> None:
        """Remember a match that has just been written; the next read checks that the file really
        holds it."""
        self.index.look_at(match_name(match.log.path), LOG_SUFFIX)
        if match.log.path in self._logs:
            holds = match._replace(shown=match.shown or {})
            self._logs[match.log.path] = _File((), match.log.text, holds)

    def imagine(self, match: Replay, desk: Desk) -> None:
        """From now on the match counts as it is given here, whatever its files say."""
        self._imagined[match.log.path] = match, desk

    def _match(self, path: str, *, sure: bool) -> tuple[Replay, Desk]:
        if path in self._imagined:
            return self._imagined[path]
        desk = self.desk(path, sure=sure)

        def parsed(text: str) -> Replay:
            return Replay.of(Log.parse(text, path), desk.keyring)._replace(shown={})

        match: Replay = _current(self._logs, path, path, parsed, sure=sure)
        if match.keyring.secret != desk.secret:
            del self._logs[path]
            match = _current(self._logs, path, path, parsed, sure=True)
        return match, desk

    def desk(self, path: str, *, sure: bool = False) -> Desk:
        """The desk file of a log, from memory if it has not changed and nobody must be `sure`."""
        private = desk_path(path)
        if not os.path.exists(private):
            return Desk.read(path)  # which says what cannot be done without it
        found: Desk = _current(
            self._desks, path, private, lambda text: Desk.parse(text, private), sure=sure
        )
        return found

    # --------------------------------------------------------------------------- all of them

    def log(self, match: str) -> str:
        return self.index.path(match, LOG_SUFFIX)

    def logs(self) -> dict[str, str]:
        """The logs in the folder, with the name of the match of each."""
        return {self.log(match): match for match in self.index.look().states[LOG_SUFFIX]}

    def _look_again(self) -> Look:
        """Look at the folder again, unless that has just been done."""
        seen = self.index.look().seen
        return self.index.look(anew=not 0 <= time.time_ns() - seen <= FRESH)

    def stamps(self) -> dict[str, int]:
        """The stamp of each log, by match; a link to nowhere has none."""
        found = self._look_again().states[LOG_SUFFIX]
        return {match: stamp_of(each) for match, each in found.items() if each}

    def timetables(self) -> dict[str, tuple[Timetable, tuple[Seat, ...]]]:
        """The timetables of those that have a clock and are not over, as anybody can work them out,
        each with the seats that are asked but that nobody holds."""
        self._look_again()
        found = self.index.facts(LOG_SUFFIX, self._times, about=".times")
        return {
            self.log(match): (Timetable.kept(facts[1]), tuple(facts[0]))
            for match, facts in found.items()
            if isinstance(facts, list)
        }

    def overview(
        self,
        unanswered: Mapping[str, int],
        undelivered: Mapping[str, int],
        stuck: IsStuck,
        has_written: HasWritten = lambda *_: "",
    ) -> Overview:
        """All of them at a glance; one that cannot be read is shown as a problem.

        `unanswered` counts the mails that need a person, `undelivered` the answers that could not
        be sent, by match; `stuck` and `has_written`: see Status.
        """
        summaries, known = self.index.facts(LOG_SUFFIX, self._summaries), self._known()
        counts, asks = (unanswered, undelivered), (stuck, has_written)
        found = tuple(
            status.status_of(path, summaries[match], known[path], *counts, *asks)
            for path, match in self.logs().items()
        )
        names = {each.name for each in found}
        astray, unsent = (
            sum(count for name, count in counts.items() if name not in names)
            for counts in (unanswered, undelivered)
        )
        return Overview(found, astray, unsent)

    def tables(self, name: str | None) -> list[Mapping[Seat, str]]:
        """Who plays which seat in the match of this name or, if there is none, in every match."""
        path = self.named(name) if name is not None else None
        kept = self._kept_summaries()
        asked = kept.values() if path is None else [kept.get(match_name(path))]
        return [each.players for each in asked if each]

    def languages(self) -> tuple[str, ...]:
        """The languages that these matches are posted in, the commonest first; English if there is
        no match."""
        summaries = self._kept_summaries().values()
        said = Counter(language for each in summaries for language in each.languages)
        return tuple(language for language, _ in said.most_common()) or (ENGLISH,)

    def _kept_summaries(self) -> dict[str, Summary]:
        """The summaries of all that can be read, by match, sorted."""
        found = self.index.facts(LOG_SUFFIX, self._summaries)
        return {name: Summary.kept(f) for name, f in sorted(found.items()) if isinstance(f, list)}

    def _summaries(self, paths: Sequence[str]) -> list[Any]:
        """What anybody can read in these logs, for the index."""
        kept = {path: self._kept(path) for path in paths}
        others = iter(status.find_out([path for path, match in kept.items() if match is None]))
        return [
            next(others) if match is None else status.facts_of(match.seen_by(None))
            for match in kept.values()
        ]

    def _times(self, paths: Sequence[str]) -> Iterator[Any]:
        """What the index keeps of the clocks in these logs: the vacant seats and the timetable;
        None for a match whose clock does not run."""
        timed = [path for path in paths if self._has_clock(path)]
        found = dict(zip(timed, self._summaries(timed), strict=True))
        for facts in map(found.get, paths):
            if isinstance(facts, list):
                facts = facts[-2:] if facts[-1] else None
            yield facts

    def _has_clock(self, path: str) -> bool:
        match = self._kept(path)
        return status.has_clock(path) if match is None else match.log.clock is not None

    def public(self, path: str) -> Replay:
        """A match as anybody can read it."""
        kept = self._kept(path)
        return Replay.read(path) if kept is None else kept.seen_by(None)

    def _kept(self, path: str) -> Replay | None:
        """A match from memory; None if it is not there, or its log has changed since."""
        kept = self._logs.get(path)
        return kept.holds if kept and kept.state == state(path) else None

    def _known(self) -> dict[str, Known | Problem]:
        """What the index knows about the desk file of each log, or why that cannot be read."""

        def find_out(paths: Sequence[str]) -> Iterable[Any]:
            return (look(path.removesuffix(SUFFIX) + LOG_SUFFIX) for path in paths)

        def look(log: str) -> Any:
            try:
                return Known.of(self.desk(log))
            except Problem as problem:
                return problem

        facts = self.index.facts(SUFFIX, find_out)
        found = ((path, facts.get(match) or look(path)) for path, match in self.logs().items())
        return {path: each if isinstance(each, Problem) else Known(*each) for path, each in found}

    # ------------------------------------------------------------------- whose, and which one

    def refresh(self, *, anew: bool = False) -> None:
        """Look at the folder again, unless that has just been done (if `anew`, in any case), and
        find out who plays where."""
        look = self.index.look(anew=True) if anew else self._look_again()
        if look is self._looked:
            return
        self._names, self._players, self._problems, self._hooked = {}, {}, [], []
        for path, known in self._known().items():
            if isinstance(known, Problem):
                self._problems.append(known)
                continue
            self._names.setdefault(known.match.casefold(), path)
            for address in set(chain.from_iterable(known.addresses.values())):
                self._players.setdefault(address, []).append(path)
            if known.webhooks:
                self._hooked.append(path)
        self._looked = look

    def named(self, name: str) -> str | None:
        """The log of the match of that name; None if there is none."""
        path = self._named(name)
        if path is None or not os.path.exists(path):
            self.refresh(anew=True)
            path = self._named(name)
        return path

    def _named(self, name: str) -> str | None:
        if name in self.index.look().states[LOG_SUFFIX]:
            return self.log(name)
        return self._names.get(name.casefold())

    def of(self, address: Address) -> dict[str, tuple[Seat, ...]]:
        """The matches this address plays in, as far as their desk files can be read, with its seats
        there."""
        found = self._of(address)
        if not found:
            self.refresh(anew=True)  # before anybody is taken for a stranger
            found = self._of(address)
        return found

    def with_webhooks(self) -> tuple[str, ...]:
        """The matches whose desk files name webhooks."""
        self.refresh()
        return tuple(self._hooked)

    def everybody(self) -> tuple[Address, ...]:
        """Where the players of all matches are written to: the first address of each seat."""
        self.refresh()
        for problem in self._problems:
            raise problem
        desks = map(self.desk, self.logs())
        return tuple(dict.fromkeys(chain.from_iterable(d.written_to.values() for d in desks)))

    def _of(self, address: Address) -> dict[str, tuple[Seat, ...]]:
        found = {}
        for path in self._players.get(address, ()):
            with suppress(Problem):
                found[path] = self.desk(path).seats_of(address)
        return {path: seats for path, seats in found.items() if seats}

    def meant(self, sender: Address, name: str | None) -> tuple[str, ...]:
        """The matches a mail may be for if it names this one: none if its sender is a stranger
        there. If it names none, those its sender plays in; finished ones count only if all are
        finished. Raises Problem if that depends on a desk file that cannot be read."""
        path = self.named(name) if name is not None else None
        if path is not None and self.desk(path).seats_of(sender):
            return (path,)
        # A player whose address stands in a file that cannot be read must not be taken for a
        # stranger.
        for problem in self._problems if path is None else ():
            raise NoFile(
                "{problem}; mails of unknown senders, and those that name no match, wait "
                "until it can be read",
                problem.path,
                problem=problem.sentence,
            )
        if name is not None:
            return ()
        theirs = tuple(self.of(sender))
        if len(theirs) > 1:
            return tuple(path for path in theirs if self._goes_on(path)) or theirs
        return theirs

    def _goes_on(self, path: str) -> bool:
        """Is the match still being played? One that cannot be read may be."""
        try:
            return self.look(path).outcome is None
        except Problem:
            return True


def _current(
    files: dict[str, _File], key: str, path: str, parse: Callable[[str], Any], *, sure: bool
) -> Any:
    """What a file holds now. It is read if it has changed, or if the caller must be `sure`; a text
    that was parsed before is not parsed again."""
    kept, current = files.pop(key, None), state(path)  # taken first: what follows may be newer
    if kept is None or sure or not current or kept.state != current:
        text = yamlio.read_text(path)
        holds = kept.holds if kept and kept.text == text else parse(text)
        kept = _File(current, text, holds)
    files[key] = kept
    while len(files) > MOST:
        del files[next(iter(files))]
    return kept.holds
