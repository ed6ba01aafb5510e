"""Who the pet is on its homeserver. Values."""

from dataclasses import dataclass


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
