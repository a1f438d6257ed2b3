"""The private file of a match: its secret, who may write for a seat, and what waits."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final, NamedTuple

from pbem.core import Seat
from pbem.desk import address
from pbem.desk.address import Address
from pbem.desk.plans.model import Waiting, as_written, in_old_files
from pbem.files import languages, yamlio
from pbem.files.data import schema_text
from pbem.log import bots
from pbem.log.format import Log
from pbem.log.match import Replay
from pbem.log.seal import Keyring
from pbem.problem import BadFile, Problem, Usage

FORMAT: Final = "pbem-desk/1"
SUFFIX: Final = ".desk.yaml"
LOG_SUFFIX: Final = ".pbem.yaml"
_PRIVATE: Final = ("secret", "held", "plans")
"""Keys whose values no error quotes: a moderator may play, too, or show others their terminal."""
_HEAD: Final = (
    "# yaml-language-server: $schema=./desk.schema.json\n"
    "# Private: this file holds the secret of the match. Never post it.\n"
)


class Webhook(NamedTuple):
    """Where to post who is next: the address, the JSON field that the text goes into, and what
    stands before the text."""

    url: str
    field: str
    prefix: str = ""

    @property
    def host(self) -> str:
        """The part of the address that people may see: the whole is as good as a password."""
        from urllib.parse import urlsplit

        return urlsplit(self.url).hostname or ""

    @staticmethod
    def of(given: dict[str, str]) -> Webhook:
        """The webhook in a desk file. Raises Usage if its address is not safe to post to."""
        if not posted_safely(given["url"]):
            raise Usage(
                "a webhook is an https:// address without a name or password in it; http:// is for "
                "this machine alone"
            )
        return Webhook(**given)


@dataclass(frozen=True, slots=True)
class Desk:
    """What only the moderator may know of a match."""

    path: str
    match: str
    secret: bytes = field(repr=False)
    policy: str = "from"
    """What has to prove who wrote a message: one of `authorship.POLICIES`."""
    server: str | None = None
    """The server whose Authentication-Results count; without one, DKIM is checked here."""
    addresses: Mapping[Seat, tuple[Address, ...]] = field(default_factory=dict)
    authors: Mapping[Seat, tuple[str, ...]] = field(default_factory=dict)
    zones: Mapping[Seat, str] = field(default_factory=dict)
    """The time zone for deadlines in a seat's letters, if not the match's."""
    pictures: Mapping[Seat, bool] = field(default_factory=dict)
    """False for seats whose mails come without a picture of the board."""
    observers: tuple[Address, ...] = ()
    """Who gets the public reports without playing."""
    contact: str = ""
    """How players reach the moderator, as the opening post puts it."""
    former: Mapping[str, Address] = field(default_factory=dict)
    """The address of each player who was replaced, by `SEAT EPOCH` of the substitute."""
    short: bool = False
    """Whether posts are usually short."""
    page: str = ""
    """The address of the match's page, for short posts."""
    webhooks: tuple[Webhook, ...] = ()
    languages: Mapping[Seat, str] = field(default_factory=dict)
    """The language of a seat's letters, if not that of the posts."""
    daybook: bool = False
    """Whether the daybook of the folder holds who has been told what of the match."""
    dialect: str = ""
    """How posts and letters are written, if not as plain text."""
    letters: str = ""
    """The folder, within that of the match, where letters are put that the moderator sends."""
    waits: tuple[Waiting, ...] = ()
    written: str = field(default="", compare=False, repr=False)
    """The text it was read from, whose comments are kept; "" if the file is new."""

    def seats_of(self, address: Address) -> tuple[Seat, ...]:
        """The seats that may be played from an address."""
        return tuple(seat for seat, theirs in self.addresses.items() if address in theirs)

    def names_of(self, seat: Seat) -> tuple[str, ...]:
        """The addresses and accounts that whoever plays a seat writes from."""
        return (*self.addresses.get(seat, ()), *self.authors.get(seat, ()))

    def has_bot(self, match: Replay, seat: Seat) -> bool:
        """Does a bot sit at a seat? Nobody can become one by being called so: a bot has no address
        and no account."""
        somebody = self.addresses.get(seat) or self.authors.get(seat) or seat in match.vacant
        return not somebody and bots.playouts(match.players[seat]) > 0

    @property
    def written_to(self) -> dict[Seat, Address]:
        """Where mails to each seat that has an address go: to its first."""
        return {seat: theirs[0] for seat, theirs in self.addresses.items() if theirs}

    @property
    def writes_to_somebody(self) -> bool:
        """Is there an address that mails about the match go to?"""
        return bool(self.observers or self.written_to)

    @property
    def keyring(self) -> Keyring:
        """The keys that open everything."""
        return Keyring.moderator(self.secret, self.match)

    @staticmethod
    def read(log_path: str) -> Desk:
        """The private file of a log. Raises Problem."""
        path = desk_path(log_path)
        try:
            text = yamlio.read_text(path)
        except Problem as problem:
            raise type(problem)(
                "{problem}; without the desk file of the match nothing can be written to its "
                "log: restore it from a copy, or work where it is kept",
                path,
                problem=problem.sentence,
            ) from problem
        return Desk.parse(text, path)

    @staticmethod
    def parse(text: str, path: str) -> Desk:
        """The private file a text holds. Raises Problem."""
        data = yamlio.parse(text, path)
        problems = yamlio.validate(data, schema_text("desk"), text, path, private=_PRIVATE)
        if problems:
            raise problems[0]

        def read(what: Callable[[Any], Any], given: Any, *place: str | int) -> Any:
            """A value, or each one in a list or a table. The schema cannot find every fault, and
            none may stay hidden until a letter is written."""
            if isinstance(given, list):
                return tuple(read(what, each, *place, nth) for nth, each in enumerate(given))
            if isinstance(given, dict) and len(place) == 1:
                return {name: read(what, each, *place, name) for name, each in given.items()}
            try:
                return what(given)
            except Usage as problem:
                where = yamlio.place(text, place)
                raise BadFile("{problem}", path, *where, problem=problem.sentence) from problem

        known = {
            key: read(_READ.get(key, lambda given: given), given, key)
            for key, given in data.items()
            if key not in ("format", "held", "plans")
        }
        waits = *map(Waiting.parse, data.get("plans", ())), *in_old_files(data.get("held"))
        return Desk(path, waits=waits, written=text, **known)

    def text(self) -> str:
        """The text of the file as it is to be written."""
        authors = {seat: known for seat, known in self.authors.items() if known}
        data, usual = dict[str, Any](format=FORMAT), Desk("", "", b"")
        for each in fields(self)[1:-2]:
            value = getattr(self, each.name) if each.name != "authors" else authors
            if value != getattr(usual, each.name) or each.name == "addresses":
                data[each.name] = as_written(value)
        data |= {"secret": self.secret.hex(), "held": []}  # `plans` has taken its place
        if self.waits:
            data["plans"] = [each.plain() for each in self.waits]
        return yamlio.amend(self.written, data) if self.written else _HEAD + yamlio.emit(data)


def posted_safely(url: str, *, elsewhere: bool = False) -> bool:
    """Is this address safe to post to? Not if the text would cross a network unencrypted; nor, if
    it has to be `elsewhere`, if it is on this machine or its own network, as far as the address
    shows; only what its name is found to stand for when a post is made shows that for sure."""
    from ipaddress import ip_address
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        _ = parts.port  # raises ValueError if it is no port
        if "@" in parts.netloc or not host:
            return False
        if elsewhere:
            return parts.scheme == "https" and _is_elsewhere(host)
        if parts.scheme == "https" or (parts.scheme == "http" and host == "localhost"):
            return True
        return parts.scheme == "http" and ip_address(host).is_loopback
    except ValueError:
        return False


def _is_elsewhere(host: str) -> bool:
    try:
        return is_public(host)
    except ValueError:
        last = host.rstrip(".").rpartition(".")[2]
        return last.isalpha() and last not in (host, *_NEAR)


def is_public(place: str) -> bool:
    """Is an address of the net, IPv4 or IPv6, one machine's that everybody can reach? An IPv4 one
    within an IPv6 counts as itself. Raises ValueError if it is no such address."""
    from ipaddress import IPv4Address, IPv6Network, ip_address

    found = ip_address(place)
    if found.version == 6 and any(found in IPv6Network(each) for each in _HOLD_IPV4):
        found = IPv4Address(int(found) & 0xFFFFFFFF)
    unicast = found.version == 4 or (found in IPv6Network(_UNICAST) and not found.sixtofour)
    return found.is_global and not found.is_multicast and unicast


_HOLD_IPV4: Final = ("::ffff:0:0/96", "64:ff9b::/96")  # as RFC 4291 and RFC 6052 have it
_UNICAST: Final = "2000::/3"
_NEAR: Final = "arpa corp home internal intranet lan local localdomain localhost private".split()
"""The endings of names within a local network: those that routers give and standards reserve."""


def _zone(name: str) -> str:
    from pbem.log import clock  # most matches need none

    clock.zone(name)
    return name


_READ: Final[Mapping[str, Callable[[Any], Any]]] = {
    "secret": bytes.fromhex,
    **dict.fromkeys(("addresses", "observers", "former"), address.read),
    "zones": _zone,
    "webhooks": Webhook.of,
    "languages": languages.checked,
}
"""How to read values that are more than texts, by their keys."""


def desk_path(log_path: str) -> str:
    """Where the private file of a log is kept: beside it."""
    return log_path.removesuffix(LOG_SUFFIX).removesuffix(".yaml") + SUFFIX


def read_keys(path: str) -> Keyring:
    """The keys in a key file, in a letter or, for the moderator, in a desk file. Raises Problem."""
    text = yamlio.read_text(path)
    if path.endswith(SUFFIX):
        return Desk.parse(text, path).keyring
    # A letter has text around the key, a forum puts tags around it, and a mail may break its line.
    found = re.findall(r"pbem-key/1\s+\S+\s+\S+\s+\d+\s+[0-9a-f]{64}", text)
    return Keyring.read("\n".join(" ".join(key.split()) for key in found) or text, path)


def read_both(path: str) -> tuple[Replay, Desk]:
    """A match as its moderator knows it, and its private file. Raises Problem."""
    written, desk = Log.read(path), Desk.read(path)
    return Replay.of(written, desk.keyring), desk
