"""Who asks to be forgotten is: nothing that the desk keeps holds their address any more."""

from __future__ import annotations

import json
import shutil
from email.message import EmailMessage
from pathlib import Path

import pytest
from commands import ANA, BEN, Room, dealt, mail, pbem
from kills import kills
from long import many
from postroom import Post

DIANA = "diana@example.org"
OBSERVER = "fan@example.org"


@pytest.fixture
def post(tmp_path: Path) -> Post:
    return Post(tmp_path)


@pytest.fixture
def room(post: Post) -> Room:
    return dealt(post.matches)


def lived(post: Post, room: Room) -> None:
    """A match in which Ana's address has come to lie wherever one can."""
    dealt(post.matches, name="other")
    pbem("seat", room.log, "--observer", "ANA@example.org", "--observer", OBSERVER)
    pbem("seat", room.log, "--seat", "white", "--address", "Ana@Example.org", "--address", DIANA)
    room.desk.write_text(f"# Ask Ana@example.org about the rest.\n{room.desk.read_text()}")
    pbem("seat", room.log, "--seat", "white", "--mails", "once")
    post.run()
    post.comes(mail("draw", identity="<m1@e>", subject="[m #9 5989]"))
    post.comes(mail("May I build there? Yours, ana@example.org", identity="<m2@e>"))
    post.comes(mail("Is ana@example.org away?", sender=BEN, identity="<m3@e>", subject="[m]"))
    post.comes(mail("Hello", sender=DIANA, identity="<m4@e>", subject="[m #9 5989]"))
    away = mail("I am out of the office", identity="<m5@e>")
    post.comes(b"Auto-Submitted: auto-replied\n" + away)
    bounce = f"From: MAILER-DAEMON@x\nX-Failed-Recipients: {ANA}\nMessage-ID: <b@x>\n\nno\n"
    post.comes(bounce.encode())
    post.run("--moderator", "mod@example.org")
    pbem("aside", post.matches, "--answer", "2", "--text", "Yes")
    pbem("aside", post.matches, "--done", "2")
    pbem("status", post.matches)


def encoded(address: str) -> bytes:
    """A mail in which only a mail program can read an address."""
    message = EmailMessage()
    message["To"] = BEN
    message.set_content(f"Write to {address} é", cte="base64")
    return message.as_bytes()


def holding(*folders: Path) -> list[str]:
    """The files that hold Ana's address in any case, but for what mailboxes keep."""
    found = []
    for folder in folders:
        for file in sorted(folder.rglob("*")):
            data = file.read_bytes().lower() if file.is_file() else b""
            if data.replace(DIANA.encode(), b"").count(ANA.encode()):
                found.append(str(file.relative_to(folder)))
    return found


def forget(post: Post, *more: str) -> list[str]:
    done = pbem("forget", "ANA@Example.ORG", post.matches, "--outbox", post.outbox, *more)
    assert done.code == 0, done.printed
    return done.out.splitlines()


def test_nothing_the_desk_keeps_holds_the_address_any_more_and_each_file_touched_is_named(
    post: Post, room: Room
) -> None:
    lived(post, room)
    (post.outbox / "private" / "x.eml").write_bytes(encoded(ANA))
    (post.matches / ".mailroom" / "index.sqlite").write_text(ANA)  # as earlier versions kept it
    (post.matches / ".mailroom" / "earlier").mkdir()
    (post.matches / ".mailroom" / "earlier" / "told.jsonl").write_text(ANA)
    before = holding(post.matches, post.outbox)
    kinds = (
        "m.desk.yaml",
        "other.desk.yaml",
        ".mailroom/daybook.jsonl",
        ".mailroom/index.desk.yaml.json",
        ".mailroom/earlier/told.jsonl",
    )
    assert set(kinds) <= set(before)
    assert any(each.startswith(".mailroom/aside/") for each in before)
    assert any(each.startswith(".mailroom/done/") for each in before)
    assert any(each.endswith(".eml") for each in before)
    touched = {Path(line).name for line in forget(post)}
    assert {Path(each).name for each in before} <= touched
    assert "x.eml" in touched
    assert holding(post.matches, post.outbox) == []
    assert DIANA in room.desk.read_text()
    assert OBSERVER in room.desk.read_text()
    assert "nothing that the desk keeps" in pbem("forget", ANA, post.matches).out


def test_who_is_forgotten_can_be_played_for_by_hand_and_nobody_is_told_again(
    post: Post, room: Room
) -> None:
    lived(post, room)
    post.run()
    forget(post)
    left = set(post.answers())
    assert left
    post.run()
    post.run()
    assert set(post.answers()) == left
    now = room.read()
    assert room.says(now.awaited[0], "draw").verdict == "accepted"
    assert pbem("submit", post.matches / "other.pbem.yaml", "-", "--from", "white", stdin="draw")
    post.run()
    new = [post.answers()[name]["To"] for name in set(post.answers()) - left]
    assert BEN in new
    assert ANA not in new
    assert pbem("verify", room.log, "--key", room.desk).code == 0
    assert pbem("status", post.matches).code == 0
    assert pbem("aside", post.matches).code == 0


def test_a_mail_of_who_was_forgotten_is_a_strangers(post: Post, room: Room) -> None:
    lived(post, room)
    forget(post)
    post.comes(mail("draw", identity="<late@e>", subject="[other #9]"))
    assert post.run() == ["stranger"]
    post.comes(mail("draw", identity="<m1@e>", subject="[m #9 5989]"))  # once more
    assert post.run() == ["seen"]


def test_what_is_in_no_hand_of_the_desk_is_named(post: Post, room: Room) -> None:
    pbem("rule", room.log, "note", "--text", f"Write to {ANA}.")
    copy = post.matches / "old.txt"
    copy.write_text(ANA)
    done = pbem("forget", ANA, post.matches)
    assert "m.pbem.yaml: the address stands in this log" in done.err
    assert "old.txt: still holds the address" in done.err
    found = json.loads(pbem("forget", ANA, post.matches, "--json").out)
    assert found["ok"]
    assert [Path(each).name for each in found["logs"]] == ["m.pbem.yaml"]


def test_letters_that_wait_for_others_go_out_and_those_to_the_forgotten_do_not(
    post: Post, room: Room
) -> None:
    own = post.matches / ".mailroom" / "outbox"
    run = ("desk", "run", "--matches", post.matches, "--outbox", own, "--address", "desk@g.example")
    pbem(*run)
    pbem("rule", room.log, "note", "--text", f"Ask {ANA}.")
    pbem(*run)
    assert len(list(own.rglob("*.eml"))) == 2
    done = pbem("forget", ANA, post.matches)
    [left] = own.rglob("*.eml")
    assert f"To: {BEN}" in left.read_text()
    assert f"{left.name}: still holds" in done.err


def test_killed_at_any_instant_and_asked_again_it_forgets_all_and_tells_nobody_again(
    post: Post, room: Room, tmp_path: Path
) -> None:
    lived(post, room)
    post.run()
    saved = tmp_path / "saved"
    places = {"matches": post.matches, "outbox": post.outbox}
    for name, place in places.items():
        shutil.copytree(place, saved / name)

    def restore() -> None:
        for name, place in places.items():
            shutil.rmtree(place)
            shutil.copytree(saved / name, place)

    def run() -> object:
        return pbem("forget", ANA, post.matches, "--outbox", post.outbox)

    run()
    tried = 0
    for number in kills(run, restore, *places.values(), each=many(2, 1)):
        tried += 1
        assert run().code == 0, number  # type: ignore[attr-defined]
        assert holding(post.matches, post.outbox) == [], number
        left = set(post.answers())
        post.run()
        assert set(post.answers()) == left, number
    assert tried > many(10, 20)


def everything(*folders: Path) -> dict[Path, bytes]:
    return {f: f.read_bytes() for each in folders for f in each.rglob("*") if f.is_file()}


@pytest.mark.parametrize("version", ["now", "with absolute paths"])
def test_what_is_forgotten_in_a_copy_of_a_folder_stays_in_the_one_it_was_copied_from(
    post: Post, room: Room, tmp_path: Path, version: str
) -> None:
    lived(post, room)
    within = post.matches / "out"
    pbem("desk", "run", "--matches", post.matches, "--outbox", within)
    book = post.matches / ".mailroom" / "daybook.jsonl"
    if version != "now":
        book.write_text(book.read_text().replace('"outbox out"', json.dumps(f"outbox {within}")))
    copy = tmp_path / "copy"
    shutil.copytree(post.matches, copy)
    (copy / "link").symlink_to(post.outbox)
    with (copy / ".mailroom" / "daybook.jsonl").open("a") as file:
        file.write('{"fact": "keeps", "to": "", "what": "outbox link"}\n')
    before = everything(post.matches, post.outbox)
    done = pbem("forget", ANA, copy)
    assert done.code == 0, done.printed
    assert everything(post.matches, post.outbox) == before
    assert f"{post.outbox}: a run has put mails there" in done.err
    assert f"{copy / 'link'}: a run has put mails there" in done.err
    if version == "now":
        assert str(copy / "out") in done.out
        assert holding(copy) == []


def test_a_dry_run_says_what_would_go_and_who_could_no_longer_be_written_to(
    post: Post, room: Room
) -> None:
    lived(post, room)
    places = post.matches, post.outbox
    before = everything(*places)
    dry = pbem("forget", ANA, post.matches, "--outbox", post.outbox, "--dry")
    assert (dry.code, everything(*places)) == (0, before)
    first, *would = dry.out.splitlines()
    assert "nothing is removed" in first
    assert "other: nobody would be written to at white any more" in dry.err
    assert "m: nobody" not in dry.err  # Diana's address is left
    done = pbem("forget", ANA, post.matches, "--outbox", post.outbox)
    assert sorted(done.out.splitlines()) == sorted(would)
    assert "other: nobody is written to at white now" in done.err
    assert pbem("forget", ANA, post.matches, "--dry", "--json").json["touched"] == []
