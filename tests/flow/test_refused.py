"""A reply that its platform will never take."""

from dataclasses import dataclass
from pathlib import Path

from bot.conversation.rooms import room_id
from bot.errors import DeliveryRefused
from bot.model.turns import Outgoing, Reply
from memory.model.stores import Collection
from tests.cast import DAVID, LEA, direct
from tests.flow.pet import ListedChannel, awake, responds

HERS = direct(LEA)


@dataclass
class ClosedChannel(ListedChannel):
    """A platform on which one room takes nothing after its first `open_for` messages."""

    open_for: int = 0
    tries: int = 0

    async def send(self, message: Outgoing) -> str | None:
        """Refuse what goes to the closed room."""
        if message.room.external_id == HERS.external_id:
            self.tries += 1
            if self.tries > self.open_for:
                raise DeliveryRefused("She takes no messages.")
        return await super().send(message)


async def test_a_refused_reply_is_given_up(tmp_path: Path) -> None:
    """Tried once, not at the next start either, and not searchable: she never read it."""
    channel = ClosedChannel()
    async with awake(tmp_path, channel=channel) as pet:
        await pet.hears("tu vas bien, dis ?", LEA, HERS)
        assert await pet.answers() == []
        assert channel.tries == 1
        assert await pet.storage.count("turns", "state = 'refused'") == 1
        assert await pet.storage.index.ids(Collection.CONVERSATIONS) == frozenset()
    async with awake(tmp_path, channel=channel) as pet:
        assert await pet.delivery.resume() == 0
        assert await pet.inbox.resume() == 0
    assert channel.tries == 1


async def test_others_are_answered_all_the_same(tmp_path: Path) -> None:
    """A closed room blocks nobody."""
    async with awake(tmp_path, channel=ClosedChannel()) as pet:
        await pet.hears("tu es là, dis ?", LEA, HERS)
        await pet.hears("tu es là, dis ?", DAVID)
        assert await pet.answers() == ["d'accord"]


async def test_a_room_that_closes_in_the_middle_ends_the_reply_there(tmp_path: Path) -> None:
    """What follows is not sent into it."""
    channel = ClosedChannel(open_for=1, text_limit=16)
    async with awake(tmp_path, channel=channel) as pet:
        pet.model.will(responds("un deux trois quatre cinq six sept huit neuf"))
        await pet.hears("compte jusqu'à neuf", LEA, HERS)
        assert len(await pet.answers()) == 1
        assert channel.tries == 2
        assert await pet.storage.count("turns", "state = 'refused'") == 1


async def test_a_refused_answer_to_a_command_is_let_go(tmp_path: Path) -> None:
    """Nothing is raised to whoever ran it, and its further parts are not tried."""
    channel = ClosedChannel(text_limit=16)
    async with awake(tmp_path, channel=channel) as pet:
        await pet.hears("tu vas bien, dis ?", LEA, HERS)
        await pet.answers()
        room = await pet.storage.people.room(room_id(HERS))
        assert room is not None
        await pet.delivery.say(room, Reply(text="un deux trois quatre cinq six"), "n")
        assert channel.tries == 2
