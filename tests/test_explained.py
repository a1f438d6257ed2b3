"""What was not understood is never skipped: it waits for a yes, and the answer shows it."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import ANA, Room, dealt, mail, pbem
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


POINTING = """this was my flatmate fooling about|the entry above is for the bin|das war nur Spaß
the above was written by my wife|consider that block void|do not play this
not sure about this yet|I never sent that|ne tenez pas compte de ce message|Forget it|no cuenta
nie grajcie tego|ez nem érvényes|dit bericht telt niet""".replace("\n", "|").split("|")
PRESS = """Truce until spring?|I wonder who holds DUDA|If I lose I blame the cat|and this
That was a nasty move, Ben|I won't attack you if you leave LALE alone|You can't stop me|ha!
That's all for now|My move is a surprise, isn't it?|This is getting exciting""".replace(
    "\n", "|"
).split("|")


@pytest.mark.parametrize(
    ("some", "holds"), [([*POINTING, "dieser Block ist hinfällig"], True), (PRESS, False)]
)
def test_what_is_said_to_others_holds_an_order_only_if_it_points_at_it(
    some: list[str], holds: bool, room: Room
) -> None:
    for said in some:
        assert (checked(room, f"draw\nsay: {said}") != "legal") == holds, said


CONTACT = """Ana Weiss, Head of Test Engineering|Meridian Ltd, 12 High Street|Powered by coffee
"Not all those who wander are lost" - Tolkien|Früher war alles besser|https://example.org/draft
Life is what happens while you make other plans|Please excuse any typos in this message
If at first you don't succeed, try, try again|Wer nicht wagt, der nicht gewinnt|Don't panic!
Virus-free. www.avast.com|Please consider the environment before printing this e-mail
Test Manager|Vice President, Draft Beer Society""".replace("\n", "|").split("|")
BELOW = """Just kidding|only if Ben agrees|I changed my mind|to be confirmed|Draft|nope|annulez
erst wenn Ben zustimmt|vegyétek semmisnek|hold your horses""".replace("\n", "|").split("|")


@pytest.mark.parametrize(("some", "holds"), [(POINTING, True), (BELOW, True), (CONTACT, False)])
def test_below_a_signature_a_few_words_that_take_back_hold_an_order_and_furniture_does_not(
    some: list[str], holds: bool, room: Room
) -> None:
    for said in some:
        assert (checked(room, f"draw\n\n-- \nAna\n{said}") != "legal") == holds, said


FREE = """hacked account, sorry|Tea|Too early, sorry|ce coup ne compte pas|to się nie liczy
was not me typing|von meiner Katze getippt|my account got hacked|Draft: my move|WIP: move
Oops: my move""".replace("\n", "|").split("|")
TITLES = """Kahuna|Kahuna m|Move 12|Zug 5|Ana's move|turn 7 of our game|my next move please
hello Ben|Kahuna: next move|Antwort: my move
Fwd: my move""".replace("\n", "|").split("|")


@pytest.mark.parametrize(
    ("said", "other"),
    [
        ("LALE-IFFI", "2 LALE-IFFI, then draw"),
        ("Actually LALE-IFFI", "2 LALE-IFFI, then draw"),
        ("New move LALE-IFFI, draw", "LALE-IFFI"),
        ("take JOJO", "take JOJO"),
        ("KAHU-COCO, draw", ""),
    ],
)
@pytest.mark.parametrize("head", ["", "Re: "])
def test_a_move_in_the_subject_that_the_order_lacks_holds_it(
    head: str, said: str, other: str, post: Post, room: Room
) -> None:
    post.comes(mail(BLOCK, subject=head + said))
    post.run()
    assert plies(room) == ([] if other else ["KAHU-COCO", "draw"])
    why, _, _ = post.only(ANA).partition("WHAT YOU WROTE")
    assert other in " ".join(why.split())


@pytest.mark.parametrize(("some", "holds"), [(FREE, True), (TITLES, False)])
def test_a_subject_is_a_title_if_every_word_of_it_is_known_and_else_as_old_as_its_thread(
    some: list[str], holds: bool, room: Room
) -> None:
    for subject in some:
        assert (checked(room, "draw", subject) != "legal") == holds, subject
    answered = b"In-Reply-To: <x@e>\n"
    assert checked(room, "draw", f"Re: {FREE[0]}", answered) == "legal"


@pytest.mark.parametrize(
    ("signs", "holds"), [("✋🏻🙅🔙⏳🚧🤪🗑😬🤡🙃↩", True), ("👍😊🎉❤😎🌴✅🙏🃏😈", False)]
)
@pytest.mark.parametrize("form", ["[move]\ndraw {}\n[/move]", "draw\n{}"])
def test_a_sign_that_is_not_known_to_be_friendly_holds_the_order_on_its_line(
    form: str, signs: str, holds: bool, room: Room
) -> None:
    for sign in signs.replace("🏻", ""):
        assert (checked(room, form.format(sign)) != "legal") == holds, sign
    assert checked(room, form.format("👍🏽")) == "legal"


def checked(room: Room, text: str, subject: str = "My move", headers: bytes = b"") -> str:
    """The verdict on a mail of Ana's."""
    file = room.write("m.eml", (headers + mail(text, subject=subject)).decode())
    return str(pbem("check", room.log, file, "--json").json["verdict"])
