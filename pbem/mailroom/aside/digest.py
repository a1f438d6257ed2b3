"""One mail a run to the moderator, with a copy of what was put aside since the last.

Its name says which mails it tells of. So after a crash the same one is made again, or found.
"""

from __future__ import annotations

from typing import Final

from pbem.desk.address import Address
from pbem.desk.answer import Verdict
from pbem.mailroom.aside import tray
from pbem.mailroom.aside.tray import LaidAside
from pbem.mailroom.daybook import Digested
from pbem.mailroom.letters import Letter, Person
from pbem.mailroom.run import Mailroom
from pbem.sentence import Counted, printable, say

_MOST_LINES: Final = 40
"""Lines of each mail that are copied; `pbem aside` shows all."""
_MOST: Final = 50
"""Mails that are copied; the others are listed."""


class TrayDigest:
    """Tells the moderator of a folder of matches what is put aside for them."""

    def __init__(self, room: Mailroom, to: Address) -> None:
        self.room, self.to = room, to

    def catch_up(self) -> None:
        """Before a run: take note of a digest that was written just before a crash."""
        with self.room.alone():
            new = self._new()
            if new and self.room.outbox.holds(_name(new)):
                self.room.note(Digested(new[-1].number))

    def send(self) -> bool:
        """After a run: write the digest, if there is anything to tell. Raises Problem."""
        with self.room.alone():
            new = self._new()
            if not new:
                return False
            letter = Letter(
                name=_name(new),
                to=Person(self.to),
                told=say("{text}", text="\n".join(self._lines(new))),
                subject=say(Counted("{n} mail needs you", "{n} mails need you"), n=len(new)),
            )
            self.room.put(letter)
            self.room.note(Digested(new[-1].number))
            return True

    def _new(self) -> list[LaidAside]:
        """What has not been told; that mails to the moderator fail is told by no mail."""
        told = self.room.book.digested
        return [
            each
            for each in tray.entries(self.room.matches.folder)
            if each.number > told and (each.verdict, each.sender) != (Verdict.BOUNCE, self.to)
        ]

    def _lines(self, new: list[LaidAside]) -> list[str]:
        lines = [
            say(
                "These mails were put aside for you. `pbem aside {matches}` lists them, `--done N` "
                "puts one away, `--submit N` hands it to its match.",
                matches=self.room.matches.folder,
            ).text()
        ]
        for entry in new:
            lines += ["", "", printable(heading(entry))]
            if entry in new[:_MOST] and not entry.may_be_order:
                raw = entry.read()
                shown = tray.Copy.of(raw)
                text = [*tray.headers(raw), "", *shown.lines[:_MOST_LINES]]
                lines += [f"> {printable(line)}".rstrip() for line in text]
                lines += [str(shown.note)] if shown.note else []
        return lines


def heading(entry: LaidAside) -> object:
    """A mail that lies aside, in a line."""
    return say(
        "{number}  {at}  {sender}  {match}: {verdict}",
        number=entry.number,
        at=entry.at or "-",
        sender=entry.sender or "-",
        match=entry.match or "-",
        verdict=entry.verdict or "-",
    )


def _name(new: list[LaidAside]) -> str:
    """The name of a digest: other folders that share the outbox have mails of the same numbers."""
    newest = new[-1].name.rpartition(".")[2]
    return f"aside.{new[0].number}-{new[-1].number}.{newest[:8]}"
