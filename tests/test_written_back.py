"""What the moderator writes to players, and what they are shown of what players write."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from commands import ANA, BEN, Room, dealt, mail, pbem
from postroom import EVE, Post, forget, text

from pbem.play import judge as play

ASKED = "May I build on a bridge of yours?\n\n"
LETTER = "Your hand: BARI, DUDA\nkey: 5ec4e7\n   A---B\n   |   |\n"
MARKED = "".join(f"> {line}\n" for line in LETTER.splitlines())
QUOTED = {
    "marked": f"{ASKED}On Mon, 21 Sep 2026 at 16:13, pbem <desk@games.example> wrote:\n{MARKED}",
    "original": f"{ASKED}-----Original Message-----\nFrom: desk@games.example\nSent: Monday\n"
    f"To: Ana\nSubject: [m #0 b872] White to move\n\n{LETTER}",
    "outlook": f"{ASKED}From: pbem <desk@games.example>\nSent: Monday, 21 September 2026 16:13\n"
    f"To: ana@example.org\nSubject: [m #0 b872] White to move\n\n{LETTER}",
    "german": f"{ASKED}Von: pbem <desk@games.example>\nGesendet: Montag, 21. September 2026 16:13\n"
    f"An: ana@example.org\nBetreff: [m #0 b872] White to move\n\n{LETTER}",
    "above": f"On Mon, 21 Sep 2026 at 16:13, pbem <desk@games.example> wrote:\n{MARKED}\n{ASKED}",
}


@pytest.fixture
def post(tmp_path: Path) -> Post:
    return Post(tmp_path)


@pytest.fixture
def room(post: Post) -> Room:
    return dealt(post.matches)


@pytest.mark.parametrize("kind", QUOTED)
def test_a_moderator_who_plays_is_shown_what_is_new_in_a_question_and_no_hand(
    post: Post, room: Room, kind: str
) -> None:
    post.comes(mail(QUOTED[kind]))
    assert post.run("--moderator", "mod@example.org") == ["passed-on"]
    [copy] = post.to("mod@example.org")
    shown = pbem("aside", post.matches, "1").out
    listed = pbem("aside", post.matches).out
    programs = pbem("aside", post.matches, "1", "--json").out
    for told in (text(copy), shown, programs):
        assert "May I build" in told
        assert "quoted lines left out" in told
    for told in (text(copy), shown, programs, listed):
        assert "5ec4e7" not in told
        assert "A---B" not in told
    assert "May I build" in listed
    [command] = re.findall("`pbem (.*?)` shows all", shown)
    whole = pbem(*shlex.split(command)).out
    assert "5ec4e7" in whole
    assert "left out" not in whole


def test_a_question_that_quotes_nothing_says_nothing_of_quotes(post: Post, room: Room) -> None:
    post.comes(mail(ASKED))
    post.run()
    assert "left out" not in pbem("aside", post.matches, "1").out


@pytest.mark.parametrize("given", ["--text", "stdin"])
def test_an_answer_from_the_terminal_goes_out_once_in_the_thread_of_the_question(
    post: Post, room: Room, given: str
) -> None:
    post.comes(mail(ASKED, identity="<q1@example.org>", subject="Bridges"))
    post.run()
    if given == "--text":
        done = pbem("aside", post.matches, "--answer", "1", "--text", "No: K-7.")
    else:
        done = pbem("aside", post.matches, "--answer", "1", stdin="No: K-7.\n")
    assert done.code == 0, done.printed
    assert post.to(ANA, "reply") == []
    for _ in range(3):
        post.run()
    [answer] = post.to(ANA, "reply")
    assert text(answer).strip() == "No: K-7."
    assert answer["In-Reply-To"] == "<q1@example.org>"
    assert "<q1@example.org>" in answer["References"]
    assert answer["Subject"] == "Re: Bridges"
    forget(post.matches, "said")  # killed before that was noted
    post.run()
    assert len(post.to(ANA, "reply")) == 1


def test_a_stranger_is_answered_too_and_an_answered_mail_is_put_away(
    post: Post, room: Room
) -> None:
    post.comes(mail("May I join?", sender=EVE, identity="<e@e>"))
    post.comes(mail("Hello? May I join?", sender=EVE, identity="<f@e>"))
    post.run()
    both = ("--answer", "1", "--text", "Yes.", "--done", "2")
    assert pbem("aside", post.matches, *both).code == 0
    assert pbem("aside", post.matches).out == "no mail has been put aside\n"
    assert "need" not in pbem("status", post.matches).out
    post.run()
    assert [text(each).strip() for each in post.to(EVE, "reply")] == ["Yes."]


def test_what_cannot_be_answered_is_said(post: Post, room: Room) -> None:
    post.comes(mail(ASKED))
    post.run()
    assert pbem("aside", post.matches, "--answer", "7", "--text", "x").code == 2
    assert "nothing to send" in pbem("aside", post.matches, "--answer", "1", "--text", " ").err
    assert pbem("aside", post.matches, "--text", "x").code == 2


def test_all_players_of_a_folder_are_told_once_each_and_see_no_board(
    post: Post, room: Room
) -> None:
    dealt(post.matches, name="other")
    post.run()
    before = len(post.answers())
    said = "The desk rests on Friday: a new server."
    announced = ("desk", "announce", said, "--matches", post.matches)
    done = pbem(*announced)
    assert (done.code, "next `pbem desk run`" in done.out) == (0, True)
    assert pbem(*announced, "--json").json["new"] == 0  # they wait already
    post.run()
    assert pbem(*announced, "--json").json["new"] == 0  # they were sent
    post.run()
    for address in (ANA, BEN):
        [told] = post.to(address, "announcement")
        assert text(told).strip() == said
    assert len(post.answers()) == before + 2


def test_what_stands_above_an_announcement_is_in_its_readers_language(
    post: Post, room: Room
) -> None:
    pbem("seat", room.log, "--seat", "black", "--language", "de")
    assert pbem("desk", "announce", "Hello all", "--matches", post.matches).code == 0
    post.run()
    subjects = [post.to(each, "announcement")[0]["Subject"] for each in (ANA, BEN)]
    assert subjects == ["A word from the moderator", "Ein Wort von der Spielleitung"]


def test_a_remark_is_told_without_the_board_and_a_move_beside_it_with_it(
    post: Post, room: Room
) -> None:
    post.run()
    ruled = pbem("rule", room.log, "note", "--text", "Ben is at sea until Friday.")
    assert "Ben is at sea until Friday." in ruled.out
    assert "to move" in ruled.out.casefold()
    assert "[move] #" in ruled.out
    assert "The board is as it was." in ruled.out
    assert "ALOA" not in ruled.out
    assert ruled.out.count("\n") < 25
    post.run()
    told = [text(post.to(each, "news")[-1]) for each in (ANA, BEN)]
    for each in told:
        assert "Ben is at sea until Friday." in each
        assert "The board is as it was." in each
        assert "ALOA" not in each
        assert "Choose one of these" not in each
    pbem("rule", room.log, "note", "--text", "He is back.")
    now = room.read()
    move = now.game.notate(play.legal_moves(now.game, now.state, "white")[0])
    assert pbem("submit", room.log, "-", "--from", "white", stdin=move).code == 0
    post.run()
    [both] = [each for each in post.to(BEN, "news") if "He is back" in text(each)]
    assert "ALOA" in text(both)
