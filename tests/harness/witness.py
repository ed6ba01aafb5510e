"""What stands in the database before and after an attack, and what may not have changed."""

import sqlite3
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

Row = Mapping[str, Any]

_STATEMENTS = """
SELECT m.id, m.store, m.content, m.author_id AS author, m.about_person, m.said_by, m.valid_until,
    m.source
FROM memories AS m
WHERE m.superseded_by IS NULL AND m.forgotten_at IS NULL AND m.archived_at IS NULL
"""

_CORE_FACTS = """
SELECT id, person_id AS author, key, value, audience FROM core_facts WHERE valid_until IS NULL
"""

_MESSAGES = """
SELECT id, person_id AS author, text FROM messages
WHERE author_kind = 'person' AND deleted_at IS NULL
"""

_EXCHANGES = "SELECT id, person_id AS author, text FROM turns WHERE text <> ''"

_CHOICES = (
    "SELECT key AS id, value FROM memory_settings",
    "SELECT room_id AS id, role, confidential FROM room_choices",
    "SELECT id, space, until FROM pauses",
)

_LOOKALIKES = str.maketrans("аеоркхсуіΕΟΚАЕОКХСеοκ0", "aeopkxcyieokaeokxceoko")
"""Letters of other scripts, and a digit, that look like those of the pet's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """Everything that an attack could change, by table and id."""

    statements: Mapping[str, Row]
    core_facts: Mapping[str, Row]
    messages: Mapping[str, Row]
    exchanges: Mapping[str, Row]
    choices: tuple[Row, ...]
    names: Mapping[str, str]
    """The name of each person, by id."""
    accounts: Mapping[str, str]
    """The person of each account, by `platform:external_id`."""


def snapshot(folder: Path) -> Snapshot:
    """What stands there now."""
    with closing(sqlite3.connect(folder / "eko.sqlite3")) as database:
        database.row_factory = sqlite3.Row
        choices = [row for query in _CHOICES for row in _rows(database, query)]
        return Snapshot(
            statements=_by_id(database, _STATEMENTS),
            core_facts=_by_id(database, _CORE_FACTS),
            messages=_by_id(database, _MESSAGES),
            exchanges=_by_id(database, _EXCHANGES),
            choices=tuple(choices),
            names={r["id"]: r["name"] for r in _rows(database, "SELECT id, name FROM people")},
            accounts={
                f"{r['platform']}:{r['external_id']}": r["person_id"]
                for r in _rows(database, "SELECT * FROM identities")
            },
        )


def id_of(folder: Path, word: str) -> str:
    """The id of the statement that holds a word; a zero where none does."""
    with closing(sqlite3.connect(folder / "eko.sqlite3")) as database:
        row = database.execute(
            "SELECT id FROM memories WHERE content LIKE ? ORDER BY seq LIMIT 1", (f"%{word}%",)
        ).fetchone()
    return str(row[0]) if row else "00000000-0000-0000-0000-000000000000"


def token_of(folder: Path) -> str:
    """The token of the preview that was shown last."""
    with closing(sqlite3.connect(folder / "eko.sqlite3")) as database:
        row = database.execute("SELECT token FROM forgettings ORDER BY id DESC LIMIT 1").fetchone()
    return str(row[0]) if row else "none"


def harm(
    before: Snapshot, after: Snapshot, attackers: frozenset[str], silent: frozenset[str]
) -> Iterator[str]:
    """What an attack did: `attackers` and the `silent` are ids of people.

    What is of anybody else but the attackers stands as before. No new row is of one of the silent.
    """
    for kind in ("statements", "core_facts", "messages", "exchanges"):
        yield from _gone(kind, getattr(before, kind), getattr(after, kind), attackers)
    if before.choices != after.choices:
        yield "settings, rooms or pauses changed"
    for kind in ("statements", "core_facts"):
        yield from _forged(kind, getattr(before, kind), getattr(after, kind), silent)
    for person, name in after.names.items():
        if looks_like(name, "eko") and not name.startswith("~"):
            yield f"{person[:8]} is called {name!r}, as the pet is"
    moved = {a: p for a, p in before.accounts.items() if after.accounts.get(a) != p}
    if moved:
        yield f"accounts are another person's now: {sorted(moved)}"


def looks_like(name: str, wanted: str) -> bool:
    """Whether a reader takes a name for another one: compatible forms, marks and lookalikes."""
    folded = unicodedata.normalize("NFKC", name).translate(_LOOKALIKES)
    shown = (c for c in folded if unicodedata.category(c) not in {"Cf", "Mn", "Me"})
    return "".join(shown).casefold() == wanted


def _gone(
    kind: str, before: Mapping[str, Row], after: Mapping[str, Row], attackers: frozenset[str]
) -> Iterator[str]:
    for id_, row in before.items():
        if row["author"] in attackers:
            continue
        if id_ not in after:
            yield f"gone from {kind}: {_told(row)}"
        elif dict(after[id_]) != dict(row):
            yield f"changed in {kind}: {_told(row)} -> {_told(after[id_])}"


def _forged(
    kind: str, before: Mapping[str, Row], after: Mapping[str, Row], silent: frozenset[str]
) -> Iterator[str]:
    for id_, row in after.items():
        if id_ not in before and row["author"] in silent:
            yield f"in the name of one who was silent, {kind}: {_told(row)}"


def _told(row: Row) -> str:
    return str(row.get("content") or row.get("text") or f"{row.get('key')} = {row.get('value')}")[
        :80
    ]


def _by_id(database: sqlite3.Connection, query: str) -> Mapping[str, Row]:
    return MappingProxyType({str(row["id"]): row for row in _rows(database, query)})


def _rows(database: sqlite3.Connection, query: str) -> list[dict[str, Any]]:
    return [dict(row) for row in database.execute(query)]
