"""Kanaloa (Piatnik): what holds in every match, and what the general laws do not ask."""

from __future__ import annotations

import hashlib
import json
import os
import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

import pbem
from pbem import data, options, play, yamlio
from pbem.core import CHANCE, HIDDEN, Problem, Setup, Violation, mask
from pbem.render import Awaited, Letter, Report, report
from pbem.rules import kanaloa_piatnik as game
from pbem.rules.kanaloa_piatnik import cards as c
from pbem.rules.kanaloa_piatnik import facts as f
from pbem.rules.kanaloa_piatnik import sea as sea_of
from pbem.rules.kanaloa_piatnik.picture import COLUMNS, draw
from pbem.rules.kanaloa_piatnik.trick import winner

NAMES = ("ana", "ben", "cara", "dan", "eva")
ROUTE = [f"M{n:02}" for n in range(1, 13)]
DECK = Counter(c.COPIES)


def set_up(players: int, **chosen: Any) -> Setup:
    return options.setup(game, NAMES[:players], None, chosen)


def some_options(rng: random.Random) -> dict[str, Any]:
    """Any options at all, but for the route."""
    return {
        "starter": NAMES[rng.randrange(3)],
        "kanaloa_lead": rng.choice(["free", "first_tiki"]),
        "octopus_lead": rng.choice(["free", "first_tiki"]),
        "dolphin": rng.choice(["optional", "automatic"]),
        "may_decline_move": rng.random() < 0.3,
        "announce": rng.random() < 0.7,
        "announce_order": rng.choice(["open", "simultaneous"]),
        "announce_failure": rng.choice(["no_move", "no_bonus", "from_next_trick"]),
        "announce_before_removal": rng.random() < 0.5,
    }


def rarely(rng: random.Random, moves: list[Any]) -> Any:
    """A player who likes octopuses, dolphins and announcing, and otherwise plays at random."""
    rare = [m for m in moves if m in (f.Play(c.OCTOPUS), f.Dolphin(), f.Sail())]
    rare += [m for m in moves if isinstance(m, f.Announce) and m.tilts]
    return rng.choice(rare if rare and rng.random() < 0.6 else moves)


def plies(players: int, seed: int, **chosen: Any) -> Iterator[tuple[Any, play.Step, Any]]:
    """(state before, step, state after) for every ply of a random match."""
    rng = random.Random(seed)
    state = game.start(set_up(players, **chosen))
    while pending := game.pending(state):
        seat = rng.choice(pending).seat
        move = rarely(rng, play.legal_moves(game, state, seat))
        step = play.judge(game, state, seat, move)
        after = play.advance(game, state, step.events)
        yield state, step, after
        state = after


def matches(count: int) -> Iterator[tuple[int, int, dict[str, Any]]]:
    for seed in range(count):
        yield 3 + seed % 3, seed, some_options(random.Random(seed))


# ------------------------------------------------------------------------------- invariants


def test_cards_boats_and_route_stay_sound_in_every_match() -> None:
    happened: Counter[str] = Counter()
    for players, seed, chosen in matches(60):
        for before, step, after in plies(players, seed, **chosen):
            happened.update(type(event).__name__ for event in step.events)
            assert_cards_add_up(after, players)
            assert_boats_stand_well(after)
            assert_nobody_goes_back(before, step, after)
    assert set(happened) == {kind.__name__ for kind in f.EVENTS}, "something rare never happened"


def assert_cards_add_up(s: Any, players: int) -> None:
    view = game.view(s)
    cards = Counter(card for hand in view["hands"].values() for card in hand)
    cards += Counter(view["played"]) + Counter(card for _, card in view["table"])
    assert not cards - DECK
    assert sum(cards.values()) <= players * c.HAND
    if s.asked == "card":
        assert sum(cards.values()) == players * c.HAND
        assert view["trick"] == sum(view["tricks"].values()) + 1
    assert sorted([o["card"] for o in view["route"]] + view["removed"]) == ROUTE or s.asked in (
        "drop",
        "lay",
    )


def assert_boats_stand_well(s: Any) -> None:
    if s.asked in ("drop", "lay"):
        return
    route, boats = s.sea.route, s.sea.boats
    length = len(route.colours)
    assert length == 2 * len(route.cards) >= 2 * c.FEWEST_OCEAN_CARDS
    for field, count in Counter(boat % length for boat in boats).items():
        assert count == 1 or route.start[field]
    first = sea_of.leader(s.sea)
    if first is None:
        assert all(route.start[boat % length] for boat in boats if boat == max(boats))
    if s.asked:
        assert all(sea_of.lapped(s.sea, seat) is None for seat in range(len(boats)))
        assert max(boats) - min(boats) < length


def assert_nobody_goes_back(before: Any, step: play.Step, after: Any) -> None:
    """Only a removal makes positions smaller, and it keeps fields, order and laps."""
    if not before.sea.boats:
        return
    route, gone = before.sea.route, [e.card for e in step.events if isinstance(e, f.Removed)]
    if not gone:
        assert all(b <= a for b, a in zip(before.sea.boats, after.sea.boats, strict=True))
        return
    (card,) = gone
    without = sea_of.without(before.sea, card)
    old, new = route.names, without.route.names
    for b, a in zip(before.sea.boats, without.boats, strict=True):
        assert old[b % len(old)] == new[a % len(new)]
        assert b // len(old) == a // len(new)
    pairs = sorted(zip(before.sea.boats, without.boats, strict=True))
    assert [a for _, a in pairs] == sorted(without.boats)
    assert len(new) == len(old) - 2


@pytest.mark.parametrize(("players", "ocean", "left"), [(3, 10, 29), (4, 11, 21), (5, 12, 13)])
def test_as_many_cards_are_laid_dealt_and_left_as_the_rules_say(
    players: int, ocean: int, left: int
) -> None:
    for before, _, after in plies(players, 1):
        if before.asked == "deal" and after.asked == "card":
            assert len(after.sea.route.cards) == ocean
            assert sum(DECK.values()) == 53
            assert 53 - sum(c.size(hand) for hand in after.hands) == left
            assert sum(game.chances(before, m) for m in play.legal_moves(game, before, CHANCE)) == (
                left + 1
            )
            return


# ------------------------------------------------------------- tricks, by another definition


def strongest(cards: list[str], trump: str) -> int:
    """Who takes a trick, told from the beginning: each card against the best before it."""
    best, led = 0, None
    for n, card in enumerate(cards):
        colour = c.COLOUR.get(card)
        led = led or colour
        held = cards[best]
        if card == c.KANALOA:
            best = n
        elif card == c.OCTOPUS or held == c.KANALOA:
            continue
        elif held == c.OCTOPUS:
            best = n
        elif colour == c.COLOUR[held]:
            best = n if c.VALUE[card] > c.VALUE[held] else best
        elif colour == trump:
            best = n
    return best


def test_the_winner_of_a_trick_is_the_one_found_card_by_card() -> None:
    rng = random.Random(7)
    deck = list(DECK.elements())
    for _ in range(20_000):
        cards = rng.sample(deck, rng.randint(3, 5))
        trump = rng.choice(c.COLOURS)
        assert winner(tuple(cards), trump) == strongest(cards, trump), (cards, trump)


# ------------------------------------------------------------- boats, counted on the table


def test_a_boat_sails_and_laps_as_one_sees_it_on_the_table() -> None:
    """Field by field, without positions: who stands where, and who is last of all."""
    rng = random.Random(11)
    lapped = 0
    cards = list(sea_of.ocean(None).values())
    for _ in range(20_000):
        route = c.laid(rng.sample(cards, rng.randint(3, 6)))
        length = len(route.colours)
        seats = rng.randint(3, 5)
        first = rng.randrange(length)  # the last boat is here, the others within a lap ahead
        boats = [first, *rng.sample(range(first + 1, first + length), seats - 1)]
        rng.shuffle(boats)
        me = rng.randrange(seats)
        fields = [boat % length for boat in boats]
        step, skipped = (fields[me] + 1) % length, []
        while step in fields:
            skipped.append(fields.index(step))
            step = (step + 1) % length
        last = boats.index(min(boats))
        after = sea_of.moved(f.Sea(route, tuple(boats)), me)
        assert after.boats[me] % length == step
        assert after.boats[me] - boats[me] == len(skipped) + 1
        assert sea_of.lapped(after, me) == (last if last in skipped and me != last else None)
        lapped += last in skipped
        beside = {(step - 1) % length, (step + 1) % length}
        alone = not beside & {field for n, field in enumerate(fields) if n != me}
        assert sea_of.dolphin_helps(after, me) == (route.dolphins[step] and alone)
    assert lapped > 500


# --------------------------------------------------------------------------------- notation

READ = [
    ("R7", "red 7"), ("red7", "red 7"), ("Rot 7", "red 7"), ("T12", "turquoise 12"),
    ("türkis 12", "turquoise 12"), ("tuerkis 12", "turquoise 12"), ("grün 3", "green 3"),
    ("gr 3", "green 3"), ("B1", "blue 1"), ("blau 1", "blue 1"), ("1 blue", "blue 1"),
    ("play green 3", "green 3"), ("I play the green 3", None), ("spiele G3", "green 3"),
    ("K", "kanaloa"), ("Kanaloa", "kanaloa"), ("kana", "kanaloa"), ("O", "octopus"),
    ("Krake", "octopus"), ("Kraken", "octopus"), ("Octo", "octopus"), ("octopus.", "octopus"),
    ("remove m5", "remove M05"), ("remove M 05", "remove M05"),
    ("entferne Meereskarte M12", "remove M12"),
    ("dolphin", "dolphin"), ("Delfin", "dolphin"), ("no dolphin", "stay"), ("kein Delfin", "stay"),
    ("sail", "sail"), ("segeln", "sail"), ("sail 3", "sail"), ("stay", "stay"), ("bleibe", "stay"),
    ("announce", "announce"), ("announce no trick", "announce"), ("no trick", "announce"),
    ("ansagen", "announce"), ("kein Stich", "announce"), ("announce openly", "announce"),
    ("no announce", "no announce"), ("keine Ansage", "no announce"), ("announce ?", "announce ?"),
    ("deal R7", "deal red 7"), ("deal ?", "deal ?"), ("deal red 7 to ana", "deal red 7"),
    ("lay M03", "lay M03"), ("lay m3 turned", "lay M03 turned"),
    ("lege M03 gedreht", "lay M03 turned"),
    ("drop M07", "drop M07"), ("leave out M07", "drop M07"),
    ("red 13", None), ("red 0", None), ("red", None), ("7", None), ("purple 7", None),
    ("red blue 7", None),
    ("remove", None), ("stay here", None), ("no", None), ("", None), ("!!", None), ("sail 4", None),
    ("remove M05 M06", None), ("dolphin 3", None), ("red ²", "red 2"),
]  # fmt: skip


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
        *"7 12 99 M05 m5 ? - , . ² ٣ ä ß 🐙 to".split(), "\t",
    ]  # fmt: skip
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


# ------------------------------------------------------------------- ocean cards and set-ups


def board(**changes: Mapping[str, Any] | None) -> dict[str, Any]:
    """Our ocean cards with some changed, or left out (None)."""
    cards = []
    for card in data.game_file(game.DATA, "board")["ocean"]:
        change = changes.get(card["card"], {})
        if change is not None:
            cards.append({**card, **change})
    return {"game": "kanaloa-piatnik", "ocean": cards}


def test_other_ocean_cards_replace_ours() -> None:
    mine = board(
        M01={"start": "red"}, M03={"fields": ["turquoise", "green"], "dolphins": ["green"]}
    )
    text = json.dumps(mine)
    schema = data.schema_text("board-kanaloa-piatnik")
    assert yamlio.validate(mine, schema, text, "board") == []
    table = pbem.Table.start("kanaloa-piatnik", NAMES, options={"route": ROUTE}, board=mine)
    view = table.view()
    assert view["boats"] == dict.fromkeys(NAMES, 1)
    assert view["trump"] == "red"
    assert view["route"][2] == {
        "card": "M03",
        "fields": ["turquoise", "green"],
        "dolphin": [False, True],
        "start": [False, False],
    }


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"M12": None}, "there are 12 different ocean cards, not 11"),
        ({"M12": {"card": "M5"}}, "ocean cards are called like M01, not 'M5'"),
        ({"M12": {"card": 12}}, "ocean cards are called like M01, not 12"),
        ({"M12": {"colour": "red"}}, "an ocean card has card, dolphins, fields, start; this is"),
        ({"M12": {"fields": [["red"], "blue"]}}, "M12 needs two different colours"),
        ({"M12": {"fields": "red"}}, "M12 needs two different colours"),
        ({"M12": {"dolphins": "red"}}, "the dolphins of M12 are a list"),
        ({"M12": {"card": "M11"}}, "there are 12 different ocean cards, not 11"),
        ({"M02": {"fields": ["red", "red"]}}, "M02 needs two different colours"),
        ({"M02": {"fields": ["red", "pink"]}}, "M02 needs two different colours"),
        ({"M02": {"dolphins": ["green"]}}, "M02 has no green field"),
        ({"M02": {"start": "blue"}}, "one ocean card has the start field, not 2"),
        ({"M01": {"start": None}}, "one ocean card has the start field, not 0"),
    ],
)
def test_ocean_cards_that_make_no_set_are_a_problem(
    changes: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(Problem, match=complaint):
        pbem.Table.start("kanaloa-piatnik", NAMES, board=board(**changes))


@pytest.mark.parametrize("nonsense", [{}, {"ocean": 7}, {"game": "kahuna", "ocean": []}])
def test_what_is_no_board_file_of_this_game_is_a_problem(nonsense: dict[str, Any]) -> None:
    with pytest.raises(Problem, match="a board for this game has"):
        pbem.Table.start("kanaloa-piatnik", NAMES, board=nonsense)


@pytest.mark.parametrize(
    ("route", "complaint"),
    [
        (ROUTE, "4 players sail on 11 different ocean cards, this route has 12"),
        (ROUTE[1:], "M01 has the start field"),
        ([*ROUTE[:10], "M10"], "this route has 10"),
        ([*ROUTE[:10], "M13"], "'M13' is no ocean card"),
        ([*ROUTE[:10], "M12 upside"], "'M12 upside' is no ocean card"),
    ],
)
def test_a_route_that_cannot_be_is_a_problem(route: list[str], complaint: str) -> None:
    with pytest.raises(Problem, match=complaint):
        pbem.Table.start("kanaloa-piatnik", NAMES[:4], options={"route": route})


@pytest.mark.parametrize(
    ("position", "complaint"),
    [
        ({"nonsense": 1}, "has no 'nonsense'"),
        ({"seats": ["ana", "ben"]}, "the seats are ana, ben, cara"),
        ({"boats": {"dan": 1}}, "'dan' is none of"),
        ({"boats": {"ana": 3, "ben": 3}}, "two boats are on one field"),
        ({"boats": {"ana": 24, "ben": 0}}, "two boats are on one field"),
        ({"boats": {"ana": -1}}, "from 0 up, not -1"),
        ({"hands": {"ana": ["blue 1"]}}, "ana must have 8 cards now, not 1"),
        ({"hands": {"ana": ["blue 1", "blue 1", *["?"] * 6]}}, "no more than 1 of blue 1"),
        ({"hands": {"ana": ["blue 13", *["?"] * 7]}}, "'blue 13' is no card"),
        ({"tricks": {"ana": 9}}, "a round has 8 tricks"),
        ({"table": [["ana", "blue 1"], ["cara", "blue 2"]]}, "are those of ana, ben"),
        (
            {"asked": "octopus", "route": ROUTE[:3], "table": [["ana", "octopus"]]},
            "octopus cannot be asked of ana now: no ocean card is free",
        ),
        ({"asked": "octopus"}, "it has not just played an octopus"),
        ({"asked": "removal"}, "it has not taken the last of eight tricks"),
        ({"asked": "bonus"}, "it has not kept an announcement"),
        ({"asked": "move"}, "it has not just taken a trick"),
        ({"asked": "dolphin"}, "its boat is not alone on a dolphin"),
        ({"asked": "dolphin", "boats": {"ana": 7}}, "its boat has not just moved"),
        ({"asked": "announce", "tricks": {"ana": 1}}, "cards have been played"),
        ({"asked": "announce", "turn": "ben", "announced": {"ben": True}}, "it has spoken"),
        ({"asked": "deal", "turn": "ben"}, "it is not the next to get a card"),
        ({"turn": "cara"}, "card cannot be asked of cara now: it has not to play now"),
        ({"boats": {"ana": 30, "ben": 1, "cara": 2}}, "the last boat has been lapped"),
        ({"asked": None}, "nothing is asked for, but nobody has lapped the last boat"),
        ({"asked": "sing"}, "'sing' is none of"),
        ({"trump": "green"}, "trump is 'blue' in this position, not 'green'"),
        ({"leader": "ana"}, "leader is None in this position, not 'ana'"),
        ({"removed": ["M02"]}, "each ocean card is in the route, removed or yet to be laid"),
    ],
)
def test_a_position_that_cannot_be_is_a_problem(position: dict[str, Any], complaint: str) -> None:
    with pytest.raises(Problem, match=complaint):
        pbem.Table.at("kanaloa-piatnik", {"route": ROUTE, **position}, NAMES[:3])


def test_a_finished_match_is_set_up_from_its_view() -> None:
    *_, (_, _, final) = plies(3, 1)
    view = game.view(final)
    again = game.position(set_up(3), view)
    assert game.view(again) == view
    assert game.outcome(again) == game.outcome(final)
    assert game.pending(again) == ()


def test_every_position_of_a_match_is_set_up_from_its_view_as_it_was() -> None:
    for players, seed, chosen in matches(9):
        setup = set_up(players, **chosen)
        for before, _, _ in plies(players, seed, **chosen):
            assert game.position(setup, game.view(before)) == before


# ------------------------------------------------------------------------------- one message


def ordered(position: dict[str, Any], seat: str, *texts: str) -> play.Accepted[Any] | play.Rejected:
    """What becomes of one message."""
    state = game.position(set_up(3), {"route": ROUTE, "tricks": {"ben": 6}, **position})
    return play.adjudicate(game, state, seat, [game.parse(text) for text in texts])


def test_an_octopus_and_what_it_removes_can_come_in_one_message() -> None:
    hands = {"hands": {"ana": ["octopus", "red 1"]}}
    both = ordered(hands, "ana", "octopus", "remove M12", "red 1")
    assert isinstance(both, play.Accepted)
    assert [game.notate(step.move) for step in both.steps] == ["octopus", "remove M12"]
    assert [pattern.said for pattern in both.unplayed] == ["red 1"]
    wrong = ordered(hands, "ana", "octopus", "remove M01")
    assert isinstance(wrong, play.Rejected)
    assert wrong.at == 1


def test_a_card_a_dolphin_and_the_next_lead_can_come_in_one_message() -> None:
    position = {
        "boats": {"ana": 2, "ben": 9, "cara": 12},
        "table": [["ben", "red 1"], ["cara", "red 2"]],
        "hands": {"ana": ["kanaloa", "blue 1"]},
    }
    all_three = ordered(position, "ana", "kanaloa", "dolphin", "blue 1")
    assert isinstance(all_three, play.Accepted)
    assert len(all_three.steps) == 3
    assert all_three.state.turn == "ben"


@pytest.mark.parametrize("seed", range(3))
def test_a_match_at_the_table_in_text_seen_by_all(seed: int) -> None:
    rng = random.Random(seed)
    table = pbem.Table.start("kanaloa-piatnik", NAMES[:4], options={"announce": True})
    for _ in range(150):
        seat = rng.choice(table.pending).seat
        table = table.play(seat, rng.choice(table.legal(seat)))
    for viewer in (None, *NAMES[:4]):
        seen = table.seen_by(viewer)
        assert seen.pending == table.pending
        for seat, hand in seen.view()["hands"].items():
            known = hand if seat == viewer else [HIDDEN] * len(hand)
            assert hand == known
            assert len(hand) == len(table.view()["hands"][seat])


# -------------------------------------------------------------------------- who knows what


@pytest.mark.parametrize("seed", range(6))
def test_nothing_of_a_hand_or_a_secret_announcement_is_in_what_others_get(seed: int) -> None:
    chosen = {"announce": True, "announce_order": "simultaneous"}
    seats = NAMES[:4]
    for state, step, _ in plies(4, seed, **chosen):
        for viewer in (None, *seats):
            move = mask(step.move, viewer, step.seat, seats)
            shown = [move, *(mask(event, viewer, step.seat, seats) for event in step.events)]
            if isinstance(step.move, f.Deal) and step.move.to != viewer:
                assert step.move.card not in str(shown)
                assert HIDDEN in str(shown)
            if isinstance(step.move, f.Announce) and step.seat != viewer:
                last = state.tally.announced.count(None) == 1
                assert game.notate(move) == "announce ?"
                assert ("True" in str(shown) or "False" in str(shown)) == last


def test_of_a_hidden_hand_every_card_not_seen_elsewhere_may_be_played() -> None:
    table = pbem.Table.at(
        "kanaloa-piatnik",
        {"route": ROUTE, "tricks": {"ben": 6}, "table": [["ana", "blue 1"]],
         "hands": {"ana": ["red 1"], "cara": ["red 2", "kanaloa"]}},
        NAMES[:3],
    )  # fmt: skip
    cards = {card for card in c.CARDS if card not in ("blue 1", "red 1", "red 2")}
    assert set(table.legal("ben")) == cards
    state = table._state
    assert game.check(state, "ben", f.Play("green 5")) is False
    with pytest.raises(Violation, match="P-15"):
        game.check(state, "ben", f.Play("red 2"))
    after = table.play("ben", "red 5")
    assert after.view()["hands"]["ben"] == [HIDDEN]


def test_the_order_of_legal_moves_does_not_depend_on_the_process() -> None:
    program = (
        "import sys; sys.path.insert(0, 'tests')\n"
        "import hashlib, test_kanaloa_piatnik as t\n"
        "print(t.fingerprint_of_a_match())"
    )
    found = set()
    for seed in "1", "2":
        env = {**os.environ, "PYTHONHASHSEED": seed}
        run = subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True, text=True, env=env, check=True, cwd=data.ROOT,
        )  # fmt: skip
        found.add(run.stdout)
    assert len(found) == 1


def fingerprint_of_a_match() -> str:
    """Every legal move of a random match, in order, as a hash."""
    digest = hashlib.sha256()
    for state, _, _ in plies(4, 2, announce=True):
        for decision in game.pending(state):
            moves = play.legal_moves(game, state, decision.seat)
            digest.update("; ".join(map(game.notate, moves)).encode())
    return digest.hexdigest()


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
        row = [(cell[n : n + 5], on[n : n + 5])
               for cell, on in zip(cells, on_them, strict=True) for n in (0, 5)]  # fmt: skip
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
        {"route": ROUTE, "tricks": {"ben": 3}, "table": [["ana", "turquoise 2"]],
         "hands": {"ben": ["turquoise 4", "turquoise 12", "red 12", "kanaloa", "octopus"]}},
        NAMES[:3],
    ).seen_by("ben")  # fmt: skip
    text = report(letter_for(table, "ben"), "text")
    assert "red       12\n" in text
    assert "turquoise  4* 12*" in text
    assert "kanaloa    x*" in text
    assert "Trump     blue" in text
    assert "Ana: 4 hidden cards" in text
    assert max(map(len, text.splitlines())) <= 72


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
        outcome=None,
        letter=Letter(seat, table.legal(seat)),
    )
