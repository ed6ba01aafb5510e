"""One visitor with ten thousand messages: hardly any is kept, and a neighbour is answered."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.conversation.arrival_rates import Rate
from bot.model.events import Inbound
from bot.model.requests import ModelReply, ModelRequest
from tests.cast import CORNER, DAVID, LEA, LOBBY, PLATFORM, author, direct
from tests.flow.limits import RATES
from tests.flow.pet import Pet, ScriptedModel, awake, responds
from tests.patience import PATIENCE_S

STRICT = replace(
    RATES,
    account=Rate(burst=20, per_minute=20),
    overheard_account=Rate(burst=60, per_minute=60),
)


@pytest.fixture
async def pet(tmp_path: Path) -> AsyncIterator[Pet]:
    """A pet with the limits that accounts have by default."""
    async with awake(tmp_path, rates=STRICT) as born:
        yield born


async def test_of_ten_thousand_messages_twenty_are_kept_and_a_neighbour_is_answered(
    pet: Pet,
) -> None:
    """What is refused is not stored, and its author is told so once, in their language."""
    for number in range(10_000):
        await pet.hears(f"what is the number {number}?", DAVID, direct(DAVID))
    await pet.hears("tu es là ?", LEA, direct(LEA))
    await pet.answers()
    where = [room for room, _ in pet.channel.sent]
    assert f"{PLATFORM}:dm-léa" in where
    assert await pet.storage.count("messages", "author_kind = 'person'") == 21
    slow = [text for text in pet.channel.texts if text.startswith("Slow down a little")]
    assert len(slow) == 1
    assert len(pet.channel.texts) <= 1 + 1 + 1, "the twenty are one batch"


async def test_the_sentence_answers_the_message_that_was_refused(pet: Pet) -> None:
    """So that a group knows whom it is for."""
    for number in range(21):
        last = await pet.hears(f"et le numéro {number} ?")
    async with asyncio.timeout(PATIENCE_S):
        await pet.limiter.quiet()
    assert pet.channel.messages[0].text.startswith("Doucement")
    assert pet.channel.messages[0].answers == last


async def test_a_lobby_that_is_only_read_is_limited_without_a_word(pet: Pet) -> None:
    """More generously; and who floods it can still speak to the pet."""
    for number in range(200):
        await pet.hears(f"il fait {number} degrés", DAVID, LOBBY)
    assert await pet.storage.count("live_messages") == 60
    assert pet.channel.texts == []
    await pet.asked("Eko, tu es là ?", DAVID, LOBBY)
    assert pet.channel.texts == ["d'accord"]


async def test_commands_count_as_words_to_the_pet(pet: Pet) -> None:
    """Each is answered, so each could be a flood."""
    who = author("david")
    for _ in range(100):
        await pet.hears("/ping", who, CORNER)
    async with asyncio.timeout(PATIENCE_S):
        await pet.commands.quiet()
    assert len(pet.ran) == 20


async def test_what_was_missed_is_taken_though_it_comes_at_once(pet: Pet) -> None:
    """It is as much as was said, and how much is read back has a limit of its own."""
    now = pet.storage.clock.now()
    missed = [
        Inbound(external_id=f"m{n}", room=LOBBY, author=DAVID, text=f"mot {n}", sent_at=now)
        for n in range(300)
    ]
    received = await pet.inbox.receive_all(missed, missed_at=now)
    assert (received.stored, received.refused) == (300, 0)


async def test_the_inbox_says_what_it_refused(pet: Pet) -> None:
    """So that a channel shows nothing that is not kept."""
    now = pet.storage.clock.now()
    inbounds = [
        Inbound(external_id=f"n{n}", room=CORNER, author=DAVID, text=f"mot {n}", sent_at=now)
        for n in range(30)
    ]
    received = await pet.inbox.receive_all(inbounds[:25])
    assert (received.stored, received.refused) == (20, 5)
    assert not await pet.inbox.receive(inbounds[-1])


class Counting(ScriptedModel):
    """Says when it is asked for the third time."""

    def __init__(self) -> None:
        super().__init__()
        self.third = asyncio.Event()

    async def complete(self, request: ModelRequest) -> ModelReply:
        """The next answer of the script."""
        if len(self.requests) == 2:
            self.third.set()
        return await super().complete(request)


async def test_one_person_is_thought_about_in_two_rooms_at_a_time(tmp_path: Path) -> None:
    """In as many rooms as they like they wait for themselves, and others for nobody."""
    async with awake(tmp_path, model=Counting()) as pet:
        assert isinstance(pet.model, Counting)
        pet.model.gate.clear()
        rooms = [replace(CORNER, external_id=f"r{n}", name=f"r{n}") for n in range(6)]
        for room in rooms:
            await pet.hears("une question", DAVID, room)
        await pet.hears("et moi ?", LEA, CORNER)
        pet.lets_quiet_pass()
        async with asyncio.timeout(PATIENCE_S):
            await pet.model.third.wait()
        for _ in range(50):
            await asyncio.sleep(0)
        speakers = [one.messages[-1].speaker for one in pet.model.requests]  # type: ignore[union-attr]
        assert sorted(speakers) == ["David", "David", "Léa"]
        pet.model.will(*[responds("oui")] * 7)
        pet.model.gate.set()
        assert len(await pet.answers()) == 7
