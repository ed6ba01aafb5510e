"""Which vector store answers, and how that changes: by the settings, or by `eko reindex --to`."""

from dataclasses import dataclass, replace
from typing import Self

EMBEDDED = "edge"
"""The store in the data folder; any other place is the address of a server."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorPlace:
    """Where the index is. The last decision holds, whether settings or a command made it."""

    at: str
    """What answers questions."""
    asked: str
    """What the settings named when this was decided; once they name another, that is a decision."""
    to: str | None = None
    """What is being filled, to answer afterwards."""
    spoilt: bool = False
    """What is being filled may hold what is no more, so it is emptied first."""
    leaving: tuple[str, ...] = ()
    """What answered before, or was given up, and is to be emptied."""

    def as_asked(self, asked: str) -> Self:
        """The same, once the settings name `asked`."""
        return self if asked == self.asked else replace(self.moving(asked), asked=asked)

    def moving(self, to: str) -> Self:
        """The same, on the way to a place; the one that answers gives up any other."""
        given_up = () if self.to in {None, to} else (str(self.to),)
        leaving = tuple(one for one in (*self.leaving, *given_up) if one != to)
        if to == self.at:
            return replace(self, to=None, spoilt=False, leaving=leaving)
        return replace(self, to=to, spoilt=self.spoilt or self.to != to, leaving=leaving)

    def switched(self) -> Self:
        """The same, once nothing is missing where it moves to."""
        if self.to is None:
            return self
        return replace(self, at=self.to, to=None, spoilt=False, leaving=(*self.leaving, self.at))

    def left(self, place: str) -> Self:
        """The same, once a place is empty."""
        return replace(self, leaving=tuple(one for one in self.leaving if one != place))
