"""Watches the clock of the machine, and sets right what was dated by a wrong one.

The time that the pet goes by is never turned back while nothing is known of why. A clock that is
turned back by up to two days is believed, and so is one that takes back a jump ahead: what was
dated in between is dated anew. Any other is behind all that was ever seen, as after a battery ran
out: the time goes on from what was seen last until the machine has caught up, or it is trusted.
"""

from datetime import datetime

import structlog

from memory.model.clock import DOUBTFUL, TOLERANCE, ClockJump
from memory.ports import MachineClock
from memory.storage.sqlite.timeline import Timeline

log = structlog.get_logger()


class ClockWatch:
    """Looks at the clock at start, and now and then."""

    def __init__(self, timeline: Timeline, clock: MachineClock) -> None:
        self._timeline = timeline
        self._clock = clock
        self._is_told = False

    async def begin(self) -> None:
        """Compare the clock with when the pet was last seen, before anything is dated by it."""
        now, seen = self._clock.now(), await self._timeline.last_seen()
        jumps = []
        if seen is not None and now - seen > DOUBTFUL:
            jumps.append(ClockJump(before=seen, after=now))
            log.warning("clock.jumped", days=(now - seen).days)
        if seen is not None and seen - now > TOLERANCE:
            self._clock.hold(seen)
            await self.settle()
        await self._timeline.see(self._clock.now(), jumps)

    async def look(self) -> None:
        """Note jumps ahead, settle what was turned back, keep that the pet runs."""
        now = self._clock.now()
        jumps = self._clock.take_jumps()
        for jump in jumps:
            log.warning("clock.jumped", days=(jump.after - jump.before).days)
        await self._timeline.see(now, jumps)
        await self.settle()

    async def settle(self, *, trusting: bool = False) -> int:
        """Follow a clock that was turned back, if it can be believed; how many moments that set.

        `trusting` believes it whatever was seen before.
        """
        now, behind = self._clock.now(), self._clock.behind
        if not behind:
            return 0
        machine = now - behind
        if not (trusting or behind <= DOUBTFUL or await self._takes_back(machine)):
            self._tell(behind.days)
            return 0
        self._clock.trust()
        set_right = await self._timeline.set_right(machine, behind)
        log.warning("clock.turned_back", seconds=int(behind.total_seconds()), moments=set_right)
        return set_right

    async def _takes_back(self, machine: datetime) -> bool:
        """Whether the machine is back in the time that a jump ahead left out."""
        jumps = await self._timeline.jumps()
        return any(one.before - TOLERANCE <= machine < one.after for one in jumps)

    def _tell(self, days: int) -> None:
        if not self._is_told:
            log.error("clock.disbelieved", behind_days=days)
        self._is_told = True
