"""Boards as pictures: what is to be seen, for whom, and nothing more."""

from __future__ import annotations

import io
import math
import os
import random
import re
import stat
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from functools import cache
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from commands import Room
from commands import pbem as pbem_
from long import many

import pbem
from pbem.core import CHANCE, HIDDEN
from pbem.desk.file import read_keys
from pbem.log.match import Replay
from pbem.pictures import board, figures, palette, preview, svg
from pbem.pictures.palette import THEMES
from pbem.pictures.png import png
from pbem.play import games
from pbem.report import pages
from pbem.shapes import Scene, Shape
from pbem.testing.random_matches import Played, play_out, variants

ARCHIVE = Path(__file__).parent / "archive"
LOGS = sorted(ARCHIVE.glob("*.pbem.yaml"))
NAMES = [path.name.removesuffix(".pbem.yaml") for path in LOGS]
HOSTILE = '<script>alert(1)</script>]]>"\'&\u202eevil\x07 href="#evil"'
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(params=LOGS, ids=NAMES)
def now(request: pytest.FixtureRequest) -> Replay:
    """An archived match as a spectator knows it."""
    return Replay.read(str(request.param))


def moments(now: Replay) -> Iterator[dict[str, Any]]:
    """Some views of a match, from its start to its end."""
    for ply in range(0, now.position.ply, max(1, now.position.ply // 12)):
        then = Replay.of(now.log, now.keyring, at=ply)
        yield then.game.view(then.state)


def test_every_shape_has_an_id_of_its_own_and_lies_on_the_board(now: Replay) -> None:
    for view in moments(now):
        shown = board.scene(now.game, view)
        ids = [shape.id for shape in shown.shapes]
        assert len(set(ids)) == len(ids)
        for shape in shown.shapes:
            xs, ys = corners(shape.form, shape.place)
            assert 0 <= min(xs) <= max(xs) <= shown.width, shape
            assert 0 <= min(ys) <= max(ys) <= shown.height, shape
            assert all(type(number) is int for number in shape.place)


def corners(form: str, place: tuple[int, ...]) -> tuple[list[int], list[int]]:
    match form:
        case "box":
            x, y, width, height = place
            return [x, x + width], [y, y + height]
        case "disc":
            x, y, radius = place
            return [x - radius, x + radius], [y - radius, y + radius]
        case "blob":
            x, y, wide, high = place
            return [x - wide, x + wide], [y - high, y + high]
        case "arc":
            x, y, radius, *_ = place
            return [x - radius, x + radius], [y - radius, y + radius]
        case "figure":
            x, y, *_ = place
            return [x - 26, x + 26], [y - 26, y + 26]
        case "text":
            x, y, *room = place
            return [x, x + sum(room)], [y - 22, y + 6]
    return list(place[::2]), list(place[1::2])


def test_a_picture_is_well_formed_always_the_same_and_says_what_it_shows(now: Replay) -> None:
    painted = board.picture(now)
    root = ET.fromstring(painted)
    assert painted == board.picture(now)
    assert root.findtext(f"{SVG}title") == f"{now.game.TITLE} - {now.name} - {now.position}"
    assert root.findtext(f"{SVG}desc") or not hasattr(now.game, "scene")
    assert "http" not in painted.replace('xmlns="http://www.w3.org/2000/svg"', "")


def test_every_figure_is_a_file_that_a_drawing_program_opens() -> None:
    names = {path.stem for path in Path(figures.__file__).parent.glob("art/*.svg")}
    assert names | figures.ISLANDS.keys() == figures.FIGURES.keys()
    for name in names:
        drawn = svg.figures([f'<use href="#{name}"/>'])
        assert f'id="{name}"' in drawn
        path = Path(figures.__file__).parent / "art" / f"{name}.svg"
        root = ET.fromstring(path.read_text(encoding="utf-8"))
        assert root.tag == f"{SVG}svg"
        assert len((root.get("viewBox") or "").split()) == 4
        assert png(path.read_text(encoding="utf-8"), 120)


@pytest.mark.parametrize("theme", THEMES)
def test_names_from_outside_do_no_harm(theme: str, now: Replay) -> None:
    names = dict.fromkeys(now.setup.seats, HOSTILE)
    view = now.game.view(now.state)
    painted = board.paint(now.game, view, title=HOSTILE, names=names, theme=theme)
    root = ET.fromstring(painted)
    assert {element.tag for element in root.iter()} <= {
        f"{SVG}{tag}"
        for tag in (
            "svg",
            "title",
            "desc",
            "style",
            "defs",
            "radialGradient",
            "stop",
            "pattern",
            "use",
            "g",
            "rect",
            "circle",
            "line",
            "path",
            "polygon",
            "text",
        )
    }
    assert "\u202e" not in painted
    assert "\x07" not in painted


def played(game: str, plies: int) -> pbem.Table:
    table, rng = pbem.Table.start(game), random.Random(1)
    for _ in range(plies):
        table = step(table, rng)
    return table


def step(table: pbem.Table, rng: random.Random) -> pbem.Table:
    seat = table.pending[0].seat
    return table.play(seat, rng.choice(table.legal(seat)))


def test_a_picture_holds_no_card_that_its_reader_may_not_know() -> None:
    """Two matches that differ in a hidden hand only look the same to everybody else."""
    one = played("kahuna", 12)
    view = one.view()
    hand = view["hands"]["black"]
    other = {**view, "hands": {**view["hands"], "black": [HIDDEN] * len(hand)}}
    for seat in (None, "white"):
        seen = [pbem.Table.at("kahuna", v).seen_by(seat).picture() for v in (view, other)]
        assert seen[0] == seen[1]
    assert hand[0] in pbem.Table.at("kahuna", view).seen_by("black").picture()


def test_a_seat_sees_its_own_hand() -> None:
    log, desk = ARCHIVE / "running.pbem.yaml", ARCHIVE / "running.desk.yaml"
    known = Replay.read(str(log), read_keys(str(desk)))
    for seat in known.setup.seats:
        theirs = known.seen_by(seat)
        hands = theirs.game.view(theirs.state)["hands"]
        painted = board.picture(theirs)
        [held] = re.findall(rf"{theirs.players[seat]} holds ([^;.]+)[;.]", painted)
        assert re.split(", | and ", held) == [str(card) for card in hands[seat]]


def test_a_game_without_a_scene_is_shown_as_its_lines() -> None:
    class Plain:
        TITLE = "Plain"

        @staticmethod
        def draw(view: Any) -> list[str]:
            return ["<o>", "  #"]

    painted = board.paint(Plain, {})  # type: ignore[arg-type]
    assert "&lt;o&gt;" in painted
    ET.fromstring(painted)


@pytest.mark.parametrize("width", [360, 1080])
def test_a_png_has_the_width_asked_for_and_text_on_it(width: int) -> None:
    painted = played("kahuna", 30).picture()
    data = png(painted, width)
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(data[16:20], "big") == width
    assert data == png(painted, width)
    wordless = "".join(
        part.partition("</text>")[2] for part in ("</text>" + painted).split("<text")
    )
    assert png(wordless, width) != data


def test_an_empty_scene_is_a_picture_all_the_same() -> None:
    assert (
        ET.fromstring(svg.paint(Scene(10, 10, ()), title="nothing")).get("viewBox") == "0 0 10 10"
    )


@pytest.mark.parametrize("game", games.OWN)
def test_a_table_gives_its_picture(game: str) -> None:
    seats = games.game(game).SEATS or ("ana", "ben", "cara")
    table = pbem.Table.start(game, seats=seats)
    ET.fromstring(table.picture(theme="dark", size=480))
    assert CHANCE not in table.picture().split("<desc")[0]


# ------------------------------------------------------------------------------- legible


LONG = "Wilhelmine Bartholomäa Featherstonehaugh-Ő"
SMALLEST = 24
"""Of text on a board 720 units wide: 12 pixels at 360."""


@pytest.mark.parametrize("theme", THEMES)
def test_every_text_stands_out_from_what_it_is_written_on(theme: str) -> None:
    """WCAG AA, for the text of every look as its rules paint it in this theme."""
    checked = set()
    for now in archived():
        shown = board.scene(now.game, now.game.view(now.state))
        for shape in shown.shapes:
            if shape.label:
                ground = ground_of(shape, shown, theme)
                ink = painted(shape, "text", "fill", theme)
                checked.add((ink, ground))
                assert contrast(ink, ground) >= 4.5, (shape, ink, ground)
    assert len(checked) >= 10


def archived() -> Iterator[Replay]:
    for path in LOGS:
        yield Replay.read(str(path))


def painted(shape: Shape, part: str, what: str, theme: str) -> str:
    """A property of a shape, or of its text, as the style sheet cascades."""
    return cascaded(frozenset((shape.form, *shape.look.split())), part, what, theme)


@cache
def cascaded(looks: frozenset[str], part: str, what: str, theme: str) -> str:
    best, found = -1, ""
    for selector, body in re.findall(r"([^{}]+)\{([^{}]*)\}", palette.style(theme, looks)):
        of, text = set(re.findall(r"\.([a-z]+)", selector)), selector.split()[-1] == "text"
        if of <= looks and text == (part == "text") and len(of) >= best:
            values = dict(each.split(":", 1) for each in body.strip(";").split(";"))
            if what in values:
                best, found = len(of), values[what]
    return found.strip()


def ground_of(shape: Shape, shown: Scene, theme: str) -> str:
    """The colour behind a label: the shape's own, or that of what lies under it."""
    own = painted(shape, "shape", "fill", theme) if shape.form != "text" else ""
    if own:
        return own
    x, y = svg.middle(shape)
    below = shown.shapes[: shown.shapes.index(shape)]
    return next(
        fill
        for other in reversed(below)
        if other.form in ("box", "polygon", "arc", "figure")
        and inside(other, x, y - 8)
        and (fill := painted(other, "shape", "fill", theme)) not in ("", "none")
    )


def inside(shape: Shape, x: int, y: int) -> bool:
    if shape.form == "polygon":
        points = list(zip(shape.place[::2], shape.place[1::2], strict=True))
        crossed = False
        for (ax, ay), (bx, by) in zip(points, points[1:] + points[:1], strict=True):
            if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
                crossed = not crossed
        return crossed
    if shape.form == "arc":
        middle_x, middle_y, far, begin, turn, *inner = shape.place
        way = math.degrees(math.atan2(x - middle_x, middle_y - y)) - begin
        return (
            bool(inner) and way % 360 < turn and inner[0] < math.dist((x, y), shape.place[:2]) < far
        )
    half = (38, 50) if shape.look.startswith("isle") else (18, 18)
    if shape.form == "figure":
        return abs(x - shape.place[0]) <= half[0] and abs(y - shape.place[1]) <= half[1]
    xs, ys = corners(shape.form, shape.place)
    return min(xs) <= x <= max(xs) and min(ys) <= y <= max(ys)


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_no_text_is_too_small_or_lies_on_another(now: Replay) -> None:
    names = dict.fromkeys(now.setup.seats, LONG)
    for view in moments(now):
        shown = board.scene(now.game, view)
        root = ET.fromstring(board.paint(now.game, view, names=names))
        written = []
        seen = [shape for shape in shown.shapes if shape.label or shape.form != "text"]
        for shape, group in zip(seen, root.findall(f"{SVG}g"), strict=True):
            size = int(painted(shape, "text", "font-size", "light").removesuffix("px"))
            for text in group.findall(f"{SVG}text"):
                if shape.form == "box" and not shape.note and "textLength" not in text.attrib:
                    assert svg.width(text.text or "") <= shape.place[2] - 8, shape
                assert size * 720 >= SMALLEST * shown.width, shape
                bold = painted(shape, "text", "font-weight", "light") == "bold"
                wide = svg.width(text.text or "") * size * (100 if bold else 88) // 2400
                left, line = int(text.get("x") or 0), int(text.get("y") or 0)
                if shape.form != "text" or "middle" in shape.look:
                    left -= wide // 2
                elif "end" in shape.look.split():
                    left -= wide
                assert 0 <= left <= left + wide <= shown.width, shape
                written.append((left + 1, line - 15, left + wide - 1, line, shape.id))
        for n, (left, top, right, foot, one) in enumerate(written):
            for x, y, to_x, to_y, other in written[n + 1 :]:
                apart = right <= x or to_x <= left or foot <= y or to_y <= top
                assert apart, (one, other)


def test_no_board_is_larger_than_30_kb() -> None:
    """Not late in a match of any variant, with what many plies have changed and whatever the
    players are called."""
    called = cycle((LONG[:16], LONG[:24], "\u0416" * 16, "\u6f22" * 12, "\U0001f98a" * 9))
    sizes = []
    for name in games.OWN:
        game = games.game(name)
        for nth, variant in enumerate(variants(name)):
            for seed in range(many(1, 6)):
                for early, late in late_moments(play_out(game, 100 * seed + nth, variant)):
                    names = dict.fromkeys(variant.seats, next(called))
                    shown = board.paint(game, late, names=names, before=early)
                    sizes.append(len(shown.encode()))
    sizes.sort()
    assert sizes[len(sizes) // 2] <= 24_000
    assert sizes[-1] <= 30_000


def late_moments(match: Played) -> Iterator[tuple[Any, Any]]:
    """Some views of the second half of a match, each after one that is a few plies older."""
    states = [*(ply.state for ply in match.plies), match.end]
    for nth in range(len(states) - 1, len(states) // 2, -max(1, len(states) // 12)):
        yield match.game.view(states[max(0, nth - 4)]), match.game.view(states[nth])


def test_where_nothing_is_hidden_everybody_sees_the_same() -> None:
    log, desk = ARCHIVE / "bambus-four.pbem.yaml", ARCHIVE / "bambus-four.desk.yaml"
    all_known = Replay.read(str(log), read_keys(str(desk)))
    nearest = all_known.seen_by(all_known.setup.seats[-1])
    readers = [all_known, all_known.seen_by(None), nearest]
    assert len({board.picture(reader) for reader in readers}) == 1


def test_the_pictures_of_the_readme_are_what_the_commands_beside_them_make(tmp_path: Path) -> None:
    root = ARCHIVE.parent.parent
    told = (root / "docs/pictures.md").read_text()
    commands = re.findall(r"^pbem (show .*) -o (docs/pictures/.*\.svg)$", told, re.MULTILINE)
    assert [path for _, path in commands] == re.findall(
        r'<img src="([^"]*\.svg)"', (root / "README.md").read_text()
    )
    for command, path in commands:
        words = [str(root / w) if w.endswith(".yaml") else w for w in command.split()]
        made = tmp_path / "board.svg"
        assert pbem_(*words, "-o", made).code == 0
        assert made.read_bytes() == (root / path).read_bytes(), path


# --------------------------------------------------------------------- on the command line


def test_a_picture_is_printed_or_written_in_the_form_asked_for(tmp_path: Path) -> None:
    log = ARCHIVE / "running.pbem.yaml"
    now = Replay.read(str(log))
    assert pbem_("show", log, "--format", "svg").out == board.picture(now)
    dark = pbem_("show", log, "--format", "svg", "--theme", "dark", "--size", 480).out
    assert dark == board.picture(now, theme="dark", size=480)
    file = tmp_path / "board.png"
    assert pbem_("show", log, "--format", "png", "--size", 400, "-o", file).printed == ""
    assert file.read_bytes() == png(board.picture(now), 400)


def test_a_picture_for_one_seat_is_written_for_its_eyes_only(tmp_path: Path) -> None:
    log = ARCHIVE / "running.pbem.yaml"
    for whose, mode in (([], 0o644), (["--as", "white"], 0o600)):
        file = tmp_path / f"{mode}.svg"
        old = os.umask(0o022)
        try:
            assert pbem_("show", log, "--format", "svg", *whose, "-o", file).code == 0
        finally:
            os.umask(old)
        assert stat.S_IMODE(file.stat().st_mode) == mode


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--theme", "pink"], "--theme is light, dark, contrast, night or ink, not 'pink'"),
        (["--size", "7"], "'--size': 7 is not in the range 120<=x<=4000"),
        (["--json", "-o", "x.json"], "-o is for reports and pictures; redirect the output of JSON"),
    ],
)
def test_a_picture_that_cannot_be_is_refused(options: list[str], told: str) -> None:
    done = pbem_("show", ARCHIVE / "running.pbem.yaml", "--format", "svg", *options)
    assert (done.code, told in done.err) == (2, True), done.err


@pytest.mark.usefixtures("cards")
@pytest.mark.parametrize("format", ["gif", "webp"])
def test_a_film_has_a_frame_a_ply_and_a_card_is_as_large_as_links_show_it(
    format: str, tmp_path: Path
) -> None:
    from PIL import Image

    log, file = ARCHIVE / "kahuna-thames-kosmos.pbem.yaml", tmp_path / f"film.{format}"
    plies = ("--from", 58, "--to", 62, "--size", 200)
    assert pbem_("show", log, *plies, "--format", format, "-o", file).code == 0
    with Image.open(file) as film:
        assert film.n_frames == 5
    assert pbem_("show", log, "--format", "card", "-o", tmp_path / "card.png").code == 0
    with Image.open(tmp_path / "card.png") as card:
        assert (card.size, card.mode) == ((1200, 630), "P")


@pytest.mark.usefixtures("films")
def test_a_film_shows_a_match_turn_by_turn_and_as_much_of_it_as_a_megabyte_holds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from PIL import Image

    now = Replay.read(str(ARCHIVE / "running.pbem.yaml"))
    movers = [ply.seat for ply, _ in now.plies if ply.seat != CHANCE]
    turns = [seat for nth, seat in enumerate(movers) if movers[nth - 1 : nth] != [seat]]
    sizes = []
    for most in (preview.LARGEST, 25_000):
        monkeypatch.setattr(preview, "LARGEST", most)
        made = preview.film(now)
        assert len(made) <= most
        with Image.open(io.BytesIO(made)) as film:
            assert film.size == preview.FILM
            sizes.append(film.n_frames)
    assert sizes[0] == len(turns)
    assert sizes[1] < sizes[0]


@pytest.mark.parametrize("name", NAMES)
def test_a_card_tells_the_last_turn_and_who_is_to_move_or_who_has_won_and_how(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("pbem.pictures.png.png", lambda svg, width: svg.encode())
    now = Replay.read(str(ARCHIVE / f"{name}.pbem.yaml"))
    file = tmp_path / "card"
    done = pbem_("show", ARCHIVE / f"{name}.pbem.yaml", "--format", "card", "-o", file)
    assert done.code == 0, done.printed
    drawn = ET.fromstring(file.read_bytes())
    said = " ".join("".join(text.itertext()) for text in drawn.iter(f"{SVG}text"))
    assert all(called in said for called in now.players.values())
    # The end of the turn, and of what is asked no advice.
    told = "Ben builds the bridge COCO-GOLA."
    assert told in said or name != "running"
    assert not drawn.findall(f".//{SVG}g[@id='panel']")
    assert not any(f" {word} " in f" {said} " for word in ("in bag", "trick", "to win"))
    if now.outcome:
        assert all(f"{now.players[seat]} wins" in said for seat in now.outcome.winners)
        crowned = drawn.iterfind(f".//{SVG}g[@class='art-crown']")
        assert {each.get("id") for each in crowned} >= {
            f"won-{seat}" for seat in now.outcome.winners
        }
    elif hasattr(now.game, "scene"):
        assert all(each in said for each in pages.card_words(now)["asked"])
        assert "Play any number" not in said


def test_a_card_of_a_race_tells_how_far_each_has_come_and_leaves_no_word_alone_in_a_line() -> None:
    now = Replay.read(str(ARCHIVE / "piatnik-four.pbem.yaml"), at=150)
    boats = now.game.view(now.state)["boats"]
    painted = preview._painted(now, 140, "light", ("Ann plays.",), ("Ben must play a card.", UNTIL))
    root = ET.fromstring(painted)
    texts = {each.get("id"): each.findtext(f"{SVG}text") for each in root.iter(f"{SVG}g")}
    assert {seat: texts[f"score-{seat}"] for seat in boats} == {s: str(n) for s, n in boats.items()}
    assert (texts["title"], texts["unit"]) == (now.name, "fields")
    stands = [text for name, text in texts.items() if name and name.startswith("stands-") and text]
    assert stands == ["Ben must play a card.", "Until Tue 1 Dec,", "20:00 CET.", "Ann plays."]


def test_a_card_of_a_match_that_is_over_tells_nothing_that_came_before_its_end() -> None:
    for name in ("kahuna-rio-grande", "kahuna-thames-kosmos"):
        log = str(ARCHIVE / f"{name}.pbem.yaml")
        over, early = Replay.read(log), Replay.read(log, at=60)
        assert over.outcome
        assert "Ann plays." in preview._painted(early, None, "light", ("Ann plays.",), ())
        assert "Ann plays." not in preview._painted(over, None, "light", ("Ann plays.",), ())


UNTIL = "Until Tue 1 Dec, 20:00 CET."


@pytest.mark.parametrize(
    ("name", "ply"),
    [
        ("kahuna-rio-grande", 168),
        ("kahuna-arabana", 175),
        ("bambus-four", 290),
        ("piatnik-four", 188),
    ],
)
def test_a_png_has_few_colours_and_is_small(name: str, ply: int) -> None:
    from PIL import Image

    now = Replay.read(str(ARCHIVE / f"{name}.pbem.yaml"), at=ply)
    data = png(board.picture(now))
    assert len(data) <= 120_000
    with Image.open(io.BytesIO(data)) as picture:
        assert picture.mode == "P"
        assert len(picture.getcolors()) <= 256


def test_the_letters_of_a_drawing_fill_their_cells_in_a_png() -> None:
    from PIL import Image

    widths = []
    for letter in "iw":
        shapes = (
            Shape("paper", "box", (0, 0, 200, 40), "panel"),
            Shape("row-1", "text", (10, 30), "mono", letter),
        )
        data = png(svg.paint(Scene(200, 40, shapes), title="x"), 400)
        with Image.open(io.BytesIO(data)) as picture:
            ink = picture.convert("L").crop((8, 8, 72, 72)).point(lambda grey: 255 * (grey < 128))
            left, _, right, _ = ink.getbbox() or (0, 0, 0, 0)
            widths.append(right - left)
    assert 2 * widths[0] > widths[1] > 0


@pytest.mark.parametrize("name", NAMES)
def test_a_board_in_ink_has_but_greys(name: str) -> None:
    now = Replay.read(str(ARCHIVE / f"{name}.pbem.yaml"))
    painted = board.picture(now, theme="ink")
    for colour in re.findall(r"[:\"]#([0-9a-f]{6}|[0-9a-f]{3})\b", painted):
        parts = {colour[n : n + len(colour) // 3] for n in range(0, len(colour), len(colour) // 3)}
        assert len(parts) == 1, colour


def test_a_board_for_four_is_at_most_one_and_a_half_times_as_high_as_wide() -> None:
    for name in ("bambus-four", "piatnik-four"):
        now = Replay.read(str(ARCHIVE / f"{name}.pbem.yaml"))
        for view in moments(now):
            shown = board.scene(now.game, view)
            assert shown.height <= 1.5 * shown.width


def test_of_hands_in_tricks_a_reader_has_their_own_large_and_of_others_how_many_cards() -> None:
    """Cards are 44 by 60 pixels at 360, and those that may not be played are pale."""
    table = pbem.Table.start("kanaloa-piatnik", seats=("ana", "ben", "cy", "di", "eva"))
    rng, pale = random.Random(1), 0
    for _ in range(60):
        table = step(table, rng)
        asked = table.pending[0]
        seat = asked.seat if asked.seat != CHANCE else "ana"
        shown = board.scene(table._game, table.seen_by(seat).view(), seat).shapes
        cards = [each for each in shown if each.id.startswith("hand-")]
        assert all(each.place[2] >= 88 and each.place[3] >= 120 for each in cards)
        assert all(each.id.startswith(f"hand-{seat}-") for each in cards)
        counts = {each.id: each.label for each in shown if each.id.startswith("count-")}
        hands = table.view()["hands"]
        assert counts == {
            f"count-{s}": f"\u00d7{len(h)}" for s, h in hands.items() if h and s != seat
        }
        veiled = {each.id.partition("-")[2] for each in shown if each.id.startswith("veil-")}
        pale += len(veiled)
        playable = {f"{seat}-{each}" for each in table.legal(seat)} if asked.seat == seat else ()
        assert veiled.isdisjoint(each.replace(" ", "-") for each in playable)
    assert pale


def test_the_cards_of_a_trick_are_seen_until_the_next_card_is_played() -> None:
    now = Replay.read(str(ARCHIVE / "piatnik-four.pbem.yaml"))
    taken = 0
    for ply in range(20, 140):
        view = now.game.view(Replay.of(now.log, now.keyring, at=ply).state)
        shapes = {shape.id: shape for shape in board.scene(now.game, view).shapes}
        past = {name[5:]: shape for name, shape in shapes.items() if name.startswith("past-")}
        assert set(past) == ({*dict(view.get("taken", ()))} if not view["table"] else set())
        if past:
            taken += 1
            x, y, *_ = shapes["takes"].place
            left, top, wide, _ = past[view["lead"]].place
            assert (x, y) == (left + wide // 2, top - 18)
        for name, (left, top, wide, high) in (
            (name.partition("-")[2], shape.place)
            for name, shape in shapes.items()
            if name.startswith(("past-", "table-", "place-"))
        ):
            x, y, radius = shapes[f"player-{name}"].place
            assert (x, y) == (left + wide // 2, top)
            assert y + radius < top + high - 30  # where its number begins
    assert taken > 5


def test_a_page_turned_towards_another_seat_has_its_own_cards_large() -> None:
    whole = Replay.read(str(ARCHIVE / "piatnik-four.pbem.yaml"))
    now = Replay.of(whole.log, whole.keyring, at=60)
    for seat in now.setup.seats:
        theirs = now.seen_by(seat)
        shown = pages.scene(theirs, theirs.state, reader=now.setup.seats[-1]).shapes
        large = [each.id for each in shown if each.place[2:] == (88, 120)]
        assert large
        assert all(id.startswith((f"hand-{seat}-", f"veil-{seat}-")) for id in large)


def test_a_board_for_five_is_little_higher() -> None:
    table = pbem.Table.start("kanaloa-piatnik", seats=("ana", "ben", "cy", "di", "eva"))
    shown = board.scene(table._game, table.view())
    assert shown.height <= 1.56 * shown.width


Matrix = tuple[tuple[float, float, float], ...]
MACHADO: dict[str, Matrix] = {
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
    "no colour": ((0.2126, 0.7152, 0.0722),) * 3,
    "all colours": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
}
"""How linear red, green and blue look to some: Machado, Oliveira and Fernandes, 2009."""


@pytest.mark.parametrize("theme", THEMES)
def test_marks_and_lines_stand_out_from_what_they_lie_on(theme: str) -> None:
    colours = THEMES[theme]
    for ground in ("sea", "panel", "turn", "card", "water", "sand", "land", "low"):
        marks = max(contrast(colours[mark], colours[ground]) for mark in ("mark", "edge"))
        assert marks >= 3, ground
    assert contrast(colours["mark"], colours["edge"]) >= 1.2
    assert contrast(colours["free"], colours["sea"]) >= 3
    for land in ("land", "low"):
        assert contrast(colours["pit"], colours[land]) >= 3


@pytest.mark.parametrize("seen", MACHADO)
@pytest.mark.parametrize("theme", THEMES)
def test_pieces_of_every_seat_stand_out_for_every_eye(theme: str, seen: str) -> None:
    """By what they are filled with or by their outline."""
    colours = {name: as_seen(colour, MACHADO[seen]) for name, colour in THEMES[theme].items()}
    for hue in palette.HUES:
        outline = "white" if hue == "black" else "pitch"
        for ground in ("sea", "water", "panel"):
            tones = (contrast(colours[tone], colours[ground]) for tone in (hue, outline))
            assert max(tones) >= 2.95, (hue, ground)


def as_seen(colour: str, matrix: Matrix) -> str:
    light = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5))
    ]
    mixed = (sum(a * b for a, b in zip(row, light, strict=True)) for row in matrix)
    shown = (
        12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055
        for part in (min(max(part, 0.0), 1.0) for part in mixed)
    )
    return "#" + "".join(f"{round(255 * part):02x}" for part in shown)


@pytest.mark.parametrize(
    ("format", "code"), [("text", 0), ("html", 0), ("svg", 0), ("png", 2), ("gif", 2)]
)
def test_a_terminal_is_shown_texts_and_no_pixels(
    format: str, code: int, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Terminal(io.BytesIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(io, "BytesIO", Terminal)
    done = pbem_("show", room.log, "--format", format)
    assert done.code == code
    assert ("a terminal cannot show PNG" in done.err) == bool(code)
    assert bool(done.out) == (not code)


def test_submit_paints_the_public_board_after_the_move(room: Room, tmp_path: Path) -> None:
    file = tmp_path / "after.svg"
    done = pbem_("submit", room.log, "--from", "white", "--picture", file, stdin="DUDA-BARI; draw")
    assert done.code == 0, done.printed
    assert file.read_text() == board.picture(room.read().seen_by(None))
    assert "BARI-DUDA carries a bridge" in file.read_text()


@pytest.mark.parametrize("name", ["board.gif", "board"])
def test_submit_knows_two_kinds_of_pictures_and_asks_before_it_writes(
    name: str, room: Room
) -> None:
    before = room.log.read_bytes()
    done = pbem_("submit", room.log, "--from", "white", "--picture", name, stdin="pass")
    assert done.code == 2
    assert done.err == f"pbem: a picture's name ends in .svg or .png; {name!r} does not\n"
    assert room.log.read_bytes() == before
