"""A Messages API on loopback that fills in every form and answers every turn, when it is let."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.edge.anthropic_server import call, says
from tests.edge.loopback import Answer, Asked, LoopbackServer
from tests.edge.messages_rules import violations
from tests.edge.strict_server import fails
from tests.patience import PATIENCE_S

_LINE = re.compile(r"^(\d+)\. \[[^\]]*\] ([^:]+): j'aime (\w+)$", re.MULTILINE)


@dataclass
class Thinker:
    """What was asked; `holds` are the numbers of requests (from 1) that are never answered.

    Questions about near statements are answered aside and not counted: how many there are depends
    on what lies near by. `reply` is what it says in a turn, and `may_speak` until when it thinks.
    """

    url: str = ""
    bodies: list[dict[str, Any]] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    holds: frozenset[int] = frozenset()
    reply: str = "Bonjour !"
    may_speak: asyncio.Event = field(default_factory=asyncio.Event)
    _asked: asyncio.Condition = field(default_factory=asyncio.Condition)

    def __post_init__(self) -> None:
        self.may_speak.set()

    @property
    def settings(self) -> dict[str, str]:
        """What makes a daemon think with this."""
        return {
            "ANTHROPIC_API_KEY": "test",
            "ANTHROPIC_BASE_URL": self.url,
            "EKO_COALESCING__DEBOUNCE_S": "0",
            "EKO_DIGEST__CHUNK_MESSAGES": "2",
            "EKO_DIGEST__OVERLAP_MESSAGES": "1",
            "EKO_SHUTDOWN__TURNS_S": "60",
        }

    async def was_asked(self, times: int) -> None:
        """Wait until so many requests came in."""
        async with asyncio.timeout(PATIENCE_S), self._asked:
            await self._asked.wait_for(lambda: len(self.bodies) >= times)

    async def answer(self, asked: Asked) -> Answer:
        """A form with one fact per line, a summary, or a reply."""
        body = asked.json()
        tools = [tool["name"] for tool in body["tools"]]
        if "judge" in tools:
            self.broken += violations(asked.headers, body)
            return says(call("judge", {"verdicts": []}))
        async with self._asked:
            self.bodies.append(body)
            number = len(self.bodies)
            self._asked.notify_all()
        if broken := violations(asked.headers, body):
            self.broken += broken
            return fails(400, "invalid_request_error", message="; ".join(broken))
        if number in self.holds:
            return Answer(never=True)
        if "record_facts" in tools:
            return says(call("record_facts", {"facts": list(map(_fact, _lines(body)))}))
        if "record_summary" in tools:
            return says(call("record_summary", {"summary": "David parle de sa maison."}))
        reply = self.reply
        await self.may_speak.wait()
        return says(call("respond", {"message": reply, "expression": "happy"}))


def _lines(body: dict[str, Any]) -> list[tuple[str, ...]]:
    text = body["messages"][-1]["content"][-1]["text"]
    return _LINE.findall(text)


def _fact(line: tuple[str, ...]) -> dict[str, Any]:
    number, speaker, word = line
    return {
        "content": f"{speaker} aime {word}",
        "memory_type": "preference",
        "speaker": speaker,
        "lines": [int(number)],
        "subjects": [speaker],
    }


@asynccontextmanager
async def thinker() -> AsyncIterator[Thinker]:
    """A running service; leaving the context checks that no request broke a rule."""
    service = Thinker()
    async with LoopbackServer(service.answer) as server:
        service.url = server.url
        try:
            yield service
        finally:
            service.may_speak.set()
    assert not service.broken, service.broken
