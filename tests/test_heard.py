"""Nothing that a person writes dies at the desk: what is turned away can be read by the moderator,
and whoever writes is not silent."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml
from commands import ANA, BEN, Room, dealt, mail, pbem, scripted
from long import many
from postroom import Post, forget, noted, text
from test_time import Hour
from test_timekeeping import at, dry, flat, rulings, timed

import pbem as pbem_package
from pbem.desk import append
from pbem.mailroom import tray
from pbem.mailroom.decide import decide
from pbem.mailroom.inbox.incoming import Mail
from pbem.mailroom.matter import Handling, Office
from pbem.problem import Mistake, Problem

MOD = "mod@example.org"
MAILS: list[dict[str, Any]] = yaml.load(
    (Path(__file__).parent / "heard.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader
)
SLIPS = ["DUDDA-BARRI", "dsicard COCO", "tkae LALE", "I'd like to bild a brigde from Bari to Duad"]
"""Moves that cannot be read."""


@pytest.fixture
def post(tmp_path: Path) -> Post:
    return Post(tmp_path)


@pytest.fixture
def room(post: Post) -> Room:
    return dealt(post.matches)


@pytest.fixture
def hour(monkeypatch: pytest.MonkeyPatch) -> Hour:
    return Hour(monkeypatch)


def comes(post: Post, *said: str, sender: str = ANA) -> None:
    for each in said:
        post.comes(mail(each, sender=sender, identity=f"<{post.count}@example.org>"))


@pytest.mark.parametrize("sender", [ANA, BEN], ids=["on turn", "off turn"])
def test_whatever_is_said_in_words_reaches_a_person_and_is_taken_for_no_move(
    post: Post, room: Room, sender: str
) -> None:
    comes(post, *(each["text"] for each in MAILS), sender=sender)
    with room.unchanged():
        verdicts = post.run("--refusals", "999", "--moderator", MOD)
    assert set(verdicts) <= {"refused", "sender", "passed-on"}
    loud = {each.number for each in tray.entries(str(post.matches))}
    assert loud == {n for n, each in enumerate(MAILS, 1) if each.get("loud", True)}
    [kept] = tray.unheeded(str(post.matches))
    assert loud | {each.number for each in kept} == set(range(1, len(MAILS) + 1))
    answers = post.answers()
    for each, came in zip(MAILS, noted(post.matches), strict=True):
        [answer] = (flat(text(a)) for name, a in answers.items() if came["letters"][0] in name)
        assert re.search("The moderator can read your mail, too|passed on to the mod", answer)
        assert not re.search("answer (yes|1)", answer), each["text"]


def test_what_is_said_in_words_is_no_move_where_no_mail_brings_it_either(room: Room) -> None:
    match = pbem_package.Match.open(room.log)
    for each in MAILS[many(1, 0) :: many(2, 1)]:
        with pytest.raises(pbem_package.Refused):
            match.judge(each["text"], seat="white")
    assert match.judge("[move]\nend\n[/move]", seat="white") == ("pass",)


SAYS = {
    "I think Ben's KAHU bridge was illegal. Please check!": "Ben's … bridge was illegal. Please",
    "substitute me please": "substitute me please",
    "[move]\nKAHUU-DUDA\n[/move]\nMy mother died, I need two weeks.": "My mother died, I need two",
    "draw\n\nThanks all\n\nEDIT: my KAHU was a typo": "EDIT: my … was a typo",
    "Hello,\n\nthanks for the game so far!\n\nBen and I are family; is that allowed?": "family; is",
    "[move]\nKAHUU-DUDA\n[/move]\nI'm done with this game.": "I'm done with this game.",
    "Ben built GOLA-JOJO, is that allowed? I wrote on 3 Sep at 14:00 and need 10 days": "Ben built "
    "…, is that allowed? I wrote on 3 Sep at 14:00 and need 10 days",
    "Thanks.\n\nBut my little son fell ill.\n\nCheers, Ana": "But my little son fell ill.",
    "Ich bin seit Freitag krank, KAHU": "Ich bin seit Freitag krank, \u2026",
    "I need a week, my mother died and her gold is gone. KHAU was mine": "I need a week, my mother "
    "died and her gold is gone. … was mine",
}
"""What the tray shows of a mail."""


def test_the_tray_and_the_copy_show_what_a_mail_says_and_never_a_card(
    post: Post, room: Room
) -> None:
    comes(post, *SAYS)
    post.run("--moderator", MOD, "--refusals", "99")
    copy, listed = flat(post.only(MOD).replace("\n> ", "\n")), pbem("aside", post.matches)
    assert not re.search("KAHU|BARI|COCO", copy + listed.printed)
    for n, said in enumerate(SAYS.values(), 1):
        [line] = (line for line in listed.out.splitlines() if line.split()[0] == str(n))
        assert said in line
        assert said in copy
    one, whole = (pbem("aside", post.matches, 1, *more).out for more in ((), ("--all",)))
    assert ("KAHU" in one, "KAHU" in whole) == (False, True)
    assert f"for you: {ANA} writes, and the desk could do nothing with it" in flat(copy)


LETTERS = {
    "Thanks. E": "\u2026",
    "My father died. E it is": "My father died. \u2026 it is",
    "pawn E, I need more time": "pawn \u2026, I need more time",
    "Szia, beteg voltam, e": "Szia, beteg voltam, \u2026",
    "W pi\u0105tek mam gryp\u0119": "W pi\u0105tek mam gryp\u0119",
    "Ich brauche eine Woche, krank seit Freitag": "Ich brauche eine Woche, krank seit Freitag",
    "I need a week. A good move is hard": "I need a week. A good move is hard",
    "Je suis \u00e0 l'h\u00f4pital, a@b.example": "Je suis \u00e0 l'h\u00f4pital, a@b.example",
}
"""What the tray shows of mails in a game whose places are letters."""


def test_a_lone_letter_that_may_be_a_place_is_not_shown(post: Post) -> None:
    dealt(post.matches, "kanaloa-bambus", ("red", "blue"))
    comes(post, *LETTERS, sender=BEN)
    post.run("--moderator", MOD, "--refusals", "99")
    lines = [line for line in pbem("aside", post.matches).out.splitlines() if BEN in line]
    assert [line.partition("m  ")[2].partition(": ")[2] for line in lines] == [*LETTERS.values()][
        ::-1
    ]
    assert not re.search(r"\bE\b|, e\b", flat(post.only(MOD)))


def test_a_slip_in_a_move_is_one_quiet_line_until_a_later_order_is_accepted(
    post: Post, room: Room
) -> None:
    comes(post, *SLIPS[:2])
    comes(post, "draw", sender=BEN)
    post.run("--moderator", MOD)
    assert post.to(MOD) == []
    lines = pbem("aside", post.matches).out.splitlines()
    assert [re.split(r"\d\d:\d\d  ", line)[1] for line in lines] == [
        f"{BEN}  m  1 mail that changed nothing, and was answered: 3",
        f"{ANA}  m  2 mails that changed nothing, and were answered: 2 and 1",
    ]
    status = pbem("status", post.matches)
    lists = f"`pbem aside {post.matches}` lists them"
    assert f"3 mails changed nothing and were answered: {lists}" in status.out
    assert "Ana (white) wrote, not understood" in status.out
    assert "Ben (black) wrote" not in status.out
    assert "need" not in status.out
    data = pbem("status", post.matches, "--json").json
    assert (data["matches"][0]["wrote"], data["aside"]["kept"]) == (["white"], 3)
    assert SLIPS[1] in pbem("aside", post.matches, 2, "--all").out
    comes(post, "draw")
    assert post.run() == ["accepted"]
    [left] = pbem("aside", post.matches, "--json").json["kept"]
    assert (left["sender"], left["numbers"], left["match"]) == (BEN, [3], "m")
    assert "Ana (white) wrote" not in pbem("status", post.matches).out
    assert pbem("aside", post.matches, "--done", 3).code == 0
    assert pbem("aside", post.matches).out == "no mail has been put aside\n"


def test_the_third_mail_of_a_turn_that_comes_to_nothing_is_told_to_the_moderator_once(
    post: Post, room: Room
) -> None:
    comes(post, *SLIPS, *SLIPS)
    assert set(post.run("--moderator", MOD)) == {"refused"}
    [why] = post.aside()
    assert why == f"for you: 3 mails of {ANA} came to nothing since this turn began\n"
    copy = flat(post.only(MOD))
    assert why.strip() in copy
    assert "LALE" not in copy + pbem("aside", post.matches).out


def test_the_answer_says_that_the_moderator_can_read_what_was_refused_for_its_text(
    post: Post,
) -> None:
    for said, can in (("DUDDA-BARRI", True), ("take BARI", False)):
        post = Post(post.matches.parent / said)
        dealt(post.matches)
        comes(post, said)
        assert post.run() == ["refused"]
        assert ("The moderator can read your mail, too." in flat(post.only(ANA))) == can
        assert pbem("aside", post.matches, "--json").json["kept"][0]["numbers"] == [1]


def test_a_plea_of_somebody_who_plays_several_matches_and_names_none_is_heard(
    post: Post, room: Room
) -> None:
    dealt(post.matches, name="other")
    comes(post, "pause please, I am in hospital", "draw")
    assert post.run("--moderator", MOD) == ["unclear", "unclear"]
    assert "> pause please, I am in hospital" in post.only(MOD)
    [kept] = tray.unheeded(str(post.matches))
    assert [(each.match, each.number) for each in kept] == [("", 2)]
    first, second = (flat(text(each)) for each in post.to(ANA, "notice"))
    assert ["several matches" in each for each in (first, second)] == [False, True]
    offered = pbem("aside", post.matches).out.splitlines()[1:3]
    assert [line.split()[2] for line in offered] == [str(post.matches / n) for n in ("m", "other")]


def test_who_wants_to_be_forgotten_is_so_in_what_is_kept_too(post: Post, room: Room) -> None:
    comes(post, SLIPS[0])
    post.run()
    assert pbem("forget", ANA, post.matches).code == 0
    assert tray.unheeded(str(post.matches)) == []


# ----------------------------------------------------------------------------- and time


@pytest.mark.parametrize(
    ("said", "silence"),
    [
        (SLIPS[0], "draw or pass"),
        ("pause please, I am in hospital", "ask"),
        ("I resign", "draw or pass"),
    ],
)
def test_who_has_written_since_they_were_asked_is_asked_about_and_not_played_for(
    post: Post, hour: Hour, said: str, silence: str
) -> None:
    room = timed(post, "--silence", silence)
    at(post, hour, "2026-09-22T07:00:00Z")
    comes(post, said)
    told, would, due = [], [], []
    for day in (23, 24, 25, 26, 27, 28):
        hour.set(f"2026-09-{day}T07:00:00Z")
        due.append(pbem("due", post.matches).out.strip())
        would += [line for line in dry(post) if line.startswith("ask")] if day > 27 else []
        told += post.run("--moderator", MOD)
    assert told[-1] == "ask"
    assert "silence" not in told
    assert rulings(room) == ["late"]
    [line] = would
    assert line.startswith("ask m white: the days of grace are over, but they")
    [asked] = [each for each in post.to(MOD) if "1 question waits for you" in each["Subject"]]
    assert "are not silent: a mail of theirs came to nothing" in flat(text(asked))
    assert "you, for Ana" in pbem("status", post.matches).out
    assert "The turn of Ana ends soon." in due[1]
    assert not any("ends soon" in each for each in due[2:]), "the desk has mailed that"
    note = "wrote to you and waits for your answer"
    note = "wrote, not understood" if said == SLIPS[0] else note
    assert f"Ana (white) {note}" in flat(pbem("status", post.matches).out)
    counted, *more = due[-1].splitlines()
    assert counted.startswith("1 mail changed" if said == SLIPS[0] else "1 mail needs you (1 ")
    assert more[0].startswith("m: Ana: the days of grace are over, but they are not silent: a mail")
    assert more[1] == f"  pbem aside {post.matches}{'' if said == SLIPS[0] else ' 1'}"
    assert pbem("status", post.matches, "--json").json["matches"][0]["wrote"] == ["white"]
    default = ("rule", room.log, "default", "--seat", "white", "--move", "draw", "--reason", "x")
    for how in (["--dry"], []):
        done = pbem(*default, *how)
        assert (done.code, "Ana is not silent: a mail of theirs came" in done.err) == (0, True)
    for each in pbem("aside", post.matches, "--json").json["aside"]:
        assert each["overtaken"] in ("", "a move was played for Ana since")
        assert (said == "I resign") == (each["overtaken"] == "")


def test_who_sent_a_mail_that_the_desk_failed_on_is_not_played_for(
    post: Post, hour: Hour, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(mail: Mail, office: Office, problem: Problem | None = None) -> Handling:
        return decide(mail, office, problem or Mistake("a mistake"))

    room = timed(post)
    at(post, hour, "2026-09-22T07:00:00Z")
    comes(post, "draw")
    with monkeypatch.context() as broken:
        broken.setattr("pbem.mailroom.run.decide", fails)
        assert post.run() == ["failed"]
    for day in (23, 24, 25, 26, 27, 28):
        told = at(post, hour, f"2026-09-{day}T07:00:00Z")
    assert (told, rulings(room)) == (["ask"], ["late"])


def test_who_wrote_before_they_were_asked_or_was_understood_since_is_silent(
    post: Post, hour: Hour
) -> None:
    room = timed(post)
    comes(post, SLIPS[0])
    at(post, hour, "2026-09-22T07:00:00Z")
    comes(post, SLIPS[0], sender=BEN)
    at(post, hour, "2026-09-22T08:00:00Z")
    comes(post, "draw")
    at(post, hour, "2026-09-22T09:00:00Z")
    for day in range(23, 30):
        at(post, hour, f"2026-09-{day}T07:00:00Z")
    assert rulings(room)[:2] == ["late", "default"]
    post.comes(mail("draw", sender=BEN, identity="<late@e>"), at=1790777600)
    hour.set("2026-09-30T15:00:00Z")
    assert post.run()[0] == "sender"
    assert "A move was played for you on" in flat(text(post.to(BEN, "refusal")[-1]))


@pytest.mark.parametrize("ruled", [False, True])
def test_who_wrote_to_a_person_before_they_were_asked_is_not_played_for(
    post: Post, hour: Hour, *, ruled: bool
) -> None:
    """Nor is what they asked for granted by a ruling that somebody else wished for."""
    room = timed(post)
    at(post, hour, "2026-09-22T07:00:00Z")
    comes(post, "Pause s'il vous plaît, je suis à l'hôpital jusqu'à Noël", sender=BEN)
    hour.set("2026-09-22T07:30:00Z")
    post.run("--moderator", MOD)
    others = [("clock", "--turn", "2", "--yes"), ("extend", "--seat", "white", "--by", "1")] * ruled
    for each in others:
        assert pbem("rule", room.log, *each, "--reason", "Ana asked for it").code == 0
    at(post, hour, "2026-09-22T08:00:00Z")
    comes(post, "draw")
    told = []
    for day in range(23, 31):
        hour.set(f"2026-09-{day}T07:00:00Z")
        told += post.run("--moderator", MOD)
    assert told[-1] == "ask"
    assert rulings(room) == [*(each[0] for each in others), "late"]
    assert any("no move is played for you" in flat(text(each)) for each in post.to(BEN))
    pbem("aside", post.matches, "--done", 1)
    told = [at(post, hour, f"2026-10-{day:02}T07:00:00Z") for day in (1, 2, 3, 4)]
    assert told == [["late"], [], [], ["silence"]]


DAY = "2026-10-01"
ACTS: dict[str, list[tuple[object, ...]]] = {
    "a kind word": [("aside", "{dir}", "--answer", 1, "--text", "Get well soon!")],
    "put away": [("aside", "{dir}", "--done", 1)],
    "away": [("rule", "{log}", "away", "--seat", "white", "--from", DAY, "--to", DAY)],
    "pause and resume": [("rule", "{log}", "pause"), ("rule", "{log}", "resume")],
}
"""What a moderator does about a mail of Ana's, whose days of grace are over."""


@pytest.mark.parametrize("acts", ACTS.values(), ids=ACTS)
def test_whatever_is_done_about_a_mail_its_writer_is_told_anew_before_silence_plays(
    post: Post, hour: Hour, acts: list[tuple[object, ...]]
) -> None:
    room = timed(post)
    at(post, hour, "2026-09-22T07:00:00Z")
    comes(post, "I am in hospital, sorry.")
    told = [each for d in range(23, 29) for each in at(post, hour, f"2026-09-{d}T07:00:00Z")]
    assert (told[-1], rulings(room)) == ("ask", ["late"])
    [*_, notice] = post.to(ANA, "news")
    assert "You are late" in notice["Subject"]
    promised = "While it waits for them, no move is played for you."
    assert promised in flat(text(notice)), "though it says what silence brings"
    hour.set("2026-09-28T08:00:00Z")
    for each in acts:
        values = {"dir": post.matches, "log": room.log}
        done = pbem(*(str(word).format(**values) for word in each))
        assert done.code == 0, done.printed
        assert "m: Ana is late. Another notice goes out to them" in flat(done.printed)
        assert f"rule {room.log.with_name('m')} extend --seat white --by" in done.printed
    assert at(post, hour, "2026-09-29T07:00:00Z") == ["late"]
    [*_, notice] = post.to(ANA, "news")
    assert ("You are late" in notice["Subject"], promised in flat(text(notice))) == (True, False)
    [lapse] = pbem("show", room.log, "--json").json["clock"]["lapse"].values()
    days = [f"2026-{day}T17:00:00Z" for day in ("09-30", "10-01", "10-02", "10-03", "10-04")]
    told = [each for day in days if day < lapse["at"] for each in at(post, hour, day)]
    assert (told, "default" in rulings(room)) == ([], False), "the days of grace run"
    assert at(post, hour, f"{lapse['at'][:17]}01Z") == ["silence"]
    assert pbem("verify", room.log).code == 0


BESIDE = [
    "[move]\ndraw\n[/move]\nMy mother died. Please give me two weeks.",
    "draw\nI am on holiday from 5 to 12 December.",
    "draw\nPS my new mail address is ana@new.example",
    "draw\nPlease tell Ben to be quicker.",
    "draw\nThis will be my last game with you, I have no time any more.",
    "draw\nSkiing, so Tuesday to Saturday no moves from my side will reach your desk.",
    "draw\nSent from my iPhone - I lost my laptop, write to ana@new.example",
]
"""Orders with something for a person beside them."""


@pytest.mark.parametrize("order", BESIDE)
def test_what_is_said_to_a_person_beside_an_order_stays_when_the_order_is_played(
    post: Post, room: Room, order: str
) -> None:
    comes(post, order)
    assert post.run() == ["refused"]
    comes(post, "1" if "answer 1" in flat(post.only(ANA, "refusal")) else "yes")
    assert post.run() == ["accepted"]
    assert [each.number for each in tray.entries(str(post.matches))] == [1]


ABSENCES = {
    "draw\nI am on holiday from 5 to 12 December.": True,
    "[move]\ndraw\n[/move]\nJe serai absent du 5 au 12 d\u00e9cembre.": True,
    "draw\nOd 15 do 18 grudnia jestem na urlopie": True,
    "draw\nNot if I am on holiday from 5 to 12 December.": False,
    "draw\nI am on holiday from 5 to 12 December. Take FAAA for me then.": False,
}
"""Orders with days beside them, and whether they are entered with no more ado."""


def test_an_absence_beside_an_order_is_entered_as_when_it_comes_alone(
    post: Post, hour: Hour
) -> None:
    room = timed(post)
    at(post, hour, "2026-09-21T15:00:00Z")
    for nth, (order, entered) in enumerate(ABSENCES.items()):
        comes(post, order, sender=(ANA, BEN)[nth % 2])
        assert (post.run() == ["accepted"]) == entered, order
        assert len(rulings(room)) == min(nth + 1, sum(ABSENCES.values())), order
        if entered:
            assert pbem("aside", post.matches).out == "no mail has been put aside\n", order


def test_a_move_beside_a_plea_off_turn_was_not_played_and_is_offered_on_its_turn(
    post: Post, room: Room
) -> None:
    comes(post, "draw\n\nI am in hospital", sender=BEN)
    assert post.run() == ["sender"]
    told = flat(text(post.to(BEN)[-1]))
    assert "passed on to the moderator" in told
    assert "It's Ana's turn, not yours" in told
    assert "Nothing was played" in told
    submit = f"pbem aside {post.matches} --submit 1"
    assert submit not in pbem("aside", post.matches).out
    comes(post, "draw")
    assert post.run() == ["accepted"]
    assert submit in pbem("aside", post.matches).out
    assert pbem(*submit.split()[1:]).code == 0
    assert room.read().plies[-1][0].seat != "black", "a card was drawn for it"
    assert pbem("aside", post.matches).out == "no mail has been put aside\n"


TALK = {
    "Have my last move back please": ["The one word takeback asks", "rule m takeback"],
    "Can I change it?": ["The one word takeback asks", "rule m takeback"],
    "Darf ich nochmal?": ["The one word takeback asks", "rule m takeback"],
    "shall we call it a draw?": ["put say:", "note --text 'Ana offers a draw'", "rule m end"],
    "my brother Tom could take over": ["their name and their mail address", "rule m substitute"],
    "Ben has not moved for 9 days": [
        "passed on",
        "note --text 'Ben: your turn'",
        "extend --seat black",
        "default --seat black",
        "substitute --seat black",
    ],
    "Is Ben still there?": ["passed on", "note --text 'Ben: your turn'"],
    "sorry, the kids had the flu": ["passed on", "away --seat white"],
    "dzieci mia\u0142y gryp\u0119": ["passed on", "away --seat white"],
    "My kids have a fever": ["passed on", "away --seat white"],
    "Ben built KAHU-COCO, is that allowed?": ["passed on", "log m --times"],
    "once a week is all I can do": ["passed on", "clock --turn 7"],
}
"""What is told to a player who has moved and says this off turn, and what may be typed for it."""


@pytest.mark.parametrize("said", TALK)
def test_who_asks_for_something_is_told_the_way_to_it_and_the_moderator_what_to_type(
    post: Post, hour: Hour, monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    monkeypatch.chdir(post.matches)
    timed(post, "--silence", "ask")
    comes(post, "draw", said)
    assert post.run("--matches", ".") == ["accepted", "passed-on"]
    told, *typed = TALK[said]
    assert any(told in flat(text(each)) for each in post.to(ANA))
    shown = pbem("aside").out.splitlines()[1:]
    for each, line in zip(typed, shown, strict=False):
        assert each in line
    assert len(shown) >= len(typed)


DAYS = {
    "I am away until Friday": "away 2026-09-21 to 2026-09-25",
    "I will be away from Tuesday to Friday": "away 2026-09-22 to 2026-09-25",
    "ich bin von Freitag bis Montag weg": "away 2026-09-25 to 2026-09-28",
    "bin bis Montag nicht da": "away 2026-09-21 to 2026-09-28",
    "Od czwartku do niedzieli nie b\u0119dzie mnie": "away 2026-09-24 to 2026-09-27",
    "H\u00e9tf\u0151t\u0151l szerd\u00e1ig nem leszek itthon": "away 2026-09-28 to 2026-09-30",
    "W przysz\u0142ym tygodniu nie b\u0119dzie mnie": "away 2026-09-28 to 2026-10-04",
    "Je serai absente la semaine prochaine": "away 2026-09-28 to 2026-10-04",
    "del 3 al 9 de octubre estoy de vacaciones": "away 2026-10-03 to 2026-10-09",
    "Sono in vacanza dal 5 al 9 ottobre": "away 2026-10-05 to 2026-10-09",
    "Next week I am hiking": "`away 2026-09-28 to 2026-10-04`",
    "Hiking from Friday to Sunday, no internet": "`away 2026-09-25 to 2026-09-27`",
    "I am away until 5 October, if that is ok": "`away 2026-09-21 to 2026-10-05`",
    "If that is ok I am away from Tuesday to Friday": "`away 2026-09-22 to 2026-09-25`",
    "I am not away from 5 to 12 October": "",
    "Are you away from Monday to Friday?": "",
    "Je suis absent jusqu'\u00e0 vendredi": "away 2026-09-21 to 2026-09-25",
    "I always have a Monday full of work": "",
}
"""What is said of days in prose off turn: entered where it is certain that its writer is away, else
told as the line to send, and neither where it is not."""


@pytest.mark.parametrize("said", DAYS)
def test_days_away_in_plain_words_are_entered_or_their_line_is_told(
    post: Post, hour: Hour, said: str
) -> None:
    room = timed(post)
    at(post, hour, "2026-09-21T15:00:00Z")
    comes(post, said, sender=BEN)
    verdicts, entered = post.run(), rulings(room)
    told, line = flat(text(post.to(BEN)[-1])), DAYS[said]
    if line.startswith("away"):
        first, last = line.split()[1::2]
        assert (verdicts, entered) == (["absent"], ["away"])
        assert f"You are away from {first} to {last}" in told
    else:
        assert (verdicts, entered, line in told) == (["passed-on"], [], True)
        assert bool(line) or "`away 2026-09" not in told


def test_days_beyond_those_that_are_left_and_a_plea_beside_a_played_order_are_in_the_tray(
    post: Post, hour: Hour
) -> None:
    timed(post)
    at(post, hour, "2026-09-21T15:00:00Z")
    comes(post, "I'm on holiday from 22 September to 12 December.")
    comes(post, "draw\nto moderator: I need a week, my mother died")
    assert post.run() == ["asked", "accepted"]
    listed = pbem("aside", post.matches).out
    assert "asked: I'm on holiday from 22 September to 12 December" in listed
    assert "away --seat white --from 2026-09-22 --to 2026-12-12" in listed
    assert "accepted: to moderator: I need a week, my mother died" in listed


def test_a_friendly_line_beside_an_order_needs_nobody_once_the_order_is_played(
    post: Post, room: Room
) -> None:
    comes(post, "draw\n\nGood luck Ben, hope your exams went well!")
    assert post.run() == ["refused"]
    assert [each.number for each in tray.entries(str(post.matches))] == [1]
    comes(post, "yes")
    assert post.run() == ["accepted"]
    assert "need you" not in pbem("status", post.matches).out
    [[kept]] = tray.unheeded(str(post.matches))
    assert kept.number == 1, "it can still be read"


WARM = {
    "can we stop this game? Ben never moves": "^Your mail was passed on .* hear from them[^.]*[.]$",
    "My father died last night, I cannot say when I will play": "hear from them[^.]*[.]$",
    "How long may I wait, three more days? My wife is in hospital.": "hear from them[^.]*[.]$",
    "Please do not move for me, I am busy": "hear from them[^.]*[.]$",
    "My father died.": "^Your mail was passed on .* hear from them[^.]*[.]$",
    "Can you cancel my last card? I drew KAHU by mistake": "^Your mail was passed on .* takeback",
    "Can I have it back? I meant the other card": "^Your mail was passed on .* takeback",
}
"""What answers a wish or a grief: not how moves are written, nor what stands."""


def test_a_wish_or_a_grief_is_answered_with_where_it_went_and_no_more(
    post: Post, room: Room
) -> None:
    comes(post, "draw", *WARM)
    post.run()
    answers = post.answers()
    for told, came in zip(WARM.values(), noted(post.matches)[1:], strict=True):
        [answer] = (flat(text(a)) for name, a in answers.items() if came["letters"][0] in name)
        assert re.search(told, answer), answer
    assert len(post.aside()) == len(WARM)


THANKS = [
    *(
        "lol",
        "Thanks!",
        "K\u00f6szi, holnap l\u00e9pek!",
        "\N{GRINNING FACE}",
        "thanks for the game!",
    ),
    *(
        "ok",
        "dzi\u0119ki, jutro zagram",
        "Danke, ich ziehe morgen!",
        "Passe une bonne journ\u00e9e",
    ),
    "Sorry for the delay, I'll play tomorrow",
]


@pytest.mark.parametrize("sender", [ANA, BEN], ids=["on turn", "off turn"])
def test_thanks_are_thanks_and_ask_nothing_of_anybody(post: Post, room: Room, sender: str) -> None:
    comes(post, *THANKS, sender=sender)
    with room.unchanged():
        assert set(post.run("--refusals", "99")) == {"asked"}
    assert pbem("aside", post.matches).out == "no mail has been put aside\n"
    assert "wrote" not in pbem("status", post.matches).out
    assert {flat(text(each)) for each in post.to(sender)[1:]} == {
        "Thank you! I found no move in it, so nothing was played."
    }


THANKS_AND_A_MOVE = (
    *("Thank you, here is my move: pawn E", "Sorry for being so late!! pawn E", "Thanks. E"),
    *("Thanks, my pawn goes to E", "Thanks, E please", "Danke, hier mein Zug: Figur auf E"),
)


def test_thanks_before_a_move_are_no_mere_thanks_though_it_be_a_letter(tmp_path: Path) -> None:
    post = Post(tmp_path)
    room = dealt(post.matches, "kanaloa-bambus", ("red", "blue"))
    comes(post, *THANKS_AND_A_MOVE, sender=BEN)
    with room.unchanged():
        assert "asked" not in post.run("--refusals", "99")
    assert "Thank you" not in "".join(map(text, post.to(BEN)))
    lie = (*tray.entries(str(post.matches)), *tray.entries(str(post.matches), place=tray.KEPT))
    assert len(lie) == len(THANKS_AND_A_MOVE)


def test_whose_turn_it_is_is_told_and_bothers_nobody_unless_there_is_more(
    post: Post, room: Room
) -> None:
    comes(post, "Whose turn is it?", "Whose turn is it and where do I find the rules?")
    assert post.run() == ["asked", "passed-on"]
    assert [each.number for each in tray.entries(str(post.matches))] == [2]


def test_who_writes_after_the_end_is_told_that_it_is_over_and_not_whose_turn_it_is(
    post: Post, room: Room
) -> None:
    assert pbem("rule", room.log, "end", "--reason", "x").code == 0
    comes(post, "I hope that we all meet again at the convention in Essen")
    assert post.run() == ["passed-on"]
    answers = [flat(text(each)) for each in post.to(ANA)]
    assert any("passed on to the moderator" in each for each in answers)
    assert not any("your turn" in each for each in answers)


def test_thanks_can_be_read_and_a_wish_to_resign_is_told_until_it_is_confirmed(
    post: Post, room: Room
) -> None:
    comes(post, "Thanks, all!", "resign")
    post.run("--moderator", MOD)
    assert "Thanks, all!" in pbem("aside", post.matches, 1).out
    listed = pbem("aside", post.matches).out.splitlines()
    assert [line.split()[0] for line in listed] == ["2", "pbem"]
    assert "resign --seat white" in listed[1]
    assert "white wants to resign" in post.only(MOD)
    assert "1 mail needs you" in pbem("status", post.matches).out
    for again, came in (("draw", "accepted"), ("resign", "asked"), ("resign", "resigned")):
        comes(post, again, sender=ANA)
        assert post.run() == [came]
        lies = "" if came == "asked" else "no mail has been put aside\n"
        assert lies in pbem("aside", post.matches).out


def test_whoever_has_left_is_no_stranger_and_a_mail_is_listed_by_when_it_came(
    post: Post, hour: Hour
) -> None:
    room = timed(post, "--language", "fr")
    comes(post, "Merci !", sender=BEN)
    post.run()
    comes_in = ("--player", "Cleo <cleo@example.org>", "--reason", "x")
    assert pbem("rule", room.log, "substitute", "--seat", "black", *comes_in).code == 0
    post.run()
    hour.set("2026-09-21T20:00:00Z")
    bye = mail("Au revoir !", sender=BEN, subject=post.to(BEN, "farewell")[0]["Subject"])
    post.comes(bye, at=1790013600)
    assert post.run() == ["passed-on"]
    [answer] = (each for each in post.to(BEN) if "transmis" in each["Subject"])
    assert "de là que viendra la réponse" in flat(text(answer))
    [line, _] = pbem("aside", post.matches).out.splitlines()
    assert line.split()[1:3] == ["2026-09-21", "18:00"]
    assert post.aside() == [f"for you: {BEN} writes, who played in m\n"]


NUMBERS = {
    "How many pawns do I have?": False,
    "Wie viele Karten hat Ben?": False,
    "Ile kart ma Ben?": False,
    "How many cards may I hold?": True,
}
"""Questions about a number, and whether a rule answers them: else the table does, or a person."""


def test_a_number_of_things_on_the_table_is_asked_of_a_person_and_not_of_the_rules(
    post: Post, room: Room
) -> None:
    comes(post, *NUMBERS)
    post.run()
    answers = map(flat, map(text, post.to(ANA)))
    assert sorted("You ask about the rules" in each for each in answers) == sorted(NUMBERS.values())
    by = [each["answered_by"] for each in noted(post.matches)]
    assert [each == "asks_about_the_rules" for each in by] == [*NUMBERS.values()]


def test_who_writes_to_a_person_is_told_where_it_went_and_not_what_is_wrong_with_it(
    post: Post, room: Room
) -> None:
    for sender in (ANA, BEN):
        comes(post, "pause please, I am in hospital", sender=sender)
        post.run()
        assert flat(text(post.to(sender)[-1])).startswith(
            "Your mail was passed on to the moderator."
        )


SEATED = ("--seat", f"white=Ana <{ANA}>", "--seat", f"black=Ben <{BEN}>")
SOON, OVER = "The turn of Ana ends soon.", "The turn of Ana ended on"
NOTICE, STILL = "a notice is owed", "The clock is paused: nobody's days count."
YOURS = "it is for you to decide"
SEEK = "somebody is to be sought"
WALK = {
    "graced": ["", "", SOON, NOTICE, "", "", YOURS],
    "seeks": ["", "", SOON, NOTICE, "", "", SEEK],
    "paused": [STILL] * 7,
    "gone": ["", "", "", "", "", SOON, NOTICE],
    "writes": ["", "", SOON, NOTICE, "", "", "they are not silent"],
}
"""What `due` says of each match, morning by morning: Ana is away for three days in one of them."""


def test_what_is_due_is_said_each_morning_with_what_to_type_and_only_as_it_is(
    post: Post, hour: Hour, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(post.matches)
    hour.set("2026-09-01T08:00:00Z")
    clock = ("--turn", "2", "--grace", "2", "--remind", "1", "--zone", "UTC")
    for name in WALK:
        silence = ("--silence", "substitute" if name == "seeks" else "ask")
        assert pbem("new", "kahuna", "--match", name, *SEATED, *clock, *silence).code == 0
    pbem("rule", "paused", "pause")
    pbem("rule", "gone", "away", "--seat", "white", "--from", "2026-09-03", "--to", "2026-09-05")
    post.comes(mail("My father died. I need two weeks.", subject="Re: [writes #9]"))
    post.run()
    forget(post.matches, "ran")
    posted = list[int]()
    for day in range(7):
        hour.set(f"2026-09-{day + 1:02}T08:00:00Z")
        told = pbem("due").out
        blocks = re.split(r"\n(?=\S+: )|\n\n(?=Kahuna - )", told)
        for name, expected in WALK.items():
            about = [each for each in blocks if re.match(rf"(Kahuna - )?{name}\b", each)]
            assert len(about) == bool(expected[day]), (day, name, told)
            assert expected[day] in "".join(about), (day, name)
        assert OVER not in told, "it was printed when the notice was entered"
        assert told.startswith("1 mail needs you (1 passed-on): `pbem aside .`\n")
        for line in re.findall("^  pbem (.*)", told, re.M) if day in (3, 6) else ():
            if "MOVE" in line:
                refused = pbem(*shlex.split(line), "--dry").err
                assert re.search(
                    "in place of MOVE. .* moves can be played for white: .*draw", refused
                )
                bad = pbem(*shlex.split(line.replace("MOVE", "BARI-ZZZ"))).err
                assert re.search("'zzz' is neither .* moves can be played for white: .*draw", bad)
                hidden = pbem(*shlex.split(line.replace("MOVE", "BARI-ZZZ")), "--letters", ".").err
                assert "can be played for" not in hidden
            line = line.replace("MOVE", "draw").replace("NAME <ADDRESS>", "Cleo <cleo@x.example>")
            done = pbem(*shlex.split(line), *["--dry"] * ("rule" in line))
            assert done.code == 0, done.printed
            posted.append(done.out.count(OVER))
    assert sum(posted) == 4, "each post was printed once, of four matches"


# ------------------------------------------------------------------------- what is hidden

OPEN = ["FAAA", "HUNA", "JOJO"]
HANDS = [["DUDA", "KAHU", "LALE"], ["DUDA", "COCO", "ELAI"]]
OF_BOTH = [
    "discard KAHU with a cherry on top",
    "DUDA-KAHUU",
    "build KAHU-COCO twice",
    "pause please, I am in hospital",
    "KAHU-BARI and then the usual",
    "remove KAHU-COCO",
]
"""Mails that change nothing whatever Ana holds."""


def test_no_hidden_card_shows_in_what_lies_in_the_tray(tmp_path: Path) -> None:
    shown = []
    for nth, hand in enumerate(HANDS):
        post = Post(tmp_path / str(nth))
        dealer = scripted((*hand, "ALOA", "GOLA", "IFFI", *OPEN))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(append, "dealer_of", lambda now, table, dealer=dealer: dealer)
            dealt(post.matches, dealer=dealer, dealer_name="scripted", discard="free")
        comes(post, *OF_BOTH)
        post.run("--moderator", MOD)
        printed = [pbem("aside", post.matches, *more).printed for more in ((), ("--json",))]
        printed += [pbem("status", post.matches, *more).printed for more in ((), ("--json",))]
        shown.append([*(each.replace(str(tmp_path / str(nth)), "") for each in printed)])
        copy = flat(post.only(MOD)).replace(str(tmp_path / str(nth)), "")
        shown[-1].append(copy.partition("puts one away")[2])
    assert shown[0] == shown[1]
