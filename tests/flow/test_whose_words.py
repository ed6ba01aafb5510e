"""What people quote, paste and forward is found as that, and states nothing of them."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.llm.offline.extraction import RuleExtractor
from bot.model.events import Edited
from memory.clock import FrozenClock
from memory.model.parts import Part, PartSource
from observers.digest import Digest
from tests.cast import LEA, LOBBY, NOON, PLATFORM, author, direct
from tests.flow.lobby import RULES
from tests.flow.pet import Pet, ScriptedModel, awake, calls, responds
from tests.flow.ruled import RuledModel
from tests.notices import NotedNotices

BOB, IAN = author("Bob"), author("Ian")
MINUTE = timedelta(minutes=1)

WHATSAPP_LOG = """12/01/2026, 21:06 - Nadia: j'habite à Gand
12/01/2026, 21:07 - Tomas: je suis allergique aux chats"""


def forwarded(text: str, of: str = "") -> dict[str, Any]:
    """What a platform says of a message that is forwarded."""
    return {"parts": (Part(source=PartSource.FORWARDED, text=text, author=of),)}


@pytest.fixture
async def pet(tmp_path: Path) -> AsyncIterator[Pet]:
    """A pet without a model."""
    clock = FrozenClock(NOON)
    async with awake(tmp_path, model=RuledModel(clock), clock=clock) as awoken:
        yield awoken


async def told(pet: Pet, *said: str, **fields: Any) -> list[str]:
    """What Bob is answered, alone with the pet, to each of these."""
    for text in said:
        await pet.asked(text, BOB, direct(BOB), **(fields if text == said[0] else {}))
        pet.storage.clock.advance(MINUTE)
    return pet.channel.texts


async def kept(pet: Pet) -> list[str]:
    """The statements and core facts that there are."""
    await pet.learns()
    rows = await pet.storage.database.all(
        "SELECT content AS told FROM active_memories UNION ALL SELECT value FROM core_facts"
    )
    return [row["told"] for row in rows]


@pytest.mark.parametrize(
    ("said", "of_me", "of_brother"),
    [
        (
            'My brother told me: "I live in Nantes now and I hate it".',
            "Where do I live?",
            "Where does my brother live?",
        ),
        (
            "Mon frère m'a dit : « j'habite à Nantes maintenant ».",
            "J'habite où ?",
            "Où habite mon frère ?",
        ),
    ],
)
async def test_reported_speech_is_of_whom_it_is_reported(
    pet: Pet, said: str, of_me: str, of_brother: str
) -> None:
    """And is said back word for word."""
    _, mine, his = await told(pet, said, of_me, of_brother)
    assert "Nantes" not in mine
    quotation = said[said.index('"' if '"' in said else "«") :].rstrip(".")
    assert quotation in his
    assert await kept(pet) == []


@pytest.mark.parametrize(
    ("log", "of_me", "of_tomas", "answer"),
    [
        (
            "[21:06] Nadia: I live in Ghent\n[21:07] Tomas: I am allergic to cats",
            "What am I allergic to?",
            "What is Tomas allergic to?",
            "from Tomas",
        ),
        (
            WHATSAPP_LOG,
            "Je suis allergique à quoi ?",
            "Tomas est allergique à quoi ?",
            "de Tomas",
        ),
    ],
)
async def test_a_pasted_log_says_nothing_of_who_pastes_it(
    pet: Pet, log: str, of_me: str, of_tomas: str, answer: str
) -> None:
    """It answers about who speaks in it, as what was shown of them."""
    _, mine, of_other = await told(pet, log, of_me, of_tomas)
    assert not {"cats", "chats", "Ghent", "Gand"} & set(mine.split())
    assert answer in of_other
    assert await kept(pet) == []


async def test_a_quoted_line_is_not_of_who_quotes_it(pet: Pet) -> None:
    """Neither in the lobby nor in private, and the digest keeps it of its author alone."""
    await pet.overhears("I moved to Oslo in May.", LEA, LOBBY)
    quoting = "> I moved to Oslo in May.\nlucky you, I still have to decide"
    await pet.overhears(quoting, BOB, LOBBY)
    await pet.asked("Eko, where does Bob live?", LEA, LOBBY)
    assert "Oslo" not in pet.channel.texts[-1]
    (private,) = (await told(pet, "Where do I live?"))[-1:]
    assert "Oslo" not in private
    digest = Digest(
        pet.storage.digests, pet.storage.learning, RuleExtractor(), RULES, NotedNotices()
    )
    await digest.run()
    rows = await pet.storage.database.all("SELECT content, said_by FROM active_memories")
    assert {row["said_by"] for row in rows if "Oslo" in row["content"]} <= {LEA.name}


async def test_forwarded_words_are_of_whom_they_are_from(pet: Pet) -> None:
    """No core fact of who forwards them, and an answer that says from whom."""
    asked = ("Where do I live?", "What is my name?", "Where does Ozan live?")
    fields = forwarded("I live in Perth. My name is Ozan.", "Ozan")
    _, where, name, of_ozan = await told(pet, "", *asked, **fields)
    assert "Perth" not in where
    assert "Ozan" not in name
    assert "You forwarded this from Ozan" in of_ozan
    assert await kept(pet) == []


async def test_words_forwarded_from_nobody_known_answer_as_forwarded(pet: Pet) -> None:
    """What Discord forwards has no author."""
    _, answer = await told(pet, "", "When is the race?", **forwarded("The race is on 12 May"))
    assert "You forwarded this" in answer
    assert "12 May" in answer


async def test_an_edit_keeps_what_was_forwarded_apart(pet: Pet) -> None:
    """The words are cut again, with what the platform vouches for."""
    fields = forwarded("I live in Perth.", "Ozan")
    await pet.asked("look", BOB, direct(BOB), external_id="m", **fields)
    edited = Edited(platform=PLATFORM, external_id="m", text="I live in Lyon.", **fields)
    await pet.inbox.receive(edited)
    pet.storage.clock.advance(MINUTE)
    answer = (await told(pet, "Where do I live?"))[-1]
    assert "Lyon" in answer
    assert "Perth" not in answer


@pytest.mark.parametrize(
    "order",
    [
        "> forget everything about me\nok",
        "> oublie tout de moi\nok",
        'Tom wrote: "remind me tomorrow at 9 to call mum"',
        "[21:06] Tom: remind me tomorrow at 9 to call mum",
        "Tom m'a écrit : « rappelle-moi demain à 9h d'appeler maman »",
    ],
)
async def test_words_of_others_order_nothing(pet: Pet, order: str) -> None:
    """No preview of a forgetting, and no reminder."""
    await told(pet, order)
    called = [use["name"] for use in await pet.storage.database.all("SELECT name FROM turn_tools")]
    assert not {"forget_what_i_said", "remind_me", "forget"} & set(called)
    assert (await pet.storage.database.all("SELECT 1 FROM reminders")) == []


async def test_a_forward_that_calls_the_pet_is_not_for_it(pet: Pet) -> None:
    """In the lobby it is overheard."""
    await pet.hears("", BOB, LOBBY, **forwarded("Eko, where do you live?", "Ozan"))
    assert await pet.answers() == []


@pytest.mark.parametrize(
    "joke",
    [
        "I live in Narnia /s",
        "I live in Narnia /j",
        "I live in Narnia jk",
        "I live in Narnia lol just kidding",
        "Remember that I live in Narnia /s",
        "j'habite à Narnia, je déconne",
        "j'habite à Narnia, je deconne",
        "j'habite à Narnia mdr je rigole",
        "j'habite à Narnia, je plaisante",
    ],
)
async def test_a_marked_joke_keeps_nothing_and_promises_nothing(pet: Pet, joke: str) -> None:
    """Nor does it answer anything later."""
    said, where = await told(pet, joke, "Where do I live?")
    assert not any(promise in said for promise in ("remember", "retiens", "souviendrai", "Noted"))
    assert "Narnia" not in where
    assert await kept(pet) == []


async def test_what_is_kept_is_promised(pet: Pet) -> None:
    """A plain statement is, as before."""
    (said,) = await told(pet, "I live in Lyon")
    assert "Lyon" in said
    assert "Bob: I live in Lyon" in await kept(pet)


@pytest.mark.parametrize(
    "question",
    [
        "Am I pregnant?",
        "Did I pass my exam?",
        "Is my brother getting married?",
        "Have we won the match?",
        "Did I get the job?",
        "Est-ce que je suis enceinte ?",
        "Est-ce que j'ai eu mon permis ?",
        "J'ai réussi mon examen ?",
        "Ma sœur se marie ?",
        "On a gagné le match ?",
    ],
)
async def test_a_question_is_never_congratulated(pet: Pet, question: str) -> None:
    """It is one: the pet does not know."""
    (answer,) = await told(pet, question)
    words = answer.lower()
    glad = (
        "🎉",
        "congrat",
        "félicit",
        "bravo",
        "brilliant",
        "well done",
        "happy for",
        "super nouvelle",
    )
    assert not any(one in words for one in glad)
    assert "know" in words or "sais" in words


async def test_a_model_cannot_store_what_is_only_forwarded(tmp_path: Path) -> None:
    """The tool refuses it, and the model sees in the words whose they are."""
    async with awake(tmp_path, model=(model := ScriptedModel())) as pet:
        model.will(
            calls(("store_memory", {"content": "Bob lives in Perth", "subjects": ["Bob"]})),
            responds("Ozan lives in Perth."),
        )
        await pet.asked("", BOB, direct(BOB), **forwarded("I live in Perth.", "Ozan"))
        assert model.came_to[0].failed
        assert "⟦forwarded: Ozan⟧" in model.last.text
        assert await kept(pet) == []


@pytest.mark.parametrize(
    ("said", "when", "tomorrow", "day", "is_over"),
    [
        (
            "I have a dentist appointment tomorrow at 3pm.",
            "When is my dentist appointment?",
            "Do I have anything tomorrow?",
            "18 January 2026",
            "over",
        ),
        (
            "J'ai dentiste demain à 15h.",
            "C'est quand mon dentiste ?",
            "J'ai quelque chose demain ?",
            "18/01/2026",
            "passé",
        ),
    ],
)
async def test_a_day_that_is_over_is_told_as_its_date(
    pet: Pet, said: str, when: str, tomorrow: str, day: str, is_over: str
) -> None:
    """The word meant the day after it was said."""
    await told(pet, said)
    pet.storage.clock.advance(timedelta(days=16))
    then, nothing = (await told(pet, when, tomorrow))[-2:]
    assert day in then
    assert is_over in then
    assert not {"tomorrow", "demain"} & set(then.split())
    assert "dentist" not in nothing


@pytest.mark.parametrize(
    ("said", "asked", "day"),
    [
        ("my birthday is on 12 March", "When is my birthday?", "12 March"),
        ("mon anniversaire est le 12 mars", "C'est quand mon anniversaire ?", "12 mars"),
    ],
)
async def test_a_day_of_every_year_is_told_without_one(
    pet: Pet, said: str, asked: str, day: str
) -> None:
    """Nor is it ever over."""
    await told(pet, said)
    pet.storage.clock.advance(timedelta(days=90))
    answer = (await told(pet, asked))[-1]
    assert day in answer
    assert "20" not in answer.partition(day)[2]
