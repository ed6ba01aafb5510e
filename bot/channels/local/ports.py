"""What a face of the local platform sees and needs: the events of a room, a talk and a history."""

from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol

from bot.model.turns import Expression
from memory.model.linking import RecoveredAccount
from memory.model.listing import KeptStatement
from memory.model.messages import AuthorKind, QuotedLine, Reaction
from memory.model.people import AccountId
from memory.model.rooms import RoomId


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownReaction:
    """An emoji that people put to a message; `mine` says that its reader is one of them."""

    emoji: str
    names: tuple[str, ...]
    mine: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A message that appeared in a room.

    `key` is the same however often the message is delivered. `mine` says that the reader of the
    event wrote it. `expression` is the pet's face, None for a person. `sent_at` is aware. `answers`
    is the key of the message that the pet answers by it; `reaction` the face of an answer to it.
    `kept` are the statements that a note names; no history has it.
    """

    key: str
    kind: AuthorKind
    author: str
    text: str
    sent_at: datetime
    expression: Expression | None = None
    mine: bool = False
    edited: bool = False
    answers: str | None = None
    reaction: Expression | None = None
    quoted: QuotedLine | None = None
    reactions: tuple[ShownReaction, ...] = ()
    kept: tuple[KeptStatement, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """A message whose author changed it, as it is now."""

    shown: Shown


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenBack:
    """A message whose author took it back."""

    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reacted:
    """The reactions of people to a message, as they are now."""

    key: str
    reactions: tuple[Reaction, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """The sign that another author is writing in a room; it is repeated for as long as they do."""

    kind: AuthorKind
    author: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Missed:
    """The reader was too slow and events were dropped: reload from the history."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Superseded:
    """The reader gave way to another one: nothing comes after it."""


LocalEvent = Shown | Changed | TakenBack | Reacted | Writing | Missed | Superseded


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomEvent:
    """An event with the room it is of, and the position after it: see `EventLog`."""

    room: str
    event: LocalEvent
    position: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptLine:
    """A message that was said before, the account it was written from, and reactions to it."""

    shown: Shown
    account: AccountId | None
    reactions: tuple[Reaction, ...] = ()

    def read_by(self, reader: AccountId) -> Shown:
        """The message as it is shown to an account."""
        mine = self.account == reader
        return replace(self.shown, mine=mine, reactions=reactions_for(reader, self.reactions))


def reactions_for(reader: AccountId, reactions: Iterable[Reaction]) -> tuple[ShownReaction, ...]:
    """Reactions as they are shown to an account."""
    return tuple(
        ShownReaction(emoji=one.emoji, names=one.names, mine=reader in one.accounts)
        for one in reactions
    )


class Talk(Protocol):
    """One person's seat in one room, in this process or at the other end of a socket."""

    async def say(self, text: str) -> None:
        """Say one message; returns when it is durable.

        Raises:
            MessageTooLong: it has more characters than a message may have.
            NobodyListens: the daemon is starting or stopping; say it again in a moment.
            TooFast: more comes from there than is taken; say it again in a minute.

        """
        ...

    def events(self) -> AbstractAsyncContextManager[AsyncIterator[LocalEvent]]:
        """What appears in the room from now on, what this person says included, until left."""
        ...


class Recovery(Protocol):
    """Brings people back to their account in a browser that does not know them."""

    async def offer(self, platform: str, external_id: str) -> str:
        """A new one-time code for an account, in the place of an earlier one."""
        ...

    async def redeem(self, code: str) -> RecoveredAccount:
        """The account that a code was for; it is used up by this.

        Raises:
            UnknownCode: it was never given out, was used, or another took its place.

        """
        ...


class RoomTranscript(Protocol):
    """Reads what a room said before."""

    async def recent(self, room_external_id: str, limit: int) -> Sequence[TranscriptLine]:
        """The last `limit` messages of a room, oldest first; empty for a room never heard of."""
        ...

    async def line(self, room_external_id: str, key: str) -> TranscriptLine | None:
        """One message of a room, None where it is not there or gone."""
        ...


class StoredReactions(Protocol):
    """Keeps what people put to messages."""

    async def toggle(
        self, room: RoomId, key: str, account: AccountId, name: str, emoji: str
    ) -> tuple[Reaction, ...] | None:
        """Put an emoji to a message or take it away; what is there then, None without the message.

        Raises:
            TooManyReactions: the message has as many as it can have.

        """
        ...
