"""The groups that the pet is in, and those of them that became supergroups."""

from collections.abc import Awaitable, Callable, Collection, Sequence

import structlog

from bot.channels.telegram.inbound.objects import ChatType, TelegramMessage, Update
from bot.channels.telegram.inbound.rooms import PLATFORM, GroupRules, named_topics
from bot.channels.telegram.service.api import BotApi, moved_to
from bot.platforms.http_api import ApiRefused
from memory.model.rooms import Room

log = structlog.get_logger()

SUPERGROUPS_FROM = -1_000_000_000_000
"""Supergroups and channels have numbers below this; those of other groups can still change.

https://core.telegram.org/api/bots/ids
"""

OUT = frozenset({"left", "kicked"})
"""What the pet is called in a group that it is not in any more."""


class Groups:
    """Follows which groups there are, from what was kept and what Telegram tells.

    Telegram lists no bot the groups that it is in: what is known are those that something was
    heard of.
    """

    def __init__(self, api: BotApi, rules: GroupRules) -> None:
        self._api = api
        self._rules = rules
        self._known: set[int] = set()

    def known(self) -> Collection[int]:
        """The numbers of their rooms."""
        return self._known

    async def load(self, met: Callable[[], Awaitable[Sequence[Room]]]) -> None:
        """Take up the groups that were met, and look which of them have other numbers now.

        Raises:
            DeliveryFailed: Telegram did not say.

        """
        rooms = [one for one in await met() if one.platform == PLATFORM]
        numbers = (number for one in rooms if (number := _number(one)) is not None)
        self._known |= set(numbers)
        for number in self._known - self._rules.moves.now.keys():
            if number > SUPERGROUPS_FROM:
                await self._follow(number)
        for room in rooms:
            self._name(room)

    def see(self, update: Update) -> None:
        """Take note of what an update says about the groups themselves."""
        for message in (update.message, update.edited_message):
            if message is not None:
                self._see(message)
        chat = update.chat
        if chat is None or chat.type not in {ChatType.GROUP, ChatType.SUPERGROUP}:
            return
        member = update.my_chat_member
        number = self._rules.moves.first_of(chat.id)
        if member is not None and member.new_chat_member.status in OUT:
            self._known.discard(number)
        else:
            self._known.add(number)

    def _see(self, message: TelegramMessage) -> None:
        self._rules.topics.update(named_topics(message))
        if message.migrate_to_chat_id is not None:
            self._move(message.chat.id, message.migrate_to_chat_id)
        if message.migrate_from_chat_id is not None:
            self._move(message.migrate_from_chat_id, message.chat.id)

    def _name(self, room: Room) -> None:
        """Take up what a topic was called: few messages in it say so."""
        number, (_, _, thread) = _number(room), room.external_id.partition(":")
        if number is not None and thread.isdecimal():
            self._rules.topics.setdefault(
                (self._rules.moves.now_of(number), int(thread)), room.name
            )

    async def _follow(self, number: int) -> None:
        try:
            await self._api.call("getChat", chat_id=number)
        except ApiRefused as refused:
            if (new := moved_to(refused)) is not None:
                self._move(number, new)

    def _move(self, old: int, new: int) -> None:
        if self._rules.moves.now_of(old) != new:
            self._rules.moves.moved(old, new)
            log.info("group.moved", group=old, now=new)


def _number(room: Room) -> int | None:
    """The number of the group that a room belongs to; None for what is no group's."""
    text = room.external_id.partition(":")[0]
    digits = text.removeprefix("-")
    return int(text) if text != digits and digits.isdecimal() and len(digits) < 20 else None
