"""What a file of a person's talk elsewhere holds: one value for the formats of all programs."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from bot.errors import BotError
from memory.model.shown import Shown


class UnknownHistory(BotError):
    """The file is in no format that can be read; the message names those that can."""


class LineKind(StrEnum):
    """What a line of a history is."""

    SAID = "said"
    """Its author's own words, or a reply with a quotation in `quoted`."""
    FORWARDED = "forwarded"
    """Another's words, passed on."""
    SYSTEM = "system"
    """What the program says of the room: joins, renames, encryption notices."""
    DELETED = "deleted"
    BOT = "bot"
    """Said by a bot or an assistant: it states nothing."""
    MEMORY = "memory"
    """No line of talk but a statement that another memory kept, such as one of mem0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryLine:
    """One line of a history.

    `at` is naive where the file names no zone: it is then in the zone that is chosen for the file.
    `author` is the name as the file gives it, `author_id` the platform's id where it has one. `id`
    is the platform's id of the message, "" where the format has none; `edits` the id of the line
    whose words these replace. `number` is the line or entry of the file, from 1 on.
    """

    number: int
    at: datetime
    author: str
    text: str
    kind: LineKind = LineKind.SAID
    author_id: str = ""
    room: str = ""
    id: str = ""
    edits: str = ""
    reply_to: str = ""
    quoted: str = ""
    forwarded_from: str = ""
    files: tuple[str, ...] = ()
    """Names or kinds of what came along and is not in the file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreadableLine:
    """A line or entry that could not be read, and why, in words without its text."""

    number: Shown[int]
    reason: Shown[str]


HistoryItem = HistoryLine | UnreadableLine


@dataclass(frozen=True, slots=True, kw_only=True)
class DayOrder:
    """Whether days stand before months: `day_first` is None where the whole file leaves it open."""

    day_first: bool | None = None
    is_needed: bool = False
    """Whether the format writes days and months as numbers at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recognised:
    """A file whose format is known: which one, of which platform, and in how many pieces.

    `parts` are the readable members of an archive, or the file itself.
    """

    format: str
    """A word for people: "WhatsApp", "Telegram", "IRC (weechat)"."""
    platform: str
    """The platform whose accounts the authors have, such as `whatsapp` or `irc`."""
    order: DayOrder = field(default_factory=DayOrder)
    parts: Sequence[str] = ()
