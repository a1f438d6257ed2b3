"""Matches kept open between mails: none is used unless its files read as they did."""

from __future__ import annotations

from typing import Final, NamedTuple

from pbem.core import Seat
from pbem.desk import submit as desk
from pbem.desk.submit import Desk
from pbem.files import yamlio
from pbem.log import match
from pbem.log import sealing as log
from pbem.log.match import Match

MOST: Final = 64
"""So many matches are kept open; what has not been asked for the longest goes first."""


class _Open(NamedTuple):
    table_text: str
    table: Desk
    known: dict[Seat | None, Match]
    """By reader; the moderator's own under his seat's name, which no player can have."""


_MODERATOR: Final = "moderator"


class Shelf:
    """Open matches by the path of their log."""

    def __init__(self) -> None:
        self._open: dict[str, _Open] = {}

    def read(self, path: str) -> tuple[Match, Desk]:
        """A match and its desk file as they stand now. For `desk.submit`, under its lock.

        The files are read each time; parsing and replaying is left out where the text is the one
        that was parsed before. Raises Problem.
        """
        text = yamlio.read_text(path)
        table_path = desk.desk_path(path)
        kept = self._open.pop(path, None)
        if kept is None:
            known, table = desk.read_both(path)
            kept = _Open(yamlio.read_text(table_path), table, {_MODERATOR: known})
        else:
            table_text = yamlio.read_text(table_path)
            if table_text != kept.table_text:
                table = desk.read_desk(path)
                kept = _Open(
                    table_text, table, kept.known if table.secret == kept.table.secret else {}
                )
        now = kept.known.get(_MODERATOR)
        if now is None or now.log.text != text:
            now = match.of(log.parse(text, path), kept.table.keyring)
            kept = kept._replace(known={_MODERATOR: now})
        self._open[path] = kept
        while len(self._open) > MOST:
            del self._open[next(iter(self._open))]
        return now, kept.table

    def look(self, path: str) -> Match:
        """A match as it stands now, to be looked at only. Raises Problem."""
        return self.read(path)[0]

    def position(self, path: str) -> str:
        """`17 a3f9`."""
        ply, fingerprint = self.look(path).position
        return f"{ply} {fingerprint}"

    def keep(self, now: Match) -> None:
        """Remember a match that has just been written. The next `read` checks that it was."""
        kept = self._open.get(now.log.path)
        if kept is not None:
            kept.known[_MODERATOR] = now

    def seen_by(self, now: Match, seat: Seat | None) -> Match:
        """`match.seen_by`, going on from what that reader was shown before."""
        kept = self._open.get(now.log.path)
        if kept is None:
            return match.seen_by(now, seat)
        known = kept.known.get(seat)
        seen = (known and match.onward(known, now.log)) or match.seen_by(now, seat)
        kept.known[seat] = seen
        return seen
