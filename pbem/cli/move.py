"""Submitting a move, or checking it first."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from pbem.cli.common import (
    Author,
    Format,
    From,
    Json,
    KeyFile,
    LogFile,
    MoveFile,
    PostNumber,
    Quoted,
    app,
    check_format,
    keys,
    letter_folder,
    message,
    print_json,
    standing,
    told,
    write_letters,
)

if TYPE_CHECKING:
    from pbem.desk.submit import Answer


@app.command(epilog="Example: pbem submit kahuna-7.pbem.yaml mail.eml --letters letters/")
def submit(
    log: LogFile,
    move: MoveFile = "-",
    from_: From = None,
    post: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write the public post there, not to stdout.")
    ] = None,
    letters: Annotated[
        str | None, typer.Option(metavar="DIR", help="Write a letter for each seat there.")
    ] = None,
    author: Author = None,
    post_number: PostNumber = None,
    quoted: Quoted = False,
    format: Format = "text",
    wait: Annotated[float, typer.Option(help="Seconds to wait for another writer.")] = 10.0,
    json: Json = False,
) -> None:
    """Judge a message and append what follows to the log; print what is to be posted."""
    from pbem.desk.submit import submit
    from pbem.files import store
    from pbem.files.clock import now
    from pbem.report import compose

    check_format(format)
    if letters:
        letter_folder(letters)
    said = message(move, author, post_number, quoted)
    answer = submit(log, said, seat=from_, clock=now, wait=wait, rehearse=compose.rehearse)
    if answer.verdict != "accepted":
        _print_refusal(answer, format, json)
    after = answer.after
    told = [ply.number for ply, _ in after.plies if ply.number > answer.before.position[0]]
    text = compose.text(compose.public(after, told, _bypassed(log, answer)), format)
    written = {
        seat: compose.text(compose.letter(after, seat, told), format)
        for seat in (after.setup.seats if letters or json else ())
    }
    files = write_letters(letters, after, written) if letters else {}
    if post:
        store.replace(post, text.encode())
    if json:
        print_json({**_answered(answer), "post": text, "letters": files or written})
        return
    if not post:
        print(text, end="")
    for line in (*_doubts(answer), *_left_over(answer)):
        print(f"pbem: {line}", file=sys.stderr)


@app.command(epilog="Example: echo 'bari-duda; draw' | pbem sign kahuna-7.pbem.yaml --key ana.key")
def sign(log: LogFile, move: MoveFile = "-", key: KeyFile = None, json: Json = False) -> None:
    """Print an order with a code that only your key can make: send it as it stands."""
    from pbem.authorship.signature import sign_order
    from pbem.log.match import Match

    now = Match.read(log, keys(key))
    signed = sign_order(now, message(move))
    if json:
        print_json(
            {
                "ok": True,
                "seat": signed.seat,
                "sign": signed.code,
                "text": signed.text,
                **standing(now),
            }
        )
    else:
        print(signed.text, end="")


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
    from pbem.desk.submit import check

    check_format(format)
    keyring = keys(key)
    answer = check(log, message(move), seat=from_, keyring=keyring)
    if answer.verdict not in ("legal", "possible"):
        _print_refusal(answer, format, json)
    if json:
        print_json(_answered(answer))
        return
    sure = answer.verdict == "legal"
    print("legal" if sure else "legal as far as you can know (it rests on something hidden)")
    game = answer.before.game
    print(f"{answer.seat}: {'; '.join(game.notate(step.move) for step in answer.steps)}")
    for line in _left_over(answer):
        print(line)


def _print_refusal(answer: Answer, format: str, json: bool) -> NoReturn:
    """What the sender is told of a message that changed nothing."""
    from pbem.report import compose

    if json:
        print_json(_answered(answer))
    elif answer.verdict in ("duplicate", "automatic"):
        print(f"pbem: {answer.message}", file=sys.stderr)
    else:
        print(compose.text(compose.rejection(answer), format), end="")
        print(f"pbem: refused: {answer.message}", file=sys.stderr)
        if answer.aside:
            print(f"pbem: for you alone: {answer.aside}", file=sys.stderr)
    sys.exit(answer.code)


def _doubts(answer: Answer) -> list[str]:
    """What the moderator should know of who wrote this: nothing, where it is proven."""
    writer = answer.writer
    if writer is None or writer.proven:
        return []
    return [f"{answer.seat} is known {writer.words}: not verified"]


def _bypassed(log: str, answer: Answer) -> list[str]:
    """A note for all where the players were promised a proof, and the moderator's word stood in."""
    from pbem.desk.file import Desk

    policy = Desk.read(log).policy
    if policy == "from" or answer.writer is None or answer.writer.how != "word":
        return []
    if answer.seat not in answer.after.setup.seats:
        return []
    return [f"this order was taken on the moderator's word, not as {policy}"]


def _left_over(answer: Answer) -> list[str]:
    lines = [f"not played: {text} ({why})" for text, why in answer.unplayed]
    return lines + [
        f"held until {held.seat} is asked again: {text}"
        for held in answer.held
        for text in held.moves
    ]


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
        "held": {held.seat: list(held.moves) for held in answer.held},
    }
    if answer.writer and answer.writer.how:
        data |= {"writer": answer.writer.how, "proven": answer.writer.proven}
    if answer.aside:
        data["aside"] = answer.aside
    if answer.message:
        data["message"] = answer.message
    if answer.reason:
        data |= told(answer.reason)
    if answer.troubles:
        data["unreadable"] = [
            {"line": t.line, "text": t.text, **told(t.error)} for t in answer.troubles
        ]
    return data | standing(answer.after)
