"""Discord as one channel among others, from its section of the settings."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, nullcontext
from dataclasses import replace
from datetime import timedelta

from bot.channels.discord.findings import TEXTS, finding_of
from bot.diagnostics.findings import Finding
from bot.model.shards import ShardRange
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

    @property
    def writing_first(self) -> Mapping[str, str]:
        """What hinders writing first to one person, by language."""
        from bot.texts.catalogue import languages, texts_in

        return {one: texts_in(one, TEXTS).say("writing_first") for one in languages()}

    def is_chosen(self, section: DiscordSettings) -> bool:
        """Whether there is a bot token."""
        return section.token is not None

    @asynccontextmanager
    async def open(self, section: DiscordSettings, pet: PetProfile) -> AsyncIterator[Platform]:
        """The channel, and where it fetches files from, until the body ends.

        Raises:
            ShardsTaken: another process has shards that were chosen for this one.

        """
        from bot.channels.discord.channel import DiscordChannel
        from bot.channels.discord.connection import DiscordOptions
        from bot.channels.discord.inbound.cdn import Cdn
        from bot.channels.discord.outbound.sender import SendingRules
        from bot.channels.discord.shard_claims import claimed, refuse_marked

        token, shards = _token(section), ShardRange.parsed(section.shards)
        files = Cdn(is_trial=section.api_url is not None)
        options = DiscordOptions(
            token=token,
            pet_name=pet.name,
            locale=pet.locale,
            default_role=RoomRole(section.default_role),
            everyone_roles=dict(map(_numbers, section.everyone_roles)),
            greets=section.greeting,
            sending=SendingRules(face=section.expression),
            catch_up=CatchUpRules(
                reach=timedelta(hours=section.catch_up_hours),
                most_messages=section.catch_up_messages,
                asked_days=section.read_back_days,
                asked_messages=section.read_back_messages,
            ),
            files=files,
            shards=shards,
            api_url=section.api_url,
        )
        if shards is None:
            refuse_marked(pet.folder)
        try:
            with nullcontext() if shards is None else claimed(token, shards, pet.folder):
                yield DiscordChannel(options)
        finally:
            await files.close()

    async def look(self, section: DiscordSettings, state: PlatformState) -> Finding:
        """Whether the token works, and what it allows."""
        if section.token is None:
            return finding_of(None, state)
        from bot.channels.discord.channel import DiscordChannel
        from bot.channels.discord.probe import DiscordProbe

        sight = await DiscordProbe(_token(section), api_url=section.api_url).look()
        if isinstance(state.platform, DiscordChannel):
            here = state.platform
            lacking = here.communities.lacking()
            sight = replace(sight, lacking=lacking, trouble=here.trouble, sessions=here.sessions)
        return finding_of(sight, state)


def _numbers(pair: str) -> tuple[int, int]:
    guild, role = pair.split(":")
    return int(guild), int(role)


def _token(section: DiscordSettings) -> str:
    return section.token.get_secret_value() if section.token else ""
