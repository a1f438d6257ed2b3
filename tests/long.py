"""How long a run of the tests may take: `PBEM_LONG=1` looks at all the random matches."""

from __future__ import annotations

import os

LONG = bool(os.environ.get("PBEM_LONG"))


def many(usual: int, long: int) -> int:
    """So many random matches, mails or examples; more of them in a long run."""
    return long if LONG else usual
