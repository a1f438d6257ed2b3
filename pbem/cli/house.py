"""The house itself: simulations, the demonstration, schemas, games and their rules."""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem.cli import asked, complete
from pbem.cli.common import GameName, Json, app, put_schemas, standing, takes
from pbem.cli.output import Output, shown
from pbem.files import data, languages
from pbem.play import options
from pbem.problem import NoFile, Problem, Usage
from pbem.sentence import Sentence, listed, say

if TYPE_CHECKING:
    from pbem.testing.checking import Checked
    from pbem.testing.findings import Finding


@app.command(
    cls=asked.SetsUp, epilog="Example: pbem simulate kahuna --seed 7 --out /tmp/s.pbem.yaml"
)
def simulate(
    ctx: typer.Context,
    game: GameName,
    seed: Annotated[int, takes("N", "The same number gives the same match.")] = 1,
    out: Annotated[str | None, takes("FILE", "The log; the desk file goes beside it.")] = None,
    players: Annotated[int | None, takes("N", "How many, where the game leaves it open.")] = None,
) -> Output:
    """Play a whole random match, into a log and a desk file."""
    from pbem.desk import begin
    from pbem.desk.file import LOG_SUFFIX
    from pbem.report import compose
    from pbem.testing.simulate import simulate as play_out

    path = out or f"{game}-{seed}{LOG_SUFFIX}"
    folder, file = os.path.split(path)
    if not file.endswith(LOG_SUFFIX):
        raise Usage("--out must end with {log_suffix}", path, log_suffix=LOG_SUFFIX)
    begun = asked.terms(ctx, game)
    begun = replace(begun, name=file.removesuffix(LOG_SUFFIX), folder=folder or ".")
    finished, desk = play_out(begun, seed, tuple(f"seat{n + 1}" for n in range(players or 0)))
    begin.write(finished, desk, compose.rehearse)
    put_schemas(folder or ".")
    outcome = finished.outcome
    assert outcome is not None, "a simulated match is played to its end"
    plain = {"ok": True, "log": path, **standing(finished)}
    plain |= {"winners": list(outcome.winners), "why": outcome.why}
    won = "{path}: {n} moves; {won:all} won [{why}]"
    pattern = won if outcome.winners else "{path}: {n} moves; nobody won [{why}]"
    n = finished.position.ply
    return Output(plain, [say(pattern, path=path, n=n, won=outcome.winners, why=outcome.why)])


@app.command(epilog="Example: pbem demo --dir demo")
def demo(
    dir: Annotated[str, takes("DIR", "Where the match goes; made if need be.")] = "demo",
) -> None:
    """Run the main job on sample mails, and show every step."""
    from pbem.cli import demonstration

    demonstration.run(dir)


@app.command(epilog="Example: pbem schema log > log.schema.json")
def schema(
    name: Annotated[str | None, typer.Argument(help="Which; none lists them.")] = None,
) -> None:
    """Print a JSON schema, for editors and programs."""
    from pbem.play import games as known

    names = data.schema_names()
    views = {f"view-{game}": game for game in known.names()}
    if name is None:
        print("\n".join([*names, *views]))
    elif name in names:
        print(data.schema_text(name), end="")
    elif name in views:
        game = known.game(views[name])
        if (found := known.view_schema(game)) is None:
            raise NoFile("{title} brings no schema of its view", game.DATA, title=game.TITLE)
        print(found, end="")
    else:
        raise Usage(
            "there is no schema {name!r}, only {names:all}", name=name, names=[*names, *views]
        )


@app.command(epilog="Examples: pbem rules kahuna K-18 · pbem rules kanaloa-bambus robbing")
def rules(
    game: GameName,
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[ID|WORDS]", help="Which; none lists them all.")
    ] = None,
) -> Output:
    """Print rules of a game, with sources and cases."""
    from pbem.play import games as known
    from pbem.report import rulebook

    of = known.game(game)
    found = rulebook.found(of, " ".join(words)) if words else rulebook.rules(of)
    told = (
        [line for part in str(rule.sentence).splitlines() for line in wrap(part, 72)]
        for rule in found
    )
    return Output(
        [{**rule._asdict(), "cases": dict(rule.cases)} for rule in found],
        ["\n\n".join("\n".join(lines) for lines in told)],
    )


@app.command(epilog="Example: pbem games --check kahuna")
def games(
    check: Annotated[
        str | None,
        takes("NAME", "Check everything a game promises.", autocompletion=complete.games),
    ] = None,
    matches: Annotated[
        int | None, takes("N", "Play so many for a check; 0: the casebook alone.", min=0)
    ] = None,
    json: Json = False,
) -> Output:
    """List the games and their options, or check one."""
    if check is not None:
        return _checked(check, matches, aloud=not json)
    from pbem.play import games as known

    found: dict[str, Any] = {}
    broken: dict[str, Problem] = {}
    for name in known.names():
        try:
            game = known.game(name)
            found[name] = {
                "title": game.TITLE,
                "seats": list(game.SEATS),
                "players": list(game.PLAYERS),
                **options.declared(game),
                "languages": list(languages.complete(name)),
            }
        except Problem as problem:
            broken[name] = problem
    told = ["\n\n".join("\n".join(_described(name, about)) for name, about in found.items())]
    for name, trouble in broken.items():
        told.append(str(trouble) if trouble.path == name else f"{name}: {trouble}")
    return Output(found | {name: shown(each) for name, each in broken.items()}, told)


def _described(name: str, about: dict[str, Any]) -> Iterator[str]:
    """What there is to choose when a match of a game begins."""
    yield f"{name}: {about['title']}"
    least, most = about["players"]
    players = "{most} players" if least == most else "{least} to {most} players"
    yield f"  {say(players, least=least, most=most)}"
    if about["seats"]:
        yield f"  --seat {listed(about['seats'], any_of=True)}"
    else:
        yield "  --seat any names, in order of play, such as red, blue, green"
    for ruleset, its in about["rulesets"].items():
        edition = "--ruleset {ruleset}: {says}"
        if ruleset == about["default"]:
            edition = "--ruleset {ruleset} (default): {says}"
        yield f"  {say(edition, ruleset=ruleset, says=its['says'])}"
        if sets := [
            f"{name}={options.typed(value)}" for name, value in its.get("options", {}).items()
        ]:
            yield f"      {say('with {sets:all}', sets=sets)}"
    usual = about["rulesets"][about["default"]].get("options", {})
    for option, its in about.get("options", {}).items():
        yield f"  -o {option}={options.values(its)}"
        pattern = "{says} [{rule}]"
        given = usual.get(option, its["default"])
        if given not in (None, {}, []):
            pattern = "{says} (default: {default}) [{rule}]"
        default = options.typed(given)
        told = say(pattern, says=its["says"], default=default, rule=its["rule"]).text()
        yield from (f"      {line}" for line in wrap(told, 72))
    yield f"  --language {listed(about['languages'], any_of=True)}"


def _checked(name: str, matches: int | None, *, aloud: bool) -> Output:
    """What the check of a game finds; `aloud` says meanwhile what it looks at."""
    from pbem.testing import checking

    def progress(said: Sentence) -> None:
        if aloud:
            print(say("  {said}", said=said), file=sys.stderr, flush=True)

    done = checking.examine(name, checking.MATCHES if matches is None else matches, progress)
    seconds = {function: round(took, 1) for function, took in done.seconds.items()}
    findings = [{**each._asdict(), "says": str(each.says)} for each in done.findings]
    plain = {"ok": not findings, "game": name, "findings": findings, "matches": done.matches}
    plain |= {"seconds": seconds, "unmet": list(done.unmet), "uncased": list(done.uncased)}
    plain |= {"undecided": list(done.undecided)}
    told = [*_examined(done, seconds), counted(len(findings), name)]
    return Output(plain, told, code=70 if findings else 0)


def _examined(done: "Checked", seconds: Mapping[str, float]) -> Iterator[object]:
    """What a check found, how long each function took, and what it has not seen."""
    yield from _told(done.findings)
    if done.seconds:
        matches = "{n} [match was|matches were] played:"
        yield say(matches, n=done.matches)
    for function, took in seconds.items():
        yield say("  {function} … {took:.1f} s", function=function, took=took)
    if done.unmet:
        yield say("No match came to: {kinds:all}", kinds=done.unmet)
    if done.matches and (rules := done.uncased):
        yield say("{n} [rule|rules] without a case: {rules:all}", n=len(rules), rules=rules)
    elif done.matches:
        yield say("No rule without a case")


TOLD_IN_FULL = 3
"""Of how many places the first finding is told; more are likely to follow from these."""


def _told(findings: Sequence["Finding"]) -> Iterator[object]:
    """The first finding of each place, as one fault is often found by several laws."""
    places: dict[str, list[Finding]] = {}
    for each in findings:
        places.setdefault(each.place, []).append(each)
    for first, *others in [*places.values()][:TOLD_IN_FULL]:
        yield first
        if first.again:
            yield say("    look: {code}", code=first.again)
        if others:
            yield say("    {n} [more|more] like it", n=len(others))
    if rest := [*places][TOLD_IN_FULL:]:
        yield say("Mend these first: what else was found may follow from them. It is in:")
        yield from (say("    {place}", place=place) for place in rest)


def counted(n: int, game: str) -> Sentence:
    """How many findings a check ends with."""
    if not n:
        return say("{game}: every promise is kept", game=game)
    return say("{game}: {n} [finding|findings]", game=game, n=n)
