"""Conversations: batches of one person in one room in order, everybody else's side by side."""

import asyncio
from collections import deque
from typing import Protocol
from weakref import WeakValueDictionary

import structlog

from bot.conversation.coalescer import Coalescer, Key
from bot.model.turns import Batch, Effects, Heard
from memory.model.conversations import NewTurn
from memory.model.messages import MessageId
from memory.model.people import PersonId
from memory.model.rooms import RoomId
from memory.model.voices import VoiceState
from memory.ports import Clock
from memory.tasks import Boundary

log = structlog.get_logger()


MOST_AT_ONCE = 2
"""Rooms in which one person is thought about at a time: the others are for everybody else."""


class TurnRunner(Protocol):
    """The path of a batch, in the two halves between which nothing has been sent."""

    async def think(self, batch: Batch, effects: Effects) -> NewTurn:
        """Work out the reply; may be cancelled for as long as `effects` has nothing."""
        ...

    async def answer(self, turn: NewTurn) -> None:
        """Store the reply, then deliver it; from here on there is no way back."""
        ...

    async def apologise(self, batch: Batch) -> None:
        """Say that this batch could not be answered, after an unforeseen error."""
        ...


class TurnScheduler:
    """Runs the path for every batch the coalescer completes."""

    def __init__(
        self, coalescer: Coalescer, path: TurnRunner, clock: Clock, *, most_restarts: int
    ) -> None:
        self._coalescer = coalescer
        self._path = path
        self._clock = clock
        self._most_restarts = most_restarts
        self._said = asyncio.Event()
        self._queues: dict[Key, _ConversationQueue] = {}
        # Kept for as long as one of a person's conversations goes on.
        self._slots: WeakValueDictionary[PersonId, asyncio.Semaphore] = WeakValueDictionary()
        self._quiet = asyncio.Event()
        self._quiet.set()
        self._is_closed = False

    def close(self) -> None:
        """Leave what is said from now on for the next start: it is kept and waits there."""
        self._is_closed = True

    def hear(self, heard: Heard) -> None:
        """Take a message that waits for an answer."""
        if self._is_closed:
            return
        self._quiet.clear()
        self._coalescer.add(heard, self._clock.now())
        self._said.set()

    def typing(self, person: PersonId, room: RoomId) -> None:
        """Wait a little longer for this person."""
        self._coalescer.typing(person, room, self._clock.now())
        self._said.set()

    def reword(self, message: MessageId, text: str, voice: VoiceState | None = None) -> None:
        """Take the new words of a message that no turn has begun on; none takes it back.

        `voice` says what became of its voice note, if that is news.
        """
        self._coalescer.reword(message, text, voice)
        for queue in self._queues.values():
            queue.reword(message, text)
        self._note_quiet()
        self._said.set()

    async def run(self) -> None:
        """Turn batches into replies until cancelled."""
        async with asyncio.TaskGroup() as group:
            while True:
                for batch in self._coalescer.take_due(self._clock.now()):
                    self._put(batch, group)
                self._note_quiet()
                await self._wait()

    async def quiet(self) -> None:
        """Wait until nothing is gathered, thought about or being delivered."""
        await self._quiet.wait()

    async def _wait(self) -> None:
        """Sleep until something is said or the next batch is complete; for ever when idle."""
        due = self._coalescer.next_due
        timeout = None if due is None else max(0.0, (due - self._clock.now()).total_seconds())
        try:
            async with asyncio.timeout(timeout):
                await self._said.wait()
        except TimeoutError:
            return
        self._said.clear()

    def _put(self, batch: Batch, group: asyncio.TaskGroup) -> None:
        key = (batch.person.id, batch.room.id)
        queue = self._queues.get(key)
        if queue is None:
            slots = self._slots.setdefault(batch.person.id, asyncio.Semaphore(MOST_AT_ONCE))
            queue = self._queues[key] = _ConversationQueue(self._path, self._most_restarts, slots)
            group.create_task(self._serve(key, queue), name=f"conversation-{batch.room.id}")
        queue.put(batch)

    async def _serve(self, key: Key, queue: "_ConversationQueue") -> None:
        try:
            await queue.serve()
        finally:
            del self._queues[key]
            self._note_quiet()

    def _note_quiet(self) -> None:
        if not self._queues and self._coalescer.is_empty:
            self._quiet.set()


class _ConversationQueue:
    """One person in one room: serial; a turn that has sent nothing restarts with what follows."""

    def __init__(self, path: TurnRunner, most_restarts: int, slots: asyncio.Semaphore) -> None:
        self._path = path
        self._most_restarts = most_restarts
        self._slots = slots
        self._waiting: deque[Batch] = deque()
        self._more = asyncio.Event()

    def put(self, batch: Batch) -> None:
        self._waiting.append(batch)
        self._more.set()

    def reword(self, message: MessageId, text: str) -> None:
        rest = [batch.reworded(message, text) for batch in self._waiting]
        self._waiting = deque(batch for batch in rest if batch is not None)
        if not self._waiting:
            self._more.clear()

    async def serve(self) -> None:
        while self._waiting:
            batch = self._waiting.popleft()
            self._more.clear()
            with Boundary("turn.failed", room=batch.room.id) as boundary:
                async with self._slots:
                    turn = await self._think(batch)
                await self._path.answer(turn)
            if boundary.failed:
                await self._apologise(batch)

    async def _apologise(self, batch: Batch) -> None:
        # A message that is not apologised for either stays pending until the next start.
        with Boundary("apology.failed", room=batch.room.id):
            await self._path.apologise(batch)

    async def _think(self, batch: Batch) -> NewTurn:
        for _ in range(self._most_restarts):
            turn = await self._think_unless_more(batch)
            if turn is not None:
                return turn
            if self._waiting:  # what it was given up for may have been taken back meanwhile
                batch = batch.joined(self._waiting.popleft())
            self._more.clear()
            log.info("turn.restarted", room=batch.room.id, messages=len(batch.heard))
        return await self._path.think(batch, Effects())

    async def _think_unless_more(self, batch: Batch) -> NewTurn | None:
        """The reply, or None when it was given up because more was said meanwhile."""
        async with asyncio.TaskGroup() as group:
            effects = Effects()
            thinking = group.create_task(self._path.think(batch, effects))
            more = group.create_task(self._more.wait())
            await asyncio.wait({thinking, more}, return_when=asyncio.FIRST_COMPLETED)
            more.cancel()
            if self._may_be_given_up(thinking, effects):
                thinking.cancel()
        return None if thinking.cancelled() else thinking.result()

    def _may_be_given_up(self, thinking: asyncio.Task[NewTurn], effects: Effects) -> bool:
        # What a tool has stored or deleted would be done, and the second run would not know of it.
        if thinking.done() or effects.changed or not self._waiting:
            return False
        return not self._waiting[0].is_system
