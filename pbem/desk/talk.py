"""Whether a message is talk, for a person to read, and which moves stand in it all the same."""

from __future__ import annotations

from pbem.core import CHANCE, Seat
from pbem.desk import chatter, lines
from pbem.desk.case import Case
from pbem.desk.meaning import says
from pbem.desk.own_words import hints
from pbem.desk.own_words.hints import Beginning
from pbem.desk.own_words.offences import offence
from pbem.desk.own_words.proposing import Search
from pbem.intake import Submission, asking
from pbem.intake.asking import PLACED
from pbem.intake.caveats import caveat
from pbem.intake.words import tokens
from pbem.log.match import Match

SHORT = 6
"""So many words a line has at most that may name half a move."""


def about(said: Submission) -> str:
    """The verb that a message is about in words of its own; "" for none."""
    texts = (line.text for line in (*said.orders, *said.outside))
    return next(filter(None, map(asking.mentioned, texts)), "")


def is_talk(case: Case) -> bool:
    """Is no line of a message an order, and no order to be seen in it all the same? What is about a
    verb may begin like a move: "take my last move back"."""
    now, said = case.now, case.said
    wish = about(said) and not said.fenced
    wish = wish and not any(says(now, line) for line in (*said.orders, *said.outside))
    return bool(wish or chatter.for_a_person(now, said)) and not _proposes(case)


def _proposes(case: Case) -> bool:
    """Is there an order to be seen in a message in which no line can be read as it stands?"""
    said = case.said
    search = searching(case, lines.read(case.now, case.seat, said, ""))
    if search is None:
        return False
    if search.proposals() or offence(search):
        return True
    if len(said.orders) != 1 or about(said):
        return False
    text = said.orders[0].text
    whole = hints.completions(search.legal, case.now.state, text)
    return whole is not None and (len(tokens(text)) <= SHORT or (whole.named and not whole.all))


def searching(case: Case, read: lines.ReadLines) -> Search | None:
    """The search for what a message with lines that cannot be read may mean; None where it may be
    meant to take something back."""
    said = case.said
    undoes = any(each.verb in PLACED for each in said.requests)
    if said.against or read.plans or read.withdrawn or undoes or case.seat == CHANCE:
        return None
    return Search(case.now, case.seat, read.lines, lines.apart(said, read))


def begins(now: Match, said: Submission, seat: Seat) -> Beginning:
    """The moves that a message begins with whose rest cannot be read; else the one that stands
    somewhere in it as it is written."""
    asks = not said.orders
    some = lines.read(now, seat, said, "").lines or [(line, ()) for line in said.outside]
    begun = Search(now, seat, some, ()).beginning()
    orders = said.orders or said.outside
    if begun.moves or len(orders) != 1:
        return begun._replace(undone=begun.undone or asks)
    text = orders[0].text
    moves = hints.verbatim(now, seat, text)
    rest = text.replace(moves[0], "").strip(" ,;:") if len(moves) == 1 else ""
    return Beginning(moves, False, asks or caveat(rest) != "", rest) if rest else begun


def named_moves(now: Match, said: Submission, seat: Seat) -> tuple[str, ...]:
    """The legal moves that a message names as they are written, whatever else it says."""
    return hints.verbatim(now, seat, "\n".join(line.text for line in (*said.orders, *said.outside)))
