"""Values of spaces that move from one data folder to another."""

from dataclasses import dataclass
from datetime import datetime

from memory.model.rooms import SpaceId
from memory.model.shown import Shown


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptSpace:
    """A space of which something is kept here, and what it is called on its platform."""

    id: Shown[SpaceId]
    community: Shown[str]
    rooms: Shown[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class SpaceContents:
    """What is kept of a space; `since_export` counts messages that came after its last export."""

    messages: Shown[int]
    exchanges: Shown[int]
    statements: Shown[int]
    rooms: Shown[int]
    exported_at: Shown[datetime | None]
    since_export: Shown[int]
