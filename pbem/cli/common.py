"""What the commands share: the application, and their arguments."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption
from typer.models import CommandFunctionType

from pbem.cli import complete
from pbem.cli.output import tell
from pbem.files import store, timestamp
from pbem.problem import NoFile, Problem, Usage
from pbem.report.escape import DIALECTS
from pbem.sentence import listed, say

if TYPE_CHECKING:
    from pbem.desk.bench import Circumstances
    from pbem.desk.file import Desk
    from pbem.log.match import Replay
    from pbem.log.seal import Keyring
    from pbem.sentence import Sentence


class Command(TyperCommand):
    """A command that drops nothing of what is typed: an option that takes one value, or says one of
    two things, is refused if it is given twice. What it returns is printed: for people or, with
    `--json`, for programs."""

    def __init__(self, *args: Any, params: list[Any], callback: Any, **more: Any) -> None:
        returns = callback.__annotations__["return"] not in (None, "None")
        self._own = not returns or any(each.name == "json" for each in params)
        if not self._own:
            names = ["json", "--json"]
            also = TyperOption(
                param_decls=names, is_flag=True, default=False, show_default=False, help=_JSON
            )
            params = [*params, also]
        super().__init__(*args, params=params, callback=callback, **more)

    def invoke(self, ctx: Any) -> None:
        json = bool((ctx.params.get if self._own else ctx.params.pop)("json", False))
        said = super().invoke(ctx)
        if said is not None:
            tell(said, json=json)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        typed, _, given = self.make_parser(ctx).parse_args(args=list(args))
        options = [each for each in given if isinstance(each, TyperOption)]
        for option in () if ctx.resilient_parsing else options:
            one = not (option.multiple or (option.is_flag and not option.secondary_opts))
            if one and options.count(option) > 1:
                raise Usage("{option} is given twice", option="/".join(option.opts))
        for before, each in pairwise(["", *args]):
            if (blank := _BLANK.fullmatch(each)) and (before[:2] == "--" or each == "HANDLE"):
                raise Usage("put what is meant in place of {blank}", blank=blank[1] or blank[2])
        ctx.default_map = self.usual(ctx, typed)
        return super().parse_args(ctx, args)

    def usual(self, ctx: Any, typed: dict[str, Any]) -> dict[str, Any]:
        """The values of parameters that are not typed, where they are not the same for all."""
        return {}


_BLANK: Final = re.compile(
    r"(?:[\w-]+=)?(NAME|ADDRESS|REASON|FIRST|LAST|HANDLE)(?: <.*>)?|.*<(ADDRESS)>"
)
"""What stands in a command that is offered where a person has to say what is meant."""


class OfMatch(Command):
    """A command that writes posts and letters of a match, in the dialect and to the folder that its
    desk file names; programs, which ask for JSON, say what they want themselves."""

    def usual(self, ctx: Any, typed: dict[str, Any]) -> dict[str, Any]:
        from pbem.desk.file import Desk

        if typed.get("json"):
            return {}
        log = str(complete.find_log(str(typed.get("log") or "")))
        with suppress(Problem):
            if desk_says(log, b"dialect|letters"):
                return kept(Desk.read(log), os.path.dirname(log), narrow=bool(typed.get("width")))
        return {}


def desk_says(log: str, names: bytes) -> bool:
    """May the desk file, which takes a while to read, say anything under one of these names?"""
    from pbem.desk.file import desk_path

    with suppress(OSError), open(desk_path(log), "rb") as file:
        return re.search(rb"^(%b):" % names, file.read(), re.MULTILINE) is not None
    return False


def kept(desk: Desk, folder: str, *, narrow: bool = False) -> dict[str, Any]:
    """What a desk file says of how posts and letters are written, as options of a command; `narrow`
    ones are in plain text."""
    usual = {"format": desk.dialect} if desk.dialect and not narrow else {}
    return {**usual, "letters": os.path.join(folder, desk.letters)} if desk.letters else usual


class House(TyperGroup):
    """All commands; who types a ruling as if it were one is told how rulings are given."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and args[0] not in self.commands:
            from pbem.log import rulings

            if args[0] in rulings.GIVEN:
                raise Usage(
                    "{kind} is a ruling: `pbem rule LOG {kind}`, and `pbem rule LOG {kind} --help` "
                    "says what it needs",
                    kind=args[0],
                )
        return super().resolve_command(ctx, args)


class Commands(typer.Typer):
    """Commands of one room."""

    def command(
        self, name: str | None = None, *, cls: type[TyperCommand] | None = None, **more: Any
    ) -> Callable[[CommandFunctionType], CommandFunctionType]:
        """Typer's own, for such commands."""
        return super().command(name, cls=cls or Command, **more)


app = Commands(
    cls=House,
    name="pbem",
    help="A moderator for board games played by e-mail and in forums.",
    epilog="Exit codes: 0 done, 1 refused by text or rules, 2 usage, "
    "3 verified, but not beyond doubt, 65 bad log or mail, 66 no such file, "
    "70 a mistake in pbem or in a game, 73/74 cannot write, 75 busy (try again), "
    "76 played but not all printed, 77 wrong sender or key.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from pbem.version import __version__

        print(f"pbem {__version__}")
        raise typer.Exit


@app.callback()
def house(
    version: Annotated[
        bool,
        typer.Option(
            "--version", is_eager=True, callback=_print_version, help="Print the version."
        ),
    ] = False,
) -> None:
    """A moderator for board games played by e-mail and in forums."""
    # Its presence makes every command a sub-command, even where only one is loaded.


def takes(value: str, help: str, *names: str, **more: Any) -> Any:
    """An option that takes a value; it is called like its parameter, unless it has `names`."""
    return typer.Option(*names, metavar=value, help=help, **more)


def takes_format(help: str = "{dialects}.", *also: str) -> Any:
    """The option for the dialect of a text, or for what a command can `also` write."""
    known = (*DIALECTS, *also)

    def checked(format: str | None) -> str | None:
        if format not in (None, *known):
            pattern = "--format is one of {known:all}, not {format!r}"
            raise Usage(pattern, known=known, format=format)
        return format

    help = help.format(dialects=listed(DIALECTS, any_of=True))
    return takes("FORM", help, "--format", callback=checked)


def flag(name: str, help: str) -> Any:
    """An option that takes no value."""
    return typer.Option(name, help=help)


LogFile = Annotated[
    str,
    typer.Argument(
        metavar="LOG",
        help="The match log: NAME.pbem.yaml, or NAME.",
        callback=complete.find_log,
        autocompletion=complete.logs,
    ),
]
LogFiles = Annotated[
    list[str],
    typer.Argument(
        metavar="LOG...",
        help="Match logs.",
        callback=lambda paths: [*map(complete.find_log, paths)],
        autocompletion=complete.logs,
    ),
]
GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME", help="The game; `pbem games` lists them.", autocompletion=complete.games
    ),
]
MoveFile = Annotated[
    str, typer.Argument(metavar="[MOVE]", help="A raw mail, move file or text file; - is stdin.")
]
Folder = Annotated[str, typer.Argument(metavar="DIR", help="The folder of the logs.")]
_JSON: Final = "Print JSON for programs."
Json = Annotated[bool, flag("--json", _JSON)]
Format = Annotated[str, takes_format()]
SeatName = Annotated[str, takes("SEAT", "Which seat.", "--seat", autocompletion=complete.seats)]
KeyFile = Annotated[
    str | None,
    takes("KEYFILE", "A key, a letter with your key, or the desk file; else PBEM_KEY.", "--key"),
]
From = Annotated[
    str | None,
    takes(
        "SEAT",
        "Whose move it is, on the moderator's word.",
        "--from",
        autocompletion=complete.seats,
    ),
]
Author = Annotated[str | None, takes("NAME", "A forum post: the account it is from.", "--author")]
PostNumber = Annotated[
    str | None, takes("N", "A forum post: its number or address.", "--post-number")
]
Quoted = Annotated[bool, flag("--quoted", "A forum post as the forum's Quote button gives it.")]
Told = Annotated[
    bool, flag("--told", "Everybody has been told all of it: the mail desk says nothing.")
]
Letters = Annotated[
    str | None, takes("DIR", "Write the letters there that are to be sent.", "--letters")
]
AllLetters = Annotated[
    bool, flag("--all-letters", "Also those in which nothing is new for one alone.")
]
Short = Annotated[
    bool | None,
    flag("--short/--whole", "The post in 15 lines, or all of it; else as the match has it."),
]
Language = Annotated[
    str | None, takes("LANGUAGE", "In which language, like de; else as the match has it.")
]
SiteLanguage = Annotated[
    str | None,
    takes(
        "LANGUAGE",
        "In which language the site is, and each match without one of its own.",
        "--language",
    ),
]
As = Annotated[
    str | None,
    takes(
        "SEAT", "What this seat knows (needs the desk file).", "--as", autocompletion=complete.seats
    ),
]


LETTER: Final = "\n======== letter to {seat}: for nobody else ========\n\n{text}"
"""A letter on a terminal, below what everybody may read."""


def here(*, imagined: bool = False, sure: bool = False) -> Circumstances:
    """What it takes to enter anything in a log now: see Circumstances."""
    from pbem.desk.bench import Circumstances
    from pbem.report import compose

    return Circumstances(timestamp.now, compose.rehearse, imagined=imagined, sure=sure)


def keys(path: str | None) -> Keyring:
    """The keys in a file or in the environment; without either, a spectator's: none."""
    from pbem.log.seal import Keyring

    if path is None and "PBEM_KEY" in os.environ:
        value = os.environ["PBEM_KEY"]
        if "\n" in value or value.startswith("pbem-key/"):
            return Keyring.read(value, "PBEM_KEY")
        path = value
    if path is None:
        return Keyring.none()
    from pbem.desk.file import read_keys

    return read_keys(path)


def message(
    source: str, author: str | None = None, post: str | None = None, quoted: bool = False
) -> Any:
    """What a player sent; the other arguments say whose forum post it is. Raises Problem."""
    from pbem import intake

    if source == "-":
        name, data = "<stdin>", sys.stdin.buffer.read()
    else:
        from pbem.files import store

        name, data = source, store.read(source)
    if author or post or quoted:
        from pbem.intake import forum

        return forum.read(data, name, author=author, post=post, quoted=quoted)
    return intake.read(data, name)


def require_folder(path: str) -> None:
    """Raises NoFile unless there is such a folder."""
    if not os.path.isdir(path):
        raise NoFile("there is no such folder", path)


def put_schemas(folder: str, *others: str) -> None:
    """Put beside logs and desk files the schemas that their first lines name, for editors."""
    from pbem.files import data, store

    for name in ("log", "desk", *others):
        path = os.path.join(folder, f"{name}.schema.json")
        if not os.path.exists(path):
            store.replace(path, data.schema_text(name).encode())


def letter_name(match: Replay, seat: str, ending: str = ".txt") -> str:
    """What the file of a letter is called: after the match, the position it tells of, the seat and,
    if the seat has changed hands, whose turn at it this is."""
    epoch = match.log.epochs.get(seat)
    return f"{match.name}-{match.position[0]:04}-{seat}{f'.epoch{epoch}' if epoch else ''}{ending}"


def write_letters(folder: str, match: Replay, written: dict[str, str]) -> dict[str, str]:
    """Write letters as private files of their own; gives {seat: path}."""
    return {
        seat: store.add(os.path.join(folder, letter_name(match, seat)), text.encode(), 0o600)
        for seat, text in written.items()
    }


def which_to_send(files: dict[str, str], owed: dict[str, Sentence], all_: int) -> list[Sentence]:
    """What a moderator is told about the letters: which of them to send, and why; `all_` is how
    many there could be."""
    if not owed:
        return [say("No letter is owed: nothing is new for one player alone.")]
    others, theirs = len(owed) < all_, dict[str, list[str]]()
    for seat, why in owed.items():
        theirs.setdefault(str(why), []).append(files[seat])
    if others and len(theirs) == 1:
        [(reason, named)] = theirs.items()
        only = "Send only {files:all}: {why}. For the others nothing is new."
        return [say(only, files=named, why=reason)]
    told = [say("Send {files:all}: {why}.", files=named, why=why) for why, named in theirs.items()]
    return [*told, say("For the others nothing is new.")] if others else told


def standing(match: Replay) -> dict[str, Any]:
    ply, fingerprint = match.position
    return {
        "match": match.name,
        "ply": ply,
        "fingerprint": fingerprint,
        "awaited": list(match.awaited),
    }
