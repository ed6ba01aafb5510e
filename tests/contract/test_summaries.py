"""Checkpoints: kept once, in their scope, and unsaid with the words they tell of."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from memory.model.audience import OPERATOR, Scope, scope_of
from memory.model.conversations import NewTurn, Session, Turn
from memory.model.knowledge import KnowledgeId
from memory.model.room_excerpts import RoomExcerpt
from memory.model.rooms import Room
from memory.model.stores import Collection
from memory.rules.compaction import Checkpoint, SpanState, SummarySpan, spans
from memory.rules.forgetting.selector import Selector
from memory.storage.conversations.summaries import reopen_summaries
from memory.storage.sqlite.database import Transaction
from tests.cast import CORNER, DAVID, LEA, NOON, PLATFORM, direct, room_of
from tests.forgotten import RUNNER, dump, forgetting_on
from tests.storage import StorageParts, known_by_text, open_truth

HOME = room_of(CORNER)
ALONE = room_of(direct(DAVID))


@pytest.fixture
async def storage(tmp_path: Path) -> AsyncIterator[StorageParts]:
    """New tables with two rooms."""
    async with open_truth(tmp_path) as opened:
        for room in (HOME, ALONE):
            await opened.people.keep_room(room)
        yield opened


async def said(storage: StorageParts, *texts: str, room: Room = HOME) -> list[Turn]:
    """David's turns in his open session, each answered and delivered."""
    person = await storage.people.person(PLATFORM, DAVID.external_id, DAVID.name)
    session = await storage.turns.session(person.id, room.id, timedelta(minutes=15))
    kept = []
    for text in texts:
        storage.clock.advance(timedelta(minutes=1))
        kept.append(await storage.turns.keep(_turn(session, room, text)))
        await storage.turns.delivered(kept[-1].id)
    return kept


def _turn(session: Session, room: Room, text: str) -> NewTurn:
    return NewTurn(
        session=session,
        room=room,
        channel=PLATFORM,
        speaker="David",
        text=text,
        messages=(),
        recalled=(),
        reply="d'accord",
        expression="happy",
        searchable=True,
        pet_name="Eko",
        excerpt=RoomExcerpt(at=NOON),
    )


async def span(storage: StorageParts, session: str, turns: int | None = None) -> SummarySpan:
    """The oldest turns of a session's window."""
    place = await storage.summaries.place(session)
    tail = await storage.summaries.tail(session, injections=False)
    (one,) = spans(place, tail[:turns])
    return one


async def summarised(
    storage: StorageParts, session: str, summary: str, turns: int | None = None
) -> KnowledgeId:
    """Summarise the oldest turns of a session's window."""
    one = await span(storage, session, turns)
    assert await storage.summaries.keep(one, summary, None)
    return one.id


async def of_session(
    storage: StorageParts, session: str, scope: Scope = OPERATOR
) -> list[Checkpoint]:
    """The checkpoints of a session."""
    return await storage.summaries.of_session(session, scope)


async def test_a_checkpoint_moves_the_window_and_can_be_searched(storage: StorageParts) -> None:
    """By words and by meaning, with the time it speaks of and whom it is about."""
    first, *_, last = await said(storage, "un", "deux", "trois")
    id_ = await summarised(storage, first.session, "Les rosiers du jardin.", 2)
    await storage.indexer.settle()
    (candidate,) = await known_by_text(storage, "rosier", OPERATOR)
    (found,) = await storage.knowledge.visible([candidate.id], OPERATOR)
    assert (found.id, found.since, found.channel) == (id_, first.at, PLATFORM)
    assert found.at == first.at + timedelta(minutes=1)
    assert found.about == first.person
    assert await storage.index.ids(Collection.KNOWLEDGE) == {id_}
    assert [turn.id for turn in await storage.turns.window(first.session, OPERATOR)] == [last.id]


async def test_the_same_stretch_twice_is_one_row(storage: StorageParts) -> None:
    """As when the answer comes twice, around a crash."""
    first, *_ = await said(storage, "un", "deux")
    one = await span(storage, first.session)
    assert await storage.summaries.keep(one, "Rome.", None)
    assert await storage.summaries.keep(one, "Rome.", None)
    assert await storage.count("summaries") == await storage.count("knowledge") == 1


async def test_summaries_of_a_private_room_are_for_its_person_only(storage: StorageParts) -> None:
    """By whatever way they are read."""
    first, *_ = await said(storage, "un", "deux", room=ALONE)
    id_ = await summarised(storage, first.session, "Un secret.")
    lea = await storage.people.person(PLATFORM, LEA.external_id, LEA.name)
    theirs = scope_of(room_of(direct(LEA)), lea.id)
    mine = scope_of(ALONE, first.person)
    for scope, rows in ((theirs, 0), (mine, 1)):
        assert len(await of_session(storage, first.session, scope)) == rows
        assert len(await storage.knowledge.visible([id_], scope)) == rows
        assert len(await storage.summaries.before(first.session, scope)) == rows
        assert len(await storage.summaries.listed(scope, name=None, session=None, limit=9)) == rows


async def test_a_stretch_whose_words_have_changed_is_not_kept(storage: StorageParts) -> None:
    """What was read of it is no longer so."""
    first, *_ = await said(storage, "un", "deux")
    one = await span(storage, first.session)
    old = replace(one, exchanges=(replace(one.exchanges[0], text="zéro"), *one.exchanges[1:]))
    assert not await storage.summaries.keep(old, "Zéro.", None)
    assert await storage.count("summaries") == await storage.count("knowledge") == 0


async def test_a_stretch_is_not_kept_when_the_summary_before_it_was_unsaid(
    storage: StorageParts,
) -> None:
    """It may repeat what that one said."""
    first, *_ = await said(storage, "un", "deux")
    await summarised(storage, first.session, "La clé.", 1)
    (before,) = await of_session(storage, first.session)
    later = await span(storage, first.session)
    await reopened(storage, first)
    assert not await storage.summaries.keep(later, "Encore la clé.", before)


async def reopened(storage: StorageParts, *turns: Turn) -> list[KnowledgeId]:
    """Unsay what tells of these turns."""

    async def work(transaction: Transaction) -> list[KnowledgeId]:
        return await reopen_summaries(transaction, [turn.id for turn in turns])

    return await storage.database.write(work)


async def test_what_tells_of_a_turn_is_unsaid_with_every_roll_up_of_it(
    storage: StorageParts,
) -> None:
    """Of its checkpoint and of later ones; an earlier one is only released from the roll-up."""
    turns = await said(storage, "un", "deux", "trois", "quatre")
    session = turns[0].session
    for text in ("A", "B", "C"):
        await summarised(storage, session, f"{text}.", 1)
    members = await of_session(storage, session)
    assert await storage.summaries.roll_up(members, "ABC.")
    rolled = [one for one in await of_session(storage, session) if one.level]
    assert [one.content for one in rolled] == ["ABC."]
    gone = await reopened(storage, turns[1])
    await storage.indexer.settle()
    assert set(gone) == {members[1].id, members[2].id, rolled[0].id}
    left = await of_session(storage, session)
    assert [(one.content, one.state.value) for one in left] == [
        ("A.", "summarised"),
        ("", "unsummarised"),
        ("", "unsummarised"),
    ]
    assert all(one.rolled_into is None for one in left)
    assert await storage.index.ids(Collection.KNOWLEDGE) == {members[0].id}
    assert await storage.count("embeddings", "collection = 'knowledge'") == 1


async def test_a_roll_up_of_what_was_unsaid_meanwhile_is_not_kept(storage: StorageParts) -> None:
    """Its members no longer say what it was made of."""
    turns = await said(storage, "un", "deux")
    for text in ("A", "B"):
        await summarised(storage, turns[0].session, f"{text}.", 1)
    members = await of_session(storage, turns[0].session)
    await reopened(storage, turns[1])
    assert not await storage.summaries.roll_up(members, "AB.")
    assert await storage.count("summaries", "level > 0") == 0


async def test_a_stretch_without_a_summary_waits_and_is_given_up_in_the_end(
    storage: StorageParts,
) -> None:
    """A failure that is no fault of its words does not count."""
    first, *_ = await said(storage, "un", "deux")
    one = await span(storage, first.session)
    hour = timedelta(hours=1)
    for blamed in (False, True, True):
        await storage.summaries.failed(one, "no", blamed=blamed)
        assert await storage.summaries.unsummarised(2, hour) == []
        storage.clock.advance(hour)
    assert await storage.summaries.unsummarised(2, hour) == []
    (waiting,) = await storage.summaries.unsummarised(3, hour)
    assert waiting == one
    (kept,) = await of_session(storage, first.session)
    assert (kept.state, kept.attempts, kept.error) == (SpanState.UNSUMMARISED, 2, "no")
    assert kept.messages == 2


async def test_what_fails_at_first_is_one_row_when_it_succeeds(storage: StorageParts) -> None:
    """The row says that it took two attempts, and no more what was wrong."""
    first, *_ = await said(storage, "un", "deux")
    one = await span(storage, first.session)
    await storage.summaries.failed(one, "no", blamed=True)
    assert await storage.summaries.keep(one, "Rome.", None)
    (kept,) = await of_session(storage, first.session)
    assert (kept.state, kept.attempts, kept.error) == (SpanState.SUMMARISED, 1, None)


async def test_a_turn_that_comes_after_the_end_is_closed_too(storage: StorageParts) -> None:
    """It was being thought about when its session ended."""
    first, *_ = await said(storage, "un", "deux")
    person = await storage.people.person(PLATFORM, DAVID.external_id, DAVID.name)
    session = await storage.turns.session(person.id, HOME.id, timedelta(minutes=15))
    assert await storage.summaries.unclosed() == []
    storage.clock.advance(timedelta(minutes=20))
    await storage.turns.end_idle(timedelta(minutes=15))
    assert await storage.summaries.unclosed() == [first.session]
    await summarised(storage, first.session, "Rome.")
    assert await storage.summaries.unclosed() == []
    await storage.turns.keep(_turn(session, HOME, "trois"))
    assert await storage.summaries.unclosed() == [first.session]


async def test_a_conversation_begins_with_the_last_one_there(storage: StorageParts) -> None:
    """Of the same person in the same room, not with its roll-up and not with an older one."""
    ids = []
    for text in ("A", "B"):
        first, *_ = await said(storage, "un", "deux")
        ids.append(await summarised(storage, first.session, f"{text}."))
        storage.clock.advance(timedelta(hours=1))
        await storage.turns.end_idle(timedelta(minutes=15))
    elsewhere, *_ = await said(storage, "trois", room=ALONE)
    here, *_ = await said(storage, "trois")
    told = await storage.summaries.before(here.session, OPERATOR)
    assert [one.id for one in told] == ids[1:]
    assert await storage.summaries.before(elsewhere.session, OPERATOR) == []


async def test_forgetting_a_topic_unsays_its_summaries_and_undoing_it_gives_them_back(
    storage: StorageParts,
) -> None:
    """The roll-up over them too; every table is as it was before."""
    first, *_ = await said(storage, "mon levain a débordé", "le vélo est rouge")
    for text in ("Le levain a débordé.", "Le vélo est rouge."):
        await summarised(storage, first.session, text, 1)
    assert await storage.summaries.roll_up(
        await of_session(storage, first.session), "Levain, vélo."
    )
    await storage.indexer.settle()
    before = await dump(storage.database)
    forget = forgetting_on(storage)
    await forget.at_once(Selector(topic="levain"), RUNNER)
    await storage.indexer.settle()
    left = await of_session(storage, first.session)
    assert [one.state for one in left] == [SpanState.UNSUMMARISED] * 2
    assert await storage.count("knowledge", "content <> ''") == 0
    assert await storage.index.ids(Collection.KNOWLEDGE) == frozenset()
    await forget.undo(RUNNER)
    await storage.indexer.settle()
    assert await dump(storage.database) == before
    assert len(await storage.index.ids(Collection.KNOWLEDGE)) == 3
