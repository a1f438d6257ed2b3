"""The policy `authenticated`: a mail server or their own domain's signature vouches for senders.

What the server found out stands in the header Authentication-Results (RFC 8601). Only the topmost
counts, and only if the server that the moderator trusts has written it: the headers below may have
been put there by anybody. If no server is trusted, we check the mail's DKIM signatures (RFC 6376)
ourselves.
"""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

from pbem.intake.rawmail import READ, RawMail
from pbem.problem import Busy, Usage
from pbem.sentence import Sentence, say

_RESULT: Final = re.compile(
    r"\s*([a-z0-9-]{1,40})(?:\s*/\s*\d{1,4})?\s*=\s*([a-z]{1,40})(?!\S)", re.I
)
_PROPERTY: Final = re.compile(r'\s+([a-z0-9_.-]{1,60})\s*=\s*("[^"]*"|[^\s";()]+)', re.I)
_SERVER: Final = re.compile(r'\s*"?([^\s";=]{1,255})"?(?:\s+\d{1,4})?\s*', re.I)
_LONGEST: Final = 8192


class MethodResult(NamedTuple):
    """`dkim=pass header.d=example.org`: method, result and properties, all lower case."""

    method: str
    result: str
    properties: dict[str, str]


def vouched(header: str | None, server: str, sender: str) -> Sentence | None:
    """Why this header does not show that `sender` wrote the mail; None if it does.

    It does if `server` wrote it, and DMARC passed for the sender's domain, or DKIM for that domain
    or one above it. SPF alone says too little: it is about the envelope.
    """
    read = parse(header) if header and len(header) <= _LONGEST else None
    if read is None:
        return say(
            "Nobody can be sure who wrote this message: the mail bears no readable "
            "Authentication-Results"
        )
    wrote, results = read
    if wrote != server.lower():
        return say(
            "Nobody can be sure who wrote this message: the topmost Authentication-Results are by "
            "{wrote}, not {server}",
            wrote=wrote[:80],
            server=server,
        )
    domain = sender.rpartition("@")[2]
    for each in results:
        if each.result != "pass":
            continue
        if each.method == "dmarc" and each.properties.get("header.from") == domain:
            return None
        if each.method == "dkim":
            known = each.properties
            signer = known["header.d"] if "header.d" in known else known.get("header.i", "")
            if belongs(domain, signer.rpartition("@")[2]):
                return None
    return say(
        "Nobody can be sure who wrote this message: {server} vouches neither by DMARC nor by DKIM "
        "for {domain}",
        server=server,
        domain=domain,
    )


def belongs(domain: str, signer: str) -> bool:
    """Is this the signer's domain, or one below it?"""
    return "." in signer and f".{domain}".endswith(f".{signer}")


def parse(header: str) -> tuple[str, list[MethodResult]] | None:
    """The server and its results, in lower case; None if anything breaks the grammar."""
    statements = _statements(header)
    named = _SERVER.fullmatch(statements[0]) if statements else None
    if not statements or not named:
        return None
    results = []
    for statement in statements[1:]:
        if statement.strip().lower() in ("", "none"):
            continue
        result = _result(statement)
        if result is None:
            return None
        results.append(result)
    return named[1].lower(), results


def _result(statement: str) -> MethodResult | None:
    head = _RESULT.match(statement)
    if not head:
        return None
    properties: dict[str, str] = {}
    at = head.end()
    while found := _PROPERTY.match(statement, at):
        # If a property is given twice, neither value is better than the other: then none counts.
        name = found[1].lower()
        properties[name] = "" if name in properties else found[2].strip('"').lower()
        at = found.end()
    return (
        None
        if statement[at:].strip()
        else MethodResult(head[1].lower(), head[2].lower(), properties)
    )


def _statements(header: str) -> list[str] | None:
    """The header cut at its semicolons, without comments; None if a quote or comment is open."""
    parts, depth, quoted, escaped = [""], 0, False, False
    for char in header:
        if escaped:
            escaped, char = False, "_"  # whatever it is, it separates nothing
        elif char == "\\" and (quoted or depth):
            escaped = True
            continue
        elif char == '"' and not depth:
            quoted = not quoted
        elif char in "()" and not quoted:
            depth += 1 if char == "(" else -1
            char = " "
            if depth < 0:
                return None
        elif char == ";" and not quoted and not depth:
            parts.append("")
            continue
        if not depth:
            parts[-1] += char
    return None if depth or quoted else parts


# ------------------------------------------------------------------- signatures of domains

_MOST: Final = 5  # signatures that are checked in one mail: each may cost a look-up on the net
_SECONDS: Final = 5
_BROKEN: Final = (ValueError, LookupError, TypeError, AttributeError)
"""What dkimpy may raise, besides its own errors, over a bad signature or a bad key."""


def domains(mail: RawMail) -> tuple[str, ...]:
    """The domains that have signed this mail as it is, in lower case.

    A signature does not count if it leaves out a part of what is read of the mail, or uses SHA-1;
    none counts in a mail that can be read in two ways.
    Raises Problem: Usage without dkimpy, Busy if the net did not answer, so that the mail is tried
    again.
    """
    try:
        import dkim
    except ImportError as error:
        raise Usage(
            "the desk file asks for a check of DKIM signatures, and the package dkimpy "
            "is not installed: pip install 'pbem[dkim]', or name the mail server that "
            "checks them under `server`"
        ) from error
    from dkim.dnsplug import get_txt

    unanswered = []

    def ask(name: bytes, timeout: int = _SECONDS) -> Any:
        try:
            return get_txt(name, timeout=timeout)
        except (dkim.DnsTimeoutError, OSError) as error:
            unanswered.append(error)
            return None

    found = []
    count = 0 if mail.flaw else len(mail.values("DKIM-Signature"))
    for nth in range(min(count, _MOST)):
        letter = dkim.DKIM(timeout=_SECONDS)
        # Not the raw bytes: what is verified must be what was read.
        letter.headers = [[name, _lines(value + b"\n")] for name, value in mail.headers]
        letter.body = _lines(mail.body)
        try:
            good = letter.verify(idx=nth, dnsfunc=ask)
        except (dkim.DKIMException, *_BROKEN):
            continue  # a broken signature proves as little as none
        if good and _covers_all(letter):
            found.append(letter.domain.decode("ascii", "replace").lower())
    if unanswered and not found:
        raise Busy(
            "the key of a DKIM signature could not be asked for ({unanswered}): try again "
            "when the net answers",
            unanswered=unanswered[0],
        )
    return tuple(found)


def _covers_all(letter: Any) -> bool:
    """Does a signature cover the whole body, and every header that says how it is read?

    A header that the mail does not have must be covered, too, so that nobody can add it.
    """
    fields = letter.signature_fields
    whole = b"l" not in fields and fields[b"a"].endswith(b"-sha256")
    return whole and set(letter.include_headers).issuperset(READ)


def _lines(text: bytes) -> bytes:
    """The text with the line ends that signatures are made over."""
    return text.replace(b"\n", b"\r\n")
