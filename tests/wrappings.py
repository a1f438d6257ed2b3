"""How mail programs introduce the original below an answer: facts in a table, no copies.

Each wrapping is what stands between the new text and an original without any marks.
"""

from __future__ import annotations

from typing import Final

ATTRIBUTIONS: Final = {
    "Zoho": "---- On Fri, 03 Apr 2026 09:14:00 +0200 The Desk <desk@example.org> wrote ----",
    "Zoho, German": "---- Am Fr, 03 Apr. 2026 09:14:00 +0200 The Desk <desk@example.org> schrieb ----",
    "Zoho, old": "---- On Fri, 03 Apr 2026 09:14:00 +0200 The Desk&lt;desk@example.org&gt; wrote ----",
    "Samsung": "-------- Original message --------From: The Desk <desk@example.org> "
    "Date: 03/04/2026  09:14  (GMT+01:00) To: ana@example.org Subject: Re: [m #9 5989] Kahuna ",
    "Samsung, German": "-------- Ursprüngliche Nachricht --------Von: The Desk "
    "<desk@example.org> Datum: 03.04.26  09:14  (GMT+01:00) An: ana@example.org Betreff: Zug ",
    "Samsung, no dashes": "Von: The Desk <desk@example.org> Datum: 03.04.26 09:14 An: ana@x.org",
    "bare address": "desk@example.org wrote:",
    "bare address, German": "desk@example.org schrieb:",
    "bare address in angles": "<desk@example.org> escribió:",
    "Horde": "Zitat von The Desk <desk@example.org>:",
    "Horde, no address": "Zitat von The Desk:",
    "Horde, English": "Quoting The Desk <desk@example.org>:",
    "Gnus": "The Desk <desk@example.org> writes:",
    "Gnus, no address": "The Desk writes:",
    "Lotus Notes": "The Desk <desk@example.org> \n03.04.2026 09:14\n\nAn\nana@example.org\nKopie\n\n"
    "Thema\n[m #9 5989] Kahuna",
    "Lotus Notes, 7": "The Desk <desk@example.org> wrote on 04/03/2026 09:14:00 AM:",
    "Lotus Notes, fields": "From:\tThe Desk <desk@example.org>\nTo:\tana@example.org\n"
    "Date:\t04/03/2026 09:14 AM\nSubject:\tKahuna",
    "eM Client": '------ Original Message ------\nFrom: "The Desk" <desk@example.org>\n'
    "To: ana@example.org\nSent: 4/3/2026 9:14:00 AM\nSubject: Kahuna",
    "eM Client 9": '------ Original Message ------\nFrom "The Desk" <desk@example.org>\n'
    "To ana@example.org\nDate 4/3/2026 9:14:00 AM\nSubject Kahuna",
    "eM Client, German": '------ Originalnachricht ------\nVon "The Desk" <desk@example.org>\n'
    "An ana@example.org\nDatum 03.04.2026 09:14:00\nBetreff Kahuna",
    "QQ": '------------------ 原始邮件 ------------------\n发件人: "The Desk" <desk@example.org>;\n'
    '发送时间: 2026年4月3日(星期五) 上午9:14\n收件人: "ana"<ana@example.org>;\n主题: Kahuna',
    "QQ, English": "------------------ Original ------------------\n"
    'From:  "The Desk";<desk@example.org>;\nDate:  Fri, Apr 3, 2026 09:14 AM\n'
    'To:  "ana"<ana@example.org>;\n\nSubject:  Kahuna',
    "163": 'At 2026-04-03 09:14:00, "The Desk" <desk@example.org> wrote:',
    "163, Chinese": '在 2026-04-03 09:14:00，"The Desk" <desk@example.org> 写道：',
    "Foxmail": "发件人： desk@example.org\n发送时间： 2026-04-03 09:14\n收件人： ana@example.org\n主题： Kahuna",
    "The Bat": "Friday, April 3, 2026, 9:14:00 AM, you wrote:",
    "mutt": "On Fri, Apr 03, 2026 at 09:14:00AM +0200, The Desk wrote:",
    "Pine": "On Fri, 3 Apr 2026, The Desk wrote:",
    "KMail": "On Friday, April 3, 2026 9:14:00 AM CEST The Desk wrote:",
    "Proton": "------- Original Message -------\nOn Friday, April 3rd, 2026 at 9:14 AM, "
    "The Desk <desk@example.org> wrote:",
    "Tutanota": "Apr 3, 2026, 09:14 by desk@example.org:",
    "Yandex": '03.04.2026, 09:14, "The Desk" <desk@example.org>:',
    "Mail.ru": "Пятница, 3 апреля 2026, 9:14 +03:00 от The Desk <desk@example.org>:",
    "Spark": "On 3 Apr 2026, 09:14 +0200, The Desk <desk@example.org>, wrote:",
    "Roundcube": "On 2026-04-03 09:14, The Desk wrote:",
    "Roundcube, German": "Am 2026-04-03 09:14, schrieb The Desk:",
    "Open-Xchange": "The Desk <desk@example.org> hat am 03.04.2026 09:14 CEST geschrieben:",
    "T-Online": "-----Original-Nachricht-----\nBetreff: Kahuna\nDatum: 2026-04-03T09:14:00+0200\n"
    'Von: "The Desk" <desk@example.org>\nAn: ana@example.org',
    "Zimbra": '----- Mail original -----\nDe: "The Desk" <desk@example.org>\nÀ: ana@example.org\n'
    "Envoyé: Vendredi 3 Avril 2026 09:14:00\nObjet: Kahuna",
    "La Poste": 'Message du 03/04/26 09:14\nDe : "The Desk" <desk@example.org>\nA : ana@example.org\n'
    "Copie à : \nObjet : Kahuna",
    "Seznam": "---------- Původní e-mail ----------\nOd: The Desk <desk@example.org>\n"
    "Komu: ana@example.org\nDatum: 3. 4. 2026 9:14:00\nPředmět: Kahuna",
    "Onet": "W dniu 2026-04-03 09:14:00 użytkownik The Desk <desk@example.org> napisał:",
    "WP": "Dnia 3 kwietnia 2026 09:14 The Desk <desk@example.org> napisał(a):",
    "Libero": "Il 03/04/2026 09:14 CEST The Desk <desk@example.org> ha scritto:",
    "Interia": 'Od: "The Desk" <desk@example.org>\nDo: ana@example.org;\nWysłane: 9:14 Piątek '
    "2026-04-03\nTemat: Kahuna",
    "GroupWise": ">>> The Desk <desk@example.org> 03.04.2026 09:14 >>>",
    "GroupWise, name only": ">>> The Desk 4/3/2026 9:14 AM >>>",
    "Yahoo, classic": "--- On Fri, 4/3/26, The Desk <desk@example.org> wrote:",
    "BlackBerry": "  Original Message  \nFrom: The Desk\nSent: Friday, April 3, 2026 9:14 AM\n"
    "To: ana@example.org\nReply To: desk@example.org\nSubject: Kahuna",
    "Windows Mail": "From: The Desk<mailto:desk@example.org>\nSent: Friday, April 3, 2026 9:14 AM\n"
    "To: ana@example.org<mailto:ana@example.org>\nSubject: Kahuna",
    "Mailbird": "On 4/3/2026 9:14:00 AM, The Desk <desk@example.org> wrote:",
    "no colon": "The Desk <desk@example.org> 3 April 2026 at 09:14",
    "an unknown language": "Hono the 3.4.2026 09:14 kakaka The Desk <desk@example.org> yazala:",
}

LABELS: Final = {
    "pt": "De|Enviado|Para|Assunto",
    "sv": "Från|Skickat|Till|Ämne",
    "da": "Fra|Sendt|Til|Emne",
    "no": "Fra|Sendt|Til|Emne",
    "fi": "Lähettäjä|Lähetetty|Vastaanottaja|Aihe",
    "cs": "Od|Odesláno|Komu|Předmět",
    "sk": "Od|Odoslané|Komu|Predmet",
    "ru": "От|Отправлено|Кому|Тема",
    "uk": "Від|Надіслано|Кому|Тема",
    "bg": "От|Изпратено|До|Относно",
    "el": "Από|Στάλθηκε|Προς|Θέμα",
    "tr": "Kimden|Gönderildi|Kime|Konu",
    "ro": "De la|Trimis|Către|Subiect",
    "hr": "Šalje|Poslano|Prima|Predmet",
    "sr": "Од|Послато|За|Тема",
    "sl": "Od|Poslano|Za|Zadeva",
    "et": "Saatja|Saadetud|Adressaat|Teema",
    "lv": "No|Nosūtīts|Kam|Tēma",
    "lt": "Nuo|Išsiųsta|Kam|Tema",
    "is": "Frá|Sent|Til|Efni",
    "ca": "De|Enviat|Per a|Assumpte",
    "eu": "Nork|Bidalita|Nori|Gaia",
    "gl": "De|Enviado|Para|Asunto",
    "id": "Dari|Dikirim|Kepada|Perihal",
    "vi": "Từ|Đã gửi|Đến|Chủ đề",
    "th": "จาก|ส่ง|ถึง|เรื่อง",
    "zh": "发件人|发送时间|收件人|主题",
    "zh-tw": "寄件者|寄件日期|收件者|主旨",
    "ja": "差出人|送信日時|宛先|件名",
    "ko": "보낸 사람|보낸 날짜|받는 사람|제목",
    "he": "מאת|נשלח|אל|נושא",
    "ar": "من|تم الإرسال|إلى|الموضوع",
    "fa": "از|ارسال|به|موضوع",
    "no language": "Kakako|Lolopa|Mimi|Susu",
}


def label_block(labels: str, date: str = "3.4.2026 09:14", colon: str = ":") -> str:
    """The block that Outlook writes above an original."""
    values = ("The Desk <desk@example.org>", date, "ana@example.org", "[m #9 5989] Kahuna")
    named = zip(labels.split("|"), values, strict=True)
    return "\n".join(f"{label}{colon} {value}" for label, value in named)


WRAPPINGS: Final = {
    **ATTRIBUTIONS,
    **{f"Outlook {name}": label_block(labels) for name, labels in LABELS.items()},
    **{
        f"Outlook {name}, bold": label_block(labels, colon=":*").replace("\n", "\n*")
        for name, labels in LABELS.items()
    },
    **{
        f"Outlook {name}, a line above": "_" * 32 + "\n" + label_block(labels)
        for name, labels in LABELS.items()
    },
}

NOTICES = """
This email is intended only for the person(s) named. If you have received it in error, please let us know by reply and destroy it.
The contents of this email are confidential to the ordinary user of the email address to which it was addressed. If you are not the addressee you may not copy or forward it.
Think of the environment: do not print this mail unless needed.
This email was sent from outside your company. Be careful with links and attachments unless you know the sender.
WARNING - This e-mail came from an external source. Don't open attachments if you are unsure.
Views in this message are those of the author only and not of Example Ltd.
Diese Mail ist nur für den Empfänger bestimmt. Sollten Sie sie irrtümlich erhalten haben, löschen Sie sie bitte.
Bitte denken Sie an die Umwelt, bevor Sie diese Mail ausdrucken.
Hinweis: Diese E-Mail ist von außerhalb. Klicken Sie nur auf Links, wenn Sie den Absender kennen.
Der Inhalt dieser E-Mail ist ausschließlich für den bezeichneten Adressaten bestimmt. Jede unbefugte Verwendung ist nicht gestattet.
Ce courriel est confidentiel. Si vous l'avez reçu par erreur, veuillez le détruire et en avertir l'expéditeur.
N'imprimez ce mail que si nécessaire. Pensez à l'environnement.
Ce message provient de l'extérieur. N'ouvrez pas les pièces jointes si vous ne connaissez pas l'expéditeur.
Este correo electrónico es confidencial y sólo para su destinatario. Si lo ha recibido por error, notifíquelo y bórrelo.
Questa email è destinata solo al destinatario. Se l'ha ricevuta per errore, la cancelli.
Prima di stampare questa mail, pensa all'ambiente.
De informatie in dit bericht is alleen bestemd voor de geadresseerde. Als u dit bericht per abuis heeft ontvangen, stuur het dan terug.
Denk aan het milieu voordat u deze mail print.
Treść tej wiadomości jest przeznaczona wyłącznie dla adresata. Jeżeli otrzymał ją Pan omyłkowo, prosimy o usunięcie.
Pomyśl o środowisku, zanim wydrukujesz tę wiadomość.
Ez a levél csak a címzettnek szól. Amennyiben Ön tévedésből kapta, kérjük törölje.
Kérjük, gondoljon a környezetre, mielőtt kinyomtatja ezt a levelet.
Esta mensagem destina-se apenas ao destinatário. Se a recebeu por engano, por favor apague-a.
Antes de imprimir, pense no ambiente.
""".strip().split("\n")
"""What machines add to a mail, as nobody who wrote the lists of their words had seen it."""
