"""What `eko export` and `eko import` do, in the daemon or in a process of its own."""

from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from bot.conversation.rooms import name_in_text
from bot.errors import BotError
from bot.surfaces.access.caller import OperationCaller
from bot.surfaces.names import CalledNames
from bot.surfaces.operations import TopicOperations, operation
from bot.surfaces.requests import OperationRequest
from bot.surfaces.values import Event
from bot.transfer.files import lines_of, new_file, new_pages
from bot.transfer.pages import ExportPages
from bot.wiring import settings as rule_factories
from bot.wiring.app import App
from memory.model.errors import EmbeddingFailed, VectorStoreUnavailable
from memory.model.export import End, ExportSelection, Header, Row, written
from memory.model.people import PSEUDONYM, PersonId
from memory.transfer.importer import Importer

_TOLD_EVERY = 1_000
"""Entries between two signs of progress."""

_INDEXED_AT_ONCE = 256
"""Changes indexed between two signs of progress."""


class ExportRequest(OperationRequest):
    """Write everything, or what is one person's or space's, to a file or folder that is not there.

    `since` is an ISO 8601 day or moment. A space is exported whole, to be imported elsewhere.
    """

    path: Annotated[str, Field(min_length=1, max_length=4096)]
    format: Literal["json", "markdown"] = "json"
    person: Annotated[str | None, Field(min_length=1, max_length=300)] = None
    space: Annotated[str | None, Field(min_length=1, max_length=300)] = None
    since: datetime | None = None


class ImportRequest(OperationRequest):
    """Take in an exported file; `dry_run` only says what it would come to."""

    path: Annotated[str, Field(min_length=1, max_length=4096)]
    dry_run: bool = False


class NobodyCalled(BotError):
    """A name is no person's, or several people's."""


class TransferOperations(TopicOperations):
    """The operations that move memory out of the pet and into it."""

    def __init__(self, app: App, caller: OperationCaller) -> None:
        super().__init__(app, caller)
        self._names = CalledNames(app, caller)

    @operation("export")
    async def export(self, request: ExportRequest) -> AsyncIterator[Event]:
        """Write a file or pages; the result says how many entries of each kind."""
        space = None if request.space is None else await self._names.space(request.space)
        selection = ExportSelection(
            person=await self._person(request.person),
            space=None if space is None else space.id,
            since=self._moment(request.since),
        )
        header = Header(
            at=self._app.clock.now(),
            person=selection.person,
            space=selection.space,
            community="" if space is None else space.community,
            since=selection.since,
        )
        path = Path(request.path)
        counts: dict[str, int] = {}
        rows = self._app.storage.exports.entries(selection, self._caller.scope)
        is_json = request.format == "json"
        writing = _json(path, header, rows) if is_json else self._markdown(path, rows)
        total = await self._app.storage.exports.total()
        done = 0
        async for row in writing:
            counts[row.entry] = counts.get(row.entry, 0) + 1
            done += 1
            if not done % _TOLD_EVERY:
                yield {"progress": {"done": done, "total": max(done, total)}}
        if space is not None and is_json:
            await self._app.storage.leaving.note_export(space.id, self._caller.actor, header.at)
        yield {"result": {"path": str(path), "entries": counts}}

    @operation("import")
    async def take_in(self, request: ImportRequest) -> AsyncIterator[Event]:
        """Take in a file; the result says what was new, known, forgotten and refused."""
        path = Path(request.path)
        importer = Importer(
            self._app.storage.imports,
            self._app.services.forgotten,
            now=self._app.clock.now(),
            naming=self._name,
            dry_run=request.dry_run,
        )
        try:
            async for line in importer.run(lines_of(path)):
                yield {"progress": {"state": f"line {line}"}}
        finally:  # an opt-out that was read holds, whatever comes after it
            self._app.storage.people.refresh()
            self._app.storage.reminders.changed.set()
        async for event in self._indexed():
            yield event
        done = importer.done
        header = importer.header
        yield {
            "result": {
                "dry_run": request.dry_run,
                "space": header and header.space,
                "community": header and header.community,
                "new": done.new,
                "known": done.known,
                "forgotten": done.forgotten,
                "refused": [asdict(each) for each in done.refused],
                "unindexed": await self._app.storage.outbox.waiting(),
            }
        }

    def _name(self, name: str) -> str:
        """What a person of this name in a file is called here, as if they had written."""
        names = rule_factories.inbox_rules(self._app.settings).names
        return name_in_text(name, names) or PSEUDONYM

    async def _markdown(self, path: Path, rows: AsyncIterator[Row]) -> AsyncIterator[Row]:
        settings = self._app.settings
        with new_pages(path) as write:
            pages = ExportPages(write, settings.locale, settings.zone)
            async for row in rows:
                pages.take(row)
                yield row
            pages.finish(self._app.clock.now())

    async def _indexed(self) -> AsyncIterator[Event]:
        """Have what is new in the vector store, as far as that answers."""
        outbox = self._app.storage.outbox
        total = left = await outbox.waiting()
        with suppress(EmbeddingFailed, VectorStoreUnavailable):
            while left:
                yield {"progress": {"done": total - left, "total": total}}
                await self._app.services.indexer.settle(at_most=_INDEXED_AT_ONCE)
                left = min(left - 1, await outbox.waiting())

    async def _person(self, name: str | None) -> PersonId | None:
        if name is None:
            return None
        found = await self._app.storage.exports.called(name)
        if not found:
            raise NobodyCalled(f'Nobody is called "{name}".')
        if len(found) > 1:
            ids = ", ".join(each.id for each in found)
            raise NobodyCalled(
                f'Several people are called "{name}": give an id ({ids}) or a platform:id.'
            )
        return found[0].id

    def _moment(self, since: datetime | None) -> datetime | None:
        """A day begins at its midnight where the pet lives."""
        if since is None or since.tzinfo is not None:
            return since
        return since.replace(tzinfo=self._app.settings.zone)


async def _json(path: Path, header: Header, rows: AsyncIterator[Row]) -> AsyncIterator[Row]:
    with new_file(path) as write:
        write(written(header))
        entries = 0
        async for row in rows:
            write(written(row))
            entries += 1
            yield row
        write(written(End(entries=entries)))
