"""Rooms that were upgraded: the new one goes on where the old one ended."""

import structlog

from bot.channels.matrix.inbound.rooms import KnownRooms
from bot.channels.matrix.service.homeserver import Homeserver
from bot.channels.matrix.service.json_values import Json, map_in, text_in
from bot.errors import DeliveryFailed
from bot.platforms.http_api import ApiRefused

log = structlog.get_logger()

MOST_UPGRADES = 20
"""Rooms that one room may have followed, each the upgrade of the one before."""


class Upgrades:
    """Finds the rooms that a room followed.

    A room may say of itself that it follows any other, so the old one has to name it as well: only
    those who have the power to close a room can do that (the specification, `m.room.tombstone`).
    """

    def __init__(self, homeserver: Homeserver, rooms: KnownRooms) -> None:
        self._homeserver = homeserver
        self._rooms = rooms
        self._known: set[str] = set()

    async def look_up(self, room: str) -> None:
        """Know which room a room was first, if it is not known yet.

        Raises:
            DeliveryFailed: the server did not say.

        """
        if room in self._known:
            return
        chain, old = [room], self._rooms.joined(room).predecessor
        while old and old not in chain and len(chain) <= MOST_UPGRADES:
            tombstone = await self._content(old, "m.room.tombstone")
            if text_in(tombstone, "replacement_room") != chain[-1]:
                break
            chain.append(old)
            made = await self._content(old, "m.room.create")
            old = text_in(map_in(made, "predecessor"), "room_id")
        for new, before in zip(chain[-2::-1], chain[:0:-1], strict=True):
            self._rooms.moves.moved(before, new)
            log.info("room.moved", room=before, now=new)
        self._known.add(room)

    async def look_up_all(self) -> None:
        """Know it of every room, as far as the server says, so that the pet can write there."""
        for room, state in tuple(self._rooms.states.items()):
            if state.predecessor:
                try:
                    await self.look_up(room)
                except DeliveryFailed as error:
                    log.warning("upgrade.postponed", room=room, reason=str(error))

    async def _content(self, room: str, kind: str) -> Json:
        """What a state event of a room says; nothing where the pet may not read it."""
        try:
            return await self._homeserver.state(room, kind)
        except ApiRefused:
            return {}
