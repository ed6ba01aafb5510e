"""What is dear to read and may be a minute old, kept for the process of one site."""

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Annotated, Any, TypeVar, cast

from fastapi import Depends, Request

from memory.ports import Clock

T = TypeVar("T")

FRESH_FOR = timedelta(minutes=1)
"""How old an answer may be: a page that is opened again and again costs one reading a minute."""


class RecentAnswers:
    """Answers by name, each read again once it is older than `FRESH_FOR`."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._kept: dict[str, tuple[datetime, Any]] = {}

    def known(self, name: str) -> Any:
        """An answer that is fresh; None where there is none."""
        at, answer = self._kept.get(name, (None, None))
        return answer if at is not None and self._clock.now() - at < FRESH_FOR else None

    async def of(self, name: str, read: Callable[[], Awaitable[T]]) -> T:
        """An answer that is fresh, read now if need be."""
        known = self.known(name)
        if known is None:
            known = await read()
            self._kept[name] = (self._clock.now(), known)
        return cast("T", known)


def _recent_of(request: Request) -> RecentAnswers:
    state = request.app.state
    if not hasattr(state, "recent_answers"):
        state.recent_answers = RecentAnswers(state.parts.app.clock)
    return cast("RecentAnswers", state.recent_answers)


Recent = Annotated[RecentAnswers, Depends(_recent_of)]
"""The answers of the last minute; only for what every reader of the page may see alike."""
