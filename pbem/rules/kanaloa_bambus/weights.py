"""What chance may bring, and in how many equally likely ways.

The bag is never filled: what nobody has seen lies in the bag, among the tiles set aside, or (two
players, `offerings: random`) in the box, and any of it is as likely to be in any of these places.
"""

from __future__ import annotations

from pbem.rules.kanaloa_bambus.start import FIRST_CARDS
from pbem.rules.kanaloa_bambus.state import NOBODY, State, volcanoes_in_bag
from pbem.rules.kanaloa_bambus.tiles import GODS, VOLCANO


def ways_to_draw(s: State, what: str) -> int:
    """How many equally likely ways there are for this to come next [B-7, B-8, B-9].

    Of b tiles in the bag v are volcanoes and the others b - v of the u unseen offerings. A volcano
    comes with v/b, one certain unseen offering with (b - v)/b x 1/u: all of it times b x u.
    """
    if s.owed[0] in s.world.seats:
        if what not in GODS:
            return 0
        god = GODS.index(what)
        return god in FIRST_CARDS[s.world.players] and s.gods[god] == NOBODY
    in_bag = volcanoes_in_bag(s)
    if what == VOLCANO:
        return in_bag * max(1, sum(s.unseen)) if s.stage == "ending" else 0
    kind = s.world.box.number.get(what)
    return 0 if kind is None else s.unseen[kind] * (s.bag - in_bag)
