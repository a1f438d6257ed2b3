"""A list on which everybody meets the one above and the one below, again and again."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Final

from pbem.club.formats.counting import Figures, Season, TableResult, won
from pbem.club.formats.kind import Format
from pbem.club.formats.seating import lots
from pbem.log.chance import below
from pbem.sentence import say

ALGORITHM: Final = "ladder/1"


def schedule(people: Sequence[str], size: int, rounds: int, seed: str) -> list[list[list[str]]]:
    """All neighbours on a list; a lot says whether the upper or the lower of any two has the first
    seat, so everybody between two others has it once."""
    turned = below(lots(seed, ALGORITHM), 2)
    return [[[*pair][:: -1 if turned else 1] for pair in pairwise(people)]]


def climbed(season: Season) -> dict[str, Figures]:
    """The place on the list, one less if the one above was beaten, one more if the one below has
    won; then wins (E-44)."""
    place = {who: Fraction(n) for n, who in enumerate(season.tables, 1)}

    def moved(result: TableResult, who: str) -> int:
        [other] = (each for each in result.places if each != who)
        up = place.get(other, Fraction()) < place[who]
        lead = result.places[other] - result.places[who]
        return -(up and lead > 0) or int(not up and lead < 0)

    moves = season.total(moved)
    return season.figures(
        places={who: place[who] + moves[who] for who in place}, wins=season.total(won)
    )


FORMAT: Final = Format(say("Ladder"), ALGORITHM, schedule, climbed, season=30)
