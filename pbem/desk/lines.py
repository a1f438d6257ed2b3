"""The lines of an order, read in a match: what is played now, what waits, what is taken back.

All lines that cannot be read are told together; what is no order at all is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import chain, pairwise
from typing import Final, NamedTuple

from pbem.core import Pattern, Refused, Seat, Unreadable
from pbem.desk import titles
from pbem.desk.answer import NotPlayed, Trouble
from pbem.desk.authorship import Writer
from pbem.desk.plans import parse
from pbem.desk.plans.model import Plan
from pbem.intake import Ignored, Line, Request, Submission, asking, order, plan, talk
from pbem.intake.absence import dates, only_tells_absence
from pbem.intake.caveats import caveat, caveats_but, crossed, is_caveat, odd_signs
from pbem.intake.courtesy import is_name
from pbem.intake.phrasing import begins_later
from pbem.intake.submission import OLD
from pbem.intake.verbs import AWAY
from pbem.intake.words import fields, phrases, tokens
from pbem.log.clock import day_of
from pbem.log.match import Replay
from pbem.meaning import chatter
from pbem.meaning.patterns import notated, says
from pbem.meaning.pleas import without_things
from pbem.meaning.weighing import weighed
from pbem.play import judge as play
from pbem.sentence import say

MARK: Final = "?"
"""What is left of a question of a few words behind an order."""

_LONGEST_HEADING: Final = 60  # characters
_A_NAME: Final = re.compile(r"[^\W\d_a-z][^\W\d_A-Z]+(?: [^\W\d_a-z](?:[^\W\d_A-Z]+|\.)?){0,2}")
_MARKED: Final = re.compile(r"[?~]")  # asked, or struck out
_TAILED: Final = re.compile(r"(.*\S)\s*,\s*([^.,;:!?]{1,40}\?[\s)]*)")
_FEW: Final = 4  # words; of a longer unreadable line, nobody is told which word is wrong


class ReadLines(NamedTuple):
    """What is played now, what waits, the numbers of what is taken back (0: all), and every line
    that could not be read. `lines` are those of the order, each with its moves, () if it could
    not be read; `idle` what is no order at all, like a line that only names a seat."""

    lines: tuple[tuple[Line, Sequence[Pattern | play.Choice]], ...]
    plans: tuple[Plan, ...]
    withdrawn: tuple[int, ...]
    troubles: tuple[Trouble, ...]
    idle: tuple[Ignored, ...] = ()

    @property
    def order(self) -> tuple[Pattern | play.Choice, ...]:
        """All that is played now."""
        return tuple(each for _, moves in self.lines for each in moves)

    def first_of_each(self) -> list[Pattern]:
        """The moves of the order, the first alternative if there are several."""
        found: list[Pattern] = []
        for each in self.order:
            found += each.orders[0] if isinstance(each, play.Choice) else [each]
        return found


def as_broken(match: Replay, said: Submission) -> Submission:
    """The message with its lines as they were broken, if one that was taken for a part of another
    is a move or a word for the desk as it stands. A code covers what was read without the game."""
    if said.broken is None or said.signature is not None:
        return said
    whole, broken = {*said.body.split("\n")}, said.broken.body.split("\n")
    parts = (Line(0, text) for above, text in pairwise(broken) if whole.isdisjoint((above, text)))
    if not any(_stands_alone(match, line) for line in parts):
        return said
    return said.broken._replace(domains=said.domains)


def _stands_alone(match: Replay, line: Line) -> bool:
    """Does a line say a move, several, or something to the desk, and no more?"""
    if asking.wish(line) or plan.withdrawn(line.text) is not None:
        return True
    pieces = order.moves(line)
    try:
        return bool(pieces) and all(parse.played(match, each.text) for each in pieces)
    except Refused:
        return False


def as_notated(match: Replay, said: Submission) -> Submission:
    """The message with each line that its game would write just so, as a whole, as that move:
    whatever a bullet, a sign or a number in it looks like. A code covers only what was read as an
    order without the game. With a bar in front and nobody named whose words it might quote, it is
    an order that leaves open what the bar means."""
    orders = {line.number for line in said.orders}
    lines = (e for e in said.verbatim if said.signature is None or e.number in orders)
    moves = {line.number: line for line in lines if notated(match, line.text)}
    if orders and not said.fenced and not any(e.why == "attribution" for e in said.ignored):
        bars = (e for e in said.ignored if e.why == "quote" and e.text.startswith("|"))
        moves |= {e.line: Line(e.line, e.text) for e in bars if notated(match, e.text[1:])}
    if not moves:
        return said
    kept = (line for line in said.orders if line.number not in moves)
    return said._replace(
        orders=tuple(sorted((*kept, *moves.values()), key=lambda line: line.number)),
        unexplained=tuple(each for each in said.unexplained if each.number not in moves),
        ignored=tuple(each for each in said.ignored if each.line not in moves),
    )


def untailed(match: Replay, seat: Seat, said: Submission) -> Submission:
    """The message with each order that a question of a few words follows, "KAHU-COCO and draw,
    right?", as a line of its own; of the question only its mark is left, so that it waits for a
    yes."""
    found = dict[Line, Line]()
    some = () if said.fenced or seat not in match.asked else (*said.orders, *said.outside)
    for line in some:
        if (tailed := _TAILED.fullmatch(line.text)) and len(tokens(tailed[2])) < _FEW:
            head = line._replace(text=tailed[1])
            sure = says(match, head) or weighed(match, seat, [(head, ())]).sure
            if sure and not chatter.may_be_a_move(match, tailed[2]):
                found[line] = head
    if not found:
        return said
    marks = (line._replace(text=MARK) for line in found)
    asked = {Ignored("question", *line) for line in found}
    orders = [found.get(line, line) for line in some if line in found or line in said.orders]
    return said._replace(
        orders=tuple(sorted(orders, key=lambda line: line.number)),
        outside=tuple(line for line in said.outside if line not in found),
        unexplained=(*(line for line in said.unexplained if line not in found), *marks),
        ignored=tuple(each for each in said.ignored if each not in asked),
    )


def unsigned(match: Replay, seats: Collection[Seat], said: Submission) -> Submission:
    """The message without the name of its writer, who sits on these seats, behind what a line of
    its order says, "draw. Ana", or as all that stands beside what it asks and tells; and without
    any name that stands right below a closing, at its end."""
    if line := _below_closing(match, said):
        said = left_out(said, [Ignored("closing", *line)])
    players = {name for seat in seats if (name := match.players.get(seat))}
    names = {part for name in players for part in (name, name.split()[0])}
    names -= {name for name in names if chatter.may_be_a_move(match, name)}
    if said.requests and len(said.orders) == 1 and not said.fenced:
        [line] = said.orders
        bare = any(is_name(line.text, each) for each in (*players, said.sender_name))
        full = line.text.split()[0] in names and chatter.is_title(match, line.text, names)
        if full or (bare and not chatter.may_be_a_move(match, line.text)):
            return left_out(said, [Ignored("closing", *line)])
    if not names:
        return said
    signed = rf"(?<=\w)(?:\s*[.,;!/(]|\s-)+\s*(?:{'|'.join(map(re.escape, names))})[\s.!)]*$"
    rest = [e._replace(text=re.sub(signed, "", e.text, flags=re.I)) for e in said.orders]
    wishes = [each for line in {*rest}.difference(said.orders) if (each := asking.wish(line))]
    orders = tuple(line for line in rest if line.number not in {each.line for each in wishes})
    return said._replace(orders=orders, requests=(*said.requests, *wishes))


def _below_closing(match: Replay, said: Submission) -> Line | None:
    """The last line, if it can only be a name below a closing: "Best, / Benjamin"."""
    [*others, line] = sorted({*said.orders, *said.outside, *said.unexplained}) or [Line(0, "")]
    closings = [e.line for e in said.ignored if e.why == "closing" and e.line < line.number]
    if not others or not closings or not _A_NAME.fullmatch(line.text.strip(" -~/,.!")):
        return None
    blank = not any(map(str.strip, said.body.split("\n")[closings[-1] : line.number - 1]))
    told = caveat(line.text) or chatter.may_be_a_move(match, line.text)
    return line if blank and not told else None


def read(match: Replay, seat: Seat, said: Submission, today: str) -> ReadLines:
    """What the lines of a seat's message say in a match as it stands."""
    found, plans = list[tuple[Line, Sequence[Pattern | play.Choice]]](), list[Plan]()
    withdrawn, troubles, headings = list[int](), list[Trouble](), list[Ignored]()
    moves = [line for line in said.orders if not _is_heading(match, seat, line.text)]
    alone = said.fenced or len(moves) == 1
    for line in said.orders:
        move = notated(match, line.text) if alone or not is_caveat(line.text) else None
        if move:
            found.append((line, [move]))
            continue
        line = _headed(match, seat, line)
        number = plan.withdrawn(line.text)
        try:
            if number is not None:
                withdrawn.append(number)
            elif plan.is_plan(line.text) and said.fenced:
                plans.append(parse.filed(match, seat, line.text, today))
            elif not said.fenced and "|" in line.text:
                raise Unreadable(
                    line.text,
                    "It isn't clear whether | parts two moves or leaves a choice",
                    advice=say("Write one move on each line, or `or` between two to choose from"),
                )
            elif (
                crossed(line.text)
                or "~" in line.text  # what is left of ~~draw~~
                or (not said.fenced and is_caveat(line.text))  # `no` is a line of a map, too
                or (  # "next: draw", "después draw"
                    not any(moves for _, moves in found)
                    and (
                        plan.is_plan(line.text)
                        or begins_later(line.text)
                        or asking.in_pieces(line.text)
                    )
                )
                or _tells_of_another(match, seat, line.text)
            ):
                raise Unreadable(line.text, "There is no move here")
            elif not plan.asks_for_list(line.text):
                found.append((line, parse.played(match, line.text)))
        except Refused as error:
            if _is_heading(match, seat, line.text):
                headings.append(Ignored("a heading", *line))
                continue
            found.append((line, ()))
            troubles.append(Trouble(line.number, line.text, _explained(said, line, error)))
    return ReadLines(tuple(found), tuple(plans), tuple(withdrawn), tuple(troubles), tuple(headings))


def _headed(match: Replay, seat: Seat, line: Line) -> Line:
    """A line without the name of its seat, or of whoever plays it, as a heading: `White: draw`."""
    head, colon, rest = line.text.partition(":")
    if not colon or not rest.strip() or not _names(match, seat, head):
        return line
    return Line(line.number, rest.strip())


def _is_heading(match: Replay, seat: Seat, text: str) -> bool:
    """Does a line only name a seat or its player? Not another seat of the same player: what stands
    below that is meant for it."""
    player = match.players.get(seat)
    others = (each for each in match.setup.seats if not player or match.players.get(each) != player)
    return any(_names(match, each, text.rstrip(" :")) for each in {seat, *others})


def _names(match: Replay, seat: Seat, said: str) -> bool:
    """Do these words say no more than a seat, or who plays it: `White`, `France (Ana)`?"""
    if len(said) > _LONGEST_HEADING or crossed(said):
        return False
    words = {" ".join(tokens(part)) for part in re.split(r"[()]", said) if part.strip()}
    name = match.players.get(seat, "")
    known = {" ".join(tokens(each)) for each in (seat, name, *name.split()[:1])}
    if seat in fields("verbs"):  # a colour, in all languages
        known |= {" ".join(phrase) for phrase in phrases("verbs", seat)}
    return bool(words) and words <= known - {""}


def _tells_of_another(match: Replay, seat: Seat, text: str) -> bool:
    """Does another player's name stand before a move, as posts tell theirs: "Dan: draw"?"""
    head, colon, _ = text.lstrip("@ ").partition(":")
    return colon != "" and any(_names(match, each, head) for each in _others(match, seat))


def of_another(match: Replay, seat: Seat, said: Submission) -> Line | None:
    """The line that says an order is another player's: a heading right above it, "Ben:", their name
    below it, or behind a closing on any line. None if no line does."""
    beside = [each for each in said.ignored if each.why not in (*OLD, "notice")]
    first, last = said.orders[0].number, said.orders[-1].number
    above = [each for each in beside if each.line < first][-1:]
    below = [each for each in beside if each.line > last]
    found = [
        *(each for each in above if _heads_another(match, seat, each.text)),
        *(each for each in beside if _signs_another(match, seat, each.text, below=each in below)),
    ]
    return next((Line(each.line, each.text) for each in found), None)


def _heads_another(match: Replay, seat: Seat, text: str) -> bool:
    """Is a heading another seat's, or another player's name before a colon? A bare "Ben" speaks to
    Ben."""
    bare = text.rstrip(" :")
    named = bare != text.rstrip()
    return any(
        _names(match, each, bare) and (named or tokens(bare)[:1] == tokens(each))
        for each in _others(match, seat)
    )


def _signs_another(match: Replay, seat: Seat, text: str, *, below: bool) -> bool:
    """Does a line end with another player's name as a signature, "Best regards, Ben"; or is it that
    name `below` an order, with or without a surname? Above, that name greets."""
    if len(text) > _LONGEST_HEADING:
        return False
    said, bare, signs = tokens(text), text.strip(" -~/,.!*_"), phrases("courtesies", "signs")
    return any(
        (below and _names(match, each, bare))
        or (below and said[:1] == tokens(name) and chatter.is_title(match, bare, {name}))
        or (said[-1:] == tokens(name) and any(said[-1 - n : -1] in signs for n in (1, 2, 3)))
        for each, player in _others(match, seat).items()
        for name in player.split()[:1]
    )


def _others(match: Replay, seat: Seat) -> dict[Seat, str]:
    """The seats of others and who plays them, except players with this one's first name."""
    own = match.players.get(seat, "").split()[:1]
    players = {each: match.players.get(each, "") for each in match.setup.seats if each != seat}
    return {each: name for each, name in players.items() if not own or name.split()[:1] != own}


def apart(said: Submission, found: ReadLines) -> frozenset[int]:
    """The numbers of the lines whose paragraph holds no move."""
    starts = {line.number: _paragraph_of(said.body, line.number) for line, _ in found.lines}
    moved = {starts[line.number] for line, moves in found.lines if moves}
    return frozenset(number for number, start in starts.items() if start not in moved)


def without_talk(match: Replay, said: Submission, writer: Writer, found: ReadLines) -> ReadLines:
    """What was read, without the lines that are no part of the order: everyday talk, a heading
    above the first move, and the writer's name below the last. A fence holds none."""
    if said.fenced:
        return found
    found = _passed_over(found, _signature(match, writer, found))
    numbers = [line.number for line, moves in found.lines if moves]
    if not (numbers or said.quoted):
        return found
    troubles = [Line(each.line, each.text) for each in found.troubles]
    idle = {
        line
        for block in talk.unbroken(troubles)
        if is_explained(match, writer, block, above=block[0].number < min(numbers, default=0))
        for line in block
    }
    return _passed_over(found, idle)


def untitled(match: Replay, writer: Writer, said: Submission) -> Submission:
    """The message without its subject among what nothing explains, if each part of it is a title of
    ours, or names the mail in known words, with names of the match, its game and its players."""
    theirs = " ".join(match.players.get(seat, "") for seat in writer.seats)
    own = tokens(f"{said.sender_name or ''} {theirs}")
    names = (match.name, match.log.header.game, getattr(match.game, "TITLE", ""))
    known = {*own, *(f"{name}'s" for name in own), *tokens(" ".join((*names, *match.setup.seats)))}
    known.update(getattr(match.game, "WORDS", ()))
    known.update(" ".join(pair) for name in names for pair in pairwise(tokens(name)))
    others = {*tokens(" ".join(match.players.values()))} - known

    def is_title(part: str) -> bool:
        code = part.isupper() and chatter.as_code(match, part, listed=True)  # HI is a line of a map
        return not (code or _MARKED.search(part) or odd_signs(part)) and any(
            talk.is_title(each, known, others) and not order.undoes(each)
            for each in chain((part,), titles.rests(match, part))
        )

    lines = (e for e in said.unexplained if e.number or not all(map(is_title, e.text.split(" - "))))
    return said._replace(unexplained=tuple(lines))


def explained(match: Replay, writer: Writer, said: Submission) -> Submission:
    """The message without what the match explains among what nothing else does: everyday talk
    beside its words, its writer's name, a heading of the order."""
    first = said.orders[0].number if said.orders else 0
    doubtful = (
        line
        for line in said.unexplained
        if not (line.number and is_explained(match, writer, [line], above=line.number < first))
    )
    return said._replace(unexplained=tuple(doubtful))


def dated(match: Replay, said: Submission, today: str) -> Submission:
    """The message with what tells in prose that its writer is away, and names the days, as the line
    that asks for that: where a match has a clock, and the order in it needs no guess. A code covers
    what stands there."""
    new = (*said.outside, *(() if said.fenced else said.orders))
    if not today or match.log.clock is None or said.signature is not None or said.requests:
        return said
    whole = "\n".join(line.text for line in new)
    sure = only_tells_absence(whole) and not caveats_but(whole, "later not back")
    if not (sure and chatter.for_a_person(match, said)):
        new = tuple(line for line in new if _only_away(match, line.text))
    moment = day_of(match.log.moment(today), match.log.so_far().timing.clock.zone)
    text = "\n".join(line.text for line in new)
    found = dates(text, moment.isoformat()) if asking.mentioned(text) == AWAY else None
    if found is None:
        return said
    away = Request(AWAY, new[0].number, f"away {found.first} to {found.last}")
    return said.less(orders=new)._replace(requests=(away,))


def _only_away(match: Replay, text: str) -> bool:
    """Does a line say no more than that its writer is away, whatever stands beside it?"""
    told = asking.mentioned(text) == AWAY and only_tells_absence(text)
    return told and not caveats_but(text, "later") and without_things(match, text) == text


def is_explained(match: Replay, writer: Writer, block: Sequence[Line], *, above: bool) -> bool:
    """Is a line, with those that go on with it, everyday talk, its writer's name or, `above` an
    order, a heading of it or somebody's name?"""
    text = " ".join(line.text.strip() for line in block)
    own = " ".join(match.players.get(seat, "") for seat in writer.seats)
    if any(_names(match, seat, text.strip(" .,!-:")) for seat in writer.seats):
        return True
    called, comma, rest = text.partition(",")
    if comma and any(_names(match, each, called) for each in match.setup.seats):  # "Ben, …"
        text = rest.strip()
    introduces = above and (not text or chatter.introduces(match, text))
    return introduces or chatter.is_everyday(match, text, tokens(own))


def _signature(match: Replay, writer: Writer, found: ReadLines) -> Collection[Line]:
    """The writer's name below everything else, with a surname or a title, and any capitalised words
    right below it: "Ana Kovács", "Analyst, Meridian Ltd"."""
    names = {name for seat in writer.seats for name in match.players.get(seat, "").split()[:1]}
    lines, at = [line for line, _ in found.lines], len(found.lines)
    while at > 1 and not found.lines[at - 1][1]:
        if at < len(lines) and lines[at - 1].number + 1 != lines[at].number:
            break
        if not chatter.is_title(match, lines[at - 1].text, names):
            break
        at -= 1
        if names & {*re.findall(r"\w+", lines[at].text)}:
            return lines[at:]
    return ()


def _passed_over(found: ReadLines, idle: Collection[Line]) -> ReadLines:
    """What was read, without these unreadable lines; their writer is told they are no moves."""
    if not idle:
        return found
    return found._replace(
        lines=tuple(each for each in found.lines if each[1] or each[0] not in idle),
        troubles=tuple(each for each in found.troubles if Line(each.line, each.text) not in idle),
        idle=(*found.idle, *(Ignored("no move", *line) for line in sorted(idle))),
    )


def left_out(said: Submission, idle: Sequence[Ignored]) -> Submission:
    """A message without these lines of its order; its writer is told they are no moves."""
    ignored = sorted((*said.ignored, *idle), key=lambda each: each.line)
    lines = [Line(each.line, each.text) for each in idle]
    return said.less(orders=lines)._replace(ignored=tuple(ignored))


def those_that_count(
    match: Replay, seat: Seat, found: ReadLines
) -> tuple[ReadLines, tuple[NotPlayed, ...]]:
    """The legal lines of an order, in a game where these alone count, and why each other does not.
    The order stays whole if a line may take others back, or make them depend on something."""
    game, state, beyond = match.game, match.state, False
    by_line = getattr(game, "LINE_BY_LINE", False)
    if not by_line or any(caveat(trouble.text) for trouble in found.troubles):
        return found, ()
    whys = {Line(each.line, each.text): each.error for each in found.troubles}
    kept, bad = list[tuple[Line, Sequence[Pattern | play.Choice]]](), list[NotPlayed]()
    for line, moves in found.lines:
        why = whys.get(line)
        if moves and not beyond:
            verdict = play.adjudicate(game, state, seat, moves)
            if isinstance(verdict, play.Rejected):
                why = verdict.reason
            else:
                state, beyond = verdict.state, bool(verdict.unplayed)
        if why is None:
            kept.append((line, moves))
        else:
            bad.append(NotPlayed(seat, line.text, say("{why}", why=why)))
        beyond = beyond or all(each.seat != seat for each in game.pending(state))
    if not kept:
        return found, ()
    return found._replace(lines=tuple(kept), troubles=()), tuple(bad)


def _paragraph_of(body: str, number: int) -> int:
    """The number of the first line in a line's paragraph."""
    lines = body.split("\n")[: number - 1]
    return number - next(
        (n for n, text in enumerate(reversed(lines)) if not text.strip()), number - 1
    )


def _explained(said: Submission, line: Line, error: Refused) -> Refused:
    """What is wrong with a line: it may be meant as a plan or a wish, or take moves back."""
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
    if plan.begins_like_one(line.text) and (said.fenced or not caveat(line.text)):
        return Unreadable(line.text, "This plan lacks its colon and its order")
    if verb := asking.nearly(line.text):
        return Unreadable(line.text, "Did you mean {word:any}?", word=[verb])
    if not said.fenced and caveat(line.text) and len(said.orders) == 1:
        return Unreadable(
            line.text,
            "{word!r} may take your move back, or make it depend on something",
            advice=say("If it counts as it is, send the move alone"),
            word=caveat(line.text),
        )
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
    if len(tokens(line.text)) > _FEW and not (error.advice and "near" in error.advice.values):
        return Unreadable(line.text, "There is no move here", advice=error.advice)
    return error
