"""WhatsApp as people find it, with the pet on its Cloud API."""

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from tests.channels.whatsapp_server import (
    NUMBER_ID,
    SECRET,
    TOKEN,
    WORD,
    Customer,
    WhatsappServer,
    open_whatsapp,
    refused,
)
from tests.channels.world import Abilities, PetMessage, Where, Who
from tests.edge.loopback import Answer

CUSTOMERS: Mapping[Who, Customer] = MappingProxyType(
    {
        Who.LEA: Customer(name="Léa", user_id="FR.13491208655302741918", phone="33612345678"),
        Who.TOM: Customer(name="Tom", user_id="US.23491208655302741918"),
        Who.OWNER: Customer(name="Olga", user_id="DE.33491208655302741918", phone="4915112345678"),
    }
)
"""Tom has a username: no webhook has his number."""

_ROOMS = {Where.LEA_DIRECT: Who.LEA, Where.TOM_DIRECT: Who.TOM, Where.OWNER_DIRECT: Who.OWNER}


@dataclass
class WhatsappWorld:
    """The ChannelWorld of WhatsApp."""

    server: WhatsappServer
    name: str = "whatsapp"
    abilities: Abilities = Abilities(  # noqa: RUF009 - it is frozen
        groups=False,
        edits=False,
        told_deletions=False,
        reactions=True,
        history=True,
        buttons=True,
        idempotent=False,
        text_limit=4096,
        way="Cloud API",
    )
    connected: str = "whatsapp.connected"

    @property
    def settings(self) -> Mapping[str, str]:
        """The environment of a pet on it, with Olga as its admin."""
        owner = CUSTOMERS[Who.OWNER].user_id
        allowed = [CUSTOMERS[Who.LEA].user_id, CUSTOMERS[Who.TOM].user_id]
        return {
            "EKO_WHATSAPP__ACCESS_TOKEN": TOKEN,
            "EKO_WHATSAPP__PHONE_NUMBER_ID": NUMBER_ID,
            "EKO_WHATSAPP__APP_SECRET": SECRET,
            "EKO_WHATSAPP__VERIFY_TOKEN": WORD,
            "EKO_WHATSAPP__API_URL": self.server.url,
            "EKO_WHATSAPP__EXPRESSION": "none",
            "EKO_WHATSAPP__ALLOWED": json.dumps(allowed),
            "EKO_ADMINS__IDENTITIES": json.dumps([f"whatsapp:{owner}"]),
        }

    async def pet_is(self, base_url: str | None) -> None:
        """Hand webhooks over to this address from now on; nowhere without one."""
        self.server.pet = None if base_url is None else base_url.rstrip("/")

    async def says(self, who: Who, where: Where, text: str, *, answers: str | None = None) -> str:
        """Say something in the direct room; its id."""
        assert where is not Where.LOBBY
        more = {} if answers is None else {"context": {"from": "15550783881", "id": answers}}
        return self._hands(who, "text", text={"body": text}, **more)

    async def calls(self, who: Who, where: Where, text: str) -> str:
        """The same: all that is said in a direct room is said to the pet."""
        return await self.says(who, where, text)

    async def edits(self, who: Who, message: str, text: str) -> None:
        """Change an own message, as numbers are told that the app uses as well."""
        now = {"type": "text", "text": {"body": text}}
        self._hands(who, "edit", edit={"original_message_id": message, "message": now})

    async def deletes(self, who: Who, message: str) -> None:
        """Take an own message back, as numbers are told that the app uses as well."""
        self._hands(who, "revoke", revoke={"original_message_id": message})

    async def reacts(self, who: Who, message: str, emoji: str | None) -> None:
        """Have this emoji at a message, and no other; None takes it away."""
        self._hands(who, "reaction", reaction={"message_id": message, "emoji": emoji or ""})

    async def presses(self, who: Who, message: str, label: str) -> None:
        """Press a button or a row under a message of the pet's."""
        under = next(one for one in self.server.sent if one.id == message)
        kind = "button_reply" if under.body["interactive"]["type"] == "button" else "list_reply"
        reply = {"type": kind, kind: {"id": under.buttons[label], "title": label}}
        self._hands(who, "interactive", interactive=reply, context={"id": message})

    async def pet_said(self, where: Where) -> Sequence[PetMessage]:
        """What the pet has sent to a person, oldest first; reactions are none of it."""
        address = CUSTOMERS[_ROOMS[where]].address
        return [
            PetMessage(id=one.id, text=one.text, answers=one.answers, buttons=tuple(one.buttons))
            for one in self.server.sent
            if one.address == address and one.body["type"] != "reaction"
        ]

    async def drops(self) -> None:
        """Cut the next request of the pet's, of whatever kind, before it is taken.

        There is no connection that lasts; what is lost after it was taken is tried elsewhere.
        """
        self.server.cut = True

    async def refuses(self, status: int, times: int, *, retry_after_s: float | None = None) -> None:
        """Answer the pet's next sendings with this status of HTTP."""
        headers = {} if retry_after_s is None else {"retry-after": str(retry_after_s)}
        code = 130429 if status == 429 else 131000
        answer = refused(status, code) if status < 500 else Answer(status=status)
        self.server.refusals.extend(
            Answer(status=status, body=answer.body, headers=headers) for _ in range(times)
        )

    async def redelivers(self) -> None:
        """Hand over again everything that was handed over before."""
        for body in list(self.server.handed):
            self.server.hand(body)

    def _hands(self, who: Who, kind: str, **parts: Any) -> str:
        customer, server = CUSTOMERS[who], self.server
        message = server.message_of(customer, kind, **parts)
        server.hand(server.body_of(server.value_of(customer, message)))
        return str(message["id"])


@asynccontextmanager
async def open_whatsapp_world() -> AsyncIterator[WhatsappWorld]:
    """A WhatsApp with the three of them, until the body ends."""
    async with open_whatsapp() as server:
        yield WhatsappWorld(server)
