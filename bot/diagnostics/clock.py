"""Looks at the clock: whether the machine's is behind what was seen, or jumped ahead by days."""

from datetime import timedelta

from bot.diagnostics.findings import Finding, PartState
from memory.ports import MachineClock
from memory.storage.timeline import Timeline

_PART = "clock"

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
            values = {"behind": str(behind).partition(".")[0], "seen": f"{now:%Y-%m-%dT%H:%M}"}
            return Finding(
                part=_PART,
                state=PartState.FAIL,
                said="clock_behind",
                todo="trust_clock",
                values=values,
            )
        latest = (await self._timeline.jumps())[-1:]
        values = {"now": f"{now:%Y-%m-%dT%H:%M}"}
        if latest and abs(now - latest[0].after) < _LATELY:
            values["before"] = f"{latest[0].before:%Y-%m-%dT%H:%M}"
            return Finding(
                part=_PART,
                state=PartState.NOTE,
                said="clock_jumped",
                todo="check_clock",
                values=values,
            )
        return Finding(part=_PART, state=PartState.OK, said="clock", values=values)
