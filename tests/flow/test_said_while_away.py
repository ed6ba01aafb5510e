"""What people say while the model is away is found and learnt like anything else."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.errors import BotError, ModelUnavailable
from memory.model.audience import OPERATOR
from memory.model.stores import Collection
from tests.cast import DAVID, direct
from tests.flow.extractors import by_model
from tests.flow.learning import fact, learnt, records
from tests.flow.pet import Pet, awake, responds

ALONE = direct(DAVID)
SAID = {
    "fr": ("Mon parapluie violet est resté chez Zoé", "où est mon parapluie violet ?"),
    "tag": ("Le plombier répare mon évier jeudi, tu notes ?", "quand vient le plombier ?"),
    "en": ("My violet umbrella stayed at Zoe's place", "where is my violet umbrella?"),
}


@pytest.fixture
async def pet(tmp_path: Path) -> AsyncIterator[Pet]:
    """A pet whose model may be away."""
    async with awake(tmp_path, extractor=by_model) as born:
        yield born


@pytest.mark.parametrize(
    "failure", [ModelUnavailable("away"), BotError("lost"), ValueError("ours")]
)
@pytest.mark.parametrize("language", SAID)
async def test_words_that_the_model_missed_are_recalled(
    pet: Pet, language: str, failure: Exception
) -> None:
    """Once the talk is over and its window gone, by words and by meaning."""
    said, question = SAID[language]
    pet.model.will(failure)
    await pet.asked(said, DAVID, ALONE)
    await pet.falls_silent()
    assert said in await pet.asked(question, DAVID, ALONE)


async def test_they_are_in_the_full_text_and_in_the_vector_store(pet: Pet) -> None:
    """Without what was said in the place of an answer."""
    said, _ = SAID["fr"]
    pet.model.will(ModelUnavailable("away"))
    await pet.asked(said, DAVID, ALONE)
    (turn,) = await pet.storage.database.all("SELECT id, text, reply FROM turns")
    found = await pet.recall.search_history("parapluie", OPERATOR, 5)
    assert [one.content for one in found] == [said]
    assert [str(id_) for id_ in pet.storage.index._points[Collection.CONVERSATIONS]] == [turn["id"]]


async def test_they_are_learnt_from_once_it_is_back(pet: Pet) -> None:
    """Also where no turn of the talk was answered by it."""
    pet.model.will(ModelUnavailable("away"))
    await pet.asked("le ski, c'est toute une affaire", DAVID, ALONE)
    pet.model.will(records(fact("David adore le ski")))
    await pet.learns()
    assert "David adore le ski" in await learnt(pet)


async def test_what_was_asked_meanwhile_is_no_answer_to_the_same_question(pet: Pet) -> None:
    """A question that got none tells nothing."""
    pet.model.will(ModelUnavailable("away"))
    await pet.asked(SAID["fr"][1], DAVID, ALONE)
    await pet.falls_silent()
    pet.model.will(responds("Je ne sais pas."))
    assert "parapluie" not in await pet.asked(SAID["fr"][1], DAVID, ALONE)
