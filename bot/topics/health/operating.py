"""The metrics that say whether the pet is well: is it there, does it answer, does it learn."""

import asyncio
import shutil
from collections.abc import Iterator, Mapping
from datetime import timedelta
from pathlib import Path

from bot.data_folder import DATABASE
from bot.topics.health.measurement import Measurement, labelled
from bot.wiring.app import App
from config.recent_logs import event_counts

OUTCOMES = ("answered", "failed", "refused", "undelivered")
"""What becomes of turns; each is told, also where there are none."""

LIMITS = ("account", "room", "address", "overheard account", "overheard room")
"""The kinds of limits of what arrives; the same."""

LEVELS = ("warning", "error")
"""The levels of the log that ask to be looked at; the same."""


async def operating(app: App) -> list[Measurement]:
    """Connections, turns, memory, disk, backups and work, figures of one name together."""
    return [
        *_connections(app),
        *await _turns(app),
        *await _memory(app),
        *await asyncio.to_thread(lambda: list(_disk(app.settings.data_dir))),
        *await _backups(app),
        *await _work(app),
        _one("eko_tasks", "Tasks of the event loop.", len(asyncio.all_tasks())),
        *_log(),
    ]


def _connections(app: App) -> Iterator[Measurement]:
    yield from labelled(
        "eko_channel_connected",
        "Whether a service elsewhere hears the pet and is heard, by channel.",
        "channel",
        {one.platform: one.is_connected for one in app.platforms},
    )
    yield from labelled(
        "eko_communities_away",
        "Communities that are not there now, as in an outage, by channel.",
        "channel",
        {name: known.away() for name, known in app.communities.items()},
    )
    yield _one(
        "eko_pauses", "Pauses that last, in which nobody is answered.", len(app.pausing.current)
    )
    refused = app.limiter.refused
    yield from labelled(
        "eko_arrivals_refused_total",
        "What came too fast and was not taken, by limit.",
        "limit",
        {limit: refused[limit] for limit in LIMITS},
        counts=True,
    )


async def _turns(app: App) -> list[Measurement]:
    since = app.clock.now() - timedelta(hours=1)
    counted = await app.storage.statistics.turns_since(since)
    turns = dict.fromkeys(OUTCOMES, 0) | {one.outcome: one.turns for one in counted}
    help_ = "Turns of the last hour by what became of them; failed: answered without a model."
    late = sum(one.late for one in counted)
    return [
        *labelled("eko_turns_last_hour", help_, "outcome", turns),
        _one(
            "eko_recalls_late_last_hour", "Turns for which some of recall failed or was late.", late
        ),
    ]


async def _memory(app: App) -> list[Measurement]:
    now, statistics = app.clock.now(), app.storage.statistics
    since = await statistics.oldest()
    ages = {queue: max(0.0, (now - at).total_seconds()) for queue, at in since.items()}
    queues = dict.fromkeys(("live", "pending", "undelivered"), 0.0)
    given_up = await statistics.given_up()
    return [
        *labelled("eko_oldest_seconds", "Age of the oldest that waits.", "queue", queues | ages),
        _one("eko_digest_lines_given_up", "Lines that no digest could read.", given_up),
        _one(
            "eko_index_paused_seconds",
            "Seconds for which nothing could be indexed; 0 in health.",
            app.services.indexer.paused_s,
        ),
        *labelled(
            "eko_part_ready",
            "Whether a part that answers need is there.",
            "part",
            await app.readiness.free_parts(),
        ),
    ]


def _disk(folder: Path) -> Iterator[Measurement]:
    free = shutil.disk_usage(folder).free
    yield _one("eko_disk_free_bytes", "Bytes that are free beside the data.", free)
    database = folder / DATABASE
    files = {"database": database, "wal": database.with_name(f"{database.name}-wal")}
    sizes = {name: path.stat().st_size if path.exists() else 0 for name, path in files.items()}
    yield from labelled("eko_database_bytes", "Bytes of the database, by file.", "file", sizes)


async def _backups(app: App) -> list[Measurement]:
    records = app.storage.backups
    made, failed = await records.made(), await records.failed()
    return [
        _one(
            "eko_backup_finished_timestamp_seconds",
            "When the last backup was made; 0 if none was.",
            0 if made is None else made.at.timestamp(),
        ),
        _one("eko_backup_failed", "Whether one has failed since.", failed is not None),
        _one(
            "eko_backup_nightly",
            "Whether one is made each night.",
            app.settings.backup.hour is not None,
        ),
    ]


async def _work(app: App) -> list[Measurement]:
    storage = app.storage
    running: Mapping[str, bool] = {
        "digest": await storage.digest_ledger.under_way() is not None,
        "import": app.services.importing.locked(),
        "learning of imports": bool(await storage.histories.unlearnt()),
        "embedding anew": app.services.change is not None,
    }
    day = app.clock.now() - timedelta(days=1)
    checkins = await storage.statistics.checkins_since(day)
    return [
        *labelled("eko_running", "Whether long work goes on, by its kind.", "work", running),
        _one("eko_checkins_last_day", "How often it wrote first within a day.", checkins),
    ]


def _log() -> Iterator[Measurement]:
    counts = event_counts()
    found = {level: counts[level] for level in LEVELS}
    help_ = "Events of the log, by level; repetitions within minutes count once."
    return labelled("eko_log_events_total", help_, "level", found, counts=True)


def _one(name: str, help_: str, value: float) -> Measurement:
    return Measurement(name=name, help=help_, value=value)
