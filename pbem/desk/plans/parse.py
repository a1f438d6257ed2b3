"""Reading a plan in a match: whose move it waits for, which question it answers, what it plays.

What could never be read, or never be played, is refused when it is sent: nobody is there to be
asked when its time has come.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from pbem.core import (
    HIDDEN,
    MOVER,
    Ambiguous,
    Decision,
    Event,
    Move,
    Pattern,
    Refused,
    Seat,
    Unreadable,
    Usage,
    slots,
)
from pbem.desk import meaning
from pbem.desk.plans import patterns
from pbem.desk.plans.model import Plan
from pbem.desk.plans.patterns import ANY
from pbem.intake import plan as syntax
from pbem.intake.plan import Draft
from pbem.log import sealing, turns
from pbem.log.match import Match
from pbem.play.judge import Choice
from pbem.sentence import Sentence, say

_LITTLE: Final = frozenset("at to of on for with about after the von bei zu nach mit".split())


class ReadPlan(NamedTuple):
    """A plan as a match understands it: how it is written, and what it plays."""

    draft: Draft
    choice: Choice
    awaits: Pattern | None = None

    @property
    def begins(self) -> set[type[Move]]:
        """The classes of move with which its orders begin."""
        return {type(order[0].move) for order in self.choice.orders}

    def answers(self, decision: Decision) -> bool:
        """Is this the question that a standing answer is for?"""
        kind, *about = self.draft.about.split()
        known = {str(value).casefold() for value in decision.about.values()}
        known.add(decision.during or "")
        return kind == decision.kind and all(word.casefold() in known for word in about)

    def waits_for(self, now: Match, seat: Seat, move: str) -> bool:
        """Is this move of a seat, as everybody reads it, the one that is waited for?"""
        if self.draft.who not in ("", seat):
            return False
        if self.awaits is None:
            return patterns.is_like(move, self.draft.pattern)
        try:
            return self.awaits.fits(now.game.parse(move).move)
        except Unreadable:
            return False

    def may_wait_for(self, now: Match, kinds: Iterable[type[Move]]) -> bool:
        """Can the move that is waited for be of one of these classes?"""
        if self.awaits is not None:
            return type(self.awaits.move) in kinds
        return any(patterns.may_fit(now, kind, self.draft.pattern) for kind in kinds)


class Unsealing(NamedTuple):
    """The entry that opened what was sealed, and the moves it opened, each with its seat."""

    nth: int
    moves: tuple[tuple[Seat, str], ...]


# ------------------------------------------------------------------------------ on arrival


def played(now: Match, line: str) -> Sequence[Pattern | Choice]:
    """What a line of an order plays: moves, or alternatives. Raises Unreadable."""
    orders = syntax.alternatives(line)
    if len(orders) < 2:
        return _order(now, line)
    if len(line) > syntax.LONGEST:
        raise Unreadable(
            line[:80],
            "A line with alternatives has at most {most} characters; this one has {size}",
            most=syntax.LONGEST,
            size=len(line),
        )
    return [Choice(line, tuple(tuple(_order(now, order)) for order in orders))]


def filed(now: Match, seat: Seat, line: str, today: str) -> Plan:
    """The plan that a line of a seat's message is, not yet numbered. Raises Refused."""
    found, refused = dict[str, ReadPlan](), list[Refused]()
    for draft in syntax.read(line):
        try:
            each = _read(now, seat, draft)
            _require_possible(now, seat, each, today)
            found[each.draft.text] = each
        except Refused as refusal:
            refused.append(refusal)
    if len(found) > 1:
        raise Ambiguous(line, tuple(found))
    if not found:
        raise refused[0] if refused else Unreadable(line, "This plan lacks its order")
    [text] = found
    if len(text) > syntax.LONGEST:
        raise Unreadable(
            line[:80],
            "Written in full a plan has at most {most} characters; this one has {size}",
            advice=say("Write several plans, each on a line of its own"),
            most=syntax.LONGEST,
            size=len(text),
        )
    return Plan(seat, (text,), given=now.log.chain, ends=ends(now, found[text].draft.until))


def understood(now: Match, plan: Plan) -> ReadPlan | None:
    """A plan that waits, read again; None if it can no longer be read, as after a mended rule."""
    for draft in syntax.read(plan.text):
        try:
            return _read(now, plan.seat, draft)
        except Refused:
            continue
    return None


def ends(now: Match, until: str) -> str:
    """The part of the match in which it is now and with which a plan ends; "" for no such end."""
    parts = parts_of(now)
    if until == "trick" and until in parts:
        return f"{parts.get('round', 0)}.{parts[until]}"
    return str(parts[until]) if until in parts else ""


def parts_of(now: Match) -> Mapping[str, int]:
    """The number of the round and of the trick, where the game has such."""
    parts = getattr(now.game, "parts", None)
    return parts(now.state) if parts else {}


# ---------------------------------------------------------------------------------- its parts


def _read(now: Match, seat: Seat, draft: Draft) -> ReadPlan:
    """What a draft means in a match. Raises Refused."""
    orders = tuple(tuple(_order(now, order)) for order in draft.orders)
    texts = tuple("; ".join(_written(now, move) for move in order) for order in orders)
    draft = draft._replace(orders=texts)
    awaits = None
    if draft.kind == "always":
        draft = draft._replace(about=_about(now, draft))
        if not draft.until:
            draft = draft._replace(until="round" if "round" in parts_of(now) else "end")
    elif draft.kind == "if":
        if len(syntax.alternatives(draft.pattern)) > 1:
            raise Unreadable(
                draft.pattern,
                "A condition waits for one move, not for several",
                advice=say("Write a plan for each, on a line of its own, or `*` for any move"),
            )
        pattern = " ".join(meaning.seated(now, draft.pattern).split())
        if ANY not in pattern:
            [awaits, *more] = meaning.patterns(now, pattern)
            if more:
                raise Unreadable(draft.pattern, "A condition waits for one move, not for several")
            pattern = _written(now, awaits)
        draft = draft._replace(who=_who(now, seat, draft.who), pattern=pattern)
    return ReadPlan(draft, Choice(draft.text, orders), awaits)


def _order(now: Match, text: str) -> list[Pattern]:
    """The moves of an order in one line. Raises Unreadable."""
    found: list[Pattern] = []
    for move in filter(None, (piece.strip() for piece in text.split(";"))):
        found += meaning.patterns(now, move)
    if not found:
        raise Unreadable(text, "There is no move here")
    return found


def _written(now: Match, pattern: Pattern) -> str:
    """A move as it is written: what was left open stays open."""
    if pattern.is_open:
        return " ".join(meaning.seated(now, pattern.said).split())
    return now.game.notate(pattern.move)


def _who(now: Match, seat: Seat, said: str) -> Seat:
    """The seat that is meant; "" for anyone. Raises Refused."""
    if not said:
        return ""
    called = {name: each for each, name in now.players.items()}
    known = {**called, **{each: each for each in now.setup.seats}}
    meant = {known[name] for name in _meant(said, known)}
    if len(meant) > 1:
        raise Ambiguous(said, tuple(sorted(meant)))
    if not meant:
        raise Unreadable(
            said,
            "{said!r} plays no seat of this match",
            advice=say("Write {seats:any}, or anyone", seats=now.setup.seats),
            said=said[:60],
        )
    [who] = meant
    if who == seat:
        raise Unreadable(said, "A condition waits for somebody else's move, not for your own")
    return who


def _about(now: Match, draft: Draft) -> str:
    """The kind of question, with what it is about. Raises Refused."""
    word, *about = meaning.seated(now, draft.about).split()
    kinds = kinds_of(now)
    meant = _meant(word, kinds)
    if len(meant) > 1:
        raise Ambiguous(word, tuple(meant))
    if not meant and kinds:
        raise Unreadable(
            draft.about,
            "Nobody is asked for {word!r} in {game}",
            advice=_nearest(word, kinds) or say("Write one of {kinds:any}", kinds=[*kinds]),
            word=word[:60],
            game=now.game.TITLE,
        )
    about = [each for each in about if each.casefold() not in _LITTLE]
    return " ".join([*(meant or [word.casefold()]), *about])


def kinds_of(now: Match) -> Mapping[str, tuple[type[Move], ...]]:
    """What a game asks, and what answers it; {} where it does not say."""
    found: Mapping[str, tuple[type[Move], ...]] = getattr(now.game, "KINDS", {})
    return found


def _meant(said: str, known: Iterable[str]) -> list[str]:
    """What is called so, or else what begins so."""
    plain = {each: each.casefold() for each in known}
    exact = [each for each, name in plain.items() if name == said.casefold()]
    return exact or [each for each, name in plain.items() if name.startswith(said.casefold())]


def _nearest(word: str, known: Iterable[str]) -> Sentence | None:
    from difflib import get_close_matches

    close = get_close_matches(word.casefold(), [*known], n=3, cutoff=0.6)
    return say("Did you mean {words:any}?", words=close) if close else None


# ------------------------------------------------------------------- what can never be played


def _require_possible(now: Match, seat: Seat, plan: ReadPlan, today: str) -> None:
    """Raises Refused for a plan that can never be played."""
    _require_an_end(now, plan.draft, today)
    kinds = kinds_of(now)
    if plan.draft.kind == "always":
        kind, *about = plan.draft.about.split()
        _require_subjects(now, kind, about)
        for order in plan.choice.orders:
            said = "; ".join(_written(now, move) for move in order)
            if len(order) > 1:
                raise Unreadable(said, "A standing answer is one move; this is {n}", n=len(order))
            if kinds and type(order[0].move) not in kinds[kind]:
                raise Unreadable(said, "{said!r} never answers {kind}", said=said, kind=kind)
        return
    players = {answer for answers in kinds.values() for answer in answers}
    for order in plan.choice.orders:
        if players and type(order[0].move) not in players:
            said = _written(now, order[0])
            raise Unreadable(said, "Chance plays {said!r}, not you", said=said)
    if plan.draft.kind == "if":
        _require_a_pattern(now, plan, players)


def _require_subjects(now: Match, kind: str, about: Iterable[str]) -> None:
    """Raises Unreadable for a word that no question can be about: no seat, number or value of the
    game."""
    classes = (*now.game.MOVES, *now.game.EVENTS)
    known = {str(value) for each in classes for slot in slots(each) for value in slot.of.values}
    known |= {str(value) for each in now.pending for value in each.about.values()}
    known |= set(now.setup.seats)
    plain = {word.casefold() for word in known}
    for word in about:
        if not (word.isdecimal() or word.casefold() in plain):
            raise Unreadable(
                word,
                "No {kind} is ever about {word!r}",
                advice=_nearest(word, known)
                or say("Leave it out, or write {seats:any}", seats=now.setup.seats),
                kind=kind,
                word=word[:60],
            )


def _require_an_end(now: Match, draft: Draft, today: str) -> None:
    until = draft.until
    if until in ("round", "trick") and until not in parts_of(now):
        raise Unreadable(until, "{game} has no such part: {part}", game=now.game.TITLE, part=until)
    if until.startswith("#") and now.position.ply >= int(until[1:]):
        raise Unreadable(
            until, "{until} is past; the match is at {now}", until=until, now=now.position
        )
    if until[:1].isdigit() and until < date_of(now, today):
        raise Unreadable(until, "{until} is past", until=until)


def date_of(now: Match, at: str) -> str:
    """The date at a moment: in the zone of the match, in UTC where it has none or nobody knows
    it."""
    settings = now.log.so_far().timing.settings
    if not (settings and at):
        return at[:10]
    from pbem.log.clock import day_of

    try:
        return day_of(at, settings.zone).isoformat()
    except Usage:
        return at[:10]


def _require_opened(now: Match, plan: ReadPlan, shut: set[type[Move]]) -> None:
    """Raises Unreadable for a move that nobody seals, or that is never opened."""
    if not plan.may_wait_for(now, shut) or not _opens(now):
        said = plan.draft.pattern
        raise Unreadable(
            said,
            "{said!r} is never sealed and opened later",
            advice=say("Write `plays` in place of `opens`"),
            said=said,
        )


def _opens(now: Match) -> tuple[type[Event], ...]:
    found: tuple[type[Event], ...] = getattr(now.game, "OPENS", ())
    return found


def opened(now: Match) -> Unsealing | None:
    """What was last opened of what had been sealed; None before anything was. Only what the events
    of the opening tell counts: what they leave out stays unknown to all."""
    kinds = _opens(now)
    at = [n for n, (_, events) in enumerate(now.plies) if any(isinstance(e, kinds) for e in events)]
    if not at:
        return None
    first = at[-2] + 1 if len(at) > 1 else 0
    ply, events = now.plies[at[-1]]
    told = [
        {getattr(e, slot.name) for slot in slots(type(e))} for e in events if isinstance(e, kinds)
    ]
    moves = list[tuple[Seat, str]]()
    for sent, _ in now.plies[first : at[-1] + 1]:
        text = sealing.whole_move(sent, now.keyring, now.log) if sent.whole else None
        if text is None:
            continue
        move = now.game.parse(text).move
        values = {getattr(move, each.name) for each in slots(type(move)) if each.secret == MOVER}
        if any({sent.seat, *values} <= each for each in told):
            moves.append((sent.seat, text))
    return Unsealing(ply.nth, tuple(moves))


def _require_a_pattern(now: Match, plan: ReadPlan, players: set[type[Move]]) -> None:
    """Raises Unreadable for a move nobody will ever be seen to play."""
    said, awaits = plan.draft.pattern, plan.awaits
    if HIDDEN in said:
        raise Unreadable(said, "What you see as {hidden} never counts as a move", hidden=HIDDEN)
    shut = _stay_sealed(now)
    if plan.draft.opened:
        _require_opened(now, plan, shut)
        return
    if awaits is None:
        if players and not plan.may_wait_for(now, players - shut):
            if shut:
                raise _sealed(said)
            words = {word for kind in players for word in _words(now, kind)}
            advice = _nearest(said.split()[0], words)
            if words and not advice:
                advice = say("Moves have words like {words:any}", words=sorted(words)[:12])
            raise Unreadable(
                said, "No move is ever written like {said!r}", advice=advice, said=said
            )
        return
    if type(awaits.move) in shut:
        raise _sealed(said)
    if players and type(awaits.move) not in players:
        raise Unreadable(said, "Chance plays {said!r}, not a player", said=said)
    for slot in slots(type(awaits.move)):
        if slot.secret == MOVER and slot.name not in awaits.blanks:
            verb, _, rest = said.partition(" ")
            raise Unreadable(
                said,
                "You never see {rest!r} of {said!r}",
                advice=say("Write `{verb} {any}`", verb=verb, any=ANY),
                rest=rest,
                said=said,
            )


def _stay_sealed(now: Match) -> set[type[Move]]:
    """The classes of move of which all stays sealed until it is opened with those of others."""
    shut = {
        kind
        for kind in now.game.MOVES
        if slots(kind) and all(slot.secret == MOVER for slot in slots(kind))
    }
    if not shut:
        return shut
    return {
        kind
        for asked in turns.decisions(now)
        for kind in shut
        if len({each.seat for each in asked if kind in each.accepts}) > 1
    }


def sealed(now: Match) -> set[str]:
    """What everybody sees of moves that stay sealed: nobody's plan waits for them."""
    shut = _stay_sealed(now)
    return {now.game.notate(kind(*(HIDDEN for _ in slots(kind)))) for kind in shut}


def _sealed(said: str) -> Unreadable:
    return Unreadable(
        said, "No plan can wait for {said!r}: orders stay sealed until all are opened", said=said
    )


def _words(now: Match, kind: type[Move]) -> Iterator[str]:
    """The words that moves of a class are written with."""
    for text in patterns.samples(now, kind):
        yield from (word for word in text.split()[:1] if len(word) > 1 and word.isalpha())
