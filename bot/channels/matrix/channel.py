"""The Matrix channel: there for as long as the daemon is, whatever happens to the connection."""

from functools import partial

import structlog

from bot.channels.matrix.connection import HomeserverConnection, MatrixOptions
from bot.channels.matrix.findings import MatrixStanding
from bot.channels.matrix.inbound.history import MatrixPast, PastReading
from bot.channels.matrix.inbound.media import Media
from bot.channels.matrix.inbound.rooms import PLATFORM
from bot.channels.matrix.service.encryption import opened
from bot.channels.matrix.service.homeserver import TokenRefused
from bot.channels.matrix.service.limits_met import LimitsMet
from bot.channels.matrix.service.login import LoginRefused, OtherAccount, session_of
from bot.channels.matrix.service.markup import MARKUP, TEXT_LIMIT
from bot.errors import ChannelAway, DeliveryFailed, FolderRefused
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
from bot.platforms.http_api import ApiBusy
from bot.ports import Host
from memory.model.rooms import Room
from memory.tasks import within

log = structlog.get_logger()

REFUSED = (
    "The homeserver lets the account in neither by the access token nor by the password: correct "
    "MATRIX_PASSWORD, or make a new token (docs/matrix.md says how), and start again."
)
OTHER_ACCOUNT = (
    "The access token is of another account than user_id: set the one or the other, and start "
    "again."
)


class MatrixChannel(ChannelElsewhere):
    """The Platform port over a homeserver: whatever ends a connection, another is made."""

    text_limit = TEXT_LIMIT
    markup = MARKUP

    def __init__(self, options: MatrixOptions) -> None:
        super().__init__(PLATFORM)
        self.life = ConnectionLife(PLATFORM, Backoff(first_s=1, longest_s=60, healthy_s=60))
        self._options = options
        self._connection: HomeserverConnection | None = None
        self._connected = False
        self._limits = LimitsMet()
        self.past: MatrixPast = MatrixPast()
        self.files: Media = Media(opened)
        self.catch_up = options.catch_up

    @property
    def is_connected(self) -> bool:
        """Whether it hears and can be heard there now."""
        return self._connected

    @property
    def is_refused(self) -> bool:
        """Whether the homeserver let the account in by nothing at the last try."""
        return REFUSED in self.life.refusals

    @property
    def standing(self) -> MatrixStanding | None:
        """What only the connection knows of how it goes there; None where there is none."""
        connection = self._connection
        if connection is None or not self._connected:
            return None
        return MatrixStanding(
            trust=connection.signing.trust,
            limited=self._limits.lately,
            postponed=connection.invitations.postponed,
        )

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

    async def run(self, host: Host) -> None:
        """Be there until cancelled; what was taken by then is still stored."""
        await self.life.run(partial(self._live, host), self._why)

    def _why(self, error: Exception) -> Ended | None:
        """What the end of a life means."""
        match error:
            case TokenRefused() if self._options.account.token is None:
                # A session of a password was ended elsewhere: the next life begins another.
                return LifeLost(str(error))
            case LoginRefused() | TokenRefused():
                return LifeRefused(REFUSED)
            case OtherAccount():
                return LifeRefused(OTHER_ACCOUNT)
            case FolderRefused():
                return LifeRefused(str(error))
            case DeliveryFailed():
                patience_s = error.retry_after_s if isinstance(error, ApiBusy) else None
                return LifeLost(str(error), least_s=patience_s or 0.0)
        return None

    async def _live(self, host: Host) -> None:
        session = await session_of(self._options.account, self._options.folder)
        connection = HomeserverConnection(self._options, host, session, self._limits)
        self._connection = connection
        try:
            await connection.listen(lambda: self._began(connection, host))
        finally:
            self._connection, self._connected = None, False
            self.past.follow(None)
            self.files.follow(None)
            await within(CLOSE_S, connection.close())

    def _began(self, connection: HomeserverConnection, host: Host) -> None:
        self.life.began()
        self._connected = True
        self.files.follow(connection.homeserver)
        self.past.follow(
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
