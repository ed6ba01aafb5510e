"""One life of the connection: it learns how things stand, then reads what happens, in order."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal

import structlog

from bot.channels.matrix.greeting import CommunityGreeting
from bot.channels.matrix.inbound.contents import PetAccount
from bot.channels.matrix.inbound.hand_over import HandOver
from bot.channels.matrix.inbound.interpreter import EventInterpreter, Reading
from bot.channels.matrix.inbound.known_events import KnownEvents
from bot.channels.matrix.inbound.members import Members
from bot.channels.matrix.inbound.places import RoomPlaces
from bot.channels.matrix.inbound.reader import NewsReader
from bot.channels.matrix.inbound.rooms import KnownRooms
from bot.channels.matrix.inbound.sync import (
    News,
    RoomNews,
    has_joined,
    news_in,
    said_since_invited,
)
from bot.channels.matrix.inbound.unread import UnreadEvents
from bot.channels.matrix.inbound.upgrades import Upgrades
from bot.channels.matrix.invitations import Invitations
from bot.channels.matrix.outbound.sender import EventSender
from bot.channels.matrix.position import Position
from bot.channels.matrix.receipts import ReadReceipts
from bot.channels.matrix.service.account import DeviceSession, HomeserverAccount
from bot.channels.matrix.service.cross_signing import CrossSigning, SigningRules
from bot.channels.matrix.service.encryption import Encryption
from bot.channels.matrix.service.homeserver import INVITATIONS, STANDING, Homeserver
from bot.channels.matrix.service.json_values import Json, map_in, maps_in, text_in
from bot.channels.matrix.service.limits_met import LimitsMet
from bot.model.events import InboundEvent
from bot.ports import CatchUpRules, Host
from memory.model.rooms import RoomRole
from memory.tasks import background_task

log = structlog.get_logger()

WAIT_S = 30.0
"""Seconds that the server is asked to wait for something to happen."""

A_DAY = CatchUpRules(reach=timedelta(days=1), most_messages=2000)
"""How far rooms are read back where nothing else was chosen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixOptions:
    """The account, how the pet behaves there, and where its keys are kept.

    `replaces_keys`: cross-signing keys that another client made give way to the pet's own.
    """

    account: HomeserverAccount
    folder: Path
    pet_name: str
    replaces_keys: bool = False
    locale: str = "en"
    allowed: tuple[str, ...] = ()
    default_role: RoomRole = RoomRole.LOBBY
    face: Literal["emoji", "none"] = "emoji"
    greets: bool = True
    catch_up: CatchUpRules = A_DAY


class HomeserverConnection:
    """Hears, reads and sends in one session, until it is closed."""

    def __init__(
        self, options: MatrixOptions, host: Host, session: DeviceSession, limits: LimitsMet
    ) -> None:
        url = options.account.homeserver
        self._options = options
        self._host = host
        self.pet = session.user_id
        self.homeserver = Homeserver(url, session.token, limits)
        self.encryption = Encryption(url, session, options.folder)
        self.signing = CrossSigning(self.homeserver, session, _signing_rules(options))
        self.rooms = KnownRooms()
        self._members = Members(self.homeserver, self.rooms)
        self.known = KnownEvents()
        self._upgrades = Upgrades(self.homeserver, self.rooms)
        self.places = RoomPlaces(self.rooms, self._members, self._upgrades, options.default_role)
        self.interpreter = EventInterpreter(
            self.homeserver, self.places, self._members, self.known, self._reading()
        )
        self.sender = EventSender(
            self.homeserver, self.encryption, self.rooms, self.known, options.face
        )
        self._unread = UnreadEvents(options.folder)
        self._reader = NewsReader(
            self.interpreter, self.homeserver, self.encryption, self._unread, host.clock
        )
        self._position = Position(options.folder, session.device_id)
        self.invitations = Invitations(self.homeserver, self.rooms, options.allowed, self.pet)
        self._hand_over = HandOver(host.inbox)
        self._receipts = ReadReceipts(self.homeserver)
        self._greeting = CommunityGreeting(
            host.introductions,
            self.sender.send,
            options.pet_name,
            options.locale,
            offers_past=options.catch_up.asked_days > 0,
        )

    async def close(self) -> None:
        """Release its connections."""
        await self.homeserver.close()
        await self.encryption.close()

    async def listen(self, began: Callable[[], None]) -> None:
        """Read what happens, until cancelled; `began` is called before the first of it.

        Raises:
            TokenRefused: the session has ended.
            DeliveryFailed: the server is away.

        """
        await self._stand()
        async with background_task(self._receipts.run(), name="matrix receipts"):
            is_first = True
            while True:
                answer = await self.homeserver.news(
                    self._position.token or "",
                    wait_s=0 if is_first else WAIT_S,
                    whole=is_first,
                )
                if is_first:
                    began()
                await self._take(answer, is_first=is_first)
                is_first = False

    async def _stand(self) -> None:
        """Learn how things stand; without a place to go on from, begin here."""
        is_new = self._position.token is None
        answer = await self.homeserver.standing(STANDING if is_new else INVITATIONS)
        news = news_in(answer)
        if is_new:
            await self.encryption.take(_without_messages(answer))
            await self._position.advance(news.until)
        await self.encryption.settle()
        await self.signing.settle(self.encryption.fingerprint)
        self._learn(news, is_whole=True)
        for room, state in news.invited.items():
            await self.invitations.take(room, state)

    async def _take(self, answer: Json, *, is_first: bool) -> None:
        """KeyStore what an answer tells; the next one is asked for only then."""
        await self.encryption.take(answer)
        news = news_in(answer)
        self._learn(news, is_whole=is_first)
        if is_first:
            await self._upgrades.look_up_all()
        missed_at = self._host.clock.now() if is_first else None
        for room, told in news.joined.items():
            await self._take_room(room, told, missed_at)
        if is_first or maps_in(map_in(answer, "to_device"), "events"):
            await self._hand_over.take(await self._reader.late(), self._host.clock.now())
        if self._unread.has_changed:
            await asyncio.to_thread(self._unread.save)
        await self._position.advance(news.until)
        for room, state in news.invited.items():
            await self.invitations.take(room, state)
        await self.invitations.retry()
        await self.encryption.settle()
        await self.signing.follow(answer, self.encryption.fingerprint)

    def _learn(self, news: News, *, is_whole: bool) -> None:
        """Know the rooms as they were before their news; for others the news are complete."""
        for room in news.left:
            self.rooms.left(room)
            self._members.forget(room)
            self.invitations.withdrawn(room)
        if news.direct is not None:
            self.rooms.take_direct(news.direct)
        for room, told in news.joined.items():
            if is_whole:
                self.rooms.left(room)
            self._follow(room, told.state)

    def _follow(self, room: str, events: Sequence[Json]) -> None:
        state = self.rooms.joined(room)
        for event in events:
            if "state_key" in event:
                state.apply(event)
                self._members.follow(room, event)

    async def _follow_upgrade(self, event: Json) -> None:
        """Go along where a room goes on elsewhere, if who moved it may invite the pet."""
        if text_in(event, "type") == "m.room.tombstone":
            room = text_in(map_in(event, "content"), "replacement_room")
            await self.invitations.followed(room, text_in(event, "sender"))

    async def _take_room(self, room: str, told: RoomNews, missed_at: datetime | None) -> None:
        is_new = has_joined(told, self.pet)
        events: list[InboundEvent] = []
        if told.gap is not None and not is_new:
            since, most = self._position.token or "", self._options.catch_up.most_messages
            events.extend(await self._reader.gap(room, told, since, most))
        heard = said_since_invited(told.events, self.pet) if is_new else told.events
        ids = {text_in(event, "event_id") for event in heard}
        for event in told.events:
            self._follow(room, [event])
            await self._follow_upgrade(event)
            if text_in(event, "event_id") in ids:
                events.extend(await self._reader.read(room, event))
        if told.typing:
            events.extend(await self.interpreter.typing(room, told.typing))
        await self._hand_over.take(events, missed_at)
        if told.events:
            self._receipts.read(room, text_in(told.events[-1], "event_id"))
        if is_new and self._options.greets:
            await self._greeting.joined(room, self.rooms, self.places)

    def _reading(self) -> Reading:
        commands = {name.split()[0] for name in self._host.platform_commands.table}
        pet = PetAccount(
            user_id=self.pet, name=self._options.pet_name, commands=frozenset(commands)
        )
        return Reading(pet=pet, opened=self.encryption.decrypted, clock=self._host.clock)


def _signing_rules(options: MatrixOptions) -> SigningRules:
    return SigningRules(
        folder=options.folder,
        password=options.account.password,
        replaces=options.replaces_keys,
    )


def _without_messages(answer: Json) -> Json:
    """The answer without what is sent to this device alone: it comes again with the news."""
    return {key: value for key, value in answer.items() if key != "to_device"}
