"""How a match begins: two files, and the cards that are dealt before anybody moves."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from textwrap import wrap
from typing import Any, Final, NamedTuple

from pbem.core import CHANCE, HIDDEN, NOBODY, Game, Seat, Setup
from pbem.desk.append import Now, Rehearse, play_chance
from pbem.desk.authorship import POLICIES
from pbem.desk.file import LOG_SUFFIX, Desk, desk_path
from pbem.desk.seats import Player
from pbem.files import languages, store, yamlio
from pbem.files.data import game_file, schema_text, view_schema
from pbem.log import clock as pace
from pbem.log import seal, sealing
from pbem.log.chance import Dealer, Sealed, Seeded, Weights
from pbem.log.entries import Header
from pbem.log.format import Log
from pbem.log.match import Match
from pbem.log.private_press import KINDS, PUBLIC
from pbem.log.ruling import LINE
from pbem.play import games, options, patience, positions
from pbem.play import judge as play
from pbem.problem import BadFile, CannotMake, Problem, Usage

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}")
_DEVICE = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.IGNORECASE)
"""What Windows takes for a device, whatever stands behind a point: no file can have such a name."""
_TIME = "%Y-%m-%dT%H:%M:%SZ"
_A_WEEK = timedelta(days=7)
_PAGE = re.compile(r"""https?://[^\s\[\]<>"'`]{1,490}""")
_SERVER = re.compile(r"[^\s;]{1,255}")


@patience.one_judgement()
def begin(
    game_name: str,
    players: Mapping[Seat, Player],
    *,
    name: str,
    folder: str,
    secret: bytes,
    clock: Now,
    ruleset: str | None = None,
    chosen: Mapping[str, Any] | None = None,
    board: Mapping[str, Any] | None = None,
    dealer_name: str = "sealed",
    dealer: Dealer | None = None,
    policy: str = "from",
    server: str | None = None,
    authors: Mapping[Seat, tuple[str, ...]] | None = None,
    entropy: str | None = None,
    until: str | None = None,
    paced: Mapping[str, Any] | None = None,
    contact: str = "",
    forced: bool = False,
    press: str = PUBLIC,
    short: bool = False,
    page: str = "",
    position: Given | None = None,
    language: str | None = None,
    speaks: Mapping[Seat, str] | None = None,
) -> tuple[Match, Desk]:
    """A new match in memory, dealt as far as nobody has to choose; nothing is written.

    With `entropy` (see `gathered_from`) it is dealt once what goes into the draws is gathered.
    With `paced`, the chosen settings of a clock (see `clock.settings`), it has a clock. With
    `forced`, a move that everybody can see is forced is played by itself. `press`, one of
    `private_press.KINDS`, says what the players may say to each other. Posts are in `language`,
    such as `de,en`; letters to a seat are in the language it `speaks`. With `position` the match
    begins from there, and what is unknown in it is drawn.

    Raises Problem (code 2) for an unknown game, ruleset, option, seat, policy, or an unusable
    name.
    """
    if policy not in POLICIES:
        raise Usage(
            "--policy is one of {policies:all}, not {policy!r}", policies=POLICIES, policy=policy
        )
    if press not in KINDS:
        raise Usage("--press is one of {kinds:all}, not {press!r}", kinds=KINDS, press=press)
    if server is not None and (policy != "authenticated" or not _SERVER.fullmatch(server)):
        raise Usage(
            "--server names the mail server to believe, in a match whose --policy is "
            "authenticated; write it like mx.example.org"
        )
    if page and not _PAGE.fullmatch(page):
        raise Usage("--page {page!r} is no address like https://example.org/match.html", page=page)
    for option, about in (("--author", authors), ("--speaks", speaks)):
        for seat in about or {}:
            if seat not in players:
                raise Usage(
                    "{option} {seat:seat}: there is no such seat, only {players:all}",
                    option=option,
                    seat=seat,
                    players=players,
                )
    if not _NAME.fullmatch(name):
        raise Usage("a match cannot be called {name!r}: letters, digits, - _ . only", name=name)
    if _DEVICE.fullmatch(name):
        raise Usage(
            "a match cannot be called {name!r}: on Windows that is a device, not a file", name=name
        )
    game = games.game(game_name)
    setup = options.setup(game, tuple(players), ruleset, chosen, board)
    given = {option: setup.options[option] for option in chosen or {}}
    path = os.path.join(folder, name + LOG_SUFFIX)
    created = clock()
    if entropy is not None and dealer_name != "sealed":
        raise Usage(
            "--entropy goes into the draws made here; with --dealer {dealer} there are none",
            dealer=dealer_name,
        )
    if until is not None and entropy != "seats":
        raise Usage("--until says how long --entropy seats waits for each player's words")
    brought = games.brings(game_name)
    header = Header(
        match=name,
        game=game.NAME,
        ruleset=setup.ruleset,
        options=given,
        seats={seat: player.name for seat, player in players.items()},
        dealer=dealer_name,
        created=created,
        commit=seal.commit(secret),
        board=board,
        entropy=None if entropy is None else gathered_from(entropy, created, until),
        clock=pace.settings(game, paced) if paced else None,
        forced="public" if forced else None,
        press=None if press == PUBLIC else press,
        package=brought.get("package"),
        version=brought.get("version"),
        language=",".join(languages.several(language)) if language else None,
    )
    desk = Desk(
        desk_path(path),
        name,
        secret,
        addresses={seat: player.addresses for seat, player in players.items()},
        authors=dict(authors or {}),
        policy=policy,
        server=server,
        contact=contact,
        short=short,
        page=page,
        languages={seat: languages.checked(each) for seat, each in (speaks or {}).items()},
    )
    if position is not None:
        draws: Dealer = dealer or Sealed(secret, name)
        if entropy or dealer_name == "asked":
            draws = _refusing(entropy)
        view, drawn = position.begun(game, setup, draws)
        shut = sealing.position_written(header, game, desk.keyring, view)
        header = header._replace(position={"view": shut, **({"drawn": drawn} if drawn else {})})
    empty = Match.of(Log.parse(header.text(), path), desk.keyring)
    return play_chance(empty, desk, clock, dealer), desk


def _refusing(entropy: str | None) -> Dealer:
    """A dealer that raises Usage whenever it is asked: the words for the draws are not there yet,
    or real cards are dealt."""

    def draw(ply: int, texts: Sequence[str], weights: Weights) -> str:
        if entropy:
            raise Usage(
                "with --entropy every card of the position must be named: cards are drawn only "
                "once the words are there"
            )
        raise Usage("with --dealer asked every card of the position must be named: you deal them")

    return draw


def gathered_from(entropy: str, created: str, until: str | None = None) -> dict[str, str]:
    """What the header says about words for the draws. With `seats`, promises are awaited `until` a
    time (by default for a week), and then the words for as long again; with `public:NAME`, a value
    that will be published is awaited. Raises Usage."""
    kind, _, value = entropy.partition(":")
    if kind == "public" and LINE.accepts(value.strip()):
        return {"from": "public", "value": value.strip()}
    if entropy != "seats":
        raise Usage(
            "--entropy is seats, or public: and the name of a value nobody can know yet, like "
            "'public:Lotto 6 aus 49 of Sat 28 Nov 2026', not {entropy!r}",
            entropy=entropy,
        )
    start = _time(created)
    end = start + _A_WEEK if until is None else _time(until)
    if end <= start:
        raise Usage("--until {until} is past", until=until)
    last = pace.written(end + (end - start))
    return {"from": "seats", "promises": pace.written(end), "words": last}


def _time(said: str) -> datetime:
    try:
        return datetime.strptime(said, _TIME)
    except ValueError:
        raise Usage(
            "--until {said!r} is no time; write it in UTC like {example}",
            said=said,
            example="2026-11-28T20:00:00Z",
        ) from None


def write(opened: Match, desk: Desk, rehearse: Rehearse | None = None) -> None:
    """Write the two files, after rehearsing what will be told of the opening. Raises Problem (code
    73) if one of them exists already."""
    if rehearse:
        rehearse(opened, 0)
    with store.lock(opened.log.path, new=True):  # or two could begin one match
        for path in (opened.log.path, desk.path):
            if os.path.exists(path):
                raise CannotMake("is there already; choose another --match or --dir", path)
        # The private file first: a log without it could never go on.
        store.replace(desk.path, desk.text().encode(), 0o600)
        store.replace(opened.log.path, opened.log.text.encode())


def unused_name(game: str, folder: str) -> str:
    """`kahuna-1`, or the same with the first number that has no log yet."""
    number = 1
    while os.path.exists(os.path.join(folder, f"{game}-{number}{LOG_SUFFIX}")):
        number += 1
    return f"{game}-{number}"


# -------------------------------------------------------------- a position to begin from


class Given(NamedTuple):
    """A position from a file: a view or a part of one, and, as far as the file says, the edition of
    the match it comes from and those of its options that are not as usual."""

    path: str
    view: Mapping[str, Any]
    ruleset: str | None
    options: Mapping[str, Any]

    def begun(
        self, game: Game[Any], setup: Setup, dealer: Dealer
    ) -> tuple[dict[str, Any], dict[str, dict[Seat, int]]]:
        """The whole view, and how much of it was drawn: see `positions.complete`. Raises Problem
        with the file's path."""
        try:
            return positions.complete(
                game, setup, self.view, lambda words, weights: dealer(0, words, weights)
            )
        except Problem as problem:
            raise problem if problem.path else problem.at(self.path) from None


def read_position(
    path: str, game_name: str, seats: Sequence[Seat], ruleset: str | None = None
) -> Given:
    """The position in a file, which holds all that `pbem show --format json` prints, or the view
    alone. Raises Problem if it is neither."""
    game, data = games.game(game_name), yamlio.read(path)
    if not isinstance(data, dict) or not data:
        raise BadFile("is no position: it holds no names and values", path)
    if data.get("game", game.NAME) != game.NAME:
        raise BadFile(
            "is a position of {other!r:.40}, not of {game}",
            path,
            other=data["game"],
            game=game.NAME,
        )
    if not isinstance(data.get("view"), dict):
        return Given(path, data, ruleset, {})
    known = json.loads(schema_text("show"))["properties"]
    if unknown := sorted(set(data) - set(known)):
        raise BadFile(
            "a position has no {unknown!r:.60}, only {known:all}",
            path,
            unknown=unknown[0],
            known=sorted(known),
        )
    end = data.get("outcome") or {"why": ""}
    if not isinstance(end, dict) or not isinstance(end.get("why"), str):
        raise BadFile("its outcome is null, or says why the match ended", path)
    why = end["why"]
    if why and any(rule["id"] == why for rule in game_file(game.DATA, "rules")):
        raise BadFile("is a position of a match that is over; nothing can follow it", path)
    said, chosen = data.get("ruleset"), data.get("options") or {}
    if not isinstance(chosen, dict) or not isinstance(said, str | None):
        raise BadFile("its ruleset is a name, and its options are names and values", path)
    edition = ruleset or said
    usual = options.setup(game, seats, edition).options
    differ = {name: value for name, value in chosen.items() if usual.get(name, ...) != value}
    return Given(path, data["view"], edition, differ)


# ------------------------------------------------------------------------------------ the form


def form(
    game_name: str,
    seats: Sequence[Seat] = (),
    ruleset: str | None = None,
    chosen: Mapping[str, Any] | None = None,
) -> str:
    """A position to fill in, with what each part of it means; it shows a fresh match at its first
    choice. Raises Problem for an unknown game, seat, ruleset or option."""
    game = games.game(game_name)
    usual = game.SEATS or tuple(f"seat{n}" for n in range(1, game.PLAYERS[0] + 1))
    setup = options.setup(game, tuple(seats) or usual, ruleset, chosen)
    return "".join(f"{line}\n" for line in _form(game, setup))


def _form(game: Game[Any], setup: Setup) -> Iterator[str]:
    yield from _said(_HEAD.format(game=game.NAME, seat=setup.seats[0]), "")
    yield from _entry("game", game.NAME)
    yield from _entry("ruleset", setup.ruleset)
    declared = options.declared(game).get("options", {})
    if setup.options:
        yield "options:"
    for name, value in setup.options.items():
        yield from _said(declared[name]["says"], "  ")
        yield from _entry(name, value, "  ")
    yield "view:"
    about = json.loads(view_schema(game.DATA, game.NAME) or "{}").get("properties", {})
    for key, value in _sample(game, setup).items():
        described = about.get(key, {})
        if key != "game" and not described.get("readOnly"):
            yield from _said(described.get("description", ""), "  ")
            yield from _entry(key, value, "  ")


_HEAD: Final = (
    "A position of {game} to begin a match from: fill in what lies on your table, then "
    "`pbem new {game} --position FILE --seat {seat}=NAME …`. What you leave out is as in a fresh "
    'match. "?" is a card you do not know: one is drawn from what remains. What a player holds is '
    "sealed for that player; everything else is public."
)
_WIDTH: Final = 78


def _said(text: str, margin: str) -> Iterator[str]:
    return (f"{margin}# {line}" for line in wrap(" ".join(text.split()), _WIDTH - len(margin)))


def _entry(key: str, value: Any, margin: str = "") -> Iterator[str]:
    return (f"{margin}{line}" for line in yamlio.emit({key: value}).splitlines())


def _sample(game: Game[Any], setup: Setup) -> dict[str, Any]:
    """What everybody sees of a fresh match once somebody must choose."""
    state, dealer, ply = game.start(setup), Seeded(1), 0
    while {decision.seat for decision in game.pending(state)} <= {*NOBODY}:
        seat = game.pending(state)[0].seat
        moves = play.legal_moves(game, state, seat)
        texts = {game.notate(move): move for move in moves}
        chances = [(t, game.chances(state, m) if seat == CHANCE else 1) for t, m in texts.items()]
        ply += 1
        step = play.judge(game, state, seat, texts[dealer(ply, (), chances)])
        state = play.advance(game, state, step.events)
    view: dict[str, Any] = json.loads(json.dumps(game.view(state)))
    return positions.concealed(game, view, lambda *_: HIDDEN)
