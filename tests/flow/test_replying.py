"""How a reply goes out: which message it answers, in which parts, and what they became."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from bot.errors import DeliveryFailed
from bot.model.events import Attachment, Typing
from bot.model.turns import Outgoing
from memory.model.rooms import RoomRole
from tests.cast import CORNER, DAVID, LEA, LOBBY, author, group
from tests.flow.pet import ListedChannel, Pet, awake, responds


@pytest.fixture
async def pet(tmp_path: Path) -> AsyncIterator[Pet]:
    """A pet that has just been born."""
    async with awake(tmp_path) as born:
        yield born


async def test_a_reply_answers_the_last_message_of_its_batch(pet: Pet) -> None:
    """The one whoever reads it sees last."""
    await pet.hears("dis")
    last = await pet.hears("tu connais Lyon ?")
    await pet.answers()
    assert [one.answers for one in pet.channel.messages] == [last]


async def test_the_first_part_answers_and_the_last_one_shows_the_face(pet: Pet) -> None:
    """One reply, as a person would send it in two messages."""
    pet.channel.text_limit = 40
    pet.model.will(responds("Une phrase assez longue pour deux. Et une autre, la voici."))
    asked = await pet.hears("raconte")
    await pet.answers()
    first, last = pet.channel.messages
    assert (first.answers, first.expression) == (asked, None)
    assert (last.answers, last.expression) == (None, "happy")
    assert first.nonce != last.nonce


async def test_whoever_quotes_a_part_of_a_reply_quotes_the_reply(pet: Pet) -> None:
    """The platform knows it by another id than the pet."""
    pet.model.will(responds("Le gardien du phare s'appelle Yann."))
    await pet.asked("parle-moi du phare")
    await pet.falls_silent()
    became = f"sent-{len(pet.channel.messages)}"
    await pet.asked("et lui, il aime quoi ?", LEA, CORNER, reply_to=became)
    assert "Yann" in pet.model.injected


async def test_a_reply_quoted_in_another_room_brings_nothing_there(pet: Pet) -> None:
    """A platform id of another room must not bring that room's words."""
    pet.model.will(responds("Le gardien du phare s'appelle Yann."))
    elsewhere = group("elsewhere", RoomRole.PET)
    await pet.asked("parle-moi du phare", DAVID, elsewhere)
    batch = await pet.asked("et ça ?", LEA, LOBBY, reply_to="sent-1", mentions_pet=True)
    assert "Yann" not in batch


async def test_files_are_noted_where_they_were_sent(pet: Pet) -> None:
    """A message of files alone is heard too."""
    file = Attachment(name="cat.png", media_type="image/png", size=9, url="https://x/cat.png")
    await pet.hears("", attachments=(file,))
    await pet.answers()
    assert pet.model.last.text == "⟦photo: cat.png⟧"


async def test_whoever_only_types_is_not_met(pet: Pet) -> None:
    """Somebody who never spoke is nobody the pet would know."""
    await pet.inbox.receive(Typing(room=LOBBY, author=author("Ghost")))
    assert await pet.storage.count("people") == 0


@dataclass
class HalfDeafChannel(ListedChannel):
    """A platform that does not take what goes to one room for now; it counts the tries there."""

    deaf_to: str = ""
    tries: list[str] = field(default_factory=list)

    async def send(self, message: Outgoing) -> str | None:
        """Take what goes elsewhere."""
        if message.room.external_id == self.deaf_to:
            self.tries.append(message.text)
            raise DeliveryFailed("It is overloaded.")
        return await super().send(message)


async def test_a_room_that_takes_nothing_holds_up_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One reply is tried there at a time, the oldest, so that none comes before it."""
    monkeypatch.setattr("bot.conversation.delivery.ATTEMPTS", 1)
    channel = HalfDeafChannel(refuses=4)
    async with awake(tmp_path, channel=channel) as pet:
        pet.model.will(*map(responds, ("un", "deux", "trois", "ailleurs")))
        for where in (LOBBY, LOBBY, LOBBY, CORNER):
            await pet.asked("compte encore", DAVID, where, mentions_pet=True)
        channel.deaf_to = LOBBY.external_id
        assert await pet.delivery.resume() == 2
        assert (channel.tries, channel.texts) == (["un"], ["ailleurs"])
        channel.deaf_to = ""
        assert await pet.delivery.resume() == 3
        assert channel.texts == ["ailleurs", "un", "deux", "trois"]


class SlowChannel(ListedChannel):
    """A platform that takes its time."""

    async def send(self, message: Outgoing) -> str | None:
        """Take a message after everybody else had their turn."""
        await asyncio.sleep(0)
        return await super().send(message)


async def test_a_reply_that_is_being_sent_is_sent_by_nobody_else(tmp_path: Path) -> None:
    """Whoever looks for what was left unsent may find it just before it is sent."""
    channel = SlowChannel(refuses=3)
    async with awake(tmp_path, channel=channel) as pet:
        await pet.asked("dis quelque chose")
        [turn] = await pet.storage.turns.undelivered()
        room = await pet.storage.people.room(turn.room)
        assert room is not None
        async with asyncio.TaskGroup() as group:
            for _ in range(2):
                group.create_task(pet.delivery.deliver(room, turn))
        assert len(channel.texts) == 1
