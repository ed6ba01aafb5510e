"""A community moves from one data folder to another: whole, alone, once, and then gone there."""

import asyncio
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.model.events import Deleted, Inbound
from bot.wiring.app import App
from memory.model.audience import OPERATOR
from memory.model.authority import BY_OPERATOR
from memory.model.people import Signature
from memory.model.rooms import RoomWish
from memory.rules.forgetting.selector import Requester, Selector
from tests.flow.brought import does, ends
from tests.flow.lived_in import ASKED_AT, BOB, BOB_ELSEWHERE, DAVID, KARIM, LEA, NADIA
from tests.flow.moving import (
    ASKED,
    ASKED_ELSEWHERE,
    ELSEWHERE,
    LOBBY,
    MOVING,
    STAYING,
    Answered,
    asks,
    beside,
    bytes_in,
    lines_of,
    lived,
    moved_in,
    moved_out,
    says,
    text_of,
)
from tests.patience import PATIENCE_S
from tests.processes import ROOT, eko, environment_of

OPERATES = Requester(scope=OPERATOR, actor=BY_OPERATOR)


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """The folder that it moves from."""
    return tmp_path / "old"


@pytest.fixture
def new(tmp_path: Path) -> Path:
    """The folder that it moves to."""
    return tmp_path / "new"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The file between them."""
    return tmp_path / "ruche.jsonl"


async def answered(app: App) -> list[Answered]:
    """What the questions of the community are answered with, and why."""
    return [
        await asks(app, who, where, text, f"asked-{number}")
        for number, (who, where, text, _) in enumerate(ASKED)
    ]


async def words(app: App, *, there: bool) -> set[str]:
    """Every text that is kept, of the community or of all others."""
    condition = f"audience IN ('space:{MOVING}', 'room:discord:9001', 'room:discord:9002')"
    found = set[str]()
    for table, columns in {
        "messages": ("text",),
        "turns": ("text", "reply"),
        "memories": ("content",),
        "knowledge": ("content", "title"),
        "reminders": ("text",),
    }.items():
        for column in columns:
            rows = await app.storage.database.all(
                f"SELECT {column} AS text FROM {table}"  # noqa: S608 - names of ours
                f" WHERE {'' if there else 'NOT '}{condition}"
            )
            found |= {row["text"] for row in rows if len(row["text"]) > len("salut !")}
    return found


async def test_what_was_answered_there_is_answered_the_same(
    old: Path, new: Path, file: Path
) -> None:
    """The reply, each line that it rests on, and what that was learnt from."""
    async with lived(old) as app:
        await moved_out(app, file)
        before = await answered(app)
    assert [word in one.reply for one, (*_, word) in zip(before, ASKED, strict=True)] == [
        True for _ in ASKED
    ]
    async with beside(new) as app:
        await moved_in(app, file)
        after = await answered(app)
        assert (await app.storage.health.checkup()).problems == ()
    assert after == before


async def test_nothing_of_others_and_nothing_private_is_in_the_file(old: Path, file: Path) -> None:
    """No word that was said elsewhere, no account that never wrote there, no other room."""
    async with lived(old) as app:
        entries = await moved_out(app, file)
        others = await words(app, there=False) - await words(app, there=True)
        accounts = await column(app, "SELECT external_id FROM identities")
        people = await column(app, "SELECT id FROM people")
        rooms = await column(app, "SELECT id FROM rooms WHERE space <> 'discord:900'")
    text = text_of(file)
    assert len(others) > 50
    assert [one for one in others if json.dumps(one, ensure_ascii=False)[1:-1] in text] == []
    assert {one for one in accounts if f'"{one}"' in text} == {"101", "102", "103"}
    assert [one for one in rooms if one in text] == []
    named = {one["name"] for one in entries if one["entry"] == "person"}
    assert named == {"Léa", "David", "Karim"}
    assert len([one for one in people if one in text]) == len(named)


async def column(app: App, sql: str) -> list[str]:
    """The first column of a query."""
    return [str(row[0]) for row in await app.storage.database.all(sql)]


async def test_accounts_that_never_wrote_there_stay_unknown(
    old: Path, new: Path, file: Path
) -> None:
    """Of a person with two linked accounts those that spoke there: one, and then both."""
    async with lived(old) as app:
        one = await moved_out(app, file, STAYING)
        for who in (BOB, BOB_ELSEWHERE):
            await says(app, who, LOBBY, f"bonjour, c'est {who.external_id}", who.external_id)
        both = await moved_out(app, file.with_name("both.jsonl"))
        assert (await app.register.person(BOB)).id == (await app.register.person(BOB_ELSEWHERE)).id
    assert accounts_of("Bob", one) == ["202"]
    assert '"104"' not in text_of(file)
    assert accounts_of("Bob", both) == ["104", "202"]
    async with beside(new) as app:
        await moved_in(app, file)
        alone = await app.register.person(BOB)
        assert (await app.register.person(BOB_ELSEWHERE)).id != alone.id


def accounts_of(name: str, entries: Sequence[Mapping[str, Any]]) -> list[str]:
    """The accounts of the one person of a name in a file."""
    (person,) = [one for one in entries if one["entry"] == "person" and one["name"] == name]
    return [one["external_id"] for one in person["accounts"]]


async def test_the_other_community_is_not_there(old: Path, new: Path, file: Path) -> None:
    """Neither what it said nor its people; who asks there is told that nothing is known."""
    async with lived(old) as app:
        await moved_out(app, file)
    async with beside(new) as app:
        await moved_in(app, file)
        assert [one.id for one in await app.storage.leaving.all()] == [MOVING]
        assert await column(app, "SELECT name FROM people ORDER BY name") == [
            "David",
            "Karim",
            "Léa",
        ]
        for number, (who, where, text, word) in enumerate(ASKED_ELSEWHERE):
            told = await asks(app, who, where, text, f"e{number}")
            assert word not in told.reply
            assert told.lines == []


async def test_the_same_file_twice_adds_nothing(old: Path, new: Path, file: Path) -> None:
    """And what is exported from the new folder is what came, byte for byte."""
    async with lived(old) as app:
        await moved_out(app, file)
    async with beside(new) as app:
        dry = await does(app, "import", path=str(file), dry_run=True)
        assert await app.storage.leaving.all() == []
        first = await moved_in(app, file)
        again = await moved_in(app, file)
        await moved_out(app, file.with_name("back.jsonl"))
    assert (dry["space"], dry["community"], dry["new"]) == (MOVING, "La Ruche", first["new"])
    assert again["new"] == {}
    assert text_of(file.with_name("back.jsonl")) == text_of(file)


async def test_messages_of_the_platform_are_known_again(old: Path, new: Path, file: Path) -> None:
    """One that is read back is no new one, and one that is taken back there is taken back here."""
    async with lived(old) as app:
        await moved_out(app, file)
    async with beside(new) as app:
        await moved_in(app, file)
        before = await app.storage.health.counts()
        await says(app, LEA, LOBBY, "demain je pars en Grèce pour une semaine", "lived-21")
        assert await app.storage.health.counts() == before
        await app.inbox.receive(Deleted(platform="discord", external_id="lived-21"))
        told = await asks(app, DAVID, LOBBY, "Eko, où part Léa ?", "d1")
    assert "Grèce" not in told.reply


async def test_what_was_chosen_for_it_comes_along(old: Path, new: Path, file: Path) -> None:
    """Roles and closed rooms, pauses, the greeting, the role of its members, check-ins."""
    manager = Signature("person:somebody")
    async with lived(old) as app:
        storage = app.storage
        room = app.register.room(LOBBY).id
        await storage.room_choices.change(room, RoomWish(confidential=True), by=manager)
        await storage.member_roles.choose(MOVING, "77", by=manager)
        await storage.pauses.begin(MOVING, by=manager)
        await storage.database.run(
            "INSERT INTO greeted_spaces VALUES ('discord:900', 1), ('telegram:-500', 2)"
        )
        await storage.database.run(
            "INSERT INTO checkin_rooms (room_id, locale, since) VALUES (:room, 'fr', 5)",
            {"room": room},
        )
        await moved_out(app, file)
        chosen = await app.storage.room_choices.chosen()
    async with beside(new) as app:
        await moved_in(app, file)
        assert await app.storage.room_choices.chosen() == chosen
        assert await app.storage.member_roles.chosen() == {MOVING: "77"}
        assert [one.space for one in await app.storage.pauses.all()] == [MOVING]
        assert await column(app, "SELECT space FROM greeted_spaces") == [MOVING]
        assert [one.room.id for one in await app.storage.checkins.rooms()] == [room]
        assert (await moved_in(app, file))["new"] == {}


async def test_opt_outs_of_both_sides_hold(old: Path, new: Path, file: Path) -> None:
    """Who opted out in either folder is read along with in none."""
    async with lived(old) as app:
        assert not (await app.register.person(KARIM)).observed
        await moved_out(app, file)
    async with beside(new) as app:
        for who in (KARIM, DAVID, LEA):
            await app.register.person(who)
        await app.storage.people.observe((await app.register.person(DAVID)).id, observed=False)
        await moved_in(app, file)
        observed = [(await app.register.person(who)).observed for who in (KARIM, DAVID, LEA)]
    assert observed == [False, False, True]


async def test_an_opt_out_of_whoever_never_spoke_comes_along_without_a_name(
    old: Path, new: Path, file: Path
) -> None:
    """It was made for all rooms, and is known by the account alone."""
    silent = replace(LEA, external_id="109", name="Zacharie")
    async with lived(old) as app:
        person = await app.register.person(silent)
        await app.storage.people.observe(person.id, observed=False)
        await moved_out(app, file)
    assert "Zacharie" not in text_of(file)
    async with beside(new) as app:
        await moved_in(app, file)
        assert not (await app.register.person(silent)).observed


async def test_tombstones_of_both_sides_hold(old: Path, new: Path, file: Path) -> None:
    """What was forgotten in either folder is not learnt again, each by the key of its folder."""
    there, here = "Karim a caché la clé sous le pot bleu", "Léa a perdu son écharpe au cinéma"
    before = {"sent_at": ASKED_AT - timedelta(days=3)}
    async with lived(old) as app:
        await says(app, DAVID, LOBBY, there, "t1", **before)
        await forgets(app, "clé sous le pot bleu")
        await moved_out(app, file)
    assert "pot bleu" not in text_of(file)
    async with beside(new) as app:
        await says(app, LEA, LOBBY, here, "t2", **before)
        await forgets(app, "écharpe au cinéma")
        await moved_in(app, file)
        for number, text in enumerate((there, here, "il neige sur la ruche ce matin")):
            await says(app, LEA, LOBBY, text, f"again-{number}", **before)
        kept = await column(app, "SELECT text FROM messages WHERE external_id GLOB 'again-*'")
        assert [one for one in kept if one] == ["il neige sur la ruche ce matin"]
        await moved_out(app, file.with_name("on.jsonl"))
    keys = [one["entry"] for one in lines_of(file.with_name("on.jsonl"))].count("marks_key")
    assert keys == 2


async def forgets(app: App, topic: str) -> None:
    """The operator has what speaks of something forgotten."""
    receipt = await app.services.forgetting.at_once(Selector(topic=topic), OPERATES)
    assert receipt.counts


async def test_what_a_reply_repeats_stays_for_those_alone(old: Path, new: Path, file: Path) -> None:
    """An answer in the lobby that carries the closed room is told to nobody who is not in both."""
    async with lived(old) as app:
        await asks(app, LEA, LOBBY, "Eko, où part Léa ?", "c1")
        carried = (
            "UPDATE turns SET carries = '[\"room:discord:9002\"]' WHERE audience GLOB 'space:*'"
        )
        await app.storage.database.run(carried)
        outside = await asks(app, DAVID, LOBBY, "Eko, quel est le métier de Léa ?", "c2")
        await app.storage.database.run(
            "UPDATE turns SET carries = '[\"space:telegram:-500\"]' WHERE speaker = 'David'"
            " AND audience GLOB 'space:*'"
        )
        await moved_out(app, file)
    assert outside.reply not in text_of(file)
    async with beside(new) as app:
        await moved_in(app, file)
        carries = await column(app, "SELECT carries FROM turns WHERE audience GLOB 'space:*'")
    assert sorted(carries) == ['["room:discord:9002"]', "[]"]


async def test_a_killed_import_goes_on(old: Path, new: Path, file: Path) -> None:
    """With the same command, whatever was written until then, and once."""
    async with lived(old) as app:
        await app.inbox.receive_all([heard(number) for number in range(900)], recorded=True)
        await moved_out(app, file)
    assert [await killed_after(new, file, batches) for batches in (3, 8, 12)] == [-9] * 3
    async with beside(new) as app:
        done = await moved_in(app, file)
        assert done["known"]["message"] > 200
        assert done["new"]["memory"] > 0
        await moved_out(app, file.with_name("back.jsonl"))
        assert (await app.storage.health.checkup()).problems == ()
    assert text_of(file.with_name("back.jsonl")) == text_of(file)


def heard(number: int) -> Inbound:
    """One of many lines of the lobby."""
    return Inbound(
        external_id=f"many-{number}",
        room=LOBBY,
        author=(DAVID, LEA)[number % 2],
        text=f"la ligne {number} du salon",
        sent_at=ASKED_AT - timedelta(hours=2) + timedelta(seconds=number),
    )


async def killed_after(folder: Path, file: Path, batches: int) -> int | None:
    """How a process ended that was to be killed after so many batches of an import."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.flow.killed_moves", folder, file, str(batches)),
        cwd=ROOT,
        env=environment_of({}),
    )
    async with asyncio.timeout(PATIENCE_S):
        return await process.wait()


async def test_no_byte_of_it_is_left_once_it_was_let_go(old: Path, file: Path) -> None:
    """Neither of its words, names and numbers, nor of what was answered with them in private."""
    async with lived(old) as app:
        await asks(app, NADIA, ELSEWHERE, "Eko, what does Nadia play?", "n1")
        only_there = await words(app, there=True) - await words(app, there=False)
        await moved_out(app, file)
        shown = await does(app, "let_go", space="La Ruche")
        assert (shown["gone"], shown["contents"]["since_export"]) == (False, 0)
        assert await answered(app)
        await does(app, "let_go", space="900", confirmed=True)
        checked = await app.storage.health.checkup()
        elsewhere = [
            await asks(app, who, where, text, f"e{number}")
            for number, (who, where, text, _) in enumerate(ASKED_ELSEWHERE)
        ]
        assert [one.id for one in await app.storage.leaving.all()] == ["home", STAYING]
    assert checked.problems == ()
    for told, (*_, word) in zip(elsewhere, ASKED_ELSEWHERE, strict=True):
        assert word in told.reply
    held = bytes_in(old)
    assert len(only_there) > 10
    assert [one for one in only_there if one.encode() in held] == []
    assert [
        one for one in ("La Ruche", "salon", "bureau", "PostgreSQL") if one.encode() in held
    ] == []


async def test_what_came_back_is_known_again(old: Path, new: Path, file: Path) -> None:
    """Letting go puts up nothing by which it would be refused: there, elsewhere, and back."""
    async with lived(old) as app:
        await moved_out(app, file)
        await does(app, "let_go", space=MOVING, confirmed=True)
        for number, (who, where, text, word) in enumerate(ASKED[:3]):
            assert word not in (await asks(app, who, where, text, f"gone-{number}")).reply
        await does(app, "let_go", space=MOVING, confirmed=True)
    async with beside(new) as app:
        await moved_in(app, file)
        await moved_out(app, file.with_name("back.jsonl"))
    async with beside(old) as app:
        await moved_in(app, file.with_name("back.jsonl"))
        for told, (*_, word) in zip(await answered(app), ASKED, strict=True):
            assert word in told.reply


async def test_a_private_answer_that_repeats_it_is_withdrawn(old: Path, file: Path) -> None:
    """What it was answered with goes as well; what the person said stays theirs."""
    async with lived(old) as app:
        await app.storage.database.run(
            "UPDATE turns SET carries = :carries, reply = 'le vélo est bleu ciel'"
            " WHERE seq = (SELECT min(seq) FROM turns)",
            {"carries": json.dumps([f"space:{MOVING}"])},
        )
        await moved_out(app, file)
        await does(app, "let_go", space=MOVING, confirmed=True)
        (row,) = await app.storage.database.all(
            "SELECT text, reply FROM turns ORDER BY seq LIMIT 1"
        )
    assert (bool(row["text"]), row["reply"]) == (True, "")
    assert b"bleu ciel" not in bytes_in(old)


async def test_an_unknown_community_is_said(old: Path, file: Path) -> None:
    """One sentence, and no file."""
    async with lived(old) as app:
        done = await ends(app, "export", path=str(file), space="Nulle part")
    assert done == {"error": 'No community is called "Nulle part".'}
    assert text_of(file) == ""


async def test_the_commands_work_from_a_terminal(old: Path, new: Path, file: Path) -> None:
    """Shown first, done with --yes; and which servers move when shards are shared out anew."""
    async with lived(old):
        pass

    async def says_in_words(folder: Path, *arguments: str, fails: bool = False) -> str:
        done = await asyncio.to_thread(lambda: eko(folder, *arguments, EKO_EMBEDDER__KIND="none"))
        assert bool(done.returncode) is fails, done.stderr
        return " ".join(f"{done.stdout} {done.stderr}".split())

    listed = await says_in_words(old, "shards", "servers", "1-3/4")
    assert "La Ruche" in listed
    assert "moves" in listed
    assert "Voisins" not in listed
    await says_in_words(old, "export", str(file), "--space", "La Ruche")
    assert "would be new" in await says_in_words(new, "import", str(file), fails=True)
    assert "new; nothing known" in await says_in_words(new, "import", str(file), "--yes")
    shown = await says_in_words(old, "forget", "--space", "La Ruche")
    assert "0 messages came since" in shown
    assert "Add --yes" in shown
    gone = await says_in_words(old, "forget", "--space", "La Ruche", "--yes")
    assert "Nothing of it is left here" in gone
    assert "No community" in await says_in_words(old, "forget", "--space", "La Ruche", fails=True)
