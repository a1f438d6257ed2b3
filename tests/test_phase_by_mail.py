"""A phase of seven players by mail: sealed answers are no news to others until they are opened."""

from __future__ import annotations

import random
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import Room, mail, pbem
from kills import remains
from long import many
from outside import brought
from postroom import Post, text
from test_crash import again
from test_mailroom_crash import arguments

SEATS = ("austria", "england", "france", "germany", "italy", "russia", "turkey")
ADDRESSES = {seat: f"{seat}@example.org" for seat in SEATS}
ORDERS = {
    "austria": "a1 holds; b1 backs c1",
    "england": "c1-b1; d1 holds",
    "france": "a2 backs a3; b2 backs b3",
    "germany": "c2-c3; d2 backs c3",
    "italy": "a3-a4; b3 holds",
    "russia": "c3-c4; d3-d4",
    "turkey": "a4-a3; b4 backs a3",
}


@pytest.fixture(autouse=True)
def installed() -> Iterator[None]:
    with brought(Path(__file__).parent / "orders_game"):
        yield


def begun(post: Post, *more: object) -> Room:
    """A match of seven, of which all know."""
    seats = [part for s in SEATS for part in ("--seat", f"{s}={s.title()} <{ADDRESSES[s]}>")]
    done = pbem("new", "skerries", *seats, "--match", "m", "--dir", post.matches, *more)
    assert done.code == 0, done.printed
    post.run()
    return Room(post.matches / "m.pbem.yaml")


@pytest.fixture
def post(tmp_path: Path) -> Post:
    return Post(tmp_path)


class Written:
    """What a run has written since the last look, by address."""

    def __init__(self, post: Post) -> None:
        self.post, self.seen = post, set(post.answers())

    def __call__(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name, message in self.post.answers().items():
            if name not in self.seen:
                self.seen.add(name)
                found.setdefault(message["To"], []).append(
                    message["Subject"] + "\n" + text(message)
                )
        return found


def answer(seat: str, orders: str, count: int = 1) -> bytes:
    identity = f"<{seat}.{count}@example.org>"
    text = f"[move]\n{orders}\n[/move]"
    return mail(text, sender=ADDRESSES[seat], identity=identity, subject="[m #0] orders")


@pytest.mark.parametrize("seed", range(many(1, 4)))
def test_in_any_order_of_arrival_each_gets_an_answer_and_the_results(post: Post, seed: int) -> None:
    room = begun(post)
    new, count = Written(post), Counter[str]()
    order = random.Random(seed).sample(SEATS, len(SEATS))
    for nth, seat in enumerate(order, 1):
        post.comes(answer(seat, f"{ORDERS[seat]}; done"))
        assert post.run() == ["accepted"]
        mails = new()
        count.update({address: len(texts) for address, texts in mails.items()})
        if nth < len(SEATS):
            assert list(mails) == [ADDRESSES[seat]], "only who has sent it gets a mail"
    assert sum(count.values()) <= 2 * len(SEATS)
    for texts in mails.values():
        [told] = texts
        assert "Germany sails from c2 to c3." in told
        assert "Russia's boat at c3 is to sail to c4." in told
        assert "sends an order" not in told or told.count("sends an order") == 2, "only their own"
    assert pbem("verify", room.log, "--key", room.desk).code == 0
    assert pbem("verify", room.log).code == 0
    assert new() == {}
    assert post.run() == []


def test_all_at_once_are_told_in_fourteen_mails(post: Post) -> None:
    begun(post)
    new = Written(post)
    for seat in SEATS:
        post.comes(answer(seat, f"{ORDERS[seat]}; done"))
    assert post.run() == ["accepted"] * 7
    assert sum(map(len, new().values())) <= 2 * len(SEATS)


@pytest.mark.parametrize(("order", "each"), [("simultaneous", 1), ("open", 4)])
def test_who_announces_in_secret_is_answered_alone_until_all_have(
    post: Post, order: str, each: int
) -> None:
    seats = SEATS[:4]
    given = [part for s in seats for part in ("--seat", f"{s}={s.title()} <{ADDRESSES[s]}>")]
    chosen = ("-o", "announce=true", "-o", f"announce_order={order}")
    pbem("new", "kanaloa-piatnik", *given, *chosen, "--match", "m", "--dir", post.matches)
    post.run()
    new = Written(post)
    for nth, seat in enumerate(seats, 1):
        word = "announce" if nth == 2 else "no announce"
        post.comes(mail(word, sender=ADDRESSES[seat], identity=f"<{seat}@e>", subject="[m] go"))
        assert post.run() == ["accepted"]
        mails = new()
        assert len(mails) == (4 if nth == len(seats) else each)
        assert ADDRESSES[seat] in mails
    for told in mails.values():
        assert f"{seats[1].title()} announces no trick" in "".join(told) or order == "open"


def plain(told: str) -> str:
    """Without what tells how many plies there are: numbers and fingerprints."""
    return re.sub(r"#\d+ [0-9a-f]{4,}|\b\d+\b", "#", told)


def told_others(folder: Path, amended: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> str:
    """All that goes to others than England while it orders, amends and waits, and what the public
    is shown."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")
    post = Post(folder)
    room = begun(post, "--turn", 2, "--remind", 1, "--grace", 1, "--zone", "UTC")
    new = Written(post)
    post.comes(answer("england", "c1-b1; d1 backs b1; done"), at=1790000100)
    for count, orders in enumerate(amended, 2):
        post.comes(answer("england", orders, count), at=1790000100 + count)
    post.comes(answer("france", "done"), at=1790000200)
    board = mail("board", sender=ADDRESSES["italy"], identity="<b@e>", subject="[m] board")
    post.comes(board, at=1790000300)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790001000")
    post.run()
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(1790000000 + 86400 + 50000))
    post.run("--yes")
    mails = new()
    assert len(mails[ADDRESSES["italy"]]) == 2, "the board, and a reminder"
    own = mails.pop(ADDRESSES["england"])
    assert len(own) == 1 + len(amended)
    assert "c1-b1" in own[0]
    shown = pbem("show", room.log)
    every = plain("".join(f"{to}{told}" for to in sorted(mails) for told in mails[to]) + shown.out)
    for ordered in ("c1-b1", "d1 backs b1", "c1-c2", "England sends", "boat at c1"):
        assert ordered not in every
    return every


def test_nobody_learns_that_somebody_amended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    once = told_others(tmp_path / "once", (), monkeypatch)
    assert told_others(tmp_path / "again", ("c1-c2", "d1-d2; c1 holds"), monkeypatch) == once
    assert told_others(tmp_path / "more", ("c1-c2; c1-b1; c1-c2; c1-b1",), monkeypatch) == once


def test_of_sealed_answers_that_are_taken_back_others_hear_no_move(post: Post) -> None:
    room = begun(post)
    post.comes(answer("england", "c1-b1; done"))
    post.comes(answer("france", "a2 holds; done"))
    assert post.run() == ["accepted"] * 2
    new = Written(post)
    rule = ("rule", room.log, "takeback", "--reason", "sent for another match")
    assert pbem(*rule, "--to", 2).code == 0
    assert pbem(*rule, "--to", 1).code == 0
    post.run()
    mails = new()
    assert len(mails) == len(SEATS)
    for seat in SEATS:
        [told] = mails[ADDRESSES[seat]]
        assert "takes back" in told
        assert "(taken back)" not in told


def test_who_lapses_is_told_alone_and_all_are_told_what_came_of_it(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")
    room = begun(
        post, "--turn", 2, "--remind", 0, "--grace", 1, "--zone", "UTC", "--silence", "default"
    )
    new = Written(post)
    for seat in SEATS[:5]:
        post.comes(answer(seat, f"{ORDERS[seat]}; done"), at=1790000100)
    day = 86400
    for days in range(1, 12):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", str(1790000000 + days * day))
        post.run("--yes")
        if room.read().plies[-1][0].seat == "house":
            break
    mails = new()
    assert {address: len(texts) for address, texts in mails.items()} == dict.fromkeys(
        ADDRESSES.values(), 2
    )
    for seat in SEATS:
        first, last = sorted(mails[ADDRESSES[seat]], key=lambda told: int(told[4:6]))
        assert ("You are late" in first) is (seat in SEATS[5:])
        assert "a3 is to sail to a4" in last
        assert "Russia missed the deadline; this move is played instead." in last
        told = " ".join(last.split())
        assert "Austria, England, France, Germany, Italy, Russia and Turkey, by" in told, "one line"
    assert pbem("verify", room.log).code == 0


@pytest.mark.posix
def test_killed_at_any_instant_of_the_opening_everybody_is_told_once(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    post = Post(kept)
    begun(post)
    for seat in SEATS[:5]:
        post.comes(answer(seat, f"{ORDERS[seat]}; done"))
    assert post.run() == ["accepted"] * 5
    before = set(post.answers())
    for seat in SEATS[5:]:
        post.comes(answer(seat, f"{ORDERS[seat]}; done"))
    place = tmp_path / "place"
    shutil.copytree(kept, place)

    def run() -> object:
        return pbem(*arguments(place))

    def written() -> dict[str, bytes]:
        return {f.name: f.read_bytes() for f in (place / "outbox").rglob("*.eml")}

    run()
    wanted = written()
    assert len(wanted) - len(before) <= 9
    numbers = []
    for number in remains(run, lambda: again(kept, place), place, each=many(14, 7)):
        assert pbem(*arguments(place)).code == 0, number
        assert written() == wanted, number
        numbers.append(number)
    assert len(numbers) > 5
