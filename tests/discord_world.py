"""Discord's payloads, read by the library itself: a client that knows a guild and no network."""

from collections.abc import Mapping, Sequence
from typing import Any

import discord

from tests.cast import NOON
from tests.edge.discord_guild import (
    GUILD,
    HISTORY,
    SEND,
    VIEW,
    guild_of,
    snowflake,
    text_channel,
    thread,
)

PET, ADA, BEN = 7, 1, 2
LOBBY, STAFF, TALK, NEWS = (10**17 + each for each in range(101, 105))
OPEN_THREAD, HIDDEN_THREAD, STRAY_THREAD, STAFF_THREAD = 201, 202, 203, 204
MODERATORS, PETS = 31, 32
"""Roles: whoever manages the guild, and the one that Discord makes for a bot."""

MANAGE, CONNECT = 1 << 5, 1 << 20
NAMES = {PET: "eko", ADA: "ada", BEN: "ben"}


def account(number: int, **fields: Any) -> dict[str, Any]:
    """An account."""
    name = NAMES.get(number, f"user{number}")
    return {"id": str(number), "username": name, "discriminator": "0", "avatar": None} | fields


def membership(**fields: Any) -> dict[str, Any]:
    """What a guild knows of a member."""
    joined = {"roles": [], "joined_at": "2026-01-01T00:00:00+00:00", "deaf": False, "mute": False}
    return {**joined, "flags": 0, **fields}


def message(text: str, *, channel: int = LOBBY, who: int = ADA, **fields: Any) -> dict[str, Any]:
    """A message in the guild, or in a direct channel with `guild_id` None."""
    about = {
        "id": str(snowflake(NOON)),
        "channel_id": str(channel),
        "guild_id": str(GUILD),
        "author": account(who),
        "member": membership(),
        "content": text,
        "timestamp": NOON.isoformat(),
        "edited_timestamp": None,
        "tts": False,
        "mention_everyone": False,
        "mentions": [],
        "mention_roles": [],
        "attachments": [],
        "embeds": [],
        "pinned": False,
        "type": 0,
    } | fields
    if about["guild_id"] is None:
        del about["guild_id"], about["member"]
    return about


def channels() -> Sequence[dict[str, Any]]:
    """An open channel, a hidden one, a voice channel that not all may enter, and announcements."""
    return [
        text_channel(LOBBY, "lobby"),
        text_channel(STAFF, "staff", everyone_may_not=VIEW),
        text_channel(TALK, "talk", everyone_may_not=CONNECT, kind=2)
        | {"bitrate": 1, "user_limit": 0},
        text_channel(NEWS, "news", kind=5),
    ]


def threads() -> Sequence[dict[str, Any]]:
    """An open thread, a private one, one below an unknown channel, and one below a hidden one."""
    hidden = thread(HIDDEN_THREAD, LOBBY) | {"type": 12}
    return [
        thread(OPEN_THREAD, LOBBY),
        hidden,
        thread(STRAY_THREAD, 999),
        thread(STAFF_THREAD, STAFF),
    ]


def roles() -> Sequence[dict[str, Any]]:
    """Everybody's, the moderators' and the one of the bot."""
    return [
        _role(GUILD, "@everyone", VIEW | SEND | HISTORY | CONNECT),
        _role(MODERATORS, "mods", MANAGE),
        _role(PETS, "Eko", 0) | {"tags": {"bot_id": str(PET)}},
    ]


def guild(**fields: Any) -> dict[str, Any]:
    """The guild."""
    return guild_of(
        channels(), owner_id="99", roles=list(roles()), threads=list(threads()), **fields
    )


def knowing() -> discord.Client:
    """A client that knows the guild."""
    client = discord.Client(
        intents=discord.Intents(guilds=True),
        member_cache_flags=discord.MemberCacheFlags.none(),
    )
    state = client._connection
    state.user = discord.ClientUser(state=state, data=account(PET, bot=True))  # type: ignore[arg-type]
    state._add_guild_from_data(guild())  # type: ignore[arg-type]
    return client


def said(client: discord.Client, payload: Mapping[str, Any]) -> discord.Message:
    """A message as the library reads it from the gateway."""
    state = client._connection
    place, _ = state._get_guild_channel(dict(payload))  # type: ignore[arg-type]
    return discord.Message(state=state, channel=place, data=dict(payload))  # type: ignore[arg-type]


def _role(number: int, name: str, permissions: int) -> dict[str, Any]:
    look = {"color": 0, "hoist": False, "managed": False, "mentionable": False, "position": 0}
    return {"id": str(number), "name": name, "permissions": str(permissions), **look}
