"""Removes an address from a folder of matches: where the desk notes it, and all mails that hold it.

Each step can be repeated, so a run that is killed on the way forgets the rest the next time. First
come the desk files, so that the address is not written to; then the daybook, so that nobody is told
again what was in the mails that go next; last the index, which is made from all these. Logs are
chained and in other people's hands: they stay as they are.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from glob import escape, glob
from typing import Final, NamedTuple

from pbem.core import Seat
from pbem.desk import seats
from pbem.desk.address import Address
from pbem.desk.file import LOG_SUFFIX, SUFFIX, Desk, desk_path
from pbem.files import store
from pbem.mailroom import tray
from pbem.mailroom.daybook import FILE, Daybook, book_of, without
from pbem.mailroom.earlier import PUT_AWAY
from pbem.mailroom.outbox.folder import MAIL, OWN, PARTS, PRIVATE, PUBLIC, REASON, SLIP
from pbem.matches import index
from pbem.matches.index import FOLDER, club_of, logs_in, match_name
from pbem.problem import CannotWrite, Problem

GONE: Final = "(forgotten)"
"""What replaces an address in what is kept."""


class Forgotten(NamedTuple):
    """The files that were changed or removed; the logs, which nobody can change, and other files
    that still hold the address; what stood in the way; the seats that nobody is written to now,
    each by match and seat; and the outboxes outside the folder that runs have noted and nobody has
    named."""

    touched: tuple[str, ...]
    logs: tuple[str, ...]
    elsewhere: tuple[str, ...]
    problems: tuple[Problem, ...]
    silent: tuple[tuple[str, Seat], ...]
    outside: tuple[str, ...]


def forget(
    folder: str, address: Address, outboxes: Iterable[str] = (), *, dry: bool = False
) -> Forgotten:
    """Take an address out of everything the desk keeps for these matches, out of these outboxes and
    those within the folder: a copy of the folder has noted the same others, and they are not its
    own. If it is `dry`, only find out. Raises Problem if the daybook fails."""
    # In upper or lower case, and no other address that ends or begins with it.
    name = re.compile(rf"(?<![\w.+-]){re.escape(address)}(?![\w-]|\.\w)", re.IGNORECASE)
    own = os.path.join(folder, FOLDER)
    desks, problems = dict[str, tuple[Seat, ...]](), list[Problem]()
    book = book_of(folder) if dry else Daybook(folder)
    with book.locked():
        for path in logs_in(folder):
            try:
                left = _out_of_desk(path, address, name, dry=dry)
            except Problem as problem:
                problems.append(problem)
            else:
                desks |= {} if left is None else {path: left}
        touched = [*_out_of_club(folder, address, name, dry=dry), *map(desk_path, desks)]
        boxes, outside = _boxes(folder, outboxes, book.outboxes())
        mails = [mail for box in boxes for mail in _mails(box, name)]
        lines = without(folder, lambda text: name.sub(GONE, text), address)
        if lines is not None:
            touched.append(os.path.join(own, FILE))
        if lines is not None and isinstance(book, Daybook):
            book.write_anew(lines, {os.path.basename(each).removesuffix(MAIL) for each in mails})
        kept = (
            p
            for each in (tray.ASIDE, tray.KEPT, tray.DONE)
            for p in _files(os.path.join(own, each))
        )
        aside = [path for path in kept if _holds(path, name)]
        made = glob(os.path.join(escape(own), f"{index.FILE}*"))
        for path in (*mails, *aside, *made):
            touched += _removed(path, dry=dry)
        touched += _scrubbed(os.path.join(own, PUT_AWAY), name, dry=dry)
    would = {*map(os.path.abspath, touched)} if dry else set()
    held = (path for place in (folder, *boxes) for path in _files(place) if _holds(path, name))
    remains = sorted({os.path.relpath(p) for p in held if os.path.abspath(p) not in would})
    logs = tuple(path for path in remains if path.endswith(LOG_SUFFIX))
    others = tuple(path for path in remains if not path.endswith((LOG_SUFFIX, SUFFIX)))
    silent = ((match_name(path), seat) for path, left in desks.items() for seat in left)
    changed = (*dict.fromkeys(touched),)
    return Forgotten(changed, logs, others, (*problems,), (*silent,), outside)


def _boxes(
    folder: str, named: Iterable[str], noted: Iterable[str]
) -> tuple[list[str], tuple[str, ...]]:
    """The outboxes to go through, and those outside the folder that nobody has named."""
    own = [os.path.join(folder, each) for each in (*noted, os.path.join(FOLDER, OWN))]
    wanted = [*map(os.path.abspath, named)]
    there = filter(os.path.isdir, dict.fromkeys((*wanted, *map(os.path.abspath, own))))
    found = {each: each in wanted or store.is_within(folder, each) for each in there}
    return [each for each in found if found[each]], (*(e for e in found if not found[e]),)


# ------------------------------------------------------------------------------ desk files


def _out_of_club(
    folder: str, address: Address, name: re.Pattern[str], *, dry: bool
) -> Iterator[str]:
    """Take an address out of the private file of the club, if there is one; gives its path if it
    was there. What the club's log holds of a person, a handle, stays."""
    log = club_of(folder)
    path = desk_path(log)
    if not (log and os.path.exists(path)):
        return
    if not name.search(store.read(path).decode(errors="replace")):
        return
    if not dry:
        from pbem.club.private import ClubDesk

        with store.lock(log):
            desk = ClubDesk.read(log).without(address)
            store.replace(path, name.sub(GONE, desk.text()).encode(), 0o600)
    yield path


def _out_of_desk(
    path: str, address: Address, name: re.Pattern[str], *, dry: bool
) -> tuple[Seat, ...] | None:
    """Take an address out of a desk file; gives the seats that have none left, None if it was not
    there."""
    if not name.search(store.read(desk_path(path)).decode(errors="replace")):
        return None
    desk = Desk.read(path)
    left = _without(desk, address, name).addresses
    silent = tuple(seat for seat, known in desk.addresses.items() if known and not left[seat])
    if dry:
        return silent
    seats.rewritten(path, lambda _, desk: _without(desk, address, name))
    with store.lock(path, desk_path(path)):
        text = store.read(desk_path(path)).decode()
        if name.search(text):  # in a comment, say
            store.replace(desk_path(path), name.sub(GONE, text).encode(), 0o600)
            Desk.read(path)
    return silent


def _without(desk: Desk, address: Address, name: re.Pattern[str]) -> Desk:
    kept = {
        seat: tuple(each for each in known if each != address)
        for seat, known in desk.addresses.items()
    }
    accounts = {
        seat: tuple(each for each in known if not name.search(each))
        for seat, known in desk.authors.items()
    }
    return replace(
        desk,
        addresses=kept,
        authors=accounts,
        observers=tuple(each for each in desk.observers if each != address),
        former={key: each for key, each in desk.former.items() if each != address},
        contact="" if name.search(desk.contact) else desk.contact,
    )


# ----------------------------------------------------------------------------------- mails


def _mails(box: str, name: re.Pattern[str]) -> Iterator[str]:
    """The mails of an outbox that hold an address, without those that the desk still has to send to
    somebody else."""
    sends = os.path.basename(os.path.dirname(box)) == FOLDER
    for part in PARTS:
        unsent = sends and part in (PUBLIC, PRIVATE)
        for path in _files(os.path.join(box, part)):
            stem, ending = os.path.splitext(path)
            slip = stem + SLIP
            if ending == MAIL:
                theirs = os.path.exists(slip) and _holds(slip, name)
                found = theirs or (not unsent and _holds(path, name))
            else:  # a file beside a mail goes with that mail; one alone is what a crash left
                found = not os.path.exists(stem + MAIL) and _holds(path, name)
            if found:
                yield path


def _removed(path: str, *, dry: bool) -> Iterator[str]:
    """Remove a file and, of a mail, what lies beside it; last its slip, which says whose it is."""
    stem = os.path.splitext(path)[0]
    for each in dict.fromkeys((path, stem + MAIL, stem + REASON, stem + SLIP)):
        if os.path.lexists(each):
            with store.may_fail(CannotWrite, "cannot be removed: {strerror}", each):
                if not dry:
                    os.unlink(each)
            yield each


def _scrubbed(folder: str, name: re.Pattern[str], *, dry: bool) -> Iterator[str]:
    """Take an address out of each file of a folder that holds it; gives their paths."""
    for path in _files(folder):
        data = store.read(path)
        if name.search(data.decode(errors="replace")):
            text = name.sub(GONE, data.decode(errors="surrogateescape"))
            if not dry:
                store.replace(path, text.encode(errors="surrogateescape"), 0o600)
            yield path


def _holds(path: str, name: re.Pattern[str]) -> bool:
    """Does a file hold an address, as it stands there or as a mail program shows it?"""
    data = store.read(path)
    if name.search(data.decode(errors="replace")):
        return True
    if not path.endswith(MAIL):
        return False
    from pbem.mailroom.inbox.headers import texts

    return any(map(name.search, texts(data)))


# ----------------------------------------------------------------------------------- files


def _files(folder: str) -> Iterator[str]:
    """All files below a folder, which need not exist."""
    for place, inner, names in os.walk(folder):
        inner.sort()
        yield from (os.path.join(place, each) for each in sorted(names))
