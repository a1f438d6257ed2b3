"""Reports for phones: whatever happens in a match, no line is wider than 40 columns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from commands import dealt, pbem
from long import many

from pbem.desk.begin import Terms
from pbem.log.match import Replay
from pbem.play import games
from pbem.report import compose
from pbem.report.facts import NARROW, Receipt, Refusal, Report
from pbem.rules.kahuna.board import ENDS
from pbem.rules.kahuna.picture import PATH
from pbem.rules.kanaloa_bambus.picture import letters_of
from pbem.testing import random_matches
from pbem.testing.simulate import simulate

SEED = 11
LONG = "Ana-Maria of the Many Islands and of the Sea between"


@pytest.fixture(scope="module", params=["kahuna", "kanaloa-bambus", "kanaloa-piatnik"])
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Replay:
    folder = str(tmp_path_factory.mktemp("narrow"))
    now, _ = simulate(Terms(request.param, name="narrow-" + "x" * 30, folder=folder), SEED)
    return now


def positions(now: Replay, every: int = many(78, 13)) -> Iterator[Replay]:
    """The match as it stood now and then, and as it ended."""
    for ply in range(0, now.position.ply, every):
        yield Replay.of(now.log, now.keyring, ply)
    yield now


def letters(now: Replay) -> Iterator[Report]:
    told = max(0, len(now.log.entries) - 4)
    yield compose.public(now, told)
    for seat in now.setup.seats:
        yield compose.letter(now, seat, told)


def lines(report: Report, width: int = NARROW) -> list[str]:
    return compose.text(report, "text", width).splitlines()


def test_no_line_of_a_report_or_a_letter_is_wider_than_a_phone(played: Replay) -> None:
    for now in positions(played):
        for report in letters(now):
            long = dict.fromkeys(report.seats, LONG)
            for shown in (report, report._replace(seats=long)):
                wide = [line for line in lines(shown) if len(line) > NARROW]
                assert not wide, (now.position, wide)


def test_a_receipt_and_a_refusal_are_as_narrow(played: Replay) -> None:
    said = "I should like to play something that is longer than a line of a phone is wide"
    ignored = ((said, 3, "it stands outside the fence", 2),)
    report = compose.report(Replay.of(played.log, played.keyring, played.position.ply // 2))
    refusal = Refusal(said, (said,), said, "K-1", said, said, ((1, said, said, said),), (said,), ())
    for told in (
        report._replace(refusal=refusal),
        report._replace(receipt=Receipt(said, ("draw",), ignored, ((said, said),))),
    ):
        assert max(map(len, lines(told))) <= NARROW


@pytest.mark.parametrize("width", [40, 44, 50, 56, 72])
def test_a_post_with_letters_that_are_no_initials_says_whose_each_is(
    played: Replay, width: int
) -> None:
    if played.game.NAME != "kanaloa-bambus":
        return
    for now in positions(played):
        post = " ".join(lines(compose.public(now, max(0, len(now.log.entries) - 4)), width))
        for seat, letter in letters_of(now.setup.seats).items():
            assert seat is None or f"{letter} {seat}" in post, (now.position, seat)


def views(game: str, every: int = 9) -> Iterator[dict[str, Any]]:
    """Positions of random matches by every ruleset, for every number of players."""
    for seed, variant in enumerate(random_matches.variants(game)):
        played = random_matches.play_out(game, seed, variant)
        yield from (played.game.view(ply.state) for ply in played.plies[::every])
        yield played.game.view(played.end)


@pytest.mark.parametrize("game", ["kahuna", "kanaloa-bambus", "kanaloa-piatnik"])
def test_the_narrow_picture_of_any_position_is_narrow_and_ascii(game: str) -> None:
    for view in views(game):
        picture = games.game(game).draw_narrow(view)
        assert all(line.isascii() and len(line) <= NARROW for line in picture), picture
        assert all(line == line.rstrip() for line in picture)


def test_the_list_of_kahuna_tells_every_line_from_both_ends() -> None:
    for view in views("kahuna"):
        told: dict[str, list[str]] = {}
        rows = "\n".join(games.game("kahuna").draw_narrow(view)).replace("\n  ", " ").split("\n")
        for row in rows:
            found = re.fullmatch(r"\[(\w+) (\w)\](.*)", row)
            assert found, row
            island, sign, ways = found.groups()
            owner = view["control"].get(island)
            assert sign == (owner[0].upper() if owner else str(len(ways.split())))
            for way in ways.split():
                told.setdefault("-".join(sorted((island, way[1:]))), []).append(way[0])
        assert told == {line: [PATH[view["bridges"].get(line)]] * 2 for line in ENDS}


def test_the_list_of_bambus_tells_every_fish_pawn_and_offering() -> None:
    for view in views("kanaloa-bambus"):
        picture = games.game("kanaloa-bambus").draw_narrow(view)
        fish: dict[str, str] = {}
        pawns, islands, at = 0, [], ""
        for line in picture[: picture.index("")]:
            if found := re.match(r"[\[{](\w)", line):
                at = found[1]
                islands.append(at)
                assert len(re.findall(r" [A-Z*]+\d", line)) == len(view["islands"][at]), line
                pawns += len("".join(re.findall(r"\(([A-Za-z]+)\)", line)))
            else:
                fish |= {f"{at}-{head}": one for one, head in re.findall(r"-(\w)>(\w)", line)}
        assert islands == list(view["islands"])
        assert {way: about["up"] for way, about in view["fish"].items()} == {
            way: "colour" if one.isupper() else "white" for way, one in fish.items()
        }
        there = [place for places in view["pawns"].values() for place in places]
        assert pawns == len([place for place in there if place != "dolphin"])


def test_the_ring_of_piatnik_is_a_card_a_line_with_the_boats_on_it() -> None:
    for view in views("kanaloa-piatnik"):
        picture = games.game("kanaloa-piatnik").draw_narrow(view)
        if not view["route"]:
            continue
        cards = picture[: len(view["route"])]
        assert [line.split()[0] for line in cards] == [card["card"] for card in view["route"]]
        boats = "".join(re.sub(r"^\w+", "", line) for line in cards)
        assert Counter(re.findall(r"\d", boats)) == Counter(
            str(view["seats"].index(seat) + 1) for seat in view["boats"]
        )


def test_show_takes_a_width_for_texts_alone(tmp_path: Path) -> None:
    log = dealt(tmp_path).log
    shown = pbem("show", log, "--width", 40)
    assert shown.code == 0
    assert max(map(len, shown.out.splitlines())) <= 40
    assert pbem("show", log, "--width", 72).out == pbem("show", log).out
    assert max(map(len, pbem("show", log, "--width", 55).out.splitlines())) in range(41, 56)
    assert pbem("show", log, "--width", 39).code == 2
    assert "39 is not in the range 40<=x<=72" in pbem("show", log, "--width", 39).err
    assert pbem("show", log, "--width", 40, "--format", "markdown").code == 2
    assert pbem("show", log, "--width", 40, "--json").code == 2
