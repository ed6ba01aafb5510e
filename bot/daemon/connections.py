"""Which connections to the page may be open at once: those that wait longest make room."""

import resource
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import structlog

from bot.surfaces.access.clients import AddressRange, client_of, is_shared
from bot.web import webhooks

log = structlog.get_logger()

FAVOURED = (
    webhooks.PREFIX,
    "/healthz",
    "/readyz",
    "/metrics",
    "/api/",
    "/admin/",
    "/mcp",
    "/dashboard",
    "/login",
)
"""How the addresses begin that services, monitors and the owner ask for. A stranger who asks for
one is answered at once, and holds nothing by it."""

_RESERVED_SHARE = 8
"""One in so many connections is in the reserve."""

HEARD_AFTER = 4
"""Turns of the loop from a new connection until what its peer has sent already was read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionLimits:
    """How many connections may be open, and how long a peer may take, in seconds.

    `headers_s` is for all headers of a request, `body_s` for all of its body, `idle_s` between two
    requests, `unread_s` for a peer that takes nothing of what it is sent. `proxies` and this
    machine count as many addresses: many people come through one, and one here may be unnamed.
    `webhook_bytes` is the most that a service hands to a channel at once, `history_bytes` a file
    that the dashboard takes (a larger one is put into its folder). `reserve` of `total` are for
    requests to FAVOURED addresses alone.
    """

    total: int = 512
    per_address: int = 128
    headers_s: float = 10.0
    body_s: float = 30.0
    idle_s: float = 15.0
    unread_s: float = 30.0
    body_bytes: int = 1 << 20
    webhook_bytes: int = 4 << 20
    history_bytes: int = 16 << 20
    proxies: tuple[AddressRange, ...] = ()

    @property
    def reserve(self) -> int:
        """How many visitors cannot have, so that webhooks, monitors and the owner get through."""
        return self.total // _RESERVED_SHARE


class PeerConnection(Protocol):
    """A connection that can be ended at once."""

    def abort(self) -> None:
        """End it without waiting for anything."""
        ...


class OpenConnections:
    """All connections of a server, by address, and those of them whose peers owe it something.

    When there are too many, the one that waited longest is ended: of the same address, or of the
    address with the most. Where each is being answered the newcomer is ended instead. A newcomer
    is counted at once and judged some turns of the loop later, when what it sent was read: in a
    flood of connections one with a request would otherwise be ended before it was heard.

    The reserve is given by what a request asks for, once its head was read. A peer that waits may
    stand in it and is the first to go, so idle connections and visitors cannot take it.

    `soon` calls a function in the next turn of the loop.
    """

    def __init__(
        self, limits: ConnectionLimits, soon: Callable[[Callable[[], None]], object]
    ) -> None:
        self.limits = limits
        self._soon = soon
        self._addresses: dict[PeerConnection, str] = {}
        self._open: Counter[str] = Counter()
        self._waiting: dict[str, dict[PeerConnection, None]] = {}
        self._unfavoured: set[PeerConnection] = set()

    def __len__(self) -> int:
        return len(self._addresses)

    def opened(self, connection: PeerConnection, address: str) -> None:
        """Count a new connection; there may be too many until it has had its turns."""
        group = client_of(address)
        self._addresses[connection] = group
        self._open[group] += 1
        self._grow_old(connection, address, HEARD_AFTER)

    def waits(self, connection: PeerConnection) -> None:
        """The peer owes the rest of a request, or the next one."""
        group = self._addresses.get(connection)
        if group is not None:
            self._unfavoured.discard(connection)
            self._waiting.setdefault(group, {}).setdefault(connection)

    def works(self, connection: PeerConnection, path: str = "") -> None:
        """A whole request for a path came, and is being answered; or it is one too many."""
        group = self._addresses.get(connection)
        if group is None:
            return
        self._stop_waiting(connection, group)
        if path.startswith(FAVOURED):
            return
        self._unfavoured.add(connection)
        if len(self._unfavoured) > self.limits.total - self.limits.reserve:
            self._end(connection, "reserve", is_newcomer=True)

    def closed(self, connection: PeerConnection) -> None:
        """Count a connection no more; one that is not known is no harm."""
        group = self._addresses.pop(connection, None)
        if group is None:
            return
        self._stop_waiting(connection, group)
        self._unfavoured.discard(connection)
        self._open[group] -= 1
        if not self._open[group]:
            del self._open[group]

    def _grow_old(self, connection: PeerConnection, address: str, turns: int) -> None:
        if turns:
            self._soon(partial(self._grow_old, connection, address, turns - 1))
            return
        group = self._addresses.get(connection)
        if group is None:
            return
        if (
            not is_shared(address, self.limits.proxies)
            and self._open[group] > self.limits.per_address
        ):
            self._end_one(group, connection, "address")
        elif len(self) > self.limits.total:
            self._end_one(self._busiest(group), connection, "total")

    def _end_one(self, group: str, newcomer: PeerConnection, limit: str) -> None:
        ended = next(iter(self._waiting.get(group, ())), newcomer)
        self._end(ended, limit, is_newcomer=ended is newcomer)

    def _end(self, connection: PeerConnection, limit: str, *, is_newcomer: bool) -> None:
        log.warning("connections.limited", limit=limit, refused=is_newcomer)
        self.closed(connection)
        connection.abort()

    def _busiest(self, group: str) -> str:
        """The address with the most connections among those that wait; else the newcomer's."""
        return max(self._candidates(group), key=lambda one: self._open[one])

    def _candidates(self, group: str) -> Iterator[str]:
        yield from self._waiting
        yield group

    def _stop_waiting(self, connection: PeerConnection, group: str) -> None:
        waiting = self._waiting.get(group)
        if waiting is not None:
            waiting.pop(connection, None)
            if not waiting:
                del self._waiting[group]


RESERVED = 256
"""Descriptors that the page leaves: the database, the vector store, platforms, the control socket
and connections that were accepted and are still to be counted."""


def raise_descriptor_limit() -> int:
    """Raise the limit to what the system allows this process; returns what it is then."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        with suppress(OSError, ValueError):  # macOS names a hard limit that it does not allow
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def room_for_connections(wanted: int, descriptors: int) -> int:
    """How many connections the page may have open of so many descriptors."""
    if descriptors == resource.RLIM_INFINITY:
        return wanted
    return max(min(wanted, descriptors - RESERVED), 1)
