"""What rooms said while the pet was away: read back once it is connected again, room by room."""

import asyncio
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

import structlog

from bot.conversation.paced_inbox import PacedInbox
from bot.conversation.wording import kept_text
from bot.errors import PastUnavailable, RoomAway, RoomUnreadable
from bot.model.events import Deleted, Edited
from bot.ports import CatchUpRules, Past, RoomPast
from memory.model.rooms import RoomId
from memory.ports import Clock
from memory.storage.conversations.room_positions import LeftRoom, RoomPositions, StoredMessage
from memory.tasks import Boundary, within

log = structlog.get_logger()

AT_ONCE = 4
"""Rooms that are read side by side: platforms count requests, and the living talk goes first."""

AT_A_TIME = 200
"""Messages that are stored in one transaction."""

COMPARED = 200
"""Messages of a room, before it was left, that are compared with what stands there now."""

COMPARED_FOR = timedelta(days=1)
"""How long before a room was left these were said, at most."""

LISTED = 1000
"""Messages listed to compare those: what the pet does not keep stands between them."""

UNSURE = timedelta(minutes=5)
"""What came in for so long before it was connected may be new already: a platform tells of what
happens before it has told that it is there."""

ROOM_LIMIT_S = 300
"""Seconds for one room; a platform that hangs must not hold up the others."""

_TICK = timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wish:
    """What is to be read: all rooms, or those that arrived and what hangs under them.

    Steps are places among readings: what was read after them need not be read again. `step` is
    that of all rooms, `arrived` has one for each that is to be read where not all are.
    """

    began: datetime
    step: int = 0
    arrived: Mapping[RoomId, int] = field(default_factory=dict)

    def step_of(self, room: LeftRoom) -> int:
        """Before which step a room is to be read again; 0 where it is not to be read."""
        steps = (self.step, self.arrived.get(room.id, 0), self._above(room))
        return max(steps)

    def _above(self, room: LeftRoom) -> int:
        return 0 if room.parent is None else self.arrived.get(room.parent, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pass:
    """One reading of what was missed: rooms as left before `since`, until it `began`."""

    since: datetime
    began: datetime


@dataclass(slots=True)
class _Tally:
    rooms: int
    read: int = 0
    messages: int = 0
    edited: int = 0
    withdrawn: int = 0
    skipped: int = 0
    away: int = 0
    cut: int = 0
    unread: int = 0
    failed: list[LeftRoom] = field(default_factory=list)


class CatchUp:
    """Reads back what a platform's rooms said, edited and took back while the pet was away."""

    def __init__(
        self,
        past: RoomPast,
        read_backs: RoomPositions,
        inbox: PacedInbox,
        clock: Clock,
        rules: CatchUpRules,
    ) -> None:
        self._past = past
        self._read_backs = read_backs
        self._inbox = inbox
        self._clock = clock
        self._rules = rules
        self._wish: _Wish | None = None
        self._steps = 0
        self._read_at: dict[RoomId, int] = {}
        self._failed: list[LeftRoom] = []
        self._away: dict[RoomId, LeftRoom] = {}
        self._wanted = asyncio.Event()
        self._done = asyncio.Event()

    def connected(self) -> None:
        """Read what was missed until now; to be called before anything new is received."""
        self._wish = _Wish(began=self._clock.now(), step=self._step())
        self._inbox.lists_anew(self._past.platform)
        self._wanted.set()

    def arrived(self, rooms: Collection[str]) -> None:
        """Read what was missed in rooms that were not there while the platform was.

        Those that the reading under way has yet to come to are not read a second time.
        """
        arrived = dict.fromkeys(map(self._id, rooms), self._step())
        wish = self._wish or _Wish(began=self._clock.now())
        self._wish = replace(wish, arrived={**wish.arrived, **arrived})
        self._wanted.set()

    async def done(self) -> None:
        """Wait until every room that can be read was read once since the start."""
        await self._done.wait()

    async def run(self) -> None:
        """Read back after every new connection, until cancelled."""
        while True:
            await self._wanted.wait()
            self._wanted.clear()
            wish, self._wish = self._wish, None
            if wish is not None:
                await self._catch_up(wish)

    def _step(self) -> int:
        self._steps += 1
        return self._steps

    def _id(self, number: str) -> RoomId:
        return RoomId(f"{self._past.platform}:{number}")

    async def _catch_up(self, wish: _Wish) -> None:
        # After a failure the next connection goes on from there.
        with Boundary("catch_up.failed", platform=self._past.platform):
            await self._inbox.settle()
            since = await self._read_backs.begin(self._past.platform, wish.began - UNSURE)
            rooms = await self._wanted_rooms(wish, since)
            await self._read_everything(rooms, _Pass(since=since, began=wish.began))
        self._done.set()

    async def _read_everything(self, rooms: Sequence[LeftRoom], one: _Pass) -> None:
        """Read rooms, then those again that failed; what still fails waits for the next reading.

        A room that is away is not asked for again and again: it is read when it has arrived.
        """
        for wait_s in (*self._rules.retries_s, None):
            self._failed = await self._read_all(rooms, one)
            rooms = self._failed
            self._done.set()
            if not rooms:
                await self._read_backs.finish(self._past.platform)
                return
            if wait_s is None or await within(wait_s, self._wanted.wait()):
                return

    async def _wanted_rooms(self, wish: _Wish, since: datetime) -> list[LeftRoom]:
        """The rooms to read: as they were left when they were found away, where they were."""
        named = [
            self._away.pop(room.id, room)
            for room in await self._rooms(since)
            if self._read_at.get(room.id, 0) < wish.step_of(room)
        ]
        ids = {room.id for room in named}
        return [*named, *(room for room in self._failed if room.id not in ids)]

    async def _rooms(self, since: datetime) -> list[LeftRoom]:
        """The rooms the pet knows, and new threads under them: other places it does not know."""
        platform = self._past.platform
        rooms = {room.external_id: room for room in await self._read_backs.rooms(platform, since)}
        for thread, parent in (await self._past.threads()).items():
            is_new = thread not in rooms or rooms[thread].met_at > since
            if is_new and parent in rooms:
                left_at = rooms[parent].last_at
                rooms[thread] = LeftRoom(
                    id=self._id(thread),
                    external_id=thread,
                    last_at=left_at,
                    met_at=left_at,
                    parent=self._id(parent),
                )
        return list(rooms.values())

    async def _read_all(self, rooms: Sequence[LeftRoom], one: _Pass) -> list[LeftRoom]:
        """Read rooms, some at once; those that failed."""
        started, tally, waiting = self._clock.now(), _Tally(len(rooms)), iter(rooms)
        async with asyncio.TaskGroup() as readers:
            for _ in range(AT_ONCE):
                readers.create_task(self._read_waiting(waiting, one, tally))
        log.info(
            "catch_up.finished",
            platform=self._past.platform,
            rooms=tally.rooms,
            messages=tally.messages,
            edited=tally.edited,
            withdrawn=tally.withdrawn,
            skipped=tally.skipped,
            away=tally.away,
            cut=tally.cut,
            unread=tally.unread,
            failed=len(tally.failed),
            took_s=round((self._clock.now() - started).total_seconds(), 1),
        )
        return tally.failed

    async def _read_waiting(self, waiting: Iterator[LeftRoom], one: _Pass, tally: _Tally) -> None:
        for room in waiting:
            await self._read_safely(room, one, tally)
            tally.read += 1
            log.info(
                "catch_up.progressed",
                room=room.id,
                read=tally.read,
                rooms=tally.rooms,
                messages=tally.messages,
            )

    async def _read_safely(self, room: LeftRoom, one: _Pass, tally: _Tally) -> None:
        with Boundary("room.failed", room=room.id) as boundary:
            await self._read_if_there(room, one, tally)
        if boundary.failed:
            tally.failed.append(room)

    async def _read_if_there(self, room: LeftRoom, one: _Pass, tally: _Tally) -> None:
        step = self._step()
        try:
            async with asyncio.timeout(ROOM_LIMIT_S):
                await self._compare(room, one, tally)
                await self._take_in(room, tally)
            self._read_at[room.id] = step
        except RoomAway as error:
            log.info("room.awaited", room=room.id, reason=str(error))
            self._away[room.id] = room
            tally.away += 1
        except RoomUnreadable as error:
            log.info("room.skipped", room=room.id, reason=str(error))
            tally.skipped += 1
        except (PastUnavailable, TimeoutError) as error:
            log.warning("room.postponed", room=room.id, reason=str(error) or "it took too long")
            tally.failed.append(room)

    async def _compare(self, room: LeftRoom, one: _Pass, tally: _Tally) -> None:
        """Follow what was edited and taken back of what the pet had heard before it was away.

        Only what had come in before it was connected is compared: what comes in while the platform
        answers may miss in its answer.
        """
        known = await self._read_backs.standing(
            room.id, room.last_at - COMPARED_FOR, before=one.began, limit=COMPARED
        )
        if not known:
            return
        start, end = known[0].sent_at - _TICK, known[-1].sent_at + _TICK
        past = await self._past.said(room.external_id, start, end, LISTED)
        platform = self._past.platform
        for external_id in taken_back(known, past):
            await self._inbox.receive(Deleted(platform=platform, external_id=external_id))
            tally.withdrawn += 1
        for edit in reworded(known, past, platform):
            await self._inbox.receive(edit)
            tally.edited += 1

    async def _take_in(self, room: LeftRoom, tally: _Tally) -> None:
        """Take what was said since the room was left, as far back as the rules reach."""
        if not (self._rules.most_messages and self._rules.reach):
            return
        now = self._clock.now()
        start = max(room.last_at - _TICK, now - self._rules.reach)
        past = await self._past.said(room.external_id, start, None, self._rules.most_messages)
        tally.cut += past.whole_from > start
        tally.unread += past.unread
        for first in range(0, len(past.messages), AT_A_TIME):
            some = past.messages[first : first + AT_A_TIME]
            received = await self._inbox.receive_all(some, missed_at=now)
            tally.messages += received.stored


def taken_back(known: Sequence[StoredMessage], past: Past) -> list[str]:
    """The ids of those messages that stand no more, where the listing leaves nothing out."""
    return [
        one.external_id
        for one in known
        if one.sent_at >= past.whole_from and one.external_id not in past.listed
    ]


def reworded(known: Sequence[StoredMessage], past: Past, platform: str) -> list[Edited]:
    """The edits that these messages have not followed yet.

    A text may read otherwise because a member in it was renamed: that is no edit. One that is
    empty now is one that the pet may not read.
    """
    texts = {one.external_id: one.text for one in known}
    return [
        Edited(
            platform=platform,
            external_id=id_,
            text=said.text,
            room=said.room,
            attachments=said.attachments,
            parts=said.parts,
        )
        for said in past.messages
        if (id_ := said.external_id) in texts and id_ in past.edited
        if (text := kept_text(said)) and text != texts[id_]
    ]
