"""Was this message read before? What the log keeps of a message, and what it is compared with."""

from __future__ import annotations

import hmac
from collections.abc import Sequence

from pbem import intake
from pbem.core import Seat
from pbem.desk.file import Desk
from pbem.log import seal
from pbem.log.format import Ply
from pbem.log.match import Match


def fingerprint(desk: Desk, seat: Seat, message: intake.Submission) -> str:
    """What the log keeps of a message: its id and its body, hashed with a key, so that a short
    order cannot be guessed back."""
    return f"hmac:{_mark(desk, message.message_id)}.{_mark(desk, _body(seat, message))}"


def _body(seat: Seat, message: intake.Submission) -> str:
    return seal.canonical([seat, message.positions, message.body.strip()])


def _mark(desk: Desk, text: str | None) -> str:
    if text is None:
        return "-"
    key = seal.derive(desk.secret, "source")
    return hmac.digest(key, text.encode(), "sha256")[:12].hex()


def seen(before: Match, desk: Desk, message: intake.Submission, seats: Sequence[Seat]) -> str:
    """Why this message changes nothing any more; "" if it is new.

    The same Message-ID never counts twice. The same body does not either; but a few words typed
    in without a mail around them count again once another player has moved.
    """
    mine = _mark(desk, message.message_id)
    bodies = {_mark(desk, _body(who, message)) for who in seats}
    bound = message.kind == "mail" or bool(message.positions)
    standing = {ply.number for ply, _ in before.plies}
    others = False
    for entry in reversed(before.log.entries):
        if not isinstance(entry, Ply) or not entry.source:
            continue
        identity, _, body = entry.source.removeprefix("hmac:").partition(".")
        if mine not in ("-",) and identity == mine:
            return f"this message was read before: it is ply {entry.number}; nothing was changed"
        others = others or entry.seat not in seats
        if body in bodies and entry.number in standing and (bound or not others):
            return (
                f"this is word for word what became ply {entry.number}; nothing was changed. "
                f"If you mean it once more, add the position: #{before.position[0]}"
            )
    return ""
