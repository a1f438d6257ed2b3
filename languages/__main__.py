"""Bring the catalogues up to what pbem says: `python -m languages [it]`.

The template `pbem.pot` is written anew from the syntax trees; each language's `pbem.po` is brought
up to it, keeping what is translated, and compiled to the `pbem.mo` beside it, which is what runs.
A language that is named is begun.
"""

from __future__ import annotations

import io
import json
import re
import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from babel import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from languages.patterns import ROOT, messages

HERE: Final = ROOT / "languages"
TEMPLATE: Final = HERE / "pbem.pot"
SAMPLES: Final = HERE / "samples.json"
"""What the tests wrote into the blanks of each sentence: `tests/sampled.py`."""
Samples = dict[str, dict[str, list[str]]]
"""Of a sentence, by its first pattern: what stood in each of its blanks."""
COMPLETE: Final = HERE / "complete.json"
"""Of each game, the languages in which a player finds no English."""
GAMES: Final = tuple(sorted(path.name for path in (ROOT / "games").iterdir() if path.is_dir()))
_OF_A_GAME: Final = re.compile(r"(?:pbem/rules|templates|games)/([\w-]+)/")
_ON_TERMINALS: Final = tuple(
    """
    pbem/cli/ pbem/club/clublog.py pbem/club/private.py pbem/club/recount.py
    pbem/testing/ pbem/files/ pbem/play/guest.py pbem/play/codec.py
    pbem/desk/begin.py pbem/desk/form.py pbem/play/options.py pbem/views.py pbem/log/chained.py
    pbem/log/audit.py pbem/log/format.py pbem/log/reader.py pbem/log/doubts.py pbem/matches/index.py
    pbem/matches/matches.py pbem/mailroom/earlier.py pbem/mailroom/server.py
    pbem/mailroom/granting.py
    pbem/mailroom/inbox/ pbem/mailroom/forget.py pbem/mailroom/moving.py
    """.split()
)
"""Where what is said is told to a moderator at a terminal alone."""


def template() -> Catalog:
    """Every sentence of pbem, the files it stands in, and with what its blanks have been filled."""
    found = Catalog(project="pbem", version="", charset="utf-8", fuzzy=False)
    seen_in = samples()
    for file, one, many in messages():
        if one:
            seen = [f"{blank}: {', '.join(of)}" for blank, of in seen_in.get(one, {}).items()]
            id = (one, many) if many else one
            found.add(id, locations=[(file, 0)], auto_comments=seen)
    return found


def samples() -> Samples:
    """What the tests wrote into the blanks of each sentence."""
    return dict(json.loads(SAMPLES.read_text(encoding="utf-8")))


def sampled(found: Samples) -> str:
    """Such samples as their file has them: a sentence a line."""
    lines = (
        f"{json.dumps(said, ensure_ascii=False)}: {json.dumps(of, ensure_ascii=False)}"
        for said, of in sorted(found.items())
    )
    return "{\n" + ",\n".join(lines) + "\n}\n"


def catalogues() -> list[Path]:
    """The catalogue of each language."""
    return sorted(HERE.glob("*/LC_MESSAGES/pbem.po"))


def read(path: Path) -> Catalog:
    """A catalogue as its file has it."""
    with path.open("rb") as file:
        return read_po(file, locale=path.parts[-3])


def brought_up(path: Path, of: Catalog) -> Catalog:
    """A catalogue with the sentences of a template, and what is translated of them."""
    found = read(path) if path.exists() else Catalog(locale=path.parts[-3], fuzzy=False)
    found.update(of, no_fuzzy_matching=True)
    found.obsolete.clear()
    return found


def written(catalogue: Catalog) -> bytes:
    """A catalogue as its file has it: no dates, so that the same sentences are the same bytes."""
    file = io.BytesIO()
    for message in catalogue:
        message.locations = sorted({(name, None) for name, _ in message.locations})
    write_po(file, catalogue, width=100, sort_output=False, omit_header=False, include_lineno=False)
    lines = file.getvalue().decode().split("\n")
    dated = ('"POT-Creation-Date', '"PO-Revision-Date', '"Generated-By', '"Last-Translator')
    return "\n".join(line for line in lines if not line.startswith(dated)).encode()


def is_whole(message: Message) -> bool:
    """Is a sentence translated, in each of its plural forms?"""
    given = (message.string,) if isinstance(message.string, str) else message.string or ("",)
    return bool(message.id) and all(given)


def lacking(catalogue: Catalog, game: str) -> Iterator[Message]:
    """The sentences that a player of a game may read and that are not translated."""
    for message in catalogue:
        if message.id and not is_whole(message):
            files = (file for file, _ in message.locations if not file.startswith(_ON_TERMINALS))
            of = (found and found[1] for found in map(_OF_A_GAME.match, files))
            if any(each is None or each.replace("-", "_") == game for each in of):
                yield message


def complete() -> str:
    """What COMPLETE says, as these catalogues are."""
    found = {path.parts[-3]: read(path) for path in catalogues()}
    told = {
        game.replace("_", "-"): [
            code for code, each in found.items() if not any(lacking(each, game))
        ]
        for game in GAMES
    }
    return json.dumps(told, indent=1) + "\n"


def compiled(catalogue: Catalog) -> bytes:
    """What runs of a catalogue: its translated sentences."""
    running = _Running(catalogue)
    for message in filter(is_whole, catalogue):
        running[message.id] = message
    file = io.BytesIO()
    write_mo(file, running)
    return file.getvalue()


class _Running(Catalog):
    """A catalogue as it runs: nothing in it says when and by what it was made."""

    def __init__(self, source: Catalog) -> None:
        super().__init__(locale=source.locale, fuzzy=False)
        self._plural = source.plural_forms  # as translated, whatever the library knows of it

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        """What the plural is chosen by, and how the text is coded."""
        return [("Content-Type", "text/plain; charset=utf-8"), ("Plural-Forms", self._plural)]


def _language(code: str) -> str:
    """The code of a language of this world. Raises ArgumentTypeError."""
    try:
        return str(Locale.parse(code))
    except (ValueError, UnknownLocaleError):
        raise ArgumentTypeError(f"{code!r} is no code of a language, like it or pt_BR") from None


def main(arguments: list[str]) -> None:
    """Write the template and all catalogues; begin those of the languages named."""
    parser = ArgumentParser("python -m languages", description=__doc__)
    parser.add_argument("begun", metavar="LANGUAGE", nargs="*", type=_language, help="to begin")
    begun: list[str] = parser.parse_args(arguments).begun
    of = template()
    TEMPLATE.write_bytes(written(of))
    said = {each.id if isinstance(each.id, str) else each.id[0] for each in of}
    kept = {one: blanks for one, blanks in samples().items() if one in said}
    SAMPLES.write_text(sampled(kept), encoding="utf-8")
    new = [HERE / language / "LC_MESSAGES" / "pbem.po" for language in begun]
    for path in sorted({*catalogues(), *new}):
        catalogue = brought_up(path, of)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(written(catalogue))
        path.with_suffix(".mo").write_bytes(compiled(read(path)))
        print(f"{path.parts[-3]}: {sum(map(is_whole, catalogue))} of {len(catalogue)}")
    COMPLETE.write_text(complete(), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
