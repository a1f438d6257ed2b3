"""Where schemas, templates and the games' data lie: in a checkout or in an installed wheel."""

from __future__ import annotations

import os
from functools import cache
from typing import Any

_HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_SHIPPED = os.path.join(_HERE, "_data")
ROOT = _SHIPPED if os.path.isdir(_SHIPPED) else os.path.dirname(_HERE)


def game_folder(game: str) -> str:
    """The folder of one of the house's own games: `games/kanaloa_piatnik`."""
    return os.path.join(ROOT, "games", game.replace("-", "_"))


@cache
def game_file(folder: str, name: str) -> Any:
    """A game's data file (`board`, `rules`, `rulesets`), parsed. `folder` is the game's DATA."""
    from pbem.files import yamlio

    return yamlio.read(os.path.join(folder, f"{name}.yaml"), remember=True)


def schema_text(name: str) -> str:
    """The text of a JSON schema of the house. Raises FileNotFoundError."""
    with open(os.path.join(ROOT, "schemas", f"{name}.schema.json"), encoding="utf-8") as file:
        return file.read()


def view_schema(folder: str, game: str) -> str | None:
    """The text of the JSON schema that a game brings of its view, in `schemas/` in its DATA; None
    where there is none."""
    try:
        path = os.path.join(folder, "schemas", f"view-{game}.schema.json")
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return None


def schema_names() -> list[str]:
    """The names of the house's JSON schemas, in order."""
    suffix = ".schema.json"
    names = os.listdir(os.path.join(ROOT, "schemas"))
    return sorted(name.removesuffix(suffix) for name in names if name.endswith(suffix))
