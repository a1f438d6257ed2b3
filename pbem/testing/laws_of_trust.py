"""The laws that make blind trust needless: what is sealed tells nothing, every reader can work out
what they can see, and the same question has the same answer each time."""

from __future__ import annotations

import itertools
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from pbem.core import HIDDEN, MOVER, SEAT, Domain, Event, Move, Seat, mask, slots
from pbem.log.audit import agree
from pbem.play import codec
from pbem.play import judge as play
from pbem.play.positions import leaves
from pbem.sentence import Sentence, say
from pbem.testing.findings import Finding, of
from pbem.testing.law import Laws, Wrong
from pbem.testing.random_matches import Played, PlayedPly

LAWS: Final = Laws()
MOST_ALIKE: Final = 4
"""With how many moves that are sealed alike, at most, a move that was played is compared."""

MOST_LEGAL: Final = 500
"""Among how many legal moves those are looked for."""

AGAIN = 100
"""How often each question is asked."""
PATIENCE: Final = 2.0
"""How many seconds this may take in one position, for all questions together."""


@LAWS("effects", plies=30)
def moves_that_are_sealed_alike_look_alike(match: Played, ply: PlayedPly) -> Iterator[Wrong]:
    """Whichever card or order is hidden, nobody else can tell from the move or from what follows,
    except by what events of OPENS tell of what was hidden."""
    game, seats = match.game, match.setup.seats
    opens = tuple(getattr(game, "OPENS", ()))
    sealed = mask(ply.step.move, None, ply.seat, seats)
    if sealed == ply.step.move:
        return
    if HIDDEN not in (text := game.notate(sealed)).split():
        says = "it writes {text!r} where something is hidden; expected ? as a word of its own"
        yield of(game, "notate", says, text=text)
    legal = play.legal_moves(game, ply.state, ply.seat)[:MOST_LEGAL]
    for reader in (None, *seats):
        move = mask(ply.step.move, reader, ply.seat, seats)
        if move == ply.step.move:
            continue
        alike = [
            other
            for other in legal
            if other != ply.step.move and mask(other, reader, ply.seat, seats) == move
        ]
        for other in alike[:: -(-len(alike) // MOST_ALIKE) or 1]:
            told = [
                [mask(event, reader, ply.seat, seats) for event in events]
                for events in (ply.step.events, game.effects(ply.state, ply.seat, other))
            ]
            if len(told[0]) != len(told[1]):  # more was opened, or less
                told = [[e for e in events if not isinstance(e, opens)] for events in told]
            if differs := _difference(game, opens, *told):
                yield say(
                    "{reader} cannot see whether {seat} plays {one!r} or {other!r}, and "
                    "sees it by {told}; seal it, or declare in OPENS what opens it",
                    reader=reader or "a spectator",
                    seat=ply.seat,
                    one=game.notate(ply.step.move),
                    other=game.notate(other),
                    told=differs,
                )


def _difference(
    game: Any, opens: tuple[type[Event], ...], one: Sequence[Event], other: Sequence[Event]
) -> str:
    """The first event that differs, with the field that does; "" if none does but for what is
    opened: an event of OPENS in place of one that tells nothing, or what it tells of a secret."""
    secrets = _secrets(game)
    for mine, theirs in itertools.zip_longest(one, other):
        opened = [isinstance(each, opens) for each in (mine, theirs)]
        if mine is None or theirs is None or type(mine) is not type(theirs):
            if any(opened):
                continue
            return type(mine if mine is not None else theirs).__name__
        for each in slots(type(mine)):
            secret = opened[0] and any(each.of is domain for domain in secrets)
            if not secret and getattr(mine, each.name) != getattr(theirs, each.name):
                return f"{type(mine).__name__}.{each.name}"
    return ""


@LAWS("effects", plies=30)
def every_reader_works_out_what_follows_as_far_as_they_can_see(
    match: Played, ply: PlayedPly, known: Any, reader: Seat | None
) -> Iterator[Wrong]:
    """What `verify` tells a reader with no key, or with a seat's: each move they can read brings
    about what the log says. An event that depends on what is hidden must be in OPENS."""
    game, seats, step = match.game, match.setup.seats, ply.step
    opens = tuple(getattr(game, "OPENS", ()))
    if (seen := mask(step.move, reader, ply.seat, seats)) != step.move:
        game.effects(known, ply.seat, seen)  # what it gives is taken as logged, but it must give it
        return
    told, move = reader or "a spectator", game.notate(step.move)
    again = tuple(game.effects(known, ply.seat, step.move))
    logged = [mask(event, reader, ply.seat, seats) for event in step.events]
    if not agree(again, logged, opens) or _told_more(again, logged, opens):
        yield say(
            "{reader} works out that {move!r} brings about {mine}, and the log says {theirs}; what "
            "opens what was hidden stands in OPENS, and what follows from it is a step of the "
            "house",
            reader=told,
            move=move,
            mine=_in_words(again),
            theirs=_in_words(logged),
        )


def opening_nothing(played: Sequence[Played], plies: int) -> Iterator[Finding]:
    """What stands in OPENS, and who knows least could always work it out: they take it on trust for
    nothing. One variant alone may have no secrets, so these are matches of all."""
    met = Counter[type[Event]]()
    open_to_all = {*getattr(played[0].game, "OPENS", ())} if played else set()
    for match in played if open_to_all else ():
        for known, ply in match.known_to(None, plies):
            if opening := [each for each in ply.step.events if type(each) in open_to_all]:
                move = mask(ply.step.move, None, ply.seat, match.setup.seats)
                mine = match.game.effects(known, ply.seat, move)
                open_to_all -= {type(each) for each in opening if each not in mine}
                met.update(map(type, opening))
    for kind in open_to_all:
        if met[kind] >= _ENOUGH:
            says = "{kind} stands in OPENS, and opened nothing all {n} times: leave it out"
            yield of(played[0].game, "OPENS", says, kind=kind.__name__, n=met[kind])


_ENOUGH: Final = 8
"""How often an event of OPENS must come, for anything to be said of it."""


@LAWS("effects", matches=4)
def what_is_opened_is_what_was_sealed(match: Played, plies: int) -> Iterator[Wrong]:
    """Of each seat nothing is opened that it has not seen: in what it was told, or at the start."""
    game, seats = match.game, match.setup.seats
    opens = tuple(getattr(game, "OPENS", ()))
    secret = _secrets(game)
    seen = {seat: {*leaves(game.view(game.start(match.setup)))} for seat in seats}
    for ply in match.plies if opens else ():
        records: list[Any] = [ply.step.move, *ply.step.events]
        for record in records:
            fields = [(each, getattr(record, each.name)) for each in slots(type(record))]
            named = [value for each, value in fields if each.of is SEAT and value in seats]
            for each, value in fields if isinstance(record, opens) else ():
                hidden = each.secret is None and any(each.of is domain for domain in secret)
                if hidden and not any({*leaves(value)} <= seen[seat] for seat in named or seats):
                    yield of(
                        game,
                        "effects",
                        "ply {n}, {move!r}, opens {value!r} of {seats:all}, and that was never "
                        "sealed: {event}",
                        n=ply.nth,
                        move=game.notate(ply.step.move),
                        value=value,
                        seats=named or seats,
                        event=_in_words([record]),
                    )
            for seat in seats:
                mine: Any = mask(record, seat, ply.seat, seats)
                seen[seat].update(leaves([getattr(mine, each.name) for each, _ in fields]))


def _secrets(game: Any) -> list[Domain]:
    """The domains of all secrets."""
    return [each.of for kind in (*game.MOVES, *game.EVENTS) for each in slots(kind) if each.secret]


@LAWS("effects")
def what_all_choose_at_once_is_opened_when_all_have_chosen(
    match: Played, ply: PlayedPly
) -> Iterator[Wrong]:
    """Nobody who has yet to choose in secret sees what others chose."""
    game, opens = match.game, tuple(getattr(match.game, "OPENS", ()))
    opened = [s.of for e in ply.step.events if isinstance(e, opens) for s in slots(type(e))]
    secret = {
        kind
        for kind in game.MOVES
        for slot in slots(kind)
        if slot.secret == MOVER and any(slot.of is each for each in opened)
    }
    if not secret:
        return
    after = game.pending(play.advance(game, ply.state, ply.step.events))
    for each in game.pending(ply.state):
        yet = each.awaited and each.seat != ply.seat and each in after
        if yet and not secret.isdisjoint(each.accepts):
            says = "{move!r} opens what others chose, and {seat} has yet to choose"
            yield say(says, move=game.notate(ply.step.move), seat=each.seat)


@LAWS("pending")
def an_answer_is_sealed_where_another_would_be(match: Played, ply: PlayedPly) -> Iterator[Wrong]:
    """Of a question that others have yet to answer: an open answer tells them that it is none of
    those under seal. A ply that leaves its seat asked the same, as an order before `done`, is no
    whole answer."""
    game, seat, move = match.game, ply.seat, ply.step.move
    asked = [each for each in game.pending(ply.state) if each.awaited]
    kinds = {each.kind for each in asked if each.seat == seat and type(move) in each.accepts}
    others = [each for each in asked if each.kind in kinds and each.seat != seat]
    kept = {k for e in others for k in e.accepts if any(s.secret == MOVER for s in slots(k))}
    if not kept or type(move) in kept:
        return

    def answers(move: Move) -> bool:
        after = play.advance(game, ply.state, tuple(game.effects(ply.state, seat, move)))
        return not any(
            e.awaited and e.seat == seat and e.kind in kinds for e in game.pending(after)
        )

    legal = {type(each): each for each in play.legal_moves(game, ply.state, seat)}
    whole = [each for kind, each in legal.items() if kind in kept and answers(each)]
    if whole and answers(move):
        yield say(
            "{move!r} stands open, and {other!r} would be sealed, while others are asked for "
            "{kinds:all}: seal each answer, and so the default",
            move=game.notate(move),
            other=game.notate(whole[0]),
            kinds=kinds,
        )


def _told_more(
    again: Sequence[Event], logged: Sequence[Event], opens: tuple[type[Event], ...]
) -> bool:
    """Does the log tell what its reader cannot know, in an event that opens nothing?"""
    mine, theirs = ([e for e in events if type(e) not in opens] for events in (again, logged))
    return any(
        getattr(own, each.name) != getattr(told, each.name)
        and HIDDEN in leaves(getattr(own, each.name))
        for own, told in zip(mine, theirs, strict=False)
        for each in slots(type(own))
    )


def _in_words(events: Sequence[Event]) -> str:
    """Events as the author of a game reads them: their words and fields."""
    plain = (each for event in events for each in codec.to_plain(event).items())
    return "; ".join(f"{name} {list(fields.values())}" for name, fields in plain) or "nothing"


# ------------------------------------------------------------------------------ each time


@LAWS("view", matches=2, plies=6)
def the_same_question_has_the_same_answer_each_time(match: Played, plies: int) -> Iterator[Wrong]:
    """At once, after everything else has been asked, and the hundredth time: nothing is remembered
    between calls, and looking at a state does not change it."""
    plies_of = match.some(plies)
    first = [[ask(match, ply) for ask in ASKED.values()] for ply in plies_of]
    for ply, answers in reversed([*zip(plies_of, first, strict=True)]):
        for (name, ask), answer in zip(ASKED.items(), answers, strict=True):
            if ask(match, ply) != answer:
                yield _fickle(match, ply, name, say("once other states were looked at"))
    for ply in plies_of[-1:]:
        for name, ask in ASKED.items():
            answer, until = ask(match, ply), time.perf_counter() + PATIENCE / len(ASKED)
            for nth in range(2, AGAIN + 1):
                if ask(match, ply) != answer:
                    yield _fickle(match, ply, name, say("at call {nth}", nth=nth))
                    break
                if time.perf_counter() > until:
                    break


def _fickle(match: Played, ply: PlayedPly, name: str, when: Sentence) -> Finding:
    return of(
        match.game,
        name,
        "{name} answers otherwise {when}, in the position before {move!r}",
        name=name,
        when=when,
        move=match.game.notate(ply.step.move),
    )


def _after(match: Played, ply: PlayedPly) -> Any:
    """What the state after a ply looks like, and what the one before it looks like by then."""
    after = play.advance(match.game, ply.state, ply.step.events)
    return match.game.view(after), match.game.pending(after), match.game.view(ply.state)


def _set_up(match: Played, ply: PlayedPly) -> Any:
    return match.game.view(match.game.position(match.setup, match.game.view(ply.state)))


def _legal(match: Played, ply: PlayedPly) -> list[Move]:
    return play.legal_moves(match.game, ply.state, ply.seat)


def _surely(match: Played, ply: PlayedPly) -> bool:
    return match.game.check(ply.state, ply.seat, ply.step.move)


def _read(match: Played, ply: PlayedPly) -> Any:
    text = match.game.notate(ply.step.move)
    return None if HIDDEN in text.split() else match.game.parse(text)


def _of_the_state(name: str, match: Played, ply: PlayedPly) -> Any:
    """What a function that a game may do without says; in its order, which a bot goes by."""
    told = getattr(match.game, name, lambda state: None)(ply.state)
    return [*told.items()] if isinstance(told, Mapping) else told


ASKED: Final[dict[str, Callable[[Played, PlayedPly], Any]]] = {
    "view": lambda match, ply: match.game.view(ply.state),
    "pending": lambda match, ply: match.game.pending(ply.state),
    "candidates": _legal,
    "check": _surely,
    "effects": lambda match, ply: tuple(match.game.effects(ply.state, ply.seat, ply.step.move)),
    "evolve": _after,
    "outcome": lambda match, ply: [match.game.outcome(s) for s in (ply.state, match.end)],
    "notate": lambda match, ply: match.game.notate(ply.step.move),
    "parse": _read,
    "position": _set_up,
    "draw": lambda match, ply: match.game.draw(match.game.view(ply.state)),
    **{name: partial(_of_the_state, name) for name in ("parts", "unseen", "standing", "forced")},
}
"""What is asked of a game, by the function that answers."""
