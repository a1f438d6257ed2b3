"""Where a match stands, as plain data for programs."""

from __future__ import annotations

from typing import Any

from pbem.log.match import Replay


def plain(match: Replay) -> dict[str, Any]:
    """The match, its position and its view, as far as its reader knows."""
    ply, fingerprint = match.position
    end = match.outcome
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
        **_clock(match),
        "view": match.game.view(match.state),
    }


def _clock(match: Replay) -> dict[str, Any]:
    """What the log says of time, {} without a clock."""
    if match.log.clock is None:
        return {}
    from pbem.log import deadlines

    times = deadlines.of(match)
    assert times is not None
    return {"clock": times.shown()}
