"""Takes what Telegram hands to the pet's own address.

https://core.telegram.org/bots/api#setwebhook
"""

import hashlib
import hmac
import json
from collections.abc import Awaitable, Callable, Sequence

import structlog

from bot.model.webhooks import WebhookAnswer, WebhookRequest
from memory.model.errors import StorageFailed

log = structlog.get_logger()

PATH = "/webhooks/telegram"
"""Where it is on the pet's own address."""

HEADER = "x-telegram-bot-api-secret-token"
"""The header that has what only Telegram and the pet know."""

Take = Callable[[Sequence[object]], Awaitable[None]]
"""Stores updates."""


def secret_of(token: str) -> str:
    """What Telegram says of itself with each call: made from the token, the same at each start."""
    return hmac.new(token.strip().encode(), b"webhook of the pet", hashlib.sha256).hexdigest()


class TelegramWebhook:
    """The Webhook port: what is not from Telegram is refused, what is stored is answered 200."""

    def __init__(self, token: str) -> None:
        self._secret = secret_of(token).encode()
        self._take: Take | None = None

    def follow(self, take: Take | None) -> None:
        """Hand updates to this from now on; None refuses them for a while."""
        self._take = take

    async def answer(self, request: WebhookRequest) -> WebhookAnswer:
        """See `Webhook.answer`; Telegram hands again what was not answered 200."""
        said = request.headers.get(HEADER, "").encode("utf-8", "surrogateescape")
        if not hmac.compare_digest(said, self._secret):
            return WebhookAnswer(status=403)
        if request.method != "POST":
            return WebhookAnswer(status=405)
        if self._take is None:
            return WebhookAnswer(status=503)
        try:
            update = json.loads(request.body)
        except (ValueError, RecursionError):
            return WebhookAnswer(status=400)
        try:
            await self._take([update])
        except StorageFailed as error:
            log.warning("storing.failed", events=1, reason=str(error))
            return WebhookAnswer(status=503)
        return WebhookAnswer(status=200)
