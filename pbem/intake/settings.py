"""How a line sets the way its writer is written to: `mails daily 18:00`, `no pictures`."""

from __future__ import annotations

import re
from typing import Final

MAILS: Final = "mails"
TEXT_ONLY: Final = "text"
HTML: Final = "html"
PICTURES: Final = "pictures"
ZONE: Final = "zone"
POSTS: Final = "posts"
LANGUAGE: Final = "language"
WEBHOOK: Final = "webhook"

_LONGEST: Final = 60  # characters of a line that is a setting and no more
_ADDRESS: Final = 600  # and of one with an address in it


def preferred(text: str) -> tuple[str, str] | None:
    """The setting a line is about, and the value it wants, as far as that can be read; None if it
    is about something else."""
    most = _ADDRESS if text.lstrip()[:7].casefold() == WEBHOOK else _LONGEST
    if len(text) > most or not _TELLTALE.search(text.casefold()):
        return None
    said = " ".join(text.split()).strip(" .!")
    for name, pattern in _PREFERRED.items():
        if found := re.fullmatch(pattern, said, re.IGNORECASE):
            if name == WEBHOOK:
                return name, " ".join(filter(None, found.groups()))
            value = next((each for each in found.groups() if each is not None), "")
            if name in (ZONE, LANGUAGE):
                return name, value.strip("'")
            return name, _VALUES.get(value.casefold(), _hourly(value.casefold()))
    return None


def _hourly(value: str) -> str:
    """A value like `täglich um 18 Uhr`, in English."""
    found = re.fullmatch(r"(?:daily|täglich|taeglich)(?:,? (?:at|um))? ?(.*?)(?: ?uhr)?", value)
    return f"daily {found[1]}" if found else value


_TELLTALE: Final = re.compile(
    f"mail|text|html|pictures|bilder|zone|posts|beitr|language|sprache|langue|nyelv|język|{WEBHOOK}"
)
_PREFERRED: Final = {
    MAILS: r"mails?:? (each|every|all|once|einzeln|alle|einmal|(?:daily|täglich|taeglich)\b.*)"
    r"|mails?: ?(.+)",
    TEXT_ONLY: r"(?:plain )?text only(?:: ?(yes|no))?|nur text|text: ?(yes|no|only)|only text",
    HTML: r"(?:with )?html|mit html",
    PICTURES: r"(?:pictures|bilder)(?::? ?(yes|no|on|off|ja|nein|an|aus))?"
    r"|(?:with|(no)|mit|(keine)|without|ohne) (?:pictures|bilder)",
    ZONE: r"(?:(?:time ?)?zone|zeitzone)(?:: ?| )([^\s:]*[/A-Z][^\s:]*|''|UTC)|zone: ?(\S*)",
    LANGUAGE: r"(?:languages?|sprache|langue|nyelv|język): ?(\S.*|)",
    POSTS: r"(?:posts|mails|beiträge|beitraege):? ?(short|whole|long|kurz|ganz)",
    WEBHOOK: r"webhook:? ?<?(\w+://[^\s<>]+|none|no|off|nein|aus)>?(?: ([\w-]{1,40}))?",
}
_VALUES: Final = {
    **dict.fromkeys(("each", "every", "all", "every one", "einzeln", "alle"), "each"),
    **dict.fromkeys(("once", "einmal"), "once"),
    **dict.fromkeys(("", "yes", "on", "ja", "an", "only"), "yes"),
    **dict.fromkeys(("no", "off", "nein", "aus", "keine"), "no"),
    **dict.fromkeys(("short", "kurz"), "short"),
    **dict.fromkeys(("whole", "long", "ganz"), "whole"),
}
