"""Pages and sites: positions as they were, orders as they are taken, nothing from outside."""

from __future__ import annotations

import base64
import hashlib
import json
import random
import re
import struct
from collections.abc import Mapping
from functools import cache, partial
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from commands import Room, dealt, pbem
from long import many

from pbem.core import CHANCE
from pbem.desk import begin
from pbem.desk.file import read_keys
from pbem.desk.seats import Player
from pbem.files.timestamp import now as clock
from pbem.log.match import Replay
from pbem.pictures import preview, svg
from pbem.pictures.film import Film
from pbem.play import judge, orders
from pbem.report import chronicle, feeds, pages, turn
from pbem.report import site as site_
from pbem.rules.kahuna.board import ENDS, LINES
from pbem.shapes import Scene, Shape

ARCHIVE = Path(__file__).parent / "archive"
LOGS = sorted(ARCHIVE.glob("*.pbem.yaml"))
NAMES = [path.name.removesuffix(".pbem.yaml") for path in LOGS]
HOSTILE = "<script>alert(1)</script>]]>\"'&\u202eevil --><img src=x onerror=alert(2)>"

every_log = pytest.mark.parametrize("log", LOGS, ids=NAMES)


class Parsed(HTMLParser):
    """A page taken apart: its elements, its text outside of scripts, and what scripts hold."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.scripts: list[str] = []
        self.styles: list[str] = []
        self._inside = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._inside = tag

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside == "script":
            self.scripts.append(data)
        elif self._inside == "style":
            self.styles.append(data)
        else:
            self.text += data

    @property
    def words(self) -> str:
        return " ".join(self.text.split())

    @property
    def moments(self) -> Any:
        """What the script works on."""
        return json.loads(self.scripts[0])


def seen(log: Path, seat: str | None = None) -> Replay:
    """An archived match as a spectator or a seat knows it."""
    if seat is None:
        return Replay.read(str(log))
    desk = log.parent / log.name.replace(".pbem.", ".desk.")
    return Replay.read(str(log), read_keys(str(desk))).seen_by(seat)


@cache
def page_of(log: Path) -> str:
    """An archived match as a spectator gets it."""
    return pages.page(seen(log), home="index.html")


# --------------------------------------------------------------------------------- the board


@every_log
def test_every_moment_shows_the_board_as_it_was(log: Path) -> None:
    now, page = seen(log), Parsed(page_of(log))
    marks = [about["id"] for tag, about in page.elements if tag == "li"]
    cels, on = page.moments["cels"], set[int]()
    assert len(marks) == len(page.moments["frames"])
    live = {f"ply-{ply.number}": ply.number for ply, _ in now.plies}
    for mark, changes in zip(marks, page.moments["frames"], strict=True):
        on ^= set(changes)
        if mark in live and (live[mark] % many(60, 7) == 0 or mark == marks[-1]):
            then = Replay.of(now.log, now.keyring, at=live[mark])
            assert [cels[n] for n in sorted(on)] == drawn(then, now)
    assert [cels[n] for n in sorted(on)] == drawn(now, now)


def drawn(then: Replay, now: Replay) -> list[str]:
    """A position by the names of now, as a page shows all of them."""
    names = pages.called(now)
    scene = pages.scene(then, then.state, last=True)
    return [svg.group(shape, names) for shape in scene.shapes]


def test_a_film_keeps_the_order_of_shapes_even_where_it_changes() -> None:
    a, b, c = (Shape(name, "disc", (5, 5, 5), "stone") for name in "abc")
    scenes = [(a, b, c), (c, b, a), (b,), (), (b, c, a), (a, b, c)]
    film = Film()
    frames = [film.add(Scene(10, 10, shapes)) for shapes in scenes]
    for frame, shapes in zip(frames, scenes, strict=True):
        assert [film.cels[place].shape for place in film.places(frame)] == list(shapes)
    assert frames[0] == frames[-1]


# --------------------------------------------------------------------------------- the words


@pytest.mark.parametrize("log", [log for log in LOGS if log.name != "rulings.pbem.yaml"])
def test_all_that_happened_can_be_read_without_a_script(log: Path) -> None:
    now = seen(log)
    words = Parsed(page_of(log)).words.replace(" .", ".")
    told = chronicle.lines(now)
    assert told
    for line in told:
        sentence = line.partition(": ")[2].removesuffix(" (taken back)")
        plain = re.sub(r"\[([\w, -]+)\]", lambda hit: hit[1].replace(", ", " "), sentence)
        assert " ".join(plain.split()).replace(" .", ".") in re.sub(r"\[([\w-]+)\]", r"\1", words)


@every_log
def test_every_ply_and_every_rule_named_can_be_linked_to(log: Path) -> None:
    now, page = seen(log), Parsed(page_of(log))
    ids = [about["id"] for _, about in page.elements if "id" in about]
    assert len(set(ids)) == len(ids)
    plies = {f"ply-{ply.number}" for ply in now.log.entries if hasattr(ply, "number")}
    assert plies <= set(ids)
    for _, about in page.elements:
        if rule := about.get("popovertarget"):
            assert rule in ids


def test_rules_named_together_are_each_shown() -> None:
    page = Parsed(page_of(ARCHIVE / "piatnik-four.pbem.yaml"))
    shown = {about["popovertarget"] for tag, about in page.elements if "popovertarget" in about}
    texts = {about["id"] for _, about in page.elements if about.get("class") == "rule-text"}
    together = {f"page-rule-P-{n}" for n in (24, 31, 33, 34)}
    assert together <= shown == texts
    assert "[P-" not in page.words


def test_struck_plies_and_rulings_are_shown_as_such() -> None:
    page = Parsed(page_of(ARCHIVE / "rulings.pbem.yaml"))
    kinds = {about["id"]: about["class"] for tag, about in page.elements if tag == "li"}
    assert kinds["ply-21"] == "ply struck"  # with what was drawn after no. 20
    assert "ply-20" not in kinds
    assert kinds["ply-19"] == "ply"
    assert "ruling" in kinds.values()
    assert "taken back" in page.words


def test_seats_are_called_by_who_sat_there_at_the_time() -> None:
    words = Parsed(page_of(ARCHIVE / "rulings.pbem.yaml")).words
    story = words.partition("The match, ply by ply")[2]
    before, after = story.split("Zoe takes", 1)
    assert "Ben is dealt" in before
    assert "It's Ben's turn." in before
    assert "Ben" not in after
    assert "Zoe plays ALOA." in after


# ---------------------------------------------------------------------------------- no leaks


@every_log
def test_a_page_asks_nobody_for_anything(log: Path) -> None:
    page = Parsed(page_of(log))
    [policy] = [about["content"] for tag, about in page.elements if "http-equiv" in about]
    directives = dict(part.split(" ", 1) for part in str(policy).split("; "))
    assert directives["default-src"] == "'none'"
    assert directives["script-src"] == digest(page.scripts[1])
    assert directives["style-src"] == digest(page.styles[0])
    assert len(page.scripts) == 2
    assert len(page.styles) == 1
    assert not re.search(r"https?:|//|@import|url\(", page.styles[0])
    for tag, about in page.elements:
        assert tag not in ("img", "iframe", "object", "embed", "base", "form")
        assert not {"src", "srcset", "style"} & about.keys()
        assert not [name for name in about if name.startswith("on")]
        assert (about.get("href") or "#")[0] == "#" or about["href"] in ("data:,", "index.html")


def digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@pytest.mark.parametrize("seat", [None, "white"])
def test_names_and_notes_from_outside_do_no_harm(tmp_path: Path, seat: str | None) -> None:
    players = {name: Player(HOSTILE) for name in ("white", "black")}
    opened, desk = begin.begin(
        begin.Terms("kahuna", players, name="m", folder=str(tmp_path)),
        clock=clock,
        secret=bytes(32),
    )
    begin.write(opened, desk)
    assert pbem("rule", opened.log.path, "note", "--text", HOSTILE).code == 0
    now = Replay.read(opened.log.path, desk.keyring)
    written = pages.page(now.seen_by(seat), seat=seat, to=HOSTILE)
    page = Parsed(written)
    assert [tag for tag, _ in page.elements if tag == "script"] == ["script"] * 2
    assert not [tag for tag, _ in page.elements if tag == "img"]
    assert not [name for _, about in page.elements for name in about if name.startswith("on")]
    assert "\u202e" not in written
    assert "<script>alert(1)</script>" in page.words
    assert not set("<&") & set(page.scripts[0])


def test_the_script_s_data_cannot_end_the_script() -> None:
    told = {"a": "</script><!-- & \u2028\u2029"}
    written = pages.for_script(told)
    assert not re.search("[<&\u2028\u2029]", written)
    assert json.loads(written) == told


def test_a_page_with_a_hand_is_private(room: Room, tmp_path: Path) -> None:
    over = ARCHIVE / "rulings.pbem.yaml"
    (tmp_path / "usual").touch()
    usual = (tmp_path / "usual").stat().st_mode & 0o777
    for log, keys, mode in (
        (room.log, (), usual),
        (room.log, ("--as", "white"), 0o600),
        (room.log, ("--key", room.key_file("black")), 0o600),
        (room.log, ("--key", room.desk), 0o600),
        (over, (), usual),  # its secret is revealed
    ):
        file = tmp_path / "page.html"
        assert pbem("page", log, "-o", file, *keys).code == 0
        assert file.stat().st_mode & 0o777 == mode
        file.unlink()


@pytest.mark.parametrize("seat", [None, "black"])
def test_only_the_seat_that_is_to_move_gets_a_turn_to_click(room: Room, seat: str | None) -> None:
    page = Parsed(pages.page(room.read(seat), seat=seat))
    assert page.moments["order"] is None
    assert "Your turn" not in page.words


# ---------------------------------------------------------------------------------- the turn


def steps(order: dict[str, Any], node: int, move: int | None = None) -> list[str]:
    """The moves that lead to a node, and perhaps one more."""
    found = [] if move is None else [move]
    while (before := order["nodes"][node][0]) is not None:
        pairs = order["nodes"][before][2]
        found.append(next(m for m, to in zip(pairs[::2], pairs[1::2], strict=True) if to == node))
        node = before
    return [order["moves"][move][0] for move in reversed(found)]


@pytest.mark.parametrize("name", ["begun", "held", "running"])
def test_every_order_that_can_be_clicked_is_taken(name: str) -> None:
    log = ARCHIVE / f"{name}.pbem.yaml"
    desk = log.parent / log.name.replace(".pbem.", ".desk.")
    whole = Replay.read(str(log), read_keys(str(desk)))
    assert whole.awaited
    for seat in whole.awaited:
        order = Parsed(pages.page(whole.seen_by(seat), seat=seat)).moments["order"]
        assert order["nodes"][0][2]
        for number, node in enumerate(order["nodes"]):
            for move in node[2][::2]:
                judged(whole, seat, steps(order, number, move))


def judged(whole: Replay, seat: str, moves: list[str]) -> None:
    """An order is played to its last move, by one who knows everything."""
    order = [whole.game.parse(text) for text in moves]
    done = judge.adjudicate(whole.game, whole.state, seat, order)
    assert isinstance(done, judge.Accepted), (moves, done)
    assert [whole.game.notate(step.move) for step in done.steps] == moves


@pytest.mark.parametrize("game", ["kahuna", "kanaloa-bambus", "kanaloa-piatnik"])
def test_check_takes_the_fence_as_it_is(game: str, tmp_path: Path) -> None:
    seats = ("white", "black") if game == "kahuna" else ("ana", "ben", "cara")
    room, rng = dealt(tmp_path, game, seats), random.Random(5)
    for _ in range(many(3, 6)):
        now = room.read()
        seat = now.awaited[0]
        file = tmp_path / "page.html"
        done = pbem("page", room.log, "--key", room.key_file(seat), "-o", file, "--json")
        assert done.json["page"] == str(file)
        order = Parsed(file.read_text(encoding="utf-8")).moments["order"]
        node, moves = 0, []
        while order["nodes"][node][2]:
            at = 2 * rng.randrange(len(order["nodes"][node][2]) // 2)
            move, node = order["nodes"][node][2][at : at + 2]
            moves.append(order["moves"][move][0])
        fence = order["fence"].replace("...", "\n".join(moves))
        for key in ((), ("--key", room.key_file(seat))):
            done = pbem("check", room.log, "--from", seat, "--json", *key, stdin=fence)
            assert done.code == 0, (fence, done.printed)
            assert done.json["understood"] == moves
        assert room.says(seat, fence).verdict == "accepted"


# ------------------------------------------------------------------------------- what is clicked


def clicks(name: str, ply: int, seat: str) -> dict[str, set[str]]:
    """What a click on each shape leaves of the moves a seat can make after a ply."""
    log = ARCHIVE / f"{name}.pbem.yaml"
    desk = log.parent / log.name.replace(".pbem.", ".desk.")
    now = Replay.of(Replay.read(str(log)).log, read_keys(str(desk)), at=ply)
    return offered(Parsed(pages.page(now.seen_by(seat), seat=seat)).moments["order"])


def offered(order: dict[str, Any], node: int = 0) -> dict[str, set[str]]:
    """The moves at a node of the graph, by the shapes they are clicked on."""
    found: dict[str, set[str]] = {}
    for move in order["nodes"][node][2][::2]:
        text, on = order["moves"][move]
        for shape in on:
            found.setdefault(order["ids"][shape], set()).add(text)
    return found


def test_a_card_is_played_by_a_click_on_it_and_on_nothing_else() -> None:
    hand = ["blue 9", "green 10", "green 2", "green 9", "red 11", "turquoise 4"]
    found = clicks("piatnik-four", 53, "seat4")
    assert found == {f"hand-seat4-{card.replace(' ', '-')}": {card} for card in hand}


def test_one_of_two_equal_cards_is_as_good_as_the_other() -> None:
    found = clicks("piatnik-announcing", 254, "seat3")
    assert found["hand-seat3-octopus"] == found["hand-seat3-octopus-2"] == {"octopus"}


def test_an_ocean_card_is_removed_by_a_click_on_it_as_a_whole() -> None:
    removes = {"card-M05": {"remove M05"}, "card-M07": {"remove M07"}}
    assert clicks("piatnik-four", 210, "seat4") == removes


def test_a_click_on_a_tile_leaves_every_swap_of_it() -> None:
    found = clicks("bambus-two", 73, "seat2")
    tiles = {shape: moves for shape, moves in found.items() if shape.startswith("tile-A-")}
    assert tiles
    for shape, moves in tiles.items():
        name = shape.removeprefix("tile-").replace("-", ":", 1)
        assert len(moves) > 7
        assert all(name in move.split() for move in moves)


def test_a_page_tells_the_rule_that_keeps_a_thing_from_being_clicked(room: Room) -> None:
    now = room.read("white")
    told = turn.order(now, "white", Film(), partial(pages.scene, now), "").why
    hand = now.game.view(now.state)["hands"]["white"]
    lines = {f"line-{line}" for line in LINES if not set(ENDS[line]) & set(hand)}
    assert told.keys() == lines
    assert all(re.fullmatch(r"You hold no [A-Z]{4} \[K-10\]", why) for why in told.values())
    bambus = Replay.read(str(ARCHIVE / "bambus-two.pbem.yaml"), at=200)
    scene = pages.scene(bambus, bambus.state)
    told = turn.order(bambus, "seat2", Film(), partial(pages.scene, bambus), "").why
    assert told["fish-A-I"] == "You have no pawn on A [B-25]"
    assert not told.keys() & {s.id for s in scene.shapes if s.id.startswith(("sign-", "god-"))}


def test_a_fish_is_no_island_and_an_island_all_that_names_it() -> None:
    found = clicks("bambus-four", 281, "seat2")
    assert found["island-A"] == {"dolphin A"}
    assert found["island-E"] == {"move M-E"}
    assert found["fish-A-E"] == {"free A-E"}
    assert found["fish-M-E"] == {"move M-E"}
    assert found["pawn-seat2-A-1"] == {"dolphin A"}
    assert found["pawn-seat2-M-1"] == {"move M-E", "move M-H", "move M-L"}


def test_cards_lines_and_islands_of_one_name_are_told_apart(room: Room) -> None:
    order = Parsed(pages.page(room.read("white"), seat="white")).moments["order"]
    found = offered(order)
    view = room.read("white").game.view(room.read("white").state)
    assert found["pile-draw"] == {"draw"}
    for place, card in enumerate(view["display"]):
        assert found[f"display-{place + 1}"] == {f"take {card}"}
    for card in view["hands"]["white"]:
        assert found[f"hand-white-{card}"]
        assert all(move.startswith(f"{card}-") for move in found[f"hand-white-{card}"])
    bridges = {move for shape, moves in found.items() if shape[:5] == "line-" for move in moves}
    for move in bridges:
        for island in move.split("-"):
            assert move in found[f"island-{island}"]
    assert not [shape for shape in found if "black" in shape]


def test_two_equal_tiles_of_an_island_are_as_one_to_a_click() -> None:
    moves = ("take kane2", "swap A:kane2 *", "swap * A:kane2")
    two = Shape("tile-A-kane2", "box", (0, 0, 9, 9), "chip", "K2", moves=moves)
    other = two._replace(id="tile-A-kane2-2", place=(0, 9, 9, 9))
    board = turn.Board((two, other), "red")
    for move in ("take kane2", "swap A:kane2 I:kanaloa/ku3", "swap I:kanaloa/ku3 A:kane2"):
        assert board.clicked(move, frozenset({0, 1})) == ("tile-A-kane2", "tile-A-kane2-2")
        assert board.clicked(move, frozenset({1})) == ("tile-A-kane2-2",)
    assert board.clicked("give kane2", frozenset({0, 1})) == ()


class Diary:
    """Kahuna, with states that remember how they came about."""

    def __init__(self, game: Any) -> None:
        self.game = game

    def __getattr__(self, name: str) -> Any:
        known = getattr(self.game, name)
        return (lambda s, *more: known(s[0], *more)) if name in OF_STATES else known

    def evolve(self, s: Any, event: Any) -> Any:
        return self.game.evolve(s[0], event), (*s[1], event)


OF_STATES = ("view", "pending", "candidates", "check", "effects")


def explored(now: Replay, *, diary: bool = False, **more: Any) -> list[orders.Node[Any, str]]:
    """The positions of White's orders, told apart by their views."""
    game, state = (Diary(now.game), (now.state, ())) if diary else (now.game, now.state)
    return orders.explore(game, state, "white", looks, **more)


def looks(_: Any, view: Mapping[str, Any]) -> str:
    return json.dumps(view, sort_keys=True)


def test_moves_that_lead_to_one_place_meet_there(room: Room) -> None:
    now = room.read("white")
    nodes = explored(now)
    views = [json.dumps(now.game.view(node.state), sort_keys=True) for node in nodes]
    assert len(set(views)) == len(views) > 10
    reached = [to for node in nodes for to in node.moves.values()]
    assert set(reached) == set(range(1, len(nodes)))
    assert len(reached) > len(nodes) + 100  # as a tree they would be one fewer


def test_a_graph_that_is_cut_off_says_so(room: Room) -> None:
    now = room.read("white")
    whole, cut = explored(now), explored(now, most=5)
    assert len(cut) == 5 < len(whole)
    for short, long in zip(cut, whole, strict=False):
        assert short.moves.keys() == long.moves.keys()
        for text, to in long.moves.items():
            assert short.moves[text] == (to if to is not None and to < 5 else None)


def test_a_page_keeps_to_its_room(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    now = room.read("white")
    whole = Parsed(pages.page(now, seat="white")).moments["order"]
    assert -1 not in [to for node in whole["nodes"] for to in node[2][1::2]]
    for room_left in (1, 3_000, 6_000):
        monkeypatch.setattr(turn, "ROOM", room_left)
        order = Parsed(pages.page(now, seat="white")).moments["order"]
        assert 1 <= len(order["nodes"]) < len(whole["nodes"])
        assert len(pages.for_script(order)) <= max(room_left, 1_500)
        targets = [to for node in order["nodes"] for to in node[2][1::2]]
        assert -1 in targets
        assert max(targets) < len(order["nodes"])


def test_a_position_with_too_many_moves_says_that_there_are_more(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(orders, "MOST_MOVES", 3)
    now = room.read("white")
    first = explored(now)[0]
    assert len(first.moves) == 3
    assert first.more


@pytest.mark.parametrize("most", [5, 300, 1_000])
def test_positions_are_one_whatever_led_to_them(room: Room, most: int) -> None:
    now = room.read("white")
    plain, diary = (explored(now, most=most, diary=diary) for diary in (False, True))
    assert [node._replace(state=None) for node in diary] == [
        node._replace(state=None) for node in plain
    ]


@every_log
def test_a_page_is_not_large(log: Path) -> None:
    per_ply = len(page_of(log)) / max(seen(log).position.ply, 100)
    assert per_ply < 600_000 / 400


@every_log
def test_the_board_of_an_index_has_all_pieces_and_nothing_that_is_too_fine(log: Path) -> None:
    match = seen(log)
    whole, stamp = pages.scene(match, match.state, last=True), pages.small(match)
    ids = [shape.id for shape in whole.shapes]
    assert len(stamp) < 12_000
    assert "<text" not in stamp
    assert not re.search('href="#(tile|trident|fish|palms|dolphin)"', stamp)
    for kind, drawn in (
        ("pawn-", 'href="#pawn"'),
        ("boat-", 'href="#boat"'),
        ("fish-", 'r="13"'),
        (("line-", "current-"), '<line class="core"'),
    ):
        shown = sum(id.startswith(kind) for id in ids)
        assert stamp.count(drawn) == shown


# ---------------------------------------------------------------------------------- the site


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of three matches: one under way, one finished and revealed, one finished."""
    matches = tmp_path / "matches"
    matches.mkdir()
    for name in ("running", "rulings"):
        for kind in ("pbem", "desk"):
            source = ARCHIVE / f"{name}.{kind}.yaml"
            (matches / source.name).write_bytes(source.read_bytes())
    for name, data in over(tmp_path / "over").items():
        (matches / name).write_bytes(data)
    return matches


MADE: dict[str, bytes] = {}


def over(folder: Path) -> dict[str, bytes]:
    """The files of a finished match, which is played once."""
    if not MADE:
        folder.mkdir()
        done = pbem("simulate", "kahuna", "--seed", 4, "--out", folder / "over.pbem.yaml")
        assert done.code == 0
        MADE.update({file.name: file.read_bytes() for file in folder.iterdir()})
    return MADE


def site(folder: Path, **chosen: str) -> tuple[set[str], Path]:
    """Write the site; the names of the files that were written, and where."""
    web = folder.parent / "web"
    options = [part for name, value in chosen.items() for part in (f"--{name}", value)]
    done = pbem("site", folder, "-o", web, "--json", *options)
    assert done.code == 0, done.printed
    return {Path(file).name for file in done.json["files"]}, web


def test_a_site_has_an_index_and_a_page_for_each_match(folder: Path) -> None:
    written, web = site(folder, title=HOSTILE)
    names = ("running", "rulings", "over")
    kinds = ("html", "xml", "png")
    pages_, theirs, cards = ({f"match-{name}.{kind}" for name in names} for kind in kinds)
    told = {"players.html", "rules-kahuna.html"}
    films = {"match-rulings.gif", "match-over.gif"}
    assert written == {"index.html", "feed.xml", *told, *pages_, *theirs, *cards, *films}
    for name in names:
        told_of = f'href="match-{name}.gif" download' in (web / f"match-{name}.html").read_text()
        assert told_of == (f"match-{name}.gif" in films)
    assert written == {path.name for path in web.iterdir()}
    index = Parsed((web / "index.html").read_text(encoding="utf-8"))
    links = {about["href"] for tag, about in index.elements if tag == "a"}
    assert links == {"feed.xml", *told, *pages_}
    waits = {about["data-waits"] for tag, about in index.elements if "data-waits" in about}
    assert "Ben" in waits
    assert "Ana wins." in index.words
    assert "12 draws are recomputed" in index.words
    assert "12 draws are recomputed" in Parsed((web / "match-rulings.html").read_text()).words


def test_a_site_links_to_pages_whatever_their_logs_are_called(folder: Path) -> None:
    odd = 'a b#<c>&"d%20?.pbem.yaml'
    (folder / "running.pbem.yaml").rename(folder / odd)
    _, web = site(folder)
    index = Parsed((web / "index.html").read_text(encoding="utf-8"))
    links = {unquote(str(about["href"])) for tag, about in index.elements if tag == "a"}
    assert links == {"feed.xml", *(path.name for path in web.glob("*.html"))} - {"index.html"}
    assert f"match-{odd.removesuffix('.pbem.yaml')}.html" in links


def test_a_site_counts_results_by_player(folder: Path) -> None:
    _, web = site(folder)
    rows = re.findall(
        r"<tr><td>(\w+)</td>.*?>(\d)</td>.*?>(\d)</td>.*?>(\d)</td>",
        (web / "index.html").read_text(),
    )
    winner = "White" if "White wins." in (web / "index.html").read_text() else "Black"
    loser = "Black" if winner == "White" else "White"
    assert rows == [
        ("Ana", "1", "1", "0"),
        (winner, "1", "1", "0"),
        (loser, "1", "0", "0"),
        ("Zoe", "1", "0", "0"),
    ]


def test_only_what_changed_is_written_again(folder: Path) -> None:
    site(folder)
    assert site(folder)[0] == set()
    log = folder / "running.pbem.yaml"
    assert pbem("submit", log, "--from", "black", stdin="pass").code == 0
    news = {"feed.xml", "match-running.xml", "match-running.png"}
    assert site(folder)[0] == {"index.html", "match-running.html", *news}
    for name in ("match-over.html", "match-over.xml", "match-over.png"):
        (folder.parent / "web" / name).unlink()
        assert site(folder)[0] == {name}
    assert site(folder, title="Other")[0] == {"index.html", "feed.xml"}


def test_many_pages_are_made_side_by_side(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "broken.pbem.yaml").write_text("log: what?\n")
    made = []
    for most in (1, 100):
        web = folder.parent / f"web{most}"
        monkeypatch.setattr(site_, "_MANY", most)
        done = site_.write(sorted(map(str, folder.glob("*.pbem.yaml"))), str(web), "Matches")
        assert len(done.matches) == 3
        assert len(done.problems) == 1
        made.append({path.name: path.read_bytes() for path in web.iterdir()})
    assert made[0] == made[1]


def test_a_log_that_cannot_be_read_does_not_stop_the_others(folder: Path) -> None:
    (folder / "broken.pbem.yaml").write_text("log: what?\n")
    done = pbem("site", folder, "-o", folder.parent / "web")
    assert done.code == 65
    assert "broken.pbem.yaml" in done.err
    assert (folder.parent / "web" / "match-over.html").exists()
    index = Parsed((folder.parent / "web" / "index.html").read_text(encoding="utf-8"))
    assert "brokenIts log cannot be read now. Finished" in index.words


def test_a_match_whose_log_is_damaged_keeps_its_place_in_the_index(folder: Path) -> None:
    _, web = site(folder)
    (folder / "running.pbem.yaml").write_text("log: what?\n")
    assert pbem("site", folder, "-o", web).code == 65
    index = Parsed((web / "index.html").read_text(encoding="utf-8"))
    assert "runningIts log cannot be read now. The page shows the match as it was." in index.words
    assert ("a", {"href": "match-running.html"}) in index.elements
    assert (web / "match-running.html").exists()


@pytest.mark.parametrize("name", ["index.html", "match-over.html", "feed.xml", "match-over.xml"])
def test_a_site_takes_no_other_page_s_place(folder: Path, name: str) -> None:
    web = folder.parent / "web"
    web.mkdir()
    of_all = name in ("index.html", "feed.xml")
    home = folder.parent / "home.html" if of_all else web / name
    home.write_text("<h1>My home page</h1>")
    if home.parent != web:  # nor that of a page a link leads to
        (web / name).symlink_to(home)
    done = pbem("site", folder, "-o", web)
    assert done.code == (73 if of_all else 65)
    assert f"{name}: is there already" in done.err
    assert home.read_text() == "<h1>My home page</h1>"
    assert (web / "match-running.html").exists() != of_all


def test_no_site_stands_beside_desk_files(folder: Path) -> None:
    (folder / "m.desk.yaml").touch()
    done = pbem("site", folder, "-o", folder)
    assert done.code == 2
    assert "name another folder" in done.err
    assert not (folder / "index.html").exists()


def test_a_site_shows_what_everybody_may_know(folder: Path) -> None:
    """Even where the desk files lie beside the logs."""
    _, web = site(folder)
    now = seen(ARCHIVE / "running.pbem.yaml")
    assert CHANCE not in now.awaited
    assert (web / "match-running.html").read_text(encoding="utf-8") == pages.page(
        now, home="index.html", feed="match-running.xml", card="match-running.png"
    )


@pytest.mark.usefixtures("cards")
def test_links_to_a_match_show_a_card_where_one_can_be_painted(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, web = site(folder)
    card = (web / "match-running.png").read_bytes()
    assert struct.unpack(">II", card[16:24]) == (1200, 630)
    now = seen(ARCHIVE / "running.pbem.yaml")
    assert card == preview.card(now, **pages.card_words(now))
    (web / "match-running.png").write_bytes(b"somebody's own")
    assert pbem("site", folder, "-o", web).code == 65
    assert (web / "match-running.png").read_bytes() == b"somebody's own"
    monkeypatch.setattr(site_, "_paints", lambda: False)
    bare = folder.parent / "bare"
    site_.write(sorted(map(str, folder.glob("*.pbem.yaml"))), str(bare), "Matches")
    assert not list(bare.glob("*.png"))
    assert "og:image" not in (bare / "match-running.html").read_text("utf-8")


# ---------------------------------------------------------------------------------- the feeds

ATOM = "{http://www.w3.org/2005/Atom}"


def entries(web: Path, name: str) -> list[tuple[str, str, str, str]]:
    """What a feed tells, the latest first: id, title, author and text of each entry."""
    root = ElementTree.fromstring((web / name).read_bytes())
    assert root.tag == f"{ATOM}feed"
    for part in ("id", "title", "updated", "author"):
        assert root.find(ATOM + part) is not None, part
    return [
        (
            each.findtext(f"{ATOM}id") or "",
            each.findtext(f"{ATOM}title") or "",
            each.findtext(f"{ATOM}author/{ATOM}name") or "",
            each.findtext(f"{ATOM}content") or "",
        )
        for each in root.findall(f"{ATOM}entry")
    ]


def test_a_feed_tells_each_move_and_who_made_it(folder: Path) -> None:
    _, web = site(folder)
    before = {name: entries(web, name) for name in ("match-running.xml", "feed.xml")}
    assert before["match-running.xml"][-1][1] == "running: the match begins"
    assert pbem("submit", folder / "running.pbem.yaml", "--from", "black", stdin="pass").code == 0
    site(folder)
    ply = seen(folder / "running.pbem.yaml").position.ply
    for name, known in before.items():
        [new] = [entry for entry in entries(web, name) if entry not in known]
        assert new[1] == f"running #{ply}: Ben pass"
        assert new[2] == "Ben"
        assert "Ben" in new[3]


def test_each_entry_of_a_feed_has_an_id_of_its_own_and_leads_to_its_place(folder: Path) -> None:
    _, web = site(folder)
    ids = []
    for name in ("match-running", "match-rulings", "match-over"):
        ids += [entry[0] for entry in entries(web, f"{name}.xml")]
        page = Parsed((web / f"{name}.html").read_text(encoding="utf-8"))
        places = {about.get("id") for _, about in page.elements}
        links = re.findall(r'href="([^"]*)#([^"]*)"', (web / f"{name}.xml").read_text())
        assert links
        assert all(file == f"{name}.html" and place in places for file, place in links)
        assert f"{name}.xml" in {about.get("href") for _, about in page.elements}
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch("urn:uuid:[0-9a-f-]{36}", each) for each in ids)
    latest = entries(web, "feed.xml")
    assert len(latest) == feeds.MOST
    assert {each[0] for each in latest} < set(ids)


def test_feeds_are_made_of_logs_alone(folder: Path) -> None:
    _, web = site(folder)
    feed = (web / "match-running.xml").read_text("utf-8")
    assert "<id>urn:uuid:2bd8ee5c-4ef9-5f4b-931c-7606ff0343b4</id>" in feed  # for ever
    made = {path.name: path.read_bytes() for path in web.glob("*.xml")}
    for path in (*web.iterdir(), *folder.glob("*.desk.yaml")):
        path.unlink()
    site(folder)
    assert made == {path.name: path.read_bytes() for path in web.glob("*.xml")}


def test_feeds_tell_rulings(folder: Path) -> None:
    _, web = site(folder)
    told = [entry[3] for entry in reversed(entries(web, "match-rulings.xml"))]
    lines = chronicle.lines(seen(ARCHIVE / "rulings.pbem.yaml"))
    rulings = [line.removeprefix("--: ") for line in lines if line.startswith("--: ")]
    assert rulings
    assert [text for text in told if text in rulings] == rulings


def test_hostile_names_and_notes_are_text_in_a_feed(tmp_path: Path) -> None:
    folder = tmp_path / "matches"
    folder.mkdir()
    players = {name: Player(HOSTILE) for name in ("white", "black")}
    opened, desk = begin.begin(
        begin.Terms("kahuna", players, name="m", folder=str(folder)), secret=bytes(32), clock=clock
    )
    begin.write(opened, desk)
    assert pbem("rule", opened.log.path, "note", "--text", HOSTILE).code == 0
    assert pbem("submit", opened.log.path, "--from", "white", stdin="draw").code == 0
    _, web = site(folder, title=HOSTILE)
    for name in ("feed.xml", "match-m.xml"):
        text = (web / name).read_text(encoding="utf-8")
        assert "\u202e" not in text
        assert "<script" not in text
        [move, note, begun] = entries(web, name)
        assert "<script>alert(1)</script>" in move[1]
        assert "<script>alert(1)</script>" in note[3]
        assert begun[1] == "m: the match begins"


def test_a_feed_calls_everybody_as_the_posts_do(tmp_path: Path) -> None:
    seats = ("--seat", "white=Ana", "--seat", "black=Ben")
    log = tmp_path / "matches" / "m"
    pbem("new", "kahuna", "--match", "m", *seats, "--dir", log.parent)
    pbem("submit", log, "--from", "white", stdin="draw")
    pbem("rule", log, "substitute", "--seat", "white", "--player", "Cara", "--reason", "x")
    pbem("rule", log, "rename", "--seat", "white", "--epoch", "0", "--name", "Nobody")
    pbem("submit", log, "--from", "black", stdin="draw")
    pbem("submit", log, "--from", "white", stdin="draw")
    told = entries(site(log.parent)[1], "match-m.xml")
    assert "Ana" not in str(told)
    assert [(title.split(": ")[0], author) for _, title, author, _ in told if author] == [
        ("m #14", "Cara"),
        ("m #12", "Ben"),
        ("m #10", "Nobody"),
    ]
    assert "It's Cara's turn." in told[1][-1]


def test_a_site_without_matches_has_a_feed_without_entries(tmp_path: Path) -> None:
    (tmp_path / "matches").mkdir()
    _, web = site(tmp_path / "matches")
    assert entries(web, "feed.xml") == []
