"""A folder of matches that people sign up for: who waits for what, and what follows from that."""
