"""What may be done in Kanaloa (Piatnik): who must choose, and what is legal.

A seat is its number; rule ids refer to games/kanaloa_piatnik/rules.yaml.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from pbem.core import CHANCE, Decision, Move, Seat, Setup, Usage, Violation
from pbem.rules.kanaloa_piatnik.cards import (
    ALL,
    CARDS,
    COPIES,
    MASK,
    OCEAN_CARDS,
    Card,
    Ocean,
    copies,
    laid,
)
from pbem.rules.kanaloa_piatnik.facts import (
    ALL_SEATS,
    Announce,
    Deal,
    Dolphin,
    Drop,
    Lay,
    Play,
    Remove,
    Rules,
    Sail,
    Sea,
    State,
    Stay,
    Tally,
)
from pbem.rules.kanaloa_piatnik.sea import free_cards, ocean, start_card, start_field
from pbem.rules.kanaloa_piatnik.trick import barred, to_follow

OUT_OF_TURN = "P-14"

# ------------------------------------------------------------------------- the beginning


def rules_of(setup: Setup) -> Rules:
    """The rules a set-up settles. Raises Problem for ocean cards or a route that cannot be."""
    o = setup.options
    cards = ocean(setup.board)
    return Rules(
        seats=setup.seats,
        ocean=cards,
        starter=setup.seats.index(o["starter"]) if o["starter"] else 0,
        route=None if o["route"] is None else _given(o["route"], cards, len(setup.seats)),
        kanaloa_follows=o["kanaloa_lead"] == "first_tiki",
        octopus_follows=o["octopus_lead"] == "first_tiki",
        dolphin_asks=o["dolphin"] == "optional",
        may_decline_move=o["may_decline_move"],
        announce=o["announce"],
        announce_open=o["announce_order"] == "open",
        announce_failure=o["announce_failure"],
        announce_before_removal=o["announce_before_removal"],
    )


def left_out(players: int) -> int:
    """How many ocean cards are left out [P-8]."""
    return 5 - players


def _given(route: Sequence[str], ocean: Mapping[str, Ocean], players: int) -> tuple[Ocean, ...]:
    """The route of the option: each card once, the start card among them [P-8, P-9]."""
    cards = tuple(read_laid(text, ocean) for text in route)
    needed = OCEAN_CARDS - left_out(players)
    named = {c.card for c in cards}
    if len(cards) != needed or len(named) != needed:
        raise Usage(
            "{players} players sail on {needed} different ocean cards, this route has "
            "{named} [P-8]",
            players=players,
            needed=needed,
            named=len(named),
        )
    if start_card(ocean) not in named:
        raise Usage(
            "{start_card} has the start field and is in the route [P-9]",
            start_card=start_card(ocean),
        )
    return cards


def read_laid(text: str, ocean: Mapping[str, Ocean]) -> Ocean:
    """An ocean card as it lies, from `M04` or `M04 turned`. Raises Problem."""
    name, _, way = text.strip().partition(" ")
    card = ocean.get(name.upper())
    if card is None or way.strip() not in ("", "turned"):
        known = ", ".join(ocean)
        raise Usage(
            "{text!r} is no ocean card; write {known}, and `turned` after it",
            text=text,
            known=known,
        )
    return card.turned() if way else card


def start(setup: Setup) -> State:
    """Boats on the start field of a given route, or a route that chance has yet to lay."""
    rules = rules_of(setup)
    nothing = (0,) * len(rules.seats)
    tally = Tally(1, rules.starter, rules.starter, nothing, (None,) * len(rules.seats))
    if rules.route is None:
        asked = "drop" if left_out(len(rules.seats)) else "lay"
        return State(rules, tally, Sea(), asked, rules.seats[rules.starter], nothing)
    route = laid(rules.route)
    removed = tuple(card for card in rules.ocean if card not in route.called)
    sea = Sea(route, (start_field(route),) * len(rules.seats), removed)
    return State(rules, tally, sea, "deal", rules.seats[rules.starter], nothing)


# ----------------------------------------------------------------------- who must choose


def pending(s: State) -> tuple[Decision, ...]:
    """One seat, or chance; all who have not yet decided where announcing is simultaneous."""
    rules = s.rules
    if s.asked == "announce" and not rules.announce_open:
        spoken = s.tally.announced
        seats = [seat for seat, choice in enumerate(spoken) if choice is None]
        return tuple(_decision("secretly", rules.seats[seat]) for seat in seats)
    return _pending(s.asked, s.turn)


@cache
def _pending(asked: str, seat: Seat) -> tuple[Decision, ...]:
    return (_decision(asked, seat),) if asked else ()


@cache
def _decision(asked: str, seat: Seat) -> Decision:
    match asked:
        case "drop":
            return Decision(CHANCE, "drop", (Drop,))
        case "lay":
            return Decision(CHANCE, "lay", (Lay,))
        case "deal":
            return Decision(CHANCE, "deal", (Deal,), about={"to": seat})
        case "announce":
            return Decision(seat, "announce", (Announce,), default=Announce(False, ALL_SEATS))
        case "secretly":
            return Decision(seat, "announce", (Announce,), default=Announce(False, seat))
        case "card":
            return Decision(seat, "card", (Play,))
        case "octopus":
            return Decision(seat, "remove", (Remove,), about={"after": "octopus"})
        case "removal":
            return Decision(seat, "remove", (Remove,), about={"after": "round"})
        case "dolphin":
            return Decision(seat, "dolphin", (Dolphin, Stay), default=Stay())
        case "move":
            return Decision(seat, "move", (Sail, Stay), default=Sail())
        case "bonus":
            return Decision(seat, "bonus", (Sail, Stay), default=Stay())
    raise ValueError(f"nobody can be asked for {asked!r}")


# ------------------------------------------------------------------------ what may be done


def check(s: State, seat: Seat, move: Move) -> bool:
    """See `pbem.core.Game.check`."""
    if type(move) is Deal:  # asked far more often than anything else
        every = ALL[move.card]
        if s.out & every == every:
            raise Violation("P-12", "{card} has been dealt in this round", card=move.card)
        if move.to != s.turn:
            raise Violation(
                "P-A34", "the next card is owed to {turn}, not {to}", turn=s.turn, to=move.to
            )
        return not s.hidden
    return _CHECKS[type(move)](s, seat, move)


def _check_play(s: State, seat: Seat, m: Play) -> bool:
    me, mask = s.rules.seats.index(s.turn), MASK[m.card]
    hand = s.hands[me]
    if not hand & mask and not _hides(s, me, m.card):
        raise Violation("P-15", "{seat:seat} holds no {card}", seat=seat, card=m.card)
    if s.table and mask & barred(hand, colour := to_follow(s.rules, s.table)):
        raise Violation(
            "P-27",
            "{colour} was led and {seat:seat} holds {colour}, so no {card}",
            colour=colour,
            seat=seat,
            card=m.card,
        )
    return not s.hidden or not s.hidden[me]


def _hides(s: State, me: int, card: Card) -> bool:
    """May this card be among the hidden ones of the hand?"""
    return bool(s.hidden and s.hidden[me]) and copies(s.out, card) < COPIES[card]


def _check_remove(s: State, seat: Seat, m: Remove) -> bool:
    boats, called, length = s.sea.boats, s.sea.route.called, len(s.sea.route.colours)
    if m.card not in called:
        raise Violation("P-37", "there is no ocean card {card} in the route", card=m.card)
    if m.card in [called[boat % length // 2] for boat in boats]:
        on_it = [
            s.rules.seats[n] for n, boat in enumerate(boats) if called[boat % length // 2] == m.card
        ]
        raise Violation("P-38", "{card} is not free: {on_it:all} on it", card=m.card, on_it=on_it)
    return True


def _check_nothing(s: State, seat: Seat, m: Move) -> bool:
    return True


def _check_announce(s: State, seat: Seat, m: Announce) -> bool:
    known_to = ALL_SEATS if s.rules.announce_open else seat
    if m.known_to != known_to:
        how = "openly" if s.rules.announce_open else "secretly, all at the same time"
        raise Violation("P-A26", "in this match is announced {how}", how=how)
    return True


def _check_drop(s: State, seat: Seat, m: Drop) -> bool:
    _require_unused(s, m.card)
    if m.card == start_card(s.rules.ocean):
        raise Violation("P-9", "{card} has the start field and is not left out", card=m.card)
    return True


def _check_lay(s: State, seat: Seat, m: Lay) -> bool:
    _require_unused(s, m.card)
    if not s.sea.route.cards and m.card != (first := start_card(s.rules.ocean)):
        raise Violation(
            "P-A3",
            "{first} has the start field and is laid first, not {card}",
            first=first,
            card=m.card,
        )
    return True


def _require_unused(s: State, card: str) -> None:
    sea = s.sea
    if card in sea.removed:
        raise Violation("P-8", "{card} has been left out", card=card)
    if card in sea.route.called:
        raise Violation("P-7", "{card} has been laid", card=card)
    if card not in s.rules.ocean:
        raise Violation("P-1", "there is no ocean card {card}", card=card)


def _unused(s: State) -> list[str]:
    used = s.sea.removed + s.sea.route.called
    return [card for card in s.rules.ocean if card not in used]


_CHECKS: dict[type[Move], Callable[[State, Seat, Any], bool]] = {
    Play: _check_play,
    Remove: _check_remove,
    Dolphin: _check_nothing,
    Sail: _check_nothing,
    Stay: _check_nothing,
    Announce: _check_announce,
    Drop: _check_drop,
    Lay: _check_lay,
}

# ---------------------------------------------------------------- what might be worth asking

_EVERY_CARD = sum(ALL.values())
_HANDFULS = [sum(MASK[card] for card in CARDS[n : n + 6]) for n in range(0, len(CARDS), 6)]


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
            return map(_remove, free_cards(s.sea))
        case "announce":
            known_to = ALL_SEATS if s.rules.announce_open else decision.seat
            return (Announce(True, known_to), Announce(False, known_to))
        case "dolphin":
            return (Dolphin(), Stay())
        case "drop":
            return map(_drop, _unused(s))
        case "lay":
            cards = _unused(s) if s.sea.route.cards else [start_card(s.rules.ocean)]
            return [_lay(card, turned) for card in cards for turned in (False, True)]
    return (Sail(), Stay())


_remove, _drop, _lay = cache(Remove), cache(Drop), cache(Lay)


def _each(moves: Callable[[int], Sequence[Move]], cards: int) -> list[Move]:
    """A move for each of these cards; `moves` gives those for a few cards, and remembers them."""
    found: list[Move] = []
    for handful in _HANDFULS:
        if few := cards & handful:
            found += moves(few)
    return found


@cache
def _plays(cards: int) -> list[Move]:
    return [Play(card) for card in CARDS if cards & MASK[card]]


@cache
def _deals(to: Seat) -> Callable[[int], Sequence[Move]]:
    deals = [(MASK[card], Deal(card, to)) for card in CARDS]
    return cache(lambda cards: [deal for mask, deal in deals if cards & mask])


def chances(s: State, move: Move) -> int:
    """How many cards may come as this one; ocean cards are single [P-A2, P-A3, P-A34]."""
    return COPIES[move.card] - copies(s.out, move.card) if isinstance(move, Deal) else 1
