"""What is posted and mailed: a `Report` and a dialect in, text out.

Text for people is written in the templates: `report`, `letter`, `receipt`, `rejection`; one file of
macros a dialect; and for each game `news` (its phrase book) and `board`. Whatever comes from
outside (names, notes, what a player wrote) is escaped here, once, before any template sees it.
"""

from __future__ import annotations

import functools
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from pbem.core import CHANCE, Event, Faulty, Seat, slots, word
from pbem.files import cache, data
from pbem.report.escape import DIALECTS, Safe, paragraph
from pbem.sentence import listed

if TYPE_CHECKING:
    from jinja2 import BytecodeCache, Environment

__all__ = [
    "DIALECTS",
    "Awaited",
    "Letter",
    "News",
    "Opening",
    "Receipt",
    "Refusal",
    "Report",
    "Result",
    "Standing",
    "called",
    "report",
    "wording",
]

WIDTH: Final = 72
NARROW: Final = 40
"""Columns of a text on a phone."""
LONGEST_NAME: Final = 40


@dataclass(frozen=True, slots=True)
class News:
    """One ply: who moved, the canonical move, what it brought about, and whether it was struck."""

    ply: int
    seat: Seat
    move: str
    events: tuple[Event, ...]
    struck: bool = False


@dataclass(frozen=True, slots=True)
class Awaited:
    """A decision someone has to make; `default` is the canonical move that silence means."""

    seat: Seat
    kind: str
    about: Mapping[str, Any]
    default: str | None
    during: Seat | None


@dataclass(frozen=True, slots=True)
class Letter:
    """What only one seat is told: its legal moves and, in its first letter, its key.

    `more` counts the legal moves that are not listed, as far as anybody counted: there may be
    others if it is `uncounted`. `plans` (number, line) wait; `offers` are standing answers that
    would spare the seat its next mails.
    """

    seat: Seat
    legal: tuple[str, ...]
    key: str | None = None
    more: int = 0
    uncounted: bool = False
    plans: tuple[tuple[int, str], ...] = ()
    offers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an order was refused.

    `unreadable` holds (line number, its text, what is wrong, hint), `ignored` (text, line
    number, why, how many more lines for the same reason), `instead` moves that are legal, and
    `more` counts those not listed, unless they are `uncounted`.
    """

    said: str
    understood: tuple[str, ...]
    reason: str
    rule: str | None
    rule_says: str | None
    source: str | None
    unreadable: tuple[tuple[int, str, str, str], ...]
    instead: tuple[str, ...]
    ignored: tuple[tuple[str, int, str, int], ...]
    more: int = 0
    uncounted: bool = False


@dataclass(frozen=True, slots=True)
class Receipt:
    """What came of an accepted order: for its sender alone.

    `returned` (text, why) are moves that are not played; `plans` (number, line) wait, and `at_once`
    (number, moves) were played already. Of a message that was `kept` nothing stands in the log.
    """

    said: str
    understood: tuple[str, ...]
    ignored: tuple[tuple[str, int, str, int], ...]
    returned: tuple[tuple[str, str], ...]
    plans: tuple[tuple[int, str], ...] = ()
    at_once: tuple[tuple[int, str], ...] = ()
    kept: bool = False


@dataclass(frozen=True, slots=True)
class Opening:
    """What the first post of a match says of how it is played; `note` is about its board, `clock`
    about its time."""

    edition: str
    options: tuple[tuple[str, str], ...]
    commit: str
    contact: str = ""
    note: str = ""
    clock: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of the final table; without `score` where the rules count none."""

    place: int
    seat: Seat
    score: int | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """How the match ended: by a rule and what that rule says, or by a ruling."""

    winners: tuple[Seat, ...]
    why: str
    rule_says: str | None
    standings: tuple[Standing, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """Everything a post, a letter, a receipt or a rejection tells.

    `seats` maps each seat to its player's name, `news` are plies and, in words, the rulings among
    them, `view` and `picture` are the position as the reader may know it, `past` says that the
    match has moved on since, `until` says for each who is next how long they have, `also` are
    letters to further seats of the same person, `folder` is the DATA of a game that brings its own
    templates, `width` how many columns a text has, `earlier` the view before the news, for a
    picture that marks what has changed, `asked` what came of what its reader asked for besides
    moves, in paragraphs, `answers` the seats its reader can answer for, any if None.
    """

    game: str
    title: str
    match: str
    ply: int
    fingerprint: str
    seats: Mapping[Seat, str]
    news: tuple[News | str, ...]
    view: Mapping[str, Any]
    picture: tuple[str, ...]
    awaited: tuple[Awaited, ...]
    result: Result | None
    past: bool = False
    until: tuple[str, ...] = ()
    letter: Letter | None = None
    also: tuple[Letter, ...] = ()
    refusal: Refusal | None = None
    receipt: Receipt | None = None
    notes: tuple[str, ...] = ()
    opening: Opening | None = None
    folder: str = ""
    width: int = WIDTH
    earlier: Mapping[str, Any] | None = None
    asked: tuple[str, ...] = ()
    answers: tuple[Seat, ...] | None = None


def report(
    r: Report, dialect: str, *, board: str = "", links: Sequence[tuple[str, str]] = ()
) -> str:
    """The public post or, with a letter, a receipt or a refusal, what is meant for one seat.

    Of HTML `board` is a picture, `links` are moves and their addresses, all of them HTML already.
    Raises ValueError for an unknown dialect.
    """
    safe = Safe(dialect)
    env = _environment(r.folder, r.width)
    name = _names(r.seats, safe)
    kind = (
        "rejection" if r.refusal else "receipt" if r.receipt else "letter" if r.letter else "report"
    )
    if not r.match:  # an answer to somebody who has no part in one
        kind = "stranger"
    with _blaming(r.game, r.folder):
        text = env.get_template(f"{kind}.j2").render(
            safe.value(r),
            name=name,
            board=board,
            links=links,
            told=list(_told(env, r.game, r.news, name, safe)) if r.news else [],
            questions=list(_questions(env, r.game, r.awaited, name, safe)) if r.awaited else [],
            d=env.get_template(f"dialects/{dialect}.j2").module,
        )
    lines = (line.rstrip() for line in _with_heads(text).splitlines())
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n") + "\n"


_ROWS = re.compile(r"^(?:\x1f.*\n)+", re.MULTILINE)


def _with_heads(text: str) -> str:
    """Rows of a table, which a dialect marks with U+001F, get the head that Markdown demands.

    Nothing from outside holds that character.
    """
    return _ROWS.sub(lambda rows: "| | |\n|---|---|\n" + rows[0].replace("\x1f", ""), text)


def wording(
    game: str,
    news: Sequence[News | str],
    seats: Mapping[Seat, str],
    dialect: str = "text",
    folder: str = "",
) -> list[str]:
    """The match in words: a line for each ruling and for each event, or for several of a kind that
    belong together."""
    safe = Safe(dialect)
    lines: list[str] = []
    with _blaming(game, folder):
        for turn in _told(_environment(folder), game, news, _names(seats, safe), safe):
            if "ruling" in turn:
                lines.append(f"--: {turn['ruling']}")
                continue
            struck = " (taken back)" if turn["struck"] else ""
            lines += (f"{turn['plies']}: {line}{struck}" for line in turn["lines"])
    return lines


def turns(
    game: str, news: Sequence[News], seats: Mapping[Seat, str], folder: str = ""
) -> list[dict[str, Any]]:
    """The plies in words, one after the other: `plies`, `last`, `who`, `move`, `struck`, `lines`.
    What chance did in a row is told as one."""
    safe = Safe("text")
    name = _names(seats, safe)
    with _blaming(game, folder):
        told = _told(_environment(folder), game, news, name, safe)
        return [{**turn, "who": name(turn["seat"])} for turn in told]


def names(seats: Mapping[Seat, str]) -> dict[Seat, str]:
    """What each seat is called."""
    name = _names(seats, Safe("text"))
    return {seat: name(seat) for seat in seats}


def html(template: str, **values: Any) -> str:
    """A page: whatever it is given is text, and never markup."""
    page = _environment("").overlay(autoescape=True).get_template(template)
    return page.render(**values)


# ------------------------------------------------------------------------- events in words


def _told(
    env: Environment, game: str, news: Sequence[News | str], name: Callable[[Seat], str], safe: Safe
) -> Iterator[dict[str, Any]]:
    """The plies in words; what chance did in a row, such as dealing, is told as one. A ruling is
    told as it is."""
    book: Any = env.get_template(f"{game}/news.j2").make_module({"name": name})
    for ruling, told in groupby(news, _joined):
        if isinstance(ruling, str):
            yield {"ruling": safe.value(ruling)}
            continue
        first, *more = (each for each in told if isinstance(each, News))
        last = more[-1] if more else first
        yield {
            "plies": f"{first.ply}-{last.ply}" if more else str(first.ply),
            "last": last.ply,
            "seat": first.seat,
            "move": safe.value(first.move),
            "struck": first.struck,
            "lines": list(_sentences(book, [e for n in (first, *more) for e in n.events], safe)),
        }


def _joined(told: News | str) -> int | str:
    """What is told as one has this in common."""
    if isinstance(told, str):
        return told
    return -told.struck if told.seat == CHANCE else told.ply


def _sentences(book: Any, events: Iterable[Event], safe: Safe) -> Iterator[str]:
    """What the phrase book says. A kind it lists in `summed` is told a run at a time: the macro
    gets all neighbouring events of that kind whose first field is the same."""
    for kind, run in groupby(events, type):
        phrase = getattr(book, word(kind).replace("-", "_"))
        told = [{s.name: safe.value(getattr(e, s.name)) for s in slots(kind)} for e in run]
        if word(kind) in book.summed:
            subject = slots(kind)[0].name
            for whom in dict.fromkeys(event[subject] for event in told):
                yield _on_one_line(phrase([event for event in told if event[subject] == whom]))
        else:
            yield from (_on_one_line(phrase(event)) for event in told)


def questions(
    game: str,
    awaited: Sequence[Awaited],
    seats: Mapping[Seat, str],
    dialect: str = "text",
    folder: str = "",
) -> list[str]:
    """What these decisions ask, a sentence each."""
    safe = Safe(dialect)
    with _blaming(game, folder):
        asked = _questions(_environment(folder), game, awaited, _names(seats, safe), safe)
        return [each["question"] for each in asked]


def phrases(game: str, book: str, folder: str = "") -> frozenset[str]:
    """The macros of a game's `news` or `questions`."""
    with _blaming(game, folder):
        made = _environment(folder).get_template(f"{game}/{book}.j2").module
    return frozenset(name for name, value in vars(made).items() if callable(value))


def _questions(
    env: Environment, game: str, awaited: Iterable[Awaited], name: Callable[[Seat], str], safe: Safe
) -> Iterator[dict[str, Any]]:
    """What each decision asks, in the words of the game's `questions.j2`: a macro a kind."""
    book: Any = env.get_template(f"{game}/questions.j2").make_module({"name": name})
    for decision in awaited:
        asked = safe.value(decision)
        phrase = getattr(book, decision.kind.replace("-", "_"))
        yield {**asked, "question": _on_one_line(phrase(asked))}


def _on_one_line(phrase: str) -> str:
    return " ".join(phrase.split())


def called(seats: Mapping[Seat, str]) -> dict[Seat, str]:
    """What to call each seat: its player's name, with the seat where it alone could mislead."""
    players = {
        seat: paragraph(name)[:LONGEST_NAME].rstrip() or seat for seat, name in seats.items()
    }
    bearers = Counter(
        called for pair in (*players.items(), (CHANCE,)) for called in {n.casefold() for n in pair}
    )
    shown = {}
    for seat, player in players.items():
        if player.casefold() == seat.casefold():
            shown[seat] = seat[:1].upper() + seat[1:]
        else:
            shown[seat] = f"{player} ({seat})" if bearers[player.casefold()] > 1 else player
    shown.setdefault(CHANCE, "Chance")
    return shown


def _names(seats: Mapping[Seat, str], safe: Safe) -> Callable[[Seat], str]:
    shown = {safe.value(seat): safe.value(name) for seat, name in called(seats).items()}
    return lambda seat: shown.get(seat, seat)


# ------------------------------------------------------------------------------- templates


@functools.cache
def _environment(folder: str, width: int = WIDTH) -> Environment:
    """The templates of the house and, if a game has a folder of its own, those in it. They ask
    `narrow` where a form for phones differs."""
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
    wrapped = functools.partial(_wrap, width=width)
    flow = functools.partial(_flow, wrapped=wrapped)
    env.filters.update(wrap=wrapped, flow=flow, backticks=_backticks, boxes=_boxes)
    env.globals.update(say=_say, counted=_counted, listed=_listed, narrow=width < WIDTH)
    return env


@contextmanager
def _blaming(game: str, folder: str) -> Iterator[None]:
    """Say which package is at fault if the templates it brings cannot be written out."""
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
    return pattern.format(**values)


def _counted(n: int, one: str, many: str, /, **values: Any) -> str:
    """A whole sentence with a number in it, {n}: one pattern for one, one for any other."""
    return (one if n == 1 else many).format(n=n, **values)


def _listed(items: Iterable[Any], shown: Callable[[Any], str] = str, last: str = "and") -> str:
    """`A, B and C` in a template; `shown` writes each item, such as `name`."""
    return listed((shown(item) for item in items), last)


def _compiled() -> BytecodeCache | None:
    """Compiled templates are kept where only this user can write: they are run when read."""
    import jinja2

    folder = cache.folder(f"templates-jinja-{jinja2.__version__}")
    return jinja2.FileSystemBytecodeCache(folder) if folder else None


def _wrap(text: str, first: str = "", rest: str = "", width: int = WIDTH) -> str:
    """A paragraph broken into lines; `first` and `rest` go before the first and other lines."""
    from textwrap import wrap

    lines = wrap(text, width, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False)
    return "\n".join(lines or [first])


def _flow(moves: Sequence[str], wrapped: Callable[[str, str, str], str] = _wrap) -> list[str]:
    """Moves side by side, none of them broken that fits, a new line for each first word."""
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
"""phpBB shows 200 pixels of a code box, some thirteen lines, and hides the rest."""


def _boxes(lines: Sequence[str]) -> list[list[str]]:
    """Lines shared out evenly among as few boxes as show them all."""
    boxes = -(-len(lines) // _BOX) or 1
    size = -(-len(lines) // boxes) or 1
    return [list(lines[start : start + size]) for start in range(0, len(lines), size)] or [[]]
