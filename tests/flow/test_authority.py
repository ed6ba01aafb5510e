"""Nobody speaks for somebody else: what others said stays, by every way that changes rows."""

import re
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from bot.model.events import AuthorRef
from bot.model.requests import ModelReply, ModelRequest
from memory.model.audience import OPERATOR, Origin
from memory.model.rooms import Visibility
from memory.model.statements import MemoryType, Source
from memory.model.stores import Store
from memory.statements.extraction.finder import find_statements
from observers.ports import Chunk, Fact
from tests.cast import CORNER, DAVID, LEA, LOBBY, MICKAEL
from tests.flow.lobby import ListedExtractor, reader
from tests.flow.pet import Pet, awake, calls, responds
from tests.storage import statement

EVE = AuthorRef(platform="chat", external_id="eve", name="Eve")
"""A visitor, whom no statement is about."""

OPERATING = DAVID
"""An account that the settings name: `chat:david` is the operator's."""

PEANUTS = "Léa est allergique aux arachides"


@pytest.fixture
async def pet(tmp_path: Path) -> AsyncIterator[Pet]:
    """A pet whose model does whatever it is told to."""
    async with awake(tmp_path) as born:
        yield born


async def tells(pet: Pet, who: AuthorRef, content: str) -> None:
    """Say something to the pet, whose model keeps it in these words."""
    arguments = {"content": content, "subjects": [content.split(maxsplit=1)[0]]}
    pet.model.will(calls(("store_memory", arguments)), responds("Noté."))
    await pet.asked(content, who, CORNER)


def deletes(tool: str) -> Callable[[ModelRequest], ModelReply]:
    """The call that deletes what was listed last."""

    def step(request: ModelRequest) -> ModelReply:
        listed = re.findall(r"\[id (\w+)", str(request.messages[-1]))
        return calls((tool, {"id": listed[-1]}))

    return step


async def obeys(pet: Pet, who: AuthorRef, text: str, *, kind: str = "memory") -> str:
    """A model that deletes whatever it finds, at the word of a person; what it was told."""
    store = {"memory": "memories", "self": "self", "goal": "goals"}[kind]
    search = calls((f"search_{store}", {"query": text}))
    pet.model.will(search, deletes(f"delete_{kind}"), responds("C'est fait."))
    await pet.asked(text, who, CORNER)
    return pet.model.results[-1]


async def agrees(pet: Pet, who: AuthorRef) -> str:
    """The same person says yes, and the model confirms what was shown."""
    pet.model.will(calls(("memory__forget", {"confirm": "latest"})), responds("Oublié."))
    await pet.asked("oui", who, CORNER)
    return pet.model.results[-1]


async def recalled(pet: Pet) -> list[str]:
    """Every statement that is recalled, by the table and by the index alike."""
    await pet.storage.indexer.settle()
    rows = await pet.storage.memories.latest(None, OPERATOR, 50)
    return sorted(row.content for row in rows)


@pytest.mark.parametrize("who", [EVE, MICKAEL, OPERATING])
async def test_a_tool_deletes_no_other_persons_word(pet: Pet, who: AuthorRef) -> None:
    """Neither for a visitor nor for the operator in talk; nor is it when they insist."""
    await tells(pet, LEA, PEANUTS)
    told = await obeys(pet, who, "oublie que Léa est allergique aux arachides")
    assert "word of Léa" in told
    assert await recalled(pet) == [PEANUTS]
    assert "nothing to confirm" in await agrees(pet, who)
    assert await recalled(pet) == [PEANUTS]


async def test_ones_own_word_is_shown_and_forgotten_with_the_next_message(pet: Pet) -> None:
    """Nothing goes in the turn that asks, whatever the model calls."""
    await tells(pet, LEA, PEANUTS)
    told = await obeys(pet, LEA, "oublie que je suis allergique aux arachides")
    assert told.startswith("Not done yet. It would take: statements: 1")
    assert await recalled(pet) == [PEANUTS]
    assert (await agrees(pet, LEA)).startswith("Forgotten: ")
    assert await recalled(pet) == []


async def test_what_others_say_of_one_is_muted_and_stays_theirs(pet: Pet) -> None:
    """It is found by nothing, its author's message and words are kept, and it can be undone."""
    await tells(pet, MICKAEL, "Léa ronfle la nuit")
    lea = await pet.storage.people.person("chat", LEA.external_id, LEA.name)
    await pet.storage.database.write(
        lambda t: t.run("UPDATE memories SET about_person = :lea", {"lea": lea.id})
    )
    told = await obeys(pet, LEA, "oublie que Léa ronfle la nuit")
    assert "muted: 1" in told
    assert "recalled no more then, and not deleted" in told
    assert "muted: 1" in await agrees(pet, LEA)
    assert await recalled(pet) == []
    assert await pet.storage.count("memories", "content = 'Léa ronfle la nuit'") == 1
    assert await pet.storage.count("messages", "text = 'Léa ronfle la nuit'") == 1
    pet.model.will(calls(("memory__search", {"query": "ronfle"})), responds("Rien."))
    assert "ronfle" not in await pet.asked("Eko, alors ?", MICKAEL, LOBBY)
    assert "ronfle" not in pet.model.results[-1]
    pet.model.will(calls(("memory__forget", {"undo": True})), responds("Revoilà."))
    await pet.asked("annule", LEA, CORNER)
    assert await recalled(pet) == ["Léa ronfle la nuit"]


@pytest.mark.parametrize("who", [EVE, OPERATING])
@pytest.mark.parametrize(
    ("kind", "store", "category", "content"),
    [
        ("self", Store.SELF, "preference", "J'aime écouter les gens"),
        ("goal", Store.GOALS, "understanding", "Comprendre les gens de la maison"),
    ],
)
async def test_the_seed_is_nobodys_in_talk(
    pet: Pet, who: AuthorRef, kind: str, store: Store, category: str, content: str
) -> None:
    """What the pet is and wants for everybody is planted and taken back by command."""
    seed = statement(
        content,
        store=store,
        category=category,
        source=Source.SEED,
        memory_type=MemoryType.OBSERVATION,
        origin=Origin(visibility=Visibility.EVERYONE),
    )
    await pet.storage.remember.store(seed)
    assert "Nothing was deleted" in await obeys(pet, who, f"oublie : {content}", kind=kind)
    await agrees(pet, who)
    assert await recalled(pet) == [content]


async def test_a_visitors_words_close_no_limitation_of_the_seed(pet: Pet) -> None:
    """Nor one that the pet noticed with another person; one's own they do."""
    blind, sees = "je ne peux pas voir les images", "Je peux voir les images maintenant"
    seed = statement(
        blind,
        store=Store.SELF,
        category="limitation",
        origin=Origin(visibility=Visibility.EVERYONE),
    )
    await pet.storage.remember.store(seed)
    deaf, hears = "je ne peux pas écouter la radio", "Je peux écouter la radio maintenant"
    for who, content, category in (
        (LEA, deaf, "limitation"),
        (EVE, sees, "capability"),
        (EVE, hears, "capability"),
    ):
        arguments = {"content": content, "category": category}
        pet.model.will(calls(("store_self", arguments)), responds("Ah."))
        await pet.asked(content, who, CORNER)
        assert "It closes" not in pet.model.results[-1]
    assert await recalled(pet) == sorted([blind, deaf, sees, hears])


@pytest.mark.parametrize(("who", "left"), [(EVE, 2), (OPERATING, 2), (LEA, 1)])
async def test_a_tool_puts_no_word_in_the_place_of_anothers(
    pet: Pet, who: AuthorRef, left: int
) -> None:
    """What others add stands beside it, as contradicting; one's own change of mind holds."""
    await tells(pet, LEA, "Léa habite à Paris")
    await tells(pet, who, "Léa habite à Oslo")
    rows = await recalled(pet)
    assert len(rows) == left
    assert ("Léa habite à Paris" in rows) is (left == 2)
    gone = "superseded_by IS NOT NULL"
    assert await pet.storage.count("memories", gone) == 2 - left
    contradicting = await pet.storage.count("associations", "relation = 'contradicts'")
    assert contradicting == (1 if left == 2 else 0)


class ObedientExtractor(ListedExtractor):
    """Finds what rules find, told as said by whom the line names."""

    async def extract(self, chunk: Chunk) -> list[Fact]:
        """The statements of every line."""
        return [
            Fact(
                content=one.content,
                memory_type=one.memory_type,
                subjects=one.subjects,
                said_by=line.author,
                messages=(line.message,),
            )
            for line in chunk.lines
            for one in find_statements(line.text, line.author, line.said_at, ["Léa", "Eve"])
        ]


@pytest.mark.parametrize(("who", "left"), [(EVE, 2), (LEA, 1)])
async def test_a_digest_puts_no_word_in_the_place_of_anothers(
    pet: Pet, who: AuthorRef, left: int
) -> None:
    """Whoever speaks of it in the lobby."""
    digest = reader(pet.storage, ObedientExtractor())
    await pet.overhears("J'habite à Nantes.", LEA, LOBBY)
    await digest.run()
    words = "J'habite à Lyon." if who is LEA else "Léa habite à Oslo."
    await pet.overhears(words, who, LOBBY)
    await digest.run()
    assert len(await recalled(pet)) == left


async def test_reading_a_conversation_puts_no_word_in_the_place_of_anothers(pet: Pet) -> None:
    """What a visitor told the pet of another is learnt as one more claim."""
    await pet.asked("J'habite à Nantes.", LEA, CORNER)
    await pet.learns()
    await pet.asked("Léa habite à Oslo.", EVE, CORNER)
    await pet.learns()
    assert "Léa: J'habite à Nantes" in await recalled(pet)


async def test_what_somebody_repeats_is_not_theirs_to_take_back(pet: Pet) -> None:
    """They said it too; whose it was it stays."""
    lea = await pet.storage.people.person("chat", LEA.external_id, LEA.name)
    origin = Origin(visibility=Visibility.SPACE, person=lea.id)
    await pet.storage.remember.store(statement(PEANUTS, origin=origin, said_by="Léa"))
    eve = await pet.storage.people.person("chat", EVE.external_id, EVE.name)
    await pet.hears(PEANUTS, EVE, LOBBY, external_id="echo")
    (row,) = await pet.storage.database.all("SELECT id FROM messages WHERE external_id = 'echo'")
    again = statement(
        PEANUTS,
        origin=Origin(visibility=Visibility.SPACE, person=eve.id),
        said_by="Eve",
        messages=(row["id"],),
    )
    await pet.storage.remember.store(again)
    await pet.storage.messages.withdraw("chat", "echo")
    assert PEANUTS in await recalled(pet)
