"""The languages pbem can be read in: a catalogue for each, in a checkout and in a wheel alike."""

from __future__ import annotations

import os
import re
from contextlib import AbstractContextManager
from functools import cache
from typing import Final, cast

from pbem.files import data
from pbem.problem import Usage
from pbem.sentence import Untranslated, Voice
from pbem.sentence import speaking as speaking_voice

ENGLISH: Final = "en"
_FOLDER: Final = os.path.join(data.ROOT, "languages")


def known() -> tuple[str, ...]:
    """The codes of all languages there are: English, then the others."""
    found = (name for name in os.listdir(_FOLDER) if os.path.isfile(_catalogue(name)))
    return (ENGLISH, *sorted(found))


def checked(language: str) -> str:
    """The code of a language that somebody typed. Raises Usage if there is no such language."""
    code = language.strip().lower()
    if code not in known():
        raise Usage(
            "there is no language {language!r}; there are {known:all}",
            language=language,
            known=known(),
        )
    return code


def complete(game: str) -> tuple[str, ...]:
    """The languages in which a player of this game can read everything: English, and others."""
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
"""What people call the languages they want, each with its code."""


def meant(said: str) -> str:
    """The language somebody asks for, by its code or what they call it. Raises Usage."""
    word = said.strip(" .!").casefold()
    return checked(CALLED.get(word, word))


def several(languages: str) -> tuple[str, ...]:
    """The codes in a list of languages like `de,en`, each once. Raises Usage."""
    return tuple(dict.fromkeys(map(checked, re.split(r"[\s,]+", languages.strip()))))


def speaking(language: str) -> AbstractContextManager[None]:
    """Write everything within in this language; "" is English."""
    return speaking_voice(voice(language or ENGLISH), language or ENGLISH)


@cache
def voice(language: str) -> Voice | None:
    """The catalogue of a language; None for English, which stands in the code."""
    if not os.path.isfile(_catalogue(language)):  # or none is here, for a log from elsewhere
        return None
    import gettext

    with open(_catalogue(language), "rb") as file:
        found = gettext.GNUTranslations(file)
    found.add_fallback(cast(gettext.NullTranslations, Untranslated()))
    return found


def text(language: str, name: str) -> str:
    """A page of the docs in a language other than English; "" where there is none."""
    try:
        with open(os.path.join(_FOLDER, language, name), encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def _catalogue(language: str) -> str:
    return os.path.join(_FOLDER, language, "LC_MESSAGES", "pbem.mo")
