"""What is kept twice is proposed at night and decided by somebody; what expired can come back."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.surfaces.operations import Operations
from bot.wiring.app import App, open_app
from config.sections.vectors import EmbedderSettings
from config.settings import Settings
from memory.learning.duplicates import DuplicateSweep
from memory.model.audience import OPERATOR, Origin
from memory.model.authority import BY_OPERATOR
from memory.model.errors import NotArchived, NotProposed, VectorStoreUnavailable
from memory.model.people import PersonId, Signature
from memory.model.rooms import Visibility
from memory.model.statements import MemoryId
from memory.storage.statements.history import Archive
from memory.storage.statements.merge_proposals import Proposals
from memory.storage.statements.statements import add_memory
from memory.vectorstores.in_memory import InMemoryIndex
from tests.forgotten import forget_one, forgetting_on, household
from tests.storage import StorageParts, open_truth, statement

ADMIN = Signature("chat:david")
TWICE = ("David a un chat roux", "David a le chat roux")


@pytest.fixture
async def storage(tmp_path: Path) -> AsyncIterator[StorageParts]:
    """Tables with nothing in them."""
    async with open_truth(tmp_path) as opened:
        yield opened


async def keep(storage: StorageParts, *contents: str, **fields: Any) -> list[MemoryId]:
    """Keep statements beside each other, as two chunks of a digest would."""
    return [
        (
            await storage.memories.write(
                lambda transaction, content=content: add_memory(  # type: ignore[misc]
                    transaction, statement(content, **fields), storage.clock.now()
                )
            )
        )[0]
        for content in contents
    ]


def tidying(
    storage: StorageParts, index: InMemoryIndex | None = None
) -> tuple[DuplicateSweep, Proposals]:
    """The pass over these tables, and what it fills."""
    proposals = Proposals(storage.database, storage.clock)
    found = DuplicateSweep(
        proposals, storage.memories, storage.embeddings, index or storage.index, storage.clock
    )
    return found, proposals


@pytest.mark.parametrize("indexed", [True, False])
async def test_what_is_kept_twice_is_proposed_once(storage: StorageParts, *, indexed: bool) -> None:
    """By meaning, or by words where there are no vectors yet; another night finds nothing new."""
    await keep(storage, *TWICE, "David a un chien roux", "Léa a un vélo neuf")
    if indexed:
        await storage.indexer.settle()
    night, proposals = tidying(storage)
    report = await night.run()
    assert (report.walked, report.proposed) == (4, 1)
    (proposal,) = await proposals.open(OPERATOR, 10)
    assert (proposal.similarity is not None) is indexed
    assert (await night.run()).walked == 0
    await keep(storage, "David a un chat roux")
    assert (await night.run()).proposed == 2


async def test_nobody_hears_of_what_two_audiences_keep(storage: StorageParts) -> None:
    """The same said in private and before all are two things that never meet."""
    for who in ("lea", "zoe"):
        await storage.people.person("chat", who, who)
    rows = await storage.database.all("SELECT id FROM people")
    await keep(storage, TWICE[0])
    for row in rows:
        origin = Origin(visibility=Visibility.PRIVATE, person=PersonId(row["id"]))
        await keep(storage, TWICE[1], origin=origin)
    assert (await tidying(storage)[0].run()).proposed == 0


async def test_accepting_lets_the_richer_take_the_place_of_the_poorer(
    storage: StorageParts,
) -> None:
    """Nothing is deleted: the poorer is history, with an edge and an entry in the audit log."""
    poor, rich = await keep(storage, "David a un chat", "David a un chat avec Léa")
    await storage.indexer.settle()
    night, proposals = tidying(storage)
    await night.run()
    (proposal,) = await proposals.open(OPERATOR, 10)
    assert (proposal.keep, proposal.drop) == (rich, poor)
    await night.accept(proposal, OPERATOR, BY_OPERATOR)
    kept = await storage.memories.latest(None, OPERATOR, 10)
    assert [one.id for one in kept] == [rich]
    assert await storage.count("memories") == 2
    assert await storage.count("associations", f"from_id = '{rich}' AND relation = 'updates'") == 1
    assert await storage.count("audit_log", "action = 'proposal.accepted'") == 1
    with pytest.raises(NotProposed):
        await night.accept(proposal, OPERATOR, BY_OPERATOR)
    assert await proposals.open(OPERATOR, 10) == []


async def test_a_core_fact_stays_with_the_statement_that_is_kept(storage: StorageParts) -> None:
    """It holds since when it did, in the words that are kept, and goes with them."""
    home = await household(storage, "David")
    said = [await home.says("David", text) for text in ("j'habite à Lyon", "vraiment à Lyon")]
    await home.learns("David habite à Lyon", said[0], said_by="David")
    storage.clock.advance(timedelta(days=1))
    rich = await home.learns("David habite vraiment à Lyon", said[1], said_by="David")
    (before,) = await storage.core_facts.listed(OPERATOR)
    night, proposals = tidying(storage)
    await night.run()
    (proposal,) = await proposals.open(OPERATOR, 10)
    await night.accept(proposal, OPERATOR, BY_OPERATOR)
    (after,) = await storage.core_facts.listed(OPERATOR)
    assert (after.id, after.value, after.since) == (before.id, "Lyon", before.since)
    assert (after.memory, after.content) == (rich, "David habite vraiment à Lyon")
    await forget_one(forgetting_on(storage), MemoryId(rich))
    assert await storage.core_facts.listed(OPERATOR, history=True) == []
    assert await storage.count("knowledge", "content <> ''") == 0


async def test_accepting_is_refused_where_something_would_be_lost(storage: StorageParts) -> None:
    """A name that one of them was given since, or one that is recalled no more."""
    poor, rich = await keep(storage, "David a un chat", "David a un chat avec Léa")
    night, proposals = tidying(storage)
    await night.run()
    (proposal,) = await proposals.open(OPERATOR, 10)
    await storage.database.write(
        lambda t: t.run(
            "INSERT INTO memory_subjects VALUES (:id, 0, 'Félix', 'memory', .5, 0)",
            {"id": str(poor)},
        )
    )
    with pytest.raises(NotProposed, match="would lose"):
        await night.accept(proposal, OPERATOR, BY_OPERATOR)
    await forget_one(forgetting_on(storage), rich)
    with pytest.raises(NotProposed, match="kept no more"):
        await night.accept(proposal, OPERATOR, BY_OPERATOR)
    assert await proposals.open(OPERATOR, 10) == []
    assert await storage.count("audit_log", "action LIKE 'proposal%'") == 0


async def test_what_was_dismissed_is_never_proposed_again(storage: StorageParts) -> None:
    """Not even when the pass walks everything anew."""
    await keep(storage, *TWICE)
    night, proposals = tidying(storage)
    await night.run()
    (proposal,) = await proposals.open(OPERATOR, 10)
    await proposals.dismiss(proposal.id, OPERATOR, ADMIN)
    await storage.database.write(lambda t: t.run("DELETE FROM meta WHERE key = 'tidied_to'"))
    again = await night.run()
    assert (again.walked, again.proposed) == (2, 0)
    with pytest.raises(NotProposed):
        await proposals.dismiss(proposal.id, OPERATOR, ADMIN)


class AwayIndex(InMemoryIndex):
    """A vector store that does not answer."""

    async def search(self, *_args: Any, **_more: Any) -> Any:
        """Nothing, with a reason."""
        raise VectorStoreUnavailable("away")


async def test_a_night_without_the_vector_store_is_made_up_for(storage: StorageParts) -> None:
    """The pass stops where it was and begins there the next night."""
    await keep(storage, *TWICE)
    await storage.indexer.settle()
    report = await tidying(storage, AwayIndex(storage.embedder.fingerprint))[0].run()
    assert (report.walked, report.interrupted) == (0, True)
    assert (await tidying(storage)[0].run()).proposed == 1


async def test_what_expired_is_archived_and_can_come_back(storage: StorageParts) -> None:
    """For a time or for ever, and it is found again by its words and by its meaning."""
    archive = Archive(storage.database, storage.clock)
    short, long = await keep(
        storage, "Le vélo est au garage", "Le train part", ttl=timedelta(days=1)
    )
    await storage.indexer.settle()
    assert await archive.latest(None, OPERATOR, 10) == []
    storage.clock.advance(timedelta(days=2))
    assert await storage.memories.sweep() == 2
    assert await storage.memories.sweep() == 0
    await storage.indexer.settle()
    assert {one.id for one in await archive.latest(None, OPERATOR, 10)} == {short, long}
    assert await storage.count("memories") == 2
    await archive.restore(str(short)[:8], OPERATOR, timedelta(days=7), ADMIN)
    await archive.restore(str(long), OPERATOR, None, ADMIN)
    await storage.indexer.settle()
    back = {one.id: one.expires_at for one in await storage.memories.latest(None, OPERATOR, 10)}
    assert back == {short: storage.clock.now() + timedelta(days=7), long: None}
    assert len(await storage.index.ids(statement("x").store.collection)) == 2
    assert await storage.count("audit_log", "action = 'memory.restored'") == 2
    with pytest.raises(NotArchived, match="No archived memory"):
        await archive.restore(str(short), OPERATOR, None, ADMIN)


async def test_what_was_forgotten_is_not_in_the_archive(storage: StorageParts) -> None:
    """Nor does it come back by its id."""
    (gone,) = await keep(storage, "Le vélo est au garage", ttl=timedelta(days=1))
    storage.clock.advance(timedelta(days=2))
    await storage.memories.sweep()
    await forget_one(forgetting_on(storage), gone)
    archive = Archive(storage.database, storage.clock)
    assert await archive.latest(None, OPERATOR, 10) == []
    with pytest.raises(NotArchived):
        await archive.restore(str(gone), OPERATOR, None, ADMIN)


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[App]:
    """A pet without an embedder that keeps something twice."""
    settings = Settings(data_dir=folder, embedder=EmbedderSettings(kind="none"))
    async with open_app(settings) as app:
        for content in TWICE:
            await app.storage.memories.write(
                lambda transaction, content=content: add_memory(  # type: ignore[misc]
                    transaction, statement(content), app.clock.now()
                )
            )
        yield app


async def does(app: App, operation: str, **arguments: Any) -> Any:
    """What an operation ends with."""
    return [event async for event in Operations(app).call(operation, arguments)][-1]


async def test_the_operator_looks_decides_and_restores(tmp_path: Path) -> None:
    """What `eko tidy` asks of the pet, and what it is told of mistakes."""
    async with opened(tmp_path) as app:
        assert (await does(app, "tidy"))["result"]["proposed"] == 1
        ((one,),) = (await does(app, "proposals"))["result"].values()
        assert {one["keep"]["content"], one["drop"]["content"]} == set(TWICE)
        assert "no open proposal 99" in (await does(app, "accept", proposal=99))["error"]
        assert (await does(app, "accept"))["result"] == {"accepted": [one["id"]], "refused": []}
        assert (await does(app, "proposals"))["result"]["proposals"] == []
        assert "no open" in (await does(app, "dismiss", proposal=one["id"]))["error"]
        assert (await does(app, "archived"))["result"]["memories"] == []
        assert "No archived memory" in (await does(app, "restore", memory="abc"))["error"]
        wrong = await does(app, "restore", memory="abc", ttl="soon")
        assert "is not a duration" in wrong["error"]
