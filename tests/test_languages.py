"""What somebody reads is in their language: the match's, the seat's, or the person's own."""

from __future__ import annotations

import gettext
import io
import itertools
import re
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from string import Formatter

import pytest
from commands import ANA, BEN, Room, mail, pbem
from postroom import EVE, Post, text
from pseudo import BEGINS, PSEUDO, spoken

from languages.__main__ import (
    COMPLETE,
    TEMPLATE,
    catalogues,
    compiled,
    complete,
    is_whole,
    lacking,
    main,
    read,
    template,
    written,
)
from pbem.core import Violation, told_points
from pbem.desk.file import Desk, read_both
from pbem.desk.plans.model import Plan
from pbem.files import data
from pbem.files.languages import speaking
from pbem.intake import Line, asking, plan, words
from pbem.intake.absence import absence
from pbem.intake.settings import preferred
from pbem.log import clock
from pbem.log.match import Replay
from pbem.mailroom.daybook import book_of
from pbem.mailroom.preferences import languages_of
from pbem.play import games
from pbem.report import sealed
from pbem.report.rulebook import sources
from pbem.report.waiting import shown
from pbem.rules.kanaloa_piatnik.picture import KEY
from pbem.rules.reading import fold
from pbem.sentence import dated, figured, say, timed, to_keep
from pbem.sentence import spoken as spoken_now


@pytest.fixture(autouse=True)
def pseudo() -> Iterator[None]:
    with spoken():
        yield


@pytest.fixture
def post(tmp_path: Path) -> Post:
    return Post(tmp_path)


def new(folder: Path, *more: object, name: str = "m") -> Room:
    seats = ("--seat", f"white=Ana <{ANA}>", "--seat", f"black=Ben <{BEN}>")
    done = pbem("new", "kahuna", *seats, "--match", name, "--dir", folder, "--told", *more)
    assert done.code == 0, done.printed
    return Room(folder / f"{name}.pbem.yaml")


def asked(post: Post, said: str, sender: str, n: int = 0) -> str:
    """The answer to a mail."""
    before = set(post.answers())
    post.comes(mail(said, sender=sender, identity=f"<{n}{sender}@e>"))
    post.run()
    [name] = (each for each in set(post.answers()) - before if post.answers()[each]["To"] == sender)
    return text(post.answers()[name])


# ------------------------------------------------------------------------------- whose it is


def test_a_post_is_in_the_languages_of_the_match_and_shows_the_board_once(tmp_path: Path) -> None:
    room = new(tmp_path, "--language", f"{PSEUDO},en")
    told = pbem("post", room.log).out
    pseudo, english = told.split("Kahuna - m - ")[1:]
    assert BEGINS in pseudo
    assert BEGINS not in english
    assert told.count("[ALOA 3]") == 1
    assert "The board is above." in english
    for fact in ("A number says how many lines", "Score     Ana 0, Ben 0", "Pile      15 cards"):
        assert fact in " ".join(english.split(" ")), english


def test_a_letter_is_in_the_language_of_the_seat_and_a_post_in_that_of_the_match(
    tmp_path: Path,
) -> None:
    room = new(tmp_path, "--speaks", f"black={PSEUDO}")
    assert BEGINS not in pbem("post", room.log).out
    assert BEGINS not in pbem("letter", room.log, "--seat", "white").out
    assert BEGINS in pbem("letter", room.log, "--seat", "black").out
    assert BEGINS not in pbem("letter", room.log, "--seat", "black", "--language", "en").out


def test_pbem_seat_sets_a_language_and_takes_it_back(post: Post) -> None:
    room = new(post.matches)
    said = pbem("seat", room.log, "--seat", "black", "--language", PSEUDO)
    assert f"  language {PSEUDO}\n" in said.out
    assert Desk.read(str(room.log)).languages == {"black": PSEUDO}
    assert BEGINS in asked(post, "help", BEN, 1)
    assert BEGINS not in asked(post, "help", ANA, 2)
    said = pbem("seat", room.log, "--seat", "black", "--language", "", "--json")
    assert said.json["language"] is None
    assert Desk.read(str(room.log)).languages == {}
    assert BEGINS not in asked(post, "help", BEN, 3)
    refused = pbem("seat", room.log, "--seat", "black", "--language", "xx")
    assert refused.code == 2
    assert "there is no language 'xx'" in refused.err


def test_a_line_of_a_mail_sets_a_language_and_the_answer_speaks_it(post: Post) -> None:
    new(post.matches)
    assert BEGINS in asked(post, f"language: {PSEUDO}", BEN, 1)
    assert BEGINS in asked(post, "board", BEN, 2)
    assert "From now on your mails are in English." in asked(post, "Sprache: englisch", BEN, 3)
    assert BEGINS not in asked(post, "board", BEN, 4)
    told = asked(post, "language:", BEN, 5)
    assert "From now on your mails are in the language of each match." in " ".join(told.split())


@pytest.mark.parametrize("said", ["status", "help", "Nice weather."])
def test_a_letter_about_no_match_is_in_the_language_of_its_readers_seat(
    post: Post, said: str
) -> None:
    for name in ("one", "two"):
        new(post.matches, "--speaks", f"black={PSEUDO}", name=name)
    assert BEGINS in asked(post, said, BEN, 1)
    assert BEGINS not in asked(post, said, ANA, 2)
    assert BEGINS not in asked(post, said, EVE, 3)


def test_the_page_of_a_seat_is_in_its_language_and_what_is_sealed_is_as_long(
    tmp_path: Path,
) -> None:
    room, web = new(tmp_path, "--speaks", f"black={PSEUDO}"), tmp_path / "web"
    assert pbem("site", tmp_path, "-o", web, "--link", "https://c.example/").code == 0
    public, white, black = (
        (web / f"{name}.html").read_text() for name in ("match-m", "m-white", "m-black")
    )
    assert BEGINS in black
    assert f'<html lang="{PSEUDO}">' in black
    assert BEGINS not in public + white
    shut = [re.search(r'"sealed":"([^"]*)"', page) for page in (white, black)]
    assert len({len(each[1]) for each in shut if each}) == 1
    assert room.log.exists()


def test_a_language_chosen_by_mail_is_that_of_the_page(post: Post) -> None:
    new(post.matches)
    asked(post, f"language: {PSEUDO}", BEN, 1)
    web = post.outbox.parent / "web"
    assert pbem("site", post.matches, "-o", web, "--link", "https://c.example/").code == 0
    white, black = ((web / f"m-{seat}.html").read_text() for seat in ("white", "black"))
    assert (BEGINS in white, BEGINS in black) == (False, True)


def test_a_language_chosen_by_mail_rewrites_no_page_before_the_match_goes_on(post: Post) -> None:
    """Else whoever watches the site learns when somebody chose one, and which seats are theirs."""
    room, web = new(post.matches), post.outbox.parent / "web"
    site = ("--site", str(web), "--link", "https://c.example/")

    def pages() -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in web.iterdir()}

    post.run(*site)
    before = pages()
    post.comes(mail(f"language: {PSEUDO}", sender=BEN, identity="<1@x>"))
    post.run(*site)
    assert languages_of(book_of(str(post.matches))) == ((BEN, PSEUDO),)
    assert pages() == before
    assert pbem("rule", room.log, "note", "--text", "Good luck").code == 0
    post.run(*site)
    assert BEGINS in pages()["m-black.html"].decode()
    assert BEGINS not in pages()["m-white.html"].decode()


def test_whoever_reads_german_is_told_in_german_how_to_play(tmp_path: Path) -> None:
    room, web = new(tmp_path, "--speaks", "black=de"), tmp_path / "web"
    assert pbem("site", tmp_path, "-o", web, "--link", "https://c.example/").code == 0
    assert '<html lang="de">' in (web / "players-de.html").read_text()
    assert '<html lang="en">' in (web / "players.html").read_text()
    now, _ = read_both(str(room.log))
    for language, file in (("de", "players-de.html"), ("en", "players.html")):
        with speaking(language):
            links = dict(sealed.guides("https://c.example/", now))
        assert f"https://c.example/{file}" in links.values()


def test_a_site_is_in_a_language_and_so_is_what_has_none_of_its_own(tmp_path: Path) -> None:
    new(tmp_path, "--speaks", "black=fr", name="one")
    new(tmp_path, "--language", "en", name="two")
    web, link = tmp_path / "web", ("--link", "https://c.example/")
    assert pbem("site", tmp_path, "-o", web, *link, "--language", "xx").code == 2
    assert pbem("site", tmp_path, "-o", web, *link, "--language", "de").code == 0
    pages = {path.name: path.read_text(encoding="utf-8") for path in web.glob("*.html")}
    spoken = {name: re.findall('^<html lang="(.*)">', page, re.M) for name, page in pages.items()}
    german = ["index", "match-one", "one-white", "players-de", "rules-kahuna-de"]
    english = ["match-two", "two-white", "two-black", "players", "rules-kahuna"]
    told = dict.fromkeys(german, "de") | dict.fromkeys(english, "en")
    told |= dict.fromkeys(["one-black", "players-fr", "rules-kahuna-fr"], "fr")
    assert spoken == {f"{name}.html": [code] for name, code in told.items()}
    for name in ("players-de.html", "rules-kahuna-de.html"):
        assert f'href="{name}"' in pages["index.html"]
    for match in ("one", "two"):
        assert f"match-{match}.html" in pages["index.html"]
    assert "<title>Partien</title>" in pages["index.html"]
    assert "Partien" in (web / "feed.xml").read_text()
    assert "die Partie beginnt" in (web / "match-one.xml").read_text()
    assert "the match begins" in (web / "match-two.xml").read_text()
    shown = re.sub("<script.*</script>", "", pages["index.html"], flags=re.S)
    body = re.sub("<.*?>", " ", shown.partition("<body")[2])
    assert not re.search("turn|Next|Rules|drawn", body)
    assert (
        pbem("site", tmp_path, "-o", web, *link, "--language", "de", "--json").json["files"] == []
    )
    assert pbem("site", tmp_path, "-o", web, *link).code == 0
    assert '<html lang="en">' in (web / "match-one.html").read_text()


def test_the_card_of_a_match_is_in_the_language_of_its_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("resvg_py")
    for name, code in (("one", "de"), ("two", "fr")):
        new(tmp_path, "--language", code, name=name)
    new(tmp_path, name="three")
    painted: dict[str, str] = {}

    def card(now: Replay, **words: object) -> bytes:
        painted[now.name] = spoken_now()
        return b""

    monkeypatch.setattr("pbem.report.site.preview.card", card)
    assert pbem("site", tmp_path, "-o", tmp_path / "web", "--language", "hu").code == 0
    assert painted == {"one": "de", "two": "fr", "three": "hu"}


def test_the_rules_on_a_site_are_in_its_language_rule_by_rule_and_then_in_english(
    tmp_path: Path,
) -> None:
    new(tmp_path, "--language", "de")
    web = tmp_path / "web"
    assert pbem("site", tmp_path, "-o", web, "--link", "https://c.example/").code == 0
    page = (web / "rules-kahuna-de.html").read_text()
    german, below, english = page.partition('<div lang="en">')
    assert "Eine Brücke" in german
    assert "<h2>Regel für Regel</h2>" in german
    assert below
    assert 'href="#K-' in english
    shown = (web / "match-m.html").read_text()
    for rule in re.findall(r'popovertarget="page-rule-([^"]+)"', shown):
        assert f'href="rules-kahuna-de.html#{rule}"' in shown


def test_a_language_chosen_by_mail_changes_no_page_before_the_match_goes_on(post: Post) -> None:
    new(post.matches)
    web = post.matches.parent / "web"

    def site() -> dict[str, bytes]:
        post.run("--site", str(web), "--link", "https://c.example/")
        return {path.name: path.read_bytes() for path in web.iterdir()}

    before = site()
    post.comes(mail("language: de", sender=BEN, identity="<1@e>"))
    assert site() == before
    post.comes(mail("say: hello", sender=ANA, identity="<2@e>"))
    after = site()
    assert b'<html lang="de">' in after["m-black.html"]
    assert b'<html lang="en">' in after["m-white.html"]
    assert all(before[f"m-{seat}.html"] != after[f"m-{seat}.html"] for seat in ("white", "black"))


def test_what_programs_read_is_in_no_language(tmp_path: Path) -> None:
    room = new(tmp_path, "--language", PSEUDO)
    assert room.says(room.read().awaited[0], "draw").verdict == "accepted"
    assert BEGINS not in re.sub(r"(?m)^language: .*$", "", room.log.read_text())
    assert BEGINS not in room.desk.read_text()
    for command in ("show", "moves", "verify"):
        assert BEGINS not in pbem(command, room.log, "--json", "--key", room.desk).out
    [fence] = re.findall(r"(?s)\[move\].*?\[/move\]", pbem("post", room.log).out)
    assert BEGINS not in fence


@pytest.mark.parametrize(
    ("code", "number", "score", "day", "moment", "zoned"),
    [
        ("en", "12,345", "0.4", "2026-12-24", "2026-12-24 09:05 UTC", "Thu 24 Dec 2026, 10:05"),
        ("de", "12.345", "0,4", "24.12.2026", "24.12.2026, 09:05 UTC", "Do, 24. Dez 2026, 10:05"),
        (
            *("fr", "12\N{NO-BREAK SPACE}345", "0,4", "24/12/2026", "24/12/2026 à 09:05 UTC"),
            "jeu. 24 déc. 2026, 10:05",
        ),
        (
            *("hu", "12\N{NO-BREAK SPACE}345", "0,4", "2026-12-24", "2026-12-24 09:05 UTC"),
            "2026. dec. 24., Cs, 10:05",
        ),
        (
            *("pl", "12\N{NO-BREAK SPACE}345", "0,4", "24.12.2026", "24.12.2026, 09:05 UTC"),
            "czw. 24 gru 2026, 10:05",
        ),
    ],
)
def test_numbers_dates_and_times_are_written_as_the_reader_writes_them(
    code: str, number: str, score: str, day: str, moment: str, zoned: str
) -> None:
    at = "2026-12-24T09:05:00Z"
    with speaking(code):
        assert say("{n:,}", n=12345).text() == number
        assert figured(told_points(0.4)) == score
        assert dated("2026-12-24").text() == day
        assert timed(at).text() == moment
        assert clock.spoken(at, "Europe/Berlin").text().startswith(zoned)


def test_what_an_absence_is_told_with_is_a_date_of_its_reader(post: Post) -> None:
    room = new(post.matches, "--speaks", "black=de", *("--turn", 3, "--zone", "Europe/Berlin"))
    told = asked(post, "away from 2026-12-24 to 2026-12-26", BEN, 1)
    assert "vom 24.12.2026 bis zum 26.12.2026" in " ".join(told.split())
    assert 'first: "2026-12-24"' in room.log.read_text()


@pytest.mark.parametrize("over", [True, False])
def test_why_a_plan_waits_no_longer_is_told_in_the_language_of_its_owner(over: bool) -> None:
    over_now, resigned = "The match is over", "{seat:seat} has resigned"
    refused = Violation("K-2", "No line joins {islands:all}", islands=["ALOA", "COCO"])
    plain = {"seat": "white", "number": 1, "moves": ["draw"], "over": over}
    whys = [say(over_now), say(resigned, seat="black"), say("{refusal}", refusal=refused)]
    plans = [Plan.of({**plain, "why": over_now})]
    plans += [Plan.of({**plain, "why": "in words", "said": to_keep(why)}) for why in whys]
    with speaking("de"):
        told = [each.text({"black": "Ben"}) for _, each in shown(plans, "white")]
    assert all("Die Partie ist zu Ende" in each for each in told[:2])
    assert "Ben hat aufgegeben" in told[2]
    assert "Keine Linie verbindet ALOA und COCO [K-2]" in told[3]
    assert [Plan.of(each.plain()) for each in plans] == plans


# --------------------------------------------------------------------------- the catalogues

WHOLE: dict[str, tuple[str, ...]] = {
    "de": ("kahuna", "kanaloa-bambus", "kanaloa-piatnik"),
    "fr": ("kanaloa-piatnik",),
    "hu": ("kanaloa-piatnik",),
    "pl": ("kanaloa-piatnik",),
}
"""The languages that must be complete, and for which games."""
CATALOGUES = {path.parts[-3]: path for path in catalogues()}


def fields(pattern: str) -> Counter[str]:
    """A pattern's blanks, with what is said of their values."""
    parsed = Formatter().parse(pattern)
    return Counter(f"{name}!{kind}:{spec}" for _, name, spec, kind in parsed if name is not None)


def kept(pattern: str) -> Counter[object]:
    """What stands in a pattern to be copied: ids of rules, code. A line for the desk is what the
    desk reads in it, in whatever language."""
    said = re.findall(r"\[[A-Z]-A?\d+[a-z]?(?:, [A-Z]-A?\d+[a-z]?)*\]|`[^`]+`", pattern)
    return Counter(map(read_by_the_desk, said))


def read_by_the_desk(code: str) -> object:
    """What the desk takes a line for, or the line itself."""
    line = code.strip("`")
    wish = asking.wish(Line(0, line))
    if wish and wish.row.form == "dated":
        return absence(line, "2026-11-22")
    asks = plan.withdrawn(line), plan.asks_for_list(line)
    found = preferred(line) or (wish and wish._replace(said=""))
    return found or (asks if asks != (None, False) else code)


def test_the_template_is_what_the_code_says() -> None:
    assert TEMPLATE.read_bytes() == written(template())


@pytest.mark.parametrize("code", CATALOGUES)
def test_what_runs_of_a_catalogue_is_what_its_translators_wrote(code: str) -> None:
    path = CATALOGUES[code]
    with path.with_suffix(".mo").open("rb") as one:
        running = gettext.GNUTranslations(one)
    with io.BytesIO(compiled(read(path))) as other:
        catalogue = vars(gettext.GNUTranslations(other))["_catalog"]
    assert vars(running)["_catalog"] | {"": ""} == catalogue | {"": ""}


@pytest.mark.parametrize("code", CATALOGUES)
def test_any_number_of_things_is_told_in_a_form_that_its_translators_wrote(code: str) -> None:
    path = Path(CATALOGUES[code]).with_suffix(".mo")
    with path.open("rb") as file:
        runs = gettext.GNUTranslations(file)
    for message in read(CATALOGUES[code]):
        if is_whole(message) and not isinstance(message.id, str):
            told = {runs.ngettext(*message.id, n) for n in range(120)}
            assert told == {*message.string}, message.id


@pytest.mark.parametrize("code", CATALOGUES)
def test_a_translation_has_the_blanks_and_the_code_of_its_sentence(code: str) -> None:
    wrong = []
    for message in read(CATALOGUES[code]):
        if not message.id or not is_whole(message):
            continue
        one = message.id if isinstance(message.id, str) else message.id[-1]
        given = [message.string] if isinstance(message.string, str) else list(message.string)
        ids = {*([message.id] if isinstance(message.id, str) else message.id)}
        for each in given:
            alike = [set(fields(said)) - {"n!None:"} for said in ids]
            if set(fields(each)) - {"n!None:"} not in alike or kept(each) != kept(one):
                wrong.append((one, each))
    assert wrong == []


def test_a_language_that_is_complete_stays_so() -> None:
    for code, covered in WHOLE.items():
        for game in covered:
            assert [each.id for each in lacking(read(CATALOGUES[code]), game)] == []


@pytest.mark.parametrize(
    ("argument", "code", "told"),
    [
        ("--help", 0, "A language that is named is begun."),
        ("--hlep", 2, "unrecognized arguments: --hlep"),
        ("zz", 2, "'zz' is no code of a language"),
        ("../de", 2, "'../de' is no code of a language"),
    ],
)
def test_no_catalogue_is_begun_in_what_is_no_language(
    argument: str,
    code: int,
    told: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("languages.__main__.template", lambda: pytest.fail("it begins"))
    with pytest.raises(SystemExit) as end:
        main([argument])
    assert end.value.code == code
    assert told in " ".join("".join(capsys.readouterr()).split())


def test_pbem_games_says_in_which_languages_a_game_is_complete() -> None:
    assert COMPLETE.read_text(encoding="utf-8") == complete()
    told = pbem("games", "--json").json
    assert told["kahuna"]["languages"][0] == "en"
    assert "  --language en" in pbem("games").out


# -------------------------------------------------------------------------------- what is read


@pytest.mark.parametrize(
    ("game", "said", "canonical"),
    [
        ("kanaloa-piatnik", "rouge 7 / piros 7 / czerwony 7 / rot 7", "red 7"),
        ("kanaloa-piatnik", "bleu 5 / kék 5 / granatowy 5 / blau 5", "blue 5"),
        ("kanaloa-piatnik", "vert 2 / zöld 2 / zielony 2 / grün 2 / g 2", "green 2"),
        ("kanaloa-piatnik", "pieuvre / polip / ośmiornica / Krake", "octopus"),
        ("kanaloa-piatnik", "retire M05 / kiveszem M05 / usuwam M05 / entferne M05", "remove M05"),
        ("kanaloa-piatnik", "reste / maradok / zostaję / bleibe", "stay"),
        ("kahuna", "pioche / húzok / dobieram / ziehe", "draw"),
        ("kahuna", "prends KAHU / felveszem KAHU / biorę KAHU / nimm KAHU", "take KAHU"),
        ("kanaloa-bambus", "pion A / bábu A / pionek A / Figur A", "pawn A"),
    ],
)
def test_orders_are_read_in_the_leaflet_s_languages_and_written_in_one(
    game: str, said: str, canonical: str
) -> None:
    rules = games.game(game)
    for word in said.split(" / "):
        assert rules.notate(rules.parse(word).move) == canonical, word


@pytest.mark.parametrize(
    "said",
    [
        "away until 5 January",
        "abwesend bis 5. Januar",
        "absent jusqu'au 5 janvier",
        "absente jusqu'au 5 janv. 2027",
        "távol január 5-ig",
        "nieobecna do 5 stycznia",
    ],
)
def test_an_absence_may_be_announced_in_any_of_them(said: str) -> None:
    assert absence(said, "2026-12-20") == ("2026-12-20", "2027-01-05")


@pytest.mark.parametrize("said", ["help", "hilfe", "aide", "segítség", "pomoc"])
def test_the_desk_is_asked_for_help_in_any_of_them(post: Post, said: str) -> None:
    new(post.matches)
    assert "withdraw" in asked(post, said, BEN, 1)


MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
AWAY = {"en": "away until", "de": "abwesend bis", "fr": "absent jusqu'au", "pl": "nieobecny do"}


@pytest.mark.parametrize("code", ["en", *CATALOGUES])
@pytest.mark.parametrize("number", range(1, 13))
def test_a_month_is_read_as_the_desk_writes_it(code: str, number: int) -> None:
    with speaking(code):
        day = say("{day} {month}", day=9, month=say(MONTHS[number - 1])).text()
    line = f"{AWAY[code]} {day}" if code in AWAY else f"távol {day}-ig"
    year = 2027 if number < 6 else 2026
    assert absence(line, "2026-06-01") == ("2026-06-01", f"{year}-{number:02}-09")


@pytest.mark.parametrize("name", sorted(games.OWN))
def test_no_word_means_two_different_things_in_two_languages(name: str) -> None:
    """Of two words in a dictionary the latter would silently win."""
    notation = import_module(f"{games.OWN[name]}.notation")
    meant: dict[str, set[str]] = {}
    for table in ("_VERBS", "_SIDES", "_SPECIALS", "_ELSEWHERE"):
        for what, listed in getattr(notation, table, {}).items():
            for word in listed.split():
                meant.setdefault(fold(word), set()).add(what)
    for word, colour in getattr(notation, "_COLOURS", {}).items():
        meant.setdefault(fold(word), set()).add(colour)
    assert len(meant) > 60
    assert {word: what for word, what in meant.items() if len(what) > 1} == {}


@pytest.mark.parametrize("name", sorted(games.OWN))
def test_what_is_asked_of_the_desk_means_one_thing_in_all_languages(name: str) -> None:
    """`to` goes on after another word, `tak`, a yes, is asked in Danish for what it is, what is
    said about a wish may be the wish itself, "ok" counts only where nothing else is said, and how
    words begin of prose to a person is no word for the desk."""
    besides = {"thanks", "danish", "resigning", "undoing", "asking", "fine", "grateful", "thumb"}
    prose = {"ends", "deputy", "time", "halt", "draw", "close", "nudge", "again"}
    prose |= {"doubt", "moved", "days", "week", "weeks"}
    fields = words.fields("requests") - {"to", *besides, *prose}
    colon = {"say", "letter", "moderator", "rules"}  # which stand before one
    asked = {field: words.phrases("requests", field) for field in fields}
    for one, other in itertools.combinations(sorted(asked), 2):
        assert not asked[one] & asked[other], (one, other)
    moves = {(word,) for word in games.game(name).WORDS}
    answers = {"yes", "no"}  # to a question of the desk
    assert not {*moves} & {each for field in fields - answers - colon for each in asked[field]}


@pytest.mark.parametrize("code", ["en", *CATALOGUES])
def test_a_letter_on_the_board_is_its_colour_whatever_a_language_begins_so(code: str) -> None:
    """`G` is green, also for those who say `granatowy` for blue: so the board explains it."""
    rules = games.game("kanaloa-piatnik")
    with speaking(code):
        legend = KEY[0].text()
    explained = re.findall(r"\b([BRGT]) (\w+)", legend)
    assert [letter for letter, _ in explained] == ["B", "R", "G", "T"]
    for letter, word in explained:
        assert rules.parse(f"{letter}7").move == rules.parse(f"{word} 7").move


def test_no_sentence_is_half_in_one_language_and_half_in_english() -> None:
    cards = ["BARI", "LALE", "KAHU"]
    untold = say("{cards:all} glow in the dark", cards=cards)
    told = say("Nothing was entered: {problem}.", problem=untold)
    fully = say("You have resigned, and the match is over.")
    both = say("{one} {other}", one=untold, other=fully)
    with speaking("fr"):
        assert untold.text() == "BARI, LALE and KAHU glow in the dark"
        assert told.text() == f"Nothing was entered: {untold.text()}."
        assert both.text() == f"{untold.text()} {fully.text()}"
        assert fully.text() != str(fully.pattern)
        assert say("{a:all}", a=cards).text() == "BARI, LALE et KAHU"


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("de", "DUDA werden aufgedeckt."),
        ("fr", "DUDA sont retournées, face visible."),
        ("hu", "Nyílt lap lett: "),
        ("pl", "Zostają odkryte karty "),
    ],
)
def test_the_news_of_a_game_are_told_in_the_language_of_the_post(
    code: str, told: str, room: Room
) -> None:
    done = pbem("post", room.log, "--language", code, "--since", "0")
    assert told in " ".join(done.out.split()), done.printed


@pytest.mark.parametrize(
    ("code", "heading"),
    [
        ("en", "Follow suit rule"),
        ("de", "Farbzwang"),
        ("fr", "La contrainte de la couleur"),
        ("hu", "Színkényszer"),
        ("pl", "Przymus dokładania do koloru"),
    ],
)
def test_a_rule_is_cited_by_the_heading_of_the_readers_own_leaflet(code: str, heading: str) -> None:
    piatnik = games.game("kanaloa-piatnik")
    printed = data.game_file(piatnik.DATA, "rules")
    with speaking(code):
        cited = {sources(piatnik, rule) for rule in printed}
    assert f"Piatnik 2020, {heading}" in cited
