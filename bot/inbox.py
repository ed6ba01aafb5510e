"""The inbox: every event is stored once, then goes where its room's role says."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Protocol

import structlog

from bot.addressing import addressed
from bot.commands import Commands
from bot.model import (
    AuthorRef,
    Deleted,
    Edited,
    Heard,
    Inbound,
    InboundEvent,
    InboundKind,
    RoomRef,
    Typing,
)
from bot.visible import plain
from memory.adapters.sqlite.messages import Arrival, Handling, Messages, Unanswered
from memory.adapters.sqlite.people import People
from memory.model import AuthorKind, MessageId, Person, PersonId, Room, RoomId, RoomRole, SpaceId

log = structlog.get_logger()

LONGEST = 200_000
"""Characters kept of one message; no platform sends more, a hostile one must not fill the disk."""


LONGEST_NAME = 60
"""Characters of a name: longer ones are jokes or attacks."""

_MARKS = re.compile(r"[():•<>‹›]|\s")
"""What sets speakers and lines apart in a recalled block."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomRule:
    """What the settings say of one room, against what its platform proposes."""

    platform: str
    external_id: str
    role: RoomRole | None = None
    space: SpaceId | None = None
    confidential: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxRules:
    """The names the pet answers to, the rooms' rules, and how old a message may be to answer."""

    names: tuple[str, ...]
    rooms: tuple[RoomRule, ...]
    pending_max_age: timedelta


class Listener(Protocol):
    """Gathers what was said to the pet into turns."""

    def hear(self, heard: Heard) -> None:
        """Take a message that waits for an answer."""
        ...

    def reword(self, message: MessageId, text: str) -> None:
        """Take the new words of a message that waits for an answer; none takes it back."""
        ...

    def typing(self, person: PersonId, room: RoomId) -> None:
        """Wait a little longer for this person."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """What became of a batch of messages: newly stored, known already, or forgotten before."""

    stored: int
    known: int
    forgotten: int = 0


class Inbox:
    """Where every platform's events enter."""

    def __init__(
        self,
        messages: Messages,
        people: People,
        listener: Listener,
        commands: Commands,
        rules: InboxRules,
    ) -> None:
        self._messages = messages
        self._people = people
        self._listener = listener
        self._commands = commands
        self._rules = rules

    async def receive(self, event: InboundEvent) -> None:
        """Take one event; returns when it is durable.

        Raises:
            StorageFailed: it could not be stored; the platform should show that or deliver again.

        """
        match event:
            case Inbound():
                await self.receive_all([event])
            case Edited():
                await self._reword(event.platform, event.external_id, clean(event.text))
            case Deleted():
                await self._reword(event.platform, event.external_id, "")
            case Typing():
                person = await self.person(event.author)
                self._listener.typing(person.id, _room_id(event.room))

    async def receive_all(self, inbounds: Sequence[Inbound], *, recorded: bool = False) -> Received:
        """Take messages in one transaction, in order; those known already are left alone.

        What was `recorded` elsewhere is overheard: commands and questions in it were for then.
        """
        taken = [
            placed
            for inbound in inbounds
            if not inbound.author.is_bot
            and (placed := await self._placed(inbound, recorded=recorded)) is not None
        ]
        arrivals = [one.arrival for one in taken]
        ids = await self._messages.accept(arrivals)
        for one, message in zip(taken, ids, strict=True):
            if message is not None:
                await self._pass_on(one, message)
        stored = sum(message is not None for message in ids)
        forgotten = await self._messages.forgotten_among(arrivals) if recorded else 0
        return Received(stored=stored, known=len(ids) - stored - forgotten, forgotten=forgotten)

    async def resume(self) -> int:
        """Hear again what was waiting for an answer when the process ended; how many."""
        resumed = 0
        for one in await self._messages.unanswered(self._rules.pending_max_age):
            room = await self._room_again(one.message.room)
            if room is not None:
                self._listener.hear(_heard_again(one, room))
                resumed += 1
        if resumed:
            log.info("messages.resumed", messages=resumed)
        return resumed

    async def _placed(self, inbound: Inbound, *, recorded: bool) -> "_Placed | None":
        """The message with its place and treatment; None when nothing may be kept of it."""
        text = clean(inbound.text)
        room = self._room(inbound.room)
        if not text or room.role is RoomRole.IGNORED:
            return None
        person = await self.person(inbound.author, renames=not recorded)
        await self._people.keep_room(room)
        is_message = inbound.kind is InboundKind.MESSAGE
        is_command = is_message and not recorded and self._commands.knows(text)
        if is_command:
            handling: Handling | None = "kept"
        elif is_message:
            is_for_pet = not recorded and self._is_for_pet(inbound, text, room)
            handling = _handling(room, person, is_for_pet=is_for_pet)
        else:
            handling = "pending" if room.role is RoomRole.PET and not recorded else "kept"
        if handling is None:
            return None
        return _Placed(
            inbound, person, room, is_command, _arrival(inbound, text, room, person, handling)
        )

    def _is_for_pet(self, inbound: Inbound, text: str, room: Room) -> bool:
        if room.role is RoomRole.PET or inbound.mentions_pet:
            return True
        return addressed(text, self._rules.names)

    async def _pass_on(self, placed: "_Placed", message: MessageId) -> None:
        heard = _heard(placed, message)
        if placed.is_command:
            self._commands.take(heard)
        elif placed.arrival.handling == "pending":
            self._listener.hear(heard)

    async def _reword(self, platform: str, external_id: str, text: str) -> None:
        if text:
            message = await self._messages.edit(platform, external_id, text)
        else:
            message = await self._messages.withdraw(platform, external_id)
        if message is not None:
            self._listener.reword(message, text)

    async def person(self, author: AuthorRef, *, renames: bool = True) -> Person:
        """Who an account belongs to, under a name that forges nothing."""
        name = name_in_text(author.name, self._rules.names) or author.external_id
        return await self._people.person(author.platform, author.external_id, name, renames=renames)

    def _room(self, ref: RoomRef) -> Room:
        room = Room(
            id=_room_id(ref),
            platform=ref.platform,
            external_id=ref.external_id,
            name=ref.name,
            kind=ref.kind,
            role=ref.role,
            space=ref.space,
        )
        return self._ruled(room)

    async def _room_again(self, id_: RoomId) -> Room | None:
        """A stored room as the settings want it now; None when nothing is answered there."""
        kept = await self._people.room(id_)
        if kept is None or (room := self._ruled(kept)).role is RoomRole.IGNORED:
            return None
        await self._people.keep_room(room)
        return room

    def _ruled(self, room: Room) -> Room:
        for rule in self._rules.rooms:
            if (rule.platform, rule.external_id) == (room.platform, room.external_id):
                return replace(
                    room,
                    role=rule.role or room.role,
                    space=rule.space or room.space,
                    confidential=rule.confidential,
                )
        return room


def clean(text: str) -> str:
    """The text in composed Unicode, cut, stripped, without anything that is not text."""
    return unicodedata.normalize("NFC", plain(text[:LONGEST])).strip()


def name_in_text(name: str, pet_names: Sequence[str]) -> str:
    """A name as it may stand before somebody's words: it forges no speaker, heading or line.

    Nobody but the pet goes by the pet's names; somebody who does is marked with a tilde.
    """
    bare = " ".join(_MARKS.sub(" ", plain(name)).split())[:LONGEST_NAME].strip()
    taken = bare.casefold() in {pet_name.casefold() for pet_name in pet_names}
    return f"~{bare}" if taken else bare


def _handling(room: Room, person: Person, *, is_for_pet: bool) -> Handling | None:
    if is_for_pet:
        return "pending"
    if room.role is RoomRole.LOBBY and person.observed:
        return "observed"
    return None


@dataclass(frozen=True, slots=True)
class _Placed:
    inbound: Inbound
    person: Person
    room: Room
    is_command: bool
    arrival: Arrival


def _arrival(
    inbound: Inbound, text: str, room: Room, person: Person, handling: Handling
) -> Arrival:
    is_system = inbound.kind is InboundKind.SYSTEM
    return Arrival(
        platform=inbound.author.platform,
        external_id=inbound.external_id,
        room=room,
        author=person.name,
        author_kind=AuthorKind.SYSTEM if is_system else AuthorKind.PERSON,
        person=person.id,
        text=text,
        sent_at=inbound.sent_at,
        handling=handling,
        reply_to=inbound.reply_to,
        spaces=inbound.spaces,
    )


def _heard(placed: _Placed, message: MessageId) -> Heard:
    return Heard(
        message=message,
        kind=placed.inbound.kind,
        person=placed.person,
        room=placed.room,
        channel=placed.inbound.author.platform,
        account=f"{placed.inbound.author.platform}:{placed.inbound.author.external_id}",
        text=placed.arrival.text,
        reply_to=placed.inbound.reply_to,
        spaces=placed.inbound.spaces,
    )


def _heard_again(one: Unanswered, room: Room) -> Heard:
    is_system = one.message.author_kind is AuthorKind.SYSTEM
    return Heard(
        message=one.message.id,
        kind=InboundKind.SYSTEM if is_system else InboundKind.MESSAGE,
        person=one.person,
        room=room,
        channel=one.platform,
        account="",  # commands are answered at once; none waits for a restart
        text=one.message.text,
        reply_to=one.reply_to,
        spaces=one.spaces,
    )


def _room_id(ref: RoomRef) -> RoomId:
    return RoomId(f"{ref.platform}:{ref.external_id}")
