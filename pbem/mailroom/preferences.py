"""How a person wants to be written to, in all matches of a folder: each person's settings.

A line of a mail sets one, as does `pbem seat`; the newest counts. Nothing here writes a letter.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from pbem.core import Seat
from pbem.desk.address import Address
from pbem.desk.file import Desk, Webhook, posted_safely
from pbem.files import languages
from pbem.intake.settings import (
    HTML,
    LANGUAGE,
    MAILS,
    PICTURES,
    POSTS,
    TEXT_ONLY,
    WEBHOOK,
    ZONE,
    preferred,
)
from pbem.log import clock
from pbem.log.match import Replay
from pbem.log.ruling import Asks
from pbem.mailroom.daybook import Book, Daybook, Keeps, book_of, tell_anew
from pbem.problem import Usage
from pbem.sentence import Sentence, say

EACH: Final = "each"
ONCE: Final = "once"
SHORT: Final = "short"
ON, OFF = "yes", "no"
HTTPS: Final = 443
"""The only port of a webhook that the moderator has not named."""
OURS: Final = "desk"
"""What stands behind a webhook that the moderator has named."""


class Setting(NamedTuple):
    """One setting and its value, as the daybook has them."""

    name: str
    value: str


class Preferences(NamedTuple):
    """What a person has set. `mails` is EACH, ONCE or an hour like 18:00; `zone` and `language` are
    "" to use those of each match; `pictures` is None if nothing was set; their turns are posted to
    the `webhook`, which must lie `abroad` unless the moderator has named it."""

    mails: str = EACH
    text: bool = False
    pictures: bool | None = None
    zone: str = ""
    posts: str = ""
    language: str = ""
    webhook: Webhook | None = None
    abroad: bool = False

    @staticmethod
    def of(book: Book, person: Address) -> Preferences:
        """What a person has set, as the daybook has it."""
        known = book.of(person)
        pictures = known.get(PICTURES)
        url, field, named_by = (*known.get(WEBHOOK, "").split(), "", "", "")[:3]
        return Preferences(
            known.get(MAILS, EACH),
            known.get(TEXT_ONLY) == ON,
            None if pictures is None else pictures == ON,
            known.get(ZONE, ""),
            known.get(POSTS, ""),
            known.get(LANGUAGE, ""),
            Webhook(url, field) if url else None,
            # Earlier versions did not note who had named it; this one only the moderator could.
            named_by != OURS and posted_safely(url, elsewhere=True),
        )


# ----------------------------------------------------------------------- what a line sets


def read(line: str, *, ours: bool = False) -> Setting:
    """What a line like `mails daily 18:00` sets; `ours` if it is from the moderator, whose webhook
    may be on this machine. Raises Usage for what cannot be set like this."""
    found = preferred(line)
    assert found is not None
    name, value = found
    if name == HTML:
        return Setting(TEXT_ONLY, OFF)
    if name == WEBHOOK:
        return Setting(WEBHOOK, _webhook(value, ours))
    return Setting(name, _CHECKS.get(name, str)(value))


def setting(name: str, given: str | bool) -> Setting:
    """A setting by its name, as `pbem seat` gives it. Raises Usage."""
    value = given if isinstance(given, str) else ON if given else OFF
    if (found := preferred(f"{name}: {value}")) is None or found[0] != name:
        raise Usage("{value!r} is no way to set {name}", value=value, name=name)
    return read(f"{name}: {value}", ours=True)


def option(chosen: Setting) -> tuple[str, ...]:
    """A setting as `pbem seat` is given it."""
    name, value = OPTIONS[chosen.name].name, chosen.value
    if OPTIONS[chosen.name].either:
        return (f"--{name}" if value == ON else f"--no-{name}",)
    if chosen.name == MAILS and value not in (EACH, ONCE):
        value = f"daily {value}"
    return (f"--{name}", value)


OPTIONS: Final[Mapping[str, Asks]] = {
    ZONE: Asks("zone", "ZONE", "Their letters tell deadlines in it; '': the match's."),
    PICTURES: Asks(
        "pictures", "", "Whether their mails bring the board as a picture.", either=True
    ),
    MAILS: Asks("mails", "WHEN", "Their mails: each, once, or 'daily 18:00'."),
    TEXT_ONLY: Asks("text-only", "", "Whether their mails are text alone.", either=True),
    POSTS: Asks("posts", "FORM", "short: the board when it is their turn; whole."),
    WEBHOOK: Asks(
        "webhook", "URL [FIELD]", "Where it is posted that it is their turn; none: nowhere."
    ),
    LANGUAGE: Asks("language", "LANGUAGE", "Of their mails, like de; '': that of each match."),
}
"""What can be set, and by which option of `pbem seat`."""


def _mails(value: str) -> str:
    import re

    if value in (EACH, ONCE):
        return value
    found = re.fullmatch(r"daily (\d{1,2})(?:[:.](\d\d))?", value)
    if found is None or int(found[1]) > 23 or int(found[2] or 0) > 59:
        raise Usage(
            "{value!r} is no way to get mails; write `mails each`, `mails once` or `mails daily "
            "18:00`",
            value=value,
        )
    return f"{int(found[1]):02}:{found[2] or '00'}"


def _zone(value: str) -> str:
    if value:
        clock.zone(value)
    return value


def _webhook(value: str, ours: bool) -> str:
    url, _, field = value.partition(" ")
    if "://" not in url:
        return ""
    hook = Webhook(url, field)
    if not posted_safely(url, elsewhere=not ours) or not (
        ours or urlsplit(url).port in (None, HTTPS)
    ):
        raise Usage(_NO_WEBHOOK)
    field = field or ("content" if "discord" in hook.host else "text")
    return f"{url} {field} {OURS}" if ours else f"{url} {field}"


_NO_WEBHOOK: Final = (
    "a webhook is the https:// address of a chat program, without a name, password or port in it"
)


_CHECKS: Final[Mapping[str, Callable[[str], str]]] = {
    MAILS: _mails,
    ZONE: _zone,
    LANGUAGE: lambda value: value and languages.meant(value),
}
"""What turns the value in a line into the one that is kept, or finds fault with it."""


def confirmed(chosen: Setting, zone: str) -> Sentence:
    """What somebody who has chosen a setting is told; an hour is told in this zone."""
    name, value = chosen
    kind = (name, value) if (name, value) in _TOLD else (name, "*")
    host = Webhook(*value.split()).host if kind == (WEBHOOK, "*") else ""
    return say(_TOLD[kind], hour=value, zone=zone, name=value, host=host)


_TOLD: Final[Mapping[tuple[str, str], str]] = {
    (MAILS, EACH): "From now on you get a mail whenever something has happened.",
    (MAILS, ONCE): (
        "From now on you get one mail about a match, and nothing more about it until you answer; "
        "but for its end, and what a deadline asks for."
    ),
    (MAILS, "*"): (
        "From now on you get one mail a day, at {hour} ({zone}), with what has happened in all "
        "your matches. What begins, what you ask, and what a deadline asks for, comes at once."
    ),
    (TEXT_ONLY, ON): "From now on your mails are text only.",
    (TEXT_ONLY, OFF): "From now on your mails come in HTML, too.",
    (PICTURES, ON): "From now on your mails bring the board as a picture, where we paint one.",
    (PICTURES, OFF): "From now on your mails bring no pictures.",
    (ZONE, ""): "From now on you are told times in the zone of each match.",
    (ZONE, "*"): "From now on you are told times in the zone {name}.",
    (LANGUAGE, ""): "From now on your mails are in the language of each match.",
    # Told in the chosen language: each translation names its own.
    (LANGUAGE, "*"): "From now on your mails are in English.",
    (WEBHOOK, ""): "From now on no chat program is told when it is your turn.",
    (WEBHOOK, "*"): (
        "From now on it is posted to {host}, too, when it is your turn in one of your matches: "
        "what everybody may know, once a question. A line with webhook: none ends that."
    ),
    (POSTS, SHORT): (
        "From now on your mails bring the board when it is your turn; the one word board brings "
        "it at any time."
    ),
    (POSTS, "*"): "From now on your mails bring the whole board.",
}
"""What is said of each setting and value; `*` is any other."""


# ------------------------------------------------------------------------- what follows


def note(folder: str, person: Address, chosen: Iterable[Setting]) -> Preferences:
    """Note settings on the moderator's word. Raises Problem."""
    with Daybook(folder).locked() as book:
        for each in chosen:
            prefer(book, person, each)
    return Preferences.of(book, person)


def follow(log: str, before: Address, person: Address) -> None:
    """Carry what was set at one address over to another, where its owner is written to now, unless
    something was set there; of a match they are told again what did not arrive. Raises Problem."""
    folder = os.path.dirname(log) or "."
    known = book_of(folder)
    theirs, own = ([each for each in OPTIONS if each in known.of(who)] for who in (before, person))
    if theirs and not own:
        note(folder, person, (Setting(each, known.of(before)[each]) for each in theirs))
    tell_anew(log, before, person)


def prefer(book: Daybook, person: Address, chosen: Setting) -> None:
    """Note a setting; call it while the book is `locked`. Raises Problem."""
    if book.of(person).get(chosen.name) != chosen.value:
        book.add(Keeps(person, *chosen))


def of_seats(desk: Desk, book: Book) -> dict[Seat, Preferences]:
    """What the person at each seat has set, for the seats that have an address."""
    return {seat: Preferences.of(book, person) for seat, person in desk.written_to.items()}


def languages_of(book: Book) -> tuple[tuple[Address, str], ...]:
    """The languages of those who have chosen one, "" for that of each match."""
    chosen = ((person, wants.get(LANGUAGE)) for person, wants in sorted(book.values.items()))
    return tuple((person, language) for person, language in chosen if language is not None)


def applied(desk: Desk, book: Book) -> Desk:
    """A desk file with the zones, pictures and languages that the people it names have chosen, be
    it those of each match."""
    zones, pictures, spoken = {**desk.zones}, {**desk.pictures}, {**desk.languages}
    for seat, person in desk.written_to.items():
        chosen = book.of(person)
        if ZONE in chosen:
            zones[seat] = chosen[ZONE]
        if PICTURES in chosen:
            pictures[seat] = chosen[PICTURES] == ON
        if LANGUAGE in chosen:
            spoken[seat] = chosen[LANGUAGE]
    return replace(desk, zones=zones, pictures=pictures, languages=spoken)


def zone_of(book: Book, person: Address, seat: Seat, match: Replay, desk: Desk) -> str:
    """The zone in which an hour is meant: that of the person at a seat, the match's, or UTC."""
    chosen: str = book.of(person).get(ZONE, desk.zones.get(seat, ""))
    settings = match.log.so_far().timing.settings
    return chosen or (settings.zone if settings else "UTC")


def next_hour(after: str, hour: str, zone: str) -> str:
    """The first moment after one at which it is this hour in a zone."""
    day = clock.day_of(after, zone)
    today = clock.tick(day, hour, zone)
    return today if today > after else clock.tick(day + timedelta(days=1), hour, zone)
