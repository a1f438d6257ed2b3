"""The laws of play: decisions, moves, notation, events, chance, over matches played at random."""

from __future__ import annotations

import itertools
import math
import random
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, pairwise
from typing import Any, Final

from pbem.core import CHANCE, HOUSE, NOBODY, SEAT, Domain, Move, Refused, Seat, slots
from pbem.files import data
from pbem.play import judge as play
from pbem.report import render
from pbem.report.facts import Awaited
from pbem.rules.reading import fold
from pbem.sentence import say
from pbem.testing.findings import at, of
from pbem.testing.law import Laws, Wrong
from pbem.testing.laws_of_text import writable
from pbem.testing.random_matches import Played, PlayedPly
from pbem.testing.sayings import phrase_of

LAWS: Final = Laws()
MOST_OF_A_KIND: Final = 2000
MOST_OF_A_POOL: Final = 60
"""How many moves of a kind that were seen elsewhere are tried, and how many mixtures of them."""
MOST_SEEN: Final = 5
"""How many legal moves of each position are remembered."""


@LAWS("outcome")
def a_match_ends_and_says_how(match: Played, plies: int) -> Iterator[Wrong]:
    game, seats = match.game, set(match.setup.seats)
    end = game.outcome(match.end)
    if end is None:
        yield say("{match} is over, and it has no outcome", match=match)
        return
    rules = {rule["id"] for rule in data.game_file(game.DATA, "rules")}
    if not set(end.winners) <= seats or set(end.scores) != seats:
        yield say(
            "{match}: winners {winners} and scores for {scored}; expected seats of {seats}",
            match=match,
            winners=end.winners,
            scored=sorted(end.scores),
            seats=sorted(seats),
        )
    if end.why not in rules:
        yield say("{why} is no rule of rules.yaml", why=end.why)
    if any(game.outcome(ply.state) is not None for ply in match.plies):
        yield say("{match} has an outcome before its end", match=match)


@LAWS("outcome")
def who_is_level_with_a_winner_wins_too_or_by_another_rule(
    played: Sequence[Played], plies: int
) -> Iterator[Wrong]:
    """A rule by which the best score wins, or the least, does so in every match: it does not tell
    two apart who are level, nor let another win; another rule does."""
    clear, other = dict[str, set[int]](), dict[tuple[str, int], tuple[Played, list[Seat]]]()
    for match in played:
        if not (end := match.game.outcome(match.end)) or not {*end.winners} & {*end.scores}:
            continue
        won = [end.scores[seat] for seat in end.winners if seat in end.scores]
        for sign in (1, -1):
            worst = min(sign * score for score in won)
            lost = {seat: sign * n for seat, n in end.scores.items() if seat not in end.winners}
            if no_worse := [seat for seat, score in lost.items() if score >= worst]:
                other.setdefault((end.why, sign), (match, no_worse))
            elif lost:
                clear.setdefault(end.why, set()).add(sign)
    for why, signs in clear.items():
        if all((why, sign) in other for sign in signs):
            match, seats = other[why, max(signs)]
            says = (
                "{match}: {seats:all} has no worse a score than who wins by {rule}; cite the rule "
                "that decides"
            )
            yield say(says, match=match, seats=seats, rule=why)


@LAWS("standing", plies=20, together=True)
def who_stands_best_wins_no_less_often_than_by_chance(
    played: Sequence[Played], plies: int
) -> Iterator[Wrong]:
    """Right before the end, in matches in which somebody stands best: so much less often as luck
    alone would have it once in two hundred times. Each seat stands somewhere at any time."""
    won, chance, spread, judged = 0.0, 0.0, 0.0, 0
    for match in played:
        game, seats = match.game, match.setup.seats
        if not hasattr(game, "standing"):
            return
        for ply in (*match.some(plies), match.plies[-1]):
            points = game.standing(ply.state)
            if {*points} != {*seats}:
                yield say(
                    "{match}: it tells of {told:all}, and {seats:all} play",
                    match=match,
                    told=[*points] or ["-"],
                    seats=seats,
                )
                return
        best = {seat for seat in seats if points[seat] == max(points.values())}
        if len(best) < len(seats) and (end := game.outcome(match.end)):
            luck = len(end.winners) / len(seats)
            won += len(best & {*end.winners}) / len(best)
            chance, spread, judged = chance + luck, spread + luck * (1 - luck), judged + 1
    if won < chance - _RARELY * math.sqrt(spread):
        says = (
            "who stands best before the end wins {won:.0f} of {n} matches; by chance alone it "
            "would be {chance:.0f}"
        )
        yield say(says, won=won, n=judged, chance=chance)


_RARELY: Final = 2.6
"""As many standard deviations below what is expected luck falls once in two hundred times."""


@LAWS("parts")
def rounds_and_tricks_only_go_on(played: Sequence[Played], plies: int) -> Iterator[Wrong]:
    """And in some match they do, or a plan "until round 2" is never over."""
    told = [
        [(parts.get("round", 0), parts.get("trick", 0)) for parts in map(match.game.parts, states)]
        for match in played
        if hasattr(match.game, "parts")
        for states in [[ply.state for ply in match.plies] + [match.end]]
    ]
    for here, then in chain.from_iterable(map(pairwise, told)):
        if then < here:
            yield say("{here} comes after {last}", here=then, last=here)
            return
    if told and len({here for each in told for here in each}) == 1:
        yield say("it is {here} in all matches, from the first ply to the last", here=told[0][0])


@LAWS("forced")
def what_is_said_to_be_forced_leaves_one_legal_move(
    match: Played, ply: PlayedPly
) -> Iterator[Wrong]:
    game = match.game
    if not hasattr(game, "forced"):
        return
    seats = {each.seat for each in game.pending(ply.state)} - {*NOBODY}
    if len(seats) == 1 and game.forced(ply.state):
        [seat] = seats
        legal = play.legal_moves(game, ply.state, seat)
        if len(legal) != 1:
            yield say(
                "{seat} is said to have no choice, and has {n} moves", seat=seat, n=len(legal)
            )


@LAWS("candidates")
def every_decision_has_a_legal_move_of_a_kind_it_accepts(
    match: Played, ply: PlayedPly
) -> Iterator[Wrong]:
    game = match.game
    for decision in game.pending(ply.state):
        legal = play.legal_moves(game, ply.state, decision.seat)
        if not any(type(move) in decision.accepts for move in legal):
            yield say(
                "{kind} asks {seat}, but no candidate answers it",
                kind=decision.kind,
                seat=decision.seat,
            )
        if len({*legal}) < len(legal):
            again = next(move for nth, move in enumerate(legal) if move in legal[:nth])
            yield say("{move} is a candidate twice", move=game.notate(again))
        if decision.seat == HOUSE and len(legal) > 1:
            yield say(
                "{kind} gives the house {n} moves, and it chooses nothing",
                kind=decision.kind,
                n=len(legal),
            )
        if decision.default is not None:
            try:
                play.judge(game, ply.state, decision.seat, decision.default)
            except Refused as refusal:
                says = "the default of {kind} is not legal: {refusal}"
                yield of(game, "pending", says, kind=decision.kind, refusal=refusal)


def undecided(game: Any, played: Iterable[Played]) -> tuple[str, ...]:
    """The kinds of decision that an awaited seat came to without a default."""
    asked = (d for match in played for ply in match.plies for d in game.pending(ply.state))
    bare = (d.kind for d in asked if d.default is None and d.awaited and d.seat not in NOBODY)
    return tuple(dict.fromkeys(bare))


@LAWS("KINDS")
def every_decision_is_of_a_kind_that_is_listed(
    played: Sequence[Played], plies: int
) -> Iterator[Wrong]:
    """And answered by what KINDS says; in all matches, as some kinds seldom come."""
    asked = dict.fromkeys(
        (match.game, each.kind, each.accepts, each.seat in NOBODY)
        for match in played
        for ply in match.plies
        for each in match.game.pending(ply.state)
    )
    for match in played[:1]:
        waits = getattr(match.game, "WAITS", ())
        for kind in undecided(match.game, played):
            if kind not in waits:
                says = (
                    "{kind} has no default: nobody can be played for there; where that is on "
                    "purpose, WAITS names it"
                )
                yield of(match.game, "pending", says, kind=kind)
    for game, kind, accepts, nobody in asked:
        if strange := sorted(each.__name__ for each in {*accepts} - {*game.MOVES}):
            yield of(
                game,
                "pending",
                "{kind} accepts {strange}, which is not in MOVES",
                kind=kind,
                strange=strange,
            )
        listed = getattr(game, "KINDS", {kind: accepts}).get(kind, ())
        if not nobody and listed != accepts:
            mine, told = ([each.__name__ for each in kinds] for kinds in (accepts, listed))
            says = "{kind} is answered by {accepts!r}, and KINDS says {told!r}"
            yield say(says, kind=kind, accepts=mine, told=told)


@LAWS("WORDS")
def every_move_in_words_has_one_of_the_words(
    played: Sequence[Played], plies: int
) -> Iterator[Wrong]:
    """Whatever was played, and whatever can be written of the kinds of move that answer a question:
    some seldom come."""
    game: Any = played[0].game
    answers = {kind for kinds in getattr(game, "KINDS", {}).values() for kind in kinds}
    moves = [move for move in every_move(game, played[0].setup.seats) if type(move) in answers]
    moves += [p.step.move for match in played for p in match.plies if p.seat not in NOBODY]
    for said in dict.fromkeys(map(game.notate, moves)):
        words = {*re.findall(r"[^\W\d_]{3,}", fold(said))}
        if words and words.isdisjoint(getattr(game, "WORDS", words)):
            yield say("{said!r} has none of WORDS, and counts as chat", said=said)
            return


@LAWS("pending")
def a_question_that_still_stands_has_no_new_answers(
    match: Played, ply: PlayedPly
) -> Iterator[Wrong]:
    """Whoever answers a post that asked several has seen everything there is to choose from.

    Others may have taken some of it meanwhile, as in an auction: `check` knows.
    """
    game = match.game
    mover = ply.step.seat
    if mover in NOBODY:
        return
    after = play.advance(game, ply.state, ply.step.events)
    for decision in game.pending(ply.state):
        if decision.seat in (mover, *NOBODY):
            continue
        if [d for d in game.pending(after) if d.seat == decision.seat] != [decision]:
            continue
        before = play.legal_moves(game, ply.state, decision.seat)
        if not {*play.legal_moves(game, after, decision.seat)} <= {*before}:
            yield say(
                "{kind} still asks {seat} after a move of {mover}, but has new answers: "
                "let `about` say what they rest on",
                kind=decision.kind,
                seat=decision.seat,
                mover=mover,
            )


@LAWS("effects")
def no_event_comes_twice_for_nothing(match: Played, ply: PlayedPly) -> Iterator[Wrong]:
    """What has come about is told once, or everybody reads it twice."""
    game, state = match.game, ply.state
    for nth, event in enumerate(ply.step.events):
        after = game.evolve(state, event)
        if event in ply.step.events[:nth] and game.view(after) == game.view(state):
            says = "{move!r} brings about {event!r} twice, and the second time nothing changes"
            yield say(says, move=game.notate(ply.step.move), event=event)
        state = after


@LAWS("effects")
def what_rides_on_a_move_leaves_it_to_be_played(match: Played, ply: PlayedPly) -> Iterator[Wrong]:
    game = match.game
    seat, move = ply.step.seat, ply.step.move
    if type(move) not in getattr(game, "RIDERS", ()):
        return
    after = play.advance(game, ply.state, ply.step.events)
    if not any(decision.seat == seat for decision in game.pending(after)):
        yield say(
            "{text!r} is one of RIDERS, and after it {seat} has no move to play",
            text=game.notate(move),
            seat=seat,
        )


@LAWS("pending", matches=4)
def every_decision_is_asked_in_a_sentence(match: Played, plies: int) -> Iterator[Wrong]:
    game, names = match.game, {seat: f"<{seat}>" for seat in match.setup.seats}
    asked = dict.fromkeys(
        (each.seat, each.kind, tuple(each.about.items()), each.during)
        for ply in match.some(plies)
        for each in game.pending(ply.state)
        if each.seat != HOUSE  # nobody is asked
    )
    known, kinds = render.phrases(game, "questions"), dict[str, str]()
    for seat, kind, about, during in asked:
        if kind.replace("-", "_") not in known:
            yield say(
                "questions.j2 has no macro {macro} for the decision {kind!r}",
                macro=kind.replace("-", "_"),
                kind=kind,
            )
            continue
        awaited = Awaited(seat, kind, dict(about), None, during)
        [(question, _)] = render.asked(game, [awaited], names)
        told = seat == CHANCE or f"<{seat}>" in question or "you" in question
        if not told or not re.fullmatch(r".{8,}[.?]", question):
            says = "questions.j2 asks {question!r}; expected a sentence that names {seat}"
            yield at(phrase_of(game, "questions", kind), says, question=question, seat=seat)
        if seat != CHANCE and (other := kinds.setdefault(question, kind)) != kind:
            says = "questions.j2 asks {question!r} for {other}, too: nobody can tell which it is"
            place = phrase_of(game, "questions", kind)
            yield at(place, says, question=question, other=other)


@LAWS("chances", matches=2)
def what_chance_may_bring_is_counted(match: Played, ply: PlayedPly) -> Iterator[Wrong]:
    """In as many ways as there are cards of that name: as many as the game says are unseen, or one
    of each that is hidden. Moves of several cards are not judged."""
    game = match.game
    if ply.seat != CHANCE:
        return
    left = game.unseen(ply.state) if hasattr(game, "unseen") else None
    by_kind: dict[Any, list[tuple[Move, int, int]]] = {}
    for move in play.legal_moves(game, ply.state, CHANCE):
        ways = game.chances(ply.state, move)
        if ways <= 0:
            yield say("{move} can come in no way", move=game.notate(move))
        cards = names_of_cards(game, left, type(move))
        if len(cards) == 1:
            unseen = 1 if left is None else left.get(getattr(move, cards[0]), 0)
            by_kind.setdefault(type(move), []).append((move, ways, unseen))
    for (one, ways, there), *others in by_kind.values():
        for other, its_ways, its_there in others:
            if ways * its_there != its_ways * there:
                yield say(
                    "{one} comes in {ways} ways and {other} in {its_ways}, and there are {there} "
                    "and {its_there} of these cards unseen",
                    one=game.notate(one),
                    ways=ways,
                    other=game.notate(other),
                    its_ways=its_ways,
                    there=there,
                    its_there=its_there,
                )
                break


def names_of_cards(game: Any, left: Mapping[str, int] | None, kind: type[Move]) -> list[str]:
    """The fields of a move of chance that name cards: those that can be unseen, if the game says
    what can, or else those that are secret. Of two domains that share words, cards are those of a
    secret: a die may show what a card is called."""
    if left is None:
        return [each.name for each in slots(kind) if each.secret]
    records: tuple[Any, ...] = (*game.MOVES, *game.EVENTS)
    sealed = [s.of for each in records for s in slots(each) if s.secret and _listed(left, s.of)]
    return [
        each.name
        for each in slots(kind)
        if _listed(left, each.of)
        and all(each.of is of or {*of.values}.isdisjoint(each.of.values) for of in sealed)
    ]


def _listed(left: Mapping[str, int], of: Domain) -> bool:
    return not left.keys().isdisjoint(of.values)


def judged(game: Any, ply: PlayedPly) -> bool:
    """Can a law tell in how many ways chance may bring this move? Not of dice."""
    left = game.unseen(ply.state) if hasattr(game, "unseen") else None
    kind = type(ply.step.move)
    return not slots(kind) or bool(names_of_cards(game, left, kind))


@LAWS("same", matches=2)
def moves_said_to_be_the_same_lead_to_the_same(match: Played, ply: PlayedPly) -> Iterator[Wrong]:
    game, state = match.game, ply.state
    if not hasattr(game, "same"):
        return
    legal = play.legal_moves(game, state, ply.seat)[:MOST_OF_A_POOL]
    for other in legal:
        alike = game.same(state, ply.step.move, other)
        if alike != game.same(state, other, ply.step.move):
            yield say(
                "{one} is the same as {other}, it says, but not the other way round",
                one=game.notate(ply.step.move if alike else other),
                other=game.notate(other if alike else ply.step.move),
            )
        if not alike:
            continue
        after = play.advance(game, state, tuple(game.effects(state, ply.seat, other)))
        due = play.advance(game, state, ply.step.events)
        if (game.view(after), game.pending(after)) != (game.view(due), game.pending(due)):
            yield say(
                "{one} and {other} are said to be the same, and lead to different positions",
                one=game.notate(ply.step.move),
                other=game.notate(other),
            )


@LAWS("candidates", matches=4, plies=30)
def the_candidates_are_complete(played: Sequence[Played], plies: int) -> Iterator[Wrong]:
    """Brute force: no move that can be written, or that was possible elsewhere, is legal but not a
    candidate, unless the game says CHECK_DECIDES. This also shows `check` moves of every kind."""
    if not played or getattr(played[0].game, "CHECK_DECIDES", False):
        return
    pool = _seen(played, plies)
    for match in played:
        game = match.game
        hashable: Any = game
        tried = frozenset((*every_move(hashable, match.setup.seats), *pool))
        for ply in match.some(plies):
            candidates = tried.intersection(play.legal_moves(game, ply.state, ply.seat))
            asked = game.pending(ply.state)
            kinds = {kind for each in asked if each.seat == ply.seat for kind in each.accepts}
            legal = {move for move in tried if _stands(game, ply, kinds, move)}
            for move in sorted(candidates ^ legal, key=game.notate):
                yield say(
                    "{move} is legal for {seat} as check says, but is not among the candidates of "
                    "its decision, or the other way round; where that is on purpose, say "
                    "CHECK_DECIDES = True",
                    move=game.notate(move),
                    seat=ply.seat,
                )


def _stands(game: Any, ply: PlayedPly, kinds: Collection[type[Move]], move: Move) -> bool:
    """Is a move legal if these kinds are asked for? A player's move is checked even if it is of
    another kind, because `check` might fall over it."""
    asked = type(move) in kinds
    if not asked and ply.seat in NOBODY:
        return False
    try:
        game.check(ply.state, ply.seat, move)
    except Refused:
        return False
    return asked


def _seen(played: Sequence[Played], plies: int) -> list[Move]:
    """Moves that were played, or were legal, somewhere in these matches, and others that take a
    field from one of them and the rest from another: fleets on land, castling out of check."""
    game, rng = played[0].game, random.Random(0)
    seen: dict[Move, None] = {}
    for match in played:
        for ply in match.some(plies):
            legal = play.legal_moves(match.game, ply.state, ply.seat)
            seen.update(dict.fromkeys(rng.sample(legal, min(len(legal), MOST_SEEN))))
        seen.update(dict.fromkeys(ply.step.move for ply in match.plies))
    by_kind: dict[Any, list[Move]] = {}
    for move in seen:
        by_kind.setdefault(type(move), []).append(move)
    found: list[Move] = []
    for kind, moves in by_kind.items():
        found += rng.sample(moves, min(len(moves), MOST_OF_A_POOL))
        names = [slot.name for slot in slots(kind)]
        for _ in range(MOST_OF_A_POOL if len(names) > 1 else 0):
            one, other, name = rng.choice(moves), rng.choice(moves), rng.choice(names)
            values = (getattr(other if each == name else one, each) for each in names)
            if writable(game, mixture := kind(*values)):
                found.append(mixture)
    return found


@cache
def every_move(game: Any, seats: tuple[Seat, ...]) -> tuple[Move, ...]:
    """Every move that can be written down, from the values its fields may take.

    A kind with a field that cannot be listed, or with too many combinations, is left to the tests
    of its own game.
    """
    moves: list[Move] = []
    for kind in game.MOVES:
        values = [seats if slot.of is SEAT else slot.of.values for slot in slots(kind)]
        if math.prod(map(len, values)) <= MOST_OF_A_KIND:
            moves += itertools.starmap(kind, itertools.product(*values))
    return tuple(moves)
