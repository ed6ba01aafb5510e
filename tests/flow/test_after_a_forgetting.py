"""What is said after a forgetting: heard whole, kept without it, and refused in so many words."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.llm.offline.forgetting import asked_to_forget
from bot.model.requests import ModelReply
from bot.texts.catalogue import say
from memory.rules.forgetting.selector import Selector
from tests.cast import DAVID, LEA, LOBBY, direct
from tests.flow.owning import Owner, owned
from tests.flow.pet import Pet, ScriptedModel, awake, calls, responds
from tests.flow.test_forgetting_in_chat import ask, offline
from tests.forgotten import RUNNER, forgetting_on

CODE = "7391-KX"


@pytest.fixture
async def model() -> ScriptedModel:
    """What the pet thinks with."""
    return ScriptedModel()


@pytest.fixture
async def pet(tmp_path: Path, model: ScriptedModel) -> AsyncIterator[Pet]:
    """A pet of whose lobby David has had the code of his gate forgotten."""
    async with awake(tmp_path, model=model) as born:
        await born.overhears(f"mon code de portail est le {CODE}", DAVID, LOBBY)
        await forgetting_on(born.storage).at_once(Selector(topic="portail"), RUNNER)
        yield born


async def rows_with(pet: Pet, words: str) -> int:
    """How many rows of what is kept hold these words."""
    return sum(
        [
            await pet.storage.count("messages", f"text LIKE '%{words}%'"),
            await pet.storage.count("turns", f"text || reply || recalled LIKE '%{words}%'"),
            await pet.storage.count("turn_tools", f"arguments || result LIKE '%{words}%'"),
            await pet.storage.count("memory_retrievals", f"query LIKE '%{words}%'"),
        ]
    )


async def test_words_that_are_said_now_reach_the_model_and_its_answer_whole(
    pet: Pet, model: ScriptedModel
) -> None:
    """Whoever checks whether it is forgotten is heard; nothing of it is kept."""
    looked = calls(("search_memories", {"query": CODE}))
    model.will(looked, responds(f"Du {CODE}, je ne sais rien."))
    await pet.asked(f"Eko, tu sais quoi de mon {CODE} ?", DAVID, LOBBY)
    heard = "\n".join(getattr(one, "text", "") for one in model.requests[-1].messages)
    assert f"tu sais quoi de mon {CODE} ?" in heard
    assert pet.channel.texts[-1] == f"Du {CODE}, je ne sais rien."
    assert await rows_with(pet, CODE) == 0


async def test_an_answer_says_no_forgotten_value_by_itself(pet: Pet, model: ScriptedModel) -> None:
    """Only what was just said to it may stand there."""
    model.will(responds(f"C'est {CODE} !"))
    await pet.asked("Eko, c'est quoi mon code de portail ?", DAVID, LOBBY)
    assert pet.channel.texts[-1] == "C'est […] !"


async def test_what_was_edited_is_heard_whole(pet: Pet) -> None:
    """As what was said."""
    heard = await pet.hears("Eko, tu sais quoi de ça ?", DAVID, LOBBY)
    edited = await pet.storage.messages.edit(DAVID.platform, heard, f"Eko, et de {CODE} ?")
    assert edited is not None
    assert edited.text == f"Eko, et de {CODE} ?"
    assert await rows_with(pet, CODE) == 0


async def test_a_store_that_is_refused_says_why(pet: Pet, model: ScriptedModel) -> None:
    """The model is told of no row that does not exist."""
    stored = calls(("store_memory", {"content": f"David ouvre le portail avec {CODE}"}))
    model.will(stored, responds("Tant pis."))
    await pet.asked(f"Eko, David ouvre le portail avec {CODE}", LEA, LOBBY)
    assert model.results[-1].startswith("Not stored: it says what was forgotten here.")
    assert await pet.storage.count("memories") == 0


async def test_a_fact_with_a_date_that_was_only_mentioned_is_stored(
    pet: Pet, model: ScriptedModel
) -> None:
    """The date is not of what was forgotten alone."""
    await pet.overhears("dentiste le 25 novembre 2026, ne le dites pas", DAVID, LOBBY)
    await forgetting_on(pet.storage).at_once(Selector(topic="dentiste"), RUNNER)
    content = "Le concert de Léa est le 25 novembre 2026"
    model.will(calls(("store_memory", {"content": content})), responds("Noté."))
    await pet.asked("Eko, mon concert est le 25 novembre 2026", LEA, LOBBY)
    assert model.results[-1].startswith("Stored [id ")
    assert await pet.storage.count("memories", f"content = '{content}'") == 1


def forgets(**arguments: Any) -> ModelReply:
    """A call of the tool that forgets."""
    return calls(("memory__forget", arguments))


async def test_the_exchange_in_which_something_was_forgotten_is_not_found(
    pet: Pet, model: ScriptedModel
) -> None:
    """It may name what is gone: in its words, or in a reply that repeats them otherwise."""
    await pet.overhears("j'adore le levain", DAVID, LOBBY)
    model.will(forgets(topic="levain"), responds("tu es sûr ?"))
    await pet.asked("oublie ce que j'ai dit du levain")
    model.will(forgets(confirm="latest"), responds("La boulange maison, c'est oublié."))
    await pet.asked("oui, vas-y")
    assert model.results[-1].startswith("Forgotten: ")
    assert await pet.storage.count("turns", "reply LIKE 'La boulange%'") == 1
    assert await pet.storage.count("turns", "reply LIKE 'La boulange%' AND search_text = ''") == 1


@pytest.mark.parametrize("locale", ["en", "fr"])
def test_an_assent_is_read_below_the_first_answer_of_a_talk(locale: str) -> None:
    """There the pet also says by what it answers."""
    shown = f"1 message.\n{say('offline.go_on', locale)}"
    assert asked_to_forget(f"{shown}\n\n{say('turn.by_rules', locale)}")
    assert not asked_to_forget(f"{shown}\n\nMerci !")


@pytest.fixture
async def owner(tmp_path: Path) -> AsyncIterator[Owner]:
    """A pet whose David wants two topics left alone."""
    async with owned(tmp_path, "en") as one:
        for topic in ("my divorce", "my exams"):
            await one.uses("quiet-about", where=direct(DAVID), locale="en", topic=topic)
        yield one


async def quiet(owner: Owner) -> list[str]:
    """What David wants left alone."""
    return [one.topic for one in await owner.app.storage.quiet_topics.of(await owner.person())]


async def test_a_topic_to_leave_alone_goes_with_its_forgetting_and_comes_back(
    owner: Owner,
) -> None:
    """It says the very word that is to be forgotten."""
    await owner.uses("forget", where=direct(DAVID), locale="en", topic="divorce")
    shown = await owner.uses("forget", where=direct(DAVID), locale="en", topic="confirm")
    assert "1 topic to leave alone" in shown.text
    assert await quiet(owner) == ["my exams"]
    await owner.uses("forget", where=direct(DAVID), locale="en", topic="undo")
    assert await quiet(owner) == ["my divorce", "my exams"]


async def test_a_topic_to_leave_alone_is_one_persons_own(owner: Owner) -> None:
    """Another one who forgets the same has no power over it."""
    await owner.uses("forget", LEA, where=direct(LEA), locale="en", topic="divorce")
    await owner.uses("forget", LEA, where=direct(LEA), locale="en", topic="confirm")
    assert await quiet(owner) == ["my divorce", "my exams"]


async def test_a_topic_to_leave_alone_goes_with_a_request_in_plain_words(tmp_path: Path) -> None:
    """The messages that ask name it, whatever else they choose."""
    async with offline(tmp_path, locale="en") as app:
        await ask(app, "my divorce was on a rainy morning")
        await ask(app, "/quiet-about divorce")
        (person,) = await app.storage.people.named("David")
        assert [one.topic for one in await app.storage.quiet_topics.of(person)] == ["divorce"]
        await ask(app, "please forget that my divorce was on a rainy morning")
        assert "1 topic to leave alone" in await ask(app, "yes")
        assert await app.storage.quiet_topics.of(person) == []
