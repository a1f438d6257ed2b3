"""Checking logs, and the moderator's rulings."""

import os
import sys
from typing import Annotated, Any, Final

import typer

from pbem.cli import complete, deadlines
from pbem.cli.common import (
    LETTER,
    Format,
    Json,
    KeyFile,
    Letters,
    LogFile,
    LogFiles,
    Told,
    app,
    check_format,
    keys,
    print_json,
    shown,
    standing,
    write_letters,
    written_out,
)
from pbem.cli.deadlines import (
    Absences,
    At,
    Bank,
    Closed,
    Grace,
    Interrupt,
    Remind,
    Silence,
    Turn,
    WhenPlans,
    Zone,
)
from pbem.cli.output import Private, after_commit, make_ready
from pbem.core import NotNow, Problem, Refused, Usage
from pbem.sentence import Counted, say

_WHOLE: Final = "{path}: ok, {plies}, {judged} judged again, {draws}"
_PLIES: Final = Counted("{n} ply", "{n} plies")
_DRAWS: Final = Counted("{n} draw recomputed", "{n} draws recomputed")


@app.command(epilog="Example: pbem verify *.pbem.yaml --key kahuna-7.desk.yaml")
def verify(log: LogFiles, key: KeyFile = None, json: Json = False) -> None:
    """Check logs from top to bottom, as far as the keys allow."""
    from pbem.log import audit

    keyring = keys(key)
    reports = []
    for path in log:
        try:
            found = audit.audit(path, keyring)
        except Problem as unreadable:
            found = audit.Findings((unreadable,))
        counts = {"plies": found.plies, "judged": found.judged, "drawn": found.drawn}
        notices = [notice.text(found.names) for notice in found.notices]
        problems = [shown(problem) for problem in found.problems]
        reports.append({"log": path, **counts, "problems": problems, "notices": notices})
        if json:
            continue
        for problem in found.problems:
            print(problem)
        if not found.problems:
            plies, drawn = say(_PLIES, n=found.plies), say(_DRAWS, n=found.drawn)
            print(say(_WHOLE, path=path, plies=plies, judged=found.judged, draws=drawn))
        for notice in notices:
            print(f"  {notice}")
    bad = any(report["problems"] for report in reports)
    if json:
        print_json({"ok": not bad, "logs": reports})
    if bad:
        sys.exit(65)


@app.command(epilog="Example: pbem reveal kahuna-7.pbem.yaml")
def reveal(log: LogFile, told: Told = False, json: Json = False) -> None:
    """Publish the secret of a finished match, for all to check."""
    _rule(log, "reveal", "", json, told=told)


@app.command(
    epilog="Examples: pbem rule LOG takeback --to 12 --reason 'misread, agreed' · "
    "pbem rule LOG default --seat white --move pass --reason 'deadline passed' · "
    "pbem rule LOG extend --seat white --by 2 · "
    "pbem rule LOG away --seat white --from 2026-12-20 --to 2027-01-05 · "
    "pbem rule LOG clock --turn 5 --closed sat,sun"
)
def rule(
    ctx: typer.Context,
    log: LogFile,
    kind: Annotated[
        str,
        typer.Argument(
            metavar="KIND",
            help="takeback, default, substitute, resign, end, reopen, note, entropy, words or "
            "pass-over; about time: extend, pause, resume, away, back or clock.",
        ),
    ],
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Why; it stands in the log.")] = "",
    seat: Annotated[
        str | None, typer.Option(metavar="SEAT", help="Which seat.", autocompletion=complete.seats)
    ] = None,
    to: Annotated[
        str | None,
        typer.Option(
            metavar="N|DATE", help="takeback: the last ply that stands; away: the last day."
        ),
    ] = None,
    from_: Annotated[
        str | None,
        typer.Option("--from", metavar="DATE", help="away: the first day; back: from when on."),
    ] = None,
    by: Annotated[
        int | None, typer.Option(metavar="DAYS", help="extend: how many days more.")
    ] = None,
    yes: Annotated[
        bool, typer.Option("--yes", help="clock: although it shortens somebody's turn.")
    ] = False,
    revealed: Annotated[
        bool, typer.Option("--revealed", help="takeback: although cards were drawn since.")
    ] = False,
    move: Annotated[str | None, typer.Option(metavar="MOVE", help="default: the move.")] = None,
    player: Annotated[
        str | None, typer.Option(metavar="'NAME <ADDRESS>'", help="substitute: who comes.")
    ] = None,
    author: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="substitute: the forum account of who comes."),
    ] = None,
    winner: Annotated[
        list[str] | None, typer.Option(metavar="SEAT", help="end: who wins; nobody without it.")
    ] = None,
    text: Annotated[
        str | None, typer.Option(metavar="TEXT", help="note, entropy, words: the text.")
    ] = None,
    turn: Turn = None,
    at: At = None,
    zone: Zone = None,
    interrupt: Interrupt = None,
    grace: Grace = None,
    bank: Bank = None,
    closed: Closed = None,
    absences: Absences = None,
    remind: Remind = None,
    silence: Silence = None,
    plans: WhenPlans = None,
    letters: Letters = None,
    format: Format = "text",
    told: Told = False,
    json: Json = False,
) -> None:
    """Append a ruling of the moderator; nothing is deleted."""
    from pbem.desk.begin import Player

    check_format(format)
    needs = {
        "takeback": ("to",),
        "default": ("seat",),
        "substitute": ("seat", "player"),
        "resign": ("seat",),
        "end": (),
        "reopen": (),
        "note": ("text",),
        "entropy": ("text",),
        "words": ("seat", "text"),
        "pass-over": ("seat",),
        "extend": ("by",),
        "pause": (),
        "resume": (),
        "away": ("seat", "from", "to"),
        "back": ("seat",),
        "clock": (),
    }
    if kind not in needs:
        raise Usage("there is no ruling {kind!r}, only {needs:all}", kind=kind, needs=needs)
    options = {"to": to, "seat": seat, "player": player, "text": text, "by": by, "from": from_}
    for name in needs[kind]:
        if options[name] is None:
            raise Usage("the ruling {kind} needs --{name}", kind=kind, name=name)
    if not reason and kind not in ("note", "entropy", "words", *_TIME):
        raise Usage("the ruling {kind} needs a --reason: it stands in the log for good", kind=kind)
    given: dict[str, Any] = {
        name: options[name] for name in needs[kind] if name in ("seat", "text")
    }
    match kind:
        case "takeback":
            given |= {"to": _ply(to or ""), "revealed": revealed}
        case "default":
            given["move"] = move or ""
        case "substitute" if player is not None:
            comes = Player.read(player)
            given |= {"name": comes.name, "addresses": comes.addresses, "authors": author or ()}
        case "entropy":
            given["seat"] = seat
        case "end":
            given["winners"] = winner or []
        case "extend":
            given |= {"seat": seat, "days": _days(by or 0)}
        case "away":
            given |= {"first": from_, "last": to}
        case "back":
            given["first"] = from_ or ""
        case "clock":
            chosen = deadlines.settings(ctx.params)
            if not chosen:
                raise Usage("the ruling clock needs what is to change, like --turn 5")
            given |= {"chosen": chosen, "yes": yes}
    _rule(log, kind, reason, json, format, letters, told, **given)


_TIME: Final = {
    "extend": "extend",
    "pause": "pause",
    "resume": "resume",
    "away": "away",
    "back": "back",
    "clock": "set_clock",
}
"""The rulings about time, and what gives each of them."""


def _ply(text: str) -> int:
    if not text.isdecimal():
        raise Usage("--to {text!r} is no number of a ply", text=text)
    return int(text)


def _days(days: int) -> int:
    from pbem.log.timing import MOST

    if not 1 <= days <= MOST:
        raise Usage("--by {days}: it is a number of days, 1 to {most}", days=days, most=MOST)
    return days


def _given(kind: str) -> Any:
    """What gives a ruling of this kind."""
    if kind in _TIME:
        from pbem.desk import timing

        return getattr(timing, _TIME[kind])
    from pbem.desk import rulings

    return getattr(rulings, kind.replace("-", "_"))


def _without_reason(log: str, letters: str, refused: Refused) -> Problem:
    """The same refusal of a move for a silent seat, for a moderator who plays: the reason may tell
    of the seat's hand, so it is put among the letters."""
    path = Private(letters=letters).put(f"{os.path.basename(log)}-refused.txt", f"{refused}\n")
    return NotNow(
        "this move can't be played; the reason, which may tell of the seat's hand, is in {file}",
        file=path,
    )


def _rule(
    log: str,
    kind: str,
    reason: str,
    json: bool,
    format: str = "text",
    letters: str | None = None,
    told: bool = False,
    **given: Any,
) -> None:
    from pbem.desk.file import Desk
    from pbem.files.clock import now
    from pbem.matches.told import by_hand
    from pbem.report import compose

    make_ready(letters=letters)
    try:
        before, after = _given(kind)(log, now, compose.rehearse, reason=reason, **given)
    except Refused as refused:
        if letters is None:
            raise
        raise _without_reason(log, letters, refused) from None
    known = len(before.log.entries)
    with after_commit(log):
        desk = Desk.read(log)
        if told:
            by_hand(after, desk, len(after.log.entries))
        post = compose.text(compose.public(after, known), format)
        comes = given["seat"] if kind == "substitute" else None
        written = {
            seat: written_out(
                compose.letter(after, seat, known, key=seat == comes, desk=desk), format
            )
            for seat in after.setup.seats
            if letters or seat == comes
        }
        files = write_letters(letters, after, written) if letters else {}
        if json:
            data = {"ok": True, **standing(after), "ruling": kind, "post": post}
            if letters:
                data["letters"] = files
            elif comes:
                data["letter"] = written[comes]
            print_json(data)
            return
        print(post, end="")
        if not letters:
            for seat, text in written.items():
                print(say(LETTER, seat=seat, text=text), end="")
