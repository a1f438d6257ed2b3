"""The mailroom and real servers on loopback: Dovecot where it is installed, pymap, aiosmtpd."""

from __future__ import annotations

import asyncio
import imaplib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from email import message_from_bytes
from pathlib import Path
from typing import Any

import pytest
from commands import ANA, BEN, Done, Room, dealt, mail, pbem

from pbem.core import Denied, Problem
from pbem.mailroom.passwords import password

DOVECOT = shutil.which("dovecot") or shutil.which("/usr/sbin/dovecot")
WORD = "correct horse"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="servers of POSIX")


@pytest.fixture
def room(tmp_path: Path) -> Room:
    folder = tmp_path / "matches"
    folder.mkdir()
    return dealt(folder)


def run(source: object, room: Room, *more: object) -> Done:
    return pbem(
        "desk",
        "run",
        "--mail",
        source,
        "--matches",
        room.log.parent,
        "--once",
        *more,
        "--address",
        "desk@games.example",
    )


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        assert process.poll() is None, "the server has ended"
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError("the server does not listen")


# ------------------------------------------------------------------------------- IMAP


CONFIG = """\
protocols = imap
listen = 127.0.0.1
base_dir = {home}/run
state_dir = {home}/run
log_path = {home}/log
ssl = no
disable_plaintext_auth = no
first_valid_uid = 1
mail_location = maildir:{home}/mail/%u
passdb {{
  driver = static
  args = password={word}
}}
userdb {{
  driver = static
  args = uid=mail gid=mail home={home}/mail/%u
}}
service imap-login {{
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
"""


def dovecot(port: int) -> Iterator[int]:
    # Not below pytest's own folder: Dovecot's user could not get there.
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        home.chmod(0o755)
        (home / "mail").mkdir()
        shutil.chown(home / "mail", "mail", "mail")
        config = home / "dovecot.conf"
        config.write_text(CONFIG.format(home=home, port=port, word=WORD.replace(" ", "-")))
        process = subprocess.Popen([str(DOVECOT), "-F", "-c", str(config)])
        try:
            wait_for(port, process)
            yield port
        finally:
            process.terminate()
            process.wait(20)


def pymap(port: int) -> Iterator[int]:
    command = [
        sys.executable,
        "-c",
        "from pymap.main import main; main()",
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
        "--no-tls",
        "--no-service",
        "admin",
        "--no-service",
        "managesieve",
        "dict",
        "--demo-data",
    ]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        wait_for(port, process)
        yield port
    finally:
        process.terminate()
        process.wait(20)


SERVERS = {
    "dovecot": (dovecot, "ana", WORD.replace(" ", "-")),
    "pymap": (pymap, "demouser", "demopass"),
}


@pytest.fixture(params=list(SERVERS))
def imap(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A client at work on an empty folder, and the source that names it."""
    kind = request.param
    if kind == "dovecot" and (not DOVECOT or os.geteuid() != 0):
        pytest.skip("Dovecot is not installed, or this is not root")
    if kind == "pymap":
        pytest.importorskip("pymap", reason="pymap is not installed")
    start, user, word = SERVERS[kind]
    port = free_port()
    for port_ in start(port):
        client = imaplib.IMAP4("127.0.0.1", port_)
        client.login(user, word)
        client.create("moves")
        monkeypatch.setenv("PBEM_IMAP_PASSWORD", word)
        yield client, f"imap://{user}@127.0.0.1:{port_}/moves"
        client.logout()


def held_in(client: imaplib.IMAP4, folder: str) -> int:
    """How many mails a folder holds; 0 if there is none."""
    status, found = client.select(folder, readonly=True)
    return int(found[0] or 0) if status == "OK" else 0


def test_an_imap_folder_is_worked_through_and_its_mails_are_moved_not_deleted(
    imap: Any, room: Room, tmp_path: Path
) -> None:
    client, source = imap
    raws = [
        mail("DUDA-BARI\ndraw"),
        mail("draw", sender=BEN, identity="<2@e>"),
        mail("nonsense", identity="<3@e>"),
    ]
    for raw in raws:
        client.append("moves", "", "", raw)
    out = tmp_path / "outbox"
    done = run(source, room, "--outbox", out)
    assert done.code == 0, done.printed
    assert [line.split()[0] for line in done.out.splitlines()] == ["accepted"] * 2 + ["refused"]
    assert held_in(client, "moves") == 0
    assert held_in(client, "pbem-done") == 3
    answers = {file.name: file.read_bytes() for file in out.rglob("*.eml")}
    for raw in raws:  # the same mailbox again
        client.append("moves", "", "", raw)
    again = run(source, room, "--outbox", out)
    assert [line.split()[0] for line in again.out.splitlines()] == ["seen"] * 3
    assert {file.name: file.read_bytes() for file in out.rglob("*.eml")} == answers


def test_a_wrong_password_and_a_server_that_is_not_there_are_told_without_the_word(
    imap: Any, room: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, source = imap
    monkeypatch.setenv("PBEM_IMAP_PASSWORD", "wrong word")
    done = run(source, room, "--outbox", tmp_path / "o")
    assert done.code == 75
    assert "wrong word" not in done.printed
    monkeypatch.delenv("PBEM_IMAP_PASSWORD")
    assert run(source, room, "--outbox", tmp_path / "o").code == 77
    monkeypatch.setenv("PBEM_IMAP_PASSWORD", "x")
    nowhere = run(f"imap://a@127.0.0.1:{free_port()}/x", room, "--outbox", tmp_path / "o")
    assert nowhere.code == 75
    assert "Traceback" not in nowhere.printed


# ------------------------------------------------------------------------------- SMTP


class Server:
    """Takes mails, or refuses some addresses, or breaks off after so many."""

    def __init__(self) -> None:
        self.taken: list[tuple[list[str], bytes]] = []
        self.refused: set[str] = set()
        self.most = 1000

    async def handle_RCPT(  # noqa: N802
        self, server: Any, session: Any, envelope: Any, address: str, options: Any
    ) -> str:
        if address in self.refused:
            return "550 no such user"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        if len(self.taken) >= self.most:
            return "451 come back later"
        self.taken.append((envelope.rcpt_tos, envelope.content))
        return "250 taken"


@pytest.fixture
def smtp() -> Iterator[tuple[Server, str]]:
    controller_ = pytest.importorskip("aiosmtpd.controller", reason="aiosmtpd is not installed")
    server = Server()
    loop = asyncio.new_event_loop()
    controller = controller_.Controller(server, "127.0.0.1", free_port(), loop=loop)
    controller.start()
    yield server, f"smtp://127.0.0.1:{controller.port}"
    controller.stop()


def test_answers_are_sent_one_address_each_and_once(
    smtp: tuple[Server, str], room: Room, tmp_path: Path
) -> None:
    server, host = smtp
    letter = tmp_path / "m.eml"
    letter.write_bytes(mail("DUDA-BARI\ndraw"))
    for _ in range(2):
        assert run(letter, room, "--smtp", host).code == 0
    assert sorted(to for to, _ in server.taken) == [[ANA]] * 3 + [[BEN]] * 2
    ids = [message_from_bytes(raw)["Message-ID"] for _, raw in server.taken]
    assert len(set(ids)) == 5
    for to, raw in server.taken:
        assert message_from_bytes(raw)["To"] == to[0]


def test_a_server_that_breaks_off_gets_the_rest_the_next_time_and_nothing_twice(
    smtp: tuple[Server, str], room: Room, tmp_path: Path
) -> None:
    server, host = smtp
    letter = tmp_path / "m.eml"
    letter.write_bytes(mail("DUDA-BARI\ndraw"))
    server.most = 2
    broken = run(letter, room, "--smtp", host)
    assert broken.code == 75
    assert "2 of 5 answers sent" in broken.err
    server.most = 1000
    assert run(letter, room, "--smtp", host).code == 0
    ids = [message_from_bytes(raw)["Message-ID"] for _, raw in server.taken]
    assert len(ids) == len(set(ids)) == 5


def test_an_address_that_is_refused_for_good_does_not_stop_the_others(
    smtp: tuple[Server, str], room: Room, tmp_path: Path
) -> None:
    server, host = smtp
    server.refused = {BEN}
    letter = tmp_path / "m.eml"
    letter.write_bytes(mail("DUDA-BARI\ndraw"))
    assert run(letter, room, "--smtp", host).code == 0
    assert sorted(to for to, _ in server.taken) == [[ANA]] * 3
    failed = sorted((room.log.parent / ".mailroom" / "outbox" / "failed").rglob("*.txt"))
    assert ["550 no such user" in file.read_text() for file in failed] == [True] * 2


# ------------------------------------------------------------------------------- passwords


def test_a_password_comes_from_the_environment_a_command_or_a_private_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "word"
    file.write_text(f"{WORD}\nand more\n")
    file.chmod(0o644)
    assert password("SMTP") is None
    monkeypatch.setenv("PBEM_SMTP_PASSWORD_FILE", str(file))
    with pytest.raises(Problem, match="chmod 600"):
        password("SMTP")
    file.chmod(0o600)
    assert password("SMTP") == WORD
    monkeypatch.setenv("PBEM_SMTP_PASSWORD_COMMAND", f"head -n 1 {file}")
    file.write_text("from a command\n")
    assert password("SMTP") == "from a command"
    monkeypatch.setenv("PBEM_SMTP_PASSWORD", "from the environment")
    assert password("SMTP") == "from the environment"
    assert password("IMAP") is None


@pytest.mark.parametrize("command", ["false", "no-such-command-here", "'", "true"])
def test_a_command_that_gives_no_password_is_told(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_IMAP_PASSWORD_COMMAND", command)
    with pytest.raises(Problem, match="PBEM_IMAP_PASSWORD_COMMAND") as caught:
        password("IMAP")
    assert isinstance(caught.value, Denied)
