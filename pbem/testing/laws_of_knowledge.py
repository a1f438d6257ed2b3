"""The laws of who knows what: views, positions, what is hidden, what is written for each reader."""

from __future__ import annotations

import itertools
import json
import random
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from typing import Any, Final

from pbem.core import CHANCE, HIDDEN, SEAT, Move, Record, Refused, Seat, mask, owners, slots
from pbem.desk.begin import Terms
from pbem.files import yamlio
from pbem.log.match import Replay
from pbem.log.questions import stays_sealed
from pbem.pictures import board
from pbem.play import games, positions
from pbem.play import judge as play
from pbem.play.bot import Bot
from pbem.play.judge import Step
from pbem.play.positions import leaves
from pbem.play.unknown import Knowledge
from pbem.problem import Faulty, Problem, Usage
from pbem.report import compose
from pbem.report.escape import DIALECTS
from pbem.report.facts import NARROW, WIDTH
from pbem.sentence import say
from pbem.table import Table
from pbem.testing.findings import Finding, of
from pbem.testing.law import Laws, Wrong
from pbem.testing.laws_of_play import every_move, names_of_cards
from pbem.testing.random_matches import Played, PlayedPly, in_words
from pbem.testing.simulate import simulate

LAWS: Final = Laws()


@LAWS("view", matches=4, plies=25)
def a_view_obeys_its_schema_and_the_match_goes_on_from_it_as_it_did(
    match: Played, ply: PlayedPly
) -> Iterator[Wrong]:
    """Whoever is to move, the house included; but a view may only count what chance draws from."""
    game = match.game
    view, schema = game.view(ply.state), games.view_schema(game)
    if schema is None:
        yield say(
            "it has no SCHEMA, and there is no schemas/view-{name}.schema.json in the folder DATA",
            name=game.NAME,
        )
    try:
        plain = json.loads(json.dumps(view))
    except (TypeError, ValueError) as error:
        yield say("the view is not plain JSON: {error}", error=error)
        return
    if plain != view:
        yield say("the view is not plain JSON: {view} is read as {plain}", view=view, plain=plain)
        return
    for where, said in yamlio.misfits(view, schema) if schema else ():
        yield say("{where}: {said}", where=where or "the view", said=said)
    again = game.position(match.setup, view)
    if (seen := game.view(again)) != view:
        was = {k: v for k, v in view.items() if seen.get(k) != v} or view
        now = {k: v for k, v in seen.items() if view.get(k) != v}
        yield of(game, "position", "{view} is set up as {again}", view=was, again=now)
    if ply.seat == CHANCE:
        mine, true = ({*map(repr, game.pending(s))} for s in (again, ply.state))
    else:
        mine, true = (
            {*map(game.notate, play.legal_moves(game, s, ply.seat))} for s in (again, ply.state)
        )
        if mine == true and tuple(game.effects(again, ply.seat, ply.step.move)) != ply.step.events:
            mine = set()  # the same moves, with other consequences
    if mine != true:
        says = "a position set up from its view allows other moves: {moves}"
        yield of(game, "position", says, moves=sorted(mine ^ true)[:5])


@LAWS("position", matches=1, plies=5)
def what_is_no_position_is_refused(match: Played, ply: PlayedPly) -> Iterator[Wrong]:
    game, setup = match.game, match.setup
    for spoiled, what in _spoiled(game.view(ply.state)):
        try:
            Table.at(game.NAME, spoiled, setup.seats, setup.ruleset, setup.options)
        except Faulty:  # it fell over instead of refusing
            raise
        except Problem:
            continue
        yield say("it takes a view with {what}", what=what)


def _spoiled(view: dict[str, Any]) -> Iterator[tuple[dict[str, Any], str]]:
    yield {**view, "nonsense": 1}, "a key `nonsense`"
    hands: Any = view.get("hands")
    for seat, cards in hands.items() if isinstance(hands, dict) else ():
        if cards and isinstance(cards, list):
            yield {**view, "hands": {**hands, seat: ["nonsense"]}}, "a card `nonsense` in a hand"
            more = cards * (1 + 200 // len(cards))
            yield {**view, "hands": {**hands, seat: more}}, "a hand of two hundred cards"


@LAWS("position", matches=2)
def there_are_as_many_cards_as_there_are(played: Sequence[Played], plies: int) -> Iterator[Wrong]:
    """Late in a match one card after another is exchanged for a certain one, until none of it is
    left: then chance may not bring it, and no position has one more. Of each kind of ply one will
    do."""
    last = {ply.kinds: (match, ply) for match in played for ply in match.plies}
    for match, ply in last.values() if hasattr(played[0].game, "unseen") else ():
        left = match.game.unseen(ply.state)
        for card in sorted(left, key=lambda each: left[each])[:_EXHAUSTED]:
            for finding in _used_up(match, ply, left, card):
                yield finding._replace(again=match.again_at(ply))


def _used_up(
    match: Played, ply: PlayedPly, left: Mapping[str, int], card: str
) -> Iterator[Finding]:
    game = match.game
    for view in _with_more(game.view(ply.state), left.keys(), card):
        try:
            state = positions.placed(game, match.setup, view)
        except Faulty:
            raise
        except Problem:
            continue
        number = game.unseen(state).get(card, 0)
        if number < 0:
            says = "it takes a view with more cards {card} than there are: {view}"
            yield of(game, "position", says, card=card, view=view)
            return
        asked = [each for each in game.pending(state) if each.seat == CHANCE]
        for move in play.legal_moves(game, state, CHANCE) if asked and not number else ():
            cards_of = names_of_cards(game, left, type(move))
            if any(getattr(move, each) == card for each in cards_of):
                says = "{move!r} is legal where no card {card} is left, by `unseen`: {view}"
                yield of(game, "check", says, move=game.notate(move), card=card, view=view)
                return


_EXHAUSTED: Final = 2
"""How many kinds of card are used up in a position."""


def _with_more(view: dict[str, Any], cards: Collection[str], card: str) -> Iterator[dict[str, Any]]:
    """Views in which one card after another, in the lists of this one, has become a certain one."""
    view = deepcopy(view)
    values = [each for value in view.values() for each in _lists(value)]
    for held in values:
        for nth, each in enumerate(held):
            if isinstance(each, str) and each in cards and each != card:
                held[nth] = card
                yield deepcopy(view)


def _lists(value: Any) -> Iterator[list[Any]]:
    if isinstance(value, list):
        yield value
    for each in value.values() if isinstance(value, dict) else ():
        yield from _lists(each)


@LAWS("unseen", matches=1, plies=12)
def what_is_seen_is_not_unseen_as_well(match: Played, plies: int) -> Iterator[Wrong]:
    """Of no card more is unseen, and in one place of the view, than there was of it at the start,
    whatever `chances` and `position` go by. Places of cards are PRIVATE ones, and those where a
    card comes that leaves these; a list of marks has nothing twice."""
    game: Any = match.game
    if not hasattr(game, "unseen"):
        return
    every = [*(ply.state for ply in match.plies), match.end]
    nths = sorted(match.chosen(plies))
    states = [every[0], *(every[nth + more] for nth in nths for more in (0, 1)), match.end]
    left = [Counter(game.unseen(state)) for state in states]
    seen = [
        {
            key: Counter(each for each in leaves(value) if each in left[0])
            for key, value in game.view(state).items()
        }
        for state in states
    ]
    places = {*game.PRIVATE}
    for was, then in itertools.pairwise(seen):
        gone = [was[key] - then[key] for key in game.PRIVATE if key in was and key in then]
        places |= {
            key for key in was.keys() & then for each in gone if each & (then[key] - was[key])
        }
    due = sum(seen[0].values(), left[0])
    twice = {key for each in seen for key in each if max(each[key].values(), default=0) > 1}
    for unseen, there in zip(left, seen, strict=True):
        for key in sorted(places & there.keys()):
            more = (unseen + there[key]) - due
            if more and (key in twice or max(due.values()) < 2):
                card = min(more)
                yield say(
                    "{n} cards {card} are unseen and {m} in {key}, of {due}",
                    n=unseen[card],
                    card=card,
                    m=there[key][card],
                    key=key,
                    due=due[card],
                )
                return


@LAWS("evolve", matches=4, plies=120)
def a_redacted_log_replays_to_what_its_reader_may_know(
    match: Played, ply: PlayedPly, known: Any, reader: Seat | None
) -> Iterator[Wrong]:
    game, who, move = match.game, reader or "a spectator", match.game.notate(ply.step.move)
    tells: dict[str, Callable[[Any], Any]] = {
        "pending": lambda state: in_words(game, game.pending(state)),
        "parts": getattr(game, "parts", lambda state: {}),
    }
    for name, tell in tells.items():
        mine, true = tell(known), tell(ply.state)
        if mine != true:
            says = (
                "before {move!r} {who} works out {mine!r}, and in truth it is {true!r}: let it "
                "rest on what everybody sees"
            )
            yield of(game, name, says, move=move, who=who, mine=mine, true=true)
    view, seen, events = game.view(ply.state), game.view(known), ply.step.events
    private = positions.private(game, view)
    if differs := _disagrees(seen, view, reader, private):
        yield _elsewhere(game, who, *differs)
    if [mask(e, reader, ply.seat, match.setup.seats) for e in events] != [*events]:
        return
    then = game.view(play.advance(game, known, events))
    told: dict[str, Any] = {"who": who, "move": move}
    if unknown(then) > unknown(seen):
        yield say("{who} sees all of what {move!r} brings about, and knows less after it", **told)
    for key, seat, card in _forgotten(game, ply, then, private):
        forgets = "{who} sees that {move!r} brings {card} to {seat}, and {key} forgets it"
        yield say(forgets, card=card, seat=seat, key=key, **told)


def _forgotten(
    game: Any, ply: PlayedPly, then: dict[str, Any], private: Sequence[str]
) -> Iterator[tuple[str, Seat, str]]:
    """What everybody sees come to a seat, or opened of it, and is not in what who saw it knows
    `then`: its key, the seat, and what it is."""
    both = (ply.state, play.advance(game, ply.state, ply.step.events))
    before, after = map(game.view, both)
    opens, shown = tuple(getattr(game, "OPENS", ())), dict[str, list[Any]]()
    for event in ply.step.events:
        values = [getattr(event, each.name) for each in slots(type(event))]
        for value in values:
            told = shown.setdefault(json.dumps(value, default=str), [])
            told += values if isinstance(event, opens) else ()
    was, held, known = (_held(view, private) for view in (before, after, then))
    for (seat, card), keys in held.items():
        number = len(was.get((seat, card), ()))
        opened = len(keys) == number and seat in shown.get(card, ())  # and has not left them
        comes = len(keys) > number and card in shown
        if (comes or opened) and (seat, card) not in known:
            yield keys[-1], seat, card


def _elsewhere(game: Any, who: str, key: str, mine: Any, true: Any) -> Finding:
    """Who knows less is led elsewhere: by what is hidden from them, or by evolve."""
    if HIDDEN in json.dumps(mine):
        says = "{who} cannot know {key}, {true} in truth: let PRIVATE name it"
        return of(game, "PRIVATE", says, who=who, key=key, true=true)
    says = "{who} reads a log that leads elsewhere: {key} is {mine}, and in truth {true}"
    return of(game, "evolve", says, who=who, key=key, mine=mine, true=true)


def _held(view: dict[str, Any], keys: Sequence[str]) -> dict[tuple[Seat, str], list[str]]:
    """Of each seat and card, as JSON, under which keys of a view that hold something by seat it is,
    once for each."""
    found = dict[tuple[Seat, str], list[str]]()
    for key in keys:
        by_seat = view.get(key)
        for seat, held in by_seat.items() if isinstance(by_seat, dict) else ():
            for card in _counted(_cards(held)).elements():
                found.setdefault((seat, card), []).append(key)
    return found


def unknown(value: Any) -> int:
    """How many things in a view are HIDDEN."""
    return [*leaves(value)].count(HIDDEN)


_DEALT_ANEW: Final = 6
"""In how many positions of a match what is hidden is dealt anew, and the bot plays a move."""
_THOUGHT: Final = 4
"""For how many playouts it thinks."""


@LAWS("unseen", matches=1)
def what_a_seat_cannot_know_is_dealt_anew_and_the_bot_plays_by_it(
    match: Played, plies: int
) -> Iterator[Wrong]:
    """What is dealt may be the truth as far as the seat that is asked can tell: it fits what that
    seat knows, allows it the same moves, and hides nothing; no card is there too often."""
    game, seats, first = match.game, match.setup.seats, match.game.start(match.setup)
    known = ((seat, *each) for seat in seats for each in match.known_to(seat, _DEALT_ANEW))
    for seat, state, ply in known:
        if ply.seat == seat:
            told = [
                (each.seat, tuple(mask(e, seat, each.seat, seats) for e in each.step.events))
                for each in match.plies[: ply.nth]
            ]
            knows = Knowledge(game, match.setup, seat, first, told, state)
            yield from _dealt_anew(knows, ply, random.Random(ply.nth))


def _dealt_anew(known: Knowledge, ply: PlayedPly, rng: random.Random) -> Iterator[Wrong]:
    game, seat, name = known.game, known.seat, "unseen"
    try:
        anew = known.sampler()(rng.randrange)
    except Usage as error:
        yield of(game, name, "{error}: nothing fits what {seat} knows", error=error, seat=seat)
        return
    view, seen = game.view(anew), game.view(known.state)
    differs = _disagrees(seen, view, seat, positions.private(game, seen))
    key, true, has = differs or ("", None, None)
    left, due = (_unseen(game, state) for state in (anew, ply.state))
    mine, legal = ({*play.legal_moves(game, state, seat)} for state in (anew, ply.state))
    if differs or mine != legal or unknown(view) or min(left) < 0 or sum(left) != sum(due):
        yield of(
            game,
            "named" if hasattr(game, "named") else name,
            "what {seat} cannot know is dealt anew as {view}, and that cannot be: {why}",
            seat=seat,
            view={key: value for key, value in view.items() if value != seen.get(key)},
            why=say("{key} is {mine}, and they see {true}", key=key, mine=has, true=true)
            if differs
            else say("other moves, or {n} cards left of {due}", n=sum(left), due=sum(due)),
        )
        return
    move = Bot(_THOUGHT).move(known, rng.randrange)
    if move not in legal:
        says = "the bot plays {move!r} for {seat}, which is not legal"
        yield of(game, "candidates", says, move=game.notate(move), seat=seat)


def _unseen(game: Any, state: Any) -> list[int]:
    """How many cards of each name are unseen, as far as the game says, and a nought."""
    return [0, *(game.unseen(state).values() if hasattr(game, "unseen") else ())]


def _disagrees(
    known: dict[str, Any], full: dict[str, Any], reader: Seat | None, private: Sequence[str]
) -> tuple[str, Any, Any] | None:
    """The key under which, or for a seat there, one view differs from the other, apart from what
    other seats hold or have chosen, which may be unknown; and what each has there."""
    for key in {**known, **full}:
        mine, true = known.get(key), full.get(key)
        if key not in private or not (isinstance(mine, dict) and isinstance(true, dict)):
            if mine != true:
                return key, mine, true
            continue
        for seat, held in mine.items():
            cards, all_ = _cards(held), _cards(true.get(seat))
            lacking = _counted(cards, unless=f'"{HIDDEN}"') - _counted(all_)
            wrong = lacking or len(cards) != len(all_)
            if wrong or (seat == reader and cards != all_):
                return f"{key}.{seat}", held, true.get(seat)
    return None


def _cards(held: Any) -> list[Any]:
    """What a seat holds, or the one thing that it has chosen."""
    return held if isinstance(held, list) else [] if held is None else [held]


def _counted(cards: Iterable[Any], unless: str = "") -> Counter[str]:
    """Cards, or orders of several parts, counted as JSON; without those that contain `unless`."""
    written = (json.dumps(card, sort_keys=True) for card in cards)
    return Counter(card for card in written if not unless or unless not in card)


@LAWS("check", matches=4, plies=40)
def no_check_is_surer_and_no_refusal_tells_more_than_its_reader_can_know(
    match: Played, ply: PlayedPly, known: Any, reader: Seat | None
) -> Iterator[Wrong]:
    """Nor does who knows less refuse what is legal."""
    game = match.game
    legal = (play.legal_moves(game, state, ply.seat) for state in (ply.state, known))
    asked = [each for each in game.pending(ply.state) if each.seat == reader == ply.seat]
    tried = (itertools.islice(game.candidates(ply.state, each), _TRIED) for each in asked)
    for move in dict.fromkeys(itertools.chain(*legal, *tried)):
        truth, mine = (_judged(game, s, ply.seat, move) for s in (ply.state, known))
        told = {"move": game.notate(move), "reader": reader or "a spectator", "truth": truth}
        if isinstance(truth, Refused) and (seat := _called_by_id(truth, match.setup.seats)):
            says = "{truth}: it calls {seat} by the name of the seat; write it like {{seat:seat}}"
            yield say(says, seat=seat, **told)
        if isinstance(mine, Refused) and not isinstance(truth, Refused):
            says = "{move} is legal, and {reader}, who knows less, is told {mine}"
            yield say(says, mine=mine, **told)
        elif isinstance(mine, Refused) and reader == ply.seat and str(mine) != str(truth):
            tells = (
                "{move} is refused to {reader} with what they cannot know: {truth}; to them it is: "
                "{mine}"
            )
            yield say(tells, mine=mine, **told)
        elif mine is True is not truth:
            sure = "{move} is certain to {reader}, who cannot know: {truth}"
            yield say(sure, **told | {"truth": truth or say("it rests on what is hidden")})


def _called_by_id(refusal: Refused, seats: Sequence[Seat]) -> Seat:
    """A seat that stands in a refusal as if it were a word; "" if none does."""
    pattern, values = refusal.sentence.pattern, refusal.sentence.values
    plain = re.findall(r"\{(\w+)\}", pattern if isinstance(pattern, str) else pattern.many)
    return next((values[name] for name in plain if values.get(name) in seats), "")


_TRIED: Final = 60
"""As many moves of a decision are tried, legal or not."""


def _judged(game: Any, state: Any, seat: Seat, move: Move) -> bool | Refused:
    try:
        return bool(game.check(state, seat, move))
    except Refused as refusal:
        return refusal


@LAWS("EVENTS")
def what_one_seat_may_know_stays_hidden_from_all_others(
    played: Sequence[Played], plies: int
) -> Iterator[Wrong]:
    if not played:
        return
    game = played[0].game
    secret = [kind for kind in game.EVENTS if any(slot.secret for slot in slots(kind))]
    declared = getattr(game, "OPEN_INFORMATION", False)
    if bool(secret) == bool(declared):
        kinds = [kind.__name__ for kind in secret]
        none = say("no event has a secret; mark one, or say OPEN_INFORMATION = True")
        some = say("OPEN_INFORMATION = True, but {kinds} has a secret", kinds=kinds)
        yield some if secret else none
    told: dict[str, str] = {}
    kept: set[str] = set()
    for nth, match in enumerate(played):
        if nth < 2 and not declared:
            yield from _open_to_all(match)
        for ply in match.plies:
            for field, place in _secrets_of(match, ply.seat, ply.step):
                if place:
                    told[field] = place
                else:
                    kept.add(field)
    for field, place in told.items():
        # The last of several simultaneous choices may be told at once: the others are not.
        if field not in kept:
            yield say(
                "{field} is secret, but the same value always stands open, as in {place}",
                field=field,
                place=place,
            )


def _open_to_all(match: Played) -> Iterator[Wrong]:
    """What PRIVATE names, and everybody sees all of at any time."""
    views = [match.game.view(known) for known, _ in match.known_to(None)]
    for key in match.game.PRIVATE:
        held = [each for view in views for each in leaves(view.get(key, ())) if each is not None]
        if held and HIDDEN not in held:
            yield say(
                "everybody sees {key}, which PRIVATE names, like {held}; mark the field of the "
                "event with secret=",
                key=key,
                held=held[0],
            )


def _secrets_of(match: Played, seat: Seat, step: Step) -> Iterator[tuple[str, str]]:
    """Each secret of a ply that could be told elsewhere, and where it is told, "" if it is kept: a
    secret of the move in its events, a secret of an event in the move."""
    pairs: list[tuple[Record, tuple[Record, ...]]] = [(step.move, step.events)]
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
"""How many columns each drawing may have."""


@LAWS("draw", matches=4, plies=12)
def the_board_is_drawn_for_every_reader(
    match: Played, ply: PlayedPly, known: Any, reader: Seat | None
) -> Iterator[Wrong]:
    """In the width there is; and an answer that stays sealed changes nothing in it: nobody is told
    of such a ply."""
    game, seats, events = match.game, match.setup.seats, ply.step.events
    view = game.view(known)
    asked = game.pending(ply.state), game.pending(play.advance(game, ply.state, events))
    move = mask(ply.step.move, None, ply.seat, seats)
    text, sealed = game.notate(move), ply.seat != reader and move != ply.step.move
    quiet = sealed and stays_sealed(game, seats, asked, ply.seat, text, events)
    told = [mask(each, reader, ply.seat, seats) for each in events]
    then = game.view(play.advance(game, known, told)) if quiet else view
    for name, most in _WIDEST.items():
        if not hasattr(game, name):
            continue
        lines = getattr(game, name)(view)
        if wide := [line for line in lines if len(line) > most]:
            says = "{line!r} is wider than {most} characters"
            yield of(game, name, says, line=wide[0], most=most)
        if changed := [each for each in getattr(game, name)(then) if each not in lines]:
            says = "{line!r} is new after the sealed {move!r}, of which nobody is told"
            yield of(game, name, says, line=changed[0], move=text)
    ids = Counter(shape.id for shape in board.scene(game, view).shapes)
    if twice := [id for id, n in ids.items() if n > 1]:
        yield of(game, "scene", "the id {id} stands there twice", id=twice[0])


@LAWS("svg", matches=2, plies=4)
def what_is_clicked_stands_for_moves_there_are(
    played: Sequence[Played], plies: int
) -> Iterator[Wrong]:
    """It reads as one; of a pattern with `*`, each part stands in the text of one."""
    game: Any = played[0].game
    seen = [(m, ply) for m in played for ply in m.some(plies)] if hasattr(game, "svg") else []
    moves = {*every_move(game, played[0].setup.seats)}
    moves.update(*(play.legal_moves(game, ply.state, ply.seat) for _, ply in seen))
    texts = " ".join(map(game.notate, moves))
    shapes = (s for _, ply in seen for s in board.scene(game, game.view(ply.state)).shapes)
    for name, said in dict.fromkeys((s.name or s.id, each) for s in shapes for each in s.moves):
        parts = said.rpartition(": ")[2].split("*")
        if not (_reads(game, parts[0]) if len(parts) == 1 else all(p in texts for p in parts)):
            yield say("{name} is clicked for {said!r}, which is no move", name=name, said=said)


def _reads(game: Any, text: str) -> bool:
    with suppress(Refused):
        return bool(game.parse(text))
    return False


ITS_END = 40
"""How many of the last entries are told in every dialect."""


@LAWS("effects", matches=1)
def a_match_is_logged_sealed_opened_and_told_to_every_reader(
    match: Played, plies: int
) -> Iterator[Wrong]:
    game, setup = match.game, match.setup
    like = Terms(game.NAME, ruleset=setup.ruleset, options=setup.options)
    finished, _ = simulate(like, match.seed, setup.seats)
    texts: list[str] = []
    last = max(0, len(finished.log.entries) - ITS_END)
    # What a reader may know and how a dialect writes have nothing to do with each other: each
    # reader is told the whole match in one of them, and its end is told in each. If only some plies
    # are looked at, one reader in four is told all of it, the others just its end.
    for nth, reader in enumerate((None, *setup.seats), match.seed + finished.position.ply):
        seen = finished.seen_by(reader)
        report = compose.report(seen, compose.since(seen, 0 if nth % 4 == 0 or not plies else last))
        texts.append(compose.text(report, DIALECTS[nth % len(DIALECTS)]))
    seen = finished.seen_by(None)
    report = compose.report(seen, compose.since(seen, last))
    texts += (compose.text(report, dialect) for dialect in DIALECTS)
    moments = range(0, finished.position.ply, max(1, finished.position.ply // 5))
    for number, seat in zip(moments, itertools.cycle(setup.seats), strict=False):
        early = Replay.of(finished.log, finished.keyring, number)
        texts.append(compose.text(compose.letter(early, seat, 0), "text"))
    if not all(texts):
        yield of(game, "view", "a post of {match} is empty", match=match)
