"""Access over the web: one-time links, the sessions they begin, keys for programs. Values."""

import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import sha256

from memory.model.people import PersonId
from memory.model.rooms import SpaceId
from memory.model.shown import Shown

LINK_OPEN_FOR = timedelta(minutes=15)
"""How long a login link can be followed."""

SESSION_IDLE = timedelta(days=30)
"""How long a session lasts without a request."""

SESSION_LONGEST = timedelta(days=90)
"""How long it lasts at most."""

USE_KEPT_EVERY = timedelta(minutes=1)
"""How often the last use of a session or a key is written down: not at every request."""

KEY_PREFIX = "eko_"
"""What every key begins with, so that one that leaked is found by a search."""

AGENT_LENGTH = 120
"""Characters that are kept of what a browser calls itself."""

_ADDRESS_LENGTH = 45
"""Characters of the longest address (RFC 4291, an IPv4 address in IPv6)."""

_TOKEN_BYTES = 32


class Right(StrEnum):
    """What a session or a key may do; each is asked for by itself."""

    READ = "read"
    """See what is kept."""
    WRITE = "write"
    """Change it: memories, facts, rooms, notes, settings of recall."""
    ERASE = "erase"
    """Have people and what they said forgotten, or give it back."""
    ADMIN = "admin"
    """Digests, exports, joining and splitting of people, backups, access itself."""


EVERY_RIGHT = frozenset(Right)

BOUNDED_RIGHTS = frozenset({Right.READ, Right.WRITE, Right.ERASE})
"""What a manager of one community may have, and a key of one person: the pet is not theirs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """Where a request comes from: its address, and what its browser calls itself."""

    address: str = ""
    agent: str = ""

    @property
    def shortened(self) -> "Visit":
        """As much of it as is kept, without what nothing draws."""
        return Visit(
            address=_printable(self.address)[:_ADDRESS_LENGTH],
            agent=_printable(self.agent)[:AGENT_LENGTH],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class WebSession:
    """A browser that is logged in; `space` is the community of a manager, None for the owner."""

    id: Shown[int]
    space: Shown[SpaceId | None]
    visit: Visit
    created_at: Shown[datetime]
    last_used_at: Shown[datetime]

    @property
    def address(self) -> Shown[str]:
        """From where it was last used."""
        return self.visit.address

    @property
    def agent(self) -> Shown[str]:
        """What its browser calls itself."""
        return self.visit.agent

    @property
    def label(self) -> str:
        """What it goes by in the audit log."""
        return session_label(self.id)

    @property
    def expires_at(self) -> Shown[datetime]:
        """When it ends, unless it is used before."""
        return min(self.last_used_at + SESSION_IDLE, self.created_at + SESSION_LONGEST)


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiKey:
    """A key for programs, called by a name that the owner chose.

    It sees what a manager of `space` sees, or what `person` may know; else what the owner does.
    """

    id: Shown[int]
    name: Shown[str]
    rights: Shown[tuple[Right, ...]]
    space: Shown[SpaceId | None] = None
    person: Shown[PersonId | None] = None
    created_at: Shown[datetime]
    expires_at: Shown[datetime | None] = None
    last_used_at: Shown[datetime | None] = None

    @property
    def label(self) -> str:
        """What it goes by in the audit log."""
        return key_label(self.id)


def session_label(number: int) -> str:
    """What a session goes by in the audit log."""
    return f"session {number}"


def key_label(number: int) -> str:
    """What a key goes by in the audit log."""
    return f"key {number}"


def new_token() -> str:
    """A random token of 32 bytes, as it is written in an address or a header."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


def new_key() -> str:
    """The same for a key."""
    return KEY_PREFIX + new_token()


def token_hash(token: str) -> str:
    """What is kept of a token: SHA-256 suffices for 256 random bits, which no list holds."""
    return sha256(token.encode("utf-8", "replace")).hexdigest()


def in_order(rights: Collection[Right]) -> tuple[Right, ...]:
    """Rights from the least to the most."""
    return tuple(one for one in Right if one in rights)


def _printable(text: str) -> str:
    return "".join(filter(str.isprintable, text)).strip()
