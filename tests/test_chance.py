"""The specified generator, fair picks, and the dealers."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.log import chance
from pbem.log.seal import derive

ZERO, SECRET = bytes(32), bytes(range(32))
CARDS = [("deal BARI", 2), ("deal ALOA", 2), ("deal COCO", 1)]


@pytest.mark.parametrize(
    ("key", "label", "words"),
    [
        (
            ZERO,
            "vector",
            [
                39856231,
                1977408446,
                2558246169,
                1414493897,
                3572683222,
                3498865798,
                1160024865,
                1565876313,
                2261759882,
                803015554,
            ],
        ),
        (
            derive(SECRET, "draw"),
            '["kahuna-07",3,[]]',
            [3655709627, 2587984072, 809070286, 3607564182],
        ),
    ],
)
def test_the_streams_of_the_documentation_hold(key, label, words):
    assert list(islice(chance.words(key, label), len(words))) == words


def test_words_that_would_favour_small_numbers_are_passed_over():
    n = 3 * 2**30
    assert list(islice(chance.words(ZERO, "reject/6"), 3)) == [3485734159, 3714107854, 3534948304]
    drawn = chance.below(chance.words(ZERO, "reject/6"), n)
    assert drawn == 1165021123 == next(w for w in chance.words(ZERO, "reject/6") if w < n)


@pytest.mark.parametrize("n", [0, -1, 2**32 + 1])
def test_a_draw_from_nothing_or_too_much_is_refused(n):
    with pytest.raises(ValueError, match="cannot draw"):
        chance.below(chance.words(ZERO, ""), n)


def test_the_draws_of_the_documentation_hold():
    deal = chance.Sealed(SECRET, "kahuna-07")
    assert [deal(ply, (), CARDS) for ply in range(1, 9)] == [
        "deal ALOA",
        "deal BARI",
        "deal BARI",
        "deal BARI",
        "deal ALOA",
        "deal BARI",
        "deal COCO",
        "deal BARI",
    ]
    assert deal(3, ("Ana: 4711", "Ben: Zoë"), CARDS) == "deal ALOA"


@given(st.permutations([*CARDS, ("deal DUDA", 3), ("deal BARI", 1)]), st.integers(1, 99))
def test_the_order_in_which_the_choices_are_listed_does_not_matter(cards, ply):
    merged = [("deal ALOA", 2), ("deal BARI", 3), ("deal COCO", 1), ("deal DUDA", 3)]
    deal = chance.seeded(1)
    assert deal(ply, (), cards) == deal(ply, (), merged)


def test_draws_are_as_frequent_as_their_weights():
    deal = chance.seeded(5)
    drawn = [deal(ply, (), [*CARDS, ("deal DUDA", 0)]) for ply in range(5000)]
    seen = [drawn.count(text) for text in ("deal ALOA", "deal BARI", "deal COCO", "deal DUDA")]
    expected = [2000, 2000, 1000, 0]
    assert all(abs(s - e) < 5 * (e + 1) ** 0.5 for s, e in zip(seen, expected, strict=True)), seen


def test_nothing_can_be_picked_from_nothing():
    with pytest.raises(ValueError, match="cannot draw one of 0"):
        chance.pick(ZERO, "x", [("deal BARI", 0)])
    with pytest.raises(ValueError, match="negative"):
        chance.pick(ZERO, "x", [("deal BARI", -1), ("deal ALOA", 2)])


def test_an_entropy_text_gives_a_new_draw_and_so_does_another_match():
    def drawn(match, *entropy):
        deal = chance.Sealed(SECRET, match)
        return [deal(ply, entropy, CARDS) for ply in range(1, 40)]

    assert drawn("a") == drawn("a")
    assert drawn("a") != drawn("a", "x") != drawn("a", "x", "y")
    assert drawn("a") != drawn("b")


def test_no_dealer_shows_its_secret_by_accident():
    assert "\\x" not in repr(chance.Sealed(SECRET, "kahuna-07"))


# --------------------------------------------------------------------------- documentation


@pytest.fixture(scope="module")
def page():
    """The programs on the page, run as they stand."""
    text = Path(__file__).parents[1].joinpath("docs/sealing-and-drawing.md").read_text("utf-8")
    names: dict[str, Any] = {}
    exec("".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL)), names)
    return SimpleNamespace(**names)


@given(st.binary(min_size=32, max_size=32), st.text("aä/? ", max_size=9), st.integers(1, 2**32))
def test_the_generator_on_the_page_is_this_one(page, key, label, n):
    assert page.below(n, page.words(key, label)) == chance.below(chance.words(key, label), n)


@given(st.lists(st.text("äxyz", max_size=4)), st.integers(1, 999), st.integers(1, 9))
def test_the_draws_on_the_page_are_these(page, entropy, ply, ways):
    cards = [("deal ö", ways), ("deal z", 3), ("deal Z", 1)]
    multiset = [text for text, n in cards for _ in range(n)]
    drawn = chance.Sealed(SECRET, "m")(ply, entropy, cards)
    assert page.draw(SECRET, "m", ply, entropy, multiset) == drawn
