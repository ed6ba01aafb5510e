"""Discord's side of interactions on loopback, and interactions as its gateway would send them.

Everything of discord.py is real: its client logs in, its state reads the payloads, its HTTP talks
to this server. Nothing connects to a gateway.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from itertools import count
from typing import Any

import discord
import pytest
from discord.http import Route

from tests.edge.loopback import Answer, Asked, LoopbackServer
from tests.patience import PATIENCE_S

GUILD, OTHER_GUILD, CHANNEL, DIRECT = 100, 101, 110, 120
ADA, BEN, PET = 1, 2, 9
EPHEMERAL = 64
MANAGE_SERVER = 1 << 5
KEEPERS, RULERS = 601, 602
"""Roles of the first guild: who may manage it, and who may do everything."""
_SECOND_GUILDS_CHANNEL = 111
_WHEN = "2026-01-17T12:00:00+00:00"

_APPLICATION = {
    "id": str(PET),
    "name": "Eko",
    "description": "",
    "icon": None,
    "summary": "",
    "verify_key": "",
    "flags": 0,
    "hook": True,
    "bot_public": True,
    "bot_require_code_grant": False,
    "owner": {"id": "77", "username": "Zoe", "discriminator": "0", "avatar": None},
}

_ids = count(1000)


@dataclass
class Rest:
    """What was asked of Discord, and what it will answer instead of its usual answers."""

    callbacks: list[dict[str, Any]] = field(default_factory=list)
    edits: list[dict[str, Any]] = field(default_factory=list)
    files: list[tuple[str, bytes]] = field(default_factory=list)
    synced: list[Any] = field(default_factory=list)
    sent: list[dict[str, Any]] = field(default_factory=list)
    """Messages that were posted, each with its `channel`."""
    troubles: list[tuple[str, Answer]] = field(default_factory=list)
    order: list[str] = field(default_factory=list)
    news: asyncio.Condition = field(default_factory=asyncio.Condition)

    def will(self, *answers: Answer, to: str) -> None:
        """Answer the next requests whose path has these words with these."""
        self.troubles.extend((to, answer) for answer in answers)

    async def answer(self, asked: Asked) -> Answer:
        """Discord's answer."""
        path = asked.path.partition("?")[0]
        for number, (words, trouble) in enumerate(self.troubles):
            if words in path:
                del self.troubles[number]
                return trouble
        answer = _json(self._usual(asked, path))
        async with self.news:
            self.news.notify_all()
        return answer

    async def counts(self, *, callbacks: int, edits: int) -> None:
        """Wait until Discord was asked that often."""
        async with asyncio.timeout(PATIENCE_S), self.news:
            await self.news.wait_for(
                lambda: len(self.callbacks) >= callbacks and len(self.edits) >= edits
            )

    def _usual(self, asked: Asked, path: str) -> object:
        for end, told in _TOLD.items():
            if path.endswith(end):
                return told()
        if path.endswith("/commands"):
            self.synced.append(asked.json())
            return []
        if path.endswith("/callback"):
            return self._called_back(asked, path)
        if path.endswith("/messages/@original"):
            return self._edited(asked)
        if path.endswith("/messages"):
            return self._posted(asked, int(path.split("/")[-2]))
        raise AssertionError(path)

    def _called_back(self, asked: Asked, path: str) -> object:
        body = _body(asked, self.files)
        self.callbacks.append(body)
        self.order.append("callback")
        return {"interaction": {"id": path.split("/")[-3], "type": 2}}

    def _edited(self, asked: Asked) -> object:
        body = _body(asked, self.files)
        self.edits.append(body)
        self.order.append("edit")
        return message(next(_ids), str(body.get("content", "")))

    def _posted(self, asked: Asked, channel: int) -> object:
        body = _body(asked, self.files)
        self.sent.append({**body, "channel": channel})
        return message(next(_ids), str(body.get("content", "")), flags=0)

    @property
    def shown(self) -> list[str]:
        """What the answers said, in order."""
        return [str(one["content"]) for one in self.edits]

    @property
    def buttons(self) -> list[dict[str, Any]]:
        """The buttons under the last answer."""
        return buttons_in(self.edits[-1])


def buttons_in(body: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The buttons of a message."""
    return [button for row in body.get("components") or [] for button in row["components"]]


def refusal(status: int, code: int = 0) -> Answer:
    """An error of Discord's."""
    return _json({"message": "no", "code": code}, status)


CUT = Answer(body=b"{" * 100, cut=True)


def _json(value: object, status: int = 200) -> Answer:
    return Answer(status=status, body=json.dumps(value).encode())


def _body(asked: Asked, files: list[tuple[str, bytes]]) -> dict[str, Any]:
    """The JSON of a request, which stands beside the files if there are any."""
    kind = asked.headers["content-type"]
    if not kind.startswith("multipart/"):
        return dict(asked.json())
    body: dict[str, Any] = {}
    for part in message_from_bytes(f"content-type: {kind}\r\n\r\n".encode() + asked.body).walk():
        content = part.get_payload(decode=True)
        if not isinstance(content, bytes):
            continue  # the whole, of which the others are parts
        if 'name="payload_json"' in str(part["content-disposition"]):
            body = json.loads(content)
        else:
            files.append((str(part.get_filename()), content))
    return body


@asynccontextmanager
async def logged_in(
    monkeypatch: pytest.MonkeyPatch,
) -> AsyncIterator[tuple[Rest, discord.Client]]:
    """A client that has logged in and knows two guilds, and what it asks of Discord."""
    rest = Rest()
    async with LoopbackServer(rest.answer) as server:
        monkeypatch.setattr(Route, "BASE", f"{server.url}/api/v10")
        client = discord.Client(intents=discord.Intents(guilds=True))
        async with client:
            await client.login("token")
            state = client._connection
            state.user = discord.ClientUser(state=state, data=user(PET, bot=True))
            for guild, channel in ((GUILD, CHANNEL), (OTHER_GUILD, _SECOND_GUILDS_CHANNEL)):
                state._add_guild_from_data(_guild(guild, channel))
            yield rest, client


def slash(
    client: discord.Client,
    words: str,
    options: Mapping[str, object] | None = None,
    *,
    focused: str | None = None,
    **about: Any,
) -> discord.Interaction[Any]:
    """A command as somebody uses it, or a completion while they type an option."""
    given: list[dict[str, Any]] = [
        {"name": name, "value": value, "type": 5 if isinstance(value, bool) else 3}
        | ({"focused": True} if name == focused else {})
        for name, value in (options or {}).items()
    ]
    first, *others = words.split()
    for word in others:
        given = [{"name": word, "type": 1, "options": given}]
    data = {"id": "5", "name": first, "type": 1, "options": given}
    return _interaction(client, 4 if focused else 2, data, **about)


def click(
    client: discord.Client, carried: str, *, on: Mapping[str, Any] | None = None, **about: Any
) -> discord.Interaction[Any]:
    """A button of a message as somebody clicks it."""
    data = {"custom_id": carried, "component_type": 2}
    return _interaction(client, 3, data, on=on or message(next(_ids), "x"), **about)


def _interaction(
    client: discord.Client,
    kind: int,
    data: Mapping[str, Any],
    *,
    who: int = ADA,
    guild: int | None = GUILD,
    permissions: int = 0,
    roles: Sequence[int] = (),
    locale: str = "en-US",
    on: Mapping[str, Any] | None = None,
    id_: int | None = None,
    file_limit: int = 10_000_000,
) -> discord.Interaction[Any]:
    payload: Any = {
        "id": str(id_ or next(_ids)),
        "application_id": str(PET),
        "type": kind,
        "token": f"token-{next(_ids)}",
        "version": 1,
        "data": data,
        "locale": locale,
        "attachment_size_limit": file_limit,
        **_place(guild, who, permissions, roles),
    }
    if on is not None:
        payload["message"] = on
    return discord.Interaction(data=payload, state=client._connection)


def _place(guild: int | None, who: int, permissions: int, roles: Sequence[int]) -> dict[str, Any]:
    if guild is None:
        return {"channel": {"id": str(DIRECT), "type": 1}, "user": user(who), "context": 1}
    channel = CHANNEL if guild == GUILD else _SECOND_GUILDS_CHANNEL
    member = {"user": user(who), "joined_at": _WHEN, "deaf": False, "mute": False}
    member["roles"] = [str(one) for one in roles]
    return {
        "guild_id": str(guild),
        "channel": {"id": str(channel), "type": 0, "name": "lobby", "position": 0},
        "member": member | {"permissions": str(permissions), "flags": 0},
        "context": 0,
    }


def message(
    id_: int, content: str, *, for_whom: int | None = ADA, flags: int = EPHEMERAL
) -> dict[str, Any]:
    """A message of the pet's, an answer that only `for_whom` sees if nothing else is said."""
    asked = {} if for_whom is None else {"id": "1", "type": 2, "user": user(for_whom)}
    return {
        "id": str(id_),
        "channel_id": str(CHANNEL),
        "author": user(PET, bot=True),
        "content": content,
        "timestamp": _WHEN,
        "edited_timestamp": None,
        "tts": False,
        "mention_everyone": False,
        "mentions": [],
        "mention_roles": [],
        "attachments": [],
        "embeds": [],
        "pinned": False,
        "type": 20,
        "flags": flags,
        **({"interaction_metadata": asked} if asked else {}),
    }


def user(id_: int, *, bot: bool = False) -> Any:
    """An account."""
    names = {ADA: "Ada", BEN: "Ben", PET: "Eko"}
    name = names[id_]
    return {"id": str(id_), "username": name, "discriminator": "0", "avatar": None, "bot": bot}


_TOLD: Mapping[str, Callable[[], object]] = {
    "/users/@me": lambda: user(PET, bot=True),
    "/applications/@me": lambda: _APPLICATION,
    "/@me/channels": lambda: {"id": str(DIRECT), "type": 1, "recipients": [user(ADA)]},
}
"""What Discord says whatever it is told, by how the path ends."""


def _guild(id_: int, channel: int) -> Any:
    rights = {id_: 1024} | ({KEEPERS: MANAGE_SERVER, RULERS: 1 << 3} if id_ == GUILD else {})
    look: dict[str, object] = {"color": 0, "hoist": False, "managed": False, "mentionable": False}
    lobby = {"id": str(channel), "type": 0, "name": "lobby", "position": 0}
    lobby["permission_overwrites"] = []
    return {
        "id": str(id_),
        "name": f"guild {id_}",
        "owner_id": "77",
        "roles": [
            {"id": str(role), "name": "role", "permissions": str(may), "position": 0} | look
            for role, may in rights.items()
        ],
        "channels": [lobby],
        "members": [],
        "emojis": [],
        "features": [],
    }


async def all_of(*works: Any) -> Sequence[Any]:
    """Everything at once, within reason."""
    async with asyncio.timeout(PATIENCE_S):
        return await asyncio.gather(*works)
