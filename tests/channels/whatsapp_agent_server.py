"""The Agent Platform on loopback, after its manual and what others saw of it; strict about forms.

https://www.whatsapp.com/developer/WhatsApp-Agent-Platform-Developer-Manual.pdf, version 1;
https://elimeshi1.github.io/Whagent/.
"""

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from time import time
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.edge.loopback import Answer, Asked, LoopbackServer

CREATOR = "user:50972923564215"
KEY = "an-opaque-agent-key"
LONGEST_TEXT = 4096
WINDOW_S = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """A message that the agent has sent, as its creator sees it."""

    id: str
    text: str
    answers: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """How the next requests to a path are refused."""

    status: int
    code: int = 0
    retry_after_s: float | None = None


@dataclass
class AgentServer:
    """One agent: its buffer of updates, what it has sent, and the troubles it can have.

    `limits` are requests a minute by their path, None for those that nobody counts. A message that
    is marked as read leaves the buffer. `reachable`: the telephone is on, so that it tells of
    deliveries. `loses` answers are cut off after a message was taken.
    """

    url: str = ""
    key: str = KEY
    limits: Mapping[str, int | None] = field(default_factory=dict)
    reachable: bool = True
    loses: int = 0
    cuts: int = 0
    sent: list[Taken] = field(default_factory=list)
    read: list[str] = field(default_factory=list)
    typed: list[str] = field(default_factory=list)
    files: dict[str, tuple[str, bytes]] = field(default_factory=dict)
    asked: list[tuple[float, str, int]] = field(default_factory=list)
    replaced: int = 0
    junk: deque[bytes] = field(default_factory=deque)
    _updates: list[tuple[str, dict[str, Any] | None]] = field(default_factory=list)
    _refusals: dict[str, deque[Refusal]] = field(default_factory=dict)
    _numbers: Any = field(default_factory=lambda: count(1))
    _news: asyncio.Condition = field(default_factory=asyncio.Condition)
    _polls: int = 0
    _cut: int = 0

    async def says(
        self,
        text: str,
        *,
        answers: str | None = None,
        account: str = CREATOR,
        ago_s: float = 0,
        **more: Any,
    ) -> str:
        """Write to the agent; the message's id. `more` are other fields, in place of the text."""
        id_ = self._wamid("IN")
        message: dict[str, Any] = {
            "from": account,
            "id": id_,
            "timestamp": str(int(time() - ago_s)),
            **(more or {"type": "text", "text": {"body": text}}),
        }
        if answers is not None:
            message["context"] = {"id": answers, "from": "agent:123456789"}
        await self._arrived("messages", message)
        return id_

    async def reacts(self, message: str, emoji: str) -> None:
        """Put an emoji at a message; "" takes it away."""
        reaction = {"message_id": message, "emoji": emoji}
        await self.says("", type="reaction", reaction=reaction)

    async def cut_everything(self) -> None:
        """Reset each connection that is open."""
        async with self._news:
            self._cut += 1
            self._news.notify_all()

    def refuses(self, path: str, times: int, refusal: Refusal) -> None:
        """Refuse the next requests to a path."""
        self._refusals.setdefault(path, deque()).extend([refusal] * times)

    async def has(self, condition: Any) -> None:
        """Wait until something is so."""
        async with self._news:
            await self._news.wait_for(condition)

    def forgets_reading(self) -> None:
        """Have every message in the buffer as if none had ever been shown as read."""
        self.read.clear()

    async def answer(self, asked: Asked) -> Answer:
        """What a request is answered with."""
        split = urlsplit(asked.path)
        parts = split.path.strip("/").split("/")
        self.asked.append((asyncio.get_running_loop().time(), parts[0], 0))
        place = len(self.asked) - 1
        if self.cuts and parts[0] == "updates":
            self.cuts -= 1
            return Answer(reset=True)
        answer = await self._judged(asked, parts, parse_qs(split.query))
        self.asked[place] = (*self.asked[place][:2], answer.status)
        async with self._news:
            self._news.notify_all()
        return answer

    async def _judged(
        self, asked: Asked, parts: list[str], query: Mapping[str, list[str]]
    ) -> Answer:
        refused = self._refused(asked, parts[0])
        if refused is not None:
            return refused
        match asked.method, parts:
            case "GET", ["updates"]:
                return await self._poll(query)
            case "POST", ["messages"]:
                return await self._send(asked.json())
            case "POST", ["statuses"]:
                return self._show(asked.json())
            case "GET", ["media", id_, *content]:
                return self._file(id_, content=bool(content))
        return _error(404, 100)

    def _refused(self, asked: Asked, path: str) -> Answer | None:
        """Why a request is not even looked at."""
        bearer = asked.headers.get("authorization", "")
        if bearer != f"Bearer {self.key}":
            return _error(400, 100) if bearer.startswith("Bearer ") else _error(401, 190)
        if refusals := self._refusals.get(path):
            one = refusals.popleft()
            return _error(one.status, one.code, one.retry_after_s)
        return _error(429, 130429) if self._is_too_often(path) else None

    def _is_too_often(self, path: str) -> bool:
        limit = self.limits.get(path)
        now = asyncio.get_running_loop().time()
        recent = [
            at
            for at, to, status in self.asked
            if to == path and status != 429 and now - at < WINDOW_S
        ]
        return limit is not None and len(recent) > limit

    async def _poll(self, query: Mapping[str, list[str]]) -> Answer:
        try:
            known = {name: int(values[0]) for name, values in query.items()}
        except ValueError:
            return _error(400, 131009)
        if self.junk:
            return Answer(body=self.junk.popleft())
        offset = max(0, known.get("offset", len(self._updates)))
        wait_s = min(25, max(0, known.get("timeout", 15)))
        self._polls += 1
        mine, cut = self._polls, self._cut
        async with self._news:
            self._news.notify_all()  # a newer poll takes the place of an older one
            try:
                async with asyncio.timeout(wait_s or 0.001):
                    await self._news.wait_for(
                        lambda: len(self._updates) > offset or self._polls > mine or self._cut > cut
                    )
            except TimeoutError:
                return Answer(status=204)
        if self._cut > cut:
            return Answer(reset=True)
        if self._polls > mine:
            self.replaced += 1
            return _error(409, 1752041)
        return self._news_from(offset, min(100, known.get("limit", 50)))

    def _news_from(self, offset: int, limit: int) -> Answer:
        value: dict[str, Any] = {
            "messaging_product": "whatsapp",
            "contacts": [{"wa_id": CREATOR, "profile": {"name": "Léa"}}],
            "messages": [],
            "statuses": [],
        }
        end = min(len(self._updates), offset + limit)
        for kind, one in self._updates[offset:end]:
            if one is not None and one["id"] not in self.read:
                value[kind].append(one)
        change = {"field": "messages", "value": value}
        body = {
            "object": "whatsapp_agent_platform",
            "entry": [{"id": "123456789", "changes": [change]}],
            "next_offset": end,
        }
        return Answer(body=json.dumps(body).encode())

    async def _send(self, form: Any) -> Answer:
        wrong = self._wrong(form)
        if wrong is not None:
            return wrong
        answers = form.get("context", {}).get("message_id")
        id_ = self._wamid("OUT")
        self.sent.append(Taken(id=id_, text=form["text"]["body"], answers=answers))
        if self.reachable:
            receipt = {
                "id": id_,
                "status": "delivered",
                "recipient_id": CREATOR,
                "timestamp": str(int(time())),
            }
            await self._arrived("statuses", receipt)
        if self.loses:
            self.loses -= 1
            return Answer(reset=True)
        contact = {"input": form["to"], "wa_id": form["to"]}
        body = {
            "messaging_product": "whatsapp",
            "contacts": [contact],
            "messages": [{"id": id_}],
        }
        return Answer(body=json.dumps(body).encode())

    def _wrong(self, form: Any) -> Answer | None:
        """What is wrong with a message that is to be sent."""
        known = {"messaging_product", "to", "type", "text", "context"}
        if not isinstance(form, dict) or set(form) - known:
            return _error(400, 131009)
        body, to = form["text"]["body"], str(form.get("to"))
        ids = {one["id"] for _, one in self._updates if one} | {one.id for one in self.sent}
        wrong = (
            (form.get("messaging_product") != "whatsapp", 400, 131009),
            (form.get("type") != "text" or not body, 400, 131009),
            (len(body) > LONGEST_TEXT, 400, 100),
            (not to.startswith("user:"), 400, 131009),
            (to != CREATOR, 403, 131005),
            ("context" in form and form["context"]["message_id"] not in ids, 400, 131009),
        )
        return next((_error(status, code) for is_so, status, code in wrong if is_so), None)

    def _show(self, form: Any) -> Answer:
        received = {one["id"] for kind, one in self._updates if one and kind == "messages"}
        fits = (
            form["messaging_product"] == "whatsapp"
            and form["status"] == "read"
            and form["message_id"] in received
            and form.get("typing_indicator", {"type": "text"}) == {"type": "text"}
        )
        if not fits:
            return _error(400, 131009)
        self.read.append(form["message_id"])
        if "typing_indicator" in form:
            self.typed.append(form["message_id"])
        return Answer(body=b'{"success": true}')

    def _file(self, id_: str, *, content: bool) -> Answer:
        if id_ not in self.files:
            return _error(400, 100)
        media_type, file = self.files[id_]
        if content:
            return Answer(body=file, headers={"content-type": media_type})
        url = f"{self.url}/media/{id_}/content"
        known = {"id": id_, "url": url, "mime_type": media_type, "file_size": len(file)}
        return Answer(body=json.dumps(known).encode())

    async def _arrived(self, kind: str, update: dict[str, Any]) -> None:
        async with self._news:
            self._updates.append((kind, update))
            self._news.notify_all()

    def _wamid(self, way: str) -> str:
        return f"wamid.{way}{next(self._numbers)}=="


def _error(status: int, code: int, retry_after_s: float | None = None) -> Answer:
    body = {
        "error": {
            "message": f"(#{code}) no",
            "type": "OAuthException",
            "code": code,
            "fbtrace_id": "A",
        }
    }
    headers = {} if retry_after_s is None else {"retry-after": str(retry_after_s)}
    return Answer(status=status, body=json.dumps(body).encode(), headers=headers)


@asynccontextmanager
async def agent_server() -> AsyncIterator[AgentServer]:
    """A server with one agent, which nobody has written to."""
    server = AgentServer()
    async with LoopbackServer(server.answer) as loopback:
        server.url = loopback.url
        yield server
        await server.cut_everything()
