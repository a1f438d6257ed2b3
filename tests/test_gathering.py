"""What goes into the draws is gathered before the first, so that nobody can choose a card."""

from __future__ import annotations

import hashlib
import json
import random
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

import pytest
from commands import ANA, BEN, SECRET, Room, mail, pbem
from mailbag import maildir

from pbem.desk import begin
from pbem.files import yamlio
from pbem.log import chance, seal
from pbem.log.entries import entry_text
from pbem.log.entropy import gathering
from pbem.log.format import Log
from pbem.play import games, judge
from pbem.problem import Problem, Usage

START = "2026-11-21T03:40:00Z"
DUE, WORDS_DUE = "2026-11-28T03:40:00Z", "2026-12-05T03:40:00Z"
LOTTO = "public:Lotto 6 aus 49 of Sat 28 Nov 2026"
ANAS, BENS = "ana had a little lamb", "its fleece was white as snow"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Sets what time it is."""

    def stop(time: str) -> None:
        monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int(begin._time(time).timestamp())))

    monkeypatch.setenv("TZ", "UTC")
    stop(START)
    return stop


def begun(folder: Path, entropy: str = "seats", *more: str) -> Room:
    seats = ("--seat", f"white=Ana <{ANA}>", "--seat", f"black=Ben <{BEN}>")
    rest = ("-o", "starter=white", "--match", "m", "--dir", folder, "--entropy", entropy, *more)
    done = pbem("new", "kahuna", *seats, *rest, "--json")
    assert done.code == 0, done.printed
    return Room(folder / "m.pbem.yaml")


def sends(room: Room, seat: str, line: str) -> Any:
    """A mail with one line, from whoever sits there."""
    sender = {"white": ANA, "black": BEN}[seat]
    identity = hashlib.sha256(line.encode()).hexdigest()[:9]
    return room.mails(mail(line, sender=sender, identity=f"<{identity}@example.org>"))


def hashed(words: str) -> str:
    return f"words sha256:{hashlib.sha256(words.encode()).hexdigest()}"


def all_sent(room: Room) -> Room:
    for seat, words in (("white", ANAS), ("black", BENS)):
        assert sends(room, seat, hashed(words)).verdict == "accepted"
    for seat, words in (("white", ANAS), ("black", BENS)):
        assert sends(room, seat, f"words: {words}").verdict == "accepted"
    return room


def verified(room: Room) -> str:
    done = pbem("verify", room.log, "--key", room.desk)
    assert done.code == 0, done.out
    return done.out


# ------------------------------------------------------------------------------- of each seat


def test_the_header_says_what_is_gathered_and_nothing_is_dealt(tmp_path: Path, clock: Any) -> None:
    room = begun(tmp_path)
    text = room.log.read_text()
    assert "format: pbem-log/2\n" in text
    assert f'entropy: {{from: seats, promises: "{DUE}", words: "{WORDS_DUE}"}}\n' in text
    assert room.read().plies == ()
    assert "as long as one of them is honest, nobody can choose a card" in verified(room)


def test_the_first_card_is_dealt_when_all_words_are_there(tmp_path: Path, clock: Any) -> None:
    room = begun(tmp_path)
    for seat, words in (("white", ANAS), ("black", BENS)):
        assert sends(room, seat, hashed(words)).verdict == "accepted"
    assert sends(room, "black", f"Words:  {BENS}").verdict == "accepted"
    assert room.read().plies == ()
    assert sends(room, "white", f"words: {ANAS}").verdict == "accepted"
    match = room.read()
    assert len(match.plies) == 9
    assert match.awaited == ("white",)
    assert match.log.entropy(1) == [ANAS, BENS]  # in the order of the seats
    assert "All draws depend on words of Ana and Ben" in verified(room)
    assert "if one of them is honest, nobody chose a card" in verified(room)
    assert room.says("white", "draw").verdict == "accepted"
    assert "All draws depend" in verified(room)


def test_posts_say_what_is_still_to_come_and_letters_how_to_send_it(
    tmp_path: Path, clock: Any
) -> None:
    room = begun(tmp_path)
    for seat, line, still in (
        ("white", hashed(ANAS), f"until {DUE}. Still to come: Ben."),
        ("black", hashed(BENS), f"until {WORDS_DUE}. Still to come: Ana and Ben."),
        ("white", f"words: {ANAS}", f"until {WORDS_DUE}. Still to come: Ben."),
    ):
        done = pbem("submit", room.log, "--from", seat, "--json", stdin=line).json
        assert still in " ".join(done["post"].split())
        to_do = {name: "sha256sum" in text for name, text in done["letters"].items()}
        assert to_do == {"white": "Ana" in still, "black": "Ben" in still}
    done = pbem("submit", room.log, "--from", "black", "--json", stdin=f"words: {BENS}").json
    assert "Still to come" not in done["post"]
    assert "Ana is dealt 3 cards" in done["post"]


def test_a_hash_that_a_mail_programme_wrapped_is_read(tmp_path: Path, clock: Any) -> None:
    room = begun(tmp_path)
    assert sends(room, "white", hashed(ANAS).replace("sha256:", "sha256:\n")).verdict == "accepted"


REFUSED = [
    # who sends what, after what, and why it is not taken
    ("white", f"words: {ANAS}", [], "first each seat promises"),
    ("white", hashed("another thing"), [("white", hashed(ANAS))], "has sent a hash already"),
    ("black", hashed(ANAS), [("white", hashed(ANAS))], "another seat has sent this very hash"),
    ("white", "words: too short", [], "16 to 200"),
    ("white", "words: Ana hätte gern ein Lamm", [], "16 to 200"),
    ("white", "BARI-DUDA", [], "the first card has not been drawn"),
    ("white", "words", [], "the first card has not been drawn"),
    (
        "white",
        "words: ana had a little dog",
        [("white", hashed(ANAS)), ("black", hashed(BENS))],
        "these are not the words Ana promised",
    ),
    (
        "white",
        f"words: {ANAS}",
        [("white", hashed(ANAS)), ("black", hashed(BENS)), ("white", f"words: {ANAS}")],
        "has sent their words already",
    ),
]


@pytest.mark.parametrize(("seat", "line", "before", "why"), REFUSED, ids=[r[3] for r in REFUSED])
def test_what_cannot_be_taken_is_refused_with_the_reason(
    tmp_path: Path, clock: Any, seat: str, line: str, before: list[tuple[str, str]], why: str
) -> None:
    room = begun(tmp_path)
    for sender, sent in before:
        assert sends(room, sender, sent).verdict == "accepted"
    with room.unchanged():
        answer = room.says(seat, line)
    assert answer.verdict == "refused"
    assert why in answer.message


def test_a_stranger_sends_no_words(tmp_path: Path, clock: Any) -> None:
    room = begun(tmp_path)
    with room.unchanged():
        assert room.mails(mail(hashed(ANAS), sender="eve@example.org")).code == 77


def test_the_moderator_can_enter_what_came_by_another_way(tmp_path: Path, clock: Any) -> None:
    room = begun(tmp_path)
    for seat, words in (("white", ANAS), ("black", BENS)):
        promised = gathering.promise(words)
        done = pbem("rule", room.log, "words", "--seat", seat, "--text", promised)
        assert done.code == 0, done.printed
    assert "Still to come: Ana and Ben" in " ".join(done.out.split())
    for seat, words in (("white", ANAS), ("black", BENS)):
        done = pbem("rule", room.log, "words", "--seat", seat, "--text", words)
    assert done.code == 0
    assert len(room.read().plies) == 9
    told = pbem("log", room.log).out
    assert f"Ana promises words: {gathering.promise(ANAS)}" in told
    assert f"The words of Ben are: {BENS}" in told


def test_who_sends_nothing_is_passed_over_but_not_before_the_time(
    tmp_path: Path, clock: Any
) -> None:
    room = begun(tmp_path)
    sends(room, "white", hashed(ANAS))
    over = ("rule", room.log, "pass-over", "--seat", "black", "--reason", "no answer")
    clock(DUE)
    with room.unchanged():
        assert f"has time until {DUE}" in pbem(*over).err
    clock("2026-11-28T03:40:01Z")
    with room.unchanged():
        wrong = pbem("rule", room.log, "pass-over", "--seat", "white", "--reason", "x")
    assert "is not to send anything now" in wrong.err
    assert pbem(*over).code == 0
    assert sends(room, "white", f"words: {ANAS}").verdict == "accepted"
    assert room.read().log.entropy(1) == [ANAS]
    assert "Ben sent nothing in time and was passed over" in verified(room)


def test_who_promised_and_kept_silent_is_passed_over_and_told_so(
    tmp_path: Path, clock: Any
) -> None:
    room = begun(tmp_path)
    for seat, words in (("white", ANAS), ("black", BENS)):
        sends(room, seat, hashed(words))
    sends(room, "white", f"words: {ANAS}")
    over = ("rule", room.log, "pass-over", "--seat", "black", "--reason", "no answer")
    clock(WORDS_DUE)
    with room.unchanged():
        assert f"has time until {WORDS_DUE}" in pbem(*over).err
    clock("2026-12-05T03:40:01Z")
    assert pbem(*over).code == 0
    assert len(room.read().plies) == 9
    assert "could choose between two ways to deal" in verified(room)


def test_nothing_goes_into_the_draws_later(tmp_path: Path, clock: Any) -> None:
    room = all_sent(begun(tmp_path))
    with room.unchanged():
        done = pbem("rule", room.log, "entropy", "--seat", "white", "--text", "and this")
    assert done.code in (1, 65)
    assert "settled before the first card" in done.err


def test_no_move_is_made_while_words_are_gathered(tmp_path: Path, clock: Any) -> None:
    room = begun(tmp_path)
    with room.unchanged():
        assert pbem("check", room.log, "--from", "white", stdin="draw").code == 1
        for kind in (["takeback", "--to", "0"], ["default", "--seat", "white", "--move", "draw"]):
            assert pbem("rule", room.log, *kind, "--reason", "x").code in (1, 2)
    assert pbem("rule", room.log, "end", "--reason", "nobody came").code == 0
    assert pbem("rule", room.log, "reopen", "--reason", "they did").code == 0
    assert room.read().gathering
    all_sent(room)
    verified(room)


def test_a_substitute_is_passed_over_for_words_only_the_one_before_knew(
    tmp_path: Path, clock: Any
) -> None:
    room = begun(tmp_path)
    for seat, words in (("white", ANAS), ("black", BENS)):
        sends(room, seat, hashed(words))
    by = ("--seat", "black", "--reason", "away")
    assert pbem("rule", room.log, "substitute", *by, "--player", "Zoe").code == 0
    assert room.read().gathering
    clock("2027-01-01T00:00:00Z")
    sends(room, "white", f"words: {ANAS}")
    assert pbem("rule", room.log, "pass-over", *by).code == 0
    told = verified(room)
    assert "Ben promised words, they were not sent in time, and black was passed over" in told
    assert "Zoe" not in told


def test_the_proof_names_those_who_chose_the_words_not_who_sits_there_later(
    tmp_path: Path, clock: Any
) -> None:
    room = all_sent(begun(tmp_path))
    by = ("--seat", "black", "--reason", "away")
    assert pbem("rule", room.log, "substitute", *by, "--player", "Cara").code == 0
    assert "All draws depend on words of Ana and Ben;" in verified(room)


@pytest.mark.parametrize("dealer", ["asked", "scripted"])
def test_words_for_draws_that_nobody_makes_are_no_log(
    tmp_path: Path, clock: Any, dealer: str
) -> None:
    """Else `verify` would say that nobody chose a card, where the moderator typed each."""
    room = begun(tmp_path)
    forged(room, lambda entries: None, dealer=dealer)
    for key in ([], ["--key", room.desk]):
        done = pbem("verify", room.log, *key)
        assert done.code == 65
        assert "words for the draws in a match whose dealer is" in done.out
        assert "nobody" not in done.out


@pytest.mark.parametrize("dealer", ["asked", "scripted"])
@pytest.mark.parametrize("plan", [None, {"from": "seats"}, {"from": "public", "value": "x"}])
def test_no_draw_is_proven_but_by_the_sealed_dealer(dealer: str, plan: Any) -> None:
    gathered = gathering.Gathering(plan, {"white": "Ana"})
    gathered.promises["white"] = gathered.words["white"] = ANAS
    gathered.persons["white"], gathered.value = "Ana", "1 2 3"
    [said] = map(str, gathering.proven(dealer, gathered))
    assert "NO DRAW IS PROVEN" in said


def test_the_mailroom_takes_promises_and_words_and_deals_when_all_are_there(
    tmp_path: Path, clock: Any
) -> None:
    (tmp_path / "matches").mkdir()
    room = begun(tmp_path / "matches")
    box = maildir(tmp_path / "Maildir")
    folders = ("--matches", room.log.parent, "--outbox", tmp_path / "outbox")
    lines = [(ANA, hashed(ANAS)), (BEN, hashed(BENS))]
    lines += [(ANA, f"words: {ANAS}"), (BEN, f"words: {BENS}")]
    for number, (sender, line) in enumerate(lines):
        raw = mail(line, sender=sender, identity=f"<{number}@example.org>")
        (box / "new" / f"{1_780_000_000 + number}.M{number}P1.host").write_bytes(raw)
        done = pbem("desk", "run", "--mail", box, *folders, "--once", "--json")
        assert [json.loads(told)["verdict"] for told in done.out.splitlines()] == ["accepted"]
    assert room.read().log.entropy(1) == [ANAS, BENS]
    reports = [
        message_from_bytes(file.read_bytes(), policy=policy.default)
        for file in (tmp_path / "outbox" / "private").glob("*.white.*.eml")
    ]
    bodies = [report.get_body(("plain",)) for report in reports]
    said = [" ".join(body.get_content().split()) for body in bodies if body]
    for news in ("Still to come: Ben.", "Still to come: Ana and Ben.", "Ben is dealt 3 cards."):
        assert any(news in text for text in said), news
    verified(room)


def test_a_line_that_answers_an_earlier_post_counts_while_words_are_gathered(
    tmp_path: Path, clock: Any
) -> None:
    room = begun(tmp_path)
    subject = f"Re: [m {room.read().position}]"
    for number, (sender, line) in enumerate([(ANA, hashed(ANAS)), (BEN, hashed(BENS))]):
        raw = mail(line, sender=sender, identity=f"<{number}@example.org>", subject=subject)
        assert room.mails(raw).verdict == "accepted"


# -------------------------------------------------------------------------- a public value


def test_a_public_value_is_named_first_and_draws_begin_when_it_is_entered(
    tmp_path: Path, clock: Any
) -> None:
    room = begun(tmp_path, LOTTO)
    assert "value: Lotto 6 aus 49 of Sat 28 Nov 2026" in room.log.read_text()
    assert room.read().plies == ()
    assert "named before it could be known: Lotto 6 aus 49" in verified(room)
    with room.unchanged():
        assert pbem("rule", room.log, "entropy", "--text", "none yet").code in (1, 65)
    assert pbem("rule", room.log, "entropy", "--text", "44, 3, 15, 08, 31, 22").code == 0
    assert len(room.read().plies) == 9
    assert room.read().log.entropy(1) == ["3 8 15 22 31 44"]
    assert "entered as '44, 3, 15, 08, 31, 22'; compare it" in verified(room)
    with room.unchanged():
        assert pbem("rule", room.log, "entropy", "--text", "1 2 3").code != 0


@pytest.mark.parametrize("text", ["3 8 15", "15,8,3", "03-08-15", "8; 15 und 3", " 15\t3 8. "])
def test_a_public_value_is_the_same_however_it_is_written(text: str) -> None:
    assert gathering.numbers(text) == "3 8 15"


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--entropy", "dice"], "--entropy is seats, or public:"),
        (["--entropy", "public:"], "--entropy is seats, or public:"),
        (["--entropy", "seats", "--until", "tomorrow"], "write it in UTC like"),
        (["--entropy", "seats", "--until", START], "is past"),
        (["--until", DUE], "how long --entropy seats waits"),
        (["--entropy", LOTTO, "--until", DUE], "how long --entropy seats waits"),
        (["--entropy", "seats", "--dealer", "asked"], "there are none"),
    ],
)
def test_what_new_cannot_gather_is_refused(
    tmp_path: Path, clock: Any, arguments: list[str], why: str
) -> None:
    done = pbem("new", "kahuna", "--seat", "white=Ana", "--seat", "black=Ben", *arguments)
    assert done.code == 2
    assert why in done.err


def test_pbem_words_makes_both_lines(tmp_path: Path, clock: Any) -> None:
    first, second = pbem("words").out.splitlines()
    assert first == hashed(second.removeprefix("words: "))
    assert pbem("words").out.splitlines() != [first, second]
    assert pbem("words", f"  {ANAS} ").out == f"{hashed(ANAS)}\nwords: {ANAS}\n"
    assert pbem("words", "short").code == 2


# ------------------------------------------------------------------------------ the moderator


WISHED = "deal ALOA"


def first_card(secret: bytes, texts: list[str]) -> str:
    """What a secret deals first."""
    game = games.game("kahuna")
    setup = begin.options.setup(game, ("white", "black"), None, {})
    state = game.start(setup)
    weights = [
        (game.notate(move), game.chances(state, move))
        for move in judge.legal_moves(game, state, "chance")
    ]
    return chance.Sealed(secret, "m")(1, texts, weights)


SECRETS = [hashlib.sha256(b"%d" % n).digest() for n in range(1000)]


def test_a_moderator_who_tries_a_thousand_secrets_gains_nothing_where_words_are_gathered() -> None:
    """Without words the moderator chooses; with them the wished card comes as often as any."""
    suiting = [secret for secret in SECRETS if first_card(secret, []) == WISHED]
    assert suiting, "a quick match is chosen: verify says so"
    rng = random.Random(1)
    won = 0
    for secret in (suiting * 20)[:600]:
        # The commitment stands; now one honest player's words come, and the moderator's own,
        # promised before.
        honest = " ".join(f"{rng.getrandbits(40):010x}" for _ in range(3))
        won += first_card(secret, [honest, "words of the moderator"]) == WISHED
    expected = 600 / 12
    assert abs(won - expected) < 4 * expected**0.5, won


def forged(room: Room, change: Any, **header: Any) -> None:
    """Give the log other entries, chained anew."""
    source = Log.read(str(room.log))
    entries = yamlio.parse(source.text, "")["log"] or []
    change(entries)
    top = source.header._replace(**header)
    text, chain = top.text(), top.chain
    for entry in entries:
        entry.pop("chain", None)
        more, chain = entry_text(chain, entry)
        text += more
    room.log.write_text(text)


def other_words(entries: list[dict[str, Any]]) -> None:
    entries[2]["text"] = "whatever suits the moderator"


def other_promise(entries: list[dict[str, Any]]) -> None:
    other_words(entries)
    entries[0]["hash"] = gathering.promise(entries[2]["text"])


def words_the_other_way_round(entries: list[dict[str, Any]]) -> None:
    entries[2], entries[3] = entries[3], entries[2]


def another_text(entries: list[dict[str, Any]]) -> None:
    entries.insert(
        4,
        {"ruling": "entropy", "by": "white", "seat": "white", "text": "x", "at": entries[3]["at"]},
    )


def passed_over_early(entries: list[dict[str, Any]]) -> None:
    entries[3] = {
        **{"ruling": "pass-over", "by": "moderator", "seat": "black"},
        "at": entries[3]["at"],
    }


def words_before_promises(entries: list[dict[str, Any]]) -> None:
    entries[1], entries[2] = entries[2], entries[1]


def dealt_before_words(entries: list[dict[str, Any]]) -> None:
    del entries[3]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (other_words, "not the words white promised"),
        (other_promise, "; the secret draws 'deal"),
        (another_text, "was settled before the first"),
        (passed_over_early, "has time until"),
        (words_before_promises, "words cannot stand here"),
        (dealt_before_words, "ply cannot stand here: first each seat sends"),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_verify_finds_a_gathering_that_was_forged(
    tmp_path: Path, clock: Any, change: Any, said: str
) -> None:
    room = all_sent(begun(tmp_path))
    forged(room, change)
    done = pbem("verify", room.log, "--key", room.desk)
    assert done.code == 65
    assert said in done.out


def test_the_order_in_which_words_are_entered_changes_no_card(tmp_path: Path, clock: Any) -> None:
    """Else whoever enters them last could choose among as many deals as there are orders."""
    room = all_sent(begun(tmp_path))
    dealt = room.read().plies
    forged(room, words_the_other_way_round)
    assert room.read().log.entropy(1) == [ANAS, BENS]
    assert [events for _, events in room.read().plies] == [events for _, events in dealt]
    verified(room)


def test_another_secret_after_the_words_does_not_fit_what_was_posted(
    tmp_path: Path, clock: Any
) -> None:
    room = all_sent(begun(tmp_path))
    forged(room, lambda entries: None, commit=seal.commit(SECRET))
    done = pbem("verify", room.log, "--key", room.desk)
    assert done.code == 65
    assert "not the secret the header commits to" in done.out


def test_logs_of_format_1_gather_nothing(tmp_path: Path, clock: Any) -> None:
    room = begun(tmp_path)
    text = room.log.read_text()
    with pytest.raises(Problem, match="unknown key 'entropy'"):
        Log.parse(text.replace("pbem-log/2", "pbem-log/1"), "x")
    line = next(line for line in text.splitlines() if line.startswith("entropy:"))
    with pytest.raises(Problem, match="missing: entropy"):
        Log.parse(text.replace(f"{line}\n", ""), "x")
    with pytest.raises(Problem, match=r"expected \{from: seats, promises: TIME"):
        Log.parse(text.replace("from: seats", "from: dice"), "x")


def test_words_are_one_line_with_one_way_to_write_it() -> None:
    for words in (ANAS, gathering.new_words(), "x" * 16, "x" * 200):
        assert gathering.is_words(words)
    for words in (
        "x" * 15,
        "x" * 201,
        f" {ANAS}",
        f"{ANAS} ",
        "two  blanks are too many",
        "ü" * 20,
    ):
        assert not gathering.is_words(words)
    assert not gathering.is_words(gathering.promise(ANAS))
    with pytest.raises(Usage):
        begin.gathered_from("", START)
