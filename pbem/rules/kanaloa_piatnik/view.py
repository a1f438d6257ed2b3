"""What a position of Kanaloa (Piatnik) looks like."""

from __future__ import annotations

from typing import Any

from pbem.core import HIDDEN
from pbem.rules.kanaloa_piatnik.cards import TRICKS, names, together
from pbem.rules.kanaloa_piatnik.facts import State, Tally
from pbem.rules.kanaloa_piatnik.sea import last, leader, trump
from pbem.rules.kanaloa_piatnik.trick import led


def view(s: State) -> dict[str, Any]:
    """See `pbem.core.Game.view`; the shape is schemas/view-kanaloa-piatnik.schema.json."""
    seats, tally, sea = s.rules.seats, s.tally, s.sea
    first = leader(sea)
    all_at_once = s.asked == "announce" and not s.rules.announce_open
    return {
        "game": "kanaloa-piatnik",
        "round": tally.round,
        "trick": _trick(tally),
        "seats": list(seats),
        "start": seats[tally.start],
        "lead": seats[tally.lead],
        "asked": s.asked or None,
        "turn": None if all_at_once or s.asked in ("drop", "lay", "") else s.turn,
        "route": [
            {
                "card": c.card,
                "fields": list(c.fields),
                "dolphin": list(c.dolphins),
                "start": list(c.start),
            }
            for c in sea.route.cards
        ],
        "boats": dict(zip(seats, sea.boats, strict=False)),
        "leader": None if first is None else seats[first],
        "last": [seats[n] for n in last(sea)],
        "trump": trump(sea) if sea.boats else None,
        "led": led(s.rules, s.table),
        "table": [[seats[(tally.lead + n) % len(seats)], card] for n, card in enumerate(s.table)],
        "hands": {
            seat: names(hand) + [HIDDEN] * (s.hidden[n] if s.hidden else 0)
            for n, (seat, hand) in enumerate(zip(seats, s.hands, strict=True))
        },
        "tricks": dict(zip(seats, tally.tricks, strict=True)),
        "announced": dict(zip(seats, tally.announced, strict=True)),
        "played": names(s.out - sum(s.hands) - together(s.table)),
        "removed": list(sea.removed),
    }


def _trick(tally: Tally) -> int:
    return min(sum(tally.tricks) + 1, TRICKS)
