"""A match as one page: its board, every ply in words, and a turn to be clicked together.

The page needs nothing from anywhere: its style and script stand in it, and its policy forbids all
else. It holds only what its reader may know, for it is made from the match as they know it.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import groupby, pairwise, takewhile
from typing import Any, Final, NamedTuple

from pbem.core import CHANCE, NOBODY, Seat, told_points
from pbem.files import data
from pbem.log import audit, sealing
from pbem.log.doubts import GRAVE
from pbem.log.entries import Entry, Ply
from pbem.log.format import Log
from pbem.log.match import Replay, replay
from pbem.log.rulings import Reveal, Ruled
from pbem.log.seal import Keyring
from pbem.pictures import board, palette, svg
from pbem.pictures.change import differing
from pbem.pictures.film import Film, Frame
from pbem.report import compose, render, turn
from pbem.report.escape import paragraph
from pbem.sentence import figured, say, spoken, worded
from pbem.version import __version__

CITED: Final = re.compile(r"\[([\w-]+(?:, [\w-]+)*)\]")
"""Where a sentence cites a rule, or several."""


_UNCITED: Final = re.compile(rf" ?{CITED.pattern}")
_POINTS: Final = re.compile(r"\[([\w/>-]+)\]")
"""What a note points at on the board."""


class Moment(NamedTuple):
    """What the page tells about one moment: a ply, a run of chance's plies, or a ruling.

    `marks` are its anchors, the last one its own; `kind` is ply, chance, ruling or start.
    """

    kind: str
    marks: tuple[str, ...]
    number: str
    who: str
    move: str
    lines: tuple[str, ...]
    struck: bool
    state: Any


def page(match: Replay, **about: Any) -> str:
    """The page of a match as its reader knows it; `about` takes what `facts` takes."""
    return html("match", **facts(match, **about))


def facts(
    match: Replay,
    *,
    seat: Seat | None = None,
    to: str = "",
    checked: str = "",
    reader: Seat | None = None,
    **site: Any,
) -> dict[str, Any]:
    """What the page of a match is made of, for `html`; the seats' own pages are made of it, too.

    With `seat`, which must be the reader's own, its order can be clicked together; `to` is the
    address it is sent to. `checked` says what a check of the log found. The board is turned towards
    `reader`, by default the first seat whose keys are at hand. In a `site`, `home` is the index of
    all matches, `feed` the feed of this one, `card` a picture for links to this page, by default
    one named after the match, `gif` its film, `seats` the seats' pages, `guide` that of the rules.
    """
    items = list(_items(match))
    film = Film(called(match))
    frames = [
        film.add(scene(match, item.state, last=item is items[-1], reader=reader)) for item in items
    ]
    before = film.add(scene(match, board.earlier(match).state, reader=reader))
    told = list(_last_turn(match)) or items[:1]
    order = _order(match, seat, film, to)
    moments = _moments(items, frames, film) | {
        "last": film.marks(before, frames[-1]),
        "turn": _begins(told[0], items),
        "order": order,
    }
    shown, latest = film.places(frames[-1]), film.scene(frames[-1])
    groups = svg.marked(latest, called(match), differing(film.scene(before), latest))
    drawn = "".join(map(str, groups))
    rules = compose.rules(match.game)
    return {
        "match": match.name,
        "title": match.game.TITLE,
        "position": str(match.position),
        "players": render.names(match.players),
        "asked": asked(match, seat),
        "until": compose.until(match, brief=True),
        "result": result(match),
        "checked": checked,
        "items": items,
        "turn": told,
        "broken": _broken_up(rules),
        "rules": _cited(items, match.outcome.why if match.outcome else "", rules),
        "width": film.width,
        "height": film.height,
        "figures": svg.figures([svg.CROSS, drawn, *(cel.drawn for cel in film.cels)]),
        "drawn": drawn,
        "says": " ".join(film.cels[place].says for place in shown if film.cels[place].says),
        "moments": for_script(moments),
        "seat": seat if order else None,
        "reader": match.reader,
        **_ALONE,
        "card": f"{match.name}.png",
        **site,
    }


def _begins(first: Moment, items: Sequence[Moment]) -> int:
    """Which of the items a turn begins with whose first is this one."""
    marks = {*first.marks[:1]}
    return next((n for n, each in enumerate(items) if marks & {*each.marks}), len(items))


_ALONE: Final[Mapping[str, Any]] = {"home": "", "feed": "", "gif": "", "seats": {}, "guide": ""}
"""What a page in no site lacks."""


def _order(match: Replay, seat: Seat | None, film: Film, to: str) -> dict[str, Any] | None:
    """The turn of a seat to be clicked together, if it has one. The last position is the match as
    it stands, whatever was taken back."""
    if seat is None or seat not in match.asked or seat in match.vacant:
        return None
    tree = turn.order(match, seat, film, partial(scene, match), to)
    return {**tree.plain(film), "until": until(match, seat)}


def _moments(items: Sequence[Moment], frames: Sequence[Frame], film: Film) -> dict[str, Any]:
    return {
        "cels": [cel.drawn for cel in film.cels],
        "says": [cel.says for cel in film.cels],
        "frames": [film.places(a ^ b) for a, b in pairwise([frozenset(), *frames])],
        "marks": [film.marks(a, b) for a, b in pairwise([frames[0], *frames])],
        "points": {
            nth: points
            for nth, (item, frame) in enumerate(zip(items, frames, strict=True))
            if item.kind == "ruling" and (points := _points(film, frame, " ".join(item.lines)))
        },
    }


def for_script(value: Any) -> str:
    """JSON that may stand in a script element: nothing in it can end the script, begin a tag or a
    comment, as all of these begin with a `<`."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return re.sub("[<&\u2028\u2029]", lambda hit: f"\\u{ord(hit[0]):04x}", text)


def html(kind: str, *, sealed: Mapping[str, Any] | None = None, **values: Any) -> str:
    """A page of this kind (`match`, `index`, `text`; `club`, `event`, `person`), with its style and
    script and a policy that allows nothing else. One with a part `sealed` for a seat may also load
    the public page beside it."""
    parts = ["turn"] * bool(values.get("seat")) + ["sealed"] * bool(sealed)
    styles = parts if kind == "match" else ["text" if kind == "text" else "index"]
    style = "".join([_style(), *(_file(f"{part}.css") for part in styles)])
    script = _script(*parts) if kind == "match" else _file("index.js") * (kind != "text")
    policy = "; ".join(
        [
            "default-src 'none'",
            "img-src data:",
            f"style-src {_digest(style)}",
            *([f"script-src {_digest(script)}"] if script else []),
            *(["connect-src 'self'"] if sealed else []),
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )
    shut = for_script(sealed) if sealed else ""
    said = {text: worded(text) for text in _SAID.findall(script)} if spoken() != "en" else {}
    words = for_script(said) if said else ""
    own = {"policy": policy, "style": style, "script": script, "sealed": shut, "words": words}
    return render.html(f"web/{kind}.html.j2", **own, **values)


_SAID: Final = re.compile(r"\bsay\(\"([^\"]+)\"")
"""What a script says; a page in a language other than English carries the translations."""


def material() -> str:
    """All that goes into pages besides matches."""
    names = sorted(os.listdir(os.path.join(data.ROOT, "templates", "web")))
    return "".join([__version__, _style(), *map(_file, names)])


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _file(name: str) -> str:
    """A file of the pages without indents and comments, which no reader needs."""
    path = os.path.join(data.ROOT, "templates", "web", name)
    with open(path, encoding="utf-8") as file:
        comment = r"\s*/\*[^*]*\*/\s*" if name.endswith(".css") else r"\n\s+//.*"
        return re.sub(rf"{comment}|\n\s+", "\n", file.read())


@cache
def _script(*more: str) -> str:
    """The script of a match's page, with those of its optional parts that are named."""
    script = _file("page.js")
    for part in ("turn", "sealed"):
        own = _file(f"{part}.js") if part in more else ""
        script = script.replace(f"/* {part}.js */\n", own)
    return script


@cache
def _style() -> str:
    """The style sheet: the themes as variables, the board's own rules within the board."""
    light, dark = palette.THEMES["light"], palette.THEMES["dark"]

    def variables(theme: str, below: Mapping[str, str] = light) -> str:
        """The colours of a theme that are not those of the one it is laid upon."""
        own = palette.THEMES[theme].items() - (below.items() if theme != "light" else ())
        return " ".join(f"--{name}: {colour};" for name, colour in sorted(own))

    inks = palette.sheet({name: f"var(--{name})" for name in light})
    at_night, by_day = f"color-scheme: dark; {variables('dark')}", variables("contrast")
    chosen, system = ':root[data-theme="dark"]', ':root:not([data-theme="light"])'
    more = "@media screen and (prefers-contrast: more)"
    return "\n".join(
        [
            f":root {{ color-scheme: light; {variables('light')} }}",
            f"@media screen {{ {chosen} {{ {at_night} }} }}",
            f"@media screen and (prefers-color-scheme: dark) {{ {system} {{ {at_night} }} }}",
            f"{more} {{ :root {{ {by_day} }} {chosen} {{ {variables('night', dark)} }} }}",
            f"{more} and (prefers-color-scheme: dark) "
            f"{{ {system} {{ {variables('night', dark)} }} }}",
            f"@media print {{ :root {{ {variables('ink')} }} }}",
            f":is(#page-board, .board, .small, .figures) {{ {inks} }}",
            _file("page.css"),
        ]
    )


# ------------------------------------------------------------------------ what has happened


def _items(match: Replay) -> Iterator[Moment]:
    """Every moment from the start to now, struck plies and rulings included. Seats are called by
    the names of those who sat there at the time."""
    states = {0: match.first}
    yield Moment(
        "start", ("ply-0",), "", "", "", (say("The match begins.").text(),), False, states[0]
    )
    for _, entries in groupby(match.log.entries, lambda entry: isinstance(entry, Ply)):
        run = list(entries)
        if plies := [entry for entry in run if isinstance(entry, Ply)]:
            yield from _plies(match, plies, states)
        else:
            yield from (_ruling(match, entry, states) for entry in run)


def _plies(match: Replay, run: Sequence[Ply], states: dict[int, Any]) -> Iterator[Moment]:
    before = match.log.as_called().first(run[0].nth)
    state = states[_last(before)]
    opened = sealing.open_events(match.log, match.game, match.keyring, run)
    for ply in opened:
        state = states[ply[0].number] = replay(match.log, match.game, state, [ply])
    numbers = iter([ply.number for ply in run])
    struck = frozenset(ply.number for ply in run) - {ply.number for ply, _ in match.plies}
    for each in render.turns(match.game, compose.news(opened, struck), before.names):
        last = each["last"]
        marks = (*takewhile(last.__ne__, numbers), last)
        chance = each["seat"] == CHANCE
        yield Moment(
            "chance" if chance else "ply",
            tuple(f"ply-{number}" for number in marks),
            each["plies"],
            "" if chance else each["who"],
            "" if chance else each["move"],
            tuple(each["lines"]),
            each["struck"],
            states[last],
        )


def _points(film: Film, frame: Frame, text: str) -> tuple[list[int], list[str]] | None:
    """What a note points at, `[line-ALOA-BARI]` or `[ALOA>DUDA]`: the places of cels, and arrows.
    What names nothing on the board is only text."""
    scene, names = film.scene(frame), set(_POINTS.findall(text))
    ids = [shape.id for shape in scene.shapes]
    places = [place for place, id in zip(film.places(frame), ids, strict=True) if id in names]
    ends = svg.places(scene)
    arrows = sorted(
        str(svg.pointing(scene, *pair))
        for pair in (tuple(name.split(">")) for name in names)
        if len(pair) == 2 and ends.keys() >= set(pair)
    )
    return (places, arrows) if places or arrows else None


def _ruling(match: Replay, entry: Entry, states: Mapping[int, Any]) -> Moment:
    called = match.log.as_called()
    ruled = called.entries[entry.nth]
    assert isinstance(ruled, Ruled)
    lines = (paragraph(ruled.sentence.text(called.first(entry.nth).names)),)
    state = states[_last(match.log.first(entry.nth + 1))]
    return Moment("ruling", (mark(entry),), "", "", "", lines, False, state)


def mark(entry: Entry) -> str:
    """The anchor of an entry of the log."""
    return f"ply-{entry.number}" if isinstance(entry, Ply) else f"ruling-{entry.nth + 1}"


def _last(log: Log) -> int:
    """The number of the last ply that stands, 0 if there is none."""
    return max((ply.number for ply in log.live), default=0)


def called(match: Replay) -> dict[Seat, str]:
    """The players' names, short enough for a board."""
    return {seat: svg.brief(name) for seat, name in render.names(match.players).items()}


def scene(
    match: Replay,
    state: Any,
    *,
    last: bool = False,
    reader: Seat | None = None,
    view: Mapping[str, Any] | None = None,
) -> Any:
    """The board of a match in one of its states, as shapes; `last` says that it is the latest one,
    `view` is the state's view, if it is at hand. The board is turned towards `reader`, by default
    the seat whose knowledge this is."""
    end = match.outcome if last else match.game.outcome(state)
    shown = match.game.view(state) if view is None else view
    asked = [each for each in match.game.pending(state) if each.awaited]
    towards = reader or match.reader
    return board.scene(match.game, board.ended(shown, end, asked), towards, match.reader)


# -------------------------------------------------------------------------- where it stands


def asked(match: Replay, you: Seat | None = None) -> list[str]:
    """What the match waits for, a sentence each, for everybody or for the seat that is `you`."""
    waits = () if match.outcome else compose.awaited(match)
    return [question for question, _ in render.asked(match.game, waits, match.players, you)]


def until(match: Replay, seat: Seat, zone: str = "") -> list[str]:
    """Until when a seat can answer, in this zone or the match's; and what comes without."""
    asks = [each for each in compose.awaited(match) if each.seat == seat]
    _, due = compose.until_briefly(match, zone).get(seat, ("", ""))
    silence = [say("Without an answer: {move}.", move=e.default).text() for e in asks if e.default]
    return [due[:1].upper() + due[1:], *silence]


def waits_for(match: Replay) -> list[tuple[str, str, str, str]]:
    """Whom a match waits for: a player, their deadline in UTC and the same in words, "" each where
    there is none, and what they are asked beside their name; the sentences alone where no player
    is asked."""
    if not set(match.awaited) - match.vacant:
        return [("", "", "", line) for line in (*asked(match), *compose.until(match))]
    names, until = render.names(match.players), compose.until_briefly(match)
    waits = compose.awaited(match)
    return [
        (
            names[each.seat],
            *until.get(each.seat, ("", "")),
            question.removeprefix(say("It's {seat}'s turn.", seat=names[each.seat]).text())
            .strip()
            .removeprefix(f"{names[each.seat]} "),
        )
        for each, question in zip(waits, asked(match), strict=True)
    ]


def _last_turn(match: Replay, *, drawn: bool = True) -> Iterator[Moment]:
    """The whole last turn, perhaps without what was `drawn`, and what was ruled since, as a short
    post tells it, without the secret: whoever comes to a match that is over wants to know who has
    won."""
    since = compose.since(match, compose.known_before_last_turn(match))
    news = [each for each in since if drawn or isinstance(each, str) or each.seat != CHANCE]
    story = render.turns(match.game, news, match.players)
    secrets = [paragraph(each.sentence("").text()) for each in match.log.rulings(Reveal)]
    for each in render.in_turns(story, [] if match.past else asked(match)):
        if each.get("ruling") in secrets:
            continue
        if "ruling" in each:
            lines = (each["ruling"],)
            yield Moment("ruling", (), "", "", "", lines, False, None)
            continue
        marks = tuple(f"ply-{each[end]}" for end in ("first", "last"))
        who = "" if each["seat"] in NOBODY else each["who"]
        said = each["move"], tuple(each["lines"]), each["struck"]
        yield Moment("ply", marks, each["plies"], who, *said, None)


def card_words(match: Replay) -> dict[str, Any]:
    """What a picture for links says: the whole last turn as its page tells it, without what was
    drawn and the rules it cites, and what is asked, without advice: a sentence each."""
    turn = _last_turn(match, drawn=False)
    told = [_UNCITED.sub("", line) for each in turn for line in each.lines]
    until = dict.fromkeys(until for _, until in compose.until_briefly(match).values())
    turns = [say("It's {seat}'s turn.", seat=name).text() for name in match.players.values()]
    asks = [next((t for t in turns if each.startswith(t)), each) for each in asked(match)]
    waits = [*asks, *(f"{each[:1].upper()}{each[1:]}." for each in until)]
    return {"told": told, "asked": waits}


def scores(match: Replay) -> dict[str, str]:
    """How far each player has come, or came in the end, if the game keeps score."""
    names, (scores, race) = render.names(match.players), board.scores(match)
    return {names.get(seat, seat): _counted(score, race) for seat, score in scores.items()}


def _counted(score: float, race: bool) -> str:
    if score != int(score):
        return say("{n} points", n=figured(told_points(score))).text()
    if race:
        return say("{n} [field|fields]", n=int(score)).text()
    return say("{n} [point|points]", n=int(score)).text()


def small(match: Replay) -> str:
    """The board for a list of matches, without what lies beside it and what is too fine: an `svg`
    of the class `small` that needs the figures of `svg.figures`; "" for a board of words."""
    from pbem.pictures.preview import land  # a page of one match paints no card

    map = land(scene(match, match.state, last=True))
    if all(shape.form == "text" or shape.id == "panel" for shape in map.shapes):
        return ""
    drawn = "".join(svg.group(shape, {}, nameless=True) for shape in svg.afar(map.shapes))
    box = f"0 0 {map.width} {map.height}"
    return f'<svg class="small" viewBox="{box}" aria-hidden="true">{drawn}</svg>'


def result(match: Replay) -> dict[str, Any] | None:
    """Who won, by which rule, and the scores; None while the match goes on."""
    end = match.outcome
    if end is None:
        return None
    names = render.names(match.players)
    winners = [names[seat] for seat in end.winners]
    return {"winners": winners, "why": end.why, "scores": scores(match)}


def revealed(match: Replay) -> bool:
    """Does everybody know everything?"""
    return sealing.accept_keys(match.log, Keyring.none()).secret is not None


def checked(match: Replay) -> str:
    """What a full check of the log finds, once everybody knows the secret; "" before that."""
    if not revealed(match):
        return ""
    found = audit.audit(match.log.path)
    if found.problems:
        pattern = "The secret is revealed, and a check of the log finds [one problem|{n} problems]."
        return say(pattern, n=len(found.problems)).text()
    in_order = say(
        "The secret is revealed, and the log is in order: {drawn} draws are recomputed, {judged} "
        "of {plies} plies are judged again.",
        drawn=found.drawn,
        judged=found.judged,
        plies=found.plies,
    )
    doubts = (doubt.sentence for doubt in found.doubts if doubt.word in GRAVE)
    return "\n".join(each.text(found.names) for each in (in_order, *doubts))


# -------------------------------------------------------------------------------- the rules


def _broken_up(rules: Mapping[str, str]) -> Callable[[str], list[tuple[Sequence[str], str]]]:
    """A function that cuts a sentence into texts, ((), text), and the rules it cites, (rules, the
    punctuation that must stay with them); a blank before them goes."""

    def cut(line: str) -> list[tuple[Sequence[str], str]]:
        pieces: list[tuple[Sequence[str], str]] = [((), "")]
        for nth, piece in enumerate(CITED.split(line)):
            cited = piece.split(", ") if nth % 2 else []
            if cited and rules.keys() >= set(cited):
                pieces[-1:] = [((), pieces[-1][1].rstrip()), (cited, "")]
                continue
            text = f"[{piece}]" if cited else piece
            if pieces[-1][0] and text[:1] in (".", ",", ";", ")"):
                pieces[-1], text = (pieces[-1][0], text[0]), text[1:]
            pieces.append(((), text))
        return pieces

    return cut


def _cited(items: Sequence[Moment], why: str, rules: Mapping[str, str]) -> dict[str, str]:
    """The rules that the page names, in the order of the rulebook."""
    text = " ".join(line for item in items for line in item.lines)
    named = {why, *(rule for found in CITED.findall(text) for rule in found.split(", "))}
    return {rule: says for rule, says in rules.items() if rule in named}
