"""Closing what was said in a room reaches every table that says who may know a row."""

import sqlite3
from contextlib import closing
from pathlib import Path

from memory.storage.community.room_past import STEPS
from memory.storage.sqlite.rows import migrations, queries
from memory.storage.sqlite.schema import connected

_SQL = queries("community/room_past")

_APART = {
    "forgettings": "who asked for a forgetting, and where",
    "quiet_topics": "what one person asked to be left alone, told to that person only",
    "value_marks": "as `tombstones`",
    "tombstones": "marks of what was forgotten hold for whom they held",
}
"""Tables with an audience that a closed room does not change, each with its reason."""


def _with_audience(connection: sqlite3.Connection) -> set[str]:
    rows = connection.execute(
        "SELECT t.name FROM pragma_table_list AS t JOIN pragma_table_info(t.name) AS c"
        " WHERE t.schema = 'main' AND t.type = 'table' AND c.name = 'audience'"
    )
    return {name for (name,) in rows}


def _written(connection: sqlite3.Connection, sql: str) -> set[str]:
    written: set[str] = set()

    def allow(action: int, one: str | None, two: str | None, _: object, inside: object) -> int:
        if action == sqlite3.SQLITE_UPDATE and inside is None and one and two == "audience":
            written.add(one)
        return sqlite3.SQLITE_OK

    connection.set_authorizer(allow)
    connection.execute(f"EXPLAIN {sql}", {"room": "", "closed": ""})
    connection.set_authorizer(None)
    return written


def test_every_table_with_an_audience_is_closed() -> None:
    """A table that is added later is closed as well, or is named here with a reason."""
    with closing(connected(Path(":memory:"))) as connection:
        for _, script in migrations():
            connection.executescript(script)
        closed = set().union(*(_written(connection, _SQL[step]) for step in STEPS))
        assert closed == _with_audience(connection) - _APART.keys()
