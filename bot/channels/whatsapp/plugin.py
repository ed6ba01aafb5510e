"""WhatsApp as one channel among others, by the way that its section of the settings has a key for.

`access_token` opens the Cloud API of `cloud/`; `agent_key` opens the Agent Platform.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from bot.channels.whatsapp.service.findings import finding_of
from bot.diagnostics.findings import Finding
from bot.platforms.plugin import PetProfile, PlatformState
from bot.ports import Platform
from config.sections.whatsapp import WhatsappSettings

if TYPE_CHECKING:
    from bot.channels.whatsapp.agent_platform.channel import AgentPlatformOptions
    from bot.channels.whatsapp.cloud.options import CloudOptions


class WhatsappPlugin:
    """The ChannelPlugin of WhatsApp."""

    name = "whatsapp"
    reacts = True
    managers: Mapping[str, str] = MappingProxyType({})

    @property
    def writing_first(self) -> Mapping[str, str]:
        """What hinders writing first to one person, by language."""
        from bot.channels.whatsapp.service.findings import TEXTS
        from bot.texts.catalogue import languages, texts_in

        return {one: texts_in(one, TEXTS).say("writing_first") for one in languages()}

    def is_chosen(self, section: WhatsappSettings) -> bool:
        """Whether there is a key for either way."""
        return section.access_token is not None or section.agent_key is not None

    @asynccontextmanager
    async def open(self, section: WhatsappSettings, pet: PetProfile) -> AsyncIterator[Platform]:
        """The channel of the way that is chosen, until the body ends."""
        from bot.channels.whatsapp.agent_platform.channel import AgentPlatformChannel
        from bot.channels.whatsapp.cloud.channel import CloudChannel

        channel: AgentPlatformChannel | CloudChannel
        if section.agent_key is None:
            channel = CloudChannel(_cloud(section, pet.locale, pet.folder))
        else:
            channel = AgentPlatformChannel(_agent(section))
        try:
            yield channel
        finally:
            await channel.close()

    async def look(self, section: WhatsappSettings, state: PlatformState) -> Finding:
        """Whether the key works, and whether Meta calls where it has to."""
        if section.agent_key is not None:
            from bot.channels.whatsapp.agent_platform.findings import look

            return await look(_agent(section).key, section.agent_api_url, state)
        if section.access_token is None:
            return finding_of(None)
        from bot.channels.whatsapp.cloud.probe import sight_of

        return finding_of(await sight_of(_cloud(section, "", state.folder), state.platform))


def _agent(section: WhatsappSettings) -> "AgentPlatformOptions":
    from bot.channels.whatsapp.agent_platform.api import AgentLimits
    from bot.channels.whatsapp.agent_platform.channel import AgentPlatformOptions
    from bot.channels.whatsapp.agent_platform.sender import AgentSending

    return AgentPlatformOptions(
        key=section.agent_key.get_secret_value() if section.agent_key else "",
        api_url=section.agent_api_url,
        limits=AgentLimits(
            sends=section.agent_sends_per_minute, polls=section.agent_polls_per_minute
        ),
        sending=AgentSending(face=section.expression == "emoji"),
    )


def _cloud(section: WhatsappSettings, locale: str, folder: Path | None) -> "CloudOptions":
    from bot.channels.whatsapp.cloud.options import CloudOptions, CloudSendingRules

    return CloudOptions(
        access_token=section.access_token.get_secret_value() if section.access_token else "",
        phone_number_id=section.phone_number_id or "",
        business_account_id=section.business_account_id or "",
        app_secret=section.app_secret.get_secret_value() if section.app_secret else "",
        verify_token=section.verify_token.get_secret_value() if section.verify_token else "",
        allowed=section.allowed,
        locale=locale,
        api_version=section.api_version,
        api_url=section.api_url,
        sending=CloudSendingRules(face=section.expression),
        folder=folder,
    )
