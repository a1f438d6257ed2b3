"""Who may write for a seat: addresses and accounts changed in the desk file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from pbem.core import Seat, Usage
from pbem.desk.file import Desk, desk_path, read_both
from pbem.files import store, yamlio
from pbem.log.match import Match

_ADDRESS: Final = re.compile(r"[^\s<>@,]+@[^\s<>@,]+")


def change(
    path: str,
    seat: Seat,
    addresses: Sequence[str] = (),
    authors: Sequence[str] = (),
    *,
    wait: float = 10.0,
) -> tuple[Match, Desk]:
    """Give a seat other addresses, other accounts, or both; what is left out stays as it is.

    The log does not change, and neither do the comments of the desk file. Raises Problem.
    """
    for address in addresses:
        if not _ADDRESS.fullmatch(address):
            raise Usage("{text!r} is no mail address; write ana@example.org", text=address[:60])
    for author in authors:
        if not 0 < len(author) <= 200 or not author.isprintable():
            raise Usage("{text!r} is no name of a forum account", text=author[:60])
    with store.lock(path, wait, desk_path(path)):
        now, desk = read_both(path)
        now.require_seat(seat)
        changed = desk
        if addresses:
            book = {**desk.addresses, seat: tuple(address.lower() for address in addresses)}
            changed = replace(changed, addresses=book)
        if authors:
            changed = replace(changed, authors={**desk.authors, seat: tuple(authors)})
        if changed != desk:
            text = changed.text(over=yamlio.read_text(desk.path))
            store.replace(desk.path, text.encode(), 0o600)
        return now, changed
