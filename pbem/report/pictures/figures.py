"""What a figure looks like: drawn once, upright or heading right, with its label at 0, 0."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

FIGURES: Final[Mapping[str, str]] = {
    "boat": '<path d="M-21-9H-3V-29Q14-23 14-12H2V-9H21Q18 12 10 12H-10Q-18 12-21-9Z"/>',
    "dolphin": '<path d="M-18 7C-16-6-7-12 2-11L7-16 9-8C14-6 17-2 19 3 13 2 11 3 9 4L7 9 4 5'
    'C-2 4-9 5-12 8L-11 14-16 11-23 12Z"/>',
    "fish": '<path d="M24 0C16-19-9-20-18-5L-28-13Q-24 0-28 13L-18 5C-9 20 16 19 24 0Z"/>',
    "isle": '<path d="M38 6C36 30 22 50 2 52-20 54-36 34-40 8-44-20-26-48-4-52 20-54 42-26 38 6'
    'Z"/>',
    "pawn": '<path d="M-17 13C-17-4-11-9-6-12A11 11 0 1 1 6-12C11-9 17-4 17 13Z"/>',
    "shield": '<path d="M0-19L17-14V0Q16 14 0 20Q-16 14-17 0V-14Z"/>',
    "volcano": '<path d="M-27 18L-10-12Q0-7 10-12L27 18Z"/>'
    '<path fill="#ff7a1a" d="M-10-12Q-7-26 0-17 5-29 10-12L6 2 2-5-2 6-5-5Z"/>',
    "wave": '<path d="M-13 3Q-8-7-4 1T4 1Q8-7 13 3" fill="none"/>',
}
"""By name. A shape of the form `figure` names its figure in the first word of its look."""
