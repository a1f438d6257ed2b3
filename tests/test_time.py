"""A clock at the command line and at the desk: what is ruled, told, owed and entered."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from datetime import datetime
from pathlib import Path
from typing import Any

import commands
import pytest
from commands import ANA, SECRET, Done, Room, announce, dealt, mail, overridden, pbem
from test_audit import Plain, Tamper, require_found, tampered_header

from pbem.desk.answer import Verdict
from pbem.desk.give import give
from pbem.files import data
from pbem.log import clock, deadlines, seal
from pbem.log.format import Log
from pbem.log.match import Replay
from pbem.log.timing import Clock, Extend, Pause, Resume
from pbem.mailroom import agenda
from pbem.mailroom.agenda import Action, Due, Reminder
from pbem.play import judge
from pbem.problem import Problem

BEGUN = "2026-09-21T10:00:00Z"
LATER = "2026-10-01T10:00:00Z"


class Hour:
    """The injected clock: what the time is set to. Also makes every match be dealt the same."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.patch = patch
        self.set(BEGUN)
        patch.setattr(seal, "new_secret", lambda: SECRET)

    def set(self, moment: str) -> str:
        stamp = int(datetime.fromisoformat(moment).timestamp())
        self.patch.setenv("SOURCE_DATE_EPOCH", str(stamp))
        self.moment = moment
        return moment

    def __call__(self) -> str:
        return self.moment


@pytest.fixture
def hour(monkeypatch: pytest.MonkeyPatch) -> Hour:
    return Hour(monkeypatch)


def new(folder: Path, *more: object, name: str = "m") -> Done:
    seats = ("--seat", f"white=Ana <{ANA}>", "--seat", "black=Ben <ben@example.org>")
    rest = ("-o", "starter=white", "--match", name, "--dir", folder)
    return pbem("new", "kahuna", *overridden((*seats, *rest), *more))


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a match that nobody changes."""
    folder = tmp_path_factory.mktemp("begun")
    with pytest.MonkeyPatch.context() as patch:
        Hour(patch)
        done = new(folder, "--turn", 3, "--zone", "Europe/Berlin", "--silence", "draw or pass")
    assert done.code == 0, done.printed
    return folder


@pytest.fixture
def timed(tmp_path: Path, hour: Hour, begun: Path) -> Room:
    """Ana is to move by Thu 24 Sep, 20:00."""
    shutil.copytree(begun, tmp_path, dirs_exist_ok=True)
    return Room(tmp_path / "m.pbem.yaml")


def due(room: Room) -> dict[str, str]:
    return dict(pbem("show", room.log, "--json").json["clock"]["due"])


# --------------------------------------------------------------------------------- beginning


def test_the_settings_stand_in_the_header_and_in_the_opening_post(
    tmp_path: Path, hour: Hour
) -> None:
    given = "--turn 3 --at 21:30 --zone Europe/Berlin --interrupt 2 --grace 4 --bank 5".split()
    rest = ["--closed", "sat,sun,2026-12-24", "--absences", 20, "--remind", 2]
    done = new(tmp_path, *given, *rest, "--silence", "draw or pass")
    post = " ".join(done.out.split())
    for part in (
        "3 days for each turn. Days are counted at 21:30 (Europe/Berlin)",
        "another's turn you have 2 days",
        "Not counted: Sat, Sun and 2026-12-24",
        "5 days to spare",
        "20 days of absence",
        "2 days before the deadline",
        "4 days of grace. Then this is played: draw or pass",
        "Ana, by Thu 24 Sep 2026, 21:30 CEST (UTC+2); then 5 days to spare and 4 days of grace.",
    ):
        assert part in post
    log = Log.read(str(tmp_path / "m.pbem.yaml"))
    assert log.text.splitlines()[1] == "format: pbem-log/2"
    assert log.header.clock == {
        **clock.Settings("Europe/Berlin", "21:30", 3, 2, 4, 5).plain(),
        "closed": ["sat", "sun", "2026-12-24"],
        "absences": 20,
        "remind": 2,
        "silence": "draw or pass",
    }


def test_without_a_turn_there_is_no_clock_and_the_log_is_as_before(
    tmp_path: Path, hour: Hour
) -> None:
    assert new(tmp_path).code == 0
    log = Log.read(str(tmp_path / "m.pbem.yaml"))
    assert log.text.splitlines()[1] == "format: pbem-log/1"
    assert "clock" not in pbem("show", log.path, "--json").json
    assert deadlines.of(Room(Path(log.path)).read()) is None


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--turn", 0, "--zone", "UTC"], "turn is 0; expected a number of days, 1 to 365"),
        (["--turn", 3], "a clock needs --zone"),
        (["--grace", 3], "a clock needs --turn"),
        (["--turn", 3, "--zone", "Europe/Berln"], "did you mean Europe/Berlin"),
        (["--turn", 3, "--zone", "UTC", "--at", "8 pm"], "expected an hour like 20:00"),
        (
            ["--turn", 3, "--zone", "UTC", "--closed", "mon,tue,wed,thu,fri,sat,sun"],
            "all seven days are closed",
        ),
        (
            ["--turn", 3, "--zone", "UTC", "--closed", "2026-02-30"],
            "closed is ['2026-02-30']; expected",
        ),
        (
            ["--turn", 3, "--zone", "UTC", "--silence", "draw or sleep"],
            "silence brings 'sleep', which is no move of this game",
        ),
    ],
)
def test_what_cannot_be_a_clock_begins_no_match(
    tmp_path: Path, hour: Hour, given: list[object], said: str
) -> None:
    done = new(tmp_path / "x", *given)
    assert done.code == 2
    assert said in done.err
    assert not (tmp_path / "x").exists()


# ----------------------------------------------------------------------------------- rulings


RULINGS = [
    # arguments, what is told, and when Ana's turn ends then
    (["extend", "--by", 2], "The moderator gives Ana 2 days more.", "2026-09-26T18:00:00Z"),
    (["extend", "--by", 1, "--seat", "white"], "Ana 1 day more", "2026-09-25T18:00:00Z"),
    (["pause"], "The moderator pauses the clock.", None),
    (
        ["away", "--seat", "white", "--from", "2026-09-22", "--to", "2026-09-30"],
        "Ana is away from 2026-09-22 to 2026-09-30.",
        "2026-10-03T18:00:00Z",
    ),
    (["clock", "--turn", 5, "--closed", "sat,sun"], "turn 5", "2026-09-28T18:00:00Z"),
]


@pytest.mark.parametrize(
    ("arguments", "told", "ends"), RULINGS, ids=[" ".join(map(str, r[0][:2])) for r in RULINGS]
)
def test_a_ruling_about_time_is_told_verified_and_leaves_the_position_as_it_is(
    timed: Room, arguments: list[object], told: str, ends: str | None
) -> None:
    before, position = timed.log.read_text(), timed.read().position
    _, imagined, *until, _ = pbem("rule", timed.log, *arguments, "--dry").out.splitlines()
    done = pbem("rule", timed.log, *arguments)
    assert done.code == 0, done.printed
    assert until
    assert all(each in " ".join(done.out.split()) for each in (imagined, *until))
    assert told in " ".join(done.out.split())
    assert timed.log.read_text().startswith(before)
    assert told in pbem("log", timed.log).out
    assert due(timed) == {"white": ends}
    assert pbem("verify", timed.log, "--key", timed.desk).code == 0
    assert timed.read().position == position
    # An order that was under way counts.
    answer = timed.mails(mail("draw", subject=f"[m #{position.ply} {position.fingerprint}]"))
    assert answer.verdict == "accepted"


OTHERS = [["resume"], ["back", "--seat", "white"]]


@pytest.mark.parametrize("arguments", [r[0] for r in (*RULINGS[:-1], *((o,) for o in OTHERS))])
def test_without_a_clock_it_is_refused_with_a_way_out(room: Room, arguments: list[object]) -> None:
    with room.unchanged():
        done = pbem("rule", room.log, *arguments)
    assert done.code == 2
    assert "has no clock" in done.err
    assert "pbem rule LOG clock --turn DAYS --zone ZONE" in done.err


def test_a_clock_that_is_set_later_counts_from_then_on(tmp_path: Path, hour: Hour) -> None:
    assert new(tmp_path).code == 0
    room = Room(tmp_path / "m.pbem.yaml")
    assert "clock" not in pbem("show", room.log, "--json").json
    position = room.read().position
    hour.set("2026-10-20T10:00:00Z")
    dry = pbem("rule", room.log, "clock", "--turn", 3, "--zone", "Europe/Berlin", "--dry")
    assert "turn 3" in dry.out
    done = pbem("rule", room.log, "clock", "--turn", 3, "--zone", "Europe/Berlin")
    assert done.code == 0, done.printed
    assert "Ana, by Fri 23 Oct 2026" in " ".join(done.out.split())
    assert due(room) == {"white": "2026-10-23T18:00:00Z"}
    assert room.read().position == position
    assert pbem("verify", room.log, "--key", room.desk).code == 0
    assert pbem("rule", room.log, "pause").code == 0
    assert pbem("rule", room.log, "resume").code == 0
    assert pbem("rule", room.log, "clock", "--turn", 5).code == 0
    assert due(room) == {"white": "2026-10-25T19:00:00Z"}
    hour.set("2026-10-26T10:00:00Z")
    pbem("due", room.log.parent, "--enter")
    assert "has missed the deadline" in pbem("log", room.log).out
    hour.set("2026-10-29T10:00:00Z")
    assert pbem("status", room.log.parent, "--json").json["matches"][0]["clock"]
    played = pbem("rule", room.log, "default", "--seat", "white", "--move", "draw", "--reason", "x")
    assert played.code == 0, played.printed
    assert pbem("verify", room.log, "--key", room.desk).code == 0


@pytest.mark.parametrize(
    ("arguments", "why"),
    [(["--turn", 3], "--zone"), (["--zone", "Europe/Berlin"], "--turn"), ([], "what is to change")],
)
def test_a_first_clock_needs_turn_and_zone(room: Room, arguments: list[object], why: str) -> None:
    with room.unchanged():
        done = pbem("rule", room.log, "clock", *arguments)
    assert done.code == 2
    assert why in done.err


REFUSED = [
    (["extend", "--by", 0], 2, "--by 0: it is a number of days, 1 to 365 or, to take some back"),
    (["extend", "--by", -1], 1, "the days that can be taken back from white are 0"),
    (["extend"], 2, "the ruling extend needs --by"),
    (["extend", "--by", 2, "--seat", "black"], 1, "days can be given to white"),
    (["extend", "--by", 2, "--seat", "red"], 2, "has no seat 'red'"),
    (["resume"], 1, "the clock is not paused"),
    (["back", "--seat", "white"], 1, "white has announced no absence"),
    (["away", "--seat", "white", "--to", "2026-09-30"], 2, "needs --from"),
    (
        ["away", "--seat", "white", "--from", "soon", "--to", "2026-09-30"],
        2,
        "--from soon: it is a date like",
    ),
    (
        ["away", "--seat", "white", "--from", "2026-09-22", "--to", "2026-02-30"],
        2,
        "--to 2026-02-30: it is a date like",
    ),
    (
        ["away", "--seat", "white", "--from", "2026-09-01", "--to", "2026-09-20"],
        2,
        "is over: today is 2026-09-21",
    ),
    (
        ["away", "--seat", "white", "--from", "2026-09-30", "--to", "2026-09-22"],
        1,
        "before it begins",
    ),
    (["away", "--seat", "white", "--from", "2026-09-30", "--to", "9999-12-31"], 1, "no absence"),
    (["clock"], 2, "needs what is to change, like --turn 5"),
    (["clock", "--turn", 0], 2, "turn is 0"),
    (["clock", "--zone", "Nowhere/Land"], 2, "no time zone 'Nowhere/Land'"),
    (
        ["clock", "--turn", 1],
        1,
        "this shortens the turn of white, from Thu 24 Sep 2026, 20:00 CEST (UTC+2) to Tue 22 Sep",
    ),
    (["takeback", "--to", "now", "--reason", "x"], 2, "--to 'now' is no number"),
]


@pytest.mark.parametrize(
    ("arguments", "code", "said"), REFUSED, ids=[" ".join(map(str, r[0])) for r in REFUSED]
)
def test_a_ruling_that_cannot_be_changes_nothing(
    timed: Room, arguments: list[object], code: int, said: str
) -> None:
    with timed.unchanged():
        done = pbem("rule", timed.log, *arguments)
    assert said in done.err
    assert done.code == code


def test_days_that_leave_a_seat_late_are_refused_and_those_given_can_be_taken_back(
    timed: Room, hour: Hour
) -> None:
    hour.set("2026-10-02T10:00:00Z")
    extend = ("rule", timed.log, "extend", "--by")
    with timed.unchanged():
        done = pbem(*extend, 7)
        asks = pbem("submit", timed.log, "--from", "white", stdin="to moderator: I am ill").printed
    assert (done.code, "over for white; the least that leaves them time is --by 8" in done.err) == (
        1,
        True,
    )
    assert "extend --seat white --by 15" in asks
    assert pbem(*extend, 8).code == 0
    assert due(timed) == {"white": "2026-10-02T18:00:00Z"}
    given = pbem(*extend, 2)
    assert "Ana had been given 8 days more for this turn before; --by -8 takes" in given.err
    assert "the days that can be taken back from white are 2" in pbem(*extend, -3).err
    taken = pbem(*extend, -2)
    assert (taken.code, "The moderator takes 2 days back from Ana." in taken.out) == (0, True)
    assert due(timed) == {"white": "2026-10-02T18:00:00Z"}
    assert "taken back from white are 0" in pbem(*extend, -1).err
    assert pbem("verify", timed.log).code == 0


def test_a_turn_is_shortened_only_by_somebody_who_says_so(timed: Room) -> None:
    assert pbem("rule", timed.log, "clock", "--turn", 1, "--yes").code == 0
    assert due(timed) == {"white": "2026-09-22T18:00:00Z"}


def test_a_pause_ends_and_an_absence_too(timed: Room, hour: Hour) -> None:
    for arguments in (
        ["pause"],
        ["resume"],
        ["away", "--seat", "white", "--from", "2026-09-22", "--to", "2026-09-30"],
        ["back", "--seat", "white", "--from", "2026-09-23"],
    ):
        done = pbem("rule", timed.log, *arguments)
        assert done.code == 0, done.err
    assert due(timed) == {"white": "2026-09-25T18:00:00Z"}
    hour.set("2026-09-23T10:00:00Z")
    again = pbem("rule", timed.log, "back", "--seat", "white")
    assert (again.code, "is not away from 2026-09-23 on" in again.err) == (1, True)
    assert "Ana is back from 2026-09-23 on." in pbem("log", timed.log).out
    assert pbem("verify", timed.log).code == 0


def test_moves_that_wait_go_on_waiting(timed: Room, hour: Hour) -> None:
    timed.says("black", "[move]\nnext: draw\n[/move]")
    for arguments in (["extend", "--by", 2], ["pause"], ["resume"], ["clock", "--bank", 2]):
        assert pbem("rule", timed.log, *arguments).code == 0
    assert timed.waiting() == {"black": ("next: draw",)}
    hour.set(LATER)
    assert agenda.enter(str(timed.log), Action("white", Verdict.LATE), commands.at(hour), LATER)
    assert timed.waiting() == {"black": ("next: draw",)}


def test_letters_tell_deadlines_where_their_reader_lives(timed: Room) -> None:
    assert pbem("seat", timed.log, "--seat", "black", "--zone", "Europe/Lodon").code == 2
    assert pbem("seat", timed.log, "--seat", "black", "--zone", "Europe/London").code == 0
    done = pbem("submit", timed.log, "--from", "white", "--json", stdin="draw").json
    post, letters = done["post"], done["letters"]
    assert "by Thu 24 Sep 2026, 20:00 CEST (UTC+2)" in " ".join(post.split())
    assert "by Thu 24 Sep 2026, 20:00 CEST (UTC+2)" in " ".join(letters["white"].split())
    assert "by Thu 24 Sep 2026, 19:00 BST (UTC+1)" in " ".join(letters["black"].split())
    again = pbem("letter", timed.log, "--seat", "black", "--key").out
    assert "19:00 BST" in again
    assert pbem("seat", timed.log, "--seat", "black", "--zone", "").code == 0
    assert "zone" not in timed.desk.read_text()


def test_a_zone_nobody_knows_is_found_before_anything_is_written(timed: Room) -> None:
    timed.desk.write_text(timed.desk.read_text() + "zones: {black: Europe/Lodon}\n")
    with timed.unchanged():
        done = pbem("submit", timed.log, "--from", "white", stdin="draw")
    assert done.code == 65
    assert re.search(r"m\.desk\.yaml:\d+:\d+: .*did you mean Europe/London", done.err)


def test_a_post_does_not_depend_on_when_it_is_printed(timed: Room, hour: Hour) -> None:
    early = pbem("show", timed.log).out, pbem("show", timed.log, "--json").out
    hour.set("2031-01-01T00:00:00Z")
    assert (pbem("show", timed.log).out, pbem("show", timed.log, "--json").out) == early


def test_json_tells_who_is_late_and_who_is_away(timed: Room, hour: Hour) -> None:
    pbem("rule", timed.log, "away", "--seat", "black", "--from", "2026-09-22", "--to", "2026-10-12")
    hour.set(LATER)
    pbem("due", timed.log.parent, "--enter")
    assert pbem("show", timed.log, "--json").json["clock"] == {
        "due": {"white": "2026-09-24T18:00:00Z"},
        "late": ["white"],
        "lapse": {"white": {"at": "2026-10-03T18:00:00Z", "then": "desk"}},
        "away": {"black": [{"first": "2026-09-22", "last": "2026-10-12"}]},
        "paused": False,
    }
    assert fits_its_schema(pbem("show", timed.log, "--json").json)


def fits_its_schema(shown: Any) -> bool:
    from jsonschema import Draft7Validator

    schema = json.loads(data.schema_text("show"))
    Draft7Validator.check_schema(schema)
    Draft7Validator(schema).validate(shown)
    return True


def test_json_keeps_to_its_schema_with_a_clock_and_without(timed: Room) -> None:
    other = dealt(timed.log.parent, name="n")
    assert fits_its_schema(pbem("show", other.log, "--json").json)
    pbem("rule", timed.log, "pause")
    assert fits_its_schema(pbem("show", timed.log, "--json").json)
    pbem("rule", timed.log, "resign", "--seat", "white", "--reason", "x")
    assert fits_its_schema(pbem("show", timed.log, "--json").json)


# ------------------------------------------------------------------------------- what is owed


OWED = [
    # when, what is owed, and what a reminder is for
    ("2026-09-23T18:00:00Z", [], []),
    ("2026-09-23T18:00:01Z", [], ["soon"]),
    ("2026-09-24T18:00:00Z", [], ["soon"]),
    ("2026-09-24T18:00:01Z", [Action("white", Verdict.LATE)], []),
    ("2026-09-20T10:00:00Z", [], []),  # the clock has gone back
]


def reminders(now: Replay, at: str) -> tuple[Reminder, ...]:
    """The reminders that are owed in a match by a moment."""
    due = Due.of(now, at)
    assert due
    return tuple(due.reminders())


@pytest.mark.parametrize(("moment", "owed", "kinds"), OWED)
def test_what_is_owed_by_a_moment(
    timed: Room, moment: str, owed: list[Action], kinds: list[str]
) -> None:
    now = timed.read()
    assert list(agenda.owed(now, moment)) == owed
    assert [each.kind for each in reminders(now, moment)] == kinds


def test_a_clock_behind_the_last_entry_judges_nothing_and_a_mailbox_read_so_far_does(
    timed: Room, hour: Hour
) -> None:
    noted, before = hour.set("2026-09-30T10:00:00Z"), "2026-09-26T10:00:00Z"
    assert pbem("rule", timed.log, "note", "--text", "Good luck").code == 0
    notice = Action("white", Verdict.LATE)
    assert agenda.owed(timed.read(), before) == ()
    assert agenda.owed(timed.read(), before, hour=noted) == (notice,)
    assert agenda.enter(str(timed.log), notice, commands.at(lambda: before), before) is None
    assert agenda.enter(str(timed.log), notice, commands.at(hour), before)


def test_a_notice_then_grace_then_what_silence_brings(timed: Room, hour: Hour) -> None:
    path = str(timed.log)
    notice = Action("white", Verdict.LATE)
    assert agenda.enter(path, notice, commands.at(hour), BEGUN) is None  # it is not owed yet
    entered = agenda.enter(path, notice, commands.at(hour), hour.set("2026-09-25T07:00:00Z"))
    assert entered
    assert (
        agenda.enter(path, notice, commands.at(hour), hour.moment) is None
    )  # it is owed no longer
    assert agenda.owed(timed.read(), "2026-09-27T18:00:00Z") == ()
    lapsed = "2026-09-27T18:00:01Z"
    assert agenda.owed(timed.read(), lapsed) == (Action("white", Verdict.SILENCE, "draw"),)
    silence = Action("white", Verdict.SILENCE, "draw")
    hour.set(lapsed)
    played = agenda.enter(path, silence, commands.at(hour), lapsed)
    assert played
    assert played.match.awaited == ("black",)
    assert agenda.enter(path, silence, commands.at(hour), lapsed) is None
    assert pbem("verify", timed.log, "--key", timed.desk).code == 0
    assert "Ana missed the deadline; this move is played instead." in pbem("log", timed.log).out


def test_a_move_that_arrives_before_anything_was_played_is_played(timed: Room, hour: Hour) -> None:
    agenda.enter(str(timed.log), Action("white", Verdict.LATE), commands.at(hour), hour.set(LATER))
    hour.set("2026-11-01T10:00:00Z")
    assert timed.says("white", "draw").verdict == "accepted"
    assert due(timed) == {"black": "2026-11-04T19:00:00Z"}


@pytest.mark.parametrize(
    ("said", "brings"),
    [
        ("ask", None),
        ("default", None),  # Kahuna says nothing of silence in a turn
        ("pass", "pass"),
        ("ALOA-BARI or ELAI-FAAA", None),  # whatever Ana holds, not these
        ("take ELAI or draw or pass", "draw"),
    ],
)
def test_what_silence_brings(timed: Room, said: str, brings: str | None) -> None:
    now = timed.read()
    step = deadlines.default_step(now, "white", said)
    assert (step and now.game.notate(step.move)) == brings


def test_what_the_rules_say_of_silence_is_played(tmp_path: Path) -> None:
    seats = ("ana", "ben", "cara")
    room = dealt(tmp_path, "kanaloa-piatnik", seats, announce=True)
    now = room.read()
    while now.pending[0].default is None:
        [seat, *_] = now.awaited
        room.says(seat, now.game.notate(judge.legal_moves(now.game, now.state, seat)[0]))
        now = room.read()
    step = deadlines.default_step(now, now.awaited[0], "default")
    assert step
    assert step.move == now.pending[0].default


@pytest.mark.parametrize(
    ("last_run", "yes", "may", "is_believed"),
    [
        ("", False, False, True),
        ("2026-10-10T06:00:00Z", False, True, True),
        ("2026-10-09T12:00:00Z", False, True, True),
        ("2026-10-09T11:59:59Z", False, False, True),
        ("2026-10-01T12:00:00Z", False, False, False),
        ("2026-10-01T12:00:00Z", True, True, True),
    ],
)
def test_an_outage_punishes_nobody(last_run: str, yes: bool, may: bool, is_believed: bool) -> None:
    now = "2026-10-10T12:00:00Z"
    assert agenda.may_play(now, last_run, yes=yes) is may
    assert agenda.believed(now, last_run, yes=yes) is is_believed


def test_a_reminder_has_a_name_and_the_newest_only_is_owed(timed: Room, hour: Hour) -> None:
    pbem("rule", timed.log, "clock", "--bank", 2)
    soon, over = "2026-09-24T10:00:00Z", "2026-09-25T10:00:00Z"
    [first] = reminders(timed.read(), soon)
    [second] = reminders(timed.read(), over)
    assert (first.kind, second.kind) == ("soon", "overdrawn")
    assert first.key == "m-9-white-soon-2026-09-23"
    pbem("rule", timed.log, "note", "--text", "x")
    assert reminders(timed.read(), soon)[0].key == first.key
    abroad = first._replace(zone="America/New_York")
    assert "Thu 24 Sep 2026, 14:00 EDT" in abroad.sentence().text()


# ----------------------------------------------------------------------------------- pbem due


def test_due_tells_what_to_post_and_enters_notices_when_asked_to(
    timed: Room, hour: Hour, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = timed.log.parent
    assert "nobody is to be reminded" in pbem("due", folder).out
    hour.set("2026-09-24T10:00:00Z")
    [title, soon, *_] = filter(None, pbem("due", folder, "--format", "bgg").out.splitlines())
    assert title == f"[b]Kahuna · m · {str(timed.read().position).replace(' ', ' · ')}[/b]"
    assert soon == "[i]The turn of Ana ends soon.[/i]"
    hour.set("2026-09-25T10:00:00Z")
    with timed.unchanged():
        assert "Ana has missed the deadline; a notice is owed" in pbem("due", folder).out
    told = pbem("due", folder, "--enter").out
    told = " ".join(told.split())
    assert "The turn of Ana ended on Thu 24 Sep 2026, 20:00 CEST (UTC+2). It's Ana's turn." in told
    assert "Ana: the deadline has passed; the days of grace end Sun 27" in told
    assert "Then this is played: draw or pass; else the moderator decides." in told
    hour.set("2026-09-28T10:00:00Z")
    with timed.unchanged():
        told = pbem("due", folder, "--enter").out
    match = folder / "m"
    assert told.splitlines() == [
        "m: the days of grace of Ana are over; silence brings draw",
        f"  pbem rule {match} default --seat white --move draw --reason late",
    ]
    assert pbem("due", folder, "--json").json["matches"][0]["owed"] == [
        {"seat": "white", "kind": "silence", "move": "draw"}
    ]
    apart = folder.parent / "our club's matches"
    folder.rename(apart)
    monkeypatch.chdir(apart.parent)
    [command] = re.findall("  pbem (.*)", pbem("due", apart.name).out)
    assert pbem(*shlex.split(command)).code == 0, "what is printed can be entered as it is"
    assert Room(apart / timed.log.name).read().awaited == ("black",)


def test_what_due_prints_to_enter_a_notice_can_be_pasted(
    timed: Room, hour: Hour, monkeypatch: pytest.MonkeyPatch
) -> None:
    hour.set("2026-09-25T10:00:00Z")
    for where, named in ((timed.log.parent, "."), (timed.log.parent.parent, timed.log.parent.name)):
        monkeypatch.chdir(where)
        [command] = re.findall("  pbem (.*)", pbem("due", named).out)
        assert shlex.split(command) == ["due", named, "--enter"]


def test_what_is_to_be_done_by_hand_is_counted_above_the_list_and_typed_once(
    tmp_path: Path, hour: Hour
) -> None:
    for name in ("m1", "m2", "m3"):
        new(tmp_path, "--turn", 3, "--zone", "Europe/Berlin", name=name)
    new(tmp_path, "--turn", 3, "--zone", "Europe/Berlin", "--bank", 4, name="spares")
    hour.set("2026-09-25T10:00:00Z")
    assert pbem("status", tmp_path).out.startswith(f"3 seats need you: `pbem due {tmp_path}`\n")
    done = pbem("due", tmp_path)
    assert done.out.count("a notice is owed") == 3
    assert done.out.count(f"  pbem due {tmp_path} --enter\n") == 1
    assert done.err == "pbem: spares: to be posted:\n\n"
    post = done.out.partition("Kahuna - spares")[2]
    assert "By\nMon 28 Sep 2026, 20:00 CEST (UTC+2); then 2 days of grace." in post
    assert "4 days" not in post


def test_due_writes_each_post_in_the_dialect_of_its_match_unless_told_another(
    timed: Room, hour: Hour
) -> None:
    timed.desk.write_text(timed.desk.read_text() + "dialect: bgg\n")
    hour.set("2026-09-24T10:00:00Z")
    assert pbem("due", timed.log.parent).out.startswith("[b]Kahuna · m")
    assert pbem("due", timed.log.parent, "--format", "text").out.startswith("Kahuna - m")


def test_due_says_that_the_clock_is_behind_a_log(timed: Room, hour: Hour) -> None:
    hour.set("2026-09-01T10:00:00Z")
    assert "nothing is judged" in pbem("due", timed.log.parent).out


def test_due_goes_on_past_a_match_that_cannot_be_read(timed: Room, hour: Hour) -> None:
    (timed.log.parent / "a.pbem.yaml").write_text("nonsense")
    hour.set("2026-09-24T10:00:00Z")
    done = pbem("due", timed.log.parent)
    assert "a.pbem.yaml" in done.err
    assert "The turn of Ana ends soon." in done.out
    assert pbem("due", timed.log.parent / "nowhere").code == 66


# -------------------------------------------------------------------------------------- verify


def forged(room: Room, at: str, **entry: Any) -> Done:
    """The log with one more ruling, written by whoever wants to."""
    log = Log.read(str(room.log))
    room.log.write_text(log.extend({"by": "moderator", **entry, "at": at}).text)
    return pbem("verify", room.log, "--key", room.desk)


def test_verify_finds_a_notice_that_came_too_early_or_twice(timed: Room) -> None:
    late = {"ruling": "late", "seat": "white"}
    before = timed.log.read_text()
    done = forged(timed, "2026-09-24T18:00:00Z", **late)
    assert done.code == 65
    assert (
        "this notice is too early: white has time until Thu 24 Sep 2026, 20:00 CEST (UTC+2)"
        in done.out
    )
    timed.log.write_text(before)
    assert forged(timed, "2026-09-24T18:00:01Z", **late).code == 0
    assert "white has a notice already" in forged(timed, "2026-09-24T18:00:02Z", **late).out
    timed.log.write_text(before)
    assert "black is not asked for a move" in forged(timed, LATER, ruling="late", seat="black").out


def test_verify_finds_an_absence_beyond_what_a_seat_may_announce(timed: Room) -> None:
    log = Log.read(str(timed.log))
    absence = {"seat": "white", "first": "2026-10-01", "last": "2026-11-30", "at": LATER}
    with pytest.raises(Problem, match="can announce 28 days of absence"):
        log.extend({"ruling": "away", "by": "white", **absence})
    timed.log.write_text(log.extend({"ruling": "away", "by": "moderator", **absence}).text)
    assert pbem("verify", timed.log).code == 0


@pytest.fixture
def ruled_about(timed: Room, hour: Hour) -> Room:
    """Days given, an absence, a notice, what silence brought and another clock, all in order."""
    path = str(timed.log)
    hour.set("2026-09-22T09:00:00Z")
    here = commands.at(hour)
    give(path, Extend, here, {"by": 1})
    announce(path, here, "white", "2026-09-23", "2026-09-23")
    for moment in ("2026-09-26T18:00:01Z", "2026-09-28T18:00:01Z"):
        [owed] = agenda.owed(Room(timed.log).read(), hour.set(moment))
        assert agenda.enter(path, owed, commands.at(hour), moment)
    give(path, Clock, here, {"turn": 4})
    assert pbem("verify", path, "--key", timed.desk).code == 0
    return timed


def test_by_hand_too_nothing_is_played_for_somebody_who_has_time(timed: Room, hour: Hour) -> None:
    rule = ("rule", timed.log, "default", "--seat", "white", "--reason", "x", "--move")
    path, notice = str(timed.log), "2026-09-24T18:00:01Z"

    def refused() -> str:
        with timed.unchanged():
            done = pbem(*rule, "draw")
        assert done.code == 1
        assert "pbem submit --from white" in done.err
        return done.err

    assert "white has time until Thu 24 Sep 2026, 20:00 CEST (UTC+2)" in refused()
    hour.set(notice)
    assert "white has had no notice" in refused()
    assert agenda.enter(path, Action("white", Verdict.LATE), commands.at(hour), notice)
    assert "the days of grace of white are not over" in refused()
    give(path, Pause, commands.at(hour), {})
    assert "the clock is paused" in refused()
    give(path, Resume, commands.at(hour), {})
    hour.set("2026-09-26T18:00:01Z")
    for move in ("DUDA-BARI", "draw"):  # a turn that was begun for Ana is played to its end
        done = pbem(*rule, move)
        assert done.code == 0, done.err
    assert pbem("verify", path, "--key", timed.desk).code == 0


def test_where_nobody_sits_nobody_is_waited_for(tmp_path: Path, hour: Hour) -> None:
    seats = [
        word for name in ("Ana", "Ben", "Cleo") for word in ("--seat", f"{name.lower()}={name}")
    ]
    given = ("--turn", 3, "--zone", "UTC", "--match", "b", "--dir", tmp_path)
    assert pbem("new", "kanaloa-piatnik", *seats, *given).code == 0
    room = Room(tmp_path / "b.pbem.yaml")
    seat = room.read().awaited[0]
    move = pbem("moves", room.log, "--key", room.desk, "--json").json["moves"][seat][0]
    rule = ("rule", room.log, "default", "--seat", seat, "--move", move, "--reason", "x")
    assert pbem(*rule).code == 1
    assert pbem("rule", room.log, "resign", "--seat", seat, "--reason", "x").code == 0
    done = pbem(*rule)
    assert done.code == 0, done.err
    assert pbem("verify", room.log, "--key", room.desk).code == 0


def _ruling(entries: list[Plain], kind: str) -> Plain:
    return next(each for each in entries if each.get("ruling") == kind)


def _place(entries: list[Plain], kind: str) -> int:
    return entries.index(_ruling(entries, kind))


def _swapped(entries: list[Plain], one: str, other: str) -> None:
    """Two rulings, each where the other stood and when it was."""
    i, j = _place(entries, one), _place(entries, other)
    entries[i], entries[j] = (
        {**entries[j], "at": entries[i]["at"]},
        {**entries[i], "at": entries[j]["at"]},
    )


AT = "2026-09-28T18:00:02Z"
RULED = {"by": "moderator", "at": AT}
FORGED: list[tuple[str, Tamper, str]] = [
    (
        "a notice on the second of the deadline",
        lambda e: _ruling(e, "late").update(at="2026-09-26T18:00:00Z"),
        "this notice is too early: white has time until Sat 26 Sep 2026, 20:00 CEST (UTC+2)",
    ),
    (
        "a second notice",
        lambda e: e.insert(_place(e, "late") + 1, dict(_ruling(e, "late"))),
        "white has a notice already",
    ),
    (
        "a notice to who is not asked",
        lambda e: _ruling(e, "late").update(seat="black"),
        "black is not asked for a move here",
    ),
    (
        "a notice by a seat",
        lambda e: _ruling(e, "late").update(by="black"),
        "only the moderator gives this ruling, not black",
    ),
    (
        "a notice before the days that were given",
        lambda e: _swapped(e, "late", "extend"),
        "this notice is too early",
    ),
    (
        "a notice that stands before and is dated after",
        lambda e: e.insert(_place(e, "extend"), e.pop(_place(e, "late"))),
        "time runs back",
    ),
    (
        "days that a seat gives itself",
        lambda e: _ruling(e, "extend").update(by="white"),
        "only the moderator gives this ruling, not white",
    ),
    (
        "more days than were given",
        lambda e: _ruling(e, "extend").update(days=2),
        "this notice is too early",
    ),
    ("days for nobody", lambda e: _ruling(e, "extend").update(seats=[]), "no seat gets these days"),
    (
        "an absence beyond what a seat may announce",
        lambda e: _ruling(e, "away").update(last="2026-10-31"),
        "white can announce 28 days of absence",
    ),
    (
        "an absence that somebody else announces",
        lambda e: _ruling(e, "away").update(by="black"),
        "black cannot speak for white",
    ),
    (
        "an absence that ends before it begins",
        lambda e: _ruling(e, "away").update(last="2026-09-20"),
        "cannot end on 2026-09-20, before it begins",
    ),
    (
        "a seat that is back from nowhere",
        lambda e: e.append({"ruling": "back", "seat": "black", "first": "2026-09-28", **RULED}),
        "black has announced no absence",
    ),
    (
        "a pause by a seat",
        lambda e: e.append({"ruling": "pause", **RULED, "by": "white"}),
        "only the moderator gives this ruling, not white",
    ),
    (
        "a pause that hides what was late",
        lambda e: e.insert(
            _place(e, "late"), {"ruling": "pause", **RULED, "at": "2026-09-26T18:00:00Z"}
        ),
        "this notice is too early",
    ),
    (
        "the end of no pause",
        lambda e: e.append({"ruling": "resume", **RULED}),
        "the clock is not paused",
    ),
    (
        "a clock by a seat",
        lambda e: _ruling(e, "clock").update(by="white"),
        "only the moderator gives this ruling, not white",
    ),
    (
        "a clock in no known zone",
        lambda e: _ruling(e, "clock")["settings"].update(zone="Europe/Berln"),
        "did you mean Europe/Berlin",
    ),
    (
        "a clock whose silence is no move",
        lambda e: _ruling(e, "clock")["settings"].update(silence="hop or pass"),
        "silence brings 'hop', which is no move of this game",
    ),
    (
        "a default without its move",
        lambda e: e.__delitem__(slice(_place(e, "default") + 1, _place(e, "clock"))),
        "after a default comes the move played for white",
    ),
]


@pytest.mark.parametrize(
    ("change", "said"), [each[1:] for each in FORGED], ids=[each[0] for each in FORGED]
)
def test_what_is_forged_about_time_is_found_with_its_line(
    ruled_about: Room, change: Tamper, said: str
) -> None:
    require_found(ruled_about, change, said)


def test_verify_says_where_a_zone_is_not_known(timed: Room) -> None:
    header = Log.read(str(timed.log)).header
    other = header._replace(clock={**(header.clock or {}), "zone": "Europe/Berln"})
    timed.log.write_text(other.text())
    done = pbem("verify", timed.log)
    assert done.code == 65
    assert re.search(r"m\.pbem\.yaml:\d+:\d+: there is no time zone 'Europe/Berln'", done.out)
    shown = pbem("show", timed.log)
    assert shown.code == 0
    assert "No deadline: there is no time zone 'Europe/Berln'" in " ".join(shown.out.split())


def test_a_match_whose_zone_is_not_known_is_listed_with_the_reason(timed: Room) -> None:
    assert pbem("rule", timed.log, "clock", "--bank", 2).code == 0
    assert timed.says("white", "draw").verdict == "accepted"
    tampered_header(timed, timed.log.read_text().replace("Europe/Berlin", "Europe/Berln"))
    [match] = pbem("status", timed.log.parent, "--json").json["matches"]
    assert match["awaited"] == ["black"]
    assert "no deadline is judged: there is no time zone 'Europe/Berln'" in match["problems"][0]


# ----------------------------------------------------------------------------------- since when


def test_another_s_answer_does_not_move_since_when_a_seat_is_asked(
    tmp_path: Path, hour: Hour
) -> None:
    seats = ("ana", "ben", "cara")
    room = dealt(tmp_path, "kanaloa-piatnik", seats, announce=True, announce_order="simultaneous")
    while (now := room.read()).awaited != seats:
        [seat] = now.awaited
        room.says(seat, now.game.notate(judge.legal_moves(now.game, now.state, seat)[0]))
    [before] = pbem("status", tmp_path, "--json").json["matches"]
    hour.set("2026-09-25T10:00:00Z")
    assert room.says("cara", "no announce").verdict == "accepted"
    [after] = pbem("status", tmp_path, "--json").json["matches"]
    assert after["awaited"] == ["ana", "ben"]
    assert after["since"] == before["since"]


def test_own_moves_do_not_move_it_either(timed: Room, hour: Hour) -> None:
    hour.set("2026-09-22T10:00:00Z")
    timed.says("white", "DUDA-BARI")
    folder = timed.log.parent
    assert pbem("status", folder, "--json").json["matches"][0]["since"] == BEGUN
    timed.says("white", "draw")
    [match] = pbem("status", folder, "--json").json["matches"]
    assert match["since"] == "2026-09-22T10:00:00Z"


# ----------------------------------------------------------------------------------- calendar


def test_a_calendar_is_read_back_without_loss(tmp_path: Path, hour: Hour) -> None:
    icalendar = pytest.importorskip("icalendar")
    zone = ("--turn", 3, "--zone", "Europe/Berlin")
    for number in range(3):
        new(tmp_path, *zone, name=f"m{number}")
    odd = 'Ána; "Zoë", \\ the 1st of the ' + "ö" * 60
    new(tmp_path, *zone, "--seat", f"white={odd}", name="odd")
    done = pbem("status", tmp_path, "--ics", tmp_path / "d.ics")
    assert done.code == 0, done.err
    raw = (tmp_path / "d.ics").read_bytes()
    assert raw.count(b"\n") == raw.count(b"\r\n")
    assert max(map(len, raw.split(b"\r\n"))) <= 75
    events = icalendar.Calendar.from_ical(raw).walk("VEVENT")
    assert len(events) == 4
    assert len({str(event["UID"]) for event in events}) == 4
    assert {event["DTSTART"].dt.isoformat() for event in events} == {"2026-09-24T18:00:00+00:00"}
    assert any(odd in str(event["SUMMARY"]) for event in events)
    assert all("by Thu 24 Sep 2026, 20:00 CEST" in str(event["DESCRIPTION"]) for event in events)


def test_an_event_moves_with_its_deadline_and_a_new_turn_is_another(
    timed: Room, hour: Hour
) -> None:
    folder = timed.log.parent

    def event() -> tuple[str, str]:
        pbem("status", folder, "--ics", folder / "d.ics")
        text = (folder / "d.ics").read_text()
        return re.findall(r"UID:(\S+)", text)[0], re.findall(r"DTSTART:(\S+)", text)[0]

    first = event()
    pbem("rule", timed.log, "extend", "--by", 2)
    second = event()
    assert (second[0], second[1]) == (first[0], "20260926T180000Z")
    timed.says("white", "draw")
    assert event()[0] != first[0]
    pbem("rule", timed.log, "pause")
    pbem("status", folder, "--ics", folder / "d.ics")
    assert "VEVENT" not in (folder / "d.ics").read_text()


# ---------------------------------------------------------------------------- what it does not cost


def test_a_match_without_a_clock_loads_no_time_zones(room: Room) -> None:
    import subprocess
    import sys

    code = (
        "import sys; sys.argv = ['pbem', 'show', sys.argv[1], '--format', 'json']\n"
        "from pbem.cli import main; main()\n"
        "rooms = ('clock', 'deadlines', 'silence', 'timetable', 'turns')\n"
        "wanted = {'zoneinfo', *(f'pbem.log.{room}' for room in rooms)}\n"
        "sys.exit(', '.join(wanted & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(room.log)], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert json.loads(done.stdout)["match"] == "m"


def test_the_settings_of_a_clock_are_chosen_over_those_before(timed: Room) -> None:
    game = timed.read().game
    one = clock.settings(game, {"turn": 2, "zone": "UTC"})
    assert clock.settings(game, {"bank": 3}, one) == {**one, "bank": 3}
    assert clock.chosen({"closed": "none"}) == {"closed": []}
    assert clock.chosen({"closed": "Sat, sun"}) == {"closed": ["sat", "sun"]}


def test_pages_and_the_site_say_until_when(timed: Room, tmp_path: Path) -> None:
    web = tmp_path / "web"
    assert pbem("site", timed.log.parent, "--out", web).code == 0
    index, page = (
        " ".join((web / name).read_text().split()) for name in ("index.html", "match-m.html")
    )
    until = '<time datetime="2026-09-24T18:00:00Z">until Thu 24 Sep, 20:00 CEST</time>'
    assert f"<b>Ana</b> {until}<p>Play any number of cards, then" in index
    assert "By Thu 24 Sep 2026, 20:00 CEST (UTC+2); then 2 days of grace." in page


@pytest.mark.parametrize(
    "wrong", ["abc", "1.5", "-7", "10_000", "\uff19", "253402300800", "9" * 5000]
)
def test_a_clock_that_no_log_can_write_is_blamed_by_its_name(
    timed: Room, monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", wrong)
    with timed.unchanged():
        for command in (["verify"], ["show"], ["submit", "--from", "white"], ["due"]):
            done = pbem(command[0], timed.log, *command[1:], stdin="draw")
            if done.code or command[0] == "submit":
                assert done.code == 2, done.printed
                assert f"SOURCE_DATE_EPOCH is '{wrong[:50]}" in done.err
                assert str(timed.log) not in done.err


def test_a_clock_that_is_years_ahead_is_asked_about_before_it_is_written(
    timed: Room, hour: Hour
) -> None:
    hour.set("2056-01-01T00:00:00Z")
    with timed.unchanged():
        played = pbem("submit", timed.log, "--from", "white", stdin="draw")
        ruled = pbem("rule", timed.log, "note", "--text", "hello")
    for done in (played, ruled):
        assert done.code == 1
        assert "the clock says 2056-01-01T00:00:00Z, but the newest entry is of 2026-" in done.err
        assert f"pbem rule {timed.log} redate" in done.err
    assert pbem("rule", timed.log, "redate").code == 0
    assert pbem("submit", timed.log, "--from", "white", stdin="draw").code == 0
    assert pbem("verify", timed.log, "--key", timed.desk).code == 0


def test_a_match_that_rests_for_a_year_and_a_half_goes_on_unasked(timed: Room, hour: Hour) -> None:
    hour.set("2028-03-01T00:00:00Z")
    assert pbem("submit", timed.log, "--from", "white", stdin="draw").code == 0
