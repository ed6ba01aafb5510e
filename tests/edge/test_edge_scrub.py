"""What was deleted leaves no byte in the files of the embedded store, whatever interrupts it."""

import asyncio
import os
import shutil
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import UUID

import numpy as np
import pytest

from memory.model.audience import OPERATOR
from memory.model.errors import VectorStoreUnavailable
from memory.model.stores import Collection
from memory.ports import Fingerprint, Point
from memory.vectors import collection_names, unit
from memory.vectorstores.edge.index import EdgeIndex

FINGERPRINT = Fingerprint(name="test", dimension=64, version="1")
MEMORY = Collection.MEMORY
ROWS = unit(np.random.default_rng(1).standard_normal((900, 64)))

CANARY = "zyxaquiloptera"
"""A word that stands nowhere else."""

LIFE = "hortulanus"
"""A word of the entries that stay."""


def entry(number: int, content: str, audience: str = "everyone") -> Point:
    """An entry with a payload as the pet writes it."""
    return Point(
        id=UUID(int=number),
        vector=ROWS[number],
        payload={"audience": audience, "content": content, "subjects": ["dev"]},
    )


def holding(folder: Path, *needles: str | bytes) -> list[str]:
    """The files below a folder with any of these bytes in them."""
    wanted = [each.encode() if isinstance(each, str) else each for each in needles]
    files = (path for path in folder.rglob("*") if path.is_file())
    return [path.name for path in files if any(each in path.read_bytes() for each in wanted)]


def codes(number: int) -> bytes:
    """The beginning of an entry's vector as it is kept, in half precision."""
    return bytes(ROWS[number].astype("<f2").tobytes()[:16])


@pytest.fixture
async def index(tmp_path: Path) -> AsyncIterator[EdgeIndex]:
    """An index of entries that stay, and in two shards some that were deleted or replaced."""
    opened = await EdgeIndex.open(tmp_path, FINGERPRINT)
    living = [entry(number, f"{LIFE} {number}") for number in range(700)]
    await opened.upsert(MEMORY, living)
    await opened.upsert(
        MEMORY,
        [
            entry(800, f"{CANARY} deleted"),
            entry(801, f"{CANARY} replaced"),
            entry(802, f"{CANARY} in a space", "space:home"),
            entry(803, "of one person alone", f"person:{CANARY}"),
        ],
    )
    await opened.flush()
    await opened.delete(MEMORY, [UUID(int=800), UUID(int=802), UUID(int=803)])
    await opened.upsert(MEMORY, [entry(801, f"{LIFE} instead")])
    yield opened
    await opened.close()


EXPECTED = frozenset(UUID(int=number) for number in [*range(700), 801])


async def test_deleting_alone_leaves_the_text_in_the_files(
    index: EdgeIndex, tmp_path: Path
) -> None:
    """The engine marks what is deleted and flushes; that is why there is something to scrub."""
    await index.flush()
    assert holding(tmp_path, CANARY)
    assert holding(tmp_path, codes(800))


async def test_nothing_deleted_or_replaced_is_left_in_the_files(
    index: EdgeIndex, tmp_path: Path
) -> None:
    """Payloads, audiences and vectors are in no file of the folder, open or closed."""
    assert await index.scrub([MEMORY])
    assert holding(tmp_path, CANARY, codes(800), codes(802), codes(803)) == []
    assert holding(tmp_path, LIFE)
    assert holding(tmp_path, codes(7))
    await index.close()
    assert holding(tmp_path, CANARY, codes(800)) == []
    reopened = await EdgeIndex.open(tmp_path, FINGERPRINT)
    assert await reopened.ids(MEMORY) == EXPECTED
    await reopened.close()


async def test_what_a_worker_deleted_before_it_died_is_scrubbed_by_the_next(
    index: EdgeIndex, tmp_path: Path
) -> None:
    """That a shard holds deleted bytes is known from the disk."""
    pid = index.worker_pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    with pytest.raises(VectorStoreUnavailable):
        await index.flush()
    await index.scrub([MEMORY])
    assert holding(tmp_path, CANARY) == []
    assert await index.ids(MEMORY) == EXPECTED


async def test_a_shard_where_nothing_was_deleted_is_left_alone(
    index: EdgeIndex, tmp_path: Path
) -> None:
    """Rewriting costs seconds for each hundred thousand entries, so it is done where needed."""
    await index.upsert(Collection.SELF, [entry(1, LIFE)])
    await index.scrub([MEMORY, Collection.SELF])
    before = segments(tmp_path)
    await index.scrub([MEMORY, Collection.SELF])
    assert segments(tmp_path) == before
    await index.delete(Collection.SELF, [UUID(int=1)])
    await index.scrub([MEMORY, Collection.SELF])
    assert len(segments(tmp_path) & before) == len(before) - 1


def segments(folder: Path) -> set[str]:
    """The names of all segments, which the engine draws anew for each one it makes."""
    return {path.parent.name for path in folder.rglob("segment.json")}


async def test_writes_and_searches_go_on_meanwhile(index: EdgeIndex, tmp_path: Path) -> None:
    """What is written or deleted while a shard is rewritten is so afterwards."""
    scrubbing = asyncio.ensure_future(index.scrub([MEMORY]))
    found = 0
    number = 700
    while not scrubbing.done() and number < 790:
        await index.upsert(MEMORY, [entry(number, f"{LIFE} late", "everyone")])
        await index.upsert(MEMORY, [entry(number - 700, "moved", "space:home")])
        await index.delete(MEMORY, [UUID(int=number - 600)])
        found += len(await index.search(MEMORY, ROWS[650], limit=1, scope=OPERATOR))
        number += 1
    await scrubbing
    assert found == number - 700 > 1
    deleted = {UUID(int=late - 600) for late in range(700, number)}
    added = {UUID(int=late) for late in range(700, number)}
    assert await index.ids(MEMORY) == (EXPECTED | added) - deleted
    hits = await index.search(MEMORY, ROWS[0], limit=1, scope=OPERATOR)
    assert [hit.id.int for hit in hits] == [0]
    assert holding(tmp_path, CANARY) == []


@pytest.mark.parametrize("answers", range(1, 12, 2))
async def test_a_kill_while_rewriting_loses_nothing(
    index: EdgeIndex, tmp_path: Path, answers: int
) -> None:
    """A worker that is killed after any of its steps leaves the old shard or the new one whole."""
    pid = index.worker_pid
    assert pid is not None
    scrubbing = asyncio.ensure_future(index.scrub([MEMORY]))
    for _ in range(answers):
        await index.search(MEMORY, ROWS[0], limit=1, scope=OPERATOR)
    os.kill(pid, signal.SIGKILL)
    with pytest.raises(VectorStoreUnavailable):
        await scrubbing
    assert await index.ids(MEMORY) == EXPECTED
    await index.scrub([MEMORY])
    assert holding(tmp_path, CANARY) == []
    assert await index.ids(MEMORY) == EXPECTED


@pytest.mark.parametrize("step", ["stepped aside", "in place"])
async def test_a_kill_between_the_renames_is_mended_at_the_next_start(
    index: EdgeIndex, tmp_path: Path, step: str
) -> None:
    """Whichever folder is there under its own name, or whole beside it, is the shard."""
    await index.close()
    shard = tmp_path / collection_names("eko_", FINGERPRINT)[MEMORY] / "others"
    old, new = shard.with_name("others.discarded"), shard.with_name("others.rewriting")
    shutil.copytree(shard, new if step == "stepped aside" else old)
    if step == "stepped aside":
        shard.rename(old)
    reopened = await EdgeIndex.open(tmp_path, FINGERPRINT)
    assert await reopened.ids(MEMORY) == EXPECTED
    assert not old.exists()
    assert not new.exists()
    await reopened.close()


async def test_a_rewriting_nobody_finished_is_removed_at_the_next_start(
    index: EdgeIndex, tmp_path: Path
) -> None:
    """Half a copy is worth nothing beside the shard it was made from."""
    await index.close()
    shard = tmp_path / collection_names("eko_", FINGERPRINT)[MEMORY] / "others"
    (shard.with_name("others.rewriting") / "segments").mkdir(parents=True)
    reopened = await EdgeIndex.open(tmp_path, FINGERPRINT)
    assert await reopened.ids(MEMORY) == EXPECTED
    assert [path.name for path in shard.parent.glob("*.*")] == []
    await reopened.close()


async def test_a_second_scrub_waits_for_the_first(index: EdgeIndex, tmp_path: Path) -> None:
    """Two callers at once end with what one would have left."""
    await asyncio.gather(index.scrub([MEMORY]), index.scrub([MEMORY]))
    assert holding(tmp_path, CANARY) == []
    assert await index.ids(MEMORY) == EXPECTED
