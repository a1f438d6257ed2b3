"""Casebooks: what the rules mean, in positions and moves.

A case sets up a position or starts a match, and plays its steps one after the other. Adding a
case takes no Python.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from typing import Any, Final

from pbem.core import HIDDEN, Ambiguous, Decision, Game, Move, Unreadable, Violation, slots, word
from pbem.files import yamlio
from pbem.sentence import Sentence, say
from pbem.table import Table
from pbem.testing.findings import Finding, at

CASE_KEYS: Final = frozenset(
    "id title rules ruling ruleset options seats position steps view pending outcome".split()
)
STEP_KEYS: Final = frozenset("events legal refused see view note ways".split())
OUTSIDE_THE_RULES: Final = frozenset(("Unreadable", "Ambiguous"))
"""What `refused` may say if it is the text that is wrong, not the move."""


def casebooks(game: Game[Any]) -> dict[str, list[dict[str, Any]]]:
    """The casebook of a game and its annotated example, by their paths, if it has them."""
    paths = [os.path.join(game.DATA, f"{name}.yaml") for name in ("cases", "example")]
    return {path: yamlio.read(path) for path in paths if os.path.exists(path)}


class Shown:
    """What cases show at work: kinds of decision, by the seats `asked`, moves and events, each
    by its word, in how many `ways` chance brings them, and the numbers that came up in each field
    of a view, an event or a player's move."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.words, self.ways = set[str](), defaultdict[str, set[int]](set)
        self.asked = defaultdict[str, set[str]](set)
        self.numbers: defaultdict[tuple[str, int, int], set[int]] = defaultdict(set)
        chosen = {kind for kinds in getattr(game, "KINDS", {}).values() for kind in kinds}
        drawn = [kind for kind in game.MOVES if kind not in chosen]
        self.cards = [each.of for kind in drawn for each in slots(kind)] if chosen else None
        records: tuple[Any, ...] = (*game.MOVES, *game.EVENTS)
        self.events = {word(kind): kind for kind in records}
        for kind in records:
            for label, ends in self._numbered(kind).values():
                self.numbers[label, *ends]

    def look(self, table: Table, step: Mapping[str, Any], after: Table | None) -> None:
        """Take notice of one step."""
        self._count(table.view(), getattr(self.game, "SCHEMA", {}), "")
        for seat, text in ((key, value) for key, value in step.items() if key not in STEP_KEYS):
            for each in table.pending:
                self.asked[each.kind] |= {seat} & {each.seat}
            move: Any = None
            with suppress(Unreadable):
                move = self.game.parse(text).move
            kind: Any = type(move)
            if move:
                self._note(kind, {each.name: getattr(move, each.name) for each in slots(kind)})
            if move and after not in (None, table):
                self.words.add(word(kind))
            self.ways[word(kind)] |= {step["ways"]} if "ways" in step else set()
        for event in after.events if after else ():
            for name, fields in event.items():
                self.words.add(name)
                self._note(self.events[name], fields)

    def _note(self, kind: Any, fields: Mapping[str, Any]) -> None:
        """The numbers in the fields of a move or event."""
        for field, (label, ends) in self._numbered(kind).items():
            if fields[field] != HIDDEN:
                self.numbers[label, *ends].add(int(fields[field]))

    def _numbered(self, kind: Any) -> dict[str, tuple[str, tuple[int, int]]]:
        """The fields of a kind of move or event that are numbers, each with what it is called
        here and its ends; a card, which chance can bring, is none, even if its name is one."""
        found = dict[str, tuple[str, tuple[int, int]]]()
        for field, of, _ in slots(kind):
            card = self.cards is None or any(of is each for each in self.cards)
            words = [] if card else [str(value) for value in of.values]
            if {"minimum", "maximum"} <= of.schema.keys():
                found[field] = f"{word(kind)} {field}", (of.schema["minimum"], of.schema["maximum"])
            elif len(words) > 2 and all(map(str.isdecimal, words)):
                found[field] = f"{word(kind)} {field}", (int(words[0]), int(words[-1]))
        return found

    def _count(self, value: Any, schema: Any, key: str) -> None:
        """The numbers in a view whose least and most its schema tells."""
        match value:
            case int() if {"minimum", "maximum"} <= schema.keys():
                self.numbers[key, schema["minimum"], schema["maximum"]].add(value)
            case dict():
                known, others = schema.get("properties", {}), schema.get("additionalProperties")
                for name, each in value.items():
                    self._count(each, known.get(name, others) or {}, key or name)
            case list():
                for each in value:
                    self._count(each, schema.get("items", {}), key)

    def lacking(self) -> Iterator[str]:
        """What no case shows."""
        game = self.game
        records: tuple[Any, ...] = (*game.MOVES, *game.EVENTS)
        kinds = map(word, records)
        yield from (each for each in getattr(game, "KINDS", ()) if not self.asked[each])
        yield from (each for each in kinds if each not in self.words)
        for (name, *ends), numbers in self.numbers.items():
            yield from (f"{name} {end}" for end in ends if end not in numbers)


def asked_in(case: Mapping[str, Any]) -> list[Any]:
    """What a case says is asked at its end, each decision by its fields; one may stand alone."""
    asked = case.get("pending", [])
    return asked if isinstance(asked, list) else [asked]


def play_case(
    game: Game[Any], case: Mapping[str, Any], shown: Shown | None = None
) -> Iterator[Finding]:
    """Play one case; gives all that does not come out as it says. A step that cannot be played ends
    it."""
    name = case["id"]
    table = _set_up(game, case)
    for number, step in enumerate(case["steps"], 1):
        after, wrong = _played(table, step)
        if shown:
            shown.look(table, step, after)
        if wrong:
            yield Finding(f"{name}, step {number}", wrong.says)
        if after is None:
            return
        table = after
    if shown:
        shown.look(table, {}, None)
    yield from _ended(game, case, table)


def _ended(game: Game[Any], case: Mapping[str, Any], table: Table) -> Iterator[Finding]:
    """What differs at the end of a case."""
    name, view = case["id"], table.view()
    for key, value in case.get("view", {}).items():
        if view.get(key) != value:
            yield _differs(name, key, view.get(key), value)
    asked, due = (table.pending, asked_in(case)) if "pending" in case else ((), [])
    if len(asked) != len(due):
        seats = ([each.seat for each in asked], [each.get("seat", "?") for each in due])
        yield _differs(name, "pending", *(some or ["-"] for some in seats))
        due = []
    for decision, expected in zip(asked, due, strict=False):
        for key, value in expected.items():
            if (said := _value(game, decision, key)) != value:
                yield _differs(name, f"pending {key}", said, value)
    if "outcome" in case:
        ends, wanted = (_counted(each) for each in (table.outcome, case["outcome"]))
        if ends != wanted:
            yield _differs(name, "outcome", ends, wanted)


def _differs(place: str, what: str | Sentence, found: Any, expected: Any) -> Finding:
    return at(
        place, "{what} is {found}, and not {expected}", what=what, found=found, expected=expected
    )


def _counted(outcome: Any) -> Any:
    """An outcome with its scores as they are written: whole numbers, or fractions like 3/2."""
    if outcome is None:
        return None
    scores = {seat: Fraction(score) for seat, score in outcome["scores"].items()}
    whole = {seat: int(n) if n.denominator == 1 else str(n) for seat, n in scores.items()}
    return {**outcome, "scores": whole}


def _value(game: Game[Any], decision: Decision, key: str) -> Any:
    """What a decision says under this key; a move, such as its default, as it is written."""
    value = getattr(decision, key)
    return game.notate(value) if isinstance(value, Move) else value


def _set_up(game: Game[Any], case: Mapping[str, Any]) -> Table:
    """The table at the start of a case."""
    seats = tuple(case["seats"]) if "seats" in case else None
    ruleset, options = case.get("ruleset"), case.get("options")
    if "position" in case:
        return Table.at(game.NAME, case["position"], seats, ruleset, options)
    return Table.start(game.NAME, seats, ruleset, options)


def _played(table: Table, step: Mapping[str, Any]) -> tuple[Table | None, Finding | None]:
    """The table after one step, which may only look or ask, None if it cannot be played; and what
    differs from the step."""
    if "see" in step:
        seat = None if step["see"] == "spectator" else step["see"]
        return table, _part_of(step["view"], table.seen_by(seat).view(), str(step["see"]))
    ((seat, text),) = ((key, value) for key, value in step.items() if key not in STEP_KEYS)
    legal = table.legal(seat)
    if "refused" in step:
        found = _refusal(table, seat, text)
        if found != step["refused"] or text in legal:
            return table, _differs(
                "", say("the refusal of {text}", text=text), found or "none", step["refused"]
            )
        return table, None
    if text not in legal:
        says = "{text} is none of {legal:all}; a step is a canonical text"
        if not legal:
            says = "{seat} has no move here: asked are {asked:all}, and {text} cannot be played"
        asked = [each.seat for each in table.pending] or ["-"]
        after = table if "legal" in step else None
        return after, at("", says, text=text, legal=legal, seat=seat, asked=asked)
    after = table.play(seat, text)
    if "ways" in step and (ways := table.chances[text]) != step["ways"]:
        return after, _differs(
            "", say("the number of ways of {text}", text=text), ways, step["ways"]
        )
    if "legal" in step:
        return table, None
    kinds = [kind for event in after.events for kind in event]
    if "events" in step and kinds != step["events"]:
        return after, _differs(
            "", say("what {text} brings about", text=text), kinds, step["events"]
        )
    return after, None


def _refusal(table: Table, seat: str, text: str) -> str:
    """The rule a move breaks, or what is wrong with its text, or "" if it is legal."""
    try:
        table.play(seat, text)
    except Violation as violation:
        return violation.rule
    except (Unreadable, Ambiguous) as trouble:
        return type(trouble).__name__
    return ""


def _part_of(part: Any, whole: Any, place: str) -> Finding | None:
    """The first difference: mappings may leave keys out, everything else must be equal."""
    if isinstance(part, Mapping) and isinstance(whole, Mapping):
        for key, value in part.items():
            if found := _part_of(value, whole.get(key), f"{place}: {key}"):
                return found
        return None
    return None if part == whole else _differs("", place, whole, part)
