"""What a bot did at the Discord server of the tests."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.patience import PATIENCE_S
from tests.peers.discord_control import Channel, Control, Guild, Person


@dataclass(frozen=True, kw_only=True)
class GatewayState:
    """What happened at the gateway so far."""

    connections: int
    identifies: Sequence[Mapping[str, Any]]
    resumed: int
    dropped: int
    listening: int


@dataclass(frozen=True)
class Seen:
    """What the bot did, waited for where a number is given."""

    control: Control
    bot: Person

    async def messages(self, channel: Channel) -> list[dict[str, Any]]:
        """All messages of a channel in Discord's shape, with their `allowed_mentions`."""
        found: list[dict[str, Any]] = await self.control.tell("messages", channel=channel.id)
        return found

    async def bot_messages(
        self, channel: Channel, count: int = 0, timeout_s: float = PATIENCE_S
    ) -> list[dict[str, Any]]:
        """The bot's messages of a channel, once there are that many."""
        return await self._at_least(
            "messages", count, timeout_s, channel=channel.id, author=self.bot.id
        )

    async def typings(
        self, channel: Channel, count: int = 0, timeout_s: float = PATIENCE_S
    ) -> list[str]:
        """How often the bot typed in a channel, one entry each."""
        return await self._at_least("typings", count, timeout_s, channel=channel.id)

    async def reactions(
        self, message: str, count: int = 0, timeout_s: float = PATIENCE_S
    ) -> list[tuple[str, str]]:
        """Who reacted to a message, and with what."""
        found = await self._at_least("reactions", count, timeout_s, message=message)
        return [(each["userId"], each["emoji"]) for each in found]

    async def commands(
        self, guild: Guild | None = None, count: int = 0, timeout_s: float = PATIENCE_S
    ) -> list[dict[str, Any]]:
        """The commands that were synced, globally or for a guild."""
        place = guild.id if guild else None
        return await self._at_least("commands", count, timeout_s, guild=place)

    async def syncs(self, count: int = 0, timeout_s: float = PATIENCE_S) -> list[dict[str, Any]]:
        """Each time commands were synced: for which guild, and their names."""
        return await self._at_least("syncs", count, timeout_s)

    async def requests(
        self, method: str, path: str, count: int = 0, timeout_s: float = PATIENCE_S
    ) -> list[dict[str, Any]]:
        """The requests whose path matches this expression, with their status (0: cut)."""
        return await self._at_least("requests", count, timeout_s, method=method, path=path)

    async def gateway(self) -> GatewayState:
        """What happened at the gateway so far."""
        return GatewayState(**await self.control.tell("gateway"))

    async def listens(self, timeout_s: float = PATIENCE_S) -> None:
        """Wait until a client has identified or resumed, and is connected.

        Raises:
            TimeoutError: none came.

        """
        await self._counted("listening", 1, timeout_s)

    async def identified(self, count: int, timeout_s: float = PATIENCE_S) -> None:
        """Wait until clients have identified that many times.

        Raises:
            TimeoutError: they did not.

        """
        await self._counted("identifies", count, timeout_s)

    async def connected(self, count: int, timeout_s: float = PATIENCE_S) -> None:
        """Wait until that many gateway connections were made, refused ones included.

        Raises:
            TimeoutError: there were fewer.

        """
        await self._counted("connections", count, timeout_s)

    async def _counted(self, key: str, count: int, timeout_s: float) -> None:
        seen = await self.control.look("gateway", count, key=key, timeout_s=timeout_s)
        found = seen[key] if isinstance(seen[key], int) else len(seen[key])
        if found < count:
            raise TimeoutError(f"{key}: {found} of {count}")

    async def _at_least(self, what: str, count: int, timeout_s: float, **about: Any) -> list[Any]:
        found: list[Any] = await self.control.look(what, count, timeout_s=timeout_s, **about)
        if len(found) < count:
            raise TimeoutError(f"{what}: {len(found)} of {count}: {found}")
        return found
