"""From a ruleset and a few options to a complete set-up, checked."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import ModuleType
from typing import Any

from pbem.core import NOBODY, Game, Seat, Setup
from pbem.files import yamlio
from pbem.files.data import game_file, schema_text
from pbem.problem import BadFile, Usage

_SEAT_NAME = r"[a-z][a-z0-9_-]{0,19}"


def setup(
    game: Game[Any],
    seats: Iterable[Seat],
    ruleset: str | None = None,
    options: Mapping[str, Any] | None = None,
    board: Mapping[str, Any] | None = None,
) -> Setup:
    """The set-up with a value for every option of the game. Raises Usage."""
    rulesets = declared(game)
    places = tuple(seats)
    _check_seats(game, places)
    name = ruleset or rulesets["default"]
    editions, known = rulesets["rulesets"], rulesets.get("options", {})
    if name not in editions:
        raise _no_ruleset(game, name, editions)
    values = {option: about["default"] for option, about in known.items()}
    values.update(editions[name].get("options", {}))
    for option, value in (options or {}).items():
        if option not in known:
            raise _no_option(game, option, known)
        values[option] = _read(option, known[option], value, places)
    return Setup(places, name, values, board)


def _no_ruleset(game: Game[Any], said: str, editions: Iterable[str]) -> Usage:
    known = [*editions]
    pattern = "{title} has no ruleset {said!r}, only {known:all}"
    if near := _near(said, known):
        pattern = "{title} has no ruleset {said!r}, only {known:all}; did you mean {near:any}?"
    return Usage(pattern, title=game.TITLE, said=said, known=known, near=near)


def _no_option(game: Game[Any], said: str, options: Iterable[str]) -> Usage:
    known = [*options]
    pattern = "{title} has no option {said!r}, only {known:all}"
    if near := _near(said, known):
        pattern = "{title} has no option {said!r}; did you mean {near:any}?"
    return Usage(pattern, title=game.TITLE, said=said, known=known, near=near)


def pairs(
    option: str, given: Iterable[str], example: str, read: Callable[[str], Any] = str
) -> dict[str, Any]:
    """What an option that is repeated says of each name: NAME=VALUE, like the example. Raises
    Usage, also for two of a name."""
    found = dict[str, Any]()
    for name, value in (pair(option, text, example) for text in given):
        if name in found:
            raise Usage("{option} {name} is given twice", option=option, name=name)
        found[name] = read(value)
    return found


def pair(option: str, text: str, example: str) -> tuple[str, str]:
    """The name and the value that an option says, like the example. Raises Usage."""
    name, equals, value = text.partition("=")
    if not equals:
        raise Usage(
            "{option} {text!r} lacks its value; write it like {example}",
            option=option,
            text=text,
            example=example,
        )
    return name.strip(), value.strip()


def declared(game: Game[Any]) -> dict[str, Any]:
    """The rulesets and options of a game, as `rulesets.yaml` has them. Raises BadFile."""
    found: dict[str, Any] = game_file(game.DATA, "rulesets")
    for fault in () if isinstance(game, ModuleType) else faults(found):  # the house's own are whole
        raise fault.at(os.path.join(game.DATA, "rulesets.yaml"))
    return found


def faults(rulesets: Any) -> Iterator[BadFile]:
    """What is wrong with the data of a `rulesets.yaml`."""
    misfits = yamlio.misfits(rulesets, schema_text("rulesets"))
    if misfits:
        yield from (BadFile("{key}: {said}", key=key or "all", said=said) for key, said in misfits)
        return
    chosen, options = rulesets["rulesets"], rulesets.get("options", {})
    if rulesets["default"] not in chosen:
        yield BadFile("default: expected one of {rulesets:any}", rulesets=chosen)
    for name, about in chosen.items():
        if unknown := sorted(set(about.get("options", {})) - set(options)):
            yield BadFile(
                "ruleset {name} sets {unknown:all}, which no option declares",
                name=name,
                unknown=unknown,
            )


def typed(value: Any) -> str:
    """The value of an option as somebody would type it."""
    match value:
        case bool():
            return str(value).lower()
        case dict():
            return ", ".join(f"{key}:{each}" for key, each in value.items())
        case list():
            return ", ".join(map(str, value))
    return str(value)


def require_players(game: Game[Any], n: int) -> None:
    """Raises Usage unless so many can play a game."""
    (least, most), title = game.PLAYERS, game.TITLE
    if not least <= n <= most:
        if least == most:
            raise Usage("{title} is for {most} players, not {n}", title=title, most=most, n=n)
        raise Usage(
            "{title} is for {least} to {most} players, not {n}",
            title=title,
            least=least,
            most=most,
            n=n,
        )


def _check_seats(game: Game[Any], seats: tuple[Seat, ...]) -> None:
    require_players(game, len(seats))
    for seat in seats:
        if game.SEATS and seat not in game.SEATS:
            raise Usage(
                "{title} has no seat {seat!r}, only {seats:all}",
                title=game.TITLE,
                seat=seat,
                seats=game.SEATS,
            )
        if not re.fullmatch(_SEAT_NAME, seat) or seat in NOBODY or seats.count(seat) > 1:
            raise Usage(
                "{seat!r} cannot be a seat: small letters and digits, each once, not {nobody:any}",
                seat=seat,
                nobody=NOBODY,
            )


def _near(said: str, known: Iterable[str]) -> list[str]:
    """The name somebody may have meant, if there is one."""
    from difflib import get_close_matches

    words = {word: name for name in known for word in (*re.split(r"[-_]", name), name)}
    return [words[word] for word in get_close_matches(str(said), words, n=1, cutoff=0.7)]


def _read(option: str, about: Mapping[str, Any], value: Any, seats: tuple[Seat, ...]) -> Any:
    """The value of an option, given as text on a command line or as data in a log."""
    kind = KINDS[about["kind"]]
    read = kind(about, value, seats)
    if read is None and value is not None:
        can_be = "|".join(seats) if about["kind"] == "seat" else values(about)
        raise Usage(
            "option {option} cannot be {value!r}, only {can_be}",
            option=option,
            value=value,
            can_be=can_be,
        )
    return read


def values(about: Mapping[str, Any]) -> str:
    """What an option may be, in short: `true|false`, `at_five|instead|free`, `SEAT`."""
    match about["kind"]:
        case "flag":
            return "true|false"
        case "word":
            return "|".join(about["words"])
        case "seat":
            return "SEAT"
        case "seat_numbers":
            return "|".join(f"SEAT:{n}" for n in range(about["least"], about["most"] + 1))
    return "NAME,NAME,…"


def _seat(about: Mapping[str, Any], value: Any, seats: tuple[Seat, ...]) -> str | None:
    return value if value in seats else None


def _flag(about: Mapping[str, Any], value: Any, seats: tuple[Seat, ...]) -> bool | None:
    words = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
    return words.get(str(value).lower())


def _word(about: Mapping[str, Any], value: Any, seats: tuple[Seat, ...]) -> str | None:
    said = "none" if value is None else str(value)
    return said if said in about["words"] else None


def _seat_numbers(
    about: Mapping[str, Any], value: Any, seats: tuple[Seat, ...]
) -> dict[str, int] | None:
    if isinstance(value, str):
        pairs = [part.partition(":")[::2] for part in value.split(",")]
        value = {seat.strip(): int(n) if n.strip().isdecimal() else n for seat, n in pairs}
    fits = isinstance(value, dict) and all(
        seat in seats and type(n) is int and about["least"] <= n <= about["most"]
        for seat, n in value.items()
    )
    return value if fits else None


def _names(about: Mapping[str, Any], value: Any, seats: tuple[Seat, ...]) -> list[str] | None:
    if isinstance(value, str):
        value = [part.strip() for part in value.split(",")]
    fits = isinstance(value, list) and all(isinstance(name, str) for name in value)
    return value if fits else None


KINDS: dict[str, Callable[[Mapping[str, Any], Any, tuple[Seat, ...]], Any]] = {
    "seat": _seat,
    "flag": _flag,
    "word": _word,
    "seat_numbers": _seat_numbers,
    "names": _names,
}
"""What reads the value of an option, by the option's kind; it gives None for one that is wrong."""
