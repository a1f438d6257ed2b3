"""Who is at the door: the first questions that a mail is asked, before it is settled which match it
is about and who wrote it. Nothing is said about a match here.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from typing import Final

from pbem.core import Seat
from pbem.desk.address import Address
from pbem.desk.answer import Verdict
from pbem.desk.authorship import Writer
from pbem.desk.file import LOG_SUFFIX
from pbem.desk.reading import Reading, about
from pbem.files import yamlio
from pbem.files.languages import speaking
from pbem.intake import Line, Submission
from pbem.intake.absence import dates, is_away, only_tells_absence, speaks_of_absence
from pbem.intake.text import decoded
from pbem.intake.verbs import AWAY, BACK
from pbem.log.match import Replay
from pbem.mailroom.inbox import headers
from pbem.mailroom.inbox.incoming import Mail
from pbem.mailroom.letterhead import paragraphs
from pbem.mailroom.matter import FROM_THEM, Audience, Handling, Matter
from pbem.mailroom.preferences import Preferences
from pbem.matches.index import club_of, match_name
from pbem.meaning.mentions import NOTHING
from pbem.meaning.patterns import says
from pbem.problem import Busy, EmptyMail, NoFile
from pbem.sentence import Sentence, say


def machine(matter: Matter) -> Handling | None:
    """Does it seem that no person has sent it? It is never answered. What may be a player's all the
    same, and says something, is for the moderator; so is an absence notice that names days; any
    other is only noted, and whose it is. A mail through a list that is a player's is read like any
    other."""
    mail, kind = matter.mail, matter.mail.machine
    path, seats = seemingly(matter)
    sender = mail.envelope.sender
    plays = sender and sender != matter.office.address and bool(matter.office.matches.of(sender))
    fails = mail.envelope.fails or (kind == Verdict.BULK and _brings_ours(matter))
    if kind == Verdict.BOUNCE or (fails and not plays and kind != Verdict.OWN):
        if plays and matter.holds_order:
            return _may_be_a_players(matter, path)
        return _returned(matter, path)
    if not kind or (kind == Verdict.LIST and mail.envelope.sender and matter.paths):
        return None
    # It names no seat: an answer sent by a machine overtakes nobody's order.
    theirs = plays or (kind != Verdict.OWN and (path or _theirs(matter)))
    if theirs and _says_something(mail):
        if not _only_away(matter, path):
            return _may_be_a_players(matter, path)
        kind = Verdict.AWAY
    who = seats or [mail.envelope.sender or "nobody knows who"]
    away = kind == Verdict.AWAY
    why = say("out of office: {who:all}", who=who) if away else say("{kind}", kind=kind)
    body, today = mail.said.body if mail.said else "", matter.office.here.clock()[:10]
    named = bool(away and theirs and dates(body, today))
    handling = Handling(verdict=kind, path=path, why=why)
    return handling.put_aside() if named else handling


def _may_be_a_players(matter: Matter, path: str) -> Handling:
    """A mail that seems to be a machine's, put aside: while it lies there, it holds up the silence
    of whoever it may be from."""
    kind, envelope, matches = matter.mail.machine, matter.mail.envelope, matter.office.matches
    verdict = kind if kind == Verdict.BULK or kind == Verdict.LIST else Verdict.AUTO
    listed = not (envelope.sender and matches.of(envelope.sender))
    back = envelope.reply_to if listed and envelope.reply_to else None
    whose = back if back and matches.of(back) else None
    seems = Handling(verdict=verdict, path=path, whose=whose)
    return seems.for_a_person(_SEEMS_A_MACHINES)


def _says_something(mail: Mail) -> bool:
    said = mail.said
    return said is None or bool(said.orders or said.outside or said.requests)


def _only_away(matter: Matter, path: str) -> bool:
    """Does a mail only say that its writer is away? Two of three must say so, its headers, its
    subject and its text, and nothing in it may be a move."""
    mail, matches = matter.mail, matter.office.matches
    if (said := mail.said) is None or (said.fenced and said.orders):
        return False
    asked = {each.verb for each in said.requests}
    tables = map(matches.look, [path] if path else matches.of(matter.sender))
    if not asked | {about(said)} <= {"", AWAY, BACK} or any(
        _names_moves(match, said) for match in tables
    ):
        return False
    lines = (*said.orders, *said.outside)
    if not only_tells_absence("\n".join(each.text for each in lines)):
        return False
    signs = (
        bool(mail.envelope.machine),
        is_away(decoded(mail.envelope.subject)),
        bool(asked) or about(said) == AWAY or any(speaks_of_absence(e.text) for e in lines),
    )
    return sum(signs) > 1


def _names_moves(match: Replay, said: Submission) -> bool:
    """Does a message hold a move, or name what moves are made with, but for a player?"""
    lines, seats = (*said.orders, *said.outside), match.setup.seats
    reading = Reading.of(match, said, Writer(seats))
    return reading.names_things(but=(*seats, NOTHING)) or any(says(match, line) for line in lines)


def _returned(matter: Matter, path: str) -> Handling:
    """What is done about a mail that came back, or a receipt."""
    if (bounce := _came_back(matter)) is None:
        return Handling(verdict=Verdict.BOUNCE, path=path, why=say("bounce"))
    path = matter.office.matches.named(bounce.match or "") or path
    failed = Handling(verdict=Verdict.BOUNCE, path=path, whose=bounce.address)
    return failed.for_a_person(_fails(path, bounce.address))


def _brings_ours(matter: Matter) -> bool:
    """Does a mail name a player's address, and bring a mail of ours about a match?"""
    bounce = _came_back(matter)
    return bool(bounce and bounce.address and bounce.match)


def _came_back(matter: Matter) -> headers.Bounce | None:
    """What a bounce says; its own sender is not who could not be reached."""
    mail, office = matter.mail, matter.office

    def known(address: Address) -> bool:
        return address != mail.envelope.sender and bool(office.matches.of(address))

    return headers.bounce(mail.item.mail, office.address, known)


def _fails(path: str, address: Address) -> Sentence:
    """What a bounce about a match says, for the moderator; the address may be "", as may both."""
    if address:
        return say("a bounce: mails to {address} do not arrive", address=address)
    return say(_NAMELESS_IN, match=match_name(path)) if path else _NAMELESS


def seemingly(matter: Matter) -> tuple[str, tuple[Seat, ...]]:
    """The match a mail seems to be for and its sender's seats there, if its From is true, or its
    Reply-To where a list or a stranger stands in From; the match it names if that is no player's
    either, or there is none."""
    mail, matches = matter.mail, matter.office.matches
    theirs = _theirs(matter)
    names = (mail.named, *_BRACKETS.findall(decoded(mail.envelope.subject)))
    named = next(filter(None, (matches.named(name) for name in names if name)), "")
    path = named if named in theirs or not theirs else ""
    if not path and len(theirs) == 1:
        [path] = theirs
    return path, theirs.get(path, ())


def _theirs(matter: Matter) -> dict[str, tuple[Seat, ...]]:
    """The matches and seats of whoever seems to have written a mail, as `_seemingly`."""
    envelope = matter.mail.envelope
    writers = filter(None, (envelope.sender, envelope.reply_to))
    return next(filter(None, map(matter.office.matches.of, writers)), {})


_BRACKETS: Final = re.compile(r"\[([^\s\[\]/]{1,80})\]")
"""A name in a subject."""


def nobodys(matter: Matter) -> Handling | None:
    """Is there nobody who could be answered?"""
    mail = matter.mail
    if mail.envelope.sender is not None:
        return None
    trouble = mail.trouble
    if trouble is None:
        why = say("its From names nobody who could be answered")
    else:
        why = say("its From names nobody who could be answered; {trouble}", trouble=trouble)
    # A problem with the text may quote the text.
    quotes = trouble is not None and mail.item.trouble is None
    path, _ = seemingly(matter)
    audience = Audience.ASK if quotes else Audience.MODERATORS
    unread = Handling(verdict=Verdict.UNREADABLE, path=path, why=why, audience=audience)
    return unread.put_aside()


def for_the_club(matter: Matter) -> Handling | None:
    """Does it ask something of the club whose matches these are? Of an empty mail of a member there
    is the subject."""
    club, said = club_of(matter.office.matches.folder), matter.mail.said
    if club and isinstance(matter.mail.trouble, EmptyMail):
        said = Submission(orders=(Line(1, decoded(matter.mail.envelope.subject)),))
    if said is None or not club:
        return None
    from pbem.mailroom import clubdesk  # for folders with a club alone

    return clubdesk.answered(matter, said, club)


def stranger(matter: Matter) -> Handling | None:
    """Does no match know the address?"""
    if matter.paths:
        return None
    named, why, matches = matter.mail.named, _NOT_KNOWN, matter.office.matches
    if left := _left(matter):
        return left
    spoken, subject, told = matches.languages(), None, _STRANGER if named else _UNKNOWN
    if not named and (club := club_of(matches.folder)):
        from pbem.mailroom.clubdesk import met  # for folders with a club alone

        told, subject, known = met(matter, club)
        spoken = (known,) if known else spoken
    language, sentence = _welcome(matches.folder, spoken, told)
    if named and (theirs := [match_name(path) for path in matter.theirs()]):
        why = say(
            "for you: a player of {theirs:all} names the match {named}, which does not know the "
            "address",
            theirs=theirs,
            named=named,
        )
        language = ""  # that of their letters
        sentence = say(
            "Nothing was played, for your mail names the match {named}, and you play in "
            "{theirs:all}. Which one is your move for? Send it again with this subject: "
            "{tokens:any}",
            named=named,
            theirs=theirs,
            tokens=[f"[{match}]" for match in theirs],
        )
    handling = Handling(verdict=Verdict.STRANGER).for_a_person(why)
    return matter.answered(handling, sentence, subject=subject, language=language)


def _left(matter: Matter) -> Handling | None:
    """What is done about a mail of somebody who has played here, and does no more."""
    book, matches, named = matter.office.book, matter.office.matches, matter.mail.named
    paths = filter(None, map(matches.named, book.wrote_in(matter.sender)))
    left = {match_name(path): path for path in paths}
    if not left or matches.of(matter.sender) or named not in (None, *left):
        return None
    match = named or next(iter(left))
    why = say("for you: {sender} writes, who played in {match}", sender=matter.sender, match=match)
    own = Preferences.of(book, matter.sender).language
    spoken = own or matches.look(left[match]).log.languages[0]
    came = Handling(verdict=Verdict.PASSED_ON, path=left[match]).for_a_person(why)
    subject = say("Your mail was passed on")
    told = paragraphs(_PLAYS_NO_SEAT, FROM_THEM)
    return matter.answered(came, told, subject=subject, language=spoken)


FILES: Final = ("welcome.{language}.txt", "welcome.txt")
"""The files beside the matches that hold a folder's own words; the first there is counts."""


def _welcome(folder: str, languages: Sequence[str], sentence: Sentence) -> tuple[str, Sentence]:
    """The answer to a stranger, and the language of what stands around it: in each language the
    folder's own words, if there are any, and this sentence. Raises Problem."""
    said = list[str]()
    for language in languages:
        with speaking(language):
            said += (_own_words(folder, language), sentence.text())
    once = dict.fromkeys(filter(None, said))
    return languages[0], say("{text}", text="\n\n".join(once))


def _own_words(folder: str, language: str) -> str:
    """What stands in the folder's file for a language; "" if there is none."""
    for name in FILES:
        try:
            return yamlio.read_text(os.path.join(folder, name.format(language=language))).strip()
        except NoFile:
            continue
    return ""


def waits_behind(matter: Matter) -> None:
    """Does an earlier mail for the same match wait? Raises Busy."""
    for path in matter.paths:
        if path.removesuffix(LOG_SUFFIX) in matter.office.stuck:
            raise Busy("waits because a mail before it for the same match does", path)


def unproven(matter: Matter) -> Handling | None:
    """Can nobody say who wrote it? Not a word about the match, then. The moderator may know, so it
    is put aside for them."""
    return None if matter.known else matter.found[0].unproven()


_PLAYS_NO_SEAT: Final = say("This address plays no seat here now, so nothing was played.")
_SEEMS_A_MACHINES: Final = say(
    "its headers look like a machine's, and it may be a player's: read whether a person wrote it. "
    "While it lies here, no move is played for the silence of whoever it may be from"
)
_NAMELESS: Final = say("a bounce, and nobody knows which address fails: read whose it is")
_NAMELESS_IN: Final = (
    "a bounce, and nobody knows which address fails: read whose it is. While it lies here, no move "
    "is played in {match} for anybody who is silent"
)
_NOT_KNOWN: Final = say("a stranger: no match here knows the address")
_STRANGER: Final = say(
    "This address is not in the address book of the match your mail is about, so nothing was "
    "played. The moderator has your mail. If you play here, write from the address your moderator "
    "knows, keep the part of the subject in square brackets, or ask your moderator to add this "
    "address."
)
"""To strangers: the same whether there is such a match or not."""
_UNKNOWN: Final = say(
    "This address is not in the address book of any match here, so nothing was played. The "
    "moderator has your mail. If you play here, write from the address your moderator knows, or "
    "ask your moderator to add this address."
)
"""To strangers whose mails name no match."""


AT_THE_DOOR: Final[tuple[Callable[[Matter], Handling | None], ...]] = (
    machine,  # is it a machine's?
    nobodys,  # is there nobody to answer?
    for_the_club,  # does it ask something of the club?
    stranger,  # does no match know the address?
    waits_behind,  # does an earlier one for the match wait?
    unproven,  # can nobody say who wrote it?
)
"""What a mail is asked at the door, one question after the other."""
