"""A correction reaches the statement it names, as far as its author or their command may."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from memory.learning.correction import Corrections
from memory.model.audience import OPERATOR, Origin
from memory.model.authority import Actor, Mandate
from memory.model.rooms import HOME, Visibility
from memory.model.statements import Memory
from tests.forgotten import Household, household
from tests.storage import open_truth, statement

OWN, CLAIM, RIGHT = "Léa habite à Paris", "Léa habite à Nantes", "Léa habite à Oslo"


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[Household]:
    """Léa says where she lives, David says otherwise, and both are kept."""
    async with open_truth(tmp_path) as opened:
        home = await household(opened, "David", "Léa")
        for name, content in (("Léa", OWN), ("David", CLAIM)):
            await says(home, name, content)
        yield home


async def says(home: Household, name: str, content: str) -> None:
    """A person tells the pet something, which is kept by their own word."""
    person = home.people[name].id
    origin = Origin(visibility=Visibility.SPACE, person=person)
    new = statement(content, origin=origin, said_by=name)
    await home.storage.remember.store(new, Actor(person=person))


async def corrected(home: Household, wrong: str, actor: Actor) -> list[str]:
    """What holds once David has put a statement right by this right."""
    rows = await home.storage.memories.latest(None, OPERATOR, 10)
    old: Memory = next(row for row in rows if row.content == wrong)
    origin = Origin(visibility=Visibility.SPACE, person=home.people["David"].id)
    right = statement(RIGHT, origin=origin, said_by="David", corrects=True)
    corrections = Corrections(home.storage.remember, home.storage.memories, home.storage.clock)
    await corrections.correct(old, right, actor)
    return await home.contents()


@pytest.mark.parametrize(
    ("mandate", "wrong", "left"),
    [
        (Mandate.OWN, CLAIM, [RIGHT, OWN]),
        (Mandate.PET, CLAIM, [RIGHT, OWN]),
        (Mandate.OWN, OWN, [RIGHT, OWN]),
        (Mandate.PET, OWN, [RIGHT]),
        (Mandate.SPACE, OWN, [RIGHT]),
    ],
)
async def test_a_correction_replaces_what_it_names_and_ones_own(
    home: Household, mandate: Mandate, wrong: str, left: list[str]
) -> None:
    """By a command another's word too, if it is the one that is meant; never by the way."""
    actor = Actor(person=home.people["David"].id, mandate=mandate, space=HOME)
    assert await corrected(home, wrong, actor) == left
