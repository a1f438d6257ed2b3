"""Checking a mail's DKIM signatures (RFC 6376) ourselves, where no trusted server has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from pbem.core import Busy, Usage
from pbem.intake.rawmail import READ, RawMail

Dns = Callable[..., bytes | None]
"""Gives the text record of a name such as b"s1._domainkey.example.org."."""

_MOST: Final = 5  # signatures of one mail that are looked at: each may cost a question to the net
_SECONDS: Final = 5
_BROKEN: Final = (ValueError, LookupError, TypeError, AttributeError)
"""What dkimpy trips over besides its own errors, in a signature or in a key from the net."""


def domains(mail: RawMail, dns: Dns | None = None) -> tuple[str, ...]:
    """The domains that have signed this mail as it is, in lower case.

    A signature that leaves open a part of what is read of the mail, or uses SHA-1, is none, and so
    is every one of a mail that can be read in two ways.
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
    count = 0 if mail.flaw else len(mail.values("DKIM-Signature"))
    for nth in range(min(count, _MOST)):
        letter = dkim.DKIM(timeout=_SECONDS)
        # Not the bytes: what is verified here is what was read.
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

    A header that the mail does not have is covered too: so nobody can add it.
    """
    fields = letter.signature_fields
    whole = b"l" not in fields and fields[b"a"].endswith(b"-sha256")
    return whole and set(letter.include_headers).issuperset(READ)


def _lines(text: bytes) -> bytes:
    """With the line ends that signatures are made over."""
    return text.replace(b"\n", b"\r\n")
