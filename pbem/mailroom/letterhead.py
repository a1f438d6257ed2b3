"""What all mails that go out have in common: each goes to one address, has a stable name and hangs
in a thread, and its subject says where the match stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from pbem.desk.address import Address
from pbem.log.match import Replay
from pbem.mailroom.inbox.headers import Envelope
from pbem.mailroom.outbox.message import OutgoingMail, date_header, fitted, subject_line
from pbem.report import compose, html
from pbem.report.facts import Report
from pbem.report.html import Alternative, Paint
from pbem.sentence import Sentence, say

_MOST_REFERENCES: Final = 10
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9.-]+")


@dataclass(frozen=True, slots=True)
class Sender:
    """Who writes: the desk's own address, what its clock says, what paints the board in its mails
    (None for ASCII), and the site that they link to ("" for none)."""

    address: Address
    at: str
    paint: Paint | None = None
    site: str = ""

    def written(self, report: Report, match: Replay | None = None) -> Written:
        """A report as its mail brings it: with a picture of the board if pictures are painted, and
        the match is given as its reader knows it."""
        paint = self.paint if match else None
        if match and paint:
            report = compose.marked(report, match)
        shown = html.alternative(report, self.address, paint)
        return Written(compose.text(report, "text"), shown)


class Written(NamedTuple):
    """What a mail says: its text and, if it is a report, the same for readers that show HTML."""

    text: str
    html: Alternative | None = None


def paragraphs(*each: Sentence | None) -> Sentence:
    """These sentences as one, each a paragraph; None is left out."""
    return say("{told:paragraphs}", told=[sentence for sentence in each if sentence is not None])


def compose_mail(
    name: str,
    to: Address,
    subject: Sentence,
    said: Written,
    sender: Sender,
    *,
    about: Replay | None = None,
    answered: Envelope | None = None,
) -> OutgoingMail:
    """A mail of this name, about a match, perhaps in reply to one."""
    # All mails about a match to one address hang from an id that was never sent itself.
    domain = sender.address.partition("@")[2]
    thread = f"<{safe(about.name)}.{safe(to)}@{domain}>" if about else None
    earlier = list(answered.references[-_MOST_REFERENCES:]) if answered else []
    own_id = answered.message_id if answered else None
    references = dict.fromkeys(filter(None, (thread, *earlier, own_id)))
    words = subject.text(about.players) if about else subject.text()
    token = f"[{about.name} {about.position}] " if about else ""
    return OutgoingMail(
        name=name,
        private=True,
        match=about.name if about else "",
        to=to,
        sender=sender.address,
        subject=subject_line(token + words),
        text=fitted(said.text),
        html=said.html,
        date=date_header(sender.at),
        answers=own_id or thread,
        references=tuple(references),
        replies=answered is not None,
    )


def keyed_name(keys: Iterable[str], kind: str) -> str:
    """The name of a letter that says these things."""
    import hashlib

    return f"{hashlib.sha256(' '.join(keys).encode()).hexdigest()[:16]}.{kind}"


def safe(text: str) -> str:
    """The text made safe for a file's name or an id. Different texts stay different."""
    import hashlib

    plain = _UNSAFE.sub("-", text)
    if plain == text:
        return text
    return f"{plain}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"
