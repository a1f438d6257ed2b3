"""The laws of what is written: notation, what is read, and what is no move."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from itertools import pairwise
from typing import Any, Final

from pbem import intake
from pbem.core import (
    HIDDEN,
    NOBODY,
    SEAT,
    Event,
    Move,
    Pattern,
    Refused,
    Seat,
    Unreadable,
    Violation,
    mask,
    slots,
    word,
)
from pbem.desk.begin import Terms
from pbem.desk.judging import judge, moderators_word
from pbem.desk.reading import Reading
from pbem.play import judge as play
from pbem.play.positions import leaves
from pbem.report import compose, render
from pbem.report.facts import Awaited, News
from pbem.sentence import say
from pbem.testing.findings import at, of
from pbem.testing.law import Laws, Wrong
from pbem.testing.random_matches import Played, PlayedPly
from pbem.testing.sayings import phrase_of
from pbem.testing.simulate import begun

LAWS: Final = Laws()


def writable(game: Any, move: Move) -> bool:
    """Is a move read back from its notation, and as nothing else?"""
    try:
        pattern = game.parse(game.notate(move))
    except Unreadable:
        return False
    return not pattern.blanks and bool(pattern.move == move)


@LAWS("parse", matches=4, plies=50)
def the_notation_of_a_legal_move_is_read_back(match: Played, plies: int) -> Iterator[Wrong]:
    game, parse = match.game, cache(match.game.parse)  # the same text comes in many positions
    moves = (
        (ply, move)
        for ply in match.some(plies)
        for move in play.legal_moves(game, ply.state, ply.seat)
    )
    for ply, move in moves:
        said = game.notate(move)
        try:
            pattern = parse(said)
            again = play.resolve(game, ply.state, ply.seat, pattern)
            louder = parse(said.upper())
        except Refused as refusal:
            yield say("{said!r} is {move}: {refusal}", said=said, move=move, refusal=refusal)
            continue
        if not pattern.fits(move) or again != move or not louder.fits(move):
            yield say(
                "{said!r} is notated for {move} and read as {again}",
                said=said,
                move=move,
                again=again if again != move else louder.move,
            )
        if " ".join(said.split()) != said:
            yield of(game, "notate", "{said!r} has blanks too many", said=said)
        elif pattern.said.strip() != said:
            yield say("{said!r} is quoted as {quoted!r}", said=said, quoted=pattern.said)


_DOORS: Final = (
    "  {wide}  ",
    '"{text}"',
    "Hi {other},\n\n{text}\n\nBest regards,\n{own}\n\nOn 21 Sep 2026, {other} wrote:\n> Your turn!",
    "[move]\n{wide}\n[/move]\n\nOn 21 Sep 2026, {other} wrote:\n> Your turn!\n> [move]\n> ...",
    "Author: {own}\nPost: 7\n\n[quote={other}]Your turn![/quote]\n[b]{text}[/b]",
)
"""Where a move stands in what people send: alone, with blanks as a machine writes them that takes
dictation; in marks of quotation; between courtesies; in a block above the one it answers; in a
post."""
_MOST_TEXTS: Final = 3
"""How many texts of a match are sent through each door."""


@LAWS("notate", matches=1, plies=10)
def a_move_as_it_is_written_is_played_wherever_it_stands(
    match: Played, plies: int
) -> Iterator[Wrong]:
    """It is a move before it is a telephone number, a smiley, a list or a word to the desk."""
    game, setup = match.game, match.setup
    like = Terms(game.NAME, ruleset=setup.ruleset, options=setup.options, dealer="asked")
    now, _ = begun(like, match.seed, setup.seats, lambda: "2026-09-21T14:13:20Z")
    for text, (ply, move) in _unlike(match, plies).items():
        here, own = now._replace(game=game, setup=setup, state=ply.state), now.players[ply.seat]
        blanks = {
            "text": text,
            "wide": text.replace(" ", "  "),
            "own": own,
            "other": next((each for each in now.players.values() if each != own), "Zoe"),
        }
        for door in _DOORS:
            said = intake.read(door.format(**blanks).encode(), "<text>")
            answer = judge(Reading.of(here, said, moderators_word(here, ply.seat)))
            played = answer.enters.played if answer.enters else None
            if played is None or [step.move for step in played.steps] != [move]:
                yield say(
                    "{text!r} is not played when somebody sends {sent!r}, but answered: {why}",
                    text=text,
                    sent=said.body,
                    why=answer.why or answer.reason or answer.verdict,
                )
                break


def _kind_of(run: re.Match[str]) -> str:
    return "0" if run[0].isdigit() else "a"


def _unlike(match: Played, plies: int) -> dict[str, tuple[PlayedPly, Move]]:
    """Canonical texts of legal moves that are built differently, each with where it is legal."""
    game = match.game
    found: dict[Any, tuple[PlayedPly, Move]] = {}
    for ply in match.some(plies):
        for move in play.legal_moves(game, ply.state, ply.seat) if ply.seat not in NOBODY else ():
            said = game.notate(move)
            shape = said if said.isalpha() else re.sub(r"[^\W\d_]+|\d+", _kind_of, said)
            found.setdefault((type(move), shape), (ply, move))
    chosen = random.Random(match.seed).sample([*found.values()], min(len(found), _MOST_TEXTS))
    return {game.notate(move): (ply, move) for ply, move in chosen}


_STRANGE: Final = ("", " ", "?", "{x}", "{0}", "%s", "hello", "hello there", "-", "3", "Ä ß", "\\")
_NONSENSE: Final = " nonsense"


@LAWS("parse", matches=2, plies=30)
def whatever_is_read_is_a_move_that_can_be_written(match: Played, plies: int) -> Iterator[Wrong]:
    """Canonical texts with letters left out, doubled, swapped or put in, in capitals, with other
    blanks and with a word too many: whatever can be read of them has values that its fields list,
    and is read back from its notation. All else is Unreadable, and told why."""
    game, rng = match.game, random.Random(match.seed)
    texts = [(game.notate(ply.step.move), ply.seat) for ply in match.some(plies)]
    spoilt = (each for text, _ in texts for each in _spoilt(text, rng))
    longer = (f"{text}{_NONSENSE}" for text, seat in texts if seat not in NOBODY)
    for text in dict.fromkeys((*_STRANGE, *spoilt, *longer)):
        try:
            pattern = game.parse(text)
        except Unreadable as refusal:
            if not refusal.message:
                yield say("{text!r} is refused without a word", text=text)
            continue
        if text.endswith(_NONSENSE) and not pattern.is_open:
            says = "{text!r} is read as {move!r}; expected Unreadable for what it does not know"
            yield say(says, text=text, move=game.notate(pattern.move))
        yield from _well_read(game, text, pattern)


def _spoilt(text: str, rng: random.Random) -> Iterator[str]:
    at = rng.randrange(len(text))
    other = rng.choice(_LETTERS)
    yield text.upper()
    yield text.title()
    yield text[:at] + text[at + 1 :]
    yield text[: at + 1] + text[at:]
    yield text[:at] + text[at : at + 2][::-1] + text[at + 2 :]
    yield text[:at] + other + text[at + 1 :]
    yield text[:at] + other + text[at:]
    yield text[:at]
    yield text[at:]
    yield f" {text.replace(' ', '   ')} "
    yield f"{text} {text}"
    yield f"{text} {{x}}"


_LETTERS: Final = "abcxyz0159-+:,.?*#() /"


def _well_read(game: Any, text: str, pattern: Pattern) -> Iterator[Wrong]:
    move = pattern.move
    for slot in slots(type(move)):
        value = getattr(move, slot.name)
        blank = slot.name in pattern.blanks or HIDDEN in leaves(value)
        if slot.of.values and not blank and not slot.of.accepts(value):
            yield say(
                "{text!r} is read with {value!r} for {field}; expected {says}",
                text=text,
                value=value,
                field=slot.name,
                says=slot.of.says,
            )
            return
    if pattern.blanks or HIDDEN in (said := game.notate(move)):
        return
    again = None
    with suppress(Unreadable):
        again = game.parse(said)
    if again is None or not again.fits(move):
        says = "{text!r} is read as what is written {said!r}, and that is read as {again}"
        yield say(says, text=text, said=said, again=game.notate(again.move) if again else "nothing")


@LAWS("parse", matches=4, plies=60)
def what_a_question_shows_as_a_move_can_be_played(match: Played, plies: int) -> Iterator[Wrong]:
    """Whatever reads as a move in the words on how a question is answered, which everybody is
    shown, is legal for the one asked; a form, such as ISLAND-ISLAND, reads as none."""
    game, names = match.game, dict.fromkeys(match.setup.seats, "")
    for known, ply in match.known_to(None, plies):
        for each in game.pending(ply.state):
            if each.seat in NOBODY:
                continue
            shown = compose.example(game, known, each)
            question = Awaited(each.seat, each.kind, each.about, None, each.during, shown)
            [(_, form)] = render.asked(game, [question], names)
            for text, move in _moves_in(game, form):
                try:
                    game.check(ply.state, each.seat, move)
                except Violation as why:
                    yield say("{form!r}: {text!r}: {why}", form=form, text=text, why=why)


@LAWS("EVENTS", matches=1)
def every_event_is_told_in_words(match: Played, plies: int) -> Iterator[Wrong]:
    """Also to who may not know all of it; an event of which nothing is told is one of SILENT. Each
    seat in it is named, if it is not the mover, and no two kinds of event are told in the same
    words."""
    game, seats, tried = match.game, match.setup.seats, set[Any]()
    told_of = dict[tuple[str, ...], type[Event]]()
    names = {seat: f"<{seat}>" for seat in seats}
    seen = (
        (ply.seat, mask(event, reader, ply.seat, seats))
        for ply in match.plies
        for event in ply.step.events
        for reader in match.readers
    )
    for seat, event in seen:
        kind: Any = type(event)
        values = [(each, getattr(event, each.name)) for each in slots(kind)]
        shape = {(kind, *(value == HIDDEN for _, value in values))}
        shape |= {
            (kind, each.name, value) for each, value in values if each.of.values or value == 1
        }
        if shape <= tried:
            continue
        tried |= shape
        place = phrase_of(game, "news", word(kind))
        [told] = render.turns(game, [News(1, seat, "", (event,))], names)
        if bool(told["lines"]) == (kind in getattr(game, "SILENT", ())):
            loud = "it stands in SILENT, and news.j2 tells {lines}"
            mute = "news.j2 tells nothing of it; where that is on purpose, SILENT names it"
            yield at(place, loud if told["lines"] else mute, lines=told["lines"])
        about = [value for each, value in values if each.of is SEAT and value in names]
        aloud = [told["who"], *told["lines"]]
        unnamed = [who for who in about if not any(names[who] in each for each in aloud)]
        if called := [seat for seat in seats if not game.SEATS and _calls(told["lines"], seat)]:
            says = "news.j2 tells {line!r}: it calls {seat} by the name of the seat, not by `name`"
            yield at(place, says, line=told["lines"][0], seat=called[0])
        if unnamed and told["lines"]:
            says = "news.j2 tells {line!r}, and does not name {seats:all}"
            yield at(place, says, line=told["lines"][0], seats=unnamed)
        whole = HIDDEN not in [value for _, value in values]
        other = told_of.setdefault(tuple(told["lines"]), kind) if whole and told["lines"] else kind
        if other is not kind:
            says = "news.j2 tells {line!r} of {other}, too: nobody can tell which it was"
            yield at(place, says, line=told["lines"][0], other=other.__name__)
        for says, line in _badly_said(told["lines"]):
            yield at(place, says, line=line)
    for seat, run in _runs(match):
        [told] = render.turns(game, [News(1, seat, "", run)], names)
        kind = type(run[0])
        for says, line in _badly_said(told["lines"]):
            yield at(phrase_of(game, "news", word(kind)), says, line=line)


def _calls(lines: Iterable[str], seat: Seat) -> bool:
    return any(re.search(rf"(?<![<\w]){seat}(?![>\w])", line) for line in lines)


def _runs(match: Played) -> Iterator[tuple[Seat, tuple[Event, ...]]]:
    """Two events of a kind, alike in their first fields, one after the other: a post may tell them
    together."""
    events = ((ply.seat, event) for ply in match.plies for event in ply.step.events)
    found = dict[Any, tuple[Seat, tuple[Event, ...]]]()
    for (seat, one), (whose, other) in pairwise(events):
        if (seat, type(one)) == (whose, type(other)) and slots(type(one)):
            first = slots(type(one))[0].name
            if getattr(one, first) == getattr(other, first):
                found.setdefault((type(one), getattr(one, first)), (seat, (one, other)))
    yield from found.values()


def _badly_said(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The news that is badly said, and how it should be said."""
    for line in lines:
        for wrong, says in _BADLY_SAID.items():
            if wrong.search(line):
                yield says, line


_BADLY_SAID: Final = {
    # A field that was hidden, in a sentence; no question mark.
    re.compile(r"(?<![^\s(\"'-])\?"): (
        "news.j2 tells {line!r} to who may not know: let it say that in words"
    ),
    # `loses 1 points`, but not `Round 1 begins`; and `3 and 4 is laid`.
    re.compile(
        r"(?:^|\b[a-z]+|[:(,;]) ?\b1 (?!is\b|was\b|has\b)[a-z]+[^\Wsu]s\b"
        r"|^(?:\S+, )*\S+ and \S+ (?:is|was|has)\b"
    ): "news.j2 tells {line!r}: let `counted` tell one from many",
    re.compile(r"[{}]|[^\W]$"): "news.j2 tells {line!r}; expected a sentence with its full stop",
}


def _moves_in(game: Any, form: str) -> Iterator[tuple[str, Move]]:
    """The longest runs of words that read as a whole move; behind a colon, if there is one."""
    words = (form.partition(": ")[2] or form).split()
    while words:
        for count in range(min(len(words), _LONGEST_MOVE), 0, -1):
            text = " ".join(words[:count]).rstrip(".,;:")
            with suppress(Unreadable):
                pattern = game.parse(text)
                if not (pattern.blanks or pattern.is_open):
                    yield text, pattern.move
                    break
        words = words[count:]


_LONGEST_MOVE: Final = 6
"""In words."""
