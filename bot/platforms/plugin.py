"""What a channel brings, so that nothing else needs to know its platform: see docs/channels.md."""

from collections.abc import Awaitable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

from bot.diagnostics.findings import Finding
from bot.ports import Platform

S_contra = TypeVar("S_contra", contravariant=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class PetProfile:
    """Who the pet is on every platform: its name, and its language where none was chosen.

    `folder` is where a channel may keep what the next start needs of it, as keys of its own; what
    does so makes it first, for this user alone.
    """

    name: str
    locale: str
    folder: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformState:
    """How the pet stands on a platform now; `away` and `gated` are as in Communities.

    `platform` is the channel itself where it is open, for what it alone can tell; `folder` is as in
    PetProfile.
    """

    connected: bool
    away: int = 0
    gated: tuple[str, ...] = ()
    platform: Platform | None = None
    folder: Path | None = None


class ChannelPlugin(Protocol[S_contra]):
    """A service elsewhere that the pet can be on, described by what its section chooses.

    An implementation imports nothing heavy before it is asked to open or to look: what is not
    used is not loaded.
    """

    @property
    def name(self) -> str:
        """The platform of its rooms and accounts, and its section in the settings."""
        ...

    @property
    def reacts(self) -> bool:
        """Whether it can put an emoji on a message."""
        ...

    @property
    def managers(self) -> Mapping[str, str]:
        """Who manages a community there, by language, to go on after a colon; may be empty."""
        ...

    @property
    def writing_first(self) -> Mapping[str, str]:
        """What hinders writing first to one person there, by language; empty where nothing does."""
        ...

    def is_chosen(self, section: S_contra) -> bool:
        """Whether the settings have an account for it."""
        ...

    def open(self, section: S_contra, pet: PetProfile) -> AbstractAsyncContextManager[Platform]:
        """Its channel, with what it needs while the pet runs, until the body ends."""
        ...

    def look(self, section: S_contra, state: PlatformState) -> Awaitable[Finding]:
        """The finding for the doctor; never fails."""
        ...


AnyChannel = ChannelPlugin[Any]
"""A channel whose section of the settings is known to itself alone."""
