"""Discord as one channel among others, from its section of the settings."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import timedelta

from bot.channels.discord.findings import TEXTS, finding_of
from bot.diagnostics.findings import Finding
from bot.platforms.plugin import PetProfile, PlatformState
from bot.ports import CatchUpRules, Platform
from config.sections.discord import DiscordSettings
from memory.model.rooms import RoomRole


class DiscordPlugin:
    """The ChannelPlugin of Discord."""

    name = "discord"
    reacts = True

    @property
    def managers(self) -> Mapping[str, str]:
        """Who manages a server, by language."""
        from bot.texts.catalogue import languages, texts_in

        return {one: texts_in(one, TEXTS).say("managers") for one in languages()}

    def is_chosen(self, section: DiscordSettings) -> bool:
        """Whether there is a bot token."""
        return section.token is not None

    @asynccontextmanager
    async def open(self, section: DiscordSettings, pet: PetProfile) -> AsyncIterator[Platform]:
        """The channel, and where it fetches files from, until the body ends."""
        from bot.channels.discord.channel import DiscordChannel
        from bot.channels.discord.connection import DiscordOptions
        from bot.channels.discord.inbound.cdn import Cdn
        from bot.channels.discord.outbound.sender import SendingRules

        files = Cdn(is_trial=section.api_url is not None)
        options = DiscordOptions(
            token=_token(section),
            pet_name=pet.name,
            locale=pet.locale,
            default_role=RoomRole(section.default_role),
            everyone_roles=dict(map(_numbers, section.everyone_roles)),
            greets=section.greeting,
            sending=SendingRules(face=section.expression),
            catch_up=CatchUpRules(
                reach=timedelta(hours=section.catch_up_hours),
                most_messages=section.catch_up_messages,
            ),
            files=files,
            api_url=section.api_url,
        )
        try:
            yield DiscordChannel(options)
        finally:
            await files.close()

    async def look(self, section: DiscordSettings, state: PlatformState) -> Finding:
        """Whether the token works, and what it allows."""
        if section.token is None:
            return finding_of(None, state)
        from bot.channels.discord.probe import DiscordProbe

        sight = await DiscordProbe(_token(section), api_url=section.api_url).look()
        return finding_of(sight, state)


def _numbers(pair: str) -> tuple[int, int]:
    guild, role = pair.split(":")
    return int(guild), int(role)


def _token(section: DiscordSettings) -> str:
    return section.token.get_secret_value() if section.token else ""
