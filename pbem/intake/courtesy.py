"""What is neither quoted nor an order: signatures, greetings, closings, notices, questions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from functools import cache
from typing import Final, NamedTuple

from pbem.intake.caveats import caveat, crossed, is_caveat, long_caveats, odd_signs
from pbem.intake.document import NEW, Document
from pbem.intake.submission import SIGNATURE_ENDS, Line
from pbem.intake.words import (
    Lexicon,
    beginnings,
    begun,
    deeds,
    expression,
    lexicon,
    phrases,
    tokens,
)

_SIGNATURE: Final = re.compile(r"--\s*$")
_CONTACT: Final = re.compile(
    r"https?://|www\.\w|[\w.+-]{1,64}@[\w-]{1,64}\.\w"
    r"|(?:^|(?<=[\s:(]))(?:\+|00)?\d[\d()/ .-]{6,20}\d$",
    re.I,
)
_ADDRESS: Final = re.compile(r"\w@\w")
_SMALL: Final = re.compile(r"[^\W\d_]{2,}")
_LINK: Final = re.compile(r"https?://\S+|www\.\S+|(?<!\S)\S+@\S+", re.I)
_NAME: Final = re.compile(r"(?!.*'s$)[^\W\d_a-zß-ÿ][^\W\d_]*[a-zß-ÿ]['\w]*$")  # Ben, not BARI
_SMILEY: Final = re.compile(
    r"(?<![\w])(?:[:;=8xX]['^o-]{0,2}[()\[\]DdPpOo/|*3]+|\^_*\^|<3+|xD+|\\o/|o/)(?!\w)"
    r"|[\u2600-\u27bf\ufe0f\U0001f000-\U0001faff]"
)
# Not where a line is split, nor a name after a colon: "KAHU;COCO", "land :O".
_FACE: Final = re.compile(
    r"(?<![:;=])[:;=]['^o-]?[()]+(?![^\s.,!?;:])"
    r"|(?<![\w:;=])(?:[:;=]['^o-]?[/\\|*]+|[:;=]['^o-][DPp]+|;[DPp]+)(?=[\s.!,;]*$)"
)
_ASKS: Final = re.compile(r"(?:\S\?|\w{2,} \w+ \?|\?{2,}|\?!+|!+\?)[\s)\"'*_]*$")  # French: "oui ?"
_TITLED: Final = r"(?:[^\W\d_a-zß-ÿ][\w'.-]*|of|the|von|de|und|and)"
_TITLE: Final = re.compile(rf"\s*{_TITLED}(?:[\s,|&/]+{_TITLED}){{0,7}}[\s,.]*")
_CAPITAL: Final = re.compile(r"[A-ZÀ-ÞŁŚŻŹĆŐŰČŘŠŽА-ЯΑ-Ω]")  # some scripts have none
_UNTICKED: Final = re.compile(r"\s*(?:[-*+]\s+|\d{1,2}[.)]\s+)?(?:\[\s?\]|[☐□▢])\s")
_RULER: Final = re.compile(r"[\s_=*~.,-]{4,}$")
_DEVICE: Final = r"\s*<device>(?!\w)"  # what a mail program adds by itself
# What a forum adds below a post that was edited: whose edit it was, and when or how often.
_STAMP: Final = (
    r"[\[(*_]*(?:<stamp>)(?!\w).{0,100}?"
    r"(?:(?<!\d)(?:\d{4}|\d{1,2}[:.]\d\d(?:-kor| ?[ap]m| uhr)?)|<edits>)[.)\]*_]*$"
)
_FORUM_RULER: Final = re.compile(r"_{17,18}\s*$")  # above the signature, in phpBB and vBulletin
_SHORTEST: Final = 10  # characters of what a machine says
_LONGEST: Final = 120
_LONGEST_NOTICE: Final = 1_000
_TELLING: Final = 3  # words of a notice in a line that holds none of its phrases
_FOOTER_REACH: Final = 4  # lines below a ruler, in which a footer must show what it is


def unsigned(page: Document, signed: Collection[int] = ()) -> Document:
    """The page with signatures and the footers of mailing lists labelled; `signed` are the numbers
    of lines that are known to be a signature's.

    Otherwise only `--` alone on a line opens a signature; a hyphen in front of a word, a row of
    dashes or "Thanks" does not. It ends at "PS", where the HTML says so, and where old text begins,
    as an answer may follow below that.
    """
    lines, why = page.lines, page.labels
    found = list(why)
    open_, above = "", False
    for i, line in enumerate(lines):
        if why[i] not in NEW or (open_ == "signature" and _adds(line.text)):
            open_ = ""
        elif open_:
            found[i] = open_
            open_ = "" if line.text == SIGNATURE_ENDS else open_
        elif _SIGNATURE.match(line.text):
            found[i] = open_ = "signature"
        elif _opens_footer(lines, why, i):
            found[i] = open_ = "footer"
        elif line.number in signed or is_device(line.text):
            found[i] = "signature"
        elif is_stamp(line.text):
            found[i] = "notice"
        elif above and _FORUM_RULER.match(line.text):
            found[i] = open_ = "notice"
        above = above or bool(line.text.strip())
    return page.labelled(found)


def _adds(text: str) -> bool:
    """Does a line begin with "PS"?"""
    said = tokens(text[:_LONGEST])
    return begun(said[:-1], phrases("courtesies", "ps")) > 0


def _opens_footer(lines: Sequence[Line], why: Sequence[str], i: int) -> bool:
    """Is this a ruler with the footer of a mailing list or a service below it?"""
    text = lines[i].text.strip()
    if not text or len(text) > _LONGEST or not _RULER.match(text):
        return False
    seen = 0
    for j in range(i + 1, len(lines)):
        if why[j] not in NEW or seen == _FOOTER_REACH:
            return False
        if lines[j].text.strip():
            seen += 1
            if _is_footer(lines[j].text):
                return True
        elif j - i > 2 * _FOOTER_REACH:
            return False
    return False


def _is_footer(text: str) -> bool:
    spans = lexicon("notices", "footer").spans(tokens(text[:_LONGEST_NOTICE]))
    return any(kind for *_, kind in spans)


def is_device(text: str) -> bool:
    """Is this a line that a mail program adds by itself, like "Sent from my iPhone", or one that
    opens a signature?"""
    if not _SHORTEST <= len(text) <= _LONGEST:
        return bool(_SIGNATURE.match(text))
    likely = text.lstrip()[:2].casefold() in beginnings("device")
    found = expression(_DEVICE).match(text) if likely else None
    return found is not None and not (caveat(text[found.end() :]) or _ADDRESS.search(text))


def is_stamp(text: str) -> bool:
    """Is this what a forum adds by itself below a post that was edited?"""
    bare = text.strip()
    if not _SHORTEST <= len(bare) <= _LONGEST or not any(map(str.isdigit, bare)):
        return False
    likely = bare.lstrip("[(*_")[:2].casefold() in beginnings("stamp")
    return likely and expression(_STAMP).match(bare) is not None and not caveat(bare)


def unnoticed(page: Document) -> Document:
    """The page with the notices that machines add labelled.

    A notice begins with a line that gives it away, and goes on to the end of the paragraph. If
    only one phrase does so, and there is a caveat as well, a person may have written it.
    """
    lines, why = page.lines, page.labels
    found = list(why)
    start = 0
    while start < len(lines):
        end = start
        while end < len(lines) and why[end] in NEW and lines[end].text.strip():
            end += 1
        told = [_told(line.text) for line in lines[start:end]]
        begins = next((n for n, each in enumerate(told) if each.begins), len(told))
        rest = told[begins:]
        sure = sum(each.phrases + each.words for each in rest) > 1
        if rest and (sure or not caveat("\n".join(each.rest for each in rest))):
            found[start + begins : end] = ["notice"] * len(rest)
        start = end + 1
    return page.labelled(found)


class _Told(NamedTuple):
    """How many phrases and words of a notice a line holds, and what else it says."""

    phrases: int
    words: int
    rest: str

    @property
    def begins(self) -> bool:
        """Does it show that a notice begins?"""
        return self.phrases > 0 or self.words >= _TELLING


def _told(text: str) -> _Told:
    said = tokens(text[:_LONGEST_NOTICE]) if len(text) >= _SHORTEST else ()
    spans = [*lexicon("notices", "word", "notice").spans(said)]
    counts = Counter(kind for *_, kind in spans)
    rest = " ".join(said[at] for at, _, kind in spans if not kind)
    return _Told(counts["notice"], counts["word"], rest)


def aside(text: str) -> str:
    """`question`, `not ticked`, or "" for a line that may be an order."""
    if _UNTICKED.match(text):
        return "not ticked"
    return "question" if _ASKS.search(text[-40:]) else ""


def courtesy(text: str, own: Sequence[str] = (), *, first: bool = False) -> str:
    """`greeting`, `closing`, or "" for a line that is neither, or takes something back. `own`: the
    words of the sender's name, capitals or not; `first`: nothing stands above the line."""
    if len(text) > _LONGEST or crossed(text):
        return ""
    bare = _SMILEY.sub(" ", text)
    said = [word for word in re.split(r"[\s,.!¡¿:;()&+/\"~*-]+", bare) if word]
    if not said:
        return "closing" if bare != text and not odd_signs(text) else ""
    heads: list[str] = []
    names: list[str] = []
    besides: list[str] = []
    courteous: list[str] = []
    folded = [" ".join(tokens(word)) for word in said]
    for at, end, kind in _civil().spans(folded):
        if not kind and not heads and tokens(said[at])[:1] not in [(name,) for name in own]:
            return ""  # before any courtesy, what looks like a name may be a move
        if not kind:
            names.append(said[at])
        elif kind != "filler":
            heads.append(kind)
            courteous.append(" ".join(folded[at:end]))
        besides.append(said[at] if kind in ("", "filler") else "")
    asked = "?" in text and heads[-1:] != ["greeting"]  # "ok?", unlike "How are you?"
    if not heads or asked or len(names) > 3 or caveat(" ".join(besides)):
        return ""
    if any(all(said not in phrase for phrase in courteous) for said in long_caveats(text)):
        return ""  # "prima di", "lieber so": the courtesy is only part of a caveat
    if any(map(is_caveat, courteous)):  # "morgen", "пока": tomorrow, and for now
        shown = names or bare != text or text.rstrip()[-1] in ",!"
        if len(heads) > 1 or not (first if heads[0] == "greeting" else shown):
            return ""
    called = heads[0] == "greeting" and text.rstrip()[-1] in ",!" and "-" not in text
    alone = heads[0] == "greeting" and len(names) == 1  # "Hi pass!" is asked about
    done = any(tokens(name) in phrases("verbs", *deeds()) for name in names)
    if (alone or not done) and all(
        _is_called(name, own) or (called and not name.isupper()) for name in names
    ):
        return heads[0]
    return ""


def opens(text: str, fewest: int = 1) -> bool:
    """Does a text begin with a courtesy of at least so many words, "nice move", and go on?"""
    words = tokens(text[:_LONGEST])
    return begun(words[:-1], phrases("courtesies", "greeting", "closing")) >= fewest


def without_smileys(text: str) -> str:
    """A line without smileys made of signs, since some of these signs separate moves."""
    return _FACE.sub("", text).strip()


def _is_called(word: str, own: Sequence[str]) -> bool:
    return bool(_NAME.match(word)) or tokens(word)[:1] in [(name,) for name in own]


@cache
def _civil() -> Lexicon:
    """The courtesies: each phrase, and what it is; a greeting before a closing or a filler."""
    harmless = dict.fromkeys(phrases("caveats", "harmless"), "closing")
    kinds = lexicon("courtesies", "filler", "closing").kinds
    return Lexicon.of(kinds | harmless | lexicon("courtesies", "greeting").kinds)


def untitled(lines: Sequence[Line]) -> list[Line]:
    """The lines below a name that are no title, company or place: capitalised words, and none that
    may take something back."""
    return [
        line
        for line in lines
        if caveat(line.text) or not (_TITLE.fullmatch(line.text) and _CAPITAL.search(line.text))
    ]


def contact(text: str) -> bool:
    """Does the line hold a web address, a mail address or a telephone number, and no caveat? One
    that says in small words what a mail address is for does not: "write to ana@new.example"."""
    rest = unlinked(text)
    small = [word for word in _SMALL.findall(rest) if word.islower()]
    told = small[1:] and any((word,) in phrases("little", "word") for word in small)
    if len(text) > _LONGEST or (told and _ADDRESS.search(text)):
        return False
    return bool(_CONTACT.search(text)) and not caveat(rest)


def unlinked(text: str) -> str:
    """A line without its web and mail addresses."""
    return _LINK.sub("", text)


def is_name(text: str, name: str | None) -> bool:
    """Does the line consist of the sender's name, or its first word?"""
    words = (name or "").casefold().split()
    said = text.casefold().strip(" -~/,.!").split()
    return bool(words) and said in (words, words[:1])
