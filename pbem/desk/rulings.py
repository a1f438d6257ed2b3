"""What the moderator decides: appended to the log with a reason, never a deletion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pbem.core import CHANCE, NotNow, Seat, Usage
from pbem.desk.append import Now, append_ply, play_chance, save
from pbem.desk.file import Desk, Held, desk_path
from pbem.desk.waiting import play_waiting
from pbem.files import store
from pbem.log.format import Log, Ply
from pbem.log.match import Match
from pbem.log.seal import MODERATOR
from pbem.play import judge as play


def rule(
    path: str, kind: str, reason: str, clock: Now, *, wait: float = 10.0, **given: Any
) -> tuple[Match, Match]:
    """Append a ruling; gives the match before and after. Raises Problem.

    What is given depends on the kind: takeback `to` (and `revealed`), default `seat` (and
    `move`), substitute `seat`, `name`, `addresses` (and `authors`), resign `seat`, end `winners`,
    note `text`, entropy `seat` and `text`; reveal takes nothing.
    """
    with store.lock(path, wait, desk_path(path)):
        written = Log.read(path)
        desk = Desk.read(path)
        before = Match.of(written, desk.keyring)
        if before.ending and kind not in ("note", "reveal", "takeback"):
            raise NotNow("the match has been ended by a ruling; nothing can follow but notes", path)
        at_hand = replace(desk, held=desk.waiting(before.log))
        after, changed = _KINDS[kind](before, at_hand, reason, clock, given)
        save(before.log, after.log, desk, changed)
        return before, after


def _entered(
    now: Match, kind: str, reason: str, clock: Now, data: Mapping[str, Any], by: Seat = MODERATOR
) -> Match:
    entry = {"ruling": kind, "by": by, **({"reason": reason} if reason else {}), **data}
    longer = now.log.extend({**entry, "at": clock()})
    return Match.of(longer, now.keyring)


def _takeback(
    now: Match, desk: Desk, reason: str, clock: Now, given: Mapping[str, Any]
) -> tuple[Match, Desk]:
    to = given["to"]
    struck = now.since(to)
    if to < 0 or not struck:
        raise Usage(
            "there is no ply after #{to} to take back; the last is #{position}",
            now.log.path,
            to=to,
            position=now.position[0],
        )
    seen = [ply for ply, _ in struck if ply.seat == CHANCE]
    if seen and not given.get("revealed"):
        plies = ", ".join(f"#{ply.number}" for ply in seen)
        raise NotNow(
            "this takes back what chance revealed in {plies}; somebody knows it now. If it "
            "is to be so all the same, say --revealed",
            now.log.path,
            plies=plies,
        )
    told = f"{reason} (known by then: {_revealed(seen)})".strip() if seen else reason
    strikes = [ply.number for ply, _ in struck]
    return _entered(now, "takeback", told, clock, {"strikes": strikes}), replace(desk, held=())


def _revealed(seen: Sequence[Ply]) -> str:
    """What was drawn, as the public log tells it."""
    return ", ".join(f"#{ply.number} {ply.move}" for ply in seen)


def _default(
    now: Match, desk: Desk, reason: str, clock: Now, given: Mapping[str, Any]
) -> tuple[Match, Desk]:
    seat = _seat(now, given["seat"])
    asked = [decision for decision in now.pending if decision.seat == seat]
    if not asked:
        awaited = ", ".join(now.awaited) or "nobody"
        raise NotNow(
            "{seat:seat} is not asked now; awaited is {awaited}",
            now.log.path,
            seat=seat,
            awaited=awaited,
        )
    if given.get("move"):
        pattern = now.game.parse(given["move"])
        move = play.resolve(now.game, now.state, seat, pattern)
    elif asked[0].default is not None:
        move = asked[0].default
    else:
        raise Usage(
            "no rule says what {seat:seat}'s silence means here; say it with --move",
            now.log.path,
            seat=seat,
        )
    step = play.judge(now.game, now.state, seat, move)
    ruled = _entered(now, "default", reason, clock, {"seat": seat})
    ruled = play_chance(append_ply(ruled, desk, step, clock, ""), desk, clock)
    ruled, held, _ = play_waiting(ruled, now.log, desk, Held(seat, "", ()), clock)
    return ruled, replace(desk, held=held)


def _substitute(
    now: Match, desk: Desk, reason: str, clock: Now, given: Mapping[str, Any]
) -> tuple[Match, Desk]:
    seat, name = _seat(now, given["seat"]), given["name"]
    epoch = now.log.epochs[seat] + 1
    data = {"seat": seat, "name": name, "epoch": epoch}
    addresses = {**desk.addresses, seat: tuple(given["addresses"])}
    authors = {**desk.authors, seat: tuple(given.get("authors", ()))}
    held = tuple(h for h in desk.held if h.seat != seat)
    changed = replace(desk, addresses=addresses, authors=authors, held=held)
    return _entered(now, "substitute", reason, clock, data), changed


def _resign(
    now: Match, desk: Desk, reason: str, clock: Now, given: Mapping[str, Any]
) -> tuple[Match, Desk]:
    seat = _seat(now, given["seat"])
    _still_on(now)
    return _entered(now, "resign", reason, clock, {"seat": seat}), replace(desk, held=())


def _end(
    now: Match, desk: Desk, reason: str, clock: Now, given: Mapping[str, Any]
) -> tuple[Match, Desk]:
    _still_on(now)
    winners = [_seat(now, seat) for seat in given["winners"]]
    return _entered(now, "end", reason, clock, {"winners": winners}), replace(desk, held=())


def _note(
    now: Match, desk: Desk, reason: str, clock: Now, given: Mapping[str, Any]
) -> tuple[Match, Desk]:
    return _entered(now, "note", reason, clock, {"text": given["text"]}), desk


def _entropy(
    now: Match, desk: Desk, reason: str, clock: Now, given: Mapping[str, Any]
) -> tuple[Match, Desk]:
    data = {"seat": _seat(now, given["seat"]), "text": given["text"]}
    return _entered(now, "entropy", reason, clock, data), desk


def _reveal(
    now: Match, desk: Desk, reason: str, clock: Now, given: Mapping[str, Any]
) -> tuple[Match, Desk]:
    if now.outcome is None:
        raise NotNow(
            "the match is not over: revealing its secret would show every hand; "
            "end it first (rule resign, rule end)",
            now.log.path,
        )
    if any(entry for entry in now.log.entries if getattr(entry, "kind", "") == "reveal"):
        raise NotNow("the secret has been revealed already", now.log.path)
    return _entered(now, "reveal", reason, clock, {"secret": desk.secret.hex()}), desk


def _seat(now: Match, seat: Seat) -> Seat:
    if seat not in now.setup.seats:
        seats = ", ".join(now.setup.seats)
        raise Usage(
            "{name} has no seat {seat!r}, only {seats}", name=now.name, seat=seat, seats=seats
        )
    return seat


def _still_on(now: Match) -> None:
    if now.outcome is not None:
        raise NotNow("the match is over already", now.log.path)


_KINDS = {
    "takeback": _takeback,
    "default": _default,
    "substitute": _substitute,
    "resign": _resign,
    "end": _end,
    "note": _note,
    "entropy": _entropy,
    "reveal": _reveal,
}
