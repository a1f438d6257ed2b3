"""Draws anyone can check once the secret is known, and other ways to deal.

The generator `pbem-draw/1` is written out, with test vectors, in docs/sealing-and-drawing.md.
A dealer is called with the ply to come, the players' entropy texts so far, and what may come
(canonical text and how many ways there are), and gives one of the texts.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Final

from pbem.log.seal import canonical, derive

FORMAT: Final = "pbem-draw/1"

Weights = Sequence[tuple[str, int]]
Dealer = Callable[[int, Sequence[str], Weights], str]


def words(drawing_key: bytes, label: str) -> Iterator[int]:
    """The endless stream of 32-bit numbers that belongs to a label."""
    key = hashlib.sha256(b"\0".join((FORMAT.encode(), drawing_key, label.encode()))).digest()
    for index in count():
        block = hashlib.sha256(key + index.to_bytes(8, "big")).digest()
        for start in range(0, 32, 4):
            yield int.from_bytes(block[start : start + 4], "big")


def below(stream: Iterator[int], n: int) -> int:
    """A number from 0 to n - 1, all equally likely. Raises ValueError unless 1 <= n <= 2^32."""
    if not 1 <= n <= 2**32:
        raise ValueError(f"cannot draw one of {n}")
    limit = 2**32 - 2**32 % n
    return next(word for word in stream if word < limit) % n


def label(match: str, ply: int, entropy: Sequence[str]) -> str:
    """What names a draw: a new ply or a new entropy text gives a new draw."""
    return canonical([match, ply, list(entropy)])


def pick(drawing_key: bytes, label: str, weights: Weights) -> str:
    """One of the texts, each as likely as its weight: uniform over the sorted multiset.

    Raises ValueError if nothing can come or a weight is negative.
    """
    ordered = sorted(weights)
    if any(ways < 0 for _, ways in ordered):
        raise ValueError("a weight is negative")
    left = below(words(drawing_key, label), sum(ways for _, ways in ordered))
    for text, ways in ordered:
        left -= ways
        if left < 0:
            return text
    raise AssertionError("below(n) is less than n")


# -------------------------------------------------------------------------------- dealers


@dataclass(frozen=True, slots=True)
class Sealed:
    """The dealer of a real match: draws follow from the secret that the header commits to."""

    secret: bytes = field(repr=False)
    match: str

    def __call__(self, ply: int, entropy: Sequence[str], weights: Weights) -> str:
        return pick(derive(self.secret, "draw"), label(self.match, ply, entropy), weights)


def seeded(seed: int) -> Sealed:
    """The same, with the SHA-256 of a number as the secret: where anybody may know what comes."""
    return Sealed(hashlib.sha256(str(seed).encode()).digest(), "simulation")
