"""Jobs at their hours: one that fails is logged and runs again, and keeps no other from running."""

import asyncio
from datetime import UTC, timedelta

import pytest
from apscheduler.schedulers.asyncio import AsyncIOScheduler

from observers.schedule import Jobs, scheduled
from tests.cast import NOON
from tests.patience import PATIENCE_S


class FailingJob:
    """Fails whenever it is run."""

    def __init__(self) -> None:
        self.runs = 0

    async def __call__(self, *_slot: str) -> None:
        """Fail."""
        self.runs += 1
        raise ValueError("a fault of ours")


async def test_no_job_that_fails_is_lost_to_the_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of them ends without an error, and is run again."""
    begun: list[AsyncIOScheduler] = []
    start = AsyncIOScheduler.start

    def noted(scheduler: AsyncIOScheduler) -> None:
        begun.append(scheduler)
        start(scheduler)

    monkeypatch.setattr(AsyncIOScheduler, "start", noted)
    each = [FailingJob() for _ in range(7)]
    digest, sweep, associate, tidy, backup, look_after, check_in = each
    jobs = Jobs(
        digest=digest,
        digest_hours=(2,),
        sweep=sweep,
        sweep_every=timedelta(hours=1),
        associate=associate,
        tidy=tidy,
        tidy_hour=3,
        backup=backup,
        backup_hour=3,
        look_after=look_after,
        look_after_every=timedelta(hours=1),
        check_in=check_in,
        check_in_every=timedelta(hours=1),
    )
    async with scheduled(jobs, UTC, lambda: NOON), asyncio.timeout(PATIENCE_S):
        (scheduler,) = begun
        for _ in range(2):
            for job in scheduler.get_jobs():
                await job.func()
    assert [one.runs for one in each] == [2] * len(each)
