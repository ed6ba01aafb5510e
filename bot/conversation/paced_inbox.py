"""The inbox as platforms reach it: of edits that come too fast, the last of each message waits."""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from datetime import datetime

import structlog

from bot.conversation.arrival_rates import ArrivalLimiter, ArrivalOrigin
from bot.conversation.inbox import Inbox, Received
from bot.conversation.rooms import RoomRegistry
from bot.model.events import Deleted, Edited, Inbound, InboundEvent
from memory.model.errors import StorageFailed
from memory.model.people import AccountId
from memory.model.rooms import RoomRole
from memory.tasks import Boundary

log = structlog.get_logger()

MOST_WAITING = 1000
"""Messages whose new words wait; with one more the oldest are read, whatever the rates say."""

LOOK_EVERY_S = 1.0
"""Seconds between two looks at whether there is room for those that wait."""

Message = tuple[str, str]
"""A platform and its id of a message."""


class PacedInbox:
    """Holds edits to the rates of what is said; everything else goes on to the inbox at once.

    An edit costs as much reading as a message. What waits is read as soon as there is room for it,
    before a stop, and before what was missed is compared; after a crash that comparison finds it.
    What was taken back waits for nothing, and neither does what is read back: that has no author.
    """

    def __init__(self, inbox: Inbox, register: RoomRegistry, limiter: ArrivalLimiter) -> None:
        self._inbox = inbox
        self._register = register
        self._limiter = limiter
        self._waiting: OrderedDict[Message, Edited] = OrderedDict()
        self._waits = asyncio.Event()
        self._in_order = asyncio.Lock()

    async def receive(self, event: InboundEvent) -> bool:
        """Take one event; False when it came too fast to be kept. See `Inbox.receive`.

        Raises:
            StorageFailed: it could not be stored.

        """
        match event:
            case Edited() if event.author is not None:
                await self._edited(event)
                return True
            case Deleted():
                self._waiting.pop((event.platform, event.external_id), None)
        async with self._in_order:
            return await self._inbox.receive(event)

    async def receive_all(
        self, inbounds: Sequence[Inbound], *, missed_at: datetime | None = None
    ) -> Received:
        """Take messages in one transaction, in order. See `Inbox.receive_all`.

        Raises:
            StorageFailed: none was stored.

        """
        return await self._inbox.receive_all(inbounds, missed_at=missed_at)

    def lists_anew(self, platform: str) -> None:
        """Drop edits and deletions that lead nowhere: what the platform lists now has them."""
        self._inbox.lists_anew(platform)

    async def run(self) -> None:
        """Read what waits, as there is room for it, until cancelled."""
        while True:
            await self._waits.wait()
            await self.read_due()
            if not self._waiting:
                self._waits.clear()
            await asyncio.sleep(LOOK_EVERY_S)

    async def read_due(self) -> None:
        """Read those that there is room for now, those first that wait for longest."""
        full: set[ArrivalOrigin] = set()
        for message, edited in list(self._waiting.items()):
            origin, for_pet = self._origin(edited)
            if origin not in full and self._limiter.admits_edit(origin, for_pet=for_pet):
                await self._read(message)
            else:
                full.add(origin)

    async def settle(self) -> None:
        """Read everything that waits."""
        for message in list(self._waiting):
            await self._read(message)

    async def _edited(self, edited: Edited) -> None:
        message = (edited.platform, edited.external_id)
        origin, for_pet = self._origin(edited)
        if self._limiter.admits_edit(origin, for_pet=for_pet):
            self._waiting.pop(message, None)
            async with self._in_order:
                await self._inbox.receive(edited)
            return
        self._waiting[message] = edited
        self._waits.set()
        if len(self._waiting) > MOST_WAITING:
            await self._read(next(iter(self._waiting)))

    def _origin(self, edited: Edited) -> tuple[ArrivalOrigin, bool]:
        """Where new words come from, and whether all that is said there is said to the pet."""
        account = edited.author.account if edited.author else AccountId(edited.platform)
        if edited.room is None:
            return ArrivalOrigin(account=account), False
        room = self._register.room(edited.room)
        return ArrivalOrigin(account=account, room=room.id), room.role is RoomRole.PET

    async def _read(self, message: Message) -> None:
        """Read one that waits; where it cannot be stored it waits on."""
        async with self._in_order:
            edited = self._waiting.get(message)
            if edited is None:
                return
            try:
                with Boundary("event.failed", passing=(StorageFailed,), events=1):
                    await self._inbox.receive(edited)
            except StorageFailed as error:
                log.warning("edit.delayed", reason=str(error))
                return
            if self._waiting.get(message) is edited:
                del self._waiting[message]
