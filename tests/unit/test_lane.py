"""A background task ends with its owner, whatever it does with a cancellation."""

import asyncio

import pytest

import memory.tasks
from memory.tasks import background_task
from tests.patience import PATIENCE_S


async def test_work_that_takes_a_cancellation_for_its_own_is_cancelled_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As a library did that watches files; nothing waits for ever for it."""
    monkeypatch.setattr(memory.tasks, "AGAIN_S", 0.01)
    taken = 0

    async def work() -> None:
        nonlocal taken
        while taken < 2:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                taken += 1
        await asyncio.Event().wait()

    async with asyncio.timeout(PATIENCE_S), background_task(work(), name="deaf") as task:
        await asyncio.sleep(0)
    assert taken == 2
    assert task.cancelled()


async def test_what_work_died_of_is_raised_where_it_belongs() -> None:
    """Its owner hears of it."""

    async def work() -> None:
        raise ValueError("died")

    with pytest.raises(ValueError, match="died"):
        async with background_task(work(), name="short") as task:
            await asyncio.wait({task})


async def test_an_owner_that_is_cancelled_while_the_task_ends_ends_too() -> None:
    """Its own cancellation is not taken for the task's."""
    is_ending = asyncio.Event()

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            is_ending.set()
            await asyncio.sleep(0)
            await asyncio.sleep(0)

    async def own() -> None:
        async with background_task(work(), name="slow"):
            await asyncio.sleep(0)
        await asyncio.Event().wait()

    owner = asyncio.create_task(own())
    async with asyncio.timeout(PATIENCE_S):
        await is_ending.wait()
    owner.cancel()
    await asyncio.wait({owner}, timeout=PATIENCE_S)
    assert owner.cancelled()
