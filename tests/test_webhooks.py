"""Chat programs are told who is next: once a question, what everybody may know, and no more."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from commands import ANA, BEN, Room, dealt, mail, pbem
from postroom import Post, text

from pbem.core import Seat
from pbem.desk.address import Address
from pbem.desk.file import Desk
from pbem.mailroom.daybook import Daybook, Keeps
from pbem.mailroom.outbox import webhooks
from pbem.play import judge as play
from pbem.problem import BadFile


class Service:
    """A chat program on this machine: what it was told, and how it answers."""

    def __init__(self) -> None:
        self.told: list[tuple[str, str, dict[str, str]]] = []
        self.status = 204
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                kind = self.headers["Content-Type"]
                service.told.append((self.path, kind, json.loads(body)))
                self.send_response(service.status)
                if service.status == 302:
                    self.send_header("Location", f"{service.url}/elsewhere")
                self.end_headers()

            def do_GET(self) -> None:
                service.told.append(("GET", "", {}))

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def texts(self) -> list[str]:
        return [text for _, _, body in self.told for text in body.values()]


@pytest.fixture
def service() -> Iterator[Service]:
    service = Service()
    yield service
    service.server.shutdown()
    service.server.server_close()


@pytest.fixture
def post(tmp_path: Path) -> Post:
    return Post(tmp_path)


@pytest.fixture
def room(post: Post) -> Room:
    return dealt(post.matches)


def hook(room: Room, url: str, field: str = "content", prefix: str = "pbem: ") -> None:
    """Have it posted there who is next."""
    entry = f"webhooks:\n- url: {url}\n  field: {field}\n  prefix: '{prefix}'\n"
    room.desk.write_text(room.desk.read_text().replace("addresses:", f"{entry}addresses:"))


def plays(room: Room, seat: Seat, wanted: str = "") -> None:
    now = room.read()
    moves = [now.game.notate(move) for move in play.legal_moves(now.game, now.state, seat)]
    room.says(seat, wanted or moves[0])


def test_each_question_is_posted_once_with_match_and_player_and_no_map(
    post: Post, room: Room, service: Service
) -> None:
    hook(room, f"{service.url}/chat")
    post.run()
    post.run()
    path, kind, body = service.told[0]
    assert (path, kind, list(body)) == ("/chat", "application/json", ["content"])
    assert body["content"].startswith("pbem: [m #9 ")
    assert "Ana" in body["content"]
    assert "\n" not in body["content"]
    assert len(service.told) == 1
    pbem("rule", room.log, "note", "--text", "hello")
    post.run()
    assert len(service.told) == 1  # nobody was asked anything else
    plays(room, "white", "draw")
    post.run()
    post.run()
    assert len(service.told) == 2
    assert "Ben" in service.texts[1]


def test_only_what_everybody_may_know_is_posted(post: Post, room: Room, service: Service) -> None:
    hook(room, service.url)
    desk = Desk.read(str(room.log))
    secrets = [desk.secret.hex(), ANA, BEN, "example.org"]
    for _ in range(6):
        now = room.read()
        for seat in ("white", "black"):
            secrets += [room.key(seat).write(), *now.game.view(now.state)["hands"][seat]]
        plays(room, now.awaited[0])
        post.run()
    assert service.texts
    for told in service.texts:
        assert not any(secret in told for secret in secrets)
        assert len(told) <= 120


def test_a_name_calls_nobody_is_no_link_and_fits(post: Post, service: Service) -> None:
    names = ("@everyone <!channel> [x](https://evil.example) `" + "x" * 150, "Ben")
    room = dealt(post.matches)
    log = room.log.read_text()
    assert "Ana" in log
    pbem("rule", room.log, "substitute", "--seat", "white", "--player", names[0], "--reason", "x")
    hook(room, service.url, prefix="p" * 200)
    post.run()
    [text] = service.texts
    assert len(text) <= 500
    for bad in ("@everyone", "<!channel>", "](", "https://", "`"):
        assert bad not in text


@pytest.mark.parametrize("status", [302, 404, 500])
def test_a_webhook_that_fails_is_noted_stops_nothing_and_is_tried_again(
    post: Post, room: Room, service: Service, status: int
) -> None:
    service.status = status
    post.run()
    pbem("rule", room.log, "note", "--text", "hello")
    hook(room, f"{service.url}/s3cr3t")
    done = post.desk()
    assert done.code == 0, done.printed
    assert "the webhook at 127.0.0.1 cannot be posted to" in done.err
    assert "s3cr3t" not in done.printed
    assert len(service.told) == 1  # it is not led elsewhere
    assert len(post.to(ANA)) == 1
    shown = pbem("status", post.matches)
    assert "m: the webhook at 127.0.0.1" in shown.out
    assert "s3cr3t" not in shown.printed
    service.status = 200
    assert post.desk().err == ""
    assert len(service.told) == 2
    assert "webhook" not in pbem("status", post.matches).out
    post.run()
    assert len(service.told) == 2


@pytest.mark.parametrize("over", ["answered", "another", "none"])
def test_a_webhook_that_failed_is_no_trouble_once_nothing_is_to_be_posted_there(
    post: Post, room: Room, service: Service, over: str
) -> None:
    post.run()
    player = ("seat", room.log, "--seat", "white", "--webhook")
    pbem(*player, "http://127.0.0.1:1/x text")
    for _ in range(2):
        assert "cannot be posted to" in post.desk().err
        assert "cannot be posted to" in pbem("status", post.matches).out
    if over == "answered":
        plays(room, "white", "draw")
    else:
        pbem(*player, f"{service.url} text" if over == "another" else "none")
    assert post.desk().err == ""
    assert len(service.texts) == (over == "another")
    assert "cannot be posted to" not in pbem("status", post.matches).out


def test_nobody_home_stops_nothing(post: Post, room: Room) -> None:
    post.run()
    pbem("rule", room.log, "note", "--text", "hello")
    hook(room, "http://127.0.0.1:1/x")
    done = post.desk()
    assert done.code == 0
    assert "cannot be posted to" in done.err
    assert len(post.to(ANA)) == 1


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/x",
        "http://10.0.0.1/x",
        "http://localhost.example.org/x",
        "https://me:secret@example.org/x",
        "ftp://example.org/x",
        "file:///etc/passwd",
        "https:///x",
        "https://example.org:port/x",
    ],
)
def test_it_is_posted_to_https_or_to_this_machine_alone(room: Room, url: str) -> None:
    hook(room, url)
    with pytest.raises(BadFile) as refused:
        Desk.read(str(room.log))
    assert "secret@" not in str(refused.value)


@pytest.mark.parametrize("url", ["http://localhost:9/x", "http://[::1]:9/x", "https://example.org"])
def test_a_good_address_is_kept_when_the_desk_file_is_written_again(room: Room, url: str) -> None:
    hook(room, url)
    desk = Desk.read(str(room.log))
    assert [each.url for each in desk.webhooks] == [url]
    assert Desk.parse(desk.text(), desk.path) == desk


def test_by_mail_and_by_hand_the_same_question_is_posted(
    post: Post, room: Room, service: Service
) -> None:
    hook(room, service.url, field="text", prefix="")
    post.comes(mail("draw"))
    post.run()
    assert len(service.told) == 1
    assert service.told[0][2]["text"].startswith("[m #11 ")


class Sent(list[tuple[str, dict[str, str]]]):
    """What is sent instead of to a network: where to, and what."""

    def take(self) -> Sent:
        """What was sent since the last time."""
        found = Sent(self)
        self.clear()
        return found

    def __call__(self, url: str, body: bytes, *, abroad: bool = False) -> None:
        self.append((url, json.loads(body)))


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Sent:
    found = Sent()
    monkeypatch.setattr(webhooks, "_send", found)
    return found


BY_MAIL = "https://chat.example.org/hooks/s3cr3t"


def asks(post: Post, line: str) -> str:
    before = set(post.answers())
    post.comes(mail(line, identity=f"<hook{len(before)}@e>", subject="Mails"))
    post.run()
    [name] = set(post.answers()) - before
    return " ".join(text(post.answers()[name]).split())


def test_a_player_names_a_webhook_that_is_told_when_it_is_their_turn(
    post: Post, room: Room, sent: Sent
) -> None:
    other = dealt(post.matches, name="other")
    answer = asks(post, f"webhook: <{BY_MAIL}>")
    assert "posted to chat.example.org" in answer
    assert "s3cr3t" not in answer
    told = sent.take()
    assert [url for url, _ in told] == [BY_MAIL, BY_MAIL]
    assert sorted(body["text"][:6] for _, body in told) == ["[m #9 ", "[other"]
    for player, count in (("white", 0), ("black", 1)):  # it is Ben's turn, then Ana's again
        plays(room, player, "draw")
        post.run()
        post.run()
        assert len(sent.take()) == count
    shown = pbem("seat", other.log, "--seat", "white")
    assert "webhook chat.example.org" in shown.out
    assert "s3cr3t" not in shown.printed
    assert "no chat program" in asks(post, "webhook: none")
    plays(other, "white", "draw")
    plays(other, "black", "draw")
    post.run()
    assert sent == []


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:8080/x",
        "http://localhost/x",
        "http://example.org/x",
        "https://localhost/x",
        "https://printer.local/x",
        "https://intranet/x",
        "https://nas.lan/x",
        "https://printer.home.arpa/x",
        "https://x.localdomain/x",
        "https://127.0.0.1/x",
        "https://10.1.2.3/x",
        "https://[::1]/x",
        "https://169.254.169.254/latest",
        "https://2130706433/x",
        "https://0x7f.1/x",
        "https://evil.example:22/x",
        "https://[::ffff:10.0.0.1]/x",
        "https://me:secret@example.org/x",
        "ftp://example.org/x",
        "file:///etc/passwd",
    ],
)
def test_no_player_has_anything_posted_on_this_machine_or_beside_it(
    post: Post, room: Room, sent: Sent, url: str
) -> None:
    assert "Nothing was changed" in asks(post, f"webhook: {url}")
    assert sent == []


class Net(list[tuple[str, int]]):
    """Who was connected to, in place of a net in which all names stand for the same addresses."""

    places: tuple[str, ...] = ()

    def found(self, host: str, port: int, **_: object) -> list[tuple[object, ...]]:
        return [(0, 0, 0, "", (place, port)) for place in self.places]

    def connected(self, place: tuple[str, int], _: float) -> None:
        self.append(place)
        raise ConnectionRefusedError


@pytest.fixture
def net(monkeypatch: pytest.MonkeyPatch) -> Net:
    net = Net()
    monkeypatch.setattr(socket, "getaddrinfo", net.found)
    monkeypatch.setattr(socket, "create_connection", net.connected)
    monkeypatch.setenv("https_proxy", "http://127.0.0.1:9")
    return net


def test_a_players_webhook_whose_name_leads_home_is_not_posted_to(
    post: Post, room: Room, net: Net
) -> None:
    net.places = ("127.0.0.1",)
    asks(post, "webhook: https://127.0.0.1.nip.example/x")
    assert net == []
    assert "127.0.0.1.nip.example cannot be posted to (LeadsHome)" in post.desk().err


HOME = """127.0.0.1|10.0.0.1|192.168.1.1|169.254.169.254|100.64.0.1|0.0.0.0|224.0.1.1|240.0.0.1
::1|::|fe80::1|fc00::1|fec0::1|ff0e::1|::ffff:127.0.0.1|::127.0.0.1|64:ff9b::7f00:1|2002:7f00:1::
93.184.215.14 10.0.0.1|2606:4700::1111 ::1"""


@pytest.mark.parametrize("places", HOME.replace("\n", "|").split("|"))
def test_a_name_leads_home_if_any_of_its_addresses_is_not_public(net: Net, places: str) -> None:
    net.places = tuple(places.split())
    with pytest.raises(webhooks.LeadsHome):
        webhooks._send(BY_MAIL, b"", abroad=True)
    assert net == []


@pytest.mark.parametrize("places", ["93.184.215.14", "2606:4700::1111", "64:ff9b::808:808"])
def test_a_players_webhook_is_posted_to_the_very_addresses_that_were_found(
    post: Post, room: Room, net: Net, places: str
) -> None:
    net.places = (places, "1.1.1.1")
    asks(post, f"webhook: {BY_MAIL}")
    assert net == [(places, 443), ("1.1.1.1", 443)]


def test_a_webhook_set_by_mail_before_names_were_looked_up_may_not_lead_home_either(
    post: Post, room: Room, net: Net
) -> None:
    post.run()
    Daybook(str(post.matches)).add(Keeps(Address(ANA), "webhook", "https://x.example:22/y text"))
    net.places = ("93.184.215.14",)
    assert "x.example cannot be posted to" in post.desk().err
    assert net == []


def test_what_the_moderator_names_is_posted_to_wherever_it_leads(
    post: Post, room: Room, sent: Sent, net: Net
) -> None:
    net.places = ("10.0.0.1",)
    pbem("seat", room.log, "--seat", "white", "--webhook", "https://chat.club.example:8443/x text")
    hook(room, "https://chat.club.example/x")
    post.run()
    assert [url[:30] for url, _ in sent] == [
        "https://chat.club.example/x",
        "https://chat.club.example:8443",
    ]


def test_the_moderator_names_a_players_webhook_on_this_machine_too(
    post: Post, room: Room, service: Service
) -> None:
    done = pbem("seat", room.log, "--seat", "white", "--webhook", f"{service.url}/x message")
    assert done.code == 0, done.printed
    post.run()
    [(_, _, body)] = service.told
    assert list(body) == ["message"]
    assert pbem("forget", ANA, post.matches).code == 0
    assert service.url not in (post.matches / ".mailroom" / "daybook.jsonl").read_text()
