"""How a match begins: what it is to be like, two files, and the cards that are dealt before anybody
moves."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from pbem.core import Game, Seat, Setup
from pbem.desk import form, seats
from pbem.desk.append import Now, Rehearse, play_chance
from pbem.desk.authorship import POLICIES
from pbem.desk.file import LOG_SUFFIX, Desk, desk_path
from pbem.desk.plans.model import Waiting
from pbem.desk.plans.run import AtWork
from pbem.desk.seats import Player
from pbem.files import languages, store, yamlio
from pbem.log import clock as pace
from pbem.log import seal, sealing
from pbem.log.chance import Dealer, Sealed
from pbem.log.entries import Header
from pbem.log.format import Log
from pbem.log.match import Replay
from pbem.log.private_press import KINDS, PUBLIC
from pbem.log.ruling import LINE, Asks
from pbem.log.timing import SETTINGS
from pbem.play import games, options, patience
from pbem.problem import BadFile, CannotMake, Usage

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}")
_DEVICE = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.IGNORECASE)
"""What Windows takes for a device, whatever stands behind a point: no file can have such a name."""
_TIME = "%Y-%m-%dT%H:%M:%SZ"
_A_WEEK = timedelta(days=7)
_PAGE = re.compile(r"""https?://[^\s\[\]<>"'`]{1,490}""")
_SERVER = re.compile(r"[^\s;]{1,255}")
SEALED, ASKED = "sealed", "asked"

# -------------------------------------------------------- how each of its fields is typed


def _accounts(option: str, given: Iterable[str]) -> dict[Seat, tuple[str, ...]]:
    """The accounts of each seat, which may have several. Raises Usage."""
    found = dict[Seat, tuple[str, ...]]()
    for seat, name in (options.pair(option, text, "white=ana_w") for text in given):
        found[seat] = (*found.get(seat, ()), seats.account(name))
    return found


def _text(option: str, text: Any) -> Any:
    return text


def _table(example: str, read: Callable[[str], Any] = str) -> Callable[[str, Any], Any]:
    return lambda option, given: options.pairs(option, given, example, read)


def _one_of(*known: str) -> Callable[[str, Any], Any]:
    def read(option: str, text: str) -> str:
        if text not in known:
            raise Usage(
                "{option} is {known:any}, not {text!r}", option=option, known=known, text=text
            )
        return text

    return read


def _page(option: str, text: str) -> str:
    if text and not _PAGE.fullmatch(text):
        raise Usage("--page {page!r} is no address like https://example.org/match.html", page=text)
    return text


def _languages(option: str, text: str) -> str | None:
    return ",".join(languages.several(text)) if text else None


def _board(option: str, path: str) -> dict[str, Any]:
    data = yamlio.read(path)
    if not isinstance(data, dict):
        raise BadFile("is no board file: it holds no names and values", path)
    return data


class Term(NamedTuple):
    """How somebody says what a field of Terms is to be: by an option. `read` makes its value of the
    option's name and what was typed, and raises Problem; None: that takes other fields, too."""

    asks: Asks
    read: Callable[[str, Any], Any] | None


def _term(
    usual: Any, typed: str, help: str, read: Callable[[str, Any], Any] | None = _text, **more: Any
) -> Any:
    """A field: what it usually is, how it is `typed`, several times if it is a table, what to say
    of it, and what reads it."""
    option, _, takes = typed.partition(" ")
    asks = Asks(option.removeprefix("--"), takes, help, many=usual == {}, **more)
    about = {"term": Term(asks, read)}
    if asks.many:
        return field(default_factory=dict, metadata=about)
    return field(default=usual, metadata=about)


@dataclass(frozen=True, slots=True)
class Terms:
    """All that is settled of a match before it begins. Who begins one by typing says it in these
    options, or in the settings of its `clock`.

    Without a `name` it gets the first that is free. `options` holds only what is not as usual,
    `board` the data of a board that is not the game's own, `clock` the chosen settings (see
    `clock.settings`); without any it has none. Letters to a seat are in the language it `speaks`.
    With a `position` the match begins from there, and what is unknown in it is drawn.
    """

    game: str
    players: Mapping[Seat, Player] = _term(
        {},
        "--seat SEAT=PLAYER",
        "A player, by a handle, or bot, and their seat, in order of play; else as --like.",
        _table("white=Ana", Player.read),
    )
    ruleset: str | None = _term(None, "--ruleset EDITION", "Which edition.")
    options: Mapping[str, Any] = _term(
        {},
        "--option KEY=VALUE",
        "An option of the game; `pbem games` lists them.",
        _table("variant1=true"),
        letter="o",
    )
    name: str = _term("", "--match NAME", "What to call the match.")
    folder: str = _term(".", "--dir DIR", "Where its files go; made if need be.")
    dealer: str = _term(
        SEALED, "--dealer WHO", "sealed: pbem; asked: you, with real cards.", _one_of(SEALED, ASKED)
    )
    board: Mapping[str, Any] | None = _term(
        None, "--board FILE", "Your own copy's board, where a game has one.", _board
    )
    policy: str = _term(
        "from",
        "--policy PROOF",
        "What a move needs: from, authenticated or signed.",
        _one_of(*POLICIES),
    )
    server: str | None = _term(None, "--server HOST", "authenticated: the mail server to believe.")
    authors: Mapping[Seat, tuple[str, ...]] = _term(
        {}, "--author SEAT=NAME", "A player's account in the forum.", _accounts
    )
    entropy: str | None = _term(
        None,
        "--entropy seats|public:NAME",
        "What goes into every draw besides the secret: words of each player, or a public value "
        "nobody can know yet. Cards are dealt once it is there.",
    )
    until: str | None = _term(
        None, "--until TIME", "--entropy seats: until when hashes may be sent."
    )
    forced: bool = _term(False, "--forced", "Play by itself what everybody sees to be forced.")
    press: str = _term(
        PUBLIC,
        "--press WHO",
        "What players may say: none, public (to all), private (to each other as well), grey (so "
        "that nobody knows who wrote it).",
        _one_of(*KINDS),
    )
    contact: str = _term("", "--contact TEXT", "How players reach you, for the opening post.")
    short: bool = _term(False, "--short", "Posts are short ones, unless you say --whole.")
    page: str = _term("", "--page URL", "Where the match is shown; short posts say so.", _page)
    language: str | None = _term(
        None,
        "--language LANGUAGE",
        "Of the posts, like de; de,en: one below the other.",
        _languages,
    )
    speaks: Mapping[Seat, str] = _term(
        {},
        "--speaks SEAT=LANGUAGE",
        "Of one player's letters and page.",
        _table("white=de", languages.checked),
    )
    position: form.Given | None = _term(
        None,
        "--position FILE",
        "Begin from there: a form of `pbem position`, or what show --format json prints.",
        None,
    )
    clock: Mapping[str, Any] = field(default_factory=dict)
    event: str | None = None

    def but(self, typed: Mapping[str, Any]) -> Terms:
        """The same but for what is typed: the values of options by name, of which those that were
        left out are None, False or empty. Whoever names the players means no accounts and languages
        of others. Raises Problem."""
        changes: dict[str, Any] = {"authors": {}, "speaks": {}} if typed.get("seat") else {}
        changes |= {
            name: read(f"--{asks.name}", words)
            for name, (asks, read) in _TYPED.items()
            if read and ((words := typed.get(asks.name)) or words == "")
        }
        changed = replace(self, **changes, clock={**self.clock, **pace.chosen(typed)})
        path = typed.get("position")
        return changed if path is None else changed.at(path)

    def at(self, path: str) -> Terms:
        """The same from the position in a file; it keeps the edition and the options it was played
        with, if no others are named. Raises Problem."""
        given = form.read(path, self.game, tuple(self.players), self.ruleset)
        chosen = {**given.options, **self.options}
        return replace(self, position=given, ruleset=given.ruleset, options=chosen)

    @staticmethod
    def like(path: str) -> Terms:
        """One like that of the match in a log, with those who play it now: all but where it begins,
        and what was named for it alone. Raises Problem."""
        log, desk = Log.read(path), Desk.read(path)
        header, settings = log.header, log.so_far().timing.settings
        return Terms(
            header.game,
            {seat: Player(name, desk.addresses.get(seat, ())) for seat, name in log.names.items()},
            authors=desk.authors,
            speaks=desk.languages,
            ruleset=header.ruleset,
            options=header.options,
            folder=os.path.dirname(path) or ".",
            dealer=ASKED if header.dealer == ASKED else SEALED,
            board=header.board,
            policy=desk.policy,
            server=desk.server,
            entropy="seats" if (header.entropy or {}).get("from") == "seats" else None,
            forced=bool(header.forced),
            press=header.press or PUBLIC,
            contact=desk.contact,
            short=desk.short,
            language=header.language,
            clock=settings.plain() if settings else {},
        )


_TYPED: Final[Mapping[str, Term]] = {
    each.name: each.metadata["term"] for each in fields(Terms) if each.metadata
}
"""The fields of Terms that are typed each by itself."""
OPTIONS: Final[Mapping[Asks, str]] = {
    asks: usual if isinstance(usual := getattr(Terms(""), name), str) else ""
    for name, (asks, _) in _TYPED.items()
} | dict.fromkeys(SETTINGS, "")
"""All that can be typed of Terms, and the word that it is without, if it is one."""


# ------------------------------------------------------------------------ the match begins


@patience.one_judgement()
def begin(
    terms: Terms, *, secret: bytes, clock: Now, dealer: Dealer | None = None
) -> tuple[Replay, Desk]:
    """A new match in memory, dealt as far as nobody has to choose; nothing is written.

    With `entropy` (see `gathered_from`) it is dealt once what goes into the draws is gathered.

    Raises Problem (code 2) for an unknown game, ruleset, option, seat, or an unusable name, and for
    what does not go together.
    """
    game = games.game(terms.game)
    name = terms.name or unused_name(game.NAME, terms.folder)
    _require_usable(name)
    _require_fitting(terms)
    setup = options.setup(game, tuple(terms.players), terms.ruleset, terms.options, terms.board)
    header = _header(terms, name, game, setup, clock(), seal.commit(secret))
    path = os.path.join(terms.folder, name + LOG_SUFFIX)
    desk = Desk(
        desk_path(path),
        name,
        secret,
        terms.policy,
        terms.server,
        {seat: player.addresses for seat, player in terms.players.items()},
        terms.authors,
        contact=terms.contact,
        short=terms.short,
        page=terms.page,
        languages=terms.speaks,
    )
    if terms.position is not None:
        view, drawn = terms.position.begun(game, setup, dealer or Sealed(secret, name))
        if drawn and (terms.entropy or terms.dealer == ASKED):
            raise Usage(
                "with {option} every card of the position must be named: none is drawn for it",
                option="--entropy" if terms.entropy else "--dealer asked",
            )
        shut = sealing.position_written(header, game, desk.keyring, view)
        header = header._replace(position={"view": shut, **({"drawn": drawn} if drawn else {})})
    empty = Replay.of(Log.parse(header.text(), path), desk.keyring)
    dealt = play_chance(empty, desk, clock, dealer)
    at_work = AtWork(dealt, Waiting(dealt.log.chain), desk, clock)
    at_work.play_waiting()
    return at_work.match, desk


def _require_usable(name: str) -> None:
    """Raise Usage for what no match can be called."""
    if not _NAME.fullmatch(name):
        raise Usage("a match cannot be called {name!r}: letters, digits, - _ . only", name=name)
    if _DEVICE.fullmatch(name):
        raise Usage(
            "a match cannot be called {name!r}: on Windows that is a device, not a file", name=name
        )


def require_server(server: str | None, policy: str) -> None:
    """Raise Usage for a server that this policy does not ask, or that is none."""
    if server is not None and (policy != "authenticated" or not _SERVER.fullmatch(server)):
        raise Usage(
            "--server names the mail server to believe, in a match whose --policy is "
            "authenticated; write it like mx.example.org"
        )


def _require_fitting(of: Terms) -> None:
    """Raise Usage for what does not go together."""
    require_server(of.server, of.policy)
    for option, about in (("--author", of.authors), ("--speaks", of.speaks)):
        for seat in about:
            if seat not in of.players:
                raise Usage(
                    "{option} {seat:seat}: there is no such seat, only {players:all}",
                    option=option,
                    seat=seat,
                    players=of.players,
                )
    if of.entropy is not None and of.dealer != SEALED:
        raise Usage(
            "--entropy goes into the draws made here; with --dealer {dealer} there are none",
            dealer=of.dealer,
        )
    if of.until is not None and of.entropy != "seats":
        raise Usage("--until says how long --entropy seats waits for each player's words")


def _header(
    of: Terms, name: str, game: Game[Any], setup: Setup, created: str, commit: str
) -> Header:
    """What stands above the entries, but for the position. Raises Usage."""
    brought = games.brings(of.game)
    return Header(
        match=name,
        game=game.NAME,
        ruleset=setup.ruleset,
        options={option: setup.options[option] for option in of.options},
        seats={seat: player.name for seat, player in of.players.items()},
        dealer=of.dealer,
        created=created,
        commit=commit,
        board=of.board,
        entropy=None if of.entropy is None else gathered_from(of.entropy, created, of.until),
        clock=pace.settings(game, of.clock) if of.clock else None,
        forced="public" if of.forced else None,
        press=None if of.press == PUBLIC else of.press,
        package=brought.get("package"),
        version=brought.get("version"),
        language=of.language,
        event=of.event,
    )


def gathered_from(entropy: str, created: str, until: str | None = None) -> dict[str, str]:
    """What the header says about words for the draws. With `seats`, promises are awaited `until` a
    time (by default for a week), and then the words for as long again; with `public:NAME`, a value
    that will be published is awaited. Raises Usage."""
    kind, _, value = entropy.partition(":")
    if kind == "public" and LINE.accepts(value.strip()):
        return {"from": "public", "value": value.strip()}
    if entropy != "seats":
        raise Usage(
            "--entropy is seats, or public: and the name of a value nobody can know yet, like "
            "'public:Lotto 6 aus 49 of Sat 28 Nov 2026', not {entropy!r}",
            entropy=entropy,
        )
    start = _time(created)
    end = start + _A_WEEK if until is None else _time(until)
    if end <= start:
        raise Usage("--until {until} is past", until=until)
    last = pace.written(end + (end - start))
    return {"from": "seats", "promises": pace.written(end), "words": last}


def _time(said: str) -> datetime:
    try:
        return datetime.strptime(said, _TIME)
    except ValueError:
        raise Usage(
            "--until {said!r} is no time; write it in UTC like {example}",
            said=said,
            example="2026-11-28T20:00:00Z",
        ) from None


def write(opened: Replay, desk: Desk, rehearse: Rehearse | None = None) -> None:
    """Write the two files, after rehearsing what will be told of the opening. Raises Problem (code
    73) if one of them exists already."""
    if rehearse:
        rehearse(opened, 0)
    with store.lock(opened.log.path, new=True):  # or two could begin one match
        for path in (opened.log.path, desk.path):
            if os.path.exists(path):
                raise CannotMake("is there already; choose another --match or --dir", path)
        # The private file first: a log without it could never go on.
        store.replace(desk.path, desk.text().encode(), 0o600)
        store.replace(opened.log.path, opened.log.text.encode())


def unused_name(game: str, folder: str) -> str:
    """`kahuna-1`, or the same with the first number that has no log yet."""
    number = 1
    while os.path.exists(os.path.join(folder, f"{game}-{number}{LOG_SUFFIX}")):
        number += 1
    return f"{game}-{number}"
