"""Reports: what they say, in every dialect, and that nobody's name can spoil them.

`PBEM_GOLDEN=write` writes the golden reports anew; read them before committing them.
"""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from jinja2 import Environment, FileSystemLoader
from jsonschema import Draft7Validator
from markdown_it import MarkdownIt

from pbem import Table
from pbem.core import CHANCE, HIDDEN, Event, Outcome, mask, word
from pbem.files import data
from pbem.play import games, options
from pbem.play import judge as play
from pbem.report import compose
from pbem.report.escape import DIALECTS, Safe
from pbem.report.facts import (
    Awaited,
    Chosen,
    News,
    Opening,
    Refusal,
    Report,
    Result,
    SeatPart,
    Standing,
)
from pbem.report.render import report, wording
from pbem.rules import kahuna
from pbem.rules.kahuna import events as f

GOLDEN = Path(__file__).parent / "golden" / "reports"
NAMES = {"white": "Ana", "black": "Ben"}
SEATED = {
    "kahuna": ("white", "black"),
    "kanaloa-bambus": ("red", "blue", "yellow", "green"),
    "kanaloa-piatnik": ("red", "blue", "yellow"),
}

# ------------------------------------------------- the worked example of the printed rules

EXAMPLE: dict[str, Any] = {
    "turn": "white",
    "bridges": {
        **dict.fromkeys(
            ["ALOA-DUDA", "BARI-COCO", "BARI-ELAI", "DUDA-ELAI", "DUDA-HUNA", "ELAI-HUNA"], "white"
        ),
        **dict.fromkeys(
            [
                "ALOA-BARI",
                "ALOA-HUNA",
                "ELAI-FAAA",
                "ELAI-IFFI",
                "ELAI-JOJO",
                "HUNA-IFFI",
                "HUNA-LALE",
            ],
            "black",
        ),
    },
    "display": ["COCO", "GOLA", "LALE"],
}
HANDS = {"white": ["BARI", "ALOA", "KAHU"], "black": ["HUNA", "HUNA", "ELAI"]}
PLIES = [
    ("white", "BARI-DUDA"),
    ("white", "ALOA-BARI"),
    ("white", "draw"),
    (CHANCE, "deal FAAA"),
    ("black", "HUNA+HUNA x ELAI-HUNA"),
    ("black", "ELAI-HUNA"),
    ("black", "take GOLA"),
    (CHANCE, "deal IFFI"),
]


VARIANT = Chosen(
    *("variant1", "true"),
    "no bridge at an island the opponent controls, but a free one on a line just cleared",
    "K-43",
)
OPENING = Opening("Thames & Kosmos 2014", (VARIANT,), "5f" * 32, "Cleo <cleo@example.org>")


def example(viewer: str | None) -> Report:
    """The example as one reader knows it: played with all cards, told with his."""
    setup = options.setup(kahuna, kahuna.SEATS)
    full = kahuna.position(setup, {**EXAMPLE, "hands": HANDS})
    seen = kahuna.position(
        setup,
        {**EXAMPLE, "hands": {s: h if s == viewer else [HIDDEN] * 3 for s, h in HANDS.items()}},
    )
    news = []
    for ply, (seat, text) in enumerate(PLIES, 10):
        move = play.resolve(kahuna, full, seat, kahuna.parse(text))
        step = play.judge(kahuna, full, seat, move)
        events = tuple(mask(event, viewer, seat, kahuna.SEATS) for event in step.events)
        news.append(News(ply, seat, text, events))
        full, seen = (play.advance(kahuna, s, e) for s, e in ((full, step.events), (seen, events)))
    view = kahuna.view(seen)
    return Report(
        game="kahuna",
        title="Kahuna",
        match="kahuna-07",
        ply=17,
        fingerprint="a3f9",
        seats=NAMES,
        news=tuple(news),
        view=view,
        picture=tuple(kahuna.draw(view)),
        awaited=(Awaited("white", "turn", {}, "pass", None),),
        result=None,
        until=("Ana, by Tue 3 Mar 2026, 20:15 CET (UTC+1); then 2 days of grace.",),
        notes=("Ben is away over Easter.",),
        opening=None if viewer else OPENING,
    )


LEGAL = (
    "ALOA+HUNA x ALOA-HUNA",
    "BARI-ELAI",
    "BARI-FAAA",
    "FAAA-BARI",
    "FAAA-COCO",
    "KAHU-COCO",
    "KAHU-GOLA",
    "draw",
    "pass",
    "take COCO",
    "take IFFI",
    "take LALE",
)
REFUSAL = Refusal(
    said="Hi Ben!\nbari duda with BARI\ntake KAHU\n",
    understood=("BARI-DUDA", "take KAHU"),
    reason="BARI-DUDA already carries a bridge of Ana.",
    rule="K-9",
    rule_says="A bridge is placed on a free line only.",
    source="Thames & Kosmos, 1 Playing Island Cards",
    unreadable=(),
    instead=LEGAL,
    more=12,
    ignored=(("Hi Ben!", 1, "a greeting", 0),),
)
KINDS = {
    "report": lambda: example(None),
    "letter": lambda: example("white")._replace(letter=SeatPart("white", LEGAL, "9c" * 32)),
    "rejection": lambda: example("white")._replace(refusal=REFUSAL, news=()),
}


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_report_reads_as_its_golden_file(kind: str, dialect: str) -> None:
    written = report(KINDS[kind](), dialect)
    golden = GOLDEN / f"{kind}.{dialect}"
    if os.environ.get("PBEM_GOLDEN") == "write":
        golden.parent.mkdir(parents=True, exist_ok=True)
        golden.write_text(written, encoding="utf-8")

    assert written == golden.read_text(encoding="utf-8")


# ----------------------------------------------------------------------------- plain text


@pytest.mark.parametrize("kind", KINDS)
def test_text_is_ascii_of_at_most_72_columns(kind: str) -> None:
    for line in report(KINDS[kind](), "text").splitlines():
        assert line.isascii()
        assert len(line) <= 72
        assert line == line.rstrip()


def test_a_name_may_be_longer_and_stranger_than_ascii() -> None:
    written = report(example(None)._replace(seats={"white": "Zoë", "black": "x" * 500}), "text")

    assert "Zoë wins BARI [K-17]." in written
    assert f"{'x' * 40} loses HUNA [K-19]." in " ".join(written.split())
    assert max(map(len, written.splitlines())) <= 72


def test_the_answer_to_copy_names_the_position() -> None:
    written = report(example(None), "text")

    assert "[move] #17 a3f9\n...\n[/move]" in written
    assert "[kahuna-07 #17 a3f9]" in written


def test_nobody_is_asked_for_an_answer_while_chance_is_awaited() -> None:
    dealing = (Awaited(CHANCE, "deal", {"to": "white"}, None, None),)
    written = report(example(None)._replace(awaited=dealing), "text")

    assert "A card must be dealt to Ana." in written
    assert "[move]" not in written


def test_an_interrupt_says_whose_turn_it_interrupts_and_what_silence_means() -> None:
    asked = (Awaited("black", "handicap", {}, "enough", None),)
    written = report(example(None)._replace(awaited=asked), "text")

    assert "Ben may place a handicap bridge. Without an answer: enough." in written


def test_a_letter_says_first_who_is_asked_if_it_is_not_its_reader() -> None:
    shown = example(None)._replace(awaited=(Awaited("black", "handicap", {}, None, "white"),))
    begins = {"white": "**You wait for Ben.**", "black": "**You may place a handicap bridge.**"}
    for seat, first in begins.items():
        letter = shown._replace(letter=SeatPart(seat, ()))
        assert report(letter, "markdown").split("\n\n")[1] == first


@pytest.mark.parametrize(
    ("defaults", "told"),
    [
        (("pass", "pass"), ["Without an answer: pass."]),
        (
            ("pass", "enough"),
            [
                "Ben may place a handicap bridge. Without an answer: enough.",
                "Without an answer: pass.",
            ],
        ),
    ],
)
def test_a_letter_to_several_says_once_what_silence_means_or_else_whose(
    defaults: tuple[str, str], told: list[str]
) -> None:
    turn, bridge = defaults
    asked = (
        Awaited("white", "turn", {}, turn, None),
        Awaited("black", "handicap", {}, bridge, None),
    )
    shown = example(None)._replace(awaited=asked, letter=SeatPart("white", ()))
    written = " ".join(report(shown, "text").split())
    assert written.count("Without an answer: ") == len(told)
    assert all(each in written for each in told)


@pytest.mark.parametrize(
    ("winners", "why", "says"),
    [
        (("white",), "K-38", "Ana wins [K-38]."),
        (("white", "black"), "K-38", "Ana and Ben win [K-38]."),
        ((), "K-38", "The match is drawn [K-38]."),
        (("white",), "resignation", "Ana wins by resignation."),
        (("white",), "ruling", "Ana wins: the moderator has ended the match."),
        ((), "ruling", "Nobody wins: the moderator has ended the match."),
    ],
)
def test_the_result_says_what_decided(winners: tuple[str, ...], why: str, says: str) -> None:
    over = Result(winners, why, None, ())
    written = report(example(None)._replace(awaited=(), result=over), "text")

    assert says in written
    assert "NEXT TO MOVE" not in written


def test_the_result_is_a_table_and_quotes_the_rule() -> None:
    standings = (Standing(1, "black", 3), Standing(2, "white", 1))
    over = Result(("black",), "K-38", "The higher score wins.", standings)
    last = {**example(None).view, "round": 3, "final_turns": 1}
    written = report(example(None)._replace(view=last, awaited=(), result=over), "text")

    assert "Round     3 of 3\n" in written
    assert "Place 1   Ben, score 3\nPlace 2   Ana, score 1\n" in written
    assert "Rule K-38: The higher score wins.\n" in written


@pytest.mark.parametrize(
    ("winners", "scores", "table"),
    [
        ("b", {"a": 3, "b": 9, "c": 5}, "1b 2c 3a"),
        ("b", {"a": 5, "b": 9, "c": 5}, "1b 2a 2c"),
        ("c", {"a": 5, "b": 5, "c": 5}, "1c 2a 2b"),
        ("ac", {"a": 9, "b": 5, "c": 9}, "1a 1c 3b"),
        ("", {"a": 5, "b": 5, "c": 4}, "1a 1b 3c"),
        ("ab", {}, "1a 1b 3c"),
    ],
)
def test_places_follow_victory_and_then_scores(
    winners: str, scores: dict[str, int], table: str
) -> None:
    match: Any = SimpleNamespace(
        outcome=Outcome(tuple(winners), "K-38", scores),
        setup=SimpleNamespace(seats=("a", "b", "c")),
        game=kahuna,
    )
    found = compose.result(match)

    assert found is not None
    assert " ".join(f"{s.place}{s.seat}" for s in found.standings) == table
    assert [s.score for s in found.standings] == [scores.get(s.seat) for s in found.standings]


def test_the_past_is_shown_as_the_past() -> None:
    written = report(example(None)._replace(past=True), "text")

    assert "This is how the match stood after move no. 17. It has gone on since." in written
    assert "NEXT TO MOVE THEN\n\nIt's Ana's turn." in written
    assert "[move]" not in written
    assert "Subject:" not in written


def test_a_ruling_stands_under_what_happened() -> None:
    ruled = example(None)._replace(news=("The moderator rules: Ana resigns.",))

    assert "WHAT HAPPENED\n\nThe moderator rules: Ana resigns.\n" in report(ruled, "text")


@pytest.mark.parametrize("dialect", ["phpbb", "bgg"])
@pytest.mark.parametrize("name", sorted(games.OWN))
def test_the_map_keeps_its_columns(name: str, dialect: str) -> None:
    table = Table.start(name, seats=SEATED[name])
    rng = random.Random(1)
    for _ in range(80):
        seat = table.pending[0].seat
        table = table.play(seat, rng.choice(table.legal(seat, most=50)))
    picture = games.game(name).draw(table.view())

    assert [*map(len, Safe(dialect).value(picture, code=True))] == [*map(len, picture)]


def test_a_less_sign_moves_nothing_on_boardgamegeek() -> None:
    assert Safe("bgg").value(["a <-- b  |"], code=True) == ["a \u2039-- b  |"]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_template_finds_a_key_as_the_game_has_it_and_tells_it_escaped(dialect: str) -> None:
    safe, view = Safe(dialect), {"must_draw": "a_b", "<x>": {"b_c": 1}}
    told = safe.value(view)
    template = Environment().from_string("{{ view.must_draw }} {{ view['<x>'].b_c }}")
    assert template.render(view=told) == f"{safe.value('a_b')} 1"
    assert [*told] == [safe.value(key) for key in view]


def test_markdown_facts_are_a_table() -> None:
    tokens = structure(report(example(None), "markdown"), "markdown")

    assert tokens.count("table_open") == 2
    assert tokens.count("tr_open") > 10


def test_every_unreadable_line_is_reported() -> None:
    both = ((1, "foo", "no such island", "Did you mean FAAA?"), (3, "bar", "no such move", ""))
    refused = REFUSAL._replace(
        understood=(), reason="Two lines are no moves.", rule=None, rule_says=None, unreadable=both
    )
    written = report(example(None)._replace(refusal=refused), "text")

    assert 'line 1, "foo": no such island. Did you mean FAAA?' in written
    assert 'line 3, "bar": no such move\n' in written


def test_a_struck_ply_keeps_its_number_and_loses_its_news() -> None:
    r = example(None)
    written = report(r._replace(news=(r.news[0]._replace(struck=True), *r.news[1:])), "text")

    assert "10 Ana: BARI-DUDA (taken back)\n" in written
    assert "Ana plays BARI." not in written


def test_struck_draws_in_a_row_are_told_in_a_sentence() -> None:
    draws = [News(ply, "chance", "deal ?", (), struck=True) for ply in (11, 12)]
    r = example(None)
    written = report(r._replace(news=(r.news[0], *draws)), "text")

    assert "\n11-12 Chance: what was drawn is taken back\n" in written


def test_deals_in_a_row_are_told_as_one() -> None:
    cards = ["?", "?", "?"]
    places = ["white", "black", "display"]
    deals = [
        News(n + 1, CHANCE, "deal ?", (f.Dealt(place, "COCO" if place == "display" else card),))
        for n, (place, card) in enumerate((p, c) for c in cards for p in places)
    ]

    assert wording(kahuna, deals, NAMES) == [
        "1-9: Ana is dealt 3 cards.",
        "1-9: Ben is dealt 3 cards.",
        "1-9: COCO, COCO and COCO are turned face up.",
    ]


@pytest.mark.parametrize(
    ("seats", "white", "black"),
    [
        ({"white": "Ana", "black": "Ben"}, "Ana", "Ben"),
        ({"white": "white", "black": "Black"}, "White", "Black"),
        ({"white": "Ana", "black": "ana"}, "Ana (white)", "ana (black)"),
        ({"white": "Black", "black": "Ben"}, "Black (white)", "Ben"),
        ({"white": "", "black": "Chance"}, "White", "Chance (black)"),
        ({"white": "Ana\u200b", "black": "Ana"}, "Ana (white)", "Ana (black)"),
    ],
)
def test_no_player_can_pass_for_another(seats: dict[str, str], white: str, black: str) -> None:
    news = [News(1, "white", "", (f.Lost("white", "ALOA"), f.Lost("black", "ALOA")))]

    assert wording(kahuna, news, seats) == [
        f"1: {white} loses ALOA [K-19].",
        f"1: {black} loses ALOA [K-19].",
    ]


@pytest.mark.parametrize(
    ("seats", "line"),
    [
        ({"white": "Ana", "black": "Ben"}, "Players: Ana (white), Ben (black)\n"),
        ({"white": "White", "black": "Ben"}, "Players: White, Ben (black)\n"),
        ({"white": "Ana", "black": "ana"}, "Players: Ana (white), ana (black)\n"),
        ({"white": "white", "black": "Black"}, ""),
    ],
)
def test_all_players_are_named_where_one_is_not_called_as_their_seat(
    seats: dict[str, str], line: str
) -> None:
    written = report(example(None)._replace(seats=seats), "text")

    assert "".join(re.findall(r"Players:.*\n", written)) == line


def test_an_unknown_dialect_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="no dialect 'rtf', only text, markdown, phpbb, bgg, html"):
        report(example(None), "rtf")


# ----------------------------------------------------------------------- the board of Kahuna


@pytest.mark.parametrize("dialect", DIALECTS)
def test_each_player_s_bridges_are_listed_by_name(dialect: str) -> None:
    shown = example(None)
    shown.view["bridges"].clear()
    shown.view["bridges"].update({"COCO-GOLA": "black", "ALOA-HUNA": "black"})
    written = report(shown, dialect).replace("\\", "")
    words = re.sub(r"<[^>]*>", " ", written)
    facts = [line.replace("*", "").strip() for line in words.splitlines() if "Bridges" in line]

    assert [re.sub(r"^(- |\| )?\S+[\s|]+|[\s|]+$", "", line) for line in facts] == [
        "Ana: none",
        "Ben: 2 (ALOA-HUNA, COCO-GOLA)",
    ]


BESIDE = [
    ({"final_turns": None}, "Round     1 of 3"),
    ({"final_turns": 2}, "Round     1 of 3, 2 turns left"),
    ({"final_turns": 1}, "Round     1 of 3, 1 turn left"),
    ({"deck": 1}, "Pile      1 card"),
    ({"deck": 15}, "Pile      15 cards"),
    ({"display": []}, "Display   empty"),
    ({"discard": {}}, "Discards  none"),
    ({"discard": {"ALOA": 1, "BARI": 2}}, "Discards  ALOA, BARI twice"),
    ({"tucked": {"white": 2, "black": 0}}, "Face down Ana 2, Ben 0, under the discards"),
    ({"hands": {"white": [], "black": ["?"]}}, "Hand      Ana: none\nHand      Ben: 1 hidden card"),
    ({"hands": {"white": ["ALOA", "?", "?"], "black": []}}, "Ana: ALOA and 2 hidden cards"),
    ({"open": {"white": ["ALOA", "BARI"], "black": []}}, "Open      Ana: ALOA, BARI\nOpen "),
    ({"handicap": {"black": 1}}, "Handicap  Ben may place 1 more bridge [K-47]"),
    ({"handicap": {"white": 3}}, "Handicap  Ana may place 3 more bridges [K-47]"),
    ({"free": "ELAI-HUNA"}, "Free now  a bridge on ELAI-HUNA, without a card [K-44]"),
]


@pytest.mark.parametrize(("view", "says"), BESIDE, ids=lambda v: str(v)[:40])
def test_what_stands_beside_the_map(view: dict[str, Any], says: str) -> None:
    shown = example(None)._replace(view={**example(None).view, **view})

    assert says in report(shown, "text")


# -------------------------------------------------------------------------- hostile words

HOSTILE = [
    "[b]bold[/b] [/code] [code] [/c] [c] [/move] [move]#1[/move]",
    "[url=http://evil.example]x[/url] http://evil.example www.evil.example",
    "``` ```move `````` ` ~~~",
    "<script>alert(1)</script><b",
    "**a** __b__ _c_ ~~d~~ [x](http://y) ![z](w) &lt; \\ | $x$",
    "# heading",
    "1. one",
    "- dash",
    "> quote",
    "===",
    "a\n\n# b\r\n---\n```\n\u2028c\x0bd\x00e\x1b[31m\tf",
    "\u202eevil\u2066\u200b\ufeffname",
    "{{7*7}} {% for x in y %} {# z",
    ":D ;) :p :( :o :smile: 8-) :lol:",
    "@admin @here #17 GH-17 ana@example.org",
    "\\",
    "<",
    ":",
    "[",
    "x" * 500,
    "w " * 250,
]
TAG = re.compile(r"\[/?(?:b|i|u|s|c|q|o|url|img|quote|code|list|color|size|move|x|31m)\b[^\]]*\]")
EMOTICON = re.compile(r"[:;]-?[)(DpPo|?!]|8-\)|:\w+:")


ANSWER = ("[c][move] #17 a3f9[/c]\n[c]...[/c]\n[c][/move][/c]", "")


def spoilt(words: str) -> list[Report]:
    """All three kinds of report, with these words wherever words come from outside."""
    refused = Refusal(
        words,
        (words,),
        words,
        words,
        words,
        words,
        ((1, words, words, words),),
        (words,),
        ((words, 2, words, 0),),
    )
    r = example(None)._replace(title=words, match=words, until=(words,), notes=(words,))
    chosen = Chosen(words, words, words, words)
    opening = Opening(words, (chosen,), "5f" * 32, words)
    r = r._replace(news=(*r.news, words), opening=opening)
    r = r._replace(seats={"white": words, "black": "Ben"})
    r = r._replace(awaited=(Awaited("white", "turn", {"to": words}, words, "black"),))
    return [r, r._replace(letter=SeatPart("white", (words,), words)), r._replace(refusal=refused)]


def structure(written: str, dialect: str) -> list[str]:
    """What a reader of this dialect makes of a post, without its words."""
    if dialect == "markdown":
        parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
        blocks = parser.parse(written)
        return [
            token.type
            for block in blocks
            for token in (block, *(block.children or ()))
            if token.type not in ("text", "softbreak")
        ]
    if dialect == "text":
        return re.findall(r"\[\s*/?\s*move|```", written, re.I)
    if dialect == "html":
        return re.findall(r"<(?!br>)[^>]*>", written)
    if dialect == "phpbb":
        return TAG.findall(re.sub(r"(\[code\]).*?(\[/code\])", r"\1\2", written, flags=re.S))
    # What stands in [c] may be longer or shorter, but each line must open and close it alone.
    tags = [TAG.findall(line) for line in written.replace(*ANSWER).splitlines()]
    return [
        tag
        for line, before in zip(tags, [[], *tags], strict=False)
        for tag in line
        if line != ["[c]", "[/c]"] or line != before
    ]


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("words", HOSTILE)
def test_words_from_outside_change_nothing_but_the_words(words: str, dialect: str) -> None:
    plain = "word"
    for spoiled, harmless in zip(spoilt(words), spoilt(plain), strict=True):
        written = report(spoiled, dialect)
        assert structure(written, dialect) == structure(report(harmless, dialect), dialect)
        assert not [c for c in written if c != "\n" and not c.isprintable()]
        assert "49" not in written


@pytest.mark.parametrize("words", HOSTILE)
def test_text_stays_within_72_columns_whatever_it_quotes(words: str) -> None:
    for given in spoilt(words):
        spoiled = given
        if spoiled.letter:
            spoiled = spoiled._replace(letter=None)  # a key and a move are no words from outside
        if spoiled.refusal:
            spoiled = spoiled._replace(refusal=spoiled.refusal._replace(understood=()))
        assert max(map(len, report(spoiled, "text").splitlines())) <= 72


@pytest.mark.parametrize("words", HOSTILE)
def test_boardgamegeek_never_meets_a_bare_less_sign_or_an_emoticon(words: str) -> None:
    for spoiled in spoilt(words):
        written = report(spoiled, "bgg")
        assert not re.search(r"<\S", written)
        assert not EMOTICON.search(written)


@pytest.mark.parametrize("words", HOSTILE)
def test_phpbb_meets_no_emoticon_and_no_address_outside_code(words: str) -> None:
    for spoiled in spoilt(words):
        prose = re.sub(r"\[code\].*?\[/code\]", "", report(spoiled, "phpbb"), flags=re.S)
        assert not EMOTICON.search(prose)
        assert not re.search(r"\w://\w|www\.\w|\w@\w", prose)


@pytest.mark.parametrize("words", HOSTILE)
def test_markdown_mentions_nobody_and_refers_to_nothing(words: str) -> None:
    for spoiled in spoilt(words):
        tokens = MarkdownIt("commonmark").parse(report(spoiled, "markdown"))
        inline = [child for token in tokens for child in token.children or ()]
        prose = "\n".join(token.content for token in inline if token.type == "text")
        assert not re.search(r"@\w|#\d|:\w+:|\w://\w|www\.\w", prose)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_time_is_left_as_it_is(dialect: str) -> None:
    told = "Ana, by Tue 3 Mar 2026, 20:15 CET (UTC+1); then 2 days of grace."
    assert told in report(example(None), dialect)


# -------------------------------------------------------------------------- the phrase books


@pytest.mark.parametrize("name", games.names())
def test_every_event_of_every_game_has_its_phrase(name: str) -> None:
    templates = Environment(loader=FileSystemLoader(Path(data.ROOT) / "templates"))
    book = templates.get_template(f"{name}/news.j2").module
    kinds = {word(event).replace("-", "_") for event in games.game(name).EVENTS}

    assert {kind for kind in kinds if not callable(getattr(book, kind, None))} == set()


PHRASES: list[tuple[Event, str]] = [
    (f.Dealt("white", "?"), "Ana is dealt a card."),
    (f.Dealt("white", "ALOA"), "Ana is dealt ALOA."),
    (f.Dealt("display", "ALOA"), "ALOA is turned face up."),
    (f.Spent("white", "ALOA"), "Ana plays ALOA."),
    (
        f.SpentHidden("white", "ALOA"),
        "Ana plays a hidden ALOA, and the other ALOA stays open [K-A24].",
    ),
    (f.Built("white", "ALOA-BARI"), "Ana builds the bridge ALOA-BARI."),
    (f.Won("white", "ALOA"), "Ana wins ALOA [K-17]."),
    (f.Swept("black", "ALOA-BARI", "ALOA"), "Ben's bridge ALOA-BARI is taken off ALOA [K-18]."),
    (f.Cut("black", "ALOA-BARI"), "Ben's bridge ALOA-BARI is removed [K-21]."),
    (f.Lost("black", "ALOA"), "Ben loses ALOA [K-19]."),
    (f.Tucked("white", "?"), "Ana discards a card face down."),
    (f.Tucked("white", "ALOA"), "Ana discards ALOA face down."),
    (f.TuckedOpen("white", "ALOA"), "Ana discards the open ALOA."),
    (f.Took("white", "ALOA"), "Ana takes ALOA from the display."),
    (f.Drew("white"), "Ana draws from the pile."),
    (f.Passed("white"), "Ana draws no card."),
    (f.HandicapDone("black"), "Ben places no more handicap bridges."),
    (f.TurnPassed("black"), "It's Ben's turn."),
    (
        f.Scored(1, 3, 2, "white", 1),
        "Round 1 is scored: Ana controls 3, Ben controls 2. Ana gets 1 point [K-31].",
    ),
    (
        f.Scored(2, 3, 4, "black", 2),
        "Round 2 is scored: Ana controls 3, Ben controls 4. Ben gets 2 points [K-32].",
    ),
    (
        f.Scored(3, 5, 2, "white", 3),
        "Round 3 is scored: Ana controls 5, Ben controls 2. Ana gets 3 points [K-37].",
    ),
    (
        f.Scored(2, 3, 3, None, 0),
        "Round 2 is scored: Ana controls 3, Ben controls 3. Nobody gets a point [K-33].",
    ),
    (
        f.Reshuffled(2, 18),
        "Round 2 begins: the discards are shuffled into a new pile of 18 cards [K-34].",
    ),
    (
        f.LastTurns("black"),
        "No cards are left to draw: each player has one more turn, Ben first [K-36].",
    ),
    (f.Ended("white", "K-42"), "Ana wins the match [K-42]."),
    (f.Ended(None, "K-41"), "The match is drawn [K-41]."),
]


@pytest.mark.parametrize(("event", "phrase"), PHRASES, ids=lambda v: str(v)[:40])
def test_kahuna_in_words(event: Event, phrase: str) -> None:
    assert wording(kahuna, [News(7, "white", "", (event,))], NAMES) == [f"7: {phrase}"]


def test_the_phrases_above_are_all_of_kahunas_events() -> None:
    assert {type(event) for event, _ in PHRASES} == set(kahuna.EVENTS)


def test_two_cards_played_together_are_told_together() -> None:
    cut = (f.Spent("white", "ELAI"), f.Spent("white", "HUNA"), f.Cut("black", "ELAI-HUNA"))

    assert wording(kahuna, [News(7, "white", "", cut)], NAMES) == [
        "7: Ana plays ELAI and HUNA.",
        "7: Ben's bridge ELAI-HUNA is removed [K-21].",
    ]


# --------------------------------------------------------------------------- the view's schema


def kahuna_views(seed: int, **chosen: Any) -> Iterable[dict[str, Any]]:
    """Views of a random match, as moderator, seat and spectator see it."""
    rng = random.Random(seed)
    table = Table.start("kahuna", options=chosen)
    while table.pending:
        seat = table.pending[0].seat
        table = table.play(seat, rng.choice(table.legal(seat)))
        yield table.view()
    yield from (table.seen_by(reader).view() for reader in (None, "white"))


@pytest.mark.parametrize(
    ("seed", "chosen"), [(1, {}), (2, {"variant1": True, "variant2": True}), (3, {})]
)
def test_every_view_of_a_match_obeys_the_schema_and_can_be_reported(
    seed: int, chosen: dict[str, Any]
) -> None:
    schema = json.loads(games.view_schema(kahuna) or "")
    Draft7Validator.check_schema(schema)
    valid = Draft7Validator(schema)
    for n, view in enumerate(kahuna_views(seed, **chosen)):
        assert [error.message for error in valid.iter_errors(view)] == []
        if n % 20 == 0:
            told = example(None)._replace(view=view, picture=tuple(kahuna.draw(view)))
            assert "Round     " in report(told, "text")


# ------------------------------------------------------------------------------- at the start

START = """
import sys
import pbem.report.render
print("jinja2" in sys.modules)
from types import SimpleNamespace
print(pbem.report.render.wording(SimpleNamespace(NAME="kahuna", DATA="."), [], {}))
"""


@pytest.mark.parametrize("cache", ["missing/deep", "a file"])
def test_templates_are_loaded_late_and_do_without_a_cache(tmp_path: Path, cache: str) -> None:
    (tmp_path / "a file").write_text("in the way")
    ran = subprocess.run(
        [sys.executable, "-c", START],
        env={**os.environ, "XDG_CACHE_HOME": str(tmp_path / cache)},
        capture_output=True,
        text=True,
        check=True,
    )

    assert ran.stdout.split() == ["False", "[]"]


def test_the_cache_is_closed_to_others_and_not_used_if_open(tmp_path: Path) -> None:
    env = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    for _ in "closed", "opened":
        subprocess.run([sys.executable, "-c", START], env=env, check=True, capture_output=True)
        (folder,) = (tmp_path / "pbem").iterdir()
        if folder.stat().st_mode & 0o077 == 0:
            assert list(folder.iterdir())
            for compiled in folder.iterdir():
                compiled.unlink()
            folder.chmod(0o777)

    assert list(folder.iterdir()) == []
