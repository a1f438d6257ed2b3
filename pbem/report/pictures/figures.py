"""What a figure looks like: drawn once, upright or heading right, with its label at 0, 0."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

FIGURES: Final[Mapping[str, str]] = {
    "boat": '<path d="M-21-9H-3V-29Q14-23 14-12H2V-9H21Q18 12 10 12H-10Q-18 12-21-9Z"/>',
    "chart": '<path stroke="none" fill="currentColor" d="M-34-25H34V23H-34Z"/>'
    '<path fill="none" stroke-width="4.4" stroke-linecap="round" d="M-29-20h0M-2-22h0'
    'M29-20h0M-17-9h0M-3-6h0M11-11h0M22-2h0M-28 6h0M-7 8h0M9 4h0M29 15h0M-3 22h0"/>',
    "cross": '<path fill="none" stroke-linecap="round" d="M-10-10L10 10M10-10L-10 10"/>',
    "dolphin": '<path d="M-18 7C-16-6-7-12 2-11L7-16 9-8C14-6 17-2 19 3 13 2 11 3 9 4L7 9 4 5'
    'C-2 4-9 5-12 8L-11 14-16 11-23 12Z"/>',
    "fish": '<path d="M24 0C16-19-9-20-18-5L-28-13Q-24 0-28 13L-18 5C-9 20 16 19 24 0Z"/>',
    "hand": '<path d="M-4 12C-9 10-11 3-12-1-12-4-9-5-7-2L-6 0-8-9C-8-12-5-12-4-10L-2-3-2-13'
    'C-2-16 2-16 2-13L2-3 5-11C6-13 9-12 8-9L6 1 9-3C11-5 14-3 12 0 9 5 8 12 2 13Z"/>',
    "isle": '<path d="M38 6C36 30 22 50 2 52-20 54-36 34-40 8-44-20-26-48-4-52 20-54 42-26 38 6'
    'Z"/>',
    "palms": '<path d="M-9 2Q-7-6-8-12Q-13-14-17-9Q-15-17-8-15Q-6-20 1-18Q-4-16-6-13Q0-13 2-7Q-3-11'
    "-6-11Q-5-4-7 2ZM7 2Q9-3 8-8Q4-9 1-5Q2-12 8-11Q10-15 16-13Q12-12 10-9Q15-9 17-4Q12-8 10-7"
    'Q11-2 9 2Z"/>',
    "pawn": '<path d="M-17 13C-17-4-11-9-6-12A11 11 0 1 1 6-12C11-9 17-4 17 13Z"/>',
    "peaks": '<path d="M-19 2L-9-13L-4-7L4-17L19 2Z"/><path fill="#fff" fill-opacity=".5" '
    'd="M-9-13L-5-8-8-6-10-8-13-7ZM4-17L9-11 6-8 4-11 0-9-1-11Z"/>',
    "shield": '<path d="M0-19L17-14V0Q16 14 0 20Q-16 14-17 0V-14Z"/>',
    "volcano": '<path d="M-27 18L-10-12Q0-7 10-12L27 18Z"/>'
    '<path fill="currentColor" d="M-10-12Q-7-26 0-17 5-29 10-12L6 2 2-5-2 6-5-5Z"/>',
    "wave": '<path d="M-13 3Q-8-7-4 1T4 1Q8-7 13 3" fill="none"/>',
}
"""By name. A shape of the form `figure` names its figure in the first word of its look, a card in
any."""
