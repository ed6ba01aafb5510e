"""The settings with where each comes from, and what the log said lately, as JSON."""

from bot.surfaces.values import Event
from bot.wiring.app import App
from config.origins import origins
from config.recent_logs import recent_events
from memory.model.backups import BackupRecord


def settings_in_force(app: App) -> list[Event]:
    """Every setting of the pet with its source; those changed while it runs come last.

    Secrets are never shown, only whether they are set.
    """
    of_start = [
        {
            "label": one.label,
            "section": one.section,
            "value": one.value,
            "source": one.source,
            "where": one.where,
            "is_secret": one.is_secret,
        }
        for one in origins(app.settings)
    ]
    live = [
        {
            "label": one.key,
            "section": "run time",
            "value": one.value,
            "source": "run time",
            "where": one.kept.by,
            "is_secret": False,
        }
        for one in app.live_settings.settings()
        if one.kept is not None
    ]
    return of_start + live


def log_lines(level: str = "") -> list[Event]:
    """The latest events of the log, the latest first; of one level, or of all."""
    found = recent_events()
    return [_event(one) for one in found if not level or one.get("level") == level]


async def backups(app: App) -> Event:
    """The last backup, and the last one that failed since."""
    records = app.storage.backups
    return {
        "made": _backup(await records.made()),
        "failed": _backup(await records.failed()),
        "folder": app.settings.backup.folder,
        "hour": app.settings.backup.hour,
    }


def _event(one: Event) -> Event:
    rest = {key: value for key, value in one.items() if key not in {"event", "level", "timestamp"}}
    return {
        "at": one.get("timestamp"),
        "level": one.get("level", ""),
        "event": str(one.get("event", "")),
        "fields": rest,
    }


def _backup(record: BackupRecord | None) -> Event | None:
    if record is None:
        return None
    return {
        "at": record.at.isoformat(),
        "path": record.path,
        "size": record.size,
        "reason": record.reason,
    }
