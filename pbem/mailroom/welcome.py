"""What a stranger is answered: in the languages of all matches of the folder, and in its own words
if it has any. So the answer does not depend on which match is named, nor on whether there is one.
"""

from __future__ import annotations

import os
from typing import Final

from pbem.files import yamlio
from pbem.files.languages import speaking
from pbem.matches.matches import Matches
from pbem.problem import NoFile
from pbem.sentence import Sentence, say

FILES: Final = ("welcome.{language}.txt", "welcome.txt")
"""The files beside the matches that hold a folder's own words; the first there is counts."""


def welcome(matches: Matches, *sentences: Sentence) -> tuple[str, Sentence]:
    """The answer to a stranger, and the language of what stands around it: in each language the
    folder's own words, if there are any, and these sentences. Raises Problem."""
    languages = matches.languages()
    said = list[str]()
    for language in languages:
        with speaking(language):
            said += (_own_words(matches.folder, language), *(each.text() for each in sentences))
    once = dict.fromkeys(filter(None, said))
    return languages[0], say("{text}", text="\n\n".join(once))


def _own_words(folder: str, language: str) -> str:
    """What stands in the folder's file for a language; "" if there is none."""
    for name in FILES:
        try:
            return yamlio.read_text(os.path.join(folder, name.format(language=language))).strip()
        except NoFile:
            continue
    return ""
