"""What the moderator decides: appended with its reason, and nothing is ever deleted."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from commands import ANA, Done, Room, dealt, mail, pbem

from pbem.core import CHANCE
from pbem.desk import give
from pbem.log import chance
from pbem.log.match import changed
from pbem.log.rulings import GIVEN, Note, Restore, Ruled, Takeback
from pbem.play import games, options
from pbem.play import judge as play
from pbem.testing.random_matches import play_out, variants


@pytest.fixture
def on(room: Room) -> Room:
    """Plies 10 to 15: white builds twice and passes, black builds, takes, and chance lays."""
    room.says("white", "DUDA-BARI; KAHU-COCO; pass")
    room.says("black", "GOLA-COCO; take FAAA")
    return room


def last(room: Room) -> Ruled:
    """The newest ruling."""
    return next(e for e in reversed(room.read().log.entries) if isinstance(e, Ruled))


RULINGS = [
    # arguments, what is told, who is awaited after it
    (["note", "--text", "Ben is away until Monday"], "Ben is away until Monday", ["white"]),
    (["takeback", "--to", "13", "--revealed", "--reason", "misread"], "plies 14 to 15", ["black"]),
    (
        ["default", "--seat", "white", "--move", "draw", "--reason", "late"],
        "Ana missed the deadline; this move is played instead.",
        ["black"],
    ),
    (
        ["substitute", "--seat", "black", "--player", "Zoe <zoe@example.org>", "--reason", "away"],
        "Zoe takes the seat black",
        ["white"],
    ),
    (["resign", "--seat", "black", "--reason", "by mail"], "Ben resigns.", []),
    (["end", "--winner", "white", "--reason", "agreed"], "Ana wins", []),
    (["end", "--reason", "both gone"], "nobody wins", []),
]


@pytest.mark.parametrize(
    ("arguments", "told", "awaited"), RULINGS, ids=[" ".join(r[0][:2]) for r in RULINGS]
)
def test_a_ruling_is_appended_posted_told_in_the_log_and_verified(
    on: Room, arguments: list[str], told: str, awaited: list[str]
) -> None:
    before = on.log.read_text()
    done = pbem("rule", on.log, *arguments)
    assert done.code == 0, done.printed
    flat = " ".join(done.out.split())
    assert told in flat
    assert on.log.read_text().startswith(before)
    chronicle = pbem("log", on.log).out
    assert told in chronicle
    if "--reason" in arguments:
        assert f"Reason: {arguments[-1]}" in chronicle
    assert list(on.read().awaited) == awaited
    assert pbem("verify", on.log, "--key", on.desk).code == 0
    assert pbem("verify", on.log).code == 0


def options_of(printed: str) -> set[str]:
    return set(re.findall(r"^  --([a-z-]+)", printed, re.MULTILINE))


COMMON = {"reason", "letters", "all-letters", "format", "short", "told", "dry", "json", "help"}


@pytest.mark.parametrize("kind", GIVEN)
def test_the_help_of_a_ruling_shows_its_own_options_and_nothing_else(kind: str) -> None:
    done = pbem("rule", "LOG", kind, "--help")
    assert done.code == 0
    own = {each.name for each in GIVEN[kind].options or ()}
    assert options_of(done.out) == COMMON | own
    assert set(re.findall(r"--([a-z-]+)", done.out)) == COMMON | own | {"whole"}


def test_the_help_of_rule_lists_every_kind_that_can_be_given() -> None:
    shown = pbem("rule", "--help").out
    assert options_of(shown) == COMMON
    assert set(re.findall(r"^  ([a-z-]+)  +\S", shown, re.MULTILINE)) >= set(GIVEN)


def test_an_unknown_kind_names_the_nearest_and_an_option_of_another_is_refused(on: Room) -> None:
    with on.unchanged():
        unknown = pbem("rule", on.log, "takebak", "--to", 13, "--reason", "x")
        other = pbem("rule", on.log, "takeback", "--to", 13, "--winner", "white", "--reason", "x")
    assert (unknown.code, other.code) == (2, 2)
    assert "did you mean takeback?" in unknown.err
    assert "--winner" in other.err


def test_options_may_stand_before_the_kind(on: Room) -> None:
    done = pbem("rule", "--reason", "misread", "--to", "14", on.log, "--revealed", "takeback")
    assert done.code == 0, done.printed
    assert isinstance(last(on).ruling, Takeback)


# ------------------------------------------------------------------------------- the way back


def known(room: Room) -> object:
    """Where a match stands, for everybody."""
    shown = [pbem("show", room.log, "--json", *who) for who in ([], *AS)]
    assert all(each.code == 0 for each in shown)
    return [each.json for each in shown]


AS = (["--as", "white"], ["--as", "black"], ["--key", "m.desk.yaml"])


def take_back(room: Room, to: int) -> None:
    done = pbem("rule", room.log, "takeback", "--to", to, "--revealed", "--reason", "oops")
    assert done.code == 0, done.printed


def restore(room: Room) -> None:
    done = pbem("rule", room.log, "restore")
    assert done.code == 0, done.printed


@pytest.mark.parametrize("to", [0, 7, 12, 13, 14])
def test_a_restored_takeback_leaves_the_match_as_it_was_also_where_it_drew_anew(
    on: Room, to: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(on.log.parent)
    was, fence = known(on), on.read().position
    take_back(on, to)
    assert known(on) != was
    restore(on)
    assert known(on) == was
    assert isinstance(last(on).ruling, Restore)
    answer = on.says("white", f"[move] {fence}\ndraw\n[/move]")
    assert answer.steps, answer.why
    ended = [ply.number for ply, _ in on.read().plies]
    assert ended[:15] == [*range(1, 16)]
    assert pbem("verify", on.log, "--key", on.desk).code == 0
    assert pbem("verify", on.log).code == 0


def test_takebacks_are_restored_one_after_the_other_the_latest_first(
    on: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(on.log.parent)
    was = [known(on)]
    for to in (14, 13, 10):
        take_back(on, to)
        was.append(known(on))
    for then in was[-2::-1]:
        restore(on)
        assert known(on) == then
    assert pbem("verify", on.log, "--key", on.desk).code == 0


@pytest.mark.parametrize("ending", [["resign", "--seat", "black"], ["end", "--winner", "white"]])
def test_an_ending_that_a_takeback_took_back_is_restored_with_it(
    on: Room, ending: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(on.log.parent)
    pbem("rule", on.log, *ending, "--reason", "x")
    was = known(on)
    take_back(on, 11)
    restore(on)
    assert known(on) == was
    assert pbem("verify", on.log, "--key", on.desk).code == 0
    assert pbem("rule", on.log, "reopen", "--reason", "x").code == 0


@pytest.mark.parametrize("played", [False, True])
def test_nothing_is_restored_unless_something_was_taken_back_and_nobody_has_played_since(
    on: Room, played: bool
) -> None:
    if played:
        take_back(on, 13)
        on.says("black", "draw")
    with on.unchanged():
        done = pbem("rule", on.log, "restore", "--reason", "x")
    assert done.code != 0
    assert "nothing was taken back" in done.err


DRY = [
    (["takeback", "--to", "13"], ["#14", "#15", "Drawn", "--revealed", "Reason: ... (known"]),
    (["note", "--text", "hello"], ["hello"]),
    (["default", "--seat", "white", "--move", "draw"], ["Played for Ana: draw"]),
    (["resign", "--seat", "black"], ["Ben resigns"]),
    (["end"], ["nobody wins"]),
]


@pytest.mark.parametrize(("arguments", "told"), DRY, ids=[each[0][0] for each in DRY])
def test_a_dry_ruling_says_what_it_would_do_and_writes_nothing(
    on: Room, arguments: list[str], told: list[str]
) -> None:
    files = on.files()
    letters = on.log.parent / "letters"
    done = pbem("rule", on.log, *arguments, "--dry", "--letters", letters)
    assert done.code == 0, done.printed
    assert all(each in done.out for each in told), done.out
    assert "Ana and Ben will be told" in done.out
    assert done.out.count("Played for") == (arguments[0] == "default")  # not what chance draws
    assert on.files() == files
    assert not letters.exists()


def test_a_dry_takeback_asks_for_the_word_that_is_lacking_alone(on: Room) -> None:
    line = ("rule", on.log, "takeback", "--to", 13, "--dry")
    assert "It takes --revealed" in pbem(*line).out
    assert "It takes" not in pbem(*line, "--revealed").out


def test_a_dry_restore_names_what_stands_again_and_no_card_that_is_drawn_later(on: Room) -> None:
    take_back(on, 14)
    done = pbem("rule", on.log, "restore", "--dry", "--json")
    assert done.json["restores"] == [15]
    assert done.json["strikes"] == [16]
    assert done.json["drawn"] == [{"ply": 16, "move": on.read().plies[-1][0].move}]
    dry = pbem("rule", on.log, "takeback", "--to", 12, "--dry")
    assert "#17" not in dry.out


# ------------------------------------------------------------------------------- takeback


def test_struck_plies_stay_and_plies_keep_their_numbers(on: Room) -> None:
    done = pbem("rule", on.log, "takeback", "--to", 13, "--revealed", "--reason", "misread")
    assert done.code == 0
    assert [ply.number for ply, _ in on.read().plies] == list(range(1, 14))
    on.says("black", "draw")
    assert [ply.number for ply, _ in on.read().plies] == [*range(1, 14), 16, 17]
    lines = pbem("log", on.log).out.splitlines()
    struck = [line for line in lines if line.endswith("(taken back)")]
    assert {line.split(":")[0] for line in struck} == {"14", "15"}
    assert not [line for line in lines if line.startswith("13:") and "taken back" in line]


def test_a_takeback_leads_back_to_the_very_position(on: Room) -> None:
    then = pbem("show", on.log, "--json", "--at", 11, "--key", on.desk).json["view"]
    assert pbem("rule", on.log, "takeback", "--to", 11, "--revealed", "--reason", "x").code == 0
    assert pbem("show", on.log, "--json", "--key", on.desk).json["view"] == then


def test_a_takeback_past_a_draw_needs_a_word_and_says_what_was_seen(on: Room) -> None:
    with on.unchanged():
        done = pbem("rule", on.log, "takeback", "--to", 13, "--reason", "misread")
    assert done.code == 1
    assert "--revealed" in done.err
    assert re.search(r"#15\b", done.err)
    pbem("rule", on.log, "takeback", "--to", 13, "--revealed", "--reason", "misread")
    assert re.search(r"misread \(known by then: #15 deal [A-Z]{4}\)", last(on).reason)


def test_a_takeback_names_no_card_that_only_one_seat_saw(room: Room) -> None:
    room.says("white", "draw")
    pbem("rule", room.log, "takeback", "--to", 9, "--revealed", "--reason", "misread")
    assert last(room).reason == "misread"
    again = pbem("rule", room.log, "takeback", "--to", 9, "--revealed", "--reason", "misread")
    assert "no ply after #9 to take back; the last that stands is #9" in again.err


def test_of_many_draws_that_are_taken_back_the_latest_are_named(
    on: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(give, "MOST_KNOWN", 2)
    for seat in ("white", "black"):
        on.says(seat, f"take {on.read().game.view(on.read().state)['display'][0]}")
    pbem("rule", on.log, "takeback", "--to", 9, "--revealed", "--reason", "misread")
    told = (
        r"misread \(known by then: 3 draws, the latest of them #17 deal \w{4} and #19 deal \w{4}\)"
    )
    assert re.fullmatch(told, last(on).reason), last(on).reason


def test_a_takeback_of_plain_moves_needs_no_such_word(room: Room) -> None:
    room.says("white", "DUDA-BARI; KAHU-COCO")
    assert pbem("rule", room.log, "takeback", "--to", 10, "--reason", "agreed").code == 0
    assert [p.move for p, _ in room.read().plies if p.seat != CHANCE] == ["DUDA-BARI"]


@pytest.mark.parametrize("ending", [["resign", "--seat", "black"], ["end", "--winner", "white"]])
def test_a_takeback_takes_back_an_ending_too(on: Room, ending: list[str]) -> None:
    assert pbem("rule", on.log, *ending, "--reason", "x").code == 0
    done = pbem("rule", on.log, "takeback", "--to", 11, "--revealed", "--reason", "a mistake")
    assert done.code == 0
    assert "To answer" in done.out


def test_a_takeback_after_a_takeback_strikes_what_still_stands(on: Room) -> None:
    pbem("rule", on.log, "takeback", "--to", 13, "--revealed", "--reason", "one")
    on.says("black", "draw")
    done = pbem("rule", on.log, "takeback", "--to", 12, "--revealed", "--reason", "two")
    assert done.code == 0
    assert last(on).ruling == Takeback((13, 16, 17))
    assert [ply.number for ply, _ in on.read().plies] == list(range(1, 13))
    assert pbem("verify", on.log, "--key", on.desk).code == 0


def test_what_is_drawn_after_a_takeback_is_drawn_anew(room: Room) -> None:
    """A new ply number is a new draw: nobody can take back and get what he saw for certain."""
    room.says("white", "draw")
    pbem("rule", room.log, "takeback", "--to", 9, "--revealed", "--reason", "x")
    room.says("white", "draw")
    numbers = [ply.number for ply, _ in room.read().plies if ply.seat == CHANCE]
    assert numbers[-1] == 13
    assert pbem("verify", room.log, "--key", room.desk).code == 0


@pytest.mark.parametrize("to", [0, 1, 4, 8, 10])
def test_a_takeback_that_ends_on_a_draw_draws_anew_at_once(room: Room, to: int) -> None:
    room.says("white", "draw")
    done = pbem("rule", room.log, "takeback", "--to", to, "--revealed", "--reason", "x", "--json")
    assert done.code == 0, done.printed
    assert done.json["awaited"]
    numbers = [ply.number for ply, _ in room.read().plies]
    assert numbers == [*range(1, to + 1), *range(12, 12 + len(numbers) - to)]
    assert pbem("verify", room.log, "--key", room.desk).code == 0


@pytest.mark.parametrize("to", [0, 3])
def test_where_real_cards_are_dealt_a_takeback_asks_for_them_again(tmp_path: Path, to: int) -> None:
    room = dealt(tmp_path, dealer=chance.seeded(1), dealer_name="asked")
    done = pbem("rule", room.log, "takeback", "--to", to, "--revealed", "--reason", "x")
    assert done.code == 0, done.printed
    assert [ply.number for ply, _ in room.read().plies] == list(range(1, to + 1))
    assert room.says("chance", "deal HUNA").verdict == "accepted"


# ------------------------------------------------------------------------------------ reopen


@pytest.mark.parametrize("ending", [["resign", "--seat", "black"], ["end", "--winner", "white"]])
def test_an_ending_is_taken_back_alone(on: Room, ending: list[str]) -> None:
    before = on.read()
    assert pbem("rule", on.log, *ending, "--reason", "x").code == 0
    late = ("default", "--seat", "white", "--move", "draw", "--reason", "x")
    refused = pbem("rule", on.log, *late)
    assert refused.code == 1, refused.printed
    [command] = re.findall("unless `pbem (.*?)`", refused.err)
    done = pbem(*shlex.split(command.replace("…", "'a mistake'")))
    assert done.code == 0
    assert "The moderator reopens the match. Reason: a mistake" in pbem("log", on.log).out
    after = on.read()
    assert (after.outcome, after.awaited, after.plies) == (None, before.awaited, before.plies)
    assert after.position != before.position
    assert on.says("white", "draw").verdict == "accepted"
    assert pbem("verify", on.log, "--key", on.desk).code == 0


def test_a_match_that_nobody_ended_is_not_reopened(on: Room) -> None:
    with on.unchanged():
        done = pbem("rule", on.log, "reopen", "--reason", "x")
    assert done.code == 1
    assert "nothing to reopen" in done.err


@pytest.mark.parametrize(
    "arguments", [["takeback", "--to", "11", "--revealed"], ["reopen"]], ids=lambda a: a[0]
)
def test_nothing_playable_follows_a_reveal(on: Room, arguments: list[str]) -> None:
    pbem("rule", on.log, "end", "--reason", "agreed")
    assert pbem("reveal", on.log).code == 0
    with on.unchanged():
        done = pbem("rule", on.log, *arguments, "--reason", "x")
    assert done.code == 1
    assert "the secret of this match is out, so it cannot go on; only notes can follow" in done.err
    assert pbem("rule", on.log, "note", "--text", "Well played").code == 0


def test_a_resignation_is_told_with_the_name_of_who_resigned(on: Room) -> None:
    pbem("rule", on.log, "resign", "--seat", "black", "--reason", "by mail")
    pbem("rule", on.log, "reopen", "--reason", "Zoe plays on")
    pbem("rule", on.log, "substitute", "--seat", "black", "--player", "Zoe", "--reason", "x")
    pbem("rule", on.log, "resign", "--seat", "black", "--reason", "no hope")
    told = pbem("log", on.log).out
    assert "Ben resigns. Reason: by mail" in told
    assert "Zoe resigns. Reason: no hope" in told


# --------------------------------------------------------------------- silence, substitutes


def test_silence_where_no_rule_gives_it_a_meaning_needs_a_move(on: Room) -> None:
    with on.unchanged():
        done = pbem("rule", on.log, "default", "--seat", "white", "--reason", "late")
    assert done.code == 2
    assert "--move" in done.err


@pytest.mark.parametrize(
    ("seat", "move", "told"),
    [
        ("black", "draw", "next to move: white"),
        ("white", "take BARI", "isn't face up"),
        ("white", "hop", "neither an island nor a move"),
        ("white", "GOLA-FAAA", "no GOLA"),
    ],
)
def test_a_default_is_judged_like_any_move(on: Room, seat: str, move: str, told: str) -> None:
    with on.unchanged():
        done = pbem("rule", on.log, "default", "--seat", seat, "--move", move, "--reason", "late")
    assert done.code == 1, done.printed
    assert told in done.err


def test_what_silence_means_by_the_rules_is_played(tmp_path: Path) -> None:
    room = dealt(tmp_path, handicap={"white": 2})
    assert "Without an answer: handicap done." in pbem("show", room.log).out
    pbem("rule", room.log, "default", "--seat", "white", "--reason", "late")
    assert room.read().plies[-1][0].move == "handicap done"


def test_a_substitute_has_the_seat_the_name_and_the_mail(on: Room) -> None:
    done = pbem(
        "rule",
        on.log,
        "substitute",
        "--seat",
        "white",
        "--player",
        "Zoe <Zoe@example.org>",
        "--reason",
        "Ana is away",
    )
    public, _, letter = done.out.partition("======== letter to white")
    assert "pbem-key" not in public
    assert letter.count("pbem-key/1 m white") == 2
    assert "It's Zoe's turn." in public
    with on.unchanged():
        assert on.mails(mail("draw", sender=ANA)).code == 77
    answer = on.mails(mail("draw", sender="zoe@example.org"))
    assert answer.verdict == "accepted"
    assert on.read().players == {"white": "Zoe", "black": "Ben"}
    assert "Zoe draws from the pile." in pbem("log", on.log).out


def test_substitutes_of_substitutes_are_counted(on: Room) -> None:
    for name in ("Zoe", "Yan"):
        done = pbem(
            "rule",
            on.log,
            "substitute",
            "--seat",
            "black",
            "--player",
            name,
            "--reason",
            "away",
            "--json",
        )
        assert done.json["letter"]
    assert on.read().log.epochs == {"white": 0, "black": 2}
    assert pbem("verify", on.log, "--key", on.desk).code == 0


# --------------------------------------------------------------------------------- the end


def test_the_others_win_when_one_resigns_and_the_post_says_so(on: Room) -> None:
    done = pbem("rule", on.log, "resign", "--seat", "black", "--reason", "by mail")
    assert "Ana wins by resignation." in done.out
    told = pbem("show", on.log, "--json").json
    assert told["outcome"]["winners"] == ["white"]
    assert told["pending"] == []
    assert "the match is over" in pbem("moves", on.log).out


@pytest.mark.parametrize(
    "arguments",
    [
        ["resign", "--seat", "white", "--reason", "x"],
        ["end", "--reason", "x"],
        ["default", "--seat", "white", "--move", "draw", "--reason", "x"],
        ["substitute", "--seat", "white", "--player", "Zoe", "--reason", "x"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_after_the_end_nothing_follows_but_notes(on: Room, arguments: list[str]) -> None:
    pbem("rule", on.log, "end", "--winner", "black", "--reason", "agreed")
    with on.unchanged():
        done = pbem("rule", on.log, *arguments)
    assert done.code == 1
    assert "only notes can follow" in done.err
    assert pbem("rule", on.log, "note", "--text", "Well played").code == 0


def test_the_secret_is_not_revealed_before_the_end_nor_twice(on: Room) -> None:
    with on.unchanged():
        assert pbem("reveal", on.log).code == 1
    pbem("rule", on.log, "end", "--reason", "agreed")
    assert pbem("reveal", on.log).code == 0
    with on.unchanged():
        assert pbem("reveal", on.log).code == 1
    shown = pbem("show", on.log, "--json").json["view"]["hands"]
    assert not [card for hand in shown.values() for card in hand if card == "?"]


def test_a_note_of_many_lines_with_signs_of_yaml_is_kept_word_for_word(on: Room) -> None:
    words = 'Hi: {all} #1\n- ply: 99\n  "quoted" \\ & *star\n\n---\nÄ 🎲'
    assert pbem("rule", on.log, "note", "--text", words).code == 0
    assert last(on).ruling == Note(words)
    assert pbem("verify", on.log).code == 0


@pytest.mark.parametrize("text", ["", "bell \x07", "cr \r\n"])
def test_a_note_that_cannot_be_written_is_refused(on: Room, text: str) -> None:
    with on.unchanged():
        done = pbem("rule", on.log, "note", "--text", text)
    assert done.code in (2, 65)
    assert "Traceback" not in done.err


# ------------------------------------------------------------------------------- options


def agree(room: Room, option: str, *seats: str) -> Done:
    agreed = [each for seat in seats for each in ("--agreed", seat)]
    return pbem("rule", room.log, "option", "--option", option, *agreed)


def test_an_option_that_all_agree_on_holds_from_then_on_and_the_log_verifies(on: Room) -> None:
    assert "pass" in pbem("moves", on.log, "--as", "white", "--json").json["moves"]["white"]
    done = agree(on, "must_draw=true", "white", "black")
    assert done.code == 0, done.printed
    assert "Ana and Ben agree: from here on the option must_draw is true." in " ".join(
        done.out.split()
    )
    assert pbem("show", on.log, "--json").json["options"]["must_draw"] is True
    assert "pass" not in pbem("moves", on.log, "--as", "white", "--json").json["moves"]["white"]
    with on.unchanged():
        assert on.says("white", "pass").verdict == "refused"
    on.says("white", "draw")
    take_back(on, 11)
    assert "pass" not in pbem("moves", on.log, "--as", "white", "--json").json["moves"]["white"]
    restore(on)
    assert agree(on, "must_draw=false", "white", "black").code == 0
    on.says("black", "pass")
    for keys in (["--key", on.desk], []):
        assert pbem("verify", on.log, *keys).code == 0, pbem("verify", on.log, *keys).printed
    replaced = ["--seat", "black", "--player", "Zoe", "--reason", "x"]
    pbem("rule", on.log, "substitute", *replaced)
    assert on.read().setup.options["must_draw"] is False


@pytest.mark.parametrize(
    ("option", "seats", "why"),
    [
        ("must_draw=true", ["white"], "black did not"),
        ("must_draw=true", ["white", "red"], "no seat 'red'"),
        ("must_draw=perhaps", ["white", "black"], "only true|false"),
        ("must_draw=false", ["white", "black"], "is so already"),
        ("must_draw", ["white", "black"], "lacks its value"),
        ("variant1=true", ["white", "black"], "only discard, must_draw or token_limit"),
        ("colour=red", ["white", "black"], "'colour' cannot change"),
    ],
)
def test_an_option_changes_only_if_all_agree_and_the_game_allows_it(
    on: Room, option: str, seats: list[str], why: str
) -> None:
    with on.unchanged():
        done = agree(on, option, *seats)
    assert done.code != 0
    assert why in done.err, done.err


@pytest.mark.parametrize("name", ["kahuna", "kanaloa-bambus", "kanaloa-piatnik"])
def test_what_may_change_in_play_changes_neither_what_is_seen_nor_who_is_asked(name: str) -> None:
    game: Any = games.game(name)
    declared = options.declared(game)["options"]
    for variant in variants(name)[:4]:
        match = play_out(name, 4, variant)
        for ply in match.plies[::9]:
            for option in game.IN_PLAY:
                for value in declared[option].get("words", [True, False]):
                    setup = changed(game, match.setup, option, value)
                    state = game.agreed(ply.state, setup)
                    assert game.view(state) == game.view(ply.state)
                    now, then = game.pending(state), game.pending(ply.state)
                    assert [d._replace(about={}) for d in now] == [
                        d._replace(about={}) for d in then
                    ]
                    if ply.seat != CHANCE:
                        assert play.legal_texts(game, state, ply.seat, most=1).texts


@pytest.mark.parametrize(
    ("begins", "when"),
    [
        ("from a position", "before a move"),
        ("with a deal", "between two moves"),
        ("with a deal", "after the last move"),
    ],
)
def test_what_was_said_since_a_ply_is_in_the_post_the_letter_and_on_the_screen(
    tmp_path: Path, begins: str, when: str
) -> None:
    """What came after a ply is news to whoever was told of it, whether a ply came since or not."""
    seats = ("--seat", "white=Ana", "--seat", "black=Ben")
    hands = "hands: {white: [BARI, KAHU, LALE], black: [COCO, GOLA, IFFI]}\nturn: white\n"
    (tmp_path / "table.yaml").write_text(hands + "display: [ELAI, FAAA, JOJO]\ndeck: 15\n")
    placed = ("--position", tmp_path / "table.yaml") if begins == "from a position" else ()
    new = ("new", "kahuna", *seats, *placed, "--match", "m", "--dir", tmp_path)
    assert pbem(*new, "-o", "starter=white").code == 0
    room = Room(tmp_path / "m.pbem.yaml")
    if when != "before a move":
        assert room.says("white", "pass").verdict == "accepted"
    ply = room.read().position.ply
    assert room.says("black", "say: good luck, Ana").verdict == "accepted"
    if when != "after the last move":
        seat = room.read().awaited[0]
        assert room.says(seat, "draw").verdict == "accepted"
    for since in ([], ["--since", ply]):
        for command in (["post"], ["letter", "--seat", "white"], ["show"]):
            done = pbem(command[0], room.log, *command[1:], *since)
            assert done.code == 0
            assert "good luck, Ana" in done.out, (command, since)


def test_a_post_since_a_ply_tells_the_rulings_after_it(on: Room) -> None:
    ply = on.read().position.ply
    assert pbem("rule", on.log, "note", "--text", "I am away until Monday").code == 0
    take_back(on, 9)
    told = pbem("post", on.log, "--since", ply).out
    assert "I am away until Monday" in told
    assert f"The moderator takes back plies 10 to {ply}" in " ".join(told.split())
    assert "I am away" not in pbem("post", on.log, "--since", 99).printed
