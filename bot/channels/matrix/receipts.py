"""How far rooms were read, told to the others beside everything else."""

import asyncio

import structlog

from bot.channels.matrix.service.homeserver import Homeserver
from bot.errors import DeliveryFailed

log = structlog.get_logger()


class ReadReceipts:
    """Sends the read receipt of each room; a failed one goes with the next."""

    def __init__(self, homeserver: Homeserver) -> None:
        self._homeserver = homeserver
        self._due: dict[str, str] = {}
        self._news = asyncio.Event()

    def read(self, room: str, event: str) -> None:
        """Take note that a room was read up to an event."""
        self._due[room] = event
        self._news.set()

    async def run(self) -> None:
        """Tell what is due, until cancelled."""
        while True:
            await self._news.wait()
            self._news.clear()
            while self._due:
                room, event = self._due.popitem()
                try:
                    await self._homeserver.mark_read(room, event)
                except DeliveryFailed as error:
                    log.debug("receipt.failed", reason=str(error))
