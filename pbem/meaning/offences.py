"""What a text says against the rules: the rule tells its writer more than "I can't read it"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any, Final, NamedTuple

from pbem.core import Pattern, Seat, Unreadable, Violation
from pbem.intake import Line
from pbem.intake.caveats import caveat, speaks_to_others
from pbem.intake.words import tokens
from pbem.log.match import Replay
from pbem.meaning.fitting import LONGEST_BLOCK, MOST_STEPS, UNSAID, Fitting
from pbem.meaning.hints import LONGEST_LINE, MoveTexts
from pbem.meaning.mentions import Mention
from pbem.meaning.patterns import called, says, seated
from pbem.meaning.proposing import Search
from pbem.play import judge as play
from pbem.rules.reading import fold

_CLAUSE: Final = re.compile(r"[,.;!]+\s+|\s+[-\u2013]+\s+")
_MOST: Final = 6  # mentions of one move that breaks a rule
_PARTED: Final = 2  # how many of these may begin a new clause


class Offence(NamedTuple):
    """An order in a text that the rules forbid: the moves before the first that breaks a rule, that
    move as it can be written, and what it breaks."""

    played: MoveTexts
    said: str
    reason: Violation


def offence(search: Search) -> Offence | None:
    """What the lines say against the rules, read as for a proposal: the first move that breaks one,
    after as many moves as can be played. Where they may be taken back, those before that count: of
    what is forbidden nothing need be taken back. None if they say no such thing."""
    return _in_plain(search) or _in_own_words(search if search.pieces else search.undoubted())


def _in_own_words(search: Search) -> Offence | None:
    """The same of what the lines mention."""
    legal, pieces = search.legal, search.pieces
    match, state, at, guessed = legal.now, legal.now.state, 0, False
    played: MoveTexts = ()
    texts = [seated(match, text) for text in search.naming]
    if any(_tells_of_others(legal, each) for each in texts):
        return None
    legal.left = MOST_STEPS
    while at < len(pieces) and legal.left > 0:
        if not isinstance(piece := pieces[at], Mention):
            verdict = play.adjudicate(match.game, state, legal.seat, piece)
            played += play.texts(match.game, verdict.steps)
            if isinstance(verdict, play.Rejected):
                if guessed or not isinstance(verdict.reason, Violation):
                    return None
                return Offence(played, piece[verdict.at].said, verdict.reason)
            if verdict.unplayed:
                return None
            state, at = verdict.state, at + 1
            continue
        said = search.mentions_at(at)
        if all(each.little for each in said):
            at += len(said)
            continue
        sizes = range(min(len(said), LONGEST_BLOCK), 0, -1)
        ends = [size for size in sizes if size == len(said) or said[size].parted]
        whole = next((size for size in ends if legal.fitting(state, said[:size])), 0)
        for size in [whole] if whole else sizes:
            if found := legal.fitting(state, said[:size]):
                wording, _ = found[0]
                state, played = legal.after(state, wording), (*played, wording.text)
                at, guessed = at + size, True
                break
            if size in ends:
                for text, reason in _broken(search, state, said[:size]):
                    return Offence(played, text, reason)
        else:
            return None
    return None


def _tells_of_others(legal: Fitting, text: str) -> bool:
    """Does a text say what others do, or speak to them? "I remove your bridge" does not."""
    match = legal.now
    others = {called(match, each) for each in match.setup.seats if each != legal.seat}
    acts = any(each.verbs - UNSAID for each in legal.vocabulary.mentions(text))
    return not others.isdisjoint(tokens(text)[:1]) or (speaks_to_others(text) and not acts)


def _in_plain(search: Search) -> Offence | None:
    """The move that the first line begins with, as the game writes it, if it breaks a rule whatever
    follows: "Green 5, and may the sea be kind"; None if what follows may take it back."""
    line, patterns = search.lines[0] if search.lines else (Line(0, ""), ())
    first, *rest = _CLAUSE.split(line.text, 1)
    if patterns or not rest or caveat(rest[0]):
        return None
    match, seat = search.legal.now, search.legal.seat
    verdict = play.adjudicate(match.game, match.state, seat, says(match, Line(0, first)))
    if isinstance(verdict, play.Rejected) and isinstance(verdict.reason, Violation):
        return Offence((), first, verdict.reason)
    return None


def in_question(
    match: Replay, seat: Seat, text: str
) -> tuple[tuple[MoveTexts, ...], Offence | None]:
    """The one or two orders that a question is about, "Is Elai-Duda still possible?", if they can
    be played; else what in it the rules forbid. Neither if it asks somebody, or about others."""
    legal = Fitting(match, seat)
    text = seated(legal.now, text[:LONGEST_LINE].rpartition("?")[0])
    said = list(legal.vocabulary.mentions(text))
    if (
        not any(each.thing and not each.little for each in said)
        or _tells_of_others(legal, text)
        or legal.is_others(text)
    ):
        return (), None
    asked = Line(1, text[said[0].start : said[-1].end])
    search = Search(match, seat, [(asked, ())], ())
    if readings := search.proposals():
        return readings, None
    return (), offence(search)


def _broken(search: Search, state: Any, said: Sequence[Mention]) -> Iterator[tuple[str, Violation]]:
    """The moves that mentions name and the rules forbid in a state, each with what it breaks. What
    could be played with other words is no offence, nor is what leaves a thing open: "Ben's bridge
    away with two HUNA". A move that is whole comes first."""
    legal, game = search.legal, search.legal.now.game
    named = frozenset(each.thing for each in said if each.thing)
    if sum(each.parted for each in said[1:]) > _PARTED or named in legal.worded(state):
        return
    verbs = [each.verbs for each in said if each.verbs]
    fuller = (some for more, some in legal.worded(state).items() if more > named)
    if verbs and any(all(v & each.verbs for v in verbs) for each in chain(*fuller)):
        return
    absent, read = list(_done_to_the_absent(legal, state, said)), dict[str, Pattern]()
    for text in dict.fromkeys((*_written_out(said), *absent)):
        with suppress(Unreadable):
            read[text] = game.parse(text)
    tried = {text: play.adjudicate(game, state, legal.seat, [read[text]]) for text in read}
    if any(isinstance(verdict, play.Accepted) for verdict in tried.values()):
        return  # "Bridge from K to C" is no free bridge
    for text in sorted(read, key=lambda text: read[text].is_open):  # "nehme kane5" robs nobody
        verdict = tried[text]
        if isinstance(verdict, play.Rejected) and isinstance(verdict.reason, Violation):
            whole = text if read[text].is_open else game.notate(read[text].move)
            yield " ".join(search.naming) if absent else whole, verdict.reason


def _done_to_the_absent(legal: Fitting, state: Any, said: Sequence[Mention]) -> Iterator[str]:
    """The legal moves with the verb that is mentioned, as if done to the player who is mentioned,
    whom no legal move names."""
    verbs = frozenset[str]().union(*(each.verbs for each in said))
    seats = "|".join(fold(each) for each in legal.now.setup.seats)
    for absent in (each.thing for each in said if each.thing in legal.vocabulary.absent):
        for wording in chain(*legal.worded(state).values()):
            if wording.verbs & verbs:
                yield re.sub(rf"\b(?:{seats})\b", absent, wording.text)


def _written_out(said: Sequence[Mention]) -> Iterator[str]:
    """The ways to write mentions down as games read a move."""
    named = [each.verbs for each in said if each.verbs]
    verbs = frozenset[str]().union(*named).intersection(*named)
    if len(said) > _MOST or not (verbs or any(each.glued for each in said)):
        return
    unsaid = [""] if not named or verbs & UNSAID else []
    for some in said, [each for each in said if not each.little]:
        things = [each.thing for each in some if each.thing]
        ways = [" ".join(things), re.sub(r" (?=\d)", "", " ".join(things)), "-".join(things)]
        ways.append(f"{'-'.join(things[:2])} with {' and '.join(things[2:])}")
        for verb in (*sorted(verbs), *unsaid) if things else ():
            if len(things) == _PARTED and verb:  # the cards go unsaid that it takes
                yield f"{'+'.join(things)} {verb} {'-'.join(things)}"
            yield from (f"{verb} {text}".strip() for text in ways)
