"""Work with an end: a background task that ends with its owner, and work with a time limit."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Coroutine, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from time import perf_counter
from types import TracebackType
from typing import Any, Self, TypeVar

import structlog

log = structlog.get_logger()

T = TypeVar("T")

HOLD_S = 0.003
"""How long work on many items may hold the event loop: who waits for the loop notices no more."""

AGAIN_S = 1.0
"""After which work that did not end is cancelled again: some libraries take a cancellation that
comes together with one of their own for theirs, and go on."""


@asynccontextmanager
async def background_task(
    work: Coroutine[Any, Any, None], *, name: str
) -> AsyncIterator[asyncio.Task[None]]:
    """Run `work` beside the body and cancel it when the body ends.

    Raises:
        Exception: whatever `work` died of, when it did not end by that cancellation.

    """
    task = asyncio.create_task(work, name=name)
    try:
        yield task
    finally:
        await _ended(task)


class Boundary:
    """A context whose body may fail without ending what stands around it.

    What the body raises is logged with its traceback as one event with these fields, and `failed`
    says so afterwards. Exceptions of the kinds in `passing` go through, as do cancellation and all
    else that is no `Exception`. For the few places where one message, command or job that fails
    must not stop the others.
    """

    def __init__(
        self, event: str, *, passing: tuple[type[Exception], ...] = (), **fields: object
    ) -> None:
        self._event = event
        self._passing = passing
        self._fields = fields
        self.failed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        error: BaseException | None,
        _trace: TracebackType | None,
    ) -> bool:
        self.failed = isinstance(error, Exception) and not isinstance(error, self._passing)
        if self.failed:
            log.error(self._event, exc_info=error, **self._fields)
        return self.failed


async def paced(items: Iterable[T]) -> AsyncIterator[T]:
    """The items one after another; others have their turn once these held the loop for a while."""
    since = perf_counter()
    for item in items:
        yield item
        if perf_counter() - since > HOLD_S:
            await asyncio.sleep(0)
            since = perf_counter()


async def within(limit_s: float, work: Awaitable[object]) -> bool:
    """Do work for at most so many seconds; whether it was done by then."""
    try:
        async with asyncio.timeout(limit_s):
            await work
    except TimeoutError:
        return False
    return True


async def _ended(task: asyncio.Task[None]) -> None:
    while not task.done():
        task.cancel()
        await asyncio.wait({task}, timeout=AGAIN_S)
    if not task.cancelled() and (error := task.exception()) is not None:
        raise error


class InFlight:
    """Counts what is under way."""

    def __init__(self) -> None:
        self._count = 0
        self._none = asyncio.Event()
        self._none.set()

    @contextmanager
    def one(self) -> Iterator[None]:
        """One thing more, for as long as the body takes."""
        self._count += 1
        self._none.clear()
        try:
            yield
        finally:
            self._count -= 1
            if not self._count:
                self._none.set()

    async def quiet(self) -> None:
        """Wait until nothing is under way."""
        await self._none.wait()
