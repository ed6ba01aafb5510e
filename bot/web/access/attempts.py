"""Failed attempts at getting in: counted for each address, in memory, so that guessing is slow."""

from datetime import datetime, timedelta
from ipaddress import IPv6Address, ip_address, ip_network

from bot.errors import BotError
from memory.ports import Clock

MOST_FAILURES = 10
"""Different wrong tokens of one address within `WINDOW`: more than a person pastes by mistake."""

WINDOW = timedelta(minutes=5)
"""How long a failed attempt counts."""

MOST_ADDRESSES = 4096
"""Addresses that are remembered: the one that failed longest ago goes first."""

_OF_ONE_PEER = 64
"""The bits of an IPv6 address that stand for one household (RFC 6177)."""


class TooManyAttempts(BotError):
    """Too many wrong tokens came from one address; `retry_after_s` says when to come back."""

    def __init__(self, retry_after_s: int) -> None:
        super().__init__(f"Too many attempts failed; try again in {retry_after_s} seconds.")
        self.retry_after_s = retry_after_s


class FailedAttempts:
    """What failed lately; the same wrong token again is no further guess."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._failed: dict[str, dict[str, datetime]] = {}

    def check(self, address: str) -> None:
        """Let an address try.

        Raises:
            TooManyAttempts: it has failed too often; what it brings is not looked at.

        """
        peer, now = _peer(address), self._clock.now()
        recent = [at for at in self._failed.get(peer, {}).values() if now - at < WINDOW]
        if len(recent) >= MOST_FAILURES:
            raise TooManyAttempts(max(1, round((min(recent) + WINDOW - now).total_seconds())))

    def failed(self, address: str, hashed: str) -> None:
        """Count a wrong token, by its hash."""
        peer, now = _peer(address), self._clock.now()
        tried = self._failed.pop(peer, {})
        tried = {token: at for token, at in tried.items() if now - at < WINDOW}
        tried.setdefault(hashed, now)
        self._failed[peer] = tried  # behind all others: it failed last
        while len(self._failed) > MOST_ADDRESSES:
            del self._failed[next(iter(self._failed))]


def _peer(address: str) -> str:
    """Who an address belongs to: one has a whole network of them in IPv6."""
    try:
        known = ip_address(address)
    except ValueError:
        return address
    if not isinstance(known, IPv6Address):
        return str(known)
    if known.ipv4_mapped is not None:
        return str(known.ipv4_mapped)
    return str(ip_network((int(known), _OF_ONE_PEER), strict=False))
