"""Who may write for a seat, and what its mails bring: changed in the desk file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pbem.core import Seat, Usage
from pbem.desk import address
from pbem.desk.file import Desk, desk_path, read_both
from pbem.files import store, yamlio
from pbem.log.match import Match


def change(
    path: str,
    seat: Seat,
    addresses: Sequence[str] = (),
    authors: Sequence[str] = (),
    zone: str | None = None,
    *,
    pictures: bool | None = None,
    wait: float = 10.0,
) -> tuple[Match, Desk]:
    """Give a seat other addresses, other accounts, another time zone for its letters ("": the
    match's), or mails with or without pictures; what is left out stays as it is.

    The log does not change, and neither do the comments of the desk file. Raises Problem.
    """
    known = tuple(address.read(text) for text in addresses)
    for author in authors:
        if not 0 < len(author) <= 200 or not author.isprintable():
            raise Usage("{text!r} is no name of a forum account", text=author[:60])
    if zone:
        from pbem.log import clock

        clock.zone(zone)
    with store.lock(path, wait, desk_path(path)):
        now, desk = read_both(path)
        now.require_seat(seat)
        changed = desk
        if known:
            changed = replace(changed, addresses={**desk.addresses, seat: known})
        if authors:
            changed = replace(changed, authors={**desk.authors, seat: tuple(authors)})
        if zone is not None:
            others = {each: name for each, name in desk.zones.items() if each != seat}
            changed = replace(changed, zones={**others, **({seat: zone} if zone else {})})
        if pictures is not None:
            changed = replace(changed, pictures={**desk.pictures, seat: pictures})
        if changed != desk:
            text = changed.text(over=yamlio.read_text(desk.path))
            store.replace(desk.path, text.encode(), 0o600)
        return now, changed
