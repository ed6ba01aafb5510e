"""Telegram as one channel among others, from its section of the settings."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from bot.channels.telegram.findings import TEXTS, finding_of
from bot.diagnostics.findings import Finding
from bot.platforms.plugin import PetProfile, PlatformState
from bot.ports import Platform
from config.sections.telegram import TelegramSettings
from memory.clock import SystemClock
from memory.model.rooms import RoomRole

_CLOCK = SystemClock()
"""What Telegram says of failures is by the real time."""


class TelegramPlugin:
    """The ChannelPlugin of Telegram."""

    name = "telegram"
    reacts = True

    @property
    def managers(self) -> Mapping[str, str]:
        """Who manages a group, by language."""
        from bot.texts.catalogue import languages, texts_in

        return {one: texts_in(one, TEXTS).say("managers") for one in languages()}

    @property
    def writing_first(self) -> Mapping[str, str]:
        """What hinders writing first to one person, by language."""
        from bot.texts.catalogue import languages, texts_in

        return {one: texts_in(one, TEXTS).say("writing_first") for one in languages()}

    def is_chosen(self, section: TelegramSettings) -> bool:
        """Whether there is a bot token."""
        return section.token is not None

    @asynccontextmanager
    async def open(self, section: TelegramSettings, pet: PetProfile) -> AsyncIterator[Platform]:
        """The channel with its connections, until the body ends."""
        from bot.channels.telegram.channel import TelegramChannel
        from bot.channels.telegram.options import TelegramOptions
        from bot.channels.telegram.service.api import HttpBotApi

        options = TelegramOptions(
            token=_token(section),
            pet_name=pet.name,
            locale=pet.locale,
            default_role=RoomRole(section.default_role),
            greets=section.greeting,
            face=section.expression,
            webhook_url=section.webhook_url,
            api_url=section.api_url,
        )
        api = HttpBotApi(options.token, options.api_url)
        try:
            yield TelegramChannel(options, api)
        finally:
            await api.close()

    async def look(self, section: TelegramSettings, state: PlatformState) -> Finding:
        """Whether the token works, and what it allows."""
        if section.token is None:
            return finding_of(None, state)
        from bot.channels.telegram.probe import look
        from bot.channels.telegram.service.api import HttpBotApi

        api = HttpBotApi(_token(section), section.api_url)
        try:
            sight = await look(api, _CLOCK.now().timestamp(), state.platform)
            return finding_of(sight, state)
        finally:
            await api.close()


def _token(section: TelegramSettings) -> str:
    return section.token.get_secret_value() if section.token else ""
