"""Where a match stands, as plain data for programs."""

from __future__ import annotations

from typing import Any

from pbem.log.match import Replay


def plain(match: Replay) -> dict[str, Any]:
    """The match, its position and its view, as far as its reader knows."""
    from pbem.log import deadlines

    (ply, fingerprint), end, times = match.position, match.outcome, deadlines.of(match)
    return {
        "match": match.name,
        "game": match.game.NAME,
        "ruleset": match.setup.ruleset,
        "options": dict(match.setup.options),
        "seats": match.players,
        "ply": ply,
        "fingerprint": fingerprint,
        "past": match.past,
        "pending": [
            {
                "seat": decision.seat,
                "kind": decision.kind,
                "about": dict(decision.about),
                "default": decision.default and match.game.notate(decision.default),
                "during": decision.during,
                "awaited": decision.awaited,
            }
            for decision in match.pending
        ],
        "outcome": end and end.plain,
        **({"clock": times.shown()} if times else {}),
        "view": match.game.view(match.state),
    }
