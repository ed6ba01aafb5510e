"""What was taken back or reworded is so in every statement, exchange and index entry."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest

from memory.model.audience import OPERATOR
from memory.model.conversations import NewTurn, Turn
from memory.model.messages import Handling, MessageId
from memory.model.people import PersonId
from memory.model.retrieval import Retrieval
from memory.model.room_excerpts import RoomExcerpt
from memory.model.stores import Collection
from tests.cast import DAVID, LOBBY, NOON, PLATFORM, room_of
from tests.storage import StorageParts, arrival, exchanges_by_text, open_truth, overhear, statement


@pytest.fixture
async def storage(tmp_path: Path) -> AsyncIterator[StorageParts]:
    """New tables with a lobby."""
    async with open_truth(tmp_path) as opened:
        await opened.people.keep_room(room_of(LOBBY))
        yield opened


async def recalled(storage: StorageParts) -> list[str]:
    """Every statement that is recalled, by the table and by the index alike."""
    await storage.indexer.settle()
    rows = await storage.memories.latest(None, OPERATOR, 50)
    assert {row.id for row in rows} == await storage.index.ids(Collection.MEMORY)
    return sorted(row.content for row in rows)


async def learnt(storage: StorageParts, content: str, *messages: MessageId) -> None:
    """A statement that rests on messages."""
    await storage.remember.store(statement(content, messages=messages))


async def test_what_rests_on_a_withdrawn_message_alone_is_forgotten(storage: StorageParts) -> None:
    """What also rests on another message, or on none, stays until the last one goes too."""
    one, other = await overhear(storage, "un", "deux")
    await learnt(storage, "David habite à Athènes", one)
    await learnt(storage, "Mickael joue du piano", one, other)
    await learnt(storage, "Zoé mange des pommes")
    await storage.indexer.settle()
    await storage.messages.withdraw(PLATFORM, "m1")
    assert await recalled(storage) == ["Mickael joue du piano", "Zoé mange des pommes"]
    await storage.messages.withdraw(PLATFORM, "m2")
    assert await recalled(storage) == ["Zoé mange des pommes"]
    assert await storage.count("embeddings", "collection = 'memory'") == 1


async def test_what_was_learnt_from_old_words_alone_is_forgotten_with_an_edit(
    storage: StorageParts,
) -> None:
    """Of a message the next digest reads again; no digest would learn the others' anew."""
    one, other = await overhear(storage, "un", "deux")
    (answered,) = await storage.messages.accept([arrival("trois", "m3", Handling.PENDING)])
    assert answered is not None
    await learnt(storage, "David habite à Athènes", one)
    await learnt(storage, "Mickael joue du piano", one, other)
    await learnt(storage, "Zoé mange des pommes", answered)
    await storage.messages.edit(PLATFORM, "m1", "un peu")
    await storage.messages.edit(PLATFORM, "m3", "trois fois")
    assert await recalled(storage) == ["Mickael joue du piano", "Zoé mange des pommes"]


async def exchange(storage: StorageParts, *external_ids: str, searchable: bool = True) -> NewTurn:
    """An exchange about messages that wait; their texts are their ids."""
    person = await storage.people.person(PLATFORM, DAVID.external_id, DAVID.name)
    arrivals = [
        replace(arrival(one, one, Handling.PENDING), person=person.id) for one in external_ids
    ]
    ids = await storage.messages.accept(arrivals)
    session = await storage.turns.session(person.id, room_of(LOBBY).id, timedelta(minutes=15))
    text = "\n".join(external_ids)
    return NewTurn(
        session=session,
        room=room_of(LOBBY),
        channel=PLATFORM,
        speaker=person.name,
        text=text,
        messages=tuple(one for one in ids if one is not None),
        recalled=(),
        reply="Zimmermann.",
        expression="happy",
        searchable=searchable,
        pet_name="Eko",
        excerpt=RoomExcerpt(at=NOON),
        retrieval=Retrieval(query=text, reason="looked up"),
    )


async def kept(storage: StorageParts, new: NewTurn) -> Turn:
    """An exchange that was delivered and indexed."""
    turn = await storage.turns.keep(new)
    await storage.turns.delivered(turn.id)
    await storage.indexer.settle()
    assert await exchanges_by_text(storage, "Zimmermann", OPERATOR)
    assert await storage.index.ids(Collection.CONVERSATIONS) == {turn.id}
    return turn


async def text_of(storage: StorageParts, turn: Turn) -> str:
    """What the person said in an exchange, as it is kept now."""
    row = await storage.turns.by_id(turn.id, OPERATOR)
    assert row is not None
    return row.text


async def nowhere(storage: StorageParts, word: str) -> bool:
    """Whether no table and no index entry holds a word."""
    await storage.indexer.settle()
    columns = {
        "messages": ("text", "search_text"),
        "turns": ("text", "search_text", "reply"),
        "memory_retrievals": ("query",),
        "memories": ("content", "search_text"),
    }
    held = [
        await storage.count(table, f"{column} LIKE '%{word}%'")
        for table, names in columns.items()
        for column in names
    ]
    return not any(held)


async def test_a_withdrawn_message_leaves_its_exchange(storage: StorageParts) -> None:
    """The rest of the batch stays in the conversation's window; nothing of it is found again."""
    turn = await kept(storage, await exchange(storage, "alpha", "beta", "gamma"))
    await storage.messages.withdraw(PLATFORM, "beta")
    assert await text_of(storage, turn) == "alpha\ngamma"
    assert await storage.turns.visible([turn.id], OPERATOR) == []
    assert await exchanges_by_text(storage, "alpha Zimmermann", OPERATOR) == []
    assert await nowhere(storage, "beta")
    assert await storage.index.ids(Collection.CONVERSATIONS) == frozenset()
    assert await storage.count("embeddings", "collection = 'conversations'") == 0
    await storage.messages.edit(PLATFORM, "gamma", "delta")
    assert await text_of(storage, turn) == "alpha\ndelta"
    assert await exchanges_by_text(storage, "delta Zimmermann", OPERATOR) == []
    await storage.messages.withdraw(PLATFORM, "alpha")
    await storage.messages.withdraw(PLATFORM, "gamma")
    assert await text_of(storage, turn) == ""


async def test_an_edited_message_is_edited_in_its_exchange(storage: StorageParts) -> None:
    """It is found by the new words, in the text and in the index, and not by the old ones."""
    turn = await kept(storage, await exchange(storage, "alpha", "beta"))
    await storage.messages.edit(PLATFORM, "beta", "omega")
    assert await text_of(storage, turn) == "alpha\nomega"
    assert await exchanges_by_text(storage, "beta", OPERATOR) == []
    assert [one.id for one in await exchanges_by_text(storage, "omega", OPERATOR)] == [turn.id]
    assert await nowhere(storage, "beta")
    (vector,) = (
        await storage.embeddings.of(Collection.CONVERSATIONS, [UUID(str(turn.id))])
    ).values()
    (fresh,) = await storage.embedder.embed(["David: alpha\nomega\nZimmermann."], "document")
    assert float(vector @ fresh) > 0.99


async def test_an_exchange_that_was_not_found_is_not_found_after_an_edit(
    storage: StorageParts,
) -> None:
    """An apology stays one."""
    new = await exchange(storage, "alpha", searchable=False)
    turn = await storage.turns.keep(new)
    await storage.turns.delivered(turn.id)
    await storage.messages.edit(PLATFORM, "alpha", "omega")
    assert await text_of(storage, turn) == "omega"
    assert await exchanges_by_text(storage, "omega", OPERATOR) == []


async def test_what_is_taken_back_while_the_pet_thinks_is_not_kept(storage: StorageParts) -> None:
    """The answer goes out; what it answered is gone, and is not marked as answered."""
    new = await exchange(storage, "alpha", "beta")
    await storage.messages.withdraw(PLATFORM, "alpha")
    turn = await storage.turns.keep(new)
    assert turn.text == await text_of(storage, turn) == "beta"
    assert await nowhere(storage, "alpha")
    assert await storage.count("messages", "handling = 'answered' AND deleted_at IS NULL") == 1
    assert await storage.count("messages", "handling = 'answered' AND deleted_at IS NOT NULL") == 0
    assert await storage.count("turns", "search_text <> ''") == 0


async def test_what_is_reworded_while_the_pet_thinks_is_kept_reworded(
    storage: StorageParts,
) -> None:
    """And found by what it says now."""
    new = await exchange(storage, "alpha", "beta")
    await storage.messages.edit(PLATFORM, "alpha", "omega")
    turn = await storage.turns.keep(new)
    await storage.turns.delivered(turn.id)
    assert await text_of(storage, turn) == "omega\nbeta"
    assert [one.id for one in await exchanges_by_text(storage, "omega", OPERATOR)] == [turn.id]
    assert await nowhere(storage, "alpha")


async def test_only_what_waits_becomes_answered(storage: StorageParts) -> None:
    """What was given up as stale stays so."""
    new = await exchange(storage, "alpha")
    storage.clock.advance(timedelta(hours=2))
    assert await storage.messages.unanswered(timedelta(hours=1)) == []
    await storage.turns.keep(new)
    assert await storage.count("messages", "handling = 'stale' AND turn_id IS NULL") == 1


async def test_an_opted_out_persons_edit_is_not_observed_again(storage: StorageParts) -> None:
    """What was learnt from the old words is forgotten, and the new ones are not read."""
    person = await storage.people.person(PLATFORM, "david", "David")
    spoken = [replace(arrival(f"mot {one}", one), person=person.id) for one in ("a", "b")]
    first, _ = await storage.messages.accept(spoken)
    assert first is not None
    await learnt(storage, "David habite à Athènes", first)
    await storage.database.write(lambda t: t.run("DELETE FROM live_messages"))
    await storage.messages.edit(PLATFORM, "b", "mot de plus")
    assert await storage.count("live_messages") == 1
    await storage.people.observe(PersonId(person.id), observed=False)
    await storage.messages.edit(PLATFORM, "a", "mot de trop")
    assert await storage.count("live_messages") == 1
    assert await recalled(storage) == []
