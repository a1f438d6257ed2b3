"""Everything that is wrong with a game, before anybody trusts a match to it."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from itertools import islice
from typing import Any, Final

from pbem.core import Faulty
from pbem.play import games
from pbem.play.guest import Guest, brought, package_of
from pbem.testing import laws_of_form, laws_of_knowledge, laws_of_play
from pbem.testing.cases import casebooks, play_case
from pbem.testing.findings import Finding, at, attempt, of, short
from pbem.testing.random_matches import Played, Variant, play_out, variants

MATCHES: Final = 100
MOST_PLIES: Final = 10
"""In so many plies of a match a law is looked at, where pytest looks at more."""
MOST_OF_A_LAW: Final = 3
"""So many findings of a law are told: the first ones tell what is wrong."""


def check(name: str, matches: int = MATCHES) -> list[Finding]:
    """What is wrong with a game. Raises Usage if there is no game of that name."""
    if name in games.OWN and name in brought():
        return [
            at(
                package_of(name),
                "{name} is one of the house's own games; call yours something else",
                name=name,
            )
        ]
    try:
        found = games.game(name)
    except Faulty as fault:
        place = ":".join(str(part) for part in (short(fault.path), fault.line) if part)
        return [Finding(place, fault.sentence)]
    game: Any = found if isinstance(found, Guest) else Guest(found, "pbem")
    findings: list[Finding] = []
    for law in laws_of_form.LAWS:
        findings += _first(game, "DATA", partial(law, game))
    if not findings:  # what is not even written right would fall over at every turn
        findings += _quietly_played(game, matches)
    return list({str(each): each for each in findings}.values())


def _first(game: Any, subject: str, act: Callable[[], Iterator[Finding]]) -> list[Finding]:
    return list(islice(attempt(game, subject, act), MOST_OF_A_LAW))


def _quietly_played(game: Any, count: int) -> list[Finding]:
    """The findings of matches; that a game prints, or goes on beside the house, are some, too."""
    running, printed = set(threading.enumerate()), io.StringIO()
    with redirect_stdout(printed), redirect_stderr(printed):
        findings = _played(game, count)
    if said := printed.getvalue():
        findings.append(
            of(
                game,
                "NAME",
                "it prints {said!r:.60}; what a game prints stands in the middle of posts and JSON",
                said=said,
            )
        )
    if more := [each.name for each in threading.enumerate() if each not in running]:
        findings.append(
            of(
                game,
                "NAME",
                "it starts threads, like {first}; nobody waits for them, or stops them",
                first=more[0],
            )
        )
    return findings


def _played(game: Any, count: int) -> list[Finding]:
    findings: list[Finding] = []
    ways = variants(game)
    played: list[list[Played]] = [[] for _ in ways]
    for seed in range(count):
        nth = seed % len(ways)
        if broken := _first(
            game, "pending", partial(_play_one, game, seed, ways[nth], played[nth])
        ):
            return broken
    for law in (*laws_of_play.LAWS, *laws_of_knowledge.LAWS):
        told = 0
        for matches in played:
            some = matches[: 1 if law.matches else None]
            plies = min(law.plies or MOST_PLIES, MOST_PLIES)
            found = _first(game, law.subject, partial(law.holds, some, plies))
            findings += found[: MOST_OF_A_LAW - told]
            told += len(found)
            if told >= MOST_OF_A_LAW:
                break
    for path, cases in casebooks(game).items():
        for case in cases:
            for finding in attempt(game, "check", partial(play_case, game, case)):
                findings.append(Finding(f"{short(path)}, {finding.place}", finding.says))
    return findings


def _play_one(game: Any, seed: int, variant: Variant, played: list[Played]) -> Iterator[Finding]:
    played.append(play_out(game, seed, variant))
    yield from ()
