"""How long a call holds the processor, and an end to it where that is too long."""

import gc
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


class _TakesTooLong(Exception):
    pass


Measure = Callable[[Callable[[], object], float], float]
"""The processor seconds of a call in the main thread, which is given up at the most."""


def processor_s(call: Callable[[], object], most_s: float) -> float:
    """The same of one call, which nothing disturbs."""
    with undisturbed() as measured:
        return measured(call, most_s)


@contextmanager
def undisturbed() -> Iterator[Measure]:
    """A measure for many calls: what each needs beside itself is made ready once.

    Without the collector, which would walk what all tests before left in this process, and which
    cannot be stopped by an exception.
    """
    was_collecting = gc.isenabled()
    gc.disable()
    before = signal.signal(signal.SIGPROF, _stop)
    try:
        yield _measured
    finally:
        signal.signal(signal.SIGPROF, before)
        if was_collecting:
            gc.enable()


def _measured(call: Callable[[], object], most_s: float) -> float:
    signal.setitimer(signal.ITIMER_PROF, most_s)
    begun = time.process_time()
    try:
        call()
    except _TakesTooLong:
        return most_s
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return time.process_time() - begun


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise _TakesTooLong
