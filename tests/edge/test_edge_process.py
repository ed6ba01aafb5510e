"""The Edge worker as a process: killed, orphaned, interrupted, locked out, stuck."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import UUID

import numpy as np
import pytest
import qdrant_edge

from memory.model.audience import OPERATOR
from memory.model.errors import VectorStoreUnavailable
from memory.model.stores import Collection
from memory.ports import Fingerprint, Point
from memory.vectors import collection_names, unit
from memory.vectorstores.edge.index import EdgeIndex
from memory.vectorstores.edge.process import EdgeProcess
from memory.vectorstores.edge.shards import OTHERS
from tests.patience import PATIENCE_S

FINGERPRINT = Fingerprint(name="test", dimension=8, version="1")

MEMORY = Collection.MEMORY
ROOT = Path(__file__).parents[2]

EVERYTHING = [
    Point(id=UUID(int=n), vector=row, payload={"audience": "everyone"})
    for n, row in enumerate(unit(np.random.default_rng(1).standard_normal((700, 8))))
]
IDS = frozenset(point.id for point in EVERYTHING)

ORPHANING_PARENT = """
import asyncio, os, sys
from pathlib import Path
from tempfile import TemporaryDirectory
sys.path.insert(0, "tests/edge")
from test_edge_process import EVERYTHING, FINGERPRINT, MEMORY
from memory.vectorstores.edge.index import EdgeIndex

async def main():
    index = await EdgeIndex.open(Path(sys.argv[1]), FINGERPRINT)
    await index.upsert(MEMORY, EVERYTHING)
    os.write(int(sys.argv[2]), str(index.worker_pid).encode())
    os.kill(os.getpid(), 9)

asyncio.run(main())
"""


@pytest.fixture
async def index(tmp_path: Path) -> AsyncIterator[EdgeIndex]:
    """An index with points in it."""
    opened = await EdgeIndex.open(tmp_path, FINGERPRINT)
    await opened.upsert(MEMORY, EVERYTHING)
    yield opened
    await opened.close()


def pid_of(index: EdgeIndex) -> int:
    """The process id of a worker that runs."""
    pid = index.worker_pid
    assert pid is not None
    return pid


async def test_every_accepted_point_survives_a_killed_worker(index: EdgeIndex) -> None:
    """What was accepted is there after kill -9, without a flush, in a worker that replaces it."""
    killed = pid_of(index)
    os.kill(killed, signal.SIGKILL)
    with pytest.raises(VectorStoreUnavailable):
        await index.ids(MEMORY)
    assert await index.ids(MEMORY) == IDS
    assert pid_of(index) != killed


async def test_calls_in_flight_fail_when_the_worker_dies(index: EdgeIndex) -> None:
    """Nobody waits for an answer that will not come."""
    os.kill(pid_of(index), signal.SIGSTOP)
    calls = [
        asyncio.ensure_future(index.search(MEMORY, EVERYTHING[0].vector, limit=1, scope=OPERATOR))
        for _ in range(3)
    ]
    await asyncio.wait(calls, timeout=0.05)
    os.kill(pid_of(index), signal.SIGKILL)
    outcomes = await asyncio.gather(*calls, return_exceptions=True)
    assert [type(each) for each in outcomes] == [VectorStoreUnavailable] * 3


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
async def test_signals_meant_for_the_daemon_do_not_end_the_worker(
    index: EdgeIndex, name: str
) -> None:
    """Ctrl-C goes to the whole terminal; only the daemon decides when it is over."""
    before = pid_of(index)
    os.kill(before, getattr(signal, name))
    assert await index.ids(MEMORY) == IDS
    assert pid_of(index) == before


async def test_an_orphaned_worker_flushes_and_exits(tmp_path: Path) -> None:
    """When the daemon is killed its worker ends by itself, and the next daemon finds it all."""
    reading, writing = os.pipe()
    parent = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        ORPHANING_PARENT,
        str(tmp_path),
        str(writing),
        cwd=ROOT,
        pass_fds=(writing,),
    )
    await parent.wait()
    os.close(writing)
    worker = int(os.read(reading, 100))
    os.close(reading)
    await has_ended(worker)
    reopened = await EdgeIndex.open(tmp_path, FINGERPRINT)
    assert await reopened.ids(MEMORY) == IDS
    await reopened.close()


async def has_ended(pid: int) -> None:
    """Wait until a process that is not our child has ended."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    ended = asyncio.Event()
    asyncio.get_running_loop().add_reader(handle, ended.set)
    async with asyncio.timeout(PATIENCE_S):
        await ended.wait()
    asyncio.get_running_loop().remove_reader(handle)
    os.close(handle)


async def test_a_lock_that_is_still_held_is_waited_for(tmp_path: Path) -> None:
    """A shard that a dying worker still holds is opened as soon as it lets go."""
    first = await EdgeIndex.open(tmp_path, FINGERPRINT)
    await first.upsert(MEMORY, EVERYTHING)
    await first.close()
    holder = qdrant_edge.EdgeShard.load(
        str(tmp_path / collection_names("eko_", FINGERPRINT)[MEMORY] / OTHERS)
    )

    second = await EdgeIndex.open(tmp_path, FINGERPRINT)
    asking = asyncio.ensure_future(second.ids(MEMORY))
    done, _ = await asyncio.wait([asking], timeout=0.3)
    assert not done
    holder.close()
    assert await asking == IDS
    await second.close()


async def test_a_failed_request_is_reported_and_the_worker_goes_on(tmp_path: Path) -> None:
    """A shard that cannot be read holds nothing and takes nothing; no other is hindered."""
    name = collection_names("eko_", FINGERPRINT)[MEMORY]
    (tmp_path / name / OTHERS).mkdir(parents=True)
    index = await EdgeIndex.open(tmp_path, FINGERPRINT)
    assert await index.ids(MEMORY) == frozenset()
    with pytest.raises(VectorStoreUnavailable, match="config"):
        await index.upsert(MEMORY, EVERYTHING[:3])
    before = pid_of(index)
    await index.upsert(Collection.SELF, EVERYTHING[:3])
    assert len(await index.ids(Collection.SELF)) == 3
    assert pid_of(index) == before
    await index.close()


async def test_a_half_made_shard_is_made_again(tmp_path: Path) -> None:
    """A worker that was killed while it made a shard leaves nothing in the way."""
    name = collection_names("eko_", FINGERPRINT)[MEMORY]
    (tmp_path / name / f"{OTHERS}.unfinished" / "segments").mkdir(parents=True)
    index = await EdgeIndex.open(tmp_path, FINGERPRINT)
    await index.upsert(MEMORY, EVERYTHING[:3])
    assert len(await index.ids(MEMORY)) == 3
    await index.close()


@pytest.fixture
def disk() -> Iterator[Path]:
    """A folder that is on a disk: in memory, what is read of a gap in a file takes space too."""
    with TemporaryDirectory(dir="/var/tmp") as folder:
        yield Path(folder)


async def test_what_was_deleted_gives_its_space_back(disk: Path) -> None:
    """After many deletions the survivors are found as before, also after reopening."""
    index = await EdgeIndex.open(disk, FINGERPRINT)
    rows = unit(np.random.default_rng(2).standard_normal((10_500, 8)))
    many = [
        Point(id=UUID(int=n), vector=row, payload={"audience": "everyone"})
        for n, row in enumerate(rows)
    ]
    await index.upsert(MEMORY, many)
    await index.flush()
    before = size_of(disk)
    await index.delete(MEMORY, [point.id for point in many[500:]])
    await index.flush()
    assert size_of(disk) < before
    (hit,) = await index.search(MEMORY, many[7].vector, limit=1, scope=OPERATOR)
    assert hit.id == many[7].id
    await index.upsert(MEMORY, many[500:501])
    await index.close()
    index = await EdgeIndex.open(disk, FINGERPRINT)
    assert await index.ids(MEMORY) == {point.id for point in many[:501]}
    await index.close()


def size_of(folder: Path) -> int:
    """The bytes its points take on disk, the write-ahead log left out."""
    files = (path for path in folder.rglob("*") if path.is_file() and "wal" not in path.parts)
    return sum(path.stat().st_blocks * 512 for path in files)


async def test_a_worker_that_does_not_answer_is_replaced(tmp_path: Path) -> None:
    """A stuck worker costs one time limit; the next call has a new one."""
    index = await EdgeIndex.open(tmp_path, FINGERPRINT, timeout_s=2)
    await index.upsert(MEMORY, EVERYTHING)
    stuck = pid_of(index)
    os.kill(stuck, signal.SIGSTOP)
    with pytest.raises(VectorStoreUnavailable, match="within 2 s"):
        await index.ids(MEMORY)
    assert await index.ids(MEMORY) == IDS
    assert pid_of(index) != stuck
    await index.close()


async def test_a_stuck_worker_does_not_hold_up_the_end(tmp_path: Path) -> None:
    """Closing kills what does not end within the time limit."""
    index = await EdgeIndex.open(tmp_path, FINGERPRINT, timeout_s=0.2)
    os.kill(pid_of(index), signal.SIGSTOP)
    await index.close()
    assert index.worker_pid is None


async def test_a_cancelled_call_disturbs_no_other(index: EdgeIndex) -> None:
    """An answer nobody waits for is dropped."""
    query = EVERYTHING[0].vector
    given_up = asyncio.ensure_future(index.search(MEMORY, query, limit=1, scope=OPERATOR))
    await asyncio.wait([given_up], timeout=0)
    given_up.cancel()
    (hit,) = await index.search(MEMORY, query, limit=1, scope=OPERATOR)
    assert hit.id == EVERYTHING[0].id
    assert await asyncio.gather(given_up, return_exceptions=True)


async def test_a_worker_that_keeps_dying_is_started_less_and_less() -> None:
    """Calls within the back-off fail at once instead of starting a process each."""
    now = 0.0
    dying = (sys.executable, "-S", "-c", "raise SystemExit(3)")
    process = EdgeProcess(dying, timeout_s=10, monotonic=lambda: now)
    refusals = []
    for now in (0.0, 0.1, 0.2, 0.7, 1.0, 1.8):  # noqa: B007 - the clock reads it
        with pytest.raises(VectorStoreUnavailable) as caught:
            await process.request("flush")
        refusals.append("tried again" in str(caught.value))
    await process.close()
    assert refusals == [False, False, True, False, True, False]


async def test_a_worker_that_cannot_be_started_is_unavailable(tmp_path: Path) -> None:
    """A missing interpreter is an unavailable store, not a crash."""
    process = EdgeProcess((str(tmp_path / "nothing"),), timeout_s=1)
    with pytest.raises(VectorStoreUnavailable, match="cannot be started"):
        await process.start()
    await process.close()
