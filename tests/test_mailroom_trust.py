"""Nothing is said, counted or remembered before it is known who wrote a mail; and nothing a
moderator who plays may read on the way tells what others hold."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

import pytest
from commands import ANA, BEN, Room, dealt, mail, pbem
from postroom import EVE, VOUCHED, Post, forget_mails, noted, plies, strict, text
from strange import require_sound

from pbem.desk import address
from pbem.mailroom import letters
from pbem.mailroom.outbox.message import OutgoingMail
from pbem.play import games
from pbem.play import judge as play
from pbem.problem import Problem
from pbem.report.html import Alternative


@pytest.fixture
def post(tmp_path: Path) -> Post:
    return Post(tmp_path)


@pytest.fixture
def room(post: Post) -> Room:
    """A match of Kahuna with white (Ana) to move."""
    return dealt(post.matches)


@pytest.fixture
def toy(post: Post, monkeypatch: pytest.MonkeyPatch) -> Iterator[Room]:
    """A match of the game of vetoes: what ann sends may have to wait for bob."""
    monkeypatch.setitem(games.OWN, "toy", "toy")
    return dealt(post.matches, "toy", ("ann", "bob"))


TAKEBACK = ("takeback", "--to", "9", "--reason", "asked", "--revealed")


def journal(post: Post) -> list[dict[str, Any]]:
    return noted(post.matches)


# ------------------------------------------------------------------------ copies and forgeries


def test_an_unproven_copy_neither_makes_the_proven_mail_seen_nor_comes_after_it(
    post: Post, room: Room
) -> None:
    strict(room)
    order = mail("DUDA-BARI")
    post.comes(order)
    post.comes(VOUCHED + order)
    post.comes(b"Received: by eve\n" + order)
    post.comes(VOUCHED + order)
    assert post.run() == ["unproven", "accepted", "seen", "seen"]
    assert plies(room) == ["DUDA-BARI"]
    assert len(post.to(ANA, "answer")) == 1
    assert len(post.to(ANA, "notice")) == 1


def test_a_forged_mail_with_a_later_date_overtakes_nothing(post: Post, room: Room) -> None:
    strict(room)
    date = b"Date: Thu, 28 May 2026 1%d:00:00 +0200\n"
    post.comes(date % 9 + mail("KAHU-COCO", identity="<2@e>"))
    post.comes(VOUCHED + date % 1 + mail("DUDA-BARI"))
    assert post.run() == ["unproven", "accepted"]


def test_forged_mails_and_strangers_share_one_quota_and_silence_no_player(
    post: Post, room: Room
) -> None:
    strict(room)
    for number in range(3):
        post.comes(mail("draw", identity=f"<forged{number}@e>"))
        post.comes(mail("draw", sender=f"eve{number}@elsewhere.example", identity=f"<{number}@e>"))
    for number in range(3):
        post.comes(VOUCHED + mail(f"nonsense {number}", identity=f"<own{number}@e>"))
    verdicts = post.run("--refusals", "2")
    assert verdicts == ["unproven", "stranger"] * 3 + ["refused"] * 3
    assert len(post.to(ANA, "notice")) == 1
    assert len([name for name in post.answers() if name.endswith("notice.eml")]) == 2
    assert len(post.to(ANA, "refusal")) == 2
    assert sum("mails of strangers were answered today" in why for why in post.aside()) == 4
    assert sum("mails of this player were refused today" in why for why in post.aside()) == 1


def test_quotas_of_one_player_in_two_matches_are_two(post: Post) -> None:
    for name in ("one", "two"):
        dealt(post.matches, name=name)
        for number in range(2):
            order, subject = f"nonsense {number}", f"[{name} #9]"
            post.comes(mail(order, subject=subject, identity=f"<{name}{number}@e>"))
    assert post.run("--refusals", "1") == ["refused"] * 4
    assert len(post.to(ANA, "refusal")) == 2
    assert len(post.aside()) == 2


def test_the_matches_of_a_player_are_told_to_nobody_else(post: Post) -> None:
    for name in ("one", "two"):
        strict(dealt(post.matches, name=name))
    post.comes(mail("draw"))
    post.comes(VOUCHED + mail("draw", identity="<2@e>"))
    assert post.run() == ["unproven", "unclear"]
    forged, own = post.to(ANA, "notice")
    told = sorted((text(forged), text(own)), key=lambda each: "[one" in each)
    assert "[one" not in told[0]
    assert "#9" not in told[0]
    assert "[two #9 " in told[1].replace("\n", " ")


def test_a_code_for_withdrawing_counts_at_its_position_alone(post: Post, toy: Room) -> None:
    toy.desk.write_text(toy.desk.read_text().replace("addresses:", "policy: signed\naddresses:"))
    assert toy.says("ann", "build 1\nbuild 2\ndone").verdict == "accepted"

    def signed() -> bytes:
        key = toy.key_file("ann")
        done = pbem("sign", toy.log, "--key", key, stdin="withdraw")
        assert done.code == 0, done.printed
        return done.out.encode()

    old = signed()
    assert toy.says("bob", "allow").verdict == "accepted"
    assert toy.waiting() == {"ann": ("done",)}
    post.comes(mail(old.decode(), sender=ANA, identity="<old@e>"))
    with toy.unchanged():
        assert post.run() == ["stale"]

    post.comes(mail(signed().decode(), sender=ANA, identity="<new@e>"))
    assert post.run() == ["withdrawn"]
    assert toy.waiting() == {}


# ------------------------------------------------------------------------------- duplicates


def test_a_late_second_copy_does_nothing_even_when_the_outbox_is_empty(
    post: Post, room: Room
) -> None:
    order = mail("DUDA-BARI\ndraw")
    post.comes(order)
    post.run()
    room.says("black", "GOLA-COCO")
    assert pbem("rule", room.log, *TAKEBACK).code == 0
    post.run()
    for file in [*post.outbox.rglob("*.eml"), *post.outbox.rglob("*.json")]:
        file.unlink()
    post.comes(b"Received: by the club\nList-Id: <club.example>\n" + order)
    post.comes(order.replace(b"Subject: ", b"Subject: [club] "))  # another mail to the journal
    with room.unchanged():
        assert post.run() == ["seen", "seen"]
    assert post.answers() == {}


def test_without_its_journal_the_desk_writes_what_is_missing_and_nothing_else(
    post: Post, room: Room
) -> None:
    order = mail("DUDA-BARI\ndraw")
    post.comes(order)
    post.run()
    wanted = post.answers().keys()
    forget_mails(post.matches)
    [answer] = post.outbox.rglob("*.answer.eml")
    answer.unlink()
    post.comes(order.replace(b"Subject: ", b"Subject: [club] "))
    with room.unchanged():
        assert post.run() == ["accepted"]
    assert post.answers().keys() == wanted
    told = post.only(ANA)
    assert "Your move was accepted." in told
    assert "WHAT HAPPENED" not in told  # the account says that she knows


# ------------------------------------------------------------------------------ desk files


@pytest.mark.parametrize("subject", ["My move", "[m #9]", "[elsewhere #9]"])
def test_a_desk_file_unreadable_for_a_moment_makes_no_player_a_stranger(
    post: Post, room: Room, subject: str
) -> None:
    dealt(post.matches, name="other", seats=("white", "black"))
    kept = room.desk.read_text()
    room.desk.write_text(kept[: len(kept) // 2])
    raws = [mail("draw", subject=subject), mail("draw", sender=EVE, identity="<2@e>")]
    for raw in raws:
        post.comes(raw)
    done = post.desk()
    assert done.code == 75
    assert [json.loads(line)["verdict"] for line in done.out.splitlines()] == ["waits", "waits"]
    assert post.answers() == {}
    room.desk.write_text(kept)
    verdict = {"My move": "unclear", "[m #9]": "accepted", "[elsewhere #9]": "stranger"}[subject]
    assert post.run() == [verdict, "stranger"]


def test_a_mail_for_a_match_that_can_be_read_does_not_wait_for_another(post: Post) -> None:
    dealt(post.matches, name="one")
    dealt(post.matches, name="two").desk.unlink()
    post.comes(mail("draw", subject="[one #9]"))
    assert post.run() == ["accepted"]


# ------------------------------------------------------------- a moderator who plays is not told


def test_a_refusal_that_rests_on_a_hand_stands_in_the_daybook_alone(post: Post, room: Room) -> None:
    now = room.read()
    whites, blacks = (
        {now.game.notate(move) for move in play.legal_moves(now.game, state, "white")}
        for state in (now.state, now.state._replace(hands=now.state.hands[::-1]))
    )
    order = sorted(text_ for text_ in blacks - whites if "-" in text_)[0]
    post.comes(mail(order))
    post.comes(mail(f"[move]\n{order}", identity="<2@e>"))
    done = post.desk()
    told = [json.loads(line) for line in done.out.splitlines()]
    kept = journal(post)
    assert [each["verdict"] for each in told] == ["refused", "unreadable"]
    for each in kept:
        assert each["why"]
        assert each["why"] not in done.printed
    for each in told:
        assert each["why"] == f"the reason stands in {post.matches}/.mailroom/daybook.jsonl"


def test_what_is_withdrawn_is_not_printed(post: Post, toy: Room) -> None:
    post.comes(mail("build 1\nbuild 2\ndone"))
    post.comes(mail("withdraw", identity="<2@e>"))
    done = post.desk()
    assert "withdrawn" in done.out
    assert "build 2" not in done.printed
    assert "build 2" in journal(post)[1]["why"]


PLAN = "[move]\nnext: draw\n[/move]"


@pytest.mark.parametrize("own", [[PLAN], ["plans"], [PLAN, "withdraw 1"]])
def test_whose_plans_come_in_is_told_nowhere(post: Post, room: Room, own: list[str]) -> None:
    for nth, said in enumerate(own):
        post.comes(mail(said, sender=BEN, identity=f"<{nth}@e>"))
    before = pbem("status", post.matches, "--json").out
    printed = post.desk().out
    assert '"waiting"' in printed
    assert pbem("status", post.matches, "--json").out == before
    for name in ("black", BEN, "Ben", '"m"'):
        assert name not in f"{printed}{json.dumps(journal(post))}"


def test_on_a_terminal_a_plan_looks_like_any_other_wish(post: Post, room: Room) -> None:
    for nth, said in enumerate([PLAN, "withdraw 1", "board", "plans"]):
        post.comes(mail(said, sender=BEN, identity=f"<{nth}@e>"))
    places = ("--mail", post.box, "--matches", post.matches, "--outbox", post.outbox)
    done = pbem("desk", "run", *places, "--address", "desk@games.example", "--once")
    assert len(done.out.splitlines()) == 4
    assert len(set(done.out.splitlines())) == 1


def test_an_order_older_than_a_plan_is_overtaken_all_the_same(post: Post, room: Room) -> None:
    for hour, said in ((10, PLAN), (9, "draw")):
        date = f"Date: Thu, 28 May 2026 {hour:02}:00:00 +0000\n".encode()
        post.comes(date + mail(said, sender=BEN, identity=f"<{hour}@e>"))
    assert post.run() == ["waiting", "overtaken"]


# --------------------------------------------------------------------- answers that go wrong


def outgoing(**other: object) -> OutgoingMail:
    """A mail of the desk's."""
    values = {
        "name": "m.0009.5989.white.report",
        "private": False,
        "match": "m",
        "to": address.read(ANA),
        "sender": address.read("desk@games.example"),
        "subject": "[m #9 5989] Ana to move",
        "text": "A board.\n",
        "date": "Mon, 21 Sep 2026 14:13:20 +0000",
    }
    return OutgoingMail(**{**values, **other})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "other",
    [
        {"subject": "x\r\nBcc: eve@evil.example"},
        {"subject": "x\nBcc: eve@evil.example"},
        {"subject": "x\rBcc: eve@evil.example"},
        {"subject": "x\r\n\r\nplayed"},
        {"to": "ana@example.org\r\nBcc: eve@evil.example"},
        {"answers": "<a@b>\r\nBcc: eve@evil.example"},
        {"references": ("<a@b>", "<c@d>\r\nBcc: eve@evil.example")},
        {"references": ("x" * 1000,)},
        {"name": 'm"\r\nBcc: eve@evil.example'},
        {"html": Alternative("a lone \r return")},
        {"html": Alternative("a page", b"a picture", "a>\r\nBcc: eve@evil.example")},
        {"html": Alternative("a page", b"a picture", "not ASCII: ä")},
        {"date": "today\n\nplayed"},
        {"text": "a lone \r return\n"},
        {"text": "a NUL \0\n" + "\udcff"},
    ],
)
def test_what_would_not_be_read_as_it_was_meant_is_not_written(other: dict[str, object]) -> None:
    outgoing().encoded()
    with pytest.raises((Problem, UnicodeEncodeError)):
        outgoing(**other).encoded()


@pytest.mark.parametrize(
    "other",
    [
        {"subject": "Näxt: Änä and =?utf-8?q?x?= to move"},
        {"subject": "=?utf-8?q?x=0D=0ABcc:_eve=40x.example?= to move"},
        {"subject": "x" * 200},
        {"subject": "\N{HIRAGANA LETTER A}" * 200},
        {"text": "--=_either\n\n--=_either--\n", "html": Alternative("--=_either--\n\n--=_with\n")},
        {"html": Alternative('"cid:1@pbem" --=_with--\n', b"\x89PNG\r\n--=_with--\r\n", "1@pbem")},
        {"html": Alternative("a NUL \0 and " + "x" * 5000)},
        {"text": ".\n..\nFrom here\n>From\n=3D=\n=20\n\n\n"},
        {"text": "trailing  kept?\nÄ" + "ö" * 71 + "\n"},
        {"references": tuple(f"<{'r' * 240}.{n}@e>" for n in range(12)), "answers": "<a@b>"},
    ],
)
def test_what_looks_dangerous_but_is_only_text_arrives_as_text(other: dict[str, object]) -> None:
    mail_ = outgoing(**other)
    require_sound(mail_.encoded(), ANA)
    message = message_from_bytes(mail_.encoded(), policy=policy.default)
    assert message["Subject"] == mail_.subject
    assert text(message) == mail_.text


def test_an_answer_that_cannot_be_written_costs_neither_the_order_nor_the_others(
    post: Post, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoded = OutgoingMail.encoded

    def faulty(self: OutgoingMail) -> bytes:
        if self.to == BEN:
            raise Problem("the answer {name} would not be read as it was meant", name=self.name)
        return encoded(self)

    monkeypatch.setattr(OutgoingMail, "encoded", faulty)
    post.comes(mail("DUDA-BARI\ndraw"))
    post.comes(mail("draw", sender=BEN, identity="<2@e>"))
    done = post.desk()
    assert done.code == 75
    assert [json.loads(line)["verdict"] for line in done.out.splitlines()] == ["accepted"] * 2
    assert "not everybody could be told what is new" in done.err
    assert len(post.to(ANA)) == 2
    assert post.to(BEN) == []
    [why] = post.aside()
    assert "`pbem show` prints what is public" in why
    assert pbem("status", post.matches, "--json").json["matches"][0]["unanswered"] == 2
    monkeypatch.undo()
    assert post.run() == []
    assert len(post.to(ANA)) == 2
    assert len(post.to(BEN)) == 1
    assert pbem("status", post.matches, "--json").json["matches"][0]["unanswered"] == 1


def test_an_order_whose_answers_fail_stands_and_is_not_tried_again(
    post: Post, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    def faulty(*_: object, **__: object) -> None:
        raise RecursionError("a report without end")

    monkeypatch.setattr(letters, "mail", faulty)
    post.comes(mail("DUDA-BARI"))
    done = post.desk()
    assert done.json["verdict"] == "accepted"
    assert (done.code, done.err.count("RecursionError")) == (75, 2)  # neither could be told
    assert plies(room) == ["DUDA-BARI"]
    [why] = post.aside()
    assert "RecursionError" in why
    monkeypatch.undo()
    assert post.run() == []
    assert len(post.to(ANA, "news")) == len(post.to(BEN, "news")) == 1


def test_mails_wait_while_the_desk_file_holds_another_secret(post: Post, room: Room) -> None:
    right = room.desk.read_text()
    room.desk.write_text(right.replace("0001020", "1111111"))
    post.comes(mail("DUDA-BARI"))
    done = post.desk()
    assert (done.code, json.loads(done.out)["verdict"]) == (75, "waits")
    assert post.answers() == {}
    room.desk.write_text(right)
    assert post.run() == ["accepted"]


def test_a_disk_that_is_full_leaves_no_half_letter_behind(
    post: Post, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    post.comes(mail("DUDA-BARI"))
    with monkeypatch.context() as broken:
        broken.setattr(os, "replace", raising := Refuses(post.outbox))
        assert post.desk().code == 73
    assert raising.asked
    assert list(post.outbox.rglob("*.tmp")) == []
    post.run()
    assert post.to(ANA)


class Refuses:
    """Renames nothing into a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.asked, self.put = folder, 0, os.replace

    def __call__(self, one: str, other: str) -> None:
        if str(other).startswith(str(self.folder)):
            self.asked += 1
            raise OSError(28, "No space left on device")
        self.put(one, other)


def test_a_disk_that_is_full_makes_the_mail_wait(
    post: Post, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr(letters, "mail", full)
        post.comes(mail("DUDA-BARI"))
        done = post.desk()
        assert done.code == 75
        assert json.loads(done.out)["verdict"] == "waits"
    assert post.run() == ["accepted"]
    assert len(post.to(ANA, "answer")) == 1


def test_an_order_for_a_match_that_wants_more_proof_is_not_played_in_one_that_wants_less(
    post: Post, room: Room
) -> None:
    other = dealt(post.matches, name="other")
    strict(other)
    post.comes(mail("draw"))
    post.comes(mail("[move]\nmatch: m\ndraw\n[/move]", identity="<2@e>"))
    assert post.run() == ["unclear", "accepted"]
    assert "#9" in post.only(ANA, ".notice")
    assert "other" not in post.only(ANA, ".notice")
    assert (plies(room), plies(other)) == (["draw"], [])
