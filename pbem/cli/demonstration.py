"""The main job on the sample mails shipped with pbem: what `pbem demo` does and shows."""

from __future__ import annotations

import hashlib
import itertools
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from textwrap import fill
from typing import Final

from pbem import intake
from pbem.desk import begin
from pbem.desk.answer import Answer
from pbem.desk.append import Now
from pbem.desk.bench import Circumstances
from pbem.desk.seats import Player
from pbem.desk.submit import submit
from pbem.files import data, modes, store
from pbem.log.match import Replay
from pbem.report import compose, render
from pbem.report.facts import WIDTH
from pbem.report.refusal import rejection
from pbem.sentence import say

SECRET: Final = hashlib.sha256(b"pbem demo").digest()
"""Members to all, and always the same: the sample mails answer positions that follow from it."""

NAME: Final = "kahuna-demo"
PLAYERS: Final = {
    "white": Player.read("Ana <ana@example.org>"),
    "black": Player.read("Ben <ben@example.org>"),
}
MAILS: Final = (
    ("1-gmail.eml", "Ana answers the opening post from Gmail, above the quoted text."),
    ("1-gmail.eml", "The mail program hands in the same mail once more."),
    ("2-outlook.eml", "Ben answers from Outlook. The first line is legal, the second is not."),
    ("3-iphone.eml", "Ben says thank you, and quotes the old order."),
    ("4-yahoo.eml", "Zoe, who does not play, has a suggestion."),
    ("5-thunderbird.eml", "Ben writes below the quoted post, with slips of the pen."),
    ("6-apple.eml", "Ben fills in the fence of the post, and chats around it."),
    ("7-android.eml", "Ana answers the opening post again, but the match has moved on."),
)


NEXT: Final = (
    "  {pbem} show {log}",
    "  {pbem} moves {log} --as white",
    "  echo bari-elai | {pbem} check {log} --key {folder}/white.key",
    "  echo bari-elai | {pbem} submit {log} --from white",
    "  {pbem} log {log}",
    "  {pbem} verify {log} --key {log}.desk.yaml",
)
"""What to try in the match that the demonstration leaves behind."""


def run(folder: str) -> None:
    """Make a match in a new folder within `folder`, feed it the sample mails, and print what
    comes of each. Raises Problem (code 73) where nothing can be written."""
    for line in lines(_fresh(folder)):
        print(line)


def mail(name: str) -> bytes:
    """A sample mail, as it came in."""
    with open(os.path.join(data.game_folder("kahuna"), "demo", name), "rb") as file:
        return file.read()


def lines(folder: str) -> Iterator[str]:
    """The demonstration in an empty folder, step by step, in 72 columns."""
    clock = _clock()
    new = begin.Terms("kahuna", PLAYERS, name=NAME, folder=folder)
    opened, desk = begin.begin(new, secret=SECRET, clock=clock)
    begin.write(opened, desk)
    opening_post = compose.text(compose.public(opened, 0, opening=compose.opening(opened)), "text")
    _write(folder, "0-post.txt", opening_post)
    for seat in PLAYERS:
        letter = compose.letter(opened, seat, 0, key=True)
        _write(folder, f"0-letter-{seat}.txt", compose.text(letter, "text"))
        _write(folder, f"{seat}.key", opened.seen_by(seat).keyring.write())
    yield from _introduction(opened)
    for name, caption in MAILS:
        _write(folder, name, mail(name))
        said = intake.read(mail(name), name)
        answer = submit(opened.log.path, said, Circumstances(clock, compose.rehearse))
        yield from _step(folder, name, caption, answer)
    yield from _conclusion(folder, Replay.read(opened.log.path, desk.keyring))


def _clock() -> Now:
    minutes = itertools.count()
    return lambda: f"2026-04-03T09:{next(minutes):02}:00Z"


def _fresh(folder: str) -> str:
    """Make `folder/1`, or the first number that is free."""
    paths = (os.path.join(folder, str(number)) for number in itertools.count(1))
    path = next(path for path in paths if not os.path.exists(path))
    store.make_folder(path, modes.PRIVATE)
    return path


def _write(folder: str, name: str, content: str | bytes) -> None:
    written = content.encode() if isinstance(content, str) else content
    store.replace(os.path.join(folder, name), written, 0o600)


def _introduction(opened: Replay) -> Iterator[str]:
    yield _rule("A match of Kahuna, from raw mails to posts")
    yield ""
    yield _text(
        "Ana plays white, Ben plays black. The match {match} begins in {folder}. Each has three "
        "cards, sealed in the log so that anyone may read it. Everybody gets the opening post, "
        "{position}, and each player a private letter with their hand and their key.",
        match=opened.name,
        folder=os.path.dirname(opened.log.path),
        position=opened.position,
    )
    yield ""
    yield _text(
        "So that the sample mails fit, this one match uses a secret that anybody can read in "
        "the program, and a clock that always shows 3 April 2026. `pbem new` draws a fresh "
        "secret for each match."
    )


def _step(folder: str, name: str, caption: str, answer: Answer) -> Iterator[str]:
    yield ""
    yield _rule(name)
    yield _text("{caption}", caption=caption)
    yield ""
    yield from _listed("new text", [line.text for line in answer.submission.orders])
    left_out = Counter(ignored.why for ignored in answer.submission.ignored)
    kinds = [f"{kind} ({n})" for kind, n in left_out.items()]
    yield from _listed(
        "left out", [str(say("lines: {kinds}", kinds=", ".join(kinds)))] * bool(kinds)
    )
    verdict = say("{verdict}, exit code {code}", verdict=answer.verdict.upper(), code=answer.code)
    yield from _listed("verdict", [verdict.text()])
    if answer.verdict == "accepted":
        yield from _accepted(folder, name, answer)
    else:
        yield from _refused(folder, name, answer)


def _accepted(folder: str, name: str, answer: Answer) -> Iterator[str]:
    after = answer.after
    told = len(answer.before.log.entries)
    yield from _listed("now at", [str(after.position)])
    public = compose.public(after, told)
    yield from _listed("happened", render.wording(after.game, public.news, public.seats))
    stem = name.partition("-")[0]
    _write(folder, f"{stem}-post.txt", compose.text(public, "text"))
    for seat in PLAYERS:
        letter = compose.letter(after, seat, told)
        _write(folder, f"{stem}-letter-{seat}.txt", compose.text(letter, "text"))
    written = say("{stem}-post.txt and a letter for each seat", stem=stem)
    yield from _listed("written", [written.text()])


def _refused(folder: str, name: str, answer: Answer) -> Iterator[str]:
    reply = rejection(answer)
    refusal = reply.refusal
    assert refusal is not None
    yield from _listed("because", [refusal.reason])
    yield from _listed("rule", [refusal.rule_says] if refusal.rule_says else [])
    for line, text, why, hint in refusal.unreadable:
        refused = say("{text!r}: {why}. {hint}", text=text, why=why, hint=hint)
        yield from _listed(f"line {line}", [refused.text()])
    if answer.verdict != "duplicate":
        reply_file = f"{name.partition('-')[0]}-reply.txt"
        _write(folder, reply_file, compose.text(reply, "text"))
        written = say("{reply_file}, for the sender alone", reply_file=reply_file)
        yield from _listed("written", [written.text()])


def _conclusion(folder: str, match: Replay) -> Iterator[str]:
    last = compose.known_before_last_turn(match)
    yield ""
    yield _rule("The last post, for everybody")
    yield ""
    yield compose.text(compose.public(match, last), "text")
    yield _rule("The letter that went to Ana with it, for nobody else")
    yield ""
    yield compose.text(compose.letter(match, "white", last), "text")
    yield _rule("What to try next")
    yield ""
    yield _text(
        "Posts, letters, replies and the two files of the match are in {folder}. Try:",
        folder=folder,
    )
    yield ""
    log, called = os.path.join(folder, NAME), sys.argv[0]
    by_path = os.path.basename(called) == "pbem" and os.sep in called
    program = called if by_path else "pbem"
    for pattern in NEXT:
        yield say(pattern, pbem=program, log=log, folder=folder).text()


def _rule(title: str) -> str:
    return f"-- {title} ".ljust(WIDTH, "-")


def _text(pattern: str, /, **values: object) -> str:
    return fill(say(pattern, **values).text(), WIDTH, break_on_hyphens=False)


def _listed(label: str, texts: Sequence[str]) -> Iterator[str]:
    """A label and what belongs to it, one or more lines."""
    for text in texts:
        yield fill(
            text,
            WIDTH,
            initial_indent=f"  {label:<10}",
            subsequent_indent=" " * 12,
            break_on_hyphens=False,
        )
        label = ""
