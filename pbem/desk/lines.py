"""The lines of an order, read in a match: what is played now, what waits, what is taken back.

Every line that cannot be read is told at once, and what is no order at all is passed over.
"""

from __future__ import annotations

from typing import NamedTuple

from pbem.authorship import Writer
from pbem.core import Pattern, Refused, Seat, Unreadable
from pbem.desk import nearness, planning
from pbem.desk.answer import Trouble
from pbem.desk.plans import Plan
from pbem.intake import Ignored, Line, Submission, plan
from pbem.intake.caveats import caveat, is_caveat
from pbem.log.match import Match
from pbem.play import judge as play
from pbem.sentence import say


class Read(NamedTuple):
    """What is played now, what waits, the numbers of what is taken back (0: all), and every line
    that could not be read."""

    order: tuple[Pattern | play.Choice, ...]
    plans: tuple[Plan, ...]
    withdrawn: tuple[int, ...]
    troubles: tuple[Trouble, ...]

    def first_of_each(self) -> list[Pattern]:
        """The moves of the order, the first alternative where there are several."""
        found: list[Pattern] = []
        for each in self.order:
            found += each.orders[0] if isinstance(each, play.Choice) else [each]
        return found


def read(now: Match, seat: Seat, said: Submission, today: str) -> Read:
    """What the lines of a seat's message say in a match as it stands."""
    order, plans = list[Pattern | play.Choice](), list[Plan]()
    withdrawn, troubles = list[int](), list[Trouble]()
    for line in said.orders:
        number = plan.withdrawn(line.text)
        try:
            if number is not None:
                withdrawn.append(number)
            elif plan.is_plan(line.text) and said.fenced:
                plans.append(planning.filed(now, seat, line.text, today))
            elif not said.fenced and "|" in line.text:
                raise Unreadable(
                    line.text,
                    "It isn't clear whether | parts two moves or leaves a choice",
                    advice=say("Write one move on each line, or `or` between two to choose from"),
                )
            elif not said.fenced and is_caveat(line.text):  # `no` is a line of a map, too
                raise Unreadable(line.text, "There is no move here")
            elif not plan.asks_for_list(line.text):
                chosen = planning.choice(now, line)
                order += chosen if isinstance(chosen, list) else [chosen]
        except Refused as error:
            troubles.append(Trouble(line.number, line.text, _explained(said, line, error)))
    return Read(tuple(order), tuple(plans), tuple(withdrawn), tuple(troubles))


def without_chatter(
    now: Match, said: Submission, writer: Writer, found: Read
) -> tuple[Submission, Read]:
    """The same without the lines that are known to be harmless: prose in a paragraph of its own
    above the first move, and the writer's name below the last."""
    unread = {(trouble.line, trouble.text) for trouble in found.troubles}
    numbers = [line.number for line in said.orders if (line.number, line.text) not in unread]
    above = _paragraph_of(said.body, numbers[0])
    idle = {
        trouble
        for trouble in found.troubles
        if (trouble.line > numbers[-1] and _signs(now, writer, trouble.text))
        or (trouble.line < above and nearness.chatter(now, trouble.text))
    }
    if not idle:
        return said, found
    lines = [Line(trouble.line, trouble.text) for trouble in found.troubles if trouble in idle]
    no_moves = (Ignored("no move", line.number, line.text) for line in lines)
    ignored = sorted((*said.ignored, *no_moves), key=lambda each: each.line)
    left = tuple(trouble for trouble in found.troubles if trouble not in idle)
    return said.less(orders=lines)._replace(ignored=tuple(ignored)), found._replace(troubles=left)


def _paragraph_of(body: str, number: int) -> int:
    """The line with which the paragraph of a line begins."""
    lines = body.split("\n")[: number - 1]
    return number - next(
        (n for n, text in enumerate(reversed(lines)) if not text.strip()), number - 1
    )


def _signs(now: Match, writer: Writer, text: str) -> bool:
    """Is a line no more than the name of whoever wrote it?"""
    names = [now.players[seat] for seat in writer.seats if seat in now.players]
    said = text.strip(" .,!-").casefold()
    return any(said in (name.casefold(), *name.casefold().split()[:1]) for name in names)


def _explained(said: Submission, line: Line, error: Refused) -> Refused:
    """What is wrong with a line that may have been meant as a plan."""
    if not said.fenced and plan.is_whole_plan(line.text):
        return Unreadable(
            line.text,
            "This looks like a plan, and plans are read inside a fence only",
            advice=say("Put all your lines into the fence that stands at the end of each post"),
        )
    if plan.is_plan(line.text) or not isinstance(error, Unreadable):
        return error
    if plan.begins_to_withdraw(line.text):
        return Unreadable(
            line.text,
            "This line takes nothing back",
            advice=say(
                "Write `withdraw` to take back all, or `withdraw 2`, one number on each line"
            ),
        )
    if plan.begins_like_one(line.text):
        return Unreadable(line.text, "This plan lacks its colon and its order")
    if not said.fenced and caveat(line.text):
        return Unreadable(
            line.text,
            "{word!r} may take your moves back, or make them depend on something",
            advice=say("If they count as they are, send them without this line"),
            word=caveat(line.text),
        )
    if word := plan.nearly(line.text):
        return Unreadable(
            line.text, "{why}", advice=say("Did you mean {word:any}?", word=[word]), why=error
        )
    return error
