"""The whole match in words, rulings and struck plies included."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pbem.core import NOBODY
from pbem.log.match import Replay
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
    for entry, news in compose.told_of(match, 0, whole=True):
        at = entry.at.replace("T", " ")
        if isinstance(news, str):
            yield say("{at} {told}", at=at, told=news).text()
        elif news.seat not in NOBODY:
            move = say("{move} (taken back)", move=news.move) if news.struck else news.move
            who = render.called(news.seats or match.players)[news.seat]
            told = {"at": at, "ply": news.ply, "player": who, "move": move}
            yield say("{at} #{ply} {player}: {move}", **told).text()
            if news.on_word:
                yield say("{at} {told}", at=at, told=render.ON_WORD).text()


def listed(lines: Iterable[str], format: str) -> Iterator[str]:
    """Lines as a post in this dialect, each as it is."""
    from pbem.report.escape import Safe
    from pbem.report.templates import environment

    dialect: Any = environment("").get_template(f"dialects/{format}.j2").module
    safe = Safe(format)
    yield f"{str(dialect.lines([safe.value(line) for line in lines])).strip()}\n"
