"""What the pet says once to a guild that invites it: who it is, what it keeps, how to opt out."""

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from itertools import islice

import discord
import structlog

from bot.channels.discord.findings import TEXTS
from bot.channels.discord.inbound.rooms import GuildRules, is_hidden, room_of, space_of
from bot.errors import DeliveryFailed
from bot.model.turns import Outgoing
from bot.ports import Introductions
from bot.texts.catalogue import languages, texts_in
from memory.model.rooms import RoomRole

log = structlog.get_logger()

MOST_TRIES = 3
"""Channels that are tried: Discord refuses some in spite of the rights."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GreetingRules:
    """The pet's name, its own language, and what a guild's channels are."""

    pet_name: str
    locale: str
    guilds: GuildRules


class Greeting:
    """Greets a guild once for each invitation."""

    def __init__(
        self,
        introductions: Introductions,
        send: Callable[[Outgoing], Awaitable[str | None]],
        rules: GreetingRules,
    ) -> None:
        self._introductions = introductions
        self._send = send
        self._rules = rules

    async def joined(self, guild: discord.Guild) -> None:
        """Greet a guild, unless it was greeted since it invited the pet.

        Raises:
            StorageFailed: nothing was said, as it could not be kept in mind.

        """
        me: discord.Member | None = guild.me
        if me is None or me.joined_at is None:
            return
        space = space_of(guild.id)
        if not await self._introductions.take(space, me.joined_at):
            return
        texts = texts_in(locale_of(guild, self._rules.locale), TEXTS)
        text = texts.say("greeting", name=self._rules.pet_name)
        nonce = f"greeting:{guild.id}:{me.joined_at.isoformat()}"
        for channel in islice(channels_to_greet_in(guild, me, self._rules.guilds), MOST_TRIES):
            if await self._said(channel, text, nonce):
                log.info("guild.greeted", guild=guild.id, channel=channel.id)
                return
        await self._introductions.give_back(space)
        log.warning("greeting.missed", guild=guild.id)

    async def _said(self, channel: discord.TextChannel, text: str, nonce: str) -> bool:
        room = self._introductions.room(room_of(channel, self._rules.guilds))
        if room.role is RoomRole.IGNORED:
            return False
        try:
            await self._send(Outgoing(room=room, text=text, nonce=nonce))
        except DeliveryFailed as error:
            log.info("greeting.refused", channel=channel.id, reason=str(error))
            return False
        return True


def channels_to_greet_in(
    guild: discord.Guild, me: discord.Member, guilds: GuildRules
) -> Iterator[discord.TextChannel]:
    """Where the pet may write, where a guild hears of who joins first, hidden channels last."""
    writable = [channel for channel in guild.text_channels if _may_write(channel, me)]
    yield from sorted(
        writable, key=lambda channel: (is_hidden(channel, guilds), channel != guild.system_channel)
    )


def locale_of(guild: discord.Guild, default: str) -> str:
    """A guild's language, if the pet speaks it: only a community has chosen its own."""
    language = guild.preferred_locale.value.partition("-")[0]
    has_chosen = "COMMUNITY" in guild.features or language != "en"
    if not has_chosen:
        return default
    return language if language in languages() else "en"


def _may_write(channel: discord.TextChannel, me: discord.Member) -> bool:
    may = channel.permissions_for(me)
    return may.view_channel and may.send_messages
