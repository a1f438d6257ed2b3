"""What is posted and mailed: a `Report` and a dialect in, text out.

Text for people is written in the templates: `report`, `letter`, `receipt`, `rejection`; a file of
macros for each dialect; and for each game `news` (its phrase book) and `board`. Whatever comes from
outside (names, notes, what a player wrote) is escaped here, once, before any template sees it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from pbem.core import CHANCE, HOUSE, NOBODY, Event, Game, Seat, slots, word
from pbem.report.escape import Safe, paragraph
from pbem.report.facts import WIDTH, Awaited, News, Report
from pbem.report.templates import blaming, environment, folder_of, wrap
from pbem.sentence import say, spoken, whole

if TYPE_CHECKING:
    from jinja2 import Environment

LONGEST_NAME: Final = 40


def report(
    r: Report, dialect: str, *, board: str = "", links: Sequence[tuple[str, str]] = ()
) -> str:
    """The public post or, with a letter, a receipt or a refusal, what is meant for one seat.

    For HTML, `board` is a picture and `links` are moves with their addresses, all of it HTML
    already. Raises ValueError for an unknown dialect.
    """
    kind = (
        "rejection" if r.refusal else "receipt" if r.receipt else "letter" if r.letter else "report"
    )
    if not r.match:  # an answer to somebody who has no part in one
        kind = "stranger"
    if r.brief is None:
        text = _written(r, kind, dialect, board=board, links=links)
        ordinary = kind == "report" and dialect == "text" and not r.opening
        if not ordinary or len(r.picture) < PAGE // 2 or text.count("\n") <= PAGE:
            return text
        goes_on = not r.result and not any(isinstance(each, str) for each in r.news)
        closer = (_written(r, kind, dialect, close=close) for close in range(1, 3 + goes_on))
        return next((each for each in closer if each.count("\n") <= PAGE), text)
    lines = _written(r, "short", "text").count("\n")
    few = range(1, lines * 3 if lines > SHORT else 1)  # a line tells three things at most
    left_out = bisect_left(few, True, key=lambda n: _is_short(_written(r, "short", "text", n)))
    return _written(r, "short", dialect, few[left_out] if left_out < len(few) else len(few))


def _is_short(text: str) -> bool:
    return text.count("\n") <= SHORT


PAGE: Final = 62
"""A post in plain text with more lines than this, half of them its map, is set closer."""

SHORT: Final = 15
"""How many lines a short post has in plain text, if its moves and its question allow it."""


def _written(
    r: Report,
    kind: str,
    dialect: str,
    left_out: int = 0,
    *,
    close: int = 0,
    board: str = "",
    links: Sequence[tuple[str, str]] = (),
) -> str:
    """A report of this kind in this dialect; `left_out` is how much a short one leaves out. The
    higher `close` is, the fewer empty lines: from 2 on a turn is one paragraph, and with 3 only the
    fence has an empty line above it."""
    safe = Safe(dialect)
    env = environment(r.folder, r.width)
    name = _names(r.seats, safe)
    before = 0
    with blaming(r.game, r.folder):
        story = list(_turns(env, r.game, r.news, name, safe, brief=True)) if r.news else []
        you = r.letter.seat if r.letter and not (r.also or r.past) else None
        asked = list(_questions(env, r.game, r.awaited, name, safe, you)) if r.awaited else []
        questions = {each["told"] for each in asked}
        story = [_less(turn, questions) for turn in story]
        if r.brief or close > 1:
            left_out, story = _without(in_turns(story, questions), left_out)
        if r.brief:
            before = min(left_out + 1, len(story) - 1) if left_out else 0  # saying so takes a line
            story = [_cut(turn, left_out - before, safe) for turn in story]
        text = env.get_template(f"{kind}.j2").render(
            safe.value(r),
            name=name,
            story=story[before:],
            before=before,
            questions=asked,
            close=close,
            d=env.get_template(f"dialects/{dialect}.j2").module,
            board=board,
            links=links,
        )
    parted = _parted(_FACT.sub(_beneath(text, r.width), text))
    return re.sub(r"\n\n(?!\[move\])", "\n", parted) if close > 2 else parted


def _parted(text: str) -> str:
    """A text with the heads that Markdown demands of its tables, and one empty line at most between
    any two. A dialect marks rows with U+001F, which nothing from outside holds."""
    text = _ROWS.sub(lambda rows: "| | |\n|---|---|\n" + rows[0].replace("\x1f", ""), text)
    lines = (line.rstrip() for line in text.splitlines())
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n") + "\n"


def post(kind: str, dialect: str, **values: Any) -> str:
    """A post that is about no single match, of the template of this kind; `said` stands in a code
    block. Raises ValueError for an unknown dialect."""
    env, safe = environment(""), Safe(dialect)
    values = {name: safe.value(value, code=name == "said") for name, value in values.items()}
    d = env.get_template(f"dialects/{dialect}.j2").module
    return _parted(env.get_template(f"{kind}.j2").render(**values, d=d))


def _less(turn: dict[str, Any], asked: Collection[str]) -> dict[str, Any]:
    """A turn without the lines with which a question that is `asked` elsewhere begins."""
    lines = [
        line for line in turn.get("lines", ()) if not any(each.startswith(line) for each in asked)
    ]
    return {**turn, "lines": lines} if "lines" in turn else turn


def _without(story: Sequence[dict[str, Any]], n: int) -> tuple[int, list[dict[str, Any]]]:
    """Leave out `n` sentences of a story, those that cite no rule first; gives how many of the `n`
    it did not have, and what is left."""
    lines = [
        (bool(_CITES.search(line)), nth, at)
        for nth, turn in enumerate(story)
        for at, line in enumerate(turn.get("lines", ()))
    ]
    gone = {(nth, at) for _, nth, at in sorted(lines)[:n]}
    left = [
        {
            **turn,
            "lines": [s for at, s in enumerate(turn.get("lines", ())) if (nth, at) not in gone],
        }
        for nth, turn in enumerate(story)
    ]
    return n - len(gone), left


def _cut(turn: dict[str, Any], n: int, safe: Safe) -> dict[str, Any]:
    """A ruling without the last `n` of its lines; the first one always stays."""
    said = turn.get("said", "")
    kept = max(len(said) - n * _LINE, _LINE)
    return (
        {**turn, "ruling": safe.value(f"{said[:kept]}...")} if n > 0 and kept < len(said) else turn
    )


_LINE: Final = 60
"""About how many characters of a ruling fit on a line."""

_CITES: Final = re.compile(r"[\[(][A-Z]+-\w+")
"""A rule, in brackets of any dialect."""

_FACT: Final = re.compile("\x1e(.*?)\x1d(.*?)\x1c", re.DOTALL)
_LABEL, _LONGEST_LABEL = 9, 16


def _beneath(text: str, width: int) -> Callable[[re.Match[str]], str]:
    """A function that sets a fact marked in plain text: its label in a column wide enough for those
    of the language. On a phone, a fact longer than a line stands below its label."""
    labels = (len(label) for label, _ in _FACT.findall(text)) if spoken() != "en" else ()
    column = max([_LABEL, *(n for n in labels if n <= _LONGEST_LABEL)])

    def written(found: re.Match[str]) -> str:
        label, text = found.groups()
        line = wrap(text, f"{label:{column}} ", " " * (column + 1), width)
        if width < WIDTH and "\n" in line:
            return f"{wrap(label, width=width)}\n{wrap(text, '  ', '  ', width)}"
        return line

    return written


_ROWS = re.compile(r"^(?:\x1f.*\n)+", re.MULTILINE)


def wording(game: Game[Any], news: Sequence[News | str], seats: Mapping[Seat, str]) -> list[str]:
    """The match in words: a line for each ruling and for each event, or for several of a kind that
    belong together."""
    lines: list[str] = []
    for turn in turns(game, news, seats, apart=True):
        if "ruling" in turn:
            lines.append(f"--: {turn['ruling']}")
            continue
        said = turn["lines"]
        if turn["struck"]:
            said = [say("{move} (taken back)", move=line) for line in said]
        lines += (f"{turn['plies']}: {line}" for line in said)
    return lines


def turns(
    game: Game[Any], news: Sequence[News | str], seats: Mapping[Seat, str], *, apart: bool = False
) -> list[dict[str, Any]]:
    """The plies in words, one after the other: `plies`, `first`, `last`, `seat`, `who`, `move`,
    `struck`, `lines`. What chance adds to a ply is told with it, unless they are told `apart`; a
    ruling among them is a `ruling`."""
    safe = Safe("text")
    with _templates(game) as env:
        return list(_turns(env, game.NAME, news, _names(seats, safe), safe, apart=apart))


def in_turns(story: Sequence[dict[str, Any]], asked: Collection[str]) -> list[dict[str, Any]]:
    """What `turns` gives, told as a short post tells it: a person's moves in a row as one, with
    what chance added, and without what is `asked` below."""
    told: list[dict[str, Any]] = []
    for each in story:
        if "ruling" in each:
            told.append(each)
            continue
        move = "" if each["seat"] in NOBODY else each["move"]
        lines = [] if each["struck"] else _less(each, asked)["lines"]
        last = told[-1] if told else each
        alike = "ruling" not in last and last["struck"] == each["struck"]
        if last is not each and alike and (not move or last["who"] == each["who"]):
            told.pop()
            plies = _span(last["first"], each["last"])
            each = {**last, "last": each["last"], "plies": plies}
            move, lines = "; ".join(filter(None, (last["move"], move))), [*last["lines"], *lines]
        told.append({**each, "move": move, "lines": lines})
    return told


def names(seats: Mapping[Seat, str]) -> dict[Seat, str]:
    name = _names(seats, Safe("text"))
    return {seat: name(seat) for seat in seats}


def html(template: str, **values: Any) -> str:
    """A page of this template, which escapes the values it does not call safe."""
    page = environment("").overlay(autoescape=True).get_template(template)
    return page.render(**values)


# ------------------------------------------------------------------------- events in words


def _turns(
    env: Environment,
    game: str,
    news: Sequence[News | str],
    name: Callable[[Seat], str],
    safe: Safe,
    *,
    brief: bool = False,
    apart: bool = False,
) -> Iterator[dict[str, Any]]:
    """The plies in words, each with what chance adds to it unless they are told `apart`; a ruling
    as it is. Seats are called by `name`, or by the names they had then. In `brief`, a deal that the
    board shows is told in a line."""
    page = env.get_template(f"{game}/news.j2")
    then, who, book = None, name, page.make_module({"name": name})
    for act in _acts(news, apart):
        if isinstance(act, str):
            yield {"ruling": safe.value(act), "said": act}
            continue
        first, last = act[0], act[-1]
        if first.seats != then:
            then, who = first.seats, _names(first.seats, safe) if first.seats else name
            book = page.make_module({"name": who})
        events = [e for n in act for e in n.events]
        on_word = [safe.value(ON_WORD.text())] if first.on_word else []
        yield {
            "plies": _span(first.ply, last.ply),
            "first": first.ply,
            "last": last.ply,
            "seat": first.seat,
            "who": who(first.seat),
            "move": safe.value(first.move),
            "struck": first.struck,
            "lines": [*filter(None, _sentences(book, events, safe, brief=brief)), *on_word],
        }


ON_WORD: Final = say("This was entered on the moderator's word.")
"""Instead of the proof that the players were promised."""


def _acts(news: Iterable[News | str], apart: bool) -> Iterator[list[News] | str]:
    """Each ruling, and each ply with those of chance that follow from it; or, if they are told
    `apart`, each run of those for itself."""
    act: list[News] = []
    for each in news:
        if act and (isinstance(each, str) or not _follows(each, act[0], apart)):
            yield act
            act = []
        if isinstance(each, str):
            yield each
        else:
            act.append(each)
    if act:
        yield act


def _follows(ply: News, first: News, apart: bool) -> bool:
    alike = ply.struck == first.struck and (not apart or first.seat == CHANCE)
    return ply.seat == CHANCE and alike


def _span(first: int, last: int) -> str:
    return f"{first}-{last}" if last > first else f"{first}"


def _sentences(book: Any, events: Iterable[Event], safe: Safe, *, brief: bool) -> Iterator[str]:
    """What the phrase book says. A kind it lists in `summed` is told a run at a time: the macro
    gets all neighbouring events of that kind whose first field is the same. In `brief`, a macro
    `KIND_in_all` gets the whole run first; where it says nothing, it is told as usual."""
    for kind, run in groupby(events, type):
        name = word(kind).replace("-", "_")
        phrase, in_all = getattr(book, name), getattr(book, f"{name}_in_all", None)
        alike = [{s.name: safe.value(getattr(e, s.name)) for s in slots(kind)} for e in run]
        if brief and in_all and (line := _on_one_line(in_all, alike)):
            yield line
        elif word(kind) in book.summed:
            subject = slots(kind)[0].name
            for whom in dict.fromkeys(event[subject] for event in alike):
                run_of = [event for event in alike if event[subject] == whom]
                yield _on_one_line(phrase, run_of)
        else:
            yield from (_on_one_line(phrase, event) for event in alike)


def asked(
    game: Game[Any], awaited: Sequence[Awaited], seats: Mapping[Seat, str], you: Seat | None = None
) -> list[tuple[str, str]]:
    """What these decisions ask, a sentence each, and how it is answered, "" if that isn't said; a
    reader who is one of the seats is `you`."""
    safe = Safe("text")
    with _templates(game) as env:
        found = _questions(env, game.NAME, awaited, _names(seats, safe), safe, you)
        return [(each["question"], each["form"]) for each in found]


def phrases(game: Game[Any], book: str) -> frozenset[str]:
    """The macros of a game's `news` or `questions`."""
    with _templates(game) as env:
        made = env.get_template(f"{game.NAME}/{book}.j2").module
    return frozenset(name for name, value in vars(made).items() if callable(value))


@contextmanager
def _templates(game: Game[Any]) -> Iterator[Environment]:
    """The templates that a game is told with; what fails in its own is its package's fault."""
    folder = folder_of(game)
    with blaming(game.NAME, folder):
        yield environment(folder)


def _questions(
    env: Environment,
    game: str,
    awaited: Iterable[Awaited],
    name: Callable[[Seat], str],
    safe: Safe,
    you: Seat | None,
) -> Iterator[dict[str, Any]]:
    """What each decision asks, in the words of the game's `questions.j2`: a macro for each kind
    and, if the game likes, `KIND_form` for how it is answered. `told` is the question as everybody
    reads it, `question` as the reader does, whose seat is `you`."""
    book: Any = env.get_template(f"{game}/questions.j2").make_module({"name": name})
    for decision in awaited:
        asked = {**safe.value(decision), "yours": False}
        kind = decision.kind.replace("-", "_")
        phrase, form = getattr(book, kind), getattr(book, f"{kind}_form", None)
        written = _on_one_line(form, asked) if form else ""
        told = _on_one_line(phrase, asked)
        yours = decision.seat == you
        question = _on_one_line(phrase, {**asked, "yours": True}) if yours else told
        yield {**asked, "told": told, "question": question, "form": written}


def _on_one_line(phrase: Callable[[Any], str], of: Any) -> str:
    """What a macro of a phrase book says of something, whole in one language."""
    return " ".join(whole(lambda: phrase(of)).split())


def called(seats: Mapping[Seat, str]) -> dict[Seat, str]:
    """What to call each seat: its player's name, with the seat where that alone could mislead."""
    players = {
        seat: paragraph(name)[:LONGEST_NAME].rstrip() or seat for seat, name in seats.items()
    }
    bearers = Counter(
        called for pair in (*players.items(), NOBODY) for called in {n.casefold() for n in pair}
    )
    shown = {}
    for seat, player in players.items():
        if player.casefold() == seat.casefold():
            shown[seat] = seat[:1].upper() + seat[1:]
        else:
            shown[seat] = f"{player} ({seat})" if bearers[player.casefold()] > 1 else player
    shown.setdefault(CHANCE, say("Chance").text())
    shown.setdefault(HOUSE, say("The house").text())
    return shown


def _names(seats: Mapping[Seat, str], safe: Safe) -> Callable[[Seat], str]:
    shown = {safe.value(seat): safe.value(name) for seat, name in called(seats).items()}
    return lambda seat: shown.get(seat, seat)
