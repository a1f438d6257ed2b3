"""Everything that can be done with any game."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Final, Generic, NamedTuple, TypeVar

from pbem.core import (
    CHANCE,
    HIDDEN,
    NOBODY,
    Ambiguous,
    Event,
    Game,
    Move,
    Pattern,
    Refused,
    Seat,
    Unreadable,
    Violation,
    slots,
)
from pbem.sentence import say

S = TypeVar("S")


class Step(NamedTuple):
    """One ply: who chose what, and what followed.

    `sure` is False where the judgement rests on something the judging state did not know.
    """

    seat: Seat
    move: Move
    events: tuple[Event, ...]
    sure: bool = True


def require_asked(game: Game[S], state: S, seat: Seat, move: Move) -> None:
    """Is this seat asked for a move of this kind? Raises Violation."""
    pending = game.pending(state)
    for decision in pending:
        if decision.seat == seat and type(move) in decision.accepts:
            return
    if asked := [decision for decision in pending if decision.seat == seat]:
        if seat not in NOBODY:
            game.check(state, seat, move)  # `check` knows the rule that matters
        raise Violation(
            game.OUT_OF_TURN,
            "{said!r} doesn't answer what {seat:seat} is asked now: {kinds:any}",
            said=game.notate(move),
            seat=seat,
            kinds=[decision.kind for decision in asked],
        )
    if pending:
        others = tuple(dict.fromkeys(each.seat for each in pending if each.awaited))
        pattern = "It's {others:seats}'s turn, not {seat:seat}'s"
        if CHANCE in others:
            pattern = "It isn't {seat:seat}'s turn; something must be drawn first"
        raise Violation(game.OUT_OF_TURN, pattern, seat=seat, others=others)
    outcome = game.outcome(state)
    assert outcome is not None, "a match in which nobody is asked is over"
    raise Violation(outcome.why, "The match is over")


def judge(game: Game[S], state: S, seat: Seat, move: Move) -> Step:
    """The ply this move would be. Raises Violation."""
    require_asked(game, state, seat, move)
    sure = game.check(state, seat, move)
    return Step(seat, move, tuple(game.effects(state, seat, move)), sure)


def advance(game: Game[S], state: S, events: Iterable[Event]) -> S:
    """The state after these facts."""
    evolve = game.evolve
    for event in events:
        state = evolve(state, event)
    return state


def each_legal(
    game: Game[S], state: S, seat: Seat, fits: Callable[[Move], bool] | None = None
) -> Iterator[Move]:
    """What this seat may do now, one by one: the candidates that fit and that `check` passes."""
    check = game.check
    for decision in game.pending(state):
        if decision.seat == seat:
            for move in game.candidates(state, decision):
                if fits is None or fits(move):
                    try:
                        check(state, seat, move)
                    except Violation:
                        continue
                    yield move


def legal_moves(game: Game[S], state: S, seat: Seat) -> list[Move]:
    """Everything this seat may do now. [] if it is not asked."""
    return list(each_legal(game, state, seat))


class Moves(NamedTuple):
    """Canonical texts of moves, sorted; `complete` if these are all there are."""

    texts: tuple[str, ...]
    complete: bool


def legal_texts(
    game: Game[S], state: S, seat: Seat, *, starting: str = "", most: int | None = None
) -> Moves:
    """What this seat may do now, in writing: all of it, or the first `most` to be found."""
    texts: dict[str, None] = {}
    for move in each_legal(game, state, seat):
        text = game.notate(move)
        if text.startswith(starting) and text not in texts:
            if len(texts) == most:
                return Moves(tuple(sorted(texts)), False)
            texts[text] = None
    return Moves(tuple(sorted(texts)), True)


MOST_READINGS: Final = 12
"""How many readings of an ambiguous text are listed."""

MOST_REASONS: Final = 12
"""How many reasons are told, at most, if no alternative can be played."""

MOST_COUNTED: Final = 1000
"""How many moves are counted for people: a hand of many tiles allows for a hundred thousand."""


_NOTHING: Final = ("", (), None, HIDDEN)
"""What may stand in a blank without naming anything."""
_FITS_NOTHING: Final = "{said!r} fits nothing that {seat:seat} can play now"


def resolve(game: Game[S], state: S, seat: Seat, pattern: Pattern) -> Move:
    """The one legal move a pattern fits, or the first of several that are the `same`.

    Raises Ambiguous if it fits several. If it fits none, raises the Violation that `check` finds
    whatever is put into the blanks. If its words vary, only the rule is told, as nobody wrote what
    is put there; if the rule varies, too, raises Unreadable.
    A move that `check` passes must also be a candidate, unless the game has CHECK_DECIDES.
    """
    answers = {kind for d in game.pending(state) if d.seat == seat for kind in d.accepts}
    meant = next((move for move in pattern.readings if type(move) in answers), pattern.move)
    require_asked(game, state, seat, meant)
    if not pattern.is_open:
        sure = game.check(state, seat, meant)
        if sure and not getattr(game, "CHECK_DECIDES", False):
            asked = (d for d in game.pending(state) if d.seat == seat)
            if not any(meant == move for d in asked for move in game.candidates(state, d)):
                raise Unreadable(pattern.said, _FITS_NOTHING, said=pattern.said, seat=seat)
        return meant
    legal = each_legal(game, state, seat, pattern.fits)
    fitting = list(islice(legal, MOST_COUNTED + 1))
    same = getattr(game, "same", None)
    if fitting:
        first, *others = fitting
        if not others or (same and all(same(state, first, each) for each in others)):
            return first
        texts = sorted(map(game.notate, fitting[:MOST_COUNTED]))
        uncounted = len(fitting) > MOST_COUNTED
        more = len(texts[MOST_READINGS:])
        raise Ambiguous(pattern.said, tuple(texts[:MOST_READINGS]), more, uncounted)
    reason, *reasons = (
        _refusal(game, state, seat, move)
        for move in _filled(game, state, seat, meant, pattern.blanks)
    )
    if reason is None:
        raise Unreadable(
            pattern.said,
            "{said!r} leaves something open that this position does not settle",
            advice=say("Write it in full, like {example!r}", example=game.notate(meant)),
            said=pattern.said,
        )
    told: dict[str, Any] = {"said": pattern.said, "seat": seat}
    if any(each is None or each.rule != reason.rule for each in reasons):
        raise Unreadable(pattern.said, _FITS_NOTHING, **told)
    unsaid = any(value in _NOTHING for value in reason.sentence.values.values())
    if unsaid or any(str(each) != str(reason) for each in reasons):
        raise Violation(reason.rule, _FITS_NOTHING, **told)
    raise reason


def _refusal(game: Game[S], state: S, seat: Seat, move: Move) -> Violation | None:
    try:
        game.check(state, seat, move)
    except Violation as refusal:
        return refusal
    return None


def _filled(
    game: Game[S], state: S, seat: Seat, move: Move, blanks: Collection[str]
) -> Iterator[Move]:
    """A move, and a few with other values in its blanks: from those their domain lists, or from
    those of candidates. A blank that is empty or HIDDEN names nothing: `check` sees that, and a
    refusal that would name it is told in other words."""
    kind: Any = type(move)
    yield move
    # Another reading may have blanks that this kind of move lacks.
    values = (getattr(move, slot.name) for slot in slots(kind) if slot.name in blanks)
    if any(value in _NOTHING for value in values):
        return
    asked = (each for each in game.pending(state) if each.seat == seat)
    candidates = (each for decision in asked for each in game.candidates(state, decision))
    alike = [each for each in islice(candidates, MOST_COUNTED) if type(each) is kind]
    found = {
        slot.name: slot.of.values or [getattr(each, slot.name) for each in alike]
        for slot in slots(kind)
        if slot.name in blanks
    }
    if all(found.values()):
        for part in (0, 1, 2):
            chosen = {name: them[part * (len(them) - 1) // 2] for name, them in found.items()}
            yield kind(*(chosen.get(slot.name, getattr(move, slot.name)) for slot in slots(kind)))


class Choice(NamedTuple):
    """Alternatives as somebody wrote them: the first that can be played as a whole counts."""

    said: str
    orders: tuple[tuple[Pattern, ...], ...]


Order = Sequence[Pattern | Choice]


class Accepted(NamedTuple, Generic[S]):
    """The plies played, the state they lead to, and what lay beyond the horizon: the first
    point at which another seat, chance included, must choose. `passed` are the alternatives that
    stood before one that was played, each with the reason against it."""

    steps: tuple[Step, ...]
    state: S
    unplayed: tuple[Pattern | Choice, ...]
    passed: tuple[tuple[str, Refused], ...] = ()


class Rejected(NamedTuple):
    """Nothing was played: what stands at index `at` was refused, after `steps` would have been
    played. `unclear` if moves could be played, but nobody knows which of them were meant."""

    at: int
    reason: Refused
    steps: tuple[Step, ...] = ()
    unclear: bool = False


def adjudicate(game: Game[S], state: S, seat: Seat, order: Order) -> Accepted[S] | Rejected:
    """Judge an order move by move: all or nothing, up to the horizon.

    What stands behind the move that ended the turn is not dropped if it would have been in time
    before that move, or in its place: nobody knows what was meant, so the order is refused. Only
    RIDERS, which ride on the move they follow, are simply played before it.
    """
    order = _riders_first(game, order)
    verdict = _in_order(game, state, seat, order)
    if isinstance(verdict, Rejected) or not (verdict.steps and verdict.unplayed):
        return verdict
    others = [decision.seat for decision in game.pending(verdict.state) if decision.awaited]
    last = len(order) - len(verdict.unplayed) - 1
    if not others or isinstance(order[last], Choice):
        return verdict  # nobody is left to wait for
    in_time = (*order[:last], *order[last + 1 :], order[last])
    sooner = _in_order(game, state, seat, in_time) if {*NOBODY}.isdisjoint(others) else None
    if not isinstance(sooner, Accepted) or sooner.unplayed:
        return _one_of_two(game, state, seat, verdict, order[last], last + 1) or verdict
    reason = Violation(
        game.OUT_OF_TURN,
        "After {last} {said!r} comes too late. If you mean both, write: {order}",
        last=order[last].said,
        said=order[last + 1].said,
        order="; ".join(each.said for each in in_time),
    )
    return Rejected(last + 1, reason, verdict.steps, unclear=True)


def _one_of_two(
    game: Game[S], state: S, seat: Seat, verdict: Accepted[S], last: Pattern | Choice, at: int
) -> Rejected | None:
    """Why nobody knows which of two moves is meant: the last that could be played ended the turn,
    and the first different one behind it answers the same question; the rest begins `at` this place
    in the order. None if this is not the case."""
    *before, played = verdict.steps
    for rest in verdict.unplayed:
        behind = [each[0] for each in rest.orders] if isinstance(rest, Choice) else [rest]
        if not any(pattern.fits(played.move) for pattern in behind):
            break
        at += 1
    else:
        return None  # the same once more
    if not _is_over(game, verdict.state, seat):
        return None
    for step in before:
        state = advance(game, state, step.events)
    answers = {kind for d in game.pending(state) if d.seat == seat for kind in d.accepts}
    if answers.isdisjoint(type(move) for pattern in behind for move in pattern.readings):
        return None
    reason = Violation(
        game.OUT_OF_TURN,
        "{last} ends the turn, and {said!r} stands behind it. Send the one you mean",
        last=last.said,
        said=rest.said,
    )
    return Rejected(at, reason, verdict.steps, unclear=True)


def _is_over(game: Game[S], state: S, seat: Seat, draws: int = 2) -> bool:
    """Is a seat's turn over, not just interrupted: now, or after this many draws, whatever they
    bring?"""
    pending = [each for each in game.pending(state) if each.awaited]
    if not pending or any(seat in (each.seat, each.during) for each in pending):
        return False
    drawing = {each.seat for each in pending}.intersection(NOBODY)
    after = [
        advance(game, state, judge(game, state, each, move).events)
        for each in drawing
        for move in islice(each_legal(game, state, each), MOST_READINGS if draws else 0)
    ]
    return not drawing or (after != [] and all(_is_over(game, s, seat, draws - 1) for s in after))


def texts(game: Game[S], steps: Iterable[Step]) -> tuple[str, ...]:
    """The moves of plies, as they are written."""
    return tuple(game.notate(step.move) for step in steps)


def ends_turn(game: Game[S], state: S, seat: Seat, texts: Iterable[str]) -> bool:
    """Could these moves be played, and would this seat then have nothing more to say? Not if one of
    them is no move, such as a plan."""
    try:
        verdict = adjudicate(game, state, seat, [game.parse(text) for text in texts])
    except Unreadable:
        return False
    return isinstance(verdict, Accepted) and all(
        each.seat != seat for each in game.pending(verdict.state)
    )


def _riders_first(game: Game[S], order: Order) -> Order:
    """The same order, with whatever rides on a move put before that move."""
    riders: tuple[type[Move], ...] = getattr(game, "RIDERS", ())
    found: list[Pattern | Choice] = []
    carrier = 0  # the place of the last move that something may ride on
    for each in order:
        if isinstance(each, Pattern) and type(each.move) in riders:
            found.insert(carrier, each)
            carrier += 1
        else:
            carrier = len(found)
            found.append(each)
    return found


def _in_order(game: Game[S], state: S, seat: Seat, order: Order) -> Accepted[S] | Rejected:
    steps: tuple[Step, ...] = ()
    passed: tuple[tuple[str, Refused], ...] = ()
    for index, each in enumerate(order):
        if steps and not any(decision.seat == seat for decision in game.pending(state)):
            return Accepted(steps, state, tuple(order[index:]), passed)
        if isinstance(each, Choice):
            taken = _first_playable(game, state, seat, each)
            if isinstance(taken, Rejected):
                return Rejected(index, taken.reason, steps)
            steps, state, passed = (*steps, *taken.steps), taken.state, (*passed, *taken.passed)
            if taken.unplayed:
                return Accepted(steps, state, (*taken.unplayed, *order[index + 1 :]), passed)
            continue
        try:
            step = judge(game, state, seat, resolve(game, state, seat, each))
        except Refused as reason:
            return Rejected(index, reason, steps)
        steps = (*steps, step)
        state = advance(game, state, step.events)
    return Accepted(steps, state, (), passed)


def _first_playable(game: Game[S], state: S, seat: Seat, choice: Choice) -> Accepted[S] | Rejected:
    """The first alternative that can be played. One that could mean several moves is asked about,
    not passed over."""
    refused: list[Refused] = []
    for order in choice.orders:
        verdict = adjudicate(game, state, seat, order)
        if isinstance(verdict, Accepted):
            said = ("; ".join(pattern.said for pattern in each) for each in choice.orders)
            return verdict._replace(passed=tuple(zip(said, refused, strict=False)))
        if verdict.unclear or isinstance(verdict.reason, Ambiguous):
            return verdict
        refused.append(verdict.reason)
    if len(refused) == 1:
        return Rejected(0, refused[0])
    first, *others = {str(each): each for each in refused}.values()
    why = say("{refusal}", refusal=first)
    for each in others[: MOST_REASONS - 1]:
        why = say("{why}; {refusal}", why=why, refusal=each)
    rules = (each.rule for each in refused if isinstance(each, Violation))
    rule = next(rules, game.OUT_OF_TURN)
    return Rejected(0, Violation(rule, "None of these can be played: {why}", why=why))


def perft(game: Game[S], state: S, depth: int) -> int:
    """How many sequences of `depth` plies there are from here, chance included."""
    if depth == 0:
        return 1
    total = 0
    for seat in dict.fromkeys(decision.seat for decision in game.pending(state)):
        for move in legal_moves(game, state, seat):
            events = judge(game, state, seat, move).events
            total += perft(game, advance(game, state, events), depth - 1)
    return total


def forced_in_public(game: Game[S], known: S, seat: Seat) -> bool:
    """Can a spectator know that there is only one thing this seat can do?

    If the seat holds only one card that fits, they cannot: that would tell what else it holds.
    """
    forced = getattr(game, "forced", None)
    if forced is not None and forced(known):
        return True
    if len([each for each in game.pending(known) if each.seat == seat]) != 1:
        return False
    moves = legal_texts(game, known, seat, most=1)
    if not moves.complete or len(moves.texts) != 1:
        return False
    [move] = legal_moves(game, known, seat)
    return judge(game, known, seat, move).sure
