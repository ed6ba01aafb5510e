"""How often something is injected for lines that have nothing to do with the store."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.evaluation.ingestion import PLATFORM, IngestedConversation
from bot.model.events import AuthorRef
from bot.wiring.app import App
from memory.model.audience import Scope, scope_of
from memory.model.retrieval import Question, Retrieval
from memory.model.rooms import Room, RoomId, RoomKind, RoomRole

STRANGER = AuthorRef(platform=PLATFORM, external_id="stranger", name="stranger")
"""A reader who was in none of the conversations and may read all of them."""


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


async def stranger_at(app: App, places: Sequence[IngestedConversation]) -> tuple[Room, Scope]:
    """Where the stranger asks, in private, and what they may know: every conversation's space."""
    person = await app.register.person(STRANGER)
    room = Room(
        id=RoomId(f"{PLATFORM}:stranger"),
        platform=PLATFORM,
        external_id="stranger",
        name=STRANGER.name,
        kind=RoomKind.DIRECT,
        role=RoomRole.PET,
    )
    return room, scope_of(room, person.id, [place.room.space for place in places])


async def said_to(app: App, room: Room, scope: Scope, query: str) -> Retrieval:
    """What the pre-hook makes of one line of the stranger."""
    return await app.services.recall.before(
        Question(text=query, context="", speaker=STRANGER.name, room=room, scope=scope)
    )


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0
