"""A game from outside brings its languages: its sentences are told in them, beside the house's."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import pbem
from outside import brought

from pbem.testing import check, checking

CARDS = Path(__file__).parent / "card_game"
NEW = ("new", "pearls", "--seat", "ana=Ana", "--seat", "ben=Ben", "--match", "p", "--dir")
GERMAN, NEWS = "languages/de.yaml", "templates/pearls/news.j2"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the game, to be changed."""
    folder = tmp_path / "copy"
    shutil.copytree(CARDS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def test_a_match_and_a_refusal_are_told_in_the_games_own_german(tmp_path: Path) -> None:
    log = tmp_path / "p.pbem.yaml"
    with brought(CARDS):
        told = pbem(*NEW, tmp_path, "--language", "de").out
        assert "Ana nimmt eine Karte aus der Auslage oder zieht eine." in told
        assert "werden aufgedeckt." in told
        refused = pbem("submit", log, "--from", "ana", stdin="lay 3")
        assert "Ana nimmt oder zieht zuerst eine Karte [PE-3]" in refused.out
        assert "In deinem Zug nimmst du zuerst eine Karte" in refused.out
        assert pbem("games", "--json").json["pearls"]["languages"] == ["en", "de"]
        english = pbem(*NEW, tmp_path / "english").out
    assert "Ana takes a card from the display or draws one." in english


def changed(file: str, right: str, wrong: str) -> Callable[[Path], None]:
    def change(copy: Path) -> None:
        path = copy / "pearls" / file
        text = path.read_text()
        assert right in text
        path.write_text(text.replace(right, wrong, 1))

    return change


def several(forms: str) -> Callable[[Path], None]:
    """A sentence with a number more, and what stands for it."""
    more = 'counted(2, "{seat} has {n} more.", "{seat} have {n} more.", seat=name(e.seat)) }} {{ '

    def change(copy: Path) -> None:
        changed(NEWS, 'say("{seat} draws', f'{more}say("{{seat}} draws')(copy)
        changed(GERMAN, '"{seat} draws', f'"{{seat}} has {{n}} more.": {forms}\n"{{seat}} draws')(
            copy
        )

    return change


def renamed(copy: Path) -> None:
    german = copy / "pearls" / GERMAN
    german.rename(german.with_name("xx.yaml"))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (changed(GERMAN, '"{seat} draws a card."', '"{seat} drew"'), "missing: ['{seat} draws a"),
        (changed(GERMAN, '"{seat} zieht eine', '"{wer} zieht eine'), "card.' has no blank wer"),
        (changed(GERMAN, '"{seat} zieht eine', '"Jemand zieht eine'), "card.' has lost its seat"),
        (
            changed(NEWS, 'say("{seat} draws a card."', 'counted(2, "{seat} draws a card.", "{n}"'),
            "'{seat} draws a card.': expected a list of its forms",
        ),
        (changed(GERMAN, '"Alle ziehen reihum."', '["Alle ziehen reihum."]'), "has one form"),
        (changed(GERMAN, '"{seat} legt eine Karte."', '"{seat} lays a card."'), "in English"),
        (changed(GERMAN, "reihum.", "reihum"), "has lost its full stop"),
        (changed(GERMAN, "an {to:seat} gehen", "an {to} gehen"), "has no blank to"),
        (several('"{seat} mehr."'), "expected a list of its forms"),
        (several('["{seat} {n} mehr."]'), "expected its 2 forms"),
        (several('["{seat} eine mehr.", "Jemand {n} mehr."]'), "has lost its seat"),
        (changed(GERMAN, '"Alle ziehen reihum."', "7"), "each with its translation"),
        (changed(GERMAN, '"Alle ziehen reihum."', '"Alle'), "pearls/languages/de.yaml:"),
        (changed(NEWS, '{{ say("{seat} dr', 'Oh! {{ say("{seat} dr'), "'Oh!' cannot be translated"),
        (renamed, "languages/xx.yaml: pbem has en, de, fr, hu and pl, not xx"),
    ],
)
def test_the_check_names_what_is_wrong_with_a_catalogue(
    change: Callable[[Path], None], told: str, copy: Path
) -> None:
    change(copy)
    with brought(copy):
        found = [str(each) for each in check("pearls", 0)]
    assert len(found) == 1, found
    assert told in found[0]


def test_with_an_empty_catalogue_the_matches_are_played_and_it_is_told_last(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "PLAYED", ())
    (copy / "pearls" / GERMAN).write_text("{}\n")
    changed("cases.yaml", "{ana: take 9, events: [took]}", "{ben: take 9}")(copy)
    with brought(copy):
        done = checking.examine("pearls", 1)
    assert done.matches == 1
    assert "C2, step 3: ben has no move here" in str(done.findings[0])
    assert "these sentences are missing: [" in str(done.findings[-1])


def test_a_broken_catalogue_hurts_no_match(copy: Path, tmp_path: Path) -> None:
    changed(GERMAN, '"Alle ziehen reihum."', '"Alle')(copy)
    with brought(copy):
        told = pbem(*NEW, tmp_path, "--language", "de")
    assert told.code == 0
    assert "Ana takes a card from the display or draws one." in told.out
