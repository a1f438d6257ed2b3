"""What a message asks of the desk besides moves: a line by itself, or a `[say] … [/say]` block.

Knows no game, and does not judge who may ask for what. It is only ever shown new text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import Final

from pbem.core import Unreadable
from pbem.intake.absence import absence
from pbem.intake.phrasing import plainer
from pbem.intake.submission import OLD, Line, NamedPosition, Request, Submission
from pbem.intake.words import expression, phrases, tokens
from pbem.problem import BadFile

RESIGN: Final = "resign"
TAKEBACK: Final = "takeback"
HELP: Final = "help"
BOARD: Final = "board"
STATUS: Final = "status"
SAY: Final = "say"
LETTER: Final = "letter"
MODERATOR: Final = "moderator"
RULES: Final = "rules"
AWAY: Final = "away"
BACK: Final = "back"

MAILS: Final = "mails"
"""The verb of every line that sets how its writer is written to, whichever of the settings below
it is for; `preferred` says which."""
TEXT_ONLY: Final = "text"
HTML: Final = "html"
PICTURES: Final = "pictures"
ZONE: Final = "zone"
POSTS: Final = "posts"
LANGUAGE: Final = "language"
WEBHOOK: Final = "webhook"

TIMED: Final = (AWAY, BACK, MAILS)
"""The verbs with dates, hours or values, which stand alone on their line; see `absence`."""

YES: Final = "yes"
NO: Final = "no"
_CIVIL: Final = ("greeting", "closing")
_MACHINES: Final = ("signature", "notice", "footer")

BARE: Final = (HELP, BOARD, STATUS, RESIGN, TAKEBACK)
"""The verbs that stand alone on their line."""
FREE: Final = (SAY, MODERATOR, RULES)
"""The verbs followed by a colon and text."""
PLACED: Final = (RESIGN, TAKEBACK)
"""The verbs that may name a position."""
ASIDE: Final = (HELP, BOARD, STATUS, RULES, MAILS, SAY, LETTER)
"""The verbs that only show something, set how it is shown, or speak to others: whoever uses them
may still mean the order they were asked about."""

_ABOUT: Final = {
    RESIGN: "resigning",
    TAKEBACK: "undoing",
    HELP: "asking",
    MAILS: "leaving",
    AWAY: "going",
}
"""The verbs that people put into words of their own, and the field that has these words."""

_MOST_WORDS: Final = 200  # of a line that is looked through
_FAR: Final = 7  # words within which all those of a phrase stand
_FEW: Final = 3  # words of a line that may be a verb with a slip in it
_MANY: Final = 7  # of one with a number: a day, a position
_SHORTEST: Final = 4  # letters
_LONGEST: Final = 60  # characters of a line that is a verb and no more
_ADDRESS: Final = 600  # and of one with an address in it
_FREE: Final = re.compile(r"([^\W\d_][^\W\d_ ]*(?: [^\W\d_]+){0,3})\s{0,3}:\s*(\S.*)", re.S)
_TO: Final = re.compile(r"([^\W\d_]+)\s+([^:\n]{1,80}?)\s{0,3}:\s*(\S.*)", re.S)
_AT: Final = re.compile(
    r"\s*(?:#\s?|(?<=\bto ))(\d{1,6})(?:[ ]{0,3}·?[ ]{0,3}([0-9a-fA-F]{4,64}))?[\s.!]*$"
)
_TAG: Final = re.compile(r"\[(/?)say\]", re.I)


def free(text: str) -> tuple[str, str, str] | None:
    """The verb of a line like `say: well played` or `to Ben: well played`, what it says, and whom
    it is for, if it names somebody; None for any other line."""
    if found := _FREE.match(text):
        said = tokens(found[1])
        for verb in FREE:
            if said in _known(verb):
                return verb, found[2].strip(), ""
    if (found := _TO.match(text)) and tokens(found[1]) in _known(LETTER):
        return LETTER, found[3].strip(), found[2]
    return None


def bare(text: str) -> tuple[str, NamedPosition | None] | None:
    """The verb that is all a text says, and the position it names; None for any other text."""
    if len(text) > _LONGEST:
        return None
    at = _AT.search(text)
    said = tokens(text[: at.start()] if at else text)
    less = tokens(plainer(text[: at.start()] if at else text))
    for verb in BARE if at is None else PLACED:
        if {said, less, _without_to(said) if at else said} & _known(verb):
            return verb, (int(at[1]), at[2].lower() if at[2] else None) if at else None
    return None


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


def timed(text: str) -> str | None:
    """AWAY or BACK for a line that says so; None if it is about something else.

    If its dates are missing or impossible, only the bare word counts as an attempt, alone or with
    a number after it; "I'm back" without a date is chat.
    """
    if len(text) > _LONGEST:
        return None
    try:
        found = absence(text, _ANY_DAY)
    except Unreadable:
        return AWAY if _ATTEMPT.fullmatch(text.casefold()) else None
    if found is None:
        return None
    if found.last:
        return AWAY
    return None if _CHAT.match(text.casefold()) and not re.search(r"\d", text) else BACK


_ANY_DAY: Final = "2000-01-01"
_ATTEMPT: Final = re.compile(r"(?:away|abwesend)(?:\W*|\W.*\d.*)")
_CHAT: Final = re.compile(r"i\b|ich\b")


def nearly(text: str) -> str | None:
    """The verb that an unreadable line may be a slip for, or the word about plans: `halp`, `awya
    until 5 Jan`, `withdrwa 2`; with its value if it says nothing without one: `langauge: deutsch`.
    None if there is no such word."""
    from difflib import get_close_matches

    head, colon, rest = text.partition(":")
    words = tokens(head)
    kinds = FREE if colon else (*BARE, *TIMED)
    if not words or len(words) > (_MANY if re.search(r"\d", text) else _FEW):
        return None
    known = {" ".join(phrase): verb for verb in kinds for phrase in _known(verb) | {(verb,)}}
    known |= dict.fromkeys(_LANGUAGES, LANGUAGE) if colon else _OF_PLANS
    said = " ".join(words) if colon else words[0]
    close = get_close_matches(said, [each for each in known if colon or " " not in each], 1, 0.75)
    if len(said) < _SHORTEST - bool(colon) or not close or close[0] == said:
        return None
    if known[close[0]] == LANGUAGE:
        return f"{close[0]}:{rest.rstrip()}"
    return close[0] if colon else known[close[0]]


_LANGUAGES: Final = ("language", "sprache")
_OF_PLANS: Final = {word: word for word in ("withdraw", "plans", "zurückziehen", "pläne")}


def mentioned(text: str) -> str:
    """The verb that a line of prose is about: "I'd like to take my last move back"; "" for none."""
    words = tokens(text)[:_MOST_WORDS]
    for verb, field in _ABOUT.items():
        known = phrases("requests", verb, field)
        if any(phrase[0] in words and _runs_through(words, phrase) for phrase in known):
            return verb
    return ""


def _runs_through(words: Sequence[str], phrase: Sequence[str]) -> bool:
    """Do the words of a phrase stand in a text, in their order and not far apart?"""
    for start, word in enumerate(words):
        if word == phrase[0]:
            rest = iter(words[start : start + _FAR])
            if all(each in rest for each in phrase):
                return True
    return False


def agreement(orders: Sequence[Line]) -> str:
    """What a message that says no more answers to a proposal: `yes`, `no`, `1` or `2`; else ""."""
    if len(orders) != 1 or len(orders[0].text) > _LONGEST:
        return ""
    text = orders[0].text
    if (bare_number := text.strip(" .)!")) in ("1", "2"):
        return bare_number
    said = {tokens(text), tokens(plainer(text))}
    return next((word for word in (YES, NO) if said & _known(word)), "")


def declining(said: Submission) -> Submission:
    """What a message means if its writer has been asked something: the "no" before other moves,
    "no, KAHU-GOLA and draw", answers that."""
    first, rest = (said.orders[0], said.orders[1:]) if said.orders else (None, ())
    head, comma, text = first.text.partition(",") if first else ("", "", "")
    if first and comma and text.strip() and tokens(head) in _known(NO):
        return said._replace(orders=(first._replace(text=text.strip()), *rest))
    return said


def consenting(said: Submission, names: Iterable[str]) -> Submission:
    """What a message means if its writer has been asked something: then "ok" is a yes, alone or
    with thanks, courtesies and these names, though it would be talk if nothing had been asked."""
    named = frozenset((word,) for word in tokens(" ".join(names)))
    own = [each for each in (*said.orders, *said.outside) if not _all_in(tokens(each.text), named)]
    civil = [Line(each.line, each.text) for each in said.ignored if each.why in _CIVIL]
    found = [line for line in (*own, *civil) if _consents(line.text, named)]
    besides = {each.why for each in said.ignored}.difference(_CIVIL, OLD, _MACHINES)
    if said.fenced or said.requests or said.unexplained or besides or own not in ([], found[:1]):
        return said
    if not found:
        return said
    rest = tuple(each for each in said.ignored if each.line != found[0].number)
    return said._replace(orders=(Line(found[0].number, YES),), outside=(), ignored=rest)


def _consents(text: str, named: frozenset[tuple[str, ...]]) -> bool:
    """Does this line hold a yes, and apart from that only thanks and names?"""
    if len(text) > _LONGEST:
        return False
    said = tokens(expression("<thumb>", "requests").sub(" ok ", text))
    yes, besides = phrases("requests", YES, "fine"), phrases("requests", "grateful")
    return _all_in(said, yes | besides | named) and not _all_in(said, besides | named)


def _all_in(said: tuple[str, ...], known: frozenset[tuple[str, ...]]) -> bool:
    """Are these words made of known phrases alone?"""
    longest, ends = max(map(len, known), default=0), {0}
    for at in range(len(said)):
        if at in ends:
            ends |= {at + n for n in range(1, longest + 1) if said[at : at + n] in known}
    return len(said) in ends


def in_danish(text: str) -> bool:
    """Does a text hold a word that shows it is Danish?"""
    return not phrases("requests", "danish").isdisjoint((word,) for word in tokens(text))


def thanks(text: str) -> bool:
    """Is this thanks in Danish and a yes in another language: "tak"?"""
    return tokens(text) in phrases("requests", "thanks")


def begins(text: str) -> bool:
    """Is the line a request, or does it begin with one?"""
    first = text.partition(";")[0].strip()
    return (
        free(text) is not None
        or bare(first) is not None
        or timed(text) is not None
        or preferred(text) is not None
    )


def taken(line: Line, pieces: Sequence[Line]) -> tuple[tuple[Request, ...], tuple[Line, ...]]:
    """The requests in a line, and its other pieces; `pieces` is the line as split for moves."""
    if found := free(line.text):
        verb, said, to = found
        return (Request(verb, line.number, line.text, said, to=to),), ()
    if preferred(line.text):
        return (Request(MAILS, line.number, line.text),), ()
    if when := timed(line.text):
        return (Request(when, line.number, line.text),), ()
    requests, moves = list[Request](), list[Line]()
    for piece in pieces:
        if known := bare(piece.text):
            requests.append(Request(known[0], line.number, piece.text, position=known[1]))
        elif found := free(piece.text):  # what it says goes on to the end of the line
            rest = line.text[line.text.index(piece.text) :]
            verb, said, to = free(rest) or found
            requests.append(Request(verb, line.number, rest, said, to=to))
            break
        else:
            moves.append(piece)
    return tuple(requests), tuple(moves)


def texts(
    lines: Sequence[Line], new: Sequence[bool], bare_line: Callable[[str], str], path: str
) -> tuple[tuple[Request, ...], list[Line]]:
    """What the new lines say in free text, after `say:` or between `[say]` and `[/say]`, and all
    lines without it. Nothing in free text is an order, not even a fence.

    Raises Problem for a block that is opened and not closed, or closed and not opened.
    """
    found, rest = list[Request](), list[Line]()
    start, said = 0, list[str]()
    for line, is_new in zip(lines, new, strict=True):
        if not is_new or not (start or ":" in line.text or "say]" in line.text.casefold()):
            rest.append(line)
            continue
        text = "" if start else bare_line(line.text)
        if known := free(text):
            verb, words, to = known
            found.append(Request(verb, line.number, text, words, to=to))
            rest.append(Line(line.number, ""))
            continue
        outside: list[str] = []
        for mark, text in _pieces(line.text):
            if mark == "text":
                (said if start else outside).append(text)
            elif mark == "opens" and not start:
                start, said = line.number, []
            elif mark == "closes" and start:
                if whole := "\n".join(said).strip():
                    block = f"[say]\n{whole}\n[/say]"
                    found.append(Request(SAY, start, block, whole, last=line.number))
                start = 0
            else:
                raise BadFile(
                    "{tag} stands where no block of yours opens or closes: write [say] in front "
                    "of what you say to the others, and [/say] behind it",
                    path,
                    line.number,
                    tag=text,
                )
        rest.append(Line(line.number, " ".join(outside)))
    if start:
        raise BadFile("the block opened here is not closed: close it with [/say]", path, start)
    return tuple(found), rest


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    at = 0
    for tag in _TAG.finditer(text):
        if at < tag.start():
            yield "text", text[at : tag.start()]
        yield ("closes" if tag[1] else "opens"), tag[0]
        at = tag.end()
    if at < len(text) or not text:
        yield "text", text[at:]


def _without_to(said: tuple[str, ...]) -> tuple[str, ...]:
    return said[:-1] if said[-1:] in phrases("requests", "to") else said


@cache
def _known(verb: str) -> frozenset[tuple[str, ...]]:
    return phrases("requests", verb)
