"""Silence costs nobody anything unless they were told: whether a notice went out, and who hears it
if it did not."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from commands import ANA, BEN, Room, mail, pbem
from postroom import Post, text
from test_mailroom_servers import Server, free_port, smtp
from test_time import Hour, new
from test_timekeeping import at, flat, rulings, timed, waits_for

from pbem.desk.file import Desk

__all__ = ["smtp"]
BOSS = "boss@example.org"
pytestmark = pytest.mark.posix


@pytest.fixture
def hour(monkeypatch: pytest.MonkeyPatch) -> Hour:
    return Hour(monkeypatch)


@pytest.fixture
def post(tmp_path: Path) -> Post:
    return Post(tmp_path)


def days(post: Post, hour: Hour, first: int, last: int, *more: str) -> list[str]:
    """A run each morning; the verdicts of all."""
    return [
        verdict
        for day in range(first, last + 1)
        for verdict in at(post, hour, f"2026-09-{day:02}T07:00:00Z", *more)
    ]


def sends(post: Post, hour: Hour, moment: str, host: str) -> list[str]:
    """The verdicts of a run at a moment that hands its letters to a server."""
    hour.set(moment)
    where = ("--mail", post.box, "--matches", post.matches, "--moderator", BOSS)
    done = pbem("desk", "run", *where, "--smtp", host, "--json")
    lines = (line for line in done.out.splitlines() if line.startswith('{"verdict"'))
    return [json.loads(line)["verdict"] for line in lines]


def september(day: int) -> str:
    return f"2026-09-{day:02}T07:00:00Z"


def bounce(address: str) -> bytes:
    return (
        "From: MAILER-DAEMON@mx.example.org\nReturn-Path: <>\nSubject: Undelivered\n"
        f"Date: Fri, 25 Sep 2026 09:00:00 +0000\nX-Failed-Recipients: {address}\n\nno such user\n"
    ).encode()


def test_while_no_letter_goes_out_silence_plays_nothing_and_then_grace_begins_anew(
    post: Post, hour: Hour, smtp: tuple[Server, str]
) -> None:
    server, up = smtp
    room, down = timed(post), f"smtp://127.0.0.1:{free_port()}"
    told = [verdict for day in range(21, 30) for verdict in sends(post, hour, september(day), down)]
    assert told == ["reminder", "late", "ask"]
    assert rulings(room) == ["late"]
    assert waits_for(post)[0] == {"white": "moderator"}
    assert sends(post, hour, september(30), up) == []
    letters = b"".join(content for to, content in server.taken if to == [BOSS])
    assert b"it is not known that the notice has reached them" in letters.replace(b"\r\n", b" ")
    assert sends(post, hour, "2026-09-30T08:00:00Z", up) == ["late"]
    assert sends(post, hour, "2026-10-01T07:00:00Z", up) == []
    assert sends(post, hour, "2026-10-02T07:00:00Z", up) == []
    assert sends(post, hour, "2026-10-02T18:00:01Z", up) == ["silence"]
    assert rulings(room) == ["late", "late", "default"]
    assert pbem("verify", room.log).code == 0


def test_a_letter_that_goes_out_as_it_should_begins_the_days_of_grace(
    post: Post, hour: Hour, smtp: tuple[Server, str]
) -> None:
    room = timed(post)
    told = [verdict for d in range(21, 29) for verdict in sends(post, hour, september(d), smtp[1])]
    assert told == ["reminder", "late", "silence"]
    assert rulings(room) == ["late", "default"]


def test_a_letter_refused_for_good_is_told_to_the_moderator_and_silence_plays_nothing(
    post: Post, hour: Hour, smtp: tuple[Server, str]
) -> None:
    server, host = smtp
    server.answers["RCPT", ANA] = "550 no such user"
    room = timed(post)
    told = [verdict for day in range(21, 29) for verdict in sends(post, hour, september(day), host)]
    assert told == ["reminder", "late", "ask"]
    assert rulings(room) == ["late"]
    shown = pbem("status", post.matches).out
    assert f"mails to {ANA} do not arrive" in shown
    assert "you, for Ana" in shown
    letters = [flat(content.decode()) for to, content in server.taken if to == [BOSS]]
    assert any("550 no such user" in letter for letter in letters)
    assert "550 no such user" in pbem("aside", post.matches, 1).out


def test_mails_to_a_moderator_that_are_refused_are_told_by_no_mail(
    post: Post, hour: Hour, smtp: tuple[Server, str]
) -> None:
    server, host = smtp
    server.answers["RCPT", ANA] = server.answers["RCPT", BOSS] = "550 no such user"
    timed(post)
    for day in range(21, 30):
        sends(post, hour, september(day), host)
    assert server.tried.count(BOSS) == 3, "of two letters to Ana, and of a question"
    assert f"mails to {BOSS} do not arrive" in pbem("status", post.matches).out


@pytest.mark.parametrize("failing", [ANA, BEN])
def test_a_bounce_takes_a_notice_back(post: Post, hour: Hour, failing: str) -> None:
    room = timed(post)
    days(post, hour, 21, 25)
    assert rulings(room) == ["late"]
    post.comes(bounce(failing))
    told = days(post, hour, 26, 29, "--moderator", BOSS)
    if failing == BEN:
        assert told == ["bounce", "silence"]
        return
    assert told == ["bounce", "ask"]
    assert rulings(room) == ["late"]
    asked = flat(post.only(BOSS, "question"))
    assert asked.startswith("m: Ana: the days of grace are over, but it is not known")
    hour.set(september(29))
    pbem("rule", room.log, "extend", "--by", 7)
    assert days(post, hour, 30, 30) == []
    assert at(post, hour, "2026-10-02T07:00:00Z") == ["late"]
    assert at(post, hour, "2026-10-04T08:00:00Z") == []
    assert at(post, hour, "2026-10-04T19:00:00Z") == ["silence"], "another notice has gone out"


def test_a_bounce_that_names_nobody_holds_up_silence_in_its_match_until_it_is_put_away(
    post: Post, hour: Hour
) -> None:
    room = timed(post)
    days(post, hour, 21, 25)
    lost = bounce("").replace(b"X-Failed-Recipients: \n", b"")
    post.comes(lost.replace(b"Undelivered", b"Unzustellbar: [m #12 a3f9] Ana ist am Zug"))
    assert days(post, hour, 26, 29, "--moderator", BOSS) == ["bounce", "ask"]
    assert "names nobody lies aside" in flat(post.only(BOSS, "question"))
    assert rulings(room) == ["late"]
    pbem("aside", post.matches, "--done", 1)
    assert days(post, hour, 30, 30) == ["silence"]


def test_a_bounce_that_names_nothing_holds_up_no_silence(post: Post, hour: Hour) -> None:
    timed(post)
    days(post, hour, 21, 25)
    post.comes(bounce("").replace(b"X-Failed-Recipients: \n", b""))
    assert days(post, hour, 26, 28, "--moderator", BOSS) == ["bounce", "silence"]
    assert len(post.aside()) == 1


def begun(post: Post, white: str, black: str, silence: str = "draw or pass") -> None:
    seats = ("--seat", white, "--seat", black, "-o", "starter=white", "--match", "m")
    clock = ("--turn", 3, "--zone", "Europe/Berlin", "--silence", silence)
    made = pbem("new", "kahuna", *seats, *clock, "--dir", post.matches)
    assert made.code == 0, made.printed


@pytest.mark.parametrize("silence", ["draw or pass", "ask"])
def test_who_has_no_address_where_others_have_one_is_asked_about(
    post: Post, hour: Hour, silence: str
) -> None:
    """And so it is told, also where the moderator decides in any case."""
    begun(post, "white=Ana", f"black=Ben <{BEN}>", silence)
    assert days(post, hour, 21, 29) == ["late", "ask"]
    assert waits_for(post)[0] == {"white": "moderator"}
    assert "it is not known that the notice has reached them" in pbem("due", post.matches).out


def test_where_nobody_is_written_to_silence_plays_as_the_log_says(post: Post, hour: Hour) -> None:
    begun(post, "white=Ana", "black=Ben")
    assert days(post, hour, 21, 29) == ["late", "silence"]


def test_a_dry_run_asks_what_a_run_asks(post: Post, hour: Hour) -> None:
    room = timed(post)
    days(post, hour, 21, 25)
    post.comes(bounce(ANA))
    days(post, hour, 26, 27)
    hour.set(september(28))
    where = ("--mail", post.box, "--matches", post.matches, "--outbox", post.outbox)
    dry = pbem("desk", "run", "--dry", *where)
    assert re.match("ask +m +white: the days of grace are over, but", dry.out)
    assert post.run() == ["ask"]
    assert pbem("desk", "run", "--dry", *where).out == "time asks for nothing\n"
    assert rulings(room) == ["late"]


# --------------------------------------------------------------------- a clock that was ahead


AHEAD = "the last entry lies in the future: it is of 2028-09-20T07:00:00Z"


@pytest.mark.parametrize("entered", ["late", "draw"])
def test_a_log_that_ends_in_the_future_is_said_to_and_one_ruling_mends_it(
    post: Post, hour: Hour, entered: str
) -> None:
    room = timed(post)
    hour.set("2028-09-20T07:00:00Z")
    if entered == "late":
        pbem("due", post.matches, "--enter")
    else:
        room.says("white", "draw")
    before = room.log.read_text()
    assert "2028-09-20" in before
    hour.set("2026-09-22T07:00:00Z")
    told = (("status", post.matches), ("due", post.matches))
    assert "IN THE FUTURE" in pbem("verify", room.log).out
    for command in told:
        [mends] = re.findall("`pbem (.*?)` sets that right", flat(pbem(*command).out))
    assert AHEAD in pbem("status", post.matches, "--json").json["matches"][0]["problems"][0]
    done = pbem(*shlex.split(mends))
    assert done.code == 0, done.printed
    assert "The moderator sets the time right" in done.out
    assert room.log.read_text().startswith(before)
    for command in told:
        assert AHEAD not in flat(pbem(*command).printed), command
    verified = pbem("verify", room.log, "--key", room.desk)
    assert (verified.code, "FUTURE" in verified.out) == (0, False)
    due = pbem("show", room.log, "--json").json["clock"]["due"]
    if entered == "late":
        assert due == {"white": "2026-09-24T18:00:00Z"}
        assert days(post, hour, 23, 29) == ["reminder", "late", "silence"]
    else:
        assert due == {"black": "2026-09-25T18:00:00Z"}, "the turn of Ben began when it was mended"
    assert "nothing to mend" in pbem("rule", room.log, "redate").err


def test_a_person_vouches_for_a_clock_that_has_gone_back(post: Post, hour: Hour) -> None:
    room = timed(post)
    at(post, hour, "2036-09-25T07:00:00Z", "--yes")
    assert rulings(room) == ["late"]
    assert at(post, hour, september(25)) == []
    pbem("rule", room.log, "redate")
    assert at(post, hour, september(25)) == []
    assert "unless you say `pbem desk run --yes`" in flat(pbem("status", post.matches).out)
    assert at(post, hour, september(25), "--yes") == []
    assert "gone back" not in pbem("status", post.matches).out
    assert days(post, hour, 26, 28) == ["silence"], "Ana had a letter on the 25th"


def test_a_move_waits_for_a_person_while_the_clock_is_years_after_the_newest_entry(
    post: Post, hour: Hour
) -> None:
    room = timed(post)
    assert at(post, hour, september(21)) == []
    post.comes(mail("draw"), at=1_790_000_000)
    with room.unchanged():
        hour.set("2056-09-22T07:00:00Z")
        assert "but the newest entry is of 2026-09-21" in post.desk().out
    assert at(post, hour, "2056-09-22T07:00:00Z", "--yes") == ["accepted"]


# --------------------------------------------------------------- who has left, and who was replaced


ZOE = "zoe@example.org"


def among_three(post: Post) -> Room:
    """A match of Ana, Ben and Cleo, who is asked first."""
    people = (f"Ana <{ANA}>", f"Ben <{BEN}>", "Cleo <cleo@example.org>")
    seats = [word for nth, who in enumerate(people, 1) for word in ("--seat", f"p{nth}={who}")]
    clock = ("--turn", 3, "--zone", "Europe/Berlin", "--silence", "default")
    given = ("--match", "m", "--dir", post.matches, "--told")
    made = pbem("new", "kanaloa-piatnik", *seats, *clock, *given)
    assert made.code == 0, made.printed
    return Room(post.matches / "m.pbem.yaml")


def test_who_has_resigned_is_asked_nothing_and_never_late(post: Post, hour: Hour) -> None:
    room = among_three(post)
    [seat, *_] = room.read().awaited
    theirs = Desk.read(str(room.log)).addresses[seat][0]
    post.run()
    done = pbem("rule", room.log, "resign", "--seat", seat, "--reason", "by phone")
    assert done.code == 0
    assert pbem("rule", room.log, "resign", "--seat", seat, "--reason", "again").code == 1
    hour.set(september(22))
    where = ("--mail", post.box, "--matches", post.matches, "--outbox", post.outbox)
    dry = pbem("desk", "run", "--dry", *where)
    assert re.match(f"ask +m +{seat}: ", dry.out)
    assert days(post, hour, 22, 29, "--moderator", BOSS) == ["ask"]
    assert "they have resigned" in flat(post.only(BOSS, "question"))
    assert waits_for(post)[0] == {seat: "moderator"}
    assert rulings(room) == ["vacate"]
    pbem("rule", room.log, "note", "--text", "who wants to play on?")
    hour.set("2026-09-29T08:00:00Z")
    post.run()
    [letter] = post.to(theirs)
    assert "the moderator decides for" in letter["Subject"]
    assert "You can play" not in flat(letter.as_string())


LEFT = {
    "status": "] You have left this match.",
    "help": "there is no move of yours to show",
    "away until 5 Oct": "You have resigned. The match goes on without you",
    "Hello there, how are you all doing?": "You have left this match. Nothing more about it",
    "unsubscribe": "You have left this match. Nothing more about it",
    "default": "You have resigned, and your seat is vacant.",
}


@pytest.mark.parametrize("said", LEFT)
def test_who_has_resigned_is_shown_no_move_and_told_that_they_have_left(
    said: str, post: Post, hour: Hour
) -> None:
    room = among_three(post)
    [seat, *_] = room.read().awaited
    theirs = Desk.read(str(room.log)).addresses[seat][0]
    assert pbem("rule", room.log, "resign", "--seat", seat, "--reason", "phone", "--told").code == 0
    assert room.read().awaited == (seat,)
    hour.set(september(22))
    post.comes(mail(said, sender=theirs), at=1_790_000_000)
    post.run()
    [told] = [flat(text(each)) for each in post.to(theirs)]
    assert LEFT[said] in told
    assert "It's your turn" not in told
    assert "legal" not in told


def test_who_was_replaced_is_told_once_and_kindly(post: Post, hour: Hour) -> None:
    room, mistaken = timed(post), "max@example.org"
    post.run()
    for who in (f"Max <{mistaken}>", f"Zoe <{ZOE}>"):
        comes = ("--seat", "white", "--player", who, "--reason", "by agreement")
        assert pbem("rule", room.log, "substitute", *comes).code == 0
    for day in (22, 23):
        hour.set(september(day))
        post.run()
        pbem("rule", room.log, "note", "--text", f"day {day}")
    told = flat(post.only(ANA))
    assert "Max has taken your seat, white, in the match m" in told
    assert "Thank you for playing!" in told
    assert post.to(mistaken) == [], "nobody told them that it was theirs"
    assert len(post.to(ZOE)) == 2


def test_who_gets_their_seat_back_is_written_to_as_before(post: Post) -> None:
    room = timed(post)
    assert pbem("seat", room.log, "--seat", "white", "--language", "hu").code == 0
    for who, language in ((f"Max <{ZOE}>", None), (f"Ana <{ANA}>", "hu"), (f"Zoe <{ZOE}>", None)):
        comes = ("--seat", "white", "--player", who, "--reason", "a mistake")
        assert pbem("rule", room.log, "substitute", *comes).code == 0
        assert Desk.read(str(room.log)).languages.get("white") == language, who


@pytest.mark.parametrize("again", [f"Ana <{ANA}>", f"Ana Lee <{ANA}>"])
def test_who_stays_is_not_told_of_being_replaced(post: Post, hour: Hour, again: str) -> None:
    room = timed(post)
    post.run()
    comes = ("--seat", "white", "--player", again, "--reason", "a new key")
    pbem("rule", room.log, "substitute", *comes)
    post.run()
    assert "Thank you for playing" not in flat(post.only(ANA))


@pytest.mark.parametrize(("remind", "comes"), [(2, True), (3, False), (4, False)])
def test_a_reminder_that_can_never_come_is_said_when_the_match_begins(
    tmp_path: Path, hour: Hour, remind: int, comes: bool
) -> None:
    given = ("--turn", 3, "--zone", "Europe/Berlin", "--remind", remind)
    post = flat(new(tmp_path, *given).out)
    assert ("No reminder comes before the deadline" in post) != comes
    assert (f"A reminder comes {remind} days before the deadline" in post) == comes


def test_back_twice_is_once(post: Post, hour: Hour) -> None:
    room = timed(post)
    for nth, line in enumerate(("away until 30 Sep", "back", "back")):
        post.comes(mail(line, identity=f"<{nth}@e>"))
    assert post.run() == ["absent", "present", "present"]
    assert rulings(room) == ["away", "back"]


@pytest.mark.parametrize(
    ("line", "subject"),
    [("status", "Your matches"), ("to moderator: hello", "Your mail was passed on")],
)
def test_an_answer_about_all_matches_was_understood(
    post: Post, hour: Hour, line: str, subject: str
) -> None:
    for name in ("m", "n"):
        timed(post, name=name)
    post.comes(mail(line))
    post.run()
    [answer] = post.to(ANA)
    assert answer["Subject"] == subject


def test_between_two_matches_with_a_clock_the_desk_does_not_fall_asleep(
    post: Post, hour: Hour
) -> None:
    room = timed(post)
    post.run()
    pbem("rule", room.log, "end", "--reason", "agreed", "--told")
    for day in ("2026-09-28", "2026-10-04", "2026-10-10"):
        assert at(post, hour, f"{day}T07:00:00Z") == []
    assert "waits for you" not in pbem("status", post.matches).out
    timed(post, name="n")
    hour.set("2026-10-16T07:00:00Z")
    assert post.run() == ["late"]
