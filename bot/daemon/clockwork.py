"""What the pet does by the clock: its jobs, and what it loads and makes up for after a start."""

import asyncio
import gc
from collections.abc import Iterable
from datetime import timedelta
from functools import partial

import structlog

from bot.checkins.dispatch import EVERY
from bot.llm.offline.manners.classifier import load_weights
from bot.platforms.catch_up import CatchUp
from bot.surfaces.pages.rendering import load_templates
from bot.transfer.backups import BackupFailed
from bot.transfer.upgrade_copies import clear_outdated_copies
from bot.wiring.app import App
from bot.wiring.settings import backup_rules
from memory.language.expressions import compile_sentences
from memory.language.synonyms import load as load_lexicons
from memory.language.times.zones import load_cities
from memory.model.notices import NoticeKind, OwnerNotice
from observers.schedule import Jobs, guarded, missed

log = structlog.get_logger()

LONGEST_READ_BACK_S = 300
"""A platform that cannot be reached must not keep what was missed from being learnt for ever."""

BREATH_S = 0.5
"""After a start, for what waits for it: what is loaded then holds the interpreter for a second."""


def jobs_of(app: App) -> Jobs:
    """What is done at its hour, of this pet."""
    settings = app.settings
    return Jobs(
        digest=app.services.digest.run,
        digest_hours=settings.digest.planned_hours,
        sweep=partial(_sweep, app),
        sweep_every=timedelta(minutes=settings.sweeps.expired_minutes),
        associate=app.services.association_pass.run,
        tidy=partial(_tidy, app),
        tidy_hour=settings.sweeps.tidy_hour,
        backup=partial(_backup, app),
        backup_hour=settings.backup.hour,
        look_after=partial(_look_after, app),
        look_after_every=timedelta(seconds=settings.sweeps.sessions_seconds),
        check_in=app.checkins.look,
        check_in_every=EVERY,
    )


async def _sweep(app: App) -> None:
    """Archive what has expired, and drop old ledger rows of what recall passed over."""
    await app.storage.memories.sweep()
    await app.storage.ledger.trim(timedelta(days=app.settings.sweeps.dropped_days))
    await app.services.purging.run()
    if app.settings.sweeps.tidy_hour is None:  # there is no night to do it in
        await app.services.purging.clean()


async def _tidy(app: App) -> None:
    """Look for what is kept twice, and clean the files of what was taken back or is too old."""
    await app.services.tidying.run()
    await app.services.purging.clean()
    clear_outdated_copies(backup_rules(app.settings), app.clock.now())


async def _backup(app: App) -> None:
    """Make the nightly backup; the owner and the doctor are notified when it fails."""
    try:
        await app.services.backups.nightly()
    except BackupFailed as error:
        app.notices.tell(OwnerNotice(kind=NoticeKind.BACKUP_FAILED, reason=str(error)))


async def _look_after(app: App) -> None:
    """End conversations that fell silent, and try again what a platform did not take."""
    await app.services.clock_watch.look()
    app.reminders.look_at_clock()
    await _end_silent(app)
    await app.delivery.resume()
    await app.services.backups.journal()


async def _end_silent(app: App) -> None:
    """End conversations that fell silent; what follows their end is done beside."""
    await app.contexts.end_idle()
    app.services.after_reply.look_around()


async def warm_up(app: App) -> None:
    """Load what the first question needs, then make up for what was lost or missed."""
    await asyncio.sleep(BREATH_S)
    await guarded("expressions", partial(asyncio.to_thread, compile_sentences))()
    await guarded("lexicons", partial(asyncio.to_thread, load_lexicons))()
    await guarded("zones", partial(asyncio.to_thread, load_cities))()
    await guarded("manners", partial(asyncio.to_thread, load_weights))()
    if app.settings.web.enabled:
        await guarded("templates", partial(asyncio.to_thread, load_templates))()
    await guarded("warm_up", app.services.recall.warm_up)()
    gc.freeze()  # what is here now stays: walking it at each full collection took 60 ms
    gc.enable()
    await guarded("sweep", app.storage.memories.sweep)()  # what has expired is no loss to mend
    async with asyncio.TaskGroup() as beside:
        await guarded("mend", partial(_mend, app, beside))()
        await _make_up(app)


async def _mend(app: App, beside: asyncio.TaskGroup) -> None:
    """Compare the index with the database; beside what follows while the store is away."""
    if not await app.services.indexer.try_mending():
        beside.create_task(guarded("mend", app.services.indexer.mend_after_outage)())


async def _make_up(app: App) -> None:
    """Make up for what was missed."""
    await guarded("end_silent", partial(_end_silent, app))()  # also what ended while it was away
    await guarded("purge", app.services.purging.run)()  # one that was cut short goes on
    await wait_for_the_past(app.catch_ups)  # what was missed belongs into the digest that was
    await guarded("catch_up", partial(_catch_up, app))()
    await guarded("backup", partial(_make_up_for_backup, app))()
    await guarded("check_in", app.checkins.look)()


async def wait_for_the_past(
    catch_ups: Iterable[CatchUp], limit_s: float = LONGEST_READ_BACK_S
) -> None:
    """Wait until every platform's past is read, or for so long."""
    try:
        async with asyncio.timeout(limit_s), asyncio.TaskGroup() as waiting:
            for one in catch_ups:
                waiting.create_task(one.done())
    except TimeoutError:
        log.warning("catch_up.postponed", limit_s=limit_s)


async def _make_up_for_backup(app: App) -> None:
    """Make the backup of a night in which it did not run."""
    hourly = app.settings.backup.hour is not None
    if hourly and await app.services.backups.is_due(timedelta(days=1)):
        await _backup(app)


async def _catch_up(app: App) -> None:
    settings = app.settings.digest
    after = timedelta(hours=settings.missed_after_hours)
    last = await app.storage.digests.last_finished() or await app.storage.digests.oldest_live()
    interrupted = await app.storage.digests.unfinished() is not None
    if settings.enabled and (interrupted or missed(app.clock.now(), last, after)):
        await app.services.digest.run()
