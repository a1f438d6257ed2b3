"""One run of the mailroom: each mail is decided, dealt with, answered and noted; then all are told.

The path is the same for one mail and for ten thousand. It may be killed anywhere, because of the
order in which it writes: first the log, then what is about to be told to whom, then the letters,
under names that follow from what they tell, then that the mail came; last the mail is put away.
Whatever is missing is made again the next time: the log shows what a mail brought about, and a
letter that is there is not written twice. When all mails have been read, everybody is told what
they do not know yet, whoever entered it.

Each mail is a world of its own: whatever fails between opening it and writing its answers costs
that mail alone. It is put aside with the reason, and the next one is read. A mail waits only if
files of a match stand in its way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from typing import Final

from pbem.desk.address import Address
from pbem.desk.answer import Verdict
from pbem.desk.bench import Circumstances
from pbem.desk.file import LOG_SUFFIX, SUFFIX, Desk
from pbem.desk.seats import rewritten
from pbem.files import yamlio
from pbem.files.timestamp import stamp
from pbem.log.format import Log
from pbem.log.timing import Late
from pbem.mailroom import agenda, daybook, letters, preferences, tray
from pbem.mailroom.decide import FAULTS_OF_THE_MAIL, decide
from pbem.mailroom.inbox import headers
from pbem.mailroom.inbox.incoming import Mail, opened
from pbem.mailroom.inbox.sources import Item, Letterbox
from pbem.mailroom.letterhead import Sender
from pbem.mailroom.letters import Letter, Person
from pbem.mailroom.matter import Audience, Handling, Office
from pbem.mailroom.outbox.folder import Outbox, Slip
from pbem.mailroom.outbox.message import OutgoingMail
from pbem.mailroom.preferences import Preferences
from pbem.matches.index import match_name, stamp_of, state
from pbem.matches.matches import Matches
from pbem.problem import Busy, Problem, problem_of
from pbem.report import compose
from pbem.report.html import Paint
from pbem.report.owed import rulings
from pbem.sentence import Sentence, printable, say

REFUSALS: Final = 20
"""How many mails that change nothing are answered in a day: to each known writer in a match, and
to all strangers together."""


TRIES: Final = 2
"""How many runs may try a mail and not survive it: killed, out of memory, hung."""


class Mailroom:
    """Works through mails for the matches of a folder. With `posted`, a postman sends what it
    writes; else a letter is out once it is in the outbox. Mails link to pages of the `site`."""

    def __init__(
        self,
        folder: str,
        outbox: Outbox,
        address: Address,
        here: Circumstances,
        *,
        refusals: int = REFUSALS,
        paint: Paint | None = None,
        posted: bool = False,
        site: str = "",
    ) -> None:
        self.outbox, self.address = outbox, address
        self.paint, self.posted, self.site = paint, posted, site
        self.matches, self.book = Matches(folder), daybook.Daybook(folder, outbox.holds)
        self.here = here._replace(shelf=self.matches)
        self.office = Office(self.matches, self.book, self.here, address, refusals)
        self.read_to = ""
        """The moment up to which the mailbox was read to its end, "" if it was not."""
        self.held_up: dict[str, float] = {}
        """When the oldest waiting mail arrived, by match; under "" one that may be for any."""

    # --------------------------------------------------------------------------- mails in

    def run(self, letterbox: Letterbox) -> Iterator[Handling]:
        """Handle every mail there is, the first to arrive first. Raises Problem if the mailbox or
        the mailroom's own files fail; what was done until then stays done."""
        self.office.stuck = set()
        self.read_to, self.held_up = "", {}
        left: list[Problem] = []
        begun = self.here.clock()
        for item in letterbox:
            done = self.handle(item, begun)
            if done.verdict != Verdict.WAITS:
                try:
                    letterbox.done(item)
                except Busy:
                    raise
                except Problem as problem:
                    left.append(problem)
            yield done
        self.read_to = begun
        if left:
            raise Busy(
                "{n} [mail has|mails have] been dealt with but [stays|stay] in the "
                "[mailbox|mailbox; the first]: {problem}",
                n=len(left),
                problem=left[0],
            )

    def handle(self, item: Item, begun: str) -> Handling:
        """Judge one mail in a run that began at the time `begun`, write the answers, and note that
        it came. Raises Problem."""
        # One mail at a time, whoever works here: else two processes could answer the same one, and
        # nobody could tell a mail that is being read from one that a run did not survive.
        with self.book.locked():
            try:
                came = self._dealt_with(item, begun)
            except Problem:
                with suppress(Problem):  # the desk's own files fail, and the mail has been survived
                    self.book.add(daybook.Waits(item.digest))
                raise
            waits = came.verdict == Verdict.WAITS
            trouble = (match_name(came.path), str(came.why)) if waits else ()
            self.book.note_trouble(daybook.Waits(item.digest, *trouble))
            return came

    def _dealt_with(self, item: Item, begun: str) -> Handling:
        """Judge a mail, write the answers, and note that it came. Raises Problem."""
        if item.digest in self.book.mails:
            return Handling(verdict=Verdict.SEEN)
        if survives := self.book.opened[item.digest] < TRIES:
            self.book.add(daybook.Opened(item.digest))
        mail = opened(item, self.address, begun, whole=survives)
        if mail.settled_id in self.book.mails:
            return self._seen(mail)
        self.matches.refresh()
        try:
            handling = decide(mail, self.office, None if survives else tray.UNSURVIVED)
            written = list(self._written(mail, handling))
        except Exception as error:
            problem = problem_of(error)
            if not isinstance(problem, FAULTS_OF_THE_MAIL):
                return self._wait(mail, problem)
            handling, written = decide(mail, self.office, problem), []
        return self._carry_out(mail, handling, written)

    def _written(
        self, mail: Mail, handling: Handling
    ) -> Iterator[tuple[Letter, OutgoingMail] | Exception]:
        """The letters of a handling as they go out, or what keeps one from being written. Raises
        Problem, OSError."""
        mail_id = _mail_id(mail, handling)
        for letter in handling.letters:
            named = letter if letter.name else replace(letter, name=f"{mail_id}.{letter.kind}")
            try:
                yield named, self._mail(named)
            except (Problem, OSError):
                raise  # files stand in the way: what the log has is told once they are mended
            except Exception as error:
                if letter.plan is None:
                    raise
                yield error  # the order is in the log all the same

    def _mail(self, letter: Letter) -> OutgoingMail:
        """A letter as it goes out, and as its reader wants it. Raises Problem."""
        desk = self.matches.open(letter.about.log.path)[1] if letter.about else None
        desk = preferences.applied(desk, self.book) if desk else None
        wants = Preferences.of(self.book, letter.to.address)
        paint = None if wants.text else self.paint
        sender = Sender(self.address, self.here.clock(), paint, self.site)
        if not letter.language:
            spoken = wants.language or ("" if letter.about else self._spoken(letter.to.address))
            letter = replace(letter, language=spoken)
        mail = letters.mail(letter, desk, sender)
        return replace(mail, plain=True) if wants.text else mail

    def _spoken(self, address: Address) -> str:
        """The language of a letter about no match: that of its reader's first seat; "" where there
        is none, or its files cannot be read."""
        for path, seats in sorted(self.matches.of(address).items()):
            with suppress(Problem):
                match, desk = self.matches.open(path)
                return compose.language(match, seats[0], desk)
        return ""

    def _entries(self, handling: Handling) -> int | None:
        """How many entries the match has that a mail was about, if it was read for it."""
        with suppress(Problem):
            if handling.settled and handling.path:
                return len(self.matches.look(handling.path).log.entries)
        return None

    def _seen(self, mail: Mail) -> Handling:
        """Another copy of a mail that was dealt with before: nothing happens."""
        self.book.add(daybook.Came(mail.item.digest, self.here.clock(), Verdict.SEEN))
        return Handling(verdict=Verdict.SEEN, whose=mail.envelope.sender)

    def _wait(self, mail: Mail, problem: Problem) -> Handling:
        """The files stand in the way: the mail stays where it is until they have been mended."""
        self.office.stuck.add(problem.path.removesuffix(SUFFIX).removesuffix(LOG_SUFFIX))
        path = self.matches.named(mail.named) if mail.named else None
        behind, arrival = match_name(path or ""), mail.item.arrival
        self.held_up[behind] = min(self.held_up.get(behind, arrival), arrival)
        return Handling(
            verdict=Verdict.WAITS,
            path=path or problem.path,
            whose=mail.envelope.sender,
            why=say("{problem}", problem=problem),
        )

    def _carry_out(
        self,
        mail: Mail,
        handling: Handling,
        written: Sequence[tuple[Letter, OutgoingMail] | Exception],
    ) -> Handling:
        """Write the letters, and note what came of the mail. Raises Problem."""
        mail_id = _mail_id(mail, handling)
        if handling.verdict == Verdict.SEEN or mail_id in self.book.mails:
            return self._seen(mail)
        failures = [each for each in written if isinstance(each, Exception)]
        outgoing = [each for each in written if not isinstance(each, Exception)]
        self.book.plan(letter.plan for letter, _ in outgoing if letter.plan)
        put = list[Letter]()
        for letter, out in outgoing:
            try:
                data = out.encoded()
            except Exception as error:
                failures.append(error)
            else:
                self._put(out, data)
                put.append(letter)
        if failures:
            handling = replace(handling.put_aside(), why=_unwritten(handling, failures[-1]))
        why, match = str(handling.why or ""), match_name(handling.path)
        if handling.heard:
            copy = _for_the_tray(mail, handling, self._entries(handling))
            lies = tray.ASIDE if handling.aside else handling.heard
            tray.put(self.matches.folder, mail_id, match, copy, why, lies)
        if handling.verdict in (Verdict.ACCEPTED, Verdict.RESIGNED, Verdict.VACATED):
            writer = mail.envelope.sender or ""
            over = self.book.unheeded(match, [writer])
            tray.put_all_away(self.matches.folder, match, writer, over)
        sender = mail.envelope.sender or "" if handling.whose is None else handling.whose
        veiled = handling.audience == Audience.WRITER and not handling.aside
        nameless = veiled and not handling.refusal  # a refusal counts against its sender's quota
        came = daybook.Came(
            mail=mail_id,
            digest=mail.item.digest if mail.item.digest != mail_id else "",
            at=self.here.clock(),
            verdict=handling.verdict,
            sender="" if nameless else sender,
            match="" if nameless else match,
            seat=daybook.veil(match, handling.seat) if nameless else handling.seat,
            ply=0 if nameless else handling.ply,
            sent=mail.sent,
            letters=tuple(letter.name for letter in put),
            refusal=handling.refusal,
            settled=handling.settled,
            why=why,
            answered_by="" if nameless else handling.answered_by,
            arrived=stamp(mail.item.arrival),
        )
        self.book.add(came)
        if veiled:  # the letters are named after the mail alone
            return Handling(verdict=handling.verdict, letters=tuple(put))
        in_passing = handling.audience == Audience.MODERATORS
        shown = handling.why if in_passing else say(_IN_THE_DAYBOOK, path=self.book.path)
        return replace(handling, whose=Address(sender), letters=tuple(put), why=shown)

    # ------------------------------------------------------------------------- letters out

    def put(self, letter: Letter) -> None:
        """Write a letter to the outbox; call it `locked`. Raises Problem."""
        mail = self._mail(letter)
        self._put(mail, mail.encoded())

    def _put(self, mail: OutgoingMail, data: bytes) -> None:
        self.outbox.put(mail, data)
        if not self.posted:
            self._went_out(mail)

    def write(self, letter: Letter, keys: Sequence[str]) -> None:
        """Write a letter that says these things, once; call it `locked`. Raises Problem."""
        self.book.add(daybook.Planned(letter.name, letter.to.address, keys=tuple(keys)))
        self.put(letter)
        self.book.add(daybook.Said(tuple(keys)))

    def _went_out(self, mail: OutgoingMail | Slip) -> None:
        """Note when a notice of a deadline went out."""
        if mail.notice:
            self.book.add(daybook.Keeps(mail.to, f"{daybook.OUT}{mail.notice}", self.here.clock()))

    def delivered(self, name: str, slip: Slip, why: str) -> None:
        """Note that a letter went out. If it never will, for the reason `why`, put that aside for
        the moderator like a bounce. Raises Problem."""
        with self.book.locked():
            if not why:
                self._went_out(slip)
                return
            mail_id = headers.id_of(f"failed {name}".encode())
            if mail_id not in self.book.mails:
                match = match_name(self.matches.named(slip.match) or "")
                reason = str(say(_FAILED, address=slip.to, why=why))
                mail = f"From: {self.address}\nX-Failed-Recipients: {slip.to}\n\n{why}\n"
                tray.put(self.matches.folder, mail_id, match, mail.encode(errors="replace"), reason)
                at, verdict = self.here.clock(), Verdict.BOUNCE
                self.book.add(
                    daybook.Came(mail_id, at, verdict, sender=slip.to, match=match, why=reason)
                )

    def tell_moderator(self, to: Address) -> None:
        """Write to the moderator what has been put aside since the last such letter, if anything
        has; but no mail tells them that mails to them fail. Raises Problem."""
        with self.book.locked():
            new = [
                each
                for each in tray.entries(self.matches.folder)
                if not self.book.said(daybook.laid_aside(each.number))
                and (each.verdict, each.sender) != (Verdict.BOUNCE, to)
            ]
            if new:
                letter = Letter(
                    name=tray.name_of_copies(new),
                    to=Person(to),
                    sentence=say("{text}", text="\n".join(tray.copies(new, self.matches.folder))),
                    subject=say("{n} [mail needs|mails need] you", n=len(new)),
                )
                self.write(letter, [daybook.laid_aside(each.number) for each in new])

    def tell(self) -> Iterator[Handling | Problem]:
        """Tell everybody what they have not been told, in one letter for each match; gives what
        stands in the way, and goes on with the others. It also gives, for the moderator, which logs
        were replaced. Raises Problem if the mailroom's own files fail."""
        with self.book.locked():
            box = f"{daybook.BOX}{daybook.placed(self.matches.folder, self.outbox.folder)}"
            if box not in self.book.of():
                self.book.add(daybook.Keeps(daybook.HOUSE, box))
            for fact in list(self.book.left_unnoted()):
                self.book.add(fact)
            stamps = self.matches.stamps().items()
            changed = [match for match, each in stamps if self.book.has_news(match, each)]
        for match in changed:
            path = self.matches.log(match)
            with self.book.locked():
                try:
                    found = [*self._tell(path)]
                except (Problem, OSError) as error:
                    found = [problem_of(error, path)]
                what = headers.id_of(f"told {match}".encode())
                why = "; ".join(str(each) for each in found if isinstance(each, Problem))
                self.book.note_trouble(daybook.Waits(what, match, why))
            yield from found
        yield from self._digests()
        with self.book.locked():
            for each in tuple(self.book.queued.values()):
                self.write(letters.queued(each), (each.key,))
            self.book.tidy(self.here.clock())

    def _digests(self) -> Iterator[Handling | Problem]:
        """Tell those whose hour has come everything that was kept for them, in one letter each."""
        with self.book.locked():
            for each in agenda.digests(self.matches, self.book, self.here.clock()):
                plans = [one.plan._replace(letter=each.name) for one, _ in each.parts if one.plan]
                self.book.plan(plans)
                written, troubles = self._write_all([each])
                yield from troubles
                for plan in plans if written else ():
                    self.book.add(daybook.Wrote(plan.match, (each.name,)))
                if written:
                    whose = each.to.address
                    yield Handling(verdict=Verdict.DIGEST, whose=whose, letters=(each,))

    def _tell(self, path: str) -> Iterator[Handling | Problem]:
        """Tell what is new in a match, unless that has been done meanwhile; gives what stands in
        the way of letters or, if all have now been told that its log was replaced, that. Raises
        Problem, OSError."""
        match, stamp = match_name(path), stamp_of(state(path))
        if not self.book.has_news(match, stamp):
            return
        if not self.book.knows(match):
            log = Log.parse(yamlio.read_text(path), path, remember=False)
            if not self.book.adopt(match, log, stamp):
                return
        replay, desk = self.matches.open(path)
        if desk.writes_to_somebody and not desk.daybook:  # an earlier version began the match
            _, desk = rewritten(path, lambda _, kept: replace(kept, daybook=True))
        self.book.detect_replacement(match, replay.log)
        replaced = self.book.pages[match].known.replaced
        about = replay, desk, self.book
        owed = (*letters.concerned(*about), *letters.farewells(*about))
        unwritten = [each for each in owed if not self.book.wrote(each.name, match)]
        new = [e for e in unwritten if not letters.waits_until(e, *about)]
        later = len(new) < len(unwritten)
        self.book.plan(each.plan for each in new if each.plan)
        written, troubles = self._write_all(self._promising(each, desk) for each in new)
        entries = len(replay.log.entries)
        if not (troubles or later or letters.wait_to_be_told(*about)):
            self.book.all_know(match, entries, stamp, daybook.mark(replay.log, entries))
        elif written:
            self.book.add(daybook.Wrote(match, tuple(written)))
        yield from troubles
        if replaced and not troubles:
            yield Handling(verdict=Verdict.REPLACED, path=path, why=_REPLACED)

    def _promising(self, letter: Letter, desk: Desk) -> Letter:
        """A letter; if it tells somebody that they are late whose mail still lies aside, with what
        they were promised."""
        seats, match = letter.to.seats, letter.about
        new = match.log.entries[max(0, letter.plan.since) :] if match and letter.plan else ()
        if not match or not rulings(new, Late, about=seats):
            return letter
        waiting, names = tray.writers(self.matches.folder), chain(*map(desk.names_of, seats))
        waits = agenda.from_them(waiting, match_name(match.log.path), [*names])
        return replace(letter, sentence=tray.STILL_WAITS) if waits else letter

    def _write_all(self, found: Iterable[Letter]) -> tuple[list[str], list[Problem]]:
        """Write letters; gives the names of those that were written, and what stands in the way of
        the others."""
        written, troubles = list[str](), list[Problem]()
        for letter in found:
            try:
                self.put(letter)
            except Exception as error:
                troubles.append(problem_of(error))
            else:
                written.append(letter.name)
        return written, troubles


def _mail_id(mail: Mail, handling: Handling) -> str:
    return mail.settled_id if handling.settled else mail.unsettled_id


def _for_the_tray(mail: Mail, handling: Handling, entries: int | None) -> bytes:
    """What the person who is to look at a mail sees: the mail or, if lines of it are hidden from
    them, the others as plain text, with the number of those hidden; and how many entries its match
    has now, if anybody knows."""
    said, (hidden, has_moves, says) = mail.said, handling.excerpt
    heard = handling.heard if handling.heard != tray.ASIDE else ""
    marked = f"{tray.STOOD}: {'' if entries is None else entries}\n"  # theirs must not count
    marked += f"{tray.HEARD}: {heard}\n" if heard else ""
    marked += f"{tray.MOVES}: yes\n" if has_moves and (heard or not hidden) else ""
    marked += f"{tray.SAYS}: {printable(says)}\n" if says else ""
    if not (hidden and said and said.mail):
        copy = mail.item.mail
        at = copy.find(b"\n") + 1 if copy.startswith(b"From ") else 0  # a line of an mbox
        return copy[:at] + marked.encode() + copy[at:]
    gone = (b"content-", b"mime-", *((b"subject",) if 0 in hidden else ()))
    head = ((k, v) for k, v in said.mail.headers if not k.lower().startswith(gone))
    lines = enumerate(said.body.split("\n"), 1)
    shown = "\n".join(line for n, line in lines if n not in hidden)
    text = f"{marked}{tray.LACKS}: {len(hidden)}\n{tray.TEXT}\n\n{shown}\n"
    return b"".join((*(b"%s:%s\n" % each for each in head), text.encode(errors="replace")))


def _unwritten(handling: Handling, error: Exception) -> Sentence:
    """What the moderator is told if a mail was dealt with, but an answer cannot be written."""
    return say(
        "{match} #{ply}: {verdict}, but not every answer could be written; `pbem show` prints "
        "what is public. {mistake}",
        match=match_name(handling.path) or "-",
        ply=handling.ply,
        verdict=handling.verdict,
        mistake=problem_of(error).sentence,
    )


_REPLACED: Final = say(
    "another copy of the log was put in the place of the one that everybody was told of; they have "
    "been told so, and what it holds"
)
_IN_THE_DAYBOOK: Final = "the reason stands in {path}"
_FAILED: Final = "mails to {address} do not arrive; the server said: {why}"
