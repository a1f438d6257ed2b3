"""What a page on a public site holds for one seat alone, and the links that open it.

Such a page is the public one with a sealed part. All sealed parts have the same size and change
with each entry of the log, so neither their length nor a change tells anything.
"""

from __future__ import annotations

import base64
import json
import os
import re
import zlib
from collections.abc import Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from pbem.core import Seat, Unreadable, Violation
from pbem.desk.file import LOG_SUFFIX, Desk
from pbem.files import languages
from pbem.log import seal
from pbem.log.match import Replay
from pbem.pictures import board, svg
from pbem.pictures.film import Film
from pbem.problem import CannotMake, Usage
from pbem.report import pages, turn
from pbem.sentence import say, spoken

if TYPE_CHECKING:  # a command that only writes pages reads no message
    from pbem.desk.answer import Answer

_LEAST_ROOM: Final = 5_000
"""If an order does not fit in about this many characters, there is none to click together."""


def file_of(log: str, seat: Seat) -> str:
    """What the page of a seat is called, in a site and in links."""
    name = re.sub(r"[/\\:\0]", "-", seat)  # a game from outside may call its seats as it likes
    return f"{os.path.basename(log).removesuffix(LOG_SUFFIX)}-{name}.html"


def public_file(log: str) -> str:
    """What the page for everybody is called."""
    return f"match-{os.path.basename(log).removesuffix(LOG_SUFFIX)}.html"


def base(address: str) -> str:
    """A site's address on the web, ready to begin its links. Raises Usage for what is none."""
    if not re.fullmatch(r"(https?|file)://[\w.:/%~@-]+", address, re.ASCII):
        raise Usage(
            "--link is where the site is to be found, such as https://club.example/matches/, "
            "not {address!r}",
            address=address,
        )
    return address if address.endswith("/") else f"{address}/"


def fragment(match: Replay, seat: Seat) -> str:
    """What opens the page of a seat, `#k=…`; `match` is the match as its moderator knows it."""
    return f"#k={seal.base64url(_link_key(match, seat))}"


def boards(
    base: str, seats: Iterable[tuple[Replay, Seat]], refused: Answer | None = None
) -> Iterator[tuple[str, str]]:
    """Links to the pages of these seats, for those who may see them; if an order was refused, what
    was right of it is entered there already."""
    for match, seat in seats:
        about = {"match": match.name, "seat": seat}
        words = say("Your board in {match} as {seat}; keep this link to yourself", **about)
        more = _again(refused) if refused and refused.seat == seat else ""
        page = f"{base}{quote(file_of(match.log.path, seat))}{fragment(match, seat)}"
        yield words.text(), f"{page}{more}" if len(page + more) <= LONGEST_LINK else page


LONGEST_LINK: Final = 900
"""The longest address that a mail keeps on one line."""
_LONGEST_MOVE: Final = 80


def _again(answer: Answer) -> str:
    """What the address of a page holds of a refused order: the position, the moves before the wrong
    one, the wrong one, and the rule it breaks; of one that is nearly clear, what it is taken
    for."""
    said, before = answer.submission.orders, answer.before
    texts = [before.game.notate(step.move) for step in answer.steps]
    wrong, rule = "", ""
    if answer.proposal and not answer.by_number:
        texts = list(answer.proposal[0])
    elif answer.troubles:
        line, wrong, _ = answer.troubles[0]
        places = [nth for nth, each in enumerate(said) if each == (line, wrong)]
        texts = texts[: places[0]] if places else texts
    elif isinstance(answer.reason, Unreadable):
        wrong = answer.reason.said
    elif answer.reason is not None:
        wrong = "".join(each.text for each in said[len(texts) :][:1])
    else:
        return ""
    if isinstance(answer.reason, Violation):
        rule = answer.reason.rule
    named = {"p": place(before), "m": "\n".join(texts), "r": wrong[:_LONGEST_MOVE], "w": rule}
    return "".join(f"&{name}={quote(text, safe='')}" for name, text in named.items() if text)


def public(base: str, match: Replay) -> tuple[str, str]:
    """The page for everybody, from which each player reaches their own."""
    words = say("The match, to step through; whoever plays opens their own board there")
    return words.text(), f"{base}{quote(public_file(match.log.path))}"


def place(match: Replay) -> str:
    """A position, in the address of a page."""
    return f"{match.position.ply}-{match.position.fingerprint}"


PLAYERS: Final = "players.html"


def rules_file(game: str, language: str) -> str:
    """The file name of the page with a game's rules: in this language, if it is complete for the
    game; else in English."""
    translated = language != languages.ENGLISH and language in languages.complete(game)
    return f"rules-{game}-{language}.html" if translated else f"rules-{game}.html"


def players_file(language: str) -> str:
    """The file name of the page for players in a language; if it has none, of the English one."""
    return f"players-{language}.html" if languages.text(language, "players.md") else PLAYERS


def guides(base: str, match: Replay) -> Iterator[tuple[str, str]]:
    """What somebody who is new to a match may read."""
    yield say("How you play by mail, on one page").text(), f"{base}{players_file(spoken())}"
    words = say("The rules of {title}", title=match.game.TITLE)
    # The site has them in each seat's language; a newcomer's are written before the mail is sent.
    yield words.text(), f"{base}{quote(rules_file(match.game.NAME, spoken()))}"


def rule_broken(base: str, answer: Answer) -> Iterator[tuple[str, str]]:
    """A link to the rule that an order breaks, if it breaks one."""
    if isinstance(answer.reason, Violation):
        rule, before = answer.reason.rule, answer.before
        words = say("The rule {rule}, among the others", rule=rule)
        # In the language of the posts the site is sure to have them.
        own = spoken() in before.log.languages[:1]
        file = rules_file(before.game.NAME, spoken() if own else languages.ENGLISH)
        yield words.text(), f"{base}{quote(file)}#{quote(rule)}"


def _link_key(match: Replay, seat: Seat) -> bytes:
    epoch = match.log.epochs[seat]
    key = match.keyring.opens(seat, epoch)
    assert key is not None, "only the moderator's keys make links"
    return seal.link_key(key, match.name, seat, epoch)


def shut(match: Replay, desk: Desk, seat: Seat, to: str) -> dict[str, Any]:
    """The sealed part of a seat's page, for the page's script, with what is public about it in
    plain. `match` is as its moderator knows it, `to` where orders are sent."""
    epoch, mark, key = match.log.epochs[seat], match.log.public_chain, _link_key(match, seat)
    sealed = seal.seal_page(
        key, _fitted(match, desk, seat, to), match=match.name, seat=seat, epoch=epoch, mark=mark
    )
    return {
        "match": match.name,
        "seat": seat,
        "epoch": epoch,
        "mark": mark,
        "position": str(match.position),
        "known": _known(match),
        "public": public_file(match.log.path),
        "sealed": base64.b64encode(sealed).decode(),
    }


def _known(match: Replay) -> dict[str, list[Any]]:
    """Names of all keys that open a page of this match, once did, or will for whoever takes over a
    seat next, {name: [seat, epoch]}: somebody with the wrong key is told which it is."""
    found: dict[str, list[Any]] = {}
    for seat, last in match.log.epochs.items():
        for epoch in range(last + 2):
            key = match.keyring.opens(seat, epoch)
            assert key is not None
            name = seal.derive(seal.link_key(key, match.name, seat, epoch), "name", 8)
            found[name.hex()] = [seat, epoch]
    return dict(sorted(found.items()))


def _fitted(match: Replay, desk: Desk, seat: Seat, to: str) -> bytes:
    """What the seat sees, compressed, with as much of an order as there is room for. Raises
    CannotMake where not even the board fits: a page of another length would give something away."""
    room = turn.ROOM
    while True:
        text = json.dumps(
            _seen(match, desk, seat, to, room), ensure_ascii=False, separators=(",", ":")
        )
        packed = zlib.compress(text.encode(), 9)
        if seal.fits_page(packed):
            return packed
        if not room:
            raise CannotMake(
                "is too large for a page of one seat, which holds {most} bytes, compressed",
                match.log.path,
                most=seal.PAGE_SIZE,
            )
        room = room // 2 if room > _LEAST_ROOM else 0


def _seen(match: Replay, desk: Desk, seat: Seat, to: str, room: int) -> dict[str, Any]:
    """What the seat sees: the board as it knows it, what it is asked, the turn to be clicked."""
    theirs = match.seen_by(seat)
    # The board is turned as on the public page around it, so that nothing jumps when it is opened;
    # making that page anew for each seat would cost several times as much.
    public = theirs.setup.seats[-1]
    scene, film = partial(pages.scene, theirs, reader=public), Film(pages.called(theirs))
    shown = film.add(scene(theirs.state, last=True))
    before = film.add(scene(board.earlier(theirs).state))
    asked = room and seat in theirs.asked and seat not in theirs.vacant
    order = turn.order(theirs, seat, film, scene, to, room) if asked else None
    if order and _shares_address(desk, seat):
        order = order._replace(fence=order.fence.replace("\n", f"\nseat: {seat}\n", 1))
    return {
        "width": film.width,
        "height": film.height,
        "cels": [cel.drawn for cel in film.cels],
        "says": [cel.says for cel in film.cels],
        "figures": svg.figures([svg.CROSS, *(cel.drawn for cel in film.cels)]),
        "shown": film.places(shown),
        "last": film.marks(before, shown),
        "asked": pages.asked(theirs, seat),
        "order": order
        and {**order.plain(film), "until": pages.until(theirs, seat, desk.zones.get(seat, ""))},
        "signs": desk.policy == "signed",
    }


def _shares_address(desk: Desk, seat: Seat) -> bool:
    """Does somebody play another seat as well, so that an order must say which it is for?"""
    own = set(desk.addresses.get(seat, ()))
    return any(own & set(theirs) for other, theirs in desk.addresses.items() if other != seat)
