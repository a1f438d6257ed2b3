"""Kanaloa (Piatnik): moves as they are written, pictures and letters."""

from __future__ import annotations

import random
import re

import pytest
from kanaloa_matches import NAMES, ROUTE, plies

import pbem
from pbem.core import HIDDEN, Event
from pbem.files.languages import speaking
from pbem.report.facts import Awaited, News, Report, SeatPart
from pbem.report.render import report, wording
from pbem.rules import kanaloa_piatnik as game
from pbem.rules.kanaloa_piatnik import board, events
from pbem.rules.kanaloa_piatnik.picture import COLUMNS, draw

# --------------------------------------------------------------------------------- notation

READ = [
    ("R7", "red 7"),
    ("red7", "red 7"),
    ("Rot 7", "red 7"),
    ("T12", "turquoise 12"),
    ("türkis 12", "turquoise 12"),
    ("tuerkis 12", "turquoise 12"),
    ("grün 3", "green 3"),
    ("gr 3", "green 3"),
    ("B1", "blue 1"),
    ("blau 1", "blue 1"),
    ("1 blue", "blue 1"),
    ("play green 3", "green 3"),
    ("I play the green 3", "green 3"),
    ("spiele G3", "green 3"),
    ("K", "kanaloa"),
    ("Kanaloa", "kanaloa"),
    ("kana", "kanaloa"),
    ("O", "octopus"),
    ("Krake", "octopus"),
    ("Kraken", "octopus"),
    ("Octo", "octopus"),
    ("octopus.", "octopus"),
    ("remove m5", "remove M05"),
    ("remove M 05", "remove M05"),
    ("entferne Meereskarte M12", "remove M12"),
    ("dolphin", "dolphin"),
    ("Delfin", "dolphin"),
    ("no dolphin", "stay"),
    ("kein Delfin", "stay"),
    ("sail", "sail"),
    ("segeln", "sail"),
    ("sail 3", "sail"),
    ("stay", "stay"),
    ("bleibe", "stay"),
    ("announce", "announce"),
    ("announce no trick", "announce"),
    ("no trick", "announce"),
    ("ansagen", "announce"),
    ("kein Stich", "announce"),
    ("announce openly", "announce"),
    ("no announce", "no announce"),
    ("keine Ansage", "no announce"),
    ("announce ?", "announce ?"),
    ("deal R7", "deal red 7"),
    ("deal ?", "deal ?"),
    ("deal red 7 to ana", "deal red 7"),
    ("lay M03", "lay M03"),
    ("lay m3 turned", "lay M03 turned"),
    ("lege M03 gedreht", "lay M03 turned"),
    ("drop M07", "drop M07"),
    ("leave out M07", "drop M07"),
    ("red 13", None),
    ("red 0", None),
    ("red", None),
    ("7", None),
    ("purple 7", None),
    ("red blue 7", None),
    ("remove", None),
    ("stay here", None),
    ("no", None),
    ("", None),
    ("!!", None),
    ("sail 4", None),
    ("remove M05 M06", None),
    ("dolphin 3", None),
    ("red ²", "red 2"),
]


@pytest.mark.parametrize(("text", "canonical"), READ)
def test_moves_are_read_generously_and_nonsense_is_not(text: str, canonical: str | None) -> None:
    if canonical is None:
        with pytest.raises(pbem.Unreadable) as refusal:
            game.parse(text)
        start, end = refusal.value.span
        assert 0 <= start <= end <= len(text)
    else:
        assert game.notate(game.parse(text).move) == canonical


def test_any_text_is_read_or_unreadable() -> None:
    rng = random.Random(5)
    parts = [
        *"red rot b K octopus remove no announce trick stay dolphin deal to ana lay".split(),
        *"turned drop".split(),
        *"7 12 99 M05 m5 ? - , . ² ٣ ä ß 🐙 to".split(),
        "\t",
    ]
    for _ in range(5000):
        text = " ".join(rng.choices(parts, k=rng.randint(0, 5)))
        try:
            pattern = game.parse(text)
        except pbem.Unreadable:
            continue
        assert isinstance(game.notate(pattern.move), str)


def test_an_open_announcement_is_complete_both_ways() -> None:
    table = pbem.Table.at(
        "kanaloa-piatnik",
        {"route": ROUTE, "asked": "announce"},
        NAMES[:3],
        None,
        {"announce": True},
    )
    assert table.legal("ana") == ("announce", "no announce")
    assert table.legal("ben") == ()


# -------------------------------------------------------------------------------- pictures


def read_back(lines: list[str], seats: list[str], cards: int) -> tuple[list[str], dict[str, int]]:
    """The fields in sailing order, like `R+`, and where the boats are, from the picture."""
    across = (cards + 1) // 2
    fields: list[str] = []
    boats: dict[str, int] = {}
    for top, count in ((1, across), (6, cards - across)):
        cells = re.findall(r"(?<=\|)[^|]{10}(?=\|)", lines[top])
        on_them = re.findall(r"(?<=\|)[^|]{10}(?=\|)", lines[top + 1])
        assert len(cells) == len(on_them) == count
        row = [
            (cell[n : n + 5], on[n : n + 5])
            for cell, on in zip(cells, on_them, strict=True)
            for n in (0, 5)
        ]
        for field, here in row if top == 1 else reversed(row):
            for number in re.findall(r"\d", here):
                boats[seats[int(number) - 1]] = len(fields)
            fields.append(field.strip())
    return fields, boats


@pytest.mark.parametrize("players", [3, 4, 5])
def test_fields_and_boats_can_be_read_from_the_picture(players: int) -> None:
    for seed in range(4):
        for state, _, _ in list(plies(players, seed))[::7]:
            view = game.view(state)
            lines = draw(view)
            assert all(len(line) <= COLUMNS and line.isascii() for line in lines)
            if state.asked in ("drop", "lay"):
                continue
            seats, route = view["seats"], view["route"]
            fields, boats = read_back(lines, seats, len(route))
            assert fields == [
                o["fields"][side][0].upper() + "*" * o["start"][side] + "+" * o["dolphin"][side]
                for o in route
                for side in (0, 1)
            ]
            assert boats == {s: boat % (2 * len(route)) for s, boat in view["boats"].items()}
            text = "\n".join(lines[:9])
            leads = re.findall(r">(\d)", text)
            assert leads == ([str(seats.index(view["leader"]) + 1)] if view["leader"] else [])
            last = "".join(re.findall(r"<(\d+)", text))
            if view["leader"]:
                assert sorted(last) == sorted(str(seats.index(s) + 1) for s in view["last"])


def test_a_letter_shows_the_hand_by_suit_and_marks_what_can_be_played() -> None:
    table = pbem.Table.at(
        "kanaloa-piatnik",
        {
            "route": ROUTE,
            "tricks": {"ben": 3},
            "table": [["ana", "turquoise 2"]],
            "hands": {"ben": ["turquoise 4", "turquoise 12", "red 12", "kanaloa", "octopus"]},
        },
        NAMES[:3],
    ).seen_by("ben")
    text = report(letter_for(table, "ben"), "text")
    assert "red       12\n" in text
    assert "turquoise  4* 12*" in text
    assert "kanaloa    x*" in text
    assert "Trump     blue" in text
    assert "  boat     position  tricks  cards\n1 Ana             0       0      4\n" in text
    assert "2 Ben             0       3      5\n" in text
    assert "Hand" not in text  # what is hidden is not told twice
    assert max(map(len, text.splitlines())) <= 72


def test_the_table_of_boats_has_the_players_names_and_stays_within_72_columns() -> None:
    view = {
        "route": ROUTE,
        "tricks": {"ben": 7},
        "announced": {"ana": True, "ben": False, "cara": False},
        "boats": {"ana": 3, "ben": 12, "cara": 12 + 1},
    }
    table = pbem.Table.at("kanaloa-piatnik", view, NAMES[:3], None, {"announce": True})
    named = {"ana": "Ana Lopes", "ben": "Benedikt von und zu Hohenstaufen-Wittelsbach", "cara": "C"}
    written = report(letter_for(table, "cara")._replace(seats=named), "text")
    boats = written[written.index("  boat") : written.index("Round")].splitlines()
    assert boats[:4] == [
        "  boat                           position  tricks  cards",
        "1 Ana Lopes                             3       0      1  last, tilted",
        "2 Benedikt von und zu Hohensta..       12       7      1",
        "3 C                                    13       0      1  ahead",
    ]
    assert max(map(len, written.splitlines())) <= 72


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (events.Laid("M04", True), "The ocean card M04 is laid, turned."),
        (
            events.RoundBegan(2, "ana"),
            "Round 2 begins: all cards are shuffled, and Ana is start player [P-23].",
        ),
        (events.Dealt("ana", HIDDEN), "Ana is dealt 1 card."),
        (events.Announced("ana", HIDDEN, "ana"), "Ana has decided in secret."),
        (events.Announced("ana", True, "ALL"), "Ana announces no trick and tilts the boat [P-44]."),
        (
            events.RemovalDue("ana", "round"),
            "Ana has taken the last trick and must remove a free ocean card [P-21].",
        ),
        (
            events.NothingRemoved("ana", "P-39"),
            "No ocean card is free, so the octopus of Ana removes none [P-39].",
        ),
        (
            events.NothingRemoved("ana", "P-A10"),
            "Only three ocean cards are left, so the octopus of Ana removes none [P-A10].",
        ),
        (
            events.NothingRemoved("ana", "P-22"),
            "No ocean card can be removed, so Ana removes none [P-22].",
        ),
        (events.Stayed("ana", "bonus"), "Ana declines the three fields."),
        (events.Stayed("ana", "move"), "Ana doesn't move the boat."),
        (events.Held("ana"), "Ana announced no trick, so the boat doesn't move [P-47]."),
    ],
)
def test_the_news_are_whole_sentences(event: Event, sentence: str) -> None:
    news = [News(7, "ana", "stay", (event,))]
    assert wording(game, news, {"ana": "ana"}) == [f"7: {sentence}"]


@pytest.mark.parametrize("known", [True, HIDDEN])
def test_whoever_announces_last_in_secret_reads_it_once(known: object) -> None:
    opened = [events.Announced(seat, True, board.ALL_SEATS) for seat in NAMES[:3]]
    news = [News(7, "cara", "announce", (events.Announced("cara", known, "cara"), *opened))]
    told = wording(game, news, {seat: seat for seat in NAMES[:3]})
    announces = "7: {} announces no trick and tilts the boat [P-44]."
    assert sorted(told) == [announces.format(seat.title()) for seat in sorted(NAMES[:3])]


def letter_for(table: pbem.Table, seat: str) -> Report:
    view = table.view()
    return Report(
        game=game.NAME,
        title=game.TITLE,
        match="aloha",
        ply=17,
        fingerprint="a3f9",
        seats={s: s for s in view["seats"]},
        news=(),
        view=view,
        picture=tuple(game.draw(view)),
        awaited=tuple(Awaited(d.seat, d.kind, d.about, None, None) for d in table.pending),
        result=None,
        letter=SeatPart(seat, table.legal(seat)),
    )


@pytest.mark.parametrize("dialect", ["text", "markdown", "phpbb", "bgg"])
@pytest.mark.parametrize(("language", "colon"), [("fr", " :"), ("de", ":")])
def test_a_link_stands_behind_a_colon_as_its_language_sets_it(
    dialect: str, language: str, colon: str
) -> None:
    table = pbem.Table.at("kanaloa-piatnik", {"route": ROUTE}, NAMES[:3])
    linked = letter_for(table, "ana")._replace(pages=(("Là", "https://example.org/"),))
    with speaking(language):
        told = report(linked, dialect)
    assert re.search(rf"Là{colon}\s+\S*https://example.org/", told)
