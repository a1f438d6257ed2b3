"""Mails that come no further than the door: of strangers, machines and people of whom nobody knows
who they are, or for which match they write.
"""

from __future__ import annotations

from typing import Final

from pbem.core import Problem, Seat
from pbem.desk import address as addresses
from pbem.mailroom import bounces
from pbem.mailroom.incoming import Mail
from pbem.mailroom.office import Office, Plan, Settled
from pbem.matches.folder import match_name
from pbem.sentence import Sentence, say

_STRANGER: Final = say(
    "This address is not in the address book of the match your mail is about, so nothing was done "
    "with it. If you play here, write from the address your moderator knows, keep the part of the "
    "subject in square brackets, or ask your moderator to add this address."
)
"""To strangers: the same whether there is such a match or not."""


def nobodys(mail: Mail) -> Plan:
    """For a mail that cannot be answered."""
    trouble = mail.trouble
    if trouble is None:
        why = say("its From names nobody who could be answered")
    else:
        why = say("its From names nobody who could be answered; {trouble}", trouble=trouble)
    # What is wrong with the text may quote the text.
    private = trouble is not None and mail.item.trouble is None
    return Plan(verdict="unreadable", why=why, private=private, aside=True)


def unclear(office: Office, mail: Mail, known: list[Settled]) -> Plan:
    """For a player of several matches whose mail does not say which one it is for."""
    look = office.matches.look
    tokens = [f"[{match_name(each.path)} {look(each.path).position}]" for each in known]
    told = say(
        "You play in several matches, and your mail does not say which one it is for. Nothing "
        "was played. Put one of these into the subject and send it again: {tokens:any}",
        tokens=tokens,
    )
    return office.answered(mail, Plan(verdict="unclear", settled=True), told=told)


def stranger(office: Office, mail: Mail) -> Plan:
    """For a mail from an address that no match knows."""
    why = say("a stranger, who may want to join: no match here knows the address")
    plan = Plan(verdict="stranger", why=why, aside=True)
    return office.answered(mail, plan, told=_STRANGER)


def unproven(office: Office, mail: Mail, match: Settled) -> Plan:
    """For a mail of which nobody can say who wrote it: not a word about the match. The
    moderator may know, so it is put aside for them."""
    writer = match.writer
    told = say("Your mail was not accepted: {why}.", why=writer.refusal)
    why = writer.for_moderator
    plan = Plan(verdict="unproven", path=match.path, why=why, aside=True)
    return office.answered(mail, plan, told=told)


def machine(office: Office, mail: Mail, kind: str) -> Plan:
    """For a mail that a machine has sent: noted, never answered. Of an out-of-office reply it is
    said whose it is, if that is known."""
    path, seats = _seemingly(office, mail)
    # Without a seat: an answer sent by a machine overtakes nobody.
    why = say("{kind}", kind=kind)
    if kind == "away":
        who = seats or [mail.envelope.sender or "nobody knows who"]
        why = say("out of office: {who:all}", who=who)
    if kind == "bounce" and (failing := bounces.read(mail.item.mail, office.address)):
        path = office.matches.named(failing.match or "") or path
        why = say(
            "a bounce: mails to {address} do not arrive; {whose}",
            address=failing.address,
            whose=_whose(office, path, failing.address),
        )
        return Plan(verdict=kind, path=path, why=why, aside=True, failing=failing.address)
    return Plan(verdict=kind, path=path, why=why)


def _whose(office: Office, path: str, address: str) -> Sentence:
    """Whose address this is, for the moderator."""
    known = addresses.found(address)
    theirs = office.matches.of(known) if known else {}
    seats = theirs.get(path, ())
    if seats:
        return say("in {match} it is that of {seats:all}", match=match_name(path), seats=seats)
    if theirs:
        return say("it is known in {matches:all}", matches=[match_name(each) for each in theirs])
    return say("no match here knows it")


def failed(office: Office, mail: Mail, problem: Problem) -> Plan:
    """For a mail nobody has foreseen: it is put aside, and not tried again."""
    path, _ = _seemingly(office, mail)
    return Plan(verdict="failed", path=path, why=say("{problem}", problem=problem), aside=True)


def _seemingly(office: Office, mail: Mail) -> tuple[str, tuple[Seat, ...]]:
    """The match a mail seems to be for, and the seats there, by what it says of itself."""
    sender = mail.envelope.sender
    theirs = office.matches.of(sender) if sender else {}
    path = office.matches.named(mail.named) if mail.named else None
    if path not in theirs:
        path = next(iter(theirs)) if len(theirs) == 1 else ""
    return path or "", theirs.get(path or "", ())
