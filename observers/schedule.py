"""The clock's observer: digests at fixed hours, sweeps in between. The only user of apscheduler."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from typing import Any

import structlog
from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.cron import CronTrigger
from apscheduler.triggers.interval import IntervalTrigger

from memory.tasks import Boundary, InFlight, within

log = structlog.get_logger()

GRACE_S = 3600
"""How late a job may still start: APScheduler's own default of 1 s drops late jobs silently."""

END_S = 5.0
"""How long a job that is cancelled at the end may take to leave what it works on."""

Job = Callable[[], Awaitable[object]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Jobs:
    """What is done and when: `digest` gets the slot it runs for; `associate` follows the sweep.

    `tidy` and `backup` run once a night, or not at all without an hour.
    """

    digest: Callable[[str], Awaitable[object]]
    digest_hours: tuple[int, ...]
    sweep: Job
    sweep_every: timedelta
    associate: Job
    tidy: Job
    tidy_hour: int | None
    backup: Job
    backup_hour: int | None
    look_after: Job
    look_after_every: timedelta
    check_in: Job
    check_in_every: timedelta


@asynccontextmanager
async def scheduled(jobs: Jobs, zone: tzinfo, now: Callable[[], datetime]) -> AsyncIterator[None]:
    """Run the jobs at their hours until the body ends; a failing job is logged and runs again.

    A job that is under way then is cancelled: the next start, or the next hour, does its work.
    """
    scheduler = AsyncIOScheduler(
        timezone=zone, job_defaults={"coalesce": True, "misfire_grace_time": GRACE_S}
    )

    running = InFlight()

    def ends_with_all(name: str, job: Job) -> Callable[[], Coroutine[Any, Any, None]]:
        async def run() -> None:
            with running.one():
                try:
                    await guarded(name, job)()
                except asyncio.CancelledError:  # APScheduler would log it as an error
                    log.info("job.cancelled", job=name)

        return run

    async def digest() -> None:
        await jobs.digest(slot_of(now(), jobs.digest_hours, zone))

    if jobs.digest_hours:
        hours = ",".join(map(str, jobs.digest_hours))
        scheduler.add_job(ends_with_all("digest", digest), CronTrigger(hour=hours, timezone=zone))
    scheduler.add_job(ends_with_all("sweep", jobs.sweep), _every(jobs.sweep_every))
    scheduler.add_job(ends_with_all("associate", jobs.associate), _every(jobs.sweep_every))
    for name, job, hour in (
        ("tidy", jobs.tidy, jobs.tidy_hour),
        ("backup", jobs.backup, jobs.backup_hour),
    ):
        if hour is not None:
            scheduler.add_job(ends_with_all(name, job), CronTrigger(hour=hour, timezone=zone))
    scheduler.add_job(ends_with_all("look_after", jobs.look_after), _every(jobs.look_after_every))
    scheduler.add_job(ends_with_all("check_in", jobs.check_in), _every(jobs.check_in_every))
    scheduler.start()
    try:
        yield
    finally:
        scheduler.shutdown(wait=False)
        await within(END_S, running.quiet())


def guarded(name: str, job: Job) -> Callable[[], Coroutine[Any, Any, None]]:
    """The job, with its failure logged instead of lost: the boundary of an observer."""

    async def run() -> None:
        with Boundary("job.failed", job=name):
            await job()

    return run


def slot_of(now: datetime, hours: tuple[int, ...], zone: tzinfo) -> str:
    """The digest slot that is current, as local date and hour: "2026-10-25T02".

    The same on both passes of an hour that a clock change repeats; an hour that a change skips
    belongs to the slot whose time it took.
    """
    local = now.astimezone(zone)
    past = [hour for hour in sorted(hours) if hour <= local.hour]
    day = local if past else local - timedelta(days=1)
    return f"{day:%Y-%m-%d}T{(past or sorted(hours))[-1]:02d}"


def next_slot(now: datetime, hours: tuple[int, ...], zone: tzinfo) -> datetime | None:
    """When the next digest is due; None without hours."""
    local = now.astimezone(zone)
    days = (local + timedelta(days=ahead) for ahead in (0, 1))
    slots = (
        day.replace(hour=hour, minute=0, second=0, microsecond=0)
        for day in days
        for hour in sorted(hours)
    )
    return next((slot for slot in slots if slot > local), None)


def missed(now: datetime, last: datetime | None, after: timedelta) -> bool:
    """Whether a digest is overdue: `last` is when one ended, or when there was first a need."""
    return last is not None and now - last > after


def _every(interval: timedelta) -> IntervalTrigger:
    return IntervalTrigger(seconds=int(interval.total_seconds()))
