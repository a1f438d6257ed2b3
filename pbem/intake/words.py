"""What mail programs and people write around an order, language by language.

A row is all it takes to add a language. Each field is a list of regular-expression pieces
parted by `|`, matched without regard to case.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Language:
    """The words of one language.

    wrote      the verb of "On … Ana wrote:"
    lead       how such a line may begin, before the date
    sender, date, to, copy, subject    labels of the header block above an original
    message    "message", in "-----Original Message-----"
    forwarded  a whole line that begins a forwarded message
    device     how the line that a mail program adds by itself begins
    greeting, closing    courtesies on a line of their own
    """

    wrote: str
    lead: str
    sender: str
    date: str
    to: str
    copy: str
    subject: str
    message: str
    forwarded: str
    device: str
    greeting: str
    closing: str


LANGUAGES: Final = {
    "en": Language(
        "wrote|writes",
        "on",
        "from",
        "sent|date",
        "to",
        "cc|bcc|reply-to",
        "subject",
        "message|e-?mail",
        "begin forwarded message",
        "sent from|sent with|sent via|get outlook for|yahoo mail:",
        "hi|hello|hey|dear|good morning|good evening|hi there|hello there|hi all",
        "cheers|best|best wishes|all the best|best regards|kind regards|regards|thanks|many thanks"
        "|thanks in advance|thank you|thx|bye|see you|good luck|have fun|yours|good game",
    ),
    "de": Language(
        "schrieb|schreibt|geschrieben",
        "am",
        "von",
        "gesendet|datum",
        "an",
        "kopie|antwort an",
        "betreff",
        "nachricht",
        "anfang der weitergeleiteten (?:nachricht|e-mail)",
        r"von mein\w+ \S+(?: \S+){0,3} gesendet|gesendet von|gesendet mit|outlook für"
        "|diese nachricht wurde von",
        "hallo|hallo zusammen|liebe|lieber|moin|servus|grüezi|guten morgen|guten tag|guten abend",
        "gruß|gruss|grüße|grüsse|viele grüße|liebe grüße|lieber gruß|schöne grüße|beste grüße"
        "|herzliche grüße|viele gruesse|liebe gruesse|mit freundlichen grüßen|lg|vg|mfg|danke"
        "|danke dir|vielen dank|dankeschön|tschüss|bis bald|bis dann|viel glück|viel spaß",
    ),
    "fr": Language(
        "a écrit|écrit",
        "le",
        "de",
        "envoyé|date",
        "à|a|pour",
        "cc|copie à",
        "objet|sujet",
        "message|courriel",
        "début du message (?:transféré|réexpédié)",
        "envoyé de mon|envoyé depuis|envoyé à partir|obtenez outlook|télécharger outlook",
        "bonjour|bonsoir|salut|cher|chère|coucou",
        "cordialement|bien cordialement|amicalement|merci|merci d'avance|à bientôt|bises|amitiés"
        "|bonne journée|bonne soirée",
    ),
    "nl": Language(
        "schreef|schrijft|geschreven",
        "op",
        "van",
        "verzonden|datum",
        "aan",
        "cc",
        "onderwerp",
        "bericht",
        "begin doorgestuurd bericht",
        "verstuurd vanaf|verzonden vanaf|verzonden met|outlook voor",
        "hoi|beste|dag|goedemorgen|goedemiddag|goedenavond",
        "groet|groeten|groetjes|vriendelijke groet|met vriendelijke groet"
        "|met vriendelijke groeten|bedankt|dank je|dankjewel|tot ziens|mvg",
    ),
    "pl": Language(
        r"pisze|napisał|napisała|napisał\(a\)",
        "w dniu|dnia",
        "od",
        "wysłano|wysłane|data",
        "do",
        "dw|kopia",
        "temat",
        "wiadomość|wiadomości",
        "początek przekazywanej wiadomości",
        "wysłane z|wysłano z|pobierz (?:aplikację )?outlook",
        "cześć|witaj|witam|hej|dzień dobry|drogi|droga",
        "pozdrawiam|pozdrowienia|serdecznie pozdrawiam|dzięki|dziękuję|na razie|pa",
    ),
    "hu": Language(
        "írta|írja",
        "ekkor",
        "feladó",
        "elküldve|küldve|dátum",
        "címzett",
        "másolatot kap|másolat",
        "tárgy",
        "üzenet",
        "továbbított üzenet kezdete",
        "elküldve az|küldve az|az outlook",
        "szia|sziasztok|kedves|helló|üdv|jó napot",
        "üdvözlettel|üdv|köszönöm|köszi|köszönettel",
    ),
    "es": Language(
        "escribió|escribe",
        "el",
        "de",
        "enviado|enviado el|fecha",
        "para|a",
        "cc|copia",
        "asunto",
        "mensaje",
        "inicio del mensaje reenviado",
        "enviado desde|enviado con|obtener outlook|descargar outlook",
        "hola|buenos días|buenas|buenas tardes|buenas noches|querido|querida|estimado|estimada",
        "saludos|un saludo|un abrazo|gracias|muchas gracias|hasta luego|atentamente|suerte",
    ),
    "it": Language(
        "ha scritto|scrive",
        "il|il giorno",
        "da",
        "inviato|data",
        "a",
        "cc",
        "oggetto",
        "messaggio",
        "inizio messaggio inoltrato",
        "inviato da|inviato con|scarica outlook|ottieni outlook",
        "ciao|buongiorno|buonasera|caro|cara|salve",
        "saluti|cordiali saluti|un saluto|grazie|ciao|a presto|buona fortuna",
    ),
    "pt": Language(
        "escreveu|escreve",
        "em|no dia",
        "de",
        "enviado|enviada em|enviado em|data",
        "para",
        "cc",
        "assunto",
        "mensagem",
        "início da mensagem (?:re)?encaminhada",
        "enviado do|enviado a partir|enviado pelo|obter o outlook|obtenha o outlook",
        "olá|oi|bom dia|boa tarde|boa noite|caro|cara|prezado|prezada",
        "abraço|abraços|obrigado|obrigada|atenciosamente|cumprimentos|até logo|valeu",
    ),
    "sv": Language(
        "skrev|skriver",
        "den",
        "från",
        "skickat|skickades|datum",
        "till",
        "kopia",
        "ämne",
        "meddelande|brev",
        "vidarebefordrat (?:brev|meddelande)",
        "skickat från|skickat med|hämta outlook",
        "hej|hejsan|hallå|god morgon",
        "hälsningar|vänliga hälsningar|med vänliga hälsningar|mvh|tack|tack på förhand|hej då",
    ),
    "da": Language(
        "skrev|skriver",
        "den",
        "fra",
        "sendt|dato",
        "til",
        "kopi",
        "emne",
        "meddelelse|melding",
        "start på videresendt besked|videresendt melding",
        "sendt fra|sendt med|hent outlook|få outlook|skaff deg outlook",
        "hej|hei|kære|kjære|god morgen",
        "hilsen|mange hilsner|venlig hilsen|med venlig hilsen|med vennlig hilsen|vh|tak|takk",
    ),
    "fi": Language(
        "kirjoitti|kirjoittaa",
        "",
        "lähettäjä",
        "lähetetty|päivämäärä|päiväys",
        "vastaanottaja",
        "kopio",
        "aihe",
        "viesti",
        "välitetty viesti alkaa",
        "lähetetty|hanki outlook",
        "moi|hei|terve",
        "terveisin|kiitos|kiitti",
    ),
    "cs": Language(
        r"napsal|napsala|napsal\(a\)|napísal|píše",
        "dne",
        "od",
        "odesláno|datum",
        "komu|pro",
        "kopie",
        "předmět",
        "zpráva|správa",
        "začátek přeposílané zprávy",
        "odesláno z|získejte outlook",
        "ahoj|dobrý den|milý|milá",
        "s pozdravem|díky|děkuji|zdraví",
    ),
    "ru": Language(
        "написал|написала|пишет|писал",
        "",
        "от|от кого",
        "отправлено|дата",
        "кому",
        "копия",
        "тема",
        "сообщение|письмо",
        "начало переадресованного сообщения",
        "отправлено (?:с|из)",
        "привет|здравствуйте|добрый день",
        "спасибо|пока",
    ),
}


def pieces(name: str) -> str:
    """One field of every language as alternatives, the longest first."""
    found = {piece for row in LANGUAGES.values() for piece in _split(getattr(row, name)) if piece}
    return "|".join(sorted(found, key=lambda piece: (-len(piece), piece)))


def _split(alternatives: str) -> list[str]:
    """Split at the bars that are not in brackets."""
    found, depth = [""], 0
    for char in alternatives:
        depth += (char == "(") - (char == ")")
        if char == "|" and not depth:
            found.append("")
        else:
            found[-1] += char
    return found
