"""Who wrote a message: whom it claims to be from, and what proves it.

Each match has one of three policies: `from` believes the address, `authenticated` wants a mail
server or a DKIM signature to vouch for it, `signed` wants a code made with the key of the seat.
docs/authorship.md says what each of them is worth.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from pbem.core import Position, Seat
from pbem.desk.file import Desk
from pbem.intake import Submission
from pbem.intake.rawmail import RawMail
from pbem.intake.text import clean
from pbem.log.match import Replay
from pbem.log.seal import Keyring, link_key
from pbem.problem import Usage
from pbem.sentence import Sentence, say

POLICIES: Final = ("from", "authenticated", "signed")

_PROVEN: Final = frozenset({"word", "author", "server", "dkim", "signature"})
DOUBTS: Final[Mapping[str, Sentence]] = {
    "address": say(
        "The writer is known by the address in From alone, which anybody can write; that is not "
        "verified"
    ),
    "claim": say(
        "The writer is known by what the text says of itself alone, which anybody can write; that "
        "is not verified"
    ),
}


class Writer(NamedTuple):
    """Who wrote a message: the seats it may speak for, and how that is known.

    how            word (the moderator's), author (the account it was posted from), server (what
                   the mail server found out), dkim, signature (a code made with the seat's key);
                   address or claim where nothing proves it; "" for whoever checks an order at home
    refusal        without a seat: what the sender is told, which is nothing about the match
    for_moderator  without a seat: what the moderator alone is told
    position       the one that the code was made for
    """

    seats: tuple[Seat, ...]
    how: str = ""
    refusal: Sentence | None = None
    for_moderator: Sentence | None = None
    position: Position | None = None

    @property
    def proven(self) -> bool:
        """Is it more than a claim?"""
        return self.how in _PROVEN

    @property
    def doubt(self) -> Sentence | None:
        """Why somebody else may have written it; None if that is out of the question."""
        return DOUBTS.get(self.how)


def checked(message: Submission, desk: Desk) -> Submission:
    """The message with the domains whose DKIM signatures it bears, if the match asks for them. May
    look up keys on the net. Raises Problem as `authenticated.domains` does."""
    wanted = desk.policy == "authenticated" and desk.server is None and message.unchecked
    if message.mail is None or not wanted or not claimed(message, desk):
        return message
    from pbem.desk.authorship.authenticated import domains

    return message._replace(domains=domains(message.mail))


def unread(mail: RawMail, sender: str) -> Submission:
    """A mail whose text cannot be read, with no more than what tells who wrote it: no order, and so
    no code. `sender` is the bare address in From."""
    return Submission(sender=sender.lower(), kind="mail", mail=mail)


def says_whose(message: Submission) -> bool:
    """Does the message claim to be somebody's: by a sender, an author, a seat or a code?"""
    named = (message.sender, message.author, message.seat, message.signature)
    return message.kind == "mail" or any(name is not None for name in named)


def claimed(message: Submission, desk: Desk) -> tuple[Seat, ...]:
    """The seats that a message claims to speak for; () for a stranger's.

    Its sender or its author decides, if it has one, else the seat it names; a mail without a sender
    is nobody's, and a text with nothing but a code may be any player's.
    """
    if message.sender is not None:
        return _bearers(desk.addresses, message.sender)
    if message.author is not None:
        return _bearers(desk.authors, message.author)
    if message.kind == "mail":
        return ()
    if message.seat is not None:
        return (message.seat,)
    return tuple(desk.addresses) if message.signature else ()


def _bearers(known: Mapping[Seat, tuple[str, ...]], name: str) -> tuple[Seat, ...]:
    return tuple(seat for seat, names in known.items() if _plain(name) in map(_plain, names))


def _plain(name: str) -> str:
    return clean(name).strip().casefold()


def writer(match: Replay, message: Submission, desk: Desk) -> Writer:
    """Who wrote the message, by the policy of the match; if that gives no seat, its sender may be
    told nothing about the match. DKIM signatures count only after `checked`.

    Raises Usage for a text that somebody typed in and that does not say whose it is.
    """
    seats = claimed(message, desk)
    if not seats:
        return _stranger(match, message)
    for seat in seats:
        match.require_seat(seat)
    if message.signature is not None:
        return _signed(match, message, seats, desk.keyring)
    if desk.policy == "signed":
        return _unproven(
            say(
                "Nobody can be sure who wrote this message: the order bears no code. Make one "
                "with `pbem sign` and your key, and put its line `sign: …` below the order"
            ),
            seats,
        )
    if message.sender is not None:
        return mailed(message.sender, message, desk, seats)
    if message.author is not None and message.author_told:
        return Writer(seats, "author")
    if desk.policy == "authenticated":
        return _unproven(
            say(
                "Nobody can be sure who wrote this message: nothing vouches for a text but the "
                "code of its writer. Sign it with `pbem sign` and your key"
            ),
            seats,
        )
    return Writer(seats, "claim")


def _stranger(match: Replay, message: Submission) -> Writer:
    if not says_whose(message):
        raise Usage(
            "this text does not say whose move it is; say --from {awaited:any}",
            awaited=match.awaited or match.setup.seats,
        )
    refusal = say(
        "Orders cannot be given from this address. If you take part, write from the address you "
        "gave to your moderator, or ask them to enter this one"
    )
    if message.author is not None:
        refusal = say(
            "Orders cannot be given from this account. If you take part, write from the account "
            "you gave to your moderator, or ask them to enter this one"
        )
    notice = say(
        "This mail names no sender, or one that could be read in two ways; if you know whose it "
        "is, say --from SEAT"
    )
    if sender := message.sender or message.author:
        notice = say(
            "{sender} belongs to nobody in {match}; if you know whose message it is, say --from "
            "SEAT",
            sender=sender,
            match=match.name,
        )
    return Writer((), refusal=refusal, for_moderator=notice)


def _unproven(refusal: Sentence, seats: tuple[Seat, ...]) -> Writer:
    notice = say(
        "It claims to be from {seats:any}; if you are sure of that, say --from SEAT", seats=seats
    )
    return Writer((), refusal=refusal, for_moderator=notice)


def mailed(sender: str, message: Submission, desk: Desk, seats: tuple[Seat, ...]) -> Writer:
    """Who wrote a mail that claims to be from these seats, by what vouches for its sender."""
    if desk.policy == "from":
        return Writer(seats, "address")
    from pbem.desk.authorship.authenticated import belongs, vouched

    assert message.mail is not None
    if message.mail.flaw:
        return _unproven(
            say(
                "Nobody can be sure who wrote this message, for another program may read it as "
                "another one: {flaw}",
                flaw=message.mail.flaw,
            ),
            seats,
        )
    if desk.server is not None:
        why = vouched(message.mail.first("Authentication-Results"), desk.server, sender)
        return _unproven(why, seats) if why else Writer(seats, "server")
    domain = sender.rpartition("@")[2]
    if any(belongs(domain, signer) for signer in message.domains or ()):
        return Writer(seats, "dkim")
    return _unproven(
        say(
            "Nobody can be sure who wrote this message: it bears no DKIM signature of {domain} "
            "that is valid and covers all that is read of it. Mailing lists break signatures: "
            "write to the desk directly",
            domain=domain,
        ),
        seats,
    )


def _signed(
    match: Replay, message: Submission, seats: tuple[Seat, ...], keyring: Keyring
) -> Writer:
    """Who made a message's code. A wrong one is refused under any policy: something is amiss."""
    from pbem.desk.authorship.signature import signed_at

    assert message.signature is not None
    epochs = match.log.epochs
    orders = [line.text for line in message.asked]
    # Where the match stands or stood, the latest first, but only what fits the message's own words.
    positions = [
        position
        for position in dict.fromkeys(match.log.positions)
        if all(position.fits(*named) for named in message.positions)
    ]
    for seat in seats:
        key = keyring.opens(seat, epochs[seat])
        assert key is not None
        # Made with the key itself, or on the seat's own page with what its link holds.
        for signing in (key, link_key(key, match.name, seat, epochs[seat])):
            position = signed_at(message.signature, signing, match.name, seat, positions, orders)
            if position is not None:
                return Writer((seat,), "signature", position=position)
    return _unproven(
        say(
            "Nobody can be sure who wrote this message: its code does not fit. It must be made "
            "with your present key, for this very order and the position it names. Sign it again "
            "with `pbem sign`"
        ),
        seats,
    )
