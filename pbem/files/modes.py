"""Who may do what with the files and folders that are made here: whatever the umask allows, nobody
else may write any of them. Files that are private are opened as such (`store.opened`)."""

from __future__ import annotations

import os
from typing import Final

OPEN: Final = 0o755
"""Of a folder that others may look into."""
PRIVATE: Final = 0o700
"""Of one that they may not."""
READABLE: Final = 0o644
"""Of a file that they may read."""


def make_folders(folder: str, mode: int) -> None:
    """Make a folder, and those on the way to it, unless they are there. Raises OSError."""
    above = os.path.dirname(os.path.abspath(folder))
    if not os.path.isdir(above):
        make_folders(above, mode)
    try:
        os.mkdir(folder, mode)
    except OSError:
        if not os.path.isdir(folder):
            raise
