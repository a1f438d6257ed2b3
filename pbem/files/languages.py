"""The languages pbem can be read in: a catalogue for each, in a checkout and in a wheel alike; and
what a game from outside has beside it, `languages/CODE.yaml` in its DATA."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, suppress
from functools import cache
from typing import Any, Final, cast

from pbem.files import data, yamlio
from pbem.problem import BadFile, Problem, Usage
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
    """The languages in which a player of this game can read everything: English, and others; if it
    is from outside, those it brings."""
    import json

    if game in _BESIDE:
        return (ENGLISH, *sorted({*known()}.intersection(brought(_BESIDE[game]))))

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
    beside: Any = _OfGames(language, vars(found)["plural"])
    found.add_fallback(cast(gettext.NullTranslations, beside))
    return found


# ------------------------------------------------------------------- what games from outside bring

Catalogue = Mapping[str, str | list[str]]
"""What stands for each sentence: a pattern or, for one with a number, its forms."""

_BESIDE: Final[dict[str, str]] = {}
"""The DATA of each game from outside that was loaded: sentences of its own are looked up there."""


def beside(game: str, folder: str) -> None:
    """From now on read the catalogues of a game, whose DATA this is, beside the house's own."""
    _BESIDE[game] = folder


@cache
def brought(folder: str) -> Mapping[str, str]:
    """The catalogues that a game brings in its DATA, by the codes of their languages."""
    place = os.path.join(folder, "languages")
    names = sorted(os.listdir(place)) if os.path.isdir(place) else ()
    return {name.removesuffix(".yaml"): os.path.join(place, name) for name in names}


@cache
def catalogue(path: str) -> Catalogue:
    """A catalogue that a game brings. Raises Problem."""
    found = yamlio.read(path)
    if not isinstance(found, dict) or not all(map(_is_translation, found.values())):
        raise BadFile("expected sentences, each with its translation or a list of its forms", path)
    return found


def _is_translation(value: Any) -> bool:
    forms = value if isinstance(value, list) and value else [value]
    return all(isinstance(each, str) and each for each in forms)


class _OfGames(Untranslated):
    """The voice behind a catalogue of the house: what games from outside have beside it, then
    English."""

    def __init__(self, language: str, form: Callable[[int], int]) -> None:
        self._language, self._form = language, form

    def _found(self, message: str) -> str | list[str] | None:
        for folder in _BESIDE.values():
            path = brought(folder).get(self._language)
            with suppress(Problem):  # a broken one is for its author, and hurts no other match
                if path and (found := catalogue(path).get(message)):
                    return found
        return None

    def gettext(self, message: str, /) -> str:
        """The pattern in this language."""
        found = self._found(message)
        return found if isinstance(found, str) else super().gettext(message)

    def ngettext(self, one: str, many: str, n: int, /) -> str:
        """The form of a pattern with a number that goes with `n`."""
        forms = self._found(one)
        if isinstance(forms, list) and (nth := self._form(n)) < len(forms):
            return forms[nth]
        return super().ngettext(one, many, n)


def has(language: str, sentence: str) -> bool:
    """Has the house's catalogue of a language this sentence, by its pattern for one?"""
    known = vars(voice(language)).get("_catalog", {})
    return sentence in known or (sentence, 0) in known


def plural_forms(language: str) -> int:
    """How many forms of a sentence with a number a language tells apart."""
    form: Callable[[int], int] = vars(voice(language))["plural"]
    return 1 + max(map(form, range(101)))


def text(language: str, name: str) -> str:
    """A page of the docs in a language other than English; "" where there is none."""
    try:
        with open(os.path.join(_FOLDER, language, name), encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def _catalogue(language: str) -> str:
    return os.path.join(_FOLDER, language, "LC_MESSAGES", "pbem.mo")
