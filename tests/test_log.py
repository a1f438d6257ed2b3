"""The log: what is written reads back, what was tampered with is named, what is shut stays shut."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.core import CHANCE, HIDDEN, MOVER, SEAT, Event, Move, fact, one_of, record
from pbem.files import data, yamlio
from pbem.log import seal, sealing
from pbem.log.entries import Header, Ply, entry_text
from pbem.log.entropy import gathering
from pbem.log.format import Log
from pbem.log.ruling import PLAY, SILENCE
from pbem.log.rulings import RULINGS, Ruled, Takeback
from pbem.log.seal import Keyring
from pbem.problem import Denied, NotNow, Problem

CARD = one_of("a card", ["ALOA", "BARI", "COCO"])
SECRET = bytes(range(32))
NOW = "2026-11-21T03:40:00Z"


@record
class Deal(Move):
    card: str = fact(CARD, secret="to")
    to: str = fact(SEAT)


@record
class Build(Move):
    card: str = fact(CARD)


@record
class Tuck(Move):
    card: str = fact(CARD, secret=MOVER)


@record
class Dealt(Event):
    to: str = fact(SEAT)
    card: str = fact(CARD, secret="to")


@record
class Built(Event):
    seat: str = fact(SEAT)
    card: str = fact(CARD)


@record
class Tucked(Event):
    card: str = fact(CARD, secret=MOVER)


TOY = SimpleNamespace(
    EVENTS=(Dealt, Built, Tucked), notate=lambda move: f"{type(move).__name__.lower()} {move.card}"
)
HEADER = Header(
    match="toy-07",
    game="toy",
    ruleset="plain",
    seats={"white": "Ana", "black": 'B: "en" #1'},
    dealer="sealed",
    created=NOW,
    commit=seal.commit(SECRET),
    options={"starter": "white"},
)
MODERATOR = Keyring.moderator(SECRET, "toy-07")
WHITE, BLACK = MODERATOR.for_seat("white"), MODERATOR.for_seat("black")


def started():
    return Log.parse(HEADER.text(), "m.pbem.yaml")


def played(so_far, seat, move, *events):
    entry = sealing.ply_entry(so_far, TOY, MODERATOR, seat, move, events, at=NOW)
    return so_far.extend(entry)


def ruled(so_far, kind, by="moderator", **data):
    return so_far.extend({"ruling": kind, "by": by, **data, "at": NOW})


def of_earlier(so_far, kind, by, **data):
    """The log with a ruling that only earlier versions wrote."""
    text, _ = entry_text(so_far.chain, {"ruling": kind, "by": by, **data, "at": NOW})
    return Log.parse(so_far.text + text, so_far.path)


def match():
    """Six plies, one of them struck, a substitute, a note."""
    m = started()
    m = played(m, CHANCE, Deal("ALOA", "white"), Dealt("white", "ALOA"), Dealt("white", "ALOA"))
    m = played(m, CHANCE, Deal("BARI", "black"), Dealt("black", "BARI"))
    m = played(m, "white", Build("ALOA"), Built("white", "ALOA"))
    m = ruled(m, "takeback", strikes=[3], reason="A slip: two\nlines")
    m = played(m, "white", Tuck("ALOA"), Tucked("ALOA"))
    m = ruled(m, "substitute", seat="white", name="Cara", epoch=1, reason="Ana is ill")
    m = played(m, CHANCE, Deal("COCO", "white"), Dealt("white", "COCO"))
    m = ruled(m, "note", text="Next round on Monday")
    return played(m, CHANCE, Deal("COCO", "display"), Dealt("display", "COCO"))


def test_a_log_reads_back_as_it_was_built():
    built = match()
    assert Log.parse(built.text, "m.pbem.yaml") == built


def test_a_new_log_is_its_header_with_room_for_entries():
    assert HEADER.text() == (
        "# yaml-language-server: $schema=./log.schema.json\n"
        "format: pbem-log/1\n"
        "match: toy-07\n"
        "game: toy\n"
        "ruleset: plain\n"
        "options: {starter: white}\n"
        'seats: {white: Ana, black: "B: \\"en\\" #1"}\n'
        "dealer: sealed\n"
        'created: "2026-11-21T03:40:00Z"\n'
        f"commit: {HEADER.commit}\n"
        "log:\n"
    )
    assert started().entries == ()


def test_comments_and_line_ends_may_be_changed():
    text = match().text.replace("\n- ruling: note", "\n# a remark\n- ruling: note   # here")
    assert Log.parse(text, "x").entries == match().entries
    assert Log.parse(text.replace("\n", "\r\n"), "x").entries == match().entries
    shorter = Log.parse(match().text.rstrip("\n"), "x")
    assert ruled(shorter, "note", text="more").text.startswith(match().text)


def test_an_entry_is_found_as_a_ply_or_a_ruling():
    third, fourth = match().entries[2:4]
    built = {"built": {"seat": "white", "card": "ALOA"}}
    assert third == Ply(
        3, "white", "build ALOA", "", (built,), NOW, "", third.chain, third.public_chain, 2
    )
    assert fourth == Ruled(
        Takeback((3,)), "moderator", "A slip: two\nlines", NOW, fourth.chain, fourth.public_chain, 3
    )


# -------------------------------------------------------------------------------- reading


ENTRY = f'- ply: 1\n  seat: white\n  move: build ALOA\n  events: []\n  at: "{NOW}"\n'


@pytest.mark.parametrize(
    ("change", "place", "message"),
    [
        (("pbem-log/1", "pbem-log/3"), "2:1", "written by a newer pbem; update yours"),
        (("pbem-log/1", "pgn"), "2:1", "not a match log"),
        (("format: pbem-log/1\n", ""), "2:1", "expected 'format: pbem-log/1'"),
        (("game: toy\n", ""), "2:1", "missing: game"),
        (("game: toy\n", "gmae: toy\n"), "4:1", "unknown key 'gmae'"),
        (("game: toy\n", "game: 7\n"), "4:1", "game is 7; expected a short name"),
        (("match: toy-07\n", "match: toy 07\n"), "3:1", "expected a name without blanks"),
        (("dealer: sealed", "dealer: cheat"), "8:1", "expected sealed, asked or scripted"),
        (("white: Ana", "chance: Ana"), "7:1", "expected seats and who sits there"),
        (("white: Ana", 'white: "A\\na"'), "7:1", "expected seats and who sits there"),
        (("seats: {white", "seats: {white: Ana, white"), "7:21", "stands here a second time"),
        (("\nlog:\n", "\nlog: []\n"), "11:1", "write 'log:' and nothing behind it"),
        (("\nlog:\n", "\n"), "2:1", "missing: log"),
        (("log:\n", "log:\n  - note\n"), "12:5", "expected one that starts with 'ply:'"),
        (("log:\n", "log: 7\n"), "11:1", "log is 7; expected a list of entries"),
        (("\ncommit:", "\ncommit: sha256:12 #"), "10:1", "64 hexadecimal digits"),
        (("2026-11-21T03:40:00Z", "yesterday"), "9:1", 'expected a time like "2026'),
        (("log:\n", "log:\n" + ENTRY), "12", "the last entry is not complete"),
        (("log:\n", "log:\n" + ENTRY.replace("- ply", "- plie")), "12", "not complete"),
    ],
)
def test_a_header_that_is_wrong_is_named_with_its_place(change, place, message):
    text = HEADER.text()
    assert text.count(change[0]) >= 1
    with pytest.raises(Problem) as caught:
        Log.parse(text.replace(*change, 1), "x")
    assert message in caught.value.message
    assert str(caught.value).startswith(f"x:{place}")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("build ALOA", "build COCO"), "x:29:3: the chain breaks at ply 3: this entry was edited"),
        (("to: black, card", "to: white, card"), "x:21:3: the chain breaks at ply 2"),
        (("A slip", "A whim"), "x:36:3: the chain breaks at this takeback"),
        (("white: Ana", "white: Eva"), "x:12:3: the chain breaks at ply 1: the header or this"),
        (("- ply: 2", "- ply: 7"), "x:21:3: ply 7 follows ply 1; plies count on by one"),
        (
            ("seat: white\n  move: build", "seat: red\n  move: build"),
            "x:30:3: 'red' is not one of white, black, chance",
        ),
        (("strikes: [3]", "strikes: [2]"), "only the newest plies that still stand can be struck"),
        (("strikes: [3]", "strikes: []"), "can be struck (3)"),
        (("strikes: [3]", "strikes: [2, 3, 4]"), "can be struck (1, 2, 3)"),
        (("epoch: 1", "epoch: 2"), "epoch 2: the next of white is 1"),
        (("ruling: note", "ruling: nota"), "'nota' is not a ruling; known are takeback"),
        (("ruling: note", "ruling: reveal"), "unknown key 'text'"),
        (("by: moderator", "by: chance"), "'chance' is not one of white, black, moderator"),
        (("  move: build ALOA\n", ""), "x:29:3: missing: move"),
        (("move: build ALOA", "move: 3"), "x:31:3: move is 3; expected a line of text"),
        (("  - built:", "  - 7\n  - built:"), "expected a list of events"),
        (("\n- ruling: note", "\n-\n  ruling: note"), "entries must stand at the left margin"),
        (("ply: 2", "ply: 2\n  seat: white"), "'seat' stands here a second time"),
    ],
)
def test_an_entry_that_was_changed_is_named_with_its_place(change, message):
    text = match().text
    assert text.count(change[0]) >= 1
    with pytest.raises(Problem) as caught:
        Log.parse(text.replace(*change, 1), "x")
    assert message in str(caught.value)


def test_a_removed_entry_breaks_the_chain_or_the_count():
    blocks = match().text.split("\n- ")
    for gone in range(1, len(blocks) - 1):
        with pytest.raises(Problem, match=r"^x:\d+:\d+: "):
            Log.parse("\n- ".join(blocks[:gone] + blocks[gone + 1 :]), "x")


def test_a_tail_cut_anywhere_is_recognised_and_named():
    text = match().text.rstrip("\n")
    start = text.rindex("\n- ply: 6") + 1
    line = text.count("\n", 0, start) + 1
    for end in range(start + 2, len(text)):
        with pytest.raises(Problem) as caught:
            Log.parse(text[:end], "x")
        assert caught.value.line == line
        assert "the last entry is not complete" in caught.value.message


def test_an_entry_that_could_not_be_read_is_not_made():
    m = match()
    for entry, message in [
        ({"ruling": "takeback", "by": "moderator", "strikes": [4], "at": NOW}, "newest plies"),
        ({"ruling": "resign", "by": "moderator", "seat": "red", "at": NOW}, "'red' is not one of"),
        ({"ruling": "note", "by": "moderator", "text": "ding\x07", "at": NOW}, "control character"),
        ({"ruling": "note", "by": "moderator", "at": NOW}, "missing: text"),
        ({"ruling": "reveal", "by": "moderator", "secret": "00" * 32, "at": NOW}, "commits to"),
    ]:
        with pytest.raises(Problem, match=message) as caught:
            m.extend(entry)
        assert caught.value.line == 0


@settings(max_examples=150)
@given(st.data())
def test_no_mutation_of_a_log_gives_anything_but_a_log_or_a_problem(data):
    text = match().text
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 30)))
        put = data.draw(st.text("- :{}[]\"'#\n\taply0123\x00\u2028", max_size=6))
        text = text[:start] + put + text[end:]
    with contextlib.suppress(Problem):
        read = Log.parse(text, "x")
        assert [e.chain for e in read.entries] == [e.chain for e in match().entries][
            : len(read.entries)
        ]


@settings(max_examples=100)
@given(st.binary(max_size=300) | st.binary(max_size=60).map(lambda b: match().text.encode() + b))
def test_no_bytes_give_anything_but_a_log_or_a_problem(tmp_path_factory, data):
    file = tmp_path_factory.getbasetemp() / "fuzz.yaml"
    file.write_bytes(data)
    with contextlib.suppress(Problem):
        assert isinstance(Log.read(str(file)), Log)


@pytest.mark.parametrize(
    "entry",
    ["", "null", "[]", "7", "[{}, []]", "[{}, [7]]", '[[], [["takeback"]]]', '[{"match": 1}, 7]'],
)
def test_a_malformed_entry_of_the_cache_is_a_miss(tmp_path, monkeypatch, entry):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    text = match().text
    whole = Log.parse(text, "x")
    for file in (files := list(tmp_path.rglob("*.json"))):
        file.write_text(entry)
    assert files
    assert Log.parse(text, "x") == whole


# -------------------------------------------------------------------------------- looking


def test_struck_plies_stay_in_the_log_and_out_of_the_match():
    assert [ply.number for ply in match().live] == [1, 2, 4, 5, 6]
    assert match().position[0] == 6


def test_plies_struck_one_after_the_other_leave_what_lies_below():
    m = ruled(match(), "takeback", strikes=[6, 5])
    m = ruled(m, "takeback", strikes=[4])
    assert [ply.number for ply in m.live] == [1, 2]
    m = played(m, "white", Build("ALOA"), Built("white", "ALOA"))
    assert [ply.number for ply in m.live] == [1, 2, 7]


def test_notes_and_entropy_leave_the_position_everything_else_changes_it():
    m = match()
    assert started().position == (0, HEADER.chain[7:11])
    assert m.position == (6, m.entries[-1].public_chain[7:11])
    noted = ruled(m, "note", by="black", text="hello")
    noted = of_earlier(noted, "entropy", by="black", seat="black", text="4711")
    assert noted.position == m.position
    assert ruled(noted, "takeback", strikes=[6]).position != m.position


def test_entropy_counts_from_the_next_ply_on():
    m = of_earlier(started(), "entropy", by="white", seat="white", text="dice: 4")
    m = played(m, CHANCE, Deal("ALOA", "white"), Dealt("white", "ALOA"))
    m = of_earlier(m, "entropy", by="black", seat="black", text="x")
    assert [m.entropy(ply) for ply in (1, 2, 3)] == [["dice: 4"], *[["dice: 4", "x"]] * 2]


def test_a_substitute_sits_down_with_a_new_epoch():
    assert match().names == {"white": "Cara", "black": HEADER.seats["black"]}
    assert match().epochs == {"white": 1, "black": 0}


# -------------------------------------------------------------------------------- opening


def known(keyring):
    return [event for _, events in sealing.open_events(match(), TOY, keyring) for event in events]


def knowledge(first="?", black="?", tucked="?", later="?"):
    return [
        Dealt("white", first),
        Dealt("white", first),
        Dealt("black", black),
        Tucked(tucked),
        Dealt("white", later),
        Dealt("display", "COCO"),
    ]


@pytest.mark.parametrize(
    ("keyring", "events"),
    [
        (MODERATOR, knowledge("ALOA", "BARI", "ALOA", "COCO")),
        (WHITE, knowledge(first="ALOA", tucked="ALOA")),
        (MODERATOR.for_seat("white", 1), knowledge(first="ALOA", tucked="ALOA", later="COCO")),
        (BLACK, knowledge(black="BARI")),
        (Keyring.none(), knowledge()),
    ],
)
def test_each_reader_knows_what_his_keys_open(keyring, events):
    assert known(keyring) == events


def test_nothing_secret_stands_open_in_the_text():
    m = match()
    public = m.text.split("\n- ")
    assert public[1].startswith("ply: 1\n  seat: chance\n  move: deal ?\n  whole: sealed:0:")
    assert "BARI" not in m.text
    assert m.text.count("COCO") == 2
    first, second = m.entries[0].events
    assert first["dealt"]["card"] != second["dealt"]["card"]


@pytest.mark.parametrize(
    ("keyring", "moves"),
    [
        (MODERATOR, ["deal ALOA", "deal BARI", "tuck ALOA", "deal COCO", "deal COCO"]),
        (WHITE, ["deal ALOA", None, "tuck ALOA", None, "deal COCO"]),
        (BLACK, [None, "deal BARI", None, None, "deal COCO"]),
        (Keyring.none(), [None, None, None, None, "deal COCO"]),
    ],
)
def test_the_whole_move_is_read_with_its_owners_key(keyring, moves):
    assert [sealing.whole_move(ply, keyring, match()) for ply in match().live] == moves


def test_after_the_reveal_everybody_reads_everything():
    m = ruled(match(), "end", winners=["white"])
    m = ruled(m, "reveal", secret=SECRET.hex())
    opened = sealing.open_events(m, TOY, Keyring.none())
    assert [event for _, events in opened for event in events] == known(MODERATOR)


def test_struck_plies_open_when_asked_for():
    m = match()
    [(_, events)] = sealing.open_events(m, TOY, BLACK, [m.entries[2]])
    assert events == (Built("white", "ALOA"),)


@pytest.mark.parametrize(
    ("keyring", "message"),
    [
        (Keyring.moderator(bytes(32), "toy-07"), "not the secret the header commits to"),
        (Keyring.moderator(SECRET, "toy-08"), "keys are for match 'toy-08'"),
        (Keyring.seat("toy-08", "white", {0: bytes(32)}), "keys are for match 'toy-08'"),
    ],
)
def test_the_keys_of_another_match_are_turned_away(keyring, message):
    with pytest.raises(Problem, match=message) as caught:
        sealing.open_events(match(), TOY, keyring)
    assert isinstance(caught.value, Denied)


def test_a_wrong_key_is_named_where_it_fails():
    wrong = Keyring.seat("toy-07", "black", {0: bytes(32)})
    with pytest.raises(Problem, match=r"^m\.pbem\.yaml:26:5: ply 2: .*another key, or altered"):
        sealing.open_events(match(), TOY, wrong)


def test_an_event_the_game_does_not_know_is_named_where_it_stands():
    entry = {"ply": 1, "seat": "white", "move": "x", "events": [{"biult": {}}], "at": NOW}
    m = started().extend(entry)
    with pytest.raises(Problem, match=r":16:5: ply 1: unknown: 'biult'; did you mean 'built'"):
        sealing.open_events(m, TOY, Keyring.none())


def test_only_the_moderator_can_seal():
    with pytest.raises(Problem, match="takes the moderator's key"):
        sealing.ply_entry(
            match(), TOY, WHITE, CHANCE, Deal("BARI", "black"), [Dealt("black", "BARI")], at=NOW
        )


def test_what_the_writer_himself_does_not_know_stays_hidden():
    entry = sealing.ply_entry(
        match(), TOY, MODERATOR, "black", Tuck(HIDDEN), [Tucked(HIDDEN)], at=NOW
    )
    assert "whole" not in entry
    assert entry["events"] == [{"tucked": {"card": "?"}}]


# ------------------------------------------------------------------------- what follows what


WHITES, BLACKS = "words that White chose", "words that Black chose"
GATHERED = {"from": "seats", "promises": NOW, "words": NOW}
PUBLIC = {"from": "public", "value": "Lotto 6 aus 49"}
LATER = "2026-11-22T03:40:00Z"


def promised(seat, words):
    return ("promise", {"seat": seat, "hash": gathering.promise(words)})


PROMISED = [promised("white", WHITES), promised("black", BLACKS)]
SENT = [*PROMISED, ("words", {"seat": "white", "text": WHITES})]
STAGES = {
    # the stage, what the header gathers, and the entries that lead there
    "promises": (GATHERED, PROMISED[:1]),
    "words": (GATHERED, SENT),
    "value": (PUBLIC, []),
    "play": (None, []),
    "silence": (None, [("default", {"seat": "black"})]),
    "ended": (None, [("end", {"winners": []})]),
    "revealed": (None, [("end", {"winners": []}), ("reveal", {"secret": SECRET.hex()})]),
}
CONTENT = {
    "takeback": {"strikes": [2]},
    "default": {"seat": "black"},
    "substitute": {"seat": "black", "name": "Zoe", "epoch": 1},
    "resign": {"seat": "black"},
    "vacate": {"seat": "black"},
    "note": {"text": "x"},
    "end": {"winners": []},
    "reopen": {},
    "entropy": {"seat": "black", "text": "x"},
    "reveal": {"secret": SECRET.hex()},
    "promise": PROMISED[1][1],
    "words": {"seat": "black", "text": BLACKS},
    "pass-over": {"seat": "black"},
    "value": {"text": "1 2 3"},
    "late": {"seat": "black"},
    "extend": {"seats": ["black"], "days": 2},
    "pause": {},
    "resume": {},
    "away": {"seat": "black", "first": "2026-12-20", "last": "2027-01-05"},
    "back": {"seat": "black", "first": "2026-12-30"},
    "clock": {"settings": {"zone": "Europe/Berlin", "at": "20:00", "turn": 3, "interrupt": 1}},
    "redate": {},
    "press": {"parts": [f"sealed:0:{'A' * 40}"] * 2},
    "restore": {"restores": [2], "strikes": []},
    "rename": {"seat": "black", "name": "Player 2", "epoch": 0},
    "option": {"option": "variant1", "value": True, "seats": ["white", "black"]},
}
CLOCK = CONTENT["clock"]["settings"]
CLOCK.update(grace=2, bank=0, closed=["sat"], absences=28, remind=1, silence="draw or pass")
BEFORE = {"resume": "pause", "back": "away"}
"""What a ruling takes back must have been ruled."""


STAGES_OF = {"ply": (PLAY, SILENCE), **{name: kind.stages for name, kind in RULINGS.items()}}
"""Where each entry may stand, by its own word."""


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("what", ["ply", *RULINGS])
def test_an_entry_is_written_exactly_where_the_table_has_it(stage, what):
    gathers, entries = STAGES[stage]
    header = HEADER._replace(entropy=gathers, clock=CLOCK, press="private")
    m = Log.parse(header.text(), "m.pbem.yaml")
    if what in BEFORE:
        m = ruled(m, BEFORE[what], **CONTENT[BEFORE[what]])
    if gathers is None:
        m = played(m, "white", Build("ALOA"), Built("white", "ALOA"))
        m = played(m, "white", Build("BARI"), Built("white", "BARI"))
        if what == "restore":
            m = ruled(m, "takeback", strikes=[2])
    for kind, content in entries:
        m = ruled(m, kind, **content)
    assert m.so_far().stage == stage

    def entered():
        if what == "ply":
            return played(m, "black", Build("BARI"), Built("black", "BARI"))
        return m.extend({"ruling": what, "by": "moderator", **CONTENT[what], "at": LATER})

    if stage in STAGES_OF[what]:
        longer = entered()
        assert Log.parse(longer.text, "x", remember=False).entries == longer.entries
    else:
        with pytest.raises(NotNow, match=f"{what} cannot stand here"):
            entered()


def rows(heading):
    """The rows of the table below a heading in the documentation of the format."""
    page = Path(__file__).parents[1].joinpath("docs/log-format.md").read_text("utf-8")
    table = page[page.index(heading) :].split("\n\n")[heading.startswith("#")]
    return [line.strip("| ").split(" | ") for line in table.splitlines()[2:]]


def test_the_table_in_the_documentation_is_this_one():
    told = {
        re.findall(r"`([\w-]+)`", stage)[0]: set(
            re.findall(r"`([\w-]+)`", what.replace("a ply", "`ply`"))
        )
        for stage, what in rows("### What follows what")
    }
    assert told == {s: {w for w, those in STAGES_OF.items() if s in those} for s in STAGES}


def test_every_ruling_is_documented_with_its_fields_and_who_may_give_it():
    told = {
        kind.strip("`"): (re.findall(r"`(\w+)`", data), by.strip() == "seat")
        for kind, data, by, *_ in rows("| ruling | with | by | meaning |")
    }
    assert told == {
        name: ([slot.name for slot in kind.FIELDS], kind.from_seat)
        for name, kind in RULINGS.items()
    }


def test_the_rulings_that_leave_the_position_are_documented():
    page = Path(__file__).parents[1].joinpath("docs/log-format.md").read_text("utf-8")
    [listed] = re.findall(r"every ruling but these: (.*?)\.", page, re.S)
    assert set(re.findall(r"`([\w-]+)`", listed)) == {
        name for name, kind in RULINGS.items() if not kind.moves_position
    }


def test_a_default_is_followed_by_a_ply_of_that_very_seat():
    m = ruled(match(), "default", seat="black")
    with pytest.raises(NotNow, match="a move played for black comes next, not one of white"):
        played(m, "white", Build("ALOA"), Built("white", "ALOA"))


@pytest.mark.parametrize(
    ("kind", "by", "said"),
    [
        ("reveal", "white", "only the moderator gives this ruling"),
        ("takeback", "black", "only the moderator gives this ruling"),
        ("resign", "white", "white cannot speak for black"),
        ("resign", "black", ""),
        ("note", "white", ""),
    ],
)
def test_each_ruling_is_given_by_whom_it_belongs_to(kind, by, said):
    if not said:
        assert ruled(match(), kind, by=by, **CONTENT[kind]).entries[-1].by == by
        return
    with pytest.raises(NotNow, match=said):
        ruled(match(), kind, by=by, **CONTENT[kind])


def test_time_does_not_run_back_and_a_clock_that_does_is_not_believed():
    m = match()
    with pytest.raises(NotNow, match="time runs back"):
        m.extend({"ruling": "note", "by": "moderator", "text": "x", "at": "2026-11-21T03:39:59Z"})
    assert m.moment("2026-11-21T03:39:59Z") == NOW
    assert m.moment("2026-11-21T03:40:01Z") == "2026-11-21T03:40:01Z"


def test_a_log_of_an_earlier_version_is_read_whatever_followed_what():
    """Only writing and `verify` keep to the table: old logs are readable for good."""
    m = ruled(ruled(match(), "end", winners=[]), "reveal", secret=SECRET.hex())
    entry = {"ruling": "takeback", "by": "moderator", "strikes": [6], "at": NOW}
    text, _ = entry_text(m.chain, entry)
    assert [ply.number for ply in Log.parse(m.text + text, "x").live] == [1, 2, 4, 5]


# ---------------------------------------------------------------------------------- marks


SEALED_NAME = "sealed: Carl"


def test_the_fingerprint_hides_fields_and_not_words():
    """A name or a text that looks like a seal is as public as any other."""

    def fingerprints(first, second):
        logs = (ruled(match(), *each[:1], **each[1]) for each in (first, second))
        return [m.entries[-1].public_chain for m in logs]

    for kind, content, field in [
        ("substitute", {"seat": "white", "epoch": 2}, "name"),
        ("note", {}, "text"),
    ]:
        one, other = fingerprints(
            (kind, {**content, field: SEALED_NAME}), (kind, {**content, field: "sealed: Dora"})
        )
        assert one != other


def test_the_fingerprint_hides_every_seal_and_the_hash_of_the_message():
    m = match()
    deal = {"ply": 7, "seat": CHANCE, "move": "deal ?", "at": NOW}

    def mark(card, source):
        entry = {**deal, "whole": f"sealed:1:{card}", "source": source}
        entry["events"] = [{"dealt": {"to": "white", "card": f"sealed:1:{card}"}}]
        return m.extend(entry).entries[-1].public_chain

    assert mark("AAAA", "hmac:1") == mark("BBBB", "hmac:2")


# ---------------------------------------------------------------------------------- schema


def schema_problems(text, schema="log"):
    found = yamlio.validate(yamlio.parse(text, "x"), data.schema_text(schema), text, "x")
    return [str(problem) for problem in found]


def test_the_published_schema_takes_every_kind_of_entry():
    m = ruled(match(), "default", seat="black", reason="14 days")
    m = played(m, "black", Build("BARI"), Built("black", "BARI"))
    last = m.live[-1].number
    m = of_earlier(m, "entropy", by="moderator", seat="white", text="4711")
    for kind, content in [
        ("option", CONTENT["option"]),
        ("resign", {"seat": "white"}),
        ("reopen", {}),
        ("takeback", {"strikes": [last]}),
        ("restore", {"restores": [last], "strikes": []}),
        ("end", {"winners": []}),
        ("reveal", {"secret": SECRET.hex()}),
    ]:
        m = ruled(m, kind, **content)
    assert schema_problems(m.text) == []
    g = Log.parse(HEADER._replace(entropy=GATHERED).text(), "m.pbem.yaml")
    for kind, content in SENT:
        g = ruled(g, kind, **content)
    g = g.extend({"ruling": "pass-over", "by": "moderator", "seat": "black", "at": LATER})
    assert schema_problems(g.text) == []
    p = ruled(
        Log.parse(HEADER._replace(entropy=PUBLIC).text(), "m.pbem.yaml"), "value", text="1 2 3"
    )
    assert schema_problems(p.text) == []
    c = Log.parse(HEADER._replace(clock=CLOCK).text(), "m.pbem.yaml")
    for kind in ("late", "extend", "pause", "resume", "away", "back", "clock"):
        c = ruled(c, kind, **CONTENT[kind])
    assert schema_problems(c.text) == []
    w = Log.parse(HEADER._replace(press="grey").text(), "m.pbem.yaml")
    w = ruled(w, "press", **CONTENT["press"])
    assert schema_problems(w.text) == []
    c = c.extend({"ruling": "redate", "by": "moderator", "at": HEADER.created})
    v = ruled(match(), "vacate", seat="white")
    v = ruled(v, "rename", **CONTENT["rename"])
    assert schema_problems(v.text) == []
    entries = (*m.entries, *g.entries, *p.entries, *c.entries, *v.entries, *w.entries)
    assert set(RULINGS) == {entry.kind for entry in entries if isinstance(entry, Ruled)}
    assert schema_problems(HEADER.text()) == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("ruling: note", "ruling: nota"), "x:66:3: log[7].ruling: 'nota' is not one of"),
        (("ruling: note", "ruling: resign"), "'seat' is a required property"),
        (("strikes: [3]", "winners: [white]"), "'strikes' is a required property"),
        (("ply: 2", "ply: two"), "x:21:3: log[1].ply: 'two' is not of type 'integer'"),
        (("seat: chance", "sea: chance"), "'sea' was unexpected"),
        (("game: toy", "gmae: toy"), "'gmae' was unexpected"),
        (("white: Ana", "chance: Ana"), "x:7:1: seats"),
    ],
)
def test_the_published_schema_and_the_reader_refuse_alike(change, message):
    text = match().text.replace(*change, 1)
    assert any(message in problem for problem in schema_problems(text)), schema_problems(text)
    with pytest.raises(Problem):
        Log.parse(text, "x")


@pytest.mark.parametrize("schema", ["log", "desk"])
def test_the_schemas_are_schemas(schema):
    import json

    from jsonschema import Draft7Validator

    Draft7Validator.check_schema(json.loads(data.schema_text(schema)))


def test_the_schema_of_the_desk_file_takes_one():
    text = (
        f"format: pbem-desk/1\nmatch: toy-07\nsecret: '{'ab' * 32}'\n"
        "addresses: {white: [ana@example.org]}\n"
        f"held: [{{seat: white, after: '{HEADER.chain}', moves: [x]}}]\n"
    )
    assert schema_problems(text, "desk") == []
    assert schema_problems(text.replace("addresses", "adresses"), "desk") == [
        "x:1:1: Additional properties are not allowed ('adresses' was unexpected)"
    ]
