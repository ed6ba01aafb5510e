"""The names that the page answers to: those that are set, and what others call this machine."""

import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress

from config.sections.web import WebSettings

EVERYWHERE = frozenset({"0.0.0.0", "::"})  # noqa: S104 - compared, not listened on
"""Addresses that stand for all of a machine's."""

_ELSEWHERE = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
"""Addresses kept for documentation (RFC 5737, RFC 3849): the way there shows an own address."""


def page_names(web: WebSettings, own: Callable[[], Iterable[str]]) -> frozenset[str]:
    """The names the page answers to beside loopback's, in lower case.

    `own` are the machine's, asked for only when the page is open to the network.
    """
    chosen = {web.host, *web.hosts}
    if web.host in EVERYWHERE:
        chosen.update(own())
    return frozenset(name.lower() for name in chosen)


def machine_names() -> frozenset[str]:
    """What others call this machine: its host name, the full one, and its addresses.

    May wait for the name service, some seconds where it does not answer.
    """
    name = socket.gethostname()
    return frozenset({name, socket.getfqdn(name), *_addresses_of(name), *_addresses_outward()})


def _addresses_of(name: str) -> Iterator[str]:
    """The addresses the name stands for, which need not be all that the machine has."""
    with suppress(socket.gaierror):
        for *_, address in socket.getaddrinfo(name, None):
            yield str(address[0]).partition("%")[0]


def _addresses_outward() -> Iterator[str]:
    """The machine's address on the way out, if it has one; nothing is sent for it."""
    for family, elsewhere in _ELSEWHERE:
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as out:
            out.connect((elsewhere, 9))
            yield str(out.getsockname()[0])
