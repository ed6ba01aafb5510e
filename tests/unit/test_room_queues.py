import asyncio
from collections.abc import AsyncIterator, Sequence

import pytest

from bot.platforms import room_queues
from bot.platforms.room_queues import MOST_TOGETHER, MOST_WAITING, ROOM_AGAIN, RoomQueues
from memory.tasks import background_task


class Worker:
    """Keeps what it worked on; while the gate is shut it works."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.batches: list[int] = []
        self.gate = asyncio.Event()
        self.gate.set()
        self.held: set[str] = set()

    async def __call__(self, events: Sequence[str]) -> None:
        """Work on some events, unless one of them is held."""
        if self.held.intersection(events):
            await asyncio.Event().wait()
        await self.gate.wait()
        self.batches.append(len(events))
        self.done.extend(events)


@pytest.fixture
def worker() -> Worker:
    """Somebody who works."""
    return Worker()


@pytest.fixture
async def queues(worker: Worker) -> AsyncIterator[RoomQueues[str]]:
    """Queues that run."""
    found: RoomQueues[str] = RoomQueues(worker)
    async with background_task(found.run(), name="queues"):
        yield found


async def test_a_room_keeps_its_order(queues: RoomQueues[str], worker: Worker) -> None:
    """Also when more comes while it is worked on."""
    worker.gate.clear()
    queues.put(1, "0")
    await asyncio.sleep(0)
    for number in range(1, 3 * MOST_TOGETHER):
        queues.put(1, str(number))
    worker.gate.set()
    await queues.empty()
    assert worker.done == [str(number) for number in range(3 * MOST_TOGETHER)]
    assert max(worker.batches) == MOST_TOGETHER
    assert queues.waiting == 0


async def test_a_room_that_hangs_holds_up_no_other(queues: RoomQueues[str], worker: Worker) -> None:
    """Each has its own queue."""
    worker.held.add("a")
    queues.put(1, "a")
    queues.put(2, "b")
    for _ in range(10):
        await asyncio.sleep(0)
    assert worker.done == ["b"]
    assert queues.waiting == 1


async def test_a_room_that_was_quiet_is_worked_on_again(
    queues: RoomQueues[str], worker: Worker
) -> None:
    """Its queue ends with its last event."""
    for event in ("a", "b"):
        queues.put(1, event)
        await queues.empty()
    assert worker.done == ["a", "b"]


async def test_whoever_brings_too_much_waits_until_there_is_room(
    queues: RoomQueues[str], worker: Worker
) -> None:
    """That is what bounds the memory a burst takes."""
    worker.gate.clear()
    for number in range(MOST_WAITING):
        queues.put(number, "x")
    async with asyncio.TaskGroup() as group:
        waiting = group.create_task(queues.wait_for_space())
        for _ in range(5):
            await asyncio.sleep(0)
        assert not waiting.done()
        worker.gate.set()
    assert queues.waiting < ROOM_AGAIN


async def test_there_is_room_again_when_half_of_it_is_left(
    queues: RoomQueues[str], worker: Worker
) -> None:
    """Taken one at a time, each event would have a transaction of its own."""
    worker.held.add("held")
    for number in range(MOST_WAITING):
        queues.put(number, "held" if number < ROOM_AGAIN else "x")
    async with background_task(queues.wait_for_space(), name="waiting") as waiting:
        for _ in range(20):
            await asyncio.sleep(0)
        assert queues.waiting == ROOM_AGAIN
        assert not waiting.done()


async def test_the_wait_for_room_has_an_end(
    queues: RoomQueues[str], worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A connection that shows no life would be closed."""
    monkeypatch.setattr(room_queues, "LONGEST_HOLD_S", 0.01)
    worker.gate.clear()
    for number in range(MOST_WAITING):
        queues.put(number, "x")
    await queues.wait_for_space()
    assert queues.waiting == MOST_WAITING
    worker.gate.set()


async def test_nobody_waits_while_there_is_room(queues: RoomQueues[str]) -> None:
    """Reading goes on at once."""
    await queues.wait_for_space()
