"""Skerries keeps every promise of a game: all that a package has to write."""

from pathlib import Path

import skerries

from pbem.testing import casebook, laws

test_the_laws = laws("skerries")
test_the_casebook = casebook(str(Path(skerries.DATA) / "cases.yaml"))
