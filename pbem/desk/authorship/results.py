"""What a mail server found out about a sender: the header Authentication-Results (RFC 8601).

Only what the one server the moderator trusts has written on top of the mail counts: anybody can
put such a header into a mail before that server adds its own.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

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

    It does if `server` wrote it, and DMARC passed for the sender's domain, or DKIM for that
    domain or one that it belongs to. SPF alone says too little: it is about the envelope.
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
            signer = each.properties.get("header.d") or each.properties.get("header.i", "")
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
    """The server and its results, in lower case; None where anything is not by the grammar."""
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
        # The first of two counts for nothing more than the second: then neither does.
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
            escaped, char = False, "_"  # whatever it is, it is no mark
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
