"""The club by mail: how people come, wait, are asked, play and leave, and what nobody can do."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest
from commands import Done, pbem
from kills import remains
from long import many
from postroom import VOUCHED, Post, text

from pbem.mailroom.clubnews import ClubKeeper
from pbem.play import games

START = 1_780_000_000
KATE, BEN, EVE = "kate@example.org", "ben@example.org", "eve@example.org"
CLEO = "cleo@example.org"
SEATS = ("--seat", "white=Ann", "--seat", "black=Bob")


class Club(Post):
    """A club with a mailbox, and a clock that stands still until it is moved."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__(folder)
        self.monkeypatch, self.now = monkeypatch, START
        secrets = (bytes([n]) * 32 for n in range(1, 200))
        monkeypatch.setattr("pbem.log.seal.new_secret", lambda: next(secrets))
        self.later(0)
        assert self.club("new", "rivendell", "--dir", self.matches).code == 0

    def later(self, hours: float) -> None:
        self.now += int(hours * 3600)
        self.monkeypatch.setenv("SOURCE_DATE_EPOCH", str(self.now))

    def club(self, *words: object) -> Done:
        return pbem("club", *words)

    def writes(
        self, who: str, body: str, subject: str = "hello", headers: bytes = b""
    ) -> list[str]:
        """Somebody writes, a minute later, and the desk runs."""
        self.sends(who, body, subject, headers)
        return self.run("--moderator", "cleo@example.org")

    def sends(self, who: str, body: str, subject: str = "hello", headers: bytes = b"") -> None:
        """Somebody writes, a minute later."""
        self.later(1 / 60)
        self.count += 1
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = (
            f"Somebody <{who}>",
            "desk@games.example",
            subject,
        )
        mail["Message-ID"] = f"<{self.count}@example.org>"
        mail.set_content(body)
        self.comes(headers + bytes(mail), at=self.now)

    def newest(self, who: str) -> EmailMessage:
        """The mail that came last."""
        return self.to(who)[-1] if len(self.to(who)) == 1 else self.fresh(who)[-1]

    def fresh(self, who: str) -> list[EmailMessage]:
        """The mails since this was last asked."""
        seen = vars(self).setdefault("seen", set())
        found = {name: each for name, each in self.answers().items() if each["To"] == who}
        new = [each for name, each in found.items() if name not in seen]
        seen |= {*found}
        return new

    def joins(self, who: str, name: str, line: str = "kahuna") -> None:
        self.writes(who, f"join {line}")
        [asked] = self.fresh(who)
        self.writes(who, f"I am {name}", f"Re: {asked['Subject']}")
        self.fresh(who)

    @property
    def state(self) -> dict[str, list[dict[str, object]]]:
        found: dict[str, list[dict[str, object]]] = pbem(
            "club", "status", self.matches, "--json"
        ).json
        return found

    @property
    def log(self) -> str:
        return (self.matches / "club.pbem.yaml").read_text()


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Club:
    return Club(tmp_path, monkeypatch)


def test_two_strangers_join_by_mail_and_play_in_four_mails(club: Club) -> None:
    before = club.log
    club.writes(KATE, "Hi,\n\njoin kahuna\n\nBest,\nKate")
    assert club.log == before, "nothing is public yet"
    assert KATE not in (club.matches / "club.desk.yaml").read_text()
    [asked] = club.fresh(KATE)
    assert '"I am"' in " ".join(text(asked).split())
    said = "Hello! I am Kate. Thanks\n\n> You want to play here"
    club.writes(KATE, said, f"Re: {asked['Subject']}")
    [told] = club.fresh(KATE)
    assert "place 1" in text(told)
    club.joins(BEN, "Ben")
    [opening] = club.fresh(KATE)
    assert "[kahuna-1 #" in opening["Subject"]
    assert [each["match"] for each in club.state["matches"]] == ["kahuna-1"]
    assert KATE not in club.log
    assert pbem("verify", club.matches).code in (0, 3)


def test_a_dry_run_says_what_the_club_would_do_and_does_nothing(club: Club) -> None:
    for who, name in ((KATE, "Kate"), (BEN, "Ben")):
        pbem("club", "join", club.matches, name, "--address", who, "--line", "kahuna")
    before = club.log
    source = ("--mail", club.box, "--matches", club.matches)
    would = pbem("desk", "run", *source, "--dry", "--json").json["would"]
    assert [each["verdict"] for each in would] == ["club", "club"]
    assert "kahuna-1 is dealt" in pbem("desk", "run", *source, "--dry").out
    assert (club.log, club.answers()) == (before, {})
    assert club.run() == ["club", "club"]


def test_the_founder_alone_is_told_of_addresses_that_seem_one_persons(club: Club) -> None:
    told = list[str]()
    for who, name in ((KATE, "Kate"), ("ka.te+2@else.example", "Bob"), (BEN, "Ben")):
        club.writes(who, "join kanaloa-piatnik 4")
        club.writes(who, f"I am {name}", f"Re: {club.fresh(who)[-1]['Subject']}")
        told.append(_all(club.fresh(who)).replace(name, "NAME").partition("place")[0])
    assert len({*told}) == 1, "the answer does not tell"
    [lies] = pbem("aside", club.matches, "--json").json["aside"]
    assert "Bob has joined from an address like that of Kate" in str(lies)
    assert [each["waiting"] for each in club.state["lines"]] == [["Kate", "Bob", "Ben"]]


def test_a_forged_join_costs_its_victim_one_mail_a_week(club: Club) -> None:
    for _ in range(3):
        club.writes(KATE, "join kahuna")
    assert len(club.fresh(KATE)) == 1
    club.later(24 * 7)
    club.writes(KATE, "join kahuna")
    assert len(club.fresh(KATE)) == 1
    assert club.state["people"] == []


def test_whoever_lost_the_question_gets_it_again_if_a_server_vouches_for_them(club: Club) -> None:
    desk = club.matches / "club.desk.yaml"
    desk.write_text(desk.read_text() + "server: mx.example.org\n")
    club.writes(KATE, "join kahuna")
    [asked] = club.fresh(KATE)
    club.writes(KATE, "join kahuna", headers=VOUCHED.replace(b"mx.", b"other."))
    assert club.fresh(KATE) == []
    club.writes(KATE, "join kahuna", headers=VOUCHED)
    [again] = club.fresh(KATE)
    assert again["Subject"] == asked["Subject"]
    club.writes(KATE, "I am Kate", f"Re: {asked['Subject']}")
    assert [each["handle"] for each in club.state["people"]] == ["Kate"]


def test_a_word_confirms_for_its_own_address_and_in_time_alone(club: Club) -> None:
    club.writes(KATE, "join kahuna")
    [asked] = club.fresh(KATE)
    club.writes(EVE, "I am Eve", f"Re: {asked['Subject']}")
    assert club.state["people"] == []
    club.later(24 * 7)
    club.writes(KATE, "I am Kate", f"Re: {asked['Subject']}")
    assert club.state["people"] == []


def test_a_name_that_is_taken_can_be_chosen_anew_by_answering(club: Club) -> None:
    club.joins(KATE, "Kate")
    club.writes(BEN, "join kahuna")
    [asked] = club.fresh(BEN)
    club.writes(BEN, "I am KATE", f"Re: {asked['Subject']}")
    [told] = club.fresh(BEN)
    assert "Kate" in text(told)
    club.writes(BEN, "I am Ben", f"Re: {told['Subject']}")
    assert [each["handle"] for each in club.state["people"]] == ["Kate", "Ben"]


def test_an_offer_is_asked_once_and_answered_by_mail(club: Club) -> None:
    club.joins(KATE, "Kate")
    club.later(24 * 4)
    club.joins(BEN, "Ben")
    [asked] = club.fresh(KATE)
    assert "offer 1]" in asked["Subject"]
    said = " ".join(text(asked).split())
    assert "yes or no" in said
    assert "Press: public. Days are counted in UTC." in said
    club.later(1)
    club.run()
    assert club.fresh(KATE) == []
    club.writes(KATE, "yes\n\n> Are you there?", f"Re: {asked['Subject']}")
    assert any("kahuna-1 #" in each["Subject"] for each in club.fresh(KATE))
    assert club.aside() == []


def test_an_offer_is_answered_in_words_of_ones_own_and_what_is_no_answer_reaches_a_person(
    club: Club,
) -> None:
    club.joins(KATE, "Kate")
    club.later(24 * 4)
    club.joins(BEN, "Ben")
    [asked] = club.fresh(KATE)
    for said in ("Yes, but only from Friday", "I'm in hospital", "Who else plays?"):
        assert club.writes(KATE, said, f"Re: {asked['Subject']}") == ["passed-on"]
        [told] = club.fresh(KATE)
        assert "The offer still waits for your answer" in " ".join(text(told).split())
    assert club.writes(BEN, "I'm in hospital", "hello") == ["passed-on"]
    said = "Hi Cleo!\n\nSure, I'd love to!\n\nWhen does it begin?\n\nKate"
    assert club.writes(KATE, said, f"Re: {asked['Subject']}") == ["asked", "club", "club"]
    assert any("kahuna-1 #" in each["Subject"] for each in club.fresh(KATE))
    assert "When does it begin?" in pbem("aside", club.matches).out


CALLED = {
    "Hello! I am Kate": "Kate",
    "My name is Ben, nice to meet you": "Ben",
    "Hallo, ich heiße Eve.": "Eve",
    "I am Cleo and I would love to play": None,
    "I am any": None,
    "Dora": None,
    "Hello, I am Ned and I live in Leeds. Please be kind, I am new to this!": None,
    "Hello, I am excited!": None,
}


def test_who_says_their_name_in_a_sentence_is_called_so_and_is_asked_again_if_it_is_none(
    club: Club,
) -> None:
    for nth, (said, name) in enumerate(CALLED.items()):
        who = f"p{nth}@example.org"
        club.writes(who, "join kahuna")
        [asked] = club.fresh(who)
        club.writes(who, said, f"Re: {asked['Subject']}")
        again = [each for each in club.fresh(who) if each["Subject"] == asked["Subject"]]
        assert bool(again) == (name is None), said
    named = [each["handle"] for each in club.state["people"]]
    assert sorted(map(str, named)) == sorted(filter(None, CALLED.values()))


BESIDE = {
    "Ann": ("I am Ann. Can I play with my brother Max (max@example.net)?", "`host kahuna: Max`"),
    "Bob": ("I am Bob.\n\nPlease put me in a game with Ann!", "`host kahuna: Ann`"),
    "Cid": ("Ich heiße Cid. Kann ich mit meinem Bruder Max spielen?", "`host kahuna: Max`"),
    "Dot": ("Hello, I am Dot. Is there anybody in Lisbon?", "place 1"),
}


def test_what_stands_beside_a_name_is_heard_and_a_friend_is_not_lost_to_strangers(
    club: Club,
) -> None:
    for name, (said, answer) in BESIDE.items():
        who = f"{name.lower()}@example.org"
        club.writes(who, "join kahuna")
        [asked] = club.fresh(who)
        assert club.writes(who, said, f"Re: {asked['Subject']}") == ["asked"]
        told = _all(club.fresh(who))
        assert answer in told, said
        assert "rest of your mail was passed on" in told or "Rest deiner Mail" in told
        assert f"for you: {name} writes to the club" in "".join(club.aside())
        if "Max" in said:
            assert "Max has not joined the club so far" in told or name == "Cid"
    assert [each["waiting"] for each in club.state["lines"]] == [["Dot"]]
    assert club.writes("dot@example.org", "Where do I find the rules?") == ["passed-on"]
    assert "a line like `rules: end`" in _all(club.fresh("dot@example.org"))
    assert club.writes("dot@example.org", "rules: K-14") == ["asked"]
    assert "K-14: " in _all(club.fresh("dot@example.org"))
    club.club("join", club.matches, "Ann", "--line", "kahuna")
    club.run()
    [opening] = club.fresh("dot@example.org")
    club.writes("dot@example.org", "Where do I find the rules?", f"Re: {opening['Subject']}")
    assert "a line like `rules: end`" in _all(club.fresh("dot@example.org"))
    assert "in Lisbon?" in pbem("aside", club.matches).out


def test_a_name_without_the_word_of_the_question_is_told_what_is_missing(club: Club) -> None:
    club.writes(KATE, "join kahuna")
    club.fresh(KATE)
    club.writes(KATE, "I am Kate", "hello")
    [again] = club.fresh(KATE)
    assert club.state["people"] == []
    assert "the word in brackets in its subject proves" in " ".join(text(again).split())
    club.writes(KATE, "I am Kate", f"Re: {again['Subject']}")
    told = _all(club.fresh(KATE))
    assert "You are Kate" in told
    assert "To wait for a match, write `join kahuna`" in told
    assert club.aside() == []


def test_no_answer_is_a_no_with_a_word_how_to_come_back(club: Club) -> None:
    club.joins(KATE, "Kate")
    club.later(24 * 4)
    club.joins(BEN, "Ben")
    [asked] = club.fresh(KATE)
    club.later(49)
    club.run()
    [told] = club.fresh(KATE)
    assert "`join kahuna 2, thames-kosmos, 3 days`" in " ".join(text(told).split())
    club.writes(KATE, "yes", f"Re: {asked['Subject']}")
    [late] = club.fresh(KATE)
    assert "nothing is offered to Kate now" in " ".join(text(late).split())
    club.writes(KATE, "I did not get to my mails before today", f"Re: {asked['Subject']}")
    assert "still waits for your answer" not in _all(club.fresh(KATE))
    assert club.state["matches"] == []


def test_a_club_with_nothing_to_do_is_not_read_until_something_changes_or_is_due(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, keep = list[str](), ClubKeeper.keep

    def noted(keeper: ClubKeeper, upto: str) -> Iterator[object]:
        read.append(upto)
        return keep(keeper, upto)

    def is_read() -> bool:
        read.clear()
        club.run()
        return bool(read)

    monkeypatch.setattr(ClubKeeper, "keep", noted)
    monkeypatch.setattr("pbem.matches.index._RACY", 0)
    club.joins(KATE, "Kate")
    club.later(24 * 4)
    club.joins(BEN, "Ben")  # so Kate is asked whether she is there
    asked = club.now
    club.run()
    assert not is_read()
    for changes in (
        lambda: club.later(1),
        lambda: club.sends(EVE, "join kahuna"),
        lambda: club.club("says", club.matches, "Ben", "limit 1"),
        lambda: pbem("new", "kahuna", *SEATS, "--dir", club.matches, "--match", "another"),
    ):
        changes()
        assert is_read()
        assert not is_read()
    club.now = asked
    club.later(47.5)
    club.run()
    assert "entry: lapsed" not in club.log
    club.later(0.5)
    club.run()
    assert "entry: lapsed" in club.log


LINES = [
    ("tables", "Kate: 0 of 0 turns in time"),
    ("leave kahuna", "You wait for nothing now"),
    ("leave", "You wait for nothing now"),
    ("limit 1", "You can have 1 seat or place"),
    ("limit 4", "Newcomers can have 2 at most until they have played 20 turns in time; you"),
    ("limit many", "'many' is no number"),
    ("substitute", "You are asked when a seat is empty"),
    ("limit 1\nsubstitute", "once you can have one more: now you have as many"),
    ("substitute\nno substitute", "not asked any more"),
    ("avoid Ben", "never seated with Ben"),
    ("avoid Nobody", "'Nobody' has not joined"),
    ("avoid Ben\nno avoid Ben", "seated with Ben again"),
    ("host kahuna variant1, 5 days: Ben, open", "variant 1. The club first asks Ben; a place"),
    ("join any", "You wait for any table: place"),
    ("join chess", "there is no game 'chess'"),
    ("join kanaloa-piatnik please", "You wait for Kanaloa (Piatnik) · 3 players"),
    ("join kanaloa-piatnik 4, 3 days", "You wait for Kanaloa (Piatnik) · 4 players"),
    ("me", "your addresses, kate@example.org"),
    ("forget me", "answer this mail with the line `forget me`"),
    ("rematch", "answer a mail of the match that you want again with `rematch`"),
    ("limit 4", "Your limit of 4 is kept, and counts from then on"),
    ("join Kanaloa (Bambus) 3, 5 days", "for Kanaloa (Bambus) · 3 players · 5 days a turn"),
    ("join kahuna and kanaloa-bambus", "Kahuna · 2 players · 3 days a turn: place 1"),
    ("leave Kahuna\njoin kahuna 4 days & Kanaloa (Bambus)", "You wait for Kanaloa (Bambus) · 2"),
]


def test_each_line_does_what_it_says(club: Club) -> None:
    for name, who in (("Ben", BEN), ("Kate", KATE)):
        club.club("join", club.matches, name, "--address", who)
    for body, answer in LINES:
        club.later(24)
        for again in ("leave", "limit", "no avoid Ben", "join kahuna"):
            assert club.club("says", club.matches, "Kate", again).code == 0
        club.writes(KATE, f"Hello,\n\n{body}\n\nBest regards\nKate")
        [told] = [each for each in club.fresh(KATE) if each["In-Reply-To"]]
        assert answer in " ".join(text(told).split()), body
    public = club.log
    assert "avoid" not in public
    assert not re.search(r"limit|@", public)


def test_each_language_has_its_lines(club: Club) -> None:
    for nth, (body, answer) in enumerate(
        {
            "Hallo, mitspielen bei kanaloa-bambus. Danke!": "Du wartest auf Kanaloa (Bambus) · 2",
            "rejoindre kahuna": "Tu attends Kahuna · 2 joueurs",
            "csatlakozom kanaloa-piatnik": "Erre vársz: Kanaloa (Piatnik) · 3 játékos",
            "dołącz do kahuna, 9 dni": "Czekasz na Kahuna · 2 graczy · 9 dni",
        }.items()
    ):
        who = f"p{nth}@example.org"
        club.club("join", club.matches, f"P{nth}", "--address", who)
        club.writes(who, f"{body}\n\nP{nth}")
        assert answer in _all(club.fresh(who)), body


def test_events_are_entered_left_and_looked_at_by_mail_in_five_languages(club: Club) -> None:
    where = ("--dir", club.matches, "--game", "kahuna", "--format", "league")
    assert pbem("event", "new", "spring", *where).code == 0
    club.joins(KATE, "Kate", "spring league")
    for lines, answers in {
        ("standings", "leave spring"): (
            "spring: League · 90 days a season · Kahuna · 2 players · 3 days a turn; "
            "1 has entered 1. Kate: "
            "played 0; points 0; Sonneborn-Berger 0",
            "You have left spring.",
        ),
        ("standings", "standings autumn", "leave summer", "leave spring"): (
            "you are in no event",
            "autumn is no event of this club",
            "summer is no event of this club",
            "Kate is not in spring",
        ),
        ("enter Spring League", "teilnehmen an spring", "inscription à spring"): (
            "You are in spring, one of 1. Nothing has changed: Kate has entered already.",
        ),
        ("nevezek spring", "biorę udział w spring", "tabelle spring", "tabella", "tabela spring"): (
            "Kate has entered already. Nothing has changed: Kate has entered already. spring: L",
        ),
        ("classement spring", "standings spring"): ("spring: League",),
        ("enter winter",): (
            "'winter' is none of the events spring, and no game of kahuna, kanaloa",
        ),
        ("See you all at the meeting",): ("Such lines are `join kahuna`, `enter EVENT`, `leave`",),
    }.items():
        club.writes(KATE, "\n".join(lines))
        [told] = [each for each in club.fresh(KATE) if each["In-Reply-To"]]
        for answer in answers:
            assert answer in " ".join(text(told).split()), lines
    pbem("club", "join", club.matches, "Ben")
    for words in (("enter", "spring", "Ben"), ("draw", "spring"), ("end", "spring")):
        assert pbem("event", words[0], club.matches, *words[1:]).code == 0
    for _ in range(2):  # nobody is told anything twice
        club.run()
    [told] = club.fresh(KATE)
    news = " ".join(text(told).split())
    assert "spring has ended: you are in place 1 of 2." in news
    assert "begins in 7 days. You are in it, unless you write `leave spring`" in news


def test_whoever_speaks_of_an_event_is_asked_and_it_is_not_drawn_over_their_heads(
    club: Club,
) -> None:
    for who, name in ((KATE, "Kate"), (BEN, "Ben"), (EVE, "Eve"), (CLEO, "Cleo")):
        club.club("join", club.matches, name, "--address", who)
    event = ("event", "new", "spring", "--game", "kahuna", "--format", "pool")
    assert pbem(*event, "--dir", club.matches).code == 0
    assert club.writes(CLEO, "The weather is fine here.") == ["passed-on"]
    pbem("aside", club.matches, "--done", 1)
    subjects = ("spring event?", "Turnier", "hello")
    no = "Nie, dziękuję, tym razem nie."
    for subject in ("spring", "hello"):
        assert club.writes(CLEO, no, subject) == ["asked"]
        assert "Your no is noted" in _all(club.fresh(CLEO))
    said = (
        "I leave work at six, so count me in!",
        "Ich möchte beim Turnier mitmachen",
        "I'd like to play in spring",
    )
    for who, subject, body in zip((KATE, BEN, EVE), subjects, said, strict=True):
        assert club.writes(who, body, subject) == ["asked"]
    [asked] = club.fresh(KATE)
    assert "Do you want to enter spring (Pool · Kahuna · 2 players" in _all([asked])
    club.writes(KATE, "Yes, please!", f"Re: {asked['Subject']}")
    assert "You are in spring, one of 1." in _all(club.fresh(KATE))
    [asked] = club.fresh(EVE)
    club.writes(EVE, "no", f"Re: {asked['Subject']}")
    aside = pbem("aside", club.matches, "--json").json["aside"]
    enter = [each["grants"] for each in aside]
    assert enter == [[f"pbem event enter {club.matches} spring Ben"]], "a no blocks nothing"
    refused = pbem("event", "draw", club.matches, "spring")
    assert refused.code != 0
    assert "(people so far: 1), as mails that may be about it lie aside: 5" in refused.printed
    assert pbem(*enter[0][0].split()[1:]).code == 0
    assert "1 match of 2 people" in pbem("event", "draw", club.matches, "spring").printed
    assert "0 of 1 played" in pbem("event", "standings", club.matches, "spring").out
    assert club.aside() == []


def test_whoever_leaves_an_event_in_words_of_their_own_is_asked_and_not_told_to_resign(
    club: Club,
) -> None:
    for who, name in ((KATE, "Kate"), (BEN, "Ben"), (EVE, "Eve")):
        club.club("join", club.matches, name, "--address", who)
    event = "event new spring --game kahuna --format league --dir".split()
    assert pbem(*event, club.matches).code == 0
    for name in ("Kate", "Ben", "Eve"):
        assert pbem("event", "enter", club.matches, "spring", name).code == 0
    club.run()
    assert all("You are in spring" in _all(club.fresh(who)) for who in (KATE, BEN))
    assert club.writes(KATE, "I have to drop out of the spring league, sorry.") == ["asked"]
    [asked] = club.fresh(KATE)
    assert "Do you want to leave spring (League" in _all([asked])
    assert "lie aside: 1" in pbem("event", "draw", club.matches, "spring").printed
    club.writes(KATE, "Yes", f"Re: {asked['Subject']}")
    assert "You have left spring." in _all(club.fresh(KATE))
    assert club.aside() == []
    assert pbem("event", "draw", club.matches, "spring").code == 0
    club.run()
    [opening] = club.fresh(BEN)
    about = f"Re: {opening['Subject']}"
    for body, subject, asks in (
        ("I have to drop out.", about, False),
        ("I have to drop out of spring-1.", about, False),
        ("I have to drop out of the spring league.", about, True),
        ("Muszę zrezygnować z turnieju", "spring", True),
    ):
        club.writes(BEN, body, subject)
        assert ("Do you want to leave spring" in _all(club.fresh(BEN))) == asks, body
    offered = [each["grants"] for each in pbem("aside", club.matches, "--json").json["aside"]]
    leave = f"pbem event leave {club.matches} spring Ben"
    assert [leave] in offered
    assert pbem(*leave.split()[1:]).code == 0
    left = pbem("aside", club.matches, "--json").json["aside"]
    assert [each["number"] for each in left] == [3, 4]
    assert all("spring-1 resign" in str(each) for each in left), "those are about the match"


def test_whoever_leaves_an_event_by_a_line_once_it_is_drawn_is_asked_first_and_told_what_goes_on(
    club: Club,
) -> None:
    for who, name in ((KATE, "Kate"), (BEN, "Ben"), (EVE, "Eve")):
        club.club("join", club.matches, name, "--address", who)
    event = "event new spring --game kahuna --format pool --dir".split()
    assert pbem(*event, club.matches).code == 0
    for name in ("Kate", "Ben", "Eve"):
        assert pbem("event", "enter", club.matches, "spring", name).code == 0
    assert pbem("event", "draw", club.matches, "spring").code == 0
    club.run()
    club.fresh(KATE)
    club.writes(KATE, "leave spring")
    [asked] = club.fresh(KATE)
    assert "Do you want to leave spring (Pool" in _all([asked])
    goes_on = "your matches go on with their deadlines: spring-2 and spring-3."
    assert goes_on in _all([asked])
    assert "withdrew" not in club.log
    club.writes(KATE, "yes", f"Re: {asked['Subject']}")
    told = _all(club.fresh(KATE))
    assert ("You have left spring." in told, goes_on in told) == (True, True)
    undone = pbem("event", "undraw", club.matches, "spring", "--reason", "Kate is ill")
    assert "no draw that can be undone: Kate left it since" in undone.err


def test_whom_the_founder_enters_or_takes_out_is_told_as_if_they_had_written(club: Club) -> None:
    club.club("join", club.matches, "Kate", "--address", KATE)
    club.club("join", club.matches, "Ben")
    event = "event new spring --game kahuna --format pool --dir".split()
    assert pbem(*event, club.matches).code == 0
    club.run()
    for words, told in (
        (("event", "enter", club.matches, "spring", "Kate"), "You are in spring, one of 1."),
        (("event", "leave", club.matches, "spring", "Kate"), "You have left spring."),
        (("event", "enter", club.matches, "spring", "Kate"), "You are in spring, one of 1."),
        (("event", "enter", club.matches, "spring", "Ben"), ""),
    ):
        club.later(1)
        assert pbem(*words).code == 0
        club.run()
        assert told in (mails := _all(club.fresh(KATE)))
        assert bool(mails) is bool(told)


@pytest.mark.parametrize(
    ("first", "then", "offered"),
    [
        ("join kahuna\n\nAber bitte erst ab Januar.", "I am Ute", " --line kahuna"),
        ("I am Otto and I'd like to join. My father died, so please not before February.", "", ""),
    ],
)
def test_what_a_stranger_makes_joining_depend_on_still_counts_once_they_have_joined(
    club: Club, first: str, then: str, offered: str
) -> None:
    club.writes(KATE, first)
    [asked] = club.fresh(KATE)
    if not then:
        club.writes(KATE, "join kahuna")
        [asked] = club.fresh(KATE)
    club.writes(KATE, then or "I am Otto", f"Re: {asked['Subject']}")
    assert "You wait for nothing yet, as a person reads first" in _all(club.fresh(KATE))
    assert "waits" not in club.log
    assert "1 mail needs you (1 stranger)" in pbem("status", club.matches).out
    [mail] = [it for it in pbem("aside", club.matches, "--json").json["aside"] if it["number"] == 1]
    assert mail["overtaken"] == ""
    if offered:
        [line] = mail["others"][:1]
        assert line == f"pbem club join {club.matches} Ute{offered}"
        assert pbem(*line.split()[1:]).code == 0
        assert "a turn: Ute" in pbem("club", "status", club.matches).out


def test_the_lines_of_a_stranger_who_says_their_name_at_once_are_kept_until_they_confirm(
    club: Club,
) -> None:
    club.writes(BEN, "join kahuna and kanaloa-bambus\nI am Bob")
    [asked] = club.fresh(BEN)
    assert asked["Subject"].endswith("join kahuna and kanaloa-bambus")
    club.writes(BEN, "I am Bob", f"Re: {asked['Subject']}")
    told = _all(club.fresh(BEN))
    assert "You wait for Kahuna · 2 players" in told
    assert "You wait for Kanaloa (Bambus) · 2 players" in told


@pytest.mark.parametrize(
    "said",
    [
        "I want to leave the club, please delete my data.",
        "Ich möchte austreten, bitte löscht meine Daten.",
        "Chcę opuścić klub i proszę usunąć moje dane.",
    ],
)
def test_whoever_wants_their_data_gone_is_offered_what_makes_it_go(club: Club, said: str) -> None:
    club.joins(KATE, "Kate")
    assert club.writes(KATE, said) == ["passed-on"]
    [listed] = pbem("aside", club.matches, "--json").json["aside"]
    typed = (*listed["grants"], *listed["others"])[:2]
    assert [*typed] == [
        f"pbem club leave {club.matches} Kate",
        f"pbem forget {KATE} {club.matches}",
    ]
    for line in typed:
        assert pbem(*line.split()[1:]).code == 0
    assert KATE not in (club.matches / "club.desk.yaml").read_text()


def test_what_a_member_wants_in_words_of_their_own_is_ready_to_be_typed(club: Club) -> None:
    for who, name in ((KATE, "Kate"), (BEN, "Ben")):
        club.club("join", club.matches, name, "--address", who)
    club.writes(KATE, "I have a new address: kate@new.example")
    club.writes(BEN, "join kanaloa-piatnik 4, but not with Kate")
    assert "write `avoid Kate`; nobody is told. [C-32]" in _all(club.fresh(BEN))
    aside = pbem("aside", club.matches, "--json").json["aside"]
    typed = [each["grants"] or each["others"] for each in aside]
    assert typed[1] == [f"pbem club says {club.matches} Ben 'avoid Kate'"]
    moved = typed[0][0]
    assert moved == f"pbem club join {club.matches} Kate --address kate@new.example"
    for name in ("Kate", "Ben"):
        club.club("says", club.matches, name, "join kahuna")
    club.run()
    assert "[kahuna-1 #" in club.fresh(KATE)[-1]["Subject"]
    assert pbem(*moved.split()[1:]).code == 0
    pbem("rule", club.matches / "kahuna-1", "note", "--text", "Hello, both of you")
    club.run()
    assert "Hello, both of you" in _all(club.fresh("kate@new.example"))
    assert club.fresh(KATE) == [], "mails of a match that goes on go to the new address, too"
    club.writes("kate@new.example", "me")
    assert "kate@new.example and kate@example.org" in _all(club.fresh("kate@new.example"))
    club.writes(EVE, "join kahuna")
    [asked] = club.fresh(EVE)
    club.writes(EVE, "I am Eve. Join kahuna, but not with Ben", f"Re: {asked['Subject']}")
    told = _all(club.fresh(EVE))
    assert "write `avoid Ben`" in told
    assert "host" not in told, "nobody is thought to want to play with whom they avoid"


def test_of_an_empty_mail_of_a_member_the_subject_is_read(club: Club) -> None:
    club.club("join", club.matches, "Kate", "--address", KATE)
    for subject, told in {
        "join kahuna": "place 1",
        "me": "Known to the founder alone",
        "hello": "passed on to the moderator: it is no line that the club can read",
    }.items():
        club.writes(KATE, "", subject)
        answer = _all(club.fresh(KATE))
        assert told in answer
        assert "You want to play here" not in answer, "she is no stranger"
    assert "passed-on" in pbem("aside", club.matches).out


def test_a_rematch_in_words_of_ones_own_is_offered_as_the_clubs(club: Club) -> None:
    for who, name in ((KATE, "Kate"), (BEN, "Ben")):
        club.club("join", club.matches, name, "--address", who, "--line", "kahuna")
    club.run()
    [opening] = club.fresh(KATE)
    ended = pbem("rule", club.matches / "kahuna-1", "end", "--reason", "x")
    assert ended.code == 0
    club.writes(KATE, "How about a rematch?", f"Re: {opening['Subject']}")
    [lies] = pbem("aside", club.matches, "--json").json["aside"]
    typed = f"pbem club says {club.matches} Kate rematch --match kahuna-1"
    assert lies["others"][0] == typed
    assert pbem(*typed.split()[1:]).code == 0


def test_a_substitute_takes_over_by_mail_and_is_told_everything(club: Club) -> None:
    club.joins(KATE, "Kate")
    club.joins(BEN, "Ben")
    club.joins(CLEO, "Cleo", "substitute")
    club.joins(EVE, "Eve", "substitute")
    for who in (KATE, BEN, EVE):
        club.fresh(who)
    for _ in range(9):
        club.later(23)
        club.run()
        if first := [each for each in club.fresh(CLEO) if "offer" in each["Subject"]]:
            break
    told = [_all(club.fresh(who)) for who in (KATE, BEN)]
    assert sum("offered to others" in each for each in told) == 1
    assert "After 12 hours without an answer the next is asked as well" in _all(first)
    club.later(12)
    club.run()
    [then] = club.fresh(EVE)
    club.sends(EVE, "yes", f"Re: {then['Subject']}")
    club.sends(CLEO, "yes", f"Re: {first[0]['Subject']}")
    club.run()
    [late] = club.fresh(CLEO)
    assert "nothing is offered to Cleo now. You are asked when a seat is empty." in _all([late])
    seated = club.state["matches"][0]["seats"]
    assert isinstance(seated, dict)
    left = BEN if "Kate" in seated.values() else KATE
    subject = next(each["Subject"] for each in club.to(left) if "kahuna-1 #" in each["Subject"])
    club.fresh(left)
    for body in ("away until 5 Jan", "I resign"):
        assert club.writes(left, body, f"Re: {subject}") == ["asked"], body
        assert "You have no seat in a match that goes on" in _all(club.fresh(left)), body
    assert club.aside() == []
    club.writes(left, "draw", f"Re: {subject}")
    assert re.search(r"kahuna-1: Eve has the seat (white|black) now", _all(club.fresh(left)))
    news = club.fresh(EVE)
    assert any("kahuna-1 #" in each["Subject"] for each in news)
    assert any("pbem-key/1" in text(each) for each in news)
    assert club.state["seeking"] == []
    assert pbem("verify", club.matches).code in (0, 3)


def test_a_late_yes_counts_as_long_as_the_seat_is_sought_and_the_founder_hears_the_true_reason(
    club: Club,
) -> None:
    for who, name in ((KATE, "Kate"), (BEN, "Ben")):
        club.joins(who, name)
    for who, name in ((CLEO, "Cleo"), (EVE, "Eve")):
        club.joins(who, name, "substitute")
    for _ in range(11):
        club.later(23)
        club.run()
    club.writes(EVE, "Hi Cleo, is that seat of any use to you still? Let us talk about it")
    lines = [x for x in pbem("aside", club.matches).out.splitlines() if "pbem club seat" in x]
    assert re.search("Eve --match kahuna-1 --seat (white|black)$", lines[0])
    told = " ".join(club.club("status", club.matches).out.split())
    both = "(Cleo was asked; Eve|Eve was asked; Cleo) was asked"
    assert re.search(f"nobody can be asked: {both}", told)
    [news] = [each for each in club.fresh(EVE) if "News for you" in each["Subject"]]
    said = "Sorry I only saw this now - is the seat still free? Yes I would take it"
    club.writes(EVE, said, f"Re: {news['Subject']}")
    told = _all(club.fresh(EVE))
    assert re.search(r"(white|black) in kahuna-1 is yours", told), told
    [news] = [each for each in club.fresh(CLEO) if "News for you" in each["Subject"]]
    club.writes(CLEO, "Sure, I'd love to!", f"Re: {news['Subject']}")
    assert club.state["seeking"] == []
    assert pbem("verify", club.matches).code in (0, 3)


def test_a_stranger_who_asks_something_else_is_told_of_the_club_and_what_follows(
    club: Club,
) -> None:
    club.writes(KATE, "What is this?")
    [told] = club.fresh(KATE)
    said = _all([told])
    assert said.startswith("In the club rivendell, people play Kahuna, Kanaloa (Bambus) and")
    assert said.index("`join kahuna`") < said.index("a mail brings the board")
    assert "address book" not in said, "nothing about a match"
    assert told["Subject"] == "[rivendell] Your mail"
    assert "What is this?" in pbem("aside", club.matches).out


def test_whoever_follows_our_words_to_join_is_always_answered(club: Club) -> None:
    club.writes(KATE, "My kids got Kahuna and we are hooked. Is this free?")
    [asked] = club.fresh(KATE)
    join = f"pbem club join {club.matches} HANDLE --address {KATE} --line kahuna"
    assert join in pbem("aside", club.matches, 1).out
    for said in ("yes please", "join kahuna", "Sure, I'd love to!"):
        assert club.writes(KATE, said, f"Re: {asked['Subject']}") == ["stranger"]
        [again] = club.fresh(KATE)
        assert "Only your name is missing" in _all([again]), said
        assert again["Subject"] == asked["Subject"]
    club.writes(KATE, "yes please", "hello")
    [again] = club.fresh(KATE)
    assert '"I am" and the name' in _all([again])
    club.writes(KATE, "I am Kate", f"Re: {again['Subject']}")
    assert "You are Kate" in _all(club.fresh(KATE))
    club.writes(BEN, "join kahuna")
    club.writes(BEN, "Nie, dziękuję, tym razem nie.", f"Re: {club.fresh(BEN)[-1]['Subject']}")
    assert "Your no is noted" in _all(club.fresh(BEN))
    assert "My kids" in "".join(pbem("aside", club.matches).out)
    assert [each["handle"] for each in club.state["people"]] == ["Kate"]


NAMED = {
    "I am Sam, join substitute": ("Sam", ("You wait for Kahuna", "asked when a seat is empty")),
    "I am Tim, join kahuna 5 days": ("Tim", ("You wait for Kahuna · 2 players · 5 days",)),
    "Igen, Ines vagyok": ("Ines", ("place 1",)),
    "Sziasztok, én Zita vagyok!": ("Zita", ("place 1",)),
    "I am Vic. Only from January on, please, and is there a fee?": ("Vic", ("wait for nothing",)),
    "I am Pam. If Ann plays too.": ("Pam", ("wait for nothing yet", "passed on")),
    "I am Uma. Only from Friday on": ("Uma", ("wait for nothing yet", "passed on")),
    "Ich bin Ned, nur ab Januar": ("Ned", ("wartest noch auf nichts", "Spielleitung")),
    "I am Eli. Good luck to all! What is the next step?": ("Eli", ("You wait for Kahuna",)),
}


def test_what_stands_beside_a_name_is_done_or_keeps_its_writer_from_being_seated(
    club: Club,
) -> None:
    for said, (name, answers) in NAMED.items():
        who = f"{name.lower()}@example.org"
        club.writes(who, "csatlakozom kahuna" if "vagyok" in said else "join kahuna")
        club.writes(who, said, f"Re: {club.fresh(who)[-1]['Subject']}")
        told = _all(club.fresh(who))
        assert all(each in told for each in answers), (said, told)
        club.club("leave", club.matches, name)
    assert "January" in pbem("aside", club.matches).out


def test_a_question_beside_the_name_that_is_asked_for_reaches_a_person(club: Club) -> None:
    club.writes(KATE, "join kahuna")
    [asked] = club.fresh(KATE)
    club.writes(KATE, "I am new to this. Who else plays?", f"Re: {asked['Subject']}")
    [again] = club.fresh(KATE)
    assert again["Subject"] == asked["Subject"]
    assert "A person reads your mail as well" in _all([again])
    assert "Who else plays?" in pbem("aside", club.matches).out


IN_PLAIN_WORDS = {
    ("hello", "Hi, I'd like to play Kahuna, please. I am new to this."): "kahuna",
    ("hello", "Is Kanaloa (Piatnik) for two? How does it work?"): "kanaloa-piatnik",
    ("Kahuna!", "I found your page. How do I join?"): "kahuna",
    ("hello", "Kahun\u00e1t!"): "kahuna",
    ("hello", "Kahun\u0119!"): "kahuna",
    ("join kahuna", ""): "kahuna",
    ("hello", "Kahuna or Kanaloa-Bambus, I like both"): "",
    ("hello", "I am Max"): "me",
    ("Re: [rivendell] Your mail", "Hello! My name is Nora"): "me",
    ("hello", "Kanaloa would be nice"): "",
    ("hello", "Thanks!\n\n> join kahuna"): "",
}


def test_a_stranger_who_names_one_game_in_plain_words_is_asked_whether_they_want_to_play_it(
    club: Club,
) -> None:
    for nth, ((subject, body), game) in enumerate(IN_PLAIN_WORDS.items()):
        who = f"p{nth}@example.org"
        club.writes(who, body, subject)
        [told] = club.fresh(who)
        assert told["Subject"].endswith(
            "] Your mail" if game in ("", "me") else f"] join {game}"
        ), body
        assert "In the club rivendell" in _all([told])
        if game:
            club.writes(who, f"I am P{nth}", f"Re: {told['Subject']}")
            waits = "nothing yet" if game == "me" else f"{games.game(game).TITLE} ·"
            assert f"You wait for {waits}" in _all(club.fresh(who)), body
    for body, answer in {
        "Where do I find the rules?": "A mail with a line like `rules: end` brings",
        "rules: K-14": "K-14",
    }.items():
        club.writes(CLEO, body)
        assert answer in _all(club.fresh(CLEO)), body
    assert len(pbem("aside", club.matches, "--json").json["aside"]) == len(IN_PLAIN_WORDS) + 2


def test_a_host_hears_of_a_no_and_tables_tell_all_there_is_with_a_link(club: Club) -> None:
    for name, who in (("Kate", KATE), ("Ben", BEN)):
        club.club("join", club.matches, name, "--address", who)
    club.writes(KATE, "host kahuna: Ben")
    club.writes(BEN, "no", f"Re: {club.fresh(BEN)[-1]['Subject']}")
    assert "Ben does not come to your table 1: Kate." in _all(club.fresh(KATE))
    for name in ("Ben", "Kate"):
        club.club("join", club.matches, name, "--line", "kahuna")
    club.run()
    winner = ("--winner", "black", "--reason", "as agreed")
    assert pbem("rule", club.matches / "kahuna-1.pbem.yaml", "end", *winner).code == 0
    event = "event", "new", "spring", "--dir", club.matches, "--game", "kahuna", "--format", "pool"
    assert pbem(*event).code == 0
    club.run()
    club.fresh(KATE)
    club.sends(KATE, "tables")
    club.run("--link", "https://club.example/m/")
    told = _all(club.fresh(KATE))
    assert "kahuna-1 was played: " in told
    assert "spring, Pool · Kahuna · 2 players · 3 days a turn: the line `enter spring`" in told
    pages = "club.html#table-1", "event-spring.html", "match-kahuna-1.html", "club.html"
    assert re.findall(r"https://club\.example/m/(\S+)", told) == [*pages]


def test_a_name_is_read_where_a_language_puts_it_and_the_question_keeps_its_language(
    club: Club,
) -> None:
    club.writes(KATE, "csatlakozom kahuna")
    [asked] = club.fresh(KATE)
    subject = f"Re: {asked['Subject']}"
    before = "".join(f"> {each}\n" for each in text(asked).split("\n"))
    club.writes(KATE, f"Bela\n\n{before}", subject)
    assert "Válaszolj" in _all(club.fresh(KATE))
    club.writes(KATE, "Bela vagyok", subject)
    assert [each["handle"] for each in club.state["people"]] == ["Bela"]
    club.fresh(KATE)
    for body in ("Bonjour,\n\nmoi\n\nMerci", "moi", "Jó napot!\n\nén"):
        club.writes(KATE, body)
        assert KATE in _all(club.fresh(KATE)), body
    assert len(pbem("aside", club.matches, "--json").json["aside"]) == 1


def test_days_are_read_in_the_language_of_the_line(club: Club) -> None:
    club.joins(KATE, "Kate")
    for line in ("mitspielen bei kahuna, 5 Tage", "rejoindre kahuna 6 jours", "join kahuna, 7 dni"):
        club.club("leave", club.matches, "Kate")
        club.writes(KATE, line)
        [waits] = club.state["lines"]
        assert str(waits["turn"]) in line, line


def test_a_stranger_is_answered_in_the_language_they_write(club: Club) -> None:
    club.writes(KATE, "Hallo, ich möchte gern mitspielen. Wie geht das?\n\nLiebe Grüße\nKatja")
    assert _all(club.fresh(KATE)).startswith("Im Klub rivendell wird per Mail Kahuna")
    club.writes(BEN, "Bonjour, je voudrais jouer à Kahuna avec vous.")
    assert _all(club.fresh(BEN)).startswith("Au club rivendell, on joue")


def test_a_strangers_line_to_the_club_is_for_no_person(club: Club) -> None:
    assert club.writes(KATE, "limit 2") == ["stranger"]
    assert "`join kahuna`" in _all(club.fresh(KATE))
    assert club.aside() == []


def test_a_seat_that_is_given_up_is_the_clubs_to_fill_and_no_persons(club: Club) -> None:
    for who, name in ((KATE, "Kate"), (BEN, "Ben"), (CLEO, "Cleo")):
        club.club("join", club.matches, name, "--address", who, "--line", "kanaloa-bambus 3")
    club.club("join", club.matches, "Eve", "--address", EVE, "--line", "substitute")
    club.run()
    [opening] = club.fresh(KATE)
    assert "Then a substitute is sought." in _all([opening])
    club.writes(KATE, "resign", f"Re: {opening['Subject']}")
    assert club.aside() == [], "who never confirms it falls silent, which is the club's to see to"
    club.writes(KATE, "resign", f"Re: {opening['Subject']}")
    told = _all(club.fresh(KATE))
    assert "A substitute is sought for your seat" in told
    assert "moderator decides" not in told + _all(club.fresh(BEN))
    assert "take over?" in _all(club.fresh(EVE))
    assert club.aside() == []


def _all(mails: list[EmailMessage]) -> str:
    return " ".join(" ".join(map(text, mails)).split())


def test_the_moderator_is_asked_about_a_silent_seat_once_nobody_was_found(club: Club) -> None:
    club.joins(KATE, "Kate")
    club.joins(BEN, "Ben")
    club.joins(EVE, "Eve", "substitute")
    asked = list[int]()
    for day in range(20):
        club.later(23)
        club.run("--moderator", CLEO)
        if club.fresh(CLEO):
            asked.append(day)
    assert len(asked) == 1
    sought = re.findall(r"entry: sought\n.*\n.*\n.*\n  at: \"([^T]*)", club.log)
    assert len(sought) == 1
    assert asked[0] - 6 in (7, 8), "grace is over on the sixth day"
    assert "The line `join substitute` puts you at the end" in _all(club.fresh(EVE))


def test_whoever_writes_what_nobody_can_read_is_not_replaced(club: Club) -> None:
    club.joins(KATE, "Kate")
    club.joins(BEN, "Ben")
    for _ in range(5):
        club.later(23)
        club.run("--moderator", CLEO)
    [late] = [
        who for who in (KATE, BEN) if "You are late" in str([m["Subject"] for m in club.to(who)])
    ]
    opening = club.to(late)[-1]
    club.writes(late, "I would like to play, but how do I write what I mean?", opening["Subject"])
    for _ in range(5):
        club.later(23)
        club.run("--moderator", CLEO)
        assert club.club("due", club.matches, "--enter").out == "Nothing is due.\n"
    assert "entry: sought" not in club.log
    assert any("question waits for you" in each["Subject"] for each in club.to(CLEO))


def test_whoever_writes_once_their_seat_is_offered_is_asked_and_not_told_so_twice(
    club: Club,
) -> None:
    club.joins(KATE, "Kate")
    club.joins(BEN, "Ben")
    while "entry: sought" not in club.log:
        club.later(23)
        club.run("--moderator", CLEO)
    [late] = [who for who in (KATE, BEN) if "offered to others" in _all(club.to(who))]
    opening = next(each for each in club.to(late) if "kahuna-1 #" in each["Subject"])
    club.writes(late, "Sorry I was ill! I draw.", f"Re: {opening['Subject']}")
    assert "entry: closed" in club.log
    for _ in range(3):
        club.club("due", club.matches, "--enter")
        club.later(23)
        club.run("--moderator", CLEO)
    assert _all(club.to(late)).count("offered to others") == 1
    assert club.log.count("entry: sought") == 1


def test_a_flood_of_strangers_leaves_no_notes(club: Club) -> None:
    for n in range(4):
        club.later(1 / 60)
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = f"x{n}@example.com", "desk@games.example", "x"
        mail.set_content("join kahuna")
        club.comes(bytes(mail), at=club.now)
    club.run("--refusals", "2")
    assert (club.matches / "club.desk.yaml").read_text().count("2026-") == 2
    [asked] = club.fresh("x0@example.com")
    club.sends("x0@example.com", "I am Zoe", f"Re: {asked['Subject']}")
    club.run("--refusals", "2")
    assert "place 1" in _all(club.fresh("x0@example.com")), "a flood shuts nobody out"


def test_whoever_writes_all_day_is_told_when_a_person_reads_on(club: Club) -> None:
    club.club("join", club.matches, "Kate", "--address", KATE, "--line", "kahuna")
    for body in ("me", "tables", "me", "leave"):
        club.sends(KATE, body)
        club.run("--refusals", "3")
    answers = [" ".join(text(each).split()) for each in club.to(KATE) if each["In-Reply-To"]]
    assert sorted("this is the last answer" in each for each in answers) == [False, False, True]
    assert len(club.aside()) == 1


def test_a_member_is_no_stranger_whatever_they_write(club: Club) -> None:
    club.club("join", club.matches, "Kate", "--address", KATE)
    assert club.writes(KATE, "When do we play? I have time on Sunday.") == ["passed-on"]
    assert "not in the address book" not in _all(club.to(KATE))
    assert "Kate writes to the club" in club.aside()[0]


def test_without_a_club_such_lines_are_a_strangers(tmp_path: Path) -> None:
    post = Post(tmp_path)
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = KATE, "desk@games.example", "hello"
    mail.set_content("join kahuna")
    post.comes(bytes(mail))
    assert post.run() == ["stranger"]
    assert "No match" in _all(post.to(KATE)) or "not in the address book" in _all(post.to(KATE))


def test_a_move_in_a_match_of_the_club_is_still_a_move(club: Club) -> None:
    club.joins(KATE, "Kate")
    club.joins(BEN, "Ben")
    [match] = club.state["matches"]
    seats = match["seats"]
    assert isinstance(seats, dict)
    first = KATE if seats["white"] == "Kate" else BEN
    [opening] = [each for each in club.to(first) if "kahuna-1 #" in each["Subject"]]
    assert club.writes(first, "draw", f"Re: {opening['Subject']}") == ["accepted"]


@pytest.mark.parametrize(
    "what",
    [
        "somebody is asked",
        *("a mail begins a match", "a mail takes a seat", "a mail makes a member"),
        *("a match begins", "a seat is given")[: many(0, 2)],  # which these do as well
    ],
)
def test_a_run_of_the_club_can_be_killed_anywhere(
    club: Club, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    monkeypatch.setattr("pbem.log.seal.new_secret", lambda: bytes(32))
    club.joins(KATE, "Kate")
    club.later(24 * 4 if what == "somebody is asked" else 1)
    if what in ("a seat is given", "a mail takes a seat"):
        club.joins(BEN, "Ben")
        club.joins(EVE, "Eve", "substitute")
        while not any("offer" in each["Subject"] for each in club.to(EVE)):
            club.later(23)
            club.run()
        if what == "a seat is given":
            pbem("club", "says", club.matches, "Eve", "yes")
        else:
            club.sends(EVE, "yes", f"Re: {club.to(EVE)[-1]['Subject']}")
    elif what == "a mail begins a match":
        pbem("club", "join", club.matches, "Ben", "--address", BEN)
        club.sends(BEN, "join kahuna")
    elif what == "a mail makes a member":
        club.writes(BEN, "join kahuna")
        club.sends(BEN, "I am Ben", f"Re: {club.to(BEN)[-1]['Subject']}")
    else:
        pbem("club", "join", club.matches, "Ben", "--address", BEN, "--line", "kahuna")
    place, kept = tmp_path, tmp_path.parent / f"{tmp_path.name}-kept"
    shutil.copytree(place, kept)

    def restore() -> None:
        shutil.rmtree(place)
        shutil.copytree(kept, place)

    def run() -> None:
        assert club.desk().code == 0

    def came() -> tuple[list[bytes], list[tuple[str, str, str]]]:
        logs = [path.read_bytes() for path in sorted(club.matches.glob("*.pbem.yaml"))]
        mails = [
            (each["To"], each["Subject"], "" if each["In-Reply-To"] else text(each))
            for each in club.answers().values()
        ]
        return logs, sorted(mails)

    before = came()
    run()
    faultless, tried = came(), 0
    assert faultless != before
    for number in remains(run, restore, place, each=many(9, 1)):
        run()
        assert came() == faultless, number
        tried += 1
    assert tried > 1
    shutil.rmtree(kept)


def test_whoever_says_yes_too_late_or_twice_is_told_where_they_stand(club: Club) -> None:
    club.joins(KATE, "Kate")
    club.later(24 * 4)
    club.joins(BEN, "Ben")
    [asked] = club.fresh(KATE)
    club.later(49)
    club.run()
    club.writes(KATE, "join kanaloa-bambus")
    club.fresh(KATE)
    club.writes(KATE, "yes", f"Re: {asked['Subject']}")
    assert "You wait for Kanaloa (Bambus) · 2 players" in _all(club.fresh(KATE))
    club.writes(KATE, "leave")
    club.fresh(KATE)
    club.writes(KATE, "yes", f"Re: {asked['Subject']}")
    assert "You wait for nothing now." in _all(club.fresh(KATE))


def test_a_yes_needs_no_subject_where_only_one_thing_is_asked(club: Club) -> None:
    club.joins(KATE, "Kate")
    club.later(24 * 4)
    club.joins(BEN, "Ben")
    club.writes(KATE, "Yes\n\nKate")
    assert [each["match"] for each in club.state["matches"]] == ["kahuna-1"]


def test_what_somebody_accepts_counts_like_what_they_ask_for(club: Club) -> None:
    for who, name in ((KATE, "Kate"), (BEN, "Ben")):
        club.club("join", club.matches, name, "--address", who)
    for line in ("kanaloa-bambus", "kanaloa-piatnik"):
        club.club("join", club.matches, "Ben", "--line", line)
    club.writes(KATE, "host kahuna: Ben")
    [asked] = club.fresh(BEN)
    club.writes(BEN, "yes", f"Re: {asked['Subject']}")
    assert "Ben can have 2 seats and places" in _all(club.fresh(BEN))
    assert club.state["matches"] == []
    club.writes(BEN, "leave kanaloa-bambus")
    club.fresh(BEN)
    club.writes(BEN, "yes", f"Re: {asked['Subject']}")
    assert [each["match"] for each in club.state["matches"]] == ["kahuna-1"]


def test_nobody_is_invited_to_a_table_with_whoever_avoids_them(club: Club) -> None:
    for who, name in ((KATE, "Kate"), (BEN, "Ben"), (EVE, "Eve")):
        club.club("join", club.matches, name, "--address", who)
    club.writes(EVE, "avoid Ben")
    club.writes(KATE, "host kanaloa-bambus 3: Ben, Eve")
    assert [each["to"] for each in club.state["offers"]] == ["Ben"]
    club.writes(BEN, "yes", f"Re: {club.fresh(BEN)[-1]['Subject']}")
    club.fresh(BEN)
    club.writes(BEN, "avoid Kate")
    assert "You have left table 1." in _all(club.fresh(BEN))


def test_a_line_that_changes_nothing_leaves_no_entry(club: Club) -> None:
    club.club("join", club.matches, "Kate", "--address", KATE, "--line", "kahuna")
    before = club.log
    club.writes(KATE, "leave kanaloa-bambus\nleave some-word\nno substitute\navoid Kate")
    assert club.log == before
    told = _all(club.fresh(KATE))
    assert "You still wait for Kahuna · 2 players" in told
    assert "never seated with Kate" not in told


def test_whoever_asks_for_a_place_they_have_is_told_which(club: Club) -> None:
    club.club("join", club.matches, "Kate", "--address", KATE, "--line", "kahuna")
    before = club.log
    club.writes(KATE, "join kahuna")
    assert "You wait for Kahuna · 2 players · 3 days a turn: place 1" in _all(club.fresh(KATE))
    assert club.log == before


def test_whoever_joins_hears_how_long_it_took_lately(club: Club) -> None:
    for name, waits in (("Ann", 50), ("Bob", 1), ("Cid", 1), ("Dot", 1)):
        club.club("join", club.matches, name, "--line", "kahuna")
        club.later(waits)
        club.run()
    club.club("join", club.matches, "Kate", "--address", KATE)
    club.writes(KATE, "join kahuna")
    assert "had waited so many days: 2 and 0." in _all(club.fresh(KATE))
    club.writes(KATE, "join kanaloa-bambus")
    assert "so many days" not in _all(club.fresh(KATE))


def test_whoever_says_it_twice_is_forgotten_but_for_their_name(club: Club) -> None:
    club.joins(KATE, "Kate")
    club.writes(KATE, "avoid Kate\nforget me")
    [asked] = club.fresh(KATE)
    assert club.state["lines"] != [], "nobody leaves a line because of a forged mail"
    club.writes(EVE, "forget me", f"Re: {asked['Subject']}")
    club.writes(KATE, "forget me", f"Re: {asked['Subject']}")
    assert "In a day" in _all(club.fresh(KATE))
    club.later(23)
    club.run()
    assert KATE in (club.matches / "club.desk.yaml").read_text()
    club.later(2)
    club.run()
    left = [path for path, data in _bytes(club).items() if b"kate@" in data.lower()]
    assert left == club.aside() == []
    assert [each["handle"] for each in club.state["people"]] == ["Kate"]


def _bytes(club: Club) -> dict[Path, bytes]:
    files = [*club.matches.rglob("*"), *club.outbox.rglob("*")]
    return {each: each.read_bytes() for each in files if each.is_file()}


def test_nobody_is_forgotten_in_the_midst_of_a_match_or_of_a_change_of_mind(club: Club) -> None:
    club.joins(KATE, "Kate")
    club.writes(KATE, "forget me")
    [asked] = club.fresh(KATE)
    club.writes(KATE, "forget me", f"Re: {asked['Subject']}")
    club.writes(KATE, "join kahuna")
    club.later(25)
    club.joins(BEN, "Ben")
    assert KATE in (club.matches / "club.desk.yaml").read_text()
    club.fresh(KATE)
    club.writes(KATE, "forget me", f"Re: {asked['Subject']}")
    assert "Nothing has changed: Kate still plays kahuna-1." in _all(club.fresh(KATE))


def test_me_tells_what_is_kept(club: Club) -> None:
    club.club("join", club.matches, "Kate", "--address", KATE, "--line", "kahuna")
    club.club("join", club.matches, "Ben", "--address", BEN)
    club.writes(KATE, "avoid Ben\nlimit 1\nme")
    told = _all(club.fresh(KATE))
    for each in (
        "0 of 0 turns in time",
        KATE,
        "You avoid Ben",
        "You wait for Kahuna · 2 players",
        "1 seat",
    ):
        assert each in told


def test_whoever_writes_in_their_language_is_answered_in_it(club: Club) -> None:
    club.writes(KATE, "mitspielen bei kahuna")
    [asked] = club.fresh(KATE)
    assert "Antworte" in text(asked)
    assert '"language"' not in (club.matches / ".mailroom" / "daybook.jsonl").read_text()
    club.writes(KATE, "ich bin Kate", f"Re: {asked['Subject']}")
    assert "Du wartest auf Kahuna · 2" in _all(club.fresh(KATE))
    club.later(24 * 4)
    club.joins(BEN, "Ben")
    [asked] = club.fresh(KATE)
    assert "Eine Frage an dich" in asked["Subject"]
    club.writes(KATE, "ja", f"Re: {asked['Subject']}")
    assert "Du bist am Zug" in _all(club.fresh(KATE))
    assert "to move" in club.newest(BEN)["Subject"]


def test_a_member_without_a_match_chooses_how_they_are_written_to(club: Club) -> None:
    club.club("join", club.matches, "Kate", "--address", KATE)
    event = "event", "new", "spring", "--dir", club.matches, "--game", "kahuna", "--format", "pool"
    assert pbem(*event).code == pbem("event", "enter", club.matches, "spring", "Kate").code == 0
    assert club.writes(KATE, "language: de") == ["asked"]
    club.fresh(KATE)
    club.writes(KATE, "tabelle spring")
    assert "1. Kate: gespielt 0; Punkte 0" in _all(club.fresh(KATE))
    club.writes(KATE, "join kahuna")
    assert "Du wartest auf Kahuna · 2" in _all(club.fresh(KATE))
    club.writes(KATE, "language: en")
    club.fresh(KATE)
    club.writes(KATE, "tische")
    assert "Waiting for" in _all(club.fresh(KATE)), "what was chosen stands"


def test_an_offer_says_who_is_at_the_table_and_what_they_may_say_to_each_other(club: Club) -> None:
    for who, name in ((KATE, "Kate"), (BEN, "Ben"), (EVE, "Eve")):
        club.club("join", club.matches, name, "--address", who)
    club.writes(KATE, "host kanaloa-bambus 3: Ben, Eve")
    for who in (BEN, EVE):
        told = _all(club.fresh(who))
        assert "At this table: Kate, Ben and Eve." in told
        assert "Press: public." in told


def test_who_asks_for_a_game_that_is_none_is_told_so_before_they_are_asked_their_name(
    club: Club,
) -> None:
    club.writes(KATE, "join kanaloa")
    [told] = club.fresh(KATE)
    assert "there is no game 'kanaloa'" in " ".join(text(told).split())
    assert "`join kahuna`" in text(told)


def test_what_stands_behind_a_line_to_join_is_put_aside_and_the_line_is_read(club: Club) -> None:
    club.writes(KATE, "join kahuna please, but I can only start in January")
    [asked] = club.fresh(KATE)
    assert "You want to play here" in text(asked)
    assert "A person reads your mail" in text(asked)
    listed = pbem("aside", club.matches).out
    assert "only start in January" in listed
    assert f"HANDLE --address {KATE} --line kahuna" in listed
    club.writes(KATE, "I am Kate", f"Re: {asked['Subject']}")
    assert "wait for nothing yet" in text(club.fresh(KATE)[-1])
    assert "line" not in club.log
    club.joins(BEN, "Ben", "kahuna 2 please")
    club.writes(BEN, "join kanaloa-piatnik 4, but not before next week")
    told = text(club.fresh(BEN)[-1])
    assert "passed on to the moderator" in told
    assert "game: kanaloa-piatnik" in club.log
    club.writes(EVE, "join kahuna 3 dayz")
    assert "'dayz' is no edition" in " ".join(text(club.fresh(EVE)[-1]).split())


def test_a_line_to_join_behind_words_of_ones_own_is_read_whole(club: Club) -> None:
    club.writes(EVE, "Cześć, chcę dołączyć: join kanaloa-piatnik 4")
    [asked] = club.fresh(EVE)
    assert "join kanaloa-piatnik 4" in str(asked["Subject"])
    club.writes(EVE, "Great! I am Eve. Looking forward to it.", f"Re: {asked['Subject']}")
    assert "4 players" in " ".join(text(club.fresh(EVE)[-1]).split())


def test_a_stranger_who_has_joined_needs_nobody_any_more(club: Club) -> None:
    club.writes(KATE, "Hello, may I play here?")
    assert "1 mail needs you (1 stranger)" in pbem("status", club.matches).out
    club.fresh(KATE)
    club.joins(KATE, "Kate")
    assert "need" not in pbem("status", club.matches).out
    assert "its writer has joined since" in pbem("aside", club.matches).out


def test_a_name_is_told_in_any_language_and_none_is_spoken_that_nobody_knows(club: Club) -> None:
    club.writes(EVE, "join kahuna")
    [asked] = club.fresh(EVE)
    club.writes(EVE, "Soy Pablo", f"Re: {asked['Subject']}")
    [told] = club.fresh(EVE)
    assert "You are Pablo in the club" in " ".join(text(told).split())


def test_a_member_s_new_address_is_ready_to_be_typed(club: Club) -> None:
    club.joins(KATE, "Kate")
    club.writes(KATE, "my new address is kate@new.example")
    line = f"pbem club join {club.matches} Kate --address kate@new.example"
    [mail] = pbem("aside", club.matches, "--json").json["aside"]
    assert mail["others"][0] == line
    assert pbem(*line.split()[1:]).code == 0
    club.writes("kate@new.example", "me")
    assert "kate@new.example" in text(club.fresh("kate@new.example")[-1])
