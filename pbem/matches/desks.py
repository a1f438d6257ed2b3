"""What the index knows of desk files: nothing that opens a log, and no move that waits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from pbem.core import Problem, Seat
from pbem.desk.address import Address
from pbem.desk.file import LOG_SUFFIX, SUFFIX, Desk, desk_path
from pbem.log import seal
from pbem.matches.index import Index


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


def of(logs: Iterable[str], index: Index) -> dict[str, Known | Problem]:
    """What is known of the desk file of each log, or why that cannot be read. Raises Problem if
    there is no such folder."""
    found = index.facts(SUFFIX, _find_out)
    known: dict[str, Known | Problem] = {}
    for log in logs:
        facts = found.get(desk_path(log))
        if facts is None:
            facts = _look(log)
        known[log] = facts if isinstance(facts, Problem) else _kept(*facts)
    return known


def _find_out(paths: Sequence[str]) -> Iterator[Any]:
    return (_look(path.removesuffix(SUFFIX) + LOG_SUFFIX) for path in paths)


def _look(log: str) -> tuple[Any, ...] | Problem:
    try:
        desk = Desk.read(log)
    except Problem as problem:
        return problem
    addresses = {seat: list(theirs) for seat, theirs in desk.addresses.items()}
    # The rests of orders only: plans are for nobody but their owner to see.
    held = [
        (plan.seat, each.after, len(plan.moves))
        for each in desk.waits
        for plan in each.plans
        if not plan.number
    ]
    return desk.match, seal.commit(desk.secret), addresses, held


def _kept(match: str, commit: str, addresses: Any, held: Any) -> Known:
    return Known(match, commit, addresses, [Held(*each) for each in held])
