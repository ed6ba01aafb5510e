"""Emoji that people put to a message."""

from dataclasses import dataclass

from memory.model.people import AccountId

MOST_REACTIONS = 120
"""Reactions that a message can have: six emoji of twenty people, and still light to draw."""

MOST_OF_ONE = 20
"""Emoji of one account at one message: no platform shows more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReactionChange:
    """The emoji that an account has at a message of a platform from now on."""

    platform: str
    external_id: str
    account: AccountId
    name: str
    emoji: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reaction:
    """One emoji at a message: the accounts it is from, and their names beside, oldest first."""

    emoji: str
    accounts: tuple[AccountId, ...]
    names: tuple[str, ...]
