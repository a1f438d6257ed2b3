"""How a match begins: two files, and the cards that are dealt before anybody moves."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from pbem.core import CannotMake, Seat, Usage
from pbem.desk.append import Now, Rehearse, play_chance
from pbem.desk.authorship import POLICIES
from pbem.desk.file import LOG_SUFFIX, Desk, desk_path
from pbem.desk.position import Given
from pbem.desk.seats import Player
from pbem.files import languages, store
from pbem.log import clock as pace
from pbem.log import seal, sealing
from pbem.log.chance import Dealer, Sealed, Weights
from pbem.log.entries import Header
from pbem.log.format import Log
from pbem.log.match import Match
from pbem.log.private_press import KINDS, PUBLIC
from pbem.log.ruling import LINE
from pbem.play import games, options, patience

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}")
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
    """A new match in memory, dealt as far as chance can: nothing is written.

    With `entropy` (see `gathered_from`) it is dealt once what goes into the draws is gathered. With
    `paced`, the settings of a clock that were chosen (see `clock.settings`), it has one. With
    `forced`, what everybody sees to be forced is played by itself. `press`, one of
    `private_press.KINDS`, says what the players may say to each other. It is posted in `language`,
    as in `de,en`, and a seat is written to in the one it `speaks`. With `position` it begins
    from there; what is unknown in it is drawn.

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
    """Draws nothing for a position: the words for the draws are not there yet, or real cards are
    dealt. Raises Usage whenever it is asked."""

    def draw(ply: int, texts: Sequence[str], weights: Weights) -> str:
        if entropy:
            raise Usage(
                "with --entropy every card of the position must be named: cards are drawn only "
                "once the words are there"
            )
        raise Usage("with --dealer asked every card of the position must be named: you deal them")

    return draw


def gathered_from(entropy: str, created: str, until: str | None = None) -> dict[str, str]:
    """What the header says of words for the draws: `seats`, where promises are awaited until a
    time (seven days from now) and words as long again, or `public:NAME` of a value. Raises Usage.
    """
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
    """Put the two files down, once the opening deal could be told. Raises Problem (code 73) if
    one is there already."""
    if rehearse:
        rehearse(opened, 0)
    for path in (opened.log.path, desk.path):
        if os.path.exists(path):
            raise CannotMake("is there already; choose another --match or --dir", path)
    # The private file first: a log without it could never go on.
    store.replace(desk.path, desk.text().encode(), 0o600)
    store.replace(opened.log.path, opened.log.text.encode())


def unused_name(game: str, folder: str) -> str:
    """`kahuna-1`, or the first number for which there is no log yet."""
    number = 1
    while os.path.exists(os.path.join(folder, f"{game}-{number}{LOG_SUFFIX}")):
        number += 1
    return f"{game}-{number}"
