"""Submitting a move, or checking it first."""

import os
from typing import TYPE_CHECKING, Annotated, Final

from pbem.cli.answered import Submitted, Ways, checked
from pbem.cli.common import (
    AllLetters,
    Author,
    Format,
    From,
    KeyFile,
    Letters,
    LogFile,
    MoveFile,
    OfMatch,
    PostNumber,
    Quoted,
    Short,
    Told,
    app,
    here,
    keys,
    message,
    standing,
    takes,
)
from pbem.cli.output import Output, complain
from pbem.desk.file import Desk, read_both
from pbem.files import timestamp
from pbem.log.match import Replay
from pbem.problem import BadFile
from pbem.sentence import say

if TYPE_CHECKING:
    from pbem.desk.answer import Answer
    from pbem.mailroom.granting import Wish


@app.command(
    cls=OfMatch, epilog="Example: pbem submit kahuna-7.pbem.yaml mail.eml --letters letters/"
)
def submit(
    log: LogFile,
    move: MoveFile = "-",
    from_: From = None,
    post: Annotated[
        str | None, takes("FILE", "Write the public post there, not to stdout.")
    ] = None,
    letters: Letters = None,
    all_letters: AllLetters = False,
    reply: Annotated[
        str | None, takes("FILE", "Write the answer to its sender there, whatever comes of it.")
    ] = None,
    picture: Annotated[
        str | None, takes("FILE", "Write the public board after the move: .svg or .png.")
    ] = None,
    author: Author = None,
    post_number: PostNumber = None,
    quoted: Quoted = False,
    format: Format = "text",
    short: Short = None,
    told: Told = False,
) -> Output:
    """Judge a message, play it, and print what to post."""
    from pbem.desk.submit import submit

    ways = Ways(log, format, post, letters, all_letters, reply, picture, short, told)
    ways.make_ready()
    try:
        said = message(move, author, post_number, quoted)
    except BadFile as trouble:
        if not ways.place:
            raise
        why = say(_UNREADABLE, trouble=trouble)  # which may quote the order
        path = ways.put(f"{os.path.basename(log)}-answer.txt", f"{why}\n")
        raise BadFile(_WHY_THERE, move, answer=path) from None
    desk = Desk.read(log) if letters else None
    answer = submit(log, said, here(), seat=from_)
    warned, wishes = _warned(log, answer), _wishes(answer, log, timestamp.now())
    return Submitted(answer, warned, wishes, desk).output(ways)


_UNREADABLE: Final = "Nothing was played. Your message cannot be read: {trouble}."
_WHY_THERE: Final = "cannot be read; the answer is in {answer}, for its sender alone"


def _wishes(answer: "Answer", log: str, at: str) -> "list[Wish]":
    """What a message asks the moderator for."""
    seat, message, verdict = answer.seat, answer.said, answer.verdict
    if seat is None or not (message.requests or verdict in ("passed-on", "refused", "sender")):
        return []
    from pbem.mailroom.granting import wishes

    return wishes(answer.after, seat, message, verdict, getattr(log, "typed", log), at)


def _warned(log: str, answer: "Answer") -> str:
    """What is told to the writer of a post that shows everybody a private key; the moderator is
    told on the terminal."""
    from pbem.desk import press

    if answer.said is None or answer.said.kind != "post":
        return ""
    match = read_both(log)[0]
    seats = press.leaked_keys(match, answer.said.body)
    if not seats:
        return ""
    typed = getattr(log, "typed", log)
    complain(say("pbem: {told}", told=press.leak_for_moderator(seats, typed)))
    return press.leak_for_sender(seats).text(match.players)


@app.command(epilog="Example: echo 'bari-duda; draw' | pbem sign kahuna-7.pbem.yaml --key ana.key")
def sign(log: LogFile, move: MoveFile = "-", key: KeyFile = None) -> Output:
    """Print an order with a code that proves it is yours."""
    from pbem.desk.authorship.signature import sign_order

    match = Replay.read(log, keys(key))
    signed = sign_order(match, message(move))
    plain = {"ok": True, "seat": signed.seat, "sign": signed.code, "text": signed.text}
    return Output(plain | standing(match), [signed.text])


@app.command(epilog="Example: echo 'bari-duda; draw' | pbem check kahuna-7.pbem.yaml --key ana.key")
def check(
    log: LogFile,
    move: MoveFile = "-",
    from_: From = None,
    key: KeyFile = None,
    author: Author = None,
    post_number: PostNumber = None,
    quoted: Quoted = False,
    format: Format = "text",
) -> Output:
    """Judge a message as submit would, but change nothing."""
    from pbem.desk.submit import check

    keyring = keys(key)
    answer = check(log, message(move, author, post_number, quoted), seat=from_, keyring=keyring)
    return checked(answer, Ways(log, format))
