"""What a ruling needs to know, as options of a command, made from the ruling's own list."""

import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import typer
from typer.core import TyperOption
from typer.main import get_param_completion

from pbem.cli import complete
from pbem.cli.common import Command, OfMatch, kept
from pbem.log import rulings
from pbem.log.ruling import Asks, Ruling, called
from pbem.log.timing import SETTINGS
from pbem.problem import Usage

_GIVEN, _KIND = "pbem.given", "pbem.kind"
"""Where a context keeps what the options were given, and which kind of ruling is meant."""


class WithClock(Command):
    """A command that takes the settings of a clock, too."""

    def get_params(self, ctx: Any) -> list[Any]:
        *own, help_option = super().get_params(ctx)
        return [*own, *map(_option, SETTINGS), help_option]

    def usual(self, typed: dict[str, Any]) -> dict[str, Any]:
        return like(typed["like"], typed) if typed.get("like") else {}


def like(match: str, typed: dict[str, Any]) -> dict[str, Any]:
    """The options of `new` that begin a match like this one: all but who plays, where it begins,
    what is named for it alone. Raises Problem."""
    from pbem.desk.file import Desk
    from pbem.log.format import Log
    from pbem.play.options import typed as in_words

    log = Log.read(complete.find_log(match))
    desk, header, clock = Desk.read(log.path), log.header, log.so_far().timing.settings
    if header.board and not typed.get("board"):
        raise Usage("{match} is played on a board of its own: say --board", match=header.match)
    folder = os.path.dirname(log.path) or "."
    paced = clock.plain() if clock else {}
    if "closed" in paced:
        paced["closed"] = ",".join(paced["closed"]) or "none"
    return {
        **{name: str(value) for name, value in paced.items()},
        **kept(desk, typed.get("dir") or folder),
        "dir": folder,
        "game": header.game,
        "ruleset": header.ruleset,
        "option": [f"{name}={in_words(value)}" for name, value in header.options.items()],
        "dealer": header.dealer,
        "entropy": "seats" if (header.entropy or {}).get("from") == "seats" else None,
        "forced": bool(header.forced),
        "press": header.press,
        "language": header.language,
        "policy": desk.policy,
        "server": desk.server,
        "contact": desk.contact,
        "short": desk.short,
    }


class OfRulings(OfMatch):
    """A command that takes the options of the ruling that is named, and no others."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        words = list(_positional(args, self.params))
        if len(words) > 1:
            ctx.meta[_KIND] = rulings.given(words[1])
        return super().parse_args(ctx, args)

    def get_params(self, ctx: Any) -> list[Any]:
        kind = ruling(ctx)
        return [*map(_option, (kind and kind.options) or ()), *super().get_params(ctx)]

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        super().format_help_text(ctx, formatter)
        one = ruling(ctx)
        rows = [(name, _about(each)) for name, each in rulings.GIVEN.items() if one in (None, each)]
        with formatter.section("Rulings"):
            formatter.write_dl(rows)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        examples = (self.epilog or "").removeprefix("Examples: ").split(" · ")
        if kind := ruling(ctx):
            examples = [each for each in examples if f"LOG {called(kind)} " in each]
        if examples:
            many = "s" if len(examples) > 1 else ""
            formatter.write_paragraph()
            with formatter.indentation():
                formatter.write_text(f"Example{many}: {' · '.join(examples)}")


def ruling(context: typer.Context) -> type[Ruling] | None:
    """The kind of ruling that a command line names; None if it names none."""
    found: type[Ruling] | None = context.meta.get(_KIND)
    return found


def given(context: typer.Context) -> dict[str, Any]:
    """The values these options were given, by name; None for what was left out."""
    found: dict[str, Any] = context.meta.get(_GIVEN, {})
    return found


def _about(kind: type[Ruling]) -> str:
    """The first sentence on a kind of ruling, and its options; those it needs without brackets."""
    sentence = " ".join((kind.__doc__ or "").split()).partition(". ")[0].rstrip(".")
    forms = ((each, f"--{each.name} {each.takes}".rstrip()) for each in kind.options or ())
    return " ".join([f"{sentence}.", *(f if each.needed else f"[{f}]" for each, f in forms)])


def _positional(args: Sequence[str], params: Iterable[Any]) -> Iterable[str]:
    """The words of a command line that are neither options nor their values."""
    options = [each for kind in rulings.GIVEN.values() for each in kind.options or ()]
    asked = {f"--{each.name}" for each in options if each.takes}
    own = {o for each in params if not getattr(each, "is_flag", True) for o in each.opts}
    words = iter(args)
    for word in words:
        if word in asked | own:
            next(words, None)
        elif not word.startswith("-"):
            yield word


def _option(asked: Asks) -> TyperOption:
    return TyperOption(
        param_decls=[f"--{asked.name}"],
        is_flag=not asked.takes,
        default=None if asked.takes else False,
        multiple=asked.many,
        metavar=asked.takes or None,
        help=asked.help,
        expose_value=False,
        callback=_keeping(asked),
        autocompletion=get_param_completion(complete.offers(asked.takes)),
    )


def _keeping(asked: Asks) -> Callable[[Any, Any, Any], None]:
    def keep(context: Any, _: Any, value: Any) -> None:
        if isinstance(value, str) and asked.takes in ("N", "DAYS"):
            if not value.lstrip("-").isdecimal():
                raise Usage("--{name} {value!r} is no number", name=asked.name, value=value)
            value = int(value)
        context.meta.setdefault(_GIVEN, {})[asked.name] = value

    return keep
