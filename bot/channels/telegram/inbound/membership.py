"""Who is in which group and who manages it, as Telegram vouches; what is not known is no.

https://core.telegram.org/bots/api#getchatmember: of others it is certain only where the pet is an
admin; where it is not, Telegram mostly answers all the same.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Collection
from dataclasses import dataclass

import structlog
from pydantic import ValidationError

from bot.channels.telegram.inbound.objects import ChatMember, ChatType, TelegramMessage
from bot.channels.telegram.inbound.reader import VouchedStanding
from bot.channels.telegram.inbound.rooms import (
    MANAGERS,
    GroupRules,
    is_unnamed_admin,
    reader_of,
    space_of,
)
from bot.channels.telegram.service.api import BotApi
from bot.errors import DeliveryFailed
from bot.platforms.http_api import ApiRefused
from memory.model.rooms import SpaceId

log = structlog.get_logger()

LASTS_S = 300
"""Seconds an answer is good for: who left a group hears of it for that long at most."""

LIMIT_S = 5
"""Seconds a message waits for all answers; the rest is known next time."""

AGAIN_S = 30
"""Seconds until an account is asked about again that Telegram did not answer for."""

MOST_AT_ONCE = 8
"""Requests at a time."""

MOST_KEPT = 4096
"""Answers kept, one for each account and group; the oldest go first."""

_MEMBERS = MANAGERS | {"member"}


@dataclass(frozen=True, slots=True)
class _Known:
    is_member: bool
    manages: bool
    told_at: float


class GroupMembership:
    """Asks Telegram what an account is in the groups that the pet knows."""

    def __init__(
        self, api: BotApi, rules: GroupRules, groups: Callable[[], Collection[int]]
    ) -> None:
        self._api = api
        self._rules = rules
        self._groups = groups
        self._known: OrderedDict[tuple[int, int], _Known] = OrderedDict()
        self._missed: OrderedDict[int, float] = OrderedDict()
        self._slots = asyncio.Semaphore(MOST_AT_ONCE)

    async def standing(self, message: TelegramMessage, *, manages: bool = True) -> VouchedStanding:
        """What Telegram vouches for about who wrote; `manages` asks whether they manage a group."""
        if (reader := reader_of(message)) is not None:
            here = space_of(self._rules.moves.first_of(message.chat.id))
            return VouchedStanding(spaces=await self.spaces(reader) | {here})
        if message.chat.type is not ChatType.PRIVATE:
            is_unnamed = is_unnamed_admin(message)
            user = message.from_.id if message.from_ and message.sender_chat is None else None
            of_user = manages and user is not None and await self.manages(message.chat.id, user)
            return VouchedStanding(manages_space=is_unnamed or of_user)
        if message.from_ is None:
            return VouchedStanding()
        return VouchedStanding(spaces=await self.spaces(message.from_.id))

    async def spaces(self, user: int) -> frozenset[SpaceId]:
        """The communities of the groups that an account is in together with the pet."""
        groups = list(self._groups())
        await self._ask([one for one in groups if self._recalled(one, user) is None], user)
        return frozenset(
            space_of(one)
            for one in groups
            if (known := self._recalled(one, user)) and known.is_member
        )

    async def manages(self, chat: int, user: int) -> bool:
        """Whether an account is the creator or an admin of a group."""
        group = self._rules.moves.first_of(chat)
        if self._recalled(group, user) is None:
            await self._ask([group], user)
        known = self._recalled(group, user)
        return known is not None and known.manages

    def forget(self, chat: int) -> None:
        """Drop what is known of a group that the pet has left."""
        group = self._rules.moves.first_of(chat)
        for key in [key for key in self._known if key[0] == group]:
            del self._known[key]

    async def _ask(self, groups: Collection[int], user: int) -> None:
        if not groups or self._was_missed(user):
            return
        try:
            async with asyncio.timeout(LIMIT_S), asyncio.TaskGroup() as asking:
                for group in groups:
                    asking.create_task(self._look_up(group, user))
        except TimeoutError:
            log.warning("membership.postponed", groups=len(groups), limit_s=LIMIT_S)
            self._miss(user)

    async def _look_up(self, group: int, user: int) -> None:
        chat = self._rules.moves.now_of(group)
        async with self._slots:
            try:
                told = await self._api.call("getChatMember", chat_id=chat, user_id=user)
                member = ChatMember.model_validate(told)
            except ApiRefused:  # the pet is in it no more, or they never were
                self._keep(group, user, ChatMember(status="left"))
            except (DeliveryFailed, ValidationError) as error:
                log.warning("membership.missed", group=group, reason=type(error).__name__)
                self._miss(user)
            else:
                self._keep(group, user, member)

    def _was_missed(self, user: int) -> bool:
        return _now() - self._missed.get(user, float("-inf")) < AGAIN_S

    def _miss(self, user: int) -> None:
        self._missed[user] = _now()
        self._missed.move_to_end(user)
        if len(self._missed) > MOST_KEPT:
            self._missed.popitem(last=False)

    def _recalled(self, group: int, user: int) -> _Known | None:
        known = self._known.get((group, user))
        return known if known is not None and _now() - known.told_at < LASTS_S else None

    def _keep(self, group: int, user: int, member: ChatMember) -> None:
        is_member = member.status in _MEMBERS or bool(
            member.status == "restricted" and member.is_member
        )
        manages = member.status in MANAGERS
        self._known[group, user] = _Known(is_member, manages, _now())
        self._known.move_to_end((group, user))
        if len(self._known) > MOST_KEPT:
            self._known.popitem(last=False)


def _now() -> float:
    return asyncio.get_running_loop().time()
