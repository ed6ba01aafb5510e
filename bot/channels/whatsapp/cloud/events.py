"""What a call brings besides messages. Values."""

from dataclasses import dataclass
from datetime import datetime

from bot.channels.whatsapp.cloud.identities import CloudPerson
from bot.model.events import AuthorRef, Deleted, Edited, Inbound, ReactionsChanged, RoomRef
from memory.model.conversations import PartFate


@dataclass(frozen=True, slots=True, kw_only=True)
class Press:
    """A button or a row of a list that was pressed; `title` is what stood on it."""

    external_id: str
    author: AuthorRef
    room: RoomRef
    carried: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrived:
    """Something that a person did, when they did it, and its id."""

    person: CloudPerson
    external_id: str
    at: datetime
    event: Inbound | Edited | Deleted | ReactionsChanged | Press


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusReport:
    """What became of a message of the pet's.

    `nonce` is what it was sent with, `code` Meta's number for why it failed.
    """

    external_id: str
    fate: PartFate
    at: datetime
    nonce: str = ""
    code: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CallContent:
    """All that a call says of the pet's number, by when it happened.

    `unread` are the kinds of what is no message to the pet.
    """

    arrived: tuple[Arrived, ...] = ()
    reports: tuple[StatusReport, ...] = ()
    unread: tuple[str, ...] = ()
