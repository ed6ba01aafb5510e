"""The Agent Platform as a channel: it asks for what is new for as long as the daemon runs."""

import asyncio
import json
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from hashlib import blake2b

import structlog

from bot.channels.whatsapp.agent_platform.api import (
    LONGEST_POLL_S,
    AgentApi,
    AgentLimits,
    KeyRefused,
    PollReplaced,
)
from bot.channels.whatsapp.agent_platform.files import AgentFiles
from bot.channels.whatsapp.agent_platform.receipts import DeliveryReceipts
from bot.channels.whatsapp.agent_platform.sender import AgentSender, AgentSending
from bot.channels.whatsapp.agent_platform.updates import PLATFORM, AgentUpdates, read_updates
from bot.channels.whatsapp.service.markup import MARKUP, TEXT_LIMIT
from bot.errors import ChannelAway, DeliveryFailed
from bot.model.events import Inbound, ReactionsChanged
from bot.model.turns import Outgoing
from bot.platforms.backoff import Backoff
from bot.platforms.channel_elsewhere import (
    ChannelElsewhere,
    ConnectionLife,
    Ended,
    LifeLost,
    LifeRefused,
)
from bot.platforms.handing_on import batches, store
from bot.platforms.http_api import ApiBusy, ApiRefused
from bot.ports import Announced, Host
from memory.model.errors import StorageFailed
from memory.model.rooms import Room

log = structlog.get_logger()


class ReadingState:
    """The offset of the next update, and the creator by a keyed hash that names no one.

    The manual of the Agent Platform has an agent talk with its creator alone. The first account
    that writes is that one, and another is not let in until there is a new key.
    """

    def __init__(self, kept: Announced, key: str) -> None:
        secret = key.encode()
        self._kept = kept
        self._secret = blake2b(secret, digest_size=32).digest()
        self._name = f"whatsapp agent {blake2b(secret, digest_size=8).hexdigest()}"
        self._creator: str | None = None
        self._is_loaded = False
        self.offset: int | None = None

    async def load(self) -> None:
        """Take up what was kept last, once: from then on it is known better here.

        Raises:
            StorageFailed: it cannot be read.

        """
        if self._is_loaded:
            return
        said = await self._kept.last(self._name)
        kept = json.loads(said) if said else {}
        self.offset = kept.get("offset")
        self._creator = kept.get("creator")
        self._is_loaded = True

    def admits(self, account: str) -> bool:
        """Whether this is the creator's account; the first one that is asked for is."""
        mark = blake2b(account.encode(), key=self._secret, digest_size=16).hexdigest()
        if self._creator is None:
            self._creator = mark
        return mark == self._creator

    async def advance(self, offset: int) -> None:
        """Keep that everything before an offset is stored.

        Raises:
            StorageFailed: it could not be kept; the same updates come again.

        """
        if offset != self.offset:
            kept = json.dumps({"offset": offset, "creator": self._creator})
            await self._kept.keep(self._name, kept)
            self.offset = offset


LATE = timedelta(days=1)
"""What is older when a key is used for the first time was for another program than this one."""

NO_KEY = (
    "WhatsApp knows no agent by this key: copy it anew from WhatsApp > Settings > Agents > the "
    "agent > Chat info > API key, into WHATSAPP_AGENT_KEY, and start again."
)

ANOTHER = (
    "Another program asks WhatsApp for the messages of this agent, and one at a time can: stop "
    "that one, or make a new key for this one."
)

STRANGER = (
    "Another account than the first one writes to this agent and is not answered. Where that is "
    "its creator with a new number, make a new key: WhatsApp > Settings > Agents > Chat info."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentWaits:
    """Seconds until it is tried again: what only a person can mend, and a cut.

    `kept_s` is how soon what could not be sent is sent again while WhatsApp is there.
    """

    slow_s: float = 300
    replaced_s: float = 5
    first_s: float = 0.5
    longest_s: float = 60
    kept_s: float = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentPlatformOptions:
    """The agent, and how the pet behaves there; `api_url` is another server, for trials."""

    key: str
    api_url: str | None = None
    limits: AgentLimits = field(default_factory=AgentLimits)
    sending: AgentSending = field(default_factory=AgentSending)
    waits: AgentWaits = field(default_factory=AgentWaits)


class AgentPlatformChannel(ChannelElsewhere):
    """The Platform port over one agent. Close it when it is needed no more."""

    text_limit = TEXT_LIMIT
    markup = MARKUP

    def __init__(self, options: AgentPlatformOptions) -> None:
        waits = options.waits
        super().__init__(PLATFORM)
        self.life = ConnectionLife(
            PLATFORM, Backoff(first_s=waits.first_s, longest_s=waits.longest_s, healthy_s=0)
        )
        self._options = options
        self._api = AgentApi(options.key, options.limits, options.api_url)
        self._receipts = DeliveryReceipts()
        self._sender = AgentSender(self._api, self._receipts, options.sending)
        self._names: dict[str, str] = {}
        self._replaced = Backoff(first_s=waits.replaced_s, longest_s=waits.slow_s, healthy_s=60)
        self._connected = False
        self._kept_since: float | None = None
        self.files: AgentFiles = AgentFiles(self._api, options.api_url)

    @property
    def is_connected(self) -> bool:
        """Whether the last poll was answered."""
        return self._connected

    async def close(self) -> None:
        """End its connections."""
        await self._api.close()

    async def send(self, message: Outgoing) -> str | None:
        """Put one message into the talk, see AgentSender.send.

        Raises:
            ChannelAway: no poll is answered now.
            DeliveryFailed: WhatsApp did not take it, as far as can be known.
            DeliveryRefused: it never will.

        """
        if not self._connected:
            raise ChannelAway("There is no connection to WhatsApp.")
        try:
            return await self._sender.send(message)
        except DeliveryFailed:
            self._kept_since = self._kept_since or _now()
            raise

    async def show_typing(self, room: Room) -> None:
        """Show for some seconds that the pet is writing; a failure shows nothing."""
        if self._connected:
            await self._sender.show_typing(room)

    async def run(self, host: Host) -> None:
        """Be there until cancelled, whatever happens to the connection."""
        reading = ReadingState(host.announced, self._options.key)
        await self.life.run(partial(self._live, reading, host), self._why)

    async def _live(self, reading: ReadingState, host: Host) -> None:
        try:
            await reading.load()
            while True:
                await self._poll(reading, host)
        finally:
            self._connected = False

    def _why(self, error: Exception) -> Ended | None:
        """What the end of a life means."""
        slow_s = self._options.waits.slow_s
        match error:
            case KeyRefused():
                return LifeRefused(NO_KEY, wait_s=slow_s)
            case PollReplaced():
                return LifeRefused(ANOTHER, wait_s=self._replaced.failed())
            case ApiRefused():
                return LifeRefused(str(error), wait_s=slow_s)
            case ApiBusy():
                return LifeLost(str(error), least_s=min(error.retry_after_s or 0, slow_s))
            case DeliveryFailed() | StorageFailed():
                return LifeLost(str(error))
        return None

    async def _poll(self, reading: ReadingState, host: Host) -> None:
        """Ask once and store what is new; the first poll of a connection does not wait."""
        wait_s = LONGEST_POLL_S if self._connected else 0
        is_new = reading.offset is None
        body = await self._api.updates(reading.offset or 0, wait_s=wait_s)
        self._began(host)
        if body is None:
            return
        now = host.clock.now()
        updates = read_updates(body, self._names, now)
        for message in updates.delivered:
            self._receipts.delivered(message)
        taken = self._taken(updates, reading, since=now - LATE if is_new else None)
        for together, _ in batches(taken):
            await store(host.inbox, together)
        for event in taken:
            if isinstance(event, Inbound):  # what is shown as read does not come a second time
                self._sender.heard(event.room.external_id, event.external_id)
        if updates.next_offset is not None:
            await reading.advance(updates.next_offset)

    def _began(self, host: Host) -> None:
        """Say that the pet is there, and send what was kept."""
        self.life.began(still=[STRANGER])
        self._replaced.succeeded()
        kept = self._kept_since
        if self._connected and (kept is None or _now() - kept < self._options.waits.kept_s):
            return
        if not self._connected:
            log.info("whatsapp.connected", way="agent platform")
        self._connected, self._kept_since = True, None
        host.connected()

    def _taken(
        self, updates: AgentUpdates, reading: ReadingState, *, since: datetime | None
    ) -> list[Inbound | ReactionsChanged]:
        """The events that are the creator's, and were not for another program than this."""
        taken: list[Inbound | ReactionsChanged] = []
        for event in updates.events:
            if not reading.admits(event.author.external_id):
                self.life.say(STRANGER)
            elif not isinstance(event, Inbound) or since is None or event.sent_at >= since:
                taken.append(event)
        if left_out := len(updates.events) - len(taken) + updates.skipped:
            log.info("updates.skipped", updates=left_out)
        return taken


def _now() -> float:
    return asyncio.get_running_loop().time()
