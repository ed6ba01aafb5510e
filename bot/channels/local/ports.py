"""What a face of the local platform sees and needs: the events of a room, a talk and a history."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bot.model.turns import Expression
from memory.model.linking import RecoveredAccount
from memory.model.messages import AuthorKind, Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A message that appeared in a room.

    `key` is the same however often the message is delivered. `mine` says that the reader of the
    event wrote it. `expression` is the pet's face, None for a person. `sent_at` is aware.
    """

    key: str
    kind: AuthorKind
    author: str
    text: str
    sent_at: datetime
    expression: Expression | None = None
    mine: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """The sign that another author is writing in a room; it is repeated for as long as they do."""

    kind: AuthorKind
    author: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Missed:
    """The reader was too slow and events were dropped: reload from the history."""


LocalEvent = Shown | Writing | Missed


class Talk(Protocol):
    """One person's seat in one room, in this process or at the other end of a socket."""

    async def say(self, text: str) -> None:
        """Say one message; returns when it is durable.

        Raises:
            MessageTooLong: it has more characters than a message may have.
            NobodyListens: the daemon is starting or stopping; say it again in a moment.
            TooFast: more comes from there than is taken; say it again in a minute.

        """
        ...

    def events(self) -> AbstractAsyncContextManager[AsyncIterator[LocalEvent]]:
        """What appears in the room from now on, what this person says included, until left."""
        ...


class Recovery(Protocol):
    """Brings people back to their account in a browser that does not know them."""

    async def offer(self, platform: str, external_id: str) -> str:
        """A new one-time code for an account, in the place of an earlier one."""
        ...

    async def redeem(self, code: str) -> RecoveredAccount:
        """The account that a code was for; it is used up by this.

        Raises:
            UnknownCode: it was never given out, was used, or another took its place.

        """
        ...


class RoomTranscript(Protocol):
    """Reads what a room said before."""

    async def recent(
        self, room_platform: str, room_external_id: str, limit: int
    ) -> Sequence[Message]:
        """The last `limit` messages of a room, oldest first; empty for a room never heard of."""
        ...
