"""What a pet learns from conversations, and the form in which a scripted model records it."""

import asyncio
from typing import Any

from bot.model.requests import ModelReply
from observers.conversation_facts import ExtractionReport
from tests.flow.pet import Pet, calls


async def learnt(pet: Pet) -> list[str]:
    """What is known about people, oldest first."""
    rows = await pet.storage.database.all(
        "SELECT content FROM active_memories WHERE store = 'memory' ORDER BY seq"
    )
    return [row["content"] for row in rows]


def fact(content: str, line: int = 1, **fields: Any) -> dict[str, Any]:
    """A fact as the form takes it."""
    return {
        "content": content,
        "memory_type": "fact",
        "speaker": "David",
        "lines": [line],
        "subjects": ["David"],
        "slot": "other",
        "status": "holds",
        **fields,
    }


def records(*facts: dict[str, Any]) -> ModelReply:
    """An answer that fills in the form."""
    return calls(("record_facts", {"facts": list(facts)}))


def listed(pet: Pet) -> asyncio.Queue[ExtractionReport]:
    """What the pet's passes come to, one after the other."""
    passes: asyncio.Queue[ExtractionReport] = asyncio.Queue()
    real = pet.facts.read_due

    async def read_due() -> ExtractionReport:
        passes.put_nowait(await real())
        return ExtractionReport()

    pet.facts.read_due = read_due  # type: ignore[method-assign]
    return passes
