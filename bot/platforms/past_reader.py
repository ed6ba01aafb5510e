"""What rooms said before the pet came: told to each room, and read an hour later."""

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import structlog

from bot.conversation.inbox import AT_ONCE, Inbox
from bot.conversation.rooms import RoomRegistry
from bot.conversation.wording import kept_text
from bot.errors import DeliveryFailed, DeliveryRefused, PastUnavailable, RoomAway, RoomUnreadable
from bot.model.events import Inbound
from bot.model.turns import Outgoing
from bot.ports import Platform
from bot.texts.catalogue import say
from memory.model.audience import Audience, Origin, audience_of
from memory.model.histories import Brought, BroughtHistory, HistoryCounts, HistoryFile, ImportId
from memory.model.past_readings import ReadBackState, RoomReadBack
from memory.model.rooms import Room, RoomRole
from memory.ports import Clock
from memory.storage.conversations.past_readings import PastReadings
from memory.storage.transfer.histories import Histories
from memory.tasks import Boundary, within

log = structlog.get_logger()

FORMAT = "read back"
"""What imports of this kind are called among those of files."""

ROOM_LIMIT_S = 300
"""Seconds for what a platform lists of one room."""

LOOK_EVERY_S = 30
"""Seconds between two looks while a room waits: timers do not count while the machine sleeps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PastIntake:
    """Where lines go: by the inbox, as an import, one at a time; `learn` reads them for facts."""

    inbox: Inbox
    register: RoomRegistry
    histories: Histories
    one_at_a_time: asyncio.Lock
    learn: Callable[[], None]


class PastReader:
    """Tells rooms that they are to be read back, and reads them once people could object.

    Nothing is asked of a platform before: who opts out within the hour is not read, and neither is
    what is deleted in it.
    """

    def __init__(
        self,
        readings: PastReadings,
        platforms: Sequence[Platform],
        intake: PastIntake,
        clock: Clock,
    ) -> None:
        self._readings = readings
        self._platforms = {one.platform: one for one in platforms}
        self._intake = intake
        self._clock = clock
        self._going = asyncio.Lock()

    async def run(self) -> None:
        """Tell and read whatever is to be, until cancelled."""
        while True:
            self._readings.changed.clear()
            waits = True
            with Boundary("past.failed"):
                waits = await self.go_on()
            if waits:
                await within(LOOK_EVERY_S, self._readings.changed.wait())
            else:
                await self._readings.changed.wait()

    async def go_on(self) -> bool:
        """Do what is due now; whether some rooms wait still."""
        async with self._going:
            for one in await self._readings.latest():
                if one.is_open:
                    with Boundary("past.failed", room=one.room):
                        await self._go_on(one)
            return any(one.is_open for one in await self._readings.latest())

    async def _go_on(self, one: RoomReadBack) -> None:
        platform = self._platforms.get(one.room.partition(":")[0])
        room = await self._intake.register.room_again(one.room)
        if platform is None or room is None or not platform.is_connected:
            return  # it is away, or paused: later
        if not may_be_read(room):
            await self._readings.ended(one.id, ReadBackState.STOPPED)
        elif one.due_at is None:
            await self._tell(one, room, platform)
        elif self._clock.now() >= one.due_at:
            await self._read_safely(one, room, platform)

    async def _tell(self, one: RoomReadBack, room: Room, platform: Platform) -> None:
        sign = platform.catch_up.command_sign
        text = say("past.told", one.locale, count=one.days, sign=sign)
        try:
            await platform.send(Outgoing(room=room, text=text, nonce=f"past:{one.id}"))
            await self._readings.told(one.id)
        except DeliveryRefused as error:
            log.warning("past.refused", room=room.id, reason=str(error))
            await self._readings.ended(one.id, ReadBackState.FAILED)
        except DeliveryFailed as error:
            log.info("past.postponed", room=room.id, reason=str(error))

    async def _read_safely(self, one: RoomReadBack, room: Room, platform: Platform) -> None:
        try:
            async with asyncio.timeout(ROOM_LIMIT_S):
                said = await self._said(one, room, platform)
        except RoomAway as error:
            log.info("past.postponed", room=room.id, reason=str(error))
        except RoomUnreadable as error:
            log.warning("past.refused", room=room.id, reason=str(error))
            await self._readings.ended(one.id, ReadBackState.FAILED)
        except (PastUnavailable, TimeoutError) as error:
            log.info("past.postponed", room=room.id, reason=str(error) or "it took too long")
        else:
            async with self._intake.one_at_a_time:
                await self._take_in(one, room, said)

    async def _said(self, one: RoomReadBack, room: Room, platform: Platform) -> Sequence[Inbound]:
        start = one.asked_at - timedelta(days=min(one.days, platform.catch_up.asked_days))
        limit = platform.catch_up.asked_messages
        return (await platform.past.said(room.external_id, start, one.asked_at, limit)).messages

    async def _take_in(self, one: RoomReadBack, room: Room, said: Sequence[Inbound]) -> None:
        """Take the lines in; those that were heard, or taken in before a crash, are known."""
        origin = Origin(visibility=room.visibility, room=room.id, space=room.space)
        audience, histories = audience_of(origin), self._intake.histories
        begun = await histories.begin(_file(one, room, audience))
        await self._readings.kept_as(one.id, begun.id)
        lines = _brought(said, begun.id, audience)
        counts = HistoryCounts()
        for first in range(0, len(lines), AT_ONCE):
            now = await self._readings.of(room.id)
            if now is None or now.id != one.id or not now.is_open:
                log.info("past.stopped", room=room.id)
                break
            some = lines[first : first + AT_ONCE]
            became = await self._intake.inbox.receive_all(some, recorded=True)
            counts += became.among(len(some))
            await histories.went_on(begun.id, first + len(some), _with_earlier(counts, begun))
        await self._finish(one, begun, counts)

    async def _finish(
        self, one: RoomReadBack, begun: BroughtHistory, counts: HistoryCounts
    ) -> None:
        await self._intake.histories.finish(begun.id)
        await self._readings.ended(one.id, ReadBackState.READ)
        self._intake.learn()
        log.info("past.read", room=one.room, stored=counts.stored, left_out=counts.left_out)


def may_be_read(room: Room) -> bool:
    """Whether a room's past may be read: it is read along with, and not confidential."""
    return room.role is RoomRole.LOBBY and not room.confidential


def _file(one: RoomReadBack, room: Room, audience: Audience) -> HistoryFile:
    return HistoryFile(
        file=f"{room.name}, {one.days}",
        fingerprint=f"past:{one.id}",
        format=FORMAT,
        room=room.id,
        audience=audience,
    )


def _with_earlier(counts: HistoryCounts, begun: BroughtHistory) -> HistoryCounts:
    """These counts with what was stored before a crash: those lines were known this time."""
    known = max(0, counts.known - begun.stored)
    return replace(counts, stored=counts.stored + begun.stored, known=known)


def _brought(said: Sequence[Inbound], by: ImportId, audience: Audience) -> list[Inbound]:
    """The lines as those of an import, each with how many like it came before in its minute."""
    before = Counter[tuple[str, datetime, str]]()
    lines = []
    for one in said:
        like = (one.author.account, one.sent_at.replace(second=0, microsecond=0), kept_text(one))
        brought = Brought(by=by, audience=audience, ordinal=before[like])
        before[like] += 1
        lines.append(replace(one, brought=brought))
    return lines
