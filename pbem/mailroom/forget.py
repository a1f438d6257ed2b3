"""Removes an address from a folder of matches: where the desk notes it, and all mails that hold it.

Each step can be repeated, so a run that is killed on the way forgets the rest the next time. First
come the desk files, so that the address is not written to; then the daybook, so that nobody is told
again what was in the mails that go next; last the index, which is made from all these. Logs are
chained and in other people's hands: they stay as they are.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from typing import Final, NamedTuple

from pbem.core import Seat
from pbem.desk.address import Address
from pbem.desk.file import LOG_SUFFIX, SUFFIX, Desk, desk_path
from pbem.files import store
from pbem.mailroom import tray
from pbem.mailroom.daybook import FILE, Daybook, book_of, without
from pbem.mailroom.earlier import PUT_AWAY
from pbem.mailroom.outbox.folder import MAIL, OWN, PARTS, REASON, SLIP
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
    silent, touched, problems = list[tuple[str, Seat]](), list[str](), list[Problem]()
    book = book_of(folder) if dry else Daybook(folder)
    with book.locked():
        boxes, outside = _boxes(folder, outboxes, book.outboxes())
        held = _holding((folder, *boxes), name)
        for log in logs_in(folder):
            if desk_path(log) in held:
                try:
                    left = _out_of_desk(log, address, name, dry=dry)
                except Problem as problem:
                    problems.append(problem)
                else:
                    silent += [(match_name(log), seat) for seat in left]
                    touched.append(desk_path(log))
        club = club_of(folder)
        if club and desk_path(club) in held:
            _out_of_club(club, address, name, dry=dry)
            touched.append(desk_path(club))
        mails = _mails(held, boxes)
        lines = without(folder, lambda text: name.sub(GONE, text), address)
        if lines is not None:
            touched.append(os.path.join(folder, FOLDER, FILE))
        if lines is not None and isinstance(book, Daybook):
            book.write_anew(lines, {os.path.basename(each).removesuffix(MAIL) for each in mails})
        for path in (*mails, *(each for each in held if _is_copy(each, folder))):
            touched += _removed(path, dry=dry)
    gone = {*map(os.path.abspath, touched)}
    remains = sorted(os.path.relpath(p) for p in held if os.path.abspath(p) not in gone)
    logs = tuple(path for path in remains if path.endswith(LOG_SUFFIX))
    others = tuple(path for path in remains if not path.endswith((LOG_SUFFIX, SUFFIX)))
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


def _holding(places: Iterable[str], name: re.Pattern[str]) -> dict[str, None]:
    """The files below these folders that hold an address, each once."""
    found = dict[str, str]()
    for top in places:
        for place, inner, names in os.walk(top):
            inner.sort()
            for path in (os.path.join(place, each) for each in sorted(names)):
                if os.path.abspath(path) not in found and _holds(path, name):
                    found[os.path.abspath(path)] = path
    return dict.fromkeys(found.values())


def _holds(path: str, name: re.Pattern[str]) -> bool:
    """Does a file hold an address, as it stands there or as a mail program shows it?"""
    data = store.read(path)
    if name.search(data.decode(errors="replace")):
        return True
    if not path.endswith(MAIL):
        return False
    from pbem.mailroom.inbox.headers import texts

    return any(map(name.search, texts(data)))


# ------------------------------------------------------------------------------ desk files


def _out_of_club(log: str, address: Address, name: re.Pattern[str], *, dry: bool) -> None:
    """Take an address out of the private file of a club. What its log holds of a person, a handle,
    stays."""
    if not dry:
        from pbem.club.private import ClubDesk

        with store.lock(log):
            desk = ClubDesk.read(log).without(address)
            store.replace(desk_path(log), name.sub(GONE, desk.text()).encode(), 0o600)


def _out_of_desk(
    log: str, address: Address, name: re.Pattern[str], *, dry: bool
) -> tuple[Seat, ...]:
    """Take an address out of a desk file, its comments too; gives the seats that have none left."""
    with nullcontext() if dry else store.lock(log, desk_path(log)):
        desk = Desk.read(log)
        kept = _without(desk, address, name)
        if not dry:
            store.replace(desk.path, name.sub(GONE, kept.text()).encode(), 0o600)
    known = desk.addresses.items()
    return tuple(seat for seat, theirs in known if theirs and not kept.addresses[seat])


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


def _mails(held: Collection[str], boxes: Iterable[str]) -> list[str]:
    """The mails of outboxes among the files that hold an address, without those that the desk still
    has to send to somebody else. A file beside a mail goes with that mail; one alone is what a
    crash left."""
    parts, found = {os.path.join(box, part): box for box in boxes for part in PARTS}, list[str]()
    for path in held:
        stem, part = os.path.splitext(path)[0], os.path.dirname(os.path.abspath(path))
        if part in parts:
            box, mail = parts[part], stem + MAIL
            sends = os.path.basename(os.path.dirname(box)) == FOLDER
            unsent = sends and os.path.dirname(part) == box
            if not os.path.exists(mail):
                found.append(path)
            elif not unsent or stem + SLIP in held:
                found.append(mail)
    return [*dict.fromkeys(found)]


def _is_copy(path: str, folder: str) -> bool:
    """Does the mailroom of a folder do without this file: a mail put aside, an index, which is made
    again, or what an earlier version kept?"""
    first = os.path.relpath(path, os.path.join(folder, FOLDER)).split(os.sep)[0]
    return first.startswith(index.FILE) or first in (tray.ASIDE, tray.KEPT, tray.DONE, PUT_AWAY)


def _removed(path: str, *, dry: bool) -> Iterator[str]:
    """Remove a file and, of a mail, what lies beside it; last its slip, which says whose it is."""
    stem = os.path.splitext(path)[0]
    for each in dict.fromkeys((path, stem + MAIL, stem + REASON, stem + SLIP)):
        if os.path.lexists(each):
            with store.may_fail(CannotWrite, "cannot be removed: {strerror}", each):
                if not dry:
                    os.unlink(each)
            yield each
