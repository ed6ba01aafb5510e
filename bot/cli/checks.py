"""What `eko doctor` looks at: each part, whether it works, and what to do when it does not."""

import asyncio
import platform
import shutil
from collections.abc import Awaitable, Callable
from importlib.metadata import version
from typing import Any
from urllib.parse import urlsplit

from bot import parts
from bot.app import App
from bot.cli.vault import FOR_NOBODY
from bot.lock import holder_of
from memory.errors import EkoMemoryError
from memory.model import Collection

Check = dict[str, Any]
"""`name`, `status` (ok, note, fail), `detail`, and `todo` when there is something to do."""

REACH_S = 3.0
"""Seconds a service has to accept a connection."""

LOW_DISK = 500 * 1024 * 1024
"""Bytes free under which the data folder is about to be a problem."""


async def diagnose(app: App) -> list[Check]:
    """Every part of the pet, checked now; costs no model call."""
    checks: list[Callable[[App], Awaitable[Check]]] = [
        _software,
        _data_folder,
        _database,
        _embedder,
        _vectors,
        _model,
        _notes,
        _page,
        _daemon,
    ]
    return [await check(app) for check in checks]


async def _software(_app: App) -> Check:
    return _ok("eko", f"version {version('eko')} on Python {platform.python_version()}")


async def _data_folder(app: App) -> Check:
    folder = app.settings.data_dir.resolve()
    free = shutil.disk_usage(folder).free
    if free < LOW_DISK:
        return _fail("data folder", f"{folder}, {_mb(free)} free", "Free some disk space.")
    return _ok("data folder", f"{folder}, {_mb(free)} free")


async def _database(app: App) -> Check:
    schema, sqlite = await app.truth.health.version()
    counts = await app.truth.health.counts()
    detail = (
        f"SQLite {sqlite}, schema {schema}: {counts['messages']} messages, "
        f"{counts['memories']} memories, {counts['turns']} turns, {counts['live']} live"
    )
    return _ok("database", detail)


async def _embedder(app: App) -> Check:
    if parts.embeds_nothing(app.settings):
        todo = 'Set [embedder] kind = "offline" to recall by meaning as well.'
        return _note("embedder", "none: recall goes by words, names and times", todo)
    name = str(app.embedder.fingerprint)
    try:
        await app.embedder.embed(["hello"], "query")
    except EkoMemoryError as error:
        return _fail("embedder", f"{name}: {error}", "Check VOYAGE_API_KEY and the network.")
    if parts.embeds_offline(app.settings):
        todo = "Set VOYAGE_API_KEY for an embedder that reads French as well as English."
        return _note("embedder", f"{name}, in process", todo)
    return _ok("embedder", name)


async def _vectors(app: App) -> Check:
    if parts.embeds_nothing(app.settings):
        return _ok("vector store", "not used: there is no embedder")
    kind = "Qdrant Edge, embedded" if parts.indexes_embedded(app.settings) else "Qdrant server"
    waiting = await app.truth.outbox.waiting()
    try:
        held = sum([len(await app.index.ids(collection)) for collection in Collection])
    except EkoMemoryError as error:
        todo = "Check that QDRANT_URL answers; nothing is lost meanwhile."
        return _fail("vector store", f"{kind}: {error}", todo)
    return _ok("vector store", f"{kind}: {held} entries, {waiting} changes waiting")


async def _model(app: App) -> Check:
    if parts.thinks_offline(app.settings):
        todo = "Set ANTHROPIC_API_KEY, or ANTHROPIC_BASE_URL for a local model."
        return _note("model", "none: the offline pet answers from memory by rules", todo)
    address = urlsplit(app.settings.model.base_url or "https://api.anthropic.com")
    port = address.port or (443 if address.scheme == "https" else 80)
    name = f"{app.mind.model.name} at {address.hostname}:{port}"
    if await _reaches(address.hostname or "", port):
        return _ok("model", f"{name}, reachable (the key is only tried when someone speaks)")
    return _fail("model", f"{name} cannot be reached", "Check the network and ANTHROPIC_BASE_URL.")


async def _notes(app: App) -> Check:
    """The vault is looked at now: whoever asks wants to know about now."""
    if app.settings.obsidian.kind == "off":
        return _ok("notes", "not used: [obsidian] kind is off")
    if app.mind.notes is None:
        return _fail("notes", "not read", FOR_NOBODY)
    state = await app.truth.notes.state(app.mind.notes.vault)
    try:
        report = await app.mind.notes.sync(dry_run=True)
    except EkoMemoryError as error:
        since = state.refreshed_at
        told = f"not refreshed since {since:%Y-%m-%dT%H:%M}" if since else "never read"
        todo = "What was read before is still known. See docs/obsidian.md."
        return _fail("notes", f"{told}: {error}", todo)
    waiting = len(report.read) + len(report.gone)
    return _ok("notes", f"{app.mind.notes.vault}: {report.notes} notes, {waiting} changes waiting")


async def _page(app: App) -> Check:
    web = app.settings.web
    if not web.enabled:
        return _note("web page", "switched off", "Set [web] enabled = true to have one.")
    holder = holder_of(app.settings.data_dir)
    if holder is None or holder.page is None:
        return _note("web page", "not served now", "Start the pet with: eko run")
    return _ok("web page", holder.page)


async def _daemon(app: App) -> Check:
    holder = holder_of(app.settings.data_dir)
    if holder is None or holder.socket is None:
        return _note("daemon", "not running", "Start the pet with: eko run")
    return _ok("daemon", f"process {holder.pid}, since {holder.since}")


async def _reaches(host: str, port: int) -> bool:
    try:
        async with asyncio.timeout(REACH_S):
            _, writer = await asyncio.open_connection(host, port)
    except (OSError, TimeoutError):
        return False
    writer.close()
    return True


def _mb(size: int) -> str:
    return f"{size / 1024 / 1024:,.0f} MB"


def _ok(name: str, detail: str) -> Check:
    return {"name": name, "status": "ok", "detail": detail, "todo": None}


def _note(name: str, detail: str, todo: str) -> Check:
    return {"name": name, "status": "note", "detail": detail, "todo": todo}


def _fail(name: str, detail: str, todo: str) -> Check:
    return {"name": name, "status": "fail", "detail": detail, "todo": todo}
