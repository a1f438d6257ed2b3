"""What waits: the rest of an order, an order for later, a condition, a standing answer, and what a
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


GIVE_UP: Final = (("resign",),)
"""What a seat that wants to resign is asked about: only the same word says yes to it."""


class Yes(NamedTuple):
    """What a question heeds: the digest of the `mail` it was asked about, whether that was in
    `danish`, in which "tak" is no yes but thanks, and whether the one order that it asks about is
    `doubted`, so that it has a number."""

    mail: str = ""
    danish: bool = False
    doubted: bool = False


class Plan(NamedTuple):
    """Something that waits until it can be played for a seat.

    orders  the line as it was understood; of a rest, one line for each move; of a question, the
            orders that its seat may say yes to or choose from, each move by move
    number  the number its owner knows it by; 0 for the rest of an order and for a question
    given   the chain of the log when it was sent, or asked; `at` is the time, where that counts
    ends    the part of the match with which it ends: `2` a round, `2.5` a trick; or ""
    why     why it was not played when its time last came, in English
    said    the same as a sentence, to be told in any language
    over    whether it will never be played; then it is kept until its owner has been told
    on_word whether it came on the moderator's word where the players were promised a proof
    yes     of a question: what it heeds
    """

    seat: Seat
    orders: tuple[tuple[str, ...], ...]
    number: int = 0
    given: str = ""
    at: str = ""
    ends: str = ""
    why: str = ""
    said: Kept | None = None
    over: bool = False
    on_word: bool = False
    yes: Yes | None = None

    @property
    def moves(self) -> tuple[str, ...]:
        """The order; of a question, the first."""
        return self.orders[0]

    @property
    def by_number(self) -> bool:
        """Is it a question that a number answers?"""
        return len(self.orders) > 1 or (self.yes is not None and self.yes.doubted)

    @property
    def text(self) -> str:
        """What waits, in one line."""
        return "; ".join(self.moves)

    def plain(self) -> dict[str, Any]:
        """The same as plain data, for the desk file."""
        what = {"moves": self.moves} if self.yes is None else {"readings": self.orders}
        plain: dict[str, Any] = as_written({"seat": self.seat, **what})
        plain |= as_written(self._replace(yes=None)) | as_written(self.yes or {})
        del plain["orders"]
        return plain

    @staticmethod
    def of(data: Mapping[str, Any]) -> Plan:
        """What waits, from the plain data of a desk file."""
        plain = dict(data)
        if moves := plain.pop("moves", ()):
            return Plan(orders=(tuple(moves),), **plain)
        yes = Yes(*(plain.pop(name, usual) for name, usual in Yes._field_defaults.items()))
        return Plan(orders=tuple(map(tuple, plain.pop("readings"))), yes=yes, **plain)


class Waiting(NamedTuple):
    """All that waits while the log ends with the chain `after`, `kept` oldest first.

    `numbers` are the last that plans were given, by seat; `mails` the digests of messages that only
    brought or took back plans, and so left no trace in the log.
    """

    after: str
    kept: tuple[Plan, ...] = ()
    numbers: Mapping[Seat, int] = MappingProxyType({})
    mails: tuple[str, ...] = ()

    @property
    def plans(self) -> tuple[Plan, ...]:
        """What the seats have sent, without what they were asked."""
        return tuple(each for each in self.kept if each.yes is None)

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
        return self._replace(kept=tuple(each for each in self.kept if each not in gone))

    def changed(self, old: Plan, new: Plan) -> Waiting:
        return self._replace(kept=tuple(new if each == old else each for each in self.kept))

    def asked(self, *seats: Seat) -> Plan | None:
        """What one of these seats was asked that a yes answers, if it has not answered yet."""
        asked = {each.seat: each for each in self.kept if each.yes and each.orders != GIVE_UP}
        return next((asked[seat] for seat in seats if seat in asked), None)

    def asking(self, seat: Seat, question: Plan | None = None) -> Waiting:
        """The same with this question to a seat in place of an earlier one, or with none."""
        old = tuple(each for each in self.kept if each.yes and each.seat == seat)
        new = (question,) if question else ()
        return self if old == new else self._replace(kept=(*self.without(*old).kept, *new))

    def forgotten(self, seat: Seat) -> Waiting:
        """The same without a seat's plans that are over, now that it has been told."""
        return self.without(*(plan for plan in self.plans if plan.seat == seat and plan.over))

    def cleared(self, seat: Seat) -> Waiting:
        """The same without anything of a seat, as if it had sent nothing: somebody else plays now.

        Its last number is kept as 0: if nothing at all were kept, an older state would count.
        """
        return self._replace(
            kept=tuple(each for each in self.kept if each.seat != seat),
            numbers={each: n if each != seat else 0 for each, n in self.numbers.items()},
        )

    def read(self, digest: str) -> Waiting:
        """The same after a message with this digest ("" for none) has changed what waits. Earlier
        ones without an id are forgotten: if their words come again, they are meant anew."""
        mails = (*(each for each in self.mails if not each.startswith(f"{NO_ID}.")), digest)
        return self._replace(mails=tuple(filter(None, mails))[-_MOST_MAILS:])

    @property
    def empty(self) -> bool:
        return not (self.kept or self.numbers or self.mails)

    def plain(self) -> dict[str, Any]:
        """The same as plain data, for the desk file."""
        plain: dict[str, Any] = {"after": self.after, "waits": [p.plain() for p in self.plans]}
        plain |= {"numbers": as_written(self.numbers), "mails": as_written(self.mails)}
        plain["proposals"] = [each.plain() for each in self.kept if each.yes]
        return {key: value for key, value in plain.items() if value or key == "waits"}

    @staticmethod
    def parse(data: Mapping[str, Any]) -> Waiting:
        """What waits, from the plain data of a desk file."""
        kept = (*data["waits"], *data.get("proposals", ()))
        numbers, mails = data.get("numbers", {}), tuple(data.get("mails", ()))
        return Waiting(data["after"], tuple(map(Plan.of, kept)), numbers, mails)


def in_old_files(held: list[dict[str, Any]] | None) -> tuple[Waiting, ...]:
    """The moves that earlier versions kept under `held`, by the chain with which they wait."""
    plans = dict[str, list[Plan]]()
    for each in held or ():
        plans.setdefault(each["after"], []).append(Plan(each["seat"], (tuple(each["moves"]),)))
    return tuple(Waiting(chain, tuple(own)) for chain, own in plans.items())
