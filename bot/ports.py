"""What the path needs from outside: channels to answer through, and a model to think with."""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol, runtime_checkable

from bot.model.commands import Answer, Choice, Command
from bot.model.events import AuthorRef, Inbound, InboundEvent, Invoked, RoomRef
from bot.model.requests import ModelReply, ModelRequest
from bot.model.turns import Outgoing, Reply
from bot.model.webhooks import WebhookAnswer, WebhookRequest
from memory.model.conversations import PartReport, PlatformMessage
from memory.model.notices import OwnerNotice
from memory.model.people import AccountId
from memory.model.rooms import Room, SpaceId
from memory.ports import Clock

Receive = Callable[[InboundEvent], Awaitable[bool]]
"""Hands an event to the inbox; returns when it is durable. False when it came too fast for it."""


class Hearing(Protocol):
    """Takes what happens on a platform; each call returns when that is durable."""

    async def receive(self, event: InboundEvent) -> object:
        """Take one event.

        Raises:
            StorageFailed: it could not be stored; hand it in again.

        """
        ...

    async def receive_all(
        self, inbounds: Sequence[Inbound], *, missed_at: datetime | None = None
    ) -> object:
        """Take messages in one transaction, in order.

        Those that were said while the pet was away say by `missed_at` when they are handed in:
        they come all at once, and are answered unless that is too late.

        Raises:
            StorageFailed: none was stored; hand them in again.

        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Markup:
    """What a platform makes of the signs in a text.

    `blocks`: it shows marked code and quotes as such, so that one that is cut in the middle is
    closed and opened again. `tokens` is a pattern of what it writes in signs and shows as one
    thing, which is not cut. `quieted` takes their effect from words that would call everybody.
    """

    blocks: bool
    tokens: str
    quieted: Callable[[str], str]


class Channel(Protocol):
    """A platform that replies go out to."""

    @property
    def platform(self) -> str:
        """The platform of the rooms this channel answers in."""
        ...

    @property
    def text_limit(self) -> int:
        """How many characters one message may have."""
        ...

    @property
    def markup(self) -> Markup:
        """What it makes of the signs in a message."""
        ...

    async def send(self, message: Outgoing) -> str | None:
        """Put one message into a room; the platform's id of it, where it has one.

        Raises:
            DeliveryFailed: the platform did not take it.
            DeliveryRefused: it never will.

        """
        ...

    async def show_typing(self, room: Room) -> None:
        """Show for some seconds that the pet is writing; never fails, at worst shows nothing."""
        ...


class Speaker(Protocol):
    """Says something in a room that belongs to no turn."""

    async def say(self, room: Room, reply: Reply, nonce: str, *, answers: str | None) -> None:
        """Send words; `answers` is the platform's id of the message they answer."""
        ...


class PlatformCommands(Protocol):
    """Answers the commands that a platform has of its own, those that it admits."""

    @property
    def table(self) -> Mapping[str, Command]:
        """Every command by its name."""
        ...

    def admits(self, author: AuthorRef, room: RoomRef) -> bool:
        """Whether a command that an account uses now is taken, or comes too fast."""
        ...

    async def call(self, invoked: Invoked) -> Answer | None:
        """What the command says; None for one that was taken before."""
        ...

    async def complete(self, invoked: Invoked, option: str) -> Sequence[Choice]:
        """What an option can be, by what was typed of it in the arguments."""
        ...


class Announced(Protocol):
    """Knows what an account's platform was told last of its commands."""

    async def last(self, account: str) -> str | None:
        """The fingerprint of what was told last; None before the first time."""
        ...

    async def keep(self, account: str, fingerprint: str) -> None:
        """Remember what the platform has taken."""
        ...


class SessionTimes(Protocol):
    """Knows when an account last began a session with its platform, also before a restart."""

    async def last(self, account: str) -> datetime | None:
        """When it last began one; None before the first time."""
        ...

    async def keep(self, account: str, at: datetime) -> None:
        """Remember that it begins one now.

        Raises:
            StorageFailed: it could not be kept.

        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """What a room said in a stretch of time, oldest first.

    `listed` are the ids of all messages that stand there, of those too that are no `messages` to
    the pet; `edited` are those whose authors changed them; `unread` counts those that could not be
    read and stand there all the same. `whole_from` is the moment from which
    nothing is left out: later than was asked for when there was more than was asked for.
    """

    messages: tuple[Inbound, ...]
    listed: frozenset[str]
    edited: frozenset[str]
    whole_from: datetime
    unread: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CatchUpRules:
    """How far back rooms are read, and the waits before rooms that failed are tried again.

    `asked_days` is how far back the managers of a room may have it read, from before the pet came;
    with 0 they may not. `asked_messages` is how many of its messages are read then, at most.
    `command_sign` is what commands begin with there.
    """

    reach: timedelta
    most_messages: int
    asked_days: int = 0
    asked_messages: int = 0
    command_sign: str = "/"
    retries_s: tuple[float, ...] = (10, 60, 300)


class RoomPast(Protocol):
    """Reads what the rooms of a platform said while the pet was not there to receive it."""

    @property
    def platform(self) -> str:
        """The platform of the rooms."""
        ...

    async def threads(self) -> Mapping[str, str]:
        """The open rooms that hang under others, and those, by their ids on the platform."""
        ...

    async def said(self, room: str, start: datetime, end: datetime | None, limit: int) -> Past:
        """What a room said after `start` and before `end`, the latest `limit` messages of it.

        Raises:
            RoomUnreadable: it is gone, or the pet may not read it any more.
            RoomAway: its community is not there; it is read when it has arrived.
            PastUnavailable: the platform did not answer.

        """
        ...


class Introductions(Protocol):
    """Knows which communities were told who the pet is."""

    async def take(self, space: SpaceId, joined: datetime) -> bool:
        """Whether a community that it joined then is still to be told; from now on it is not."""
        ...

    async def give_back(self, space: SpaceId) -> None:
        """Note that it could not be told after all."""
        ...

    def room(self, ref: RoomRef) -> Room:
        """A room as the settings, and what was chosen since, want it."""
        ...


async def _unfollowed(message: PlatformMessage, report: PartReport) -> None:
    """Keep nothing."""
    del message, report


async def _unchosen(space: SpaceId, role: str) -> None:
    """Choose nothing."""
    del space, role


async def _nowhere(_account: AccountId) -> frozenset[SpaceId]:
    return frozenset()


async def _no_groups() -> Sequence[Room]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """What the pet is to a platform: where events go, and who answers what is asked there.

    `connected` is called each time a new connection begins, before its first event is handed on,
    `arrived` with the numbers of rooms that were not there while others were, as those of a
    community that comes late or back from an outage.
    `member_role` says which role was chosen to stand for a community, and `choose_member_role` lets
    one stand for it that the platform recognised. `is_admin` says whether the
    settings name an account under [admins], `warn` tells the owner of the pet something, `follow`
    keeps what a platform says became of a message that it took. `groups` are the rooms of several
    people that it has met, `spoken_in` the communities in which a person has said something,
    `spaces_elsewhere` those where one is by the word of the pet's other processes.
    """

    inbox: Hearing
    platform_commands: PlatformCommands
    announced: Announced
    session_times: SessionTimes
    introductions: Introductions
    clock: Clock
    member_role: Callable[[SpaceId], str | None]
    choose_member_role: Callable[[SpaceId, str], Awaitable[None]] = _unchosen
    connected: Callable[[], None] = lambda: None
    arrived: Callable[[Collection[str]], None] = lambda _: None
    is_admin: Callable[[AccountId], bool] = lambda _: False
    warn: Callable[[OwnerNotice], None] = lambda _: None
    follow: Callable[[PlatformMessage, PartReport], Awaitable[None]] = _unfollowed
    groups: Callable[[], Awaitable[Sequence[Room]]] = _no_groups
    spoken_in: Callable[[AccountId], Awaitable[frozenset[SpaceId]]] = _nowhere
    spaces_elsewhere: Callable[[AccountId], Awaitable[frozenset[SpaceId]]] = _nowhere


class Communities(Protocol):
    """What a platform knows now of its communities: the roles in them, and what each role sees."""

    def roles(self, space: SpaceId) -> Mapping[str, str]:
        """The names of a community's roles by their numbers; empty while it is not there."""
        ...

    def member_role(self, space: SpaceId) -> str:
        """The number of the role that stands for a community where none was chosen."""
        ...

    def away(self) -> int:
        """How many of them are not there now, as in an outage."""
        ...

    def gated(self) -> Sequence[str]:
        """The names of those where no room is seen by everybody, by the role that stands for it."""
        ...

    def rooms(self, space: SpaceId, role: str | None) -> Sequence[RoomRef]:
        """Its rooms as they would be if this role stood for all; None is `member_role`."""
        ...


class FileStore(Protocol):
    """Where a platform keeps the files of messages."""

    async def fetch(self, url: str, most_bytes: int) -> bytes | None:
        """The file, or None where it is not there, not the platform's, too large or too slow."""
        ...


class Webhook(Protocol):
    """Takes what a service hands to the address `/webhooks/NAME` of the pet."""

    async def answer(self, request: WebhookRequest) -> WebhookAnswer:
        """What is answered to a request, after what it brings is durable; never fails.

        The caller is judged here, by the bytes as they came: the address is open to all.
        """
        ...


@runtime_checkable
class Sharded(Protocol):
    """A platform that is heard over several sessions at once."""

    @property
    def sessions(self) -> tuple[int, int]:
        """How many of its sessions hear now, and how many there are to be."""
        ...


class Platform(Channel, Protocol):
    """A channel to a service elsewhere, which comes and goes."""

    @property
    def past(self) -> RoomPast:
        """What its rooms said before."""
        ...

    @property
    def catch_up(self) -> CatchUpRules:
        """How far it is read back."""
        ...

    @property
    def files(self) -> FileStore | None:
        """Where the files of messages are; None where there are none to show."""
        ...

    @property
    def communities(self) -> Communities | None:
        """What it knows of its communities; None where members have no roles."""
        ...

    @property
    def webhook(self) -> Webhook | None:
        """What takes the requests of its service; None where the pet asks and is not called."""
        ...

    @property
    def is_connected(self) -> bool:
        """Whether it hears and can be heard there now."""
        ...

    async def quiet(self) -> None:
        """Wait until the commands of its own that are under way are answered."""
        ...

    async def run(self, host: Host) -> None:
        """Be there until cancelled, whatever happens to the connection."""
        ...


class Model(Protocol):
    """A language model."""

    @property
    def name(self) -> str:
        """The model's name, as the ledger records it."""
        ...

    async def complete(self, request: ModelRequest) -> ModelReply:
        """One answer to one request.

        Raises:
            ModelTooSlow: it did not answer in time; asking again would take as long.
            ModelUnavailable: unreachable or overloaded, after the adapter's own retries.
            ModelRefused: the service refuses the request as it is.

        """
        ...


class WordRarity(Protocol):
    """Knows how often words are used."""

    async def seen(self, stems: Collection[str]) -> tuple[Mapping[str, int], int]:
        """In how many rows each of these stems is, and how many rows there are."""
        ...
