"""The operation behind `eko digest`: what is live becomes memories now."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

from bot.surfaces.operations import TopicOperations, operation
from bot.surfaces.requests import OperationRequest
from bot.surfaces.values import Event, extended
from memory.model.shown import Shown
from observers.digest import DigestReport


class DigestNowRequest(OperationRequest):
    """Digest what is live. `retry` takes back what was set aside after failures."""

    retry: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestDone(DigestReport):
    """What a run came to; `interrupted` says why it stopped early."""

    unindexed: Shown[int]


class DigestOperations(TopicOperations):
    """The operation behind `eko digest`: what is live becomes memories now."""

    @operation("digest")
    async def digest(self, request: DigestNowRequest) -> AsyncIterator[Event]:
        """Digest what is live, and say how much was read and kept."""
        if request.retry:
            await self._app.storage.digests.release()
            if await self._app.storage.extractions.release():
                self._app.services.conversation_facts.wake()
        live = await self._app.storage.digests.live()
        yield {"progress": {"state": "reading", "messages": live.waiting - live.quarantined}}
        report = await self._app.services.digest.run()
        yield {
            "result": extended(
                DigestDone, report, unindexed=await self._app.services.indexer.settle_or_wait()
            )
        }
