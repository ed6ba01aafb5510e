"""Who was told who the pet is, for the platforms that tell it."""

from datetime import datetime

from bot.conversation.rooms import RoomRegistry
from bot.model.events import RoomRef
from memory.model.rooms import Room, SpaceId
from memory.storage.community.done_once import GreetedSpaces


class SpaceIntroductions:
    """The Introductions port, over the table of greeted spaces and the register."""

    def __init__(self, greeted: GreetedSpaces, register: RoomRegistry) -> None:
        self._greeted = greeted
        self._register = register

    async def take(self, space: SpaceId, joined: datetime) -> bool:
        """Whether a community that it joined then is still to be told; from now on it is not."""
        return await self._greeted.take(space, joined)

    async def give_back(self, space: SpaceId) -> None:
        """Note that it could not be told after all."""
        await self._greeted.give_back(space)

    def room(self, ref: RoomRef) -> Room:
        """A room as the settings, and what was chosen since, want it."""
        return self._register.room(ref)
