"""Kanaloa (Bambus): what holds in every match, and what can be checked by other means."""

from __future__ import annotations

import itertools
import os
import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable

import pytest
from bambus import GAMES, SEATS, each_count, game, is_legal, match, setup_of, some_states

from pbem.core import word
from pbem.play import judge as play
from pbem.rules.kanaloa_bambus import events, favour, moves
from pbem.rules.kanaloa_bambus.chart import Chart, bits, connected, layable, reversible
from pbem.rules.kanaloa_bambus.decisions import ways_to_draw
from pbem.rules.kanaloa_bambus.state import NOBODY, State, exits, laid, volcanoes_in_bag
from pbem.rules.kanaloa_bambus.tiles import GODS, KANE, TEMPLES, TILES, offering

# ----------------------------------------------------------------- what holds in every match


@each_count
def test_what_holds_in_every_match(count: int) -> None:
    """104 tiles, one fish a current, everything reachable, no holder below Kane, and an end."""
    seen: Counter[str] = Counter()
    for seed in range(GAMES):
        chosen = {"eruptions": "draw"} if seed % 5 == 4 else {}
        for ply, (before, _, step, after) in enumerate(match(setup_of(count, **chosen), seed)):
            assert ply < 3000
            seen.update(word(type(event)) for event in step.events)
            assert_sound(after)
            if any(isinstance(event, events.Flipped | events.Reversed) for event in step.events):
                assert_kanaloa_was_fair(before, after)
        assert after.ended
        assert after.volcanoes == after.world.box.last
    rare = {"turn-lost", "withdrew", "second-placed", "freed", "called", "robbed", "bag-filled"}
    assert rare <= set(seen)


def assert_sound(s: State) -> None:
    """What is true of every position."""
    world, chart = s.world, s.world.chart
    view = game.view(s)
    tiles = Counter(tile for zone in (*s.tiles, *s.hands) for tile in zone)
    unseen = dict(zip(world.box.kinds, s.unseen, strict=True))
    total = sum(tiles.values()) + sum(view["gone"].values()) + sum(unseen.values())
    assert total == sum(world.box.copies)
    assert all(n >= 0 for n in unseen.values())
    assert s.bag + s.aside == sum(unseen.values()) + world.box.last - s.volcanoes
    assert 0 <= volcanoes_in_bag(s) <= s.bag
    for one, other in itertools.combinations(s.fish, 2):
        assert not one & other
    lying = laid(s)
    assert s.forward | s.white == (s.forward | s.white) & lying
    assert connected(chart, lying, s.forward)
    for god in range(len(GODS)):
        for cards in (s.gods, s.guards):
            if cards[god] != NOBODY:
                assert s.temples[cards[god]][god] >= s.temples[cards[god]][KANE]
        assert s.guards[god] == NOBODY or s.guards[god] != s.gods[god]
        assert world.protected or s.guards[god] == NOBODY
    for pawns, stunned in zip(s.pawns, s.stunned, strict=True):
        assert not Counter(stunned) - Counter(pawns)
        assert len(pawns) <= 2
        assert pawns.count(world.sky) <= 1
        assert world.sky not in stunned
    if s.stage == "start" and not s.ended:
        assert all(s.pawns)
        assert all(len(row) == 2 for row in s.tiles)


def assert_kanaloa_was_fair(before: State, after: State) -> None:
    """Nobody who had a way out has lost it [B-57]."""
    for seat, pawns in enumerate(before.pawns):
        for place in pawns:
            if place != before.world.sky and exits(before, seat, place):
                assert exits(after, seat, place)


# ------------------------------------------------------------------------------- brute force


@each_count
def test_every_sacrifice_and_every_swap_there_can_be_is_found(count: int) -> None:
    asked = 0
    for s in some_states(count):
        if game.pending(s)[0].kind != "turn":
            continue
        seat = s.world.seats[s.turn]
        found = set(play.legal_moves(game, s, seat))
        hand = s.hands[s.turn]
        if len(hand) <= 7:
            chosen = (
                tuple(itertools.compress(hand, marks))
                for marks in itertools.product((0, 1), repeat=len(hand))
            )
            tried = {moves.Sacrifice(god, tiles) for tiles in chosen for god in TEMPLES}
            legal = {move for move in tried if is_legal(s, seat, move)}
            assert legal == {move for move in found if isinstance(move, moves.Sacrifice)}
            asked += bool(legal)
        if s.gods[GODS.index("lono")] == s.turn:
            islands = s.world.chart.islands
            swaps = {
                moves.Swap(a, tile, b, other)
                for a, b in itertools.combinations(islands, 2)
                for tile in s.tiles[islands.index(a)]
                for other in s.tiles[islands.index(b)]
            }
            legal = {move for move in swaps if is_legal(s, seat, move)}
            assert legal == {move for move in found if isinstance(move, moves.Swap)}
    assert asked > 20


def test_a_tile_alone_goes_to_the_gods_it_shows() -> None:
    for tile in TILES:
        gods, points = offering((tile,))
        shown = re.sub(r"\d", "", tile).split("/")
        assert [TEMPLES[n] for n in bits(gods)] == sorted(shown, key=TEMPLES.index), tile
        assert points == int(tile[-1]), tile


# ---------------------------------------------------------------------------- the fish phase


@each_count
def test_a_fish_may_be_laid_exactly_where_all_islands_still_reach_each_other(count: int) -> None:
    """The quick test of a placement against the plain one: lay it and look."""
    for s in some_states(count):
        if s.stage != "fish":
            continue
        chart, lying = s.world.chart, laid(s)
        back, ahead = layable(chart, lying, s.forward)
        for n in bits(chart.every & ~lying):
            bit = 1 << n
            assert back >> n & 1 == connected(chart, lying | bit, s.forward)
            assert ahead >> n & 1 == connected(chart, lying | bit, s.forward | bit)


@each_count
def test_laying_fish_never_comes_to_a_dead_end(count: int) -> None:
    """So the makeshift repair of the rules is never needed [B-A45]."""
    rng = random.Random(count)
    chart = game.start(setup_of(count)).world.chart
    for _ in range(60):
        lying = forward = 0
        while lying != chart.every:
            back, ahead = layable(chart, lying, forward)
            ways = [(n, k) for k, some in enumerate((back, ahead)) for n in bits(some)]
            n, k = rng.choice(ways)
            lying |= 1 << n
            forward |= k << n
        assert connected(chart, lying, forward)


def reachable(chart: Chart, forward: int) -> bool:
    """Written another way: from each island, follow the fish."""
    onward: dict[int, set[int]] = {}
    for n, (a, b) in enumerate(chart.ends):
        tail, head = (a, b) if forward >> n & 1 else (b, a)
        onward.setdefault(tail, set()).add(head)
    for start in range(len(chart.islands)):
        seen, todo = {start}, [start]
        while todo:
            fresh = onward.get(todo.pop(), set()) - seen
            seen |= fresh
            todo += fresh
        if len(seen) < len(chart.islands):
            return False
    return True


@each_count
def test_a_fish_can_be_turned_round_exactly_if_everything_stays_reachable(count: int) -> None:
    rng = random.Random(count)
    chart = game.start(setup_of(count)).world.chart
    lying = [s.forward for s in some_states(count) if laid(s) == chart.every][::60]
    for forward in (*lying, *(rng.getrandbits(len(chart.ends)) for _ in range(30))):
        assert connected(chart, chart.every, forward) == reachable(chart, forward)
        turned = reversible(chart, chart.every, forward)
        for n in range(len(chart.ends)):
            assert turned >> n & 1 == reachable(chart, forward ^ 1 << n)


# --------------------------------------------------------------------- cards, by other means


class Plain:
    """The cards as a list of sentences: slow, and written without looking at `favour`."""

    def __init__(self, players: int, level_takes: bool) -> None:
        self.level_takes = level_takes
        self.height = [dict.fromkeys(TEMPLES, 0) for _ in range(players)]
        self.gods: dict[str, int | None] = dict.fromkeys(GODS)
        self.guards: dict[str, int | None] = dict.fromkeys(GODS)
        self.four = players == 4

    def may_hold(self, seat: int, god: str) -> bool:
        return self.height[seat][god] >= self.height[seat]["kane"]

    def first(self, god: str, *out: int | None) -> int | None:
        rows = sorted(
            (
                (-row[god], seat)
                for seat, row in enumerate(self.height)
                if seat not in out and row[god] and self.may_hold(seat, god)
            )
        )
        if not rows or (len(rows) > 1 and rows[0][0] == rows[1][0]):
            return None
        return rows[0][1]

    def sacrifice(self, seat: int, god: str, points: int) -> None:
        self.height[seat][god] += points
        if god == "kane":
            for lost in GODS:
                if self.may_hold(seat, lost):
                    continue
                if self.gods[lost] == seat:
                    self.gods[lost], self.guards[lost] = self.guards[lost], None
                elif self.guards[lost] == seat:
                    self.guards[lost] = None
        elif self.may_hold(seat, god) and self.gods[god] != seat:
            self._climb(seat, god)
        for each in GODS:
            if self.gods[each] is None:
                self.gods[each] = self.first(each)
            if self.four and self.gods[each] is not None and self.guards[each] is None:
                self.guards[each] = self.first(each, self.gods[each])

    def _climb(self, seat: int, god: str) -> None:
        mine, holder = self.height[seat][god], self.gods[god]
        others = [
            row[god]
            for other, row in enumerate(self.height)
            if other != seat and self.may_hold(other, god)
        ]
        over = holder is None or mine > self.height[holder][god]
        if over and all(mine > height for height in others):
            self.gods[god] = seat
            if self.guards[god] == seat:
                self.guards[god] = None
            if self.four and holder is not None:
                self.guards[god] = holder
        elif (
            self.level_takes
            and self.guards[god] == seat
            and mine == self.height[holder or 0][god]
            and all(mine >= height for height in others)
        ):
            self.gods[god], self.guards[god] = seat, holder
        elif self.four and holder is not None and not over:
            guard = self.guards[god]
            if guard is None:
                if self.first(god, holder) == seat:
                    self.guards[god] = seat
            elif guard != seat and mine > self.height[guard][god]:
                self.guards[god] = seat


@pytest.mark.parametrize(("count", "level_takes"), [(4, False), (4, True), (3, False), (2, False)])
def test_the_cards_go_where_the_sentences_say(count: int, level_takes: bool) -> None:
    rng = random.Random(count)
    reasons = set()
    for _ in range(300):
        s = game.start(setup_of(count, setup="basic", level_takes=level_takes))
        plain = Plain(count, level_takes)
        dealt = list(range(count)) + [rng.randrange(count) for _ in range(4 - count)]
        s = s._replace(gods=tuple(dealt))
        plain.gods = dict(zip(GODS, dealt, strict=True))
        for _ in range(25):
            seat, god, points = rng.randrange(count), rng.randrange(5), rng.randint(1, 6)
            heights = [list(row) for row in s.temples]
            heights[seat][god] += points
            rows = [tuple(row) for row in heights]
            passed = favour.after(s, seat, god, rows)
            name = SEATS[seat]
            fact = events.Sacrificed(name, TEMPLES[god], (), points, heights[seat][god])
            s = play.advance(game, s, [fact, *passed])
            plain.sacrifice(seat, TEMPLES[god], points)
            nobody: Callable[[int | None], int] = lambda n: NOBODY if n is None else n  # noqa: E731
            assert s.gods == tuple(nobody(plain.gods[god]) for god in GODS)
            assert s.guards == tuple(nobody(plain.guards[god]) for god in GODS)
            for event in passed:
                reasons.add(event.why)
                assert event.to != event.by
                if event.why in ("B-45", "B-47", "B-49", "B-A21"):
                    assert event.height > event.other
                assert (event.to is None) <= (event.why in ("B-50", "B-A21"))
                assert (event.to is None) >= (event.why == "B-50")
    passed_on = {"B-46", "B-47", "B-49", "B-50", "B-51"} if count == 4 else {"B-A21"}
    assert {"B-45", *passed_on} <= reasons
    assert ("B-A62" in reasons) == level_takes


# ------------------------------------------------------------------------------------ chance


@each_count
def test_chance_weighs_tiles_as_a_full_bag_would(count: int) -> None:
    """Volcanoes with v/b, each unseen offering alike; nothing that cannot come."""
    for s in some_states(count):
        if not s.owed or s.owed[0] in s.world.seats:
            continue
        weights = {tile: ways_to_draw(s, tile) for tile in (*s.world.box.kinds, "volcano")}
        unseen, volcanoes = sum(s.unseen), volcanoes_in_bag(s)
        if s.stage == "ending":
            assert sum(weights.values()) == max(1, unseen) * s.bag
            assert weights["volcano"] == max(1, unseen) * volcanoes
        else:
            assert weights["volcano"] == 0
        for kind, left in zip(s.world.box.kinds, s.unseen, strict=True):
            assert weights[kind] == left * (s.bag - volcanoes)


def test_the_bags_are_as_big_as_the_rules_say() -> None:
    sizes = {4: 73, 3: 77, 2: 46}
    for count, size in sizes.items():
        fresh = game.start(setup_of(count))
        assert fresh.bag - 2 * len(fresh.world.chart.islands) == size
    random_third = game.start(setup_of(2, offerings="random"))
    assert random_third.bag - 16 == 46


def test_legal_moves_come_in_the_same_order_in_every_process() -> None:
    code = (
        "import random\nfrom pbem.play import games, judge as play, options\n"
        "g=games.game('kanaloa-bambus');"
        "s=g.start(options.setup(g,('ana','ben','cara','dan')));r=random.Random(5);out=[]\n"
        "for _ in range(160):\n"
        "    m=play.legal_moves(g,s,g.pending(s)[0].seat);out.append(' '.join(map(g.notate,m)))\n"
        "    s=play.advance(g,s,play.judge(g,s,g.pending(s)[0].seat,r.choice(m)).events)\n"
        "print(hash(tuple(map(str.__len__,out))),*out[-20:],sep='|')"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
