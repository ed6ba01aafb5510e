"""One connection to a Qdrant server: a limit on each request, and every vendor error in one.

Importing this module costs a second, so it is imported only where a server is used.
"""

import asyncio
import json
import random
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Self

import structlog
from qdrant_client import AsyncQdrantClient
from qdrant_client.common.client_exceptions import QdrantException
from qdrant_client.http.api_client import (  # type: ignore[attr-defined] # two are httpx's
    Request,
    Response,
    SendAsync,
)
from qdrant_client.http.exceptions import ApiException, UnexpectedResponse

from memory.model.errors import VectorStoreUnavailable
from memory.vectorstores.server_options import ServerOptions

_log = structlog.get_logger(__name__)

_CONFLICT = 409
_TOO_MANY = 429
_SERVER_ERROR = 500

_FIRST_WAIT_S = 0.1
"""Before the first further try; each later one waits about twice as long."""

_PORT = 6333
"""Where Qdrant listens unless it is told otherwise."""


class QdrantServer:
    """The client of a server, with what was chosen about it."""

    def __init__(self, client: AsyncQdrantClient, options: ServerOptions | None = None) -> None:
        self.options = options or ServerOptions()
        self._client = client
        self._timeout_s = self.options.timeout_s
        self._closed = False

    @classmethod
    def at(cls, options: ServerOptions) -> Self:
        """The server at an address; nothing is sent yet.

        Raises:
            VectorStoreUnavailable: the file of certificates cannot be read.

        """
        client = AsyncQdrantClient(
            url=options.url,
            port=options.port or _PORT,
            api_key=options.api_key,
            timeout=max(1, round(options.timeout_s)),
            check_compatibility=False,  # it would ask the server from the constructor
            verify=_trusted(options.ca_file),
        )
        client.http.client.add_middleware(_Retries(options.retries, options.timeout_s))
        return cls(client, options)

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


class _Retries:
    """Sends a request again while the server is busy or failing (429, 5xx), never past its time.

    The client of the library does not. Every request here can be sent twice: upserts and deletions
    are by id. A caller that is cancelled ends the wait, as a recall's deadline does for a search.
    """

    def __init__(self, retries: int, timeout_s: float) -> None:
        self._retries = retries
        self._timeout_s = timeout_s

    async def __call__(self, request: Request, send: SendAsync) -> Response:
        until = asyncio.get_running_loop().time() + self._timeout_s
        for attempt in range(self._retries):
            answer = await send(request)
            status = answer.status_code
            if status != _TOO_MANY and status < _SERVER_ERROR:
                return answer
            wait_s = pause_s(attempt, answer.headers.get("retry-after", ""))
            if asyncio.get_running_loop().time() + wait_s >= until:
                return answer
            _log.debug("qdrant_request.retried", status=status, wait_s=round(wait_s, 3))
            await asyncio.sleep(wait_s)
        return await send(request)


def pause_s(attempt: int, asked: str) -> float:
    """What to wait before the next try: longer each time, by chance, and as long as was asked."""
    wait_s = _FIRST_WAIT_S * 2.0**attempt * random.uniform(0.5, 1.5)  # noqa: S311 - no secret
    return max(wait_s, float(asked)) if asked.isascii() and asked.isdigit() else wait_s


def _trusted(ca_file: str | None) -> ssl.SSLContext | bool:
    if ca_file is None:
        return True
    try:
        return ssl.create_default_context(cafile=ca_file)
    except OSError as error:  # also what SSL makes of a file that holds no certificate
        raise VectorStoreUnavailable(
            f"The certificates in {ca_file} cannot be read ({error.strerror or error}): see "
            "[vectors] ca_file."
        ) from error


@asynccontextmanager
async def unless_it_exists() -> AsyncIterator[None]:
    """Creating a collection is fine if another process was faster."""
    try:
        yield
    except UnexpectedResponse as error:
        if error.status_code != _CONFLICT:
            raise
