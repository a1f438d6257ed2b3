"""What the mailroom keeps of its work: lines of earlier versions are read, broken ones are told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import pytest
from commands import ANA, dealt, mail, pbem
from hypothesis import given
from hypothesis import strategies as st

from pbem.mailroom.daybook import (
    Came,
    Daybook,
    Fact,
    Keeps,
    Opened,
    Planned,
    Queued,
    Ran,
    Said,
    Settled,
    Waits,
    Wrote,
    plain,
    read,
)
from pbem.mailroom.inbox import headers
from pbem.problem import BadFile

DAY = "2026-09-21T14:13:20Z"
EARLIER = {
    "mail": "0123456789abcdef",
    "at": DAY,
    "verdict": "refused",
    "sender": ANA,
    "match": "m",
    "seat": "white",
    "ply": 9,
    "sent": 1790000000.0,
    "answers": ["0123456789abcdef.refusal"],
    "refusal": True,
    "why": "no",
}
"""A line as an earlier version wrote it."""


def test_a_line_of_an_earlier_version_is_read(tmp_path: Path) -> None:
    own = tmp_path / ".mailroom"
    own.mkdir()
    (own / "journal.jsonl").write_text(json.dumps(EARLIER) + "\n")
    book = Daybook(str(tmp_path))
    book.refresh()
    assert EARLIER["mail"] in book.mails
    assert book.wrote("0123456789abcdef.refusal")
    assert book.newest("m", "white") == 1790000000.0
    assert book.refusals("", "", False, DAY) == 1
    assert book.refusals("m", ANA, True, DAY) == 0


def test_what_is_added_is_known_to_another_process_too(tmp_path: Path) -> None:
    here, there = Daybook(str(tmp_path)), Daybook(str(tmp_path))
    here.refresh()
    known = Came(
        mail="a", at=DAY, verdict="refused", sender=ANA, match="m", refusal=True, settled=True
    )
    here.add(known)
    here.add(Came(mail="b", digest="c", at=DAY, verdict="stranger", refusal=True))
    there.refresh()
    assert there.mails == {"a", "b", "c"}
    assert there.refusals("m", ANA, True, DAY) == there.refusals("", "", False, DAY) == 1
    assert there.refusals("other", ANA, True, DAY) == 0
    assert there.refusals("", "", False, "2026-09-22T00:00:00Z") == 0


@pytest.mark.parametrize(
    "line",
    ["{", "[]", '{"mail": "a"}', '{"fact": "came", "mail": "a"}', '{"fact": "waits", "what": 3}'],
)
def test_a_broken_line_is_told_with_its_beginning(tmp_path: Path, line: str) -> None:
    book = Daybook(str(tmp_path))
    Path(book.path).write_text(f"{line}\n")
    with pytest.raises(BadFile, match="is no line of a daybook"):
        book.refresh()


FACTS = [
    Came("a", DAY, "accepted", "d", ANA, "m", "white", 9, 1.5, ("x",), True, True, "why"),
    Came("b", DAY, "seen"),
    Opened("o"),
    Planned("n", ANA, "m", -1, 9, "abcd", ("k",)),
    Wrote("m", ("n",)),
    Settled("m", 9, 77, {3: "beef", 9: "abcd"}, 1, True),
    Said(("k",)),
    Ran(DAY, True),
    Waits("w", "m", "because"),
    Keeps(ANA, "mails", "18:00"),
    Keeps(ANA, "hushed m", 7),
    Queued("q", DAY, ANA, "Re: x", "Yes.", "<a@b>", ("<c@d>",)),
]


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: type(fact).__name__)
def test_a_fact_is_read_as_it_was_written(fact: Fact) -> None:
    assert read(json.dumps(plain(fact)).encode(), "daybook") == fact


@pytest.mark.parametrize(
    ("line", "fact"),
    [
        ({"fact": "digested", "number": 2}, Said(("1-laid-aside", "2-laid-aside"))),
        ({"fact": "hushed", "match": "m", "to": ANA, "came": 7}, Keeps(ANA, "hushed m", 7)),
        (
            {"fact": "prefers", "to": ANA, "setting": "mails", "value": "18:00"},
            Keeps(ANA, "mails", "18:00"),
        ),
        (
            {"fact": "stands", "what": "webhook abc", "message": "17"},
            Keeps("", "webhook abc", "17"),
        ),
        ({"fact": "wentout", "to": ANA, "mark": "abcd", "at": DAY}, Keeps(ANA, "out abcd", DAY)),
        ({"fact": "wroteto", "outbox": "/srv/box"}, Keeps("", "outbox /srv/box")),
    ],
    ids=lambda each: each["fact"] if isinstance(each, dict) else "",
)
def test_a_fact_of_an_earlier_version_is_read_as_one_of_today(
    line: dict[str, Any], fact: Fact
) -> None:
    assert read(json.dumps(line).encode(), "daybook") == fact


def test_every_kind_of_fact_is_among_these() -> None:
    assert {type(fact) for fact in FACTS} == set(get_args(Fact))


# --------------------------------------------------------------------------------------- ids


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("<a@b>", ("<a@b>",)),
        (" <a.b+c=d@[1.2.3.4]> ", ("<a.b+c=d@[1.2.3.4]>",)),
        ("<a@b><c@d> <a@b>", ("<a@b>", "<c@d>")),
        ("<CAF+x_y=z.w@mail.gmail.example>", ("<CAF+x_y=z.w@mail.gmail.example>",)),
        ("<a b@c> <a@b c> <@b> <a@> <a> <> a@b", ()),
        ("<a:b@c> <a,b@c> <a(b)@c> <a\\b@c> <a;b@c> <a@b@c>", ()),
        ("<=?utf-8?q?a?=@b> <a@=?utf-8?q?b?=>", ()),
        ("<ä@b> <a@b\N{ZERO WIDTH SPACE}>", ()),
        (f"<{'a' * 300}@b>", ()),
        ("<a@b", ()),
    ],
)
def test_an_id_is_taken_to_the_letter_or_not_at_all(text: str, found: tuple[str, ...]) -> None:
    assert headers.ids(text) == found


@given(st.text(max_size=80))
def test_no_id_holds_what_could_end_a_header_or_be_decoded(text: str) -> None:
    for each in headers.ids(f"<{text}@x> <a@{text}> {text}"):
        assert each.isascii()
        assert each.isprintable()
        assert not set(each[1:-1]) & set(' <>()",:;\\')
        assert "=?" not in each


# ----------------------------------------------------------------------------------- summaries


def test_an_answer_that_has_failed_is_counted_where_it_belongs(tmp_path: Path) -> None:
    room = dealt(tmp_path)
    outbox = tmp_path / ".mailroom" / "outbox"
    order = room.write("order.eml", mail("draw"))
    arguments = ("desk", "run", "--mail", order, "--matches", tmp_path, "--outbox", outbox)
    assert pbem(*arguments, "--once").code == 0
    assert pbem("status", tmp_path, "--json").json["matches"][0]["undelivered"] == 0
    (outbox / "failed" / "private").mkdir(parents=True)
    for file in (outbox / "private").iterdir():
        file.rename(outbox / "failed" / "private" / file.name)
    count = len(list((outbox / "failed" / "private").glob("*.eml")))
    assert pbem("status", tmp_path, "--json").json["matches"][0]["undelivered"] == count > 1
    assert f"{count} answers could not be delivered" in pbem("status", tmp_path).out
