"""The laws every game obeys, over matches played at random.

A law looks at the matches of one variant and yields what breaks it.
"""

from __future__ import annotations

import itertools
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from pbem.core import (
    CHANCE,
    HIDDEN,
    SEAT,
    Faulty,
    Move,
    Problem,
    Record,
    Refused,
    Seat,
    Unreadable,
    owners,
    slots,
)
from pbem.desk.simulate import simulate
from pbem.files import data, yamlio
from pbem.log.match import Match
from pbem.play import codec
from pbem.play import judge as play
from pbem.play.judge import Step
from pbem.report import compose, render
from pbem.report.escape import DIALECTS
from pbem.report.facts import NARROW, WIDTH, Awaited
from pbem.sentence import Sentence, say
from pbem.testing.findings import Finding, of
from pbem.testing.random_matches import Played

MOST_OF_A_KIND: Final = 2000

Holds = Callable[[Sequence[Played], int], Iterator[Finding]]


class Law(NamedTuple):
    """A law, which function of a game is looked at first where it is broken, and in how many
    matches of a variant and plies of a match pytest looks (0: in all)."""

    name: str
    holds: Holds
    subject: str
    matches: int
    plies: int


LAWS: Final[list[Law]] = []


def law(subject: str, *, matches: int = 0, plies: int = 0) -> Callable[[Holds], Holds]:
    """Enter a law into the list."""

    def entered(holds: Holds) -> Holds:
        LAWS.append(Law(holds.__name__, holds, subject, matches, plies))
        return holds

    return entered


@law("outcome")
def a_match_ends_and_says_how(played: Sequence[Played], plies: int) -> Iterator[Finding]:
    for match in played:
        game, seats = match.game, set(match.setup.seats)
        end = game.outcome(match.end)
        if end is None:
            yield of(game, "outcome", "{match} is over, and it has no outcome", match=match)
            continue
        rules = {rule["id"] for rule in data.game_file(game.DATA, "rules")}
        if not set(end.winners) <= seats or set(end.scores) != seats:
            yield of(
                game,
                "outcome",
                "{match}: winners {winners} and scores for {scored}; expected seats of {seats}",
                match=match,
                winners=end.winners,
                scored=sorted(end.scores),
                seats=sorted(seats),
            )
        if end.why not in rules:
            yield of(game, "outcome", "{why} is no rule of rules.yaml", why=end.why)
        if any(game.outcome(ply.state) is not None for ply in match.plies):
            yield of(game, "outcome", "{match} has an outcome before its end", match=match)


@law("parts")
def rounds_and_tricks_only_go_on(played: Sequence[Played], plies: int) -> Iterator[Finding]:
    for match in played:
        game, last = match.game, (0, 0)
        if not hasattr(game, "parts"):
            return
        for ply in match.plies:
            parts = game.parts(ply.state)
            here = (parts.get("round", 0), parts.get("trick", 0))
            if here < last:
                yield of(game, "parts", "{here} comes after {last}", here=here, last=last)
            last = here


@law("forced")
def what_is_said_to_be_forced_leaves_one_legal_move(
    played: Sequence[Played], plies: int
) -> Iterator[Finding]:
    for match in played:
        game = match.game
        if not hasattr(game, "forced"):
            return
        for ply in match.some(plies):
            seats = {each.seat for each in game.pending(ply.state)} - {CHANCE}
            if len(seats) == 1 and game.forced(ply.state):
                [seat] = seats
                legal = play.legal_moves(game, ply.state, seat)
                if len(legal) != 1:
                    yield of(
                        game,
                        "forced",
                        "{seat} is said to have no choice, and has {n} moves",
                        seat=seat,
                        n=len(legal),
                    )


@law("candidates")
def every_decision_has_a_legal_move_of_a_kind_it_accepts(
    played: Sequence[Played], plies: int
) -> Iterator[Finding]:
    for match in played:
        game = match.game
        for ply in match.some(plies):
            for decision in game.pending(ply.state):
                if strange := set(decision.accepts) - set(game.MOVES):
                    yield of(
                        game,
                        "pending",
                        "{kind} accepts {strange}, which is not in MOVES",
                        kind=decision.kind,
                        strange=sorted(kind.__name__ for kind in strange),
                    )
                known = getattr(game, "KINDS", {decision.kind: decision.accepts})
                if decision.seat != CHANCE and known.get(decision.kind) != decision.accepts:
                    yield of(
                        game,
                        "KINDS",
                        "{kind} is answered by {accepts}, and KINDS says {told}",
                        kind=decision.kind,
                        accepts=[each.__name__ for each in decision.accepts],
                        told=[each.__name__ for each in known.get(decision.kind, ())],
                    )
                legal = play.legal_moves(game, ply.state, decision.seat)
                if not any(type(move) in decision.accepts for move in legal):
                    yield of(
                        game,
                        "candidates",
                        "{kind} asks {seat}, but no candidate answers it",
                        kind=decision.kind,
                        seat=decision.seat,
                    )
                if decision.default is not None:
                    try:
                        play.judge(game, ply.state, decision.seat, decision.default)
                    except Refused as refusal:
                        yield of(
                            game,
                            "pending",
                            "the default of {kind} is not legal: {refusal}",
                            kind=decision.kind,
                            refusal=refusal,
                        )


@law("pending")
def a_question_that_still_stands_has_the_same_answers(
    played: Sequence[Played], plies: int
) -> Iterator[Finding]:
    """So whoever answers the post in which several were asked is not too late."""
    for match in played:
        game = match.game
        for ply in match.some(plies):
            mover = ply.step.seat
            if mover == CHANCE:
                continue
            after = play.advance(game, ply.state, ply.step.events)
            for decision in game.pending(ply.state):
                if decision.seat in (mover, CHANCE):
                    continue
                if [d for d in game.pending(after) if d.seat == decision.seat] != [decision]:
                    continue
                before = play.legal_moves(game, ply.state, decision.seat)
                if play.legal_moves(game, after, decision.seat) != before:
                    yield of(
                        game,
                        "pending",
                        "{kind} still asks {seat} after a move of {mover}, but has other answers",
                        kind=decision.kind,
                        seat=decision.seat,
                        mover=mover,
                    )


@law("pending", matches=4)
def every_decision_is_asked_in_a_sentence(
    played: Sequence[Played], plies: int
) -> Iterator[Finding]:
    for match in played:
        game, names = match.game, {seat: f"<{seat}>" for seat in match.setup.seats}
        asked = dict.fromkeys(
            (each.seat, each.kind, tuple(each.about.items()), each.during)
            for ply in match.some(plies)
            for each in game.pending(ply.state)
        )
        known = render.phrases(game.NAME, "questions", compose.own_templates(game))
        for seat, kind, about, during in asked:
            if kind.replace("-", "_") not in known:
                yield of(
                    game,
                    "pending",
                    "questions.j2 has no macro {macro} for the decision {kind!r}",
                    macro=kind.replace("-", "_"),
                    kind=kind,
                )
                continue
            awaited = Awaited(seat, kind, dict(about), None, during)
            [question] = render.questions(
                game.NAME, [awaited], names, folder=compose.own_templates(game)
            )
            told = seat == CHANCE or f"<{seat}>" in question or "you" in question
            if not told or not re.fullmatch(r".{8,}[.?]", question):
                yield of(
                    game,
                    "pending",
                    "questions.j2 asks {question!r}; expected a sentence that names {seat}",
                    question=question,
                    seat=seat,
                )


@law("parse", matches=4, plies=100)
def the_notation_of_a_legal_move_is_read_back(
    played: Sequence[Played], plies: int
) -> Iterator[Finding]:
    for match in played:
        game = match.game
        for ply in match.some(plies):
            for move in play.legal_moves(game, ply.state, ply.seat):
                said = game.notate(move)
                try:
                    pattern = game.parse(said)
                    again = play.resolve(game, ply.state, ply.seat, pattern)
                    louder = game.parse(said.upper())
                except Refused as refusal:
                    yield of(
                        game,
                        "parse",
                        "{said!r} is {move}: {refusal}",
                        said=said,
                        move=move,
                        refusal=refusal,
                    )
                    continue
                if not pattern.fits(move) or again != move or not louder.fits(move):
                    yield of(
                        game,
                        "parse",
                        "{said!r} is notated for {move} and read as {again}",
                        said=said,
                        move=move,
                        again=again if again != move else louder.move,
                    )


_STRANGE: Final = ("", " ", "?", "{x}", "{0}", "%s", "hello", "hello there", "-", "3", "Ä ß", "\\")


@law("parse", matches=1, plies=20)
def what_is_no_move_is_unreadable(played: Sequence[Played], plies: int) -> Iterator[Finding]:
    for match in played:
        game = match.game
        texts = {game.notate(ply.step.move) for ply in match.some(plies)}
        spoiled = {f"{text} {extra}" for text in texts for extra in ("{x}", "nonsense")}
        for text in (*_STRANGE, *sorted(spoiled)):
            try:
                game.parse(text)
            except Unreadable as refusal:
                if not refusal.message:
                    yield of(game, "parse", "{text!r} is refused without a word", text=text)


@law("EVENTS", matches=4)
def what_is_logged_is_read_back(played: Sequence[Played], plies: int) -> Iterator[Finding]:
    for match in played:
        game = match.game
        for ply in match.some(plies):
            for event in ply.step.events:
                plain = codec.to_plain(event, ply.seat, match.setup.seats)
                try:
                    again = codec.from_plain(game.EVENTS, json.loads(json.dumps(plain)))
                except Problem as problem:
                    yield of(game, "EVENTS", "{event}: {problem}", event=event, problem=problem)
                    continue
                if again != event:
                    yield of(game, "EVENTS", "{event} is read as {again}", event=event, again=again)


@law("effects", matches=4)
def the_same_move_has_the_same_effects(played: Sequence[Played], plies: int) -> Iterator[Finding]:
    for match in played:
        game = match.game
        for ply in match.some(plies):
            again = tuple(game.effects(ply.state, ply.seat, ply.step.move))
            if again != ply.step.events:
                yield of(
                    game,
                    "effects",
                    "{move} has effects that differ from call to call; only chance may draw",
                    move=game.notate(ply.step.move),
                )


@law("evolve")
def a_state_is_what_its_events_make_of_the_start(
    played: Sequence[Played], plies: int
) -> Iterator[Finding]:
    for match in played:
        events = [event for ply in match.plies for event in ply.step.events]
        state = match.game.start(match.setup)
        if play.advance(match.game, state, events) != match.end:
            yield of(
                match.game,
                "evolve",
                "{match}: its events, replayed from the start, lead elsewhere; states are never "
                "changed in place",
                match=match,
            )


@law("view", matches=4, plies=25)
def a_view_obeys_its_schema_and_sets_the_position_up_again(
    played: Sequence[Played], plies: int
) -> Iterator[Finding]:
    for match in played:
        game = match.game
        schema = data.view_schema(game.DATA, game.NAME)
        for ply in match.some(plies):
            view = game.view(ply.state)
            try:
                plain = json.loads(json.dumps(view))
            except (TypeError, ValueError) as error:
                yield of(game, "view", "the view is not plain JSON: {error}", error=error)
                continue
            if plain != view:
                yield of(
                    game,
                    "view",
                    "the view is not plain JSON: {view} is read as {plain}",
                    view=view,
                    plain=plain,
                )
                continue
            for where, said in yamlio.misfits(view, schema) if schema else ():
                yield of(game, "view", "{where}: {said}", where=where or "the view", said=said)
            again = game.view(game.position(match.setup, view))
            if again != view:
                yield of(
                    game,
                    "position",
                    "{view} is set up as {again}",
                    view={k: v for k, v in view.items() if again.get(k) != v} or view,
                    again={k: v for k, v in again.items() if view.get(k) != v},
                )


@law("position", matches=4, plies=25)
def a_position_from_a_view_allows_the_same_moves(
    played: Sequence[Played], plies: int
) -> Iterator[Finding]:
    for match in played:
        game = match.game
        for ply in match.some(plies):
            if ply.seat == CHANCE:
                continue
            again = game.position(match.setup, game.view(ply.state))
            now, then = (set(play.legal_moves(game, s, ply.seat)) for s in (again, ply.state))
            if now != then:
                yield of(
                    game,
                    "position",
                    "a position set up from its view allows other moves: {moves}",
                    moves=sorted(map(game.notate, now ^ then))[:5],
                )


@law("position", matches=1, plies=5)
def what_is_no_position_is_refused(played: Sequence[Played], plies: int) -> Iterator[Finding]:
    from pbem.table import Table

    for match in played:
        game, setup = match.game, match.setup
        for ply in match.some(plies):
            for spoiled, what in _spoiled(game.view(ply.state)):
                try:
                    Table.at(game.NAME, spoiled, setup.seats, setup.ruleset, setup.options)
                except Faulty:  # it falls over, and refuses nothing
                    raise
                except Problem:
                    continue
                yield of(game, "position", "it takes a view with {what}", what=what)


def _spoiled(view: dict[str, Any]) -> Iterator[tuple[dict[str, Any], str]]:
    yield {**view, "nonsense": 1}, "a key `nonsense`"
    hands: Any = view.get("hands")
    for seat, cards in hands.items() if isinstance(hands, dict) else ():
        if cards and isinstance(cards, list):
            yield {**view, "hands": {**hands, seat: ["nonsense"]}}, "a card `nonsense` in a hand"
            more = cards * (1 + 200 // len(cards))
            yield {**view, "hands": {**hands, seat: more}}, "a hand of two hundred cards"


@law("evolve", matches=4)
def a_redacted_log_replays_to_what_its_reader_may_know(
    played: Sequence[Played], plies: int
) -> Iterator[Finding]:
    for match in played:
        game = match.game
        truth = [(game.pending(ply.state), game.view(ply.state)) for ply in match.plies]
        for reader in (None, *match.setup.seats):
            pairs = zip(match.known_to(reader), truth, strict=True)
            for (known, ply), (pending, view) in list(pairs)[:: _stride(match, plies)]:
                if game.pending(known) != pending:
                    yield of(
                        game,
                        "pending",
                        "{reader} cannot know who is asked after {move}: {known} and not {pending}",
                        reader=reader or "a spectator",
                        move=game.notate(ply.step.move),
                        known=game.pending(known),
                        pending=pending,
                    )
                private = getattr(game, "PRIVATE", ())
                if differs := _disagrees(game.view(known), view, reader, private):
                    yield of(
                        game,
                        "evolve",
                        "{reader} reads a log that leads elsewhere: {differs}",
                        reader=reader or "a spectator",
                        differs=differs,
                    )


def _stride(match: Played, plies: int) -> int:
    return -(-len(match.plies) // plies) if plies else 1


def _disagrees(
    known: dict[str, Any], full: dict[str, Any], reader: Seat | None, private: Sequence[str]
) -> Sentence | None:
    """What is not the same but for what other seats hold or have chosen: that may be unknown."""
    for key in {**known, **full}:
        mine, true = known.get(key), full.get(key)
        if key in private and isinstance(mine, dict) and isinstance(true, dict):
            for seat, cards in mine.items():
                lacking = Counter(c for c in cards if c != HIDDEN) - Counter(true.get(seat, ()))
                wrong = lacking or len(cards) != len(true.get(seat, ()))
                if wrong or (seat == reader and cards != true[seat]):
                    return say(
                        "{key} of {seat}: {mine}, and not {true}",
                        key=key,
                        seat=seat,
                        mine=cards,
                        true=true.get(seat),
                    )
            continue
        if isinstance(mine, dict) and isinstance(true, dict):
            mine = {s: true.get(s) if v == HIDDEN and s != reader else v for s, v in mine.items()}
        if mine != true:
            return say("{key}: {mine}, and not {true}", key=key, mine=mine, true=true)
    return None


@law("check", matches=2)
def who_knows_less_never_refuses_what_is_legal_nor_is_surer(
    played: Sequence[Played], plies: int
) -> Iterator[Finding]:
    for match in played:
        game = match.game
        for reader in (None, *match.setup.seats):
            for known, ply in list(match.known_to(reader))[:: _stride(match, plies)]:
                state, seat = ply.state, ply.seat
                for move in play.legal_moves(game, state, seat):
                    try:
                        sure = game.check(known, seat, move)
                    except Refused as refusal:
                        yield of(
                            game,
                            "check",
                            "{move} is legal, and {reader}, who knows less, is told {refusal}",
                            move=game.notate(move),
                            reader=reader or "a spectator",
                            refusal=refusal,
                        )
                        continue
                    if sure and not game.check(state, seat, move):
                        yield of(
                            game,
                            "check",
                            "{move} is certain to who knows less",
                            move=game.notate(move),
                        )
                for move in play.legal_moves(game, known, seat):
                    if game.check(known, seat, move):
                        try:
                            game.check(state, seat, move)
                        except Refused as refusal:
                            yield of(
                                game,
                                "check",
                                "{move} is certain to {reader}, who cannot know: {refusal}",
                                move=game.notate(move),
                                reader=reader or "a spectator",
                                refusal=refusal,
                            )


@law("chances", matches=2)
def what_chance_may_bring_is_counted(played: Sequence[Played], plies: int) -> Iterator[Finding]:
    for match in played:
        game = match.game
        for ply in match.some(plies):
            if ply.seat == CHANCE:
                for move in play.legal_moves(game, ply.state, CHANCE):
                    if game.chances(ply.state, move) <= 0:
                        yield of(
                            game, "chances", "{move} can come in no way", move=game.notate(move)
                        )


@law("candidates", matches=4, plies=50)
def the_candidates_are_complete(played: Sequence[Played], plies: int) -> Iterator[Finding]:
    """Brute force: no move that can be written at all is legal but not a candidate. So `check`
    meets moves of every kind."""
    for match in played:
        game = match.game
        hashable: Any = game
        universe = every_move(hashable, match.setup.seats)
        for ply in match.some(plies):
            legal = set(play.legal_moves(game, ply.state, ply.seat))
            for move in universe:
                try:
                    play.judge(game, ply.state, ply.seat, move)
                except Refused:
                    fits = move not in legal
                else:
                    fits = move in legal
                if not fits:
                    yield of(
                        game,
                        "candidates",
                        "{move} is legal for {seat}, but is not among the candidates of its "
                        "decision, or the other way round",
                        move=game.notate(move),
                        seat=ply.seat,
                    )


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


@law("EVENTS")
def what_one_seat_may_know_stays_hidden_from_all_others(
    played: Sequence[Played], plies: int
) -> Iterator[Finding]:
    if not played:
        return
    game = played[0].game
    secret = [kind for kind in game.EVENTS if any(slot.secret for slot in slots(kind))]
    declared = getattr(game, "OPEN_INFORMATION", False)
    if bool(secret) == bool(declared):
        yield of(
            game,
            "EVENTS",
            "no event has a secret; mark what only one seat may know, or say "
            "OPEN_INFORMATION = True"
            if not secret
            else "OPEN_INFORMATION = True, but {kinds} has a secret",
            kinds=[kind.__name__ for kind in secret],
        )
    told: dict[str, str] = {}
    kept: set[str] = set()
    for nth, match in enumerate(played):
        if nth < 2 and not declared:
            yield from _dealt_openly(match)
        for ply in match.plies:
            for field, place in _secrets_of(match, ply.seat, ply.step):
                if place:
                    told[field] = place
                else:
                    kept.add(field)
    for field, place in told.items():
        # The last of several simultaneous choices may be told at once: the others are not.
        if field not in kept:
            yield of(
                game,
                "EVENTS",
                "{field} is secret, but the same value always stands open, as in {place}",
                field=field,
                place=place,
            )


def _dealt_openly(match: Played) -> Iterator[Finding]:
    """What chance put into a hand, where it is not HIDDEN for other readers."""
    game = match.game
    after = [*(ply.state for ply in match.plies[1:]), match.end]
    gained = [
        _gained(game.view(ply.state), game.view(then)) if ply.seat == CHANCE else {}
        for ply, then in zip(match.plies, after, strict=True)
    ]
    if not any(gained):
        return
    for reader in (None, *match.setup.seats):
        states = [known for known, _ in match.known_to(reader)]
        for index, hands in enumerate(gained):
            seats = [seat for seat in hands if seat != reader]
            if not seats or index + 1 == len(states):
                continue
            shown = _gained(game.view(states[index]), game.view(states[index + 1]))
            for seat in seats:
                if cards := [card for card in shown.get(seat, ()) if card != HIDDEN]:
                    yield of(
                        game,
                        "EVENTS",
                        "{reader} sees that chance gave {cards} to {seat}; mark the field of the "
                        "event with secret=",
                        reader=reader or "a spectator",
                        cards=cards,
                        seat=seat,
                    )
                    return


def _gained(before: dict[str, Any], after: dict[str, Any]) -> dict[Seat, list[Any]]:
    """What came into the hands of a view."""
    was, now = before.get("hands"), after.get("hands")
    if not isinstance(was, dict) or not isinstance(now, dict):
        return {}
    gained: dict[Seat, list[Any]] = {
        seat: list((Counter(cards) - Counter(was.get(seat, ()))).elements())
        for seat, cards in now.items()
    }
    return {seat: cards for seat, cards in gained.items() if cards}


def _secrets_of(match: Played, seat: Seat, step: Step) -> Iterator[tuple[str, str]]:
    """Each secret of a ply that could be told elsewhere, and where it is, "" if it is kept: a
    secret of the move in its events, a secret of an event in a move of chance."""
    pairs: list[tuple[Record, tuple[Record, ...]]] = [(step.move, step.events)]
    if seat == CHANCE:
        pairs += [(event, (step.move,)) for event in step.events]
    for record, others in pairs:
        domains = {slot.name: slot.of for slot in record.FIELDS}
        for name in owners(record, seat, match.setup.seats):
            alike = [
                (other, slot.name)
                for other in others
                for slot in other.FIELDS
                if slot.of is domains[name] and slot.of is not SEAT
            ]
            told = [
                f"{type(other).__name__}.{field}"
                for other, field in alike
                if field not in owners(other, seat, match.setup.seats)
                and getattr(other, field) == getattr(record, name)
            ]
            if alike:
                yield f"{type(record).__name__}.{name}", told[0] if told else ""


_WIDEST: Final = {"draw": WIDTH, "draw_narrow": NARROW}
"""How many columns a picture may have."""


@law("draw", matches=4, plies=25)
def the_board_is_drawn_for_every_reader(played: Sequence[Played], plies: int) -> Iterator[Finding]:
    for match in played:
        game = match.game
        for reader in (None, *match.setup.seats):
            for known, _ in list(match.known_to(reader))[:: _stride(match, plies)]:
                view = game.view(known)
                for name, most in _WIDEST.items():
                    if not hasattr(game, name):
                        continue
                    if wide := [line for line in getattr(game, name)(view) if len(line) > most]:
                        yield of(
                            game,
                            name,
                            "{line!r} is wider than {most} characters",
                            line=wide[0],
                            most=most,
                        )
                if hasattr(game, "scene"):
                    ids = Counter(shape.id for shape in game.scene(view).shapes)
                    if twice := [id for id, n in ids.items() if n > 1]:
                        yield of(game, "scene", "the id {id} stands there twice", id=twice[0])


@law("effects", matches=1)
def a_match_is_logged_sealed_opened_and_told_to_every_reader(
    played: Sequence[Played], plies: int
) -> Iterator[Finding]:
    for match in played:
        game, setup = match.game, match.setup
        finished, _ = simulate(
            game.NAME,
            match.seed,
            seats=setup.seats,
            ruleset=setup.ruleset,
            chosen=dict(setup.options),
        )
        texts: list[str] = []
        for nth, reader in enumerate((None, *setup.seats), match.seed + finished.position.ply):
            seen = finished.seen_by(reader)
            report = compose.report(seen, compose.since(seen, 0))
            # What a reader may know and how a dialect writes have nothing to do with each other.
            written = DIALECTS if reader is None else (DIALECTS[nth % len(DIALECTS)],)
            texts += (compose.text(report, dialect) for dialect in written)
        moments = range(0, finished.position.ply, max(1, finished.position.ply // 5))
        for number, seat in zip(moments, itertools.cycle(setup.seats), strict=False):
            early = Match.of(finished.log, finished.keyring, number)
            texts.append(compose.text(compose.letter(early, seat, 0), "text"))
        if not all(texts):
            yield of(game, "view", "a post of {match} is empty", match=match)
