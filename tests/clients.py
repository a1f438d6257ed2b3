"""Replies as mail programs of seven languages write them, made from tables.

Facts, no copies: how each program says who wrote, what it puts around the original and how it
encodes it. `mails()` gives every program in every language, the order above, below and between.
"""

from __future__ import annotations

import base64
import html
import quopri
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

WHO = "The Desk <desk@example.org>"


@dataclass(frozen=True)
class Tongue:
    """What mail programs say in one language."""

    gmail: str
    apple: str
    thunderbird: str
    labels: tuple[str, str, str, str]
    date: str
    original: str
    forwarded: str
    iphone: str
    outlook: str
    hello: str
    bye: str
    reply: str
    colon: str = ":"


TONGUES = {
    "en": Tongue(
        f"On Fri, Apr 3, 2026 at 9:14 AM {WHO} wrote:",
        f"On 3 Apr 2026, at 09:14, {WHO} wrote:",
        "On 4/3/26 09:14, The Desk wrote:",
        ("From", "Sent", "To", "Subject"),
        "Friday, April 3, 2026 9:14 AM",
        "Original Message",
        "Forwarded message",
        "Sent from my iPhone",
        "Get Outlook for Android",
        "Hi Ben,",
        "Best regards",
        "Re",
    ),
    "de": Tongue(
        f"Am Fr., 3. Apr. 2026 um 09:14 Uhr schrieb {WHO}:",
        f"Am 03.04.2026 um 09:14 schrieb {WHO}:",
        "Am 03.04.26 um 09:14 schrieb The Desk:",
        ("Von", "Gesendet", "An", "Betreff"),
        "Freitag, 3. April 2026 09:14",
        "Ursprüngliche Nachricht",
        "Weitergeleitete Nachricht",
        "Von meinem iPhone gesendet",
        "Outlook für Android herunterladen",
        "Hallo Ben,",
        "Viele Grüße",
        "AW",
    ),
    "fr": Tongue(
        f"Le ven. 3 avr. 2026 à 09:14, {WHO} a écrit\xa0:",
        f"Le 3 avr. 2026 à 09:14, {WHO} a écrit :",
        "Le 03/04/2026 à 09:14, The Desk a écrit :",
        ("De", "Envoyé", "À", "Objet"),
        "vendredi 3 avril 2026 09:14",
        "Message d'origine",
        "Message transféré",
        "Envoyé de mon iPhone",
        "Télécharger Outlook pour Android",
        "Bonjour Ben,",
        "Cordialement,",
        "RE",
        " :",
    ),
    "nl": Tongue(
        f"Op vr 3 apr 2026 om 09:14 schreef {WHO}:",
        f"Op 3 apr 2026, om 09:14 heeft {WHO} het volgende geschreven:",
        "Op 3-4-2026 om 09:14 schreef The Desk:",
        ("Van", "Verzonden", "Aan", "Onderwerp"),
        "vrijdag 3 april 2026 09:14",
        "Oorspronkelijk bericht",
        "Doorgestuurd bericht",
        "Verstuurd vanaf mijn iPhone",
        "Outlook voor Android downloaden",
        "Hoi Ben,",
        "Met vriendelijke groet,",
        "Antw",
    ),
    "pl": Tongue(
        f"pt., 3 kwi 2026 o 09:14 {WHO} napisał(a):",
        f"Wiadomość napisana przez {WHO} w dniu 3 kwi 2026, o godz. 09:14:",
        "W dniu 03.04.2026 o 09:14, The Desk pisze:",
        ("Od", "Wysłano", "Do", "Temat"),
        "piątek, 3 kwietnia 2026 09:14",
        "Wiadomość oryginalna",
        "Wiadomość przekazana dalej",
        "Wysłane z iPhone'a",
        "Pobierz aplikację Outlook dla systemu Android",
        "Cześć Ben,",
        "Pozdrawiam",
        "Odp",
    ),
    "hu": Tongue(
        f"{WHO} ezt írta (időpont: 2026. ápr. 3., P, 9:14):",
        f"2026. ápr. 3. dátummal, 09:14 időpontban {WHO} írta:",
        "2026. 04. 03. 9:14 keltezéssel, The Desk írta:",
        ("Feladó", "Elküldve", "Címzett", "Tárgy"),
        "2026. április 3., péntek 9:14",
        "Eredeti üzenet",
        "Továbbított üzenet",
        "Elküldve az iPhone készülékemről",
        "Az Outlook letöltése Androidra",
        "Szia Ben,",
        "Üdvözlettel,",
        "Vá",
    ),
    "es": Tongue(
        f"El vie, 3 abr 2026 a las 9:14, {WHO.replace('<', '(<').replace('>', '>)')} escribió:",
        f"El 3 abr 2026, a las 9:14, {WHO} escribió:",
        "El 3/4/26 a las 9:14, The Desk escribió:",
        ("De", "Enviado", "Para", "Asunto"),
        "viernes, 3 de abril de 2026 9:14",
        "Mensaje original",
        "Mensaje reenviado",
        "Enviado desde mi iPhone",
        "Obtener Outlook para Android",
        "Hola Ben:",
        "Saludos,",
        "RV",
    ),
}

PLACES = ("above", "below", "between")


@dataclass(frozen=True)
class Reply:
    """What is to be written: new lines, and the old ones that the program quotes."""

    new: Sequence[str]
    old: Sequence[str]
    place: str
    tongue: Tongue


# ------------------------------------------------------------------------------- the programs


def _around(r: Reply, head: Sequence[str], mark: str, sign: Sequence[str] = ()) -> list[str]:
    """New lines above, below or between lines that bear a mark."""
    old = [f"{mark} {line}".rstrip() for line in r.old]
    if r.place == "above":
        return [*r.new, "", *sign, "", *head, *old]
    if r.place == "below":
        return [*head, *old, "", *r.new, "", *sign]
    cut = len(old) // 3
    first, *rest = r.new
    middle = ["", first, "", *old[cut : 2 * cut], "", *rest, ""]
    return [*head, *old[:cut], *middle, *old[2 * cut :], "", *sign]


def _bare(r: Reply, head: Sequence[str], sign: Sequence[str] = ()) -> list[str]:
    """The same where the original bears no marks."""
    if r.place == "above":
        return [*r.new, "", *sign, "", *head, "", *r.old]
    if r.place == "below":
        return [*head, "", *r.old, "", *r.new, "", *sign]
    cut = len(r.old) // 2
    return [*head, "", *r.old[:cut], "", *r.new, "", *r.old[cut:], "", *sign]


def headers(t: Tongue, bold: str = "") -> list[str]:
    values = ("The Desk", t.date, "ana@example.org", "[m #9 5989] Kahuna")
    return [
        f"{bold}{label}{t.colon}{bold} {value}"
        for label, value in zip(t.labels, values, strict=True)
    ]


def gmail(r: Reply) -> bytes:
    wrapped = r.tongue.gmail.replace("org> ", "org>\n").split("\n")
    return plain(_around(r, [*wrapped, ""], ">"))


def gmail_both(r: Reply) -> bytes:
    said = r.tongue.gmail
    body, quote = [f"<div dir=ltr>{html.escape(line)}</div>" for line in r.new], _pre(r.old)
    head = f'<div class="gmail_attr">{html.escape(said)}<br></div>'
    quoted = f'<div class="gmail_quote">{head}<blockquote class="gmail_quote">{quote}'
    page = f"{''.join(body)}<br>{quoted}</blockquote></div>"
    return alternative(_around(r, [said], ">"), page)


def gmail_html(r: Reply) -> bytes:
    def quote(lines: Sequence[str]) -> str:
        return f'<blockquote class="gmail_quote" style="margin:0">{_pre(lines)}</blockquote>'

    new = [f"<div>{html.escape(line)}</div>" for line in r.new]
    head = f'<div class="gmail_attr">{html.escape(r.tongue.gmail)}</div>'
    cut = len(r.old) // 2
    pages = {
        "above": [*new, "<br>", head, quote(r.old)],
        "below": [head, quote(r.old), "<br>", *new],
        "between": [head, quote(r.old[:cut]), *new, quote(r.old[cut:])],
    }
    return page("".join(pages[r.place]))


def apple(r: Reply) -> bytes:
    return plain([*_around(r, ["", r.tongue.apple, ""], ">")], "quoted-printable", "flowed")


def thunderbird(r: Reply) -> bytes:
    sign = ["-- ", "Ana", "take LALE"]
    return plain(_around(r, [r.tongue.thunderbird], ">", sign), "8bit", "flowed")


def outlook(r: Reply) -> bytes:
    head = ["_" * 32, *headers(r.tongue)]
    return plain([r.tongue.hello, "", *_bare(r, head, [r.tongue.bye, "Ana"])], "base64")


def outlook_old(r: Reply) -> bytes:
    return plain(_bare(r, [f"-----{r.tongue.original}-----", *headers(r.tongue)]))


def outlook_html(r: Reply) -> bytes:
    def paragraphs(lines: Sequence[str]) -> str:
        return "".join(f"<p class=MsoNormal>{html.escape(line) or '&nbsp;'}</p>" for line in lines)

    head = "<br>".join(html.escape(line) for line in headers(r.tongue))
    border = f'<div style="border-top:solid #E1E1E1 1.0pt"><p class=MsoNormal>{head}</p></div>'
    made = _bare(r, ["\0"])
    return page("".join(border if line == "\0" else paragraphs([line]) for line in made))


def outlook_phone(r: Reply) -> bytes:
    head = ["_" * 32, *headers(r.tongue, "*")]
    return plain(_bare(r, head, [f"{r.tongue.outlook}<https://aka.ms/x>"]))


def iphone(r: Reply) -> bytes:
    return plain(_around(r, [r.tongue.apple, ""], ">", [r.tongue.iphone]), "quoted-printable")


def samsung(r: Reply) -> bytes:
    return plain(_bare(r, [f"-------- {r.tongue.original} --------", *headers(r.tongue)]))


PROGRAMS: dict[str, Callable[[Reply], bytes]] = {
    program.__name__: program
    for program in (
        gmail,
        gmail_both,
        gmail_html,
        apple,
        thunderbird,
        outlook,
        outlook_old,
        outlook_html,
        outlook_phone,
        iphone,
        samsung,
    )
}
UNMARKED = {"outlook", "outlook_old", "outlook_html", "outlook_phone", "samsung"}
"""Whose originals bear no marks: below their first line nothing can be told apart."""


# ---------------------------------------------------------------------------------- encodings


def envelope(
    subject: str = "[m #9 5989]", identity: str = "<1@example.org>", sender: str = "Ana Weiss"
) -> bytes:
    written = f"=?utf-8?b?{base64.b64encode(subject.encode()).decode()}?="
    return (
        f"Received: from mail.example.org by desk.example; Fri, 3 Apr 2026 09:20:00 +0200\n"
        f"From: {sender} <ana@example.org>\nTo: The Desk <desk@example.org>\n"
        f"Subject: {written}\nMessage-ID: {identity}\nDate: Fri, 3 Apr 2026 09:19:00 +0200\n"
        f"MIME-Version: 1.0\n"
    ).encode()


def encoded(text: str, encoding: str) -> bytes:
    if encoding == "base64":
        return base64.encodebytes(text.encode())
    if encoding == "quoted-printable":
        return quopri.encodestring(text.encode())
    return text.encode()


def part(kind: str, text: str, encoding: str, extra: str = "") -> bytes:
    head = f"Content-Type: text/{kind}; charset=UTF-8{extra}\n"
    return f"{head}Content-Transfer-Encoding: {encoding}\n\n".encode() + encoded(text, encoding)


def plain(lines: Sequence[str], encoding: str = "8bit", format: str = "") -> bytes:
    extra = f"; format={format}" if format else ""
    return envelope() + part("plain", "\n".join(lines) + "\n", encoding, extra)


def page(body: str) -> bytes:
    whole = f"<html><head><style>p{{margin:0}}</style></head><body>{body}</body></html>"
    return envelope() + part("html", whole, "quoted-printable")


def alternative(lines: Sequence[str], body: str) -> bytes:
    head = b'Content-Type: multipart/alternative; boundary="b1"\n\n'
    texts = [part("plain", "\n".join(lines), "quoted-printable"), part("html", body, "base64")]
    return envelope() + head + b"".join(b"--b1\n" + each + b"\n" for each in texts) + b"--b1--\n"


def _pre(lines: Sequence[str]) -> str:
    return "<br>".join(html.escape(line) for line in lines)


def mails(new: Sequence[str], old: Sequence[str]) -> Iterator[tuple[str, str, str, bytes]]:
    """Program, language, place and the mail: each of each."""
    for name, program in PROGRAMS.items():
        for language, tongue in TONGUES.items():
            for place in PLACES:
                yield name, language, place, program(Reply(new, old, place, tongue))
