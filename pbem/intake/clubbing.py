"""What a line of a mail asks of a club: a verb, and what it is about. Read only where there is one:
in a match, these lines mean something else or nothing."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import chain
from typing import Final, NamedTuple

from pbem.intake.asking import agreement, consents
from pbem.intake.caveats import caveat, spoken_in
from pbem.intake.courtesy import courtesy
from pbem.intake.submission import OLD, Line, Submission
from pbem.intake.talk import is_everyday
from pbem.intake.verbs import NO, YES
from pbem.intake.words import begun, by_language, expression, lexicon, phrases, tokens

CALLED: Final = "called"

_WITH: Final = ("join", "leave", "host", "limit", "avoid", "heed", "standings", CALLED)
_ALONE: Final = ("leave", "limit", "tables", "standings", "rematch", "me", "forget", "stand", "sit")
_LONGEST: Final = 200
_CLAUSE: Final = re.compile(r"[.,;!:]+(?:\s+|$)|(?<=\?)\s+")
_CIVIL: Final = ("greeting", "closing")
_GREETED: Final = 3  # clauses: "Hi Cleo, thanks, yes"
_FEW: Final = 3  # words: "but only from Friday" are more
_NAME: Final = re.compile(r"[^\W_][\w.'-]{0,30}(?: [^\W_][\w.'-]{0,30}){0,2}")


class ClubWish(NamedTuple):
    """What a line asks for: a field of `words/club.txt`, YES or NO; and the rest of the line."""

    verb: str
    about: str = ""


def wishes(
    message: Submission, *, named: bool = False, offered: bool = False
) -> tuple[ClubWish, ...]:
    """What a message asks of a club, line by line; () if any new line of it is about anything else,
    but for a last one that can only be its writer's name. Only who is asked how they want to be
    `named`, or was `offered` something, answers that, maybe in a clause beside others."""
    asks = message.fenced or message.requests
    found = () if asks else _wishes(message.orders) or _hidden(message)
    called = any(each.verb == CALLED for each in found)
    if offered and (called or not found):
        found = _agreed(message)
    elif named and not called:
        found = _named(message) or found or _agreed(message)
    elif called and not named:
        found = ()
    return found


def _wishes(orders: Sequence[Line]) -> tuple[ClubWish, ...]:
    *others, last = [*map(_wish, orders)] or [None]
    signed = bool(others) and last is None and _NAME.fullmatch(orders[-1].text)
    found = (*others, *(() if signed else (last,)))
    return tuple(filter(None, found)) if all(found) else ()


def _hidden(message: Submission) -> tuple[ClubWish, ...]:
    """The lines of a message that says nothing else, if they are a courtesy elsewhere: French "moi"
    greets in Finland."""
    lines = (each for each in message.ignored if each.why in _CIVIL)
    found = (lexicon("club", *_ALONE).kinds.get(tokens(each.text)) for each in lines)
    return () if message.orders or message.outside else tuple(ClubWish(e) for e in found if e)


def _plain(text: str) -> str:
    """A line without the courtesies around what it says: "Hi, join kahuna. Thanks"."""
    first, *others = parts = re.split(r"(?<=[.!,]) +", text)
    if others and courtesy(first, first=True):
        return _plain(" ".join(others))
    return _plain(" ".join(parts[:-1])) if others and courtesy(parts[-1]) else text


def _wish(line: Line) -> ClubWish | None:
    text = _plain(line.text)
    if len(text) > _LONGEST:
        return None
    said, known = tokens(text), lexicon("club", *_WITH).kinds
    if verb := lexicon("club", *_ALONE).kinds.get(said):
        return ClubWish(verb)
    first = said[: begun(said[:-1], known)]
    if first and (rest := _after(text, first)):
        if known[first] == CALLED and not _is_name(rest):
            return None
        days = expression(r"(?<=\d) *(?:<days>)s?\b", "requests")
        return ClubWish(known[first], days.sub(" days", _to_the_point(rest)))
    if before := _name_before(text):
        return ClubWish(CALLED, before)
    if (meant := agreement([line])) in (YES, NO):
        return ClubWish(meant)
    before, _, behind = text.rpartition(": ")  # "I'd like to: join kahuna 2"
    return _wish(line._replace(text=behind)) if before and not caveat(before) else None


def _name_before(text: str) -> str:
    """The name that stands before what says it, as "Bela vagyok" has it; else ""."""
    words = text.strip(" .!").split()
    words = words[tokens(words[0] if words else "") in phrases("club", "me") :]  # "én Ines vagyok"
    ends, after = range(1, len(words)), phrases("club", "named")
    name = " ".join(words[: next((n for n in ends if tokens(" ".join(words[n:])) in after), 0)])
    return name if name and _is_name(name) else ""


def _is_name(text: str) -> bool:
    """May somebody be called so? "I am new to this" and "I am sorry to be late" name nobody."""
    words = text.split()
    return _NAME.fullmatch(text) is not None and not (words[1:] and any(map(str.islower, words)))


def _to_the_point(text: str) -> str:
    """What is asked for, without a "please" behind it."""
    before, _, last = text.rpartition(" ")
    polite = before and tokens(last) in phrases("courtesies", "polite")
    return _to_the_point(before.rstrip(" ,")) if polite else text


def _named(message: Submission) -> tuple[ClubWish, ...]:
    """What somebody is called, if a clause of their message says so, and what others ask for:
    "Hello! I am Kate, join substitute"."""
    clauses = _clauses(message)
    said = [each for each in map(_wish, (Line(0, each) for each in clauses)) if each]
    called = [each for each in said if each.verb == CALLED]
    excited = clauses[1:] and called and called[0].about.islower()  # "Hello, I am excited!"
    return tuple(said) if called and not excited else ()


def _agreed(message: Submission) -> tuple[ClubWish, ...]:
    """YES or NO, if one of the first clauses of a message says that, and the others are courtesies,
    questions, or a few words that doubt nothing: "Sure, I'd love to!", "No, not this time"."""
    clauses = _clauses(message)
    said = [meant for each in clauses[:_GREETED] if (meant := _agrees(each))]
    more = [each for each in clauses if not (_agrees(each) or courtesy(each) or each[-1:] == "?")]
    few = all(len(tokens(each)) <= _FEW and (NO in said or not caveat(each)) for each in more)
    return (ClubWish(said[0]),) if len({*said}) == 1 and few else ()


def _clauses(message: Submission) -> list[str]:
    """The clauses of all that is new in a message; none if it says more than an answer does."""
    civil = [Line(each.line, each.text) for each in message.ignored if each.why in _CIVIL]
    lines = sorted((*message.orders, *message.outside, *civil))
    if message.fenced or message.requests or any(len(line.text) > _LONGEST for line in lines):
        return []
    return [each for line in lines for each in _CLAUSE.split(line.text.strip()) if each]


def _agrees(clause: str) -> str:
    """YES or NO, if a clause says that, maybe with a courtesy or, after a yes, a few little words,
    and no more; else "": "Yes I would take it"."""
    if clause.endswith("?"):
        return ""
    _, *rest = clause.split(None, 1)
    declines = rest and courtesy(rest[0]) and agreement([Line(0, clause.split()[0])]) == NO
    said = tokens(clause)
    more = said[begun(said, phrases("requests", YES)) :]
    little = frozenset(chain.from_iterable(by_language("little").values()))
    known = all((word,) in little | phrases("verbs", "take") for word in more)
    accepts = consents(clause) or (more != said and known and not caveat(clause))
    return agreement([Line(0, clause)]) or (YES if accepts else NO if declines else "")


def declines(message: Submission) -> bool:
    """Does a message say no, and no more: "Nie, dziękuję, tym razem nie"?"""
    return _agreed(message) == (ClubWish(NO),)


def beside(message: Submission) -> list[str]:
    """The clauses of a message that are for a person, besides what it asks of a club: questions,
    and whatever is no courtesy, everyday talk, or part of an answer."""
    few = _FEW if _agreed(message) and not _named(message) else 1  # "Great!"
    lines = (each for each in (*message.orders, *message.outside) if not _wish(each))
    clauses = (each for line in lines for each in _CLAUSE.split(line.text.strip()) if each)
    rest = (e for e in clauses if e[-1] == "?" or len(tokens(e)) > few or (few == 1 and caveat(e)))
    said = (each for each in rest if not _wish(Line(0, each)) and not _agrees(each))
    return [each for each in said if each[-1] == "?" or not (courtesy(each) or is_everyday(each))]


def conditions(message: Submission) -> list[str]:
    """The clauses of a message that make what it asks of a club depend on something: "but not
    before February". Whoever reads them decides."""
    return [each for each in beside(message) if caveat(each)]


def is_prose(text: str) -> bool:
    """Is it more than a few words, or does it make depend on something what is said before it?"""
    return len(tokens(text)) > _FEW or bool(text and caveat(text))


def companion(clauses: Iterable[str]) -> tuple[str, bool]:
    """With whom somebody wishes to play, or not to, "" if none of their clauses names anybody; and
    whether they do: "but not with Tom"."""
    beside, without = phrases("club", "beside"), phrases("caveats", "not")
    for clause in clauses:
        words: list[str] = re.findall(r"[^\W\d_][\w'-]{0,30}", clause)
        place = next((n for n, each in enumerate(words) if tokens(each) in beside), len(words))
        if named := [each for each in words[place + 1 :] if each[0].isupper()]:
            return named[-1], tokens(words[place - 1]) not in without or not place
    return "", True


def language(message: Submission, known: Collection[str]) -> str:
    """The one of these languages in which alone all lines are that ask something of a club; "" for
    another, for several, and for English, in which everybody is told how to ask."""
    spoken = [each for each in map(_languages, message.orders) if each]
    common = frozenset.intersection(*spoken) if spoken else frozenset()
    return next(iter(common.intersection(known) - {"en"}), "") if len(common) == 1 else ""


def plain_words(message: Submission, subject: str) -> str:
    """All that is new in a message, with its subject."""
    lines = [each.text for each in (*message.orders, *message.outside)]
    new = (each for each in message.ignored if each.why not in (*OLD, "signature", "footer"))
    return " ".join([subject, *lines, *(each.text for each in new)])


def quoted(message: Submission) -> str:
    """What a message repeats of the mail that it answers."""
    return " ".join(each.text for each in message.ignored if each.why in OLD)


def game_named(text: str, games: Iterable[str]) -> str:
    """The only one of these games that a text names, maybe with an ending in place of its last
    letter ("Kahunát"); "" if it names none, or several."""
    words = " ".join(tokens(text))
    named = [each for each in games if f" {' '.join(tokens(each))[:-1]}" in f" {words}"]
    return named[0] if len(named) == 1 else ""


def speaks(field: str, text: str) -> bool:
    """Does a text hold a word of a field of `words/club.txt`, such as `event`, or `leave`?"""
    words = f" {' '.join(tokens(text))} "
    return any(f" {' '.join(each)} " in words for each in phrases("club", field))


def spoken(text: str, known: Collection[str]) -> str:
    """The one of these languages that a text is in; "" if that is not clear."""
    languages = spoken_in(tokens(text))
    return next(iter(languages.intersection(known)), "") if len(languages) == 1 else ""


def _languages(line: Line) -> frozenset[str]:
    said = tokens(_plain(line.text))
    return frozenset(name for name, known in by_language("club").items() if begun(said, known))


def _after(text: str, words: tuple[str, ...]) -> str:
    """What follows these words in a text; "" if it does not begin with them as they stand."""
    parts = text.split(None, len(words))
    if tokens(" ".join(parts[: len(words)])) != words or len(parts) <= len(words):
        return ""
    return parts[-1].strip(" .!")
