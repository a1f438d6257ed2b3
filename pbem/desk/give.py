"""The one door for rulings: what the moderator decides is entered in the log.

Each kind of ruling declares its own options, where it may stand and who may give it (see `RULINGS`
in `log.rulings`). Here is what else some kinds do: strike plies, play for a seat, put plans aside,
hand a seat over.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from pbem.core import CHANCE, HIDDEN, Seat
from pbem.desk.address import Address
from pbem.desk.bench import Bench, Circumstances, believed, bench
from pbem.desk.seats import Player
from pbem.log import deadlines, rulings, turns
from pbem.log.entropy.contributions import Entropy, Value, Words, sent
from pbem.log.match import Replay, changed
from pbem.log.ruling import NEVER, Ruling, is_date
from pbem.log.seal import MODERATOR
from pbem.log.timing import Away, Back, Clock, Extend, Redate
from pbem.play import judge as play
from pbem.play import options
from pbem.problem import NotNow, Usage
from pbem.sentence import dated, say

OptionValues = Mapping[str, Any]
"""The values given for a ruling's options, by name; None for those left out."""

MOST_KNOWN: Final = 6
"""How many of the draws that are taken back are named; of more, the latest."""


def give(
    path: str, kind: type[Ruling], here: Circumstances, asked: OptionValues, *, reason: str = ""
) -> Bench:
    """Append a ruling of the moderator to the log at `path`, with all that follows from it.

    Raises Problem: Usage for options that make no sense, NotNow if the ruling cannot be given as
    the match stands.
    """
    with bench(path, here) as at_work:
        at_work.require_open_to(kind)
        if kind in _DOING:
            _DOING[kind](at_work, asked, reason)
        else:
            _enter(at_work, kind, asked, reason)
        at_work.draw()
    return at_work


def _enter(at_work: Bench, kind: type[Ruling], asked: OptionValues, reason: str) -> None:
    """Enter a ruling whose fields are what its options ask for. Raises Usage."""
    asks = {option.slot: option for option in kind.options or ()}
    values = []
    for slot in kind.FIELDS:
        option = asks[slot.name]
        value = asked.get(option.name)
        if option.many:
            value = tuple(value or ())
        if option.takes == "SEAT":
            for seat in value if isinstance(value, tuple) else (value,):
                at_work.match.require_seat(seat)
        if not slot.of.accepts(value):
            raise Usage(
                "--{name} {value}: it is {says}", name=option.name, value=value, says=slot.of.says
            )
        values.append(value)
    at_work.enter(kind(*values), reason)


# ------------------------------------------------------------------------------- the match


def _takeback(at_work: Bench, asked: OptionValues, reason: str) -> None:
    """Strike every ply after a number; if chance has drawn since, only with `revealed`."""
    match, to = at_work.match, asked["to"]
    struck = match.since(to)
    if to < 0 or not struck:
        raise Usage(
            "there is no ply after #{to} to take back; the last that stands is #{last}",
            match.log.path,
            to=to,
            last=max((ply.number for ply, _ in match.plies), default=0),
        )
    drawn = [ply for ply, _ in struck if ply.seat == CHANCE]
    if drawn and not asked.get("revealed"):
        raise NotNow(
            "this takes back what chance revealed in {plies}; somebody knows it now. To "
            "take it back all the same, add --revealed",
            match.log.path,
            plies=", ".join(f"#{ply.number}" for ply in drawn),
        )
    if known := [ply for ply in drawn if HIDDEN not in ply.move.split()]:
        pattern = "{reason} (known by then: {cards:all})"
        if len(known) > MOST_KNOWN:
            pattern = "{reason} (known by then: {n} draws, the latest of them {cards:all})"
        cards = [f"#{ply.number} {ply.move}" for ply in known[-MOST_KNOWN:]]
        reason = say(pattern, reason=reason, cards=cards, n=len(known)).text()
    at_work.enter(rulings.Takeback(tuple(ply.number for ply, _ in struck)), reason)
    later = [
        plan
        for plan in at_work.waits.plans
        if not (plan.over or (plan.number and match.log.when(plan.given).last <= to))
    ]
    why = say("The moderator took back the plies after #{to}, and it was sent later", to=to)
    at_work.put_aside(later, why)


def _default(at_work: Bench, asked: OptionValues, reason: str) -> None:
    """Play for a silent seat: the move that is given, or what its silence means by the rules."""
    match, path = at_work.match, at_work.match.log.path
    seat, move = match.require_seat(asked["seat"]), asked.get("move")
    decision = next((d for d in match.pending if d.seat == seat and d.awaited), None)
    if decision is None:
        why = "{seat:seat} has nothing to decide now, nor has anybody else"
        if match.awaited:
            why = "{seat:seat} has nothing to decide now; next to move: {next:seats}"
        raise NotNow(why, path, seat=seat, next=match.awaited)
    at = match.log.moment(at_work.clock())
    if early := deadlines.too_early(match.log, turns.of(match), seat, at):
        raise NotNow(
            "nothing is played for {seat:seat} yet: {early}. A move they told you is entered "
            "with `pbem submit --from {seat}`",
            path,
            seat=seat,
            early=early,
        )
    if move == "MOVE":
        raise Usage("put a move of {seat:seat} in place of MOVE", path, seat=seat)
    if move:
        chosen = play.resolve(match.game, match.state, seat, match.game.parse(move))
    elif decision.default is not None:
        chosen = decision.default
    else:
        raise Usage(
            "no rule says what the silence of {seat:seat} means here; say it with --move",
            path,
            seat=seat,
        )
    step = play.judge(match.game, match.state, seat, chosen)
    if not step.sure:
        raise Usage("{move!r} leaves open what is played; name it", path, move=move)
    at_work.play_for(seat, step, reason)


def _substitute(at_work: Bench, asked: OptionValues, reason: str) -> None:
    """Seat somebody else, who can read what the seat knew and writes from other addresses."""
    match, desk = at_work.match, at_work.desk
    seat, comes = match.require_seat(asked["seat"]), asked["player"]
    if not isinstance(comes, Player):
        comes = Player.read(comes)
    known: Sequence[Address] = desk.addresses.get(seat, ())
    stays = comes.name == match.players[seat] or not {*known}.isdisjoint(comes.addresses)
    if not stays:  # nobody reads what another has planned, or is told of it
        at_work.waits = at_work.waits.cleared(seat)
    _seated(at_work, seat, comes.name, reason)

    gone = () if stays or seat in match.vacant else known[:1]
    place = f"{seat} {at_work.match.log.epochs[seat]}"
    theirs = (each for each, who in desk.former.items() if who in comes.addresses)
    before = next((each for each in theirs if each.rpartition(" ")[0] == seat), "")

    def kept(wishes: Mapping[Seat, Any]) -> dict[Seat, Any]:
        """How letters are wanted: whoever leaves takes that along, and brings it back."""
        moved = {} if stays else {seat: place, before: seat}
        return {moved.get(each, each): value for each, value in wishes.items()}

    at_work.desk = replace(
        at_work.desk,
        addresses={**desk.addresses, seat: comes.addresses},
        authors={**desk.authors, seat: tuple(asked.get("author") or ())},
        zones=kept(desk.zones),
        pictures=kept(desk.pictures),
        languages=kept(desk.languages),
        former={**desk.former, **dict(zip((place,), gone, strict=False))},
    )


def _seated(at_work: Bench, seat: Seat, name: str, reason: str) -> None:
    """Seat somebody with a fresh key, and put aside the plans that were sent under the old one."""
    at_work.enter(rulings.Substitute(seat, name, at_work.match.log.epochs[seat] + 1), reason)
    at_work.put_aside(at_work.waits.of(seat), say("Your seat has a new key"))


def _rename(at_work: Bench, asked: OptionValues, reason: str) -> None:
    """Show a player by another name, in what was played before as well as from now on."""
    last = at_work.match.log.epochs[at_work.match.require_seat(asked["seat"])]
    epoch = last if asked.get("epoch") is None else asked["epoch"]
    _enter(at_work, rulings.Rename, {**asked, "epoch": epoch}, reason)


def new_key(path: str, seat: Seat, here: Circumstances) -> Bench:
    """Give a seat a fresh key; its player and addresses stay. Raises Problem: NotNow if nobody
    holds the seat."""
    with bench(path, here) as at_work:
        at_work.require_open_to(rulings.Substitute)
        at_work.require_held(at_work.match.require_seat(seat))
        name = at_work.match.players[seat]
        _seated(at_work, seat, name, "a new key for the seat")
        at_work.draw()
    return at_work


def _resign(at_work: Bench, asked: OptionValues, reason: str) -> None:
    """Give up a seat: a match of two ends; in a larger one, the others play on."""
    seat = at_work.match.require_seat(asked["seat"])
    at_work.require_held(seat)
    resign(at_work, seat, reason)


def resign(at_work: Bench, seat: Seat, reason: str = "", by: Seat = MODERATOR) -> None:
    """Give up a seat, and put aside what waits for it. Raises NotNow as `Bench.enter` does."""
    at_work.enter(
        (rulings.Resign if len(at_work.match.setup.seats) < 3 else rulings.Vacate)(seat), reason, by
    )
    at_work.put_aside(at_work.waits.of(seat), say("{seat:seat} has resigned", seat=seat))


def _reveal(at_work: Bench, asked: OptionValues, reason: str) -> None:
    """Publish the secret of a finished match."""
    if at_work.match.outcome is None:
        raise NotNow(
            "the match is not over: revealing its secret would show every hand; "
            "end it first (rule resign, rule end)",
            at_work.match.log.path,
        )
    at_work.enter(rulings.Reveal(at_work.desk.secret.hex()), reason)


def _option(at_work: Bench, asked: OptionValues, reason: str) -> None:
    """Give an option another value from here on, as all have agreed."""
    match = at_work.match
    name, text = options.pair("--option", asked["option"], "variant1=true")
    agreed = tuple(dict.fromkeys(asked.get("agreed") or ()))
    for seat in agreed:
        match.require_seat(seat)
    value = changed(match.game, match.setup, name, text).options[name]
    if value == match.setup.options[name]:
        raise NotNow("the option {name} is so already", match.log.path, name=name)
    at_work.enter(rulings.Option(name, value, agreed), reason)


# ------------------------------------------------------------------------------- the draws


def _entropy(at_work: Bench, asked: OptionValues, reason: str) -> None:
    """Enter the public value that the header names; with that, the draws begin. Raises NotNow for
    any other text: who knows the secret could try out texts until one brings a certain card."""
    if asked.get("seat") is not None or not at_work.match.gathering:
        raise NotNow(
            "what goes into the draws is settled before the first card: later, whoever knows the "
            "secret could try out texts until one brings the card they wish. Players' words, or a "
            "public value, go into them in a match begun with `pbem new --entropy`",
            at_work.match.log.path,
        )
    at_work.enter(Value(asked["text"]), reason)


# ------------------------------------------------------------------------------- time


def _extend(at_work: Bench, asked: OptionValues, reason: str) -> None:
    """Give a seat more days for its present turn, or take back what it was given; without a seat,
    all whose turn it is."""
    match, seat, more = at_work.match, asked.get("seat"), asked["by"]
    running = turns.of(match).running
    seats = tuple(running) if seat is None else (match.require_seat(seat),)
    if not seats or not set(seats) <= set(running):
        why = "nobody has anything to decide now, so nobody can get days more"
        if running and seat:
            why = "{seat:seat} has nothing to decide now; days can be given to {running:seats}"
        raise NotNow(why, match.log.path, seat=seat, running=tuple(running))
    at, least = match.log.moment(at_work.clock()), max(-running[each].extra for each in seats)
    needs = {each: deadlines.days_past(match, each, at, max(more, least)) for each in seats}
    late, least = [each for each in seats if needs[each] > more], max(needs.values())
    if late and more > 0:
        raise NotNow(
            "days are added to the deadline, and with {by} more it would be over for "
            "{seats:seats}; the least that leaves them time is --by {least}",
            match.log.path,
            by=more,
            seats=late,
            least=least,
        )
    if late and more < 0:
        raise NotNow(
            "the days that can be taken back from {seats:seats} are {n}",
            match.log.path,
            seats=late,
            n=-least,
        )
    _enter(at_work, Extend, {**asked, "seat": seats}, reason)


def _away(at_work: Bench, asked: OptionValues, reason: str) -> None:
    """Enter that a seat is away. No day that has passed can be given back."""
    if is_date(asked["to"]):
        require_to_come(asked["to"], at_work.today, at_work.match.log.path)
    _enter(at_work, Away, asked, reason)


def require_to_come(last: str, today: str, path: str) -> None:
    """Raises Usage for an absence that is over."""
    if last < today:
        raise Usage(
            "an absence until {last} is over: today is {today} in this match, and no day that has "
            "passed can be given back",
            path,
            last=dated(last),
            today=dated(today),
        )


def _back(at_work: Bench, asked: OptionValues, reason: str) -> None:
    """Enter that a seat is back, from a date on or from today."""
    log, seat = at_work.match.log, at_work.match.require_seat(asked["seat"])
    first = asked.get("from") or at_work.today
    known = log.so_far().timing.away.get(seat)
    if known is not None and is_date(first) and Back(seat, first).leaves(known) == known:
        raise NotNow("{seat:seat} is not away from {first} on", log.path, seat=seat, first=first)
    _enter(at_work, Back, {**asked, "from": first}, reason)


def _clock(at_work: Bench, asked: OptionValues, reason: str) -> None:
    """Change settings of the clock from here on, or give the match its first. Raises NotNow for
    what shortens a turn that is under way, unless `yes` is given."""
    from pbem.log import clock

    chosen = clock.chosen(asked)
    if not chosen:
        raise Usage("the ruling clock needs what is to change, like --turn 5")
    match = at_work.match
    before = match.log.so_far().timing.settings
    settings = clock.settings(match.game, chosen, before.plain() if before else None)
    at_work.enter(Clock(settings), reason)
    if not asked.get("yes"):
        _require_no_shorter(match, at_work.match)


def _require_no_shorter(before: Replay, after: Replay) -> None:
    """Raises NotNow, saying whose turn is shortened, if any is."""
    from pbem.log.clock import spoken

    was, becomes = deadlines.of(before), deadlines.of(after)
    if was is None or becomes is None or was.paused:
        return
    for old in was.deadlines:
        for new in becomes.deadlines:
            both = ((old.due, new.due), (old.late_from, new.late_from))
            sooner = [(then, due) for then, due in both if due and due < (then or NEVER)]
            if new.seat == old.seat and sooner:
                then, due = sooner[0]
                raise NotNow(
                    "this shortens the turn of {seat:seat}, from {then} to {due}. To do it "
                    "all the same, add --yes",
                    before.log.path,
                    seat=new.seat,
                    then=spoken(then, was.zone),
                    due=spoken(due, becomes.zone),
                )


def _redate(at_work: Bench, asked: OptionValues, reason: str) -> None:
    """Enter what time it really is, although entries are dated later, or so much earlier that the
    clock is not believed. The match needs no clock."""
    log, at = at_work.match.log, at_work.clock()
    if log.moment(at) == at and believed(log, at):
        raise NotNow("no entry of this log lies in the future: there is nothing to mend", log.path)
    _enter(at_work, Redate, asked, reason)


_DOING: Final[Mapping[type[Ruling], Callable[[Bench, OptionValues, str], None]]] = {
    rulings.Takeback: _takeback,
    rulings.Restore: lambda at_work, asked, reason: at_work.enter(
        rulings.restoring(at_work.match.log.so_far()), reason
    ),
    rulings.Option: _option,
    rulings.Default: _default,
    rulings.Substitute: _substitute,
    rulings.Rename: _rename,
    rulings.Resign: _resign,
    rulings.Reveal: _reveal,
    Entropy: _entropy,
    Words: lambda at_work, asked, reason: at_work.enter(sent(asked["seat"], asked["text"]), reason),
    Extend: _extend,
    Away: _away,
    Back: _back,
    Clock: _clock,
    Redate: _redate,
}
"""The kinds that do more than enter what was given, and what they do."""
