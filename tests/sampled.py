"""What the tests really write into the blanks of sentences, for translators to see.

`PBEM_SAMPLES=languages/samples.json python -m pytest -n 0 [tests/…]` notes up to three short values
of each blank, besides those that are there; `python -m languages` makes comments of them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from string import Formatter
from typing import Any
from unittest.mock import patch

from languages.__main__ import Samples, sampled
from pbem import sentence
from pbem.report import templates
from pbem.sentence import NO_NAMES, Counted, Names, Sentence, spoken

MOST, LONGEST = 3, 30


class Sampler:
    """Listens to what is said in English, while it is at work."""

    def __init__(self, file: str) -> None:
        self.file = Path(file)
        self.found: Samples = json.loads(self.file.read_text("utf-8")) if self.file.exists() else {}

    def note(self, pattern: str | Counted, values: Mapping[str, Any], names: Names) -> None:
        """Keep what this sentence is said with, unless there is enough of it."""
        one, *_ = (pattern,) if isinstance(pattern, str) else pattern
        if spoken() != "en" or not values:
            return
        every = one if isinstance(pattern, str) else pattern.many
        for _, blank, spec, _ in Formatter().parse(every):
            if blank and blank.isidentifier() and blank != "n" and blank in values:
                kept = self.found.setdefault(one, {}).setdefault(blank, [])
                if len(kept) < MOST:
                    text = sentence._formed(values[blank], spec or "", names)
                    short = 0 < len(text) <= LONGEST and text.isprintable() and "/" not in text[:1]
                    kept += [text] if short and text not in kept else []

    def start(self) -> None:
        """Listen from now on."""
        text, say, counted = Sentence.text, templates._say, templates._counted

        def told(one: Sentence, names: Names = NO_NAMES) -> str:
            self.note(one.pattern, one.values, names)
            return text(one, names)

        def said(pattern: str, /, **values: Any) -> str:
            self.note(pattern, values, NO_NAMES)
            return say(pattern, **values)

        def said_of(n: int, one: str, many: str, /, **values: Any) -> str:
            self.note(Counted(one, many), values, NO_NAMES)
            return counted(n, one, many, **values)

        patch.object(Sentence, "text", told).start()
        patch.object(templates, "_say", said).start()
        patch.object(templates, "_counted", said_of).start()

    def write(self) -> None:
        """Write the file anew."""
        kept = {one: {b: v for b, v in sorted(of.items()) if v} for one, of in self.found.items()}
        self.file.write_text(sampled({one: of for one, of in kept.items() if of}), "utf-8")


SAMPLER = Sampler(os.environ["PBEM_SAMPLES"]) if "PBEM_SAMPLES" in os.environ else None
