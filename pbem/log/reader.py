"""The checks on a log's way in: it must be whole, in order, and as it was written."""

from __future__ import annotations

import re
from typing import Any

from pbem.core import NUMBER, SEAT, Domain
from pbem.files import yamlio
from pbem.log import rulings, seal
from pbem.log.chained import ChainReader
from pbem.log.entries import FORMATS, HEADER, IN_2, Entry, Header, Plain, Ply, hashed, public
from pbem.log.entropy.gathering import SEALED
from pbem.log.ruling import HASH, LINE, TEXT, TIME, list_of
from pbem.log.rulings import RULINGS, Ruled
from pbem.log.seal import canonical
from pbem.log.stages import SoFar
from pbem.problem import NotNow

_HEADER = {
    "format": TEXT,
    **HEADER,
    "log": Domain("a list of entries", lambda v: v is None or isinstance(v, list)),
}
_SEALED = Domain("a sealed text", lambda v: TEXT.accepts(v) and seal.is_sealed(v))
_PLY = {
    "ply": NUMBER,
    "seat": SEAT,
    "move": LINE,
    "whole": _SEALED,
    "events": list_of("a list of events", lambda v: isinstance(v, dict) and len(v) == 1),
    "at": TIME,
    "source": LINE,
    "chain": HASH,
}
_RULING = {"ruling": TEXT, "by": SEAT, "reason": TEXT, "at": TIME, "chain": HASH}
_OPTIONAL = {"options", "board", "whole", "source", "reason", *IN_2}


class LogReader(ChainReader):
    """A match log on its way in. All raise Problem."""

    def log(self) -> tuple[Header, tuple[Entry, ...]]:
        """The header and the entries. Raises Problem."""
        data = yamlio.parse(self.text, self.path)
        header = self.header(data)
        so_far, entries = SoFar(header), list[Entry]()
        chain, mark = header.chain, header.public_chain
        for index, item in enumerate(data["log"] or ()):
            entry = self.entry(item, index, so_far, chain, mark)
            so_far.add(entry)
            entries.append(entry)
            chain, mark = entry.chain, entry.public_chain
        self.require_margin(data)
        return header, tuple(entries)

    def header(self, data: Any) -> Header:
        if not isinstance(data, dict) or not isinstance(data.get("format"), str):
            self.refuse("not a match log; expected 'format: {format}'", format=FORMATS[0])
        if data["format"] not in FORMATS:
            said = {"said": data["format"], "known": FORMATS}
            if re.fullmatch(r"pbem-log/\d+", data["format"]):
                self.refuse(
                    "{said!r}: written by a newer pbem; update yours (this one reads {known:all})",
                    "format",
                    **said,
                )
            self.refuse("{said!r}: not a match log (this pbem reads {known:all})", "format", **said)
        first = data["format"] == FORMATS[0]
        known = {key: of for key, of in _HEADER.items() if not (first and key in IN_2)}
        self.fields(data, known, optional=_OPTIONAL)
        if not (first or any(key in data for key in IN_2)):
            self.refuse("missing: {keys:any}", keys=IN_2)
        if "entropy" in data and data["dealer"] != SEALED:
            self.refuse(
                "words for the draws in a match whose dealer is {dealer}: nothing is drawn from "
                "them, and they would prove nothing",
                "entropy",
                dealer=data["dealer"],
            )
        if "clock" in data:
            self.clock(data["clock"])
        if ("package" in data) != ("version" in data):
            self.refuse("a package has a version, and the other way round")
        self.require_log_last(data)
        return Header(**{key: data[key] for key in data if key not in ("format", "log")})

    def clock(self, settings: Plain) -> None:
        from pbem.log import clock  # not loaded for a match without one

        if wrong := clock.objection(settings):
            self.refuse("{wrong}", "clock", *filter(None, wrong[1:]), wrong=wrong[0])

    def entry(
        self, item: Any, index: int, so_far: SoFar, chain: str, mark: str, *, new: bool = False
    ) -> Entry:
        where = ("log", index)
        if not isinstance(item, dict) or ("ply" in item) == ("ruling" in item):
            self.refuse("not an entry; expected one that starts with 'ply:' or 'ruling:'", *where)
        mark = hashed(mark + canonical(public(item)))
        entry = self.ply(item, index, mark) if "ply" in item else self.ruling(item, index, mark)
        if objection := (new and so_far.objection_if_new(entry)) or so_far.objection(entry):
            if new:
                raise NotNow("{objection}", objection=objection[0])
            self.refuse("{objection}", *where, objection[1], objection=objection[0])
        called = f"ply {entry.number}" if isinstance(entry, Ply) else f"this {entry.kind}"
        self.require_chain(item, index, chain, called)
        return entry

    def ply(self, item: Plain, index: int, mark: str) -> Ply:
        self.fields(item, _PLY, "log", index, optional=_OPTIONAL)
        return Ply(
            item["ply"],
            item["seat"],
            item["move"],
            item.get("whole", ""),
            tuple(item["events"]),
            item["at"],
            item.get("source", ""),
            item["chain"],
            mark,
            index,
        )

    def ruling(self, item: Plain, index: int, mark: str) -> Ruled:
        kind = item["ruling"]
        if not isinstance(kind, str) or kind not in RULINGS:
            self.refuse(
                "{kind!r} is not a ruling; known are {known}",
                "log",
                index,
                "ruling",
                kind=kind,
                known=", ".join(RULINGS),
            )
        known = {**_RULING, **rulings.fields(RULINGS[kind])}
        self.fields(item, known, "log", index, optional=_OPTIONAL)
        return Ruled(
            rulings.made(RULINGS[kind], item),
            item["by"],
            item.get("reason", ""),
            item["at"],
            item["chain"],
            mark,
            index,
        )
