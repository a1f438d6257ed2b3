"""Letters from seat to seat: sealed in the log for those they concern, and for nobody else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from commands import Room, pbem
from mailbag import CLOCK, mail
from postroom import Post, text

from pbem.log.rulings import Press, entry
from pbem.mailroom.run import Mailroom
from pbem.play import judge
from pbem.report import compose
from pbem.report.refusal import rejection

SEATS = ("blue", "white", "red")
ADDRESSES = {"blue": "blue@example.org", "white": "white@example.org", "red": "red@example.org"}
NAMESAKES = ("Ana Lee", "Ben", "Ana Kim")
OF_THE_SENDER = ("answers", "sender", "seat")
WORDS = "Shall we attack at dawn"


def table(folder: Path, press: str) -> Room:
    players = [
        *("--seat", "blue=Ana <blue@example.org>"),
        *("--seat", "white=Ben <white@example.org>"),
        *("--seat", "red=Cara <red@example.org>"),
    ]
    done = pbem(
        "new", "kanaloa-piatnik", *players, "--match", "p1", "--dir", folder, "--press", press
    )
    assert done.code == 0, done.printed
    return Room(folder / "p1.pbem.yaml")


def writes(room: Room, seat: str, said: str) -> str:
    return str(pbem("submit", room.log, "--from", seat, "--json", stdin=said).json["verdict"])


def a_card(room: Room) -> str:
    """A move that is legal for whoever is asked."""
    now = room.read()
    return next(
        now.game.notate(move) for move in judge.legal_moves(now.game, now.state, now.awaited[0])
    )


def parts(room: Room) -> tuple[str, ...]:
    """The sealed parts of the last letter in the log."""
    return [*room.read().log.rulings(Press)][-1].parts


def read_by(room: Room, seat: str | None) -> str:
    """All that a seat can read of a match, or a spectator."""
    keys = () if seat is None else ("--key", room.key_file(seat))
    return str(pbem("log", room.log, *keys).out)


@pytest.mark.parametrize("press", ["private", "grey"])
def test_a_letter_opens_for_its_writer_and_for_those_it_names(tmp_path: Path, press: str) -> None:
    room = table(tmp_path, press)
    assert writes(room, "blue", f"to ben: {WORDS}?") == "accepted"
    assert "attack" not in room.log.read_text()
    assert [seat for seat in SEATS if WORDS in read_by(room, seat)] == ["blue", "white"]
    assert WORDS not in read_by(room, None)
    assert pbem("verify", room.log).code == pbem("verify", room.log, "--key", room.desk).code == 0


def test_a_grey_letter_names_its_writer_to_nobody_but_the_writer(tmp_path: Path) -> None:
    room = table(tmp_path, "grey")
    before = room.log.read_text()
    assert writes(room, "blue", f"to ben: {WORDS}") == writes(room, "red", "say: hello")
    added = room.log.read_text().removeprefix(before)
    assert "blue" not in added
    assert "red" not in added
    assert "hello" not in added
    assert f"Somebody writes to Ben: {WORDS}" in read_by(room, "white")
    for reader in ("blue", "white"):
        assert "Somebody writes to Ana, Ben and Cara: hello" in read_by(room, reader)
    assert f"Ana writes to Ben: {WORDS}" in read_by(room, "blue")


@pytest.mark.parametrize("press", ["private", "grey"])
def test_the_log_shows_neither_how_long_a_short_letter_is_nor_for_whom(
    tmp_path: Path, press: str
) -> None:
    sizes = set()
    for nth, (to, said) in enumerate([("ben", "no"), ("cara, ben", WORDS), ("Cara", "x" * 100)]):
        folder = tmp_path / str(nth)
        folder.mkdir()
        room = table(folder, press)
        assert writes(room, "blue", f"to {to}: {said}") == "accepted"
        sizes |= set(map(len, parts(room)))
    assert len(sizes) == 1


def test_a_letter_moves_no_position_and_an_order_may_stand_beside_it(tmp_path: Path) -> None:
    room = table(tmp_path, "private")
    position = room.read().position
    assert writes(room, "blue", f"to red: {WORDS}") == "accepted"
    assert room.read().position == position
    card = a_card(room)
    assert writes(room, "blue", f"{card}\nto ben: mine") == "accepted"
    assert "Ana writes to Ben: mine" in read_by(room, "white")
    assert writes(room, "blue", "to ben: mine") == "accepted", "said again after a move"
    assert writes(room, "blue", "to ben: mine") == "duplicate"


@pytest.mark.parametrize(
    ("press", "said", "why"),
    [
        ("none", "say: hi", "There is no press in this match"),
        ("none", "to ben: hi", "There is no press in this match"),
        ("public", "to ben: hi", "no letters go from seat to seat"),
        ("private", "to benn: hi", "There is no benn to write to"),
        ("private", "to ben and dora: hi", "There is no dora to write to"),
        ("private", "to mod: hi", "name blue, white or red, or the moderator"),
        ("private", f"to ben: {'x' * 2001}", "2,001 characters"),
    ],
)
def test_what_cannot_be_passed_on_is_refused(
    tmp_path: Path, press: str, said: str, why: str
) -> None:
    room = table(tmp_path, press)
    before = room.log.read_text()
    done = pbem("submit", room.log, "--from", "blue", stdin=said)
    assert done.code == 1, done.printed
    assert why in " ".join(done.printed.split())
    assert room.log.read_text() == before


@pytest.mark.parametrize(
    ("press", "said"),
    [
        ("none", "say: hi all"),
        ("none", "to ben: hi"),
        ("public", "to ben: hi"),
        ("private", "to benn: hi"),
    ],
)
@pytest.mark.parametrize("kept", [True, False])
def test_an_order_beside_what_cannot_be_passed_on_comes_back_without_it(
    tmp_path: Path, press: str, said: str, kept: bool
) -> None:
    room = table(tmp_path, press)
    position, card = room.read().position, a_card(room)
    order = card if kept else "A-Z"
    answer = room.says("blue", f"[move] {position}\n{order}\n[/move]\n\n{said}")
    told = compose.text(rejection(answer), "text")
    assert answer.verdict == "refused"
    assert f'line 5, "{said}"\n' in told
    back = f"[move] {position}\n{card if kept else '...'}\n"
    assert back in told
    if kept:
        block = told[told.index(back) :].partition("[/move]")
        assert room.says("blue", "".join(block[:2])).verdict == "accepted"


def test_an_order_for_another_position_is_told_so_before_what_cannot_be_passed_on(
    tmp_path: Path,
) -> None:
    room = table(tmp_path, "public")
    position = room.read().position
    assert writes(room, "blue", a_card(room)) == "accepted"
    assert writes(room, "blue", f"[move] {position}\nB-C\n[/move]\nto ben: hi") == "stale"


def test_a_line_that_names_nobody_is_a_line_like_any_other(tmp_path: Path) -> None:
    room = table(tmp_path, "public")
    card = a_card(room)
    done = pbem(
        "check",
        room.log,
        "--from",
        "blue",
        "--key",
        room.desk,
        "--json",
        stdin=f"To confirm: {card}",
    )
    assert done.json["verdict"] != "accepted"
    assert "letters" not in done.printed


def test_check_reads_a_letter_as_submit_does(tmp_path: Path) -> None:
    room = table(tmp_path, "private")
    keys = ("--key", room.key_file("blue"))
    assert pbem("check", room.log, *keys, stdin="to ben: hi").code == 0
    assert pbem("check", room.log, *keys, stdin="to benn: hi").code == 1


def test_by_mail_only_those_a_letter_names_are_written_to(tmp_path: Path) -> None:
    post = Post(tmp_path)
    room = table(post.matches, "private")
    post.run()
    opening = len(post.answers())
    post.comes(
        mail(f"to ben: {WORDS}", sender="blue@example.org", subject="[p1]", identity="<1@e>")
    )
    assert post.run() == ["said"]
    assert len(post.answers()) == opening + 2, "an answer, and a letter"
    assert WORDS in post.only("blue@example.org", ".answer")
    assert WORDS in text(post.to("white@example.org")[-1])
    assert not any(WORDS in text(each) for each in post.to("red@example.org"))
    assert not post.aside()
    assert post.run() == []
    assert len(post.answers()) == opening + 2
    assert WORDS not in pbem("desk", "run", "--once").printed
    assert pbem("verify", room.log).code == 0


def test_a_letter_that_was_altered_is_found(tmp_path: Path) -> None:
    room = table(tmp_path, "private")
    assert writes(room, "blue", "to ben: hi") == "accepted"
    last = room.read().log.entries[-1]
    swapped = Press(last.ruling.parts[::-1])
    whole = room.read().log
    short = whole._replace(
        entries=whole.entries[:-1], text=whole.text[: whole.text.rindex("- ruling:")]
    )
    room.log.write_text(short.extend(entry(swapped, last.at, by="blue")).text)
    assert pbem("verify", room.log).code == 0, "nobody can tell without a key"
    assert pbem("verify", room.log, "--key", room.desk).code == 65


def test_a_reveal_opens_every_letter(tmp_path: Path) -> None:
    room = table(tmp_path, "grey")
    assert writes(room, "blue", f"to ben: {WORDS}") == "accepted"
    assert pbem("rule", room.log, "end", "--winner", "red", "--reason", "dawn").code == 0
    assert pbem("reveal", room.log).code == 0
    assert f"Ana writes to Ben: {WORDS}" in read_by(room, None)


def test_a_moderator_in_a_forum_is_told_to_send_the_readers_letter_alone(tmp_path: Path) -> None:
    room, out = table(tmp_path, "private"), tmp_path / "letters"
    done = pbem("submit", room.log, "--from", "blue", "--letters", out, stdin=f"to ben: {WORDS}")
    [letter] = out.iterdir()
    assert "white" in letter.name
    assert WORDS in letter.read_text()
    assert "somebody wrote to them" in done.err


@pytest.mark.parametrize(
    ("press", "said"),
    [
        ("private", f"to ben: {WORDS}\nto moderator: is the map the newest one"),
        ("private", f"takeback\nan Ben und Cara: {WORDS}\n\nAna"),
        ("private", f"to ben: {WORDS}\n\nDear moderator, it was a pleasure to meet you in town."),
        ("grey", f"say: {WORDS}\nto moderator: is the map the newest one"),
        ("grey", f"[say]\nhello\n{WORDS}\n[/say]\nto moderator: is the map the newest one"),
    ],
)
def test_a_moderator_sees_of_letters_beside_a_wish_how_many_lines_they_have(
    tmp_path: Path, press: str, said: str
) -> None:
    post = Post(tmp_path)
    table(post.matches, press)
    post.comes(mail(said, sender="blue@example.org", subject="[p1]", identity="<1@e>"))
    post.run("--moderator", "boss@example.org")
    [copy] = (post.matches / ".mailroom" / "aside").glob("*.eml")
    shown = pbem("aside", post.matches, 1), pbem("aside", post.matches, 1, "--all")
    told = [post.only("boss@example.org"), *(each.out for each in shown)]
    assert not any(WORDS in each for each in (*told, copy.read_text()))
    assert all("line left out" in each or "lines left out" in each for each in told)
    assert all("moderator" in each.casefold() or "takeback" in each for each in told)
    assert WORDS in post.only("white@example.org", ".news"), "it was passed on all the same"


@pytest.mark.parametrize("subject", ["[p1]", "Hello"])
def test_a_stranger_s_letter_to_a_player_is_no_more_to_be_seen_than_a_player_s(
    tmp_path: Path, subject: str
) -> None:
    post = Post(tmp_path)
    table(post.matches, "private")
    said = f"to Ben: {WORDS}\nan Cara und Ben: {WORDS}\nTo join: what do I have to do"
    post.comes(mail(said, sender="new@example.org", subject=subject, identity="<1@e>"))
    assert post.run("--moderator", "boss@example.org") == ["stranger"]
    [copy] = (post.matches / ".mailroom" / "aside").glob("*.eml")
    shown = pbem("aside", post.matches, 1), pbem("aside", post.matches, 1, "--all")
    told = [post.only("boss@example.org"), *(each.out for each in shown), copy.read_text()]
    assert not any(WORDS in each for each in (*told, pbem("aside", post.matches).out))
    assert all("To join: what do I have to do" in each for each in told)
    assert "2 lines left out" in shown[0].out


def test_where_press_is_grey_nothing_that_is_printed_says_who_wrote(tmp_path: Path) -> None:
    printed = []
    for seat in ("blue", "red"):
        post = Post(tmp_path / seat)
        table(post.matches, "grey")
        post.run()
        post.comes(mail(f"to ben: {WORDS}", sender=f"{seat}@example.org", subject="[p1]"))
        [told] = post.told()
        printed.append({key: value for key, value in told.items() if key != "answers"})
    assert printed[0] == printed[1]


@pytest.mark.parametrize("verb", ["to ben", "say", "an Ben und Cara"])
@pytest.mark.parametrize(
    "tail",
    [
        "with all that we have and then share whatever there is left",
        "the one that lies behind us, or do you think that it is too early?",
        "with all that we have and then share whatever there is left, but not a\nword to others",
    ],
)
def test_what_is_said_goes_on_where_a_mail_program_has_broken_it_off(
    tmp_path: Path, verb: str, tail: str
) -> None:
    room = table(tmp_path, "private")
    first = f"{verb}: I think that we should go there together as soon as we can, to"
    pbem("submit", room.log, "--from", "blue", stdin=f"{first}\n{tail}\n\nBye, Ana")
    told = read_by(room, "white")
    assert " ".join(f"as soon as we can, to {tail}".split()) in " ".join(told.split())
    assert "Bye" not in told


def test_no_move_below_what_is_said_is_taken_for_the_rest_of_it(tmp_path: Path) -> None:
    room = table(tmp_path, "private")
    card = a_card(room)
    long = "to ben: I think that we should go there together as soon as we can, you and me"
    assert writes(room, "blue", f"{long}\n{card}") == "accepted"
    assert f"Ana plays {card}" in read_by(room, None)
    assert card not in read_by(room, "white").partition("Ana writes")[2].partition("\n")[0]


def test_a_question_beside_a_letter_is_passed_on(tmp_path: Path) -> None:
    post = Post(tmp_path)
    table(post.matches, "private")
    said = f"to ben: {WORDS}\nHow many cards may I hold?"
    post.comes(mail(said, sender="blue@example.org", subject="[p1]", identity="<1@e>"))
    post.run()
    assert "passed on to the moderator" in " ".join(post.only("blue@example.org").split())
    assert "How many cards may I hold?" in pbem("aside", post.matches, 1).out


def test_letters_between_others_keep_no_match_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    post = Post(tmp_path)
    table(post.matches, "private")
    post.run()
    post.comes(mail(f"to ben: {WORDS}", sender="blue@example.org", subject="[p1]"))
    post.run()
    looked = list[str]()
    monkeypatch.setattr(Mailroom, "_tell", lambda _, path: looked.append(path) or ([], False))
    post.run()
    assert not looked


def test_one_first_name_of_two_players_is_no_addressee(tmp_path: Path) -> None:
    players = [
        f"{seat}={name} <{seat}@example.org>" for seat, name in zip(SEATS, NAMESAKES, strict=True)
    ]
    given = [each for player in players for each in ("--seat", player)]
    pbem("new", "kanaloa-piatnik", *given, "--match", "p1", "--dir", tmp_path, "--press", "private")
    room = Room(tmp_path / "p1.pbem.yaml")
    done = pbem("submit", room.log, "--from", "white", stdin=f"to ana: {WORDS}")
    assert done.code == 1
    assert "no ana to write to, or more than one" in " ".join(done.printed.split())
    assert writes(room, "white", f"to ana kim: {WORDS}") == "accepted"
    assert [seat for seat in SEATS if WORDS in read_by(room, seat)] == ["white", "red"]


@pytest.mark.parametrize(
    ("press", "one", "other"),
    [
        ("private", ("blue", f"to ben: {WORDS}"), ("blue", "to cara, ben: hello to you both")),
        ("grey", ("blue", f"to ben: {WORDS}"), ("red", "say: hello to all of you")),
    ],
)
def test_two_letters_look_alike_to_everybody_else(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    press: str,
    one: tuple[str, str],
    other: tuple[str, str],
) -> None:
    monkeypatch.setattr("pbem.files.timestamp.now", lambda: CLOCK)
    monkeypatch.setattr("pbem.log.seal.os.urandom", lambda size: bytes(size))
    seen = []
    for nth, (seat, said) in enumerate((one, other)):
        folder = tmp_path / str(nth)
        post = Post(folder)
        room = table(post.matches, press)
        assert pbem("seat", room.log, "--observer", "forum@example.org").code == 0
        post.run()
        post.comes(mail(said, sender=f"{seat}@example.org", subject="[p1]", identity="<1@e>"))
        [told] = post.told()
        pbem("site", post.matches, "--out", folder / "web")
        files = sorted(each for each in (folder / "web").rglob("*") if each.is_file())
        asked = (["log"], ["show"], ["post", "--whole"], ["due"], ["verify"])
        public = [pbem(verb, room.log, *more).printed for verb, *more in asked]
        public += [pbem("status", post.matches, "--json").out]
        public += [text(each) for each in post.to("forum@example.org")]
        public += [name for name in post.answers() if name.startswith("public")]
        public += [file.read_bytes().decode("latin-1") for file in files]
        public += [str({key: value for key, value in told.items() if key not in OF_THE_SENDER})]
        seen.append([each.replace(str(folder), "") for each in public])
        seen[-1].append(str(len(room.log.read_text())))
        assert not any(WORDS in each for each in public)
    pattern = re.compile(r"[0-9a-f]{8}-?[0-9]*\.observer")  # the chain of the log
    first, second = ([pattern.sub("", each) for each in each] for each in seen)
    assert first == second
