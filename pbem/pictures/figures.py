"""What a figure looks like: drawn once, upright or heading right, with its label at 0, 0."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

ISLANDS: Final = {
    **{"aloa": (-29, -20), "bari": (-2, -22), "coco": (29, -20), "duda": (-17, -9)},
    **{"elai": (-3, -6), "faaa": (11, -11), "gola": (22, -2), "huna": (-28, 6)},
    **{"iffi": (-7, 8), "jojo": (9, 4), "kahu": (29, 15), "lale": (-3, 21)},
}
"""The islands of Kahuna on a card."""


def _dot(at: tuple[int, int]) -> str:
    return f"M{at[0]} {at[1]}h0"


FIGURES: Final[Mapping[str, str]] = {
    "boat": '<path d="M-21-9H-3V-29Q14-23 14-12H2V-9H21Q18 12 10 12H-10Q-18 12-21-9Z"/>',
    "chart": '<path stroke="none" fill="currentColor" d="M-34-25H34V23H-34Z"/><path fill="none" '
    'stroke="#fff" stroke-opacity=".6" '
    f'stroke-width="4.4" stroke-linecap="round" d="{"".join(map(_dot, ISLANDS.values()))}"/>',
    "cross": '<g fill="none" stroke-linecap="round"><path stroke-width="10" '
    'd="M-10-10L10 10M10-10L-10 10"/><path stroke="currentColor" stroke-width="5" '
    'd="M-10-10L10 10M10-10L-10 10"/></g>',
    "crown": '<path d="M-12 8L-14-7-6-1 0-10 6-1 14-7 12 8Z"/>',
    "dolphin": '<path d="M-18 7C-16-6-7-12 2-11L7-16 9-8C14-6 17-2 19 3 13 2 11 3 9 4L7 9 4 5C-2 '
    '4-9 5-12 8L-11 14-16 11-23 12Z"/>',
    "drop": '<path fill="currentColor" stroke="none" d="M0-15C5.5-7 10-1 10 5A10 10 0 0 1-10 '
    '5C-10-1-5.5-7 0-15Z"/>',
    "fish": '<path d="M20 0C13-15-7-16-15-3L-22-11Q-19 0-22 11L-15 3C-7 16 13 15 20 0Z"/>',
    "flame": '<path fill="currentColor" stroke="none" d="M0 11C-6 11-8 6-7 '
    "2-6-1-4-2-4-6-2-5-1-3-1-1 2-3 3-7 1-11 6-8 8-3 8 2 8 7 "
    '5 11 0 11Z"/>',
    "hand": '<path fill="currentColor" stroke="none" d="M-4 12C-9 10-11 3-12-1-12-4-9-5-7-2L-6 '
    "0-8-9C-8-12-5-12-4-10L-2-3-2-13C-2-16 2-16 2-13L2-3 5-11C6-13 9-12 8-9L6 1 9-3C11-5 14-3 12 "
    '0 9 5 8 12 2 13Z"/>',
    "isle": '<path d="M38 6C36 30 22 50 2 52-20 54-36 34-40 8-44-20-26-48-4-52 20-54 42-26 38 '
    '6Z"/>',
    "leaf": '<path fill="currentColor" stroke="none" d="M13-14C0-14-11-8-11 4-11 7-10 8-9 9L-13 '
    '14-10 15-7 11C6 13 13 0 13-14Z"/>',
    "grove": '<path fill="url(#light)" stroke="none" d="M46-17.1q11.8 17.1-0.6 33.6t-28.9 '
    '20.6t-34.8 1.8t-27.1-20.6t0.6-36t27.1-20.6t34.8 0.6t28.9 20.6z"/><path '
    'fill="currentColor" stroke="none" d="M8-18Q11-28 10-37Q3-40-2-33Q0-43 10-41Q13-47 '
    "21-44Q14-41 13-38Q20-38 23-30Q16-36 13-36Q13-27 11-18ZM29-18Q32-25 30-31Q26-33 "
    '21-27Q23-37 30-36Q33-41 40-38Q36-37 33-33Q40-33 42-27Q36-31 33-30Q34-24 32-18Z"/>',
    "meadow": '<path fill="url(#light)" stroke="none" d="M46-17.1q11.8 17.1-0.6 33.6t-28.9 '
    '20.6t-34.8 1.8t-27.1-20.6t0.6-36t27.1-20.6t34.8 0.6t28.9 20.6z"/><path '
    'fill="currentColor" stroke="none" d="M-5-18L8-38L14-30L26-43L45-18Z"/><path '
    'fill="#fff" fill-opacity=".5" stroke="none" d="M8-38L14-31 10-28 7-31 '
    '3-30ZM26-43L32-36 27-31 26-36 20-33 19-36Z"/>',
    "octopus": '<path fill="currentColor" stroke="none" d="M-7 0C-10-13 10-13 7 0 8 3 12 4 12 8 '
    "9 9 6 7 4 4 5 8 3 11 0 11-3 11-5 "
    '8-4 4-6 7-9 9-12 8-12 4-8 3-7 0Z"/>',
    "palms": '<path d="M-8 2Q-6-5-7-11Q-12-13-15-8Q-14-15-7-14Q-5-18 1-16Q-4-14-5-12Q0-12 '
    "2-6Q-3-10-5-10Q-5-4-6 2ZM6 2Q8-3 7-7Q4-8 1-4Q2-11 7-10Q9-14 14-12Q11-11 9-8Q14-8 "
    '15-4Q11-7 9-6Q10-2 8 2Z"/>',
    "pawn": '<path d="M-17 17C-17 0-11-5-6-8A11 11 0 1 1 6-8C11-5 17 0 17 17Z"/>',
    "peaks": '<path d="M-17 2L-8-12L-4-6L4-15L17 2Z"/><path fill="#fff" fill-opacity=".5" '
    'd="M-8-12L-4-7-7-5-9-7-12-6ZM4-15L8-10 5-7 4-10 0-8-1-10Z"/>',
    "shell": '<path fill="currentColor" stroke="none" d="M-3 '
    '14L-14-3C-13-8-10-11-8-13L-3-14H3L8-13C10-11 13-8 14-3L3 14Z"/>',
    "shield": '<path d="M0-19L17-14V0Q16 14 0 20Q-16 14-17 0V-14Z"/>',
    "slip": '<path d="M8 0H38Q46 0 46 8V60Q46 68 38 68H8Q0 68 0 60V8Q0 0 8 0Z"/>',
    "spear": '<path fill="currentColor" stroke="none" d="M8.5-11C9-6 7-2 '
    '3.5-1L-7 10.5-9 8.5 1-2.5C1.5-6 4-9.5 8.5-11Z"/>',
    "spot": '<g stroke="none"><circle fill="#fff" r="7.5"/><circle fill="#222" r="3.5"/></g>',
    "sprout": '<path fill="currentColor" stroke="none" d="M-1 11C-1 6-1 3-2 1-7 '
    "1-9-2-9-8-4-8-1-6 0-1 1-7 4-10 9-10 9-4 7 0 2 1 1 "
    '4 1 7 1 11Z"/>',
    "star": '<path fill="currentColor" stroke="none" d="M0-14L4-4 14-4 6 2 9 13 0 7-9 13-6 '
    '2-14-4-4-4Z"/>',
    "steps": '<path d="M-16 16V-5H-11V-11H-6V-17H6V-11H11V-5H16V16Z"/>',
    "sun": '<path fill="currentColor" stroke="none" d="M0-5A5 5 0 1 1 0 5 5 5 0 1 '
    "1 0-5ZM-1-11H1L1.5-7H-1.5ZM-1 11H1L1.5 "
    "7H-1.5ZM-11-1V1L-7 1.5V-1.5ZM11-1V1L7 1.5V-1.5ZM-8.5-7-7-8.5-4-5.5-5.5-4ZM8.5-7 7-8.5 4-5.5 "
    '5.5-4ZM-8.5 7-7 8.5-4 5.5-5.5 4ZM8.5 7 7 8.5 4 5.5 5.5 4Z"/>',
    "tile": '<path d="M8 0H42Q50 0 50 8V46Q50 54 42 54H8Q0 54 0 46V8Q0 0 8 0Z"/>',
    "trident": '<path fill="currentColor" stroke="none" d="M-1.5 11V2.5C-6 '
    "2-8.5-1-8.5-5V-9L-6-10.5V-5C-6-2.5-4-1-1.5-.5V-9L0-11.5 "
    '1.5-9V-.5C4-1 6-2.5 6-5V-10.5L8.5-9V-5C8.5-1 6 2 1.5 2.5V11Z"/>',
    "volcano": '<path d="M-27 18L-10-12Q0-7 10-12L27 18Z"/><path fill="currentColor" '
    'd="M-10-12Q-7-26 0-17 5-29 10-12L6 2 2-5-2 6-5-5Z"/>',
    **{
        island: f'<use href="#chart"/><use href="#spot" x="{x}" y="{y}"/>'
        for island, (x, y) in ISLANDS.items()
    },
    "wave": '<path d="M-13 3Q-8-7-4 1T4 1Q8-7 13 3" fill="none"/>',
}
"""By name. A shape of the form `figure` names its figure in the first word of its look; on other
forms lie the figures that their look names."""
PLATES: Final = ("tile", "slip")
"""Boxes of one size that are used often: their look begins with the name."""
