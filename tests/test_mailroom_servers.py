"""The mailroom and real servers on loopback: Dovecot where it is installed, pymap, aiosmtpd."""

from __future__ import annotations

import asyncio
import imaplib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from email import message_from_bytes
from pathlib import Path
from typing import Any

import pytest
from commands import ANA, BEN, Done, Room, dealt, mail, pbem

from pbem.desk import address
from pbem.log.format import Log
from pbem.log.match import Replay
from pbem.mailroom.outbox.folder import Outbox
from pbem.mailroom.outbox.smtp import Postman
from pbem.mailroom.server import password
from pbem.pictures import preview
from pbem.problem import Denied, Problem
from pbem.report import pages

DOVECOT = shutil.which("dovecot") or shutil.which("/usr/sbin/dovecot")
WORD = "correct horse"

pytestmark = pytest.mark.posix


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
    deadline = time.monotonic() + 60
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
auth_failure_delay = 0
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


@pytest.fixture(scope="module", params=list(SERVERS))
def server(request: pytest.FixtureRequest) -> Iterator[tuple[str, str, int]]:
    """A server of mailboxes, a user of it and the password, and where it listens."""
    kind = request.param
    missing = "Dovecot needs root" if DOVECOT and os.geteuid() else "Dovecot is not installed"
    if kind == "dovecot" and not (DOVECOT and os.geteuid() == 0):
        if os.environ.get("PBEM_DOVECOT") == "required":
            pytest.fail(missing)
        pytest.skip(missing)
    if kind == "pymap":
        pytest.importorskip("pymap", reason="pymap is not installed")
    start, user, word = SERVERS[kind]
    for port in start(free_port()):
        yield user, word, port


@pytest.fixture
def imap(server: tuple[str, str, int], monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A client at work on an empty folder, and the source that names it."""
    user, word, port = server
    client = imaplib.IMAP4("127.0.0.1", port)
    client.login(user, word)
    client.create("moves")
    monkeypatch.setenv("PBEM_IMAP_PASSWORD", word)
    yield client, f"imap://{user}@127.0.0.1:{port}/moves"
    client.delete("moves")
    client.logout()


def held_in(client: imaplib.IMAP4, folder: str) -> int:
    """How many mails a folder holds; 0 if there is none."""
    status, found = client.select(folder, readonly=True)
    return int(found[0] or 0) if status == "OK" else 0


def test_an_imap_folder_is_worked_through_and_its_mails_are_moved_not_deleted(
    imap: Any, room: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
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
    told = [line.split()[:2] for line in done.out.splitlines()]
    assert told == [[each, room.read().name] for each in ("accepted", "accepted", "refused")]
    assert held_in(client, "moves") == 0
    assert held_in(client, "pbem-done") == 3
    answers = {file.name: file.read_bytes() for file in out.rglob("*.eml")}
    for raw in raws:  # the same mailbox again
        client.append("moves", "", "", raw)
    again = run(source, room, "--outbox", out)
    assert [line.split()[0] for line in again.out.splitlines()] == ["seen"] * 3
    assert {file.name: file.read_bytes() for file in out.rglob("*.eml")} == answers
    monkeypatch.setattr("pbem.mailroom.inbox.imap.LARGEST", 400)
    client.append("moves", "", "", mail(f"draw\n{'so much ' * 100}", identity="<4@e>"))
    assert run(source, room, "--outbox", out).out.startswith("unreadable"), "it is not fetched"


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
    """Takes mails, or answers some addresses otherwise at some stage, or hangs up on them."""

    def __init__(self) -> None:
        self.taken: list[tuple[list[str], bytes]] = []
        self.senders: list[str] = []
        self.answers: dict[tuple[str, str], str] = {}
        """By stage and address: what is said instead of yes. "" hangs up."""
        self.tried: list[str] = []

    def _answer(self, stage: str, address: str, server: Any) -> str | None:
        answer = self.answers.get((stage, address))
        if answer == "":
            server.transport.close()
            return "421 gone"
        return answer

    async def handle_MAIL(  # noqa: N802
        self, server: Any, session: Any, envelope: Any, address: str, options: Any
    ) -> str:
        envelope.mail_from = address
        self.senders.append(address)
        return self._answer("MAIL", address, server) or "250 OK"

    async def handle_RCPT(  # noqa: N802
        self, server: Any, session: Any, envelope: Any, address: str, options: Any
    ) -> str:
        self.tried.append(address)
        if answer := self._answer("RCPT", address, server):
            return answer
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        if answer := self._answer("DATA", envelope.rcpt_tos[0], server):
            return answer
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
    assert sorted(to for to, _ in server.taken) == [[ANA], [BEN]]
    ids = [message_from_bytes(raw)["Message-ID"] for _, raw in server.taken]
    assert len(set(ids)) == 2
    for to, raw in server.taken:
        assert message_from_bytes(raw)["To"] == to[0]


@pytest.fixture
def letter(tmp_path: Path) -> Path:
    """An order that is answered by a mail to Ana and brings one to Ben."""
    file = tmp_path / "m.eml"
    file.write_bytes(mail("DUDA-BARI\ndraw"))
    return file


def outbox(room: Room) -> Path:
    return room.log.parent / ".mailroom" / "outbox"


def to(server: Server) -> list[str]:
    """Who got how many mails, each once."""
    ids = [message_from_bytes(raw)["Message-ID"] for _, raw in server.taken]
    assert len(set(ids)) == len(ids)
    return sorted(address for addresses, _ in server.taken for address in addresses)


@pytest.mark.usefixtures("cards")
def test_no_answer_waits_for_the_card_of_a_page(
    smtp: tuple[Server, str], room: Room, letter: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("resvg_py", reason="resvg-py is not installed")
    server, host = smtp
    gone: list[int] = []

    def card(now: Replay, **words: Any) -> bytes:
        gone.append(len(server.taken))
        return painted(now, **words)

    painted = preview.card
    monkeypatch.setattr(preview, "card", card)
    web = letter.parent / "web"
    assert run(letter, room, "--smtp", host, "--site", web).code == 0
    assert gone == [len(server.taken)] != [0]
    now = Replay.of(Log.read(str(room.log)))
    shown = (web / f"match-{room.read().name}.png").read_bytes()
    assert shown == painted(now, **pages.card_words(now))
    assert run(letter, room, "--smtp", host, "--site", web).code == 0
    assert len(gone) == 1


@pytest.mark.parametrize(
    ("stage", "answer"),
    [
        ("RCPT", "550 no such user"),
        ("RCPT", "553 mailbox name invalid"),
        ("DATA", "552 too large"),
        ("DATA", "554 looks like spam"),
    ],
)
def test_a_letter_refused_for_good_has_failed_and_the_others_go_out(
    smtp: tuple[Server, str], room: Room, letter: Path, stage: str, answer: str
) -> None:
    server, host = smtp
    server.answers[stage, BEN] = answer
    done = run(letter, room, "--smtp", host)
    assert done.code == 0
    assert "1 answer cannot be delivered" in done.err
    assert to(server) == [ANA]
    failed = sorted((outbox(room) / "failed").rglob("*.txt"))
    assert [file.read_text() for file in failed] == [f"{answer}\n"]
    for file in failed:
        assert json.loads(file.with_suffix(".json").read_text())["to"] == BEN
        assert file.with_suffix(".eml").exists()
    [match] = pbem("status", room.log.parent, "--json").json["matches"]
    assert match["undelivered"] == 1
    assert "1 answer could not be delivered" in pbem("status", room.log.parent).out
    assert run(letter, room, "--smtp", host).err == ""
    assert server.tried.count(BEN) == 1


def test_a_server_that_refuses_the_sender_is_told_for_each_letter_and_stops_nothing(
    smtp: tuple[Server, str], room: Room, letter: Path
) -> None:
    server, host = smtp
    server.answers["MAIL", "desk@games.example"] = "550 not you"
    assert run(letter, room, "--smtp", host).code == 0
    reasons = [file.read_text() for file in (outbox(room) / "failed").rglob("*.txt")]
    assert reasons == ["550 not you\n"] * 2


def test_a_server_that_wants_a_login_first_has_refused_no_letter(
    smtp: tuple[Server, str], room: Room, letter: Path
) -> None:
    server, host = smtp
    server.answers["MAIL", "desk@games.example"] = "530 authentication required"
    done = run(letter, room, "--smtp", host)
    assert done.code == 77
    assert "smtp://USER@HOST" in done.err
    del server.answers["MAIL", "desk@games.example"]
    assert run(letter, room, "--smtp", host).code == 0
    assert to(server) == [ANA, BEN]


@pytest.mark.parametrize("stage", ["RCPT", "DATA"])
def test_a_letter_put_off_is_tried_after_growing_pauses_and_given_up_after_five_days(
    smtp: tuple[Server, str], room: Room, letter: Path, stage: str
) -> None:
    server, host = smtp
    server.answers[stage, BEN] = "450 come back later"
    done = run(letter, room, "--smtp", host)
    assert done.code == 0
    assert "1 answer waits in the outbox" in done.err
    assert to(server) == [ANA]
    [match] = pbem("status", room.log.parent, "--json").json["matches"]
    assert match["undelivered"] == 1
    now = ["2026-09-21T14:13:20Z"]
    postman = Postman(host, address.read("desk@games.example"), lambda: now[0])
    place = Outbox(str(outbox(room)))
    pauses = []
    while waiting := place.waiting():
        early = datetime.fromisoformat(now[0])
        late = datetime.fromisoformat(place.slip(waiting[0]).next)
        before = len(server.tried)
        now[0] = f"{late - timedelta(seconds=1):%Y-%m-%dT%H:%M:%SZ}"
        assert postman.deliver(place) == (0, 0, 1)
        assert len(server.tried) == before
        now[0] = f"{late:%Y-%m-%dT%H:%M:%SZ}"
        assert postman.deliver(place) in ((0, 0, 1), (0, 1, 0))
        assert len(server.tried) == before + 1
        pauses.append((late - early) / timedelta(minutes=1))
    assert pauses[:8] == [5, 10, 20, 40, 80, 160, 320, 360]
    assert set(pauses[7:]) == {360}
    assert 5 * 24 * 60 <= sum(pauses) < 5 * 24 * 60 + 360
    for file in (outbox(room) / "failed").rglob("*.txt"):
        assert file.read_text().startswith("put off since 2026-09-21T14:13:20Z, and given up now")
        assert "450 come back later" in file.read_text()


def test_a_letter_put_off_is_delivered_when_the_server_takes_it(
    smtp: tuple[Server, str], room: Room, letter: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server, host = smtp
    server.answers["DATA", BEN] = "451 greylisted"
    assert run(letter, room, "--smtp", host).code == 0
    server.answers.clear()
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(1_790_000_000 + 301))
    assert run(letter, room, "--smtp", host).err == ""
    assert to(server) == [ANA, BEN]
    assert pbem("status", room.log.parent, "--json").json["matches"][0]["undelivered"] == 0


def test_a_connection_that_breaks_is_no_letters_fault_and_the_others_go_first_the_next_time(
    smtp: tuple[Server, str], room: Room, letter: Path
) -> None:
    server, host = smtp
    server.answers["RCPT", ANA] = ""
    broken = run(letter, room, "--smtp", host)
    assert broken.code == 75
    assert "they stay in the outbox, try again later" in broken.err
    for _ in range(3):
        run(letter, room, "--smtp", host)
    assert to(server) == [BEN]
    server.answers.clear()
    assert run(letter, room, "--smtp", host).code == 0
    assert to(server) == [ANA, BEN]
    assert not (outbox(room) / "failed").exists()


def test_a_server_that_is_not_there_keeps_all_letters(room: Room, letter: Path) -> None:
    done = run(letter, room, "--smtp", f"smtp://127.0.0.1:{free_port()}")
    assert done.code == 75
    assert "0 answers sent, 2 not" in done.err
    assert len(list(outbox(room).glob("*/*.eml"))) == 2


def test_a_mail_without_its_slip_has_failed_and_a_slip_whose_mail_is_away_follows_it(
    smtp: tuple[Server, str], room: Room, letter: Path
) -> None:
    server, host = smtp
    assert run(letter, room, "--outbox", outbox(room)).code == 0
    first, second, *others = sorted(outbox(room).glob("*/*.eml"))
    first.with_suffix(".json").unlink()
    away = outbox(room) / "sent" / second.relative_to(outbox(room))
    away.parent.mkdir(parents=True)
    second.rename(away)  # as if killed between the two
    assert run(letter, room, "--smtp", host).code == 0
    assert len(server.taken) == len(others) == 0
    [reason] = (outbox(room) / "failed").rglob("*.txt")
    assert "nobody knows to whom" in reason.read_text()
    assert away.with_suffix(".json").exists()
    assert not second.with_suffix(".json").exists()
    assert pbem("status", room.log.parent, "--json").json["undelivered"] == 1


def test_what_a_server_gets_is_the_slip_and_not_a_header(
    smtp: tuple[Server, str], room: Room, letter: Path
) -> None:
    server, host = smtp
    assert run(letter, room, "--outbox", outbox(room)).code == 0
    for file in outbox(room).glob("*/*.eml"):
        file.write_bytes(
            file.read_bytes()
            .replace(b"To: ", b"To: eve@elsewhere.example, ")
            .replace(b"From: pbem <", b"From: pbem <eve@elsewhere.example>, <")
        )
    assert run(letter, room, "--smtp", host).code == 0
    assert to(server) == [ANA, BEN]
    assert set(server.senders) == {"desk@games.example"}


# ------------------------------------------------------------------------------- passwords


def test_a_password_comes_from_the_environment_a_command_or_a_private_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "word"
    file.write_text(f"{WORD}\nand more\n")
    file.chmod(0o644)
    with pytest.raises(Denied, match="no password"):
        password("SMTP", "the place")
    monkeypatch.setenv("PBEM_SMTP_PASSWORD_FILE", str(file))
    with pytest.raises(Problem, match="chmod 600"):
        password("SMTP", "the place")
    file.chmod(0o600)
    assert password("SMTP", "the place") == WORD
    monkeypatch.setenv("PBEM_SMTP_PASSWORD_COMMAND", f"head -n 1 {file}")
    file.write_text("from a command\n")
    assert password("SMTP", "the place") == "from a command"
    monkeypatch.setenv("PBEM_SMTP_PASSWORD", "from the environment")
    assert password("SMTP", "the place") == "from the environment"
    with pytest.raises(Denied, match="no password"):
        password("IMAP", "the place")


@pytest.mark.parametrize("command", ["false", "no-such-command-here", "'", "true"])
def test_a_command_that_gives_no_password_is_told(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_IMAP_PASSWORD_COMMAND", command)
    with pytest.raises(Problem, match="PBEM_IMAP_PASSWORD_COMMAND") as caught:
        password("IMAP", "the place")
    assert isinstance(caught.value, Denied)
