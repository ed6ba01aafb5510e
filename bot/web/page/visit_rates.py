"""How fast visitors may do what costs a row or a word to others: names, codes, keys pressed."""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from math import ceil

import structlog

from bot.conversation.arrival_rates import Bucket, Buckets, Rate
from bot.errors import BotError
from bot.surfaces.access.clients import AddressRange, client_of, is_shared
from memory.ports import Clock

log = structlog.get_logger()


class TooOften(BotError):
    """A visitor does something faster than it is done for them; `retry_after_s` says how long."""

    def __init__(self, retry_after_s: int) -> None:
        super().__init__(f"That is too much at once: try again in {retry_after_s} seconds.")
        self.retry_after_s = retry_after_s


class Doing(StrEnum):
    """What visitors do that is counted."""

    NAME = "name"
    """Choose a name, which may make an account."""
    CODE = "code"
    """Ask for a recovery code, or enter one."""
    TYPING = "typing"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rates:
    """For one visitor, for one client of the network, and for an address that many share."""

    visitor: Rate
    client: Rate
    shared: Rate


_RATES = {
    Doing.NAME: _Rates(
        visitor=Rate(burst=10, per_minute=2),
        client=Rate(burst=20, per_minute=4),
        shared=Rate(burst=60, per_minute=60),
    ),
    Doing.CODE: _Rates(
        visitor=Rate(burst=5, per_minute=1),
        client=Rate(burst=20, per_minute=4),
        shared=Rate(burst=60, per_minute=60),
    ),
    Doing.TYPING: _Rates(
        visitor=Rate(burst=10, per_minute=120),
        client=Rate(burst=60, per_minute=600),
        shared=Rate(burst=600, per_minute=6000),
    ),
}
"""Browsers tell of typing once a second; a class of thirty chooses names within minutes."""


class VisitRates:
    """Counts what visitors do, by their account and by where they come from."""

    def __init__(self, proxies: Collection[AddressRange], clock: Clock) -> None:
        self._proxies = proxies
        self._clock = clock
        self._buckets = Buckets()

    def count(self, doing: Doing, visitor: str | None, address: str) -> None:
        """Count something that is done now by a visitor, None for a browser without an account.

        Raises:
            TooOften: by one of the limits it is too much; it is counted by none.

        """
        buckets = self._of(doing, visitor, address)
        wait_s = max(bucket.wait_s(rate) for bucket, rate in buckets)
        if wait_s > 0:
            log.info("visits.limited", doing=doing.value)
            raise TooOften(ceil(wait_s))
        for bucket, _ in buckets:
            bucket.left -= 1

    def _of(self, doing: Doing, visitor: str | None, address: str) -> list[tuple[Bucket, Rate]]:
        rates, now = _RATES[doing], self._clock.now()
        rate = rates.shared if is_shared(address, self._proxies) else rates.client
        limits = [((f"{doing} client", client_of(address)), rate)]
        if visitor is not None:
            limits.append(((f"{doing} visitor", visitor), rates.visitor))
        return [(self._buckets.of(key, rate, now), rate) for key, rate in limits]
