"""What a match is played by, as people ask for it: game, edition, options, players, pace."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import pairwise
from typing import Any, Final, NamedTuple

from pbem.core import Game, Seat
from pbem.intake.words import tokens
from pbem.log import clock
from pbem.log.private_press import KINDS
from pbem.log.ruling import DAYS, LINE
from pbem.play import games, options
from pbem.problem import Usage
from pbem.sentence import Sentence, of_data, say

HOUSE: Final = ("press", "zone")
"""What a club's settings say of all its matches, if nothing else is named."""
COLOURS: Final = ("red", "blue", "green", "yellow", "white", "black")
"""The seats of games that take any names."""

_DAYS: Final = re.compile(r"(\d{1,3})(?:days?|d)")
_PLAYERS: Final = re.compile(r"(\d{1,2})(?:players?)?")
_PLAYERS_OF: Final = "{game} · {n} [player|players]"
_UNITS: Final = re.compile(r"(?<=\d) +(?=(?:days?|d|players?)\b)")


class TableTerms(NamedTuple):
    """What a match is played by: the `game`, for how many `players`, by which `ruleset`, with how
    many days for a `turn`, with these `options`; which `press`, and in which `zone` days are
    counted, if that is not as the club has it now. Those who wait for the same stand in one
    line."""

    game: str
    players: int = 0
    ruleset: str = ""
    turn: int = 0
    options: tuple[tuple[str, Any], ...] = ()
    press: str = ""
    zone: str = ""

    @staticmethod
    def of(plain: Mapping[str, Any]) -> TableTerms:
        """The terms that `plain` gave."""
        return TableTerms(**{**plain, "options": tuple(sorted(plain.get("options", {}).items()))})

    def plain(self) -> dict[str, Any]:
        """The terms as a log has them."""
        if not self.players:
            return {"game": self.game}
        chosen = {**self._asdict(), "options": dict(self.options)}
        return {name: value for name, value in chosen.items() if value}

    def text(self) -> str:
        """The terms as `read` takes them: kahuna 2, thames-kosmos, 3 days."""
        if not self.players:
            return self.game
        chosen = (f"{name}={options.typed(value)}" for name, value in self.options)
        parts = (f"{self.game} {self.players}", self.ruleset, *chosen, f"{self.turn} days")
        named = (f"{name}={getattr(self, name)}" for name in HOUSE if getattr(self, name))
        return ", ".join((*parts, *named))

    @property
    def edition(self) -> Sentence:
        """By whose rules it is played."""
        known = options.declared(games.game(self.game))["rulesets"].get(self.ruleset, {})
        return of_data(known.get("title", self.ruleset))

    @property
    def words(self) -> Sentence:
        """The terms for people: Kahuna · 2 players · 5 days a turn · variant 1. An edition is named
        if it is not the usual one of the game."""
        if not self.players:
            return _ALONE[self.game]
        game = games.game(self.game)
        usual = self.ruleset == options.declared(game)["default"]
        parts = [
            say(_PLAYERS_OF, game=game.TITLE, n=self.players),
            say("{n} [day|days] a turn", n=self.turn),
            *([] if usual else [self.edition]),
            *(_option(name, value) for name, value in self.options),
            *([say("press: {press}", press=self.press)] if self.press else []),
            *([say("days counted in {zone}", zone=self.zone)] if self.zone else []),
        ]
        return say("{terms:dots}", terms=parts)

    def under(self, settings: Mapping[str, Any], before: Mapping[str, Any]) -> TableTerms:
        """The same terms once a club has other settings than before (C-17)."""
        if not self.players:
            return self

        def named(name: str) -> str:
            held = getattr(self, name) or before.get(name, "")
            return "" if held == settings[name] else str(held)

        return self._replace(press=named("press"), zone=named("zone"))

    def under_these(self, settings: Mapping[str, Any]) -> dict[str, str]:
        """The press and the zone, where the club has these settings."""
        return {name: getattr(self, name) or settings[name] for name in HOUSE}


ANY: Final = TableTerms("any")
"""Whoever waits for this takes a place at whatever table has one."""
POOL: Final = TableTerms("substitute")
"""Whoever waits for this is asked when a seat is empty."""
_ALONE: Final = {ANY.game: say("any table"), POOL.game: say("a seat that becomes empty")}


def _option(name: str, value: Any) -> Sentence:
    spelt = re.sub(r"_|(?<=[a-z])(?=\d)", " ", name)
    if value is True:
        return say("{option}", option=spelt)
    if value is False:
        return say("without {option}", option=spelt)
    return say("{option}: {value}", option=spelt, value=options.typed(value))


_IS: Final[Mapping[str, Callable[[Any], bool]]] = {
    **dict.fromkeys(
        ("game", "ruleset"), lambda value: isinstance(value, str) and 0 < len(value) <= 40
    ),
    "players": lambda value: type(value) is int and 1 < value <= 20,
    "turn": DAYS.accepts,
    "options": lambda value: isinstance(value, dict) and bool(value),
    "press": lambda value: value in KINDS,
    "zone": LINE.accepts,
}
"""What each value of terms has to be."""


def is_terms(value: Any) -> bool:
    """Is this what `TableTerms.plain` gives? Which games there are is not asked."""
    if not isinstance(value, dict) or value.get("game") in (ANY.game, POOL.game):
        return value in (ANY.plain(), POOL.plain())
    whole = {"game", "players", "ruleset", "turn"} <= value.keys() <= _IS.keys()
    return whole and all(_IS[key](each) for key, each in value.items())


def read(text: str, settings: Mapping[str, Any]) -> TableTerms:
    """The terms that a line asks for, such as `kanaloa-piatnik 4, 3 days` or `kahuna variant1`;
    what it leaves out is as the club's settings and the game have it. Raises Usage."""
    name, rest = beginning(text, settings["games"])
    if name in (ANY.game, POOL.game):
        if rest := rest.strip(" ,"):
            raise Usage("{name} stands alone, without {rest!r:.60}", name=name, rest=rest)
        return TableTerms(name)
    game = games.game(name)
    if name not in settings["games"]:
        raise Usage(
            "this club does not play {game}, only {games:all}", game=name, games=settings["games"]
        )
    players, turn, chosen, ruleset = game.PLAYERS[0], settings["turn"], dict[str, str](), None
    named = dict[str, str]()
    declared = options.declared(game)
    for part in _parts(rest):
        option, equals, value = part.partition("=")
        if found := _DAYS.fullmatch(part):
            turn = int(found[1])
        elif found := _PLAYERS.fullmatch(part):
            players = int(found[1])
        elif option in HOUSE and value:
            named[option] = value
        elif part in declared["rulesets"]:
            ruleset = part
        elif option in declared.get("options", {}):
            chosen[option] = value if equals else "true"
        else:
            raise Usage(
                "{part!r} is no edition or option of {game}, no number of players and no days; "
                "write it like {game} {players}, 3 days",
                part=part,
                game=name,
                players=game.PLAYERS[0],
            )
    press, zone = (named.get(name, settings[name]) for name in HOUSE)
    if press not in KINDS:
        raise Usage("press is one of {kinds:all}, not {press!r}", kinds=KINDS, press=press)
    clock.zone(zone)
    terms = _checked(game, players, turn, ruleset, chosen)
    return terms._replace(press=press, zone=zone).under(settings, settings)


def beginning(text: str, played: Iterable[str]) -> tuple[str, str]:
    """What a line begins with and what follows it: one of the games that are `played`, as it is
    called in logs or by people, or else the first word."""
    words = text.split()
    for name in played:
        for called in (tokens(name), tokens(games.game(name).TITLE)):
            for n in range(1, len(called) + 1):
                if tokens(" ".join(words[:n])) == called:
                    return name, " ".join(words[n:])
    return "".join(words[:1]).rstrip(",").casefold(), " ".join(words[1:])


def apart(text: str, played: Collection[str]) -> list[str]:
    """The lines that one line stands for: "kahuna and kanaloa-bambus 3" names two games."""
    words = text.split()
    starts = [n for n in range(len(words)) if beginning(" ".join(words[n:]), played)[0] in played]
    if starts[:1] != [0]:
        return [text]
    lines = [words[one:end] for one, end in pairwise((*starts, len(words)))]
    shorter = (each[:-1] if each[1:] and each[-1].isalpha() else each for each in lines[:-1])
    return [" ".join(each).rstrip(",") for each in (*shorter, lines[-1])]


def _parts(rest: str) -> list[str]:
    """The parts of a line after its game: between commas, or between blanks."""
    found = list[str]()
    for part in rest.split(","):
        words = part.split()  # of which only a zone is written just so
        one = " ".join(each if each.startswith("zone=") else each.casefold() for each in words)
        found += _UNITS.sub("", one).split()
    return found


def _checked(
    game: Game[Any], players: int, turn: int, ruleset: str | None, chosen: Mapping[str, str]
) -> TableTerms:
    """These terms, as far as the game can be played by them. Raises Usage."""
    options.require_players(game, players)
    if not DAYS.accepts(turn):
        raise Usage("a turn has 1 to 365 days, not {days}", days=turn)
    setup = options.setup(game, seats(game, players), ruleset, chosen)
    given = tuple(sorted((name, setup.options[name]) for name in chosen))
    return TableTerms(game.NAME, players, setup.ruleset, turn, given)


def seats(game: Game[Any], players: int) -> tuple[Seat, ...]:
    """The seats of a table, in order of play."""
    return (game.SEATS or COLOURS)[:players]
