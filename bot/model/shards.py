"""Which part of Discord's guilds a process has: its shards among all of a pet's. Pure."""

from dataclasses import dataclass
from typing import Self

_TIME_BITS = 22
"""The lower bits of a guild's number; Discord shares guilds out by the upper ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardRange:
    """Shards `first` to `last`, both included, of `total`."""

    first: int
    last: int
    total: int

    @classmethod
    def parsed(cls, text: str) -> Self | None:
        """The range that a text like "0-3/16" or "5/16" names; None for an empty text.

        Raises:
            ValueError: the text is not of this form, or names shards that there are not.

        """
        if not text:
            return None
        numbers, _, total = text.partition("/")
        first, _, last = numbers.partition("-")
        chosen = cls(first=int(first), last=int(last or first), total=int(total))
        if not 0 <= chosen.first <= chosen.last < chosen.total:
            raise ValueError(text)
        return chosen

    def __str__(self) -> str:
        numbers = str(self.first) if self.first == self.last else f"{self.first}-{self.last}"
        return f"{numbers}/{self.total}"

    @property
    def numbers(self) -> range:
        """The numbers of the shards."""
        return range(self.first, self.last + 1)

    @property
    def is_all(self) -> bool:
        """Whether these are all shards of the pet."""
        return len(self.numbers) == self.total

    @property
    def has_direct(self) -> bool:
        """Whether direct messages come here: Discord sends them to shard 0."""
        return self.first == 0

    def collides(self, other: Self) -> bool:
        """Whether two processes may not have these and those at once."""
        if self.total != other.total:
            return True
        return self.first <= other.last and other.first <= self.last

    def shard_of(self, guild: int | None) -> int:
        """The number of the shard that a guild is on; direct rooms are on shard 0."""
        return 0 if guild is None else (guild >> _TIME_BITS) % self.total
