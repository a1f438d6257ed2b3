"""How a match begins: two files, and the cards that are dealt before anybody moves."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pbem.authorship import POLICIES
from pbem.core import CannotMake, Seat, Usage
from pbem.desk import address
from pbem.desk.address import Address
from pbem.desk.append import Clock, play_chance
from pbem.desk.file import LOG_SUFFIX, Desk, desk_path
from pbem.files import store
from pbem.log import seal
from pbem.log.chance import Dealer
from pbem.log.format import Header, Log
from pbem.log.match import Match
from pbem.play import games, options

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}")
_LONGEST = 200
_SERVER = re.compile(r"[^\s;]{1,255}")
_PLAYER = re.compile(r"(?P<name>[^<>]*?)\s*<(?P<address>[^<>\s]+@[^<>\s]+)>")


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits on a seat, and the addresses their mails come from."""

    name: str
    addresses: tuple[Address, ...] = ()

    @staticmethod
    def read(text: str) -> Player:
        """`Ana <ana@example.org>`, `ana@example.org` or just `Ana`. Raises Problem (code 2)."""
        text = " ".join(text.split())
        fits = 0 < len(text) <= _LONGEST and text.isprintable()
        if fits and (found := _PLAYER.fullmatch(text)):
            return Player(
                found["name"].strip('" ') or found["address"].partition("@")[0],
                (address.read(found["address"]),),
            )
        if not fits or "<" in text or ">" in text:
            raise Usage("{text!r} is no player; write NAME or 'NAME <ADDRESS>'", text=text[:60])
        if "@" in text and " " not in text:
            return Player(text.partition("@")[0], (address.read(text),))
        return Player(text)


def begin(
    game_name: str,
    players: Mapping[Seat, Player],
    *,
    name: str,
    folder: str,
    secret: bytes,
    clock: Clock,
    ruleset: str | None = None,
    chosen: Mapping[str, Any] | None = None,
    board: Mapping[str, Any] | None = None,
    dealer_name: str = "sealed",
    dealer: Dealer | None = None,
    policy: str = "from",
    server: str | None = None,
    authors: Mapping[Seat, tuple[str, ...]] | None = None,
) -> tuple[Match, Desk]:
    """A new match in memory, dealt as far as chance can: nothing is written.

    Raises Problem (code 2) for an unknown game, ruleset, option, seat, policy, or an unusable
    name.
    """
    if policy not in POLICIES:
        raise Usage(
            "--policy is one of {policies:all}, not {policy!r}", policies=POLICIES, policy=policy
        )
    if server is not None and (policy != "authenticated" or not _SERVER.fullmatch(server)):
        raise Usage(
            "--server names the mail server to believe, in a match whose --policy is "
            "authenticated; write it like mx.example.org"
        )
    for seat in authors or {}:
        if seat not in players:
            raise Usage(
                "--author {seat:seat}: there is no such seat, only {players:all}",
                seat=seat,
                players=players,
            )
    if not _NAME.fullmatch(name):
        raise Usage("a match cannot be called {name!r}: letters, digits, - _ . only", name=name)
    game = games.game(game_name)
    setup = options.setup(game, tuple(players), ruleset, chosen, board)
    given = {option: setup.options[option] for option in chosen or {}}
    path = os.path.join(folder, name + LOG_SUFFIX)
    header = Header(
        match=name,
        game=game.NAME,
        ruleset=setup.ruleset,
        options=given,
        seats={seat: player.name for seat, player in players.items()},
        dealer=dealer_name,
        created=clock(),
        commit=seal.commit(secret),
        board=board,
    )
    desk = Desk(
        desk_path(path),
        name,
        secret,
        {seat: player.addresses for seat, player in players.items()},
        authors=dict(authors or {}),
        policy=policy,
        server=server,
    )
    empty = Match.of(Log.parse(header.text(), path), desk.keyring)
    return play_chance(empty, desk, clock, dealer), desk


def write(opened: Match, desk: Desk) -> None:
    """Put the two files down. Raises Problem (code 73) if one is there already."""
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
