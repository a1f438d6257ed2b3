"""Forum posts: what each forum quotes is left out, and whose post it is is known."""

from __future__ import annotations

import itertools
from contextlib import suppress
from pathlib import Path

import commands
import pytest
from commands import Room, mail, pbem
from long import within

from pbem import intake
from pbem.desk.answer import Answer
from pbem.desk.submit import submit
from pbem.files.timestamp import now as clock
from pbem.intake import Submission, forum
from pbem.problem import Problem, Usage

OLD = "DUDA-BARI"
"""Planted in everything quoted: white could play it, and must not."""


def texts(found: Submission) -> list[str]:
    return [order.text for order in found.orders]


# ----------------------------------------------------------------- what each forum makes of quotes

BBCODE = {
    "phpBB 3": "[quote=ana post_id=12 time=1775200000 user_id=3]\n{}\n[/quote]",
    "phpBB 3, quoted": '[quote="Ana Weiss" post_id=12 time=17 user_id=3]{}[/quote]',
    "phpBB 3, typed": "[quote]{}[/quote]",
    "phpBB 2": '[quote:3ab4="ana"]{}[/quote:3ab4]',
    "phpBB database": '[quote="ana":3ab4]{}[/quote:3ab4]',
    "BGG": '[q="ana"]{}[/q]',
    "BGG, typed": "[q]\n{}\n[/q]",
    "XenForo": '[QUOTE="ana, post: 12, member: 2"]\n{}\n[/QUOTE]',
    "SMF": "[quote author=ana link=topic=1.msg12#msg12 date=1775200000]\n{}\n[/quote]",
    "vBulletin": "[QUOTE=ana;12]{}[/QUOTE]",
    "MyBB": "[quote='ana' pid='12' dateline='1775200000']\n{}\n[/quote]",
    "Discourse": '[quote="ana, post:12, topic:2"]\n{}\n[/quote]',
    "Discourse, whole": '[quote="Ana Weiss, post:12, topic:2, full:true"]\n{}\n[/quote]',
    "HTML": '<blockquote cite="https://forum.example/12">\n{}\n</blockquote>',
}
MARKDOWN = {
    "GitHub": "> {}",
    "no blank": ">{}",
    "NodeBB": "@ana said in [Kahuna](/post/12):\n> {}",
    "NodeBB 3": "@ana [said](/post/12):\n> {}",
    "Reddit": "&gt; {}",
    "in a quote": "> > {}\n>\n> Nice!",
    "indented": "   > {}",
    "in a list": "- > {}",
    "in a numbered list": "1. > {}",
    "in a list in a list": "- - > {}",
    "a list in it": "> - {}",
    "code in it": "> ```\n> {}\n> ```",
    "a fence in it": "> ```move\n> {}\n> ```",
    "said by mail": "On Fri, Apr 3, 2026 at 9:14 AM Ana <notifications@forum.example> wrote:\n> {}",
}
INSIDE = [OLD, f"[move]{OLD}[/move]", f"[b]{OLD}[/b]", f"{OLD}; draw"]
QUOTES = {**BBCODE, **MARKDOWN}


@pytest.mark.parametrize("way", QUOTES)
def test_a_quote_is_left_out_above_below_and_between(way: str) -> None:
    quotes = [QUOTES[way].format(inside) for inside in INSIDE]
    for text in (
        *(f"{quote}\n\ntake FAAA" for quote in quotes),
        *(f"take FAAA\n\n{quote}" for quote in quotes),
        *(f"{quote}\n\ntake FAAA\n\n{quote}\n" for quote in quotes),
    ):
        assert texts(forum.read(text.encode(), "post")) == ["take FAAA"], text
        fenced = text.replace("take FAAA", "Well,\n[move]\ntake FAAA\n[/move]\nbye")
        assert texts(forum.read(fenced.encode(), "post")) == ["take FAAA"], fenced


@pytest.mark.parametrize("way", BBCODE)
def test_an_open_quote_is_an_error_that_names_the_line(way: str) -> None:
    opening, closing = (part.strip() for part in BBCODE[way].format("|").split("|"))
    for text, line in [
        (f"take FAAA\n{opening}\n{OLD}\n", 2),
        (f"{opening}\n{opening}\n{OLD}\n{closing}\ntake FAAA", 1),
        (f"take FAAA\n\n{OLD}\n{closing}", 4),
        (f"{opening}\n{OLD}\n[move]\ntake FAAA\n[/move]", 1),
    ]:
        with pytest.raises(Problem) as caught:
            forum.read(text.encode(), "post")
        assert (caught.value.path, caught.value.line) == ("post", line), text
        assert "quote" in caught.value.message


LAZY = [
    f"> said\n{OLD}",
    f"> said\n{OLD}\n{OLD}",
    f"- > said\n  {OLD}",
    f"- > said\n{OLD}",
    f"> - said\n{OLD}",
    f"> > said\n> more\n{OLD}",
    f"1. > said\n   {OLD}\n\ntake FAAA",
    f"> [x]: y\n{OLD}",
]


@pytest.mark.parametrize("text", LAZY)
def test_a_line_that_is_shown_as_quoted_without_a_mark_is_refused_not_guessed(text: str) -> None:
    with pytest.raises(Problem, match="may belong to it"):
        forum.read(text.encode(), "post")


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("> said\n\ntake FAAA", ["take FAAA"]),
        (">\ntake FAAA", ["take FAAA"]),
        ("- take FAAA\n- draw", ["take FAAA", "draw"]),
        ("> a\n\n- take FAAA\n- draw", ["take FAAA", "draw"]),
        ("```\ntake FAAA\n```\n\n> a", ["take FAAA"]),
        ("    take FAAA\n\n> a", ["take FAAA"]),
    ],
)
def test_new_lines_of_a_markdown_post_are_read(text: str, orders: list[str]) -> None:
    assert texts(forum.read(text.encode(), "post")) == orders


@pytest.mark.parametrize(
    "text",
    [
        "> " * 90_000,
        ">" * 199_000,
        "> a\n" * 40_000,
        "- " * 90_000 + "> a",
        "> a\nb\n" * 30_000,
        "[quote]" * 20_000,
        "<blockquote>" * 15_000,
        "1. > " * 30_000,
        "\n".join(">" * n for n in range(600)),
        "> ```\n" * 30_000,
        "- > a\n" * 20_000,
    ],
)
def test_a_hostile_post_is_done_with_in_seconds(text: str) -> None:
    with within(8), suppress(Problem):
        forum.read(f"take FAAA\n\n{text}".encode(), "post")


# --------------------------------------------------------------------------------- whose post


@pytest.fixture
def table(room: Room) -> Room:
    """A match whose players post in a forum."""
    text = room.desk.read_text()
    authors = "authors: {white: [ana, Ana Weiss], black: [ben]}\n"
    room.desk.write_text(text.replace("addresses:", f"{authors}addresses:"))
    return room


def posts(
    room: Room, text: str, author: str | None = "ana", post: str | None = "12", quoted: bool = False
) -> Answer:
    said = forum.read(text.encode(), "post", author=author, post=post, quoted=quoted)
    return submit(str(room.log), said, commands.at(clock))


@pytest.mark.parametrize("author", ["ana", "ANA", " Ana  Weiss ".strip().replace("  ", " ")])
def test_an_author_is_bound_to_a_seat(table: Room, author: str) -> None:
    answer = posts(table, "take FAAA", author)
    assert (answer.verdict, answer.seat) == ("accepted", "white")
    assert answer.writer is not None
    assert answer.writer.how == "author"


@pytest.mark.parametrize("author", ["eve", "white", "anna", "ana, ben"])
def test_an_unknown_author_is_refused_and_learns_nothing(table: Room, author: str) -> None:
    with table.unchanged():
        answer = posts(table, "[move]seat: white\ntake FAAA[/move]", author)
    assert (answer.code, answer.stranger) == (77, True)
    assert "account" in answer.message
    assert author not in answer.message


def test_an_author_plays_his_own_seat_only(table: Room) -> None:
    with table.unchanged():
        answer = posts(table, "[move]seat: white\ntake FAAA[/move]", "ben")
    assert (answer.code, answer.message) == (77, "ben plays black, not white")


def test_a_known_author_out_of_turn_is_refused_as_on_the_moderators_word(table: Room) -> None:
    with table.unchanged():
        posted = posts(table, "take FAAA", "ben")
        told = table.says("black", "take FAAA")
    assert (posted.code, posted.verdict, posted.message) == (1, "refused", told.message)
    assert str(posted.reason) == str(told.reason)
    done = pbem("submit", table.log, "--author", "ben", stdin="take FAAA")
    assert (done.code, "K-5" in done.out) == (1, True)


TAKEN_BACK = "We already have this message, and it was taken back"


@pytest.mark.parametrize("first", [None, "12", "https://forum.example/t/12"])
@pytest.mark.parametrize("again", [None, "12", "https://forum.example/t/12"])
@pytest.mark.parametrize("answered", [False, True])
def test_a_post_that_was_taken_back_is_not_played_again(
    table: Room, first: str | None, again: str | None, answered: bool
) -> None:
    assert posts(table, "draw", post=first).verdict == "accepted"
    if answered:
        assert posts(table, "draw", "ben", "13").verdict == "accepted"
    assert pbem("rule", table.log, "takeback", "--to", 9, "--revealed", "--reason", "a").code == 0
    with table.unchanged():
        answer = posts(table, "draw", post=again)
    assert answer.verdict == "duplicate"
    assert TAKEN_BACK in answer.message
    assert f"send it in a block for #{table.read().position.ply}" in answer.message
    meant = f"#{table.read().position.ply} draw"
    assert posts(table, meant, post="14").verdict == "accepted"


def test_a_post_that_was_taken_back_is_not_played_again_once_others_have_moved(table: Room) -> None:
    claims = "Author: ana\nPost: 12\n\ndraw"
    assert posts(table, claims, None, None).verdict == "accepted"
    assert pbem("rule", table.log, "takeback", "--to", 9, "--revealed", "--reason", "a").code == 0
    assert posts(table, "take FAAA", post="13").verdict == "accepted"
    assert posts(table, "draw", "ben", "14").verdict == "accepted"
    with table.unchanged():
        assert posts(table, claims, "ana", "12").verdict == "duplicate"
        assert posts(table, claims, None, None).verdict == "duplicate"
    assert posts(table, "draw", post="15").verdict == "accepted"  # and another one is another one


def test_a_mail_without_an_id_that_was_taken_back_is_not_played_again(table: Room) -> None:
    raw = mail("draw", identity=None)
    assert table.mails(raw).verdict == "accepted"
    assert pbem("rule", table.log, "takeback", "--to", 9, "--revealed", "--reason", "a").code == 0
    with table.unchanged():
        assert TAKEN_BACK in table.mails(raw).message
    assert table.mails(mail("draw", identity="<new@e>")).verdict == "accepted"


def test_a_post_counts_once_whatever_its_text_says_later(table: Room) -> None:
    assert posts(table, "take FAAA").verdict == "accepted"
    for again in ("take FAAA", "edited: draw", "[move]draw[/move]"):
        for number in ("12", "#12", " 12 "):
            with table.unchanged():
                assert posts(table, again, post=number).verdict == "duplicate"
    assert posts(table, "draw", "ben", "13").verdict == "accepted"
    address = "https://forum.example/viewtopic.php?p=14#p14"
    assert posts(table, "draw", post=address).verdict == "accepted"
    with table.unchanged():
        assert posts(table, "draw", post=address).verdict == "duplicate"


def test_a_post_that_calls_itself_another_s_number_does_not_stand_in_its_way(table: Room) -> None:
    claims = "Author: ana\nPost: 18\n\nDUDA-BARI"
    assert posts(table, claims, None, None).verdict == "accepted"
    assert posts(table, "draw", "ana", "18").verdict == "accepted"
    assert posts(table, "Post: 20\n\ndraw", "ben", None).verdict == "accepted"
    assert posts(table, "draw", "ana", "20").verdict == "accepted"


def test_the_same_words_in_a_new_post_count_again_once_the_other_has_moved(table: Room) -> None:
    assert posts(table, "draw", post="1").verdict == "accepted"
    assert posts(table, "draw", "ben", "2").verdict == "accepted"
    assert posts(table, "draw", post="3").verdict == "accepted"


def test_the_forum_is_believed_under_authenticated_only_on_the_moderators_word(table: Room) -> None:
    table.desk.write_text(f"{table.desk.read_text()}policy: authenticated\n")
    with table.unchanged():
        claimed = posts(table, "Author: ana\nPost: 12\n\ntake FAAA", None, None)
        pasted = posts(table, "[move]seat: white\ntake FAAA[/move]", None, None)
    assert claimed.code == pasted.code == 77
    assert posts(table, "take FAAA").verdict == "accepted"


def test_lines_above_a_post_say_whose_it_is(table: Room) -> None:
    text = "Author: Ana Weiss\nPost: 12\n\n[quote]draw[/quote]\ntake FAAA\n"
    said = intake.read(text.encode(), "x.txt")
    assert (said.kind, said.author, said.author_told) == ("post", "Ana Weiss", False)
    assert said.message_id == "post 12"
    assert [(line.number, line.text) for line in said.orders] == [(5, "take FAAA")]
    done = pbem("submit", table.log, stdin=text)
    assert done.code == 0
    assert "by what the text says of itself" in done.err
    for plain in ("Author: ana\n\ndraw", "Post: 3\n\ndraw", "draw\n\nAuthor: ana\nPost: 3\n\n"):
        assert intake.read(plain.encode(), "x.txt").author is None


@pytest.mark.parametrize(("author", "post"), [("ben", None), (None, "13"), ("ben", "13")])
def test_a_post_that_contradicts_what_is_said_of_it_is_refused(
    table: Room, author: str | None, post: str | None
) -> None:
    with table.unchanged(), pytest.raises(Problem, match="says of itself"):
        posts(table, "Author: ana\nPost: 12\n\ntake FAAA", author, post)
    with table.unchanged(), pytest.raises(Problem, match="says of itself"):
        posts(table, "[quote=ana post_id=12]take FAAA[/quote]", author, post, quoted=True)


@pytest.mark.parametrize(
    ("author", "post"), [("", None), ("a\nb", None), ("a" * 501, None), ("ana", "1\n2")]
)
def test_an_author_or_number_that_is_none_is_refused(author: str, post: str | None) -> None:
    with pytest.raises(Problem) as caught:
        forum.read(b"draw", "post", author=author, post=post)
    assert isinstance(caught.value, Usage)


# ----------------------------------------------------------------- the Quote button of a forum

BUTTON = {
    way: quote
    for way, quote in {**BBCODE, "NodeBB": "@ana said in [Kahuna](/post/12):\n> {}"}.items()
    if way not in ("HTML",)
}


@pytest.mark.parametrize("way", BUTTON)
def test_the_head_of_a_quote_names_author_and_post(table: Room, way: str) -> None:
    inside = f"[quote=ben]{OLD}[/quote]\ntake FAAA" if "{}\n[" in BUTTON[way] else "take FAAA"
    text = BUTTON[way].format(inside)
    named = "typed" not in way
    answer = posts(table, text, None if named else "ana", None, quoted=True)
    assert (answer.verdict, answer.seat) == ("accepted", "white"), answer.message
    said = answer.submission
    assert said is not None
    assert texts(said) == ["take FAAA"]
    numbered = any(mark in text.split("take")[0] for mark in ("12",))
    assert said.message_id == ("post 12" if numbered else None)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[quote=ana]draw[/quote]\npass", 1),
        ("pass\n[quote=ana]draw[/quote]", 1),
        ("[quote=ana]draw[/quote][quote=ana]pass[/quote]", 1),
        ("[quote=ana]\n[quote]draw[/quote]\n", 3),
        ("draw", 1),
    ],
)
def test_with_quoted_nothing_may_stand_outside_the_quote(text: str, line: int) -> None:
    with pytest.raises(Problem, match="one quote") as caught:
        forum.read(text.encode(), "post", quoted=True)
    assert caught.value.line == line


def test_a_quote_without_an_author_asks_for_one() -> None:
    with pytest.raises(Problem, match="--author"):
        forum.read(b"[quote]draw[/quote]", "post", quoted=True)


def test_without_quoted_a_post_that_only_quotes_holds_no_order(table: Room) -> None:
    for way, inside in itertools.product(QUOTES, INSIDE):
        with table.unchanged():
            answer = posts(table, QUOTES[way].format(inside))
        assert (answer.verdict, answer.code) == ("refused", 1), way


# --------------------------------------------------------------------------------- command line


def test_a_post_is_submitted_with_author_and_number(table: Room, tmp_path: Path) -> None:
    post = table.write("post.txt", f'[quote="ben, post:11, topic:2"]\n{OLD}\n[/quote]\n\ntake FAAA')
    submit = ("submit", table.log, post, "--post-number", "12")
    with table.unchanged():
        for command in ("check", "submit"):
            done = pbem(command, *submit[1:], "--author", "eve")
            assert (done.code, "from this account" in done.err) == (77, True)
        assert pbem("check", *submit[1:], "--author", "ana").code == 0
    done = pbem(*submit, "--author", "ana")
    assert done.code == 0
    assert done.err == (
        f'pbem: for white alone, not to be posted:\npbem: ignored: line 2, "{OLD}": quote\n'
    )
    again = pbem(*submit, "--author", "ana")
    assert (again.code, "We already have this message" in again.err) == (0, True)
    quoted = "[quote=ben post_id=13]draw[/quote]"
    assert pbem("submit", table.log, "--quoted", stdin=quoted).code == 0


@pytest.mark.parametrize(
    ("now_says", "difference"),
    [
        ("DUDA-BARI\ntake FAAA", "- draw and + take FAAA"),
        ("duda-bari, duda-elai\nThen draw", "+ duda-elai"),
        ("[move]\ndraw\n[/move]", "- DUDA-BARI"),
        ("[move]\n[/move]", "- DUDA-BARI and - draw"),
        ("duda-bari\ndraw\n\nGood luck, Ben!", ""),
    ],
)
def test_a_post_that_was_edited_after_it_was_played_is_told_as_edited_with_the_difference(
    table: Room, now_says: str, difference: str
) -> None:
    submit = ("submit", table.log, "--author", "ana", "--post-number", "12")
    assert pbem(*submit, stdin="DUDA-BARI\ndraw").code == 0
    with table.unchanged():
        done = pbem(*submit, stdin=now_says)
        whole = pbem(*submit, stdin="DUDA-BARI\ndraw")
    told = "pbem: We already have this message (no. 11)\n"
    assert (done.code, done.out, whole.err) == (0, "", told)
    edited = (
        "pbem: This post was edited after it was played (no. 11), and what was played stands. "
        f"Beside that, its lines now lack (-) or add (+): {difference}\n"
    )
    assert done.err == (edited if difference else told)


def test_an_edited_post_gives_away_no_card_that_was_put_away_face_down(tmp_path: Path) -> None:
    hands = "hands: {white: [BARI, KAHU, LALE, DUDA, ELAI], black: [COCO]}\nturn: white\n"
    (tmp_path / "table.yaml").write_text(f"{hands}display: [ELAI, FAAA, JOJO]\ndeck: 15\n")
    seats = ("--seat", "white=Ana", "--seat", "black=Ben", "--author", "white=ana", "--match", "m")
    new = ("new", "kahuna", *seats, "--position", tmp_path / "table.yaml", "--dir", tmp_path)
    assert pbem(*new, "-o", "starter=white").code == 0
    table = Room(tmp_path / "m.pbem.yaml")
    assert posts(table, "discard LALE\ndraw").verdict == "accepted"
    assert posts(table, "discard BARI\ndraw").message.endswith(": - discard ? and + discard ?")
    assert "edited" not in posts(table, "discard LALE\n\ndraw").message


def test_only_the_author_of_a_post_is_told_that_it_was_edited(table: Room) -> None:
    assert posts(table, "draw").verdict == "accepted"
    other = posts(table, "take FAAA", "ben", "12")
    assert (other.verdict, "edited" in other.message) == ("accepted", False)
