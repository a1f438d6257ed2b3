"""From what came of a mail to the mails that go out: each to one address, each with a stable name.

An answer is a function of the log and the mail: whoever makes it again makes the same, so a name
that is there already means that the answer was written before.
"""

from __future__ import annotations

import html
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from email.headerregistry import BaseHeader
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from functools import lru_cache
from typing import Final

from pbem.core import CHANCE, Seat
from pbem.desk.file import Desk
from pbem.desk.submit import Answer
from pbem.log.match import Match, OpenPly
from pbem.mailroom.envelope import HOUSE, Envelope
from pbem.mailroom.pages import add_page
from pbem.report import compose
from pbem.report.compose import SeenBy
from pbem.report.render import Report
from pbem.version import __version__

WIDTH: Final = 72
_MOST_REFERENCES: Final = 10
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9.-]+")
_FONT: Final = "font-family: ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace"


@dataclass(frozen=True, slots=True)
class Post:
    """A mail to one address. `private`: for nobody else's eyes; `name` is its file's."""

    name: str
    private: bool
    message: EmailMessage

    def bytes(self) -> bytes:
        """As it is sent."""
        return self.message.as_bytes(policy=SMTP)


@dataclass(frozen=True, slots=True)
class Sender:
    """Who answers: the desk's own address, and what its clock says now."""

    address: str
    now: str

    @property
    def domain(self) -> str:
        """What the ids of its mails end with."""
        return self.address.partition("@")[2]


def accepted(
    answer: Answer,
    desk: Desk,
    envelope: Envelope,
    mark: str,
    sender: Sender,
    *,
    receipt: bool = True,
    seen_by: SeenBy = Match.seen_by,
) -> Iterator[Post]:
    """A receipt for who sent the order, the report for all, letters for those who learn something.

    Without `receipt` only the others are told: the mail came through a list, or by a machine.
    """
    after = answer.after
    first = answer.before.position[0]
    told = [ply.number for ply, _ in after.plies if ply.number > first]
    about = _about(after)
    if receipt and envelope.sender:
        yield _post(
            "receipt",
            f"{_place(after)}.{mark}",
            envelope.sender,
            f"{_token(after)} your order was taken; {about}",
            compose.receipt(answer, seen_by=seen_by),
            sender,
            shown=_painted(seen_by(after, None), desk, answer.seat),
            envelope=envelope,
            thread=_thread(after, envelope.sender, sender),
        )
    report = compose.public(after, told, seen_by=seen_by)
    informed = set[str]()
    for seat in after.setup.seats:
        to = _address(desk, seat)
        if to is None:
            continue
        thread = _thread(after, to, sender)
        if to not in informed:  # else one person sits on two seats
            yield _post(
                "report",
                f"{_place(after)}.{_safe(seat)}",
                to,
                f"{_token(after)} {about}",
                report,
                sender,
                shown=_painted(seen_by(after, None), desk, seat),
                thread=thread,
            )
        informed.add(to)
        notes = _notes(answer, seat)
        if notes or _learns(answer, seat, told, seen_by):
            letter = compose.letter(after, seat, told, notes=notes, seen_by=seen_by)
            yield _post(
                "letter",
                f"{_place(after)}.{_safe(seat)}",
                to,
                f"{_token(after)} for {seat} alone; {about}",
                letter,
                sender,
                shown=_painted(seen_by(after, seat), desk, seat),
                thread=thread,
            )


def refused(
    answer: Answer,
    envelope: Envelope,
    mark: str,
    sender: Sender,
    *,
    seen_by: SeenBy = Match.seen_by,
) -> Post:
    """The answer to a player whose mail changed nothing."""
    assert envelope.sender is not None
    now = answer.before
    report = compose.rejection(answer, seen_by=seen_by)
    what = "read before" if answer.verdict == "duplicate" else "not played"
    subject = f"{_token(now)} {what}; {_about(now)}"
    thread = _thread(now, envelope.sender, sender)
    return _post(
        "refusal", mark, envelope.sender, subject, report, sender, envelope=envelope, thread=thread
    )


def notice(text: str, now: Match | None, envelope: Envelope, mark: str, sender: Sender) -> Post:
    """A few sentences to the sender of a mail; `now` is a match he plays in, or None."""
    assert envelope.sender is not None
    subject = f"{_token(now)} {_about(now)}" if now else "Your mail was not understood"
    thread = _thread(now, envelope.sender, sender) if now else ""
    return _post(
        "notice", mark, envelope.sender, subject, text, sender, envelope=envelope, thread=thread
    )


# --------------------------------------------------------------------- what there is to tell


def _learns(answer: Answer, seat: Seat, told: list[int], seen_by: SeenBy) -> bool:
    """Is there something for this seat that the report does not say: a card, or that it may move
    now?"""
    after = answer.after
    if seat in after.awaited and (seat not in answer.before.awaited or seat == answer.seat):
        return True
    return _events(seen_by(after, seat), told) != _events(seen_by(after, None), told)


def _events(now: Match, told: list[int]) -> list[tuple[object, ...]]:
    first = told[0] if told else 0
    plies: list[OpenPly] = []
    for each in reversed(now.plies):
        if each[0].number < first:
            break
        plies.append(each)
    return [events for _, events in plies]


def _notes(answer: Answer, seat: Seat) -> tuple[str, ...]:
    """What became of moves this seat had sent early, if others have brought it about."""
    if seat == answer.seat:
        return ()
    dropped = [
        f'"{text}", which you had sent early, is not played: {why}'
        for whose, text, why in answer.returned
        if whose == seat
    ]
    held = [move for each in answer.held if each.seat == seat for move in each.moves]
    return (*dropped, *(f'"{move}" is still held until you are asked again' for move in held))


def _about(now: Match) -> str:
    """Who is awaited, or how the match ended: the end of each subject."""
    outcome, names = now.outcome, now.players
    if outcome is not None:
        winners = " and ".join(names[seat] for seat in outcome.winners)
        return f"{winners} won" if winners else "the match is drawn"
    asked = [names[seat] for seat in now.awaited]
    if not asked and any(decision.seat == CHANCE for decision in now.pending):
        return "cards are to be dealt"
    return f"{' and '.join(asked)} to move"


def _token(now: Match) -> str:
    ply, fingerprint = now.position
    return f"[{now.name} #{ply} {fingerprint}]"


def _place(now: Match) -> str:
    ply, fingerprint = now.position
    return f"{now.name}.{ply:04}.{fingerprint}"


def _address(desk: Desk, seat: Seat) -> str | None:
    """The one address that a seat is written to: the first in the address book."""
    return next(iter(desk.addresses.get(seat, ())), None)


def _painted(now: Match, desk: Desk, seat: Seat | None) -> Match | None:
    """The match whose board is painted for a seat; None where it wants no pictures."""
    return None if seat in desk.no_pictures else now


# ---------------------------------------------------------------------------------- the mail


def _thread(now: Match, to: str, sender: Sender) -> str:
    """The id that all mails about a match to one address hang from. It was never sent itself."""
    return f"<{_safe(now.name)}.{_safe(to)}@{sender.domain}>"


def _post(
    kind: str,
    key: str,
    to: str,
    subject: str,
    told: Report | str,
    sender: Sender,
    *,
    shown: Match | None = None,
    envelope: Envelope | None = None,
    thread: str = "",
) -> Post:
    name = f"{key}.{kind}"
    message = EmailMessage(policy=SMTP)
    message["From"] = _header("From", f"pbem <{sender.address}>")
    message["To"] = _header("To", to)
    message["Reply-To"] = _header("Reply-To", sender.address)
    message["Subject"] = _line(subject)
    message["Date"] = _header("Date", _date(sender.now))
    message["Message-ID"] = f"<{name}@{sender.domain}>"
    answered = envelope.message_id if envelope else None
    if answered or thread:
        message["In-Reply-To"] = answered or thread
    earlier = [*(envelope.references[-_MOST_REFERENCES:] if envelope else ()), answered]
    references = [thread, *(each for each in earlier if each and each != thread)]
    if any(references):
        message["References"] = " ".join(filter(None, references))
    submitted = "auto-replied" if envelope else "auto-generated"
    message["Auto-Submitted"] = _header("Auto-Submitted", submitted)
    message["X-Auto-Response-Suppress"] = _header("X-Auto-Response-Suppress", "All")
    message[HOUSE] = _header(HOUSE, __version__)
    body = fitted(told if isinstance(told, str) else compose.text(told, "text"))
    message.set_content(body, cte="7bit" if body.isascii() else "quoted-printable")
    if isinstance(told, str):
        page = f'<html><body><pre style="{_FONT}">\n{html.escape(body)}</pre></body></html>\n'
        message.add_alternative(page, subtype="html", cte="quoted-printable")
    else:
        add_page(message, told, shown, to=sender.address)
    message.set_boundary(f"=_{name}"[:70])
    return Post(name, kind != "report", message)


@lru_cache(maxsize=1000)
def _header(name: str, value: str) -> BaseHeader:
    """A header that many mails share: to parse an address takes as long as to write a page."""
    header: BaseHeader = SMTP.header_factory(name, value)
    return header


def fitted(text: str) -> str:
    """The text at most 72 columns wide and without blanks at line ends, which a format=flowed
    reader would take for a soft break. A line of a board is never that long."""
    lines: list[str] = []
    for line in text.splitlines():
        line = line.rstrip()
        if len(line) <= WIDTH:
            lines.append(line)
            continue
        indent = re.match(r"[> ]*", line)
        first = indent[0] if indent else ""
        lines += textwrap.wrap(
            line[len(first) :],
            WIDTH,
            initial_indent=first,
            subsequent_indent=first,
            break_on_hyphens=False,
        )
    return "\n".join(lines).strip("\n") + "\n"


def _line(text: str) -> str:
    """Text for a header: names are anybody's, so whatever is not printable goes."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:200]


def _safe(text: str) -> str:
    """Text for a file's name or an id. Different texts stay different."""
    import hashlib

    plain = _UNSAFE.sub("-", text)
    if plain == text:
        return text
    return f"{plain}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def _date(now: str) -> str:
    from datetime import datetime

    return format_datetime(datetime.fromisoformat(now))
