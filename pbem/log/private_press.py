"""What seats write to each other: a sealed part for each seat of the table, empty for those it is
not meant for, and all of one length.

So everybody sees that a letter was written and, with `press: private` in the header, by whom; only
the keys of its writer and its readers open to whom it went, and what it says. With `press: grey`
not even its readers are told who wrote it. A reveal opens everything.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from pbem.core import HIDDEN, Seat
from pbem.log import seal
from pbem.log.entries import Header, Plain
from pbem.log.format import Log
from pbem.log.rulings import Press, Ruled, entry
from pbem.log.seal import MODERATOR, Keyring
from pbem.sentence import Sentence, say

NONE, PUBLIC, PRIVATE, GREY = "none", "public", "private", "grey"
KINDS: Final = (NONE, PUBLIC, PRIVATE, GREY)
"""What the players of a match may say: nothing; only to all; to each other as well; or the same
without a name."""

SIZE: Final = 256
"""The sealed parts of a letter are padded to a multiple of this many bytes."""

_FIELD: Final = "press"


def kind(header: Header) -> str:
    """What the players of a match may say to each other, one of `KINDS`."""
    return header.press or PUBLIC


TERMS: Final = {
    NONE: say("No press: players say nothing to each other."),
    PRIVATE: say(
        "Press: `to NAME: …` writes to one player, `say: …` to all. A letter is sealed in the log "
        "for those it concerns; that it was written, and by whom, all can see. When the secret is "
        "revealed after the match, every letter opens."
    ),
    GREY: say(
        "Press is grey: `to NAME: …` writes to one player, `say: …` to all, and nobody is told "
        "who wrote it; but the log shows what comes beside a move, so send a mail of its own. When "
        "the secret is revealed after the match, that opens, too."
    ),
}
"""What the opening says about press, by its kind; where players speak only to all, nothing."""


class PressText(NamedTuple):
    """What somebody may read of a letter. `by` is "" where its reader may not know who wrote it."""

    by: Seat
    to: tuple[Seat, ...]
    text: str

    @property
    def sentence(self) -> Sentence:
        """The letter in words."""
        if not self.by:
            return say("Somebody writes to {to:seats}: {text}", to=self.to, text=self.text)
        return say("{by:seat} writes to {to:seats}: {text}", by=self.by, to=self.to, text=self.text)


def written(log: Log, keyring: Keyring, words: PressText, *, at: str, reason: str = "") -> Plain:
    """A letter as an entry for `Log.extend`; `words` are as its writer knows them."""
    grey, epochs = kind(log.header) == GREY, log.epochs
    read = words._replace(by="") if grey else words
    parts = [
        words if seat == words.by else read if seat in words.to else None
        for seat in log.header.seats
    ]
    plain = ["" if part is None else part._asdict() for part in parts]
    longest = max(len(seal.canonical(part).encode()) for part in plain)
    size = -(-longest // SIZE) * SIZE
    place: Any = {"match": log.header.match, "ply": len(log.entries), "field": _FIELD}
    sealed = (
        keyring.seal(seat, epochs[seat], part, size=size, **place)
        for seat, part in zip(log.header.seats, plain, strict=True)
    )
    by = MODERATOR if grey else words.by
    return entry(Press(tuple(sealed)), at, reason, by=by)


def told(log: Log, keyring: Keyring, ruled: Ruled, *, whole: bool) -> Sentence | None:
    """What whoever has these keys is told of a ruling. Of a letter for others: that it was
    written, if the `whole` match is told, and else nothing."""
    if not isinstance(ruled.ruling, Press):
        return ruled.sentence
    words = opened(log, keyring, ruled)
    if words is None:
        return ruled.sentence if whole else None
    return words.sentence


def opened(log: Log, keyring: Keyring, ruled: Ruled) -> PressText | None:
    """What these keys open of a letter, as its writer knows it if they can; None if it is for
    others. Raises Problem if a part was altered."""
    assert isinstance(ruled.ruling, Press)
    found: PressText | None = None
    for seat, part in zip(log.header.seats, ruled.ruling.parts, strict=True):
        words = keyring.unseal(seat, part, match=log.header.match, ply=ruled.nth, field=_FIELD)
        if words and words != HIDDEN and (found is None or words["by"] == seat):
            found = PressText(words["by"], tuple(words["to"]), words["text"])
    return found
