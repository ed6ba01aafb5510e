"""One other process of the pet, asked over its HTTP API. An adapter."""

import asyncio
from typing import Any, TypeVar
from urllib.parse import urlsplit

from pydantic import BaseModel, ValidationError

from bot.errors import DeliveryFailed
from bot.platforms.http_api import HttpApi, OutcomeUnknown
from bot.siblings.values import ProcessStanding

PREFIX = "/siblings"

LONGEST_PART = 80_000_000
"""Bytes of an export: as many as are held of one's own."""

LONGEST_ANSWER = 1_000_000
"""Bytes of any other answer: it is read while others wait."""

UNKNOWN = "another process"
"""What a process is called that has not said yet which shards it has."""

A = TypeVar("A", bound=BaseModel)


class Sibling:
    """A process at an address; `shards` are those that it has, once it has said so.

    While it is `behind`, deeds wait for it: it may tell what was forgotten meanwhile. `stirred`
    wakes who hands them on.
    What is said between processes is never logged, and an error's sentence holds no word of it.
    """

    def __init__(self, address: str, key: str) -> None:
        self.address = address
        self.shards = ""
        self.behind = False
        self.stirred = asyncio.Event()
        self._api = HttpApi(
            f"the process at {urlsplit(address).netloc}",
            address,
            {"authorization": f"Bearer {key}"},
            longest_answer=LONGEST_PART,
        )

    @property
    def name(self) -> str:
        """What people read: its shards; its address is for the operator alone."""
        return f"shards {self.shards}" if self.shards else UNKNOWN

    async def asked(self, answer: type[A], path: str, body: BaseModel, *, limit_s: float) -> A:
        """What it answers to a body at a path below `PREFIX`.

        Raises:
            DeliveryFailed: it did not answer in time, refuses, or answers what cannot be read.

        """
        return _read(answer, await self.told(path, body, limit_s=limit_s))

    async def told(self, path: str, body: BaseModel, *, limit_s: float) -> bytes:
        """The same as it came, which may be as long as an export; see `asked`."""
        try:
            content = body.model_dump_json()
        except ValueError:  # of a text that is none
            raise DeliveryFailed("A process of the pet cannot be asked that.") from None
        try:
            async with asyncio.timeout(limit_s):
                said = await self._said("POST", path, limit_s, content=content, headers=_JSON)
                if not self.shards:
                    await self.standing(limit_s=limit_s)
        except TimeoutError:
            sentence = f"A process of the pet did not answer within {limit_s:g} seconds."
            raise OutcomeUnknown(sentence) from None
        return said

    async def standing(self, *, limit_s: float) -> ProcessStanding:
        """Who it is; see `asked`. From then on it goes by its shards."""
        standing = _read(ProcessStanding, await self._said("GET", "/standing", limit_s))
        self.shards = standing.shards
        return standing

    async def close(self) -> None:
        """End the connections to it."""
        await self._api.close()

    async def _said(self, method: str, path: str, limit_s: float, **parts: Any) -> bytes:
        return await self._api.body(method, f"{PREFIX}{path}", limit_s=limit_s, **parts)


_JSON = {"content-type": "application/json"}


def _read(kind: type[A], said: bytes) -> A:
    try:
        if len(said) <= LONGEST_ANSWER:
            return kind.model_validate_json(said)
    except ValidationError:
        pass
    raise DeliveryFailed("A process of the pet gave no answer that can be read.")
