"""What is neither quoted nor an order: signatures, greetings, closings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from pbem.intake.quotes import NEW
from pbem.intake.submission import Line
from pbem.intake.words import pieces

_SIGNATURE: Final = re.compile(r"--\s*$")
_DEVICE: Final = re.compile(rf"\s*(?:{pieces('device')})(?!\w)", re.I)
_NAME: Final = r"[A-Z][^\W\d_]*[a-z][^\W\d_]*"  # Ben, not BARI: an order may be one word
_GREETING: Final = re.compile(
    rf"(?i:{pieces('greeting')})(?:"
    rf"(?:,? {_NAME}){{0,3}}[\s,.!:]*|(?: [^\W\d_]+(?:-[^\W\d_]+)?){{1,3}}\s*[,!][\s,.!]*)$"
)
_CLOSING: Final = re.compile(rf"(?i:{pieces('closing')})(?:,? {_NAME}){{0,2}}[\s,.!]*$")
_LONGEST: Final = 120


def unsigned(lines: Sequence[Line], why: Sequence[str]) -> list[str]:
    """Why each line is not new, signatures included.

    Only `--` alone on a line opens a signature; a hyphen in front of a word, a row of dashes
    or "Thanks" does not. It ends where old text begins: an answer may follow below that.
    """
    found = list(why)
    signing = False
    for i, line in enumerate(lines):
        if why[i] not in NEW:
            signing = False
        elif signing or _SIGNATURE.match(line.text):
            signing = True
            found[i] = "signature"
        elif len(line.text) <= _LONGEST and _DEVICE.match(line.text):
            found[i] = "signature"
    return found


def courtesy(text: str) -> str:
    """`greeting`, `closing`, or "" for a line that is neither."""
    if len(text) > _LONGEST:
        return ""
    if _CLOSING.match(text):  # first: "Liebe Grüße" is not to a person called Grüße
        return "closing"
    return "greeting" if _GREETING.match(text) else ""


def is_name(text: str, name: str | None) -> bool:
    """Does the line consist of the sender's name, or its first word?"""
    words = (name or "").casefold().split()
    said = text.casefold().strip(" -~/,.!").split()
    return bool(words) and said in (words, words[:1])
