"""What somebody wrote means in a match: intake knows no game, here one is at hand."""
