"""Where a match stands, as plain data for programs."""

from __future__ import annotations

from typing import Any

from pbem.log.match import Match


def plain(now: Match) -> dict[str, Any]:
    """The match, its position and its view, as far as its reader knows."""
    ply, fingerprint = now.position
    end = now.outcome
    return {
        "match": now.name,
        "game": now.game.NAME,
        "ruleset": now.setup.ruleset,
        "options": dict(now.setup.options),
        "seats": now.players,
        "ply": ply,
        "fingerprint": fingerprint,
        "past": now.past,
        "pending": [
            {
                "seat": decision.seat,
                "kind": decision.kind,
                "about": dict(decision.about),
                "default": decision.default and now.game.notate(decision.default),
                "during": decision.during,
                "awaited": decision.awaited,
            }
            for decision in now.pending
        ],
        "outcome": end and end.plain,
        **_clock(now),
        "view": now.game.view(now.state),
    }


def _clock(now: Match) -> dict[str, Any]:
    """What the log says of time, {} without a clock."""
    if now.log.clock is None:
        return {}
    from pbem.log import deadlines

    times = deadlines.of(now)
    assert times is not None
    return {"clock": times.shown()}
