"""Keys, seals, and what happens to a seal that is opened wrongly."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.log import seal
from pbem.log.seal import Keyring
from pbem.problem import Denied, Problem

SECRET = bytes(range(32))
KEY = seal.seat_key(SECRET, "white", 0)
VECTOR_KEY = "0bc76cd2f98a3ffb5f8dfdd59a22c32dc0feadf22e1c855b28c78a4570f33c75"
VECTOR_SEAL = "sealed:0:XnFUqE1ZagugLidQABHzp0GK_GpMGA"
HERE = {"match": "kahuna-07", "ply": 3, "field": "0.dealt.card"}


def shut(value="ALOA", **changes):
    return seal.seal(**{"key": KEY, "value": value, "epoch": 0, "size": 6, **HERE, **changes})


def test_the_vectors_of_the_documentation_hold():
    assert seal.commit(SECRET) == (
        "sha256:630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    )
    assert KEY.hex() == VECTOR_KEY
    assert shut() == VECTOR_SEAL


def test_key_derivation_is_the_standard_one():
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    for size in (16, 32, 64, 100):
        standard = HKDF(SHA256(), size, b"pbem/1", b"draw").derive(SECRET)
        assert seal.derive(SECRET, "draw", size) == standard


def test_secrets_are_32_bytes_and_new_each_time():
    first, second = seal.new_secret(), seal.new_secret()
    assert len(first) == len(second) == 32
    assert first != second


@pytest.mark.parametrize("value", ["ALOA", None, 7, True, ["red 7", "?"], "Zoë", {"a": [1]}])
def test_a_sealed_value_opens_with_its_key_at_its_place(value):
    assert seal.unseal(KEY, shut(value), **HERE) == value


@settings(max_examples=50)
@given(st.text() | st.integers() | st.lists(st.text(max_size=5), max_size=3), st.integers(1, 70))
def test_any_plain_value_survives_sealing(value, size):
    assert seal.unseal(KEY, shut(value, size=size), **HERE) == value


@pytest.mark.parametrize(
    "change", [{"match": "kahuna-08"}, {"ply": 4}, {"field": "1.dealt.card"}, {"field": "whole"}]
)
def test_a_seal_moved_to_another_place_does_not_open(change):
    with pytest.raises(Problem, match="sealed with another key, or altered"):
        seal.unseal(KEY, shut(), **{**HERE, **change})


@pytest.mark.parametrize(
    "key", [seal.seat_key(SECRET, "black", 0), seal.seat_key(SECRET, "white", 1)]
)
def test_another_seat_or_epoch_does_not_open_a_seal(key):
    with pytest.raises(Problem, match="sealed with another key, or altered"):
        seal.unseal(key, shut(), **HERE)


def test_every_single_altered_letter_is_noticed():
    text = shut()
    start = len("sealed:0:")
    for index in range(start, len(text)):
        other = "A" if text[index] != "A" else "B"
        with pytest.raises(Problem, match=r"altered|not a sealed value"):
            seal.unseal(KEY, text[:index] + other + text[index + 1 :], **HERE)


@pytest.mark.parametrize(
    "text",
    [
        "sealed:",
        "sealed:0:",
        "sealed:00:AAAA",
        "sealed:0:AAAA",
        "sealed:x:AAAA",
        "sealed:0:!",
        "sealed:0:A",
        "sealed:-1:AAAA",
        "open:0:AAAA",
        "sealed:0:AAAA=",
        "sealed:9999999:AAAA",
    ],
)
def test_what_is_not_a_seal_is_a_problem(text):
    with pytest.raises(Problem, match="is not a sealed value"):
        seal.unseal(KEY, text, **HERE)


def test_all_values_of_a_field_have_one_length():
    lengths = {len(shut(value, size=8)) for value in ("A", "ALOA", "KAHUNA", None, 7)}
    assert len(lengths) == 1


def test_a_secret_field_without_a_size_is_refused():
    with pytest.raises(ValueError, match="needs a size"):
        shut(size=0)


# ----------------------------------------------------------------------------------- keys


def test_the_moderator_opens_everything_a_spectator_nothing():
    moderator = Keyring.moderator(SECRET, "kahuna-07")
    assert moderator.opens("white", 0) == KEY
    assert moderator.opens("black", 5) == seal.seat_key(SECRET, "black", 5)
    assert Keyring.none().opens("white", 0) is None


def test_a_substitute_reads_the_past_and_the_old_player_not_the_future():
    moderator = Keyring.moderator(SECRET, "kahuna-07")
    old, new = moderator.for_seat("white", 0), moderator.for_seat("white", 1)
    assert [ring.opens("white", 0) is not None for ring in (old, new)] == [True, True]
    assert [ring.opens("white", 1) is not None for ring in (old, new)] == [False, True]
    assert new.opens("black", 0) is None
    assert new.seats == ("white",)


def test_a_seat_cannot_make_keys():
    seat = Keyring.seat("kahuna-07", "white", {0: KEY})
    with pytest.raises(Problem, match="only the moderator") as caught:
        seat.for_seat("white", 1)
    assert isinstance(caught.value, Denied)


@pytest.mark.parametrize(
    "ring",
    [
        Keyring.moderator(SECRET, "kahuna-07"),
        Keyring.moderator(SECRET, "kahuna-07").for_seat("white", 2),
        Keyring.moderator(SECRET, "m").for_seat("red fish", 0),
    ],
)
def test_a_key_file_reads_back_equal(ring):
    text = ring.write()
    assert Keyring.read(text, "key") == ring
    assert Keyring.read(f"\n{text}\r\n", "key") == ring
    assert all(line.startswith(f"pbem-key/1 {ring.match} ") for line in text.splitlines())


LINE = f"pbem-key/1 kahuna-07 white 0 {'ab' * 32}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no key"),
        ("hello", "k:1: not a key"),
        (f"{LINE}\n{LINE[:-1]}", "k:2: not a key"),
        (LINE.replace("/1", "/2"), "k:1: not a key"),
        (LINE.replace(" 0 ", " x "), "k:1: not a key"),
        (LINE.replace(" 0 ", " 00 "), "k:1: not a key"),
        (f"{LINE}\n{LINE.replace('-07', '-08')}", "k:2: a key for 'kahuna-08' after"),
    ],
)
def test_anything_else_is_not_a_key_file(text, message):
    with pytest.raises(Problem) as caught:
        Keyring.read(text, "k")
    assert message in str(caught.value)
    assert "abab" not in str(caught.value)


def test_no_key_is_shown_by_accident():
    for ring in (Keyring.moderator(SECRET, "m"), Keyring.seat("m", "white", {0: KEY})):
        assert SECRET.hex()[:8] not in repr(ring)
        assert repr(KEY)[2:10] not in repr(ring)


def test_cryptography_is_loaded_only_when_something_is_opened():
    code = "import sys, pbem.log.seal; print({'cryptography', 'base64'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
