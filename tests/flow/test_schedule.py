"""Jobs at their hours: one that fails is logged and runs again, and keeps no other from running."""

import asyncio
import logging
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from apscheduler.schedulers.asyncio import AsyncIOScheduler

from observers.schedule import Job, Jobs, scheduled
from tests.cast import NOON
from tests.patience import PATIENCE_S

HOURLY = timedelta(hours=1)


class FailingJob:
    """Fails whenever it is run."""

    def __init__(self) -> None:
        self.runs = 0

    async def __call__(self, *_slot: str) -> None:
        """Fail."""
        self.runs += 1
        raise ValueError("a fault of ours")


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[AsyncIOScheduler]:
    """The schedulers that were started."""
    begun: list[AsyncIOScheduler] = []
    start = AsyncIOScheduler.start

    def noted(scheduler: AsyncIOScheduler) -> None:
        begun.append(scheduler)
        start(scheduler)

    monkeypatch.setattr(AsyncIOScheduler, "start", noted)
    return begun


def jobs_of(each: Sequence[Job]) -> Jobs:
    """All jobs of a pet."""
    digest, sweep, associate, tidy, backup, look_after, check_in = each
    return Jobs(
        digest=lambda _slot: digest(),
        digest_hours=(2,),
        sweep=sweep,
        sweep_every=HOURLY,
        associate=associate,
        tidy=tidy,
        tidy_hour=3,
        backup=backup,
        backup_hour=3,
        look_after=look_after,
        look_after_every=HOURLY,
        check_in=check_in,
        check_in_every=HOURLY,
    )


async def test_no_job_that_fails_is_lost_to_the_scheduler(begun: list[AsyncIOScheduler]) -> None:
    """Each of them ends without an error, and is run again."""
    each = [FailingJob() for _ in range(7)]
    async with scheduled(jobs_of(each), UTC, lambda: NOON), asyncio.timeout(PATIENCE_S):
        (scheduler,) = begun
        for _ in range(2):
            for job in scheduler.get_jobs():
                await job.func()
    assert [one.runs for one in each] == [2] * len(each)


class EndlessJob:
    """Goes on until it is cancelled, and then has a thing to put back."""

    def __init__(self) -> None:
        self.begun = asyncio.Event()
        self.put_back = False

    async def __call__(self) -> None:
        """Begin, and never end."""
        self.begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            self.put_back = True


async def test_a_job_under_way_is_ended_before_what_it_works_on(
    begun: list[AsyncIOScheduler], caplog: pytest.LogCaptureFixture
) -> None:
    """A daemon that is told to end reports no error of it."""
    each = [EndlessJob() for _ in range(7)]
    async with scheduled(jobs_of(each), UTC, lambda: NOON), asyncio.timeout(PATIENCE_S):
        (scheduler,) = begun
        for job in scheduler.get_jobs():
            job.modify(next_run_time=datetime.now(UTC))
        for one in each:
            await one.begun.wait()
    assert all(one.put_back for one in each)
    assert not [one for one in caplog.records if one.levelno >= logging.WARNING]
