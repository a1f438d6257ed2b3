"""Pearls keeps every promise of a game: all that a package has to write."""

from pathlib import Path

import pearls

from pbem.testing import casebook, laws

test_the_laws = laws("pearls")
test_the_casebook = casebook(str(Path(pearls.DATA) / "cases.yaml"))
