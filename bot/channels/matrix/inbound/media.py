"""The files of messages, fetched through the pet's homeserver and opened where they are locked."""

import asyncio
from collections.abc import Callable

import structlog

from bot.channels.matrix.inbound.contents import parts_of_address
from bot.channels.matrix.service.homeserver import Homeserver
from bot.channels.matrix.service.json_values import Json

log = structlog.get_logger()

Open = Callable[[bytes, Json], bytes | None]
"""What is in an encrypted file; None where it is not what its message says."""


class Media:
    """The FileStore of Matrix, through the session that it follows now."""

    def __init__(self, opened: Open) -> None:
        self._opened = opened
        self._homeserver: Homeserver | None = None

    def follow(self, homeserver: Homeserver | None) -> None:
        """Ask through this session from now on; None while there is none."""
        self._homeserver = homeserver

    async def fetch(self, url: str, most_bytes: int) -> bytes | None:
        """The file, or None where it is not there, not Matrix's, too large or too slow."""
        parts = parts_of_address(url)
        if parts is None or self._homeserver is None:
            return None
        server, media, file = parts
        content = await self._homeserver.file(server, media, most_bytes)
        if content is None:
            log.info("picture.missed", reason="The homeserver does not hand it out.")
        elif file:
            content = await asyncio.to_thread(self._opened, content, file)
            if content is None:
                log.info("picture.missed", reason="It is not what its message says.")
        return content
