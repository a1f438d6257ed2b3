"""An address is checked on the way in, becomes a value, and stays as it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import pbem
from hypothesis import given
from hypothesis import strategies as st

from pbem.desk import address
from pbem.desk.file import Desk
from pbem.desk.seats import Player
from pbem.problem import BadFile, Usage


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("ana@example.org", "ana@example.org"),
        ("Ana.Maria+games@Example.ORG", "ana.maria+games@example.org"),
        ("pbem@localhost", "pbem@localhost"),
        ("ana@exämple.org", "ana@xn--exmple-cua.org"),
        ("ana@ｅxample.org", "ana@example.org"),  # noqa: RUF001 - a wide e is meant
        ("o'neil_{x}@a-b.example", "o'neil_{x}@a-b.example"),
    ],
)
def test_an_address_has_one_form(written: str, meant: str) -> None:
    assert address.read(written) == meant
    assert address.read(meant) == meant


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("=?utf-8?q?=28?=@x.org", "is no mail address"),
        ("=?utf-8?b?DQo=?=@x.org", "is no mail address"),
        ("a,b@c.org", "is no mail address"),
        ("a@b.org,c@d.org", "is no mail address"),
        ("a@b@c.org", "is no mail address"),
        ('"a b"@c.org', "is no mail address"),
        ("Ana <ana@c.org>", "is no mail address"),
        ("a..b@c.org", "is no mail address"),
        ("a@b..org", "is no mail address"),
        ("a@-b.org", "is no mail address"),
        ("a@[127.0.0.1]", "is no mail address"),
        ("a@b.org\n", "is no mail address"),
        ("a@b.org\r\nBcc: eve@x.org", "is no mail address"),
        ("a\0@b.org", "is no mail address"),
        ("a" * 65 + "@b.org", "is no mail address"),
        ("a@" + "b" * 64 + ".org", "is no mail address"),
        ("a@" + ".".join(["b" * 50] * 5), "is no mail address"),
        ("nobody", "is no mail address"),
        ("", "is no mail address"),
        ("änne@c.org", "only ASCII letters, digits and signs can stand before the @"),
        ("a@straße.example", "beginning with xn--"),
        ("a@\udcff.org", "beginning with xn--"),
        ("a@ä" + "ä" * 80 + ".org", "beginning with xn--"),
    ],
)
def test_what_has_no_one_form_is_no_address(written: str, why: str) -> None:
    assert address.found(written) is None
    with pytest.raises(Usage, match=why):
        address.read(written)


@given(st.text(max_size=300) | st.from_regex(r"[^@]{1,20}@[^@]{1,20}", fullmatch=True))
def test_an_address_is_ascii_without_what_a_header_or_a_server_would_read_otherwise(
    text: str,
) -> None:
    found = address.found(text)
    if found is not None:
        assert found.isascii()
        assert not set(found) & set(' ,;:<>()[]"\\\r\n\t\0')
        assert "=?" not in found
        assert address.read(found) == found


def test_players_and_desk_files_hold_addresses_or_are_refused(tmp_path: Path) -> None:
    assert Player.read("Ana <Ana@exämple.org>").addresses == ("ana@xn--exmple-cua.org",)
    with pytest.raises(Usage, match="is no mail address"):
        Player.read("Ana <a,b@c.org>")
    assert pbem("new", "kahuna", "--seat", "white=Ana <a..b@c.org>").code == 2
    text = (
        "format: pbem-desk/1\nmatch: m\nsecret: " + "00" * 32 + "\n"
        'addresses:\n  white:\n    - "ana@EXÄMPLE.org"\n    - "{}"\n  black: []\nheld: []\n'
    )
    desk = Desk.parse(text.format("a@b.org"), "m.desk.yaml")
    assert desk.addresses == {"white": ("ana@xn--exmple-cua.org", "a@b.org"), "black": ()}
    with pytest.raises(BadFile, match=r"^m.desk.yaml:7:7: 'a=2Cb@c.org,' is no mail address"):
        Desk.parse(text.format("a=2Cb@c.org,"), "m.desk.yaml")
