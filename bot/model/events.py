"""Events of a platform: what people write, change, take back and call."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from memory.model.histories import Brought
from memory.model.parts import NoteKind, Part
from memory.model.people import AccountId, account_id
from memory.model.rooms import HOME, RoomKind, RoomRole, SpaceId


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomRef:
    """A room as its platform names it. `role` is a proposal; settings and what was chosen decide.

    `confidential` says that only some of the community can see it, `public` that others than the
    community can. `parent` is the id of the room
    that it hangs under, as a thread does, whose role and rules it has unless it has its own;
    `starter` is the id of the message that it hangs on.
    `community` is what its community is called.
    """

    platform: str
    external_id: str
    name: str
    kind: RoomKind
    role: RoomRole
    space: SpaceId = HOME
    confidential: bool = False
    public: bool = False
    parent: str | None = None
    starter: str | None = None
    community: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorRef:
    """An account as its platform names it."""

    platform: str
    external_id: str
    name: str
    is_bot: bool = False

    @property
    def account(self) -> AccountId:
        """How the account is written down."""
        return account_id(self.platform, self.external_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """A file that came with a message: its name and media type are noted, its content is not.

    `size` is in bytes; `url` is where its platform has it, for a model that can see or hear. `kind`
    is what its platform calls it, None where its media type tells. `seconds` is how long a sound
    is, 0 where its platform does not say.
    """

    name: str
    media_type: str
    size: int
    url: str
    kind: NoteKind | None = None
    seconds: float = 0


class InboundKind(StrEnum):
    """What a platform event is."""

    MESSAGE = "message"
    SYSTEM = "system"
    """Something the platform says of itself (a join, a rename): kept, never observed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inbound:
    """One message as a platform delivered it.

    `external_id` is unique within the author's platform. `spaces` are the spaces the platform
    vouches the author is a member of, `manages_space` that they manage that of the room. `text` is
    what the author typed, as received; the inbox cleans it. `parts` follow it: what the platform
    says is not typed by the author, such as forwarded words and notes of places and contacts (those
    of `attachments` are made by the inbox). `address` is where it came from in the network, ""
    where the platform does not say: several accounts may write from there. `zone` is the time
    zone that the author's device is set to, None where the platform does not say. `brought` says
    that no platform delivered it: it stands in a file.
    """

    external_id: str
    room: RoomRef
    author: AuthorRef
    text: str
    sent_at: datetime
    kind: InboundKind = InboundKind.MESSAGE
    reply_to: str | None = None
    mentions_pet: bool = False
    spaces: frozenset[SpaceId] = frozenset()
    manages_space: bool = False
    attachments: tuple[Attachment, ...] = ()
    parts: tuple[Part, ...] = ()
    address: str = ""
    zone: str | None = None
    brought: Brought | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Edited:
    """A message whose author changed it; `room` is as it is now, None where that is unknown.

    `author` is None for what is read back: that it comes all at once is no hurry of theirs.
    """

    platform: str
    external_id: str
    text: str
    room: RoomRef | None = None
    author: AuthorRef | None = None
    attachments: tuple[Attachment, ...] = ()
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Deleted:
    """A message whose author took it back."""

    platform: str
    external_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReactionsChanged:
    """The emoji that an account has at a message from now on, in place of those it had before."""

    platform: str
    external_id: str
    author: AuthorRef
    emoji: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Typing:
    """Someone is writing in a room."""

    room: RoomRef
    author: AuthorRef


InboundEvent = Inbound | Edited | Deleted | ReactionsChanged | Typing


@dataclass(frozen=True, slots=True, kw_only=True)
class Invoked:
    """A command of the platform's own, as a member used it there.

    `external_id` is unique within the platform. `spaces` and `manages_space` are as in `Inbound`;
    `locale` is the language the platform says they read, None where it says nothing. `private`
    says that they alone see the answer, `takes_files` that it can bring a file.
    """

    external_id: str
    room: RoomRef
    author: AuthorRef
    command: str
    arguments: Mapping[str, str]
    locale: str | None = None
    spaces: frozenset[SpaceId] = frozenset()
    manages_space: bool = False
    private: bool = True
    takes_files: bool = True
