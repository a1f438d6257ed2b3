"""How many mails a match takes with plans, and without them: the same moves each time.

python benchmarks/plans.py

Each player sends a mail only when the match waits for them: their whole turn, in all worlds. With
`always`, their first mail says how they answer what interrupts others, or is asked of all. With
`next:`, each mail also says what they do in their next turn. With lists, it says in which order
they would play what they have, and as standing answers, which end with it, the turn after the next.

The first is what anybody can do. For the others the players of this benchmark know the match that
will be: a player who guesses wrong sends more. So these figures are the least plans can come to.

Orders are given to the desk; the first and the last way are counted once more by mails through the
real mailroom, a run of the desk for each, with what the desk sends to all players.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from pbem import intake
from pbem.core import CHANCE, Seat
from pbem.desk import begin
from pbem.desk.append import append_ply, play_chance
from pbem.desk.bench import Circumstances
from pbem.desk.seats import Player
from pbem.desk.submit import submit
from pbem.files.timestamp import now as clock
from pbem.log.match import Replay
from pbem.mailroom.inbox.letterbox import letterbox
from pbem.mailroom.outbox.folder import Outbox
from pbem.mailroom.run import Mailroom
from pbem.play import judge as play
from pbem.report import compose

SECRET = bytes(range(32))
NAMES = {"red": "Ana", "green": "Ben", "blue": "Cleo", "yellow": "Dan"}
MOST = 0.4
"""How many of the mails are to be left."""
WAYS = ("always", "always, next:", "always, next:, lists")
"""What players send besides their moves: each more than the one before. Lists are standing answers,
too: `always card: red 7 or kanaloa or blue 2`."""

Sends = Callable[[Seat, str], None]
"""Brings an order of a seat to the desk, and has it played."""


class Act(NamedTuple):
    """A recorded ply of a player: what was asked, and the answer; `turn` counts whose turn it was
    in, `round` is 0 where the game has none."""

    seat: Seat
    kind: str
    move: str
    turn: int
    round: int
    ply: int


class Game(NamedTuple):
    """A game, its options, how every player answers some questions, and for which others a player
    says beforehand in which order they would play what they have."""

    name: str
    options: dict[str, str]
    standing: dict[str, str]
    in_order: tuple[str, ...]
    seed: int


GAMES = [
    Game("kanaloa-bambus", {}, {"rob": "pass", "veto": "allow"}, ("fish", "pawn"), 4),
    Game(
        "kanaloa-piatnik",
        {"announce": "true"},
        {"announce": "no announce", "dolphin": "dolphin"},
        ("card",),
        4,
    ),
]


def begun(game: Game, folder: str) -> tuple[Replay, object]:
    """A match that has just begun, on the disk."""
    players = {seat: Player(name, (_address(seat),)) for seat, name in NAMES.items()}
    opened, desk = begin.begin(
        begin.Terms(game.name, players, name="m", folder=folder, options=game.options),
        secret=SECRET,
        clock=clock,
    )
    begin.write(opened, desk)
    return opened, desk


def recorded(game: Game) -> list[Act]:
    """A whole match in which every player answers the standing questions always alike."""
    with tempfile.TemporaryDirectory() as folder:
        now, desk = begun(game, folder)
        chooser, acts, turn = random.Random(game.seed), list[Act](), 0
        while now.pending:
            decision = next(each for each in now.pending if each.seat != CHANCE)
            moves = play.legal_moves(now.game, now.state, decision.seat)
            texts = sorted(map(now.game.notate, moves))
            usual = game.standing.get(decision.kind)
            eager = [text for text in texts if text != "pass"] or texts
            text = usual if usual in texts else chooser.choice(eager)
            if decision.during is None and (not acts or acts[-1].seat != decision.seat):
                turn += 1
            parts = getattr(now.game, "parts", lambda state: {})(now.state)
            ply = now.position.ply + 1
            acts.append(Act(decision.seat, decision.kind, text, turn, parts.get("round", 0), ply))
            move = next(each for each in moves if now.game.notate(each) == text)
            step = play.judge(now.game, now.state, decision.seat, move)
            now = play_chance(append_ply(now, desk, step, clock, ""), desk, clock)
        return acts


def turn_from(acts: list[Act], at: int) -> tuple[list[Act], int]:
    """What the player of an act sends in one mail, and where their next turn begins: their moves
    up to the next that are another player's own turn."""
    seat, found, nth = acts[at].seat, list[Act](), at
    while nth < len(acts) and (acts[nth].turn == acts[at].turn or acts[nth].seat == seat):
        if acts[nth].seat == seat:
            found.append(acts[nth])
        nth += 1
    while nth < len(acts) and acts[nth].seat != seat:
        nth += 1
    return found, nth


def _address(seat: Seat) -> str:
    return f"{seat}@players.example"


def mails(game: Game, acts: list[Act], way: int) -> int:
    """How many mails the match takes to its end in one of WAYS, from 1; 0 is without plans."""
    with tempfile.TemporaryDirectory() as folder:
        path = begun(game, folder)[0].log.path

        def sends(seat: Seat, order: str) -> None:
            answer = submit(
                path,
                intake.read(order.encode(), "-"),
                Circumstances(clock, compose.rehearse),
                seat=seat,
            )
            assert answer.code == 0, (order, answer.message)

        return _to_the_end(game, acts, way, path, sends)


def really(game: Game, acts: list[Act], way: int) -> tuple[int, int]:
    """The same through the mailroom: how many mails the players send, and how many the desk, from
    the opening to the result."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        for part in ("matches", *(f"Maildir/{each}" for each in ("cur", "new", "tmp"))):
            (place / part).mkdir(parents=True)
        path = begun(game, str(place / "matches"))[0].log.path
        outbox = Outbox(str(place / "outbox"))
        room = Mailroom(
            str(place / "matches"),
            outbox,
            "desk@games.example",
            Circumstances(clock, compose.rehearse),
        )
        room.book.refresh()
        room.book.all_know("m", 0, 0)  # nobody has been told of the match yet
        assert list(room.tell()) == []

        def sends(seat: Seat, order: str) -> None:
            letter = EmailMessage()
            letter["From"], letter["To"] = _address(seat), "desk@games.example"
            position = Replay.read(path).position
            letter["Subject"] = f"Re: [m {position}] It's your turn"
            letter["Message-ID"] = f"<{position.ply}.{seat}@players.example>"
            letter.set_content(order)
            (place / "Maildir" / "new" / f"{1_780_000_000 + position.ply}.M1P1.host").write_bytes(
                bytes(letter)
            )
            [handled] = room.run(letterbox(str(place / "Maildir")))
            assert handled.verdict == "accepted", (order, handled)
            assert list(room.tell()) == []

        count = _to_the_end(game, acts, way, path, sends)
        return count, len(list((place / "outbox").rglob("*.eml")))


def _to_the_end(game: Game, acts: list[Act], way: int, path: str, sends: Sends) -> int:
    """Send what whoever is asked sends, until these acts have been played; how often that was."""
    count, told = 0, set[tuple[Seat, int]]()
    while True:
        now = Replay.read(path)
        played = [ply.move for ply, _ in now.plies if ply.seat != CHANCE]
        wanted = [act.move for act in acts]
        assert played[: len(acts)] == wanted[: len(played)], "the moves differ"
        at = len(played)
        if at >= len(acts):
            return count
        lines = list(_lines(game, acts, at, way, told))
        sends(acts[at].seat, "\n".join(["[move]", *lines, "[/move]"]))
        count += 1


def _lines(
    game: Game, acts: list[Act], at: int, way: int, told: set[tuple[Seat, int]]
) -> Iterator[str]:
    """The mail of whoever is asked now."""
    seat, round = acts[at].seat, acts[at].round
    now, then = turn_from(acts, at)
    yield from (act.move for act in now)
    if way and not any(each == seat for each, _ in told):
        for kind, answer in game.standing.items():
            yield f"always {kind}: {answer} until end"
    in_order = game.in_order if way > 2 else ()
    if (seat, round) not in told:
        told.add((seat, round))
        for kind in in_order:
            own = [a.move for a in acts[at:] if a[:2] == (seat, kind) and a.round == round]
            own = own[sum(act.kind == kind for act in now) :]
            if own:
                yield f"always {kind}: {' or '.join(_in_order(own))}"
    if way < 2:
        return
    asked = {*game.standing, *in_order}
    between = set[str]()
    while then < len(acts) and acts[then].kind in asked:
        skipped, then = turn_from(acts, then)
        between |= {act.kind for act in skipped}
    if then < len(acts) and acts[then].kind not in between:
        later, third = turn_from(acts, then)
        yield f"next: {'; '.join(act.move for act in later)}"
        if way > 2:
            yield from _standing(acts, third, asked)


def _standing(acts: list[Act], at: int, asked: set[str]) -> Iterator[str]:
    """The turn after the next as standing answers, which end with it."""
    turn = turn_from(acts, at)[0] if at < len(acts) else []
    kinds = [act.kind for act in turn]
    if len(set(kinds)) == len(kinds) and not asked & set(kinds):
        for act in turn:
            yield f"always {act.kind}: {act.move} until #{turn[-1].ply}"


def _in_order(moves: list[str]) -> list[str]:
    """As many moves as can be told beforehand: one that comes again would be played too early."""
    for n, move in enumerate(moves[:-1]):
        if move in moves[n + 1 :]:
            return moves[: n + 1]
    return moves


def measured(game: Game, acts: list[Act]) -> tuple[int, ...]:
    """How many mails the same match takes without plans, and in each of WAYS."""
    return tuple(mails(game, acts, way) for way in range(len(WAYS) + 1))


def main() -> None:
    """Print the ratios for each game."""
    for game in GAMES:
        acts = recorded(game)
        without, *others = measured(game, acts)
        print(f"{game.name:16} {without:4} mails without plans")
        for way, count in zip(WAYS, others, strict=True):
            print(f"{'':16} {count:4} with {way} ({count / without:.0%})")
        share = others[-1] / without
        met = "met" if share <= MOST else "MISSED"
        print(
            f"{'':16} at most {MOST:.0%} with standing answers: {met} at {share:.0%}, "
            f"lists being standing answers; not met without lists"
        )
        for way, model in ((0, without), (len(WAYS), others[-1])):
            players, desk = really(game, acts, way)
            assert players == model, "the mailroom takes other mails than the model"
            said = f"with {WAYS[way - 1]}" if way else "without plans"
            print(f"{'':16} by the mailroom, {said}: players {players}, the desk {desk}")


if __name__ == "__main__":
    main()
