"""For authors of games: what the house's own games are held to, for any game.

* `check(NAME)`: everything that is wrong with a game, as a list of findings
* `laws(NAME)`: the same as pytest cases, and over more matches
* `casebook(PATH)`: a `cases.yaml` as pytest cases
* `play_out(NAME, seed)`: a random match, to look at

docs/new-game.md shows them at work. Only the second and third import pytest.
"""

from pbem.testing.checking import check
from pbem.testing.findings import Finding
from pbem.testing.pytested import casebook, laws
from pbem.testing.random_matches import Played, Variant, play_out, variants

__all__ = ["Finding", "Played", "Variant", "casebook", "check", "laws", "play_out", "variants"]
