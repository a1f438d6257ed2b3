"""Seats at which a bot sits: how they are called in a log, and what it plays there.

A bot is called `bot/2 200`: which way of thinking (`pbem.play.bot`), and for how many playouts. Its
luck comes from the secret of the match, so that anybody can compute its moves again once that is
revealed. It is described in docs/sealing-and-drawing.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from pbem.core import Seat
from pbem.log import sealing
from pbem.log.format import Log
from pbem.log.match import Replay
from pbem.log.seal import Keyring, derive
from pbem.play import judge as play
from pbem.play.judge import Step
from pbem.play.unknown import PLAYOUTS, WAY
from pbem.problem import Denied, Problem, Usage

_TYPED = r"bot(?:/([12]))?(?: ([1-9][0-9]{0,4}))?"
_LIKE_IT = r"bot(?:/\S*)?(?: -?\d+)?"
_CALLED = r"bot/[12] ([1-9][0-9]{0,4})"


def named(text: str) -> str:
    """What a bot is called that somebody seats as `bot` or, with playouts, `bot 1000`; "" if this
    is none. Raises Usage for a bot that there is not."""
    if found := re.fullmatch(_TYPED, text, re.IGNORECASE):
        return f"bot/{found[1] or WAY} {found[2] or PLAYOUTS}"
    if re.fullmatch(_LIKE_IT, text, re.IGNORECASE):
        raise Usage(
            "the bot is called bot or, with 1 to 99999 playouts, bot 1000, not {name!r}", name=text
        )
    return ""


def playouts(name: str) -> int:
    """How many playouts a player of this name thinks for; 0 if it is no bot."""
    found = re.fullmatch(_CALLED, name)
    return int(found[1]) if found else 0


def played_otherwise(log: Log, keyring: Keyring) -> Iterator[Problem]:
    """The plies at the seats of bots that are not what the bot named there plays.
    Raises Denied where the secret is not at hand."""
    keys = sealing.accept_keys(log, keyring)
    for ply in log.plies:
        before = Replay.of(log.first(ply.nth), keys)
        if not playouts(before.players.get(ply.seat, "")) or ply.seat in before.vacant:
            continue
        if keys.secret is None:
            raise Denied(
                "a bot's moves can be computed again once the secret is revealed", log.path
            )
        due = before.game.notate(step(before, keys.secret, ply.seat).move)
        if due != sealing.whole_move(ply, keys, log):
            yield log.problem(
                "ply {number}: here the bot of {seat:seat} plays {move}",
                *("log", ply.nth),
                number=ply.number,
                seat=ply.seat,
                move=due,
            )


def step(match: Replay, secret: bytes, seat: Seat) -> Step:
    """What the bot plays in a seat that is asked: it looks at what the seat knows, and draws by the
    specified generator, with a key of its own and the label of a draw. The keys of the match are
    those of its secret."""
    from pbem.log import chance  # few matches have a bot
    from pbem.play.bot import Bot
    from pbem.play.unknown import Knowledge

    seen = match.seen_by(seat)
    plies = [(ply.seat, events) for ply, events in seen.plies]
    known = Knowledge(match.game, match.setup, seat, seen.first, plies, seen.state)
    number = match.log.last + 1
    label = chance.label(match.name, number, match.log.entropy(number))
    numbers = chance.words(derive(secret, "bot"), label)
    way, thought = map(int, match.players[seat].removeprefix("bot/").split())
    move = Bot(thought, way).move(known, partial(chance.below, numbers))
    return play.judge(match.game, match.state, seat, move)
