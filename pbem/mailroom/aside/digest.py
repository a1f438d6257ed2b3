"""One mail a run to the moderator, with a copy of what was put aside since the last.

What it tells of has then been said, like all that is said once.
"""

from __future__ import annotations

from typing import Final

from pbem.desk.address import Address
from pbem.desk.answer import Verdict
from pbem.mailroom.aside import tray
from pbem.mailroom.aside.tray import LaidAside
from pbem.mailroom.daybook import laid_aside
from pbem.mailroom.letters import Letter, Person
from pbem.mailroom.run import Mailroom
from pbem.sentence import Counted, printable, say

_MOST_LINES: Final = 40
"""Lines of each mail that are copied; `pbem aside` shows all."""
_MOST: Final = 50
"""Mails that are copied; the others are listed."""


def send(room: Mailroom, to: Address) -> None:
    """Write to the moderator what has been put aside since they were written to, if anything has;
    that mails to them fail is told by no mail. Raises Problem."""
    with room.alone():
        folder, said = room.matches.folder, room.book.said
        new = [
            each
            for each in tray.entries(folder)
            if not said(laid_aside(each.number))
            and (each.verdict, each.sender) != (Verdict.BOUNCE, to)
        ]
        if new:
            letter = Letter(
                name=_name(new),
                to=Person(to),
                told=say("{text}", text="\n".join(_lines(new, folder))),
                subject=say(Counted("{n} mail needs you", "{n} mails need you"), n=len(new)),
            )
            room.write(letter, [laid_aside(each.number) for each in new])


def _lines(new: list[LaidAside], matches: str) -> list[str]:
    lines = [
        say(
            "These mails were put aside for you. `pbem aside {matches}` lists them, `--done N` "
            "puts one away, `--submit N` hands it to its match.",
            matches=matches,
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
