"""The local platform: the rooms that the web page and the terminal are two faces of."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, ExitStack, asynccontextmanager, contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import uuid4

from bot.channels.local.event_log import EventLog
from bot.channels.local.ports import (
    Changed,
    LocalEvent,
    Missed,
    Reacted,
    RoomEvent,
    Shown,
    TakenBack,
    Writing,
)
from bot.channels.local.presence import Presence, Subscription
from bot.channels.local.shown_replies import ShownReplies
from bot.conversation.splitting import MARKDOWN
from bot.conversation.wording import kept_text
from bot.errors import (
    MessageTooLong,
    NameOfNamesake,
    NameOfPet,
    NobodyListens,
    NotYourRoom,
    TooFast,
)
from bot.model.events import Attachment, AuthorRef, Deleted, Edited, Inbound, RoomRef, Typing
from bot.model.turns import Expression, Outgoing
from bot.ports import Markup, Receive
from bot.texts.lookalikes import looks_like, reads_as_namesake
from bot.texts.sanitizing import encodable
from memory.language.parts.reading import vouched_parts
from memory.model.messages import AuthorKind, QuotedLine
from memory.model.rooms import HOME, Room, RoomKind, RoomRole
from memory.ports import Clock

PLATFORM = "local"
"""The platform of the rooms; their people are of the platform `web` or `console`."""

TEXT_LIMIT = 20_000
"""Characters of a message: a long letter, and still light to draw a hundred times."""

TYPING_EVERY = timedelta(seconds=1)
"""Least time between two typing events of one talk; below the coalescer's quiet window."""

_FIRST = ":0"
"""The end of the nonce of the first part of a reply, which is known by what it is a part of."""

LOBBY = RoomRef(
    platform=PLATFORM,
    external_id="lobby",
    name="lobby",
    kind=RoomKind.GROUP,
    role=RoomRole.LOBBY,
    space=HOME,
)


def direct_room(author: AuthorRef) -> RoomRef:
    """The room where this account and the pet are alone."""
    return RoomRef(
        platform=PLATFORM,
        external_id=f"direct:{author.platform}:{author.external_id}",
        name=author.name,
        kind=RoomKind.DIRECT,
        role=RoomRole.PET,
        space=HOME,
    )


class LocalHub:
    """The local channel: people's words go to the daemon, and everybody in a room sees them."""

    def __init__(self, *, pet_name: str, clock: Clock) -> None:
        self._pet_name = pet_name
        self._clock = clock
        self._receive: Receive | None = None
        self._listening = asyncio.Event()
        self._log = EventLog()
        self._presences: dict[str, Presence] = {}
        self._replies = ShownReplies()

    @property
    def platform(self) -> str:
        """The platform of the rooms it answers in."""
        return PLATFORM

    @property
    def position(self) -> str:
        """Where its events are now: `follow` goes on from there."""
        return self._log.position

    @property
    def text_limit(self) -> int:
        """How many characters one message may have."""
        return TEXT_LIMIT

    @property
    def markup(self) -> Markup:
        """What the page and the terminal make of the signs in a message."""
        return MARKDOWN

    async def run(self, receive: Receive) -> None:
        """Take what people say until cancelled."""
        self._receive = receive
        self._listening.set()
        try:
            await asyncio.Event().wait()
        finally:
            self._receive = None
            self._listening.clear()

    async def listening(self) -> None:
        """Wait until what people say is taken."""
        await self._listening.wait()

    async def send(self, message: Outgoing) -> str | None:
        """Show the pet's words to everybody in the room; the same nonce is shown once.

        An empty room is fine: later readers get the history, so nothing has an id here.
        """
        room = message.room.external_id
        if self._replies.is_new(room, message.nonce):
            look = message.expression or Expression.NEUTRAL
            key = message.nonce.removesuffix(_FIRST)
            shown = self._shown(key, self._pet_name, message.text, expression=look)
            if message.kept:  # a note is none of the pet's own words, and has no face
                shown = replace(shown, kind=AuthorKind.SYSTEM, expression=None, kept=message.kept)
            self._publish(room, replace(shown, answers=message.answers))
        return None

    async def show_typing(self, room: Room) -> None:
        """Show everybody in the room that the pet is writing."""
        self._publish(room.external_id, Writing(kind=AuthorKind.PET, author=self._pet_name))

    def talk(self, author: AuthorRef, room: RoomRef, *, address: str = "") -> "LocalTalk":
        """The seat of a person in a room; `address` is where in the network they sit, if known.

        Raises:
            NotYourRoom: it is neither the lobby nor this person's own direct room.
            NameOfPet: the person goes by what is read as the pet's name.
            NameOfNamesake: or by what tells people of one name apart.

        """
        _check_seat(room.external_id, author)
        if looks_like(author.name, self._pet_name):
            raise NameOfPet(f'"{author.name}" is my name, or looks like it: choose another one.')
        if reads_as_namesake(author.name):
            raise NameOfNamesake(
                f'"{author.name}" is how I tell people of one name apart: choose another one.'
            )
        return LocalTalk(self, author, room, self._clock, address=address)

    async def say(
        self,
        room: RoomRef,
        author: AuthorRef,
        text: str,
        *,
        address: str = "",
        zone: str | None = None,
        quoted: QuotedLine | None = None,
        attachments: tuple[Attachment, ...] = (),
    ) -> None:
        """Hand a person's words to the daemon, then show them; blank words say nothing.

        Raises:
            NotYourRoom: it is neither the lobby nor this person's own direct room.
            MessageTooLong: it has more than TEXT_LIMIT characters.
            NobodyListens: the daemon is starting or stopping.
            TooFast: more comes from there than is taken.

        """
        _check_seat(room.external_id, author)
        _check_length(text)
        if not text.strip() and not attachments:
            return
        inbound = Inbound(
            external_id=uuid4().hex,
            room=room,
            author=author,
            text=encodable(text),
            sent_at=self._clock.now(),
            reply_to=None if quoted is None else quoted.key,
            spaces=frozenset({HOME}),
            attachments=attachments,
            # The terminal is on this machine, where one address stands for all names.
            address=f"{author.platform} {address}".strip(),
            zone=zone,
        )
        await self._hear(inbound, quoted)

    async def change(self, room: RoomRef, author: AuthorRef, shown: Shown, text: str) -> None:
        """Put other words before what came with a message; raises what `say` does."""
        _check_seat(room.external_id, author)
        _check_length(text)
        edited = Edited(
            platform=author.platform,
            external_id=shown.key,
            text=encodable(text),
            room=room,
            author=author,
            parts=vouched_parts(shown.text),
        )
        await self._listener(edited)
        now = replace(shown, text=kept_text(edited), edited=True)
        self._publish(room.external_id, Changed(shown=now), by=author)

    def show_change(self, room: str, shown: Shown, *, by: AuthorRef) -> None:
        """Show everybody in a room what a message says now."""
        self._publish(room, Changed(shown=shown), by=by)

    async def take_back(self, room: RoomRef, author: AuthorRef, key: str) -> None:
        """Take a message of this author's away; raises what `say` does."""
        _check_seat(room.external_id, author)
        await self._listener(Deleted(platform=author.platform, external_id=key))
        self._publish(room.external_id, TakenBack(key=key), by=author)

    def show_reactions(self, room: RoomRef, reacted: Reacted) -> None:
        """Show everybody in a room what people put to a message."""
        self._publish(room.external_id, reacted)

    async def typing(self, room: RoomRef, author: AuthorRef) -> None:
        """Tell the daemon and the others that a person is writing; never fails over it.

        Raises:
            NotYourRoom: it is neither the lobby nor this person's own direct room.

        """
        _check_seat(room.external_id, author)
        event = Writing(kind=AuthorKind.PERSON, author=author.name)
        self._publish(room.external_id, event, by=author)
        if self._receive is not None:
            await self._receive(Typing(room=room, author=author))

    @asynccontextmanager
    async def subscribe(
        self, room_external_id: str, reader: AuthorRef
    ) -> AsyncIterator[Subscription]:
        """The events of a room from now on, for one reader, until left.

        Raises:
            NotYourRoom: it is neither the lobby nor this person's own direct room.

        """
        _check_seat(room_external_id, reader)
        with self._presence(room_external_id) as presence:
            subscription = Subscription(reader)
            presence.readers.add(subscription)
            try:
                yield subscription
            finally:
                presence.readers.discard(subscription)

    @contextmanager
    def follow(
        self, rooms: Sequence[RoomRef], reader: AuthorRef, since: str
    ) -> Iterator[Subscription]:
        """The events of several rooms as one, from a position on, until left.

        Where it is not known what came after the position, the first event is a Missed.

        Raises:
            NotYourRoom: one is neither the lobby nor this person's own direct room.

        """
        names = [room.external_id for room in rooms]
        for name in names:
            _check_seat(name, reader)
        with ExitStack() as stack:
            subscription = Subscription(reader)
            for name in names:
                presence = stack.enter_context(self._presence(name))
                presence.readers.add(subscription)
                stack.callback(presence.readers.discard, subscription)
            missed = self._log.since(since, names)
            if missed is None:
                gap = RoomEvent(room="", event=Missed(), position=self.position)
                subscription.offer(gap, None)
            for told, by in missed or ():
                subscription.offer(told, by)
            yield subscription

    def here(self, room: RoomRef) -> Sequence[AuthorRef]:
        """Who reads along in a room now, each account once."""
        presence = self._presences.get(room.external_id)
        return () if presence is None else tuple(presence.people())

    async def _listener(self, event: Edited | Deleted) -> None:
        if self._receive is None:
            raise NobodyListens("The daemon takes no messages right now.")
        await self._receive(event)

    async def _hear(self, inbound: Inbound, quoted: QuotedLine | None) -> None:
        """Store a message, show it, then show what the pet already answered to it."""
        receive = self._receive
        if receive is None:
            raise NobodyListens("The daemon takes no messages right now.")
        room = inbound.room.external_id
        with self._presence(room) as presence, presence.hearing():
            if not await receive(inbound):
                raise TooFast(
                    "That is more than I take at a time: wait a minute, then say it again."
                )
            said = self._shown(inbound.external_id, inbound.author.name, kept_text(inbound))
            presence.show(replace(said, sent_at=inbound.sent_at, quoted=quoted), inbound.author)

    def _shown(
        self, key: str, author: str, text: str, *, expression: Expression | None = None
    ) -> Shown:
        kind = AuthorKind.PERSON if expression is None else AuthorKind.PET
        now = self._clock.now()
        return Shown(
            key=key, kind=kind, author=author, text=text, sent_at=now, expression=expression
        )

    def _publish(self, room: str, event: LocalEvent, *, by: AuthorRef | None = None) -> None:
        """Show an event; a reply waits while the words it may answer are being stored."""
        presence = self._presences.get(room)
        if presence is None:
            if not isinstance(event, Writing):
                self._log.add(room, event, by)
        elif presence.heard and isinstance(event, Shown):
            presence.held.append(event)
        else:
            presence.show(event, by)

    @contextmanager
    def _presence(self, room: str) -> Iterator[Presence]:
        """The room as it is now; forgotten when its last reader or speaker is gone."""
        presence = self._presences.setdefault(room, Presence(room=room, log=self._log))
        presence.users += 1
        try:
            yield presence
        finally:
            presence.users -= 1
            if not presence.users:
                del self._presences[room]


class LocalTalk:
    """A person's seat in one room of the hub: the Talk port within the daemon's process."""

    def __init__(
        self, hub: LocalHub, author: AuthorRef, room: RoomRef, clock: Clock, *, address: str
    ) -> None:
        self.room = room
        self._hub = hub
        self._author = author
        self._clock = clock
        self._address = address
        self._typed_at: datetime | None = None

    async def say(
        self,
        text: str,
        *,
        zone: str | None = None,
        quoted: QuotedLine | None = None,
        attachments: tuple[Attachment, ...] = (),
    ) -> None:
        """Say one message, see LocalHub.say."""
        await self._hub.say(
            self.room,
            self._author,
            text,
            address=self._address,
            zone=zone,
            quoted=quoted,
            attachments=attachments,
        )

    async def typing(self) -> None:
        """Tell that this person is writing, at most once in TYPING_EVERY."""
        now = self._clock.now()
        if self._typed_at is None or now - self._typed_at >= TYPING_EVERY:
            self._typed_at = now
            await self._hub.typing(self.room, self._author)

    def events(self) -> AbstractAsyncContextManager[AsyncIterator[LocalEvent]]:
        """What appears in the room from now on, see LocalHub.subscribe."""
        return self._hub.subscribe(self.room.external_id, self._author)


def _check_length(text: str) -> None:
    if len(text) > TEXT_LIMIT:
        raise MessageTooLong(f"A message has at most {TEXT_LIMIT} characters.")


def _check_seat(room: str, author: AuthorRef) -> None:
    if room not in {LOBBY.external_id, direct_room(author).external_id}:
        raise NotYourRoom("This room belongs to somebody else.")
