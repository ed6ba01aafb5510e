"""A pet that may write first, with its clock in the test's hand and a platform that is a list."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from bot.errors import DeliveryRefused
from bot.model.events import AuthorRef, Inbound, Invoked, RoomRef
from bot.model.turns import Outgoing
from bot.ports import CatchUpRules, Communities, FileStore, Host, Model, Webhook
from bot.wiring.app import App, open_app
from config.sections.conversation import CoalescingSettings
from config.sections.model import ModelSettings
from config.sections.vectors import EmbedderSettings
from config.settings import Settings
from memory.clock import FrozenClock
from memory.model.rooms import SpaceId
from tests.cast import DAVID, PLATFORM, direct
from tests.flow.pet import ListedChannel
from tests.patience import PATIENCE_S
from tests.toy_channel.channel import NoPast

PARIS = ZoneInfo("Europe/Paris")
WEDNESDAY = datetime(2026, 3, 25, 10, tzinfo=PARIS)
"""Four days before the clock changes."""

ALONE = direct(DAVID)

NO_PAST = NoPast(platform=PLATFORM)
NOTHING = CatchUpRules(reach=timedelta(0), most_messages=0)
"""Nothing is read back."""


@dataclass
class ListedPlatform(ListedChannel):
    """The same as a whole platform; it never takes a message for a room in `closed`."""

    closed: set[str] = field(default_factory=set)
    past: NoPast = NO_PAST
    catch_up: CatchUpRules = NOTHING
    files: FileStore | None = None
    communities: Communities | None = None
    webhook: Webhook | None = None
    is_connected: bool = True

    async def send(self, message: Outgoing) -> str | None:
        """Keep a message, or refuse it for ever."""
        if message.room.external_id in self.closed:
            raise DeliveryRefused("Its direct messages are closed.")
        return await super().send(message)

    async def quiet(self) -> None:
        """It has no commands of its own."""

    async def run(self, host: Host) -> None:
        """Be there."""
        host.connected()
        await asyncio.Event().wait()


@dataclass
class Asking:
    """A pet that writes first, and what it wrote."""

    app: App
    clock: FrozenClock
    channel: ListedPlatform
    said: int = 0
    by_rules: bool = True
    """What people say is learnt from, which would ask a model."""

    async def hears(
        self,
        text: str,
        who: AuthorRef = DAVID,
        where: RoomRef = ALONE,
        *,
        manages: bool = False,
        spaces: frozenset[SpaceId] = frozenset(),
    ) -> list[str]:
        """Take one message and let it be answered; what was written since."""
        before = len(self.channel.texts)
        self.said += 1
        await self.app.inbox.receive(
            Inbound(
                external_id=f"m{self.said}",
                room=where,
                author=who,
                text=text,
                sent_at=self.clock.now(),
                spaces=spaces or frozenset({where.space}),
                manages_space=manages,
            )
        )
        async with asyncio.timeout(PATIENCE_S):
            await self.app.commands.quiet()
            await self.app.conversations.quiet()
            await self.app.services.indexer.settle()
        return self.channel.texts[before:]

    async def uses(
        self, command: str, who: AuthorRef = DAVID, where: RoomRef = ALONE, **arguments: str
    ) -> str:
        """What a command of the platform's own says: it is no message of its room."""
        self.said += 1
        invoked = Invoked(
            external_id=f"i{self.said}",
            room=where,
            author=who,
            command=command,
            arguments=arguments,
            locale="en",
        )
        answer = await self.app.platform_commands.call(invoked)
        assert answer is not None
        return answer.text

    async def at(self, day: int, clock: str, zone: ZoneInfo = PARIS) -> list[str]:
        """What it writes of its own accord at a time of a day; 0 is the Wednesday."""
        hour, minute = map(int, clock.split(":"))
        date = (WEDNESDAY + timedelta(days=day)).date()
        self.clock.at = datetime(date.year, date.month, date.day, hour, minute, tzinfo=zone)
        if self.by_rules:
            await self.app.services.conversation_facts.read_due()
        before = len(self.channel.texts)
        await self.app.checkins.look()
        return self.channel.texts[before:]

    async def audited(self) -> list[tuple[str, str]]:
        """What the audit log has of check-ins, the oldest first: the action and its detail."""
        entries = await self.app.storage.audit.latest(100)
        found = [(one.action, one.detail) for one in entries if one.action.startswith("checkin")]
        return found[::-1]


@asynccontextmanager
async def checking_in(
    folder: Path,
    channel: ListedPlatform | None = None,
    clock: FrozenClock | None = None,
    model: Model | None = None,
) -> AsyncIterator[Asking]:
    """The pet of a folder, on a Wednesday at ten in Paris; the same folder again is a restart."""
    clock, channel = clock or FrozenClock(WEDNESDAY), channel or ListedPlatform()
    settings = Settings(
        data_dir=folder,
        embedder=EmbedderSettings(kind="none"),
        coalescing=CoalescingSettings(debounce_s=0, max_wait_s=0),
        locale="en",
        model=ModelSettings(api_key=None if model is None else "test"),
    )
    async with open_app(settings, clock, platforms=(channel,), model=model, resuming=True) as app:
        yield Asking(app=app, clock=clock, channel=channel, by_rules=model is None)
