"""Whatever is done to a log, the audit finds it, with its line."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commands import SECRET, Room, dealt, pbem

from pbem.core import CHANCE, HIDDEN
from pbem.desk.file import Desk
from pbem.files import yamlio
from pbem.log import audit, seal, sealing
from pbem.log.format import Header, Log, entry_text

Plain = dict[str, Any]
Tamper = Callable[[list[Plain]], object]


@pytest.fixture
def played(tmp_path: Path) -> Room:
    """Plies 10 to 15: white builds, discards twice and draws; black builds and passes."""
    room = dealt(tmp_path, discard="free")
    room.says("white", "DUDA-BARI; discard KAHU; discard LALE; draw")
    room.says("black", "GOLA-COCO; pass")
    return room


def tampered(room: Room, change: Tamper) -> Room:
    """The log after a change, chained anew, as by somebody who knows the format."""
    source = Log.read(str(room.log))
    entries = yamlio.parse(source.text, "")["log"]
    change(entries)
    text, chain = source.header.text(), source.header.chain
    for entry in entries:
        entry.pop("chain", None)
        more, chain = entry_text(chain, entry)
        text += more
    assert text != source.text
    room.log.write_text(text)
    return room


def line_of(room: Room, ply: int) -> int:
    """The line of the log where a ply begins."""
    lines = room.log.read_text().splitlines()
    return lines.index(f"- ply: {ply}") + 1


def ply(entries: list[Plain], number: int) -> Plain:
    return next(entry for entry in entries if entry.get("ply") == number)


def events(entries: list[Plain], number: int) -> list[Plain]:
    found: list[Plain] = ply(entries, number)["events"]
    return found


def sealed(value: str, number: int, field: str, size: int, seat: str = "white") -> str:
    return seal.seal(
        seal.seat_key(SECRET, seat, 0),
        value,
        match="m",
        ply=number,
        field=field,
        epoch=0,
        size=size,
    )


def swap(entries: list[Plain], one: int, two: int, key: str) -> None:
    a, b = ply(entries, one), ply(entries, two)
    a[key], b[key] = b[key], a[key]


def deal_other(entries: list[Plain]) -> None:
    """The first card face up becomes another one that may come."""
    [[_, fields]] = events(entries, 7)[0].items()
    other = "ELAI" if fields["card"] != "ELAI" else "HUNA"
    fields["card"] = other
    ply(entries, 7)["move"] = f"deal {other}"


def draw_other(entries: list[Plain]) -> None:
    """Another card is drawn, and sealed as it should be."""
    events(entries, 14)[0]["dealt"]["card"] = sealed("ELAI", 14, "0.dealt.card", 6)
    ply(entries, 14)["whole"] = sealed("deal ELAI", 14, "whole", sealing.WHOLE_SIZE)


def play_unheld(entries: list[Plain]) -> None:
    ply(entries, 10)["move"] = "BARI-DUDA"
    events(entries, 10)[0]["spent"]["card"] = "BARI"


TAMPERINGS: list[tuple[str, Tamper, int, str, str]] = [
    # what, how, at which ply, what the moderator's audit says, what a spectator's says
    (
        "another bridge",
        lambda e: events(e, 10)[1]["built"].update(line="ELAI-FAAA"),
        10,
        "other consequences: spent white DUDA; built white BARI-DUDA, not",
        "other consequences",
    ),
    ("a card not held", play_unheld, 10, "does not fit the position it follows (no BARI among", ""),
    ("a consequence left out", lambda e: events(e, 10).pop(), 10, "other consequences", "other"),
    (
        "a consequence too many",
        lambda e: events(e, 13).append({"turn-passed": {"to": "black"}}),
        13,
        "other consequences",
        "other consequences",
    ),
    (
        "a move told as another",
        lambda e: ply(e, 15).update(move="FAAA-COCO"),
        15,
        "would be refused",
        "other consequences",
    ),
    (
        "moved by the other",
        lambda e: ply(e, 10).update(seat="black"),
        10,
        "would be refused: It isn't black's turn",
        "would be refused: It isn't black's turn",
    ),
    (
        "an unreadable move",
        lambda e: ply(e, 10).update(move="hop"),
        10,
        "would be refused",
        "would be refused",
    ),
    (
        "a drawing with no need",
        lambda e: ply(e, 16).update(seat=CHANCE),
        16,
        "would be refused",
        "would be refused",
    ),
    ("another card face up", deal_other, 7, "the secret draws", ""),
    ("another card drawn", draw_other, 14, "drew 'deal ELAI'; the secret draws", ""),
    (
        "a whole move of another ply",
        lambda e: swap(e, 11, 12, "whole"),
        11,
        "the whole move was sealed with another key, or altered",
        "",
    ),
    (
        "an event of another ply",
        lambda e: swap(e, 11, 12, "events"),
        11,
        "was sealed with another key, or altered",
        "",
    ),
    (
        "a whole move that is not the event",
        lambda e: ply(e, 11).update(whole=sealed("discard LALE", 11, "whole", sealing.WHOLE_SIZE)),
        11,
        "other consequences: tucked white LALE, not tucked white KAHU",
        "",
    ),
    (
        "a secret laid open",
        lambda e: events(e, 11)[0]["tucked"].update(card="KAHU"),
        11,
        "shows tucked.card openly",
        "shows tucked.card openly",
    ),
    (
        "a secret wiped out",
        lambda e: events(e, 11)[0]["tucked"].update(card=HIDDEN),
        11,
        "shows tucked.card openly",
        "shows tucked.card openly",
    ),
    (
        "a hidden move told",
        lambda e: ply(e, 11).update(move="discard KAHU"),
        11,
        "is written 'discard KAHU', but the move is 'discard ?'",
        "",
    ),
    (
        "what is for all hidden",
        lambda e: events(e, 7)[0]["dealt"].update(card=sealed("FAAA", 7, "0.dealt.card", 6)),
        7,
        "",
        "is hidden, but it is for all to see",
    ),
    (
        "a seal cut short",
        lambda e: events(e, 11)[0]["tucked"].update(card="sealed:0:AAAA"),
        11,
        "cut short or altered",
        "cut short or altered",
    ),
]


@pytest.mark.parametrize(
    ("change", "number", "moderator", "spectator"),
    [each[1:] for each in TAMPERINGS],
    ids=[each[0] for each in TAMPERINGS],
)
def test_a_forgery_that_keeps_the_chain_is_found_with_its_line(
    played: Room, change: Tamper, number: int, moderator: str, spectator: str
) -> None:
    tampered(played, change)
    for told, key in ((moderator, ["--key", played.desk]), (spectator, [])):
        if not told:
            continue
        done = pbem("verify", played.log, *key)
        assert done.code == 65
        first = next(line for line in done.out.splitlines() if told in line)
        place = re.match(rf"{re.escape(str(played.log))}:(\d+):\d+: ply {number}\b", first)
        assert place, done.out
        start = line_of(played, number)
        assert start <= int(place[1]) < start + 12


def test_a_struck_ply_is_judged_too(played: Room) -> None:
    assert pbem("rule", played.log, "takeback", "--to", 14, "--reason", "x").code == 0
    assert pbem("verify", played.log, "--key", played.desk).code == 0
    tampered(played, lambda e: events(e, 15)[1]["built"].update(line="ELAI-FAAA"))
    assert "ply 15 would have other consequences" in pbem("verify", played.log).out


def test_an_honest_log_verifies_for_everybody_as_far_as_he_can_know(played: Room) -> None:
    chances = sum(p.seat == CHANCE for p, _ in played.read().plies)
    everything = audit.audit(str(played.log), played.read().keyring)
    assert (everything.judged, everything.drawn) == (everything.plies, chances)
    counts = []
    for keyring in (None, played.key("black"), played.key("white")):
        found = audit.audit(str(played.log), keyring)
        assert found.problems == ()
        assert found.drawn == 0
        counts.append(found.judged)
    assert counts == sorted(counts)
    assert counts[-1] < everything.plies


def test_after_the_reveal_anybody_verifies_all(played: Room) -> None:
    pbem("rule", played.log, "end", "--reason", "agreed")
    assert pbem("reveal", played.log).code == 0
    found = audit.audit(str(played.log))
    assert found.problems == ()
    assert found.judged == found.plies == 16
    assert found.drawn == 10


def test_a_revealed_log_hides_no_forgery_from_anybody(played: Room) -> None:
    pbem("rule", played.log, "end", "--reason", "agreed")
    pbem("reveal", played.log)
    tampered(played, draw_other)
    assert "the secret draws" in pbem("verify", played.log).out


def test_another_secret_is_no_reveal(played: Room) -> None:
    pbem("rule", played.log, "end", "--reason", "agreed")
    pbem("reveal", played.log)
    tampered(played, lambda e: e[-1].update(secret="00" * 32))
    done = pbem("verify", played.log)
    assert done.code == 65
    assert "not the secret the header commits to" in done.out


def test_a_new_commitment_needs_a_new_chain_and_then_the_desk_file_does_not_fit(
    played: Room,
) -> None:
    source = Log.read(str(played.log))
    text = source.text.replace(source.header.commit, seal.commit(bytes(32)))
    played.log.write_text(text)
    assert "the chain breaks" in pbem("verify", played.log).out
    done = pbem("show", tampered_header(played, text).log, "--key", played.desk)
    assert done.code == 77


def tampered_header(room: Room, text: str) -> Room:
    """A log with another header, chained anew."""
    data = yamlio.parse(text, "")
    entries = data.pop("log")
    data.pop("format")
    header = Header(**data)
    text, chain = header.text(), header.chain
    for entry in entries:
        entry.pop("chain")
        more, chain = entry_text(chain, entry)
        text += more
    room.log.write_text(text)
    return room


@pytest.mark.parametrize(
    ("line", "edit"),
    [
        ("  - built: ", lambda text: text.replace("BARI-DUDA", "DUDA-ELAI")),
        ("- ply: 12", lambda text: text.replace("12", "13")),
        ("  at: ", lambda text: text.replace("2026", "2025")),
        ("  source: ", lambda text: text.replace("hmac:", "hmac:0")),
        ("  chain: ", lambda text: text.replace("sha256:", "sha256:0")[:-1]),
    ],
    ids=["an event", "a number", "a time", "a source", "a hash"],
)
def test_an_edit_by_hand_breaks_the_chain_at_that_ply(
    played: Room, line: str, edit: Callable[[str], str]
) -> None:
    lines = played.log.read_text().splitlines()
    begin = lines.index("- ply: 10")
    at = next(n for n in range(begin, len(lines)) if lines[n].startswith(line))
    lines[at] = edit(lines[at])
    played.log.write_text("\n".join(lines) + "\n")
    done = pbem("verify", played.log)
    assert done.code == 65
    found = re.match(rf"{re.escape(str(played.log))}:(\d+):\d+: ", done.out)
    assert found
    assert at - 12 <= int(found[1]) <= at + 12


def test_a_ply_removed_from_the_middle_or_the_order_changed_is_found(played: Room) -> None:
    text = played.log.read_text()
    parts = re.split(r"(?=^- ply: )", text, flags=re.M)
    for broken in ([*parts[:10], *parts[11:]], [*parts[:10], parts[11], parts[10], *parts[12:]]):
        played.log.write_text("".join(broken))
        done = pbem("verify", played.log)
        assert done.code == 65
        assert "plies count on by one" in done.out


def test_comments_and_blank_lines_are_no_forgery(played: Room) -> None:
    text = played.log.read_text().replace("\n- ply: 10", "\n\n# the first move\n- ply: 10")
    played.log.write_text(text)
    assert pbem("verify", played.log, "--key", played.desk).code == 0
    played.says("white", "draw")
    assert "# the first move" in played.log.read_text()
    assert Desk.read(str(played.log)).match == "m"
