"""What a mail means: cases of tests/cases/reading, each handed in to a real desk.

A file holds groups: `kind`, and then fields that hold for each of its `mails` unless the mail has
its own. `PBEM_CASES` names another folder of such files.

    language, at      the position in positions.yaml
    frames            what the words are set into, one case for each; `bare` if left out. They take
                      turns: only in a long run is each mail set into each
    mail              the words; a mail that is only text is that
    subject, html, replies, writer    more of the mail
    means             what must become of it (see MEANINGS)
    order             what is played or offered; the position's own if left out
    never             moves that are neither played nor offered
    offers            what is offered, if it is known exactly
    tells             what the answer says, such as the rule that a move breaks
    not_alone         moves that are neither played nor what a bare yes plays, but may be one of two
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from email.message import EmailMessage
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml
from commands import SECRET, Room, at
from long import many
from PIL import Image
from postroom import Post, text

from pbem import intake
from pbem.desk import begin
from pbem.desk.append import append_ply, play_chance
from pbem.desk.bench import bench
from pbem.desk.file import Desk
from pbem.desk.form import Given
from pbem.desk.plans.model import Plan, Yes
from pbem.desk.plans.run import waiting_now
from pbem.desk.seats import Player
from pbem.desk.submit import submit
from pbem.log.entries import Ply
from pbem.pictures import png
from pbem.play import judge
from pbem.problem import Problem
from pbem.report import html

OWN = Path(__file__).parent / "cases" / "reading"
FOLDER = Path(os.environ.get("PBEM_CASES", OWN))
PLAYED, HELD, ASKED, PERSON, WAITS = "played", "held", "asked", "person", "waits"
MEANINGS = {
    "played": {PLAYED},
    "held": {HELD},
    "asked": {ASKED},
    "person": {PERSON},
    "waits": {WAITS},
    "held-or-played": {HELD, PLAYED},
    "held-or-asked": {HELD, ASKED},
    "asked-or-person": {ASKED, PERSON},
    "not-held": {PLAYED, ASKED, PERSON},
    "unplayed": {HELD, ASKED, PERSON, WAITS},
}
"""What may become of a mail: its order is `played`; or offered, and a yes plays it (`held`); or
nothing that a bare yes would play is offered (`asked`); or it goes to a person, or to the other
player (`person`); or it is kept for its time (`waits`)."""


def clock() -> str:
    """When the matches begin: before the first mail."""
    return "2026-05-01T12:00:00Z"


@cache
def book() -> Any:
    return yaml.load((OWN / "positions.yaml").read_text("utf-8"), yaml.CSafeLoader)


@dataclass(frozen=True)
class Case:
    name: str
    at: str
    mail: str
    means: str
    order: tuple[str, ...]
    never: tuple[str, ...] = ()
    not_alone: tuple[str, ...] = ()
    offers: tuple[tuple[str, ...], ...] = ()
    subject: str = "Re: your turn"
    html: str = ""
    replies: bool = False
    writer: str = ""
    tells: str = ""


def cases() -> Iterator[Case]:
    for file in sorted(FOLDER.glob("*.yaml")):
        if file.name != "positions.yaml":
            for group in yaml.load(file.read_text("utf-8"), yaml.CSafeLoader):
                yield from of_group(file.stem, group)


def of_group(kind: str, group: dict[str, Any]) -> Iterator[Case]:
    shared = {key: value for key, value in group.items() if key != "mails"}
    for nth, one in enumerate(group["mails"], 1):
        given = {**shared, **(one if isinstance(one, dict) else {"mail": one})}
        place = book()["positions"][given.get("at", "kahuna")]
        order = tuple(given.get("order", place["order"]))
        lines = "\n".join(given.get("lines", order))
        given["mail"] = given["mail"].rstrip("\n")
        frames = given.get("frames", ["bare"])
        for frame in frames[nth % many(len(frames), 1) :: many(len(frames), 1)]:
            framed = book()["frames"][frame]
            more = {
                k: given[k] for k in ("subject", "html", "replies", "writer", "tells") if k in given
            }
            yield Case(
                f"{kind}/{group['id']}-{group['language']}-{nth}"
                + (f"-{frame}" if frame != "bare" else ""),
                given.get("at", "kahuna"),
                framed.replace("{lines}", lines).replace("{mail}", given["mail"]) + "\n",
                given["means"],
                order,
                tuple(given.get("never", ())),
                tuple(given.get("not_alone", ())),
                tuple(map(tuple, given.get("offers", ()))),
                **more,
            )


CASES = list(cases())


class Set(NamedTuple):
    """A position as it lies on the disk."""

    log: bytes
    desk: bytes
    entries: int


@pytest.fixture(autouse=True)
def unpainted(monkeypatch: pytest.MonkeyPatch) -> None:
    """No pictures, no HTML: they take longer than all the rest, and no mail is read by them."""
    dot = io.BytesIO()
    Image.new("RGB", (1, 1)).save(dot, "PNG")
    monkeypatch.setattr(png, "painted", lambda *_, **__: dot.getvalue())
    monkeypatch.setattr(html, "alternative", lambda *_: None)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Gives each position, set up when it is first asked for."""
    folder = tmp_path_factory.mktemp("positions")

    @cache
    def lay(name: str) -> Set:
        return set_up(folder / name, book()["positions"][name])

    return lay


def set_up(folder: Path, place: dict[str, Any]) -> Set:
    folder.mkdir()
    players = {
        seat: Player(who, (f"{who.lower()}@example.org",)) for seat, who in place["players"].items()
    }
    now, desk = begin.begin(
        begin.Terms(
            place["game"],
            players,
            name="m",
            folder=str(folder),
            options=place.get("options", {}),
            position=Given("positions.yaml", place["view"], None, {}),
        ),
        secret=SECRET,
        clock=clock,
    )
    for ply in place.get("plies", ()):
        seat, _, move = ply.partition(": ")
        meant = judge.resolve(now.game, now.state, seat, now.game.parse(move))
        step = judge.judge(now.game, now.state, seat, meant)
        now = play_chance(append_ply(now, desk, step, clock, ""), desk, clock)
    begin.write(now, desk)
    room = Room(Path(now.log.path))
    if asked := tuple(map(tuple, place.get("asked", ()))):
        with bench(str(room.log), at(clock), plays=False) as at_work:
            seat = at_work.match.awaited[0]
            question = Plan(seat, asked, given=at_work.match.log.chain, yes=Yes())
            at_work.waits = at_work.waits.asking(seat, question)
    return Set(room.log.read_bytes(), room.desk.read_bytes(), len(now.log.entries))


def written(case: Case) -> bytes:
    """The mail of a case."""
    writer = writer_of(case)
    message = EmailMessage()
    message["From"] = f"{writer} <{writer.lower()}@example.org>"
    message["To"] = "desk@games.example"
    message["Subject"] = case.subject
    message["Message-ID"] = "<1@example.org>"
    if case.replies:
        message["In-Reply-To"] = "<desk.1@games.example>"
    if case.html:
        message.set_content(case.html, subtype="html")
    else:
        message.set_content(case.mail)
    return message.as_bytes()


class Came(NamedTuple):
    """What became of a mail: one of MEANINGS' words, what was played and is offered now, and what
    its writer was told."""

    of_it: str
    played: tuple[str, ...]
    offered: tuple[tuple[str, ...], ...]
    told: str


def came_of(case: Case, place: Set, folder: Path) -> Came:
    """Hand a mail in: to `submit`, which is quicker, and through a mailbox unless what came of it
    there is right. What `submit` refuses the mailroom may pass on to a person."""
    post = Post(folder)
    room = Room(post.matches / "m.pbem.yaml")
    lay(room, place)
    with suppress(Problem):
        verdict = submit(str(room.log), intake.read(written(case), "m.eml"), at(clock)).verdict
        came = as_it_lies(case, room, place, verdict)
        settled = came.of_it in (PLAYED, HELD) or case.means == "unplayed"
        if (settled and not wrong(case, came)) or came.of_it == PLAYED:
            return came
    lay(room, place)
    post.comes(written(case))
    [handling] = post.told()
    came = as_it_lies(case, room, place, handling["verdict"])
    mails = [text(each) for each in post.to(f"{writer_of(case).lower()}@example.org")]
    return came._replace(told=" ".join(f"{handling['verdict']}: {' '.join(mails)}".split()))


def as_it_lies(case: Case, room: Room, place: Set, verdict: str) -> Came:
    """What became of a mail, by the verdict on it and the files of its match."""
    now, seat = room.read(), seat_of(case)
    entries = now.log.entries[place.entries :]
    moves = tuple(each.move for each in entries if isinstance(each, Ply) and each.seat == seat)
    asked = waiting_now(now, Desk.read(str(room.log))).asked(seat)
    offered = asked.orders if asked else ()
    held = asked is not None and not asked.by_number
    return Came(outcome(verdict, moves, held=held), moves, offered, verdict)


def lay(room: Room, place: Set) -> None:
    room.log.write_bytes(place.log)
    room.desk.write_bytes(place.desk)
    room.desk.chmod(0o600)


def outcome(verdict: str, moves: tuple[str, ...], *, held: bool) -> str:
    if moves:
        return PLAYED
    if verdict in ("passed-on", "asked", "said", "absent", "accepted"):
        return PERSON
    if verdict in ("waiting", "withdrawn"):
        return WAITS
    return HELD if held else ASKED


def seat_of(case: Case) -> str:
    players = book()["positions"][case.at]["players"]
    return next(str(seat) for seat, who in players.items() if who == writer_of(case))


def writer_of(case: Case) -> str:
    return case.writer or str(book()["positions"][case.at]["writer"])


def wrong(case: Case, came: Came) -> str:
    """What is wrong with what became of a mail; "" if nothing is."""
    if came.of_it not in MEANINGS[case.means]:
        return f"{came.of_it} instead of {case.means}"
    if came.of_it == PLAYED and came.played != case.order:
        return "another order was played"
    sure = case.means in ("held", "held-or-played", "held-or-asked")
    if came.of_it == HELD and sure and came.offered != (case.order,):
        return "another order was offered"
    if case.offers and came.offered != case.offers:
        return "other orders were offered"
    if case.tells not in came.told:
        return f"it does not say {case.tells}"
    named = {move for order in (came.played, *came.offered) for move in order}
    unwanted = {*case.never, *(case.not_alone if came.of_it in (PLAYED, HELD) else ())}
    if bad := named & unwanted:
        return f"{', '.join(sorted(bad))} was played or offered"
    return ""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_mail_comes_to_what_its_writer_means(case: Case, table: Any, tmp_path: Path) -> None:
    came = came_of(case, table(case.at), tmp_path)
    assert not (why := wrong(case, came)), f"{why}\n{case.mail}\n{came}"


def test_cases_have_names_of_their_own_and_are_plenty() -> None:
    names = [case.name for case in CASES]
    assert len(names) == len(set(names))
    assert len(names) >= (600 if FOLDER == OWN else 250)
