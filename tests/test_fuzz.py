"""Whatever comes in: an exit code that is documented, and never a traceback."""

from __future__ import annotations

from pathlib import Path

from commands import DOCUMENTED, SECRET, Room, mail, pbem
from hypothesis import given, settings
from hypothesis import strategies as st
from long import many

from pbem.files import yamlio
from pbem.log import seal
from pbem.log.entries import entry_text
from pbem.log.format import Log
from pbem.log.match import Replay

few = settings(max_examples=many(15, 30))
WORDS = st.sampled_from(
    "BARI DUDA-BARI KAHU-COCO take draw pass discard free x + ; : # #9 5989 [move] [/move] > JOJO "
    "ELAI+HUNA ? deal handicap done -- --- ```move ``` \0 \u202e Ä 999999999999 white".split()
)


@given(words=st.lists(WORDS | st.text(max_size=5), max_size=12), sep=st.sampled_from(" \n;"))
@few
def test_no_order_makes_it_stumble(room: Room, words: list[str], sep: str) -> None:
    text = sep.join(words).encode("utf-8", "replace")
    before = room.files()
    done = pbem("check", room.log, "--key", room.desk, stdin=text)
    assert done.code in DOCUMENTED
    assert room.files() == before
    told = pbem("check", room.log, "--json", stdin=text)
    assert told.json.get("code", 0) == told.code


def _mutated(data: st.DataObject, source: bytes) -> bytes:
    """The source with a few stretches cut, doubled, moved or overwritten."""
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(source)))
        end = min(len(source), start + data.draw(st.integers(0, 60)))
        piece = data.draw(
            st.sampled_from([b"", source[start:end] * 2, b"\n", b"- ", b": ", b"\xff", b'"', b"{"])
            | st.binary(max_size=6)
        )
        source = source[:start] + piece + source[end:]
    return source


@given(data=st.data())
@few
def test_no_log_makes_it_stumble(room: Room, data: st.DataObject) -> None:
    good = room.log.read_bytes()
    bad = room.log.parent / "bad.pbem.yaml"
    bad.write_bytes(_mutated(data, good))
    for command in (["show"], ["verify", "--json"], ["log"]):
        done = pbem(*command, bad)
        assert done.code in DOCUMENTED
        assert done.code in (0, 65), done.printed


@given(data=st.data())
@few
def test_a_log_chained_anew_around_any_change_does_not_make_it_stumble(
    room: Room, data: st.DataObject
) -> None:
    source = Log.read(str(room.log))
    plain = yamlio.parse(source.text, "")["log"]
    at = data.draw(st.integers(0, len(plain) - 1))
    word = st.sampled_from(
        ["white", "black", "display", "BARI", "?", "chance", "", 3, None, True, -1, [], {}]
    )
    target = plain[at]
    if data.draw(st.booleans()):
        [fields] = target["events"][0].values()
        fields[data.draw(st.sampled_from(sorted(fields)))] = data.draw(word)
    else:
        target[data.draw(st.sampled_from(["seat", "move", "events", "whole"]))] = data.draw(word)
    text, chain = source.header.text(), source.header.chain
    for entry in plain:
        entry.pop("chain")
        more, chain = entry_text(chain, entry)
        text += more
    bad = room.log.parent / "m2.pbem.yaml"
    bad.write_text(text)
    for command in (["show"], ["verify"], ["moves"], ["log"]):
        assert pbem(*command, bad, "--key", room.desk).code in (0, 65)
        assert pbem(*command, bad).code in (0, 65)


MAILS = sorted((Path(__file__).parent / "mail").glob("*.eml"))


@given(data=st.data())
@few
def test_no_mail_makes_it_stumble(room: Room, data: st.DataObject) -> None:
    source = data.draw(st.sampled_from([mail("draw"), *(path.read_bytes() for path in MAILS)]))
    before = room.files()
    done = pbem("check", room.log, "-", stdin=_mutated(data, source))
    assert done.code in DOCUMENTED
    assert room.files() == before
    assert Replay.read(str(room.log)).position == (9, "5989")
    assert seal.commit(SECRET) == Replay.read(str(room.log)).log.header.commit
