"""The mailroom: mailboxes worked through, players told something, held moves taken back, an address
forgotten, a folder packed into one archive and unpacked."""

import os
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple

import typer

from pbem.cli import common
from pbem.cli.common import Folder, LogFile, SeatName, app, flag, here, require_folder, takes
from pbem.cli.output import Beside, Output, for_whom, shown, trouble_of
from pbem.desk.address import read as address_of
from pbem.files import languages, timestamp
from pbem.problem import Busy, Problem, Usage
from pbem.sentence import printable, say

if TYPE_CHECKING:
    from pbem.desk.address import Address
    from pbem.desk.bench import Circumstances
    from pbem.mailroom.clubnews import ClubKeeper
    from pbem.mailroom.inbox.sources import Letterbox
    from pbem.mailroom.matter import Handling
    from pbem.mailroom.moving import Packed
    from pbem.mailroom.outbox.smtp import Postman
    from pbem.mailroom.run import Mailroom
    from pbem.mailroom.timekeeper import Timekeeper
    from pbem.matches.matches import Matches
    from pbem.report.html import Paint

InFolder = Annotated[str, takes("DIR", "The folder of the logs.")]
IntoFolder = Annotated[str | None, takes("DIR", "Write the letters there.")]
Smtp = Annotated[str | None, takes("HOST", "Send them: HOST or smtp://USER@HOST:587.")]
Own = Annotated[str, takes("ADDRESS", "The desk's own.", envvar="PBEM_ADDRESS")]
Copies = Annotated[
    str, takes("ADDRESS", "Who gets a copy of what is put aside.", envvar="PBEM_MODERATOR")
]
Pictures = Annotated[
    bool | None,
    typer.Option(
        "--pictures/--no-pictures",
        envvar="PBEM_PICTURES",
        help="The board as a picture in mails; else where pbem[png] is installed.",
    ),
]
PagesOf = Annotated[
    str, takes("BASE", "Where WEB is on the web: mails link to each seat's own page.")
]

desk_app = common.Commands(no_args_is_help=True, rich_markup_mode=None, help="The mail desk.")
app.add_typer(desk_app, name="desk")


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
    address: Own = "pbem@localhost",
    once: Annotated[bool, flag("--once", "Stop when the mailbox is empty.")] = False,
    every: Annotated[float | None, takes("SECONDS", "Look again after so many seconds.")] = None,
    moderator: Copies = "",
    refusals: Annotated[int, takes("N", "How many refusals one address gets a day.")] = 20,
    pictures: Pictures = None,
    site: Annotated[str | None, takes("WEB", "Keep a web site of the matches there.")] = None,
    title: Annotated[str, takes("TEXT", "What the site is called; else Matches.")] = "",
    language: common.SiteLanguage = None,
    link: PagesOf = "",
    dry: Annotated[
        bool, flag("--dry", "Say what would be done about time, and do nothing.")
    ] = False,
    yes: Annotated[
        bool, flag("--yes", "The time is right, although the last run is long ago.")
    ] = False,
    anew: Annotated[
        bool, flag("--anew", "The daybook is lost: all count as told what there is.")
    ] = False,
) -> Output | Generator[Output]:
    """Judge mails, keep the clock, tell everybody what is new."""
    from pbem.mailroom.inbox.letterbox import letterbox

    base = ""
    if link:
        from pbem.report import sealed

        base = sealed.base(link)
    if once and every is not None:
        raise Usage("--once and --every exclude each other")
    require_folder(matches)
    if dry:
        return _rehearse(matches, outbox, letterbox(mail), yes, anew=anew)
    if (outbox is None) == (smtp is None):
        raise Usage("say where the answers go: --outbox DIR or --smtp HOST")
    house, box = languages.checked(language or languages.ENGLISH), letterbox(mail)
    more = {"refusals": refusals, "paint": _painter(pictures), "site": base}
    room, postman = _room(matches, outbox, smtp, address, here(sure=yes), **more)
    to = address_of(moderator) if moderator else None
    return _Run(room, box, postman, to, _Site(site, title, house), every, anew).passes()


def _room(
    matches: str,
    outbox: str | None,
    smtp: str | None,
    address: str,
    here: "Circumstances",
    **more: Any,
) -> "tuple[Mailroom, Postman | None]":
    """The mailroom of a folder, and who sends its letters, if a server does. Raises Problem."""
    from pbem.mailroom.outbox.folder import Outbox
    from pbem.mailroom.outbox.smtp import Postman
    from pbem.mailroom.run import Mailroom

    own = address_of(address)
    postman = Postman(smtp, own, here.clock) if smtp else None
    kept, posted = Outbox(_outbox(matches, outbox)), postman is not None
    return Mailroom(matches, kept, own, here, posted=posted, **more), postman


def _outbox(matches: str, outbox: str | None) -> str:
    """The outbox that is named or, if none is, the folder's own."""
    from pbem.mailroom.outbox.folder import OWN
    from pbem.matches.index import FOLDER

    return outbox or os.path.join(matches, FOLDER, OWN)


def _painter(pictures: bool | None) -> "Paint | None":
    """What paints boards for mails, if it is there or asked for."""
    from importlib.util import find_spec

    if not (find_spec("resvg_py") is not None if pictures is None else pictures):
        return None
    from pbem.report.html import painter

    return painter()


@desk_app.command(
    "announce", epilog="Example: pbem desk announce 'The desk rests on Friday' --matches matches"
)
def announce(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What to tell them.")],
    matches: InFolder = ".",
) -> Output:
    """Tell all players of a folder something, once each, with the next run."""
    from pbem.mailroom import daybook, letters
    from pbem.matches.matches import Matches

    if not text.strip():
        raise Usage("there is nothing to say: TEXT is empty")
    require_folder(matches)
    everybody = Matches(matches).everybody()
    new = daybook.queue(matches, letters.announced(text.strip(), everybody, timestamp.now()))
    told = [say(_ANNOUNCED, n=new, all=len(everybody))]
    told += [say("they go out with the next `pbem desk run`")] if new else []
    return Output({"ok": True, "players": len(everybody), "new": new}, told)


_ANNOUNCED = "{n} new [letter|letters]; the players of this folder have {all} addresses"


class _Site(NamedTuple):
    """The web site that a run keeps in the folder `web`, if there is one."""

    web: str | None
    title: str
    house: str

    def keep(self, room: "Mailroom") -> "Sequence[Problem]":
        """Bring it up to date; gives what stands in its way, which stops no mail. Raises
        Problem."""
        if self.web is None:
            return ()
        from pbem.cli.page import kept
        from pbem.mailroom.preferences import languages_of
        from pbem.report.site import Seats

        seats = Seats(room.site, room.address, languages_of(room.book), self.house)
        return kept(room.matches, self.web, self.title, seats, room.here.clock()).problems

    def cards(self, matches: str) -> list[Problem]:
        """Paint the cards for links to its pages; gives what stands in the way."""
        if self.web is None:
            return []
        from pbem.matches.index import logs_in
        from pbem.report import site

        made = site.cards(logs_in(matches), self.web, _CARDS, site.Seats(house=self.house))
        return [each for each in made if isinstance(each, Problem)]


_CARDS: Final = 20
"""How many cards are painted after one pass; the others can wait."""


class _Run(NamedTuple):
    """The desk at work on a mailbox; if it works `every` so many seconds, it is patient. `anew`:
    its daybook is lost."""

    room: "Mailroom"
    box: "Letterbox"
    postman: "Postman | None"
    moderator: "Address | None"
    site: _Site
    every: float | None
    anew: bool

    def passes(self) -> Generator[Output]:
        """Work until there is no more to do, or for ever; gives what came of each mail."""
        from pbem.mailroom.moving import require_daybook

        room = self.room
        while True:
            if not self.anew:
                with room.book.locked():
                    require_daybook(room.matches, room.book)
            waits = yield from self._pass()
            # No answer waits for the cards.
            troubles = [*self.site.cards(room.matches.folder), *trouble_of(room.matches.index)]
            yield Output(troubles=troubles, code=75 if waits else 0)
            if self.every is None:
                return
            try:
                time.sleep(self.every)
            except KeyboardInterrupt:
                return

    def _pass(self) -> Generator[Output, None, bool]:
        """Work through the mailbox once, keep the clock, tell what is new, keep the site, then
        deliver; gives whether anything has to wait."""
        from pbem.desk.authorship import DOUBTS

        doubted = {str(doubt): False for doubt in DOUBTS.values()}
        waits, troubles = False, list[Problem]()  # trouble in one step stops none of the others
        told = (self._news, self._webhooks, self._questions)
        news = (self._mails, self._clock, self._club, *told)
        for step in (*news, self._pages, self._letters):  # no link before its page is there
            try:
                for came in step():
                    output = came if isinstance(came, Output) else _told(came, doubted)
                    waits |= output.code != 0
                    yield output
            except Problem as problem:
                troubles.append(problem)
        for trouble in troubles:
            # A server that is down today may be up in a minute; a folder that is not there will
            # not.
            if self.every is None or not isinstance(trouble, Busy):
                raise trouble
        yield Output(troubles=troubles)
        return waits

    def _mails(self) -> "Iterator[Handling]":
        with closing(self.box):
            yield from self.room.run(self.box)

    def _clock(self) -> "Iterator[Handling | Output]":
        keeper, _ = self._keepers()
        if upto := self.room.read_to:
            kept = keeper.keep(upto, self.box.mailbox, self.room.held_up)
            yield from _passing(kept, "clock")

    def _club(self) -> "Iterator[Handling | Output]":
        from pbem.mailroom.clubrest import rests

        room = self.room
        if not room.read_to or rests(room.matches, room.book, room.read_to):
            return
        _, club_keeper = self._keepers()
        if club := club_keeper():
            kept = club.keep(room.read_to)
            yield from _passing(kept, "club")

    def _keepers(self) -> "tuple[Timekeeper, Callable[[], ClubKeeper | None]]":
        room = self.room
        about = room.matches, room.book, room.here, room.write, self.moderator
        return _keepers(*about, outbox=room.outbox.folder)

    def _news(self) -> "Iterator[Handling | Output]":
        yield from _passing(self.room.tell(), "news")

    def _webhooks(self) -> Iterator[Output]:
        from pbem.mailroom.outbox import webhooks

        for trouble in webhooks.post_all(self.room.matches, self.room.book):
            yield Output(troubles=[trouble])

    def _questions(self) -> Iterator[Output]:
        if self.moderator:
            self.room.tell_moderator(self.moderator)
        return iter(())

    def _pages(self) -> Iterator[Output]:
        try:
            troubles = self.site.keep(self.room)
        except Problem as problem:
            if self.every is None:
                raise
            troubles = (problem,)
        yield Output(troubles=troubles)

    def _letters(self) -> Iterator[Output]:
        if self.postman:
            delivery = self.postman.deliver(self.room.outbox, self.room.delivered)
            told = [say(_PUT_OFF, n=delivery.waiting)] if delivery.waiting else []
            told += [say(_FAILED, n=delivery.failed)] if delivery.failed else []
            yield Output(troubles=told)


def _passing(found: "Iterable[Handling | Problem]", what: str) -> "Iterator[Handling | Output]":
    """What was done, and what stood in the way of it: that is left for another run."""
    for each in found:
        if isinstance(each, Problem):
            yield Output(troubles=[Beside(say(_LEFT[what], problem=each))], code=75)
        else:
            yield each


def _keepers(
    matches: "Matches", *about: Any, outbox: str = ""
) -> "tuple[Timekeeper, Callable[[], ClubKeeper | None]]":
    """Who keeps the clock of a folder, and who keeps its club, if it has one, once that is asked
    for: a club costs more to read than a folder in which nothing is to be done."""
    from pbem.mailroom.timekeeper import Timekeeper
    from pbem.matches.index import club_of

    @cache
    def club_keeper() -> "ClubKeeper | None":
        if not club_of(matches.folder):
            return None
        from pbem.mailroom.clubnews import ClubKeeper

        club = ClubKeeper(matches, *about[:3])
        club.outbox = outbox
        return club

    def replaces(match: str, seat: str) -> bool:
        club = club_keeper()
        return club is not None and club.replaces(match, seat)

    keeper = Timekeeper(matches, *about)
    keeper.replaces = replaces
    return keeper, club_keeper


def _rehearse(
    matches: str, outbox: str | None, box: "Letterbox", yes: bool, *, anew: bool
) -> Output:
    """What a run would do about time, judged by this moment; nothing is written."""
    from pbem.desk.answer import Verdict
    from pbem.log.timetable import LAPSED
    from pbem.mailroom import agenda, daybook
    from pbem.mailroom.matter import Handling
    from pbem.mailroom.moving import require_daybook
    from pbem.mailroom.outbox.folder import holds
    from pbem.matches.index import match_name
    from pbem.matches.matches import Matches

    with closing(box):
        unread = len(box)
    moment, kept_in = timestamp.now(), _outbox(matches, outbox)
    book = daybook.book_of(matches, lambda name: holds(kept_in, name))
    found = agenda.Agenda.at(matches, moment, agenda.heard_by(book))
    stands = agenda.why_not_kept(book, moment, mailbox=box.mailbox, yes=yes)
    plays = agenda.may_play(moment, book.last, yes=yes)
    imagined = Matches(matches, indexed=False)
    if not anew:
        require_daybook(imagined, book)
    at = here(imagined=True, sure=yes)._replace(clock=lambda: moment, shelf=imagined)

    def note(_: object, keys: "Sequence[str]") -> None:
        book.add(daybook.Said(tuple(keys)))

    keeper, club_keeper = _keepers(imagined, book, at, note)
    kept = () if stands else tuple(keeper.keep(moment, box.mailbox, {}))
    tended = () if stands or not (club := club_keeper()) else tuple(club.keep(moment))
    would = [each for each in (*kept, *tended) if not isinstance(each, Problem)]
    digests = agenda.digests(imagined, book, moment)
    would += [Handling(verdict=Verdict.DIGEST, whose=each.to.address) for each in digests]
    told = [
        {"verdict": each.verdict, "match": match_name(each.path), "seat": each.seat}
        for each in would
    ]
    stood = {"unread": unread, "plays": plays, "stands": stands and str(stands)}
    lines = [say(_UNREAD, n=unread).text()] if unread else []
    lines += [stands.text()] if stands else []
    times = [(judged.times, each) for judged in found.matches for each in judged.times.deadlines]
    lapsed = any(each.state(deadline, moment) == LAPSED for each, deadline in times)
    lines += [_ASLEEP] if lapsed and not (stands or plays) else []
    lines += [each.text() for each in (judged.unjudged() for judged in found.matches) if each]
    lines += [_line(each) for each in would]
    return Output(
        {**found.plain(), **stood, "would": told},
        map(printable, lines or [_NOTHING]),
        found.problems,
    )


_NOTHING = "time asks for nothing"
_UNREAD = "{n} [mail|mails] would be read first, and may change what follows"
_ASLEEP = (
    "the last complete run is more than a day ago, so notices would be written and nothing played"
)
_LEFT = {
    "clock": "pbem: the clock could not be kept: {problem}",
    "club": "pbem: the club could not be tended: {problem}",
    "news": "pbem: not everybody could be told what is new: {problem}",
}
_PUT_OFF = "{n} [answer waits|answers wait] in the outbox: the server wants [it|them] later"
_FAILED = (
    "{n} [answer|answers] cannot be delivered: the [reason stands beside it|reasons stand beside "
    "them] in the outbox, under failed"
)


def _told(came: "Handling", doubted: dict[str, bool]) -> Output:
    """What came of a mail; each doubt about who wrote is told once a run: was it?"""
    from pbem.matches.index import match_name

    told = str(came.why or "")
    plain = {
        "verdict": came.verdict,
        "sender": came.whose or "",
        "match": match_name(came.path),
        "seat": came.seat,
        "ply": came.ply,
        "answers": [letter.name for letter in came.letters],
        "why": told,
        "answered_by": came.answered_by,
    }
    line = _line(came, "" if doubted.get(told) else told)
    if told in doubted and came.verdict not in _UNTOLD_OF:
        doubted[told] = True
    return Output(plain, [line], code=75 if came.verdict == "waits" else 0)


def _line(came: "Handling", why: str | None = None) -> str:
    """What came of a mail or of the time, on a line; a moderator who plays may be reading it."""
    from pbem.matches.index import match_name

    verdict, place = str(came.verdict), match_name(came.path) or "-"
    place = f"{place} #{came.ply}" if came.ply else place
    told = str(came.why or "") if why is None else why
    who = came.seat or came.whose or "-"
    who = f"{who}: {told}" if told else who
    if verdict in _UNTOLD_OF:
        verdict, place, who = "asked", "-", "a player, who was answered"
    return printable(f"{verdict:11} {place:20} {who}")


_UNTOLD_OF: Final = ("asked", "waiting", "withdrawn")
"""The verdicts on mails that are between the desk and their senders."""


@app.command(epilog="Example: pbem forget ana@example.org matches")
def forget(
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="What is to go.")],
    dir: Folder = ".",
    outbox: Annotated[
        list[str] | None, takes("DIR", "An outbox outside the folder; repeat for several.")
    ] = None,
    dry: Annotated[bool, flag("--dry", "Say what would go, and leave it.")] = False,
) -> Output:
    """Take an address out of all that the desk keeps."""
    from pbem.mailroom.forget import forget

    require_folder(dir)
    done = forget(dir, address_of(address), outbox or (), dry=dry)
    told: list[object] = [say(_DRY)] if dry else []
    told += done.touched or [say("nothing that the desk keeps holds this address")]
    told += [Beside(say(_IN_LOG, path=path)) for path in done.logs]
    told += [Beside(say(_ELSEWHERE, path=path)) for path in done.elsewhere]
    for match, seat in done.silent:
        silent = say(_SILENT, match=match, seat=seat)
        told.append(Beside(say(_SILENT_THEN, match=match, seat=seat) if dry else silent))
    told += [Beside(say(_OUTSIDE, path=path)) for path in done.outside]
    plain = {
        "ok": not done.problems,
        "touched": done.touched,
        "logs": done.logs,
        "elsewhere": done.elsewhere,
        "problems": [str(each) for each in done.problems],
        "silent": [{"match": match, "seat": seat} for match, seat in done.silent],
        "outside": done.outside,
        "dry": dry,
    }
    return Output(plain, told, done.problems, code=75 if done.problems else 0)


_DRY: Final = "A dry run: nothing is removed. What would be changed or removed:"
_IN_LOG: Final = "{path}: the address stands in this log, which is chained"
_ELSEWHERE: Final = "{path}: still holds the address; it is yours to remove"
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
def plans(log: LogFile, seat: SeatName) -> Output:
    """List what waits for a seat: only that player is to see it."""
    from pbem.cli.answered import waiting_lines
    from pbem.desk.file import read_both
    from pbem.desk.plans.run import waiting_now

    match, desk = read_both(log)
    match.require_seat(seat)
    found = [each for each in waiting_now(match, desk).plans if each.seat == seat]
    plain = [each.plain() for each in found]
    told = [for_whom(seat), *waiting_lines(found, seat)]
    return Output({"ok": True, "match": match.name, "seat": seat, "plans": plain}, told)


@app.command(epilog="Example: pbem withdraw kahuna-7.pbem.yaml --seat white 2")
def withdraw(
    log: LogFile,
    seat: SeatName,
    number: Annotated[
        int, typer.Argument(metavar="[N]", help="Only this plan, as `pbem plans` numbers them.")
    ] = 0,
) -> Output:
    """Take back what waits for a seat. The log does not change."""
    from pbem.desk.submit import withdraw

    match, moves = withdraw(log, seat, here(), number)
    told = [for_whom(seat), *(f"withdrawn: {move}" for move in moves)]
    return Output(
        {"ok": True, "match": match.name, "seat": seat, "withdrawn": list(moves)},
        told if moves else [say("no moves of {seat} are waiting", seat=seat)],
    )


MatchFolder = Annotated[str, typer.Argument(metavar="DIR", help="The folder of the matches.")]
Archive = Annotated[str, typer.Argument(metavar="FILE", help="The archive, a zip file.")]


@app.command(epilog="Example: pbem backup matches 2026-11-28.zip")
def backup(dir: MatchFolder, file: Archive) -> Output:
    """Pack a folder of matches, its mailroom too."""
    from pbem.mailroom import moving

    require_folder(dir)
    return _came(file, moving.backup(dir, file, timestamp.now()))


@app.command(epilog="Example: pbem restore 2026-11-28.zip matches")
def restore(file: Archive, dir: MatchFolder) -> Output:
    """Check such an archive, and unpack it into a new folder."""
    from pbem.mailroom import moving

    return _came(dir, moving.restore(file, dir))


def _came(path: str, done: "Packed") -> Output:
    told = {"files": done.files, "matches": done.matches, "outside": done.outside}
    problems = [shown(problem) for problem in done.problems]
    matches = say(_MATCHES, n=done.matches)
    left = (Beside(say(_NOT_PACKED, path=each)) for each in done.outside)
    return Output(
        {"ok": not problems, "path": path, **told, "problems": problems},
        [say("{path}: {matches}, {n} files", path=path, matches=matches, n=done.files)],
        [*left, *done.problems],
        code=65 if problems else 0,
    )


_NOT_PACKED: Final = "{path}: a run has put mails there, outside the folder: not packed"
_MATCHES: Final = "{n} [match|matches]"
