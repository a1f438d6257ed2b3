"""How a part of an HTML mail looks: does anybody see it, and is a quote's line on its left?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from html import unescape
from typing import Final, NamedTuple


class Appearance(NamedTuple):
    """Whether a style hides its element, shows it in white, which is seen on dark paper only, or
    draws a line on its left."""

    hidden: bool = False
    pale: bool = False
    lined: bool = False


_LONGEST: Final = 4000  # characters of a style or a tag; a longer one counts as hiding its text
_UNSEEN: Final = Appearance(hidden=True)
_ATTRIBUTE: Final = re.compile(
    r"(?<![\w-])([a-z-]{1,40})\s{0,9}=\s{0,9}(\"[^\"]*\"|'[^']*'|[^\s\"'>]+)", re.I
)
_QUOTED: Final = re.compile(r"\"[^\"]*\"|'[^']*'")
_BARE: Final = re.compile(r"\s(?:hidden|popover)(?=[\s/=]|$)", re.I)
_ESCAPED: Final = re.compile(r"\\(?:([0-9a-f]{1,6})\s?|(.))", re.I | re.S)
_NAME: Final = re.compile(r"[.#]([\w-]{1,100})")
_KIND: Final = re.compile(
    r"\[\s*([\w-]{1,40})|(?<![\w.#:[-])([a-z][a-z0-9]{0,20})(?![\w-]*[.#\]=\w])", re.I
)
_LONGEST_SELECTOR: Final = 200
_PREFIX: Final = re.compile(r"-(?:webkit|moz|ms|o)-")
_SIZE: Final = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+))\s?([a-z%]*)")
_FONT: Final = re.compile(r"(?:^|\s)(?:0+|(?:\d+\.?\d*|\.\d+)(?:px|pt|r?em|%))(?=[\s/])")
_LINE: Final = re.compile(r"\b(?:solid|dashed|dotted|double|ridge|groove|inset|outset)\b")

_GONE: Final = {
    "display": re.compile(r"none|var\("),
    "visibility": re.compile(r"hidden|collapse"),
    "content-visibility": re.compile(r"hidden"),
    "mso-hide": re.compile(r"all"),
    "text-decoration": re.compile(r"line-through"),
    "text-decoration-line": re.compile(r"line-through"),
    "z-index": re.compile(r"-"),
}
_UNUSUAL: Final = frozenset(
    "clip clip-path mask mask-image mask-size filter transform rotate scale translate".split()
)
_USUAL: Final = frozenset("none auto initial inherit unset normal".split())
_AWAY: Final = frozenset("text-indent margin-left margin-top left top right bottom".split())
_BOXES: Final = frozenset("height max-height width max-width".split())
_UNITS: Final = {"pt": 1.33, "em": 16.0, "rem": 16.0, "ex": 8.0, "ch": 8.0, "%": 0.16}  # in pixels
_LEAST: Final = 3.0  # pixels of a letter, or a box that shows no more than it is high
_CLEAR: Final = 0.2  # of 1: how opaque a colour must be to be seen
_WHITE: Final = 240  # of 255
_PALE: Final = frozenset(
    "white snow ivory ghostwhite whitesmoke floralwhite mintcream azure aliceblue seashell"
    " lavenderblush honeydew".split()
)


class Tag(NamedTuple):
    """How a tag looks by itself, and its ids and classes."""

    look: Appearance
    names: tuple[str, ...]


@lru_cache(maxsize=2000)
def of_tag(head: str) -> Tag:
    """How a tag looks by its attributes; `head` is all that stands in it."""
    given = dict[str, str]()
    for name, value in _ATTRIBUTE.findall(head[:_LONGEST]) if "=" in head else ():
        given.setdefault(name.lower(), unescape(value.strip(value[0] if value[0] in "\"'" else "")))
    names = tuple(f"{given.get('id', '')} {given.get('class', '')}".lower().split())
    bare = _QUOTED.sub(" ", head[:_LONGEST])
    if len(head) > _LONGEST or '"' in bare or "='" in bare or _BARE.search(bare):
        return Tag(
            _UNSEEN, names
        )  # a quotation mark without its fellow: the tag goes on behind ">"
    colour = given.get("text") or given.get("color")
    style = given.get("style", "")
    look = (
        of_style(f"color:{colour};{style}" if colour else style)
        if colour or style
        else Appearance()
    )
    return Tag(look._replace(lined=look.lined or given.get("name", "").lower() == "quote"), names)


@lru_cache(maxsize=2000)
def of_style(style: str) -> Appearance:
    """How something looks by the declarations of its style."""
    if len(style) > _LONGEST:
        return _UNSEEN
    said = dict(_declarations(style))
    alpha, white = _colour(said.get("text-fill-color") or said.get("color", ""))
    paper = said.get("background-color") or said.get("background")
    hidden = (
        any(_GONE[name].search(said[name]) for name in said.keys() & _GONE.keys())
        or any(said[name] not in _USUAL for name in said.keys() & _UNUSUAL)
        or any(_pixels(said[name], 0) <= -100 for name in said.keys() & _AWAY)
        or _is_small(said)
        or alpha < _CLEAR
        or (paper is not None and paper == said.get("color") and not white)
    )
    sides = ("border-left", "border-left-style", "border-inline-start", "border-inline-start-style")
    lined = any(_LINE.search(said.get(side, "")) for side in sides) or bool(
        _LINE.search(said.get("border", said.get("border-style", "")))
        and (said.get("border-width") or "1").split()[:3] == ["0"] * 3
    )
    return Appearance(hidden, white, lined)


class Sheets(NamedTuple):
    """What the mail's own style sheets hide, under whatever condition: classes and ids, or if none
    are named, tags or attributes; and the classes and ids that get a line on their left."""

    names: frozenset[str]
    kinds: frozenset[str]
    lined: frozenset[str]


def of_sheets(html: str, *, dark: bool) -> Sheets:
    """What the style sheets of a mail do; on `dark` paper, white is seen."""
    names, kinds, lined = set[str](), set[str](), set[str]()
    for piece in re.split(r"<style\b", html, flags=re.I)[1:]:
        sheet = _without_remarks(piece.partition(">")[2].partition("</")[0])
        for rule in sheet.split("}"):
            selectors, _, declared = rule.rpartition("{")
            look = of_style(declared.strip())
            for selector in selectors.rpartition("{")[2].split(",") if look != Appearance() else ():
                named = {name.lower() for name in _NAME.findall(selector)}
                if look.hidden or (look.pale and not dark):
                    names |= named
                    last = [] if named else _KIND.findall(selector[-_LONGEST_SELECTOR:])[-1:]
                    kinds |= {(attribute or tag).lower() for attribute, tag in last}
                if look.lined:
                    lined |= named
    return Sheets(frozenset(names), frozenset(kinds), frozenset(lined))


def _without_remarks(css: str) -> str:
    first, *pieces = css.split("/*")
    return first + "".join(piece.partition("*/")[2] for piece in pieces)


def _declarations(style: str) -> Iterator[tuple[str, str]]:
    plain = _without_remarks(style)
    if "\\" in plain:
        plain = _ESCAPED.sub(_letter, plain)
    for part in plain.split(";"):
        name, colon, value = part.partition(":")
        if colon:
            value = " ".join(value.lower().split()).removesuffix("important").rstrip(" !")
            yield _PREFIX.sub("", name.strip().lower()), value


def _letter(found: re.Match[str]) -> str:
    return chr(min(int(found[1], 16), 0x10FFFF)) if found[1] else found[2]


def _pixels(value: str, otherwise: float) -> float:
    """A length in pixels, about."""
    found = _SIZE.match(value) if value else None
    return float(found[1]) * _UNITS.get(found[2], 1.0) if found else otherwise


def _is_small(said: dict[str, str]) -> bool:
    if _pixels(said.get("opacity", ""), 1) < (_CLEAR if "%" not in said.get("opacity", "") else 3):
        return True
    if _pixels(said.get("font-size", ""), 16) < _LEAST or _pixels(said.get("zoom", ""), 1) < _CLEAR:
        return True
    letters = _FONT.search(said.get("font", ""))
    if letters and _pixels(letters[0].strip(), 16) < _LEAST:
        return True
    if (
        _pixels(said.get("line-height", ""), 1) <= 0
        or _pixels(said.get("letter-spacing", ""), 0) < -5
    ):
        return True
    cut = "hidden" in said.get("overflow", "") or "clip" in said.get("overflow", "")
    return any(_pixels(said[box], 16) < (_LEAST if cut else 0.01) for box in said.keys() & _BOXES)


def _colour(value: str) -> tuple[float, bool]:
    """How much of a colour is seen, and whether it is white, or nearly."""
    if value == "transparent":
        return 0.0, False
    if value in _PALE:
        return 1.0, True
    if value.startswith("#"):
        digits = value[1:] if len(value) > 5 else "".join(2 * digit for digit in value[1:])
        try:
            parts = list(bytes.fromhex(digits))
        except ValueError:
            return 1.0, False
        return (parts[3] / 255 if len(parts) > 3 else 1.0), min(parts[:3], default=0) >= _WHITE
    numbers = [
        float(number) * (2.55 if sign == "%" else 1) for number, sign in _SIZE.findall(value)[:4]
    ]
    if not value.startswith(("rgb", "hsl")) or len(numbers) < 3:
        return 1.0, False
    alpha = numbers[3] / (255 if numbers[3] > 1 else 1) if len(numbers) > 3 else 1.0
    return alpha, numbers[2] >= _WHITE if value.startswith("hsl") else min(numbers[:3]) >= _WHITE
