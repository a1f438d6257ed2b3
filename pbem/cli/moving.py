"""A folder of matches in one archive, and out of it again."""

import os
import sys
from typing import TYPE_CHECKING, Annotated, Final

import typer

from pbem.cli.common import Json, Wait, app, print_json, shown
from pbem.cli.output import complain
from pbem.problem import NoFile
from pbem.sentence import Counted, say

if TYPE_CHECKING:
    from pbem.mailroom.moving import Packed

Folder = Annotated[str, typer.Argument(metavar="DIR", help="The folder of the matches.")]
Archive = Annotated[str, typer.Argument(metavar="FILE", help="The archive, a zip file.")]


@app.command(epilog="Example: pbem backup matches 2026-11-28.zip")
def backup(dir: Folder, file: Archive, wait: Wait = 10.0, json: Json = False) -> None:
    """Pack a folder of matches, its mailroom too."""
    from pbem.files.timestamp import now
    from pbem.mailroom import moving

    if not os.path.isdir(dir):
        raise NoFile("there is no such folder", dir)
    _tell(file, moving.backup(dir, file, now(), wait), json)


@app.command(epilog="Example: pbem restore 2026-11-28.zip matches")
def restore(file: Archive, dir: Folder, json: Json = False) -> None:
    """Check such an archive, and unpack it into a new folder."""
    from pbem.mailroom import moving

    _tell(dir, moving.restore(file, dir), json)


def _tell(path: str, done: "Packed", json: bool) -> None:
    if json:
        told = {"files": done.files, "matches": done.matches, "outside": done.outside}
        problems = [shown(problem) for problem in done.problems]
        print_json({"ok": not problems, "path": path, **told, "problems": problems})
    else:
        matches = say(_MATCHES, n=done.matches)
        print(say("{path}: {matches}, {n} files", path=path, matches=matches, n=done.files))
    for each in done.outside:
        complain(
            say("{path}: a run has put mails there, outside the folder: not packed", path=each)
        )
    for problem in done.problems:
        complain(say("pbem: {problem}", problem=problem))
    if done.problems:
        sys.exit(65)


_MATCHES: Final = Counted("{n} match", "{n} matches")
