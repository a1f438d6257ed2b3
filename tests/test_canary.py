"""Two matches that differ in hidden cards only look the same to whoever may not see them."""

from __future__ import annotations

import itertools
import json
import re
import stat
from functools import cache
from pathlib import Path

import pytest
from commands import SECRET, Done, Room, dealt, mail, pbem, scripted

from pbem import intake
from pbem.core import CHANCE, HIDDEN
from pbem.desk import append, duplicates
from pbem.desk.file import Desk
from pbem.files import languages, yamlio
from pbem.log import seal, sealing
from pbem.log.match import Replay
from pbem.problem import Problem
from pbem.report import compose

FORMATS = ("text", "markdown", "phpbb", "bgg")
OPEN = ["FAAA", "HUNA", "JOJO"]

# Cards in the order they come: three to white, three to black, three face up; then white draws,
# one comes face up, and black draws. Only what goes to a hand differs between the worlds.
FIRST = ["DUDA", "KAHU", "LALE", "ALOA", "GOLA", "IFFI", *OPEN, "BARI", "KAHU", "COCO"]
BOTH_DIFFER = ["DUDA", "COCO", "ELAI", "ALOA", "GOLA", "LALE", *OPEN, "IFFI", "KAHU", "LALE"]
WHITE_DIFFERS = ["DUDA", "COCO", "ELAI", "ALOA", "GOLA", "IFFI", *OPEN, "LALE", "KAHU", "COCO"]

COURSE = [
    # seat, order in the first world, order in the others
    ("white", "DUDA-BARI; draw", "DUDA-BARI; draw"),
    ("black", "GOLA-COCO; take FAAA", "GOLA-COCO; take FAAA"),
    ("white", "discard KAHU; discard LALE; pass", "discard COCO; discard ELAI; pass"),
    ("black", "FAAA-ELAI; draw", "FAAA-ELAI; draw"),
]
REFUSED_OF_BLACK = ["KAHU-COCO", "BARI-COCO", "take ELAI", "hop", "draw", "discard IFFI; ALOA-COCO"]


def played(folder: Path, cards: list[str], first: bool) -> tuple[Room, list[Done], list[str]]:
    """A world, what was printed for each order, and what black was told of bad orders."""
    folder.mkdir()
    dealer = scripted(cards)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(append, "dealer_of", lambda now, table: dealer)
        room = dealt(folder, dealer=dealer, dealer_name="scripted", discard="free")
        printed, told = [], []
        for seat, order, other in COURSE:
            for bad in REFUSED_OF_BLACK if seat == "black" else ():
                sender = "ben@example.org"
                letter = mail(bad, sender=sender, identity=None)
                file = room.write("bad.eml", letter)
                for command in (["check", "--key", room.key_file("black")], ["check"]):
                    done = pbem(command[0], room.log, file, "--from", "black", *command[1:])
                    told.append(without_place(done.printed))
                if "draw" not in bad and "IFFI" not in bad:
                    told.append(without_place(pbem("submit", room.log, file).printed))
            done = pbem(
                "submit", room.log, "--from", seat, "--json", stdin=order if first else other
            )
            assert done.code == 0, done.printed
            printed.append(done)
    return room, printed, told


World = tuple[Room, list[Done], list[str]]


@pytest.fixture(scope="module")
def one_world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return played(tmp_path_factory.mktemp("worlds") / "a", FIRST, True)


@pytest.fixture(scope="module", params=["both hands differ", "white's hand differs"])
def worlds(
    request: pytest.FixtureRequest, one_world: World, tmp_path_factory: pytest.TempPathFactory
) -> tuple[World, World, bool]:
    """Two worlds, and whether black's cards are the same in both."""
    same = request.param != "both hands differ"
    others = WHITE_DIFFERS if same else BOTH_DIFFER
    return one_world, played(tmp_path_factory.mktemp("worlds") / "b", others, False), same


@cache
def everything_public(room: Room) -> list[str]:
    """Whatever a spectator can get out of a log."""
    number = room.read().position[0]
    runs = [
        *(["show", "--format", format] for format in (*FORMATS, "json", "svg", "html")),
        *(["show", "--json", "--at", ply] for ply in range(number + 1)),
        *(["show", "--at", ply] for ply in range(9, number + 1)),
        ["moves"],
        ["moves", "--json"],
        ["log"],
        ["log", "--json"],
        ["verify", "--json"],
        *(
            [command, "--language", language, *more]
            for language in languages.known()
            for command, *more in (["post", "--since", 0], ["log"], ["show", "--format", "svg"])
        ),
    ]
    return [without_place(pbem(name, room.log, *rest).printed) for name, *rest in runs]


def without_place(printed: str) -> str:
    """What was printed, without the folder of the world that it is about."""
    return re.sub(r"/\S*/worlds\d*/[ab]/", "", printed)


def test_the_worlds_do_differ(worlds: tuple[World, World, bool]) -> None:
    (a, *_), (b, *_), same = worlds
    views = [room.read().game.view(room.read().state) for room in (a, b)]
    assert views[0]["hands"]["white"] != views[1]["hands"]["white"]
    assert (views[0]["hands"]["black"] == views[1]["hands"]["black"]) == same


def test_spectators_cannot_tell_the_worlds_apart(worlds: tuple[World, World, bool]) -> None:
    (a, *_), (b, *_), _ = worlds
    for left, right in zip(everything_public(a), everything_public(b), strict=True):
        assert left == right


def test_what_is_posted_is_the_same_byte_for_byte(worlds: tuple[World, World, bool]) -> None:
    (_, left, _), (_, right, _), _ = worlds
    for a, b in zip(left, right, strict=True):
        assert a.json["post"] == b.json["post"]
        assert a.err == b.err
        kept = [
            {
                key: value
                for key, value in done.json.items()
                if key not in ("letters", "said", "understood")
            }
            for done in (a, b)
        ]
        assert kept[0] == kept[1]


def test_the_logs_differ_in_seals_and_hashes_only_and_in_no_line_s_length(
    worlds: tuple[World, World, bool],
) -> None:
    (a, *_), (b, *_), _ = worlds
    left, right = a.log.read_text().splitlines(), b.log.read_text().splitlines()
    assert [len(line) for line in left] == [len(line) for line in right]
    assert left != right
    shut = re.compile(r"sealed:0:[\w-]+|hmac:[0-9a-f.-]+|(?<=chain: )sha256:[0-9a-f]{64}")
    assert [shut.sub("", line) for line in left] == [shut.sub("", line) for line in right]


def test_a_player_learns_nothing_of_the_other_hand(worlds: tuple[World, World, bool]) -> None:
    (a, left, told), (b, right, others), same = worlds
    if not same:
        assert told != others  # the canary sings: black's own cards do show in his answers
        return
    assert told == others
    for one, two in zip(left, right, strict=True):
        assert one.json["letters"]["black"] == two.json["letters"]["black"]
        assert one.json["letters"]["white"] != two.json["letters"]["white"]
    for command in (
        ["show"],
        ["show", "--format", "svg"],
        ["show", "--json"],
        ["moves"],
        ["log"],
        ["log", "--json"],
    ):
        shown = {pbem(command[0], room.log, *command[1:], "--as", "black").out for room in (a, b)}
        assert len(shown) == 1


@cache
def written(room: Room, *options: object) -> bytes:
    """A page of the match."""
    file = room.log.parent / "page.html"
    assert pbem("page", room.log, "-o", file, *options).code == 0
    return file.read_bytes()


def test_pages_and_sites_tell_spectators_nothing(worlds: tuple[World, World, bool]) -> None:
    (a, *_), (b, *_), _ = worlds
    for language in languages.known():
        assert written(a, "--language", language) == written(b, "--language", language)
    sites = []
    for room in (a, b):
        web = room.log.parent / "web"
        assert pbem("site", room.log.parent, "-o", web).code == 0
        sites.append({path.name: path.read_bytes() for path in web.iterdir()})
    assert sites[0] == sites[1]
    matches = {"index.html", "match-m.html", "feed.xml", "match-m.xml", "match-m.png"}
    assert sites[0].keys() == {*matches, "players.html", "rules-kahuna.html"}


def test_a_seat_s_page_holds_nothing_of_the_other_hand(worlds: tuple[World, World, bool]) -> None:
    (a, *_), (b, *_), same = worlds
    for options in (["--as", "black"], ["--key", "black"]):
        one, two = (
            written(room, options[0], room.key_file("black") if "--key" in options else "black")
            for room in (a, b)
        )
        assert (one == two) == same
    assert written(a, "--as", "white") != written(b, "--as", "white")


# ----------------------------------------------------------------------------------- keys


@pytest.fixture
def on(room: Room) -> Room:
    room.says("white", "DUDA-BARI; draw")
    room.says("black", "GOLA-COCO; draw")
    return room


def test_a_seat_s_key_opens_its_own_seals_and_no_others(on: Room) -> None:
    for seat in ("white", "black"):
        now = on.read(seat)
        for ply, events in now.plies:
            for event in events:
                if getattr(event, "to", None) in ("white", "black") and hasattr(event, "card"):
                    assert (event.card != HIDDEN) == (event.to == seat), ply.number


def test_a_seal_moved_to_another_place_or_seat_does_not_open(on: Room) -> None:
    sealed = re.findall(r"whole: (sealed:0:\S+)", on.log.read_text())
    key = seal.seat_key(SECRET, "white", 0)
    opened = set()
    for text, ply in itertools.product(sealed, range(1, on.read().position[0] + 1)):
        try:
            opened.add((text, seal.unseal(key, text, match="m", ply=ply, field="whole")))
        except Problem:
            continue
    assert len(opened) == 4  # three at the deal, one drawn


def test_equal_hidden_cards_do_not_look_equal(tmp_path: Path) -> None:
    twins = ["BARI", "BARI", "LALE", "LALE", "GOLA", "GOLA", *OPEN]
    dealer = scripted(twins)
    room = dealt(tmp_path, dealer=dealer, dealer_name="scripted")
    sealed = re.findall(r"sealed:0:[\w-]+", room.log.read_text())
    assert len(set(sealed)) == len(sealed) == 12


def test_a_substitute_reads_what_was_and_the_one_who_left_not_what_comes(on: Room) -> None:
    old = on.key_file("white")
    kept = old.read_text()
    done = pbem(
        "rule",
        on.log,
        "substitute",
        "--seat",
        "white",
        "--player",
        "Zoe <zoe@example.org>",
        "--reason",
        "Ana is away",
    )
    assert done.code == 0
    on.says("white", "draw")
    drawn = on.read().plies[-1]
    assert drawn[1][0].card != HIDDEN
    assert "sealed:1:" in json.dumps(drawn[0].events)
    left = Replay.read(str(on.log), seal.Keyring.read(kept, "old"))
    assert left.plies[-1][1][0].card == HIDDEN
    assert left.plies[0][1][0].card != HIDDEN
    keys = "".join(re.findall(r"pbem-key/1 m white \d [0-9a-f]{64}\n", done.out))
    came = Replay.read(str(on.log), seal.Keyring.read(keys, "new"))
    assert came.plies[-1][1] == drawn[1]
    assert came.plies[0][1][0].card != HIDDEN


# --------------------------------------------------------------------------------- the secret


def test_the_desk_file_is_for_its_owner_alone_and_stays_so(on: Room) -> None:
    assert stat.S_IMODE(on.desk.stat().st_mode) == 0o600
    pbem("rule", on.log, "substitute", "--seat", "white", "--player", "Zoe", "--reason", "away")
    assert stat.S_IMODE(on.desk.stat().st_mode) == 0o600
    assert "Zoe" not in on.desk.read_text()


def test_the_secret_and_the_addresses_stand_in_no_output(on: Room, tmp_path: Path) -> None:
    log_, key = on.log, on.desk
    runs = [
        pbem(name, log_, *rest, stdin="draw")
        for name, *rest in (
            ["show", "--key", key],
            ["show", "--json", "--key", key],
            ["moves", "--key", key],
            ["log", "--key", key],
            ["log", "--json", "--key", key],
            ["verify", "--key", key],
            ["verify", "--json", "--key", key],
            ["check", "--key", key, "--json"],
            ["submit", "--from", "white", "--json"],
            ["submit", "--from", "white"],
            ["rule", "note", "--text", "hello", "--json"],
            ["reveal"],
            ["rule", "default", "--seat", "black", "--move", "pass", "--reason", "late"],
        )
    ]
    drawing = seal.derive(SECRET, "draw").hex()
    seats = [seal.seat_key(SECRET, seat, 0).hex() for seat in ("white", "black")]
    for text in [*(done.printed for done in runs), on.log.read_text()]:
        for private in (SECRET.hex(), drawing, *seats, "@example.org"):
            assert private not in text
    assert SECRET.hex() not in repr(Desk.read(str(on.log)))
    assert SECRET.hex() not in repr(on.read().keyring)


def test_only_the_first_letter_holds_the_key_and_only_one_s_own(on: Room) -> None:
    for seat, other in (("white", "black"), ("black", "white")):
        first = compose.text(compose.letter(on.read(), seat, 0, key=True), "text")
        later = compose.text(compose.letter(on.read(), seat, 0), "text")
        assert seal.seat_key(SECRET, seat, 0).hex() in first.replace("\n", "")
        assert seal.seat_key(SECRET, other, 0).hex() not in first.replace("\n", "")
        assert "pbem-key" not in later


def test_a_short_order_cannot_be_guessed_back_from_its_fingerprint(tmp_path: Path) -> None:
    """The same words leave other marks in a match with another secret."""
    marks = []
    for number, secret in enumerate((SECRET, bytes(32))):
        (tmp_path / str(number)).mkdir()
        room = dealt(tmp_path / str(number))
        table = Desk.read(str(room.log))
        message = mail("draw")
        marks.append(
            duplicates.source_digest(
                Desk(table.path, "m", secret),
                room.read().log,
                "white",
                intake.read(message, "m.eml"),
                proven=False,
                on_word=False,
            )
        )
    assert marks[0] != marks[1]
    assert all(re.fullmatch(r"hmac:[0-9a-f]{24}\.[0-9a-f]{24}", mark) for mark in marks)


def test_a_hidden_discard_is_sealed_in_move_and_event(tmp_path: Path) -> None:
    room = dealt(tmp_path, discard="free")
    room.says("white", "discard KAHU; discard LALE; draw")
    entries = yamlio.parse(room.log.read_text(), "")["log"]
    tucked = [entry for entry in entries if entry["seat"] != CHANCE][:2]
    for entry in tucked:
        assert entry["move"] == "discard ?"
        assert seal.is_sealed(entry["whole"])
        assert seal.is_sealed(entry["events"][0]["tucked"]["card"])
    assert len({entry["whole"] for entry in tucked}) == 2
    assert len({len(entry["whole"]) for entry in entries if "whole" in entry}) == 1
    plies = [ply for ply, _ in room.read().plies if ply.whole and ply.seat == "white"]
    keyring = room.key("white")
    assert [sealing.whole_move(ply, keyring, room.read().log) for ply in plies] == [
        "discard KAHU",
        "discard LALE",
    ]
