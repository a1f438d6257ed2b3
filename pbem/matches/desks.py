"""What the index knows of desk files: nothing that opens a log, and no move that waits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pbem.core import Seat
from pbem.desk.address import Address
from pbem.desk.file import Desk
from pbem.log import seal


class Held(NamedTuple):
    """How many moves of a seat wait while the log ends in this chain."""

    seat: Seat
    after: str
    moves: int


class Known(NamedTuple):
    """A desk file: the match it belongs to and how that committed itself to its secret, the
    addresses of its seats, and how many moves wait."""

    match: str
    commit: str
    addresses: Mapping[Seat, Sequence[Address]]
    held: Sequence[Held]

    @staticmethod
    def kept(match: str, commit: str, addresses: Any, held: Any) -> Known:
        """As the index kept it."""
        return Known(match, commit, addresses, [Held(*each) for each in held])


def facts(desk: Desk) -> tuple[Any, ...]:
    """What the index keeps of a desk file."""
    addresses = {seat: list(theirs) for seat, theirs in desk.addresses.items()}
    # The rests of orders only: plans are for nobody but their owner to see.
    held = [
        (plan.seat, each.after, len(plan.moves))
        for each in desk.waits
        for plan in each.plans
        if not plan.number
    ]
    return desk.match, seal.commit(desk.secret), addresses, held
