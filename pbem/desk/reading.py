"""A message in one match: each thing that must be known about it is found out once, when it is
first asked for."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any, Final

from pbem.core import CHANCE, Ambiguous, Seat, Unreadable, Violation
from pbem.desk import lines, press
from pbem.desk.answer import Answer, Verdict
from pbem.desk.authorship import Writer
from pbem.desk.file import Desk
from pbem.desk.lines import ReadLines
from pbem.desk.plans.model import Waiting
from pbem.desk.plans.run import answering, waiting_now
from pbem.intake import Line, Submission, asking, plan
from pbem.intake.absence import AwayDates, dates
from pbem.intake.caveats import caveat, caveats_but, of_others, puts_off, speaks_to_others
from pbem.intake.courtesy import courtesy, opens
from pbem.intake.verbs import AWAY, BOARD, MAILS, YES
from pbem.intake.words import phrases, tokens
from pbem.log.match import Replay
from pbem.meaning import chatter, hints, stray_moves
from pbem.meaning.fitting import Fitting
from pbem.meaning.hints import Lines, MoveTexts
from pbem.meaning.mentions import Mention, Vocabulary, besides
from pbem.meaning.offences import Offence
from pbem.meaning.patterns import notated, says, seated
from pbem.meaning.picking import Picked, asked_by_game, picked
from pbem.meaning.pleas import is_plea, without_things
from pbem.meaning.prose import idle_words
from pbem.meaning.weighing import Weighed, weighed
from pbem.play import judge as play
from pbem.sentence import Sentence

_CLAUSE: Final = re.compile(r"[.,;:!?]+(?:\s|\Z)|\n")
_WORD: Final = re.compile(r"[^\W_][^\s,;!?()]*(?<=\w)")

SHORT: Final = 6
"""The most words in a line that may name half a move."""


@dataclass(frozen=True)
class Reading:
    """A message in one match, once it is known who wrote it; `today` is the time of the reading.
    Without the desk file nothing `waits`."""

    match: Replay
    message: Submission
    writer: Writer
    waiting: Waiting
    desk: Desk | None = None
    today: str = ""

    @staticmethod
    def of(
        match: Replay,
        message: Submission,
        writer: Writer,
        desk: Desk | None = None,
        today: str = "",
    ) -> Reading:
        """A message as this match has to read it, given what its writer was asked there."""
        waiting = waiting_now(match, desk) if desk else Waiting(match.log.chain)
        message = lines.dated(match, lines.as_broken(match, message), today)
        message = lines.unsigned(match, writer.seats, message)
        message = lines.explained(match, writer, lines.untitled(match, writer, message))
        message = press.meant(match, answering(match, waiting, message, writer.seats))
        message = lines.as_notated(match, message)
        reading = Reading(match, message, writer, waiting, desk, today)
        return replace(reading, message=lines.untailed(match, reading.seat, message))

    @property
    def early(self) -> bool:
        """Does it ask for nothing to be played now? Then it need not be its sender's turn."""
        orders = self.message.orders
        return bool(orders) and all(plan.is_early(line.text) for line in orders)

    @property
    def only_withdraws(self) -> bool:
        """Does it take back plans, or ask for their list, and nothing else?"""
        texts = [line.text for line in self.message.orders]
        return bool(texts) and all(
            plan.withdrawn(text) is not None or plan.asks_for_list(text) for text in texts
        )

    @property
    def seat(self) -> Seat:
        """Whose order it is: the writer's seat that it names, else one that is asked, else the
        first; "" if the writer has none."""
        if self.message.seat in self.writer.seats:
            return self.message.seat
        own, match = self.writer.seats, self.match
        asked = (seat for seats in (match.awaited, match.asked) for seat in own if seat in seats)
        return next(asked, next(iter(own), ""))

    @property
    def new(self) -> tuple[Line, ...]:
        """All that it says for the first time, whether it looks like an order or not."""
        return (*self.message.orders, *self.message.outside)

    @property
    def unread(self) -> tuple[Line, ...]:
        """The lines that were not read beside an order; all that are new, and the questions, if
        none was."""
        message, read = self.message, self.lines
        if self.ends or not (message.fenced or any(moves for _, moves in read.lines)):
            asked = (
                Line(each.line, each.text) for each in message.ignored if each.why == "question"
            )
            new = dict.fromkeys((*self.new, *asked))  # a question may be both
            return tuple(sorted(new, key=lambda line: line.number))
        troubles = () if message.fenced else (Line(each.line, each.text) for each in read.troubles)
        lines = dict.fromkeys((*message.unexplained, *message.outside, *troubles))
        return tuple(sorted(lines, key=lambda line: line.number))

    def says(self, hidden: Collection[int] = ()) -> str:
        """What it says to a person: its lines that were not read as moves, but for courtesies and
        those that are `hidden`, without what moves are made with."""
        message = self.message
        told = {line.number for line in self.unread}
        told |= {each.line for each in message.requests if not each.row.is_press}
        told |= {each.line for each in message.ignored if each.why == "question"}
        lines = message.body.split("\n")
        said = [lines[n - 1].strip() for n in sorted(told.difference(hidden, {0}))]
        said = [text for text in said if not courtesy(text)] or said
        return " ".join(without_things(self.match, text) for text in said)

    # ---------------------------------------------------------------- what it says as an order

    @cached_property
    def lines(self) -> ReadLines:
        """What its lines say in the match as it stands."""
        return lines.read(self.match, self.seat, self.message, self.today)

    @cached_property
    def weighed(self) -> Weighed:
        """The orders that it may mean, whatever else it says, or what the rules say of the one
        thing it does: see `weighing`."""
        found = weighing(self, self.lines)
        if not (found.orders or found.named or found.offence or found.put_off):
            found = found._replace(offence=self._forbidden())
        return found

    def _forbidden(self) -> Offence | None:
        """What the rules forbid now, if that is the one thing it does and takes several words to
        say: "I call the dolphin"."""
        texts = [line.text[: hints.LONGEST_LINE] for line in self.new]
        said = [(text, each) for text in texts for each in self._vocabulary.mentions(text)]
        if len(said) != 1 or len(said[0][1].verbs) != 1:
            return None
        [(text, each)] = said
        [verb] = each.verbs
        with suppress(Unreadable):
            reason = getattr(self.tried([self.match.game.parse(verb)]), "reason", None)
            if isinstance(reason, Violation) and len(tokens(text[each.start : each.end])) > 1:
                return Offence((), verb, reason)
        return None

    def tried(self, order: play.Order) -> play.Accepted[Any] | play.Rejected:
        """What would come of this order now."""
        return play.adjudicate(self.match.game, self.match.state, self.seat, order)

    def steps(self, moves: Sequence[str]) -> tuple[play.Step, ...]:
        """The plies that these moves would make."""
        return self.tried([self.match.game.parse(text) for text in moves]).steps

    @property
    def named_moves(self) -> tuple[str, ...]:
        """The legal moves that it names as they are written, whatever else it says."""
        return hints.verbatim(self.match, self.seat, "\n".join(line.text for line in self.new))

    def names_things(self, text: Iterable[Line] | None = None, but: Collection[str] = ()) -> bool:
        """Does the message, or this `text` of it, name anything that moves are made with, `but`
        for these: a card, an island, a colour?"""
        some = self.new if text is None else text
        named = (each.thing for each in self._mentions(some) if not each.little)
        return any(thing and thing not in but for thing in named)

    def may_name_moves(self, texts: Iterable[str]) -> bool:
        """May any word of these name a thing of the game, though it be a little word as well
        ("Thanks. E"), or outside courtesies a deed, but that its writer will move?"""
        vocabulary, passing = self._vocabulary, phrases("verbs", "play", "move")
        return any(
            each.thing in vocabulary.things
            or (each.verbs and tokens(text[each.start : each.end]) not in passing)
            for text in texts
            for each in vocabulary.mentions(text[: hints.LONGEST_LINE])
            if each.thing or not courtesy(text)
        )

    @property
    def _vocabulary(self) -> Vocabulary:
        return Fitting(self.match, self.seat).vocabulary

    def _mentions(self, lines: Iterable[Line]) -> Iterable[Mention]:
        texts = (line.text[: hints.LONGEST_LINE] for line in lines)
        return chain.from_iterable(map(self._vocabulary.mentions, texts))

    @property
    def begun(self) -> MoveTexts:
        """The moves that a message names in full, whatever else it says; () if it names none, or
        several orders."""
        moves, game, alone = self.weighed.begun, self.match.game, len(self.named_moves) == 1
        if not moves and alone and len(self.new) == 1 and "?" not in self.new[0].text:
            moves = tuple(game.notate(game.parse(text).move) for text in self.named_moves)
        return () if self.ends else moves

    def doubtful(self, unplaced: Sequence[str] = ()) -> Sequence[str]:
        """What in unreadable lines nobody can place beside a move: whole clauses that may take
        something back, or hold what stands in no move; or a clause that names nothing or holds
        words that are not known, or the one such word of a single clause; else the first of
        them."""
        texts = [each.text for each in self.lines.troubles or self.message.outside]
        clauses = [each.strip() for each in chain(*map(_CLAUSE.split, texts))]
        called = {*tokens(" ".join(self.match.players.values()))}
        strange = [
            each for each in clauses if not (courtesy(each) or called.issuperset(tokens(each)))
        ]
        # "nach Lale" says where to, and elsewhere "later"
        undoes = [
            each
            for each in filter(caveat, strange)
            if caveats_but(each, "later") or not self.names_things([Line(0, each)])
        ][:1]
        left = (*(unplaced or self.weighed.unplaced), *self.weighed.undone)
        known = {each: f" {each} {seated(self.match, each)} " for each in clauses}
        holds = (re.compile(rf"(?<!\w){re.escape(word)}(?!\w)") for word in left)
        outside = {next((c for c in known if each.search(known[c])), "") for each in holds}
        outside -= {each for each in outside if tokens(each) in phrases("requests", YES)}
        if some := [each for each in known if each in undoes or each in outside]:
            told = [each.strip(" .") for text in texts for each in hints.SENTENCE.split(text)]
            told = [each for each in told if not self.names_things([Line(0, each)])]
            whole = (
                next((long for long in told if each in undoes and each in long), each)
                for each in some
            )
            return [*dict.fromkeys(whole)]
        if left:
            return left
        idle = [each for each in strange if not self.names_things([Line(0, each)])]
        for clause in (*idle, *strange):
            rest = besides(clause, [*self._mentions([Line(0, clause)])])
            unknown = [each for each in rest if each not in idle_words()]
            if unknown or clause in idle:
                return unknown[:1] if len(strange) == len(unknown) == 1 else [clause]
        return [*strange, *texts][:1]

    def as_written(self, words: Iterable[str]) -> Sequence[str]:
        """Words of the message whole and as its writer wrote them: "M02" for "02", a player's name
        for their seat."""
        written = [each for line in self.new for each in _WORD.findall(line.text)]
        own = {long: {tokens(long), tokens(seated(self.match, long))} for long in written}

        def as_it_stands(word: str) -> str:
            alike = (long for long in own if tokens(word) in own[long] or word in long)
            return next(alike, word)

        return [*dict.fromkeys(map(as_it_stands, words))]

    @cached_property
    def picked(self) -> tuple[Line, Picked] | None:
        """The lines of an answer as one, and what they pick of what its writer was asked, by us or
        by the game; None if they pick nothing, or are an order that is no part of one of several
        that were offered."""
        message, asked = self.message, self.waiting.asked(*self.writer.seats)
        closings = (Line(each.line, each.text) for each in message.ignored if each.why == "closing")
        some = message.orders or ([*closings] if asked else [])
        if not some or message.fenced or self.seat == CHANCE:
            return None
        line = some[0]._replace(text="; ".join(each.text for each in some))
        seat = asked.seat if asked else self.seat
        offered = asked.orders if asked else asked_by_game(self.match, seat)
        if not offered or asking.wanted(line.text):
            return None
        own = () if self.lines.troubles else self.tried(self.lines.order).steps
        if moves := play.texts(self.match.game, own):
            several = asked is not None and len(offered) > 1 and moves not in offered
            whole = tuple(each for each in offered if several and {*moves} < {*each})
            orders = (*whole, moves) if whole[1:] else whole
            return (line, Picked(orders, whole=True)) if whole else None
        found = picked(Fitting(self.match, seat), line.text, offered)
        return (line, found) if found else None

    @property
    def asked_about(self) -> tuple[MoveTexts, ...]:
        """The orders its writer was asked about that hold all that it names; () if it denies or
        takes back something."""
        asked = self.waiting.asked(*self.writer.seats)
        text = "\n".join(line.text for line in self.new)
        if not asked or not text or (caveat(text) and not (puts_off(text) and self.names_things())):
            return ()
        some = ((each, hints.things_of(each)) for each in asked.orders)
        return tuple(each for each, held in some if not self.names_things(self.new, held))

    # --------------------------------------------------------------------- what it leaves open

    def meanings(self, parts: Lines) -> tuple[MoveTexts, ...]:
        """The few orders that lines may be, each read where it stands: behind those above it, and
        with any move that fits what it leaves open; () if nobody can tell, or there are many."""
        orders: tuple[MoveTexts, ...] = ((),)
        for line, patterns in parts:
            longer = (self._behind(each, line, patterns) for each in orders)
            orders = tuple(dict.fromkeys(chain.from_iterable(longer)))
            if len(orders) > hints.MOST_CHOICES:
                return ()
        return orders

    def then(self, order: MoveTexts, more: Line) -> tuple[MoveTexts, ...]:
        """The few orders that an order and what goes on behind it may be."""
        return self.meanings([(Line(0, ""), [*map(self.match.game.parse, order)]), (more, ())])

    def _behind(self, order: MoveTexts, line: Line, patterns: Sequence[Any]) -> Iterable[MoveTexts]:
        """An order with what the next line may add to it."""
        game = self.match.game
        before = [game.parse(text) for text in order]
        tried = self.tried([*before, *patterns])
        if isinstance(tried, play.Rejected):
            at, reason = tried.at - len(before), tried.reason
            known = reason.choices if isinstance(reason, Ambiguous) and not reason.more else ()
            known = () if any(isinstance(each, play.Choice) for each in patterns) else known
            forks = ((*patterns[:at], game.parse(each), *patterns[at + 1 :]) for each in known)
            return chain.from_iterable(self._behind(order, line, each) for each in forks)
        if patterns or tried.unplayed:
            moves = (*play.texts(game, tried.steps), *(each.said for each in tried.unplayed))
            return [moves] if patterns else []
        alone = not order and [(line, ())] == [*self.lines.lines]
        found = self.weighed if alone else self.together(order, [line])
        size = len(order)
        longer = [e for e in found.orders if found.is_offered and e[:size] == order and e[size:]]
        if longer:
            return longer
        short = hints.completions(Fitting(self.match, self.seat), tried.state, line.text)
        if short and short.rest:
            rest = [line._replace(text=short.rest)]
            return filter(None, (self.gone_on((*order, each), rest) for each in short.moves))
        if not (order or short) and (begun := self.begun):
            return self._behind(begun, line._replace(text=self.weighed.rest), ())
        return [(*order, each) for each in short.moves] if short else []

    def gone_on(self, order: MoveTexts, more: Sequence[Line]) -> MoveTexts:
        """The order with what these lines add to it, at its end or before its last move; () if
        they do not go on with it."""
        for last in (len(order), len(order) - 1):
            found = self.together(order[:last], more, order[last:])
            if found.plain:
                return found.orders[0] if len(found.orders[0]) > len(order) else ()
        return ()

    def together(self, order: MoveTexts, more: Sequence[Line], then: MoveTexts = ()) -> Weighed:
        """The orders that moves as they are written, and lines between them, may mean."""
        parse, between = self.match.game.parse, [(each, ()) for each in more]
        try:
            above, below = ([(Line(0, t), [parse(t)]) for t in some] for some in (order, then))
        except Unreadable:  # a plan
            return Weighed()
        return weighed(self.match, self.seat, [*above, *between, *below], fenced=then != ())

    # ---------------------------------------------------------------------------- is it talk?

    @cached_property
    def about(self) -> str:
        """The verb that it is about, in its writer's own words: see `about`. Days tell an
        absence."""
        return about(self.message) or (AWAY if self.days else "")

    @cached_property
    def days(self) -> AwayDates | None:
        """The days on which its writer seems to be away, whatever for: it names them, asks for
        nothing, and tells nothing of the game."""
        said = " ".join(each.text for each in self.new)
        if "?" in said or asking.wanted(said) or self.message.fenced or self.names_things():
            return None
        return dates(said, self.today[:10] or "2000-01-01")

    @property
    def ends(self) -> bool:
        """Is all it says, outside a block, that something is at an end, and no move as its game
        writes it? That may be the match."""
        if self.message.fenced or any(notated(self.match, line.text) for line in self.new):
            return False
        written = chain.from_iterable(tokens(line.text) for line in self.new)
        return (*written,) in phrases("requests", "ends")

    @cached_property
    def is_talk(self) -> bool:
        """Is no line of it an order, and can none be made out in it either? A wish may begin like
        a move: "take my last move back". Somebody who will be away may play before that, and
        somebody who wants no more mails may play in another line."""
        if self.picked or (self.names_things() and self.asked_about):
            return False
        message, verb = self.message, self.about
        if self.ends or self.weighed.put_off:
            return True
        wish = verb not in ("", AWAY, BOARD) and not message.fenced
        wish = wish and (verb != MAILS or len(self.new) == 1)
        wish = wish and not any(says(self.match, line) for line in self.new)
        if not (wish or chatter.for_a_person(self.match, message)):
            return False
        if wish and verb != MAILS and not self.names_things():
            return True  # "I'm done with this game" passes on nothing
        return not (self.proposes or stray_moves.beside_address(self.match, message, self.seat))

    @property
    def is_thanks(self) -> bool:
        """Does it hold nothing but thanks and the like? That asks nothing of anybody."""
        said, kinds = self.message, ("greeting", "closing", "question")
        lines = [*(each.text for each in self.new)]
        lines += [each.text for each in said.ignored if each.why in kinds]
        if said.fenced or said.attached or not (lines and all(map(asking.small_talk, lines))):
            return False
        moves = any(moves for _, moves in self.lines.lines) or self.may_name_moves(lines)
        left = self.match.vacant.issuperset(self.writer.seats)
        return not (moves or left or said.only_old or self.waiting.asked(*self.writer.seats))

    @cached_property
    def is_plea(self) -> bool:
        """Is what was not read as moves meant for a person?"""
        return is_plea(self.match, self.unread)

    @property
    def is_chat(self) -> bool:
        """Does it tell a person of things of the game, in prose: "Nice try with ELAI-HUNA! I'll
        send my move tonight"?"""
        lines = [] if self.message.fenced or not self.is_plea else self.unread
        return any(len(tokens(line.text)) > SHORT for line in lines) and self.names_things(lines)

    @property
    def names_deeds(self) -> bool:
        """Does it name anything that is done in the game: to build, to draw?"""
        return any(each.verbs for each in self._mentions(self.unread))

    @property
    def fits(self) -> bool:
        """Does all that it names fit several orders, or a single one of several moves?"""
        orders, doubted = self.weighed.orders, self.weighed.doubted
        long = not doubted and (len(orders) > 1 or any(each[1:] for each in orders))
        return orders != () and not self.weighed.unplaced and (self.weighed.rivals or long)

    @property
    def proposes(self) -> bool:
        """Can an order be made out in a message of which no line can be read as it stands?"""
        found, asks = self.weighed, any("?" in line.text for line in self.new)
        if self.fits or found.is_offered or (found.offence and not asks):
            return True
        if self.about not in ("", AWAY, BOARD):
            return False
        offers = found.orders or found.few
        known = frozenset[str]().union(*map(hints.things_of, offers))
        lacking = not found.clear and any(each.casefold() not in known for each in found.unplaced)
        if lacking or not offers:
            offers = (self.begun, *self.meanings(self.lines.lines))
        if not any(offers):
            return False
        sentences = chain(*(hints.SENTENCE.split(line.text) for line in self.new))
        stated = (each for each in sentences if not each.rstrip().endswith("?"))
        return any(map(self._may_order, chain(*map(_CLAUSE.split, stated))))

    def _may_order(self, clause: str) -> bool:
        """Does a clause say that something is done, or name what that is done with, and no more?
        "Nice move with COCO-KAHU" is praise, and what is said to others or of theirs is talk."""
        mentions = [*self._mentions([Line(0, clause)])]
        strange = {*besides(clause, mentions)} - idle_words()
        names = any(each.thing and not each.little for each in mentions)
        bare = names and not strange and not opens(clause, 2)
        others = speaks_to_others(clause) or of_others(clause)
        return not others and (bare or any(each.verbs for each in mentions))

    # ------------------------------------------------------------------------- what comes of it

    def answered(self, verdict: Verdict, after: Replay, why: Sentence | None = None) -> Answer:
        """The answer to a message that has been taken."""
        return self.turned_away(verdict, why, after=after)

    def refused(self, why: Sentence | None = None, **more: Any) -> Answer:
        """The answer to a message that is REFUSED."""
        return self.turned_away(Verdict.REFUSED, why, **more)

    def turned_away(self, verdict: Verdict, why: Sentence | None, **more: Any) -> Answer:
        """The answer to a message that changes nothing."""
        held: dict[str, Any] = {
            "before": self.match,
            "after": self.match,
            "submission": self.message,
            "writer": self.writer,
            "seat": self.seat,
        }
        return Answer(verdict=verdict, why=why, **(held | more))


def weighing(reading: Reading, read: ReadLines) -> Weighed:
    """The orders that a message may mean of which this was read; none if it speaks of plans, or
    pleads with a person, and none for a bare yes if it may be meant to take something back."""
    undoes = any(each.row.undoes for each in reading.message.requests)
    waits = any(plan.is_whole_plan(each.text) for each in read.troubles)
    if undoes or waits or read.plans or read.withdrawn or reading.seat == CHANCE:
        return Weighed()
    message = reading.message
    some, apart = read.lines or [(line, ()) for line in message.outside], lines.apart(message, read)
    found = weighed(reading.match, reading.seat, some, apart, fenced=message.fenced)
    if not is_clear(reading, read):
        found = found._replace(plain=False, sure=False, doubted=found.doubted or found.plain)
    if not found.plain and any(asking.nearly(each.text) for each in read.troubles):
        return Weighed()  # a slip for a verb
    texts = [line.text.rstrip() for line in reading.unread]
    said = [each for text in texts for each in hints.SENTENCE.split(text)]
    told = [Line(0, each) for each in said if not each.rstrip().endswith("?")]
    asks = any(each.endswith("?") for each in texts) and not reading.names_things(told)
    asks = reading.is_plea and (asks or any(map(asking.wanted, texts)))
    return found._replace(orders=(), few=(), rivals=False) if asks and not found.plain else found


def is_clear(reading: Reading, read: ReadLines) -> bool:
    """Is a message of which this was read not meant to take something back? A question beside it
    that names nothing, "How are you, Ben?", is not."""
    message = reading.message
    undoes = any(each.row.undoes for each in message.requests)
    waits = read.plans or any(
        plan.is_plan(each.text) or asking.in_pieces(each.text) for each in read.troubles
    )
    asked = all(each.text.endswith("?") and not caveat(each.text) for each in message.unexplained)
    if not asked or reading.names_things(message.unexplained):
        return False
    return not (waits or read.withdrawn or undoes or reading.seat == CHANCE)


def about(message: Submission) -> str:
    """The verb that a message is about, in its writer's own words; "" for none. What a machine may
    have added counts only if nothing else is said."""
    new = (*message.orders, *message.outside)
    notices = {each.line for each in message.ignored if each.why == "notice"}
    own = [line for line in new if line.number not in notices] or new
    return next(filter(None, (asking.mentioned(line.text) for line in own)), "")
