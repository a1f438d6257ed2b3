"""Every turn the rules allow can be put together on a seat's own page, by its buttons and by clicks
on the board. `PBEM_LONG=1` looks at ninety positions and all that can come of each."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from commands import dealt
from long import many
from outside import brought
from test_browser import browser, one
from test_sealed import OUTSIDE, ROOT

from pbem.desk.file import read_both
from pbem.log.match import Replay
from pbem.play import games, judge
from pbem.report import pages, sealed

assert browser  # a fixture

ARCHIVE = Path(__file__).parent / "archive"
LOGS = {
    "kahuna": ("kahuna-thames-kosmos", "kahuna-variants", "kahuna-rio-grande"),
    "kanaloa-bambus": ("bambus-two", "bambus-basic-three", "bambus-four"),
    "kanaloa-piatnik": ("piatnik-four", "piatnik-announcing"),
}

BUTTONS = """
    const texts = (found) => [...document.querySelectorAll(found)].map((each) => each.textContent);
    const undo = document.querySelector("[data-do=undo]");
    const entered = texts(".order .chosen li");
    const typed = () => getComputedStyle(document.querySelector(".order .more")).display !== "none";
    return arguments[0].map((path) => {
      while (entered.some((move, nth) => move !== path[nth])) {
        undo.click();
        entered.pop();
      }
      for (const move of path.slice(entered.length)) {
        const found = [...document.querySelectorAll(".moves button")];
        const button = found.find((each) => each.textContent === move);
        if (!button) return typed() ? "typed" : `no ${move} in ${path}`;
        button.click();
        entered.push(move);
      }
      return typed() ? "typed" : texts(".moves button").sort();
    });"""
"""Moves entered one after another by their buttons; gives what is to choose from then."""

CLICKS = """
    const texts = (found) => [...document.querySelectorAll(found)].map((each) => each.textContent);
    const undo = document.querySelector("[data-do=undo]");
    while (!undo.disabled) undo.click();
    const [reached, seen] = [new Set(texts(".plain button")), new Set()];
    const click = (id) => document.getElementById(id).dispatchEvent(new MouseEvent("click"));
    function follow(picked) {
      const key = `${[...picked].sort()}`;
      if (seen.has(key)) return;
      seen.add(key);
      const open = [...document.querySelectorAll("#page-shapes .choice")].map((each) => each.id);
      for (const text of texts(".plain button")) reached.add(text);
      for (const id of open) {
        click(id);
        const [chosen] = texts(".order .chosen li");
        if (chosen) reached.add(chosen);
        else if (document.getElementById(id).matches(".chosen")) follow([...picked, id]);
        for (let n = 0; !undo.disabled && n < 99; n++) undo.click();
        for (const each of picked) click(each);
      }
    }
    follow([]);
    return [...reached].sort();"""
"""The moves that clicks on what is marked lead to, with the buttons of what they leave open."""


@pytest.fixture
def shows(browser: Any, tmp_path: Path) -> Callable[[Replay, Any, str], Any]:
    """Opens the sealed page of a seat, as a phone would from a disk."""
    size = {"width": 375, "height": 812, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    numbers = count()

    def show(now: Replay, desk: Any, seat: str) -> Any:
        file = tmp_path / f"page-{next(numbers)}.html"
        shut = sealed.shut(now, desk, seat, "desk@example.org")
        about = {**pages.facts(now.seen_by(None)), "seat": seat}
        file.write_text(pages.html("match", **about, sealed=shut))
        browser.get(f"{file.as_uri()}{sealed.fragment(now, seat)}")
        browser.execute_async_script(
            """const opened = () => document.querySelector("#page-key").offsetParent
                 ? setTimeout(opened, 10) : arguments[0]();
               opened();"""
        )
        return browser

    return show


def turns(
    now: Replay, seat: str, most: int, rng: random.Random
) -> dict[tuple[str, ...], list[str]]:
    """Moves of the seat, one after another, and what the rules allow after them; each position that
    they can lead to once, as many as are asked for."""
    game, found, seen = now.game, {}, set()
    ahead: list[tuple[tuple[str, ...], Any]] = [((), now.state)]
    while ahead and len(found) < most:
        path, state = ahead.pop(rng.randrange(len(ahead)))
        asked = [str(each) for each in game.pending(state)]
        key = json.dumps([game.view(state), asked], sort_keys=True)
        if key in seen:
            continue
        seen.add(key)
        legal = {game.notate(move): move for move in judge.legal_moves(game, state, seat)}
        found[path] = sorted(legal)
        for text, move in legal.items():
            after = judge.advance(game, state, game.effects(state, seat, move))
            ahead.append(((*path, text), after))
    return found


@pytest.mark.parametrize("nth", range(many(2, 30)))
@pytest.mark.parametrize("game", LOGS)
def test_every_turn_of_a_position_can_be_put_together(
    shows: Callable[..., Any], game: str, nth: int
) -> None:
    rng = random.Random(f"{game} {nth}")
    log = ARCHIVE / f"{LOGS[game][nth % len(LOGS[game])]}.pbem.yaml"
    whole, desk = read_both(str(log))
    seat = ""
    while not seat or seat == "chance":
        ply = rng.randrange(1, whole.position.ply)
        now = Replay.of(whole.log, whole.keyring, at=ply)
        seat = rng.choice(now.asked or ["chance"])
    page = shows(now, desk, seat)
    assert page.execute_script(CLICKS) == offers(page, now.seen_by(seat), seat, rng)


def test_a_last_card_can_be_clicked_though_a_line_that_is_not_drawn_goes_with_it(
    shows: Callable[..., Any],
) -> None:
    whole, desk = read_both(str(ARCHIVE / "piatnik-four.pbem.yaml"))
    moments = (Replay.of(whole.log, whole.keyring, at=ply) for ply in range(whole.position.ply))
    now = next(now for now in moments if any(len(hand(now, seat)) == 1 for seat in now.asked))
    [seat] = now.asked
    page = shows(now, desk, seat)
    assert page.execute_script(CLICKS) == offers(page, now.seen_by(seat), seat, random.Random(1))


def hand(now: Replay, seat: str) -> Sequence[str]:
    """The cards of a player of Kanaloa (Piatnik)."""
    cards: Sequence[str] = now.game.view(now.state)["hands"][seat]
    return cards


@pytest.mark.parametrize(("folder", "name"), OUTSIDE)
def test_every_turn_of_a_game_from_outside_can_be_put_together(
    shows: Callable[..., Any], tmp_path: Path, folder: str, name: str
) -> None:
    with brought(ROOT / "tests" / folder):
        rules, rng = games.game(name), random.Random(name)
        seats = (rules.SEATS or ("ana", "ben", "cara", "dan"))[: rules.PLAYERS[0]]
        room = dealt(tmp_path, name, tuple(seats))
        for _ in range(many(2, 30)):
            now, desk = read_both(str(room.log))
            if not now.awaited:
                break
            seat = rng.choice(now.awaited)
            offers(shows(now, desk, seat), now.seen_by(seat), seat, rng)
            text = rng.choice(legal_texts(now.seen_by(seat), seat))
            ply, mark = now.position  # or the same words of an earlier turn would be a duplicate
            assert room.says(seat, f"[move] #{ply} {mark}\n{text}\n[/move]").verdict == "accepted"


def legal_texts(now: Replay, seat: str) -> Sequence[str]:
    return judge.legal_texts(now.game, now.state, seat).texts


def offers(page: Any, now: Replay, seat: str, rng: random.Random) -> list[str]:
    """The page has a button for every move that the rules allow, whatever was entered before."""
    assert one(page, ".order").is_displayed()
    legal = turns(now, seat, many(10, 600), rng)
    paths = sorted(legal)  # so that from one to the next most is entered already
    offered = [
        found
        for start in range(0, len(paths), 50)
        for found in page.execute_script(BUTTONS, paths[start : start + 50])
    ]
    wrong = {
        path: (found, legal[path])
        for path, found in zip(paths, offered, strict=True)
        if found not in (legal[path], "typed")
    }
    assert wrong == {}
    assert offered[0] != "typed"
    page.execute_script(BUTTONS, [()])
    return legal[()]
