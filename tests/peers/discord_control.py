"""Places and people of the Discord server of the tests, and the port that tells it what to do."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import httpx2

from tests.patience import PATIENCE_S
from tests.peers.daemon import NO_TLS

EPHEMERAL = 64
"""The flag of a message that only one person sees."""

_FINAL = frozenset({4, 7})
"""Callbacks that answer at once: a message, or the clicked message changed."""


@dataclass(frozen=True, kw_only=True)
class Person:
    """An account; `mention` is what pings it."""

    id: str
    name: str
    bot: bool = False

    @property
    def mention(self) -> str:
        """The words that name this account in a message."""
        return f"<@{self.id}>"


@dataclass(frozen=True, kw_only=True)
class Channel:
    """A text channel, a thread or (without a guild) a direct one; hidden from @everyone or not."""

    id: str
    name: str
    guild_id: str | None
    hidden: bool = False


@dataclass(frozen=True, kw_only=True)
class Guild:
    """A guild and its channels by name."""

    id: str
    name: str
    channels: Mapping[str, Channel]

    def __getitem__(self, name: str) -> Channel:
        return self.channels[name]


@dataclass(frozen=True, kw_only=True)
class Gate:
    """Who has the role of a guild's members, and which channels it alone opens."""

    role: str
    members: Sequence[Person]
    hides: Sequence[str]


@dataclass(frozen=True, kw_only=True)
class File:
    """A file that somebody attaches."""

    name: str
    content: bytes
    content_type: str = "application/octet-stream"


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What a person saw in return: a message, and whether only they see it."""

    message_id: str
    content: str
    ephemeral: bool
    components: Sequence[Mapping[str, Any]]
    embeds: Sequence[Mapping[str, Any]]
    files: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, kw_only=True)
class Burst:
    """The messages of a burst, its channels, and how long the launcher took to send them."""

    ids: Sequence[str]
    channels: Sequence[Channel]
    took_ms: int


@dataclass(frozen=True)
class Control:
    """The launcher's control port."""

    url: str

    async def tell(self, what: str, **arguments: Any) -> Any:
        """The result of a deed, a sight or a trouble.

        Raises:
            ValueError: the launcher says why it cannot be done.

        """
        given = {name: value for name, value in arguments.items() if value is not None}
        async with httpx2.AsyncClient(
            trust_env=False, verify=NO_TLS, timeout=2 * PATIENCE_S
        ) as client:
            answer = await client.post(self.url, json={"what": what, **given})
        found = answer.json()
        if not answer.is_success:
            raise ValueError(found["error"])
        return found

    async def look(self, what: str, at_least: int, *, timeout_s: float, **arguments: Any) -> Any:
        """A sight once there is that much to see, or what there is when the time is over."""
        patience = {"at_least": at_least, "timeout_ms": round(timeout_s * 1000)}
        return await self.tell(what, **patience, **arguments)


@dataclass(frozen=True)
class Interaction:
    """A command, a click or a completion that the bot was told of."""

    control: Control
    id: str

    async def callbacks(self, timeout_s: float = PATIENCE_S) -> list[dict[str, Any]]:
        """The bot's callbacks (`type`, `data`), once there is one.

        Raises:
            TimeoutError: the bot did not react.

        """
        seen = await self._look("callbacks", 1, timeout_s)
        if not seen["callbacks"]:
            raise TimeoutError("the interaction was not acknowledged")
        callbacks: list[dict[str, Any]] = seen["callbacks"]
        return callbacks

    async def answer(self, timeout_s: float = PATIENCE_S) -> Answer:
        """What the person sees in the end, after a deferral too.

        Raises:
            TimeoutError: the bot did not answer.

        """
        first = (await self.callbacks(timeout_s))[0]
        if first["type"] in _FINAL:
            return _answer((await self._look("messages", 1, timeout_s))["messages"][0])
        seen = await self._look("later", 1, timeout_s)
        if not seen["later"]:
            raise TimeoutError("the interaction was deferred and never answered")
        return _answer(next(each for each in seen["messages"] if each["id"] == seen["later"][0]))

    async def changed(self, timeout_s: float = PATIENCE_S) -> Answer:
        """What a message has become, once it was changed after the acknowledgement too.

        Raises:
            TimeoutError: it was not.

        """
        seen = await self._look("later", 1, timeout_s)
        if not seen["later"]:
            raise TimeoutError("the interaction was acknowledged and never answered")
        return _answer(next(each for each in seen["messages"] if each["id"] == seen["later"][-1]))

    async def further(self, count: int = 1, timeout_s: float = PATIENCE_S) -> list[Answer]:
        """The follow-ups, once there are that many."""
        seen = await self._look("followups", count, timeout_s)
        said = {message["id"]: message for message in seen["messages"]}
        return [_answer(said[each]) for each in seen["followups"] if each in said]

    async def _look(self, key: str, count: int, timeout_s: float) -> Any:
        return await self.control.look(
            "interaction", count, id=self.id, key=key, timeout_s=timeout_s
        )


def _answer(message: Mapping[str, Any]) -> Answer:
    return Answer(
        message_id=message["id"],
        content=message["content"],
        ephemeral=bool(message.get("flags", 0) & EPHEMERAL),
        components=message.get("components", []),
        embeds=message["embeds"],
        files=message["attachments"],
    )
