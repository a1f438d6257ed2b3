"""The mails that wait for the moderator: listed, shown, answered, put away, handed to their
match."""

import os
import sys
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from pbem.cli import complete
from pbem.cli.common import Folder, app, flag, require_folder, takes
from pbem.cli.output import Beside, Output
from pbem.desk.address import Address
from pbem.files import timestamp
from pbem.problem import Usage
from pbem.sentence import Sentence, printable, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.mailroom.tray import LaidAside, TrayOffer


@app.command(
    epilog="Examples: pbem aside matches · pbem aside matches 41 · pbem aside matches --done 41"
)
def aside(
    dir: Folder = ".",
    number: Annotated[int | None, typer.Argument(metavar="N", help="Show this mail.")] = None,
    done: Annotated[
        list[int] | None, takes("N", "Put this mail away: you have dealt with it; repeatable.")
    ] = None,
    submit: Annotated[int | None, takes("N", "Hand this mail to its match, on your word.")] = None,
    seat: Annotated[
        str | None, takes("SEAT", "--submit: whose it is.", autocompletion=complete.seats)
    ] = None,
    reply: Annotated[
        str | None, takes("FILE", "--submit: write the answer to its sender there.")
    ] = None,
    all: Annotated[bool, flag("--all", "N: with its moves and the lines it quotes.")] = False,
    answer: Annotated[int | None, takes("N", "Write back; the next `desk run` sends it.")] = None,
    text: Annotated[str | None, takes("TEXT", "--answer: what; else standard input.")] = None,
) -> Output:
    """List the mails that were put aside for you."""
    from pbem.mailroom import tray

    chosen = [each for each in (number, submit, answer) if each is not None]
    if len(chosen) > 1 or (done and chosen and answer is None):
        raise Usage("N, --answer, --done and --submit exclude each other")
    if text is not None and answer is None:
        raise Usage("--text says what you --answer; say which mail: --answer N")
    require_folder(dir)
    if submit is not None:
        return _submit(dir, submit, seat, reply)
    if number is not None:
        return _show(dir, number, all)
    if answer is None and not done:
        return _list(dir)
    away, told = [tray.entry(dir, each) for each in done or ()], list[object]()
    answered = [] if answer is None else [tray.entry(dir, answer)]
    told += [_answer(dir, each, text) for each in answered]
    for mail in (dealt_with := [*answered, *away]):
        tray.heed(mail, timestamp.now())
    told += [say("{number} is put away", number=each.number) for each in away]
    told += dict.fromkeys(line for mail in dealt_with for line in _told_anew(dir, mail))
    plain = {"ok": True, "number": away[0].number if answer is None else answer}
    return Output(plain | ({"numbers": done} if done else {}), told)


def _list(dir: str) -> Output:
    from pbem.mailroom import tray

    found, groups = tray.entries(dir), tray.unheeded(dir)
    # Why an order was refused may rest on a hand: to learn it, ask for that one mail.
    mails = [(each, tray.offer(each, dir)) for each in found]
    plain = [_plain(mail, offer) | {"why": mail.reason} for mail, offer in mails]
    newest = sorted([*found, *(group[0] for group in groups)], reverse=True)
    people = {(each.match, each.sender): list[str]() for each in newest}  # who wrote last is first
    for each, offer in reversed(mails):
        first = f": {each.first_line}" if each.first_line else ""
        row = f"{_row(each)}  {each.verdict or '-'}{first}"
        people[each.match, each.sender] += [row, *(f"       {it}" for it in offer.likeliest)]
    for group in groups:
        people[group[0].match, group[0].sender].append(f"{_row(group[0])}  {tray.kept(group)}")
    told = [row for rows in people.values() for row in rows]
    kept = [
        {
            **{name: getattr(group[0], name) for name in ("match", "sender", "at")},
            "numbers": [each.number for each in group],
        }
        for group in groups
    ]
    lines = [Beside(say(_HOW, folder=dir)), *map(printable, told)]
    return Output(
        {"ok": True, "aside": plain, "kept": kept},
        lines if told else [say("no mail has been put aside")],
    )


_HOW: Final = (
    "pbem: `pbem aside {folder:typed} N` shows mail N, `--answer N` writes back, `--done N` puts "
    "it away"
)


def _row(mail: "LaidAside") -> str:
    """How the line about a mail, or about the newest of several, begins."""
    when = mail.at.replace("T", " ")[:16] or "-"
    return f"{mail.number:>5}  {when:16}  {mail.sender or '-'}  {mail.match or '-'}"


def _show(dir: str, number: int, all: bool) -> Output:
    from pbem.mailroom import tray

    mail = tray.entry(dir, number, done=True)
    raw, closed = mail.read(), mail.unsurvived and not all
    shown, note = (tuple(tray.text(raw).split("\n")), None) if all else tray.shown(mail, dir)
    offer = tray.offer(mail, dir)
    heading = tray.unopened(raw) if closed else tray.headers(mail, whole=all)
    by = say("decided by the question {name}", name=mail.answered_by) if mail.answered_by else ""
    typed = (*filter(None, [offer.overtaken]), *offer.grants, *offer.others)
    why = mail.why if all else mail.reason
    lines = [*filter(None, [why]), *filter(None, [str(by)]), *typed, "", *heading, "", *shown]
    told = note and str(note)
    return Output(
        {"ok": True, **_plain(mail, offer), "why": why, "text": "\n".join(shown), "note": told},
        [*map(printable, lines), *filter(None, [told])],
    )


def _answer(dir: str, mail: "LaidAside", text: str | None) -> Sentence:
    """Write back to whoever sent a mail, in its thread; gives what is told."""
    from pbem.mailroom import daybook, tray

    said = (sys.stdin.read() if text is None else text).strip()
    if not said.strip(". \u2026"):
        raise Usage("there is nothing to send: say what with --text, or on standard input")
    daybook.queue(dir, [tray.reply(mail, said, timestamp.now())])
    return say(
        "your answer to {number} goes out with the next `pbem desk run`, and the mail is put away",
        number=mail.number,
    )


def _told_anew(dir: str, mail: "LaidAside") -> "Iterator[str]":
    """What comes, after a mail was dealt with, before the silence of its writer counts."""
    from pbem.mailroom import agenda
    from pbem.matches.matches import Matches

    matches = Matches(dir)
    about = [matches.log(mail.match)] if mail.match else matches.of(Address(mail.sender))
    for match, desk in map(matches.open, about) if mail.holds_up_silence else ():
        theirs = [seat for seat in match.setup.seats if mail.sender in desk.names_of(seat)]
        yield from agenda.told_anew(match, theirs, timestamp.now())


def _submit(dir: str, number: int, seat: str | None, reply: str | None) -> Output:
    """Judge the mail like any other, on the moderator's word; if it is taken, put it away."""
    from pbem.cli.answered import Ways
    from pbem.cli.move import handed_over
    from pbem.desk.authorship import claimed
    from pbem.desk.file import LOG_SUFFIX, Desk
    from pbem.intake import read
    from pbem.mailroom import tray

    mail = tray.entry(dir, number)
    if not (match := mail.about):
        raise Usage(
            "nobody knows which match this mail is for; hand it over yourself: pbem submit LOG "
            "{file:typed} --from SEAT",
            file=mail.path,
        )
    log = os.path.join(dir, match + LOG_SUFFIX)
    if seat is None:
        seats = claimed(mail.message, Desk.read(log))
        if len(seats) != 1:
            raise Usage("it does not say whose mail this is; say --seat SEAT")
        [seat] = seats
    ways = Ways(log, "text", reply=reply)
    ways.make_ready()
    said = mail.message._replace(author=None)  # it is remembered already
    output = handed_over(ways, said, seat)
    if not output.entered and (agrees := _agrees(log, seat)):
        output = handed_over(ways, read(agrees.encode(), mail.path, "text"), seat)
    if not output.entered:  # the answer may hold a hand, and is its sender's
        why = say(_NOT_ENTERED, why=_WHY.get(output.plain.get("verdict"), _NO_MOVE))
        plain = {key: output.plain[key] for key in ("ok", "verdict") if key in output.plain}
        code, told = output.code or 1, output.told if reply else [why]
        return output._replace(plain=plain, code=code, told=told)
    tray.put_away(mail)
    return output


_NOT_ENTERED: Final = (
    "nothing was entered, and the mail stays aside: {why}. --reply FILE writes the answer"
)
_NO_MOVE: Final = say("no move can be made out in it")
_WHY: Final = {
    "refused": say("it cannot be played as it stands"),
    "stale": say("it is about an earlier position"),
    "sender": say("it is not the turn of that seat"),
}
"""Why a mail plays nothing, by its verdict, without a word that may rest on a hand."""


def _agrees(log: str, seat: str) -> str:
    """The answer that plays what a seat is asked whether it means; "" if that is none, or several
    orders."""
    from pbem.desk.file import read_both
    from pbem.desk.plans.run import waiting_now

    asked = waiting_now(*read_both(log)).asked(seat)
    one = asked is not None and len(asked.orders) == 1
    return ("1" if asked.by_number else "yes") if asked and one else ""


def _plain(mail: "LaidAside", offer: "TrayOffer") -> dict[str, Any]:
    names = ("number", "at", "sender", "match", "verdict", "answered_by", "first_line", "door")
    return {name: getattr(mail, name) for name in names} | offer._asdict()
