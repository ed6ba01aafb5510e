"""Waiting for what no process tells of: it is looked at again and again."""

import asyncio
from collections.abc import Callable
from time import perf_counter

LOOK_EVERY_S = 0.1


async def comes(held: Callable[[], bool], within_s: float) -> bool:
    """Whether something holds before the time is over."""
    until = perf_counter() + within_s
    while not held():
        if perf_counter() > until:
            return False
        await asyncio.sleep(LOOK_EVERY_S)
    return True
