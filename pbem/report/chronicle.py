"""The whole match in words, rulings and struck plies included."""

from __future__ import annotations

from pbem.log.match import Match
from pbem.report import compose, render


def lines(now: Match) -> list[str]:
    """A line for each event and each ruling, as far as the reader of this match may know.

    Seats are called by the names of those who sat there at the time.
    """
    told, folder = compose.since(now, 0, whole=True), compose.templates_of(now)
    return render.wording(now.game.NAME, told, now.players, folder=folder)
