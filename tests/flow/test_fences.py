"""The marks around what is recalled are random for each session and stay the same in it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.model.requests import UserMessage
from tests.cast import DAVID, LEA, direct
from tests.flow.pet import Pet, awake
from tests.storage import statement


@pytest.fixture
async def pet(tmp_path: Path) -> AsyncIterator[Pet]:
    """A pet that knows where Mickael lives."""
    async with awake(tmp_path) as born:
        await born.storage.remember.store(statement("Mickael habite à Athènes"))
        await born.storage.indexer.settle()
        yield born


def opening(pet: Pet) -> str:
    """The first mark of the latest request, which the model was told of."""
    request = pet.model.requests[-1]
    blocks = [m.injection for m in request.messages if isinstance(m, UserMessage) and m.injection]
    first = blocks[0].splitlines()[0]
    assert first in request.system_of_session
    assert all(block.startswith(first) for block in blocks)
    return first


async def test_each_session_has_marks_of_its_own(pet: Pet) -> None:
    """Another person's, and the next one of the same person."""
    asked = "où habite Mickael ?"
    marks = set()
    for who in (DAVID, LEA):
        await pet.asked(asked, who, direct(who))
        marks.add(opening(pet))
    await pet.falls_silent()
    await pet.asked(asked, DAVID, direct(DAVID))
    marks.add(opening(pet))
    assert len(marks) == 3


async def test_what_was_sent_before_stays_the_same(pet: Pet) -> None:
    """Rules, marks and earlier blocks, byte for byte, so that a provider's cache holds."""
    await pet.asked("où habite Mickael ?", DAVID, direct(DAVID))
    first = pet.model.requests[-1]
    await pet.asked("merci !", DAVID, direct(DAVID))
    later = pet.model.requests[-1]
    assert (later.system, later.system_of_session) == (first.system, first.system_of_session)
    kept = [m.injection for m in later.messages if isinstance(m, UserMessage)]
    assert [m.injection for m in first.messages if isinstance(m, UserMessage)] == kept[:2]


async def test_the_stable_rules_name_no_mark(pet: Pet) -> None:
    """They are the same in every session, and cached for all of them."""
    await pet.asked("où habite Mickael ?", DAVID, direct(DAVID))
    assert opening(pet) not in pet.model.requests[-1].system
