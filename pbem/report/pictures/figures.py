"""What a figure looks like: drawn once, upright or heading right, with its label at 0, 0."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

FIGURES: Final[Mapping[str, str]] = {
    "boat": '<path d="M-26-9H-3V-38Q19-29 19-13H3V-9H26Q21 14 12 14H-12Q-21 14-26-9Z"/>',
    "dolphin": '<path d="M-22 9C-20-8-9-15 3-13L9-19 11-10C17-7 21-3 23 3 17 2 14 3 11 5L9 11 5 6'
    'C-3 5-11 6-15 10L-13 17-20 13-28 14Z"/>',
    "fish": '<path d="M24 0C16-19-9-20-18-5L-28-13Q-24 0-28 13L-18 5C-9 20 16 19 24 0Z"/>',
    "pawn": '<path d="M-17 13C-17-4-11-9-6-12A11 11 0 1 1 6-12C11-9 17-4 17 13Z"/>',
    "shield": '<path d="M0-19L17-14V0Q16 14 0 20Q-16 14-17 0V-14Z"/>',
    "volcano": '<path d="M-36 24L-13-16Q0-10 13-16L36 24Z"/>'
    '<path class="lava" d="M-13-16Q-9-34 0-22 7-38 13-16L8 2 3-6-3 8-7-5Z"/>',
    "wave": '<path d="M-20 3Q-13-9-7 1T7 1Q13-9 20 3" fill="none"/>',
}
"""By name. A shape of the form `figure` names its figure in the first word of its look."""
