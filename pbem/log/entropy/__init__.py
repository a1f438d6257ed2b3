"""What goes into the draws besides the secret, so that nobody can choose a card."""
