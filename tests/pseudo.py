"""A language that nobody speaks: sentences between marks, their letters accented, a third longer.

What somebody reads in it and has no accents is either a name, a move, an address, or was never a
sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from string import Formatter
from unittest.mock import patch

from babel.messages.pofile import read_po

from pbem.files import languages
from pbem.sentence import Voice

PSEUDO = "qps"
TEMPLATE = Path(__file__).parent.parent / "languages" / "pbem.pot"
BEGINS, ENDS = "⟦⟧"
_ACCENTS = str.maketrans("aeiouycdlnrstzAEIOUYCDLNRSTZ", "áéíóúýćďĺńŕśťźÁÉÍÓÚÝĆĎĹŃŔŚŤŹ")
_VOWELS = re.compile("([áéíóúýÁÉÍÓÚÝ])")
_KEPT = re.compile(r"(`[^`]*`|\[[A-Z]-[^]]*\])")
"""Code, and the ids of rules."""


class Pseudo:
    """The voice of the language."""

    def gettext(self, message: str, /) -> str:
        """A pattern, accented and longer, with the same blanks."""
        return _accented(message)

    def ngettext(self, one: str, many: str, n: int, /) -> str:
        """English has two forms, and so has this."""
        return self.gettext(one if n == 1 else many)


@cache
def _accented(pattern: str) -> str:
    return f"{BEGINS}{''.join(_pieces(pattern))}{ENDS}"


def _pieces(pattern: str) -> Iterator[str]:
    for text, blank, spec, conversion in Formatter().parse(pattern):
        for nth, part in enumerate(_KEPT.split(text)):
            said = part if nth % 2 else _VOWELS.sub(r"\1\1", part.translate(_ACCENTS))
            yield said.replace("{", "{{").replace("}", "}}")
        if blank is not None:
            yield f"{{{blank}{f'!{conversion}' if conversion else ''}{f':{spec}' if spec else ''}}}"


@cache
def sayable() -> frozenset[str]:
    """Every sentence, in each of its forms, as translators have it: what the code says, which takes
    seconds to read, is held against that by a test of its own."""
    with TEMPLATE.open("rb") as file:
        known = [each.id for each in read_po(file)]
    return frozenset(text for one in known for text in ([one] if isinstance(one, str) else one))


@contextmanager
def spoken(*, by_all: bool = False) -> Iterator[None]:
    """Within, there is this language besides the others; or whoever speaks any speaks this one."""
    known, voice = languages.known, languages.voice

    def pseudo(language: str) -> Voice | None:
        return Pseudo() if by_all or language == PSEUDO else voice(language)

    with (
        patch.object(languages, "known", lambda: (*known(), PSEUDO)),
        patch.object(languages, "voice", pseudo),
    ):
        yield


def unsaid(text: str, allowed: frozenset[str]) -> set[str]:
    """The words of a text that no sentence of this language has: English ones, if they are not
    among the names and moves that are allowed."""
    text = re.sub(r"https?://\S+|mailto:\S+|\S+@\S+", " ", text)
    words = re.findall(r"[^\W\d_]{2,}", text)
    return {word for word in words if word.isascii() and word.casefold() not in allowed}
