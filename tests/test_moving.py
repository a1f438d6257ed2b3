"""Moving house is safe: what belongs to a folder of matches comes along, or its lack is told."""

from __future__ import annotations

import hashlib
import shutil
import stat
import warnings
from pathlib import Path
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZipFile, ZipInfo

import pytest
from commands import ANA, BEN, mail, pbem
from postroom import Post

from pbem.files import store
from pbem.mailroom.daybook import Daybook

SEATS = ("--seat", f"white=Ana <{ANA}>", "--seat", f"black=Ben <{BEN}>")


@pytest.fixture
def post(tmp_path: Path) -> Post:
    """A desk with two matches, and a player who wants German."""
    post = Post(tmp_path)
    for name in ("k1", "k2"):
        begun = pbem("new", "kahuna", *SEATS, "--match", name, "--dir", post.matches)
        assert begun.code == 0, begun.printed
    pbem("seat", post.matches / "k1", "--seat", "black", "--language", "de")
    return post


def moved(post: Post, to: Path) -> Post:
    """Copy the logs and the desk files, as a star does, which leaves hidden folders behind."""
    to.mkdir()
    for file in post.matches.glob("*.yaml"):
        shutil.copy(file, to)
    post.matches = to
    return post


@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize("how", ["--once", "--dry"])
def test_a_run_without_the_daybook_its_matches_had_says_what_is_missing_and_does_nothing(
    post: Post, tmp_path: Path, told: bool, how: str
) -> None:
    if told:
        post.run()
        assert len(post.answers()) == 4
    sent = post.answers()
    moved(post, tmp_path / "moved")
    done = post.desk(how)
    assert done.code == 66
    for word in ("daybook.jsonl", "2 matches, such as k1", ".mailroom", "--anew"):
        assert word in done.err
    assert post.answers() == sent
    assert post.desk("--anew").code == 0
    assert post.desk(how).code == 0  # it was asked once, and has begun anew
    assert post.answers() == sent


def test_a_match_that_an_earlier_version_began_is_known_once_it_has_been_told_of(
    post: Post, tmp_path: Path
) -> None:
    for file in post.matches.glob("*.desk.yaml"):
        file.write_text(file.read_text().replace("daybook: true\n", ""))
    post.run()
    moved(post, tmp_path / "moved")
    assert post.desk().code == 66


def test_a_match_whose_files_were_renamed_or_came_with_their_daybook_goes_on(
    post: Post, tmp_path: Path
) -> None:
    post.run()
    for ending in (".pbem.yaml", ".desk.yaml"):
        (post.matches / f"k1{ending}").rename(post.matches / f"k9{ending}")
    shutil.copytree(post.matches, tmp_path / "moved")
    post.matches = tmp_path / "moved"
    sent = post.answers()
    assert post.desk().code == 0
    assert post.answers() == sent


# ---------------------------------------------------------------------------- in one archive


def files(folder: Path) -> dict[str, bytes]:
    """What lies in a folder, but for what is made again."""
    found = {str(f.relative_to(folder)): f.read_bytes() for f in folder.rglob("*") if f.is_file()}
    return {n: d for n, d in found.items() if not (n.endswith(".lock") or "/index" in n)}


@pytest.fixture
def lived(post: Post) -> Post:
    """The same, with an outbox in the folder, a mail put aside, and news that nobody has had."""
    post.outbox = post.matches / "out"
    post.run()
    post.comes(mail("Hello, is Ana there?", identity="<m1@e>", sender="eve@example.org"))
    post.comes(mail("draw", identity="<m2@e>", subject="[k1]"))
    post.run()
    (post.matches / "letters").mkdir()
    (post.matches / "letters" / "k1.txt").write_text("kept")
    return post


def test_what_is_packed_and_unpacked_goes_on_where_it_was(lived: Post, tmp_path: Path) -> None:
    archive, there = tmp_path / "b.zip", tmp_path / "new" / "home"
    assert list((lived.matches / ".mailroom" / "aside").iterdir())
    before = files(lived.matches)
    done = pbem("backup", lived.matches, archive)
    assert (done.code, done.err) == (0, "")
    assert done.out == f"{archive}: 2 matches, {len(before)} files\n"
    assert archive.stat().st_mode & 0o777 == 0o600
    done = pbem("restore", archive, there)
    assert done.code == 0, done.printed
    assert files(there) == before
    modes = {f"{m:o}": f for f in before for m in [(there / f).stat().st_mode & 0o777]}
    assert set(modes) <= {"600", "644"}
    assert (there / "k1.desk.yaml").stat().st_mode & 0o777 == 0o600
    assert (there / ".mailroom").stat().st_mode & 0o777 == 0o700
    sent = lived.answers()
    lived.matches, lived.outbox = there, there / "out"
    assert lived.desk().code == 0
    assert lived.answers().keys() == sent.keys()
    again = pbem("backup", there, archive)
    assert (again.code, "is there already" in again.err) == (73, True)
    assert pbem("restore", archive, there).code == 73
    assert pbem("backup", there, there / "b.zip").code == 2


def test_a_backup_is_made_between_two_notes_of_the_desk(
    lived: Post, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "PATIENCE", 0)
    with Daybook(str(lived.matches)).locked():
        done = pbem("backup", lived.matches, tmp_path / "b.zip")
    assert done.code == 75
    assert not (tmp_path / "b.zip").exists()


def test_a_backup_with_a_log_that_cannot_be_read_is_made_and_says_so(
    lived: Post, tmp_path: Path
) -> None:
    log = lived.matches / "k1.pbem.yaml"
    log.write_text(log.read_text().replace("Ana", "Eva"))
    done = pbem("backup", lived.matches, tmp_path / "b.zip")
    assert (done.code, "k1.pbem.yaml" in done.err) == (65, True)
    done = pbem("restore", tmp_path / "b.zip", tmp_path / "new")
    assert (done.code, "by hand" in done.err) == (65, True)
    assert not (tmp_path / "new").exists()


SPOILED: dict[str, tuple[str, bytes, str]] = {
    "a log that cannot be read": ("k1.pbem.yaml", b"format: x", "k1.pbem.yaml"),
    "a daybook that cannot be read": (".mailroom/daybook.jsonl", b"x\n", "daybook.jsonl"),
    "a path above": ("../above.txt", b"", "would not lie in the folder"),
    "a path above, further in": ("a/../../above.txt", b"", "would not lie in the folder"),
    "a path from the root": ("/above.txt", b"", "would not lie in the folder"),
    "a path of Windows": ("a\\..\\..\\above.txt", b"", "would not lie in the folder"),
    "a drive of Windows": ("c:above.txt", b"", "would not lie in the folder"),
    "a name over two lines": ("k3\n.txt", b"", "would not lie in the folder"),
    "a name that differs in case": ("K1.pbem.yaml", b"", "K1.pbem.yaml"),
    "a folder that differs in case": ("OUT/k3.txt", b"", "OUT"),
    "a name that differs in case and a dot at its end": ("K1.PBEM.YAML.", b"", "would not lie"),
    "a folder where a file is": ("k1.pbem.yaml/k3.txt", b"", "k1.pbem.yaml"),
    "a folder": ("k3/", b"", "would not lie in the folder"),
    "folders without end": ("a/" * 3000 + "k3.txt", b"", "would not lie in the folder"),
    "a file added since": ("k3.txt", b"more", "was added, taken out or changed since"),
    "a match added since": (".mailroom/aside/9.eml", b"more", "was added, taken out or changed"),
}


def note(held: dict[str, bytes]) -> bytes:
    """What an archive says of the files in it, each of mode 600."""
    lines = (f"{hashlib.sha256(d).hexdigest()} 600 {n}" for n, d in held.items())
    return b"pbem-backup/1 " + hashlib.sha256("\n".join(lines).encode()).hexdigest().encode()


def test_what_was_spoiled_or_forged_is_not_unpacked_at_all(lived: Post, tmp_path: Path) -> None:
    archive = tmp_path / "b.zip"
    pbem("backup", lived.matches, archive)
    with ZipFile(archive) as old:
        whole = {each: old.read(each) for each in old.namelist()}
    before = sorted(tmp_path.rglob("*"))
    for what, (name, data, told) in SPOILED.items():
        with ZipFile(archive, "w") as new:
            for each, its in {**whole, name: data}.items():
                new.writestr(each, its)
            new.comment = b"" if "since" in what else note({**whole, name: data})
        done = pbem("restore", archive, tmp_path / "new")
        assert (done.code, told in done.err) == (65, True), (what, done.printed)
        assert sorted(tmp_path.rglob("*")) == before, what


def kind_of(mode: int, compression: int = 0) -> ZipInfo:
    entry = ZipInfo("k3.txt")
    entry.external_attr, entry.compress_type = mode << 16, compression
    return entry


ODD = {
    "a link": kind_of(stat.S_IFLNK | 0o777),
    "a pipe": kind_of(stat.S_IFIFO | 0o600),
    "a device": kind_of(stat.S_IFCHR | 0o600),
    "a folder by its mode": kind_of(stat.S_IFDIR | 0o700),
    "packed in another way": kind_of(0o600, ZIP_BZIP2),
}


@pytest.mark.parametrize("what", ODD)
def test_what_is_no_plain_file_is_not_unpacked(lived: Post, tmp_path: Path, what: str) -> None:
    archive = tmp_path / "b.zip"
    pbem("backup", lived.matches, archive)
    with ZipFile(archive, "a") as whole:
        whole.writestr(ODD[what], b"/etc/passwd")
    done = pbem("restore", archive, tmp_path / "new")
    assert (done.code, "'k3.txt' in it is no plain file" in done.err) == (65, True), done.printed
    assert not (tmp_path / "new").exists()


def test_a_file_left_out_since_and_one_put_in_twice_are_noticed(
    lived: Post, tmp_path: Path
) -> None:
    archive = tmp_path / "b.zip"
    pbem("backup", lived.matches, archive)
    with ZipFile(archive) as old:
        note, whole = old.comment, [(each, old.read(each)) for each in old.namelist()]
    for entries, told in ((whole[:-1], "was added, taken out"), ([*whole, whole[0]], whole[0][0])):
        with warnings.catch_warnings(action="ignore"), ZipFile(archive, "w") as new:
            for entry in entries:
                new.writestr(*entry)
            new.comment = note
        done = pbem("restore", archive, tmp_path / "new")
        assert (done.code, told in done.err) == (65, True), done.printed
        assert not (tmp_path / "new").exists()


def test_more_than_any_folder_holds_is_not_unpacked(lived: Post, tmp_path: Path) -> None:
    archive = tmp_path / "b.zip"
    pbem("backup", lived.matches, archive)
    data = bytearray(archive.read_bytes())
    at = data.rindex(b"PK\1\2")
    data[at + 24 : at + 28] = b"\xf0\xff\xff\xff"  # the size that its list of contents gives
    archive.write_bytes(data)
    done = pbem("restore", archive, tmp_path / "new")
    assert (done.code, "bytes when unpacked" in done.err) == (65, True), done.printed
    assert not (tmp_path / "new").exists()


def test_a_log_larger_than_any_is_not_unpacked(lived: Post, tmp_path: Path) -> None:
    archive = tmp_path / "b.zip"
    pbem("backup", lived.matches, archive)
    with ZipFile(archive, "a", ZIP_DEFLATED) as packed:
        packed.writestr("big.pbem.yaml", bytes(64 * 1024 * 1024 + 1))
    done = pbem("restore", archive, tmp_path / "new")
    assert (done.code, "is larger than 64 MiB" in done.err) == (65, True), done.printed
    assert not (tmp_path / "new").exists()


@pytest.mark.posix
def test_names_that_differ_only_in_case_are_told_when_they_are_packed(
    lived: Post, tmp_path: Path
) -> None:
    (lived.matches / "K1.pbem.yaml").write_bytes((lived.matches / "k1.pbem.yaml").read_bytes())
    done = pbem("backup", lived.matches, tmp_path / "b.zip")
    assert (done.code, "K1.pbem.yaml" in done.err) == (65, True), done.printed


def test_nothing_that_is_unpacked_may_be_written_by_others(lived: Post, tmp_path: Path) -> None:
    (lived.matches / "letters" / "k1.txt").chmod(0o666)
    pbem("backup", lived.matches, tmp_path / "b.zip")
    assert pbem("restore", tmp_path / "b.zip", tmp_path / "new").code == 0
    assert (tmp_path / "new" / "letters" / "k1.txt").stat().st_mode & 0o777 == 0o644


def test_an_archive_of_which_a_byte_was_lost_or_changed_is_not_unpacked(
    lived: Post, tmp_path: Path
) -> None:
    archive = tmp_path / "b.zip"
    pbem("backup", lived.matches, archive)
    whole = archive.read_bytes()
    middle = whole.index(b"k1.pbem.yaml") + 200
    for data in (whole[:-1], whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :]):
        archive.write_bytes(data)
        done = pbem("restore", archive, tmp_path / "new")
        assert done.code == 65, done.printed
        assert not (tmp_path / "new").exists()


def test_what_is_no_archive_is_not_unpacked(tmp_path: Path) -> None:
    (tmp_path / "b.zip").write_bytes(b"PK nothing")
    assert pbem("restore", tmp_path / "b.zip", tmp_path / "new").code == 65
    assert pbem("restore", tmp_path / "c.zip", tmp_path / "new").code == 66
