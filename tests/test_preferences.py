"""People say how they want to be written to; nobody is told anything twice, and nothing is lost."""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Callable
from datetime import datetime
from email.message import EmailMessage
from pathlib import Path

import pytest
from commands import ANA, BEN, Room, dealt, mail, pbem
from kills import remains
from long import many
from postroom import EVE, Post, text

from pbem.desk.address import Address
from pbem.desk.file import Desk
from pbem.intake.settings import preferred
from pbem.mailroom.daybook import book_of
from pbem.mailroom.preferences import Preferences, next_hour
from pbem.report import compose

AtHour = Callable[[str], None]


@pytest.fixture
def post(tmp_path: Path) -> Post:
    return Post(tmp_path)


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> AtHour:
    """Stop the clock at a moment, in UTC."""

    def stopped(moment: str) -> None:
        seconds = int(datetime.fromisoformat(f"{moment}+00:00").timestamp())
        monkeypatch.setenv("SOURCE_DATE_EPOCH", str(seconds))

    stopped("2026-11-20T09:00:00")
    return stopped


@pytest.fixture
def room(post: Post, at: AtHour) -> Room:
    return dealt(post.matches)


def asks(post: Post, line: str, *, sender: str = f"Ben <{BEN}>", n: int = 0) -> EmailMessage:
    """The answer to a mail that says so much."""
    before = set(post.answers())
    post.comes(mail(line, sender=sender, identity=f"<set{n}{abs(hash(line))}@e>", subject="Mails"))
    assert post.run() == ["asked"]
    [name] = set(post.answers()) - before
    return post.answers()[name]


def plays(room: Room, seat: str = "white", move: str = "draw") -> None:
    assert room.says(seat, move).verdict == "accepted"


def wishes(post: Post, person: str) -> Preferences:
    return Preferences.of(book_of(str(post.matches)), person)  # type: ignore[arg-type]


SET = {
    "mails daily 18:00": (Preferences(mails="18:00"), "at 18:00 (UTC)"),
    "Mails: täglich um 7 Uhr": (Preferences(mails="07:00"), "at 07:00 (UTC)"),
    "mails once": (Preferences(mails="once"), "nothing more about it until you answer"),
    "mails each": (Preferences(), "whenever something has happened"),
    "text only": (Preferences(text=True), "text only"),
    "nur Text": (Preferences(text=True), "text only"),
    "html": (Preferences(), "HTML"),
    "pictures off": (Preferences(pictures=False), "no pictures"),
    "Bilder ja": (Preferences(pictures=True), "as a picture"),
    "zone Europe/Berlin": (Preferences(zone="Europe/Berlin"), "Europe/Berlin"),
    "posts short": (Preferences(posts="short"), "when it is your turn"),
    "posts: whole": (Preferences(posts="whole"), "whole board"),
}


@pytest.mark.parametrize("line", SET)
def test_a_line_by_itself_sets_how_its_writer_is_written_to(
    post: Post, room: Room, line: str
) -> None:
    holds, told = SET[line]
    answer = asks(post, line)
    assert answer["To"] == BEN
    assert told in " ".join(text(answer).split())
    assert wishes(post, BEN) == holds
    assert wishes(post, ANA) == Preferences()


@pytest.mark.parametrize(
    "line", ["mails daily 25:00", "mails: weekly", "zone Mars/Crater", "mails daily"]
)
def test_what_cannot_be_set_changes_nothing_and_says_so(post: Post, room: Room, line: str) -> None:
    assert "Nothing was changed" in text(asks(post, line))
    assert wishes(post, BEN) == Preferences()


@pytest.mark.parametrize(
    "line",
    [
        "Mails all arrive late here",
        "my mails arrive once a day",
        "pictures would be nice",
        "the zone is dangerous",
        "short posts are fine",
        "draw",
    ],
)
def test_chat_sets_nothing(line: str) -> None:
    assert preferred(line) is None


def test_a_stranger_sets_nothing(post: Post, room: Room) -> None:
    post.comes(mail("mails once", sender=EVE, subject="[m #9]"))
    assert post.run() == ["stranger"]
    assert book_of(str(post.matches)).of(Address(EVE)) == {}


def test_a_quoted_line_sets_nothing(post: Post, room: Room) -> None:
    post.comes(mail("Why?\n\nOn Mon, 21 Sep 2026 at 16:13, desk@x wrote:\n> mails once\n"))
    post.run()
    assert wishes(post, ANA) == Preferences()


def test_a_setting_is_the_persons_in_all_matches_of_the_folder(post: Post, room: Room) -> None:
    other = dealt(post.matches, name="other")
    answer = asks(post, "mails daily 18:00\nzone Europe/Berlin")
    assert "18:00 (Europe/Berlin)" in text(answer)
    assert wishes(post, BEN) == Preferences(mails="18:00", zone="Europe/Berlin")
    for each in (room, other):
        shown = pbem("seat", each.log, "--seat", "black", "--json").json
        assert shown["mails"] == "18:00"


def test_the_moderator_sets_the_same_by_seat(post: Post, room: Room) -> None:
    post.run()
    options = ("--mails", "daily 18:00", "--text-only", "--posts", "short", "--no-pictures")
    done = pbem("seat", room.log, "--seat", "black", *options, "--zone", "Europe/Berlin")
    assert done.code == 0, done.printed
    assert "mails 18:00" in done.out
    assert wishes(post, BEN) == Preferences("18:00", True, False, "Europe/Berlin", "short")
    assert pbem("seat", room.log, "--seat", "black", "--mails", "weekly").code == 2
    assert "say which seat" in pbem("seat", room.log, "--mails", "once").err


def test_whoever_wants_what_each_match_has_undoes_what_the_moderator_has_set(
    post: Post, room: Room
) -> None:
    set_by_hand = ("--zone", "Asia/Tokyo", "--language", "hu")
    pbem("seat", room.log, "--seat", "black", *set_by_hand)
    asks(post, "zone:\nlanguage:")
    shown = pbem("seat", room.log, "--seat", "black", "--json").json
    assert (shown["zone"], shown["language"]) == (None, None)


@pytest.mark.parametrize("own", [(), ("--mails", "once")])
def test_what_somebody_has_set_goes_along_to_another_address_that_has_set_nothing(
    post: Post, room: Room, own: tuple[str, ...]
) -> None:
    asks(post, "mails daily 18:00\ntext only\nwebhook: https://chat.example.org/x")
    other = dealt(post.matches, name="other")
    pbem("seat", other.log, "--seat", "white", "--address", "ben@new.example")
    assert pbem("seat", other.log, "--seat", "white", *own, "--json").json["text_only"] is False
    moved = ("--seat", "black", "--address", "ben@new.example", "--address", BEN, "--json")
    shown = pbem("seat", room.log, *moved).json
    expected = ("once", False, None) if own else ("18:00", True, "chat.example.org")
    assert tuple(shown[each] for each in ("mails", "text_only", "webhook")) == expected
    assert wishes(post, BEN).mails == "18:00"


# ------------------------------------------------------------------------------- digests


def test_daily_is_one_mail_with_the_news_of_all_matches_at_the_hour(
    post: Post, room: Room, at: AtHour
) -> None:
    other = dealt(post.matches, name="other")
    post.run()
    asks(post, "mails daily 18:00")
    plays(room)
    plays(other)
    for hour in ("10:00:00", "17:59:59"):
        at(f"2026-11-20T{hour}")
        post.run()
        assert post.to(BEN, "news") == []
    at("2026-11-20T18:00:00")
    dry = pbem("desk", "run", "--matches", post.matches, "--outbox", post.outbox, "--dry").out
    assert dry.split() == ["digest", "-", "ben@example.org"]
    assert post.run() == ["digest"]
    assert post.run() == []
    [digest] = post.to(BEN, "digest")
    said = text(digest)
    assert digest["Subject"] == "News of 2 matches; 2 matches wait for you"
    assert digest.get_content_type() == "text/plain"
    for name in ("m", "other"):
        assert re.search(rf"^Kahuna - {name} - #11 ", said, re.MULTILINE)
        assert re.search(rf"^\[{name} #11 [0-9a-f]{{4}}\]", said, re.MULTILINE)
    assert said.count("Ana: draw") == 2
    assert [len(post.to(ANA, each)) for each in ("news", "digest")] == [2, 0]
    at("2026-11-21T18:00:00")
    assert post.run() == []


def test_what_happens_after_the_hour_waits_for_the_next(post: Post, room: Room, at: AtHour) -> None:
    post.run()
    asks(post, "mails daily 18:00")
    at("2026-11-20T18:30:00")
    plays(room)
    post.run()
    at("2026-11-21T17:00:00")
    post.run()
    assert post.to(BEN, "digest") == []
    at("2026-11-21T18:00:00")
    post.run()
    [digest] = post.to(BEN, "digest")
    assert digest["Subject"].startswith("[m #11 ")  # one match: answer it as any mail


def test_an_hour_is_one_of_the_persons_zone_then_of_the_matchs(post: Post, at: AtHour) -> None:
    players = ("--seat", f"white=Ana <{ANA}>", "--seat", f"black=Ben <{BEN}>")
    paced = ("--turn", "3", "--zone", "Europe/Berlin")
    pbem("new", "kahuna", *players, "--match", "timed", "--dir", post.matches, *paced)
    post.run()
    assert "18:00 (Europe/Berlin)" in text(asks(post, "mails daily 18:00"))
    assert "18:00 (America/New_York)" in text(
        asks(post, "zone America/New_York\nmails daily 18:00")
    )


@pytest.mark.parametrize(
    ("after", "zone", "due"),
    [
        ("2026-11-20T17:00:00Z", "UTC", "2026-11-20T18:00:00Z"),
        ("2026-11-20T18:00:00Z", "UTC", "2026-11-21T18:00:00Z"),
        ("2026-11-20T17:30:00Z", "Europe/Berlin", "2026-11-21T17:00:00Z"),
        ("2026-10-24T20:00:00Z", "Europe/Berlin", "2026-10-25T17:00:00Z"),
        ("2026-11-20T23:30:00Z", "Pacific/Auckland", "2026-11-21T05:00:00Z"),
    ],
)
def test_the_next_hour_comes_after_what_is_told(after: str, zone: str, due: str) -> None:
    assert next_hour(after, "18:00", zone) == due


def test_who_goes_back_to_each_is_told_at_once_what_was_kept(post: Post, room: Room) -> None:
    post.run()
    asks(post, "mails daily 18:00")
    plays(room)
    post.run()
    pbem("seat", room.log, "--seat", "black", "--mails", "each")
    post.run()
    [news] = post.to(BEN, "news")
    assert "Ana: draw" in text(news)
    post.run()
    assert len(post.to(BEN, "news")) == 1
    assert post.to(BEN, "digest") == []


def test_an_answer_tells_what_was_kept_and_the_digest_does_not_again(
    post: Post, room: Room, at: AtHour
) -> None:
    post.run()
    asks(post, "mails daily 18:00")
    plays(room)
    post.run()
    ply, mark = room.read().position
    post.comes(mail("draw", sender=BEN, identity="<d@e>", subject=f"[m #{ply} {mark}]"))
    post.run()
    [answer] = post.to(BEN, "answer")
    assert "Ana: draw" in text(answer)
    at("2026-11-20T18:00:00")
    post.run()
    assert post.to(BEN, "digest") == []


def test_a_digest_holds_nothing_that_another_seat_alone_is_told(
    post: Post, room: Room, at: AtHour
) -> None:
    post.run()
    asks(post, "mails daily 18:00")
    asks(post, "mails daily 18:00", sender=f"Ana <{ANA}>")
    plays(room)
    at("2026-11-20T18:00:00")
    post.run()
    now, desk = room.read(), Desk.read(str(room.log))
    letters = {
        seat: set(compose.text(compose.letter(now, seat, 9, desk=desk), "text").splitlines())
        for seat in ("white", "black")
    }
    for seat, other, person in (("white", "black", ANA), ("black", "white", BEN)):
        [digest] = post.to(person, "digest")
        said = set(text(digest).splitlines())
        assert letters[other] - letters[seat]
        assert not said & (letters[other] - letters[seat])
        assert said & (letters[seat] - letters[other])
        assert desk.secret.hex() not in text(digest)
        assert not any(room.key(each).write() in text(digest) for each in ("white", "black"))


# --------------------------------------------------------------------------------- once


def test_once_is_one_mail_about_a_match_until_its_reader_answers(
    post: Post, room: Room, at: AtHour
) -> None:
    post.run()
    asks(post, "mails once")
    plays(room)
    post.run()
    assert len(post.to(BEN, "news")) == 1
    for nth in range(3):
        at(f"2026-11-2{nth + 1}T09:00:00")
        pbem("rule", room.log, "note", "--text", f"Word {nth}.")
        post.run()
    assert len(post.to(BEN, "news")) == 1
    ply, mark = room.read().position
    post.comes(mail("draw", sender=BEN, identity="<d@e>", subject=f"[m #{ply} {mark}]"))
    post.run()
    [answer] = post.to(BEN, "answer")
    assert all(f"Word {nth}." in text(answer) for nth in range(3))
    plays(room, "white")
    post.run()
    assert len(post.to(BEN, "news")) == 2
    pbem("rule", room.log, "note", "--text", "Not told.")
    post.run()
    assert len(post.to(BEN, "news")) == 2
    pbem("rule", room.log, "end", "--reason", "late")
    post.run()
    assert len(post.to(BEN, "news")) == 3  # how it ended
    assert "Not told." in text(post.to(BEN, "news")[-1])


def test_a_daybook_that_is_tidied_keeps_who_wants_what_and_who_was_told(
    post: Post, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.mailroom.daybook._SLACK", -10_000)
    post.run()
    asks(post, "mails once")
    plays(room)
    post.run()
    pbem("rule", room.log, "note", "--text", "Word.")
    for _ in range(3):
        post.run()
    assert len(post.to(BEN, "news")) == 1
    assert wishes(post, BEN).mails == "once"
    assert len(post.to(ANA, "news")) == 2


# ------------------------------------------------------------------------------- the mails


def test_text_only_is_text_and_nothing_else(post: Post, room: Room) -> None:
    post.run()
    assert asks(post, "text only").get_content_type() == "text/plain"
    plays(room)
    post.run()
    [bens], anas = post.to(BEN, "news"), post.to(ANA, "news")
    assert bens.get_content_type() == "text/plain"
    assert "Ana: draw" in text(bens)
    assert anas[0].get_content_type() == "multipart/alternative"


def test_short_posts_bring_the_board_when_it_is_their_readers_turn(post: Post, room: Room) -> None:
    post.run()
    asks(post, "posts short", sender=f"Ana <{ANA}>")
    asks(post, "posts short")
    plays(room)
    post.run()
    [bens], [anas] = post.to(BEN, "news"), post.to(ANA, "news")
    assert "A mail with the one word board brings the board." in text(anas)
    assert "ALOA" not in text(anas)
    assert "ALOA" in text(bens)


@pytest.mark.parametrize("ruling", ["late", "default", "substitute"])
def test_what_a_deadline_or_a_new_seat_asks_for_does_not_wait(
    post: Post, at: AtHour, ruling: str
) -> None:
    """The days of grace are counted from what the player has been told."""
    players = ("--seat", f"white=Ana <{ANA}>", "--seat", f"black=Ben <{BEN}>")
    pbem(
        "new",
        "kahuna",
        *players,
        "--match",
        "m",
        "--dir",
        post.matches,
        "--turn",
        "1",
        "--zone",
        "UTC",
    )
    post.run()
    asks(post, "mails daily 18:00", sender=f"Ana <{ANA}>")
    at("2026-11-24T19:00:00")
    log = post.matches / "m.pbem.yaml"
    if ruling == "substitute":
        given = ("--player", f"Ana <{ANA}>", "--reason", "x")
        assert pbem("rule", log, "substitute", "--seat", "white", *given).code == 0
    else:
        assert pbem("due", post.matches, "--enter").code == 0
    if ruling == "default":
        at("2026-11-29T19:00:00")
        given = ("--move", "pass", "--reason", "late")
        assert pbem("rule", log, "default", "--seat", "white", *given).code == 0
    assert "digest" not in post.run()
    assert len(post.to(ANA, "news")) == 2


def test_what_people_write_into_a_setting_is_shown_to_them_as_text(post: Post, room: Room) -> None:
    answer = asks(post, "mails: <img src=x onerror=alert(1)>")
    shown = answer.get_body(("html",))
    assert shown is not None
    assert "<img" not in shown.get_content()


# -------------------------------------------------------------------------------- kills


@pytest.mark.parametrize("seed", range(many(2, 4)))
def test_whatever_people_want_each_is_told_each_thing_once(
    post: Post, room: Room, at: AtHour, seed: int
) -> None:
    rng = random.Random(seed)
    rooms = [room, dealt(post.matches, name="other")]
    seats = {ANA: "white", BEN: "black"}
    post.run()
    said, hour = list[str](), 9
    for step in range(45):
        hour += rng.choice((0, 1, 3, 9))
        at(f"2026-11-{20 + hour // 24:02}T{hour % 24:02}:00:00")
        person = rng.choice((ANA, BEN))
        match rng.randrange(5):
            case 0:
                wanted = rng.choice(["each", "once", "daily 18:00", "daily 06:00"])
                where = ("--seat", seats[person], "--mails", wanted)
                assert pbem("seat", rng.choice(rooms).log, *where).code == 0
            case 1:
                line = rng.choice(["status", "help", "say: It rains."])
                name = rng.choice(["m", "other"])
                post.comes(
                    mail(line, sender=person, identity=f"<{step}@e>", subject=f"[{name} #9]")
                )
            case 2 | 3:
                said.append(f"Word {step} of {len(said)}.")
                where = (rng.choice(rooms).log, "note", "--text", said[-1])
                assert pbem("rule", *where).code == 0
            case 4:
                post.run()
    for each in seats.values():
        assert pbem("seat", room.log, "--seat", each, "--mails", "each").code == 0
    post.run()
    assert post.run() == []
    assert len(said) > 9
    for person in seats:
        told = " ".join(" ".join(text(each).split()) for each in post.to(person))
        assert {word: told.count(word) for word in said} == dict.fromkeys(said, 1)


def test_killed_at_any_instant_of_a_digest_everybody_is_told_everything_once(
    post: Post, room: Room, at: AtHour, tmp_path: Path
) -> None:
    other = dealt(post.matches, name="other")
    post.run()
    asks(post, "mails daily 18:00")
    plays(room)
    plays(other)
    post.run()
    at("2026-11-20T18:00:00")
    saved = tmp_path / "saved"
    places = {"matches": post.matches, "outbox": post.outbox, "Maildir": post.box}
    for name, place in places.items():
        shutil.copytree(place, saved / name)

    def restore() -> None:
        for name, place in places.items():
            shutil.rmtree(place, ignore_errors=True)
            shutil.copytree(saved / name, place)

    def run() -> object:
        return post.run()

    run()
    tried = 0
    for number in remains(run, restore, *places.values()):
        tried += 1
        post.run()
        post.run()
        told = "".join(text(each) for each in post.to(BEN, "digest"))
        for name in ("m", "other"):
            assert len(re.findall(rf"^\[{name} #11 ", told, re.MULTILINE)) == 1, number
        assert told.count("Ana: draw") == 2, number
        assert post.to(BEN, "news") == [], number
    assert tried > many(3, 8)


def letters_of(post: Post, *command: object, stdin: str = "") -> dict[str, str]:
    """The letters that a command writes, by seat."""
    folder = post.matches.parent / "letters"
    shutil.rmtree(folder, ignore_errors=True)
    done = pbem(*command, "--letters", folder, "--all-letters", "--format", "html", stdin=stdin)
    assert done.code == 0, done.printed
    return {file.stem.rpartition("-")[2]: file.read_text() for file in folder.iterdir()}


def test_letters_by_hand_are_as_their_readers_have_said_by_mail(post: Post, at: AtHour) -> None:
    room = dealt(post.matches)
    pbem("rule", room.log, "clock", "--turn", "3", "--zone", "Europe/Berlin")
    submitted = ("submit", room.log, "--from", "white")
    ruled = ("rule", room.log, "extend", "--by", "1", "--reason", "x")
    before = letters_of(post, *submitted, stdin="draw")
    assert all("<html" in told and "Europe" not in told for told in before.values())
    for n, line in enumerate(("zone Asia/Tokyo", "text only", "posts short")):
        asks(post, line, sender=f"Ana <{ANA}>", n=n)
    told = letters_of(post, *ruled)
    assert "<html" in told["black"]
    assert "board brings the board" not in told["black"]
    assert "<html" not in told["white"]
    assert "(UTC+9)" in told["white"]
    assert "A mail with the one word board brings the board." in told["white"]
    assert "[ALOA" not in told["white"]
    one = pbem("letter", room.log, "--seat", "white").out
    assert "(UTC+9)" in one
    assert "[ALOA" in one  # whoever types this was asked for it
    shown = pbem("seat", room.log, "--seat", "white").out
    assert "zone Asia/Tokyo" in shown
    theirs = pbem("letter", room.log, "--seat", "white", "--key").out
    assert "(UTC+9)" in theirs
