"""The settings of a match's clock, as options."""

from collections.abc import Mapping
from typing import Annotated, Any, Final

import typer

Turn = Annotated[int | None, typer.Option(metavar="DAYS", help="Deadlines: the days for a turn.")]
At = Annotated[
    str | None, typer.Option("--at", metavar="HH:MM", help="The hour at which days are counted.")
]
Zone = Annotated[
    str | None, typer.Option(metavar="ZONE", help="The time zone, like Europe/Berlin.")
]
Interrupt = Annotated[
    int | None, typer.Option(metavar="DAYS", help="To answer during another's turn.")
]
Grace = Annotated[
    int | None, typer.Option(metavar="DAYS", help="From a notice to what silence brings.")
]
Bank = Annotated[
    int | None, typer.Option(metavar="DAYS", help="To spare for each seat in the whole match.")
]
Closed = Annotated[
    str | None,
    typer.Option(metavar="DAYS", help="Not counted, like sat,sun,2026-12-24; none: all are."),
]
Absences = Annotated[
    int | None, typer.Option(metavar="DAYS", help="How long a seat may announce to be away.")
]
Remind = Annotated[
    int | None, typer.Option(metavar="DAYS", help="A reminder so long before the deadline.")
]
Silence = Annotated[
    str | None,
    typer.Option(metavar="WHAT", help="ask (you), default (the rules), or moves: 'draw or pass'."),
]
WhenPlans = Annotated[
    str | None,
    typer.Option("--plans", metavar="WHEN", help="What waits is played at_once or at_tick."),
]

_SETTINGS: Final = "turn at zone interrupt grace bank closed absences remind silence plans".split()


def settings(options: Mapping[str, Any]) -> dict[str, Any]:
    """The settings among the options of a command: those left out are left out."""
    from pbem.desk import timing

    given = {name: options[name] for name in _SETTINGS if options[name] is not None}
    if "closed" in given:
        given["closed"] = timing.closed(given["closed"])
    return given
