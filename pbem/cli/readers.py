"""Letters that the moderator sends, in the form that each player has asked for by mail."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from pbem.cli.common import written_out
from pbem.matches.index import FOLDER

if TYPE_CHECKING:
    from pbem.core import Seat
    from pbem.desk.file import Desk
    from pbem.log.match import Match
    from pbem.mailroom.preferences import Preferences
    from pbem.report.facts import Report


class Readers:
    """How the players of a match want to be written to."""

    def __init__(self, desk: Desk | None) -> None:
        self._desk = desk

    @property
    def desk(self) -> Desk | None:
        """The desk file with the zones and languages they want; None where there is none."""
        return self._known[0]

    @cached_property
    def _known(self) -> tuple[Desk | None, Mapping[Seat, Preferences]]:
        folder = os.path.dirname(self._desk.path) or "." if self._desk else ""
        if self._desk is None or not os.path.isdir(os.path.join(folder, FOLDER)):
            return self._desk, {}  # nobody has asked for anything: the reading code is not needed
        from pbem.mailroom import daybook, preferences

        book = daybook.book_of(folder)
        return preferences.applied(self._desk, book), preferences.of_seats(self._desk, book)

    def letter(
        self,
        match: Match,
        seat: Seat,
        made: Callable[[], Report],
        format: str,
        width: int | None = None,
        *,
        language: str = "",
    ) -> str:
        """A letter to a seat as its reader wants it: in their language, unless another is asked
        for, and not in HTML if they want text only."""
        from pbem.report import compose

        wants = self._known[1].get(seat)
        plain = wants is not None and wants.text
        return written_out(
            made,
            "text" if plain and format == "html" else format,
            width,
            language=language or compose.language(match, seat, self.desk),
        )

    def news(self, match: Match, seat: Seat, made: Callable[[], Report], format: str) -> str:
        """News for one player: without the board, if they want it only on their turn, and it is
        not. A letter that answers them, or has their key, keeps its board."""
        from pbem.report import compose

        def bared() -> Report:
            report, wants = made(), self._known[1].get(seat)
            theirs = report.letter
            assert theirs is not None
            if (
                wants
                and wants.posts == "short"
                and not (report.bare or report.receipt or theirs.key)
            ):
                report = report._replace(bare=compose.why_no_board(match, (seat,)))
            return report

        return self.letter(match, seat, bared, format)
