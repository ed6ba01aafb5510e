"""A fact that is edited is answered as it is now, at once, and as it was no more."""

from pathlib import Path

import pytest

from memory.clock import FrozenClock
from memory.model.audience import scope_of
from memory.model.people import PersonId
from memory.model.retrieval import Question
from tests.cast import DAVID, LEA, LOBBY, NOON, direct, room_of
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


async def test_a_misspelt_word_is_sought_again_when_it_is_asked_again(tmp_path: Path) -> None:
    """The question is kept too, and its slip is no word that was told."""
    async with awake(tmp_path) as pet:
        await pet.hears("The greenhouse key hangs behind the kitchen door.", LEA, LOBBY)
        room = room_of(LOBBY)
        again = Question(
            text="grenhouse",
            context="",
            speaker="David",
            room=room,
            scope=scope_of(room, PersonId("nobody")),
        )
        for _ in range(2):
            await pet.asked("Eko, grenhouse ?", DAVID, LOBBY)
            found = await pet.recall.before(again)
            said = {one.candidate.content: one.candidate.signals for one in found.items}
            assert said["The greenhouse key hangs behind the kitchen door."].get("words")


@pytest.mark.parametrize(
    ("told", "keywords", "found"),
    [
        ("Our wifi password is lemon-harbour-42.", "wifi password", "lemon-harbour-42"),
        ("Our wifi password is lemon-harbour-42.", "wifi pasword", "lemon-harbour-42"),
        ("Le code du garage est 4821B.", "code garage", "4821B"),
    ],
)
async def test_keywords_are_answered_with_what_was_told_of_them(
    tmp_path: Path, told: str, keywords: str, found: str
) -> None:
    """As a search box does, misspelt too."""
    clock = FrozenClock(NOON)
    async with awake(tmp_path, model=RuledModel(clock), clock=clock) as pet:
        await pet.asked(told, DAVID, ALONE)
        await pet.asked(keywords, DAVID, ALONE)
        assert found in pet.channel.texts[-1]


@pytest.mark.parametrize("said", ["nice weather", "great job", "holiday plans", "Barcelona"])
async def test_a_word_said_in_passing_brings_up_nothing(tmp_path: Path, said: str) -> None:
    """Of which nothing was told."""
    clock = FrozenClock(NOON)
    async with awake(tmp_path, model=RuledModel(clock), clock=clock) as pet:
        await pet.asked("Our wifi password is lemon-harbour-42.", DAVID, ALONE)
        await pet.asked(said, DAVID, ALONE)
        assert "lemon-harbour-42" not in pet.channel.texts[-1]
