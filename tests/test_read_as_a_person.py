"""Mails read as a person would: what is taken back is not played, what is unclear is asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from email.message import EmailMessage
from html import escape
from itertools import count
from typing import NamedTuple

import pytest
from commands import Room, dealt
from long import many

from pbem import intake
from pbem.desk import titles
from pbem.desk.answer import Answer
from pbem.desk.authorship import Writer
from pbem.desk.file import Desk
from pbem.desk.reading import Reading
from pbem.desk.submit import check
from pbem.files import languages
from pbem.log.match import Replay
from pbem.play.judge import legal_moves
from pbem.problem import Problem
from pbem.sentence import say

SEATS = {
    "kahuna": ("white", "black"),
    "kanaloa-bambus": ("red", "blue", "yellow"),
    "kanaloa-piatnik": ("ann", "bob", "cy"),
}


class Table(NamedTuple):
    """A match that is read once and never written, and whose turn it is."""

    room: Room
    now: Replay
    seat: str


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Table]]:
    found = {}
    for game, seats in SEATS.items():
        room = dealt(tmp_path_factory.mktemp(game), game, seats)
        now = room.read()._replace(shown={})
        found[game] = Table(room, now, now.awaited[0])
    matches = {str(table.room.log): table.now for table in found.values()}
    desks = {str(table.room.log): Desk.read(str(table.room.log)) for table in found.values()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Replay, "read", lambda path, keyring: matches[path])
        patch.setattr(Desk, "read", lambda path: desks[path])
        yield found


def answered(table: Table, text: str, *, html: bool = False) -> Answer | Problem:
    """What `check` says of a text, or of a mail in HTML that shows it."""
    try:
        said = intake.read(text.encode(), "mail.txt", "text")
        if html:
            said = intake.read(in_html(text).as_bytes(), "m.eml")
        return checked(table, said)
    except Problem as problem:
        return problem


def checked(table: Table, said: intake.Submission) -> Answer:
    return check(str(table.room.log), said, seat=table.seat, keyring=table.now.keyring)


def in_html(text: str) -> EmailMessage:
    """A mail of nothing but HTML: a `<div>` a line, quoted lines in a `<blockquote>`."""
    shown = {False: "<div>{}</div>", True: "<blockquote>{}</blockquote>"}
    lines = ((line[:1] == ">", escape(line.lstrip("> ")) or "<br>") for line in text.split("\n"))
    return a_mail("".join(shown[old].format(said) for old, said in lines), "html")


def a_mail(body: str, subtype: str = "plain", answers: str = "", subject: str = "") -> EmailMessage:
    mail = EmailMessage()
    mail["From"] = "Ana <ana@example.org>"
    mail["Subject"] = subject
    if answers:
        mail["In-Reply-To"] = answers
    mail.set_content(body, subtype=subtype)
    return mail


def played(table: Table, text: str, *, html: bool = False) -> list[str]:
    """The moves that would be played, now or later."""
    answer = answered(table, text, html=html)
    if isinstance(answer, Problem) or answer.code:
        return []
    game = answer.before.game
    steps = [game.notate(step.move) for step in answer.steps]
    return [*steps, *(each.text for each in answer.not_played)]


# --------------------------------------------------------------------------------- taken back

TAKEN_BACK = [
    "Oops, wrong match, ignore this.",
    "(only if Ben agrees)",
    "After Ben has moved",
    "test, please ignore",
    "Nein, doch nicht",
    "I take it back!",
    "Draft, will confirm later",
    "Next turn",
    "Sorry, next turn",
    "Ok, later",
    "No",
    "Wait for Ben's move first.",
    "Nur wenn Ben einverstanden ist",
    "Falsche Partie!",
    "Finalement non",
    "Ne jouez pas encore ce coup",
    "Mejor no, espera",
    "Solo si Ben quiere",
    "Anzi no, aspetta",
    "Liever niet",
    "Tylko jeśli Ben się zgodzi",
    "Mégsem, bocs",
    "Csak ha Ben is így akarja",
    "Por enquanto não",
    "Kun jos Ben suostuu",
    "Just an example",
    "This is for the other game",
    "or should I wait?",
    "unless you object",
    "Sent in error, please delete it",
    "This message and any move in it are cancelled",
    "This is strictly confidential until tomorrow",
    "if you received this, ask me first",
    "external email: ignore",
    "Dieser Zug ist vertraulich und nur gültig, wenn Ben zustimmt",
    "Das ist irrtümlich rausgegangen",
    "Wysłane przez pomyłkę",
    "Enviei isto por engano.",
    "Inviata per errore",
    "Sent from my iPhone by mistake",
    "lieber so",
    "withdraw",
    "Zurückziehen!",
    "Do not process this until I say so.",
    "Please do not enter this for me before the weekend",
    "Bitte nicht ausführen, bevor Ben sich gemeldet hat",
    "Ne le jouez pas tout de suite.",
    "J'annule tout.",
    "J'attends Ben",
    "s'il est d'accord",
    "C'est l'erreur de mon frère",
    "proszę zignorować",
    "bórralo por favor",
    "do potwierdzenia",
    "vorbehaltlich Bens Zustimmung",
    "sous réserve de l'accord de Ben",
    "onder voorbehoud",
    "z zastrzeżeniem",
    "sob reserva",
    "-- \nAna Weiss\n\nPS: scrap that",
    "-- \nAna Weiss\nP.S. only if Ben agrees",
]


@pytest.mark.parametrize("said", TAKEN_BACK)
def test_an_order_taken_back_or_made_conditional_is_never_played(
    said: str, tables: dict[str, Table]
) -> None:
    """In every other place in turn, in a long run in all of them."""
    kahuna = tables["kahuna"]
    places = (
        f"KAHU-COCO\n{said}",
        f"{said}\nKAHU-COCO",
        f"{said}\n\nKAHU-COCO\ndraw",
        f"KAHU-COCO\n\n{said}\n\nAna",
        f"KAHU-COCO\n{said}\ndraw",
        f"[move]\nKAHU-COCO\n[/move]\n{said}",
        f"Hi Ben,\n{said}\n\n[move]\nKAHU-COCO\ndraw\n[/move]\nCheers\nAna",
    )
    for text in places[TAKEN_BACK.index(said) % many(2, 1) :: many(2, 1)]:
        assert played(kahuna, text) == [], text


@pytest.mark.parametrize(
    "text",
    [
        "KAHU-COCO\n\nViele Grüße, lieber so\nAna",
        "Ciao a tutti, prima di\n\nKAHU-COCO",
        "❌ KAHU-COCO",
        "KAHU-COCO 👎",
        "KAHU-COCO\n❌",
        "[move]\n🚫 KAHU-COCO\n[/move]",
        "[move]\nKAHU-COCO\n[/move]\n❌",
        "~KAHU-COCO~",
        "~~KAHU-COCO\ndraw~~",
        "~~ KAHU-COCO ~~",
        "☐ KAHU-COCO",
    ],
)
def test_what_a_sign_or_a_part_of_a_courtesy_crosses_out_is_never_played(
    text: str, tables: dict[str, Table]
) -> None:
    assert played(tables["kahuna"], text) == []


@pytest.mark.parametrize(
    "said",
    [
        "Hi Ben!",
        "No problem, take your time!",
        "Sorry for the delay, I was ill!",
        "No worries, Ben!",
        "Kein Problem!",
        "See you tomorrow!",
        "Bis morgen!",
        "Pas de souci !",
        "S'il te plaît !",
        "No hard feelings, Ben!",
    ],
)
def test_what_holds_such_a_word_and_means_no_harm_is_passed_over_and_listed(
    said: str, tables: dict[str, Table]
) -> None:
    for text in (f"{said}\n\nKAHU-COCO", f"{said}\n\n[move]\nKAHU-COCO\n[/move]"):
        assert played(tables["kahuna"], text) == ["KAHU-COCO"], text
        answer = answered(tables["kahuna"], text)
        assert isinstance(answer, Answer)
        assert said in [each.text for each in answer.submission.ignored]


WORDS = """
not never don't no if unless maybe perhaps except provided instead wait later cancel
nicht kein wenn falls vielleicht außer doch-nicht | pas jamais si sauf peut-être | no nunca
si quizás non mai se forse
niet als misschien tenzij | nie jeśli może | nem ha talán hacsak | não se talvez
❌ 👎 🤔 | inte om-du kanske | ikke hvis måske | ei jos ehkä | ne pokud možná | не если может
""".replace("|", " ").split()


def mails(moves: Sequence[str]) -> Iterator[list[str]]:
    """Mails with these moves, as people send them."""
    yield [*moves]
    yield ["Hi Ben,", "", *moves, "", "Cheers", "Ana"]
    yield ["Hallo zusammen,", "", "wir waren im Theater.", "", *moves, "", "Viele Grüße"]
    yield ["; ".join(moves), "Sent from my iPhone"]
    yield ["My move:", *moves, "Good luck!", "", "> quoted", "> text"]
    yield ["Hi Ben, well played!", "", "[move]", *moves, "[/move]", "", "Have fun!", "Ana"]
    yield ["Have a nice weekend!", "https://ana.example.org", "", *(f"- {move}" for move in moves)]


@pytest.mark.parametrize("game", SEATS)
def test_a_word_of_negation_or_condition_at_any_line_end_never_leaves_a_mail_played(
    game: str, tables: dict[str, Table]
) -> None:
    """Each word in each game, and at each end every twenty-fourth; in a long run all at each. Each
    second one in HTML."""
    table, ends = tables[game], count(4 * [*SEATS].index(game))
    first = table.now.game.notate(
        next(iter(legal_moves(table.now.game, table.now.state, table.seat)))
    )
    for lines in mails([first]):
        for html in (False, True):
            assert played(table, "\n".join(lines), html=html) == [first], lines
        for at, line in enumerate(lines):
            if not line.startswith((">", "[")):
                for nth, word in enumerate(WORDS[next(ends) % many(24, 1) :: many(24, 1)]):
                    said = [
                        *lines[:at],
                        f"{line} {word.replace('-', ' ')}".strip(),
                        *lines[at + 1 :],
                    ]
                    assert not played(table, "\n".join(said), html=nth % 2 == 1), said


@pytest.mark.parametrize(
    ("game", "said"),
    [
        (game, said)
        for game, row in zip(
            SEATS,
            (
                ("nein", "take it back", "zurück", "einverstanden", "пока", "morgen", "majd"),
                ("withdraw", "espera", "falsch", "or", "of", "next turn", "después"),
                ("ziehe zurück", "undo", "if", "sonst", "zunächst", "tomorrow", "dopo"),
            ),
            strict=True,
        )
        for said in row
    ],
)
def test_a_caveat_that_is_also_a_courtesy_or_a_wish_never_leaves_a_mail_played_in_its_own_line(
    game: str, said: str, tables: dict[str, Table]
) -> None:
    table = tables[game]
    move = table.now.game.notate(
        next(iter(legal_moves(table.now.game, table.now.state, table.seat)))
    )
    for text in (
        f"{move}\n{said}",
        f"{move}\n\n{said}",
        f"Hi Ben,\n{said}\n\n{move}",
        f"Hi Ben, {said}\n\n{move}",
        f"{move}\n\nCheers\n{said}\nAna",
        f"[move]\n{move}\n[/move]\n{said}",
    ):
        assert played(table, text) == [], text


@pytest.mark.parametrize(
    "text",
    [
        "Morgen//{}",
        "Morgen Ben,//{}",
        "Guten Morgen!//{}",
        "{}//Пока!",
        "{}//Пока, Ben",
        "{}//Пока,/Ana",
        "{}//Bis morgen!",
        "{}/back 2 January",
        "{}/zurück ab 2. Januar",
    ],
)
def test_what_stands_with_such_a_word_may_say_that_it_means_no_harm(
    text: str, tables: dict[str, Table]
) -> None:
    text = text.replace("/", "\n")
    assert played(tables["kahuna"], text.format("KAHU-COCO")) == ["KAHU-COCO"]
    assert played(tables["kahuna"], text.format("[move]\nKAHU-COCO\n[/move]")) == ["KAHU-COCO"]


@pytest.mark.parametrize("said", ["Morgen mein Zug:", "Morgen Ben", "Morgen!", "morgen Boa noite,"])
def test_a_greeting_that_is_also_a_time_greets_only_at_the_head_of_a_mail(
    said: str, tables: dict[str, Table]
) -> None:
    assert played(tables["kahuna"], f"Hi Ben!\n{said}\nKAHU-COCO") == []
    assert played(tables["kahuna"], f"KAHU-COCO\n\n{said}") == []


@pytest.mark.parametrize(
    "said",
    [
        "Elírtam, mindjárt küldöm a jót.",
        "Hold your horses, Ben is on the phone with me about it.",
        "Non prendere per buona questa mossa.",
        "Prenez ça avec des pincettes, je n'ai pas fini.",
    ],
)
def test_what_points_at_an_order_or_takes_it_back_in_an_idiom_is_neither_played_nor_offered(
    said: str, tables: dict[str, Table]
) -> None:
    for text in (f"{said}\n\nKAHU-COCO\ndraw", f"KAHU-COCO\ndraw\n\n{said}"):
        assert (played(tables["kahuna"], text), proposed(tables["kahuna"], text)) == ([], ()), text


@pytest.mark.parametrize(
    ("said", "counts"),
    [
        ("We have not had any of your lovely northern rain down here", False),
        ("Dear all, I would not want this to count for the time being", False),
        ("No snow here yet, unfortunately.", False),
        ("No snow here yet. Not final, by the way.", False),
        ("Not before Monday, I'm on holiday.", False),
        ("I did not see that clever move of yours coming at all", False),
        ("I did not quite mean to send the move in that block", False),
        ("My brother got hold of the keyboard while I was out", False),
        ("Omlouvám se za zpoždění, byl jsem nemocný.", False),
        ("Se o Ben concordar com tudo, claro", False),
        ("Mi hijo se ha ido de viaje con la escuela.", False),
        ("Moji rodiče se mají dobře, díky", False),
        ("Ma siamo d'accordo se Ben lo vuole", False),
        ("Viel Spaß beim Knobeln!", False),
        ("Das war nur Spaß!", False),
    ],
)
def test_beside_a_fence_it_counts_of_what_a_sentence_speaks_and_in_which_language(
    said: str, counts: bool, tables: dict[str, Table]
) -> None:
    text = f"[move]\nKAHU-COCO\n[/move]\n\n{said}"
    assert played(tables["kahuna"], text) == (["KAHU-COCO"] if counts else [])


@pytest.mark.parametrize("text", ["KAHU-COCO {0} DUDA-BARI", "{1} {0} KAHU-COCO"])
@pytest.mark.parametrize("said", ["of", "ou", "lub", "vagy", "nebo", "oppure"])
def test_two_moves_with_an_or_between_them_are_offered_to_choose_from(
    said: str, text: str, tables: dict[str, Table]
) -> None:
    answer = answered(tables["kahuna"], text.format(said, "DUDA-BARI"))
    assert isinstance(answer, Answer)
    assert answer.code
    assert (answer.steps, {*answer.proposal}) == ((), {("KAHU-COCO",), ("DUDA-BARI",)})


@pytest.mark.parametrize(
    ("game", "text", "moves"),
    [
        ("kahuna", "KAHU-COCO, I think so, DUDA-BARI", ()),
        ("kahuna", "KAHU-COCO of DUDA-BARI", ()),
        ("kanaloa-piatnik", "blue 4 of green 3", ()),
        ("kanaloa-piatnik", "A kék 4-t, talán.", ("blue 4",)),
        ("kanaloa-piatnik", "Ne a kék 4-t, még gondolkodom.", ()),
    ],
)
def test_a_mail_begins_with_no_half_of_an_or(
    game: str, text: str, moves: tuple[str, ...], tables: dict[str, Table]
) -> None:
    _, now, seat = tables[game]
    message = intake.read(text.encode(), "mail.txt", "text")
    assert Reading.of(now, message, Writer((seat,))).begun == moves


def test_what_stands_beside_a_fence_and_is_too_long_to_be_read_is_asked_about(
    tables: dict[str, Table],
) -> None:
    for lines, order in ((50, ["KAHU-COCO"]), (1_500, [])):
        said = "\n".join(
            [
                "The garden is lovely, and the sun is here all day with a good lunch and with very "
                "good coffee and cake for us!"
            ]
            * lines
        )
        assert played(tables["kahuna"], f"[move]\nKAHU-COCO\n[/move]\n\n{said}") == order


# --------------------------------------------------- in the subject, in a signature, of another


ORDERS = ("KAHU-COCO\ndraw", "[move]\nKAHU-COCO\ndraw\n[/move]")
"""One order, bare and in a fence."""


def comes(table: Table, body: str, subject: str = "", page: str = "") -> list[str]:
    """The moves that would be played for a mail with this subject, and with an HTML version."""
    mail = a_mail(body, subject=subject)
    if page:
        mail.add_alternative(page, subtype="html")
    try:
        answer = checked(table, intake.read(mail.as_bytes(), "m.eml"))
    except Problem:
        return []
    return [] if answer.code else [answer.before.game.notate(step.move) for step in answer.steps]


@pytest.mark.parametrize(
    "subject",
    [
        *("Your move", "My next move", "Next turn", "Kahuna", "Mein nächster Zug"),
        *("mon prochain coup", "Not played; Ana to move", "sorry for the delay"),
        *("KAHU-COCO, draw", "[EXTERNAL] Move 12", "It's snowing here!"),
    ],
)
def test_a_subject_that_only_names_its_mail_takes_nothing_back(
    subject: str, tables: dict[str, Table]
) -> None:
    for each in (subject, f"Re: [m #9 5989] {subject}"):
        assert comes(tables["kahuna"], ORDERS[0], each) == ["KAHU-COCO", "draw"], each


CIVIL = """
    Sorry for the delay, busy week at work. | Thanks for the game so far | Hope you had a good
    weekend | Enjoy the sunshine | Greetings from sunny Berlin | Best wishes from a rainy
    Hamburg | Hello from the train | Nice game so far | Have a nice trip | Grüße aus dem Urlaub
    | Danke für das schöne Spiel | Good night and until tomorrow | See you later | Hi Ben
    | Thank you for waiting | See you tomorrow | Merci pour la partie | Gracias por la
    paciencia | Köszi a türelmet
"""
NOT_CIVIL = """
    Sorry, let me think again | Sorry for the mixup | Sorry, that was my son | Sorry, not ready
    | Sorry for this one | Sorry, I am still at work on this | Thanks for waiting till I have
    thought about it | Thanks, will send the real one tonight | Thanks, I will do it after the
    weekend | Thanks Ben, this is what you told me to do | Hope you can wait for the rest |
    Hope it is fine to change it on Monday | Hope this is only for fun | Have fun with my old
    one | Cheers, to be done on Friday | Best if you leave it till Sunday | Good luck with the
    real thing tomorrow | Hi, I am just playing around | Hello, I am my brother | Happy
    weekend, this can rest till then | Looking forward to doing it again on Monday | Good game,
    I give up this one | Take your time, mine is on the way | Danke, der richtige kommt am
    Sonntag | Sorry, das war mein Bruder | Schönes Wochenende, der Rest kommt am Montag |
    Entschuldige, das war für den anderen Tisch | Désolé, c'était mon fils | Merci d'attendre
    lundi | Perdón, era mi hermano | Grazie, il resto dopo cena | Sorry, dat was mijn zoon |
    Przepraszam, to był mój syn | Bocs, a fiam volt | Tack, resten kommer på måndag | Sorry, it
    was late and I was tired last night | Sorry, I am still at dinner | Sorry for my coffee on
    the table | Thanks but I would like to see it first | Thanks, I will go on after the
    holiday | Have a look at it for me | Enjoy this while you can | Good evening, this was for
    my friend | Best to do it after my holiday | All the best to the one who wrote it | Hi all,
    more on Friday | Hi, it is his | Cheers, I am drunk | See you when I am done | Until Monday
    then | Take care of it for me | OK if you are fine with it | Sure, after lunch | Nice game
    but it is over for me | Good game, I am done | Fingers crossed it is fine to do so | Happy
    holidays, I will be with you on Monday with it | Hope it is for real | Hope all of you can
    have it as you like | Danke, nach dem Urlaub geht es weiter | Viel Spaß, ich bin raus |
    Gerne nach dem Essen | See you tomorrow with my move | See you on Monday with the move |
    Thanks for waiting until tomorrow | Thanks for waiting a day | Sorry, Ben's game | Sorry,
    Ben's move | My move? | Thanks for waiting till Monday | Danke für das Warten bis morgen |
    Bis morgen mit meinem Zug
"""


def test_a_courtesy_of_known_words_is_no_order_and_takes_none_back(
    tables: dict[str, Table],
) -> None:
    def stopped(said: str) -> Iterator[str]:
        for nth, line in enumerate(" ".join(said.split()).split(" | ")):
            text = (f"{line}\n\n{ORDERS[0]}", f"{ORDERS[1]}\n\n{line}")[nth % 2]
            if played(tables["kahuna"], text) != ["KAHU-COCO", "draw"]:
                yield line

    assert [*stopped(CIVIL)] == []
    assert len([*stopped(NOT_CIVIL)]) == len(NOT_CIVIL.split("|"))


TAKEN_BACK_ABOVE = """
    disregard this; | ignore this; sorry | draft | wrong match | only if Ben agrees | not final |
    for tomorrow | bitte ignorieren | nur wenn Ben zustimmt | brouillon | annule ce coup | bozza |
    klad | wersja robocza | nem végleges | my move? | Ben's move | not my move | Zug von Ben |
    practice only | let me think again | revoking | tbc | rehearsal | superseded | only looking |
    order of yesterday | your turn first | my move, or not | my turn but not yet | Ben wrote this |
    my cat did this | sent too early | for the archive | [Draft] my move | we will see |
    move 12 was nonsense | as soon as it stops raining | nur zum Üben | nicht von mir |
    lass mich nochmal überlegen | kommt noch was anderes | vorab zur Ansicht | mal sehen |
    juste pour essayer | je réfléchis encore | à jeter | pas pour de vrai | peut-être |
    déjame pensarlo | solo de prueba | tíralo a la basura | solo per gioco | da buttare | prova |
    alleen om te oefenen | laat me nog even nadenken | tylko na próbę | do kosza | jeszcze pomyślę |
    csak gyakorlás | még gondolkodom rajta | kuka | só para treinar | ainda vou pensar |
    bara på skoj | jag tänker om | kun for øvelse | vain kokeilu | mietin vielä | jen zkouška |
    ještě si to rozmyslím | просто проба | ещё подумаю | 練習です |
    考え直します | 그냥 연습 | 只是练习 | ⏸ | ✋ | 🙈 | ⏯ | ⚠️ | 🔙 | ↩ | 🗑 | 🧪 | ✏️ | 📝 |
    ⏸ my move | my move 🚧 | ~~my move~~ | ... | m-4 | [spring-4] my move | m-2 and m-3 |
    m-4 my move | Kahuna, game 2 | HI
"""


def test_what_is_no_title_is_new_in_a_subject_of_its_own_and_behind_ours(
    tables: dict[str, Table],
) -> None:
    table = tables["kahuna"]
    ours = f"Re: [m {table.now.position}]"
    played = [
        subject.format(said, ours)
        for nth, said in enumerate(map(str.strip, TAKEN_BACK_ABOVE.split("|")))
        for subject in ("{}", "{1} Ana to move - {0}")[nth % many(2, 1) :: many(2, 1)]
        if comes(table, ORDERS["{1}" in subject], subject.format(said, ours))
    ]
    assert played == []


@pytest.mark.parametrize("language", languages.known())
def test_a_title_of_ours_is_known_again(language: str, tables: dict[str, Table]) -> None:
    table = tables["kahuna"]
    with languages.speaking(language):
        both = SEATS["kahuna"]
        ends = [say(end, seats=both, winners=both) for end in titles.ENDS.values()]
        blanks = {"seat": "white", "next_up": titles.next_up(table.now), "n": 2}
        told = [titles.title(of, up=titles.waiting(1), **blanks) for of in titles.TITLES]
        ours = [each.text(table.now.players) for each in (*told, *ends)]
    folded = next(each for each in ours if "2" in each).replace(" 2", "2")
    for each in (*ours, folded):  # programs that break a long header lose a blank
        subject = f"Re: [m {table.now.position}] {each}"
        assert comes(table, ORDERS[0], subject) == ["KAHU-COCO", "draw"], subject


@pytest.mark.parametrize(
    "said",
    [
        "please ignore the above",
        "DUDA-BARI instead",
        "no, DUDA-BARI",
        "Ana\nPlease disregard this mail.",
        "bitte das obige ignorieren",
        "ignorez ce message",
        "Ana Weiss\n\nwrong match, forget this one",
        "DUDA-BARI",
    ],
)
def test_a_signature_that_takes_back_the_order_or_names_another_move_is_asked_about(
    said: str, tables: dict[str, Table]
) -> None:
    for order in ORDERS:
        assert played(tables["kahuna"], f"{order}\n-- \n{said}") == [], said


@pytest.mark.parametrize(
    "said",
    [
        "Ana Weiss\nSenior Gardener\nhttps://ana.example.org",
        "Sent from my phone, please excuse typos",
        "Please excuse any typos in this message",
        "Not all those who wander are lost",
        "Please consider the environment before printing this email",
        "This e-mail is confidential. If you are not the intended recipient, delete this message.",
        "Ana, Test Ltd",
        "Take it easy",
        "BARI-DUDA since 2019",
    ],
)
def test_any_other_signature_is_passed_over(said: str, tables: dict[str, Table]) -> None:
    for order in ORDERS:
        assert played(tables["kahuna"], f"{order}\n-- \n{said}") == ["KAHU-COCO", "draw"]


@pytest.mark.parametrize(
    ("said", "counts"),
    [
        ("KAHU-COCO?!", False),
        ("KAHU-COCO ?!", False),
        ("KAHU-COCO, ok?", False),
        ("is KAHU-COCO fine?", False),
        ("KAHU-COCO see https://example.org/x", False),
        ("https://example.org/x KAHU-COCO", False),
        ("KAHU-COCO (www.example.org)", False),
        ("https://example.org/KAHU-COCO", True),
        ("see https://example.org/ignore-this", True),
        ("Tel. +49 30 1234567", True),
        ("How are you?", True),
    ],
)
def test_a_move_beside_an_address_or_in_a_short_question_is_not_left_out_unasked(
    said: str, counts: bool, tables: dict[str, Table]
) -> None:
    for text in (f"{said}\ndraw", f"draw\n{said}"):
        assert played(tables["kahuna"], text) == (["draw"] if counts else []), text


@pytest.mark.parametrize(
    ("said", "counts"),
    [
        ("What Ben suggested:", False),
        ("Ben's move:", False),
        ("Bens Zug:", False),
        ("Le coup de Ben :", False),
        ("Ruch Bena:", False),
        ("Ben lépése:", False),
        ("Black (Ben):", False),
        ("Black", False),
        ("Ben:", False),
        ("Love, Ben", False),
        ("Hello from Ben", False),
        ("Thanks, Ben", True),
        ("Here is what I would play:", False),
        ("Ben,", True),
        ("Hi Ben:", True),
        ("Ben, here is my move:", True),
        ("Nice move, Ben! My move:", True),
        ("Salut Ben, voici mon coup :", True),
        ("Here is what I play:", True),
        ("Hi Ben,\n\nhere is what I do:", True),
        ("Das spiele ich:", True),
        ("Dit speel ik:", True),
        ("Ezt lépem:", True),
    ],
)
def test_a_heading_says_whose_moves_stand_below_it(
    said: str, counts: bool, tables: dict[str, Table]
) -> None:
    for order in ORDERS:
        for text in (f"{said}\n{order}", f"{said}\n\n{order}\n\nCheers\nAna"):
            assert played(tables["kahuna"], text) == (["KAHU-COCO", "draw"] if counts else []), text


@pytest.mark.parametrize(
    ("said", "counts"),
    [
        ("Ben", False),
        ("Cheers\nBen", False),
        ("Ben Miller", False),
        ("Best regards, Ben", False),
        ("LG Ben", False),
        ("Pozdrawiam, Ben", False),
        ("-- \nBen", False),
        ("Black", False),
        ("Cheers, Ben", False),
        ("Love, Ben", False),
        ("Liebe Grüße, Ben", False),
        ("Hello from Ben", False),
        ("Thanks, Ben", True),
        ("Danke, Ben!", True),
        ("Good game, Ben", True),
        ("Hi Ben", True),
        ("Your turn, Ben", True),
        ("Liebe Grüße an Ben\nAna", True),
        ("Best regards, Ana", True),
        ("White", True),
    ],
)
def test_who_signs_with_the_name_of_another_player_is_asked_whose_moves_they_are(
    said: str, counts: bool, tables: dict[str, Table]
) -> None:
    for order in ORDERS:
        want = ["KAHU-COCO", "draw"] if counts else []
        assert played(tables["kahuna"], f"{order}\n\n{said}") == want, said


@pytest.mark.parametrize(
    ("said", "counts"),
    [
        ("say: this is not my final move", False),
        ("say: my move is not final", False),
        ("say: das ist nicht mein endgültiger Zug", False),
        ("say: ce coup n'est pas définitif", False),
        ("say: ez a lépés nem végleges", False),
        ("say: this only counts if Ben agrees", False),
        ("say: this is not my best day", True),
        ("say: I did not see that one coming", True),
        ("say: this game is not over yet", True),
        ("to moderator: this is not final", False),
        ("to moderator: please wait while I am away", False),
        ("to moderator: I am away from Friday, not before", True),
        ("to moderator: Je suis absent dès vendredi, pas avant.", True),
        ("to moderator: The weather is lovely here", True),
    ],
)
def test_what_is_said_to_others_takes_back_the_own_order_alone(
    said: str, counts: bool, tables: dict[str, Table]
) -> None:
    for order in ORDERS:
        want = ["KAHU-COCO", "draw"] if counts else []
        assert played(tables["kahuna"], f"{order}\n{said}") == want, said


@pytest.mark.parametrize(
    ("asked", "counts"),
    [
        ("What happens if I run out of cards?", True),
        ("And what happens if nobody can build?", True),
        ("Can I build a bridge if the other island is taken?", True),
        ("If I take Kahu, do I get a point?", True),
        ("Was passiert, wenn der Stapel leer ist und niemand bauen kann?", True),
        ("Que se passe-t-il si la pioche est vide et la table aussi ?", True),
        ("Cosa succede se il mazzo è vuoto e le carte finiscono?", True),
        ("Wat gebeurt er als de stapel leeg is en de tafel ook?", True),
        ("Co się stanie, jeśli stos będzie pusty i karty się skończą?", True),
        ("Mi történik, ha elfogy a pakli és az asztal is üres?", True),
        ("What happens to my move if Ben passes before me?", False),
        ("Can you enter this only if Ben has agreed to it?", False),
        ("I play it only if Ben agrees, is everyone fine with me?", False),
        ("Can you wait if Ben is not yet here today?", False),
        ("Only if Ben agrees with all of us here?", False),
    ],
)
def test_a_question_about_the_rules_makes_no_order_depend_on_anything(
    asked: str, counts: bool, tables: dict[str, Table]
) -> None:
    want = ["KAHU-COCO", "draw"] if counts else []
    for order in ORDERS:
        for said in (asked, f"to moderator: {asked}"):
            assert played(tables["kahuna"], f"{order}\n\n{said}") == want, said


PAGE = "<p>KAHU-COCO<br>draw</p>"


@pytest.mark.parametrize(
    ("page", "counts"),
    [
        (f"<p>Please ignore this</p>{PAGE}", False),
        (f"{PAGE}<p>wrong match, sorry</p>", False),
        ("<p>only if Ben agrees</p>", False),
        (f"{PAGE}<p><b>not</b> final</p>", False),
        (f"<div>nicht spielen!</div>{PAGE}", False),
        (PAGE, True),
        (f"<p>No worries, <b>Ben</b>!</p>{PAGE}", True),
        (f'{PAGE}<img src="x.gif" alt="ignore">', True),
        (f'{PAGE}<p style="display:none">ignore this</p>', True),
        (f"{PAGE}<blockquote>ignore this</blockquote>", True),
        (f"{PAGE}<p>This e-mail is confidential. If you got it in error, delete it.", True),
        (f"{PAGE}<p>-- <br>Ana<br>Never give up</p>", True),
        (f"{PAGE}<p>Virus-free. www.avast.com</p>", True),
    ],
)
def test_what_the_html_version_alone_takes_back_is_asked_about_unless_a_program_adds_it(
    page: str, counts: bool, tables: dict[str, Table]
) -> None:
    body = f"No worries, Ben!\n\n{ORDERS[0]}"
    assert comes(tables["kahuna"], body, page=page) == (["KAHU-COCO", "draw"] if counts else [])


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("Ah!\n{}", True),
        ("Oh, nice move Ben!\n{}", True),
        ("Ach,\n{}", True),
        ("i.e.\n{}", False),
        ("z.B.\n{}", False),
        ("Go!\n{}", False),
    ],
)
def test_a_little_word_is_no_code_of_letters(
    text: str, counts: bool, tables: dict[str, Table]
) -> None:
    table = tables["kanaloa-bambus"]
    moves = legal_moves(table.now.game, table.now.state, table.seat)
    move = table.now.game.notate(next(iter(moves)))
    assert played(table, text.format(move)) == ([move] if counts else [])


# -------------------------------------------------------------------- above and below old text

TITLES = {
    "original": "-----Original Message-----\nFrom: Desk <desk@example.org>\nSent: Tue\nTo: Ana",
    "labels": "From: Desk <desk@example.org>\nSent: 3 Feb 2026 20:14\nTo: Ana\nSubject: Kahuna",
    "wrote": "On 3 Feb 2026 at 20:14, Desk <desk@example.org> wrote:",
}
OURS = "Your turn.\n\ndraw  pass\n\n[move] #9\n...\n[/move]"


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize(
    ("old", "asked"),
    [
        (f"{OURS}\n\nDUDA-BARI", True),
        (f"{OURS}\n\nHi Ben!\n\nDUDA-BARI\ndraw\n\nCheers,\nAna", True),
        (f"{OURS}\n\nKAHU-COCO", False),
        (f"{OURS}\n\nCheers,\nAna", False),
        (f"{OURS}\n\nNothing else is new, says DUDA-BARI", False),
        ("\tYour turn.\n\n\tDUDA-BARI", False),
    ],
)
def test_another_order_below_our_own_mail_is_asked_about(
    title: str, old: str, asked: bool, tables: dict[str, Table]
) -> None:
    text = f"KAHU-COCO\n\n{TITLES[title]}\n\n{old}\n"
    said = intake.read(a_mail(text, answers="<1@example.org>").as_bytes(), "m.eml")
    answer = checked(tables["kahuna"], said)
    assert (answer.code, "DUDA-BARI" in answer.message) == ((1, True) if asked else (0, False))


@pytest.mark.parametrize("title", ["original", "labels"])
def test_what_stands_below_a_forwarded_mail_is_others(title: str, tables: dict[str, Table]) -> None:
    text = f"KAHU-COCO\n\n{TITLES[title]}\n\n{OURS}\n\nDUDA-BARI\n"
    answer = checked(tables["kahuna"], intake.read(a_mail(text).as_bytes(), "m.eml"))
    assert answer.code == 0


# ------------------------------------------------------------------------------- half an order


@pytest.mark.parametrize("rest", ["ziehe", "pioche", "húzok", "dobieram"])
def test_an_order_may_be_in_the_reader_s_words(rest: str, tables: dict[str, Table]) -> None:
    assert played(tables["kahuna"], f"KAHU-COCO\n{rest}") == ["KAHU-COCO", "draw"]


@pytest.mark.parametrize("rest", "robo pesco tirage card ciągnę puxo".split())
def test_half_an_order_is_never_played(rest: str, tables: dict[str, Table]) -> None:
    whole = [] if rest == "card" else ["KAHU-COCO", "draw"]
    for text in (f"KAHU-COCO\n{rest}", f"KAHU-COCO\n\n{rest}\n\nAna"):
        assert played(tables["kahuna"], text) == whole, text
    assert played(tables["kahuna"], f"{rest}\nKAHU-COCO") == []


@pytest.mark.parametrize(
    "text",
    [
        "KAHU-COCO\nthen the very top one",
        "KAHU-COCO | draw",
        "KAHU-COCO / tirage",
        "My cat says hello to you\nKAHU-COCO",
        "KAHU-COCO\nLet us see what comes of this",
        "KAHU-COCO\n\nHi Ana,\nyour turn!\n\ndraw",
        "KAHU-COCO\n\nOn 3 April 2026 at 9:14 Ben wrote:\nWhat a game!\n\nDUDA-BARI",
        "KAHU-COCO\n\nBen played something yesterday\n\nDUDA-BARI",
    ],
)
def test_what_may_be_more_of_an_order_or_another_one_is_asked_about(
    text: str, tables: dict[str, Table]
) -> None:
    assert played(tables["kahuna"], text) == []


@pytest.mark.parametrize("dots", ["...", "…", ". . .", "- ..."])
def test_dots_left_between_the_moves_of_a_block_may_stand_for_one(
    dots: str, tables: dict[str, Table]
) -> None:
    for text in (f"[move]\nKAHU-COCO\n{dots}\ndraw\n[/move]", f"KAHU-COCO\n{dots}\ndraw"):
        assert played(tables["kahuna"], text) == [], text
    for text in (f"{dots}\nKAHU-COCO\ndraw", f"KAHU-COCO\ndraw\n{dots}"):
        assert played(tables["kahuna"], f"[move]\n{text}\n[/move]") == ["KAHU-COCO", "draw"], text


# ---------------------------------------------------------------------------------- proposals


def proposed(table: Table, text: str) -> tuple[tuple[str, ...], ...]:
    """What a yes or one of several numbers would play instead."""
    answer = answered(table, text)
    asks = isinstance(answer, Answer) and answer.code and not answer.doubted
    return answer.proposal if asks else ()


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("Kahu-Coco, Jojo", "KAHU-COCO; take JOJO"),
        ("Kahu - Coco / Jojo nehmen", "KAHU-COCO; take JOJO"),
        ("GOLA-COCO / pioche", ""),
        ("KAHU-COCO / tirage", "KAHU-COCO; draw"),
        ("Hidat építek Duda és Bari között a Duda lappal, aztán húzok", "DUDA-BARI; draw"),
        ("Biorę Jojo, proszę bardzo", "take JOJO"),
        ("Fada to Coco and draw", ""),
        ("KAHU-COCO\npuis je joue au tennis si Ben veut", ""),
        ("I play KAHU-COCO, but only if you agree", ""),
        ("May I play KAHU-COCO and then go on to draw?", ""),
        ("Ben told me he played KAHU-COCO in the last game", ""),
        ("KAHU-COCO\nsomething", ""),
        ("Nothing to build. I'll just draw a card from the pile.", "draw"),
        ("KAHU-COCO and draw please\nDon't build!", ""),
        ("I won't play KAHU-COCO", ""),
        ("I can't build KAHU-COCO", ""),
        ("I couldn't build KAHU-COCO", ""),
        ("this is for KAHU-COCO", ""),
        ("as long as KAHU-COCO", ""),
        ("skip that KAHU-COCO", ""),
        ("KAHU-COCO, den Rest schicke ich noch", ""),
        ("kahu-coco, then draw... yeah right, you'd love that!", ""),
        ("KAHU-COCO\n\nHuch, das wollte ich gar nicht abschicken.", ""),
        ("KAHU-COCO\n\nSorry, te vroeg op verzenden gedrukt.", ""),
        ("KAHU-COCO\n\nPrzepraszam, wysłało się samo.", ""),
        ("KAHU-COCO und ziehe - das hättest du wohl gern!", ""),
        ("Last week I played kahu-coco and draw, and look where it got me.", ""),
        ("KAHU-COCO\nI look forward to what you draw this evening", ""),
        ("KAHU-COCO. Gl", ""),
        ("KAHU-COCO. Пока", ""),
        ("Coco to Kahu, paid with the Kahu card. I take Jojo.", "KAHU-COCO; take JOJO"),
        ("KAHU-COCO keeping COCO", ""),
        ("Nice to play you again!\n\nKahu-Coco, and the face-up Jojo", "KAHU-COCO; take JOJO"),
        ("Construyo Kahu-Coco y robo después una carta", "KAHU-COCO; draw"),
        ("Construo Kahu-Coco e compro depois uma carta", "KAHU-COCO; draw"),
        ("KAHU-COCO and take a card then: Jojo", "KAHU-COCO; take JOJO"),
        ("ich bau kahu nach coco und zieh dann noch ne karte", "KAHU-COCO; draw"),
        ("Construyo Kahu-Coco y robo después", ""),
        ("Es schneit. Ich baue kahu nach coco und ziehe dann eine Karte.", "KAHU-COCO; draw"),
        (
            "Hallo Ben, hier schneit es seit Tagen. Der Film gestern war toll! Ich baue kahu nach "
            "coco und ziehe dann eine Karte. Viel Spaß!",
            "KAHU-COCO; draw",
        ),
        (
            "Salut Ben, il pleut. Je construis kahu-coco, puis je pioche une carte. Bon courage !",
            "KAHU-COCO; draw",
        ),
        ("Ich baue kahu nach coco. Das gilt nur, wenn du magst, lieber Ben.", ""),
        ("Ich baue kahu nach coco. Vielleicht kommt noch etwas hinterher.", ""),
        ("Ich baue kahu nach coco. Die Katze sprang über die Tastatur.", ""),
    ],
)
def test_what_is_nearly_clear_is_proposed_and_nothing_else(
    text: str, moves: str, tables: dict[str, Table]
) -> None:
    assert played(tables["kahuna"], text) == []
    want = (tuple(moves.split("; ")),) if moves else ()
    came = proposed(tables["kahuna"], text)
    assert came == want or (not moves and len(came) > 1)  # one of several needs its number


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("duda to bari please, and then i'll draw from the deck", "DUDA-BARI; draw"),
        ("Je construis Duda-Bari et je pioche", "DUDA-BARI; draw"),
        ("Costruisco un ponte da Duda a Bari e poi pesco", "DUDA-BARI; draw"),
        ("I'd like to play KAHU-COCO, please, and take the top card.", "KAHU-COCO; draw"),
        ("KAHU-COCO\nund dann ziehe ich eine verdeckte Karte", "KAHU-COCO; draw"),
        ("ich baue KAHU nach COCO und ziehe dann", "KAHU-COCO; draw"),
        ("Kahu to Coco and draw from the deck please", "KAHU-COCO; draw"),
        ("KAHU-COCO, draw. Good luck, everybody!", "KAHU-COCO; draw"),
        ("KAHU-COCO! Thanks.", "KAHU-COCO"),
    ],
)
def test_a_sentence_whose_every_word_is_understood_is_an_order(
    text: str, moves: str, tables: dict[str, Table]
) -> None:
    assert played(tables["kahuna"], text) == moves.split("; ")


@pytest.mark.parametrize(
    "text",
    [
        "KAHU-COCO después",
        "Dopo gioco KAHU-COCO",
        "Później KAHU-COCO",
        "KAHU-COCO, next move",
        "KAHU-COCO after that",
        "[move]\nafterwards KAHU-COCO\n[/move]",
        "KAHU-COCO nach",
        "KAHU-COCO; take JOJO nach",
        "[move]\nKAHU-COCO\ntake JOJO nach\n[/move]",
    ],
)
def test_a_word_that_may_say_then_is_later_at_either_end(
    text: str, tables: dict[str, Table]
) -> None:
    assert not played(tables["kahuna"], text)
    assert not proposed(tables["kahuna"], text)
    for text in ("KAHU-COCO, dopo draw", "KAHU-COCO; ziehe nach"):
        assert played(tables["kahuna"], text) == ["KAHU-COCO", "draw"]


def test_a_message_with_moves_that_it_may_undo_is_not_said_to_hold_none(
    tables: dict[str, Table],
) -> None:
    text = "Puh, schwierig. Ich baue Kahu nach Coco und ziehe dann eine Karte. Mal sehen, ob."
    answer = answered(tables["kahuna"], text)
    assert isinstance(answer, Answer)
    assert (answer.proposal, answer.doubted) == ((("KAHU-COCO", "draw"),), True)


@pytest.mark.parametrize(
    "text",
    [
        "You take DUDA",
        "You take DUDA, I take JOJO",
        "Ben takes DUDA, I take JOJO",
        "Tu prends DUDA, moi je prends JOJO",
        "Du nimmst DUDA, ich nehme JOJO",
        "Dann nimm du DUDA, ich nehme JOJO",
    ],
)
def test_what_the_reader_or_another_player_does_is_in_no_block_and_in_no_proposal(
    text: str, tables: dict[str, Table]
) -> None:
    answer = answered(tables["kahuna"], text)
    assert isinstance(answer, Answer)
    assert answer.steps == ()
    assert answer.proposal == ((("take JOJO",),) if "JOJO" in text else ())


@pytest.mark.parametrize("text", ["White: KAHU-COCO", "Ana: KAHU-COCO", "Weiß (Ana): KAHU-COCO"])
def test_the_name_of_a_seat_or_its_player_is_a_heading(text: str, tables: dict[str, Table]) -> None:
    assert played(tables["kahuna"], text) == ["KAHU-COCO"]
    assert played(tables["kahuna"], text.replace("Ana", "Ben").replace("White", "Black")) == (
        ["KAHU-COCO"] if "Ana" not in text and "White" not in text else []
    )


COST_A_YES = (
    "or should I wait?",
    "Bitte nicht ausführen, bevor Ben sich gemeldet hat",
    "Ne le jouez pas tout de suite.",
)


@pytest.mark.parametrize("said", [said for said in TAKEN_BACK if said not in COST_A_YES])
def test_what_is_taken_back_or_conditional_is_not_even_proposed(
    said: str, tables: dict[str, Table]
) -> None:
    for text in (f"KAHU-COCO and draw please\n{said}", f"Kahu to Coco, {said}"):
        assert proposed(tables["kahuna"], text) == (), text


@pytest.mark.parametrize(
    "said",
    [
        *COST_A_YES,
        "Das da bitte in die Tonne.",
        "C'est le chat qui a marché sur le clavier.",
        "Mets ça à la poubelle.",
        "To pisał mój syn.",
        "Dělej, že jsi to neviděl.",
        "Laat dit nog maar even liggen.",
        "Lo consulto con la almohada.",
        "Das war mein Sohn an meinem Rechner.",
        "Da schlaf ich lieber noch mal drüber.",
        "Ez kacsa volt, kedves emberek",
        "Les poules auront des dents avant moi",
    ],
)
def test_whole_moves_beside_words_that_are_not_understood_cost_a_yes_that_shows_the_words(
    said: str, tables: dict[str, Table]
) -> None:
    for text in (f"KAHU-COCO\ndraw\n\n{said}", f"{said}\n\nKAHU-COCO\ndraw"):
        answer = answered(tables["kahuna"], text)
        assert isinstance(answer, Answer)
        assert (answer.code, answer.proposal) == (1, (("KAHU-COCO", "draw"),)), text
        assert said in answer.message
