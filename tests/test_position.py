"""A match that begins from a position: of a real table, of another match, of a form filled in."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from commands import SECRET, Done, Room, at, pbem
from long import many

from pbem import intake
from pbem.core import HIDDEN
from pbem.desk import begin
from pbem.desk.file import Desk
from pbem.desk.seats import Player
from pbem.desk.submit import submit
from pbem.files.timestamp import now as clock
from pbem.log import audit, chance, seal
from pbem.log.match import Replay
from pbem.play import games
from pbem.play import judge as play
from pbem.report import compose, summary
from pbem.testing.simulate import simulate

SEATS = {
    "kahuna": ("white", "black"),
    "kanaloa-bambus": ("red", "blue", "yellow"),
    "kanaloa-piatnik": ("ana", "ben", "cara"),
}


@pytest.fixture(autouse=True)
def _same_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seal, "new_secret", lambda: SECRET)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1795305600")


def new(folder: Path, position: Any, *more: object, game: str = "kahuna", name: str = "m") -> Done:
    """Begin a match from a position, which is text or plain values."""
    file = folder / "position.yaml"
    file.write_text(position if isinstance(position, str) else json.dumps(position))
    seats = [each for seat in SEATS[game] for each in ("--seat", f"{seat}=P{seat}")]
    where = ("--dir", folder, "--match", name)
    return pbem("new", game, *seats, *where, "--position", file, *more)


def verified(room: Room) -> list[str]:
    """What verify says, with the key and without, of a log without problems."""
    both = [pbem("verify", room.log, "--key", room.desk), pbem("verify", room.log)]
    assert all(each.code == 0 for each in both), both[0].printed
    return [each.out for each in both]


def apart_from_hands(view: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in view.items() if key != "hands"}


# ------------------------------------------------------------------------- of another match


def played_on(room: Room, rng: random.Random, most: int) -> int:
    """So many random moves of players."""
    for count in range(most):
        now = room.read()
        if not now.awaited:
            return count
        seat = rng.choice(now.awaited)
        moves = play.legal_texts(now.game, now.state, seat, most=200).texts
        said = f"#{now.position.ply}\n{rng.choice(moves)}".encode()  # the same words, meant anew
        answer = submit(str(room.log), intake.read(said, "-"), at(clock), seat=seat)
        assert answer.steps, answer.why
    return most


@pytest.mark.parametrize("known", [True, False], ids=["all known", "as a spectator sees it"])
@pytest.mark.parametrize("game", SEATS)
def test_a_match_goes_on_from_where_another_stood_verifies_and_replays(
    game: str, known: bool, tmp_path: Path
) -> None:
    rng = random.Random(f"{game} {known}")
    finished, desk = simulate(begin.Terms(game, folder=str(tmp_path)), 3, SEATS[game])
    keys = desk.keyring if known else None
    last = finished.position.ply
    begun = 0
    for nth, ply in enumerate(sorted(rng.sample(range(1, last), many(2, 6)))):
        shown = json.loads(json.dumps(summary.plain(Replay.of(finished.log, keys, ply))))
        name = f"m{nth}"
        done = new(tmp_path, shown, game=game, name=name)
        if not shown["pending"]:
            assert done.code
            continue
        begun += 1
        assert done.code == 0, done.printed
        room = Room(tmp_path / f"{name}.pbem.yaml")
        now = room.read()
        assert now.setup.options == Replay.of(finished.log).setup.options
        first = now.game.view(now.first)
        assert apart_from_hands(first) == apart_from_hands(shown["view"])
        assert HIDDEN not in json.dumps(first)
        if known:
            assert first == shown["view"]
        verified(room)
        played_on(room, rng, 8)
        assert "begins from a position" in verified(room)[0]
        for seat in SEATS[game]:
            assert room.read(seat).game.view(room.read(seat).state)
    assert begun


def test_the_card_of_each_unknown_one_is_drawn_from_what_remains(tmp_path: Path) -> None:
    hands = {"white": ["ALOA", "ALOA"], "black": ["?", "?"]}
    view = {"hands": hands, "display": ["BARI", "BARI", "COCO"], "discard": {"COCO": 1, "DUDA": 2}}
    done = new(tmp_path, view)
    assert done.code == 0, done.printed
    room = Room(tmp_path / "m.pbem.yaml")
    now = room.read()
    held = now.game.view(now.state)["hands"]
    assert held["white"] == ["ALOA", "ALOA"]
    assert {HIDDEN, "ALOA", "BARI", "COCO", "DUDA"}.isdisjoint(held["black"])
    assert now.log.header.position is not None
    assert now.log.header.position["drawn"] == {"hands": {"black": 2}}
    own, others = room.read("white"), room.read("black")
    assert own.game.view(own.state)["hands"] == {"white": ["ALOA", "ALOA"], "black": ["?", "?"]}
    assert others.game.view(others.state)["hands"] == {**held, "white": ["?", "?"]}
    assert "2 draws recomputed" in verified(room)[0]
    assert "2 cards of this position were not known" in verified(room)[1]


def test_the_opening_post_says_from_a_position_and_so_does_verify(tmp_path: Path) -> None:
    done = new(tmp_path, {"bridges": {"BARI-DUDA": "white"}, "turn": "black"})
    assert "from a position" in done.out
    assert "It's Pblack's turn" in done.out
    assert all("position" in each for each in verified(Room(tmp_path / "m.pbem.yaml")))


def test_ruleset_and_options_of_the_file_count_unless_others_are_given(tmp_path: Path) -> None:
    room = {"ruleset": "rio-grande", "options": {"must_draw": True, "variant1": False}, "view": {}}
    room["view"] = {"display": ["BARI"], "deck": 9}
    done = new(tmp_path, room, "-o", "variant1=true")
    assert done.code == 0, done.printed
    now = Replay.read(str(tmp_path / "m.pbem.yaml"))
    assert now.setup.ruleset == "rio-grande"
    assert now.setup.options["must_draw"] is now.setup.options["variant1"] is True
    assert now.log.header.options == {"must_draw": True, "variant1": True}
    assert new(tmp_path, room, "-o", "must_draw=false", name="n").code == 0
    assert Replay.read(str(tmp_path / "n.pbem.yaml")).setup.options["must_draw"] is False


@pytest.mark.parametrize("whole", [False, True])
def test_a_ruleset_that_is_given_counts_with_a_whole_file_and_with_the_view_alone(
    tmp_path: Path, whole: bool
) -> None:
    view = {"display": ["BARI"], "deck": 9}
    done = new(tmp_path, {"view": view} if whole else view, "--ruleset", "rio-grande")
    assert done.code == 0, done.printed
    assert Replay.read(str(tmp_path / "m.pbem.yaml")).setup.ruleset == "rio-grande"


# -------------------------------------------------------------------------------- the form


@pytest.mark.parametrize("game", SEATS)
def test_the_form_is_accepted_as_printed_and_says_what_each_part_means(
    game: str, tmp_path: Path
) -> None:
    seats = [each for seat in SEATS[game] for each in ("--seat", seat)]
    form = pbem("position", game, *seats)
    assert form.code == 0, form.printed
    assert len([line for line in form.out.splitlines() if line.lstrip().startswith("#")]) > 20
    done = new(tmp_path, form.out, game=game)
    assert done.code == 0, done.printed
    verified(Room(tmp_path / "m.pbem.yaml"))


def test_a_form_of_the_basic_set_up_needs_no_fish_laid(tmp_path: Path) -> None:
    seats = [each for seat in SEATS["kanaloa-bambus"] for each in ("--seat", seat)]
    form = pbem("position", "kanaloa-bambus", *seats, "-o", "setup=basic").out
    assert "setup: basic" in form
    done = new(tmp_path, form, game="kanaloa-bambus")
    assert done.code == 0, done.printed


# ---------------------------------------------------------------------------- what is refused


REFUSED = [
    ({"hand": {}}, [], "hand"),
    ({"bridges": {"ALOA-LALE": "white"}}, [], "ALOA-LALE"),
    ({"bridges": {"BARI-DUDA": "red"}}, [], "red"),
    ({"hands": {"white": ["BARI"] * 3}}, [], "3 BARI cards"),
    ({"hands": {"white": ["BARI"], "black": ["BARI"]}, "discard": {"BARI": 1}}, [], "3 BARI"),
    ({"hands": {"white": ["ATLANTIS"]}}, [], "ATLANTIS"),
    ({"hands": {"white": ["?"] * 6}}, [], "hands.white"),
    ({"hands": {"red": ["BARI"]}}, [], "red"),
    ({"hands": "BARI"}, [], "'BARI' is not of type"),
    ({"display": 7}, [], "display"),
    ({"discard": {"BARI": 10**9}}, [], "BARI"),
    ({"deck": 99}, [], "99"),
    ({"view": {"turn": "white"}, "surprise": 1}, [], "surprise"),
    ({"game": "kanaloa-bambus", "view": {"turn": "white"}}, [], "kanaloa-bambus"),
    ({"view": {"turn": "white"}, "options": {"colour": "red"}}, [], "colour"),
    ({"view": {"turn": "white"}, "ruleset": "atlantis"}, [], "atlantis"),
    ({"view": {"turn": "white"}, "outcome": "white"}, [], "outcome"),
    ({"view": {"turn": "white"}, "outcome": {"why": ["K-38"]}}, [], "outcome"),
    ({"hands": {"black": ["?"]}}, ["--dealer", "asked"], "--dealer asked"),
    ({"hands": {"black": ["?"]}}, ["--entropy", "seats"], "--entropy"),
    ("hands: {white: [?, ?]}\n", [], "position.yaml"),
    ("- BARI\n", [], "no position"),
    ("", [], "position.yaml"),
    ("turn: white\nturn: black\n", [], "turn"),
]


@pytest.mark.parametrize(("position", "more", "named"), REFUSED)
def test_what_is_no_position_is_refused_by_name_and_no_file_is_made(
    position: Any, more: list[str], named: str, tmp_path: Path
) -> None:
    done = new(tmp_path, position, *more)
    assert done.code in (2, 65), done.printed
    assert any(each in done.err for each in named.split("|")), done.err
    assert {each.name for each in tmp_path.iterdir()} == {"position.yaml"}


@pytest.mark.parametrize("known", [True, False], ids=["all known", "as a spectator sees it"])
@pytest.mark.parametrize("game", SEATS)
def test_a_match_that_is_over_is_no_beginning(game: str, known: bool, tmp_path: Path) -> None:
    finished, desk = simulate(begin.Terms(game, folder=str(tmp_path)), 4, SEATS[game])
    end = Replay.of(finished.log, desk.keyring if known else None)
    done = new(tmp_path, json.loads(json.dumps(summary.plain(end))), game=game)
    assert done.code
    assert "over" in done.err
    assert {each.name for each in tmp_path.iterdir()} == {"position.yaml"}


def test_a_match_that_a_ruling_has_ended_goes_on_in_another(tmp_path: Path) -> None:
    assert new(tmp_path, {"turn": "white"}, name="a").code == 0
    pbem("rule", tmp_path / "a", "resign", "--seat", "white", "--reason", "x")
    shown = pbem("show", tmp_path / "a", "--format", "json").json
    assert shown["outcome"]
    assert new(tmp_path, shown, name="b").code == 0


@pytest.mark.parametrize("more", [["--dealer", "asked"], ["--entropy", "seats"]])
def test_where_nothing_is_drawn_yet_a_position_with_all_cards_named_will_do(
    more: list[str], tmp_path: Path
) -> None:
    view = {"hands": {"white": ["BARI"], "black": ["COCO"]}, "display": ["DUDA", "ELAI", "FAAA"]}
    done = new(tmp_path, view, *more)
    assert done.code == 0, done.printed
    verified(Room(tmp_path / "m.pbem.yaml"))


# ------------------------------------------------------------------------------- what is hidden


WHITE, BLACK = ["ALOA", "BARI", "KAHU"], ["COCO", "GOLA", "LALE"]
OTHER = ["DUDA", "HUNA", "IFFI"]


def world(folder: Path, black: list[str]) -> tuple[Room, str, list[str]]:
    """A match from a position, its opening post, and all that everybody but Black may read later
    on; Black's hand is not among it."""
    folder.mkdir()
    view = {"hands": {"white": WHITE, "black": black}, "display": ["ELAI", "FAAA", "JOJO"]}
    view |= {"bridges": {"BARI-DUDA": "white", "HUNA-IFFI": "black"}, "deck": 15}
    letters = folder / "letters"
    done = new(folder, view, "--letters", letters)
    assert done.code == 0, done.printed
    room = Room(folder / "m.pbem.yaml")
    printed = [done.out, (letters / "m-0000-white.txt").read_text()]
    room.says("white", "ALOA-HUNA; pass")
    looks: list[list[object]] = [["show"], ["show", "--json"], ["log"], ["post"], ["verify"]]
    looks += [["show", "--as", "white"], ["moves", "--as", "white"], ["show", "--at", 0]]
    for command, *more in looks:
        shown = pbem(command, room.log, *more)
        printed.append(shown.printed.replace(str(room.log), "LOG"))
    page = folder / "page.html"
    pbem("page", room.log, "-o", page)
    printed.append(page.read_text())
    web = folder / "web"
    assert pbem("site", folder, "--out", web).code == 0
    printed += [(web / feed).read_text() for feed in ("feed.xml", "match-m.xml")]
    return room, done.out, printed


def test_matches_from_positions_that_differ_in_a_hand_look_the_same_to_all_others(
    tmp_path: Path,
) -> None:
    one, post, first = world(tmp_path / "one", BLACK)
    two, _, second = world(tmp_path / "two", OTHER)
    assert first == second
    assert one.read().position == two.read().position
    assert one.log.read_text() != two.log.read_text()
    assert not any(f"'{card}'" in post or f"Hand Pblack: {card}" in post for card in BLACK)
    told = pbem("show", one.log, "--json").json["view"]["hands"]
    assert told == {"white": ["?"] * 2, "black": ["?"] * 3}
    assert pbem("show", one.log, "--as", "black", "--json").json["view"]["hands"]["black"] == BLACK
    header = one.log.read_text().partition("\nlog:")[0]
    assert all(f"hands: {{{seat}: [" not in header for seat in SEATS["kahuna"])
    [white, black] = [line for line in header.splitlines() if "sealed:0:" in line][:2]
    assert not any(card in white + black for card in (*WHITE, *BLACK))


def begun(folder: Path, dealer: chance.Dealer) -> tuple[Replay, Desk]:
    """A match from a position in which somebody else has drawn."""
    file = folder / "p.yaml"
    file.write_text('hands: {white: [BARI], black: ["?", "?"]}\n')
    players = {seat: Player(seat, ()) for seat in SEATS["kahuna"]}
    return begin.begin(
        begin.Terms("kahuna", players, name="m", folder=str(folder)).at(str(file)),
        secret=SECRET,
        clock=clock,
        dealer=dealer,
    )


def test_an_audit_with_the_secret_finds_cards_that_somebody_chose(tmp_path: Path) -> None:
    opened, desk = begun(tmp_path, lambda *_: "COCO")
    begin.write(opened, desk, compose.rehearse)
    [problem] = audit.audit(opened.log.path, desk.keyring).problems
    assert "hands of the position were not drawn as the secret says" in str(problem)
    assert not audit.audit(opened.log.path).problems


def test_a_game_that_knows_of_no_rest_has_every_card_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(games.game("kahuna"), "unseen")
    with pytest.raises(Exception, match="name every card of black under hands"):
        begun(tmp_path, lambda *_: "COCO")
