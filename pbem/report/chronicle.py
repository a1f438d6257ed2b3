"""The whole match in words, rulings and struck plies included."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pbem.core import NOBODY
from pbem.log import private_press
from pbem.log.entries import Ply
from pbem.log.match import Replay
from pbem.log.rulings import Substitute
from pbem.report import compose, render
from pbem.sentence import say


def lines(match: Replay) -> list[str]:
    """A line for each event and each ruling, as far as the reader of this match may know.

    Seats are called by the names of those who sat there at the time.
    """
    return render.wording(match.game, compose.since(match, 0, whole=True), match.players)


def timed(match: Replay) -> Iterator[str]:
    """A line for the beginning, each move of a person and each ruling, as far as the reader of this
    match may know: when it was entered, in UTC, what it was, and whether on the moderator's
    word."""
    begun = match.log.header.created.replace("T", " ")
    yield say("{at} {told}", at=begun, told=say("The match begins.")).text()
    live = {ply.number for ply in match.log.live}
    called = match.log.as_called()
    names = called.first(0).names
    for entry in called.entries:
        at = entry.at.replace("T", " ")
        if isinstance(entry, Ply):
            if entry.seat in NOBODY:
                continue
            struck = entry.number not in live
            move = say("{move} (taken back)", move=entry.move) if struck else entry.move
            who = render.called(names).get(entry.seat, entry.seat)
            line = say(
                "{at} #{ply} {player}: {move}", at=at, ply=entry.number, player=who, move=move
            )
            yield line.text()
            if entry.on_word:
                yield say("{at} {told}", at=at, told=render.ON_WORD).text()
        elif told := private_press.told(match.log, match.keyring, entry, whole=True):
            yield say("{at} {told}", at=at, told=told.text(names)).text()
            if isinstance(entry.ruling, Substitute):
                names = {**names, entry.ruling.seat: entry.ruling.name}


def listed(lines: Iterable[str], format: str) -> Iterator[str]:
    """Lines as a post in this dialect, each as it is."""
    from pbem.report.escape import Safe
    from pbem.report.templates import environment

    dialect: Any = environment("").get_template(f"dialects/{format}.j2").module
    safe = Safe(format)
    yield f"{str(dialect.lines([safe.value(line) for line in lines])).strip()}\n"
