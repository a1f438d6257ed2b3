"""What earlier versions kept in several files, as lines of the daybook: read once, and put away."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any, Final

from pbem.files import modes, store
from pbem.problem import BadFile

JOURNAL: Final = "journal.jsonl"
TOLD: Final = "told.jsonl"
RUNS: Final = "runs.jsonl"
MODERATOR: Final = "moderator"
WAITING: Final = "waiting"
PUT_AWAY: Final = "earlier"

Fields = dict[str, Any]


def take_over(own: str, path: str) -> None:
    """Begin the daybook at `path`, if it is empty, with what earlier versions kept in a mailroom's
    `own` folder, and put their files away; call it under the daybook's lock. A run killed on the
    way leaves the rest to the next. Raises Problem."""
    kept = (JOURNAL, TOLD, RUNS, MODERATOR, WAITING)
    old = [name for name in kept if os.path.exists(os.path.join(own, name))]
    if not old:
        return
    if not os.path.getsize(path):
        data = b"".join(json.dumps(line).encode() + b"\n" for line in lines(own))
        store.replace(path, data, 0o600)
    store.make_folder(os.path.join(own, PUT_AWAY), modes.PRIVATE)
    for name in old:
        os.replace(os.path.join(own, name), os.path.join(own, PUT_AWAY, name))


def lines(own: str) -> Iterator[Fields]:
    """What earlier versions kept, the mails in the order in which they came. Raises BadFile."""
    for line in _lines(own, JOURNAL):
        letters = line.pop("answers")
        yield {"fact": "came", **line, "letters": letters}
    for line in _lines(own, TOLD):
        yield from _from_told(line)
    for line in _lines(own, RUNS):
        yield _ran(line)
    waiting = os.path.join(own, WAITING)
    for name in sorted(os.listdir(waiting)) if os.path.isdir(waiting) else ():
        match, _, what = name.removesuffix(".txt").rpartition(".")
        with open(os.path.join(waiting, name), encoding="utf-8", errors="replace") as file:
            yield {"fact": "waits", "what": what, "match": match, "why": file.read().strip()}
    moderator = os.path.join(own, MODERATOR)
    if os.path.exists(moderator):
        with open(moderator, encoding="ascii") as file:
            yield {"fact": "digested", "number": int(file.read())}


def _from_told(line: Fields) -> Iterator[Fields]:
    match = line["match"]
    if "all" in line:
        known = {"entries": line["all"], "stamp": line["size"], "marks": line.get("marks", {})}
        rarely: Fields = {name: line[name] for name in ("copy", "replaced") if name in line}
        yield {"fact": "settled", "match": match, **known, **rarely}
    for person, span in line.get("mails", {}).items():
        since, end, letter, *digits = span
        news = {"since": since, "end": end, "mark": "".join(digits)}
        yield {"fact": "planned", "letter": letter, "to": person, "match": match, **news}
    if "wrote" in line:
        yield {"fact": "wrote", "match": match, "letters": line["wrote"]}


def _ran(line: Fields) -> Fields:
    match line:
        case {"run": upto, "mailbox": mailbox}:
            return {"fact": "ran", "upto": upto, "mailbox": mailbox}
        case {"mail": letter, "keys": keys}:
            return {"fact": "planned", "letter": letter, "to": "", "keys": keys}
        case {"out": out, "at": at}:
            digits, _, to = out.partition(" ")
            return {"fact": "wentout", "to": to, "mark": digits, "at": at}
    return {"fact": "said", "keys": line["said"]}


def _lines(own: str, name: str) -> Iterator[Fields]:
    """The complete lines of a file, parsed. Raises BadFile."""
    path = os.path.join(own, name)
    for line in store.read(path).split(b"\n")[:-1] if os.path.exists(path) else ():
        try:
            values = dict(json.loads(line))
        except (ValueError, TypeError) as error:
            raise BadFile(
                "{shown!r} is no line that an earlier version wrote; remove it",
                path,
                shown=line[:60].decode(errors="replace"),
            ) from error
        yield values
