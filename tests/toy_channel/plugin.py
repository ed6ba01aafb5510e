"""The telegraph as one channel among others, from its section of the settings."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from types import MappingProxyType

from bot.diagnostics.findings import Finding, PartState
from bot.platforms.plugin import PetProfile, PlatformState
from bot.ports import Platform
from tests.toy_channel.channel import Telegraph
from tests.toy_channel.section import TelegraphSettings

TEXTS = Path(__file__).parent / "texts"


class TelegraphPlugin:
    """The ChannelPlugin of the telegraph."""

    name = "telegraph"
    reacts = False
    managers: Mapping[str, str] = MappingProxyType({})
    writing_first: Mapping[str, str] = MappingProxyType({})

    def is_chosen(self, section: TelegraphSettings) -> bool:
        """Whether there is a station."""
        return section.station is not None

    @asynccontextmanager
    async def open(self, section: TelegraphSettings, pet: PetProfile) -> AsyncIterator[Platform]:
        """The channel, which needs nothing of its own."""
        del pet
        yield Telegraph(int(section.station or 0))

    async def look(self, section: TelegraphSettings, state: PlatformState) -> Finding:
        """Whether there is a wire."""
        if section.station is None:
            return Finding(
                part=self.name, state=PartState.NOTE, said="unused", todo="choose", texts=TEXTS
            )
        return Finding(
            part=self.name,
            state=PartState.OK if state.connected else PartState.FAIL,
            said="connected" if state.connected else "apart",
            values={"station": section.station},
            texts=TEXTS,
        )
