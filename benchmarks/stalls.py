"""Watches an event loop for stalls: a timer that should ring every millisecond, and did not."""

import asyncio
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter, thread_time

TICK_S = 0.001
"""How often the watch should ring; what it rings late is what anything else had to wait, too."""


@dataclass(slots=True)
class Stalls:
    """How late the timer rang, each time, in milliseconds.

    `busy_ms` is how long the processor worked for the loop from one ring to the next: a machine
    that is busy with other things lets a timer ring late, too.
    """

    late_ms: "array[float]" = field(default_factory=lambda: array("d"))
    busy_ms: "array[float]" = field(default_factory=lambda: array("d"))

    @property
    def largest_ms(self) -> float:
        """The longest that the loop did nothing else."""
        return max(self.late_ms, default=0.0)

    @property
    def largest_cpu_ms(self) -> float:
        """The longest that the loop worked on something else."""
        return max(self.busy_ms, default=0.0)


@contextmanager
def watched() -> Iterator[Stalls]:
    """Watch the running loop while the body runs."""
    loop, stalls = asyncio.get_running_loop(), Stalls()
    handle: asyncio.TimerHandle

    def ring(expected: float, worked: float) -> None:
        nonlocal handle
        now, busy = perf_counter(), thread_time()
        stalls.busy_ms.append((busy - worked) * 1000)
        stalls.late_ms.append(max(0.0, now - expected) * 1000)
        handle = loop.call_later(TICK_S, ring, now + TICK_S, busy)

    handle = loop.call_later(TICK_S, ring, perf_counter() + TICK_S, thread_time())
    try:
        yield stalls
    finally:
        handle.cancel()
