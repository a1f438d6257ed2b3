"""The whole match in words, rulings and struck plies included."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.core import Seat
from pbem.log import sealing
from pbem.log.entries import Entry, Ply
from pbem.log.match import Match
from pbem.log.rulings import Ruled, Substitute
from pbem.report import compose, render


def lines(now: Match) -> list[str]:
    """A line for each event and each ruling, as far as the reader of this match may know.

    Seats are called by the names of who sat there at the time.
    """
    standing = {ply.number for ply, _ in now.plies}
    names = dict(now.log.header.seats)
    found: list[str] = []
    run: list[Ply] = []
    for entry in now.log.entries:
        if isinstance(entry, Ply):
            run.append(entry)
            continue
        found += _plies(now, run, standing, names)
        run = []
        found.append(f"--: {entry.sentence.text(names)}")
        if isinstance(entry.ruling, Substitute):
            names[entry.ruling.seat] = entry.ruling.name
    return found + _plies(now, run, standing, names)


def _plies(now: Match, run: list[Ply], standing: set[int], names: Mapping[Seat, str]) -> list[str]:
    opened = sealing.open_events(now.log, now.game, now.keyring, run)
    struck = frozenset(ply.number for ply in run) - standing
    news, folder = compose.news(opened, struck), compose.templates_of(now)
    return render.wording(now.game.NAME, news, names, folder=folder)


def ruling(now: Match, entry: Entry) -> str:
    """A ruling in words, seats by the names of who sits there now."""
    assert isinstance(entry, Ruled)
    return entry.sentence.text(now.players)
