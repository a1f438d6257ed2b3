"""Kanaloa (Piatnik): what holds in every match, and what the general laws do not ask."""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from itertools import islice
from typing import Any

import pytest
from kanaloa_matches import DECK, NAMES, ROUTE, matches, plies, set_up
from long import many

import pbem
from pbem.core import CHANCE, HIDDEN, Violation, mask
from pbem.files import data
from pbem.play import judge as play
from pbem.rules import kanaloa_piatnik as game
from pbem.rules.kanaloa_piatnik import board, cards, events, moves, race
from pbem.rules.kanaloa_piatnik.decisions import ANSWERS, FOLLOWS
from pbem.rules.kanaloa_piatnik.route import laid
from pbem.rules.kanaloa_piatnik.state import Sea
from pbem.rules.kanaloa_piatnik.trick import winner

# ------------------------------------------------------------------------------- invariants


def test_cards_boats_and_route_stay_sound_in_every_match() -> None:
    happened: Counter[str] = Counter()
    for players, seed, chosen in matches(many(20, 60)):
        for before, step, after in plies(players, seed, **chosen):
            happened.update(type(event).__name__ for event in step.events)
            assert_cards_add_up(after, players)
            assert_boats_stand_well(after)
            assert_nobody_goes_back(before, step, after)
    every = {kind.__name__ for kind in events.EVENTS}
    assert set(happened) == every, "something rare never happened"


def assert_cards_add_up(s: Any, players: int) -> None:
    view = game.view(s)
    cards = Counter(card for hand in view["hands"].values() for card in hand)
    cards += Counter(view["played"]) + Counter(card for _, card in view["table"])
    assert not cards - DECK
    assert sum(cards.values()) <= players * board.HAND
    if s.asked == "card":
        assert sum(cards.values()) == players * board.HAND
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
    assert length == 2 * len(route.cards) >= 2 * board.FEWEST_OCEAN_CARDS
    for field, count in Counter(boat % length for boat in boats).items():
        assert count == 1 or route.start[field]
    first = race.leader(s.sea)
    if first is None:
        assert all(route.start[boat % length] for boat in boats if boat == max(boats))
    if s.asked != "over":
        assert all(race.lapped(s.sea, seat) is None for seat in range(len(boats)))
        assert max(boats) - min(boats) < length


def assert_nobody_goes_back(before: Any, step: play.Step, after: Any) -> None:
    """Only a removal makes positions smaller, and it keeps fields, order and laps."""
    if not before.sea.boats:
        return
    route, gone = before.sea.route, [e.card for e in step.events if isinstance(e, events.Removed)]
    if not gone:
        assert all(b <= a for b, a in zip(before.sea.boats, after.sea.boats, strict=True))
        return
    (card,) = gone
    without = race.without(before.sea, card)
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
            assert 53 - sum(cards.size(hand) for hand in after.hands) == left
            assert sum(game.chances(before, m) for m in play.legal_moves(game, before, CHANCE)) == (
                left + 1
            )
            return


# --------------------------------------------------------------------- the course of a match


def test_a_match_follows_the_table_of_stages_and_meets_all_of_it() -> None:
    met: set[tuple[str, str]] = set()
    for players, seed, chosen in matches(60):
        met |= stages(plies(players, seed, **chosen))
    for players, seed, chosen in matches(300):  # the last trick of a round, on a short route
        announced = dict.fromkeys(NAMES[:players], False) | {"ana": chosen["announce"]}
        route = ROUTE[: 3 + seed % 4]
        boats = {"cara": 2 * len(route) - 1} if seed % 8 > 3 else {}  # about to lap the others
        view = {"route": route, "tricks": {"ben": 7}, "announced": announced, "boats": boats}
        met |= stages(islice(plies(players, seed, view, **chosen), 12))
    drawn = {(stage, after) for stage, following in FOLLOWS.items() for after in following}
    assert met == drawn


def stages(match: Iterable[tuple[Any, play.Step, Any]]) -> set[tuple[str, str]]:
    """Which stage came after which."""
    return {(before.asked, after.asked) for before, _, after in match}


def test_every_kind_of_move_is_judged_at_every_stage() -> None:
    every = [
        moves.Play("red 1"),
        moves.Remove("M05"),
        moves.Dolphin(),
        moves.Sail(),
        moves.Stay(),
        moves.Announce(True, board.ALL_SEATS),
        moves.Drop("M05"),
        moves.Lay("M05", False),
        moves.Deal("red 1", "ana"),
        moves.Deal(HIDDEN, "ana"),
    ]
    assert {type(move) for move in every} == set(game.MOVES)
    judged: set[tuple[str, type[Any]]] = set()
    for players, seed, chosen in matches(12):
        for s, _, after in plies(players, seed, **chosen):
            for state in (s, after):
                for move in every:
                    with suppress(Violation):
                        game.check(state, state.turn, move)
                        assert type(move) in ANSWERS[state.asked]
                    judged.add((state.asked, type(move)))
    assert judged == {(stage, kind) for stage in FOLLOWS for kind in game.MOVES}


TAKEN = {"tricks": {"ana": 8}, "lead": "ana"}
KEPT = {"tricks": {"ben": 8}, "lead": "ben", "announced": {"ana": True}}


@pytest.mark.parametrize(
    ("position", "move", "rule"),
    [
        ({"asked": "drop", "route": [], "removed": []}, "lay M01", "P-8"),
        ({"asked": "lay", "route": [], "removed": ["M12"]}, "drop M11", "P-7"),
        ({"asked": "deal"}, "red 1", "P-12"),
        ({"asked": "deal"}, "deal ?", "P-A34"),
        ({"asked": "announce"}, "red 1", "P-45"),
        ({"asked": "octopus", "table": [["ana", "octopus"]]}, "red 1", "P-37"),
        ({"asked": "octopus", "table": [["ana", "octopus"]]}, "stay", "P-37"),
        ({"asked": "removal", **TAKEN}, "red 1", "P-21"),
        ({"asked": "removal", **TAKEN}, "stay", "P-21"),
        ({"asked": "dolphin", **TAKEN, "boats": {"ana": 3}}, "red 1", "P-41"),
        ({"asked": "dolphin", **TAKEN, "boats": {"ana": 3}}, "sail", "P-41"),
        ({"asked": "move", **TAKEN}, "red 1", "P-16"),
        ({"asked": "bonus", **KEPT}, "dolphin", "P-46"),
        ({"asked": None, "boats": {"ana": 24, "ben": 1}}, "red 1", "P-42"),
        ({}, "remove M05", "P-37"),
        ({}, "dolphin", "P-41"),
        ({}, "sail", "P-16"),
        ({}, "stay", "P-A13"),
        ({}, "announce", "P-44"),
        ({}, "drop M05", "P-A2"),
        ({}, "lay M05", "P-A3"),
        ({}, "deal red 3", "P-A34"),
    ],
)
def test_a_move_that_is_not_asked_for_breaks_the_rule_that_matters(
    position: dict[str, Any], move: str, rule: str
) -> None:
    state = game.position(set_up(4), {"route": ROUTE[:11], **position})
    with pytest.raises(Violation) as refusal:
        game.check(state, state.turn, game.parse(move).move)
    assert refusal.value.rule == rule


@pytest.mark.parametrize(
    ("chosen", "move", "rule"),
    [({"may_decline_move": True}, "stay", "P-16"), ({"announce": True}, "announce", "P-45")],
)
def test_an_option_that_is_played_has_its_own_time(
    chosen: dict[str, Any], move: str, rule: str
) -> None:
    state = game.position(set_up(4, **chosen), {"route": ROUTE[:11]})
    with pytest.raises(Violation) as refusal:
        game.check(state, "ana", game.parse(move).move)
    assert refusal.value.rule == rule


# ------------------------------------------------------------- tricks, by another definition


def strongest(cards: list[str], trump: str) -> int:
    """Who takes a trick, told from the beginning: each card against the best before it."""
    best, led = 0, None
    for n, card in enumerate(cards):
        colour = board.COLOUR.get(card)
        led = led or colour
        held = cards[best]
        if card == board.KANALOA:
            best = n
        elif card == board.OCTOPUS or held == board.KANALOA:
            continue
        elif held == board.OCTOPUS:
            best = n
        elif colour == board.COLOUR[held]:
            best = n if board.VALUE[card] > board.VALUE[held] else best
        elif colour == trump:
            best = n
    return best


def test_the_winner_of_a_trick_is_the_one_found_card_by_card() -> None:
    rng = random.Random(7)
    deck = list(DECK.elements())
    for _ in range(20_000):
        cards = rng.sample(deck, rng.randint(3, 5))
        trump = rng.choice(board.COLOURS)
        assert winner(tuple(cards), trump) == strongest(cards, trump), (cards, trump)


# ------------------------------------------------------------- boats, counted on the table


def test_a_boat_sails_and_laps_as_one_sees_it_on_the_table() -> None:
    """Field by field, without positions: who stands where, and who is last of all."""
    rng = random.Random(11)
    lapped = 0
    cards = list(board.ocean(None).values())
    for _ in range(20_000):
        route = laid(rng.sample(cards, rng.randint(3, 6)))
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
        after = race.moved(Sea(route, tuple(boats)), me)
        assert after.boats[me] % length == step
        assert after.boats[me] - boats[me] == len(skipped) + 1
        assert race.lapped(after, me) == (last if last in skipped and me != last else None)
        lapped += last in skipped
        beside = {(step - 1) % length, (step + 1) % length}
        alone = not beside & {field for n, field in enumerate(fields) if n != me}
        assert race.dolphin_helps(after, me) == (route.dolphins[step] and alone)
        assert not (
            skipped and race.dolphin_helps(after, me)
        )  # one of them is right behind [P-A17]
    assert lapped > 500


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
            if isinstance(step.move, moves.Deal) and step.move.to != viewer:
                assert step.move.card not in str(shown)
                assert HIDDEN in str(shown)
            if isinstance(step.move, moves.Announce) and step.seat != viewer:
                last = state.tally.announced.count(None) == 1
                assert game.notate(move) == "announce ?"
                assert ("True" in str(shown) or "False" in str(shown)) == last


def test_of_a_hidden_hand_every_card_not_seen_elsewhere_may_be_played() -> None:
    table = pbem.Table.at(
        "kanaloa-piatnik",
        {
            "route": ROUTE,
            "tricks": {"ben": 6},
            "table": [["ana", "blue 1"]],
            "hands": {"ana": ["red 1"], "cara": ["red 2", "kanaloa"]},
        },
        NAMES[:3],
    )
    cards = {card for card in board.CARDS if card not in ("blue 1", "red 1", "red 2")}
    assert set(table.legal("ben")) == cards
    state = table._state
    assert game.check(state, "ben", moves.Play("green 5")) is False
    with pytest.raises(Violation, match="P-15"):
        game.check(state, "ben", moves.Play("red 2"))
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
            capture_output=True,
            text=True,
            env=env,
            check=True,
            cwd=data.ROOT,
        )
        found.add(run.stdout)
    assert len(found) == 1


def fingerprint_of_a_match() -> str:
    """Every legal move of a random match, in order, as a hash."""
    digest = hashlib.sha256()
    for state, _, _ in plies(4, 2, announce=True):
        for decision in game.pending(state):
            legal = play.legal_moves(game, state, decision.seat)
            digest.update("; ".join(map(game.notate, legal)).encode())
    return digest.hexdigest()
