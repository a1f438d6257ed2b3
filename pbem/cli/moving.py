"""A folder of matches in one archive, and out of it again."""

import os
from typing import TYPE_CHECKING, Annotated, Final

import typer

from pbem.cli.common import Wait, app
from pbem.cli.output import Beside, Output, shown
from pbem.files import timestamp
from pbem.problem import NoFile
from pbem.sentence import Counted, say

if TYPE_CHECKING:
    from pbem.mailroom.moving import Packed

Folder = Annotated[str, typer.Argument(metavar="DIR", help="The folder of the matches.")]
Archive = Annotated[str, typer.Argument(metavar="FILE", help="The archive, a zip file.")]


@app.command(epilog="Example: pbem backup matches 2026-11-28.zip")
def backup(dir: Folder, file: Archive, wait: Wait = 10.0) -> Output:
    """Pack a folder of matches, its mailroom too."""
    from pbem.mailroom import moving

    if not os.path.isdir(dir):
        raise NoFile("there is no such folder", dir)
    return _came(file, moving.backup(dir, file, timestamp.now(), wait))


@app.command(epilog="Example: pbem restore 2026-11-28.zip matches")
def restore(file: Archive, dir: Folder) -> Output:
    """Check such an archive, and unpack it into a new folder."""
    from pbem.mailroom import moving

    return _came(dir, moving.restore(file, dir))


def _came(path: str, done: "Packed") -> Output:
    """What has been packed or unpacked there."""
    told = {"files": done.files, "matches": done.matches, "outside": done.outside}
    problems = [shown(problem) for problem in done.problems]
    matches = say(_MATCHES, n=done.matches)
    left = (Beside(say(_OUTSIDE, path=each)) for each in done.outside)
    return Output(
        {"ok": not problems, "path": path, **told, "problems": problems},
        [say("{path}: {matches}, {n} files", path=path, matches=matches, n=done.files)],
        [*left, *done.problems],
        code=65 if problems else 0,
    )


_OUTSIDE: Final = "{path}: a run has put mails there, outside the folder: not packed"
_MATCHES: Final = Counted("{n} match", "{n} matches")
