"""Everything that is wrong with a game, before anybody trusts a match to it."""

from __future__ import annotations

import io
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from itertools import chain, islice
from time import perf_counter, process_time
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from pbem.core import CHANCE, Decision, word
from pbem.play import games, options
from pbem.play.guest import Guest, brought, package_of
from pbem.play.judge import legal_moves
from pbem.problem import Faulty
from pbem.sentence import Sentence, say
from pbem.testing import (
    laws_of_form,
    laws_of_knowledge,
    laws_of_play,
    laws_of_text,
    laws_of_trust,
    reseeded,
)
from pbem.testing.cases import Shown, asked_in, casebooks, play_case
from pbem.testing.findings import CRASH, Finding, at, attempt, of, short
from pbem.testing.laws_of_play import judged
from pbem.testing.random_matches import Played, PlayedPly, Variant, again, play_out, variants
from pbem.testing.stopwatch import Stopwatch

PLAYED: Final = (
    *laws_of_play.LAWS,
    *laws_of_text.LAWS,
    *laws_of_knowledge.LAWS,
    *laws_of_trust.LAWS,
)
"""The laws that look at matches."""

MATCHES: Final = 100
MOST_PLIES: Final = 10
"""In how many plies of a match a law is checked; pytest checks more."""
MOST_MATCHES: Final = 2
"""In how many matches of a variant a law is checked if it does not need all."""
FEW_VARIANTS: Final = 4
"""A game with fewer variants than this has more matches of each checked instead."""
MOST_OF_A_LAW: Final = 3
"""How many findings of a law are told: the first few tell what is wrong."""


MOST_SECONDS: Final = 30.0
"""After this many seconds of work no more matches are played, once there is one of each variant."""
MOST_SECONDS_OF_A_LAW: Final = 10.0
"""After this many seconds a law is checked in no further match."""

A_WHILE: Final = 5.0
"""How many seconds pass from one line of progress about matches to the next."""

Progress = Callable[[Sentence], None]


class Checked(NamedTuple):
    """What a check found, and what else it can tell.

    `matches` were played; `seconds` is how long each function took in all; `unmet` are the kinds
    of decision that came up in no match, `undecided` those for which silence means nothing, and
    `uncased` the rules that no case shows at work.
    """

    findings: list[Finding]
    matches: int = 0
    seconds: Mapping[str, float] = MappingProxyType({})
    unmet: tuple[str, ...] = ()
    uncased: tuple[str, ...] = ()
    undecided: tuple[str, ...] = ()


def check(name: str, matches: int = MATCHES) -> list[Finding]:
    """What is wrong with a game. Raises Usage if there is no game of that name."""
    return examine(name, matches).findings


def examine(name: str, matches: int = MATCHES, progress: Progress = lambda said: None) -> Checked:
    """What is wrong with a game, and what else the check can tell; `progress` is told how far it
    has got. Raises Usage if there is no game of that name."""
    if name in games.OWN and name in brought():
        says = "{name} is one of the house's own games; call yours something else"
        return Checked([at(package_of(name), says, name=name)])
    try:
        found = games.game(name)
    except Faulty as fault:
        place = ":".join(str(part) for part in (short(fault.path), fault.line) if part)
        return Checked([Finding(place, fault.sentence)])
    game: Any = found if isinstance(found, Guest) else Guest(found, "pbem")
    watch, findings = Stopwatch(game), list[Finding]()
    for law in laws_of_form.LAWS:
        beside = law in (_OF_CASES, _OF_LANGUAGES)
        findings += () if beside else _first(game, "DATA", partial(law, game))
    books = [*attempt(game, "DATA", partial(_OF_CASES, game))]
    tongues = _first(game, "DATA", partial(_OF_LANGUAGES, game))
    if findings:  # a game that is not even written right would fall over at every turn
        return Checked([*findings, *books, *tongues])
    findings, played = _quietly_played(game, watch, matches, progress)
    findings += (*books, *(slow := [*watch.findings()]))
    distinct = sorted({str(each): each for each in findings}.values(), key=_by_cause) + tongues
    kinds = {each.kind for each, _ in _asked(game, played)}
    unmet = tuple(kind for kind in getattr(game, "KINDS", ()) if played and kind not in kinds)
    bare = laws_of_play.undecided(game, played)
    seconds = watch.seconds if played or slow else {}
    return Checked(distinct, len(played), seconds, unmet, _uncased(game), bare)


_OF_CASES: Final = laws_of_form.the_casebook_is_written_as_others_and_leaves_no_rule_out
_OF_LANGUAGES: Final = laws_of_form.every_language_it_brings_has_every_sentence
"""What the casebook or a translation lacks is told, and the matches are played all the same."""

_FIRST: Final = (
    laws_of_trust.what_is_opened_is_what_was_sealed.__name__,
    laws_of_knowledge.what_one_seat_may_know_stays_hidden_from_all_others.__name__,
    reseeded.LAW,
    laws_of_knowledge.no_check_is_surer_and_no_refusal_tells_more_than_its_reader_can_know.__name__,
)
"""The laws whose findings are causes."""
_GAP: Final = "what_a_casebook_does_not_show"
"""What a casebook does not show breaks no law yet."""
_LAST: Final = (
    *(CRASH, laws_of_knowledge.there_are_as_many_cards_as_there_are.__name__),
    *("unseen", "named", "view", "position", _GAP),
)
"""What goes wrong because of something else, too: by law, or by function."""


def _by_cause(finding: Finding) -> int:
    """Where a finding stands: causes first, what mostly follows from them last."""
    told = (finding.law, finding.place.rpartition(", ")[2])
    order = (*_FIRST, None, *_LAST)
    return next((n for n, each in enumerate(order) if each in told), len(_FIRST))


def _asked(game: Any, played: Iterable[Played]) -> Iterator[tuple[Decision, PlayedPly]]:
    """What was to be decided in matches, and before which ply."""
    for ply in chain.from_iterable(match.plies for match in played):
        yield from ((each, ply) for each in game.pending(ply.state))


def _uncased(game: Any) -> tuple[str, ...]:
    """The rules that no case shows at work."""
    cases = (case for book in casebooks(game).values() for case in book)
    shown = {rule for case in cases for rule in case.get("rules", ())}
    return tuple(rule for rule in laws_of_form.rules_of(game) if rule not in shown)


def _first(game: Any, subject: str, act: Callable[[], Iterator[Finding]]) -> list[Finding]:
    return list(islice(attempt(game, subject, act), MOST_OF_A_LAW))


def _quietly_played(
    game: Any, watch: Stopwatch, count: int, progress: Progress
) -> tuple[list[Finding], list[Played]]:
    """The findings of matches, and the matches; to print or to start threads is a finding, too."""
    running, printed = set(threading.enumerate()), io.StringIO()
    told = sys.stdout, sys.stderr

    def loudly(said: Sentence) -> None:
        with redirect_stdout(told[0]), redirect_stderr(told[1]):
            progress(said)

    with redirect_stdout(printed), redirect_stderr(printed):
        findings, played = _played(game, watch, count, loudly)
    if said := printed.getvalue():
        says = "it prints {said!r:.60}; what a game prints stands in the middle of posts and JSON"
        findings.append(of(game, "NAME", says, said=said))
    if more := [each.name for each in threading.enumerate() if each not in running]:
        says = "it starts threads, like {first}; nobody waits for them, or stops them"
        findings.append(of(game, "NAME", says, first=more[0]))
    return findings, played


def _all_played(
    game: Any, ways: Sequence[Variant], count: int, progress: Progress
) -> tuple[list[Finding], list[list[Played]], bool]:
    """What is found while matches are played, the matches of each variant, and whether all of them
    came to their end."""
    played: list[list[Played]] = [[] for _ in ways]
    begun, told_at = process_time(), perf_counter()
    for seed in range(count):
        nth = seed % len(ways)
        if seed >= len(ways) and process_time() > begun + MOST_SECONDS:
            says = (
                "only {played} of {count} matches could be played in {seconds:.0f} seconds: what "
                "is rare may not have come up"
            )
            fewer = of(game, "NAME", says, played=seed, count=count, seconds=MOST_SECONDS)
            return [fewer], played, True
        if perf_counter() > told_at:
            progress(say("{n} of {count} matches played …", n=seed, count=count))
            told_at = perf_counter() + A_WHILE
        play = partial(_play_one, game, seed, played[nth])
        if broken := _first(game, "pending", play):
            return [each._replace(again=again(game, seed)) for each in broken], played, False
    return [], played, True


def _played(
    game: Any, watch: Stopwatch, count: int, progress: Progress
) -> tuple[list[Finding], list[Played]]:
    ways, shown, books = variants(game), Shown(game), list[Finding]()
    for finding in _cases_played(game, shown):
        progress(say("{finding!s}", finding=finding))
        books.append(finding)
    if not count:
        return books, []
    findings, played, whole = _all_played(game, ways, count, progress)
    findings += books
    if not whole:
        return findings, [*chain(*played)]
    played = [_telling(matches) for matches in played]
    for law in PLAYED:
        progress(say("{law} …", law=law.name.replace("_", " ")))
        told, until = 0, perf_counter() + MOST_SECONDS_OF_A_LAW
        for matches in [[*chain(*played)]] if law.together else played:
            most = min(law.matches, MOST_MATCHES) * max(1, FEW_VARIANTS // len(ways))
            some = _Some(matches[: most or None], until)
            plies = min(law.plies or MOST_PLIES, MOST_PLIES)
            found = _first(game, law.subject, partial(law.holds, some, plies))
            findings += found[: MOST_OF_A_LAW - told]
            told += len(found)
            if told >= MOST_OF_A_LAW or perf_counter() > until or watch.slow:
                break
        if watch.slow:  # everything else would take long, too
            return findings, [*chain(*played)]
    of_each = [match for matches in played for match in matches[: 2 * MOST_MATCHES]]
    findings += attempt(game, "OPENS", partial(laws_of_trust.opening_nothing, of_each, MOST_PLIES))
    findings += reseeded.findings(game)
    if not books:
        gaps = _uncovered(game, shown, [*chain(*played)])
        findings += (gap._replace(law=_GAP) for gap in gaps)
    return findings, [*chain(*played)]


def _cases_played(game: Any, shown: Shown) -> Iterator[Finding]:
    """What the casebook finds."""
    for path, cases in casebooks(game).items():
        for case in cases:
            if not any(laws_of_form.case_form(game, case, path)):
                for finding in attempt(game, "check", partial(play_case, game, case, shown)):
                    yield finding._replace(place=f"{short(path)}, {finding.place}")


def _uncovered(game: Any, shown: Shown, played: Sequence[Played]) -> Iterator[Finding]:
    """What no case shows, once the casebook finds nothing."""
    if not (books := casebooks(game)):
        return
    path = short(next(iter(books)))
    if lacking := [*shown.lacking()]:
        yield at(path, "no case shows {lacking:all}", lacking=lacking)
    every = [case for book in books.values() for case in book]
    given = {name for case in every for name in case.get("options", {})}
    declared = options.declared(game)
    rulesets = {case.get("ruleset", declared["default"]) for case in every}
    given |= {name for each in rulesets for name in declared["rulesets"][each].get("options", {})}
    if unset := [name for name in declared.get("options", {}) if name not in given]:
        yield at(path, "no case sets the option {options:all}", options=unset)
    asked = [each for each, _ in _asked(game, played)]
    often = Counter(kind for kind, _ in {(each.kind, each.seat) for each in asked})
    if alone := [kind for kind, seats in shown.asked.items() if len(seats) == 1 < often[kind]]:
        says = "no case shows {kinds:all} asked of a second seat: it may always be the same"
        yield at(path, says, kinds=alone)
    during = {e.get("kind") for case in every for e in asked_in(case) if "during" in e}
    if untold := [*dict.fromkeys(e.kind for e in asked if e.during and e.kind not in during)]:
        says = "no case says in `pending` whose turn {kinds:all} interrupts (`during`)"
        yield at(path, says, kinds=untold)
    plies = (ply for match in played for ply in match.plies)
    last: dict[Any, PlayedPly] = {type(p.step.move): p for p in plies if p.seat == CHANCE}
    untold = []
    for kind, ply in last.items():
        legal = [m for m in legal_moves(game, ply.state, CHANCE) if type(m) is kind]
        ways = {game.chances(ply.state, move) for move in legal}
        if not judged(game, ply) and len(shown.ways[word(kind)]) < min(len(ways), 2):
            untold.append(word(kind))
    if untold:
        says = (
            "no case says in how many `ways` chance brings {moves:all}, and two of them where "
            "these differ, and no law can know"
        )
        yield at(path, says, moves=untold)


class _Some(list[Played]):
    """Matches, as many as there is time for."""

    def __init__(self, matches: Iterable[Played], until: float) -> None:
        super().__init__(matches)
        self.until = until

    def __iter__(self) -> Iterator[Played]:
        for nth, match in enumerate(super().__iter__()):
            if nth and perf_counter() > self.until:
                return
            yield match


def _telling(matches: list[Played]) -> list[Played]:
    """Matches in another order: each next one has the most that did not happen in those before."""
    seen: set[Any] = set()
    left, found = [(match, set(match.first_of_kind)) for match in matches], []
    while left:
        best = max(left, key=lambda each: len(each[1] - seen))
        left.remove(best)
        seen |= best[1]
        found.append(best[0])
    return found


def _play_one(game: Any, seed: int, played: list[Played]) -> Iterator[Finding]:
    played.append(play_out(game, seed))
    yield from ()
