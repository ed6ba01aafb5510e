"""What people read when the model fails, is slow, is silent or speaks another language."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.agent.circuit_breaker import BreakerRules
from bot.agent.toolbox import RESPOND
from bot.errors import (
    BotError,
    ModelAccessDenied,
    ModelRefused,
    ModelTooSlow,
    ModelUnavailable,
)
from bot.model.requests import (
    AssistantMessage,
    ModelReply,
    ModelRequest,
    ToolRound,
    Usage,
    UserMessage,
)
from bot.texts.catalogue import say
from tests.cast import DAVID, LEA
from tests.flow.limits import LIMITS
from tests.flow.pet import Pet, ScriptedModel, awake, calls, responds
from tests.storage import statement

WHERE = {"fr": "où habite Tom ?", "en": "Where does Tom live?"}
PAUSE = BreakerRules().pause
OTHER = {"fr": "en", "en": "fr"}
NOTICES = (
    "from_memory",
    "model_away",
    "model_slow",
    "model_denied",
    "model_refused",
    "model_nonsense",
    "cannot_think",
)


def nonsense() -> ModelReply:
    """An answer with neither words nor calls."""
    return ModelReply(text=" ", calls=(), usage=Usage(), model="scripted")


def words(text: str) -> ModelReply:
    """An answer in plain words."""
    return ModelReply(text=text, calls=(), usage=Usage(), model="scripted")


@pytest.fixture
async def pet(tmp_path: Path) -> AsyncIterator[Pet]:
    """A pet that knows one thing."""
    async with awake(tmp_path) as opened:
        await opened.storage.remember.store(statement("Tom habite à Lyon"))
        yield opened


@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize(
    ("failure", "notice"),
    [
        (ModelUnavailable("away"), "model_away"),
        (ModelTooSlow("did not answer within 15 seconds"), "model_slow"),
        (ModelAccessDenied("401"), "model_denied"),
        (ModelRefused("400"), "model_refused"),
    ],
)
async def test_rules_answer_in_the_speakers_language_after_one_sentence(
    pet: Pet, failure: BotError, notice: str, language: str
) -> None:
    """The reason is in the log and the turn, not in the room."""
    pet.model.will(failure)
    await pet.asked(WHERE[language])
    (read,) = pet.channel.texts
    first, _, rest = read.partition("\n")
    assert first == say(f"turn.{notice}", language)
    assert "Lyon" in rest
    assert str(failure) not in read
    assert await pet.storage.count("turns", f"error = '{failure}'") == 1


@pytest.mark.parametrize("language", ["fr", "en"])
async def test_nonsense_five_times_is_answered_from_memory(pet: Pet, language: str) -> None:
    """Neither words nor calls, or the call that ends a turn without a word in it."""
    blank = calls((RESPOND, {"message": " "}))
    pet.model.will(nonsense(), blank, nonsense(), blank, nonsense())
    await pet.asked(WHERE[language])
    (read,) = pet.channel.texts
    assert read.startswith(say("turn.model_nonsense", language) + "\n")
    assert "Lyon" in read
    assert len(pet.model.requests) == 5


class Silent(ScriptedModel):
    """Never answers."""

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Nothing."""
        self.requests.append(request)
        return await asyncio.Future()


async def test_a_model_that_never_answers_is_given_up(tmp_path: Path) -> None:
    """Within the time of one answer."""
    limits = replace(LIMITS, timeout_s=0.05)
    async with awake(tmp_path, model=Silent(), limits=limits) as pet:
        await pet.storage.remember.store(statement("Tom habite à Lyon"))
        await pet.asked(WHERE["en"])
        (read,) = pet.channel.texts
        assert read.startswith(say("turn.model_slow", "en") + "\n")
        assert "Lyon" in read


async def test_nothing_of_a_failure_is_told_to_the_model_again(pet: Pet) -> None:
    """Six answers without it, then one of its own: its request holds no notice, anywhere."""
    pet.model.will(*[ModelUnavailable("away")] * 3)
    for _ in range(6):
        await pet.asked(WHERE["fr"])
    pet.storage.clock.advance(PAUSE)
    pet.model.will(responds("À Lyon, je crois."))
    await pet.asked("tu en es sûr, dis ?")
    told = repr(pet.model.requests[-1].messages)
    for notice in NOTICES:
        for language in ("fr", "en"):
            assert say(f"turn.{notice}", language) not in told
    answers = [one for one in pet.model.requests[-1].messages if isinstance(one, AssistantMessage)]
    assert len(answers) == 6
    assert all("Lyon" in one.text for one in answers)


@pytest.mark.parametrize("language", ["fr", "en"])
async def test_a_model_that_hung_three_times_is_not_waited_for(pet: Pet, language: str) -> None:
    """People read why and the answer from memory; it is asked again once the pause is over."""
    pet.model.will(*[ModelTooSlow("15 seconds")] * 3, responds("Lyon."))
    for _ in range(5):
        await pet.asked(WHERE[language])
    assert len(pet.model.requests) == 3
    for read in pet.channel.texts:
        assert read.startswith(say("turn.model_slow", language) + "\n")
        assert "Lyon" in read
    pet.storage.clock.advance(PAUSE)
    await pet.asked(WHERE[language])
    await pet.asked(WHERE[language])
    assert len(pet.model.requests) == 5
    assert pet.channel.texts[5] == "Lyon."


async def test_a_notice_is_read_and_kept_nowhere_it_could_be_found(pet: Pet) -> None:
    """Not in what a room said, not in what is searched, not in what is learnt from."""
    pet.model.will(ModelUnavailable("away"))
    await pet.asked(WHERE["fr"])
    notice = say("turn.model_away", "fr").replace("'", "''")
    assert await pet.storage.count("turns", f"notice = '{notice}'") == 1
    assert await pet.storage.count("turns", "search_text <> ''") == 0
    assert await pet.storage.count("messages", f"instr(text, '{notice}') > 0") == 0


async def test_the_language_is_that_of_the_talk_where_one_message_does_not_tell(pet: Pet) -> None:
    """A pet whose own language is French, an English speaker, and a question of one name."""
    pet.model.will(responds("Hello!"), ModelUnavailable("away"))
    await pet.asked("Hello, what is new with you today?")
    await pet.asked("Tom ?")
    assert pet.channel.texts[-1].startswith(say("turn.model_away", "en") + "\n")


async def test_what_somebody_else_speaks_does_not_decide(pet: Pet) -> None:
    """Each in their own language, one after the other."""
    pet.model.will(ModelUnavailable("away"), ModelUnavailable("away"))
    await pet.asked(WHERE["en"], DAVID)
    await pet.asked(WHERE["fr"], LEA)
    english, french = pet.channel.texts
    assert english.startswith(say("turn.model_away", "en"))
    assert french.startswith(say("turn.model_away", "fr"))


async def test_a_fault_of_ours_is_one_sentence_and_no_history(pet: Pet) -> None:
    """In the speaker's language; the words that were not answered stay."""
    pet.model.will(ValueError("a fault of ours"), responds("Yes."))
    await pet.asked(WHERE["en"])
    await pet.asked("Are you there now?")
    assert pet.channel.texts == [say("turn.cannot_think", "en"), "Yes."]
    _preface, *messages = pet.model.requests[-1].messages
    assert [type(one) for one in messages] == [UserMessage, UserMessage]


ANSWERS = {
    "fr": "Tom habite à Lyon, et il y est très bien avec sa famille depuis des années.",
    "en": "Tom lives in Lyon, and he has been there with all of his family for years.",
}


@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("wrong", ["", "汤姆住在里昂。", "Том живёт в Lyon, с семьёй."])
async def test_an_answer_in_another_language_is_asked_for_again(
    pet: Pet, language: str, wrong: str
) -> None:
    """Once; people read the second one."""
    pet.model.will(responds(wrong or ANSWERS[OTHER[language]]), responds(ANSWERS[language]))
    await pet.asked(WHERE[language])
    assert pet.channel.texts == [ANSWERS[language]]
    told = pet.model.requests[-1].messages[-1]
    assert isinstance(told, ToolRound)
    assert told.results[0].failed


@pytest.mark.parametrize("language", ["fr", "en"])
async def test_a_model_that_insists_is_read(pet: Pet, language: str) -> None:
    """It is asked twice and not more; so it is when the second time fails."""
    wrong = responds(ANSWERS[OTHER[language]])
    pet.model.will(wrong, wrong, wrong, ModelUnavailable("away"))
    await pet.asked(WHERE[language])
    await pet.asked(WHERE[language])
    assert pet.channel.texts == [ANSWERS[OTHER[language]]] * 2
    assert len(pet.model.requests) == 4


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("comment dit-on cela en anglais ?", ANSWERS["en"]),
        ("Translate that for me, will you?", ANSWERS["fr"]),
        ("où habite Tom ?", "Tom lives in Lyon."),
        ("où habite Tom ?", "Il m'a dit : « I have been there with all of them, for years »."),
        ("¿dónde vive Tom?", ANSWERS["en"]),
        ("Где живёт Том?", "Том живёт в Лионе."),
        ("What is the Russian word for cat?", "Кошка."),
        ("Where does Tom live?", "🤷"),
    ],
)
async def test_what_may_well_be_meant_is_not_asked_again(pet: Pet, asked: str, answer: str) -> None:
    """A translation, a few words, a quotation, a third language."""
    pet.model.will(responds(answer))
    await pet.asked(asked)
    assert pet.channel.texts == [answer]
    assert len(pet.model.requests) == 1


@pytest.mark.parametrize(
    "written",
    [
        '{"name": "respond", "arguments": {"message": "À Lyon.", "expression": "happy"}}',
        '```json\n{"name": "respond", "parameters": {"message": "À Lyon."}}\n```',
        '<tool_call>\n{"name": "respond", "arguments": {"message": "À Lyon."}}\n</tool_call>',
        '{"respond": {"message": "À Lyon."}}',
        '[{"function": {"name": "respond", "arguments": "{\\"message\\": \\"À Lyon.\\"}"}}]',
    ],
)
async def test_a_call_that_a_model_writes_as_words_is_made(pet: Pet, written: str) -> None:
    """Nobody reads JSON; a search that is written so is done."""
    search = '{"name": "search_memories", "arguments": {"query": "Tom"}}'
    pet.model.will(words(search), words(written))
    await pet.asked(WHERE["fr"])
    assert pet.channel.texts == ["À Lyon."]
    assert "Tom habite à Lyon" in pet.model.results[0]


async def test_words_with_json_in_them_are_words(pet: Pet) -> None:
    """Who asks for an example of it gets one."""
    example = 'Par exemple : {"name": "respond", "arguments": {"message": "x"}}'
    pet.model.will(words(example))
    await pet.asked("montre-moi du JSON")
    assert pet.channel.texts == [example]
