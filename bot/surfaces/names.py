"""What people call people, rooms and moments in requests, as a caller may mean them."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TypeVar
from zoneinfo import ZoneInfo

from bot.errors import BotError
from bot.surfaces.access.caller import OperationCaller
from bot.wiring.app import App
from memory.model.audience import space_audience
from memory.model.people import PersonId
from memory.model.rooms import Room, RoomId, RoomKind, SpaceId
from memory.model.spaces import KeptSpace

Id = TypeVar("Id", PersonId, RoomId, SpaceId)


class NotOne(BotError):
    """A name or an id that stands for nothing, or for several."""


class CalledNames:
    """Finds who and where is meant, among the people and rooms that a caller may know of."""

    def __init__(self, app: App, caller: OperationCaller) -> None:
        self._app = app
        self._caller = caller

    async def person(self, name: str) -> PersonId:
        """The one person who goes by a name, or whose id it is.

        Raises:
            NotOne: it is no one person's.

        """
        found = [one for one in await self._app.storage.people.named(name) if await self._met(one)]
        return _one(found, f'Nobody goes by "{name}".', f'Several people go by "{name}"')

    async def room(self, name: str) -> RoomId:
        """The one room of a name or an id.

        Raises:
            NotOne: it is none, or several.

        """
        rooms = await self._app.storage.people.rooms_named(name)
        found = [one for one in rooms if await self._is_of_caller(one)]
        return _one(found, f'No room is called "{name}".', f'Several rooms are called "{name}"')

    async def space(self, name: str) -> KeptSpace:
        """The one space that a community of this name is, or whose id or number it is.

        Raises:
            NotOne: it is none, or several.

        """
        spaces = {one.id: one for one in await self._app.storage.leaving.all()}
        found = [
            one.id
            for one in spaces.values()
            if name in {one.id, one.id.partition(":")[2]}
            or name.casefold() == one.community.casefold()
        ]
        none, several = f'No community is called "{name}".', f'Several are called "{name}"'
        return spaces[_one(found, none, several)]

    async def room_name(self, id_: RoomId | None) -> str | None:
        """What a group's room is called, where the caller may know it; None in private."""
        room = None if id_ is None else await self._app.storage.people.room(id_)
        if room is None or room.kind is RoomKind.DIRECT or not self._may_name(room):
            return None
        return room.name

    async def _met(self, person: PersonId) -> bool:
        """Whether the caller may know that there is such a person."""
        scope = self._caller.scope
        if scope.audiences is None or person == self._caller.actor.person:
            return True
        return bool(await self._app.storage.person_views.names(person, scope))

    async def _is_of_caller(self, id_: RoomId) -> bool:
        room = await self._app.storage.people.room(id_)
        return room is not None and self._may_name(room)

    def _may_name(self, room: Room) -> bool:
        scope = self._caller.scope
        if scope.audiences is None:
            return True
        return scope.allows(space_audience(room.space)) and not room.confidential


def moment_in(text: str | None, zone: ZoneInfo, *, ends: bool = False) -> datetime | None:
    """A moment or a day in the pet's time zone; a day that ends is the first moment of the next.

    Raises:
        NotOne: it is no date.

    """
    if text is None:
        return None
    try:
        found = datetime.fromisoformat(text)
        if ends and len(text) <= len("2026-01-17"):
            found += timedelta(days=1)
        return found if found.tzinfo else found.replace(tzinfo=zone)
    except (ValueError, OverflowError):
        raise NotOne(f'"{text[:40]}" is no date: write 2026-01-17 or 2026-01-17T18:30.') from None


def _one(found: Sequence[Id], none: str, several: str) -> Id:
    if len(found) == 1:
        return found[0]
    raise NotOne(f"{several}: name one by its id ({', '.join(found)})." if found else none)
