"""The channel of the Cloud API: called by Meta, and there for as long as the daemon is."""

import asyncio
from collections.abc import Callable
from functools import partial

import structlog

from bot.channels.whatsapp.cloud.answers import BUTTONS, LONGEST_PAGE
from bot.channels.whatsapp.cloud.commands import CloudCommands
from bot.channels.whatsapp.cloud.followed import (
    CloudTalks,
    Receipts,
    RefusedPersons,
    ServiceWindows,
)
from bot.channels.whatsapp.cloud.graph import AccessRefused, GraphApi
from bot.channels.whatsapp.cloud.identities import AllowedSenders, NumberBook
from bot.channels.whatsapp.cloud.intake import CloudIntake
from bot.channels.whatsapp.cloud.options import PLATFORM, TEXT_LIMIT, CloudOptions
from bot.channels.whatsapp.cloud.sender import CloudSender
from bot.channels.whatsapp.cloud.subscription import WebhookSubscription
from bot.channels.whatsapp.cloud.webhook import CloudWebhook
from bot.channels.whatsapp.service.findings import CallStage
from bot.channels.whatsapp.service.markup import MARKUP
from bot.commands.message_commands import MessageCommands
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
from bot.platforms.paged_answer import PagedAnswers
from bot.platforms.pages import PageStore
from bot.ports import Host
from memory.model.notices import NoticeKind, OwnerNotice
from memory.model.rooms import Room
from memory.tasks import background_task, within

log = structlog.get_logger()

DEAF = (
    "Without WHATSAPP_APP_SECRET no message is taken: copy it from Meta's app > App settings > "
    "Basic > App secret."
)


NUMBERLESS = (
    "The token works for a phone number id alone: copy it from Meta's app > WhatsApp > API Setup "
    "into [whatsapp] phone_number_id, and start again."
)

RENEW = "Make a new access token, set WHATSAPP_TOKEN and start again."


class _NoNumber(Exception):
    """It is not known from which number the pet is to send."""


class _NotTaken(Exception):
    """Meta did not take a message: whether it takes any is looked at again."""


class CloudChannel(ChannelElsewhere):
    """The Platform of the Cloud API."""

    text_limit = TEXT_LIMIT
    markup = MARKUP

    def __init__(self, options: CloudOptions) -> None:
        super().__init__(PLATFORM)
        self.life = ConnectionLife(PLATFORM, Backoff(first_s=1, longest_s=60, healthy_s=120))
        self._options = options
        self.files: GraphApi = GraphApi(options)
        self.refusals: RefusedPersons = RefusedPersons(options.locale)
        self._talks = CloudTalks(
            numbers=NumberBook(options.app_secret),
            windows=ServiceWindows(),
            receipts=Receipts(),
            refusals=self.refusals,
        )
        self.webhook: CloudWebhook = CloudWebhook(options, self._talks)
        self._sender: CloudSender | None = None
        self._commands: CloudCommands | None = None
        self._connected = False
        self._trouble = asyncio.Event()
        self._warn: Callable[[OwnerNotice], None] = lambda _: None

    @property
    def is_connected(self) -> bool:
        """Whether Meta takes what the pet sends, as far as is known."""
        return self._connected

    async def close(self) -> None:
        """End its connections."""
        await self.files.close()

    async def send(self, message: Outgoing) -> str | None:
        """Put one message into a room, see CloudSender.send.

        Raises:
            ChannelAway: the account is not known to work, or the person's number is not known.
            DeliveryFailed: WhatsApp did not take it.
            DeliveryRefused: it never will.

        """
        if self._sender is None or not self._connected:
            raise ChannelAway("WhatsApp has not let the pet in yet.")
        try:
            return await self._sender.send(message)
        except (DeliveryRefused, ChannelAway):
            raise
        except AccessRefused as error:
            self._connected = False
            self._trouble.set()
            raise ChannelAway(str(error)) from error
        except DeliveryFailed:
            self._trouble.set()
            raise

    async def show_typing(self, room: Room) -> None:
        """Show that the pet has read and is writing; a failure shows nothing."""
        if self._sender is not None and self._connected:
            await self._sender.show_typing(room.external_id)

    async def quiet(self) -> None:
        """Wait until every command is answered."""
        if self._commands is not None:
            await self._commands.quiet()

    async def run(self, host: Host) -> None:
        """Be there until cancelled, whatever Meta says."""
        sender = CloudSender(self.files, self._talks, self._options.sending, host.clock)
        pages = PagedAnswers(PageStore(host.clock), BUTTONS.split, LONGEST_PAGE)
        typed = MessageCommands(host.platform_commands, pages)
        commands = CloudCommands(typed, sender, self._options.locale)
        allowed = AllowedSenders(self._options.allowed)
        intake = CloudIntake(host, self._talks, allowed, commands)
        self._sender, self._commands = sender, commands
        self._warn = self.refusals.warn = host.warn
        self._talks.windows.begin(host.clock.now())
        self.webhook.opens(intake, commands, host.clock)
        if not self._options.app_secret:
            log.warning("webhook.closed", reason=DEAF)
        async with background_task(commands.run(), name="whatsapp commands"):
            try:
                await self.life.run(partial(self._lived, host.connected), self._why)
            finally:
                self.webhook.closes()
                await within(CLOSE_S, commands.quiet())

    async def _lived(self, connected: Callable[[], None]) -> None:
        """Find out whether Meta takes anything, and be there until a message is not taken."""
        self._trouble.clear()
        if not self._options.phone_number_id:
            raise _NoNumber
        sight = await self.files.number()
        self.life.began()
        if not self._connected:
            self._connected = True
            log.info("whatsapp.connected", quality=sight.quality)
        connected()
        if self.webhook.record.stage is not CallStage.CALLED:
            await WebhookSubscription(self.files, self._options.business_account_id).make()
        await self._trouble.wait()
        raise _NotTaken

    def _why(self, error: Exception) -> Ended | None:
        """Why a life ended; the owner is told once what only a person can mend."""
        match error:
            case _NotTaken():
                return LifeLost()
            case _NoNumber():
                sentence = NUMBERLESS
            case AccessRefused():
                sentence = f"{error} {RENEW}"
            case DeliveryRefused():
                sentence = f"{error} {NUMBERLESS}"
            case DeliveryFailed():
                return LifeLost(str(error))
            case _:
                return None
        self._connected = False
        if self.life.say(sentence):
            notice = OwnerNotice(kind=NoticeKind.ACCESS_REFUSED, about=PLATFORM, reason=sentence)
            self._warn(notice)
        return LifeRefused(sentence)
