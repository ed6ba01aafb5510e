"""What the pet sends by the Agent Platform: one message after the other, none of them twice."""

import asyncio
from dataclasses import dataclass
from typing import Any

import structlog

from bot.channels.whatsapp.agent_platform.api import KEY_CODE, AgentApi, KeyRefused
from bot.channels.whatsapp.agent_platform.receipts import DeliveryReceipts
from bot.channels.whatsapp.service.markup import TEXT_LIMIT, whatsapp_text
from bot.errors import BotError, ChannelAway, DeliveryFailed, DeliveryRefused
from bot.model.turns import Outgoing
from bot.platforms.expressions import with_emoji
from bot.platforms.http_api import ApiBusy, ApiRefused, OutcomeUnknown
from memory.model.rooms import Room

log = structlog.get_logger()

BUSY_WAITS_S = (5.0, 10.0, 20.0, 40.0, 60.0)
"""Waits after sendings that came too fast where no Retry-After says how long: the counters span a
minute, and none is sent (https://elimeshi1.github.io/Whagent/rate-limits/)."""

LONGEST_BUSY_S = 300.0

TYPING_SHOWN_S = 20.0
"""Seconds until the sign of writing is shown again; WhatsApp takes it away after 25."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentSending:
    """How the face is shown, and how many seconds things may take.

    `unsure_s` is how long a receipt is waited for of a message whose sending had no answer.
    """

    face: bool = True
    limit_s: float = 40.0
    typing_limit_s: float = 3.0
    unsure_s: float = 20.0


class AgentSender:
    """Sends to one agent's creator."""

    def __init__(self, api: AgentApi, receipts: DeliveryReceipts, rules: AgentSending) -> None:
        self._api = api
        self._receipts = receipts
        self._rules = rules
        self._order = asyncio.Lock()
        self._last: dict[str, str] = {}
        self._shown: tuple[str, float] | None = None

    def heard(self, room: str, message: str) -> None:
        """Note which message of a room is the last, so that writing is shown as its answer."""
        self._last[room] = message

    async def send(self, message: Outgoing) -> str | None:
        """Put a message into its talk, after those before it; its id.

        Raises:
            ChannelAway: the key is refused.
            DeliveryFailed: WhatsApp did not take it, as far as can be known.
            DeliveryRefused: it never will.

        """
        async with self._order:
            for wait_s in BUSY_WAITS_S:
                await self._api.sends.passed()
                try:
                    return await self._sent(self._form(message))
                except ApiBusy as busy:
                    asked_s = wait_s if busy.retry_after_s is None else busy.retry_after_s
                    self._api.sends.hold(min(asked_s, LONGEST_BUSY_S))
            raise DeliveryFailed("WhatsApp takes no more messages for now.")

    async def show_typing(self, room: Room) -> None:
        """Show the last message as read and that the pet is writing; a failure shows nothing."""
        message = self._last.get(room.external_id)
        now = asyncio.get_running_loop().time()
        if message is None or (self._shown and self._shown[0] == message and now < self._shown[1]):
            return
        self._shown = message, now + TYPING_SHOWN_S
        try:
            await self._api.mark_read(message, limit_s=self._rules.typing_limit_s)
        except BotError as error:
            log.debug("typing.failed", room=room.id, reason=str(error))

    def _form(self, message: Outgoing) -> dict[str, Any]:
        face = message.expression if self._rules.face else None
        words = whatsapp_text(with_emoji(message.text, face, TEXT_LIMIT))
        form: dict[str, Any] = {
            "messaging_product": "whatsapp",
            "to": message.room.external_id,
            "type": "text",
            "text": {"body": words},
        }
        if message.answers:
            form["context"] = {"message_id": message.answers}
        return form

    async def _sent(self, form: dict[str, Any]) -> str | None:
        """Send in the fullest form that is taken: an answer to what is gone is an answer still."""
        self._receipts.begin()
        try:
            return await self._posted(form)
        except ApiRefused as refusal:
            if (refusal.status, refusal.code) == (400, KEY_CODE):
                raise DeliveryFailed("WhatsApp may take this key no more.") from None
            if "context" not in form:
                raise DeliveryRefused(str(refusal)) from refusal
            log.info("reply.simplified", status=refusal.status, code=refusal.code)
        await self._api.sends.passed()
        return await self._sent({key: form[key] for key in form if key != "context"})

    async def _posted(self, form: dict[str, Any]) -> str | None:
        try:
            message = await self._api.post(form, limit_s=self._rules.limit_s)
        except KeyRefused as error:
            raise ChannelAway(str(error)) from None
        except OutcomeUnknown as unsure:
            message = await self._receipts.unclaimed(self._rules.unsure_s)
            log.warning("sending.unanswered", reason=str(unsure), delivered=message is not None)
            if message is None:
                raise
        if message is not None:
            self._receipts.sent(message)
        return message
