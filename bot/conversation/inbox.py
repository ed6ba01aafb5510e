"""The inbox: every event is stored once, then goes where its room's role says."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol

import structlog

from bot.conversation.placement import (
    Admission,
    Commanded,
    Dropped,
    Filed,
    ForPet,
    InboxRules,
    Incoming,
    Placement,
    Refused,
    Timing,
    Undecided,
    admission,
    placement,
)
from bot.conversation.rooms import RoomRegistry, room_id
from bot.conversation.voice.rules import voice_of
from bot.conversation.wording import kept_text
from bot.model.commands import Caller
from bot.model.events import (
    Deleted,
    Edited,
    Inbound,
    InboundEvent,
    ReactionsChanged,
    Typing,
)
from bot.model.turns import Heard
from memory.model.audience import room_audience
from memory.model.histories import HistoryCounts
from memory.model.messages import Arrival, AuthorKind, Handling, MessageId, Reworded, Unanswered
from memory.model.people import Person, PersonId
from memory.model.rooms import Room, RoomId
from memory.model.voices import VoiceFile, VoiceState
from memory.storage.conversations.messages import Messages
from memory.storage.conversations.voices import SettledVoice
from memory.tasks import paced

log = structlog.get_logger()

MOST_AHEAD = 1000
"""Edits and deletions that are kept in mind of messages that have not come in. They come ahead of
what is being read back: a platform lists it for minutes, and people go on meanwhile."""


AT_ONCE = 128
"""Recorded lines for one transaction: what is said meanwhile waits some hundredths of a second."""


class Listener(Protocol):
    """Gathers what was said to the pet into turns."""

    def hear(self, heard: Heard) -> None:
        """Take a message that waits for an answer."""
        ...

    def reword(self, message: MessageId, text: str, voice: VoiceState | None = None) -> None:
        """Take the new words of a message that waits for an answer; none takes it back.

        `voice` says what became of its voice note, if that is news.
        """
        ...

    def typing(self, person: PersonId, room: RoomId) -> None:
        """Wait a little longer for this person."""
        ...


class Attention(Listener, Protocol):
    """A listener that does not listen to everybody all the time."""

    def heeds(self, text: str, person: PersonId, room: RoomId) -> bool:
        """Whether what this person says to the pet now is answered at all."""
        ...

    def admits(self, incoming: Incoming, *, for_pet: bool) -> bool:
        """Whether a message that has just arrived is taken, or comes too fast to be kept."""
        ...


class CommandSink(Protocol):
    """Knows commands, and answers those that are typed beside everything else."""

    def knows(self, text: str) -> bool:
        """Whether the text is one of the commands, whatever the authority of its author."""
        ...

    def takes(self, text: str, person: Person, room: Room, *, called: bool = False) -> bool:
        """Whether the text is a command as what this person says next in a room."""
        ...

    def take(self, caller: Caller, text: str, *, answers: str | None = None) -> None:
        """Answer a typed command soon; `answers` is the platform's id of its message."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """What became of messages: newly stored, known already, forgotten before, or refused.

    Those were `refused` that came too fast.
    """

    stored: int
    known: int
    forgotten: int = 0
    refused: int = 0

    def among(self, lines: int) -> HistoryCounts:
        """The same of lines of an import: what became of none of these was left out."""
        left_out = lines - self.stored - self.known - self.forgotten
        return HistoryCounts(
            stored=self.stored, known=self.known, forgotten=self.forgotten, left_out=left_out
        )


class Inbox:
    """Where every platform's events enter."""

    def __init__(
        self,
        messages: Messages,
        register: RoomRegistry,
        listener: Attention,
        commands: CommandSink,
        rules: InboxRules,
    ) -> None:
        self._messages = messages
        self._register = register
        self._listener = listener
        self._commands = commands
        self._rules = rules
        self._ahead: OrderedDict[tuple[str, str], str] = OrderedDict()

    async def receive(self, event: InboundEvent) -> bool:
        """Take one event; returns when it is durable. False when it came too fast to be kept.

        Raises:
            StorageFailed: it could not be stored; the platform should show that or deliver again.

        """
        match event:
            case Inbound():
                return not (await self.receive_all([event])).refused
            case Edited():
                is_closed = await self._was_closed(event)
                text = "" if is_closed else kept_text(event)
                await self._reword(event.platform, event.external_id, text)
            case Deleted():
                await self._reword(event.platform, event.external_id, "")
            case ReactionsChanged():
                await self._messages.react(self._register.reaction(event))
            case Typing():
                if (person := await self._register.known(event.author)) is not None:
                    self._listener.typing(person, room_id(event.room))
        return True

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
        timing = Timing(recorded=recorded, missed_at=missed_at)
        placed = [await self._placed(inbound, timing) async for inbound in paced(inbounds)]
        taken = [one for one in placed if not isinstance(one, Dropped | Refused)]
        arrivals = [one.arrival for one in taken]
        accepted = await self._messages.accept(arrivals)
        new = [
            (one, message)
            for one, message in zip(taken, accepted, strict=True)
            if message is not None
        ]
        # Without a wait in between: by then a voice note may have been listened to.
        for one, message in new:
            self._pass_on(one, message)
        for one, _ in new:
            await self._catch_up_with(one.arrival)
        stored = sum(message is not None for message in accepted)
        forgotten = await self._messages.forgotten_among(arrivals) if recorded else 0
        return Received(
            stored=stored,
            known=len(accepted) - stored - forgotten,
            forgotten=forgotten,
            refused=sum(isinstance(one, Refused) for one in placed),
        )

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
                self._listener.hear(heard_again(one, room, listens=self._rules.listens))
                resumed += 1
        if resumed:
            log.info("messages.resumed", messages=resumed)
        return resumed

    async def listened(self, message: MessageId, said: SettledVoice, state: VoiceState) -> None:
        """Go on with a message whose voice note was listened to, or given up.

        One that was overheard may turn out to speak to the pet.
        """
        if not said.was_overheard:
            self._listener.reword(message, said.text, state)
        elif said.handling is Handling.PENDING:
            one = await self._messages.unanswered_one(message)
            room = None if one is None else await self._register.room_again(one.message.room)
            if one is not None and room is not None:
                self._listener.hear(heard_again(one, room, listens=True))

    async def _placed(self, inbound: Inbound, timing: Timing) -> "_Placed | Dropped | Refused":
        """What becomes of a message; its author is looked up only where that may be something."""
        text = kept_text(inbound)
        room = self._register.room(inbound.room)
        incoming = Incoming(inbound=inbound, room=room, text=text, timing=timing)
        admitted = self._admitted(incoming)
        if isinstance(admitted, Dropped):
            return admitted
        if not self._is_taken(incoming, admitted):
            return Refused()
        person = await self._register.author(inbound, renames=timing.is_now)
        await self._register.keep(room)
        spaces = await self._register.spaces_of(person.id, inbound.spaces)
        if spaces != inbound.spaces:
            incoming = replace(incoming, inbound=replace(inbound, spaces=spaces))
        place = self._decided(incoming, admitted, person)
        if isinstance(place, Dropped):
            return place
        handling = self._handling(place, person, incoming)
        voice = self._voice(incoming, handling)
        if voice is not None and handling is Handling.OBSERVED:
            handling = Handling.KEPT  # it is observed by its words, or answered
        arrival = _arrival(incoming, person, handling, voice)
        return _Placed(incoming, person, place, arrival)

    def _admitted(self, incoming: Incoming) -> Admission:
        room, timing = incoming.room, incoming.timing
        return admission(
            incoming,
            self._rules,
            is_away=self._register.is_away(room, incoming.inbound.sent_at, live=timing.is_now),
            names_command=self._commands.knows(incoming.line(self._rules.names)),
        )

    def _is_taken(self, incoming: Incoming, admitted: Filed | Undecided) -> bool:
        """Whether it did not come too fast; what was missed comes all at once and is bounded."""
        if isinstance(admitted, Filed) or not incoming.timing.is_now:
            return True
        for_pet = admitted.for_pet or self._commands.knows(incoming.line(self._rules.names))
        return self._listener.admits(incoming, for_pet=for_pet)

    def _decided(
        self, incoming: Incoming, admitted: Filed | Undecided, person: Person
    ) -> Placement:
        """The placement; the dispatcher is asked first, whose offers end with what is said next."""
        if isinstance(admitted, Filed):
            return admitted
        line = incoming.line(self._rules.names)
        is_for_commands = admitted.for_commands and self._commands.takes(
            line, person, incoming.room, called=line != incoming.text
        )
        return placement(incoming, admitted, person, self._rules, is_for_commands=is_for_commands)

    def _handling(
        self, place: Filed | Commanded | ForPet, person: Person, incoming: Incoming
    ) -> Handling:
        match place:
            case Filed(handling):
                return handling
            case Commanded():
                return Handling.KEPT
            case ForPet():
                is_heeded = self._listener.heeds(incoming.text, person.id, incoming.room.id)
                return Handling.PENDING if is_heeded else Handling.STALE

    def _voice(self, incoming: Incoming, handling: Handling) -> VoiceFile | None:
        """The sound of a message that is answered or observed, where it is listened to."""
        is_heeded = handling in {Handling.PENDING, Handling.OBSERVED}
        if not self._rules.listens or not is_heeded or incoming.timing.recorded:
            return None
        return voice_of(incoming.inbound)

    def _pass_on(self, placed: "_Placed", message: MessageId) -> None:
        inbound, room = placed.incoming.inbound, placed.incoming.room
        if isinstance(placed.placement, Commanded):
            caller = self._register.typed_by(inbound, placed.person, room, message)
            self._commands.take(caller, placed.placement.line, answers=inbound.external_id)
        elif placed.arrival.handling is Handling.PENDING:
            heard = Heard(
                message=message,
                arrival=placed.arrival,
                person=placed.person,
                attachments=inbound.attachments,
                voice=None if placed.arrival.voice is None else VoiceState.WAITING,
            )
            self._listener.hear(heard)

    async def _was_closed(self, edited: Edited) -> bool:
        """Whether all could read a message, and not what it says now: its room was closed since."""
        room = None if edited.room is None else self._register.room(edited.room)
        if room is None or not room.confidential:
            return False
        own = room_audience(room.id)
        return await self._messages.is_known_beyond(edited.platform, edited.external_id, own)

    async def _reword(self, platform: str, external_id: str, text: str) -> None:
        if text:
            edited = await self._messages.edit(platform, external_id, text)
        else:
            withdrawn = await self._messages.withdraw(platform, external_id)
            edited = None if withdrawn is None else Reworded(withdrawn, "")
        if edited is not None:
            self._listener.reword(edited.id, edited.text)
        else:
            self._ahead[platform, external_id] = text
            if len(self._ahead) > MOST_AHEAD:
                self._ahead.popitem(last=False)

    async def _catch_up_with(self, arrival: Arrival) -> None:
        """Apply the edit or deletion of a message that came before the message itself."""
        text = self._ahead.pop((arrival.platform, arrival.external_id), None)
        if text is not None:
            await self._reword(arrival.platform, arrival.external_id, text)


@dataclass(frozen=True, slots=True)
class _Placed:
    incoming: Incoming
    person: Person
    placement: Filed | Commanded | ForPet
    arrival: Arrival


def _arrival(
    incoming: Incoming, person: Person, handling: Handling, voice: VoiceFile | None
) -> Arrival:
    inbound, brought = incoming.inbound, incoming.inbound.brought
    of_file = None if brought is None else brought.account
    return Arrival(
        platform=inbound.author.platform,
        external_id=inbound.external_id,
        room=incoming.room,
        author=person.name,
        author_kind=AuthorKind.PERSON if incoming.is_message else AuthorKind.SYSTEM,
        person=person.id,
        account=of_file or inbound.author.account,
        text=incoming.text,
        sent_at=inbound.sent_at,
        handling=handling,
        reply_to=inbound.reply_to,
        spaces=inbound.spaces,
        zone=inbound.zone,
        brought=brought,
        voice=voice,
    )


def heard_again(one: Unanswered, room: Room, *, listens: bool) -> Heard:
    """A message as it is heard from the database; where nothing listens, none awaits words."""
    message = one.message
    arrival = Arrival(
        platform=one.platform,
        external_id=one.external_id,
        room=room,
        author=message.author,
        author_kind=message.author_kind,
        person=one.person.id,
        account=one.account,
        text=message.text,
        sent_at=message.sent_at,
        handling=Handling.PENDING,
        reply_to=one.reply_to,
        spaces=one.spaces,
    )
    voice = one.voice if listens or one.voice is not VoiceState.WAITING else None
    return Heard(message=message.id, arrival=arrival, person=one.person, voice=voice)
