"""A stranger who has docs/sealing-and-drawing.md and nothing else can check whole matches.

The programs are those of the page, run as they stand. Nothing of pbem is imported to check a log.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

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
