"""What a mail can say besides moves: read anywhere but in old text, answered, and never a move."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import commands
import pytest
from commands import ANA, BEN, Room, dealt, mail, pbem
from postroom import EVE, VOUCHED, Post, forget_mails, plies, strict, text

from pbem import intake
from pbem.core import Unreadable
from pbem.desk import press
from pbem.desk.announce import resign
from pbem.desk.answer import Verdict
from pbem.desk.submit import check, submit
from pbem.files.timestamp import now as clock
from pbem.intake.verbs import of_form
from pbem.intake.words import phrases
from pbem.log import rulings
from pbem.log.rulings import Ruled
from pbem.mailroom.requests import overview
from pbem.matches.matches import Matches
from pbem.meaning import chatter
from pbem.play import games
from pbem.report import compose
from pbem.report.escape import DIALECTS
from pbem.testing import play_out

OWN = sorted(games.OWN)


@pytest.fixture
def post(tmp_path: Path) -> Post:
    return Post(tmp_path)


@pytest.fixture
def room(post: Post) -> Room:
    """A match of Kahuna with white (Ana) to move."""
    return dealt(post.matches)


@pytest.fixture
def three(post: Post, monkeypatch: pytest.MonkeyPatch) -> Iterator[Room]:
    """A match of the game of vetoes at a table of three."""
    monkeypatch.setitem(games.OWN, "toy", "toy")
    return dealt(post.matches, "toy", ("ann", "bob", "cy"))


def flat(found: str) -> str:
    return " ".join(found.split())


def read(said: str) -> list[tuple[str, str]]:
    found = intake.read(mail(said), "m.eml", "mail")
    return [(each.verb, each.text) for each in found.requests]


# ----------------------------------------------------------------------------- reading


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("resign", [("resign", "")]),
        ("I resign.", [("resign", "")]),
        ("- **Resign**", [("resign", "")]),
        ("aufgeben", [("resign", "")]),
        ("takeback please!", [("takeback", "")]),
        ("takeback to #12", [("takeback", "")]),
        ("zurücknehmen bis #12", [("takeback", "")]),
        ("Hilfe!", [("help", "")]),
        ("[move]\nboard\n[/move]", [("board", "")]),
        ("draw; status", [("status", "")]),
        ("draw; away until 5 Jan; text only", [("away", ""), ("mails", "")]),
        ("say: how are you?", [("say", "how are you?")]),
        ("Sage: na so was; und nun?", [("say", "na so was; und nun?")]),
        ("[say]\nOne\n\nTwo: three\n[/say]", [("say", "One\n\nTwo: three")]),
        ("say: look: [move]draw[/move]", [("say", "look: [move]draw[/move]")]),
        ("absente du 1er au 5 décembre", [("away", "")]),
        ("je suis absent du 3 au 7 janvier", [("away", "")]),
        ("vom 3. bis 7. Januar abwesend", [("away", "")]),
        ("nieobecny od 3 do 7 stycznia", [("away", "")]),
        ("január 3-tól 7-ig távol", [("away", "")]),
        ("throw 2 away", []),
        ("to moderator: when is the deadline?", [("moderator", "when is the deadline?")]),
        ("an die Spielleitung: Frage", [("moderator", "Frage")]),
        ("rules: K-18", [("rules", "K-18")]),
        ("Regeln: Brücken und Karten", [("rules", "Brücken und Karten")]),
        ("the rules: are they long?", []),
        # quoted, struck out, or in the middle of something else
        ("Ana wrote:\n> resign", []),
        ("draw\n\n-----Original Message-----\nresign #9 5989", []),
        ("[s]resign[/s]\ndraw", []),
        ("> [say]\n> gone\n> [/say]\ndraw", []),
        ("I will never resign in this match", []),
        ("the board looks good", []),
        ("say", []),
    ],
)
def test_requests_are_read_from_new_lines_by_themselves(
    said: str, found: list[tuple[str, str]]
) -> None:
    assert read(said) == found


def test_a_resignation_names_a_position() -> None:
    [request] = intake.read(b"resign #17 A3F9", "x", "text").requests
    assert request.position == (17, "a3f9")


@pytest.mark.parametrize("said", ["[say]\nnever closed", "closed only [/say]", "[say] a [say] b"])
def test_a_block_that_is_not_closed_is_refused(said: str) -> None:
    with pytest.raises(intake.BadFile):
        intake.read(mail(f"draw\n{said}"), "m.eml", "mail")


@pytest.mark.parametrize("game", OWN)
def test_no_move_of_a_game_reads_as_a_verb_and_no_verb_as_a_move(game: str) -> None:
    module = games.game(game)
    for seed in range(3):
        for ply in play_out(module, seed=seed).plies:
            said = module.notate(ply.step.move)
            assert intake.read(said.encode(), "x", "text").requests == (), said
    for verb in of_form("alone", "placed"):
        for phrase in phrases("requests", verb):
            with pytest.raises(Unreadable):
                module.parse(" ".join(phrase))


# ----------------------------------------------------------------------------- answers


KEPT = ("say: nice!", "I resign", "tkae JOJO")
"""What leaves a trace: press in the log, a question or a proposal on the desk."""


@pytest.mark.parametrize(
    ("said", "verdict", "told"),
    [
        ("I resign", "asked", "You have not resigned yet."),
        ("takeback please!", "passed-on", "was passed on to the moderator, who decides"),
        ("takeback to #3", "passed-on", "Your wish to take back a move was passed on"),
        ("when is the deadline?", "passed-on", "was passed on to the moderator"),
        ("who is my opponent?", "passed-on", "write it between [move] and [/move]"),
        ("I would love to join", "passed-on", "was passed on to the moderator"),
        ("to moderator: call me", "passed-on", "You'll hear from them"),
        ("help", "asked", "This is legal for you now"),
        ("status", "asked", "] It's your turn."),
        ("rules: K-18", "asked", "K-18: When you win an island"),
        ("rule: k-18?", "asked", "Cases: K08"),
        ("rules: discarded", "asked", "K-10: You can play or discard"),
        ("rules: K-99", "asked", "Nothing was found: Kahuna has no rule K-99"),
        ("rules: <b>{x}</b> xyzzy", "asked", "Nothing was found: no rule of Kahuna speaks of"),
        ("say: nice!", "said", 'You said: "nice!".'),
        ("help\n\nMy sister is ill this week.", "asked", "The rest of your mail was passed on"),
        ("[move]\nnonsense\n[/move]", "refused", "To reach the moderator, write a line that"),
        ("tkae JOJO", "refused", "I read take JOJO in line 1. If that is all, answer yes"),
        ("draw\nresign", "refused", "holds an order and `resign`"),
    ],
)
def test_a_mail_is_answered_with_what_was_understood(
    post: Post, room: Room, said: str, verdict: str, told: str
) -> None:
    post.comes(mail(said))
    with nullcontext() if said in KEPT else room.unchanged():
        assert post.run() == [verdict]
    [answer] = post.to(ANA)
    assert told in flat(text(answer))
    assert len(post.aside()) == (verdict == "passed-on" or "sister" in said or said == "I resign")
    assert plies(room) == []


def test_a_question_above_a_quoted_answer_of_the_desk_reaches_a_person(
    post: Post, room: Room
) -> None:
    post.comes(mail("help"))
    post.run()
    quoted = "\n".join(f"> {line}" for line in post.only(ANA, "notice").split("\n"))
    post.comes(mail(f"when is the deadline?\n\nThe desk wrote:\n{quoted}", identity="<2@e>"))
    post.comes(mail(f"The desk wrote:\n{quoted}", identity="<3@e>"))
    assert post.run() == ["passed-on", "refused"]
    assert len(post.aside()) == 1
    told = [flat(text(each)) for each in post.to(ANA)]
    assert sum("stands in a quoted fence" in each for each in told) == 2


def test_one_answer_tells_all_the_rules_that_a_mail_asks_for(post: Post, room: Room) -> None:
    post.comes(mail("rules: K-18\nrules: K-9"))
    assert post.run() == ["asked"]
    [answer] = post.to(ANA)
    told = flat(text(answer))
    assert "K-18: When you win" in told
    assert "K-9: A bridge is placed on a free line only." in told


def test_help_shows_a_move_that_is_legal_now_and_may_be_sent_back(post: Post, room: Room) -> None:
    post.comes(mail("hilfe"))
    post.run()
    post.comes(mail(fence(post.only(ANA)), identity="<2@e>"))
    assert post.run() == ["accepted"]
    post.comes(mail("help", sender=BEN, identity="<3@e>"))
    post.run()
    assert "It isn't your turn" in post.only(BEN, "notice")


def test_the_board_goes_to_the_address_on_file_whoever_asked(post: Post, room: Room) -> None:
    room.desk.write_text(room.desk.read_text().replace(f'"{ANA}"', f'"{ANA}", "phone@e.example"'))
    post.comes(mail("board", sender="phone@e.example"))
    assert post.run() == ["asked"]
    letter = post.only(ANA, "letter")
    assert "FOR ANA ALONE" in letter
    assert "pbem-key" not in letter
    told = post.only("phone@e.example")
    assert "the address your moderator has on file" in flat(told)
    assert "Choose one of" not in told


def test_status_lists_all_matches_of_the_sender_and_what_waits_first(post: Post) -> None:
    for name in ("one", "two"):
        dealt(post.matches, name=name)
    dealt(post.matches, name="three").says("white", "draw")
    post.comes(mail("status"))
    post.comes(mail("is anybody there?", identity="<2@e>"))
    assert post.run() == ["asked", "passed-on"]
    [status] = [text(each) for each in post.to(ANA) if "Your matches" in text(each)]
    lines = [line for line in status.splitlines() if line.startswith("[")]
    assert [line.split()[0] for line in lines] == ["[one", "[two", "[three"]
    assert lines[0].endswith("] It's your turn.")
    assert "Next to move: Ben." in lines[2]


def test_what_is_about_no_match_needs_no_name_of_one_alone_or_with_others_like_it(
    post: Post,
) -> None:
    for name in ("one", "two"):
        dealt(post.matches, name=name)
    post.comes(mail("mails once\nstatus\nrules: K-18"))
    assert post.run() == ["asked"]
    told = flat(" ".join(text(each) for each in post.to(ANA)))
    for once in ("you get one mail about a match", "Your matches:", "K-18: When you win"):
        assert told.count(once) == 1, once


def test_what_was_asked_before_a_word_that_cannot_be_passed_on_is_done_all_the_same(
    post: Post, room: Room
) -> None:
    post.comes(mail(f"takeback to #9\n\nsay: {'so much ' * 600}\n"))
    with room.unchanged():
        [done] = post.told()
    assert done["verdict"] == "passed-on"
    assert "asks to take back a move" in " ".join(post.aside())
    told = flat(text(post.to(ANA)[-1]))
    assert "Your wish to take back a move was passed on" in told
    assert "What else you ask for was not done: What you say to the others has" in told


def test_status_lists_any_number_of_matches(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    now, matches = room.read(), Matches(str(room.log.parent))
    monkeypatch.setattr(matches, "look", lambda _: now)
    listed = overview(dict.fromkeys(map(str, range(1000)), ("white",)), matches)
    assert str(listed).count("] It's your turn.\n") == 999


@pytest.mark.parametrize("said", ["resign", "board", "say: I give up", "takeback", "status"])
def test_forged_requests_do_nothing_where_proof_is_asked_for(
    post: Post, room: Room, said: str
) -> None:
    strict(room)
    post.comes(mail(said))
    post.comes(VOUCHED + mail(said, identity="<2@e>"))
    with nullcontext() if "say" in said or said == "resign" else room.unchanged():
        assert post.run()[0] == "unproven"
    forged, *_ = sorted(post.to(ANA), key=lambda each: "not accepted" not in text(each))
    assert "#9" not in forged["Subject"] + text(forged)


def test_a_code_covers_requests_and_counts_at_its_position_alone(post: Post, room: Room) -> None:
    room.desk.write_text(room.desk.read_text().replace("addresses:", "policy: signed\naddresses:"))
    key = room.key_file("white")
    told = pbem("sign", room.log, "--key", key, stdin="say: hello").out
    post.comes(mail(told.replace("hello", "I cheat")))
    post.comes(mail(told, identity="<2@e>"))
    room.says("white", "draw")
    post.comes(mail(told, identity="<3@e>"))
    assert post.run() == ["unproven", "stale", "stale"]
    again = pbem("sign", room.log, "--key", key, stdin="say: hello").out
    post.comes(mail(again, identity="<4@e>"))
    assert post.run() == ["said"]
    assert "Ana says: hello" in pbem("log", room.log).out


def test_strangers_are_put_aside_and_told_as_little_as_ever(post: Post, room: Room) -> None:
    post.comes(mail("I would love to join", sender=EVE))
    assert post.run() == ["stranger"]
    assert post.only(EVE).startswith("This address is not in the address book")
    [why] = post.aside()
    assert "a stranger: no match here knows" in why


# ------------------------------------------------------------------------------ resigning


def fence(told: str) -> str:
    return "[move]" + told.rpartition("[move]")[2].partition("[/move]")[0] + "[/move]"


def test_a_match_of_two_ends_once_the_question_is_answered(post: Post, room: Room) -> None:
    post.comes(mail("resign"))
    post.run()
    assert room.read().outcome is None
    assert "[move]" not in post.only(ANA)
    quoted = "".join(f"> {line}\n" for line in post.only(ANA).splitlines())
    post.comes(mail(f"Really?\n\n{quoted}", identity="<2@e>"))
    with room.unchanged():
        post.run()
    post.comes(mail("resign", identity="<3@e>"))
    assert post.run() == ["resigned"]
    assert room.read().outcome is not None
    assert room.read().outcome.winners == ("black",)
    assert room.read().log.entries[-1].by == "white"
    post.comes(mail("resign!", identity="<4@e>"))
    with room.unchanged():
        assert post.run() == ["resigned"]
    assert pbem("verify", room.log, "--key", room.desk).code == 0


def test_who_says_it_twice_before_being_asked_has_not_resigned(
    post: Post, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000300")
    post.comes(mail("resign"), at=1790000100)
    post.comes(mail("resign", identity="<2@e>"), at=1790000160)
    assert post.run() == ["asked", "asked"]
    assert room.read().outcome is None
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000600")
    post.comes(mail("resign", identity="<3@e>"), at=1790000500)
    assert post.run() == ["resigned"]


def test_an_answer_for_a_position_that_has_passed_resigns_nothing(post: Post, room: Room) -> None:
    post.comes(mail("resign"))
    post.run()
    place = room.read().position
    room.says("white", "draw")
    post.comes(mail(f"resign {place}", identity="<2@e>"))
    with room.unchanged():
        assert post.run() == ["asked"]
    told = [flat(text(each)) for each in post.to(ANA)]
    assert any("You have not resigned: the match has gone on" in each for each in told)
    post.comes(mail("resign", identity="<3@e>"))
    assert post.run() == ["asked"]
    assert room.read().outcome is None


def test_the_same_mail_read_twice_is_no_answer_to_its_own_question(room: Room) -> None:
    wish = intake.read(mail("resign"), "m.eml")
    for _ in range(2):
        found = resign(str(room.log), wish, wish.requests[0], commands.at(clock))
        assert found.verdict == Verdict.ASKED


@pytest.mark.parametrize(
    "said",
    [
        "No, I don't want to resign!\n\n[move]\nmatch: m\nresign {place}\n[/move]",
        "[move]\nresign\n[/move]\nGood game, but one more round please",
        "[move]\nresign\n[/move]\nDUDA-BARI",
        "resign\nShould I?",
    ],
)
def test_who_says_anything_else_has_not_resigned_and_is_told_what(
    said: str, post: Post, room: Room
) -> None:
    post.comes(mail("resign"))
    post.run()
    for nth in range(2):
        text_ = said.format(place=room.read().position)
        post.comes(mail(f"{text_}{' ' * nth}", identity=f"<{nth + 2}@e>"))
        assert post.run() == ["asked"]
    assert room.read().outcome is None
    assert any("Your mail also says" in flat(text(each)) for each in post.to(ANA))


@pytest.mark.parametrize("verb", ["resign", "takeback", "takeback to #3", "I take it back!"])
def test_moves_beside_a_wish_to_give_up_are_refused_wherever_they_are_judged(
    verb: str, post: Post, room: Room
) -> None:
    message = mail(f"DUDA-BARI\n{verb}")
    said = intake.read(message, "m.eml")
    with room.unchanged():
        checked = check(str(room.log), said, seat="white", keyring=room.key("white"))
        submitted = submit(str(room.log), said, commands.at(clock))
        post.comes(message)
        assert [checked.verdict, submitted.verdict, *post.run()] == ["refused"] * 3
    assert checked.message == submitted.message
    assert checked.message in flat(post.only(ANA))


def test_among_three_a_seat_is_vacant_and_the_match_goes_on(post: Post, three: Room) -> None:
    post.comes(mail("resign", sender=BEN))
    post.run()
    assert "the others play on" in flat(post.only(BEN))
    post.comes(mail("resign", sender=BEN, identity="<2@e>"))
    assert post.run() == ["vacated"]
    now = three.read()
    assert (now.outcome, set(now.vacant)) == (None, {"bob"})
    [why] = post.aside()
    assert "the seat bob is vacant" in why
    assert three.says("ann", "build 1; build 2").verdict == "accepted"
    post.comes(mail("allow", sender=BEN, identity="<3@e>"))
    assert post.run() == ["refused"]
    told = [flat(text(each)) for each in post.to(BEN)]
    assert any("your seat is vacant" in each for each in told)
    done = pbem("rule", three.log, "default", "--seat", "bob", "--reason", "vacant")
    assert done.code == 0
    arguments = ("--seat", "bob", "--player", "Zoe <zoe@example.org>", "--reason", "new")
    assert pbem("rule", three.log, "substitute", *arguments).code == 0
    assert three.read().vacant == frozenset()
    assert pbem("verify", three.log, "--key", three.desk).code == 0


@pytest.fixture
def double(post: Post) -> Room:
    """A match of Kanaloa (Bambus) in which Ana plays red and green, and Ben yellow."""
    room = dealt(post.matches, "kanaloa-bambus", ("red", "yellow", "green"))
    assert pbem("seat", room.log, "--seat", "green", "--address", ANA).code == 0
    return room


def test_whoever_plays_two_seats_is_asked_which_one_they_resign(post: Post, double: Room) -> None:
    post.comes(mail("resign"))
    post.comes(mail("I resign", identity="<2@e>"))
    with double.unchanged():
        assert post.run() == ["asked", "asked"]
    for answer in post.to(ANA):
        assert "You have not resigned. You play red and green." in flat(text(answer))
        assert fence(text(answer)) == "[move]\nseat: red\nresign\n[/move]"


@pytest.mark.parametrize("seat", ["red", "green"])
@pytest.mark.parametrize("again", ["resign", "[move]\nseat: {}\nresign\n[/move]"])
def test_of_two_seats_the_one_that_is_named_is_given_up(
    seat: str, again: str, post: Post, double: Room
) -> None:
    other = "green" if seat == "red" else "red"
    post.comes(mail(f"[move]\nseat: {seat}\nresign\n[/move]"))
    assert post.run() == ["asked"]
    told = flat(post.only(ANA))
    assert f"{seat}: You have not resigned yet." in told
    assert f"you leave this seat in the match m, and still play {other}." in told
    post.comes(mail(again.format(seat), identity="<2@e>"))
    assert post.run() == ["vacated"]
    assert set(double.read().vacant) == {seat}
    told = flat(" ".join(text(each) for each in post.to(ANA)))
    assert f"{seat}: You have resigned this seat. You still play" in told
    assert "The moderator decides who plays for your seat." in told
    assert f"You still play {other}." in told
    assert "The match goes on without you" not in told
    [why] = post.aside()
    assert f"the seat {seat} is vacant" in why


def test_of_two_seats_the_last_can_be_given_up_without_naming_it(post: Post, double: Room) -> None:
    done = pbem("rule", double.log, "resign", "--seat", "red", "--reason", "by phone")
    assert done.code == 0
    post.comes(mail("resign"))
    post.comes(mail("resign", identity="<2@e>"))
    assert post.run() == ["asked", "vacated"]
    assert set(double.read().vacant) == {"red", "green"}
    told = flat(" ".join(text(each) for each in post.to(ANA)))
    assert "green: You have resigned. The match goes on without you" in told


def test_a_question_about_one_seat_is_not_answered_for_the_other(post: Post, double: Room) -> None:
    post.comes(mail("[move]\nseat: red\nresign\n[/move]"))
    post.comes(mail("[move]\nseat: green\nresign\n[/move]", identity="<2@e>"))
    post.comes(mail("resign", identity="<3@e>"))
    assert post.run() == ["asked", "asked", "asked"]
    assert double.read().vacant == frozenset()
    assert any("Say which seat you give up" in flat(text(each)) for each in post.to(ANA))


def test_who_has_left_is_told_so_and_nothing_after_that(post: Post, three: Room) -> None:
    for nth in (1, 2):
        post.comes(mail("resign", sender=BEN, identity=f"<{nth}@e>"))
        post.run()
    told = {who: len(post.to(who)) for who in (ANA, BEN)}
    three.says("ann", "done")
    post.run()
    assert {who: len(post.to(who)) - n for who, n in told.items()} == {ANA: 1, BEN: 0}
    assert told[BEN] == 2


def test_a_ruling_follows_the_same_rule_and_says_so(three: Room) -> None:
    done = pbem("rule", three.log, "resign", "--seat", "cy", "--reason", "by phone")
    assert done.code == 0
    assert "Cleo resigns. The match goes on, and the seat is vacant." in flat(done.out)
    with three.unchanged():
        again = pbem("rule", three.log, "resign", "--seat", "cy", "--reason", "again")
    assert again.code == 1
    assert "the seat is vacant" in again.err


def test_nobody_is_asked_to_answer_for_a_seat_that_is_vacant(post: Post, three: Room) -> None:
    post.run()
    done = pbem("rule", three.log, "resign", "--seat", "ann", "--reason", "by phone")
    post.run()
    told = [flat(done.out), *(flat(text(each)) for each in (*post.to(ANA), *post.to(BEN)))]
    assert len(told) >= 3
    for each in told:
        assert ("The moderator decides for Ana." in each, "[move]" in each) == (True, False)


def test_an_old_log_in_which_one_of_three_resigned_is_still_a_finished_match(three: Room) -> None:
    log = three.read().log
    old = log.extend(rulings.entry(rulings.Resign("bob"), log.moment(clock()), "as it was"))
    three.log.write_text(old.text)
    assert three.read().outcome is not None
    assert set(three.read().outcome.winners) == {"ann", "cy"}


# ---------------------------------------------------------------------------------- press


def notes(room: Room) -> list[tuple[str, str]]:
    entries = room.read().log.entries
    return [(e.by, e.ruling.text) for e in entries if isinstance(e, Ruled) and e.kind == "note"]


def test_press_stands_in_the_log_and_leaves_the_position_alone(post: Post, room: Room) -> None:
    before = room.read().position
    post.comes(mail("say: good luck!"))
    assert post.run() == ["said"]
    assert room.read().position == before
    assert notes(room) == [("white", "good luck!")]
    post.comes(mail("draw\nsay: your turn", identity="<2@e>"))
    assert post.run() == ["accepted"]
    assert notes(room)[-1] == ("white", "your turn")
    assert plies(room) == ["draw"]
    assert pbem("verify", room.log, "--key", room.desk).code == 0


def test_press_beside_a_move_stands_in_the_next_report(post: Post, room: Room) -> None:
    post.comes(mail("draw\nsay: your turn"))
    post.run()
    assert "Ana says: your turn" in post.only(BEN, "news")
    done = pbem("submit", room.log, "--from", "black", stdin="say: thanks")
    assert "Ben says: thanks" in done.out


def test_a_day_of_questions_keeps_no_order_from_being_played(post: Post, room: Room) -> None:
    for number in range(3):
        post.comes(mail("help", identity=f"<{number}@e>"))
    post.comes(mail("say: too much", identity="<8@e>"))
    post.comes(mail("draw\nsay: and this", identity="<9@e>"))
    assert post.run("--refusals", "2") == ["asked"] * 4 + ["accepted"]
    assert len(post.aside()) == 2
    assert notes(room) == [("white", "and this")]


def test_a_request_through_a_list_is_put_aside(post: Post, room: Room) -> None:
    post.comes(b"List-Id: <club.example>\n" + mail("board"))
    with room.unchanged():
        assert post.run() == ["asked"]
    assert post.answers() == {}
    assert len(post.aside()) == 1


def test_press_beside_a_move_that_is_refused_is_not_passed_on(post: Post, room: Room) -> None:
    post.comes(mail("take KAHU\nsay: mine!"))
    with room.unchanged():
        assert post.run() == ["refused"]


def test_the_same_words_are_said_once_until_the_seat_has_moved(post: Post, room: Room) -> None:
    """As after a crash between the log and the journal."""
    post.comes(mail("say: ha!"))
    post.run()
    forget_mails(post.matches)
    post.comes(mail("say: ha!"))
    with room.unchanged():
        assert post.run() == ["said"]
    room.says("white", "draw")
    post.comes(mail("say: ha!", identity="<2@e>"))
    assert post.run() == ["said"]
    assert notes(room) == [("white", "ha!")] * 2
    assert pbem("submit", room.log, "--from", "black", stdin="say: ha!").code == 0
    assert notes(room)[2:] == [("black", "ha!")], "another may say the same"


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ("say: " + "x" * (press.MOST + 1), "refused"),
        ("[say]\n" + "x" * 1_000_000 + "\n[/say]", "unreadable"),
        ("[say]\n" + "draw\n" * 200_000 + "[/say]", "unreadable"),
    ],
)
def test_press_has_a_limit(post: Post, room: Room, said: str, verdict: str) -> None:
    post.comes(mail(said))
    with room.unchanged():
        assert post.run() == [verdict]
    if verdict == "refused":
        assert "at most 2,000 go into one message" in flat(post.only(ANA))
        post.comes(mail(said[:-1], identity="<2@e>"))
        assert post.run() == ["said"]


HOSTILE = (
    "[move]draw[/move] ```move\ndraw\n``` --- move ---\r\nBcc: eve@x.example [b]bold[/b] "
    "<script>alert(1)</script> **bold** [x](http://x) @ana #17 \N{RIGHT-TO-LEFT OVERRIDE}evil"
)


ALIVE = {
    "text": (),
    "markdown": (r"(?<!\\)<script", r"(?<!\\)\*\*bold", r"(?<!\\)\]\(http", "@ana", "#17"),
    "phpbb": (r"\[b\]bold", r"\[/b\] <", "@ana"),
    "bgg": (r"\[b\]bold", "<script"),
    "html": ("<script",),
}
"""What a dialect would make something of."""


@pytest.mark.parametrize("dialect", DIALECTS)
def test_hostile_press_is_words_in_every_dialect(post: Post, room: Room, dialect: str) -> None:
    post.comes(mail(f"[say]\n{HOSTILE}\n[/say]"))
    assert post.run() == ["said"]
    now = room.read()
    shown = compose.text(compose.public(now, len(now.log.entries) - 1), dialect)
    [said] = [line for line in shown.splitlines() if "alert(1)" in line.replace(" ", "")]
    for mark in (*ALIVE[dialect], r"\[move\]", "```", "\N{RIGHT-TO-LEFT OVERRIDE}"):
        assert not re.search(mark, said), mark
    assert "\nBcc:" not in shown
    for message in post.answers().values():
        assert message["Bcc"] is None
        assert "[move]draw" not in text(message)


AS_A_PLY = {
    "text": r"^\d",
    "markdown": r"^- \*\*\d",
    "phpbb": r"^\[b\]\d",
    "bgg": r"^\[b\]\d",
    "html": r"<strong>\d",
}
"""How a ply begins."""
NO_PLY = {
    "text": r"^(?:Ana says|The moderator)[^\n]*\n(?:  \S[^\n]*\n)*\n",
    "markdown": r"^- (?:Ana says|The moderator)[^\n]*\n\n",
    "phpbb": r"^\[i\](?:Ana says|The moderator)[^\n]*\[/i\]\n\n",
    "bgg": r"^\[i\](?:Ana says|The moderator)[^\n]*\[/i\]\n\n",
    "html": r"^<p style=[^>]*text-indent:-20px[^>]*>(?:Ana says|The moderator)[^\n]*</p>\n\n",
}
"""What somebody says is one paragraph; all lines but its first are set in, or all are marked."""


@pytest.mark.parametrize("width", [40, 72])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_no_line_of_what_somebody_says_begins_like_a_ply(
    room: Room, dialect: str, width: int
) -> None:
    told = [
        ("white", rulings.Note("{pad}" + " 11 Ben: take BARI" * 6)),
        ("moderator", rulings.Note("{pad}\n11 Ben: take BARI\n" * 3)),
    ]
    now = room.read()
    shown = compose.public(now, len(now.log.entries))
    sentences = [ruling.sentence(by).text(now.players) for by, ruling in told]
    reason = "The moderator ends the match: nobody wins. Reason: {pad} 11 Ben: take BARI"
    for length in range(1, width, 1 if dialect == "text" else 16):  # no other is wrapped
        news = tuple(each.format(pad="x" * length) for each in (*sentences, reason))
        lines = compose.text(shown._replace(news=news), dialect, width)
        happened = re.split("(?i)what happened|where the match", lines)[1]
        assert not re.search(AS_A_PLY[dialect], happened, re.M), happened
        assert len(re.findall(NO_PLY[dialect], happened, re.M)) == len(news), happened


# ------------------------------------------------------------------- chatter and refusals


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ("Sorry for the delay, I was ill!\n\nDUDA-BARI", "accepted"),
        ("Sorry for the delay, I was ill!\nDUDA-BARI", "accepted"),
        ("Sorry for the delay, my cat was hungry!\nDUDA-BARI", "refused"),
        ("DUDA-BARI\nI hope that hurts, my friend", "refused"),
        ("Move:\nDUDA-BARI\n:-)", "accepted"),
        ("Hi Ben!\nSorry for the delay :-)\n\nDUDA-BARI\n\nCheers\nAna", "accepted"),
        # a slip in a move, a word of the game, something broken off, an old order
        ("DUDA-BARI\ndrwa", "refused"),
        ("DUDA-BARI\nI would rather tkae jojo", "refused"),
        ("DUDA-BARI\nKAHU-", "refused"),
        ("DUDA-BARI\nbx", "refused"),
        ("DUDA-BARI\nand use my KHAU card", "refused"),
        ("DUDA-BARI\nAna schrieb gestern\nKAHU-COCO", "refused"),
        ("DUDA-BARI\nyou then told us something\nKAHU-COCO", "refused"),
        ("[move]\nDUDA-BARI\nhello out there my friend\n[/move]", "refused"),
    ],
)
def test_chatter_beside_an_order_is_passed_over_and_a_slip_never(
    post: Post, room: Room, said: str, verdict: str
) -> None:
    post.comes(mail(said))
    assert post.run() == [verdict]
    if verdict == "accepted" and ":-)" not in said:
        assert "no move" in post.only(ANA, "answer").partition("WHAT I IGNORED")[2]


@pytest.mark.parametrize("word", ["withdraw draw", "great DUDA", "then BARI", "takeback JOJO"])
def test_nothing_far_is_suggested(post: Post, room: Room, word: str) -> None:
    post.comes(mail(f"[move]\n{word}\n[/move]"))
    assert post.run() == ["refused"]
    assert "Did you mean" not in post.only(ANA)


def test_what_is_near_is_suggested_only_if_it_is_legal_now(post: Post, room: Room) -> None:
    post.comes(mail("[move]\ndrav\n[/move]"))
    post.comes(mail("[move]\nfreee BARI-DUDA\n[/move]", identity="<2@e>"))
    post.run()
    told = [flat(text(each)) for each in post.to(ANA)]
    assert sum("Did you mean draw?" in each for each in told) == 1
    assert not any("mean free" in each for each in told)


def test_a_refusal_ends_with_a_fence_that_holds_what_was_legal(post: Post, room: Room) -> None:
    post.comes(mail("[move]\nDUDA-BARI\ndsaw\n[/move]"))
    post.run()
    told = post.only(ANA)
    assert "DUDA-BARI\n...\n[/move]" in told
    assert "Anything else goes above or below these lines." in flat(told)
    post.comes(mail(fence(told).replace("...", "draw"), identity="<2@e>"))
    assert post.run() == ["accepted"]
    assert plies(room) == ["DUDA-BARI", "draw"]


@pytest.mark.parametrize("game", OWN)
def test_a_slip_in_a_legal_move_is_never_chatter(game: str, tmp_path: Path) -> None:
    seats = games.game(game).SEATS or ("ann", "bob", "cy")
    room = dealt(tmp_path, game, tuple(seats[:3]) if game != "kahuna" else ("white", "black"))
    now, chosen = room.read(), random.Random(1)
    for seat in now.awaited:
        for said in compose.legal(now.seen_by(seat), seat).texts[:40]:
            at = chosen.randrange(len(said))
            for slip in (said[:at] + said[at + 1 :], said[:at] + "q" + said[at:]):
                try:
                    now.game.parse(slip)
                except Unreadable:
                    assert not chatter.is_everyday(now, slip), slip


# ------------------------------------------------------------------ questions about the rules


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Oops, I misread the map, I meant KAHU-COCO. Can I take that back?", "word takeback"),
        ("Darf ich meinen letzten Zug zurücknehmen?", "word takeback"),
        ("How do I quit? Do my bridges stay on the board?", "one word resign"),
    ],
)
def test_who_asks_to_take_back_or_to_give_up_asks_nothing_about_the_rules(
    post: Post, room: Room, said: str, told: str
) -> None:
    assert room.says("white", "draw").verdict == "accepted"
    with room.unchanged():
        post.comes(mail(said))
        assert post.run() == ["passed-on"]
    assert told in flat(text(post.to(ANA)[-1]))
    assert "Nearest to it in the rules" not in flat(text(post.to(ANA)[-1]))


@pytest.mark.parametrize("played", [False, True])
@pytest.mark.parametrize(
    "said",
    [
        "Please take me out of the game, I have no time any more",
        "ich steige aus",
        "je quitte la partie",
        "dejo la partida",
        "Lascio la partita",
        "Wycofuję się z gry",
        "Kiszállok",
        "I'm done with this game.",
        "Ich bin fertig mit dem Spiel",
    ],
)
def test_who_leaves_in_words_of_their_own_is_told_how_to_resign(
    said: str, played: bool, post: Post, room: Room
) -> None:
    if played:
        assert room.says("white", "draw").verdict == "accepted"
    post.comes(mail(said))
    with room.unchanged():
        assert post.run() == ["passed-on"]
    told = flat(text(post.to(ANA)[-1]))
    assert "one word resign" in told
    assert "takeback" not in told


ASKED = "Can I still build on DUDA-BARI if Ben controls Bari?"


@pytest.mark.parametrize(
    ("said", "verdict", "told"),
    [
        (ASKED, "passed-on", "Your question was passed on to the moderator, who will answer it"),
        (f"KAHU-COCO\n\n{ASKED}", "accepted", "K-43"),
        ("[move] #9 5989\nKAHU-COCO\n[/move]\n\nHow many cards may I hold?", "accepted", "K-7"),
        ("Wie viele Karten darf ich auf der Hand haben?", "passed-on", "K-7"),
        ("KAHU-COCO\n\nCombien de cartes puis-je avoir en main ?", "accepted", "K-7"),
    ],
)
def test_a_question_about_the_rules_is_answered_by_them_and_passed_on_alone(
    post: Post, room: Room, said: str, verdict: str, told: str
) -> None:
    post.comes(mail(said))
    assert post.run() == [verdict]
    answer = flat(text(post.to(ANA)[-1]))
    assert told in answer
    assert ("K-43 (of an option that this match is played without): In Variant 1" in answer) == (
        ASKED in said
    )
    assert "no move in your" not in answer
    [aside] = post.aside()
    assert "white asks about the rules" in aside
    passed = pbem("aside", post.matches, 1).out
    for part in re.split("KAHU-COCO|DUDA-BARI|Bari", said.splitlines()[-1]):
        assert part.strip() in passed
    assert "KAHU-COCO" not in passed
    assert plies(room) == (["KAHU-COCO"] if verdict == "accepted" else [])


@pytest.mark.parametrize(
    "said",
    [
        "Shall we meet on Sunday?",
        "Why me?",
        "Kann ich die Karte noch sehen?",
        "Can somebody else play for me?",
        "Can you remind Ben that it's his turn?",
        "When does the spring pool end?",
        "I believe Ben's second bridge breaks the rules, could you look at it?",
    ],
)
def test_other_questions_find_no_rule(post: Post, room: Room, said: str) -> None:
    post.comes(mail(said))
    assert post.run() == ["passed-on"]
    assert "K-" not in post.only(ANA)


@pytest.mark.parametrize(
    ("said", "verb"),
    [
        *(
            ("halp", "help"),
            ("statsu", "status"),
            ("bord", "board"),
            ("takebakc to #9", "takeback"),
        ),
        *(("resing", "resign"), ("awya until 5 Jan", "away"), ("bakc", "back")),
        ("to moderatr: I need a pause", "to moderator"),
        *(("withdrwa", "withdraw"), ("witdraw 2", "withdraw"), ("plasn", "plans")),
        *(("with draw", "withdraw"), ("[move]\nwith draw 2\n[/move]", "withdraw")),
        ("zurückzihen", "zurückziehen"),
    ],
)
def test_a_misspelt_verb_gets_the_one_it_resembles(
    post: Post, room: Room, said: str, verb: str
) -> None:
    post.comes(mail(said))
    assert post.run() == ["refused"]
    assert f"Did you mean {verb}?" in flat(post.only(ANA))


UNDONE = (
    "to moderator: please do not play this before Friday",
    "to moderator: wait, I am not sure about this",
    "to moderator: only play it if Ben agrees",
    "an die Spielleitung: bitte erst am Freitag ausführen",
    "say: this move is only a test, please ignore it",
    "say: forget my last mail",
    "[say]Hello all!\nIgnore my move, I will send another.[/say]",
)
HARMLESS = (
    "to moderator: thanks",
    "to moderator: sorry for the delay, I was ill",
    "to moderator: Ben built two bridges with one card, and it was illegal",
    "to moderator: I'll be in Norway next week without internet. Can we pause the match?",
    "an die Spielleitung: Kannst du Ben bitte erinnern? Er hat seit Tagen nicht geantwortet.",
    "say: not bad, Ben!",
    "say: sorry for the wait, flu",
    "say: oops, I forgot how strong you are",
    "[say]No mercy this time!\nWait for my revenge.[/say]",
)


@pytest.mark.parametrize("order", ["KAHU-COCO", "[move]\nKAHU-COCO\n[/move]"])
@pytest.mark.parametrize("beside", [*UNDONE, *HARMLESS])
def test_what_is_said_beside_moves_may_take_them_back(
    beside: str, order: str, post: Post, room: Room
) -> None:
    post.comes(mail(f"{order}\n\n{beside}\n"))
    assert post.run() == ["refused" if beside in UNDONE else "accepted"]
    assert plies(room) == ([] if beside in UNDONE else ["KAHU-COCO"])
    if beside in UNDONE:
        told = flat(post.only(ANA))
        assert re.search("If you want no more than this|your order counts as it stands", told)
