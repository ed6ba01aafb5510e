"""People, whatever accounts they write from."""

from dataclasses import dataclass
from typing import NewType

PersonId = NewType("PersonId", str)


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A human, whatever accounts they write from."""

    id: PersonId
    name: str
    observed: bool = True


PSEUDONYM = "someone"
"""What goes by a name that was forgotten."""
