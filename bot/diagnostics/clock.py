"""Looks at the clock: whether the machine's is behind what was seen, or jumped ahead by days."""

from datetime import timedelta

from bot.diagnostics.findings import Finding, fail, note, ok
from memory.ports import MachineClock
from memory.storage.sqlite.timeline import Timeline

_LATELY = timedelta(days=1)


class ClockCheck:
    """Looks at the clock of one pet."""

    def __init__(self, clock: MachineClock, timeline: Timeline) -> None:
        self._clock = clock
        self._timeline = timeline

    async def look(self) -> Finding:
        """How the clock is now."""
        now, behind = self._clock.now(), self._clock.behind
        if behind:
            late, seen = str(behind).partition(".")[0], f"{now:%Y-%m-%dT%H:%M}"
            return fail("clock", "clock_behind", "trust_clock", behind=late, seen=seen)
        latest = (await self._timeline.jumps())[-1:]
        if latest and abs(now - latest[0].after) < _LATELY:
            before = f"{latest[0].before:%Y-%m-%dT%H:%M}"
            return note("clock", "clock_jumped", "check_clock", before=before)
        return ok("clock", "clock", now=f"{now:%Y-%m-%dT%H:%M}")
