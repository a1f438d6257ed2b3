"""The command line: reads arguments, calls the house, prints, exits. Nothing else.

Every command imports what it needs when it runs: start-up time is what a moderator feels.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from pbem.core import Problem, Refused

if TYPE_CHECKING:
    from pbem.desk import Answer
    from pbem.match import Match
    from pbem.seal import Keyring

app = typer.Typer(
    name="pbem",
    help="A move adjudicator for board games played by e-mail and in forums.",
    epilog="Exit codes: 0 done, 1 refused by text or rules, 2 usage, 65 bad log or mail, "
    "66 no such file, 73/74 cannot write, 75 busy (try again), 77 wrong sender or key.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

LogFile = Annotated[str, typer.Argument(metavar="LOG", help="The match log, NAME.pbem.yaml.")]
MoveFile = Annotated[
    str,
    typer.Argument(metavar="[MOVE]", help="A raw mail, move file or text file; - is stdin."),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
Format = Annotated[str, typer.Option("--format", help="text, markdown, phpbb or bgg.")]
KeyFile = Annotated[
    str | None,
    typer.Option(
        "--key", metavar="KEYFILE", help="A key file, or the desk file. Else PBEM_KEY is used."
    ),
]
From = Annotated[
    str | None,
    typer.Option("--from", metavar="SEAT", help="Whose move it is, on the moderator's word."),
]
As = Annotated[
    str | None,
    typer.Option("--as", metavar="SEAT", help="Show what this seat knows (needs the desk file)."),
]


def main() -> None:
    """The entry point: problems become one line and an exit code, never a traceback."""
    # Output may hold any name; a terminal that cannot show a letter must not stop the work.
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        app()
    except Problem as problem:
        _fail(problem, problem.code)
    except Refused as refused:
        _fail(refused, 1)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(74)


def _fail(error: Exception, code: int) -> NoReturn:
    if "--json" in sys.argv:
        _print_json({"ok": False, "code": code, **_told(error)})
    print(f"pbem: {error}", file=sys.stderr)
    sys.exit(code)


def _told(error: Exception) -> dict[str, Any]:
    told: dict[str, Any] = {"error": type(error).__name__.lower(), "message": str(error)}
    for name in ("rule", "path", "line", "column", "choices", "hint"):
        if value := getattr(error, name, None):
            told[name] = value
    return told


def _print_json(data: Any) -> None:
    import json

    print(json.dumps(data, ensure_ascii=False, indent=1))


# --------------------------------------------------------------------------- making a match


@app.command(
    epilog='Example: pbem new kahuna --seat white="Ana <ana@example.org>" --seat black=Ben'
)
def new(
    game: Annotated[str, typer.Argument(help="The game; `pbem games` lists them.")],
    seat: Annotated[list[str], typer.Option("--seat", metavar="SEAT=PLAYER")],
    ruleset: Annotated[str | None, typer.Option(help="Which edition.")] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", "-o", metavar="KEY=VALUE"),
    ] = None,
    match: Annotated[str | None, typer.Option(help="Its name.")] = None,
    dir: Annotated[str, typer.Option(help="The folder for its files.")] = ".",
    dealer: Annotated[
        str, typer.Option(help="sealed: drawn here; asked: you type what real cards show.")
    ] = "sealed",
    letters: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Write the letters there, not to stdout."),
    ] = None,
    format: Format = "text",
    json: Json = False,
) -> None:
    """Begin a match: write its log and its desk file, deal, print the post and the letters."""
    from pbem import opening, posting, seal
    from pbem.clock import now

    _check_format(format)
    if dealer not in ("sealed", "asked"):
        raise Problem(f"--dealer is sealed or asked, not {dealer!r}", code=2)
    players = {
        name: opening.Player.read(player)
        for name, player in (_pair(text, "--seat", "white=Ana") for text in seat)
    }
    chosen = dict(_pair(text, "--option", "variant1=true") for text in option or [])
    opened, table = opening.begin(
        game,
        players,
        name=match or opening.unused_name(game, dir),
        folder=dir,
        secret=seal.new_secret(),
        clock=now,
        ruleset=ruleset,
        chosen=chosen,
        dealer_name=dealer,
    )
    opening.write(opened, table)
    told = [ply.number for ply, _ in opened.plies]
    post = posting.text(posting.public(opened, told, opening=True), format)
    written = {
        name: posting.text(posting.letter(opened, name, told, key=True), format)
        for name in opened.setup.seats
    }
    files = _write_letters(letters, opened, written) if letters else {}
    if json:
        _print_json(
            {"ok": True, "match": opened.name, "log": opened.log.path, "desk": table.path,
             "post": post, "letters": files or written, **_standing(opened)}
        )  # fmt: skip
        return
    print(post, end="")
    if letters:
        print(f"pbem: letters are in {letters}; send each to its seat alone", file=sys.stderr)
        return
    for name, text in written.items():
        print(f"\n======== letter to {name}: for nobody else ========\n\n{text}", end="")


def _pair(text: str, option: str, example: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise Problem(f"{option} {text!r} lacks its value; write it like {example}", code=2)
    return name.strip(), value.strip()


def _check_format(format: str) -> None:
    from pbem.render import DIALECTS

    if format not in DIALECTS:
        raise Problem(f"--format is one of {', '.join(DIALECTS)}, not {format!r}", code=2)


def _write_letters(folder: str, now: Match, written: dict[str, str]) -> dict[str, str]:
    """Letters as private files; gives {seat: path}."""
    from pbem import store

    os.makedirs(folder, mode=0o700, exist_ok=True)
    files = {}
    for seat, text in written.items():
        path = os.path.join(folder, f"{now.name}-{now.position[0]:04}-{seat}.txt")
        store.replace(path, text.encode(), 0o600)
        files[seat] = path
    return files


# ---------------------------------------------------------------------- submitting, checking


@app.command(epilog="Example: pbem submit kahuna-7.pbem.yaml mail.eml --letters letters/")
def submit(
    log: LogFile,
    move: MoveFile = "-",
    from_: From = None,
    post: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write the public post there, not to stdout."),
    ] = None,
    letters: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Write a letter for each seat there."),
    ] = None,
    format: Format = "text",
    wait: Annotated[float, typer.Option(help="Seconds to wait for another writer.")] = 10.0,
    json: Json = False,
) -> None:
    """Judge a message and append what follows to the log; print what is to be posted."""
    from pbem import desk, posting, store
    from pbem.clock import now

    _check_format(format)
    answer = desk.submit(log, _message(move), seat=from_, clock=now, wait=wait)
    if answer.verdict != "accepted":
        _print_refusal(answer, format, json)
    after = answer.after
    told = [ply.number for ply, _ in after.plies if ply.number > answer.before.position[0]]
    text = posting.text(posting.public(after, told), format)
    written = {
        seat: posting.text(posting.letter(after, seat, told), format)
        for seat in (after.setup.seats if letters or json else ())
    }
    files = _write_letters(letters, after, written) if letters else {}
    if post:
        store.replace(post, text.encode())
    if json:
        _print_json({**_answered(answer), "post": text, "letters": files or written})
        return
    if not post:
        print(text, end="")
    for line in _left_over(answer):
        print(f"pbem: {line}", file=sys.stderr)


@app.command(epilog="Example: echo 'bari-duda; draw' | pbem check kahuna-7.pbem.yaml --key ana.key")
def check(
    log: LogFile,
    move: MoveFile = "-",
    from_: From = None,
    key: KeyFile = None,
    format: Format = "text",
    json: Json = False,
) -> None:
    """Judge a message exactly as submit would, as far as your key lets you know; write nothing."""
    from pbem import desk

    _check_format(format)
    keyring = _keys(key)
    answer = desk.check(log, _message(move), seat=from_, keyring=keyring)
    if answer.verdict not in ("legal", "possible"):
        _print_refusal(answer, format, json)
    if json:
        _print_json(_answered(answer))
        return
    sure = answer.verdict == "legal"
    print("legal" if sure else "legal as far as you can know (it rests on something hidden)")
    game = answer.before.game
    print(f"{answer.seat}: {'; '.join(game.notate(step.move) for step in answer.steps)}")
    for line in _left_over(answer):
        print(line)


def _message(source: str) -> Any:
    from pbem import intake

    if source == "-":
        return intake.read(sys.stdin.buffer.read(), "<stdin>")
    try:
        with open(source, "rb") as file:
            return intake.read(file.read(), source)
    except OSError as error:
        raise Problem(f"cannot be read: {error.strerror}", source, code=66) from error


def _keys(path: str | None) -> Keyring:
    """The keys of a file or the environment; none is a spectator's."""
    from pbem.seal import Keyring

    if path is None and "PBEM_KEY" in os.environ:
        value = os.environ["PBEM_KEY"]
        if "\n" in value or value.startswith("pbem-key/"):
            return Keyring.read(value, "PBEM_KEY")
        path = value
    if path is None:
        return Keyring.none()
    from pbem import desk

    return desk.read_keys(path)


def _print_refusal(answer: Answer, format: str, json: bool) -> NoReturn:
    """What the sender is told of a message that changed nothing."""
    from pbem import posting

    if json:
        _print_json(_answered(answer))
    elif answer.verdict in ("duplicate", "automatic"):
        print(f"pbem: {answer.message}", file=sys.stderr)
    else:
        print(posting.text(posting.rejection(answer), format), end="")
        print(f"pbem: refused: {answer.message}", file=sys.stderr)
    sys.exit(answer.code)


def _left_over(answer: Answer) -> list[str]:
    lines = [f"not played: {text} ({why})" for text, why in answer.unplayed]
    return lines + [f"held until you are asked again: {text}" for text in answer.held]


def _answered(answer: Answer) -> dict[str, Any]:
    game = answer.before.game
    said = answer.said
    data: dict[str, Any] = {
        "ok": answer.code == 0,
        "code": answer.code,
        "verdict": answer.verdict,
        "seat": answer.seat,
        "understood": [game.notate(step.move) for step in answer.steps],
        "said": [line.text for line in said.orders] if said else [],
        "ignored": [[i.line, i.why, i.text] for i in said.ignored] if said else [],
        "unplayed": [list(pair) for pair in answer.unplayed],
        "held": list(answer.held),
    }
    if answer.message:
        data["message"] = answer.message
    if answer.reason:
        data |= _told(answer.reason)
    if answer.troubles:
        data["unreadable"] = [
            {"line": t.line, "text": t.text, **_told(t.error)} for t in answer.troubles
        ]
    return data | _standing(answer.after)


def _standing(now: Match) -> dict[str, Any]:
    ply, fingerprint = now.position
    return {"match": now.name, "ply": ply, "fingerprint": fingerprint,
            "awaited": list(now.awaited)}  # fmt: skip


# ----------------------------------------------------------------------------------- looking


def _seen(log: str, as_: str | None, key: str | None, at: int | None = None) -> Match:
    """The match as the reader asked for may know it: by default, as a spectator."""
    from pbem import match

    if as_ is None:
        return match.read(log, _keys(key), at)
    from pbem import desk

    keyring = _keys(key)
    if keyring.secret is None and as_ not in keyring.seats:
        keyring = desk.read_desk(log).keyring
    seen = match.seen_by(match.read(log, keyring), as_)
    return match.of(seen.log, seen.keyring, at)


@app.command(epilog="Example: pbem show kahuna-7.pbem.yaml --as white --at 20 --format markdown")
def show(
    log: LogFile,
    as_: As = None,
    key: KeyFile = None,
    at: Annotated[int | None, typer.Option(help="After this ply.")] = None,
    format: Annotated[str, typer.Option(help="text, markdown, phpbb, bgg or json.")] = "text",
    json: Json = False,
) -> None:
    """Show where the match stands: what a spectator may know, unless told otherwise."""
    if not json and format != "json":
        _check_format(format)
    now = _seen(log, as_, key, at)
    if json or format == "json":
        from pbem import standing

        _print_json(standing.plain(now))
        return
    from pbem import match, posting

    print(posting.text(posting.report(now, match.last_turn(now)), format), end="")


@app.command(epilog="Example: pbem moves kahuna-7.pbem.yaml --as white")
def moves(log: LogFile, as_: As = None, key: KeyFile = None, json: Json = False) -> None:
    """List the legal moves of whoever is awaited, as far as the reader may know."""
    from pbem import play

    now = _seen(log, as_, key)
    found = {}
    for seat in dict.fromkeys(decision.seat for decision in now.pending):
        legal = play.legal_moves(now.game, now.state, seat)
        found[seat] = list(dict.fromkeys(sorted(map(now.game.notate, legal))))
    if json:
        _print_json({**_standing(now), "moves": found})
        return
    for seat, texts in found.items():
        print(f"{seat}: {len(texts)} moves")
        for text in texts:
            print(f"  {text}")
    if not found:
        print("the match is over")


@app.command("log", epilog="Example: pbem log kahuna-7.pbem.yaml")
def log_(log: LogFile, as_: As = None, key: KeyFile = None, json: Json = False) -> None:
    """Tell the match in words, ply by ply, rulings and struck plies included."""
    from pbem import chronicle

    now = _seen(log, as_, key)
    lines = chronicle.lines(now)
    if json:
        _print_json({**_standing(now), "lines": lines})
        return
    for line in lines:
        print(line)


# -------------------------------------------------------------------------- checking, ruling


@app.command(epilog="Example: pbem verify *.pbem.yaml --key kahuna-7.desk.yaml")
def verify(
    log: Annotated[list[str], typer.Argument(metavar="LOG...", help="Match logs.")],
    key: KeyFile = None,
    json: Json = False,
) -> None:
    """Check logs: schema, chain, replay, judging again, seals and draws as far as keys allow."""
    from pbem import audit

    keyring = _keys(key)
    reports = []
    for path in log:
        try:
            found = audit.audit(path, keyring)
        except Problem as unreadable:
            found = audit.Findings((unreadable,))
        counts = {"plies": found.plies, "judged": found.judged, "drawn": found.drawn}
        reports.append({"log": path, **counts, "problems": [_told(p) for p in found.problems]})
        if json:
            continue
        for problem in found.problems:
            print(problem)
        if not found.problems:
            told = "{plies} plies, {judged} judged again, {drawn} draws recomputed"
            print(f"{path}: ok, {told.format(**counts)}")
    bad = any(report["problems"] for report in reports)
    if json:
        _print_json({"ok": not bad, "logs": reports})
    if bad:
        sys.exit(65)


@app.command(epilog="Example: pbem reveal kahuna-7.pbem.yaml")
def reveal(log: LogFile, json: Json = False) -> None:
    """Publish the secret of a finished match: from then on anyone can open and check all of it."""
    _rule(log, "reveal", "", json)


@app.command(
    epilog="Examples: pbem rule LOG takeback --to 12 --reason 'misread, agreed' · "
    "pbem rule LOG default --seat white --move pass --reason 'deadline passed'"
)
def rule(
    log: LogFile,
    kind: Annotated[
        str,
        typer.Argument(help="takeback, default, substitute, resign, end, note or entropy."),
    ],
    reason: Annotated[str, typer.Option(help="Why; it is printed in the log.")] = "",
    seat: Annotated[str | None, typer.Option(help="Which seat.")] = None,
    to: Annotated[
        int | None,
        typer.Option(help="takeback: the ply that is to be the last."),
    ] = None,
    revealed: Annotated[
        bool, typer.Option(help="takeback: although chance has revealed something since.")
    ] = False,
    move: Annotated[str | None, typer.Option(help="default: the move.")] = None,
    player: Annotated[
        str | None,
        typer.Option(metavar="'NAME <ADDRESS>'", help="substitute: who comes."),
    ] = None,
    winner: Annotated[
        list[str] | None,
        typer.Option(metavar="SEAT", help="end: who wins; nobody if left out."),
    ] = None,
    text: Annotated[str | None, typer.Option(help="note, entropy: the text.")] = None,
    format: Format = "text",
    json: Json = False,
) -> None:
    """Append a ruling of the moderator. Nothing is deleted: struck plies stay, visibly."""
    from pbem.opening import Player

    _check_format(format)
    given: dict[str, Any] = {"revealed": revealed}
    needs = {
        "takeback": ("to",),
        "default": ("seat",),
        "substitute": ("seat", "player"),
        "resign": ("seat",),
        "end": (),
        "note": ("text",),
        "entropy": ("seat", "text"),
    }
    if kind not in needs:
        raise Problem(f"there is no ruling {kind!r}, only {', '.join(needs)}", code=2)
    options = {"to": to, "seat": seat, "player": player, "text": text, "move": move}
    for name in needs[kind]:
        if options[name] is None:
            raise Problem(f"the ruling {kind} needs --{name}", code=2)
    if not reason and kind not in ("note", "entropy"):
        raise Problem(f"the ruling {kind} needs a --reason: it stands in the log for good", code=2)
    given |= {name: value for name, value in options.items() if value is not None}
    if player is not None:
        comes = Player.read(player)
        given |= {"name": comes.name, "addresses": comes.addresses}
    _rule(log, kind, reason, json, format, winners=winner or [], **given)


def _rule(log: str, kind: str, reason: str, json: bool, format: str = "text", **given: Any
          ) -> None:  # fmt: skip
    from pbem import chronicle, posting, rulings
    from pbem.clock import now

    before, after = rulings.rule(log, kind, reason, now, **given)
    entry = after.log.entries[len(before.log.entries)]
    told = [ply.number for ply, _ in after.plies if ply.number > before.position[0]]
    note = chronicle.ruling(after, entry)
    post = posting.text(posting.public(after, told, [note]), format)
    letter = ""
    if kind == "substitute":
        report = posting.letter(after, given["seat"], told, key=True)
        letter = posting.text(report, format)
    if json:
        data = {"ok": True, **_standing(after), "ruling": kind, "post": post}
        _print_json({**data, "letter": letter} if letter else data)
        return
    print(post, end="")
    if letter:
        print(f"\n======== letter to {given['seat']}: for nobody else ========\n\n{letter}", end="")


# ------------------------------------------------------------------------------ the house


@app.command(epilog="Example: pbem simulate kahuna --seed 7 --out /tmp/s.pbem.yaml")
def simulate(
    game: Annotated[str, typer.Argument(help="The game.")],
    seed: Annotated[int, typer.Option(help="The same number gives the same match.")] = 1,
    out: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="The log; the desk file goes beside it."),
    ] = None,
    ruleset: Annotated[str | None, typer.Option()] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", "-o", metavar="KEY=VALUE"),
    ] = None,
    players: Annotated[
        int | None,
        typer.Option(help="How many, where the game leaves it open."),
    ] = None,
    json: Json = False,
) -> None:
    """Play a complete random legal match into a log and a desk file."""
    from pbem import desk, opening
    from pbem.simulate import simulate as play_out

    path = out or f"{game}-{seed}{desk.LOG_SUFFIX}"
    folder, file = os.path.split(path)
    if not file.endswith(desk.LOG_SUFFIX):
        raise Problem(f"--out must end with {desk.LOG_SUFFIX}", path, code=2)
    finished, table = play_out(
        game,
        seed,
        name=file.removesuffix(desk.LOG_SUFFIX),
        folder=folder or ".",
        seats=tuple(f"seat{n + 1}" for n in range(players)) if players else None,
        ruleset=ruleset,
        chosen=dict(_pair(text, "--option", "variant1=true") for text in option or []),
    )
    opening.write(finished, table)
    outcome = finished.outcome
    assert outcome is not None, "a simulated match is played to its end"
    if json:
        _print_json({"ok": True, "log": path, **_standing(finished),
                     "winners": list(outcome.winners), "why": outcome.why})  # fmt: skip
        return
    winners = " and ".join(outcome.winners) or "nobody"
    print(f"{path}: {finished.position[0]} plies; {winners} won [{outcome.why}]")


@app.command(epilog="Example: pbem demo --dir demo")
def demo(
    dir: Annotated[str, typer.Option(help="A folder for the match; made if need be.")] = "demo",
) -> None:
    """Run the main job on the sample mails shipped with pbem, and show every step."""
    from pbem import demonstration

    demonstration.run(dir)


@app.command(epilog="Example: pbem schema log > log.schema.json")
def schema(
    name: Annotated[str | None, typer.Argument(help="Which; none lists them.")] = None,
) -> None:
    """Print a JSON schema, for editors and programs."""
    from pbem import data

    names = data.schema_names()
    if name is None:
        print("\n".join(names))
    elif name in names:
        print(data.schema_text(name), end="")
    else:
        raise Problem(f"there is no schema {name!r}, only {', '.join(names)}", code=2)


@app.command(epilog="Example: pbem games --json")
def games(json: Json = False) -> None:
    """List the games, their rulesets and options."""
    from pbem import data
    from pbem import games as known

    found = {}
    for name in known.names():
        game = known.game(name)
        found[name] = {"title": game.TITLE, **data.game_file(game.DATA, "rulesets")}
    if json:
        _print_json(found)
        return
    for name, about in found.items():
        print(f"{name}: {about['title']}")
        for ruleset, its in about["rulesets"].items():
            default = " (default)" if ruleset == about["default"] else ""
            print(f"  --ruleset {ruleset}{default}: {its['says']}")
        for option, its in about.get("options", {}).items():
            print(f"  -o {option}: {its['says']} [{its['rule']}]")
