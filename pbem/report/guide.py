"""What a site says besides its matches: how to play by mail, and the rules of each game."""

from __future__ import annotations

import html
import os
import re
from typing import Any, Final

from pbem.core import Game
from pbem.files import data, languages
from pbem.files.data import game_file
from pbem.report import pages
from pbem.sentence import of_data, spoken

_CITED: Final = re.compile(r"\[(\w+-\w+(?:, \w+-\w+)*)\]")
"""A rule that a text names, or several."""


def players(home: str) -> str:
    """The page for everybody who plays, in the language spoken now; `home` is the index of the
    site."""
    told = languages.text(spoken(), "players.md")
    return _page(told or _read(os.path.join(data.ROOT, "docs", "players.md")), home)


def rules(game: Game[Any], home: str) -> str:
    """The rules of a game as it tells them, then each of them under its id, which is its anchor."""
    told = _read(os.path.join(game.DATA, "RULES.md")) or f"# {game.TITLE}\n"
    known = {rule["id"]: of_data(rule["says"]).text() for rule in game_file(game.DATA, "rules")}
    rows = "".join(
        f'<dt id="{html.escape(id)}">{html.escape(id)}</dt><dd>{html.escape(says)}</dd>\n'
        for id, says in known.items()
    )
    more = f"<h2>Rule by rule</h2>\n<dl>\n{rows}</dl>\n"

    def linked(found: re.Match[str]) -> str:
        ids = found[1].split(", ")
        if not known.keys() >= set(ids):
            return found[0]
        links = ", ".join(f'<a href="#{id}">{id}</a>' for id in ids)
        return f"[{links}]"

    return _page(told, home, lambda body: _CITED.sub(linked, body) + more)


def _read(path: str) -> str:
    """A text of ours or of a game, "" where there is none."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def _page(text: str, home: str, finish: Any = str) -> str:
    """Markdown as a page. What it links to besides the web is not on the site."""
    from markdown_it import MarkdownIt

    body = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    body = re.sub(r'<a href="(?!https?:|#)[^"]*">(.*?)</a>', r"\1", body)
    # What is wider than a phone is moved with the keyboard as well; an empty cell is no heading.
    body = re.sub(r"<(pre|table)>", r'<\1 tabindex="0">', body)
    body = re.sub(r"<th[^>]*></th>", "<td></td>", body)
    title = re.sub(r"^# ", "", text.partition("\n")[0])
    return pages.html("text", title=title, body=finish(body), home=home)
