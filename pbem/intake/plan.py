"""What is to wait, as it is written: alternatives, an order for later, a condition, a standing
answer. Knows no game.

`read` takes a line apart; `desk.plans` asks what the parts mean in a match, and whether they could
ever be played.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, Literal, NamedTuple

from pbem.core import Unreadable
from pbem.intake.words import expression, pieces
from pbem.sentence import say

Kind = Literal["next", "if", "always"]

LONGEST: Final = 4000
"""The longest line that is read, in characters."""
MOST: Final = 50
"""The most alternatives a plan may have: each may be tried whenever somebody has moved."""

_EXAMPLES: Final = say(
    "Plans look like this: `next: ORDER`, `if ANA plays PATTERN: ORDER or ORDER`, "
    "`always KIND: MOVE or MOVE`"
)
_LASTS: Final = say("Write `until round`, `until trick`, `until #40`, `until 2026-12-24` or `end`")


class Draft(NamedTuple):
    """A plan taken apart.

    `about` is the kind of question an `always` answers, with what that is about; `who` whose move
    an `if` waits for, "" for anyone's, and `pattern` that move; `orders` the alternatives, each as
    one text; `until` is `round`, `trick`, `#40`, a date, `end` or "".
    """

    kind: Kind
    orders: tuple[str, ...]
    until: str = ""
    about: str = ""
    who: str = ""
    pattern: str = ""

    @property
    def text(self) -> str:
        """The plan as pbem writes it."""
        return written(self.head, self.orders, self.until)

    @property
    def head(self) -> str:
        """What stands before the colon."""
        if self.kind == "if":
            return f"if {self.who or 'anyone'} plays {self.pattern}"
        return f"always {self.about}" if self.kind == "always" else "next"


def written(head: str, orders: tuple[str, ...], until: str) -> str:
    """A plan as it is written."""
    return f"{head}: {' or '.join(orders)}{f' until {until}' if until else ''}"


def alternatives(text: str) -> tuple[str, ...]:
    """The orders a text offers, of which the first that can be played counts. "L to O" names an
    island."""
    words = (each for each in text.split() if text.isupper() or each[1:] or not each.isupper())
    if "|" not in text and _known("or").isdisjoint(map(str.casefold, words)):
        return (text,)
    return tuple(filter(None, (piece.strip() for piece in _expression("either").split(text))))


def goes_on(text: str) -> bool:
    """Does this line of a fence go on with the one above?"""
    if not text.startswith("|") and not _begins(text, "or"):
        return False
    return _expression("goes_on").match(text) is not None


def is_plan(text: str) -> bool:
    """Is a line of a fence a plan, right or wrong?"""
    return ":" in text and begins_like_one(text)


def begins_like_one(text: str) -> bool:
    """Does a line begin like a plan, whatever it lacks?"""
    return _begins(text, "next", "if", "always") and _expression("opening").match(text) is not None


def is_whole_plan(text: str) -> bool:
    """Does a line have all the parts of a plan, so that it can mean nothing else?"""
    return is_plan(text) and _expression("whole").match(text) is not None


def is_whole(text: str) -> bool:
    """Must this line stay one text: is it a plan, or does it leave a choice?"""
    return is_plan(text) or len(alternatives(text)) > 1


def withdrawn(text: str) -> int | None:
    """The number of the plan that a line takes back, 0 for all; None for any other line."""
    if not _begins(text, "withdraw"):
        return None
    found = _expression("withdraw").fullmatch(text.strip())
    return int(found[1] or 0) if found else None


def begins_to_withdraw(text: str) -> bool:
    """Does a line begin like one that takes plans back, whatever follows?"""
    return _begins(text, "withdraw") and _expression("taking").match(text.strip()) is not None


def asks_for_list(text: str) -> bool:
    """Does a line ask which plans wait?"""
    return _begins(text, "plans") and _expression("plans").fullmatch(text.strip()) is not None


def is_early(text: str) -> bool:
    """Is there nothing in this line to be played now?"""
    return is_plan(text) or withdrawn(text) is not None or asks_for_list(text)


def nearly(text: str) -> str | None:
    """The word that begins plans for which the first word of a line may be a slip; else None."""
    from difflib import get_close_matches

    first, colon, _ = text.partition(":")
    if not colon or not first.split():
        return None
    known = sorted(_known("next", "if", "always"))
    close = get_close_matches(first.split()[0].casefold(), known, n=1, cutoff=0.75)
    return close[0] if close else None


def read(text: str) -> Iterator[Draft]:
    """Each way to take a plan apart, since a move may hold a colon. Raises Unreadable."""
    said = " ".join(text.split())
    if len(said) > LONGEST:
        raise Unreadable(
            said[:80],
            "A plan has at most {most} characters; this one has {size}",
            advice=say("Write several plans, each on a line of its own"),
            most=LONGEST,
            size=len(said),
        )
    _refuse_else(said)
    said, until = _until(said)
    if found := _expression("next").match(said):
        yield Draft("next", _orders(text, found[1]), until)
    elif found := _expression("always").match(said):
        yield Draft("always", _orders(text, found[2]), until, about=found[1].strip())
    elif found := _expression("condition").match(said):
        who = "" if _expression("anyone").fullmatch(found[1]) else found[1]
        for colon in (n for n, char in enumerate(found[2]) if char == ":"):
            pattern, orders = found[2][:colon].strip(), found[2][colon + 1 :].strip()
            if pattern and orders:
                yield Draft("if", _orders(text, orders), until, who=who, pattern=pattern)
    else:
        raise Unreadable(text, "This plan lacks a part", advice=_EXAMPLES)


def _orders(text: str, said: str) -> tuple[str, ...]:
    """The alternatives of a plan. Raises Unreadable for none, and for a plan inside a plan."""
    found = alternatives(said)
    if not found:
        raise Unreadable(text, "This plan plays nothing", advice=_EXAMPLES)
    if len(found) > MOST:
        raise Unreadable(
            text[:80], "A plan has at most {most} alternatives, not {n}", most=MOST, n=len(found)
        )
    for order in found:
        for move in order.split(";"):
            if begins_like_one(move.strip()):
                raise Unreadable(
                    text,
                    "A plan holds moves, not another plan: {move!r}",
                    advice=say("Write each plan on a line of its own"),
                    move=move.strip()[:60],
                )
    return found


def _refuse_else(said: str) -> None:
    if found := _expression("otherwise").search(said):
        raise Unreadable(
            said,
            "A plan has no {word!r}",
            found.span(1),
            say("Write `or` between the orders; the first that can be played counts"),
            word=found[1],
        )


def _until(said: str) -> tuple[str, str]:
    """A plan without its end, and the end as it is written. Raises Unreadable."""
    *_, last = [None, *_expression("until").finditer(said)]
    if last is None:
        return said, ""
    rest = said[last.end() :].strip()
    for name in ("round", "trick", "end"):
        if _expression(name).fullmatch(rest):
            return said[: last.start()], name
    if re.fullmatch(r"#[0-9]{1,6}", rest):
        return said[: last.start()], f"#{int(rest[1:])}"
    if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", rest) and _is_date(rest):
        return said[: last.start()], rest
    raise Unreadable(said, "Nothing ends at {rest!r}", advice=_LASTS, rest=rest[:60])


def _is_date(text: str) -> bool:
    from datetime import date

    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


@cache
def _known(*fields: str) -> frozenset[str]:
    """The first words of all that these fields hold. Most lines begin with none of them, so no
    regular expression need be made for those."""
    found = "|".join(pieces(field, "plans") for field in fields)
    return frozenset(piece.split()[0] for piece in found.split("|"))


def _begins(text: str, *fields: str) -> bool:
    first = text.casefold().split(maxsplit=1)[:1]
    return bool(first) and first[0].rstrip(":.!?") in _known(*fields)


_EXPRESSIONS: Final = {
    "either": r"\s<or>(?=\s)|\|",
    "goes_on": r"\s*(?:<or>\s|\|)",
    # In Kahuna `IF with FAAA` is a bridge.
    "opening": r"\s*(?:<next>\s*:|<if>\s+(?:[^:]+\s<plays>\s|[^:]*:)|<always>\s)",
    "whole": r"\s*(?:<next>\s*:|<if>\s.+?\s<plays>\s.*:|<always>\s[^:]{1,80}:)\s*\S",
    "next": r"<next>\s*:\s*(.+)$",
    "always": r"<always>\s+([^:]+):\s*(.+)$",
    "condition": r"<if>\s+(.+?)\s+<plays>\s+(.+)$",
    "otherwise": r"(?:[\s;:]|^)(<else>)(?=[\s:;]|$)",
    "until": r"\s<until>(?=\s)",
    "plans": r"<plans>[.!?]?",
    "withdraw": r"<withdraw>(?:\s+(?:no\.?\s*|nr\.?\s*|plan\s*|#)?([0-9]{1,5})|\s+<all>)?[.!]?",
    "taking": r"<withdraw>(?=\s)",
}
"""What to look for, by name; any other name is a field, whose words are looked for."""


def _expression(name: str) -> re.Pattern[str]:
    return expression(_EXPRESSIONS.get(name, f"<{name}>"), "plans")
