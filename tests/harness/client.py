"""The one way in which the harnesses speak with a daemon.

By the operations of its control socket, as `eko chat` does: what is said with them enters the same
rooms as what is said on the page.
"""

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import httpx2

from bot.lock import holder_of
from bot.surfaces.terminal.connection import RemoteOperations
from tests.patience import PATIENCE_S
from tests.peers.daemon import NO_TLS

Event = dict[str, Any]


class Gone(Exception):
    """The daemon is not there, or ended before it answered."""


class Refused(Exception):
    """The daemon answered with a sentence that says why not."""


class LocalClient:
    """Speaks to the daemon of a data folder, whichever process that is just now.

    A daemon of which nothing comes for `patience_s` counts as gone.
    """

    def __init__(self, data: Path, patience_s: float | None = PATIENCE_S) -> None:
        self._data = data
        self._patience_s = patience_s

    async def events(self, operation: str, **arguments: Any) -> AsyncIterator[Event]:
        """What an operation tells, up to its result.

        Raises:
            Gone: there is no daemon, or it ended.
            Refused: it says why it will not.

        """
        holder = holder_of(self._data)
        if holder is None or holder.socket is None:
            raise Gone
        transport = httpx2.AsyncHTTPTransport(uds=holder.socket, verify=NO_TLS)
        async with httpx2.AsyncClient(
            transport=transport, base_url="http://eko", timeout=self._patience_s
        ) as client:
            async for event in RemoteOperations(client, holder).call(operation, arguments):
                if "error" in event:
                    raise Gone if "went away" in event["error"] else Refused(event["error"])
                yield event
                if "result" in event:
                    return
        raise Gone

    async def does(self, operation: str, **arguments: Any) -> Event:
        """The result of an operation."""
        async for event in self.events(operation, **arguments):
            if "result" in event:
                return dict(event["result"])
        raise Gone

    async def say(self, name: str, text: str) -> None:
        """Say something in the lobby; it is taken when this returns."""
        await self.does("say", text=text, name=name, room="lobby")

    async def ask(self, name: str, text: str, taken: Callable[[], None]) -> str:
        """Say something in private; `taken` is called once it is, and the answer comes back."""
        async for event in self.events("ask", text=text, name=name):
            if "result" in event:
                return str(event["result"]["reply"])
            taken()
        raise Gone
