"""The Telegram channel: there for as long as the daemon is, whatever happens to the connection."""

import asyncio
from collections.abc import Coroutine
from functools import partial
from typing import Any

import structlog
from pydantic import ValidationError

from bot.channels.telegram.hearing import HearingParts, Hearings
from bot.channels.telegram.inbound.files import TelegramFiles
from bot.channels.telegram.inbound.objects import ALLOWED, User
from bot.channels.telegram.inbound.rooms import PLATFORM, GroupRules
from bot.channels.telegram.inbound.words import BotAccount
from bot.channels.telegram.intake import Intake, Start, numbers_of
from bot.channels.telegram.interactions.menu import Menu
from bot.channels.telegram.options import TelegramOptions
from bot.channels.telegram.outbound.entities import TEXT_LIMIT
from bot.channels.telegram.outbound.refusals import RefusingRooms
from bot.channels.telegram.outbound.sender import TelegramSender
from bot.channels.telegram.service.api import CONFLICT, HttpBotApi
from bot.channels.telegram.webhook import PATH, TelegramWebhook, secret_of
from bot.errors import ChannelAway, DeliveryFailed, DeliveryRefused
from bot.model.turns import Outgoing
from bot.platforms.backoff import Backoff
from bot.platforms.channel_elsewhere import (
    CLOSE_S,
    ChannelElsewhere,
    ConnectionLife,
    Ended,
    LifeLost,
    LifeRefused,
)
from bot.platforms.http_api import ApiBusy, ApiDenied, ApiRefused
from bot.ports import Host, Markup
from memory.model.errors import StorageFailed
from memory.model.rooms import Room
from memory.tasks import Boundary, InFlight, within

log = structlog.get_logger()

POLL_S = 50
"""Seconds that Telegram keeps a question for updates open where there are none."""

AGAIN_S = 0.5
"""Seconds until a question that was cut is put again: some networks let none be open for long."""

SLACK_S = 15.0
"""Seconds more that its answer may take."""

MOST_UPDATES = 100
"""Updates of one answer: Telegram gives no more."""

LOOK_S = 60.0
"""Seconds between two looks at whether the webhook is still set."""

ALONE_S = 120.0
"""Seconds after which another program that took its updates counts as gone."""

UNKNOWN_BOT = (
    "Telegram knows no bot by this token: copy it anew from @BotFather (/mybots > your bot > API "
    "Token) into TELEGRAM_TOKEN, and start again."
)

TWO_POLLERS = (
    "Another program takes this bot's updates: stop it, or give it a bot of its own; a token is "
    "for one pet."
)


def unchanged(text: str) -> str:
    """The text itself: no word calls everybody on Telegram."""
    return text


class TelegramChannel(ChannelElsewhere):
    """The Platform port over the Bot API, asked again and again or calling by its webhook."""

    text_limit = TEXT_LIMIT
    markup = Markup(blocks=True, tokens="", quieted=unchanged)

    def __init__(self, options: TelegramOptions, api: HttpBotApi) -> None:
        super().__init__(PLATFORM)
        self.life = ConnectionLife(PLATFORM, Backoff(first_s=0.5, longest_s=60, healthy_s=0))
        self._options = options
        self._api = api
        self._rules = GroupRules(default_role=options.default_role)
        self.refusing: RefusingRooms = RefusingRooms(options.locale)
        self._sender = TelegramSender(api, self._rules, self.refusing, options.face)
        self.files: TelegramFiles = TelegramFiles(api)
        self.webhook: TelegramWebhook | None = (
            None if options.webhook_url is None else TelegramWebhook(options.token)
        )
        self._answering = InFlight()
        self._connected = False
        self._conflicts = Backoff(first_s=1, longest_s=60, healthy_s=ALONE_S)
        self._offset: int | None = None
        self._unconfirmed = False
        self._unsent: set[str] = set()
        self._failed = asyncio.Event()

    @property
    def is_connected(self) -> bool:
        """Whether it hears and can be heard there now."""
        return self._connected

    async def send(self, message: Outgoing) -> str | None:
        """Put one message into a room, see TelegramSender.send.

        Raises:
            ChannelAway: there is no connection.
            DeliveryFailed: Telegram did not take it.
            DeliveryRefused: it never will.

        """
        if not self._connected:
            raise ChannelAway("There is no connection to Telegram.")
        try:
            return await self._sender.send(message)
        except DeliveryRefused:
            raise
        except DeliveryFailed:
            self._unsent.add(message.room.external_id)
            self._failed.set()
            raise

    async def show_typing(self, room: Room) -> None:
        """Show for some seconds that the pet is writing; a failure shows nothing."""
        if self._connected:
            await self._sender.show_typing(room)

    async def quiet(self) -> None:
        """Wait until every command and press is answered."""
        await self._answering.quiet()

    async def run(self, host: Host) -> None:
        """Be there until cancelled."""
        self.refusing.warn = host.warn
        async with asyncio.TaskGroup() as group:

            def start(work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
                return group.create_task(self._answered(work), name="telegram command")

            group.create_task(self._sending_again(host), name="telegram unsent")
            parts = HearingParts(
                api=self._api,
                sender=self._sender,
                rules=self._rules,
                options=self._options,
                refusing=self.refusing,
            )
            hearings = Hearings(host, parts, start)
            try:
                await self.life.run(partial(self._lived, host, hearings, start), self._why)
            finally:
                await self._confirm()

    async def _answered(self, work: Coroutine[Any, Any, None]) -> None:
        with self._answering.one(), Boundary("interaction.failed"):
            await work

    async def _sending_again(self, host: Host) -> None:
        """Have sent again what Telegram did not take while it was there all the same."""
        waits = Backoff(first_s=5, longest_s=120, healthy_s=0)
        while True:
            await self._failed.wait()
            await asyncio.sleep(waits.failed())
            self._failed.clear()
            rooms, self._unsent = self._unsent, set()
            if self._connected:
                host.arrived(rooms)

    async def _lived(self, host: Host, hearings: Hearings, start: Start) -> None:
        try:
            await self._live(host, hearings, start)
        finally:
            self._connected = False
            if self.webhook is not None:
                self.webhook.follow(None)

    def _why(self, error: Exception) -> Ended | None:
        """What the end of a life means."""
        match error:
            case ApiDenied():
                return LifeRefused(UNKNOWN_BOT)
            case ApiBusy():
                return LifeLost(least_s=error.retry_after_s or 0.0)
            case ApiRefused(status=status) if status == CONFLICT:
                return LifeRefused(TWO_POLLERS, wait_s=self._conflicts.failed())
            case DeliveryFailed() | StorageFailed():
                return LifeLost(str(error))
        return None

    async def _live(self, host: Host, hearings: Hearings, start: Start) -> None:
        pet = await self._account()
        intake = await hearings.intake(pet)
        first = await self._begin()
        self._connected = True
        self.life.began(still=[TWO_POLLERS])  # one that takes turns is not there for long
        log.info("telegram.connected", name=pet.username)
        intake.began()
        host.connected()
        menu = Menu(host.platform_commands.table, host.announced)
        start(menu.sync(self._api, f"{PLATFORM}:{pet.id}"))
        if self.webhook is None:
            await self._take(intake, first)
            await self._poll(intake)
        else:
            self.webhook.follow(intake.take)
            await self._watch()

    async def _account(self) -> BotAccount:
        try:
            user = User.model_validate(await self._api.call("getMe"))
        except ValidationError:
            raise DeliveryFailed("Telegram gave no answer that can be read.") from None
        return BotAccount(id=user.id, username=user.username or "", name=self._options.pet_name)

    async def _begin(self) -> list[object]:
        """Agree on how updates come; those that wait, where the pet asks."""
        if self.webhook is None:
            await self._api.call("deleteWebhook", drop_pending_updates=False)
            return await self._asked(wait_s=0)
        # One call at a time: else what is said in a chat may come in another order.
        await self._api.call(
            "setWebhook",
            url=f"{self._options.webhook_url}{PATH}",
            secret_token=secret_of(self._options.token),
            allowed_updates=list(ALLOWED),
            max_connections=1,
        )
        return []

    async def _poll(self, intake: Intake) -> None:
        while True:
            updates = await self._asked_again()
            self.life.began(still=[TWO_POLLERS])
            self._conflicts.succeeded()
            await self._take(intake, updates)

    async def _asked_again(self) -> list[object]:
        """The next updates; a question that was cut is put once more before the talk is over."""
        try:
            return await self._asked(wait_s=POLL_S)
        except (ApiRefused, ApiBusy, ApiDenied):
            raise
        except DeliveryFailed as error:
            log.info("updates.interrupted", reason=str(error))
        await asyncio.sleep(AGAIN_S)
        return await self._asked(wait_s=0)

    async def _asked(self, *, wait_s: int) -> list[object]:
        updates = await self._api.call(
            "getUpdates",
            limit_s=wait_s + SLACK_S,
            offset=self._offset,
            limit=MOST_UPDATES,
            timeout=wait_s,
            allowed_updates=list(ALLOWED),
        )
        self._unconfirmed = False
        if not isinstance(updates, list):
            raise DeliveryFailed("Telegram gave no answer that can be read.")
        return updates

    async def _take(self, intake: Intake, updates: list[object]) -> None:
        """Store updates, and only then have Telegram drop them with the next question."""
        if not updates:
            return
        await intake.take(updates)
        numbers = numbers_of(updates)
        if not numbers:
            raise DeliveryFailed("Telegram gave no answer that can be read.")
        self._offset, self._unconfirmed = max(numbers) + 1, True

    async def _watch(self) -> None:
        """Look now and then whether Telegram still calls this address."""
        expected = f"{self._options.webhook_url}{PATH}"
        while True:
            await asyncio.sleep(LOOK_S)
            info = await self._api.call("getWebhookInfo")
            if not isinstance(info, dict) or info.get("url") != expected:
                raise DeliveryFailed("Telegram calls another address.")

    async def _confirm(self) -> None:
        """Say at the end what was taken, so that it does not come again."""
        if self._unconfirmed and self.webhook is None:
            asking = self._api.call("getUpdates", offset=self._offset, limit=1, timeout=0)
            try:
                await within(CLOSE_S, asking)
            except DeliveryFailed as error:
                log.debug("updates.unconfirmed", reason=str(error))
