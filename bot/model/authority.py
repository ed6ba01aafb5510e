"""Whose word counts for what: decided by the daemon from platform ids. Pure."""

from collections.abc import Sequence
from fnmatch import fnmatchcase

from bot.model.commands import Authority
from memory.model.rooms import Room, RoomKind

HERE = "local"
"""The platform of the rooms on the pet's own machine, where a private word is enough."""


def authority_of(
    account: str, room: Room, admins: Sequence[str], *, manages_space: bool
) -> Authority:
    """How far the word of an account goes in a room.

    `admins` are patterns of accounts as the settings name them; `manages_space` is what the
    platform vouches. Away from the pet's own machine no one has any in a direct room: what an
    order is about must be clear, and there is no community there.
    """
    if room.kind is RoomKind.DIRECT and room.platform != HERE:
        return Authority.NONE
    if is_admin(account, admins):
        return Authority.PET
    return Authority.SPACE if manages_space else Authority.NONE


def is_admin(account: str, admins: Sequence[str]) -> bool:
    """Whether the settings name an account, wherever it speaks."""
    return any(fnmatchcase(account, pattern) for pattern in admins)
