"""Own words of which every one is explained are played; what leaves anything open is proposed."""

from __future__ import annotations

import pytest
from test_people import Table, came_of, tables

from pbem import intake
from pbem.desk.submit import check

__all__ = ["tables"]

KAHUNA, MID, BAMBUS, LEAD = "k-open white", "k-mid black", "b-main yellow", "p-lead ana"
PLAYED = [
    (
        KAHUNA,
        "Je construis un pont de Kahu à Lale et je prends Iffi. Bonne soirée",
        "KAHU-LALE; take IFFI",
    ),
    (
        KAHUNA,
        "Hallo zusammen, ich baue von Coco nach Gola und nehme Iffi, bitte.",
        "COCO-GOLA; take IFFI",
    ),
    (
        KAHUNA,
        "Duda-Huna, Coco-Bari, dann vom Stapel. Schönes Wochenende!",
        "DUDA-HUNA; COCO-BARI; draw",
    ),
    (KAHUNA, "coco-gola\nkahu-jojo\ntop card please", "COCO-GOLA; KAHU-JOJO; draw"),
    (
        MID,
        "I'm removing your Elai-Huna bridge using Elai and Huna, then Huna-Lale. Taking Jojo.",
        "ELAI+HUNA x ELAI-HUNA; HUNA-LALE; take JOJO",
    ),
    (LEAD, "Ich spiele die blaue 3.", "blue 3"),
    (LEAD, "Je joue le vert 5. Bisous, Ana", "green 5"),
    (BAMBUS, "Ok, I sail to M and take kane3.", "move L-M; take kane3"),
    (BAMBUS, "Ok so: move L-M, take kane3.", "move L-M; take kane3"),
    (KAHUNA, "My move is: DUDA-ELAI. Card: Iffi.", "DUDA-ELAI; take IFFI"),
    (KAHUNA, "take LALE :D", "take LALE"),
    (KAHUNA, "Ahoj Bene, stavím most Duda-Bari a beru si Iffi.", "DUDA-BARI; take IFFI"),
    (BAMBUS, "Navigo da L a M e prendo lono4. Ciao!", "move L-M; take lono4"),
]
PLAYED += [
    (LEAD, text, "red 12")
    for text in (
        "A piros 12-est játszom ki. Puszi, Ana",
        "A piros 12-t játszom ki.",
        "Pelaan punaisen 12:n.",
        "Hraji červenou 12",
        "Ich spiele die rote Zwölf aus.",
        "Zagram czerwoną 12.",
        "Salgo con el rojo 12.",
        "Gioco il rosso 12.",
        "Ik speel de rode 12 uit.",
        "Vermelho 12. Boa sorte!",
    )
]
DRAWS = (
    "draw|drawing|zieh|ziehe nach|piocher|robar|robo|pescare|pesca|trekken|dobiorę|ciągnę|húzni|"
    "húzz|comprar|líznout|lízám|líznu|"
    "nosta|nostaa|nosto|nostan|drar|dra|trækker|trække|тяну|возьму карту"
)
PLAYED += [
    (KAHUNA, "ich nehm Iffi, du bist dran", "take IFFI"),
    (KAHUNA, "Danke dir! Ich nehme Iffi", "take IFFI"),
    (BAMBUS, "Ah! move L-M, take kane3", "move L-M; take kane3"),
]
PLAYED += [(KAHUNA, f"COCO-GOLA\n{word}", "COCO-GOLA; draw") for word in DRAWS.split("|")[:-1]]
REMOVED = [
    "Ich nehme mit Elai und Huna die Brücke Elai-Huna weg und ziehe.",
    "Ich reiße mit Elai und Huna Elai-Huna ab und ziehe.",
    "Mit Elai und Huna baue ich Elai-Huna ab, dann ziehe ich nach.",
    "Ik haal met Elai en Huna de brug Elai-Huna weg en trek een kaart.",
]
PLAYED += [(MID, text, "ELAI+HUNA x ELAI-HUNA; draw") for text in REMOVED]
PLAYED += [("k-five white", "Ich lege Lale ab und ziehe nach.", "discard LALE; draw")]
PROPOSED = [
    (BAMBUS, "Hmm well now: move L-M, take kane3.", "move L-M; take kane3"),
    (
        "b-swap blue",
        "I swap kane5 on A with pele5 on E, sail to E and take kane5",
        "swap A:kane5 E:pele5; move A-E; take kane5",
    ),
    (KAHUNA, "Je construis un beau pont de Kahu à Lale et je prends Iffi.", "KAHU-LALE; take IFFI"),
    (KAHUNA, "I built Coco-Gola from Coco and took Iffi.", "COCO-GOLA; take IFFI"),
    (KAHUNA, "Your move was: I build Coco to Gola, I take Iffi", "COCO-GOLA; take IFFI"),
    (LEAD, "I have the blue 3.", "blue 3"),
    (KAHUNA, "I'd build Coco-Gola and draw.", "COCO-GOLA; draw"),
    (KAHUNA, "Él construye Coco-Gola y roba.", "COCO-GOLA; draw"),
]


@pytest.mark.parametrize(("where", "said", "meant"), PLAYED)
def test_own_words_that_are_all_explained_are_played(
    where: str, said: str, meant: str, tables: dict[str, Table]
) -> None:
    assert _came(tables, where, said) == (meant.split("; "), [])


@pytest.mark.parametrize(("where", "said", "meant"), PROPOSED)
def test_what_leaves_anything_open_is_proposed(
    where: str, said: str, meant: str, tables: dict[str, Table]
) -> None:
    assert _came(tables, where, said) == ([], [meant.split("; ")])


@pytest.mark.parametrize(
    "said",
    [
        "You build Coco to Gola and draw.",
        "I build Coco to Gola and draw?",
        "Ich würde Coco-Gola bauen und ziehen.",
        "Your move: Coco-Gola, take Iffi.",
        "Si tu veux, je construis Coco-Gola et je pioche.",
        "J'ai construit Coco-Gola et pris Iffi.",
        "Zbudowałam most Coco-Gola i dobrałam kartę.",
        "Ik heb de brug Coco-Gola gebouwd en een kaart getrokken.",
        "Postavil jsem most Coco-Gola a lízl kartu.",
        "Heute Abend baue ich Coco-Gola und ziehe.",
        "Halt: ich baue Coco-Gola und ziehe.",
        "I could build Coco-Gola and draw.",
        "nimm du Iffi",
        "Coco-Gola, und dann nimm du Iffi",
        "Du, zieh eine Karte!",
        "Bau Coco-Gola und zieh du",
    ],
)
def test_what_is_said_to_others_or_asked_is_never_played(
    said: str, tables: dict[str, Table]
) -> None:
    assert _came(tables, KAHUNA, said)[0] == []


def _came(tables: dict[str, Table], where: str, text: str) -> tuple[list[str], list[list[str]]]:
    position, seat = where.split()
    return came_of({"id": "own", "seat": seat, "text": text}, tables[position])[:2]


@pytest.mark.parametrize(
    "asked",
    [
        "What happens to my Kahu bridges when I do COCO-GOLA and draw?",
        "Was passiert mit meinen Brücken auf Kahu, wenn ich COCO-GOLA baue und ziehe?",
    ],
)
def test_a_question_with_moves_in_it_is_passed_on(asked: str, tables: dict[str, Table]) -> None:
    room = tables["k-open"].room
    answer = check(
        str(room.log),
        intake.read(asked.encode(), "m.txt", "text"),
        seat="white",
        keyring=tables["k-open"].now.keyring,
    )
    assert answer.verdict == "passed-on"
