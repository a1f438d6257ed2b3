"""What players read in German, and of Piatnik's game in each of its languages, as it stands in
`tests/golden/tongues`: read it aloud before you commit it.

`PBEM_GOLDEN=write` writes the files anew.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from commands import ANA, mail
from postroom import Post, text
from test_time import Hour
from test_time import new as timed

from pbem import core
from pbem.desk.file import read_both
from pbem.files.languages import speaking
from pbem.log.match import Replay
from pbem.play import games
from pbem.report import compose
from pbem.testing import cases

HERE = Path(__file__).parent
GOLDEN = HERE / "golden" / "tongues"
SHOWN = {
    "kahuna": ("kahuna-thames-kosmos", 60),
    "kanaloa-bambus": ("bambus-four", 120),
    "kanaloa-piatnik": ("piatnik-four", 60),
}
"""Of each game a match in the archive, and a ply of it."""
TOLD = [
    *(("de", game) for game in SHOWN),
    *((code, "kanaloa-piatnik") for code in ("fr", "hu", "pl")),
]


def require_golden(name: str, written: str) -> None:
    """It reads as the file has it."""
    golden = GOLDEN / name
    if os.environ.get("PBEM_GOLDEN") == "write":
        golden.parent.mkdir(parents=True, exist_ok=True)
        golden.write_text(written, encoding="utf-8")
    assert written == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize(("code", "game"), TOLD)
def test_a_post_and_a_letter_read_as_they_were_read(code: str, game: str) -> None:
    name, ply = SHOWN[game]
    whole, desk = read_both(str(HERE / "archive" / f"{name}.pbem.yaml"))
    now = Replay.of(whole.log, whole.keyring, at=ply)
    told, seat = compose.known_before_last_turn(now), now.setup.seats[0]
    post = compose.posted(lambda: compose.public(now, told), "text", (code,))
    letter = compose.posted(lambda: compose.letter(now, seat, told, desk=desk), "text", (code,))
    require_golden(f"{code}/{game}-post.txt", post)
    require_golden(f"{code}/{game}-letter.txt", letter)


@pytest.mark.parametrize(("code", "game"), TOLD)
def test_each_refusal_of_a_casebook_reads_as_it_was_read(
    code: str, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusals: list[core.Refused] = []
    begun = core.Refused.__init__

    def heard(self: core.Refused, sentence: core.Sentence, /) -> None:
        begun(self, sentence)
        refusals.append(self)

    monkeypatch.setattr(core.Refused, "__init__", heard)
    played = games.game(game)
    for book in cases.casebooks(played).values():
        for case in book:
            assert not list(cases.play_case(played, case))
    with speaking(code):
        told = {each.sentence.pattern: each.text() for each in refusals}
    require_golden(f"{code}/{game}-refusals.txt", "".join(f"{line}\n" for line in told.values()))


def test_mails_in_german_read_as_they_were_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    post, hour = Post(tmp_path), Hour(monkeypatch)
    clock = ("--turn", 3, "--grace", 2, "--zone", "Europe/Berlin", "--silence", "draw or pass")
    assert timed(post.matches, *clock, "--told", "--language", "de", name="herbst-2").code == 0
    asked = ("Hilfe", "Stand", "BARI-COCO", "nimm KAHU", "abwesend bis 5. Oktober", "Guten Tag!")
    for n, said in enumerate(asked):
        hour.set(f"2026-09-22T07:{n:02}:00Z")
        seen = set(post.answers())
        post.comes(mail(said, sender=ANA, identity=f"<{n}@e>"))
        post.run()
        [answer] = (m for name, m in post.answers().items() if name not in seen and m["To"] == ANA)
        require_golden(f"de/mail-{n + 1}.txt", f"{answer['Subject']}\n\n{text(answer)}")
    assert timed(post.matches, *clock, "--told", "--language", "de", name="herbst-3").code == 0
    for n, day in enumerate(range(24, 29)):
        hour.set(f"2026-09-{day}T07:00:00Z")
        seen = set(post.answers())
        post.run()
        for name, each in post.answers().items():
            if name not in seen and each["To"] == ANA:
                require_golden(f"de/reminder-{n + 1}.txt", f"{each['Subject']}\n\n{text(each)}")
