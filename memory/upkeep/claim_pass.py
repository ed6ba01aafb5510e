"""Reads what people claim in their messages, once, after the message is durable."""

import asyncio
from collections.abc import Mapping, Sequence

from memory.claims.reader import read_claims
from memory.model.claims import Claim
from memory.model.messages import MessageId
from memory.storage.conversations.claims import Claims, UnreadMessage

MESSAGES_AT_ONCE = 32
"""Messages read at a time: a tenth of a second of one core, off the event loop."""


class ClaimPass:
    """Reads the claims of messages that wait for it; idempotent, and resumable at every batch."""

    def __init__(self, claims: Claims) -> None:
        self._claims = claims

    async def read_batch(self) -> int:
        """Read the next messages, the latest first; how many, 0 where none waits.

        Raises:
            StorageFailed: nothing is lost, call again.

        """
        waiting = await self._claims.waiting(MESSAGES_AT_ONCE)
        await self._read(waiting)
        return len(waiting)

    async def of(self, messages: Sequence[MessageId]) -> Mapping[MessageId, tuple[Claim, ...]]:
        """The claims of messages; those that still wait are read first."""
        await self._read(await self._claims.waiting_among(messages))
        return await self._claims.of(messages)

    async def _read(self, messages: Sequence[UnreadMessage]) -> None:
        if messages:
            read = await asyncio.to_thread(read_claims, [one.text for one in messages])
            await self._claims.keep(dict(zip(messages, read, strict=True)))
