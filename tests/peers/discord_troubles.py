"""What goes wrong at the Discord server of the tests, on command."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from tests.peers.discord_control import Control, Guild


@dataclass(frozen=True)
class Troubles:
    """What goes wrong on command."""

    control: Control

    async def fails(
        self,
        method: str,
        path: str,
        *,
        status: int,
        times: int = 1,
        retry_after_s: float | None = None,
        code: int | None = None,
    ) -> None:
        """Answer the next requests whose path matches this expression with an error."""
        await self._rule(
            method, path, status=status, times=times, retry_after=retry_after_s, code=code
        )

    async def cuts(self, method: str, path: str, *, times: int = 1, after: bool = False) -> None:
        """Cut the connection of the next matching requests, before or after doing what they ask."""
        await self._rule(method, path, cut="after" if after else "before", times=times)

    async def delays(self, method: str, path: str, delay_s: float, *, times: int = 1) -> None:
        """Let the next matching requests wait."""
        await self._rule(method, path, delay_ms=round(delay_s * 1000), times=times)

    async def heals(self) -> None:
        """Forget the rules that are left."""
        await self.control.tell("heals")

    async def drops(self, code: int | None = None) -> None:
        """Close every gateway connection with this code, or abruptly without one."""
        await self.control.tell("drops", code=code)

    async def hangs_up(self, times: int = 1) -> None:
        """Close the next gateway connections before HELLO."""
        await self.control.tell("hangs_up", times=times)

    async def refuses(self, code: int, times: int = 1) -> None:
        """Close the next IDENTIFYs with this code (4004: bad token, 4014: disallowed intents)."""
        await self.control.tell("refuses", code=code, times=times)

    async def withholds_content(self) -> None:
        """Switch the content intent off: IDENTIFY with it is closed with 4014."""
        await self.control.tell("reads_content", enabled=False)

    async def grants_content(self) -> None:
        """Switch the content intent on again."""
        await self.control.tell("reads_content", enabled=True)

    async def resumes(self, *, enabled: bool = True) -> None:
        """Replay what a returning client has missed, instead of refusing its session (op 9)."""
        await self.control.tell("resumes", enabled=enabled)

    async def answers_within(self, seconds: float) -> None:
        """How long an interaction may wait for its callback before it is unknown (3 s)."""
        await self.control.tell("answers_within", seconds=seconds)

    async def sends_raw(self, text: str) -> None:
        """Send this text as a frame to every client."""
        await self.control.tell("raw", text=text)

    async def sends_event(self, name: str, data: Any) -> None:
        """Dispatch this event to every client, whatever is in it."""
        await self.control.tell("event", name=name, data=data)

    async def repeats(self, event: str) -> None:
        """Dispatch the creation of the message or interaction with this id once more."""
        await self.control.tell("again", id=event)

    async def asks_to_reconnect(self) -> None:
        """Send op 7 to every client."""
        await self.control.tell("asks_to_reconnect")

    async def loses(self, guild: Guild) -> None:
        """Let a guild have an outage, also for those who connect meanwhile."""
        await self.control.tell("loses", guild=guild.id)

    async def finds(self, guild: Guild) -> None:
        """Let it be there again."""
        await self.control.tell("finds", guild=guild.id)

    async def damages(self, message: str, **fields: Any) -> None:
        """Let the history have these fields of a message."""
        await self.control.tell("damages", message=message, fields=fields)

    @asynccontextmanager
    async def away(self) -> AsyncIterator[None]:
        """Refuse every connection, and be back on the same port with the same data afterwards."""
        await self.control.tell("away")
        try:
            yield
        finally:
            await self.control.tell("back")

    async def _rule(self, method: str, path: str, **rule: Any) -> None:
        given = {name: value for name, value in rule.items() if value is not None}
        await self.control.tell("fails", rule={"method": method, "path": path, **given})
