"""What the pet says once to a group that lets it in, and to who begins with it anywhere."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import structlog

from bot.channels.telegram.findings import TEXTS
from bot.channels.telegram.inbound.objects import ChatType, MemberUpdated
from bot.channels.telegram.inbound.reader import moment
from bot.channels.telegram.inbound.rooms import GroupRules, room_of
from bot.errors import DeliveryFailed
from bot.model.events import AuthorRef, RoomRef
from bot.model.turns import Outgoing
from bot.ports import Introductions
from bot.texts.catalogue import texts_in
from memory.model.rooms import RoomKind, RoomRole, SpaceId

log = structlog.get_logger()

_IN = frozenset({"member", "administrator", "creator"})

TOGETHER_S = 60.0
"""Seconds within which a link that adds the pet to a group tells both that and `/start`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TelegramGreetingRules:
    """The pet's name and language, what groups are, and whether it greets those."""

    pet_name: str
    locale: str
    groups: GroupRules
    greets: bool = True


class TelegramGreeting:
    """Greets a group once for each time it is let in, and a person each time they ask."""

    def __init__(
        self,
        introductions: Introductions,
        send: Callable[[Outgoing], Awaitable[str | None]],
        rules: TelegramGreetingRules,
    ) -> None:
        self._introductions = introductions
        self._send = send
        self._rules = rules
        self._let_in: dict[SpaceId, float] = {}

    async def let_in(self, update: MemberUpdated, locale: str) -> None:
        """Greet a group that the pet was not in before.

        Raises:
            StorageFailed: nothing was said, as it could not be kept in mind.

        """
        was_in = update.old_chat_member.status in _IN | {"restricted"}
        is_group = update.chat.type in {ChatType.GROUP, ChatType.SUPERGROUP}
        if not self._rules.greets or not is_group or was_in:
            return
        if update.new_chat_member.status not in _IN:
            return
        room = room_of(update.chat, None, self._rules.groups)
        self._let_in[room.space] = asyncio.get_running_loop().time()
        if not await self._introductions.take(room.space, moment(update.date)):
            del self._let_in[room.space]
            return
        said = texts_in(locale, TEXTS).say("greeting", name=self._rules.pet_name)
        if await self._said(room, said, f"greeting:{room.external_id}:{update.date}"):
            log.info("group.greeted", room=room.external_id)
        else:
            await self._introductions.give_back(room.space)

    async def asked(self, room: RoomRef, author: AuthorRef, locale: str, message: str) -> None:
        """Greet who says `/start`: Telegram does for who opens a chat, or adds it by a link."""
        texts = texts_in(locale, TEXTS)
        said = texts.say("greeting_direct", name=self._rules.pet_name, account=str(author.account))
        if room.kind is RoomKind.GROUP:
            let_in = self._let_in.get(room.space, float("-inf"))
            if asyncio.get_running_loop().time() - let_in < TOGETHER_S:
                return
            said = texts.say("greeting", name=self._rules.pet_name)
        await self._said(room, said, f"start:{message}")

    async def _said(self, ref: RoomRef, text: str, nonce: str) -> bool:
        room = self._introductions.room(ref)
        if room.role is RoomRole.IGNORED:
            return True
        try:
            await self._send(Outgoing(room=room, text=text, nonce=nonce))
        except DeliveryFailed as error:
            log.warning("greeting.missed", room=room.id, reason=str(error))
            return False
        return True
