"""How many files and connections the process may have open."""

import resource
from contextlib import suppress

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
