"""What nobody can tell of a log by itself: the table in the documentation, held to what is found.

One match with a bit of everything is changed in one way after the other, by somebody who knows its
secret and makes all hashes anew. What `verify` then passes over must stand in the table, and
whatever stands in the table must be passed over.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from commands import ANA, BEN, SECRET, Room, announce, at, dealt, mail, pbem

from pbem.desk.give import give
from pbem.files import yamlio
from pbem.log import seal
from pbem.log.chance import seeded
from pbem.log.entries import Header, entry_text
from pbem.log.format import Log
from pbem.log.timing import Extend
from pbem.mailroom import agenda
from pbem.play import judge

Plain = dict[str, Any]
Change = Callable[[Plain, list[Plain]], object]
PAGE = Path(__file__).parents[1] / "docs/sealing-and-drawing.md"
WORDS = {"white": "ana had a little lamb", "black": "its fleece was white as snow"}


class Story:
    """Writes the match; what can be told otherwise are its arguments."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch, secret: bytes = SECRET) -> None:
        self.patch, self.mails = patch, 0
        patch.setattr(seal, "new_secret", lambda: secret)
        self.at("2026-09-21T10:00:00Z")
        people = ("--seat", f"white=Ana <{ANA}>", "--seat", f"black=Ben <{BEN}>")
        paced = ("--turn", 3, "--zone", "Europe/Berlin", "--silence", "draw or pass")
        rest = ("-o", "starter=white", "--match", "m", "--dir", folder, "--entropy", "seats")
        done = pbem("new", "kahuna", *people, *paced, *rest, "--bank", 0)
        assert done.code == 0, done.printed
        self.room = Room(folder / "m.pbem.yaml")

    def at(self, moment: str) -> str:
        self.moment = moment
        stamp = int(datetime.fromisoformat(moment).timestamp())
        self.patch.setenv("SOURCE_DATE_EPOCH", str(stamp))
        return moment

    def mailed(self, text: str, sender: str = ANA) -> None:
        self.mails += 1
        raw = mail(text, sender=sender, identity=f"<{self.mails}@example.org>")
        done = pbem("submit", self.room.log, "-", stdin=raw)
        assert done.code == 0, done.printed

    def plays(self, move: str, sender: str = ANA) -> None:
        self.mailed(f"#{self.room.read().position.ply} {move}", sender)

    def rule(self, *what: object) -> None:
        done = pbem("rule", self.room.log, *what, "--reason", "as agreed")
        assert done.code == 0, done.printed

    def told(self, words: dict[str, str] = WORDS, nth: int = 0) -> Room:
        path = str(self.room.log)
        now: Callable[[], str] = lambda: self.moment  # noqa: E731
        for sent in ("words sha256:{hash}", "words: {words}"):
            for seat, sender in (("white", ANA), ("black", BEN)):
                hashed = hashlib.sha256(words[seat].encode()).hexdigest()
                self.mailed(sent.format(hash=hashed, words=words[seat]), sender)
        self.at("2026-09-22T09:00:00Z")
        self.rule("note", "--text", "Welcome")
        self.plays("draw")
        give(path, Extend, at(now), {"by": 1})
        announce(path, at(now), "black", "2026-09-24", "2026-09-24")
        for moment in ("2026-09-27T18:00:01Z", "2026-09-29T18:00:01Z"):
            [owed] = agenda.owed(self.room.read(), self.at(moment))
            assert agenda.enter(path, owed, at(now), moment)
        self.plays("draw")
        self.rule("pause")
        self.rule("resume")
        self.plays("draw", BEN)
        self.plays("pass")
        self.rule("takeback", "--to", self.room.read().position.ply - 1)
        bridges = [text for text in legal(self.room) if "-" in text]
        self.plays(f"{bridges[nth]}; pass\nsay: Bye")
        self.rule("substitute", "--seat", "black", "--player", "Cara <cara@example.org>")
        self.rule("resign", "--seat", "black")
        done = pbem("reveal", self.room.log)
        assert done.code == 0, done.printed
        self.at("2026-11-01T00:00:00Z")
        return self.room


def legal(room: Room) -> list[str]:
    now = room.read()
    return sorted(map(now.game.notate, judge.legal_moves(now.game, now.state, "white")))


@pytest.fixture(scope="module")
def patched() -> Iterator[pytest.MonkeyPatch]:
    with pytest.MonkeyPatch.context() as patch:
        yield patch


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory, patched: pytest.MonkeyPatch) -> Room:
    room = Story(tmp_path_factory.mktemp("told"), patched).told()
    done = pbem("verify", room.log)
    assert done.code == 0, done.out
    return room


def changed(room: Room, folder: Path, change: Change) -> Room:
    """A copy of the match, changed and chained anew."""
    source = Log.read(str(room.log))
    head, entries = yamlio.parse(source.text, ""), yamlio.parse(source.text, "")["log"]
    del head["log"], head["format"]
    change(head, entries)
    header = Header(**head)
    text, chain = header.text(), header.chain
    for entry in entries:
        entry.pop("chain", None)
        more, chain = entry_text(chain, entry)
        text += more
    assert text != source.text
    (folder / "m.pbem.yaml").write_text(text)
    return Room(folder / "m.pbem.yaml")


# ----------------------------------------------------------------------------- small changes


def ply(entries: list[Plain], number: int) -> Plain:
    return next(entry for entry in entries if entry.get("ply") == number)


def ruling(entries: list[Plain], kind: str, nth: int = 0) -> Plain:
    return [entry for entry in entries if entry.get("ruling") == kind][nth]


def at_ruling(kind: str, nth: int = 0, **values: Any) -> Change:
    return lambda _, entries: ruling(entries, kind, nth).update(values)


def at_ply(number: int, **values: Any) -> Change:
    return lambda _, entries: ply(entries, number).update(values)


def at_head(**values: Any) -> Change:
    return lambda head, _: head.update(values)


def at_clock(**values: Any) -> Change:
    return lambda head, _: head["clock"].update(values)


def awaited_until(**values: Any) -> Change:
    return lambda head, _: head["entropy"].update(values)


def without(*kinds: str) -> Change:
    def change(_: Plain, entries: list[Plain]) -> None:
        for kind in kinds:
            entries.remove(ruling(entries, kind))

    return change


def after(kind: str, *new: Plain, by: str = "moderator") -> Change:
    """New entries after the last ruling of a kind."""

    def change(_: Plain, entries: list[Plain]) -> None:
        last = max(n for n, entry in enumerate(entries) if entry.get("ruling") == kind)
        told = [{"by": by, "at": entries[last]["at"], **entry} for entry in new]
        entries[last + 1 : last + 1] = told

    return change


def later(_: Plain, entries: list[Plain]) -> None:
    """All that happened since the moderator's silence was played, an hour later."""
    for entry in entries[entries.index(ply(entries, 14)) :]:
        entry["at"] = entry["at"].replace("T18:", "T19:")


def never_struck(_: Plain, entries: list[Plain]) -> None:
    """The ply that was taken back was never played."""
    entries.remove(ply(entries, 18))
    entries.remove(ruling(entries, "takeback"))
    for number in (19, 20):
        ply(entries, number)["ply"] = number - 1


def without_source(_: Plain, entries: list[Plain]) -> None:
    del ply(entries, 10)["source"]


def sold_as_resigned(kind: str, **values: Any) -> Change:
    def change(_: Plain, entries: list[Plain]) -> None:
        entry = ruling(entries, "resign")
        entry["ruling"] = kind
        entry.update(values)
        if "winners" in values:
            del entry["seat"]

    return change


def other_promise(_: Plain, entries: list[Plain]) -> None:
    words = ruling(entries, "words")
    words["text"] = "whatever suits the moderator"
    hashed = hashlib.sha256(words["text"].encode()).hexdigest()
    ruling(entries, "promise")["hash"] = f"sha256:{hashed}"


def passed_over(_: Plain, entries: list[Plain]) -> None:
    entry = ruling(entries, "words", 1)
    entry.update(ruling="pass-over", by="moderator")
    del entry["text"]


def swapped_seals(_: Plain, entries: list[Plain]) -> None:
    one, other = ply(entries, 1), ply(entries, 2)
    one["events"], other["events"] = other["events"], one["events"]


def other_card(_: Plain, entries: list[Plain]) -> None:
    ply(entries, 7).update(move="deal ELAI", events=[{"dealt": {"to": "display", "card": "ELAI"}}])


HASH = "hmac:" + ".".join(["0123456789abcdef01234567"] * 2)
NOTE = {"ruling": "note", "text": "Told you so"}
GIVEN = {"ruling": "extend", "seats": ["white"], "days": 3}

NAMES = "a name, a reason, the text of a `note`, a `source` left out"
GIVER = (
    "who gave a `promise`, `words`, `note`, `away`, `back`, `resign` or `vacate`: the seat or the "
    "moderator"
)
TIMES = "a time, as long as the order and every deadline that somebody missed still hold"
ENTRIES = "an entry left out or put in, where none before or after it speaks against it"
RULES = "the ruleset, an option, a setting of the clock, where no entry has come to depend on it"
SOURCE = "`source`, the fingerprint of a message, for another"
MOVE = "a move, with all that follows from it made anew"
GATHERED = "what goes into the draws, with all draws and moves made anew"
TAIL = "the last entries: cut off, or more of them"
SECRETS = "everything, with another secret"
DEALER = "draws in a match whose `dealer` is `asked` or `scripted`"


class Try(NamedTuple):
    """What is changed, and either the row of the table that says so or what `verify` says."""

    what: str
    change: Change
    row: str = ""
    said: str = ""


UNTOLD = [
    Try("the name of who began", at_head(seats={"white": "Ana", "black": "Bob"}), NAMES),
    Try("the name of a substitute", at_ruling("substitute", name="Zoe"), NAMES),
    Try("a reason", at_ruling("takeback", reason="a quarrel"), NAMES),
    Try("the text of a note", at_ruling("note", text="Go away"), NAMES),
    Try("who resigned", at_ruling("resign", by="black"), GIVER),
    Try("who said it", at_ruling("note", 1, by="moderator"), GIVER),
    Try("whose promise", at_ruling("promise", by="moderator"), GIVER),
    Try("whose words", at_ruling("words", by="moderator"), GIVER),
    Try("who announced an absence", at_ruling("away", by="moderator"), GIVER),
    Try("an hour later", later, TIMES),
    Try("revealed later", at_ruling("reveal", at="2026-10-21T10:00:00Z"), TIMES),
    Try("a note left out", without("note"), ENTRIES),
    Try("days given left out", without("extend"), ENTRIES),
    Try("an absence left out", without("away"), ENTRIES),
    Try("a pause left out", without("pause", "resume"), ENTRIES),
    Try("a silence left out", without("late", "default"), ENTRIES),
    Try("a substitute left out", without("substitute"), ENTRIES),
    Try("a takeback left out, with what it strikes", never_struck, ENTRIES),
    Try("a note put in", after("note", NOTE), ENTRIES),
    Try("days given put in", after("takeback", GIVEN), ENTRIES),
    Try("another ruleset", at_head(ruleset="rio-grande"), RULES),
    Try("another option", at_head(options={"starter": "white", "variant1": True}), RULES),
    Try("shorter grace", at_clock(grace=1), RULES),
    Try("fewer absences", at_clock(absences=1), RULES),
    Try("other moves for silence", at_clock(silence="ask"), RULES),
    Try("what is forced is played", at_head(forced="public"), RULES),
    Try("another fingerprint of a message", at_ply(10, source=HASH), SOURCE),
    Try("no fingerprint of a message", without_source, NAMES),
    Try("the end cut off", lambda _, e: e.__delitem__(slice(-3, None)), TAIL),
    Try("a remark at the end", after("reveal", NOTE), TAIL),
]
FOUND = [
    Try("a move", at_ply(19, move="DUDA-BARI"), said="other consequences"),
    Try("an event", at_ply(19, events=[]), said="other consequences"),
    Try("who moved", at_ply(16, seat="white"), said="would be refused"),
    Try("a card", other_card, said="the secret draws"),
    Try("two seals", swapped_seals, said="sealed with another key, or altered"),
    Try("a seal left out", lambda _, e: ply(e, 1).pop("whole"), said="hides its move"),
    Try("a ply left out", lambda _, e: e.remove(ply(e, 14)), said="count on by one"),
    Try("other words", at_ruling("words", text="x" * 20), said="not the words white promised"),
    Try("other words, and their promise", other_promise, said="the secret draws"),
    Try("words left out", passed_over, said="has time until"),
    Try("no time for promises", awaited_until(promises="2026-09-21T10:00:00Z"), said="not after"),
    Try("no time for words", awaited_until(words="2026-09-28T10:00:00Z"), said="not after"),
    Try("a day of no calendar", awaited_until(words="2026-11-31T10:00:00Z"), said="no such time"),
    Try("a dealer by hand", at_head(dealer="asked"), said="would prove nothing"),
    Try("who begins", at_head(options={"starter": "black"}), said="would"),
    Try("longer grace", at_clock(grace=3), said="this default is too early: the days of grace"),
    Try("a longer turn", at_clock(turn=9), said="this notice is too early"),
    Try("a silence that is no move", at_clock(silence="hop"), said="no move of this game"),
    Try("a notice left out", without("late"), said="this default is too early: black has had no"),
    Try(
        "silence in good time",
        lambda _, e: (without("late")(_, e), ruling(e, "default").update(at=ply(e, 11)["at"])),
        said="this default is too early: black has time until Sun 27 Sep 2026, 20:00 CEST",
    ),
    Try(
        "a default while words are awaited",
        after("promise", {"ruling": "default", "seat": "white"}),
        said="default cannot stand here: first each seat sends",
    ),
    Try("another's notice", at_ruling("late", seat="white"), said="not asked for a move here"),
    Try("a default of another", at_ruling("default", seat="white"), said="comes next, not one of"),
    Try("time running back", at_ply(16, at="2026-09-22T09:00:00Z"), said="time runs back"),
    Try("another ply struck", at_ruling("takeback", strikes=[16]), said="only the newest plies"),
    Try("another epoch", at_ruling("substitute", epoch=2), said="the next of black is 1"),
    Try("days a seat gives itself", at_ruling("extend", by="black"), said="only the moderator"),
    Try("revealed by a player", at_ruling("reveal", by="white"), said="only the moderator"),
    Try("an absence of another", at_ruling("away", by="white"), said="cannot speak for black"),
    Try("a seat vacated", sold_as_resigned("vacate"), said="where two play"),
    Try(
        "a winner named twice",
        sold_as_resigned("end", winners=["white", "white"]),
        said="white is named twice",
    ),
    Try("a source of no shape", at_ply(10, source="hmac:00"), said="no known shape"),
    Try("a source in clear", at_ply(10, source="ana@example.org"), said="no known shape"),
    Try("a source of a draw", at_ply(7, source=HASH), said="came of no message"),
    Try("a source of silence", at_ply(12, source=HASH), said="came of no message"),
]
assert len(UNTOLD) + len(FOUND) > 40


def table() -> dict[str, str]:
    """What changed, and what tells it: the rows in the documentation."""
    page = PAGE.read_text("utf-8").partition("| changed, and hashed anew |")[2]
    rows = page.partition("\n\n")[0].splitlines()[2:]
    told = (row.strip("| ").split(" | ") for row in rows)
    return {what: tells.strip() for what, tells in told}


def test_the_table_names_what_is_tried_here_and_nothing_else() -> None:
    tried = {each.row for each in UNTOLD} | {MOVE, GATHERED, SECRETS, DEALER}
    assert set(table()) == tried


@pytest.mark.parametrize("each", UNTOLD, ids=[each.what for each in UNTOLD])
def test_what_the_table_says_nobody_can_tell_is_passed_over(
    told: Room, tmp_path: Path, each: Try
) -> None:
    before, room = Log.read(str(told.log)), changed(told, tmp_path, each.change)
    done = pbem("verify", room.log)
    assert done.code == 0, done.out
    require_told_as_the_table_says(before, Log.read(str(room.log)), each.row)


def require_told_as_the_table_says(before: Log, after: Log, row: str) -> None:
    tells = table()[row]
    assert after.chain != before.chain
    assert (after.public_chain != before.public_chain) is ("by its `chain`" not in tells)


@pytest.mark.parametrize("each", FOUND, ids=[each.what for each in FOUND])
def test_what_the_table_does_not_name_is_found(told: Room, tmp_path: Path, each: Try) -> None:
    done = pbem("verify", changed(told, tmp_path, each.change).log)
    assert done.code == 65, done.out
    assert each.said in done.out
    assert "cannot be checked" not in done.out


# ------------------------------------------------------------------------- made anew


@pytest.mark.parametrize(
    ("row", "arguments", "secret"),
    [
        (MOVE, {"nth": 1}, SECRET),
        (GATHERED, {"words": {**WORDS, "black": "its fleece was dark as night"}}, SECRET),
        (SECRETS, {}, bytes(32)),
    ],
    ids=["another move", "other words", "another secret"],
)
def test_what_is_made_anew_is_as_good_as_the_first(
    told: Room, patched: pytest.MonkeyPatch, tmp_path: Path, row: str, arguments: Any, secret: bytes
) -> None:
    other = Story(tmp_path, patched, secret).told(**arguments)
    assert pbem("verify", other.log).code == 0
    before, now = Log.read(str(told.log)), Log.read(str(other.log))
    require_told_as_the_table_says(before, now, row)
    if row == SECRETS:
        assert before.header.commit != now.header.commit


def test_other_cards_of_a_dealer_who_is_asked_are_not_told_but_loudly_not_proven(
    tmp_path: Path,
) -> None:
    texts = []
    for seed in (1, 2):
        (tmp_path / str(seed)).mkdir()
        room = dealt(tmp_path / str(seed), dealer=seeded(seed), dealer_name="asked")
        done = pbem("verify", room.log, "--key", room.desk)
        assert done.code == 0
        assert "NO DRAW IS PROVEN" in done.out
        texts.append(room.log.read_text())
    assert texts[0] != texts[1]
    assert table()[DEALER] == "nothing: `verify` says so loudly"


# --------------------------------------------------------------------------- in the future


@pytest.mark.parametrize(
    ("now", "said"),
    [
        ("2026-09-20T00:00:00Z", "IN THE FUTURE: this match was begun after now"),
        ("2026-09-28T00:00:00Z", "entries are dated after now, 2026-09-28T00:00:00Z; the first: "),
        ("2026-09-28T00:00:00Z", "IN THE FUTURE: default, though nobody's time is over before"),
        ("2026-09-27T00:00:00Z", "IN THE FUTURE: late and default, though"),
    ],
)
def test_verify_says_loudly_what_lies_after_now(
    told: Room, monkeypatch: pytest.MonkeyPatch, now: str, said: str
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int(datetime.fromisoformat(now).timestamp())))
    done = pbem("verify", told.log)
    assert done.code == 0
    assert said in " ".join(done.out.split())


def test_of_a_log_that_lies_in_the_past_nothing_is_said_of_the_future(told: Room) -> None:
    assert "FUTURE" not in pbem("verify", told.log).out
