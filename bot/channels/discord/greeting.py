"""What the pet says once to a guild that invites it: who it is, what it keeps, how to opt out."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import discord
import structlog

from bot.channels.discord.findings import TEXTS
from bot.channels.discord.inbound.rooms import (
    GuildRules,
    is_hidden,
    is_public,
    room_of,
    space_of,
)
from bot.channels.discord.newcomer_gate import NewcomerGate, NewcomerGates
from bot.errors import DeliveryFailed
from bot.model.events import RoomRef
from bot.model.turns import Outgoing
from bot.ports import Introductions
from bot.texts.catalogue import Texts, languages, texts_in
from memory.model.rooms import RoomRole

log = structlog.get_logger()

MOST_TRIES = 3
"""Channels that are tried: Discord refuses some in spite of the rights."""


MOST_NAMED = 5
"""Roles that a greeting names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GreetingRules:
    """The pet's name, its own language, and what a guild's channels are.

    `offers_past` says that those who manage a guild may have a channel's past read.
    """

    pet_name: str
    locale: str
    guilds: GuildRules
    offers_past: bool = False


class Greeting:
    """Greets a guild once for each invitation, and says what it took for a gate there."""

    def __init__(
        self,
        introductions: Introductions,
        send: Callable[[Outgoing], Awaitable[str | None]],
        rules: GreetingRules,
        gates: NewcomerGates,
    ) -> None:
        self._introductions = introductions
        self._send = send
        self._rules = rules
        self._gates = gates

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
        gate = await self._gates.of(guild)
        rules = _rules_behind(gate, self._rules.guilds)
        offered = [texts.say("greeting_past")] if self._rules.offers_past else []
        greeting = texts.say("greeting", name=self._rules.pet_name)
        text = "\n".join([greeting, *_said_of(gate, texts), *offered])
        nonce = f"greeting:{guild.id}:{me.joined_at.isoformat()}"
        for channel in islice(channels_to_greet_in(guild, me, rules), MOST_TRIES):
            if await self._said(room_of(channel, rules), text, nonce):
                if gate is not None and gate.role is not None:  # only once it was said
                    await self._gates.passed_by(guild, gate.role)
                log.info("guild.greeted", guild=guild.id, channel=channel.id)
                return
        await self._introductions.give_back(space)
        log.warning("greeting.missed", guild=guild.id)

    async def _said(self, ref: RoomRef, text: str, nonce: str) -> bool:
        room = self._introductions.room(ref)
        if room.role is RoomRole.IGNORED:
            return False
        try:
            await self._send(Outgoing(room=room, text=text, nonce=nonce))
        except DeliveryFailed as error:
            log.info("greeting.refused", channel=ref.external_id, reason=str(error))
            return False
        return True


def channels_to_greet_in(
    guild: discord.Guild, me: discord.Member, guilds: GuildRules
) -> Iterator[discord.TextChannel]:
    """Where the pet may write, where a guild hears of who joins first, hidden channels last.

    Before a gate it speaks only where members alone are not to be had: it is they who must know.
    """
    writable = [channel for channel in guild.text_channels if _may_write(channel, me)]
    yield from sorted(
        writable,
        key=lambda channel: (
            is_hidden(channel, guilds),
            is_public(channel, guilds),
            channel != guild.system_channel,
        ),
    )


def _rules_behind(gate: NewcomerGate | None, guilds: GuildRules) -> GuildRules:
    """What channels are once a gate was recognised."""
    if gate is None or gate.role is None:
        return guilds
    role = str(gate.role.id)
    return replace(guilds, chosen=lambda _: role)


def _said_of(gate: NewcomerGate | None, texts: Texts) -> Sequence[str]:
    """What a guild is told of its gate: whom the pet takes for everybody, or its doubt."""
    if gate is None:
        return ()
    if gate.role is not None:
        return [texts.say("gate_recognised", role=gate.role.name)]
    if not gate.candidates:
        return [texts.say("gate_unsure")]
    names = ", ".join(role.name for role in gate.candidates[:MOST_NAMED])
    return [texts.say("gate_unsure_which", roles=names)]


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
