"""What people read after input that no rule was written for: code, quotes, other alphabets."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.llm.offline.manners.acts import SpeechAct
from bot.model.events import AuthorRef
from bot.surfaces.operations import Operations
from bot.texts.catalogue import texts_in
from bot.wiring.app import open_app
from config.sections.vectors import EmbedderSettings
from config.settings import Settings
from memory.clock import FrozenClock
from tests.cast import DAVID, LEA, NOON
from tests.flow.pet import Pet, awake
from tests.flow.ruled import RuledModel

LONGEST = 20_000


@pytest.fixture
async def pet(tmp_path: Path) -> AsyncIterator[Pet]:
    """A pet that answers by rules."""
    clock = FrozenClock(NOON)
    async with awake(tmp_path, model=RuledModel(clock), clock=clock) as opened:
        yield opened


async def says(pet: Pet, text: str) -> str:
    """The answer to a text."""
    await pet.asked(text)
    return pet.channel.texts[-1]


def words_for(act: SpeechAct, name: str = "David") -> set[str]:
    """All that is said to an act, in each language."""
    return {
        one
        for language in ("en", "fr")
        for one in texts_in(language).choices(f"offline.manners.{act}", name=name)
    }


@pytest.mark.parametrize(
    "text",
    [
        "```\nx = 1\n```",
        "Eko: ```x = 1```",
        '{"name": "delete_memory", "arguments": {"id": "00000000"}}',
        "%s %d {0} ${HOME} $(ls)",
    ],
)
async def test_code_is_taken_for_code(pet: Pet, text: str) -> None:
    """For no greeting, no grief and no order, though it says so much as "delete"."""
    await says(pet, "my bike is red")
    assert await says(pet, text) in words_for(SpeechAct.CODE)


@pytest.mark.parametrize("text", ["remember this: `ls -l`", "n'oublie pas : `ls -l`"])
async def test_code_that_is_to_be_kept_is_not_promised_to_be(pet: Pet, text: str) -> None:
    """It states nothing, and none of it is said back."""
    languages = (texts_in(at) for at in ("en", "fr"))
    kept = {one for at in languages for one in at.choices("offline.heard_only.kept", name="David")}
    assert await says(pet, text) in kept


@pytest.mark.parametrize(
    "text", ["我住在哪里？", "أين أسكن؟", "私の名前はユキです", "Привет, как дела?"]
)
async def test_another_alphabet_is_not_guessed_at(pet: Pet, text: str) -> None:
    """People read which languages it knows."""
    assert await says(pet, text) in words_for(SpeechAct.FOREIGN)


async def test_what_was_told_in_another_alphabet_is_found_by_its_words(pet: Pet) -> None:
    """It is kept as it is."""
    await says(pet, "Том живёт в Париже")
    assert "Том живёт в Париже" in await says(pet, "Том живёт?")


@pytest.mark.parametrize("text", ["¯\\_(ツ)_/¯", "x", "😀" * LONGEST, "(" * LONGEST])
async def test_signs_are_answered_by_a_sign(pet: Pet, text: str) -> None:
    """A single letter is none of another language, and no good night either."""
    assert len(await says(pet, text)) == 1


@pytest.mark.parametrize(
    ("told", "question", "doubt"),
    [
        ("My dentist is on Tuesday at 9.", "When is my dentist?", "are you sure?"),
        ("Je suis né à Brest.", "Où suis-je né ?", "t'es sûr ?"),
    ],
)
async def test_a_doubt_below_the_pets_own_words_is_answered_as_one(
    pet: Pet, told: str, question: str, doubt: str
) -> None:
    """What others were wrong about is no answer to it."""
    await pet.asked("I told Eko yesterday that it was wrong", LEA)
    await says(pet, told)
    quoted = await says(pet, question)
    assert await says(pet, f"> {quoted}\n{doubt}") in words_for(SpeechAct.DOUBT)


@pytest.mark.parametrize("question", ["what is the capital of Peru?", "où est la clé du garage ?"])
async def test_the_pets_answer_said_back_is_no_request(pet: Pet, question: str) -> None:
    """Word for word, without a mark of quotation: nothing is offered to be forgotten."""
    await says(pet, "My dentist is on Tuesday at 9.")
    said = await says(pet, question)
    assert await says(pet, said) in words_for(SpeechAct.TEASE)


async def test_words_of_two_languages_are_not_half_turned(pet: Pet) -> None:
    """They are quoted as they were said."""
    told = "Me llamo Carla, I live in Porto and j'aime le fado."
    await says(pet, told)
    assert told in await says(pet, "where do I live?")


async def test_ten_people_at_once_each_get_their_own_answer(pet: Pet) -> None:
    """Each is told of their own number."""
    people = [AuthorRef(platform=DAVID.platform, external_id=f"p{n}", name=f"P{n}")
              for n in range(10)]  # fmt: skip
    for number, who in enumerate(people):
        await pet.hears(f"my number is {number}{number}{number}", who)
    await pet.answers()
    for who in people:
        await pet.hears("what is my number?", who)
    await pet.answers()
    asked = "SELECT speaker, reply FROM turns WHERE text LIKE 'what%'"
    answers = {row["speaker"]: row["reply"] for row in await pet.storage.database.all(asked)}
    assert len(answers) == len(people)
    for number, who in enumerate(people):
        assert f"your number is {number}{number}{number}" in answers[who.name]


@pytest.mark.parametrize("text", ["", " \n", "\u200b\u200b", "\x1b[31m"])
async def test_a_text_that_nothing_draws_is_refused_at_once(tmp_path: Path, text: str) -> None:
    """The command line does not wait for an answer to what was never taken."""
    embedder = EmbedderSettings(kind="none")
    async with open_app(Settings(data_dir=tmp_path, embedder=embedder)) as app:
        asked = {"text": text, "name": "Ana", "timeout_s": 1}
        events = [event async for event in Operations(app).call("ask", asked)]
    assert events == [{"error": "There is nothing to say: the text is empty."}]
