"""Moves and events as plain data, and back: {"built": {"seat": "white", "line": "ALOA-BARI"}}."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

from pbem.core import HIDDEN, MOVER, Record, Seat, owners, slots, word
from pbem.problem import BadFile
from pbem.sentence import Sentence, say

R = TypeVar("R", bound=Record)

Seal = Callable[[str, Any, Seat, int], str]
"""(field, value, owner, size) -> the sealed text. The field is named like `dealt.card`."""

Opener = Callable[[str, str, Seat], Any]
"""(field, sealed text, owner) -> the value, or HIDDEN. The owner may be MOVER."""


def to_plain(
    record: Record, mover: Seat = "", seats: Iterable[Seat] = (), seal: Seal | None = None
) -> dict[str, Any]:
    """A record as {word: {field: value}}.

    With `seal`, the fields whose owner is one of `seats` are sealed for it (MOVER: `mover`);
    without it everything stands open. What is HIDDEN already stays so.
    """
    kind: Any = type(record)
    name = word(kind)
    owner = owners(record, mover, seats) if seal else {}
    fields = {}
    for slot in slots(kind):
        value = _listed(getattr(record, slot.name))
        if seal and slot.name in owner and value != HIDDEN:
            value = seal(f"{name}.{slot.name}", value, owner[slot.name], slot.of.size)
        fields[slot.name] = value
    return {name: fields}


def from_plain(kinds: Sequence[type[R]], data: Any, open: Opener | None = None) -> R:
    """The record that plain data stands for; it is one of these `kinds`.

    Sealed values are given to `open`; without it, they are HIDDEN. Raises Problem, which names the
    field, what is there and what was expected.
    """
    if not isinstance(data, dict) or len(data) != 1:
        raise BadFile(
            "{shown}: expected one word and its fields, like {{built: {{seat: white}}}}",
            shown=_shown(data),
        )
    [(name, fields)] = data.items()
    known = _by_word(tuple(kinds))
    kind = known.get(name)
    if kind is None:
        raise BadFile("unknown: {shown}; {near}", shown=_shown(name), near=_near(name, known))
    if not isinstance(fields, dict):
        raise BadFile(
            "{name}: expected its fields, like {{seat: white}}; {shown} is there",
            name=name,
            shown=_shown(fields),
        )
    declared = slots(kind)
    if len(fields) > len(declared) or not all(slot.name in fields for slot in declared):
        raise BadFile(
            "{name}: {misnamed}",
            name=name,
            misnamed=_misnamed(fields, [slot.name for slot in declared]),
        )
    values = []
    for slot in declared:
        value = fields[slot.name]
        if slot.secret is not None:
            if isinstance(value, str) and value.startswith("sealed:"):
                owner = MOVER if slot.secret == MOVER else str(fields[slot.secret])
                value = open(f"{name}.{slot.name}", value, owner) if open else HIDDEN
            if value == HIDDEN:
                values.append(HIDDEN)
                continue
        if not slot.of.accepts(value):
            raise BadFile(
                "{name}.{name2} is {shown}; expected {says}",
                name=name,
                name2=slot.name,
                shown=_shown(value),
                says=slot.of.says,
            )
        values.append(_tupled(value))
    record: R = kind(*values)
    return record


@cache
def _by_word(kinds: tuple[Any, ...]) -> Mapping[str, Any]:
    return {word(kind): kind for kind in kinds}


def _listed(value: Any) -> Any:
    return [_listed(item) for item in value] if isinstance(value, tuple | list) else value


def _tupled(value: Any) -> Any:
    return tuple(map(_tupled, value)) if isinstance(value, tuple | list) else value


def _misnamed(found: Iterable[str], declared: Sequence[str]) -> Sentence:
    for field in found:
        if field not in declared:
            near = _near(field, declared)
            return say("unknown field {field}; {near}", field=_shown(field), near=near)
    missing = [field for field in declared if field not in found]
    return say("missing field: {missing:all}", missing=missing)


def _near(said: Any, known: Iterable[str]) -> Sentence:
    from difflib import get_close_matches

    names = sorted(known)
    if close := get_close_matches(str(said), names, 1):
        return say("did you mean {close!r}?", close=close[0])
    return say("known are {names:all}", names=names) if names else say("it has none")


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"
