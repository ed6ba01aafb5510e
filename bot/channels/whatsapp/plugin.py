"""WhatsApp as one channel among others, from its section of the settings."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from types import MappingProxyType

from bot.channels.plugin import PetProfile, PlatformState
from bot.diagnostics.findings import Finding, PartState
from bot.ports import Platform
from config.sections.whatsapp import WhatsappSettings

TEXTS = Path(__file__).parent / "texts"


class WhatsappPlugin:
    """The ChannelPlugin of WhatsApp."""

    name = "whatsapp"
    managers: Mapping[str, str] = MappingProxyType({})

    def is_chosen(self, section: WhatsappSettings) -> bool:
        """Whether there is an agent's key."""
        return section.agent_key is not None

    @asynccontextmanager
    async def open(self, section: WhatsappSettings, pet: PetProfile) -> AsyncIterator[Platform]:
        """The channel until the body ends."""
        from bot.channels.whatsapp.agent_platform.api import AgentLimits
        from bot.channels.whatsapp.agent_platform.channel import (
            AgentPlatformChannel,
            AgentPlatformOptions,
        )

        del pet
        limits = AgentLimits(
            sends=section.agent_sends_per_minute, polls=section.agent_polls_per_minute
        )
        channel = AgentPlatformChannel(
            AgentPlatformOptions(key=_key(section), api_url=section.agent_api_url, limits=limits)
        )
        try:
            yield channel
        finally:
            await channel.close()

    async def look(self, section: WhatsappSettings, state: PlatformState) -> Finding:
        """Whether the key works."""
        if section.agent_key is None:
            return Finding(
                part=self.name,
                state=PartState.NOTE,
                said="unused",
                todo="set_key",
                texts=TEXTS,
            )
        from bot.channels.whatsapp.agent_platform.findings import look

        return await look(_key(section), section.agent_api_url, state)


def _key(section: WhatsappSettings) -> str:
    return section.agent_key.get_secret_value() if section.agent_key else ""
