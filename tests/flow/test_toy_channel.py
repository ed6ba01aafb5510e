"""A channel that was added by a folder, a section of the settings and a line of the registry."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from bot.channels.registry import CHANNELS
from bot.diagnostics.report import in_chat, on_machine
from bot.wiring import adapters as adapter_factories
from bot.wiring.app import App, open_app
from config.sections.channel import channels_in
from config.sections.conversation import CoalescingSettings
from config.sections.vectors import EmbedderSettings
from config.settings import Settings
from tests.toy_channel.channel import TEXT_LIMIT
from tests.toy_channel.plugin import TelegraphPlugin
from tests.toy_channel.section import TelegraphSettings

PATIENCE_S = 20


class TelegraphedSettings(Settings):
    """The settings with the line that the channel adds to them."""

    telegraph: TelegraphSettings = TelegraphSettings()


REGISTRY = (*CHANNELS, TelegraphPlugin())
"""The registry with the line that the channel adds to it."""


@dataclass
class Station:
    """The service elsewhere: it sends what is said there, and keeps what came back."""

    port: int = 0
    wire: asyncio.StreamWriter | None = None
    received: list[str] = field(default_factory=list)
    sent: int = 0

    def __post_init__(self) -> None:
        self._news = asyncio.Condition()

    async def listen(self, lines: asyncio.StreamReader, wire: asyncio.StreamWriter) -> None:
        """Take a wire, and what comes over it."""
        await self._changed(wire=wire)
        async for line in lines:
            self.received.append(json.loads(line)["text"])
            await self._changed(wire=wire)
        wire.close()

    async def connected(self) -> None:
        """Wait until there is a wire."""
        await self._until(lambda: self.wire is not None)

    async def says(self, text: str) -> None:
        """Send a message of a person, once there is a wire."""
        await self.connected()
        assert self.wire is not None
        self.sent += 1
        line = {"id": str(self.sent), "from": "ANA", "text": text}
        self.wire.write(json.dumps(line).encode() + b"\n")
        await self.wire.drain()

    async def hears(self, end: str) -> list[str]:
        """What came back, once it ends so."""
        await self._until(lambda: bool(self.received) and self.received[-1].endswith(end))
        return self.received

    async def _changed(self, *, wire: asyncio.StreamWriter) -> None:
        self.wire = wire
        async with self._news:
            self._news.notify_all()

    async def _until(self, is_so: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE_S), self._news:
            await self._news.wait_for(is_so)


@pytest.fixture
async def station() -> AsyncIterator[Station]:
    """A station on this machine."""
    found = Station()
    async with await asyncio.start_server(found.listen, "127.0.0.1", 0) as server:
        found.port = server.sockets[0].getsockname()[1]
        yield found


@asynccontextmanager
async def on_the_wire(folder: Path, station: Station | None) -> AsyncIterator[App]:
    """The pet with every channel of the registry that its settings have an account for."""
    settings = TelegraphedSettings(
        data_dir=folder,
        embedder=EmbedderSettings(kind="none"),
        coalescing=CoalescingSettings(debounce_s=0),
        telegraph=TelegraphSettings(station=None if station is None else str(station.port)),
    )
    async with (
        adapter_factories.open_platforms(settings, REGISTRY) as platforms,
        open_app(settings, resuming=True, platforms=platforms, channels=REGISTRY) as app,
    ):
        yield app


async def test_it_listens_and_answers_within_its_limits_and_mark_up(
    tmp_path: Path, station: Station
) -> None:
    """No message is longer than it takes, and none calls every station."""
    async with on_the_wire(tmp_path, station):
        await station.says("hello")
        await station.hears("all the same.")
        station.received.clear()
        await station.says("Remember that my favourite call is CQ from the roof at night.")
        answer = await station.hears("at night.")
    whole = " ".join(answer)
    assert "your favourite call is C-Q from the roof at night." in whole
    assert len(answer) > 1
    assert all(len(message) <= TEXT_LIMIT for message in answer)


async def test_the_doctor_looks_at_it_and_says_so_in_its_words(
    tmp_path: Path, station: Station
) -> None:
    """Beside the other channels of the registry, on the machine and in a chat."""
    async with on_the_wire(tmp_path, station) as app:
        await station.connected()
        findings = {one.part: one for one in await app.doctor.diagnose()}
    assert on_machine(findings["telegraph"]) == (f"station {station.port}", None)
    assert in_chat(findings["telegraph"], "fr") == f"✓ télégraphe : station {station.port}"
    assert list(findings).index("telegraph") == list(findings).index("matrix") + 1


async def test_one_that_is_not_chosen_is_not_opened(tmp_path: Path) -> None:
    """The doctor says what there is to set."""
    async with on_the_wire(tmp_path, None) as app:
        findings = {one.part: one for one in await app.doctor.diagnose()}
        assert app.platforms == []
    told = "• telegraph: not used: there is no station\n  Set [telegraph] station."
    assert in_chat(findings["telegraph"], "en") == told


@pytest.mark.parametrize(
    ("chosen", "says"),
    [
        ({"admins": {"identities": ["telegraph:ana"]}}, "must be a call sign in capitals"),
        ({"rooms": [{"platform": "telex", "external_id": "1"}]}, "or 'telegraph'"),
    ],
)
def test_accounts_and_rooms_are_judged_by_its_section(chosen: dict[str, Any], says: str) -> None:
    """The settings of all know no more than that there is one."""
    with pytest.raises(ValidationError, match=says):
        TelegraphedSettings.model_validate(chosen, context=channels_in(TelegraphedSettings))
