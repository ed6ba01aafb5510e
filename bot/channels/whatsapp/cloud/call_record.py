"""How far the webhook came, on disk: after a restart it is known that Meta has called before."""

import asyncio
import json
from pathlib import Path

import structlog

from bot.channels.whatsapp.service.findings import CallStage
from bot.errors import FolderRefused
from bot.secret_file import write_private

log = structlog.get_logger()

FILE = "webhook.json"
"""The file in the channel's folder."""


class CallRecord:
    """Knows the last stage that the webhook of a phone number has reached; it never goes back."""

    def __init__(self, folder: Path | None, number: str) -> None:
        self._folder = folder
        self._number = number
        self._stage = self._kept()

    @property
    def stage(self) -> CallStage:
        """What has come of Meta so far."""
        return self._stage

    async def reach(self, stage: CallStage) -> None:
        """Note that something has come; what cannot be written is known until the next start."""
        if stage <= self._stage:
            return
        self._stage = stage
        if self._folder is not None:
            await asyncio.to_thread(self._write, self._folder)

    def _write(self, folder: Path) -> None:
        said = {"phone_number_id": self._number, "stage": self._stage.name.lower()}
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_private(folder / FILE, json.dumps(said))
        except (OSError, FolderRefused) as error:
            log.warning("record.lost", file=FILE, reason=str(error))

    def _kept(self) -> CallStage:
        try:
            said = json.loads((self._folder or Path()).joinpath(FILE).read_text("utf-8"))
            is_ours = said["phone_number_id"] == self._number
            return CallStage[str(said["stage"]).upper()] if is_ours else CallStage.NONE
        except (OSError, ValueError, KeyError, TypeError):
            return CallStage.NONE
