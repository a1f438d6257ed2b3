"""Faults that a check once let pass: of chance, of what is opened, hidden or told, of casebooks."""

from __future__ import annotations

import importlib.metadata
import json
import random
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest
from commands import pbem
from outside import brought

from pbem import core
from pbem.core import Ambiguous, Violation
from pbem.play import games
from pbem.testing import check, checking, laws_of_knowledge, laws_of_play

HERE = Path(__file__).parent
FOLDERS = {
    "pearls": HERE / "card_game",
    "skerries": HERE / "orders_game",
    "nerve": HERE / "example_game",
    "lanterns": HERE / "sound_games",
}
CODE, CASES = "__init__.py", "cases.yaml"
NEWS = "templates/pearls/news.j2"
CHANCES = "    return left(s, move.card)\n"
UNSEEN = "    return {card: left(s, card) for card in PEARLS}\n"
ORDERED = "            yield Ordered(seat, at, does, to)\n"
GAINED = "    gained: bool  # the seat on turn has its new card\n"
DEALT = "return s._replace(hands={**s.hands, to: (*s.hands[to], card)}, owed=s.owed[1:])"
LAID = '    "laid": by_seat(many(CARD)),\n'
MOVES = "MOVES, EVENTS = (Deal, Take, Draw, Lay)"
DRAW = "def draw(view):\n"
SENT = "return s._replace(orders={**s.orders, seat: (*s.orders[seat], order)})"
ALL_DONE = "{*s.boats.values()} <= {*s.done, seat}"
OPENED = (
    '    "opened": Key(OPENED, "The order that counts for the boat at an isle, '
    'once all are done."),\n'
)
TAKEN = "            hands = {**s.hands, seat: (*s.hands[seat], card)}\n            display"
WINNERS = "tuple(p for p in scores if scores[p] == best)"
CHOSE = "            yield Chose(seat, stay)\n"
SAILS = "templates/skerries/news.j2"
HOLDS = '"{seat:seat} holds no {card}": "{seat:seat} hat keine {card}"'
GAINS = "{seat} takes a card from the display or draws one."
DREW = '{{ say("{seat} draws a card.", seat=name(e.seat)) }}'


class Fault(NamedTuple):
    """A word in the name of the law that finds it, a part of what is told, and what is changed in
    which file of which game."""

    law: str
    told: str
    changes: dict[tuple[str, str], str]
    game: str = "pearls"
    matches: int = 1


def said(name: str, body: str) -> dict[tuple[str, str], str]:
    """A function more, which gives this."""
    return {(CODE, DRAW): f"def {name}:\n    return {body}\n\n\n{DRAW}"}


FAULTS = {
    "a refusal tells what another holds": Fault(
        "refusal",
        "with what they cannot know",
        {
            (CODE, 'holds no {card}", seat=seat, card=card)'): 'holds no {card}", seat=seat, '
            "card=next(str(hand) for one, hand in s.hands.items() if one != seat))"
        },
    ),
    "a move is a candidate twice": Fault(
        "every_decision_has_a_legal_move",
        "is a candidate twice",
        {(CODE, "map(Take, sorted(set(s.display)))"): "map(Take, sorted(s.display * 2))"},
    ),
    "each card is drawn as often": Fault(
        "counted",
        "and there are 4 and 3 of these cards unseen",
        {(CODE, CHANCES): "    return 1\n"},
    ),
    "a card is never unseen": Fault(
        "counted", "and there are 0", {(CODE, UNSEEN): UNSEEN.replace("PEARLS", "PEARLS[1:]")}
    ),
    "beside what is opened stands what is not": Fault(
        "alike",
        "sees it by Stayed",
        {
            (CODE, ORDERED): f'{ORDERED}            if does == "hold":\n'
            '                yield Opened(seat, "a1", "hold", "a1")\n'
            '                yield Stayed(seat, "a1", "b1")\n'
        },
        "skerries",
    ),
    "what opens tells something else": Fault(
        "alike",
        "sees it by Opened.seat",
        {
            (CODE, ORDERED): f"{ORDERED}            whom = s.seats[does == 'hold']\n"
            '            yield Opened(whom, "a1", "hold", "a1")\n'
        },
        "skerries",
    ),
    "a secret of each seat that is not private": Fault(
        "redacted",
        "cannot know newest",
        {
            (CODE, GAINED): f"    newest: dict\n{GAINED}",
            (CODE, "tuple(owed), False)"): "tuple(owed), dict.fromkeys(setup.seats), False)",
            (CODE, DEALT): DEALT.replace("[1:])", "[1:], newest={**s.newest, to: card})"),
            (CODE, LAID): f'{LAID}    "newest": by_seat(maybe(hidden(CARD))),\n',
        },
    ),
    "a card that is told to who may not know": Fault(
        "told",
        "news.j2:3, dealt: news.j2 tells '<ana> is dealt ?.' to who may not",
        {(NEWS, '|reject("equalto", "?")'): ""},
    ),
    "a card is called as if it were a player": Fault(
        "told",
        "news.j2 tells '7 held 7.', and does not name ana",
        {("templates/nerve/news.j2", "name(e.seat) }} held"): "name(e.card) }} held"},
        "nerve",
    ),
    "what is sealed is written as if it were read": Fault(
        "alike",
        "it writes 'deal' where something is hidden; expected ? as a word of its own",
        {(CODE, '{move.card}"\n\n\ndef draw'): '{move.card}".removesuffix(" ?")\n\n\ndef draw'},
    ),
    "an event without words": Fault(
        "told", "nothing of it; where that is on purpose, SILENT", {(NEWS, DREW): ""}
    ),
    "silence with words": Fault(
        "told", "it stands in SILENT, and", {(CODE, MOVES): f"SILENT = (Drew,)\n{MOVES}"}
    ),
    "a kind of question that seldom comes": Fault(
        "listed",
        "gain is answered by ['Take', 'Draw'], and KINDS says []",
        {(CODE, "\n\nclass State"): '\n\nKINDS = {"lay": (Lay,)}\n\n\nclass State'},
    ),
    "a move is the same as another, which is not the same as it": Fault(
        "same",
        "but not the other way round",
        said("same(s, move, other)", "notate(move) <= notate(other)"),
    ),
    "what opens a hidden card is not declared": Fault(
        "works_out",
        "what opens what was hidden stands in OPENS",
        {(CODE, "OPENS = (Shown,)\n"): ""},
        "nerve",
    ),
    "orders are opened before all have sent theirs": Fault(
        "all_choose",
        "opens what others chose, and ben has yet to choose",
        {(CODE, ALL_DONE): f"not s.done or {ALL_DONE}"},
        "skerries",
    ),
    "an order is a whole answer under seal, and none is an open one": Fault(
        "would_be",
        "would be sealed, while others are asked for orders",
        {(CODE, SENT): f"{SENT[:-1]}, done=(*s.done, seat))"},
        "skerries",
        matches=4,
    ),
    "the view lacks what the house goes by": Fault(
        "goes_on", "allows other moves: carry out", {(CODE, OPENED): ""}, "skerries"
    ),
    "a card that was taken openly is forgotten": Fault(
        "redacted",
        "and knows less after it",
        {(CODE, TAKEN): TAKEN.replace("card)}", "HIDDEN if HIDDEN in s.hands[seat] else card)}")},
    ),
    "a card that is shown is forgotten": Fault(
        "redacted",
        """ to ana, and hands forgets it""",
        {
            (CODE, "        case Dealt(seat, card) | Shown(seat, card):"): "        case Shown():\n"
            "            return s\n        case Dealt(seat, card):"
        },
        "nerve",
    ),
    "rounds that rest on what is hidden": Fault(
        "redacted",
        "works out {'round': 1}, and in truth it is {'round': 2}",
        said("parts(s)", '{"round": 1 + any("9" in hand for hand in s.hands.values())}'),
    ),
    "the board counts sealed orders": Fault(
        "drawn",
        "is new after the sealed 'order ?', of which nobody is told",
        {(CODE, "if text != HIDDEN)"): "if text)"},
        "skerries",
    ),
    "what everybody can work out is said to open something": Fault(
        "no law of its own",
        "Laid stands in OPENS, and opened nothing all ",
        {(CODE, MOVES): f"OPENS = (Laid,)\n{MOVES}"},
        matches=27,
    ),
    "another order is opened than was sealed": Fault(
        "was_sealed",
        "and that was never sealed: opened",
        {(CODE, "Opened(each, *order)"): 'Opened(each, order[0], "hold", order[0])'},
        "skerries",
    ),
    "a card of which none is left is dealt": Fault(
        "as_many",
        "is legal where no card",
        {(CODE, " or not left(s, card)"): "", (CODE, CHANCES): f"{CHANCES[:-1]} or 1\n"},
    ),
    "more cards in a position than there are": Fault(
        "as_many", "than there are: {", {(CODE, "if left(s, card) < 0:"): "if False:"}
    ),
    "effects fall over a sealed order": Fault(
        "works_out",
        "effects raises ValueError",
        {(CODE, ORDERED): f"            int(at[1:])\n{ORDERED}"},
        "skerries",
    ),
    "only the hands are unseen": Fault(
        "dealt_anew", "nothing fits what ana knows", {(CODE, UNSEEN): "    return {}\n"}
    ),
    "more is unseen to who knows less than there can be": Fault(
        "dealt_anew",
        "there are only 4 cards 9",
        {(CODE, UNSEEN): "    return {card: COPIES - s.display.count(card) for card in PEARLS}\n"},
    ),
    "a card that is known is dealt anew": Fault(
        "dealt_anew",
        "is dealt anew as",
        said(
            "named(s, seat, choose)",
            's._replace(hands={**s.hands, seat: tuple(choose() if each == HIDDEN else "1" '
            "for each in s.hands[seat])}) if HIDDEN in s.hands[seat] else None",
        ),
    ),
    "a hidden card comes twice as often as others": Fault(
        "counted",
        "deal 1 comes in 1 ways and deal 9 in 2, and there are 1 and 1 of these cards unseen",
        {(CODE, "move):\n    return 1\n"): "move):\n    return 1 + (move.card == '9')\n"},
        "lanterns",
    ),
    "one of two who are level wins alone": Fault(
        "level_with_a_winner",
        "has no worse a score than who wins by PE-6; cite the rule that decides",
        {(CODE, WINNERS): f"{WINNERS}[:1]"},
        matches=100,
    ),
    "a seat stands nowhere": Fault(
        "stands_best",
        "and ana and ben play",
        said("standing(s)", "{seat: score(s, laid) for seat, laid in s.laid.items() if laid}"),
    ),
    "who stands worst is said to stand best": Fault(
        "stands_best",
        "by chance alone it would be ",
        said("standing(s)", "{seat: -score(s, laid) for seat, laid in s.laid.items()}"),
        matches=36,
    ),
    "cards that are laid are unseen again": Fault(
        "unseen_as_well",
        " in laid, of 4",
        {(CODE, "*s.laid.values(), s.display"): "s.display"},
        matches=9,
    ),
    "a shape that is clicked for no move": Fault(
        "clicked",
        "a1 is clicked for 'retire a1', which is no move",
        {(CODE, '"retreat {}"'): '"retire {}"'},
        "skerries",
    ),
    "one of many": Fault(
        "told",
        "let `counted` tell one from many",
        {("templates/skerries/news.j2", "Round {number} is"): "{number} rounds are"},
        "skerries",
    ),
    "a question without a default": Fault(
        "listed",
        "lay has no default: nobody can be played for there; where that is on purpose, WAITS",
        {(CODE, 'WAITS = ("lay",)\n'): ""},
    ),
    "an event comes twice": Fault(
        "comes_twice",
        "twice, and the second time nothing changes",
        {(CODE, CHOSE): CHOSE * 2},
        "nerve",
    ),
    "words lack that of a move": Fault(
        "every_move_in_words",
        "'retreat a1' has none of WORDS, and counts as chat",
        {(CODE, "done retreat scuttle"): "done scuttle"},
        "skerries",
    ),
    "what was read is not quoted": Fault(
        "read_back",
        "'draw' is quoted as ''",
        {(CODE, "core.Pattern(text, Draw())"): 'core.Pattern("", Draw())'},
    ),
    "two blanks in a row": Fault(
        "read_back",
        "'deal  1' has blanks too many",
        {(CODE, "()} {move.card}"): "()}  {move.card}"},
    ),
    "several are told as one": Fault(
        "told_in_words",
        "is turned face up.': let `counted` tell one from many",
        {(NEWS, "{cards} are turned"): "{cards} is turned"},
    ),
    "news without its full stop": Fault(
        "told_in_words",
        "is done'; expected a sentence with its full stop",
        {(SAILS, "{seat} is done."): "{seat} is done"},
        "skerries",
    ),
    "news calls a seat by its name": Fault(
        "told_in_words",
        "is done.': it calls ",
        {(SAILS, 'is done.", seat=name(e.seat)'): 'is done.", seat=e.seat'},
        "skerries",
    ),
    "two questions in the same words": Fault(
        "asked_in_a_sentence",
        "for gain, too: nobody can tell which it is",
        {("templates/pearls/questions.j2", "{seat} lays a card."): GAINS},
    ),
    "who has least wins where the first has most": Fault(
        "level_with",
        "has no worse a score than who wins by PE-6; cite the rule that decides",
        {(CODE, "best = max(scores.values())"): "best = next(iter(scores.values()))"},
        matches=20,
    ),
    "rounds that never go on": Fault(
        "rounds",
        "it is (1, 0) in all matches",
        {(CODE, '{"round": s.round}'): '{"round": 1}'},
        "skerries",
    ),
    "a refusal calls a seat by its name": Fault(
        "refusal",
        "by the name of the seat; write it like {seat:seat}",
        {
            (CODE, "{seat:seat} holds no"): "{seat} holds no",
            ("languages/de.yaml", HOLDS): HOLDS.replace("{seat:seat}", "{seat}"),
        },
    ),
    "all moves are the same": Fault(
        "same", "are said to be the same, and lead", said("same(state, move, other)", "True")
    ),
}


@contextmanager
def changed(folder: Path, game: str, changes: dict[tuple[str, str], str]) -> Iterator[None]:
    """A copy of a game with changes, installed."""
    shutil.copytree(FOLDERS[game], folder / "copy", ignore=shutil.ignore_patterns("__pycache__"))
    for (file, right), wrong in changes.items():
        path = folder / "copy" / game / file
        assert right in path.read_text(), right
        path.write_text(path.read_text().replace(right, wrong, 1))
    with brought(folder / "copy"):
        yield


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_its_law_finds_it(fault: Fault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    laws = tuple(law for law in checking.PLAYED if fault.law in law.name)
    monkeypatch.setattr(checking, "PLAYED", laws)
    monkeypatch.setattr(checking, "casebooks", lambda game: {})
    with changed(tmp_path, fault.game, fault.changes):
        found = [str(each) for each in check(fault.game, fault.matches)]
    assert any(fault.told in each for each in found), found


def test_all_that_is_wrong_with_a_casebook_is_told_at_once(tmp_path: Path) -> None:
    changes = {
        (CASES, "{ana: lay 1, refused: PE-3}"): "{ana: lay 1, refused: PE-4}",
        (CASES, "{ana: lay 8, refused: PE-5}"): "{ana: lay 8, refused: PE-4}",
        (CASES, "rules: [PE-1, PE-2]"): "rules: [PE-1, PE-22]",
        (CASES, "- id: C2"): "- {id: C9, title: Nothing, rules: [PE-2], steps: []}\n- id: C2",
        (CASES, "{ana: take 9, events: [took]}"): "{ana: take 9, events: [taken]}",
    }
    with changed(tmp_path, "pearls", changes):
        found = "\n".join(str(each) for each in check("pearls", 0))
    assert "PE-22: no such rule" in found
    assert "Fraction(" not in found
    assert "no case is refused by PE-5" in found
    assert "C9: it expects nothing" in found
    assert "no case sets" not in found
    for step in (1, 3, 6):
        assert f"C2, step {step}: " in found


@pytest.mark.parametrize(
    ("ways", "told"),
    [
        (9, "pearls/cases.yaml, C2, step 4: the number of ways of deal 5 is 4, and not 9"),
        (4, "pearls/cases.yaml: no case shows end and n 4"),
    ],
)
def test_a_right_casebook_shows_each_move_event_decision_and_end_of_a_range(
    ways: int, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "PLAYED", ())
    counted = '    "n": follows(number(0, 4), lambda s: len(s.display)),\n'
    changes = {
        (CODE, LAID): f"{LAID}{counted}",
        (CODE, "follows, hidden"): "follows, hidden, number",
        (CODE, MOVES): f'KINDS = {{"gain": (Take, Draw), "lay": (Lay,), "end": (Draw,)}}\n{MOVES}',
        (CASES, "- {chance: deal 5}\n  - {ana: draw"): f"- {{chance: deal 5, ways: {ways}}}\n"
        "  - {ana: draw",
    }
    with changed(tmp_path, "pearls", changes):
        [found] = check("pearls", 1)
    assert str(found).endswith(told)


def test_each_option_is_set_in_some_case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "PLAYED", ())
    right, wrong = (
        "{winners: [ben], why: PE-6, scores: {ana: 5",
        "{winners: [ana], why: PE-6, scores: {ana: 23",
    )
    unset = {(CASES, "  options: {twins: true}\n"): "", (CASES, right): wrong}
    with changed(tmp_path, "pearls", unset):
        [found] = check("pearls", 1)
    assert str(found).endswith("no case sets the option twins")


def test_what_several_seats_are_asked_two_of_them_answer_in_cases(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "PLAYED", ())
    amended = "  - {ben: d1 holds, legal: true}\n"
    with changed(tmp_path, "skerries", {(CASES, amended): ""}):
        [found] = check("skerries", 2)
    assert "no case shows amend asked of a second seat" in str(found)


PENDING = "  - {seat: ben, kind: orders, default: done}\n"


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        (PENDING, "", "S2: pending is ana and ben, and not ana"),
        ("kind: orders}", "kind: amend}", "S2: pending kind is orders, and not amend"),
        (PENDING, PENDING.replace("kind", "kinds"), "S2: pending: expected a decision by its "),
        (f"  - {{seat: ana, kind: orders}}\n{PENDING}", "  - ana\n", "S2: pending: expected a "),
        ("scores: {ana: 3/2", 'scores: {ana: "1.5"', ""),
    ],
)
def test_a_case_says_what_several_are_asked(
    right: str, wrong: str, told: str, tmp_path: Path
) -> None:
    with changed(tmp_path, "skerries", {(CASES, right): wrong}):
        found = [str(each) for each in check("skerries", 0)]
    assert len(found) == bool(told)
    assert all(told in each for each in found), found


def test_a_case_shows_each_interruption_and_end_of_a_number_in_an_event(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "PLAYED", ())
    changes = {
        (CODE, "number: int = fact(core.NUMBER)"): "number: int = fact(number(1, 99))",
        (CODE, "default=Done())"): "default=Done(), during=seat)",
    }
    with changed(tmp_path, "skerries", changes):
        found = "\n".join(map(str, check("skerries", 2)))
    assert "no case shows round-ended number 99" in found
    assert "no case says in `pending` whose turn orders interrupts (`during`)" in found


@pytest.mark.parametrize(("more", "found"), [("", 1), (", ways: 3", 0)])
def test_of_dice_that_differ_a_casebook_tells_two_numbers_of_ways(
    more: str, found: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "PLAYED", ())
    monkeypatch.setattr(checking, "judged", lambda game, ply: False)
    changes = {
        (CASES, "deal 5}\n  - {ana: draw"): "deal 5, ways: 4}\n  - {ana: draw",
        (CASES, "deal 4}\n  - {chance: deal 3}"): f"deal 4}}\n  - {{chance: deal 3{more}}}",
    }
    with changed(tmp_path, "pearls", changes):
        told = [str(each) for each in check("pearls", 1)]
    assert sum("in how many `ways` chance brings deal, and two" in each for each in told) == found


def test_causes_are_told_before_what_follows_from_them(tmp_path: Path) -> None:
    changes = {
        (CODE, "if left(s, card) < 0:"): "if False:",
        (CODE, 'holds no {card}", seat=seat, card=card)'): 'holds no {card}", seat=seat, '
        "card=next(str(hand) for one, hand in s.hands.items() if one != seat))",
        (CASES, "{ana: take 9, events: [took]}"): "{ben: take 9}",
    }
    with changed(tmp_path, "pearls", changes):
        found = [str(each) for each in check("pearls", 1)]
        alone = pbem("games", "--check", "pearls", "--matches", "0")
    causes = (
        "with what they cannot know",
        "ben has no move here: asked are ana",
        "it takes a view",
    )
    nths = [next(n for n, each in enumerate(found) if cause in each) for cause in causes]
    assert nths == sorted(nths)
    assert causes[1] in alone.out
    assert causes[1] in alone.err
    assert alone.code == 70


def test_fewer_matches_than_there_should_be_are_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "MOST_SECONDS", 0.0)
    monkeypatch.setattr(checking, "PLAYED", ())
    monkeypatch.setattr(checking, "casebooks", lambda game: {})
    with brought(FOLDERS["pearls"]):
        [found] = check("pearls", 20)
    assert "only 9 of 20 matches could be played in 0 seconds" in str(found)


def test_what_packages_bring_is_listed_once() -> None:
    asked = list[str]()
    with brought(FOLDERS["pearls"]):
        listing = importlib.metadata.entry_points

        def listed(*, group: str) -> Any:
            asked.append(group)
            return listing(group=group)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(importlib.metadata, "entry_points", listed)
            assert {games.game("pearls").NAME for _ in range(3)} == {"pearls"}
    assert asked == ["pbem.games"]


def test_the_bot_plays_a_game_for_one(tmp_path: Path) -> None:
    alone = {(CODE, "(2, 4)"): "(1, 4)"}
    stands = said("standing(s)", "{seat: score(s, laid) for seat, laid in s.laid.items()}")
    with changed(tmp_path, "pearls", {**alone, **stands}):
        from pbem import Table

        table, rng = Table.start("pearls", ("ana",)), random.Random(1)
        while seat := table.asked:
            bots = seat == "ana"
            table = table.play(seat, table.bot(seat, rng, 8)) if bots else table.draw(rng)
    assert table.shares == {"ana": 1.0}


def test_a_text_that_fits_only_the_same_moves_is_not_ambiguous(tmp_path: Path) -> None:
    alike = said(
        "same(state, move, other)", "move == other or {move.card, other.card} == {'1', '2'}"
    )
    read = 'case ["take", card] if card in PEARLS:'
    low = 'case ["take", "low" | "any" as which]:\n            blank = frozenset({"card"})\n'
    low += "            return core.Pattern(text, Take(HIDDEN), blank)\n        "
    view: dict[str, Any] = {"hands": {"ana": ["9"] * 3, "ben": ["8"] * 3}, "display": ["1", "2"]}
    with changed(tmp_path, "pearls", {**alike, (CODE, read): f"{low}{read}"}):
        from pbem import Table

        table = Table.at("pearls", view, ("ana", "ben"))
        assert table.play("ana", "take low").events == ({"took": {"seat": "ana", "card": "1"}},)
        three = Table.at("pearls", {**view, "display": ["1", "2", "3"]}, ("ana", "ben"))
        with pytest.raises(Ambiguous):
            three.play("ana", "take any")
        with pytest.raises(Violation, match="fits nothing"):
            Table.at("pearls", {**view, "display": []}, ("ana", "ben")).play("ana", "take any")


@pytest.mark.parametrize(
    ("won", "matches", "told"),
    [
        (3, 12, []),  # luck may have it
        (0, 8, []),
        (4, 30, []),
        (3, 30, ["who stands best before the end wins 3 of 30 matches; by chance alone it would"]),
    ],
)
def test_who_stands_best_loses_more_often_than_luck_has_it(
    won: int, matches: int, told: list[str]
) -> None:
    game = SimpleNamespace(
        standing=lambda state: {"ana": 1, "ben": 0, "cai": 0},
        outcome=lambda end: SimpleNamespace(winners=(end,)),
    )
    table, plies = SimpleNamespace(seats=("ana", "ben", "cai")), (SimpleNamespace(state=None),)
    played: list[Any] = [
        SimpleNamespace(game=game, setup=table, plies=plies, some=lambda most: (), end=winner)
        for winner in ["ana"] * won + ["ben"] * (matches - won)
    ]
    law = laws_of_play.who_stands_best_wins_no_less_often_than_by_chance
    assert [str(each).removesuffix(" be 10") for each in law(played, 1)] == told


CARD = core.one_of("a card from 1 to 9", tuple("123456789"))
DIE = core.one_of("a die", tuple("123456"))


@core.record
class Roll(core.Move):
    low: str = core.fact(DIE)


@core.record
class Deal(core.Move):
    card: str = core.fact(CARD, secret="to")
    to: core.Seat = core.fact(core.SEAT)


@core.record
class Opened(core.Event):
    seat: core.Seat = core.fact(core.SEAT)
    card: str = core.fact(CARD)


def test_a_die_that_shows_what_a_card_is_called_is_no_card() -> None:
    game, left = SimpleNamespace(MOVES=(Deal, Roll), EVENTS=()), dict.fromkeys(CARD.values, 2)
    named = [laws_of_play.names_of_cards(game, left, kind) for kind in (Deal, Roll)]
    assert named == [["card"], []]


@pytest.mark.parametrize(("then", "forgotten"), [(["6", "3"], []), (["6", "3", "6"], ["6"])])
def test_an_opened_card_that_leaves_while_another_like_it_stays_hidden_is_not_forgotten(
    then: list[str], forgotten: list[str]
) -> None:
    before = {"hands": {"ana": ["6", "3"]}, "bids": {"ana": "6"}}
    after = {"hands": {"ana": then}, "bids": {}}
    game = SimpleNamespace(OPENS=(Opened,), view=lambda s: s, evolve=lambda s, event: after)
    ply: Any = SimpleNamespace(state=before, step=SimpleNamespace(events=(Opened("ana", "6"),)))
    known = {"hands": {"ana": ["?"] * len(then)}, "bids": {}}
    told = laws_of_knowledge._forgotten(game, ply, known, ("hands", "bids"))
    assert [json.loads(card) for _, _, card in told] == forgotten
