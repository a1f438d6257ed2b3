"""The private file of a club: its secret, how people are reached, and what only they may know."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from typing import Any, Final, NamedTuple

from pbem.club.acts import later
from pbem.club.event import Handle
from pbem.club.fold import less
from pbem.desk import address
from pbem.desk.address import Address
from pbem.desk.file import desk_path
from pbem.files import yamlio
from pbem.files.data import schema_text
from pbem.log import seal
from pbem.log.chance import Sealed
from pbem.problem import BadFile, Usage

PRIVATE_FORMAT: Final = "pbem-club-desk/1"
CONFIRM_DAYS: Final = 7
"""How long somebody can confirm that they want to join, and how long their address gets no second
question."""
_HEAD: Final = (
    "# yaml-language-server: $schema=./club-desk.schema.json\n"
    "# Private: this file holds the secret of the club, and addresses. Never post it.\n"
)


class Member(NamedTuple):
    """What only the founder may know of somebody: their addresses, how many seats and waits they
    want at most, with whom they never sit at a table, and a note."""

    addresses: tuple[Address, ...] = ()
    limit: int | None = None
    avoids: tuple[Handle, ...] = ()
    note: str = ""

    def plain(self) -> dict[str, Any]:
        """As it is written."""
        lists = {"addresses": list(self.addresses), "avoids": list(self.avoids)}
        values = {**self._asdict(), **lists}
        return {key: value for key, value in values.items() if value not in (None, [], "")}


@dataclass(frozen=True, slots=True)
class ClubDesk:
    """What only the founder may know of a club. `policy`, `server` and `contact` are those of the
    matches it begins; `confirmations` says until when each that was asked for can come; `unmade`
    are the matches that have begun and whose files may not be there yet; `leaving` says since when
    somebody is to be forgotten."""

    path: str
    club: str
    secret: bytes = field(repr=False)
    policy: str = "from"
    server: str | None = None
    contact: str = ""
    people: Mapping[Handle, Member] = field(default_factory=dict)
    confirmations: Mapping[str, str] = field(default_factory=dict)
    unmade: tuple[str, ...] = ()
    leaving: Mapping[Handle, str] = field(default_factory=dict)
    written: str = field(default="", compare=False, repr=False)

    @staticmethod
    def read(log: str) -> ClubDesk:
        """The private file of a club's log. Raises Problem."""
        path = desk_path(log)
        return ClubDesk.parse(yamlio.read_text(path), path)

    @staticmethod
    def parse(text: str, path: str) -> ClubDesk:
        """The private file a text holds. Raises Problem, which quotes nothing of it."""
        return _parsed(text, path)

    def text(self) -> str:
        """The text of the file as it is to be written."""
        held = {each.name: getattr(self, each.name) for each in fields(self)}
        data = {"format": PRIVATE_FORMAT, **held, "secret": self.secret.hex()}
        data["people"] = {handle: member.plain() for handle, member in self.people.items()}
        data["unmade"] = list(self.unmade)
        del data["path"], data["written"]
        data = {key: value for key, value in data.items() if value}
        return yamlio.amend(self.written, data) if self.written else _HEAD + yamlio.emit(data)

    @property
    def lots(self) -> Sealed:
        """What draws lots from the secret: a draw for each entry and purpose."""
        return Sealed(self.secret, self.club)

    def member(self, handle: Handle) -> Member:
        """What is known of somebody."""
        return self.people.get(handle, Member())

    def with_member(self, handle: Handle, **changes: Any) -> ClubDesk:
        """With something else known of somebody."""
        member = self.member(handle)._replace(**changes)
        known = {} if member == Member() else {handle: member}
        return replace(self, people={**less(self.people, handle), **known})

    def leaves(self, handle: Handle, at: str = "") -> ClubDesk:
        """With a note that somebody is to be forgotten since a moment; without it, that they are
        not."""
        return replace(self, leaving={**less(self.leaving, handle), **({handle: at} if at else {})})

    def forgotten(self, handle: Handle) -> ClubDesk:
        """Without anything that is known of somebody."""
        return replace(self, people=less(self.people, handle)).leaves(handle)

    def without(self, given: Address) -> ClubDesk:
        """Without an address, whoever's it was."""
        handle = self.who(given)
        if handle is None:
            return self
        left = tuple(each for each in self.member(handle).addresses if each != given)
        return self.with_member(handle, addresses=left)

    def who(self, given: Address) -> Handle | None:
        """Who writes from an address."""
        return next((who for who, each in self.people.items() if given in each.addresses), None)

    def alike(self, given: Address) -> list[Handle]:
        """Who else has an address of the same name elsewhere, or with dots or a + in it: a question
        for the founder, never an answer (C-52)."""
        people = ((who, map(_name, each.addresses)) for who, each in self.people.items())
        return [who for who, names in people if _name(given) in names and who != self.who(given)]

    def avoid(self, one: Handle, other: Handle) -> bool:
        """Does one of these two not want to sit at a table with the other?"""
        return other in self.member(one).avoids or one in self.member(other).avoids

    def asked_to_confirm(
        self, given: Address, came: str, at: str, *, anew: bool = False
    ) -> tuple[ClubDesk, str] | None:
        """The word by which somebody at this address can confirm that they want to join, and the
        file with a note that it was sent for a mail that `came` at a moment; None if one was sent
        for another mail within a week, unless the same is to be sent `anew`. The note does not tell
        the address to those who do not know it."""
        standing = {key: until for key, until in self.confirmations.items() if until > at}
        key, until = self._hash("asked", given), later(came, days=CONFIRM_DAYS)
        before = standing.setdefault(key, until)
        if before != until and not anew:
            return None
        return replace(self, confirmations=standing), self._word(given, before)

    def awaits(self, given: Address, at: str) -> str:
        """Until when a word that was sent to an address counts; "" if none does at this moment."""
        until = self.confirmations.get(self._hash("asked", given), "")
        return until if until > at else ""

    def confirms(self, given: Address, word: str, at: str) -> bool:
        """Is this the word that was sent to the address, and in time?"""
        until = self.awaits(given, at)
        return bool(until) and hmac.compare_digest(word.casefold(), self._word(given, until))

    def _word(self, given: Address, until: str) -> str:
        return self._hash(f"word/{until}", given)[:16]

    def _hash(self, what: str, given: Address) -> str:
        return seal.derive(self.secret, f"{what}/{given}", 16).hex()


@lru_cache(maxsize=2)  # each mail and each step of a run asks for it
def _parsed(text: str, path: str) -> ClubDesk:
    data = yamlio.parse(text, path)
    private = ("secret", "people", "confirmations")
    if problems := yamlio.validate(data, schema_text("club-desk"), text, path, private=private):
        raise problems[0]
    people = dict[Handle, Member]()
    for handle, known in data.pop("people", {}).items():
        try:
            theirs = tuple(map(address.read, known.get("addresses", ())))
        except Usage:
            where = yamlio.place(text, ("people", handle, "addresses"))
            raise BadFile("what stands here is no mail address", path, *where) from None
        avoids = tuple(known.get("avoids", ()))
        people[handle] = Member(**{**known, "addresses": theirs, "avoids": avoids})
    secret, unmade = bytes.fromhex(data.pop("secret")), tuple(data.pop("unmade", ()))
    del data["format"]
    return ClubDesk(path, secret=secret, people=people, unmade=unmade, written=text, **data)


def _name(given: Address) -> str:
    """What stands in an address before its domain, as if written without dots and a tag."""
    return given.partition("@")[0].partition("+")[0].replace(".", "").casefold()
