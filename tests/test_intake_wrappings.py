"""An original in whatever wrapping: its orders are never played, and the new ones never vanish."""

from __future__ import annotations

import base64
import html
from collections.abc import Iterator

import pytest
from commands import Room, dealt
from long import many
from wrappings import LABELS, WRAPPINGS, label_block

from pbem import intake
from pbem.desk.file import Desk
from pbem.desk.submit import check
from pbem.log.match import Replay
from pbem.log.seal import Keyring
from pbem.problem import Problem

NEW = ["KAHU-COCO", "take JOJO"]
OLD = "DUDA-BARI"
"""White could play it too: a leak would be accepted, not stumble over the rules."""

ORIGINALS = {
    "fenced": ["[move]", OLD, "[/move]"],
    "placed": ["[move] #9 5989", OLD, "[/move]"],
    "of before": ["[move] #8 0123", OLD, "[/move]"],
    "ticked": ["```move", OLD, "```"],
    "dashed": ["--- move ---", OLD, "---"],
    "empty": ["Your move, Ana.", "", "[move] #9 5989", "...", "[/move]"],
    "bare": ["Black played:", OLD, "draw"],
    "only an order": [OLD],
}
ANSWERS = {
    "bare": NEW,
    "one line": ["; ".join(NEW)],
    "fenced": ["[move] #9 5989", *NEW, "[/move]"],
    "fenced, no position": ["[move]", *NEW, "[/move]"],
    "courteous": ["Hi Ben,", "", *NEW, "", "Cheers,", "Ana"],
    "chat": ["I will think about it until tomorrow."],
    "nothing": [],
}
SAID = {name for name in ANSWERS if name not in ("chat", "nothing")}


@pytest.fixture(scope="module")
def desk_room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    """A match that is read once, and never written."""
    room = dealt(tmp_path_factory.mktemp("wrappings"))
    known, desk = room.read(), Desk.read(str(room.log))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Replay, "read", lambda path, keyring: known)
        patch.setattr(Desk, "read", lambda path: desk)
        yield room


def mail(text: str, subtype: str = "plain") -> bytes:
    head = (
        "Subject: Re: [m #9 5989] Kahuna\nFrom: Ana Weiss <ana@example.org>\nMIME-Version: 1.0\n"
        f'Content-Type: text/{subtype}; charset="utf-8"\nContent-Transfer-Encoding: base64\n\n'
    )
    return head.encode() + base64.encodebytes(f"{text}\n".encode())


def came_of(room: Room, source: bytes) -> tuple[str, list[str]]:
    """What the desk says of a mail, and the moves it would play."""
    try:
        said = intake.read(source, "m.eml")
        answer = check(str(room.log), said, seat="white", keyring=Keyring.none())
    except Problem as problem:
        return problem.message, []
    game = answer.before.game
    moves = [game.notate(step.move) for step in answer.steps] if answer.code == 0 else []
    return answer.message, [*moves, *(each.text for each in answer.not_played)]


def as_html(text: str) -> str:
    return "".join(f"<div>{html.escape(line) or '<br>'}</div>" for line in text.split("\n"))


def bodies(name: str) -> Iterator[tuple[str, str, str, bytes]]:
    """Every other original below a seventh of the answers, in other wrappings others below others,
    and in a long run each below each; as text and as HTML. A few where only the labels' looks
    differ."""
    at = [*WRAPPINGS].index(name)
    for nth, old in enumerate([*ORIGINALS][at % many(2, 1) :: many(2, 1)], at):
        for new in list(ANSWERS)[many(nth % 7, 0) :: many(7, 1)]:
            answer = ANSWERS[new]
            if "," in name and name.startswith("Outlook") and new not in ("bare", "fenced"):
                continue
            text = "\n".join([*answer, "", WRAPPINGS[name], "", *ORIGINALS[old], "", "Ben"])
            yield old, new, "text", mail(text)
            if new in ("bare", "fenced", "chat"):
                yield old, new, "html", mail(as_html(text), "html")


@pytest.mark.parametrize("name", WRAPPINGS)
def test_what_a_program_puts_below_an_answer_is_never_played(name: str, desk_room: Room) -> None:
    for old, new, kind, source in bodies(name):
        message, moves = came_of(desk_room, source)
        case = (old, new, kind, message, moves)
        assert not any(OLD in move for move in moves), case
        assert moves or message, case
        if moves:
            assert moves == NEW, case
        else:
            assert new not in SAID, case


FROM_ZERO = [
    "Forwarded by the club",
    "The Desk said on Friday:",
    "Citaat",
    "desk@example.org",
    "3.4.2026 09:14",
    "________________________________",
    "* * *",
    "~~ The Desk ~~",
]


@pytest.mark.parametrize("wrapping", FROM_ZERO)
@pytest.mark.parametrize("old", ["fenced", "placed", "of before", "ticked", "dashed"])
def test_below_a_wrapping_nobody_knows_a_fence_is_asked_about(
    wrapping: str, old: str, desk_room: Room
) -> None:
    for nth, new in enumerate(("bare", "one line", "courteous"), FROM_ZERO.index(wrapping)):
        text = "\n".join([*ANSWERS[new], "", wrapping, "", *ORIGINALS[old]])
        sources = mail(text), mail(as_html(text), "html")
        for source in sources[nth % many(2, 1) :: many(2, 1)]:
            message, moves = came_of(desk_room, source)
            assert not moves
            assert message


@pytest.mark.parametrize("width", ["1.0pt", "1pt"])
@pytest.mark.parametrize("colour", ["#E1E1E1", "#B5C4DF", "windowtext"])
def test_the_line_outlook_draws_begins_the_original(
    width: str, colour: str, desk_room: Room
) -> None:
    head = as_html("Wer: The Desk\nWann: Freitag\nWem: Ana\nWas: Kahuna")
    style = f"border:none;border-top:solid {colour} {width};padding:3.0pt 0cm 0cm 0cm"
    for old in ORIGINALS.values():
        page = f'{as_html(chr(10).join(NEW))}<div style="{style}">{head}</div>'
        page += as_html("\n".join(old))
        assert came_of(desk_room, mail(page, "html"))[1] == NEW


@pytest.mark.parametrize("language", LABELS)
def test_labels_need_an_address_and_a_date_in_a_language_nobody_knows(language: str) -> None:
    block = label_block(LABELS[language], date="whenever").replace("desk@example.org", "")
    two = "\n".join(block.split("\n")[:2])
    found = intake.read(mail(f"{NEW[0]}\n\n{two}\n\n{NEW[1]}"), "m.eml")
    assert NEW[1] in [line.text for line in found.orders]
