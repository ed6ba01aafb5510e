"""Discord's REST interface on loopback: it keeps what it is asked and answers as it is told."""

import json
from collections import deque
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import discord
import pytest
from discord.http import Route

from tests.edge.loopback import Answer, Answering, Asked, LoopbackServer

USER = {"id": "7", "username": "eko", "discriminator": "0", "avatar": None, "bot": True}

REPLY_OF: Mapping[str, Any] = {
    "author": USER,
    "attachments": [],
    "embeds": [],
    "mentions": [],
    "mention_roles": [],
    "mention_everyone": False,
    "pinned": False,
    "tts": False,
    "type": 0,
    "timestamp": "2026-01-17T12:00:00+00:00",
    "edited_timestamp": None,
}


def refusal(status: int, code: int, message: str = "No") -> Answer:
    """What Discord answers when it says no."""
    return Answer(status=status, body=json.dumps({"code": code, "message": message}).encode())


def limited(retry_after: float, *, everywhere: bool = False) -> Answer:
    """What Discord answers when it asks to wait."""
    body = {"message": "slow", "retry_after": retry_after, "global": everywhere}
    return Answer(status=429, body=json.dumps(body).encode(), headers={"Via": "1.1 google"})


def channel(**fields: Any) -> Answer:
    """A thread as Discord describes it."""
    state = {"archived": True, "locked": False, "auto_archive_duration": 60} | fields
    thread = {
        "id": "42",
        "type": 11,
        "guild_id": "9",
        "parent_id": "41",
        "owner_id": "7",
        "name": "thread",
        "message_count": 1,
        "member_count": 1,
        "thread_metadata": state | {"archive_timestamp": "2026-01-17T12:00:00+00:00"},
    }
    return Answer(body=json.dumps(thread).encode())


@dataclass
class DiscordRest:
    """What was asked, in order; `will` answers the next requests, which are taken otherwise."""

    asked: list[Asked] = field(default_factory=list)
    script: deque[Answer] = field(default_factory=deque)

    def will(self, *answers: Answer) -> None:
        """Answer the next requests like this."""
        self.script.extend(answers)

    async def answer(self, asked: Asked) -> Answer:
        """The next answer of the script, else what Discord says when all is well."""
        if (identity := who_it_is(asked)) is not None:
            return identity
        self.asked.append(asked)
        if self.script:
            return self.script.popleft()
        if asked.method == "POST" and asked.path.endswith("/messages"):
            return Answer(body=json.dumps(_posted(len(self.asked), asked)).encode())
        return Answer(status=204, headers={"content-type": "text/plain"})

    @property
    def routes(self) -> list[str]:
        """The method and the path of each request."""
        return [f"{one.method} {one.path}" for one in self.asked]

    @property
    def posts(self) -> list[dict[str, Any]]:
        """The messages that were posted."""
        return [payload(one) for one in self.asked if one.path.endswith("/messages")]


_APPLICATION = {
    "id": "7",
    "name": "eko",
    "description": "",
    "icon": None,
    "bot_public": True,
    "bot_require_code_grant": False,
    "verify_key": "",
    "flags": 0,
    "team": None,
    "owner": USER,
}


def who_it_is(asked: Asked) -> Answer | None:
    """What a client is told that logs in; None where it asks for something else."""
    if asked.path.endswith("/oauth2/applications/@me"):
        return Answer(body=json.dumps(_APPLICATION).encode())
    return Answer(body=json.dumps(USER).encode()) if asked.path.endswith("/users/@me") else None


def _posted(number: int, asked: Asked) -> dict[str, Any]:
    place = asked.path.split("/")[-2]
    return {**REPLY_OF, "id": str(1000 + number), "channel_id": place, "content": "x"}


def payload(asked: Asked) -> dict[str, Any]:
    """The message in a request, which stands in a part of its own beside files."""
    if asked.headers["content-type"].startswith("multipart/"):
        part = asked.body.split(b'name="payload_json"', 1)[1].split(b"\r\n\r\n", 1)[1]
        return dict(json.loads(part.split(b"\r\n--", 1)[0]))
    return dict(asked.json())


@asynccontextmanager
async def discord_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> AsyncIterator[tuple[DiscordRest, discord.Client]]:
    """The server, and a client of the library that has logged in to it."""
    rest = DiscordRest()
    async with logged_in(monkeypatch, rest.answer) as client:
        yield rest, client


@asynccontextmanager
async def logged_in(
    monkeypatch: pytest.MonkeyPatch, answering: Answering
) -> AsyncIterator[discord.Client]:
    """A client of the library that has logged in to a server which answers like this."""
    async with LoopbackServer(answering) as server:
        monkeypatch.setattr(Route, "BASE", f"{server.url}/api/v10")
        client = discord.Client(intents=discord.Intents.none(), max_ratelimit_timeout=30)
        await client.login("token")
        try:
            yield client
        finally:
            await client.close()
