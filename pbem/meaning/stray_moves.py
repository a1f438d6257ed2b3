"""What a message says outside its order: if that may be an order too, its sender is asked.

An old order played again and a new one that nobody saw are both worse than a question.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from pbem import intake
from pbem.core import NOBODY, Pattern, Seat
from pbem.intake.caveats import caveat, of_others, speaks_to_others, unsaid
from pbem.intake.courtesy import unlinked
from pbem.intake.words import phrases, tokens
from pbem.log.match import Replay
from pbem.meaning import hints
from pbem.meaning.fitting import Fitting, Wording
from pbem.meaning.hints import LONGEST_LINE, MoveTexts
from pbem.meaning.mentions import NOTHING
from pbem.meaning.patterns import says, seated
from pbem.play import judge
from pbem.rules.reading import fold
from pbem.sentence import Sentence, in_turn, say

_LEFT_OUT: Final = ("signature", "question", "outside the fence")
_WHOLE: Final = 2  # things: what names as many may be a move
_SHORT: Final = 6  # words of a line that may be a move and no more
_CLAUSE: Final = re.compile(r"[.,;:!]\s+")
_SHOWN: Final = 200  # characters
_MOST: Final = 20  # such lines that are looked at


def question(
    match: Replay, message: intake.Submission, order: Sequence[Pattern], seat: Seat
) -> Sentence | None:
    """Why it is not certain that `order` is what the sender wants; None if it is."""
    beside = [(line, moves) for line in message.outside if (moves := says(match, line))]
    if not order:
        why = _without_order(message, beside) or beside_address(match, message, seat)
        return why or (None if message.fenced else _courtesy(match, message, seat))
    said = [pattern for _, moves in beside for pattern in moves]
    if said and not (message.fenced or _same(said, order)):
        return _left_out(beside[0][0])
    if left_out := _aside(match, message, order, seat):
        return _left_out(left_out)
    below = any(line.number < message.orders[0].number for line in message.outside)
    old = message.fenced and below and not message.placed
    if old and (ply := _played_before(match, order)):
        return say(
            "the order stands below other text, does not name its position and says what was "
            "played before (ply {ply}), so it may be an old one: write #{now} into the first "
            "line of the fence if you mean it",
            ply=ply,
            now=match.position[0],
        )
    if message.fenced:
        return _courtesy(match, message, seat)
    return (
        _between(message) or _below(match, message, order, seat) or _courtesy(match, message, seat)
    )


def _without_order(
    message: intake.Submission, beside: Sequence[tuple[intake.Line, object]]
) -> Sentence | None:
    if message.quoted and not message.quoted[0].number:
        return say("Your mail was empty. Write your moves in the mail itself, not in the subject")
    if message.quoted:
        old = message.only_old
        forwarded = old is not None and old.why == "forwarded"  # nothing marks its lines
        return all_quoted(old) if old and forwarded else in_quotes(message.quoted[0])
    if beside and message.fenced:
        return say(
            "Your block holds no move, and {text!r} in line {line} stands outside it: put your "
            "moves into the block",
            text=beside[0][0].text,
            line=beside[0][0].number,
        )
    return _left_out(beside[0][0]) if beside else None


def beside_address(match: Replay, message: intake.Submission, seat: Seat) -> Sentence | None:
    """What is said of a line that may be a move and was left out for its address, if the message
    holds no order; None if there is none."""
    line = None if message.orders else _aside(match, message, (), seat)
    if line is None or unlinked(line.text) == line.text:
        return None
    return say(
        "{text!r} in line {line} may be a move, but it was not read as one because of the address "
        "in it: put your moves into the block below",
        text=shown(line.text),
        line=line.number,
    )


def all_quoted(first: intake.Ignored) -> Sentence:
    """What is said of a message in which everything is old, from this line on."""
    return say(
        "Everything in your message counts as quoted, from {text!r} in line {line} on. Write your "
        "moves above that line",
        text=first.text[:60],
        line=first.line,
    )


def taken_back(line: intake.Line) -> Sentence:
    """What is said of a line that may take back what stands in the others."""
    return say(
        "{text!r} in line {line} may take your moves back, or make them depend on something. So "
        "nothing was played: take your time. If they count all the same, send the block below",
        text=shown(line.text),
        line=line.number,
    )


def beside(line: intake.Line, order: MoveTexts, more: int) -> Sentence:
    """What is said of an order that waits for a yes because of a line, and perhaps `more` lines,
    that nothing explains."""
    values = {"moves": in_turn(order), "text": shown(line.text), "line": line.number}
    if more:
        return say(_MORE_BESIDE, n=more, **values)
    if not line.number:
        return say(
            "I read {moves}. I can't tell what your subject, {text!r}, means. If your order counts "
            "as it stands, answer yes",
            **values,
        )
    return say(
        "I read {moves}. I can't tell what {text!r} in line {line} means. If your order counts as "
        "it stands, answer yes",
        **values,
    )


_MORE_BESIDE: Final = (
    "I read {moves}. I can't tell what {text!r} in line {line} and {n} more [line|lines] mean. If "
    "your order counts as it stands, answer yes"
)


def corrected(
    legal: Fitting, order: MoveTexts, doubtful: Sequence[intake.Line]
) -> tuple[MoveTexts, ...] | None:
    """The order with one of its moves replaced by the one that a line beside it names, with that
    line's verb if it has one; () if no line names a thing that the order lacks, None if nobody can
    tell which move it would replace. In a long line a single thing is talk: "What a fight around
    Elai!"; and so is what cannot be played, in words to others: "Your bridge Gola-Kahu hurts"."""
    written = [Wording.of(text) for text in order]
    known = {thing for each in written for thing in each.things}
    others = dict[MoveTexts, bool]()
    names = False
    for line in doubtful:
        text = seated(legal.match, line.text[:LONGEST_LINE])
        said = [each for each in legal.vocabulary.mentions(text) if each.thing and not each.little]
        said = [each for each in said if each.thing != NOTHING]
        things = {each.thing for each in said}
        acts = [each.verbs for each in legal.vocabulary.mentions(text) if each.verbs]
        few = len(things) < _WHOLE and len(tokens(text)) > _SHORT and not acts
        if few or not (new := things - known):
            continue
        possible, state = len(others), legal.match.state
        for at, replaced in enumerate(written):
            for each in legal.naming(state, new, things.union(replaced.things)):
                reading = (*order[:at], each.text, *order[at + 1 :])
                alike = each.verbs == replaced.verbs and len(each.things) == len(replaced.things)
                # "instead of drawing I take JOJO"
                said_so = all(verbs & (each.accepted | replaced.verbs) for verbs in acts)
                said_so &= not acts or any(verbs & each.accepted for verbs in acts)
                if said_so and legal.playable(reading):
                    others[reading] = alike
            if replaced.text not in (playable := legal.texts(state)):
                break
            state = legal.after(state, playable[replaced.text])
        names |= len(others) > possible or not (of_others(line.text) or speaks_to_others(line.text))
    alike_ones = [reading for reading, same in others.items() if same] or [*others]
    return (alike_ones[0],) if len(alike_ones) == 1 else (None if names else ())


def joins(legal: Fitting, text: str) -> bool:
    """Does the first clause of a line that names a thing or a verb begin with a word that goes on
    with what stands before it: "Oh, and KAHU-LALE"?"""
    clauses = (seated(legal.match, each) for each in _CLAUSE.split(text[:LONGEST_LINE]))
    named = next((c for c in clauses if any(legal.vocabulary.mentions(c))), "")
    return tokens(named)[:1] in phrases("courtesies", "then")


def shown(text: str) -> str:
    """As much of a line as an answer quotes."""
    said = text.strip()
    cut = said[:_SHOWN].rpartition(" ")[0] or said[:_SHOWN]
    return f"{cut} \N{HORIZONTAL ELLIPSIS}" if said[_SHOWN:] else said


def in_quotes(line: intake.Line) -> Sentence:
    """What is said of a line in a quoted fence, if the message holds no order."""
    return say(
        "{text!r} in line {line} stands in a quoted fence, where the lines begin with >: write "
        "your move above the quoted text, or take away the > in front of the fence",
        text=line.text,
        line=line.number,
    )


def _left_out(line: intake.Line) -> Sentence:
    return say(
        "{text!r} in line {line} may be a move, but it was not read as one: put your moves into "
        "the block below, or take that line out",
        text=line.text,
        line=line.number,
    )


def _between(message: intake.Submission) -> Sentence | None:
    """A greeting or a closing between two moves: there one message may end and another begin."""
    first, last = message.orders[0].number, message.orders[-1].number
    for each in message.ignored:
        courteous = each.why in ("greeting", "closing") and not each.text.endswith(":")
        if courteous and first < each.line < last:
            return say(
                "{text!r} in line {line} stands between your moves, as if two messages met "
                "there: put the moves that count into the block below",
                text=each.text,
                line=each.line,
            )
    return None


def _below(
    match: Replay, message: intake.Submission, order: Sequence[Pattern], seat: Seat
) -> Sentence | None:
    """Another order below old text without a mark: nothing shows where the old text ends. Forwarded
    text is others', and may be new only in an answer."""
    forwarded = {each.line for each in message.ignored if each.why == "forwarded"}
    answers = message.mail is not None and message.mail.first("In-Reply-To")
    if not answers and any(line.number in forwarded for line in message.below):
        return None
    found = [says(match, line) for line in message.below]
    said = [pattern for moves in found for pattern in moves]
    if not all(found) or not said or _same(said, order):
        return None
    if isinstance(judge.adjudicate(match.game, match.state, seat, said), judge.Rejected):
        return None
    return _left_out(message.below[0])


def _courtesy(match: Replay, message: intake.Submission, seat: Seat) -> Sentence | None:
    """A greeting or the like that could be played: "hi" is a line of a map, beside a fence only
    "HI"."""
    known = {line.number for line in message.outside}  # looked at by whoever asks this
    for each in message.ignored:
        said = each.text.strip()
        _, _, rest = said.partition(" ")
        # "Hi," and "Hi!" greet; "Hallo pass!" may be a move.
        greets = said.endswith(",") or (said.endswith("!") and not rest)
        beside = message.fenced and said.isupper() and each.line not in known
        civil = ("greeting", "closing", "outside the fence" if beside else "")
        if greets or each.why not in civil:
            continue
        for text in filter(None, (each.text, rest)):
            moves = says(match, intake.Line(each.line, text))
            if moves and (text.isupper() or _may_be_played(match, seat, moves)):
                return say(
                    "Is {text!r} in line {line} a greeting, or the move {move}? Write the move in "
                    "full, put your order into the block below, or take that line out",
                    text=each.text,
                    line=each.line,
                    move="; ".join(match.game.notate(pattern.move) for pattern in moves),
                )
    return None


def _may_be_played(match: Replay, seat: Seat, moves: Sequence[Pattern]) -> bool:
    return isinstance(judge.adjudicate(match.game, match.state, seat, moves), judge.Accepted)


def _aside(
    match: Replay, message: intake.Submission, order: Sequence[Pattern], seat: Seat
) -> intake.Line | None:
    """A line left out as a signature, for its web address, or as a short question, which holds a
    move that is not in the order: "KAHU-COCO, see www.example.org", "KAHU-COCO, ok?"."""
    words: frozenset[str] = getattr(match.game, "WORDS", frozenset())
    told = {line.number for line in message.outside} if message.fenced else ()
    left_out = (each for each in message.ignored if each.line not in told)
    for nth, each in enumerate(filter(_may_hold_a_move, left_out)):
        line, text = intake.Line(each.line, each.text), unlinked(each.text)
        if nth == _MOST:
            return line
        moves = says(match, line._replace(text=unsaid(text).strip(" ,.;:!?-")))
        if not (moves or message.fenced or words.isdisjoint(map(fold, tokens(text)))):
            moves = [match.game.parse(move) for move in hints.verbatim(match, seat, text)]
        new = [move for move in moves if not any(_same([move], [known]) for known in order)]
        if new and not isinstance(
            judge.adjudicate(match.game, match.state, seat, new), judge.Rejected
        ):
            return line
    return None


def in_subject(
    match: Replay, message: intake.Submission, order: Sequence[Pattern], seat: Seat
) -> intake.Line | None:
    """The subject of a mail as line 0, if a move stands in it that the order lacks; None if not:
    "My move" heads an order, though "move" may be a verb of the game."""
    line = intake.Line(0, unlinked(message.title))
    if tokens(line.text) in phrases("courtesies", "order"):
        return None
    words: frozenset[str] = getattr(match.game, "WORDS", frozenset())
    if words.isdisjoint(map(fold, tokens(shown(line.text)))):
        return None
    moves = says(match, line) or map(match.game.parse, hints.verbatim(match, seat, line.text))
    return line if any(not repeats(order, [move]) for move in moves) else None


def _may_hold_a_move(left_out: intake.Ignored) -> bool:
    """May a line that was left out be more than what it was left out for?"""
    if left_out.why not in _LEFT_OUT or len(left_out.text) > LONGEST_LINE:
        return False
    text = unlinked(left_out.text)
    some = left_out.why != "outside the fence" or text != left_out.text or caveat(text) != ""
    return some and 0 < len(tokens(text)) <= _SHORT


def repeats(order: Sequence[Pattern], moves: Sequence[Pattern]) -> bool:
    """Are there such moves, and is each of them in the order?"""
    return moves != [] and all(any(_same([each], [known]) for known in order) for each in moves)


def _same(some: Sequence[Pattern], others: Sequence[Pattern]) -> bool:
    """Do two orders say the same moves?"""
    return [p._replace(said="") for p in some] == [p._replace(said="") for p in others]


def _played_before(match: Replay, order: Sequence[Pattern]) -> int:
    """The ply from which on just these moves were played before; 0 if they never were."""
    plies = [ply for ply, _ in match.plies if ply.seat not in NOBODY]
    for start in range(len(plies) - len(order) + 1):
        run = plies[start : start + len(order)]
        said = (match.game.parse(ply.move).move for ply in run)
        if all(pattern.fits(move) for pattern, move in zip(order, said, strict=True)):
            return run[0].number
    return 0
