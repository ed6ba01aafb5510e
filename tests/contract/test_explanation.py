"""Why something was recalled is kept, and told to whoever may know it and to nobody else."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from memory.model.audience import OPERATOR, Origin, Scope, scope_of
from memory.model.conversations import NewTurn, Turn
from memory.model.messages import MessageId
from memory.model.people import PersonId
from memory.model.retrieval import Candidate, Considered, Retrieval, Section
from memory.model.room_excerpts import RoomExcerpt
from memory.model.rooms import Room, SpaceId, Visibility
from memory.model.statements import MemoryId, RowState
from memory.model.stores import Collection
from tests.cast import CORNER, DAVID, LEA, LOBBY, NOON, PLATFORM, direct, group, room_of
from tests.forgotten import forget_one, forgetting_on
from tests.storage import StorageParts, open_truth, overhear, statement

ALONE = room_of(direct(DAVID))
SIGNALS = {"words": 0.62, "named": 0.4}


@pytest.fixture
async def storage(tmp_path: Path) -> AsyncIterator[StorageParts]:
    """A database of its own, with the rooms of the cast."""
    async with open_truth(tmp_path) as opened:
        for room in (room_of(LOBBY), room_of(CORNER), ALONE):
            await opened.people.keep_room(room)
        yield opened


def candidate(row: UUID, collection: Collection = Collection.MEMORY, **fields: Any) -> Candidate:
    """A row as recall judged it."""
    given: dict[str, Any] = {
        "section": Section.LIVE if collection is Collection.LIVE else Section.MEMORY,
        "sources": {"memory_text": 1, "memory_vector": 3},
        "signals": SIGNALS,
        "worth": 1.1,
        **fields,
    }
    return Candidate(collection=collection, id=row, revision=1, content="", at=NOON, **given)


def kept(one: Candidate) -> Considered:
    """It was injected."""
    return Considered(candidate=one, score=0.83, kept=True, reason="words")


def dropped(one: Candidate, reason: str = "no evidence") -> Considered:
    """It was not."""
    return Considered(candidate=one, score=0.12, kept=False, reason=reason)


async def turn_about(
    storage: StorageParts,
    *items: Considered,
    where: Room | None = None,
    query: str = "où habite Mickael ?",
) -> Turn:
    """A turn of David's for which these were considered."""
    room = where or room_of(LOBBY)
    person = await storage.people.person(PLATFORM, DAVID.external_id, DAVID.name)
    session = await storage.turns.session(person.id, room.id, timedelta(minutes=15))
    new = NewTurn(
        session=session,
        room=room,
        channel=PLATFORM,
        speaker=person.name,
        text=query,
        messages=(),
        recalled=(),
        reply="À Athènes.",
        expression="happy",
        searchable=True,
        pet_name="Eko",
        excerpt=RoomExcerpt(at=NOON),
        retrieval=Retrieval(
            query=query,
            reason="looked up",
            items=items,
            tokens=27,
            took_ms=12.5,
            late=("memory_vector",),
        ),
    )
    return await storage.turns.keep(new)


async def stored(
    storage: StorageParts, content: str = "Mickael habite à Athènes", **fields: Any
) -> MemoryId:
    """A statement's id."""
    return (await storage.remember.store(statement(content, **fields))).id


def lobby(who: str = "lea") -> Scope:
    """What may be known in the lobby."""
    return scope_of(room_of(LOBBY), PersonId(who))


async def test_everything_that_spoke_for_a_row_is_kept(storage: StorageParts) -> None:
    """Ranks, signals, score, worth, the gate's confidence and reason, and what it was."""
    memory, message = await stored(storage), (await overhear(storage, "il pleut"))[0]
    overheard = candidate(
        UUID(int=message), Collection.LIVE, signals={}, sources={}, worth=0.0, duplicate=True
    )
    turn = await turn_about(storage, kept(candidate(memory, proven=True)), dropped(overheard))
    first, second = await storage.ledger.explained(turn.id)
    assert (first.sources, first.signals) == ({"memory_text": 1, "memory_vector": 3}, SIGNALS)
    assert (first.score, first.worth, first.confidence) == (1.02, 1.1, 0.83)
    assert (first.kept, first.reason, first.section) == (True, "words", Section.MEMORY)
    assert (second.kept, second.reason, second.signals) == (False, "no evidence", {})
    assert [(one.proven, one.duplicate) for one in (first, second)] == [
        (True, False),
        (False, True),
    ]
    lookup = await storage.ledger.retrieval_of(turn.id)
    assert (lookup.considered, lookup.tokens, lookup.took_ms) == (2, 27, 12.5)
    assert lookup.late == ("memory_vector",)


async def test_a_row_is_told_with_who_said_it_where_when_and_from_what(
    storage: StorageParts,
) -> None:
    """As it is known now, with the words of the question and the messages behind it."""
    message = (await overhear(storage, "Mickael a son appart à Athènes"))[0]
    memory = await stored(
        storage, said_by="Léa", messages=(message,), origin=_made_in(room_of(LOBBY))
    )
    turn = await turn_about(storage, kept(candidate(memory)))
    told = await storage.explanations.of(turn.id, lobby())
    assert told is not None
    (ground,) = told.injected
    assert ground.known.content == "Mickael habite à Athènes"
    assert (ground.known.said_by, ground.known.source) == ("Léa", "conversation")
    assert ground.known.room == room_of(LOBBY)
    assert ground.words == ("habite", "mickael")
    assert [one.content for one in ground.told] == ["Mickael a son appart à Athènes"]
    assert ground.told[0].said_by == "David"


def _made_in(room: Room) -> Origin:
    return Origin(visibility=Visibility.SPACE, room=room.id, space=room.space)


async def test_a_row_outside_the_scope_is_left_out(storage: StorageParts) -> None:
    """Known or forgotten, injected or dropped: before others it was never there."""
    david = await storage.people.person(PLATFORM, DAVID.external_id, DAVID.name)
    alone = Origin(visibility=Visibility.PRIVATE, person=david.id, room=ALONE.id)
    secret = await stored(storage, "David a mal au dos", origin=alone)
    buried = await stored(storage, "David ronfle la nuit", origin=alone)
    open_ = await stored(storage)
    await forget_one(forgetting_on(storage), buried)
    turn = await turn_about(
        storage, kept(candidate(secret)), kept(candidate(open_)), dropped(candidate(buried))
    )
    told = await storage.explanations.of(turn.id, lobby(david.id))
    assert told is not None
    assert [one.known.content for one in told.grounds] == ["Mickael habite à Athènes"]
    everything = await storage.explanations.of(turn.id, OPERATOR)
    assert everything is not None
    assert len(everything.grounds) == 3


async def test_a_message_behind_a_row_is_told_within_the_scope_only(storage: StorageParts) -> None:
    """What was learnt in the open from a private message shows the statement alone."""
    (message,) = await overhear(storage, "j'habite à Athènes")
    await storage.database.write(
        lambda t: t.run("UPDATE messages SET audience = 'person:david' WHERE id = 1")
    )
    memory = await stored(storage, messages=(message,))
    turn = await turn_about(storage, kept(candidate(memory)))
    for scope, behind in ((lobby(), 0), (OPERATOR, 1)):
        told = await storage.explanations.of(turn.id, scope)
        assert told is not None
        assert len(told.injected[0].told) == behind


async def test_a_turn_outside_the_scope_is_not_explained(storage: StorageParts) -> None:
    """Neither a private one in the lobby, nor one of another community."""
    memory = await stored(storage)
    private = await turn_about(storage, kept(candidate(memory)), where=ALONE)
    assert await storage.explanations.of(private.id, lobby("david")) is None
    elsewhere = room_of(group("g-lobby", space=SpaceId("guild")))
    await storage.people.keep_room(elsewhere)
    other = await turn_about(storage, kept(candidate(memory)), where=elsewhere)
    assert await storage.explanations.of(other.id, lobby("david")) is None
    assert await storage.explanations.of(other.id, OPERATOR) is not None


async def test_of_what_is_gone_only_the_fate_is_told(storage: StorageParts) -> None:
    """Forgotten, replaced, expired, taken back: each by its name, without a word of it."""
    forgotten = await stored(storage, "David aime le thé")
    replaced = await stored(storage, "Léa habite à Lyon")
    expired = await stored(storage, "Zoé est à Dole", ttl=timedelta(days=1))
    (message,) = await overhear(storage, "je pars demain")
    turn = await turn_about(
        storage,
        *(kept(candidate(one)) for one in (forgotten, replaced, expired)),
        kept(candidate(UUID(int=message), Collection.LIVE)),
    )
    await forget_one(forgetting_on(storage), forgotten)
    await stored(storage, "Léa n'habite plus à Lyon")
    await storage.messages.withdraw(PLATFORM, f"m{message}")
    storage.clock.advance(timedelta(days=2))
    told = await storage.explanations.of(turn.id, lobby())
    assert told is not None
    fates = {one.item.ref.split(":")[1][:36]: one.known for one in told.grounds}
    assert {key: known.fate for key, known in fates.items()} == {
        str(forgotten): RowState.FORGOTTEN,
        str(replaced): RowState.REPLACED,
        str(expired): RowState.EXPIRED,
        str(UUID(int=message)): RowState.WITHDRAWN,
    }
    assert {(known.content, known.said_by, known.at) for known in fates.values()} == {
        ("", None, None)
    }


async def test_a_message_that_was_reworded_since_says_so(storage: StorageParts) -> None:
    """The new words are told, with the mark that others stood there."""
    (message,) = await overhear(storage, "je pars demain")
    turn = await turn_about(storage, kept(candidate(UUID(int=message), Collection.LIVE)))
    storage.clock.advance(timedelta(hours=1))
    await storage.messages.edit(PLATFORM, f"m{message}", "je reste ici")
    told = await storage.explanations.of(turn.id, lobby())
    assert told is not None
    assert told.injected[0].known.content == "je reste ici"
    assert told.injected[0].is_edited


async def test_an_exchange_that_is_found_no_more_is_gone(storage: StorageParts) -> None:
    """It told of something that was forgotten."""
    earlier = await turn_about(storage)
    await storage.turns.delivered(earlier.id)
    turn = await turn_about(storage, kept(candidate(earlier.id, Collection.CONVERSATIONS)))
    told = await storage.explanations.of(turn.id, lobby())
    assert told is not None
    assert told.injected[0].known.content == "où habite Mickael ? → À Athènes."
    await storage.database.write(
        lambda t: t.run("UPDATE turns SET search_text = '' WHERE id = :id", {"id": str(earlier.id)})
    )
    told = await storage.explanations.of(turn.id, lobby())
    assert told is not None
    assert told.injected[0].known.fate is RowState.FORGOTTEN


async def test_what_stood_in_the_window_stood_behind_the_reply_too(storage: StorageParts) -> None:
    """It was injected for an earlier turn; what was dropped otherwise was not there."""
    one, two, three = [await stored(storage, f"Zoé visite Dole{n}") for n in range(3)]
    turn = await turn_about(
        storage,
        kept(candidate(one)),
        dropped(candidate(two), "in the window"),
        dropped(candidate(three)),
    )
    told = await storage.explanations.of(turn.id, lobby())
    assert told is not None
    parts = (told.injected, told.standing, told.dropped)
    assert [[row.known.content[-1] for row in part] for part in parts] == [["0"], ["1"], ["2"]]


async def test_the_words_of_an_edited_question_are_not_guessed(storage: StorageParts) -> None:
    """What it said then is gone."""
    turn = await turn_about(storage, kept(candidate(await stored(storage))), query="")
    told = await storage.explanations.of(turn.id, lobby())
    assert told is not None
    assert told.injected[0].words == ()


async def test_what_was_dropped_is_removed_after_its_days(storage: StorageParts) -> None:
    """What was injected stays, the count stays, and younger turns keep all."""
    memory, other = await stored(storage), await stored(storage, "Léa part")
    judged = (
        kept(candidate(memory)),
        dropped(candidate(other)),
        dropped(candidate(other), "in the window"),
        dropped(candidate(other), "said in the window"),
    )
    old = await turn_about(storage, *judged)
    storage.clock.advance(timedelta(days=29))
    young = await turn_about(storage, *judged)
    storage.clock.advance(timedelta(days=2))
    assert await storage.ledger.trim(timedelta(days=30)) == 1
    assert await storage.ledger.trim(timedelta(days=30)) == 0
    left = [one.reason for one in await storage.ledger.explained(old.id)]
    assert left == ["words", "in the window", "said in the window"]
    assert len(await storage.ledger.explained(young.id)) == 4
    assert (await storage.ledger.retrieval_of(old.id)).considered == 4
    assert (await storage.ledger.retrieval_of(old.id)).trimmed_at == storage.clock.now()
    assert (await storage.ledger.retrieval_of(young.id)).trimmed_at is None


@pytest.mark.parametrize("reason", ["in the window", "said in the window"])
async def test_forgetting_follows_into_old_exchanges_after_a_trim(
    storage: StorageParts, reason: str
) -> None:
    """One may quote what stood in its window, however long ago."""
    memory = await stored(storage)
    turn = await turn_about(storage, dropped(candidate(memory), reason))
    await storage.turns.delivered(turn.id)
    storage.clock.advance(timedelta(days=40))
    await storage.ledger.trim(timedelta(days=30))
    assert await storage.turns.visible([turn.id], OPERATOR)
    await forget_one(forgetting_on(storage), memory)
    assert await storage.turns.visible([turn.id], OPERATOR) == []


async def test_a_turn_is_found_by_the_beginning_of_its_id(storage: StorageParts) -> None:
    """The latest first, within the scope, as many as are asked for."""
    turns = [await turn_about(storage) for _ in range(3)]
    assert [t.id for t in await storage.turns.starting("", OPERATOR, 2)] == [
        turns[2].id,
        turns[1].id,
    ]
    for turn in turns:
        assert [t.id for t in await storage.turns.starting(str(turn.id), OPERATOR, 9)] == [turn.id]
    assert await storage.turns.starting("zz", OPERATOR, 9) == []
    assert await storage.turns.starting("", Scope(frozenset()), 9) == []


async def test_the_last_turn_is_somebodys_or_some_rooms(storage: StorageParts) -> None:
    """By the name or the id of the room; by the name of the person, whatever its case."""
    first = await turn_about(storage)
    second = await turn_about(storage, where=ALONE)
    latest = storage.turns.latest
    assert (await latest(OPERATOR)) == await storage.turns.by_id(second.id, OPERATOR)
    for fields in ({"room": "Lobby"}, {"room": first.room, "speaker": "david"}):
        found = await latest(OPERATOR, **fields)
        assert found is not None
        assert found.id == first.id
    assert await latest(OPERATOR, speaker="Léa") is None
    in_the_lobby = await latest(lobby())
    assert in_the_lobby is not None
    assert in_the_lobby.id == first.id


async def test_the_previous_turn_is_ones_own_before_anothers(storage: StorageParts) -> None:
    """Somebody who was not answered in a room asks about what others heard there."""
    lea = await storage.people.person(PLATFORM, LEA.external_id, LEA.name)
    turn = await turn_about(storage)
    found = await storage.turns.previous(turn.person, turn.room, lobby("david"))
    assert found is not None
    others = await storage.turns.previous(lea.id, turn.room, lobby())
    assert found.id == turn.id
    assert others is not None
    assert others.id == turn.id
    assert await storage.turns.previous(turn.person, ALONE.id, OPERATOR) is None
    assert await storage.turns.previous(turn.person, turn.room, Scope(frozenset())) is None
    storage.clock.advance(timedelta(minutes=16))
    await storage.turns.end_idle(timedelta(minutes=15))
    assert await storage.turns.previous(turn.person, turn.room, lobby("david")) is None


async def test_references_to_nothing_are_left_out(storage: StorageParts) -> None:
    """A row that was purged is not there for anybody."""
    missing = kept(candidate(UUID(int=77)))
    unheard = kept(candidate(UUID(int=MessageId(99)), Collection.LIVE))
    turn = await turn_about(storage, missing, unheard)
    told = await storage.explanations.of(turn.id, OPERATOR)
    assert told is not None
    assert told.grounds == ()
