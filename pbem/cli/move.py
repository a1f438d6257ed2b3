"""Submitting a move, or checking it first."""

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Final

from pbem.cli import common
from pbem.cli.answered import Submitted, Ways, checked
from pbem.cli.common import message
from pbem.cli.output import Output, complain
from pbem.desk.file import Desk, read_both
from pbem.files import timestamp
from pbem.log.match import Replay
from pbem.problem import BadFile
from pbem.sentence import say

if TYPE_CHECKING:
    from pbem.desk.answer import Answer
    from pbem.intake import Submission
    from pbem.mailroom.granting import Wish


@common.app.command(
    cls=common.OfMatch, epilog="Example: pbem submit kahuna-7.pbem.yaml mail.eml --letters letters/"
)
def submit(
    log: common.LogFile,
    move: common.MoveFile = "-",
    from_: common.From = None,
    post: Annotated[
        str | None, common.takes("FILE", "Write the public post there, not to stdout.")
    ] = None,
    letters: common.Letters = None,
    all_letters: common.AllLetters = False,
    reply: Annotated[
        str | None,
        common.takes("FILE", "Write the answer to its sender there, whatever comes of it."),
    ] = None,
    picture: Annotated[
        str | None, common.takes("FILE", "Write the public board after the move: .svg or .png.")
    ] = None,
    author: common.Author = None,
    post_number: common.PostNumber = None,
    quoted: common.Quoted = False,
    format: common.Format = "text",
    short: common.Short = None,
    told: common.Told = False,
) -> Output:
    """Judge a message, play it, and print what to post."""
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
    return handed_over(ways, said, from_)


def handed_over(ways: Ways, said: "Submission", seat: str | None) -> Output:
    """Judge what somebody wrote, who is of this seat on the moderator's word or says so themselves,
    play it, and say what came of it. Raises Problem."""
    from pbem.desk.submit import submit

    log = ways.log
    desk = Desk.read(log) if ways.letters else None
    answer = submit(log, said, common.here(), seat=seat)
    at = timestamp.now()
    warned, wishes = _warned(log, answer), _wishes(answer, log, at)
    if said.author:
        from pbem.mailroom.tray import handed_in

        handed_in(log, answer, any(each.is_for_a_person for each in wishes), at)
    if wishes and not said.requests:
        answer = replace(answer, passed_on=True)
    return Submitted(answer, warned, wishes, desk).output(ways)


_UNREADABLE: Final = "Nothing was played. Your message cannot be read: {trouble}."
_WHY_THERE: Final = "cannot be read; the answer is in {answer}, for its sender alone"


def _wishes(answer: "Answer", log: str, at: str) -> "list[Wish]":
    seat, message, verdict = answer.seat, answer.submission, answer.verdict
    if not seat or not (message.requests or verdict in ("passed-on", "refused", "sender")):
        return []
    from pbem.mailroom.granting import Occasion, wishes

    then = Occasion(answer.after, seat, getattr(log, "typed", log), at)
    return wishes(then, message, verdict)


def _warned(log: str, answer: "Answer") -> str:
    """What is told to the writer of a post that shows everybody a private key; the moderator is
    told on the terminal."""
    from pbem.desk import press

    if answer.submission is None or answer.submission.kind != "post":
        return ""
    match = read_both(log)[0]
    seats = press.leaked_keys(match, answer.submission.body)
    if not seats:
        return ""
    typed = getattr(log, "typed", log)
    complain(say("pbem: {told}", told=press.leak_for_moderator(seats, typed)))
    return press.leak_for_sender(seats).text(match.players)


@common.app.command(
    epilog="Example: echo 'bari-duda; draw' | pbem sign kahuna-7.pbem.yaml --key ana.key"
)
def sign(log: common.LogFile, move: common.MoveFile = "-", key: common.KeyFile = None) -> Output:
    """Print an order with a code that proves it is yours."""
    from pbem.desk.authorship.signature import sign_order

    match = Replay.read(log, common.keys(key))
    signed = sign_order(match, message(move))
    plain = {"ok": True, "seat": signed.seat, "sign": signed.code, "text": signed.text}
    return Output(plain | common.standing(match), [signed.text])


@common.app.command(
    epilog="Example: echo 'bari-duda; draw' | pbem check kahuna-7.pbem.yaml --key ana.key"
)
def check(
    log: common.LogFile,
    move: common.MoveFile = "-",
    from_: common.From = None,
    key: common.KeyFile = None,
    author: common.Author = None,
    post_number: common.PostNumber = None,
    quoted: common.Quoted = False,
    format: common.Format = "text",
) -> Output:
    """Judge a message as submit would, but change nothing."""
    from pbem.desk.submit import check

    keyring = common.keys(key)
    answer = check(log, message(move, author, post_number, quoted), seat=from_, keyring=keyring)
    return checked(answer, Ways(log, format))
