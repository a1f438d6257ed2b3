"""`away 2026-12-20 to 2027-01-05`, `back`: a line that says when its writer is away, in
English, German, French, Hungarian or Polish. Without a year, the next date that fits is meant."""

from __future__ import annotations

import re
from datetime import date, timedelta
from functools import cache
from itertools import pairwise
from typing import Final, NamedTuple

from pbem.core import Unreadable
from pbem.intake.words import expression, phrases, tokens
from pbem.sentence import dated


class AwayDates(NamedTuple):
    """What somebody announced: that they are away from the first of these dates to the last, both
    included; or, without `last`, that they are back from the first on."""

    first: str
    last: str = ""


_CLAUSE: Final = re.compile(r"(?:(?<!\d)\.|[!?\u2026:;,()])+(?=\s|$)|\n\s*\n|\s[-\u2013]\s")
_TYPICAL: Final = r"(?<!\w)<absent>\w*"
_DEEDS: Final = "build play take draw discard remove pass move rob swap".split()
_SUBJECT: Final = r"<away>\s*(?::|$|-\s|\()|.*\(<away>\)$"
MONTHS: Final = {
    name[:length]: number
    for number, names in enumerate(
        "january januar,february februar,march marz maerz,april,may mai,june juni,july juli,august,"
        "september,october oktober,november,december dezember".split(","),
        1,
    )
    for name in names.split()
    for length in (3, len(name), 4 if number == 9 else 3)
} | {
    name: number
    for number, names in enumerate(
        "janvier janv januar stycznia sty enero gennaio,"
        "fevrier fevr februar febr lutego lut febrero febbraio,"
        "mars marcius marc marca mrz marzo,avril avr aprilis apr kwietnia kwi abril aprile,"
        "mai majus maj maja mayo maggio,juin junius jun czerwca cze junio giugno,"
        "juillet juil julius jul lipca lip julio luglio,aout augusztus sierpnia sie agosto,"
        "septembre sept szeptember szept wrzesnia wrz septiembre settembre,"
        "octobre oktober pazdziernika paz octubre ottobre,novembre listopada lis noviembre,"
        "decembre dec grudnia gru diciembre dicembre".split(","),
        1,
    )
    for name in names.split()
}
"""The months, by their names as `tokens` has them."""

_DAY: Final = (
    r"(?:\d{4}-\d\d-\d\d"
    r"|\d{1,2}\.\s?\d{1,2}\.(?:\s?\d{4})?"
    r"|\d{1,2}(?:st|nd|rd|th|er|\.)?\s+(?:of\s+|de\s+)?[^\W\d_]{3,12}\.?(?:,?\s+\d{4})?"
    r"|[^\W\d_]{3,12}\.?\s+\d{1,2}(?!\d|\.\s?\d{1,2}\.)(?:st|nd|rd|th|\.)?(?:,?\s+\d{4})?)"
)


def _line(pattern: str) -> str:
    """A pattern in which DAY stands for a date as people write it; it is compiled on first use."""
    return pattern.replace("DAY", _DAY)


_SAID: Final = (
    *("away", "abwesend", "weg", "absent", "távol", "nieobecn"),
    *("back", "zurück", "zurueck", "wieder da", "de retour", "z powrotem"),
)
_AWAY: Final = _line(
    r"(?:i'm |i am |ich bin |je suis |je serai |jestem |będę )?"
    r"(?:GONE\b[:,]?\s*(.*)|(.*\d.*?)\s+GONE[.!]?)".replace(
        "GONE", "(?:away|abwesend|weg|absente?|távol|nieobecn[aey])"
    )
)
_BACK: Final = _line(
    r"(?:i'm |i am |ich bin |je suis )?"
    r"(?:back|zurück|zurueck|wieder da|de retour|z powrotem)\b[:,]?\s*"
    r"(?:(?:from|on|since|ab|am|seit|le|depuis|od)?\s*(?:dem\s+)?(DAY))?(?:\s+on)?[.!]?"
)
_SPAN: Final = _line(
    r"(?:from|vom|von|ab|du|od|del|dal)?\s*(DAY|\d{1,2}(?:er|st|nd|rd|th|\.)?)"
    r"(?:-?t[óő]l|\s*(?:to|until|till|through|bis(?: zum)?|au|do|al\b|[-\u2013]))\s*"
    r"(DAY|\d{1,2}(?:st|nd|rd|th|\.)?)(?:-?[áé]?ig)?[.!]?"
)
_BARE: Final = r"(\d{1,2})(?:er|st|nd|rd|th|\.)?"
_NUMBER: Final = r"(?<![\d-])\d{1,2}(?!\d)|\d\d$"
"""The day in a date."""
_UNTIL: Final = _line(
    r"(?:until|till|to|bis(?: zum)?|jusqu'au|au|do|hasta(?: el)?|fino al)\s+(DAY)[.!]?"
    r"|(DAY)-?(?:ig|éig|áig)[.!]?"
)
_ONE: Final = _line(r"(?:on|am|le)?\s*(DAY)[.!]?")


def is_away(subject: str) -> bool:
    """Does a subject look like that of an automatic answer? A person's answer to one says `Re:`
    first."""
    return expression(_SUBJECT).match(" ".join(subject[:200].split())) is not None


def speaks_of_absence(text: str) -> bool:
    """Does a line hold what automatic answers say in their subjects, or begin with "away" or
    "back"?"""
    said = expression(r"(?<!\w)<away>(?!\w)").search(text) is not None
    return said or text.casefold().startswith(_SAID)


def only_tells_absence(text: str) -> bool:
    """Does each clause of a text say what automatic answers say: since when and until when somebody
    is away, what becomes of mails, and who can be asked meanwhile?"""
    return all(map(_tells_absence, filter(str.strip, _CLAUSE.split(text))))


def _tells_absence(clause: str) -> bool:
    rest = expression(_TYPICAL, "notices").sub(" ", clause)
    words = tokens(re.sub(_NEXT_WEEK, " ", " ".join(tokens(rest))))
    little = phrases("little", "word")
    if any(word in _done() for word in words):
        return False
    others = [word for word in words if (word,) not in little and not _is_of_absence(word)]
    names = all(each[:1].isupper() or tokens(each) in little for each in rest.split())
    dated = all(word[0].isdigit() for word in others)
    return rest != clause or dated or names or speaks_of_absence(clause.strip())


def _is_of_absence(word: str) -> bool:
    """Does a word name a day, or say until when, or that somebody is away?"""
    return word in {*MONTHS, *_TILL, *_going()} or bool(weekdays(word, "2000-01-01"))


@cache
def _going() -> frozenset[str]:
    """The words with which people say in prose that they are away."""
    return frozenset(word for phrase in phrases("requests", "going") for word in phrase)


@cache
def _done() -> frozenset[str]:
    """The words for what is done in a game that say nothing else."""
    known = phrases("verbs", *_DEEDS) - phrases("verbs", "apart") - phrases("little", "word")
    return frozenset(phrase[0] for phrase in known if len(phrase) == 1)


def absence(text: str, today: str) -> AwayDates | None:
    """What a line announces, read on the day `today`; None if it is about something else. Raises
    Unreadable if it is about an absence but its dates are missing or impossible."""
    line = " ".join(text.casefold().split())
    now = date.fromisoformat(today)
    if found := re.fullmatch(_BACK, line):
        return AwayDates((_day(text, found[1], now) if found[1] else now).isoformat())
    if not (found := re.fullmatch(_AWAY, line)):
        return None
    said = found[1] or found[2] or ""
    if span := re.fullmatch(_SPAN, said):
        (begins, ends), day = span.groups(), re.search(_NUMBER, span[1])
        nth = re.fullmatch(_BARE, begins) and not begins.isdigit()
        if nth and re.fullmatch(_BARE, ends):  # "4th to 9th"
            first = _day(text, begins, now)
            return AwayDates(first.isoformat(), _day(text, ends, first).isoformat())
        if bare := re.fullmatch(_BARE, ends):  # "January 3 to 10"
            ends = re.sub(_NUMBER, f"{bare[1]:0>2}", begins, count=1)
        last = _day(text, ends, now)
        if day and (bare or re.fullmatch(_BARE, begins)):  # "3 to 10 January"
            begins = f"{last:%Y-%m}-{day[0]:0>2}"
        first = _day(text, begins, last, before=True)
    elif until := re.fullmatch(_UNTIL, said):
        first, last = now, _day(text, until[1] or until[2], now)
    elif one := re.fullmatch(_ONE, said):
        first = last = _day(text, one[1], now)
    else:
        raise Unreadable(
            text, "Say from when to when, like: away 2026-12-20 to 2027-01-05, or: away until 5 Jan"
        )
    if last < first:
        raise Unreadable(
            text,
            "An absence from {first} can't end on {last}, before it begins",
            first=dated(first.isoformat()),
            last=dated(last.isoformat()),
        )
    return AwayDates(first.isoformat(), last.isoformat())


def dates(text: str, today: str) -> AwayDates | None:
    """The first and the last of the days named in prose about an absence, by date or as days of the
    week, read on the day `today`; None if it does not name both."""
    line = " ".join(text.casefold().split())
    spans = [found[0] for each in (_SPAN, _UNTIL) if (found := re.search(each, line))]
    for said in (*spans, *(f"until {found[0]}" for found in re.finditer(_DAY, line))):
        try:
            return absence(f"away {said}", today)
        except Unreadable:  # "room 12"
            continue
    named = [each.isoformat() for each in weekdays(text, today)[:2]]
    return AwayDates(*named) if named[1:] else None


def weekdays(text: str, today: str) -> tuple[date, ...]:
    """The days that prose names as weekdays or as tomorrow, read on the day `today`: the next of
    each behind the one before, from today on if only until when is said; of the next week without
    more its first and its last."""
    now, words, named = date.fromisoformat(today), tokens(text), list[date]()
    week_to_come = now + timedelta(7 - now.weekday())
    in_it = re.search(_NEXT_WEEK, " ".join(words))
    near = week_to_come - timedelta(1) if in_it else now
    for before, word in pairwise(("", *words)):
        stems = (n for n, each in enumerate(_WEEKDAYS) if word.startswith(tuple(each.split())))
        nth = now.weekday() + 1 if word in _TOMORROW else next(stems, None)
        if nth is not None and before not in _SINCE:
            near += timedelta((nth - near.weekday() - 1) % 7 + 1)
            named += [now] * (not named and (before in _TILL or word.endswith("ig"))) + [near]
    return tuple(named or [week_to_come, week_to_come + timedelta(6)] * bool(in_it))


_WEEKDAYS: Final = (
    "monday montag lundi hetfo poniedział lunes lunedi",
    "tuesday dienstag mardi kedd wtor martes martedi",
    "wednesday mittwoch mercredi szerd srod miercoles mercoledi",
    "thursday donnerstag jeudi csutortok czwart jueves giovedi",
    "friday freitag vendredi pentek piat viernes venerdi",
    "saturday samstag sonnabend samedi szombat sobot sabado sabato",
    "sunday sonntag dimanche vasarnap niedziel domingo domenica",
)
"""How the names of the days of the week begin, as `tokens` has them."""
_TOMORROW: Final = ("tomorrow", "morgen", "demain", "holnap", "holnaptol", "jutra", "jutro")
_NEXT_WEEK: Final = (
    r"(?:next|nachste|jovo|nastepn|przyszł)\w* (?:week|woche|het|tydz|tygod)\w*|semaine pro\w*"
)
_SINCE: Final = ("since", "last", "seit", "letzten", "depuis", "guten", "good")
_TILL: Final = ("until", "till", "bis", "au", "jusqu'a", "al", "do", "hasta", "fino")


def _day(text: str, said: str, near: date, *, before: bool = False) -> date:
    """The date meant: without a year, the first from `near` on or, with `before`, the last."""
    numbers = [int(each) for each in re.findall(r"\d+", said)]
    words = [each for each in tokens(re.sub(r"\d+", " ", said)) if each in MONTHS]
    years = [each for each in numbers if each > 31]
    rest = [each for each in numbers if each <= 31]
    try:
        if re.fullmatch(r"\d{4}-\d\d-\d\d", said):
            return date.fromisoformat(said)
        any_month = re.fullmatch(_BARE, said) and not said.isdigit()  # "the 4th"
        month = 0 if any_month else MONTHS[words[0]] if words else rest[1]
        if years:
            return date(years[0], month, rest[0])
        step = timedelta(-1 if before else 1)
        days = (near + n * step for n in range(9 * 366))  # a leap day may be eight years off
        return next(each for each in days if each.day == rest[0] and month in (0, each.month))
    except (ValueError, LookupError, StopIteration, OverflowError):
        raise Unreadable(text, "There is no such date as {said}", said=said) from None
