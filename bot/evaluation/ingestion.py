"""Takes a conversation in as the pet would have heard it: through the inbox, session by session."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import NAMESPACE_URL, uuid5

from bot.evaluation.locomo import Conversation, LocomoSession, LocomoTurn, Observed
from bot.model.events import AuthorRef, Inbound, RoomRef
from bot.wiring.app import App
from memory.clock import FrozenClock
from memory.model.audience import Origin, Scope, scope_of
from memory.model.messages import MessageId
from memory.model.rooms import Room, RoomId, RoomKind, RoomRole, SpaceId, Visibility
from memory.model.statements import MemoryId, NewMemory, Source
from memory.model.stores import Store

PLATFORM = "locomo"
"""The platform of the conversations, their people and those who ask about them."""

AFTERWARDS = timedelta(days=1)
"""Questions come this long after the last word, so that nothing is recalled for being recent."""

READER = AuthorRef(platform=PLATFORM, external_id="reader", name="reader")
"""A third person, who asks in the room of a conversation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestedConversation:
    """A conversation as it is remembered: its room, who may read there, and which turn is where."""

    conversation: Conversation
    room: Room
    scope: Scope
    turns: Mapping[MessageId, str]

    @property
    def asked_at(self) -> datetime:
        """When questions about it are asked."""
        return self.conversation.ends + AFTERWARDS


async def take_in(
    app: App, clock: FrozenClock, conversation: Conversation, *, facts: bool
) -> IngestedConversation:
    """Hear a whole conversation in a room and a space of its own.

    The clock goes along with it. With `facts`, what the file observed in a session is remembered
    at its end, as a digest would.
    """
    ref = _room_ref(conversation)
    messages: dict[str, MessageId] = {}
    for sitting in conversation.sittings:
        clock.at = sitting.said[-1].at
        messages |= await _heard(app, ref, conversation, sitting)
        await app.services.indexer.settle()
        if facts:
            await _remembered(app, _origin(ref), conversation, sitting, messages)
            await app.services.indexer.settle()
    room = _room(ref)
    reader = await app.register.person(READER)
    return IngestedConversation(
        conversation=conversation,
        room=room,
        scope=scope_of(room, reader.id),
        turns={message: turn for turn, message in messages.items()},
    )


def space_of(conversation: Conversation) -> SpaceId:
    """The space that a conversation has to itself."""
    return SpaceId(f"{PLATFORM}-{conversation.number}")


async def _heard(
    app: App, room: RoomRef, conversation: Conversation, sitting: LocomoSession
) -> dict[str, MessageId]:
    """The stored messages of a session by the id of their turn."""
    inbounds = [_inbound(room, conversation, said) for said in sitting.said]
    await app.inbox.receive_all(inbounds, recorded=True)
    found: dict[str, MessageId] = {}
    for said, inbound in zip(sitting.said, inbounds, strict=True):
        message = await app.storage.messages.by_external_id(PLATFORM, inbound.external_id)
        if message is not None:  # a turn without a word is not kept
            found[said.id] = message.id
    return found


def _inbound(room: RoomRef, conversation: Conversation, said: LocomoTurn) -> Inbound:
    return Inbound(
        external_id=f"{conversation.number}:{said.id}",
        room=room,
        author=AuthorRef(
            platform=PLATFORM,
            external_id=f"{conversation.number}:{said.speaker}",
            name=said.speaker,
        ),
        text=said.text,
        sent_at=said.at,
    )


async def _remembered(
    app: App,
    origin: Origin,
    conversation: Conversation,
    sitting: LocomoSession,
    messages: Mapping[str, MessageId],
) -> None:
    """Store what was observed in a session in one transaction, as a digest stores a chunk."""
    news = [
        _fact(origin, f"{conversation.number}:{sitting.at}:{place}", observed, sitting.at, messages)
        for place, observed in enumerate(sitting.observed)
    ]
    await app.services.remember.store_all(news)


def _fact(
    origin: Origin,
    name: str,
    observed: Observed,
    at: datetime,
    messages: Mapping[str, MessageId],
) -> NewMemory:
    return NewMemory(
        id=MemoryId(uuid5(NAMESPACE_URL, f"{PLATFORM}:{name}")),
        store=Store.MEMORY,
        content=observed.text,
        origin=origin,
        source=Source.DIGEST,
        subjects=(observed.speaker,),
        said_by=observed.speaker,
        said_at=at,
        messages=_known(observed.evidence, messages),
    )


def _known(turns: Sequence[str], messages: Mapping[str, MessageId]) -> tuple[MessageId, ...]:
    return tuple(messages[turn] for turn in dict.fromkeys(turns) if turn in messages)


def _room_ref(conversation: Conversation) -> RoomRef:
    return RoomRef(
        platform=PLATFORM,
        external_id=f"conversation-{conversation.number}",
        name=f"conversation {conversation.number}",
        kind=RoomKind.GROUP,
        role=RoomRole.LOBBY,
        space=space_of(conversation),
    )


def _origin(ref: RoomRef) -> Origin:
    return Origin(visibility=Visibility.SPACE, room=_room(ref).id, space=ref.space)


def _room(ref: RoomRef) -> Room:
    return Room(
        id=RoomId(f"{ref.platform}:{ref.external_id}"),
        platform=ref.platform,
        external_id=ref.external_id,
        name=ref.name,
        kind=ref.kind,
        role=ref.role,
        space=ref.space,
    )
