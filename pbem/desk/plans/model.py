"""What waits: the rest of an order, an order for later, a condition, a standing answer; and what a
seat was asked, until it answers."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from pbem.core import Seat
from pbem.sentence import Kept

MOST: Final = 200
"""How many plans of a seat may wait."""

_MOST_MAILS: Final = 500
NO_ID: Final = "-"
"""Stands in a digest for the id that a message lacks."""


def as_written(value: Any) -> Any:
    """A value as it stands in the desk file; of a record, only what differs from its defaults."""
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        usual = getattr(value, "_field_defaults", {})
        said = zip(value._fields, value, strict=True)
        return {name: as_written(each) for name, each in said if each != usual.get(name, ...)}
    if isinstance(value, Mapping):
        return {name: as_written(each) for name, each in value.items()}
    return [as_written(each) for each in value] if isinstance(value, tuple) else value


class Plan(NamedTuple):
    """Something a seat has sent that waits until it can be played.

    moves   the line as it was understood; of a rest, one line for each move
    number  the number its owner knows it by; 0 for the rest of an order
    given   the chain of the log when it was sent; `at` is the time
    ends    the part of the match with which it ends: `2` a round, `2.5` a trick; or ""
    why     why it was not played when its time last came, in English
    said    the same as a sentence, to be told in any language
    over    whether it will never be played; then it is kept until its owner has been told
    on_word whether it came on the moderator's word where the players were promised a proof
    """

    seat: Seat
    moves: tuple[str, ...]
    number: int = 0
    given: str = ""
    at: str = ""
    ends: str = ""
    why: str = ""
    said: Kept | None = None
    over: bool = False
    on_word: bool = False

    @property
    def text(self) -> str:
        """What waits, in one line."""
        return "; ".join(self.moves)

    @staticmethod
    def of(data: Mapping[str, Any]) -> Plan:
        """The plan that stands in a desk file."""
        return Plan(**{**data, "moves": tuple(data["moves"])})


GIVE_UP: Final = (("resign",),)
"""What a seat that wants to resign is asked about: only the same word says yes to it."""


class Proposal(NamedTuple):
    """A question to a seat: did it mean this?

    readings  what it may say yes to, one or two orders, each move by move
    given     the chain of the log when it was asked
    mail      the digest of the message it was asked about
    danish    whether that was in Danish, in which "tak" is no yes but thanks
    at        when it was asked, where that counts
    """

    seat: Seat
    readings: tuple[tuple[str, ...], ...]
    given: str
    mail: str = ""
    danish: bool = False
    at: str = ""

    @staticmethod
    def of(data: Mapping[str, Any]) -> Proposal:
        """The proposal that stands in a desk file."""
        return Proposal(**{**data, "readings": tuple(map(tuple, data["readings"]))})


class Waiting(NamedTuple):
    """All that waits while the log ends with the chain `after`.

    `numbers` are the last that plans were given, by seat; `mails` the digests of messages that only
    brought or took back plans, and so left no trace in the log; `proposals` wait for a yes.
    """

    after: str
    plans: tuple[Plan, ...] = ()
    numbers: Mapping[Seat, int] = MappingProxyType({})
    mails: tuple[str, ...] = ()
    proposals: tuple[Proposal, ...] = ()

    def of(self, seat: Seat) -> tuple[Plan, ...]:
        """What waits for a seat: first the rest of its order, then its plans, the newest first."""
        own = (plan for plan in self.plans if plan.seat == seat and not plan.over)
        return tuple(sorted(own, key=lambda plan: (plan.number > 0, -plan.number)))

    def rest(self, seat: Seat) -> tuple[Plan, ...]:
        """The rest of a seat's order, if one waits."""
        return tuple(plan for plan in self.of(seat) if not plan.number)

    def numbered(self, seats: Collection[Seat], numbers: Collection[int]) -> tuple[Plan, ...]:
        """The plans of these seats with these numbers; 0 stands for all of them."""
        own = (plan for plan in self.plans if plan.seat in seats)
        return tuple(plan for plan in own if not {0, plan.number}.isdisjoint(numbers))

    def without(self, *gone: Plan) -> Waiting:
        """The same without these plans."""
        return self._replace(plans=tuple(plan for plan in self.plans if plan not in gone))

    def asked(self, seat: Seat) -> Proposal | None:
        """What a seat was asked, if it has not answered yet."""
        return next((each for each in self.proposals if each.seat == seat), None)

    def asking(self, seat: Seat, proposal: Proposal | None = None) -> Waiting:
        """The same with this proposal to a seat in place of an earlier one, or with none."""
        others = (each for each in self.proposals if each.seat != seat)
        return self._replace(proposals=(*others, *((proposal,) if proposal else ())))

    def changed(self, old: Plan, new: Plan) -> Waiting:
        """The same with one plan in another's place."""
        return self._replace(plans=tuple(new if plan == old else plan for plan in self.plans))

    def forgotten(self, seat: Seat) -> Waiting:
        """The same without a seat's plans that are over, now that it has been told."""
        return self.without(*(plan for plan in self.plans if plan.seat == seat and plan.over))

    def cleared(self, seat: Seat) -> Waiting:
        """The same without anything of a seat, as if it had sent nothing: somebody else plays now.

        Its last number is kept as 0: if nothing at all were kept, an older state would count.
        """
        return self._replace(
            plans=tuple(plan for plan in self.plans if plan.seat != seat),
            proposals=self.asking(seat).proposals,
            numbers={each: n if each != seat else 0 for each, n in self.numbers.items()},
        )

    def read(self, digest: str) -> Waiting:
        """The same after a message with this digest ("" for none) has changed what waits. Earlier
        ones without an id are forgotten: if their words come again, they are meant anew."""
        mails = (*(each for each in self.mails if not each.startswith(f"{NO_ID}.")), digest)
        return self._replace(mails=tuple(filter(None, mails))[-_MOST_MAILS:])

    @property
    def empty(self) -> bool:
        """Is there nothing to keep?"""
        return not (self.plans or self.numbers or self.mails or self.proposals)

    def plain(self) -> dict[str, Any]:
        """The same as plain data, for the desk file."""
        plain = as_written(self)
        return {"after": plain.pop("after"), "waits": plain.pop("plans", []), **plain}

    @staticmethod
    def parse(data: Mapping[str, Any]) -> Waiting:
        """What waits, from the plain data of a desk file."""
        return Waiting(
            data["after"],
            tuple(map(Plan.of, data["waits"])),
            data.get("numbers", {}),
            tuple(data.get("mails", ())),
            tuple(map(Proposal.of, data.get("proposals", ()))),
        )


def in_old_files(held: list[dict[str, Any]] | None) -> tuple[Waiting, ...]:
    """The moves that earlier versions kept under `held`, by the chain with which they wait."""
    plans = dict[str, list[Plan]]()
    for each in held or ():
        plans.setdefault(each["after"], []).append(Plan(each["seat"], tuple(each["moves"])))
    return tuple(Waiting(chain, tuple(own)) for chain, own in plans.items())
