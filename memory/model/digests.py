"""Digests: the chunks of overheard messages that are read, and what came of them."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory.model.audience import Audience
from memory.model.messages import MessageId
from memory.model.rooms import RoomId
from memory.model.shown import Shown


@dataclass(frozen=True, slots=True)
class LiveRow:
    """A live message that no digest has claimed; all of it decides its chunk."""

    id: MessageId
    room: RoomId
    audience: Audience
    size: int


@dataclass(frozen=True, slots=True)
class ClaimedChunk:
    """A stretch of one room that a digest has claimed and not read yet."""

    digest: UUID
    position: int
    room: RoomId
    audience: Audience


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestRow:
    """One digest: what it claimed and what came of it."""

    id: Shown[UUID]
    started_at: Shown[datetime]
    finished_at: Shown[datetime | None]
    messages: Shown[int]
    facts: Shown[int]


@dataclass(frozen=True, slots=True)
class LiveCount:
    """How many live messages wait for a digest, and how many of them are quarantined."""

    waiting: int
    quarantined: int
