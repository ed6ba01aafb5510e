"""A look at Discord by its requests alone, and the link that invites the pet to a community."""

import asyncio
from base64 import urlsafe_b64decode
from binascii import Error as NotBase64
from collections.abc import Mapping

import aiohttp
import discord
from discord.http import HTTPClient, Route
from pydantic import BaseModel, ValidationError

from bot.channels.discord.findings import DiscordSight, Login

SCOPES = ("bot", "applications.commands")
"""To be a member of the server, and to have commands of its own there."""

NEEDED: Mapping[str, str] = {
    "view_channel": "to read along, and to know which channels there are",
    "send_messages": "to answer",
    "send_messages_in_threads": "to answer in threads, which the permission above does not cover",
    "read_message_history": "to answer as a reply, and to read what was said while it was away",
    "add_reactions": "to answer by an emoji alone",
    "attach_files": "to show its face as a picture, and to hand over what somebody exports",
}
"""Each permission by its name in discord.py, with what it is for.

Not asked for: links that it writes need no preview (embed_links), it mentions no group
(mention_everyone), and it changes nothing of others (manage_messages and the like).
"""

PERMISSION_NAMES: Mapping[str, str] = {
    "view_channel": "View Channels",
    "send_messages": "Send Messages",
    "send_messages_in_threads": "Send Messages in Threads",
    "read_message_history": "Read Message History",
    "add_reactions": "Add Reactions",
    "attach_files": "Attach Files",
}
"""How Discord calls them where they are given."""


def permissions() -> discord.Permissions:
    """The permissions that are needed."""
    return discord.Permissions(**dict.fromkeys(NEEDED, True))


def invite_url(client_id: int) -> str:
    """Where a manager of a server lets the pet in."""
    return discord.utils.oauth_url(client_id, permissions=permissions(), scopes=SCOPES)


def client_id_in(token: str) -> int | None:
    """The id that the first part of a token stands for, in base64; None where it is no token.

    It is the id of the bot's account, which is the application's but for the oldest bots.
    """
    first = token.strip().partition(".")[0]
    try:
        text = urlsafe_b64decode(first + "=" * (-len(first) % 4)).decode("ascii")
    except (NotBase64, ValueError):
        return None
    return int(text) if text.isdecimal() else None


LIMIT_S = 5.0
"""Seconds the whole look may take: the caller of the doctor waits for it."""


class _Account(BaseModel):
    username: str


class _Application(BaseModel):
    id: int
    flags: int = 0
    approximate_guild_count: int | None = None


class DiscordProbe:
    """Looks at the account of a token without being connected."""

    def __init__(self, token: str, *, api_url: str | None = None, limit_s: float = LIMIT_S) -> None:
        self._token = token.strip()
        self._api_url = api_url
        self._limit_s = limit_s

    async def look(self) -> DiscordSight:
        """What the token is good for now; never fails, at worst says why it could not be seen."""
        try:
            async with asyncio.timeout(self._limit_s):
                return await self._seen()
        except ValidationError:  # a server answers, but not Discord
            return self._unseen(Login.UNREACHABLE)
        except (discord.LoginFailure, ValueError):  # the second for one that fits in no header
            return self._unseen(Login.REFUSED)
        except (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError):
            return self._unseen(Login.UNREACHABLE)

    def _unseen(self, login: Login) -> DiscordSight:
        client_id = client_id_in(self._token)
        return DiscordSight(login=login, invite="" if client_id is None else invite_url(client_id))

    async def _seen(self) -> DiscordSight:
        if self._api_url is not None:
            Route.BASE = self._api_url.rstrip("/")
        http = HTTPClient(asyncio.get_running_loop())
        try:
            account = _Account.model_validate(await http.static_login(self._token))
            application = _Application.model_validate(await http.application_info())
        finally:
            await http.close()
        return DiscordSight(
            login=Login.WORKS,
            name=account.username,
            reads_content=_reads_content(application.flags),
            guilds=application.approximate_guild_count,
            invite=invite_url(application.id),
        )


def _reads_content(flags: int) -> bool:
    """Whether the application may read messages that do not address it."""
    allowed = discord.ApplicationFlags._from_value(flags)  # noqa: SLF001 - it has no other way in
    return allowed.gateway_message_content or allowed.gateway_message_content_limited
