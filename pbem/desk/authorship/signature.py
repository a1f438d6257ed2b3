"""The code under an order: whoever has a seat's key can make it, and the desk can check it.

It can be copied by hand and computed in any language; docs/authorship.md spells it out, with test
vectors.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from pbem.core import Position, Seat
from pbem.intake import Submission, read, spoken
from pbem.log import seal
from pbem.log.match import Replay
from pbem.problem import Denied, NotNow

FORMAT: Final = "pbem-sign/1"
_LETTERS: Final = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's: no i, l, o, u
_MISREAD: Final = str.maketrans({"o": "0", "i": "1", "l": "1", "-": None, " ": None})
_LENGTH: Final = 12  # 60 bits: a guess costs a message, and each wrong one is seen


def sign(key: bytes, match: str, seat: Seat, position: Position, orders: Sequence[str]) -> str:
    """The code for these orders at this position, like `7kqm-2x4p-9abc`; `key` is the seat's."""
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
    positions: Iterable[Position],
    orders: Sequence[str],
) -> Position | None:
    """The one of these positions at which this code fits these orders; None if there is none."""
    given = _read(code).encode()
    for position in positions:
        fits = _read(sign(key, match, seat, position, orders)).encode()
        if hmac.compare_digest(given, fits):
            return position
    return None


def _read(code: str) -> str:
    """A code without its dashes, and with 0 and 1 for the letters that look like them."""
    return code.lower().translate(_MISREAD)


# ------------------------------------------------------------------- the order as it is sent


class Signed(NamedTuple):
    """An order and its code; `text` is the fence to send, which holds the code and the position."""

    seat: Seat
    code: str
    text: str


def sign_order(match: Replay, message: Submission) -> Signed:
    """An order signed for the present position, with the key at hand, which must be one seat's.

    Raises Problem: code 77 without such a key, 1 for an order that holds no move, does not read the
    same in a fence, or is meant for another position, match or seat.
    """
    seats = match.keyring.seats
    if match.keyring.secret is not None or len(seats) != 1:
        raise Denied("an order is signed with the key of its one seat: --key KEYFILE")
    [seat] = seats
    epoch = match.log.epochs[seat]
    key = match.keyring.opens(seat, epoch)
    if key is None:
        raise Denied(
            "{seat:seat} has changed hands: it takes the key of epoch {epoch}, which came "
            "with the letter to the substitute",
            seat=seat,
            epoch=epoch,
        )
    position = match.position
    names = ((message.match, match.name), (message.seat, seat))
    other = [named for named, own in names if named not in (None, own)]
    unfit = (each for each in message.positions if not position.fits(*each))
    other += [str(mark) if ply is None else f"#{ply}" for ply, mark in unfit]
    if other:
        raise NotNow(
            "this order names {other:all}, but it would be signed for {match}, seat {seat}, at "
            "{position}; correct it and sign it again",
            other=other,
            match=match.name,
            seat=seat,
            position=position,
        )
    orders = [line.text for line in message.asked]
    if not orders:
        raise NotNow("there is no move in it to be signed")
    code = sign(key, match.name, seat, position, orders)
    lines = ["[move]", str(position), *orders, f"sign: {code}", "[/move]"]
    text = "".join(f"{line}\n" for line in lines)
    again = read(text.encode(), "<the signed order>", "text")
    same = spoken(line.text for line in again.asked) == spoken(orders)
    if not same or again.signature != code:
        raise NotNow(
            "this order does not read the same once it is in a fence; write one move on each line"
        )
    return Signed(seat, code, text)
