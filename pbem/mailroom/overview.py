"""Where all matches of a player stand, for the player."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.core import Seat
from pbem.log.match import Match
from pbem.matches.matches import Matches
from pbem.report import compose
from pbem.sentence import Sentence, say


def overview(theirs: Mapping[str, Sequence[Seat]], matches: Matches) -> Sentence:
    """Where each of these matches stands: those that wait for somebody first, those over last."""
    rows = [
        _row(matches.look(path), seats)
        for path, seats in sorted(theirs.items(), key=lambda each: each[0])
    ]
    lines = [line for _, line in sorted(rows, key=lambda row: row[0])]
    return say("Your matches:\n\n{lines:lines}", lines=lines)


def _row(now: Match, seats: Sequence[Seat]) -> tuple[int, Sentence]:
    token = say("[{match} {position}]", match=now.name, position=now.position)
    names = now.players
    if now.outcome is not None:
        return 2, say("{token} The match is over.", token=token)
    if any(seat in now.awaited for seat in seats):
        return 0, say("{token} It's your turn.", token=token)
    if not now.awaited:
        return 1, say("{token} Cards must be dealt first.", token=token)
    waits = [compose.names(now).get(seat, names.get(seat, seat)) for seat in now.awaited]
    return 1, say("{token} Next to move: {waits:all}.", token=token, waits=waits)
