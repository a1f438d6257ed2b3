"""Where a moderator works: from a message to plies in the log, and from a ruling to the log.

One path for the real thing and the dry run: `submit` and `check` differ in who judges and in
whether anything is written.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from pbem import authorship, intake
from pbem.authorship import Dns, Writer
from pbem.core import CHANCE, HIDDEN, Pattern, Refused, Seat, Unreadable, Usage
from pbem.desk.append import Clock, append_ply, play_chance, save
from pbem.desk.duplicates import fingerprint, seen
from pbem.desk.file import Desk, Held, desk_path, read_both
from pbem.desk.waiting import not_played, play_waiting
from pbem.files import store
from pbem.log.format import Entry, Ply
from pbem.log.match import Match
from pbem.log.seal import Keyring
from pbem.play import judge as play
from pbem.play.judge import Step

# ------------------------------------------------------------------------------- the answer


@dataclass(frozen=True, slots=True)
class Trouble:
    """A line of an order that could not be read."""

    line: int
    text: str
    error: Refused


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a message.

    `verdict` is accepted, legal, possible, refused, duplicate, stale, sender or automatic;
    `code` the exit code; `steps` the plies of the sender, `returned` what lay beyond the horizon
    or was held, whose it is and why it is not played; `held` what waits now; `before` and `after`
    the match as the judge knew it; `writer` how it is known who wrote it. `message` is for the
    sender; `aside` for the moderator alone.
    """

    verdict: str
    code: int
    before: Match
    after: Match
    seat: Seat | None = None
    said: intake.Submission | None = None
    steps: tuple[Step, ...] = ()
    reason: Refused | None = None
    message: str = ""
    troubles: tuple[Trouble, ...] = ()
    returned: tuple[tuple[Seat, str, str], ...] = ()
    held: tuple[Held, ...] = ()
    writer: Writer | None = None
    aside: str = ""

    @property
    def stranger(self) -> bool:
        """Is it unknown who wrote this? Then the sender is told nothing about the match."""
        return self.verdict == "sender" and self.seat is None

    @property
    def unplayed(self) -> tuple[tuple[str, str], ...]:
        """What is not played and why, whosever it is."""
        return tuple((text, why) for _, text, why in self.returned)


# ------------------------------------------------------------------------- submit and check


def submit(
    path: str,
    message: intake.Submission,
    *,
    seat: Seat | None,
    clock: Clock,
    wait: float = 10.0,
    dns: Dns | None = None,
    opened: Callable[[str], tuple[Match, Desk]] = read_both,
    rehearse: Callable[[Match, Match], None] | None = None,
) -> Answer:
    """Judge a message and, if it is accepted, append what follows. Raises Problem.

    `seat` is the moderator's word on whose message it is; `dns` who is asked for DKIM keys.
    `opened` gives the files at `path` as they are now; it is called under the lock, and may
    remember what it has read before. `rehearse` is shown the match before and after, and what it
    raises leaves all files as they are.
    """
    if message.raw and seat is None:  # before the lock: others need not wait for the net
        message = authorship.checked(message, Desk.read(path).register, dns)
    with store.lock(path, wait, desk_path(path)):
        before, desk = opened(path)
        judged = _judge(before, message, seat, desk)
        if judged.verdict != "legal":
            return judged
        assert judged.seat is not None
        source = fingerprint(desk, judged.seat, message)
        drafted = _play_on(before, desk, judged, clock, source)
        if rehearse:
            rehearse(before, drafted.after)
        save(before.log, drafted.after.log, desk, replace(desk, held=drafted.held))
        return drafted


def check(path: str, message: intake.Submission, *, seat: Seat | None, keyring: Keyring) -> Answer:
    """Judge a message as far as the keys at hand let one know. Nothing is written or drawn."""
    before = Match.read(path, keyring)
    return _judge(before, message, seat or (keyring.seats or (None,))[0], None)


def _judge(
    before: Match, message: intake.Submission, seat: Seat | None, desk: Desk | None
) -> Answer:
    """The verdict on a message, with nothing drawn: legal and possible are still to be played."""

    writer: Writer | None = None

    def refused(verdict: str, text: str, code: int = 1, who: Seat | None = None) -> Answer:
        return Answer(verdict, code, before, before, who, message, message=text, writer=writer)

    if message.automatic:
        return refused("automatic", f"sent by a machine ({message.automatic}): no order", 0)
    if desk:
        # A mail that was read before is known by what the log keeps of it: its proof may be gone.
        claimed = (seat,) if seat else authorship.claimed(message, desk.register)
        if claimed and (told := seen(before, desk, message, claimed)):
            return refused("duplicate", told, 0)
        writer = (
            Writer((seat,), "word") if seat else authorship.writer(before, message, desk.register)
        )
        if not writer.seats:
            return replace(refused("sender", writer.refusal, 77), aside=writer.aside)
    if message.match not in (None, before.name):
        return refused("refused", f"this is about {message.match}, the log is of {before.name}")
    if stale := _stale(before, message, writer):
        return refused("stale", stale)
    who, wrong = _sender(before, message, seat, writer)
    if wrong:
        return refused("sender", wrong, 77, who)
    patterns, troubles = _read(before, message)
    if before.ending:
        over = f"the match is over: the moderator ended it ({before.ending.kind})"
        return refused("refused", over, 1, who)
    if troubles:
        return replace(
            refused("refused", "not every line could be read", 1, who),
            troubles=tuple(troubles),
            reason=troubles[0].error,
        )
    if not patterns:
        return refused("refused", "there is no move in this message", 1, who)
    verdict = play.adjudicate(before.game, before.state, who, patterns)
    if isinstance(verdict, play.Rejected):
        return Answer(
            "refused",
            1,
            before,
            before,
            who,
            message,
            verdict.understood,
            verdict.reason,
            str(verdict.reason),
            writer=writer,
        )
    sure = all(step.sure for step in verdict.steps)
    after = replace(before, state=verdict.state)
    beyond = "lies beyond what can be judged now"
    returned = tuple((who, pattern.said, beyond) for pattern in verdict.unplayed)
    return Answer(
        "legal" if sure else "possible",
        0,
        before,
        after,
        who,
        message,
        verdict.steps,
        returned=returned,
        writer=writer,
    )


def _stale(before: Match, message: intake.Submission, writer: Writer | None) -> str:
    """Why the position a message names is not this one; "" if it is, or if none is named. A code
    names the position that it was made for."""
    ply, fingerprint = before.position
    signed = [writer.position] if writer and writer.position else []
    for named, mark in (*message.positions, *signed):
        if named not in (None, ply) or mark not in (None, fingerprint):
            answered = " ".join(filter(None, (f"#{named}" if named is not None else "", mark)))
            return (
                f"this answers {answered}, but the match is at #{ply} {fingerprint}; look at "
                "what happened since and send your move again"
            )
    return ""


def _sender(
    before: Match, message: intake.Submission, seat: Seat | None, writer: Writer | None
) -> tuple[Seat, str]:
    """Whose order it is, and why it cannot be taken from him now, if it cannot."""
    seats = (*before.setup.seats, CHANCE)
    if seat is not None:
        if seat not in seats:
            raise Usage(
                "{name} has no seat {seat!r}, only {seats:all}",
                name=before.name,
                seat=seat,
                seats=seats,
            )
        if seat == CHANCE and before.log.header.dealer != "asked":
            return seat, "chance draws by itself in this match"
        return seat, ""
    awaited = before.awaited
    if writer is not None:
        theirs = writer.seats
        name = message.sender or message.author
        if message.seat not in (None, *theirs):
            return theirs[0], f"{name} plays {theirs[0]}, not {message.seat}"
        asked = [s for s in theirs if s in awaited and message.seat in (None, s)]
        if asked or not awaited or name is None:
            return (asked or theirs)[0], ""
        return theirs[0], f"{name} plays {theirs[0]}; awaited is {' and '.join(awaited)}"
    if message.seat is not None:
        if message.seat not in before.setup.seats:
            raise Usage("{name} has no seat {seat!r}", name=before.name, seat=message.seat)
        return message.seat, ""
    if len(awaited) == 1 or before.outcome:
        return (awaited or before.setup.seats)[0], ""
    raise Usage(
        "this text does not say whose move it is; say --from {awaited}",
        awaited=" or --from ".join(awaited),
    )


def _read(before: Match, message: intake.Submission) -> tuple[list[Pattern], list[Trouble]]:
    """Every line of an order as a pattern, and every line that is none."""
    patterns, troubles = [], []
    for line in message.orders:
        try:
            pattern = before.game.parse(line.text)
            if before.keyring.secret is not None:
                _require_names(pattern)
        except Unreadable as error:
            troubles.append(Trouble(line.number, line.text, error))
        else:
            patterns.append(pattern)
    return patterns, troubles


def _require_names(pattern: Pattern) -> None:
    """Whoever can open everything must say what it is that is played. Raises Unreadable."""
    if HIDDEN in (getattr(pattern.move, slot.name) for slot in pattern.move.FIELDS):
        raise Unreadable(
            pattern.said,
            "{hidden} stands for something nobody has named",
            hint="name it",
            hidden=HIDDEN,
        )


# ---------------------------------------------------------------------------- playing it on


def _play_on(before: Match, desk: Desk, judged: Answer, clock: Clock, source: str) -> Answer:
    """Enter the judged plies, let chance speak, and try what lay beyond the horizon."""
    assert judged.seat is not None
    assert judged.said is not None
    seat, game = judged.seat, before.game
    patterns, _ = _read(before, judged.said)
    now = before
    steps: list[Step] = []
    returned: tuple[tuple[Seat, str, str], ...] = ()
    while True:
        verdict = play.adjudicate(game, now.state, seat, patterns)
        if isinstance(verdict, play.Rejected):
            # The first part stands: what it revealed cannot be undone.
            returned = not_played(seat, (p.said for p in patterns), str(verdict.reason))
            break
        for step in verdict.steps:
            now = append_ply(now, desk, step, clock, source)
            steps.append(step)
        now = play_chance(now, desk, clock)
        patterns = list(verdict.unplayed)
        if not patterns or seat not in now.awaited:
            break
    left = () if returned else tuple(p.said for p in patterns)
    now, held, dropped = play_waiting(now, before.log, desk, Held(seat, "", left), clock)
    return Answer(
        "accepted",
        0,
        before,
        now,
        seat,
        judged.said,
        tuple(steps),
        returned=(*returned, *dropped),
        held=held,
        writer=judged.writer,
    )


def recall(now: Match, desk: Desk, message: intake.Submission, clock: Clock) -> Answer | None:
    """What came of a message that was accepted before, told once more; None if it never was.

    The match is wound back to where it stood and the message played again: draws are repeatable,
    so the same follows. What stands in the log counts; nothing is written.
    """
    entries = now.log.entries
    for nth in range(len(entries) - 1, -1, -1):
        entry = entries[nth]
        if isinstance(entry, Ply) and entry.source == fingerprint(desk, entry.seat, message):
            break
    else:
        return None
    start, end = nth, nth + 1
    for earlier in range(nth - 1, -1, -1):
        if not _belongs(entries[earlier], entry.source):
            break
        start = earlier if getattr(entries[earlier], "source", "") else start
    while end < len(entries) and _belongs(entries[end], entry.source):
        end += 1
    before, after = (
        Match.of(now.log._replace(entries=entries[:stop]), now.keyring) for stop in (start, end)
    )
    judged = _judge(before, message, entry.seat, desk)
    writer = authorship.writer(before, message, desk.register)
    if judged.verdict != "legal":  # as a rule mended since then would have it
        return Answer("accepted", 0, before, after, entry.seat, message, writer=writer)
    again = _play_on(before, desk, judged, clock, entry.source)
    return replace(again, after=after, writer=writer)


def _belongs(entry: Entry, source: str) -> bool:
    """Is this one of the plies that one message brought about?"""
    return isinstance(entry, Ply) and entry.source in ("", source)
