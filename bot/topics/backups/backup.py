"""What `eko backup` does, in the daemon or in a process of its own."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated

from pydantic import Field

from bot.surfaces.operations import TopicOperations, operation
from bot.surfaces.requests import OperationRequest
from bot.surfaces.values import Event
from bot.transfer.erasure_journal import journal_path


class BackupRequest(OperationRequest):
    """Make a backup in a file that is not there yet, or in the folder of the settings."""

    path: Annotated[str | None, Field(min_length=1, max_length=4096)] = None


class BackupOperations(TopicOperations):
    """The operation that makes a backup now."""

    @operation("backup")
    async def make(self, request: BackupRequest) -> AsyncIterator[Event]:
        """Make a backup; the result says where it is and what it holds."""
        yield {"progress": {"state": "copying the database"}}
        target = None if request.path is None else Path(request.path)
        async for step in self._app.services.backups.make(target):
            if step.made is None or step.path is None:
                yield {"progress": {"done": step.done, "total": step.total}}
                continue
            yield {
                "result": {
                    "path": str(step.path),
                    "journal": str(journal_path(step.path.parent, step.made.copy.pet)),
                    "made_at": step.made.made_at.isoformat(),
                    "pet": step.made.copy.pet,
                    "schema": step.made.copy.schema,
                    "sha256": step.made.sha256,
                    "bytes": step.made.size,
                    "counts": step.made.copy.counts,
                    "encrypted": bool(self._app.settings.backup.recipients),
                }
            }
