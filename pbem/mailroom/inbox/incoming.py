"""A mail that came in, taken apart as far as that can be done."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from pbem import intake
from pbem.desk import authorship
from pbem.desk.address import Address
from pbem.desk.answer import Verdict
from pbem.files.timestamp import stamp
from pbem.intake import Submission, rawmail
from pbem.intake.order import named_in
from pbem.intake.rawmail import RawMail
from pbem.intake.text import decoded
from pbem.mailroom.inbox import headers
from pbem.mailroom.inbox.headers import Envelope
from pbem.mailroom.inbox.sources import Item
from pbem.problem import Problem, problem_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Mail:
    """A mail that is being worked on, taken apart as `raw`: `said` is what it says, or `trouble`
    why that cannot be read; `named` is the match it names. It has two ids besides the digest of all
    its bytes: as a mail of which it is settled who wrote it, and as one of which it is not."""

    item: Item
    raw: RawMail
    envelope: Envelope
    settled_id: str
    unsettled_id: str
    said: Submission | None = None
    trouble: Problem | None = None
    named: str | None = None

    @property
    def machine(self) -> Verdict | None:
        """Which kind of machine has sent it; None for a person."""
        kind = self.envelope.machine or ("auto" if self.said and self.said.automatic else "")
        return Verdict(kind) if kind else None

    @property
    def sent(self) -> float:
        """When it was sent: no later than it arrived, whatever the sender's clock says; 0.0 where
        it does not say."""
        return min(self.envelope.sent or 0.0, self.item.arrival)

    @property
    def message(self) -> Submission:
        """The mail as the desk is to read it once its match has been found."""
        if self.said is None:
            return authorship.unread(self.raw, self.envelope.sender or "")
        return self.said._replace(match=None)


_HEAD: Final = 64 * 1024


def opened(item: Item, own: Address, begun: str = "", *, whole: bool = True) -> Mail:
    """A mail taken apart, the `whole` of it or only the headers at its top; `own` is the desk's
    address. It counts as written before this run had `begun`: its writer knows nothing yet of what
    the run enters."""
    outside, said, trouble, named = Envelope(), None, item.trouble, None
    raw = rawmail.read(item.mail if whole else item.mail[:_HEAD])
    try:
        if not (trouble and whole):
            outside = headers.read(raw, own)
            named = named_in(decoded(outside.subject))[0]
        if whole and not trouble:
            said = intake.read_mail(raw, "the mail")
            named = said.match
    except Exception as error:
        trouble = problem_of(error)
    if said is not None:
        if said.sender is None:  # an address that can be read in two ways says nobody's name
            outside = replace(outside, sender=None)
        written = (*said.written, stamp(item.arrival), begun)
        said = said._replace(sender=outside.sender, written=written)
    return Mail(
        item=item,
        raw=raw,
        envelope=outside,
        said=said,
        trouble=trouble,
        named=named,
        settled_id=headers.mail_id(item.whole, outside, said, settled=True),
        unsettled_id=headers.mail_id(item.whole, outside, said, settled=False),
    )
