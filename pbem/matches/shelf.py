"""Matches kept open between mails: none is used unless its files read as they did."""

from __future__ import annotations

from typing import Final, NamedTuple

from pbem.core import Seat
from pbem.desk.file import Desk, desk_path, read_both
from pbem.files import yamlio
from pbem.log.format import Log
from pbem.log.match import Match

MOST: Final = 64
"""How many matches are kept open; the least recently used goes first."""


class _Open(NamedTuple):
    desk_text: str
    desk: Desk
    known: dict[Seat | None, Match]
    """By reader; the moderator's own under the name of a seat, which no player can have."""


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
        private_path = desk_path(path)
        kept = self._open.pop(path, None)
        if kept is None:
            known, desk = read_both(path)
            kept = _Open(yamlio.read_text(private_path), desk, {_MODERATOR: known})
        else:
            desk_text = yamlio.read_text(private_path)
            if desk_text != kept.desk_text:
                desk = Desk.read(path)
                kept = _Open(desk_text, desk, kept.known if desk.secret == kept.desk.secret else {})
        now = kept.known.get(_MODERATOR)
        if now is None or now.log.text != text:
            now = Match.of(Log.parse(text, path), kept.desk.keyring)
            kept = kept._replace(known={_MODERATOR: now})
        self._open[path] = kept
        while len(self._open) > MOST:
            del self._open[next(iter(self._open))]
        return now, kept.desk

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
            return now.seen_by(seat)
        known = kept.known.get(seat)
        seen = (known and known.onward(now.log)) or now.seen_by(seat)
        kept.known[seat] = seen
        return seen
