"""Was this message read before? What the log keeps of a message, and how others compare with it.

A message is the same as another if the same seat wrote it and it has the same id or says the same.
An unproven message's id never stands in the way of a proven message: anybody can write any id.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator
from typing import Final, NamedTuple

from pbem.core import Pattern, Seat, mask
from pbem.desk.authorship import Writer
from pbem.desk.current import written_by
from pbem.desk.file import Desk
from pbem.desk.plans.model import NO_ID, Plan
from pbem.intake import Submission
from pbem.log import questions, seal, sealing
from pbem.log.entries import HASHED, ON_WORD, Ply
from pbem.log.format import Log
from pbem.log.match import Replay
from pbem.meaning.patterns import says
from pbem.sentence import Sentence, say

_BY_PLAN: Final = "plan"
_MOST_LINES: Final = 20
"""How many lines of an edited post are compared with what was played."""


def source_digest(
    desk: Desk, log: Log, seat: Seat, message: Submission, *, proven: bool, on_word: bool
) -> str:
    """What the next entry of the log keeps of a message: its id, its words, and whether it counts
    `on_word`, the moderator's, in place of a proof.

    Id and words are hashed with a key, so that nobody can find a short order by trying, and with
    what went before, so that nobody sees that two messages were alike. A missing id is hashed, too:
    else everybody could tell what was typed in from a plan.
    """
    own = _Digests.of(desk, seat, message)
    return _source(desk, log, own.name(proven=proven), own.words, on_word=on_word)


def plan_source(desk: Desk, log: Log, plan: Plan) -> str:
    """What the next entry keeps of the plan that plays it: as much as of a message."""
    own = seal.canonical([plan.seat, plan.number, plan.given, *plan.moves])
    return _source(desk, log, _BY_PLAN, _keyed(_key(desk), own), on_word=plan.on_word)


def _source(desk: Desk, log: Log, name: str, words: str, *, on_word: bool) -> str:
    kind, key = ON_WORD if on_word else HASHED, _key(desk)
    return f"{kind}:{_bound(key, name, log.chain)}.{_bound(key, words, log.chain)}"


def is_from_plan(log: Log, desk: Desk, ply: Ply, plan: Plan | None = None) -> bool:
    """Was this ply played by a plan: by this one, if one is given?"""
    before = log.first(ply.nth)
    if plan is not None:
        return ply.source == plan_source(desk, before, plan)
    return f":{_bound(_key(desk), _BY_PLAN, before.chain)}." in ply.source


def mail_digest(desk: Desk, log: Log, seat: Seat, message: Submission, *, proven: bool) -> str:
    """What the desk file keeps of a message that only brings or takes back plans: its id and words.

    Without an id the words are bound to the end of the log: they are the same message as long as
    nothing has happened since (see `Waiting.read`). "" if the message has no id, is no mail and
    names no position.
    """
    own = _Digests.of(desk, seat, message)
    if (name := own.name(proven=proven)) != NO_ID:
        return f"{name}.{own.words}"
    # If the same words come again, may they be the same message?
    lasting = message.kind == "mail" or message.positions
    return f"{NO_ID}.{_bound(_key(desk), own.words, log.chain)}" if lasting else ""


def brought_plans(match: Replay, desk: Desk, message: Submission, writer: Writer) -> bool:
    """Has this message brought or taken back plans before? Its id tells, or its words if none."""

    def name(digest: str) -> str:
        return digest if message.message_id is None else digest.partition(".")[0]

    here = (each.mails for each in desk.waits if each.after == match.log.chain)
    read = {name(digest) for mails in here for digest in mails}
    digests = _mail_digests(desk, match.log, message, writer) if read else ()
    return any(name(digest) in read for digest, _ in digests)


def plans_came(
    match: Replay, desk: Desk, message: Submission, writer: Writer
) -> tuple[Seat, Replay] | None:
    """Whose plans this very message brought, and the match as it stood before that, if that is
    known, or else as it is; None if it brought none."""
    states = {each.after: each for each in desk.waits}
    last = states.get(match.log.chain)
    for digest, seat in _mail_digests(desk, match.log, message, writer) if last else ():
        if last and digest in last.mails:
            earlier = {chain for chain, each in states.items() if digest not in each.mails}
            counts = [n for n in map(match.log.ended_with, earlier) if n is not None]
            return seat, Replay.of(match.log.first(min(counts)), match.keyring) if counts else match
    return None


def _mail_digests(
    desk: Desk, log: Log, message: Submission, writer: Writer
) -> Iterator[tuple[str, Seat]]:
    """What would be kept of a message, with the seat, for each of its writer's seats."""
    for seat in writer.seats:
        for way in (True,) if writer.proven else (True, False):
            if digest := mail_digest(desk, log, seat, message, proven=way):
                yield digest, seat


def duplicate_of(match: Replay, desk: Desk, message: Submission, writer: Writer) -> Sentence | None:
    """Why this message changes nothing, as it was read before; None if it is new.

    The same words are the same order if they answer the same question: the one whose position they
    name, or else the one that the seat is asked now, or answered last. A message with an id of its
    own may repeat them, to return to what one in between had changed. A post that was taken back
    never counts again: if nothing tells it from a new one with the same words, whoever hands it in
    must say that it is meant anew.
    """
    if brought_plans(match, desk, message, writer):
        if message.message_id is not None:
            return say("We already have this message: its plans wait, or have been played")
        return say(
            "We already have these plans. To send them again, add #{position}",
            position=match.position.ply,
        )
    standing, changed, others = {ply.number for ply, _ in match.plies}, False, False
    # If a mail without an id is read again, say after a crash, it is older than its own ply.
    written = "" if message.message_id else written_by(match.log, message)
    for ply, same_id, same_words, other_id in _compared(match.log, desk, message, writer):
        stands = ply.number in standing
        if same_id and stands:
            edited = None if same_words else _edited(match, desk, message, writer)
            return edited or say("We already have this message (no. {number})", number=ply.number)
        others = others or (stands and ply.seat not in writer.seats)
        again = same_words and _is_the_same(message, other_id=other_id, others=others)
        if not stands and (same_id or again):
            return say(
                "We already have this message, and it was taken back (no. {number}). To play it "
                "once more, send it in a block for #{position}",
                number=ply.number,
                position=match.position.ply,
            )
        if (
            same_words
            and stands
            and not (changed and message.message_id)
            and (
                message.positions
                or (written and ply.at >= written)
                or ply.nth >= questions.of(match)[ply.seat].since
            )
        ):
            return say(
                "We already have this move (no. {number}). To play it once more, send it in a "
                "block for #{position}",
                number=ply.number,
                position=match.position.ply,
            )
        changed = changed or (ply.seat in writer.seats and not same_words)
    return None


def _edited(match: Replay, desk: Desk, message: Submission, writer: Writer) -> Sentence | None:
    """How a post that was played differs now from what came of it; None if its moves do not.

    The log keeps a hash of its words alone: its lines are compared with the moves that were played,
    as everybody can read them.
    """
    from difflib import SequenceMatcher

    if message.kind != "post":
        return None
    ids = {ply.nth for ply, same, *_ in _compared(match.log, desk, message, writer) if same}
    its = [ply for ply, _ in match.plies if ply.nth in ids]
    wholes = (sealing.whole_move(ply, desk.keyring, match.log) or ply.move for ply in its)
    left = {nth: match.game.parse(text).move for nth, text in enumerate(wholes)}
    holds = list[int | str]()
    for pattern in (p for line in message.orders[:_MOST_LINES] for p in says(match, line)):
        known = next((nth for nth, move in left.items() if pattern.fits(move)), None)
        holds.append(_public(match, its[0].seat, pattern) if known is None else known)
        if known is not None:
            del left[known]
    differs = list[str]()
    for tag, *(a, b, c, d) in SequenceMatcher(None, range(len(its)), holds).get_opcodes():
        if tag != "equal":
            differs += [f"- {ply.move}" for ply in its[a:b]]
            differs += [f"+ {its[e].move if isinstance(e, int) else e}" for e in holds[c:d]]
    if not differs:
        return None
    return say(
        "This post was edited after it was played (no. {number}), and what was played stands. "
        "Beside that, its lines now lack (-) or add (+): {differs:all}",
        number=its[-1].number,
        differs=differs,
    )


def _public(match: Replay, seat: Seat, pattern: Pattern) -> str:
    """What a seat wrote of a move, without what others may not know of it."""
    shown = mask(pattern.move, None, seat, match.setup.seats)
    return pattern.said[:80] if shown == pattern.move else match.game.notate(shown)


def _is_the_same(message: Submission, *, other_id: bool, others: bool) -> bool:
    """Is a message with the words of one that was taken back that very one? A mail without an id
    is; so is a post, unless it has another number and others have moved since. Another number
    alone proves little: it may be the same one, written as an address."""
    if message.kind == "post":
        return not (other_id and others)
    return message.kind == "mail" and message.message_id is None


def plies_of(log: Log, desk: Desk, message: Submission, writer: Writer) -> tuple[Ply, ...]:
    """The plies that this very message made when it was last accepted, in their order."""
    found = list[Ply]()
    for ply, same_id, same_words, _ in _compared(log, desk, message, writer):
        same = same_words and (same_id or message.message_id is None)
        if found and not same:
            break
        found += [ply] if same else []
    return tuple(reversed(found))


def _compared(
    log: Log, desk: Desk, message: Submission, writer: Writer
) -> Iterator[tuple[Ply, bool, bool, bool]]:
    """Each ply that came of a message, the latest first: was it a message with this one's id, with
    this one's words, with an id that is surely another?"""
    key, own = _key(desk), {seat: _Digests.of(desk, seat, message) for seat in writer.seats}
    for entry in reversed(log.entries):
        if not isinstance(entry, Ply) or not entry.source:
            continue
        if entry.seat not in own:
            yield entry, False, False, False
            continue
        digests = own[entry.seat]
        chain = log.entries[entry.nth - 1].chain if entry.nth else log.header.chain
        name, _, words = entry.source.partition(":")[2].partition(".")
        proven, claimed = (_bound(key, n, chain) for n in (digests.proven_id, digests.claimed_id))
        ids = {digests.old_id, proven} if writer.proven else {digests.old_id, proven, claimed}
        yield (
            entry,
            message.message_id is not None and name in ids,
            words in (digests.words, _bound(key, digests.words, chain)),
            NO_ID not in (name, proven) and name not in {*ids, claimed},
        )


class _Digests(NamedTuple):
    """The digests by which a seat's message is compared. Earlier versions put `old_id` and `words`
    into the log without binding them to its chain."""

    proven_id: str
    claimed_id: str
    words: str
    old_id: str

    def name(self, *, proven: bool) -> str:
        """Its id, as that of a proven message or of one that is only claimed."""
        return self.proven_id if proven else self.claimed_id

    @staticmethod
    def of(desk: Desk, seat: Seat, message: Submission) -> _Digests:
        key, name = _key(desk), message.message_id
        words = seal.canonical([seat, message.positions, message.body.strip()])
        if name is None:
            return _Digests(NO_ID, NO_ID, _keyed(key, words), NO_ID)
        return _Digests(
            _keyed(key, seal.canonical(["proven", seat, name])),
            _keyed(key, seal.canonical(["claimed", seat, name])),
            _keyed(key, words),
            _keyed(key, name),
        )


def _key(desk: Desk) -> bytes:
    return seal.derive(desk.secret, "source")


def _bound(key: bytes, digest: str, chain: str) -> str:
    """The digest as it stands in the entry after this chain."""
    return _keyed(key, f"{chain} {digest}")


def _keyed(key: bytes, text: str) -> str:
    return hmac.digest(key, text.encode(), "sha256")[:12].hex()
