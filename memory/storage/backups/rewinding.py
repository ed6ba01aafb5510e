"""Takes a copy of the database back to when a question was asked, so that it can be asked again."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from uuid import UUID

from memory.model.messages import TurnId
from memory.model.stores import Collection
from memory.storage.sqlite.database import Table, Transaction
from memory.storage.sqlite.rows import queries

_SQL = queries("backups/rewinding")

_NOWHERE = "rewound"
"""The session that holds the turns which were not yet."""

_STEPS = (
    "strike_changes",
    "uncount",
    "nowhere",
    "announce_turns",
    "hide_turns",
    "await_nothing",
    "await_answer",
    "announce_live",
    "hide_live",
    "hide_messages",
    "announce_statements",
    "bring_back_statements",
    "bring_back_expired",
    "hide_statements",
    "announce_knowledge",
    "bring_back_facts",
    "bring_back_knowledge",
    "hide_knowledge",
    "unroll",
    "hide_summaries",
    "hide_quiet_topics",
    "end_sessions",
    "reopen_session",
)
"""In their order: what was brought back before, and came later, is hidden last.

A new table that recall reads needs a step here if its rows say when they came.
"""

Changed = Mapping[Collection, Sequence[UUID]]
"""Entries of the index that may be others now, by collection."""


class Rewinding(Table):
    """Rewinds a copy that is thrown away afterwards: from one turn to an earlier one, never on.

    What was said, learnt, summarised and recalled since is hidden, and what it replaced holds
    again; the messages of the turn wait for their answer. Words that were forgotten, and lines of
    a lobby that were digested since, do not come back.
    """

    async def to(self, turn: TurnId) -> Changed:
        """Rewind to when the request of a turn was made; what the index has otherwise now."""

        async def work(transaction: Transaction) -> Changed:
            row = await transaction.one(_SQL["asked"], {"turn": str(turn)})
            if row is None:  # pragma: no cover - its caller has just read it
                raise LookupError(f"There is no turn {turn}.")
            values = {**dict(row), "turn": str(turn), "nowhere": _NOWHERE}
            for step in _STEPS:
                await transaction.run(_SQL[step], values)
            changes = await transaction.all(_SQL["changes"])
            return _by_collection((one["collection"], one["id"]) for one in changes)

        return await self._database.write(work)


def _by_collection(changes: Iterator[tuple[str, str]]) -> Changed:
    found: dict[Collection, list[UUID]] = defaultdict(list)
    for collection, id_ in changes:
        found[Collection(collection)].append(UUID(id_))
    return found
