"""The rulebook of a game, for whoever asks: a rule by its id, or all that mention some words."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from functools import cache
from math import log
from typing import Any, Final, NamedTuple

from pbem.core import Game
from pbem.files.data import game_file
from pbem.files.languages import ENGLISH
from pbem.intake import Submission
from pbem.intake.words import deeds, fields, lexicon, phrases, tokens
from pbem.log.match import Replay
from pbem.problem import Usage
from pbem.rules.reading import fold
from pbem.sentence import NO_NAMES, Names, Sentence, of_data, say, spoken


class Rule(NamedTuple):
    """A rule in our words: where it is printed, which option it depends on, which question it
    settles, the cases of the casebook where it is at work, each with its title, and words it is
    `asked` for by that it does not use itself."""

    id: str
    says: str
    source: str
    option: str
    settles: str
    cases: tuple[tuple[str, str], ...]
    asked: str = ""

    @property
    def sentence(self) -> Sentence:
        """The rule, with all there is to say about it."""
        lines = [say("{id}: {says}", id=self.id, says=of_data(self.says))]
        if self.settles:
            lines.append(say("It settles: {settles}", settles=of_data(self.settles)))
        if self.source:
            lines.append(say("Printed in {source}.", source=self.source))
        if self.option:
            lines.append(say("It depends on the option {option}.", option=self.option))
        if self.cases:
            lines.append(say("Cases: {cases:items}.", cases=[_Case(*each) for each in self.cases]))
        return say("{lines:lines}", lines=lines)


class _Case(NamedTuple):
    """A case. Only readers of English are told its title, as the casebook is in English alone."""

    id: str
    title: str

    def text(self, names: Names = NO_NAMES) -> str:
        if spoken() != ENGLISH:
            return self.id
        return say("{id} ({title})", id=self.id, title=self.title).text()


def rules(game: Game[Any]) -> tuple[Rule, ...]:
    """All rules of a game, in the order of its rulebook."""
    book = os.path.exists(os.path.join(game.DATA, "cases.yaml"))
    at_work: dict[str, list[tuple[str, str]]] = {}
    for case in game_file(game.DATA, "cases") if book else ():
        for rule in case.get("rules", ()):
            at_work.setdefault(rule, []).append((case["id"], case["title"]))
    return tuple(
        Rule(
            known["id"],
            " ".join(known["says"].split()),
            sources(game, known) or "",
            known.get("option", ""),
            " ".join(known.get("settles", "").split()),
            tuple(at_work.get(known["id"], ())),
            known.get("asked", ""),
        )
        for known in game_file(game.DATA, "rules")
    )


def found(game: Game[Any], said: str) -> tuple[Rule, ...]:
    """The rule with this id, or those that mention all these words. Raises Usage if there is none.

    A word is found in each of its forms: `robbing` finds "robs". Titles of cases and headings of
    the printed rules count only where no rule itself has the words.
    """
    book = rules(game)
    if wanted := _ID.fullmatch(said.strip(" ?!.,")):
        called = f"{wanted[1]}-{wanted[2]}".upper()
        if one := tuple(rule for rule in book if rule.id.upper() == called):
            return one
        raise Usage(
            "{title} has no rule {id}; its rules are called {first} to {last}",
            title=game.TITLE,
            id=called,
            first=book[0].id,
            last=book[-1].id,
        )
    stems = [_stem(word) for word in _words(said)]
    for part in (_own, _around):
        hits = tuple(rule for rule in book if stems and _speaks(_words(part(rule)), stems))
        if hits:
            return hits
    raise Usage(
        "no rule of {title} speaks of {said!r:.60}; try another word, or an id like {first}",
        title=game.TITLE,
        said=said,
        first=book[0].id,
    )


_ID: Final = re.compile(r"([A-Za-z]{1,3})[- ]?([Aa]?\d{1,4})")
_IDS: Final = re.compile(r"\b([A-Z]{1,3})[- ]([A-Z]?\d{1,3})\b", re.I)
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_ENDINGS: Final = ("ing", "ed", "es", "en", "s", "e")
_SHORTEST: Final = 3  # letters that an ending leaves
_QUESTION: Final = re.compile(r"[^.!?\n]{1,400}\?")
_ASKS: Final = re.compile(
    r"\b(can|may|must|could|should|allowed|legal|have to|how (often|long)|what happens|"
    r"what if|am i|are we|when (do|does|is|are)|do i|do we|does a|is it|rules?)\b"
    r"|\b[A-Z]{1,3}-[A-Z]?\d+\b",
    re.I,
)
_COUNTS: Final = re.compile(r"\bhow (many|much)\b", re.I)
_HOW_IT_MUST_BE: Final = re.compile(
    r"\b(can|may|must|could|should|allowed|legal|have to|need|rules?|worth|at (most|least))\b", re.I
)
_MAY_ASK: Final = ("question", "outside the fence", "no move")
_LONGEST: Final = 2_000  # characters of a question; what follows them is hardly one
_BEGINNING: Final = 6  # letters that a word shares with the form we know
_SAID: Final = {"x": "remove", "build": "place"}  # what rules say for the words of verbs.txt
_IDLE: Final = frozenset(
    "about after again all also am an and any anything are as ask asked at be because been before "
    "both but by can cannot could did do does doing done each either else even for from game get "
    "give go got had happen happens has have he hello her here hi him his how if in into is it "
    "its just know let like mail make many may me mean more much must my need no not now of on "
    "once one only or other our please question read really right rule rules same say says seat "
    "she should so some still than thank thanks that the their them then there these they thing "
    "think this those to too two us use want was way we well were what when where whether which "
    "who whose why will with would yes yet you your yours".split()
)
_ALIKE: Final = {
    **dict.fromkeys(("build", "built", "put", "lay", "laid", "construct"), "place"),
    **dict.fromkeys(("enemy", "enemies", "rival", "opposing", "foe"), "opponent"),
    **dict.fromkeys(("hold", "holding", "held"), "hand"),
    **dict.fromkeys(("destroy", "demolish", "delete"), "remove"),
    **dict.fromkeys(("deck", "stack"), "pile"),
    **dict.fromkeys(("tie", "ties", "tied", "draws"), "equal"),
    **dict.fromkeys(("won", "winner", "winning"), "win"),
    **dict.fromkeys(("took", "taken"), "take"),
}
"""Words of players, and what the rulebooks say instead."""


def question(said: Submission) -> str:
    """The questions about the rules in a message, as they were written, a line each; "" if there
    are none."""
    left = (line for line in said.ignored if line.why in _MAY_ASK)
    lines = {line.line: line.text for line in left}
    lines |= {line.number: line.text for line in (*said.orders, *said.outside)}
    text = "\n".join(lines[number] for number in sorted(lines))[:_LONGEST]
    return "\n".join(each.strip() for each in _QUESTION.findall(text) if _asks(each))


def answering(match: Replay, text: str) -> list[Sentence]:
    """The rules that may answer a question, as its asker is told them. A rule of an option that the
    match is played without is told only if it is the nearest, or asked for by its id."""
    chosen, book, asked = match.setup.options, rules(match.game), text.upper()
    about = (each for each in text.split("\n") if _is_about(book, match, each))
    found = matching(book, "\n".join(about))[:3]
    idle = {each for each in found if chosen.get(each.option, True) in (False, None, "none", {})}
    return [
        say(
            "{rule} (of an option that this match is played without): {says}",
            rule=each.id,
            says=of_data(each.says),
        )
        if each in idle
        else say("{rule}: {says}", rule=each.id, says=of_data(each.says))
        for each in found
        if each not in idle or each == found[0] or each.id in asked
    ]


def speaks_of_rules(text: str) -> bool:
    """Does a text speak of rules at all?"""
    return any((word,) in phrases("requests", "rules") for word in tokens(text))


def _is_about(rules: Sequence[Rule], match: Replay, question: str) -> bool:
    """Is a question about these rules: does it name one, or are more of the words that say
    something in it theirs, or the game's, than are neither theirs nor a player's name?"""
    known = frozenset(stem for each in rules for stem in _stems(f"{each.says} {each.asked}"))
    things: frozenset[str] = getattr(match.game, "WORDS", frozenset())
    idle = _IDLE.union(*(map(_words, match.players.values())), _little())
    own = foreign = 0
    for word in _words(question):
        if any(next(_meant(word, known), ())) or fold(word).startswith(tuple(things)):
            own += 1
        else:
            foreign += word not in idle
    return own > foreign or _IDS.search(question) is not None


def matching(rules: Sequence[Rule], text: str) -> tuple[Rule, ...]:
    """The rules that a text names by their ids; else those it shares at least two words with, the
    nearest first, without those at most half as near as the nearest, or with fewer words shared. A
    single word is enough for one or two rules that are `asked` for with it."""
    named = {f"{game}-{number}".upper() for game, number in _IDS.findall(text[:_LONGEST])}
    if found := tuple(rule for rule in rules if rule.id.upper() in named):
        return found
    said = [frozenset(_stems(f"{rule.says} {rule.asked}")) for rule in rules]
    times = Counter(stem for each in said for stem in each)
    asked = set(_meant(text, times.keys())) - {frozenset()}
    near = []
    for nth, each in enumerate(said):
        words = each if len(asked) > 1 else frozenset(_stems(rules[nth].asked))
        shared = {word & words for word in asked} - {frozenset()}
        if len(shared) >= min(2, len(asked)) > 0:
            gain = sum(max(log(1 + len(rules) / times[stem]) for stem in word) for word in shared)
            near.append((gain / (10 + len({*_stems(rules[nth].says)})), -nth, len(shared)))
    if len(asked) == 1 and len(near) > 2:
        return ()
    best, _, most = max(near, default=(0.0, 0, 0))
    return tuple(
        rules[-nth]
        for score, nth, words in sorted(near, reverse=True)
        if 2 * score > best and words >= most
    )


def _meant(text: str, known: Set[str]) -> Iterator[frozenset[str]]:
    """What each word of a text may be in the rules: itself or, if foreign, its translations."""
    for word in _words(text):
        said = known & set(_stems(word))
        if not said and word not in _IDLE:
            said = known & {
                stem for each in _in_english("".join(tokens(word))) for stem in _stems(each)
            }
        yield frozenset(said)


def _in_english(word: str) -> Set[str]:
    """The words of rules that a word of another language stands for, in any of its forms."""
    terms = _terms()
    begun = (word[:size] for size in range(len(word), min(_BEGINNING, len(word)) - 1, -1))
    return next((terms[each] for each in begun if each in terms), frozenset())


@cache
def _terms() -> dict[str, set[str]]:
    """The words of rules, by what they are called in other languages."""
    found: dict[str, set[str]] = {}
    for file, known in (("terms", fields("terms")), ("verbs", deeds())):
        for field in known - {"ask", "count", "no"}:
            for phrase in phrases(file, field):
                if len(phrase) == 1:
                    found.setdefault(phrase[0], set()).add(_SAID.get(field, field))
    return found


@cache
def _little() -> frozenset[str]:
    """The words of all languages that say little, and those with which questions are asked."""
    said = phrases("little", "word") | phrases("terms", "ask", "count")
    return frozenset(word for phrase in said for word in phrase)


def _asks(sentence: str) -> bool:
    """Does a sentence ask about the rules? One that asks for a number, and not for what may or must
    be, asks how the match stands."""
    counts = _COUNTS.search(sentence) or _says(sentence, "count")
    return bool((_HOW_IT_MUST_BE if counts else _ASKS).search(sentence)) or _says(sentence, "ask")


def _says(sentence: str, field: str) -> bool:
    return any(kind for *_, kind in lexicon("terms", field).spans(tokens(sentence)))


def _stems(text: str) -> Iterator[str]:
    """The words of a text that say something, without their endings."""
    return (_stem(_ALIKE.get(word, word)) for word in _words(text) if word not in _IDLE)


def _stem(word: str) -> str:
    """A word without its ending: robbing, robs and robbed are rob."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            word = word[: -len(ending)]
            break
    return word[:-1] if word[-1:] == word[-2:-1] else word


def _words(text: str) -> list[str]:
    return _WORD.findall(text[:_LONGEST].casefold())


def _own(rule: Rule) -> str:
    return f"{rule.says} {rule.settles} {rule.option}"


def _around(rule: Rule) -> str:
    return " ".join((_own(rule), rule.source, *(title for _, title in rule.cases)))


def _speaks(words: Sequence[str], stems: Sequence[str]) -> bool:
    return all(any(word.startswith(stem) for word in words) for stem in stems)


def told(games: Collection[Game[Any]], asked: Iterable[str], most: int) -> Sentence:
    """What a player of these games is told on asking for rules: what is `found` for each thing
    asked, at most `most` rules each."""
    shown = list[Sentence]()
    for said in asked:
        hits, missing = list[Rule](), list[Sentence]()
        for game in games:
            try:
                hits += found(game, said)
            except Usage as problem:
                missing.append(problem.sentence)
        if not hits:
            shown.append(say("Nothing was found: {why}.", why=missing[0]))
        shown += [rule.sentence for rule in hits[:most]]
        if rest := hits[most:]:
            ids = [rule.id for rule in rest]
            shown.append(say("These speak of it, too: {ids:all}.", ids=ids))
    return say("{shown:paragraphs}", shown=shown)


def sources(game: Game[Any], rule: dict[str, Any]) -> str | None:
    """Where a rule is printed: `Thames & Kosmos 2014, 2 Controlling Islands; …`. Of a leaflet in
    several languages it names the reader's own. None if it is printed nowhere."""
    titles = {
        name: of_data(about.get("title", name)).text()
        for name, about in game_file(game.DATA, "rulesets")["rulesets"].items()
    }
    places, leaflets = list[str](), dict[str, str]()
    for source in rule.get("from", ()):
        place = str(source.get("section") or source.get("page") or "")
        if source["edition"] in titles:
            places.append(", ".join(filter(None, (titles[source["edition"]], place))))
        else:
            leaflets.setdefault(source["edition"], place)
    wanted = (EACH, spoken(), "english", "de", "fr", *leaflets)
    leaflet = next((each for each in wanted if each in leaflets), None)
    if leaflet is not None:
        title, heading = next(iter(titles.values())), leaflets[leaflet].partition(" (")[0]
        if leaflet == EACH:
            heading = of_data(heading).text()
        places.append(", ".join(filter(None, (title, heading))))
    return "; ".join(places) or None


EACH: Final = "all"
"""The edition of what stands in each language of a leaflet; its heading there is a sentence."""
