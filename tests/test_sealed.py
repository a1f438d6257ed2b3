"""Pages on a public site that one seat alone can open: their keys, and what they tell nobody."""

from __future__ import annotations

import hashlib
import json
import random
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from commands import SECRET, Done, Room, dealt, pbem, scripted
from cryptography.exceptions import InvalidTag
from long import many
from outside import brought

from pbem import intake
from pbem.core import Position
from pbem.desk import append
from pbem.desk.authorship.signature import sign
from pbem.desk.file import read_both
from pbem.files.data import game_file
from pbem.log import seal
from pbem.log.match import Replay
from pbem.play import games, judge, orders
from pbem.report import sealed, turn
from pbem.report.site import rules_page
from pbem.shapes import Shape

ROOT = Path(__file__).parents[1]
LOGS = sorted((ROOT / "tests" / "archive").glob("*.pbem.yaml"))
BASE = "https://club.example/matches/"


@pytest.fixture(scope="module")
def page() -> SimpleNamespace:
    """The programs of the document, run as they stand."""
    text = (ROOT / "docs" / "sealing-and-drawing.md").read_text("utf-8")
    names: dict[str, Any] = {}
    exec("".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL)), names)
    names["text"] = text
    return SimpleNamespace(**names)


def written(room: Room, seat: str = "white", *more: str) -> tuple[str, bytes]:
    """A seat's page, and what its links hold."""
    out = room.log.parent / "sealed.html"
    done = pbem("page", room.log, "--seat", seat, "--sealed", "-o", out, *more)
    assert done.code == 0, done.printed
    [key] = re.findall(r"^#k=([\w-]{43})$", done.out, re.MULTILINE)
    return out.read_text("utf-8"), base64url(key)


def base64url(text: str) -> bytes:
    import base64

    return base64.urlsafe_b64decode(f"{text}=")


def test_the_bytes_of_a_sealed_part_are_as_documented(page: SimpleNamespace) -> None:
    at = {"match": "kahuna-07", "seat": "white", "epoch": 0, "mark": "sha256:00"}
    made = seal.seal_page(page.LINK, b"told", **at)
    assert len(made) == 32_796
    assert made[:12].hex() in page.text
    assert hashlib.sha256(made).hexdigest() in page.text


def test_the_code_of_a_page_is_as_documented() -> None:
    link = seal.link_key(SECRET, "kahuna-7", "white", 0)
    code = sign(link, "kahuna-7", "white", Position(17, "a3f9"), ["bari-duda", "draw"])
    assert code in (ROOT / "docs" / "authorship.md").read_text("utf-8")


def test_a_stranger_opens_a_page_with_the_document_alone(page: SimpleNamespace, room: Room) -> None:
    html, link = written(room)
    assert link == page.link_key(
        page.derive(room.read().keyring.secret, "seat/white/0"), "m", "white", 0
    )
    told = page.open_page(html, link)
    hand = room.read("white").game.view(room.read("white").state)["hands"]["white"]
    assert hand
    shown = "".join(told["cels"][cel] for cel in told["shown"])
    for card in hand:
        assert f'id="hand-white-{card}' in shown
        assert f"hand-white-{card}" not in html
    assert {move for move, _ in told["order"]["moves"]} >= {"draw"}


def test_another_seat_s_link_opens_nothing(page: SimpleNamespace, room: Room) -> None:
    html, link = written(room)
    _, other = written(room, "black")
    assert link != other
    for wrong in (other, seal.seat_key(room.read().keyring.secret or b"", "white", 0), bytes(32)):
        with pytest.raises(InvalidTag):
            page.open_page(html, wrong)


def test_whoever_takes_a_seat_has_another_link(page: SimpleNamespace, room: Room) -> None:
    _, before = written(room)
    done = pbem(
        "rule", room.log, "substitute", "--seat", "white", "--player", "Zoe", "--reason", "x"
    )
    assert done.code == 0, done.printed
    html, link = written(room)
    assert page.open_page(html, link)
    with pytest.raises(InvalidTag):
        page.open_page(html, before)


def test_what_a_link_holds_opens_nothing_in_the_log(room: Room) -> None:
    _, link = written(room)
    keys = [seal.derive(link, label) for label in ("page", "nonce", "sign")]
    shut = re.findall(r"sealed:0:[\w-]+", room.log.read_text())
    assert shut
    for text in shut:
        data = base64url_of(text)
        for key in (link, *keys):
            with pytest.raises(InvalidTag):
                seal._cipher(key).decrypt(data, [b""])


def base64url_of(text: str) -> bytes:
    return seal._parts(text)[1]


# ------------------------------------------------------------------------------ leaks nothing

OPEN = ["FAAA", "HUNA", "JOJO"]
WORLDS = [
    ["DUDA", "KAHU", "LALE", "ALOA", "GOLA", "IFFI", *OPEN],
    ["DUDA", "COCO", "ELAI", "BARI", "GOLA", "LALE", *OPEN],
    ["ALOA", "ALOA", "BARI", "BARI", "COCO", "COCO", *OPEN],
]


def world(folder: Path, cards: list[str]) -> Room:
    folder.mkdir()
    dealer = scripted(cards)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(append, "dealer_of", lambda now, table: dealer)
        return dealt(folder, dealer=dealer, dealer_name="scripted")


@pytest.mark.parametrize("language", ["en", "de", "fr", "hu", "pl"])
def test_all_worlds_of_one_public_state_have_pages_of_one_length(
    tmp_path: Path, language: str
) -> None:
    rooms = [world(tmp_path / str(nth), cards) for nth, cards in enumerate(WORLDS)]
    for seat in ("white", "black")[: many(1 + (language == "en"), 2)]:
        pages = [written(room, seat, "--language", language)[0] for room in rooms]
        assert len(set(pages)) == len(pages)
        assert len({len(page) for page in pages}) == 1
        blank = {re.sub(r'"known":\{.*?\}|"sealed":".*?"', "", page) for page in pages}
        assert len(blank) == 1


@pytest.mark.parametrize("name", ["kahuna-arabana", "bambus-four", "piatnik-four"])
def test_a_seat_s_page_tells_what_its_own_key_opens_and_nothing_more(name: str) -> None:
    whole, desk = read_both(str(ROOT / "tests" / "archive" / f"{name}.pbem.yaml"))
    now = Replay.of(whole.log, whole.keyring, at=whole.position.ply // 2)
    for seat in now.setup.seats:
        told, own = (sealed._seen(each, desk, seat, "", 9_000) for each in (now, now.seen_by(seat)))
        assert told == own
        assert (told["order"] is not None) == (seat in now.asked)


def test_what_fits_a_page_leaves_it_as_long_as_any() -> None:
    at = {"match": "m", "seat": "white", "epoch": 0, "mark": ""}
    lengths = range(seal.PAGE_SIZE - 9, seal.PAGE_SIZE + 9)
    fitting = [bytes(length) for length in lengths if seal.fits_page(bytes(length))]
    assert {len(seal.seal_page(bytes(32), told, **at)) for told in fitting} == {32_796}
    assert len(fitting) < len(lengths)


@pytest.mark.parametrize("fewer", [0, 1])
def test_a_position_with_more_moves_than_are_told_says_so(
    room: Room, monkeypatch: pytest.MonkeyPatch, fewer: int
) -> None:
    now = room.read()
    told = len(judge.legal_moves(now.game, now.state, "white")) - fewer
    monkeypatch.setattr(orders, "MOST_MOVES", told)
    [node] = orders.explore(now.game, now.state, "white", lambda state, view: "alike", most=1)
    assert (len(node.moves), node.more) == (told, bool(fewer))


CARD = Shape("hand-white-BARI", "box", (0, 0, 9, 9), "card", moves=("white: discard BARI",))
SHAPES = [
    Shape("island-BARI", "disc", (0, 0, 9), "island", moves=("* *-BARI", "* BARI-*")),
    CARD,
    CARD._replace(id="hand-white-BARI-2"),
    Shape("display-2", "box", (0, 0, 9, 9), "card", moves=("take BARI",)),
    Shape("hand-black-BARI", "box", (0, 0, 9, 9), "card", moves=("black: discard BARI",)),
    Shape("line-BARI-DUDA", "line", (0, 0, 9, 9), "way", moves=("BARI-DUDA", "* x BARI-DUDA")),
]
CLICKED: list[tuple[str, set[int], list[int]]] = [
    # a move, what is there, and what it is clicked on
    ("take BARI", {0, 1, 2, 3}, [3]),
    ("take BARI", {0, 1, 2}, []),
    ("discard BARI", {0, 1, 2, 3, 4}, [1, 2]),
    ("discard BARI", {0, 2, 4}, [2]),
    ("BARI-DUDA", {0, 1, 5}, [0, 5]),
    ("ELAI+DUDA x BARI-DUDA", {0, 5}, [0, 5]),
    ("draw", {0, 1, 2, 3, 4, 5}, []),
]


def test_a_move_is_clicked_on_the_shapes_that_stand_for_it_for_that_seat() -> None:
    board = turn.Board(SHAPES, "white")  # one for all: what it remembers holds everywhere
    for move, here, on in CLICKED:
        clicked = board.clicked(move, frozenset(here))
        assert list(clicked) == [SHAPES[number].id for number in on], move


def test_an_order_that_does_not_fit_is_cut_until_it_does(
    page: SimpleNamespace, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = page.open_page(*written(room))
    tight = {"fits": lambda told: len(told) < 7_500}
    monkeypatch.setattr(seal, "fits_page", tight["fits"])
    cut = page.open_page(*written(room))
    assert 1 <= len(cut["order"]["nodes"]) < len(whole["order"]["nodes"])
    assert -1 in [to for node in cut["order"]["nodes"] for to in node[2][1::2]]


@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.name.removesuffix(".pbem.yaml"))
def test_every_move_of_a_position_stands_on_the_page_and_all_parts_are_equally_long(
    page: SimpleNamespace, log: Path
) -> None:
    whole, desk = read_both(str(log))
    plies, rng = range(1, whole.position.ply + 1), random.Random(log.name)
    for ply in sorted(rng.sample(plies, min(many(1, 2), len(plies)))):
        now = Replay.of(whole.log, whole.keyring, at=ply)
        for seat in now.setup.seats:
            shut = sealed.shut(now, desk, seat, "desk@example.org")
            assert len(shut["sealed"]) == 43_728
            html = f'<script type="application/json" id="page-sealed">{json.dumps(shut)}</script>'
            order = page.open_page(html, base64url(sealed.fragment(now, seat)[3:]))["order"]
            assert (order is not None) == (seat in now.asked)
            if order:
                theirs = now.seen_by(seat)
                legal = judge.legal_texts(theirs.game, theirs.state, seat).texts
                first = [order["moves"][move][0] for move in order["nodes"][0][2][::2]]
                assert sorted(first) == sorted(legal)


OUTSIDE = [
    ("example_game", "nerve"),
    ("card_game", "pearls"),
    ("orders_game", "skerries"),
    ("sound_games", "cairn"),
    ("sound_games", "lots"),
    ("sound_games", "lanterns"),
]


@pytest.mark.parametrize(("folder", "name"), OUTSIDE)
def test_every_move_of_a_game_from_outside_stands_on_its_page(
    page: SimpleNamespace, tmp_path: Path, folder: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What is looked at is the first position, not how many that come of it there is room for.
    monkeypatch.setattr(turn, "ROOM", many(turn.ROOM // 8, turn.ROOM))
    with brought(ROOT / "tests" / folder):
        rules = games.game(name)
        seats = (rules.SEATS or ("ana", "ben", "cara", "dan"))[: rules.PLAYERS[0]]
        room, rng = dealt(tmp_path, name, tuple(seats)), random.Random(name)
        for _ in range(many(2, 8)):
            now, desk = read_both(str(room.log))
            for seat in now.setup.seats:
                shut = sealed.shut(now, desk, seat, "")
                assert len(shut["sealed"]) == 43_728
                link = base64url(sealed.fragment(now, seat)[3:])
                order = page.open_page(
                    f'<script type="application/json" id="page-sealed">{json.dumps(shut)}</script>',
                    link,
                )["order"]
                theirs = now.seen_by(seat)
                legal = judge.legal_texts(theirs.game, theirs.state, seat).texts
                assert (order is not None) == (seat in now.asked)
                if order:
                    first = [order["moves"][move][0] for move in order["nodes"][0][2][::2]]
                    assert sorted(first) == sorted(legal)
            if not now.awaited:
                break
            seat = rng.choice(now.awaited)
            theirs = now.seen_by(seat)
            text = rng.choice(judge.legal_texts(theirs.game, theirs.state, seat).texts)
            assert room.says(seat, f"[move]\n{text}\n[/move]").verdict == "accepted"


@pytest.mark.parametrize(("most", "fits"), [(700, False), (30_000, True)])
def test_a_page_that_would_be_longer_than_others_is_none(
    page: SimpleNamespace, room: Room, monkeypatch: pytest.MonkeyPatch, most: int, fits: bool
) -> None:
    monkeypatch.setattr(seal, "fits_page", lambda told: len(told) < most)
    out = room.log.parent / "sealed.html"
    done = pbem("page", room.log, "--seat", "white", "--sealed", "-o", out)
    assert (done.code == 0) is fits
    assert out.exists() is fits
    assert fits or "too large" in done.err


# ---------------------------------------------------------------------------------- the site


def site(folder: Path, *more: object) -> Done:
    done = pbem("site", folder, "-o", folder.parent / "web", "--json", *more)
    assert done.code == 0, done.printed
    return done


def files(done: Done) -> set[str]:
    return {Path(file).name for file in done.json["files"]}


@pytest.fixture
def club(tmp_path: Path) -> Room:
    folder = tmp_path / "matches"
    folder.mkdir()
    return dealt(folder)


SEATS = {"m-white.html", "m-black.html"}
FEEDS = {"feed.xml", "match-m.xml"}
TOLD = {"players.html", "rules-kahuna.html", *FEEDS}


def test_a_site_without_links_has_no_page_of_a_seat(club: Room) -> None:
    assert files(site(club.log.parent)) == {"index.html", "match-m.html", "match-m.png", *TOLD}
    public = (club.log.parent.parent / "web" / "match-m.html").read_text()
    assert "page-sealed" not in public
    assert "m-white.html" not in public


def test_the_pages_of_all_seats_stand_beside_the_public_one(
    page: SimpleNamespace, club: Room
) -> None:
    written = {"index.html", "match-m.html", "match-m.png", *TOLD, *SEATS}
    assert files(site(club.log.parent, "--link", BASE)) == written
    web = club.log.parent.parent / "web"
    for seat in ("white", "black"):
        html = (web / f"m-{seat}.html").read_text()
        link = base64url(sealed.fragment(club.read(), seat)[3:])
        assert page.open_page(html, link)["cels"]
        assert f'<a href="m-{seat}.html">' in (web / "match-m.html").read_text()
        assert f'<meta property="og:image" content="{BASE}match-m.png">' in html
    assert files(site(club.log.parent, "--link", BASE)) == set()


def test_no_row_of_a_seat_s_page_jumps_between_what_everybody_saw_and_its_own_hand(
    page: SimpleNamespace, club: Room
) -> None:
    site(club.log.parent, "--link", BASE)
    places = []
    for seat in ("white", "black"):
        html = (club.log.parent.parent / "web" / f"m-{seat}.html").read_text()
        own = page.open_page(html, base64url(sealed.fragment(club.read(), seat)[3:]))
        disc = re.compile(r'id=\\?"seat-(\w+)\\?"[^>]*><circle [^>]*cy=\\?"(\d+)')
        html = html.replace("\\u003c", "<").replace("\\u003e", ">")
        places.append({**dict(disc.findall(html))})
        assert set(disc.findall(html)) == set(disc.findall("".join(own["cels"])))
    assert places[0] == places[1]


def test_each_entry_changes_all_pages_of_a_match_and_a_plan_none(club: Room) -> None:
    folder = club.log.parent
    site(folder, "--link", BASE)
    web = folder.parent / "web"
    before = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in web.iterdir()}
    said = club.says("black", "[move]\nnext: draw\n[/move]")
    assert said.verdict == "waiting", said
    assert files(site(folder, "--link", BASE)) == set()
    after = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in web.iterdir()}
    assert before == after
    assert pbem("rule", club.log, "note", "--text", "Good luck").code == 0
    assert files(site(folder, "--link", BASE)) == {"match-m.html", "match-m.png", *FEEDS, *SEATS}


def test_a_site_of_a_log_whose_desk_file_is_elsewhere_has_its_public_page(club: Room) -> None:
    club.desk.rename(club.log.parent.parent / "m.desk.yaml")
    assert not SEATS & files(site(club.log.parent, "--link", BASE))


def test_pages_of_seats_are_made_as_soon_as_the_desk_file_is_there(club: Room) -> None:
    away = club.log.parent.parent / "m.desk.yaml"
    club.desk.rename(away)
    assert not SEATS & files(site(club.log.parent, "--link", BASE))
    away.rename(club.desk)
    assert files(site(club.log.parent, "--link", BASE)) >= SEATS


def test_a_broken_desk_file_is_told_and_keeps_nobody_from_the_public_page(club: Room) -> None:
    folder, whole = club.log.parent, club.desk.read_text()
    site(folder, "--link", BASE)
    assert pbem("rule", club.log, "note", "--text", "Good luck").code == 0
    club.desk.write_text("secret: what?\n")
    page = {"match-m.html", "match-m.png", "match-m.xml"}
    for written in ({*page, "index.html", "feed.xml"}, set()):
        done = pbem("site", folder, "-o", folder.parent / "web", "--link", BASE, "--json")
        assert done.code == 65
        assert {Path(file).name for file in done.json["files"]} <= written
        [problem] = done.json["problems"]
        assert "m.desk.yaml" in str(problem)
    assert "Good luck" in (folder.parent / "web" / "match-m.html").read_text()
    assert '<a href="match-m.html">' in (folder.parent / "web" / "index.html").read_text()
    club.desk.write_text(whole)
    assert files(site(folder, "--link", BASE)) >= SEATS


@pytest.mark.parametrize(
    ("names", "seats", "told"),
    [
        (("match", "white"), ("white", "black"), ["match-white.html"]),
        (("a", "a-b"), ("b-c", "c"), ["a-b-c.html", "a-b-c.html"]),
        (("a", "a-b"), ("white", "black"), []),
    ],
)
def test_a_page_that_two_matches_would_have_is_neither_s_but_the_public_one(
    tmp_path: Path, names: tuple[str, str], seats: tuple[str, str], told: list[str]
) -> None:
    """And it is told every time."""
    folder = tmp_path / "matches"
    folder.mkdir()
    for nth, name in enumerate(names):
        game = "kahuna" if seats[0] == "white" else "kanaloa-piatnik"
        made = dealt(tmp_path, game, seats if game == "kahuna" else (seats[nth], "x", "y"))
        for file in (made.log, made.desk):
            file.rename(folder / file.name.replace("m.", f"{name}.", 1))
    for _ in range(2):
        done = pbem("site", folder, "-o", tmp_path / "web", "--link", BASE, "--json")
        assert [Path(each["path"]).name for each in done.json["problems"]] == told
    web = {path.name for path in (tmp_path / "web").iterdir()}
    assert {f"match-{name}.html" for name in names} <= web
    assert ("a-b-c.html" in web) is False
    if "match-white.html" in web:
        assert "page-sealed" not in (tmp_path / "web" / "match-white.html").read_text()


@pytest.mark.parametrize(
    "bad", ["club.example/m", "ftp://club.example", "https://a/#b", "https://a b"]
)
def test_a_base_that_is_no_place_on_the_web_is_refused(club: Room, bad: str) -> None:
    done = pbem("site", club.log.parent, "-o", club.log.parent.parent / "web", "--link", bad)
    assert done.code == 2
    assert "--link" in done.err


def test_an_order_says_which_seat_it_is_for_where_one_address_plays_two(
    page: SimpleNamespace, room: Room
) -> None:
    html, link = written(room)
    assert "seat:" not in page.open_page(html, link)["order"]["fence"]
    both = ("--address", "ben@example.org", "--address", "ana@example.org")
    assert pbem("seat", room.log, "--seat", "black", *both).code == 0
    html, link = written(room)
    fence = page.open_page(html, link)["order"]["fence"].replace("...", "draw")
    assert "\nseat: white\n" in fence
    raw = f"From: ana@example.org\nSubject: [m]\nMessage-ID: <1@x>\n\n{fence}"
    assert room.mails(raw.encode()).seat == "white"


# ------------------------------------------------------------------------------ what is to read


def test_the_rules_of_a_game_are_a_page_with_each_rule_s_id_as_its_anchor(club: Room) -> None:
    site(club.log.parent)
    rules = (club.log.parent.parent / "web" / "rules-kahuna.html").read_text()
    known = [rule["id"] for rule in game_file(club.read().game.DATA, "rules")]
    assert re.findall(r'<dt id="([^"]+)">', rules) == known
    linked = set(re.findall(r'<a href="#([^"]+)">', rules))
    assert linked <= set(known)
    assert len(linked) > 50
    assert not re.search(r'href="(?!#|https:|index.html|data:)', rules)


def test_what_is_wider_than_a_phone_is_reached_with_the_keyboard() -> None:
    for name in ("kahuna", "kanaloa-bambus", "kanaloa-piatnik"):
        rules = rules_page(games.game(name), "index.html")
        assert not re.search(r"<(pre|table)>", rules)
        assert 'tabindex="0"' in rules
        assert not re.search(r"<th[^>]*></th>", rules), "no empty heading is read out"


def test_badges_lead_to_the_rules_where_a_site_has_links(club: Room) -> None:
    web = club.log.parent.parent / "web"
    assert club.says("white", "draw").code == 0
    site(club.log.parent)
    assert "rules-kahuna.html" not in (web / "match-m.html").read_text()
    site(club.log.parent, "--link", BASE)
    for name in ("match-m.html", *SEATS):
        page = (web / name).read_text()
        for rule in re.findall(r'popovertarget="page-rule-([^"]+)"', page):
            assert f'href="rules-kahuna.html#{rule}"' in page


def test_the_page_for_players_is_one_page_in_words_of_theirs() -> None:
    text = (ROOT / "docs" / "players.md").read_text("utf-8")
    assert 150 <= len(text.split()) <= 900
    for word in ("ply", "epoch", "seal", "fingerprint", "terminal"):
        assert word not in text.lower()
    for word in ("link", "key", "refused", "away"):
        assert word in text.lower()


def test_what_the_page_for_players_says_of_lines_is_so(club: Room) -> None:
    text = (ROOT / "docs" / "players.md").read_text("utf-8")
    for line in ("away until 14 August", "back", "resign", "help", "board"):
        assert f"`{line}`" in text
        assert intake.read(f"{line}\n".encode(), "-").requests, line
