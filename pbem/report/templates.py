"""The templates: where they are found, what they can call, and who is to blame if they fail."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import groupby
from typing import TYPE_CHECKING, Any

from pbem.core import Game, told_points
from pbem.files import cache, data
from pbem.problem import Faulty
from pbem.report.facts import WIDTH
from pbem.sentence import figured, in_number, listed, spoken, timed, worded

if TYPE_CHECKING:
    from jinja2 import BytecodeCache, Environment, nodes
    from jinja2.bccache import Bucket


def folder_of(game: Game[Any]) -> str:
    """The folder of a game that brings its own templates; "" for the house's own games."""
    return game.DATA if os.path.isdir(os.path.join(game.DATA, "templates")) else ""


@functools.cache
def environment(folder: str, width: int = WIDTH) -> Environment:
    """The templates of the house and, if a game has a folder of its own, those in it. They look at
    `narrow` where there is another form for phones."""
    from jinja2 import FileSystemLoader, StrictUndefined
    from jinja2.sandbox import SandboxedEnvironment

    roots = [data.ROOT, folder] if folder else [data.ROOT]
    env = SandboxedEnvironment(
        loader=FileSystemLoader([os.path.join(root, "templates") for root in roots]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
        bytecode_cache=_compiled(),
    )
    wrapped = functools.partial(wrap, width=width)
    flow = functools.partial(_flow, wrapped=wrapped)
    env.filters.update(tied=functools.partial(_tied, width=width))
    env.filters.update(wrap=wrapped, flow=flow, backticks=_backticks, boxes=_boxes)
    env.filters.update(points=lambda points: figured(told_points(points)))
    env.globals.update(say=_say, counted=_counted, listed=_listed, narrow=width < WIDTH)
    env.globals.update(spoken=spoken, timed=timed)
    return env


@contextmanager
def blaming(game: str, folder: str) -> Iterator[None]:
    """Raise Faulty, which names the package, if its templates cannot be written out."""
    if not folder:
        yield
        return
    from pbem.play import patience
    from pbem.play.guest import package_of

    try:
        with patience.hurried:
            yield
    except patience.Overdue as error:
        raise Faulty(
            "{package} is at fault: what it says is not written within {error!s}",
            *_place(error, folder),
            package=package_of(game),
            error=error,
        ) from error
    except Exception as error:
        raise Faulty(
            "{package} is at fault: {kind}: {error!s}",
            *_place(error, folder),
            package=package_of(game),
            kind=type(error).__name__,
            error=error,
        ) from error


def _place(error: BaseException, folder: str) -> tuple[str, int]:
    """Where in the templates of this folder something went wrong."""
    if getattr(error, "lineno", None):  # it cannot even be compiled
        return str(getattr(error, "filename", None) or folder), int(getattr(error, "lineno", 0))
    path, line = os.path.join(folder, "templates"), 0
    trace = error.__traceback__
    while trace:
        frame, template = trace.tb_frame, trace.tb_frame.f_globals.get("__jinja_template__")
        if template and frame.f_code.co_filename.startswith(folder):
            path = frame.f_code.co_filename
            line = template.get_corresponding_lineno(trace.tb_lineno)
        trace = trace.tb_next
    return path, line


def _say(pattern: str, /, **values: Any) -> str:
    """A whole sentence in a template: a pattern with named blanks, and their values."""
    return worded(pattern).format(**values)


def _counted(n: int, one: str, many: str, /, **values: Any) -> str:
    """A whole sentence with a number in it, {n}: one pattern for one, one for any other."""
    return in_number(n, one, many).format(n=n, **values)


def _listed(items: Iterable[Any], shown: Callable[[Any], str] = str) -> str:
    """`A, B and C` in a template; `shown` writes each item, such as `name`."""
    return listed(shown(item) for item in items)


def parsed(source: str) -> nodes.Template:
    """The syntax tree of a template."""
    return environment("").parse(source)


def said_in(tree: nodes.Template) -> Iterator[tuple[str, str]]:
    """The sentences of a template: each pattern, and that for any other number, "" if there is
    none."""
    from jinja2 import nodes

    found = {each.name: [arg.name for arg in each.args] for each in tree.find_all(nodes.Macro)}
    says = {name: args.index("pattern") for name, args in found.items() if "pattern" in args}
    for call in tree.find_all(nodes.Call):
        name, args = getattr(call.node, "name", ""), call.args
        at = 0 if name == "say" else says.get(name, len(args))
        yield from ((text, "") for text in (constants(args[at]) if at < len(args) else ()))
        if name == "counted" and len(args) > 2:
            yield from zip(constants(args[1]), constants(args[2]), strict=True)


def constants(node: nodes.Node | None) -> list[str]:
    """The patterns an expression may stand for: a literal, one of two, one of a table."""
    from jinja2 import nodes

    match node:
        case nodes.Const(value=str(text)):
            return [text]
        case nodes.CondExpr(expr1=one, expr2=other):
            found = [constants(one), constants(other)]
        case nodes.Getitem(node=nodes.Dict(items=items)):
            found = [constants(pair.value) for pair in items]
        case _:
            return []
    return [text for each in found for text in each] if all(found) else []


def unsaid_in(tree: nodes.Template) -> Iterator[tuple[str, int]]:
    """The words that a template writes without saying them, which nobody can translate, each with
    its line."""
    from jinja2 import nodes

    for macro in tree.find_all(nodes.Macro):
        for part in macro.find_all(nodes.TemplateData):
            if any(map(str.isalpha, part.data)):
                yield part.data.strip(), part.lineno


def _compiled() -> BytecodeCache | None:
    """Compiled templates are kept where only this user can write: they are run when read."""
    import jinja2

    class Compiled(jinja2.FileSystemBytecodeCache):
        def dump_bytecode(self, bucket: Bucket) -> None:
            with suppress(OSError):  # the cache may be deleted while the desk runs, the disk full
                super().dump_bytecode(bucket)

    folder = cache.folder(f"templates-jinja-{jinja2.__version__}")
    return Compiled(folder) if folder else None


def wrap(text: str, first: str = "", rest: str = "", width: int = WIDTH) -> str:
    """A paragraph broken into lines; `first` and `rest` go before the first and other lines."""
    if text.isprintable() and text == text.strip() and len(first) + len(text) <= width:
        return first + text
    from textwrap import TextWrapper

    lines = TextWrapper(width, first, rest, break_on_hyphens=False).wrap(text)
    return "\n".join(lines or [first]).replace(_TIED, " ")


_TIED = "\x1b"
"""A space at which no line is broken; nothing from outside holds that character."""


def _tied(moves: str, width: int = WIDTH) -> str:
    """Moves joined by `; `, none of them broken if it fits on a line."""
    return "; ".join(
        move if len(move) > width - 3 else move.replace(" ", _TIED) for move in moves.split("; ")
    )


def _flow(moves: Sequence[str], wrapped: Callable[[str, str, str], str] = wrap) -> list[str]:
    """Moves side by side, none of them broken if it fits; each first word begins a new line."""
    lines: list[str] = []
    for _, alike in groupby(moves, lambda move: re.findall(r"^\w+\W", move)):
        row: list[str] = []
        for move in alike:
            whole = move.replace(" ", "\N{NO-BREAK SPACE}")
            if "\n" in wrapped(whole, "", ""):  # longer than a line
                lines += _side_by_side(row, wrapped)
                lines += wrapped(move, "", "  ").split("\n")
                row = []
            else:
                row.append(whole)
        lines += _side_by_side(row, wrapped)
    return lines


def _side_by_side(moves: Sequence[str], wrapped: Callable[[str, str, str], str]) -> list[str]:
    text = wrapped("  ".join(moves), "", "") if moves else ""
    return text.replace("\N{NO-BREAK SPACE}", " ").split("\n") if text else []


def _backticks(lines: Sequence[str]) -> str:
    """A Markdown fence that none of the lines can close."""
    runs = (len(run) for line in lines for run in re.findall("`+", line))
    return "`" * max(3, max(runs, default=0) + 1)


_BOX = 12
"""phpBB shows 200 pixels of a code box, some thirteen lines; the rest must be scrolled to."""


def _boxes(lines: Sequence[str]) -> list[list[str]]:
    """Lines shared out among boxes that need no scrolling, cut only at blank lines: a board is
    never cut in two."""
    boxes: list[list[str]] = []
    for blank, block in groupby(lines, lambda line: not line.strip()):
        part = list(block)
        if blank:
            continue
        if boxes and len(boxes[-1]) + len(part) < _BOX:
            boxes[-1] += ["", *part]
        else:
            boxes.append(part)
    return boxes or [[]]
