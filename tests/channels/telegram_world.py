"""Telegram as a world: a server strictly after the Bot API's documentation, and three people."""

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from tests.channels.telegram_server import BOT, TOKEN, Refusal, TelegramServer, serving
from tests.channels.world import Abilities, PetMessage, Where, Who

IDS = {Who.LEA: 1001, Who.TOM: 1002, Who.OWNER: 1003}
LOBBY = -1_001_000_000_001
CHATS = {
    Where.LEA_DIRECT: IDS[Who.LEA],
    Where.TOM_DIRECT: IDS[Who.TOM],
    Where.OWNER_DIRECT: IDS[Who.OWNER],
    Where.LOBBY: LOBBY,
}

QUICK = {
    "EKO_COALESCING__DEBOUNCE_S": "0",
    "EKO_TELEGRAM__EXPRESSION": "none",
    "EKO_TELEGRAM__GREETING": "false",
}


@dataclass
class TelegramWorld:
    """The ChannelWorld port over the server; an id is the number of a chat and of a message."""

    server: TelegramServer
    url: str
    name = "telegram"
    connected = "telegram.connected"
    abilities = Abilities(
        groups=True,
        edits=True,
        told_deletions=False,
        reactions=True,
        history=True,
        buttons=True,
        idempotent=False,
        text_limit=4096,
    )

    @property
    def settings(self) -> Mapping[str, str]:
        """The environment of a pet there, which Olga looks after."""
        return QUICK | {
            "TELEGRAM_TOKEN": TOKEN,
            "EKO_TELEGRAM__API_URL": self.url,
            "EKO_ADMINS__IDENTITIES": json.dumps([f"telegram:{IDS[Who.OWNER]}"]),
        }

    async def pet_is(self, base_url: str | None) -> None:
        """The pet asks, and is not called."""

    async def says(self, who: Who, where: Where, text: str, *, answers: str | None = None) -> str:
        """Write something."""
        about = {} if answers is None else {"answers": _number(answers)}
        return _id(await self.server.says(IDS[who], CHATS[where], text, **about))

    async def calls(self, who: Who, where: Where, text: str) -> str:
        """Write something behind a mention of the pet."""
        return await self.says(who, where, f"@{BOT['username']} {text}")

    async def edits(self, who: Who, message: str, text: str) -> None:
        """Change a message."""
        del who
        await self.server.edits(_chat(message), _number(message), text)

    async def deletes(self, who: Who, message: str) -> None:
        """Delete a message, of which no bot is told."""
        del who
        del self.server.chats[_chat(message)].messages[_number(message)]

    async def reacts(self, who: Who, message: str, emoji: str | None) -> None:
        """Have one reaction at a message, or none."""
        await self.server.reacts(IDS[who], _chat(message), _number(message), emoji)

    async def presses(self, who: Who, message: str, label: str) -> None:
        """Press a button."""
        shown = self.server.chats[_chat(message)].messages[_number(message)]
        data = next(one["callback_data"] for one in _buttons(shown) if one["text"] == label)
        await self.server.presses(IDS[who], _chat(message), _number(message), data)

    async def pet_said(self, where: Where) -> Sequence[PetMessage]:
        """The pet's messages in a chat, as they are now."""
        return self.said_in(CHATS[where])

    def said_in(self, chat: int) -> Sequence[PetMessage]:
        """The same by the number of a chat."""
        messages = self.server.chats[chat].messages.values()
        return [_shown(one) for one in messages if one["from"]["id"] == BOT["id"]]

    async def drops(self) -> None:
        """Cut the question for updates that waits."""
        await self.server.drop()

    async def refuses(self, status: int, times: int, *, retry_after_s: float | None = None) -> None:
        """Refuse what the pet sends next."""
        more = {} if retry_after_s is None else {"retry_after": retry_after_s}
        self.server.refusals += [Refusal(status, "Too Many Requests", **more)] * times

    async def redelivers(self) -> None:
        """Give every update again, as where the confirmation of them was lost."""
        await self.server.tell_again()

    async def pours(self, text: str, messages: int, rooms: int) -> Mapping[str, Sequence[str]]:
        """As many messages over groups of three."""
        chats = [LOBBY - 1000 - at for at in range(rooms)]
        for chat in chats:
            self.server.group(chat, f"Room {chat}", _members())
        poured: dict[str, list[str]] = {str(chat): [] for chat in chats}
        people = list(IDS.values())
        for number in range(messages):
            chat, said = chats[number % rooms], text.replace("{n}", str(number))
            await self.server.says(people[number % len(people)], chat, said)
            poured[str(chat)].append(said)
        return poured


@asynccontextmanager
async def open_telegram_world() -> AsyncIterator[TelegramWorld]:
    """A server with three people and a group, in which the pet is an admin."""
    server = TelegramServer()
    for who, id_ in IDS.items():
        server.person(id_, who.value)
    server.group(LOBBY, "Lobby", _members())
    async with serving(server) as running:
        yield TelegramWorld(server, running.url)
        await server.drop()  # what still waits for updates would be waited for


def _members() -> Mapping[int, str]:
    return {**dict.fromkeys(IDS.values(), "member"), int(str(BOT["id"])): "administrator"}


def _id(message: Mapping[str, Any]) -> str:
    return f"{message['chat']['id']}:{message['message_id']}"


def _chat(id_: str) -> int:
    return int(id_.partition(":")[0])


def _number(id_: str) -> int:
    return int(id_.partition(":")[2])


def _buttons(message: Mapping[str, Any]) -> Sequence[Mapping[str, str]]:
    rows = message.get("reply_markup", {}).get("inline_keyboard", ())
    return [button for row in rows for button in row]


def _shown(message: Mapping[str, Any]) -> PetMessage:
    answered = message.get("reply_to_message")
    return PetMessage(
        id=_id(message),
        text=str(message.get("text", "")),
        answers=None if answered is None else f"{message['chat']['id']}:{answered['message_id']}",
        buttons=tuple(one["text"] for one in _buttons(message)),
    )
