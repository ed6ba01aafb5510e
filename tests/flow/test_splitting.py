"""Accounts that were joined are taken apart again: each has what came from it, and nothing else."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.model.events import AuthorRef, RoomRef
from memory.model.audience import OPERATOR
from memory.model.authority import Actor
from memory.model.errors import OnlyAccount, UnknownAccount
from memory.model.linking import Moved
from memory.model.people import OPERATOR_ACTOR, AccountId
from memory.rules.forgetting.selector import Requester, Selector
from memory.storage.linking.joining import JoinedPeople
from memory.storage.linking.splitting import Accounts
from tests.cast import CORNER, DAVID, LEA, LOBBY, direct
from tests.flow.pet import Pet, awake, calls, responds
from tests.flow.test_core_facts import digested
from tests.forgotten import forgetting_on
from tests.linked import DAV, MAIL, joined, person_behind

ALONE = direct(DAVID)


@pytest.fixture
async def pet(tmp_path: Path) -> AsyncIterator[Pet]:
    """A pet that listens on two platforms, where two accounts have told it things."""
    async with awake(tmp_path) as born:
        born.delivery._channels = {**born.delivery._channels, "mail": born.channel}
        for who, where, city, job in (
            (DAVID, ALONE, "Lyon", "fleuriste"),
            (DAV, MAIL, "Nantes", "pompier"),
        ):
            await born.asked(f"j'habite à {city}", who, where)
            await born.asked("j'aime le thé", who, where)
            await born.asked(f"je suis {job}", who, CORNER)
            await born.learns()
            await born.overhears("mon chien s'appelle Rex", who, LOBBY)
            born.storage.clock.advance(timedelta(minutes=1))
        await digested(born)
        await born.falls_silent()
        await born.learns()
        yield born


def accounts_on(pet: Pet) -> Accounts:
    """Splitting on these tables."""
    return Accounts(pet.storage.database, pet.storage.people, pet.storage.clock)


OWNED = {
    "identities": "platform, external_id, person_id",
    "messages": "id, person_id, audience",
    "turns": "id, person_id, audience, session_id",
    "sessions": "id, person_id, room_id",
    "memories": "id, author_id, person_id, about_person, audience, slot, superseded_by,"
    " valid_until",
    "knowledge": "id, about_person, person_id, audience, retired_at",
    "core_facts": "person_id, audience, key, value, valid_until",
    "aliases": "name, person_id, audience, memory_id",
    "memory_sources": "memory_id, message_id",
    "associations": "from_id, to_id, relation",
}
"""Every table that says whose a row is, with the columns that do."""


async def owned(pet: Pet) -> dict[str, list[Any]]:
    """Whose everything is."""
    return {
        table: sorted(
            map(repr, map(tuple, await pet.storage.database.all(f"SELECT {columns} FROM {table}")))  # noqa: S608 - our own names
        )
        for table, columns in OWNED.items()
    }


async def test_what_was_joined_and_split_is_as_it_was(pet: Pet) -> None:
    """Every row of every table is again whose it was, what ended by the joining included."""
    before = await owned(pet)
    assert len(before["memories"]) >= 8
    await joined(pet.storage)
    assert await owned(pet) != before
    done = await accounts_on(pet).split(DAV.account, OPERATOR_ACTOR)
    after = await owned(pet)
    for table, rows in before.items():
        assert after[table] == rows, table
    assert (done.leaving.platform, [one.platform for one in done.staying]) == ("mail", ["chat"])
    assert done.counts[Moved.MESSAGES] == 4
    assert (await pet.storage.health.checkup()).problems == ()


async def test_the_one_who_offered_the_code_can_leave_too(pet: Pet) -> None:
    """Under a new id, since the old one is the other's; nothing of the other comes along."""
    await joined(pet.storage)
    david = await person_behind(pet.storage, DAVID)
    await accounts_on(pet).split(DAVID.account, OPERATOR_ACTOR)
    leaver = await person_behind(pet.storage, DAVID)
    assert leaver != david == await person_behind(pet.storage, DAV)
    rows = await pet.storage.database.all(
        "SELECT DISTINCT person_id, account FROM messages WHERE author_kind = 'person'"
        " UNION SELECT DISTINCT author_id, account FROM memories"
        " UNION SELECT person_id, account FROM turns"
        " UNION SELECT substr(audience, 8), account FROM messages WHERE audience LIKE 'person:%'"
        " UNION SELECT substr(audience, 8), account FROM memories WHERE audience LIKE 'person:%'"
    )
    assert {tuple(row) for row in rows} == {(leaver, DAVID.account), (david, DAV.account)}


async def kept(pet: Pet, content: str, who: AuthorRef, where: RoomRef) -> None:
    """Somebody has the model keep a statement."""
    pet.model.will(calls(("store_memory", {"content": content})), responds("ok"))
    await pet.asked("Eko, retiens-le", who, where)


async def recalled(pet: Pet, who: AuthorRef, where: RoomRef, question: str) -> str:
    """What is recalled for a question, and what a search tells."""
    pet.model.will(calls(("search_memories", {"query": question})), responds("ok"))
    return await pet.asked(question, who, where) + "\n".join(pet.model.results)


async def test_afterwards_neither_hears_what_the_other_told_alone(pet: Pet) -> None:
    """Said before the joining or while they were one."""
    await joined(pet.storage)
    await kept(pet, "Le code de cave est 4471", DAV, MAIL)
    await accounts_on(pet).split(DAV.account, OPERATOR_ACTOR)
    await pet.storage.indexer.settle()
    told = await recalled(pet, DAVID, ALONE, "quel est mon code de cave ? où j'habite ?")
    assert "4471" not in told
    assert "Nantes" not in told
    assert "Lyon" in told
    told = await recalled(pet, DAV, MAIL, "quel est mon code de cave ? où j'habite ?")
    assert "4471" in told
    assert "Lyon" not in told


async def test_an_answer_that_repeats_the_others_private_words_is_recalled_for_neither(
    pet: Pet,
) -> None:
    """It was right while they were one; afterwards only the words themselves are known."""
    await kept(pet, "Le code de cave est 4471", DAVID, ALONE)
    await joined(pet.storage)
    pet.model.will(responds("Ton code de cave est 4471."))
    await pet.asked("rappelle-moi mon code de cave ?", DAV, MAIL)
    pet.storage.clock.advance(timedelta(days=1))
    await pet.falls_silent()
    await pet.storage.indexer.settle()
    assert "4471" in await recalled(pet, DAV, MAIL, "mon code de cave ?")
    pet.storage.clock.advance(timedelta(days=1))
    await pet.falls_silent()
    await accounts_on(pet).split(DAV.account, OPERATOR_ACTOR)
    await pet.storage.indexer.settle()
    told = await recalled(pet, DAV, MAIL, "quel est mon code de cave ?")
    assert "4471" not in told
    assert "4471" in await recalled(pet, DAVID, ALONE, "quel est mon code de cave ?")


async def test_what_rests_on_both_stays_and_rests_on_those_who_stay(pet: Pet) -> None:
    """The same said from both accounts while they were one."""
    await joined(pet.storage)
    for who in (DAVID, DAV):
        await kept(pet, "David adore le levain", who, CORNER)
    await accounts_on(pet).split(DAV.account, OPERATOR_ACTOR)
    rows = await pet.storage.database.all(
        "SELECT m.author_id, m.account, g.account AS ground FROM memories AS m"
        " JOIN memory_sources AS s ON s.memory_id = m.id JOIN messages AS g ON g.id = s.message_id"
        " WHERE m.content LIKE '%levain%'"
    )
    david = await person_behind(pet.storage, DAVID)
    assert [tuple(row) for row in rows] == [(david, DAVID.account, DAVID.account)]


async def test_a_group_where_both_spoke_becomes_two_conversations(pet: Pet) -> None:
    """No session holds turns of two people."""
    await joined(pet.storage)
    for who in (DAVID, DAV, DAVID):
        await pet.asked("quel temps !", who, CORNER)
    await accounts_on(pet).split(DAV.account, OPERATOR_ACTOR)
    rows = await pet.storage.database.all(
        "SELECT t.person_id AS turn, s.person_id AS session FROM turns AS t"
        " JOIN sessions AS s ON s.id = t.session_id"
    )
    assert all(row["turn"] == row["session"] for row in rows)
    await pet.asked("et demain ?", DAV, CORNER)
    await pet.asked("et demain ?", DAVID, CORNER)


async def test_what_was_forgotten_comes_back_to_whose_it_was(pet: Pet) -> None:
    """An undo after the splitting gives nothing of one to the other."""
    await joined(pet.storage)
    dav = await person_behind(pet.storage, DAV)
    forget = forgetting_on(pet.storage)
    asker = Requester(scope=OPERATOR, actor=Actor(person=dav))
    await forget.at_once(Selector(person=dav, topic="Nantes"), asker)
    await accounts_on(pet).split(DAV.account, OPERATOR_ACTOR)
    await forget.undo(replace(asker, actor=Actor(person=await person_behind(pet.storage, DAVID))))
    own = await person_behind(pet.storage, DAV)
    rows = await pet.storage.database.all(
        "SELECT author_id, person_id, about_person, audience FROM memories"
        " WHERE content LIKE '%Nantes%'"
    )
    assert {tuple(row) for row in rows} == {(own, own, own, f"person:{own}")}
    facts = await pet.storage.database.all(
        "SELECT person_id, audience FROM core_facts WHERE value = 'Nantes'"
    )
    assert {tuple(row) for row in facts} == {(own, f"person:{own}")}


async def test_work_under_way_is_whose_account_it_came_from(pet: Pet) -> None:
    """An answer that was begun before the splitting and is kept after it."""
    await joined(pet.storage)
    pet.model.gate.clear()
    await pet.hears("mon coffre est bleu", DAV, MAIL)
    pet.lets_quiet_pass()
    await pet.model.thinking.wait()
    await accounts_on(pet).split(DAV.account, OPERATOR_ACTOR)
    pet.model.gate.set()
    await pet.answers()
    own = await person_behind(pet.storage, DAV)
    rows = await pet.storage.database.all(
        "SELECT person_id, audience FROM turns WHERE text LIKE '%coffre%'"
        " UNION SELECT person_id, audience FROM messages WHERE text LIKE '%coffre%'"
    )
    assert {tuple(row) for row in rows} == {(own, f"person:{own}")}


async def test_an_account_is_put_to_another_person(pet: Pet) -> None:
    """Split off, it takes along what is its own; joined whole, a person takes all there is."""
    await joined(pet.storage)
    lea = await person_behind(pet.storage, LEA)
    accounts = accounts_on(pet)
    await accounts.split(DAV.account, OPERATOR_ACTOR)
    people = JoinedPeople(pet.storage.database, pet.storage.people, pet.storage.clock)
    await people.join(await person_behind(pet.storage, DAV), lea, OPERATOR_ACTOR)
    assert await person_behind(pet.storage, DAV) == lea
    assert await pet.storage.count("memories", f"author_id = '{lea}'") >= 4
    await people.join(await person_behind(pet.storage, DAVID), lea, OPERATOR_ACTOR)
    assert await pet.storage.count("memories", f"author_id <> '{lea}'") == 0
    assert (await pet.storage.health.checkup()).problems == ()


async def test_what_others_say_of_them_stays_where_it_is(pet: Pet) -> None:
    """Nobody can tell which of two accounts was meant."""
    await joined(pet.storage)
    await pet.overhears("David aime les huîtres", LEA, LOBBY)
    await digested(pet)
    await accounts_on(pet).split(DAV.account, OPERATOR_ACTOR)
    rows = await pet.storage.memories.latest(None, OPERATOR, 50)
    (claim,) = [row for row in rows if "huîtres" in row.content]
    assert claim.about_person == await person_behind(pet.storage, DAVID)
    assert claim.author == await person_behind(pet.storage, LEA)


async def test_one_account_alone_is_not_split(pet: Pet) -> None:
    """Nor one that never spoke."""
    accounts = accounts_on(pet)
    with pytest.raises(OnlyAccount):
        await accounts.split(DAV.account, OPERATOR_ACTOR)
    with pytest.raises(UnknownAccount):
        await accounts.preview(AccountId("mail:nobody"))
    before = await owned(pet)
    await joined(pet.storage)
    joined_rows = await owned(pet)
    await accounts.preview(DAV.account)
    assert await owned(pet) == joined_rows != before
