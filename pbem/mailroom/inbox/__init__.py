"""Mails come in: where they lie, what stands outside their text, and each taken apart."""
