"""The whole match in words, rulings and struck plies included."""

from __future__ import annotations

from pbem.core import Seat
from pbem.log import sealing
from pbem.log.format import Entry, Ply, Ruling
from pbem.log.match import Match
from pbem.report import compose, render


def lines(now: Match) -> list[str]:
    """A line for each event and each ruling, as far as the reader of this match may know."""
    standing = {ply.number for ply, _ in now.plies}
    told: list[str] = []
    run: list[Ply] = []
    for entry in now.log.entries:
        if isinstance(entry, Ply):
            run.append(entry)
            continue
        told += _plies(now, run, standing)
        run = []
        told.append(f"--: {ruling(now, entry)}")
    return told + _plies(now, run, standing)


def _plies(now: Match, run: list[Ply], standing: set[int]) -> list[str]:
    opened = sealing.open_events(now.log, now.game, now.keyring, run)
    struck = frozenset(ply.number for ply in run) - standing
    news, folder = compose.news(opened, struck), compose.templates_of(now)
    return render.wording(now.game.NAME, news, now.players, folder=folder)


def ruling(now: Match, entry: Entry) -> str:
    """A ruling as a sentence."""
    assert isinstance(entry, Ruling)
    because = f" Reason: {entry.reason}" if entry.reason else ""
    return f"{_ruled(now, entry)}{because}"


def _ruled(now: Match, entry: Ruling) -> str:
    data = entry.data
    seat: Seat = data.get("seat", "")
    match entry.kind:
        case "takeback":
            first, last = min(data["strikes"]), max(data["strikes"])
            plies = f"ply {first} is" if first == last else f"plies {first} to {last} are"
            return f"The moderator rules: {plies} taken back."
        case "default":
            return f"The moderator rules: {seat} was silent; the next ply is played for that seat."
        case "substitute":
            return f"The moderator rules: {data['name']} takes the seat {seat}."
        case "resign":
            return f"The moderator rules: {seat} resigns."
        case "end":
            winners = " and ".join(data["winners"])
            won = f"{winners} won" if winners else "nobody won"
            return f"The moderator rules: the match is over, {won}."
        case "entropy":
            return f"{seat} adds to the draws that follow: {data['text']!r}"
        case "reveal":
            return f"The secret of the match is revealed: {data['secret']}"
    return f"The moderator notes: {data['text']}"
