"""What a state looks like, declared once: a key of the view for each field that is to be seen, with
its domain. The view, the position that a view sets up again, and the schema of views follow.

    view, position, SCHEMA = declared(start, {"shown": by_seat(hidden(FINGERS))})
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from pbem.core import HIDDEN, SEAT, Domain, Setup, as_it_is, many
from pbem.problem import BadFile

if TYPE_CHECKING:
    from pbem.shapes import Scene

T = TypeVar("T")
Drawing = Callable[[Mapping[str, Any]], T]


class Key(NamedTuple):
    """A key of a view: its domain, what it `says` to people, and the field of the state `at` which
    its value is: under its own name, or elsewhere, like "tally.round"; "" is the whole state.
    A key that is `optional` is left out where there is nothing."""

    of: Domain
    says: str = ""
    at: str | None = None
    optional: bool = False


class Declared(NamedTuple):
    """What follows from a declaration: two functions and a constant of `pbem.core.Game`."""

    view: Callable[[Any], dict[str, Any]]
    position: Callable[[Setup, Mapping[str, Any]], Any]
    schema: dict[str, Any]


def declared(
    fresh: Callable[[Setup], Any],
    keys: Mapping[str, Domain | Key],
    settled: Callable[[Any, Mapping[str, Any]], Any] = as_it_is,
    *,
    says: str = "",
    definitions: Mapping[str, Any] = MappingProxyType({}),
) -> Declared:
    """The view, in the order of the keys, of states that are named tuples.

    A position begins with the `fresh` state of a set-up, reads what is given in this order, and is
    `settled(state, given)`: what follows from the rest, or cannot be; that raises Problem. What is
    given obeys the schema, but for keys that are left out. `says` describes all views, and their
    schema refers to `definitions`.
    """
    known = {name: key if isinstance(key, Key) else Key(key) for name, key in keys.items()}
    places = {name: name if key.at is None else key.at for name, key in known.items()}
    rows = [
        (name, _getter(places[name]), key.of.shown, key.optional) for name, key in known.items()
    ]

    def view(s: Any) -> dict[str, Any]:
        """See `pbem.core.Game.view`."""
        shown = {}
        for name, get, tell, optional in rows:
            plain = tell(get(s), s)
            if plain or not optional:
                shown[name] = plain
        return shown

    def position(setup: Setup, view: Mapping[str, Any]) -> Any:
        """See `pbem.core.Game.position`."""
        s = fresh(setup)
        for name, get, _, _ in rows:
            if name in view:
                was = get(s)
                value = known[name].of.read(view[name], s, was)
                s = s if value == was else _with(s, places[name], value)
        return settled(s, view)

    schema = {
        **({"description": says} if says else {}),
        "type": "object",
        "required": [name for name, key in known.items() if not key.optional],
        "additionalProperties": False,
        "properties": {
            name: {**({"description": key.says} if key.says else {}), **key.of.schema}
            for name, key in known.items()
        },
        **({"definitions": dict(definitions)} if definitions else {}),
    }
    return Declared(view, position, schema)


def _getter(place: str) -> Callable[[Any], Any]:
    return attrgetter(place) if place else as_it_is


def _with(s: Any, place: str, value: Any) -> Any:
    """The state with a value at this place."""
    name, _, rest = place.partition(".")
    return s._replace(**{name: _with(getattr(s, name), rest, value)}) if name else value


# ------------------------------------------------------------------------------- domains of views


def seen(
    schema: Mapping[str, Any],
    shown: Callable[[Any, Any], Any] = as_it_is,
    read: Callable[[Any, Any, Any], Any] = as_it_is,
) -> Domain:
    """What only views show: its schema, the way to the plain value and the way back, as in
    `Domain`."""
    return Domain("", lambda value: True, schema=schema, shown=shown, read=read)


def if_any(of: Domain, says: str, at: str | None = None) -> Key:
    """A key that is left out where there is nothing."""
    return Key(of, says, at, optional=True)


def constant(value: str) -> Key:
    """The same in every view."""
    return Key(seen({"const": value}, lambda s, _: value, lambda plain, s, fresh: s), at="")


def follows(
    of: Domain, tell: Callable[[Any], Any], says: str = "", *, optional: bool = False
) -> Key:
    """What follows from other fields, and need not be given: `tell(state)` is its value."""
    domain = seen(
        {"readOnly": True, **of.schema},
        lambda s, _: of.shown(tell(s), s),
        lambda plain, s, fresh: s,
    )
    return Key(domain, says, "", optional)


def hidden(of: Domain) -> Domain:
    """A value of another domain, all of which are listed, or HIDDEN."""
    return of._replace(schema={"enum": [*of.values, HIDDEN]})


def number(least: int = 0, most: int | None = None) -> Domain:
    """A whole number from `least` to `most`."""
    bound = {} if most is None else {"maximum": most}
    return seen({"type": "integer", "minimum": least, **bound})


def listed(of: Domain, **schema: Any) -> Domain:
    """A list, in states a tuple; more of its `schema` besides its items."""
    return many(of)._replace(schema={"type": "array", "items": of.schema, **schema})


def unordered(of: Domain, **schema: Any) -> Domain:
    """Things in one place: a list, in states a tuple, sorted in both."""
    shown = listed(of, **schema)
    return shown._replace(
        shown=lambda values, s: shown.shown(sorted(values), s),
        read=lambda plain, s, fresh: tuple(sorted(of.read(each, s, None) for each in plain)),
    )


def by_seat(of: Domain) -> Domain:
    """A mapping from each seat; seats left out have what they have in a fresh match."""
    return seen(
        mapping(SEAT, of),
        lambda values, s: {seat: of.shown(value, s) for seat, value in values.items()},
        lambda plain, s, fresh: {
            **fresh,
            **{seat: of.read(each, s, fresh.get(seat)) for seat, each in plain.items()},
        },
    )


def by_name(of: Domain, pattern: str) -> Domain:
    """A mapping from names that match a pattern, wherever there is a value."""
    return seen(
        mapping(seen({"pattern": pattern}), of),
        lambda values, s: {name: of.shown(value, s) for name, value in values.items()},
        lambda plain, s, fresh: {name: of.read(each, s, None) for name, each in plain.items()},
    )


_ABSENT: Final = object()

NamesOf = Callable[[Any], Sequence[str]]
"""The names a state knows for some things that it numbers."""


def require_one_of(value: str, known: Iterable[str]) -> str:
    """The value, if it is one of the known names. Raises Problem."""
    names = tuple(known)
    if value not in names:
        raise BadFile("{value!r} is none of {names:all}", value=value, names=names)
    return value


def numbered(names: NamesOf, schema: Mapping[str, Any]) -> Domain:
    """One of some names, in states its number."""
    return seen(
        schema,
        lambda number, s: names(s)[number],
        lambda plain, s, fresh: names(s).index(require_one_of(plain, names(s))),
    )


def fixed(of: Domain) -> Domain:
    """A tuple that the set-up settles: a position can only repeat it."""

    def read(plain: Sequence[Any], s: Any, fresh: tuple[Any, ...]) -> tuple[Any, ...]:
        if tuple(plain) != fresh:
            raise BadFile(
                "the set-up has {settled:all} here, not {plain:all}", settled=fresh, plain=plain
            )
        return fresh

    return of._replace(shown=lambda values, s: list(values), read=read)


def in_order(names: NamesOf, of: Domain) -> Domain:
    """A mapping from some names, in states the values in their order; names left out have what they
    have in a fresh match."""

    def read(plain: Mapping[str, Any], s: Any, fresh: Sequence[Any]) -> tuple[Any, ...]:
        for name in plain:
            require_one_of(name, names(s))
        given = [plain.get(name, _ABSENT) for name in names(s)]
        return tuple(
            nothing if each is _ABSENT else of.read(each, s, nothing)
            for each, nothing in zip(given, fresh, strict=True)
        )

    def shown(values: Sequence[Any], s: Any) -> dict[str, Any]:
        if of.shown is not as_it_is:
            values = [of.shown(value, s) for value in values]
        return dict(zip(names(s), values, strict=True))

    return seen({"type": "object", "additionalProperties": of.schema}, shown, read)


class Definitions(dict[str, Mapping[str, Any]]):
    """Schemas by the names under which a declaration refers to them."""

    def __call__(self, name: str, of: Domain) -> Domain:
        """The same domain; its schema is defined here, and referred to."""
        self[name] = of.schema
        return of._replace(schema={"$ref": f"#/definitions/{name}"})


def text(pattern: str) -> dict[str, Any]:
    """The schema of a text that matches a pattern."""
    return {"type": "string", "pattern": pattern}


def mapping(names: Domain, of: Domain) -> dict[str, Any]:
    """The schema of a mapping from some of these names."""
    return {"type": "object", "propertyNames": names.schema, "additionalProperties": of.schema}


def exactly(properties: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The schema of a mapping with all of these keys and no other, from their schemas."""
    return {
        "type": "object",
        "required": [*properties],
        "additionalProperties": False,
        "properties": properties,
    }


def pictured(game: str) -> tuple[Drawing[list[str]], Drawing[list[str]], Drawing[Scene]]:
    """`draw`, `draw_narrow` and `scene` of `pbem.core.Game`, from the modules `picture` and
    `shapes` of a game's package. They are loaded when something is drawn: few commands draw."""

    def drawing(module: str, name: str) -> Drawing[Any]:
        return lambda view: getattr(import_module(f"{game}.{module}"), name)(view)

    return drawing("picture", "draw"), drawing("picture", "draw_narrow"), drawing("shapes", "scene")
