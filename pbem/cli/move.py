"""Submitting a move, or checking it first."""

import os
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final, NoReturn

from pbem.cli.common import (
    AllLetters,
    Author,
    Format,
    From,
    Json,
    KeyFile,
    Letters,
    LogFile,
    MoveFile,
    OfMatch,
    PostNumber,
    Quoted,
    Short,
    Told,
    Wait,
    app,
    check_format,
    keys,
    letter_name,
    message,
    print_json,
    shown,
    standing,
    takes,
    which_to_send,
    write_letters,
    written_out,
)
from pbem.cli.output import Private, after_commit, complain, for_alone, make_ready, put
from pbem.cli.pictures import picture_format, public_picture, write
from pbem.cli.readers import Readers
from pbem.problem import BadFile, Usage
from pbem.sentence import Sentence, say

if TYPE_CHECKING:
    from pbem.desk.answer import Answer
    from pbem.desk.file import Desk
    from pbem.desk.plans.model import Plan
    from pbem.mailroom.granting import Wish
    from pbem.report.facts import Report


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
    wait: Wait = 10.0,
    told: Told = False,
    json: Json = False,
) -> None:
    """Judge a message, play it, and print what to post."""
    from pbem.desk.bench import Circumstances
    from pbem.desk.file import Desk
    from pbem.desk.submit import submit
    from pbem.files.timestamp import now
    from pbem.report import compose
    from pbem.report.owed import alone

    check_format(format)
    drawn = picture_format(picture) if picture else ""
    if all_letters and not letters:
        raise Usage("--all-letters says which letters: where they go, --letters DIR says")
    make_ready(post, letters)
    for file in filter(None, (picture, reply)):
        make_ready(file)
    private = Private(reply, letters)
    try:
        said = message(move, author, post_number, quoted)
    except BadFile as trouble:
        if not private.place:
            raise
        why = say(_UNREADABLE, trouble=trouble)  # which may quote the order
        path = private.put(f"{os.path.basename(log)}-answer.txt", f"{why}\n")
        raise BadFile(_WHY_THERE, move, answer=path) from None
    here = Circumstances(now, compose.rehearse, wait)
    desk_then = Desk.read(log) if letters else None
    answer = submit(log, said, here, seat=from_)
    warned = _warned(log, answer)
    asked_for = _wishes(answer, log, here.clock())
    if answer.verdict == "passed-on":
        if json:
            print_json({**_answered(answer), "wishes": _plain(asked_for)})
        for line in () if json else _told_of(asked_for):
            print(line)
        sys.exit(answer.code)  # so that the caller knows that nothing was played
    for line in () if json else _told_of(asked_for):
        complain(line)
    if answer.verdict in ("waiting", "withdrawn"):
        with after_commit(log):
            _print_waiting(answer, format, json, private)
            if answer.after.log != answer.before.log and not json:
                known = len(answer.before.log.entries)
                asked = compose.brief(short, Desk.read(log), picture)
                print(compose.news_post(answer.after, known, format, brief=asked), end="")
            if warned:
                complain(f"pbem: {warned}")
        return
    if answer.verdict != "accepted":
        _print_refusal(answer, format, json, private, warned, _plain(asked_for))
    after = answer.after
    known = len(answer.before.log.entries)
    with after_commit(log):
        desk = Desk.read(log)
        if told:
            from pbem.mailroom.daybook import all_know_by_hand

            all_know_by_hand(after, desk, len(after.log.entries))
        notes = [warned] if warned else []
        asked = compose.brief(short, desk, picture)
        text = compose.news_post(after, known, format, notes, brief=asked)
        unplayed = {each.seat for each in answer.not_played}
        owed = alone(answer.before, after, (desk_then, desk), unplayed) if desk_then else {}
        readers = Readers(desk)
        written = {
            seat: readers.news(
                after, seat, partial(_letter, answer, seat, known, readers.desk), format
            )
            for seat in after.setup.seats
            if seat in owed
            or all_letters
            or (json and not (reply or letters))
            or (reply and seat == answer.seat)
        }
        sent = {seat: text for seat, text in written.items() if seat in owed or all_letters}
        files = write_letters(letters, after, sent) if letters else {}
        if reply and answer.seat in written:
            put(reply, written[answer.seat].encode(), 0o600)
        if post:
            put(post, text.encode())
        if picture:
            write(public_picture(after, drawn), picture)
        if json:
            data = _answered(answer) if not private.place else _outcome(answer)
            if letters or not reply:
                data["letters"] = files if letters else written
            if letters:
                data["owed"] = {seat: str(why) for seat, why in owed.items()}
            if asked_for:
                data["wishes"] = _plain(asked_for)
            print_json({**data, "post": text})
            return
        if not post:
            print(text, end="")
        for line in _doubts(answer):
            complain(f"pbem: {line}")
        if letters:
            for told_to in which_to_send(files, owed, len(after.setup.seats)):
                complain(say("pbem: {told}", told=told_to))
        if not private.place:
            _tell_alone(answer)


ANSWER: Final = "======== answer to the sender: for nobody else ========\n\n{text}"
"""A refusal, or what waits, on a terminal."""
_UNREADABLE: Final = "Nothing was played. Your message cannot be read: {trouble}."
_WHY_THERE: Final = "cannot be read; the answer is in {answer}, for its sender alone"


def _wishes(answer: "Answer", log: str, at: str) -> "list[Wish]":
    """What a message asks the moderator for."""
    if answer.said is None or not (answer.said.requests or answer.verdict == "passed-on"):
        return []
    from pbem.mailroom.granting import wishes

    return wishes(answer, getattr(log, "typed", log), at)


def _told_of(asked_for: "Sequence[Wish]") -> "Iterator[Sentence | str]":
    """Each wish and, on a line of its own, what to type for it."""
    from pbem.report.escape import paragraph

    for wish in asked_for:
        yield say('pbem: {asks}: "{text}"', asks=wish.asks, text=paragraph(wish.text))
        yield wish.command


def _plain(asked_for: "Sequence[Wish]") -> list[dict[str, str]]:
    return [{"verb": each.verb, "text": each.text, "command": each.command} for each in asked_for]


def _keep(private: Private, answer: "Answer", text: str) -> str:
    """Write down the answer to a sender who changed nothing in the log; gives its path."""
    name = letter_name(answer.before, answer.seat or "stranger", "-answer.txt")
    return private.put(name, text)


def _tell_alone(answer: "Answer") -> None:
    """What only the sender of an accepted order may read, on the terminal."""
    lines = [*_left_over(answer), *_left_out(answer)]
    if lines:
        for_alone(answer.seat)
    for line in lines:
        complain(f"pbem: {line}")


@app.command(epilog="Example: echo 'bari-duda; draw' | pbem sign kahuna-7.pbem.yaml --key ana.key")
def sign(log: LogFile, move: MoveFile = "-", key: KeyFile = None, json: Json = False) -> None:
    """Print an order with a code that proves it is yours."""
    from pbem.desk.authorship.signature import sign_order
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
    author: Author = None,
    post_number: PostNumber = None,
    quoted: Quoted = False,
    format: Format = "text",
    json: Json = False,
) -> None:
    """Judge a message as submit would, but change nothing."""
    from pbem.desk.submit import check

    check_format(format)
    keyring = keys(key)
    said = message(move, author, post_number, quoted)
    answer = check(log, said, seat=from_, keyring=keyring)
    if answer.verdict not in ("legal", "possible", "passed-on"):
        _print_refusal(answer, format, json)
    if json:
        print_json(_answered(answer))
        return
    if answer.verdict == "passed-on":
        print(answer.message)
        return
    game = answer.before.game
    if answer.steps:
        print(_LEGAL[answer.verdict])
        print(f"{answer.seat}: {'; '.join(game.notate(step.move) for step in answer.steps)}")
    else:
        print(_UNKNOWN if answer.verdict == "possible" else _LEGAL[answer.verdict])
    for plan in answer.waits:
        print(say("would wait: {text}", text=plan.text))
    for line in (*_left_over(answer), *_left_out(answer)):
        print(line)


_LEGAL: Final = {
    "legal": "legal",
    "possible": "legal as far as you can know (it rests on something hidden)",
}


_UNKNOWN: Final = (
    "legal as far as you can know; which of the alternatives is played rests on something hidden"
)


def _letter(answer: "Answer", seat: str, knows: int, desk: "Desk | None") -> "Report":
    """The letter to a seat, with what became of its plans."""
    from pbem.report import compose

    after = answer.after
    dropped = compose.not_played(answer, seat) if seat != answer.seat else ()
    notes = [note.text(after.players) for note in dropped]
    return compose.letter(
        after, seat, knows, answer=answer if seat == answer.seat else None, notes=notes, desk=desk
    )


def _print_waiting(answer: "Answer", format: str, json: bool, private: Private) -> None:
    """Print what waits for the sender, for nobody else."""
    if private.place and answer.seat:
        from pbem.desk.file import Desk

        now = answer.after
        desk = Desk.read(now.log.path)
        readers, known = Readers(desk), len(now.log.entries)
        letter = partial(_letter, answer, answer.seat, known, readers.desk)
        path = _keep(private, answer, readers.letter(now, answer.seat, letter, format))
        if json:
            print_json({**_outcome(answer), "reply": path})
        else:
            complain(say("pbem: the answer is in {path}, for its sender alone", path=path))
        return
    if json:
        print_json(_answered(answer))
        return
    lines = [*waiting_lines(answer.waits, answer.seat), *_left_over(answer)]
    print(say(ANSWER, text="\n".join(map(str, lines))))


def waiting_lines(plans: "Sequence[Plan]", seat: str | None) -> list[Sentence]:
    """What waits for a seat, a line for each plan."""
    own = [plan for plan in plans if plan.seat == seat]
    lines = [
        say("{number}: {text}", number=plan.number, text=plan.text)
        if plan.number
        else say("the rest of the last order: {text}", text=plan.text)
        for plan in own
        if not plan.over
    ]
    return lines or [say("no moves of {seat} are waiting", seat=seat)]


def _print_refusal(
    answer: "Answer",
    format: str,
    json: bool,
    private: Private | None = None,
    warned: str = "",
    wishes: "Sequence[dict[str, str]]" = (),
) -> NoReturn:
    """Print what the sender of a message that changed nothing is told, and exit."""
    from pbem.report.refusal import rejection

    told_before = answer.verdict in ("duplicate", "automatic")
    if told_before and not json:
        complain(f"pbem: {answer.message}")
        sys.exit(answer.code)
    from pbem.report import compose

    language = compose.language(answer.before, answer.seat, None)
    text, path = (
        written_out(partial(rejection, answer, asked=warned), format, language=language),
        None,
    )
    if private and private.place and not told_before:
        path = _keep(private, answer, text)
    if json:
        asked = {"wishes": wishes} if wishes else {}
        told = (
            {**_outcome(answer), "reply": path} if path else {**_answered(answer), "answer": text}
        )
        print_json({**told, **asked})
    elif path:
        complain(say("pbem: refused; the answer is in {path}, for its sender alone", path=path))
    else:
        print(say(ANSWER, text=text) if private else text, end="")
        complain(say("pbem: refused: {message}", message=answer.message))
    if answer.for_moderator and not json:
        complain(say("pbem: for you alone: {told}", told=answer.for_moderator))
    sys.exit(answer.code)


def _doubts(answer: "Answer") -> list[Sentence]:
    """What the moderator should know about who wrote this; nothing, if that is proven."""
    doubt = answer.writer.doubt if answer.writer else None
    return [say("{seat}: {doubt}", seat=answer.seat, doubt=doubt)] if doubt else []


def _warned(log: str, answer: "Answer") -> str:
    """What is told to the writer of a post that shows everybody a private key; the moderator is
    told on the terminal."""
    from pbem.desk import press
    from pbem.desk.file import read_both

    if answer.said is None or answer.said.kind != "post":
        return ""
    now = read_both(log)[0]
    seats = press.leaked_keys(now, answer.said.body)
    if not seats:
        return ""
    typed = getattr(log, "typed", log)
    complain(say("pbem: {told}", told=press.leak_for_moderator(seats, typed)))
    return press.leak_for_sender(seats).text(now.players)


def _left_over(answer: "Answer") -> list[Sentence]:
    lines = [
        say("not played: {text} ({why})", text=each.text, why=each.why)
        for each in answer.not_played
        if each.seat == answer.seat
    ]
    if answer.more:
        lines.append(say("many plans were played in one run; others may follow the next move"))
    return lines + [
        say("waits until {seat} may choose again: {text}", seat=held.seat, text=text)
        for held in answer.held
        if held.seat == answer.seat
        for text in held.moves
    ]


def _left_out(answer: "Answer") -> list[str]:
    """What was not read as an order, and why."""
    from pbem.intake.submission import told

    ignored = answer.said.ignored if answer.said else ()
    return [say("ignored: {what}", what=what).text() for what in told(ignored)]


def _outcome(answer: "Answer") -> dict[str, Any]:
    """What came of a message, with nothing that only its sender may read."""
    data: dict[str, Any] = {
        "ok": answer.code == 0,
        "code": answer.code,
        "verdict": answer.verdict,
        "answered_by": answer.answered_by,
        "seat": answer.seat,
    }
    if answer.writer and answer.writer.how:
        data |= {"writer": answer.writer.how, "proven": answer.writer.proven}
    if answer.for_moderator:
        data["aside"] = answer.for_moderator
    return data | standing(answer.after)


def _answered(answer: "Answer") -> dict[str, Any]:
    """What came of a message, and all there is to say about it."""
    game = answer.before.game
    said = answer.said
    data: dict[str, Any] = {
        "understood": [game.notate(step.move) for step in answer.steps],
        "proposal": list(answer.proposal[0]) if len(answer.proposal) == 1 else [],
        "choices": [list(each) for each in answer.proposal] if len(answer.proposal) > 1 else [],
        "said": [line.text for line in said.orders],
        "ignored": [[i.line, i.why, i.text] for i in said.ignored],
        "unplayed": [
            [each.text, each.why.text(answer.after.players)]
            for each in answer.not_played
            if each.seat == answer.seat
        ],
        "held": {held.seat: list(held.moves) for held in answer.held},
        "plans": [
            {"number": plan.number, "text": plan.text, "why": plan.why, "over": plan.over}
            for plan in answer.waits
            if plan.seat == answer.seat and (plan.number or answer.verdict in _LEGAL)
        ],
    }
    if answer.message:
        data["message"] = answer.message
    if answer.reason:
        data |= shown(answer.reason)
    if answer.troubles:
        data["unreadable"] = [
            {"line": t.line, "text": t.text, **shown(t.error)} for t in answer.troubles
        ]
    return _outcome(answer) | data
