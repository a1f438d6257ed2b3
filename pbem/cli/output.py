"""What a command has to say, and where it goes: a command returns an `Output`, and `tell` alone
knows of terminals, JSON, files and exit codes. Places are tried before a log is written; a failure
afterwards has an exit code of its own, for the log stands."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn, TextIO

from pbem import problem
from pbem.core import NoMove
from pbem.files import modes, store
from pbem.sentence import say

if TYPE_CHECKING:
    from pbem.matches.index import Index
    from pbem.sentence import Sentence


class File(NamedTuple):
    """A file that somebody asked for, with a mode of its own if others may not read it."""

    path: str
    data: bytes
    mode: int | None = None


class Beside(NamedTuple):
    """A line for standard error, where it is in the way of nothing that is read or pasted."""

    text: object


def noted(what: object) -> Beside:
    """A line for whoever typed the command."""
    return Beside(say("pbem: {trouble}", trouble=what))


class Output(NamedTuple):
    """What a command has to say.

    `plain` is that for programs, or a function that finds it; `told` is the same for people, line
    by line or in whole texts, with pictures as bytes and lines `Beside` them; None: people get what
    programs get. `troubles` are for both. `files` are written first. `code` is the exit code, or a
    function that finds it when all is told; the log that has been `entered` by now stands, whatever
    cannot be written or printed.
    """

    plain: Any = None
    told: Iterable[object] | None = ()
    troubles: Iterable[object] = ()
    files: Sequence[File] = ()
    code: int | Callable[[], int] = 0
    entered: str = ""


def tell(said: Output | Generator[Output], *, json: bool) -> None:
    """Print what a command has to say or, as it comes, one thing after the other: JSON is then on a
    line for each. Exits with the code of the last, unless that is 0. Raises Problem."""
    code = 0
    if isinstance(said, Output):
        code = _tell(said, 1, json=json)
    else:
        with closing(said):
            for each in said:
                code = _tell(each, None, json=json)
    if code:
        sys.exit(code)


def _tell(output: Output, indent: int | None, *, json: bool) -> int:
    with after_commit(output.entered) if output.entered else nullcontext():
        for file in output.files:
            put(*file)
        if json or output.told is None:
            plain = output.plain() if callable(output.plain) else output.plain
            if plain is not None:
                print_json(plain, indent)
        else:
            for line in output.told:
                _print(line)
        for trouble in output.troubles:
            _print(trouble if isinstance(trouble, Beside) else noted(trouble))
    return output.code() if callable(output.code) else output.code


def _print(line: object) -> None:
    """Print a line, or a text that ends in one, or what is no text at all. Raises Usage rather than
    send pixels to a terminal."""
    match line:
        case Beside(text):
            complain(text)
        case bytes() if b"\0" in line and sys.stdout.isatty():
            raise problem.Usage("a terminal cannot show PNG; add -o FILE, or redirect the output")
        case bytes():
            sys.stdout.buffer.write(line)
        case _:
            text = str(line)
            print(text, end="" if text.endswith("\n") else "\n")


def print_json(data: Any, indent: int | None = 1) -> None:
    import json

    print(json.dumps(data, ensure_ascii=False, indent=indent))


def shown(error: Exception) -> dict[str, Any]:
    """A problem, for programs."""
    kind = "problem" if isinstance(error, problem.Problem) else type(error).__name__.lower()
    if isinstance(error, NoMove):
        kind = "no-move"
    data: dict[str, Any] = {"error": kind, "message": str(error)}
    for name in ("rule", "path", "line", "column", "choices", "more", "hint"):
        if value := getattr(error, name, None):
            data[name] = value
    return data


_CODES: Final = {
    problem.NotNow: 1,
    problem.Usage: 2,
    problem.BadFile: 65,
    problem.NoFile: 66,
    problem.Problem: 70,
    problem.Faulty: 70,
    problem.CannotMake: 73,
    problem.CannotWrite: 74,
    problem.Busy: 75,
    problem.NotTold: 76,
    problem.Denied: 77,
}


def fail(error: Exception) -> NoReturn:
    """Say why nothing came of a command, and exit: a move that is refused with 1, a problem with a
    code of its kind; 70 is a mistake of the program's own, or of a package that brings a game."""
    code = next((_CODES[kind] for kind in type(error).__mro__ if kind in _CODES), 1)
    complain(f"pbem: {error}")
    if "--json" in sys.argv:
        try:
            print_json({"ok": False, "code": code, **shown(error)})
            flush()
        except OSError:  # standard error has said it
            abandon(sys.stdout)
    sys.exit(code)


def make_ready(post: str | None = None, letters: str | None = None) -> None:
    """Make sure that there is somewhere to print, a place for a post and a folder for letters.

    Call it before a log is written: until then everything can still be as it was. Raises
    CannotMake, CannotWrite.
    """
    if letters is not None:
        store.make_folder(letters, modes.PRIVATE)
        store.require_place(os.path.join(letters, "letter"))
    if post is not None:
        _require_no_match(post)
        store.require_place(post)
    if sys.stdout is None:
        raise problem.CannotWrite("standard output is closed; nothing was done")


def put(path: str, data: bytes, mode: int | None = None) -> None:
    """Write what somebody asked for to a file of theirs. Raises Problem, also rather than overwrite
    a file of a match."""
    _require_no_match(path)
    store.replace(path, data, mode)


def _require_no_match(path: str) -> None:
    """Raise Usage if this is a log or a desk file."""
    if not os.path.isfile(path):  # reading a pipe would wait
        return
    try:
        with open(path, "rb") as file:
            head = file.read(200)
    except OSError:
        return  # writing will find that out
    if re.search(rb"^format: *[\"']?pbem-", head, re.MULTILINE):
        raise problem.Usage("is a file of a match: write to another place", path)


@contextmanager
def after_commit(log: str) -> Iterator[None]:
    """Raises NotTold for whatever fails inside: the log has been written already."""
    try:
        yield
        flush()
    except Exception as error:
        if isinstance(error, OSError):
            abandon(sys.stdout)
        raise problem.NotTold(
            "this is done and stands in the log, but what belongs with it could not all be "
            "written ({error}). Do not send it again: `pbem show {log:typed}` prints the post, "
            "`pbem show {log:typed} --as SEAT` a letter; all keys are kept in the desk file",
            error=problem.problem_of(error),
            log=log,
        ) from error


def flush() -> None:
    """Write out what has been printed. Raises OSError."""
    if sys.stdout is not None:
        sys.stdout.flush()


def abandon(stream: TextIO) -> None:
    """From now on print to nowhere: what is left in the buffer would fail once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def complain(text: object) -> None:
    """Print a line on standard error, if anybody reads it."""
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        abandon(sys.stderr)


def for_whom(seat: str | None) -> Beside:
    """The line above what only one seat may read, on the terminal."""
    return Beside(say("pbem: for {seat} alone, not to be posted:", seat=seat))


def trouble_of(index: Index) -> list[Sentence]:
    """Why the index is not kept, if it is not, said once: all it costs is time."""
    trouble, index.trouble = index.trouble, None
    return [trouble] if trouble else []
