"""The operations behind `eko search` and `eko find`: by what fits, and word for word."""

from typing import Annotated, Literal

from pydantic import Field

from bot.surfaces.operations import TopicOperations, operation
from bot.surfaces.requests import OperationRequest
from bot.surfaces.values import Event
from memory.model.stores import Store


class SearchRequest(OperationRequest):
    """Look something up everywhere, or in one store."""

    query: Annotated[str, Field(min_length=1, max_length=2000)]
    store: Literal["memory", "self", "goals"] | None = None
    limit: Annotated[int, Field(ge=1, le=200)] = 10


class FindRequest(OperationRequest):
    """Find what was said or kept word for word."""

    query: Annotated[str, Field(min_length=1, max_length=2000)]
    limit: Annotated[int, Field(ge=1, le=1000)] = 20


class FindingOperations(TopicOperations):
    """The operations behind `eko search` and `eko find`: by what fits, and word for word."""

    @operation("search")
    async def search(self, search: SearchRequest) -> Event:
        """What fits a query best, in one store or in all and in what was said."""
        stores = [Store(search.store)] if search.store else list(Store)
        found = await self._app.services.recall.search(
            search.query, stores, self._caller.scope, search.limit
        )
        result: Event = {"memories": found}
        if search.store is None:
            history = await self._app.services.recall.search_history(
                search.query, self._caller.scope, search.limit
            )
            result["history"] = history
        return result

    @operation("find")
    async def find(self, find: FindRequest) -> Event:
        """Lines that say the words of a query, the latest first."""
        found = await self._app.services.texts.find(find.query, self._caller.scope, find.limit)
        return {"rows": found}
