"""Checking a mail's DKIM signatures (RFC 6376) ourselves, where no trusted server has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from pbem.core import Busy, Usage

Dns = Callable[..., bytes | None]
"""Gives the text record of a name such as b"s1._domainkey.example.org."."""

_READ: Final = (
    b"from",
    b"subject",
    b"date",
    b"message-id",
    b"content-type",
    b"content-transfer-encoding",
)
"""The headers that change who wrote a mail, what it says, or when."""

_MOST: Final = 5  # signatures of one mail that are looked at: each may cost a question to the net
_SECONDS: Final = 5


def domains(mail: bytes, dns: Dns | None = None) -> tuple[str, ...]:
    """The domains that have signed this mail as it is, in lower case.

    A signature that leaves open a part of what is read of the mail, or uses SHA-1, is none.
    Raises Problem: Usage without dkimpy, Busy where the net did not answer, so that the mail is
    tried again.
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

    def ask(name: bytes, timeout: int = _SECONDS) -> bytes | None:
        try:
            return (dns or get_txt)(name, timeout=timeout)
        except (dkim.DnsTimeoutError, OSError) as error:
            unanswered.append(error)
            return None

    found = []
    letter = dkim.DKIM(_whole(mail), timeout=_SECONDS)
    names = Counter(name.lower() for name, _ in letter.headers)
    if any(names[header] > 1 for header in _READ):
        return ()  # a signature covers the last of several, and the first is read
    count = names[b"dkim-signature"]
    for nth in range(min(count, _MOST)):
        try:
            good = letter.verify(idx=nth, dnsfunc=ask)
        except dkim.DKIMException:
            continue  # a broken signature proves as little as none
        if good and _covers_all(letter.signature_fields):
            found.append(letter.domain.decode("ascii", "replace").lower())
    if unanswered and not found:
        raise Busy(
            "the key of a DKIM signature could not be asked for ({unanswered}): try again "
            "when the net answers",
            unanswered=unanswered[0],
        )
    return tuple(found)


def _covers_all(fields: dict[bytes, Any]) -> bool:
    """Does a signature cover the whole body, and every header that says how it is read?

    A header that the mail does not have is covered too: so nobody can add it.
    """
    covered = {name.strip().lower() for name in fields[b"h"].split(b":")}
    whole = b"l" not in fields and fields[b"a"].endswith(b"-sha256")
    return whole and covered.issuperset(_READ)


def _whole(mail: bytes) -> bytes:
    """The mail without the line `From …` that mailboxes put in front."""
    mail = mail.lstrip()
    return mail.partition(b"\n")[2] if mail.startswith(b"From ") else mail
