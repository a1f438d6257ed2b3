"""Some hundred mails in people's own words, written by somebody who did not know how they are read.

tests/people/README.md says what they hold. Nothing is ever misread; of what was meant, most is
played or proposed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from email.message import EmailMessage
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml
from commands import SECRET, Room

from pbem import intake
from pbem.core import Move, Refused
from pbem.desk import begin
from pbem.desk.append import append_ply, play_chance
from pbem.desk.file import Desk
from pbem.desk.submit import check
from pbem.files.timestamp import now as clock
from pbem.log.match import Replay
from pbem.play import judge
from pbem.problem import Problem

PEOPLE = Path(__file__).parent / "people"
MAILS = [
    mail
    for file in sorted(PEOPLE.glob("*.yaml"))
    if file.stem != "positions"
    for mail in yaml.load(file.read_text(), yaml.CSafeLoader)
]


class Table(NamedTuple):
    """A match at a fixed position."""

    room: Room
    now: Replay
    players: dict[str, str]


POSITIONS: dict[str, Any] = yaml.load((PEOPLE / "positions.yaml").read_text(), yaml.CSafeLoader)


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Table]]:
    found = {}
    for name, place in POSITIONS.items():
        room = dealt_like(tmp_path_factory.mktemp(name), place)
        found[name] = Table(room, room.read()._replace(shown={}), place["seats"])
    matches = {str(table.room.log): table.now for table in found.values()}
    desks = {str(table.room.log): Desk.read(str(table.room.log)) for table in found.values()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Replay, "read", lambda path, keyring: matches[path])
        patch.setattr(Desk, "read", lambda path: desks[path])
        yield found


def dealt_like(folder: Path, where: dict[str, Any]) -> Room:
    """A match that has come to a position."""
    players = {
        seat: begin.Player(name, (f"{name.lower()}@example.org",))
        for seat, name in where["seats"].items()
    }
    now, desk = begin.begin(
        begin.Terms(
            where["game"],
            players,
            name="k1",
            folder=str(folder),
            options=where["options"],
            ruleset=where["ruleset"],
            dealer="asked",
        ),
        secret=SECRET,
        clock=clock,
    )
    for ply in where["plies"]:
        seat, _, move = ply.partition(": ")
        step = judge.judge(now.game, now.state, seat, meant(now, seat, move))
        now = play_chance(append_ply(now, desk, step, clock, ""), desk, clock)
    begin.write(now, desk)
    return Room(folder / "k1.pbem.yaml")


def meant(now: Replay, seat: str, move: str) -> Move:
    """A move, of which what everybody sees is said: the first that may be behind it."""
    for to in ("", *now.setup.seats, *"ABCDEFGHIJKLMNOPQRSTUVWXYZ"):
        with suppress(Refused):
            text = now.game.parse(f"{move} to {to}" if to else move)
            return judge.resolve(now.game, now.state, seat, text)
    raise AssertionError(move)


def came_of(mail: dict[str, Any], table: Table) -> tuple[list[str], list[list[str]], bool]:
    """What would be played, what is proposed, and whether a yes would play that."""
    ply, mark = table.now.position
    blanks = {"{match}": "k1", "{ply}": str(ply), "{mark}": str(mark)}

    def filled(text: str) -> str:
        for blank, value in blanks.items():
            text = text.replace(blank, value)
        return text

    name, message = table.players[mail["seat"]], EmailMessage()
    message["From"] = f"{name} <{name.lower()}@example.org>"
    message["Subject"] = filled(mail.get("subject") or "Re: [{match} #{ply} {mark}] Your move")
    message["Message-ID"] = f"<{mail['id']}@example.org>"
    message.set_content(filled(mail.get("text") or ""), charset="utf-8", cte="base64")
    if mail.get("html"):
        message.add_alternative(filled(mail["html"]), subtype="html")
    keys = table.now.keyring.for_seat(mail["seat"], table.now.log.epochs[mail["seat"]])
    try:
        said = intake.read(message.as_bytes(), "m.eml")
        answer = check(str(table.room.log), said, seat=mail["seat"], keyring=keys)
    except Problem:
        return [], [], False
    if answer.code:
        orders = [canonical(table, order) for order in answer.proposal]
        return [], orders, orders != [] and not answer.by_number
    game = table.now.game
    steps = [game.notate(step.move) for step in answer.steps]
    return canonical(table, [*steps, *(each.text for each in answer.not_played)]), [], False


def block(mail: dict[str, Any], table: Table) -> list[str]:
    """What stands in the block of a mail, which may wait for a yes whatever is said beside it."""
    _, _, inside = (mail.get("text") or "").partition("[move]")
    lines = inside.partition("[/move]")[0].split("\n")
    return canonical(table, [line for line in lines if line and "{ply}" not in line])


def canonical(table: Table, order: Any) -> list[str]:
    game = table.now.game
    found = []
    for text in order:
        try:
            found.append(game.notate(game.parse(text).move))
        except Refused:
            found.append(text)
    return found


@pytest.mark.parametrize(("strange", "share"), [(False, 0.84), (True, 0.93)])
def test_nothing_is_misread_and_most_is_read_or_rightly_proposed(
    strange: bool, share: float, tables: dict[str, Table]
) -> None:
    came: Counter[str] = Counter()
    wrong = []
    mails = [mail for mail in MAILS if mail["id"].startswith("strange") == strange]
    for mail in mails:
        table, means = tables[mail["position"]], mail["means"]
        played, proposed, sure = came_of(mail, table)
        kind, meant = (means, []) if isinstance(means, str) else next(iter(means.items()))
        meant = canonical(table, meant)
        if played and (kind in ("asks", "none") or played != meant):
            wrong.append((mail["id"], "played", played))
        # A block, or whole moves beside words that nobody knows, may wait for a yes.
        known = [[block(mail, table)], mail.get("waits")]
        if kind == "none" and sure and proposed not in known:
            wrong.append((mail["id"], "proposed", proposed))
        if sure and kind not in ("asks", "none") and meant not in proposed:
            wrong.append((mail["id"], "proposed", proposed))
        right = played == meant or meant in proposed or kind == "asks"
        came["as meant" if right else "asked"] += 1
    print(dict(came))
    assert wrong == [], wrong[:3]
    assert came["as meant"] >= share * len(mails)
