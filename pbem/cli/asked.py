"""What a ruling, a beginning or a seat needs to know, as options of a command, made from its own
list."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import starmap
from typing import TYPE_CHECKING, Any, ClassVar, Final

import typer
from typer.core import TyperOption
from typer.main import get_param_completion

from pbem.cli import complete
from pbem.cli.common import Command, OfMatch, kept
from pbem.log import rulings
from pbem.log.ruling import Asks, Ruling, called
from pbem.problem import Usage

if TYPE_CHECKING:
    from pbem.desk.begin import Terms

_GIVEN, _KIND, _LIKE = "pbem.given", "pbem.kind", "pbem.like"
"""Where a context keeps what the options were given, which kind of ruling is meant, and what the
match is to be like."""


class AskingCommand(Command):
    """A command with options that are declared elsewhere."""

    def asks(self, ctx: Any) -> Mapping[Asks, str]:
        """These options, and the word that each is without, if it is one."""
        return {}

    def get_params(self, ctx: Any) -> list[Any]:
        return [*starmap(_option, self.asks(ctx).items()), *super().get_params(ctx)]


class OfSeat(AskingCommand):
    """A command that takes how a person wants to be written to."""

    def asks(self, ctx: Any) -> Mapping[Asks, str]:
        from pbem.mailroom.preferences import OPTIONS

        return dict.fromkeys(OPTIONS.values(), "")


class Begins(AskingCommand):
    """A command that takes all that is settled of a match before it begins."""

    takes: ClassVar[tuple[str, ...]] = ()
    """The names of its options; () for all there are."""

    def asks(self, ctx: Any) -> Mapping[Asks, str]:
        from pbem.desk.begin import OPTIONS

        wanted = self.takes or [each.name for each in OPTIONS]
        return {each: usual for each, usual in OPTIONS.items() if each.name in wanted}

    def usual(self, ctx: Any, typed: dict[str, Any]) -> dict[str, Any]:
        if not typed.get("like"):
            return {}
        from pbem.desk.begin import Terms
        from pbem.desk.file import Desk

        log = complete.find_log(typed["like"])
        like = ctx.meta[_LIKE] = Terms.like(log)
        folder = typed.get("dir") or like.folder
        usual = {"game": like.game, "letters": os.path.join(folder, LETTERS)}
        return usual | kept(Desk.read(log), folder)


LETTERS: Final = "letters"
"""Where the letters of a match like another go if nothing else is said: whoever begins it because a
player asked may play, and is shown no hand."""


class SetsUp(Begins):
    """A command that takes what is set up on a table: no player, and no name of a match."""

    takes = ("ruleset", "option", "board")


def terms(context: typer.Context, game: str) -> "Terms":
    """What such a command says of a match before it begins. Raises Problem."""
    from pbem.desk.begin import Terms

    like = context.meta.get(_LIKE) or Terms(game)
    return replace(like, game=game).but(given(context))


class OfRulings(AskingCommand, OfMatch):
    """A command that takes the options of the ruling that is named, and no others."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        words = list(_positional(args, self.params))
        if len(words) > 1:
            ctx.meta[_KIND] = rulings.given(words[1])
        return super().parse_args(ctx, args)

    def asks(self, ctx: Any) -> Mapping[Asks, str]:
        kind = ruling(ctx)
        return dict.fromkeys((kind and kind.options) or (), "")

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        super().format_help_text(ctx, formatter)
        one = ruling(ctx)
        rows = [(name, _about(each)) for name, each in rulings.GIVEN.items() if one in (None, each)]
        with formatter.section("Rulings"):
            formatter.write_dl(rows)

    def get_help(self, ctx: Any) -> str:
        return str(super().get_help(ctx)).replace(_UNBROKEN, " ")

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


_UNBROKEN = "\N{NO-BREAK SPACE}"


def _about(kind: type[Ruling]) -> str:
    """The first sentence on a kind of ruling, and its options; those it needs without brackets,
    and none broken between two lines."""
    sentence = " ".join((kind.__doc__ or "").split()).partition(". ")[0].rstrip(".")
    forms = [(each.needed, f"--{each.name} {each.takes}".rstrip()) for each in kind.options or ()]
    forms += [(True, "--reason TEXT")] * kind.owes_reason
    typed = (form if needed else f"[{form}]" for needed, form in forms)
    return " ".join([f"{sentence}.", *(each.replace(" ", _UNBROKEN) for each in typed)])


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


def _option(asked: Asks, usual: str = "") -> TyperOption:
    short = [f"-{asked.letter}"] if asked.letter else []
    more = "required" if asked.needed else usual and f"default: {usual}"
    name = f"--{asked.name}/--no-{asked.name}" if asked.either else f"--{asked.name}"
    return TyperOption(
        param_decls=[*short, name],
        is_flag=not asked.takes,
        default=None if asked.takes or asked.either else False,
        multiple=asked.many,
        metavar=asked.takes or None,
        help=f"{asked.help}  [{more}]" if more else asked.help,
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
