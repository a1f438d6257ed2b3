"""In a language that nobody speaks, nothing that a player reads is left in English.

Names, moves, ids and what people wrote stand as they are, and so do titles of cases and headings
of printed rules, which are quoted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import ANA, BEN, dealt, mail, pbem
from long import many
from postroom import EVE, Post, text
from pseudo import PSEUDO, Pseudo, sayable, spoken, unsaid
from test_mails import shown, shown_in_time
from test_time import Hour
from test_time import new as timed

from pbem import core
from pbem.desk.file import Desk, read_both
from pbem.files.data import game_file
from pbem.files.languages import known, speaking
from pbem.log import seal
from pbem.log.match import Replay
from pbem.play import games
from pbem.report import chronicle, compose, pages
from pbem.sentence import speaking as with_voice
from pbem.testing import cases

ARCHIVE = Path(__file__).parent / "archive"
MATCHES = sorted(path.name.removesuffix(".pbem.yaml") for path in ARCHIVE.glob("*.pbem.yaml"))
NAMES = """
    ana ben cleo cara dan eva eve anna zoe seat white black red green blue yellow purple turquoise
    kahuna kanaloa bambus piatnik pele ku kane lono subject re move match chance pbem key
    aloa bari coco duda elai faaa gola huna iffi jojo kahu lale thames kosmos rio grande
"""
MOVES = """
    draw take pass discard handicap done rob veto allow deal play remove dolphin sail stay announce
    no octopus volcano sea plays any
"""
OPTIONS = "true variant setup order basic simultaneous announcement"
VERBS = "help status board plans withdraw resign say moderator away jan entropy new"
"""What stands in code, to be copied."""
ALLOWED = frozenset(f"{NAMES} {MOVES} {OPTIONS} {VERBS}".split())


class Listening(Pseudo):
    """Hears what is asked of it: each of that must be in the template for translators."""

    def __init__(self) -> None:
        self.heard: set[str] = set()

    def gettext(self, message: str, /) -> str:
        self.heard.add(message)
        return super().gettext(message)


def english(told: str, *more: str) -> set[str]:
    """The words of a text that are in English, but for those of a fence, of a map, of digests."""
    told = re.sub(r"(?s)\[move\].*?\[/move\]|<style.*?</style>|<script.*?</script>", " ", told)
    told = re.sub(
        r"<[^>]*>|\[/?(?:b|i|code|url)\]|&\w+;|\w+:[0-9a-f]{64}|\b[0-9a-f]{4,64}\b", " ", told
    )
    written = {word.casefold() for each in more for word in re.findall(r"[^\W\d_]+", each)}
    found = unsaid(told, ALLOWED | written)
    # Of a map there are bridges, oooo, and names of lines and places: two or three capitals.
    return {word for word in found if len(word) > 2 and not re.fullmatch("o*[A-Z]*o*", word)}


def by_people(now: Replay) -> Iterator[str]:
    """What stands in a log as people wrote it, and the names of moves."""
    yield from (now.name, *now.players, *now.players.values())
    yield from (str(entry.move) for entry, _ in now.plies)
    for entry in now.log.entries:
        for field in ("reason", "ruling"):
            yield str(getattr(entry, field, ""))


@pytest.mark.parametrize("name", MATCHES)
def test_a_whole_match_is_told_in_it(name: str) -> None:
    now, desk = read_both(str(ARCHIVE / f"{name}.pbem.yaml"))
    written, last = tuple(by_people(now)), now.position.ply
    with spoken():
        at = MATCHES.index(name)  # of the first two and of the others, in a long run each
        for ply in sorted({0, 1, last // 2, last})[many(at % 2, 0) :: many(2, 1)]:
            for told in told_at(Replay.of(now.log, now.keyring, at=ply), desk):
                assert not english(told, *written)
        with speaking(PSEUDO):
            assert not english("\n".join(chronicle.lines(now)), *written)


def told_at(now: Replay, desk: Desk) -> Iterator[str]:
    """What is posted and written to each seat where a match stands so."""
    told = compose.known_before_last_turn(now)

    def post() -> compose.Report:
        opening = compose.opening(now, "you@example.org")
        return compose.public(now, told, compose.proof(now), opening=opening)

    for dialect in ("text", "html", "phpbb"):
        yield compose.posted(post, dialect, (PSEUDO,))
    yield compose.posted(post, "text", (PSEUDO,), 40)
    for seat in now.setup.seats:
        yield compose.posted(
            lambda seat=seat: compose.letter(now, seat, told, desk=desk), "text", (PSEUDO,)
        )


@pytest.mark.parametrize("columns", [72, 40])
@pytest.mark.parametrize("name", MATCHES)
def test_no_line_of_a_post_is_wider_than_it_may_be(name: str, columns: int) -> None:
    """Sentences that are a third longer break where there is room, and so do those of each
    language; addresses and digests do not."""
    now, _ = read_both(str(ARCHIVE / f"{name}.pbem.yaml"))
    with spoken():
        at = MATCHES.index(name) + columns // 40  # the languages take turns
        for code in (PSEUDO, *known())[many(at % 3, 0) :: many(3, 1)]:
            told = compose.posted(
                lambda: compose.public(now, compose.known_before_last_turn(now)),
                "text",
                (code,),
                columns,
            )
            wide = [line for line in told.splitlines() if len(line) > columns]
            assert not [line for line in wide if len(max(line.split(), key=len)) < columns], code


@pytest.mark.parametrize("name", sorted(games.OWN))
def test_each_refusal_of_a_casebook_is_told_in_it(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusals: list[core.Refused] = []
    begun = core.Refused.__init__

    def heard(self: core.Refused, sentence: core.Sentence, /) -> None:
        begun(self, sentence)
        refusals.append(self)

    monkeypatch.setattr(core.Refused, "__init__", heard)
    game, voice = games.game(name), Listening()
    for book in cases.casebooks(game).values():
        for case in book:
            assert not list(cases.play_case(game, case))
    assert len(refusals) > 50
    with with_voice(voice):
        told = {each.sentence.text() for each in refusals}
        told |= {each.hint for each in refusals if isinstance(each, core.Unreadable)}
    assert not [(found, each) for each in told if (found := english(each))]
    assert voice.heard <= sayable()


QUOTED = tuple(
    str(each)
    for rule in game_file(games.game("kahuna").DATA, "rules")
    for source in rule.get("from", ())
    for each in source.values()
) + tuple(case["title"] for case in game_file(games.game("kahuna").DATA, "cases"))
ASKED = (
    """
help|status|board|plans|withdraw|withdraw 2|mails daily 18:00|mails each|posts: short
zone: Europe/Berlin|zone: Foo/Bar|pictures: no|text|html|mails sometimes|language: de|language: xx
away until 5 Jan|away from 3 Jan to 9 Jan|back|say: hello all|to Ana: psst
takeback please|takeback to #3|to moderator: hi there|resign|draw; resign|tkae JOJO|next: draw
if anyone plays *: draw or pass|always turn: draw|if Ana foo: bar|take ZOZO|draw #99
BARI-ELAI x BARI-ELAI|May I play two cards for a bridge?|My hovercraft is full.
""".replace("\n", "|")
    .strip("|")
    .split("|")
)
WRITTEN = (*ASKED, "qps ebb europe berlin zozo", *QUOTED)


@pytest.mark.parametrize("tables", ["one", "timed", "both"])
def test_each_answer_of_the_desk_is_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tables: str
) -> None:
    hour, post = Hour(monkeypatch), Post(tmp_path)
    voice = ("--language", PSEUDO, "--speaks", f"white={PSEUDO}", "--speaks", f"black={PSEUDO}")
    clock = ("--turn", 3, "--grace", 2, "--zone", "Europe/Berlin", "--silence", "draw or pass")
    with spoken(by_all=True):
        if tables != "one":
            rest = (*clock, "--told", "--press", "private", *voice)
            assert timed(post.matches, *rest, name="autumn-2").code == 0
        if tables != "timed":
            dealt(post.matches, name="spring-3")
        for n, said in enumerate(ASKED):
            for sender in (ANA, BEN):
                post.comes(mail(said, sender=sender, identity=f"<{n}{sender}@e>"))
        post.comes(mail("Hello?", sender=EVE, identity="<eve@e>"))
        post.run("--refusals", "500")
        for day in range(24, 29):
            hour.set(f"2026-09-{day}T07:00:00Z")
            post.run()
        found = post.answers()
    assert len(found) > 40
    for name, each in found.items():
        told = f"{each['Subject']}\n{text(each)}"
        assert not english(told, *WRITTEN, "spring autumn"), name


def test_each_mail_of_a_match_is_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seal, "new_secret", lambda: bytes(range(32)))
    with spoken(by_all=True):
        post, in_time = (Post(tmp_path / name) for name in ("untimed", "timed"))
        mails = shown(post, dealt(post.matches, name="spring-3"))
        mails += shown_in_time(in_time, Hour(monkeypatch))
    written = (
        "spring autumn if Hi until Good luck by phone no answer by Sunday, as announced",
        "Ben is on holiday until Friday",
        "has resigned",  # why an early order waits no longer is kept in words
        *QUOTED,
    )
    for each in mails:
        told = f"{each.mail['Subject']}\n{text(each.mail)}"
        assert not english(told, *written), each.heading


def test_what_is_posted_on_a_terminal_is_in_it_and_the_json_is_not(tmp_path: Path) -> None:
    with spoken():
        room = dealt(tmp_path)
        told = pbem("post", room.log, "--language", PSEUDO).out
        assert not english(told, "m")
        assert "⟦" not in pbem("show", room.log, "--language", PSEUDO, "--json").out


def test_a_page_and_a_picture_are_in_it(tmp_path: Path) -> None:
    with spoken():
        # Some matches of each game, a page for all or for a seat; in a long run all, and both.
        for nth, name in enumerate(MATCHES[many(1, 0) :: many(2, 1)]):
            now, _ = read_both(str(ARCHIVE / f"{name}.pbem.yaml"))
            written = (*by_people(now), "handicap Home End")
            for seat in (None, *now.setup.seats[:1])[many(nth % 2, 0) :: many(2, 1)]:
                theirs = now if seat is None else now.seen_by(seat)
                with speaking(PSEUDO):
                    told = pages.page(theirs, seat=seat, checked=pages.checked(now))
                assert f'<html lang="{PSEUDO}">' in told
                shown = re.sub(
                    r"(?s)<style.*?</style>|<script.*?</script>|<code>.*?</code>", "", told
                )
                said = " ".join(re.findall(r'(?:aria-label|title|data-head)="([^"]*)"', shown))
                assert not english(f"{shown} {said}", *written)
            drawn = tmp_path / "board.svg"
            log = ARCHIVE / f"{name}.pbem.yaml"
            asked = ("--format", "svg", "--language", PSEUDO, "-o", drawn)
            assert pbem("show", log, *asked).code == 0
            svg = re.sub(r"(?s)<style.*?</style>", "", drawn.read_text())
            assert not english(svg, *written)


FACT = re.compile(r"\[[A-Z]-A?\d+[a-z]?\]|[A-Z]{4}(?:-[A-Z]{4})?|#\d+|\d+")
"""A rule's id, an island or a line, a position, a number."""


@pytest.mark.parametrize("name", [name for name in MATCHES if name.startswith("kahuna")])
def test_two_languages_tell_the_same_facts_in_the_same_order(name: str) -> None:
    now, _ = read_both(str(ARCHIVE / f"{name}.pbem.yaml"))

    def told(language: str) -> list[str]:
        with speaking(language):
            return [" ".join(FACT.findall(plain(line))) for line in chronicle.lines(now)]

    def plain(line: str) -> str:
        return re.sub("[^\x00-\x7f]+", "", line)

    with spoken():
        assert told(PSEUDO) == told("en")
