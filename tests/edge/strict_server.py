"""A model's service on loopback: it answers from a script and forgives no broken rule."""

import asyncio
import json
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.edge.loopback import Answer, Asked

Rules = Callable[[Mapping[str, str], object], list[str]]
"""Every rule that the headers and the body of a request break."""


@dataclass
class Conversation:
    """What was asked of the server, and what it still has to answer."""

    path: str
    rules: Rules
    url: str = ""
    requests: list[Asked] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    _script: deque[Answer] = field(default_factory=deque)

    @property
    def bodies(self) -> list[dict[str, Any]]:
        """The JSON of every request, in order."""
        return [asked.json() for asked in self.requests]

    def will(self, *answers: Answer) -> None:
        """Answer the next requests with these, in order."""
        self._script.extend(answers)

    async def answer(self, asked: Asked) -> Answer:
        """The next answer of the script, or a 400 for a broken rule."""
        self.requests.append(asked)
        self.asked.set()
        broken = self.rules(asked.headers, asked.json())
        if (asked.method, asked.path) != ("POST", self.path):
            broken.append(f"{asked.method} {asked.path} is not what we call")
        if not broken and not self._script:
            broken.append("this request is one more than the script has answers")
        self.broken += broken
        if broken:
            return fails(400, "invalid_request_error", message="; ".join(broken))
        return self._script.popleft()

    def check(self) -> None:
        """Fail when a rule was broken or an answer was never asked for."""
        assert not self.broken, self.broken
        assert not self._script, f"{len(self._script)} answers were never asked for"


def fails(status: int, kind: str, *, message: str = "no", **headers: str) -> Answer:
    """An error answer of either service; header names are written with underscores."""
    body = {"type": "error", "error": {"type": kind, "message": message}}
    return Answer(
        status=status,
        body=json.dumps(body).encode(),
        headers={name.replace("_", "-"): value for name, value in headers.items()},
    )
