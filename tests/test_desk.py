"""From a message to plies: what is taken, what is refused, and what changes nothing."""

from __future__ import annotations

import hmac
import itertools
import json
import random
import re
from pathlib import Path

import commands
import pytest
from commands import ANA, BEN, Room, dealt, mail, pbem

from pbem import intake
from pbem.core import CHANCE, HIDDEN, Position
from pbem.desk.authorship.signature import sign
from pbem.desk.file import Desk
from pbem.desk.submit import check, recall, submit
from pbem.files.timestamp import now as clock
from pbem.intake import Submission
from pbem.log import seal
from pbem.log.format import Log
from pbem.log.match import Replay
from pbem.log.seal import Keyring
from pbem.play import games
from pbem.play import judge as play
from pbem.problem import Problem, Usage
from pbem.report import compose
from pbem.report.refusal import rejection

# White holds DUDA, KAHU, LALE; DUDA, FAAA, JOJO lie face up; black holds ALOA, GOLA, IFFI.
ORDER = "DUDA-BARI\nKAHU-COCO\ntake JOJO"


def plies(room: Room) -> list[tuple[str, str]]:
    """What has been played since the deal, chance left out."""
    return [(p.seat, p.move) for p, _ in room.read().plies if p.seat != CHANCE]


# ------------------------------------------------------------------------ an order is played


def test_an_order_is_played_to_the_end_and_chance_draws_what_is_owed(room: Room) -> None:
    answer = room.says("white", ORDER)
    assert (answer.verdict, answer.code) == ("accepted", 0)
    assert plies(room) == [("white", "DUDA-BARI"), ("white", "KAHU-COCO"), ("white", "take JOJO")]
    now = room.read()
    assert now.plies[-1][0].seat == CHANCE
    assert now.awaited == ("black",)


def test_a_draw_from_the_pile_is_sealed_for_who_draws(room: Room) -> None:
    room.says("white", "draw")
    drawn = [{s: room.read(s).plies[-1][1][0].card for s in ("white", "black")}]
    assert drawn[0]["white"] != HIDDEN
    assert drawn[0]["black"] == HIDDEN
    assert room.read(None).plies[-1][1][0].card == HIDDEN


@pytest.mark.parametrize(
    "text",
    [
        "duda-bari; kahu-coco; take jojo",
        "Duda - Bari\nKahu nach Coco\nnimm Jojo",
        "[move] #9 5989\nDUDA-BARI\nKAHU-COCO\ntake JOJO\n[/move]\nAnd greetings to Ben!",
        "Hi,\n\nDUDA-BARI\nKAHU-COCO\ntake JOJO\n\nCheers\n-- \nAna, KAHU Ltd\n",
        "> DUDA-ALOA\n> draw\n\nDUDA-BARI\nKAHU-COCO\ntake JOJO",
    ],
    ids=["one line", "German", "fence", "courtesies and a signature", "quoted old order above"],
)
def test_an_order_may_be_written_in_many_ways(room: Room, text: str) -> None:
    assert room.says("white", text).verdict == "accepted"
    assert [move for _, move in plies(room)] == ["DUDA-BARI", "KAHU-COCO", "take JOJO"]


def test_quoted_old_orders_are_never_played(room: Room) -> None:
    body = "take FAAA\n\nOn Friday, the desk wrote:\n> [move] #9 5989\n> DUDA-BARI\n> [/move]\n"
    answer = room.mails(mail(body))
    assert plies(room) == [("white", "take FAAA")]
    assert answer.submission is not None
    assert {each.why for each in answer.submission.ignored} == {"attribution", "quote"}


LONG = "Hello Ben, it was very nice to meet you and your family in Hamburg"


@pytest.mark.parametrize(
    ("body", "moves"),
    [
        (f"say: {LONG} on \nKAHU-COCO\ndraw", ["KAHU-COCO", "draw"]),
        (f"say: {LONG} on \nour way \nKAHU-COCO; draw", ["KAHU-COCO", "draw"]),
        (f"say: {LONG} on \nour way home\nKAHU-COCO\ndraw", ["KAHU-COCO", "draw"]),
        (f"to moderator: {LONG} \nKahu nach Coco\ndraw", []),
        (f"rules: {'robbing ' * 9}\nKAHU-COCO\ndraw", ["KAHU-COCO", "draw"]),
        (f"say: {LONG} \n[move]\nKAHU-COCO\ndraw\n[/move]", ["KAHU-COCO", "draw"]),
        (f"[move]\nsay: {LONG} \nKAHU-COCO\ndraw\n[/move]", ["KAHU-COCO", "draw"]),
        (f"{LONG}, and I hope that all is well! \nKAHU-COCO\ndraw", []),
    ],
)
def test_a_move_below_a_long_line_that_ends_with_a_blank_is_no_part_of_it(
    room: Room, body: str, moves: list[str]
) -> None:
    answer = room.mails(mail(body))
    assert [move for _, move in plies(room)] == moves
    assert answer.submission is not None
    assert "COCO" not in "".join(each.text for each in answer.submission.requests).upper()


# ----------------------------------------------------------------------- all or nothing


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        ("DUDA-BARI; KAHU-COCO; LALE-BARI", "No line joins"),
        ("DUDA-BARI; KAHU-COCO; take HUNA", "HUNA isn't face up"),
        ("DUDA-BARI; ALOA-COCO", "No line joins"),
        ("DUDA-BARI; DUDA-ELAI", "You hold no DUDA"),
        ("discard KAHU; draw", "and you hold 3 [K-15]"),
        ("DUDA-BARI; ELAI+IFFI x ELAI-IFFI", "no bridge"),
    ],
)
def test_up_to_the_horizon_one_bad_move_rejects_the_whole_order(
    room: Room, order: str, reason: str
) -> None:
    with room.unchanged():
        answer = room.says("white", order)
    assert (answer.verdict, answer.code) == ("refused", 1)
    assert reason in answer.message


def test_every_line_that_cannot_be_read_is_told_at_once(room: Room) -> None:
    answer = room.says("white", "DUDA-BARY\nKAHU-COCO\ntake a walk\ndraw 2 cards now please")
    assert plies(room) == []
    assert [(trouble.line, trouble.text) for trouble in answer.troubles] == [
        (1, "DUDA-BARY"),
        (3, "take a walk"),
        (4, "draw 2 cards now please"),
    ]
    assert answer.code == 1


def test_the_same_move_once_more_after_the_turn_is_told_and_not_played(room: Room) -> None:
    answer = room.says("white", "draw; draw")
    assert plies(room) == [("white", "draw")]
    assert [each.text for each in answer.not_played] == ["draw"]
    assert {str(each.why) for each in answer.not_played} == {"The turn of white is over"}
    assert answer.held == ()


@pytest.mark.parametrize(
    "order",
    [
        "draw; KAHU-COCO",
        "draw; take KAHU",
        "KAHU-COCO; draw; pass",
        "take FAAA; take JOJO",
        "take FAAA; take FAAA; draw",
        "draw; draw; draw; take KAHU",
        "[move]\ndraw; draw\ntake FAAA or take JOJO\n[/move]",
        "[move]\ndraw; take FAAA or take JOJO\n[/move]",
        "[move]\ndraw\ntake FAAA or take JOJO\n[/move]",
    ],
)
def test_of_two_moves_of_which_one_ends_the_turn_nobody_knows_which_is_meant(
    order: str, room: Room
) -> None:
    *_, last, behind = re.split("; |\n", order.removesuffix("\n[/move]"))
    behind = behind.partition(" or ")[0] if "; take FAAA or" in order else behind
    with room.unchanged():
        answer = room.says("white", order)
    assert answer.verdict == "refused"
    said = answer.message.casefold()
    assert f"{last} ends the turn, and".casefold() in said, said
    assert f"{behind!r} stands behind it".casefold() in said, said


def test_a_hidden_discard_is_sealed_and_a_spectator_reads_a_question_mark(tmp_path: Path) -> None:
    room = dealt(tmp_path, discard="free")
    room.says("white", "discard KAHU; draw")
    [ply] = [ply for ply, _ in room.read(None).plies if ply.move.startswith("discard")]
    assert ply.move == "discard ?"
    assert ply.whole.startswith("sealed:0:")
    assert "discard KAHU" not in room.log.read_text()
    [told] = [e for p, e in room.read("white").plies if p.number == ply.number]
    assert told[0].card == "KAHU"


def test_in_a_match_with_real_cards_the_moderator_types_what_they_showed(tmp_path: Path) -> None:
    room = dealt(tmp_path, dealer_name="asked")
    assert room.read().awaited == ()
    answer = room.says(CHANCE, "deal BARI; deal ALOA; deal COCO; deal BARI; deal ALOA; deal COCO")
    assert answer.verdict == "accepted"
    with room.unchanged():
        refused = room.says(CHANCE, "deal BARI")
        unnamed = room.says(CHANCE, "deal ?")
    assert "Both BARI cards are elsewhere" in refused.message
    assert [trouble.text for trouble in unnamed.troubles] == ["deal ?"]
    room.says(CHANCE, "deal KAHU; deal DUDA; deal KAHU")
    assert room.read().awaited == ("white",)
    assert room.read(None).game.view(room.read(None).state)["hands"]["white"] == [HIDDEN] * 3


def test_nobody_deals_for_a_sealed_dealer(room: Room) -> None:
    with room.unchanged():
        assert room.says(CHANCE, "deal BARI").code == 77


# ------------------------------------------------------------------------------ once only


def test_every_mail_twice_and_shuffled_changes_the_log_as_each_once_in_order(
    tmp_path: Path,
) -> None:
    (tmp_path / "once").mkdir()
    once, often = dealt(tmp_path / "once"), dealt(tmp_path)
    orders = [(ANA, "DUDA-BARI; draw"), (BEN, "GOLA-COCO; take DUDA"), (ANA, "take FAAA")]
    mails = [
        mail(text, sender=who, identity=f"<{n}@example.org>")
        for n, (who, text) in enumerate(orders)
    ]
    for each in mails:
        assert once.mails(each).verdict == "accepted"
    rng = random.Random(2)
    for due in mails:
        assert often.mails(due).verdict == "accepted"
        again = [*mails[: mails.index(due) + 1]] * 2
        rng.shuffle(again)
        for each in again:
            answer = often.mails(each)
            assert (answer.verdict, answer.code) == ("duplicate", 0)
    assert often.log.read_bytes() == once.log.read_bytes()


def test_the_same_message_id_never_counts_twice_whatever_it_says(room: Room) -> None:
    room.mails(mail("DUDA-BARI"))
    with room.unchanged():
        assert room.mails(mail("KAHU-COCO")).verdict == "duplicate"


def test_the_same_body_under_another_message_id_does_not_count_again(room: Room) -> None:
    room.mails(mail("DUDA-BARI; draw"))
    with room.unchanged():
        answer = room.mails(mail("DUDA-BARI; draw", identity="<2@example.org>"))
    assert answer.verdict == "duplicate"
    assert "#" in answer.message


def test_a_copy_of_another_s_mail_is_the_copyist_s_own_and_brings_nothing_back(room: Room) -> None:
    raw = mail("DUDA-BARI\ndraw")
    assert room.mails(raw).verdict == "accepted"
    again = room.mails(raw)
    assert recall(again, Desk.read(str(room.log)), clock) is not None
    with room.unchanged():
        copy = room.mails(raw.replace(ANA.encode(), BEN.encode()))
    assert (copy.verdict, copy.seat) == ("refused", "black")
    assert recall(copy, Desk.read(str(room.log)), clock) is None


@pytest.mark.parametrize(
    "since",
    [
        [],
        ["takeback", "--to", "9", "--revealed"],
        ["substitute", "--seat", "black", "--player", "Zoe <z@x.example>"],
        ["note", "--text", "hello"],
        ["default", "--seat", "black", "--move", "draw"],
        ["resign", "--seat", "black"],
        ["end"],
    ],
    ids=lambda since: "-".join(since[:1]) or "nothing",
)
def test_what_came_of_a_mail_is_told_again_whatever_has_happened_since(
    room: Room, since: list[str]
) -> None:
    raw = mail("DUDA-BARI\ndraw\ndraw")
    first = room.mails(raw)
    if since:
        assert pbem("rule", room.log, *since, "--reason", "agreed").code == 0
    with room.unchanged():
        again = room.mails(raw)
        came = recall(again, Desk.read(str(room.log)), clock)
    assert again.verdict == "duplicate"
    assert came is not None
    assert (came.verdict, came.seat, came.steps) == (first.verdict, first.seat, first.steps)
    assert (came.not_played, came.held) == (first.not_played, first.held)
    assert came.after.position == first.after.position


def test_what_a_reader_knows_of_a_longer_log_does_not_go_on_with_a_shorter_one(room: Room) -> None:
    earlier = room.read()
    room.says("white", "draw")
    later = room.read()
    assert later.onward(earlier.log) is None
    onward = earlier.onward(later.log)
    assert onward is not None
    assert onward.position == later.position


def test_who_has_left_a_seat_is_told_nothing_of_what_was_played(room: Room) -> None:
    raw = mail("draw")
    room.mails(raw)
    pbem(
        "rule", room.log, "substitute", "--seat", "white", "--player", "Z <z@x.y>", "--reason", "-"
    )
    with room.unchanged():
        assert room.mails(raw).stranger


def test_no_two_messages_look_alike_in_the_log(tmp_path: Path) -> None:
    room = dealt(tmp_path, discard="free")
    assert room.says("white", "discard KAHU; discard LALE; pass").verdict == "accepted"
    assert room.says("black", "draw").verdict == "accepted"
    pbem("rule", room.log, "takeback", "--to", "9", "--revealed", "--reason", "agreed")
    assert room.says("white", "discard KAHU; discard LALE; pass").verdict == "accepted"
    found = re.findall(r"hmac:([0-9a-f]{24})\.([0-9a-f]{24})\b", room.log.read_text())
    assert len(found) == 7
    assert len({half for each in found for half in each}) == 14


def test_what_earlier_versions_kept_of_a_message_is_recognised_for_good(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    def as_before(desk: Desk, log: Log, seat: str, said: Submission, **_: bool) -> str:
        key = seal.derive(desk.secret, "source")
        words = seal.canonical([seat, said.positions, said.body.strip()])
        digests = (hmac.digest(key, text.encode(), "sha256") for text in (said.message_id, words))
        return "hmac:" + ".".join(digest[:12].hex() for digest in digests)

    raw = mail("DUDA-BARI; draw")
    with monkeypatch.context() as patch:
        patch.setattr("pbem.desk.submit.source_digest", as_before)
        assert room.mails(raw).verdict == "accepted"
    for again in (raw, mail("other words"), mail("DUDA-BARI; draw", identity="<2@e>")):
        with room.unchanged():
            assert room.mails(again).verdict == "duplicate"
    assert recall(room.mails(raw), Desk.read(str(room.log)), clock) is not None
    assert room.mails(mail("GOLA-COCO", sender=BEN)).verdict == "accepted"


def test_the_same_words_from_the_other_player_are_his_own_order(room: Room) -> None:
    assert room.mails(mail("draw")).verdict == "accepted"
    assert room.mails(mail("draw", sender=BEN, identity="<2@example.org>")).verdict == "accepted"
    with room.unchanged():
        eve = mail("draw", sender="eve@example.org", identity="<3@example.org>")
        assert room.mails(eve).code == 77


def test_the_same_few_words_typed_in_count_again_once_the_other_has_moved(room: Room) -> None:
    room.says("white", "pass")
    with room.unchanged():
        assert room.says("white", "pass").verdict == "duplicate"
    room.says("black", "draw")
    assert room.says("white", "draw").verdict == "accepted"
    room.says("black", "take FAAA")
    assert room.says("white", "draw").verdict == "accepted"


def test_after_a_takeback_the_same_words_count_again_but_not_the_same_mail(room: Room) -> None:
    room.mails(mail("DUDA-BARI"))
    assert pbem("rule", room.log, "takeback", "--to", 9, "--reason", "agreed").code == 0
    with room.unchanged():
        again = room.mails(mail("DUDA-BARI"))
        assert again.verdict == "duplicate"
        assert "it was taken back (no. 10). To play it once more, send it" in again.message
    assert room.mails(mail("DUDA-BARI", identity="<2@example.org>")).verdict == "accepted"


def test_a_refused_mail_leaves_no_trace_and_may_be_right_the_next_time(room: Room) -> None:
    early = mail("GOLA-COCO; draw", sender=BEN)
    with room.unchanged():
        assert room.mails(early).code == 77
    room.says("white", "draw")
    assert room.mails(early).verdict == "accepted"


# ------------------------------------------------------------------- stale, and whose it is


def test_a_stale_order_is_told_of_a_takeback_and_a_note_as_well(room: Room) -> None:
    named = room.read().position
    room.says("white", "draw")
    for ruling in (["note", "--text", "Sorry"], ["takeback", "--to", 9, "--revealed"]):
        assert pbem("rule", room.log, *ruling, "--reason", "misread").code == 0
    refused = room.mails(mail(f"[move] #{named.ply} {named.fingerprint}\ndraw\n[/move]"))
    assert refused.verdict == "stale"
    told = compose.text(rejection(refused), "text")
    happened = told.partition("WHAT HAPPENED")[2].partition("WHERE THE MATCH")[0]
    assert "10-11 Ana: draw (taken back)" in happened
    assert "Sorry" in happened
    assert "takes back plies 10 to 11. Reason: misread" in " ".join(happened.split())


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        ("Re: [m #8 5989]", "draw"),
        ("Re: [m #9 0000]", "draw"),
        ("Re: [m #7]", "[move] #9 5989\ndraw\n[/move]"),
        ("My move", "[move] #8\ndraw\n[/move]"),
        ("My move", "[move] #9 5988\ndraw\n[/move]"),
        ("My move", "#10\ndraw"),
        ("My move", "draw\n#9 beef"),
    ],
)
def test_an_answer_to_another_position_is_stale_wherever_it_says_so(
    room: Room, subject: str, text: str
) -> None:
    with room.unchanged():
        answer = room.mails(mail(text, subject=subject))
    assert (answer.verdict, answer.code) == ("stale", 1)
    assert "#9 5989" in answer.message


@pytest.mark.parametrize("subject", ["Re: [m #9 5989]", "Re: [m #9]", "#9 5989", "My move"])
def test_an_answer_to_this_position_is_taken(room: Room, subject: str) -> None:
    assert room.mails(mail("draw", subject=subject)).verdict == "accepted"


@pytest.mark.parametrize(
    ("named", "told"),
    [
        ("#99", "#99 is a position this match has not reached; it is at #9 5989"),
        ("#9 beef", "Your mail names a position that this match never had"),
        ("#8", "This answers #8, but the match is at #9 5989"),
    ],
)
def test_an_answer_to_another_position_says_which_kind_of_other(
    room: Room, named: str, told: str
) -> None:
    with room.unchanged():
        answer = room.says("white", f"{named}\ndraw")
    assert (answer.verdict, answer.message.split(".")[0]) == ("stale", told)


@pytest.fixture
def asking(tmp_path: Path) -> Room:
    """A match in which ana, ben and cara are asked at once whether they announce."""
    seats = ("ana", "ben", "cara")
    room = dealt(tmp_path, "kanaloa-piatnik", seats, announce=True, announce_order="simultaneous")
    while (now := room.read()).awaited != seats:
        [seat] = now.awaited
        room.says(seat, now.game.notate(play.legal_moves(now.game, now.state, seat)[0]))
    return room


def test_all_who_are_asked_at_once_answer_the_same_post(asking: Room) -> None:
    post = str(asking.read().position)
    for seat, text in (("cara", "announce"), ("ana", "no announce"), ("ben", "no announce")):
        answer = asking.says(None, signed(asking, seat, post, text))
        assert answer.verdict == "accepted", answer.message
        with asking.unchanged():
            again = asking.says(seat, f"{post}\n{text}\n\nonce more")
        assert again.verdict == "stale"


def signed(room: Room, seat: str, position: str, order: str) -> str:
    """An order with its code, as the seat made it when the match was at a position."""
    key = room.key(seat).opens(seat, 0)
    assert key is not None
    ply, fingerprint = position.removeprefix("#").split()
    code = sign(key, room.read().name, seat, Position(int(ply), fingerprint), [order])
    return f"[move]\nseat: {seat}\n{position}\n{order}\nsign: {code}\n[/move]\n"


ANSWERED = [("ben", "announce"), ("ana", "no announce"), ("cara", "no announce")]


@pytest.mark.parametrize(
    ("since", "verdict"),
    [
        (ANSWERED[:1], "accepted"),
        (ANSWERED[:2], "accepted"),
        (ANSWERED, "stale"),
        ([("note", "--text", "hello")], "accepted"),
        ([("substitute", "--seat", "ben", "--player", "Dan")], "accepted"),
        ([("substitute", "--seat", "cara", "--player", "Dan")], "stale"),
        ([("default", "--seat", "ben")], "accepted"),
        ([("default", "--seat", "cara")], "stale"),
        ([*ANSWERED[:1], ("takeback", "--to", "{ply}")], "stale"),
        ([("end",)], "stale"),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(each[0] for each in value),
)
def test_an_answer_is_current_while_its_question_stands_and_nothing_else_has_happened(
    asking: Room, since: list[tuple[str, ...]], verdict: str
) -> None:
    post = asking.read().position
    for first, *rest in since:
        if first in asking.read().setup.seats:
            assert asking.says(first, rest[0]).verdict == "accepted"
        else:
            given = [each.format(ply=post.ply) for each in rest]
            assert pbem("rule", asking.log, first, *given, "--reason", "agreed").code == 0
    assert asking.says("cara", f"{post}\nannounce").verdict == verdict


def test_whoever_plays_two_seats_that_are_both_asked_says_for_which_one(asking: Room) -> None:
    asking.desk.write_text(asking.desk.read_text().replace("cleo@example.org", BEN))
    with asking.unchanged():
        answer = asking.mails(mail("announce", sender=BEN))
    assert (answer.verdict, answer.code) == ("refused", 1)
    assert "with a line like `seat: ben`" in answer.message
    for seat in ("cara", "ben"):
        text = f"[move]\nseat: {seat}\nannounce\n[/move]"
        order = mail(text, sender=BEN, identity=f"<{seat}@e>")
        assert asking.mails(order).seat == seat


def test_a_signed_withdrawal_counts_at_the_position_it_was_made_for(toy: Room) -> None:
    toy.says("ann", "build 1; build 2; done")
    said = [signed(toy, "ann", str(toy.read().position), "withdraw")]
    toy.says("bob", "allow")
    said.append(signed(toy, "ann", str(toy.read().position), "withdraw"))
    for text, verdict, left in ((said[0], "stale", 2), (said[1], "withdrawn", 0)):
        answer = submit(str(toy.log), intake.read(text.encode(), "-"), commands.at(clock))
        assert answer.verdict == verdict
        assert len(toy.waiting().get("ann", ())) == left
    assert [each.text for each in answer.not_played] == ["build 2", "done"]


def test_nobody_withdraws_what_another_has_sent(toy: Room) -> None:
    toy.says("ann", "build 1; build 2; done")
    with toy.unchanged():
        for sender, code in (("eve@example.org", 77), (BEN, 0)):
            withdrawal = intake.read(mail("withdraw", sender=sender), "m.eml")
            assert submit(str(toy.log), withdrawal, commands.at(clock)).code == code


def test_a_stale_answer_is_told_what_happened_since(room: Room) -> None:
    room.says("white", "DUDA-BARI; draw")
    done = pbem("submit", room.log, room.write("m.eml", mail("draw", subject="Re: [m #9 5989]")))
    assert done.code == 1
    assert "Ana builds the bridge BARI-DUDA." in done.out


@pytest.mark.parametrize(
    ("sender", "from_", "code", "told"),
    [
        ("Ana <ana@example.org>", None, 0, ""),
        ("ANA@Example.ORG", None, 0, ""),
        ("Eve <eve@example.org>", None, 77, "belongs to nobody in m"),
        ("Ana <ana@example.org.evil.example>", None, 77, "belongs to nobody in m"),
        ("'ana@example.org' <eve@example.org>", None, 77, "could be read in two ways"),
        (BEN, None, 77, "It's Ana's turn, not yours"),
        (BEN, "white", 0, ""),
        ("Eve <eve@example.org>", "white", 0, ""),
        (None, "white", 0, ""),
    ],
)
def test_a_mail_counts_for_the_seat_of_its_sender_unless_the_moderator_says_whose_it_is(
    room: Room, sender: str | None, from_: str | None, code: int, told: str
) -> None:
    before = room.log.read_bytes()
    answer = room.mails(mail("draw", sender=sender), from_)
    assert answer.code == code
    assert told in answer.message + answer.for_moderator
    assert (room.log.read_bytes() == before) == bool(code)


def test_a_text_that_does_not_say_whose_it_is_asks_for_a_seat(room: Room) -> None:
    with room.unchanged(), pytest.raises(Problem, match="say --from white") as caught:
        room.says(None, "draw")
    assert isinstance(caught.value, Usage)


def test_an_order_of_the_seat_not_awaited_breaks_a_rule(room: Room) -> None:
    with room.unchanged():
        answer = room.says("black", "draw")
    assert answer.code == 1
    assert "K-5" in str(answer.reason)


def test_two_different_orders_in_one_mail_are_refused_and_two_equal_ones_are_one(
    room: Room,
) -> None:
    with room.unchanged(), pytest.raises(Problem, match="two different orders") as caught:
        room.mails(mail("[move]\ndraw\n[/move]\nno, better:\n[move]\npass\n[/move]"))
    assert caught.value.line == 5
    room.mails(mail("[move]\ndraw\n[/move]\nMy move:\n[move]\nDraw\n[/move]"))
    assert plies(room) == [("white", "draw")]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("#3 b00f\ndraw", "#0 b872\npass"),
        ("#3 b00f\ndraw", "#0 b872\ndraw"),
        ("match: kahuna-1\ndraw", "match: kahuna-2\npass"),
        ("[kahuna-1 #3 b00f]\ndraw", "[kahuna-2 #3 b00f]\ndraw"),
    ],
)
def test_two_orders_for_two_matches_want_a_message_each(room: Room, one: str, other: str) -> None:
    with room.unchanged(), pytest.raises(Problem, match="wants a message of its own") as caught:
        room.mails(mail(f"[move] {one}\n[/move]\n\n[move] {other}\n[/move]"))
    assert caught.value.line == 5


def test_a_position_that_is_named_twice_is_one(room: Room) -> None:
    at, both = f"#{room.read().position}".replace("##", "#"), "[move] {}\ndraw\n[/move]\n"
    room.mails(mail(both.format(at) + both.format(f"[m {at}]") + both.format("match: m")))
    assert plies(room) == [("white", "draw")]


def test_a_machine_s_answer_is_no_order(room: Room) -> None:
    vacation = mail("draw").replace(b"To:", b"Auto-Submitted: auto-replied\nTo:")
    with room.unchanged():
        assert room.mails(vacation).verdict == "automatic"


# ----------------------------------------------------------------------------- the dry run


@pytest.mark.parametrize(
    ("reader", "seat", "order", "verdict"),
    [
        ("moderator", "white", "KAHU-COCO", "legal"),
        ("white", "white", "KAHU-COCO", "legal"),
        ("black", "white", "KAHU-COCO", "possible"),
        (None, "white", "KAHU-COCO", "possible"),
        (None, "white", "take FAAA", "legal"),
        (None, "white", "FAAA-COCO", "possible"),
        ("white", "white", "FAAA-COCO", "refused"),
        ("moderator", "white", "FAAA-COCO", "refused"),
        (None, "white", "BARI-KAHU", "refused"),
        (None, "white", "take HUNA", "refused"),
        ("black", "black", "GOLA-COCO", "refused"),
        ("white", "white", "KAHU-COCO; draw; LALE-IFFI", "refused"),
        ("white", "white", "KAHU-COCO; draw; draw", "legal"),
        ("white", "white", "draw; KAHU-COCO\ndraw", "refused"),
        ("white", "white", "[move]\nFAAA-COCO\n| draw\n[/move]", "legal"),
        ("white", "white", "[move]\nFAAA-COCO\nor draw\n[/move]", "legal"),
        ("white", "white", "KAHU-COCO\n| draw", "refused"),
        ("white", "white", "HI\n\n[move]\ndraw\n[/move]", "refused"),
        ("white", "white", "Hi\n\n[move]\ndraw\n[/move]", "legal"),
        ("white", "white", "HI,\n\n[move]\ndraw\n[/move]", "legal"),
        ("white", "white", "DUDA-ALOA; DUDA-BARI", "refused"),
        ("black", "white", "DUDA-ALOA; DUDA-BARI; DUDA-ELAI", "refused"),
    ],
)
def test_check_judges_as_far_as_its_reader_can_know(
    room: Room, reader: str | None, seat: str, order: str, verdict: str
) -> None:
    before = room.files()
    keyring = Keyring.none() if reader is None else room.key(reader)
    answer = check(str(room.log), intake.read(order.encode(), "-"), seat=seat, keyring=keyring)
    assert answer.verdict == verdict
    assert room.files() == before  # not even a lock


@pytest.mark.parametrize(
    ("raw", "policy", "verdict"),
    [
        (mail("draw"), "from", "legal"),
        (mail("draw", sender="eve@example.org"), "from", "sender"),
        (mail("draw", sender=None), "from", "sender"),
        (mail("draw", sender=BEN), "from", "sender"),
        (mail("draw"), "authenticated", "sender"),
        (mail("draw"), "signed", "sender"),
        (mail("draw", subject="[m #8]"), "from", "stale"),
        (mail("hop"), "from", "refused"),
        (mail("KAHU-COCO\n\nmore", identity="<0@e>"), "from", "duplicate"),
    ],
)
@pytest.mark.parametrize("reader", ["moderator", "white", None])
def test_check_says_of_who_wrote_it_what_submit_says(
    room: Room, raw: bytes, policy: str, verdict: str, reader: str | None
) -> None:
    room.mails(mail("KAHU-COCO", identity="<0@e>"))
    pbem("rule", room.log, "takeback", "--to", "9", "--reason", "agreed")
    raw = raw.replace(b"#8", b"#7")
    room.desk.write_text(f"policy: {policy}\n{room.desk.read_text()}")
    keyring = Keyring.none() if reader is None else room.key(reader)
    with room.unchanged():
        checked = check(str(room.log), intake.read(raw, "m.eml"), seat=None, keyring=keyring)
        assert checked.verdict == verdict
    submitted = room.mails(raw)
    assert submitted.verdict == {"legal": "accepted"}.get(verdict, verdict)
    assert (submitted.code, submitted.message) == (checked.code, checked.message)


def test_a_player_at_home_checks_an_order_without_the_desk_file(room: Room) -> None:
    keyring = room.key("white")
    room.desk.rename(room.log.parent / "elsewhere")
    for raw in (mail("draw"), mail("draw", sender=None), b"draw"):
        said = intake.read(raw, "m.eml" if b":" in raw else "-")
        answer = check(str(room.log), said, seat=None, keyring=keyring)
        assert (answer.verdict, answer.seat) == ("legal", "white")


def test_whoever_knows_more_never_calls_legal_what_another_calls_illegal(tmp_path: Path) -> None:
    """Knowledge is monotone: illegal for who knows less is illegal for who knows more, and what
    is legal for sure stays so."""
    room = dealt(tmp_path, discard="free")
    rng = random.Random(5)
    for turn in range(12):
        now = room.read()
        if now.outcome:
            break
        [seat] = now.awaited
        other = "black" if seat == "white" else "white"
        readers = [room.read(None), room.read(other), room.read(seat), now]
        moves = {
            str(now.game.notate(move)): move
            for reader in readers
            for move in play.legal_moves(now.game, reader.state, seat)
        }
        for text, move in moves.items():
            ranks = [_rank(reader, seat, move) for reader in (readers[0], readers[2], readers[3])]
            for less, more in itertools.pairwise(ranks):
                assert less == more or less == 1, text
        legal = play.legal_moves(now.game, now.state, seat)
        wanted = rng.choice(legal) if turn % 2 else legal[-1]
        room.says(seat, f"#{now.position[0]}\n{now.game.notate(wanted)}")


def _rank(reader: Replay, seat: str, move: object) -> int:
    """0: illegal, 1: legal as far as one can know, 2: legal."""
    verdict = play.adjudicate(
        reader.game,
        reader.state,
        seat,
        [reader.game.parse(reader.game.notate(move))],  # type: ignore[arg-type]
    )
    if isinstance(verdict, play.Rejected):
        return 0
    return 2 if verdict.steps[0].sure else 1


# ------------------------------------------------------------------ interrupts, held orders


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Room:
    monkeypatch.setitem(games.OWN, "toy", "toy")
    return dealt(tmp_path, "toy", ("ann", "bob", "cy"))


def test_what_follows_an_interrupt_is_held_until_all_others_have_spoken(toy: Room) -> None:
    answer = toy.says("ann", "build 1; build 2; done")
    assert plies(toy) == [("ann", "build 1")]
    assert [h.moves for h in answer.held] == [("build 2", "done")]
    assert toy.waiting() == {"ann": ("build 2", "done")}
    toy.says("bob", "allow")
    assert toy.waiting() == {"ann": ("build 2", "done")}
    assert toy.says("cy", "allow").held[0].moves == ("done",)
    assert plies(toy)[-2:] == [("cy", "allow"), ("ann", "build 2")]
    toy.says("bob", "allow")
    toy.says("cy", "allow")
    assert plies(toy)[-1] == ("ann", "done")
    assert toy.read().awaited == ("bob",)
    assert toy.waiting() == {}


def test_a_held_move_that_has_become_illegal_is_returned_with_what_follows(toy: Room) -> None:
    toy.says("ann", "build 1; build 2; build 5")
    answer = toy.says("bob", "veto")
    assert [(each.seat, each.text, str(each.why)) for each in answer.not_played] == [
        ("ann", "build 2", "2 cannot be built (any more) [T-2]"),
        ("ann", "build 5", "It comes after that"),
    ]
    assert toy.waiting() == {}
    assert toy.read().awaited == ("ann",)


def test_silence_by_ruling_lets_the_held_moves_go_on(toy: Room) -> None:
    toy.says("ann", "build 1; build 2; done")
    for seat in ("bob", "cy"):
        assert pbem("rule", toy.log, "default", "--seat", seat, "--reason", "late").code == 0
    assert plies(toy)[-1] == ("ann", "build 2")
    assert toy.waiting() == {"ann": ("done",)}


@pytest.mark.parametrize(
    ("ruling", "kept"),
    [
        (("note", "--text", "hello"), True),
        (("substitute", "--seat", "cy", "--player", "Dan"), True),
        (("substitute", "--seat", "ann", "--player", "Dan"), False),
        (("takeback", "--to", "0"), False),
        (("resign", "--seat", "bob"), True),
        (("resign", "--seat", "ann"), False),
        (("end",), False),
    ],
    ids=lambda value: "-".join(value[:3:2]) if isinstance(value, tuple) else "",
)
def test_held_moves_outlive_remarks_and_nothing_else(
    toy: Room, ruling: tuple[str, ...], kept: bool
) -> None:
    toy.says("ann", "build 1; build 2")
    done = pbem("rule", toy.log, *ruling, "--reason", "agreed")
    assert done.code == 0
    assert toy.waiting() == ({"ann": ("build 2",)} if kept else {})


def test_a_new_order_takes_the_place_of_what_was_held(toy: Room) -> None:
    toy.says("ann", "build 1; build 2")
    toy.says("bob", "veto")
    toy.says("ann", "build 5; build 6")
    assert toy.waiting() == {"ann": ("build 6",)}


def test_held_moves_are_told_to_programs_and_stand_in_no_public_text(toy: Room) -> None:
    done = pbem("submit", toy.log, "--from", "ann", "--json", stdin="build 1; build 7")
    assert done.json["held"] == {"ann": ["build 7"]}
    assert "build 7" not in done.json["post"]
    assert "build 7" not in toy.log.read_text()
    letters = done.json["letters"]
    assert "build 7" in letters.pop("ann")  # it is hers, and waits
    assert "build 7" not in json.dumps(letters)


# ----------------------------------------------------------------------------- the end


def test_a_finished_match_takes_no_more_orders(tmp_path: Path) -> None:
    log = tmp_path / "s.pbem.yaml"
    assert pbem("simulate", "kahuna", "--seed", 3, "--out", log).code == 0
    room = Room(log)
    with room.unchanged():
        for sender in ("white@example.org", "black@example.org"):
            answer = room.mails(mail("draw", sender=sender))
            assert (answer.verdict, answer.code) == ("refused", 1)
            assert "The match is over" in answer.message
        assert room.says("white", "draw").code == 1


@pytest.mark.parametrize("way", ["resign", "end"])
def test_a_match_ended_by_a_ruling_takes_no_more_orders(room: Room, way: str) -> None:
    seat = ["--seat", "white"] if way == "resign" else ["--winner", "black"]
    assert pbem("rule", room.log, way, *seat, "--reason", "agreed").code == 0
    with room.unchanged():
        answer = room.mails(mail("draw"))
    assert answer.code == 1
    assert "The match is over" in answer.message


@pytest.mark.parametrize("fenced", [True, False])
@pytest.mark.parametrize("heading", ["White", "WHITE:", "**white**", "Ana:", "Ben", "White (Ana):"])
def test_a_name_alone_on_a_line_is_a_heading(room: Room, heading: str, fenced: bool) -> None:
    text = f"{heading}\n\ndraw\n"
    answer = room.mails(mail(f"[move]\n{text}[/move]\n" if fenced else text))
    assert answer.verdict == "accepted", answer.message
    assert [step.seat for step in answer.steps] == ["white"]


@pytest.mark.parametrize("text", ["draw\nNobody:\n", "draw\nAna Ben Cleo Dan:\n"])
def test_any_other_line_is_none(room: Room, text: str) -> None:
    assert room.mails(mail(f"[move]\n{text}[/move]")).verdict == "refused"


def test_below_the_name_of_another_seat_of_theirs_nothing_is_read_as_meant_for_this_one(
    tmp_path: Path,
) -> None:
    seats = ("--seat", "white=Ana <ana@x.org>", "--seat", "black=Ana <ana@x.org>")
    assert pbem("new", "kahuna", *seats, "--dir", tmp_path, "--match", "m").code == 0
    room = Room(tmp_path / "m.pbem.yaml")
    log = room.log.read_text()
    answer = room.mails(mail("[move]\nBlack:\ndraw\n[/move]", sender="ana@x.org"))
    assert (answer.verdict, room.log.read_text()) == ("refused", log)
    assert "'Black'" in answer.message, "it is asked about, and no bare yes plays it"
    assert "answer 1" in " ".join(answer.message.split())
