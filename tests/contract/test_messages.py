"""Messages are kept once; edits, deletions and opt-outs follow into every copy."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal
from uuid import UUID

import pytest

from memory.model.audience import OPERATOR
from memory.model.messages import Reworded
from memory.model.stores import Collection
from memory.ports import Vectors
from tests.cast import LOBBY, PLATFORM, room_of
from tests.embedder import HashingEmbedder
from tests.storage import StorageParts, arrival, open_truth, overhear, overheard_by_text


@pytest.fixture
async def storage(tmp_path: Path) -> AsyncIterator[StorageParts]:
    """New tables with a lobby."""
    async with open_truth(tmp_path) as opened:
        await opened.people.keep_room(room_of(LOBBY))
        yield opened


async def found(storage: StorageParts, query: str) -> list[str]:
    """Observed messages that share words with a query."""
    return [one.content for one in await overheard_by_text(storage, query, OPERATOR)]


async def live(storage: StorageParts) -> frozenset[UUID]:
    """What the index holds of the lobby, once it is up to date."""
    await storage.indexer.settle()
    return await storage.index.ids(Collection.LIVE)


async def test_a_message_is_kept_once_however_often_it_comes(storage: StorageParts) -> None:
    """Twice in a batch, again later, and beside new ones: one row, one live row, one entry."""
    first = await storage.messages.accept(
        [arrival("un", "a"), arrival("un encore", "a"), arrival("deux", "b")]
    )
    assert [id_ is None for id_ in first] == [False, True, False]
    again = await storage.messages.accept([arrival("trois", "c"), arrival("un", "a")])
    assert [id_ is None for id_ in again] == [False, True]
    assert await storage.count("messages") == await storage.count("live_messages") == 3
    assert len(await live(storage)) == 3
    assert await found(storage, "deux") == ["deux"]


async def test_the_same_message_from_two_deliveries_at_once_is_kept_once(
    storage: StorageParts,
) -> None:
    """A platform that delivers twice at the same time makes one message."""
    results = await asyncio.gather(
        *(storage.messages.accept([arrival("x", "a")]) for _ in range(8))
    )
    assert sum(result != [None] for result in results) == 1
    assert await storage.count("messages") == 1


async def test_two_platforms_may_use_the_same_id(storage: StorageParts) -> None:
    """An id is unique within its platform only."""
    other = replace(arrival("autre", "a"), platform="elsewhere")
    assert None not in await storage.messages.accept([arrival("un", "a"), other])


async def test_an_edit_is_followed_by_full_text_and_index(storage: StorageParts) -> None:
    """The old words are found no more, by words or by meaning; the new ones are."""
    (message,) = await overhear(storage, "je pars en Grèce")
    await storage.indexer.settle()
    (old,) = (await storage.embeddings.of(Collection.LIVE, [UUID(int=message)])).values()
    edited = await storage.messages.edit(PLATFORM, "m1", "je reste au Portugal")
    assert edited == Reworded(message, "je reste au Portugal")
    assert await found(storage, "Grèce") == []
    assert await found(storage, "Portugal") == ["je reste au Portugal"]
    await storage.indexer.settle()
    (new,) = (await storage.embeddings.of(Collection.LIVE, [UUID(int=message)])).values()
    (fresh,) = await storage.embedder.embed(["je reste au Portugal"], "document")
    assert float(new @ fresh) > 0.99
    assert float(new @ old) < 0.9


async def test_an_edit_that_changes_nothing_or_nobody_is_none(storage: StorageParts) -> None:
    """No work for the index, no error for an unknown id."""
    await overhear(storage, "je pars en Grèce")
    await storage.indexer.settle()
    assert await storage.messages.edit(PLATFORM, "m1", "je pars en Grèce") is None
    assert await storage.messages.edit(PLATFORM, "unknown", "x") is None
    assert await storage.outbox.waiting() == 0


class Interrupted(HashingEmbedder):
    """An embedder during whose first call something else happens."""

    def __init__(self) -> None:
        super().__init__()
        self.meanwhile: Callable[[], Awaitable[object]] | None = None

    async def embed(self, texts: Sequence[str], kind: Literal["query", "document"]) -> Vectors:
        """The vectors, after what happens meanwhile."""
        vectors = await super().embed(texts, kind)
        meanwhile, self.meanwhile = self.meanwhile, None
        if meanwhile is not None:
            await meanwhile()
        return vectors


async def test_an_edit_while_the_old_words_are_embedded_wins(tmp_path: Path) -> None:
    """The embedding of words that are gone is never kept for those that came after."""
    embedder = Interrupted()
    async with open_truth(tmp_path, embedder=embedder) as storage:
        (message,) = await overhear(storage, "je pars en Grèce")
        new = "je reste au Portugal"
        embedder.meanwhile = lambda: storage.messages.edit(PLATFORM, "m1", new)
        await storage.indexer.settle()
        (kept,) = (await storage.embeddings.of(Collection.LIVE, [UUID(int=message)])).values()
        (fresh,) = await embedder.embed([new], "document")
        assert float(kept @ fresh) > 0.99
        (hit,) = await storage.index.search(Collection.LIVE, fresh, limit=1, scope=OPERATOR)
        assert hit.similarity > 0.99


async def test_a_withdrawal_while_the_words_are_embedded_leaves_no_trace(tmp_path: Path) -> None:
    """Neither an embedding, from which words could be guessed, nor an entry."""
    embedder = Interrupted()
    async with open_truth(tmp_path, embedder=embedder) as storage:
        await overhear(storage, "mon code est 1234")
        embedder.meanwhile = lambda: storage.messages.withdraw(PLATFORM, "m1")
        await storage.indexer.settle()
        assert await storage.count("embeddings") == 0
        assert await storage.index.ids(Collection.LIVE) == frozenset()


async def test_a_withdrawn_message_is_gone_from_every_copy(storage: StorageParts) -> None:
    """Row, full text, live, embedding and index; the id stays known, so it never comes back."""
    (message,) = await overhear(storage, "mon code est 1234")
    await storage.indexer.settle()
    assert await storage.messages.withdraw(PLATFORM, "m1") == message
    assert await found(storage, "code 1234") == []
    assert await live(storage) == frozenset()
    assert await storage.count("live_messages") == await storage.count("embeddings") == 0
    assert await storage.count("messages", "text LIKE '%1234%' OR search_text <> ''") == 0
    assert await storage.messages.visible([message], OPERATOR) == []
    assert await storage.messages.withdraw(PLATFORM, "m1") is None
    assert await storage.messages.edit(PLATFORM, "m1", "mon code est 1234") is None
    assert await storage.messages.accept([arrival("mon code est 1234", "m1")]) == [None]
    assert await found(storage, "code 1234") == []


async def test_a_withdrawal_before_the_index_knew_leaves_nothing(storage: StorageParts) -> None:
    """Both changes wait in the outbox and the last one counts."""
    await overhear(storage, "mon code est 1234")
    await storage.messages.withdraw(PLATFORM, "m1")
    assert await live(storage) == frozenset()
    assert await storage.count("embeddings") == 0


async def test_an_opt_out_holds_while_the_person_is_being_renamed(storage: StorageParts) -> None:
    """A name that changes at the same moment brings no stale "may be observed" back."""
    person = await storage.people.person(PLATFORM, "david", "David")
    for number in range(10):
        await storage.people.observe(person.id, observed=True)
        renaming = storage.people.person(PLATFORM, "david", f"Dave{number}")
        await asyncio.gather(storage.people.observe(person.id, observed=False), renaming)
        again = await storage.people.person(PLATFORM, "david", f"Dave{number}")
        assert not again.observed


async def test_two_first_messages_at_once_make_one_person(storage: StorageParts) -> None:
    """A newcomer who writes twice is one human."""
    people = await asyncio.gather(
        *(storage.people.person(PLATFORM, "lea", "Léa") for _ in range(8))
    )
    assert len({one.id for one in people}) == 1
    assert await storage.count("people") == await storage.count("identities") == 1
