"""A simulated year of a club: scripted people in four time zones and five languages who join, wait,
host, play, forget, go on holiday, double-send, quote, answer too late, quit and come back; a desk
that runs at intervals and is killed at random. Prints what came of it, and fails if anybody was
told twice or not at all, a seat was filled twice, or a standing is not what the logs give.

python benchmarks/club.py [--people 200] [--days 365] [--every 10] [--kills 50] [--minutes 60]

`--every`: minutes of simulated time from run to run; `--calm 8`: all goes eight times slower;
`--minutes`: so long at most, in real time.
One desk works through all of it, `desk run --every`, until it is killed and the next begins; runs
for which there is no mail, and to which time brings nothing, are left out, but for four a day.
`standings.py` works the standings out anew.
"""

from __future__ import annotations

import argparse
import heapq
import json
import math
import os
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.message import EmailMessage
from itertools import count
from pathlib import Path
from typing import Any, Final, NamedTuple
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
sys.path.insert(0, str(Path(__file__).resolve().parent))
import standings
from commands import pbem
from kills import killed_at
from postroom import Post, _read, noted, text

from pbem.club import errands
from pbem.club.acts import DAYS_OPEN, HOURS, NEXT_AFTER, later
from pbem.club.clublog import ClubLog
from pbem.files.languages import speaking
from pbem.files.timestamp import stamp
from pbem.log.match import Replay
from pbem.mailroom.outbox.folder import Outbox
from pbem.mailroom.run import Mailroom
from pbem.matches import index
from pbem.report import compose
from pbem.sentence import say

START: Final = 1_780_000_000
HOUR: Final = 3600
RUN: Final = Mailroom.run
PUT: Final = Outbox.put
DAY: Final = 24 * HOUR
AT_LEAST: Final = 6 * HOUR
"""So long at most the desk does not look."""
LINES: Final = ("kahuna", "kahuna", "kahuna", "kanaloa-bambus", "kanaloa-piatnik 3", "any")
WORDS: Final = {
    "en": ("join", "I am", "yes", "no"),
    "de": ("mitspielen bei", "ich bin", "ja", "nein"),
    "fr": ("rejoindre", "je suis", "oui", "non"),
    "hu": ("csatlakozom", "a nevem", "igen", "nem"),
    "pl": ("zapisz mnie na", "nazywam się", "tak", "nie"),
}
MATCH: Final = re.compile(r"\[((?:kahuna|kanaloa)[\w-]*) #(\d+) ")
OFFER: Final = re.compile(r"\[year offer (\d+)\]")
PLY: Final = re.compile(r"^(\d+)(?:-(\d+))? \S", re.M)


class Heard(NamedTuple):
    """A mail somebody got."""

    name: str
    subject: str
    body: str
    answers: str


@dataclass
class Somebody:
    """A person: how they are, and what they got. `pace` is how many hours they take at most; on
    holiday, or having quit, they are silent until a moment."""

    name: str
    language: str
    zone: int
    pace: int
    forgets: float
    doubles: float
    quotes: float
    too_late: float
    silent_until: float = 0
    member: bool = False
    inbox: list[Heard] = field(default_factory=list)

    @property
    def address(self) -> str:
        return f"{self.name.lower()}@year.example"

    @property
    def words(self) -> tuple[str, str, str, str]:
        return WORDS[self.language]


class Year(Post):
    """The club, its people and what they are about to do."""

    def __init__(self, folder: Path, seed: int, people: int, calm: int) -> None:
        super().__init__(folder)
        self.dice, self.now, self.calm = random.Random(seed), START, calm
        self.todo: list[tuple[float, int, Callable[[], None]]] = []
        self.seen: set[str] = set()
        self.order, self.resignations = count(), set[str]()
        self.pending: set[tuple[str, str]] = set()
        self.sent: Counter[str] = Counter()
        self.answerable: set[str] = set()
        self.runs = self.kills = self.mails = 0
        self.room: Mailroom | None = None
        self.went_out, self.until = list[Path](), math.inf
        self.ticks, self.deadly, self.doomed = list[int](), set[int](), False
        self.wrong: list[str] = []
        self.people = [self._somebody(number) for number in range(people)]
        self.by_address = {each.address: each for each in self.people}
        self.at(START)
        done = pbem("club", "new", "year", "--dir", self.matches, "--turn", max(3, calm // 2))
        assert done.code == 0, done.printed

    def _somebody(self, number: int) -> Somebody:
        roll = self.dice.random
        return Somebody(
            *(f"P{number}", self.dice.choice(list(WORDS)), self.dice.choice((-8, 0, 1, 9))),
            *(self.dice.choice((3, 8, 20, 40)), roll() * 0.2, roll() * 0.2, roll(), roll() * 0.3),
        )

    def at(self, moment: float) -> None:
        """It is that late."""
        self.now = int(moment)
        os.environ["SOURCE_DATE_EPOCH"] = str(self.now)

    def soon(self, who: Somebody, hours: float, does: Callable[[], None]) -> None:
        """Somebody does something after so many hours, when they are awake and not away."""
        moment = max(self.now + hours * HOUR, who.silent_until)
        asleep = (moment / HOUR + who.zone) % 24 < 7
        heapq.heappush(self.todo, (moment + asleep * 7 * HOUR, next(self.order), does))

    # ------------------------------------------------------------------------------- mails

    def writes(self, who: Somebody, body: str, subject: str = "hello", quoted: str = "") -> None:
        """Somebody writes a mail, some of it twice."""
        self.mails += 1
        if quoted and self.dice.random() < who.quotes:
            lines = "\n".join(f"> {line}" for line in quoted.splitlines())
            body = f"{body}\n\nOn Sunday the desk wrote:\n{lines}"
        mail = EmailMessage()
        mail["From"], mail["To"] = f"{who.name} <{who.address}>", "desk@games.example"
        mail["Subject"], mail["Message-ID"] = subject, f"<{self.mails}@year.example>"
        mail.set_content(body)
        self.sent[body.split("\n")[0].split(" ")[0]] += 1
        self.comes(bytes(mail), at=self.now)
        if self.dice.random() < who.doubles:
            self.comes(bytes(mail), at=self.now + 1)

    def replies(self, who: Somebody, heard: Heard, body: str) -> None:
        """Somebody answers a mail."""
        self.writes(who, body, f"Re: {heard.subject}", heard.body)

    def works(self) -> None:
        """A desk works until it is killed, or the time is over."""
        place = ("--mail", self.box, "--matches", self.matches, "--outbox", self.outbox)
        own = ("--address", "desk@games.example", "--no-pictures", "--json", "--every", "600")
        many = ("--refusals", "1000")  # all of them may join on one day
        with (
            patch.object(time, "sleep", self.goes_on),
            patch.object(index, "_RACY", 50_000_000),  # minutes pass from run to run
            patch.object(Mailroom, "run", lambda room, box: self.noted_run(room, box)),
            patch.object(Outbox, "put", lambda box, mail, data: self.noted_put(box, mail, data)),
        ):
            done = pbem("desk", "run", *place, *own, *many)
        if done.code or done.err:
            self.wrong.append(f"a run failed: {done.printed[-300:]}")

    def noted_run(self, room: Mailroom, box: Any) -> Any:
        self.room = room
        return RUN(room, box)

    def noted_put(self, box: Outbox, mail: Any, data: bytes) -> None:
        PUT(box, mail, data)
        self.went_out.append(self.outbox / "private" / f"{mail.name}.eml")

    def goes_on(self, seconds: float) -> None:
        """The desk rests: all get their mails, and live on until it looks again."""
        self.runs += 1
        self.hear(self.went_out)
        self.went_out = []
        if not self.lives_on() or self.doomed:
            raise KeyboardInterrupt

    def lives_on(self) -> bool:
        """What people do until a run is not in vain; False if the time is over before."""
        brings, looked = self.next_due(), self.now
        while self.ticks and time.monotonic() < self.until:
            moment = self.ticks.pop()
            while self.todo and self.todo[0][0] <= moment:
                due, _, does = heapq.heappop(self.todo)
                self.at(max(due, self.now))
                does()
            self.at(moment)
            mails = bool(os.listdir(self.box / "new"))
            self.doomed |= moment in self.deadly
            due = stamp(moment) > brings or moment - looked >= AT_LEAST
            if mails or (due and not self.doomed):  # one that has nothing to do is hard to kill
                return True
        return False

    def killed(self) -> None:
        """A run that is killed at some instant."""
        self.kills += killed_at(self.dice.randrange(400), lambda: self.desk("--no-pictures"))
        self.hear(sorted(self.outbox.rglob("*.eml"), key=lambda each: each.name))

    def hear(self, mails: Iterable[Path]) -> None:
        """All get their mails, and see what they will do about them."""
        for file in mails:
            if file.name in self.seen:
                continue
            self.seen.add(file.name)
            message = _read.__wrapped__(file.read_bytes())
            if who := self.by_address.get(str(message["To"])):
                answers = str(message["In-Reply-To"] or "")
                heard = Heard(file.name, str(message["Subject"]), text(message), answers)
                who.inbox.append(heard)
                self.hears(who, heard)

    def next_due(self) -> str:
        """When time brings anything next, as the clocks of the matches and the club say."""
        assert self.room is not None
        at, club = stamp(self.now), ClubLog.read(str(self.matches)).club
        timed = [times for times, _ in self.room.matches.timetables().values()]
        found = [times.next(at) for times in timed]
        found += [each.ends for times in timed for each in times.away]
        found += [later(o.at, hours=n) for o in club.offers.values() for n in (NEXT_AFTER, HOURS)]
        days = (errands.REMINDED_AFTER, DAYS_OPEN)
        found += [later(each.at, days=n) for each in club.tables.values() for n in days]
        found += [later(each.at, days=errands.SOUGHT_DAYS) for each in club.vacancies.values()]
        return min((each for each in found if each >= at), default="9999")

    # ------------------------------------------------------------------------- what people do

    def hears(self, who: Somebody, heard: Heard) -> None:
        """Somebody got a mail: will they answer, and when?"""
        hours = self.dice.random() * who.pace * self.calm
        if re.match(r"\[year [0-9a-f]{16}\]", heard.subject):
            self.soon(who, hours / self.calm, lambda: self.confirms(who, heard))
        elif heard.answers in self.resignations:
            self.resignations.discard(heard.answers)
            self.soon(who, hours / self.calm, lambda: self.replies(who, heard, "resign"))
        elif OFFER.match(heard.subject):
            self.offered(who, heard, hours / self.calm)
        elif (found := MATCH.search(heard.subject)) and self.dice.random() >= who.forgets:
            self.means_to_play(who, found[1], hours)

    def means_to_play(self, who: Somebody, match: str, hours: float) -> None:
        """Somebody will look at a match, once however many mails they got."""
        if (who.name, match) not in self.pending:
            self.pending.add((who.name, match))
            self.soon(who, hours, lambda: self.plays(who, match))

    def confirms(self, who: Somebody, heard: Heard) -> None:
        """Somebody says who they are."""
        who.member = True
        self.replies(who, heard, f"{who.words[1]} {who.name}")

    def offered(self, who: Somebody, heard: Heard, hours: float) -> None:
        """Most say yes, some no, some forget, some are too late."""
        roll = self.dice.random()
        if roll < who.forgets:
            return
        says = who.words[2] if roll < 0.9 else who.words[3]
        if self.dice.random() < who.too_late:
            hours = 49 + self.dice.random() * 20
        self.soon(who, hours, lambda: self.replies(who, heard, says))

    def plays(self, who: Somebody, match: str) -> None:
        """Somebody moves, if it is their turn."""
        self.pending.discard((who.name, match))
        about = [each for each in who.inbox if f"[{match} #" in each.subject]
        assert self.room is not None
        now = self.room.matches.look(str(self.matches / f"{match}.pbem.yaml"))
        holders = {seat: who_sits(now, seat) for seat in now.setup.seats}
        mine = [s for s in now.awaited if holders[s] == who.name and s not in now.vacant]
        if now.outcome:
            if who.name in holders.values() and self.dice.random() < 0.3:
                self.replies(who, about[-1], "rematch")
            return
        if not mine:
            return
        if self.dice.random() < 0.03:
            self.replies(who, about[-1], "resign")
            self.resignations.add(f"<{self.mails}@year.example>")
            return
        moves = compose.legal(now.seen_by(mine[0]), mine[0]).texts
        short = [each for each in moves if each.startswith(("draw", "pass", "take"))]
        if not moves:
            self.wrong.append(f"{match}: {mine} is awaited and has no move, {now.position}")
            return
        move = self.dice.choice(short if short and self.dice.random() < 0.6 else moves)
        self.replies(who, about[-1], move)

    def wishes(self, who: Somebody) -> None:
        """What somebody does now and then, without being asked; and when next."""
        self.soon(who, 12 + self.dice.random() * 200 * self.calm, lambda: self.wishes(who))
        roll, join = self.dice.random(), who.words[0]
        if not who.member:
            return
        if roll < 0.45:
            self.writes(who, f"{join} {self.dice.choice(LINES)}")
        elif roll < 0.62:
            self.writes(who, "substitute")
        elif roll < 0.66:
            self.writes(who, "leave")
        elif roll < 0.72:
            other = self.dice.choice(self.people)
            self.writes(who, f"host kahuna variant1, 5 days: {other.name}")
        elif roll < 0.76:
            self.writes(who, f"avoid {self.dice.choice(self.people).name}")
        elif roll < 0.80:
            self.writes(who, f"limit {self.dice.randint(1, 6)}")
        elif roll < 0.86:
            self.writes(who, self.dice.choice(("me", "tables")))
        elif roll < 0.94:  # a holiday, of which some tell
            days = self.dice.randint(3, 14)
            about = [each for each in who.inbox if MATCH.search(each.subject)]
            if about and self.dice.random() < 0.5:
                until = datetime.fromtimestamp(self.now + days * DAY, UTC)
                self.replies(who, about[-1], f"away until {until:%Y-%m-%d}")
            who.silent_until = self.now + days * DAY
        elif roll < 0.96:
            who.silent_until = self.now + self.dice.choice((25, 1000)) * DAY

    # --------------------------------------------------------------------------- all of it

    def lives(self, days: int, every: int, kills: int) -> None:
        """So many days, with a run every so many minutes; the last is killed as well."""
        for who in self.people:
            self.soon(who, self.dice.random() * 24 * days / 3, lambda who=who: self.wishes(who))
            self.soon(who, self.dice.random() * 72 * self.calm, lambda who=who: self.joins(who))
        self.ticks = [START + n * every * 60 for n in range(days * 24 * 60 // every, 0, -1)]
        self.deadly = {self.ticks[0], *self.dice.sample(self.ticks, min(kills, len(self.ticks)))}
        self.works()
        while self.doomed:
            self.killed()
            self.doomed = False
            self.works()

    def joins(self, who: Somebody) -> None:
        """Somebody hears of the club."""
        self.writes(who, f"Hello,\n\n{who.words[0]} {self.dice.choice(LINES)}\n\n{who.name}")


def who_sits(now: Replay, seat: str) -> str:
    """The name of whoever sits there."""
    return str(now.players[seat])


# ----------------------------------------------------------------------------- what came of it


class Club(NamedTuple):
    """What is left of a year: its log's entries, and what `pbem club status` says."""

    entries: list[dict[str, Any]]
    state: dict[str, Any]


def checked(year: Year) -> Iterator[str]:
    """Everything that is wrong."""
    yield from year.wrong
    verified = pbem("verify", year.matches)
    if verified.code not in (0, 3):
        yield f"verify: {verified.printed[-400:]}"
    state = pbem("club", "status", year.matches, "--json").json
    entries = standings.log_of(year.matches / "club.pbem.yaml")["log"]
    club = Club(entries, state)
    due = pbem("club", "due", year.matches).out.splitlines()
    if due := [each for each in due if each.startswith("is due: ")]:
        yield f"a run has left what was due: {due[0][:200]}"
    yield from _standings(year, club)
    yield from _seats(year, club)
    yield from _told(year, club)
    yield from _plies_told(year)


def _standings(year: Year, club: Club) -> Iterator[str]:
    """Standings that the logs do not give."""
    moment = f"{datetime.fromtimestamp(year.now, UTC):%Y-%m-%dT%H:%M:%SZ}"
    own = standings.standing(year.matches, moment)
    for each in club.state["people"]:
        theirs = {key: each[key] for key in ("in_time", "kept")}
        if own["people"][each["handle"]] != theirs:
            yield f"{each['handle']}: {theirs}, and by the logs {own['people'][each['handle']]}"
    lines = sorted(line["waiting"] for line in club.state["lines"])
    if sorted(own["lines"].values()) != lines:
        yield f"lines {lines}, and by the log {sorted(own['lines'].values())}"


def _seats(year: Year, club: Club) -> Iterator[str]:
    """Seats that two hold, that the match and the club give to others, or whose holders were never
    to meet."""
    for each in club.state["matches"]:
        sits = {**standings.log_of(year.matches / f"{each['match']}.pbem.yaml")["seats"]}
        for entry in standings.log_of(year.matches / f"{each['match']}.pbem.yaml")["log"]:
            if entry.get("ruling") == "substitute":
                sits[entry["seat"]] = entry["name"]
        if sits != each["seats"]:
            yield f"{each['match']}: {sits} there, {each['seats']} in the club"
        if len({*sits.values()}) < len(sits):
            yield f"{each['match']}: somebody has two seats"
    filled = [(e["match"], e["seat"]) for e in club.entries if e["entry"] == "seated"]
    sought = [(e["match"], e["seat"]) for e in club.entries if e["entry"] == "sought"]
    for seat, times in Counter(filled).items():
        if times > Counter(sought)[seat]:
            yield f"{seat}: filled {times} times"


def _told(year: Year, club: Club) -> Iterator[str]:
    """Offers and news of the club that somebody was not told, or twice; mails answered twice."""
    asked = {each["offer"]: each["to"] for each in club.entries if each["entry"] == "offered"}
    standing = {each["offer"] for each in club.state["offers"]}
    answered = {e["offer"] for e in club.entries if e["entry"] in ("accepted", "declined")}
    news = Counter(club_news(club.entries))
    for who in year.people:
        offers = Counter(f[1] for each in who.inbox if (f := OFFER.match(each.subject)))
        for number, times in offers.items():
            if times > 1 or asked.get(number) != who.name:
                yield f"{who.name} got offer {number} {times} times"
        for number in (n for n, to in asked.items() if to == who.name and n not in offers):
            if number in answered or int(number) in standing:
                yield f"{who.name} was never told of offer {number}"
        subject = told(who, "[{club}] News for you", club="year")
        heard = sum(each.subject == subject for each in who.inbox)
        if heard != news[who.name]:
            yield f"{who.name} got {heard} news of the club, for {news[who.name]} entries"
        answers = Counter(each.answers for each in who.inbox if "@year.example>" in each.answers)
        twice = [mail for mail, times in answers.items() if times > 1]
        if twice:
            yield f"{who.name}: {len(twice)} mails were answered twice, such as {twice[0]}"


def club_news(entries: list[dict[str, Any]]) -> Iterator[str]:
    """Who is to hear of each entry that no match tells."""
    asked, hosts, holder = {}, {}, {}
    for each in entries:
        match each["entry"]:
            case "offered":
                asked[each["offer"]] = each
            case "hosted":
                hosts[each["table"]] = each["host"]
            case "began":
                holder |= {(each["match"], seat): who for seat, who in each["seats"].items()}
            case "accepted" if "match" in asked[each["offer"]]:
                offer = asked[each["offer"]]
                holder[offer["match"], offer["seat"]] = offer["to"]
            case "seated":
                holder[each["match"], each["seat"]] = each["handle"]
            case "lapsed" | "declined":
                to, table = asked[each["offer"]]["to"], asked[each["offer"]].get("table")
                if each["entry"] == "lapsed":
                    yield to
                if table and hosts[table] != to:
                    yield hosts[table]
            case "expired":
                yield hosts[each["table"]]
            case "sought" if each["cause"] == "silence":
                yield holder[each["match"], each["seat"]]


def _plies_told(year: Year) -> Iterator[str]:
    """Plies of a match that somebody was told twice, or never."""
    heard: dict[tuple[str, str], list[Heard]] = {}
    for who in year.people:
        for each in who.inbox:
            if found := MATCH.search(each.subject):
                heard.setdefault((who.name, found[1]), []).append(each)
    for log in sorted(year.matches.glob("k*.pbem.yaml")):
        match, data = log.name.removesuffix(".pbem.yaml"), standings.log_of(log)
        last = max((int(each["ply"]) for each in data["log"] if "ply" in each), default=0)
        sits = {**data["seats"]} | {
            each["seat"]: each["name"] for each in data["log"] if each.get("ruling") == "substitute"
        }
        for who in year.people:
            about = heard.get((who.name, match), [])
            how = told(who, "How this match is played").upper()
            begun = [each for each in about if how in each.body]
            if who.name in sits.values() and len(begun) != 1:
                yield f"{who.name} was told {len(begun)} beginnings of {match}"
            plies = list[int]()
            for each in about:
                for first, end in PLY.findall(news(who, each.body)):
                    plies += range(int(first), int(end or first) + 1)
            if plies != sorted(set(plies)):
                yield f"{who.name} was told plies of {match} twice: {plies}"
            newest = max((int(MATCH.search(each.subject)[2]) for each in about), default=0)
            if who.name in sits.values() and newest < last:
                yield f"{who.name} heard of {match} up to #{newest} of {last}"


def told(who: Somebody, sentence: str, **values: object) -> str:
    """How somebody is told a sentence."""
    with speaking(who.language):
        return say(sentence, **values).text()


def news(who: Somebody, body: str) -> str:
    """What a letter says has happened: the lines up to the next heading."""
    heading = told(who, "What happened").upper()
    found = list[str]()
    for line in body.partition(f"{heading}\n")[2].split("\n"):
        if line and line == line.upper() and re.search(r"[^\W\d_]{3}", line):
            break
        found.append(line)
    return "\n".join(found)


def empty_seats(entries: list[dict[str, Any]]) -> Iterator[float]:
    """For each seat that somebody of the pool took: the hours since the first was asked, who was
    the first there with room for it, and whoever took it stood in the pool."""
    offers, asked, pooled = {}, {}, dict[str, float]()
    for each in entries:
        moment = datetime.fromisoformat(each["at"]).timestamp()
        match each["entry"]:
            case "sought":
                asked.pop((each["match"], each["seat"]), None)
            case "waits" if each["terms"]["game"] == "substitute":
                pooled[each["handle"]] = moment
            case "offered" if "match" in each:
                seat = each["match"], each["seat"]
                offers[each["offer"]] = seat, each["to"]
                asked.setdefault(seat, moment)
            case "accepted" if each["offer"] in offers:
                seat, taker = offers[each["offer"]]
                yield (moment - max(asked[seat], pooled[taker])) / HOUR


def figures(year: Year, took: float) -> dict[str, Any]:
    """What the year was like."""
    entries = standings.log_of(year.matches / "club.pbem.yaml")["log"]
    state = pbem("club", "status", year.matches, "--json").json
    kinds = Counter(each["entry"] for each in entries)
    empty = [round(hours, 1) for hours in empty_seats(entries)]
    came = noted(year.matches)
    aside = [*(year.matches / ".mailroom" / "aside").glob("*.txt")]
    return {
        "days": (year.now - START) // DAY,
        "members": len(state["people"]),
        "mails in": len(came),
        "mails out": len(year.seen),
        "matches begun": len(state["matches"]),
        "matches finished": sum(each["over"] for each in state["matches"]),
        "seats sought": kinds["sought"],
        "seats filled": len(empty),
        "longest seat empty, the pool having somebody willing (h)": max(empty, default=0),
        "offers": kinds["offered"],
        "offers lapsed": kinds["lapsed"],
        "mails laid aside": len(aside),
        "of 1,000": round(1000 * len(aside) / max(1, len(came)), 1),
        "runs": year.runs,
        "kills": year.kills,
        "verdicts": dict(Counter(each["verdict"] for each in came)),
        "processor seconds": round(took, 1),
    }


def lived(
    folder: Path, *, seed: int, people: int, calm: int, minutes: float = math.inf, **lives: int
) -> tuple[Year, dict[str, Any], list[str]]:
    """A year of a club, or what of it can be played within so many minutes; what it was like, and
    what is wrong. `lives`: see Year.lives."""
    start = time.monotonic()
    secrets = random.Random(seed)  # or lots and cards would be others each time
    with patch("pbem.log.seal.new_secret", lambda: secrets.randbytes(32)):
        year = Year(folder, seed, people, calm)
        year.until = start + minutes * 60
        year.lives(**lives)
    return year, figures(year, time.process_time()), [*checked(year)]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    for name, usual in {
        "people": 30,
        "days": 60,
        "every": 240,
        "kills": 3,
        "seed": 1,
        "calm": 1,
        "minutes": 10**6,
    }.items():
        arguments.add_argument(f"--{name}", type=int, default=usual)
    arguments.add_argument("--keep", type=Path, help="a folder that stays")
    given = vars(arguments.parse_args())
    kept = given.pop("keep")
    with tempfile.TemporaryDirectory() as folder:
        _, like, wrong = lived(kept or Path(folder), **given)
        print(json.dumps(like, indent=1))
        print(*wrong, sep="\n")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
