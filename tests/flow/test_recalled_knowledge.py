"""Core facts, summaries and notes before the model: when they are brought, to whom, and where."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

import pytest

from memory.model.audience import Origin
from memory.model.knowledge import KnowledgeId, KnowledgeKind, NewKnowledge
from memory.model.people import PersonId
from memory.model.rooms import SpaceId, Visibility
from memory.storage.statements.knowledge import drop_knowledge, keep_knowledge
from tests.cast import DAVID, LEA, LOBBY, direct
from tests.flow.pet import Pet
from tests.flow.town import in_town

DAY = timedelta(days=1)
HOME = Origin(visibility=Visibility.SPACE)


@pytest.fixture
async def pet(tmp_path: Path) -> AsyncIterator[Pet]:
    """A pet that knows forty things about a town."""
    async with in_town(tmp_path) as born:
        yield born


async def keeps(pet: Pet, kind: KnowledgeKind, content: str, **fields: object) -> KnowledgeId:
    """A row of knowledge, indexed."""
    id_ = KnowledgeId(uuid5(NAMESPACE_URL, content))
    given: dict[str, object] = {"origin": HOME, "at": pet.storage.clock.now(), **fields}
    new = NewKnowledge(id=id_, kind=kind, content=content, **given)  # type: ignore[arg-type]
    await pet.storage.knowledge.write(
        lambda transaction: keep_knowledge(transaction, [new], pet.storage.clock.now())
    )
    await pet.storage.indexer.settle()
    return id_


async def person(pet: Pet) -> PersonId:
    """Who David is."""
    return (await pet.storage.people.person("chat", DAVID.external_id, DAVID.name)).id


async def test_core_facts_of_who_speaks_are_always_there(pet: Pet) -> None:
    """Whatever is asked; nobody else gets them for nothing."""
    await keeps(
        pet, KnowledgeKind.FACT, "David habite à Brest", title="city", about=await person(pet)
    )
    asked = "Eko, tu connais une bonne recette de crumble ?"
    assert "David habite à Brest" in await pet.asked(asked, DAVID, LOBBY)
    assert "Brest" not in await pet.asked(asked, LEA, LOBBY)


async def test_a_core_fact_told_in_private_stays_there(pet: Pet) -> None:
    """It is brought in the person's direct room, and in no group."""
    mine = await person(pet)
    private = Origin(visibility=Visibility.PRIVATE, person=mine)
    await keeps(
        pet, KnowledgeKind.FACT, "David habite à Brest", title="city", about=mine, origin=private
    )
    asked = "Eko, tu connais une bonne recette de crumble ?"
    assert "Brest" not in await pet.asked(asked, DAVID, LOBBY)
    assert "Brest" in await pet.asked(asked, DAVID, direct(DAVID))


async def test_a_summary_is_found_by_what_it_is_about_with_its_age(pet: Pet) -> None:
    """Three weeks later, under its own heading; not for a line about something else."""
    await keeps(pet, KnowledgeKind.SUMMARY, "David voulait adopter un hérisson et hésitait encore.")
    pet.storage.clock.advance(21 * DAY)
    found = await pet.asked("Eko, on avait dit quoi sur le hérisson ?", DAVID, LOBBY)
    assert "[Summaries" in found
    assert "hérisson et hésitait encore. (il y a 3 semaines)" in found
    assert "hérisson" not in await pet.asked("Eko, il est où le tournevis ?", DAVID, LOBBY)


async def test_a_note_of_another_space_is_not_found(pet: Pet) -> None:
    """Notes have an audience like all else."""
    elsewhere = Origin(visibility=Visibility.SPACE, space=SpaceId("elsewhere"))
    await keeps(pet, KnowledgeKind.NOTE, "Le code du hangar est bleuet", origin=elsewhere)
    assert "bleuet" not in await pet.asked("Eko, quel est le code du hangar ?", DAVID, LOBBY)


async def test_a_note_that_is_gone_is_no_longer_replayed(pet: Pet) -> None:
    """The injection that brought it leaves the window with it."""
    note = await keeps(pet, KnowledgeKind.NOTE, "Le code du hangar est bleuet")
    assert "bleuet" in await pet.asked("Eko, quel est le code du hangar ?", DAVID, LOBBY)
    await pet.storage.knowledge.write(lambda transaction: drop_knowledge(transaction, [note]))
    await pet.storage.indexer.settle()
    await pet.asked("Eko, et la clé du hangar ?", DAVID, LOBBY)
    replayed = [str(one) for one in pet.model.requests[-1].messages]
    assert not any("bleuet" in one for one in replayed)


async def test_what_was_talked_about_includes_what_was_summed_up(pet: Pet) -> None:
    """An open question brings the summaries of that time."""
    await keeps(pet, KnowledgeKind.SUMMARY, "David et Eko ont choisi un vélo pliant.")
    found = await pet.asked("Eko, on a parlé de quoi aujourd'hui ?", DAVID, LOBBY)
    assert "vélo pliant" in found


@pytest.mark.parametrize("asked", ["Eko, c'est quoi le métier de David ?", "Eko, David bosse où ?"])
async def test_a_core_fact_is_found_by_words_people_ask_for_it_with(pet: Pet, asked: str) -> None:
    """Its own words say none of them."""
    mine = await person(pet)
    for key, content in (("job", "David est fleuriste"), ("employer", "David est chez Interflora")):
        await keeps(pet, KnowledgeKind.FACT, content, title=key, about=mine)
    wanted = "fleuriste" if "métier" in asked else "Interflora"
    assert wanted in await pet.asked(asked, LEA, LOBBY)
