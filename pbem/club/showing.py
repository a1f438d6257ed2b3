"""How an event stands: for programs, on a terminal, in a post, in a mail."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any, Final, NamedTuple

from pbem.club import results
from pbem.club.event import ClubEvent, EventTable
from pbem.club.event_acts import RatingsPublished
from pbem.club.ratings import Ratings
from pbem.club.results import EventStanding, Records
from pbem.report import render
from pbem.sentence import Sentence, printable, say

FIGURES: Final[Mapping[str, Sentence]] = {
    "points": say("points"),
    "sonneborn_berger": say("sonneborn-berger"),
    "direct": say("direct"),
    "wins": say("won"),
    "places": say("places"),
    "firsts": say("firsts"),
    "relative": say("relative"),
}
"""What is counted, as the head of a column."""


class Shown(NamedTuple):
    """An event, how everybody stands, and which of its tables are over."""

    event: ClubEvent
    stand: list[EventStanding]
    over: list[EventTable]

    @staticmethod
    def of(event: ClubEvent, records: Records) -> Shown:
        """How an event stands by the records that it is counted from (`clubwork.as_of`)."""
        stand = results.standings(event, records, event.ended)
        return Shown(event, stand, results.over(event, records))

    def plain(self) -> dict[str, Any]:
        """For programs."""
        event = self.event
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
                    "over": each in self.over,
                }
                for each in event.tables
            ],
            "standings": [
                {
                    **{"rank": each.rank, "division": each.division, "handle": each.handle},
                    "played": each.played,
                    **{name: str(value) for name, value in each.figures.items()},
                    **{"withdrew": each.rank is None, "struck": each.struck},
                }
                for each in self.stand
            ],
        }

    @property
    def head(self) -> Sentence:
        """What it is, and how far."""
        event = self.event
        return say(
            "{event}: {format}, {terms}; {over} of {all} tables are over",
            event=event.name,
            format=event.format,
            terms=event.terms.text(),
            over=len(self.over),
            all=len(event.tables),
        )

    def divisions(self) -> list[list[EventStanding]]:
        """Who stands in each division, the first first."""
        return [[*each] for _, each in groupby(self.stand, key=lambda each: each.division)]

    def rows(self, stand: list[EventStanding]) -> list[list[str]]:
        """A table with a head: ranks, people, how many matches, what counts."""
        figures = next((each.figures for each in stand if each.figures), {})
        heads = [say("played"), *(FIGURES[name] for name in figures)]
        return [["", "", *map(printable, heads)]] + [
            [
                *(f"{each.rank}." if each.rank else "-", each.handle, str(each.played)),
                *(str(each.figures.get(name, "-")) for name in figures),
            ]
            for each in stand
        ]

    def lines(self) -> Iterator[str]:
        """These tables, each column as wide as it has to be."""
        divisions = self.divisions()
        for nth, each in enumerate(divisions, 1):
            if len(divisions) > 1:
                yield printable(say("Division {n}", n=nth))
            yield from _aligned(self.rows(each))

    def running(self) -> Iterator[Sentence]:
        """All tables, and which are over."""
        for table in self.event.tables:
            match = self.event.matches.get(table.number) or say("not begun")
            at = {"n": table.round, "match": match, "people": table.people}
            if table in self.over:
                yield say("round {n}, {match}: {people:all}; over", **at)
            else:
                yield say("round {n}, {match}: {people:all}", **at)

    def sentences(self) -> Iterator[Sentence]:
        """For a mail."""
        yield self.head
        for stand in self.divisions():
            heads, *rows = self.rows(stand)
            for rank, who, *numbers in rows:
                told = [
                    say("{figure} {n}", figure=figure, n=n)
                    for figure, n in zip(heads[2:], numbers, strict=True)
                ]
                yield say("{rank} {who}: {figures:items}", rank=rank, who=who, figures=told)

    def post(self, dialect: str) -> str:
        """For a forum: the table, and how many matches still run."""
        runs = self.event.matches.keys() - {each.number for each in self.over}
        said = "\n".join(self.lines())
        return render.post(
            "standings", dialect, head=printable(self.head), said=said, runs=len(runs)
        )


def _aligned(rows: list[list[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = zip(row, widths, strict=True)
        shown = (c.ljust(w) if n == 1 else c.rjust(w) for n, (c, w) in enumerate(cells))
        yield "  ".join(shown).rstrip()


# ------------------------------------------------------------------------- the list of all times


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
