"""Two people become one in every table, all at once, and nothing of the other's moves."""

import asyncio
import re
import sqlite3
import sys
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from uuid import UUID

import pytest

from memory.model.audience import Origin, person_audience
from memory.model.knowledge import KnowledgeId, KnowledgeKind, NewKnowledge
from memory.model.ledger import ModelCall
from memory.model.people import PersonId
from memory.model.rooms import Visibility
from memory.rules.forgetting.selector import Selector
from memory.storage.linking.merging import STEPS
from memory.storage.sqlite.rows import migrations, queries
from memory.storage.sqlite.schema import connected
from memory.storage.statements.knowledge import keep_knowledge
from tests.cast import CORNER, DAVID, LEA, NOON, PLATFORM, direct, room_of
from tests.forgotten import Household, household
from tests.linked import linking_on
from tests.patience import PATIENCE_S
from tests.storage import StorageParts, open_truth

ALONE = room_of(direct(DAVID))
ROOT = Path(__file__).parents[2]
VALUES = ["merged", "survivor", "merged_audience", "survivor_audience", "now", "pseudonym"]
Cell = tuple[str, str]


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[Household]:
    """David, who is Dav as well, and Léa; with new tables."""
    async with open_truth(tmp_path) as opened:
        yield await at_home(opened)


async def at_home(storage: StorageParts) -> Household:
    """The same on tables that are open already."""
    opened = await household(storage, "David", "Dav", "Léa", "D")
    await storage.people.keep_room(ALONE)
    await storage.people.keep_room(room_of(direct(LEA)))
    return opened


async def join(home: Household, merged: str = "Dav", survivor: str = "David") -> PersonId:
    """Let one be the other; whose id that is."""
    linking = linking_on(home.storage)
    code = await linking.offer(home.people[survivor].id, f"chat:{survivor}")
    return (await linking.join(code, home.people[merged].id, f"chat:{merged}")).person


def schema() -> sqlite3.Connection:
    """An empty database of this version."""
    connection = connected(Path(":memory:"))
    for _, script in migrations():
        connection.executescript(script)
    return connection


def naming_people(connection: sqlite3.Connection) -> set[Cell]:
    """Every column that names a person or says who may know a row."""
    rows = connection.execute(
        "SELECT t.name, c.name, f.'table' FROM pragma_table_list AS t"
        " JOIN pragma_table_info(t.name) AS c"
        " LEFT JOIN pragma_foreign_key_list(t.name) AS f ON f.'from' = c.name"
        " WHERE t.schema = 'main' AND t.type = 'table'"
    )
    named = re.compile("person|people|audience|merged")
    return {(t, c) for t, c, refers in rows if refers == "people" or named.search(c)}


def written_by(connection: sqlite3.Connection, sql: str) -> set[Cell]:
    """The columns that a statement updates, as SQLite itself reads it."""
    written: set[Cell] = set()

    def allow(action: int, one: str | None, two: str | None, _: object, inside: object) -> int:
        if action == sqlite3.SQLITE_UPDATE and inside is None and one and two:
            written.add((one, two))
        return sqlite3.SQLITE_OK

    connection.set_authorizer(allow)
    connection.execute(f"EXPLAIN {sql}", dict.fromkeys(VALUES, ""))
    connection.set_authorizer(None)
    return written


def test_every_column_that_names_a_person_is_moved() -> None:
    """A table that is added later fails this until a step of joining knows it."""
    with closing(schema()) as connection:
        steps = (queries("linking/merging")[step] for step in STEPS)
        moved = set().union(*(written_by(connection, sql) for sql in steps))
        assert naming_people(connection) - moved == set()
        connection.execute("CREATE TABLE later (id INTEGER, audience TEXT NOT NULL)")
        connection.execute("CREATE TABLE owned (who TEXT REFERENCES people (id))")
        assert naming_people(connection) - moved == {("later", "audience"), ("owned", "who")}


async def holding(storage: StorageParts, text: str) -> set[Cell]:
    """Every column in which a text stands somewhere."""
    found = set()
    for table, columns in (await tables(storage)).items():
        for column in columns:
            holds = f"instr(CAST(\"{column}\" AS TEXT), '{text}')"
            if await storage.count(f'"{table}"', holds):
                found.add((table, column))
    return found


async def tables(storage: StorageParts) -> dict[str, list[str]]:
    """Every table, with its columns."""
    rows = await storage.database.all(
        "SELECT t.name AS tbl, c.name AS col FROM pragma_table_list AS t"
        " JOIN pragma_table_info(t.name) AS c WHERE t.schema = 'main' AND t.type = 'table'"
        " AND t.name NOT LIKE 'sqlite_%'"
    )
    found: dict[str, list[str]] = {}
    for row in rows:
        found.setdefault(row["tbl"], []).append(row["col"])
    return found


async def dumped(storage: StorageParts) -> dict[str, list[str]]:
    """Every row of every table."""
    return {
        table: sorted(
            repr(tuple(row))
            for row in await storage.database.all(f'SELECT * FROM "{table}"')  # noqa: S608 - the schema's name
        )
        for table in await tables(storage)
    }


async def filled(home: Household) -> str:
    """Dav stands in every column that can name him; his id."""
    storage, dav = home.storage, home.people["Dav"].id
    await join(home, "D", "Dav")
    alone = Origin(visibility=Visibility.PRIVATE, person=dav, room=ALONE.id)
    await home.says("Dav", "mon levain dort", room=ALONE)
    told = await home.says("Dav", "j'habite à Lyon", room=ALONE)
    await home.learns("Dav habite à Lyon", told, said_by="Dav", origin=alone, about_person=dav)
    await home.learns("Dav nourrit un levain", told, origin=alone, about_person=dav)
    await home.talks("Dav", "mon levain a débordé", "Pauvre levain !")
    await home.talks("Dav", "il pleut", "Prends un parapluie.")
    await home.forget.at_once(Selector(person=dav, topic="levain"), home.asks("Dav", ALONE))
    for sql in (
        "UPDATE turns SET audience = :key WHERE person_id = :id",
        (
            "INSERT INTO llm_usage"
            " SELECT NULL, 't', 'm', :id, 'home', NULL, 'end', 1,1,1,1,1,1,1,1,1.0,1,1"
        ),
        (
            "INSERT INTO extraction_spans"
            " SELECT id, 1, 1, :key, 'claimed', 0, NULL, 0, 0 FROM sessions"
        ),
        "INSERT INTO quiet_topics VALUES (:id, 'levain', :key, 1)",
        "INSERT INTO digests (id, started_at) VALUES ('d', 1)",
        (
            "INSERT INTO digest_chunks (digest_id, position, room_id, audience, state)"
            " SELECT 'd', 1, id, :key, 'claimed' FROM rooms LIMIT 1"
        ),
        "INSERT INTO space_members VALUES ('history:x', :id)",
        (
            "INSERT INTO imports (file, fingerprint, format, room_id, audience, state, begun_at)"
            " SELECT 'f', 'p', 'j', id, :key, 'read', 1 FROM rooms LIMIT 1"
        ),
        "INSERT INTO notes VALUES ('v', 'a.md', 'tag' || char(9) || :key, 'kept', 0, 1)",
        "INSERT INTO notes VALUES ('v', 'b.md', 'tag' || char(9) || :key || 'x', 'kept', 0, 1)",
        "DELETE FROM notes WHERE path = 'b.md'",
    ):
        await run(storage, sql, id=dav, key=person_audience(dav))
    return dav


async def run(storage: StorageParts, sql: str, **values: str) -> None:
    """Write with one statement."""
    await storage.database.write(lambda transaction: transaction.run(sql, values))


HISTORY = {("people", "id"), ("audit_log", "target"), ("audit_log", "detail")}
"""Where an emptied row is named still: its own row, and who was joined to whom."""

BELONGINGS = {("joined_belongings", "owner")}
"""Where what had no account was whose before, for those who had any such thing."""

LOGGED = {("erasures", "key")}
"""What a backup of before, in which they are two, is to lose as well."""

TEXTS = {
    ("audit_log", "actor"),
    ("memories", "slot"),
    ("forgetting_rows", "after"),
    ("forgetting_rows", "before"),
    ("forgettings", "selector"),
    ("notes", "etag"),
}
"""Where a person is named inside a longer text."""


async def test_nothing_is_left_under_the_merged_person(home: Household) -> None:
    """In no column of any table: everything is the other's, down to journals and versions."""
    dav = await filled(home)
    await run(
        home.storage,
        "INSERT INTO reminders (key, person_id, room_id, audience, text, due_at, zone, locale,"
        " state, created_at) SELECT 'k', :dav, id, 'person:' || :dav, 'partir', 1, 'UTC', 'fr',"
        " 'open', 0 FROM rooms LIMIT 1",
        dav=dav,
    )
    await run(
        home.storage,
        "INSERT INTO checkin_rooms (room_id, person_id, locale, since)"
        " SELECT id, :dav, 'fr', 0 FROM rooms LIMIT 1",
        dav=dav,
    )
    await run(
        home.storage,
        "INSERT INTO checkins (thing, rule, room_id, person_id, at)"
        " SELECT 'message:1', 'outcome', id, :dav, 0 FROM rooms LIMIT 1",
        dav=dav,
    )
    await run(
        home.storage,
        "INSERT INTO api_keys (token, name, rights, person_id, created_at)"
        " VALUES ('t', 'agent', '[]', :dav, 0)",
        dav=dav,
    )
    with closing(schema()) as connection:
        named = naming_people(connection)
    assert await holding(home.storage, dav) - HISTORY - LOGGED == named | TEXTS
    rows = {table: len(rows) for table, rows in (await dumped(home.storage)).items()}
    await join(home)
    assert await holding(home.storage, dav) == HISTORY | LOGGED | BELONGINGS
    assert await holding(home.storage, home.people["David"].id) >= named | TEXTS
    after = {table: len(rows) for table, rows in (await dumped(home.storage)).items()}
    grown = {"audit_log", "index_outbox", "link_codes", "joined_belongings"}
    assert {t: n for t, n in rows.items() if t not in grown} == {
        t: n for t, n in after.items() if t not in grown
    }
    checkup = await home.storage.health.checkup()
    assert checkup.problems == ()


async def test_nothing_of_anybody_else_moves(home: Household) -> None:
    """Whatever Léa said, anywhere, is as it was, down to the byte."""
    lea, alone = home.people["Léa"].id, room_of(direct(LEA))
    await home.says("Léa", "j'habite à Brest", room=alone)
    await home.learns("Léa habite à Brest", said_by="Léa", about_person=lea)
    await home.talks("Léa", "il pleut", "Encore ?")
    await home.forget.at_once(Selector(topic="Brest"), home.asks("Léa", alone))
    await home.says("Léa", "mon vélo est rouge", room=alone)
    before = await dumped(home.storage)
    theirs = {table: {row for row in rows if lea in row} for table, rows in before.items()}
    assert sum(map(len, theirs.values())) > 10
    await filled(home)
    await join(home)
    for table, rows in (await dumped(home.storage)).items():
        assert theirs[table] <= set(rows), table


WORK = """
import asyncio, sys
from pathlib import Path
from memory.storage.sqlite.database import open_database
from memory.storage.linking.merging import merge
from tests.cast import NOON

async def main(folder, merged, survivor):
    async with open_database(Path(folder) / "eko.sqlite3") as database:
        async def work(transaction):
            await merge(transaction, merged, survivor, NOON)
            print("merged", flush=True)
            await asyncio.Event().wait()
        await database.write(work)

asyncio.run(main(*sys.argv[1:]))
"""
"""A process that has merged two people and has not committed it yet."""


async def test_killed_in_the_middle_nothing_is_joined(tmp_path: Path) -> None:
    """Every table is as it was, and joining them then joins all of it."""
    async with open_truth(tmp_path) as storage:
        home = await at_home(storage)
        dav, david = await filled(home), home.people["David"].id
        before = await dumped(storage)
    await killed_once_merged(tmp_path, dav, david)
    async with open_truth(tmp_path) as storage:
        assert await dumped(storage) == before
        home = await at_home(storage)
        await join(home)
        assert await holding(storage, dav) == HISTORY | LOGGED | BELONGINGS


async def killed_once_merged(folder: Path, merged: str, survivor: str) -> None:
    """Let a process merge two people, and kill it before it commits that."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", WORK, str(folder), merged, survivor),
        stdout=asyncio.subprocess.PIPE,
        env={"PYTHONPATH": str(ROOT)},
    )
    assert process.stdout is not None
    async with asyncio.timeout(PATIENCE_S):
        assert await process.stdout.readline() == b"merged\n"
    process.kill()
    await process.wait()


async def test_of_two_conversations_in_one_room_one_goes_on(home: Household) -> None:
    """The merged person's ends; its exchanges are the other's, to be learnt from and summarised."""
    first = await home.talks("Dav", "bonjour", "Salut.")
    await home.talks("David", "bonsoir", "Salut.")
    david = await join(home)
    rows = await home.storage.database.all("SELECT id, ended_at, person_id FROM sessions")
    assert {row["person_id"] for row in rows} == {david}
    assert [row["id"] for row in rows if row["ended_at"] is not None] == [first.session]
    assert await home.storage.count("turns", f"person_id = '{david}'") == 2


async def test_a_conversation_that_only_one_holds_goes_on(home: Household) -> None:
    """In its own session."""
    turn = await home.talks("Dav", "bonjour", "Salut.")
    david = await join(home)
    row = await home.storage.database.one("SELECT id FROM sessions WHERE ended_at IS NULL")
    assert row is not None
    assert row["id"] == turn.session
    assert await home.storage.count("sessions", f"person_id = '{david}'") == 1


async def test_a_name_that_both_go_by_is_kept_once(home: Household) -> None:
    """For each audience; the others stay, where they were said."""
    await home.says("David", "bonjour")
    await home.says("Dav", "bonjour")
    await home.says("Dav", "bonjour", room=room_of(CORNER))
    dav = home.people["Dav"].id
    copy = "UPDATE aliases SET name = 'david', spelling = 'David' WHERE person_id = :id"
    await run(home.storage, copy, id=dav)
    await home.says("Dav", "au revoir")
    david = await join(home)
    names = await home.storage.database.all(
        "SELECT spelling FROM aliases WHERE person_id = :id", {"id": david}
    )
    assert sorted(row["spelling"] for row in names) == ["Dav", "David"]


@pytest.mark.parametrize("who", ["David", "Dav"])
async def test_who_is_not_to_be_observed_is_not_observed(home: Household, who: str) -> None:
    """Whichever of them said so."""
    await home.storage.people.observe(home.people[who].id, observed=False)
    await join(home)
    for name in ("David", "Dav"):
        external_id = await _external(home, name)
        assert not (await home.storage.people.person(PLATFORM, external_id, name)).observed


async def _external(home: Household, name: str) -> str:
    row = await home.storage.database.one(
        "SELECT external_id FROM identities WHERE name = :name", {"name": name}
    )
    assert row is not None
    return str(row["external_id"])


async def test_what_is_written_meanwhile_under_the_old_id_is_the_one_persons(
    home: Household,
) -> None:
    """Every way of writing with an id that somebody held while they were joined."""
    storage, dav = home.storage, home.people["Dav"].id
    told = await home.says("David", "j'habite à Brest", room=ALONE)
    mine = Origin(visibility=Visibility.PRIVATE, person=home.people["David"].id, room=ALONE.id)
    await home.learns("David habite à Brest", told, said_by="David", origin=mine)
    note = noted(dav)
    await keeps(storage, note)
    await join(home)
    await writes_on(home, dav, note)
    assert await holding(storage, dav) == HISTORY - {("audit_log", "target")}
    facts = await storage.database.all("SELECT value FROM core_facts WHERE valid_until IS NULL")
    assert [row["value"] for row in facts] == ["Lyon"]
    assert not (await storage.people.person(PLATFORM, await _external(home, "Dav"), "Dav")).observed


async def test_a_conversation_under_way_is_gone_on_with_under_the_old_id(home: Household) -> None:
    """It is the open one of the one person in that room."""
    turn = await home.talks("David", "bonjour", "Salut.")
    await join(home)
    again = await home.talks("Dav", "quoi de neuf ?", "Rien.")
    assert again.session == turn.session


async def test_what_an_import_brings_under_the_old_id_is_the_one_persons(home: Household) -> None:
    """It may have read who is who before they were joined."""
    dav, room = home.people["Dav"].id, room_of(CORNER).id
    memory = await home.learns("il pleut")
    await keeps(home.storage, noted(dav))
    await join(home)
    fact = str(UUID(int=1))
    for sql in (
        "INSERT INTO identities VALUES ('mail', 'dav@home', :id, 'Dav')",
        "INSERT INTO sessions VALUES ('s', :id, :room, 'f00d', 1, 1, 1, 0, 0, 0)",
        "INSERT INTO core_facts VALUES (:fact, :id, :key, 'city', 'Lyon', 1, NULL, :memory)",
    ):
        values = {"id": dav, "key": person_audience(dav), "room": room, "fact": fact}
        await run(home.storage, sql, **values, memory=str(memory))
    assert await holding(home.storage, dav) == HISTORY - {("audit_log", "target")}


async def writes_on(home: Household, dav: PersonId, note: NewKnowledge) -> None:
    """Everything that was under way for Dav comes to its end."""
    storage = home.storage
    await home.says("Dav", "il pleut")
    told = await home.says("Dav", "j'habite à Lyon", room=ALONE)
    alone = Origin(visibility=Visibility.PRIVATE, person=dav, room=ALONE.id)
    await home.learns("Dav habite à Lyon", told, said_by="Dav", origin=alone, about_person=dav)
    await home.talks("Dav", "quoi de neuf ?", "Rien.")
    await keeps(storage, replace(note, content="Le levain dort encore."))
    await keeps(storage, noted(dav, 2))
    call = ModelCall(
        purpose="turn",
        model="m",
        outcome="end",
        person=dav,
        space=None,
        answers=0,
        input=1,
        output=1,
        cache_read=0,
        cache_write=0,
        injected=0,
        estimated=0,
        cost=0,
        took_ms=1.0,
    )
    await storage.ledger.record(call)
    await storage.people.observe(dav, observed=False)


async def keeps(storage: StorageParts, note: NewKnowledge) -> None:
    """A note is kept."""
    await storage.knowledge.write(lambda transaction: keep_knowledge(transaction, [note], NOON))


def noted(person: PersonId, number: int = 1) -> NewKnowledge:
    """A note for one person alone."""
    return NewKnowledge(
        id=KnowledgeId(UUID(int=number)),
        kind=KnowledgeKind.NOTE,
        content="Le levain dort.",
        origin=Origin(visibility=Visibility.PRIVATE, person=person),
        at=NOON,
        about=person,
    )
