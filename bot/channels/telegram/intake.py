"""Updates on their way to the inbox: chats side by side, each in order, and stored on return."""

import asyncio
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import structlog
from pydantic import ValidationError

from bot.channels.telegram.findings import RoomRefusal
from bot.channels.telegram.greeting import TelegramGreeting
from bot.channels.telegram.inbound.groups import OUT, Groups
from bot.channels.telegram.inbound.membership import GroupMembership
from bot.channels.telegram.inbound.objects import MemberUpdated, TelegramMessage, Update
from bot.channels.telegram.inbound.reader import (
    edited_of,
    inbound_of,
    is_read,
    moment,
    reacted_of,
)
from bot.channels.telegram.inbound.rooms import (
    GroupRules,
    author_of,
    id_of,
    room_in,
    room_number,
)
from bot.channels.telegram.inbound.words import BotAccount
from bot.channels.telegram.interactions.handler import TelegramCommands
from bot.channels.telegram.outbound.refusals import RefusingRooms
from bot.model.events import AuthorRef, Inbound, InboundEvent
from bot.platforms.handing_on import batches, store
from bot.ports import Hearing
from memory.model.errors import StorageFailed
from memory.ports import Clock
from memory.tasks import Boundary

log = structlog.get_logger()

COMMANDS_LATE = timedelta(minutes=5)
"""A command that is older was for then: it is kept as words, and not done."""

COMMANDS_TAKEN_S = 2.0
"""Seconds to wait until commands are taken on disk, before they are acknowledged to Telegram."""

MOST_REMEMBERED = 4096
"""Updates that are remembered to have been taken; the rest is found on disk."""

MOST_AT_ONCE = 4
"""Chats that are read at a time: the writer is one."""

Found = InboundEvent | Coroutine[Any, Any, None] | None
"""What an update brings: an event, something to be answered, or nothing."""

Start = Callable[[Coroutine[Any, Any, None]], "asyncio.Task[None]"]
"""Begins something that has an owner."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IntakeParts:
    """What reads updates: the account, its groups and their members, and who answers what."""

    pet: BotAccount
    rules: GroupRules
    groups: Groups
    membership: GroupMembership
    commands: TelegramCommands
    greeting: TelegramGreeting
    refusing: RefusingRooms
    start: Start


class Intake:
    """Takes updates to the inbox, and commands to where they are answered."""

    def __init__(self, inbox: Hearing, clock: Clock, parts: IntakeParts) -> None:
        self._inbox = inbox
        self._clock = clock
        self._parts = parts
        self._began = clock.now()
        self._taken: OrderedDict[int, None] = OrderedDict()
        self._slots = asyncio.Semaphore(MOST_AT_ONCE)

    async def take(self, raw: Sequence[object]) -> None:
        """Take updates; returns when all that they bring is durable.

        Raises:
            StorageFailed: some of it is not; hand them in again.

        """
        lanes: dict[int, list[Update]] = defaultdict(list)
        for update in _read(raw):
            if update.update_id not in self._taken:
                self._parts.groups.see(update)
                chat = update.chat
                lanes[chat.id if chat else 0].append(update)
        started: list[asyncio.Task[None]] = []
        outcomes = await asyncio.gather(
            *(self._lane(lane, started) for lane in lanes.values()), return_exceptions=True
        )
        if started:
            await asyncio.wait(started, timeout=COMMANDS_TAKEN_S)
        for outcome in outcomes:
            if isinstance(outcome, BaseException):
                raise outcome

    async def _lane(self, updates: Sequence[Update], started: list[asyncio.Task[None]]) -> None:
        """Take what happened in one chat, in order."""
        async with self._slots:
            events: list[InboundEvent] = []
            for update in updates:
                found = await self._safely(update)
                if isinstance(found, Coroutine):
                    await self._hand_on(events)
                    events = []
                    started.append(self._parts.start(found))
                    self._done(update)
                elif found is not None:
                    events.append(found)
            await self._hand_on(events)
            for update in updates:
                self._done(update)

    async def _safely(self, update: Update) -> Found:
        passing = (StorageFailed,)
        with Boundary("event.misread", passing=passing, update=update.update_id):
            return await self._found(update)
        return None

    async def _found(self, update: Update) -> Found:
        parts = self._parts
        if update.message is not None:
            return await self._message(update.message)
        if (edited := update.edited_message) is not None:
            is_missed = self._is_missed(edited.edit_date or edited.date)
            return edited_of(edited, parts.pet, parts.rules, is_missed=is_missed)
        if (reaction := update.message_reaction) is not None:
            found = reacted_of(reaction, parts.rules)
            return None if found is None or found.author.is_bot else found
        if (query := update.callback_query) is not None:
            return None if query.from_.is_bot else parts.commands.pressed(query)
        if update.my_chat_member is not None:
            return self._membership_changed(update.my_chat_member)
        return None

    async def _message(self, message: TelegramMessage) -> Found:
        parts = self._parts
        author = author_of(message, parts.rules)
        if author is None or author.is_bot or not is_read(message, parts.pet, parts.rules):
            return None
        if not self._is_late(message) and message.forward_origin is None:
            if _begins(message, parts.pet):
                return self._greeted(message, author)
            if (line := parts.commands.line_in(message.text or "")) is not None:
                return parts.commands.typed(message, author, line)
        standing = await parts.membership.standing(message)
        inbound = inbound_of(message, author, standing, parts.pet, parts.rules)
        return replace(inbound, text=parts.commands.respelt(inbound.text))

    def _is_late(self, message: TelegramMessage) -> bool:
        return self._clock.now() - moment(message.date) > COMMANDS_LATE

    async def _greeted(self, message: TelegramMessage, author: AuthorRef) -> None:
        room = room_in(message, self._parts.rules, speaker=author.name)
        locale = self._parts.commands.locale_of(message.from_)
        if self._parts.commands.admits(author, room):
            await self._parts.greeting.asked(room, author, locale, id_of(message))

    def _membership_changed(self, update: MemberUpdated) -> Coroutine[Any, Any, None]:
        member = update.new_chat_member
        room = room_number(self._parts.rules.moves.first_of(update.chat.id), None)
        if member.status in OUT:
            self._parts.membership.forget(update.chat.id)
        elif member.status == "restricted" and member.can_send_messages is False:
            self._parts.refusing.refused(room, RoomRefusal.MUTED)
        else:
            self._parts.refusing.opened(room)
        return self._parts.greeting.let_in(update, self._parts.commands.locale_of(update.from_))

    def began(self) -> None:
        """Take what was said before now for what was missed."""
        self._began = self._clock.now()

    def _is_missed(self, date: int) -> bool:
        """Whether something is from before the conversation began: Telegram counts seconds."""
        return moment(date + 1) < self._began

    async def _hand_on(self, events: Sequence[InboundEvent]) -> None:
        now = self._clock.now()
        missed = partial(self._missed_at, now=now)
        for together, missed_at in batches(events, missed):
            await store(self._inbox, together, missed_at)

    def _missed_at(self, event: Inbound, now: datetime) -> datetime | None:
        return now if self._is_missed(int(event.sent_at.timestamp())) else None

    def _done(self, update: Update) -> None:
        self._taken[update.update_id] = None
        if len(self._taken) > MOST_REMEMBERED:
            self._taken.popitem(last=False)


def numbers_of(raw: Sequence[object]) -> list[int]:
    """The numbers of updates, of those too that cannot be read otherwise."""
    numbers = (one.get("update_id") for one in raw if isinstance(one, Mapping))
    return [one for one in numbers if isinstance(one, int)]


def _read(raw: Sequence[object]) -> Iterator[Update]:
    for one in raw:
        try:
            yield Update.model_validate(one)
        except (ValidationError, RecursionError):
            log.warning("update.misread", update=next(iter(numbers_of([one])), None))


def _begins(message: TelegramMessage, pet: BotAccount) -> bool:
    """Whether a message is what Telegram sends for who opens a chat, or adds the pet by a link."""
    first = next(iter((message.text or "").split(maxsplit=1)), "")
    command, _, username = first.partition("@")
    return command == "/start" and username.lower() in {"", pet.username.lower()}
