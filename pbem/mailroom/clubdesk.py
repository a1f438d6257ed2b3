"""What is done about a mail to the club whose matches these are: who writes, what they ask for, and
what they are told at once. What a line does is in `clubgrants`; what the club tells others:
`clubnews`."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final, NamedTuple
from urllib.parse import quote

from pbem.club import clubwork, standing
from pbem.club.clublog import ClubLog, log_path
from pbem.club.clubwork import ClubAtWork, at_work
from pbem.club.event import Handle
from pbem.club.fold import Club
from pbem.club.page import FILE as CLUB_PAGE
from pbem.club.page import event_file, match_file
from pbem.club.private import ClubDesk
from pbem.club.reliability import Members
from pbem.club.terms import beginning
from pbem.desk import authorship
from pbem.desk.answer import Verdict
from pbem.desk.file import Desk
from pbem.files.languages import known
from pbem.files.timestamp import stamp
from pbem.intake import Submission, clubbing
from pbem.intake.clubbing import CALLED, ClubWish
from pbem.intake.settings import LANGUAGE
from pbem.intake.text import decoded
from pbem.intake.verbs import AWAY, BACK, MAILS, NO, RESIGN, RULES, VERBS, YES
from pbem.mailroom import clubwishes, requests, tray
from pbem.mailroom.clubgrants import (
    FOLLOWS,
    NOTED,
    done,
    goes_on,
    meant,
    one_by_one,
    put_wishes_away,
    standing_of,
)
from pbem.mailroom.letterhead import paragraphs
from pbem.mailroom.matter import FROM_THEM, Handling, Matter
from pbem.mailroom.preferences import Preferences, Setting, prefer
from pbem.play import games
from pbem.problem import NotNow, Problem, Usage
from pbem.report import rulebook
from pbem.sentence import Sentence, say

_TOKEN: Final = re.compile(
    r"\[[\w.-]{1,40} (?:offer (\d{1,9})|(join|leave) ([\w-]{1,30})|([0-9a-f]{16}))\](?: join (.*))?"
)


class _Token(NamedTuple):
    """What the subject of an answer to the club holds, as it stands in its `text`: the number of an
    `offer`; the `wish` that we asked about; or the `word` that confirms and the line that it is
    about. Blank if it is none."""

    offer: int = 0
    wish: ClubWish | None = None
    word: str = ""
    line: str = ""
    text: str = ""

    @staticmethod
    def of(matter: Matter) -> _Token:
        found = _TOKEN.search(decoded(matter.mail.envelope.subject))
        if found is None:
            return _Token()
        offer, verb, event, word, line = (each or "" for each in found.groups())
        return _Token(
            int(offer or 0), ClubWish(verb, event) if verb else None, word, line, found[0]
        )


# ------------------------------------------------------------------------------ mails in


def answered(matter: Matter, said: Submission, club: str) -> Handling | None:
    """What is done about a mail that asks something of the club with this log; None if it does
    not."""
    folder = matter.office.matches.folder
    token = _Token.of(matter)
    at = matter.office.here.clock()
    asked_name = not matter.paths and ClubDesk.read(club).awaits(matter.sender, at)
    named = bool(token.word or asked_name)
    handle, log = ClubDesk.read(club).who(matter.sender), ClubLog.read(folder)
    if handle is None and matter.mail.said is None:
        return None
    to_club = bool(token.text) or f"[{log.club.name}]" in decoded(matter.mail.envelope.subject)
    asked = handle and (log.club.offers_to(handle) or log.still_sought(handle))
    offered = bool(token.offer or token.wish or (asked and (to_club or not matter.paths)))
    wishes = clubbing.wishes(said, offered=offered, named=named)
    if not (wishes or token.text) and (asks := _asked_about(matter, said)):
        return asks
    if not matter.paths and clubbing.declines(said):
        wishes = (ClubWish(NO),)
    if {YES, NO} & {each.verb for each in wishes} and matter.paths:
        wishes = wishes if token.text or (to_club and asked) else ()
    if not wishes and matter.paths and not token.text:
        return None  # a match may know what it means
    if not wishes and handle is None and not token.word:
        return None
    quiet = matter.quiet(_ASKED if handle else STRANGER)
    if quiet and not (handle is None and token.word):
        return quiet if handle else replace(quiet, heard="")  # strangers' floods fill no folder
    with at_work(folder, matter.office.here, matter.office.matches) as work:
        wishes, rest = _read(work.club, wishes)
        # a kill may have left their address alone
        if handle is None or handle not in work.club.joined:
            return _from_outside(matter, work, said, wishes, token, rest)
        writer = _proof(matter, work, "from" if work.desk.policy == "from" else "authenticated")
        if not writer.seats:
            refusal = say("Your mail was not accepted: {why}.", why=writer.refusal)
            unproven = Handling(verdict=Verdict.UNPROVEN, why=writer.for_moderator)
            return matter.answered(unproven.put_aside(), refusal)
        _note_language(matter, said)
        verbs = {each.verb for each in said.requests}
        if len(verbs) == 1 and not said.orders and (tells := _SEATLESS.get(min(verbs))):
            return matter.answered(_ASKED, tells(matter, work, handle))
        beside = [*clubbing.beside(said), *rest]
        if not wishes:
            why = say(_WRITES, handle=handle)
            passed = _ASKED.for_a_person(why, verdict=Verdict.PASSED_ON)
            stands = work.club.offers.get(token.offer) in work.club.offers_to(handle)
            lost = _lost(work.club, handle, matter.mail.named)
            first = _STILL_OFFERED if stands else FROM_THEM if lost else _PASSED_ON
            told = paragraphs(*lost, first, _where(beside))
            return matter.answered(passed, told)
        return _granted(matter, work, handle, wishes, token, beside)


def _no_seat(matter: Matter, work: ClubAtWork, handle: Handle) -> Sentence:
    return paragraphs(_NO_SEAT, *standing_of(work, handle))


def _lost(club: Club, handle: Handle, match: str | None) -> list[Sentence]:
    """Who has the seats now that somebody had in a match that their mail names."""
    begun = club.begun.get(match or "")
    tenures = begun.tenures.items() if begun else ()
    had = [(seat, now) for seat, (*before, now) in tenures if handle in before and now != handle]
    return [say(_HAS_IT, match=match, seat=seat, name=now) for seat, now in had]


_HAS_IT: Final = "{match}: {name} has the seat {seat} now, so nothing was entered for it."
_NO_SEAT: Final = say("You have no seat in a match that goes on, so nothing was entered.")
_SEATLESS: Final[Mapping[str, Callable[[Matter, ClubAtWork, Handle], Sentence]]] = {
    MAILS: lambda matter, work, handle: requests.preferred(matter),
    RULES: lambda matter, work, handle: requests.rules(
        matter, map(games.game, work.club.settings["games"])
    ),
    **dict.fromkeys((AWAY, BACK, RESIGN), _no_seat),
}
"""What a member without a seat is told who asks what else only a match would be asked."""
_WRITES: Final = "for you: {handle} writes to the club"
_REST: Final = say("The rest of your mail was passed on to the moderator.")
_PASSED_ON: Final = say(
    "Your mail was passed on to the moderator: it is no line that the club can read. Such lines "
    "are `join kahuna`, `enter EVENT`, `leave`, `tables`, `limit 4`, `substitute`, `avoid NAME` "
    "and `me`."
)
_STILL_OFFERED: Final = say(
    "Your mail was passed on to the moderator. The offer still waits for your answer: a mail with "
    "the one word yes, or no."
)


def _proof(matter: Matter, work: ClubAtWork, policy: str) -> authorship.Writer:
    """Whether the mail is from the address it names, as surely as the policy requires."""
    known = {"member": (matter.sender,)}
    desk = Desk(work.desk.path, work.club.name, work.desk.secret, policy, work.desk.server, known)
    message = authorship.checked(matter.mail.message, desk)
    return authorship.mailed(matter.sender, message, desk, ("member",))


def _asked_about(matter: Matter, said: Submission) -> Handling | None:
    """What is done about a member's mail that speaks of an event, and is no move: they are asked
    whether they want to enter it, or to leave it, and a person reads it, too."""
    folder, match = matter.office.matches.folder, matter.mail.named or ""
    club, title = ClubLog.read(folder).club, decoded(matter.mail.envelope.subject)
    handle = ClubDesk.read(log_path(folder)).who(matter.sender) if club.events else None
    wish = clubwishes.of_event(club, handle, said, title, match) if handle else None
    if not (handle and wish) or said.fenced or said.requests or matter.holds_order:
        return None
    if wish.verb == "leave":
        why = say("for you: {handle} may want to leave {event}", handle=handle, event=wish.about)
    else:
        why = say("for you: {handle} may want to enter {event}", handle=handle, event=wish.about)
    question, subject = _question(clubwork.read(folder), handle, wish)
    asked = _ASKED.for_a_person(why)
    return matter.answered(asked, paragraphs(question, _READ_ANYWAY), subject=subject)


def _question(known: Members, handle: Handle, wish: ClubWish) -> tuple[Sentence, Sentence]:
    """What a member is asked who seems to want to enter an event or to leave it, and under which
    subject: a yes to that does it."""
    club, event, leaves = known.club, known.club.events[wish.about], wish.verb == "leave"
    pattern = _WILL_LEAVE if leaves else _WILL_ENTER
    question = say(pattern, event=event.name, terms=event.words)
    about = {"club": club.name, "verb": wish.verb, "event": event.name}
    subject = say("[{club} {verb} {event}] A question to you", **about)
    return paragraphs(question, goes_on(known, handle, event) if leaves else None), subject


_WILL_ENTER: Final = "Do you want to enter {event} ({terms})? Answer this mail with yes."
_WILL_LEAVE: Final = "Do you want to leave {event} ({terms})? Answer this mail with yes."
_READ_ANYWAY: Final = say(
    "If you meant something else, you need do nothing: a person reads your mail, too."
)


def _where(beside: Sequence[str]) -> Sentence | None:
    """How rules are found, if what stands in a mail besides its wishes speaks of them."""
    return VERBS[RULES].told if rulebook.speaks_of_rules(" ".join(beside)) else None


def _note_language(matter: Matter, said: Submission) -> None:
    """Whoever writes in a language is written to in it, unless they have chosen another."""
    book, spoken = matter.office.book, clubbing.language(said, known())
    if spoken and not Preferences.of(book, matter.sender).language:
        prefer(book, matter.sender, Setting(LANGUAGE, spoken))


def _granted(
    matter: Matter,
    work: ClubAtWork,
    handle: Handle,
    wishes: Sequence[ClubWish],
    token: _Token,
    beside: Sequence[str] = (),
) -> Handling:
    """What is done about a member's mail: each line, and one answer to all; what stands `beside`
    them is for a person."""
    said, subject = list[Sentence](), _mine(work.club)
    work.desk = work.desk.leaves(handle)
    for each in one_by_one(work.club, wishes):
        event = work.club.event(each.about) if each.verb == "leave" else None
        try:
            if event and event.plays(handle):  # nothing brings them back
                wish = each._replace(about=event.name)
                told, subject = _question(work.view(), handle, wish)
                said.append(told)
            elif each.verb == NO and token.wish:
                put_wishes_away(work, handle, token.wish.about)
                said.append(NOTED)
            elif each.verb == "forget":
                told, subject = _forgotten(matter, work, handle, token)
                said.append(told)
            else:
                wish = (each.verb == YES and token.wish) or each
                said.append(done(work, handle, wish, token.offer, matter.mail.named or ""))
        except (Usage, NotNow) as problem:
            said.append(_nothing(problem))
            said += standing_of(work, handle) if each.verb == YES else ()
    said += [_REST] if beside else []
    avoided = clubwishes.avoided(work.club, beside)
    apart = say(_APART, other=avoided.about) if avoided else None
    told = paragraphs(*said, apart, _where(beside))
    links = _links(work) if "tables" in {each.verb for each in wishes} else ()
    came = matter.answered(_ASKED, told, subject=subject, links=tuple(links))
    return came.for_a_person(say(_WRITES, handle=handle)) if beside else came


_APART: Final = (
    "If you never want to be seated with {other}, write `avoid {other}`; nobody is told. [C-32]"
)
_ALIKE: Final = (
    "for you: {handle} has joined from an address like that of {others:all}; only you can ask "
    "whether they are one person [C-52]"
)
_PAGE: Final = say("The page of the club, with a link to each match and event")


def _links(work: ClubAtWork) -> Iterator[tuple[Sentence, str]]:
    """The pages of all that `tables` tells of, where there is a site."""
    club, known = work.club, work.view()
    for table in club.tables.values():
        yield say("Table {n}", n=table.number), f"{CLUB_PAGE}#table-{table.number}"
    events = ((each.name, event_file(each.name)) for each in club.events.values() if each.is_open)
    matches = ((each, match_file(each)) for each in standing.shown(known))
    for name, file in (*events, *matches):
        yield say("{name}", name=name), quote(file)
    yield _PAGE, CLUB_PAGE


def _read(club: Club, wishes: Iterable[ClubWish]) -> tuple[tuple[ClubWish, ...], list[str]]:
    """The wishes, of a line to join as much as can be read; and what is said behind that in several
    words, or doubts it: "join kahuna, but only in January"."""
    read, prose = list[ClubWish](), list[str]()
    for each in wishes:
        words = each.about.split() if each.verb == "join" else []
        for n in range(len(words), 0, -1):
            line, rest = " ".join(words[:n]).rstrip(" ,.;"), " ".join(words[n:])
            wish = each._replace(about=line)
            with suppress(Usage):
                for one in one_by_one(club, [wish]):
                    meant(club, one.about)
                if clubbing.is_prose(rest):
                    each, prose = wish, [*prose, rest]
                break
        read.append(each)
    return (*read,), prose


def _from_outside(
    matter: Matter,
    work: ClubAtWork,
    said: Submission,
    wishes: Sequence[ClubWish],
    token: _Token,
    rest: Sequence[str],
) -> Handling | None:
    """What is done about a mail from an address that the club does not know: whoever wants to join
    is asked to confirm, once a week or as often as a server vouches for the mail, and whoever
    confirms is taken in, however many others write. Nothing else is kept."""
    wish = {each.verb: each.about for each in wishes}
    at, sender = work.here.clock(), matter.sender
    confirms = work.desk.confirms(sender, token.word, at)
    if CALLED in wish and confirms:
        try:
            handle = work.join(wish[CALLED], sender, new=True)
            _note_language(matter, said)
        except (Usage, NotNow) as problem:
            asks = _asked_before(matter, work, token.line)
            again = matter.letter(_nothing(problem), subject=asks)
            return replace(STRANGER, letters=(again,), refusal=True)
        beside = [*clubbing.beside(said), *rest]
        before = tray.conditions(work.folder, sender)
        more = _wanted(work.club, wishes, token.line, [*beside, *before])
        came = _granted(matter, work, handle, [ClubWish("welcome"), *more], token, beside)
        alike = work.desk.alike(sender)
        return came.for_a_person(say(_ALIKE, handle=handle, others=alike)) if alike else came
    language = clubbing.language(said, known()) or clubbing.spoken(clubbing.quoted(said), known())

    def answer(told: Sentence, subject: Sentence | None, came: Handling = STRANGER) -> Handling:
        about = subject or _mine(work.club)
        return matter.answered(came, told, subject=about, language=language)

    if confirms and NO in wish:
        return answer(NOTED, None)
    if confirms:
        told = _NAMELESS if wish else paragraphs(_CONFIRM, _READ_BY_A_PERSON)
        asks = _to_confirm(matter, work, wish.get("join") or token.line, anew=True)
        return answer(told, asks, STRANGER if wish else STRANGER.put_aside())
    if "join" not in wish or (CALLED in wish and not token.word and work.desk.awaits(sender, at)):
        asks = _asked_before(matter, work, wish.get("join", ""))
        told = _introduction(work.club, _CONFIRM if asks else None)
        told = paragraphs(_PROVES, _CONFIRM) if asks and CALLED in wish else told
        return answer(told, asks) if wish else None
    try:
        for each in one_by_one(work.club, [ClubWish("join", wish["join"])]):
            meant(work.club, each.about)
    except Usage as problem:
        return answer(paragraphs(_nothing(problem), _introduction(work.club)), None)
    asks = _to_confirm(matter, work, "" if rest else wish["join"])
    came = STRANGER.put_aside() if rest else STRANGER  # a person gives them their place
    told = paragraphs(_CONFIRM, _READ_BY_A_PERSON if rest else None)
    return answer(told, asks, came) if asks else came


def _wanted(
    club: Club, wishes: Iterable[ClubWish], line: str, beside: Sequence[str]
) -> list[ClubWish]:
    """What is done for whoever has just been taken in: what they ask for and, unless they name the
    same game otherwise, the line they wrote first. Nobody is seated before a person has read what
    stands beside that and is no question; nor with others than a friend."""
    other, together = clubbing.companion(beside)
    if other and together:
        return [ClubWish("with", other)]
    joins = [ClubWish("join", line), *(each for each in wishes if each.verb == "join")]
    games = {beginning(each.about, club.settings["games"])[0]: each for each in joins if each.about}
    others = [each for each in wishes if each.verb not in ("join", CALLED, YES)]
    found = [*games.values(), *others]
    more = any(each[-1] != "?" for each in beside)
    return [ClubWish("lines", "beside" * more)] if more or not found else found


def _nothing(problem: Problem) -> Sentence:
    return say("Nothing has changed: {problem}.", problem=problem.sentence)


def _to_confirm(
    matter: Matter, work: ClubAtWork, line: str, *, anew: bool = False
) -> Sentence | None:
    """The subject under which a stranger is asked whether they want to join a line, which is noted;
    None if they were asked within a week, it is not to be asked `anew`, and no server vouches for
    the mail."""
    came, at, sender = stamp(matter.mail.item.arrival), work.here.clock(), matter.sender
    if (asked := work.desk.asked_to_confirm(sender, came, at, anew=anew)) is None:
        with suppress(Problem):  # nobody waits for what may be forged
            vouched = bool(_proof(matter, work, "authenticated").seats)
            asked = work.desk.asked_to_confirm(sender, came, at, anew=vouched)
    if asked is None:
        return None
    work.desk, word = asked
    pattern = "[{club} {word}] join {line}" if line else "[{club} {word}] Your mail"
    return say(pattern, club=work.club.name, word=word, line=line)


def _asked_before(matter: Matter, work: ClubAtWork, line: str) -> Sentence | None:
    """The subject of a mail that a stranger gets anyway, if they are still to answer whether they
    want to join: any mail of ours then says how."""
    awaited = work.desk.awaits(matter.sender, work.here.clock())
    return _to_confirm(matter, work, line, anew=True) if awaited else None


def met(matter: Matter, club: str) -> tuple[Sentence, Sentence, str]:
    """What a stranger is told whose mail no line of is for the club with this log: what it is and
    how to join or, if they name themselves or the one game they mean, whether they want to; and
    what the rules say, or how they are found, if they ask; then the subject, and their language,
    "" if nobody knows it. Raises Problem."""
    said = matter.mail.said or Submission()  # of an empty mail there is the subject
    text = clubbing.plain_words(said, decoded(matter.mail.envelope.subject))
    language = clubbing.spoken(text, known())
    with at_work(os.path.dirname(club), matter.office.here, matter.office.matches) as work:
        played = work.club.settings.get("games", ())
        game = clubbing.game_named(text, played)
        wish = {each.verb: each.about for each in clubbing.wishes(said, named=True)}
        called, line = CALLED in wish, _readable(work.club, wish.get("join", "")) or game
        asks = (line or called) and not matter.quiet(STRANGER)
        subject = _to_confirm(matter, work, line) if asks else None
        subject = subject or _asked_before(matter, work, line)
        how = paragraphs(_PROVES if called else None, _CONFIRM) if subject else None
        asked = RULES in {each.verb for each in said.requests}
        rules = requests.rules(matter, map(games.game, played)) if asked else _where([text])
        told = paragraphs(_introduction(work.club, how), rules, _READ_BY_A_PERSON)
        return told, subject or _mine(work.club), language


def _readable(club: Club, line: str) -> str:
    """A line to join, if the club can read it; else ""."""
    with suppress(Usage):
        for each in one_by_one(club, [ClubWish("join", line)]):
            meant(club, each.about)
        return line
    return ""


def _introduction(club: Club, how: Sentence | None = None) -> Sentence:
    """What the club is, how to join unless that is said otherwise, and what follows."""
    played = club.settings.get("games", ())
    lines = [f"`join {each}`" for each in played]
    return paragraphs(
        say(
            "In the club {name}, people play {games:all} by mail: you send your moves, and the "
            "board comes back.",
            name=club.name,
            games=[games.game(each).TITLE for each in played],
        ),
        how or say("To join the club, send a mail with one line: {lines:any}.", lines=lines),
        FOLLOWS,
    )


def _mine(club: Club) -> Sentence:
    return say("[{club}] Your mail", club=club.name)


_ASKED: Final = Handling(verdict=Verdict.ASKED, settled=True, why=say("asked"))
STRANGER: Final = Handling(
    verdict=Verdict.STRANGER, why=say("a stranger, who wants to join the club")
)
_READ_BY_A_PERSON: Final = say(
    "A person reads your mail as well. If you are in the club already, write from the address by "
    "which it knows you."
)
_PROVES: Final = say(
    "A name counts in the answer to this mail alone: the word in brackets in its subject proves "
    "that the address is yours."
)
_CONFIRM: Final = say(
    'You want to play here, if this mail is yours. Answer it within seven days with one line, "I '
    'am" and the name you want to go by, which is public for good; your address never is. If you '
    "did not ask for this, do nothing: nothing is kept. [C-1]"
)


_NAMELESS: Final = say(
    'Only your name is missing: answer this mail with one line, "I am" and the name you want to go '
    "by, which is public for good. [C-1]"
)


def _forgotten(
    matter: Matter, work: ClubAtWork, handle: Handle, token: _Token
) -> tuple[Sentence, Sentence]:
    """What whoever wishes to be forgotten is told, and under which subject; a second time that is
    noted. Raises NotNow if they sit in a match that goes on."""
    at, club = work.here.clock(), work.club.name
    if work.desk.confirms(matter.sender, token.word, at):
        work.retire(handle)
        work.desk = work.desk.leaves(handle, at)
        return _FORGOTTEN, _mine(work.club)
    work.require_free(handle)
    came = stamp(matter.mail.item.arrival)
    noted = work.desk.asked_to_confirm(matter.sender, came, at, anew=True)
    assert noted is not None
    work.desk, word = noted
    return _TO_BE_FORGOTTEN, say("[{club} {word}] forget me", club=club, word=word)


_TO_BE_FORGOTTEN: Final = say(
    "To be forgotten, answer this mail with the line `forget me`; you then wait for nothing any "
    "more. Your name stays in logs that others have."
)
_FORGOTTEN: Final = say(
    "In a day nothing of you is kept here but your name in logs; this is the last mail to you. A "
    "line to the club before that takes it back."
)
