"""Mails signed or encrypted with PGP inside their text."""

from __future__ import annotations

from typing import Final

from pbem.intake.document import Document
from pbem.intake.submission import Ignored, Line
from pbem.problem import BadFile

_SIGNED: Final = "-----BEGIN PGP SIGNED MESSAGE-----"
_SIGNATURE: Final = "-----BEGIN PGP SIGNATURE-----"
_END: Final = "-----END PGP SIGNATURE-----"
_ENCRYPTED: Final = "-----BEGIN PGP MESSAGE-----"


def taken_off(page: Document) -> Document:
    """A clear-signed text without what PGP put around it.

    The signature is not checked: it proves nothing about who wrote the mail.
    """
    if not any(line.text.startswith("-----BEGIN PGP SIG") for line in page.lines):
        return page
    kept: list[Line] = []
    ignored: list[Ignored] = []
    part = ""
    for line in page.lines:
        text = line.text.strip()
        if text in (_SIGNED, _SIGNATURE):
            part = "head" if text == _SIGNED else "signature"
        elif part == "head" and not text:
            part = "text"
        elif part == "text" and line.text.startswith("- -"):
            kept.append(Line(line.number, line.text[2:]))
            continue
        elif not part or part == "text":
            kept.append(line)
            continue
        kept.append(Line(line.number, ""))
        if text:
            ignored.append(Ignored("signature", line.number, text))
        if text == _END:
            part = ""
    return page.without(kept, ignored)


def refuse_encrypted(page: Document) -> Document:
    """Raises Problem at the first new line that begins an encrypted message."""
    for line in page.pick():
        if line.text.strip() == _ENCRYPTED:
            raise BadFile(
                "the text is encrypted with PGP and cannot be read: send it unencrypted; a "
                "signature does no harm",
                page.path,
                line.number,
            )
    return page
