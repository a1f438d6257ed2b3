"""What is read as an order, and what is not: posts, fences, courtesies, files."""

from __future__ import annotations

import pytest

from pbem.intake import Submission, read
from pbem.problem import BadFile, Problem


def read_text(text: str, kind: str = "text") -> Submission:
    return read(text.encode(), "post.txt", kind)


def orders(text: str) -> list[str]:
    return [order.text for order in read_text(text).orders]


def left_out(text: str) -> list[tuple[str, int]]:
    return [(each.why, each.line) for each in read_text(text).ignored]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("bari-duda", ["bari-duda"]),
        ("bari-duda; take KAHU ;; draw;", ["bari-duda", "take KAHU", "draw"]),
        ("- BARI-DUDA\n* draw\n1. pass\n2) stay", ["BARI-DUDA", "draw", "pass", "stay"]),
        ("From: b2\nTo: c3", ["From: b2", "To: c3"]),
        ("From: b2\nTo: c3\nFrom: d4\nTo: e5", ["From: b2", "To: c3", "From: d4", "To: e5"]),
        ("On c3 place a pawn", ["On c3 place a pawn"]),
        ("+---+\n-----\nBARI-DUDA", ["+---+", "-----", "BARI-DUDA"]),
        ("**BARI-DUDA**\n`draw`", ["BARI-DUDA", "draw"]),
        ("```\nBARI-DUDA\n```", ["BARI-DUDA"]),
        ("[b]BARI[/b]-DUDA\n[color=#f00][i]draw[/i][/color]", ["BARI-DUDA", "draw"]),
        (
            "BARI\u2013DUDA\nBARI\u2011DUDA\nBARI\u2212DUDA\nBARI\u200b-\xa0DUDA",
            ["BARI-DUDA", "BARI-DUDA", "BARI-DUDA", "BARI- DUDA"],
        ),
        ("\ufeffBARI-DUDA\r\ndraw\r\n", ["BARI-DUDA", "draw"]),
        ("Please move my pawn", ["Please move my pawn"]),
    ],
)
def test_every_new_line_is_an_order(text: str, expected: list[str]) -> None:
    assert orders(text) == expected


@pytest.mark.parametrize(
    "greeting",
    [
        "Hi Ben,",
        "Hi",
        "hello!",
        "Hallo!",
        "Liebe Ana,",
        "Guten Morgen zusammen!",
        "Cher Jean,",
        "Hoi Daan",
        "Cześć Ewa!",
        "Szia Béla,",
        "Hola,",
        "Buenos días, Eva",
        "Ciao Anna-Lena!",
        "Hej",
    ],
)
def test_a_greeting_is_not_an_order(greeting: str) -> None:
    text = f"{greeting}\n\nBARI-DUDA"
    assert orders(text) == ["BARI-DUDA"]
    assert left_out(text) == [("greeting", 1)]


@pytest.mark.parametrize(
    "closing",
    [
        "Cheers,",
        "Best,",
        "best regards",
        "Thanks!",
        "Viele Grüße",
        "LG Ana",
        "Liebe Grüße, Ana",
        "Cordialement,",
        "Met vriendelijke groet,",
        "Pozdrawiam",
        "Üdvözlettel,",
        "Saludos",
        "Thanks, Ben!",
        "Vielen Dank.",
    ],
)
def test_a_closing_is_not_an_order(closing: str) -> None:
    text = f"BARI-DUDA\n{closing}"
    assert orders(text) == ["BARI-DUDA"]
    assert left_out(text) == [("closing", 2)]


@pytest.mark.parametrize(
    "line",
    ["Hi BARI-DUDA", "Hi draw", "Dear Ben, BARI-DUDA", "Thanks, I draw", "best draw", "Hallo pass"],
)
def test_a_courtesy_with_an_order_in_it_stays_an_order(line: str) -> None:
    assert orders(line) == [line]


@pytest.mark.parametrize(
    ("text", "expected", "ignored"),
    [
        (
            "BARI-DUDA\n-- \nAna\nELAI-HUNA",
            ["BARI-DUDA"],
            [("signature", 2), ("signature", 3), ("signature", 4)],
        ),
        (
            "BARI-DUDA\n--\nAna\n\n> old\n\ndraw",
            ["BARI-DUDA", "draw"],
            [("signature", 2), ("signature", 3), ("quote", 5)],
        ),
        ("BARI-DUDA\nSent from my iPhone\ndraw", ["BARI-DUDA", "draw"], [("signature", 2)]),
        ("draw\nVon meinem iPhone gesendet", ["draw"], [("signature", 2)]),
        ("draw\nGet Outlook for Android<https://aka.ms/x>", ["draw"], [("signature", 2)]),
        ("draw\nEnvoyé de mon iPad", ["draw"], [("signature", 2)]),
    ],
)
def test_a_signature_is_not_an_order(
    text: str, expected: list[str], ignored: list[tuple[str, int]]
) -> None:
    assert orders(text) == expected
    assert left_out(text) == ignored


# ------------------------------------------------------------------------------ quotes in posts


@pytest.mark.parametrize(
    "text",
    [
        "> OLD-MOVE\n\nNEW-MOVE",
        "NEW-MOVE\n> OLD-MOVE",
        "&gt; OLD-MOVE\n\nNEW-MOVE",
        "> > OLD-MOVE\n>> OLD-MOVE\n\nNEW-MOVE",
        "[quote]OLD-MOVE[/quote]NEW-MOVE",
        "[quote]\nOLD-MOVE\n[/quote]\nNEW-MOVE",
        '[QUOTE="Ana, post: 1, member: 2"]\nOLD-MOVE\n[/QUOTE]\nNEW-MOVE',
        "[quote=Ana post_id=12 time=1775200000 user_id=3]OLD-MOVE[/quote]\nNEW-MOVE",
        "[quote author=Ana link=topic=1.msg2#msg2 date=1775200000]OLD-MOVE[/quote]\nNEW-MOVE",
        "[QUOTE=Ana;123]OLD-MOVE[/QUOTE]NEW-MOVE",
        '[quote="Ana [the judge]"]OLD-MOVE[/quote]NEW-MOVE',
        '[quote="Ana":3abc]OLD-MOVE[/quote:3abc]NEW-MOVE',
        '[q="ana"]OLD-MOVE[/q]\nNEW-MOVE',
        "[quote][quote]OLD-MOVE[/quote]OLD-MOVE[/quote]NEW-MOVE[quote]OLD-MOVE[/quote]",
        "[quote]see [code][/quote][/code] OLD-MOVE[/quote]NEW-MOVE",
        "[quote]put it in [move] tags: OLD-MOVE[/quote]NEW-MOVE",
        "[quote][move]OLD-MOVE[/move][/quote][move]NEW-MOVE[/move]",
        "Ana wrote:\n> OLD-MOVE\n\nNEW-MOVE",
        "On Fri, Apr 3, 2026, Ana wrote:\n| OLD-MOVE\n| OLD-MOVE\nNEW-MOVE",
        "On Fri, Apr 3, 2026, Ana wrote:\nAna> OLD-MOVE\nNEW-MOVE\nAna> OLD-MOVE",
    ],
)
def test_quoted_text_in_a_post_is_never_an_order(text: str) -> None:
    assert orders(text) == ["NEW-MOVE"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("one\n[quote]\nOLD\n\nNEW", 2),
        ("[quote][quote]OLD[/quote]\nNEW", 1),
        ("OLD\n[/quote]\nNEW", 2),
        ("[code]a\n[code]b[/code]", 2),
        ("NEW\n[move]draw", 2),
        ("draw[/move]", 1),
        ("[move]draw\n[move]pass[/move]", 2),
        ("a\n--- move ---\ndraw", 2),
        ("```move\ndraw", 1),
        ("[move]\n[quote]\nOLD\n[/move]\n[/quote]", 5),
    ],
)
def test_a_tag_or_fence_without_its_partner_is_refused_and_names_its_line(
    text: str, line: int
) -> None:
    with pytest.raises(Problem) as caught:
        read_text(text)
    assert (caught.value.path, caught.value.line) == ("post.txt", line)


def test_quote_tags_in_code_stay_visible_so_that_nothing_quoted_looks_new() -> None:
    assert orders("[code]\n[quote]\nOLD\n[/quote]\n[/code]") == ["[quote]", "OLD", "[/quote]"]


def test_a_line_right_below_a_markdown_quote_is_refused_since_forums_show_it_as_quoted() -> None:
    with pytest.raises(Problem, match="right below a quoted line") as caught:
        read_text("> OLD\nNEW")
    assert caught.value.line == 2
    assert orders(">\nNEW") == ["NEW"]
    assert orders("> OLD\n[move]NEW[/move]") == ["NEW"]


# --------------------------------------------------------------------------------------- fences


@pytest.mark.parametrize(
    "fenced",
    [
        "[move]BARI-DUDA; draw[/move]",
        "[MOVE]\nBARI-DUDA\ndraw\n[/MOVE]",
        "```move\nBARI-DUDA\ndraw\n```",
        "~~~ move\nBARI-DUDA\ndraw\n~~~",
        "--- move ---\nBARI-DUDA\ndraw\n---",
        "--- move\nBARI-DUDA\ndraw\n--- end ---",
        "\u2014- move \u2014-\nBARI\u2013DUDA\ndraw\n\u2014-",
        "[code][move]\n- BARI-DUDA\n- draw\n[/move][/code]",
        "[move]\n> OLD-MOVE\nBARI-DUDA\n[b]draw[/b]\n[/move]",
        "[move] #17 a3f9\n...\n[/move]\n[move]BARI-DUDA\ndraw[/move]",
        "[move]BARI-DUDA;draw[/move] or rather [move]bari-duda; Draw[/move]",
    ],
)
def test_a_fence_wins_over_everything_else(fenced: str) -> None:
    found = read_text(f"Hi Ben,\nI would rather ELAI-HUNA, but\n\n{fenced}\nJOJO-LALE\n-- \nAna")
    assert [order.text for order in found.orders] == ["BARI-DUDA", "draw"]
    assert found.fenced
    assert {each.why for each in found.ignored} <= {"outside the fence", "quote", "signature"}
    assert ("outside the fence", 2) in [(each.why, each.line) for each in found.ignored]


def test_a_fence_left_as_it_was_sent_holds_no_orders() -> None:
    found = read_text("[move] #17 a3f9\n\u2026\n[/move]")
    assert (found.orders, found.fenced, found.positions) == ((), True, ((17, "a3f9"),))


def test_a_fence_beats_the_signature_mark_above_it() -> None:
    assert orders("-- \n[move]draw[/move]") == ["draw"]


def test_two_different_fences_are_refused_with_both_lines() -> None:
    with pytest.raises(Problem, match=r"'draw' in line 1 and 'pass' in line 3") as caught:
        read_text("[move]draw[/move]\n\n[move]pass[/move]")
    assert caught.value.line == 3


def test_a_fence_names_seat_match_and_position() -> None:
    found = read_text("[move] #17 \xb7 a3f9\nseat: white\nMatch: kahuna-07\ndraw\n[/move]")
    assert (found.seat, found.match, found.positions) == ("white", "kahuna-07", ((17, "a3f9"),))
    assert [(order.number, order.text) for order in found.orders] == [(4, "draw")]


def test_two_seats_in_one_message_are_refused() -> None:
    with pytest.raises(Problem, match="two different values for seat: 'white' in line 1"):
        read_text("[move]seat: white[/move]\n[move]seat: black[/move]")


# ------------------------------------------------------------------------------------ positions


@pytest.mark.parametrize(
    ("text", "positions", "expected"),
    [
        ("#17", ((17, None),), []),
        ("#17 a3f9\ndraw", ((17, "a3f9"),), ["draw"]),
        ("#17 \xb7 A3F9: draw", ((17, "a3f9"),), ["draw"]),
        ("#17: draw", ((17, None),), ["draw"]),
        ("- #17 draw", ((17, None),), ["draw"]),
        ("[kahuna-07 #17 a3f9] draw", ((17, "a3f9"),), ["draw"]),
        ("#17 a3f9\n#17 a3f9\n#18", ((17, "a3f9"), (18, None)), []),
        ("#17 FAAA-GOLA", ((17, None),), ["FAAA-GOLA"]),
        ("#17 faaa+gola x faaa-gola", ((17, None),), ["faaa+gola x faaa-gola"]),
        ("take #17", (), ["take #17"]),
        ("> #16 ffff\n\n#17 draw", ((17, None),), ["draw"]),
        ("[quote]#16 ffff[/quote]draw", (), ["draw"]),
        ("#17\n[move]#18 draw[/move]", ((18, None), (17, None)), ["draw"]),
        ("draw\n-- \n#1 fan", (), ["draw"]),
    ],
)
def test_positions_are_read_from_new_text_only(
    text: str, positions: tuple[tuple[int, str | None], ...], expected: list[str]
) -> None:
    found = read_text(text)
    assert found.positions == positions
    assert [order.text for order in found.orders] == expected


# ---------------------------------------------------------------------------------- move files

MOVE_FILE = b"""\
match: kahuna-07
seat: white
position: "#17 a3f9"
moves:
  - BARI-DUDA      # to the east
  - take KAHU; draw
"""


def test_a_move_file_says_everything_outright() -> None:
    found = read(MOVE_FILE, "white.yaml")
    assert (found.kind, found.match, found.seat) == ("file", "kahuna-07", "white")
    assert found.positions == ((17, "a3f9"),)
    assert [(order.number, order.text) for order in found.orders] == [
        (5, "BARI-DUDA"),
        (6, "take KAHU"),
        (6, "draw"),
    ]
    assert found.sender is None


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (b"moves: []", "1"),
        (b"moves: [draw]\nsaet: white", "saet"),
        (b"moves: [draw]\nmoves: [pass]", "moves"),
        (b"position: #17\nmoves: [draw]", "position"),
        (b"moves: [7]", "7"),
        (b"moves: [draw", ":"),
        (b"[1, 2]", "object"),
    ],
)
def test_a_faulty_move_file_is_refused(source: bytes, message: str) -> None:
    with pytest.raises(Problem, match=message) as caught:
        read(source, "white.yml")
    assert caught.value.line


# ------------------------------------------------------------------------------------- sources


@pytest.mark.parametrize(
    ("source", "name", "kind"),
    [
        (b"draw", "post.txt", "text"),
        (b"draw", "-", "text"),
        (b"From: b2\nTo: c3\n\ndraw", "-", "text"),
        (b"From: Ana <ana@example.org>\nSubject: x\n\ndraw", "-", "mail"),
        (b"From ana Fri Apr  3\r\nFrom: ana@example.org\r\nDate: x\r\n\r\ndraw", "x", "mail"),
        (b"From: ana@example.org\n\ndraw", "x.EML", "mail"),
        (b"moves: [draw]", "x.pbem.yaml", "file"),
    ],
)
def test_the_kind_is_seen_from_the_name_or_the_first_lines(
    source: bytes, name: str, kind: str
) -> None:
    assert read(source, name).kind == kind


@pytest.mark.parametrize(
    "source", ["drąw\xa0ü".encode(), "drąw ü".encode("utf-16"), "\ufeffdrąw ü".encode(), b"dr\xe4w"]
)
def test_text_in_any_common_encoding_is_read(source: bytes) -> None:
    assert read(source, "x.txt").orders[0].text in ("drąw ü", "dräw")


@pytest.mark.parametrize("source", [b"", b" \n\t\n\xef\xbb\xbf"])
def test_a_text_without_a_word_is_read_and_there_is_no_move_in_it(source: bytes) -> None:
    assert (read(source, "x.txt").orders, read(source, "x.txt").requests) == ((), ())


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (b"draw\n\0", "NUL"),
        (b"x" * (2 * 1024 * 1024 + 1), "at most"),
        (b"draw\n" * 201, "at most 200"),
    ],
)
def test_what_is_not_a_message_is_refused(source: bytes, message: str) -> None:
    with pytest.raises(Problem, match=message) as caught:
        read(source, "x.txt")
    assert isinstance(caught.value, BadFile)


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(Problem, match="mail, file and text"):
        read(b"draw", "x.txt", "post")


def test_the_whole_text_is_kept_as_body() -> None:
    assert read_text("> old\r\n\r\ndraw\n").body == "> old\n\ndraw\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("> a\n" * 20_001, "20,001 lines long; at most 20,000"),
        ("draw\n" * 2_001, "more than 2,000 lines are new"),
        ("[s]a[/s]" * 10_001, "more than 20,000 tags"),
        ("draw;" * 1_000_000, "at most"),
    ],
)
def test_what_would_take_long_is_refused(text: str, message: str) -> None:
    with pytest.raises(Problem, match=message):
        read_text(text)


def test_a_long_thread_below_an_order_is_read() -> None:
    assert orders("draw\n\n" + "> old\n" * 15_000) == ["draw"]
    assert orders("[move]draw[/move]\n" + "chat\n" * 1_500) == ["draw"]
    assert orders("[quote]old[/quote]\n" * 5_000 + "draw") == ["draw"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("draw ;)", ["draw"]),
        ("draw =)", ["draw"]),
        ("draw\n✋", ["draw", "✋"]),
        ("draw. How is your new job going?", ["draw."]),
        ("[move]\nBARI-DUDA or draw; pass\n[/move]", ["BARI-DUDA or draw; pass"]),
        ("[move]\nBARI-DUDA\nor draw\n| pass\n[/move]", ["BARI-DUDA or draw | pass"]),
    ],
)
def test_smileys_and_questions_stand_apart_and_a_choice_stays_one_text(
    text: str, expected: list[str]
) -> None:
    assert orders(text) == expected


PGP = "-----BEGIN PGP {}-----"
CLEAR_SIGNED = "\n".join(
    (PGP.format("SIGNED MESSAGE"), "Hash: SHA256", "", "draw", PGP.format("SIGNATURE"), "", "iQ==")
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("draw\n🙂", [("closing", 2)]),
        ("[move]\ndraw\n[/move]\nhelp\nIt rains", [("outside the fence", 5)]),
        ("draw\n<!-- take it\n\nback --> <!-- once", [("struck out", 2), ("struck out", 4)]),
        ("draw\nVirus-free.", [("notice", 2)]),
        (CLEAR_SIGNED, [("signature", 1), ("signature", 2), ("signature", 5), ("signature", 7)]),
    ],
)
def test_of_what_is_left_out_it_is_said_why(text: str, expected: list[tuple[str, int]]) -> None:
    assert left_out(text) == expected
