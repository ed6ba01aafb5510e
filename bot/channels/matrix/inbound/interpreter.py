"""Reads events of rooms, and asks the server for what they do not say themselves."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import structlog

from bot.channels.matrix.inbound.contents import PetAccount, relation_of
from bot.channels.matrix.inbound.events import (
    author_of,
    edited_of,
    inbound_of,
    is_edit,
    is_hidden,
    is_redacted,
    is_said,
    redacted_in,
)
from bot.channels.matrix.inbound.known_events import KnownEvent, KnownEvents
from bot.channels.matrix.inbound.members import Members
from bot.channels.matrix.inbound.places import RoomPlace, RoomPlaces
from bot.channels.matrix.inbound.rooms import PLATFORM
from bot.channels.matrix.service.homeserver import Homeserver
from bot.channels.matrix.service.json_values import Json, map_in, text_in
from bot.model.events import Deleted, Inbound, InboundEvent, ReactionsChanged, Typing
from bot.platforms.http_api import ApiRefused
from memory.model.rooms import RoomKind
from memory.ports import Clock

log = structlog.get_logger()

Opened = Callable[[str, Json], Json | None]
"""What an encrypted event of a room says; None while its key is not known."""


class KeyMissing(Exception):
    """An event cannot be read before its key has come."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """With whose eyes events are read."""

    pet: PetAccount
    opened: Opened
    clock: Clock


class EventInterpreter:
    """Reads the events of one session."""

    def __init__(
        self,
        homeserver: Homeserver,
        places: RoomPlaces,
        members: Members,
        known: KnownEvents,
        reading: Reading,
    ) -> None:
        self._homeserver = homeserver
        self._places = places
        self._members = members
        self._known = known
        self._reading = reading

    async def read(self, room: str, event: Json) -> Sequence[InboundEvent]:
        """An event as the inbox takes it; None for events that say nothing.

        Raises:
            KeyMissing: it is encrypted, and its key is not known.
            DeliveryFailed: the server did not say what it needs.

        """
        kind, is_own = text_in(event, "type"), self._is_own(text_in(event, "sender"))
        if kind == "m.room.redaction":
            return await self._taken_back(room, redacted_in(event))
        if kind == "m.reaction":
            return [] if is_own else await self._reacted(room, event)
        if is_own:
            self._known.note(room, event)
            return []
        plain = self.opened(room, event)
        if plain is None:
            return []
        if is_edit(plain):
            return await self._edited(room, plain)
        return [await self.said(room, plain)] if is_said(plain) else []

    def opened(self, room: str, event: Json) -> Json | None:
        """An event that can be read; None for one of which nothing is left.

        Raises:
            KeyMissing: it is encrypted, and its key is not known.

        """
        if not is_hidden(event):
            return None if is_redacted(event) else event
        plain = self._reading.opened(room, event)
        if plain is None:
            raise KeyMissing
        return plain

    async def said(self, room: str, event: Json) -> Inbound:
        """A message, with the communities that its author is known to be in."""
        sender = text_in(event, "sender")
        self._known.note(room, event)
        place = await self._places.of(room, relation_of(map_in(event, "content")).thread)
        author = author_of(sender, place.members.joined)
        now = self._reading.clock.now()
        inbound = inbound_of(event, place.ref, author, self._reading.pet, now)
        inbound = replace(
            inbound, mentions_pet=inbound.mentions_pet or self._answers_pet(inbound.reply_to)
        )
        if place.ref.kind is RoomKind.DIRECT:
            return replace(inbound, spaces=await self._members.spaces(sender))
        return replace(inbound, manages_space=self._places.manages(room, sender))

    async def typing(self, room: str, users: Sequence[str]) -> Sequence[InboundEvent]:
        """The signs that accounts are writing."""
        others = [user for user in users if not self._is_own(user)]
        if not others:
            return []
        place = await self._places.of(room)
        names = place.members.joined
        return [Typing(room=place.ref, author=author_of(user, names)) for user in others]

    async def _edited(self, room: str, event: Json) -> Sequence[InboundEvent]:
        """An edit, if it is of a message that its author wrote in the same room."""
        target = relation_of(map_in(event, "content")).replaces or ""
        sender = text_in(event, "sender")
        known = self._known.of(target) or await self._asked_for(room, target)
        if known is None or (known.room, known.sender) != (room, sender):
            log.info("edit.refused", room=room)
            return []
        place = await self._places.of(room, known.thread)
        author = author_of(sender, place.members.joined)
        return [edited_of(event, place.ref, author, self._reading.pet)]

    async def _taken_back(self, room: str, target: str) -> Sequence[InboundEvent]:
        """What was taken back, if nothing of it is left where it is said to have stood."""
        if not target:
            return []
        try:
            left = await self._homeserver.event(room, target)
        except ApiRefused:
            return []
        if text_in(left, "type") == "m.reaction":
            return await self._reactions_of(room, left)
        is_gone = is_redacted(left)
        return [Deleted(platform=PLATFORM, external_id=target)] if is_gone else []

    async def _reacted(self, room: str, event: Json) -> Sequence[InboundEvent]:
        target = relation_of(map_in(event, "content")).annotates
        if target is None:
            return []
        self._known.note_reaction(text_in(event, "event_id"), target)
        return [await self._standing(room, text_in(event, "sender"), target)]

    async def _reactions_of(self, room: str, redacted: Json) -> Sequence[InboundEvent]:
        """The reactions that are left after one was taken back, where its message is known."""
        message = self._known.reacted_to(text_in(redacted, "event_id"))
        if message is None:
            return []
        return [await self._standing(room, text_in(redacted, "sender"), message)]

    async def _standing(self, room: str, user: str, target: str) -> ReactionsChanged:
        """The reactions of an account that stand at a message."""
        standing = await self._homeserver.reactions(room, target)
        emoji = [
            text_in(map_in(one, "content", "m.relates_to"), "key")
            for one in reversed(standing)
            if text_in(one, "sender") == user
        ]
        place: RoomPlace = await self._places.of(room)
        return ReactionsChanged(
            platform=PLATFORM,
            external_id=target,
            author=author_of(user, place.members.joined),
            emoji=tuple(dict.fromkeys(filter(None, emoji))),
        )

    async def _asked_for(self, room: str, event_id: str) -> KnownEvent | None:
        if not event_id:
            return None
        try:
            event = await self._homeserver.event(room, event_id)
        except ApiRefused:
            return None
        return self._known.note(room, event)

    def _answers_pet(self, answered: str | None) -> bool:
        known = None if answered is None else self._known.of(answered)
        return known is not None and self._is_own(known.sender)

    def _is_own(self, user: str) -> bool:
        return user == self._reading.pet.user_id
