"""Which rules of a game a text is about, by the words they share."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import log
from typing import Any, Final

Rule = Mapping[str, Any]
"""A rule as `rules.yaml` has it: its `id`, what it `says`, and more."""

_ID: Final = re.compile(r"\b([A-Z]{1,3})[- ]([A-Z]?\d{1,3})\b", re.I)
_WORD: Final = re.compile(r"[a-z]{2,}")
_ENDINGS: Final = ("ing", "ed", "es", "en", "s", "e")
_SHORTEST: Final = 3  # letters that an ending leaves
_LONGEST: Final = 2_000  # characters of a question; what stands behind them is hardly one
_IDLE: Final = frozenset(
    "about after again all also am an and any anything are as ask asked at be because been "
    "before both but by can cannot could did do does doing done each either else even for from "
    "game get give go got had has have he hello her here hi him his how if in into is it its "
    "just know let like mail make many may me mean mine more much must my need no not now of on "
    "once one only or other our please question read really right rule rules same say says seat "
    "she should so some still than thank thanks that the their them then there these they thing "
    "think this those to too two us use want was way we well were what when where whether which "
    "who whose why will with would yes yet you your yours".split()
)
_ALIKE: Final = {
    **dict.fromkeys(("build", "built", "put", "lay", "laid", "construct"), "place"),
    **dict.fromkeys(("enemy", "enemies", "rival", "opposing", "foe"), "opponent"),
    **dict.fromkeys(("destroy", "demolish", "delete"), "remove"),
    **dict.fromkeys(("deck", "stack"), "pile"),
    **dict.fromkeys(("tie", "ties", "tied", "draws"), "equal"),
    **dict.fromkeys(("won", "winner", "winning"), "win"),
    **dict.fromkeys(("took", "taken"), "take"),
}
"""What players say for what the rulebooks say."""


def matching(rules: Sequence[Rule], text: str, *, least: int = 1, most: int = 5) -> list[Rule]:
    """The rules that a text names by their ids; else those it shares at least so many words with,
    the nearest first, and none that is half as near as the nearest."""
    named = {f"{game}-{number}".upper() for game, number in _ID.findall(text[:_LONGEST])}
    if found := [rule for rule in rules if rule["id"].upper() in named]:
        return found[:most]
    said = [frozenset(_stems(rule["says"])) for rule in rules]
    times = Counter(stem for each in said for stem in each)
    asked = times.keys() & set(_stems(text[:_LONGEST]))
    near = [
        (sum(log(1 + len(rules) / times[stem]) for stem in asked & each) / (10 + len(each)), -nth)
        for nth, each in enumerate(said)
        if len(asked & each) >= max(least, 1)
    ]
    return [
        rules[-nth] for score, nth in sorted(near, reverse=True)[:most] if 2 * score > max(near)[0]
    ]


def _stems(text: str) -> Iterator[str]:
    """The words of a text that say something, without their endings."""
    for word in _WORD.findall(text.casefold()):
        if word not in _IDLE:
            stem = _ALIKE.get(word, word)
            for ending in _ENDINGS:
                if stem.endswith(ending) and len(stem) - len(ending) >= _SHORTEST:
                    stem = stem[: -len(ending)]
                    break
            yield stem[:-1] if stem[-1:] == stem[-2:-1] else stem
