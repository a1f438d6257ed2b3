"""What is to be done about a mail: it is asked questions in order, and the first to answer decides.

Nothing is said about a match, counted or remembered before it is settled who wrote the mail, as
surely as the match requires. Orders and wishes are carried out on the way; what the sender is told
at once goes into letters, which the run writes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from typing import Final

from pbem.core import Violation
from pbem.desk import press
from pbem.desk.answer import Answer, Verdict
from pbem.desk.duplicates import duplicate_of
from pbem.desk.file import LOG_SUFFIX
from pbem.desk.judging import LATER, THANKS
from pbem.desk.plans.run import MOST_IN_A_RUN
from pbem.desk.reading import SHORT
from pbem.desk.submit import leaves_open, let_go, recall
from pbem.files.timestamp import stamp
from pbem.intake import asking
from pbem.intake.courtesy import courtesy
from pbem.intake.settings import WEBHOOK, preferred
from pbem.intake.submission import Request
from pbem.intake.text import decoded
from pbem.intake.verbs import AWAY, BOARD, MODERATOR, RESIGN, RULES, SAY, TAKEBACK, VERBS
from pbem.intake.words import phrases, tokens
from pbem.log import private_press, turns
from pbem.log.clock import ASK
from pbem.log.match import Replay
from pbem.log.private_press import GREY
from pbem.mailroom import letters, primer, requests, tray
from pbem.mailroom.door import AT_THE_DOOR, seemingly
from pbem.mailroom.granting import answering, has_played, speaks_of
from pbem.mailroom.inbox.incoming import Mail
from pbem.mailroom.letterhead import paragraphs, safe
from pbem.mailroom.matter import FROM_THEM, Audience, Excerpt, Handling, Matter, Meant, Office
from pbem.matches.index import match_name
from pbem.meaning import stray_moves
from pbem.meaning.pleas import without_things
from pbem.meaning.weighing import in_question
from pbem.problem import Faulty, Mistake, Problem, Usage
from pbem.report import rulebook
from pbem.sentence import Capital, Sentence, in_turn, say, timed

OWN_AFFAIR: Final = (Verdict.WAITING, Verdict.WITHDRAWN)
"""The verdicts on mails whose senders must stay unknown to a moderator who plays: what a player
plans, takes back or asks to see concerns nobody else. The desk deals with them on its own."""
FAULTS_OF_THE_MAIL: Final = (Usage, Mistake)
"""The kinds of problem that lie in the mail itself, or that it brings out; all others lie in files,
and may pass."""


# ------------------------------------------------------------ what people write that is no move


def about_several(matter: Matter) -> Handling | None:
    """Does a player of several matches not say which one the mail is about? What concerns all of
    them, or is for a person, is dealt with all the same."""
    if len(matter.known) < 2:
        return None
    read = [each.message for each in matter.known]  # days away may be told in prose
    verbs = {request.verb for message in read for request in message.requests}
    orders = any(message.orders for message in read)
    handling = Handling(verdict=Verdict.ASKED, settled=True, why=say("asked"))
    if len(verbs) == 1 and verbs <= requests.TELLS.keys() and not orders:
        [verb] = verbs
        sentence, subject = requests.TELLS[verb](matter), VERBS[verb].subject
    elif (
        matter.mail.said
        and verbs <= {MODERATOR}
        and all(each.reading.is_talk for each in matter.known)
    ):
        told = (_told(matter, each) for each in matter.known)
        how = next(filter(None, told), _WHICH)
        sentence = say("{passed} {how}", passed=_PASSED_ON, how=how)
        subject = say("Your mail was passed on")
        why = say("for you: {sender} writes, about no match", sender=matter.sender)
        handling = handling.for_a_person(why, verdict=Verdict.PASSED_ON)
    elif verbs and all(VERBS[each].matches != "one" for each in verbs) and not orders:
        quoted = [each for each in matter.known if f"[{each.name} #" in matter.mail.message.body]
        return matter.quiet(handling) or _each(matter, quoted or matter.known, handling)
    else:
        return _unclear(matter.known)
    return matter.answered(handling, sentence, subject=subject)


def _each(matter: Matter, matches: Iterable[Meant], handling: Handling) -> Handling:
    """The handling of a mail that asks the same of several matches, with what comes of it in each;
    wishes that are about no match are answered only once."""
    found, mail = list[Handling](), matter.mail
    for meant in matches:
        name = f"{mail.settled_id}.{safe(meant.name)}"
        meant = meant._replace(matter=Matter(replace(mail, settled_id=name), matter.office))
        if found:
            once = [r for r in meant.message.requests if r.row.matches != "each"]
            meant = meant.with_message(meant.message.less(requests=once))
        came = requests.granted(meant, replace(handling, path=meant.path))
        named = (replace(e, name=e.name or f"{name}.{e.kind}") for e in came.letters)
        found.append(replace(came, letters=tuple(named)))
    verdicts = {each.verdict for each in found}
    return replace(
        handling,
        verdict=verdicts.pop() if len(verdicts) == 1 else handling.verdict,
        letters=tuple(letter for each in found for letter in each.letters),
        refusal=True,
        why=next((each.why for each in found if each.aside), handling.why),
        heard=next((each.heard for each in found if each.aside), ""),
    )


def reconsiders(matter: Matter) -> None:
    """Was its writer asked whether they meant an order, and do they now write about something else?
    Then a later yes can no longer mean that order. Mails judged as orders see to this themselves;
    a question about resigning stands, as no yes answers it: it takes the word itself, twice."""
    meant = matter.meant
    asked = {seat: meant.reading.waiting.asked(seat) for seat in meant.writer.seats}
    seats = [seat for seat in asked if asked[seat] and not leaves_open(meant.message, asked[seat])]
    if seats and (not meant.message.orders or meant.reading.is_talk):
        let_go(meant.path, seats, matter.office.here)


def asks(matter: Matter) -> Handling | None:
    """Does it ask for something besides moves? Its order, if it has one, is judged, too."""
    meant, message = matter.meant, matter.meant.message
    if not message.requests:
        return None
    if message.orders and any(each.verb == RESIGN for each in message.requests):
        return ordered(matter)  # which says what is to be done to resign
    asked = meant.moves_nothing(Verdict.ASKED)
    quiet = matter.quiet(asked)
    if not message.orders or meant.reading.is_talk:
        if quiet:
            return quiet
        asks_more = any(each.why == "question" for each in message.ignored)
        lost = bool(message.orders) or asks_more
        return requests.granted(meant, asked, lost=lost)
    handling = ordered(matter)
    if quiet or handling.verdict == Verdict.SEEN or not handling.settled:
        return handling
    # What it says to others is passed on with its order.
    press_in_it = [each for each in message.requests if each.row.is_press]
    return requests.granted(meant.with_message(message.less(requests=press_in_it)), handling)


def withdraws(matter: Matter) -> Handling | None:
    """Does it only take back what waits for its sender, or ask for the list of that?"""
    meant = matter.meant
    if not meant.reading.only_withdraws:
        return None
    answer = meant.submitted()
    if answer.verdict == Verdict.WAITING:
        return _accepted(meant, answer)
    if answer.verdict != Verdict.WITHDRAWN:
        return meant.refused(answer)
    moves = [each.text for each in answer.not_played]
    waits = [
        plan.text for plan in answer.waits if plan.seat in meant.writer.seats and not plan.over
    ]
    gone = say("These moves wait no more: {moves}.", moves="; ".join(moves)) if moves else None
    left = say("No move of yours is held now.")
    if waits:
        left = say("This still waits: {waits:all}.", waits=waits)
    elif not moves and has_played(meant.reading):
        left = say(
            "No move of yours is held now. What was played stands; the one word takeback asks the "
            "moderator to take it back."
        )
    handling = meant.notice(Verdict.WITHDRAWN, paragraphs(gone, left))
    return replace(handling, refusal=handling.refusal and not moves)


def asks_about_a_move(matter: Matter) -> Handling | None:
    """Does it ask whether a move can be played? Its sender is told; the moderator reads it, too."""
    meant, match, seat = matter.meant, matter.meant.match, matter.meant.reading.seat
    lines = [line.text for line in meant.reading.new if line.text.rstrip().endswith("?")]
    if meant.message.requests or not (lines and meant.reading.is_talk and seat in match.asked):
        return None
    possible, broken = in_question(match, seat, lines[0])
    if broken:
        move = say("{move}: {told}", move=broken.said, told=broken.reason)
        sentence = say("{move}. Your mail was passed on to the moderator, too.", move=move)
    elif possible:
        values = {"moves": [in_turn(order) for order in possible]}
        sentence = say(
            "You can play this now: {moves:any}. Your mail was passed on to the moderator, too. If "
            "you mean a move, send it like this:",
            **values,
        )
        sentence = paragraphs(sentence, primer.fence(match, *possible[0]))
    else:
        return None
    return _left_to_a_person(meant, sentence)


def asks_about_the_rules(matter: Matter) -> Handling | None:
    """Does it ask about the rules, in words that some of them use? Its sender is told those rules;
    the moderator is shown the question, and the moves that come with it only if they ask."""
    meant = matter.meant
    if meant.message.requests:
        return None
    match, asked, rules = meant.match, rulebook.question(meant.message), answering(meant.reading)
    if not rules:
        return None
    why = say("for you: {seat:seat} asks about the rules", seat=meant.reading.seat)
    moves = {line.number for line in meant.message.asked if line.text.strip() not in asked}
    asks_alone = meant.reading.is_talk or not (meant.message.fenced or moves)
    if asks_alone and meant.reading.about in (TAKEBACK, RESIGN, BOARD):
        return None
    handling = meant.moves_nothing(Verdict.PASSED_ON) if asks_alone else ordered(matter)
    quiet = matter.quiet(handling) if asks_alone else None
    if quiet or handling.aside or handling.verdict == Verdict.SEEN:
        return quiet or handling
    meant.acquaint(match)
    passed, how = (_ASKED_ALONE, _NO_MOVE) if asks_alone else (_ASKED_BESIDE, None)
    sentence = paragraphs(passed, say("{rules:lines}", rules=rules), how)
    found = requests.beside(meant, handling, [meant.told(sentence, aside=why)])
    heard = tray.QUESTION if moves or meant.message.fenced else tray.ASIDE
    return replace(found, heard=heard, audience=Audience.MODERATORS)


def is_small_talk(matter: Matter) -> Handling | None:
    """Does it hold nothing but thanks and the like? That asks nothing of anybody."""
    meant = matter.meant
    if not meant.reading.is_thanks:
        return None
    thanked = replace(meant.moves_nothing(Verdict.ASKED), heard=tray.DONE)
    return matter.answered(thanked, say("{told}.", told=THANKS), about=meant.match)


def for_a_person(matter: Matter) -> Handling | None:
    """Is there nothing for the desk in it? Then a person reads it."""
    meant, match, seat = matter.meant, matter.meant.match, matter.meant.reading.seat
    if not meant.reading.is_talk:
        return None
    if meant.reading.about == BOARD:
        shown = meant.message._replace(orders=(), requests=(Request(BOARD, 0, ""),))
        more = _says_more(meant)
        verdict = Verdict.PASSED_ON if more else Verdict.ASKED
        board = meant.with_message(shown)
        came = requests.granted(board, meant.moves_nothing(verdict), lost=more)
        return replace(came, verdict=verdict)
    sentence = _passed_on(matter, meant)
    if old := meant.message.only_old:
        block = primer.block(match) if seat in match.awaited else None
        sentence = say("Nothing was played. {why}.", why=stray_moves.all_quoted(old))
        sentence = paragraphs(sentence, block)
    elif meant.reading.weighed.put_off and not _asks_a_person(meant):
        sentence = say("{passed} {how}", passed=requests.PASSED_ON, how=say("{why}.", why=LATER))
    return _left_to_a_person(meant, sentence)


def _says_more(meant: Meant) -> bool:
    """Does a mail say more than that it asks for the board, in one short sentence?"""
    said = " ".join(line.text for line in meant.reading.new if not courtesy(line.text))
    return len(tokens(said)) > SHORT or asking.wanted(said) != ()


def _passed_on(matter: Matter, meant: Meant) -> Sentence:
    """What the writer of a mail for a person is told: where it went, and how a move is sent."""
    match, seat, told = meant.match, meant.reading.seat, _told(matter, meant)
    asks = _asks_a_person(meant)
    if seat not in match.asked:  # who asks something then means no move
        asks = asks or any(line.text.rstrip()[-1:] == "?" for line in meant.reading.new)
    if asks and not (meant.message.quoted or told or meant.reading.named_moves):
        return paragraphs(FROM_THEM, _way_on(meant), _held(match))
    if meant.message.quoted:
        how = say(
            "If you meant a move: {quoted}.", quoted=stray_moves.in_quotes(meant.message.quoted[0])
        )
    elif told:
        how = told
    else:
        how = primer.how(match.seen_by(seat), seat)
    moves = meant.reading.named_moves
    passed = say(_PASSED_ON_WITH, moves=moves) if len(moves) > 1 else _PASSED_ON
    passed = requests.PASSED_ON if told else passed
    called = {phrase[-1] for phrase in phrases("requests", MODERATOR)}  # "Dear moderator, …"
    heard = _may_speak(match) and called.isdisjoint(tokens(meant.message.body))
    names = seat in match.asked and meant.reading.names_things()
    if heard and not (names or meant.message.quoted or told):
        passed, how = requests.PASSED_ON, paragraphs(VERBS[SAY].told, how)
    if held := _held(match):
        passed = say("{passed} {how}", passed=passed, how=held)
    return say("{passed} {how}", passed=passed, how=how)


def _asks_a_person(meant: Meant) -> bool:
    """Does a line that was not read ask a person for something?"""
    return any(asking.of_a_person(line.text) for line in meant.reading.unread)


def _way_on(meant: Meant) -> Sentence | None:
    """How somebody who asks a person for something comes nearer to it at once."""
    said = " ".join(line.text for line in meant.reading.unread)
    wanted = asking.wanted(said)
    if "draw" in wanted and _may_speak(meant.match):
        return VERBS[SAY].told
    return _WHO_SITS_DOWN if "deputy" in wanted and "@" not in said else None


def _may_speak(match: Replay) -> bool:
    """May players say something to all in this match?"""
    return private_press.kind(match.log.header) in VERBS[SAY].press


def _held(match: Replay) -> Sentence | None:
    """That silence brings nothing while a mail waits for a person, where it would."""
    brings = match.log.clock and match.log.so_far().timing.clock.silence != ASK
    return tray.NOT_PLAYED_FOR if brings and match.outcome is None else None


def _left_to_a_person(meant: Meant, sentence: Sentence) -> Handling:
    """A mail that plays nothing goes to the moderator; its sender is told a sentence."""
    why = say("for you: {seat:seat} writes", seat=meant.reading.seat)
    handling = meant.moves_nothing(Verdict.PASSED_ON).for_a_person(why)
    return meant.matter.answered(handling, sentence, about=meant.match)


def _told(matter: Matter, meant: Meant) -> Sentence | None:
    """What is said about the verb that a mail for a person is about, in its writer's own words or
    by its subject; None if there is none, or it would do nothing."""
    subject = asking.mentioned(decoded(matter.mail.envelope.subject))
    seeks = RULES if rulebook.speaks_of_rules(rulebook.question(meant.message)) else ""
    verb, days = speaks_of(meant.reading) or subject or seeks, meant.reading.days
    over = verb in VERBS and VERBS[verb].goes == "log" and meant.match.outcome is not None
    if not verb or over or meant.match.vacant.issuperset(meant.writer.seats):
        return None
    if verb == AWAY and meant.match.log.clock is None:
        return requests.NO_CLOCK
    return say(_THESE_DAYS, **days._asdict()) if verb == AWAY and days else VERBS[verb].told


# ------------------------------------------------------------------------------- orders


def _unclear(known: Sequence[Meant]) -> Handling:
    tokens, matter = [f"[{each.name} {each.match.position}]" for each in known], known[0].matter
    sentence = say(
        "You play in several matches, and your mail does not say which one it is for. Nothing "
        "was played. Put one of these into the subject and send it again: {tokens:any}",
        tokens=tokens,
    )
    unclear = Handling(verdict=Verdict.UNCLEAR, settled=True)
    return matter.answered(unclear, paragraphs(_why_unread(matter.mail), sentence))


def _why_unread(mail: Mail) -> Sentence | None:
    """Why a mail cannot be read, for its sender; None if it can."""
    if mail.said is not None or mail.trouble is None:
        return None
    why, line = Capital(mail.trouble.sentence), mail.trouble.line
    if line:
        return say("Nothing was played. {why} (line {line} of your mail).", why=why, line=line)
    return say("Nothing was played. {why}.", why=why)


def unreadable(matter: Matter) -> Handling | None:
    """Can it not be read?"""
    sentence, trouble = _why_unread(matter.mail), matter.mail.trouble
    if sentence is None:
        return None
    meant, match = matter.meant, matter.meant.match
    if told := _told(matter, meant):
        sentence = paragraphs(sentence, told)
    elif any(seat in match.awaited for seat in meant.writer.seats):
        sentence = paragraphs(sentence, primer.block(match))
    handling = meant.notice(Verdict.UNREADABLE, sentence)
    return handling.put_aside() if isinstance(trouble, Mistake) else handling


def ordered(matter: Matter) -> Handling:
    """An order, then: is it overtaken, and what does the desk say?"""
    meant = matter.meant
    # It may also be for another match, in which it does not prove who wrote it.
    if len(matter.paths) > 1:
        return _unclear([meant])
    return _overtaken(meant) or _judged(meant)


def _overtaken(meant: Meant) -> Handling | None:
    """The answer to a mail sent before one of the same seat that was read earlier; else None."""
    sent, book = meant.matter.mail.sent, meant.matter.office.book
    newest = max(book.newest(meant.name, seat) for seat in meant.writer.seats)
    if not 0.0 < sent < newest:
        return None
    if duplicate_of(meant.match, meant.desk, meant.message, meant.writer):
        return None  # it was played before the newer one came
    why = say(
        "This mail was overtaken: you sent it on {sent}, and one you sent on {newest} was read "
        "before it. To be on the safe side nothing of it was played; if you still mean it, "
        "send it again",
        sent=timed(stamp(sent)),
        newest=timed(stamp(newest)),
    )
    answer = meant.reading.turned_away(Verdict.OVERTAKEN, why)
    return meant.refused(replace(answer, seat=""))


def _judged(meant: Meant) -> Handling:
    """The desk's verdict on an order, and what is to be said about it."""
    office = meant.matter.office
    try:
        answer = meant.submitted()
    except Faulty:  # its path may be the package's, but this match is stuck
        office.stuck.add(meant.path.removesuffix(LOG_SUFFIX))
        raise
    except Usage as problem:
        sentence = say("Nothing was played: {problem}.", problem=problem.sentence)
        return meant.notice(Verdict.REFUSED, sentence)
    if answer.verdict in (Verdict.ACCEPTED, Verdict.WAITING, Verdict.WITHDRAWN):
        return _accepted(meant, answer)
    if answer.verdict == Verdict.DUPLICATE:
        then = recall(answer, meant.desk, office.here.clock)
        if then is not None:
            return _again(meant, then)
    return meant.refused(answer)


def _again(meant: Meant, then: Answer) -> Handling:
    """The answer to a mail that is in the log already, if that answer was never written."""
    handling, matter = _accepted(meant, then), meant.matter
    book = matter.office.book
    # A mail through a list gets no answer; everybody is told of it as of any other entry.
    if matter.mail.envelope.machine or any(each.name in book.letters for each in handling.letters):
        return Handling(verdict=Verdict.SEEN)
    return handling


def _accepted(meant: Meant, answer: Answer) -> Handling:
    """What is answered at once; the others are told when all mails have been read. The order
    stands, whatever becomes of these letters."""
    meant.acquaint(answer.before)
    book, mail, match, desk = meant.matter.office.book, meant.matter.mail, meant.match, meant.desk
    return Handling(
        verdict=answer.verdict,
        letters=tuple(letters.answers(match, desk, answer, mail, book)),
        path=meant.path,
        seat=answer.seat,
        ply=answer.after.position.ply,
        settled=True,
        answered_by=answer.answered_by,
        why=say(_MORE, n=MOST_IN_A_RUN) if answer.more else meant.writer.doubt,
    )


# ----------------------------------------------------------------------------- the table

QUESTIONS: Final[tuple[Callable[[Matter], Handling | None], ...]] = (
    *AT_THE_DOOR,
    about_several,  # does it not say which of its sender's matches it is about?
    unreadable,  # can it not be read?
    reconsiders,  # does a question of ours no longer stand?
    asks,  # does it ask for something besides moves?
    withdraws,  # does it take back what waits?
    asks_about_a_move,  # does it ask whether a move can be played?
    asks_about_the_rules,  # does it ask what a rule answers?
    is_small_talk,  # does it just say thanks?
    for_a_person,  # is there nothing for the desk in it?
    ordered,  # then it is an order
)
"""What a mail is asked, one question after the other."""


def decide(mail: Mail, office: Office, problem: Problem | None = None) -> Handling:
    """What is to be done about a mail. One with a `problem` cannot be dealt with: it is put aside,
    and not tried again. Raises Problem if files stand in the way."""
    matter = Matter(mail, office)
    if problem:
        why = say("{problem}", problem=problem)
        failed = Handling(verdict=Verdict.FAILED, path=seemingly(matter)[0], why=why)
        return failed.put_aside()
    for question in QUESTIONS:
        if handling := question(matter):
            by = handling.answered_by or question.__name__
            handling = replace(handling, answered_by=by)
            return _discreet(matter, _warned(matter, _heard(matter, handling)))
    raise AssertionError("the last question answers")


def _heard(matter: Matter, handling: Handling) -> Handling:
    """The handling of a mail that was turned away, which a person can read all the same: it is put
    aside if it is written to one, or if it is the third in one turn; else a copy is kept. That does
    not depend on why it was turned away, which may rest on a hand."""
    if handling.aside or not handling.settled or handling.verdict not in _TURNED_AWAY:
        return handling
    about = [each for each in matter.known if each.path == handling.path] or matter.known
    pleads = all(each.reading.is_plea for each in about)
    unread = [line.text for each in about for line in each.reading.unread]
    off_turn = handling.verdict == Verdict.WRONG_SENDER
    asks_off_turn = off_turn and any(text.rstrip()[-1:] == "?" for text in unread)  # "Draw?"
    if matter.mail.said is not None and (pleads or asks_off_turn):
        asks = any(map(asking.may_be_of_a_person, unread))
        held = any(each.refused and each.refused.proposal for each in handling.letters)
        beside = held and not asks  # what is asked of its writer comes first
        letters = _read_too(handling) if beside else _to_a_person(matter, handling, about)
        why, heard = say(_PLEA, sender=matter.sender), tray.BESIDE if beside else tray.PLEA
        return replace(handling, letters=letters).for_a_person(why, heard=heard)
    handling = replace(handling, letters=_read_too(handling))
    since = min((turns.of(each.match).since for each in about), default="")
    before = matter.office.book.unheeded(match_name(handling.path), [matter.sender], since)
    if len(before) == _ENOUGH - 1:
        why = say(_THIRD, sender=matter.sender, n=_ENOUGH)
        return handling.for_a_person(why, heard=tray.THIRD)
    return replace(handling, heard=tray.KEPT)


def _read_too(handling: Handling) -> tuple[letters.Letter, ...]:
    """The letters about a mail that was turned away; where no rule says why, they tell at the end
    that the moderator can read it."""
    return tuple(
        each
        if each.refused and isinstance(each.refused.reason, Violation)
        else replace(each, sentence=paragraphs(each.sentence, _CAN_READ))
        for each in handling.letters
    )


def _to_a_person(
    matter: Matter, handling: Handling, about: Sequence[Meant]
) -> tuple[letters.Letter, ...]:
    """The letters about a mail for a person: they tell where it went, in place of what is wrong
    with it as an order, unless an order can be made out in it."""
    files = matter.unopened(Verdict.PASSED_ON, None)
    plays = any(moves for each in about for _, moves in each.reading.lines.lines)
    if len(about) > 1 and not any(each.reading.names_things() for each in about):
        passed = paragraphs(FROM_THEM, files)
        return tuple(replace(each, sentence=passed) for each in handling.letters)
    return tuple(
        matter.letter(paragraphs(_passed_on(matter, about[0]), files), about=about[0].match)
        if len(about) == 1 and each.refused and each.refused.holds_no_order and not plays
        else replace(each, refused=each.refused and replace(each.refused, passed_on=True))
        for each in handling.letters
    )


def _discreet(matter: Matter, handling: Handling) -> Handling:
    """The handling, with those lines hidden that are for some players only, or hold the address of
    a chat program, which is as good as a password: whoever looks at the mail may play. Whose it is
    nobody learns if it is its sender's own affair, or says something where press is grey."""
    if matter.mail.said is None or matter.mail.envelope.sender is None:
        return handling
    read = [(each.match, each.message) for each in matter.found]
    if handling.heard:
        sealed = {line for match, said in read for line in press.sealed_lines(match, said)}
        wishes = matter.mail.said.requests
        sealed |= {each.line for each in wishes if (preferred(each.said) or "")[:1] == (WEBHOOK,)}
        if not read and press.speaks(matter.mail.said):  # perhaps a player's, from a new address
            tables = matter.office.matches.tables(matter.mail.named)
            sealed |= set(press.lines_to(tables, matter.mail.said))
        hidden = tuple(sorted(sealed))
        if not handling.aside:
            return replace(handling, excerpt=Excerpt(hidden))
        moves, says = any(map(_names_moves, matter.known)), _says(matter, handling, hidden)
        return replace(handling, excerpt=Excerpt(hidden, moves, says))
    grey = any(match.log.header.press == GREY for match, _ in read)
    own = (*OWN_AFFAIR, Verdict.SAID) if grey else OWN_AFFAIR
    alone = handling.verdict in own
    return replace(handling, audience=Audience.WRITER) if alone else handling


def _names_moves(meant: Meant) -> bool:
    """Is a move read in a mail, or anything left out of what else it says where a moderator who
    plays may see it?"""
    if any(moves for _, moves in meant.reading.lines.lines):
        return True
    civil = (each.text for each in meant.message.ignored if each.why in ("greeting", "closing"))
    said = (*civil, *(line.text for line in meant.reading.unread))
    return any(without_things(meant.match, text) != text for text in said)


def _says(matter: Matter, handling: Handling, hidden: Collection[int]) -> str:
    """What a player's mail says to a person in lines that are not `hidden`, for any moderator, even
    one who plays."""
    told = handling.heard in tray.TO_READ or handling.verdict in (*tray.TALK, Verdict.ACCEPTED)
    if not (matter.known and told):
        return ""
    said = matter.known[0].reading.says(hidden)
    for each in matter.known[1:]:
        said = without_things(each.match, said)
    return said


def _warned(matter: Matter, handling: Handling) -> Handling:
    """The handling, with a warning to the sender and the moderator where a mail that went to
    others, too, shows a private key."""
    said = matter.mail.said
    if not (matter.mail.envelope.shared and said and handling.path and handling.settled):
        return handling
    match = matter.office.matches.look(handling.path)
    seats = press.leaked_keys(match, said.body)
    if not seats:
        return handling
    sentence, why = press.leak_for_sender(seats), press.leak_for_moderator(seats, match.name)
    if handling.why and handling.audience == Audience.MODERATORS:
        why = say("{why}. {more}", why=why, more=handling.why)
    answers = [each for each in handling.letters if each.answered]
    first = answers[0] if answers else matter.letter(about=match)
    warns = replace(first, sentence=paragraphs(sentence, first.sentence))
    others = [each for each in handling.letters if each is not first]
    return handling.for_a_person(why, letters=(warns, *others))


_TURNED_AWAY: Final = (
    *(Verdict.REFUSED, Verdict.STALE, Verdict.OVERTAKEN, Verdict.WRONG_SENDER),
    *(Verdict.UNREADABLE, Verdict.UNCLEAR),
)
"""The verdicts on mails of players that change nothing, though something was meant."""
_ENOUGH: Final = 3
"""How many of a player's mails are turned away in one turn until the moderator is told."""
_PLEA: Final = "for you: {sender} writes, and the desk could do nothing with it"
_THIRD: Final = "for you: {n} mails of {sender} came to nothing since this turn began"
_CAN_READ: Final = say("The moderator can read your mail, too.")
_ASKED_ALONE: Final = say(
    "You ask about the rules. Your question was passed on to the moderator, who will answer it. "
    "Nearest to it in the rules is:"
)
_ASKED_BESIDE: Final = say(
    "You ask about the rules. Your question was passed on to the moderator, without your moves. "
    "Nearest to it in the rules is:"
)
_NO_MOVE: Final = say("If you meant a move, write it between [move] and [/move].")
_PASSED_ON: Final = say("Your mail was passed on to the moderator. I found no move in it.")
_THESE_DAYS: Final = (
    "If you'll be away then, send this line, and these days don't count for you: `away {first} to "
    "{last}`."
)
_WHO_SITS_DOWN: Final = say(
    "If you know who could play for you, tell the moderator their name and their mail address."
)
_WHICH: Final = say("If you meant a move, say for which match: answer one of its mails.")
_PASSED_ON_WITH: Final = (
    "Your mail was passed on to the moderator. It names {moves:all}, and I can't tell which counts."
)
_MORE: Final = "{n} [plan was|plans were] played in one run; others may follow the next move"
