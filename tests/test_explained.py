"""What was not understood is never skipped: it waits for a yes, and the answer shows it."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import ANA, Room, dealt, mail
from postroom import Post, plies, text

BLOCK = "[move] #9 5989\nKAHU-COCO\ndraw\n[/move]"
DOUBTFUL = (
    """
I take it all back|Strike the above.|Too early, sorry|Ben wrote this|My account was hacked
unless it rains|es sei denn, Ben passt|Rip this up|Only once Ben has apologised|取り消します|취소
Somebody logged in as me today|Grandma has the last word here|Ein Schuss ins Blaue|Je tâtonne
Written by my wife at the airport.|Next winter.|Had it rained.|Bei gutem Wetter.
Haz de cuenta que duermo|Roboczo|Kokeilin vain nappeja|Bocsi, a lányom volt|Vergaloppiert!
""".strip()
    .replace("\n", "|")
    .split("|")
)
HARMLESS = (
    """
Hope you had a nice weekend!|Sorry for the delay, I was ill.|How is the new job?|Good luck!
Wir waren im Kino.|Merci et bonne soirée|Il pleut ici.|Ana|Ben,|My move:
What happens if I run out of cards?|Hoy llueve mucho aquí.|Tegnap este színház volt!
""".strip()
    .replace("\n", "|")
    .split("|")
)


@pytest.fixture
def post(tmp_path: Path) -> Post:
    """A match of Kahuna with white (Ana) to move, and its mailbox."""
    return Post(tmp_path)


@pytest.fixture
def room(post: Post) -> Room:
    return dealt(post.matches)


@pytest.mark.parametrize("said", DOUBTFUL)
@pytest.mark.parametrize("place", ["{said}\n\n{block}", "{block}\n\n{said}"])
def test_a_block_beside_words_that_nothing_explains_waits_for_a_yes(
    place: str, said: str, post: Post, room: Room
) -> None:
    before = plies(room)
    post.comes(mail(place.format(said=said, block=BLOCK), identity="<1@e>"))
    post.run()
    assert plies(room) == before
    told = " ".join(post.only(ANA).split())
    assert "I read KAHU-COCO, then draw." in told
    assert " ".join(said.split()) in told
    assert "answer yes" in told
    post.comes(mail("yes", identity="<2@e>"))
    post.run()
    assert plies(room)[-2:] == ["KAHU-COCO", "draw"]


@pytest.mark.parametrize("said", HARMLESS)
def test_everyday_talk_beside_a_block_stops_nothing(said: str, post: Post, room: Room) -> None:
    post.comes(mail(f"{said}\n\n{BLOCK}", identity="<1@e>"))
    post.run()
    assert plies(room)[-2:] == ["KAHU-COCO", "draw"]


@pytest.mark.parametrize(
    "said",
    "EDIT: make that KAHU-GOLA|New move: KAHU-GOLA|Final: KAHU-GOLA|Sorry, KAHU-GOLA|"
    "KAHU-GOLA is better|Lieber KAHU-GOLA|Kahu to Gola instead|KAHU-GOLA|kg, I mean|"
    "Mieux : KAHU-GOLA|Inkább KAHU-GOLA".split("|"),
)
def test_of_a_block_and_a_correction_beside_it_the_writer_chooses_one(
    said: str, post: Post, room: Room
) -> None:
    before = plies(room)
    post.comes(mail(f"{BLOCK}\n\n{said}", identity="<1@e>"))
    post.run()
    post.comes(mail("yes", identity="<2@e>"))  # which of the two?
    post.run()
    assert plies(room) == before
    asked = [" ".join(text(each).split()) for each in post.to(ANA)]
    choice = "1 KAHU-COCO, then draw 2 KAHU-GOLA, then draw"
    assert [choice in each for each in asked] == [True, True]
    post.comes(mail("2", identity="<3@e>"))
    post.run()
    assert plies(room)[-2:] == ["KAHU-GOLA", "draw"]
