"""A folder of matches on its way from one place to another: whether all came along, and all of it
in one archive.

An archive is a zip file with the files of the folder, each under its path there. Its comment tells
whether they are those that were packed, all of them, and as they were. It can be unpacked by hand;
`restore` also checks that a desk can go on with it.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import shutil
import stat
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from typing import Final, NamedTuple
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo
from zlib import error as bad_deflate

from pbem.core import normal
from pbem.desk.file import LOG_SUFFIX, SUFFIX, Desk, desk_path
from pbem.files import modes, store, yamlio
from pbem.log.format import Log
from pbem.mailroom import daybook
from pbem.mailroom.daybook import FILE, Book, Daybook
from pbem.mailroom.outbox.folder import FAILED, SENT
from pbem.matches import index
from pbem.matches.index import FOLDER, club_of, logs_in
from pbem.matches.matches import Matches
from pbem.problem import BadFile, CannotMake, NoFile, Problem, Usage


def require_daybook(matches: Matches, book: Book) -> None:
    """Raise NoFile if desk files in a folder say that a daybook knows their matches, and this one
    does not: it was left behind, and with it who has been told what."""
    lost = [match for match in matches.stamps() if _is_lost(match, matches, book)]
    if lost:
        path = os.path.join(matches.folder, FOLDER, FILE)
        raise NoFile(_LEFT_BEHIND, path, n=len(lost), match=lost[0], folder=FOLDER)


def _is_lost(match: str, matches: Matches, book: Book) -> bool:
    """Is a match one of which a daybook knows, but not this one?"""
    if book.knows(match):
        return False
    path = matches.log(match)
    with suppress(Problem):  # whoever needs the file will say what is wrong with it
        if matches.desk(path).daybook:
            log = Log.parse(yamlio.read_text(path), path, remember=False)
            return book.renamed(match, log, matches.folder) is None
    return False


_LEFT_BEHIND: Final = (
    "knows nothing of[| {n} matches, such as] {match}, though [its desk file says|their desk files "
    "say] that it should: {folder} holds who has been told what, and how players want their mails. "
    "Bring it along from where the [match was|matches were], or from a backup. If it is lost, "
    "--anew goes on without: everybody counts as told all so far"
)


# ------------------------------------------------------------------------------- an archive


_MOST: Final = 2**31
"""How many bytes the files in an archive may have; each is read as a whole."""
_DEEPEST: Final = 50  # folders in folders


class Packed(NamedTuple):
    """How many files and matches an archive holds, what in it `restore` would refuse, such as a log
    that cannot be read, and which outboxes that runs have noted lie outside the folder, and so are
    not in it."""

    files: int
    matches: int
    problems: tuple[Problem, ...] = ()
    outside: tuple[str, ...] = ()


def backup(folder: str, file: str, at: str) -> Packed:
    """Write all that counts in a folder into one private archive at the time `at`, while nobody
    notes anything in the daybook; a file that can be made again, or that is hidden, is left out.
    Raises Problem, also if there is such a file already."""
    if store.is_within(folder, file):
        raise Usage("lies in the folder that is to be backed up: write it elsewhere", file)
    if os.path.exists(file):
        raise CannotMake("is there already; choose another name", file)
    kept = os.path.exists(os.path.join(folder, FOLDER, FILE))
    book: Book = Daybook(folder) if kept else Book()
    out, problems, sums = io.BytesIO(), list[Problem](), list[str]()
    with ZipFile(out, "w", ZIP_DEFLATED) as archive, book.locked():
        for name, data, mode in _contents(folder):
            entry = ZipInfo(name, (*map(int, re.findall(r"\d+", at)[:6]),))  # type: ignore[arg-type]
            entry.external_attr = mode << 16
            archive.writestr(entry, data, ZIP_DEFLATED)
            problems += _problems(name, data)
            sums.append(_sum(entry, data))
        archive.comment = _note(sums)
    store.replace(file, out.getvalue(), 0o600)
    problems += _objections(archive.infolist(), file)
    noted = (os.path.join(folder, each) for each in book.outboxes())
    outside = (each for each in noted if os.path.isdir(each) and not store.is_within(folder, each))
    club = bool(club_of(folder))
    return _packed(archive.namelist(), (*problems,), (*dict.fromkeys(outside),), club=club)


def _sum(entry: ZipInfo, data: bytes) -> str:
    """A checksum of a file: of its name, its mode, and all that it holds."""
    mode = entry.external_attr >> 16
    return f"{hashlib.sha256(data).hexdigest()} {mode:o} {entry.filename}"


def _note(sums: Sequence[str]) -> bytes:
    """What the comment of an archive says of all its files."""
    return b"pbem-backup/1 " + hashlib.sha256("\n".join(sums).encode()).hexdigest().encode()


def _contents(folder: str) -> Iterator[tuple[str, bytes, int]]:
    """The files of a folder that count: the path of each there, what it holds, and its mode. A desk
    file and its log come as they stood at one instant."""
    done = set[str]()
    for log in (*filter(None, [club_of(folder)]), *logs_in(folder)):
        with store.lock(log):
            both = [each for each in (desk_path(log), log) if os.path.exists(each)]
            held = [(path, store.read(path)) for path in both]
        done.update(both)
        yield from ((os.path.basename(path), data, _mode(path)) for path, data in held)
    for path in _others(folder):
        if path not in done:
            with suppress(NoFile, FileNotFoundError):  # a mail that has been sent meanwhile
                name = os.path.relpath(path, folder).replace(os.sep, "/")
                yield name, store.read(path), _mode(path)


def _mode(path: str) -> int:
    return os.stat(path).st_mode & 0o777


def _others(folder: str) -> Iterator[str]:
    """The files of a folder and of its mailroom, but for links, what can be made again, and what
    lies in other hidden folders. Mails that were sent come last, or one might be missed that is
    sent while this goes on."""
    for top in (folder, os.path.join(folder, FOLDER)):
        for place, inner, names in os.walk(top):
            inner[:] = sorted(each for each in inner if each[0] != ".")
            inner.sort(key=(SENT, FAILED).__contains__)
            for name in sorted(names):
                passing = name[0] == "." and name.endswith((".lock", ".tmp"))
                made = name.startswith(index.FILE) and top != folder
                path = os.path.join(place, name)
                if os.path.isfile(path) and not (passing or made or os.path.islink(path)):
                    yield path


def _problems(name: str, data: bytes) -> Iterator[Problem]:
    """Why a log or a desk file cannot be read, if it cannot."""
    if not name.endswith((LOG_SUFFIX, SUFFIX)):
        return
    text = data.decode(errors="replace")
    try:
        if found := _OF_A_CLUB.search(text):
            from pbem.club.clublog import ClubLog
            from pbem.club.private import ClubDesk

            {"": ClubLog.parse, "-desk": ClubDesk.parse}[found[1]](text, name)
        elif name.endswith(LOG_SUFFIX):
            Log.parse(text, name, remember=False)
        else:
            Desk.parse(text, name)
    except Problem as problem:
        yield problem


_OF_A_CLUB: Final = re.compile(r"^format: pbem-club(|-desk)/", re.MULTILINE)


def _packed(
    names: Collection[str],
    problems: tuple[Problem, ...] = (),
    outside: tuple[str, ...] = (),
    *,
    club: bool,
) -> Packed:
    matches = sum(name.endswith(LOG_SUFFIX) for name in names) - club
    return Packed(len(names), matches, problems, outside)


def restore(file: str, folder: str) -> Packed:
    """Make a folder of what an archive holds, whole or not at all. Raises Problem if the folder is
    not empty, or if anything in the archive is not as it was packed, cannot be read or would lie
    outside the folder."""
    if os.path.lexists(folder) and not (os.path.isdir(folder) and not os.listdir(folder)):
        raise CannotMake("is there already, and not empty: restore into a new folder", folder)
    folder, names = os.path.abspath(folder), list[str]()
    beside = f"{folder}.{os.urandom(8).hex()}.tmp"
    try:
        store.make_folder(beside)
        for entry, data in _held(file):
            for problem in _problems(entry.filename, data):
                raise BadFile("{problem}; unpack it by hand to mend it", file, problem=problem)
            _unpack(entry, data, beside)
            names.append(entry.filename)
        list(daybook.facts(beside))  # raises BadFile if it cannot be read
        with store.may_fail(CannotMake, "cannot be made: {strerror}", folder):
            if os.path.isdir(folder):
                os.rmdir(folder)
            os.replace(beside, folder)
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return _packed(names, club=bool(club_of(folder)))


def _held(file: str) -> Iterator[tuple[ZipInfo, bytes]]:
    """The files in an archive, each with what it holds. Raises BadFile at once if they cannot be
    put into a folder, and after the last if they are not those that were packed."""
    sums = list[str]()
    try:
        with store.readable(file), ZipFile(file) as archive:
            for problem in _objections(archive.infolist(), file):
                raise problem
            for entry in archive.infolist():
                data = archive.read(entry)
                sums.append(_sum(entry, data))
                yield entry, data
    except (BadZipFile, bad_deflate, EOFError, RuntimeError, NotImplementedError) as error:
        raise BadFile("is no archive that can be read: {why}", file, why=error) from error
    if archive.comment != _note(sums):
        raise BadFile(
            "a file in it was added, taken out or changed since, or `pbem backup` did not make it",
            file,
        )


def _objections(entries: Collection[ZipInfo], file: str) -> Iterator[BadFile]:
    """Why the files of an archive cannot be put into a folder of any system; none is read yet."""
    size = sum(each.file_size for each in entries)
    if size > _MOST:
        yield BadFile(
            "has {size:,} bytes when unpacked; at most {most:,} are: copy the whole folder",
            file,
            size=size,
            most=_MOST,
        )
    for entry in entries:
        name, kind = entry.orig_filename, stat.S_IFMT(entry.external_attr >> 16)
        if not _is_safe(name):
            yield BadFile("{name!r} in it would not lie in the folder", file, name=name)
        elif name.endswith(".yaml") and entry.file_size > yamlio.LARGEST:
            largest = yamlio.LARGEST >> 20
            yield BadFile(
                "{name!r} in it is larger than {largest} MiB", file, name=name, largest=largest
            )
        elif kind not in (0, stat.S_IFREG) or entry.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
            yield BadFile("{name!r} in it is no plain file", file, name=name)
    names, seen = [each.filename for each in entries], dict[str, str]()
    folders = {name[: slash.start()] for name in names for slash in re.finditer("/", name)}
    for path in (*sorted(folders), *names):
        plain = normal("NFC", path).casefold()
        if plain in seen:
            yield BadFile(
                "{name!r} and {other!r} in it would be one file on some systems",
                file,
                name=path,
                other=seen[plain],
            )
        seen[plain] = path


def _is_safe(name: str) -> bool:
    """Is this the same path inside the folder it is put into on any system?"""
    parts = name.split("/")
    return (
        name.isprintable()
        and len(parts) <= _DEEPEST
        and not set(name) & set('\\:*?"<>|')
        and all(part.strip() and part == part.rstrip(". ") for part in parts)
    )


def _unpack(entry: ZipInfo, data: bytes, folder: str) -> None:
    """Write a file into a folder, where nobody but its owner may change it. Raises Problem."""
    name = entry.filename
    path, mode = os.path.join(folder, *name.split("/")), entry.external_attr >> 16
    private = name.endswith(SUFFIX) or name.startswith(f"{FOLDER}/")
    store.make_folder(
        os.path.dirname(path), modes.PRIVATE if private and "/" in name else modes.OPEN
    )
    store.replace(path, data, 0o600 if private else (mode or 0o600) & modes.OPEN)
