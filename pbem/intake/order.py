"""From the text of a message to its orders: those in the fence, else what is left of the text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from pbem.core import BadFile
from pbem.intake import bbcode, courtesy, fence, quotes
from pbem.intake.submission import Ignored, Line, Position, Submission, spoken

_MOST_ORDERS: Final = 200
_BULLET: Final = re.compile(r"(?:[-*+•·]\s+|\(?\d{1,2}[.)]\s+)")
_EMPHASIS: Final = re.compile(r"([*_`]{1,3})([^*_`]{1,200})\1$")
_MARKUP_ONLY: Final = re.compile(r"[`~]{3,}\w{0,20}$")
_PLACEHOLDER: Final = re.compile(r"[.\s]*$")
_POSITION: Final = re.compile(
    r"(?:\[(?:([\w.+/-]{1,40})[ ·]{1,3})?)?(?<!\w)#(\d{1,6})(?![\w+-])"
    r"(?:[ ]{0,3}·?[ ]{0,3}([0-9a-fA-F]{4,64})(?![\w+-]))?\]?"
)
_AFTER_POSITION: Final = re.compile(r"[\s:,.·-]*")
_FIELD: Final = re.compile(r"(seat|match|sign)\s{0,3}:\s*(\S.*)$", re.I)
_CODE: Final = re.compile(r"(sign)\s{0,3}:\s*((?:[0-9a-z]{4}[ -]?){3})$", re.I)


@dataclass(frozen=True, slots=True)
class _Part:
    """What some lines say."""

    orders: tuple[Line, ...]
    positions: tuple[Position, ...]
    fields: tuple[tuple[str, Line], ...]


def interpret(
    text: str, path: str, *, markdown: bool, sender_name: str | None = None
) -> Submission:
    """What the new lines of a message say.

    Raises Problem where quoted and new text cannot be told apart, for a fence that is not
    closed, and for fences that contradict each other.
    """
    source = [Line(number, line) for number, line in enumerate(text.split("\n"), 1)]
    lines, ignored = bbcode.unquote(source, path)
    why = quotes.quoted(lines, markdown=markdown)
    fences, lines = fence.take(lines, [reason in quotes.NEW for reason in why], path)
    if not fences:
        quotes.refuse_doubt(lines, why, path)
    why = courtesy.unsigned(lines, why)
    if not fences:
        why = _with_courtesies(lines, why, sender_name)
    outside = _part(
        [line for line, reason in zip(lines, why, strict=True) if reason in quotes.NEW],
        fenced=False,
    )
    inside = [_part(each.lines, fenced=True) for each in fences]
    named = [field for part in (*inside, outside) for field in part.fields]
    orders = _agreed(fences, inside, path) if fences else outside.orders
    if len(orders) > _MOST_ORDERS:
        raise BadFile(
            "{orders} lines may be orders, at most {most_orders} are taken: put the order "
            "between [move] and [/move]",
            path,
            orders[0].number,
            orders=len(orders),
            most_orders=_MOST_ORDERS,
        )
    ignored += _ignored(lines, why, fenced=bool(fences))
    return Submission(
        orders=orders,
        fenced=bool(fences),
        positions=_positions((*inside, outside)),
        match=_named("match", named, path),
        seat=_named("seat", named, path),
        signature=_named("sign", named, path),
        body=text,
        ignored=tuple(sorted(ignored, key=lambda each: each.line)),
    )


def named_in(subject: str) -> tuple[str | None, tuple[Position, ...]]:
    """The match and the positions that a subject like `Re: [kahuna-07 #17 a3f9]` names."""
    found = list(_POSITION.finditer(subject))
    matches = [name for token in found if (name := token[1])]
    return (matches[0] if matches else None), tuple(dict.fromkeys(map(_position, found)))


def moves(line: Line) -> tuple[Line, ...]:
    """A line as one text for each move."""
    pieces = (piece.strip() for piece in line.text.split(";"))
    return tuple(Line(line.number, piece) for piece in pieces if piece)


def _position(token: re.Match[str]) -> Position:
    return int(token[2]), token[3].lower() if token[3] else None


def _bare(text: str) -> str:
    """A line without tags, emphasis and bullets."""
    text = bbcode.plain(text).strip()
    emphasised = _EMPHASIS.match(text)
    text = emphasised[2].strip() if emphasised else text
    bullet = _BULLET.match(text)
    return text[bullet.end() :].strip() if bullet else text


def _part(lines: Iterable[Line], *, fenced: bool) -> _Part:
    orders: list[Line] = []
    positions: list[Position] = []
    fields: list[tuple[str, Line]] = []
    for line in lines:
        text = _bare(line.text)
        token = _POSITION.match(text)
        if token:
            positions.append(_position(token))
            if token[1]:
                fields.append(("match", Line(line.number, token[1])))
            text = text[_AFTER_POSITION.match(text, token.end()).end() :]  # type: ignore[union-attr]
        field = (_FIELD if fenced else _CODE).match(text)
        if field:
            fields.append((field[1].lower(), Line(line.number, field[2].strip())))
        elif not (_MARKUP_ONLY.match(text) or (fenced and _PLACEHOLDER.match(text))):
            orders += moves(Line(line.number, text))
    return _Part(tuple(orders), tuple(positions), tuple(fields))


def _positions(parts: Iterable[_Part]) -> tuple[Position, ...]:
    return tuple(dict.fromkeys(position for part in parts for position in part.positions))


def _agreed(fences: Sequence[fence.Fence], parts: Sequence[_Part], path: str) -> tuple[Line, ...]:
    """The orders of the fences that hold any; they must all be the same."""
    filled = [(f.line, p.orders) for f, p in zip(fences, parts, strict=True) if p.orders]
    if not filled:
        return ()
    first, orders = filled[0]
    for line, others in filled[1:]:
        if spoken(o.text for o in others) != spoken(o.text for o in orders):
            raise BadFile(
                "two different orders: {quoted} in line {first} and {quoted2} in line {line_}. "
                "Send the one that counts, alone",
                path,
                line,
                quoted=_quoted(orders),
                first=first,
                quoted2=_quoted(others),
                line_=line,
            )
    return orders


def _quoted(orders: Iterable[Line]) -> str:
    return repr("; ".join(order.text for order in orders)[:80])


def _named(name: str, fields: Iterable[tuple[str, Line]], path: str) -> str | None:
    """The one value the fences give for `seat` or `match`."""
    given = [line for kind, line in fields if kind == name]
    for other in given[1:]:
        if other.text != given[0].text:
            raise BadFile(
                "two different values for {name}: {text!r} in line {number} and {text2!r}",
                path,
                other.number,
                name=name,
                text=given[0].text,
                number=given[0].number,
                text2=other.text,
            )
    return given[0].text if given else None


def _with_courtesies(lines: Sequence[Line], why: Sequence[str], name: str | None) -> list[str]:
    """Why each line is not an order, greetings, closings and the sender's name included."""
    found = [
        reason or courtesy.courtesy(_bare(line.text))
        for line, reason in zip(lines, why, strict=True)
    ]
    names = [
        i
        for i, line in enumerate(lines)
        if not found[i] and courtesy.is_name(_bare(line.text), name)
    ]
    left = sum(
        1 for line, reason in zip(lines, found, strict=True) if not reason and line.text.strip()
    )
    if len(names) < left:  # else the name itself would be the order, as in a card called Kanaloa
        for i in names:
            found[i] = "closing"
    return found


def _ignored(lines: Sequence[Line], why: Sequence[str], *, fenced: bool) -> Iterable[Ignored]:
    for line, reason in zip(lines, why, strict=True):
        if fenced and reason not in ("quote", "attribution", "forwarded"):
            reason = "outside the fence"
        if reason and line.text.strip():
            yield Ignored(reason, line.number, line.text.strip())
