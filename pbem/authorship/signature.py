"""The code under an order: who has a seat's key can make it, and the desk can check it.

Made so that it can be copied by hand and computed in any language; docs/authorship.md writes it
out, with test vectors.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from pbem.core import Denied, NotNow, Seat
from pbem.intake import Submission, read, spoken
from pbem.log import seal
from pbem.log.match import Match

FORMAT: Final = "pbem-sign/1"
_LETTERS: Final = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's: no i, l, o, u
_MISREAD: Final = str.maketrans({"o": "0", "i": "1", "l": "1", "-": None, " ": None})
_LENGTH: Final = 12  # 60 bits: a guess costs a message, and each wrong one is seen


def sign(
    key: bytes, match: str, seat: Seat, position: tuple[int, str], orders: Sequence[str]
) -> str:
    """The code for these orders at this position, as `7kqm-2x4p-9abc`; `key` is the seat's."""
    said = seal.canonical([FORMAT, match, seat, *position, list(spoken(orders))])
    digest = hmac.digest(seal.derive(key, "sign"), said.encode(), "sha256")
    number = int.from_bytes(digest[:8], "big") >> 4
    letters = "".join(_LETTERS[number >> shift & 31] for shift in range(55, -5, -5))
    return "-".join(letters[at : at + 4] for at in range(0, _LENGTH, 4))


def signed_at(
    code: str,
    key: bytes,
    match: str,
    seat: Seat,
    positions: Iterable[tuple[int, str]],
    orders: Sequence[str],
) -> tuple[int, str] | None:
    """The position at which this code fits these orders; None if at none of them."""
    given = _read(code).encode()
    for position in positions:
        fits = _read(sign(key, match, seat, position, orders)).encode()
        if hmac.compare_digest(given, fits):
            return position
    return None


def _read(code: str) -> str:
    """A code without its dashes, with the letters it cannot hold as those they look like."""
    return code.lower().translate(_MISREAD)


# ------------------------------------------------------------------- the order as it is sent


@dataclass(frozen=True, slots=True)
class Signed:
    """An order and its code; `text` is the fence to send, code and position in it."""

    seat: Seat
    code: str
    text: str


def sign_order(now: Match, message: Submission) -> Signed:
    """An order signed for where the match stands, with the one seat's key at hand.

    Raises Problem: code 77 without such a key, 1 for an order that is none or meant for another
    position, match or seat.
    """
    seats = now.keyring.seats
    if now.keyring.secret is not None or len(seats) != 1:
        raise Denied("an order is signed with the key of its one seat: --key KEYFILE")
    [seat] = seats
    epoch = now.log.epochs[seat]
    key = now.keyring.opens(seat, epoch)
    if key is None:
        raise Denied(
            "{seat:seat} has changed hands: it takes the key of epoch {epoch}, which came "
            "with the letter to the substitute",
            seat=seat,
            epoch=epoch,
        )
    _require(not message.match or message.match == now.name, f"it is for {message.match}")
    _require(not message.seat or message.seat == seat, f"it is {message.seat}'s")
    position = ply, fingerprint = now.position
    for named, mark in message.positions:
        _require(
            named in (None, ply) and mark in (None, fingerprint),
            f"it is for #{named}, the match is at #{ply} {fingerprint}",
        )
    orders = [order.text for order in message.orders]
    _require(bool(orders), "there is no move in it")
    code = sign(key, now.name, seat, position, orders)
    lines = ["[move]", f"#{ply} {fingerprint}", *orders, f"sign: {code}", "[/move]"]
    text = "".join(f"{line}\n" for line in lines)
    again = read(text.encode(), "<the signed order>", "text")
    same = spoken(order.text for order in again.orders) == spoken(orders)
    _require(same and again.signature == code, "it does not read the same once it is in a fence")
    return Signed(seat, code, text)


def _require(fine: bool, trouble: str) -> None:
    if not fine:
        raise NotNow("this order cannot be signed: {trouble}", trouble=trouble)
