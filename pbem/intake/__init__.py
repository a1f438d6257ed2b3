"""Reads what a player sent in: a mail, a forum post, a move file or plain text.

Knows no game. What comes out is a `Submission`: the new text that may be an order, and
everything that says which match, seat and position it is meant for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from pbem.intake import rawmail
from pbem.intake.rawmail import LARGEST, RawMail
from pbem.intake.submission import Ignored, Line, NamedPosition, Request, Submission, spoken
from pbem.problem import BadFile, EmptyMail

if TYPE_CHECKING:
    from pbem.intake.mail import ParsedMail

__all__ = [
    "Ignored",
    "Line",
    "NamedPosition",
    "Request",
    "Submission",
    "fresh",
    "read",
    "read_mail",
    "spoken",
]

_KINDS: Final = ("mail", "file", "text")
_MOST_ADDED: Final = 100_000  # characters of an HTML version that are compared


def read(source: bytes, name: str, kind: str | None = None) -> Submission:
    """Read what somebody sent in.

    `name` is the file's name, for messages and, if `kind` (mail, file or text) is not given, to
    guess it. Raises Problem if the source cannot be read, or if nobody can tell which of its
    lines are the order.
    """
    kind = kind or _kind(source, name)
    if kind not in _KINDS:
        raise BadFile(
            "unknown kind {kind!r}: expected one of {kinds:all}", name, kind=kind, kinds=_KINDS
        )
    if kind == "mail":
        if len(source) > LARGEST:
            raise BadFile(
                "the mail is {source:,} bytes long; at most {largest:,} are read. Save it "
                "without its attachments",
                name,
                source=len(source),
                largest=LARGEST,
            )
        return read_mail(rawmail.read(source), name)
    from pbem.intake.text import of_file

    text = of_file(source, name)
    if kind == "file":
        return _read_file(text, name)
    from pbem.intake import forum
    from pbem.intake.order import interpret

    if forum.looks_like_post(text):
        return forum.read(source, name)

    return interpret(text, name, markdown=True)


def _kind(source: bytes, name: str) -> str:
    ending = name.lower().rpartition(".")[2]
    if ending in ("yaml", "yml"):
        return "file"
    if ending == "eml":
        return "mail"
    return "mail" if rawmail.looks_like_mail(source) else "text"


def read_mail(raw: RawMail, path: str) -> Submission:
    """Read a mail that has been taken apart. Raises Problem as `read` does."""
    from pbem.intake.mail import parse

    mail = parse(raw, path)
    found = _read_parsed(raw, mail, path)
    if not mail.joined:
        return found
    try:
        return found._replace(broken=_read_parsed(raw, parse(raw, path, broken=True), path))
    except BadFile:  # not so, then: its HTML version holds these lines whole
        return found


def _read_parsed(raw: RawMail, mail: ParsedMail, path: str) -> Submission:
    from pbem.intake import order
    from pbem.intake.courtesy import is_device
    from pbem.intake.text import require_text

    if mail.unread and not mail.text.strip():
        raise mail.unread
    written = order.in_subject(mail.subject)
    empty = all(not line.strip() or is_device(line) for line in mail.text.splitlines())
    if empty and not written:
        raise EmptyMail(
            "your mail was empty. Write your moves in the mail itself, not in the subject", path
        )
    if not empty:
        require_text(mail.text, path)
    signed = _signed(mail.html, mail.text) if mail.html else frozenset[int]()
    found = order.interpret(
        mail.text, path, markdown=False, sender_name=mail.sender_name, signed=signed
    )
    if signed and not found.orders:  # somebody has written into the container
        found = order.interpret(mail.text, path, markdown=False, sender_name=mail.sender_name)
    if empty:
        found = found._replace(quoted=written)
    added = _added(mail.html, mail.text) if mail.html and found.orders else []
    if mail.html and (found.fenced or "[s]" in mail.html or added):
        shown = order.interpret(mail.html, path, markdown=False, sender_name=mail.sender_name)
        _refuse_other_version(found, shown, path)
        _refuse_added(added, shown, path)
    if mail.unread and not found.requests and _only_point_to_them(found):
        raise mail.unread
    match, positions = order.named_in(mail.subject)
    thread = bool(raw.first("In-Reply-To") or raw.first("References"))
    # What seems to be a machine's is read only on the word of somebody who has seen its title.
    new = found.orders and not mail.automatic
    title = order.in_title(mail.subject, thread=thread) if new else ()
    if match and found.match and match != found.match:
        raise BadFile(
            "the subject names match {match!r}, the text {match2!r}",
            path,
            match=match,
            match2=found.match,
        )
    return found._replace(
        kind="mail",
        positions=tuple(dict.fromkeys((*found.positions, *positions))),
        unexplained=(*title, *found.unexplained),
        subject=tuple(each for each in positions if each not in found.positions),
        match=found.match or match,
        sender=mail.sender,
        sender_name=mail.sender_name,
        message_id=mail.message_id,
        sent=mail.sent,
        written=mail.written,
        automatic=mail.automatic,
        attached=mail.attachments,
        mail=raw,
    )


def fresh(source: bytes, name: str) -> tuple[tuple[str, ...], int]:
    """The new lines of a mail, and how many it quotes. Raises Problem if nobody can tell."""
    from pbem.intake import order
    from pbem.intake.mail import parse

    return order.fresh(parse(rawmail.read(source), name).text, name)


def _signed(rich: str, plain: str) -> frozenset[int]:
    """The numbers of the lines of the plain text that stand in the HTML version in a container for
    a signature; none if that text does not occur just once, with something above it."""
    from pbem.intake.courtesy import unlinked
    from pbem.intake.submission import SIGNATURE, SIGNATURE_ENDS
    from pbem.intake.words import tokens

    above, label, below = f"\n{rich}\n".partition(f"\n{SIGNATURE}\n")
    held = below.partition(f"\n{SIGNATURE_ENDS}\n")[0].partition("\n>")[0]
    said = tokens(unlinked(held)) if label and above.strip() else ()
    lines = [tokens(unlinked(line)) for line in plain.split("\n")] if said else []
    found = list[range]()
    for first, line in enumerate(lines):
        left, last = said, first
        while left and last < len(lines) and lines[last] == left[: len(lines[last])]:
            left, last = left[len(lines[last]) :], last + 1
        if line and not left:
            found.append(range(first + 1, last + 1))
    return frozenset(found[0]) if len(found) == 1 and any(lines[: found[0][0] - 1]) else frozenset()


def _refuse_other_version(plain: Submission, rich: Submission, path: str) -> None:
    """Raises Problem if the HTML version of a mail says something other than its plain text."""
    if plain.fenced and rich.fenced and _said(plain) != _said(rich):
        raise BadFile(
            "the plain text and the HTML version of the mail hold different orders:"
            " send it as plain text",
            path,
        )
    struck = set(spoken(each.text for each in rich.ignored if each.why == "struck out"))
    for line, text in zip(plain.asked, _said(plain), strict=True):
        if any(text in gone or gone in text for gone in struck):
            raise BadFile(
                "{text!r} is struck out in the HTML version of the mail and stands in its plain "
                "text: send the order that counts as plain text",
                path,
                line.number,
                text=line.text[:60],
            )


def _added(rich: str, plain: str) -> list[str]:
    """The lines of the HTML version that the plain text lacks and that may take something back."""
    from pbem.intake.caveats import caveat
    from pbem.intake.courtesy import unlinked
    from pbem.intake.words import tokens

    known, lines = {*plain.split("\n")}, rich[:_MOST_ADDED].split("\n")
    lines = [line for line in lines if line not in known and line[:1] != ">" and caveat(line)]
    said = f" {' '.join(tokens(unlinked(plain)))} " if lines else ""
    return [line for line in lines if f" {' '.join(tokens(unlinked(line)))} " not in said]


def _refuse_added(added: Sequence[str], rich: Submission, path: str) -> None:
    """Raises Problem for such a line, unless a program added it or nobody sees it."""
    for line in rich.unexplained if rich.fenced else (*rich.orders, *rich.unexplained):
        if any(line.text in each for each in added):
            raise BadFile(
                "{text!r} stands in the HTML version of the mail alone, and may take your moves "
                "back: send the moves that count as plain text",
                path,
                text=line.text[:60],
            )


def _said(found: Submission) -> tuple[str, ...]:
    return spoken(line.text for line in found.asked)


def _only_point_to_them(found: Submission) -> bool:
    """Do all new lines, if there are any, say "see attached" and no more?"""
    from pbem.intake.words import phrases, tokens

    said = phrases("courtesies", "attached")
    return all(tokens(line.text) in said for line in (*found.orders, *found.outside))


def _read_file(text: str, path: str) -> Submission:
    from pbem.files import yamlio
    from pbem.files.data import schema_text
    from pbem.intake import asking
    from pbem.intake.order import moves, named_in

    data: dict[str, Any] = yamlio.parse(text, path)
    problems = yamlio.validate(data, schema_text("move"), text, path)
    if problems:
        first = problems[0]
        raise BadFile(
            "{first}[| (the first of {n} problems)]",
            path,
            first.line,
            first.column,
            n=len(problems),
            first=first.sentence,
        )
    at = yamlio.places(text, [("moves", i) for i in range(len(data["moves"]))])
    lines = [Line(at["moves", i][0], move) for i, move in enumerate(data["moves"])]
    found = [asking.taken(line, moves(line)) for line in lines]
    return Submission(
        orders=tuple(move for _, rest in found for move in rest),
        verbatim=tuple(lines),
        requests=tuple(request for wanted, _ in found for request in wanted),
        fenced=True,
        positions=named_in(data.get("position", ""))[1],
        match=data.get("match"),
        seat=data.get("seat"),
        signature=data.get("sign"),
        body=text,
        kind="file",
    )
