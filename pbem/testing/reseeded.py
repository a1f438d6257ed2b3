"""The same matches in processes of their own, each with another hash seed.

Sets of words have another order in each. Where that comes out, in the order of events, say, the
house works out another match than the log tells, and `verify` accuses an honest log.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from pbem.core import Game
from pbem.play.games import OWN
from pbem.play.guest import GROUP, Guest, brought
from pbem.testing.findings import Finding, of
from pbem.testing.laws_of_trust import ASKED
from pbem.testing.random_matches import play_out, variants

SEEDS: Final = ("3", "5")
"""Two by which sets of two seats, white and black or ana and ben, have another order."""
LAW: Final = "what_is_worked_out_does_not_rest_on_the_order_of_a_set"
MOST_VARIANTS: Final = 4
MOST_PLIES: Final = 40
"""How many plies all over a match are compared, and the first ones of as many kinds."""
PATIENCE: Final = 60.0
"""How many seconds the matches may take; whatever is not played by then is not compared."""


def findings(game: Guest) -> Iterator[Finding]:
    """What of a game comes out otherwise under another hash seed: the first that does."""
    entry = brought().get(game.NAME)
    module = OWN.get(game.NAME) or (entry.value if entry else "")
    processes = [_process(game.NAME, module, seed) for seed in SEEDS]
    try:
        one, other = (process.communicate(timeout=PATIENCE)[0] for process in processes)
    except subprocess.TimeoutExpired:
        return
    finally:
        for process in processes:
            process.kill()
            process.wait()
    lines = zip(one.splitlines(), other.splitlines(), strict=False)
    for mine, theirs in islice((both for both in lines if both[0] != both[1]), 1):
        (name, said), (_, unlike) = json.loads(mine), json.loads(theirs)
        says = (
            "{name} gives {one} and, under another PYTHONHASHSEED, {other}: it rests on the order "
            "of a set; sort it"
        )
        yield of(game, name, says, name=name, one=said, other=unlike)._replace(law=LAW)


def _process(name: str, module: str, seed: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "pbem.testing.reseeded", name, module],
        env={
            **os.environ,
            "PYTHONHASHSEED": seed,
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def _parts(answer: Any) -> Iterator[str]:
    """What an answer says, one thing after another: each event, move, decision, key of a view."""
    if isinstance(answer, dict):
        yield from (f"{key}: {value!r}" for key, value in answer.items())
    elif type(answer) in (list, tuple):
        for each in answer:
            yield from _parts(each)
    else:
        yield repr(answer)


def told(game: Game[Any]) -> Iterator[str]:
    """Matches of a game, line by line: which function of it says so, and what it says."""
    for nth, variant in enumerate(islice(variants(game), MOST_VARIANTS)):
        match = play_out(game, nth, variant)
        for ply in match.some(MOST_PLIES):
            for name, ask in ASKED.items():
                for part in _parts(ask(match, ply)):
                    yield json.dumps([name, part], ensure_ascii=False)


if __name__ == "__main__":
    from importlib.metadata import EntryPoint

    _, name, module = sys.argv
    played: Any = Guest(EntryPoint(name, module, GROUP).load(), module)
    print(*told(played), sep="\n")
