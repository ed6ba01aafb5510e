"""Every table that keeps something of a community moves with it and lets go of it, or why not."""

import asyncio
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from uuid import UUID

import pytest

from bot.transfer.restoring import BackupToRestore, prepare
from bot.wiring.app import App
from memory.clock import FrozenClock
from memory.model.audience import OPERATOR
from memory.model.authority import BY_OPERATOR
from memory.model.people import Signature
from memory.model.rooms import RoomWish
from memory.rules.forgetting.receipt import UNDO_WITHIN, NothingToUndo
from memory.rules.forgetting.selector import Requester, Selector
from memory.storage.transfer import leaving
from tests.flow.brought import does, ends
from tests.flow.lived_in import ASKED_AT, BOB, LEA, NADIA
from tests.flow.moving import (
    CLOSED,
    ELSEWHERE,
    LOBBY,
    MOVING,
    asks,
    beside,
    bytes_in,
    lived,
    moved_in,
    moved_out,
    says,
)
from tests.forgotten import dump

OPERATES = Requester(scope=OPERATOR, actor=BY_OPERATOR)

NOT_LET_GO: Mapping[str, str] = {
    "session_statements": "it goes with its talk, by the database's own rule",
    "tombstones": "marks without words: what was forgotten stays so when it comes back",
    "value_marks": "the same",
    "llm_usage": "what it cost was paid here; it loses the community's name",
}
"""Tables that keep rows which name a community, with the reason."""

NOT_MOVED: Mapping[str, str] = {
    "api_keys": "they open the folder that they were made in",
    "web_sessions": "the same",
    "login_links": "the same",
    "aliases": "they are read again of what moves",
    "checkins": "what was asked after once, by the numbers of messages of this folder",
    "digest_chunks": "what a digest is reading; what waits for one moves with its message",
    "extraction_spans": "what is being read; an exchange says whether it was",
    "imports": "what it brought moves, and cannot be taken back as a whole",
    "past_readings": "an hour's wait for a consent; it is asked for again",
    "llm_usage": "what it cost was paid here",
    "summaries": "which exchanges are told in one: each says so, and the text is knowledge",
    "session_statements": "what a talk began with, which is over",
}
"""Tables that name a community and are in no export of it, with the reason."""

_NAMING = {"audience", "room_id", "space", "session_id"}


async def naming(app: App) -> set[str]:
    """The tables with a column that names a community, a room of it, or a talk there."""
    rows = await app.storage.database.all(
        "SELECT t.name, c.name AS column FROM pragma_table_list AS t"
        " JOIN pragma_table_info(t.name) AS c WHERE t.schema = 'main' AND t.type = 'table'"
    )
    return {row["name"] for row in rows if row["column"] in _NAMING}


def named_in(file: str) -> set[str]:
    """The words of a file of queries."""
    folder = Path(leaving.__file__).parent
    return set(re.findall(r"\w+", (folder / file).read_text("utf-8")))


async def test_every_table_is_let_go_of_or_says_why_not(tmp_path: Path) -> None:
    """A new one has to be thought of."""
    async with lived(tmp_path / "old") as app:
        tables = await naming(app)
    handled = named_in("leaving.sql") | named_in("leaving.py")
    assert tables - handled - NOT_LET_GO.keys() == set()


async def test_every_table_moves_or_says_why_not(tmp_path: Path) -> None:
    """A new one has to be thought of here as well."""
    async with lived(tmp_path / "old") as app:
        tables = await naming(app)
    assert tables - named_in("exports.sql") - NOT_MOVED.keys() == set()
    assert NOT_MOVED.keys() & tables == NOT_MOVED.keys()


async def test_no_row_names_it_once_it_was_let_go(tmp_path: Path) -> None:
    """But for its rooms' numbers, whatever was chosen there; others keep all they have."""
    async with lived(tmp_path / "old") as app:
        await everything(app)
        before = await kept_elsewhere(app)
        await does(app, "let_go", space=MOVING, confirmed=True)
        rows = await dump(app.storage.database)
        vouched = re.compile(
            r"\'\[\"discord:900\"\]\'"
        )  # of whom it told in private, by the platform
        left = {name: vouched.sub("", "\n".join(kept)) for name, kept in rows.items()}
        assert [name for name, text in left.items() if "discord:900" in text] == ["rooms"]
        assert [word for word in ("salon", "bureau", "La Ruche") if word in left["rooms"]] == []
        assert await kept_elsewhere(app) == before
        assert (await app.storage.health.checkup()).problems == ()
        await says(app, LEA, LOBBY, "me revoilà", "again")
        assert (await app.storage.leaving.all())[0].id == MOVING


_IN_A_ROOM = """
INSERT INTO checkin_rooms (room_id, locale, since) VALUES (:room, 'fr', 5);
INSERT INTO past_readings (room_id, days, locale, asked_at, state)
VALUES (:room, 3, 'fr', 5, 'asked');
INSERT INTO imports (file, fingerprint, format, room_id, audience, state, begun_at)
VALUES ('f', 'g', 'h', :room, 'room:' || :room, 'read', 5)
"""

_IN_THE_COMMUNITY = """
INSERT INTO quiet_topics VALUES (:person, 'abeilles', 'space:discord:900', 5);
INSERT INTO greeted_spaces VALUES ('discord:900', 5);
INSERT INTO api_keys (token, name, rights, created_at, space)
VALUES ('t', 'n', '[]', 5, 'discord:900');
INSERT INTO login_links VALUES ('t', 'discord:900', 5);
INSERT INTO web_sessions (token, space, address, agent, created_at, last_used_at)
VALUES ('t', 'discord:900', 'a', 'b', 5, 5);
UPDATE memories SET superseded_at = 5, superseded_by = (
    SELECT id FROM memories WHERE audience = 'space:discord:900' LIMIT 1
) WHERE audience = 'everyone' AND seq % 2
"""


async def test_letting_go_that_was_cut_short_goes_on(tmp_path: Path) -> None:
    """After any of its steps, with the same command."""
    async with lived(tmp_path / "old") as app:
        before, steps = await kept_elsewhere(app), 0
        async for _ in app.storage.leaving.let_go(MOVING):
            steps += 1
            if steps == 2:
                break
        assert (await app.storage.leaving.contents(MOVING)).messages > 0
        await does(app, "let_go", space=MOVING, confirmed=True)
        assert (await app.storage.leaving.contents(MOVING)).messages == 0
        assert await kept_elsewhere(app) == before


async def everything(app: App) -> None:
    """Rows of the community in tables that the month there left empty."""
    manager, storage = Signature("person:somebody"), app.storage
    for where in (LOBBY, CLOSED):
        room = app.register.room(where).id
        await storage.room_choices.change(room, RoomWish(confidential=True), by=manager)
        for sql in _IN_A_ROOM.split(";"):
            await storage.database.run(sql, {"room": room})
    await storage.member_roles.choose(MOVING, "77", by=manager)
    await storage.pauses.begin(MOVING, by=manager)
    await storage.pauses.end(MOVING, by=manager)
    person = (await app.register.person(LEA)).id
    await storage.histories.let_know(MOVING, [person])
    await asks(app, LEA, CLOSED, "rappelle-moi dans deux heures d'arroser les plantes", "r1")
    for sql in _IN_THE_COMMUNITY.split(";"):
        await storage.database.run(sql, {"person": person})


async def kept_elsewhere(app: App) -> dict[str, list[str]]:
    """What is kept of all others, as text."""
    kept = {}
    for table, sql in {
        "messages": "SELECT text, author, audience FROM messages",
        "turns": "SELECT text, audience FROM turns",
        "memories": "SELECT content, audience FROM memories",
        "knowledge": "SELECT content, audience FROM knowledge",
        "identities": "SELECT platform, external_id, name FROM identities",
    }.items():
        rows = [tuple(row) for row in await app.storage.database.all(sql)]
        kept[table] = sorted(repr(row) for row in rows if not _is_of_it(row))
    return kept


def _is_of_it(row: tuple[str, ...]) -> bool:
    return any(re.search("discord:900", str(value)) for value in row) or "" in row


async def test_whom_nothing_else_is_kept_of_is_gone(tmp_path: Path) -> None:
    """Their name and account; who opted out is known by the account alone, without a name."""
    some = [replace(LEA, external_id=f"9{name}", name=name) for name in ("Zoéline", "Wilfrid")]
    async with lived(tmp_path / "old") as app:
        for who in some:
            await says(app, who, LOBBY, "bonjour à toutes et à tous", who.external_id)
        await app.storage.people.observe((await app.register.person(some[1])).id, observed=False)
        await does(app, "let_go", space=MOVING, confirmed=True)
        accounts = await app.storage.database.all("SELECT external_id, name FROM identities")
    left = {row["external_id"]: row["name"] for row in accounts}
    assert (left["101"], left["9Wilfrid"], "9Zoéline" in left) == ("Léa", "someone", False)
    assert "Zoéline".encode() not in bytes_in(tmp_path / "old")


async def test_what_is_kept_there_meanwhile_goes_too(tmp_path: Path) -> None:
    """A digest that stores what it read just before the end: the end waits for another look."""
    async with lived(tmp_path / "old") as app:
        leaving, database = app.storage.leaving, app.storage.database
        kept = await database.all("SELECT * FROM memories WHERE audience GLOB 'space:discord:900'")
        row = dict(kept[0]) | {"seq": None, "superseded_by": None, "id": str(UUID(int=7))}
        names = ", ".join(f":{name}" for name in row)
        late = f"INSERT INTO memories VALUES ({names})"  # noqa: S608 - the schema's own names
        async for _ in leaving.let_go(MOVING):
            pass
        await database.run(late, row)
        assert not await leaving.finish(MOVING, BY_OPERATOR)
        await does(app, "let_go", space=MOVING, confirmed=True)
        assert (await leaving.contents(MOVING)).statements == 0


_TOUCHING: Mapping[str, Mapping[str, str | int]] = {
    "reactions": {"message_id": "MESSAGE", "emoji": "x", "account": "discord:1"},
    "turns": {"id": "t", "audience": "person:p", "carries": '["space:discord:900"]'},
    "memory_sources": {"memory_id": "MEMORY", "message_id": 0},
    "sessions": {"id": "s", "room_id": "discord:9001"},
}


@pytest.mark.parametrize("table", [*_TOUCHING, None])
async def test_what_anybody_can_still_undo_there_holds_it_up(
    tmp_path: Path, table: str | None
) -> None:
    """Whether a row of it names the community, repeats it, or only hangs on a row of it."""
    async with lived(tmp_path / "old") as app:
        database = app.storage.database
        await says(app, LEA, ELSEWHERE, "the word is bilberry", "b")
        await app.services.forgetting.at_once(Selector(topic="bilberry"), OPERATES)
        (there,) = await database.all(
            "SELECT (SELECT max(id) FROM messages WHERE audience = 'space:discord:900') AS message,"
            " (SELECT max(id) FROM memories WHERE audience = 'space:discord:900') AS memory"
        )
        row = {"MESSAGE": there["message"], "MEMORY": there["memory"]}
        kept = {
            name: row.get(str(value), value)
            for name, value in _TOUCHING.get(table or "", {}).items()
        }
        await database.run(
            "INSERT INTO forgetting_rows (forgetting_id, tbl, action, before)"
            " SELECT id, :tbl, 'delete', :before FROM forgettings WHERE :tbl IS NOT NULL"
            " ORDER BY id DESC LIMIT 1",
            {"tbl": table, "before": json.dumps(kept)},
        )
        assert len(await app.storage.leaving.undoable(MOVING)) == (table is not None)


async def test_what_comes_with_the_end_holds_it_up(tmp_path: Path) -> None:
    """What is stored after the last look and before the end is looked for in the end itself."""
    async with lived(tmp_path / "old") as app:
        leaving, database = app.storage.leaving, app.storage.database
        kept = await database.all("SELECT * FROM memories WHERE audience GLOB 'space:discord:900'")
        row = dict(kept[0]) | {"seq": None, "superseded_by": None, "id": str(UUID(int=7))}
        names = ", ".join(f":{name}" for name in row)
        late = f"INSERT INTO memories VALUES ({names})"  # noqa: S608 - the schema's own names
        async for _ in leaving.let_go(MOVING):
            pass
        async with database.still():  # nothing is committed, and everything is read
            storing = asyncio.create_task(database.run(late, row))
            await asyncio.sleep(0)
            ending = asyncio.create_task(leaving.finish(MOVING, BY_OPERATOR))
            for _ in range(20):
                await database.all("SELECT 1")
        assert (await storing, await ending) == (1, False)
        assert (await leaving.contents(MOVING)).statements == 1


async def test_a_wish_to_leave_something_alone_holds_everywhere(tmp_path: Path) -> None:
    """Wherever it was made: it goes with its person alone, and comes along with who was heard."""
    topics = "INSERT INTO quiet_topics VALUES (:person, :topic, :audience, 5)"
    file = tmp_path / "ruche.jsonl"
    alone = replace(LEA, external_id="9Zoéline", name="Zoéline")
    async with lived(tmp_path / "old") as app:
        database = app.storage.database
        await says(app, alone, LOBBY, "bonjour à toutes et à tous", "z")
        people = [(await app.register.person(who)).id for who in (LEA, alone, BOB)]
        for person in people:
            for topic, audience in (("abeilles", f"space:{MOVING}"), ("vin", f"person:{person}")):
                values = {"person": person, "topic": topic, "audience": audience}
                await database.run(topics, values)
        entries = await moved_out(app, file)
        await does(app, "let_go", space=MOVING, confirmed=True)
        rows = await database.all(
            "SELECT audience FROM quiet_topics WHERE topic IN ('abeilles', 'vin')"
        )
        quiet = await app.storage.quiet_topics.of(people[0])
    assert [one.topic for one in quiet] == ["abeilles", "vin"]
    assert {row["audience"] for row in rows} == {f"person:{people[0]}", f"person:{people[2]}"}
    told = [one for one in entries if one["entry"] == "quiet_topic" and one["created_at"] < "1971"]
    assert len(told) == 5  # of Bob, who was never heard there, the one that he made there
    async with beside(tmp_path / "new") as app:
        await moved_in(app, file)
        person = (await app.register.person(LEA)).id
        assert {one.topic for one in await app.storage.quiet_topics.of(person)} == {
            "abeilles",
            "vin",
        }
        (vin,) = await app.storage.database.all(
            "SELECT audience FROM quiet_topics WHERE topic = 'vin' AND person_id = :id",
            {"id": person},
        )
        assert vin["audience"] == f"person:{person}"


async def test_who_has_just_come_elsewhere_keeps_their_name(tmp_path: Path) -> None:
    """Nothing is kept of them yet, and nothing was there either."""
    new = replace(NADIA, external_id="777", name="Ottoline")
    async with lived(tmp_path / "old") as app:
        person = await app.register.person(new)
        await does(app, "let_go", space=MOVING, confirmed=True)
        rows = await app.storage.database.all(
            "SELECT name FROM identities WHERE person_id = :id", {"id": person.id}
        )
    assert [row["name"] for row in rows] == ["Ottoline"]


async def test_numbers_that_are_given_again_are_unseen(tmp_path: Path) -> None:
    """Who is shown what is kept of them is shown what comes after, whatever number it has."""
    async with lived(tmp_path / "old") as app:
        database = app.storage.database
        await database.run("UPDATE people SET kept_seen = (SELECT max(seq) FROM memories)")
        await database.run(
            "UPDATE memories SET audience = 'space:discord:900'"
            " WHERE seq > (SELECT max(seq) - 3 FROM memories)"
        )
        await does(app, "let_go", space=MOVING, confirmed=True)
        (row,) = await database.all(
            "SELECT (SELECT max(kept_seen) FROM people) AS seen, max(seq) AS last FROM memories"
        )
    assert row["seen"] == row["last"]


async def test_what_could_be_given_back_there_is_gone_too(tmp_path: Path) -> None:
    """Where that is asked for; others still can be."""
    async with lived(tmp_path / "old") as app:
        for where, text in ((LOBBY, "le mot de passe est myrtille"), (ELSEWHERE, "it is bilberry")):
            await says(app, LEA, where, text, text[:12])
        numbers = [
            (await app.services.forgetting.at_once(Selector(topic=topic), OPERATES)).id
            for topic in ("myrtille", "bilberry")
        ]
        assert [*await app.storage.leaving.undoable(MOVING)] == numbers[:1]
        shown = await does(app, "let_go", space=MOVING)
        assert shown["undoable"] == 1
        assert datetime.fromisoformat(shown["undoable_until"]) == ASKED_AT + UNDO_WITHIN
        refused = await ends(app, "let_go", space=MOVING, confirmed=True)
        assert "--now" in refused["error"]
        await does(app, "let_go", space=MOVING, confirmed=True, now=True)
        with pytest.raises(NothingToUndo):
            await app.services.forgetting.undo(OPERATES, numbers[0])
        await app.services.forgetting.undo(OPERATES, numbers[1])
    held = bytes_in(tmp_path / "old")
    assert (b"myrtille" in held, b"bilberry" in held) == (False, True)


async def test_a_restored_backup_of_before_says_what_had_moved_away(tmp_path: Path) -> None:
    """It is there again, without its words: that it has to be let go of again is said."""
    folder, archive = tmp_path / "pet", tmp_path / "pet.tar.gz"
    async with lived(folder) as app:
        _ = [step async for step in app.services.backups.make(archive)]
    async with beside(folder, ASKED_AT + timedelta(hours=1)) as app:
        await does(app, "let_go", space=MOVING, confirmed=True, now=True)
        data_dir = app.settings.data_dir
    ready = await prepare(
        BackupToRestore(archive=archive, data_dir=data_dir), FrozenClock(ASKED_AT)
    )
    assert ready.let_go == (MOVING,)
