"""The channel of the Cloud API: called by Meta, and there for as long as the daemon is."""

import asyncio
from collections.abc import Callable

import structlog

from bot.channels.whatsapp.cloud.answers import BUTTONS, LONGEST_PAGE
from bot.channels.whatsapp.cloud.commands import CloudCommands
from bot.channels.whatsapp.cloud.followed import CloudTalks, Receipts, ServiceWindows
from bot.channels.whatsapp.cloud.graph import AccessRefused, GraphApi, WindowClosed
from bot.channels.whatsapp.cloud.identities import AllowedSenders, NumberBook
from bot.channels.whatsapp.cloud.intake import CloudIntake
from bot.channels.whatsapp.cloud.options import PLATFORM, TEXT_LIMIT, CloudOptions
from bot.channels.whatsapp.cloud.sender import CloudSender
from bot.channels.whatsapp.cloud.webhook import CloudWebhook
from bot.channels.whatsapp.service.markup import MARKUP
from bot.commands.message_commands import MessageCommands
from bot.errors import ChannelAway, DeliveryFailed, DeliveryRefused
from bot.model.turns import Outgoing
from bot.platforms.backoff import Backoff
from bot.platforms.channel_elsewhere import CLOSE_S, SLOW_S, ChannelElsewhere
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


class CloudChannel(ChannelElsewhere):
    """The Platform of the Cloud API."""

    text_limit = TEXT_LIMIT
    markup = MARKUP

    def __init__(self, options: CloudOptions) -> None:
        super().__init__(PLATFORM)
        self._options = options
        self.files: GraphApi = GraphApi(options)
        self._talks = CloudTalks(
            numbers=NumberBook(options.app_secret), windows=ServiceWindows(), receipts=Receipts()
        )
        self.webhook: CloudWebhook = CloudWebhook(options, self._talks)
        self._sender: CloudSender | None = None
        self._commands: CloudCommands | None = None
        self._connected = False
        self._trouble = asyncio.Event()
        self._said: str | None = None
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
        except WindowClosed as error:
            self._warn(
                OwnerNotice(kind=NoticeKind.DELIVERY_FAILED, about=PLATFORM, reason=str(error))
            )
            raise
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
        self._sender, self._commands, self._warn = sender, commands, host.warn
        self._talks.windows.begin(host.clock.now())
        self.webhook.opens(intake, commands, host.clock)
        if not self._options.app_secret:
            log.warning("webhook.closed", reason=DEAF)
        async with background_task(commands.run(), name="whatsapp commands"):
            try:
                await self._be_there(host.connected)
            finally:
                self.webhook.closes()
                await within(CLOSE_S, commands.quiet())

    async def _be_there(self, connected: Callable[[], None]) -> None:
        """Find out again whether Meta takes anything, after each time that it did not."""
        waits = Backoff(first_s=1, longest_s=60, healthy_s=120)
        while True:
            wait_s = await self._wait_after_look(connected, waits)
            if wait_s is not None:
                await asyncio.sleep(wait_s)
                continue
            await self._trouble.wait()
            await asyncio.sleep(waits.failed())

    async def _wait_after_look(self, connected: Callable[[], None], waits: Backoff) -> float | None:
        """Seconds until another look is worth it; None where Meta lets the pet in."""
        self._trouble.clear()
        if not self._options.phone_number_id:
            self._tell(NUMBERLESS)
            return SLOW_S
        try:
            sight = await self.files.number()
        except AccessRefused as error:
            self._connected = False
            self._tell(f"{error} {RENEW}")
            return SLOW_S
        except DeliveryRefused as error:
            self._connected = False
            self._tell(f"{error} {NUMBERLESS}")
            return SLOW_S
        except DeliveryFailed as error:
            log.warning("whatsapp.missed", reason=str(error))
            return waits.failed()
        self._said = None
        if not self._connected:
            self._connected = True
            log.info("whatsapp.connected", quality=sight.quality)
        waits.succeeded()
        connected()
        return None

    def _tell(self, reason: str) -> None:
        """Say once, in the log and to the owner, what only a person can mend."""
        if reason == self._said:
            return
        self._said = reason
        log.error("whatsapp.refused", reason=reason)
        self._warn(OwnerNotice(kind=NoticeKind.ACCESS_REFUSED, about=PLATFORM, reason=reason))
