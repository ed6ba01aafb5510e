"""One connection to a Qdrant server: a limit on each request, and every vendor error in one.

Importing this module costs a second, so it is imported only where a server is used.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Self

import structlog
from qdrant_client import AsyncQdrantClient
from qdrant_client.common.client_exceptions import QdrantException
from qdrant_client.http.exceptions import ApiException, UnexpectedResponse

from memory.model.errors import VectorStoreUnavailable

_log = structlog.get_logger(__name__)

_CONFLICT = 409


class QdrantServer:
    """The client of a server; `timeout_s` limits each request."""

    def __init__(self, client: AsyncQdrantClient, *, timeout_s: float = 10) -> None:
        self._client = client
        self._timeout_s = timeout_s
        self._closed = False

    @classmethod
    def at(cls, url: str, *, api_key: str | None = None, timeout_s: float = 10) -> Self:
        """The server at this address; nothing is sent yet."""
        client = AsyncQdrantClient(
            url=url,
            api_key=api_key,
            timeout=max(1, round(timeout_s)),
            check_compatibility=False,  # it would ask the server from the constructor
        )
        return cls(client, timeout_s=timeout_s)

    @asynccontextmanager
    async def answering(self) -> AsyncIterator[AsyncQdrantClient]:
        """The client, within the time limit.

        Raises:
            VectorStoreUnavailable: the server refused, or did not answer as it should.

        """
        if self._closed:
            raise VectorStoreUnavailable("The vector store is closed.")
        try:
            async with asyncio.timeout(self._timeout_s):
                yield self._client
        except UnexpectedResponse as error:
            # From None: the body may quote what was sent, which is for debugging only.
            _log.debug("qdrant_request.refused", status=error.status_code, body=error.content)
            raise VectorStoreUnavailable(f"Qdrant answered {error.status_code}.") from None
        except TimeoutError as error:
            raise VectorStoreUnavailable(
                f"Qdrant did not answer within {self._timeout_s:g} s."
            ) from error
        except (ApiException, QdrantException, json.JSONDecodeError) as error:
            raise VectorStoreUnavailable("Qdrant did not answer as it should.") from error

    async def close(self) -> None:
        """Drop the connections."""
        if not self._closed:
            self._closed = True
            await self._client.close()


@asynccontextmanager
async def unless_it_exists() -> AsyncIterator[None]:
    """Creating a collection is fine if another process was faster."""
    try:
        yield
    except UnexpectedResponse as error:
        if error.status_code != _CONFLICT:
            raise
