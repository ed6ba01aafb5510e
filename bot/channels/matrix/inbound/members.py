"""Who is in which room, asked for when it is needed and followed from then on."""

import asyncio
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import structlog

from bot.channels.matrix.inbound.rooms import KnownRooms, space_of
from bot.channels.matrix.service.homeserver import Homeserver
from bot.channels.matrix.service.json_values import Json, map_in, text_in
from bot.errors import DeliveryFailed
from memory.model.rooms import SpaceId

log = structlog.get_logger()

LIMIT_S = 5
"""Seconds a message in a direct room waits to learn where else its author is."""

MOST_AT_ONCE = 8
"""Requests at a time."""

_FEW = 8
"""Members of a room whose invitations are asked for."""


@dataclass(slots=True)
class RoomMembers:
    """Who is in one room, with the names they have there, and who is invited to it."""

    joined: dict[str, str]
    invited: set[str]

    @property
    def count(self) -> int:
        """How many can read along, or could as soon as they wish."""
        return len(self.joined.keys() | self.invited)


class Members:
    """Knows the members of rooms; what a room does not say now is not known."""

    def __init__(self, homeserver: Homeserver, rooms: KnownRooms) -> None:
        self._homeserver = homeserver
        self._rooms = rooms
        self._known: dict[str, RoomMembers] = {}
        self._moves: Counter[str] = Counter()
        self._slots = asyncio.Semaphore(MOST_AT_ONCE)

    def follow(self, room: str, event: Json) -> None:
        """Take a membership; rooms that were not asked about are asked about when it matters."""
        user, content = text_in(event, "state_key"), map_in(event, "content")
        if text_in(event, "type") != "m.room.member" or not user:
            return
        self._moves[room] += 1  # an answer that is on its way may be older
        known = self._known.get(room)
        if known is None:
            return
        membership = text_in(content, "membership")
        known.invited.discard(user)
        if membership == "join":
            known.joined[user] = text_in(content, "displayname")
            return
        known.joined.pop(user, None)
        if membership == "invite":
            known.invited.add(user)

    def forget(self, room: str) -> None:
        """Ask again when it is needed."""
        self._known.pop(room, None)

    async def of(self, room: str) -> RoomMembers:
        """The members of a room that the pet is in.

        Raises:
            DeliveryFailed: the server did not say.

        """
        if room in self._known:
            return self._known[room]
        async with self._slots:
            moves = self._moves[room]
            joined = await self._homeserver.joined_members(room)
            # It matters for rooms of two, and the list of those that are not there may be long.
            invited = await self._homeserver.invited(room) if len(joined) <= _FEW else ()
        members = RoomMembers(joined=joined, invited=set(invited))
        if moves == self._moves[room]:
            self._known[room] = members
        return members

    async def spaces(self, user: str) -> frozenset[SpaceId]:
        """The communities that an account is in together with the pet; what is not known is no."""
        communities = [
            room
            for room, state in tuple(self._rooms.states.items())
            if room not in self._rooms.direct
            and (state.is_space or self._rooms.space_with(room) is None)
        ]
        try:
            async with asyncio.timeout(LIMIT_S), asyncio.TaskGroup() as group:
                for room in communities:
                    if room not in self._known:
                        group.create_task(self._look_up(room))
        except TimeoutError:
            log.warning("membership.postponed", rooms=len(communities), limit_s=LIMIT_S)
        first_of = self._rooms.moves.first_of
        return frozenset(space_of(first_of(room)) for room in self._with(user, communities))

    def _with(self, user: str, rooms: Iterable[str]) -> list[str]:
        return [one for one in rooms if one in self._known and user in self._known[one].joined]

    async def _look_up(self, room: str) -> None:
        try:
            await self.of(room)
        except DeliveryFailed as error:
            log.warning("membership.missed", reason=str(error))
