"""Two accounts of one person: what either said in private is known to both, and nobody else."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from bot.model.events import AuthorRef, Inbound, RoomRef
from memory.model.audience import OPERATOR, Origin, scope_of
from memory.model.authority import Actor
from memory.model.export import ExportSelection, MemoryEntry, PersonEntry
from memory.model.retrieval import Section
from memory.model.rooms import SpaceId, Visibility
from memory.rules.forgetting.selector import Requester, Selector
from memory.storage.transfer.exports import Exports
from tests.cast import CORNER, DAVID, LEA, LOBBY, direct, group, room_of
from tests.flow.pet import Pet, awake, calls, responds
from tests.flow.test_core_facts import section
from tests.forgotten import forgetting_on, holding
from tests.linked import DAV, MAIL, account_of, joined, linking_on, person_behind
from tests.patience import PATIENCE_S
from tests.storage import statement

ALONE = direct(DAVID)
SECRET = "rendez-vous chez le cardiologue"
QUESTION = "que sais-tu de mon cardiologue ?"
GUILD = group("g-lobby", space=SpaceId("guild"))


@pytest.fixture
async def pet(tmp_path: Path) -> AsyncIterator[Pet]:
    """A pet that listens on two platforms."""
    async with awake(tmp_path) as born:
        born.delivery._channels = {**born.delivery._channels, "mail": born.channel}
        yield born


async def told(pet: Pet, who: AuthorRef, where: RoomRef, what: str = SECRET) -> None:
    """Somebody says it, and the model keeps it."""
    pet.model.will(
        calls(("store_memory", {"content": f"{who.name} a un {what}"})), responds("Oui.")
    )
    await pet.asked(f"Eko, j'ai un {what}", who, where)


def message(pet: Pet, text: str) -> Inbound:
    """Something that David said in the lobby."""
    return Inbound(
        external_id="missed", room=LOBBY, author=DAVID, text=text, sent_at=pet.storage.clock.now()
    )


async def known(pet: Pet, who: AuthorRef, where: RoomRef) -> str:
    """Whatever reaches a model that looks for it, by itself and by asking."""
    asks = calls(
        ("search_memories", {"query": SECRET}),
        ("memory__search", {"query": SECRET}),
        ("memory__search_text", {"query": "cardiologue"}),
    )
    pet.model.will(asks, responds("Je ne dis rien."))
    injected = await pet.asked(f"Eko, {QUESTION}", who, where)
    return injected + "\n".join(pet.model.results)


@pytest.mark.parametrize(
    ("said_by", "said_in", "asked_by", "asked_in"),
    [(DAVID, ALONE, DAV, MAIL), (DAV, MAIL, DAVID, ALONE)],
)
async def test_said_alone_on_one_platform_it_is_known_alone_on_the_other(
    pet: Pet, said_by: AuthorRef, said_in: RoomRef, asked_by: AuthorRef, asked_in: RoomRef
) -> None:
    """Not before the accounts are one person's, and then whichever of them said it."""
    await told(pet, said_by, said_in)
    assert "rendez-vous" not in await known(pet, asked_by, asked_in)
    await joined(pet.storage)
    assert "rendez-vous" in await known(pet, asked_by, asked_in)


async def test_to_others_and_before_others_it_stays_unknown(pet: Pet) -> None:
    """Joining opens no other door, of either account."""
    await told(pet, DAV, MAIL)
    await told(pet, LEA, direct(LEA), "secret de rendez-vous")
    await joined(pet.storage)
    for who, where in ((LEA, direct(LEA)), (DAVID, LOBBY), (DAV, CORNER), (LEA, GUILD)):
        assert SECRET not in await known(pet, who, where)
    assert "secret de rendez-vous" not in await known(pet, DAV, MAIL)
    assert "secret de rendez-vous" in await known(pet, LEA, direct(LEA))


async def test_what_a_community_heard_stays_the_communitys(pet: Pet) -> None:
    """Neither more nor fewer may know of it."""
    await told(pet, DAV, GUILD)
    before = await _audiences(pet)
    await joined(pet.storage)
    assert await _audiences(pet) == before
    assert SECRET in await known(pet, LEA, GUILD)
    assert SECRET not in await known(pet, LEA, LOBBY)


async def _audiences(pet: Pet) -> list[tuple[str, ...]]:
    rows = await pet.storage.database.all(
        "SELECT audience FROM memories UNION ALL SELECT audience FROM messages"
    )
    return sorted(tuple(row) for row in rows)


async def test_the_vector_store_says_the_same_as_the_truth(pet: Pet) -> None:
    """Every payload names the one person, and who may know."""
    await told(pet, DAV, MAIL)
    await pet.overhears("le marché ouvre demain", DAV, LOBBY)
    await pet.asked("j'habite à Nantes", DAV, MAIL)
    await pet.learns()
    done = await joined(pet.storage)
    await pet.storage.indexer.settle()
    payloads = _payloads(pet)
    for collection in ("live", "memory", "conversations", "knowledge"):
        assert done.person in repr(payloads[collection]), collection
    assert done.merged not in repr(payloads)


def _payloads(pet: Pet) -> dict[str, list[object]]:
    """What the vector store says of each of its entries."""
    return {
        collection: [point.payload for point in held.values()]
        for collection, held in pet.storage.index._points.items()
    }


async def test_a_turn_that_was_being_thought_about_is_kept_as_the_one_persons(pet: Pet) -> None:
    """Its batch, session and scope are of a person whose row is emptied when it is stored."""
    pet.model.gate.clear()
    pet.model.will(calls(("store_memory", {"content": f"Dav a un {SECRET}"})), responds("Oui."))
    await pet.hears(f"j'ai un {SECRET}", DAV, MAIL)
    pet.lets_quiet_pass()
    async with asyncio.timeout(PATIENCE_S):
        await pet.model.thinking.wait()
    done = await joined(pet.storage)
    pet.model.gate.set()
    await pet.answers()
    assert pet.channel.texts[-1] == "Oui."
    assert await pet.storage.count("turns", f"person_id = '{done.person}'") == 1
    assert await pet.storage.count("memories", f"audience = 'person:{done.person}'") == 1
    assert "rendez-vous" in await known(pet, DAVID, ALONE)


async def test_a_message_that_was_being_gathered_is_answered(pet: Pet) -> None:
    """Its conversation begins under the emptied id, and is the one person's."""
    await pet.hears("bonjour", DAV, MAIL)
    done = await joined(pet.storage)
    pet.model.will(responds("Salut."))
    assert (await pet.answers())[-1] == "Salut."
    assert await pet.storage.count("sessions", f"person_id = '{done.person}'") == 1
    assert await pet.storage.count("turns", f"person_id <> '{done.person}'") == 0


async def test_a_message_that_waited_for_a_restart_is_answered_under_its_own_name(
    tmp_path: Path,
) -> None:
    """Its account's, and not the name that its person has elsewhere."""
    async with awake(tmp_path) as pet:
        await pet.hears("Eko, bonjour à tous", DAV, LOBBY)
        await joined(pet.storage)
    async with awake(tmp_path) as pet:
        await pet.inbox.resume()
        await pet.answers()
        assert pet.model.last.speaker == "Dav"


async def test_what_was_missed_is_kept_under_the_name_of_its_account(tmp_path: Path) -> None:
    """A community is not told by it what somebody goes by where they are linked to."""
    async with awake(tmp_path) as pet:
        await pet.hears("Eko, bonjour à tous", DAVID, LOBBY)
        await joined(pet.storage)
        await pet.hears("me revoilà", DAV, MAIL)
    async with awake(tmp_path) as pet:
        missed = message(pet, "me revoilà aussi")
        await pet.inbox.receive_all([missed], missed_at=pet.storage.clock.now())
        (*_, last) = await pet.storage.messages.recent(room_of(LOBBY).id, 10)
        assert (last.text, last.author) == ("me revoilà aussi", "David")


async def test_the_later_of_two_cities_holds(pet: Pet) -> None:
    """As if one account had said both: the earlier is history, and is recalled no more."""
    await pet.asked("j'habite à Lyon", where=ALONE)
    await pet.learns()
    await pet.asked("j'habite à Nantes", DAV, MAIL)
    await pet.learns()
    await joined(pet.storage)
    facts = await pet.storage.core_facts.listed(OPERATOR)
    assert [(one.key, one.value) for one in facts] == [("city", "Nantes")]
    ever = await pet.storage.core_facts.listed(OPERATOR, history=True)
    assert [one.value for one in ever if one.until is not None] == ["Lyon"]
    held = await pet.storage.memories.latest(None, OPERATOR, 10)
    assert [one.content for one in held] == ["Dav: j'habite à Nantes"]
    assert await pet.storage.count("associations", "relation = 'updates'") == 1
    await pet.falls_silent()
    injected = await pet.asked("tu me conseilles quoi ce soir ?", where=ALONE)
    assert len(section(injected, Section.CORE)) == 1
    assert "Lyon" not in injected


async def test_what_both_said_of_themselves_is_one_fact(pet: Pet) -> None:
    """It holds since the first of them said it."""
    await pet.asked("j'habite à Lyon", where=ALONE)
    await pet.learns()
    (first,) = await pet.storage.core_facts.listed(OPERATOR)
    await pet.asked("j'habite à Lyon", DAV, MAIL)
    await pet.learns()
    await joined(pet.storage)
    (left,) = await pet.storage.core_facts.listed(OPERATOR, history=True)
    assert (left.value, left.since, left.until) == ("Lyon", first.since, None)


async def test_one_forget_me_takes_what_both_accounts_said(pet: Pet) -> None:
    """Asked for from either of them, and no name of either is left."""
    for who, where, canary in ((DAVID, ALONE, "zorvath"), (DAV, MAIL, "quibblex")):
        await told(pet, who, where, canary)
        await pet.overhears(f"mon {canary} est cassé", who, LOBBY)
    await joined(pet.storage)
    person = await person_behind(pet.storage, DAV)
    asker = Requester(scope=OPERATOR, actor=Actor(person=person))
    selector = Selector(person=person, about=True, erase=True)
    forgetting = forgetting_on(pet.storage)
    receipt = await forgetting.at_once(selector, asker)
    assert receipt.counts
    await pet.storage.indexer.settle()
    for word in ("zorvath", "quibblex", "David", "'Dav'"):
        assert await holding(pet.storage, word) == [], word


async def test_somebody_who_is_joined_twice_is_one_person(pet: Pet) -> None:
    """A third account; the emptied row of the first joining leads to whoever is left."""
    phone = AuthorRef(platform="phone", external_id="0601", name="D")
    await told(pet, DAV, MAIL)
    first = await joined(pet.storage, enters=DAV, offers=phone)
    second = await joined(pet.storage, enters=phone, offers=DAVID)
    assert second.merged == first.person
    merged_people = await pet.storage.count("people", f"merged_into = '{second.person}'")
    assert merged_people == 2
    assert {await person_behind(pet.storage, who) for who in (DAV, phone, DAVID)} == {second.person}
    assert "rendez-vous" in await known(pet, DAVID, ALONE)


async def test_a_code_says_nothing_of_what_it_would_bring(pet: Pet) -> None:
    """Showing what would be joined moves nothing."""
    await told(pet, DAV, MAIL)
    linking = linking_on(pet.storage)
    code = await linking.offer(await person_behind(pet.storage, DAVID), account_of(DAVID))
    shown = await linking.preview(code, await person_behind(pet.storage, DAV), account_of(DAV))
    assert shown.counts == {"messages": 1, "exchanges": 1, "statements": 1}
    assert "rendez-vous" not in await known(pet, DAVID, ALONE)


async def test_an_export_holds_what_either_account_may_know(pet: Pet) -> None:
    """Each platform vouches for its own communities, whichever was spoken on last."""
    guild, home = SpaceId("guild"), SpaceId("home")
    about = Origin(visibility=Visibility.SPACE, space=guild)
    await pet.storage.remember.store(
        statement("David joue du hautbois", origin=about, subjects=("David",))
    )
    await pet.asked("bonjour", DAVID, ALONE, spaces=frozenset({home, guild}))
    pet.storage.clock.advance(timedelta(minutes=1))
    await pet.asked("bonsoir", DAV, MAIL, spaces=frozenset({home}))
    done = await joined(pet.storage)
    exports = Exports(pet.storage.database)
    entries = [one async for one in exports.entries(ExportSelection(person=done.person), OPERATOR)]
    assert [one.content for one in entries if isinstance(one, MemoryEntry)] == [
        "David joue du hautbois"
    ]
    (person,) = [one for one in entries if isinstance(one, PersonEntry)]
    assert {one.platform for one in person.accounts} == {"chat", "mail"}
    assert [one.id for one in await exports.called(done.merged)] == [done.person]


@pytest.mark.parametrize(
    ("heard", "called"), [("Eko, bonjour", "David"), (None, "someone")], ids=["met", "unmet"]
)
async def test_an_export_names_others_as_they_were_heard_called(
    pet: Pet, heard: str | None, called: str
) -> None:
    """What somebody goes by where they are linked to is not told to those they meet elsewhere."""
    if heard is not None:
        await pet.hears(heard, DAVID, LOBBY)
    done = await joined(pet.storage)
    await pet.hears("me revoilà", DAV, MAIL)
    lea = await person_behind(pet.storage, LEA)
    origin = Origin(visibility=Visibility.SPACE, person=lea)
    await pet.storage.remember.store(
        statement("mon voisin joue du hautbois", origin=origin, about_person=done.person)
    )
    selection = ExportSelection(person=lea, within=scope_of(room_of(LOBBY), lea))
    exported = Exports(pet.storage.database).entries(selection, OPERATOR)
    people = {one.id: one.name async for one in exported if isinstance(one, PersonEntry)}
    assert people == {lea: "Léa", done.person: called}
