"""A stranger who has docs/sealing-and-drawing.md alone can check whole matches, and open pages.

The programs are those of the page, run as they stand. Nothing of pbem is imported to check a log.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import struct
import zlib
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from commands import dealt, pbem
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

ROOT = Path(__file__).parents[1]
ARCHIVE = ROOT / "tests" / "archive"
REVEALED = sorted(
    path for path in ARCHIVE.glob("*.pbem.yaml") if "\n- ruling: reveal\n" in path.read_text()
)


@pytest.fixture(scope="module")
def page() -> Iterator[SimpleNamespace]:
    """The programs on the page, run as they stand, and the log printed below them."""
    text = (ROOT / "docs" / "sealing-and-drawing.md").read_text("utf-8")
    names: dict[str, Any] = {}
    exec("".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL)), names)
    [names["log"]] = re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)
    names["text"] = text
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(yaml, "safe_load", load)
        yield SimpleNamespace(**names)


def load(text: str) -> Any:
    """YAML, read ten times as fast as on the page."""
    return yaml.load(text, yaml.CSafeLoader)


@cache
def secret_of(text: str) -> bytes:
    [revealed] = [e for e in load(text)["log"] if e.get("ruling") == "reveal"]
    return bytes.fromhex(revealed["secret"])


def test_the_archive_has_a_revealed_match_of_every_game(page: SimpleNamespace) -> None:
    games = {load(path.read_text())["game"] for path in REVEALED}
    assert games == set(page.WHAT_MAY_COME)


@pytest.mark.parametrize("log", REVEALED, ids=lambda log: log.name.removesuffix(".pbem.yaml"))
def test_every_chain_seal_and_draw_of_a_match_is_checked_with_the_page_alone(
    page: SimpleNamespace, log: Path
) -> None:
    text = log.read_text("utf-8")
    marks = page.verify(text, secret_of(text))
    told = json.loads((ARCHIVE / "facts" / log.name.replace(".pbem.yaml", ".json")).read_text())
    entries = load(text)["log"]
    last = max(
        nth
        for nth, entry in enumerate(entries, 1)
        if entry.get("ruling") not in ("note", "entropy")
    )
    assert marks[last].removeprefix("sha256:")[:4] == told["spectator"]["fingerprint"]


def chained(page: SimpleNamespace, data: dict[str, Any]) -> str:
    """The log with its hashes made anew, as by somebody who has read the page."""
    entries = data.pop("log")
    chain = page.sha256(page.canonical(data))
    for entry in entries:
        entry.pop("chain", None)
        chain = entry["chain"] = page.sha256(chain + page.canonical(entry))
    return json.dumps({**data, "log": entries}, ensure_ascii=False)  # which is YAML, too


@pytest.mark.parametrize("log", REVEALED, ids=lambda log: log.name.removesuffix(".pbem.yaml"))
@pytest.mark.parametrize("which", [0, -1], ids=["the first open draw", "the last"])
def test_the_page_notices_another_draw_in_a_log_hashed_anew(
    page: SimpleNamespace, log: Path, which: int
) -> None:
    text = log.read_text("utf-8")
    data = load(text)
    draws = [e for e in data["log"] if e.get("seat") == "chance" and "whole" not in e]
    draw = draws[which]
    draw["move"] += "x"
    with pytest.raises(AssertionError, match=rf"ply {draw['ply']} should have been"):
        page.verify(chained(page, data), secret_of(text))


def test_the_verifier_on_the_page_accepts_the_log_on_the_page(page: SimpleNamespace) -> None:
    marks = page.verify(page.log, page.SECRET)
    assert f"the position is `#2 {marks[-1][7:11]}`" in page.text


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("Zoë", "Zoe"), "this entry was altered"),
        (("seat: chance", "seat: white"), "this entry was altered"),
        (("white: Ana", "white: Eva"), "this entry was altered"),
        (("sha256:630d", "sha256:730d"), "another secret"),
    ],
)
def test_the_verifier_on_the_page_notices(
    page: SimpleNamespace, change: tuple[str, str], message: str
) -> None:
    with pytest.raises(AssertionError, match=message):
        page.verify(page.log.replace(*change), page.SECRET)


def test_the_verifier_on_the_page_notices_a_card_that_was_chosen(page: SimpleNamespace) -> None:
    with pytest.raises(AssertionError, match="ply 1 should have been deal"):
        page.verify(page.log, page.SECRET, lambda *_: ["deal ALOA", "deal COCO"])


def test_the_page_reads_promises_words_and_a_public_value(page: SimpleNamespace) -> None:
    """Two short matches, made by the page's own rules."""
    words = {"white": "the quick brown fox jumps", "black": "its fleece was white"}
    time = {"at": "2026-11-21T03:41:00Z"}
    promises = [
        {"ruling": "promise", "by": seat, "seat": seat, "hash": page.promise(text), **time}
        for seat, text in words.items()
    ]
    sent = [
        {"ruling": "words", "by": seat, "seat": seat, "text": text, **time}
        for seat, text in reversed(words.items())
    ]
    value = {"ruling": "value", "by": "moderator", "text": "44, 3, 15, 08", **time}

    def first(entries: list[dict[str, Any]], texts: list[str]) -> dict[str, Any]:
        header = {key: load(page.log)[key] for key in ("match", "game", "seats", "commit")}
        cards = page.kahuna(header, [], [])
        move = page.draw(page.SECRET, "kahuna-07", 1, texts, cards)
        dealt = {"dealt": {"to": "display", "card": move[5:]}}
        ply = {"ply": 1, "seat": "chance", "move": move, "events": [dealt], **time}
        return {**header, "dealer": "sealed", "log": [*entries, ply]}

    for entries, texts in (([*promises, *sent], list(words.values())), ([value], ["3 8 15 44"])):
        assert page.verify(chained(page, first(entries, texts)), page.SECRET)
        with pytest.raises(AssertionError, match="ply 1 should have been"):
            page.verify(chained(page, first(entries, [*texts, "x"])), page.SECRET)
    with pytest.raises(AssertionError, match="other words"):
        page.verify(
            chained(page, first([*promises[::-1], {**sent[0], "text": "its fleece"}], [])),
            page.SECRET,
        )


# ----------------------------------------------------- pages for one seat, from the words alone

# What follows was written from the words of the document, not from the programs on it.


def stretched(secret: bytes, info: str, size: int = 32) -> bytes:
    """HKDF of RFC 5869 with SHA-256, whose first block is all that is ever asked for."""
    kept = hmac.new(b"pbem/1", secret, hashlib.sha256).digest()
    return hmac.new(kept, info.encode("utf-8") + bytes([1]), hashlib.sha256).digest()[:size]


def compact(values: list[Any]) -> str:
    """Canonical JSON of texts and numbers that hold nothing to be escaped."""
    return "[" + ",".join(f'"{v}"' if isinstance(v, str) else str(v) for v in values) + "]"


def behind_k(secret: bytes, match: str, seat: str, epoch: int) -> bytes:
    own = stretched(secret, f"seat/{seat}/{epoch}")
    return stretched(own, compact(["link", match, seat, epoch]))


def enclosed(link: bytes, packed: bytes, place: str) -> bytes:
    plain = struct.pack(">I", len(packed)) + packed
    plain += bytes(32_768 - len(plain))
    nonce = hmac.new(stretched(link, "nonce"), place.encode() + b"\0" + plain, hashlib.sha256)
    start = nonce.digest()[:12]
    return start + AESGCM(stretched(link, "page")).encrypt(start, plain, place.encode())


class _Sealed(HTMLParser):
    """What stands in the element `page-sealed`."""

    text = ""
    inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside = ("id", "page-sealed") in attrs

    def handle_endtag(self, tag: str) -> None:
        self.inside = False

    def handle_data(self, data: str) -> None:
        self.text += data if self.inside else ""


def test_the_vectors_of_a_page_come_of_the_words() -> None:
    text = (ROOT / "docs" / "sealing-and-drawing.md").read_text("utf-8")
    secret = bytes(range(32))
    assert "SECRET = bytes(range(32))" in text
    link = behind_k(secret, "kahuna-07", "white", 0)
    assert base64.urlsafe_b64encode(link).decode() in text
    for told in (
        behind_k(secret, "kahuna-07", "white", 1),
        *(stretched(link, label) for label in ("page", "nonce", "sign")),
        stretched(link, "name", 8),
    ):
        assert f'"{told.hex()}"' in text
    made = enclosed(link, b"told", compact(["kahuna-07", "white", 0, "sha256:00"]))
    assert f"`{made[:12].hex()}`" in text
    assert hashlib.sha256(made).hexdigest() in text


def test_a_page_is_opened_and_sealed_again_from_the_words(tmp_path: Path) -> None:
    room = dealt(tmp_path, starter="white")
    out = tmp_path / "page.html"
    done = pbem("page", room.log, "--seat", "white", "--sealed", "-o", out)
    link = behind_k(bytes.fromhex(load(room.desk.read_text())["secret"]), "m", "white", 0)
    printed = base64.urlsafe_b64encode(link).decode().rstrip("=")
    assert f"#k={printed}" in done.out.splitlines()
    reader = _Sealed()
    reader.feed(out.read_text("utf-8"))
    page = json.loads(reader.text)
    place = compact([page[name] for name in ("match", "seat", "epoch", "mark")])
    shut = base64.b64decode(page["sealed"])
    plain = AESGCM(stretched(link, "page")).decrypt(shut[:12], shut[12:], place.encode())
    assert len(plain) == 32_768
    size = struct.unpack(">I", plain[:4])[0]
    assert plain[4 + size :].strip(b"\0") == b""
    told = json.loads(zlib.decompress(plain[4 : 4 + size]).decode("utf-8"))
    assert {text for text, _ in told["order"]["moves"]} >= {"draw"}
    assert enclosed(link, plain[4 : 4 + size], place) == shut
