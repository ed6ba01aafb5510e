"""How often something is injected for lines that have nothing to do with what is kept."""

from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import Field

from bot.surfaces.operations import TopicOperations, operation
from bot.surfaces.requests import OperationRequest
from bot.surfaces.values import Event
from memory.model.audience import EVERYONE, Scope, space_audience
from memory.model.retrieval import Question, Retrieval
from memory.model.rooms import HOME, Room, RoomId, RoomKind, RoomRole

STRANGER = Room(
    id=RoomId("silence:stranger"),
    platform="silence",
    external_id="stranger",
    name="stranger",
    kind=RoomKind.DIRECT,
    role=RoomRole.PET,
)
"""Where a stranger is alone with the pet, who never said anything before."""


class SilenceRequest(OperationRequest):
    """Lines that have nothing to do with what is kept, and how many examples to show."""

    lines: Annotated[tuple[str, ...], Field(min_length=1, max_length=10_000)]
    show: Annotated[int, Field(ge=0)] = 5


class SilenceOperations(TopicOperations):
    """The operation behind `eko eval silence`."""

    @operation("silence")
    async def silence(self, request: SilenceRequest) -> AsyncIterator[Event]:
        """Look each line up as a stranger of the home space would; nothing is stored or sent."""
        noise, scope = Noise(), Scope(frozenset({EVERYONE, space_audience(HOME)}))
        for done, line in enumerate(request.lines):
            question = Question(
                text=line, context="", speaker=STRANGER.name, room=STRANGER, scope=scope
            )
            noise.count(line, await self._app.services.recall.before(question))
            yield {"progress": {"done": done, "total": len(request.lines)}}
        yield {"result": noise.figures() | {"examples": noise.examples[: request.show]}}


@dataclass(slots=True)
class Noise:
    """What was injected for lines that have nothing to do with the store."""

    queries: int = 0
    looked_up: int = 0
    injected: int = 0
    lines: int = 0
    by_reason: Counter[str] = field(default_factory=Counter)
    examples: list[dict[str, Any]] = field(default_factory=list)

    def count(self, query: str, retrieval: Retrieval) -> None:
        """Add what came of one line; what is told of who speaks comes before all they say."""
        kept = [item for item in retrieval.items if item.kept and not item.candidate.proven]
        self.queries += 1
        self.looked_up += bool(retrieval.took_ms)
        self.injected += bool(kept)
        self.lines += len(kept)
        self.by_reason.update(item.reason for item in kept)
        if kept:
            best = kept[0]
            self.examples.append(
                {"query": query, "line": best.candidate.content, "why": best.reason,
                 "score": round(best.score, 3)}
            )  # fmt: skip

    def figures(self) -> dict[str, Any]:
        """The figures, without the examples."""
        return {
            "queries": self.queries,
            "looked_up": self.looked_up,
            "injected": self.injected,
            "injected_share": _share(self.injected, self.queries),
            "lines_per_injection": round(self.lines / self.injected, 2) if self.injected else 0.0,
            "by_reason": dict(self.by_reason.most_common()),
        }


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0
