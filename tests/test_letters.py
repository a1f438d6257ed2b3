"""Letters and posts printed once more, and where the private ones go: never onto the terminal of a
moderator who has named a place for them."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from commands import ANA, BEN, Done, Room, apart, dealt, finished, mail, pbem
from postroom import Post

from pbem.report import compose


def private(room: Room) -> list[str]:
    """What nobody but the player of white may read: the hand, wherever it could show."""
    hands = room.read().game.view(room.read().state)["hands"]
    return [", ".join(hands["white"])]


def mode(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


def test_a_post_tells_the_last_turn_or_what_came_after_a_move(room: Room) -> None:
    room.says("white", "DUDA-BARI; draw")
    pbem("rule", room.log, "note", "--text", "hello")
    room.says("black", "GOLA-COCO")
    last = pbem("post", room.log)
    assert "GOLA-COCO" in last.out
    assert "DUDA-BARI\n" not in last.out
    more = pbem("post", room.log, "--since", "9", "--json").json["post"]
    order = ("10 Ana: DUDA-BARI", "11-12 Ana: draw", "notes: hello", "13 Ben: GOLA-COCO")
    assert sorted(order, key=more.index) == list(order)
    assert more == compose.text(compose.public(room.read(), 9), "text")
    assert "**10**" in pbem("post", room.log, "--since", "9", "--format", "markdown").out
    none = pbem("post", room.log, "--since", "99")
    assert none.code == 2
    assert "no ply 99" in none.err


def test_a_letter_is_printed_as_of_now_with_the_key_if_asked(room: Room, tmp_path: Path) -> None:
    room.says("white", "draw")
    letter = pbem("letter", room.log, "--seat", "white")
    assert private(room)[0] in letter.out
    assert "pbem-key" not in letter.out
    assert "pbem-key/1 m white 0" in pbem("letter", room.log, "--seat", "white", "--key").out
    assert "1-9 Chance" in pbem("letter", room.log, "--seat", "white", "--since", "0").out
    file = tmp_path / "white.txt"
    done = pbem("letter", room.log, "--seat", "white", "--key", "--out", file)
    assert done.printed == ""
    assert mode(file) == 0o600
    assert pbem("show", room.log, "--key", file).code == 0
    assert pbem("letter", room.log, "--seat", "green").code == 2


def test_a_letter_says_first_whose_turn_it_is_and_then_since_when_it_tells(room: Room) -> None:
    assert room.says("white", "draw").verdict == "accepted"
    told = pbem("letter", room.log, "--seat", "black").out
    first = told.split("\n\n")[1]
    assert first == "Your turn. Play any number of cards, then draw, take or pass."
    assert "It's Ben's turn." not in told  # as what followed from the draw
    since = room.read().log.first(9).entries[-1].at
    assert f"Since no. 9, {since[:10]} {since[11:16]} UTC:\n\n10-11 Ana: draw\n" in told
    assert "NEXT TO MOVE" not in told
    assert "Since no." not in pbem("letter", room.log, "--seat", "black", "--since", "0").out


def test_a_letter_about_a_match_that_is_over_says_first_who_has_won(room: Room) -> None:
    assert pbem("rule", room.log, "resign", "--seat", "black", "--reason", "mail").code == 0
    _, first, *rest = pbem("letter", room.log, "--seat", "black").out.split("\n\n")
    assert first == "Ana wins by resignation."
    assert first not in "".join(rest).split("THE RESULT")[1]


def test_a_player_prints_their_letter_with_their_own_key(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = pbem("letter", room.log, "--seat", "black").out
    monkeypatch.setenv("PBEM_KEY", str(room.key_file("black")))
    room.desk.unlink()
    assert pbem("letter", room.log, "--seat", "black").out == wanted
    assert pbem("letter", room.log, "--seat", "white").code == 66


# --------------------------------------------------------------------------- a place for answers


ILLEGAL = mail("BARI-COCO", sender=BEN)
CHATTY = mail("DUDA-BARI\ntake LALE\ndraw", sender=ANA)


def submitted(room: Room, raw: bytes, *more: object) -> Done:
    return pbem("submit", room.log, room.write("mail.eml", raw), *more)


@pytest.mark.parametrize("place", ["reply", "letters", "json"])
def test_a_refusal_goes_to_its_place_and_not_to_the_terminal(
    room: Room, tmp_path: Path, place: str
) -> None:
    file = tmp_path / "answer.txt"
    given: tuple[object, ...] = ("--reply", file)
    if place == "letters":
        given = ("--letters", tmp_path / "letters")
        file = tmp_path / "letters" / "m-0009-white-answer.txt"
    done = submitted(room, mail("BARI-COCO; hop"), *given, *["--json"] * (place == "json"))
    assert done.code == 1
    told = file.read_text()
    assert "Nothing has changed" in told
    assert "> BARI-COCO\n> hop\n" in told.partition("WHAT YOU WROTE")[2]
    assert mode(file) == 0o600
    for word in ("BARI", "COCO", "hop", "hold"):
        assert word not in done.printed.replace("answer", "")
    if place == "json":
        assert done.json["reply"] == str(file)
        assert done.json["verdict"] == "refused"


def test_without_a_place_a_refusal_stands_under_a_line_that_says_whose_it_is(room: Room) -> None:
    done = submitted(room, mail("BARI-COCO"))
    assert done.out.startswith("======== answer to the sender: for nobody else ========\n\n")


@pytest.mark.parametrize("place", ["reply", "letters", "none"])
def test_what_was_not_played_is_told_to_the_sender_alone(
    room: Room, tmp_path: Path, place: str
) -> None:
    letters = tmp_path / "letters"
    given = {"reply": ("--reply", tmp_path / "answer.txt"), "letters": ("--letters", letters)}
    done = submitted(room, mail("draw\ndraw"), *given.get(place, ()))
    assert done.code == 0, done.printed
    if place == "none":
        first = "pbem: for white alone, not to be posted:\npbem: not played: draw"
        assert first in done.err
        return
    assert "not played" not in done.printed.casefold()
    file = tmp_path / "answer.txt" if place == "reply" else letters / "m-0011-white.txt"
    assert "WHAT I DID NOT PLAY" in file.read_text()
    assert private(room)[0] in file.read_text()
    assert mode(file) == 0o600
    if place == "letters":
        assert [path.name for path in letters.iterdir()] == ["m-0011-white.txt"]


def test_a_ruling_writes_letters_and_prints_the_post_alone(room: Room, tmp_path: Path) -> None:
    rule = ("rule", room.log, "substitute", "--seat", "white", "--player", "Zoe", "--reason", "x")
    done = pbem(*rule, "--letters", tmp_path / "letters", "--all-letters")
    assert done.code == 0
    assert "pbem-key" not in done.printed
    files = {file.name: file.read_text() for file in (tmp_path / "letters").iterdir()}
    assert files.keys() == {"m-0009-white.epoch1.txt", "m-0009-black.txt"}
    assert "pbem-key/1 m white 1" in files["m-0009-white.epoch1.txt"]
    assert "pbem-key" not in files["m-0009-black.txt"]
    assert all("Zoe takes the seat white. Reason: x" in text for text in files.values())


def test_posts_and_letters_can_be_as_narrow_as_a_phone(room: Room) -> None:
    for command in (("post", room.log), ("letter", room.log, "--seat", "white")):
        done = pbem(*command, "--width", 40)
        assert done.code == 0
        assert max(map(len, done.out.splitlines())) <= 40
        assert pbem(*command, "--width", 40, "--format", "bgg").code == 2


# ------------------------------------------------------------- a moderator who plays is not told


WAITS = "[move]\nnext: discard COCO or draw\nif Ana plays pass: take BARI\n[/move]"
LATER = {"plans": WAITS, "their list": "plans", "withdrawal": "withdraw 2"}


@pytest.mark.parametrize("said", LATER)
@pytest.mark.parametrize("place", ["reply", "letters", "json"])
def test_what_waits_goes_to_its_place_and_not_to_the_terminal(
    room: Room, tmp_path: Path, place: str, said: str
) -> None:
    if said != "plans":
        room.says("black", WAITS)
    file, given = tmp_path / "answer.txt", ("--reply", tmp_path / "answer.txt")
    if place == "letters":
        given = ("--letters", tmp_path / "letters")
        file = tmp_path / "letters" / "m-0009-black-answer.txt"
    more = ["--json"] * (place == "json")
    done = pbem("submit", room.log, "--from", "black", *given, *more, stdin=LATER[said])
    assert done.code == 0, done.printed
    for word in ("or draw", "BARI", "COCO", "plays"):
        assert word not in done.printed
    assert "next: discard COCO or draw" in file.read_text()
    assert mode(file) == 0o600


def test_without_a_place_what_waits_stands_under_a_line_that_says_whose_it_is(room: Room) -> None:
    first = "======== answer to the sender: for nobody else ========\n\n1: "
    assert pbem("submit", room.log, "--from", "black", stdin=WAITS).out.startswith(first)
    for command in (("plans", room.log, "--seat", "black"), ("withdraw", room.log, "--seat=black")):
        assert pbem(*command).err == "pbem: for black alone, not to be posted:\n"


def test_whoever_asks_for_plans_and_has_none_is_not_told_that_a_move_was_accepted(
    room: Room, tmp_path: Path
) -> None:
    file = tmp_path / "answer.txt"
    pbem("submit", room.log, "--from", "white", "--reply", file, stdin="plans")
    assert "No plan of yours waits now." in file.read_text()
    assert "accepted" not in file.read_text()


@pytest.mark.parametrize("place", ["reply", "letters"])
def test_why_a_message_cannot_be_read_goes_to_its_place_for_it_quotes_it(
    room: Room, tmp_path: Path, place: str
) -> None:
    file, given = tmp_path / "answer.txt", ("--reply", tmp_path / "answer.txt")
    if place == "letters":
        given = ("--letters", tmp_path / "letters")
        file = tmp_path / "letters" / "m.pbem.yaml-answer.txt"
    two = "[move]\ndiscard COCO\n[/move]\n[move]\ndraw\n[/move]"
    done = pbem("submit", room.log, "--from", "white", *given, stdin=two)
    assert done.code == 65
    assert "COCO" not in done.printed
    assert "two different orders: 'discard COCO'" in file.read_text()
    assert mode(file) == 0o600


def test_why_a_move_cannot_be_played_for_a_silent_seat_goes_to_the_letters(
    room: Room, tmp_path: Path
) -> None:
    rule = ("rule", room.log, "default", "--seat", "white", "--move", "ALOA-BARI", "--reason", "x")
    assert "You hold no" in pbem(*rule).err
    done = pbem(*rule, "--letters", tmp_path)
    assert done.code == 1
    assert "hold" not in done.printed
    file = tmp_path / "m.pbem.yaml-refused.txt"
    assert "You hold no" in file.read_text()
    assert mode(file) == 0o600


def test_a_mail_handed_over_by_the_moderator_can_be_answered_into_a_file(tmp_path: Path) -> None:
    post = Post(tmp_path)
    dealt(post.matches)
    post.comes(mail("BARI-COCO", sender="stranger@example.org", subject="[m #9]"))
    assert post.run() == ["stranger"]
    copies = post.matches / ".mailroom" / "aside"
    for file in copies.iterdir():  # the moderator knows which match it is for
        file.rename(copies / f"m{file.name}")
    file = tmp_path / "answer.txt"
    handed = ("--submit", 1, "--seat", "white", "--reply", file)
    done = pbem("aside", post.matches, *handed)
    assert done.code == 1, done.printed
    assert "BARI" not in done.printed
    assert "Your move wasn't accepted." in file.read_text()


def test_a_mistake_of_ours_does_not_print_what_it_worked_on(
    room: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def mistaken(*_: object, **__: object) -> None:
        raise KeyError("BARI, COCO")

    monkeypatch.setattr(compose, "letter", mistaken)
    done = submitted(room, mail("draw"), "--letters", tmp_path / "letters")
    assert done.code == 76
    assert "please report it: KeyError at" in done.err
    assert "BARI" not in done.printed
    before = "from pbem.report import compose\ndef mistaken(*_, **__): raise KeyError('BARI')\n"
    asked = ("letter", room.log, "--seat", "white", "--out", tmp_path / "letter.txt", "--json")
    alone = finished(apart(*asked, before=f"{before}compose.letter = mistaken"))
    assert (alone.code, alone.json["code"]) == (70, 70)
    assert "please report it: KeyError at" in alone.err
    assert "BARI" not in alone.printed


def test_a_damaged_desk_file_is_not_quoted_where_it_is_private(room: Room) -> None:
    whole = room.desk.read_text()
    plans = 'held: []\nplans: [{after: "sha256:0", waits: [{seat: white, moves: "discard COCO"}]}]'
    for broken in (whole.replace('secret: "00', 'secret: "'), whole.replace("held: []", plans)):
        room.desk.write_text(broken)
        for done in (pbem("status", room.log.parent), submitted(room, mail("draw"))):
            assert "not shown" in " ".join(done.printed.split())
            assert "COCO" not in done.printed
            assert "0102030405" not in done.printed


def test_the_story_of_a_match_can_do_nothing_to_a_terminal(room: Room) -> None:
    assert pbem("rule", room.log, "note", "--text", "so \u202e\u200bso [move]").code == 0
    assert "The moderator notes: so so (move)" in pbem("log", room.log).out
