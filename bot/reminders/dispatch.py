"""The dispatch of reminders: one timer for the next that is due, and delivery as of any reply."""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

import structlog

from bot.conversation.delivery import Delivery
from bot.conversation.pauses import Pausing
from bot.texts.reminders import ReminderTexts
from memory.model.conversations import Turn
from memory.model.reminders import DueReminder
from memory.model.rooms import EVERYWHERE, Room, RoomRole, SpaceId
from memory.ports import Clock
from memory.storage.conversations.reminders import Reminders
from observers.schedule import guarded

log = structlog.get_logger()

LATE = timedelta(minutes=1)
"""From then on it is said that a reminder is late."""

RETRY_S = 30
"""Seconds until what is due and could not be handed over is tried again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DispatchRules:
    """Whose words reminders are, and the silence after which they begin a conversation."""

    pet_name: str
    idle: timedelta
    texts: ReminderTexts


class ReminderDispatch:
    """Says each reminder once, in its room, when it is due; asleep until the next one is."""

    def __init__(
        self,
        reminders: Reminders,
        delivery: Delivery,
        pausing: Pausing,
        clock: Clock,
        rules: DispatchRules,
    ) -> None:
        self._reminders = reminders
        self._delivery = delivery
        self._pausing = pausing
        self._clock = clock
        self._rules = rules
        self._next: datetime | None = None

    async def run(self) -> None:
        """Deliver what was due while the pet was away, then each reminder at its moment."""
        while True:
            self._reminders.changed.clear()
            await guarded("reminders", self.deliver_due)()
            await guarded("next reminder", self._look_ahead)()
            await self._wait()

    async def deliver_due(self) -> int:
        """Hand over all that is due, then have it delivered; how many reminders that were."""
        handed: dict[Room, list[Turn]] = {}
        while not self._is_away and (due := await self._reminders.due(self._paused)):
            for one in due:
                turn = await self._hand_over(one)
                if turn is not None:
                    handed.setdefault(one.room, []).append(turn)
        async with asyncio.TaskGroup() as sending:
            for room, turns in handed.items():
                work = guarded("reminder delivery", partial(self._deliver, room, turns))
                sending.create_task(work())
        return sum(map(len, handed.values()))

    def look_at_clock(self) -> None:
        """Notice that the machine slept past a moment: timers do not count that time."""
        if self._next is not None and self._clock.now() >= self._next:
            self._reminders.changed.set()

    async def _hand_over(self, due: DueReminder) -> Turn | None:
        number = due.reminder.id
        if due.room.role is RoomRole.IGNORED:
            await self._reminders.drop(number)
            log.info("reminder.dropped", reminder=number, room=due.room.id)
            return None
        now = self._clock.now()
        late = now - due.reminder.due_at
        words = self._rules.texts.due(due, now, late=late > LATE)
        turn = await self._reminders.hand_over(due, words, self._rules.pet_name, self._rules.idle)
        if turn is not None:
            took = round(late.total_seconds(), 1)
            log.info("reminder.handed_over", reminder=number, room=due.room.id, late_s=took)
        return turn

    async def _deliver(self, room: Room, turns: Sequence[Turn]) -> None:
        for turn in turns:
            if not await self._delivery.deliver(room, turn):
                return  # `resume` sends it and what comes after it, in order

    async def _look_ahead(self) -> None:
        self._next = None if self._is_away else await self._reminders.next_due(self._paused)

    async def _wait(self) -> None:
        """Sleep until the next reminder is due or another one may be next; for ever without any."""
        timeout = None
        if self._next is not None:
            left = (self._next - self._clock.now()).total_seconds()
            timeout = left if left > 0 else RETRY_S
        try:
            async with asyncio.timeout(timeout):
                await self._reminders.changed.wait()
        except TimeoutError:
            return

    @property
    def _is_away(self) -> bool:
        return EVERYWHERE in self._paused

    @property
    def _paused(self) -> Collection[SpaceId]:
        return {one.space for one in self._pausing.current}
