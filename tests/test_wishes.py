"""What a post asks for besides moves is shown to the moderator with the command that grants it."""

from __future__ import annotations

import re
import shlex
import shutil
from contextlib import chdir
from pathlib import Path

import pytest
from commands import Done, dealt, pbem

from pbem.log.match import Replay


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a match in which white has drawn a card, which nobody changes."""
    folder = tmp_path_factory.mktemp("begun")
    seats = (
        "--seat",
        "white=Ana O'Hara <ana@example.org>",
        "--seat",
        "black=Ben",
        "--author",
        "white=ana_w",
    )
    with chdir(folder):
        pbem("new", "kahuna", "--match", "m", *seats, "--turn", "3", "--zone", "UTC")
        assert posted("draw").code == 0
    return folder


@pytest.fixture
def table(begun: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The log of such a match, which is called by its name."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(begun, tmp_path, dirs_exist_ok=True)
    return tmp_path / "m.pbem.yaml"


def posted(text: str, *more: object) -> Done:
    return pbem("submit", "m", "--author", "ana_w", *more, stdin=text)


def command(done: Done) -> str:
    """The line that is ready to be typed."""
    [line] = [line for line in done.printed.splitlines() if line.startswith("pbem ")]
    return line


BY_NAME = "'Ana O'\"'\"'Hara asked for it'"
WISHES = {
    "takeback": f"pbem rule m takeback --to 9 --revealed --reason {BY_NAME}",
    "undo please": f"pbem rule m takeback --to 9 --revealed --reason {BY_NAME}",
    "takeback to #10": f"pbem rule m takeback --to 10 --revealed --reason {BY_NAME}",
    "[move]\ntakeback to #9\n[/move]": f"pbem rule m takeback --to 9 --revealed --reason {BY_NAME}",
    "resign": f"pbem rule m resign --seat white --reason {BY_NAME}",
    "away 2031-01-02 to 2031-01-05": "pbem rule m away --seat white --from 2031-01-02 "
    "--to 2031-01-05",
    "board": "pbem letter m --seat white",
    "help": "pbem letter m --seat white",
    "status": "pbem post m --whole",
    "rules: K-18": "pbem rules kahuna K-18",
    "rules: two bridges": "pbem rules kahuna 'two bridges'",
    "mails once": "pbem seat m --seat white --mails once",
    "mails daily 8:30": "pbem seat m --seat white --mails 'daily 08:30'",
    "text only": "pbem seat m --seat white --text-only",
    "html": "pbem seat m --seat white --no-text-only",
    "no pictures": "pbem seat m --seat white --no-pictures",
    "zone Europe/London": "pbem seat m --seat white --zone Europe/London",
    "posts short": "pbem seat m --seat white --posts short",
}


@pytest.mark.parametrize("text", WISHES)
def test_a_wish_is_shown_with_the_line_that_grants_it_and_changes_nothing(
    table: Path, text: str
) -> None:
    before = table.read_text()
    done = posted(text)
    assert (done.code, command(done)) == (0, WISHES[text])
    assert "Ana O'Hara" in done.out
    assert table.read_text() == before
    ran = pbem(*shlex.split(WISHES[text])[1:])
    assert ran.code == 0, ran.printed


@pytest.mark.parametrize(
    "text",
    [
        "to moderator: may I; rm -rf / $HOME `id`?",
        "May I rob twice on one island?",
        "an die Spielleitung: darf ich das?",
        "takeback to #40",
        "away until 31 Feb",
        "mails: sometimes",
    ],
)
def test_what_no_ruling_grants_is_answered_with_a_note(table: Path, text: str) -> None:
    done = posted(text)
    assert done.code == 0
    assert text.partition(": ")[2] or text in done.out
    words = shlex.split(command(done))
    assert words == ["pbem", "rule", "m", "note", "--text", "To Ana O'Hara: ..."]
    assert pbem(*words[1:]).code == 0


@pytest.mark.parametrize(
    ("text", "granted"),
    [
        ("takeback please, I misread", "takeback --to 9 --revealed"),
        ("I'd like to take my last move back", "takeback --to 9 --revealed"),
        ("Sorry, I misread the map. May I take that back?", "takeback --to 9 --revealed"),
        ("How does this work? I'm new here", "note"),
        ("Whose turn is it and where do I find the rules?", "note"),
        ("I give up, this is hopeless.", "resign"),
    ],
)
def test_a_wish_in_words_of_its_own_is_shown_too_and_giving_up_is_left_to_a_person(
    table: Path, text: str, granted: str
) -> None:
    before = table.read_text()
    done = posted(text)
    assert done.code == 0
    assert text in done.out
    assert f" {granted} " in command(done)
    assert table.read_text() == before


SUBSTITUTE = "substitute --seat black --player 'NAME <ADDRESS>' --reason REASON"
OF_PEOPLE = {
    "pause please, I am in hospital": ["pause", "extend --seat black --by 7", SUBSTITUTE],
    "My mother died. I need two weeks.": ["extend --seat black --by 14", "pause", SUBSTITUTE],
    "I give up, this is hopeless.": ["resign --seat black --reason 'Ben asked for it'", SUBSTITUTE],
    "I am off until 5 January, merry christmas": [
        "away --seat black --from ",
        "pause",
        "extend --seat black",
    ],
}


@pytest.mark.parametrize("text", OF_PEOPLE)
def test_what_a_person_says_in_a_post_is_shown_with_what_may_grant_it(
    table: Path, text: str
) -> None:
    done = pbem("submit", "m", "--from", "black", stdin=text)
    assert f'Ben writes to you: "{text}"' in done.printed
    typed = [line for line in done.printed.splitlines() if "pbem rule m" in line]
    assert all(OF_PEOPLE[text][n] in typed[n] for n in range(len(OF_PEOPLE[text])))
    assert (typed[0][:4], typed[-1].startswith("or: pbem rule m note")) == ("pbem", True)


def test_a_question_about_the_rules_is_shown_with_the_rules_it_is_about(table: Path) -> None:
    done = posted("How many cards may I hold?")
    _, rule, *_ = done.printed.splitlines()
    assert (done.code, rule.partition(": ")[2]) == (
        0,
        "You may never have more than five cards in hand.",
    )
    said = "May I have my last move back, please?"
    assert "five cards" not in posted(said).printed


def test_a_post_of_thanks_or_talk_is_no_refusal_and_thanks_need_nobody(table: Path) -> None:
    for said in ("Thanks!", "lol", "Thank you all, good game"):
        done = posted(said)
        thanked = "Thank you! I found no move in it, so nothing was played"
        assert (done.code, done.printed.strip()) == (0, thanked)
    assert pbem("aside").out == "no mail has been put aside\n"
    done = posted("Ben has not moved for 9 days")
    assert (done.code, command(done)) == (0, "pbem rule m note --text 'Ben: your turn'")
    assert "or: pbem rule m default --seat black" in done.printed


def test_a_post_that_is_no_order_is_remembered_like_a_mail_until_it_is_dealt_with(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pbem("submit", "m", "--from", "black", stdin="draw")
    away = "pbem rule m away --seat white --from 2026-09-22 --to 2027-01-05"
    for day, said in ((1, "I am off until 5 January"), (1, "Thanks all!"), (2, "DUDDA-BARRI")):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", str(1790078400 + (day - 1) * 86400))
        for _ in range(2):
            posted(said, "--post-number", len(said))
    assert [re.split(r"\d\d:\d\d", each)[-1] for each in pbem("aside").out.splitlines()[:2]] == [
        "  ana_w  m  passed-on: I am off until 5 January",
        f"       {away}",
    ]
    assert "1 mail that changed nothing, and was answered: 3" in pbem("aside").out
    assert "From: ana_w" in (shown := pbem("aside", ".", 2).out)
    assert "To Ana O'" in shown
    status = pbem("status").out
    assert "Ana O'Hara (white) wrote to you and waits for your answer" in status
    assert status.startswith(
        "1 mail needs you (1 passed-on): `pbem aside .`\n1 more changed nothing, and was answered\n"
    )
    assert "1 mail needs you" in pbem("due").out
    assert pbem(*shlex.split(away)[1:]).code == 0
    assert "Ana O'Hara (white) wrote, not understood" in pbem("status").out
    assert posted("draw").code == 0
    assert "wrote" not in pbem("status").out
    assert pbem("aside", ".", "--done", 2).code == 0
    assert pbem("aside").out == "no mail has been put aside\n"


def test_whose_turn_it_is_is_told_to_the_moderator_beside_the_answer(table: Path) -> None:
    done = posted("pass", "--letters", table.parent)
    assert "refused: It's Ben's turn" in done.err


def test_a_plea_for_a_break_where_no_clock_runs_is_offered_a_word_and_nothing_of_it_is_ignored(
    tmp_path: Path,
) -> None:
    room = dealt(tmp_path)
    said = "My mum is in hospital and I can't think about games this week. Could we have a break?"
    place = ("--from", "white", "--letters", tmp_path)
    done = pbem("submit", room.log, "-", *place, stdin=said)
    assert f'Ana writes to you: "{said}"' in done.printed
    typed = [line for line in done.printed.splitlines() if "pbem rule" in line]
    assert typed[0].endswith("note --text 'No hurry: this match has no deadlines'")
    assert "K-6" not in done.printed
    [answer] = tmp_path.glob("*answer*")
    assert "ignored" not in answer.read_text()
    assert pbem(*shlex.split(typed[0])[1:]).code == 0


@pytest.mark.parametrize("said", ["I am on holiday from 3 to 10 January", "Take me off the list"])
def test_what_prose_says_of_days_and_mails_is_for_the_moderator_to_answer(
    said: str, tmp_path: Path
) -> None:
    room = dealt(tmp_path)
    done = pbem("submit", room.log, "-", "--from", "white", stdin=said)
    assert (done.code, f'Ana writes to you: "{said}"' in done.printed) == (0, True)


def test_before_a_seat_has_played_there_is_nothing_to_take_back(table: Path) -> None:
    done = pbem("submit", "m", "--from", "black", stdin="takeback")
    assert command(done).startswith("pbem rule m note ")


def test_the_last_turn_is_taken_back_as_a_whole(table: Path) -> None:
    pbem("submit", "m", "--from", "black", stdin="draw")
    assert posted("draw").code == 0
    assert "takeback --to 13 --revealed" in command(posted("takeback"))
    pbem("submit", "m", "--from", "black", stdin="draw")
    assert "takeback --to 13 --revealed" in command(posted("takeback"))


def test_a_wish_beside_a_move_is_shown_apart_from_the_post(table: Path) -> None:
    done = pbem("submit", "m", "--from", "black", stdin="draw\nto moderator: is it so?")
    assert (done.code, "is it so" in done.out) == (0, False)
    assert '"is it so?"\npbem rule m note' in done.err
    assert Replay.read(str(table)).plies[-2][0].move == "draw"


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_a_question_beside_a_move_that_is_refused_is_shown_all_the_same(
    table: Path, more: tuple[str, ...]
) -> None:
    done = pbem(
        *("submit", "m", "--from", "black", *more), stdin="ALOA-ALOA\nto moderator: is it so?"
    )
    assert done.code == 1
    if more:
        assert done.json["wishes"][0]["text"] == "is it so?"
    else:
        assert '"is it so?"\npbem rule m note' in done.err


def test_the_log_is_called_as_it_was_typed_and_the_line_is_never_broken(tmp_path: Path) -> None:
    folder = tmp_path / ("a rather long name of a folder, with blanks " * 3).strip()
    seats = ("--seat", "white=Ana", "--seat", "black=Ben")
    assert pbem("new", "kahuna", "--match", "m", *seats, "--dir", folder).code == 0
    for typed in (folder / "m", folder / "m.pbem.yaml"):
        done = pbem("submit", typed, "--from", "white", stdin="to moderator: hello")
        assert shlex.split(command(done))[2] == str(typed)


def test_programs_get_wishes_and_check_says_that_it_is_no_move(table: Path) -> None:
    told = posted("takeback", "--json").json
    assert told["verdict"] == "passed-on"
    wish = {"verb": "takeback", "text": "takeback", "command": WISHES["takeback"]}
    assert told["wishes"] == [wish | {"others": [], "rules": []}]
    assert posted("to moderator: hi\n", "--json").json["wishes"][0]["text"] == "hi"
    checked = pbem("check", "m", "--from", "white", stdin="takeback")
    assert (checked.code, "no move" in checked.out) == (0, True)


def test_a_stranger_gets_no_ear(table: Path) -> None:
    done = pbem("submit", "m", "--author", "eve", stdin="takeback")
    assert (done.code, "rule m" in done.printed) == (77, False)


@pytest.mark.parametrize("text", ["takeback\ndraw", "resign\ndraw"])
def test_moves_beside_a_takeback_are_refused_as_before(table: Path, text: str) -> None:
    done = pbem("submit", "m", "--from", "black", stdin=text)
    assert (done.code, "send the one you mean" in done.printed) == (1, True)
