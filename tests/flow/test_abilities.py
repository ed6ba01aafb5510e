"""What the pet can and cannot do, and whom it wants to know better, where it matters in a turn."""

import re
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.model.events import AuthorRef, RoomRef
from memory.learning.store import Stored
from memory.model.audience import Origin
from memory.model.authority import BY_OPERATOR
from memory.model.rooms import Visibility
from memory.model.statements import NewMemory, Source
from memory.model.stores import Collection, Store
from tests.cast import CORNER, DAVID, LEA, LOBBY, direct
from tests.flow.pet import Pet, awake, calls, responds
from tests.storage import statement

BLIND, WISH = "je ne peux pas voir les images", "j'aimerais pouvoir voir des images"
LIMITED = {"content": BLIND, "category": "limitation"}
SEES = {"content": "Je peux voir les images maintenant", "category": "capability"}


@pytest.fixture
async def pet(tmp_path: Path) -> AsyncIterator[Pet]:
    """A pet that has just been born."""
    async with awake(tmp_path) as born:
        yield born


def own(content: str, category: str, visibility: Visibility = Visibility.EVERYONE) -> NewMemory:
    """Something about the pet, by default as its keeper wrote it."""
    goals = category in {"capability_request", "connection", "understanding"}
    return NewMemory(
        store=Store.GOALS if goals else Store.SELF,
        content=content,
        origin=Origin(visibility=visibility),
        source=Source.SEED,
        category=category,
        subjects=("David",) if category == "connection" else (),
    )


async def keep(pet: Pet, *news: NewMemory) -> list[Stored]:
    """Store these and index them."""
    stored = [await pet.storage.remember.store(new) for new in news]
    await pet.storage.indexer.settle()
    return stored


async def told(
    pet: Pet, name: str, arguments: Any, who: AuthorRef = DAVID, where: RoomRef = CORNER
) -> str:
    """What the model is told of one call in a turn."""
    pet.model.will(calls((name, arguments)), responds("Voilà."))
    await pet.hears("Eko, une question pour toi", who, where)
    await pet.answers()
    return pet.model.results[0]


async def noticed(pet: Pet) -> None:
    """The pet notices with the same person what it cannot do, and wishes it could."""
    await told(pet, "store_self", LIMITED)
    await told(pet, "store_goal", {"content": WISH, "category": "capability_request"})


async def open_statements(pet: Pet) -> set[str]:
    """What still holds, of all stores."""
    rows = await pet.storage.database.all("SELECT content FROM active_memories")
    return {row["content"] for row in rows}


async def test_a_new_capability_closes_its_limitation_and_its_request(pet: Pet) -> None:
    """The model is told, others of their kind stay, and no search brings the closed ones back."""
    music = own("je ne peux pas jouer de musique", "limitation")
    await keep(pet, music)
    await noticed(pet)
    outcome = await told(pet, "store_self", SEES)
    assert f"It closes the limitation: {BLIND}" in outcome
    assert f"It closes the capability request: {WISH}" in outcome
    assert await open_statements(pet) == {SEES["content"], music.content}
    assert BLIND not in await told(pet, "search_self", {"query": "voir images"})
    assert await told(pet, "search_goals", {"query": "voir images"}) == "Nothing found."


WEB, OFFLINE = "Je peux chercher sur le web", "I cannot look at the internet"
SURF = "Être capable de consulter des sites"


async def test_what_a_capability_may_close_is_shown_and_closed_by_the_model(pet: Pet) -> None:
    """In other words and another language, which no rule can tell: the wish, too, by its id."""
    await told(pet, "store_self", {"content": OFFLINE, "category": "limitation"})
    await told(pet, "store_self", {"content": "J'aime les sites", "category": "preference"})
    await told(pet, "store_goal", {"content": SURF, "category": "capability_request"})
    can = {"content": WEB, "category": "capability"}
    shown = await told(pet, "store_self", can)
    beside = re.findall(r"\[id ([0-9a-f]{8})\] \((\w+),", shown)
    assert {kind for _, kind in beside} == {"limitation", "capability_request"}
    ids = [id_ for id_, _ in beside]
    pet.model.will(
        calls(("store_self", can)),
        calls(("store_self", {**can, "replaces": ids})),
        responds("Voilà."),
    )
    await pet.asked("Eko, et maintenant ?")
    assert f"It closes the capability request: {SURF}" in pet.model.results[-1]
    assert await open_statements(pet) == {WEB, "J'aime les sites"}


async def test_a_wish_is_closed_by_its_words(pet: Pet) -> None:
    """As the block showed it, though it stands among what the pet wants."""
    await told(pet, "store_goal", {"content": SURF, "category": "capability_request"})
    can = {"content": WEB, "category": "capability", "replaces": [SURF]}
    assert f"It closes the capability request: {SURF}" in await told(pet, "store_self", can)
    assert await open_statements(pet) == {WEB}


async def test_what_is_closed_in_private_leaves_what_others_are_shown(pet: Pet) -> None:
    """What it may close is shown of the same audience alone."""
    await keep(pet, own(OFFLINE, "limitation"))
    shown = await told(
        pet, "store_self", {"content": WEB, "category": "capability"}, DAVID, direct(DAVID)
    )
    assert OFFLINE not in shown


async def test_what_was_closed_is_history_and_leaves_the_index(pet: Pet) -> None:
    """Both rows name what closed them; neither is in the collection of its store."""
    await noticed(pet)
    (blind,) = await pet.storage.index.ids(Collection.SELF)
    (wish,) = await pet.storage.index.ids(Collection.GOALS)
    await told(pet, "store_self", SEES)
    rows = await pet.storage.database.all(
        "SELECT DISTINCT superseded_by FROM memories WHERE superseded_at IS NOT NULL"
    )
    (sees,) = await pet.storage.index.ids(Collection.SELF)
    assert [row["superseded_by"] for row in rows] == [str(sees)]
    assert await pet.storage.index.ids(Collection.GOALS) == frozenset()
    assert sees not in {blind, wish}


async def test_a_capability_said_again_closes_what_was_noticed_since(pet: Pet) -> None:
    """It is known already, and it is what holds now."""
    await keep(pet, own(SEES["content"], "capability"), own(WISH, "capability_request"))
    await pet.storage.remember.store(own(SEES["content"], "capability"))
    assert await open_statements(pet) == {SEES["content"]}


async def test_what_is_said_in_private_closes_nothing_of_others(pet: Pet) -> None:
    """In the lobby the pet would lose the limitation and not learn the capability."""
    await keep(pet, own(BLIND, "limitation"))
    outcome = await told(pet, "store_self", SEES, DAVID, direct(DAVID))
    assert "closes" not in outcome
    assert BLIND in await open_statements(pet)


async def test_what_the_keeper_writes_closes_what_was_noticed_anywhere(pet: Pet) -> None:
    """Everybody learns the capability with it."""
    await told(pet, "store_self", LIMITED, DAVID, direct(DAVID))
    stored = await pet.storage.remember.store(own(SEES["content"], "capability"), BY_OPERATOR)
    assert [old.content for old in stored.closed] == [BLIND]
    assert await open_statements(pet) == {SEES["content"]}


async def test_a_seed_planted_again_closes_nothing(pet: Pet) -> None:
    """What was noticed since holds against what was planted before."""
    (planted,) = await keep(pet, own(SEES["content"], "capability"))
    wish = own(WISH, "capability_request")
    await keep(pet, wish)
    again = own(SEES["content"], "capability")
    seed = NewMemory(
        id=planted.id,
        store=again.store,
        content=again.content,
        origin=again.origin,
        source=again.source,
        category=again.category,
    )
    assert (await pet.storage.remember.store(seed)).closed == ()
    assert wish.content in await open_statements(pet)


@pytest.mark.parametrize("named", [{"subjects": ["David"]}, {}])
async def test_a_connection_goal_that_a_model_keeps_is_there_when_that_person_speaks(
    pet: Pet, named: dict[str, Any]
) -> None:
    """Also when it named David in the words only, and in another session."""
    goal = "Apprendre à mieux connaître David"
    await told(pet, "store_goal", {"content": goal, "category": "connection", **named})
    pet.storage.clock.advance(timedelta(minutes=16))
    await pet.asked("Eko, il pleut encore ce matin", DAVID, LOBBY)
    assert f"• {goal}" in pet.model.told
    await pet.asked("Eko, il pleut encore ce matin", LEA, LOBBY)
    assert goal not in pet.model.told


async def test_a_connection_goal_is_there_when_that_person_speaks(pet: Pet) -> None:
    """Whatever they talk about, and for nobody else."""
    goal = "Apprendre à mieux connaître David"
    await keep(pet, own(goal, "connection"))
    await pet.asked("Eko, il pleut encore ce matin", DAVID, LOBBY)
    assert f"• {goal}" in pet.model.told
    await pet.asked("Eko, il pleut encore ce matin", LEA, LOBBY)
    assert goal not in pet.model.told


@pytest.mark.parametrize(
    ("limitation", "asked"),
    [
        (BLIND, "tu peux regarder cette image ?"),
        (BLIND, "can you have a look at this image?"),
        ("I cannot see images", "can you look at these images?"),
        ("I cannot see images", "tu peux me décrire l'image ?"),
        ("Je ne peux pas jouer de musique", "joue-nous un peu de musique !"),
    ],
)
async def test_a_limitation_is_there_when_the_impossible_is_asked(
    pet: Pet, limitation: str, asked: str
) -> None:
    """By a word they share, in either language."""
    await keep(pet, own(limitation, "limitation"), statement("Léa habite à Lyon"))
    assert f"• {limitation}" in await pet.asked(asked, DAVID, CORNER)


@pytest.mark.parametrize(
    "asked", ["tu peux regarder cette image ?", "can you have a look at this picture?"]
)
async def test_a_capability_is_there_when_it_is_asked_for(pet: Pet, asked: str) -> None:
    """Beside the limitation that the same question runs into, in either language."""
    large = "je ne peux pas voir les images de plus de 5 Mo"
    await keep(pet, own(SEES["content"], "capability"), own(large, "limitation"))
    injected = await pet.asked(asked, DAVID, CORNER)
    assert f"• {SEES['content']}" in injected
    assert f"• {large}" in injected
    assert "images" not in await pet.asked("tu peux chanter une chanson ?", DAVID, CORNER)


async def test_a_limitation_is_not_there_for_something_else(pet: Pet) -> None:
    """Nor any other line about the pet itself."""
    await keep(pet, own(BLIND, "limitation"), own("J'aime les images", "preference"))
    assert "images" not in await pet.asked("tu peux chanter une chanson ?", DAVID, CORNER)
