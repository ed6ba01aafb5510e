"""Who the pet is on its homeserver. Values."""

from dataclasses import dataclass
from enum import StrEnum

LOCK_FILE = "keys.secret"
"""What locks the keys in a session's folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeserverAccount:
    """How the pet gets in: by a token, or by a password that begins a session."""

    homeserver: str
    user_id: str | None
    token: str | None
    password: str | None
    device_name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceSession:
    """One session of an account: its device has the keys."""

    user_id: str
    device_id: str
    token: str


class DeviceTrust(StrEnum):
    """Whether the account's cross-signing keys vouch for the device, or what is in the way."""

    SIGNED = "signed"
    POSTPONED = "postponed"
    """The server does not do what it is asked; it is tried again."""
    NEEDS_PASSWORD = "needs_password"  # noqa: S105 - no password, but that there is none
    """The server asks for a password, and there is none, or a wrong one."""
    NEEDS_APPROVAL = "needs_approval"
    """The server wants it confirmed in a way that only a person has."""
    OTHER_KEYS = "other_keys"
    """Another client has made the account's keys."""
