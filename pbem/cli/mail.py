"""The mailroom: mailboxes worked through, players told something, held moves taken back, an address
forgotten."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from pbem.cli.common import (
    Commands,
    Folder,
    Json,
    LogFile,
    SeatName,
    SiteLanguage,
    Wait,
    app,
    flag,
    print_json,
    takes,
)
from pbem.cli.output import complain, for_alone, tell_trouble
from pbem.problem import Busy, NoFile, Problem, Usage
from pbem.sentence import Counted, printable, say

if TYPE_CHECKING:
    from pbem.desk.address import Address
    from pbem.mailroom.inbox.sources import Letterbox
    from pbem.mailroom.outbox.folder import Outbox
    from pbem.mailroom.outbox.smtp import Delivery, Postman
    from pbem.mailroom.run import Done, Mailroom
    from pbem.mailroom.timekeeper import Timekeeper

InFolder = Annotated[str, takes("DIR", "The folder of the logs.")]
IntoFolder = Annotated[str | None, takes("DIR", "Write the letters there.")]
Smtp = Annotated[str | None, takes("HOST", "Send them: HOST or smtp://USER@HOST:587.")]
Own = Annotated[str | None, takes("ADDRESS", "The desk's own; else PBEM_ADDRESS is used.")]

desk_app = Commands(no_args_is_help=True, rich_markup_mode=None, help="The mail desk.")
app.add_typer(desk_app, name="desk")


@desk_app.callback()
def mail_desk() -> None:
    """The mail desk: a mailbox goes in, posts and letters come out."""


@desk_app.command(
    "run", epilog="Example: pbem desk run --mail ~/Maildir --matches matches --outbox outbox"
)
def run(
    mail: Annotated[
        str | None, takes("SOURCE", "-, a mail, an mbox, a Maildir or imaps://USER@HOST/F")
    ] = None,
    matches: InFolder = ".",
    outbox: IntoFolder = None,
    smtp: Smtp = None,
    address: Own = None,
    once: Annotated[bool, flag("--once", "Stop when the mailbox is empty.")] = False,
    every: Annotated[float | None, takes("SECONDS", "Look again after so many seconds.")] = None,
    moderator: Annotated[
        str | None, takes("ADDRESS", "Who gets a copy of what is put aside; else PBEM_MODERATOR.")
    ] = None,
    refusals: Annotated[int, takes("N", "How many refusals one address gets a day.")] = 20,
    pictures: Annotated[
        bool | None,
        typer.Option(
            "--pictures/--no-pictures",
            envvar="PBEM_PICTURES",
            help="The board as a picture in mails; else where pbem[png] is installed.",
        ),
    ] = None,
    site: Annotated[str | None, takes("WEB", "Keep a web site of the matches there.")] = None,
    title: Annotated[str, takes("TEXT", "What the site is called; else Matches.")] = "",
    language: SiteLanguage = None,
    link: Annotated[
        str, takes("BASE", "Where WEB is on the web: mails link to each seat's own page.")
    ] = "",
    dry: Annotated[
        bool, flag("--dry", "Say what would be done about time, and do nothing.")
    ] = False,
    yes: Annotated[
        bool, flag("--yes", "The time is right, although the last run is long ago.")
    ] = False,
    anew: Annotated[
        bool, flag("--anew", "The daybook is lost: all count as told what there is.")
    ] = False,
    json: Json = False,
) -> None:
    """Judge mails, keep the clock, tell everybody what is new."""
    from importlib.util import find_spec

    from pbem.desk import address as addresses
    from pbem.desk.bench import Circumstances
    from pbem.files import languages
    from pbem.files.timestamp import now
    from pbem.mailroom.inbox.letterbox import letterbox
    from pbem.mailroom.moving import require_daybook
    from pbem.mailroom.outbox.folder import OWN, Outbox
    from pbem.mailroom.outbox.smtp import Postman
    from pbem.mailroom.run import Mailroom
    from pbem.mailroom.timekeeper import Timekeeper
    from pbem.matches.index import FOLDER
    from pbem.report import compose

    base = ""
    if link:
        from pbem.report import sealed

        base = sealed.base(link)
    if once and every is not None:
        raise Usage("--once and --every exclude each other")
    if not os.path.isdir(matches):
        raise NoFile("there is no such folder; --matches names the one with the logs", matches)
    if dry:
        kept_in = outbox or os.path.join(matches, FOLDER, OWN)
        box = letterbox(mail)
        _rehearse(matches, kept_in, box, yes, json, anew=anew)
        return
    if (outbox is None) == (smtp is None):
        raise Usage("say where the answers go: --outbox DIR or --smtp HOST")
    own = addresses.read(address or os.environ.get("PBEM_ADDRESS", "pbem@localhost"))
    house = languages.checked(language or languages.ENGLISH)
    box = letterbox(mail)
    postman = Postman(smtp, own, now) if smtp else None
    kept = Outbox(outbox or os.path.join(matches, FOLDER, OWN))
    paint = None
    if find_spec("resvg_py") is not None if pictures is None else pictures:
        from pbem.report.html import painter

        paint = painter()
    posted = postman is not None
    here = Circumstances(now, compose.rehearse, sure=yes)
    room = Mailroom(
        matches, kept, own, here, refusals=refusals, paint=paint, posted=posted, site=base
    )
    whose = moderator or os.environ.get("PBEM_MODERATOR")
    to = addresses.read(whose) if whose else None
    keeper = Timekeeper(room.matches, room.book, room.here, room.write, yes, to)
    while True:
        if not anew:
            with room.book.alone():
                require_daybook(room.matches, room.book)
        patient = every is not None
        keep = partial(_keep, site, room, title, (base, own), house, patient=patient)
        waits = _pass(room, keeper, box, kept, postman, to, keep, json, patient=patient)
        _cards(site, matches, house)
        tell_trouble(room.matches.index)
        if every is None:
            break
        try:
            time.sleep(every)
        except KeyboardInterrupt:
            break
    if waits:
        sys.exit(75)


@desk_app.command(
    "announce", epilog="Example: pbem desk announce 'The desk rests on Friday' --matches matches"
)
def announce(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What to tell them.")],
    matches: InFolder = ".",
    outbox: IntoFolder = None,
    smtp: Smtp = None,
    address: Own = None,
    json: Json = False,
) -> None:
    """Tell all players of a folder something, once each."""
    from pbem.desk import address as addresses
    from pbem.desk.bench import Circumstances
    from pbem.files.timestamp import now
    from pbem.mailroom import daybook, letters
    from pbem.mailroom.outbox.folder import OWN, Outbox
    from pbem.mailroom.outbox.smtp import Postman
    from pbem.mailroom.run import Mailroom
    from pbem.matches.index import FOLDER
    from pbem.matches.matches import Matches
    from pbem.report import compose

    if not text.strip():
        raise Usage("there is nothing to say: TEXT is empty")
    if not os.path.isdir(matches):
        raise NoFile("there is no such folder; --matches names the one with the logs", matches)
    if outbox and smtp:
        raise Usage("say where the letters go: --outbox DIR or --smtp HOST")
    own = addresses.read(address or os.environ.get("PBEM_ADDRESS", "pbem@localhost"))
    everybody = Matches(matches).everybody()
    new = daybook.queue(matches, letters.announced(text.strip(), everybody, now()))
    if outbox or smtp:
        kept = Outbox(outbox or os.path.join(matches, FOLDER, OWN))
        here = Circumstances(now, compose.rehearse)
        room = Mailroom(matches, kept, own, here, posted=smtp is not None)
        room.send_queued()
        if smtp:
            _tell_of(Postman(smtp, own, now).deliver(kept, room.delivered))
    if json:
        print_json({"ok": True, "players": len(everybody), "new": new})
    else:
        print(say(_ANNOUNCED, n=new, all=len(everybody)))
        if new and not (outbox or smtp):
            print(say("they go out with the next `pbem desk run`"))


_ANNOUNCED = Counted(
    "{n} new letter; the players of this folder have {all} addresses",
    "{n} new letters; the players of this folder have {all} addresses",
)


def _pass(
    room: "Mailroom",
    keeper: "Timekeeper",
    box: "Letterbox",
    outbox: "Outbox",
    postman: "Postman | None",
    moderator: "Address | None",
    keep: Callable[[], None],
    json: bool,
    *,
    patient: bool,
) -> int:
    """Work through the mailbox once, keep the clock, tell what is new, keep the site, then deliver;
    gives how much has to wait."""
    from pbem.desk.authorship import DOUBTS
    from pbem.mailroom.outbox import webhooks

    waits, doubted = 0, {str(doubt): False for doubt in DOUBTS.values()}
    troubles: list[Problem] = []  # trouble in one step stops none of the others
    with _collected(troubles), closing(box), _Progress(box) as progress:
        for done in room.run(box):
            waits += done.verdict == "waits"
            progress.clear()
            _tell(done, json, doubted)
            progress.step()
    with _collected(troubles):
        clock = keeper.keep(room.read_to, box.mailbox, room.held_up) if room.read_to else ()
        for kept in clock:
            if isinstance(kept, Problem):
                waits += 1
                complain(say(_UNKEPT, problem=kept))
            else:
                _tell(kept.done, json, doubted)
    with _collected(troubles):
        for found in room.tell():
            if isinstance(found, Problem):
                waits += 1
                complain(say(_UNTOLD, problem=found))
            else:
                _tell(found, json, doubted)
    with _collected(troubles):
        for trouble in webhooks.post_all(room.matches, room.book):
            complain(say("pbem: {trouble}", trouble=trouble))
    with _collected(troubles):
        if moderator:
            room.tell_moderator(moderator)
    with _collected(troubles):
        keep()  # no link is sent before its page is there
    with _collected(troubles):
        if postman:
            _tell_of(postman.deliver(outbox, room.delivered))
    for trouble in troubles:
        # A server that is down today may be up in a minute; a folder that is not there will not.
        if not patient or not isinstance(trouble, Busy):
            raise trouble
        print(f"pbem: {trouble}", file=sys.stderr)
    return waits


@contextmanager
def _collected(troubles: list[Problem]) -> Iterator[None]:
    try:
        yield
    except Problem as problem:
        troubles.append(problem)


def _keep(
    web: str | None,
    room: "Mailroom",
    title: str,
    seats: tuple[str, str],
    house: str,
    *,
    patient: bool,
) -> None:
    """Bring the web site up to date. What stands in its way is reported, and stops no mail."""
    if web is None:
        return
    from pbem.mailroom.preferences import languages_of
    from pbem.matches.index import logs_in
    from pbem.report import site

    whose = site.Seats(*seats, languages_of(room.book), house)
    try:
        troubles = site.write(logs_in(room.matches.folder), web, title, whose).problems
    except Problem as problem:
        if not patient:
            raise
        troubles = (problem,)
    for trouble in troubles:
        print(f"pbem: {trouble}", file=sys.stderr)


_CARDS: Final = 20
"""How many cards are painted after one pass; the others can wait."""


def _cards(web: str | None, matches: str, house: str) -> None:
    """Paint the cards for links to the site's pages: no answer waits for them."""
    if web is None:
        return
    from pbem.matches.index import logs_in
    from pbem.report import site

    for made in site.cards(logs_in(matches), web, _CARDS, site.Seats(house=house)):
        if not isinstance(made, str):
            print(f"pbem: {made}", file=sys.stderr)


def _tell_of(delivery: "Delivery") -> None:
    """Say what could not be delivered, and nothing if all went well."""
    if delivery.waiting:
        print(f"pbem: {say(_PUT_OFF, n=delivery.waiting)}", file=sys.stderr)
    if delivery.failed:
        print(f"pbem: {say(_FAILED, n=delivery.failed)}", file=sys.stderr)


def _rehearse(
    matches: str, outbox: str, box: "Letterbox", yes: bool, json: bool, *, anew: bool
) -> None:
    """Say what a run would do about time, judged by this moment, and write nothing."""
    from pbem.desk.answer import Verdict
    from pbem.desk.bench import Circumstances
    from pbem.files.timestamp import now
    from pbem.log.timetable import LAPSED
    from pbem.mailroom import agenda, daybook
    from pbem.mailroom.daybook import Said
    from pbem.mailroom.moving import require_daybook
    from pbem.mailroom.outbox.folder import holds
    from pbem.mailroom.timekeeper import Timekeeper
    from pbem.matches.matches import Matches
    from pbem.report import compose

    with closing(box):
        unread = len(box)
    moment = now()
    book = daybook.book_of(matches, lambda name: holds(outbox, name))
    found = agenda.Agenda.at(matches, moment, agenda.heard_by(book))
    stands = agenda.why_not_kept(book, moment, mailbox=box.mailbox, yes=yes)
    plays = agenda.may_play(moment, book.last, yes=yes)
    imagined = Matches(matches, indexed=False)
    if not anew:
        require_daybook(imagined, book)
    here = Circumstances(lambda: moment, compose.rehearse, shelf=imagined, imagined=True)
    keeper = Timekeeper(imagined, book, here, lambda _, keys: book.add(Said(tuple(keys))), yes)
    kept = () if stands else tuple(keeper.keep(moment, box.mailbox, {}))
    would = [each for each in kept if not isinstance(each, Problem)]
    digests = list(agenda.digests(imagined, book, moment))
    for problem in found.problems:
        complain(say("pbem: {problem}", problem=problem))
    if json:
        told = [
            {name: getattr(each.done, name) for name in ("verdict", "match", "seat")}
            for each in would
        ]
        told += [{"verdict": Verdict.DIGEST, "match": "", "seat": ""} for _ in digests]
        stood = {"unread": unread, "plays": plays, "stands": stands and str(stands)}
        print_json({**found.plain(), **stood, "would": told})
        return
    lines = [say(_UNREAD, n=unread).text()] if unread else []
    lines += [stands.text()] if stands else []
    times = [(judged.times, each) for judged in found.matches for each in judged.times.deadlines]
    if not (stands or plays) and any(one.state(d, moment) == LAPSED for one, d in times):
        lines.append(_ASLEEP)
    unjudged = (judged.unjudged() for judged in found.matches)
    lines += [each.text() for each in unjudged if each]
    lines += [each.would for each in would]
    lines += [agenda.would_tell(each).text() for each in digests]
    for line in lines or [_NOTHING]:
        print(printable(line))


_NOTHING = "time asks for nothing"
_UNREAD = Counted(
    "{n} mail would be read first, and may change what follows",
    "{n} mails would be read first, and may change what follows",
)
_ASLEEP = (
    "the last complete run is more than a day ago, so notices would be written and nothing played"
)
_UNKEPT = "pbem: the clock could not be kept: {problem}"
_UNTOLD = "pbem: not everybody could be told what is new: {problem}"
_PUT_OFF = Counted(
    "{n} answer waits in the outbox: the server wants it later",
    "{n} answers wait in the outbox: the server wants them later",
)
_FAILED = Counted(
    "{n} answer cannot be delivered: the reason stands beside it in the outbox, under failed",
    "{n} answers cannot be delivered: the reasons stand beside them in the outbox, under failed",
)


def _tell(done: "Done", json: bool, doubted: dict[str, bool]) -> None:
    """Print what came of a mail; each doubt about who wrote is told once a run: was it?"""
    if json:
        import json as plain

        print(plain.dumps(done._asdict(), ensure_ascii=False))
        return
    verdict, place = (
        str(done.verdict),
        f"{done.match} #{done.ply}" if done.ply else done.match or "-",
    )
    who = done.seat or done.sender or "-"
    why = f": {done.why}" if done.why and not doubted.get(done.why) else ""
    if verdict in ("asked", "waiting", "withdrawn"):  # a moderator may play, too
        verdict, place, who, why = "asked", "-", "a player, who was answered", ""
    elif done.why in doubted:
        doubted[done.why] = True
    line = f"{verdict:11} {place:20} {who}{why}"
    print(printable(line))


class _Progress:
    """A bar on a terminal, and nothing elsewhere."""

    def __init__(self, box: "Letterbox") -> None:
        self.shown = sys.stderr.isatty()
        self.total = len(box) if self.shown else 0
        self.count, self.start, self.last = 0, time.monotonic(), 0.0

    def __enter__(self) -> "_Progress":
        return self

    def __exit__(self, *_: object) -> None:
        self._draw(end="\n")

    def step(self) -> None:
        """One more mail is done."""
        self.count += 1
        if self.shown and time.monotonic() - self.last > 0.1:
            self._draw(end="")

    def clear(self) -> None:
        """Make room for a line; the next step draws the bar below it."""
        if self.shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
            self.last = 0.0

    def _draw(self, end: str) -> None:
        if not self.shown or not self.count:
            return
        self.last = time.monotonic()
        total = max(self.total, self.count)
        full = 40 * self.count // total
        rate = self.count / max(self.last - self.start, 1e-9)
        print(
            f"\r[{'#' * full}{'.' * (40 - full)}] {self.count}/{total} mails, {rate:.0f}/s",
            end=end,
            file=sys.stderr,
            flush=True,
        )


@app.command(epilog="Example: pbem forget ana@example.org matches")
def forget(
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="What is to go.")],
    dir: Folder = ".",
    outbox: Annotated[
        list[str] | None, takes("DIR", "An outbox outside the folder; repeat for several.")
    ] = None,
    dry: Annotated[bool, flag("--dry", "Say what would go, and leave it.")] = False,
    wait: Wait = 10.0,
    json: Json = False,
) -> None:
    """Take an address out of all that the desk keeps."""
    from pbem.desk import address as addresses
    from pbem.mailroom.forget import forget, in_logs

    if not os.path.isdir(dir):
        raise NoFile("there is no such folder", dir)
    done = forget(dir, addresses.read(address), outbox or (), wait, dry=dry)
    logs, elsewhere = in_logs(done.remains)
    if json:
        said = [str(each) for each in done.problems]
        found = {"touched": done.touched, "logs": logs, "elsewhere": elsewhere, "problems": said}
        silent = [{"match": match, "seat": seat} for match, seat in done.silent]
        more = {"silent": silent, "outside": done.outside, "dry": dry}
        print_json({"ok": not done.problems, **found, **more})
    else:
        if dry:
            print(say("A dry run: nothing is removed. What would be changed or removed:"))
        for path in done.touched:
            print(path)
        if not done.touched:
            print(say("nothing that the desk keeps holds this address"))
        for path in logs:
            complain(say("{path}: the address stands in this log, which is chained", path=path))
        for path in elsewhere:
            complain(say("{path}: still holds the address; it is yours to remove", path=path))
        for match, seat in done.silent:
            told = say(_SILENT_THEN, match=match, seat=seat)
            complain(told if dry else say(_SILENT, match=match, seat=seat))
        for path in done.outside:
            complain(say(_OUTSIDE, path=path))
    for problem in done.problems:
        complain(say("pbem: {problem}", problem=problem))
    if done.problems:
        sys.exit(75)


_SILENT: Final = (
    "{match}: nobody is written to at {seat} now; `pbem seat` gives it an address, "
    "`pbem submit --from {seat}` enters its moves"
)
_SILENT_THEN: Final = "{match}: nobody would be written to at {seat} any more"
_OUTSIDE: Final = (
    "{path}: a run has put mails there, outside this folder, and it was left alone; if it is this "
    "folder's, name it: --outbox"
)


@app.command(epilog="Example: pbem plans kahuna-7.pbem.yaml --seat white")
def plans(log: LogFile, seat: SeatName, json: Json = False) -> None:
    """List what waits for a seat: only that player is to see it."""
    from pbem.cli.move import waiting_lines
    from pbem.desk.file import read_both
    from pbem.desk.plans.model import as_written
    from pbem.desk.plans.run import waiting_now

    now, desk = read_both(log)
    now.require_seat(seat)
    found = [each for each in waiting_now(now, desk).plans if each.seat == seat]
    if json:
        print_json({"ok": True, "match": now.name, "seat": seat, "plans": as_written((*found,))})
        return
    for_alone(seat)
    for line in waiting_lines(found, seat):
        print(line)


@app.command(epilog="Example: pbem withdraw kahuna-7.pbem.yaml --seat white 2")
def withdraw(
    log: LogFile,
    seat: SeatName,
    number: Annotated[
        int, typer.Argument(metavar="[N]", help="Only this plan, as `pbem plans` numbers them.")
    ] = 0,
    wait: Wait = 10.0,
    json: Json = False,
) -> None:
    """Take back what waits for a seat. The log does not change."""
    from pbem.desk.bench import Circumstances
    from pbem.desk.submit import withdraw
    from pbem.files import timestamp
    from pbem.report import compose

    here = Circumstances(timestamp.now, compose.rehearse, wait)
    now, moves = withdraw(log, seat, here, number)
    if json:
        data: dict[str, Any] = {"ok": True, "match": now.name, "seat": seat}
        print_json({**data, "withdrawn": list(moves)})
        return
    if moves:
        for_alone(seat)
    for move in moves:
        print(f"withdrawn: {move}")
    if not moves:
        print(say("no moves of {seat} are waiting", seat=seat))
