"""A verb is a row: what is read, done, told, granted, described and translated follows it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import ANA, Room, dealt, mail, pbem
from postroom import Post, text

from languages.patterns import ROOT, in_python
from pbem import intake
from pbem.desk.answer import Verdict
from pbem.intake import plan, words
from pbem.intake.asking import agreement
from pbem.intake.verbs import MAILS, PLANS, VERBS, WITHDRAW, Verb, of_form
from pbem.log.private_press import KINDS
from pbem.mailroom.preferences import OPTIONS, confirmed, read
from pbem.mailroom.requests import DOES, TELLS
from pbem.sentence import say

DOCS = ROOT / "docs"


def verb_of(line: str) -> str:
    """The verb of a line that asks the desk for something; "" for any other."""
    message = intake.read(line.encode(), "x", "text")
    if message.requests:
        return message.requests[0].verb
    if plan.withdrawn(line) is not None:
        return WITHDRAW
    return PLANS if plan.asks_for_list(line) else agreement(message.orders)


def lines_that(do: str) -> list[str]:
    """The lines in a table of the page on the mailroom: the one that says `what happens`, or the
    one that says `what it sets`."""
    page = (DOCS / "mailroom.md").read_text(encoding="utf-8")
    table = page.partition(f"| line | {do} |\n")[2].partition("\n\n")[0]
    first = (row.split(" | ")[0] for row in table.splitlines()[1:])
    return [line for cell in first for line in re.findall(r"`([^`]+)`", cell)]


def described() -> dict[str, str]:
    """The lines that the page on the mailroom describes, each with its verb."""
    return {line: verb_of(line) for line in lines_that("what happens")}


def lacking() -> dict[str, set[str]]:
    """What some verbs have no row of the page for, nothing to do, or no sentence to translate."""
    translatable = {each.one for each in in_python(ROOT / "pbem" / "intake" / "verbs.py")}
    return {
        "described": {*VERBS} - {*described().values()},
        "done": {verb for verb, row in VERBS.items() if row.goes != "orders"} - {*DOES, *TELLS},
        "translatable": {
            verb
            for verb, row in VERBS.items()
            for each in (row.help, row.told, row.asks("white"))
            if each and each.pattern not in translatable
        },
    }


def test_every_verb_is_described_does_something_and_can_be_translated() -> None:
    assert lacking() == {"described": set(), "done": set(), "translatable": set()}
    assert [line for line, verb in described().items() if verb not in VERBS] == []
    assert {kind for row in VERBS.values() for kind in row.press} <= {*KINDS}


def test_every_setting_is_described_and_told() -> None:
    lines = lines_that("what it sets")
    assert [line for line in lines if verb_of(line) != MAILS] == []
    chosen = {setting.name for setting in map(read, lines) if confirmed(setting, "UTC")}
    assert chosen == {*OPTIONS}


def test_the_help_of_a_verb_and_the_page_on_reading_name_its_line() -> None:
    for verb, row in VERBS.items():
        line = str(row.help).partition(" (")[0].replace("NAME", "Ben")
        assert row.help is None or verb_of(line) == verb, line
    page = (DOCS / "intake.md").read_text(encoding="utf-8")
    listed = page.partition("for something instead: ")[2].partition(", in English")[0]
    named = {verb_of(line) for line in re.findall(r"`([^`]+)`", listed)}
    assert named == {verb for verb, row in VERBS.items() if row.help}


@pytest.fixture
def post(tmp_path: Path) -> Post:
    return Post(tmp_path)


@pytest.fixture
def room(post: Post) -> Room:
    """A match of Kahuna with white (Ana) to move."""
    return dealt(post.matches)


@pytest.mark.parametrize(
    ("said", "verdict", "answers"),
    [
        ("board", "asked", 2),
        ("away until 5 Jan", "passed-on", 2),
        ("back from 5 Jan", "passed-on", 2),
        ("help", "asked", 1),
        ("status", "asked", 1),
        ("rules: K-18", "asked", 1),
        ("text only", "asked", 1),
        ("help\nboard", "asked", 2),
        ("status\nrules: K-18\ntext only", "asked", 1),
        ("takeback", "unclear", 1),
        ("resign", "unclear", 1),
        ("say: hello", "unclear", 1),
        ("to Ben: hello", "unclear", 1),
        ("board\nto moderator: hello", "unclear", 1),
        ("board\nresign", "unclear", 1),
    ],
)
def test_a_mail_that_names_no_match_is_for_each_for_none_or_must_say_for_which(
    post: Post, said: str, verdict: str, answers: int
) -> None:
    for name in ("one", "two"):
        dealt(post.matches, name=name)
    post.comes(mail(said))
    assert (post.run(), len(post.to(ANA))) == ([verdict], answers)


@pytest.mark.parametrize(
    ("said", "subject"), [("status", "Your matches"), ("text only", "How you are written to")]
)
def test_an_answer_about_no_match_has_a_subject_of_its_own(
    post: Post, said: str, subject: str
) -> None:
    for name in ("one", "two"):
        dealt(post.matches, name=name)
    post.comes(mail(said))
    post.run()
    assert [subject in str(each["Subject"]) for each in post.to(ANA)] == [True]


@pytest.mark.parametrize(
    ("said", "yes"),
    [
        ("help", "accepted"),
        ("board", "accepted"),
        ("status", "accepted"),
        ("rules: K-18", "accepted"),
        ("text only", "accepted"),
        ("say: hello", "accepted"),
        ("takeback", "duplicate"),
        ("resign", "duplicate"),
        ("to moderator: hello", "duplicate"),
        ("away until 5 Jan", "duplicate"),
        ("back from 5 Jan", "duplicate"),
    ],
)
def test_a_question_of_the_desk_stands_while_its_reader_only_looks_on_or_talks(
    post: Post, room: Room, said: str, yes: str
) -> None:
    unclear = "Costruisco un bel ponte da Kahu a Coco e poi pesco"
    for nth, line in enumerate((unclear, said, "yes")):
        post.comes(mail(line, identity=f"<{nth}@e>"))
    proposed, _, answered = post.run()
    assert (proposed, answered) == ("refused", yes)


# ------------------------------------------------------------------------------- a new verb


@pytest.fixture
def rematch(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A verb for another match like this one, which the moderator begins."""
    file = words._file

    def more(name: str) -> tuple[tuple[str, str, str], ...]:
        own = (("en", "rematch", "rematch | once more"), ("de", "rematch", "revanche"))
        return file(name) + own if name == "requests" else file(name)

    row = Verb(
        *("alone", "person", "one"),
        help=say("rematch (another match like this)"),
        grants="new --like {log}",
    )
    monkeypatch.setattr(words, "_file", more)
    monkeypatch.setitem(VERBS, "rematch", row)  # type: ignore[arg-type]
    said = {"aside": say("for you"), "verdict": Verdict.PASSED_ON}
    does = lambda match, seat, request: match.told(say("Nobody knows yet"), **said)  # noqa: E731
    monkeypatch.setitem(DOES, "rematch", does)  # type: ignore[arg-type]
    of_form.cache_clear()
    yield "rematch"
    of_form.cache_clear()


def test_a_new_row_is_read_done_and_put_aside_by_the_desk(
    rematch: str, post: Post, room: Room
) -> None:
    post.comes(mail("Revanche, bitte!"))
    with room.unchanged():
        assert post.run() == ["passed-on"]
    assert "Nobody knows yet" in post.only(ANA)
    assert len(post.aside()) == 1


def test_a_new_row_stands_in_the_help_and_its_slips_are_known(
    rematch: str, post: Post, room: Room
) -> None:
    post.comes(mail("help"))
    post.comes(mail("rematsh", identity="<2@e>"))
    assert post.run() == ["asked", "refused"]
    refused, helped = (" ".join(text(each).split()) for each in post.to(ANA))
    assert "and rematch (another match like this)." in helped
    assert "Did you mean rematch?" in refused


def test_a_new_row_is_shown_to_the_moderator_with_the_command_that_grants_it(
    rematch: str, room: Room
) -> None:
    done = pbem("submit", room.log, "-", "--from", "white", "--json", stdin="once more")
    [wish] = done.json["wishes"]
    assert wish == {
        "verb": "rematch",
        "text": "once more",
        "command": f"pbem new --like {room.log}",
        "others": [],
        "rules": [],
    }
    shown = pbem("submit", room.log, "-", "--from", "white", stdin="rematch").out
    assert 'Ana asks for what the desk gives by mail: "rematch"' in shown


def test_a_new_row_without_a_description_and_translations_is_found_out(rematch: str) -> None:
    assert lacking() == {"described": {rematch}, "done": set(), "translatable": {rematch}}
