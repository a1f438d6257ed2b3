"""Who wrote a message: whom it claims to be from, and what proves it.

Three policies, one a match: `from` believes the address, `authenticated` wants a mail server or
a DKIM signature to vouch for it, `signed` wants a code made with the key of the seat.
docs/authorship.md says what each of them is worth.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from pbem.authorship.domainkeys import Dns
from pbem.core import Seat, Usage
from pbem.intake import Submission
from pbem.intake.text import clean
from pbem.log.match import Match

__all__ = ["POLICIES", "Dns", "Register", "Writer", "checked", "claimed", "writer"]

POLICIES: Final = ("from", "authenticated", "signed")

HOW: Final = {
    "word": "on the moderator's word",
    "address": "by the address in From alone, which anybody can write",
    "author": "by the account it was posted from, as given on the command line",
    "claim": "by what the text says of itself, which anybody can write",
    "server": "by what the mail server found out",
    "dkim": "by the DKIM signature of the sender's domain",
    "signature": "by its code, made with the key of the seat",
}
"""How it is known who wrote a message, in words."""

_PROVEN: Final = frozenset({"word", "author", "server", "dkim", "signature"})


@dataclass(frozen=True, slots=True)
class Register:
    """Whom the moderator of a match knows, and what proof he asks for.

    `server` is whose Authentication-Results count; without one, DKIM is checked here.
    """

    policy: str = "from"
    server: str | None = None
    addresses: Mapping[Seat, tuple[str, ...]] = field(default_factory=dict)
    authors: Mapping[Seat, tuple[str, ...]] = field(default_factory=dict)

    @property
    def checks_dkim(self) -> bool:
        """Is a signature of the sender's domain looked for here?"""
        return self.policy == "authenticated" and self.server is None


@dataclass(frozen=True, slots=True)
class Writer:
    """Who wrote a message: the seats it may speak for, and how that is known.

    Without a seat, `refusal` is what the sender is told: nothing about the match. `aside` is for
    the moderator alone. `position` is the one a code was made for.
    """

    seats: tuple[Seat, ...]
    how: str = ""
    refusal: str = ""
    aside: str = ""
    position: tuple[int, str] | None = None

    @property
    def proven(self) -> bool:
        """Is it more than a claim?"""
        return self.how in _PROVEN

    @property
    def words(self) -> str:
        """How it is known, for people."""
        return HOW.get(self.how, "")


def checked(message: Submission, register: Register, dns: Dns | None = None) -> Submission:
    """The message with the domains whose DKIM signatures it bears, where the register asks for
    them. May ask the net. Raises Problem as `domainkeys.domains` does."""
    if not (message.raw and register.checks_dkim and claimed(message, register)):
        return message
    from pbem.authorship.domainkeys import domains

    return replace(message, domains=domains(message.raw, dns))


def claimed(message: Submission, register: Register) -> tuple[Seat, ...]:
    """Whose message it is by what it says of itself; () for a stranger's.

    By its sender or its author where it has one, else by the seat it names; a mail without a
    sender is nobody's.
    """
    if message.sender is not None:
        return _bearers(register.addresses, message.sender)
    if message.author is not None:
        return _bearers(register.authors, message.author)
    if message.kind == "mail":
        return ()
    if message.seat is not None:
        return (message.seat,)
    return tuple(register.addresses) if message.signature else ()


def _bearers(known: Mapping[Seat, tuple[str, ...]], name: str) -> tuple[Seat, ...]:
    return tuple(seat for seat, names in known.items() if _plain(name) in map(_plain, names))


def _plain(name: str) -> str:
    return clean(name).strip().casefold()


def writer(now: Match, message: Submission, register: Register) -> Writer:
    """Who wrote the message, by the policy of the match; `now` is known with the moderator's keys.

    Raises Problem (code 2) for a text typed in that does not say whose it is.
    """
    seats = claimed(message, register)
    if not seats:
        return _stranger(now, message)
    if unknown := [seat for seat in seats if seat not in now.setup.seats]:
        raise Usage("{name} has no seat {unknown!r}", name=now.name, unknown=unknown[0])
    if message.signature is not None:
        return _signed(now, message, seats)
    if register.policy == "signed":
        return _unproven(
            "the order bears no code. Make one with `pbem sign` and your key, and "
            "put its line `sign: …` below the order",
            seats,
        )
    if message.sender is not None:
        return _mailed(message.sender, message, register, seats)
    how = "author" if message.author is not None and message.author_told else "claim"
    if how == "claim" and register.policy == "authenticated":
        return _unproven(
            "nothing vouches for a text but the code of its writer: sign it with "
            "`pbem sign` and your key",
            seats,
        )
    return Writer(seats, how)


def _stranger(now: Match, message: Submission) -> Writer:
    if message.sender is None and message.author is None and message.kind != "mail":
        asked = " or --from ".join(now.awaited)
        raise Usage("this text does not say whose move it is; say --from {asked}", asked=asked)
    what = "account" if message.author is not None else "address"
    told = (
        f"orders cannot be given from this {what}. If you take part, write from the {what} "
        "you gave to your moderator, or ask him to enter this one"
    )
    whose = message.sender or message.author or "a mail without a sender"
    aside = (
        f"{whose} is not the {what} of anybody in {now.name}; if you know whose message it "
        "is, say --from SEAT"
    )
    return Writer((), refusal=told, aside=aside)


def _unproven(why: str, seats: tuple[Seat, ...]) -> Writer:
    told = f"it could not be made sure who wrote this message: {why}"
    aside = f"it claims to be from {' or '.join(seats)}; if you are sure of that, say --from SEAT"
    return Writer((), refusal=told, aside=aside)


def _mailed(
    sender: str, message: Submission, register: Register, seats: tuple[Seat, ...]
) -> Writer:
    if register.policy == "from":
        return Writer(seats, "address")
    from pbem.authorship.results import belongs, vouched

    if register.server is not None:
        why = vouched(message.results, register.server, sender)
        return _unproven(why, seats) if why else Writer(seats, "server")
    domain = sender.rpartition("@")[2]
    if any(belongs(domain, signer) for signer in message.domains):
        return Writer(seats, "dkim")
    found = f"only {', '.join(message.domains)}" if message.domains else "nobody"
    return _unproven(
        f"no valid DKIM signature of {domain} ({found} has signed it). Mailing lists "
        "break signatures: write to the desk directly",
        seats,
    )


def _signed(now: Match, message: Submission, seats: tuple[Seat, ...]) -> Writer:
    """A wrong code refuses a message under any policy: something is amiss."""
    from pbem.authorship.signature import signed_at

    assert message.signature is not None
    epochs = now.log.epochs
    orders = [order.text for order in message.orders]
    positions = list(_positions(now, message))
    for seat in seats:
        key = now.keyring.opens(seat, epochs[seat])
        assert key is not None
        position = signed_at(message.signature, key, now.name, seat, positions, orders)
        if position is not None:
            return Writer((seat,), "signature", position=position)
    return _unproven(
        "its code does not fit. It must be made with your present key, for this very "
        "order and the position it names: sign it again with `pbem sign`",
        seats,
    )


def _positions(now: Match, message: Submission) -> Iterator[tuple[int, str]]:
    """Where the match stands or stood, the latest first, as far as the message's words fit."""
    for ply, mark in dict.fromkeys(now.log.positions):
        if all(n in (None, ply) and m in (None, mark) for n, m in message.positions):
            yield ply, mark
