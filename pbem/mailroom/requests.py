"""What is done about all that a mail asks for besides moves.

By now it is settled who wrote the mail. `intake.verbs` has the rows of the verbs; here is what each
does. The letters to others follow from the log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from pbem.core import Game, Seat, Unreadable
from pbem.desk import announce, press
from pbem.desk.answer import Answer, Verdict
from pbem.intake import Request, verbs
from pbem.intake.verbs import VERBS
from pbem.log import private_press
from pbem.log.match import Replay
from pbem.log.private_press import GREY
from pbem.mailroom import letters, preferences, primer, tray
from pbem.mailroom.letterhead import paragraphs
from pbem.mailroom.letters import Person
from pbem.mailroom.matter import FROM_THEM, Handling, Matter, Meant
from pbem.mailroom.preferences import Setting
from pbem.matches.matches import Matches
from pbem.problem import NotNow, Usage
from pbem.report import compose, rulebook
from pbem.report.escape import paragraph
from pbem.sentence import Sentence, say

MOST_RULES: Final = 8
"""How many rules an answer tells at most."""
PASSED_ON: Final = say("Your mail was passed on to the moderator.")
NO_CLOCK: Final = say("This match has no clock: nobody can be late in it.")


# ----------------------------------------------------------------------- what each does


def _help(meant: Meant, seat: Seat, request: Request) -> Handling:
    press_is = private_press.kind(meant.match.log.header)
    rows = (row for row in VERBS.values() if press_is in (row.press or private_press.KINDS))
    asks = [row.help for row in rows if row.help]
    return meant.told(primer.lesson(meant.match.seen_by(seat), seat, asks))


def _board(meant: Meant, seat: Seat, request: Request) -> Handling:
    match, desk = meant.match, meant.desk
    on_file = letters.person_at(match, desk, seat)
    if on_file is None:
        return meant.told(
            say("Your moderator has no address of yours on file, so no letter can be sent.")
        )
    reader = Person(on_file.address, (seat,))
    if reader.address == meant.matter.sender:
        return meant.told(None, to=reader)
    told = say("Your letter goes to the address your moderator has on file for you.")
    return meant.told(told, to=reader)


def _for_a_person(meant: Meant, seat: Seat, request: Request) -> Handling:
    told = _DECIDES if request.verb == verbs.TAKEBACK else FROM_THEM
    return meant.told(told, aside=request.row.asks(seat), verdict=Verdict.PASSED_ON)


def _say(meant: Meant, seat: Seat, request: Request) -> Handling | Answer:
    answer = meant.submitted()
    if answer.verdict not in (Verdict.ACCEPTED, Verdict.DUPLICATE):
        return answer
    said = list[Sentence]()
    if answer.after.log.header.press != GREY and (text := press.said(meant.message)):
        said.append(say(_SAID, text=paragraph(text)))
    said += [
        say(
            'You wrote to {to:all}: "{text}". Only they can read it.',
            to=[answer.after.players[seat] for seat in each.to],
            text=paragraph(each.text),
        )
        for each in press.letters(answer.after, seat, meant.message)
    ]
    return meant.told(paragraphs(*said), verdict=Verdict.SAID)


def _resign(meant: Meant, seat: Seat, request: Request) -> Handling | Answer:
    here = meant.matter.office.here
    answer = announce.resign(meant.path, meant.message, request, here)
    if answer.verdict not in (Verdict.RESIGNED, Verdict.VACATED, Verdict.ASKED):
        return answer
    aside = None
    if answer.verdict in _GIVES_UP and not meant.match.log.so_far().timing.seeks:
        aside = say(_GIVES_UP[answer.verdict], seat=answer.seat or seat)
    return meant.told(answer.why, aside=aside, verdict=answer.verdict)


_DECIDES: Final = say(
    "Your wish to take back a move was passed on to the moderator, who decides. Until then the "
    "match stands as it is."
)
_GIVES_UP: Final = {
    Verdict.ASKED: "for you: {seat:seat} wants to resign, and was asked once more",
    Verdict.VACATED: (
        "resigned: the seat {seat} is vacant; `pbem rule LOG substitute` seats somebody, `default` "
        "plays for it, `end` ends the match"
    ),
}
"""What a moderator is told of a seat for which no substitute is sought by itself."""


def _announce(meant: Meant, seat: Seat, request: Request) -> Handling | Answer:
    if meant.match.log.clock is None:
        return meant.told(
            say("{why} {passed}", why=NO_CLOCK, passed=PASSED_ON),
            aside=say("for you: {seat:seat} is away or back, and has no clock", seat=seat),
            verdict=Verdict.PASSED_ON,
        )
    office = meant.matter.office
    zones = preferences.applied(meant.desk, office.book).zones
    try:
        answer = announce.announce(meant.path, meant.message, request, office.here, zones)
    except (NotNow, Usage) as problem:
        return meant.told(say("Nothing was entered: {problem}.", problem=problem.sentence))
    except Unreadable as refusal:
        return meant.told(say("Nothing was entered: {refusal}.", refusal=refusal))
    if answer.verdict not in (Verdict.ABSENT, Verdict.PRESENT, Verdict.ASKED):
        return answer
    undecided = answer.verdict == Verdict.ASKED and meant.match.outcome is None
    aside = say("for you: {seat:seat} writes", seat=seat) if undecided else None
    return meant.told(answer.why, aside=aside, verdict=answer.verdict)


def rules(matter: Matter, also: Iterable[Game[Any]] = ()) -> Sentence:
    """What the rules of the games that its writer plays, and of some `also`, say about what a mail
    asks."""
    games = {game.NAME: game for game in (*(each.match.game for each in matter.known), *also)}
    asked = (each.text for each in matter.mail.message.requests if each.verb == verbs.RULES)
    return rulebook.told(games.values(), dict.fromkeys(asked), MOST_RULES)


def preferred(matter: Matter) -> Sentence:
    """Note how the writer of a mail wants to be written to; gives what they are told."""
    chosen, troubles = list[Setting](), list[Sentence]()
    for request in matter.mail.message.requests:
        try:
            chosen += [preferences.read(request.said)] if request.verb == verbs.MAILS else []
        except Usage as problem:
            troubles.append(say("Nothing was changed: {problem}.", problem=problem.sentence))
    zone, book = "UTC", matter.office.book
    for each in () if matter.known else chosen:
        preferences.prefer(book, matter.sender, each)
    for meant in reversed(matter.known):
        match, desk = meant.match, meant.desk
        for seat in meant.writer.seats:
            if person := letters.person_at(match, desk, seat):
                for each in chosen:
                    preferences.prefer(book, person.address, each)
                zone = preferences.zone_of(book, person.address, seat, match, desk)
    return paragraphs(*troubles, *(preferences.confirmed(each, zone) for each in chosen))


DOES: Final[Mapping[str, Callable[[Meant, Seat, Request], Handling | Answer]]] = {
    verbs.HELP: _help,
    verbs.BOARD: _board,
    verbs.TAKEBACK: _for_a_person,
    verbs.AWAY: _announce,
    verbs.BACK: _announce,
    verbs.RESIGN: _resign,
    verbs.SAY: _say,
    verbs.LETTER: _say,
    verbs.MODERATOR: _for_a_person,
}
"""What each verb does in the match it is meant for. An Answer is the desk's, which has turned the
mail away: then no more is done."""

TELLS: Final[Mapping[str, Callable[[Matter], Sentence]]] = {
    verbs.STATUS: lambda matter: overview(matter.theirs(), matter.office.matches),
    verbs.RULES: rules,
    verbs.MAILS: preferred,
}
"""What the other verbs tell, whichever match they are meant for."""


def overview(theirs: Mapping[str, Sequence[Seat]], matches: Matches) -> Sentence:
    """Where each of a player's matches stands: first those in which it is their turn, last those
    that are over."""
    rows = [_row(matches.look(path), theirs[path]) for path in sorted(theirs)]
    lines = [line for _, line in sorted(rows, key=lambda row: row[0])]
    return say("Your matches:\n\n{lines:lines}", lines=lines)


def _row(match: Replay, seats: Sequence[Seat]) -> tuple[int, Sentence]:
    token = say("[{match} {position}]", match=match.name, position=match.position)
    names = match.players
    if match.outcome is not None:
        return 2, say("{token} The match is over.", token=token)
    if match.vacant.issuperset(seats):
        return 2, say("{token} You have left this match.", token=token)
    if any(seat in match.awaited for seat in seats if seat not in match.vacant):
        return 0, say("{token} It's your turn.", token=token)
    if not match.awaited:
        return 1, say("{token} Cards must be dealt first.", token=token)
    waits = [compose.names(match).get(seat, names.get(seat, seat)) for seat in match.awaited]
    return 1, say("{token} Next to move: {waits:all}.", token=token, waits=waits)


# ------------------------------------------------------------------------- all of a mail


def granted(meant: Meant, handling: Handling, *, lost: bool = False) -> Handling:
    """The handling of a mail with what came of everything it asks for besides its order, if it has
    one. `lost` says that it also has lines that are neither moves nor wishes, for a person."""
    meant.acquaint(meant.match)
    ordered = bool(meant.message.orders)
    rest = meant.with_message(meant.message.less(orders=meant.message.orders))
    found = _replies(rest)
    if isinstance(found, Answer):
        if not handling.letters:
            return meant.refused(found)
        found = [meant.told(say(_NOT_DONE, why=found.why or found.reason))]
    if lost and not any(each.aside for each in found):
        sentence = say("The rest of your mail was passed on to the moderator.")
        found.append(meant.told(sentence, aside=_REST))
    unanswered = any(each.plan is None or each.refused for each in handling.letters)
    if (
        unanswered
        and handling.verdict != Verdict.DUPLICATE
        and press.speaks(meant.matter.mail.message)
    ):
        found.append(meant.told(_UNSAID))
    if not found:
        return handling
    came = beside(rest, handling, found)
    if ordered and not lost:
        return came
    more = (each.verdict for each in found if each.verdict != Verdict.ASKED)
    return replace(came, verdict=next(more, Verdict.ASKED))


def beside(meant: Meant, handling: Handling, found: Sequence[Handling]) -> Handling:
    """The handling of a mail with what else its sender is told, and what a person must see."""
    why = next((each.why for each in found if each.aside), None)
    return replace(
        _answered(meant, handling, found),
        refusal=True,
        why=why or handling.why,
        heard=tray.ASIDE if why and not handling.aside else handling.heard,
    )


def _replies(meant: Meant) -> list[Handling] | Answer:
    """What comes of each thing a mail asks for, in order, up to the first that is turned away: if
    nothing was done before that, the whole mail is. Lines with dates count one by one; all others
    with the same verb count as one wish."""
    found, seat = list[Handling](), meant.reading.seat
    wanted = dict[tuple[str, str], Request]()
    for each in meant.message.requests:
        wanted.setdefault((each.verb, each.said if each.row.form == "dated" else ""), each)
    for request in wanted.values():
        if tells := TELLS.get(request.verb):
            found.append(meant.told(tells(meant.matter)))
            continue
        came = DOES[request.verb](meant, seat, request)
        if isinstance(came, Answer):
            why = came.why or came.reason
            return [*found, meant.told(say(_NOT_DONE, why=why))] if found else came
        found.append(came)
    return found


def _answered(meant: Meant, handling: Handling, found: Sequence[Handling]) -> Handling:
    """The handling with what its sender is told: in the letter they get about the match anyway, if
    their order was accepted or the log has changed in another way; else in the answer to their
    order, or in one to their wishes."""
    match, matter = meant.match, meant.matter
    news = tuple(each for each in handling.letters if each.plan is not None)
    others = [each for each in handling.letters if each.plan is None]
    answer = others[0] if others else matter.letter(about=match)
    if not news and any(each.verdict not in _NOT_LOGGED for each in found):
        own = letters.entered(
            match, meant.desk, meant.reading.seat, matter.mail, matter.office.book
        )
        news = tuple(replace(each, refused=answer.refused) for each in own)
    if any(each.answered for each in news):  # it is a letter itself, and brings the board
        sentence = _together([each for each in found if not each.letters[0].to.seats])
        news = tuple(replace(each, sentence=sentence) if each.answered else each for each in news)
        return replace(handling, letters=news)
    reader = next((each.letters[0].to for each in found if each.letters[0].to.seats), None)
    answer = replace(answer, sentence=_together(found))
    if reader is None:
        return replace(handling, letters=(*news, answer))
    if reader.address == answer.to.address:
        return replace(handling, letters=(*news, replace(answer, to=reader)))
    again = replace(matter.letter(about=match), to=reader, answered=None)
    return replace(handling, letters=(*news, answer, again))


def _together(found: Sequence[Handling]) -> Sentence | None:
    """Everything the sender is told, each thing once."""
    each = [told for one in found if (told := one.letters[0].sentence) is not None]
    once = [one for nth, one in enumerate(each) if one not in each[:nth]]
    return paragraphs(*once) if once else None


_NOT_LOGGED: Final = (Verdict.ASKED, Verdict.PASSED_ON)
"""The verdicts on wishes that leave the log as it is; of any other the sender is told with the
news."""
_REST: Final = say("for you: it asks the desk for something, and says more besides")
_SAID: Final = (
    'You said: "{text}". It goes to all with the next report, under your name, and changes nothing '
    "else."
)
_UNSAID: Final = say(
    "What you say to others was not passed on either. Send it again with the moves you mean."
)
_NOT_DONE: Final = (
    "What else you ask for was not done: {why}. If you still want it, send it in a mail of its own."
)
