"""The operation behind `eko facts`."""

from bot.surfaces.operations import TopicOperations, operation
from bot.surfaces.requests import Name, OperationRequest
from bot.surfaces.values import Event


class ListFactsRequest(OperationRequest):
    """List core facts; of one person by name, and with those that hold no more."""

    person: Name | None = None
    history: bool = False


class FactOperations(TopicOperations):
    """The operation behind `eko facts`."""

    @operation("facts")
    async def facts(self, request: ListFactsRequest) -> Event:
        """The core facts, of one person by name; with `history` those that no longer hold too."""
        facts = await self._app.storage.core_facts.listed(
            self._caller.scope, name=request.person, history=request.history
        )
        return {"facts": facts}
