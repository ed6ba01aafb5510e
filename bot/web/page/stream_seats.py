"""How many streams visitors may hold open: when there are too many, the oldest one ends."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import structlog

from bot.model.events import AuthorRef
from bot.surfaces.access.clients import AddressRange, client_of, is_shared

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamLimits:
    """The most streams of one visitor, of one client of the network, and of all together.

    A browser has one for all its tabs. `proxies` and this machine are no clients, as many people
    come by their addresses: there each visitor counts for themselves.
    """

    visitor: int = 6
    client: int = 32
    total: int = 256
    proxies: tuple[AddressRange, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class _Seat:
    visitor: str
    client: str
    end: Callable[[], None]


@dataclass(slots=True)
class StreamSeats:
    """The open streams, the oldest first."""

    limits: StreamLimits
    _open: dict[_Seat, None] = field(default_factory=dict)

    @contextmanager
    def taken(self, visitor: AuthorRef, address: str, end: Callable[[], None]) -> Iterator[None]:
        """Count a stream until the body ends; `end` is called when it has to give way."""
        shared = is_shared(address, self.limits.proxies)
        client = visitor.account if shared else client_of(address)
        seat = _Seat(visitor.account, client, end)
        self._open[seat] = None
        self._make_room(seat)
        try:
            yield
        finally:
            self._open.pop(seat, None)

    def _make_room(self, newcomer: _Seat) -> None:
        """End the oldest stream of the greediest, within each limit that is passed."""
        of_visitor = [one for one in self._open if one.visitor == newcomer.visitor]
        of_client = [one for one in self._open if one.client == newcomer.client]
        if len(of_visitor) > self.limits.visitor:
            self._end(of_visitor[0], "visitor")
        elif newcomer.client != newcomer.visitor and len(of_client) > self.limits.client:
            self._end(_oldest_of_greediest(of_client), "client")
        elif len(self._open) > self.limits.total:
            greediest = _greediest(one.client for one in self._open)
            of_client = [one for one in self._open if one.client == greediest]
            self._end(_oldest_of_greediest(of_client), "total")

    def _end(self, seat: _Seat, limit: str) -> None:
        log.info("streams.limited", limit=limit)
        del self._open[seat]
        seat.end()


def _oldest_of_greediest(seats: Collection[_Seat]) -> _Seat:
    visitor = _greediest(one.visitor for one in seats)
    return next(one for one in seats if one.visitor == visitor)


def _greediest(names: Iterator[str]) -> str:
    """The name that comes most often; of several the one that came first."""
    return Counter(names).most_common(1)[0][0]
