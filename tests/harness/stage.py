"""The whole pet with its people in two communities, on the page and at the console, for attacks."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from types import MappingProxyType
from typing import Any

from bot.channels.local.hub import LOBBY, direct_room
from bot.channels.local.ports import Shown
from bot.conversation.splitting import MARKDOWN
from bot.errors import NameOfNamesake, NameOfPet, RoomUnreadable
from bot.model.commands import Answer, Choice
from bot.model.events import Attachment, AuthorRef, Inbound, Invoked, RoomRef
from bot.model.turns import Outgoing
from bot.ports import CatchUpRules, Communities, FileStore, Host, Markup, Past, Webhook
from bot.surfaces.operations import Operations
from bot.wiring.app import App, open_app
from config.sections.conversation import CoalescingSettings
from config.sections.learning import ExtractionSettings
from config.sections.model import ModelSettings
from config.sections.obsidian import ObsidianSettings
from config.sections.pet import AdminSettings
from config.sections.recall import RecallSettings
from config.sections.vectors import EmbedderSettings
from config.settings import Settings
from memory.clock import FrozenClock
from memory.model.audience import Scope, scope_of
from memory.model.messages import AuthorKind
from memory.model.rooms import HOME, Room, RoomKind, RoomRole, SpaceId
from memory.tasks import background_task, within
from tests.cast import NOON
from tests.patience import PATIENCE_S

DISCORD = "discord"
A, B = SpaceId("discord:100"), SpaceId("discord:200")

_numbers = count(1)


def _account(platform: str, external_id: str, name: str) -> AuthorRef:
    return AuthorRef(platform=platform, external_id=external_id, name=name)


PEOPLE: Mapping[str, AuthorRef] = MappingProxyType(
    {
        "kim": _account(DISCORD, "1", "Kim"),
        "alice": _account(DISCORD, "2", "Alice"),
        "mallory": _account(DISCORD, "3", "Mallory"),
        "lea": _account(DISCORD, "10", "Léa"),
        "lea2": _account(DISCORD, "11", "Léa"),
        "bob": _account(DISCORD, "12", "Bob"),
        "eve": _account(DISCORD, "13", "Eve"),
        "zed": _account("web", "zed-1", "Zed"),
        "yan": _account("web", "yan-1", "Yan"),
        "op": _account("console", "op", "Op"),
    }
)
"""Kim is the operator and so is Op at the console; Alice manages A, Mallory manages B."""

SPACES: Mapping[str, frozenset[SpaceId]] = MappingProxyType(
    {"bob": frozenset({A, B}), "mallory": frozenset({B})}
)
"""Who is where; everybody else of Discord is in A alone, those of the page are at home."""

MANAGERS = {"alice": A, "mallory": B}


def _channel(number: int, name: str, space: SpaceId, *, confidential: bool = False) -> RoomRef:
    return RoomRef(
        platform=DISCORD,
        external_id=str(number),
        name=name,
        kind=RoomKind.GROUP,
        role=RoomRole.LOBBY,
        space=space,
        confidential=confidential,
    )


ROOMS: Mapping[str, RoomRef] = MappingProxyType(
    {
        "hall": _channel(101, "hall", A),
        "garden": _channel(102, "garden", A),
        "cellar": _channel(103, "cellar", A, confidential=True),
        "harbour": _channel(201, "harbour", B),
        "page": LOBBY,
    }
)
"""Beside them `dm` is a person's direct room on Discord and `own` their room on the page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shout:
    """One reply of the pet, in the room where it can be read; `reader` alone reads a direct one."""

    room: str
    text: str
    reader: str | None


@dataclass(frozen=True, slots=True)
class _NoPast:
    """Rooms that cannot be read back."""

    platform: str = DISCORD

    async def threads(self) -> Mapping[str, str]:
        """No room hangs under another."""
        return {}

    async def said(self, room: str, start: datetime, end: datetime | None, limit: int) -> Past:
        """Nothing can be read back."""
        raise RoomUnreadable(f"{room} {start} {end} {limit}")


@dataclass
class QuietPlatform:
    """The Platform port over a list: it keeps what it was sent, and hears what the stage says."""

    sent: list[Outgoing] = field(default_factory=list)
    platform: str = DISCORD
    text_limit: int = 2000
    markup: Markup = MARKDOWN
    past: _NoPast = field(default_factory=_NoPast)
    catch_up: CatchUpRules = field(
        default_factory=lambda: CatchUpRules(reach=timedelta(0), most_messages=0)
    )
    files: FileStore | None = None
    communities: Communities | None = None
    webhook: Webhook | None = None
    is_connected: bool = True

    async def send(self, message: Outgoing) -> str | None:
        """Keep a message."""
        self.sent.append(message)
        return f"sent-{len(self.sent)}"

    async def show_typing(self, room: Room) -> None:
        """Nobody looks."""

    async def quiet(self) -> None:
        """It has no commands of its own under way."""

    async def run(self, host: Host) -> None:
        """Be there; the stage hands events to the inbox itself."""


@dataclass
class Stage:
    """The pet and what its people read of it."""

    app: App
    clock: FrozenClock
    folder: Path
    platform: QuietPlatform
    stack: AsyncExitStack
    names: Mapping[str, str]
    rooms: Mapping[str, str]
    shouts: list[Shout] = field(default_factory=list)
    last_message: str | None = None
    _taken: int = 0
    _read: set[str] = field(default_factory=set)

    def author(self, who: str) -> AuthorRef:
        """The account of a person of the cast, under the name of this stage."""
        author = PEOPLE[who]
        return replace(author, name=self.names.get(who, author.name))

    def room(self, who: str, where: str) -> RoomRef:
        """A room of the cast."""
        author = self.author(who)
        if where == "own":
            return direct_room(author)
        if where == "dm":
            return RoomRef(
                platform=DISCORD,
                external_id=f"dm-{author.external_id}",
                name=author.name,
                kind=RoomKind.DIRECT,
                role=RoomRole.PET,
            )
        ref = ROOMS[where]
        return replace(ref, name=self.rooms.get(where, ref.name))

    def spaces(self, who: str) -> frozenset[SpaceId]:
        """The spaces that the platform vouches for."""
        is_local = PEOPLE[who].platform != DISCORD
        return frozenset({HOME}) if is_local else SPACES.get(who, frozenset({A}))

    async def scope(self, who: str, where: str) -> Scope:
        """What this person may know there."""
        room = self.app.register.room(self.room(who, where))
        person = await self.app.register.person(self.author(who), renames=False)
        return scope_of(room, person.id, self.spaces(who))

    async def hears(
        self,
        who: str,
        where: str,
        text: str,
        *,
        reply_to: str | None = None,
        files: tuple[str, ...] = (),
    ) -> str:
        """Take one message, and wait for nothing."""
        author, room = self.author(who), self.room(who, where)
        if author.platform != DISCORD:
            await self._sits(author, room)
        external_id = f"m{next(_numbers)}"
        await self.app.inbox.receive(
            Inbound(
                external_id=external_id,
                room=room,
                author=author,
                text=text,
                sent_at=self.clock.now(),
                reply_to=reply_to,
                spaces=self.spaces(who),
                manages_space=MANAGERS.get(who) == room.space,
                attachments=tuple(_attached(name) for name in files),
            )
        )
        self.last_message = external_id
        return external_id

    async def says(self, who: str, where: str, text: str, **fields: Any) -> list[Shout]:
        """Say one thing and have everything that follows done; what was replied to anybody.

        Nothing is said under a name that the page refuses.
        """
        before = len(self.shouts)
        with suppress(NameOfPet, NameOfNamesake):
            await self.hears(who, where, text, **fields)
        await self.settles()
        return self.shouts[before:]

    async def invokes(self, who: str, where: str, command: str, **arguments: str) -> Answer:
        """Use a command of the platform's own, whose answer the caller alone reads."""
        answer = await self.app.platform_commands.call(
            self._invoked(who, where, command, arguments)
        )
        assert answer is not None
        return answer

    async def proposes(
        self, who: str, where: str, command: str, option: str, **arguments: str
    ) -> Sequence[Choice]:
        """What an option can be, by what was typed of it."""
        invoked = self._invoked(who, where, command, arguments)
        return await self.app.platform_commands.complete(invoked, option)

    def _invoked(self, who: str, where: str, command: str, arguments: Mapping[str, str]) -> Invoked:
        room = self.room(who, where)
        return Invoked(
            external_id=f"i{next(_numbers)}",
            room=room,
            author=self.author(who),
            command=command,
            arguments=arguments,
            spaces=self.spaces(who),
            manages_space=MANAGERS.get(who) == room.space,
        )

    async def does(self, operation: str, **arguments: Any) -> dict[str, Any]:
        """What an operation of the command line comes to; also when it is refused."""
        events = [one async for one in Operations(self.app).call(operation, arguments)]
        last: dict[str, Any] = events[-1]
        return last

    async def brings(self, path: Path, **chosen: Any) -> None:
        """Import a file, and learn from it."""
        done = await self.does("history_import", path=str(path), day_first=True, **chosen)
        assert "result" in done, done
        await self.app.services.history_learning.settle()
        await self.app.services.indexer.settle()

    async def joins(self, account: str, other: str) -> None:
        """Make two people one."""
        done = await self.does("join_accounts", account=account, other=other, yes=True)
        assert "result" in done, done
        await self.app.services.indexer.settle()

    async def parts(self, account: str) -> None:
        """Make an account a person of its own again."""
        done = await self.does("split_account", account=account, yes=True)
        assert "result" in done, done
        await self.app.services.indexer.settle()

    async def settles(self) -> None:
        """Let everything that was said be answered, shown and indexed."""
        self.clock.advance(timedelta(seconds=2))
        await within(PATIENCE_S, self._answered())
        await self.app.services.indexer.settle()
        self._collect()

    async def learns(self) -> None:
        """Let the talks be silent for long enough to be read, and read them."""
        self.clock.advance(timedelta(minutes=1))
        await self.app.services.conversation_facts.read_due()
        await self.app.services.indexer.settle()

    async def digests(self) -> None:
        """Have the lobbies read."""
        await self.app.services.digest.run()
        await self.app.services.indexer.settle()

    async def passes(self, minutes: float) -> None:
        """Let so much time pass, in which talks end."""
        self.clock.advance(timedelta(minutes=minutes))
        await self.app.contexts.end_idle()
        self.app.services.after_reply.look_around()
        await self.settles()

    async def _answered(self) -> None:
        await self.app.commands.quiet()
        await self.app.conversations.quiet()
        await self.app.commands.quiet()
        await self.app.services.after_reply.quiet()

    def _collect(self) -> None:
        for message in self.platform.sent[self._taken :]:
            room = message.room
            id_ = room.external_id.removeprefix("dm-")
            is_direct = room.kind is RoomKind.DIRECT
            reader = next((w for w, a in PEOPLE.items() if a.external_id == id_), None)
            self.shouts.append(
                Shout(room=room.id, text=message.text, reader=reader if is_direct else None)
            )
        self._taken = len(self.platform.sent)

    async def _sits(self, author: AuthorRef, room: RoomRef) -> None:
        """Read along in a room of the page, once for each room."""
        if room.external_id in self._read:
            return
        self._read.add(room.external_id)
        reader = None
        if room.kind is RoomKind.DIRECT:
            reader = next(w for w, a in PEOPLE.items() if a.external_id == author.external_id)
        events = await self.stack.enter_async_context(self.app.hub.talk(author, room).events())
        await self.stack.enter_async_context(
            background_task(self._reads(events, room.external_id, reader), name="reader")
        )

    async def _reads(self, events: AsyncIterator[object], room: str, reader: str | None) -> None:
        async for event in events:
            if isinstance(event, Shown) and event.kind is AuthorKind.PET:
                self.shouts.append(Shout(room=room, text=event.text, reader=reader))


def _attached(name: str) -> Attachment:
    return Attachment(name=name, media_type="image/png", size=10, url="https://cdn.invalid/x")


@asynccontextmanager
async def staged(
    folder: Path,
    *,
    locale: str = "en",
    model_url: str | None = None,
    names: Mapping[str, str] = MappingProxyType({}),
    rooms: Mapping[str, str] = MappingProxyType({}),
) -> AsyncIterator[Stage]:
    """The pet of a folder with its cast; it answers by rules, or by the model at a URL."""
    vault = folder / "vault"
    vault.mkdir(exist_ok=True)
    settings = Settings(
        data_dir=folder / "pet",
        locale=locale,
        embedder=EmbedderSettings(kind="none"),
        coalescing=CoalescingSettings(debounce_s=0, max_wait_s=0),
        recall=RecallSettings(
            deadline_ms=10_000
        ),  # a busy machine changes nothing of what is found
        extraction=ExtractionSettings(enabled=False, idle_s=20),
        admins=AdminSettings(identities=("discord:1", "console:*")),
        obsidian=ObsidianSettings(
            kind="folder", audience="everyone", folder=str(vault), context_tag=""
        ),
        model=ModelSettings(
            api_key=None if model_url is None else "test", base_url=model_url, retries=0
        ),
    )
    clock, platform = FrozenClock(NOON), QuietPlatform()
    async with (
        open_app(settings, clock, platforms=(platform,)) as app,
        AsyncExitStack() as stack,
    ):
        yield Stage(
            app=app,
            clock=clock,
            folder=folder,
            platform=platform,
            stack=stack,
            names=names,
            rooms=rooms,
        )
