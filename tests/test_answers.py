"""What players are answered whose mails end in no move, in the words that must stand there.

tests/answers.yaml holds such mails as a player writes them who has never seen the program; each
meets a match at a position of tests/people/positions.yaml.
"""

from __future__ import annotations

import shutil
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
import yaml
from commands import Room, pbem
from postroom import Post, plies
from test_people import POSITIONS, dealt_like

MAILS: list[dict[str, Any]] = yaml.load(
    (Path(__file__).parent / "answers.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader
)


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Room]:
    """A match at each position that a mail is for."""
    wanted = {each["position"] for each in MAILS}
    return {
        name: dealt_like(tmp_path_factory.mktemp(name), place)
        for name, place in POSITIONS.items()
        if name in wanted
    }


@pytest.mark.parametrize("mail", MAILS, ids=lambda mail: str(mail["id"]))
def test_an_answer_says_what_was_understood_what_is_wrong_and_what_to_do(
    mail: dict[str, Any], places: dict[str, Room], tmp_path: Path
) -> None:
    place, post = places[mail["position"]], Post(tmp_path)
    for name, content in place.files().items():
        (post.matches / name).write_bytes(content)
    room, seat = Room(post.matches / place.log.name), mail["seat"]
    if mail.get("speaks"):
        done = pbem("seat", room.log, "--seat", seat, "--language", mail["speaks"])
        assert done.code == 0, done.printed
    now, before = room.read(), plies(room)
    who = now.players[seat]
    message = EmailMessage()
    message["From"] = f"{who} <{who.lower()}@example.org>"
    message["Subject"] = mail.get("subject", f"Re: [k1 {now.position}] Your move")
    message["Message-ID"] = "<1@example.org>"
    message.set_content(mail["text"])
    if mail.get("attached"):
        message.add_attachment(
            b"\xff\xd8", maintype="image", subtype="jpeg", filename=mail["attached"]
        )
    post.comes(bytes(message))
    verdict = post.run()[0]
    told = " ".join(post.only(f"{who.lower()}@example.org").split())
    titles = [" ".join(str(each["Subject"]).split()) for each in post.answers().values()]
    shutil.rmtree(post.outbox)
    assert verdict == mail["verdict"]
    assert plies(room)[len(before) :] == mail.get("plays", [])
    assert any(mail.get("titled", "") in title for title in titles), titles
    for sentence in mail["tells"]:
        assert " ".join(sentence.split()) in told, told
    for word in mail.get("hides", []):
        assert word not in told, told
