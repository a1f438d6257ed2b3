"""Sends what lies in an outbox through an SMTP server.

A letter the server refuses for good goes to `failed` with the reason; one it puts off is tried
again for five days, with growing pauses. Neither holds up the others. If a connection breaks, that
is not the fault of the letter that was on its way; but from then on that letter goes last.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

from pbem.desk.address import Address
from pbem.desk.append import Now
from pbem.files import store
from pbem.log.clock import written
from pbem.mailroom.outbox.folder import FAILED, PUBLIC, SENT, Outbox, Slip
from pbem.mailroom.server import PATIENCE, Server, password
from pbem.problem import BadFile, Busy, Denied, NoFile, Usage
from pbem.sentence import say

if TYPE_CHECKING:
    import smtplib

PAUSE: Final = timedelta(minutes=5)
LONGEST_PAUSE: Final = timedelta(hours=6)
PATIENCE_IN_ALL: Final = timedelta(days=5)
_MOST_BREAKS: Final = 3
"""After this many broken connections the server is left in peace until the next run."""

_PUT_OFF: Final = "put off"
_GIVEN_UP: Final = "put off since {first}, and given up now; the last answer was: {told}"

_STAY: Final = (
    "{n} [answer|answers] sent, {waiting} not: {told}; they stay in the outbox, try again later"
)

_CLOSING: Final = 421
_LOGIN_WANTED: Final = 530


Notes = Callable[[str, Slip, str], None]
"""Takes note of a letter, by its name and slip, before it is put away: it was sent or, for this
reason, never will be."""


class Delivery(NamedTuple):
    """How many letters of an outbox were sent, how many have failed, how many wait in it."""

    sent: int
    failed: int
    waiting: int


class Postman:
    """Delivers to one server: `HOST`, `smtp://USER@HOST:587` (STARTTLS, unless the server is on
    this machine) or `smtps://USER@HOST`.

    Killed between sending a letter and moving it away, it sends that one again under the same
    Message-ID.
    """

    def __init__(self, url: str, sender: Address, clock: Now) -> None:
        server = Server.read(url if "://" in url else f"smtp://{url}", "SMTP")
        if server.scheme not in ("smtp", "smtps") or not server.host:
            raise Usage(
                "{url!r} is no SMTP server; write HOST, smtp://USER@HOST:587 or smtps://USER@HOST",
                url=url,
            )
        self.server, self.sender, self.clock = server, sender, clock
        self.secure = server.scheme == "smtps"
        self.port = server.port or (465 if self.secure else 25 if server.local else 587)

    def deliver(self, outbox: Outbox, note: Notes = lambda *_: None) -> Delivery:
        """Send what is due, and have it noted. Raises Busy where the connection breaks, or where
        somebody else is delivering; what was not sent stays."""
        with store.lock(os.path.join(outbox.folder, PUBLIC)):
            outbox.tidy()
            done = Counter[str]()
            trouble = self._round(outbox, done, note)
            delivery = Delivery(done[SENT], done[FAILED], len(outbox.waiting()))
        if trouble is not None:
            waiting, told = delivery.waiting, _reply(trouble)[1]
            raise Busy(
                _STAY, self.server.host, n=delivery.sent, waiting=waiting, told=told
            ) from trouble
        return delivery

    def _round(self, outbox: Outbox, done: Counter[str], note: Notes) -> Exception | None:
        """Go once through the letters that are due; gives what broke the connection, or None."""
        import smtplib

        now, breaks = self.clock(), 0
        server: smtplib.SMTP | None = None
        trouble: Exception | None = None
        try:
            for name, slip in _due(outbox, now, done):
                try:
                    server = server or self._connect()
                except (OSError, smtplib.SMTPException) as error:
                    return error
                try:
                    become, why = self._send(server, outbox, name, slip, now)
                except (OSError, smtplib.SMTPException) as error:
                    outbox.keep(name, replace(slip, broken=slip.broken + 1))
                    server.close()
                    server, trouble, breaks = None, error, breaks + 1
                    if breaks == _MOST_BREAKS:
                        break
                    continue
                if become != _PUT_OFF:
                    note(name, slip, why)
                    outbox.move(name, become, why)
                done[become] += 1
        finally:
            if server is not None:
                try:
                    server.quit()
                except (OSError, smtplib.SMTPException):
                    server.close()  # everything has been sent: how it says goodbye does not matter
        return trouble

    def _send(
        self, server: smtplib.SMTP, outbox: Outbox, name: str, slip: Slip, now: str
    ) -> tuple[str, str]:
        """Send a letter; gives what became of it (sent, failed or put off) and why it failed."""
        import smtplib

        data = outbox.read(name)
        try:
            server.sendmail(self.sender, [slip.to], data)
        except (smtplib.SMTPResponseException, smtplib.SMTPRecipientsRefused) as refused:
            code, answer = _reply(refused)
            if code == _LOGIN_WANTED:
                raise Denied(
                    "the server wants a login: name a user, as in smtp://USER@HOST:587",
                    self.server.host,
                ) from refused
            if code == _CLOSING or not 400 <= code < 600:
                raise
            if code >= 500:
                return FAILED, answer
            age = datetime.fromisoformat(now) - datetime.fromisoformat(slip.first or now)
            if age >= PATIENCE_IN_ALL:
                return FAILED, str(say(_GIVEN_UP, first=slip.first, told=answer))
            outbox.keep(name, _put_off(slip, now, answer))
            return _PUT_OFF, ""
        return SENT, ""

    def _connect(self) -> smtplib.SMTP:
        import smtplib
        import ssl

        host = self.server.host
        context = ssl.create_default_context() if self.secure or not self.server.local else None
        if self.secure:
            server: smtplib.SMTP = smtplib.SMTP_SSL(
                host, self.port, timeout=PATIENCE, context=context
            )
        else:
            server = smtplib.SMTP(host, self.port, timeout=PATIENCE)
        try:
            if context is not None and not self.secure:
                server.starttls(context=context)
            if self.server.user:
                server.login(self.server.user, password("SMTP", host))
            server.ehlo_or_helo_if_needed()  # refusing this is not refusing a letter
        except BaseException:
            server.close()
            raise
        return server


def _due(outbox: Outbox, now: str, done: Counter[str]) -> list[tuple[str, Slip]]:
    """The letters whose turn it is. A letter without a slip has failed."""
    due: list[tuple[str, Slip]] = []
    for name in outbox.waiting():
        try:
            slip = outbox.slip(name)
        except (NoFile, BadFile) as problem:
            outbox.move(name, FAILED, str(problem))
            done[FAILED] += 1
        else:
            if slip.next <= now:
                due.append((name, slip))
    return sorted(due, key=lambda each: (each[1].broken, each[0]))


def _reply(error: Exception) -> tuple[int, str]:
    """What the server answered, as its code and in words; 0 where it did not answer."""
    import smtplib

    said: bytes | str
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        code, said = next(iter(error.recipients.values()))
    elif isinstance(error, smtplib.SMTPResponseException):
        code, said = error.smtp_code, error.smtp_error
    else:
        return 0, _shown(str(error))
    text = said.decode(errors="replace") if isinstance(said, bytes) else said
    return code, _shown(f"{code} {text}")


def _shown(text: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:300]


def _put_off(slip: Slip, now: str, answer: str) -> Slip:
    """The slip of a letter that is to be tried again later."""
    pause = min(PAUSE * 2 ** min(slip.tries, 10), LONGEST_PAUSE)
    return replace(
        slip,
        tries=slip.tries + 1,
        first=slip.first or now,
        next=written(datetime.fromisoformat(now) + pause),
        told=answer,
    )
