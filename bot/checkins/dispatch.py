"""The dispatch of check-ins: looks now and then for what is due; sends it once or not at all."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

import structlog

from bot.conversation.delivery import Delivery
from bot.conversation.pauses import Pausing
from memory.model.checkins import CheckinRoom, NewCheckin, Occasion
from memory.model.rooms import EVERYWHERE, RoomRole, SpaceId
from memory.ports import Clock
from memory.storage.conversations.checkins import Checkins
from memory.tasks import Boundary

log = structlog.get_logger()

EVERY = timedelta(minutes=10)
"""Between two looks: nothing that is asked after is so urgent."""


class CheckinSource(Protocol):
    """Knows what is due to be asked after."""

    async def due(self, place: CheckinRoom, now: datetime) -> Occasion | None:
        """What is to be asked after in a room now; None where nothing is."""
        ...


class CheckinWording(Protocol):
    """Words check-ins."""

    async def words(self, place: CheckinRoom, occasion: Occasion, now: datetime) -> str:
        """What is said, in the language of the room."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckinRules:
    """Whose words check-ins are, who words them, and the silence that begins a conversation."""

    pet_name: str
    idle: timedelta
    wording: CheckinWording
    clock: Clock


class CheckinDispatch:
    """Writes first where people want it; never twice, and never again what was not taken."""

    def __init__(
        self,
        checkins: Checkins,
        source: CheckinSource,
        delivery: Delivery,
        pausing: Pausing,
        rules: CheckinRules,
    ) -> None:
        self._checkins = checkins
        self._source = source
        self._delivery = delivery
        self._pausing = pausing
        self._rules = rules

    async def begin(self) -> None:
        """Give up what a crash cut short, before replies are sent again."""
        if given_up := await self._checkins.abandon():
            log.warning("checkins.given_up", count=given_up)

    async def look(self) -> int:
        """Send what is due, one check-in a room at most; how many were sent."""
        sent = 0
        for place in await self._checkins.rooms():
            with Boundary("checkin.failed", room=place.room.id):
                if self._is_there(place) and await self._check_in(place):
                    sent += 1
        return sent

    async def _check_in(self, place: CheckinRoom) -> bool:
        now = self._rules.clock.now()
        occasion = await self._source.due(place, now)
        if occasion is None:
            return False
        new = NewCheckin(
            place=place,
            occasion=occasion,
            words=await self._rules.wording.words(place, occasion, now),
            pet_name=self._rules.pet_name,
            idle=self._rules.idle,
        )
        turn = await self._checkins.hand_over(new)
        if turn is None:
            return False
        log.info("checkin.handed_over", room=place.room.id, rule=occasion.rule)
        taken = await self._delivery.deliver(place.room, turn, attempts=1)
        await self._checkins.settle(turn.id, taken=taken)
        log.info("checkin.settled", room=place.room.id, taken=taken)
        return taken

    def _is_there(self, place: CheckinRoom) -> bool:
        return place.room.role is not RoomRole.IGNORED and not (
            {EVERYWHERE, place.room.space} & set(self._paused)
        )

    @property
    def _paused(self) -> Collection[SpaceId]:
        return {one.space for one in self._pausing.current}
