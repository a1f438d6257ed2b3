"""The languages pbem can be read in: a catalogue each, found in a checkout as in a wheel."""

from __future__ import annotations

import os
import re
from contextlib import AbstractContextManager
from functools import cache
from typing import Final

from pbem.core import Usage
from pbem.files import data
from pbem.sentence import Voice
from pbem.sentence import speaking as speaking_voice

ENGLISH: Final = "en"
_FOLDER: Final = os.path.join(data.ROOT, "languages")


def known() -> tuple[str, ...]:
    """The languages there are, by their codes: English, then the others."""
    found = (name for name in os.listdir(_FOLDER) if os.path.isfile(_catalogue(name)))
    return (ENGLISH, *sorted(found))


def checked(language: str) -> str:
    """A language as somebody names it: its code. Raises Usage for one there is not."""
    code = language.strip().lower()
    if code not in known():
        raise Usage(
            "there is no language {language!r}; there are {known:all}",
            language=language,
            known=known(),
        )
    return code


def complete(game: str) -> tuple[str, ...]:
    """The languages in which all that a player of a game reads is told: English, and others."""
    import json

    try:
        with open(os.path.join(_FOLDER, "complete.json"), encoding="utf-8") as file:
            return (ENGLISH, *json.load(file).get(game, ()))
    except FileNotFoundError:
        return (ENGLISH,)


CALLED: Final = {
    **dict.fromkeys(("english", "englisch", "anglais", "angol", "angielski"), "en"),
    **dict.fromkeys(("deutsch", "german", "allemand", "német", "niemiecki"), "de"),
    **dict.fromkeys(("français", "francais", "french", "französisch"), "fr"),
    **dict.fromkeys(("magyar", "magyarul", "hungarian", "ungarisch"), "hu"),
    **dict.fromkeys(("polski", "po polsku", "polish", "polnisch"), "pl"),
}
"""What languages are called by those who want them."""


def meant(said: str) -> str:
    """The language somebody asks for, by its code or what they call it. Raises Usage."""
    word = said.strip(" .!").casefold()
    return checked(CALLED.get(word, word))


def several(languages: str) -> tuple[str, ...]:
    """Languages one after the other, as in `de,en`. Raises Usage."""
    return tuple(dict.fromkeys(map(checked, re.split(r"[\s,]+", languages.strip()))))


def speaking(language: str) -> AbstractContextManager[None]:
    """What is written within is written in this language; "" is English."""
    return speaking_voice(voice(language or ENGLISH), language or ENGLISH)


@cache
def voice(language: str) -> Voice | None:
    """What says things in a language; None for English, in which they stand in the code."""
    if not os.path.isfile(_catalogue(language)):  # or there is none here, for a log from elsewhere
        return None
    import gettext

    with open(_catalogue(language), "rb") as file:
        return gettext.GNUTranslations(file)


def text(language: str, name: str) -> str:
    """A text of the docs in another language than English; "" where there is none."""
    try:
        with open(os.path.join(_FOLDER, language, name), encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def _catalogue(language: str) -> str:
    return os.path.join(_FOLDER, language, "LC_MESSAGES", "pbem.mo")
