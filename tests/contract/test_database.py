"""Writes share a commit and not their failures; a file is opened whole or refused."""

import asyncio
import re
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from memory.model.errors import DatabaseRefused, StorageFailed
from memory.storage.sqlite import database as database_module
from memory.storage.sqlite import schema
from memory.storage.sqlite.database import Database, Transaction, Work, open_database
from memory.storage.sqlite.rows import migrations, queries

FILE = "eko.sqlite3"


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    """A new database."""
    async with open_database(tmp_path / FILE) as opened:
        yield opened


def put(key: str, value: str = "v") -> Work[str]:
    """A write of one row."""

    async def work(transaction: Transaction) -> str:
        values = {"key": key, "value": value}
        await transaction.run("INSERT INTO meta (key, value) VALUES (:key, :value)", values)
        return key

    return work


async def keys(database: Database) -> set[str]:
    """The keys that were kept."""
    return {
        row["key"] for row in await database.all("SELECT key FROM meta WHERE key NOT LIKE '%.%'")
    }


async def test_a_failing_write_does_not_harm_the_others_of_its_group(database: Database) -> None:
    """The writer rolls the group back and does the rest again, each alone."""
    writes = [database.write(put(key)) for key in ("a", "b", "a", "c")]
    results = await asyncio.gather(*writes, return_exceptions=True)
    assert [type(result).__name__ for result in results] == ["str", "str", "IntegrityError", "str"]
    assert await keys(database) == {"a", "b", "c"}


async def test_a_write_that_fails_halfway_leaves_nothing(database: Database) -> None:
    """Its first statement is undone with its second."""

    async def work(transaction: Transaction) -> None:
        await put("half")(transaction)
        raise ValueError("changed my mind")

    with pytest.raises(ValueError, match="changed my mind"):
        await database.write(work)
    assert await keys(database) == set()
    await database.write(put("next"))
    assert await keys(database) == {"next"}


async def test_waiting_writes_share_a_commit(database: Database) -> None:
    """A hundred at once are a few transactions, none of them lost."""
    commits = []
    executed = database._writer.execute

    def counting(sql: str, *values: object) -> object:
        commits.extend([sql] if sql == "COMMIT" else [])
        return executed(sql, *values)

    database._writer.execute = counting  # type: ignore[method-assign, assignment]
    await asyncio.gather(*(database.write(put(str(number))) for number in range(100)))
    assert len(await keys(database)) == 100
    assert len(commits) <= 4
    assert database.changed.is_set()


async def test_a_cancelled_caller_leaves_the_writer_working(database: Database) -> None:
    """Its write may be done or not, and the next one is."""
    caller = asyncio.ensure_future(database.write(put("cancelled")))
    await asyncio.sleep(0)
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    await database.write(put("next"))
    assert "next" in await keys(database)


async def test_a_write_is_visible_to_readers_when_it_returns(database: Database) -> None:
    """Readers stand beside the writer and see what was committed."""
    for number in range(20):
        await database.write(put(str(number)))
        assert str(number) in await keys(database)


async def test_a_query_with_a_mistake_is_no_outage(database: Database) -> None:
    """Nothing waits for it to pass."""
    with pytest.raises(sqlite3.ProgrammingError, match="binding"):
        await database.all("SELECT :missing", {})


async def test_a_full_disk_is_a_sentence_and_no_end(database: Database) -> None:
    """What fits is kept, what does not is refused, and with room again the next one is kept."""
    row = await database.one("PRAGMA page_count")
    assert row is not None
    await database._writer.execute(f"PRAGMA max_page_count = {row[0] + 2}")
    with pytest.raises(StorageFailed, match="disk is full"):
        await database.write(put("big", "x" * 1_000_000))
    assert await keys(database) == set()
    await database._writer.execute("PRAGMA max_page_count = 1000000")
    await database.write(put("big", "x" * 1_000_000))
    assert await keys(database) == {"big"}


async def test_opening_again_finds_everything_and_migrates_nothing(tmp_path: Path) -> None:
    """Each migration is recorded once."""
    for key in ("first", "second"):
        async with open_database(tmp_path / FILE) as opened:
            await opened.write(put(key))
            rows = await opened.all("SELECT number FROM schema_migrations ORDER BY number")
            assert [row["number"] for row in rows] == [number for number, _ in migrations()]
    async with open_database(tmp_path / FILE) as opened:
        assert await keys(opened) == {"first", "second"}


async def test_what_was_committed_survives_without_a_close(tmp_path: Path) -> None:
    """The files as a crash leaves them hold every write that returned."""
    async with open_database(tmp_path / FILE) as opened:
        await opened.write(put("kept"))
        crashed = _as_a_crash_leaves_it(tmp_path)
    async with open_database(crashed / FILE) as opened:
        assert await keys(opened) == {"kept"}


def _as_a_crash_leaves_it(folder: Path) -> Path:
    """A copy of the open files."""
    crashed = folder / "crashed"
    crashed.mkdir()
    for file in folder.glob(f"{FILE}*"):
        (crashed / file.name).write_bytes(file.read_bytes())
    return crashed


async def test_a_newer_database_is_refused_and_untouched(tmp_path: Path) -> None:
    """The sentence says which version wrote it and what to do."""
    path = tmp_path / FILE
    async with open_database(path):
        pass
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute("INSERT INTO schema_migrations (number) VALUES (999)")
    with pytest.raises(DatabaseRefused, match=r"newer Eko \(schema 999"):
        async with open_database(path):
            raise AssertionError("opened a database of the future")


@pytest.mark.parametrize("content", [b"not a database at all, but long enough" * 100, b"x" * 5])
async def test_a_file_that_is_no_database_is_refused_with_a_sentence(
    tmp_path: Path, content: bytes
) -> None:
    """It says what to do and the file stays as it is."""
    path = tmp_path / FILE
    path.write_bytes(content)
    with pytest.raises(DatabaseRefused, match="damaged or is not an Eko database"):
        async with open_database(path):
            raise AssertionError("opened garbage")
    assert path.read_bytes() == content


async def test_a_damaged_database_is_refused_with_a_sentence(tmp_path: Path) -> None:
    """Its header is good and its first table is not."""
    path = tmp_path / FILE
    async with open_database(path):
        pass
    damaged = bytearray(path.read_bytes())
    damaged[100:4000] = b"\xff" * 3900
    path.write_bytes(damaged)
    with pytest.raises(DatabaseRefused, match="damaged"):
        async with open_database(path):
            raise AssertionError("opened a damaged database")


async def test_a_folder_in_the_place_of_the_file_is_refused(tmp_path: Path) -> None:
    """And told what to check."""
    (tmp_path / FILE).mkdir()
    with pytest.raises(DatabaseRefused, match="cannot be opened"):
        async with open_database(tmp_path / FILE):
            raise AssertionError("opened a folder")


async def test_a_migration_that_fails_leaves_the_version_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half a migration is none, and the next start can try again."""
    path = tmp_path / FILE
    broken = [*migrations(), (998, "CREATE TABLE half (a); CREATE TABLE half (a);")]
    monkeypatch.setattr(schema, "migrations", lambda: broken)
    with pytest.raises(DatabaseRefused):
        async with open_database(path):
            raise AssertionError("opened after half a migration")
    monkeypatch.undo()
    async with open_database(path) as opened:
        tables = {row["name"] for row in await opened.all("SELECT name FROM sqlite_master")}
        assert "half" not in tables
        assert "messages" in tables


SQL = Path(database_module.__file__).parents[1]
_QUERIES = sorted(path for path in SQL.rglob("*.sql") if path.parent.name != "migrations")


def _file(path: Path) -> str:
    """Its name as a module asks for it."""
    return path.relative_to(SQL).with_suffix("").as_posix()


def test_every_query_is_used_and_every_name_exists() -> None:
    """A query nobody runs is dead; a name without a query fails when it is least wanted."""
    named = {
        (_file(path), name)
        for path in _QUERIES
        for name in re.findall(r"^-- name: (\w+)$", path.read_text("utf-8"), re.MULTILINE)
    }
    used = {(file, name) for path in SQL.rglob("*.py") for file, name in _used(path, named)}
    assert sorted(used - named) == []
    assert sorted(named - used) == []


def _used(path: Path, named: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """The queries a module names: as a key of _SQL, or as a string that can only be one."""
    source = path.read_text("utf-8")
    files = re.findall(r'queries\("([\w/]+)"\)', source)
    if not files:
        return set()
    keyed = {(files[0], name) for name in re.findall(r'_SQL\["(\w+)"\]', source)}
    formats = re.findall(r'_SQL\[f"([^"]+)"\]', source)
    patterns = [re.sub(r"\{[^}]+\}", r"\\w+", each) for each in formats]
    strings = set(re.findall(r'"(\w+)"', source))
    loose = {
        (file, name)
        for file, name in named
        if file == files[0] and (name in strings or any(re.fullmatch(p, name) for p in patterns))
    }
    return keyed | loose


async def test_every_query_is_sound_sql(database: Database) -> None:
    """Each one is understood by the schema as it is now."""
    for path in _QUERIES:
        for name, sql in queries(_file(path)).items():
            if "PRAGMA" in sql:
                continue
            values = dict.fromkeys(re.findall(r":(\w+)", sql))

            async def explain(
                transaction: Transaction, sql: str = sql, values: dict[str, None] = values
            ) -> None:
                await transaction.all(f"EXPLAIN {sql}", values)

            try:
                await database.write(explain)
            except StorageFailed as error:
                raise AssertionError(f"{path.stem}, {name}: {error}") from error
