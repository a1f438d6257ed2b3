"""How long the worst messages take to be read: crafted ones, at the limits of what is read.

    python benchmarks/reading.py

Prints a line for each; the last says whether all of them took less than a second.
"""

from __future__ import annotations

import sys
import time

from pbem import intake
from pbem.intake.submission import MOST_LINES
from pbem.intake.text import MOST
from pbem.problem import Problem

HEAD = b"From: a@example.org\nContent-Type: text/%s; charset=utf-8\n\n"
LIMIT = 1.0


def filled(piece: str, size: int = MOST - 1000) -> bytes:
    """The piece, again and again."""
    data = piece.encode()
    return data * (size // len(data))


def lines(line: str) -> bytes:
    """As many lines as are read."""
    return f"{line}\n".encode() * (min(MOST_LINES, MOST // (len(line) + 1)) - 10)


TEXTS = {
    "an argument without end": filled("[b="),
    "quotes without end": filled("[quote="),
    "quotes in quotation marks": filled('[quote="a'),
    "long quotes in quotation marks": filled('[quote="' + "[quote=" * 15 + '"'),
    "quotation marks": b"[quote" + filled('=""'),
    "angle brackets": filled("<s "),
    "struck out": filled("[s]"),
    "struck out and not": filled("[s]a[/s]"),
    "tildes": filled("~~a"),
    "comments": filled("<!---->"),
    "open comments": filled("<!--"),
    "dashes": filled("-"),
    "lines of dashes": lines("-" * 90),
    "dashes and words": lines("- " * 40 + "message"),
    "labels": lines("From: a"),
    "labels of no language": lines("Abc: a@example.org"),
    "dates": lines("On Mon, Apr 2, 2026, a@example.org"),
    "verbs": lines("Ana wrote:"),
    "greetings": lines("Hello everyone and good morning to all of you"),
    "notices": lines("one two three four five six seven eight nine ten eleven twelve thirteen"),
    "words": lines("a " * 50),
    "rulers": lines("____"),
    "empty lines": lines(""),
    "quoted lines": lines("> a"),
    "deep quotes": lines(">" * 100),
    "bars": lines("| a"),
    "brackets of fences": filled("[move]"),
    "square brackets": filled("["),
    "one long line": filled("a"),
    "one line of blanks": filled(" "),
    "numbers": filled("1.1.1 "),
    "addresses": lines("a.b@" * 25),
    "semicolons": filled(";a"),
    "positions": filled("#1 "),
}
PAGES = {
    "tags": filled("<p>", 140_000),
    "too many tags": filled("<p>"),
    "open tags": filled("<div class="),
    "classes": filled('<div class="' + 'class="' * 100 + ">"),
    "styles": filled("<div style=border-left:" + "a" * 900 + ">"),
    "struck out": filled("<s>a", 190_000),
    "brackets": filled("<"),
    "entities": filled("&#1;"),
    "comments": filled("<!--"),
    "remarks": filled("<style>/*", 1_000_000),
    "rules": filled("<style>a{b:c}"),
    "selectors": filled("<style>" + "a" * 5000 + ",", 1_900_000),
    "colours": filled("<b style=color:#fff>a", 900_000),
    "many colours": "".join(f"<b style=color:#{n:06x}>a" for n in range(45_000)).encode(),
    "unquoted": filled('<p a="b ', 900_000),
    "nested": filled("<div><b>", 350_000),
    "quoted brackets": filled('<p a="b > c">', 600_000),
    "quotes within": filled('<p a="b" c="', 600_000),
}
BOTH = (
    b"From: a@example.org\nContent-Type: multipart/alternative; boundary=b\n\n--b\n\n%s\n"
    b"--b\nContent-Type: text/html\n\n%s\n--b--\n"
)
VERSIONS = {
    "words in one alone": BOTH
    % (filled("a b ", 1_000_000), filled("<p>not if a b c d e f</p>", 900_000)),
    "words in both": BOTH % (lines("not if a")[:17_000], filled("<p>not if a</p>", 30_000)),
    "addresses in both": BOTH % (filled("a", 1_000_000), b"<p>not " + filled("a", 900_000)),
}


def main() -> None:
    slowest = 0.0
    for kind, table in (("post", TEXTS), ("mail", TEXTS), ("html", PAGES), ("both", VERSIONS)):
        for name, body in table.items():
            head = {"post": b"", "both": b"", "mail": HEAD % b"plain", "html": HEAD % b"html"}[kind]
            start = time.process_time()
            try:
                said = intake.read(head + body, "x", "text" if kind == "post" else "mail")
                came = f"{len(said.orders)} orders"
            except Problem as problem:
                came = problem.message[:60]
            took = time.process_time() - start
            slowest = max(slowest, took)
            print(f"{kind}  {name:32} {len(body):9,} bytes  {took:6.3f} s  {came}")
    print(f"slowest: {slowest:.3f} s; {'within' if slowest <= LIMIT else 'beyond'} {LIMIT} s")
    sys.exit(slowest > LIMIT)


if __name__ == "__main__":
    main()
