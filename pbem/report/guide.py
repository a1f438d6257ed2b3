"""What a site says besides its matches: how to play by mail, and the rules of each game."""

from __future__ import annotations

import html
import os
import re
from typing import Any

from pbem.core import Game
from pbem.files import data, languages
from pbem.report import compose, pages
from pbem.sentence import say, spoken


def players(home: str) -> str:
    """The page for everybody who plays, in the language spoken now; `home` is the index of the
    site."""
    told = languages.text(spoken(), "players.md")
    told = told or _read(os.path.join(data.ROOT, "docs", "players.md"))
    return pages.html("text", title=_title(told), body=_body(told), home=home)


def rules(game: Game[Any], home: str) -> str:
    """The rules of a game as a whole, in English, and rule by rule in the language spoken now, each
    under its id, which is its anchor. If that language is not English, rule by rule comes first."""
    told = _read(os.path.join(game.DATA, "RULES.md")) or f"# {game.TITLE}\n"
    known = compose.rules(game)
    rows = "".join(
        f'<dt id="{html.escape(id)}">{html.escape(id)}</dt><dd>{html.escape(says)}</dd>\n'
        for id, says in known.items()
    )

    def linked(found: re.Match[str]) -> str:
        ids = found[1].split(", ")
        if not known.keys() >= set(ids):
            return found[0]
        links = ", ".join(f'<a href="#{id}">{id}</a>' for id in ids)
        return f"[{links}]"

    body = pages.CITED.sub(linked, _body(told))
    each = f"<h2>{html.escape(say('Rule by rule').text())}</h2>\n<dl>\n{rows}</dl>\n"
    if spoken() == languages.ENGLISH:
        return pages.html("text", title=_title(told), body=body + each, home=home)
    title = say("The rules of {title}", title=game.TITLE).text()
    below = say("What follows, the rules as a whole, is in English.").text()
    body = f'<p>{html.escape(below)}</p>\n<div lang="en">\n{body}</div>\n'
    body = f"<h1>{html.escape(title)}</h1>\n{pages.CITED.sub(linked, each)}{body}"
    return pages.html("text", title=title, body=body, home=home)


def _read(path: str) -> str:
    """A text of ours or of a game, "" where there is none."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def _title(text: str) -> str:
    return re.sub(r"^# ", "", text.partition("\n")[0])


def _body(text: str) -> str:
    """Markdown as HTML, without its links to files, which are not on the site."""
    from markdown_it import MarkdownIt

    body = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    body = re.sub(r'<a href="(?!https?:|#)[^"]*">(.*?)</a>', r"\1", body)
    # What is wider than a phone can be scrolled by keyboard, too; an empty cell is no heading.
    body = re.sub(r"<(pre|table)>", r'<\1 tabindex="0">', body)
    return re.sub(r"<th[^>]*></th>", "<td></td>", body)
