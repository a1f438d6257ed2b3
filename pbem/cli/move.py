"""Submitting a move, or checking it first."""

import sys
from typing import TYPE_CHECKING, Annotated, Any, Final, NoReturn

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
    Wait,
    app,
    check_format,
    keys,
    message,
    print_json,
    standing,
    told,
    write_letters,
)
from pbem.cli.output import after_commit, complain, make_ready
from pbem.cli.pictures import picture_format, public_picture, write
from pbem.sentence import Sentence, say

if TYPE_CHECKING:
    from pbem.desk.answer import Answer


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
    picture: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write the public board after the move: .svg or .png."),
    ] = None,
    author: Author = None,
    post_number: PostNumber = None,
    quoted: Quoted = False,
    format: Format = "text",
    wait: Wait = 10.0,
    json: Json = False,
) -> None:
    """Judge a message, play it, and print what to post."""
    from pbem.desk.submit import submit
    from pbem.files import store
    from pbem.files.clock import now
    from pbem.report import compose

    check_format(format)
    drawn = picture_format(picture) if picture else ""
    make_ready(post, letters)
    if picture:
        make_ready(picture)
    said = message(move, author, post_number, quoted)
    answer = submit(log, said, seat=from_, clock=now, wait=wait, rehearse=compose.rehearse)
    if answer.verdict != "accepted":
        _print_refusal(answer, format, json)
    after = answer.after
    with after_commit(log):
        told = [ply.number for ply, _ in after.plies if ply.number > answer.before.position[0]]
        said, doubts = compose.press(answer), _bypassed(log, answer)
        text = compose.text(compose.public(after, told, doubts, rulings=said), format)
        written = {
            seat: compose.text(compose.letter(after, seat, told), format)
            for seat in (after.setup.seats if letters or json else ())
        }
        files = write_letters(letters, after, written) if letters else {}
        if post:
            store.replace(post, text.encode())
        if picture:
            write(public_picture(after, drawn), picture)
        if json:
            print_json({**_answered(answer), "post": text, "letters": files or written})
            return
        if not post:
            print(text, end="")
        for line in (*_doubts(answer), *_left_over(answer), *_left_out(answer)):
            complain(f"pbem: {line}")


@app.command(epilog="Example: echo 'bari-duda; draw' | pbem sign kahuna-7.pbem.yaml --key ana.key")
def sign(log: LogFile, move: MoveFile = "-", key: KeyFile = None, json: Json = False) -> None:
    """Print an order with a code that proves it is yours."""
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
    """Judge a message as submit would, but change nothing."""
    from pbem.desk.submit import check

    check_format(format)
    keyring = keys(key)
    answer = check(log, message(move), seat=from_, keyring=keyring)
    if answer.verdict not in ("legal", "possible"):
        _print_refusal(answer, format, json)
    if json:
        print_json(_answered(answer))
        return
    print(_LEGAL[answer.verdict])
    game = answer.before.game
    print(f"{answer.seat}: {'; '.join(game.notate(step.move) for step in answer.steps)}")
    for line in (*_left_over(answer), *_left_out(answer)):
        print(line)


_LEGAL: Final = {
    "legal": "legal",
    "possible": "legal as far as you can know (it rests on something hidden)",
}


def _print_refusal(answer: "Answer", format: str, json: bool) -> NoReturn:
    """What the sender is told of a message that changed nothing."""
    from pbem.report import compose

    if json:
        print_json(_answered(answer))
    elif answer.verdict in ("duplicate", "automatic"):
        print(f"pbem: {answer.message}", file=sys.stderr)
    else:
        print(compose.text(compose.rejection(answer), format), end="")
        print(f"pbem: refused: {answer.message}", file=sys.stderr)
        if answer.for_moderator:
            print(say("pbem: for you alone: {told}", told=answer.for_moderator), file=sys.stderr)
    sys.exit(answer.code)


def _doubts(answer: "Answer") -> list[Sentence]:
    """What the moderator should know of who wrote this: nothing, where it is proven."""
    doubt = answer.writer.doubt if answer.writer else None
    return [say("{seat}: {doubt}", seat=answer.seat, doubt=doubt)] if doubt else []


def _bypassed(log: str, answer: "Answer") -> list[str]:
    """A note for all where the players were promised a proof, and the moderator's word stood in."""
    from pbem.desk.file import Desk

    policy = Desk.read(log).policy
    if policy == "from" or answer.writer is None or answer.writer.how != "word":
        return []
    if answer.seat not in answer.after.setup.seats:
        return []
    if policy == "signed":
        return ["this move was accepted on the moderator's word, without a signature"]
    return ["this move was accepted on the moderator's word, not as an authenticated mail"]


def _left_over(answer: "Answer") -> list[Sentence]:
    lines = [
        say("not played: {text} ({why})", text=each.text, why=each.why)
        for each in answer.not_played
    ]
    return lines + [
        say("waits until {seat} may choose again: {text}", seat=held.seat, text=text)
        for held in answer.held
        for text in held.moves
    ]


def _left_out(answer: "Answer") -> list[str]:
    """What was not read as an order, and why."""
    from pbem.intake.submission import told
    from pbem.sentence import say

    ignored = answer.said.ignored if answer.said else ()
    return [say("ignored: {what}", what=what).text() for what in told(ignored)]


def _answered(answer: "Answer") -> dict[str, Any]:
    game = answer.before.game
    said = answer.said
    data: dict[str, Any] = {
        "ok": answer.code == 0,
        "code": answer.code,
        "verdict": answer.verdict,
        "seat": answer.seat,
        "understood": [game.notate(step.move) for step in answer.steps],
        "said": [line.text for line in said.orders],
        "ignored": [[i.line, i.why, i.text] for i in said.ignored],
        "unplayed": [
            [each.text, each.why.text(answer.after.players)] for each in answer.not_played
        ],
        "held": {held.seat: list(held.moves) for held in answer.held},
    }
    if answer.writer and answer.writer.how:
        data |= {"writer": answer.writer.how, "proven": answer.writer.proven}
    if answer.for_moderator:
        data["aside"] = answer.for_moderator
    if answer.message:
        data["message"] = answer.message
    if answer.reason:
        data |= told(answer.reason)
    if answer.troubles:
        data["unreadable"] = [
            {"line": t.line, "text": t.text, **told(t.error)} for t in answer.troubles
        ]
    return data | standing(answer.after)
