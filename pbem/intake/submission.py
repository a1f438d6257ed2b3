"""What a message holds once it has been read: plain frozen values."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from pbem.intake.rawmail import RawMail
from pbem.intake.text import clean, decoded
from pbem.intake.verbs import VERBS, Verb
from pbem.sentence import Sentence, say

MOST_LINES: Final = 20_000
"""The most lines that are read."""

SIGNATURE: Final = "--"
SIGNATURE_ENDS: Final = "[/signature]"
"""What stands in the text of an HTML mail above the lines of a container for a signature, and below
them if more new text follows."""

NamedPosition = tuple[int | None, str | None]
"""What `#17 a3f9` names: a ply and a fingerprint."""


class Line(NamedTuple):
    """A line of the decoded body, or a part of one; lines are numbered from 1."""

    number: int
    text: str


class Request(NamedTuple):
    """What somebody asks of the desk besides moves: `verb` is one of `VERBS`, `said` the
    request as written; `text` what follows its colon or stands in its block, `position` the one
    it names, `to` whom it is for, as written; `last` its last line, if it has several."""

    verb: str
    line: int
    said: str
    text: str = ""
    position: NamedPosition | None = None
    to: str = ""
    last: int = 0

    @property
    def row(self) -> Verb:
        """What there is to say about its verb."""
        return VERBS[self.verb]

    @property
    def lines(self) -> range:
        """The numbers of its lines."""
        return range(self.line, max(self.line, self.last) + 1)


def spoken(orders: Iterable[str]) -> tuple[str, ...]:
    """Orders as they are compared: neither case nor spacing matters."""
    return tuple(" ".join(order.casefold().split()) for order in orders)


class Ignored(NamedTuple):
    """A line that was not read as an order.

    `why` is one of the keys of `_WHY`; "no move" and "a heading" come from the desk, the others
    from the intake.
    """

    why: str
    line: int
    text: str

    @property
    def told(self) -> Sentence:
        """Why, as its writer is told."""
        return _WHY[self.why]


OLD: Final = ("quote", "attribution", "forwarded", "end of a quote", "below an original")
"""Why lines are left out that were written before."""

_WHY: Final = {
    "quote": say("quote"),
    "attribution": say("says who wrote what follows"),
    "forwarded": say("forwarded"),
    "signature": say("signature"),
    "greeting": say("greeting"),
    "closing": say("closing"),
    "question": say("question"),
    "not ticked": say("not ticked"),
    "struck out": say("struck out"),
    "notice": say("notice"),
    "footer": say("footer"),
    "end of a quote": say("end of a quote"),
    "below an original": say("below an original"),
    "below your name": say("below your name"),
    "outside the fence": say("outside the fence"),
    "no move": say("no move"),
    "a heading": say("a heading"),
}


def told(ignored: Sequence[Ignored]) -> Iterator[Sentence]:
    """What was left out, in sentences, one for each run of lines: a post may quote hundreds."""
    for _, run in groupby(ignored, lambda each: each.why):
        first, *more = run
        values = {"line": first.line, "text": first.text, "why": first.told}
        if more:
            yield say(_RUN, **values, n=len(more))
        else:
            yield say('line {line}, "{text}": {why}', **values)


_RUN: Final = 'line {line}, "{text}", and {n} [line|lines] below it: {why}'


class Submission(NamedTuple):
    """What somebody sent in.

    orders     one text for each move, none of it quoted
    requests   what else it asks of the desk, none of it quoted
    fenced     whether the orders stood in a fence
    placed     whether the fence names its position itself
    outside    what was left out though nothing marks it as old or as no order, such as lines
               outside the fence: the desk asks if the game reads one as a move
    verbatim   the lines that hold the orders, and those left out for an address or a number in
               them, as they stand: the desk asks the game first whether one is a move as a whole
    unexplained  the new lines beside an order that are no furniture of a mail and no everyday talk
    below      the last paragraph, if it is old and nothing marks it as such
    quoted     what stands in a fence that is quoted
    positions  every (ply, fingerprint) that the subject, the fence or the new text names
    subject    those of them that the subject alone names
    match      from the subject, the new text or the move file
    seat       from the fence or the move file
    signature  the code on a line `sign: …`, as written
    sender     the bare address in From, lower case: a claim, not a proof
    author     the forum account that posted it; `author_told`: by whoever handed it in,
               not by the text
    message_id what it is known by: a mail's Message-ID, a post's number or address
    sent       the Date header as written
    written    times by which it had been written, as logs write them, according to the message
               and to whoever took it in
    dropped    what was found to be no order after all, or has been done
    body       the whole decoded text, quotes included
    ignored    what was left out, line by line
    automatic  the header in which a machine admits that it sent this
    attached   the names of files that came with it, which nobody has read
    kind       mail, post, file or text
    mail       the mail this was read from: what a proof of its writer is about
    broken     the same with its lines as they were broken, if some were taken to go on with those
               above though no header says so
    domains    whose DKIM signatures were found to be good; None if nobody has looked
    """

    orders: tuple[Line, ...] = ()
    fenced: bool = False
    positions: tuple[NamedPosition, ...] = ()
    match: str | None = None
    seat: str | None = None
    sender: str | None = None
    sender_name: str | None = None
    message_id: str | None = None
    sent: str | None = None
    body: str = ""
    ignored: tuple[Ignored, ...] = ()
    automatic: str | None = None
    kind: str = "text"
    signature: str | None = None
    author: str | None = None
    author_told: bool = False
    mail: RawMail | None = None
    domains: tuple[str, ...] | None = None
    placed: bool = False
    outside: tuple[Line, ...] = ()
    verbatim: tuple[Line, ...] = ()
    unexplained: tuple[Line, ...] = ()
    below: tuple[Line, ...] = ()
    quoted: tuple[Line, ...] = ()
    subject: tuple[NamedPosition, ...] = ()
    requests: tuple[Request, ...] = ()
    written: tuple[str, ...] = ()
    dropped: tuple[Line, ...] = ()
    attached: tuple[str, ...] = ()
    broken: Submission | None = None

    @property
    def unchecked(self) -> bool:
        """Are there DKIM signatures that nobody has looked at?"""
        return self.domains is None and bool(self.mail and self.mail.first("DKIM-Signature"))

    @property
    def title(self) -> str:
        """The subject of a mail, in plain characters; "" for what is none."""
        return clean(decoded(self.mail.first("Subject") or "")) if self.mail else ""

    @property
    def only_old(self) -> Ignored | None:
        """The first old line of a message in which all is quoted, forwarded or older; else None."""
        if self.orders or self.outside or self.requests or self.fenced:
            return None
        old = all(each.why in (*OLD, "signature", "footer") for each in self.ignored)
        return next((each for each in self.ignored if old and each.why in OLD), None)

    @property
    def attributed(self) -> tuple[Line, ...]:
        """The last paragraph of a message that says nothing but "Ben wrote:" above it."""
        old = self.only_old
        return self.below if old and old.why == "attribution" else ()

    @property
    def asked(self) -> tuple[Line, ...]:
        """All that it wants done, moves and requests in the order of their lines: what a code is
        made for."""
        requests = (Line(request.line, request.said) for request in self.requests)
        said = (*self.orders, *requests, *self.dropped)
        return tuple(sorted(said, key=lambda line: line.number))

    def less(self, orders: Collection[Line] = (), requests: Collection[Request] = ()) -> Submission:
        """The same message without these lines and requests; a code still covers them."""
        gone = {*orders}
        return self._replace(
            orders=tuple(line for line in self.orders if line not in gone),
            outside=tuple(line for line in self.outside if line not in gone),
            unexplained=tuple(line for line in self.unexplained if line not in gone),
            requests=tuple(each for each in self.requests if each not in requests),
            dropped=(*self.dropped, *orders, *(Line(each.line, each.said) for each in requests)),
        )
