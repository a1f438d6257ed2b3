"""How an event stands: for programs, on a terminal, in a post, in a mail."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from pbem.club import ratings
from pbem.club.event_acts import RatingsPublished
from pbem.club.fold import Club
from pbem.club.formats.counting import places, points
from pbem.club.ratings import Ratings
from pbem.club.results import EventStanding, Records, Standings
from pbem.club.standing import played
from pbem.report import render
from pbem.sentence import Sentence, printable, say

FIGURES: Final[Mapping[str, Sentence]] = {
    "points": say("points"),
    "sonneborn_berger": say("Sonneborn-Berger"),
    "direct": say("direct"),
    "wins": say("won"),
    "places": say("places"),
    "firsts": say("firsts"),
    "relative": say("relative"),
}
"""What is counted, as the head of a column."""
MEANS: Final[Mapping[Any, Sentence]] = {
    points: say(
        "Sonneborn-Berger: the points of all who were beaten, and half of those of whoever drew; "
        "direct: points from those with as many of both. [E-20]"
    ),
    places: say(
        "Places: their sum, of which the least is first; firsts: first places; relative: points "
        "above the means of the tables. [E-21]"
    ),
}
"""What the heads of columns mean, by what counts."""


def plain(stand: Standings) -> dict[str, Any]:
    """How an event stands, for programs."""
    event = stand.event
    return {
        "event": event.name,
        **event.terms.plain(),
        "format": event.format,
        "seeding": "rating" if event.seeded else None,
        "season": event.season,
        "ended": event.ended or None,
        "tables": [
            {
                **{"table": each.number, "round": each.round, "division": each.division},
                "people": list(each.people),
                "match": event.matches.get(each.number),
                "over": stand.is_over(each),
            }
            for each in event.tables
        ],
        "standings": [
            {
                **{"rank": each.rank, "division": nth, "handle": each.handle},
                "played": each.played,
                **{name: str(value) for name, value in each.figures.items()},
                **{"withdrew": each.rank is None, "struck": not each.figures},
            }
            for nth, division in enumerate(stand.divisions(), 1)
            for each in division
        ],
    }


def state(stand: Standings) -> Sentence:
    """How far an event is."""
    event = stand.event
    if event.ended:
        return say("ended on {day}", day=event.ended[:10])
    if not event.drawn:
        return say("{n} [has|have] entered", n=len(event.people))
    return say("{over} of {n} played", over=len(stand.over), n=len(event.tables))


def head(stand: Standings) -> Sentence:
    """What it is, and how far."""
    event = stand.event
    return say("{event}: {terms}; {state}", event=event.name, terms=event.words, state=state(stand))


def rows(division: Sequence[EventStanding]) -> list[list[str | Sentence]]:
    """A table with a head: ranks, people, how many matches, what counts."""
    figures = next((each.figures for each in division if each.figures), {})
    found: list[list[str | Sentence]]
    found = [["", "", say("played"), *map(_head, figures)]]
    for each in division:
        numbers = (_number(each.figures.get(name)) for name in figures)
        found.append([f"{each.rank}." if each.rank else "-", each.handle, str(each.played)])
        found[-1] += numbers
    return found


def _head(figure: str) -> Sentence:
    return FIGURES.get(figure, say("{name}", name=figure))


def _number(value: Fraction | None) -> str:
    return "-" if value is None else str(value).replace("-", "\N{MINUS SIGN}")


def lines(stand: Standings) -> Iterator[str]:
    """These tables, each column as wide as it has to be."""
    divisions = stand.divisions()
    for nth, each in enumerate(divisions, 1):
        if len(divisions) > 1:
            yield printable(say("Division {n}", n=nth))
        yield from _aligned([[*map(printable, row)] for row in rows(each)])


def running(stand: Standings, club: Club) -> Iterator[Sentence]:
    """What is still played in an event that runs, and what is to begin."""
    for table in stand.to_come if stand.event.runs else ():
        if match := stand.event.matches.get(table.number):
            yield played(club.begun[match])
        else:
            people = stand.event.left(table)
            yield say("round {n}, not begun: {people:all}", n=table.round, people=people)


def sentences(stand: Standings) -> Iterator[Sentence]:
    """For a mail."""
    yield head(stand)
    for division in stand.divisions():
        heads, *others = rows(division)
        for rank, who, *numbers in others:
            figures = zip(heads[2:], numbers, strict=True)
            told = [say("{figure} {n}", figure=figure, n=n) for figure, n in figures]
            yield say("{rank} {who}: {figures:items}", rank=rank, who=who, figures=told)


def post(stand: Standings, dialect: str) -> str:
    """For a forum: the table, and how many matches still run."""
    event, table = stand.event, "\n".join(lines(stand))
    runs = sum(each.number in event.matches for each in stand.to_come if event.runs)
    told = {"head": printable(head(stand)), "said": table, "runs": runs}
    return render.post("standings", dialect, **told)


def _aligned(rows: list[list[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = zip(row, widths, strict=True)
        shown = (c.ljust(w) if n == 1 else c.rjust(w) for n, (c, w) in enumerate(cells))
        yield "  ".join(shown).rstrip()


def plain_ratings(act: RatingsPublished, known: Ratings) -> dict[str, Any]:
    """The ratings of a game, for programs."""
    return {
        **{"game": act.game, "beta": act.beta, "loss": act.loss, "guessing": act.guessing},
        **{"matches": act.matches, "seats": list(act.seats)},
        "people": [
            {"rank": rank, "handle": who, "matches": len(curve), "range": list(curve[-1].range)}
            for rank, who, curve in known.ranked()
        ],
    }


def rated(act: RatingsPublished, known: Ratings) -> Iterator[str]:
    """The same for people."""
    yield from (act.game, printable(fitting(act)))
    rows = [["", "", *map(printable, (say("played"), say("Rating")))]]
    for rank, who, curve in known.ranked():
        low, high = curve[-1].range
        shown = str(len(curve)), printable(say("{low} to {high}", low=low, high=high))
        rows.append([f"{rank}." if rank else "-", who, *shown])
    yield from _aligned(rows)


def unrated(game: str, records: Records) -> Sentence:
    """What a game lacks for ratings."""
    over = sum(each.over for each in records.values() if each.game == game)
    return say(_UNRATED, game=game, n=over, least=ratings.LEAST)


_UNRATED: Final = (
    "{game}: no ratings yet. They are worked out once {least} matches are over (so far: {n}) and "
    "an event has ended since, by the next run of the desk or `pbem club due --enter` [E-51]"
)


def fitting(act: RatingsPublished) -> Sentence:
    """How ratings of a game are worked out, and how good their forecasts are."""
    return say(
        "Forecasts by rating cost {loss}, guesses {guessing} (log loss over the later half of {n} "
        "matches, β {beta}). The seats are worth {seats:all}.",
        loss=act.loss,
        guessing=act.guessing,
        n=act.matches,
        beta=act.beta,
        seats=act.seats,
    )
