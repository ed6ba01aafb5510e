"""A guild as Discord describes it, known to the library's own client, and its channels' archive."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import discord
from discord.utils import time_snowflake

from tests.cast import NOON
from tests.edge.discord_rest import USER, refusal, who_it_is
from tests.edge.loopback import Answer, Asked

GUILD = 9
EVERYONE = {"id": str(GUILD), "type": 0, "allow": "0"}
"""The role of everybody, as an overwrite of a channel names it."""

VIEW, SEND, HISTORY = 1 << 10, 1 << 11, 1 << 16
"""Rights as Discord numbers them."""


def text_channel(
    number: int, name: str, *, everyone_may_not: int = 0, kind: int = 0
) -> dict[str, Any]:
    """A channel of the guild; what everybody may not, the pet may not either."""
    denied = [{**EVERYONE, "deny": str(everyone_may_not)}] if everyone_may_not else []
    return {
        "id": str(number),
        "type": kind,
        "name": name,
        "position": number,
        "permission_overwrites": denied,
        "nsfw": False,
        "parent_id": None,
    }


def thread(number: int, parent: int) -> dict[str, Any]:
    """An open thread."""
    return {
        "id": str(number),
        "type": 11,
        "guild_id": str(GUILD),
        "parent_id": str(parent),
        "owner_id": "1",
        "name": "thread",
        "message_count": 0,
        "member_count": 1,
        "thread_metadata": {
            "archived": False,
            "locked": False,
            "auto_archive_duration": 60,
            "archive_timestamp": "2026-01-17T12:00:00+00:00",
        },
    }


def pet_since(moment: datetime) -> dict[str, Any]:
    """The pet as a member, invited at a moment."""
    member = {"user": USER, "roles": [], "joined_at": moment.isoformat()}
    return {**member, "deaf": False, "mute": False, "flags": 0}


def guild_of(channels: Sequence[Mapping[str, Any]], **fields: Any) -> dict[str, Any]:
    """The guild as it is told of when the pet joins; everybody may view, write and read."""
    everyone = {
        "id": str(GUILD),
        "name": "@everyone",
        "permissions": str(VIEW | SEND | HISTORY),
        "position": 0,
        "color": 0,
        "hoist": False,
        "managed": False,
        "mentionable": False,
    }
    return {
        "id": str(GUILD),
        "name": "guild",
        "owner_id": "1",
        "roles": [everyone],
        "emojis": [],
        "features": [],
        "members": [pet_since(NOON)],
        "channels": list(channels),
        "threads": [],
        "system_channel_id": None,
        "preferred_locale": "en-US",
        "member_count": 2,
        **fields,
    }


def joined(client: discord.Client, guild: Mapping[str, Any]) -> discord.Guild:
    """Let the client hear of a guild, as the gateway tells it."""
    client._connection.parse_guild_create(dict(guild))
    found = client.get_guild(int(guild["id"]))
    assert found is not None
    return found


def snowflake(at: datetime, number: int = 0) -> int:
    """An id that Discord gives to what happens at a moment."""
    return time_snowflake(at) + number


@dataclass
class Archive:
    """What Discord lists of its channels, the latest first, as its clients ask for it.

    `channels` are those it describes when asked; `refuses` is what it answers to everything.
    """

    said: dict[int, list[dict[str, Any]]] = field(default_factory=dict)
    channels: dict[int, dict[str, Any]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    refuses: Answer | None = None

    def says(self, channel: int, text: str, minute: int, **fields: Any) -> str:
        """Let somebody say something a number of minutes after noon; its id."""
        at = NOON + timedelta(minutes=minute)
        id_ = str(snowflake(at, number=fields.pop("number", 0)))
        ada = {"id": "1", "username": "ada", "discriminator": "0", "avatar": None}
        message = {
            "id": id_,
            "channel_id": str(channel),
            "author": ada,
            "content": text,
            "timestamp": at.isoformat(),
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
        self.said.setdefault(channel, []).append(message)
        return id_

    async def answer(self, asked: Asked) -> Answer:
        """What Discord answers to a request for a channel or for what was said in it."""
        if (identity := who_it_is(asked)) is not None:
            return identity
        place = urlsplit(asked.path)
        self.asked.append(place.path)
        if self.refuses is not None:
            return self.refuses
        parts = place.path.split("/")
        if parts[-1] == "messages":
            return _json(self._listed(int(parts[-2]), parse_qs(place.query)))
        described = self.channels.get(int(parts[-1]))
        return refusal(404, 10003) if described is None else _json(described)

    def _listed(self, channel: int, query: Mapping[str, Sequence[str]]) -> list[dict[str, Any]]:
        said = sorted(self.said.get(channel, []), key=lambda one: -int(one["id"]))
        before = int(query["before"][0]) if "before" in query else 1 << 63
        earlier = [one for one in said if int(one["id"]) < before]
        return earlier[: int(query["limit"][0])]


def _json(body: object) -> Answer:
    return Answer(body=json.dumps(body).encode(), headers={"content-type": "application/json"})
