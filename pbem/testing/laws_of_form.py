"""What a game promises before anything is played: names, signatures, rules, options, phrases.

Each law looks at a game and yields what breaks it.
"""

from __future__ import annotations

import ast
import inspect
import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Any, Final

from pbem.core import MOVER, Decision, Domain, Event, Move, Record, slots, word
from pbem.files import data, languages, yamlio
from pbem.play import games, options
from pbem.play.guest import CONTRACTS, MAY
from pbem.report import render
from pbem.sentence import blanks
from pbem.testing.cases import CASE_KEYS, OUTSIDE_THE_RULES, STEP_KEYS, asked_in, casebooks
from pbem.testing.findings import Finding, at, of, short
from pbem.testing.sayings import calls_that_say, sayings, sources, templates, unsaid

Holds = Callable[[Any], Iterator[Finding]]

LAWS: Final[list[Holds]] = []


def law(holds: Holds) -> Holds:
    """Enter a law into the list."""
    LAWS.append(holds)
    return holds


# -------------------------------------------------------------------------------- the module


@law
def the_constants_are_what_they_should_be(game: Any) -> Iterator[Finding]:
    if not re.fullmatch(r"[a-z][a-z0-9-]*", game.NAME):
        yield of(game, "NAME", "{name!r}: small letters, digits and - only", name=game.NAME)
    if not isinstance(game.TITLE, str) or not (game.TITLE.strip() and game.TITLE.isprintable()):
        yield of(game, "TITLE", "{title!r} is no name for people", title=game.TITLE)
    players = game.PLAYERS
    numbers = isinstance(players, tuple) and [type(n) for n in players] == [int, int]
    if not numbers or not 1 <= players[0] <= players[1]:
        says = "{players!r}; expected the fewest and the most players, like (2, 5)"
        yield of(game, "PLAYERS", says, players=players)
    elif game.SEATS and len(game.SEATS) != players[1]:
        yield of(game, "SEATS", "{seats} are not {most} seats", seats=game.SEATS, most=players[1])
    if not isinstance(game.SEATS, tuple):
        yield of(game, "SEATS", "{seats!r}; expected a tuple of seats, or ()", seats=game.SEATS)
    keys = json.loads(games.view_schema(game) or "{}").get("properties") or game.PRIVATE
    if unknown := [key for key in game.PRIVATE if key not in keys]:
        yield of(game, "PRIVATE", "no view has {keys:all}", keys=unknown)
    if not os.path.isdir(game.DATA):
        yield of(game, "DATA", "there is no folder {folder}", folder=game.DATA)


_MAY_SAY: Final = {
    **dict.fromkeys(("OPENS", "SILENT"), "events that stand in EVENTS, in a tuple"),
    "WAITS": "words for kinds of decision, in a tuple",
    "RIDERS": "moves that stand in MOVES, in a tuple",
    "WORDS": "a frozenset of words in small letters",
    "NEEDLESS": "a frozenset of words that stand in WORDS",
    "NAMES": "a dictionary from names to words as moves write them",
    "MOST_PLIES": "a number of plies",
    "READS_FROM": "a version, like '0.2'",
    **dict.fromkeys(("OPEN_INFORMATION", "CHECK_DECIDES", "LINE_BY_LINE"), "True or False"),
}
"""The constants a game can do without, and what they must be if it has them."""


def _fits(game: Any, name: str, value: Any) -> bool:
    """Is a constant what it must be?"""
    match name:
        case "OPENS" | "SILENT" | "RIDERS":
            known = game.MOVES if name == "RIDERS" else game.EVENTS
            return isinstance(value, tuple) and {*value} <= {*known}
        case "WAITS":
            return isinstance(value, tuple) and all(isinstance(each, str) for each in value)
        case "WORDS" | "NEEDLESS":
            known = value if name == "WORDS" else getattr(game, "WORDS", frozenset())
            small = isinstance(value, frozenset) and value <= known
            return small and all(isinstance(e, str) and e == e.lower() for e in value)
        case "NAMES":
            words = (*value, *value.values()) if isinstance(value, dict) else (None,)
            return all(isinstance(each, str) for each in words)
        case "MOST_PLIES":
            return type(value) is int and value > 0
        case "READS_FROM":
            return isinstance(value, str) and value[:1].isdecimal()
    return isinstance(value, bool)


@law
def what_may_be_left_out_is_what_it_should_be(game: Any) -> Iterator[Finding]:
    for name, expected in _MAY_SAY.items():
        value = getattr(game, name, None)
        if value is not None and not _fits(game, name, value):
            yield of(game, name, "{value!r}; expected {what}", value=value, what=expected)


@law
def the_functions_take_what_they_are_given(game: Any) -> Iterator[Finding]:
    for name, promise in {**CONTRACTS, **MAY}.items():
        function: Any = getattr(game, name, None)
        if function is None and name in MAY:
            continue
        takes = promise.takes
        try:
            inspect.signature(inspect.unwrap(function)).bind(*takes)
        except TypeError as error:
            says, given = "{error}; expected {name}({takes})", ", ".join(takes)
            yield of(game, name, says, error=error, name=name, takes=given)


@law
def moves_and_events_are_records(game: Any) -> Iterator[Finding]:
    for constant, base in (("MOVES", Move), ("EVENTS", Event)):
        kinds = getattr(game, constant)
        for kind in kinds:
            if not (isinstance(kind, type) and issubclass(kind, base)):
                says = "{kind!r} is no class of {base}"
                yield of(game, constant, says, kind=kind, base=base.__name__)
            elif "__slots__" not in vars(kind) or "FIELDS" not in vars(kind):
                yield of(game, constant, "{kind} lacks @record above it", kind=kind.__name__)
            else:
                yield from _fields(game, kind)
        words = Counter(word(kind) for kind in kinds if isinstance(kind, type))
        for name in [name for name, n in words.items() if n > 1]:
            yield of(game, constant, "two classes are called {name}", name=name)


def _fields(game: Any, kind: type[Record]) -> Iterator[Finding]:
    names = [slot.name for slot in slots(kind)]
    for slot in slots(kind):
        if not isinstance(slot.of, Domain):
            says = "{field}: expected a domain in fact(…), not {of!r}"
            yield of(game, kind.__name__, says, field=slot.name, of=slot.of)
        if slot.secret not in (None, MOVER, *names):
            yield of(
                game,
                kind.__name__,
                "{field} is secret for {secret!r}, which is no field of {kind}; expected MOVER or "
                "{names:any}",
                field=slot.name,
                secret=slot.secret,
                kind=kind.__name__,
                names=[name for name in names if name != slot.name] or ["a field with the seat"],
            )
        if isinstance(slot.of, Domain) and slot.secret is not None and not slot.of.size:
            says = "{field} is secret, but its domain has no size: its length would show"
            yield of(game, kind.__name__, says, field=slot.name)


# ----------------------------------------------------------------------------------- the text


def rules_of(game: Any) -> dict[str, dict[str, Any]]:
    """The rules of a game by their ids."""
    rules = data.game_file(game.DATA, "rules")
    return {rule["id"]: rule for rule in rules if isinstance(rule, dict) and "id" in rule}


def citations(game: Any, text: str) -> Iterator[tuple[str, int]]:
    """The rules a text names, each with its line."""
    prefixes = {str(rule).split("-")[0] for rule in rules_of(game)}
    pattern = rf"\b(?:{'|'.join(map(re.escape, sorted(prefixes)))})-[A-Z]?\d+\b"
    for found in re.finditer(pattern, text):
        yield found.group(), text.count("\n", 0, found.start()) + 1


@law
def every_rule_that_is_cited_exists(game: Any) -> Iterator[Finding]:
    known = set(rules_of(game))
    if game.OUT_OF_TURN not in known:
        yield of(game, "OUT_OF_TURN", "{rule} is no rule of rules.yaml", rule=game.OUT_OF_TURN)
    for place, rule in _cited(game):
        if rule not in known:
            yield at(place, "{rule} is no rule of rules.yaml", rule=rule)


def _cited(game: Any) -> Iterator[tuple[str, str]]:
    """Every place in code and templates at which a rule is cited, and which it is."""
    for path in (*sources(game), *templates(game)):
        for rule, line in citations(game, path.read_text(encoding="utf-8")):
            yield f"{short(str(path))}:{line}", rule


@law
def every_refusal_can_be_told(game: Any) -> Iterator[Finding]:
    """Patterns are complete: each blank has a value, and none is an f-string, whose braces would
    be read as blanks."""
    for place, call, pattern in calls_that_say(game):
        if isinstance(pattern, ast.JoinedStr):
            yield at(place, "an f-string: write a pattern with named blanks, and their values")
        elif isinstance(pattern, ast.Constant) and isinstance(pattern.value, str):
            name = getattr(call.func, "attr", getattr(call.func, "id", ""))
            if name != "say" and re.search(r"^[a-z]|\.$", pattern.value):
                says = "{pattern!r}: expected a capital at its beginning, and no full stop"
                yield at(place, says, pattern=pattern.value)
            given = {keyword.arg for keyword in call.keywords}
            if None not in given and (lacking := sorted(blanks(pattern.value) - given)):
                yield at(place, "the pattern has no value for {lacking:all}", lacking=lacking)


# ----------------------------------------------------------------------------------- the data


def _read(game: Any, name: str) -> tuple[Any, str, str]:
    path = os.path.join(game.DATA, f"{name}.yaml")
    text = yamlio.read_text(path)
    return yamlio.parse(text, path), text, path


@law
def every_rule_has_one_id_a_sentence_and_a_source_or_a_question_it_settles(
    game: Any,
) -> Iterator[Finding]:
    rules, text, path = _read(game, "rules")
    faults = yamlio.validate(rules, data.schema_text("rules"), text, path)
    yield from (Finding(f"{short(path)}:{fault.line}", fault.sentence) for fault in faults)
    if faults:
        return
    declared, stands = _options(game), yamlio.places(text, [(nth,) for nth in range(len(rules))])
    seen, told = set[str](), dict[str, str]()
    for nth, rule in enumerate(rules):
        place, name = f"{short(path)}:{stands[nth,][0]}", rule["id"]
        if name in seen:
            yield at(place, "{id} stands there twice", id=name)
        seen.add(name)
        if (other := told.setdefault(rule["says"], name)) != name:
            yield at(place, "{id} says the same as {other}", id=name, other=other)
        if rule.get("option") not in (None, *declared):
            says = "{id} names the option {option}, which is none"
            yield at(place, says, id=name, option=rule["option"])


def _options(game: Any) -> dict[str, Any]:
    found = data.game_file(game.DATA, "rulesets")
    return dict(found.get("options") or {}) if isinstance(found, dict) else {}


@law
def every_option_is_of_a_known_kind_and_rests_on_a_rule(game: Any) -> Iterator[Finding]:
    rulesets, text, path = _read(game, "rulesets")
    broken = [fault.sentence for fault in options.faults(rulesets)]
    yield from (Finding(short(path), sentence) for sentence in broken)
    if broken:
        return
    known = set(rules_of(game))
    for name, about in (rulesets.get("options") or {}).items():
        if about["rule"] not in known:
            place = f"{short(path)}:{yamlio.place(text, ('options', name))[0]}"
            yield at(place, "option {option}: {rule} is no rule", option=name, rule=about["rule"])
    seats = game.SEATS or tuple("abcdefgh")[: game.PLAYERS[1]]
    for ruleset in rulesets["rulesets"]:
        options.setup(game, seats, ruleset)


@law
def every_event_has_its_phrase(game: Any) -> Iterator[Finding]:
    known = render.phrases(game, "news")
    for kind in game.EVENTS:
        macro = word(kind).replace("-", "_")
        if macro not in known:
            yield of(game, kind.__name__, "news.j2 has no macro {macro}", macro=macro)
    render.phrases(game, "questions")


# ------------------------------------------------------------------------------- its languages


@law
def every_language_it_brings_has_every_sentence(game: Any) -> Iterator[Finding]:
    brings = languages.brought(game.DATA)
    for code, path in brings.items():
        if code not in languages.known():
            known = languages.known()
            yield at(short(path), "pbem has {known:all}, not {code}", code=code, known=known)
            continue
        translated = languages.catalogue(path)
        said = {e: many for e, many in sayings(game).items() if not languages.has(code, e)}
        if lacking := [one for one in said if one not in translated]:
            yield at(short(path), "these sentences are missing: {lacking!r}", lacking=lacking)
        for one in filter(translated.__contains__, said):
            found, many = translated[one], said[one]
            forms = found if isinstance(found, list) else [found]
            if isinstance(found, list) != bool(many):
                says = "{one!r}: expected a list of its forms" if many else "{one!r} has one form"
                yield at(short(path), says, one=one)
            elif many and len(forms) != (n := languages.plural_forms(code)):
                yield at(short(path), "{one!r}: expected its {n} forms", one=one, n=n)
            for says, blank in chain.from_iterable(_untrue(form, one, many) for form in forms):
                yield at(short(path), says, one=one, blank=blank)
    for place, words in unsaid(game) if brings else ():
        yield at(place, "{words!r} cannot be translated: let `say` write it", words=words)


def _untrue(form: str, one: str, many: str) -> Iterator[tuple[str, str]]:
    """What is wrong with the translation of a sentence, and with which blank: each is kept just as
    it is, but for a number that a form says in a word."""
    mine, due = ({*_BLANK.findall(each)} for each in (form, one + many))
    if strange := mine - due:
        yield "{one!r} has no blank {blank}", min(strange)
    elif lost := due - mine - {"n" if many else ""}:
        yield "{one!r} has lost its {blank}", min(lost)
    elif form == one and len(re.findall(r"[^\W\d_]{2,}", _BLANK.sub("", one))) > 1:
        yield "{one!r} stands there in English", ""
    elif (form[-1] in _STOPS) != (one[-1] in _STOPS):
        yield "{one!r} has lost its full stop, or has one more", ""


_BLANK: Final = re.compile(r"\{(\w[^{}]*)\}")
_STOPS: Final = ".?!"

# -------------------------------------------------------------------------------- the casebook


def case_form(game: Any, case: Mapping[str, Any], place: str) -> Iterator[Finding]:
    keys, needed = set(case), {"id", "title", "rules", "steps"}
    if not needed <= keys <= CASE_KEYS:
        wrong = sorted((needed - keys) | (keys - CASE_KEYS))
        yield at(place, "lacks, or has no use for, {wrong:all}", wrong=wrong)
        return
    if not case["steps"] and not {"view", "pending", "outcome"} & keys:
        yield at(place, "it expects nothing")
    if not all(isinstance(e, Mapping) and {*e} <= {*Decision._fields} for e in asked_in(case)):
        says = "pending: expected a decision by its {keys:any}, or a list of decisions"
        yield at(place, says, keys=Decision._fields)
    for step in case["steps"]:
        if len(set(step) - STEP_KEYS) != (0 if "see" in step else 1):
            yield at(place, "{step} names no seat, or more than one", step=step)
    named = {*case["rules"], *(s["refused"] for s in case["steps"] if "refused" in s)}
    if unknown := sorted(named - set(rules_of(game)) - OUTSIDE_THE_RULES):
        yield at(place, "{rules:all}: no such rule", rules=unknown)
    if case.get("ruling") not in (None, *case["rules"]):
        yield at(place, "the ruling {rule} is not among its rules", rule=case["ruling"])
    if unknown := sorted(set(case.get("options", {})) - set(_options(game))):
        yield at(place, "{options:all}: no such option", options=unknown)
    if case.get("ruleset") not in (None, *data.game_file(game.DATA, "rulesets")["rulesets"]):
        yield at(place, "there is no ruleset {ruleset}", ruleset=case["ruleset"])


@law
def the_casebook_is_written_as_others_and_leaves_no_rule_out(game: Any) -> Iterator[Finding]:
    books = casebooks(game)
    if not books:  # then code, templates and options cite what is enforced
        cited = {game.OUT_OF_TURN, *(rule for _, rule in _cited(game))}
        cited |= {about["rule"] for about in _options(game).values()}
        told = (
            r for r, about in rules_of(game).items() if about.get("enforced") in (None, "engine")
        )
        if idle := sorted({*told} - cited):
            says = (
                "nothing cites {rules:all}: no code, template or option, and a case would do; "
                "where that is on purpose, say `enforced: information`"
            )
            yield of(game, "check", says, rules=idle)
        return
    cases = [case for book in books.values() for case in book]
    known, path = set(rules_of(game)), short(next(iter(books)))
    ids = Counter(case.get("id") for case in cases)
    for name in [name for name, n in ids.items() if n > 1]:
        yield at(path, "the case {id} stands there twice", id=name)
    for case in cases:
        yield from case_form(game, case, f"{path}, {case.get('id')}")
    refused = {step.get("refused") for case in cases for step in case.get("steps", ())}
    if idle := sorted(known - {rule for case in cases for rule in case.get("rules", ())}):
        yield at(path, "no case shows {rules:all} at work", rules=idle)
    raised = {
        rule
        for source in sources(game)
        for rule in re.findall(
            r'Violation\(\s*"([A-Z]+-[A-Z]?\d+)"', source.read_text(encoding="utf-8")
        )
    }
    if untried := sorted(raised - refused):
        says = "no case is refused by {rules:all}; what `parse` puts right breaks no rule"
        yield at(path, says, rules=untried)
