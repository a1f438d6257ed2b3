"""What is wrong after weeks of a club: who was not told, or told twice, or told what is not theirs,
and which mails a person should have seen."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from club import DESK, FOR_A_PERSON, Club, Person, Received, Sent
from commands import Room, pbem

from pbem import intake
from pbem.desk.file import read_keys
from pbem.intake import rawmail
from pbem.log.match import Replay
from pbem.log.ruling import PLAY
from pbem.log.rulings import Default, Ruled
from pbem.mailroom.daybook import Came, facts
from pbem.mailroom.inbox import headers
from pbem.report import compose
from pbem.report.render import called

PLY: Final = re.compile(r"^(\d+)(?:-(\d+))? \S", re.M)
OURS: Final = re.compile(
    r"\d+(?:-\d+)? Chance(?:: what was drawn is taken back)?|Since no\. \d+, .*:"
)
"""Lines about what happened that say nothing of it."""
TOLD: Final = ("answer", "news", "report")
"""How the names of mails end that tell what is in the log."""
REFUSED: Final = {"refused", "stale", "sender", "overtaken", "duplicate"}


def wrong(club: Club) -> Iterator[str]:
    """Everything that is not as it should be."""
    yield from _not_aside(club)
    for match, room in club.rooms.items():
        now = room.read()
        key = room.write(f"{match}.key", now.keyring.write())
        if pbem("verify", room.log, "--key", key).code:
            yield f"{match}: verify fails"
        for person in club.people:
            if person.address in club.members(match):
                yield from _untold(club, match, now, person)
            yield from _leaks(club, match, now, person)
    for word, match, members in club.words:
        yield from _words_told(club, word, match, members)
    for person in club.people:
        yield from _doubled(person)


# ---------------------------------------------------------------------------------- the news


def _untold(club: Club, match: str, now: Replay, person: Person) -> Iterator[str]:
    """What somebody in a match was not told, or twice."""
    who, about = f"{person.name} in {match}", person.about(match)
    position = (match, *now.position)
    sits, sat_down = _seats(club, match, person)
    if not about:
        if sits:  # an observer hears of what happens from then on
            yield f"{who}: never told anything"
        return
    if about[-1].token != position and (sits or (match, person.address) not in club.left):
        yield f"{who}: newest mail {about[-1].name} {about[-1].token} is not about {position}"
    told = list(_told_plies(person, match))
    last = max((ply.number for ply, _ in now.plies), default=0)
    begun = [nth for nth, ply in enumerate(told) if ply == 1]
    if sits and not begun:
        yield f"{who}: was never told the match from its beginning: {told}"
    if len(begun) > sat_down + ((match, person.address) in club.watched):
        yield f"{who}: was told {len(begun)} beginnings, and sat down {sat_down} times"
    told = told[begun[-1] :] if begun else told
    without_gap = list(range(told[0], told[-1] + 1)) if told else []
    if (match, person.address) in club.left:
        without_gap = sorted(set(told))
    if told != without_gap:
        yield f"{who}: was told plies {told}"
    if told and told[-1] < last:
        yield f"{who}: told to ply {told[-1]} of {last}"


def _seats(club: Club, match: str, person: Person) -> tuple[bool, int]:
    """Does somebody sit at a match, and how often have they sat down?"""
    here = [theirs for (name, _), theirs in club.holders.items() if name == match]
    sits = any(theirs[-1] == person.address for theirs in here)
    return sits, sum(theirs.count(person.address) for theirs in here)


def _told_plies(person: Person, match: str) -> Iterator[int]:
    """The plies that somebody was told of, in the order of the mails."""
    for each in person.about(match):
        if each.kind in TOLD:
            for first, last in PLY.findall(each.news):
                yield from range(int(first), int(last or first) + 1)


def _words_told(club: Club, word: str, match: str, members: frozenset[str]) -> Iterator[str]:
    """Words that somebody did not hear, or twice, or who had no business to."""
    stands = word in club.rooms[match].log.read_text()
    for person in club.people:
        told = [each for each in person.inbox if each.kind in TOLD and word in each.news]
        anew = [each for each in told if "HOW THIS MATCH IS PLAYED" in each.text]
        if any(each.token and each.token[0] != match for each in told):
            yield f"{person.name} was told {word} in another match"
        if len(told) - len(anew) > 1 or (anew and told[-1] not in anew):
            yield f"{person.name} was told {word} twice: {[each.name for each in told]}"
        staying = person.address in members & club.members(match)
        if (match, person.address) in club.left and not _seats(club, match, person)[0]:
            staying = False  # back to look on, and told from then on
        if stands and staying and not told:
            yield f"{person.name} in {match} was never told {word}"
        if told and not stands:
            yield f"{person.name} was told {word}, which stands in no log"


def _doubled(person: Person) -> Iterator[str]:
    """Two mails that answer one of theirs."""
    answered: dict[str, str] = {}
    for each in person.inbox:
        if each.answers and each.answers in answered:
            yield f"{person.name}: {each.name} and {answered[each.answers]} answer the same mail"
        answered[each.answers] = each.name


# -------------------------------------------------------------------------------- the secrets


def _leaks(club: Club, match: str, now: Replay, person: Person) -> Iterator[str]:
    """Keys and hidden things of others in somebody's mails."""
    seats = [seat for seat in now.setup.seats if person.address in club.holders[match, seat]]
    for seat in now.setup.seats:
        for *_, key in now.keyring.for_seat(seat, now.log.epochs[seat]).keys:
            for each in person.inbox if seat not in seats else ():
                if key.hex() in "".join(each.text.split()):
                    yield f"{person.name} has the key of {seat} in {match}: {each.name}"
    names = {called(now.players)[seat] for seat in seats} | {person.name}
    for each in person.about(match):
        if "WHERE THE MATCH ST" in each.text:
            for line in _private_lines(club, match, each, seats):
                if not any(name.casefold() in line.casefold() for name in names):
                    yield f"{person.name} may not know, from {each.name}: {line}"


def _private_lines(
    club: Club, match: str, received: Received, seats: Sequence[str]
) -> Iterator[str]:
    """The lines about the table that neither the public report nor these seats' own boards hold,
    and whose letters they are in front of."""
    assert received.token is not None
    log = club.rooms[match].log
    known = _known(log, log.read_text(), received.token[1:], tuple(seats))
    body = received.news + re.split(r"\nWHERE THE MATCH STO?O?A?N?DS?\n", received.text)[-1]
    table = re.split(r"\nFOR .* ALONE\n|\nNEXT TO MOVE|\nTHE RESULT", body)[0]
    lines = (line for line in _whole_lines(table) if not OURS.fullmatch(line))
    yield from (line for line in lines if not {line, line.removesuffix(" (taken back)")} & known)
    yield from re.findall(r"^FOR .* ALONE$", received.text, re.M)


def _whole_lines(shown: str) -> list[str]:
    """The lines of a text, each with the lines it was broken into."""
    found: list[str] = []
    for line in shown.split("\n"):
        if found and re.match(r"  +[^ -]", line) and found[-1].strip():
            found[-1] += " " + line.strip()
        elif line.strip():
            found.append(line.rstrip())
        else:
            found.append("")
    return [" ".join(each.split()) for each in found if each.strip()]


@cache
def _known(
    path: Path, log: str, position: tuple[object, ...], seats: tuple[str, ...]
) -> frozenset[str]:
    """The lines of the public reports about a match at a position, all its news among them, and of
    the boards that these seats see."""
    now = Replay.read(str(path))
    keys = read_keys(str(Room(path).desk))
    found: set[str] = set()
    for count in range(len(now.log.entries), -1, -1):
        then = Replay.of(now.log.first(count), now.keyring)
        if (then.position.ply, then.position[1]) == position:
            found.update(_whole_lines(compose.text(compose.public(then, 0), "text")))
            for seat in seats:
                own = Replay.of(then.log, keys.for_seat(seat, then.log.epochs[seat]))
                found.update(_whole_lines(compose.text(compose.letter(own, seat, count), "text")))
        elif found:
            break
    return frozenset(found)


# ------------------------------------------------------------------------- what lies aside


def _not_aside(club: Club) -> Iterator[str]:
    """Mails that a person had to read and none does, and others that lie there for nothing."""
    folder = club.post.matches / ".mailroom"
    aside = set()
    for file in (folder / "aside").glob("*.eml"):
        [number] = re.findall(rb"^X-Club: (\d+)$", file.read_bytes(), re.M)
        aside.add(int(number))
    verdicts = _verdicts(club)
    for number, sent in enumerate(club.sent):
        verdict = verdicts.get(number, "")
        if not verdict:
            yield f"mail {number} {sent} stands in no daybook"
            continue
        club.counts[verdict] += 1
        must = sent.kind in FOR_A_PERSON | {"stranger", "bounce"} or verdict == "vacated"
        if sent.over and verdict in REFUSED - {"duplicate"} and not _reopened(club, sent):
            must = True
        may = must or (verdict in REFUSED and sent.match and _ended(club, sent.match))
        may = may or verdict in ("passed-on", "unproven", "stranger")
        may = may or (verdict in ("stale", "sender") and _defaulted(club, sent))
        if must and number not in aside:
            yield f"mail {number} {sent} is nowhere: {verdict}"
        if number in aside and not may:
            yield f"mail {number} {sent} lies aside for nothing: {verdict}"


def _defaulted(club: Club, sent: Sent) -> bool:
    """Was a move played for somebody since this mail was sent? Then a person may have to see it: it
    does if the ruling's second is a later one than the mail's."""
    if not sent.match:
        return False
    later = club.rooms[sent.match].read().log.entries[sent.entries :]
    return any(isinstance(e, Ruled) and isinstance(e.ruling, Default) for e in later)


def _reopened(club: Club, sent: Sent) -> bool:
    """Was the match opened again since this mail was sent? Then it may have been before the mail
    was read."""
    later = club.rooms[sent.match].read().log.entries[sent.entries :]
    return any(isinstance(e, Ruled) and e.ruling.leads_to == PLAY for e in later)


def _ended(club: Club, match: str) -> bool:
    text = club.rooms[match].log.read_text()
    return bool(club.rooms[match].read().outcome) or "end" in text or "resign" in text


def _verdicts(club: Club) -> dict[int, str]:
    """What the desk made of each mail."""
    noted: dict[str, str] = {}
    for came in facts(str(club.post.matches)):
        if isinstance(came, Came):
            noted[came.mail] = came.verdict
    found = {}
    for file in club.post.box.rglob("*P1.host*"):
        found.update(_verdict(file.read_bytes(), noted))
    return found


def _verdict(raw: bytes, noted: dict[str, str]) -> dict[int, str]:
    number = int(raw.split(b"\n", 1)[0].removeprefix(b"X-Club: "))
    outside, said = headers.read(rawmail.read(raw), DESK), intake.read(raw, "the mail", "mail")
    for settled in (True, False):
        known = noted.get(headers.mail_id(raw, outside, said, settled=settled))
        if known:
            return {number: known}
    return {}
