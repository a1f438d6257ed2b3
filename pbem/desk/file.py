"""The private file of a match: its secret, who may write for a seat, and what waits."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeVar

from pbem.core import BadFile, Problem, Seat, Usage
from pbem.desk import address
from pbem.desk.address import Address
from pbem.desk.plans.model import Waiting, in_old_files
from pbem.files import languages, yamlio
from pbem.files.data import schema_text
from pbem.log.format import Log
from pbem.log.match import Match
from pbem.log.seal import Keyring

_Value = TypeVar("_Value")

FORMAT: Final = "pbem-desk/1"
SUFFIX: Final = ".desk.yaml"
LOG_SUFFIX: Final = ".pbem.yaml"
_PRIVATE: Final = ("secret", "held", "plans")
"""What is not quoted to a moderator who plays, and may show others their terminal."""
_HEAD: Final = (
    "# yaml-language-server: $schema=./desk.schema.json\n"
    "# Private: this file holds the secret of the match. Never post it.\n"
)


class Webhook(NamedTuple):
    """Where it is posted who is next: the address, the field of JSON that the text goes into, and
    what stands before it."""

    url: str
    field: str
    prefix: str = ""

    @property
    def host(self) -> str:
        """As much of the address as anybody is shown: it is as good as a password."""
        from urllib.parse import urlsplit

        return urlsplit(self.url).hostname or ""

    @staticmethod
    def of(given: dict[str, str]) -> Webhook:
        """The webhook that stands in a desk file. Raises Usage for what is not safe to post to."""
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
    addresses: Mapping[Seat, tuple[Address, ...]] = field(default_factory=dict)
    waits: tuple[Waiting, ...] = ()
    authors: Mapping[Seat, tuple[str, ...]] = field(default_factory=dict)
    policy: str = "from"
    """What has to prove who wrote a message: one of `authorship.POLICIES`."""
    server: str | None = None
    """Whose Authentication-Results count; without one, DKIM is checked here."""
    zones: Mapping[Seat, str] = field(default_factory=dict)
    """In which zone a seat's letters tell deadlines, if not in the match's."""
    pictures: Mapping[Seat, bool] = field(default_factory=dict)
    """Seats whose mails come without the board as a picture are False here."""
    observers: tuple[Address, ...] = ()
    """Who gets the public reports without playing."""
    contact: str = ""
    """How players reach the moderator, as the opening post says it."""
    former: Mapping[str, Address] = field(default_factory=dict)
    """Who was replaced, by `SEAT EPOCH` of who came."""
    short: bool = False
    """Whether posts are short ones, as a rule."""
    page: str = ""
    """Where the match is to be seen, as short posts say it."""
    webhooks: tuple[Webhook, ...] = ()
    languages: Mapping[Seat, str] = field(default_factory=dict)
    """In which language a seat's letters are, if not in that of the posts."""

    def seats_of(self, address: Address) -> tuple[Seat, ...]:
        """The seats that may be played from an address."""
        return tuple(seat for seat, theirs in self.addresses.items() if address in theirs)

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

        def read(what: Callable[[Any], _Value], given: Any, *place: str | int) -> _Value:
            """A value of which the schema cannot say whether it is one: that must not come to light
            when a letter is written."""
            try:
                return what(given)
            except Usage as problem:
                where = yamlio.place(text, place)
                raise BadFile("{problem}", path, *where, problem=problem.sentence) from problem

        def by_name(what: Callable[[Any], _Value], key: str) -> dict[str, _Value]:
            return {name: read(what, each, key, name) for name, each in data.get(key, {}).items()}

        def listed(what: Callable[[Any], _Value], given: Any, *place: str) -> tuple[_Value, ...]:
            return tuple(read(what, each, *place, nth) for nth, each in enumerate(given or ()))

        return Desk(
            path,
            data["match"],
            bytes.fromhex(data["secret"]),
            {
                seat: listed(address.read, theirs, "addresses", seat)
                for seat, theirs in data.get("addresses", {}).items()
            },
            (*map(Waiting.parse, data.get("plans", ())), *in_old_files(data.get("held"))),
            {seat: tuple(known) for seat, known in data.get("authors", {}).items()},
            data.get("policy", "from"),
            data.get("server"),
            by_name(_zone, "zones"),
            data.get("pictures", {}),
            listed(address.read, data.get("observers"), "observers"),
            data.get("contact", ""),
            by_name(address.read, "former"),
            data.get("short", False),
            data.get("page", ""),
            listed(Webhook.of, data.get("webhooks"), "webhooks"),
            by_name(languages.checked, "languages"),
        )

    def text(self, over: str = "") -> str:
        """As it is written, anew or over an earlier text whose comments stay."""
        authors = {seat: list(known) for seat, known in self.authors.items() if known}
        data: dict[str, Any] = {
            "format": FORMAT,
            "match": self.match,
            "secret": self.secret.hex(),
            **({"policy": self.policy} if self.policy != "from" else {}),
            **({"server": self.server} if self.server else {}),
            "addresses": {seat: list(known) for seat, known in self.addresses.items()},
            **({"authors": authors} if authors else {}),
            **({"zones": dict(self.zones)} if self.zones else {}),
            **({"pictures": dict(self.pictures)} if self.pictures else {}),
            **({"observers": list(self.observers)} if self.observers else {}),
            **({"contact": self.contact} if self.contact else {}),
            **({"former": dict(self.former)} if self.former else {}),
            **({"short": True} if self.short else {}),
            **({"page": self.page} if self.page else {}),
            **({"webhooks": [_plain(each) for each in self.webhooks]} if self.webhooks else {}),
            **({"languages": dict(self.languages)} if self.languages else {}),
            "held": [],  # what earlier versions kept there stands in plans now
            **({"plans": [each.plain() for each in self.waits]} if self.waits else {}),
        }
        return yamlio.amend(over, data) if over else _HEAD + yamlio.emit(data)


def posted_safely(url: str, *, elsewhere: bool = False) -> bool:
    """May anything be posted to this address? Not in clear over a network; where it has to be
    `elsewhere`, to nothing on this machine or beside it either."""
    from ipaddress import ip_address
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        _ = parts.port  # which raises ValueError for what is no port
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
    from ipaddress import ip_address

    try:
        return ip_address(host).is_global
    except ValueError:
        last = host.rstrip(".").rpartition(".")[2]
        return last.isalpha() and last not in ("", host, "localhost", "local", "internal")


def _plain(each: Webhook) -> dict[str, str]:
    return {name: value for name, value in each._asdict().items() if value}


def _zone(name: str) -> str:
    from pbem.log import clock  # most matches need none

    clock.zone(name)
    return name


def desk_path(log_path: str) -> str:
    """Where the private file of a log is kept: beside it."""
    return log_path.removesuffix(LOG_SUFFIX).removesuffix(".yaml") + SUFFIX


def read_keys(path: str) -> Keyring:
    """The keys in a key file, in a letter or, for the moderator, in a desk file. Raises Problem."""
    text = yamlio.read_text(path)
    if path.endswith(SUFFIX):
        return Desk.parse(text, path).keyring
    # A letter holds the key among other text, a forum its tags around it, and a mail breaks it.
    found = re.findall(r"pbem-key/1\s+\S+\s+\S+\s+\d+\s+[0-9a-f]{64}", text)
    return Keyring.read("\n".join(" ".join(key.split()) for key in found) or text, path)


def read_both(path: str) -> tuple[Match, Desk]:
    """A match as its moderator knows it, and its private file. Raises Problem."""
    written, desk = Log.read(path), Desk.read(path)
    return Match.of(written, desk.keyring), desk
