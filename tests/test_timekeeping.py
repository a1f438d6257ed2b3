"""The desk keeps the clock: what a run writes once the mails have been read, and what it sends."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest
from commands import ANA, BEN, Room, beside, mail, overridden, pbem
from kills import remains
from long import many
from postroom import VOUCHED, Post, forget_mails, plies, text
from test_mailroom_crash import again
from test_time import Hour, fits_its_schema, new

from pbem import intake
from pbem.files import cache
from pbem.log import clock
from pbem.log.format import Log
from pbem.log.rulings import Ruled
from pbem.mailroom.daybook import Came, Daybook, Planned, Ran, Said, book_of
from pbem.matches import index
from pbem.problem import BadFile

SOON, LATE, LAPSED = "2026-09-24T10:00:00Z", "2026-09-25T07:00:00Z", "2026-09-28T07:00:00Z"
"""Ana is to move by 24 September, 18:00 UTC; a notice of the 25th lapses on the 27th."""


@pytest.fixture
def hour(monkeypatch: pytest.MonkeyPatch) -> Hour:
    return Hour(monkeypatch)


@pytest.fixture
def post(tmp_path: Path) -> Post:
    return Post(tmp_path)


def timed(post: Post, *more: object, name: str = "m") -> Room:
    """A match that Ana begins; everybody has been told of it."""
    given = ("--turn", 3, "--zone", "Europe/Berlin", "--silence", "draw or pass")
    done = new(post.matches, *overridden(given, *more), "--told", name=name)
    assert done.code == 0, done.printed
    return Room(post.matches / f"{name}.pbem.yaml")


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Post:
    """A folder with a match that nobody changes."""
    post = Post(tmp_path_factory.mktemp("begun"))
    with pytest.MonkeyPatch.context() as patch:
        Hour(patch)
        timed(post)
        assert post.run() == []
    assert post.answers() == {}
    return post


@pytest.fixture
def room(post: Post, hour: Hour, begun: Post) -> Room:
    shutil.copytree(begun.matches.parent, post.matches.parent, dirs_exist_ok=True)
    return Room(post.matches / "m.pbem.yaml")


def at(post: Post, hour: Hour, moment: str, *more: str) -> list[str]:
    """A run at a moment: its verdicts."""
    hour.set(moment)
    return post.run(*more)


def rulings(room: Room) -> list[str]:
    return [e.kind for e in room.read().log.entries if isinstance(e, Ruled)]


def flat(found: str) -> str:
    return " ".join(found.split())


def daily(post: Post, hour: Hour, last: str) -> list[tuple[str, list[str]]]:
    """A run every morning from 22 September to a date; what there was to tell."""
    days = (f"2026-09-{day:02}T07:00:00Z" for day in range(22, int(last[8:10]) + 1))
    return [(day[8:10], told) for day in days if (told := at(post, hour, day))]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("back", "Nothing was entered: you have announced no absence."),
        ("back from 3 Jan on", "Nothing was entered: you have announced no absence."),
        ("away 2026-12-20 to 2027-03-05", "you can announce 28 days of absence, and 28 are left"),
        ("away 2026-12-20 to 2036-03-05", "you can announce 28 days of absence, and 28 are left"),
    ],
)
def test_whoever_is_away_or_back_is_told_of_themselves_as_you(
    said: str, told: str, post: Post, room: Room
) -> None:
    post.comes(mail(said))
    with room.unchanged():
        assert post.run() == ["asked"]
    assert told in flat(post.only(ANA))
    assert "Ana " not in flat(post.only(ANA))


@pytest.fixture
def double(post: Post, hour: Hour) -> Room:
    """A match of Kanaloa (Bambus) in which Ana plays red and green, and Ben yellow."""
    hands = (("red", ANA, "Ana"), ("yellow", BEN, "Ben"), ("green", ANA, "Ana"))
    seats = (f"{seat}={name} <{address}>" for seat, address, name in hands)
    asked = [each for seat in seats for each in ("--seat", seat)]
    folder = ("--match", "m", "--dir", post.matches, "--told", "--turn", 3)
    done = pbem("new", "kanaloa-bambus", *asked, *folder, "--zone", "Europe/Berlin")
    assert done.code == 0, done.printed
    return Room(post.matches / "m.pbem.yaml")


def absences(room: Room) -> list[tuple[str, str, str]]:
    entries = [e for e in room.read().log.entries if isinstance(e, Ruled)]
    return [(e.kind, e.by, e.ruling.seat) for e in entries if e.kind in ("away", "back")]


def test_the_answer_to_an_absence_tells_the_deadline_where_its_writer_lives(
    post: Post, double: Room
) -> None:
    post.comes(mail("zone America/New_York", identity="<1@e>", subject="Mails"))
    post.run()
    post.comes(mail("away until 1 October", identity="<2@e>"))
    assert post.run() == ["absent"]
    [answer] = [told for told in map(flat, map(text, post.to(ANA))) if "both included" in told]
    assert "EDT (UTC-4)" in answer
    assert "CEST" not in answer


def test_whoever_is_away_or_back_is_so_for_each_of_their_seats(post: Post, double: Room) -> None:
    post.comes(mail("away until 1 October"))
    assert post.run() == ["absent"]
    both = [("away", "red", "red"), ("away", "green", "green")]
    assert absences(double) == both
    told = flat(post.only(ANA))
    for seat in ("red", "green"):
        assert f"{seat}: You are away from 2026-09-21 to 2026-10-01, both included" in told
    forget_mails(post.matches)
    post.comes(mail("away until 1 October"))
    post.run()
    assert absences(double) == both
    post.comes(mail("back", identity="<2@e>"))
    assert post.run() == ["present"]
    assert absences(double) == [*both, ("back", "red", "red"), ("back", "green", "green")]


def test_whoever_names_a_seat_is_away_for_that_one_with_a_budget_of_its_own(
    post: Post, double: Room
) -> None:
    post.comes(mail("[move]\nseat: green\naway until 1 October\n[/move]"))
    assert post.run() == ["absent"]
    assert absences(double) == [("away", "green", "green")]
    assert "red: " not in post.only(ANA)
    post.comes(mail("away 2026-11-01 to 2026-11-22", identity="<2@e>"))
    assert post.run() == ["absent"]
    assert absences(double)[1:] == [("away", "red", "red")]
    told = flat(" ".join(text(each) for each in post.to(ANA)))
    assert "red: You are away from 2026-11-01 to 2026-11-22" in told
    assert "green: Nothing was entered: you can announce 28 days of absence" in told
    post.comes(mail("[move]\nseat: red\nback\n[/move]", identity="<3@e>"))
    assert post.run() == ["present"]
    assert absences(double)[2:] == [("back", "red", "red")]


def test_a_seat_that_is_given_up_is_not_away(post: Post, double: Room) -> None:
    given_up = pbem("rule", double.log, "resign", "--seat", "red", "--reason", "by phone")
    assert given_up.code == 0
    post.comes(mail("away until 1 October"))
    assert post.run()[0] == "absent"
    assert absences(double) == [("away", "green", "green")]


def test_once_a_match_is_over_no_days_are_announced_in_it(post: Post, room: Room) -> None:
    assert pbem("rule", room.log, "end", "--reason", "agreed", "--told").code == 0
    post.comes(mail("away until 5 Jan"))
    assert post.run() == ["asked"]
    assert flat(post.only(ANA)).strip() == "The match is over, and no days count in it."


def test_what_by_its_subject_alone_looks_like_a_machines_holds_up_no_reminder(
    post: Post, room: Room, hour: Hour
) -> None:
    post.comes(mail("I'll answer on 5 October.", subject="Urlaub"), at=1_790_060_000)
    assert at(post, hour, "2026-09-22T08:00:00Z") == ["auto"]
    assert len(post.aside()) == 1
    assert at(post, hour, SOON) == ["reminder"]


DATED = {
    "I'm on holiday from 3 to 10 January": "2027-01-03 to 2027-01-10",
    "Je suis en vacances jusqu'au 5 octobre": "2026-09-21 to 2026-10-05",
    "Hi all,\n\nich bin bis 2. Oktober im Urlaub.\n\nAna": "2026-09-21 to 2026-10-02",
    "I'll be away until 1 October.\n\nBest regards,\nAna": "2026-09-21 to 2026-10-01",
    "Jestem na urlopie od 3 do 10 pa\u017adziernika": "2026-10-03 to 2026-10-10",
}


def test_a_holiday_with_its_days_is_entered_whatever_the_words(post: Post, room: Room) -> None:
    for nth, (said, days) in enumerate(DATED.items()):
        post.comes(mail(said, identity=f"<{nth}@e>"))
        assert (post.run(), said) == (["absent"], said)
        told = [flat(text(each)) for each in post.to(ANA)]
        assert any(f"You are away from {days}" in each for each in told), said
        assert pbem("rule", room.log, "back", "--seat", "white").code == 0
    assert post.aside() == []


NEXT_WEEK = "You are away from 2026-09-28 to 2026-10-04"
HOLIDAYS = {
    "Ich bin nächste Woche im Urlaub": NEXT_WEEK,
    "Hi Ben,\n\nI'll be away next week, no moves until Monday 14th.\n\nAna": "`away 2026-09-21 to ",
    "Jestem na urlopie do piątku": "You are away from 2026-09-21 to 2026-09-25",
    "Januárban szabadságon leszek, utána írok": "`away until 5 Jan`",
    "away next week": NEXT_WEEK,
    "Away until Monday": "You are away from 2026-09-21 to 2026-09-28",
    "abwesend nächste Woche": NEXT_WEEK,
    "absent la semaine prochaine": NEXT_WEEK,
    "nieobecna w przyszłym tygodniu": NEXT_WEEK,
    "távol leszek jövő héten": NEXT_WEEK,
}


@pytest.mark.parametrize("matches", [1, 2])
@pytest.mark.parametrize("said", HOLIDAYS)
def test_a_holiday_in_prose_is_entered_in_each_match_or_its_line_is_told(
    said: str, matches: int, post: Post, room: Room
) -> None:
    others = [timed(post, name="n")] if matches > 1 else []
    post.comes(mail(said))
    entered = HOLIDAYS[said].startswith("You are away")
    assert post.run() == ["absent" if entered else "passed-on"]
    assert HOLIDAYS[said] in " ".join(flat(text(each)) for each in post.to(ANA))
    assert [len(rulings(each)) for each in (room, *others)] == [int(entered)] * matches
    assert len(post.aside()) == (not entered)


def test_whoever_wants_no_more_mails_need_not_say_of_which_match(post: Post, room: Room) -> None:
    timed(post, name="n")
    post.comes(mail("unsubscribe"))
    assert post.run() == ["passed-on"]
    assert "with the one word resign" in flat(post.only(ANA))


# ------------------------------------------------------------------------- the usual course


def test_a_silent_player_is_reminded_told_and_played_for(
    post: Post, room: Room, hour: Hour
) -> None:
    assert daily(post, hour, "2026-09-30") == [
        ("24", ["reminder"]),
        ("25", ["late"]),
        ("28", ["silence"]),
    ]
    assert rulings(room) == ["late", "default"]
    assert plies(room) == ["draw"]
    assert pbem("verify", room.log, "--key", room.desk).code == 0
    for who in (ANA, BEN):
        news = [flat(message.as_string()) for message in post.to(who, "news")]
        assert ["missed the deadline" in each for each in news] == [True, True]
        late = [str(each["Subject"]) for each in post.to(who) if "late" in each["Subject"]]
        assert [each.partition("] ")[2] for each in late] == ["You are late; Ana to move"] * (
            who == ANA
        )


def test_a_reminder_says_until_when_and_how_to_answer(post: Post, room: Room, hour: Hour) -> None:
    pbem("seat", room.log, "--seat", "white", "--zone", "Europe/London")
    assert at(post, hour, SOON) == ["reminder"]
    told = flat(post.only(ANA, "reminder"))
    assert "m: your turn ends soon. Ana, by Thu 24 Sep 2026, 19:00 BST (UTC+1)" in told
    assert "[m #" in told
    assert "`away until 5 Jan`" in told
    [message] = post.to(ANA)
    assert message["Subject"].startswith("[m #")
    assert post.to(BEN) == []
    assert at(post, hour, SOON) == []


def test_all_matches_of_a_player_are_one_reminder(post: Post, hour: Hour) -> None:
    for name in ("m", "n"):
        timed(post, name=name)
    post.run()
    assert at(post, hour, SOON) == ["reminder", "reminder"]
    told = flat(post.only(ANA, "reminder"))
    assert "m: your turn ends soon" in told
    assert "n: your turn ends soon" in told
    assert "[n #" in told


@pytest.fixture
def reminded(post: Post, hour: Hour) -> EmailMessage:
    """Ana is reminded of `m` and `n`; `o`, where she plays, too, waits for nobody just now."""
    for name in ("m", "n"):
        timed(post, name=name)
    new(post.matches, "--turn", 30, "--zone", "Europe/Berlin", "--told", name="o")
    post.run()
    at(post, hour, SOON)
    [message] = post.to(ANA, "reminder")
    return message


def test_a_reminder_of_several_matches_has_a_subject_and_a_block_for_each(
    post: Post, reminded: EmailMessage
) -> None:
    told = text(reminded)
    for name in ("m", "n"):
        position = Room(post.matches / f"{name}.pbem.yaml").read().position
        assert f"Subject: [{name} {position}]" in told
        block = f"[move] {position}\nmatch: {name}\n...\n[/move]"
        assert block in told
        raw = mail(block.replace("...", "draw"), subject=f"Re: {reminded['Subject']}")
        post.comes(raw.replace(b"<1@", f"<{name}@".encode()))
    assert [told["match"] for told in post.told() if told["verdict"] == "accepted"] == ["m", "n"]


@pytest.mark.parametrize(
    ("said", "verdict", "told"),
    [
        ("board", "asked", "WHERE THE MATCH STANDS"),
        ("away until 28 Sep", "absent", "You are away from 2026-09-24 to 2026-09-28"),
        ("back", "present", "You are back"),
    ],
)
def test_a_word_above_a_quoted_reminder_is_understood_for_all_it_names(
    post: Post, reminded: EmailMessage, said: str, verdict: str, told: str
) -> None:
    if said == "back":
        post.comes(mail("away until 28 Sep", identity="<0@example.org>", subject="Holidays"))
        post.run()
    before = len(post.to(ANA))
    quoted = "\n".join(f"> {line}" for line in text(reminded).splitlines())
    body = f"{said}\n\nOn Thu, desk wrote:\n{quoted}"
    raw = mail(body, subject=f"Re: {reminded['Subject']}")
    post.comes(raw)
    assert post.run() == [verdict]
    came = post.to(ANA)
    found = [str(each["Subject"]) for each in came if told in flat(text(each))]
    assert sorted(each[:3] for each in found) == ["[m ", "[n "]
    entered = {n: rulings(Room(post.matches / f"{n}.pbem.yaml")) for n in "mno"}
    assert [entered[n][-1:] == [RULED.get(verdict)] for n in "mn"] == [verdict in RULED] * 2
    assert entered["o"] == (["away"] if said == "back" else [])
    assert len(came) == before + 2
    forget_mails(post.matches)
    post.comes(raw)
    post.run()
    assert len(post.to(ANA)) == before + 2


RULED = {"absent": "away", "present": "back"}


def test_status_in_answer_to_a_reminder_tells_of_all_matches_once(
    post: Post, reminded: EmailMessage
) -> None:
    post.comes(mail("status\nboard", subject=f"Re: {reminded['Subject']}"))
    post.run()
    found = [flat(text(each)) for each in post.to(ANA)]
    assert sum("Your matches:" in each for each in found) == 1


def test_only_the_newest_reminder_is_written(post: Post, hour: Hour) -> None:
    timed(post, "--bank", 4)
    post.run()
    assert at(post, hour, "2026-09-26T10:00:00Z") == ["reminder"]
    told = flat(post.only(ANA, "reminder"))
    assert "you live on the 4 days you have to spare. Ana, by Mon 28 Sep 2026, 20:00" in told
    [message] = post.to(ANA, "reminder")
    assert message["Subject"].endswith("] 1 turn is over")


@pytest.mark.parametrize(("after", "in_time"), [(0, True), (10_580_590, False)])
def test_a_mail_that_came_before_silence_was_played_reaches_the_moderator(
    post: Post, room: Room, hour: Hour, after: int, in_time: bool
) -> None:
    position = room.read().position
    daily(post, hour, "2026-09-28")
    post.comes(mail("draw", subject=f"[m {position}]", identity="<late@e>"), after=after)
    assert at(post, hour, "2026-09-28T08:00:00Z") == ["stale"]
    told = flat(post.only(ANA, "refusal"))
    assert ("before a move was played for you because you were silent" in told) == in_time
    assert len(post.aside()) == in_time


def test_where_silence_brings_nothing_the_moderator_is_asked_once(post: Post, hour: Hour) -> None:
    room = timed(post, "--silence", "ask")
    post.run()
    assert daily(post, hour, "2026-09-30")[-1] == ("28", ["ask"])
    assert rulings(room) == ["late"]
    assert pbem("status", post.matches, "--late").code == 1


def test_who_is_asked_what_to_do_is_told_how(post: Post, hour: Hour) -> None:
    room = timed(post, "--silence", "ask")
    post.run()
    for moment in (LATE, LAPSED):
        at(post, hour, moment, "--moderator", "mod@example.org")
    mailed = re.findall("^pbem (.*)", post.only("mod@example.org"), re.M)
    [days, plays] = re.findall("  pbem (.*)", pbem("due", post.matches).out)
    assert mailed == [days, plays], "no line is broken"
    assert plays.endswith("default --seat white --move MOVE --reason late")
    done = pbem(*shlex.split(days))
    assert done.code == 0, done.printed
    assert rulings(room) == ["late", "extend"]


# --------------------------------------------------------------------------- what may delay


def test_a_move_that_waits_in_the_mailbox_is_played_however_late(
    post: Post, room: Room, hour: Hour
) -> None:
    at(post, hour, LATE)
    post.comes(mail("draw"))
    assert at(post, hour, LAPSED) == ["accepted"]
    assert rulings(room) == ["late"]


def test_a_match_with_a_mail_that_cannot_be_read_yet_is_not_judged(
    post: Post, room: Room, hour: Hour
) -> None:
    other = timed(post, name="n")
    post.run()
    named = mail("draw", subject="[m #9] my move")
    post.comes(named)
    whole = room.desk.read_text()
    room.desk.write_text("format: nonsense\n")
    hour.set(LATE)
    assert post.desk().code == 75
    assert (rulings(other), Path(room.log).read_text().count("late:")) == (["late"], 0)
    room.desk.write_text(whole)
    assert at(post, hour, LATE) == ["accepted"]
    assert rulings(room) == []


def test_while_anybodys_mail_waits_for_no_match_it_names_nothing_is_judged(
    post: Post, room: Room, hour: Hour
) -> None:
    other = timed(post, name="n")
    post.run()
    post.comes(mail("draw", sender="new@address.example"))
    other.desk.write_text("format: nonsense\n")
    hour.set(LATE)
    assert post.desk().code == 75
    assert rulings(room) == []


def test_a_mailbox_that_was_not_read_to_its_end_judges_nobody(
    post: Post, room: Room, hour: Hour
) -> None:
    hour.set(LATE)
    shutil.rmtree(post.box / "cur")
    assert post.desk().code != 0
    assert rulings(room) == []


@pytest.mark.parametrize("source", ["-", "one mail", "none"])
def test_without_the_mailbox_that_is_used_else_the_clock_stands(
    post: Post, room: Room, hour: Hour, source: str
) -> None:
    hour.set(LATE)
    file = room.write("mail.eml", mail("to moderator: hello"))
    arguments = {"-": ("--mail", "-"), "one mail": ("--mail", file), "none": ()}[source]
    place = ("--matches", post.matches, "--outbox", post.outbox)
    done = pbem("desk", "run", *arguments, *place, stdin=mail("to moderator: hello"))
    assert done.code == 0
    assert rulings(room) == []
    assert post.run() == ["late"]


def test_who_uses_no_mailbox_keeps_the_clock_without(post: Post, hour: Hour) -> None:
    room = timed(post)
    for moment in (hour.moment, LATE):
        hour.set(moment)
        pbem("desk", "run", "--matches", post.matches, "--outbox", post.outbox)
    assert rulings(room) == ["late"]


ASLEEP = [
    # the last complete run, the next one, what that brings, and what the one after brings
    ("2026-09-27T08:00:00Z", "2026-09-28T07:00:00Z", ["silence"], []),
    ("2026-09-27T06:00:00Z", "2026-09-28T07:00:00Z", [], ["silence"]),
    ("2026-09-25T07:00:00Z", "2026-10-02T06:00:00Z", [], ["silence"]),
    ("2026-09-25T07:00:00Z", "2026-10-04T07:00:00Z", ["ask"], ["ask"]),
]


@pytest.mark.parametrize(("last", "next_", "told", "then"), ASLEEP)
def test_a_desk_that_has_slept_plays_for_nobody(
    post: Post, room: Room, hour: Hour, last: str, next_: str, told: list[str], then: list[str]
) -> None:
    assert at(post, hour, LATE) == ["late"]
    at(post, hour, last)
    assert at(post, hour, next_) == told
    assert at(post, hour, f"{next_[:11]}09:00:00Z") == then


def test_after_a_week_asleep_nothing_is_judged_until_a_person_vouches_for_the_time(
    post: Post, room: Room, hour: Hour
) -> None:
    told = "the desk waits for you: it last kept the clock at 2026-09-21T10:00:00Z"
    boss = "boss@example.org"
    for day in ("05", "06"):
        hour.set(f"2026-10-{day}T07:00:00Z")
        [asked] = post.told("--moderator", boss)
        assert asked["verdict"] == "ask"
        assert asked["why"].startswith(told)
        assert flat(post.only(boss)).startswith(told)
        assert pbem("status", post.matches).out.startswith(told)
        assert waits_for(post) == ({"white": "moderator"}, None, "you, for Ana (white)")
        assert dry(post)[0].startswith(told)
    assert post.to(ANA) == []
    assert rulings(room) == []
    assert at(post, hour, "2026-10-09T08:00:00Z", "--yes") == ["late"]
    assert told not in pbem("status", post.matches).out
    assert at(post, hour, "2026-10-09T09:00:00Z") == []
    assert rulings(room) == ["late"]


def test_a_clock_ten_years_ahead_enters_nothing(post: Post, room: Room, hour: Hour) -> None:
    before = room.log.read_bytes()
    assert at(post, hour, "2036-09-25T07:00:00Z") == ["ask"]
    assert room.log.read_bytes() == before
    assert post.answers() == {}
    assert at(post, hour, LATE) == ["late"]


def test_a_clock_that_goes_back_judges_nobody_and_is_told(
    post: Post, room: Room, hour: Hour
) -> None:
    assert at(post, hour, LATE) == ["late"]
    assert at(post, hour, "2026-09-24T19:00:00Z") == []
    shown = pbem("status", post.matches).out
    assert shown.count("the clock has gone back") == 1
    assert at(post, hour, SOON) == []
    assert len(post.to(ANA)) == 1
    assert "gone back" not in (hour.set(LAPSED), pbem("status", post.matches))[1].out


def test_who_is_away_is_reminded_when_they_are_back(post: Post, room: Room, hour: Hour) -> None:
    hour.set(SOON)
    away = ("--from", "2026-09-24", "--to", "2026-09-26")
    pbem("rule", room.log, "away", "--seat", "white", *away, "--told")
    assert at(post, hour, SOON) == []
    assert at(post, hour, "2026-09-27T07:00:00Z") == ["reminder"]


def test_who_is_reminded_while_a_mail_of_theirs_waits_is_told_so(
    post: Post, room: Room, hour: Hour
) -> None:
    hour.set("2026-09-22T10:00:00Z")
    post.comes(mail("I would love to play, but how?"))
    assert post.run() == ["passed-on"]
    assert at(post, hour, SOON) == ["reminder"]
    assert at(post, hour, SOON) == []
    told = flat(post.only(ANA, "reminder"))
    assert "passed on to the moderator. While it waits for them, no move is played" in told


# -------------------------------------------------------------------------------- each once


def files(post: Post) -> dict[str, bytes]:
    kept = [*post.matches.glob("*.yaml"), *post.outbox.rglob("*.eml")]
    return {str(file.relative_to(post.matches.parent)): file.read_bytes() for file in kept}


@pytest.mark.posix
@pytest.mark.parametrize("moment", [SOON, LATE, LAPSED])
def test_killed_at_any_instant_each_notice_move_and_reminder_is_there_once(
    post: Post, room: Room, hour: Hour, moment: str
) -> None:
    if moment == SOON:
        timed(post, name="n")
        post.run()
    if moment == LAPSED:
        at(post, hour, LATE)
        at(post, hour, "2026-09-27T08:00:00Z")
    hour.set(moment)
    place = post.matches.parent
    kept = place.with_name(f"{place.name}-kept")
    shutil.copytree(place, kept)
    assert len(post.run()) == (2 if moment == SOON else 1)
    wanted = files(post)
    numbers = []
    for number in remains(post.desk, lambda: again(kept, place), place):
        post.run()
        assert files(post) == wanted, number
        assert post.run() == []
        assert files(post) == wanted, number
        numbers.append(number)
    assert len(numbers) > many(3, 10)


@pytest.mark.parametrize("moment", [SOON, LATE, LAPSED])
def test_two_desks_at_once_do_each_thing_once(
    post: Post, room: Room, hour: Hour, moment: str
) -> None:
    if moment == LAPSED:
        at(post, hour, LATE)
        at(post, hour, "2026-09-27T08:00:00Z")
    hour.set(moment)
    place = post.matches.parent
    alone = place.with_name(f"{place.name}-alone")
    shutil.copytree(place, alone)
    desks = [
        (
            *("desk", "run", "--mail", folder / "Maildir", "--matches", folder / "matches"),
            *("--outbox", folder / "outbox", "--address", "desk@games.example", "--once"),
        )
        for folder in (place, place, alone)
    ]
    with beside(*desks) as done:
        pass
    assert {each.code for each in done} == {0}, [each.printed for each in done]
    assert rulings(room) == rulings(Room(alone / "matches" / "m.pbem.yaml"))
    assert {file.name for file in post.outbox.rglob("*.eml")} == {
        file.name for file in (alone / "outbox").rglob("*.eml")
    }


def test_a_reminder_is_remembered_when_its_mail_has_gone(
    post: Post, room: Room, hour: Hour
) -> None:
    at(post, hour, SOON)
    shutil.rmtree(post.outbox)
    assert at(post, hour, SOON) == []
    assert post.answers() == {}


def test_the_daybook_stays_small_and_forgets_what_was_said_long_ago(tmp_path: Path) -> None:
    book = Daybook(str(tmp_path), lambda name: name == "sent")
    book.refresh()
    book.add(Came("1", "2026-09-23T10:00:00Z", "accepted"))
    book.add(Said(("m-1-white-soon-2026-09-23", "m-9-white-soon-2029-09-23")))
    book.add(Planned("sent", ANA, keys=("a",)))
    book.add(Planned("never", ANA, keys=("b",)))
    assert (book.said("a"), book.said("b")) == (True, False)
    for _ in range(2_101):
        book.add(Ran("2030-01-01T00:00:00Z", True))
    book.tidy("2030-01-01T00:00:00Z")
    book = Daybook(str(tmp_path))
    book.refresh()
    assert (book.last, book.mailbox, book.mails) == ("2030-01-01T00:00:00Z", True, {"1"})
    assert not book.said("m-1-white-soon-2026-09-23")
    assert book.said("m-9-white-soon-2029-09-23")
    assert book_of(str(tmp_path)).last == book.last
    file = tmp_path / ".mailroom" / "daybook.jsonl"
    assert len(file.read_text().splitlines()) < 10
    file.write_text('{"fact": "ran", "upto": 3, "mailbox": true}\n')
    with pytest.raises(BadFile, match="remove it"):
        book_of(str(tmp_path))


def test_matches_in_which_nothing_is_due_are_not_opened(
    post: Post, room: Room, hour: Hour, monkeypatch: pytest.MonkeyPatch
) -> None:
    hour.set("2026-09-22T10:00:00Z")
    from pbem.log.format import Log

    pbem("status", post.matches)
    import time

    now = time.time_ns()
    monkeypatch.setattr(time, "time_ns", lambda: now + 10_000_000_000)
    post.run()

    def opened(*_: object, **__: object) -> None:
        raise AssertionError("a log was read")

    monkeypatch.setattr(Log, "parse", opened)
    assert post.run() == []


def test_deadlines_that_are_kept_follow_the_data_of_time_zones(
    post: Post, room: Room, hour: Hour, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert pbem("status", post.matches).err == ""
    clock.edition.cache_clear()
    folder = room.write("tzdata.zi", "# version 2031a").parent
    monkeypatch.setattr(clock, "_FOLDERS", (str(folder),))
    assert clock.edition() == "# version 2031a"
    monkeypatch.setattr(index, "_VERSION", f"{index.FORMAT} {clock.edition()}")
    assert pbem("status", post.matches).err == ""
    [kept] = post.matches.glob(".mailroom/index.pbem.*")
    assert "2031a" in cache.load(str(kept))[0]
    clock.edition.cache_clear()


# ---------------------------------------------------------------------------------- the rest


def everything(post: Post) -> dict[Path, bytes]:
    """All files there are: of matches, accounts, journals, answers and mails."""
    return {p: p.read_bytes() for p in post.matches.parent.rglob("*") if p.is_file()}


def dry(post: Post, *more: object, mailbox: bool = True) -> list[str]:
    """What a dry run says, which writes nothing; its JSON is of the same."""
    before = everything(post)
    mails = ("--mail", post.box) if mailbox else ()
    given = ("desk", "run", "--dry", *mails, "--matches", post.matches, "--outbox", post.outbox)
    done, data = pbem(*given, *more), pbem(*given, *more, "--json").json
    assert done.code == 0, done.err
    assert everything(post) == before
    said = [flat(line) for line in done.out.splitlines()]
    would = [[each["verdict"], each["match"]] for each in data["would"]]
    assert [line.split()[:2] for line in said[len(said) - len(would) :]] == would
    return said


def test_a_dry_run_says_what_the_next_run_does_day_by_day(
    post: Post, room: Room, hour: Hour
) -> None:
    told = []
    for day in range(22, 29):
        moment = hour.set(f"2026-09-{day}T07:00:00Z")
        told += dry(post)
        verdicts = post.run()
        assert dry(post) == ["time asks for nothing"], "what has been done is owed no longer"
        assert bool(verdicts) == (day in (24, 25, 28)), moment
    assert [line for line in told if line != "time asks for nothing"] == [
        "reminder m white: m: your turn ends soon. white, by Thu 24 Sep 2026, 20:00 CEST "
        "(UTC+2); then 2 days of grace.",
        "late m #9 white",
        "silence m #11 white: draw is played for them",
    ]


def test_a_dry_run_with_mails_says_that_they_come_first(post: Post, room: Room, hour: Hour) -> None:
    post.comes(mail("draw"))
    hour.set(LATE)
    assert dry(post) == [
        "1 mail would be read first, and may change what follows",
        "late m #9 white",
    ]
    assert len(list((post.box / "new").iterdir())) == 1


def test_a_dry_run_says_why_nothing_would_be_judged_or_played(
    post: Post, room: Room, hour: Hour
) -> None:
    at(post, hour, LATE)
    hour.set("2026-09-28T09:00:00Z")
    assert dry(post) == [
        "the last complete run is more than a day ago, so notices would be written and nothing "
        "played"
    ]
    assert dry(post, "--yes") == ["silence m #11 white: draw is played for them"]
    [told] = dry(post, mailbox=False)
    assert told.startswith("no deadline is judged without the mailbox")
    hour.set("2026-09-24T19:00:00Z")
    [first, second] = dry(post)
    assert first.startswith("the clock has gone back")
    assert second.startswith("m: the last entry lies in the future: it is of 2026-09-25T07:00:00Z")


def test_a_dry_run_tells_of_questions_once(post: Post, hour: Hour) -> None:
    timed(post, "--silence", "ask")
    assert [at(post, hour, moment) for moment in (SOON, LATE, "2026-09-27T08:00:00Z")] == [
        ["reminder"],
        ["late"],
        [],
    ]
    hour.set(LAPSED)
    [told] = dry(post)
    assert told.startswith("ask m white: the days of grace are over")
    assert post.run() == ["ask"]
    assert dry(post) == ["time asks for nothing"]


def worlds(tmp_path: Path, hour: Hour) -> Iterator[tuple[Post, Room]]:
    """Two matches of the same secret; in the first, Ben has foreseen what Ana does."""
    for waits in (True, False):
        hour.set("2026-09-21T10:00:00Z")
        post = Post(tmp_path / ("waits" if waits else "does not"))
        if waits:
            yield post, ticking(post, "at_tick")
        else:
            room = timed(post, "--plans", "at_tick", "--turn", 5)
            post.run()
            yield post, room


def test_a_dry_run_says_that_a_tick_has_come_and_nothing_of_what_waits_for_it(
    tmp_path: Path, hour: Hour
) -> None:
    said = []
    for post, room in worlds(tmp_path, hour):
        room.says("white", "draw")
        hour.set("2026-09-21T18:00:01Z")
        said.append(dry(post))
        post.run()
        assert dry(post) == ["time asks for nothing"]
    assert said[0] == said[1]
    assert said[0] == [
        "planned m -: what waits for the tick of 2026-09-21T18:00:00Z, if anything does"
    ]


def test_a_log_in_which_no_deadline_can_be_judged_is_told_on_the_screen(
    post: Post, room: Room, hour: Hour
) -> None:
    timed(post, name="n")
    text = Path(room.log).read_text()
    other = Log.parse(text, "m").header
    clock_ = {**(other.clock or {}), "zone": "Europe/Berln"}
    Path(room.log).write_text(other._replace(clock=clock_).text())
    shown = flat(pbem("status", post.matches).out)
    assert shown.count("no deadline is judged: there is no time zone 'Europe/Berln'") == 1
    assert dry(post)[0].startswith("m: there is no time zone 'Europe/Berln'")
    assert "late" in at(post, hour, LATE), "the other match has its clock all the same"


# --------------------------------------------------------------------- who decides when


def waits_for(post: Post) -> tuple[dict[str, str], str | None, str]:
    """For whom a match waits, until when, and who is next to move by the screen."""
    [match] = pbem("status", post.matches, "--json").json["matches"]
    head, row = pbem("status", post.matches).out.splitlines()[-2:]
    start = head.index("next to move")
    return match["clock"]["waits_for"], match["clock"]["next"], re.split("  +", row[start:])[0]


def test_when_nothing_says_what_silence_brings_the_moderator_is_awaited(
    post: Post, hour: Hour
) -> None:
    room = timed(post, "--silence", "ask")
    post.run()
    seat, desk, you = {"white": "seat"}, {"white": "desk"}, {"white": "moderator"}
    assert waits_for(post) == (seat, "2026-09-23T18:00:00Z", "Ana (white)")
    hour.set(LATE)
    assert waits_for(post) == (desk, None, "Ana (white)")
    assert post.run() == ["late"]
    assert waits_for(post) == (seat, "2026-09-27T18:00:00Z", "Ana (white)")
    told = flat(pbem("show", room.log).out)
    assert "the days of grace end Sun 27 Sep 2026, 20:00 CEST (UTC+2). Then the moderator" in told
    assert pbem("show", room.log, "--json").json["clock"]["lapse"] == {
        "white": {"at": "2026-09-27T18:00:00Z", "then": "moderator"}
    }
    hour.set(LAPSED)
    assert waits_for(post) == (you, None, "you, for Ana (white)")
    assert room.says("white", "draw").verdict == "accepted", "a late move counts all the same"


@pytest.mark.parametrize(
    ("silence", "then"),
    [
        ("draw", "desk"),
        ("ALOA-BARI", "desk"),  # it needs a card: whether Ana holds one nobody is told
        ("take {hidden}", "moderator"),
        ("default", "moderator"),
    ],
)
def test_who_acts_when_grace_is_over_is_foretold_from_what_everybody_knows(
    post: Post, hour: Hour, silence: str, then: str
) -> None:
    room = timed(post)
    now = room.read(None)
    hidden = {"ALOA", "BARI", "COCO", "DUDA"}.difference(now.game.view(now.state)["display"])
    pbem("rule", room.log, "clock", "--silence", silence.format(hidden=min(hidden)))
    hour.set(LATE)
    pbem("due", post.matches, "--enter")
    shown = pbem("show", room.log, "--json").json["clock"]["lapse"]["white"]
    assert shown["then"] == then
    hour.set(LAPSED)
    assert waits_for(post)[0] == {"white": then}


# -------------------------------------------------------------------- words for the draws


def test_who_sends_no_words_is_reminded_and_then_the_moderator_is_asked(
    post: Post, hour: Hour
) -> None:
    room = timed(post, "--entropy", "seats", "--until", "2026-09-24T12:00:00Z")
    assert post.run() == []
    shown = pbem("show", room.log)
    assert "Ana and Ben: words for the draws by Thu 24 Sep 2026, 14:00 CEST (UTC+2); then" in flat(
        shown.out
    )
    clocked = pbem("show", room.log, "--json").json
    assert fits_its_schema(clocked)
    assert clocked["clock"]["due"] == dict.fromkeys(("white", "black"), "2026-09-24T12:00:00Z")
    pbem("status", post.matches, "--ics", post.matches / "d.ics")
    calendar = (post.matches / "d.ics").read_text()
    assert re.findall("SUMMARY:(.*)", calendar) == [
        f"m: words of {name} for the draws" for name in ("Ana", "Ben")
    ]
    both = "Ana (white), Ben (black)"
    assert waits_for(post)[1:] == ("2026-09-23T12:00:00Z", both)
    post.comes(mail("words sha256:" + "ab" * 32))
    assert at(post, hour, "2026-09-22T10:00:00Z") == ["accepted"]
    hour.set("2026-09-23T13:00:00Z")
    [told] = dry(post)
    assert told.startswith("reminder m black: m: something of yours is still to come.")
    assert post.run() == ["reminder"]
    assert post.to(ANA, "reminder") == []
    assert "Choose words that nobody can guess" in flat(post.only(BEN, "reminder"))
    assert post.run() == []
    assert at(post, hour, "2026-09-24T12:00:00Z") == []
    hour.set("2026-09-24T12:00:01Z")
    assert "ask m black: no words for the draws" in dry(post)[0]
    passes = f"  pbem rule {post.matches / 'm'} pass-over --seat black --reason late"
    assert passes in pbem("due", post.matches).out
    assert post.run() == ["ask"]
    assert post.run() == []
    assert waits_for(post)[::2] == ({"black": "moderator"}, "you, for Ben (black)")
    assert pbem("status", post.matches, "--late").code == 1
    done = pbem("rule", room.log, "pass-over", "--seat", "black", "--reason", "silent", "--told")
    assert done.code == 0, done.printed
    assert waits_for(post)[0] == {"white": "seat"}, "now Ana is to send her words"


def test_no_pause_moves_the_time_for_words_and_none_is_awaited_for_a_public_value(
    post: Post, hour: Hour
) -> None:
    room = timed(post, "--entropy", "seats", "--until", "2026-09-24T12:00:00Z")
    pbem("rule", room.log, "pause")
    told = flat(pbem("show", room.log).out)
    assert "The clock is paused" in told
    assert "Ben: words for the draws by Thu 24 Sep 2026" in told
    pbem("rule", room.log, "resign", "--seat", "white", "--reason", "x")
    assert pbem("show", room.log, "--json").json["clock"]["due"] == {}
    public = timed(post, "--entropy", "public:Lotto of Sat 26 Sep 2026", name="p")
    assert pbem("show", public.log, "--json").json["clock"]["due"] == {}
    hour.set(LATE)
    assert dry(post) == ["time asks for nothing"]


# ------------------------------------------------------------------------------ at a glance


def test_status_sorts_by_deadline_marks_and_counts_who_is_late(post: Post, hour: Hour) -> None:
    timed(post, name="calm")
    timed(post, "--turn", 1, "--grace", 1, name="silent")
    timed(post, "--turn", 2, "--bank", 3, name="slow")
    pbem("rule", timed(post, name="still").log, "pause")
    away = ("--seat", "white", "--from", "2026-09-22", "--to", "2026-09-30")
    pbem("rule", timed(post, name="gone").log, "away", *away)
    assert new(post.matches, name="untimed").code == 0
    post.run()
    assert pbem("status", post.matches, "--late").code == 0
    at(post, hour, "2026-09-23T07:00:00Z")
    for moment in ("2026-09-24T07:00:00Z", "2026-09-24T09:00:00Z"):
        hour.set(moment)
        shown = pbem("status", post.matches)
    assert shown.code == 0
    rows = [re.split(r"\s{2,}", line) for line in shown.out.splitlines()]
    place = rows[0].index("due")
    marks = [(row[0], row[place]) for row in rows[1:]]
    assert marks == [
        ("silent", "late"),
        ("slow", "spare"),
        ("calm", "soon"),
        ("gone", "away"),
        ("still", "paused"),
        ("untimed", "Ana (white)"),
    ]
    assert max(map(len, shown.out.splitlines())) <= 80
    late = pbem("status", post.matches, "--late", "--json")
    assert late.code == 1
    [match] = late.json["matches"]
    assert match["clock"]["mark"] == "late"
    assert match["clock"]["states"] == {"white": "late"}
    assert match["clock"]["due"] == {"white": "2026-09-22T18:00:00Z"}


def test_status_writes_a_calendar(post: Post, room: Room, tmp_path: Path) -> None:
    import icalendar

    file = tmp_path / "due.ics"
    assert pbem("status", post.matches, "--ics", file).code == 0
    [event] = icalendar.Calendar.from_ical(file.read_bytes()).walk("VEVENT")
    assert event["SUMMARY"] == "m: Ana is next to move"


# -------------------------------------------------------------------------- away, by mail


def forward(post: Post, hour: Hour, said: str, raw: bytes = b"") -> list[str]:
    hour.set("2026-09-22T10:00:00Z")
    post.comes(raw + mail(said))
    return post.run()


@pytest.mark.parametrize(
    ("line", "verbs"),
    [
        ("away until 5 Jan", ["away"]),
        ("- I'm away 2026-12-20 to 2027-01-05", ["away"]),
        ("[move]\nabwesend vom 20.12. bis 5.1.\n[/move]", ["away"]),
        ("away December 20th, 2026 to January 5th", ["away"]),
        ("away", ["away"]),
        ("away from 32 Foo", ["away"]),
        ("back", ["back"]),
        ("I'm back on 3 Jan", ["back"]),
        ("wieder da!", ["back"]),
        ("Zurück", ["back"]),
        # chat, what takes back, and what is quoted
        ("I'm back", []),
        ("I'm away for a while", []),
        ("away with it, he said", []),
        ("weg damit", []),
        ("zurückziehen", []),
        ("I go back to BARI on 3 Jan", []),
        ("> away until 5 Jan", []),
    ],
)
def test_a_line_by_itself_says_who_is_away_or_back(line: str, verbs: list[str]) -> None:
    found = intake.read(mail(f"{line}\n"), "m.eml", "mail")
    assert [request.verb for request in found.requests] == verbs


@pytest.mark.parametrize(
    ("said", "verdict", "told", "due"),
    [
        (
            "away 2026-09-23 to 2026-09-30",
            "absent",
            "You are away from 2026-09-23 to 2026-09-30, both included: these days do not count "
            "for you. You can announce 20 days more. Ana, by Fri 2 Oct 2026",
            "2026-10-02",
        ),
        ("Abwesend bis 25. September", "absent", "from 2026-09-22 to 2026-09-25", "2026-09-28"),
        ("away 2026-09-23 to 2026-11-23", "asked", "and 28 are left; this takes", "2026-09-24"),
        ("away until 31 Feb", "asked", "There is no such date", "2026-09-24"),
        ("away", "asked", "Say from when to when", "2026-09-24"),
        ("away 2026-09-01 to 2026-09-20", "asked", "today is 2026-09-22", "2026-09-24"),
        ("back", "asked", "you have announced no absence", "2026-09-24"),
        ("away 23.9. bis 24.9.\naway 25.9. bis 26.9.", "absent", "24 days more", "2026-09-28"),
    ],
)
def test_a_line_announces_an_absence(
    post: Post, room: Room, hour: Hour, said: str, verdict: str, told: str, due: str
) -> None:
    assert forward(post, hour, said) == [verdict]
    assert told in flat(post.only(ANA))
    assert pbem("show", room.log, "--json").json["clock"]["due"]["white"][:10] == due
    assert pbem("verify", room.log).code == 0


def test_an_absence_is_told_to_the_others_and_ended_by_a_line(
    post: Post, room: Room, hour: Hour
) -> None:
    forward(post, hour, "away 2026-09-23 to 2026-09-30")
    [news] = post.to(BEN, "news")
    assert "Ana is away from 2026-09-23 to 2026-09-30." in flat(news.as_string())
    post.comes(mail("wieder da", identity="<2@e>"))
    assert at(post, hour, "2026-09-24T10:00:00Z") == ["present"]
    assert pbem("show", room.log, "--json").json["clock"]["due"] == {
        "white": "2026-09-25T18:00:00Z"
    }


def test_the_same_absence_is_entered_once_as_after_a_crash(
    post: Post, room: Room, hour: Hour
) -> None:
    forward(post, hour, "away until 30 Sep")
    forget_mails(post.matches)
    with room.unchanged():
        assert forward(post, hour, "away until 30 Sep") == ["absent"]
    forward(post, hour, "back on 25 Sep")
    forget_mails(post.matches)
    with room.unchanged():
        assert forward(post, hour, "back on 25 Sep") == ["present"]


def test_without_a_clock_a_person_reads_it(post: Post, hour: Hour) -> None:
    new(post.matches, "--told")
    assert forward(post, hour, "away until 5 Jan") == ["passed-on"]
    assert "This match has no clock" in flat(post.only(ANA, "notice"))


FORGED = [
    # the policy, what comes with the mail, and what comes of it
    ("from", b"", "absent"),
    ("authenticated", b"", "unproven"),
    ("authenticated", VOUCHED, "absent"),
    ("authenticated", b"Authentication-Results: mx.example.org; dkim=fail\n", "unproven"),
    ("signed", VOUCHED, "unproven"),
]


@pytest.mark.parametrize(("policy", "proof", "verdict"), FORGED)
def test_an_absence_needs_the_proof_that_the_match_asks_for(
    post: Post, room: Room, hour: Hour, policy: str, proof: bytes, verdict: str
) -> None:
    desk = room.desk.read_text()
    room.desk.write_text(
        desk.replace("addresses:", f"policy: {policy}\nserver: mx.example.org\naddresses:")
    )
    assert forward(post, hour, "away until 30 Sep", proof) == [verdict]
    assert rulings(room) == (["away"] if verdict == "absent" else [])


def test_a_signed_absence_counts_where_it_was_signed_only(
    post: Post, room: Room, hour: Hour
) -> None:
    text = room.desk.read_text()
    room.desk.write_text(text.replace("addresses:", "policy: signed\naddresses:"))
    order = room.write("order.txt", "away until 30 Sep\n")
    key = room.key_file("white")
    signed = pbem("sign", room.log, order, "--key", key)
    assert signed.code == 0, signed.err
    position = room.read().position
    room.says("white", "draw")
    assert room.read().position != position
    assert forward(post, hour, signed.out) != ["absent"]
    assert rulings(room) == []


# -------------------------------------------------------------------- what waits for a tick


def ticking(post: Post, plans: str) -> Room:
    room = timed(post, "--plans", plans, "--turn", 5)
    post.comes(mail("[move]\nif Ana plays draw: draw\n[/move]", sender=BEN))
    assert post.run() == ["waiting"]
    return room


def times(room: Room) -> list[str]:
    return [ply.at for ply, _ in room.read().plies if ply.seat == "black"]


def test_what_waits_is_played_at_a_tick_and_not_before(post: Post, hour: Hour) -> None:
    room = ticking(post, "at_tick")
    hour.set("2026-09-22T10:00:00Z")
    post.comes(mail("draw", identity="<2@e>"))
    assert post.run() == ["accepted"]
    for moment in ("2026-09-22T12:00:00Z", "2026-09-22T18:00:00Z"):
        assert at(post, hour, moment) == []
        assert times(room) == []
    assert at(post, hour, "2026-09-22T18:00:01Z") == ["planned"]
    assert times(room) == ["2026-09-22T18:00:01Z"]
    assert at(post, hour, "2026-09-22T19:00:00Z") == []
    assert pbem("verify", room.log, "--key", room.desk).code == 0
    assert len(post.to(BEN, "news")) == 2


def test_at_once_is_the_other_way_and_a_ruling_changes_it(post: Post, hour: Hour) -> None:
    room = ticking(post, "at_tick")
    assert pbem("rule", room.log, "clock", "--plans", "at_once").code == 0
    hour.set("2026-09-22T10:00:00Z")
    post.comes(mail("draw", identity="<2@e>"))
    post.run()
    assert times(room) == ["2026-09-22T10:00:00Z"]


def test_no_byte_before_the_tick_says_whether_an_answer_waits(tmp_path: Path, hour: Hour) -> None:
    seen = []
    for post, room in worlds(tmp_path, hour):
        hour.set("2026-09-22T10:00:00Z")
        post.comes(mail("draw", identity="<2@e>"))
        post.run()
        states = []
        for moment in ("2026-09-22T12:00:00Z", "2026-09-22T18:00:00Z"):
            at(post, hour, moment)
            told = {k: m.as_bytes() for k, m in post.answers().items() if m["To"] == ANA}
            status = pbem("status", post.matches, "--json").json
            shown = json.dumps(status).replace(str(post.matches), "")
            log = re.sub("source: .*|chain: .*", "", room.log.read_text())
            states.append((log, told, shown))
        seen.append(states)
    assert seen[0] == seen[1]


def test_due_enters_what_a_tick_brings(post: Post, hour: Hour) -> None:
    room = ticking(post, "at_tick")
    room.says("white", "draw")
    hour.set("2026-09-22T18:00:01Z")
    assert pbem("due", post.matches).code == 0
    assert times(room) == []
    done = pbem("due", post.matches, "--enter")
    assert "what waited has been played" in done.out
    assert times(room) == ["2026-09-22T18:00:01Z"]


def test_a_paused_clock_has_no_ticks(post: Post, hour: Hour) -> None:
    room = ticking(post, "at_tick")
    room.says("white", "draw")
    pbem("rule", room.log, "pause")
    assert at(post, hour, "2026-09-23T19:00:00Z") == []
    assert times(room) == []
    pbem("rule", room.log, "resume")
    at(post, hour, "2026-09-24T19:00:00Z")
    assert len(times(room)) == 1
