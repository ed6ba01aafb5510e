"""What the pet sends on WhatsApp: replies, reactions, answers of commands, and that it writes."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

import structlog

from bot.channels.whatsapp.cloud.answers import message_of
from bot.channels.whatsapp.cloud.followed import CloudTalks
from bot.channels.whatsapp.cloud.graph import (
    GraphApi,
    PersonRefused,
    RecipientUnlisted,
    WindowClosed,
)
from bot.channels.whatsapp.cloud.identities import other_form
from bot.channels.whatsapp.cloud.options import TEXT_LIMIT, CloudSendingRules
from bot.channels.whatsapp.service.markup import whatsapp_text
from bot.conversation.emoji import is_one_emoji
from bot.errors import ChannelAway, DeliveryFailed, DeliveryRefused
from bot.model.commands import Attached
from bot.model.turns import Outgoing
from bot.platforms.expressions import with_emoji
from bot.platforms.http_api import ApiBusy, OutcomeUnknown
from bot.platforms.paged_answer import AnswerPage
from memory.ports import Clock

log = structlog.get_logger()

TYPING_LASTS = timedelta(seconds=20)
"""It is shown for 25 seconds, by the documentation; asking again sooner shows nothing more."""

FILE_TYPE = "text/plain"
"""What files of answers are sent as: they are texts, and few other types are taken."""

LONGEST_RETRY_S = 30.0
"""A wait that Meta asks for is kept while it is no longer; after a longer one a reply is kept."""

MOST_TYPING = 500
"""Messages of which it is kept in mind when the pet was seen to answer them."""


class CloudSender:
    """Sends to persons by their accounts."""

    def __init__(
        self, graph: GraphApi, talks: CloudTalks, rules: CloudSendingRules, clock: Clock
    ) -> None:
        self._graph = graph
        self._talks = talks
        self._rules = rules
        self._clock = clock
        self._typing: dict[str, datetime] = {}

    async def send(self, message: Outgoing) -> str | None:
        """Put a message into its room: the id it got there, None where it became a reaction.

        Raises:
            ChannelAway: it is a person whose number is not known until they write again.
            DeliveryFailed: WhatsApp cannot be reached, or takes nothing for now.
            DeliveryRefused: it will never take this.

        """
        if (taken := self._talks.receipts.of(message.nonce)) is not None:
            return taken
        with self._told(message.room.external_id):
            return await self._said(message, message.room.external_id)

    async def _said(self, message: Outgoing, account: str) -> str | None:
        address = self._address(account)
        if message.answers and is_one_emoji(message.text):
            reaction = {"message_id": message.answers, "emoji": message.text}
            if await self._reacted({**address, "type": "reaction", "reaction": reaction}):
                return None
        emoji = message.expression if self._rules.face == "emoji" else None
        text = whatsapp_text(with_emoji(message.text, emoji, TEXT_LIMIT), TEXT_LIMIT)
        body = {"type": "text", "text": {"body": text, "preview_url": False}}
        return await self._posted({**address, **body}, message.answers, message.nonce)

    async def show(self, account: str, page: AnswerPage, answers: str) -> None:
        """Show a page of a command's answer as the answer to a message; raises as `send` does."""
        with self._told(account):
            await self._shown(account, page, answers)

    async def _shown(self, account: str, page: AnswerPage, answers: str) -> None:
        address = self._address(account)
        nonce = f"answer:{answers}"
        await self._posted({**address, **message_of(page)}, answers, nonce)
        if page.file is not None:
            await self._posted({**address, **await self._document(page.file)}, None, f"{nonce}:1")

    @contextmanager
    def _told(self, account: str) -> Iterator[None]:
        """Have it known whether Meta lets the pet write to a person."""
        try:
            yield
        except PersonRefused as error:
            self._talks.refusals.refused(account, error)
            raise
        self._talks.refusals.taken(account)

    async def show_typing(self, account: str) -> None:
        """Show that the pet has read and is writing; a failure shows nothing."""
        message = self._talks.windows.last_message(account)
        if message is None or not self._is_due(message):
            return
        signal = {
            "messaging_product": "whatsapp",
            "status": "read",
            "message_id": message,
            "typing_indicator": {"type": "text"},
        }
        try:
            await self._graph.signal(signal)
        except DeliveryFailed as error:
            log.debug("typing.failed", reason=str(error))

    def _is_due(self, message: str) -> bool:
        """Whether nothing is shown for a message any more."""
        now = self._clock.now()
        if now - self._typing.get(message, now - TYPING_LASTS) < TYPING_LASTS:
            return False
        if len(self._typing) >= MOST_TYPING:
            self._typing.clear()
        self._typing[message] = now
        return True

    def _address(self, account: str) -> Mapping[str, Any]:
        address = self._talks.numbers.recipient(account)
        if address is None:
            raise ChannelAway("The number of this person is not known until they write again.")
        if self._talks.windows.is_closed(account, self._clock.now()):
            raise WindowClosed("The person has not written for 24 hours.")
        return {"messaging_product": "whatsapp", **address}

    async def _document(self, file: Attached) -> Mapping[str, Any]:
        uploaded = await self._unhurried(lambda: self._graph.uploaded(file, FILE_TYPE))
        return {"type": "document", "document": {"id": uploaded, "filename": file.name}}

    async def _reacted(self, reaction: Mapping[str, Any]) -> bool:
        """Whether a reaction is shown; what it is to stand at may be gone."""
        try:
            await self._unhurried(lambda: self._graph.sent(reaction))
        except PersonRefused:
            raise
        except DeliveryRefused as refusal:
            log.debug("reaction.refused", reason=str(refusal))
            return False
        return True

    async def _posted(self, body: Mapping[str, Any], answers: str | None, nonce: str) -> str:
        """The id of a message; what it answers is left away where it is refused for that."""
        message = {**body, "biz_opaque_callback_data": nonce}
        try:
            if answers is None:
                return await self._addressed(message, nonce)
            return await self._addressed({**message, "context": {"message_id": answers}}, nonce)
        except PersonRefused:
            raise
        except DeliveryRefused:
            if answers is None:
                raise
        return await self._addressed(message, nonce)

    async def _addressed(self, message: Mapping[str, Any], nonce: str) -> str:
        """The id of a message; a Brazilian number may be on Meta's list in its other form."""
        number = str(message.get("to", ""))
        try:
            return await self._followed(message, nonce)
        except RecipientUnlisted:
            if (other := other_form(number)) is None:
                raise
        sent = await self._followed({**message, "to": other}, nonce)
        self._talks.numbers.answers_to(number, other)
        return sent

    async def _followed(self, message: Mapping[str, Any], nonce: str) -> str:
        """The id of a message, also where it was taken and the answer was lost.

        Meta shows the same message twice where it is sent twice: only its reports say then
        whether it has it.
        """
        try:
            return await self._unhurried(lambda: self._graph.sent(message))
        except OutcomeUnknown:
            taken = await self._talks.receipts.awaited(nonce, self._rules.receipt_s)
            if taken is None:
                raise
            log.info("delivery.found", waited_s=self._rules.receipt_s)
            return taken

    async def _unhurried(self, send: Callable[[], Awaitable[str]]) -> str:
        """What is sent, again after a while where it was too much at once."""
        for wait_s in self._rules.waits_s:
            try:
                return await send()
            except ApiBusy as busy:
                asked = busy.retry_after_s
                if asked is not None and asked > LONGEST_RETRY_S:
                    raise
                await asyncio.sleep(wait_s if asked is None else asked)
        return await send()
