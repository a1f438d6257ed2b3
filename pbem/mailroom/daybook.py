"""The daybook of a folder of matches: what the desk has done, and who knows it.

It is private, and holds facts, one line of JSON each; what they add up to is folded from them, as a
match is from its log. Only `tidy` and `forget` drop any. What is about to be done is noted first,
so that a run killed in between does the same thing again, and only once.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cache
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Self, get_args, get_type_hints

from pbem.core import Seat
from pbem.desk.address import Address
from pbem.desk.file import LOG_SUFFIX, Desk
from pbem.files import store
from pbem.files.ledger import Ledger
from pbem.log.format import Log
from pbem.log.match import Replay
from pbem.mailroom import earlier
from pbem.matches.index import FOLDER, match_name
from pbem.problem import BadFile

FILE: Final = "daybook.jsonl"
FORUM: Final = "forum"
"""The door by which a post came that the moderator handed in."""
NOTHING: Final = -1
"""The number of entries known to somebody who has not even seen the opening post."""

BOUNCE: Final = "bounce"
"""`Verdict.BOUNCE`, whose module is slow to load: the `sender` is then the address that fails,
or "" if nobody knows which."""

UNHEEDED: Final = frozenset(
    "refused stale overtaken sender unclear unreadable failed passed-on".split()
)
"""The verdicts on mails that change nothing though their writers wanted something."""
_ACCEPTED: Final = "accepted"

WEBHOOK: Final = "webhook "
"""The beginning of the keys that note what a webhook was told, and that it fails."""

HOUSE: Final = Address("")
"""Stands in the place of a person if a value is the house's own."""
OUT, HUSHED, HEEDED, BOX = "out ", "hushed ", "heeded ", "outbox "
"""The beginnings of the names of some values: see Keeps."""

_SLACK: Final = 2_000
"""At least this many facts have been overtaken before the daybook is written anew."""
_MARKS: Final = 16
"""How many marks of a match are kept then: the newest ones."""
_YEARS: Final = 2
"""For how many years the daybook keeps what has been said: no turn lasts longer."""
_DIGITS: Final = 8


# ------------------------------------------------------------------------------- the facts


class Opened(NamedTuple):
    """A mail is about to be read, known by an id of all its bytes. If the daybook says no more of
    it, that run did not survive it: the book is `locked` until the mail has come, or waits."""

    mail: str


class Came(NamedTuple):
    """A mail came and was dealt with.

    `mail` is its id, `at` when it was read, `arrived` when it came, `digest` an id of all its bytes
    if that is another, `sent` when it was sent (in seconds), `letters` the names of the letters
    written in answer, `refusal` whether it was answered although it changed nothing, `settled`
    whether it is known who wrote it, as surely as the match requires, `why` a sentence for the
    moderator, `answered_by` the name of the question that decided. One that came by another `door`
    is a forum's post that was handed in; its `sender` is an account there.
    """

    mail: str
    at: str
    verdict: str
    digest: str = ""
    sender: str = ""
    match: str = ""
    seat: Seat = ""
    ply: int = 0
    sent: float = 0.0
    letters: tuple[str, ...] = ()
    refusal: bool = False
    settled: bool = False
    why: str = ""
    answered_by: str = ""
    arrived: str = ""
    door: str = ""


def veil(match: str, seat: Seat) -> str:
    """A seat of a match, disguised: nobody is to read in the daybook whose plans came in."""
    return hashlib.sha256(f"{match} {seat}".encode()).hexdigest()[:16] if seat else ""


class Planned(NamedTuple):
    """A letter is about to be written: its name, whom it is to, which entries of the match it tells
    (those after the first `since`, up to the `end`th, with the mark of the last), and what else it
    says, by `keys`. One without a name is never written: it says what its reader knows."""

    letter: str
    to: Address
    match: str = ""
    since: int = 0
    end: int = 0
    mark: str = ""
    keys: tuple[str, ...] = ()
    came: int = NOTHING
    """How many mails had come, if its reader wants no more letters after it until they write; else
    NOTHING."""


class Wrote(NamedTuple):
    """Letters were written; whoever sends them may have taken them away since."""

    match: str
    letters: tuple[str, ...]


class Settled(NamedTuple):
    """Everybody knows this many entries of a match: all there were when its log had this stamp.
    `marks` are its marks, by number of entries; those noted before still count. `copy` is how often
    its log was replaced by another copy, and `replaced` whether everybody still has to be told of
    the last one."""

    match: str
    entries: int
    stamp: int
    marks: Mapping[int, str] = MappingProxyType({})
    copy: int = 0
    replaced: bool = False


class Said(NamedTuple):
    """This has been said, or need not be: reminders, questions to the moderator, ticks."""

    keys: tuple[str, ...]


class Ran(NamedTuple):
    """The clock was kept up to a moment; `mailbox` says whether any run has ever read one."""

    upto: str
    mailbox: bool


class Waits(NamedTuple):
    """What is in the way of a mail, a match's news or a webhook; `why` is "" if nothing is."""

    what: str
    match: str = ""
    why: str = ""


class Queued(NamedTuple):
    """The moderator wants a letter sent, once: its name, when they said so, to whom, what it says.
    `subject` is "" for an announcement to all; `answers` and `references` are the ids of the mail
    it answers and of its thread."""

    letter: str
    at: str
    to: Address
    subject: str
    text: str
    answers: str = ""
    references: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The key of what has been said once the letter is sent."""
        return f"{self.letter}-{self.at[:10]}"


class Keeps(NamedTuple):
    """A value that counts until another is noted: whose it is ("" for the house), its name, and
    what it is.

    A person's: what they have set; OUT and a mark: when the letter that tells a notice went out, by
    the mark of the log it tells; HUSHED and a match: how many mails had come when they were sent a
    letter about it, after which they want no more until they write; HEEDED and a match, or "" for
    several: when the moderator last dealt with what they wrote. The house's: BOX and a folder:
    a run put its letters there, where copies may lie (see `placed`).
    """

    to: Address
    what: str
    value: str | int = ""


Fact = Opened | Came | Planned | Wrote | Settled | Said | Ran | Waits | Queued | Keeps
_FACTS: Final[Mapping[str, type[Fact]]] = {kind.__name__.lower(): kind for kind in get_args(Fact)}


def mark(log: Log, entries: int) -> str:
    """What a log is known by when it has this many entries; "" if it has fewer."""
    if not 0 <= entries <= len(log.entries):
        return ""
    chain = log.entries[entries - 1].chain if entries else log.header.chain
    return chain.removeprefix("sha256:")[:_DIGITS]


# ------------------------------------------------------------------------- what they add up to


@dataclass(slots=True)
class Page:
    """What is known about a match: what everybody knows, the newest letter planned for each person
    since then, and the letters that were written."""

    known: Settled
    planned: dict[Address, Planned] = field(default_factory=dict)
    written: set[str] = field(default_factory=set)

    @property
    def marks(self) -> dict[int, str]:
        """The marks the match had, by number of entries."""
        return {
            **self.known.marks,
            **{plan.end: plan.mark for plan in self.planned.values() if plan.mark},
        }


class Book:
    """What facts add up to, in memory only. `kept` says whether there is a letter of this name,
    whoever wrote it."""

    def __init__(self, kept: Callable[[str], bool] = lambda _: False) -> None:
        self.kept = kept
        self.came = 0
        self.facts = 0
        self.mails: set[str] = set()
        self.opened: Counter[str] = Counter()
        """How often each mail was opened of which the daybook says no more."""
        self.letters: set[str] = set()
        self.pages: dict[str, Page] = {}
        self.values: dict[Address, dict[str, Any]] = {}
        """What each person has set, and all else that is kept about them; under "", the house's."""
        self._wrote_in: dict[tuple[str, str], int] = {}
        self.waiting: dict[str, Waits] = {}
        self.queued: dict[str, Queued] = {}
        """What the moderator wants sent, by its key."""
        self.last, self.mailbox = "", False
        self.bounced: dict[str, str] = {}
        """When each address was last found unable to receive mails."""
        self._newest: dict[tuple[str, Seat], float] = {}
        self._unheeded: dict[tuple[str, str], list[tuple[str, str]]] = {}
        """The mails of somebody about a match since an order of theirs was accepted there, of which
        nothing came: their ids, and when they came."""
        self._refusals: Counter[tuple[str, str, str]] = Counter()
        self._said: set[str] = set()
        self._in_letter: dict[str, str] = {}
        self._marked: dict[str, str] = {}
        """Which match had which mark."""

    def locked(self) -> AbstractContextManager[Self]:
        """Inside, nobody else notes anything, and what others have noted is known."""
        return nullcontext(self)

    def add(self, fact: Fact) -> None:
        """Note one more fact; call it `locked`. Raises Problem."""
        self.take(fact)

    def note(self, fact: Fact) -> None:
        """Lock the daybook, and note one more fact. Raises Problem."""
        with self.locked():
            self.add(fact)

    def take(self, fact: Fact) -> None:
        self.facts += 1
        match fact:
            case Settled():  # the most there are of any kind
                self._take_settled(fact)
            case Opened(mail):
                self.opened[mail] += 1
            case Came():
                self._take_mail(fact)
            case Planned():
                self._take_planned(fact)
            case Wrote(name, letters):
                if page := self.pages.get(name):
                    page.written.update(letters)
            case Said(keys):
                self._said.update(keys)
                self.queued = {key: each for key, each in self.queued.items() if key not in keys}
            case Queued() if not self.said(fact.key):
                self.queued[fact.key] = fact
            case Ran(upto, mailbox):
                self.last, self.mailbox = upto, mailbox
            case Waits():
                self._take_waits(fact)
            case Keeps():
                self._keep(fact)

    def _keep(self, fact: Keeps) -> None:
        self.values.setdefault(fact.to, {})[fact.what] = fact.value

    def _take_settled(self, fact: Settled) -> None:
        self._marked.update(dict.fromkeys(fact.marks.values(), fact.match))
        if before := self.pages.get(fact.match):
            kept = {n: mark for n, mark in before.marks.items() if n <= fact.entries}
            fact = fact._replace(marks={**kept, **fact.marks})
        self.pages[fact.match] = Page(fact)

    def _take_planned(self, fact: Planned) -> None:
        self._in_letter.update(dict.fromkeys(fact.keys, fact.letter))
        if fact.came != NOTHING:
            self._keep(Keeps(fact.to, f"{HUSHED}{fact.match}", fact.came))
        if page := self.pages.get(fact.match):
            page.planned[fact.to] = fact
            self._marked[fact.mark] = fact.match

    def _take_waits(self, fact: Waits) -> None:
        self.opened.pop(fact.what, None)
        self.waiting.pop(fact.what, None)
        if fact.why:
            self.waiting[fact.what] = fact

    def _take_mail(self, came: Came) -> None:
        self.came += 1
        for each in filter(None, (came.mail, came.digest)):
            self.mails.add(each)
            self.opened.pop(each, None)
        self.letters.update(came.letters)
        if came.settled:
            self._wrote_in[came.match, came.sender] = self.came
        if came.seat:
            place = came.match, came.seat
            self._newest[place] = max(self._newest.get(place, 0.0), came.sent)
        place = came.match, came.sender
        if came.verdict == _ACCEPTED:
            self._unheeded.pop(place, None)
            self._unheeded.pop(("", came.sender), None)
        elif came.verdict in UNHEEDED and (came.settled or came.verdict == "failed"):
            self._unheeded.setdefault(place, []).append((came.mail, came.at))
        if came.verdict == BOUNCE:
            self.bounced[came.sender] = came.at
        if came.refusal:
            self._refusals[_quota(came.match, came.sender, came.settled, came.at)] += 1

    def of(self, person: Address = HOUSE) -> Mapping[str, Any]:
        """What is kept about a person, or about the house."""
        return self.values.get(person, {})

    # --------------------------------------------------------------------------- of mails

    def wrote_in(self, sender: str) -> list[str]:
        """The matches in which a mail of this address was known to be a player's."""
        return [match for match, who in self._wrote_in if match and who == sender]

    def newest(self, match: str, seat: Seat) -> float:
        """When the newest mail was sent that was judged as this seat's; 0.0 if none was."""
        places = (match, seat), ("", veil(match, seat))
        return max(self._newest.get(place, 0.0) for place in places)

    def refusals(self, match: str, sender: str, settled: bool, at: str) -> int:
        """How many mails that changed nothing were answered that day from the quota this mail falls
        under: a known writer has one in each match; all others share one, or every forged name
        would have its own."""
        return self._refusals[_quota(match, sender, settled, at)]

    def unheeded(self, match: str, senders: Iterable[str], since: str = "") -> tuple[str, ...]:
        """The mails about a match, or about several, that came from these addresses since a moment
        and since an order of theirs was last accepted, and of which nothing came."""
        mails = (self._unheeded.get((each, who), ()) for who in senders for each in {match, ""})
        return tuple(mail for some in mails for mail, at in some if at >= since)

    def heeded(self, match: str, senders: Iterable[str]) -> str:
        """When the moderator last dealt with what came from these addresses about a match, or about
        several; "" for never."""
        keys = [f"{HEEDED}{each}" for each in {match, ""}]
        values = (self.of(Address(who)) for who in senders)
        return max((str(value.get(key, "")) for value in values for key in keys), default="")

    # ------------------------------------------------------------------------- of letters

    def wrote(self, letter: str, match: str = "") -> bool:
        """Was a letter of this name written? One about a match counts even if it has been taken
        away since."""
        page = self.pages.get(match)
        return (
            letter in self.letters
            or (page is not None and letter in page.written)
            or self.kept(letter)
        )

    def said(self, key: str) -> bool:
        """Has this been said, or is it in a letter that was written?"""
        return key in self._said or (key in self._in_letter and self.wrote(self._in_letter[key]))

    def reached(self, to: Address, digits: str) -> str:
        """When the letter that tells a log with this mark went out to somebody; "" if that is not
        known, or if a mail to them has bounced since."""
        out = str(self.of(to).get(f"{OUT}{digits}", ""))
        return out if out > self.bounced.get(to, "") else ""

    def since(self, match: str, person: Address) -> int:
        """How many entries of a match a person has been told."""
        page = self.pages[match]
        plan = page.planned.get(person)
        if plan is None:
            return page.known.entries
        return plan.end if self.wrote(plan.letter, match) else plan.since

    def outboxes(self) -> list[str]:
        """The folders of all outboxes that letters were put into, as they were noted: see
        `placed`."""
        return [each.removeprefix(BOX) for each in self.of() if each.startswith(BOX)]

    def hushed(self, match: str, person: Address, theirs: Collection[Address]) -> bool:
        """Has a person had a letter about a match since they last wrote, from any of these
        addresses, about that match or about several?"""
        came: int = self.of(person).get(f"{HUSHED}{match}", NOTHING)
        wrote = (self._wrote_in.get((each, who), 0) for each in (match, "") for who in theirs)
        heard = came != NOTHING and not self.unwritten(match, person)
        return heard and came >= max(wrote, default=0)

    def unwritten(self, match: str, person: Address) -> bool:
        """Was a letter about a match planned for a person and, after a crash, never written?"""
        plan = self.pages[match].planned.get(person)
        return plan is not None and not self.wrote(plan.letter, match)

    # -------------------------------------------------------------------------- of matches

    def knows(self, match: str) -> bool:
        """Does the daybook know this match? If not, it is older, or its files were renamed."""
        return match in self.pages

    def renamed(self, match: str, log: Log, folder: str) -> Page | None:
        """What is known of a match under the name that its files had before; None if nothing is."""
        for count in range(len(log.entries), -1, -1):
            name = self._marked.get(mark(log, count), match)
            if not os.path.exists(os.path.join(folder, name + LOG_SUFFIX)) and name in self.pages:
                return self.pages[name]
        return None

    def has_news(self, match: str, stamp: int) -> bool:
        """May a log with this stamp hold something that somebody has not been told?"""
        page = self.pages.get(match)
        return (
            page is None
            or page.known.stamp != stamp
            or any(self.since(match, each) == NOTHING for each in page.planned)
        )

    def unaware(self, match: str, person: Address) -> bool:
        """Does this person still have to be told that another copy has replaced the log?"""
        page = self.pages[match]
        return page.known.replaced and (person not in page.planned or self.unwritten(match, person))

    def left_unnoted(self) -> Iterator[Fact]:
        """What a kill prevented from being noted: the letters that are there, and what they say.
        Once they are sent, they may be gone."""
        letters = self._in_letter.items()
        if keys := tuple(k for k, name in letters if k not in self._said and self.wrote(name)):
            yield Said(keys)
        for match, page in self.pages.items():
            planned = {plan.letter for plan in page.planned.values()} - page.written - self.letters
            if there := tuple(sorted(filter(self.kept, planned))):
                yield Wrote(match, there)

    def in_short(self, at: str) -> Iterator[Fact]:
        """All facts but mails that still count at a moment."""
        if self.last:
            yield Ran(self.last, self.mailbox)
        oldest = f"{int(at[:4]) - _YEARS}{at[4:10]}"
        yield Said(tuple(sorted(key for key in self._said if key[-10:] >= oldest)))
        yield from map(Opened, self.opened.elements())
        yield from self.waiting.values()
        yield from self.queued.values()
        for person, values in self.values.items():
            for what, value in values.items():
                if not what.startswith(OUT) or value >= oldest:
                    yield Keeps(person, what, value)
        for match, page in self.pages.items():
            kept = dict(sorted(page.known.marks.items())[-_MARKS:])
            yield page.known._replace(marks=kept)
            yield from page.planned.values()
            if page.written:
                yield Wrote(match, tuple(sorted(page.written)))


def _quota(match: str, sender: str, settled: bool, at: str) -> tuple[str, str, str]:
    return (match, sender, at[:10]) if settled else ("", "", at[:10])


# --------------------------------------------------------------------------------- on the disk


class Daybook(Book):
    """The daybook of a folder. Read and add to it while it is `locked`; all methods raise Problem
    where it cannot be read or written."""

    def __init__(self, folder: str, kept: Callable[[str], bool] = lambda _: False) -> None:
        super().__init__(kept)
        self.folder = folder
        self.path = os.path.join(folder, FOLDER, FILE)
        self._ledger = Ledger(self.path)

    def refresh(self) -> None:
        """Read what was added since the last time, by this process or another."""
        if not self.facts:
            earlier.take_over(os.path.dirname(self.path), self.path)
        anew, lines = self._ledger.read()
        if anew:
            Book.__init__(self, self.kept)
        for fact in read_all(lines, self.path):
            self.take(fact)

    @contextmanager
    def locked(self) -> Iterator[Self]:
        with store.lock(self.path):
            self.refresh()
            yield self

    def add(self, fact: Fact) -> None:
        line = plain(fact)
        self._ledger.add(line)
        self.take(fact)

    def note_trouble(self, waits: Waits) -> None:
        """Note what stands in the way of something, or that nothing does any more, unless that is
        noted already. A mail that was opened is survived."""
        known = self.waiting.get(waits.what)
        if waits.what in self.opened or (known != waits if waits.why else known):
            self.add(waits)

    def tidy(self, at: str) -> None:
        """Drop the facts that have been overtaken, if they are many. Mails keep their numbers."""
        spare = self.facts - self.came - _SLACK
        if spare <= 2 * len(self.pages) or spare <= 2 * len(short := list(self.in_short(at))):
            return
        mails = [plain(each) for each in facts(self.folder) if isinstance(each, Came)]
        self._ledger.write_anew([*mails, *map(plain, short)])

    def write_anew(self, lines: Iterable[dict[str, Any]], letters: Collection[str]) -> None:
        """Put these lines in the place of all. That these letters were written stays known: they
        are about to be removed."""
        plans = (plan for page in self.pages.values() for plan in page.planned.values())
        kept = [Wrote(each.match, (each.letter,)) for each in plans if each.letter in letters]
        self._ledger.write_anew([*lines, *map(plain, kept)])

    # ---------------------------------------------------------------- what all know of a match

    def adopt(self, match: str, log: Log, stamp: int = 0) -> bool:
        """Take up a match that the daybook does not know; may it have news? If its files were
        renamed, it goes on where it was, and may; any other is older than the daybook, and
        everybody counts as having been told all of it."""
        if not (page := self.renamed(match, log, self.folder)):
            self.all_know(match, len(log.entries), stamp, mark(log, len(log.entries)))
            return False
        self.add(page.known._replace(match=match, marks=page.marks))
        for plan in page.planned.values():
            self.add(plan._replace(match=match))
        if page.written:
            self.add(Wrote(match, tuple(sorted(page.written))))
        return True

    def detect_replacement(self, match: str, log: Log) -> None:
        """Look whether this log is the one the daybook is about. If it has been replaced by another
        copy, everybody counts as having been told what both have, as far as that is known."""
        page = self.pages[match]
        marks = page.marks
        known = [page.known.entries, *(self.since(match, person) for person in page.planned)]
        newest = max(marks, default=NOTHING)
        if len(log.entries) >= max(known) and mark(log, newest) == marks.get(newest, ""):
            return
        common = [count for count, each in marks.items() if mark(log, count) == each]
        # In a daybook older than marks there are none: nobody can say where the copies part.
        both = min(*known, max(common, default=0) if marks else len(log.entries))
        left = {both: mark(log, both)} if both in common else {}
        self.add(Settled(match, both, 0, left, page.known.copy + 1, True))

    def all_know(self, match: str, entries: int, stamp: int, digits: str = "") -> None:
        """Everybody has been told this many entries, all of a log with this stamp and mark. If that
        is NOTHING after something was told, it is another match of the same name."""
        page = self.pages.get(match)
        before = page.known if page else Settled(match, NOTHING, 0)
        copy = before.copy + (entries == NOTHING < before.entries)
        settled = Settled(match, entries, stamp, {entries: digits} if digits else {}, copy)
        if page != Page(settled._replace(marks={**before.marks, **settled.marks})):
            self.add(settled)

    def plan(self, letters: Iterable[Planned]) -> None:
        """Note letters that are about to be written. One that exists already tells what it told
        when it was written, whatever has happened since."""
        for each in letters:
            if not self.wrote(each.letter, each.match):
                self.add(each)


def plain(fact: Fact) -> dict[str, Any]:
    """A fact as its line holds it: values that are the default are left out."""
    usual = fact._field_defaults
    values = {
        name: value
        for name, value in fact._asdict().items()
        if name not in usual or value != usual[name]
    }
    return {"fact": type(fact).__name__.lower(), **values}


def _strings(value: Any, scrubbed: Callable[[str], str]) -> Any:
    """A plain value with each text in it replaced."""
    if isinstance(value, str):
        return scrubbed(value)
    if isinstance(value, dict):
        return {key: _strings(each, scrubbed) for key, each in value.items()}
    return tuple(_strings(e, scrubbed) for e in value) if isinstance(value, tuple) else value


def read_all(lines: Sequence[bytes], path: str) -> Iterator[Fact]:
    """The facts in lines; parsing all at once takes a third of the time. Raises BadFile."""
    try:
        values = json.loads(b"[%b]" % b",".join(lines))
    except ValueError:
        values = ()
    known = values if len(values) == len(lines) else (None for _ in lines)
    for line, each in zip(lines, known, strict=True):
        yield read(line, path, each)


def read(line: bytes, path: str, values: Any = None) -> Fact:
    """The fact in a line, or in the values it holds. Raises BadFile."""
    try:
        values = values or json.loads(line)
        if values["fact"] in _EARLIER:
            values = _EARLIER[values["fact"]](**values)
        shape = _shape(fact := values.pop("fact"))
        if "marks" in values:
            values["marks"] = {int(count): str(each) for count, each in values["marks"].items()}
        for name, value in values.items():
            if shape[name] is tuple:
                values[name] = tuple(value)
            elif not isinstance(value, shape[name]):
                raise TypeError(name)
        return _FACTS[fact](**values)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise BadFile(
            "{shown!r} is no line of a daybook; remove it",
            path,
            shown=line[:60].decode(errors="replace"),
        ) from error


@cache
def _shape(fact: str) -> Mapping[str, Any]:
    """The types that the values of a kind of fact must have, by the values' names."""
    alike = {Address: str, float: (int, float), tuple[str, ...]: tuple, Mapping[int, str]: dict}
    return {name: alike.get(hint, hint) for name, hint in get_type_hints(_FACTS[fact]).items()}


def laid_aside(number: int) -> str:
    """The key of what has been said once the moderator has a copy of the mail of this number."""
    return f"{number}-laid-aside"  # it ends in no date, so it counts for good


def _kept(what: str, value: Any = "", to: Address = HOUSE) -> dict[str, Any]:
    return {"fact": "keeps", "to": to, "what": what, "value": value}


_EARLIER: Final[Mapping[str, Callable[..., dict[str, Any]]]] = {
    "digested": lambda number, **_: {"fact": "said", "keys": map(laid_aside, range(1, number + 1))},
    "hushed": lambda match, to, came, **_: _kept(f"{HUSHED}{match}", came, to),
    "prefers": lambda to, setting, value, **_: _kept(setting, value, to),
    "stands": lambda what, message, **_: _kept(what, message),
    "wentout": lambda to, mark, at, **_: _kept(f"{OUT}{mark}", at, to),
    "wroteto": lambda outbox, **_: _kept(f"{BOX}{outbox}"),
}
"""The kinds of facts that earlier versions wrote, as they are written now."""


def facts(folder: str) -> Iterator[Fact]:
    """The facts in the daybook of a folder, the oldest first; nothing is made or written, and a
    line that is still being written is left out. Raises Problem."""
    own = os.path.join(folder, FOLDER)
    path = os.path.join(own, FILE)
    if os.path.exists(path):
        whole = store.read(path).rpartition(b"\n")[0]
    else:
        whole = b"\n".join(json.dumps(line).encode() for line in earlier.lines(own))
    yield from read_all(whole.split(b"\n") if whole else (), path)


def without(
    folder: str, scrubbed: Callable[[str], str], address: Address
) -> list[dict[str, Any]] | None:
    """The lines of a daybook without what is about this address alone, the others as `scrubbed`
    changes them; None if there is nothing to change. Raises Problem."""
    found, touched = list[dict[str, Any]](), False
    for fact in facts(folder):
        theirs = getattr(fact, "to", getattr(fact, "sender", "")).casefold() == address
        if not theirs or isinstance(fact, Came):
            own = fact._replace(sender="") if theirs and isinstance(fact, Came) else fact
            found.append(_strings(plain(own), scrubbed))
        touched |= theirs or found[-1] != plain(fact)
    return found if touched else None


def placed(folder: str, path: str) -> str:
    """A path as the daybook of a folder notes it: from the folder if it lies within, so that it
    moves and is copied with it; else as it is, and nobody goes there unasked."""
    if store.is_within(folder, path):
        return os.path.relpath(os.path.realpath(path), os.path.realpath(folder))
    return os.path.abspath(path)


def book_of(folder: str, kept: Callable[[str], bool] = lambda _: False) -> Book:
    """What the daybook of a folder adds up to now; nothing is made or written. Raises Problem."""
    book = Book(kept)
    for fact in facts(folder):
        book.take(fact)
    return book


def all_know_by_hand(match: Replay, desk: Desk, entries: int) -> Desk:
    """Note on the moderator's word that everybody in a match has been told this many entries, or
    `NOTHING`; gives the desk file, which says so. If the desk writes to nobody, or the daybook that
    knows the match is not here, nothing is noted. Raises Problem."""
    if not desk.writes_to_somebody:
        return desk
    file = match_name(match.log.path)
    with Daybook(os.path.dirname(match.log.path) or ".").locked() as book:
        if book.knows(file) or not desk.daybook:
            book.all_know(file, entries, 0, mark(match.log, entries))
    return replace(desk, daybook=True)


def tell_anew(log: str, before: Address, person: Address) -> None:
    """Have the next run tell somebody all there is in a match if the mails to the address that they
    had before are known not to arrive, or have not been written. Raises Problem."""
    folder, match = os.path.dirname(log) or ".", match_name(log)
    known = book_of(folder)
    if known.knows(match) and (before in known.bounced or known.since(match, before) == NOTHING):
        Daybook(folder).note(Planned("", person, match, NOTHING, NOTHING))


def queue(folder: str, letters: Iterable[Queued]) -> int:
    """Have the next run send letters from the moderator; gives how many of them are new: neither
    sent nor waiting before. Raises Problem."""
    with Daybook(folder).locked() as book:
        new = [each for each in letters if not (book.said(each.key) or each.key in book.queued)]
        for each in new:
            book.add(each)
    return len(new)
