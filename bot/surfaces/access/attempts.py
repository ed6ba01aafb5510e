"""Failed attempts at getting in: counted for each address, in memory, so that guessing is slow."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from bot.errors import BotError
from bot.surfaces.access.clients import client_of
from memory.ports import Clock

MOST_FAILURES = 10
"""Different wrong tokens of one address within `WINDOW`: more than a person pastes by mistake."""

WINDOW = timedelta(minutes=5)
"""How long a failed attempt counts."""

MOST_ADDRESSES = 4096
"""Addresses that are remembered: the one that failed longest ago goes first."""


class TooManyAttempts(BotError):
    """Too many wrong tokens came from one address; a right one is still taken.

    `retry_after_s` says when the next wrong one is answered.
    """

    def __init__(self, retry_after_s: int) -> None:
        super().__init__(f"Too many attempts failed; try again in {retry_after_s} seconds.")
        self.retry_after_s = retry_after_s


class FailedAttempts:
    """What failed lately; the same wrong token again is no further guess."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._failed: dict[str, dict[str, datetime]] = {}

    def failed(self, address: str, hashed: str) -> None:
        """Count a wrong token, by its hash. A right one is never asked about here.

        Raises:
            TooManyAttempts: the address has failed too often; this one is not counted any more.

        """
        peer, now = client_of(address), self._clock.now()
        tried = self._failed.pop(peer, {})
        tried = {token: at for token, at in tried.items() if now - at < WINDOW}
        self._failed[peer] = tried  # behind all others: it failed last
        if len(tried) >= MOST_FAILURES:
            raise TooManyAttempts(_wait_s(tried, now))
        tried.setdefault(hashed, now)
        while len(self._failed) > MOST_ADDRESSES:
            del self._failed[next(iter(self._failed))]


def _wait_s(tried: Mapping[str, datetime], now: datetime) -> int:
    return max(1, round((min(tried.values()) + WINDOW - now).total_seconds()))
