"""The Matrix channel: there for as long as the daemon is, whatever happens to the connection."""

import asyncio

import structlog

from bot.channels.matrix.connection import HomeserverConnection, MatrixOptions
from bot.channels.matrix.inbound.history import MatrixPast, PastReading
from bot.channels.matrix.inbound.media import Media
from bot.channels.matrix.inbound.rooms import PLATFORM
from bot.channels.matrix.service.encryption import opened
from bot.channels.matrix.service.homeserver import TokenRefused
from bot.channels.matrix.service.login import LoginRefused, OtherAccount, session_of
from bot.channels.matrix.service.markup import MARKUP, TEXT_LIMIT
from bot.errors import ChannelAway, DeliveryFailed, FolderRefused
from bot.model.turns import Outgoing
from bot.platforms.backoff import Backoff
from bot.platforms.http_api import ApiBusy
from bot.ports import CatchUpRules, FileStore, Host, Markup
from memory.model.rooms import Room
from memory.tasks import within

log = structlog.get_logger()

SLOW_S = 300.0
"""Seconds until it is tried again what only a person can mend."""

CLOSE_S = 0.8
"""Seconds for taking leave; a task that takes longer than one second is cancelled again."""

REFUSED = (
    "The homeserver lets the account in neither by the access token nor by the password: make a "
    "new one (docs/matrix.md says how) and start again."
)
OTHER_ACCOUNT = (
    "The access token is of another account than user_id: set the one or the other, and start "
    "again."
)


class MatrixChannel:
    """Keeps a connection alive: whatever ends one, a new one is made after a while."""

    def __init__(self, options: MatrixOptions) -> None:
        self._options = options
        self._connection: HomeserverConnection | None = None
        self._connected = False
        self._past = MatrixPast()
        self._media = Media(opened)
        self._backoff = Backoff(first_s=1, longest_s=60, healthy_s=60)
        self._said: str | None = None

    @property
    def platform(self) -> str:
        """The platform of the rooms it answers in."""
        return PLATFORM

    @property
    def past(self) -> MatrixPast:
        """What its rooms said before."""
        return self._past

    @property
    def communities(self) -> None:
        """Members have no roles: power is of rooms."""
        return None

    @property
    def is_connected(self) -> bool:
        """Whether it hears and can be heard there now."""
        return self._connected

    @property
    def text_limit(self) -> int:
        """How many characters one message may have."""
        return TEXT_LIMIT

    @property
    def markup(self) -> Markup:
        """What Matrix makes of the signs in a message."""
        return MARKUP

    @property
    def catch_up(self) -> CatchUpRules:
        """How far its rooms are read back."""
        return self._options.catch_up

    @property
    def files(self) -> FileStore | None:
        """Where the files of messages are."""
        return self._media

    @property
    def webhook(self) -> None:
        """The server is asked, and does not call."""
        return None

    async def send(self, message: Outgoing) -> str | None:
        """Put one message into a room, see EventSender.send.

        Raises:
            ChannelAway: there is no connection.
            DeliveryFailed: the server did not take it.
            DeliveryRefused: it never will.

        """
        connection = self._connection
        if connection is None or not self._connected:
            raise ChannelAway("There is no connection to the homeserver.")
        try:
            return await connection.sender.send(message)
        finally:
            await connection.sender.end_typing(message.room, connection.pet)

    async def show_typing(self, room: Room) -> None:
        """Show for some seconds that the pet is writing; a failure shows nothing."""
        if self._connection is not None and self._connected:
            await self._connection.sender.show_typing(room, self._connection.pet)

    async def quiet(self) -> None:
        """It has no commands of its own: they are typed, and go through the inbox."""

    async def run(self, host: Host) -> None:
        """Be there until cancelled; what was taken by then is still stored."""
        while True:
            wait_s = await self._lived(host)
            await asyncio.sleep(wait_s)

    async def _lived(self, host: Host) -> float:
        """Live once; the seconds until the next life."""
        try:
            await self._live(host)
        except (LoginRefused, TokenRefused) as refusal:
            # A session of a password may have been ended elsewhere: the next life begins another.
            is_over = isinstance(refusal, LoginRefused) or self._options.account.token is not None
            return self._refused(REFUSED) if is_over else self._lost(str(refusal))
        except OtherAccount:
            return self._refused(OTHER_ACCOUNT)
        except FolderRefused as error:
            return self._refused(str(error))
        except ApiBusy as busy:
            return max(busy.retry_after_s or 0.0, self._lost(str(busy)))
        except DeliveryFailed as error:
            return self._lost(str(error))
        except Exception:
            log.exception("matrix.failed")
        return self._lost("a fault of this program's")

    async def _live(self, host: Host) -> None:
        session = await session_of(self._options.account, self._options.folder)
        connection = HomeserverConnection(self._options, host, session)
        self._connection = connection
        try:
            await connection.listen(lambda: self._began(connection, host))
        finally:
            self._connection, self._connected = None, False
            self._past.follow(None)
            self._media.follow(None)
            await within(CLOSE_S, connection.close())

    def _began(self, connection: HomeserverConnection, host: Host) -> None:
        self._backoff.succeeded()
        self._said = None
        self._connected = True
        self._media.follow(connection.homeserver)
        self._past.follow(
            PastReading(
                homeserver=connection.homeserver,
                rooms=connection.rooms,
                interpreter=connection.interpreter,
                clock=host.clock,
                pet=connection.pet,
            )
        )
        log.info(
            "matrix.connected",
            rooms=len(connection.rooms.states),
            fingerprint=connection.encryption.fingerprint,
        )
        host.connected()

    def _refused(self, sentence: str) -> float:
        """Say once what only a person can mend."""
        if self._said != sentence:
            log.warning("matrix.refused", reason=sentence)
        self._said = sentence
        return SLOW_S

    def _lost(self, reason: str) -> float:
        wait_s = self._backoff.failed()
        log.warning("matrix.lost", reason=reason, wait_s=round(wait_s, 1))
        return wait_s
