"""Whom a network address stands for: one client, or many people behind one address. Pure."""

from collections.abc import Collection
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address

AddressRange = IPv4Network | IPv6Network

_SITE_BITS = 64
"""Leading bits of an IPv6 address that stand for one customer (RFC 6177)."""

_HOME_NETWORKS = IPv6Network("fc00::/7")
"""Addresses of one home or office, where each is another machine (RFC 4193)."""


def client_of(address: str) -> str:
    """What counts as one client: an address, or a customer's whole network in IPv6."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    if parsed.is_loopback or parsed.is_link_local or parsed in _HOME_NETWORKS:
        return str(parsed)
    return str(IPv6Network((parsed, _SITE_BITS), strict=False))


def is_shared(address: str, proxies: Collection[AddressRange]) -> bool:
    """Whether many people may come by an address: a named proxy's, or this machine's own."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return False
    return parsed.is_loopback or any(parsed in one for one in proxies)
