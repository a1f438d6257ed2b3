"""A club by mail: people who answer the newest letter they got, chat, ask, sleep and give up; a
moderator who rules, types moves in and seats substitutes; a desk that is killed now and then.

`python tests/club.py --seed N` plays four weeks of 40 matches and 60 people, in some minutes.
"""

from __future__ import annotations

import json
import random
import re
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from commands import Room, mail, pbem
from postroom import Post, text
from test_crash import killed_at

from pbem.desk.current import first_entries
from pbem.desk.file import Desk, read_keys
from pbem.log.match import Match
from pbem.log.rulings import Default, Ruled
from pbem.mailroom import envelope
from pbem.report import compose
from pbem.report.render import called

DESK: Final = "desk@games.example"
TABLES: Final = (
    ("kahuna", ("white", "black")),
    ("kahuna", ("black", "white")),
    ("kanaloa-bambus", ("blue", "red")),
    ("kanaloa-bambus", ("blue", "red", "green")),
    ("kanaloa-piatnik", ("a", "b", "c")),
    ("kanaloa-piatnik", ("a", "b", "c", "d")),
)
TOKEN: Final = re.compile(r"\[([\w.+-]+) #(\d+) ([0-9a-f]+)\]")
PLY: Final = re.compile(r"^(\d+)(?:-(\d+))? \S", re.M)
CHANCE: Final = re.compile(r"\d+(?:-\d+)? Chance(?:: what was drawn is taken back)?")
TOLD: Final = ("answer", "news", "report")
"""How the names of mails end that tell what is in the log."""
FOR_A_PERSON: Final = {
    "when is the deadline?",
    "Nice weather here on the islands.",
    "takeback please!",
    "takeback to #3",
    "to moderator: may I swap my seat?",
}
"""What only a person can answer, whatever the match is like."""
REFUSED: Final = {"refused", "stale", "sender", "overtaken", "duplicate"}


class Sent(NamedTuple):
    """A mail on its way to the desk: what kind, and which match it is about."""

    kind: str
    match: str
    over: bool
    entries: int
    """How many entries the log had."""


@dataclass
class Received:
    """A mail somebody got: its name in the outbox, and what it says."""

    name: str
    subject: str
    text: str

    @property
    def token(self) -> tuple[str, int, str] | None:
        found = TOKEN.search(self.subject)
        return (found[1], int(found[2]), found[3]) if found else None

    @property
    def kind(self) -> str:
        return self.name.rpartition(".")[2]

    @property
    def news(self) -> str:
        return self.text.partition("WHAT HAPPENED\n")[2].partition("\nWHERE THE MATCH ST")[0]


@dataclass
class Person:
    """Somebody of the club, and all mails they got."""

    name: str
    inbox: list[Received] = field(default_factory=list)

    @property
    def address(self) -> str:
        return f"{self.name.lower()}@club.example"

    def newest(self, match: str) -> Received | None:
        found = (each for each in reversed(self.inbox) if each.token and each.token[0] == match)
        return next(found, None)


class Club:
    """The matches, the people and their post."""

    def __init__(self, folder: Path, seed: int, matches: int, people: int) -> None:
        self.dice = random.Random(seed)
        self.post = Post(folder)
        self.people = [Person(f"P{n}") for n in range(people)]
        self.to_begin = matches
        self.rooms: dict[str, Room] = {}
        self.holders: dict[tuple[str, str], list[str]] = {}
        self.watchers: dict[str, str] = {}
        self.told: dict[str, set[str]] = {}
        """Whom the desk wrote to when it last ran."""
        self.left: set[tuple[str, str]] = set()
        """Who was written to about a match and at a later run was not: whoever comes back begins
        anew."""
        self.seen: set[str] = set()
        self.sent: list[Sent] = []
        self.words: list[tuple[str, str, frozenset[str]]] = []
        self.kills = 0
        self.counts: dict[str, int] = defaultdict(int)

    # ------------------------------------------------------------------------- the moderator

    def by_hand(self, *arguments: object, stdin: str = "", may_fail: bool = True) -> bool:
        done = pbem(*arguments, stdin=stdin)
        assert "Traceback" not in done.printed, done.printed
        assert done.code == 0 or may_fail, done.printed
        if done.code == 0:
            self.counts[
                f"hand {arguments[0]} {arguments[2] if arguments[0] == 'rule' else ''}"
            ] += 1
        return done.code == 0

    def begin(self) -> None:
        """A new match, its seats for anybody, some for the same person twice."""
        game, seats = self.dice.choice(TABLES)
        name = f"t{self.to_begin}-{game[:9]}"
        self.to_begin -= 1
        who = [self.dice.choice(self.people) for _ in seats]
        if self.dice.random() < 0.8:
            who = self.dice.sample(self.people, len(seats))
        given = [f"{s}={p.name} <{p.address}>" for s, p in zip(seats, who, strict=True)]
        options = [each for seat in given for each in ("--seat", seat)]
        place = ("--match", name, "--dir", self.post.matches, "--letters", self.post.matches / "l")
        self.by_hand("new", game, *options, *place, may_fail=False)
        self.rooms[name] = room = Room(self.post.matches / f"{name}.pbem.yaml")
        for seat, person in zip(seats, who, strict=True):
            self.holders[name, seat] = [person.address]
        if self.dice.random() < 0.4:
            eve = self.dice.choice(self.people).address
            self.by_hand("seat", room.log, "--observer", eve, may_fail=False)
            self.watchers[name] = eve

    def rule(self) -> None:
        """Something is entered by hand."""
        name, room = self.dice.choice(list(self.rooms.items()))
        now, reason = room.read(), ("--reason", "as agreed")
        kinds = "submit submit submit note takeback default substitute end reopen reveal seat"
        kind = self.dice.choice(kinds.split())
        if kind == "submit" and now.awaited and not now.outcome:
            self.by_hand("submit", room.log, "--from", now.awaited[0], stdin=self.move(now))
        elif kind == "note":
            word = self.word(name)
            self.by_hand("rule", room.log, "note", "--text", f"All be told {word}", may_fail=False)
        elif kind == "takeback" and now.position.ply > 12:
            back = now.position.ply - self.dice.randint(1, 3)
            self.by_hand("rule", room.log, "takeback", "--to", back, "--revealed", *reason)
        elif kind == "default" and now.awaited and not now.outcome:
            seat = now.awaited[0]
            self.by_hand(
                "rule", room.log, "default", "--seat", seat, "--move", self.move(now), *reason
            )
        elif kind == "substitute" and not now.outcome:
            seat = self.dice.choice(now.setup.seats)
            person = self.dice.choice(self.people)
            come = ("--player", f"{person.name} <{person.address}>")
            if self.by_hand("rule", room.log, "substitute", "--seat", seat, *come, *reason):
                self.holders[name, seat].append(person.address)
        elif kind == "end" and self.dice.random() < 0.2:
            self.by_hand("rule", room.log, "end", *reason)
        elif kind == "reopen":
            self.by_hand("rule", room.log, "reopen", *reason)
        elif kind == "reveal" and self.dice.random() < 0.2:
            self.by_hand("reveal", room.log)
        elif kind == "seat" and self.dice.random() < 0.3:
            self.watchers[name] = eve = self.dice.choice(self.people).address
            self.by_hand("seat", room.log, "--observer", eve)

    def move(self, now: Match) -> str:
        """A move that is legal for whoever is awaited first."""
        seat = now.awaited[0]
        return self.dice.choice(compose.legal(now.seen_by(seat), seat).texts)

    def word(self, match: str) -> str:
        """A word that everybody in a match must be told once."""
        found = f"zq{len(self.words)}x"
        self.words.append((found, match, frozenset(self.members(match))))
        return found

    def members(self, match: str) -> set[str]:
        """Whom the desk writes to about a match now."""
        desk = Desk.read(str(self.rooms[match].log))
        return {theirs[0] for theirs in desk.addresses.values() if theirs} | set(desk.observers)

    # ---------------------------------------------------------------------------- the players

    def writes(self) -> None:
        """Somebody writes a mail."""
        kind = self.dice.random()
        if kind < 0.04:
            self.comes("stranger", "", "I would love to join", "eve@elsewhere.example", "Hello")
        elif kind < 0.07:
            self.machine()
        else:
            self.player(self.dice.choice(list(self.rooms)))

    def player(self, match: str) -> None:
        now = self.rooms[match].read()
        seat = self.dice.choice(now.awaited or now.setup.seats)
        if self.dice.random() < 0.15:
            seat = self.dice.choice(now.setup.seats)
        address = self.holders[match, seat][-1]
        person = next(each for each in self.people if each.address == address)
        received = person.newest(match)
        if received is None:
            return
        old = [each for each in person.inbox if each.token and each.token[0] == match]
        if self.dice.random() < 0.05:
            received = self.dice.choice(old)
        roll = self.dice.random()
        said, kind = "", "order"
        if roll < 0.62 and seat in now.awaited and not now.outcome:
            said = self.dice.choice(compose.legal(now.seen_by(seat), seat).texts)
            said = self.dice.choice(["", "Hi all,\n\n", "Sorry for the delay!\n\n"]) + said
            if self.dice.random() < 0.1:
                word = self.word(match)
                said, kind = f"{said}\nsay: with that {word}", f"press {word}"
        elif roll < 0.72:
            kind = said = self.dice.choice(sorted(FOR_A_PERSON))
        elif roll < 0.85:
            kind = said = self.dice.choice(["help", "board", "status", "withdraw", "plans"])
        elif roll < 0.92:
            word = self.word(match)
            said, kind = f"say: well well {word}", f"press {word}"
        elif roll < 0.95:
            kind = said = "resign"
            asked = [each for each in old if "To give up, send this back" in each.text]
            if asked:
                told = re.search(r"^resign #\d+ [0-9a-f]+$", asked[-1].text, re.M)
                said = f"[move]\nmatch: {match}\n{told[0] if told else 'resign'}\n[/move]"
        else:
            said = self.dice.choice(["bild HUNA-KAHU", "fish everywhere\ndraw draw"])
        quoted = "\n".join(f"> {line}" for line in received.text.split("\n"))
        body = f"{said}\n\nOn Sunday the desk wrote:\n{quoted}\n"
        self.comes(kind, match, body, f"{person.name} <{address}>", f"Re: {received.subject}")

    def machine(self) -> None:
        """A bounce of a mail of ours, or somebody's out-of-office reply."""
        person = self.dice.choice(self.people)
        if not person.inbox:
            return
        got = self.dice.choice(person.inbox)
        if self.dice.random() < 0.5:
            raw = mail(
                "I am away until Monday.",
                sender=person.address,
                identity=f"<{len(self.sent)}@x>",
                subject=f"Automatic reply: {got.subject}",
            )
            self.arrives("auto", "", b"Auto-Submitted: auto-replied\n" + raw)
            return
        raw = mail(
            f"Delivery failed.\n\nFinal-Recipient: rfc822; {person.address}\nAction: failed\n"
            f"Subject: {got.subject}",
            sender="MAILER-DAEMON@mx.example",
            identity=f"<{len(self.sent)}@x>",
            subject="Undelivered Mail Returned to Sender",
        )
        self.arrives("bounce", "", b"Return-Path: <>\n" + raw)

    def comes(self, kind: str, match: str, body: str, sender: str, subject: str) -> None:
        identity = f"<{len(self.sent)}@x>"
        self.arrives(kind, match, mail(body, sender=sender, identity=identity, subject=subject))

    def arrives(self, kind: str, match: str, raw: bytes) -> None:
        now = self.rooms[match].read() if match else None
        self.post.comes(f"X-Club: {len(self.sent)}\n".encode() + raw, at=time.time())
        over, entries = bool(now and now.outcome), len(now.log.entries) if now else 0
        self.sent.append(Sent(kind, match, over, entries))

    # -------------------------------------------------------------------------------- the desk

    def run(self, kill: bool = False) -> None:
        """The desk works through its mails, perhaps killed on the way and started again."""
        if kill:
            self.kills += killed_at(self.dice.randint(0, 60), self.desk)
        self.desk()
        for match in self.rooms:
            members = self.members(match)
            self.left.update((match, gone) for gone in self.told.get(match, set()) - members)
            self.told[match] = members
        new = [file for file in self.post.outbox.rglob("*.eml") if file.name not in self.seen]
        for file in sorted(new, key=lambda each: (each.stat().st_mtime_ns, each)):
            self.seen.add(file.name)
            message = message_from_bytes(file.read_bytes(), policy=policy.default)
            for person in self.people:
                if person.address == message["To"]:
                    subject = str(message["Subject"])
                    person.inbox.append(Received(file.stem, subject, text(message)))

    def desk(self) -> None:
        done = self.post.desk("--refusals", "10000")
        assert done.code == 0, done.printed
        assert "Traceback" not in done.printed, done.printed
        assert "failed" not in {json.loads(line)["verdict"] for line in done.out.splitlines()}

    def play(self, rounds: int, kills: int) -> None:
        """Weeks of it."""
        deadly = set(self.dice.sample(range(rounds), kills))
        each_round = self.to_begin
        for number in range(rounds):
            if self.to_begin and (not self.rooms or self.dice.random() < 0.7):
                for _ in range(max(1, each_round // max(1, rounds // 2))):
                    if self.to_begin:
                        self.begin()
            for _ in range(len(self.rooms)):
                self.writes()
            for _ in range(max(1, len(self.rooms) // 4)):
                self.rule()
            self.run(kill=number in deadly)
        self.run()

    # ------------------------------------------------------------------------------- the check

    def wrong(self) -> Iterator[str]:
        """Everything that is not as it should be."""
        yield from self.not_aside()
        for match, room in self.rooms.items():
            now = room.read()
            key = room.write(f"{match}.key", now.keyring.write())
            if pbem("verify", room.log, "--key", key).code:
                yield f"{match}: verify fails"
            for person in self.people:
                if person.address in self.members(match):
                    yield from self.untold(match, now, person)
                yield from self.leaks(match, now, person)
        for word, match, members in self.words:
            yield from self.words_told(word, match, members)

    def untold(self, match: str, now: Match, person: Person) -> Iterator[str]:
        """What somebody in a match was not told, or twice."""
        newest = person.newest(match)
        position = (match, *now.position)
        who = f"{person.name} in {match}"
        if newest is None:
            if now.log.entries[-1].at and self.joined(match, person) == 0:
                yield f"{who}: never told anything"
            return
        if newest.token != position:
            yield f"{who}: newest mail {newest.name} {newest.token} is not about {position}"
        plies = list(told_plies(person, match))
        first = plies[0] if plies else 0
        if self.joined(match, person) == 0 and first != 1:
            yield f"{who}: begins with ply {first}"
        last = max((ply.number for ply, _ in now.plies), default=0)
        without_gap = list(range(first, plies[-1] + 1)) if plies else []
        if (match, person.address) in self.left:
            without_gap = sorted(set(plies))
        if plies != without_gap:
            yield f"{who}: was told plies {plies}"
        if plies and plies[-1] < last:
            yield f"{who}: told to ply {plies[-1]} of {last}"

    def joined(self, match: str, person: Person) -> int:
        """0 for who was there from the beginning."""
        first = {theirs[0] for (name, _), theirs in self.holders.items() if name == match}
        return 0 if person.address in first else 1

    def words_told(self, word: str, match: str, members: frozenset[str]) -> Iterator[str]:
        stands = word in self.rooms[match].log.read_text()
        for person in self.people:
            told = [each for each in person.inbox if each.kind in TOLD and word in each.news]
            if any(each.token and each.token[0] != match for each in told):
                yield f"{person.name} was told {word} in another match"
            if len(told) > 1:
                yield f"{person.name} was told {word} twice: {[each.name for each in told]}"
            staying = person.address in members & self.members(match)
            if stands and staying and not told:
                yield f"{person.name} in {match} was never told {word}"
            if told and not stands:
                yield f"{person.name} was told {word}, which stands in no log"

    def leaks(self, match: str, now: Match, person: Person) -> Iterator[str]:
        """Keys and hidden things of others in somebody's mails."""
        seats = [seat for seat in now.setup.seats if person.address in self.holders[match, seat]]
        for seat in now.setup.seats:
            for *_, key in now.keyring.for_seat(seat, now.log.epochs[seat]).keys:
                for each in person.inbox if seat not in seats else ():
                    if key.hex() in "".join(each.text.split()):
                        yield f"{person.name} has the key of {seat} in {match}: {each.name}"
        names = {called(now.players)[seat] for seat in seats} | {person.name}
        for each in person.inbox:
            if each.token and each.token[0] == match and "WHERE THE MATCH ST" in each.text:
                for line in self.private_lines(match, each, seats):
                    if not any(name.casefold() in line.casefold() for name in names):
                        yield f"{person.name} may not know, from {each.name}: {line}"

    def private_lines(self, match: str, received: Received, seats: Sequence[str]) -> Iterator[str]:
        """The lines about the table that neither the public report nor these seats' own boards
        hold, and whose letters they are in front of."""
        assert received.token is not None
        log = self.rooms[match].log
        known = _known(log, log.read_text(), received.token[1:], tuple(seats))
        body = received.news + re.split(r"\nWHERE THE MATCH STO?O?A?N?DS?\n", received.text)[-1]
        table = re.split(r"\nFOR .* ALONE\n|\nNEXT TO MOVE|\nTHE RESULT", body)[0]
        lines = (line for line in whole_lines(table) if not CHANCE.fullmatch(line))
        yield from (line for line in lines if line.removesuffix(" (taken back)") not in known)
        yield from re.findall(r"^FOR .* ALONE$", received.text, re.M)

    def not_aside(self) -> Iterator[str]:
        """Mails that a person had to read and none does, and others that lie there for nothing."""
        folder = self.post.matches / ".mailroom"
        aside = set()
        for file in (folder / "aside").glob("*.eml"):
            aside.add(int(file.read_bytes().split(b"\n", 1)[0].removeprefix(b"X-Club: ")))
        verdicts = self.verdicts()
        for number, sent in enumerate(self.sent):
            verdict = verdicts.get(number, "")
            if not verdict:
                yield f"mail {number} {sent} stands in no journal"
                continue
            self.counts[verdict] += 1
            must = sent.kind in FOR_A_PERSON | {"stranger", "bounce"} or verdict == "vacated"
            if sent.over and verdict in REFUSED - {"duplicate"}:
                must = True
            may = must or (verdict in REFUSED and sent.match and self.ended(sent.match))
            may = may or verdict in ("passed-on", "unproven", "stranger")
            may = may or (verdict in ("stale", "sender") and self.defaulted(sent))
            if must and number not in aside:
                yield f"mail {number} {sent} is nowhere: {verdict}"
            if number in aside and not may:
                yield f"mail {number} {sent} lies aside for nothing: {verdict}"

    def defaulted(self, sent: Sent) -> bool:
        """Was a move played for somebody since this mail was sent? Then a person may have to see
        it: it does if the ruling's second is a later one than the mail's."""
        if not sent.match:
            return False
        later = self.rooms[sent.match].read().log.entries[sent.entries :]
        return any(isinstance(e, Ruled) and isinstance(e.ruling, Default) for e in later)

    def ended(self, match: str) -> bool:
        text_ = self.rooms[match].log.read_text()
        return bool(self.rooms[match].read().outcome) or "end" in text_ or "resign" in text_

    def verdicts(self) -> dict[int, str]:
        """What the desk made of each mail."""
        noted: dict[str, str] = {}
        folder = self.post.matches / ".mailroom"
        for line in (folder / "journal.jsonl").read_text().splitlines():
            record = json.loads(line)
            noted[record["mail"]] = record["verdict"]
        found = {}
        for file in self.post.box.rglob("*P1.host*"):
            found.update(self._verdict(file.read_bytes(), noted))
        return found

    def _verdict(self, raw: bytes, noted: dict[str, str]) -> dict[int, str]:
        from pbem import intake

        number = int(raw.split(b"\n", 1)[0].removeprefix(b"X-Club: "))
        outside, said = envelope.read(raw, DESK), intake.read(raw, "the mail", "mail")
        for settled in (True, False):
            known = noted.get(envelope.mail_id(raw, outside, said, settled=settled))
            if known:
                return {number: known}
        return {}


def told_plies(person: Person, match: str) -> Iterator[int]:
    """The plies that somebody was told of, in the order of the mails."""
    for each in person.inbox:
        if each.kind in TOLD and each.token and each.token[0] == match:
            for first, last in PLY.findall(each.news):
                yield from range(int(first), int(last or first) + 1)


def whole_lines(shown: str) -> list[str]:
    """The lines of a text, each with the lines it was broken into."""
    found: list[str] = []
    for line in shown.split("\n"):
        if found and line.startswith("    ") and found[-1].strip():
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
    now = Match.read(str(path))
    keys = read_keys(str(Room(path).desk))
    found: set[str] = set()
    for count in range(len(now.log.entries), -1, -1):
        then = Match.of(first_entries(now.log, count), now.keyring)
        if (then.position.ply, then.position[1]) == position:
            found.update(whole_lines(compose.text(compose.public(then, 0), "text")))
            for seat in seats:
                own = Match.of(then.log, keys.for_seat(seat, then.log.epochs[seat]))
                found.update(whole_lines(compose.text(compose.letter(own, seat, count), "text")))
            break
    return frozenset(found)


def played(folder: Path, seed: int, *, matches: int, people: int, rounds: int, kills: int) -> Club:
    """A club after so many rounds."""
    club = Club(folder, seed, matches, people)
    club.play(rounds, kills)
    return club


def main() -> None:
    seed = int(sys.argv[sys.argv.index("--seed") + 1]) if "--seed" in sys.argv else 1
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        club = played(Path(folder), seed, matches=40, people=60, rounds=28, kills=10)
        took = time.monotonic() - start
        wrong = list(club.wrong())
    print(*wrong, sep="\n")
    print(f"seed {seed}: {len(club.sent)} mails in, {len(club.seen)} out, {club.kills} kills")
    print(dict(sorted(club.counts.items())))
    print(f"played in {took:.0f} s, checked in {time.monotonic() - start - took:.0f} s")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
