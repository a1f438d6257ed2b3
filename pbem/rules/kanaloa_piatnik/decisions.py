"""Who must choose in Kanaloa (Piatnik), and what they may consider."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Final

from pbem.core import CHANCE, Decision, Move, Seat
from pbem.rules.kanaloa_piatnik import moves, race
from pbem.rules.kanaloa_piatnik.board import ALL_SEATS, CARDS, COPIES, Card, start_card
from pbem.rules.kanaloa_piatnik.cards import ALL, MASK, ONE, copies
from pbem.rules.kanaloa_piatnik.state import Stage, State, held, trick
from pbem.rules.kanaloa_piatnik.trick import barred, to_follow

OUT_OF_TURN: Final = "P-14"


# After the last card of a trick, or the removal for its octopus, the winner sails; then comes the
# next trick, the end of the round or the next round. Stages without a choice are skipped.
FOLLOWS: Final[Mapping[Stage, tuple[Stage, ...]]] = {
    "drop": ("drop", "lay"),
    "lay": ("lay", "deal"),
    "deal": ("deal", "announce", "card"),
    "announce": ("announce", "card"),
    "card": ("card", "octopus", "move", "dolphin", "removal", "bonus", "deal", "over"),
    "octopus": ("card", "move", "dolphin", "removal", "bonus", "deal", "over"),
    "move": ("card", "dolphin", "removal", "bonus", "deal", "over"),
    "dolphin": ("card", "dolphin", "removal", "bonus", "deal"),
    "removal": ("bonus", "deal"),
    "bonus": ("bonus", "dolphin", "removal", "deal", "over"),
    "over": (),
}
"""The course of a match: the stages to which one ply may lead from each."""

ANSWERS: Final[Mapping[Stage, tuple[type[Move], ...]]] = {
    "drop": (moves.Drop,),
    "lay": (moves.Lay,),
    "deal": (moves.Deal,),
    "announce": (moves.Announce,),
    "card": (moves.Play,),
    "octopus": (moves.Remove,),
    "move": (moves.Sail, moves.Stay),
    "dolphin": (moves.Dolphin, moves.Stay),
    "removal": (moves.Remove,),
    "bonus": (moves.Sail, moves.Stay),
    "over": (),
}
"""The kinds of move that answer what is asked for."""

KINDS: Final[Mapping[str, tuple[type[Move], ...]]] = {
    "announce": ANSWERS["announce"],
    "card": ANSWERS["card"],
    "remove": ANSWERS["removal"],
    "move": ANSWERS["move"],
    "dolphin": ANSWERS["dolphin"],
    "bonus": ANSWERS["bonus"],
}
"""What a player can be asked, and what answers it."""

_SILENCE: Final[Mapping[Stage, Move]] = {"move": moves.Sail(), "bonus": moves.Stay()}
"""What silence means; before the first trick it announces nothing [P-A36]."""


def pending(s: State) -> tuple[Decision, ...]:
    """One seat, or chance; if announcing is simultaneous, all who have not yet decided."""
    if s.asked == "announce" and not s.rules.announce_open:
        choices = zip(s.rules.seats, s.tally.announced, strict=True)
        return tuple(_announcement(seat, seat) for seat, choice in choices if choice is None)
    if s.asked == "dolphin":
        route, boat = s.sea.route, s.sea.boats[s.rules.seats.index(s.turn)]
        field = (boat + 1) % len(route.colours)
        to = f"{route.called[field // 2]} {route.colours[field]}"
        return (Decision(s.turn, "dolphin", ANSWERS["dolphin"], {"to": to}, moves.Stay()),)
    return _pending(s.asked, s.turn)


@cache
def _pending(stage: Stage, seat: Seat) -> tuple[Decision, ...]:
    answers = ANSWERS[stage]
    match stage:
        case "over":
            return ()
        case "drop" | "lay":
            return (Decision(CHANCE, stage, answers),)
        case "deal":
            return (Decision(CHANCE, stage, answers, about={"to": seat}),)
        case "announce":
            return (_announcement(seat, ALL_SEATS),)
        case "octopus":
            return (Decision(seat, "remove", answers, about={"after": "octopus"}),)
        case "removal":
            return (Decision(seat, "remove", answers, about={"after": "round"}),)
    return (Decision(seat, stage, answers, default=_SILENCE.get(stage)),)


@cache
def _announcement(seat: Seat, known_to: Seat) -> Decision:
    silence = moves.Announce(False, known_to)
    return Decision(seat, "announce", ANSWERS["announce"], default=silence)


def parts(s: State) -> Mapping[str, int]:
    """See `pbem.core.Game.parts`."""
    return {"round": s.tally.round, "trick": trick(s.tally)}


def forced(s: State) -> bool:
    """See `pbem.core.Game.forced`: a hand of one card leaves no choice of what to play."""
    return s.asked == "card" and held(s, s.rules.seats.index(s.turn)) == 1


# ------------------------------------------------------------------- what they may consider

_EVERY_CARD = sum(ALL.values())
_HANDFULS = [sum(MASK[card] for card in CARDS[n : n + 10]) for n in range(0, len(CARDS), 10)]


def candidates(s: State, decision: Decision) -> Iterable[Move]:
    """See `pbem.core.Game.candidates`."""
    match s.asked:
        case "card":
            me = s.rules.seats.index(s.turn)
            hand = s.hands[me]
            hides = s.hidden and s.hidden[me]
            held = hand | _EVERY_CARD - s.out if hides else hand
            held &= ~barred(hand, to_follow(s.rules, s.table))
            return _each(_plays, held)
        case "deal":
            return _each(_deals(s.turn), _EVERY_CARD - s.out)
        case "octopus" | "removal":
            return map(_remove, race.free_cards(s.sea))
        case "announce":
            known_to = ALL_SEATS if s.rules.announce_open else decision.seat
            return (moves.Announce(True, known_to), moves.Announce(False, known_to))
        case "dolphin":
            return (moves.Dolphin(), moves.Stay())
        case "drop":
            return map(_drop, _unused(s))
        case "lay":
            cards = _unused(s) if s.sea.route.cards else [start_card(s.rules.ocean)]
            return [_lay(card, turned) for card in cards for turned in (False, True)]
    return (moves.Sail(), moves.Stay())


_remove, _drop, _lay = cache(moves.Remove), cache(moves.Drop), cache(moves.Lay)


def _unused(s: State) -> list[str]:
    used = s.sea.removed + s.sea.route.called
    return [card for card in s.rules.ocean if card not in used]


def _each(choices: Callable[[int], Sequence[Move]], cards: int) -> list[Move]:
    """A move for each of these cards; `choices` makes those for a few, and remembers them."""
    found: list[Move] = []
    for handful in _HANDFULS:
        if few := cards & handful:
            found += choices(few)
    return found


@cache
def _plays(cards: int) -> list[Move]:
    return [moves.Play(card) for card in CARDS if cards & MASK[card]]


@cache
def _deals(to: Seat) -> Callable[[int], Sequence[Move]]:
    deals = [(MASK[card], moves.Deal(card, to)) for card in CARDS]
    return cache(lambda cards: [deal for mask, deal in deals if cards & mask])


def chances(s: State, move: Move) -> int:
    """How many copies of this card may still come; ocean cards have one [P-A2, P-A3, P-A34]."""
    return COPIES[move.card] - copies(s.out, move.card) if isinstance(move, moves.Deal) else 1


def unseen(s: State) -> Mapping[str, int]:
    """See `pbem.core.Game.unseen`."""
    return {card: COPIES[card] - copies(s.out, card) for card in CARDS}


def named(s: State, seat: Seat, choose: Callable[[], Card]) -> State | None:
    """See `pbem.core.Game.named`."""
    me = s.rules.seats.index(seat)
    if not (s.hidden and s.hidden[me]):
        return None
    one = ONE[choose()]
    hidden = (*s.hidden[:me], s.hidden[me] - 1, *s.hidden[me + 1 :])
    hands = (*s.hands[:me], s.hands[me] + one, *s.hands[me + 1 :])
    return s._replace(hands=hands, hidden=hidden if any(hidden) else (), out=s.out + one)
