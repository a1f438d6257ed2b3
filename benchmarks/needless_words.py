"""Which phrases of a word list no case needs.

    python benchmarks/needless_words.py caveats [FOLDER…] [--fields hand,elsewhere] [--write]

Cases are tests/cases/reading, tests/people, and the folders named, of the form of the former. All
are judged in this process with the whole list. Then the phrases of a field are taken away: if a
case comes out worse, those it holds are tried apart from the rest, then each half of them, down to
one phrase, which is needed. Besides, a phrase that takes an order back must not be played over when
it stands alone beside one. It prints what is needed and for which case; with `--write` the file is
left without the rest.
"""

from __future__ import annotations

import argparse
import io
import re
import shutil
import sys
import tempfile
import textwrap
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import _lru_cache_wrapper, cache, cached_property
from importlib import import_module
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NamedTuple

from PIL import Image

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

import test_people as people
import test_reading_cases as reading

from pbem.intake import words
from pbem.log.match import Replay
from pbem.pictures import png

HOUSE: Final = Path(__file__).resolve().parent.parent
ALIKE: Final = ("caveats", "courtesies", "little", "verbs")
"""The lists whose words show which language a line is in."""
BESIDE: Final = ("not", "back", "if", "perhaps", "later", "other")
"""The fields of caveats whose phrases are tried alone beside an order."""
NO_WORSE: Final = {("asked", "held"), ("asked", "person"), ("asked", "played"), ("held", "played")}


class Phrase(NamedTuple):
    """One phrase of a list, and where it stands."""

    language: str
    field: str
    text: str


class Case:
    """A mail, its words, and whether what comes of it is as good as what came of it first."""

    def __init__(self, name: str, text: str, judged: Callable[[], Any], worse: Any) -> None:
        self.name, self.text, self.judged, self.worse = name, text, judged, worse
        self.first: Any = None

    @cached_property
    def line(self) -> str:
        """Its words, and what they are without an elision, with blanks around each."""
        told = words.tokens(self.text)
        return f" {' '.join(told)} {' '.join(word.rpartition(chr(39))[2] for word in told)} "

    def holds(self, phrase: Phrase) -> bool:
        """Does it hold a phrase, or the beginning of a word?"""
        if phrase.field == "sign":
            return phrase.text in self.text
        said = " ".join(words.tokens(phrase.text))
        return f" {said}{'' if phrase.field.endswith('begins') else ' '}" in self.line

    def suffers(self) -> bool:
        return bool(self.worse(self.first, self.judged()))


class List:
    """A list of words, of which this process reads what is left."""

    def __init__(self, name: str) -> None:
        self.name, self.whole = name, words._file.__wrapped__
        self.phrases = [
            Phrase(language, field, text)
            for language, field, row in self.whole(name)
            for text in words._split(row)
        ]
        self.gone: set[Phrase] = set()
        self.cached = [each for module in rooms() for each in caches(module)]
        for file in ALIKE:
            words.by_language(file)
        self.others = cache(self.whole)
        words._file = self.file

    def file(self, name: str) -> tuple[tuple[str, str, str], ...]:
        if name != self.name:
            return self.others(name)
        left: dict[tuple[str, str], list[str]] = defaultdict(list)
        for phrase in self.phrases:
            if phrase not in self.gone:
                left[phrase[:2]].append(phrase.text)
        return tuple((*at, "|".join(some)) for at, some in left.items())

    def without(self, gone: set[Phrase]) -> None:
        self.gone = gone
        for cached in self.cached:
            cached.cache_clear()

    def vanishing(self, group: Iterable[Phrase]) -> set[str]:
        """The words that no phrase of their language has any more without these."""
        left: dict[str, set[str]] = defaultdict(set)
        away = self.gone | {*group}
        for phrase in self.phrases:
            if phrase not in away:
                left[phrase.language].update(words.tokens(phrase.text))
        for file in {*ALIKE} - {self.name}:
            for language, _, row in self.others(file):
                left[language].update(words.tokens(row))
        return {w for p in group for w in words.tokens(p.text) if w not in left[p.language]}


def rooms() -> list[ModuleType]:
    """The modules that read words, all imported."""
    folder = HOUSE / "pbem"
    files = (
        file
        for room in ("intake", "meaning", "desk", "mailroom", "report")
        for file in sorted((folder / room).rglob("*.py"))
    )
    named = (".".join(file.relative_to(HOUSE).with_suffix("").parts) for file in files)
    return [import_module(name.removesuffix(".__init__")) for name in named]


def caches(module: ModuleType) -> Iterator[Any]:
    inner = (
        each
        for kind in vars(module).values()
        if isinstance(kind, type)
        for each in vars(kind).values()
    )
    for each in (*vars(module).values(), *inner):
        each = getattr(each, "__func__", each)
        if isinstance(each, _lru_cache_wrapper) and each.__module__ == module.__name__:
            yield each


class Tables:
    """The positions at which mails arrive, and a new folder for each mail."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.places, self.numbers = folder, dict[str, Any](), count()

    def lay(self, name: str) -> Any:
        if name not in self.places:
            place = reading.book()["positions"][name]
            self.places[name] = reading.set_up(self.folder / name, place)
        return self.places[name]

    def came(self, case: Any) -> Any:
        room = self.folder / str(next(self.numbers))
        try:
            return reading.came_of(case, self.lay(case.at), room)
        finally:
            shutil.rmtree(room, ignore_errors=True)

    def case(self, case: Any) -> Case:
        def worse(first: Any, came: Any) -> bool:
            if (first.of_it, first.played, first.offered) == came[:3]:
                return False
            kind = (first.of_it, came.of_it)
            return (kind[0] != kind[1] and kind not in NO_WORSE) or bool(reading.wrong(case, came))

        text = "\n".join((case.subject, case.mail, re.sub("<[^>]*>", " ", case.html)))
        return Case(case.name, text, lambda: self.came(case), worse)

    def alone(self, phrase: Phrase) -> list[Case]:
        """A phrase by itself beside an order, in a block and bare."""
        return [
            self.case(reading.Case(f"alone/{phrase}", "kahuna", text, "unplayed", ()))
            for text in (
                f"BARI-DUDA\ndraw\n\n{phrase.text}\n",
                f"[move]\nBARI-DUDA\ndraw\n[/move]\n\n{phrase.text}\n",
            )
        ]


def of_people(folder: Path) -> Iterator[Case]:
    """The mails of tests/people: what was played stays, and nothing else comes to be offered."""
    tables = {}
    for name, place in people.POSITIONS.items():
        (folder / name).mkdir()
        room = people.dealt_like(folder / name, place)
        tables[name] = people.Table(room, room.read()._replace(shown={}), place["seats"])
    kept, read = {str(table.room.log): table.now for table in tables.values()}, Replay.read
    Replay.read = lambda path, keyring: kept.get(path) or read(path, keyring)  # type: ignore
    for mail in people.MAILS:
        yield of_person(mail, tables[mail["position"]])


def of_person(mail: Any, table: Any) -> Case:
    means = mail["means"]
    kind, meant = (means, []) if isinstance(means, str) else next(iter(means.items()))
    meant = people.canonical(table, meant)

    def worse(first: Any, came: Any) -> bool:
        played, offered = came
        if came == first:
            return False
        if kind == "none":
            right = offered in ([], [people.block(mail, table)], mail.get("waits"))
        else:
            right = not offered or kind == "asks" or meant in offered
        if kind in ("asks", "none"):
            return bool(played) or not right
        return (
            (played or meant) != meant
            or not right
            or bool(first[0] and not played)
            or bool(first[1] and not (played or offered))
        )

    text = "\n".join((mail.get("subject") or "", mail.get("text") or "", mail.get("html") or ""))
    return Case(f"people/{mail['id']}", text, lambda: people.came_of(mail, table), worse)


def of_folders(tables: Tables, folders: list[Path]) -> Iterator[Case]:
    for folder in (reading.OWN, *folders):
        reading.FOLDER = folder
        yield from map(tables.case, reading.cases())


class Search:
    """Takes away what no case needs."""

    def __init__(self, listed: List, cases: list[Case], tables: Tables) -> None:
        self.listed, self.cases, self.tables = listed, cases, tables
        self.alone: dict[Phrase, list[Case]] = {}

    def stands_alone(self, phrases: list[Phrase]) -> None:
        """Judge each phrase by itself beside an order with the whole list."""
        for phrase in phrases:
            if self.listed.name == "caveats" and phrase.field in BESIDE:
                cases = self.tables.alone(phrase)
                for case in cases:
                    case.first = case.judged()
                self.alone[phrase] = [case for case in cases if case.first.of_it != "played"]

    def suffers(self, group: list[Phrase]) -> Case | None:
        """The first case that comes out worse without these phrases; None if none does."""
        before, gone = self.listed.gone, self.listed.vanishing(group)
        met = [
            case
            for case in self.cases
            if any(f" {word} " in case.line for word in gone) or any(map(case.holds, group))
        ]
        met.extend(case for phrase in group for case in self.alone.get(phrase, ()))
        self.listed.without(before | {*group})
        worse = next((case for case in met if case.suffers()), None)
        if worse:
            self.listed.without(before)
        return worse

    def thin(self, group: list[Phrase]) -> None:
        """Take away what is needless of a group of phrases."""
        if not group or not (worse := self.suffers(group)):
            return
        if len(group) == 1:
            print(*group[0], worse.name, sep=" | ", flush=True)
            return
        held = [phrase for phrase in group if worse.holds(phrase)]
        if len(held) in (0, len(group)):
            held = group[: len(group) // 2]
        self.thin([phrase for phrase in group if phrase not in {*held}])
        self.thin(held)


def left(listed: List, text: str) -> str:
    """The text of a file with what is left of its phrases; a field that lost none stays."""
    out: list[str] = []
    language, block = "", list[str]()

    def close() -> None:
        field = block[0].partition(":")[0] if block else ""
        some = [p for p in listed.phrases if p[:2] == (language, field)]
        stay = [p.text for p in some if p not in listed.gone]
        if len(stay) == len(some):
            out.extend(block)
        elif stay:
            said = f"{field}: {' | '.join(stay)}"
            out.extend(textwrap.wrap(said, 100, subsequent_indent="    ", break_on_hyphens=False))
        block.clear()

    for line in text.split("\n"):
        if line[:1] != " ":
            close()
        if line[:1] == "[":
            language = line.strip("[]")
        if line[:1] in ("", "#", "["):
            out.append(line)
        else:
            block.append(line)
    return "\n".join(out)


def main() -> None:
    asks = argparse.ArgumentParser(description=__doc__)
    asks.add_argument("list", help="the name of a list in pbem/intake/words")
    asks.add_argument("folders", nargs="*", type=Path, help="more cases")
    asks.add_argument("--fields", default="", help="look at these alone")
    asks.add_argument("--write", action="store_true", help="leave the list without them")
    asked = asks.parse_args()
    dot = io.BytesIO()
    Image.new("RGB", (1, 1)).save(dot, "PNG")
    png.painted = lambda *_, **__: dot.getvalue()
    folder = Path(tempfile.mkdtemp())
    try:
        run(asked, folder)
    finally:
        shutil.rmtree(folder)


def run(asked: argparse.Namespace, folder: Path) -> None:
    listed, tables = List(asked.list), Tables(folder)
    listed.without(set())
    cases = [*of_folders(tables, asked.folders), *of_people(folder)]
    for case in cases:
        case.first = case.judged()
    fields = asked.fields.split(",") if asked.fields else {p.field: 1 for p in listed.phrases}
    search = Search(listed, cases, tables)
    search.stands_alone([phrase for phrase in listed.phrases if phrase.field in fields])
    print(f"{len(cases)} cases judged", flush=True)
    for field in fields:
        group = [phrase for phrase in listed.phrases if phrase.field == field]
        search.thin(group)
        stay = [phrase for phrase in group if phrase not in listed.gone]
        print(f"{field}: {len(stay)} of {len(group)} are needed", flush=True)
    if bad := [case.name for case in cases if case.suffers()]:
        print("worse, taken together:", *bad)
    if asked.write:
        file = HOUSE / "pbem" / "intake" / "words" / f"{asked.list}.txt"
        file.write_text(left(listed, file.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
