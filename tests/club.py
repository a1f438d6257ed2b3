"""A club by mail: people who answer the newest letter they got, plan, chat, ask, go away and give
up; a moderator who rules, types moves in and seats substitutes; a desk that is killed now and then.

`PYTHONPATH=. python tests/club.py --seed N` plays four weeks of 40 matches and 60 people, in some
minutes. `club_check` says what is wrong afterwards.
"""

from __future__ import annotations

import json
import random
import re
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from email import message_from_bytes, policy
from pathlib import Path
from typing import Final, NamedTuple

from commands import Room, mail, pbem
from postroom import Post, text
from test_crash import killed_at

from pbem.desk.file import Desk
from pbem.files.timestamp import now as clock
from pbem.log.match import Replay
from pbem.report import compose

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
PLANS: Final = {
    "kahuna": ("next: draw or pass", "if anyone plays *: draw or pass", "always turn: draw"),
    "kanaloa-bambus": ("always rob: pass", "always veto: allow", "if anyone plays pass: pass"),
    "kanaloa-piatnik": (
        "always announce: no announce",
        "next: kanaloa until #400",
        "if anyone plays *: kanaloa",
    ),
}
GIVE_UP: Final = "You have not resigned yet."
FOR_A_PERSON: Final = {
    "when is the deadline?",
    "Nice weather here on the islands.",
    "takeback please!",
    "takeback to #3",
    "to moderator: may I swap my seat?",
}
"""What only a person can answer, whatever the match is like."""
HABITS: Final = {
    "order": 46,
    "order_and_press": 5,
    "order_and_plans": 6,
    "order_and_question": 4,
    "slip_and_question": 4,
    "plans": 8,
    "question_for_a_person": 10,
    "question": 10,
    "press": 6,
    "absence": 5,
    "resignation": 9,
    "nonsense": 4,
}
"""What players write, and how often."""
RULES: Final = {
    "submit": 5,
    "note": 2,
    "takeback": 3,
    "default": 2,
    "substitute": 3,
    "end": 3,
    "reopen": 2,
    "reveal": 2,
    "observer": 1,
}
"""What the moderator enters by hand, and how often."""
SEEN: Final = (
    *("accepted", "refused", "stale", "waiting", "withdrawn", "asked", "said", "passed-on"),
    *("resigned", "vacated", "absent", "stranger", "bounce", "away"),
    *("hand new", "hand submit", "hand reveal", "hand seat"),
    *(f"hand rule {kind}" for kind in "note takeback default substitute end reopen".split()),
    *("a vacant seat taken", "a wish to take back granted", "resignations sent back"),
    *(f"mails {habit}" for habit in HABITS),
)
"""What must have happened in a whole club."""


class Says(NamedTuple):
    """What somebody writes: what kind, and the text."""

    kind: str
    text: str


class Sent(NamedTuple):
    """A mail on its way to the desk: what kind, and which match it is about."""

    kind: str
    match: str
    over: bool
    entries: int
    """How many entries the log had."""


@dataclass
class Received:
    """A mail somebody got: its name in the outbox, what it says, and the mail it answers."""

    name: str
    subject: str
    text: str
    answers: str = ""

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

    def about(self, match: str) -> list[Received]:
        """What they got about a match, the newest last."""
        return [each for each in self.inbox if each.token and each.token[0] == match]


class Club:
    """The matches, the people and their post."""

    def __init__(self, folder: Path, seed: int, matches: int, people: int) -> None:
        self.dice = random.Random(seed)
        self.post = Post(folder)
        self.people = [Person(f"P{n}") for n in range(people)]
        self.to_begin = matches
        self.rooms: dict[str, Room] = {}
        self.holders: dict[tuple[str, str], list[str]] = {}
        self.watched: set[tuple[str, str]] = set()
        self.told: dict[str, set[str]] = {}
        """Whom the desk wrote to when it last ran."""
        self.left: set[tuple[str, str]] = set()
        """Who was written to about a match and at a later run was not."""
        self.over: set[str] = set()
        self.vacant: dict[str, str] = {}
        self.wishes: list[str] = []
        """Matches that are over, that have a vacant seat, in which somebody wants to go back."""
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
            kind = f"rule {arguments[2]}" if arguments[0] == "rule" else arguments[0]
            self.counts[f"hand {kind}"] += 1
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
        paced = ("--turn", 30, "--zone", "UTC") if self.dice.random() < 0.6 else ()
        self.by_hand("new", game, *options, *place, *paced, may_fail=False)
        self.rooms[name] = Room(self.post.matches / f"{name}.pbem.yaml")
        for seat, person in zip(seats, who, strict=True):
            self.holders[name, seat] = [person.address]
        if self.dice.random() < 0.4:
            self.watch(name)

    def rule(self) -> None:
        """Something is entered by hand."""
        kind = self.often(RULES)
        match = self.dice.choice(list(self.rooms))
        if kind in ("reopen", "reveal") and self.over:
            match = self.dice.choice(sorted(self.over))
        elif kind == "substitute" and self.vacant:
            match = self.dice.choice(sorted(self.vacant))
        elif kind == "takeback" and self.wishes:
            match = self.wishes.pop()
        room, reason = self.rooms[match], ("--reason", "as agreed")
        now, rule = room.read(), ("rule", room.log, kind)
        going = now.awaited if not now.outcome else ()
        if kind == "submit" and going:
            self.by_hand("submit", room.log, "--from", going[0], stdin=self.move(now))
        elif kind == "note":
            self.by_hand(*rule, "--text", f"All be told {self.word(match)}", may_fail=False)
        elif kind == "takeback":
            moved = [ply.number for ply, _ in now.plies if ply.seat != "chance"]
            if moved and self.by_hand(*rule, "--to", moved[-1] - 1, "--revealed", *reason):
                self.counts["a wish to take back granted"] += 1
        elif kind == "default" and going:
            self.by_hand(*rule, "--seat", going[0], "--move", self.move(now), *reason)
        elif kind == "substitute" and not now.outcome:
            self.substitute(match, self.vacant.get(match) or self.dice.choice(now.setup.seats))
        elif (kind == "end" and len(self.over) * 2 < len(self.rooms)) or kind == "reopen":
            self.by_hand(*rule, *reason)
        elif kind == "reveal":
            self.by_hand("reveal", room.log)
        elif kind == "observer":
            self.watch(match)

    def watch(self, match: str) -> None:
        """Somebody follows a match from now on."""
        eve = self.dice.choice(self.people).address
        self.watched.add((match, eve))
        self.by_hand("seat", self.rooms[match].log, "--observer", eve)

    def substitute(self, match: str, seat: str) -> None:
        person = self.dice.choice(self.people)
        come = ("--seat", seat, "--player", f"{person.name} <{person.address}>")
        log = self.rooms[match].log
        if self.by_hand("rule", log, "substitute", *come, "--reason", "as agreed"):
            self.holders[match, seat].append(person.address)
            self.counts["a vacant seat taken"] += self.vacant.pop(match, "") == seat

    def often(self, table: Mapping[str, int]) -> str:
        """One of these, the higher its number the likelier."""
        return self.dice.choices(list(table), list(table.values()))[0]

    def move(self, now: Replay) -> str:
        """A move that is legal for whoever is awaited first."""
        seat = now.awaited[0]
        return self.dice.choice(compose.legal(now.seen_by(seat), seat).texts)

    def word(self, match: str) -> str:
        """A word that everybody in a match must be told once."""
        found = f"zq{len(self.words)}x"
        self.words.append((found, match, frozenset(self.members(match))))
        return found

    def person(self, address: str) -> Person:
        return next(each for each in self.people if each.address == address)

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
        person = self.person(self.holders[match, seat][-1])
        old = person.about(match)
        if not old:
            return
        habit = self.often(HABITS)
        if "order" in habit and (seat not in now.awaited or now.outcome):
            habit = self.dice.choice(["plans", "question"])
        kind, said = getattr(self, habit)(match, seat, now)
        self.counts[f"mails {habit}"] += 1
        received = self.dice.choice(old) if self.dice.random() < 0.05 else old[-1]
        self.answers(person, received, kind, said)

    def answers(self, person: Person, received: Received, kind: str, said: str) -> None:
        """Somebody answers a mail they got, above the quoted text."""
        assert received.token is not None
        quoted = "\n".join(f"> {line}" for line in received.text.split("\n"))
        body = f"{said}\n\nOn Sunday the desk wrote:\n{quoted}\n"
        sender = f"{person.name} <{person.address}>"
        self.comes(kind, received.token[0], body, sender, f"Re: {received.subject}")

    def gives_up(self) -> None:
        """Most of those who were asked whether they resign say so again."""
        for person in self.people:
            for received in person.inbox[-3:]:
                asked = received.text.startswith(GIVE_UP)
                if asked and received.token and self.dice.random() >= 0.1:
                    self.counts["resignations sent back"] += 1
                    self.answers(person, received, "resign", "resign")

    def order(self, match: str, seat: str, now: Replay) -> Says:
        said = self.dice.choice(compose.legal(now.seen_by(seat), seat).texts)
        return Says(
            "order", self.dice.choice(["", "Hi all,\n\n", "Sorry for the delay!\n\n"]) + said
        )

    def order_and_press(self, match: str, seat: str, now: Replay) -> Says:
        word = self.word(match)
        return Says(f"press {word}", f"{self.order(match, seat, now).text}\nsay: with that {word}")

    def order_and_plans(self, match: str, seat: str, now: Replay) -> Says:
        move = self.dice.choice(compose.legal(now.seen_by(seat), seat).texts)
        plan = self.dice.choice(PLANS[now.game.NAME])
        return Says("order", f"[move]\n{move}\n{plan}\n[/move]")

    def order_and_question(self, match: str, seat: str, now: Replay) -> Says:
        asks = self.dice.choice(["board", "status", "help"])
        return Says("order", f"{self.order(match, seat, now).text}\n{asks}")

    def slip_and_question(self, match: str, seat: str, now: Replay) -> Says:
        asks = self.dice.choice(["board", "status", "help", "say: sorry", "plans"])
        return Says("slip", f"[move]\nfish everywhere\n[/move]\n{asks}")

    def plans(self, match: str, seat: str, now: Replay) -> Says:
        lines = self.dice.sample(PLANS[now.game.NAME], self.dice.randint(1, 2))
        return Says("plans", "\n".join(["[move]", *lines, "[/move]"]))

    def question_for_a_person(self, match: str, seat: str, now: Replay) -> Says:
        said = self.dice.choice(sorted(FOR_A_PERSON))
        if "takeback" in said:
            self.wishes.append(match)
        return Says(said, said)

    def question(self, match: str, seat: str, now: Replay) -> Says:
        said = self.dice.choice(["help", "board", "status", "withdraw", "plans"])
        return Says(said, said)

    def press(self, match: str, seat: str, now: Replay) -> Says:
        word = self.word(match)
        return Says(f"press {word}", f"say: well well {word}")

    def absence(self, match: str, seat: str, now: Replay) -> Says:
        today = date.fromisoformat(clock()[:10])
        days = sorted(today + timedelta(days=self.dice.randint(0, 9)) for _ in range(2))
        said = self.dice.choice([f"away {days[0]} to {days[1]}", f"away until {days[1]}", "back"])
        return Says("absence", said)

    def resignation(self, match: str, seat: str, now: Replay) -> Says:
        return Says("resign", self.dice.choice(["resign", "I resign.", "resign #9 a1b2"]))

    def nonsense(self, match: str, seat: str, now: Replay) -> Says:
        return Says("order", self.dice.choice(["bild HUNA-KAHU", "fish everywhere\ndraw draw"]))

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
        self.over, self.vacant = set(), {}
        for match, room in self.rooms.items():
            members, now = self.members(match), room.read()
            self.left.update((match, gone) for gone in self.told.get(match, set()) - members)
            self.told[match] = members
            self.over.update([match] if now.outcome else [])
            self.vacant.update((match, seat) for seat in now.vacant if not now.outcome)
        new = [file for file in self.post.outbox.rglob("*.eml") if file.name not in self.seen]
        for file in sorted(new, key=lambda each: (each.stat().st_mtime_ns, each)):
            self.seen.add(file.name)
            message = message_from_bytes(file.read_bytes(), policy=policy.default)
            for person in self.people:
                if person.address == message["To"]:
                    subject = str(message["Subject"])
                    answers = str(message["In-Reply-To"] or "")
                    asked = answers if answers.endswith("@x>") else ""
                    person.inbox.append(Received(file.stem, subject, text(message), asked))

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
            self.gives_up()
            for _ in range(len(self.rooms)):
                self.writes()
            for _ in range(max(1, len(self.rooms) // 3)):
                self.rule()
            self.run(kill=number in deadly)
        self.run()


def played(folder: Path, seed: int, *, matches: int, people: int, rounds: int, kills: int) -> Club:
    """A club after so many rounds."""
    club = Club(folder, seed, matches, people)
    club.play(rounds, kills)
    return club


def main() -> None:
    seed = int(sys.argv[sys.argv.index("--seed") + 1]) if "--seed" in sys.argv else 1
    start = time.monotonic()
    from club_check import wrong

    with tempfile.TemporaryDirectory() as folder:
        club = played(Path(folder), seed, matches=40, people=60, rounds=28, kills=10)
        took = time.monotonic() - start
        found = list(wrong(club))
    found += [f"nothing of this has happened: {each}" for each in SEEN if not club.counts[each]]
    print(*found, sep="\n")
    print(f"seed {seed}: {len(club.sent)} mails in, {len(club.seen)} out, {club.kills} kills")
    print(dict(sorted(club.counts.items())))
    print(f"played in {took:.0f} s, checked in {time.monotonic() - start - took:.0f} s")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
