"""The inbox: every event is stored once, then goes where its room's role says."""

import unicodedata
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

import structlog

from bot.commands.framework.dispatcher import Commands
from bot.conversation.addressing import addressed, without_name
from bot.conversation.attachments import noted
from bot.conversation.rooms import Register, room_id
from bot.model.events import Deleted, Edited, Inbound, InboundEvent, InboundKind, Typing
from bot.model.turns import Heard
from bot.texts.sanitizing import plain
from memory.model.audience import room_audience
from memory.model.messages import Arrival, AuthorKind, Handling, MessageId, Unanswered
from memory.model.people import Person, PersonId
from memory.model.rooms import Room, RoomId, RoomRole
from memory.storage.conversations.messages import Messages

log = structlog.get_logger()

LONGEST = 200_000
"""Characters kept of one message; no platform sends more, a hostile one must not fill the disk."""

MOST_AHEAD = 1000
"""Edits and deletions that are kept in mind of messages that have not come in. They come ahead of
what is being read back: a platform lists it for minutes, and people go on meanwhile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxRules:
    """The names the pet answers to, and how old a message may be to be answered."""

    names: tuple[str, ...]
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


class Attention(Listener, Protocol):
    """A listener that does not listen to everybody all the time."""

    def heeds(self, person: PersonId, room: RoomId) -> bool:
        """Whether what this person says to the pet now is answered at all."""
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
        register: Register,
        listener: Attention,
        commands: Commands,
        rules: InboxRules,
    ) -> None:
        self._messages = messages
        self._register = register
        self._listener = listener
        self._commands = commands
        self._rules = rules
        self._ahead: OrderedDict[tuple[str, str], str] = OrderedDict()

    async def receive(self, event: InboundEvent) -> None:
        """Take one event; returns when it is durable.

        Raises:
            StorageFailed: it could not be stored; the platform should show that or deliver again.

        """
        match event:
            case Inbound():
                await self.receive_all([event])
            case Edited():
                is_closed = await self._was_closed(event)
                text = "" if is_closed else noted(clean(event.text), event.attachments)
                await self._reword(event.platform, event.external_id, text)
            case Deleted():
                await self._reword(event.platform, event.external_id, "")
            case Typing():
                if (person := await self._register.known(event.author)) is not None:
                    self._listener.typing(person, room_id(event.room))

    async def receive_all(
        self,
        inbounds: Sequence[Inbound],
        *,
        recorded: bool = False,
        missed_at: datetime | None = None,
    ) -> Received:
        """Take messages in one transaction, in order; those known already are left alone.

        What was `recorded` elsewhere is overheard: commands and questions in it were for then. What
        was missed, and is handed in at `missed_at`, is answered unless it is too old; commands in
        it are for then, too.
        """
        timing = _Timing(recorded=recorded, missed_at=missed_at)
        taken = [
            placed
            for inbound in inbounds
            if not inbound.author.is_bot
            and (placed := await self._placed(inbound, timing)) is not None
        ]
        arrivals = [one.arrival for one in taken]
        ids = await self._messages.accept(arrivals)
        for one, message in zip(taken, ids, strict=True):
            if message is not None:
                await self._pass_on(one, message)
                await self._catch_up_with(one.arrival)
        stored = sum(message is not None for message in ids)
        forgotten = await self._messages.forgotten_among(arrivals) if recorded else 0
        return Received(stored=stored, known=len(ids) - stored - forgotten, forgotten=forgotten)

    def lists_anew(self, platform: str) -> None:
        """Drop edits and deletions that lead nowhere: what the platform lists now has them."""
        for key in [key for key in self._ahead if key[0] == platform]:
            del self._ahead[key]

    async def resume(self) -> int:
        """Hear again what was waiting for an answer when the process ended; how many."""
        resumed = 0
        for one in await self._messages.unanswered(self._rules.pending_max_age):
            room = await self._register.room_again(one.message.room)
            if room is not None:
                self._listener.hear(_heard_again(one, room))
                resumed += 1
        if resumed:
            log.info("messages.resumed", messages=resumed)
        return resumed

    async def _placed(self, inbound: Inbound, timing: "_Timing") -> "_Placed | None":
        """The message with its place and treatment; None when nothing may be kept of it."""
        text = noted(clean(inbound.text), inbound.attachments)
        room = self._register.room(inbound.room)
        if not text or room.role is RoomRole.IGNORED:
            return None
        is_message = inbound.kind is InboundKind.MESSAGE
        line = self._line(text)
        if self._register.is_away(room, inbound.sent_at, live=timing.is_now) and not (
            is_message and timing.is_now and self._commands.knows(line)
        ):
            return None
        person = await self._register.person(inbound.author, renames=timing.is_now)
        await self._register.keep(room)
        is_command = (
            is_message
            and not timing.recorded
            and self._commands.takes(line, person, room, called=line != text)
        )
        handling: Handling | None
        if is_command:
            handling = "kept"
        elif is_message:
            is_for_pet = not timing.recorded and self._is_for_pet(inbound, text, room)
            handling = self._handling(inbound, timing, room, person, is_for_pet=is_for_pet)
        else:
            handling = "pending" if room.role is RoomRole.PET and timing.is_now else "kept"
        if handling is None:
            return None
        command = line if is_command and timing.is_now else ""
        arrival = _arrival(inbound, text, room, person, handling)
        return _Placed(inbound, person, room, command, arrival)

    def _line(self, text: str) -> str:
        """The text as a command is read: "@Eko /help" calls the pet, then the command."""
        if text.startswith("/"):
            return text
        called = without_name(text, self._rules.names)
        return called if called.startswith("/") else text

    def _handling(
        self, inbound: Inbound, timing: "_Timing", room: Room, person: Person, *, is_for_pet: bool
    ) -> Handling | None:
        is_observed = room.role is RoomRole.LOBBY and person.observed
        if is_for_pet and timing.is_too_old(inbound.sent_at, self._rules.pending_max_age):
            return "observed" if is_observed else "stale"
        if is_for_pet:
            return "pending" if self._listener.heeds(person.id, room.id) else "stale"
        return "observed" if is_observed else None

    def _is_for_pet(self, inbound: Inbound, text: str, room: Room) -> bool:
        if room.role is RoomRole.PET or inbound.mentions_pet:
            return True
        return addressed(text, self._rules.names)

    async def _pass_on(self, placed: "_Placed", message: MessageId) -> None:
        inbound = placed.inbound
        if placed.command:
            caller = self._register.typed_by(inbound, placed.person, placed.room, message)
            self._commands.take(caller, placed.command, answers=inbound.external_id)
        elif placed.arrival.handling == "pending":
            self._listener.hear(_heard(placed, message))

    async def _was_closed(self, edited: Edited) -> bool:
        """Whether all could read a message, and not what it says now: its room was closed since."""
        room = None if edited.room is None else self._register.room(edited.room)
        if room is None or not room.confidential:
            return False
        own = room_audience(room.id)
        return await self._messages.is_known_beyond(edited.platform, edited.external_id, own)

    async def _reword(self, platform: str, external_id: str, text: str) -> None:
        if text:
            message = await self._messages.edit(platform, external_id, text)
        else:
            message = await self._messages.withdraw(platform, external_id)
        if message is not None:
            self._listener.reword(message, text)
        else:
            self._ahead[platform, external_id] = text
            if len(self._ahead) > MOST_AHEAD:
                self._ahead.popitem(last=False)

    async def _catch_up_with(self, arrival: Arrival) -> None:
        """Follow what was told of a message before it came in."""
        text = self._ahead.pop((arrival.platform, arrival.external_id), None)
        if text is not None:
            await self._reword(arrival.platform, arrival.external_id, text)


def clean(text: str) -> str:
    """The text in composed Unicode, cut, stripped, without anything that is not text."""
    return unicodedata.normalize("NFC", plain(text[:LONGEST])).strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Timing:
    """When messages are handed in: as they are said, from a record, or after they were missed."""

    recorded: bool
    missed_at: datetime | None

    @property
    def is_now(self) -> bool:
        return not self.recorded and self.missed_at is None

    def is_too_old(self, sent_at: datetime, max_age: timedelta) -> bool:
        return self.missed_at is not None and self.missed_at - sent_at > max_age


@dataclass(frozen=True, slots=True)
class _Placed:
    inbound: Inbound
    person: Person
    room: Room
    command: str
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
        external_id=placed.inbound.external_id,
        text=placed.arrival.text,
        reply_to=placed.inbound.reply_to,
        spaces=placed.inbound.spaces,
        attachments=placed.inbound.attachments,
    )


def _heard_again(one: Unanswered, room: Room) -> Heard:
    is_system = one.message.author_kind is AuthorKind.SYSTEM
    return Heard(
        message=one.message.id,
        kind=InboundKind.SYSTEM if is_system else InboundKind.MESSAGE,
        person=one.person,
        room=room,
        channel=one.platform,
        external_id=one.external_id,
        text=one.message.text,
        reply_to=one.reply_to,
        spaces=one.spaces,
    )
