"""A stranger who says things to a pet that has heard conversations."""

from collections.abc import Sequence

from benchmarks.evaluation.ingestion import PLATFORM, IngestedConversation
from bot.model.events import AuthorRef
from bot.wiring.app import App
from memory.model.audience import Scope, scope_of
from memory.model.retrieval import Question, Retrieval
from memory.model.rooms import Room, RoomId, RoomKind, RoomRole

STRANGER = AuthorRef(platform=PLATFORM, external_id="stranger", name="stranger")
"""A reader who was in none of the conversations and may read all of them."""


async def stranger_at(app: App, places: Sequence[IngestedConversation]) -> tuple[Room, Scope]:
    """Where the stranger asks, in private, and what they may know: every conversation's space."""
    person = await app.register.person(STRANGER)
    room = Room(
        id=RoomId(f"{PLATFORM}:stranger"),
        platform=PLATFORM,
        external_id="stranger",
        name=STRANGER.name,
        kind=RoomKind.DIRECT,
        role=RoomRole.PET,
    )
    return room, scope_of(room, person.id, [place.room.space for place in places])


async def said_to(app: App, room: Room, scope: Scope, query: str) -> Retrieval:
    """What the pre-hook makes of one line of the stranger."""
    return await app.services.recall.before(
        Question(text=query, context="", speaker=STRANGER.name, room=room, scope=scope)
    )
