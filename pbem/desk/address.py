"""Mail addresses: checked once on the way in, and from then on values nobody reads again.

An address that can be written or read in two ways could send a hand of cards to the wrong person.
So only the plain form counts, `NAME@HOST` in ASCII: no comments, no quotes, nothing encoded.
"""

from __future__ import annotations

import re
from typing import Final, NewType

from pbem.problem import Usage

Address = NewType("Address", str)
"""A mail address that has been checked: lower case, its host in ASCII."""

_LONGEST: Final = 254
_ATOM: Final = r"[a-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL: Final = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_PLAIN: Final = re.compile(rf"(?=.{{1,64}}@){_ATOM}(?:\.{_ATOM})*@{_LABEL}(?:\.{_LABEL})*")
_TWO_HOSTS: Final = re.compile("[ßς\u200c\u200d]")
"""Characters that the older and the newer rules for host names turn into different ASCII."""


def read(text: str) -> Address:
    """The address that a text holds. Raises Usage if it is not one."""
    name, at, host = text.partition("@")
    if at and not host.isascii():
        host = _ascii(host, text)
    plain = f"{name}{at}{host}".lower()
    if not plain.isascii():
        raise Usage(
            "{text!r}: only ASCII letters, digits and signs can stand before the @ of a mail "
            "address; give another address",
            text=text[:80],
        )
    # Some program on the way would decode what looks like an encoded word.
    if len(plain) > _LONGEST or not _PLAIN.fullmatch(plain) or "=?" in plain:
        raise Usage("{text!r} is no mail address; write it like ana@example.org", text=text[:80])
    return Address(plain)


def found(text: str) -> Address | None:
    """The address that a text holds; None if it is not one."""
    try:
        return read(text)
    except Usage:
        return None


def _ascii(host: str, text: str) -> str:
    """A host in ASCII, as mail servers know it. Raises Usage."""
    if not _TWO_HOSTS.search(host):
        try:
            return host.encode("idna").decode("ascii")
        except UnicodeError:
            pass  # refused below
    raise Usage(
        "{text!r}: write the part behind the @ as mail servers do, beginning with xn--",
        text=text[:80],
    )
