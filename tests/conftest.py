"""Shared by all tests: the clock stands still, and nothing is written into anybody's home."""

from __future__ import annotations

import gc
import os
import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from email.headerregistry import HeaderRegistry
from functools import lru_cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest
from chromium import chromium
from commands import Room, dealt
from firefox import firefox
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers
from long import LONG, many

from pbem.core import Event
from pbem.log import seal, sealing
from pbem.log.entries import Ply
from pbem.log.format import Log
from pbem.log.seal import Keyring
from pbem.pictures import png, preview
from pbem.report import site
from pbem.testing import (
    checking,
    laws_of_knowledge,
    laws_of_trust,
    pytested,
    random_matches,
    reseeded,
)

assert chromium  # fixtures
assert firefox

# Packages of their own, with tests of their own.
collect_ignore = ["example_game", "card_game", "orders_game"]
NOON = "1790000000"
sys.dont_write_bytecode = False  # or each worker compiles all tests anew


def _fewer_matches() -> None:
    """A third of as many matches are played, and the laws look at a quarter of as many as in a long
    run, those in which most happens: they show nearly as many kinds of moves and consequences. In
    each they look at the first ply of each kind, of which there are sixty at most, and at ten
    others. One question is asked as often, a few of the last entries are told in each dialect, and
    every fifth ply of these matches is asked whether it changes its state."""
    random_matches.MOST_SPREAD, laws_of_trust.AGAIN = 10, 10
    laws_of_knowledge.ITS_END = 5
    played = pytested._matches

    @lru_cache(maxsize=4)
    def telling(name: str, variant: Any) -> list[pytested.Played]:
        with patch.object(random_matches, "EACH_LOOKED_AT", 5):
            return checking._telling(played(name, variant))

    fewer = [
        law._replace(
            matches=-(-(law.matches or pytested.SEEDS) // 4), plies=min(law.plies or 60, 60)
        )
        for law in pytested.PLAYED
    ]
    pytested.PLAYED, pytested.SEEDS = tuple(fewer), 4
    pytested._matches = telling


if not LONG:
    _fewer_matches()

# What a usual run comes to rests neither on luck nor on how fast the machine is: its examples are
# the same each time. A long run looks for new ones.
settings.register_profile(
    "pbem",
    max_examples=many(40, 100),
    derandomize=not LONG,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("pbem")
# The constants in all modules that happen to be loaded are no examples either: to collect them
# takes a second, and which they are rests on the tests before.
providers.is_local_module_file = lambda file: False

LOTS = random.Random()
"""Where the secrets of matches come from that are dealt here: the same ones in each test."""


MEMORY = "/dev/shm"
ENOUGH = 2 << 30
"""So many bytes of memory must be free for files; those of a run take a hundredth."""


def _files_in_memory() -> None:
    """Nothing waits for the disk, where there is memory to hold files that can be run, too."""
    if not os.access(MEMORY, os.W_OK):
        return
    about = os.statvfs(MEMORY)
    if about.f_bavail * about.f_frsize > ENOUGH and not about.f_flag & os.ST_NOEXEC:
        os.environ.setdefault("TMPDIR", MEMORY)
        tempfile.tempdir = None  # pytest has asked where that is before


_files_in_memory()


SAMPLER = None
if "PBEM_SAMPLES" in os.environ:
    from sampled import SAMPLER

    SAMPLER.start()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: some of them wait for a browser, a server or a process."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_finish() -> None:
    gc.freeze()  # or all that was imported and collected is looked through for garbage, each time


@pytest.hookimpl(trylast=True)  # once all fixtures are gone
def pytest_sessionfinish() -> None:
    if SAMPLER:
        SAMPLER.write()
    gc.collect()
    gc.freeze()  # or pytest looks all that was kept through for garbage, twice, and so does Python


# The same board is on the pages of many tests.
png.painted, png.png = (lru_cache(maxsize=None)(paint) for paint in (png.painted, png.png))
PAINTED = png.png


def _cards_unpainted(drawn: str, width: int = 1080) -> bytes:
    """A card for links takes longer than all else of a site: here it begins like one, and goes on
    with what it would be painted from."""
    return site._CARD + drawn.encode() if width == preview.SIZE[0] else PAINTED(drawn, width)


png.png = _cards_unpainted
RESEEDED, reseeded.findings = reseeded.findings, lambda game: iter(())  # of two processes more
FILMED, preview.film = preview.film, lambda now: site._FILM  # of which the same is true


def _headers_taken_apart_once(registry: Any) -> None:
    """Mail after mail has the same ones; the standard library makes a class for each, each time it
    is asked for. Long ones are left to it: what they cost is looked at."""
    take_apart = registry.__call__
    remembered = lru_cache(maxsize=2048)(take_apart)

    def taken_apart(self: Any, name: str, value: Any) -> Any:
        short = type(value) is str and len(value) <= 100
        return (remembered if short else take_apart)(self, name, value)

    registry.__call__ = taken_apart


_headers_taken_apart_once(HeaderRegistry)


def _opened_once(events_of: Callable[..., tuple[Event, ...]]) -> Callable[..., tuple[Event, ...]]:
    """Log after log is read again as it stands, or with a ply more. The chain of a ply says all
    that its events were written from."""
    opened: dict[tuple[Any, Keyring, str], tuple[Event, ...]] = {}

    def again(log: Log, game: Any, keyring: Keyring, ply: Ply) -> tuple[Event, ...]:
        of = game.EVENTS, keyring, ply.chain
        found = opened.get(of)
        if found is None:
            found = opened[of] = events_of(log, game, keyring, ply)
        return found

    return again


sealing.events_of = _opened_once(sealing.events_of)


_IN_BROWSERS = {"chromium", "firefox", "phone"}


def pytest_runtest_setup() -> None:
    LOTS.seed(1)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What needs a browser comes first, and so to one worker: each worker that has such a test must
    start browsers of its own, and others work while it waits for them."""
    items.sort(key=lambda item: _IN_BROWSERS.isdisjoint(getattr(item, "fixturenames", ())))
    if sys.platform == "win32":
        for item in items:
            if item.get_closest_marker("posix"):
                item.add_marker(pytest.mark.skip(reason="signals, devices and servers of POSIX"))


@pytest.fixture(scope="session", autouse=True)
def _quiet_surroundings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOURCE_DATE_EPOCH", NOON)
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        patch.delenv("PBEM_KEY", raising=False)
        patch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)  # or each process compiles it all
        patch.setattr(seal, "os", SimpleNamespace(urandom=LOTS.randbytes))
        patch.setattr(os, "fsync", lambda file: None)  # no test pulls the plug
        patch.setenv("PBEM_PICTURES", "no")  # they take longer than everything else in a mail
        yield


@pytest.fixture
def cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cards for links are painted: for whoever looks at one."""
    monkeypatch.setattr(png, "png", PAINTED)


@pytest.fixture
def hash_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check of a game plays in processes of their own with other hash seeds, too."""
    monkeypatch.setattr(reseeded, "findings", RESEEDED)


@pytest.fixture
def films(monkeypatch: pytest.MonkeyPatch) -> None:
    """Films of matches are painted, too."""
    monkeypatch.setattr(preview, "film", FILMED)


@pytest.fixture
def room(tmp_path: Path) -> Room:
    """A match of Kahuna with white to move, always dealt the same."""
    return dealt(tmp_path)
