"""Who has been told what: whoever entered something, each person is sent it once, in one mail."""

from __future__ import annotations

import json
import re
import shutil
import stat
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from commands import ANA, BEN, Done, Room, dealt, mail, pbem
from kills import remains
from long import many
from postroom import EVE, Post, noted, text, unmarked
from test_crash import again

from pbem.files.timestamp import now as clock
from pbem.log.entries import Ply
from pbem.log.format import Log
from pbem.log.match import Replay
from pbem.mailroom import daybook, letters
from pbem.mailroom.daybook import NOTHING, Daybook, Planned, Wrote
from pbem.mailroom.outbox.message import OutgoingMail, fitted
from pbem.problem import BadFile
from pbem.report import compose

CARA = "cara@example.org"


@pytest.fixture
def post(tmp_path: Path) -> Post:
    return Post(tmp_path)


@pytest.fixture
def room(post: Post) -> Room:
    """A match of Kahuna whose players know all there is."""
    room = dealt(post.matches)
    assert post.run() == []
    assert post.answers() == {}
    return room


def begun(post: Post, *more: object) -> Room:
    """A match begun with the command."""
    seats = ("--seat", f"white=Ana <{ANA}>", "--seat", f"black=Ben <{BEN}>")
    named = ("--match", "m", "--dir", post.matches, "--letters", post.matches.parent / "letters")
    assert pbem("new", "kahuna", *seats, *named, *more).code == 0
    return Room(post.matches / "m.pbem.yaml")


def said(post: Post, who: str) -> list[str]:
    """The mails to somebody, each on one line."""
    return [" ".join(text(message).split()) for message in post.to(who)]


# ------------------------------------------------------------------ each way, told and not told


def ruled(*arguments: object) -> Callable[[Room, tuple[str, ...]], Done]:
    def rule(room: Room, more: tuple[str, ...]) -> Done:
        reason = () if arguments[0] == "note" else ("--reason", "as agreed")
        return pbem("rule", room.log, *arguments, *reason, *more)

    return rule


def submitted(room: Room, more: tuple[str, ...]) -> Done:
    return pbem("submit", room.log, "--from", "white", *more, stdin="draw")


def revealed(room: Room, more: tuple[str, ...]) -> Done:
    return pbem("reveal", room.log, *more)


BY_HAND = {
    "submit": ("", submitted, "10-11 Ana: draw"),
    "note": ("", ruled("note", "--text", "Merry Christmas"), "The moderator notes: Merry Christ"),
    "default": ("", ruled("default", "--seat", "white", "--move", "pass"), "Ana missed the deadl"),
    "takeback": ("draw", ruled("takeback", "--to", "9", "--revealed"), "takes back plies 10 to 11"),
    "substitute": (
        "",
        ruled("substitute", "--seat", "white", "--player", f"Cara <{CARA}>"),
        "Cara takes the seat white. Reason: as agreed",
    ),
    "resign": ("", ruled("resign", "--seat", "white"), "Ana resigns. Reason: as agreed"),
    "end": ("", ruled("end", "--winner", "white"), "The moderator ends the match: Ana wins."),
    "reopen": ("end", ruled("reopen"), "The moderator reopens the match."),
    "reveal": ("end", revealed, "The secret of the match is revealed"),
}


@pytest.mark.parametrize("told_by_hand", [False, True])
@pytest.mark.parametrize("way", BY_HAND)
def test_what_is_entered_by_hand_is_mailed_to_each_player_once(
    post: Post, room: Room, way: str, told_by_hand: bool
) -> None:
    before, do, sentence = BY_HAND[way]
    if before == "draw":
        room.says("white", "draw")
    elif before == "end":
        pbem("rule", room.log, "end", "--reason", "late")
    post.run()
    shutil.rmtree(post.outbox)
    done = do(room, ("--told",) * told_by_hand)
    assert done.code == 0, done.printed
    post.run()
    post.run()
    if told_by_hand:
        assert post.answers() == {}
        return
    players = [CARA if way == "substitute" else ANA, BEN]
    thanked = [ANA] * (way == "substitute")
    assert sorted(m["To"] for m in post.answers().values()) == sorted([*players, *thanked])
    for player in players:
        [news] = said(post, player)
        assert sentence in news
        assert news.count("WHERE THE MATCH STANDS") == 1


def test_a_move_by_mail_is_told_to_its_sender_at_once_and_to_the_other_after(
    post: Post, room: Room
) -> None:
    post.comes(mail("draw"))
    assert post.run() == ["accepted"]
    [answer], [news] = said(post, ANA), said(post, BEN)
    assert "Your move was accepted." in answer
    for each in (answer, news):
        assert "10-11 Ana: draw" in each
        assert each.count("WHERE THE MATCH STANDS") == 1
    post.run()
    assert len(post.answers()) == 2


@pytest.mark.parametrize("wants", ["mails each", "mails once", "mails daily 18:00"])
def test_a_stale_order_is_answered_with_the_news_in_one_mail(
    post: Post, room: Room, wants: str
) -> None:
    post.comes(mail(wants, identity="<0@e>"))
    post.comes(mail("draw", subject=f"[m {room.read().position}]"))
    subject = f"[m {room.read().position}]"
    assert post.run() == ["asked", "accepted"]
    room.says("black", "draw")
    post.run()
    room.says("white", "draw")
    room.says("black", "draw")
    shutil.rmtree(post.outbox)
    post.comes(mail("draw", subject=subject, identity="<2@e>"))
    assert post.run() == ["stale"]
    [told] = said(post, ANA)
    assert "This answers #9" in told
    for each in ("10-11 Ana: draw", "12-13 Ben: draw", "14-15 Ana: draw", "16-17 Ben: draw"):
        assert told.count(each) == 1
    assert post.run() == []
    assert len(post.to(ANA)) == 1
    assert len(post.to(BEN)) == 1


@pytest.mark.parametrize("way", ["told", "not told", "no addresses"])
def test_a_new_match_is_mailed_with_hand_and_key_unless_that_was_done(post: Post, way: str) -> None:
    if way == "no addresses":
        assert pbem(
            "new", "kahuna", "--seat", "white=A", "--seat", "black=B", "--dir", post.matches
        )
        assert not (post.matches / ".mailroom").exists()
        assert post.run() == []
        assert post.answers() == {}
        return
    room = begun(post, "--contact", "Cleo, 555-1234", *["--told"] * (way == "told"))
    assert post.run() == post.run() == []
    if way == "told":
        assert post.answers() == {}
        return
    [(name, to_ana)] = [each for each in post.answers().items() if each[1]["To"] == ANA]
    assert unmarked(name) == "private/m.0000-0009.white.news.eml"
    assert to_ana["Subject"].endswith("The match begins; Ana to move")
    [opening], [other] = said(post, ANA), said(post, BEN)
    assert "HOW THIS MATCH IS PLAYED" in opening
    assert "Cleo, 555-1234" in opening
    assert "?" not in opening.partition("Hand Ana: ")[2].partition(" Hand")[0]
    keys = {seat: room.key(seat).keys[0][2].hex() for seat in ("white", "black")}
    assert keys["white"] in opening
    assert keys["black"] in other
    assert keys["white"] not in other
    # What came by mail works as a key, however the mail was broken into lines.
    saved = room.write("saved.txt", text(to_ana))
    shown = pbem("show", room.log, "--key", saved)
    assert shown.out == pbem("show", room.log, "--as", "white").out


def test_the_first_mail_goes_to_the_first_address_even_in_answer_to_the_second(post: Post) -> None:
    room = begun(post)
    assert pbem("seat", room.log, "--seat", "white", "--address", ANA, "--address", EVE).code == 0
    post.comes(mail("draw", sender=EVE))
    assert post.run() == ["accepted"]
    assert post.to(EVE) == []
    [answer] = said(post, ANA)
    assert "Your move was accepted." in answer
    assert "pbem-key/1 m white" in answer
    post.comes(mail("pass", sender=BEN, identity="<2@e>"))
    post.comes(mail("#12\ndraw", sender=EVE, identity="<3@e>"))
    assert post.run() == ["accepted", "accepted"]
    assert "Your move was accepted." in said(post, EVE)[0]
    assert "pbem-key" not in "".join(said(post, EVE))


def test_several_events_are_one_mail_with_the_newest_board_once(post: Post, room: Room) -> None:
    pbem("rule", room.log, "note", "--text", "First")
    room.says("white", "draw")
    pbem("rule", room.log, "note", "--text", "Second")
    room.says("black", "GOLA-COCO")
    post.run()
    [told] = said(post, ANA)
    parts = ("notes: First", "10-11 Ana: draw", "notes: Second", "12 Ben: GOLA-COCO")
    assert sorted(parts, key=told.index) == list(parts)
    assert told.count("WHERE THE MATCH STANDS") == 1
    assert said(post, BEN) != [told]
    ply, mark = room.read().position
    assert [message["Subject"] for message in post.to(BEN)] == [f"[m #{ply} {mark}] Ben to move"]


def test_a_move_that_was_taken_back_before_anybody_heard_of_it_is_told_as_such(
    post: Post, room: Room
) -> None:
    room.says("white", "DUDA-BARI")
    pbem("rule", room.log, "takeback", "--to", "9", "--reason", "misread")
    post.run()
    [told] = said(post, BEN)
    assert "10 Ana: DUDA-BARI (taken back)" in told
    assert "The moderator takes back ply 10. Reason: misread" in told
    assert "Bridges Ana: none" in told


def test_who_moves_hears_the_news_in_the_answer_and_not_again(post: Post, room: Room) -> None:
    pbem("rule", room.log, "note", "--text", "Hurry up")
    post.comes(mail("draw"))
    post.comes(mail("draw", sender=BEN, identity="<2@e>"))
    assert post.run() == ["accepted", "accepted"]
    told = said(post, ANA)  # the answer, and Ben's move
    assert sorted(("Your move was" in each, "Hurry up" in each) for each in told) == [
        (False, False),
        (True, True),
    ]
    [own] = said(post, BEN)
    assert "Hurry up" in own
    assert "10-11 Ana: draw" in own
    assert "12-13 Ben: draw" in own


@pytest.mark.parametrize(
    ("wrote", "top"),
    [
        ("say: Good luck!", 'You said: "Good luck!".'),
        ("draw\nsay: Good luck!", "Your move was accepted."),
        ("draw\nto moderator: thanks", "Your mail was passed on to the moderator."),
        ("draw\nhelp", "Write your moves between [move] and [/move]"),
    ],
)
def test_who_asks_and_changes_the_log_gets_one_mail_with_the_news(
    post: Post, room: Room, wrote: str, top: str
) -> None:
    pbem("rule", room.log, "note", "--text", "Hurry up")
    post.comes(mail(wrote))
    post.run()
    post.run()
    [own] = said(post, ANA)
    parts = (top, "WHAT HAPPENED", "Hurry up", "WHERE THE MATCH STANDS", "FOR ANA ALONE")
    assert sorted(parts, key=own.index) == list(parts)
    assert ("Ana says: Good luck!" in own) == ("say:" in wrote)
    assert len(said(post, BEN)) == 1


REFUSED_FENCE = "[move]\nALOA-KAHU\n[/move]\n"


@pytest.mark.parametrize(
    ("wrote", "parts"),
    [
        (
            "board",
            (
                "Your move wasn't accepted.",
                "WHERE THE MATCH STANDS",
                "FOR ANA ALONE",
                "NEXT TO MOVE",
            ),
        ),
        ("status", ("Your move wasn't accepted.", "Your matches:", "It's your turn.", "[/move]")),
        ("help", ("Your move wasn't accepted.", "Write your moves between", "[/move]")),
        (
            "say: ha!",
            (
                "Your move wasn't accepted.",
                "What you say to others was not passed on either",
                "[/move]",
            ),
        ),
        (
            "say: ha!\nboard\nstatus",
            ("Your move wasn't accepted.", "It's your turn.", "not passed on", "FOR ANA ALONE"),
        ),
        ("takeback", ("holds an order and `takeback`", "Your move wasn't accepted.", "[/move]")),
        (
            "away until SUNDAY",
            (
                "Your move wasn't accepted.",
                "You are away from",
                "Ana is away from",
                "FOR ANA ALONE",
            ),
        ),
    ],
)
def test_what_is_asked_for_beside_a_refused_order_is_answered_in_the_refusal(
    post: Post, wrote: str, parts: tuple[str, ...]
) -> None:
    begun(post, "--turn", "3", "--zone", "UTC", "--told")
    sunday = date.fromisoformat(clock()[:10]) + timedelta(days=7)
    post.comes(mail(REFUSED_FENCE + wrote.replace("SUNDAY", f"{sunday}")))
    post.run()
    post.run()
    [own] = said(post, ANA)
    assert sorted(parts, key=own.index) == list(parts)
    assert own.count("WHERE THE MATCH STANDS") == own.count("Your move wasn't accepted.") == 1
    assert len(said(post, BEN)) == ("away" in wrote)


@pytest.mark.parametrize(
    "wrote", ["draw\nboard", "say: ha!\nboard", "board\nstatus", "board\nhelp"]
)
def test_a_board_comes_in_the_mail_that_answers_the_rest(
    post: Post, room: Room, wrote: str
) -> None:
    post.comes(mail(wrote))
    post.run()
    [own] = said(post, ANA)
    assert own.count("FOR ANA ALONE") == 1


def test_a_board_asked_for_from_a_second_address_goes_to_the_first_and_the_rest_does_not(
    post: Post, room: Room
) -> None:
    assert pbem("seat", room.log, "--seat", "white", "--address", ANA, "--address", EVE).code == 0
    post.comes(mail(REFUSED_FENCE + "board", sender=EVE))
    post.run()
    [letter], [refusal] = said(post, ANA), said(post, EVE)
    assert "FOR ANA ALONE" in letter
    assert "accepted" not in letter
    assert "Your letter goes to the address your moderator has on file" in refusal
    assert "ALONE" not in refusal


def test_who_resigns_gets_one_mail_with_the_result(post: Post, room: Room) -> None:
    post.comes(mail("resign"))
    post.comes(mail("resign", identity="<2@e>"))
    assert post.run() == ["asked", "resigned"]
    [own] = [each for each in said(post, ANA) if "THE RESULT" in each]
    [other] = said(post, BEN)
    assert own.index("You have resigned, and the match is over.") < own.index("THE RESULT")
    assert "[move]" not in own + other


def test_a_reply_to_a_second_address_holds_only_seats_played_from_there(
    post: Post, room: Room
) -> None:
    """Ana plays both seats; black may be played by Eve too, who must not see white's hand."""
    both = ("seat", room.log, "--address", ANA, "--seat")
    assert pbem(*both, "white").code == 0
    assert pbem(*both, "black", "--address", EVE).code == 0
    room.says("white", "draw")
    post.comes(mail("draw", sender=EVE))
    post.comes(mail("say: hi", sender=EVE, identity="<2@e>"))
    assert post.run() == ["accepted", "said"]
    assert post.to(EVE) == []
    assert len(post.to(ANA)) == 2


def test_a_mail_that_was_written_tells_what_it_told_then(tmp_path: Path) -> None:
    written = set[str]()
    book = Daybook(str(tmp_path), written.__contains__)
    book.all_know("m", 3, 1)
    book.plan([Planned("a.answer", ANA, "m", 3, 4)])
    written.add("a.answer")
    book.plan([Planned("a.answer", ANA, "m", 4, 6)])  # read again after a crash and a ruling
    assert book.since("m", ANA) == 4
    book.plan([Planned("m.news", ANA, "m", 4, 6)])
    assert book.unwritten("m", ANA)


def test_who_wants_one_mail_until_they_write_gets_one_that_a_crash_kept_from_being_written(
    tmp_path: Path,
) -> None:
    book = Daybook(str(tmp_path))
    book.all_know("m", 3, 1)
    book.plan([Planned("m.news", ANA, "m", 3, 4, came=0)])
    assert not book.hushed("m", ANA, {ANA})
    book.add(Wrote("m", ("m.news",)))
    assert book.hushed("m", ANA, {ANA})


def test_a_substitute_gets_the_key_and_who_left_is_thanked(post: Post, room: Room) -> None:
    leaves = ("substitute", "--seat", "black", "--reason", "Ben is away")
    assert pbem("rule", room.log, *leaves, "--player", f"Cara <{CARA}>").code == 0
    post.run()
    [thanks] = said(post, BEN)
    assert "Thank you for playing" in thanks
    [news] = said(post, CARA)
    assert "Cara takes the seat black. Reason: Ben is away" in news
    assert room.key("black").keys[-1][2].hex() in news
    assert "pbem-key" not in "".join(said(post, ANA))


def substituted(room: Room, seat: str, name: str) -> None:
    player = f"{name} <{name.lower()}@example.org>"
    ruling = ("rule", room.log, "substitute", "--seat", seat, "--player", player)
    assert pbem(*ruling, "--reason", "as agreed").code == 0


@pytest.mark.parametrize("writes", [False, True])
def test_whoever_sits_down_or_comes_back_begins_anew(post: Post, writes: bool) -> None:
    """Ben leaves for Cara and comes back: his first mail holds all that his seat may know."""
    room = begun(post)
    post.run()
    substituted(room, "black", "Cara")
    room.says("white", "draw")
    post.run()
    room.says("black", "draw")
    post.run()
    substituted(room, "black", "Ben")
    if writes:
        post.comes(mail("#13\ndraw", sender=ANA))
        post.comes(mail("#15\ndraw", sender=BEN, identity="<2@e>"))
    verdicts = post.run()
    assert verdicts == ["accepted"] * 2 * writes
    plies = [entry.number for entry in room.read().log.entries if isinstance(entry, Ply)]
    back = next(m for m in post.to(BEN) if "Ben takes the seat" in text(m))
    [came] = post.to(CARA, "0012.black.news")
    assert "You have taken a seat; " in came["Subject"]
    assert plies_in(text(back)) == plies
    assert "\n12-13 Cara: draw\n  - Cara draws from the pile.\n" in text(back), "who sat there then"
    assert "Ben is dealt 3 cards." not in text(back)  # he knows which
    assert "\nCara takes the seat black." in text(back)
    assert plies_in(text(came)) == plies[: plies.index(11) + 1]
    for message, epochs in ((came, 2), (back, 3)):
        begins = " ".join(text(message).split())
        assert "HOW THIS MATCH IS PLAYED" in begins
        assert [key[2].hex() in begins for key in room.key("black").keys] == [
            epoch < epochs for epoch in range(3)
        ]
    assert "Ben is dealt a card" not in begins  # it was Cara's, and this seat knows which
    assert len(post.to(BEN)) == 3, "thanked in between"
    assert sum("HOW THIS MATCH" in text(each) for each in post.to(ANA)) == 1


def test_who_takes_a_second_seat_gets_its_key_and_no_news_again(post: Post, room: Room) -> None:
    room.says("white", "draw")
    post.run()
    substituted(room, "white", "Ben")
    post.run()
    [_, both] = post.to(BEN)
    assert plies_in(text(both)) == []
    assert room.key("white").keys[-1][2].hex() in " ".join(text(both).split())
    assert "HOW THIS MATCH" not in text(both)


def test_observers_get_the_public_report_and_can_be_sent_away(post: Post, room: Room) -> None:
    assert pbem("seat", room.log, "--observer", EVE).out == f"observer {EVE}\n"
    assert pbem("seat", room.log, "--observer", "no address").code == 2
    assert pbem("seat", room.log, "--seat", "white", "--observer", EVE).code == 2
    assert pbem("seat", room.log, "--address", EVE).code == 2
    room.says("white", "draw")
    post.run()
    assert [unmarked(name) for name in post.answers() if name.startswith("public/")] == [
        "public/m.0009-0011.observer-bf9ce96a.report.eml"
    ]
    whole, seen = pbem("post", room.log, "--since", "9").out, post.only(EVE)
    assert whole.startswith(seen)
    assert "[move]" in whole.removeprefix(seen)  # who only watches has nothing to answer
    assert "nobody but" in pbem("seat", room.log, "--no-observer").out
    room.says("black", "draw")
    post.run()
    assert len(post.to(EVE)) == 1


def test_what_a_player_is_mailed_could_be_made_from_the_public_log_and_their_own_key(
    post: Post, room: Room
) -> None:
    for number, who in enumerate([ANA, BEN, ANA]):
        order = f"#{room.read().position.ply}\ndraw"
        post.comes(mail(order, sender=who, identity=f"<{number}@e>"))
        assert post.run() == ["accepted"]
    compared = 0
    for name, message in post.answers().items():
        if ".news." not in name:
            continue
        since, end = (int(each) for each in name.split(".")[1].split("-"))
        seat = {ANA: "white", BEN: "black"}[message["To"]]
        log = Log.read(str(room.log))
        known = Replay.of(log._replace(entries=log.entries[:end]), room.key(seat))
        letter = compose.text(compose.letter(known, seat, since), "text")
        assert text(message) == fitted(letter)
        compared += 1
    assert compared == 3


# ------------------------------------------------------------------------------ the account


def test_an_old_folder_starts_as_told_up_to_where_it_stands(post: Post) -> None:
    room = dealt(post.matches)
    room.says("white", "draw")
    assert post.run() == []
    assert post.answers() == {}
    room.says("black", "draw")
    post.run()
    assert list(map(unmarked, post.answers())) == [
        "private/m.0011-0013.black.news.eml",
        "private/m.0011-0013.white.news.eml",
    ]


def test_where_nothing_is_new_no_match_is_opened(
    post: Post, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    def opened(*_: object, **__: object) -> None:
        raise AssertionError("a log was read")

    monkeypatch.setattr(Log, "parse", opened)
    assert post.run() == []


def test_without_a_mailbox_the_desk_only_tells(post: Post, room: Room) -> None:
    room.says("white", "draw")
    done = pbem("desk", "run", "--matches", post.matches, "--outbox", post.outbox)
    assert (done.code, done.printed) == (0, "")
    assert sorted(message["To"] for message in post.answers().values()) == [ANA, BEN]


def test_the_account_is_private(post: Post, room: Room) -> None:
    account = post.matches / ".mailroom" / "daybook.jsonl"
    assert stat.S_IMODE(account.stat().st_mode) == 0o600


def files(room: Room) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in (room.log, room.desk)}


def put_back(kept: dict[Path, bytes]) -> None:
    for file, content in kept.items():
        file.write_bytes(content)


def new_mails(post: Post, run: Callable[[], object]) -> dict[str, list[str]]:
    """What each player is sent meanwhile."""
    before = set(post.answers())
    run()
    new = [each for name, each in post.answers().items() if name not in before]
    return {
        who: [" ".join(text(each).split()) for each in new if each["To"] == who]
        for who in (ANA, BEN)
    }


@pytest.mark.parametrize("mail_first", [False, True])
def test_an_older_copy_of_a_log_leaves_nobody_behind(
    post: Post, room: Room, mail_first: bool
) -> None:
    kept = files(room)
    room.says("white", "draw")
    room.says("black", "draw")
    post.run()
    put_back(kept)
    if not mail_first:
        told = new_mails(post, post.run)
        for who in (ANA, BEN):
            [back] = told[who]
            assert "was replaced by another copy. What you were told of it after #9 no" in back
            assert "10 Ana" not in back
    post.comes(mail("DUDA-BARI\ndraw"))
    told = new_mails(post, post.run)
    for who in (ANA, BEN):
        [played] = told[who]
        assert "10 Ana: DUDA-BARI" in played
        assert ("was replaced by another copy" in played) == mail_first
    assert new_mails(post, post.run) == {ANA: [], BEN: []}


@pytest.mark.parametrize("marks", [True, False])
def test_a_longer_copy_of_another_branch_is_told_from_where_they_part(
    post: Post, room: Room, marks: bool
) -> None:
    """Restored from a backup and played on; an account that is older than the marks cannot know."""
    room.says("white", "draw")
    post.run()
    kept = files(room)
    room.says("black", "draw")
    post.run()
    if not marks:
        account = post.matches / ".mailroom" / "daybook.jsonl"
        lines = [json.loads(line) for line in account.read_text().splitlines()]
        for line in lines:
            line.pop("marks", None)
            line.pop("mark", None)
        account.write_text("".join(json.dumps(line) + "\n" for line in lines))
    put_back(kept)
    room.says("black", "take JOJO")
    room.says("white", "draw")
    verdicts: list[str] = []
    told = new_mails(post, lambda: verdicts.extend(post.run()))
    assert verdicts == ["replaced"] * marks
    for who in (ANA, BEN):
        [news] = told[who]
        assert ("What you were told of it after #11 no longer" in news) == marks
        assert ("12-13 Ben: take JOJO" in news) == marks
        assert "14-15 Ana: draw" in news
        assert "10 Ana" not in news
    assert new_mails(post, post.run) == {ANA: [], BEN: []}
    post.comes(mail("draw", sender=BEN))
    told = new_mails(post, post.run)
    assert [(len(told[who]), "replaced" in told[who][0]) for who in told] == [(1, False)] * 2


def test_each_time_a_log_is_replaced_is_told(post: Post, room: Room) -> None:
    """Also back and forth between two copies, whose mails have the same counts of entries."""
    kept = files(room)
    copies = []
    for move in ("draw", "pass"):
        put_back(kept)
        room.says("white", move)
        room.says("black", "draw")
        copies.append(files(room))
    post.run()
    for number in range(4):
        put_back(copies[number % 2])
        told = new_mails(post, post.run)
        for who in (ANA, BEN):
            [news] = told[who]
            assert "was replaced by another copy" in news
            assert ("10-11 Ana: draw", "10 Ana: pass")[number % 2] in news


def test_a_new_match_of_the_same_name_begins_anew(post: Post) -> None:
    first = begun(post)
    post.run()
    for file in files(first):
        file.unlink()
    begun(post)
    told = new_mails(post, post.run)
    for who in (ANA, BEN):
        [opening] = told[who]
        assert "HOW THIS MATCH IS PLAYED" in opening
        assert "pbem-key/1" in opening
        assert "replaced" not in opening


def test_a_comment_in_a_log_is_no_news(post: Post, room: Room) -> None:
    with room.log.open("a") as log:
        log.write("# a remark\n")
    post.run()
    assert post.answers() == {}


def test_a_log_that_is_damaged_keeps_nobody_else_from_being_told(post: Post, room: Room) -> None:
    other = dealt(post.matches, name="other")
    post.run()
    for each in (room, other):
        each.says("white", "draw")
    kept = other.log.read_text()
    other.log.write_text(kept.replace("move: draw", "move: draws", 1))
    done = post.desk()
    assert done.code == 75
    assert "not everybody could be told what is new" in done.err
    assert len(post.answers()) == 2
    matches = pbem("status", post.matches, "--json").json["matches"]
    assert {match["match"]: match["unanswered"] for match in matches} == {"m": 0, "other": 1}
    other.log.write_text(kept)
    assert post.run() == []
    assert len(post.answers()) == 4
    assert pbem("status", post.matches, "--json").json["matches"][1]["unanswered"] == 0


def account(folder: Path, *names: str) -> Daybook:
    """The daybook of a folder, read; there are letters of these names."""
    found = Daybook(str(folder), names.__contains__)
    found.refresh()
    return found


def test_a_mail_counts_as_told_once_it_is_there(tmp_path: Path) -> None:
    here = account(tmp_path)
    here.all_know("m", 9, 100)
    here.plan([Planned("a", ANA, "m", 9, 12), Planned("b", BEN, "m", 9, 12)])
    after = account(tmp_path, "a")
    assert (after.since("m", ANA), after.unwritten("m", ANA)) == (12, False)
    assert (after.since("m", BEN), after.unwritten("m", BEN)) == (9, True)
    assert after.since("m", EVE) == 9
    assert after.has_news("m", 100) is False
    assert after.has_news("m", 101) is True
    assert after.knows("n") is False
    after.all_know("m", 12, 200)
    here.refresh()
    assert {here.since("m", who) for who in (ANA, BEN, EVE)} == {12}


def test_half_a_line_is_written_over_and_a_broken_one_is_told(tmp_path: Path) -> None:
    here = account(tmp_path)
    here.all_know("m", NOTHING, 0)
    with open(here.path, "a") as file:
        file.write('{"match": "m", "al' + 999 * "x")  # longer than what is written over it
    again = account(tmp_path)
    again.all_know("m", 9, 10)
    assert account(tmp_path).since("m", ANA) == 9
    assert Path(here.path).read_text().endswith("}\n")
    with open(here.path, "a") as file:
        file.write("[]\n")
    with pytest.raises(BadFile, match="no line of a daybook"):
        account(tmp_path)


def test_an_account_that_has_grown_long_is_written_anew_and_others_notice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = account(tmp_path)
    for size in range(20):
        here.all_know("m", size, size)
    here.plan([Planned("a", ANA, "m", 19, 21)])
    monkeypatch.setattr(daybook, "_SLACK", 5)
    other = account(tmp_path)
    other.tidy("2026-09-21T14:13:20Z")
    other.refresh()
    assert len(Path(other.path).read_text().splitlines()) == 3
    other.all_know("n", 3, 3)
    here.refresh()
    for each in (here, other, account(tmp_path)):
        assert each.unwritten("m", ANA)
        assert each.since("n", ANA) == 3


# ------------------------------------------------------------------------------ rough weather


def kept(folders: Sequence[Path], place: Path, *emptied: Path) -> Callable[[], None]:
    """Puts these folders back as they are now, and takes away those that are to be empty."""
    for folder in folders:
        shutil.copytree(folder, place / folder.name)

    def restore() -> None:
        for folder in emptied:
            shutil.rmtree(folder, ignore_errors=True)
        for folder in folders:
            again(place / folder.name, folder)

    return restore


@pytest.mark.posix
@pytest.mark.parametrize("order", [False, True])
def test_killed_at_any_instant_nobody_is_told_twice_and_nothing_is_left_out(
    tmp_path: Path, order: bool
) -> None:
    """With an `order` in the mailbox, or one that was entered by hand; something else is entered
    before the next run."""
    post = Post(tmp_path)
    room = begun(post)
    assert pbem("seat", room.log, "--observer", EVE).code == 0
    if order:
        post.comes(mail("Hi,\n\ndraw\ndraw"))
    else:
        room.says("white", "draw")
    folders = (post.matches, post.box)
    restore = kept(folders, tmp_path / "kept", post.outbox)
    post.run()
    numbers = []
    for number in remains(post.run, restore, *folders, post.outbox):
        pbem("rule", room.log, "note", "--text", f"note {number}")
        post.run()
        assert post.run() == [], number
        require_told_once(post, room)
        assert len([name for name in post.answers() if ".answer" in name]) == order, number
        numbers.append(number)
    assert len(numbers) > many(6, 20)


@pytest.mark.posix
def test_killed_at_any_instant_nobody_is_told_twice_although_the_outbox_is_emptied(
    tmp_path: Path,
) -> None:
    """Whoever is still to be told keeps a match from being settled, and whoever sends the mails
    takes them away after the run that follows a kill."""
    post = Post(tmp_path)
    room = dealt(post.matches)
    post.run()
    assert pbem("seat", room.log, "--seat", "black", "--mails", "daily 23:59").code == 0
    assert pbem("rule", room.log, "note", "--text", "Hello").code == 0
    assert pbem("desk", "announce", "The desk rests", "--matches", post.matches).code == 0
    post.comes(mail("I would love to play, but how?"))
    folders = (post.matches, post.box)
    restore = kept(folders, tmp_path / "kept", post.outbox)

    def run() -> list[str]:
        post.desk("--moderator", "mod@example.org")
        return sorted(post.answers())

    restore()
    wanted = run()
    assert len(wanted) == 5
    for number in remains(run, restore, *folders, post.outbox):
        assert run() == wanted, number
        shutil.rmtree(post.outbox)
        assert run() == [], number


@pytest.mark.posix
def test_killed_at_any_instant_a_replaced_log_is_told_once(tmp_path: Path) -> None:
    post = Post(tmp_path)
    room = dealt(post.matches)
    post.run()
    first = files(room)
    room.says("white", "draw")
    post.run()
    put_back(first)
    room.says("white", "pass")
    room.says("black", "draw")
    folders = (post.matches, post.outbox)
    restore = kept(folders, tmp_path / "kept")
    before = set(post.answers())
    post.run()
    numbers = []
    for number in remains(post.run, restore, *folders):
        post.run()
        assert post.run() == [], number
        new = [each for name, each in post.answers().items() if name not in before]
        assert sorted(each["To"] for each in new) == [ANA, BEN], number
        for each in new:
            assert "no longer stands" in " ".join(text(each).split()), number
            assert plies_in(text(each)) == [10, 11, 12], number
        numbers.append(number)
    assert len(numbers) > many(3, 10)


def require_told_once(post: Post, room: Room) -> None:
    """Everybody has been mailed the opening, each ply and each ruling once, whatever the mails."""
    entries = room.read().log.entries
    plies = [entry.number for entry in entries if isinstance(entry, Ply)]
    for who in (ANA, BEN, EVE):
        mails = [text(message) for message in post.to(who)]
        told = [number for each in mails for number in plies_in(each)]
        assert sorted(told) == plies, who
        whole = "\n".join(mails)
        assert whole.count("HOW THIS MATCH IS PLAYED") == 1
        assert whole.count("pbem-key/1") == (who != EVE)
        assert whole.count("The moderator notes") == len(entries) - len(plies)
    assert noted(post.matches, "settled")[-1]["entries"] == len(entries)


def plies_in(told: str) -> list[int]:
    """The plies a mail tells."""
    happened = told.partition("WHAT HAPPENED\n")[2].partition("WHERE THE MATCH")[0]
    runs = re.findall(r"^(\d+)(?:-(\d+))? (?:Ana|Ben|Cara|Chance)", happened, re.MULTILINE)
    return [ply for first, last in runs for ply in range(int(first), int(last or first) + 1)]


# ------------------------------------------------------------------- other folders, other names


def test_two_folders_may_share_an_outbox_and_the_names_of_their_matches(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    here, there = Post(tmp_path / "a"), Post(tmp_path / "b")
    there.outbox = here.outbox
    keys = []
    for post in (here, there):
        room = begun(post)
        keys.append(room.key("white").keys[0][2].hex())
        post.run()
    openings = said(here, ANA)
    assert len(openings) == 2
    for key in keys:
        assert sum(key in opening for opening in openings) == 1


def test_a_copy_of_a_match_under_another_name_is_told_as_a_match_of_its_own(
    post: Post, room: Room
) -> None:
    for file in files(room):
        shutil.copy(file, file.with_name(file.name.replace("m.", "copy.", 1)))
    post.run()
    room.says("white", "draw")
    pbem("submit", room.log.with_name("copy.pbem.yaml"), "--from", "white", stdin="take FAAA")
    post.run()
    assert sorted("10-11 Ana: take FAAA" in each for each in said(post, BEN)) == [False, True]


@pytest.mark.parametrize("by_mail", [False, True])
def test_what_was_not_told_when_a_match_was_renamed_is_told_under_its_new_name(
    post: Post, room: Room, by_mail: bool
) -> None:
    room.says("white", "draw")
    for file in files(room):
        file.rename(file.with_name(file.name.replace("m.", "final.", 1)))
    if by_mail:
        post.comes(mail("draw", sender=BEN))
    post.run()
    for who in (ANA, BEN):
        [news] = said(post, who)
        assert "10-11 Ana: draw" in news
        assert ("12-13 Ben: draw" in news) == by_mail
    post.run()
    assert len(post.answers()) == 2


def test_nobody_is_told_twice_where_somebody_else_cannot_be_told_and_the_outbox_is_emptied(
    post: Post, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As whoever sends the mails of an outbox by themselves does."""
    written = letters.mail

    def mistaken(letter: letters.Letter, *more: Any, **other: Any) -> OutgoingMail:
        if letter.to.address == BEN:
            raise KeyError("never")
        return written(letter, *more, **other)

    room.says("white", "draw")
    with monkeypatch.context() as patch:
        patch.setattr(letters, "mail", mistaken)
        for told in (1, 0, 0):
            assert post.desk().code == 75
            assert len(post.to(ANA)) == told
            shutil.rmtree(post.outbox)
    room.says("black", "draw")
    post.run()
    for who, draws in ((ANA, (0, 1)), (BEN, (1, 1))):
        told_ = " ".join(said(post, who))
        assert (told_.count("10-11 Ana: draw"), told_.count("12-13 Ben: draw")) == draws


def test_a_copy_of_the_same_size_is_noticed(post: Post, room: Room) -> None:
    kept = files(room)
    pbem("rule", room.log, "note", "--text", "Hello A")
    post.run()
    put_back(kept)
    pbem("rule", room.log, "note", "--text", "Hello B")
    told = new_mails(post, post.run)
    for who in (ANA, BEN):
        [news_] = told[who]
        assert "Hello B" in news_
        assert "was replaced by another copy" in news_
