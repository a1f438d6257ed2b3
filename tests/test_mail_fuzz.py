"""Mutated mails through a Maildir, answers through an SMTP server, the desk in between as a
process; `python tests/mailfuzz.py` does the same for half an hour, CI for a thousand mails."""

from __future__ import annotations

from pathlib import Path

import pytest
from long import many

pytestmark = pytest.mark.posix


def test_every_mail_is_handled_and_every_answer_reads_as_it_was_meant(tmp_path: Path) -> None:
    pytest.importorskip("aiosmtpd", reason="aiosmtpd is not installed")
    from mailfuzz import batch, served

    with served() as (server, url):
        verdicts = batch(tmp_path, 1, many(150, 300), server, url)
    assert len(verdicts) >= 5
