"""Whatever is done to a log, the audit finds it, with its line."""

from __future__ import annotations

import base64
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from commands import SECRET, Room, dealt, pbem
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.cli import rule
from pbem.core import CHANCE, HIDDEN
from pbem.desk.file import Desk
from pbem.files import yamlio
from pbem.files.data import schema_text
from pbem.files.processors import spread
from pbem.log import audit, seal, sealing
from pbem.log.chance import seeded
from pbem.log.entries import Header, entry_text
from pbem.log.format import Log
from pbem.problem import Problem

Plain = dict[str, Any]
Tamper = Callable[[list[Plain]], object]


@pytest.fixture
def played(tmp_path: Path) -> Room:
    return middle_of_a_match(tmp_path)


def middle_of_a_match(folder: Path) -> Room:
    """Plies 10 to 15: white builds, discards twice and draws; black builds and passes."""
    room = dealt(folder, discard="free")
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
        "would be refused: It's white's turn, not black's",
        "would be refused: It's white's turn, not black's",
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


# ------------------------------------------------- by somebody who holds the secret, at the end


@pytest.fixture
def finished(over: Path, tmp_path: Path) -> Room:
    """Ply 17: Zoe, who took over from Ana, discards; 18 is played for her; then it ends."""
    shutil.copytree(over, tmp_path, dirs_exist_ok=True)
    return Room(tmp_path / "m.pbem.yaml")


@pytest.fixture(scope="module")
def over(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of such a match, which nobody changes."""
    played = middle_of_a_match(tmp_path_factory.mktemp("over"))
    by = ("--seat", "white", "--reason", "x")
    assert pbem("rule", played.log, "substitute", *by, "--player", "Zoe").code == 0
    played.says("white", f"discard {held(played)}")
    assert pbem("rule", played.log, "default", *by, "--move", "draw").code == 0
    assert pbem("rule", played.log, "end", "--reason", "agreed").code == 0
    assert pbem("reveal", played.log).code == 0
    assert pbem("verify", played.log).code == 0
    return played.log.parent


def held(room: Room) -> str:
    return min(room.read().game.view(room.read().state)["hands"]["white"])


AT = "2026-09-21T16:13:20Z"
BUILT = {"built": {"seat": "black", "line": "ALOA-BARI"}}


def after_ruling(kind: str, *new: Plain) -> Tamper:
    """More entries right after a ruling."""

    def change(entries: list[Plain]) -> None:
        at = next(n for n, entry in enumerate(entries) if entry.get("ruling") == kind)
        entries[at + 1 : at + 1] = [{**entry, "at": entries[at]["at"]} for entry in new]

    return change


def another_ply(entries: list[Plain]) -> Plain:
    number = max(entry.get("ply", 0) for entry in entries) + 1
    return {"ply": number, "seat": "black", "move": "pass", "events": [], "at": entries[-1]["at"]}


def ruling(entries: list[Plain], kind: str) -> Plain:
    return next(entry for entry in entries if entry.get("ruling") == kind)


def resealed(number: int, epoch: int = 1, size: int = 6, **changed: Any) -> Tamper:
    """What the newest discard hides, sealed in another way."""

    def change(entries: list[Plain]) -> None:
        field = changed.get("field", "0.tucked.card")
        owner, given = changed.get("seat", "white"), changed.get("epoch_told", epoch)
        value = seal.unseal(
            seal.seat_key(SECRET, "white", 1),
            events(entries, number)[0]["tucked"]["card"],
            **{"match": "m", "ply": number, "field": "0.tucked.card"},
        )
        if field == "whole":
            value = f"discard {value}"
        text = seal.seal(
            seal.seat_key(SECRET, owner, given),
            changed.get("value", value),
            **{"match": "m", "ply": number, "field": field, "epoch": given, "size": size},
        )
        if field == "whole":
            ply(entries, number)["whole"] = text
        else:
            events(entries, number)[0]["tucked"]["card"] = text

    return change


def spelled_otherwise(entries: list[Plain]) -> None:
    """The same card, but with the blanks of its padding in front."""
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV

    cipher = AESSIV(seal.seat_key(SECRET, "white", 0))
    shut = cipher.encrypt(b' "KAHU"'[:7].ljust(12), [b'["m",11,"0.tucked.card"]'])
    text = base64.urlsafe_b64encode(shut).decode().rstrip("=")
    events(entries, 11)[0]["tucked"]["card"] = f"sealed:0:{text}"


def without_ply(number: int) -> Tamper:
    """The ply gone, and those after it counted on."""

    def change(entries: list[Plain]) -> None:
        entries.remove(ply(entries, number))
        for entry in entries:
            if entry.get("ply", 0) > number:
                entry["ply"] -= 1

    return change


FORGERIES: list[tuple[str, Tamper, str]] = [
    # what, how, and what verify says of it, to anybody
    ("a secret move without its seal", lambda e: ply(e, 11).pop("whole"), "hides its move"),
    (
        "a move sealed for the opponent",
        resealed(17, field="whole", seat="black", epoch_told=0, size=sealing.WHOLE_SIZE),
        "the move of ply 17 is not sealed as it should be",
    ),
    ("an event of an old epoch", resealed(17, epoch=0), "another epoch"),
    (
        "a move of an old epoch",
        resealed(17, field="whole", epoch_told=0, size=sealing.WHOLE_SIZE),
        "not sealed as it should be",
    ),
    ("an event padded otherwise", resealed(17, size=8), "pads it otherwise"),
    ("an event padded for longer", resealed(17, size=12), "event 1 of ply 17 is not sealed"),
    ("a move padded otherwise", resealed(17, field="whole", size=50), "pads it otherwise"),
    ("a move padded for longer", resealed(17, field="whole", size=96), "is not sealed as it"),
    ("a seal with its blanks in front", spelled_otherwise, "event 1 of ply 11 is not sealed"),
    (
        "a ply after the end",
        lambda e: after_ruling("end", another_ply(e))(e),
        "ply cannot stand here: a ruling has ended the match",
    ),
    (
        "a ply after the reveal",
        lambda e: e.append(another_ply(e)),
        "the secret of the match has been revealed",
    ),
    (
        "a ply after a resignation",
        lambda e: (
            after_ruling("end", another_ply(e))(e),
            ruling(e, "end").update(ruling="resign", seat="black"),
            ruling(e, "resign").pop("winners"),
        ),
        "ply cannot stand here: a ruling has ended the match",
    ),
    (
        "a takeback after the reveal",
        after_ruling("reveal", {"ruling": "takeback", "by": "moderator", "strikes": [19]}),
        "takeback cannot stand here",
    ),
    (
        "a substitute after the end",
        after_ruling(
            "end",
            {"ruling": "substitute", "by": "moderator", "seat": "black", "name": "X", "epoch": 1},
        ),
        "substitute cannot stand here",
    ),
    (
        "an ending after the end",
        after_ruling("end", {"ruling": "resign", "by": "moderator", "seat": "black"}),
        "resign cannot stand here",
    ),
    (
        "a second reveal",
        after_ruling("reveal", {"ruling": "reveal", "by": "moderator", "secret": SECRET.hex()}),
        "reveal cannot stand here",
    ),
    (
        "a default without its ply",
        after_ruling("substitute", {"ruling": "default", "by": "moderator", "seat": "black"}),
        "a move played for black comes next, not one of white",
    ),
    (
        "a default and then a note",
        after_ruling("default", {"ruling": "note", "by": "moderator", "text": "x"}),
        "note cannot stand here: after a default",
    ),
    (
        "a default and nothing else",
        lambda e: e.__setitem__(
            slice(-4, None), [{"ruling": "default", "by": "moderator", "seat": "white", "at": AT}]
        ),
        "a default without the move played for white",
    ),
    ("a ply before the one before", lambda e: ply(e, 12).update(at=AT), "time runs back"),
    ("a ruling in the past", lambda e: ruling(e, "end").update(at=AT), "time runs back"),
    (
        "a second that no calendar has",
        lambda e: [entry.update(at="9998-12-31T23:59:60Z") for entry in e[-1:]],
        "there is no such time",
    ),
    (
        "a day that no calendar has",
        lambda e: [entry.update(at="9999-99-99T99:99:99Z") for entry in e[-1:]],
        "there is no such time",
    ),
    (
        "a reveal by a player",
        lambda e: ruling(e, "reveal").update(by="white"),
        "only the moderator gives this ruling",
    ),
    (
        "an end by a player",
        lambda e: ruling(e, "end").update(by="white"),
        "only the moderator gives this ruling",
    ),
    ("a reveal of a running match", lambda e: e.remove(ruling(e, "end")), "the match is not over"),
    (
        "a text before the draws",
        lambda e: e.insert(
            0, {"ruling": "entropy", "by": "white", "seat": "white", "text": "x", "at": e[0]["at"]}
        ),
        "ply 1 drew",
    ),
    (
        "a text for another",
        after_ruling(
            "substitute", {"ruling": "entropy", "by": "black", "seat": "white", "text": "x"}
        ),
        "black cannot speak for white",
    ),
    ("events in another order", lambda e: events(e, 10).reverse(), "other consequences"),
    ("a ply left out", without_ply(12), "was sealed with another key"),
    (
        "a struck ply that stands",
        after_ruling("default", {"ruling": "takeback", "by": "moderator", "strikes": [17]}),
        "takeback cannot stand here",
    ),
]


@pytest.mark.parametrize(
    ("change", "said"), [each[1:] for each in FORGERIES], ids=[each[0] for each in FORGERIES]
)
def test_a_forgery_by_whoever_knows_the_secret_is_found_by_anybody(
    finished: Room, change: Tamper, said: str
) -> None:
    require_found(finished, change, said)


@pytest.mark.parametrize(
    ("dealer", "said"), [("asked", "NO DRAW IS PROVEN"), ("sealed", "for the deal")]
)
def test_verify_says_what_is_proven_and_what_is_not(tmp_path: Path, dealer: str, said: str) -> None:
    room = dealt(tmp_path, dealer=None if dealer == "sealed" else seeded(1), dealer_name=dealer)
    done = pbem("verify", room.log, "--key", room.desk)
    assert done.code == 0
    assert said in done.out
    [log] = pbem("verify", room.log, "--json").json["logs"]
    assert any(said in notice for notice in log["notices"])


def test_of_a_thousand_problems_with_the_schema_twenty_are_told() -> None:
    text = "log:\n" + "- 7\n" * 1000
    found = yamlio.validate(yamlio.parse(text, ""), schema_text("log"), text, "")
    assert len(found) == audit.MOST == 20


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to every plain value."""
    if isinstance(value, dict | list):
        inner = value.items() if isinstance(value, dict) else enumerate(value)
        return [leaf for key, each in inner for leaf in leaves(each, (*path, key))]
    return [path]


@settings(max_examples=120)
@given(data=st.data())
def test_whatever_stands_in_a_log_its_audit_ends_with_findings(finished: Room, data: Any) -> None:
    whole = finished.log.read_text()
    entries = yamlio.parse(whole, "")["log"]
    other = st.sampled_from(
        [
            "",
            "?",
            "white",
            "chance",
            "deal ?",
            "KAHU",
            "sealed:0:AAAA",
            -1,
            10**9,
            None,
            True,
            [],
            {},
        ]
    ) | st.text(max_size=4)

    def change(entries: list[Plain]) -> None:
        for _ in range(data.draw(st.integers(1, 3))):
            *way, last = data.draw(st.sampled_from(leaves(entries)))
            target: Any = entries
            for key in way:
                target = target[key]
            target[last] = data.draw(other)

    source = Log.parse(whole, "")
    change(entries)
    text, chain = source.header.text(), source.header.chain
    try:
        for entry in entries:
            entry.pop("chain", None)
            more, chain = entry_text(chain, entry)
            text += more
    except Problem:
        return  # it cannot even be written
    finished.log.write_text(text)
    try:
        for found in audit.audit(str(finished.log)).problems:
            assert found.line
            assert "cannot be checked" not in str(found)
    finally:
        finished.log.write_text(whole)


def test_what_nobody_foresaw_is_a_finding_with_its_line(
    finished: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stumble(*_: object) -> None:
        raise ZeroDivisionError("a mistake in the rules")

    monkeypatch.setattr("pbem.log.audit.play.judge", stumble)
    done = pbem("verify", finished.log)
    assert done.code == 65
    assert re.match(
        rf"{re.escape(str(finished.log))}:\d+:\d+: this cannot be checked: ZeroDivisionError",
        done.out,
    )


def test_verify_believes_no_cache(finished: Room) -> None:
    """What stands in the cache for this very text is not looked at."""
    tampered(finished, lambda e: ply(e, 11).pop("whole"))
    text = finished.log.read_text()
    with patch("pbem.files.cache.folder", side_effect=AssertionError("the cache was asked for")):
        done = pbem("verify", finished.log)
    assert done.code == 65
    assert "hides its move" in done.out
    assert finished.log.read_text() == text


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


def require_found(room: Room, change: Tamper, said: str) -> None:
    """Whoever verifies the changed log is told so, with the line."""
    tampered(room, change)
    done = pbem("verify", room.log)
    assert done.code == 65, done.out
    first = next((line for line in done.out.splitlines() if said in line), "")
    assert re.match(rf"{re.escape(str(room.log))}:\d+:\d+: ", first), done.out


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


# ------------------------------------------------------------------------------- many at once


@pytest.mark.parametrize("output", [(), ("--json",)])
def test_many_logs_are_verified_side_by_side_and_told_in_their_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, output: tuple[str, ...]
) -> None:
    rooms = [dealt(tmp_path, name=name) for name in ("d", "a", "c", "b")]
    tampered(rooms[1], lambda e: e[0].update(move="deal LALE"))
    rooms[2].log.write_text("log: what?\n")
    logs = [room.log for room in rooms] + [tmp_path / "none.pbem.yaml"]
    found = []
    for many in (100, 2):
        monkeypatch.setattr(rule, "_MANY", many)
        found.append(pbem("verify", *logs, "--key", rooms[0].desk, *output))
    assert found[0] == found[1]
    told = re.findall(r"(\w+)\.pbem\.yaml(?:: ok|:\d+|: cannot|: these keys)", found[0].out)
    assert output or list(dict.fromkeys(told)) == ["d", "a", "c", "b", "none"]


def test_many_things_are_shared_out_among_processes_and_few_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    assert list(spread(abs, range(-9, 1), 10)) == list(range(9, -1, -1))
    assert os.getpid() not in spread(_where, range(10), 10)
    assert {*spread(_where, range(9), 10)} == {os.getpid()}


def _where(_: int) -> int:
    return os.getpid()
