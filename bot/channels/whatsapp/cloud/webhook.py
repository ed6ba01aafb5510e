"""Takes the calls of Meta: judged by their signature, stored, and only then acknowledged."""

import asyncio
import hashlib
import hmac
from collections.abc import Mapping

import structlog

from bot.channels.whatsapp.cloud.call_record import CallRecord
from bot.channels.whatsapp.cloud.commands import CloudCommands
from bot.channels.whatsapp.cloud.followed import CloudTalks
from bot.channels.whatsapp.cloud.intake import CloudIntake
from bot.channels.whatsapp.cloud.options import CloudOptions
from bot.channels.whatsapp.cloud.reader import content_of
from bot.channels.whatsapp.service.findings import CallStage
from bot.channels.whatsapp.service.payload import Json, body_of, values_in
from bot.model.webhooks import WebhookAnswer, WebhookRequest
from memory.model.errors import StorageFailed
from memory.ports import Clock
from memory.tasks import within

log = structlog.get_logger()

HEADER = "x-hub-signature-256"

_PREFIX = b"sha256="


def is_signed(body: bytes, header: str | None, secret: str) -> bool:
    """Whether a header signs a body, as it came, with the app's secret; false without a secret.

    What is compared are bytes: a header may hold signs that no digest has.
    https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/create-webhook-endpoint
    """
    if not secret or header is None:
        return False
    digest = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(_PREFIX + digest.encode(), header.encode("utf-8", "replace"))


def challenge_of(query: Mapping[str, str], verify_token: str) -> str | None:
    """The answer to Meta's verification of the webhook; None if it is not Meta's."""
    token = query.get("hub.verify_token", "").encode("utf-8", "replace")
    is_theirs = hmac.compare_digest(token, verify_token.encode())
    if not verify_token or not is_theirs or query.get("hub.mode") != "subscribe":
        return None
    return query.get("hub.challenge")


COMMANDS_S = 4.0
"""Seconds that a call waits for the answers to commands in it: what was not answered before a
crash comes again. Meta waits longer, and not for ever."""

MOST_ELSEWHERE = 100
"""Other numbers for which calls came, each of which is logged once."""

_TAKEN = WebhookAnswer(status=200)
_STRANGE = WebhookAnswer(status=403)
_LATER = WebhookAnswer(status=503)


class CloudWebhook:
    """The Webhook of a pet on the Cloud API; before it runs, calls are to come again."""

    def __init__(self, options: CloudOptions, talks: CloudTalks) -> None:
        self._options = options
        self._talks = talks
        self._intake: CloudIntake | None = None
        self._commands: CloudCommands | None = None
        self._clock: Clock | None = None
        self._in_order = asyncio.Lock()
        self._elsewhere: dict[str, None] = {}
        self.record: CallRecord = CallRecord(options.folder, options.phone_number_id)

    @property
    def last_elsewhere(self) -> str | None:
        """The id of another phone number, for which a call came last; None where none did."""
        return next(reversed(self._elsewhere), None)

    @property
    def last_stranger(self) -> str | None:
        """The account that wrote last without being answered; None where none did."""
        return None if self._intake is None else self._intake.last_stranger

    def opens(self, intake: CloudIntake, commands: CloudCommands, clock: Clock) -> None:
        """Hand what comes from now on to these."""
        self._intake, self._commands, self._clock = intake, commands, clock

    def closes(self) -> None:
        """Take nothing more."""
        self._intake = None

    async def answer(self, request: WebhookRequest) -> WebhookAnswer:
        """What is answered to a call: 503 has it come again, anything but 200 does."""
        if request.method == "GET":
            return await self._verified(request)
        header = request.headers.get(HEADER)
        if not is_signed(request.body, header, self._options.app_secret):
            log.info("call.refused", signed=header is not None, size=len(request.body))
            return _STRANGE
        await self.record.reach(CallStage.VERIFIED)
        body = body_of(request.body)
        if body is None:  # Meta would send it again for 7 days, and it would be no better
            log.warning("call.misread", size=len(request.body))
            return _TAKEN
        if self._intake is None or self._commands is None or self._clock is None:
            return _LATER
        content = content_of(await self._of_pet(body), self._talks.numbers, self._clock.now())
        async with self._in_order:
            try:
                await self._intake.take(content)
            except StorageFailed as error:
                log.warning("storing.failed", reason=str(error))
                return _LATER
        await within(COMMANDS_S, self._commands.quiet())
        return _TAKEN

    async def _of_pet(self, body: Json) -> list[Json]:
        """What a call says of the pet's own number; that it was for another one is logged."""
        found: list[Json] = []
        for number, value in values_in(body):
            if number == self._options.phone_number_id:
                found.append(value)
            elif number not in self._elsewhere and len(self._elsewhere) < MOST_ELSEWHERE:
                self._elsewhere[number] = None
                log.warning(
                    "call.misdirected", number=number, expected=self._options.phone_number_id
                )
        if found:
            await self.record.reach(CallStage.CALLED)
        return found

    async def _verified(self, request: WebhookRequest) -> WebhookAnswer:
        challenge = challenge_of(request.query, self._options.verify_token)
        if challenge is None:
            log.warning("verification.refused", reason="The verify token is not the one set.")
            return _STRANGE
        await self.record.reach(CallStage.VERIFIED)
        log.info("webhook.verified")
        return WebhookAnswer(status=200, text=challenge)
