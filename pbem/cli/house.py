"""The house itself: simulations, the demonstration, schemas, games."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from pbem.cli.common import Board, Json, app, pair, print_json, read_board, standing
from pbem.core import Usage


@app.command(epilog="Example: pbem simulate kahuna --seed 7 --out /tmp/s.pbem.yaml")
def simulate(
    game: Annotated[str, typer.Argument(help="The game.")],
    seed: Annotated[int, typer.Option(help="The same number gives the same match.")] = 1,
    out: Annotated[
        str | None, typer.Option(metavar="FILE", help="The log; the desk file goes beside it.")
    ] = None,
    ruleset: Annotated[str | None, typer.Option()] = None,
    option: Annotated[list[str] | None, typer.Option("--option", "-o", metavar="KEY=VALUE")] = None,
    players: Annotated[
        int | None, typer.Option(help="How many, where the game leaves it open.")
    ] = None,
    board: Board = None,
    json: Json = False,
) -> None:
    """Play a complete random legal match into a log and a desk file."""
    from pbem.desk import begin
    from pbem.desk.file import LOG_SUFFIX
    from pbem.desk.simulate import simulate as play_out

    path = out or f"{game}-{seed}{LOG_SUFFIX}"
    folder, file = os.path.split(path)
    if not file.endswith(LOG_SUFFIX):
        raise Usage("--out must end with {log_suffix}", path, log_suffix=LOG_SUFFIX)
    finished, desk = play_out(
        game,
        seed,
        name=file.removesuffix(LOG_SUFFIX),
        folder=folder or ".",
        seats=tuple(f"seat{n + 1}" for n in range(players)) if players else None,
        ruleset=ruleset,
        chosen=dict(pair(text, "--option", "variant1=true") for text in option or []),
        board=read_board(board),
    )
    begin.write(finished, desk)
    outcome = finished.outcome
    assert outcome is not None, "a simulated match is played to its end"
    if json:
        print_json(
            {
                "ok": True,
                "log": path,
                **standing(finished),
                "winners": list(outcome.winners),
                "why": outcome.why,
            }
        )
        return
    winners = " and ".join(outcome.winners) or "nobody"
    print(f"{path}: {finished.position[0]} plies; {winners} won [{outcome.why}]")


@app.command(epilog="Example: pbem demo --dir demo")
def demo(
    dir: Annotated[str, typer.Option(help="A folder for the match; made if need be.")] = "demo",
) -> None:
    """Run the main job on the sample mails shipped with pbem, and show every step."""
    from pbem.cli import demonstration

    demonstration.run(dir)


@app.command(epilog="Example: pbem schema log > log.schema.json")
def schema(
    name: Annotated[str | None, typer.Argument(help="Which; none lists them.")] = None,
) -> None:
    """Print a JSON schema, for editors and programs."""
    from pbem.files import data

    names = data.schema_names()
    if name is None:
        print("\n".join(names))
    elif name in names:
        print(data.schema_text(name), end="")
    else:
        raise Usage("there is no schema {name!r}, only {names:all}", name=name, names=names)


@app.command(epilog="Example: pbem games --json")
def games(json: Json = False) -> None:
    """List the games, their rulesets and options."""
    from pbem.files import data
    from pbem.play import games as known

    found = {}
    for name in known.names():
        game = known.game(name)
        found[name] = {"title": game.TITLE, **data.game_file(game.DATA, "rulesets")}
    if json:
        print_json(found)
        return
    for name, about in found.items():
        print(f"{name}: {about['title']}")
        for ruleset, its in about["rulesets"].items():
            default = " (default)" if ruleset == about["default"] else ""
            print(f"  --ruleset {ruleset}{default}: {its['says']}")
        for option, its in about.get("options", {}).items():
            print(f"  -o {option}: {its['says']} [{its['rule']}]")
