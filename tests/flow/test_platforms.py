"""Services elsewhere: nobody waits for them, and they leave last."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from bot.conversation.splitting import MARKDOWN
from bot.errors import ChannelAway
from bot.model.events import Inbound
from bot.model.turns import Outgoing
from bot.platforms.parts import Redelivery
from bot.ports import CatchUpRules, Communities, FileStore, Host, Markup, Webhook
from bot.wiring.app import App, open_app
from config.sections.conversation import CoalescingSettings
from config.sections.vectors import EmbedderSettings
from config.settings import Settings
from memory.clock import SystemClock
from memory.model.rooms import Room
from memory.tasks import InFlight, background_task
from tests.cast import CORNER, DAVID, PLATFORM
from tests.flow.past import RULES, ListedPast
from tests.patience import PATIENCE_S


@dataclass
class Service:
    """A platform that is away until it is `reached`; it keeps what it was sent, and its end.

    While `gate` is shut a message is on its way.
    """

    platform: str = PLATFORM
    text_limit: int = 2000
    markup: Markup = MARKDOWN
    catch_up: CatchUpRules = RULES
    files: FileStore | None = None
    communities: Communities | None = None
    webhook: Webhook | None = None
    past: ListedPast = field(default_factory=ListedPast)
    diary: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.host: asyncio.Future[Host] = asyncio.get_running_loop().create_future()
        self.answering = InFlight()
        self.sending = asyncio.Event()
        self.gate = asyncio.Event()
        self.gate.set()
        self.is_connected = False
        self._news = asyncio.Condition()

    async def reach(self) -> None:
        """Be there."""
        self.is_connected = True
        (await self.host).connected()

    async def quiet(self) -> None:
        """Wait until its commands are answered."""
        await self.answering.quiet()

    async def run(self, host: Host) -> None:
        """Be there until cancelled."""
        self.host.set_result(host)
        try:
            await asyncio.Event().wait()
        finally:
            self.diary.append("left")

    async def send(self, message: Outgoing) -> str | None:
        """Keep a message."""
        if not self.is_connected:
            raise ChannelAway
        self.sending.set()
        await self.gate.wait()
        self.diary.append(message.text)
        async with self._news:
            self._news.notify_all()
        return None

    async def show_typing(self, room: Room) -> None:
        """Shown to nobody."""

    async def says(self, text: str) -> None:
        """Somebody writes there."""
        said = Inbound(
            external_id=text, room=CORNER, author=DAVID, text=text, sent_at=SystemClock().now()
        )
        await (await self.host).inbox.receive(said)

    async def is_sent(self, count: int) -> None:
        """Wait until that much was sent."""
        async with asyncio.timeout(PATIENCE_S), self._news:
            await self._news.wait_for(lambda: len(self.diary) >= count)


@asynccontextmanager
async def on(service: Service, folder: Path) -> AsyncIterator[App]:
    """The pet on that platform."""
    settings = Settings(
        data_dir=folder,
        embedder=EmbedderSettings(kind="none"),
        coalescing=CoalescingSettings(debounce_s=0),
    )
    async with open_app(settings, resuming=True, platforms=[service]) as app:
        yield app


async def until_replied(app: App) -> None:
    """Wait until everything said was thought about."""
    async with asyncio.timeout(PATIENCE_S):
        await app.conversations.quiet()


async def test_what_was_said_for_a_platform_that_is_away_is_sent_when_it_is_there(
    tmp_path: Path,
) -> None:
    """Also after a restart, which does not wait for it."""
    service = Service()
    async with on(service, tmp_path) as app:
        await service.says("bonjour")
        await until_replied(app)
    assert service.diary == ["left"]
    service = Service()
    async with on(service, tmp_path):
        assert service.diary == []
        await service.reach()
        await service.is_sent(1)
        await service.reach()
    assert len(service.diary) == 2


async def test_a_reply_that_is_on_its_way_arrives_before_the_platform_is_left(
    tmp_path: Path,
) -> None:
    """A stop lets it finish."""
    service = Service()
    async with on(service, tmp_path):
        await service.reach()
        service.gate.clear()
        await service.says("bonjour")
        async with asyncio.timeout(PATIENCE_S):
            await service.sending.wait()
        asyncio.get_running_loop().call_later(0.05, service.gate.set)
    assert len(service.diary) == 2
    assert service.diary[-1] == "left"


async def test_a_command_of_the_platform_is_answered_before_it_is_left(tmp_path: Path) -> None:
    """Whoever asked would wait for ever."""
    service = Service()

    async def answers() -> None:
        with service.answering.one():
            asked.set()
            await asyncio.sleep(0.05)
            service.diary.append("answered")

    asked = asyncio.Event()
    async with background_task(answers(), name="command"):
        async with on(service, tmp_path):
            await service.reach()
            await asked.wait()
        assert service.diary == ["answered", "left"]


@pytest.mark.parametrize("arrivals", [1, 3])
async def test_every_arrival_is_followed_by_all_steps(arrivals: int) -> None:
    """Those that come together by one pass; a step that fails stops no other."""
    done: list[str] = []
    passed = asyncio.Event()

    async def fails() -> None:
        done.append("fails")
        raise ValueError

    async def works() -> None:
        done.append("works")
        passed.set()

    coming = Redelivery([("fails", fails), ("works", works)])
    async with background_task(coming.run(), name="redelivery"), asyncio.timeout(PATIENCE_S):
        for _ in range(arrivals):
            coming.connected()
        await passed.wait()
        assert done == ["fails", "works"]
        passed.clear()
        coming.connected()
        await passed.wait()
    assert done == ["fails", "works"] * 2
