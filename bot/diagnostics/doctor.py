"""The doctor: looks at each part of the pet, and says whether it works and what there is to do."""

import asyncio
import platform
import shutil
import stat
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from bot.conversation.pauses import Pausing
from bot.diagnostics.findings import ChosenParts, Finding, Look, PartState, fail, note, ok
from bot.diagnostics.model_check import ModelCheck
from bot.lock import holder_of
from bot.ports import Model
from bot.release import VERSION
from memory.model.errors import EkoMemoryError, HeldElsewhere
from memory.model.stores import Collection
from memory.ports import Embedder, VectorIndex
from memory.storage.storage import Storage
from memory.upkeep.reembedding import EmbedderChange
from observers.notes import NoteSync

REACH_S = 3.0
"""Seconds a service has to accept a connection."""

LOW_DISK = 500 * 1024 * 1024
"""Bytes free under which the data folder is about to be a problem."""


SOUND_SQLITE = (3, 51, 3)
"""Before it two connections could damage a database, which the pet takes care not to let happen
(https://www.sqlite.org/wal.html#walresetbug)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedParts:
    """The parts themselves; `channels` are the looks at the services elsewhere.

    `notes` is None where no vault is followed.
    """

    storage: Storage
    embedder: Embedder
    changing: Callable[[], EmbedderChange | None]
    index: VectorIndex
    indexes_embedded: Callable[[], bool]
    """Whether it is in the data folder now."""
    model: Model
    model_check: ModelCheck
    notes: NoteSync | None
    pausing: Pausing
    backups: Look
    clock: Look
    voice: Look
    channels: Sequence[Look] = ()


class Doctor:
    """Checks every part."""

    def __init__(self, chosen: ChosenParts, checked: CheckedParts) -> None:
        self._chosen = chosen
        self._checked = checked

    async def diagnose(self) -> list[Finding]:
        """Every part, checked now; a model is only asked where that costs nothing."""
        before: list[Look] = [
            self._software,
            self._data_folder,
            self._database,
            self._checked.backups,
            self._checked.clock,
            self._embedder,
            self._vectors,
        ]
        after: list[Look] = [
            self._checked.voice,
            self._notes,
            *self._checked.channels,
            self._page,
            *([self._dashboard] if self._chosen.page else []),
            self._daemon,
            self._pauses,
        ]
        asked = await self.model() if self._chosen.model_is_local else [await self._model()]
        return [await one() for one in before] + asked + [await one() for one in after]

    async def model(self) -> list[Finding]:
        """The model, and where it can be reached what it is able to do; costs four calls."""
        there = await self._model()
        if there.state is not PartState.OK or self._chosen.model_url is None:
            return [there]
        able = await self._checked.model_check.of(self._checked.model, self._chosen.model_url)
        return [there, *able]

    async def _software(self) -> Finding:
        return ok("eko", "software", version=VERSION, python=platform.python_version())

    async def _data_folder(self) -> Finding:
        folder = self._chosen.data_dir.resolve()
        free = shutil.disk_usage(folder).free
        values = {"folder": folder, "free": free // 1024 // 1024}
        if free < LOW_DISK:
            return fail("data folder", "folder", "free_disk", **values)
        for path, mode in ((folder, "700"), (self._chosen.keys_file, "600")):
            if await asyncio.to_thread(_others_may_read, path):
                return note(
                    "data folder", "read_by_others", "close_to_others", path=path, mode=mode
                )
        return ok("data folder", "folder", **values)

    async def _database(self) -> Finding:
        health = self._checked.storage.health
        schema, sqlite = await health.version()
        values = {"schema": schema, "sqlite": sqlite, **await health.counts()}
        if tuple(map(int, sqlite.split("."))) < SOUND_SQLITE:
            return note("database", "database", "newer_sqlite", **values)
        return ok("database", "database", **values)

    async def _embedder(self) -> Finding:
        """The one in use, and while another one takes over that one too."""
        if self._chosen.embedding == "none":
            return note("embedder", "embedder_none", "choose_embedder")
        name, change = str(self._checked.embedder.fingerprint), self._checked.changing()
        for one in (self._checked.embedder, *([change.to] if change else [])):
            if (failed := await self._failed(one)) is not None:
                return failed
        if change is not None and str(change.to.fingerprint) != name:
            return _changing(name, change)
        if self._chosen.embedding == "offline":
            return note("embedder", "embedder_offline", "set_voyage", name=name)
        if self._chosen.embedding == "local":
            return ok("embedder", "embedder_offline", name=name)
        return ok("embedder", "embedder", name=name)

    async def _failed(self, embedder: Embedder) -> Finding | None:
        try:
            await embedder.embed(["hello"], "query")
        except EkoMemoryError as error:
            values = {"name": embedder.fingerprint, "error": error}
            if self._chosen.embedding == "local":
                return fail("embedder", "embedder_failed", "check_local", **values)
            return fail("embedder", "embedder_failed", "check_voyage", **values)
        return None

    async def _vectors(self) -> Finding:
        if self._chosen.embedding == "none":
            return ok("vector store", "vectors_unused")
        embedded = self._checked.indexes_embedded()
        kind = "Qdrant Edge, embedded" if embedded else "Qdrant server"
        waiting = await self._checked.storage.outbox.waiting()
        try:
            damaged = await self._checked.index.damaged()
            held = sum([await self._checked.index.count(one) for one in Collection])
        except HeldElsewhere as error:
            return fail(
                "vector store", "vectors_elsewhere", "settle_identity", kind=kind, place=error.place
            )
        except EkoMemoryError as error:
            values = {"kind": kind, "error": error}
            if embedded:
                return fail("vector store", "vectors_failed", "repair_vectors", **values)
            return fail("vector store", "vectors_failed", "check_qdrant", **values)
        if damaged:
            return fail(
                "vector store",
                "vectors_damaged",
                "repair_vectors",
                kind=kind,
                parts=len(damaged),
                held=held,
            )
        return ok("vector store", "vectors", kind=kind, held=held, waiting=waiting)

    async def _model(self) -> Finding:
        if self._chosen.model_url is None:
            return note("model", "model_none", "set_model")
        address = urlsplit(self._chosen.model_url)
        port = address.port or (443 if address.scheme == "https" else 80)
        values = {"name": self._checked.model.name, "address": f"{address.hostname}:{port}"}
        if await _reaches(address.hostname or "", port):
            return ok("model", "model", **values)
        return fail("model", "model_failed", "check_model", **values)

    async def _notes(self) -> Finding:
        """The vault is looked at now: the question is about now."""
        if not self._chosen.notes:
            return ok("notes", "notes_unused")
        sync = self._checked.notes
        if sync is None:
            return fail("notes", "notes_unread", "notes_for_nobody")
        state = await self._checked.storage.notes.state(sync.vault)
        try:
            report = await sync.sync(dry_run=True)
        except EkoMemoryError as error:
            if state.refreshed_at is None:
                return fail("notes", "notes_never", "notes_known", error=error)
            since = f"{state.refreshed_at:%Y-%m-%dT%H:%M}"
            return fail("notes", "notes_stale", "notes_known", since=since, error=error)
        waiting = len(report.read) + len(report.gone)
        return ok("notes", "notes", vault=sync.vault, notes=report.notes, waiting=waiting)

    async def _page(self) -> Finding:
        if not self._chosen.page:
            return note("web page", "page_off", "set_page")
        holder = holder_of(self._chosen.data_dir)
        if holder is None or holder.page is None:
            return note("web page", "page_unserved", "run")
        return ok("web page", "page", page=holder.page)

    async def _dashboard(self) -> Finding:
        match self._chosen.dashboard:
            case "here":
                return ok("dashboard", "dashboard")
            case "by_tls":
                return ok("dashboard", "dashboard_by_tls")
            case "refused":
                return note("dashboard", "dashboard_refused", "dashboard_tls")
            case "in_the_open":
                return note("dashboard", "dashboard_in_the_open", "dashboard_tls")

    async def _daemon(self) -> Finding:
        holder = holder_of(self._chosen.data_dir)
        if holder is None or holder.socket is None:
            return note("daemon", "daemon_none", "run")
        return ok("daemon", "daemon", pid=holder.pid, since=holder.since)

    async def _pauses(self) -> Finding:
        paused = self._checked.pausing.current
        if not paused:
            return ok("pauses", "pauses_none")
        spaces = ", ".join(f"{one.space} ({one.since:%Y-%m-%dT%H:%M}, {one.by})" for one in paused)
        return note("pauses", "pauses", "resume", spaces=spaces, count=len(paused))


def _others_may_read(path: Path) -> bool:
    """Whether every account of the machine may read a file, or what is in a folder.

    A folder with the sticky bit is meant for everybody, as /data of the image is for any user: the
    files in it are closed one by one. A file in a folder that the pet may not enter is not its own.
    """
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, PermissionError):
        return False
    if mode & stat.S_ISVTX:
        return False
    needed = stat.S_IROTH | stat.S_IXOTH if stat.S_ISDIR(mode) else stat.S_IROTH
    return mode & needed == needed


def _changing(name: str, change: EmbedderChange) -> Finding:
    to = change.to.fingerprint
    if not change.entries:  # they are counted once it begins
        return note("embedder", "embedder_beginning", "wait_embedder", name=name, to=to)
    values = {"to": to, "done": change.done, "entries": change.entries}
    return note("embedder", "embedder_changing", "wait_embedder", name=name, **values)


async def _reaches(host: str, port: int) -> bool:
    try:
        async with asyncio.timeout(REACH_S):
            _, writer = await asyncio.open_connection(host, port)
    except (OSError, TimeoutError):
        return False
    writer.close()
    return True
