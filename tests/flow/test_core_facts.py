"""Core facts: told once, always there when that person speaks, and never for anybody else."""

from datetime import timedelta
from pathlib import Path

import pytest

from bot.llm.offline.extraction import RuleExtractor
from bot.model.events import AuthorRef, RoomRef
from memory.model.audience import OPERATOR
from memory.model.knowledge import CoreFact
from memory.model.recalled import HEADINGS
from memory.model.retrieval import Section
from memory.model.rooms import RoomKind, RoomRole, SpaceId, Visibility
from observers.digest import Digest
from tests.cast import CORNER, DAVID, LEA, LOBBY, PLATFORM, direct, group
from tests.flow.lobby import RULES
from tests.flow.pet import Pet, awake, calls, responds
from tests.forgotten import RUNNER, forget_one, forgetting_on
from tests.notices import NotedNotices

ALONE = direct(DAVID)
DEN = group("den", RoomRole.PET, SpaceId("guild"))
WEEKS = timedelta(weeks=5)


async def facts(pet: Pet, *, history: bool = False) -> list[CoreFact]:
    """The core facts of everybody."""
    return await pet.storage.core_facts.listed(OPERATOR, history=history)


async def values(pet: Pet, *, history: bool = False) -> list[tuple[str, str, str]]:
    """Of whom, what, and its value."""
    return [(one.person, one.key, one.value) for one in await facts(pet, history=history)]


def section(injected: str, name: Section) -> list[str]:
    """The lines under one heading of an injection."""
    _, _, rest = injected.partition(HEADINGS[name])
    lines = rest.strip().splitlines()
    ends = next((n for n, line in enumerate(lines) if not line.startswith("•")), len(lines))
    return lines[:ends]


async def test_what_was_told_once_is_known_weeks_later_in_another_room(tmp_path: Path) -> None:
    """Told before the community, asked in private: under a heading of its own, with its age."""
    async with awake(tmp_path) as pet:
        await pet.asked("j'habite à Lyon", where=CORNER)
        await pet.learns()
        pet.storage.clock.advance(WEEKS)
        injected = await pet.asked("tu me conseilles quoi ce soir ?", where=ALONE)
        assert section(injected, Section.CORE) == ["• David: j'habite à Lyon (il y a 5 semaines)"]


async def test_the_same_person_on_another_platform_is_known_there(tmp_path: Path) -> None:
    """A direct room of another channel, once both accounts are one person's."""
    elsewhere = AuthorRef(platform="mail", external_id="david@home", name="David")
    room = RoomRef(
        platform="mail",
        external_id="dm-david",
        name="David",
        kind=RoomKind.DIRECT,
        role=RoomRole.PET,
    )
    async with awake(tmp_path) as pet:
        await pet.asked("j'habite à Lyon", where=ALONE)
        await pet.learns()
        await joined(pet, elsewhere)
        pet.storage.clock.advance(WEEKS)
        injected = await pet.asked("tu me conseilles quoi ce soir ?", elsewhere, room)
        assert section(injected, Section.CORE) == ["• David: j'habite à Lyon (il y a 5 semaines)"]


async def joined(pet: Pet, account: AuthorRef) -> None:
    """Let an account be David's too."""
    david = await pet.storage.people.person(PLATFORM, DAVID.external_id, DAVID.name)

    async def work(transaction: object) -> None:
        await transaction.run(  # type: ignore[attr-defined]
            "INSERT INTO identities (platform, external_id, person_id, name)"
            " VALUES (:platform, :external_id, :person, :name)",
            {
                "platform": account.platform,
                "external_id": account.external_id,
                "person": david.id,
                "name": account.name,
            },
        )

    await pet.storage.database.write(work)


async def test_it_stays_in_its_space_and_with_its_person(tmp_path: Path) -> None:
    """Neither another community, nor somebody else in private, nor the lobby of a private word."""
    async with awake(tmp_path) as pet:
        await pet.asked("j'habite à Lyon", where=CORNER)
        await pet.asked("je suis infirmier", where=ALONE)
        await pet.learns()
        pet.storage.clock.advance(WEEKS)
        asked = "tu me conseilles quoi ce soir ?"
        assert "Lyon" not in await pet.asked(asked, where=DEN)
        assert "Lyon" not in await pet.asked(asked, LEA, CORNER)
        assert "infirmier" not in await pet.asked(asked, where=CORNER)
        assert "infirmier" in await pet.asked(asked, where=ALONE)


async def test_about_others_it_is_one_statement_among_many(tmp_path: Path) -> None:
    """Who asks for it finds it, and not as what is known about themselves."""
    async with awake(tmp_path) as pet:
        await pet.asked("j'habite à Lyon", where=CORNER)
        await pet.learns()
        pet.storage.clock.advance(WEEKS)
        injected = await pet.asked("où habite David ?", LEA, CORNER)
        assert "Lyon" in injected
        assert section(injected, Section.CORE) == []


async def test_a_fact_and_its_statement_are_one_line(tmp_path: Path) -> None:
    """Asked for it, or not, nothing is told twice."""
    async with awake(tmp_path) as pet:
        pet.model.will(
            calls(("store_memory", {"content": "David habite à Lyon", "subjects": ["David"]})),
            responds("Noté."),
        )
        await pet.asked("je suis de Lyon", where=ALONE)
        pet.storage.clock.advance(WEEKS)
        injected = await pet.asked("David habite à Lyon, tu savais ?", where=ALONE)
        assert injected.count("David habite à Lyon") == 1


async def test_a_new_value_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    """The old one is history, with the days it held."""
    async with awake(tmp_path) as pet:
        await pet.asked("j'habite à Nantes", where=ALONE)
        await pet.learns()
        pet.storage.clock.advance(WEEKS)
        moved = pet.storage.clock.now()
        await pet.asked("j'habite à Lyon maintenant", where=ALONE)
        await pet.learns()
        assert await values(pet) == [("David", "city", "Lyon")]
        lyon, nantes = await facts(pet, history=True)
        assert (nantes.value, nantes.until) == ("Nantes", lyon.since)
        assert lyon.since >= moved
        injected = await pet.asked("tu me conseilles quoi ce soir ?", where=ALONE)
        assert "Nantes" not in "".join(section(injected, Section.CORE))


async def test_private_and_public_values_live_apart(tmp_path: Path) -> None:
    """What is said in private changes nothing for the community."""
    async with awake(tmp_path) as pet:
        await pet.asked("j'habite à Nantes", where=CORNER)
        await pet.learns()
        await pet.asked("j'habite à Lyon", where=ALONE)
        await pet.learns()
        assert {(one.value, one.visibility) for one in await facts(pet)} == {
            ("Nantes", Visibility.SPACE),
            ("Lyon", Visibility.PRIVATE),
        }


async def test_what_others_say_of_somebody_is_no_core_fact(tmp_path: Path) -> None:
    """It is a statement, said by them; said by the person themselves it becomes one."""
    async with awake(tmp_path) as pet:
        await pet.asked("salut", where=CORNER)
        await pet.asked("David habite à Lyon", LEA, CORNER)
        await pet.learns()
        assert await values(pet) == []
        await pet.asked("j'habite à Lyon", where=CORNER)
        await pet.learns()
        assert await values(pet) == [("David", "city", "Lyon")]


@pytest.mark.parametrize(
    "content",
    [
        "David a une sœur, Zoé, qui habite à Metz",
        "David has a sister called Zoé, who lives in Metz",
        "David has a brother, he lives in Metz",
        "La tante de David habite à Metz",
    ],
)
async def test_where_a_relative_lives_is_no_core_fact_of_who_says_it(
    tmp_path: Path, content: str
) -> None:
    """The clause is of whom was named last."""
    async with awake(tmp_path) as pet:
        stored = {"content": content, "subjects": ["David"]}
        pet.model.will(calls(("store_memory", stored)), responds("Noté."))
        await pet.asked(content, DAVID, direct(DAVID))
        assert await pet.storage.count("memories") == 1
        assert await pet.storage.count("core_facts", "key = 'city'") == 0


async def test_what_the_digest_learns_is_a_core_fact_too(tmp_path: Path) -> None:
    """Whoever wrote the message, although two people share a name."""
    other = AuthorRef(platform=PLATFORM, external_id="david2", name="David")
    async with awake(tmp_path) as pet:
        await pet.overhears("j'habite à Lyon", DAVID, LOBBY)
        await pet.overhears("j'habite à Nantes", other, LOBBY)
        await digested(pet)
        rows = await pet.storage.database.all(
            "SELECT c.value, i.external_id FROM core_facts AS c"
            " JOIN identities AS i ON i.person_id = c.person_id"
        )
        assert {(row["external_id"], row["value"]) for row in rows} == {
            ("david", "Lyon"),
            ("david2", "Nantes"),
        }


async def digested(pet: Pet) -> None:
    """Run a digest by rules."""
    digest = Digest(
        pet.storage.digests, pet.storage.learning, RuleExtractor(), RULES, NotedNotices()
    )
    await digest.run()


async def test_a_forgotten_statement_takes_its_core_fact_along(tmp_path: Path) -> None:
    """Neither in force, nor in history, nor in the window it was shown in."""
    async with awake(tmp_path) as pet:
        await pet.asked("j'habite à Lyon", where=ALONE)
        await pet.learns()
        pet.storage.clock.advance(WEEKS)
        assert "Lyon" in await pet.asked("tu me conseilles quoi ce soir ?", where=ALONE)
        (fact,) = await facts(pet)
        await forget_one(forgetting_on(pet.storage), fact.memory)
        assert await facts(pet, history=True) == []
        await pet.asked("et demain ?", where=ALONE)
        assert "Lyon" not in str(pet.model.requests[-1].messages)
        await pet.storage.indexer.settle()
        assert not any(
            one.missing or one.surplus for one in await pet.storage.indexer.differences()
        )


async def test_a_forgotten_core_fact_leaves_no_word_and_can_be_given_back(tmp_path: Path) -> None:
    """Not in its row of knowledge either; undone, it is there as it was."""
    async with awake(tmp_path) as pet:
        await pet.asked("mon levain préféré est le Lyon", where=ALONE)
        await pet.learns()
        (fact,) = await facts(pet)
        assert fact.key == "favourite_levain"
        rows = await pet.storage.database.all("SELECT * FROM knowledge")
        await forget_one(forgetting_on(pet.storage), fact.memory)
        assert await pet.storage.count("knowledge", "content <> '' OR title <> ''") == 0
        assert await pet.storage.count("core_facts", "key <> '' OR value <> ''") == 0
        await forgetting_on(pet.storage).undo(RUNNER, 1)
        assert await facts(pet) == [fact]
        assert await pet.storage.database.all("SELECT * FROM knowledge") == rows


async def test_a_message_that_is_taken_back_takes_its_core_fact_along(tmp_path: Path) -> None:
    """Nothing else founds it."""
    async with awake(tmp_path) as pet:
        message = await pet.hears("j'habite à Lyon", where=ALONE)
        await pet.answers()
        await pet.learns()
        await pet.storage.messages.withdraw(PLATFORM, message)
        assert await facts(pet, history=True) == []


async def test_the_same_value_again_is_the_same_fact(tmp_path: Path) -> None:
    """In whatever words, it holds since it was first said."""
    async with awake(tmp_path) as pet:
        await pet.asked("j'habite à Lyon", where=ALONE)
        await pet.learns()
        (first,) = await facts(pet)
        pet.storage.clock.advance(WEEKS)
        await pet.asked("I live in Lyon", where=ALONE)
        await pet.learns()
        assert [one.since for one in await facts(pet, history=True)] == [first.since]


@pytest.mark.parametrize(
    ("said", "key", "value"),
    [
        ("je m'appelle Mickael", "name", "Mickael"),
        ("my birthday is March 3", "birthday", "March 3"),
        ("I live in Paris", "city", "Paris"),
        ("je suis infirmier", "job", "infirmier"),
        ("je travaille chez Airbus", "employer", "Airbus"),
    ],
)
async def test_plain_words_give_core_facts_in_both_languages(
    tmp_path: Path, said: str, key: str, value: str
) -> None:
    """Without a model, from what people say of themselves."""
    async with awake(tmp_path) as pet:
        await pet.asked(said, where=ALONE)
        await pet.learns()
        assert await values(pet) == [("David", key, value)]


@pytest.mark.parametrize(
    "said", ["je vais à Lyon demain", "mon frère habite à Lyon", "j'aime Lyon", "I was in Lyon"]
)
async def test_what_is_no_state_of_the_speaker_gives_none(tmp_path: Path, said: str) -> None:
    """A trip, a relative, a liking, the past."""
    async with awake(tmp_path) as pet:
        await pet.asked(said, where=ALONE)
        await pet.learns()
        assert await values(pet) == []


@pytest.mark.parametrize(
    ("content", "city"),
    [
        ("David has moved out of Hackney and lives in Walthamstow now", "Walthamstow"),
        ("David a déménagé : il n'habite plus à Lens, il habite maintenant à Fives", "Fives"),
        ("Léa a déménagé et elle habite à Nice", None),
        ("David cherche un appartement et Léa habite à Nice", None),
    ],
)
async def test_a_later_clause_of_ones_own_gives_a_value_too(
    tmp_path: Path, content: str, city: str | None
) -> None:
    """Of who speaks, and of nobody else who is named or meant."""
    async with awake(tmp_path) as pet:
        kept = {"content": content, "memory_type": "identity", "subjects": ["David"]}
        pet.model.will(calls(("store_memory", kept)), responds("Noté."))
        await pet.asked("voilà", where=ALONE)
        assert [value for _, _, value in await values(pet)] == ([city] if city else [])
