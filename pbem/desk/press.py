"""What players say: to all, as a note of its own in the log, or to some seats, as a sealed letter.

Neither touches the position.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from pbem.core import Seat, Unreadable
from pbem.desk.answer import Trouble
from pbem.desk.append import Now
from pbem.intake import Line, Request, Submission
from pbem.intake.verbs import LETTER, SAY, VERBS
from pbem.log import private_press, rulings, sealing
from pbem.log.entries import Ply
from pbem.log.match import Replay
from pbem.log.private_press import GREY, NONE, PressText
from pbem.log.rulings import Note, Press, Ruled
from pbem.meaning import chatter
from pbem.sentence import Sentence, say

MOST = 2_000
"""How many characters a player may say in one message."""

_NARROWEST = 65
"""No mail program breaks a line that has fewer characters than this."""

_AND = r"\s*(?:,|&|\band\b|\bund\b)\s*"


def said(message: Submission) -> str:
    """What a message says to all; "" for nothing."""
    return "\n\n".join(each.text for each in message.requests if each.verb == SAY)


def speaks(message: Submission) -> bool:
    """Does a message say anything to others?"""
    return any(each.row.is_press for each in message.requests)


def meant(match: Replay, message: Submission) -> Submission:
    """The message as this match has to read it: what a mail program has broken off goes on, and
    without private press `To confirm: …`, which names no player, is a line like any other."""
    message = _joined(match, message)
    if private_press.kind(match.log.header) in VERBS[LETTER].press:
        return message
    lines = [
        each
        for each in message.requests
        if each.verb == LETTER and not _seats(match.players, each.to)[0]
    ]
    if not lines:
        return message
    orders = [*message.orders, *(Line(each.line, each.said) for each in lines)]
    return message._replace(
        orders=tuple(sorted(orders, key=lambda line: line.number)),
        requests=tuple(each for each in message.requests if each not in lines),
    )


def _joined(match: Replay, message: Submission) -> Submission:
    """The message with what it says to others joined again where a mail program broke a long line:
    never with a line that may be a move, or is quoted."""
    lines = ["", *message.body.split("\n")]
    moves = {line.number for line in message.orders}
    fresh = moves | {line.number for line in message.outside}
    fresh -= {each.line for each in message.requests}
    taken, found = set[int](), list[Request]()
    for each in message.requests:
        last = each.line
        while (
            each.text
            and each.row.goes != "reader"
            and not each.said.startswith("[")
            and last + 1 in fresh.intersection(range(len(lines)))
            and _broken_off(lines[last], lines[last + 1])
            and (last + 1 not in moves or _is_prose(match, message, last + 1))
        ):
            more, last = lines[last + 1].strip(), last + 1
            text, whole = f"{each.text} {more}", f"{each.said}\n{more}"
            each = each._replace(text=text, said=whole, last=last)
            taken.add(last)
        found.append(each)
    return message._replace(
        orders=tuple(line for line in message.orders if line.number not in taken),
        outside=tuple(line for line in message.outside if line.number not in taken),
        ignored=tuple(each for each in message.ignored if each.line not in taken),
        requests=tuple(found),
    )


def _broken_off(line: str, after: str) -> bool:
    """Was this line broken off: does no sentence end here, and was there no room for the first
    word of the next?"""
    word = after.split(maxsplit=1)[:1]
    return bool(word) and line[-1:] not in ".!?" and len(f"{line} {word[0]}") > _NARROWEST


def _is_prose(match: Replay, message: Submission, number: int) -> bool:
    line = tuple(each for each in message.orders if each.number == number)
    return chatter.for_a_person(match, message._replace(orders=line, outside=(), quoted=()))


def letters(match: Replay, seat: Seat, message: Submission) -> tuple[PressText, ...]:
    """The letters that a seat writes to others in a message. If press is grey, what it says to all
    is a letter to all: nobody may know who wrote it."""
    found = [
        PressText(seat, _seats(match.players, each.to)[0], each.text)
        for each in message.requests
        if each.verb == LETTER
    ]
    if private_press.kind(match.log.header) == GREY and (text := said(message)):
        found.insert(0, PressText(seat, match.setup.seats, text))  # else it would show who wrote
    return tuple(found)


def sealed_lines(match: Replay, message: Submission) -> Iterator[int]:
    """The numbers of a message's lines that speak to some players alone or, if press is grey, to
    others at all."""
    kind = private_press.kind(match.log.header)
    for each in message.requests:
        if each.verb == LETTER or (each.verb == SAY and kind == GREY):
            yield from each.lines


def lines_to(tables: Collection[Mapping[Seat, str]], message: Submission) -> Iterator[int]:
    """The numbers of a stranger's lines that speak to some players of one of these tables alone."""
    for each in message.requests:
        if each.verb == LETTER and any(_seats(players, each.to)[0] for players in tables):
            yield from each.lines


def unfit(match: Replay, message: Submission) -> tuple[Sentence | None, tuple[Trouble, ...]]:
    """Why what a message says cannot be passed on, and its lines at fault; None if it can."""
    found = [
        (each, why) for each in message.requests if (why := _forbidden(match, each)) is not None
    ]
    if found:
        return found[0][1], tuple(
            Trouble(each.line, each.said, Unreadable(each.said, "{why}", why=why))
            for each, why in found
        )
    return _too_much(match, message), ()


def _forbidden(match: Replay, request: Request) -> Sentence | None:
    """Why this cannot be said in the match, whatever its words; None if it can."""
    kind = private_press.kind(match.log.header)
    if not request.row.is_press:
        return None
    if kind == NONE:
        return say(
            "There is no press in this match: players say nothing to each other. `to moderator: "
            "…` reaches the moderator"
        )
    if kind not in request.row.press:
        return say(
            "In this match no letters go from seat to seat. `say: …` tells all, and `to "
            "moderator: …` reaches the moderator"
        )
    if not request.to or not (unknown := _seats(match.players, request.to)[1]):
        return None
    return say(
        "There is no {unknown:any} to write to, or more than one: name {seats:any}, or the "
        "moderator",
        unknown=unknown,
        seats=match.setup.seats,
    )


def _too_much(match: Replay, message: Submission) -> Sentence | None:
    """Why the whole text cannot be passed on: it shows a private key, or is too long."""
    texts = [each.text for each in message.requests if each.row.is_press]
    if leaked_keys(match, "\n".join(texts)):
        return say(
            "What you say to the others holds a private key, with which they could read what only "
            "its seat may know. So it was not passed on; say it without the key"
        )
    length = sum(map(len, texts))
    if length <= MOST:
        return None
    return say(
        "What you say to the others has {n:,} [character|characters], and at most {most:,} go into "
        "one message. Say it in several",
        n=length,
        most=MOST,
    )


def stands(match: Replay, seat: Seat, message: Submission) -> bool:
    """Has this seat said all of this already, since it last moved?"""
    return speaks(message) and not any(_new(match, seat, message))


def entered(match: Replay, seat: Seat, message: Submission, clock: Now, reason: str) -> Replay:
    """The match once what this message says is in its log, with this reason; the same match if it
    says nothing new."""
    for what in _new(match, seat, message):
        at = match.log.moment(clock())
        entry = (
            rulings.entry(what, at, reason, by=seat)
            if isinstance(what, Note)
            else private_press.written(match.log, match.keyring, what, at=at, reason=reason)
        )
        match = Replay.of(match.log.extend(entry), match.keyring)
    return match


def _new(match: Replay, seat: Seat, message: Submission) -> Iterator[Note | PressText]:
    """What a message says that its seat has not said since it last moved."""
    text, wrote = said(message), letters(match, seat, message)
    known = list(_said_since(match, seat))
    if text and private_press.kind(match.log.header) != GREY and Note(text) not in known:
        yield Note(text)
    yield from (each for each in wrote if each not in known)


def _said_since(match: Replay, seat: Seat) -> Iterator[Note | PressText | None]:
    for entry in reversed(match.log.entries):
        if isinstance(entry, Ply):
            if entry.seat == seat:
                return
        elif isinstance(entry, Ruled) and isinstance(entry.ruling, Press):
            yield private_press.opened(
                match.log, sealing.keys_of(match.log, match.keyring, seat), entry
            )
        elif entry.by == seat and isinstance(entry.ruling, Note):
            yield entry.ruling


def _seats(players: Mapping[Seat, str], to: str) -> tuple[tuple[Seat, ...], tuple[str, ...]]:
    """The seats that a letter names, by seat or by player, and the names that fit no seat, or
    several."""
    found, unknown = list[Seat](), list[str]()
    for name in re.split(_AND, to):
        known = name.strip().casefold()
        seats = [
            seat
            for seat, player in players.items()
            if known in (seat.casefold(), player.casefold(), *player.casefold().split()[:1])
        ]
        if len(seats) == 1:
            found += seats
        else:
            unknown.append(name)
    return tuple(dict.fromkeys(found)), tuple(unknown)


# --------------------------------------------------------- private keys shown to others

_BROKEN: Final = re.compile(r"[\s>|]+")
"""What programs put between the digits of a key when they wrap or quote a text."""


def leaked_keys(match: Replay, text: str) -> tuple[Seat, ...]:
    """The seats whose present key stands in a text; `match` is as its moderator knows it.
    A key that has been replaced does not count."""
    plain = _BROKEN.sub("", text).casefold()
    keys = ((seat, match.keyring.opens(seat, epoch)) for seat, epoch in match.log.epochs.items())
    return tuple(seat for seat, key in keys if key and key.hex() in plain)


def leak_for_sender(seats: tuple[Seat, ...]) -> Sentence:
    """What the writer of a text with these seats' keys is told."""
    return say(
        "Your text shows the private key of {seats:seats} to others, who can read with it what "
        "only that seat may know. Delete it where you can. The moderator has been told, and can "
        "send you a new key; the old one opens nothing that comes after it.",
        seats=seats,
    )


def leak_for_moderator(seats: tuple[Seat, ...], match: str) -> Sentence:
    """What the moderator is told about it; `match` is what to type for it."""
    return say(
        "for you: the private key of {seats:all} stands where others can read it; `pbem seat "
        "{match:typed} --seat {seat} --new-key` gives the seat another, and the old one opens only "
        "what it could open before",
        seats=seats,
        match=match,
        seat=seats[0],
    )
