"""Orders in own words, which no game reads: what they may mean."""
