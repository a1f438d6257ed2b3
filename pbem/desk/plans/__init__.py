"""What waits until it can be played: read, held, compared with what happens, and played."""
