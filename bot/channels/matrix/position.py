"""How far the server's news were stored: a token on disk, which is advanced behind the inbox."""

import asyncio
import json
from pathlib import Path

from bot.channels.matrix.service.json_values import as_map, text_in
from bot.secret_file import write_private

FILE = "position.json"


class Position:
    """The token of one session's device, in a file."""

    def __init__(self, folder: Path, device: str) -> None:
        self._path = folder / FILE
        self._device = device
        self._token = self._kept()

    @property
    def token(self) -> str | None:
        """Where to go on; None for the beginning."""
        return self._token

    async def advance(self, token: str) -> None:
        """Go on from there from now on, also after a crash.

        Raises:
            FolderRefused: it cannot be written.

        """
        if token == self._token:
            return
        said = json.dumps({"device": self._device, "token": token})
        await asyncio.to_thread(write_private, self._path, said)
        self._token = token

    def _kept(self) -> str | None:
        try:
            said = as_map(json.loads(self._path.read_text("utf-8")))
        except (OSError, ValueError):
            return None
        is_ours = text_in(said, "device") == self._device
        return text_in(said, "token") or None if is_ours else None
