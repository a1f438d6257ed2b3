"""From the text of a message to its orders: those in the fence, else what is left of the text."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final, NamedTuple

from pbem.intake import armour, asking, bbcode, caveats, courtesy, fence, plan, quotes, talk
from pbem.intake.document import NEW, Document
from pbem.intake.submission import OLD, Ignored, Line, NamedPosition, Request, Submission, spoken
from pbem.intake.verbs import MODERATOR
from pbem.intake.words import expression, phrases, tokens
from pbem.problem import BadFile

_MOST_ORDERS: Final = 200
_LONGEST_LABEL: Final = 60
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
_CLAUSE: Final = re.compile(r"[.]+\s|\s-+\s")
_COMMA: Final = re.compile(r"[,;:]\s")
_SOME: Final = 3  # words
_LINKED: Final = re.compile(r"(?<=[^\s:])\s?<(?:https?://|mailto:)[^<>\s]{1,4000}>")
# A question of some words behind another sentence: "Red 7. How is your new job?"
_ASIDE: Final = re.compile(r"(.{0,400}\S[.!)])\s+(?=[^.!?]{10,400}\?[\s)]*$)")
# What a list, a filter or the desk has added.
_TAGGED: Final = re.compile(rf"{_POSITION.pattern}|\[[^\]]{{0,80}}\]")
_NUMBERED: Final = re.compile(r"\[[^\W\d]\w*[ -]\d+\]")
_DOUBTFUL: Final = ("question", "notice", "end of a quote", "below an original", "below your name")
_SIGNED: Final = ("signature", "contact")
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
    text: str,
    path: str,
    *,
    markdown: bool,
    sender_name: str | None = None,
    signed: Collection[int] = (),
) -> Submission:
    """What the new lines of a message say; `signed` are the numbers of lines of a signature.

    Raises Problem if quoted and new text cannot be told apart, a fence is not closed, or
    fences contradict each other.
    """
    page = Document.of(text, path)
    passes: tuple[Callable[[Document], Document], ...] = (
        armour.taken_off,
        bbcode.unquote,
        partial(quotes.quoted, markdown=markdown),
        armour.refuse_encrypted,
        _begun,
        partial(asking.texts, bare_line=_bare),
        fence.take,
        quotes.refuse_doubt,
        _questions_apart,
        partial(courtesy.unsigned, signed=signed),
        courtesy.unnoticed,
        partial(_with_courtesies, name=sender_name),
    )
    for read in passes:
        page = read(page)
    return _submission(page, text, sender_name, signed)


def _submission(
    page: Document, text: str, sender_name: str | None, signed: Collection[int]
) -> Submission:
    """What is picked from a page on which each line has its label."""
    inside = [_part(each.lines, fenced=True) for each in page.fences]
    outside = _part(page.pick(), fenced=False)
    parts, fenced = (*inside, outside), bool(inside)
    orders = _agreed(page, inside) if fenced else outside.orders
    _require_few(orders, page.path)
    # Nothing in the text itself marks these lines as a signature.
    told = [line for line in page.pick(*_SIGNED) if line.number in signed]
    doubtful = _part((*page.pick(*_DOUBTFUL), *told), fenced=False)
    left_out = (*(outside.orders if fenced else ()), *doubtful.orders)
    asks = (*page.requests, *(each for part in parts for each in part.requests))
    # Each once: two fences may say the same.
    requests = tuple(dict.fromkeys(sorted(asks, key=lambda request: request.line)))
    named = [field for part in parts for field in part.fields]
    asked = {request.line for request in outside.requests}
    ignored = (*page.ignored, *_ignored(page, asked))
    return Submission(
        orders=orders,
        fenced=fenced,
        placed=any(part.positions for part in inside if part.orders),
        outside=tuple(sorted(left_out, key=lambda line: line.number))[:_MOST_ORDERS],
        verbatim=_verbatim(page, orders),
        unexplained=tuple(_unexplained(page, orders, outside, requests, sender_name)),
        below=() if fenced else _below(page, sender_name),
        quoted=_quoted_fence(page) if all(talk.is_everyday(o.text) for o in orders) else (),
        positions=tuple(dict.fromkeys(named for part in parts for named in part.positions)),
        match=_named("match", named, page.path),
        seat=_named("seat", named, page.path),
        signature=_named("sign", named, page.path),
        body=text,
        ignored=tuple(sorted(ignored, key=lambda each: each.line)),
        requests=requests,
    )


def _verbatim(page: Document, orders: Iterable[Line]) -> tuple[Line, ...]:
    """The lines that hold the orders, and outside a fence those left out for an address or a
    number, as they stand but for tags."""
    held = {line.number for line in orders}
    told = [line for each in page.fences for line in _unwrapped(each.lines)] or page.pick()
    beside = () if page.fences else page.pick("contact")
    lines = (*(line for line in told if line.number in held), *beside)
    return tuple(line._replace(text=bbcode.plain(line.text).strip()) for line in lines)


def _begun(page: Document) -> Document:
    """The page with its first new line noted. Raises Problem for more new text than anybody writes:
    each of its words is looked up."""
    new = page.pick()
    size = sum(len(line.text) for line in new)
    if size > _MOST_NEW:
        raise BadFile(
            "{size:,} characters long without what it quotes; at most {most:,} are read: send the "
            "order in a message of its own",
            page.path,
            size=size,
            most=_MOST_NEW,
        )
    first = next((line.number for line in new if line.text.strip()), 0)
    return replace(page, first=first)


def _require_few(orders: Sequence[Line], path: str) -> None:
    if len(orders) > _MOST_ORDERS:
        raise BadFile(
            "{orders} lines may be orders, at most {most_orders} are taken: put the order "
            "between [move] and [/move]",
            path,
            orders[0].number,
            orders=len(orders),
            most_orders=_MOST_ORDERS,
        )


def fresh(text: str, path: str) -> tuple[tuple[str, ...], int]:
    """The new lines of a mail as they stand, and how many of its lines are quoted or older. Raises
    Problem if nobody can tell."""
    source = Document.of(text, path)
    new = quotes.quoted(bbcode.unquote(source), markdown=False).pick("")
    shown = {line.number for line in new if line.text.strip()}
    old = sum(line.number not in shown and bool(line.text.strip()) for line in source.lines)
    return tuple("\n".join(line.text for line in new).strip("\n").split("\n")), old


def _questions_apart(page: Document) -> Document:
    """The page with the question at the end of a new line as a line of its own."""
    found = list[tuple[Line, str]]()
    for line, label in zip(page.lines, page.labels, strict=True):
        aside = _ASIDE.match(line.text) if label in NEW and "?" in line.text else None
        if aside and caveats.takes_back(aside[1]):
            aside = None  # the question is about that
        pieces = (aside[1], line.text[aside.end() :]) if aside else (line.text,)
        found += [(Line(line.number, piece), label) for piece in pieces]
    return replace(page, lines=[line for line, _ in found], labels=[label for _, label in found])


def _unexplained(
    page: Document,
    orders: Sequence[Line],
    outside: _Said,
    requests: Iterable[Request],
    name: str | None,
) -> Iterator[Line]:
    """The lines beside an order that are neither a mail's furniture nor everyday talk, or that
    take it back where anything may stand."""
    if not orders:
        return
    beside = [*(outside.orders if page.fences else ()), *page.pick("question")]
    beside += courtesy.untitled(page.pick("below your name"))
    beside.sort(key=lambda line: line.number)
    for block in talk.unbroken(beside):
        text = " ".join(each.text.strip() for each in block)
        if not talk.is_everyday(text, tokens(name or "")):
            yield block[0]._replace(text=text)
    for line in orders:
        if signs := caveats.odd_signs(line.text):
            yield line._replace(text=signs)
    signed = page.pick(*_SIGNED)
    for line in courtesy.unnoticed(Document(page.path, signed, [""] * len(signed))).pick():
        if caveats.revokes(courtesy.unlinked(line.text)):
            yield line
    yield from _told_against(requests)


def _told_against(requests: Iterable[Request]) -> Iterator[Line]:
    """The lines in which its writer tells somebody that the order does not count, or not yet: to
    the moderator any words that say so beside a fence, to players only words about the order. In
    "Ben built twice, it was illegal" the pronoun means what stands before it."""
    for each in requests:
        if each.verb == MODERATOR:
            said = (one for one in talk.sentences(each.text) if not caveats.asks_of_rules(one))
            undoes = not talk.in_known_script(each.text) or any(
                (caveats.takes_back(one.rstrip(" ?")) and caveats.caveats_but(one, "perhaps"))
                or ("?" not in one and caveats.of_the_order(_first_clause(one)))
                for one in said
            )
        else:
            undoes = each.row.is_press and bool(caveats.disowns(each.text))
        if undoes:
            yield Line(each.line, each.said)


def _first_clause(sentence: str) -> str:
    """A sentence up to where its first clause of some words ends."""
    ends = (sentence[: at.start()] for at in _COMMA.finditer(sentence))
    return next((each for each in ends if len(tokens(each)) >= _SOME), sentence)


def _below(page: Document, name: str | None) -> tuple[Line, ...]:
    """The last paragraph of old text without a mark, where somebody may have gone on writing. Below
    a fence, which ends our mails, courtesies are left out; without a fence, so is text that is
    indented, or forwarded, as others' moves are."""
    lines, labels, own = page.lines, page.labels, tokens(name or "")

    def civil(text: str) -> bool:
        return bool(_left_out(text, own)) or courtesy.is_name(_bare(text), name)

    new = [n for n, label in enumerate(labels) if label not in ("quote", "forwarded")]
    old = lines[new[-1] + 1 if new else 0 :]
    said = [line for line in old if line.text.strip()]
    ends = [line.number for line in said if line.text.strip().lower() == "[/move]"]
    if ends:
        said = [line for line in said if line.number > ends[-1] and not civil(line.text)]
    elif labels[-1] != "quote" or not said or said[0].text[:1].isspace():
        return ()
    last = said[-1].number if said else 0
    ends += [line.number for line in old if not line.text.strip() and line.number < last]
    found = [line for line in said if line.number > max(ends, default=0)]
    marked = any(quotes.is_marked(line.text) for line in found)
    return () if marked else tuple(Line(line.number, _bare(line.text)) for line in found)


def _quoted_fence(page: Document) -> tuple[Line, ...]:
    """What stands between [move] and [/move] in quoted lines, or in an original as Outlook puts it
    below an answer."""
    found: list[Line] = []
    inside = False
    for line in page.pick("quote", "forwarded"):
        text = line.text.lstrip("> \t")
        if not text:
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


def in_title(subject: str, *, thread: bool) -> tuple[Line, ...]:
    """What a subject may say that is new, as line 0: all but positions, tags, and what answering
    puts in front. In a `thread` that goes on without naming a position, the title is that of its
    first mail, and new only if it takes the order back."""
    mark = expression(r"(?<!\w)(?:<reply>)(?:\[\d+\])?\s?:")
    pieces = mark.sub("", _TAGGED.sub(_told_in_tag, subject)).split("\n")
    bare = (piece.rstrip().removesuffix(".").strip(" ;-") for piece in pieces)
    title = " - ".join(filter(None, bare))  # "..." may stand for a move
    old = thread and mark.match(subject.strip()) and not _POSITION.search(subject)
    return (Line(0, title),) if title and not (old and not undoes(title)) else ()


def _told_in_tag(tag: re.Match[str]) -> str:
    """What a tag in a subject leaves: its words if they take an order back, "[Draft]", or may name
    a match, "[spring-4]"."""
    counts = _NUMBERED.fullmatch(tag[0]) or caveats.takes_back(tag[0])
    return f"\n{tag[0].strip('[]')}\n" if counts else "\n"


def undoes(title: str) -> bool:
    """May a subject take back the order in its mail, or point at it?"""
    said = caveats.untitled(title)
    points = title.endswith(":") or caveats.points(said) != ""
    return (
        points
        or caveats.disowns(said) != ""
        or any(map(caveats.takes_back, _CLAUSE.split(said)))
        or not talk.in_known_script(title)
    )


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


def _agreed(page: Document, parts: Sequence[_Said]) -> tuple[Line, ...]:
    """The orders of the fences that hold any; they must all be the same, and for one match."""
    filled = [(f.line, p) for f, p in zip(page.fences, parts, strict=True) if p.orders]
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
                page.path,
                line,
                **both,
            )
        if spoken(o.text for o in other.orders) != spoken(o.text for o in part.orders):
            raise BadFile(
                "two different orders: {quoted} in line {first} and {quoted2} in line {line_}. "
                "Send the one that counts, alone",
                page.path,
                line,
                **both,
            )
    return part.orders


def _apart(one: _Said, other: _Said) -> bool:
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


def _with_courtesies(page: Document, name: str | None) -> Document:
    """The page with greetings, closings and the sender's name labelled."""
    own, lines = tokens(name or ""), page.lines
    found = [
        label or _left_out(line.text, own, first=line.number == page.first)
        for line, label in zip(lines, page.labels, strict=True)
    ]
    closed = next((i for i, reason in enumerate(found) if reason == "closing"), len(lines))
    found[closed:] = ["signature" if why == "contact" else why for why in found[closed:]]
    open_ = [i for i, line in enumerate(lines) if not found[i] and line.text.strip()]
    names = [i for i in open_ if courtesy.is_name(_bare(lines[i].text), name)]
    # If nothing else is left, the name itself is the order, like the card Kanaloa.
    if len(names) == len(open_) and "question" not in found:
        return page.labelled(found)
    signed = next((i for i in names if i > closed), len(lines))
    for i in open_:
        if i in names:
            found[i] = "closing"
        elif i > signed:
            found[i] = "below your name"
    return page.labelled(found)


def _left_out(whole: str, own: Sequence[str], *, first: bool = False) -> str:
    """Why a line is no order; "" if it may be one, or asks something of the desk."""
    text = _bare(whole)
    if asking.begins(text):
        return ""
    said = tokens(_NUMBER.sub("", text.removesuffix(":")))
    heads = text.endswith(":") and said in phrases("courtesies", "order")  # "My move:", then moves
    civil = "greeting" if heads else courtesy.courtesy(text, own, first=first)
    contact = courtesy.contact(text) and not asking.wanted(text)  # "PS my new address is …"
    return courtesy.aside(whole) or civil or ("contact" if contact else "")


def _ignored(page: Document, asked: Collection[int]) -> Iterator[Ignored]:
    """The lines that are left out, without those that ask for something beside a fence."""
    for line, label in zip(page.lines, page.labels, strict=True):
        if page.fences and label in NEW and line.number in asked:
            continue
        told = (*OLD, "signature")
        why = "outside the fence" if page.fences and label not in told else label
        if why and line.text.strip():
            why = "signature" if why == "contact" else why
            yield Ignored(why, line.number, line.text.strip())
