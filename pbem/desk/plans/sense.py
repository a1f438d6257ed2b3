"""What the words of a plan mean in a match: questions, moves with blanks, how long it lasts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from pbem.core import Move, Pattern, Unreadable, slots
from pbem.log.match import Match
from pbem.meaning.patterns import seated
from pbem.problem import Usage
from pbem.sentence import Sentence, say

ANY: Final = "*"
"""What stands for anything."""
PARTS: Final = ("round", "trick")
"""The parts of a match with which a plan may end."""

_MOST_VALUES: Final = 200


def kinds_of(match: Match) -> Mapping[str, tuple[type[Move], ...]]:
    """The kinds of question in a game, and the moves that answer each; {} if it does not say."""
    return getattr(match.game, "KINDS", {})


def written(match: Match, pattern: Pattern) -> str:
    """A move in the notation of its game; one that leaves something open stays as it was said."""
    if pattern.is_open:
        return " ".join(seated(match, pattern.said).split())
    return match.game.notate(pattern.move)


def nearest(word: str, known: Iterable[str]) -> Sentence | None:
    from difflib import get_close_matches

    close = get_close_matches(word.casefold(), [*known], n=3, cutoff=0.6)
    return say("Did you mean {words:any}?", words=close) if close else None


# ----------------------------------------------------------------------- moves with blanks


def is_like(move: str, pattern: str) -> bool:
    """Does a move, as everybody reads it, fit a pattern in which each `*`, or row of them, stands
    for at least one character? Case makes no difference.

    Each part is looked for once, from the left, so that no pattern takes long.
    """
    said, *others = map(re.escape, re.split(r"\*+", _plain(pattern)))
    if others:
        *others, last = others
        said += "".join(f"(?>.+?{part})" for part in others) + f".+{last}"
    return re.fullmatch(said, _plain(move), re.DOTALL) is not None


def may_fit(match: Match, kind: type[Move], said: str) -> bool:
    """Can a move of this class be written like this? Each word must be one that it can hold."""
    written = [_plain(text).split() for text in samples(match, kind)]
    wanted = [word for word in _plain(said).split() if ANY not in word]
    if not all(slot.of.values or slot.of.accepts(match.setup.seats[0]) for slot in slots(kind)):
        wanted = wanted[:1]  # its values cannot be listed
    return bool(written) and all(any(word in text for text in written) for word in wanted)


def samples(match: Match, kind: type[Move]) -> Iterator[str]:
    """Moves of a class as everybody reads them, one for each value of each field up to a limit."""
    probes: tuple[Any, ...] = (*match.setup.seats, 1, True, ())
    values = [
        slot.of.values[:_MOST_VALUES] or tuple(filter(slot.of.accepts, probes))
        for slot in slots(kind)
    ]
    if not all(values):
        return
    first = [each[0] for each in values]
    for at, each in enumerate(values or [(None,)]):
        for value in each:
            fields = [*first[:at], value, *first[at + 1 :]] if first else []
            try:
                yield match.game.notate(kind(*fields))
            except (LookupError, ValueError, TypeError):  # these values do not go together
                continue


def _plain(text: str) -> str:
    return " ".join(text.casefold().replace(":", " ").split())


# --------------------------------------------------------------------- until when it lasts


def parts_of(match: Match) -> Mapping[str, int]:
    """The numbers of the present round and trick, if the game has them."""
    parts = getattr(match.game, "parts", None)
    return parts(match.state) if parts else {}


def part_at(match: Match, until: str) -> str:
    """The present round or trick, if a plan lasts until its end; "" if it does not."""
    parts = parts_of(match)
    if until == "trick" and until in parts:
        return f"{parts.get('round', 0)}.{parts[until]}"
    return str(parts[until]) if until in parts else ""


def is_past(match: Match, until: str, begun: str, at: str) -> bool:
    """Is the end of a plan past at this moment? `begun` is the part in which the plan was sent."""
    if until in PARTS:
        return part_at(match, until) != begun
    if until.startswith("#"):
        return match.position.ply >= int(until[1:])
    return until[:1].isdigit() and until < date_of(match, at)


def date_of(match: Match, at: str) -> str:
    """The date at a moment in the zone of the match; in UTC if it has none, or an unknown one."""
    settings = match.log.so_far().timing.settings
    if not (settings and at):
        return at[:10]
    from pbem.log.clock import day_of

    try:
        return day_of(at, settings.zone).isoformat()
    except Usage:
        return at[:10]


def require_to_come(match: Match, until: str, today: str) -> None:
    """Raises Unreadable if a plan that lasts until then is over today, or lasts for a part of the
    match that the game does not have."""
    if until in PARTS and until not in parts_of(match):
        raise Unreadable(
            until, "{game} has no such part: {part}", game=match.game.TITLE, part=until
        )
    if not is_past(match, until, part_at(match, until), today):
        return
    if not until.startswith("#"):
        raise Unreadable(until, "{until} is past", until=until)
    raise Unreadable(
        until, "{until} is past; the match is at {now}", until=until, now=match.position
    )
