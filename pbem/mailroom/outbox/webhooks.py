"""Posts to chat programs who is next: a line of what everybody may know, once a question.

A webhook that fails is said and noted, and tried again by the next run; it holds up nothing else.
Its address is as good as a password, so nobody is shown more of it than its host.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from pbem.core import Busy, Problem
from pbem.desk.file import Webhook
from pbem.log import deadlines, questions
from pbem.log.match import Match
from pbem.mailroom.daybook import WEBHOOK, Said, Waits, mark
from pbem.mailroom.letterhead import next_up
from pbem.mailroom.run import Mailroom
from pbem.matches.folder import match_name
from pbem.report.escape import chat
from pbem.sentence import say

LONGEST: Final = 500
"""Characters of a post, with its prefix."""
PATIENCE: Final = 10.0
"""Seconds that a service has to answer."""
Post = Callable[[str, bytes], None]
"""Posts a body to an address. Raises OSError where that fails."""


class _Question(NamedTuple):
    """What is to be posted to a webhook: what makes it these questions, and the text."""

    keys: tuple[str, ...]
    text: str


def post_all(room: Mailroom, post: Post | None = None) -> Iterator[Problem]:
    """Post all questions that have not been posted; gives what stands in the way."""
    send, down = post or _post, set[str]()
    for path in room.matches.with_webhooks():
        try:
            now, desk = room.matches.open(path)
            known = room.matches.seen_by(now, None)
            for each in desk.webhooks:
                yield from _posted(room, each, known, send, down)
        except Problem as problem:
            yield problem


def _posted(
    room: Mailroom, hook: Webhook, now: Match, send: Post, down: set[str]
) -> Iterator[Problem]:
    """Post what one webhook has not been told of a match; hosts that are `down` are left alone for
    the rest of a run."""
    asked, host = _question(hook, now), urlsplit(hook.url).hostname or ""
    if asked is None or host in down or all(map(room.book.said, asked.keys)):
        return
    match = match_name(now.log.path)
    what = f"{WEBHOOK}{_digest(hook.url, match)}"
    try:
        send(hook.url, json.dumps({hook.field: asked.text}).encode())
    except OSError as error:
        down.add(host)
        why = say(_FAILS, host=host, error=type(error).__name__)
        with room.alone():
            if room.book.waiting.get(what) != (waits := Waits(what, match, str(why))):
                room.note(waits)
        yield Busy("{why}", now.log.path, why=why)
        return
    with room.alone():
        room.note(Said(asked.keys))
        if what in room.book.waiting:
            room.note(Waits(what))


def _question(hook: Webhook, now: Match) -> _Question | None:
    """What everybody may know of who is asked; None where nobody is."""
    asked = [seat for seat in now.awaited if seat not in now.vacant]
    if now.outcome is not None or not asked:
        return None
    put, keys = questions.put(now), []
    for seat in asked:
        since = put[seat].since
        day = now.log.entries[since - 1].at if since else now.log.header.created
        digits = _digest(hook.url, now.name, seat, str(since), mark(now.log, since))
        keys.append(f"{WEBHOOK}{digits}-{day[:10]}")
    names = {seat: chat(name) for seat, name in now.players.items()}
    times = None if now.log.header.clock is None else deadlines.of(now)
    until = " ".join(each.text(names) for each in times.sentences()) if times else ""
    told = say(
        "[{match} {position}] {next_up}. {until}",
        match=chat(now.name),
        position=now.position,
        next_up=next_up(now),
        until=until,
    )
    text = f"{hook.prefix}{told.text(names).strip()}"
    return _Question(tuple(keys), text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…")


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def _post(url: str, body: bytes) -> None:
    from http.client import HTTPException
    from urllib import request

    class Unmoved(request.HTTPRedirectHandler):
        """Follows no redirect: what is said is said where the moderator wants it, and nowhere
        else."""

        def redirect_request(self, *_: object) -> None:
            return None

    plain = (request.ProxyHandler({}),) if url.startswith("http:") else ()
    headers = {"Content-Type": "application/json", "User-Agent": "pbem"}
    sent = request.Request(url, body, headers, method="POST")
    try:
        with request.build_opener(Unmoved, *plain).open(sent, timeout=PATIENCE):
            pass
    except (HTTPException, ValueError) as error:
        raise OSError(str(error)) from error


_FAILS: Final = "the webhook at {host} cannot be posted to ({error}); the next run tries again"
