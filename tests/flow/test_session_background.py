"""What a conversation begins with: who the pet is, what it wants of the person, what it leaves."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.llm.messages_api.request import body_of
from bot.model.requests import UserMessage
from memory.model.audience import Origin, person_audience, space_audience
from memory.model.people import PersonId
from memory.model.rooms import HOME, Visibility
from memory.model.statements import GoalCategory, SelfCategory
from memory.model.stores import Store
from memory.storage.people.quiet_topics import QuietTopics
from tests.cast import CORNER, DAVID, LEA, LOBBY, PLATFORM, direct
from tests.flow.pet import Pet, awake
from tests.storage import statement

ALL = Origin(visibility=Visibility.EVERYONE)


@pytest.fixture
async def pet(tmp_path: Path) -> AsyncIterator[Pet]:
    """A pet that has just been born."""
    async with awake(tmp_path) as born:
        yield born


async def is_seeded(pet: Pet) -> None:
    """Let the pet be somebody."""
    for content, category, importance in (
        ("Je vis dans des salons.", SelfCategory.CONTEXT, 0.5),
        ("J'aime la mer.", SelfCategory.PREFERENCE, 0.9),
        ("Je ne vois pas internet.", SelfCategory.LIMITATION, 0.9),
    ):
        await pet.storage.remember.store(
            statement(
                content, store=Store.SELF, category=category, importance=importance, origin=ALL
            )
        )


async def wants(pet: Pet, content: str, about: str) -> None:
    """Let the pet want something of somebody."""
    goal = statement(
        content, store=Store.GOALS, category=GoalCategory.CONNECTION, subjects=(about,), origin=ALL
    )
    await pet.storage.remember.store(goal)


def begun(pet: Pet) -> list[str]:
    """What stands before the first words of the last request, without fences."""
    first = pet.model.requests[-1].messages[0]
    assert isinstance(first, UserMessage)
    return first.injection.splitlines()[1:-1]


async def person(pet: Pet) -> PersonId:
    """David's."""
    known = await pet.storage.people.known(PLATFORM, DAVID.external_id)
    assert known is not None
    return known


async def test_a_conversation_begins_with_who_the_pet_is(pet: Pet) -> None:
    """The best first; what it cannot do is found when it is asked for."""
    await is_seeded(pet)
    await pet.asked("tu es qui ?", DAVID, direct(DAVID))
    assert begun(pet) == [
        "[Here - chat, in private: nobody else reads what is said]",
        "[Self - what you know about yourself]",
        "• J'aime la mer.",
        "• Je vis dans des salons.",
    ]
    assert pet.model.requests[-1].system_of_session.startswith('You go by "Eko". ')
    session = pet.model.requests[-1].session
    assert session is not None
    assert session.background.self_lines == ("J'aime la mer.", "Je vis dans des salons.")


async def test_it_stays_the_same_in_a_session(pet: Pet) -> None:
    """What the pet finds out about itself meanwhile is for the next one."""
    await is_seeded(pet)
    await pet.asked("bonjour toi", DAVID)
    before = begun(pet)
    await pet.storage.remember.store(
        statement(
            "J'adore la pluie.",
            store=Store.SELF,
            category=SelfCategory.PREFERENCE,
            importance=1.0,
            origin=ALL,
        )
    )
    await pet.asked("et sinon ?", DAVID)
    assert begun(pet) == before
    await pet.falls_silent()
    await pet.asked("re-bonjour", DAVID)
    assert "• J'adore la pluie." in begun(pet)


async def test_what_is_forgotten_leaves_it(pet: Pet) -> None:
    """And nothing takes its place."""
    await is_seeded(pet)
    await pet.asked("bonjour toi", DAVID)
    await pet.storage.database.write(
        lambda transaction: transaction.run(
            "UPDATE memories SET forgotten_at = 1 WHERE content LIKE '%la mer%'", {}
        )
    )
    await pet.asked("et sinon ?", DAVID)
    assert begun(pet)[1:] == ["[Self - what you know about yourself]", "• Je vis dans des salons."]


async def test_goals_about_the_person_are_told_to_nobody_else(pet: Pet) -> None:
    """They are not recalled a second time."""
    await wants(pet, "Demander à David des nouvelles de son genou", "David")
    injected = await pet.asked("je cours demain, tu sais ?", DAVID)
    assert begun(pet)[1:] == [
        "[Goals - what you want]",
        "• Demander à David des nouvelles de son genou",
    ]
    assert "genou" not in injected
    await pet.asked("je cours demain, tu sais ?", LEA)
    assert "genou" not in str(body_of(pet.model.requests[-1], model="m", caching=False))


async def test_a_topic_to_be_left_alone_is_not_brought_up(pet: Pet) -> None:
    """Until the person speaks of it; to others nothing changes."""
    await pet.storage.remember.store(
        statement("David a raté ses examens de droit", subjects=("David",))
    )
    assert "raté ses" in await pet.asked("qui a raté son droit ?", DAVID, CORNER)
    await pet.falls_silent()
    topics = QuietTopics(pet.storage.database, pet.storage.clock)
    await topics.add(await person(pet), "Mes examens", space_audience(HOME))
    assert "raté ses" not in await pet.asked("qui a raté son droit ?", DAVID, CORNER)
    assert begun(pet)[-2:] == [
        "[Left alone - never bring these up, unless the person does now]",
        "• mes examens",
    ]
    reasons = "reason = 'to be left alone'"
    assert await pet.storage.count("memory_retrieval_items", reasons) == 1
    assert "raté ses" in await pet.asked("et mes examens ?", DAVID, CORNER)
    assert "raté ses" in await pet.asked("qui a raté son droit ?", LEA, CORNER)


async def test_a_wish_made_in_private_is_kept_and_not_told_in_a_group(pet: Pet) -> None:
    """Its words would say what it is about."""
    await pet.storage.remember.store(
        statement("David a raté ses examens de droit", subjects=("David",))
    )
    await pet.asked("bonjour toi", DAVID, direct(DAVID))
    await pet.falls_silent()
    topics = QuietTopics(pet.storage.database, pet.storage.clock)
    who = await person(pet)
    await topics.add(who, "examens", person_audience(who))
    assert "raté ses" not in await pet.asked("Eko, qui a raté son droit ?", DAVID, LOBBY)
    assert "examens" not in str(begun(pet))
    await pet.asked("bonjour toi", DAVID, direct(DAVID))
    assert "• examens" in begun(pet)


@pytest.mark.parametrize(
    ("told", "question"),
    [
        ("mon chien s'appelle Rex", "comment s'appelle mon chien ?"),
        ("my dog is called Rex", "what is my dog called?"),
    ],
)
async def test_what_another_says_of_their_own_never_answers_my(
    pet: Pet, told: str, question: str
) -> None:
    """Nor as what was learnt from it; what is said of the person does."""
    await pet.overhears(told, LEA, LOBBY)
    assert "Rex" not in await pet.asked(question, DAVID, CORNER)
    assert "Rex" in await pet.asked(question, LEA, CORNER)
    await pet.overhears("le chien de David s'appelle Max, David's dog is called Max", LEA, LOBBY)
    assert "Max" in await pet.asked(question, DAVID, CORNER)
