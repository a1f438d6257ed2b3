"""Mails that a person must look at."""
