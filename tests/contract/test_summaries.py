"""Checkpoints: kept once, in their scope, and unsaid with the words they tell of."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from memory.model.audience import OPERATOR, Scope, scope_of
from memory.model.conversations import NewTurn, Session, Turn
from memory.model.knowledge import KnowledgeId
from memory.model.rooms import Room
from memory.model.stores import Collection
from memory.rules.compaction import Checkpoint, Span, SpanState, spans
from memory.rules.forgetting.selector import Selector
from memory.storage.conversations.summaries import reopen_summaries
from memory.storage.database import Transaction
from tests.cast import CORNER, DAVID, LEA, PLATFORM, direct, room_of
from tests.forgotten import RUNNER, dump, forgetting_on
from tests.truth import Truth, known_by_text, open_truth

HOME = room_of(CORNER)
ALONE = room_of(direct(DAVID))


@pytest.fixture
async def truth(tmp_path: Path) -> AsyncIterator[Truth]:
    """New tables with two rooms."""
    async with open_truth(tmp_path) as opened:
        for room in (HOME, ALONE):
            await opened.people.keep_room(room)
        yield opened


async def said(truth: Truth, *texts: str, room: Room = HOME) -> list[Turn]:
    """David's turns in his open session, each answered and delivered."""
    person = await truth.people.person(PLATFORM, DAVID.external_id, DAVID.name)
    session = await truth.turns.session(person.id, room.id, timedelta(minutes=15))
    kept = []
    for text in texts:
        truth.clock.advance(timedelta(minutes=1))
        kept.append(await truth.turns.keep(_turn(session, room, text)))
        await truth.turns.delivered(kept[-1].id)
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
    )


async def span(truth: Truth, session: str, turns: int | None = None) -> Span:
    """The oldest turns of a session's window."""
    place = await truth.summaries.place(session)
    tail = await truth.summaries.tail(session, injections=False)
    (one,) = spans(place, tail[:turns])
    return one


async def summarised(
    truth: Truth, session: str, summary: str, turns: int | None = None
) -> KnowledgeId:
    """Summarise the oldest turns of a session's window."""
    one = await span(truth, session, turns)
    assert await truth.summaries.keep(one, summary, None)
    return one.id


async def of_session(truth: Truth, session: str, scope: Scope = OPERATOR) -> list[Checkpoint]:
    """The checkpoints of a session."""
    return await truth.summaries.of_session(session, scope)


async def test_a_checkpoint_moves_the_window_and_can_be_searched(truth: Truth) -> None:
    """By words and by meaning, with the time it speaks of and whom it is about."""
    first, *_, last = await said(truth, "un", "deux", "trois")
    id_ = await summarised(truth, first.session, "Les rosiers du jardin.", 2)
    await truth.indexer.settle()
    (candidate,) = await known_by_text(truth, "rosier", OPERATOR)
    (found,) = await truth.knowledge.visible([candidate.id], OPERATOR)
    assert (found.id, found.since, found.channel) == (id_, first.at, PLATFORM)
    assert found.at == first.at + timedelta(minutes=1)
    assert found.about == first.person
    assert await truth.index.ids(Collection.KNOWLEDGE) == {id_}
    assert [turn.id for turn in await truth.turns.window(first.session)] == [last.id]


async def test_the_same_stretch_twice_is_one_row(truth: Truth) -> None:
    """As when the answer comes twice, around a crash."""
    first, *_ = await said(truth, "un", "deux")
    one = await span(truth, first.session)
    assert await truth.summaries.keep(one, "Rome.", None)
    assert await truth.summaries.keep(one, "Rome.", None)
    assert await truth.count("summaries") == await truth.count("knowledge") == 1


async def test_summaries_of_a_private_room_are_for_its_person_only(truth: Truth) -> None:
    """By whatever way they are read."""
    first, *_ = await said(truth, "un", "deux", room=ALONE)
    id_ = await summarised(truth, first.session, "Un secret.")
    lea = await truth.people.person(PLATFORM, LEA.external_id, LEA.name)
    theirs = scope_of(room_of(direct(LEA)), lea.id)
    mine = scope_of(ALONE, first.person)
    for scope, rows in ((theirs, 0), (mine, 1)):
        assert len(await of_session(truth, first.session, scope)) == rows
        assert len(await truth.knowledge.visible([id_], scope)) == rows
        assert len(await truth.summaries.before(first.session, scope)) == rows
        assert len(await truth.summaries.listed(scope, name=None, session=None, limit=9)) == rows


async def test_a_stretch_whose_words_have_changed_is_not_kept(truth: Truth) -> None:
    """What was read of it is no longer so."""
    first, *_ = await said(truth, "un", "deux")
    one = await span(truth, first.session)
    old = replace(one, exchanges=(replace(one.exchanges[0], text="zéro"), *one.exchanges[1:]))
    assert not await truth.summaries.keep(old, "Zéro.", None)
    assert await truth.count("summaries") == await truth.count("knowledge") == 0


async def test_a_stretch_is_not_kept_when_the_summary_before_it_was_unsaid(truth: Truth) -> None:
    """It may repeat what that one said."""
    first, *_ = await said(truth, "un", "deux")
    await summarised(truth, first.session, "La clé.", 1)
    (before,) = await of_session(truth, first.session)
    later = await span(truth, first.session)
    await reopened(truth, first)
    assert not await truth.summaries.keep(later, "Encore la clé.", before)


async def reopened(truth: Truth, *turns: Turn) -> list[KnowledgeId]:
    """Unsay what tells of these turns."""

    async def work(transaction: Transaction) -> list[KnowledgeId]:
        return await reopen_summaries(transaction, [turn.id for turn in turns])

    return await truth.database.write(work)


async def test_what_tells_of_a_turn_is_unsaid_with_every_roll_up_of_it(truth: Truth) -> None:
    """Of its checkpoint and of later ones; an earlier one is only released from the roll-up."""
    turns = await said(truth, "un", "deux", "trois", "quatre")
    session = turns[0].session
    for text in ("A", "B", "C"):
        await summarised(truth, session, f"{text}.", 1)
    members = await of_session(truth, session)
    assert await truth.summaries.roll_up(members, "ABC.")
    rolled = [one for one in await of_session(truth, session) if one.level]
    assert [one.content for one in rolled] == ["ABC."]
    gone = await reopened(truth, turns[1])
    await truth.indexer.settle()
    assert set(gone) == {members[1].id, members[2].id, rolled[0].id}
    left = await of_session(truth, session)
    assert [(one.content, one.state.value) for one in left] == [
        ("A.", "summarised"),
        ("", "unsummarised"),
        ("", "unsummarised"),
    ]
    assert all(one.rolled_into is None for one in left)
    assert await truth.index.ids(Collection.KNOWLEDGE) == {members[0].id}
    assert await truth.count("embeddings", "collection = 'knowledge'") == 1


async def test_a_roll_up_of_what_was_unsaid_meanwhile_is_not_kept(truth: Truth) -> None:
    """Its members no longer say what it was made of."""
    turns = await said(truth, "un", "deux")
    for text in ("A", "B"):
        await summarised(truth, turns[0].session, f"{text}.", 1)
    members = await of_session(truth, turns[0].session)
    await reopened(truth, turns[1])
    assert not await truth.summaries.roll_up(members, "AB.")
    assert await truth.count("summaries", "level > 0") == 0


async def test_a_stretch_without_a_summary_waits_and_is_given_up_in_the_end(truth: Truth) -> None:
    """A failure that is no fault of its words does not count."""
    first, *_ = await said(truth, "un", "deux")
    one = await span(truth, first.session)
    hour = timedelta(hours=1)
    for blamed in (False, True, True):
        await truth.summaries.failed(one, "no", blamed=blamed)
        assert await truth.summaries.unsummarised(2, hour) == []
        truth.clock.advance(hour)
    assert await truth.summaries.unsummarised(2, hour) == []
    (waiting,) = await truth.summaries.unsummarised(3, hour)
    assert waiting == one
    (kept,) = await of_session(truth, first.session)
    assert (kept.state, kept.attempts, kept.error) == (SpanState.UNSUMMARISED, 2, "no")
    assert kept.messages == 2


async def test_what_fails_at_first_is_one_row_when_it_succeeds(truth: Truth) -> None:
    """The row says that it took two attempts, and no more what was wrong."""
    first, *_ = await said(truth, "un", "deux")
    one = await span(truth, first.session)
    await truth.summaries.failed(one, "no", blamed=True)
    assert await truth.summaries.keep(one, "Rome.", None)
    (kept,) = await of_session(truth, first.session)
    assert (kept.state, kept.attempts, kept.error) == (SpanState.SUMMARISED, 1, None)


async def test_a_turn_that_comes_after_the_end_is_closed_too(truth: Truth) -> None:
    """It was being thought about when its session ended."""
    first, *_ = await said(truth, "un", "deux")
    person = await truth.people.person(PLATFORM, DAVID.external_id, DAVID.name)
    session = await truth.turns.session(person.id, HOME.id, timedelta(minutes=15))
    assert await truth.summaries.unclosed() == []
    truth.clock.advance(timedelta(minutes=20))
    await truth.turns.end_idle(timedelta(minutes=15))
    assert await truth.summaries.unclosed() == [first.session]
    await summarised(truth, first.session, "Rome.")
    assert await truth.summaries.unclosed() == []
    await truth.turns.keep(_turn(session, HOME, "trois"))
    assert await truth.summaries.unclosed() == [first.session]


async def test_a_conversation_begins_with_the_last_one_there(truth: Truth) -> None:
    """Of the same person in the same room, not with its roll-up and not with an older one."""
    ids = []
    for text in ("A", "B"):
        first, *_ = await said(truth, "un", "deux")
        ids.append(await summarised(truth, first.session, f"{text}."))
        truth.clock.advance(timedelta(hours=1))
        await truth.turns.end_idle(timedelta(minutes=15))
    elsewhere, *_ = await said(truth, "trois", room=ALONE)
    here, *_ = await said(truth, "trois")
    told = await truth.summaries.before(here.session, OPERATOR)
    assert [one.id for one in told] == ids[1:]
    assert await truth.summaries.before(elsewhere.session, OPERATOR) == []


async def test_forgetting_a_topic_unsays_its_summaries_and_undoing_it_gives_them_back(
    truth: Truth,
) -> None:
    """The roll-up over them too; every table is as it was before."""
    first, *_ = await said(truth, "mon levain a débordé", "le vélo est rouge")
    for text in ("Le levain a débordé.", "Le vélo est rouge."):
        await summarised(truth, first.session, text, 1)
    assert await truth.summaries.roll_up(await of_session(truth, first.session), "Levain, vélo.")
    await truth.indexer.settle()
    before = await dump(truth.database)
    forget = forgetting_on(truth)
    await forget.at_once(Selector(topic="levain"), RUNNER)
    await truth.indexer.settle()
    left = await of_session(truth, first.session)
    assert [one.state for one in left] == [SpanState.UNSUMMARISED] * 2
    assert await truth.count("knowledge", "content <> ''") == 0
    assert await truth.index.ids(Collection.KNOWLEDGE) == frozenset()
    await forget.undo(RUNNER)
    await truth.indexer.settle()
    assert await dump(truth.database) == before
    assert len(await truth.index.ids(Collection.KNOWLEDGE)) == 3
