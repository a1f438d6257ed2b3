"""Mails go out: as bytes, into a folder, through a server."""
