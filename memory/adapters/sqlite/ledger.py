"""What was looked up for which turn, and what every model call cost."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from memory.adapters.sqlite.columns import json_list, millis
from memory.adapters.sqlite.database import Database, Transaction
from memory.adapters.sqlite.queries import queries
from memory.model import PersonId, TurnId
from memory.ports import Clock
from memory.retrieval import Retrieval

_SQL = queries("ledger")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCall:
    """What one model call cost; tokens as the provider counted them, `injected` estimated."""

    purpose: str
    model: str
    outcome: str
    person: PersonId | None
    input: int
    output: int
    cache_read: int
    cache_write: int
    injected: int
    took_ms: float


@dataclass(frozen=True, slots=True)
class TokensUsed:
    """Tokens that were used, without what came from a cache."""

    input: int
    output: int


@dataclass(frozen=True, slots=True)
class Lookup:
    """Why something was looked up for a turn or not, and what it cost."""

    reason: str
    tokens: int
    took_ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """One row that was considered for a turn: its score in 0..1, and why it was kept or not."""

    section: str
    ref: str
    score: float
    kept: bool
    reason: str
    sources: dict[str, int]


class Ledger:
    """The retrievals and usage tables."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def shown(self, turns: Sequence[TurnId]) -> list[str]:
        """References (with revision) of what was injected in these turns, each once, latest last.

        A reference that was injected again counts as late as the last time.
        """
        rows = await self._database.all(_SQL["shown"], {"turns": json_list(map(str, turns))})
        return [row["ref"] for row in rows]

    async def record(self, call: ModelCall) -> None:
        """Write one model call down."""

        async def work(transaction: Transaction) -> None:
            await transaction.run(
                _SQL["add_usage"],
                {
                    "purpose": call.purpose,
                    "model": call.model,
                    "person": call.person,
                    "outcome": call.outcome,
                    "input": call.input,
                    "output": call.output,
                    "cache_read": call.cache_read,
                    "cache_write": call.cache_write,
                    "injected": call.injected,
                    "took_ms": call.took_ms,
                    "now": millis(self._clock.now()),
                },
            )

        await self._database.write(work)

    async def used(self, purpose: str, since: datetime) -> TokensUsed:
        """Fresh input and output tokens of a purpose since a moment."""
        values = {"purpose": purpose, "since": millis(since)}
        row = await self._database.one(_SQL["used_since"], values)
        return TokensUsed(row["input"], row["output"]) if row else TokensUsed(0, 0)

    async def turns_of(self, person: PersonId, since: datetime) -> int:
        """How many answers a person had since a moment."""
        row = await self._database.one(_SQL["turns_of"], {"person": person, "since": millis(since)})
        return int(row["turns"]) if row else 0

    async def retrieval_of(self, turn: TurnId) -> Lookup:
        """Whether and how something was looked up for a turn."""
        row = await self._database.one(_SQL["retrieval_of"], {"turn": str(turn)})
        if row is None:
            return Lookup("not looked up", 0, 0.0)
        return Lookup(row["reason"], row["tokens"], row["took_ms"])

    async def explained(self, turn: TurnId) -> list[Explained]:
        """What was considered for a turn, in the order it was judged."""
        rows = await self._database.all(_SQL["of_turn"], {"turn": str(turn)})
        return [
            Explained(
                section=row["section"],
                ref=row["ref"],
                score=row["score"],
                kept=bool(row["kept"]),
                reason=row["reason"],
                sources=json.loads(row["sources"]),
            )
            for row in rows
        ]


async def add_retrieval(
    transaction: Transaction, turn: TurnId, retrieval: Retrieval, now: int
) -> None:
    """Write down, inside a transaction, what was considered for a turn and why."""
    row = await transaction.one(
        _SQL["add_retrieval"],
        {
            "turn": str(turn),
            "query": retrieval.query,
            "reason": retrieval.reason,
            "tokens": retrieval.tokens,
            "took_ms": retrieval.took_ms,
            "now": now,
        },
    )
    await transaction.many(
        _SQL["add_item"],
        [
            {
                "retrieval": row["id"] if row else 0,
                "position": position,
                "section": item.candidate.section,
                "ref": item.candidate.ref,
                "score": item.score,
                "sources": json.dumps(item.candidate.sources),
                "kept": item.kept,
                "reason": item.reason,
            }
            for position, item in enumerate(retrieval.items)
        ],
    )
