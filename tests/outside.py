"""Packages that bring games, as if installed: their entry points and modules are known."""

from __future__ import annotations

import importlib.metadata
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest


@contextmanager
def brought(*folders: Path) -> Iterator[None]:
    """These folders, each with a pyproject.toml, are installed packages."""
    declared = [
        tomllib.loads((folder / "pyproject.toml").read_text())["project"] for folder in folders
    ]
    entries = [
        _Entry(name, value, group)._of(SimpleNamespace(**_dist(project)))
        for project in declared
        for group, named in project["entry-points"].items()
        for name, value in named.items()
    ]
    modules = {entry.value.partition(".")[0] for entry in entries}
    with pytest.MonkeyPatch.context() as patch:
        for folder in folders:
            patch.syspath_prepend(str(folder))
        patch.setattr(importlib.metadata, "entry_points", partial(_found, entries))
        try:
            yield
        finally:
            for module in [name for name in sys.modules if name.partition(".")[0] in modules]:
                del sys.modules[module]


def _dist(project: dict[str, Any]) -> dict[str, Any]:
    return {"name": project["name"], "version": project["version"]}


def _found(entries: list[Any], *, group: str) -> list[Any]:
    return [entry for entry in entries if entry.group == group]


class _Entry(importlib.metadata.EntryPoint):
    def _of(self, dist: Any) -> Any:
        vars(self)["dist"] = dist
        return self
