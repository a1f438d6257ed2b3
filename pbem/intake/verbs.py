"""The verbs: what a line of a message can ask of the desk besides moves, a row for each.

A row says everything about its verb but its words, which stand under its name in
`words/requests.txt` (those about plans in `words/plans.txt`), and what it does, which
`mailroom.requests` binds to its name. How lines are read by these rows is in `asking`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Final, Literal, NamedTuple

from pbem.sentence import Sentence, say

HELP: Final = "help"
BOARD: Final = "board"
STATUS: Final = "status"
RULES: Final = "rules"
TAKEBACK: Final = "takeback"
AWAY: Final = "away"
BACK: Final = "back"
MAILS: Final = "mails"
RESIGN: Final = "resign"
SAY: Final = "say"
LETTER: Final = "letter"
MODERATOR: Final = "moderator"
WITHDRAW: Final = "withdraw"
PLANS: Final = "plans"
YES: Final = "yes"
NO: Final = "no"


def _asks(pattern: str, /) -> Callable[[str], Sentence]:
    return lambda seat: say(pattern, seat=seat)


_SOMETHING: Final = _asks("{seat:seat} asks for what the desk gives by mail")


class Verb(NamedTuple):
    """A verb.

    form     how its line is written: the verb `alone`, or `placed`, maybe with the position it is
             about, as it undoes something (of it and an order beside it one cannot be meant);
             with a `colon` and text, or `named`, with whom that is for, too; `dated` (see
             `absence`), a `setting` (see `settings`), about `plans` (see `plan`), or as an
             `answer`, to a question of the desk alone
    goes     where it goes: back to its `reader`, as it shows something, or sets how it is shown;
             into the log, for other `players`; into the `log`, on its writer's word; to a
             `person`, the moderator, who decides; with the `orders` of its message
    matches  what it is for if its message names no match and its writer plays in several: each of
             them, none in particular, or one that must be named
    help     its line in the help of letters; None if it is told elsewhere
    press    the kinds of press with which it may be used; () for any
    asks     what the moderator is told that a seat wants, on a terminal
    grants   what the moderator types for it after `pbem`, with names of values in braces:
             `mailroom.granting` has these. "" if all that can be done is to answer
    prose    the field of `words/requests.txt` with the words of those who ask for it in prose
    told     what these are told
    subject  of an answer to it that is about no match
    """

    form: Literal["alone", "placed", "colon", "named", "dated", "setting", "plans", "answer"]
    goes: Literal["reader", "players", "log", "person", "orders"]
    matches: Literal["each", "none", "one"]
    help: Sentence | None = None
    press: tuple[str, ...] = ()
    asks: Callable[[str], Sentence] = _SOMETHING
    grants: str = ""
    prose: str = ""
    told: Sentence | None = None
    subject: Sentence | None = None

    @property
    def is_press(self) -> bool:
        """Does it speak to other players?"""
        return self.goes == "players"

    @property
    def leaves_open(self) -> bool:
        """May whoever uses it still mean the order they were asked about?"""
        return self.goes in ("reader", "players")

    @property
    def undoes(self) -> bool:
        """Does it undo something, so that it contradicts an order beside it?"""
        return self.form == "placed"


VERBS: Final[Mapping[str, Verb]] = {
    HELP: Verb(
        *("alone", "reader", "none"),
        help=say("help"),
        asks=_asks("{seat:seat} asks how to write a move; the letter tells it"),
        grants="letter {log} --seat {seat}",
        prose="asking",
        told=say("A mail with the one word help brings how moves are written."),
    ),
    BOARD: Verb(
        *("alone", "reader", "each"),
        help=say("board (your letter again)"),
        asks=_asks("{seat:seat} asks for the letter again"),
        grants="letter {log} --seat {seat}",
        prose="showing",
    ),
    STATUS: Verb(
        *("alone", "reader", "none"),
        help=say("status (all your matches)"),
        asks=_asks("{seat:seat} asks how the match stands"),
        grants="post {log} --whole",
        subject=say("Your matches"),
    ),
    RULES: Verb(
        *("colon", "reader", "none"),
        help=say("rules: … (an id, or words)"),
        asks=_asks("{seat:seat} asks for a rule"),
        grants="rules {game} {text}",
        told=say(
            "The rules come with the game. A mail with a line like `rules: end` brings those that "
            "speak of a thing, and where they are printed; a rule's id there, that rule."
        ),
    ),
    TAKEBACK: Verb(
        *("placed", "person", "one"),
        help=say("takeback to #9"),
        asks=_asks("{seat:seat} asks to take back a move"),
        grants="rule {log} takeback --to {to} {revealed} --reason {reason}",
        prose="undoing",
        told=say(
            "What was played stands unless they take it back. The one word takeback asks for "
            "that, too."
        ),
    ),
    AWAY: Verb(
        *("dated", "log", "each"),
        help=say("away until 5 Jan"),
        asks=_asks("{seat:seat} is away"),
        grants="rule {log} away --seat {seat} --from {first} --to {last}",
        prose="going",
        told=say(
            "If you'll be away, send a line like `away until 5 Jan`, or `away 2026-12-20 to "
            "2027-01-05`: these days don't count for you."
        ),
    ),
    BACK: Verb(
        *("dated", "log", "each"),
        help=say("back"),
        asks=_asks("{seat:seat} is back"),
        grants="rule {log} back --seat {seat} --from {first}",
    ),
    MAILS: Verb(
        *("setting", "reader", "none"),
        help=say("mails daily 18:00 (or each, or once)"),
        asks=_asks("{seat:seat} sets how they want to be written to"),
        grants="seat {log} --seat {seat} {setting}",
        prose="leaving",
        told=say(
            "You get mails because you play in this match. To leave it, send a mail with the one "
            "word resign; you'll be asked once more. For fewer mails, send the line `mails daily "
            "18:00`, or `mails once`."
        ),
        subject=say("How you are written to"),
    ),
    RESIGN: Verb(
        *("placed", "log", "one"),
        help=say("resign"),
        asks=_asks("{seat:seat} wants to resign"),
        grants="rule {log} resign --seat {seat} --reason {reason}",
        prose="resigning",
        told=say(
            "You're still in the match. To give it up, send a mail with the one word resign; "
            "you'll be asked once more."
        ),
    ),
    SAY: Verb(
        *("colon", "players", "one"),
        help=say("say: … (to all)"),
        press=("public", "private", "grey"),
        told=say("To say it to the other players, put say: in front of it."),
    ),
    LETTER: Verb(
        *("named", "players", "one"),
        help=say("to NAME: … (a letter to one player)"),
        press=("private", "grey"),
    ),
    MODERATOR: Verb(
        *("colon", "person", "one"),
        help=say("to moderator: …"),
        asks=_asks("{seat:seat} writes to you"),
    ),
    WITHDRAW: Verb("plans", "orders", "one", help=say("withdraw (take back what waits)")),
    PLANS: Verb("plans", "orders", "one"),
    YES: Verb("answer", "orders", "one"),
    NO: Verb("answer", "orders", "one"),
}
"""All of them, in the order of the help."""


@cache  # each line asks it
def of_form(*forms: str) -> tuple[str, ...]:
    """The verbs that are written like this."""
    return tuple(verb for verb, row in VERBS.items() if row.form in forms)
