"""A fact that is edited is answered as it is now, at once, and as it was no more."""

from pathlib import Path

import pytest

from memory.clock import FrozenClock
from tests.cast import DAVID, NOON, direct
from tests.flow.pet import awake
from tests.flow.ruled import RuledModel
from tests.flow.test_edited_facts import reworded

ALONE = direct(DAVID)


@pytest.mark.parametrize("learnt", [False, True])
@pytest.mark.parametrize(
    ("before", "after", "question", "old", "new"),
    [
        ("I live in Lyon.", "I live in Nice.", "Where do I live?", "Lyon", "Nice"),
        (
            "Mon chat s'appelle Mochi.",
            "Mon chat s'appelle Filou.",
            "Comment s'appelle mon chat ?",
            "Mochi",
            "Filou",
        ),
    ],
)
async def test_an_edited_message_is_answered_in_its_new_words(
    tmp_path: Path, before: str, after: str, question: str, old: str, new: str, *, learnt: bool
) -> None:
    """Whether or not anything was learnt from the old ones."""
    clock = FrozenClock(NOON)
    async with awake(tmp_path, model=RuledModel(clock), clock=clock) as pet:
        await pet.asked(before, DAVID, ALONE)
        if learnt:
            await pet.learns()
        await reworded(pet, before, after)
        await pet.asked(question, DAVID, ALONE)
        assert new in pet.channel.texts[-1]
        assert old not in pet.channel.texts[-1]
