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
from typing import Final, NamedTuple

from pbem.desk import seats
from pbem.desk.address import Address
from pbem.desk.file import LOG_SUFFIX, SUFFIX, Desk, desk_path
from pbem.files import store
from pbem.mailroom import tray
from pbem.mailroom.daybook import Daybook
from pbem.mailroom.earlier import PUT_AWAY
from pbem.mailroom.outbox.folder import MAIL, OWN, PARTS, PRIVATE, PUBLIC, REASON, SLIP
from pbem.matches import index
from pbem.matches.index import FOLDER, logs_in
from pbem.problem import CannotWrite, Problem

GONE: Final = "(forgotten)"
"""What replaces an address in what is kept."""


class Forgotten(NamedTuple):
    """The files that were changed or removed, those that still hold the address, and what stood in
    the way."""

    touched: tuple[str, ...]
    remains: tuple[str, ...]
    problems: tuple[Problem, ...]


def forget(
    folder: str, address: Address, outboxes: Iterable[str] = (), wait: float = 10.0
) -> Forgotten:
    """Take an address out of everything the desk keeps for these matches, and out of these outboxes
    and those its runs have written to. Raises Problem if the daybook fails."""
    name = _pattern(address)
    own = os.path.join(folder, FOLDER)
    touched, problems = list[str](), list[Problem]()
    book = Daybook(folder)
    with book.alone(wait):
        for path in logs_in(folder):
            try:
                if _out_of_desk(path, address, name, wait):
                    touched.append(desk_path(path))
            except Problem as problem:
                problems.append(problem)
        places = [*outboxes, *book.outboxes(), os.path.join(own, OWN)]
        boxes = [
            each for each in dict.fromkeys(map(os.path.abspath, places)) if os.path.isdir(each)
        ]
        mails = [mail for box in boxes for mail in _mails(box, name)]
        letters = {os.path.basename(each).removesuffix(MAIL) for each in mails}
        if book.forget(lambda text: name.sub(GONE, text), address, letters):
            touched.append(book.path)
        for path in (*mails, *_aside(own, name)):
            touched += _removed(path)
        for path in _files(os.path.join(own, PUT_AWAY)):
            data = store.read(path)
            if name.search(data.decode(errors="replace")):
                text = name.sub(GONE, data.decode(errors="surrogateescape"))
                store.replace(path, text.encode(errors="surrogateescape"), 0o600)
                touched.append(path)
        for each in os.listdir(own):
            touched += _unlinked(os.path.join(own, each)) if each.startswith(index.FILE) else []
    left = (path for place in (folder, *boxes) for path in _files(place) if _holds(path, name))
    return Forgotten(tuple(touched), tuple(dict.fromkeys(map(os.path.relpath, left))), (*problems,))


def _pattern(address: Address) -> re.Pattern[str]:
    """Matches the address in upper or lower case, and no other that ends or begins with it."""
    return re.compile(rf"(?<![\w.+-]){re.escape(address)}(?![\w-]|\.\w)", re.IGNORECASE)


# ------------------------------------------------------------------------------ desk files


def _out_of_desk(path: str, address: Address, name: re.Pattern[str], wait: float) -> bool:
    """Take an address out of a desk file; was it there?"""
    if not name.search(store.read(desk_path(path)).decode(errors="replace")):
        return False
    seats.rewritten(path, lambda _, desk: _without(desk, address, name), wait)
    with store.lock(path, wait, desk_path(path)):
        text = store.read(desk_path(path)).decode()
        if name.search(text):  # in a comment, say
            store.replace(desk_path(path), name.sub(GONE, text).encode(), 0o600)
            Desk.read(path)
    return True


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


def _aside(own: str, name: re.Pattern[str]) -> Iterator[str]:
    """The mails put aside, kept or done with that hold an address, or whose reason does."""
    for place in (tray.ASIDE, tray.KEPT, tray.DONE):
        for path in _files(os.path.join(own, place)):
            if _holds(path, name):
                yield path


def _removed(path: str) -> Iterator[str]:
    """Remove a mail and what lies beside it; last its slip, which says whose it is."""
    stem = os.path.splitext(path)[0]
    for each in dict.fromkeys((path, stem + MAIL, stem + REASON, stem + SLIP)):
        yield from _unlinked(each)


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


def _unlinked(path: str) -> list[str]:
    with store.may_fail(CannotWrite, "cannot be removed: {strerror}", path):
        try:
            os.unlink(path)
        except FileNotFoundError:
            return []
    return [path]


def in_logs(remains: Iterable[str]) -> tuple[list[str], list[str]]:
    """What remains: in logs, which nobody can change, and elsewhere, but for desk files."""
    found = sorted(remains)
    logs = [path for path in found if path.endswith(LOG_SUFFIX)]
    return logs, [path for path in found if path not in logs and not path.endswith(SUFFIX)]
