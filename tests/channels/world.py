"""A platform as people and the pet find it there, the same for every channel.

A world is the server of a platform, or its closest peer: it runs beside the pet, which is a daemon
of its own that is started with `settings`, killed and started again against the same world.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol, runtime_checkable

Poured = Mapping[str, Sequence[str]]
"""The texts of each room by the platform's id of it, in the order in which they were said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Abilities:
    """What a platform can do, as its documentation says; the suite asks for no more.

    `history`: what was said while the pet was away reaches it. `told_deletions`: it is told of what
    was taken back. `idempotent`: the same sending twice is shown once. `solo`: one person alone is
    there with the pet. `way` tells one way to a platform from another.
    """

    groups: bool
    edits: bool
    told_deletions: bool
    reactions: bool
    history: bool
    buttons: bool
    idempotent: bool
    text_limit: int
    solo: bool = False
    way: str = ""


class Who(Enum):
    """The people of a world."""

    LEA = "Léa"
    TOM = "Tom"
    OWNER = "Olga"
    """Her account is in `[admins]`."""


class Where(Enum):
    """The rooms of a world; a platform without groups has the direct ones alone."""

    LEA_DIRECT = "lea-direct"
    TOM_DIRECT = "tom-direct"
    OWNER_DIRECT = "owner-direct"
    LOBBY = "lobby"
    """A group that all of them and the pet are in, with the role `lobby`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PetMessage:
    """What the pet has in a room now: `buttons` by their labels, `answers` a message's id.

    `id` is how the world calls it, as do the ids that `says` returns.
    """

    id: str
    text: str
    answers: str | None = None
    buttons: tuple[str, ...] = ()


class ChannelWorld(Protocol):
    """A platform with its people, and the troubles it can have."""

    @property
    def name(self) -> str:
        """The channel's name, as in the registry."""
        ...

    @property
    def abilities(self) -> Abilities:
        """What the platform can do."""
        ...

    @property
    def settings(self) -> Mapping[str, str]:
        """The environment of a pet on it, with Olga as its admin."""
        ...

    @property
    def connected(self) -> str:
        """What the daemon writes to its log when it is there, as `telegram.connected`."""
        ...

    async def pet_is(self, base_url: str | None) -> None:
        """Take note of where the pet's page is, for platforms that call it; None: nowhere."""
        ...

    async def says(self, who: Who, where: Where, text: str, *, answers: str | None = None) -> str:
        """Say something; its id. A platform without groups has each in their direct room."""
        ...

    async def calls(self, who: Who, where: Where, text: str) -> str:
        """Say something that addresses the pet by the platform's own means, as a mention."""
        ...

    async def edits(self, who: Who, message: str, text: str) -> None:
        """Change an own message."""
        ...

    async def deletes(self, who: Who, message: str) -> None:
        """Take an own message back."""
        ...

    async def reacts(self, who: Who, message: str, emoji: str | None) -> None:
        """Have this emoji at a message, and no other; None takes it away."""
        ...

    async def presses(self, who: Who, message: str, label: str) -> None:
        """Press a button under a message of the pet's."""
        ...

    async def pet_said(self, where: Where) -> Sequence[PetMessage]:
        """What the pet's messages in a room are now, oldest first."""
        ...

    async def drops(self) -> None:
        """Cut every connection with the pet once; the next one works."""
        ...

    async def refuses(self, status: int, times: int, *, retry_after_s: float | None = None) -> None:
        """Answer the pet's next sendings with this status of HTTP."""
        ...

    async def redelivers(self) -> None:
        """Hand the pet again everything it was handed before, where the platform does so."""
        ...


@runtime_checkable
class ManyRooms(Protocol):
    """A world that can have more rooms than those of `Where`; the suite asks for twenty."""

    async def pours(self, text: str, messages: int, rooms: int) -> Poured:
        """So many messages over so many rooms, as fast as they go; `{n}` is a message's number.

        Message `n` is said in room `n % rooms`: in groups where there are any, and else by as many
        people in their direct rooms. None of them addresses the pet in a group.
        """
        ...
