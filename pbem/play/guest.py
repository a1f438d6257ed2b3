"""A game from an installed package: somebody else's code, held to the seam at every call."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from functools import lru_cache, wraps
from itertools import islice
from math import isfinite
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pbem.core import Decision, Event, Move, Outcome, Pattern, Refused, Unreadable, Violation
from pbem.play.patience import Overdue, hurried
from pbem.problem import Faulty, Problem

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP: Final = "pbem.games"
"""The entry point group in which a package names the module of a game it brings."""

CONSTANTS: Final = (
    *("NAME", "TITLE", "SEATS", "PLAYERS", "MOVES", "EVENTS", "PRIVATE", "OUT_OF_TURN", "DATA"),
)


class Contract(NamedTuple):
    """What a function of a game takes and returns, and what it may raise."""

    takes: tuple[str, ...]
    returns: str
    keeps: Callable[[Any], bool]
    raises: tuple[type[Exception], ...] = ()


def _all(kind: type) -> Callable[[Any], bool]:
    return lambda found: isinstance(found, tuple) and all(isinstance(each, kind) for each in found)


def _is_view(found: Any) -> bool:
    return isinstance(found, dict) and all(isinstance(key, str) for key in found)


def _is_outcome(found: Any) -> bool:
    return found is None or (
        isinstance(found, Outcome)
        and isinstance(found.winners, tuple)
        and isinstance(found.scores, Mapping)
        and all(hasattr(score, "__float__") and isfinite(score) for score in found.scores.values())
    )


def _is_kinds(found: Any) -> bool:
    """A kind of question is one word: `always WORD: …` must find it."""
    return isinstance(found, Mapping) and all(
        isinstance(kind, str)
        and len(kind.split()) == 1
        and isinstance(answers, tuple)
        and all(isinstance(each, type) and issubclass(each, Move) for each in answers)
        for kind, answers in found.items()
    )


CONTRACTS: Final = {
    "start": Contract(("setup",), "a state", lambda f: f is not None, (Problem,)),
    "pending": Contract(("state",), "a tuple of decisions", _all(Decision)),
    "candidates": Contract(("state", "decision"), "moves", _all(Move)),
    "check": Contract(
        ("state", "seat", "move"), "True or False", lambda f: isinstance(f, bool), (Violation,)
    ),
    "effects": Contract(("state", "seat", "move"), "events that stand in EVENTS", _all(Event)),
    "evolve": Contract(("state", "event"), "a state", lambda f: f is not None),
    "outcome": Contract(
        ("state",),
        "an Outcome with a tuple of winners and scores that are numbers, or None",
        _is_outcome,
    ),
    "chances": Contract(
        ("state", "move"), "a number of ways", lambda f: isinstance(f, int) and f > 0
    ),
    "view": Contract(("state",), "a dict with words for keys", _is_view),
    "position": Contract(("setup", "view"), "a state", lambda f: f is not None, (Problem,)),
    "parse": Contract(("text",), "a Pattern", lambda f: isinstance(f, Pattern), (Unreadable,)),
    "notate": Contract(("move",), "a text", lambda f: isinstance(f, str) and f != ""),
    "draw": Contract(
        ("view",),
        "a list of lines without control characters",
        lambda f: isinstance(f, list) and all(isinstance(e, str) and e.isprintable() for e in f),
    ),
}
"""The functions a game must have."""


def _is_parts(found: Any) -> bool:
    return isinstance(found, dict) and all(
        name in ("round", "trick") and type(number) is int for name, number in found.items()
    )


MAY: Final = {
    "draw_narrow": CONTRACTS["draw"],
    "svg": Contract(("view",), "a picture as SVG text", lambda f: isinstance(f, str)),
    "scene": Contract(("view",), "a Scene", lambda f: hasattr(f, "shapes")),
    "parts": Contract(("state",), "the number of the round and of the trick, by name", _is_parts),
    "agreed": Contract(("state", "setup"), "a state", lambda f: f is not None),
    "unseen": Contract(
        ("state",),
        "how many there are of each card",
        lambda f: isinstance(f, Mapping) and all(type(n) is int for n in f.values()),
    ),
    "named": Contract(("state", "seat", "choose"), "a state, or None", lambda f: True),
    "standing": Contract(
        ("state",),
        "a number for each seat",
        lambda f: isinstance(f, Mapping) and all(isfinite(number) for number in f.values()),
    ),
    "forced": Contract(("state",), "True or False", lambda f: isinstance(f, bool)),
    "same": Contract(("state", "move", "other"), "True or False", lambda f: isinstance(f, bool)),
    "private": Contract(("view",), "a tuple of keys of the view", _all(str)),
}
"""The functions a game can do without."""

_GENERATED: Final = ("candidates", "effects")

MOST: Final = 100_000
"""How many moves or events a game may give in one call; one that gives more may have no end."""


class Guest:
    """A game that a package brings.

    It has all the names of the package's module. Whatever goes wrong in one of its functions is
    raised as Faulty, with the package and the place; what a function returns is checked.
    """

    def __init__(self, module: Any, package: str) -> None:
        self._module, self._package = module, package
        file = os.path.abspath(getattr(module, "__file__", None) or "?")
        # A package's own code is all in its folder, a lone module's in its file.
        self._home = os.path.dirname(file) + os.sep if hasattr(module, "__path__") else file
        for name in (*CONSTANTS, *CONTRACTS):
            if not hasattr(module, name):
                raise self.fault("{package} is at fault: it has no {name}", name=name)
            if name in CONTRACTS and not callable(getattr(module, name)):
                raise self.fault("{package} is at fault: {name} is no function", name=name)

        if not _is_kinds(getattr(module, "KINDS", {})):
            raise self.fault(
                "{package} is at fault: KINDS is {found!r:.60}; expected the kinds of question, "
                "each one word, with a tuple of the classes of move that answer it",
                found=module.KINDS,
            )

    def __getattr__(self, name: str) -> Any:
        if name in ("_module", "_package", "_home"):  # while the guest is made or copied
            raise AttributeError(name)
        found = getattr(self._module, name)
        contract = CONTRACTS.get(name) or MAY.get(name)
        if contract:
            found = self._held_to(contract, name, found)
            self.__dict__[name] = found
        return found

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Guest) and other._module is self._module

    def __hash__(self) -> int:
        return hash(id(self._module))

    def _held_to(self, contract: Contract, name: str, function: Any) -> Any:
        kinds = tuple(self._module.EVENTS)

        def keeps(found: Any) -> bool:
            return contract.keeps(found) and (
                name != "effects" or all(type(event) in kinds for event in found)
            )

        @wraps(function)
        def held(*given: Any) -> Any:
            try:
                with hurried:
                    found = function(*given)
                    if name in _GENERATED:
                        found = tuple(islice(found, MOST + 1))
            except contract.raises as refusal:
                self._require_written(name, refusal)
                raise
            except Overdue as error:
                raise self.blame(
                    error, name, "{package} is at fault: {name} does not end within {error!s}"
                ) from error
            except (Exception, SystemExit) as error:  # a game does not end the program
                raise self.blame(error, name) from error
            if name in _GENERATED and len(found) > MOST:
                raise self.fault(
                    "{package} is at fault: {name} gives more than {most}; expected fewer {what}",
                    *place_of(function),
                    name=name,
                    most=MOST,
                    what=contract.returns,
                )
            if not keeps(found):
                raise self.fault(
                    "{package} is at fault: {name} returns {found!r:.60}; expected {expected}",
                    *place_of(function),
                    name=name,
                    found=found,
                    expected=contract.returns,
                )
            return found

        return held

    def _require_written(self, name: str, refusal: Exception) -> None:
        """Can a refusal be told to people? If its pattern lacks a value, raises Faulty."""
        try:
            str(refusal)
            if isinstance(refusal, Refused):
                str(getattr(refusal, "advice", None) or "")
        except Exception as error:
            raise self.blame(
                error.with_traceback(refusal.__traceback__),
                name,
                "{package} is at fault: what {name} raises cannot be written: {kind}: {error!s}",
            ) from error

    def fault(self, pattern: str, path: str = "", line: int = 0, /, **values: Any) -> Faulty:
        """What is wrong, and where: in the package's module unless a path is given."""
        path = path or str(getattr(self._module, "__file__", None) or self._module.__name__)
        return Faulty(pattern, path, line, package=self._package, **values)

    def blame(
        self,
        error: BaseException,
        name: str,
        pattern: str = "{package} is at fault: {name} raises {kind}: {error!s}",
    ) -> Faulty:
        """An error in the package's code as a problem, at the last place in that code."""
        path, line = raised_at(error, lambda file: file.startswith(self._home))
        return self.fault(pattern, path, line, name=name, kind=type(error).__name__, error=error)


def raised_at(error: BaseException, ours: Callable[[str], bool]) -> tuple[str, int]:
    """The last place of an error in a file that is `ours`; ("", 0) if there is none."""
    path, line, trace = "", 0, error.__traceback__
    while trace:
        file = os.path.abspath(trace.tb_frame.f_code.co_filename)
        if ours(file):
            path, line = file, trace.tb_lineno
        trace = trace.tb_next
    return path, line


def place_of(function: Any) -> tuple[str, int]:
    """The file of a function and its first line; ("", 0) if nobody knows."""
    code = getattr(function, "__code__", None)
    return (code.co_filename, code.co_firstlineno) if code else ("", 0)


def brought() -> Mapping[str, EntryPoint]:
    """The games that installed packages bring."""
    from importlib.metadata import entry_points  # a tenth of the start-up time: only if needed

    return _listed(entry_points, tuple(sys.path))


@lru_cache(maxsize=1)
def _listed(listing: Callable[..., Any], path: tuple[str, ...]) -> Mapping[str, EntryPoint]:
    """Those that a listing has for a path: to read what is installed takes milliseconds, and what
    was loaded of it stays as it is."""
    return {entry.name: entry for entry in listing(group=GROUP)}


def package_of(game: str) -> str:
    """Who brings a game: `pbem-nerve 1.0`."""
    entry = brought().get(game)
    return " ".join(distribution(game)) or (entry.value if entry else "pbem")


def distribution(game: str) -> tuple[str, str] | tuple[()]:
    """The name and the version of the package that brings a game, () where none does."""
    dist = getattr(brought().get(game), "dist", None)
    return (dist.name, dist.version) if dist else ()
