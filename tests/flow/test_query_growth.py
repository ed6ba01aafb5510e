"""No query on the path of a message costs more than a table says, however much is kept.

What is counted are steps of SQLite's virtual machine, and not time: the guard fails on every
machine alike. A look-up by a key is one of them whatever the size of the table; what full text does
inside itself is none, only its rows are.
"""

import asyncio
import json
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field, replace
from uuid import UUID

import pytest

from bot.agent.budget import Cap, Caps
from bot.errors import ChannelAway, DeliveryRefused
from bot.model.events import Deleted, Edited, Inbound, ReactionsChanged, Typing
from bot.model.requests import Purpose
from bot.model.turns import Outgoing
from memory.clock import FrozenClock
from memory.model.audience import scope_of
from memory.model.claims import Slot
from memory.model.messages import TurnId
from memory.model.people import PersonId
from memory.model.rooms import HOME
from memory.storage.conversations.transcript import Transcript
from memory.storage.elsewhere.given import GivenLines, keep_given
from memory.storage.sqlite.readers import open_plain
from memory.storage.sqlite.rows import queries
from tests.cast import CORNER, DAVID, LEA, LOBBY, MICKAEL, PLATFORM, direct, room_of
from tests.flow.growing_store import (
    DAY,
    HOUR,
    MATCHING,
    NOTES,
    GrowingStore,
    by_rules,
    embedder,
    large_store,
    small_store,
)
from tests.flow.pet import ListedChannel, Pet, awake, calls, responds
from tests.flow.query_costs import (
    ELSEWHERE,
    ENTRIES,
    KNOWN_TO_GROW,
    TABLE,
    WHOLLY_ON_THE_PATH,
)
from tests.query_steps import Cost, Counted, counts, forget_counts, named, together

SLACK = 300
"""Steps that a query may take besides in all its executions: full text writes what waits at times
of its own, which shows in the few steps of a small one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grown:
    """The two stores, and what the same conversation cost in each."""

    small: GrowingStore
    large: GrowingStore
    in_small: Mapping[str, Cost] = field(repr=False)
    in_large: Mapping[str, Cost] = field(repr=False)


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> Grown:
    """The stores, made once."""
    folder = tmp_path_factory.mktemp("grown")
    small = asyncio.run(small_store(folder / "small"))
    large = large_store(small, folder / "large")
    return Grown(
        small=small,
        large=large,
        in_small=asyncio.run(driven(small)),
        in_large=asyncio.run(driven(large)),
    )


def unexpected(costs: Mapping[str, Cost]) -> list[str]:
    """Queries that were executed and are not in the table."""
    return sorted(costs.keys() - ENTRIES.keys())


def outgrown(small: Mapping[str, Cost], large: Mapping[str, Cost]) -> list[str]:
    """Queries that grow by more than the table says, with what they cost in either store."""
    nothing = Cost(0, 0)
    compared = {
        name: (small.get(name, nothing), large.get(name, nothing), ENTRIES[name])
        for name in sorted({*small, *large} & ENTRIES.keys())
    }
    return [
        f"{name}: {less.steps} steps in {less.times} executions became {more.steps} in"
        f" {more.times}, over the limit of {growth.name} ({growth.value} times, and {SLACK} steps)"
        for name, (less, more, growth) in compared.items()
        if more.steps > growth.value * less.steps + SLACK
    ]


def test_every_query_on_the_path_has_an_entry(grown: Grown) -> None:
    """A new one does not slip in; one that stands in no file goes by its own words."""
    assert unexpected({**grown.in_small, **grown.in_large}) == []


def test_every_entry_is_of_a_query_on_the_path(grown: Grown) -> None:
    """It is executed in both stores, and has one growth."""
    names = [
        name for reasons in TABLE.values() for text in reasons.values() for name in text.split()
    ]
    assert [name for name, often in Counter([*names, *KNOWN_TO_GROW]).items() if often > 1] == []
    assert sorted(ENTRIES.keys() - grown.in_small.keys()) == []
    assert sorted(ENTRIES.keys() - grown.in_large.keys()) == []


def test_nothing_of_the_path_is_left_undriven(grown: Grown) -> None:
    """A query that is new in its files is either driven here or said to be for something else."""
    driven_names = {name for names in grown.in_small for name in names.split("=")}
    elsewhere = {name for names in ELSEWHERE.values() for name in names.split()}
    there = {
        f"{file.rpartition('/')[2]}.{name}" for file in WHOLLY_ON_THE_PATH for name in queries(file)
    }
    assert sorted(there - driven_names - elsewhere) == []
    assert sorted(elsewhere - there) == []


def test_no_query_grows_by_more_than_it_may(grown: Grown) -> None:
    """Whatever it reads, and however often it is executed for one message."""
    complaints = outgrown(grown.in_small, grown.in_large)
    assert not complaints, "\n".join(complaints)


def test_the_large_store_has_twenty_times_the_rows(grown: Grown) -> None:
    """Or the guard would hold nothing; four of them match."""
    for table in ("messages", "memories", "embeddings"):
        assert _rows(grown.small, table) >= 1_000
        assert _rows(grown.large, table) >= 20_000
    match = "memories_fts WHERE memories_fts MATCH 'violoncel'"
    assert round(_rows(grown.large, match) / _rows(grown.small, match)) == MATCHING


OLD_INDEX = (
    "CREATE TEMP TABLE embeddings AS SELECT * FROM main.embeddings",
    "CREATE UNIQUE INDEX temp.embeddings_key ON embeddings (collection, point_id)",
    "CREATE INDEX temp.embeddings_spot ON embeddings (collection, fingerprint, spot, point_id)",
)
"""To the planner two columns known look better than one and a list: it walks the collection."""

OLD_QUERY = """SELECT point_id, vector FROM embeddings
WHERE collection = :collection AND point_id IN (SELECT value FROM json_each(:ids))
    AND fingerprint = :fingerprint"""


def test_the_guard_sees_the_old_query_with_its_index(grown: Grown) -> None:
    """It reads all of a collection for a few ids; with the index of today it reads those few."""
    costs = [_embeddings_read(store, *OLD_INDEX) for store in (grown.small, grown.large)]
    (complaint,) = outgrown(*costs)
    assert complaint.startswith("embeddings.embeddings_of: ")
    assert outgrown(*(_embeddings_read(store) for store in (grown.small, grown.large))) == []


def test_the_guard_names_what_has_no_entry() -> None:
    """By its name, or by its words where it has none; and nothing else."""
    costs = dict.fromkeys(("candidates.beside", "people.named", "SELECT 1"), Cost(10, 1))
    assert unexpected(costs) == ["SELECT 1", "people.named"]


@pytest.mark.parametrize(
    ("name", "most"),
    [("candidates.beside", 1.5), ("messages.add", 2.5), ("aliases.touching", 6)],
)
def test_the_guard_sees_growth(name: str, most: float) -> None:
    """Of the steps together, whether one execution takes more or there are more of them."""
    small = {name: Cost(10_000, 10)}
    assert outgrown(small, {name: Cost(int(most * 10_000), 10)}) == []
    assert len(outgrown(small, {name: Cost(int(most * 10_000) + SLACK + 1, 10)})) == 1
    assert len(outgrown({}, {name: Cost(SLACK + 1, 1)})) == 1


def test_steps_of_triggers_and_of_every_row_are_counted() -> None:
    """By the statement that was executed; what opens a transaction is no query."""
    with closing(sqlite3.connect(":memory:", factory=Counted, isolation_level=None)) as database:
        database.executescript(
            "CREATE TABLE a (x); CREATE TABLE b (x);"
            "CREATE TRIGGER t AFTER DELETE ON a BEGIN INSERT INTO b SELECT old.x FROM a; END"
        )
        forget_counts()
        database.execute("BEGIN")
        database.executemany("INSERT INTO a VALUES (?)", ((row,) for row in range(100)))
        database.execute("SELECT count(*) FROM a WHERE x > 0").fetchall()
        database.execute("DELETE FROM a WHERE x = 1")
        database.execute("COMMIT")
        counted = counts()
    assert [cost.times for cost in counted.values()] == [100, 1, 1]
    assert all(cost.steps >= 300 for cost in counted.values())
    assert counted["DELETE FROM a WHERE x = 1"].steps > 800


def test_a_query_goes_by_the_names_it_has() -> None:
    """All of them, where its words stand in several files."""
    assert named(queries("search/candidates")["beside"]) == "candidates.beside"
    assert named(queries("conversations/summaries")["tail"]) == "summaries.tail=turns.window"
    assert named("SELECT 1") == "SELECT 1"


def _rows(store: GrowingStore, table: str) -> int:
    with closing(sqlite3.connect(store.file)) as database:
        (count,) = database.execute(f"SELECT count(*) FROM {table}").fetchone()  # noqa: S608 - ours
    return int(count)


def _embeddings_read(store: GrowingStore, *changes: str) -> Mapping[str, Cost]:
    """What the old query costs, once these changes were made, which do not last."""
    with closing(open_plain(store.file, Counted)) as database:
        database.execute("PRAGMA query_only = OFF")
        database.execute("BEGIN")
        for change in changes:
            database.execute(change)
        found = database.execute(
            "SELECT point_id FROM embeddings WHERE collection = 'memory' LIMIT 60"
        )
        values = {
            "collection": "memory",
            "ids": json.dumps([row["point_id"] for row in found.fetchall()]),
            "fingerprint": str(embedder().fingerprint),
        }
        forget_counts()
        assert len(database.execute(OLD_QUERY, values).fetchall()) == len(json.loads(values["ids"]))
        (cost,) = counts().values()
        database.execute("ROLLBACK")
    return {"embeddings.embeddings_of": cost}


@dataclass
class FailingChannel(ListedChannel):
    """A platform that meets the next messages with these errors."""

    errors: list[Exception] = field(default_factory=list)

    async def send(self, message: Outgoing) -> str | None:
        """Take a message, or raise what stands next in the list."""
        if self.errors:
            raise self.errors.pop(0)
        return await super().send(message)


CAPS = Caps(per_purpose={Purpose.TURN: Cap(input=10**9)}, person=Cap(answers=10**6))
"""Limits that nobody reaches: what was used is looked up all the same."""

IN_A_GROUP = (
    "qui aime le violoncelle et zx10 ?",
    "et le violoncelle de Mickael ?",
    "Zouzou a encore son accordéon zx21 ?",
    "que disait dev du concert hier ?",
    "qui a parlé de gratin la semaine dernière ?",
    "tu sais lire les fichiers zx12 ?",
)
"""Turns of one conversation: by words, by names and other names, by times, what the pet cannot."""

IN_THE_LOBBY = (
    "Eko, on a parlé de quoi ?",
    "Eko, on a parlé de quoi hier ?",
    "Eko, on a parlé de quoi la semaine dernière ?",
    "Eko, qu'est-ce que Léa a dit ?",
    "Eko, tu sais quoi sur moi ?",
    "Eko, parle-moi de dev",
    "Eko, qui est Léa ?",
    "Eko, où est Zouzou ?",
    "Eko, t'es qui ?",
)
"""Open questions of every kind."""

ALONE = ("mon vioolncelle zx33 est réparé ?", "on a parlé de quoi hier ?", "tu sais quoi sur moi ?")
"""Asked where a person and the pet are alone: what is private is looked through too."""


async def driven(store: GrowingStore) -> Mapping[str, Cost]:
    """What each query cost while all this was said to the pet of a store, which then restarted."""
    channel, clock = FailingChannel(), FrozenClock(store.at)
    async with _awake(store, channel, clock) as pet:
        await _overhears(pet)
        await _answers(pet)
        await _looks_up(pet)
        await _corrects(pet)
        await _delivers(pet, channel)
        before = counts()
        await _borrows(pet)
        first = together(before, counts())
    async with _awake(store, channel, clock) as pet:
        assert await pet.delivery.resume() == 1
        assert await pet.inbox.resume() == 1
        await pet.answers()
        return together(first, counts())


@asynccontextmanager
async def _awake(
    store: GrowingStore, channel: ListedChannel, clock: FrozenClock
) -> AsyncIterator[Pet]:
    async with awake(
        store.folder,
        clock=clock,
        embedder=embedder(),
        index=store.index,
        kind=Counted,
        channel=channel,
        caps=CAPS,
        summariser=by_rules,
        notes=lambda: NOTES,
    ) as pet:
        forget_counts()
        yield pet


async def _borrows(pet: Pet) -> None:
    """An answer rested on a line of another process, which takes it back."""
    database, clock = pet.storage.database, pet.storage.clock
    given = GivenLines(database, clock)
    row = await database.one("SELECT id FROM turns ORDER BY seq DESC LIMIT 1")
    heard = await database.one("SELECT id FROM messages ORDER BY id DESC LIMIT 1")
    assert row is not None
    assert heard is not None
    forget_counts()
    ref = f"live:{UUID(int=heard['id'])}@1"
    turn, lines = TurnId(UUID(row["id"])), [("http://other", ref, 0)]
    await database.write(lambda transaction: keep_given(transaction, turn, lines))
    asked = await given.of_account(DAVID.account)
    await given.gone([(ref, 0), *asked.get("http://other", ())])
    await given.after(0)
    await given.taken_back("http://other", [ref])


async def _overhears(pet: Pet) -> None:
    """What is said in the lobby, said again, or handed in late."""
    for who in (DAVID, LEA, MICKAEL):
        text = f"le piano de {who.name} est accordé, et un ornithorynque"
        await pet.hears(text, who, LOBBY, external_id=f"heard-{who.name}")
        await pet.storage.indexer.settle()
    await pet.hears("encore", LEA, LOBBY, external_id="heard-Léa")
    await pet.hears("le coffre a le zx7777 ?", LEA, LOBBY, external_id="value")
    await pet.inbox.receive(Typing(author=DAVID, room=CORNER))
    reacted = ReactionsChanged(
        platform=PLATFORM, external_id="heard-Léa", author=DAVID, emoji=("👍", "🎉")
    )
    await pet.inbox.receive(reacted)
    now = pet.storage.clock.now()
    missed = Inbound(
        external_id="missed",
        room=LOBBY,
        author=LEA,
        text="le violoncelle zx10 zx11 zx12",
        sent_at=now - 3 * DAY,
        spaces=frozenset({HOME}),
    )
    await pet.inbox.receive_all([missed], missed_at=now)


async def _answers(pet: Pet) -> None:
    """Questions of every kind, in a group, in the lobby and alone."""
    for where, questions in ((CORNER, IN_A_GROUP), (LOBBY, IN_THE_LOBBY), (direct(DAVID), ALONE)):
        for question in questions:
            await pet.asked(question, DAVID, where, external_id=question)
    await pet.asked("Eko, et ça ?", LEA, LOBBY, reply_to="d9-50", external_id="quoting")
    pet.storage.clock.advance(HOUR)
    await pet.hears("encore moi :", DAVID, CORNER, external_id="one")
    await pet.hears("deux pianos ?", DAVID, CORNER, external_id="two")
    assert len(await pet.answers()) == len((*IN_A_GROUP, *IN_THE_LOBBY, *ALONE)) + 2


async def _looks_up(pet: Pet) -> None:
    """What tools look up, for the model and for a branch of it."""
    for tool in ("search_memories", "search_self", "search_goals", "memory__search"):
        pet.model.will(calls((tool, {"query": "violoncelle zx12"})), responds("Voilà."))
        await pet.asked("tu peux chercher ?", MICKAEL, CORNER, external_id=tool)
    scope = scope_of(room_of(LOBBY), PersonId("nobody"))
    assert await pet.recall.search_history("violoncelle zx14", scope, 10)
    assert await Transcript(pet.storage.database).lines("violoncelle zx14", tuple(Slot), scope)


async def _corrects(pet: Pet) -> None:
    """What is reworded and taken back, also a word that the pet alone says then."""
    pet.model.will(responds("Un ornithorynque ?"))
    await pet.asked("mon jardin zx40 a un ornithorynque", DAVID, CORNER, external_id="mine")
    for id_ in ("d9-60", "heard-David", "mine"):
        edited = Edited(platform=PLATFORM, external_id=id_, text="je dis autre chose zx50")
        await pet.inbox.receive(edited)
    for id_ in ("d9-50", "d9-61", "heard-Léa", "heard-Mickael", "mine"):
        await pet.inbox.receive(Deleted(platform=PLATFORM, external_id=id_))
    await pet.storage.indexer.settle()


async def _delivers(pet: Pet, channel: FailingChannel) -> None:
    """A reply in parts, one that is refused, one that waits, and a question that is left over."""
    thread = replace(LOBBY, external_id="thread", parent=LOBBY.external_id, starter="d9-52")
    await pet.asked("Eko, et ça ?", DAVID, thread, external_id="in a thread")
    pet.model.will(responds("Un long récit. " * 400))
    await pet.asked("raconte le concert zx41", DAVID, CORNER, external_id="parts")
    channel.errors.append(DeliveryRefused("She takes no messages."))
    await pet.asked("et le jardin zx42 ?", LEA, direct(LEA), external_id="refused")
    channel.errors.append(ChannelAway("There is no connection."))
    await pet.asked("et le piano zx43 ?", LEA, CORNER, external_id="waiting")
    pet.conversations.close()
    await pet.hears("et la ruche zx44 ?", LEA, CORNER, external_id="left")
