"""What WhatsApp says it has delivered, to tell of a sending without an answer what became of it."""

import asyncio
from collections import OrderedDict

MOST_KEPT = 1000
"""Messages whose ids are kept in mind; receipts of older ones come only when a telephone was off
for long."""


class DeliveryReceipts:
    """Keeps the ids of what was sent apart from those that only a receipt has named."""

    def __init__(self) -> None:
        self._sent: OrderedDict[str, None] = OrderedDict()
        self._unclaimed: list[str] = []
        self._news = asyncio.Event()

    def begin(self) -> None:
        """Note that something is sent from now on: what is unclaimed was not it."""
        for message in self._unclaimed:
            self._keep(message)
        self._unclaimed.clear()
        self._news.clear()

    def sent(self, message: str) -> None:
        """Note the id of a message that was sent."""
        self._keep(message)
        if message in self._unclaimed:
            self._unclaimed.remove(message)

    def delivered(self, message: str) -> None:
        """Note the id in a receipt."""
        if message not in self._sent and message not in self._unclaimed:
            self._unclaimed.append(message)
            self._news.set()

    async def unclaimed(self, limit_s: float) -> str | None:
        """The id of a delivered message that no sending has had for an answer; None without one."""
        try:
            async with asyncio.timeout(limit_s):
                while not self._unclaimed:
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            return None
        message = self._unclaimed.pop(0)
        self._keep(message)
        return message

    def _keep(self, message: str) -> None:
        self._sent[message] = None
        if len(self._sent) > MOST_KEPT:
            self._sent.popitem(last=False)
