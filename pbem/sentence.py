"""Sentences as data: a whole pattern with named blanks, and what goes into them.

A sentence becomes text when it is written: only then is it known who reads it, what the players
are called and in which language. So patterns are never glued together. Whoever writes for a reader
does so `speaking` the reader's language; outside of that, all is English, as logs are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Protocol

Names = Mapping[str, str]
"""What each seat is called."""

NO_NAMES: Final[Names] = MappingProxyType({})
"""Seats go by their own names."""


class Voice(Protocol):
    """A language: what its catalogue has for a pattern, or the pattern itself."""

    def gettext(self, message: str, /) -> str:
        """The pattern in this language."""

    def ngettext(self, one: str, many: str, n: int, /) -> str:
        """The form of a pattern with a number that goes with `n`."""


_VOICE: Final[ContextVar[Voice | None]] = ContextVar("voice", default=None)


_CODE: Final[ContextVar[str]] = ContextVar("code", default="en")


@contextmanager
def speaking(voice: Voice | None, code: str = "en") -> Iterator[None]:
    """Write everything within in this language, which has this code; in English if it is None.
    No generator may yield within: its caller would speak that language, too."""
    before, called = _VOICE.set(voice), _CODE.set(code if voice else "en")
    try:
        yield
    finally:
        _VOICE.reset(before)
        _CODE.reset(called)


_LACKS: Final[ContextVar[bool]] = ContextVar("lacks", default=False)
"""Whether something was just told in English for want of a translation."""


class Untranslated:
    """The voice behind a catalogue, which has what that lacks, in English."""

    def gettext(self, message: str, /) -> str:
        """The pattern as it is."""
        _LACKS.set(_LACKS.get() or not _joins(message))
        return message

    def ngettext(self, one: str, many: str, n: int, /) -> str:
        """The English form."""
        _LACKS.set(True)
        return one if n == 1 else many


def whole(told: Callable[[], str], /) -> str:
    """What this tells, in the language spoken now or, if that lacks a piece of it, all in English:
    no sentence is half in one language and half in another."""
    before = _LACKS.get()
    _LACKS.set(False)
    text = told()
    if _LACKS.get():
        with speaking(None):
            text = told()
    _LACKS.set(before or _LACKS.get())  # nor is one that this is a piece of
    return text


@lru_cache(maxsize=1024)
def _joins(pattern: str) -> bool:
    """Has a pattern no words of its own?"""
    return not any(map(str.isalpha, "".join(text for text, *_ in _blanks(pattern))))


def spoken() -> str:
    """The code of the language spoken now, as pages name it."""
    return _CODE.get()


class Counted(NamedTuple):
    """The two patterns of a sentence with a number, its value `n`: for one, and for any other."""

    one: str
    many: str


_CHOICE: Final = re.compile(r"\[([^][|]*)\|([^][|]*)\]")


@lru_cache(maxsize=1024)
def forms(pattern: str, /) -> str | Counted:
    """A pattern as catalogues have it: one that says what depends on its number, "{n} [mail
    waits|mails wait]", is two."""
    if not _CHOICE.search(pattern):
        return pattern
    return Counted(_CHOICE.sub(r"\1", pattern), _CHOICE.sub(r"\2", pattern))


class Sentence(NamedTuple):
    """A pattern and its values.

    A blank is `{line}`, or says what its value is: `{owner:seat}` is a seat, written as its
    player's name, `{others:seats}` several; `{cards:all}` is written "A, B and C", `{cards:any}`
    "A, B or C"; `{log:typed}` is quoted for a shell. A list in a plain blank is written like `all`,
    and `together` can merge it. A value may itself be a sentence; `{matches:lines}` are several,
    one below the other, `{answers:paragraphs}` have an empty line in between, `{cases:items}` a
    semicolon, `{terms:dots}` a dot. What `say` is told as "{n} [mail waits|mails wait]" is Counted.
    """

    pattern: str | Counted
    values: Mapping[str, Any] = MappingProxyType({})

    def text(self, names: Names = NO_NAMES) -> str:
        """The sentence in words, with these names for seats."""
        if _VOICE.get() is None or (isinstance(self.pattern, str) and _joins(self.pattern)):
            return self._told(names)
        return whole(lambda: self._told(names))

    def _told(self, names: Names) -> str:
        words = _spoken(self.pattern, self.values)
        if "{" not in words and "}" not in words:
            return words
        return _filled(words, self.values, names)

    def __str__(self) -> str:
        return self.text()


class Named(NamedTuple):
    """A sentence about one match among several, with the names of that match's players."""

    sentence: Sentence
    names: Names

    def text(self, names: Names = NO_NAMES) -> str:
        """The sentence in words, with its own names whatever others are given."""
        return self.sentence.text(self.names)


class Capital(NamedTuple):
    """A sentence that begins with a capital, in whatever language it is told."""

    sentence: Sentence

    def text(self, names: Names = NO_NAMES) -> str:
        """The sentence in words."""
        words = self.sentence.text(names)
        return words[:1].upper() + words[1:]


def say(pattern: str, /, **values: Any) -> Sentence:
    """A sentence of this pattern with these values; what stands in it as `[one|other]` depends on
    the value of `n`: one, or any other number."""
    return Sentence(forms(pattern) if "|" in pattern else pattern, values)


def of_data(text: str, /) -> Sentence:
    """A text from a game's data, as a sentence on one line."""
    return Sentence(" ".join(text.split()).replace("{", "{{").replace("}", "}}"))


Kept = dict[str, Any]
"""A sentence as a file keeps it: its pattern, or both of them, and what goes into its blanks."""


def to_keep(sentence: Sentence, /) -> Kept:
    """A sentence for a file, to be told later in any language."""
    return {
        "says": sentence.pattern if isinstance(sentence.pattern, str) else [*sentence.pattern],
        "with": {name: _plain(value) for name, value in sentence.values.items()},
    }


def _plain(value: Any) -> Any:
    if isinstance(value, Sentence):
        return to_keep(value)
    if hasattr(value, "sentence"):  # a refusal
        why, rule = value.sentence, getattr(value, "rule", None)
        return to_keep(Sentence("{why} [{rule}]", {"why": why, "rule": rule}) if rule else why)
    if type(value) in (list, tuple, set, frozenset):
        return [_plain(each) for each in value]
    return value if value is None or type(value) in (str, int, float, bool) else str(value)


def of_kept(kept: Kept, /) -> Sentence:
    """The sentence that a file keeps."""
    says = kept["says"]
    values = {name: _said(value) for name, value in kept["with"].items()}
    return Sentence(says if isinstance(says, str) else Counted(*says), values)


def _said(value: Any) -> Any:
    if isinstance(value, dict):
        return of_kept(value)
    return [_said(each) for each in value] if isinstance(value, list) else value


def dated(day: str, /) -> Sentence:
    """A date, `2026-12-24`, as the reader's language writes it."""
    year, month, of_month = day.split("-")
    return say("{year}-{month}-{day}", year=year, month=month, day=of_month)


def timed(instant: str, /) -> Sentence:
    """A time as logs write it, to the minute."""
    return say("{day} {time} UTC", day=dated(instant[:10]), time=instant[11:16])


def figured(number: str, /) -> str:
    """A number as English writes it, with the separators of the language spoken now."""
    _, comma, point, _ = re.split(r"\d+", say("1,234.5").text())
    return number.translate({ord(","): comma, ord("."): point})


def printable(line: object, /) -> str:
    """A line, perhaps from outside, that can do nothing to a terminal."""
    return "".join(c if c.isprintable() else "?" for c in str(line).expandtabs())


def worded(english: str, /) -> str:
    """A pattern in the language spoken now."""
    voice = _VOICE.get()
    return voice.gettext(english) if voice and english else english


def in_number(n: int, one: str, many: str) -> str:
    """Whichever of a sentence's two patterns goes with `n`, in the language spoken now."""
    if voice := _VOICE.get():
        return voice.ngettext(one, many, n)
    return one if n == 1 else many


def _spoken(pattern: str | Counted, values: Mapping[str, Any]) -> str:
    return in_number(values["n"], *pattern) if isinstance(pattern, Counted) else worded(pattern)


def listed(words: Iterable[object], *, any_of: bool = False) -> str:
    """`A`, `A and B`, `A, B and C`; or `A, B or C`."""
    *first, last = [str(word) for word in words] or [""]
    if not first:
        return last
    words = ", ".join(first)
    if any_of:
        return say("{words} or {last}", words=words, last=last).text()
    return say("{words} and {last}", words=words, last=last).text()


def in_turn(moves: Iterable[str]) -> Sentence | str:
    """`A`, `A, then B`, `A, then B, then C`: for a blank."""
    so_far: Sentence | str
    so_far, *rest = moves
    for move in rest:
        so_far = say("{moves}, then {move}", moves=so_far, move=move)
    return so_far


def together(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """The sentences, with those that differ only in one list merged into the first of them."""
    found: dict[object, Sentence] = {}
    for sentence in sentences:
        pattern, values = sentence
        lists = {name: value for name, value in values.items() if isinstance(value, list)}
        others = [(name, value) for name, value in values.items() if name not in lists]
        key = repr((pattern, others, *lists)) if len(lists) == 1 else object()
        if key in found:
            [name] = lists
            values = {**values, name: [*found[key].values[name], *lists[name]]}
        found[key] = Sentence(pattern, values)
    yield from found.values()


def _filled(words: str, values: Mapping[str, Any], names: Names) -> str:
    found = []
    for text, name, form, conversion in _blanks(words):
        found.append(text)
        if name is None:
            continue
        value = values[name] if name in values else _formatter().get_field(name, (), values)[0]
        if conversion:
            value = _formatter().convert_field(value, conversion)
        if form and "{" in form:
            form = _filled(form, values, names)
        found.append(_formed(value, form or "", names))
    return "".join(found)


def _formed(value: Any, form: str, names: Names) -> str:
    match form:
        case "seat":
            return str(names.get(value, value))
        case "seats":
            return listed(names.get(seat, seat) for seat in value)
        case "all":
            return listed(value)
        case "any":
            return listed(value, any_of=True)
        case "lines" | "paragraphs" | "items" | "dots":
            between = {"lines": "\n", "paragraphs": "\n\n", "items": "; ", "dots": " · "}[form]
            return between.join(each.text(names) for each in value)
        case "typed":
            import shlex

            return shlex.quote(str(value))
        case ",":
            return figured(format(value, form))
    if isinstance(value, list):
        return listed(value)
    # A sentence, or a refusal that holds one.
    return str(value.text(names)) if hasattr(value, "text") else format(value, form)


@lru_cache(maxsize=1024)
def _blanks(words: str) -> tuple[tuple[str, str | None, str | None, str | None], ...]:
    """A pattern taken apart: each text, with name, form and conversion of the blank after it."""
    return tuple(_formatter().parse(words))


def blanks(pattern: str) -> set[str]:
    """The names of a pattern's blanks."""
    return {re.split(r"[.\[]", name)[0] for _, name, *_ in _blanks(pattern) if name is not None}


@cache
def _formatter() -> Any:
    import string  # only when something is written

    return string.Formatter()
