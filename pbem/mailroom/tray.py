"""The moderator's tray: the mails that lie aside, to be read, answered and put away.

A mail's number is its place among all mails that have come, so it stays the same whatever is put
away.
"""

from __future__ import annotations

import os
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from textwrap import shorten, wrap
from typing import Final, NamedTuple

from pbem import intake
from pbem.core import Seat
from pbem.desk.address import Address
from pbem.desk.answer import Answer, Verdict
from pbem.desk.authorship import Writer, claimed
from pbem.desk.current import outdated
from pbem.desk.file import LOG_SUFFIX, Desk, read_both
from pbem.desk.reading import Reading
from pbem.files import modes, store, timestamp
from pbem.intake import Submission, asking, clubbing, rawmail
from pbem.intake.courtesy import courtesy
from pbem.intake.text import decoded
from pbem.intake.verbs import RESIGN
from pbem.intake.words import tokens
from pbem.log.match import Replay
from pbem.log.ruling import ENDED
from pbem.log.rulings import Ruled, Substitute
from pbem.mailroom.daybook import (
    FILE,
    FORUM,
    HEEDED,
    UNHEEDED,
    WEBHOOK,
    Book,
    Came,
    Daybook,
    Keeps,
    Queued,
    facts,
)
from pbem.mailroom.granting import (
    GRIEF,
    MOVED,
    PACE,
    REOPEN,
    SUBSTITUTE,
    TIME,
    Occasion,
    called,
    fitting,
    noting,
    several,
    typed,
    wishes,
)
from pbem.mailroom.inbox import headers as outside
from pbem.mailroom.letterhead import keyed_name
from pbem.matches.index import FOLDER, club_of, match_name
from pbem.matches.matches import Matches
from pbem.meaning.pleas import without_things
from pbem.problem import BadFile, NoFile, Problem, Usage
from pbem.sentence import Sentence, printable, say

ASIDE: Final = "aside"
"""Where copies of the mails for a person lie, each with the reason beside it."""
KEPT: Final = "kept"
"""Where copies lie of mails that changed nothing and were answered: a person may read them."""
LACKS: Final = "Left-Out"
"""The header of a copy that says how many lines of the mail it lacks: they are for others only."""
MOVES: Final = "Names-Moves"
"""The header of a copy that was put aside for a person although moves could be read in it."""
SAYS: Final = "Says"
"""The header of a copy with what its writer says to a person, without what moves are made with."""
STOOD: Final = "Entries-Then"
"""The header of a copy that says how many entries the match had once the mail was dealt with."""
HEARD: Final = "Heard"
"""The header of a copy of a mail that a person may read though it may be an order: why it is there.
It is a PLEA to a person, a QUESTION about the rules with moves, the THIRD of one turn, what stands
BESIDE an order that waits for a yes and asks a person for nothing that we know, or only KEPT."""
PLEA, QUESTION, THIRD, BESIDE = "plea", "question", "third", "beside"
TO_READ: Final = (PLEA, QUESTION, BESIDE)
"""Those of which the list shows the words, but for what moves are made with."""
DONE: Final = "done"
"""Where mails that have been dealt with go."""
_FENCE: Final = ("[move", "[/mov")
"""How the lines of a fence begin: if the moves were left out, an empty fence remains."""
_LONGEST: Final = 120
"""How many characters of what a mail says are shown in the list."""
UNSURVIVED: Final = BadFile(
    "two runs of the desk ended while they worked on this mail (hung, killed or out of memory), "
    "so it was put aside unread"
)
"""Why a mail is put aside that no run survives. In its copy it is known by this sentence."""
_MACHINES: Final = (Verdict.AUTO, Verdict.AUTOMATIC, Verdict.BULK, Verdict.LIST)
TALK: Final = (
    *("", Verdict.PASSED_ON, Verdict.STRANGER, Verdict.ASKED, Verdict.SAID, Verdict.RESIGNED),
    *(Verdict.VACATED, Verdict.ABSENT, Verdict.PRESENT),
    *(Verdict.BOUNCE, Verdict.AWAY),
)
"""The verdicts on mails that hold something for a person. Any other mail may hold an order."""
TO_A_PERSON: Final = frozenset(
    (
        *(Verdict.PASSED_ON, Verdict.REFUSED, Verdict.STALE, Verdict.WRONG_SENDER),
        *(Verdict.UNCLEAR, Verdict.ASKED, Verdict.ACCEPTED),
    )
)
"""The verdicts on mails of players that lie aside because a person has to answer them; a wish to
resign does until it is confirmed."""
_CLUBS: Final = "for_the_club"
"""The question that answers mails to the club: they say nothing about a turn."""
NOT_PLAYED_FOR: Final = say("While it waits for them, no move is played for you.")
STILL_WAITS: Final = say(
    "{passed} {how}", passed=say("Your mail was passed on to the moderator."), how=NOT_PLAYED_FOR
)
"""What whoever wrote to a person is promised and, as long as their mail lies aside, told again with
a reminder or a notice."""
_NOBODYS: Final = (Verdict.BOUNCE, Verdict.UNREADABLE)
_OPEN: Final = (
    *(*TALK, Verdict.ACCEPTED, Verdict.WAITING, Verdict.WITHDRAWN),
    *(Verdict.UNPROVEN, Verdict.UNCLEAR, Verdict.OVERTAKEN, Verdict.FAILED, *_MACHINES),
)
"""The verdicts whose reason rests on nobody's hand, nor quotes what may be an order."""


class LaidAside(NamedTuple):
    """A mail that lies aside.

    `number` is its place among all mails that came, `name` is its file's without the ending,
    `verdict` what the desk made of it; `at`, `sender` and `match` may be "". It lies ASIDE for a
    person, or is only KEPT: see `place`. The question `answered_by` decided; by another `door`
    came a forum's post.
    """

    number: int
    folder: str
    name: str
    match: str
    verdict: str = ""
    at: str = ""
    sender: str = ""
    place: str = ASIDE
    answered_by: str = ""
    door: str = ""

    @property
    def path(self) -> str:
        return os.path.join(self.folder, self.place, f"{self.name}.eml")

    @property
    def why(self) -> str:
        """Why it lies there, for the moderator."""
        try:
            with open(self.path.removesuffix(".eml") + ".txt", "rb") as file:
                return file.read().decode("utf-8", "replace").strip()
        except OSError:
            return ""

    def read(self) -> bytes:
        return store.read(self.path)

    @property
    def message(self) -> Submission:
        """What it says; a post is known by who wrote it. Raises Problem."""
        found = intake.read(self.read(), "the mail", "mail")
        return found._replace(author=self.sender, author_told=True) if self.door else found

    @property
    def unsurvived(self) -> bool:
        """May it end whatever takes it apart, as it ended two runs?"""
        return self.verdict == Verdict.FAILED and self.why == str(UNSURVIVED)

    @property
    def may_be_order(self) -> bool:
        """May it hold an order, which a moderator who plays must not see in passing? Not if it was
        mere talk or a plea, unless it has a fence, or is a stranger's and names a position; nor if
        it is a copy from which the moves were left out. One that failed is not opened again."""
        if self.verdict == Verdict.FAILED:
            return True
        talk = self.verdict in TALK or self._heard in TO_READ
        try:
            said = self.message
        except Problem:
            return not talk
        head = said.mail.first if said.mail else lambda _: None
        if head(MOVES):
            return True
        if not said.orders and head(LACKS):
            return False
        return (
            not talk or said.fenced or (self.verdict == Verdict.STRANGER and bool(said.positions))
        )

    @property
    def about(self) -> str:
        """The match that it is about, or a stranger's names, if there is one; else "". Raises
        Problem."""
        named = self.message.match if self.verdict == Verdict.STRANGER and not self.match else ""
        path = Matches(os.path.dirname(self.folder)).named(named) if named else None
        return match_name(path) if path else self.match

    @property
    def table(self) -> Replay:
        """The match that it is about. Raises Problem."""
        matches = Matches(os.path.dirname(self.folder))
        return matches.look(matches.log(self.about))

    def when(self, match: Replay, seat: Seat, log: str = "") -> Occasion:
        """The mail in a match that it is about, as that stood then. Raises Problem."""
        entries = match.log.entries
        noted = (rawmail.read(self.read()).first(STOOD) or "")[:9]
        stood = int(noted) if noted.isdecimal() else sum(each.at <= self.at for each in entries)
        today = match.log.moment(timestamp.now())[:10]
        return Occasion.of(match, seat, log, self.at, today, min(stood, len(entries)))

    @property
    def granted(self) -> frozenset[str]:
        """The rulings since it came that give its sender what people ask for."""
        try:
            match, seats = self.table, claimed(self.message, Desk.read(self.table.log.path))
            said = " ".join(line.text for line in (*self.message.orders, *self.message.outside))
            return frozenset().union(*(self.when(match, seat).granted(said) for seat in seats))
        except Problem:
            return frozenset()

    @property
    def is_settled(self) -> bool:
        """Was what it asks for granted, or has its writer joined since? One that failed is not
        opened again."""
        return self.has_joined or (self.verdict != Verdict.FAILED and self.granted != frozenset())

    @property
    def holds_up_silence(self) -> bool:
        """Does it show that its writer is not silent? Not if it is about the club."""
        kinds = TO_A_PERSON | UNHEEDED
        return bool(self.sender) and self.verdict in kinds and self.answered_by != _CLUBS

    @property
    def has_joined(self) -> bool:
        """Is its writer, who was a stranger, known here by now, and made that depend on nothing?"""
        folder = os.path.dirname(self.folder)
        if self.verdict != Verdict.STRANGER:
            return False
        with suppress(Problem):  # it cannot be read
            if clubbing.conditions(self.message):
                return False
            if about := self.about:
                return about in map(match_name, Matches(folder).of(Address(self.sender)))
        return bool(Matches(folder).of(Address(self.sender)) or _member(folder, self.sender))

    @property
    def reason(self) -> str:
        """Why it lies there, for the moderator even if they play; "" if that may rest on a hand."""
        heard = self._heard not in ("", KEPT)
        return self.why if self.verdict in _OPEN or heard or not self.may_be_order else ""

    @property
    def _heard(self) -> str:
        """How it is heard though it was turned away; "" for any other."""
        try:
            return rawmail.read(self.read()).first(HEARD) or ""
        except Problem:
            return ""

    @property
    def says(self) -> str:
        """What it says besides greetings, on one line, or its subject; of what may be an order only
        what it says to a person: a moderator who plays may be reading this."""
        try:
            raw = self.read()
            if told := rawmail.read(raw).first(SAYS):
                return told
            if self.may_be_order and not (self.verdict == Verdict.STRANGER and self.about):
                return _DOTS
            lines = [line.strip() for line in intake.fresh(raw, "the mail")[0]]
            some = [line for line in lines if line and line[:5] not in _FENCE]
            said = " ".join([line for line in some if not courtesy(line)] or some)
            return self.masked(said or decoded(outside.read(rawmail.read(raw)).subject)) or _DOTS
        except Problem:
            return _DOTS

    @property
    def first_line(self) -> str:
        """The same for a list, which has little room."""
        return shorten(self.says, _LONGEST, placeholder=_DOTS)

    def masked(self, text: str) -> str:
        """A line of it without what moves are made with in the match it is about, and in those its
        sender plays: they may have written to the wrong one. Raises Problem."""
        matches = Matches(os.path.dirname(self.folder))
        paths = {*matches.of(Address(self.sender))}
        with suppress(Problem):  # an empty mail names none
            paths |= {matches.log(self.about)} if self.about else set()
        for path in paths:
            text = without_things(matches.look(path), text)
        return text


def entries(matches: str, mails: Iterable[Came] = (), place: str = ASIDE) -> list[LaidAside]:
    """The mails that lie aside in this folder, or are KEPT, the newest last; `mails` are all that
    came, if the daybook has been read already. Raises Problem."""
    folder = os.path.join(matches, FOLDER)
    listed = _listed(os.path.join(folder, place))
    names = [n.removesuffix(".eml") for n in listed if n.endswith(".eml")]
    if not names:
        return []
    came = list(mails or _mails(matches))
    known = {each.mail: (nth, each) for nth, each in enumerate(came, 1)}
    found = []
    for nth, name in enumerate(sorted(names), 1):
        match, _, mail = name.rpartition(".")
        # One that is not known was put there by hand, or its daybook is gone.
        number, noted = known.get(mail, (len(came) + nth, Came(mail, at="", verdict="")))
        came_of_it = noted.verdict, noted.arrived or noted.at, noted.sender
        by = noted.answered_by, noted.door
        laid = LaidAside(number, folder, name, match, *came_of_it, place, *by)
        found.append(laid)
    return sorted(found)


def unclear(matches: str) -> frozenset[tuple[str, str]]:
    """The match and the sender, one of which may be "", of each mail that lies aside because it
    does not show whether a player is silent: one that seems to be a machine's, an absence notice,
    or one that names nobody, such as a bounce that does not say whose it is. Raises Problem."""
    return frozenset(
        (each.match, each.sender)
        for each in entries(matches)
        if each.verdict in (*_MACHINES, Verdict.AWAY)
        or (each.verdict in _NOBODYS and not each.sender)
    )


def writers(matches: str) -> dict[tuple[str, str], list[int]]:
    """Whose mails to a person still lie aside, but for those that were granted, or are about the
    club: their numbers, by the match ("" for several) and the sender. Raises Problem."""
    found: dict[tuple[str, str], list[int]] = {}
    for each in entries(matches):
        if each.verdict in TO_A_PERSON and each.answered_by != _CLUBS and not each.granted:
            found.setdefault((each.match, each.sender), []).append(each.number)
    return found


def dealt_with(matches: str) -> frozenset[str]:
    """The ids of the mails that were put away, and of those that are settled. Raises Problem."""
    done = (name.removesuffix(".eml") for name in _listed(os.path.join(matches, FOLDER, DONE)))
    settled = (each.name for each in entries(matches) if each.is_settled)
    return frozenset(name.rpartition(".")[2] for name in (*done, *settled))


def unheeded(matches: str) -> list[list[LaidAside]]:
    """The mails that changed nothing and are only kept, those of one sender about a match together;
    of these, and of the groups, the newest first. Raises Problem."""
    found: dict[tuple[str, str], list[LaidAside]] = {}
    for each in reversed(entries(matches, place=KEPT)):
        found.setdefault((each.match, each.sender), []).append(each)
    return [*found.values()]


def kept(mails: Sequence[LaidAside]) -> Sentence:
    """One quiet line for all of these."""
    return say(_KEPT, n=len(mails), numbers=[each.number for each in mails])


def entry(matches: str, number: int, *, done: bool = False) -> LaidAside:
    """The mail of that number, though it be DONE with. Raises Usage where none lies there."""
    found = sorted([*entries(matches), *entries(matches, place=KEPT)])
    for each in found + (entries(matches, place=DONE) if done else []):
        if each.number == number:
            return each
    pattern = "no mail {number} has been put aside: there is none"
    if found:
        pattern = "no mail {number} has been put aside, only {numbers:all}"
    raise Usage(pattern, number=number, numbers=[each.number for each in found])


def reply(mail: LaidAside, text: str, at: str) -> Queued:
    """The moderator's answer to a mail, in its thread. Raises Usage if nobody can be answered."""
    envelope = outside.read(rawmail.read(mail.read()))
    if envelope.sender is None:
        raise Usage("mail {number} names nobody who could be answered", number=mail.number)
    subject = decoded(envelope.subject)
    subject = subject if subject.casefold().startswith("re:") else f"Re: {subject}"
    return Queued(
        letter=keyed_name((mail.name, text), "reply"),
        at=at,
        to=envelope.sender,
        subject=subject,
        text=text,
        answers=envelope.message_id or "",
        references=envelope.references,
    )


def conditions(folder: str, sender: str) -> list[str]:
    """What the mails that lie aside of somebody who was a stranger make their joining depend on.
    Raises Problem."""
    found = list[str]()
    for mail in entries(folder):
        if (mail.verdict, mail.sender) == (Verdict.STRANGER, sender):
            with suppress(Problem):  # an empty one names none
                found += clubbing.conditions(mail.message)
    return found


def wishing(folder: str, event: str, who: str | None = None) -> list[LaidAside]:
    """The mails that lie aside and may be wishes to enter an event or to leave it, of somebody or
    of all. Raises Problem."""
    from pbem.mailroom import clubwishes  # for folders with a club alone

    found = list[LaidAside]()
    for mail in entries(folder):
        with suppress(Problem):
            by, wish = clubwishes.wished(folder, mail.message, mail.sender, mail.match)
            found += [mail] if wish and wish.about == event and who in (None, by) else []
    return found


def put_away(mail: LaidAside, place: str = DONE) -> None:
    """Put a mail away that has been dealt with: it no longer counts. Raises Problem."""
    done = os.path.join(mail.folder, place)
    with store.may_fail(NoFile, "cannot be put away: {strerror}", mail.path):
        modes.make_folders(done, modes.PRIVATE)
        for ending in (".eml", ".txt"):
            file = os.path.join(mail.folder, mail.place, mail.name + ending)
            if os.path.exists(file):
                os.replace(file, os.path.join(done, mail.name + ending))


def heed(mail: LaidAside, at: str) -> None:
    """Put a mail away on the moderator's word. Whoever wrote it counts as silent again, but only
    once they have had a notice that is newer: see `agenda.heard_by`. Raises Problem."""
    if mail.holds_up_silence:
        heeded = Keeps(Address(mail.sender), f"{HEEDED}{mail.match}", at)
        Daybook(os.path.dirname(mail.folder)).note(heeded)
    put_away(mail)


def put_all_away(matches: str, match: str, sender: str, mails: Iterable[str]) -> None:
    """Put away what is over once somebody's later mail was accepted, or they have left: those of
    these mails that are only kept, and the wish to resign; what stood BESIDE that order is only
    kept from now on. Raises Problem."""
    folder = os.path.join(matches, FOLDER)
    for mail in mails:
        for name in (f"{match}.{mail}", f".{mail}"):
            put_away(LaidAside(0, folder, name, match, place=KEPT))
    lies = any(name.startswith(f"{match}.") for name in _listed(os.path.join(folder, ASIDE)))
    for each in entries(matches) if lies else ():
        if (each.match, each.sender) == (match, sender):
            if each.verdict == Verdict.ASKED and RESIGN in {r.verb for r in each.message.requests}:
                put_away(each)
            elif each._heard == BESIDE:
                put_away(each, KEPT)


class AsideTally(NamedTuple):
    """What lies aside, counted: `kinds` by verdict, `bounces` by the address that fails; `away` is
    when each of those who are away last said so; `kept` are mails that changed nothing, and were
    answered."""

    kinds: Mapping[str, int]
    bounces: Mapping[str, int]
    away: Mapping[str, str]
    kept: int = 0

    def sentences(self, folder: str) -> Iterator[Sentence]:
        """What the moderator of the folder is told about it before anything else."""
        if self.kinds:
            kinds = [say("{n} {kind}", n=n, kind=kind) for kind, n in sorted(self.kinds.items())]
            yield say(_NEED, n=sum(self.kinds.values()), kinds=kinds, folder=folder)
        if self.kept and self.kinds:
            yield say("{n} more changed nothing, and [was|were] answered", n=self.kept)
        elif self.kept:
            yield say(_ANSWERED, n=self.kept, folder=folder)
        for address in sorted(self.bounces):
            yield say("mails to {address} do not arrive", address=address)
        for address, at in sorted(self.away.items()):
            yield say("{address} says away, since {day}", address=address, day=at[:10])


def tally(matches: str) -> AsideTally:
    """Count what lies aside, for `pbem status`. Raises Problem."""
    mails = list(_mails(matches))
    found = entries(matches, mails)
    bounced = [each for each in found if each.verdict == Verdict.BOUNCE and each.sender]
    known = Matches(matches)
    failing = Counter(each.sender for each in bounced if _is_written_to(each, known))
    away: dict[str, str] = {}
    for came in mails:
        if came.verdict == Verdict.AWAY and came.sender and came.match:
            away[came.sender] = came.at
        elif came.settled:
            away.pop(came.sender, None)
    kept = len(entries(matches, mails, KEPT))
    needed = (each for each in found if not each.is_settled)
    return AsideTally(Counter(each.verdict or "-" for each in needed), failing, away, kept)


def _is_written_to(bounce: LaidAside, matches: Matches) -> bool:
    """Is the address that fails still one that the desk writes to? That of a mail about no match
    may be the moderator's own."""
    if not bounce.match or matches.of(Address(bounce.sender)):
        return True
    try:
        return bounce.sender in Desk.read(matches.log(bounce.match)).observers
    except Problem:
        return True


def headers(mail: LaidAside, *, whole: bool = False) -> Iterator[str]:
    """The lines of a mail that a person wants to see above its text, `whole` or as it is shown."""
    raw = rawmail.read(mail.read())
    envelope = outside.read(raw)
    yield f"From: {envelope.sender or (mail.door and mail.sender) or '?'}"
    subject = decoded(envelope.subject)
    yield f"Subject: {subject if whole else mail.masked(subject) or _DOTS}"
    if envelope.message_id:
        yield f"Message-ID: {envelope.message_id}"
    if (hidden := raw.first(LACKS) or "").isdecimal():
        yield str(say(_TO_PLAYERS, n=int(hidden)))


def unopened(mail: bytes) -> Iterator[str]:
    """The first lines of a mail's head as they stand: it may be one that no run survives taking
    apart."""
    head = mail[:_SHOWN_HEAD].decode("utf-8", "replace").replace("\r\n", "\n")
    yield from head.partition("\n\n")[0].split("\n")


_SHOWN_HEAD: Final = 4_000


def shown(mail: LaidAside, folder: str) -> tuple[tuple[str, ...], Sentence | None]:
    """What is shown of a mail in the folder unless all of it is asked for: what is new in it, and a
    note about what is left out, if anything. Whoever reads this may play: the lines it quotes may
    be a letter, with a hand and a key in it, and what moves are made with tells of a hand."""
    named = {"folder": folder, "number": mail.number}
    if mail.unsurvived:
        return (), say(_UNOPENED, **named)
    try:
        lines, old = intake.fresh(mail.read(), "the mail")
        left = tuple(mail.masked(line) or _DOTS * bool(line) for line in lines)
        if mail.may_be_order or left != lines:
            return (mail.says,) if mail.may_be_order else left, say(_MASKED, **named)
    except Problem:
        return (), say(_UNTOLD, **named)
    return lines, say(_LEFT_OUT, n=old, **named) if old else None


class TrayOffer(NamedTuple):
    """What a moderator may type about a mail: the lines that `grant` what it asks for, `others`
    that may, or answer it; and why what it asks for is offered no more, if it is `overtaken`."""

    grants: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    overtaken: str = ""

    @property
    def likeliest(self) -> Sequence[str]:
        """What is shown of it below a mail; `pbem aside DIR N` shows all."""
        shown = (self.grants or self.others[:-1] or self.others)[:_MOST_TYPED]
        return [*filter(None, [self.overtaken]), *shown]


def offer(mail: LaidAside, folder: str) -> TrayOffer:
    """What may be typed about a mail in the folder, as its match stood then. Raises Problem."""
    answer = shlex.join(("pbem", "aside", folder, "--answer", str(mail.number), "--text", "..."))
    if mail.has_joined:
        return TrayOffer((), (answer,), _JOINED.text())
    if mail.verdict == Verdict.BOUNCE:
        return TrayOffer((), (*_new_address(mail, folder),))
    club = _of_the_club(mail, folder) if club_of(folder) else None
    if club and not mail.match and mail.verdict in (Verdict.ASKED, Verdict.STRANGER):
        return club._replace(others=(*club.others, answer))
    others = [*club.others] if club else []
    if mail.verdict not in {*TO_A_PERSON, Verdict.STRANGER, Verdict.AWAY}:
        return TrayOffer()
    grants, gone = list[str](), ""
    most = None if mail.match else 1  # of each match, where it may be for several
    theirs = map(match_name, sorted(Matches(folder).of(Address(mail.sender))))
    for name in [mail.about] if mail.about else theirs:
        log = os.path.normpath(os.path.join(folder, name))
        try:
            match, desk = read_both(log + LOG_SUFFIX)
            said = mail.message
            if not (seats := claimed(said, desk)):
                others += _from_elsewhere(mail, folder, match, desk, log)
            [seat] = seats
            then = mail.when(match, seat, log)._replace(sender=mail.sender)
        except (Problem, ValueError):  # nobody knows the match, or for which of several seats
            continue
        asked = wishes(then, said, mail.verdict)
        answer = noting(match, seat, log) if said.author else answer
        typed = [wish.command for wish in asked if wish.granted]
        more = [other for wish in asked for other in wish.others]
        over = next(filter(None, (wish.overtaken for wish in asked)), None)
        if not (typed or more or over):
            fits, over = fitting(then, mail.first_line)
            more = [*fits]
        words = {word for line in (*typed, *more) for word in line.split()}
        if kinds := sorted(then.granted(mail.first_line) & words):
            typed, more, over = [], [], say(_GRANTED, kinds=kinds)
        grants, gone = grants + typed, gone or str(over or "")
        others += [*_playing(mail, folder, then, match), *more, *_reopening(then, match)][:most]
    return TrayOffer((*grants,), (*others, answer), gone)


def _of_the_club(mail: LaidAside, folder: str) -> TrayOffer:
    """What may be typed about a mail for the club of its folder to do. Raises Problem."""
    from pbem.mailroom import clubwishes  # for folders with a club alone

    if mail.verdict == Verdict.STRANGER and not mail.match:
        return TrayOffer((), (*clubwishes.joining(folder, mail.read(), mail.sender),))
    if mail.verdict not in TO_A_PERSON:
        return TrayOffer()
    seats, wanted = clubwishes.seating(folder, mail.sender), list[str]()
    with suppress(Problem):  # of an empty mail there was the subject
        wanted += clubwishes.granting(folder, mail.message, mail.sender, mail.match)
    to_the_club = mail.verdict == Verdict.ASKED and not mail.match
    return TrayOffer((*wanted,), (*seats,)) if to_the_club else TrayOffer((), (*seats, *wanted))


def _member(folder: str, sender: str) -> str:
    """Whose address it is in the club of a folder; "" if nobody's, or there is no club."""
    if not club_of(folder):
        return ""
    from pbem.mailroom import clubwishes  # for folders with a club alone

    return clubwishes.member(folder, sender)


def _playing(mail: LaidAside, folder: str, then: Occasion, now: Replay) -> Iterator[str]:
    """The line to type that plays a mail which was turned away, if a line of it is an order, or it
    may hold one beside an excuse; that of a mail off turn once it is its writer's turn, unless it
    names a position that is past."""
    wanted = asking.wanted(mail.first_line)
    excuse = wanted != () and {TIME, GRIEF, PACE}.issuperset(wanted)
    off_turn = mail.verdict == Verdict.WRONG_SENDER and then.seat in now.asked
    its_turn = off_turn and not outdated(now, mail.message.positions, [then.seat])
    turned_away = mail.verdict == Verdict.REFUSED or its_turn
    if turned_away and _may_play(mail, then, alone=not excuse):
        yield shlex.join(("pbem", "aside", folder, "--submit", str(mail.number)))


def _reopening(then: Occasion, now: Replay) -> Iterator[str]:
    """The line to type that lets a match go on, if its writer wrote after a ruling had ended it."""
    if then.match.ending and now.log.so_far().stage == ENDED:
        yield from typed((REOPEN,), now, then.seat, then.log, {})


def _may_play(mail: LaidAside, then: Occasion, *, alone: bool = False) -> bool:
    """May a mail hold an order, in a line `alone` or in what it names, that its writer has not gone
    beyond? Which order is legal may rest on a hand, so that is not asked."""
    reading = Reading.of(then.match, mail.message, Writer((then.seat,)))
    reads = any(moves for _, moves in reading.lines.lines)
    names = reads or (not alone and (reading.names_things() or reading.names_deeds))
    return names and not then.overtaken()


def _from_elsewhere(
    mail: LaidAside, folder: str, match: Replay, desk: Desk, log: str
) -> Iterator[str]:
    """The lines to type that play the order of somebody whose address plays no seat of the match,
    and that let it play one: of the seats it wrote for, or whose player it is called after. Who has
    left a seat comes in for it again, and has no share in another's."""
    for seat in _left(mail, match):
        who = f"{called(mail.sender, _from(mail))} <{mail.sender}>"
        done = mail.when(match, seat, log).granted(mail.first_line)
        forms = () if done else (SUBSTITUTE,)
        yield from typed(forms, match, seat, log, {"{who}": who, "{reason}": "REASON"})
    wrote = [c.seat for c in _mails(folder) if (c.sender, c.match) == (mail.sender, match.name)]
    for seat in dict.fromkeys(filter(None, wrote)) or _called_after(mail, match):
        plays_there = seat in desk.addresses and seat not in _left(mail, match)
        if plays_there and _may_play(mail, mail.when(match, seat, log)):
            known = {"{address}": several(*desk.addresses[seat], mail.sender)}
            number = str(mail.number)
            yield shlex.join(("pbem", "aside", folder, "--submit", number, "--seat", seat))
            yield from typed((MOVED,), match, seat, log, known)


def _left(mail: LaidAside, match: Replay) -> list[Seat]:
    """The seats that the sender of a mail may have left, if they have played in the match: those
    that are vacant, and those for whose player somebody has come in."""
    ruled = [each.ruling for each in match.log.entries if isinstance(each, Ruled)]
    left = {*match.vacant, *(each.seat for each in ruled if isinstance(each, Substitute))}
    played = mail.verdict != Verdict.STRANGER
    return [seat for seat in match.setup.seats if seat in left and played]


def _from(mail: LaidAside) -> str:
    """Whom a mail is from, as its header says."""
    return decoded(rawmail.read(mail.read()).first("From") or mail.sender)


def _called_after(mail: LaidAside, match: Replay) -> list[Seat]:
    """The seats whose player's name stands before the address that a mail is from or in it; else
    the one whose name alone stands in the text."""
    text = " ".join(line.text for line in (*mail.message.orders, *mail.message.outside))

    def named(words: str) -> list[Seat]:
        known = {*tokens(words)}
        names = ((seat, {*tokens(name)}) for seat, name in match.players.items())
        return [seat for seat, name in names if name and name <= known]

    told = named(text)
    return named(_from(mail)) or (told if len(told) == 1 else [])


def _new_address(mail: LaidAside, folder: str) -> Iterator[str]:
    """The lines to type that give another address to the seats whose own fails."""
    for path, seats in sorted(Matches(folder).of(Address(mail.sender)).items()):
        log = os.path.normpath(os.path.join(folder, match_name(path)))
        with suppress(Problem):  # `pbem status` says what is wrong with its files
            match, _ = read_both(path)
            for seat in seats:
                yield from typed((MOVED,), match, seat, log, {})


_MOST_TYPED: Final = 4

_JOINED: Final = say("its writer has joined since")
_GRANTED: Final = "granted since: {kinds:all}"
_KEPT: Final = "{n} [mail|mails] that changed nothing, and [was|were] answered: {numbers:all}"
_NEED: Final = "{n} [mail needs|mails need] you ({kinds:all}): `pbem aside {folder:typed}`"
_ANSWERED: Final = (
    "{n} [mail|mails] changed nothing and [was|were] answered: `pbem aside {folder:typed}` lists "
    "[it|them]"
)
_LEFT_OUT: Final = (
    "({n} quoted [line|lines] left out; `pbem aside {folder:typed} {number} --all` shows all)"
)
_DOTS: Final = "\N{HORIZONTAL ELLIPSIS}"
_MASKED: Final = (
    "(what moves are made with is left out; `pbem aside {folder:typed} {number} --all` shows all)"
)
_TO_PLAYERS: Final = "({n} [line|lines] left out: [it is|they are] not for you)"
_UNOPENED: Final = (
    "(not opened, since that ended two runs; `pbem aside {folder:typed} {number} --all` opens it)"
)
_UNTOLD: Final = (
    "(what is new in it and what is quoted cannot be told apart; `pbem aside {folder:typed} "
    "{number} --all` shows all)"
)


def copies(new: Sequence[LaidAside], matches: str) -> Iterator[str]:
    """The lines of a letter to the moderator with copies of mails newly put aside."""
    yield say(
        "These mails were put aside for you. `pbem aside {matches:typed}` lists them, `--answer N` "
        "writes back, `--done N` puts one away, `--submit N` hands it to its match.",
        matches=matches,
    ).text()
    for each in new:
        heading = say(
            "{number}  {at}  {sender}  {match}: {verdict}",
            number=each.number,
            at=each.at or "-",
            sender=each.sender or "-",
            match=each.match or "-",
            verdict=each.verdict or "-",
        )
        yield from ("", "", printable(heading))
        if each.reason:
            yield printable(" ".join(each.reason.split()))
        yield from map(printable, offer(each, matches).likeliest)
        if each.may_be_order:
            yield from (f"> {line}" for line in wrap(printable(each.first_line), _WIDTH))
        elif each in new[:_MOST]:
            lines, note = shown(each, matches)
            for line in (*headers(each), "", *lines[:_MOST_LINES]):
                yield f"> {printable(line)}".rstrip()
            if note:
                yield str(note)


_WIDTH: Final = 70
_MOST_LINES: Final = 40
"""How many lines of each mail are copied; `pbem aside` shows all."""
_MOST: Final = 50
"""How many mails are copied; the others are only listed."""


def name_of_copies(new: Sequence[LaidAside]) -> str:
    """The name of that letter. The numbers alone would not do: other folders that share the outbox
    have mails with the same ones."""
    newest = new[-1].name.rpartition(".")[2]
    return f"aside.{new[0].number}-{new[-1].number}.{newest[:8]}"


def text(mail: bytes) -> str:
    """What a mail says; its raw text if that cannot be read."""
    try:
        return intake.read(mail, "the mail", "mail").body
    except Problem:
        return mail[:_SHOWN].decode("utf-8", "replace")


_SHOWN: Final = 20_000


def put(matches: str, mail_id: str, match: str, mail: bytes, why: str, place: str = ASIDE) -> None:
    """Keep a copy of a mail, and why a person must look at it, or may. Raises Problem."""
    folder = os.path.join(matches, FOLDER, place)
    store.make_folder(folder, modes.PRIVATE)
    for ending, data in ((".eml", mail), (".txt", f"{why}\n".encode(errors="replace"))):
        store.replace(os.path.join(folder, f"{match}.{mail_id}{ending}"), data, 0o600)


def handed_in(log: str, answer: Answer, wants: bool, at: str) -> None:
    """Remember a player's forum post on which this is the answer, as their mail would be: whether
    it `wants` something of a person, came to nothing, or puts away what did before. Raises
    Problem."""
    folder, match, desk = os.path.dirname(log) or ".", match_name(log), Desk.read(log)
    said, writer, verdict = answer.submission, answer.writer, answer.verdict
    author = next(iter(desk.authors.get(answer.seat or "", ())), "")
    lost = wants or verdict in UNHEEDED
    if not (writer and author and (lost or os.path.exists(os.path.join(folder, FOLDER, FILE)))):
        return
    reading, book = Reading.of(answer.before, said, writer, desk), Daybook(folder)
    if reading.is_thanks:
        return
    known_by = said.message_id or str(answer.before.position)
    mail = outside.id_of(" ".join((match, author, known_by, said.body)).encode())
    why = printable(say("for you: {seat:seat} writes", seat=answer.seat))
    with book.locked():
        if mail in book.mails:
            return
        if lost:
            heard = f"{HEARD}: {PLEA}\n" if wants and verdict != Verdict.PASSED_ON else ""
            heard += f"{MOVES}: yes\n" * reading.names_things()
            heard += f"{STOOD}: {len(answer.after.log.entries)}\n"
            head = f"{heard}{SAYS}: {printable(reading.says())}\n{TEXT}"
            copy = f"{head}\n\n{said.body}\n".encode(errors="replace")
            put(folder, mail, match, copy, why, ASIDE if wants else KEPT)
        if verdict == Verdict.ACCEPTED:
            put_all_away(folder, match, author, book.unheeded(match, [author]))
        came = Came(mail, at, verdict, sender=author, match=match, settled=True, arrived=at)
        book.add(came._replace(answered_by=answer.answered_by, door=FORUM))


TEXT: Final = "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit"
"""The headers of a copy that is plain text."""


def unanswered(matches: str, book: Book) -> Counter[str]:
    """How many mails lie aside or wait, by match; under "", those for none."""
    names = _listed(os.path.join(matches, FOLDER, ASIDE))
    aside = (name.rsplit(".", 2)[0] for name in names if name.endswith(".txt"))
    mails = (each.match for each in book.waiting.values() if not each.what.startswith(WEBHOOK))
    return Counter([*aside, *mails])


def _mails(matches: str) -> Iterator[Came]:
    return (fact for fact in facts(matches) if isinstance(fact, Came))


def _listed(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except FileNotFoundError:
        return []
