"""What was looked up for which turn, how well, and what every model call cost."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from memory.model.audience import Scope
from memory.model.ledger import (
    DaySpending,
    Explained,
    Graded,
    Lookup,
    ModelCall,
    PastQuestion,
    PurposeUsage,
)
from memory.model.messages import MessageId, TurnId
from memory.model.people import AuditedChange, PersonId, Signature
from memory.model.retrieval import Considered, Retrieval
from memory.storage.sqlite.audit import record
from memory.storage.sqlite.database import TimedTable, Transaction
from memory.storage.sqlite.readers import Snapshot
from memory.storage.sqlite.rows import (
    audiences,
    columns_of,
    json_list,
    millis,
    moment,
    queries,
    row_as,
)

_SQL = queries("conversations/ledger")

MOST_TRIMMED = 500
"""Turns trimmed at once: it takes a quarter of a second, in which other writes wait."""

COUNTED = (0.5, 4.0)
"""Tokens that a provider may count for each estimated one: no language is as far from the estimate,
and a server that counts nonsense must neither keep conversations from being cut nor cut each turn.
"""


class Ledger(TimedTable):
    """The retrievals and usage tables."""

    async def record(self, call: ModelCall) -> None:
        """Store one model call."""

        async def work(transaction: Transaction) -> None:
            values = {**columns_of(call), "now": millis(self._clock.now())}
            await transaction.run(_SQL["add_usage"], values)

        await self._database.write(work)

    async def spent(self, since: datetime) -> list[DaySpending]:
        """The usage since a moment by purpose, person and community."""
        return await self._database.all_as(DaySpending, _SQL["spent"], {"since": millis(since)})

    async def usage(self, since: datetime, *, without: str = "") -> list[PurposeUsage]:
        """The usage since a moment by purpose, the most expensive first, `without` one model."""
        values = {"since": millis(since), "without": without}
        return await self._database.all_as(PurposeUsage, _SQL["usage"], values)

    async def outcomes(self, since: datetime) -> dict[str, int]:
        """The number of calls since a moment by outcome: how they ended, or the kind of error."""
        rows = await self._database.all(_SQL["outcomes"], {"since": millis(since)})
        return {row["outcome"]: row["calls"] for row in rows}

    async def counted(self, person: PersonId, since: datetime) -> float:
        """How many tokens the provider counted for each estimated one, in a person's turns since.

        It is 1.0 if the provider counted nothing, and always within `COUNTED`.
        """
        values = {"person": person, "since": millis(since)}
        row = await self._database.one(_SQL["counted"], values)
        if row is None or not row["counted"] or not row["estimated"]:
            return 1.0
        least, most = COUNTED
        return min(most, max(least, float(row["counted"] / row["estimated"])))

    async def retrieval_of(self, turn: TurnId) -> Lookup:
        """Whether and how memories were looked up for a turn."""
        row = await self._database.one(_SQL["retrieval_of"], {"turn": str(turn)})
        return Lookup(reason="not looked up") if row is None else row_as(Lookup, row)

    async def explained(self, turn: TurnId) -> list[Explained]:
        """The rows that were considered for a turn, in the order of judgement."""
        return await self._database.all_as(Explained, _SQL["of_turn"], {"turn": str(turn)})

    async def label(self, turn: TurnId, ref: str, by: Signature, *, useful: bool | None) -> bool:
        """Store what a person says of an injected line; returns whether there is such a line."""
        now = self._clock.now()
        said = {None: "unsaid", True: "useful", False: "not useful"}[useful]
        change = AuditedChange(actor=by, action="line.labelled", target=ref, detail=said)

        async def work(transaction: Transaction) -> bool:
            values = {"turn": str(turn), "ref": ref, "useful": useful}
            if not await transaction.run(_SQL["label"], values):
                return False
            await record(transaction, change, now)
            return True

        return await self._database.write(work)

    async def trim(self, older_than: timedelta) -> int:
        """Delete the rows that were considered and dropped for old turns; returns how many.

        Injected rows stay, and so do rows that stood in the window. At most `MOST_TRIMMED` turns
        are done, the oldest first; the next sweep does the rest.
        """
        now = self._clock.now()
        due = {"before": millis(now - older_than), "most": MOST_TRIMMED}

        async def work(transaction: Transaction) -> int:
            found = await transaction.all(_SQL["untrimmed"], due)
            retrievals = json_list(row["id"] for row in found)
            removed = await transaction.run(_SQL["trim"], {"retrievals": retrievals})
            await transaction.run(_SQL["trimmed"], {"retrievals": retrievals, "now": millis(now)})
            return removed

        return await self._database.write(work)


def read_shown(snapshot: Snapshot, turns: Sequence[TurnId]) -> list[str]:
    """References (with revision) of the rows injected in these turns, each once, latest last.

    A reference that was injected again counts by its last time.
    """
    rows = snapshot.all(_SQL["shown"], {"turns": json_list(map(str, turns))}) if turns else []
    return [row["ref"] for row in rows]


async def add_retrieval(
    transaction: Transaction, turn: TurnId, retrieval: Retrieval, now: int
) -> None:
    """Store, inside a transaction, what was considered for a turn and why."""
    row = await transaction.one(
        _SQL["add_retrieval"],
        {
            "turn": str(turn),
            "query": retrieval.query,
            "reason": retrieval.reason,
            "considered": len(retrieval.items),
            "late": json_list(retrieval.late),
            "elsewhere": json_list(one.name for one in retrieval.given),
            "tokens": retrieval.tokens,
            "took_ms": retrieval.took_ms,
            "now": now,
        },
    )
    await transaction.many(
        _SQL["add_item"],
        [
            {"retrieval": row["id"] if row else 0, "position": position, **_columns(item)}
            for position, item in enumerate(retrieval.items)
        ],
    )


class Evaluations(TimedTable):
    """The evaluations table, and queries that only an evaluation needs."""

    async def messages_behind(
        self, memories: Sequence[UUID], scope: Scope
    ) -> Mapping[UUID, frozenset[MessageId]]:
        """The messages that each of these statements was learned from."""
        values = self._within(scope, ids=json_list(map(str, memories)))
        found: dict[UUID, set[MessageId]] = defaultdict(set)
        for row in await self._database.all(_SQL["messages_behind"], values):
            found[UUID(row["memory_id"])].add(MessageId(row["message_id"]))
        return {memory: frozenset(messages) for memory, messages in found.items()}

    async def past_questions(
        self, scope: Scope, limit: int, *, injected: bool = False
    ) -> list[PastQuestion]:
        """The latest questions, newest first; with `injected` those for which rows were injected.

        Questions about something that was forgotten since are left out.
        """
        values = {"audiences": audiences(scope), "limit": limit, "injected": injected}
        return await self._database.all_as(PastQuestion, _SQL["past_questions"], values)

    async def labelled_turns(self, limit: int) -> frozenset[TurnId]:
        """The latest turns with a recalled line that a person labelled."""
        rows = await self._database.all(_SQL["labelled_turns"], {"limit": limit})
        return frozenset(TurnId(UUID(row["turn_id"])) for row in rows)

    async def keep(self, graded: Graded) -> None:
        """Store a score with the present moment."""
        values = {**columns_of(graded), "at": millis(self._clock.now())}
        await self._database.run(_SQL["add_score"], values)

    async def history(self) -> list[tuple[datetime, Graded]]:
        """Every score that was kept, oldest first."""
        rows = await self._database.all(_SQL["scores"])
        return [(moment(row["at"]), row_as(Graded, row)) for row in rows]

    async def count(self) -> int:
        """How many scores were kept."""
        row = await self._database.one(_SQL["count_scores"])
        return int(row["n"]) if row else 0


def _columns(item: Considered) -> dict[str, object]:
    return {
        "section": item.candidate.section,
        "ref": item.candidate.ref,
        "sources": _compact(item.candidate.sources),
        "signals": _compact(item.candidate.signals),
        "score": round(item.candidate.score, 4),
        "worth": item.candidate.worth,
        "confidence": round(item.score, 4),
        "proven": item.candidate.proven,
        "duplicate": item.candidate.duplicate,
        "kept": item.kept,
        "reason": item.reason,
    }


def _compact(values: Mapping[str, float]) -> str:
    return json.dumps(values, separators=(",", ":"))  # a hundred of these are kept for each turn
