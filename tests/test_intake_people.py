"""How people write: what they say around a move, what they take back, and how they word it."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path

import pytest
from commands import Room, dealt, pbem
from wrappings import NOTICES

from pbem import intake
from pbem.desk.submit import Answer, check
from pbem.play.judge import legal_moves
from pbem.problem import Problem

NEW = "KAHU-COCO"


@pytest.fixture(scope="module")
def desk_room(tmp_path_factory: pytest.TempPathFactory) -> Room:
    return dealt(tmp_path_factory.mktemp("people"))


def texts(text: str, kind: str = "text") -> list[str]:
    return [line.text for line in intake.read(text.encode(), "post.txt", kind).orders]


def mail(text: str, page: str = "", subject: str = "My move", **headers: str) -> bytes:
    message = EmailMessage()
    message["From"] = "Ana Weiss <ana@example.org>"
    message["Subject"] = subject
    for name, value in headers.items():
        message[name.replace("_", "-")] = value
    message.set_content(text, charset="utf-8", cte="base64")
    if page:
        message.add_alternative(page, subtype="html")
    return message.as_bytes()


def asked(room: Room, source: bytes) -> Answer:
    said = intake.read(source, "m")
    return check(str(room.log), said, seat="white", keyring=room.key("white"))


def played(room: Room, text: str) -> list[str]:
    answer = asked(room, text.encode())
    assert answer.code == 0, (answer.message, answer.troubles)
    game = answer.before.game
    return [
        *(game.notate(s.move) for s in answer.steps),
        *(each.text for each in answer.not_played),
    ]


# --------------------------------------------------------------------------------- courtesies

COURTESIES = """
Hi all,|Hello everyone!|Hey there|Good morning, Ben|Dear Ben,|Dear all|Hi Ben and Ana,|Greetings!
Good evening everyone,|Hope you are well.|Hope all is well!|Happy Friday!|Hi again|Howdy!|Hi team,
Hope you had a great weekend!|Happy New Year everyone!|hey ben,|G'day!
Thanks for the game!|Thanks for your patience.|Thank you very much!|Many thanks, Ana|Cheers, Ana
Best,|Best wishes|All the best,|Kind regards,|Warm regards|With best regards|Yours, Ana|Take care!
Good luck!|Have a nice weekend!|Have a great day|See you soon!|Looking forward to your move.
Nice move!|Well played, Ben!|Your turn!|Over to you, Ben|Sorry for the delay!|Have fun!|GG|:-)
Talk to you soon|Good night!|Enjoy your weekend|Thanks in advance!|Thx|TTYL|xx|Sincerely,
Hallo zusammen,|Moin!|Servus Ben,|Guten Abend allerseits,|Liebe Ana,|Hallo ihr Lieben,|Grüß dich!
Sehr geehrte Damen und Herren,|Guten Morgen zusammen!|Schönen guten Abend,|Huhu!|Grüezi mitenand,
Viele Grüße|Liebe Grüße, Ana|Beste Grüße aus Wien|LG|VG Ana|MfG|Mit freundlichen Grüßen,|Gruß Ana
Schönes Wochenende!|Schönen Abend noch!|Einen schönen Tag noch!|Viel Glück!|Viel Spaß!|Bis bald!
Danke für die Geduld!|Vielen Dank!|Du bist dran!|Guter Zug!|Tschüss!|Sonnige Grüße|Gute Nacht!
Sorry für die Verspätung!|Das war's.|Alles Gute!|Bis zum nächsten Mal!|Herzliche Grüße aus Köln
Bonjour à tous,|Salut Ben,|Coucou !|Bonsoir,|Cher Ben,|Bonjour tout le monde !
Cordialement,|Bien cordialement|Amicalement, Ana|Merci beaucoup !|Merci d'avance|À bientôt !
Bonne journée !|Bonne soirée à tous|Bon week-end !|Bises|Bonne chance !|À toi de jouer !
Bien à toi|Bien joué !|À plus|Désolée pour le retard|Meilleures salutations|Bonne continuation
Hola a todos:|Buenos días,|Buenas tardes, Ben|Estimado Ben:|Buenas!|Hola, ¿qué tal!
Saludos cordiales|Un abrazo|Muchas gracias!|Gracias por la partida|Hasta luego!|Un saludo, Ana
¡Suerte!|Te toca|Buena partida!|Nos vemos|Que tengas un buen día|Buen fin de semana|Atentamente,
Ciao a tutti,|Buongiorno,|Buonasera a tutti|Caro Ben,|Gentile Ben,|Salve!
Cordiali saluti|Un abbraccio|Grazie mille!|A presto!|Buona giornata|Buona fortuna!|Tocca a te
Tanti saluti|Buona partita!|Alla prossima!|Scusate il ritardo|Distinti saluti|Buon weekend!
Hoi allemaal,|Goedemorgen,|Beste Ben,|Dag Ben!|Hallo iedereen|Geachte heer,
Met vriendelijke groet,|Groetjes, Ana|Groeten|Bedankt!|Fijne dag nog!|Tot ziens|Veel succes!
Prettig weekend!|Jij bent|Veel plezier!|Hartelijke groeten|Mvg|Liefs,|Alvast bedankt!|Mooie zet!
Cześć wszystkim!|Dzień dobry,|Witam,|Drogi Benie,|Hej Ben!|Dobry wieczór
Pozdrawiam serdecznie|Pozdrowienia|Dziękuję bardzo!|Z poważaniem,|Do zobaczenia!|Powodzenia!
Miłego dnia!|Twoja kolej|Na razie|Dzięki za grę!|Udanego weekendu!|Pozdro|Wszystkiego dobrego!
Szia Béla,|Sziasztok!|Kedves Ben!|Jó reggelt!|Szép napot!|Üdv mindenkinek!
Üdvözlettel,|Köszönöm szépen!|Köszi!|Sok szerencsét!|Jó éjszakát!|Szép hétvégét!|Te jössz!
"""
LINES = [text for row in COURTESIES.strip().splitlines() for text in row.split("|")]


def test_a_courtesy_in_any_of_eight_languages_does_not_refuse_an_order() -> None:
    assert [line for line in LINES if texts(f"{line}\n\n{NEW}\n\n{line}") != [NEW]] == []


@pytest.mark.parametrize(
    "line",
    [
        "Hi, draw",
        "Thanks, I take KAHU",
        "Hallo bari-duda!",
        "Best: BARI-DUDA",
        "Dear me, what a terrible storm",
        "Ben, BARI-DUDA",
    ],
)
def test_a_courtesy_with_more_in_it_is_not_left_out(line: str) -> None:
    assert texts(f"{NEW}\n{line}") == [NEW, line]


BANNERS = [
    "CAUTION: This email originated from outside of the organization. Do not click links or open\n"
    "attachments unless you recognize the sender.",
    "[EXTERNAL EMAIL]",
    "You don't often get email from ben@example.org. Learn why this is important",
    "Achtung: Diese E-Mail stammt von einem externen Absender.",
    "ATTENTION : ce courriel provient de l'extérieur de l'organisation.",
    "This message is confidential and may be legally privileged. If you have received it\n"
    "in error, please notify the sender and delete it.",
    "Diese E-Mail enthält vertrauliche und/oder rechtlich geschützte Informationen. Wenn Sie\n"
    "nicht der richtige Adressat sind, informieren Sie bitte sofort den Absender.",
    "Ce message et toutes les pièces jointes sont établis à l'intention exclusive de ses\n"
    "destinataires.",
    "Este mensaje y sus archivos adjuntos van dirigidos exclusivamente a su destinatario.",
    "Questo messaggio contiene informazioni riservate.",
    "Dit bericht is vertrouwelijk en uitsluitend bestemd voor de geadresseerde.",
    "Ta wiadomość może zawierać informacje poufne.",
    "Ez az üzenet bizalmas információkat tartalmaz.",
    "Please consider the environment before printing this email.",
    "Virus-free. www.avast.com",
    "Diese E-Mail wurde von Avast Antivirus-Software auf Viren geprüft.",
    "_______________________________________________\nPbem mailing list\nPbem@lists.example.org\n"
    "https://lists.example.org/listinfo/pbem",
    "-=-=-=-=-=-=-=-=-=-=-=-\nGroups.io Links: You receive all messages sent to this group.\n"
    "View/Reply Online (#12): https://groups.io/g/pbem/message/12\n-=-=-=-=-=-=-=-=-=-=-=-",
    "------------------------------------\n\nYahoo Groups Links\n\n<*> To visit your group on"
    " the web, go to:\n    http://groups.yahoo.com/group/pbem/",
    "__._,_.___\nPosted by: Ana\nReply via web post\n.\n\n__,_._,___",
    "Ana Weiss\nhttps://ana.example.org\n+49 30 1234567",
    "Thanks,\nAna Weiss\nSenior Gardener\nSome Street 5",
    *NOTICES,
]


@pytest.mark.parametrize("banner", BANNERS)
def test_what_machines_and_signatures_add_does_not_refuse_an_order(banner: str) -> None:
    found = intake.read(mail(f"{NEW}\n\n{banner}\n"), "m.eml")
    assert [line.text for line in found.orders] == [NEW]
    assert found.ignored


def test_a_move_in_a_notice_or_below_a_name_is_asked_about(desk_room: Room) -> None:
    for text in (
        f"take JOJO\n\nThis message is confidential.\n{NEW}",
        f"take JOJO\nCheers\nAna\n{NEW}",
        f"take JOJO\n{NEW}?",
    ):
        answer = asked(desk_room, mail(text))
        assert (answer.code, answer.steps) == (1, ()), text
        assert NEW in answer.message, text


@pytest.mark.parametrize(("line", "greets"), [("hi", False), ("Hi", False), ("Hi!", True)])
def test_a_greeting_that_could_be_played_is_asked_about_unless_it_is_called_out(
    line: str, greets: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    could = 0
    for nth in range(6):
        monkeypatch.setattr("commands.SECRET", bytes([nth]) * 32)
        folder = tmp_path / str(nth)
        folder.mkdir()
        room = dealt(folder)
        now = room.read()
        moves = {now.game.notate(move) for move in legal_moves(now.game, now.state, "white")}
        first = min(moves - {"draw", "pass", "HUNA-IFFI", "IFFI-HUNA"})
        answer = asked(room, f"{line}\n{first}".encode())
        legal = "HUNA-IFFI" in moves  # what two letters mean
        asks = legal and not greets
        assert (answer.code, repr(line) in answer.message) == (int(asks), asks)
        could += legal
    assert 0 < could < 6


def test_a_move_that_a_greeting_seems_to_be_said_to_is_asked_about(desk_room: Room) -> None:
    answer = asked(desk_room, f"Hallo pass!\n{NEW}".encode())
    assert (answer.code, "Hallo pass!" in answer.message) == (1, True)


# ------------------------------------------------------------------- taken back, asked, hidden


@pytest.mark.parametrize(
    "gone",
    [
        "[s]draw[/s]",
        "[S]draw[/S]",
        "[strike]draw[/strike]",
        "[del]\ndraw\n[/del]",
        "~~draw~~",
        "~~ draw ~~",
        "~~draw\ntake JOJO~~",
        "☐ draw",
        "<s>draw</s>",
        "<del>draw</del>",
        "<strike>draw</strike>",
        "<!-- draw -->",
        "<!--\ndraw\ntake JOJO\n-->",
        "[s][move]draw[/move][/s]",
        "[ ] draw",
        "- [ ] draw",
    ],
)
def test_what_is_struck_out_or_hidden_is_no_order(gone: str) -> None:
    found = intake.read(f"{NEW}\n{gone}\n".encode(), "post.txt")
    assert [line.text for line in found.orders] == [NEW]
    assert {each.why for each in found.ignored} <= {"struck out", "not ticked"}
    assert found.ignored


@pytest.mark.parametrize(
    "page",
    [
        "<s>draw</s>",
        "<del><p>draw</p></del>",
        "<strike>dr<b>aw</b></strike>",
        "<span style='text-decoration: line-through'>dr<span>aw</span></span>",
        "<div style=display:none>draw</div>",
        "<p style='display: none'>draw",
        "<p style='display :none'>draw</p>",
        "<p style='opacity:0'>draw</p>",
        "<p style='max-height: 0; overflow: hidden'>draw</p>",
        "<template>draw</template>",
        "<div hidden>draw</div>",
        "<p style='opacity: 0.0'>draw</p>",
        "<span style='font-size:0px'>draw</span>",
        "<p style='height:0;overflow:hidden'>draw</p>",
        "<p style='visibility:collapse'>draw</p>",
        "<p style='color:#ffffff'>draw</p>",
        "<p><font color=white>draw</font></p>",
        "<p style='color:white; background:#fff'>draw</p>",
        "<div style='position:absolute;left:-9999px'>draw</div>",
        "<p style='text-indent:-999em'>draw</p>",
        "<p style='clip:rect(0,0,0,0)'>draw</p>",
        "<p style='transform:scale(0)'>draw</p>",
        "<p style='display&#58;none'>draw</p>",
        f"<p title='{'x' * 1500}' style='display:none'>draw</p>",
        f"<p title='{'x' * 5000}'>draw</p>",
        "<style>.gone, #x {display:none}</style><p class='it gone'>draw</p>",
        "<style>@media all { p#X { opacity: 0 } }</style><p id=X>draw</p>",
        "<details><summary></summary>draw</details>",
        "<dialog>draw</dialog>",
        "<noscript>draw</noscript>",
        "<textarea>draw</textarea>",
        "<!-- <p>draw</p> -->",
        '<p title="a > b" style="display:none">draw</p>',
        '<p title="a > draw">',
        '<p title="<p>draw</p>">',
        "<!--[if mso]><p>draw</p><![endif]-->",
        "<!--[if gte mso 9]><xml><p>draw</p></xml><![endif]-->",
        "<style>@media screen { [data-x] { display:none } }</style><p data-x>draw</p>",
        "<style>em { display:none }</style><p><em>draw</em></p>",
        "<style>p.a { dis/**/play:/* here */none }</style><p class=a>draw</p>",
        "<p style='d\\69splay:none'>draw</p>",
        "<p style='opacity:.01'>draw</p>",
        "<p style='font-size:1px'>draw</p>",
        "<p style='font:0/0 a'>draw</p>",
        "<p style='color:hsl(0, 0%, 100%)'>draw</p>",
        "<p style='color:#fefefe'>draw</p>",
        "<p style='color:rgba(0 0 0 / 0)'>draw</p>",
        "<p style='background:#123;color:#123'>draw</p>",
        "<div text='#fff'>draw</div>",
        "<p style='transform:translateX(-9999px)'>draw</p>",
        "<p style='-webkit-clip-path:circle(0)'>draw</p>",
        "<p style='height:1px;overflow:hidden'>draw</p>",
        "<p style='line-height:0'>draw</p>",
        "<p style='filter:opacity(0)'>draw</p>",
        "<p style='-webkit-text-fill-color:transparent'>draw</p>",
        "<p style='position:absolute;z-index:-1'>draw</p>",
        "<p style='letter-spacing:-99px'>draw</p>",
        "<p style='zoom:0'>draw</p>",
        "<template><b></b>draw</template>",
        "<style>.w {color:#fff}</style><p class=w>draw</p>",
        "<p style='color:rgba(0,0,0,.19)'>draw</p>",
        f"<style>.x {{{'color:red;' * 500}}}</style><p class=x>draw</p>",
        "<select><option>draw</option></select>",
        "<video>draw</video>",
        "<div popover>draw</div>",
        "<div title='>' style='display:none'><p>draw</p></div>",
        "<p style='font-family:&quot;A&quot;;display:none'>draw</p>",
    ],
)
def test_what_is_struck_out_or_hidden_in_html_is_no_order(page: str) -> None:
    head = "From: a@example.org\nContent-Type: text/html\n\n"
    source = f"{head}<p>{NEW}</p>{page}<p>take JOJO".encode()
    assert [line.text for line in intake.read(source, "m.eml").orders] == [NEW, "take JOJO"]


@pytest.mark.parametrize(
    "page",
    [
        "<p style='opacity:0.9'>draw</p>",
        "<style>.w {color:#fff}</style><div style='background:#123'><p class=w>draw</p></div>",
        "<p style='color:rgba(0,0,0,.2)'>draw</p>",
        "<p style='font-size:10.0pt'>draw</p>",
        "<p style='max-height:0.5em'>draw</p>",
        "<table width=0 style='width:100%'><tr><td>draw</td></tr></table>",
        "<p style='margin-left:-12px'>draw</p>",
        "<p style='background-color:white'>draw</p>",
        "<p style='border-color:white'>draw</p>",
        "<div style='background:#123'><p style='color:#fff'>draw</p></div>",
        "<details open>draw</details>",
        "<style>.gone {display:none} .here {color:red}</style><p class=here>draw</p>",
        "<style>div.gone p {display:none} @media print {b {color:#000}}</style><p><b>draw</b></p>",
        "<p style='font:400 13px Arial; line-height:1.2; zoom:1; transform:none'>draw</p>",
        "<p style='background:white;color:black;letter-spacing:-.5px'>draw</p>",
        "<p style='border:1px solid #ccc;color:rgb(0, 0, 0)'>draw</p>",
        '<p class=hidden title="Ana\'s" style=overflow:hidden>draw</p>',
        "<!--[if !mso]><!--><p>draw</p><!--<![endif]-->",
        "<!--[if !mso]><!-- --><p>draw</p><!-- <![endif]-->",
        "<!--[if !mso]>--><p>draw</p><!--<![endif]-->",
        "<![if !mso]><p>draw</p><![endif]>",
        "<!---><p>draw</p><!-- a --!>",
        '<p title="a > b">draw</p>',
        "<p title='a > \"b\"'>draw</p>",
        '<p title = "<s>">draw</p>',
        "<p onclick=\"if (a>b) { c('x') }\">draw</p>",
        '<img alt="take KAHU > pass">draw',
        '<script>if (a<b) c = "</script><p>draw</p>',
    ],
)
def test_what_is_seen_in_html_is_read(page: str) -> None:
    head = "From: a@example.org\nContent-Type: text/html\n\n"
    source = f"{head}<p>{NEW}</p>{page}<p>take JOJO".encode()
    read = [line.text for line in intake.read(source, "m.eml").orders]
    assert read == [NEW, "draw", "take JOJO"]


@pytest.mark.parametrize(
    "page",
    [
        "<p style='border-left:2px solid #ccc'>draw</p>",
        "<p style='border-left:2px solid #ccc'>draw",
        "<table><tr><td style='border-left:solid blue 1.5pt'><p>draw</p><table><tr><td>a<td>b"
        "</table>draw</td></tr></table>",
        "<section class=front-blockquote>draw</section>",
        "<div style='border:solid #ccc;border-width:0 0 0 2px'>draw</div>",
        "<div style='border-left-width:1px;border-left-style:solid'>draw</div>",
        "<div style='border-inline-start:1px solid'>draw</div>",
        "<style>.q {border-left: 1px dashed #ccc}</style><div class=q>draw</div>",
    ],
)
def test_a_line_on_the_left_of_any_block_makes_it_a_quote(page: str) -> None:
    head = "From: a@example.org\nContent-Type: text/html\n\n"
    source = f"{head}<p>{NEW}</p>{page}<p>take JOJO".encode()
    assert "draw" not in [line.text for line in intake.read(source, "m.eml").orders]


def test_an_order_struck_out_in_html_alone_is_asked_about() -> None:
    assert intake.read(mail(NEW, f"<p>{NEW}</p><s>draw</s>"), "m.eml").orders
    with pytest.raises(Problem, match="'draw' is struck out in the HTML version"):
        intake.read(mail(f"{NEW}\ndraw", f"<p>{NEW}</p><s>draw</s>"), "m.eml")


@pytest.mark.parametrize("text", ["pass?", "KAHU-COCO ???", "KAHU-COCO?!", "draw??", "[ ] draw"])
def test_a_question_is_no_order(text: str, desk_room: Room) -> None:
    assert texts(text) == []
    assert asked(desk_room, text.encode()).code == 1


def test_a_ticked_box_is_an_order() -> None:
    assert texts("- [x] draw\n- [ ] pass") == ["draw"]


# -------------------------------------------------------------------------------- PGP, machines

SIGNED = f"""\
-----BEGIN PGP SIGNED MESSAGE-----
Hash: SHA256

{NEW}
- - draw
- --
Ana
-----BEGIN PGP SIGNATURE-----

iQEzBAEBCAAdFiEE
=abcd
-----END PGP SIGNATURE-----
"""


def test_a_mail_signed_with_pgp_is_read() -> None:
    found = intake.read(mail(SIGNED), "m.eml")
    assert [line.text for line in found.orders] == [NEW, "draw"]
    assert {each.why for each in found.ignored} == {"signature"}
    assert not {NEW, "- - draw"} & {each.text for each in found.ignored}


def test_a_label_that_stands_twice_is_of_no_header_and_the_order_below_is_read() -> None:
    said = "When: Mon, 4 May 2026\nAna: hello\nAna: ana@example.org\nWhere: at home"
    found = intake.read(mail(f"{said}\n{NEW}\n"), "m.eml")
    assert NEW in [line.text for line in found.orders]


def test_a_mail_encrypted_with_pgp_says_so() -> None:
    text = "-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----"
    with pytest.raises(Problem, match="encrypted with PGP"):
        intake.read(mail(text), "m.eml")
    parts = "From: a@b.org\nContent-Type: multipart/encrypted; boundary=b\n\n--b\n\nx\n--b--\n"
    with pytest.raises(Problem, match="is encrypted"):
        intake.read(parts.encode(), "m.eml")
    quoted = "\n".join(f"> {line}" for line in text.splitlines())
    assert intake.read(mail(f"{NEW}\n\n{quoted}"), "m.eml").orders


SUBJECTS = """
Automatic reply: Kahuna|Out of Office AutoReply: Kahuna|Out of Office: Kahuna|Auto: Kahuna
Automatische Antwort: Kahuna|Abwesenheitsnotiz: Kahuna|Abwesend: Kahuna|Réponse automatique : Kahuna
Respuesta automática: Kahuna|Fuera de la oficina: x|Risposta automatica: Kahuna|Fuori ufficio: x
Automatisch antwoord: Kahuna|Afwezig: Kahuna|Odpowiedź automatyczna: Kahuna|Autoodpowiedź: Kahuna
Automatikus válasz: Kahuna|Házon kívül: Kahuna|Re: Kahuna (Out of Office)|Resposta automática: x
"""


@pytest.mark.parametrize(
    "subject", [s for row in SUBJECTS.strip().split("\n") for s in row.split("|")]
)
def test_an_automatic_reply_is_known_by_its_subject(subject: str) -> None:
    assert intake.read(mail("draw", subject=subject), "m.eml").automatic == f"Subject: {subject}"
    assert intake.read(mail("draw", subject=f"Re: {subject} - back again"), "m").automatic is None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("X-Autorespond", "Kahuna"),
        ("X-Precedence", "auto_reply"),
        ("X-MS-Exchange-Inbox-Rules-Loop", "ana@example.org"),
        ("X-FC-MachineGenerated", "true"),
    ],
)
def test_an_automatic_reply_is_known_by_its_headers(name: str, value: str) -> None:
    source = f"From: a@example.org\n{name}: {value}\n\ndraw".encode()
    assert intake.read(source, "m.eml").automatic


# ----------------------------------------------------------------------- quotes people cut up


@pytest.mark.parametrize(
    "text",
    [
        "On Fri, 3 Apr 2026, Ben wrote:\n[...]\n> OLD\n\n{}",
        "On Fri, 3 Apr 2026, Ben wrote:\n[snip]\n> OLD\n\n{}",
        "Ben wrote:\n<snip>\n\n> OLD\n\n{}",
        "| OLD\n\n{}",
        "{}\n| OLD\n| OLD",
        "> [move] #9 5989\n{}\n> [/move]",
    ],
)
def test_an_answer_between_cut_up_quotes_is_read(text: str) -> None:
    found = intake.read(mail(text.format(NEW)), "m.eml")
    assert [line.text for line in found.orders] == [NEW]


ASKED = {
    "the dots of the quoted fence": "> [move] #9 5989\n> KAHU-COCO\n> [/move]\n",
    "below Outlook Express": "----- Original Message -----\nFrom: Ben\n\n> OLD\n\nKAHU-COCO",
    "right under a long line": "> "
    + "I would much rather have seen you play on the other side " * 2
    + "\nKAHU-COCO\n> and then we shall see",
    "outside an empty fence": "[move] #9 5989\n...\n[/move]\nKAHU-COCO",
}


@pytest.mark.parametrize("name", ASKED)
def test_an_order_in_a_doubtful_place_is_asked_about(name: str, desk_room: Room) -> None:
    answer = asked(desk_room, mail(ASKED[name]))
    assert (answer.code, answer.steps) == (1, ())
    assert NEW in answer.message


def test_the_same_order_outside_the_fence_does_no_harm(desk_room: Room) -> None:
    text = f"I play\n{NEW}\n\n[move]\n{NEW.lower()}\n[/move]"
    assert played(desk_room, text) == [NEW]


def test_an_unplaced_fence_below_chat_that_says_what_was_played_is_asked_about(room: Room) -> None:
    room.says("white", f"{NEW}; draw")
    room.says("black", "pass")
    old = f"What a storm we had\n\n[move]\n{NEW}\n[/move]"
    answer = asked(room, old.encode())
    assert "may be an old one" in answer.message
    assert (
        "may be an old one" not in asked(room, old.replace("[move]", "[move] #11").encode()).message
    )


def test_a_position_in_the_subject_is_said_to_be_the_subjects(room: Room) -> None:
    answer = asked(room, mail(NEW, subject="our game #2"))
    assert (answer.verdict, answer.message[:19]) == ("stale", "The subject says #2")


# ------------------------------------------------------------------------------ natural writing


@pytest.mark.parametrize(
    "text",
    [
        "kahu-coco, take jojo",
        "KAHU-COCO and take JOJO",
        "KAHU-COCO, then take JOJO",
        "Kahu to Coco. Then take Jojo.",
        "My move: KAHU-COCO, take JOJO",
        "My move:\nKAHU-COCO\nthen take JOJO",
        "Mein Zug: KAHU-COCO\ndann nehme JOJO",
        "I play KAHU-COCO and then I take JOJO, please",
        "Please place KAHU-COCO\nand take JOJO",
        "Ich möchte KAHU-COCO\nund dann JOJO nehmen".replace("JOJO nehmen", "nehme JOJO"),
        "First KAHU-COCO\nThen take JOJO",
        "KAHU-COCO & take JOJO",
        "I'd like to build KAHU-COCO\nthen I'll take JOJO",
        "1. KAHU-COCO\n2. take JOJO\n\nGood luck!",
    ],
)
def test_an_order_in_plain_words_is_read(text: str, desk_room: Room) -> None:
    assert played(desk_room, text) == [NEW, "take JOJO"]


@pytest.mark.parametrize("text", ["I think KAHU-COCO is best", "KAHU-COCO, or maybe draw", "x, y"])
def test_words_that_may_mean_something_are_not_looked_through(text: str, desk_room: Room) -> None:
    assert asked(desk_room, text.encode()).code == 1


def test_players_names_stand_for_seats(tmp_path_factory: pytest.TempPathFactory) -> None:
    from pbem.meaning.patterns import patterns

    seats = ("red", "blue", "yellow")
    room = dealt(tmp_path_factory.mktemp("names"), "kanaloa-bambus", seats)
    now = room.read()
    by_seat = patterns(now, "rob red pele4")
    assert [p.move for p in patterns(now, "rob Ana pele4")] == [p.move for p in by_seat]


@pytest.mark.parametrize("text", ["move I-A", "pawn A", "fish A-I, white", "please, pawn A"])
@pytest.mark.parametrize("name", ["A", "I", "White", "Ana Pawn"])
def test_what_a_player_is_called_takes_no_island_away(name: str, text: str, tmp_path: Path) -> None:
    from pbem.meaning.patterns import patterns

    opened = ("--seat", f"red={name}", "--seat", "yellow=Ben", "--dir", tmp_path)
    pbem("new", "kanaloa-bambus", "--match", "m", *opened)
    now = Room(tmp_path / "m.pbem.yaml").read()
    [said] = patterns(now, text)
    assert said.move == now.game.parse(text.removeprefix("please, ")).move
    [robbed] = patterns(now, f"rob {name} pele4")
    assert robbed.move == now.game.parse("rob red pele4").move


def test_what_was_ignored_is_listed_on_acceptance_too(room: Room) -> None:
    text = "Hi Ben,\nKAHU-COCO\n\n> old\n> old\n"
    shown = pbem("check", room.log, "-", "--from", "white", stdin=text)
    assert 'ignored: line 1, "Hi Ben,": greeting' in shown.out
    done = pbem("submit", room.log, "-", "--from", "white", stdin=text)
    assert done.code == 0
    assert 'pbem: ignored: line 4, "> old", and 1 line below it: quote' in done.err


STAMPS = """
Last edited by ana on Mon Apr 2, 2026 3:14 pm, edited 2 times in total.
Last edited by Ana Weiss on 2 Apr 2026, 15:14, edited 1 time in total
Last edited Thu Apr 2, 2026 3:14 pm (Total Number of Edits: 1)
[Last edited Apr 02, 2026 (Total Number of Edits: 12)]
Last edited: Apr 2, 2026
Last edited by ana; 04-02-2026 at 03:14 PM.
Edited by ana on 2026-04-02 15:14
Zuletzt geändert von ana am Mo 2. Apr 2026, 15:14, insgesamt 2-mal geändert.
Zuletzt bearbeitet: 2. April 2026
Zuletzt bearbeitet von ana am 2. April 2026 um 15:14 Uhr
Dernière modification par ana le lun. 2 avr. 2026, 15:14, modifié 2 fois.
Dernière édition: 2 avr. 2026
Ostatnio zmieniony 02 kwie 2026, 15:14 przez ana, łącznie zmieniany 2 razy.
A hozzászólást 2 alkalommal szerkesztették, utoljára ana 2026.04.02. 15:14-kor.
""".strip().splitlines()


@pytest.mark.parametrize("stamp", STAMPS)
def test_the_stamp_of_an_edit_is_a_notice(stamp: str) -> None:
    for text in (f"{NEW}\ndraw\n\n{stamp}", f"{NEW}\ndraw\n{stamp}\n", f"{stamp}\n\n{NEW}\ndraw"):
        found = intake.read(text.encode(), "-")
        assert [line.text for line in found.orders] == [NEW, "draw"]
        assert [(each.why, each.text) for each in found.ignored] == [("notice", stamp)]
    assert not intake.read(f"[move]\n{NEW}\n[/move]\n\n{stamp}".encode(), "-").unexplained


@pytest.mark.parametrize(
    "text",
    [
        "Last edited by ana on 2 Apr 2026, 15:14. Reason: not this one",
        "Last edited by ana on 2 Apr 2026, 15:14. Reason: BARI-DUDA",
        "Last edited: BARI-DUDA",
        "Edited: make that BARI-DUDA",
        "The last edited by Ben on 2 Apr 2026",
    ],
)
def test_what_says_more_than_the_stamp_of_an_edit_is_no_notice(text: str) -> None:
    found = intake.read(f"{NEW}\n{text}".encode(), "-")
    assert text in [line.text for line in found.orders]


def test_below_a_forum_s_ruler_stands_a_signature_that_is_shown_to_the_game() -> None:
    for ruler in ("_" * 17, "_" * 18):
        post = f"{NEW}\ndraw\n\n{ruler}\nAna Weiss\nThe one and only"
        found = intake.read(post.encode(), "-")
        assert [line.text for line in found.orders] == [NEW, "draw"]
        assert {each.why for each in found.ignored} == {"notice"}
        assert "The one and only" in [line.text for line in found.outside]
        first = intake.read(f"{ruler}\n{NEW}\ndraw".encode(), "-")
        assert [line.text for line in first.orders][-2:] == [NEW, "draw"]


SPEAKERS = "Ben said|Ben says|Ben Kiss sagte|Ben hat gesagt|Ben a dit|Ben mondta|Ben powiedział"


@pytest.mark.parametrize("said", SPEAKERS.split("|"))
def test_what_stands_below_somebody_s_name_who_said_it_is_theirs(said: str) -> None:
    found = intake.read(mail(f"{NEW}\ndraw\n\n{said}:\nOLD-MOVE\ndraw\n"), "m.eml")
    assert [line.text for line in found.orders] == [NEW, "draw"]
    assert "attribution" in {each.why for each in found.ignored}
    for own in ("As I said", "I say", "this is what i said"):
        found = intake.read(mail(f"{own}:\n{NEW}\ndraw\n"), "m.eml")
        assert [line.text for line in found.orders][-2:] == [NEW, "draw"]
