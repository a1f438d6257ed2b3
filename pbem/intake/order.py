"""From the text of a message to its orders: those in the fence, else what is left of the text."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from pbem.intake import armour, asking, bbcode, caveats, courtesy, fence, plan, quotes, talk
from pbem.intake.submission import (
    MOST_LINES,
    OLD,
    Ignored,
    Line,
    NamedPosition,
    Request,
    Submission,
    spoken,
)
from pbem.intake.verbs import MODERATOR
from pbem.intake.words import phrases, tokens
from pbem.problem import BadFile

_MOST_ORDERS: Final = 200
_LONGEST_LABEL: Final = 60
_FREE: Final = 3  # words of a subject that is more than a title
_LONGEST_LINE: Final = 10_000  # characters; no order is that long
_MOST_NEW: Final = 100_000  # characters of new text: some Unicode takes eighteen times the room
_BULLET: Final = re.compile(r"(?:[-*+•·]\s+|\(?\d{1,2}[.)]\s+)")
_TICK: Final = re.compile(r"\[[xX\u2713\u2714]\]\s+")
_EMPHASIS: Final = re.compile(r"([*_`]{1,3})([^*_`]{1,200})\1$")
_MARKUP_ONLY: Final = re.compile(r"[`~]{3,}\w{0,20}$")
# Of "Move 1". Without bounds a line of nothing but blanks would take hours.
_NUMBER: Final = re.compile(r"(?<=\D)\s{0,3}\d{1,2}\.?\s{0,3}$")
_PLACEHOLDER: Final = re.compile(r"[.\s]*$")
_POSITION: Final = re.compile(
    r"(?:\[(?:([\w.+/-]{1,40})[ ·]{1,3})?)?(?<!\w)#(\d{1,6})(?![\w+-])"
    r"(?:[ ]{0,3}·?[ ]{0,3}([0-9a-fA-F]{4,64})(?![\w+-]))?\]?"
)
_AFTER_POSITION: Final = re.compile(r"[\s:,.·-]*")
_REPLIES: Final = re.compile(r"^(?:\s*\w{1,6}\s?:)+")  # "回复: Re:"
_CLAUSE: Final = re.compile(r"[.]+\s|\s-+\s")
_LINKED: Final = re.compile(r"(?<=[^\s:])\s?<(?:https?://|mailto:)[^<>\s]{1,4000}>")
# A question of some words behind another sentence: "Red 7. How is your new job?"
_ASIDE: Final = re.compile(r"(.{0,400}\S[.!)])\s+(?=[^.!?]{10,400}\?[\s)]*$)")
_TAGGED: Final = re.compile(r"\[[^\]]{0,80}\]")  # added by a list, a filter, or the desk
_DOUBTFUL: Final = ("question", "notice", "end of a quote", "below an original", "below your name")
_QUOTED_OPENING: Final = re.compile(r"\[move\]", re.I)
_FIELD: Final = re.compile(r"(seat|match|sign)\s{0,3}:\s*(\S.*)$", re.I)
_CODE: Final = re.compile(r"(sign)\s{0,3}:\s*((?:[0-9a-z]{4}[ -]?){3})$", re.I)


class _Said(NamedTuple):
    """What some lines say."""

    orders: tuple[Line, ...]
    positions: tuple[NamedPosition, ...]
    fields: tuple[tuple[str, Line], ...]
    requests: tuple[Request, ...]


def interpret(
    text: str, path: str, *, markdown: bool, sender_name: str | None = None
) -> Submission:
    """What the new lines of a message say.

    Raises Problem if quoted and new text cannot be told apart, a fence is not closed, or
    fences contradict each other.
    """
    source = [Line(number, line) for number, line in enumerate(text.split("\n"), 1)]
    if source[1:] and not source[-1].text:  # behind the last line break is no line
        source.pop()
    if len(source) > MOST_LINES:
        raise BadFile(
            "{source:,} lines long; at most {most:,} are read: send the order in a message of "
            "its own",
            path,
            source=len(source),
            most=MOST_LINES,
        )
    source, armour_lines = armour.taken_off(source)
    lines, ignored = bbcode.unquote(source, path)
    why = quotes.quoted(lines, path, markdown=markdown)
    armour.refuse_encrypted(_new(lines, why), path)
    _require_short(_new(lines, why), path)
    new = [reason in quotes.NEW for reason in why]
    first = next((line.number for line in _new(lines, why) if line.text.strip()), 0)
    said, lines = asking.texts(lines, new, _bare, path)
    fences, lines = fence.take(lines, new, path)
    inside = [_part(each.lines, fenced=True) for each in fences]
    if not fences:
        quotes.refuse_doubt(lines, why, path)
    lines, why = _questions_apart(lines, why)
    why = courtesy.unsigned(lines, why)
    signed = _new(lines, why, ("signature",))
    signed = _new(signed, courtesy.unnoticed(signed, [""] * len(signed)))
    why = courtesy.unnoticed(lines, why)
    why = _with_courtesies(lines, why, sender_name, first)
    outside = _part(_new(lines, why), fenced=False)
    doubtful = _part(_new(lines, why, _DOUBTFUL), fenced=False)
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
    asked = {request.line for request in outside.requests}
    ignored += [*armour_lines, *_ignored(lines, why, asked, fenced=bool(fences))]
    beside = [*(outside.orders if fences else ()), *_new(lines, why, ("question",))]
    beside += courtesy.untitled(_new(lines, why, ("below your name",)))
    beside.sort(key=lambda line: line.number)
    requests = _requests((*said, *(r for part in (*inside, outside) for r in part.requests)))
    left_out = (*(outside.orders if fences else ()), *doubtful.orders)
    return Submission(
        orders=orders,
        fenced=bool(fences),
        placed=any(part.positions for part in inside if part.orders),
        outside=tuple(sorted(left_out, key=lambda line: line.number))[:_MOST_ORDERS],
        unexplained=(
            *_unexplained(beside, tokens(sender_name or "")),
            *(Line(number, signs) for number, text in orders if (signs := caveats.odd_signs(text))),
            *(line for line in signed if caveats.revokes(courtesy.unlinked(line.text))),
            *_told_against(requests),
        )
        if orders
        else (),
        below=() if fences else _below(lines, why, sender_name),
        quoted=() if orders else _quoted_fence(lines, why),
        positions=_positions((*inside, outside)),
        match=_named("match", named, path),
        seat=_named("seat", named, path),
        signature=_named("sign", named, path),
        body=text,
        ignored=tuple(sorted(ignored, key=lambda each: each.line)),
        requests=requests,
    )


def _require_short(new: Iterable[Line], path: str) -> None:
    """Raises Problem for more new text than anybody writes: each of its words is looked up."""
    size = sum(len(line.text) for line in new)
    if size > _MOST_NEW:
        raise BadFile(
            "{size:,} characters long without what it quotes; at most {most:,} are read: send the "
            "order in a message of its own",
            path,
            size=size,
            most=_MOST_NEW,
        )


def fresh(text: str, path: str) -> tuple[tuple[str, ...], int]:
    """The new lines of a mail as they stand, and how many of its lines are quoted or older. Raises
    Problem if nobody can tell."""
    source = [Line(number, line) for number, line in enumerate(text.split("\n"), 1)]
    lines, _ = bbcode.unquote(source, path)
    why = quotes.quoted(lines, path, markdown=False)
    new = _new(lines, why, ("",))
    shown = {line.number for line in new if line.text.strip()}
    old = sum(line.number not in shown and bool(line.text.strip()) for line in source)
    return tuple("\n".join(line.text for line in new).strip("\n").split("\n")), old


def _new(
    lines: Sequence[Line], why: Sequence[str], wanted: Collection[str] = quotes.NEW
) -> list[Line]:
    """The lines that are new, or are left out for one of these reasons."""
    return [line for line, reason in zip(lines, why, strict=True) if reason in wanted]


def _questions_apart(lines: Sequence[Line], why: Sequence[str]) -> tuple[list[Line], list[str]]:
    """The lines, the question at the end of a new one as one of its own, and why each is old."""
    found = list[tuple[Line, str]]()
    for line, reason in zip(lines, why, strict=True):
        aside = _ASIDE.match(line.text) if reason in quotes.NEW and "?" in line.text else None
        if aside and caveats.takes_back(aside[1]):
            aside = None  # the question is about that
        pieces = (aside[1], line.text[aside.end() :]) if aside else (line.text,)
        found += [(Line(line.number, piece), reason) for piece in pieces]
    return [line for line, _ in found], [reason for _, reason in found]


def _unexplained(beside: Sequence[Line], own: Sequence[str]) -> Iterator[Line]:
    """The lines beside an order that are neither a mail's furniture nor everyday talk; `own` are
    the words of their writer's name."""
    for block in talk.unbroken(beside):
        text = " ".join(each.text.strip() for each in block)
        if not talk.is_everyday(text, own):
            yield block[0]._replace(text=text)


def _told_against(requests: Iterable[Request]) -> Iterator[Line]:
    """The lines in which its writer tells somebody that the order does not count, or not yet: to
    the moderator any words that say so beside a fence, to players only words about the order."""
    for each in requests:
        if each.verb == MODERATOR:
            said = (one for one in talk.sentences(each.text) if not caveats.asks_of_rules(one))
            undoes = not talk.in_known_script(each.text) or any(
                caveats.takes_back(one.rstrip(" ?"))
                or ("?" not in one and caveats.of_the_order(one, loosely=True))
                for one in said
            )
        else:
            undoes = each.row.is_press and bool(caveats.disowns(each.text))
        if undoes:
            yield Line(each.line, each.said)


def _below(lines: Sequence[Line], why: Sequence[str], name: str | None) -> tuple[Line, ...]:
    """The last paragraph of old text without a mark, where somebody may have gone on writing. Below
    a fence, which ends our mails, courtesies are left out; without a fence, so is text that is
    indented, or forwarded, as others' moves are."""
    new = [n for n, reason in enumerate(why) if reason not in ("quote", "forwarded")]
    old = lines[new[-1] + 1 if new else 0 :]
    said = [line for line in old if line.text.strip()]
    ends = [line.number for line in said if line.text.strip().lower() == "[/move]"]
    if ends:
        said = [line for line in said if line.number > ends[-1] and not _is_civil(line.text, name)]
    elif why[-1] != "quote" or not said or said[0].text[:1].isspace():
        return ()
    last = said[-1].number if said else 0
    ends += [line.number for line in old if not line.text.strip() and line.number < last]
    found = [line for line in said if line.number > max(ends, default=0)]
    marked = any(quotes.is_marked(line.text) for line in found)
    return () if marked else tuple(Line(line.number, _bare(line.text)) for line in found)


def _is_civil(text: str, name: str | None) -> bool:
    """Is a line a courtesy, or the sender's name?"""
    bare = _bare(text)
    return bool(_left_out(text, bare, tokens(name or ""))) or courtesy.is_name(bare, name)


def _quoted_fence(lines: Sequence[Line], why: Sequence[str]) -> tuple[Line, ...]:
    """What stands between [move] and [/move] in quoted lines, or in an original as Outlook puts it
    below an answer."""
    found: list[Line] = []
    inside = False
    for line, reason in zip(lines, why, strict=True):
        text = line.text.lstrip("> \t")
        if reason not in ("quote", "forwarded") or not text:
            continue
        if opening := _QUOTED_OPENING.match(text):
            text, inside = text[opening.end() :], True
        if inside:
            text, closing, _ = text.partition("[/move]")
            found += [Line(line.number, text)] if text.strip() else []
            inside = not closing
    return _part(found, fenced=True).orders


def in_subject(subject: str) -> tuple[Line, ...]:
    """What a subject says after the position it names, as line 0: somebody may have written a move
    there."""
    found = list(_POSITION.finditer(subject))
    return _part([Line(0, subject[found[-1].end() :])], fenced=False).orders if found else ()


def against_subject(subject: str, *, begins: bool = False) -> tuple[Line, ...]:
    """A subject that may take back the order in its mail, or points at it, as line 0; and if it
    `begins` a thread, one of which not every word is known. What answers a mail of ours has its
    title: that says what became of an order, and after a semicolon who is next."""
    answers = _POSITION.search(subject) is not None
    plain = _TAGGED.sub(" ", _POSITION.sub(". ", subject))
    said = caveats.untitled(_REPLIES.sub("", plain)).strip(" .;")
    free = begins and not (answers or _REPLIES.match(plain)) and len(tokens(said)) >= _FREE
    known = not free or talk.is_known(said)
    return () if known and not undoes(said, own=not answers) else (Line(0, said),)


def undoes(subject: str, *, own: bool) -> bool:
    """May a subject take back the order in its mail or, if it is its writer's own, point at it?"""
    front, _, last = subject.rpartition(";")
    if caveats.disowns(front) or any(map(caveats.undoes, _CLAUSE.split(last))):
        return True
    points = own and (last.endswith(":") or caveats.points_at_order(last))
    return points or not talk.in_known_script(subject)


def named_in(subject: str) -> tuple[str | None, tuple[NamedPosition, ...]]:
    """The match and the positions that a subject like `Re: [kahuna-07 #17 a3f9]` names."""
    found = list(_POSITION.finditer(subject))
    matches = [name for token in found if (name := token[1])]
    return (matches[0] if matches else None), tuple(dict.fromkeys(map(_position, found)))


def moves(line: Line) -> tuple[Line, ...]:
    """A line as one text for each move; what is to wait, or leaves a choice, stays one text."""
    text = courtesy.without_smileys(line.text)
    if plan.is_whole(text):
        return (line._replace(text=text),)
    pieces = (piece.strip() for piece in text.split(";", _MOST_ORDERS))
    return tuple(Line(line.number, piece) for piece in pieces if piece)


def _position(token: re.Match[str]) -> NamedPosition:
    return int(token[2]), token[3].lower() if token[3] else None


def _bare(text: str) -> str:
    """A line without tags, emphasis and bullets."""
    if len(text) > _LONGEST_LINE:
        return text
    text = bbcode.plain(text).strip()
    text = _LINKED.sub("", text).strip() or text
    emphasised = _EMPHASIS.match(text)
    text = emphasised[2].strip() if emphasised else text
    bullet = _BULLET.match(text)
    text = text[bullet.end() :].strip() if bullet else text
    return _TICK.sub("", text, count=1) if _TICK.match(text) else text


def _part(lines: Iterable[Line], *, fenced: bool) -> _Said:
    orders: list[Line] = []
    positions: list[NamedPosition] = []
    fields: list[tuple[str, Line]] = []
    asked: list[Request] = []
    dots: list[Line] = []  # between two moves, they may stand for one
    for line in _unwrapped(lines) if fenced else lines:
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
        elif fenced and _PLACEHOLDER.match(text):
            dots = [line] if text and orders else []
        elif not _MARKUP_ONLY.match(text):
            said = Line(line.number, _after_label(text))
            wanted, rest = asking.taken(said, moves(said))
            asked += wanted
            orders += (*(dots if rest else ()), *rest)
            dots = [] if rest else dots
    return _Said(tuple(orders), tuple(positions), tuple(fields), tuple(asked))


def _unwrapped(lines: Iterable[Line]) -> list[Line]:
    """The lines of a fence; one that begins with "or" goes on with the one above."""
    found: list[Line] = []
    for line in lines:
        if found and plan.goes_on(_bare(line.text)):
            found[-1] = Line(found[-1].number, f"{found[-1].text} {line.text.strip()}")
        elif line.text.strip():
            found.append(line)
    return found


def _after_label(text: str) -> str:
    """A line without a `My move:` in front of the order."""
    label, colon, rest = text[:_LONGEST_LABEL].partition(":")
    said = tokens(_NUMBER.sub("", label))
    if colon and rest.strip() and said in phrases("courtesies", "order"):
        return text[len(label) + 1 :].strip()
    return text


def _positions(parts: Iterable[_Said]) -> tuple[NamedPosition, ...]:
    return tuple(dict.fromkeys(position for part in parts for position in part.positions))


def _agreed(fences: Sequence[fence.Fence], parts: Sequence[_Said], path: str) -> tuple[Line, ...]:
    """The orders of the fences that hold any; they must all be the same, and for one match."""
    filled = [(f.line, p) for f, p in zip(fences, parts, strict=True) if p.orders]
    if not filled:
        return ()
    first, part = filled[0]
    for line, other in filled[1:]:
        both: dict[str, Any] = {
            "quoted": _quoted(part.orders),
            "first": first,
            "quoted2": _quoted(other.orders),
            "line_": line,
        }
        if _apart(part, other):
            raise BadFile(
                "two orders for two positions: {quoted} in line {first} and {quoted2} in line "
                "{line_}. Each match wants a message of its own; if both are for one match, send "
                "the one that counts, alone",
                path,
                line,
                **both,
            )
        if spoken(o.text for o in other.orders) != spoken(o.text for o in part.orders):
            raise BadFile(
                "two different orders: {quoted} in line {first} and {quoted2} in line {line_}. "
                "Send the one that counts, alone",
                path,
                line,
                **both,
            )
    return part.orders


def _apart(one: _Said, other: _Said) -> bool:
    """Do two fences name different positions or matches?"""
    marks = [{mark[:4] for _, mark in each.positions if mark} for each in (one, other)]
    names = [{line.text for kind, line in each.fields if kind == "match"} for each in (one, other)]
    return any(all(said) and said[0].isdisjoint(said[1]) for said in (marks, names))


def _quoted(orders: Iterable[Line]) -> str:
    return repr("; ".join(order.text for order in orders)[:80])


def _named(name: str, fields: Iterable[tuple[str, Line]], path: str) -> str | None:
    """The one value given for `seat`, `match` or `sign`. Raises Problem if two differ."""
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


def _with_courtesies(
    lines: Sequence[Line], why: Sequence[str], name: str | None, first: int
) -> list[str]:
    """Why each line is not an order, greetings, closings and the sender's name included; `first` is
    the number of the first new line."""
    own = tokens(name or "")
    found = [
        reason or _left_out(line.text, _bare(line.text), own, first=line.number == first)
        for line, reason in zip(lines, why, strict=True)
    ]
    open_ = [i for i, line in enumerate(lines) if not found[i] and line.text.strip()]
    names = [i for i in open_ if courtesy.is_name(_bare(lines[i].text), name)]
    # If nothing else is left, the name itself is the order, like the card Kanaloa.
    if len(names) == len(open_) and "question" not in found:
        return found
    closed = next((i for i, reason in enumerate(found) if reason == "closing"), len(lines))
    signed = next((i for i in names if i > closed), len(lines))
    for i in open_:
        if i in names:
            found[i] = "closing"
        elif i > signed:
            found[i] = "below your name"
    return found


def _left_out(whole: str, text: str, own: Sequence[str], *, first: bool = False) -> str:
    """Why a line is no order; "" if it may be one, or asks something of the desk."""
    if asking.begins(text):
        return ""
    return courtesy.aside(whole) or _courtesy(text, own, first=first)


def _requests(found: Iterable[Request]) -> tuple[Request, ...]:
    """What is asked, each once: two fences may say the same."""
    return tuple(dict.fromkeys(sorted(found, key=lambda request: request.line)))


def _courtesy(text: str, own: Sequence[str], *, first: bool) -> str:
    said = tokens(_NUMBER.sub("", text.removesuffix(":")))
    if text.endswith(":") and said in phrases("courtesies", "order"):
        return "greeting"  # "My move:", and the move in the next line
    return courtesy.courtesy(text, own, first=first) or (
        "signature" if courtesy.contact(text) else ""
    )


def _ignored(
    lines: Sequence[Line], why: Sequence[str], asked: Collection[int], *, fenced: bool
) -> Iterable[Ignored]:
    for line, reason in zip(lines, why, strict=True):
        if fenced and reason in quotes.NEW and line.number in asked:
            continue
        if fenced and reason not in OLD:
            reason = "outside the fence"
        if reason and line.text.strip():
            yield Ignored(reason, line.number, line.text.strip())
