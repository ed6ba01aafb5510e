"""What a room said lately, as a person who reads along there has it before them. Values."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from memory.model.messages import MessageId
from memory.model.people import PersonId


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomLine:
    """One message of a room, by a person or by the pet, as it stands now.

    `person` is its author, None where the pet wrote it, and `author_now` what they are called by
    now, where that is another name. `is_starter`: the thread hangs on it.
    """

    message: MessageId
    author: str
    person: PersonId | None
    text: str
    sent_at: datetime
    is_starter: bool = False
    author_now: str = ""

    @property
    def id(self) -> UUID:
        """The id that candidates of the lobby go by."""
        return UUID(int=self.message)

    @property
    def ref(self) -> str:
        """The message as the ledger names it, up to its revision."""
        return f"live:{self.id}@"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomExcerpt:
    """The lines of a room in the prompt of a turn: those since the last turn, and the moment."""

    at: datetime
    lines: tuple[RoomLine, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ExcerptLimits:
    """The limits of a room's lines in the prompt of a turn: age, lines and tokens."""

    reach: timedelta
    most_lines: int
    most_tokens: int
