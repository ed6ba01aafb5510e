"""Takes a conversation in as the pet would have heard it: through the inbox, session by session."""

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import NAMESPACE_URL, uuid5

from benchmarks.evaluation.locomo import (
    BETWEEN_TURNS,
    Conversation,
    LocomoSession,
    LocomoTurn,
    Observed,
)
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
    """A conversation as it is remembered: its room, who may read there, and which turn is where.

    `asked_at` is when questions about it are asked, `last` the last turn that was heard by then.
    """

    conversation: Conversation
    room: Room
    scope: Scope
    turns: Mapping[MessageId, str]
    asked_at: datetime
    last: str


async def take_in(
    app: App, clock: FrozenClock, conversation: Conversation, *, facts: bool
) -> IngestedConversation:
    """Hear a whole conversation in a room and a space of its own; it is asked about a day later.

    The clock goes along with it. With `facts`, what the file observed in a session is remembered
    at its end, as a digest would.
    """
    last = conversation.turns[-1].id
    (place,) = [
        place
        async for place in heard_until(app, clock, conversation, frozenset({last}), facts=facts)
    ]
    return replace(place, asked_at=conversation.ends + AFTERWARDS)


async def heard_until(
    app: App,
    clock: FrozenClock,
    conversation: Conversation,
    stops: AbstractSet[str],
    *,
    facts: bool,
) -> AsyncIterator[IngestedConversation]:
    """Hear a conversation, and stop after each of these turns to be asked about it."""
    ref = _room_ref(conversation)
    messages: dict[str, MessageId] = {}
    for sitting in conversation.sittings:
        for said in _parts(sitting.said, stops):
            last = said[-1]
            clock.at = last.at
            messages |= await _heard(app, ref, conversation, said)
            await app.services.indexer.settle()
            if facts and last is sitting.said[-1]:
                await _remembered(app, _origin(ref), conversation, sitting, messages)
                await app.services.indexer.settle()
            if last.id in stops:
                yield await _place(app, conversation, messages, last)


async def _place(
    app: App, conversation: Conversation, messages: Mapping[str, MessageId], last: LocomoTurn
) -> IngestedConversation:
    room = _room(_room_ref(conversation))
    reader = await app.register.person(READER)
    return IngestedConversation(
        conversation=conversation,
        room=room,
        scope=scope_of(room, reader.id),
        turns={message: turn for turn, message in messages.items()},
        asked_at=last.at + BETWEEN_TURNS,
        last=last.id,
    )


def _parts(said: Sequence[LocomoTurn], stops: AbstractSet[str]) -> Iterator[Sequence[LocomoTurn]]:
    """The turns of a session, cut after each stop."""
    begun = 0
    for place, turn in enumerate(said, start=1):
        if turn.id in stops or place == len(said):
            yield said[begun:place]
            begun = place


def space_of(conversation: Conversation) -> SpaceId:
    """The space that a conversation has to itself."""
    return SpaceId(f"{PLATFORM}-{conversation.number}")


def speaker_of(conversation: Conversation, name: str) -> AuthorRef:
    """Who speaks under a name in a conversation: a Tom of one is no Tom of another."""
    return AuthorRef(platform=PLATFORM, external_id=f"{conversation.number}:{name}", name=name)


async def _heard(
    app: App, room: RoomRef, conversation: Conversation, said: Sequence[LocomoTurn]
) -> dict[str, MessageId]:
    """The stored messages of some turns by the id of their turn."""
    inbounds = [_inbound(room, conversation, turn) for turn in said]
    await app.inbox.receive_all(inbounds, recorded=True)
    found: dict[str, MessageId] = {}
    for turn, inbound in zip(said, inbounds, strict=True):
        message = await app.storage.messages.by_external_id(PLATFORM, inbound.external_id)
        if message is not None:  # a turn without a word is not kept
            found[turn.id] = message.id
    return found


def _inbound(room: RoomRef, conversation: Conversation, said: LocomoTurn) -> Inbound:
    return Inbound(
        external_id=f"{conversation.number}:{said.id}",
        room=room,
        author=speaker_of(conversation, said.speaker),
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
    await app.services.writer.store_all(news)


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
