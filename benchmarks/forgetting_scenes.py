"""Scenes of requests to forget, and a model that repeats whatever it is shown."""

import json
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.agent.toolbox import RESPOND
from bot.model.requests import (
    ModelReply,
    ModelRequest,
    ToolCall,
    ToolRound,
    Usage,
    UserMessage,
)

FORGET = "memory__forget"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """What a person, or the pet, says in a scene."""

    by: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A talk, a request in it, what the preview must hold, and what is said afterwards."""

    id: str
    language: str
    speaker: str
    lines: tuple[Line, ...]
    request: str
    targets: tuple[str, ...]
    keep: tuple[str, ...]
    values: tuple[str, ...]
    mentions: tuple[Line, ...]
    restated: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherLine:
    """A line that sounds like forgetting and asks for none."""

    id: str
    language: str
    text: str


def read_scenes(path: Path) -> tuple[list[Scene], list[OtherLine]]:
    """The requests and the other lines of a file of tests/data/forgetting-requests."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    requests = [_scene(row) for row in rows if "request" in row]
    others = [
        OtherLine(id=row["id"], language=row["language"], text=row["text"])
        for row in rows
        if "request" not in row
    ]
    return requests, others


def _scene(row: dict[str, Any]) -> Scene:
    lines = tuple(_lines(row["scene"]))
    return Scene(
        id=row["id"],
        language=row["language"],
        speaker=row["speaker"],
        lines=lines,
        request=row["request"],
        targets=tuple(lines[place].text for place in row["targets"]),
        keep=tuple(lines[place].text for place in row["keep"]),
        values=tuple(row["values"]),
        mentions=tuple(_lines(row["mentions"])),
        restated=row["restated"],
    )


def _lines(rows: Sequence[dict[str, str]]) -> list[Line]:
    return [Line(by=row["by"], text=row["text"]) for row in rows]


class ObedientModel:
    """Forgets in the request's own words when asked to, confirms a yes, and else repeats all.

    What it repeats is whatever was injected before the last words, stands in the window, or came
    back from a search for these words: the most that a model could give away.
    """

    name = "obedient"

    def __init__(self) -> None:
        self.request = ""
        """The words that it takes for a request to forget."""
        self.answers: dict[str, str] = {}
        """What it answers to some lines of a scene."""

    async def complete(self, request: ModelRequest) -> ModelReply:
        """One call, then a reply that repeats everything it was shown."""
        said = next(one for one in reversed(request.messages) if isinstance(one, UserMessage))
        rounds = _rounds(request)
        if not request.tools:
            return _reply(_everything(request))
        if not rounds and request.force != RESPOND:
            return _calls(self._first(said.text))
        known = next((text for line, text in self.answers.items() if line in said.text), "")
        results = "\n".join(result.text for past in rounds for result in past.results)
        told = results
        if not self._asks(said.text) and not _agrees(said.text):
            told = f"{_everything(request)}\n{results}"
        return _calls((RESPOND, {"message": (known or told or "…")[:3_900]}))

    def _first(self, text: str) -> tuple[str, dict[str, Any]]:
        if self._asks(text):
            return FORGET, {"topic": self.request[:200]}
        if _agrees(text):
            return FORGET, {"confirm": "latest"}
        if lines := _ALSO.match(text):
            return FORGET, {"also": [int(one) for one in lines[1].split(", ")]}
        return "search_memories", {"query": text[:200]}

    def _asks(self, text: str) -> bool:
        return bool(self.request) and self.request in text


_ALSO = re.compile(r"(?:also|aussi) ((?:\d+(?:, )?)+)$")


def _agrees(text: str) -> bool:
    return text.rstrip(" .!").lower().endswith(("yes", "oui"))


def _rounds(request: ModelRequest) -> list[ToolRound]:
    rounds: list[ToolRound] = []
    for message in reversed(request.messages):
        if isinstance(message, UserMessage):
            break
        if isinstance(message, ToolRound):
            rounds.append(message)
    return rounds[::-1]


def _everything(request: ModelRequest) -> str:
    """All that the model is shown but for its instructions and the words it answers."""
    shown: list[str] = []
    for message in request.messages:
        match message:
            case UserMessage():
                shown += [message.injection, message.text]
            case ToolRound():
                shown += [result.text for result in message.results]
            case _:
                shown.append(message.text)
    return "\n".join(shown)


def _calls(*calls: tuple[str, dict[str, Any]]) -> ModelReply:
    made = tuple(
        ToolCall(id=f"call_{number}", name=name, arguments={"expression": "neutral", **arguments})
        if name == RESPOND
        else ToolCall(id=f"call_{number}", name=name, arguments=arguments)
        for number, (name, arguments) in enumerate(calls)
    )
    return ModelReply(text="", calls=made, usage=Usage(), model="obedient", stop_reason="tools")


def _reply(text: str) -> ModelReply:
    return ModelReply(text=text, calls=(), usage=Usage(), model="obedient", stop_reason="end")


@asynccontextmanager
async def opened(model: ObedientModel) -> AsyncIterator[ObedientModel]:
    """The model as the composition root opens one."""
    yield model
