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
from memory.model.stores import Collection
from tests.cast import DAVID, LOBBY, PLATFORM, room_of
from tests.truth import Truth, arrival, exchanges_by_text, open_truth, overhear, statement


@pytest.fixture
async def truth(tmp_path: Path) -> AsyncIterator[Truth]:
    """New tables with a lobby."""
    async with open_truth(tmp_path) as opened:
        await opened.people.keep_room(room_of(LOBBY))
        yield opened


async def recalled(truth: Truth) -> list[str]:
    """Every statement that is recalled, by the table and by the index alike."""
    await truth.indexer.settle()
    rows = await truth.memories.latest(None, OPERATOR, 50)
    assert {row.id for row in rows} == await truth.index.ids(Collection.MEMORY)
    return sorted(row.content for row in rows)


async def learnt(truth: Truth, content: str, *messages: MessageId) -> None:
    """A statement that rests on messages."""
    await truth.remember.store(statement(content, messages=messages))


async def test_what_rests_on_a_withdrawn_message_alone_is_forgotten(truth: Truth) -> None:
    """What also rests on another message, or on none, stays until the last one goes too."""
    one, other = await overhear(truth, "un", "deux")
    await learnt(truth, "David habite à Athènes", one)
    await learnt(truth, "Mickael joue du piano", one, other)
    await learnt(truth, "Zoé mange des pommes")
    await truth.indexer.settle()
    await truth.messages.withdraw(PLATFORM, "m1")
    assert await recalled(truth) == ["Mickael joue du piano", "Zoé mange des pommes"]
    await truth.messages.withdraw(PLATFORM, "m2")
    assert await recalled(truth) == ["Zoé mange des pommes"]
    assert await truth.count("embeddings", "collection = 'memory'") == 1


async def test_what_was_learnt_from_old_words_alone_is_forgotten_with_an_edit(truth: Truth) -> None:
    """Of a message the next digest reads again; nobody would learn the others' anew."""
    one, other = await overhear(truth, "un", "deux")
    (answered,) = await truth.messages.accept([arrival("trois", "m3", Handling.PENDING)])
    assert answered is not None
    await learnt(truth, "David habite à Athènes", one)
    await learnt(truth, "Mickael joue du piano", one, other)
    await learnt(truth, "Zoé mange des pommes", answered)
    await truth.messages.edit(PLATFORM, "m1", "un peu")
    await truth.messages.edit(PLATFORM, "m3", "trois fois")
    assert await recalled(truth) == ["Mickael joue du piano", "Zoé mange des pommes"]


async def exchange(truth: Truth, *external_ids: str, searchable: bool = True) -> NewTurn:
    """An exchange about messages that wait; their texts are their ids."""
    person = await truth.people.person(PLATFORM, DAVID.external_id, DAVID.name)
    arrivals = [
        replace(arrival(one, one, Handling.PENDING), person=person.id) for one in external_ids
    ]
    ids = await truth.messages.accept(arrivals)
    session = await truth.turns.session(person.id, room_of(LOBBY).id, timedelta(minutes=15))
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
        retrieval=Retrieval(query=text, reason="looked up"),
    )


async def kept(truth: Truth, new: NewTurn) -> Turn:
    """An exchange that was delivered and indexed."""
    turn = await truth.turns.keep(new)
    await truth.turns.delivered(turn.id)
    await truth.indexer.settle()
    assert await exchanges_by_text(truth, "Zimmermann", OPERATOR)
    assert await truth.index.ids(Collection.CONVERSATIONS) == {turn.id}
    return turn


async def text_of(truth: Truth, turn: Turn) -> str:
    """What the person said in an exchange, as it is kept now."""
    row = await truth.turns.by_id(turn.id, OPERATOR)
    assert row is not None
    return row.text


async def nowhere(truth: Truth, word: str) -> bool:
    """Whether no table and no index entry holds a word."""
    await truth.indexer.settle()
    columns = {
        "messages": ("text", "search_text"),
        "turns": ("text", "search_text", "reply"),
        "memory_retrievals": ("query",),
        "memories": ("content", "search_text"),
    }
    held = [
        await truth.count(table, f"{column} LIKE '%{word}%'")
        for table, names in columns.items()
        for column in names
    ]
    return not any(held)


async def test_a_withdrawn_message_leaves_its_exchange(truth: Truth) -> None:
    """The rest of the batch stays in the conversation's window; nothing of it is found again."""
    turn = await kept(truth, await exchange(truth, "alpha", "beta", "gamma"))
    await truth.messages.withdraw(PLATFORM, "beta")
    assert await text_of(truth, turn) == "alpha\ngamma"
    assert await truth.turns.visible([turn.id], OPERATOR) == []
    assert await exchanges_by_text(truth, "alpha Zimmermann", OPERATOR) == []
    assert await nowhere(truth, "beta")
    assert await truth.index.ids(Collection.CONVERSATIONS) == frozenset()
    assert await truth.count("embeddings", "collection = 'conversations'") == 0
    await truth.messages.edit(PLATFORM, "gamma", "delta")
    assert await text_of(truth, turn) == "alpha\ndelta"
    assert await exchanges_by_text(truth, "delta Zimmermann", OPERATOR) == []
    await truth.messages.withdraw(PLATFORM, "alpha")
    await truth.messages.withdraw(PLATFORM, "gamma")
    assert await text_of(truth, turn) == ""


async def test_an_edited_message_is_edited_in_its_exchange(truth: Truth) -> None:
    """It is found by the new words, in the text and in the index, and not by the old ones."""
    turn = await kept(truth, await exchange(truth, "alpha", "beta"))
    await truth.messages.edit(PLATFORM, "beta", "omega")
    assert await text_of(truth, turn) == "alpha\nomega"
    assert await exchanges_by_text(truth, "beta", OPERATOR) == []
    assert [one.id for one in await exchanges_by_text(truth, "omega", OPERATOR)] == [turn.id]
    assert await nowhere(truth, "beta")
    (vector,) = (await truth.embeddings.of(Collection.CONVERSATIONS, [UUID(str(turn.id))])).values()
    (fresh,) = await truth.embedder.embed(["David: alpha\nomega\nZimmermann."], "document")
    assert float(vector @ fresh) > 0.99


async def test_an_exchange_that_was_not_found_is_not_found_after_an_edit(truth: Truth) -> None:
    """An apology stays one."""
    new = await exchange(truth, "alpha", searchable=False)
    turn = await truth.turns.keep(new)
    await truth.turns.delivered(turn.id)
    await truth.messages.edit(PLATFORM, "alpha", "omega")
    assert await text_of(truth, turn) == "omega"
    assert await exchanges_by_text(truth, "omega", OPERATOR) == []


async def test_what_is_taken_back_while_the_pet_thinks_is_not_kept(truth: Truth) -> None:
    """The answer goes out; what it answered is gone, and is not marked as answered."""
    new = await exchange(truth, "alpha", "beta")
    await truth.messages.withdraw(PLATFORM, "alpha")
    turn = await truth.turns.keep(new)
    assert turn.text == await text_of(truth, turn) == "beta"
    assert await nowhere(truth, "alpha")
    assert await truth.count("messages", "handling = 'answered' AND deleted_at IS NULL") == 1
    assert await truth.count("messages", "handling = 'answered' AND deleted_at IS NOT NULL") == 0
    assert await truth.count("turns", "search_text <> ''") == 0


async def test_what_is_reworded_while_the_pet_thinks_is_kept_reworded(truth: Truth) -> None:
    """And found by what it says now."""
    new = await exchange(truth, "alpha", "beta")
    await truth.messages.edit(PLATFORM, "alpha", "omega")
    turn = await truth.turns.keep(new)
    await truth.turns.delivered(turn.id)
    assert await text_of(truth, turn) == "omega\nbeta"
    assert [one.id for one in await exchanges_by_text(truth, "omega", OPERATOR)] == [turn.id]
    assert await nowhere(truth, "alpha")


async def test_only_what_waits_becomes_answered(truth: Truth) -> None:
    """What was given up as stale stays so."""
    new = await exchange(truth, "alpha")
    truth.clock.advance(timedelta(hours=2))
    assert await truth.messages.unanswered(timedelta(hours=1)) == []
    await truth.turns.keep(new)
    assert await truth.count("messages", "handling = 'stale' AND turn_id IS NULL") == 1


async def test_an_opted_out_persons_edit_is_not_observed_again(truth: Truth) -> None:
    """What was learnt from the old words is forgotten, and the new ones are not read."""
    person = await truth.people.person(PLATFORM, "david", "David")
    spoken = [replace(arrival(f"mot {one}", one), person=person.id) for one in ("a", "b")]
    first, _ = await truth.messages.accept(spoken)
    assert first is not None
    await learnt(truth, "David habite à Athènes", first)
    await truth.database.write(lambda t: t.run("DELETE FROM live_messages"))
    await truth.messages.edit(PLATFORM, "b", "mot de plus")
    assert await truth.count("live_messages") == 1
    await truth.people.observe(PersonId(person.id), observed=False)
    await truth.messages.edit(PLATFORM, "a", "mot de trop")
    assert await truth.count("live_messages") == 1
    assert await recalled(truth) == []
