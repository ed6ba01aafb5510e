"""How far an agent's updates were read, and whose agent it is: kept on disk for each key."""

import json
from hashlib import blake2b

from bot.ports import Announced


class ReadingState:
    """The offset of the next update, and the creator by a keyed hash that names no one.

    The manual of the Agent Platform has an agent talk with its creator alone. The first account
    that writes is that one, and another is not let in until there is a new key.
    """

    def __init__(self, kept: Announced, key: str) -> None:
        secret = key.encode()
        self._kept = kept
        self._secret = blake2b(secret, digest_size=32).digest()
        self._name = f"whatsapp agent {blake2b(secret, digest_size=8).hexdigest()}"
        self._creator: str | None = None
        self._is_loaded = False
        self.offset: int | None = None

    async def load(self) -> None:
        """Take up what was kept last, once: from then on it is known better here.

        Raises:
            StorageFailed: it cannot be read.

        """
        if self._is_loaded:
            return
        said = await self._kept.last(self._name)
        kept = json.loads(said) if said else {}
        self.offset = kept.get("offset")
        self._creator = kept.get("creator")
        self._is_loaded = True

    def admits(self, account: str) -> bool:
        """Whether this is the creator's account; the first one that is asked for is."""
        mark = blake2b(account.encode(), key=self._secret, digest_size=16).hexdigest()
        if self._creator is None:
            self._creator = mark
        return mark == self._creator

    async def advance(self, offset: int) -> None:
        """Keep that everything before an offset is stored.

        Raises:
            StorageFailed: it could not be kept; the same updates come again.

        """
        if offset != self.offset:
            kept = json.dumps({"offset": offset, "creator": self._creator})
            await self._kept.keep(self._name, kept)
            self.offset = offset
