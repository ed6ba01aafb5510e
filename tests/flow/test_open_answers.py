"""Questions that no similarity can answer are answered by what is recent, important or about."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.model.events import AuthorRef, RoomRef
from memory.model.audience import Origin
from memory.model.rooms import SpaceId, Visibility
from memory.model.statements import GoalCategory, MemoryId, MemoryType, SelfCategory
from memory.model.stores import Store
from tests.cast import DAVID, LEA, LOBBY, MICKAEL, PLATFORM, direct, group
from tests.flow.pet import Pet, responds
from tests.flow.town import TOWN, in_town
from tests.forgotten import forget_one, forgetting_on
from tests.storage import overhear, statement

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
OTHER_LOBBY = group("o-lobby", space=SpaceId("other"))


@pytest.fixture
async def pet(tmp_path: Path) -> AsyncIterator[Pet]:
    """A pet that knows forty things about a town, learnt long ago."""
    async with in_town(tmp_path) as born:
        born.storage.clock.advance(20 * DAY)
        yield born


async def knows(pet: Pet, content: str, *subjects: str, **fields: object) -> MemoryId:
    """A statement about these subjects, kept now."""
    stored = await pet.storage.remember.store(statement(content, subjects=subjects, **fields))
    await pet.storage.indexer.settle()
    return stored.id


async def in_private(pet: Pet, who: AuthorRef) -> Origin:
    """Where somebody is alone with the pet."""
    person = await pet.storage.people.person(PLATFORM, who.external_id, who.name)
    return Origin(visibility=Visibility.PRIVATE, person=person.id)


def of_town(injected: str) -> Sequence[str]:
    """What was injected that nobody asked about."""
    return [content for content in TOWN if content in injected]


TALK = [
    "Eko, on a parlé de quoi ?",
    "Eko, quoi de neuf ?",
    "Eko, what did I miss?",
    "Eko, any news?",
]


@pytest.mark.parametrize("question", TALK)
async def test_what_was_talked_about_is_what_was_said_lately(pet: Pet, question: str) -> None:
    """In the lobby and in statements, and not what is weeks old."""
    await pet.overhears("le concert est annulé", MICKAEL, LOBBY)
    await knows(pet, "Léa a trouvé un violoncelle", "Léa")
    pet.storage.clock.advance(DAY)
    injected = await pet.asked(question, DAVID, LOBBY)
    assert "le concert est annulé" in injected
    assert "Léa a trouvé un violoncelle" in injected
    assert of_town(injected) == []


async def test_what_only_uses_the_words_of_an_open_question_is_no_answer(pet: Pet) -> None:
    """However many rows do, and though the answer uses none of them."""
    chatter = [f"je te parle de zx{number}, quoi de neuf sinon ?" for number in range(70)]
    await overhear(pet.storage, *chatter)
    pet.storage.clock.advance(20 * DAY)
    await pet.overhears("le concert est annulé", MICKAEL, LOBBY)
    await knows(pet, "Léa a trouvé un violoncelle", "Léa")
    pet.storage.clock.advance(DAY)
    injected = await pet.asked("Eko, on a parlé de quoi ?", DAVID, LOBBY)
    assert "le concert est annulé" in injected
    assert "Léa a trouvé un violoncelle" in injected
    assert "zx" not in injected


async def test_who_is_only_mentioned_is_found_by_the_name(pet: Pet) -> None:
    """A name is a word too where nothing is known about its owner."""
    await pet.overhears("Zimmermann répare mon accordéon", LEA, LOBBY)
    pet.storage.clock.advance(DAY)
    assert "accordéon" in await pet.asked("Eko, qui est Zimmermann ?", DAVID, LOBBY)


@pytest.mark.parametrize(
    "question", ["Eko, on a parlé de quoi hier ?", "Eko, what did we talk about yesterday?"]
)
async def test_a_time_in_an_open_question_is_the_one_that_is_told(pet: Pet, question: str) -> None:
    """Nothing of the days before and after it."""
    for text in ("il neige à Grenoble", "le concert est annulé", "mon vélo est crevé"):
        await pet.overhears(text, MICKAEL, LOBBY)
        await knows(pet, f"Mickael raconte que {text}", "Mickael")
        pet.storage.clock.advance(DAY)
    pet.storage.clock.advance(-HOUR)
    injected = await pet.asked(question, DAVID, LOBBY)
    assert "mon vélo est crevé" in injected
    assert "concert" not in injected
    assert "neige" not in injected


@pytest.mark.parametrize(
    "question", ["Eko, qu'est-ce que Léa a dit ?", "Eko, what did Léa say yesterday?"]
)
async def test_a_name_in_an_open_question_is_the_one_that_is_quoted(
    pet: Pet, question: str
) -> None:
    """And what is known about them of that time; the others' words are left out."""
    await pet.overhears("je vends mon accordéon", LEA, LOBBY)
    await pet.overhears("le concert est annulé", MICKAEL, LOBBY)
    await knows(pet, "Léa déménage bientôt", "Léa")
    pet.storage.clock.advance(DAY)
    injected = await pet.asked(question, DAVID, LOBBY)
    assert "je vends mon accordéon" in injected
    assert "Léa déménage bientôt" in injected
    assert "concert" not in injected


async def test_ones_own_exchanges_are_part_of_what_was_talked_about(pet: Pet) -> None:
    """Those of other people with the pet are not, and none in another's name."""
    pet.model.will(responds("Prends un parapluie."), responds("Il est midi."))
    await pet.asked("faut-il un parapluie demain ?", DAVID, direct(DAVID))
    await pet.asked("quelle heure est-il à Tokyo ?", LEA, direct(LEA))
    pet.storage.clock.advance(DAY)
    injected = await pet.asked("on a parlé de quoi hier ?", DAVID, direct(DAVID))
    assert "Prends un parapluie" in injected
    assert "Tokyo" not in injected
    pet.storage.clock.advance(HOUR)
    assert "parapluie" not in await pet.asked("Eko, on a parlé de quoi hier ?", DAVID, LOBBY)


@pytest.mark.parametrize(
    "question", ["Eko, tu sais quoi sur moi ?", "Eko, what do you know about me?"]
)
async def test_who_asks_is_told_what_is_known_about_them(pet: Pet, question: str) -> None:
    """Whatever its importance, and nothing about anybody else."""
    await knows(pet, "David est pianiste", "David", memory_type=MemoryType.IDENTITY)
    await knows(pet, "David a bu un thé", "David", memory_type=MemoryType.OBSERVATION)
    await knows(pet, "Léa déménage bientôt", "Léa")
    pet.storage.clock.advance(2 * DAY)
    injected = await pet.asked(question, DAVID, LOBBY)
    assert "David est pianiste" in injected
    assert "David a bu un thé" in injected
    assert "Léa déménage" not in injected


@pytest.mark.parametrize("question", ["Eko, parle-moi de dev", "Eko, who is dev?"])
async def test_somebody_is_told_about_under_every_name(pet: Pet, question: str) -> None:
    """What is known of them by another one too."""
    await knows(pet, "dev = Mickael")
    await knows(pet, "Mickael restaure des horloges", "Mickael")
    await knows(pet, "dev a perdu son parapluie", "dev")
    await knows(pet, "Léa déménage bientôt", "Léa")
    pet.storage.clock.advance(2 * DAY)
    injected = await pet.asked(question, LEA, LOBBY)
    assert "horloges" in injected
    assert "parapluie" in injected
    assert "déménage" not in injected


@pytest.mark.parametrize("question", ["Eko, t'es qui ?", "Eko, who are you?"])
async def test_the_pet_is_told_about_by_what_it_keeps_of_itself(pet: Pet, question: str) -> None:
    """Who it is and what it wants."""
    await knows(pet, "Je suis né dans ce salon", store=Store.SELF, category=SelfCategory.CONTEXT)
    await knows(
        pet,
        "Comprendre pourquoi on dort",
        store=Store.GOALS,
        category=GoalCategory.UNDERSTANDING,
    )
    pet.storage.clock.advance(2 * DAY)
    injected = await pet.asked(question, LEA, LOBBY)
    assert "Je suis né dans ce salon" in pet.model.told
    assert "Comprendre pourquoi on dort" in injected
    assert of_town(injected) == []


EVERY_WAY = (
    "Eko, on a parlé de quoi ?",
    "Eko, on a parlé de quoi hier ?",
    "Eko, qu'est-ce que David a dit ?",
    "Eko, what do you know about David?",
    "Eko, parle-moi de Zimmermann",
    "Eko, what do you know about me?",
)


@pytest.mark.parametrize("question", EVERY_WAY)
@pytest.mark.parametrize(("asker", "where"), [(DAVID, LOBBY), (LEA, LOBBY), (LEA, direct(LEA))])
async def test_what_was_said_in_private_answers_no_open_question_elsewhere(
    pet: Pet, question: str, asker: AuthorRef, where: RoomRef
) -> None:
    """However it is asked, by whomever; in private David is told."""
    pet.model.will(responds("Noté, Zimmermann."))
    await pet.asked("mon cardiologue est Zimmermann", DAVID, direct(DAVID))
    origin = await in_private(pet, DAVID)
    await knows(pet, "David consulte Zimmermann", "David", "Zimmermann", origin=origin)
    pet.storage.clock.advance(DAY)
    injected = await pet.asked(question, asker, where)
    assert "consulte" not in injected
    assert "cardiologue" not in injected
    assert "Noté" not in injected
    assert "consulte Zimmermann" in await pet.asked(question, DAVID, direct(DAVID))


async def test_another_space_answers_no_open_question_here(pet: Pet) -> None:
    """Its lobby and what was learnt there stay there."""
    await pet.overhears("le trésor est sous le pont", MICKAEL, OTHER_LOBBY)
    there = Origin(visibility=Visibility.SPACE, space=SpaceId("other"))
    await knows(pet, "Mickael garde le trésor", "Mickael", origin=there)
    pet.storage.clock.advance(DAY)
    for question in ("Eko, quoi de neuf ?", "Eko, qui est Mickael ?", "Eko, what did Mickael say?"):
        assert "trésor" not in await pet.asked(question, DAVID, LOBBY)
        assert "trésor" in await pet.asked(question, LEA, OTHER_LOBBY)
        pet.storage.clock.advance(HOUR)


async def test_what_was_forgotten_or_taken_back_answers_nothing(pet: Pet) -> None:
    """Nor what has expired."""
    await pet.hears("le concert est annulé", MICKAEL, LOBBY, external_id="gone")
    await pet.storage.messages.withdraw(PLATFORM, "gone")
    memory = await knows(pet, "Mickael vend sa trompette", "Mickael")
    await knows(pet, "Mickael est en retard", "Mickael", ttl=HOUR)
    await knows(pet, "Mickael restaure des horloges", "Mickael")
    await forget_one(forgetting_on(pet.storage), memory)
    pet.storage.clock.advance(DAY)
    for question in ("Eko, quoi de neuf ?", "Eko, qui est Mickael ?"):
        injected = await pet.asked(question, DAVID, LOBBY)
        assert "horloges" in injected
        assert "concert" not in injected
        assert "trompette" not in injected
        assert "retard" not in injected
        pet.storage.clock.advance(HOUR)


@pytest.mark.parametrize("question", ["Eko, tu sais quoi sur moi ?", "Eko, who am I?"])
async def test_who_changed_their_name_is_still_who_they_were(pet: Pet, question: str) -> None:
    """What is known under the old name is; another person's is not."""
    await pet.hears("salut tout le monde", LEA, LOBBY)
    await knows(pet, "Léa élève des abeilles", "Léa")
    pet.storage.clock.advance(20 * DAY)
    assert "abeilles" in await pet.asked(question, replace(LEA, name="Hortense"), LOBBY)
    assert "abeilles" not in await pet.asked(question, replace(DAVID, name="Gaspard"), LOBBY)


async def test_a_name_of_before_is_known_where_it_was_used(pet: Pet) -> None:
    """Who changed it since does not hear of it in a space that never knew it."""
    await pet.hears("salut", LEA, OTHER_LOBBY)
    await knows(pet, "Léa élève des abeilles", "Léa")
    pet.storage.clock.advance(20 * DAY)
    hortense = replace(LEA, name="Hortense")
    assert "abeilles" not in await pet.asked("Eko, tu sais quoi sur moi ?", hortense, LOBBY)


@pytest.mark.parametrize(
    ("question", "told"),
    [("Eko, c'est qui Zouzou ?", "abeilles"), ("Eko, Zouzou a dit quoi ?", "ruche")],
)
async def test_another_name_leads_to_one_with_accents(pet: Pet, question: str, told: str) -> None:
    """Also to what is quoted, which stands under the name it was said with."""
    await knows(pet, "Zouzou = Léa")
    await knows(pet, "elle élève des abeilles", "Léa")
    pet.storage.clock.advance(20 * DAY)
    await pet.overhears("la ruche est pleine", LEA, LOBBY)
    await pet.overhears("le concert est annulé", MICKAEL, LOBBY)
    pet.storage.clock.advance(HOUR)
    injected = await pet.asked(question, DAVID, LOBBY)
    assert told in injected
    assert "concert" not in injected
