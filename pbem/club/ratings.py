"""How strong people are by all matches of a club, for the list of all times and for seeding (E-50):
Plackett-Luce of `openskill`, each seat a second member of whoever sits there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.util import find_spec
from math import log
from statistics import fmean
from typing import TYPE_CHECKING, Final, NamedTuple

from pbem.club.event import ClubEvent, Handle
from pbem.club.event_acts import RatingsPublished
from pbem.club.reliability import Members
from pbem.club.results import began, placed
from pbem.club.tenures import MatchRecord

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

BETAS: Final = (4, 6, 8, 12, 16, 20, 28, 40)
"""How much luck there may be: the standard deviation of a performance, where people differ by 8."""
LEAST: Final = 24
"""With fewer matches of a game nothing is fitted."""
RANKED: Final = 12
"""Whoever has played fewer matches of a game has no rank."""


class Rating(NamedTuple):
    """How strong somebody was after a match; twice `sigma` more or less is the range."""

    at: str
    mu: float
    sigma: float

    @property
    def range(self) -> tuple[int, int]:
        """Between what and what it is, all but surely."""
        return round(self.mu - 2 * self.sigma), round(self.mu + 2 * self.sigma)


NEW: Final = Rating("", 25, 25 / 3)
NEW_SEAT: Final = Rating("", 0, NEW.sigma / 4)
"""The ratings of who and what has been in no match."""


class Ratings(NamedTuple):
    """What the matches of a game tell: of each person and each seat, after each match; and for each
    match with one winner, what was lost by forecasting it so and what by guessing."""

    people: Mapping[Handle, list[Rating]]
    seats: Mapping[int, list[Rating]]
    losses: list[tuple[float, float]]

    def ranked(self) -> list[tuple[int | None, Handle, list[Rating]]]:
        """The list of all times: ranks, None for those with few matches, who come last (E-52)."""
        people = ((len(curve) < RANKED, -curve[-1].mu, who) for who, curve in self.people.items())
        known = enumerate(sorted(people), 1)
        return [(None if new else n, who, self.people[who]) for n, (new, _, who) in known]


def can_rate() -> bool:
    """Is openskill installed?"""
    return find_spec("openskill") is not None


def of_game(records: Iterable[MatchRecord], game: str, beta: int, until: str = "") -> Ratings:
    """The ratings by all matches of a game that are over, or were `until` a moment, in the order of
    their ends."""
    known = (each for each in records if each.game == game and each.over)
    over = (each for each in known if not until or each.ended < until)
    model, losses = _model(beta), list[tuple[float, float]]()
    people, seats = defaultdict[Handle, list[Rating]](list), defaultdict[int, list[Rating]](list)
    for record in sorted(over, key=lambda each: (each.ended, each.match)):
        who = [*began(record).values()]
        places = placed(record, (), len(who)).places
        ranks = [float(places[each]) for each in who]
        curves = [(people[each], seats[n]) for n, each in enumerate(who)]
        teams = [
            [model.rating(*last[1:]) for last in ([NEW, *mine][-1], [NEW_SEAT, *seat][-1])]
            for mine, seat in curves
        ]
        if ranks.count(min(ranks)) == 1:
            chance = model.predict_win(teams)[ranks.index(min(ranks))]
            losses.append((-log(chance), log(len(who))))
        rated = model.rate(teams, ranks)
        for both, team in zip(curves, rated, strict=True):
            for curve, one in zip(both, team, strict=True):
                curve.append(Rating(record.ended, one.mu, one.sigma))
    return Ratings(people, seats, losses)


def fitted(records: Iterable[MatchRecord], game: str, until: str) -> RatingsPublished | None:
    """The β that has forecast the later half of a game's matches best, its log loss, that of
    guessing, and what each seat is worth (E-51); None if there are few matches."""
    known = [each for each in records if each.game == game and each.over and each.ended < until]
    if len(known) < LEAST or not can_rate():
        return None
    tried = {beta: of_game(known, game, beta) for beta in BETAS}
    half = len(tried[BETAS[0]].losses) // 2
    lost = {
        beta: [fmean(n) for n in zip(*each.losses[half:], strict=True)]
        for beta, each in tried.items()
    }
    if not all(lost.values()):
        return None  # all were drawn
    beta = min(BETAS, key=lambda each: (round(lost[each][0], 4), each))
    loss, guess = (f"{each:.3f}" for each in lost[beta])
    seats = tried[beta].seats
    mean = fmean(each[-1].mu for each in seats.values())
    worth = tuple(f"{seats[n][-1].mu - mean:+.2f}" for n in sorted(seats))
    return RatingsPublished(game, until, len(known), beta, loss, guess, worth)


def published(known: Members) -> Iterator[tuple[RatingsPublished, Ratings]]:
    """For each game whose β has been published: that, and the ratings as of now."""
    for act in known.club.rated.values() if can_rate() else ():
        yield act, of_game(known.records.values(), act.game, act.beta)


def seeded(known: Members, event: ClubEvent) -> tuple[Handle, ...] | None:
    """The list that an event which is seeded is drawn from, by the ratings of that moment (E-53):
    all are newcomers until β has been published. None if it has, and openskill is not installed."""
    act = known.club.rated.get(event.terms.game)
    if act is None:
        return event.listed()
    if not can_rate():
        return None
    rated = of_game(known.records.values(), act.game, act.beta, known.at).people
    latest = {who: [NEW, *rated.get(who, ())][-1].mu for who in event.people}
    return event.listed({who: round(mu, 2) for who, mu in latest.items()})


@cache
def _model(beta: int) -> PlackettLuce:
    from openskill.models import PlackettLuce

    return PlackettLuce(beta=beta)
