"""Secrets of a match: one key for each reader, and values only their owner can read.

The whole scheme is written out, with test vectors, in docs/sealing-and-drawing.md.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Final

from pbem.core import HIDDEN, Seat
from pbem.problem import BadFile, Denied

MODERATOR: Final = "moderator"
KEY_FORMAT: Final = "pbem-key/1"
BYTES: Final = 32

# Patterns are compiled when they are first used: most commands use neither.
_SEALED: Final = r"sealed:(0|[1-9][0-9]{0,5}):([A-Za-z0-9_-]+)"
_KEY_LINE: Final = rf"{KEY_FORMAT} (\S+) (\S(?:.*\S)?) (0|[1-9][0-9]{{0,5}}) ([0-9a-f]{{64}})"


def canonical(value: Any) -> str:
    """The one JSON text of a plain value: keys sorted, no blanks, nothing but itself escaped."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def new_secret() -> bytes:
    """A match secret: 32 bytes from the system."""
    return os.urandom(BYTES)


def sha256(data: bytes) -> str:
    """A hash as logs write it."""
    import hashlib  # and OpenSSL with it: whoever only looks at a log need not load them

    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def commit(secret: bytes) -> str:
    """What the header of a log says about the secret without giving it away."""
    return sha256(secret)


@lru_cache(maxsize=64)  # the same few are asked for with each sealed value of a log
def derive(secret: bytes, label: str, size: int = BYTES) -> bytes:
    """A key of `size` bytes for one purpose: HKDF-SHA256 (RFC 5869), salt `pbem/1`."""
    import hmac

    pseudorandom = hmac.digest(b"pbem/1", secret, "sha256")
    key = block = b""
    while len(key) < size:
        counter = bytes([len(key) // 32 + 1])
        block = hmac.digest(pseudorandom, block + label.encode() + counter, "sha256")
        key += block
    return key[:size]


def seat_key(secret: bytes, seat: Seat, epoch: int) -> bytes:
    """The key of a seat; each new person on the seat brings a new epoch."""
    return derive(secret, f"seat/{seat}/{epoch}")


def link_key(key: bytes, match: str, seat: Seat, epoch: int) -> bytes:
    """What a seat's links hold, derived one way from its key of this epoch: it opens the seat's
    page and signs what is sent from there, but opens nothing in the log."""
    return derive(key, canonical(["link", match, seat, epoch]))


# ----------------------------------------------------------------------------------- keys


@dataclass(frozen=True, slots=True)
class Keyring:
    """What a reader of a match can open: everything, some seats' parts, or nothing."""

    match: str = ""
    secret: bytes | None = field(default=None, repr=False)
    keys: tuple[tuple[Seat, int, bytes], ...] = field(default=(), repr=False)

    @staticmethod
    def none() -> Keyring:
        """A spectator's, which opens nothing."""
        return Keyring()

    @staticmethod
    def moderator(secret: bytes, match: str) -> Keyring:
        """The one that opens everything."""
        return Keyring(match, secret)

    @staticmethod
    def seat(match: str, seat: Seat, keys: Mapping[int, bytes]) -> Keyring:
        """A player's, from {epoch: key}."""
        return Keyring(match, None, tuple((seat, epoch, keys[epoch]) for epoch in sorted(keys)))

    def for_seat(self, seat: Seat, epoch: int = 0) -> Keyring:
        """What the moderator hands to whoever takes a seat at this epoch: its key and all before.

        Raises Problem (code 77) for a keyring that is not the moderator's.
        """
        if self.secret is None:
            raise Denied("only the moderator's key makes seat keys")
        made = {past: seat_key(self.secret, seat, past) for past in range(epoch + 1)}
        return Keyring.seat(self.match, seat, made)

    def joined(self, other: Keyring) -> Keyring:
        """The keys of somebody who plays the seats of both."""
        return replace(self, keys=(*self.keys, *other.keys))

    def only(self, seat: Seat) -> Keyring:
        """This seat's keys alone."""
        return Keyring(self.match, None, tuple(each for each in self.keys if each[0] == seat))

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats whose own keys these are, if any: a moderator's and a spectator's have none."""
        return tuple(dict.fromkeys(seat for seat, _, _ in self.keys))

    def opens(self, seat: Seat, epoch: int) -> bytes | None:
        """The key for what was sealed for a seat at an epoch, or None."""
        if self.secret is not None:
            return seat_key(self.secret, seat, epoch)
        for owner, since, key in self.keys:
            if (owner, since) == (seat, epoch):
                return key
        return None

    def seal(
        self, seat: Seat, epoch: int, value: Any, *, match: str, ply: int, field: str, size: int
    ) -> str:
        """A value sealed for a seat at an epoch, see `seal`. Raises Denied for a keyring that lacks
        the key and so is not the moderator's."""
        key = self.opens(seat, epoch)
        if key is None:
            raise Denied(
                "sealing {field} for {owner:seat} takes the moderator's key",
                field=field,
                owner=seat,
            )
        return seal(key, value, match=match, ply=ply, field=field, epoch=epoch, size=size)

    def unseal(self, seat: Seat, text: str, *, match: str, ply: int, field: str) -> Any:
        """The value that was sealed for a seat, see `unseal`; HIDDEN without the key. Raises
        Problem."""
        key = self.opens(seat, epoch_of(text))
        return HIDDEN if key is None else unseal(key, text, match=match, ply=ply, field=field)

    @staticmethod
    def read(text: str, path: str) -> Keyring:
        """The keys in the text of a key file or an environment variable. Raises Problem."""
        matches, secret, keys = [], None, []
        for number, line in enumerate(text.splitlines(), 1):
            if not line.strip():
                continue
            found = re.fullmatch(_KEY_LINE, line.strip())
            if found is None:
                # Never quote the line: it may be most of a key.
                raise BadFile(
                    "not a key; expected '{key_format} MATCH SEAT EPOCH' and 64 hexadecimal "
                    "digits; copy the line from the letter again",
                    path,
                    number,
                    key_format=KEY_FORMAT,
                )
            match, seat, epoch, key = found.groups()
            matches.append(match)
            if match != matches[0]:
                raise BadFile(
                    "a key for {match!r} after one for {first!r}; keep one match's keys in a file",
                    path,
                    number,
                    match=match,
                    first=matches[0],
                )
            if seat == MODERATOR:
                secret = bytes.fromhex(key)
            else:
                keys.append((seat, int(epoch), bytes.fromhex(key)))
        if not matches:
            raise BadFile("holds no key", path)
        return Keyring(matches[0], secret, tuple(keys))

    def write(self) -> str:
        """The text `read` reads: a line for each key."""
        every = list(self.keys)
        if self.secret is not None:
            every.insert(0, (MODERATOR, 0, self.secret))
        return "".join(f"{KEY_FORMAT} {self.match} {s} {e} {k.hex()}\n" for s, e, k in every)


# ---------------------------------------------------------------------------------- seals


def is_sealed(value: Any) -> bool:
    """Does this look like what `seal` writes?"""
    return isinstance(value, str) and value.startswith("sealed:")


def epoch_of(text: str) -> int:
    """The epoch a sealed value was sealed at. Raises Problem."""
    return _parts(text)[0]


def length_of(text: str) -> int:
    """How many bytes are sealed in a sealed value, padding included. Raises Problem."""
    return len(_parts(text)[1]) - 16


def seal(key: bytes, value: Any, *, match: str, ply: int, field: str, epoch: int, size: int) -> str:
    """`sealed:EPOCH:…`: a plain value, readable with `key` at exactly this place of this match.

    AES-SIV (RFC 5297). The value's compact JSON is padded with blanks to a multiple of `size`
    bytes, so that its length does not give away what it is.
    """
    if size < 1:
        raise ValueError(f"a secret field needs a size to be padded to: {field}")
    plain = canonical(value).encode()
    padded = plain.ljust(-(-len(plain) // size) * size)
    shut = _cipher(key).encrypt(padded, [_place(match, ply, field)])
    return f"sealed:{epoch}:{base64url(shut)}"


def unseal(key: bytes, text: str, *, match: str, ply: int, field: str) -> Any:
    """The value that was sealed. Raises Problem if key, place or a single letter differs."""
    from cryptography.exceptions import InvalidTag

    shut = _parts(text)[1]
    try:
        plain = _cipher(key).decrypt(shut, [_place(match, ply, field)])
    except InvalidTag:
        raise BadFile(
            "{field} of ply {ply} was sealed with another key, or altered", field=field, ply=ply
        ) from None
    return json.loads(plain)


PAGE_SIZE: Final = 32_768
"""How many bytes are sealed in every page, whatever the match and whatever the seat knows."""


def fits_page(told: bytes) -> bool:
    """Does what a page tells one seat, compressed, fit into the size that all pages have?"""
    return len(told) + 4 <= PAGE_SIZE


def seal_page(link: bytes, told: bytes, *, match: str, seat: Seat, epoch: int, mark: str) -> bytes:
    """What a page tells one seat, readable with what the seat's links hold: the nonce, then what
    AES-256-GCM makes of it. `told` is compressed, and fits; `mark` is the public chain of the log.

    The nonce is derived from all that goes in: no two pages share one, and equal pages stay equal.
    """
    import hmac

    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    plain = (len(told).to_bytes(4, "big") + told).ljust(PAGE_SIZE, b"\0")
    place = canonical([match, seat, epoch, mark]).encode()
    nonce = hmac.digest(derive(link, "nonce"), place + b"\0" + plain, "sha256")[:12]
    return nonce + AESGCM(derive(link, "page")).encrypt(nonce, plain, place)


def _parts(text: str) -> tuple[int, bytes]:
    import base64
    import binascii

    found = re.fullmatch(_SEALED, text)
    try:
        if found is None:
            raise ValueError
        shut = base64.urlsafe_b64decode(found[2] + "=" * (-len(found[2]) % 4))
    except (ValueError, binascii.Error):
        raise BadFile(
            "{text!r} is not a sealed value; expected sealed:EPOCH:BASE64URL", text=text
        ) from None
    if len(shut) <= 16 or base64url(shut) != found[2]:
        raise BadFile("{text!r} is not a sealed value; it is cut short or altered", text=text)
    return int(found[1]), shut


def base64url(data: bytes) -> str:
    """Bytes as letters, without padding."""
    import base64

    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _place(match: str, ply: int, field: str) -> bytes:
    return canonical([match, ply, field]).encode()


@lru_cache(maxsize=64)
def _cipher(key: bytes) -> Any:
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV

    return AESSIV(key)
