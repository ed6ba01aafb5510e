"""What is dear to read and may be a minute old."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, TypeVar, cast

from memory.ports import Clock

T = TypeVar("T")

FRESH_FOR = timedelta(minutes=1)
"""How old an answer may be. Figures over whole tables take a reader half a second with a million
messages, and pages ask for them at each visit: so they cost one reading a minute."""


@dataclass
class _Kept:
    answer: Any = None
    at: datetime | None = None
    reading: asyncio.Lock = field(default_factory=asyncio.Lock)


class RecentAnswers:
    """Answers by name, each read again once it is older than `FRESH_FOR`; one reader at a time."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._kept: dict[Hashable, _Kept] = {}

    def known(self, name: Hashable) -> Any:
        """An answer that is fresh; None where there is none."""
        kept = self._kept.get(name)
        return None if kept is None or not self._is_fresh(kept) else kept.answer

    async def of(self, name: Hashable, read: Callable[[], Awaitable[T]]) -> T:
        """An answer that is fresh, read now if need be."""
        self._drop_stale(name)
        kept = self._kept.setdefault(name, _Kept())
        async with kept.reading:
            if not self._is_fresh(kept):
                kept.answer, kept.at = await read(), self._clock.now()
        return cast("T", kept.answer)

    def _is_fresh(self, kept: _Kept) -> bool:
        return kept.at is not None and abs(self._clock.now() - kept.at) < FRESH_FOR

    def _drop_stale(self, wanted: Hashable) -> None:
        """Let go of what is not asked for any more, so that no answer is held for good."""
        for name, kept in list(self._kept.items()):
            if name != wanted and not kept.reading.locked() and not self._is_fresh(kept):
                del self._kept[name]
