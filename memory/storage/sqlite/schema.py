"""The schema of a database: what the migrations give, whether a file has it, bringing it there."""

import json
import re
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from typing import Any

import structlog

from memory.language.synonyms import knowledge_words
from memory.language.text import has_words_of_their_own, search_text
from memory.model.errors import DatabaseRefused, DatabaseTooNew
from memory.storage.sqlite.readers import PRAGMAS
from memory.storage.sqlite.rows import migrations, queries, row_json

log = structlog.get_logger()

_SQL = queries("sqlite/schema")

_WITHOUT_MEANING = re.compile(r'[\s"]+')
"""White space, and quotes, which versions of SQLite put around names that a migration changes."""

_FUNCTIONS: tuple[tuple[str, int, Callable[..., Any]], ...] = (
    ("row_json", -1, row_json),
    ("search_text", 1, search_text),
    ("knowledge_words", 3, knowledge_words),
    ("is_read_anew", 1, has_words_of_their_own),
)
"""What migrations call by these names; with how many arguments, -1 for any number."""

_EARLY_NUMBERS = {6: 2, 8: 3, 12: 4, 14: 5}
"""What migrations 2 to 5 were called at first, for an hour: the same files, numbered with gaps."""

_LATE_INDEX = "index claims_slot"
"""What the migration `_WITHOUT_INDEX` lacked at first, for two hours."""

_WITHOUT_INDEX = 7

Migration = tuple[int, str]
Schema = Mapping[str, str]
"""The SQL of tables, indexes and triggers by what they are called, as "table people"."""


def migrate(path: Path, beforehand: Callable[[], object]) -> None:
    """Bring the database at `path` to the schema of this version, each migration whole or not.

    `beforehand` is called before one that holds something is changed.

    Raises:
        DatabaseRefused: it was written by a newer version, it is not as its migrations left it, or
            a migration failed; those before are kept.
        sqlite3.Error: the file cannot be read or written.

    """
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        missing, is_upgrade = _missing(connection, path), bool(_applied(connection))
    if not missing:
        return
    if is_upgrade:
        beforehand()
    with closing(connected(path)) as connection:
        if is_upgrade:
            _mend_early(connection)
        for number, script in missing:
            _apply(connection, number, script, path)
        _missing(connection, path)
    if is_upgrade:
        log.info("schema.migrated", numbers=[number for number, _ in missing])


def schemas(path: Path) -> tuple[int, int]:
    """The number of a database's schema, 0 for none, and that of this version.

    Raises:
        DatabaseRefused: see `migrate`.
        sqlite3.Error: the file cannot be read.

    """
    with closing(reading(path)) as connection:
        _missing(connection, path)
        return max(_applied(connection), default=0), migrations()[-1][0]


def reading(path: Path) -> sqlite3.Connection:
    """A connection that leaves the file as it is, also the log that a killed process left beside.

    One that may write would bring the log into the file when it is closed; one that may not would
    leave an empty log where there was none.
    """
    its_log = path.with_name(f"{path.name}-wal")
    mode = "ro" if its_log.exists() and its_log.stat().st_size else "rw"
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}", uri=True, isolation_level=None
    )


def connected(path: Path) -> sqlite3.Connection:
    """A connection for migrations.

    They may replace a table that others refer to: with foreign keys on, dropping it would delete
    the rows that do (https://www.sqlite.org/lang_altertable.html#otheralter).
    """
    connection = sqlite3.connect(path, isolation_level=None)
    first = "PRAGMA auto_vacuum = INCREMENTAL"  # of a new file, before anything is in it
    for pragma in (first, *PRAGMAS, "PRAGMA foreign_keys = OFF"):
        connection.execute(pragma)
    for name, arguments, function in _FUNCTIONS:
        connection.create_function(name, arguments, function, deterministic=True)
    return connection


def _apply(connection: sqlite3.Connection, number: int, script: str, path: Path) -> None:
    try:
        connection.executescript(_recorded(number, script))
    except sqlite3.Error as error:
        raise DatabaseRefused(
            f"{path} could not be brought to this version (migration {number}: {error}): it is as "
            "it was before that migration. If the disk is full, free some space; otherwise go back "
            "to the version that wrote it, and report this."
        ) from error


def _missing(connection: sqlite3.Connection, path: Path) -> list[Migration]:
    """The migrations that a database lacks, after a look at what it has."""
    known = migrations()
    applied = _applied(connection)
    newer = applied - {number for number, _ in known}
    if newer:
        raise DatabaseTooNew(path, max(newer), known[-1][0])
    had = tuple(one for one in known if one[0] in applied)
    given = given_by(had)
    late = {_LATE_INDEX: given[_LATE_INDEX]} if _lacks_index(applied) else {}
    different = _different({**late, **_schema_of(connection)}, given)
    if different:
        raise DatabaseRefused(
            f"{path} is not as the migrations of this Eko leave it ({different}), as one that an "
            "early version wrote: nothing was changed. With the version that wrote it: eko export "
            "FILE. With this one, in a new folder: eko import FILE. Or put a backup in its place "
            "with: eko restore FILE."
        )
    return [one for one in known if one[0] not in applied]


def _applied(connection: sqlite3.Connection) -> set[int]:
    """The migrations that a database has, by the numbers that they have now."""
    found = _recorded_numbers(connection)
    return {_EARLY_NUMBERS.get(one, one) for one in found} if _is_early(found) else found


def _recorded_numbers(connection: sqlite3.Connection) -> set[int]:
    if not connection.execute(_SQL["is_numbered"]).fetchone()[0]:
        return set()
    return {number for (number,) in connection.execute(_SQL["applied"])}


def _is_early(found: AbstractSet[int]) -> bool:
    return found <= {1, *_EARLY_NUMBERS}


def _lacks_index(applied: AbstractSet[int]) -> bool:
    return max(applied, default=0) == _WITHOUT_INDEX


def _mend_early(connection: sqlite3.Connection) -> None:
    """Bring what landed as another migration first to what the migrations are now."""
    if _is_early(_recorded_numbers(connection)):
        connection.execute(_SQL["number_anew"], {"numbers": json.dumps(_EARLY_NUMBERS)})
    if _lacks_index(_applied(connection)):
        connection.execute(_SQL["index_claims"])


@lru_cache
def given_by(applied: Sequence[Migration]) -> Schema:
    """The schema that these migrations give an empty database."""
    with closing(connected(Path(":memory:"))) as connection:
        for number, script in applied:
            connection.executescript(_recorded(number, script))
        return _schema_of(connection)


def _schema_of(connection: sqlite3.Connection) -> Schema:
    rows = connection.execute(_SQL["objects"])
    return {f"{type_} {name}": _WITHOUT_MEANING.sub("", sql) for type_, name, sql in rows}


def _different(there: Schema, given: Schema) -> str:
    """The first thing in which two schemas differ; "" where they do not."""
    for name in sorted(given.keys() | there.keys()):
        if name not in there:
            return f"{name} is missing"
        if name not in given:
            return f"{name} is too much"
        if there[name] != given[name]:
            return f"{name} is another"
    return ""


def _recorded(number: int, script: str) -> str:
    """A migration as one transaction that also records it."""
    numbered = _SQL["numbered"]
    return (
        f"BEGIN IMMEDIATE;\n{numbered};\n{script}\n"
        f"INSERT INTO schema_migrations (number) VALUES ({number});\nCOMMIT;"
    )
