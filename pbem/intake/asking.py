"""What a message asks of the desk besides moves: a line by itself, or a `[say] … [/say]` block.

Lines are read by the rows of `verbs`. Knows no game, and does not judge who may ask for what. It is
only ever shown new text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache, lru_cache
from itertools import chain, takewhile
from operator import eq
from typing import Final

from pbem.core import Unreadable
from pbem.intake.absence import MONTHS, absence, dates
from pbem.intake.caveats import caveat, caveats_but, of_the_order, spoken_in
from pbem.intake.courtesy import courtesy
from pbem.intake.document import NEW, Document
from pbem.intake.phrasing import plainer
from pbem.intake.settings import LANGUAGE, preferred
from pbem.intake.submission import OLD, Line, Request, Submission
from pbem.intake.verbs import AWAY, BACK, MAILS, SAY, TAKEBACK, VERBS, YES, of_form
from pbem.intake.words import begun, by_language, deeds, expression, phrases, pieces, tokens
from pbem.problem import BadFile

_CIVIL: Final = ("greeting", "closing")
_MACHINES: Final = ("signature", "notice", "footer")

_MOST_WORDS: Final = 200  # of a line that is looked through
_FAR: Final = 7  # words within which all those of a phrase stand
_ENDS: Final = ("", "?")  # what stands behind a clause
_NEAR: Final = 4  # words before it of which a "not" denies it: "no need for a pause"
_FEW: Final = 3  # words of a line that may be a verb with a slip in it
_MANY: Final = 7  # of one with a number: a day, a position
_SHORTEST: Final = 4  # letters
_LONGEST: Final = 60  # characters of a line that is a verb and no more
_COLON: Final = re.compile(r"([^\W\d_][^\W\d_ ]*(?: [^\W\d_]+){0,3})\s{0,3}:\s*(\S.*)", re.S)
_NAMED: Final = re.compile(r"([^\W\d_]+)\s+([^:\n]{1,80}?)\s{0,3}:\s*(\S.*)", re.S)
_AT: Final = re.compile(
    r"\s*(?:#\s?|(?<=\bto ))(\d{1,6})(?:[ ]{0,3}·?[ ]{0,3}([0-9a-fA-F]{4,64}))?[\s.!]*$"
)
_ANSWER: Final = re.compile(r"([^,.!]{1,40})[,.!]+\s*([^\s,.!].*)", re.S)
_CLAUSE: Final = re.compile(r"([.,;:!?()]+(?=\s|$)|\n|\s[-\u2013]\s)")
_ADDRESS: Final = re.compile(r"\w@\w")
_ELIDED: Final = re.compile(r"^[ld]'")  # "l'hôpital"
_NUMBER: Final = re.compile(r"[1-9]\d?")
_TAG: Final = re.compile(r"(\[/?say\])", re.I)


def wish(line: Line) -> Request | None:
    """What a line asks for that says no more than that; None for any other line."""
    number, text = line
    if found := _before_colon(line):
        return found
    if preferred(text):
        return Request(MAILS, number, text)
    if when := _dated(text):
        return Request(when, number, text)
    return _alone(line)


def _before_colon(line: Line) -> Request | None:
    """What a line like `say: well played` or `to Ben: well played` asks for."""
    number, text = line
    if found := _COLON.match(text):
        said = tokens(found[1])
        for verb in of_form("colon"):
            if said in _known(verb):
                return Request(verb, number, text, found[2].strip())
    if found := _NAMED.match(text):
        said = tokens(found[1])
        for verb in of_form("named"):
            if said in _known(verb):
                return Request(verb, number, text, found[3].strip(), to=found[2])
    return None


def _alone(line: Line) -> Request | None:
    """What a line asks for that is a verb and no more, but for the position it may name."""
    number, text = line
    if len(text) > _LONGEST:
        return None
    at = _AT.search(text)
    head = text[: at.start()] if at else text
    said, less = tokens(head), tokens(plainer(head))
    position = (int(at[1]), at[2].lower() if at[2] else None) if at else None
    bare = said[:-1] if at and said[-1:] in phrases("requests", "to") else said
    for verb in of_form("placed") if at else of_form("alone", "placed"):
        if {said, less, bare} & _known(verb):
            return Request(verb, number, text, position=position)
    return None


def _dated(text: str) -> str | None:
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
    kinds = of_form("colon") if colon else of_form("alone", "placed", "dated", "setting")
    if not words or len(words) > (_MANY if re.search(r"\d", text) else _FEW):
        return None
    if not colon and (verb := in_pieces(text)):
        return verb
    known = {" ".join(phrase): verb for verb in kinds for phrase in _known(verb) | {(verb,)}}
    known |= dict.fromkeys(_LANGUAGES, LANGUAGE) if colon else _of_plans()
    said = " ".join(words) if colon else words[0]
    close = get_close_matches(said, [each for each in known if colon or " " not in each], 1, 0.75)
    if len(said) < _SHORTEST - bool(colon) or not close or close[0] == said:
        return None
    if known[close[0]] == LANGUAGE:
        return f"{close[0]}:{rest.rstrip()}"
    return close[0] if colon else known[close[0]]


def in_pieces(text: str) -> str:
    """The verb, or the word about plans, that the words of a line are if they run together, "with
    draw 2"; "" if there is none."""
    words = [word for word in tokens(text[:_LONGEST]) if not word.isdigit()]
    whole = "".join(words)
    verbs = (each for each in of_form("alone", "placed") if (whole,) in _known(each))
    parted = len(words) > 1 and len(whole) >= _SHORTEST
    return next(verbs, _of_plans().get(whole, "")) if parted else ""


_LANGUAGES: Final = ("language", "sprache")


@cache
def _of_plans() -> dict[str, str]:
    """The words of verbs about plans as they are compared, and as they are written."""
    words = (word for verb in of_form("plans") for word in pieces(verb, "plans").split("|"))
    return {" ".join(tokens(word)): word for word in words}


def mentioned(text: str) -> str:
    """The verb that a line of prose is about: "I'd like to take my last move back"; "" for none.
    What is taken back is a move, or a few words say no more: "I take back what I said" does not."""
    few = _MOST_WORDS if _of_a_move(text) else _FEW
    for verb, known in _in_prose().items():
        words = _in_clauses(text, few if verb == TAKEBACK else _MOST_WORDS)
        if any(phrase[0] in words and _runs_through(words, phrase) for phrase in known):
            return verb
    return ""


def _of_a_move(text: str) -> bool:
    """Does a text that takes something back speak of an order, or of what is done in a game?"""
    undoing = {*chain.from_iterable(_in_prose()[TAKEBACK])}
    others = ((word,) for word in tokens(text) if word not in undoing)
    return of_the_order(text) != "" or not phrases("verbs", *deeds()).isdisjoint(others)


@cache
def _in_prose() -> dict[str, frozenset[tuple[str, ...]]]:
    """The verbs that people put into words of their own, with those words; what undoes something
    is meant in its own word, too. Of several in a line the
    first counts: what undoes something, then the last of the table."""
    rows = sorted(VERBS.items(), key=lambda item: item[1].undoes)[::-1]
    words = {verb: (row.prose, verb) if row.undoes else (row.prose,) for verb, row in rows}
    return {verb: phrases("requests", *words[verb]) for verb, row in rows if row.prose}


def wanted(text: str) -> tuple[str, ...]:
    """What a text asks a person for in words of its own: fields of `words/requests.txt`. A pace
    counts days: "par tour" alone is said of cards as well."""
    said = (field for field in _OF_A_PERSON if _begun(_in_clauses(text), field))
    return tuple(field for field in said if field != "pace" or days(text))


def returns(text: str) -> bool:
    """Does a text say that its writer is back, or that the match may go on, and that by now?"""
    return _begun(_in_clauses(text), "returning") and not caveats_but(text, "not back")


def comes(text: str) -> bool:
    """Does a text say that its writer plays or is back, maybe not before a day that it names?"""
    words, playing = _in_clauses(text), phrases("verbs", "play", "move")
    plays = any(_runs_through(words, phrase) for phrase in playing)
    return plays or _begun(words, "returning")


def of_a_person(text: str) -> bool:
    """Does a line ask a person for something, or say that its writer goes, is back, gives up or
    takes something back; or name the days of something, or an address to write to?"""
    verb = mentioned(text)
    undoes = verb != "" and VERBS[verb].undoes
    names = dates(text, _ANY_DAY) or _ADDRESS.search(text)
    return bool(wanted(text) or returns(text) or verb == AWAY or undoes or names)


def may_be_of_a_person(text: str) -> bool:
    """May a line beside an order, which nobody has understood, ask a person for something, if only
    as it says please?"""
    please = phrases("requests", "grateful") & phrases("courtesies", "polite")
    begs = any(_runs_through(tokens(text), phrase) for phrase in please)
    return begs or of_a_person(text)


def small_talk(text: str) -> bool:
    """Does a line say nothing but courtesies, and that its writer will play: "Köszi, holnap
    lépek"?"""
    if courtesy(text):
        return True
    asks = wanted(text) or mentioned(text) or days(text)
    doubts = "?" in text or caveats_but(text, "later")
    passing = len(tokens(text)) > 1 and _all_in(tokens(text), _said_in_passing())
    return passing and not (asks or doubts)


@cache
def _said_in_passing() -> frozenset[tuple[str, ...]]:
    courteous = phrases("courtesies", *_CIVIL, "filler") | phrases("little", "word")
    return courteous | phrases("verbs", "play", "move") | phrases("caveats", "later")


def days(text: str) -> int:
    """How many days a text names: the number that stands with what time is counted in; of weeks
    without one 7, or 14 for several; 0 for none."""
    words = tokens(text)[:_MOST_WORDS]
    for at, word in enumerate(words):
        before = words[max(0, at - _COUNTS) : at][::-1]
        if size := next((n for field, n in _TIME.items() if _begun([word], field)), 0):
            counts = (_number(each, spoken_in(words)) for each in before)
            number = next(filter(None, counts), _USUAL[size])
            if number:
                return min(size, 7) * number
    return 0


def _number(word: str, spoken: Collection[str]) -> int:
    """What a word counts, in figures or spelt out in one of these languages; 0 for any other word:
    "once" is eleven in Spanish alone."""
    if _NUMBER.fullmatch(word):
        return int(word)
    named = ((n, {2: "two", 3: "three"}.get(n, str(n))) for n in range(2, 13))
    in_words = ((n, by_language("verbs", str(n), also)) for n, also in named)
    told = (n for n, known in in_words for each in spoken if (word,) in known.get(each, ()))
    return next(told, 0)


_TIME: Final = {"weeks": 14, "week": 7, "days": 1}
_USUAL: Final = {14: 2, 7: 1, 1: 0}
_COUNTS: Final = 2  # words before "weeks" of which one may count them: "two more weeks"


def counting_time(text: str) -> set[str]:
    """The numbers in a text that stand before what time is counted in, or beside a month."""
    words = tokens(text)[:_MOST_WORDS]
    of_time = [word in MONTHS or any(_begun([word], each) for each in _TIME) for word in words]
    beside = zip(words, [False, *of_time], [*of_time[1:], False], strict=False)
    return {word for word, before, after in beside if word.isdigit() and (before or after)}


def _begun(words: Sequence[str], field: str) -> bool:
    """Do words of a text begin like those of a phrase of a field, in their order?"""
    known, words = phrases("requests", field), [_ELIDED.sub("", word) for word in words]
    return any(_runs_through(words, phrase, _begins_like) for phrase in known)


def _begins_like(word: str, known: str) -> bool:
    return word == known or (len(known) >= _SHORTEST and word.startswith(known))


_OF_A_PERSON: Final = (
    "pace",
    "deputy",
    "draw",
    "close",
    "again",
    "nudge",
    "doubt",
    "moved",
    "halt",
    "time",
    "grief",
)
"""The fields of what people ask a person for; who tells a grief needs time."""


def _in_clauses(text: str, most: int = _MOST_WORDS) -> tuple[str, ...]:
    """The words of a text, with an empty one behind each clause, or "?" if it asks, but for clauses
    of more words than these."""
    said = _CLAUSE.split(text)
    clauses = zip(map(tokens, said[::2]), [*said[1::2], ""], strict=True)
    kept = ((*words, "?" * ("?" in mark)) for words, mark in clauses if len(words) <= most)
    return tuple(chain.from_iterable(kept))[:_MOST_WORDS]


def _runs_through(
    words: Sequence[str], phrase: Sequence[str], like: Callable[[str, str], bool] = eq
) -> bool:
    """Do words like those of a phrase stand in a text, in their order, not far apart, and no "not"
    before or between them that denies them? One that is a word of the phrase does not."""
    denials = _denials(tuple(words))
    denials = denials if denials.isdisjoint(phrase) else frozenset()
    for start, word in enumerate(words):
        if like(word, phrase[0]) and not _denied(words, start, denials):
            near = words[start : start + _FAR]
            rest = iter(takewhile(lambda each: each not in denials, near))
            if all(any(like(word, each) for word in rest) for each in phrase):
                return True
    return False


def _denied(words: Sequence[str], start: int, denials: frozenset[str]) -> bool:
    """Does a "not" shortly before a word deny it in its clause? What is asked, "Couldn't we
    pause?", it does not."""
    if next((each for each in words[start:] if each in _ENDS), "") == "?":
        return False
    before = takewhile(lambda each: each not in _ENDS, words[max(0, start - _NEAR) : start][::-1])
    return not denials.isdisjoint(before)


@lru_cache(maxsize=256)  # each phrase asks it
def _denials(words: tuple[str, ...]) -> frozenset[str]:
    """The words for "not" in the language of these."""
    known = by_language("caveats", "not")
    said = chain.from_iterable(known.get(each, ()) for each in spoken_in(words))
    return frozenset(phrase[0] for phrase in said if len(phrase) == 1)


def agreement(orders: Sequence[Line]) -> str:
    """What a message that says no more answers to a proposal: `yes`, `no`, or a number; else ""."""
    if len(orders) != 1 or len(orders[0].text) > _LONGEST:
        return ""
    text = orders[0].text
    said = {tokens(text), tokens(plainer(text))}
    numbers = (each[0] for each in said if len(each) == 1 and _NUMBER.fullmatch(each[0]))
    if number := next(numbers, ""):
        return number
    return next((word for word in of_form("answer") if said & _known(word)), "")


def answered(said: Submission, *words: str) -> Submission:
    """What a message means if its writer has been asked something: one of these `words`, YES or
    NO, before other moves, "no, KAHU-GOLA and draw", answers that."""
    first, rest = (said.orders[0], said.orders[1:]) if said.orders else (None, ())
    found = _ANSWER.match(first.text) if first else None
    if first and found and any(tokens(found[1]) in _known(word) for word in words):
        return said._replace(orders=(first._replace(text=found[2]), *rest))
    return said


def consenting(said: Submission, names: Iterable[str]) -> Submission:
    """What a message means if its writer has been asked something: then "ok" is a yes, alone or
    with thanks, courtesies and these names, though it would be talk if nothing had been asked."""
    named = frozenset((word,) for word in tokens(" ".join(names)))
    own = [each for each in (*said.orders, *said.outside) if not _all_in(tokens(each.text), named)]
    civil = [Line(each.line, each.text) for each in said.ignored if each.why in _CIVIL]
    found = [line for line in (*own, *civil) if consents(line.text, named)]
    besides = {each.why for each in said.ignored}.difference(_CIVIL, OLD, _MACHINES)
    if said.fenced or said.requests or said.unexplained or besides or own not in ([], found[:1]):
        return said
    if not found:
        return said
    rest = tuple(each for each in said.ignored if each.line != found[0].number)
    return said._replace(orders=(Line(found[0].number, YES),), outside=(), ignored=rest)


def consents(text: str, named: frozenset[tuple[str, ...]] = frozenset()) -> bool:
    """Does this line hold a yes, and apart from that only thanks and these names; or begin with a
    yes, and go on with what has nothing to add: "Yes it does. Thanks!"?"""
    if len(text) > _LONGEST:
        return False
    said = tokens(expression("<thumb>", "requests").sub(" ok ", text))
    yes, besides = phrases("requests", YES, "fine"), phrases("requests", "grateful")
    if _all_in(said, yes | besides | named) and not _all_in(said, besides | named):
        return True
    first = begun(said, phrases("requests", YES), _FEW)
    if "?" in text or not first or caveat(text):
        return False
    _, *rest = re.split(r"\W+", text.strip(), maxsplit=first)
    clauses = [each for each in re.split(r"[.,;!]+", "".join(rest)) if tokens(each)]
    return not thanks(" ".join(said[:first])) and all(map(_adds_nothing, clauses))


def _adds_nothing(clause: str) -> bool:
    """Is a clause a courtesy, or does it say of what was asked that it is so, in a few little
    words: "it does"? A letter or a deed may be meant for the game."""
    said, known = tokens(clause), chain.from_iterable(by_language("little").values())
    little = frozenset(known) - phrases("verbs", *deeds())
    it_is = said[:1] in phrases("caveats", "this", "that") and 1 < len(said) <= _FEW
    it_is = it_is and all(len(word) > 1 and (word,) in little for word in said)
    return it_is or courtesy(clause) != ""


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
    return any(wish(Line(0, each)) for each in {text, text.partition(";")[0].strip()})


def taken(line: Line, pieces: Sequence[Line]) -> tuple[tuple[Request, ...], tuple[Line, ...]]:
    """The requests in a line, and its other pieces; `pieces` is the line as split for moves."""
    if found := wish(line):
        return (found,), ()
    requests, moves = list[Request](), list[Line]()
    for piece in pieces:
        if not (found := wish(piece)):
            moves.append(piece)
        elif not found.text:
            requests.append(found)
        else:  # what it says goes on to the end of the line
            rest = line._replace(text=line.text[line.text.index(piece.text) :])
            requests.append(wish(rest) or found)
            break
    return tuple(requests), tuple(moves)


def texts(page: Document, bare_line: Callable[[str], str]) -> Document:
    """The page without what its new lines say in free text, after `say:` or between `[say]` and
    `[/say]`, and these requests. Nothing in free text is an order, not even a fence.

    Raises Problem for a block that is opened and not closed, or closed and not opened.
    """
    found, rest = list[Request](), list[Line]()
    start, said = 0, list[str]()
    for line, label in zip(page.lines, page.labels, strict=True):
        if label not in NEW or not (start or ":" in line.text or "say]" in line.text.casefold()):
            rest.append(line)
            continue
        text = "" if start else bare_line(line.text)
        if asked := _before_colon(line._replace(text=text)):
            found.append(asked)
            rest.append(Line(line.number, ""))
            continue
        outside: list[str] = []
        for nth, text in enumerate(_TAG.split(line.text)):
            tag = text.casefold() if nth % 2 else ""
            if not tag:
                (said if start else outside).append(text)
            elif tag == "[say]" and not start:
                start, said = line.number, []
            elif tag == "[/say]" and start:
                if whole := "\n".join(said).strip():
                    block = f"[say]\n{whole}\n[/say]"
                    found.append(Request(SAY, start, block, whole, last=line.number))
                start = 0
            else:
                raise BadFile(
                    "{tag} stands where no block of yours opens or closes: write [say] in front "
                    "of what you say to the others, and [/say] behind it",
                    page.path,
                    line.number,
                    tag=text,
                )
        rest.append(Line(line.number, " ".join(filter(None, outside))))
    if start:
        why = "the block opened here is not closed: close it with [/say]"
        raise BadFile(why, page.path, start)
    return page.without(rest, requests=tuple(found))


@cache
def _known(verb: str) -> frozenset[tuple[str, ...]]:
    return phrases("requests", verb)
