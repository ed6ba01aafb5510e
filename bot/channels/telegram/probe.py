"""A look at Telegram by its requests alone: whether the token works and what it allows."""

import asyncio

from pydantic import ValidationError

from bot.channels.telegram.channel import TelegramChannel
from bot.channels.telegram.findings import BotLogin, TelegramSight
from bot.channels.telegram.inbound.objects import TelegramObject
from bot.channels.telegram.service.api import BotApi
from bot.errors import DeliveryFailed
from bot.platforms.http_api import ApiDenied
from bot.ports import Platform

LIMIT_S = 5.0
"""Seconds the whole look may take: the caller of the doctor waits for it."""

_RECENT_S = 3600
"""Seconds for which a failed call to Telegram is reported."""


class _Account(TelegramObject):
    username: str = ""
    can_read_all_group_messages: bool = False


class _Webhook(TelegramObject):
    url: str = ""
    pending_update_count: int = 0
    last_error_date: int = 0


async def look(
    api: BotApi, now: float, here: Platform | None = None, *, limit_s: float = LIMIT_S
) -> TelegramSight:
    """What the token is good for now; never fails, at worst says why it could not be seen.

    `here` is the channel where it is open, which knows the rooms that refuse.
    """
    try:
        async with asyncio.timeout(limit_s):
            account = _Account.model_validate(await api.call("getMe"))
            webhook = _Webhook.model_validate(await api.call("getWebhookInfo"))
    except ApiDenied:
        return TelegramSight(login=BotLogin.REFUSED)
    except (DeliveryFailed, ValidationError, TimeoutError):
        return TelegramSight(login=BotLogin.UNREACHABLE)
    return TelegramSight(
        login=BotLogin.WORKS,
        username=account.username,
        reads_groups=account.can_read_all_group_messages,
        calls=bool(webhook.url),
        webhook_failed=webhook.pending_update_count > 0
        and now - webhook.last_error_date < _RECENT_S,
        waiting=webhook.pending_update_count,
        refusing=dict(here.refusing.now) if isinstance(here, TelegramChannel) else {},
    )
