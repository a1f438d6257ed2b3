"""Tells new lines from quoted ones, in mails and posts.

Conservative on purpose: what is quoted beyond doubt is left out, and all else is either new or,
where the two cannot be told apart, refused. An order that went missing and an old one that was
played again are both worse than a question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from pbem.intake import fence
from pbem.intake.document import Document
from pbem.intake.submission import Line
from pbem.intake.text import FULL
from pbem.intake.words import expression
from pbem.problem import BadFile

_LOOK: Final = 300  # characters of a line that are looked at
_MOST_NEW: Final = 2_000  # lines; each costs time, and no order has that many

_DAY: Final = re.compile(
    r"(?<!\d)(?:(?:19|20|25|14)\d\d(?!\d)|\d{1,2}[./-] ?\d{1,2}[./-] ?\d{2,4})"
)
_CLOCK: Final = re.compile(r"(?<!\d)\d{1,2}[:.h]\d\d(?!\d)")
_DATE: Final = re.compile(f"{_DAY.pattern}|{_CLOCK.pattern}")
_ADDRESS: Final = re.compile(r"(?<=[\w.+-])@[\w-]{1,64}+\.")
_TOKEN: Final = re.compile(r"#\d{1,6} [0-9a-f]{4}")  # of our own subjects
_PERSON: Final = re.compile(r"[\"']?[^\W\d_a-zß-ÿ][^:;!?]{1,60}$")
_GROUPWISE: Final = re.compile(r"\s*>>>\s?[^>\s].*>>>\s*$")
_BAR: Final = re.compile(r"\s*(?:[|¦]|\w{1,12}>)")  # "| old", "Ana> old"
_PLAIN_BAR: Final = re.compile(r"\s*[|¦](?![|¦])\s?(?=[^|¦]*$)")  # no table, no spoiler
_SNIP: Final = re.compile(
    r"[\s\[(<{*~-]*(?:\.{2,}|snip\w*|cut|trimmed|gekürzt|gekuerzt|schnipp|coupé|recortado"
    r"|taglio|geknipt|ciach|vágás)[\s\])>}*~-]*$",
    re.I,
)

_RULER: Final = re.compile(r"[-_=*\s]{3,}$")
_ROLES: Final = ("sender", "date", "to", "copy", "subject")
_LABEL: Final = rf"[\s*_]*(?:{'|'.join(f'(?P<{role}><{role}>)' for role in _ROLES)})[*_\s]{{0,3}}:"
_ANY_LABEL: Final = re.compile(r"[\s*_]*[^\W\d_][^:@<>]{0,30}:[*_\s]*(\S.*)$")
_VERB: Final = r"(?<!\w)<wrote>(?!\w)|写道|於.*寫|于"  # of "Ana wrote"
_TOLD: Final = _VERB + r"|(?<!\w)<told>(?!\w)"  # of "Ana said:", which has no date
_LEAD: Final = r"(?:-+ )?<lead>\s+(?:[^\W\d]+[.,]*\s+){0,3}\d"  # how "On Mon, Apr 2" begins
_QUOTING: Final = r"<quoting>\s"  # how a line begins that names whose words follow
_MESSAGE: Final = r"(?<!\w)<message>(?!\w)"  # in a ruler with words in it
_TITLE: Final = r"\s*(?:<message>\s*){1,3}$"  # "Original Message" without a ruler
_FORWARDED: Final = r"[*\s]*<forwarded>\s*:?[*\s]*$"  # a line that begins a forwarded message
_HEADER_REACH: Final = 9  # lines in which three of the labels must stand


def quoted(page: Document, *, markdown: bool) -> Document:
    """The page with what is old labelled: quote, attribution, forwarded.

    `markdown`: a line right below a quoted one belongs to it, as forums show it. A new line that
    may belong to one is marked "doubt". Lines at the "end of a quote" or "below an original" are
    left out, but nothing marks them as old. Raises Problem if too many lines are new.
    """
    lines = page.lines
    why = ["quote" if is_marked(line.text) else "" for line in lines]
    shown = [""] * len(lines)  # as a Markdown forum shows it
    if markdown and any(">" in line.text for line in lines):
        from pbem.intake import markdown as parser

        shown = parser.quoted([line.text for line in lines])
        why = ["quote" if "quote" in both else "" for both in zip(why, shown, strict=True)]
    follower = _followers(lines)
    bars = below = False
    fenced = ""
    fresh = i = 0
    while i < len(lines):
        text = lines[i].text[:_LOOK]
        fenced = "" if why[i] else fence.closing(text, fenced)
        if not (why[i] or fenced) and (_BAR if bars else _PLAIN_BAR).match(text):
            why[i] = "quote"  # in a fence, a bar leaves a choice
        groupwise = why[i] == "quote" and _GROUPWISE.match(text)
        if (why[i] and not groupwise) or not text.strip():
            i += 1
            continue
        end = 0 if groupwise else _heading(lines, why, i, follower)
        if end:
            if end == len(lines) or why[end] != "quote":
                _cut(lines, why, i, "forwarded")
                break
            why[i:end] = ["forwarded"] * (end - i)
            below = True
            i = end
            continue
        size = 1 if groupwise else _attribution(lines, why, i, follower)
        if not size:
            fresh += 1
            _require_few(fresh, page.path, lines[i].number)
            why[i] = _tail(lines, why, i, markdown) or shown[i]
            if below and not why[i]:
                why[i] = "below an original"
            i += 1
            continue
        why[i : i + size] = ["attribution"] * size
        i += size
        j = _behind_snips(lines, why, follower, i - 1)
        if j == len(lines) or why[j]:
            continue
        bars = bool(_BAR.match(lines[j].text[:_LOOK]))
        if not bars:  # an original without any marks: nothing shows where it ends
            _cut(lines, why, j, "quote")
            break
    return page.labelled(why)


def _require_few(fresh: int, path: str, number: int) -> None:
    if fresh > _MOST_NEW:
        raise BadFile(
            "more than {most:,} lines are new: send the order in a message of its own",
            path,
            number,
            most=_MOST_NEW,
        )


def _behind_snips(
    lines: Sequence[Line], why: list[str], follower: Sequence[int], attribution: int
) -> int:
    """Which line follows an attribution, past those that say that something was cut there, which
    belong to the quote."""
    j = follower[attribution]
    while j < len(lines) and not why[j] and _SNIP.match(lines[j].text[:_LOOK]):
        why[j] = "quote"
        j = follower[j]
    return j


def is_marked(text: str) -> bool:
    """Does the line carry the quote mark of mails and Markdown?"""
    return text.lstrip().startswith(">")


def refuse_doubt(page: Document) -> Document:
    """Raises Problem at the first line that may be a quote's last line or the sender's own; a fence
    leaves no doubt."""
    for line in () if page.fences else page.pick("doubt"):
        raise BadFile(
            "{text!r} stands right below a quoted line and may belong to it: leave an empty line "
            "above it, or put the order between [move] and [/move]",
            page.path,
            line.number,
            text=line.text.strip()[:60],
        )
    return page


def _followers(lines: Sequence[Line]) -> list[int]:
    """For each line, the next one that is not empty."""
    found = [len(lines)] * len(lines)
    for i in range(len(lines) - 2, -1, -1):
        found[i] = i + 1 if lines[i + 1].text.strip() else found[i + 1]
    return found


def _cut(lines: Sequence[Line], why: list[str], start: int, reason: str) -> None:
    """Mark everything from `start` on as old, and the rulers and titles right above it."""
    why[start:] = [reason] * (len(lines) - start)
    i = start - 1
    while i >= 0 and not why[i]:
        text = lines[i].text[:_LOOK]
        if text.strip() and not (_RULER.match(text) or expression(_TITLE).match(text)):
            break
        why[i] = reason
        i -= 1


# -------------------------------------------------------------------- what begins an original


def _heading(lines: Sequence[Line], why: Sequence[str], i: int, follower: Sequence[int]) -> int:
    """Where the original begins whose heading is here, a ruler with words in it or labels; 0 if
    there is no heading here."""
    end = i
    if is_divider(lines[i].text):
        end = follower[i]
        if end < len(lines) and (why[end] or _attribution(lines, why, end, follower)):
            return end if why[end] else _after(lines, end, follower)
    if end < len(lines) and (
        _is_header_block(lines, end)
        or (end > i and expression(_LABEL).match(lines[end].text[:_LOOK]))
    ):
        return _after(lines, end, follower)
    return end if end > i else 0


def _after(lines: Sequence[Line], i: int, follower: Sequence[int]) -> int:
    """The first line below the paragraph that begins here."""
    while i + 1 < len(lines) and lines[i + 1].text.strip() and not is_marked(lines[i + 1].text):
        i += 1
    return follower[i]


def is_divider(text: str) -> bool:
    """Is this `-----Original Message-----` in any language, or the like?"""
    text = text[:_LOOK].strip()
    words = text.strip("-_*= ")
    dashes = len(text) - len(words)
    if words.startswith(("BEGIN PGP", "END PGP")):
        return False
    if dashes >= 4 and words and text[-1] in "-_*=":
        return bool(expression(_MESSAGE).search(words))
    return bool(expression(_FORWARDED).match(text))


def _is_header_block(lines: Sequence[Line], i: int) -> bool:
    """Do three different labels of a mail's header stand here, and is the first not a recipient's?
    Or any three labels with values, a mail address and a date among them?

    Two are not enough: `From: b2` and `To: c3` may be an order.
    """
    if ":" not in lines[i].text[:_LOOK]:
        return False
    first = expression(_LABEL).match(lines[i].text[:_LOOK])
    known = first is not None and first.lastgroup not in ("to", "copy")
    if not known and not _ANY_LABEL.match(lines[i].text[:_LOOK]):
        return False
    roles: set[str | None] = set()
    labels: set[str] = set()
    addressed = dated = False
    for line in lines[i : i + _HEADER_REACH]:
        text = line.text[:_LOOK]
        if not text.strip():
            return False
        if _ANY_LABEL.match(text):
            label_text = text.partition(":")[0].strip("*_ ").casefold()
            if label_text in labels:
                return False
            labels.add(label_text)
            addressed = addressed or bool(_ADDRESS.search(text) or _TOKEN.search(text))
            dated = dated or bool(_DATE.search(text))
            if len(labels) >= 3 and addressed and dated:
                return True
        label = expression(_LABEL).match(text)
        if not label:  # a long list of recipients goes on
            continue
        known = known and label.lastgroup not in roles
        roles.add(label.lastgroup)
        if known and len(roles) == 3:
            return True
    return False


def _attribution(lines: Sequence[Line], why: Sequence[str], i: int, follower: Sequence[int]) -> int:
    """How many lines from here on say who wrote the text below; 0 if none do."""
    text = lines[i].text[:_LOOK].strip()
    j = follower[i]
    if text.endswith(":") and j < len(lines) and why[j] == "quote":
        return 1  # in any language
    dated = any(map(str.isdigit, text)) and bool(expression(_LEAD).match(text))
    if not (dated or _DATE.search(text) or _ADDRESS.search(text)):
        return int(text.endswith(":") and _names_writer(text))
    said = ""
    whole = 0
    for size, line in enumerate(_paragraph(lines, why, i), 1):
        said = f"{said} {line.text[:_LOOK].strip()}".strip()
        addressed = bool(_ADDRESS.search(said))
        dated = dated or bool(_DATE.search(said))
        if said.endswith(":"):
            known = addressed or (dated and bool(expression(_VERB).search(said)))
            return size if known else 0
        if addressed and dated:
            whole = whole or size  # of a program that writes no colon
    return whole if whole <= 2 else 0


def _names_writer(text: str) -> bool:
    """Is this `Ana Weiss wrote:`, or `Zitat von Ana Weiss:`?"""
    if expression(_QUOTING).match(text):
        return True
    verb = expression(_TOLD).search(text)
    return (
        verb is not None
        and not text[verb.end() :].strip(" :")
        and bool(_PERSON.match(text[: verb.start()].strip()))
        and all(word[:1].isupper() and word != "I" for word in text[: verb.start()].split())
    )


def _paragraph(lines: Sequence[Line], why: Sequence[str], i: int) -> Iterator[Line]:
    """The next lines, at most four, up to an empty or a quoted one."""
    for j in range(i, min(i + 4, len(lines))):
        if why[j] or not lines[j].text.strip():
            return
        yield lines[j]


def _tail(lines: Sequence[Line], why: Sequence[str], i: int, markdown: bool) -> str:
    """Why a line may be the end of the quoted one above, broken off by a program; "" if not."""
    above, text = lines[i - 1].text if i else "", lines[i].text.strip()
    if not is_marked(above) or not above.strip("> \t"):
        return ""
    broken = len(above) + 1 + len(text.split(maxsplit=1)[0]) > FULL
    if broken and i + 1 < len(lines) and is_marked(lines[i + 1].text):
        return "end of a quote"
    alone = i + 1 == len(lines) or not lines[i + 1].text.strip()
    return "doubt" if markdown or (broken and alone) else ""
