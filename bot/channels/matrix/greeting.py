"""What the pet says once to a community: who it is, what it keeps, how to opt out."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

import structlog

from bot.channels.matrix.findings import TEXTS
from bot.channels.matrix.inbound.places import RoomPlaces
from bot.channels.matrix.inbound.rooms import KnownRooms, space_of
from bot.channels.matrix.service.json_values import number_in
from bot.errors import DeliveryFailed
from bot.model.events import RoomRef
from bot.model.turns import Outgoing
from bot.ports import Introductions
from bot.texts.catalogue import texts_in
from memory.model.errors import StorageFailed
from memory.model.rooms import RoomKind, RoomRole

log = structlog.get_logger()


class CommunityGreeting:
    """Greets each community once, in the first of its rooms that the pet comes into."""

    def __init__(
        self,
        introductions: Introductions,
        send: Callable[[Outgoing], Awaitable[str | None]],
        pet_name: str,
        locale: str,
        *,
        offers_past: bool = False,
    ) -> None:
        """Greet by these means; `offers_past` says that moderators may have a past read."""
        self._introductions = introductions
        self._send = send
        self._pet_name = pet_name
        self._locale = locale
        self._offers_past = offers_past

    async def joined(self, room: str, rooms: KnownRooms, places: RoomPlaces) -> None:
        """Greet the community of a room, unless it was greeted before; never fails."""
        if rooms.joined(room).is_space:
            return
        try:
            ref = (await places.of(room)).ref
            await self._greet(ref, _made_at(ref, rooms))
        except (DeliveryFailed, StorageFailed) as error:
            log.info("greeting.missed", room=room, reason=str(error))

    async def _greet(self, ref: RoomRef, made_at: datetime) -> None:
        room = self._introductions.room(ref)
        if ref.kind is RoomKind.DIRECT or room.role is RoomRole.IGNORED:
            return
        if not await self._introductions.take(ref.space, made_at):
            return
        texts = texts_in(self._locale, TEXTS)
        text = texts.say("greeting", name=self._pet_name)
        if self._offers_past:
            text = f"{text}\n{texts.say('greeting_past')}"
        nonce = f"greeting:{ref.space}"
        try:
            await self._send(Outgoing(room=room, text=text, nonce=nonce))
        except DeliveryFailed:
            await self._introductions.give_back(ref.space)
            raise
        log.info("community.greeted", room=room.id)


def _made_at(ref: RoomRef, rooms: KnownRooms) -> datetime:
    """When the community of a room was made: it is greeted once in its life."""
    for id_, state in rooms.states.items():
        if space_of(rooms.moves.first_of(id_)) == ref.space:
            made = state.events.get(("m.room.create", ""), {})
            try:
                return datetime.fromtimestamp(number_in(made, "origin_server_ts", 0) / 1000, UTC)
            except (OverflowError, OSError, ValueError):
                break
    return datetime.fromtimestamp(0, UTC)
