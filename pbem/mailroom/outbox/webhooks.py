"""Posts to chat programs who is next: a line that everybody may read, once for each question.

A match's webhooks are named in its desk file; a player names one of their own, which is told when
it is their turn.

If a webhook fails, that is reported and noted, and the next run tries again; nothing else is held
up. Its address is as good as a password, so nobody is shown more of it than its host. Its name is
looked up when the post is made, and the connection goes to what was found; what a player has named
must lie abroad: all of that must be public.
"""

from __future__ import annotations

import hashlib
import json
import socket
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, suppress
from typing import Final, NamedTuple
from urllib.parse import urlsplit, urlunsplit

from pbem.core import Seat
from pbem.desk.file import Desk, Webhook, is_public
from pbem.desk.titles import next_up
from pbem.files.languages import speaking
from pbem.log import deadlines, questions
from pbem.log.match import Replay
from pbem.mailroom.daybook import WEBHOOK, Book, Daybook, Said, Waits, mark
from pbem.mailroom.preferences import HTTPS, Preferences, of_seats
from pbem.matches.index import match_name
from pbem.matches.matches import Matches
from pbem.problem import Busy, Problem
from pbem.report.escape import chat
from pbem.sentence import say

LONGEST: Final = 500
"""How many characters a post may have, with its prefix."""
HTTP: Final = 80
PATIENCE: Final = 10.0
"""How many seconds a service may take to answer."""


class Reader(NamedTuple):
    """A webhook, and the seats it is told about: () for all. Unless the moderator has named it, it
    must lie `abroad`."""

    hook: Webhook
    seats: tuple[Seat, ...] = ()
    abroad: bool = False


def post_all(matches: Matches, book: Daybook) -> Iterator[Problem]:
    """Post all questions that have not been posted; gives what stands in the way."""
    down, owed = set[tuple[str, bool]](), set[str]()
    people = [who for who in book.values if Preferences.of(book, who).webhook]
    theirs = (path for who in people for path in matches.of(who))
    for path in dict.fromkeys((*matches.with_webhooks(), *theirs)):
        try:
            match, desk = matches.open(path)
            known = match.seen_by(None)
            for reader in _readers(desk, book):
                yield from _posted(book, reader, known, down, owed)
        except Problem as problem:
            file = match_name(path)
            owed.update(what for what, each in book.waiting.items() if each.match == file)
            yield problem
    stuck = [each for each in book.waiting if each.startswith(WEBHOOK) and each not in owed]
    if stuck:
        with book.locked():
            for what in stuck:
                book.note_trouble(Waits(what))


def _readers(desk: Desk, book: Book) -> Iterator[Reader]:
    yield from map(Reader, desk.webhooks)
    players = dict[tuple[Webhook, bool], list[Seat]]()
    for seat, wants in of_seats(desk, book).items():
        if wants.webhook:
            players.setdefault((wants.webhook, wants.abroad), []).append(seat)
    yield from (Reader(hook, tuple(seats), abroad) for (hook, abroad), seats in players.items())


def _posted(
    book: Daybook, reader: Reader, match: Replay, down: set[tuple[str, bool]], owed: set[str]
) -> Iterator[Problem]:
    """Post what one webhook has not been told about a match: until that succeeds, it is `owed`.
    Hosts that are `down` are left alone for the rest of the run."""
    hook, seats, abroad = reader
    file = match_name(match.log.path)
    what = f"{WEBHOOK}{_digest(hook.url, file)}"
    keys, host = _questions(hook, seats, match), hook.host
    if all(map(book.said, keys)):
        return
    owed.add(what)
    if (host, abroad) in down:
        return
    try:
        _send(hook.url, json.dumps({hook.field: _text(hook, match)}).encode(), abroad=abroad)
    except OSError as error:
        down.add((host, abroad))
        why = say(_FAILS, host=host, error=type(error).__name__)
        with book.locked():
            book.note_trouble(Waits(what, file, str(why)))
        yield Busy("{why}", match.log.path, why=why)
        return
    book.note(Said(keys))
    owed.remove(what)


def _questions(hook: Webhook, seats: Collection[Seat], match: Replay) -> tuple[str, ...]:
    """The keys of what is to be posted to a webhook: a question for each of these seats that is
    asked."""
    keys, asked = list[str](), questions.of(match) if match.outcome is None else {}
    for seat in match.awaited if asked else ():
        if seat in match.vacant or (seats and seat not in seats):
            continue
        since = asked[seat].since
        day = match.log.first(since).moment("")
        digits = _digest(hook.url, match.name, seat, str(since), mark(match.log, since))
        keys.append(f"{WEBHOOK}{digits}-{day[:10]}")
    return tuple(keys)


def _text(hook: Webhook, match: Replay) -> str:
    """What everybody may know about who is asked."""
    names = {seat: chat(name) for seat, name in match.players.items()}
    times = deadlines.of(match)
    with speaking(match.log.languages[0]):
        until = " ".join(each.text(names) for each in times.sentences(brief=True)) if times else ""
        line = say(
            "[{match} {position}] {next_up}. {until}",
            match=chat(match.name),
            position=match.position,
            next_up=next_up(match),
            until=until,
        )
        text = f"{hook.prefix}{line.text(names).strip()}"
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


class LeadsHome(OSError):
    """A name that leads to this machine or its own network, or to nowhere on the public net."""


class NotTaken(OSError):
    """A service that does not take what is posted, or wants it posted elsewhere."""


def _send(url: str, body: bytes, *, abroad: bool = False) -> None:
    """Post a body to an address: to the very places that its host is found to have, past any proxy,
    and nowhere else. Raises OSError if that fails: LeadsHome if it has to be `abroad` and one of
    these places is not public, or the port is not that of https."""
    from http.client import HTTPConnection, HTTPException
    from ssl import create_default_context

    parts = urlsplit(url)
    secure, host = parts.scheme == "https", parts.hostname or ""
    port = parts.port or (HTTPS if secure else HTTP)
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    places = [str(place[0]) for *_, place in found]
    if abroad and not (port == HTTPS and all(map(is_public, places))):
        raise LeadsHome
    target = urlunsplit(("", "", parts.path or "/", parts.query, ""))
    headers = {"Host": parts.netloc, "Content-Type": "application/json", "User-Agent": "pbem"}
    with closing(HTTPConnection(host, port)) as connection:
        connection.sock = plain = _connected(places, port)
        if secure:
            connection.sock = create_default_context().wrap_socket(plain, server_hostname=host)
        try:
            connection.request("POST", target, body, headers)
            status = connection.getresponse().status
        except (HTTPException, ValueError) as error:
            raise OSError(str(error)) from error
    if not 200 <= status < 300:
        raise NotTaken


def _connected(places: Sequence[str], port: int) -> socket.socket:
    """A connection to the first of these places that lets one in. Raises OSError."""
    *others, last = places
    for place in others:
        with suppress(OSError):
            return socket.create_connection((place, port), PATIENCE)
    return socket.create_connection((last, port), PATIENCE)


_FAILS: Final = "the webhook at {host} cannot be posted to ({error}); the next run tries again"
