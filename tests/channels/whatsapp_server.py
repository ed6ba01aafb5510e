"""A WhatsApp on loopback, after Meta's published webhooks and Graph API requests.

It refuses what the documentation does not have, signs what it hands over, and hands it over again
until it is answered by 200, as Meta does for 7 days.
"""

import asyncio
import hashlib
import hmac
import json
import time
from collections import deque
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import httpx2

from tests.channels.whatsapp_rules import broken_rules
from tests.edge.loopback import Answer, Asked, LoopbackServer
from tests.patience import PATIENCE_S
from tests.peers.daemon import NO_TLS

TOKEN, SECRET, WORD = "EAAtrialtokentrialtoken", "app-secret-of-the-trial", "a-word-of-ours"
NUMBER_ID, VERSION = "106540352242922", "v25.0"
NUMBER = "15550783881"
ACCOUNT_ID, APP_ID = "102290129340398", "670843887433847"
"""The business account of the number, and the pet's app."""

_ACCOUNTS = ("102290129340397", ACCOUNT_ID)
"""Those that the token manages; the number is in the second."""

AGAIN_S = 0.1
"""Seconds until what was not taken is handed over again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Customer:
    """A person on WhatsApp; without `user_id` or `phone` the webhooks leave that out."""

    name: str
    user_id: str = ""
    phone: str = ""

    @property
    def address(self) -> str:
        """What messages to them are addressed with."""
        return self.user_id or self.phone


@dataclass(frozen=True, slots=True, kw_only=True)
class SentByPet:
    """A message that the server has taken."""

    id: str
    body: Mapping[str, Any]

    @property
    def address(self) -> str:
        """Whom it is to."""
        return str(self.body.get("recipient") or self.body.get("to"))

    @property
    def text(self) -> str:
        """Its words."""
        kind = self.body["type"]
        said = self.body[kind]
        words = {
            "text": lambda: said["body"],
            "interactive": lambda: said["body"]["text"],
            "reaction": lambda: said["emoji"],
            "document": lambda: said["filename"],
        }
        return str(words[kind]())

    @property
    def answers(self) -> str | None:
        """The id of the message it answers."""
        found = self.body.get("context", {}).get("message_id")
        return None if found is None else str(found)

    @property
    def buttons(self) -> Mapping[str, str]:
        """The ids of what can be pressed under it, by their labels."""
        action = self.body.get("interactive", {}).get("action", {})
        replies = [one["reply"] for one in action.get("buttons", ())]
        rows = [row for section in action.get("sections", ()) for row in section["rows"]]
        return {one.get("description", one["title"]): one["id"] for one in (*replies, *rows)}


@dataclass
class WhatsappServer:
    """The Graph API for one phone number, and the sender of its webhooks."""

    url: str = ""
    pet: str | None = None
    sent: list[SentByPet] = field(default_factory=list)
    signals: list[Mapping[str, Any]] = field(default_factory=list)
    files: dict[str, tuple[str, bytes]] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)
    refusals: deque[Answer] = field(default_factory=deque)
    """What the next messages are answered with, in place of being taken."""
    lost: deque[bool] = field(default_factory=deque)
    """For the next messages, whether they are taken, and the connection is cut either way."""
    expired: bool = False
    subscribed: list[str] = field(default_factory=lambda: [APP_ID])
    """The apps that get the account's messages; without the pet's it is handed none."""
    subscribes: bool = True
    """Whether the token may subscribe an app."""
    asked_to_send: int = 0
    manages: bool = True
    """Whether the token may look at the business account."""
    listed: frozenset[str] | None = None
    """Whom a number for tests may write to; None for one of one's own."""
    cut: bool = False
    """Whether the next request is cut off, whatever it is."""
    reports: bool = True
    """Whether what becomes of messages is reported."""
    handed: list[bytes] = field(default_factory=list)
    ids: dict[str, None] = field(default_factory=dict)
    _due: deque[bytes] = field(default_factory=deque)
    _numbers: "count[int]" = field(default_factory=lambda: count(1))

    def __post_init__(self) -> None:
        self._news = asyncio.Condition()
        self._more = asyncio.Event()

    def new_id(self, kind: str = "wamid.HBg") -> str:
        """An id that was not given before."""
        made = f"{kind}{next(self._numbers):08d}{time.time_ns():x}="
        self.ids[made] = None
        return made

    async def answer(self, asked: Asked) -> Answer:
        """The answer to one request of the pet's."""
        path = asked.path.partition("?")[0]
        if self.cut:
            self.cut = False
            return Answer(reset=True)
        if self.expired or asked.headers.get("authorization") != f"Bearer {TOKEN}":
            return refused(401, 190)
        if asked.method == "GET" and path.startswith("/files/"):
            return self._file(path.removeprefix("/files/"))
        parts = path.strip("/").split("/")
        if parts[0] != VERSION or len(parts) not in (2, 3):
            return self._strange(f"{asked.method} {path}")
        return await self._asked(asked, parts[1:])

    async def _asked(self, asked: Asked, parts: Sequence[str]) -> Answer:
        match (asked.method, *parts):
            case (_, found, *_) if found in {"debug_token", *_ACCOUNTS}:
                return self._managed(asked, parts)
            case ("GET", found) if found == NUMBER_ID:
                about = {"verified_name": "Eko", "quality_rating": "GREEN", "id": NUMBER_ID}
                return _json({**about, "display_phone_number": "+1 555-078-3881"})
            case ("GET", found) if found in self.files:
                kind, content = self.files[found]
                url = f"{self.url}/files/{found}"
                about = {"url": url, "mime_type": kind, "id": found}
                return _json({**about, "file_size": len(content)})
            case ("POST", found, "media") if found == NUMBER_ID:
                return self._upload(asked)
            case ("POST", found, "messages") if found == NUMBER_ID:
                return await self._message(asked)
        return self._strange(f"{asked.method} {asked.path}")

    def _token(self, asked: Asked) -> Answer:
        """What is asked of the token itself."""
        if f"input_token={TOKEN}" not in asked.path:
            return self._strange(asked.path)
        scope = "whatsapp_business_management"
        scopes = [{"scope": scope, "target_ids": list(_ACCOUNTS)}] if self.manages else []
        return _json({"data": {"app_id": APP_ID, "is_valid": True, "granular_scopes": scopes}})

    def _managed(self, asked: Asked, parts: Sequence[str]) -> Answer:
        """What is asked of the token and its business accounts."""
        if parts == ["debug_token"]:
            return self._token(asked)
        if self.manages:
            return self._account(asked, parts)
        return refused(403, 200)

    def _account(self, asked: Asked, parts: Sequence[str]) -> Answer:
        match (asked.method, *parts):
            case ("GET", account, "phone_numbers"):
                own = [{"id": NUMBER_ID}] if account == ACCOUNT_ID else []
                return _json({"data": [{"id": "999"}, *own]})
            case ("GET", account, "subscribed_apps") if account == ACCOUNT_ID:
                apps = [{"whatsapp_business_api_data": {"id": one}} for one in self.subscribed]
                return _json({"data": apps})
            case ("POST", account, "subscribed_apps") if account == ACCOUNT_ID:
                if not self.subscribes:
                    return refused(403, 200)
                self.subscribed.append(APP_ID)
                return _json({"success": True})
        return self._strange(f"{asked.method} {asked.path}")

    async def _message(self, asked: Asked) -> Answer:
        body = asked.json()
        is_signal = isinstance(body, dict) and "status" in body
        if not is_signal and self.refusals:
            return self.refusals.popleft()
        if rules := broken_rules(body, self.ids):
            return self._strange("; ".join(rules))
        if is_signal:
            self.signals.append(body)
            return _json({"success": True})
        self.asked_to_send += 1
        if not self._may_get(body):
            return refused(400, 131030)
        return await self._taken(body)

    def _may_get(self, body: Mapping[str, Any]) -> bool:
        address = str(body.get("recipient") or body.get("to"))
        return self.listed is None or address in self.listed

    async def _taken(self, body: Mapping[str, Any]) -> Answer:
        is_lost = bool(self.lost)
        if is_lost and not self.lost.popleft():
            return Answer(reset=True)
        taken = SentByPet(id=self.new_id(), body=body)
        async with self._news:
            self.sent.append(taken)
            self._news.notify_all()
        if self.reports:
            self.report(taken, "sent", "delivered")
        if is_lost:
            return Answer(reset=True)
        contact = {"input": taken.address, "wa_id": taken.address}
        about = {"contacts": [contact], "messages": [{"id": taken.id}]}
        return _json({"messaging_product": "whatsapp", **about})

    def report(self, message: SentByPet, *statuses: str, code: int = 0) -> None:
        """Hand over what became of a message."""
        about: dict[str, Any] = {"id": message.id, "recipient_user_id": message.address}
        if nonce := message.body.get("biz_opaque_callback_data"):
            about["biz_opaque_callback_data"] = nonce
        if code:
            about["errors"] = [{"code": code, "title": "x", "message": "x"}]
        now = str(int(time.time()))
        found = [{**about, "status": status, "timestamp": now} for status in statuses]
        self.hand(self.body_of({"statuses": found}))

    def message_of(
        self, who: Customer, kind: str = "text", *, at: float | None = None, **parts: Any
    ) -> dict[str, Any]:
        """A message as it stands in a webhook, of a kind with its part of the same name."""
        message: dict[str, Any] = {
            "id": self.new_id(),
            "timestamp": str(int(time.time() if at is None else at)),
        }
        if who.phone:
            message["from"] = who.phone
        if who.user_id:
            message["from_user_id"] = who.user_id
        return {**message, "type": kind, **parts}

    def value_of(self, who: Customer, *messages: Mapping[str, Any]) -> dict[str, Any]:
        """The value of a change: messages of one person."""
        contact: dict[str, Any] = {"profile": {"name": who.name}}
        if who.phone:
            contact["wa_id"] = who.phone
        if who.user_id:
            contact["user_id"] = who.user_id
        return {"contacts": [contact], "messages": list(messages)}

    def body_of(self, *values: Mapping[str, Any], number: str = NUMBER_ID) -> bytes:
        """A body with an entry for each value."""
        about = {"display_phone_number": NUMBER, "phone_number_id": number}
        entries = [
            {
                "id": f"10229012934039{place}",
                "changes": [
                    {
                        "field": "messages",
                        "value": {"messaging_product": "whatsapp", "metadata": about, **value},
                    }
                ],
            }
            for place, value in enumerate(values)
        ]
        return json.dumps({"object": "whatsapp_business_account", "entry": entries}).encode()

    def hand(self, body: bytes) -> None:
        """Hand a body over soon, again until it is taken."""
        self.handed.append(body)
        self._due.append(body)
        self._more.set()

    async def posted(self, body: bytes, headers: Mapping[str, str] | None = None) -> int:
        """The status that a body is answered with now; signed, if no other headers are given."""
        assert self.pet is not None
        signed = {"X-Hub-Signature-256": signature_of(body)} if headers is None else headers
        async with httpx2.AsyncClient(timeout=PATIENCE_S, trust_env=False, verify=NO_TLS) as client:
            url = f"{self.pet}/webhooks/whatsapp"
            kind = {"content-type": "application/json"}
            answer = await client.post(url, content=body, headers={**kind, **signed})
        return answer.status_code

    async def has_sent(self, number: int) -> list[SentByPet]:
        """What the pet has sent, once it is so much.

        Raises:
            AssertionError: it did not come.

        """
        try:
            async with asyncio.timeout(PATIENCE_S), self._news:
                await self._news.wait_for(lambda: len(self.sent) >= number)
        except TimeoutError:
            raise AssertionError((self.broken, [one.text for one in self.sent])) from None
        return self.sent

    async def answer_to(self, message: str) -> SentByPet:
        """What the pet sends in answer to a message, once it has."""
        async with asyncio.timeout(PATIENCE_S), self._news:
            await self._news.wait_for(lambda: any(one.answers == message for one in self.sent))
        return next(one for one in self.sent if one.answers == message)

    async def all_taken(self) -> None:
        """Wait until everything that was handed over is taken."""
        async with asyncio.timeout(PATIENCE_S):
            while self._due:  # noqa: ASYNC110 - it tells of no change
                await asyncio.sleep(0.01)

    async def hands_over(self) -> None:
        """Hand over what is due until cancelled, in order."""
        while True:
            await self._more.wait()
            while self._due:
                if await self._is_taken(self._due[0]):
                    self._due.popleft()
                else:
                    await asyncio.sleep(AGAIN_S)
            self._more.clear()

    async def _is_taken(self, body: bytes) -> bool:
        if self.pet is None:
            return False
        try:
            return await self.posted(body) == 200
        except httpx2.HTTPError:
            return False

    def _upload(self, asked: Asked) -> Answer:
        is_form = asked.headers.get("content-type", "").startswith("multipart/form-data")
        if not is_form or b'name="messaging_product"' not in asked.body:
            return self._strange("an upload is a form with messaging_product, type and file")
        found = self.new_id("98")
        self.files[found] = ("text/plain", asked.body)
        return _json({"id": found})

    def _file(self, found: str) -> Answer:
        if found not in self.files:
            return Answer(status=404)
        kind, content = self.files[found]
        return Answer(body=content, headers={"content-type": kind})

    def _strange(self, rule: str) -> Answer:
        self.broken.append(rule)
        return refused(400, 100)


def signature_of(body: bytes, secret: str = SECRET) -> str:
    """How Meta signs a body."""
    return f"sha256={hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()}"


def refused(status: int, code: int, **headers: str) -> Answer:
    """A refusal of the Graph API."""
    error = {"message": "x", "type": "OAuthException", "code": code, "fbtrace_id": "x"}
    return Answer(status=status, body=json.dumps({"error": error}).encode(), headers=headers)


def _json(said: Mapping[str, Any]) -> Answer:
    return Answer(body=json.dumps(said).encode())


@asynccontextmanager
async def open_whatsapp() -> AsyncIterator[WhatsappServer]:
    """A server that runs until the body ends, and was asked for nothing that is not documented."""
    server = WhatsappServer()
    async with LoopbackServer(server.answer) as listening:
        server.url = listening.url
        handing = asyncio.create_task(server.hands_over())
        try:
            yield server
        finally:
            handing.cancel()
            await asyncio.wait({handing})
    assert server.broken == []
