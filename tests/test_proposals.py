"""What is nearly clear is proposed, kept while its question stands, and played by a yes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import commands
import pytest
from commands import ANA, BEN, Room, dealt, mail, pbem
from long import within
from postroom import Post, plies
from postroom import text as text_of
from test_people import POSITIONS, dealt_like

from pbem import intake
from pbem.desk.answer import Answer
from pbem.desk.append import save
from pbem.desk.file import Desk
from pbem.desk.plans.model import Plan, Waiting, Yes
from pbem.desk.submit import submit
from pbem.files.timestamp import now as clock
from pbem.intake import forum
from pbem.report import compose


@pytest.fixture
def room(tmp_path: Path) -> Room:
    """A match of Kahuna with white (Ana) to move."""
    return dealt(tmp_path)


YES = "yes|Yes!|ja|Ja, genau|oui|sí|sim|tak|igen|ano|kyllä|да|yes please".split("|")
UNCLEAR = "Costruisco un bel ponte da Kahu a Coco e poi pesco"


def says(room: Room, text: str, nth: int) -> Answer:
    """Hand in a mail of Ana's."""
    said = intake.read(mail(text, identity=f"<{nth}@e>"), "m.eml")
    return submit(str(room.log), said, commands.at(clock))


@pytest.mark.parametrize("word", YES)
def test_yes_in_any_language_plays_what_was_proposed_and_a_second_is_a_duplicate(
    word: str, room: Room
) -> None:
    assert says(room, UNCLEAR, 1).proposal == (("KAHU-COCO", "draw"),)
    done = says(room, f"{word}\n\nCheers\nAna\n\n> I read KAHU-COCO, then draw", 2)
    assert (done.verdict, [step.move for step in done.steps] != []) == ("accepted", True)
    with room.unchanged():
        assert says(room, f"{word}\n", 3).verdict == "duplicate"
    assert [ply.move for ply, _ in room.read().plies][-3:-1] == ["KAHU-COCO", "draw"]


FINE = "ok|OKAY!|👍|👍🏽 thanks|ok, thanks|Ok danke|OK Ana|d'accord, merci|va bene|rendben|yes Ana"


@pytest.mark.parametrize("word", FINE.split("|"))
def test_a_word_of_agreement_alone_is_a_yes_behind_a_question_and_talk_elsewhere(
    word: str, tmp_path: Path
) -> None:
    post = Post(tmp_path)
    room = dealt(post.matches)
    came = []
    for nth, said in enumerate((word, UNCLEAR, f"Hi,\n\n{word}\n\nAna\n\n> answer yes"), 1):
        post.comes(mail(said, identity=f"<{nth}@e>"))
        came += post.run()
    assert came[1:] == ["refused", "accepted"]
    assert came[0] == "asked" or word == "yes Ana"  # thanked: nobody need look at it
    assert plies(room) == ["KAHU-COCO", "draw"]


@pytest.mark.parametrize(
    "said", ["ok but not the draw", "ok, I'll think about it", "ok?", "Ok Coco", "ok\nno", "Thanks"]
)
def test_a_word_of_agreement_with_anything_else_in_it_is_no_yes(said: str, room: Room) -> None:
    says(room, UNCLEAR, 1)
    assert (says(room, said, 2).steps, plies(room)) == ((), [])


def test_a_block_with_lines_that_cannot_be_read_waits_with_the_rest_of_it(room: Room) -> None:
    answer = says(room, "[move]\nxyzzy\nKAHU-COCO\nplugh\ndraw\n[/move]", 1)
    assert (answer.proposal, answer.by_number) == ((("KAHU-COCO", "draw"),), True)
    assert "I'm not sure about 'xyzzy'" in answer.message
    assert says(room, "1", 2).verdict == "accepted"
    assert plies(room) == ["KAHU-COCO", "draw"]


@pytest.mark.parametrize("said", ["Ana " * 5000, "ja stimmt " * 5000, "ok ok " * 9 + "x"])
def test_words_of_agreement_without_end_are_no_yes_and_cost_nothing(said: str, room: Room) -> None:
    assert says(room, UNCLEAR, 1).proposal
    with within(3):
        assert (says(room, said, 2).steps, plies(room)) == ((), [])


def test_the_doubt_that_is_named_is_what_nobody_understands(room: Room) -> None:
    said = "Ben, te corto el paso: puente de Kahu a Coco (pago con Kahu) y cojo la Jojo."
    answer = says(room, said, 1)
    assert answer.proposal == (("KAHU-COCO", "take JOJO"),)
    assert "I'm not sure about 'te corto el paso'" in answer.message
    said = f"KAHU-COCO and draw, but only if {'nobody minds that very much indeed ' * 7}"
    assert " \N{HORIZONTAL ELLIPSIS}'" in says(room, said, 2).message


def test_what_only_a_person_reads_is_answered_into_its_file_as_well(
    room: Room, tmp_path: Path
) -> None:
    reply = tmp_path / "reply.txt"
    asked = ["submit", room.log, "-", "--from", "white", "--reply", reply]
    assert pbem(*asked, stdin="Where are the rules?").code == 0
    told = " ".join(reply.read_text().split())
    assert "Your mail was passed on to the moderator." in told
    assert "Your move" not in told


def test_a_danish_thanks_plays_nothing_and_is_asked_about(room: Room) -> None:
    assert says(room, "Jeg bygger en bro fra Kahu til Coco og trækker et nyt kort", 1).proposal
    answer = says(room, "Tak!", 2)
    assert (answer.verdict, plies(room)) == ("refused", [])
    assert "tak may be thanks" in answer.message
    assert says(room, "ja", 3).verdict == "accepted"
    assert plies(room) == ["KAHU-COCO", "draw"]


def test_a_bare_thanks_is_no_move(room: Room) -> None:
    answer = says(room, "tak", 1)
    assert (answer.verdict, plies(room)) == ("duplicate", [])


@pytest.mark.parametrize(
    "between", ["no", "No wait, something else", "nonsense", "say: hello", "DUDA-BARI", "#3 draw"]
)
def test_a_proposal_is_gone_when_the_question_is(between: str, room: Room) -> None:
    says(room, UNCLEAR, 1)
    says(room, between, 2)
    # Press leaves the question open; what is not understood is answered with the question.
    plays = between in ("say: hello", "nonsense")
    answer = says(room, "yes", 3)
    assert (answer.verdict == "accepted", bool(answer.steps)) == (plays, plays)


OTHERWISE = (
    "withdraw",
    "takeback",
    "away until 5 Jan",
    "to moderator: please forget what I asked for",
    "On second thoughts I would rather not, let me think about it until tomorrow",
    "Please ignore my last mail, I have changed my mind about the bridge",
    "How many bridges may I build in a turn?",
)
SHOWN = ("status", "help", "board", "rules: draw", "mails once", "say: hello")


@pytest.mark.parametrize("between", [*OTHERWISE, *SHOWN])
def test_whoever_writes_of_something_else_has_said_yes_to_nothing(
    between: str, tmp_path: Path
) -> None:
    post = Post(tmp_path)
    room = dealt(post.matches)
    post.comes(mail(UNCLEAR, identity="<1@e>"))
    assert post.run() == ["refused"]
    post.comes(mail(between, identity="<2@e>"))
    post.run()
    post.comes(mail("yes", identity="<3@e>"))
    assert post.run() == ["accepted" if between in SHOWN else "duplicate"]
    assert (plies(room) != []) == (between in SHOWN)


@pytest.mark.parametrize("between", OTHERWISE)
def test_so_has_whoever_does_by_hand(between: str, room: Room) -> None:
    says(room, UNCLEAR, 1)
    says(room, between, 2)
    assert says(room, "yes", 3).steps == ()


def test_of_two_readings_one_is_chosen_by_its_number(room: Room) -> None:
    desk = Desk.read(str(room.log))
    now = room.read()
    readings = (("KAHU-COCO",), ("DUDA-BARI", "draw"))
    asked = Plan("white", readings, given=now.log.chain, yes=Yes())
    waits = (Waiting(now.log.chain, (asked,)),)
    save(now, now, desk, replace(desk, waits=waits), compose.rehearse)
    assert says(room, "yes", 1).proposal == readings
    assert says(room, "ok, thanks", 3).proposal == readings
    assert says(room, "2", 2).verdict == "accepted"
    assert [ply.move for ply, _ in room.read().plies][9:11] == ["DUDA-BARI", "draw"]


def test_a_yes_needs_the_proof_of_any_order_and_counts_for_its_seat_alone(room: Room) -> None:
    says(room, UNCLEAR, 1)
    said = intake.read(mail("yes", sender=f"Ben <{BEN}>", identity="<2@e>"), "m.eml")
    assert submit(str(room.log), said, commands.at(clock)).steps == ()
    eve = intake.read(mail("yes", sender="Eve <eve@example.org>", identity="<3@e>"), "m.eml")
    assert submit(str(room.log), eve, commands.at(clock)).verdict == "sender"
    assert says(room, "yes", 4).verdict == "accepted"


def test_in_a_forum_a_post_may_say_yes_too(room: Room) -> None:
    authors = "authors: {white: [ana_w]}\naddresses:"
    room.desk.write_text(room.desk.read_text().replace("addresses:", authors))
    for nth, text in enumerate((UNCLEAR, "yes"), 1):
        post = forum.read(text.encode(), "post.txt", author="ana_w", post=str(nth))
        answer = submit(str(room.log), post, commands.at(clock))
    assert answer.verdict == "accepted"


def test_check_and_submit_say_what_they_propose(room: Room) -> None:
    told = pbem("check", room.log, "-", "--from", "white", "--json", stdin=UNCLEAR).json
    assert told["proposal"] == ["KAHU-COCO", "draw"]
    done = pbem("submit", room.log, "-", "--from", "white", "--json", stdin=UNCLEAR).json
    assert done["proposal"] == ["KAHU-COCO", "draw"]
    yes = pbem("submit", room.log, "-", "--from", "white", stdin="yes")
    assert (yes.code, plies(room)) == (0, ["KAHU-COCO", "draw"])


def test_what_stands_in_place_of_the_quoted_dots_is_proposed(room: Room) -> None:
    answer = says(room, "> [move] #9 5989\n> KAHU-COCO\n> draw\n> [/move]\n", 1)
    assert (answer.verdict, answer.proposal) == ("refused", (("KAHU-COCO", "draw"),))
    outlook = "-----Original Message-----\nFrom: desk@example.org\nSent: Monday, 23 November 2026\n"
    answer = says(room, f"{outlook}\n[move] #9 5989\nKAHU-COCO\ndraw\n[/move]\n", 9)
    assert (answer.verdict, answer.proposal) == ("refused", (("KAHU-COCO", "draw"),))
    assert "'-----Original Message-----' in line 1" in answer.message
    ours = "> [move] #9 5989\n> KAHU-COCO\n> ...\n> [/move]\n"
    assert says(room, ours, 2).proposal == ()
    assert says(room, f"I will think about it\n\n{ours.replace('...', 'draw')}", 3).proposal == ()


def test_by_mail_the_answer_says_what_was_read_and_yes_plays_it(tmp_path: Path) -> None:
    post = Post(tmp_path)
    room = dealt(post.matches)
    post.comes(mail(UNCLEAR))
    assert post.run() == ["refused"]
    told = " ".join(post.only(ANA).split())
    assert "I read KAHU-COCO, then draw in line 1. If that is all, answer yes." in told
    assert "KAHU-COCO\ndraw\n" in post.only(ANA)
    quoted = "\n".join(f"> {line}" for line in post.only(ANA).split("\n"))
    post.comes(mail(f"yes\n\nThe desk wrote:\n{quoted}", identity="<2@e>"))
    assert post.run() == ["accepted"]
    assert plies(room) == ["KAHU-COCO", "draw"]


@pytest.mark.parametrize("said", ["1", "yes", "Ja, bitte", "ok, thanks"])
def test_a_single_order_on_offer_is_played_by_its_number_and_by_a_yes(
    said: str, tmp_path: Path
) -> None:
    post = Post(tmp_path)
    room = dealt(post.matches)
    answers = ["KAHU-COCO\ndraw\n\nWait, no, scrap that.", "2", said]
    for nth, text in enumerate(answers):
        post.comes(mail(text, identity=f"<{nth}@e>"))
    assert post.run() == ["refused", "refused", "accepted"]
    assert plies(room) == ["KAHU-COCO", "draw"]


@pytest.mark.parametrize("wish", ["status", "say: hello", "to moderator: a question"])
def test_by_mail_an_order_to_be_seen_is_proposed_beside_a_wish_as_well(
    tmp_path: Path, wish: str
) -> None:
    post = Post(tmp_path)
    room = dealt(post.matches)
    post.comes(mail(f"{UNCLEAR}\n{wish}", identity="<1@e>"))
    assert post.run() == ["refused"]
    assert "I read KAHU-COCO, then draw" in " ".join(post.only(ANA).split())
    post.comes(mail("yes", identity="<2@e>"))
    assert post.run() == ["accepted"]
    assert plies(room) == ["KAHU-COCO", "draw"]


def test_by_mail_no_lets_it_go(tmp_path: Path) -> None:
    post = Post(tmp_path)
    room = dealt(post.matches)
    post.comes(mail(UNCLEAR))
    post.comes(mail("no", identity="<2@e>"))
    post.comes(mail("yes", identity="<3@e>"))
    assert post.run() == ["refused", "withdrawn", "duplicate"]
    assert plies(room) == []
    [answer] = [
        each for each in post.to(ANA) if "Nothing was played: you said no." in text_of(each)
    ]
    assert "Nothing was played; Ana to move" in answer["Subject"]


# ------------------------------------------------------------- every sentence says what to do

DRAWN = "[m #9 5989]"
SENTENCES = {
    # a mail of Ana's: its subject, its text; what it is told, and the block to send
    "a line that may take it back": (
        (DRAWN, "Coffee tomorrow.\nKAHU-COCO\ntake FAAA"),
        "I'm not sure about 'Coffee tomorrow.'. If you want no more than this, answer 1. "
        "1 KAHU-COCO, then take FAAA",
        "...",
    ),
    "a line below that takes it back": (
        (DRAWN, "KAHU-COCO\ntake FAAA\n\nWait, no, scrap that."),
        "I'm not sure about 'Wait, no, scrap that.'. If you want no more than this, answer 1. ",
        "...",
    ),
    "a word in the only line that may take it back": (
        (DRAWN, "KAHU-COCO only if Ben agrees"),
        "I'm not sure about 'KAHU-COCO only if Ben agrees'. If you want no more than this, "
        "answer 1.",
        "...",
    ),
    "a block with nothing in it": (
        (DRAWN, "[move] #9 5989\n...\n[/move]"),
        "There is no move in your block yet. Put your moves in place of the dots, one on each "
        "line.",
        "...",
    ),
    "a plan that lacks something": (
        (DRAWN, "[move] #9 5989\nif black draw: KAHU-COCO\n[/move]"),
        "Please write line 2 again, as plans are written.",
        "...",
    ),
    "the same beside a fence": (
        (DRAWN, "I changed my mind\n\n[move] #9 5989\nKAHU-COCO\n[/move]"),
        "I read KAHU-COCO. I can't tell what 'I changed my mind' in line 1 means. If your order "
        "counts as it stands, answer yes",
        "KAHU-COCO\n...",
    ),
    "a line that leaves something out": (
        (DRAWN, "take a card"),
        "Which one do you mean? Answer with its number. 1 take DUDA 2 take FAAA 3 take JOJO",
        "...",
    ),
    "a fence that is left open": (
        (DRAWN, "[move] #9 5989\nKAHU-COCO"),
        "Please add a line [/move] below your moves",
        "...",
    ),
    "an empty mail": (
        ("My move", " "),
        "Your mail was empty. Write your moves in the mail itself, not in the subject.",
        "...",
    ),
    "a move in the subject": (
        (f"{DRAWN} KAHU-COCO", " "),
        "Your mail was empty. Write your moves in the mail itself, not in the subject. If you mean "
        "KAHU-COCO, answer yes.",
        "KAHU-COCO\n...",
    ),
    "a position that never was": (
        ("[m #9 beef]", "KAHU-COCO"),
        "Your mail names a position that this match never had. It is at #9 5989; here is the block "
        "for it.",
        "KAHU-COCO\n...",
    ),
}


@pytest.mark.parametrize("name", SENTENCES)
def test_an_answer_says_what_was_understood_and_what_is_to_be_done(
    tmp_path: Path, name: str
) -> None:
    (subject, said), told, block = SENTENCES[name]
    post = Post(tmp_path)
    room = dealt(post.matches)
    raw = mail(said, subject=subject)
    for command in ("check", "submit"):
        done = pbem(command, room.log, room.write("m.eml", raw))
        assert done.code in (1, 65)
        assert told.rstrip(".").casefold() in " ".join(done.printed.split()).casefold()
    post.comes(raw)
    post.run()
    assert told in " ".join(post.only(ANA).split())
    assert f"[move] #9 5989\n{block}\n[/move]" in post.only(ANA)
    assert plies(room) == []


def test_of_several_moves_the_answer_names_the_one_that_is_refused(room: Room) -> None:
    for said, told in (
        ("KAHU-COCO\nKAHU-GOLA", "KAHU-GOLA: You hold no KAHU [K-10]"),
        ("KAHU-GOLA\nKAHU-COCO", "KAHU-COCO: You hold no KAHU [K-10]"),
        ("ALOA-BARI", "You hold no"),
    ):
        done = pbem("submit", room.log, "-", "--from", "white", stdin=said)
        assert told in " ".join(done.out.split()[:24])


def test_a_mail_for_a_match_its_sender_does_not_play_in_is_asked_which_it_is_for(
    tmp_path: Path,
) -> None:
    post = Post(tmp_path)
    dealt(post.matches, name="k1")
    post.comes(mail("KAHU-COCO", subject="[kahuna-77 #9 beef]"))
    assert post.run() == ["stranger"]
    told = " ".join(post.only(ANA).split())
    assert "names the match kahuna-77, and you play in k1. Which one is your move for?" in told
    assert "Send it again with this subject: [k1]" in told


@pytest.mark.parametrize("said", ["move E", "sail to E", "I go to E, please"])
def test_what_a_move_leaves_open_the_position_settles_for_the_moderator_too(
    tmp_path: Path, said: str
) -> None:
    place = POSITIONS["b-swap"]
    room = dealt_like(tmp_path, place)
    answer = room.says("blue", said)
    assert answer.verdict == "accepted", answer.message
    assert [room.read().game.notate(step.move) for step in answer.steps] == ["move A-E"]


def test_to_sail_somewhere_is_offered_where_one_voyage_ends_there(tmp_path: Path) -> None:
    place = POSITIONS["b-swap"]
    room = dealt_like(tmp_path, place)
    assert room.says("blue", "sail my ship over to E").proposal[-1] == ("move A-E",)


@pytest.mark.parametrize("text", ["withdraw", "Ignore my last mail", "Ignoriert meine letzte Mail"])
def test_whoever_takes_back_what_was_played_is_told_that_it_stands(
    text: str, tmp_path: Path
) -> None:
    post = Post(tmp_path)
    room = dealt(post.matches)
    post.comes(mail("KAHU-COCO", identity="<1@e>"))
    post.run()
    before = set(post.answers())
    post.comes(mail(text, identity="<2@e>"))
    post.run()
    [answer] = (each for name, each in post.answers().items() if name not in before)
    told = " ".join(text_of(answer).split())
    assert "What was played stands" in told
    assert "he one word takeback" in told
    assert plies(room) == ["KAHU-COCO"]
