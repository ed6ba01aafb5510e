"""Links, sessions and keys as they are kept: hashes, once, and not for ever."""

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from memory.model.access import SESSION_LONGEST, USE_KEPT_EVERY, Right, Visit
from memory.model.authority import Actor, Mandate
from memory.model.errors import UnknownCode
from memory.model.people import OPERATOR_ACTOR, AuditedChange, Signature
from memory.model.rooms import SpaceId
from memory.storage.access.keys import ApiKeys
from memory.storage.access.sessions import LoginLinks, WebSessions
from memory.storage.backups.copies import DatabaseCopies
from memory.storage.sqlite.audit import AuditLog, record, signature_of
from memory.storage.sqlite.database import Transaction, open_database
from memory.storage.sqlite.rows import migrations
from tests.storage import StorageParts, open_truth

HERE = Visit(address="127.0.0.1", agent="Firefox/140")


@pytest.fixture
async def storage(tmp_path: Path) -> AsyncIterator[StorageParts]:
    """New tables."""
    async with open_truth(tmp_path) as opened:
        yield opened


async def link(storage: StorageParts, space: SpaceId | None = None) -> str:
    """The token of a new link."""
    return await LoginLinks(storage.database, storage.clock).make(space, by=OPERATOR_ACTOR)


def sessions_on(storage: StorageParts) -> WebSessions:
    """Sessions on these tables."""
    return WebSessions(storage.database, storage.clock)


def keys_on(storage: StorageParts) -> ApiKeys:
    """Keys on these tables."""
    return ApiKeys(storage.database, storage.clock)


async def test_of_two_at_once_one_gets_in(storage: StorageParts) -> None:
    """A link is redeemed in one transaction."""
    token, sessions = await link(storage), sessions_on(storage)
    tries = [sessions.begin(token, HERE) for _ in range(8)]
    got = await asyncio.gather(*tries, return_exceptions=True)
    assert [type(one) for one in got].count(tuple) == 1
    assert [type(one) for one in got].count(UnknownCode) == len(got) - 1
    assert len(await sessions.listed(10)) == 1


async def test_no_token_is_kept(storage: StorageParts) -> None:
    """Only what can be made of it, and not turned back."""
    token = await link(storage, SpaceId("home"))
    unused = await link(storage)
    _, session = await sessions_on(storage).begin(token, HERE)
    _, key = await keys_on(storage).add("k", frozenset({Right.READ}), None, by=OPERATOR_ACTOR)
    assert key.startswith("eko_")
    for table in ("login_links", "web_sessions", "api_keys", "audit_log"):
        rows = await storage.database.all(f"SELECT * FROM {table}")  # noqa: S608 - names of tables
        held = repr([tuple(row) for row in rows])
        assert rows
        assert not [one for one in (token, unused, session, key) if one in held]


async def test_the_use_of_a_session_is_written_once_a_minute(storage: StorageParts) -> None:
    """Not at each of the requests that a page makes."""
    sessions = sessions_on(storage)
    _, token = await sessions.begin(await link(storage), HERE)
    begun = storage.clock.now()
    storage.clock.advance(USE_KEPT_EVERY - timedelta(seconds=1))
    assert await sessions.used(token, HERE) is not None
    (kept,) = await sessions.listed(10)
    assert kept.last_used_at == begun
    storage.clock.advance(timedelta(seconds=1))
    await sessions.used(token, Visit(address="192.0.2.1", agent="Firefox/141"))
    (kept,) = await sessions.listed(10)
    assert kept.last_used_at == storage.clock.now()
    assert kept.visit.address == "192.0.2.1"


async def test_the_use_of_a_key_is_written_too(storage: StorageParts) -> None:
    """So that one sees which of them nothing needs any more."""
    keys = keys_on(storage)
    _, token = await keys.add("k", frozenset(Right), None, by=OPERATOR_ACTOR)
    await keys.used(token)
    (kept,) = await keys.listed(10)
    assert kept.last_used_at == storage.clock.now()
    assert kept.rights == tuple(Right)


async def test_sessions_that_ended_are_cleared_away(storage: StorageParts) -> None:
    """By the next login; none of their numbers is given again."""
    sessions = sessions_on(storage)
    assert not await sessions.ever()
    await sessions.begin(await link(storage), HERE)
    storage.clock.advance(SESSION_LONGEST)
    assert await sessions.listed(10) == []
    session, _ = await sessions.begin(await link(storage), HERE)
    assert session.id == 2
    assert await storage.count("web_sessions") == 1
    await sessions.end(2, by=OPERATOR_ACTOR)
    assert await sessions.ever()


async def test_links_that_nobody_followed_are_cleared_away(storage: StorageParts) -> None:
    """By the next one that is made."""
    await link(storage)
    storage.clock.advance(timedelta(hours=1))
    await link(storage)
    assert await storage.count("login_links") == 1


async def test_no_copy_lets_anybody_in(storage: StorageParts, tmp_path: Path) -> None:
    """What was ended or revoked after a backup would hold again after a restore."""
    _, session = await sessions_on(storage).begin(await link(storage), HERE)
    _, key = await keys_on(storage).add("k", frozenset(Right), None, by=OPERATOR_ACTOR)
    await link(storage)
    await DatabaseCopies(storage.database, storage.clock).make(tmp_path / "copy.sqlite3")
    async with open_database(tmp_path / "copy.sqlite3") as copy:
        for table in ("login_links", "web_sessions", "api_keys"):
            assert await copy.all(f"SELECT * FROM {table}") == []  # noqa: S608 - names of tables
        assert await WebSessions(copy, storage.clock).used(session, HERE) is None
        assert await ApiKeys(copy, storage.clock).used(key) is None


@pytest.mark.parametrize(
    ("actor", "told"),
    [
        (Actor(mandate=Mandate.PET), ("operator", None)),
        (Actor(mandate=Mandate.PET, via="key 1 from ::1"), ("operator", "key 1 from ::1")),
        (
            Actor(mandate=Mandate.SPACE, space=SpaceId("discord:9"), via="session 3"),
            ("manager:discord:9", "session 3"),
        ),
    ],
)
async def test_the_log_tells_who_from_where(
    storage: StorageParts, actor: Actor, told: tuple[str, str | None]
) -> None:
    """Apart from each other, so that both can be searched."""
    assert await logged(storage, signature_of(actor)) == told


async def test_a_name_is_not_read_as_a_way(storage: StorageParts) -> None:
    """Accounts of the terminal are called as people like."""
    odd = Signature("console:operator via session 1")
    assert await logged(storage, odd) == (odd, None)


async def logged(storage: StorageParts, by: Signature) -> tuple[str, str | None]:
    """Whom the log names, and from where, for a change that was signed so."""

    async def work(transaction: Transaction) -> None:
        change = AuditedChange(actor=by, action="thing.changed", target="x")
        await record(transaction, change, storage.clock.now())

    await storage.database.write(work)
    (entry,) = await AuditLog(storage.database).latest(1)
    return entry.actor, entry.origin


@pytest.mark.parametrize(
    ("had", "keeps"),
    [
        ({"read"}, False),
        ({"write"}, False),
        ({"read", "write"}, True),
        ({"admin"}, True),
        ({"read", "write", "admin"}, True),
    ],
    ids=lambda one: "+".join(sorted(one)) if isinstance(one, set) else str(one),
)
def test_keys_of_before_keep_forgetting_where_they_could_see_it(
    had: set[str], *, keeps: bool
) -> None:
    """By the migration that gives forgetting a right of its own, once and not twice."""
    (script,) = (one for _, one in migrations() if "'$[#]', 'erase'" in one)
    with closing(sqlite3.connect(":memory:")) as raw:
        raw.executescript("CREATE TABLE api_keys (rights TEXT)")
        raw.execute("INSERT INTO api_keys VALUES (?)", [json.dumps(sorted(had))])
        for _ in range(2):
            raw.executescript(script)
        ((rights,),) = raw.execute("SELECT rights FROM api_keys")
    assert json.loads(rights) == [*sorted(had), *["erase"] * keeps]
