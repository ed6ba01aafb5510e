"""Which connections to the page may be open at once: those that wait longest make room."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Protocol

import structlog

log = structlog.get_logger()

_SITE_BITS = 64
"""Leading bits of an IPv6 address that stand for one customer (RFC 6177)."""

HEARD_AFTER = 4
"""Turns of the loop from a new connection until what its peer has sent already was read."""

AddressRange = IPv4Network | IPv6Network


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionLimits:
    """How many connections may be open, and how long a peer may take, in seconds.

    `headers_s` is for all headers of a request, `body_s` for all of its body, `idle_s` between two
    requests, `unread_s` for a peer that takes nothing of what it is sent. `proxies` and this
    machine count as many addresses: many people come through one, and one here may be unnamed.
    `webhook_bytes` is the most that a service hands to a channel at once.
    """

    total: int = 512
    per_address: int = 128
    headers_s: float = 10.0
    body_s: float = 30.0
    idle_s: float = 15.0
    unread_s: float = 30.0
    body_bytes: int = 1 << 20
    webhook_bytes: int = 4 << 20
    proxies: tuple[AddressRange, ...] = ()


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

    def __len__(self) -> int:
        return len(self._addresses)

    def opened(self, connection: PeerConnection, address: str) -> None:
        """Count a new connection; there may be too many until it has had its turns."""
        group = self._group(address)
        self._addresses[connection] = group
        self._open[group] += 1
        self._grow_old(connection, address, HEARD_AFTER)

    def waits(self, connection: PeerConnection) -> None:
        """The peer owes the rest of a request, or the next one."""
        group = self._addresses.get(connection)
        if group is not None:
            self._waiting.setdefault(group, {}).setdefault(connection)

    def works(self, connection: PeerConnection) -> None:
        """A whole request came, and is being answered."""
        group = self._addresses.get(connection)
        if group is not None:
            self._stop_waiting(connection, group)

    def closed(self, connection: PeerConnection) -> None:
        """Count a connection no more; one that is not known is no harm."""
        group = self._addresses.pop(connection, None)
        if group is None:
            return
        self._stop_waiting(connection, group)
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
        if not self._is_shared(address) and self._open[group] > self.limits.per_address:
            self._end_one(group, connection, "address")
        elif len(self) > self.limits.total:
            self._end_one(self._busiest(group), connection, "total")

    def _end_one(self, group: str, newcomer: PeerConnection, limit: str) -> None:
        ended = next(iter(self._waiting.get(group, ())), newcomer)
        log.warning("connections.limited", limit=limit, refused=ended is newcomer)
        self.closed(ended)
        ended.abort()

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

    def _is_shared(self, address: str) -> bool:
        try:
            parsed = ip_address(address)
        except ValueError:
            return False
        return parsed.is_loopback or any(parsed in one for one in self.limits.proxies)

    def _group(self, address: str) -> str:
        """What counts as one address."""
        try:
            parsed = ip_address(address)
        except ValueError:
            return address
        if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped is None and parsed.is_global:
            return str(IPv6Network((parsed, _SITE_BITS), strict=False))
        return address
