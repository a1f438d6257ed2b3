"""The rulings: a class for each kind, with its fields, its conditions and its sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from pbem.core import NAME, NUMBER, SEAT, Domain, Outcome, Seat, defined, fact, record
from pbem.log import seal
from pbem.log.entropy.contributions import OF_DRAWS
from pbem.log.ruling import (
    ENDED,
    LINE,
    PLAY,
    REVEALED,
    SECRET,
    SILENCE,
    TEXT,
    UNDER_WAY,
    Asks,
    Objection,
    Ruling,
    Totals,
    called,
    list_of,
)
from pbem.log.seal import MODERATOR
from pbem.log.timing import TIME_RULINGS
from pbem.play import options as choices
from pbem.problem import Usage
from pbem.sentence import Sentence, say

A_VALUE: Final = Domain(
    "a value of the option", lambda v: v is None or isinstance(v, str | int | dict | list | tuple)
)

# ------------------------------------------------------------------------------- the rulings


@record
class Takeback(Ruling):
    """Plies are struck: the newest that still stand."""

    strikes: tuple[int, ...] = fact(list_of("a list of plies", NUMBER.accepts))

    bears_on_draws = True
    leads_to = PLAY
    stages = (PLAY, ENDED)
    options = (
        Asks("to", "N", "The last ply that stands.", needed=True),
        Asks("revealed", "", "Although cards were drawn since."),
    )

    def objection(self, so_far: Totals, at: str) -> Objection | None:
        strikes, live = sorted(self.strikes), so_far.live
        if strikes and strikes == live[-len(strikes) :]:
            return None
        return say(
            "strikes {strikes}: only the newest plies that still stand can be struck ({newest})",
            strikes=list(self.strikes),
            newest=", ".join(map(str, live[-len(strikes or [0]) :])) or "none",
        ), "strikes"

    def counts(self, so_far: Totals) -> None:
        so_far.taken.append((so_far.live[:], so_far.led_to))
        del so_far.live[-len(self.strikes) :]

    def sentence(self, by: Seat) -> Sentence:
        return say(
            "The moderator takes back [ply {first}|plies {first} to {last}].",
            n=len(self.strikes),
            first=min(self.strikes),
            last=max(self.strikes),
        )


@record
class Restore(Ruling):
    """The latest takeback is taken back: its plies stand again."""

    restores: tuple[int, ...] = fact(list_of("a list of plies", NUMBER.accepts))
    strikes: tuple[int, ...] = fact(list_of("a list of plies", NUMBER.accepts))

    bears_on_draws = True
    stages = (PLAY,)
    options = ()
    owes_reason = False

    def objection(self, so_far: Totals, at: str) -> Objection | None:
        if not so_far.taken:
            return NOT_TAKEN, "restores"
        due = restoring(so_far)
        if (self.restores, self.strikes) == (due.restores, due.strikes):
            return None
        return say(
            "restores {restores} and strikes {strikes}: the latest takeback struck {due}, and "
            "{drawn:all} came since",
            restores=list(self.restores),
            strikes=list(self.strikes),
            due=list(due.restores),
            drawn=due.strikes or ("nothing",),
        ), "restores"

    def counts(self, so_far: Totals) -> None:
        so_far.live, so_far.led_to = so_far.taken.pop()

    def sentence(self, by: Seat) -> Sentence:
        return say(
            "The moderator takes the takeback back: [ply|plies] {first} [stands|to {last} stand] "
            "again.",
            n=len(self.restores),
            first=min(self.restores),
            last=max(self.restores),
        )


NOT_TAKEN: Final = say(
    "nothing was taken back since the last move of a player, so there is nothing to restore"
)


def restoring(so_far: Totals) -> Restore:
    """The ruling that takes back the latest takeback; an empty one where there is none."""
    if not so_far.taken:
        return Restore((), ())
    before, live = so_far.taken[-1][0], so_far.live
    again = tuple(number for number in before if number not in live)
    return Restore(again, tuple(number for number in live if number not in before))


@record
class Default(Ruling):
    """A seat was silent too long; the ply played for it follows."""

    seat: Seat = fact(SEAT)

    says = say("{seat:seat} missed the deadline; this move is played instead.")
    bears_on_draws = True
    leads_to = SILENCE
    stages = (PLAY,)
    options = (
        Asks("seat", "SEAT", "For which seat.", needed=True),
        Asks("move", "MOVE", "The move; else what the rules say of silence."),
    )

    def counts(self, so_far: Totals) -> None:
        so_far.silent = self.seat


@record
class Substitute(Ruling):
    """Somebody else sits down; the seat's epoch grows by one."""

    seat: Seat = fact(SEAT)
    name: str = fact(LINE)
    epoch: int = fact(NUMBER)

    says = say("{name} takes the seat {seat}.")
    options = (
        Asks("seat", "SEAT", "Which seat.", needed=True),
        Asks("player", "'NAME <ADDRESS>'", "Who comes.", needed=True),
        Asks("author", "NAME", "The forum account of who comes.", many=True),
    )

    def objection(self, so_far: Totals, at: str) -> Objection | None:
        due = so_far.epochs[self.seat] + 1
        if self.epoch == due:
            return None
        return say(
            "epoch {epoch}: the next of {seat} is {due}", epoch=self.epoch, seat=self.seat, due=due
        ), "epoch"

    def counts(self, so_far: Totals) -> None:
        so_far.epochs[self.seat] = self.epoch
        so_far.names[self.seat] = self.name
        so_far.timing = so_far.timing.reseated(self.seat)
        so_far.vacant.discard(self.seat)


@record
class Resign(Ruling):
    """A seat gives up."""

    seat: Seat = fact(SEAT)

    says = say("{seat:seat} resigns.")
    leads_to = ENDED
    from_seat = True
    options = (Asks("seat", "SEAT", "Who gives up.", needed=True),)

    def outcome(self, seats: tuple[Seat, ...]) -> Outcome:
        """The others win."""
        return Outcome(tuple(seat for seat in seats if seat != self.seat), "resignation", {})


@record
class Vacate(Ruling):
    """A seat is given up while the match goes on; a substitute can take it."""

    seat: Seat = fact(SEAT)

    says = say("{seat:seat} resigns. The match goes on, and the seat is vacant.")
    from_seat = True

    def objection(self, so_far: Totals, at: str) -> Objection | None:
        if self.seat not in so_far.vacant:
            return None
        return say("{seat:seat} has left already", seat=self.seat), "seat"

    def counts(self, so_far: Totals) -> None:
        so_far.vacant.add(self.seat)


@record
class End(Ruling):
    """The match is over, whatever the board says; no winners: nobody won."""

    winners: tuple[Seat, ...] = fact(list_of("a list of seats", SEAT.accepts))

    leads_to = ENDED
    options = (Asks("winner", "SEAT", "Who wins; nobody without it.", many=True, field="winners"),)

    def outcome(self, seats: tuple[Seat, ...]) -> Outcome:
        return Outcome(self.winners, "ruling", {})

    def sentence(self, by: Seat) -> Sentence:
        if not self.winners:
            return say("The moderator ends the match: nobody wins.")
        return say(
            "The moderator ends the match: {winners:seats} [wins|win].",
            n=len(self.winners),
            winners=self.winners,
        )


@record
class Reopen(Ruling):
    """A resignation or an end is taken back; every ply stands."""

    says = say("The moderator reopens the match.")
    leads_to = PLAY
    stages = (ENDED,)
    options = ()


@record
class Note(Ruling):
    """A remark."""

    text: str = fact(TEXT)

    moves_position = False
    from_seat = True
    stages = (*UNDER_WAY, ENDED, REVEALED)
    options = (Asks("text", "TEXT", "The remark.", needed=True),)
    owes_reason = False

    def sentence(self, by: Seat) -> Sentence:
        if by == MODERATOR:
            return say("The moderator notes: {text}", text=self.text)
        return say("{seat:seat} says: {text}", seat=by, text=self.text)


@record
class Press(Ruling):
    """A letter between seats: for each seat of the table what it may read of it, sealed."""

    parts: tuple[str, ...] = fact(list_of("a sealed text for each seat", seal.is_sealed))

    moves_position = False
    from_seat = True
    stages = (*UNDER_WAY, ENDED)

    def objection(self, so_far: Totals, at: str) -> Objection | None:
        if so_far.header.press not in ("private", "grey"):
            return say("the header of this match knows no letters between seats"), "ruling"
        if len(self.parts) != len(so_far.epochs):
            return say("a letter has a sealed text for each seat"), "parts"
        if len({len(part.rpartition(":")[2]) for part in self.parts}) > 1:
            return say("the sealed texts of a letter are all of one length"), "parts"
        return None

    def objection_from(self, so_far: Totals, by: Seat) -> Objection | None:
        if so_far.header.press == "grey":
            return say("where press is grey, no letter names its writer"), "by"
        return None

    def sentence(self, by: Seat) -> Sentence:
        if by == MODERATOR:
            return say("Somebody writes to somebody.")
        return say("{by:seat} writes to somebody.", by=by)


@record
class Rename(Ruling):
    """A player is shown under another name, in all that was and will be. The header and the rulings
    before this one keep the old name, as they are chained."""

    seat: Seat = fact(SEAT)
    name: str = fact(LINE)
    epoch: int = fact(NUMBER)

    says = say("A player of {seat} is called {name} now.")
    moves_position = False
    stages = (*UNDER_WAY, ENDED, REVEALED)
    options = (
        Asks("seat", "SEAT", "Whose player.", needed=True),
        Asks("name", "NAME", "What they are called in all that is shown.", needed=True),
        Asks("epoch", "N", "Of several players of the seat the Nth, from 0; else the last."),
    )
    owes_reason = False

    def objection(self, so_far: Totals, at: str) -> Objection | None:
        if self.epoch <= so_far.epochs[self.seat]:
            return None
        return say(
            "epoch {epoch}: {seat} is at {now}",
            epoch=self.epoch,
            seat=self.seat,
            now=so_far.epochs[self.seat],
        ), "epoch"

    def counts(self, so_far: Totals) -> None:
        if self.epoch != so_far.epochs[self.seat]:
            return
        persons, before = so_far.gathered.persons, so_far.names[self.seat]
        if persons.get(self.seat) == before:
            persons[self.seat] = self.name
        so_far.names[self.seat] = self.name


@record
class Reveal(Ruling):
    """The secret of the match: from here on everything is open."""

    secret: str = fact(SECRET)

    says = say("The secret of the match is revealed: {secret}")
    leads_to = REVEALED
    stages = (PLAY, ENDED)  # in play: once the rules have ended the match

    def objection(self, so_far: Totals, at: str) -> Objection | None:
        if seal.commit(bytes.fromhex(self.secret)) == so_far.header.commit:
            return None
        return say("this is not the secret the header commits to"), "secret"


@record
class Option(Ruling):
    """An option has another value from here on, as all have agreed."""

    option: str = fact(NAME)
    value: Any = fact(A_VALUE)
    seats: tuple[Seat, ...] = fact(list_of("a list of seats", SEAT.accepts))

    bears_on_draws = True
    stages = (PLAY,)
    options = (
        Asks("option", "KEY=VALUE", "The option, and what it is from now on.", needed=True),
        Asks("agreed", "SEAT", "Who has agreed: everybody must.", many=True, field="seats"),
    )
    owes_reason = False

    def objection(self, so_far: Totals, at: str) -> Objection | None:
        missing = [
            seat
            for seat in so_far.header.seats
            if seat not in self.seats and seat not in so_far.vacant
        ]
        if not missing:
            return None
        return say(
            "an option changes only if all agree; {missing:seats} did not, as far as this says",
            missing=missing,
        ), "seats"

    def sentence(self, by: Seat) -> Sentence:
        return say(
            "{seats:seats} agree: from here on the option {option} is {value}.",
            seats=self.seats,
            option=self.option,
            value=choices.typed(list(self.value) if isinstance(self.value, tuple) else self.value),
        )


RULINGS: Final[Mapping[str, type[Ruling]]] = {
    called(kind): kind for kind in (*defined(Ruling, globals()), *OF_DRAWS, *TIME_RULINGS)
}
"""Every kind of ruling."""

GIVEN: Final[Mapping[str, type[Ruling]]] = {
    name: kind for name, kind in RULINGS.items() if kind.options is not None
}
"""The kinds that a moderator gives by name."""


def given(name: str) -> type[Ruling]:
    """The kind of ruling that a moderator means by a name. Raises Usage, with the nearest one."""
    if found := GIVEN.get(name):
        return found
    from difflib import get_close_matches

    near = get_close_matches(name.casefold(), GIVEN, n=1, cutoff=0.5)
    pattern = "there is no ruling {name!r}, only {known:all}"
    if near:
        pattern = "there is no ruling {name!r}; did you mean {near:any}? There are {known:all}"
    raise Usage(pattern, name=name, near=near, known=GIVEN)


# ------------------------------------------------------------------------------- in the log


def fields(kind: type[Ruling]) -> dict[str, Domain]:
    """The fields of a kind of ruling: {key: domain}."""
    return {slot.name: slot.of for slot in kind.FIELDS}


def made(kind: type[Ruling], data: Mapping[str, Any]) -> Ruling:
    """The ruling of this kind whose fields are in these data, which were checked before."""
    values = (data[slot.name] for slot in kind.FIELDS)
    return kind(*(tuple(value) if isinstance(value, list) else value for value in values))


def plain(ruling: Ruling) -> dict[str, Any]:
    """A ruling's fields as they are written."""
    values = ((slot.name, getattr(ruling, slot.name)) for slot in ruling.FIELDS)
    return {name: list(v) if isinstance(v, tuple) else v for name, v in values}


def entry(ruling: Ruling, at: str, reason: str = "", by: Seat = MODERATOR) -> dict[str, Any]:
    """A ruling as `Log.extend` takes it."""
    because = {"reason": reason} if reason else {}
    return {"ruling": called(type(ruling)), "by": by, **because, **plain(ruling), "at": at}


class Ruled(NamedTuple):
    """A ruling as it stands in a log; `nth` counts entries from 0."""

    ruling: Ruling
    by: str
    reason: str
    at: str
    chain: str
    public_chain: str
    nth: int

    @property
    def kind(self) -> str:
        return called(type(self.ruling))

    @property
    def sentence(self) -> Sentence:
        """What was ruled, and why."""
        told = self.ruling.sentence(self.by)
        if not self.reason:
            return told
        return say("{told} Reason: {reason}", told=told, reason=self.reason)
