"""The mails that wait for the moderator: listed, shown, answered, put away, handed to their
match."""

import os
import sys
from typing import Annotated, Any

import typer

from pbem.cli import complete
from pbem.cli.common import Folder, Json, app, flag, print_json, takes
from pbem.problem import NoFile, Usage
from pbem.sentence import printable, say


@app.command(
    epilog="Examples: pbem aside matches · pbem aside matches 41 · pbem aside matches --done 41"
)
def aside(
    dir: Folder = ".",
    number: Annotated[int | None, typer.Argument(metavar="N", help="Show this mail.")] = None,
    done: Annotated[int | None, takes("N", "Put this mail away: you have dealt with it.")] = None,
    submit: Annotated[int | None, takes("N", "Hand this mail to its match, on your word.")] = None,
    seat: Annotated[
        str | None, takes("SEAT", "--submit: whose it is.", autocompletion=complete.seats)
    ] = None,
    reply: Annotated[
        str | None, takes("FILE", "--submit: write the answer to its sender there.")
    ] = None,
    all: Annotated[bool, flag("--all", "N: with the lines that it quotes.")] = False,
    answer: Annotated[int | None, takes("N", "Write back; the next `desk run` sends it.")] = None,
    text: Annotated[str | None, takes("TEXT", "--answer: what; else standard input.")] = None,
    json: Json = False,
) -> None:
    """List the mails that were put aside for you."""
    from pbem.mailroom import tray

    if sum(each is not None for each in (number, done, submit, answer)) > 1:
        raise Usage("N, --answer, --done and --submit exclude each other")
    if text is not None and answer is None:
        raise Usage("--text says what you --answer; say which mail: --answer N")
    if not os.path.isdir(dir):
        raise NoFile("there is no such folder", dir)
    if done is not None:
        mail = tray.entry(dir, done)
        tray.put_away(mail)
        _tell(json, say("{number} is put away", number=done), number=done)
    elif submit is not None:
        _submit(dir, submit, seat, reply, json)
    elif answer is not None:
        _answer(dir, answer, text, json)
    elif number is not None:
        _show(dir, number, all, json)
    else:
        _list(dir, json)


def _list(dir: str, json: bool) -> None:
    from pbem.mailroom import tray

    found = tray.entries(dir)
    if json:
        # Why an order was refused may rest on a hand: to learn it, ask for that one mail.
        listed = [{**_plain(each), "why": each.reason} for each in found]
        print_json({"ok": True, "aside": listed})
        return
    for each in found:
        when = each.at.replace("T", " ")[:16] or "-"
        what = f"{each.number:>5}  {when:16}  {each.sender or '-'}  {each.match or '-'}"
        first = f": {each.first_line}" if each.first_line else ""
        print(printable(f"{what}  {each.verdict or '-'}{first}"))
    if not found:
        print(say("no mail has been put aside"))


def _show(dir: str, number: int, all: bool, json: bool) -> None:
    from pbem.mailroom import tray

    mail = tray.entry(dir, number)
    raw = mail.read()
    shown = tray.Copy(tuple(tray.text(raw).split("\n")), None) if all else tray.Copy.of(raw)
    if json:
        note = shown.note and str(shown.note)
        print_json({"ok": True, **_plain(mail), "text": "\n".join(shown.lines), "note": note})
        return
    print(printable(mail.why))
    print()
    for line in (*tray.headers(raw), "", *shown.lines):
        print(printable(line))
    if shown.note:
        print(shown.note)


def _answer(dir: str, number: int, text: str | None, json: bool) -> None:
    """Write back to whoever sent a mail, in its thread."""
    from pbem.files.timestamp import now
    from pbem.mailroom import daybook, tray

    mail = tray.entry(dir, number)
    said = (sys.stdin.read() if text is None else text).strip()
    if not said:
        raise Usage("there is nothing to send: say what with --text, or on standard input")
    daybook.queue(dir, [tray.reply(mail, said, now())])
    told = say(
        "your answer to {number} goes out with the next `pbem desk run`; `pbem aside {dir:typed} "
        "--done {number}` puts the mail away",
        number=number,
        dir=dir,
    )
    _tell(json, told, number=number)


def _submit(dir: str, number: int, seat: str | None, reply: str | None, json: bool) -> None:
    """Judge the mail like any other, on the moderator's word; if it is taken, put it away."""
    from pbem.cli.move import submit
    from pbem.desk.authorship import claimed
    from pbem.desk.file import LOG_SUFFIX, Desk
    from pbem.intake import read
    from pbem.mailroom import tray

    mail = tray.entry(dir, number)
    if not mail.match:
        raise Usage(
            "nobody knows which match this mail is for; hand it over yourself: pbem submit LOG "
            "{file:typed} --from SEAT",
            file=mail.path,
        )
    log = os.path.join(dir, mail.match + LOG_SUFFIX)
    if seat is None:
        seats = claimed(read(mail.read(), mail.path, "mail"), Desk.read(log))
        if len(seats) != 1:
            raise Usage("it does not say whose mail this is; say --seat SEAT")
        [seat] = seats
    try:
        submit(log, mail.path, from_=seat, reply=reply, json=json)
    except SystemExit as end:  # nothing was played, and the mail stays where it is
        sys.exit(end.code or 1)
    tray.put_away(mail)


def _plain(each: Any) -> dict[str, Any]:
    names = ("number", "at", "sender", "match", "verdict", "why", "first_line")
    return {name: getattr(each, name) for name in names}


def _tell(json: bool, told: object, **values: Any) -> None:
    if json:
        print_json({"ok": True, **values})
    else:
        print(told)
